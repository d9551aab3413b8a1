//! The contents of a script.

use thetis_base::Span;
use thetis_expr::{ExprId, Store, VarId};

use crate::horn::Clauses;

/// A script that was read.
pub enum Input {
    /// A conjunction of assertions.
    Script(Script),
    /// Constrained Horn clauses.
    Clauses(Clauses),
}

/// A conjunction of assertions about declared constants.
#[derive(Clone)]
pub struct Script {
    /// The owner of the terms.
    pub store: Store,
    /// The logic that the script names.
    pub logic: Option<String>,
    /// The declared constants, in order.
    pub constants: Vec<VarId>,
    /// The assertions, in order.
    pub assertions: Vec<Assertion>,
    /// The indices of the assertions in the first part of `get-interpolants`, if the script has that command.
    pub first_part: Option<Vec<usize>>,
}

/// An asserted formula.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What is asserted.
    pub formula: ExprId,
    /// Its `:named` attribute.
    pub name: Option<String>,
    /// Where it is asserted.
    pub span: Span,
}
