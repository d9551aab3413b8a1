//! Front end for timed automata: UPPAAL's textual language (`.xta`, `.ta`) and its queries.
//!
//! [`parse`] reads a model and [`query::parse`] asks something of it; [`task`] puts both together. What is not supported is an
//! error with its position: rates of clocks, priorities, games, probabilities, liveness.

mod ast;
pub mod code;
mod compile;
mod lexer;
mod parser;
pub mod query;
mod types;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_expr::Store;
use thetis_model::Task;
use thetis_model::xta::{Network, XtaProperty};

use compile::Names;

/// A model with the names by which queries mention its parts.
#[derive(Clone, Debug)]
pub struct XtaFile {
    /// The network.
    pub network: Network,
    names: Names,
}

/// Reads the model in `file`.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<XtaFile, Reported> {
    let tree = parser::parse(sources, file, diags)?;
    let (network, names) = compile::compile(&tree, diags)?;
    Ok(XtaFile { network, names })
}

/// The task to decide `property` of `network`.
pub fn task(network: Network, property: XtaProperty) -> Task<Network> {
    Task { store: Store::new(), model: network, property }
}
