//! Abstract interpretation of automata: cheap proofs, and facts for other engines.
//!
//! The analysis itself is a part of `thetis-model`, where a pass needs it: [`RangeMap`] has the facts. The engine
//! [`Intervals`] proves what they alone can prove.

mod intervals;

pub use intervals::Intervals;
pub use thetis_model::cfa::ranges::RangeMap;
