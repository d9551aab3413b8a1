//! Z3 in process, loaded at run time.
//!
//! [`Z3Factory`] starts solvers; each is an incremental [`CoreSolver`](thetis_solver::CoreSolver) with its own
//! translation of terms, which survives `push` and `pop`. The shared library is loaded by the first start (`ffi::api`),
//! and the solvers of one thread share a context (`ffi::context`), because making one costs milliseconds.
//!
//! ```no_run
#![doc = include_str!("../tests/first_query.rs")]
//! ```
//!
//! # Choices
//! * **Strategy.** The default is Z3's incremental core ([`Strategy::Incremental`]), the best over all sorts; the logics
//!   `QF_LIA` and `QF_BV` are twice as quick on assumed literals, `QF_BV` much slower on assumed formulas
//!   (`cargo bench -p thetis-z3`, `docs/decisions/0002-solver-interface.md`).
//! * **Limits.** A query is ended by `Z3_interrupt`, called by the watchdog of the run every 5 ms once the run must
//!   stop or the time limit of the query is over. Z3's own timer is not used: it starts a thread per query.
//! * **Division.** SMT-LIB leaves `x div 0` open; our terms do not, so divisors that could be zero are guarded.
//! * **Depth.** Translation keeps its own stack, and Z3 5.3 treats deep terms without recursion (tested with a
//!   million levels), so nothing is cut into definitions.

mod eliminate;
#[allow(unsafe_code, reason = "this module is the boundary to Z3; it exports safe handles")]
mod ffi;
mod horn;
mod model;
mod prove;
mod solver;
mod translate;

pub use eliminate::Z3Eliminator;
pub use horn::{GLOBAL_GUIDANCE, SPACER_OPTIONS, Z3Horn, evaluate_script};
pub use prove::{Equivalence, prove_equivalent_smtlib};
pub use solver::{Strategy, Z3Config, Z3Factory, Z3Solver};
