//! Constrained Horn clauses: from clauses to an automaton, and from its evidence back to the clauses.
//!
//! A *clause* says: for all values of its variables, if the atoms of its body hold and its constraint is true, then its
//! head holds; without a head there must be no such values. The clauses are satisfiable if there are relations for the
//! predicates that make all of them true. Clauses with at most one atom in their bodies are *linear* and become an
//! automaton: see [`encode`]. Others become an automaton with procedures: see [`encode_trees`]. Predicates that are
//! mere abbreviations are inlined first ([`reduce`]).
//!
//! Evidence about the automaton is translated to the clauses and checked there: a [`Model`] clause by clause with a
//! solver, a [`Refutation`] by evaluating every clause that it uses.

mod assign;
mod automaton;
mod model;
mod normalize;
mod reduce;
mod refutation;
mod solve;
mod trees;

use thetis_base::Span;
use thetis_expr::{ExprId, Sort, Store, VarId};

pub use automaton::{Encoding, encode};
pub use model::{Model, ModelError};
pub(crate) use normalize::normalize;
pub use reduce::{Reduced, reduce};
pub use refutation::{Derived, Refutation, RefutationError};
pub use trees::{TreeEncoding, encode_trees};

/// A system of clauses.
#[derive(Clone)]
pub struct Clauses {
    /// The owner of the terms.
    pub store: Store,
    /// The predicates; atoms name them by their position.
    pub predicates: Vec<Predicate>,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// A predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// The sorts of its arguments.
    pub sorts: Vec<Sort>,
}

/// A predicate applied to terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The position of the predicate in [`Clauses::predicates`].
    pub predicate: usize,
    /// The arguments, of the sorts of the predicate.
    pub args: Vec<ExprId>,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The variables, all universally quantified.
    pub vars: Vec<VarId>,
    /// The atoms of the body.
    pub body: Vec<Atom>,
    /// The rest of the body; without predicates.
    pub constraint: ExprId,
    /// What follows; `None` for falsehood.
    pub head: Option<Atom>,
    /// The assertion that the clause comes from.
    pub span: Span,
}
