//! Proofs by the state equation.
//!
//! Everything is arithmetic on inequalities `c·x >= d` over the firing counts `x`, which are natural numbers. Claims of
//! the proof about traps and siphons are checked on the net; claims about numbers are recomputed.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::Run;
use thetis_model::Task;
use thetis_model::petri::{
    Case, Constraint, ConstraintKind, Net, PlaceId, Refutation, Row, StateEquationProof, Step, TransitionId,
};

use super::rejected;
use crate::CheckError;

/// `coefficients · x >= bound`, or `=` for equations.
#[derive(Clone)]
struct Inequality {
    coefficients: BTreeMap<TransitionId, i128>,
    bound: i128,
    is_equation: bool,
}

/// A part of the proof with the case that it should refute and the decisions on the way to it.
struct Pending<'p> {
    refutation: &'p Refutation,
    case: Case,
    branches: Vec<Inequality>,
}

/// Accepts the proof iff every leaf of it is contradictory.
pub(super) fn check(task: &Task<Net>, proof: &StateEquationProof, run: &Run) -> Result<(), CheckError> {
    let net = &task.model;
    proof.traps.iter().try_for_each(|trap| check_trap(net, trap))?;
    proof.siphons.iter().try_for_each(|siphon| check_siphon(net, siphon))?;
    let case = Case::new(net, &task.property.target(net));
    let mut pending = vec![Pending { refutation: &proof.refutation, case, branches: Vec::new() }];
    while let Some(part) = pending.pop() {
        run.checkpoint()?;
        match part.refutation {
            Refutation::Cuts(steps) => check_leaf(net, proof, &part, steps)?,
            Refutation::Cases { choice, alternatives } => pending.extend(part.cases(*choice, alternatives)?),
            Refutation::Branch { transition, at, few, many } => {
                check_transition(net, *transition)?;
                let at = i128::from(*at);
                pending.push(part.branch(few, (*transition, -1), -at));
                pending.push(part.branch(many, (*transition, 1), at + 1));
            }
        }
    }
    Ok(())
}

impl<'p> Pending<'p> {
    fn cases(&self, choice: usize, alternatives: &'p [Refutation]) -> Result<Vec<Pending<'p>>, CheckError> {
        let cases = self.case.split(choice).ok_or_else(|| rejected("there is no such choice".into()))?;
        if cases.len() != alternatives.len() {
            return Err(rejected("a choice has another number of alternatives".into()));
        }
        let with = |(refutation, case)| Pending { refutation, case, branches: self.branches.clone() };
        Ok(alternatives.iter().zip(cases).map(with).collect())
    }

    fn branch(&self, refutation: &'p Refutation, term: (TransitionId, i128), bound: i128) -> Pending<'p> {
        let mut branches = self.branches.clone();
        branches.push(Inequality { coefficients: BTreeMap::from([term]), bound, is_equation: false });
        Pending { refutation, case: self.case.clone(), branches }
    }
}

/// The last step must come to `c <= 0` and `d > 0`, which no natural numbers satisfy.
fn check_leaf(
    net: &Net,
    proof: &StateEquationProof,
    part: &Pending<'_>,
    steps: &[Step],
) -> Result<(), CheckError> {
    let mut derived: Vec<Inequality> = Vec::new();
    for step in steps {
        let mut sum = Inequality { coefficients: BTreeMap::new(), bound: 0, is_equation: false };
        for (row, multiplier) in &step.sum {
            let row = inequality(net, proof, part, &derived, *row)?;
            if *multiplier < 0 && !row.is_equation {
                return Err(rejected("an inequality is multiplied by a negative number".into()));
            }
            sum.add(&row, *multiplier)?;
        }
        sum.divide(step.divisor)?;
        derived.push(sum);
    }
    match derived.last() {
        Some(last) if last.bound > 0 && last.coefficients.values().all(|factor| *factor <= 0) => Ok(()),
        Some(_) => Err(rejected("the last row has solutions".into())),
        None => Err(rejected("a case ends without a row".into())),
    }
}

fn inequality(
    net: &Net,
    proof: &StateEquationProof,
    part: &Pending<'_>,
    derived: &[Inequality],
    row: Row,
) -> Result<Inequality, CheckError> {
    let missing = || rejected(format!("there is no row {row:?}"));
    match row {
        Row::Target(index) => on_markings(net, part.case.constraints().get(index).ok_or_else(missing)?),
        Row::Place(place) if place.index() < net.places().len() => {
            on_markings(net, &at_least(&[place], 1, 0))
        }
        Row::Place(_) => Err(missing()),
        Row::Trap(index) => on_markings(net, &at_least(proof.traps.get(index).ok_or_else(missing)?, 1, 1)),
        Row::Siphon(index) => {
            on_markings(net, &at_least(proof.siphons.get(index).ok_or_else(missing)?, -1, 0))
        }
        Row::Branch(index) => part.branches.get(index).cloned().ok_or_else(missing),
        Row::Step(index) => derived.get(index).cloned().ok_or_else(missing),
    }
}

fn at_least(places: &[PlaceId], factor: i64, bound: i128) -> Constraint {
    let terms = places.iter().map(|place| (*place, factor)).collect();
    Constraint { terms, kind: ConstraintKind::AtLeast, bound }
}

/// `a·m >= b` becomes `(a·C)·x >= b - a·m0`.
fn on_markings(net: &Net, constraint: &Constraint) -> Result<Inequality, CheckError> {
    let is_equation = constraint.kind == ConstraintKind::Equal;
    let mut row = Inequality { coefficients: BTreeMap::new(), bound: constraint.bound, is_equation };
    for (place, factor) in &constraint.terms {
        let factor = i128::from(*factor);
        let initial = checked(factor.checked_mul(net.places()[*place].initial.into()))?;
        row.bound = checked(row.bound.checked_sub(initial))?;
        for changer in net.changers(*place) {
            let change = checked(factor.checked_mul(changer.delta.into()))?;
            let entry = row.coefficients.entry(changer.transition).or_insert(0);
            *entry = checked(entry.checked_add(change))?;
        }
    }
    Ok(row)
}

impl Inequality {
    fn add(&mut self, other: &Inequality, multiplier: i128) -> Result<(), CheckError> {
        let plus = |left: i128, right: i128| {
            checked(right.checked_mul(multiplier).and_then(|n| left.checked_add(n)))
        };
        self.bound = plus(self.bound, other.bound)?;
        for (transition, factor) in &other.coefficients {
            let entry = self.coefficients.entry(*transition).or_insert(0);
            *entry = plus(*entry, *factor)?;
        }
        Ok(())
    }

    /// Divides and rounds every number up.
    fn divide(&mut self, divisor: i128) -> Result<(), CheckError> {
        if divisor <= 0 {
            return Err(rejected("a divisor is not positive".into()));
        }
        let up = |number: i128| number.div_euclid(divisor) + i128::from(number.rem_euclid(divisor) != 0);
        self.bound = up(self.bound);
        self.coefficients.values_mut().for_each(|factor| *factor = up(*factor));
        Ok(())
    }
}

fn checked(number: Option<i128>) -> Result<i128, CheckError> {
    number.ok_or_else(|| CheckError::Undecided("a number of the proof has more than 128 bits".into()))
}

fn check_transition(net: &Net, transition: TransitionId) -> Result<(), CheckError> {
    if transition.index() < net.transitions().len() {
        return Ok(());
    }
    Err(rejected("a branch is on a transition that does not exist".into()))
}

fn place_set(net: &Net, places: &[PlaceId]) -> Result<BTreeSet<PlaceId>, CheckError> {
    match places.iter().find(|place| place.index() >= net.places().len()) {
        Some(_) => Err(rejected("a trap or siphon has a place that does not exist".into())),
        None => Ok(places.iter().copied().collect()),
    }
}

/// Every transition that takes tokens from a trap also puts tokens into it, and the trap has a token at the
/// start.
fn check_trap(net: &Net, places: &[PlaceId]) -> Result<(), CheckError> {
    let trap = place_set(net, places)?;
    let takers = trap.iter().flat_map(|place| net.consumers(*place));
    let mut gives =
        takers.map(|link| net.outputs(link.transition).iter().any(|arc| trap.contains(&arc.place)));
    if !gives.all(|gives| gives) {
        return Err(rejected("a set of places is no trap".into()));
    }
    if trap.iter().all(|place| net.places()[*place].initial == 0) {
        return Err(rejected("a trap is empty at the start".into()));
    }
    Ok(())
}

/// Every transition that puts tokens into a siphon also takes tokens from it, and the siphon is empty at the
/// start.
fn check_siphon(net: &Net, places: &[PlaceId]) -> Result<(), CheckError> {
    let siphon = place_set(net, places)?;
    let givers = siphon.iter().flat_map(|place| net.producers(*place));
    let mut takes =
        givers.map(|link| net.inputs(link.transition).iter().any(|arc| siphon.contains(&arc.place)));
    if !takes.all(|takes| takes) {
        return Err(rejected("a set of places is no siphon".into()));
    }
    if siphon.iter().any(|place| net.places()[*place].initial > 0) {
        return Err(rejected("a siphon has a token at the start".into()));
    }
    Ok(())
}
