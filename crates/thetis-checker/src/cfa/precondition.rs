//! Weakest preconditions of statements.
//!
//! `wp(stmt, post)` holds in the states from which every execution of `stmt` that is not blocked ends in `post`:
//!
//! | statement | wp |
//! |---|---|
//! | `x := e` | `post[x := e]` |
//! | `assume p` | `p imply post` |
//! | `havoc x` | `post[x := c]` for a fresh `c` |
//! | `s; t` | `wp(s, wp(t, post))` |
//! | choice | `wp` of each branch towards a [`Goal`] |
//!
//! # Constants
//! The fresh constants stand for universally quantified variables: a result `w` means `∀c. w`, and is used only to ask
//! whether it is valid, that is, whether its negation is unsatisfiable. No quantifiers are needed, because all of them
//! can be moved to the front:
//! * assignments and assumptions are over variables of the model, so no constant is captured;
//! * a conjunction of two formulas with common constants means what it should, since `∀c. (v ∧ w)` is
//!   `(∀c. v) ∧ (∀c. w)`;
//! * a disjunction of two formulas with constants is built for a shared [`Goal`] only. The only constants that its two
//!   sides share are those of the goal, which are bound for both. All other constants of one side were introduced for a
//!   statement on the way to the goal, and those of the other side were introduced earlier, for what comes after the
//!   goal.
//!
//! # Goals
//! Applying the table to a formula that is needed on several paths (the branches of a choice, the edges into a location)
//! would copy the formula for each of them, and the result would be exponentially large (Flanagan and Saxe 2001). A shared
//! [`Goal`] contains the formula only once: with the variables `x` that the paths change and fresh constants `c`,
//!
//! `wp(stmt, post)  =  ∀c. wp(stmt, x ≠ c) ∨ post[x := c]`,
//!
//! since either no execution of `stmt` ends with `c` in `x`, or `c` has to satisfy `post`.

use std::collections::BTreeSet;

use thetis_expr::{ExprId, Store, Value, VarId};
use thetis_model::cfa::{Cfa, Stmt, StmtKind};

use super::occurrences::Occurrences;

/// A formula to arrive at.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// On one path only.
    Once(ExprId),
    /// On several paths.
    Shared {
        /// The formula, with constants in place of the variables that differ between the paths.
        formula: ExprId,
        /// Says that one of these variables differs from its constant; `false` if there are none.
        differs: ExprId,
    },
}

/// Builds weakest preconditions for one automaton.
pub(super) struct Precondition<'t> {
    store: &'t Store,
    occurrences: Occurrences,
}

impl<'t> Precondition<'t> {
    pub(super) fn new(store: &'t Store, cfa: &Cfa) -> Precondition<'t> {
        Precondition { store, occurrences: Occurrences::new(&cfa.vars) }
    }

    /// The weakest precondition of `stmt` for `post`.
    pub(super) fn of(&mut self, stmt: &Stmt, post: ExprId) -> ExprId {
        match &stmt.kind {
            StmtKind::Assign(var, expr) => self.occurrences.replace(self.store, post, &[(*var, *expr)]),
            StmtKind::Assume(formula) => self.store.implies(*formula, post),
            StmtKind::Havoc(var) => {
                let constant = self.constant(*var);
                self.occurrences.replace(self.store, post, &[(*var, constant)])
            }
            StmtKind::Seq(stmts) => stmts.iter().rev().fold(post, |post, stmt| self.of(stmt, post)),
            StmtKind::Choice(stmts) => self.of_choice(stmts, post),
        }
    }

    fn of_choice(&mut self, branches: &[Stmt], post: ExprId) -> ExprId {
        let goal = self.goal(post, branches.len(), &changed_by(branches));
        let needed: Vec<ExprId> = branches.iter().map(|branch| self.towards(branch, goal)).collect();
        self.store.and_all(needed)
    }

    /// `post` as a goal of this many paths, which change no variables other than `changed`.
    pub(super) fn goal(&mut self, post: ExprId, num_ways: usize, changed: &BTreeSet<VarId>) -> Goal {
        if num_ways <= 1 {
            return Goal::Once(post);
        }
        let vars = self.occurrences.among(self.store, post, changed);
        let renaming: Vec<(VarId, ExprId)> = vars.into_iter().map(|var| (var, self.constant(var))).collect();
        let differs =
            renaming.iter().map(|(var, constant)| self.store.ne(self.store.var_expr(*var), *constant));
        let differs = self.store.or_all(differs);
        Goal::Shared { formula: self.occurrences.replace(self.store, post, &renaming), differs }
    }

    /// `formula` in states where variables have these values.
    pub(super) fn with_values(&mut self, formula: ExprId, values: &[(VarId, Value)]) -> ExprId {
        let may_occur = self.occurrences.filter(self.store, formula);
        let values = values.iter().filter(|(var, _)| may_occur(*var));
        let literals: Vec<(VarId, ExprId)> =
            values.map(|(var, value)| (*var, self.store.literal(value.clone()))).collect();
        self.occurrences.replace(self.store, formula, &literals)
    }

    /// The weakest precondition of `stmt` for `goal`. What different statements need for one goal may only be conjoined.
    pub(super) fn towards(&mut self, stmt: &Stmt, goal: Goal) -> ExprId {
        match goal {
            Goal::Once(post) => self.of(stmt, post),
            Goal::Shared { formula, differs } => self.store.or(self.of(stmt, differs), formula),
        }
    }

    fn constant(&self, var: VarId) -> ExprId {
        self.store.var_expr(self.store.declare_fresh("any", self.store.var_sort(var)))
    }
}

/// The variables that some of `stmts` gives a value.
pub(super) fn changed_by<'s>(stmts: impl IntoIterator<Item = &'s Stmt>) -> BTreeSet<VarId> {
    let changed = stmts.into_iter().flat_map(Stmt::walk).filter_map(|stmt| match &stmt.kind {
        StmtKind::Assign(var, _) | StmtKind::Havoc(var) => Some(*var),
        _ => None,
    });
    changed.collect()
}
