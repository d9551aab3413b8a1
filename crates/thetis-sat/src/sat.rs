//! The interface of SAT solvers.

use crate::{Lit, Var};

/// The outcome of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatAnswer {
    /// There is a model; [`Sat::value`] reads it.
    Sat,
    /// There is none; [`Sat::in_core`] reports which assumptions suffice for that.
    Unsat,
    /// The run had to stop.
    Interrupted,
    /// The solver says that there is none, but its proof is wrong. Only solvers whose proofs are checked answer this.
    Unproved,
}

/// An incremental SAT solver with assumptions.
pub trait Sat {
    /// A new variable.
    fn new_var(&mut self) -> Var;

    /// Adds a clause. The solver stays usable if there is no model any more.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Whether the clauses have a model in which all assumptions hold.
    fn solve(&mut self, assumptions: &[Lit]) -> SatAnswer;

    /// Whether `literal` is true in the model; meaningful after [`SatAnswer::Sat`] until the next question.
    fn value(&self, literal: Lit) -> bool;

    /// Whether `assumption` belongs to the core; meaningful after [`SatAnswer::Unsat`] until the next question.
    fn in_core(&self, assumption: Lit) -> bool;
}
