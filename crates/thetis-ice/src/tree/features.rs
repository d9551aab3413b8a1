//! The features of a decision tree: integer terms, compared with a constant.
//!
//! The families, in the order in which ties are decided: the terms of comparisons that occur in the formulas, the
//! coordinates, the linear terms that are constant on all positive points, the same with products of two coordinates if the formulas
//! have such products, sums and differences of coordinates, and remainders of coordinates. Sums and differences are those of two coordinates
//! (octagons), or of any number if there are few coordinates (octahedra; Clarisó and Cortadella 2004).

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use thetis_expr::{ExprId, Op, Sort, Store, Value, VarId};

use super::hull::Hull;
use crate::svm::number_of;
use crate::{Data, Hints, Label, Point, PointId};

/// With more coordinates than this, pairs of them are left out.
const MAX_PAIRED: usize = 24;

/// With more coordinates than this, sums of more than two of them are left out.
const MAX_SUMMED: usize = 5;

/// How many terms of a space are bounded at most.
const MAX_TEMPLATES: usize = 150;

/// With more independent coordinates than this, their products are left out.
const MAX_MULTIPLIED: usize = 6;

/// The greatest divisor of remainders, and how many divisors are tried.
const MAX_DIVISOR: i64 = 1_000_000;
const MAX_DIVISORS: usize = 6;

/// Remainders by divisors up to this one are compared with any number.
const MAX_REMAINDERS: i64 = 64;

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
    let is_positive = |id: &&PointId| data.labels().get(**id) == Some(Label::Positive);
    let positive: Vec<PointId> = ids.iter().filter(is_positive).copied().collect();
    let common = constants(hints);
    let terms = terms(store, data, hints, space, &positive).into_iter();
    terms.filter_map(|term| Feature::new(store, data, ids, term, &common, positive.first())).collect()
}

/// The terms of all families, where `positive` are the positive points of `space`.
fn terms(store: &Store, data: &Data, hints: &Hints, space: usize, positive: &[PointId]) -> Vec<ExprId> {
    let vars = data.vars(space);
    let mut terms: Vec<ExprId> = Vec::new();
    if let Some(atoms) = hints.atoms.get(space) {
        terms.extend(atoms.iter().map(|atom| difference(store, *atom)));
    }
    terms.extend(vars.iter().map(|var| number_of(store, *var)));
    terms.extend(constant_on(store, data, space, positive));
    if hints.has_products {
        terms.extend(constant_products(store, data, space, positive));
    }
    terms.extend(sums(store, vars));
    terms.extend(remainders(store, vars, hints));
    let mut seen = rustc_hash::FxHashSet::default();
    terms.retain(|term| seen.insert(*term));
    terms
}

/// An integer term that is bounded by some constants.
pub(crate) struct Template {
    term: ExprId,
    /// In ascending order; `None` if all integers are bounds.
    constants: Option<Vec<i128>>,
}

impl Template {
    /// The templates of `space`, whose positive points are `positive`.
    pub(crate) fn all(
        store: &Store,
        data: &Data,
        hints: &Hints,
        space: usize,
        positive: &[PointId],
    ) -> Vec<Template> {
        let common = constants(hints);
        let example = positive.first().map(|id| &data.points()[*id].values);
        let template = |term: ExprId| {
            let mut constants = common.clone();
            constants.extend(example.and_then(|point| value_at(store, data, space, point, term)));
            constants.sort_unstable();
            constants.dedup();
            Template { term, constants: (!is_small_remainder(store, term)).then_some(constants) }
        };
        terms(store, data, hints, space, positive).into_iter().take(MAX_TEMPLATES).map(template).collect()
    }

    /// The value at a point of `space`, if it is not too large.
    pub(crate) fn value(&self, store: &Store, data: &Data, space: usize, point: &[i64]) -> Option<i128> {
        value_at(store, data, space, point, self.term)
    }

    /// The tightest bounds for the values from `least` to `greatest`.
    pub(crate) fn bounds(&self, store: &Store, least: i128, greatest: i128) -> Vec<ExprId> {
        let (low, high) = match &self.constants {
            None => (Some(least), Some(greatest)),
            Some(constants) => {
                let low = constants.partition_point(|number| *number <= least).checked_sub(1);
                let high = constants.get(constants.partition_point(|number| *number < greatest));
                (low.map(|position| constants[position]), high.copied())
            }
        };
        if low.is_some() && low == high {
            return low.iter().map(|bound| store.eq(self.term, store.int(*bound))).collect();
        }
        let low = low.map(|bound| store.ge(self.term, store.int(bound)));
        let high = high.map(|bound| store.le(self.term, store.int(bound)));
        low.into_iter().chain(high).collect()
    }
}

fn value_at(store: &Store, data: &Data, space: usize, point: &[i64], term: ExprId) -> Option<i128> {
    match data.evaluate_at(store, space, point, term)? {
        Value::Int(number) => number.to_i128(),
        _ => None,
    }
}

/// Whether `term` is a remainder by a number so small that any remainder may be distinguished from others.
fn is_small_remainder(store: &Store, term: ExprId) -> bool {
    let is_small = |divisor: Value| matches!(divisor, Value::Int(number) if number <= MAX_REMAINDERS.into());
    store.op(term) == Op::Mod && store.value(store.arg(term, 1)).is_some_and(is_small)
}

/// The linear terms over two or more coordinates that are constant on the points `positive` of `space`.
pub(super) fn constant_on(store: &Store, data: &Data, space: usize, positive: &[PointId]) -> Vec<ExprId> {
    let numbers: Vec<ExprId> = data.vars(space).iter().map(|var| number_of(store, *var)).collect();
    let points: Vec<Vec<i128>> = positive.iter().map(|id| coordinates(data, *id)).collect();
    let forms = Hull::of(&points).map(|hull| hull.forms()).unwrap_or_default();
    forms.iter().filter(|form| num_summands(form) > 1).map(|form| linear(store, &numbers, form)).collect()
}

/// Terms with products of two coordinates that are constant on the points `positive` of `space`. Coordinates that
/// depend linearly on others are not multiplied: their products add nothing new.
fn constant_products(store: &Store, data: &Data, space: usize, positive: &[PointId]) -> Vec<ExprId> {
    let vars = data.vars(space);
    let mut points: Vec<Vec<i128>> = positive.iter().map(|id| coordinates(data, *id)).collect();
    let Some(hull) = Hull::of(&points) else { return Vec::new() };
    let is_number = |axis: &usize| store.var_sort(vars[*axis]) == Sort::Int;
    let axes: Vec<usize> = hull.independent().into_iter().filter(is_number).collect();
    if axes.len() > MAX_MULTIPLIED {
        return Vec::new();
    }
    let pairs = |axes: &[usize]| -> Vec<(usize, usize)> {
        axes.iter()
            .enumerate()
            .flat_map(|(first, left)| axes[first..].iter().map(|right| (*left, *right)))
            .collect()
    };
    let pairs = pairs(&axes);
    for point in &mut points {
        let products: Vec<i128> = pairs.iter().map(|(left, right)| point[*left] * point[*right]).collect();
        point.extend(products);
    }
    let mut terms: Vec<ExprId> = vars.iter().map(|var| number_of(store, *var)).collect();
    terms
        .extend(pairs.iter().map(|(left, right)| store.mul(terms[*left], terms[*right])).collect::<Vec<_>>());
    let forms = Hull::of(&points).map(|hull| hull.forms()).unwrap_or_default();
    let has_product = |form: &&Vec<BigInt>| num_summands(&form[vars.len()..]) > 0;
    forms.iter().filter(has_product).map(|form| linear(store, &terms, form)).collect()
}

fn coordinates(data: &Data, id: PointId) -> Vec<i128> {
    data.points()[id].values.iter().map(|value| i128::from(*value)).collect()
}

fn num_summands(form: &[BigInt]) -> usize {
    form.iter().filter(|factor| **factor != BigInt::ZERO).count()
}

/// Numbers that occur in the formulas, zero, and their neighbours below: with them, all of `<`, `<=`, `>` and `>=` can
/// be expressed.
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
    pub(super) fn new(
        store: &Store,
        data: &Data,
        ids: &[PointId],
        term: ExprId,
        common: &[i128],
        example: Option<&PointId>,
    ) -> Option<Feature> {
        let value = |id: &PointId| {
            let Point { space, values } = &data.points()[*id];
            value_at(store, data, *space, values, term)
        };
        let values: Vec<i128> = ids.iter().map(value).collect::<Option<_>>()?;
        if values.windows(2).all(|pair| pair[0] == pair[1]) {
            return None;
        }
        let mut constants = common.to_vec();
        if is_small_remainder(store, term) {
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

fn linear(store: &Store, terms: &[ExprId], factors: &[BigInt]) -> ExprId {
    let summands = terms.iter().zip(factors).filter(|(_, factor)| **factor != BigInt::ZERO);
    let summands = summands.map(|(term, factor)| store.mul(store.int(factor.clone()), *term));
    summands.reduce(|left, right| store.add(left, right)).unwrap_or_else(|| store.int(0))
}

/// Sums and differences of integers, those of two first.
fn sums(store: &Store, vars: &[VarId]) -> Vec<ExprId> {
    let numbers: Vec<ExprId> = vars
        .iter()
        .filter(|var| store.var_sort(**var) == Sort::Int)
        .map(|var| store.var_expr(*var))
        .collect();
    if numbers.len() > MAX_PAIRED {
        return Vec::new();
    }
    let most = if numbers.len() <= MAX_SUMMED { numbers.len() } else { 2 };
    let mut shorter: Vec<(usize, ExprId)> = numbers.iter().copied().enumerate().collect();
    let mut terms = Vec::new();
    for _ in 1..most {
        let mut longer = Vec::new();
        for (last, sum) in &shorter {
            for (next, number) in numbers.iter().enumerate().skip(last + 1) {
                longer.push((next, store.sub(*sum, *number)));
                longer.push((next, store.add(*sum, *number)));
            }
        }
        terms.extend(longer.iter().map(|(_, sum)| *sum));
        shorter = longer;
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
