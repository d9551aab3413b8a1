//! What several tests need.

use thetis_base::{Diagnostics, SourceMap};
use thetis_model::Task;
use thetis_model::xta::Network;

/// The task of asking `query` about the model `text`.
pub(crate) fn task(text: &str, query: &str) -> Task<Network> {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("model.xta", text);
    let question = sources.add("query", query);
    let read = thetis_xta::parse(&sources, file, &mut diags).and_then(|model| {
        let property = thetis_xta::query::parse(&sources, question, &model, &mut diags)?;
        Ok(thetis_xta::task(model.network, property))
    });
    read.unwrap_or_else(|_| {
        let messages: Vec<&str> = diags.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        panic!("{messages:?} in\n{text}\n{query}")
    })
}
