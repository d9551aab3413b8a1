//! Which variables look as if they said where control goes.

use std::collections::{BTreeMap, BTreeSet};

use thetis_expr::{ExprId, Store, VarId};

use crate::cfa::{Cfa, StmtKind};

/// No more candidates are tried than these.
const MAX_CANDIDATES: usize = 12;

#[derive(Default)]
struct Use {
    /// The values that are assigned.
    literals: BTreeSet<ExprId>,
    num_literal_assignments: usize,
    num_other_assignments: usize,
    /// The conditions about this variable alone.
    tests: BTreeSet<ExprId>,
}

impl Use {
    fn is_control(&self) -> bool {
        self.literals.len() > 1
            && self.num_literal_assignments > self.num_other_assignments
            && self.tests.len() > 1
    }
}

/// The variables that mostly get literals and are compared with others, those with most conditions first.
pub(super) fn candidates(store: &Store, cfa: &Cfa) -> Vec<VarId> {
    let mut uses: BTreeMap<VarId, Use> = BTreeMap::new();
    for stmt in cfa.edges.iter().flat_map(|edge| edge.stmt.walk()) {
        match &stmt.kind {
            StmtKind::Assign(var, expr) if store.is_literal(*expr) => {
                let entry = uses.entry(*var).or_default();
                entry.literals.insert(*expr);
                entry.num_literal_assignments += 1;
            }
            // A copy of another control variable is as good as a literal.
            StmtKind::Assign(_, expr) if store.as_var(*expr).is_some() => {}
            StmtKind::Assign(var, _) | StmtKind::Havoc(var) => {
                uses.entry(*var).or_default().num_other_assignments += 1;
            }
            StmtKind::Assume(formula) => {
                for conjunct in store.conjuncts(*formula) {
                    if let [var] = store.vars_of([conjunct])[..] {
                        uses.entry(var).or_default().tests.insert(conjunct);
                    }
                }
            }
            StmtKind::Seq(_) | StmtKind::Choice(_) => {}
        }
    }
    let mut controlling: Vec<(VarId, Use)> = uses.into_iter().filter(|(_, uses)| uses.is_control()).collect();
    controlling.sort_by_key(|(var, uses)| (std::cmp::Reverse(uses.tests.len()), *var));
    controlling.truncate(MAX_CANDIDATES);
    controlling.into_iter().map(|(var, _)| var).collect()
}
