//! Front end for timed automata: UPPAAL's language as text (`.xta`, `.ta`) and in the files of its editor (`.xml`), its queries, and
//! TChecker's format (`.tck`).
//!
//! [`parse`], [`uppaal::parse`] and [`tchecker::parse`] read a model and [`query::parse`] asks something of it; [`task`] puts both together. What is
//! not supported is an error with its position: rates of clocks, priorities, games, probabilities.

mod ast;
pub mod code;
mod compile;
mod lexer;
mod parser;
pub mod query;
pub mod tchecker;
mod text;
mod types;
pub mod uppaal;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_expr::Store;
use thetis_model::Task;
use thetis_model::xta::{Network, XtaProperty};

use compile::Names;
use text::Text;

/// A model with the names by which queries mention its parts.
#[derive(Clone, Debug)]
pub struct XtaFile {
    /// The network.
    pub network: Network,
    names: Names,
    queries: Vec<Text>,
}

impl XtaFile {
    /// How many queries the file has; see [`query::parse_own`].
    pub fn num_queries(&self) -> usize {
        self.queries.len()
    }
}

/// Reads the model in `file`.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<XtaFile, Reported> {
    let tree = parser::parse(&Text::of_file(sources, file), diags)?;
    let (network, names) = compile::compile(&tree, diags)?;
    Ok(XtaFile { network, names, queries: Vec::new() })
}

/// The task to decide `property` of `network`.
pub fn task(network: Network, property: XtaProperty) -> Task<Network> {
    Task { store: Store::new(), model: network, property }
}
