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
//! | choice | the conjunction over its branches |
//!
//! The fresh constants stand for universally quantified variables: the result is used only where its validity is asked,
//! or the unsatisfiability of its negation.

use thetis_expr::{ExprId, Store, Substitution, VarId};
use thetis_model::cfa::{Stmt, StmtKind};

/// The weakest precondition, and the constants that it invents.
pub(super) struct Precondition<'s> {
    store: &'s Store,
    constants: Vec<VarId>,
}

impl<'s> Precondition<'s> {
    pub(super) fn new(store: &'s Store) -> Precondition<'s> {
        Precondition { store, constants: Vec::new() }
    }

    /// The constants invented so far.
    pub(super) fn constants(&self) -> &[VarId] {
        &self.constants
    }

    pub(super) fn of(&mut self, stmt: &Stmt, post: ExprId) -> ExprId {
        match &stmt.kind {
            StmtKind::Assign(var, expr) => self.replace(post, *var, *expr),
            StmtKind::Assume(formula) => self.store.implies(*formula, post),
            StmtKind::Havoc(var) => {
                let constant = self.store.declare_fresh("any", self.store.var_sort(*var));
                self.constants.push(constant);
                self.replace(post, *var, self.store.var_expr(constant))
            }
            StmtKind::Seq(stmts) => stmts.iter().rev().fold(post, |post, stmt| self.of(stmt, post)),
            StmtKind::Choice(stmts) => {
                let branches: Vec<ExprId> = stmts.iter().map(|stmt| self.of(stmt, post)).collect();
                self.store.and_all(branches)
            }
        }
    }

    fn replace(&self, formula: ExprId, var: VarId, expr: ExprId) -> ExprId {
        let mut substitution = Substitution::new();
        substitution.insert(self.store, var, expr);
        substitution.apply(self.store, formula)
    }
}
