//! Satisfiability of Boolean formulas.
//!
//! [`Sat`] is the interface that bit-level engines need: clauses, assumptions, values and cores. [`BatSat`] is the back end, and [`ProvedSat`] is the same with its proofs followed by a [checker](ClausalChecker) of
//! our own. [`Encoder`] turns Boolean terms into clauses, and [`SatFactory`] gives all of it the interface of [`thetis_solver`], so that engines for terms run on a SAT solver where all variables are Boolean.

mod bat;
mod clausal;
mod encode;
mod literal;
mod proved;
mod sat;
mod solver;

pub use bat::BatSat;
pub use clausal::{ClausalChecker, ProofStep};
pub use encode::{Encoder, NotBoolean, is_boolean};
pub use literal::{Lit, Var};
pub use proved::ProvedSat;
pub use sat::{Sat, SatAnswer};
pub use solver::{ProvedSatFactory, SatFactory};
