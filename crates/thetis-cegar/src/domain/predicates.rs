//! Predicates, and sets of predicate literals.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, define_index_type};
use thetis_expr::{ExprId, Op, Store};

define_index_type! {
    /// A predicate of a [`PredicateTable`].
    pub struct PredId = u32;
}

/// The predicates in use. A formula and its negation are one predicate.
#[derive(Clone, Default, Debug)]
pub struct PredicateTable {
    formulas: IndexVec<PredId, ExprId>,
    ids: BTreeMap<ExprId, PredId>,
}

/// A set of predicates: what predicate domains track at a location.
pub type Predicates = BTreeSet<PredId>;

impl PredicateTable {
    /// The predicate of `formula`; `None` for `true` and `false`, which say nothing.
    pub fn add(&mut self, store: &Store, formula: ExprId) -> Option<PredId> {
        if store.is_literal(formula) {
            return None;
        }
        let positive = if store.op(formula) == Op::Not { store.arg(formula, 0) } else { formula };
        let formulas = &mut self.formulas;
        Some(*self.ids.entry(positive).or_insert_with(|| formulas.push(positive)))
    }

    /// The formula of a predicate.
    pub fn formula(&self, predicate: PredId) -> ExprId {
        self.formulas[predicate]
    }

    /// The number of predicates.
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }
}

/// A conjunction of predicates and negated predicates, as two bit sets. The empty one is `true`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Cube {
    positive: Bits,
    negative: Bits,
}

impl Cube {
    /// `true`.
    pub fn new() -> Cube {
        Cube::default()
    }

    /// Adds a literal.
    pub fn insert(&mut self, predicate: PredId, holds: bool) {
        if holds { self.positive.insert(predicate.index()) } else { self.negative.insert(predicate.index()) }
    }

    /// What the cube says about a predicate, if anything.
    pub fn get(&self, predicate: PredId) -> Option<bool> {
        match (self.positive.contains(predicate.index()), self.negative.contains(predicate.index())) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// Whether all literals of `self` are among those of `other`, so that `other` implies `self`.
    pub fn covers(&self, other: &Cube) -> bool {
        self.positive.is_subset(&other.positive) && self.negative.is_subset(&other.negative)
    }

    /// The formulas of the literals.
    pub fn literals(&self, store: &Store, table: &PredicateTable) -> Vec<ExprId> {
        let positive = self.positive.iter().map(|index| table.formula(PredId::new(index)));
        let negative = self.negative.iter().map(|index| store.not(table.formula(PredId::new(index))));
        positive.chain(negative).collect()
    }

    /// The conjunction of the literals.
    pub fn formula(&self, store: &Store, table: &PredicateTable) -> ExprId {
        store.and_all(self.literals(store, table))
    }
}

/// A set of small numbers. Invariant: the last word is not zero, so that equal sets are equal values.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
struct Bits {
    words: Vec<u64>,
}

impl Bits {
    fn insert(&mut self, index: usize) {
        let (word, bit) = (index / 64, index % 64);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
    }

    fn contains(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    fn is_subset(&self, other: &Bits) -> bool {
        self.words.len() <= other.words.len()
            && self.words.iter().zip(&other.words).all(|(ours, theirs)| ours & !theirs == 0)
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.words.len() * 64).filter(|index| self.contains(*index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use thetis_expr::Sort;

    #[test]
    fn a_formula_and_its_negation_are_one_predicate() {
        let store = Store::new();
        let mut table = PredicateTable::default();
        let p = store.var("p", Sort::Bool);
        assert_eq!(table.add(&store, p), table.add(&store, store.not(p)));
        assert_eq!(table.add(&store, store.tru()), None);
        assert_eq!(table.len(), 1);
    }

    #[test]
    fn fewer_literals_cover_more() {
        let cube = |literals: &[(usize, bool)]| {
            let mut cube = Cube::new();
            literals.iter().for_each(|(index, holds)| cube.insert(PredId::new(*index), *holds));
            cube
        };
        let (some, more) = (cube(&[(3, true)]), cube(&[(3, true), (70, false)]));
        assert!(some.covers(&more) && !more.covers(&some) && Cube::new().covers(&some));
        assert!(!cube(&[(3, false)]).covers(&some));
        assert_eq!((more.get(PredId::new(70)), more.get(PredId::new(4))), (Some(false), None));
    }
}
