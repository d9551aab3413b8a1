//! From runs and proofs of the transition system back to the net. The idea is in the [module](super).

use std::collections::BTreeMap;

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use thetis_expr::{Args, ExprId, Op, Postorder, Sort, Store, Value, VarId};
use thetis_model::petri::{
    Comparison, Net, PetriProof, PetriTrace, PlaceId, Predicate, Relation, Sum, TransitionId,
};
use thetis_model::sts::{Sts, StsProof, StsTrace};
use thetis_model::{Evidence, Lift, Task};

pub(super) struct ToStsLift {
    places: BTreeMap<VarId, PlaceId>,
    /// The sums that bound the places, which every proof needs in addition.
    balances: Vec<Predicate>,
}

impl ToStsLift {
    pub(super) fn new(places: BTreeMap<VarId, PlaceId>, balances: Vec<Predicate>) -> ToStsLift {
        ToStsLift { places, balances }
    }

    /// The formula and the sums as a predicate over token counts.
    fn predicate(&self, store: &Store, formula: ExprId) -> Option<Predicate> {
        let mut parts = self.balances.clone();
        for conjunct in store.conjuncts(formula) {
            parts
                .push(Back { store, places: &self.places, parts: FxHashMap::default() }.predicate(conjunct)?);
        }
        Some(Predicate::And(parts))
    }
}

impl Lift<Sts, Net> for ToStsLift {
    /// The firings of a step can be written in any order; the last step is already in the target.
    fn trace(&self, trace: StsTrace) -> PetriTrace {
        let mut firings = Vec::new();
        let before_last = trace.steps.len().saturating_sub(1);
        for step in &trace.steps[..before_last] {
            let fired = step.inputs.iter().enumerate().filter(|(_, value)| value.as_bool() == Some(true));
            firings.extend(fired.map(|(number, _)| TransitionId::from(number)));
        }
        PetriTrace::of(firings)
    }

    fn proof(&self, _task: &Task<Net>, inner: &Store, proof: StsProof) -> Evidence<PetriProof> {
        let (formula, induction) = match proof {
            StsProof::Invariant(formula) => (formula, None),
            StsProof::KInductive { k, lemma, paths } => (lemma, Some((k, paths))),
        };
        match (self.predicate(inner, formula), induction) {
            (Some(predicate), None) => Evidence::Given(PetriProof::Invariant(predicate)),
            (Some(lemma), Some((k, paths))) => Evidence::Given(PetriProof::KInductive { k, lemma, paths }),
            (None, _) => Evidence::Missing("the invariant cannot be said in terms of token counts"),
        }
    }
}

/// What a term of the system is about markings.
#[derive(Clone)]
enum MarkingTerm {
    Condition(Predicate),
    Number(Linear),
}

/// A weighted sum of token counts and a constant.
#[derive(Clone, Default)]
struct Linear {
    terms: Vec<(PlaceId, i64)>,
    constant: i64,
}

struct Back<'t> {
    store: &'t Store,
    places: &'t BTreeMap<VarId, PlaceId>,
    parts: FxHashMap<ExprId, MarkingTerm>,
}

impl Back<'_> {
    /// Formulas share parts and predicates do not, so a formula that would become much larger has no predicate.
    const MAX_SIZE: usize = 100_000;

    fn predicate(mut self, formula: ExprId) -> Option<Predicate> {
        let mut sizes: FxHashMap<ExprId, usize> = FxHashMap::default();
        for term in Postorder::new(self.store, [formula]) {
            let args = self.store.args(term);
            let size = args.iter().map(|arg| sizes[arg]).sum::<usize>() + 1;
            if size > Self::MAX_SIZE {
                return None;
            }
            sizes.insert(term, size);
            let part = self.part(term, &args)?;
            self.parts.insert(term, part);
        }
        match self.parts.remove(&formula) {
            Some(MarkingTerm::Condition(predicate)) => Some(predicate),
            _ => None,
        }
    }

    fn part(&self, term: ExprId, args: &Args) -> Option<MarkingTerm> {
        match self.store.op(term) {
            Op::Var(var) => self.variable(var),
            Op::Const(_) => match self.store.value(term)? {
                Value::Bool(value) => Some(MarkingTerm::Condition(Predicate::Constant(value))),
                Value::Int(value) => {
                    Some(MarkingTerm::Number(Linear { constant: value.to_i64()?, ..Linear::default() }))
                }
                _ => None,
            },
            op if self.store.sort(term) == Sort::Int => self.number(op, args).map(MarkingTerm::Number),
            op => self.condition(op, args).map(MarkingTerm::Condition),
        }
    }

    fn variable(&self, var: VarId) -> Option<MarkingTerm> {
        let place = *self.places.get(&var)?;
        Some(match self.store.var_sort(var) {
            Sort::Bool => MarkingTerm::Condition(Predicate::place(place, Relation::AtLeast, 1)),
            _ => MarkingTerm::Number(Linear { terms: vec![(place, 1)], constant: 0 }),
        })
    }

    fn number(&self, op: Op, args: &Args) -> Option<Linear> {
        if let (Op::Ite, [condition, then, otherwise]) = (op, &args[..]) {
            return self.chosen(*condition, *then, *otherwise);
        }
        let mut numbers = Vec::new();
        for arg in args {
            let MarkingTerm::Number(linear) = &self.parts[arg] else { return None };
            numbers.push(linear.clone());
        }
        match (op, &numbers[..]) {
            (Op::Add, all) => all.iter().try_fold(Linear::default(), |sum, one| sum.plus(one, 1)),
            (Op::Sub, [left, right]) => left.plus(right, -1),
            (Op::Neg, [only]) => Linear::default().plus(only, -1),
            (Op::Mul, [one, other]) if one.terms.is_empty() => Linear::default().plus(other, one.constant),
            (Op::Mul, [one, other]) if other.terms.is_empty() => Linear::default().plus(one, other.constant),
            _ => None,
        }
    }

    /// A number that depends on a token of a place with at most one.
    fn chosen(&self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Option<Linear> {
        let place = *self.places.get(&self.store.as_var(condition)?)?;
        let (MarkingTerm::Number(then), MarkingTerm::Number(otherwise)) =
            (&self.parts[&then], &self.parts[&otherwise])
        else {
            return None;
        };
        let difference = then.plus(otherwise, -1)?;
        let bit = Linear { terms: vec![(place, difference.constant)], constant: 0 };
        if difference.terms.is_empty() { otherwise.plus(&bit, 1) } else { None }
    }

    fn condition(&self, op: Op, args: &Args) -> Option<Predicate> {
        let mut conditions = Vec::new();
        for arg in args {
            match &self.parts[arg] {
                MarkingTerm::Condition(predicate) => conditions.push(predicate.clone()),
                MarkingTerm::Number(_) => return self.comparison(op, args),
            }
        }
        let not = Predicate::negated;
        Some(match (op, &conditions[..]) {
            (Op::Not, [only]) => not(only.clone()),
            (Op::And, _) => Predicate::And(conditions),
            (Op::Or, _) => Predicate::Or(conditions),
            (Op::Eq, [one, other]) => choice(one, other, &not(other.clone())),
            (Op::Xor, [one, other]) => choice(one, &not(other.clone()), other),
            (Op::Ite, [condition, then, otherwise]) => choice(condition, then, otherwise),
            _ => return None,
        })
    }

    fn comparison(&self, op: Op, args: &Args) -> Option<Predicate> {
        let relation = match op {
            Op::Le => Relation::AtMost,
            Op::Lt => Relation::Less,
            Op::Eq => Relation::Equal,
            _ => return None,
        };
        let &[left, right] = &args[..] else { return None };
        let (MarkingTerm::Number(left), MarkingTerm::Number(right)) =
            (&self.parts[&left], &self.parts[&right])
        else {
            return None;
        };
        let difference = left.plus(right, -1)?;
        let sum = Sum::new(difference.terms).ok()?;
        Some(Predicate::Compare(Comparison { sum, relation, bound: difference.constant.checked_neg()? }))
    }
}

/// `then` where `condition` holds, `otherwise` elsewhere.
fn choice(condition: &Predicate, then: &Predicate, otherwise: &Predicate) -> Predicate {
    Predicate::Or(vec![
        Predicate::And(vec![condition.clone(), then.clone()]),
        Predicate::And(vec![Predicate::negated(condition.clone()), otherwise.clone()]),
    ])
}

impl Linear {
    /// `self + factor · other`, if all numbers fit into 64 bits.
    fn plus(&self, other: &Linear, factor: i64) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (place, weight) in &other.terms {
            sum.terms.push((*place, weight.checked_mul(factor)?));
        }
        Some(sum)
    }
}
