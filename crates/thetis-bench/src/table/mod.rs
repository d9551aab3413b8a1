//! Results as Markdown, CSV and one HTML page, and the tables of studies.

mod csv;
mod figures;
mod markdown;
mod page;
mod studies;

pub use csv::{runs_csv, summary_csv};
pub(crate) use figures::{bytes, escape, seconds};
pub use markdown::markdown;
pub use page::page;
pub use studies::{prediction_table, transfer_table};
