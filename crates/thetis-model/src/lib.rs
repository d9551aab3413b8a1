//! Models, properties, verdicts, evidence, passes and their lifts.
//!
//! A front end produces a [`Task`]: a model, the store of its terms and one property. Engines answer with a
//! [`Verdict`] that carries its evidence. A [`Pass`] changes a model and brings the way back with it, so that evidence
//! found on the changed model becomes evidence on the original one.

mod assumption;
pub mod cfa;
mod chain;
mod pass;
pub mod petri;
pub mod sts;
mod task;
mod verdict;
pub mod xta;

pub use assumption::{Assumption, Weight};
pub use chain::{Chain, SamePass};
pub use pass::{Lift, Pass, Passed};
pub use task::{Model, Task};
pub use verdict::{Evidence, Reason, Verdict};
