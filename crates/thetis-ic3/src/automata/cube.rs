//! Conjunctions of literals over the variables of an automaton.

use thetis_expr::{ExprId, Store, VarId};

/// A conjunction of distinct literals, ordered by id. The empty cube contains every state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Cube {
    literals: Vec<ExprId>,
}

impl Cube {
    pub(super) fn new(literals: impl IntoIterator<Item = ExprId>) -> Cube {
        let mut literals: Vec<ExprId> = literals.into_iter().collect();
        literals.sort();
        literals.dedup();
        Cube { literals }
    }

    pub(super) fn literals(&self) -> &[ExprId] {
        &self.literals
    }

    pub(super) fn len(&self) -> usize {
        self.literals.len()
    }

    /// Whether it contains every state.
    pub(super) fn is_everything(&self) -> bool {
        self.literals.is_empty()
    }

    /// Whether `other` has all literals of this cube, so that this cube contains it.
    pub(super) fn contains(&self, other: &Cube) -> bool {
        let mut rest = other.literals.iter();
        self.len() <= other.len() && self.literals.iter().all(|literal| rest.any(|other| other == literal))
    }

    pub(super) fn without(&self, literal: ExprId) -> Cube {
        Cube { literals: self.literals.iter().copied().filter(|other| *other != literal).collect() }
    }

    /// The cube with `new` in place of `literal`.
    pub(super) fn with_replaced(&self, literal: ExprId, new: ExprId) -> Cube {
        Cube::new(self.literals.iter().map(|other| if *other == literal { new } else { *other }))
    }

    /// The negation of the cube: a clause.
    pub(super) fn clause(&self, store: &Store) -> ExprId {
        store.or_all(self.literals.iter().map(|literal| store.not(*literal)))
    }

    pub(super) fn vars(&self, store: &Store) -> Vec<VarId> {
        store.vars_of(self.literals.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;

    use super::*;

    #[test]
    fn fewer_literals_contain_more_states() {
        let store = Store::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| store.var(name, Sort::Bool));
        let small = Cube::new([c, a, a]);
        assert_eq!(small.len(), 2);
        assert!(small.contains(&Cube::new([a, b, c])) && !small.contains(&Cube::new([a, b])));
        assert!(Cube::new([]).contains(&small) && Cube::new([]).is_everything());
        assert_eq!(small.without(c), Cube::new([a]));
        assert_eq!(small.with_replaced(c, b), Cube::new([a, b]));
        assert_eq!(small.clause(&store), store.or(store.not(a), store.not(c)));
    }
}
