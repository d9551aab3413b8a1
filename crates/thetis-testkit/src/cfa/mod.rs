//! Small automata from text or at random, the explicit checker that is their oracle, and a shrinker for failing ones.

mod brute;
mod generator;
mod shrink;

use thetis_base::{Diagnostics, SourceMap};
use thetis_model::cfa::{BlockEncoding, Blocks, Cfa, Prune, Ranges, Slice};
use thetis_model::{Chain, Task};

pub use brute::{Truth, explore, reachable_states};
pub use generator::{INT_VALUES, Shape, random_cfa};
pub use shrink::shrink;

/// All passes whose proofs of every form come home, in the order in which programs go through them.
pub fn all_passes() -> Chain<Cfa> {
    Chain::new(vec![
        Box::new(Prune),
        Box::new(Ranges),
        Box::new(Prune),
        Box::new(Slice),
        Box::new(Blocks { encoding: BlockEncoding::Full, max_size: 100 }),
    ])
}

/// The automaton that `text` is, in the `.cfa` language.
pub fn parse(text: &str) -> Task<Cfa> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.cfa", text);
    let mut diagnostics = Diagnostics::new();
    thetis_text::cfa::parse(&sources, file, &mut diagnostics)
        .unwrap_or_else(|_| panic!("the model should parse: {diagnostics:?}"))
}

/// The automaton of one process with this body.
pub fn process(body: &str) -> Task<Cfa> {
    parse(&format!("main process p {{ {body} }}"))
}
