//! Interpolants of contradictory chains, without an interpolating solver.
//!
//! A [`Chain`](thetis_solver::Chain) is an infeasible path as engines see it: a sequence of guarded assignments. An
//! [`Interpolator`](thetis_solver::Interpolator) finds a formula for each point of the chain, so that each implies the
//! next through the step between them. There are several, because none is best everywhere:
//!
//! | name | method | where |
//! |---|---|---|
//! | `newton-wp`, `newton-sp` | weakest preconditions or strongest postconditions of a contradictory core | [`Newton`] |
//! | `farkas` | partial sums of an exact linear certificate | [`Farkas`] |
//! | `clauses` | clauses that exclude the states that lead to the end, by cores | [`Clauses`] |
//! | `horn` | Horn clauses, solved by Spacer, cut at loop heads | [`AtHeads`] around `thetis_z3::Z3Horn` |
//! | `ice` | learning from points | `thetis_ice::IceChains` |
//!
//! For engines that go backwards from a model there are [`implicant`] (from a model to literals) and [`project`] (literals
//! without some variables, around a model).
//!
//! [`InOrder`] tries them one after the other and returns only [verified](verify) results. For most of them the chain
//! is first reduced: [`Unrolled::check`] finds the conditions that contradict each other, and [`slice`] leaves out the
//! others.

mod at_heads;
mod clauses;
mod eliminate;
mod farkas;
mod implicant;
mod in_order;
mod kinds;
mod linear;
mod newton;
mod project;
mod slice;
mod unrolled;
mod verify;

pub use at_heads::AtHeads;
pub use clauses::Clauses;
pub use eliminate::Shortcuts;
pub use farkas::Farkas;
pub use implicant::{Point, implicant};
pub use in_order::{InOrder, InterpolatorStats, Sees};
pub use kinds::{InterpolatorKind, Tools};
pub use linear::Linear;
pub use newton::{Direction, Newton, Vocabulary};
pub use project::{Projected, project};
pub use slice::{Needed, needed, slice};
pub use unrolled::{Conjunct, Feasibility, Unrolled};
pub use verify::verify;
