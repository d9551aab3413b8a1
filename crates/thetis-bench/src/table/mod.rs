//! Results as Markdown, CSV and one HTML page.

mod csv;
mod figures;
mod markdown;
mod page;

pub use csv::{runs_csv, summary_csv};
pub(crate) use figures::{bytes, escape, seconds};
pub use markdown::markdown;
pub use page::page;
