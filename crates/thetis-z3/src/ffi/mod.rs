//! The foreign part: everything that is unsafe in Thetis is in this module.
//!
//! Its items are safe to use. Z3's reference counts are kept by owning handles ([`Term`], [`RawSolver`], [`Model`]),
//! each of which holds its [`Context`] alive; error codes become [`SolverError`](thetis_solver::SolverError)s.
//!
//! # Invariants
//! * A handle owns exactly one reference of the object it points to, and the object belongs to the context it holds.
//! * Handles are neither `Send` nor `Sync`, so a context is used by one thread at a time. The one exception is
//!   `Interrupter`, whose only operation Z3 allows from any thread.

mod api;
mod context;
mod solver;
mod term;

pub(crate) use api::Binary;
pub(crate) use context::Context;
pub(crate) use solver::{Model, RawSolver, Satisfiable, SolverKind};
pub(crate) use term::{Shape, Term};
