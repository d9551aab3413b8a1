//! Random small automata, the explicit checker that is their oracle, and a shrinker for failing ones.

mod brute;
mod generator;
mod shrink;

use thetis_model::Chain;
use thetis_model::cfa::{BlockEncoding, Blocks, Cfa, Prune, Ranges, Slice};

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
