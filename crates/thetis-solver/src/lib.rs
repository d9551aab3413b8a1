//! Solver traits, answers, and the wrappers that check and record any solver.
//!
//! The protocol is in the types: a [`Valuation`] borrows the solver that found it, so a stale one cannot be read,
//! and a core is part of the answer that it belongs to. Abilities are separate traits; there is no `supports_x`.
//! Back ends live in other crates; this one knows none.
//!
//! [`Checked`] verifies the answers of any solver, [`Recorded`] counts and times its queries and writes them to a [`QueryLog`] that any SMT-LIB solver replays. A
//! [`JudgeFactory`] starts solvers for the checker of proofs: it prefers checked proofs to bare answers, and asks for a second opinion. A [`GuessFactory`] guesses factors
//! of products before it asks the full query. [`Script`] writes SMT-LIB for that log and for solver processes.

mod answer;
mod asserted;
mod checked;
mod error;
mod fallback;
mod guess;
mod horn;
mod interpolator;
mod judged;
mod log;
mod recorded;
mod script;
mod solver;

pub use answer::{Answer, BareAnswer, CoreAnswer, Reason, Valuation, ValuationSource};
pub use checked::{Checked, CheckedFactory};
pub use error::SolverError;
pub use fallback::FallbackFactory;
pub use guess::GuessFactory;
pub use horn::{HornAnswer, HornClause, HornScript, HornSolver, HornSystem, Neighbour};
pub use interpolator::{Chain, Interpolator, Step};
pub use judged::{Demand, Grounds, JudgeFactory, KeepScript};
pub use log::QueryLog;
pub use recorded::{OpenLog, Recorded, RecordedFactory};
pub use script::{Query, Script};
pub use solver::{CoreSolver, Deferral, Eliminator, Pending, QueryLimit, Solver, SolverFactory};
