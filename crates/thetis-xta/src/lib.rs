//! Front end for timed automata: UPPAAL's language as text (`.xta`, `.ta`) and in the files of its editor (`.xml`), its queries, and
//! TChecker's format (`.tck`).
//!
//! [`parse`], [`uppaal::parse`] and [`tchecker::parse`] read a model, and [`query::parse`] reads a question about it; [`task`] combines both. What
//! is not supported is an error with its position: rates of clocks, games, probabilities. [`print`] writes a model as `.xta`.

mod ast;
pub mod code;
mod compile;
mod lexer;
mod parser;
mod print;
pub mod query;
pub mod tchecker;
mod text;
pub mod trace;
mod types;
pub mod uppaal;

use std::rc::Rc;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_expr::Store;
use thetis_model::Task;
use thetis_model::xta::{Network, XtaProperty};

use ast::File;
use compile::Names;
pub use print::print;
use text::Text;

/// A model with the names by which queries mention its parts.
#[derive(Clone, Debug)]
pub struct XtaFile {
    /// The network.
    pub network: Network,
    names: Names,
    queries: Vec<Text>,
    tree: XtaTree,
}

/// A model as it is written; see [`print`].
#[derive(Clone, Debug)]
pub struct XtaTree(Rc<File>);

impl XtaFile {
    /// The model as it is written.
    pub fn tree(&self) -> XtaTree {
        self.tree.clone()
    }

    /// How many queries the file has; see [`query::parse_own`].
    pub fn num_queries(&self) -> usize {
        self.queries.len()
    }
}

/// Reads the model in `file`.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<XtaFile, Reported> {
    let tree = parser::parse(&Text::of_file(sources, file), diags)?;
    let (network, names) = compile::compile(&tree, diags)?;
    Ok(XtaFile { network, names, queries: Vec::new(), tree: XtaTree(Rc::new(tree)) })
}

/// The task to decide `property` of `network`.
pub fn task(network: Network, property: XtaProperty) -> Task<Network> {
    Task { store: Store::new(), model: network, property }
}
