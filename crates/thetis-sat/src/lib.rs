//! Satisfiability of Boolean formulas.
//!
//! [`Sat`] is what bit-level engines ask of a SAT solver: clauses, assumptions, values and cores. [`BatSat`] is the
//! back end. [`Encoder`] turns Boolean terms into clauses, and [`SatFactory`] puts all of it behind the interface of
//! [`thetis_solver`], so that engines for terms run on a SAT solver where all variables are Boolean.

mod bat;
mod encode;
mod literal;
mod sat;
mod solver;

pub use bat::BatSat;
pub use encode::{Encoder, NotBoolean, is_boolean};
pub use literal::{Lit, Var};
pub use sat::{Outcome, Sat};
pub use solver::SatFactory;
