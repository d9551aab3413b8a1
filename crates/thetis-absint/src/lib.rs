//! Abstract interpretation of automata: cheap proofs, and facts for other engines.
//!
//! The analysis itself is in `thetis-model`, because a pass needs it: [`RangeMap`] holds its facts. The engine
//! [`Intervals`] proves what these facts alone can prove.

mod intervals;

pub use intervals::Intervals;
pub use thetis_model::cfa::ranges::RangeMap;
