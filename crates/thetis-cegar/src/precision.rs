//! From lessons to what a domain tracks.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use thetis_expr::{ExprId, Op, Sort, Store, VarId};

use crate::config::{MaxEnum, PredSplit};
use crate::domain::conjunctions::Formulas;
use crate::domain::explicit::TrackedValues;
use crate::domain::predicates::{PredicateTable, Predicates};
use crate::domain::product::ProductPrecision;
use crate::facts::Tracked;
use crate::normal_form::clauses;
use crate::refine::{Effort, Lesson};

/// Adds to a precision what a lesson at a location asks for, and describes precisions independently of the
/// domain.
pub(crate) trait Learn<P> {
    /// Tracks more. Returns whether that was something new.
    fn learn(&mut self, precision: &mut P, lesson: &Lesson, effort: Effort) -> bool;

    /// Tracks a bound as a predicate, if there are any. Returns whether that was something new.
    fn bound(&mut self, precision: &mut P, bound: ExprId) -> bool;

    /// Raises the limit on enumerated successors, if there is one and it may grow. Returns whether it did.
    fn widen(&mut self, precision: &mut P) -> bool;

    /// What is tracked.
    fn tracked(&self, precision: &P) -> Tracked;
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

impl LearnPredicates<'_> {
    fn add(&mut self, precision: &mut Predicates, formula: ExprId) -> bool {
        let parts = parts(self.store, formula, self.split);
        let mut table = self.table.borrow_mut();
        let before = precision.len();
        precision.extend(parts.into_iter().filter_map(|part| table.add(self.store, part)));
        precision.len() > before
    }
}

impl Learn<Predicates> for LearnPredicates<'_> {
    fn learn(&mut self, precision: &mut Predicates, lesson: &Lesson, _: Effort) -> bool {
        match lesson {
            Lesson::Formula(formula) => self.add(precision, *formula),
            Lesson::Variables(_) => false,
        }
    }

    fn bound(&mut self, precision: &mut Predicates, bound: ExprId) -> bool {
        self.add(precision, bound)
    }

    fn widen(&mut self, _: &mut Predicates) -> bool {
        false
    }

    fn tracked(&self, precision: &Predicates) -> Tracked {
        let table = self.table.borrow();
        let predicates = precision.iter().map(|predicate| table.formula(*predicate)).collect();
        Tracked { variables: BTreeSet::new(), predicates }
    }
}

/// Formulas are tracked as they are; atoms also with their negations, which the domain does not track
/// otherwise.
pub(crate) struct LearnFormulas<'s> {
    /// The owner of terms.
    pub(crate) store: &'s Store,
    /// How formulas are split.
    pub(crate) split: PredSplit,
}

impl Learn<Formulas> for LearnFormulas<'_> {
    fn learn(&mut self, precision: &mut Formulas, lesson: &Lesson, _: Effort) -> bool {
        let Lesson::Formula(formula) = lesson else { return false };
        let before = precision.len();
        for part in parts(self.store, *formula, self.split) {
            precision.extend((!self.store.is_literal(part)).then_some(part));
            precision.extend((self.split == PredSplit::Atoms).then(|| self.store.not(part)));
        }
        precision.len() > before
    }

    fn bound(&mut self, _: &mut Formulas, _: ExprId) -> bool {
        false
    }

    fn widen(&mut self, _: &mut Formulas) -> bool {
        false
    }

    fn tracked(&self, precision: &Formulas) -> Tracked {
        Tracked { variables: BTreeSet::new(), predicates: precision.clone() }
    }
}

/// The variables of formulas are tracked.
pub(crate) struct LearnVariables<'s> {
    /// The owner of terms.
    pub(crate) store: &'s Store,
    /// How many successors are enumerated.
    pub(crate) max_enum: MaxEnum,
}

/// The greatest limit of enumeration that is chosen automatically.
const MAX_LIMIT: u32 = 256;

impl Learn<TrackedValues> for LearnVariables<'_> {
    fn learn(&mut self, precision: &mut TrackedValues, lesson: &Lesson, _: Effort) -> bool {
        let before = precision.variables.len();
        match lesson {
            Lesson::Formula(formula) => precision.variables.extend(self.store.vars_of([*formula])),
            Lesson::Variables(vars) => precision.variables.extend(vars),
        }
        precision.variables.len() > before
    }

    fn bound(&mut self, _: &mut TrackedValues, _: ExprId) -> bool {
        false
    }

    fn widen(&mut self, precision: &mut TrackedValues) -> bool {
        widen(self.max_enum, precision)
    }

    fn tracked(&self, precision: &TrackedValues) -> Tracked {
        Tracked { variables: precision.variables.clone(), predicates: BTreeSet::new() }
    }
}

/// Doubles a limit that is chosen automatically.
fn widen(max_enum: MaxEnum, tracked: &mut TrackedValues) -> bool {
    let grows = max_enum == MaxEnum::Auto && tracked.limit < MAX_LIMIT;
    if grows {
        tracked.limit *= 2;
    }
    grows
}

/// Variables that are only compared with literals are tracked by value, as are floats, whose predicates are hard for
/// solvers; everything else is tracked by predicates. If that does not help ([`Effort::More`]), the formula becomes a
/// predicate as well.
pub(crate) struct LearnBoth<'s> {
    /// The part for predicates.
    pub(crate) predicates: LearnPredicates<'s>,
    /// How many successors are enumerated.
    pub(crate) max_enum: MaxEnum,
}

impl Learn<ProductPrecision> for LearnBoth<'_> {
    fn learn(&mut self, precision: &mut ProductPrecision, lesson: &Lesson, effort: Effort) -> bool {
        let before = precision.values.variables.len();
        let formula = match lesson {
            Lesson::Formula(formula) => *formula,
            Lesson::Variables(vars) => {
                precision.values.variables.extend(vars);
                return precision.values.variables.len() > before;
            }
        };
        let store = self.predicates.store;
        let mut is_by_value = true;
        for atom in atoms(store, formula) {
            let vars = valued_variables(store, atom);
            is_by_value &= !vars.is_empty();
            precision.values.variables.extend(vars);
        }
        let wants_predicate = effort == Effort::More || !is_by_value;
        let has_new_predicate = wants_predicate && self.predicates.add(&mut precision.predicates, formula);
        precision.values.variables.len() > before || has_new_predicate
    }

    fn bound(&mut self, precision: &mut ProductPrecision, bound: ExprId) -> bool {
        self.predicates.add(&mut precision.predicates, bound)
    }

    fn widen(&mut self, precision: &mut ProductPrecision) -> bool {
        widen(self.max_enum, &mut precision.values)
    }

    fn tracked(&self, precision: &ProductPrecision) -> Tracked {
        let predicates = self.predicates.tracked(&precision.predicates).predicates;
        Tracked { variables: precision.values.variables.clone(), predicates }
    }
}

/// The variables of an atom if they are better tracked by value: it compares one with a literal, is one, or is about
/// floats.
fn valued_variables(store: &Store, atom: ExprId) -> Vec<VarId> {
    let vars = store.vars_of([atom]);
    let is_comparison = match store.op(atom) {
        Op::Var(_) => true,
        Op::Eq => {
            let (left, right) = (store.arg(atom, 0), store.arg(atom, 1));
            let sides = |var: ExprId, value: ExprId| store.as_var(var).is_some() && store.is_literal(value);
            sides(left, right) || sides(right, left)
        }
        _ => false,
    };
    let is_about_floats = vars.iter().any(|var| matches!(store.var_sort(*var), Sort::Float(_)));
    if is_comparison || is_about_floats { vars } else { Vec::new() }
}

/// What is tracked of a formula.
fn parts(store: &Store, formula: ExprId, split: PredSplit) -> Vec<ExprId> {
    match split {
        PredSplit::Auto | PredSplit::Whole => vec![formula],
        PredSplit::Conjuncts => store.conjuncts(formula),
        PredSplit::Clauses => clauses(store, formula).unwrap_or_else(|| store.conjuncts(formula)),
        PredSplit::Atoms => atoms(store, formula),
    }
}

/// The Boolean terms below the connectives of `formula`.
fn atoms(store: &Store, formula: ExprId) -> Vec<ExprId> {
    let mut atoms = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut pending = vec![formula];
    while let Some(part) = pending.pop() {
        let args = store.args(part);
        let is_connective = matches!(store.op(part), Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite | Op::Eq)
            && args.iter().all(|arg| store.sort(*arg) == Sort::Bool);
        if !is_connective {
            atoms.insert(part);
        } else if seen.insert(part) {
            pending.extend(args);
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
            let mut learn = LearnPredicates { store: &store, table, split };
            let lesson = Lesson::Formula(formula);
            assert!(learn.learn(&mut precision, &lesson, Effort::Usual));
            assert!(!learn.learn(&mut precision, &lesson, Effort::Usual), "nothing is new");
            precision.len()
        };
        assert_eq!(count(PredSplit::Whole), 1);
        assert_eq!(count(PredSplit::Conjuncts), 2);
        assert_eq!(count(PredSplit::Clauses), 2);
        assert_eq!(count(PredSplit::Atoms), 3);
    }

    #[test]
    fn the_product_tracks_by_value_what_is_compared_with_literals() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Int));
        let table = Rc::new(RefCell::new(PredicateTable::default()));
        let predicates = LearnPredicates { store: &store, table, split: PredSplit::Whole };
        let mut learn = LearnBoth { predicates, max_enum: MaxEnum::AtMost(1) };
        let mut precision = ProductPrecision::default();
        let is_five = Lesson::Formula(store.eq(x, store.int(5)));
        assert!(learn.learn(&mut precision, &is_five, Effort::Usual));
        assert_eq!((precision.values.variables.len(), precision.predicates.len()), (1, 0));
        assert!(learn.learn(&mut precision, &Lesson::Formula(store.lt(x, y)), Effort::Usual));
        assert_eq!((precision.values.variables.len(), precision.predicates.len()), (1, 1));
        assert!(learn.learn(&mut precision, &is_five, Effort::More));
        assert_eq!((precision.values.variables.len(), precision.predicates.len()), (1, 2));
    }
}
