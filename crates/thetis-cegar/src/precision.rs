//! From formulas to what a domain tracks.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use thetis_expr::{ExprId, Op, Sort, Store, VarId};

use crate::config::PredSplit;
use crate::domain::predicates::{PredicateTable, Predicates};

/// Adds to a precision what a formula at a location asks for.
pub(crate) trait Learn<P> {
    /// Tracks more at a point whose formula is `formula`.
    fn learn(&mut self, precision: &mut P, formula: ExprId);
}

/// Formulas become predicates.
pub(crate) struct LearnPredicates<'s> {
    /// The owner of terms.
    pub(crate) store: &'s Store,
    /// The predicates.
    pub(crate) table: Rc<RefCell<PredicateTable>>,
    /// How formulas are split.
    pub(crate) split: PredSplit,
}

impl Learn<Predicates> for LearnPredicates<'_> {
    fn learn(&mut self, precision: &mut Predicates, formula: ExprId) {
        let parts = match self.split {
            PredSplit::Whole => vec![formula],
            PredSplit::Conjuncts => self.store.conjuncts(formula),
            PredSplit::Atoms => atoms(self.store, formula),
        };
        let mut table = self.table.borrow_mut();
        precision.extend(parts.into_iter().filter_map(|part| table.add(self.store, part)));
    }
}

/// The variables of formulas are tracked.
pub(crate) struct LearnVariables<'s> {
    /// The owner of terms.
    pub(crate) store: &'s Store,
}

impl Learn<BTreeSet<VarId>> for LearnVariables<'_> {
    fn learn(&mut self, precision: &mut BTreeSet<VarId>, formula: ExprId) {
        precision.extend(self.store.vars_of([formula]));
    }
}

/// The Boolean terms below the connectives of `formula`.
fn atoms(store: &Store, formula: ExprId) -> Vec<ExprId> {
    let mut atoms = BTreeSet::new();
    let mut pending = vec![formula];
    while let Some(part) = pending.pop() {
        let args = store.args(part);
        let is_connective = matches!(store.op(part), Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite | Op::Eq)
            && args.iter().all(|arg| store.sort(*arg) == Sort::Bool);
        if is_connective {
            pending.extend(args);
        } else {
            atoms.insert(part);
        }
    }
    atoms.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_split_as_the_document_says() {
        let store = Store::new();
        let [p, q, r] = ["p", "q", "r"].map(|name| store.var(name, Sort::Bool));
        let formula = store.and(p, store.or(q, store.not(r)));
        let count = |split| {
            let table = Rc::new(RefCell::new(PredicateTable::default()));
            let mut precision = Predicates::new();
            LearnPredicates { store: &store, table, split }.learn(&mut precision, formula);
            precision.len()
        };
        assert_eq!(count(PredSplit::Whole), 1);
        assert_eq!(count(PredSplit::Conjuncts), 2);
        assert_eq!(count(PredSplit::Atoms), 3);
    }
}
