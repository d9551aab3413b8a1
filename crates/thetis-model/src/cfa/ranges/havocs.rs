//! Which values a havoc can give, by the assumptions right after it.
//!
//! Front ends write an input of a machine type as `havoc x` and `assume low <= x and x <= high`. Symbolic execution invents
//! a variable for the havoc, and whoever needs a finite range for it finds it here.

use thetis_expr::{Store, VarId};

use super::fixpoint::Transfer;
use super::state::State;
use super::{Range, RangeMap};
use crate::cfa::{Stmt, StmtKind};

impl RangeMap {
    /// The values of each havoc in `stmt`, in the order in which symbolic execution records them.
    pub fn of_havocs(&self, store: &Store, stmt: &Stmt) -> Vec<Range> {
        let mut found = Vec::new();
        self.collect_havocs(store, stmt, &mut found);
        found
    }

    fn collect_havocs(&self, store: &Store, stmt: &Stmt, found: &mut Vec<Range>) {
        let mut parts = Vec::new();
        flatten(stmt, &mut parts);
        for (at, part) in parts.iter().enumerate() {
            match &part.kind {
                StmtKind::Havoc(var) => found.push(self.after_havoc(store, *var, &parts[at + 1..])),
                StmtKind::Choice(branches) => {
                    branches.iter().for_each(|branch| self.collect_havocs(store, branch, found));
                }
                StmtKind::Assign(..) | StmtKind::Assume(_) | StmtKind::Seq(_) => {}
            }
        }
    }

    /// What the assumptions at the start of `rest` leave of the values of `var`.
    fn after_havoc(&self, store: &Store, var: VarId, rest: &[&Stmt]) -> Range {
        let transfer = Transfer { store, positions: &self.positions };
        let is_part = |stmt: &&&Stmt| match &stmt.kind {
            StmtKind::Assume(_) => true,
            StmtKind::Havoc(other) => *other != var,
            StmtKind::Assign(..) | StmtKind::Seq(_) | StmtKind::Choice(_) => false,
        };
        let unknown = State::unknown(self.vars.len());
        let end =
            rest.iter().take_while(is_part).try_fold(unknown, |state, stmt| transfer.execute(state, stmt));
        let range = end.and_then(|state| state.get(self.positions[&var]).map(|range| (**range).clone()));
        range.unwrap_or_else(|| Range::all(store.var_sort(var)))
    }
}

/// The statement as a sequence without sequences in it.
fn flatten<'s>(stmt: &'s Stmt, parts: &mut Vec<&'s Stmt>) {
    match &stmt.kind {
        StmtKind::Seq(stmts) => stmts.iter().for_each(|stmt| flatten(stmt, parts)),
        _ => parts.push(stmt),
    }
}
