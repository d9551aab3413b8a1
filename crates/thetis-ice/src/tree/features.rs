//! What a decision tree may ask about a point: integer terms, compared with a constant.
//!
//! The families, in the order in which ties are decided: the terms of comparisons that occur in the formulas, the
//! coordinates, the linear terms that are constant on all positive points, sums and differences of two coordinates (octagons), and
//! remainders of coordinates.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use thetis_expr::{ExprId, Op, Sort, Store, Value, VarId};

use super::hull::constant_on;
use crate::svm::number_of;
use crate::{Data, Hints, Label, PointId};

/// With more coordinates than this, pairs of them are left out.
const MAX_PAIRED: usize = 24;

/// The greatest divisor of remainders, and how many divisors are tried.
const MAX_DIVISOR: i64 = 1_000_000;
const MAX_DIVISORS: usize = 6;

/// An integer term, with its value at each of some points.
pub(super) struct Feature {
    pub(super) term: ExprId,
    pub(super) values: Vec<i128>,
    /// The constants that it is likely to be compared with, in ascending order.
    pub(super) constants: Vec<i128>,
}

/// The features of the points `ids` of `space`.
pub(super) fn features(
    store: &Store,
    data: &Data,
    hints: &Hints,
    space: usize,
    ids: &[PointId],
) -> Vec<Feature> {
    let vars = data.vars(space);
    let mut terms: Vec<ExprId> = Vec::new();
    if let Some(atoms) = hints.atoms.get(space) {
        terms.extend(atoms.iter().map(|atom| difference(store, *atom)));
    }
    terms.extend(vars.iter().map(|var| number_of(store, *var)));
    let is_positive = |id: &&PointId| data.labels().get(**id) == Some(Label::Positive);
    let positive: Vec<&[i64]> =
        ids.iter().filter(is_positive).map(|id| data.points()[*id].values.as_slice()).collect();
    terms.extend(constant_on(&positive).iter().map(|factors| linear(store, vars, factors)));
    terms.extend(octagons(store, vars));
    terms.extend(remainders(store, vars, hints));
    let mut seen = rustc_hash::FxHashSet::default();
    terms.retain(|term| seen.insert(*term));
    let common = constants(hints);
    let first = ids.iter().find(is_positive);
    terms.into_iter().filter_map(|term| Feature::new(store, data, ids, term, &common, first)).collect()
}

/// Numbers that occur in the formulas, zero, and their neighbours below: with them, all of `<`, `<=`, `>` and `>=` can be said.
fn constants(hints: &Hints) -> Vec<i128> {
    let numbers = hints.numbers.iter().map(|number| i128::from(*number));
    let mut constants: Vec<i128> = numbers.chain([0, 1]).flat_map(|number| [number - 1, number]).collect();
    constants.sort_unstable();
    constants.dedup();
    constants
}

impl Feature {
    /// The feature, unless it is constant or has a value that is too large. Comparing it with its value at `example` is likely to help if
    /// it is constant on the positive points.
    fn new(
        store: &Store,
        data: &Data,
        ids: &[PointId],
        term: ExprId,
        common: &[i128],
        example: Option<&PointId>,
    ) -> Option<Feature> {
        let value = |id: &PointId| match data.evaluate(store, *id, term)? {
            Value::Int(number) => number.to_i128(),
            _ => None,
        };
        let values: Vec<i128> = ids.iter().map(value).collect::<Option<_>>()?;
        if values.windows(2).all(|pair| pair[0] == pair[1]) {
            return None;
        }
        let mut constants = common.to_vec();
        if store.op(term) == Op::Mod {
            constants = values.clone();
        }
        constants.extend(example.and_then(value).iter().flat_map(|value| [value - 1, *value]));
        constants.sort_unstable();
        constants.dedup();
        Some(Feature { term, values, constants })
    }
}

/// What is compared with zero in a comparison of integers.
fn difference(store: &Store, atom: ExprId) -> ExprId {
    let (left, right) = (store.arg(atom, 0), store.arg(atom, 1));
    if store.is_literal(right) {
        return left;
    }
    if store.is_literal(left) { right } else { store.sub(left, right) }
}

fn linear(store: &Store, vars: &[VarId], factors: &[BigInt]) -> ExprId {
    let summands = vars.iter().zip(factors).filter(|(_, factor)| **factor != BigInt::ZERO);
    let terms = summands.map(|(var, factor)| store.mul(store.int(factor.clone()), number_of(store, *var)));
    terms.reduce(|left, right| store.add(left, right)).unwrap_or_else(|| store.int(0))
}

fn octagons(store: &Store, vars: &[VarId]) -> Vec<ExprId> {
    let numbers: Vec<ExprId> = vars
        .iter()
        .filter(|var| store.var_sort(**var) == Sort::Int)
        .map(|var| store.var_expr(*var))
        .collect();
    let mut terms = Vec::new();
    if numbers.len() > MAX_PAIRED {
        return terms;
    }
    for (position, left) in numbers.iter().enumerate() {
        for right in &numbers[position + 1..] {
            terms.push(store.sub(*left, *right));
            terms.push(store.add(*left, *right));
        }
    }
    terms
}

fn remainders(store: &Store, vars: &[VarId], hints: &Hints) -> Vec<ExprId> {
    let found = hints.numbers.iter().map(|number| number.unsigned_abs());
    let mut divisors: Vec<u64> = found.filter(|number| (2..=MAX_DIVISOR as u64).contains(number)).collect();
    divisors.insert(0, 2);
    divisors.dedup();
    divisors.truncate(MAX_DIVISORS);
    let is_int = |var: &&VarId| store.var_sort(**var) == Sort::Int;
    let mut terms = Vec::new();
    for var in vars.iter().filter(is_int) {
        terms.extend(divisors.iter().map(|divisor| store.modulo(store.var_expr(*var), store.int(*divisor))));
    }
    terms.retain(|term| store.op(*term) == Op::Mod);
    terms
}
