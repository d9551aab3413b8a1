//! Any SMT-LIB 2.6 solver as a child process.
//!
//! [`SmtlibConfig`] says which program to start and how; [`SmtlibFactory`] starts solvers of it. Commands are gathered
//! and sent with the next query, so that assertions cost no round trip.
//!
//! # Limits and crashes
//! A query that exceeds its limit, or whose run must stop, is ended by killing the process group: that works whatever
//! the solver is doing. The solver stays usable, because the commands in force are kept as text and sent to a new
//! process with the next query. A process that ends by itself is [`SolverError::Died`](thetis_solver::SolverError)
//! with the last line of its standard error. A process survives a crash of Thetis only while it is computing: it reads
//! the end of its input then.
//!
//! # Questions ahead
//! A question can be sent while the process still works on earlier ones, and its answer be read later: see `ahead.rs`.
//!
//! # Where SMT-LIB is narrower than our traits
//! Assumptions that are no literals get proxies (see [`Script`](thetis_solver::Script)). Limits of steps are ignored,
//! as SMT-LIB has no unit for them that all solvers know.

mod ahead;
mod answers;
mod config;
mod horn;
mod process;
mod solver;

pub use config::SmtlibConfig;
pub use horn::HornProcess;
pub use solver::{SmtlibFactory, SmtlibSolver};
