//! Half-spaces, their intersections and unions, that agree with points.
//!
//! If one half-space with small coefficients separates the positive points from the negative ones, the one with the
//! greatest margin is the hypothesis. Otherwise, if no negative point lies in the hull of the positive ones, each
//! negative point is excluded by one half-space of an intersection; half-spaces whose normal vectors are those of
//! octagons are preferred if they exclude any, because the margins of single points at the ends of a set are not
//! informative. Otherwise the positive points are distributed over several such intersections, and the hypothesis is
//! their union; at worst, each contains one positive point, so there always is a hypothesis.

mod margin;

use num_bigint::BigInt;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Sort, Store, VarId};

use crate::{Data, Label, Learner};
use margin::{HalfSpace, separate};

/// The learner. Points without label count as negative.
#[derive(Clone, Copy, Default, Debug)]
pub struct SupportVectors(());

impl Learner for SupportVectors {
    fn name(&self) -> &'static str {
        "svm"
    }

    fn learn(&mut self, store: &Store, data: &Data, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        let mut formulas = Vec::new();
        for space in 0..data.num_spaces() {
            let (inside, outside): (Vec<usize>, Vec<usize>) = data
                .of_space(space)
                .into_iter()
                .partition(|id| data.labels().get(*id) == Some(Label::Positive));
            let values =
                |ids: &[usize]| ids.iter().map(|id| data.points()[*id].values.as_slice()).collect::<Vec<_>>();
            let cells = union(&values(&inside), &values(&outside), run)?;
            let cell = |cell: &Vec<HalfSpace>| {
                store.and_all(cell.iter().map(|half| term(store, data.vars(space), half)))
            };
            formulas.push(store.or_all(cells.iter().map(cell)));
        }
        Ok(Some(formulas))
    }
}

/// Intersections of half-spaces whose union contains all of `inside` and nothing of `outside`.
fn union(inside: &[&[i64]], outside: &[&[i64]], run: &Run) -> Result<Vec<Vec<HalfSpace>>, Stop> {
    if inside.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(cell) = intersection(inside, outside, run)? {
        return Ok(vec![cell]);
    }
    let mut pending = inside.to_vec();
    let mut cells = Vec::new();
    while !pending.is_empty() {
        let cell = greedy_cell(&pending, outside, run)?;
        pending.retain(|point| !cell.iter().all(|half| half.contains(point)));
        cells.push(cell);
    }
    Ok(cells)
}

/// An intersection that contains the first point and as many others as it can, halving what is added when that fails.
fn greedy_cell(points: &[&[i64]], outside: &[&[i64]], run: &Run) -> Result<Vec<HalfSpace>, Stop> {
    let mut members = vec![points[0]];
    let mut cell = intersection(&members, outside, run)?.unwrap_or_default();
    let mut rest = &points[1..];
    let mut size = rest.len();
    while size > 0 && !rest.is_empty() {
        size = size.min(rest.len());
        let mut larger = members.clone();
        larger.extend(&rest[..size]);
        match intersection(&larger, outside, run)? {
            Some(found) => (members, cell, rest) = (larger, found, &rest[size..]),
            None => size /= 2,
        }
    }
    Ok(cell)
}

/// Half-spaces that each contain all of `inside`, and of which each point of `outside` is outside one; `None` if there are none.
fn intersection(inside: &[&[i64]], outside: &[&[i64]], run: &Run) -> Result<Option<Vec<HalfSpace>>, Stop> {
    if outside.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let single = separate(inside, outside, run)?;
    if let Some(half) = single.clone().filter(HalfSpace::is_simple) {
        return Ok(Some(vec![half]));
    }
    let mut pending = outside.to_vec();
    let mut halves = Vec::new();
    while let Some(point) = pending.first().copied() {
        let half = match (octagonal(inside, &pending), &single) {
            (Some(half), _) => half,
            (None, Some(single)) => return Ok(Some(vec![single.clone()])),
            (None, None) => match separate(inside, &[point], run)? {
                Some(half) => half,
                None => return Ok(None),
            },
        };
        pending.retain(|point| half.contains(point));
        halves.push(half);
    }
    Ok(Some(halves))
}

/// The half-space around all of `inside` that excludes the most points of `outside`, of those whose normal vector has at most two
/// entries, which are one or minus one; `None` if none of them excludes a point.
fn octagonal(inside: &[&[i64]], outside: &[&[i64]]) -> Option<HalfSpace> {
    let dimensions = inside.first()?.len();
    let mut best: Option<(usize, HalfSpace)> = None;
    for normal in octagonal_normals(dimensions) {
        let value =
            |point: &[i64]| normal.iter().map(|(axis, sign)| sign * i128::from(point[*axis])).sum::<i128>();
        let Some(least) = inside.iter().map(|point| value(point)).min() else { continue };
        let excluded = outside.iter().map(|point| value(point)).filter(|number| *number < least);
        let (count, greatest) =
            excluded.fold((0, None), |(count, most), number| (count + 1, most.max(Some(number))));
        let Some(greatest) = greatest else { continue };
        if best.as_ref().is_none_or(|(known, _)| count > *known) {
            let mut entries = vec![BigInt::ZERO; dimensions];
            normal.iter().for_each(|(axis, sign)| entries[*axis] = (*sign).into());
            let bound = BigInt::from((least + greatest).div_euclid(2) + 1);
            best = Some((count, HalfSpace { normal: entries, bound }));
        }
    }
    best.map(|(_, half)| half)
}

/// Axes with signs: all single ones, then all pairs.
fn octagonal_normals(dimensions: usize) -> Vec<Vec<(usize, i128)>> {
    const SIGNS: [i128; 2] = [1, -1];
    let mut normals: Vec<Vec<(usize, i128)>> =
        (0..dimensions).flat_map(|axis| SIGNS.map(|sign| vec![(axis, sign)])).collect();
    for left in 0..dimensions {
        for right in left + 1..dimensions {
            normals
                .extend(SIGNS.iter().flat_map(|one| SIGNS.map(|other| vec![(left, *one), (right, other)])));
        }
    }
    normals
}

fn term(store: &Store, vars: &[VarId], half: &HalfSpace) -> ExprId {
    let zero = BigInt::ZERO;
    let summand = |(var, factor): (&VarId, &BigInt)| {
        let number = number_of(store, *var);
        store.mul(store.int(factor.clone()), number)
    };
    let summands = vars.iter().zip(&half.normal).filter(|(_, factor)| **factor != zero).map(summand);
    let sum = summands.reduce(|left, right| store.add(left, right)).unwrap_or_else(|| store.int(0));
    store.ge(sum, store.int(half.bound.clone()))
}

/// A variable as a number.
pub(crate) fn number_of(store: &Store, var: VarId) -> ExprId {
    let term = store.var_expr(var);
    match store.var_sort(var) {
        Sort::Bool => store.ite(term, store.int(1), store.int(0)),
        _ => term,
    }
}
