//! Front ends for the textual model languages.
//!
//! Each language is a module with `parse`, from a source text to a task, and `print`, back to text:
//!
//! ```
//! use thetis_base::{Diagnostics, SourceMap};
//! let text = "main process p { var x : int init loc A error loc E A -> E { assume x > 3 } }";
//! let mut sources = SourceMap::new();
//! let file = sources.add("p.cfa", text);
//! let mut diags = Diagnostics::new();
//! let task = thetis_text::cfa::parse(&sources, file, &mut diags).expect("the model is correct");
//! assert_eq!(task.model.locations.len(), 2);
//! ```

pub mod cfa;
pub mod sts;
mod syntax;
