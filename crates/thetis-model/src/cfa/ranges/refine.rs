//! What an assumption says about the ranges of variables.
//!
//! An assumption wants a term to be in a range. The want is handed down to the arguments: if `x + y` has to be in a range,
//! `x` has to be in that range minus the range of `y`, and so on down to variables. Wants are kept in a list,
//! not on the stack, since terms are deep. What an operator cannot hand down is forgotten, which is sound.

use thetis_expr::{ExprId, Op, Sort, Store, Value};

use super::bits::BitsRange;
use super::eval::{Positions, range_of};
use super::interval::Interval;
use super::range::Range;
use super::state::State;

/// How often an assumption is gone through; what was learned last may help the first parts.
const ROUNDS: usize = 2;
/// How many wants of one assumption are looked at.
const MAX_WANTS: usize = 400;
/// Disjunctions with more parts, or deeper inside of others, are not split.
const MAX_CASES: usize = 4;
const MAX_SPLITS: u32 = 2;

/// The part of `state` where `formula` is `wanted`; `None` if there is none.
pub(super) fn assume(
    store: &Store,
    positions: &Positions,
    state: State,
    formula: ExprId,
    wanted: bool,
) -> Option<State> {
    let mut refinement = Refinement { store, positions, state, wants: Vec::new(), splits: MAX_SPLITS };
    for _ in 0..ROUNDS {
        refinement.wants.push((formula, Range::truth(wanted)));
        refinement.run()?;
    }
    Some(refinement.state)
}

struct Refinement<'s> {
    store: &'s Store,
    positions: &'s Positions,
    state: State,
    /// Terms and the ranges in which they have to be.
    wants: Vec<(ExprId, Range)>,
    /// How many more times disjunctions inside of disjunctions may be split.
    splits: u32,
}

impl Refinement<'_> {
    fn run(&mut self) -> Option<()> {
        for _ in 0..MAX_WANTS {
            let Some((term, wanted)) = self.wants.pop() else { return Some(()) };
            if self.is_for_all(term, &wanted) {
                self.hand_down(term, &wanted)?;
                continue;
            }
            let current = self.range(term);
            let met = current.meet(&wanted)?;
            if let Some(var) = self.store.as_var(term) {
                if let Some(position) = self.positions.get(&var) {
                    self.state.set(*position, Some(met));
                }
                continue;
            }
            self.hand_down(term, &met)?;
        }
        self.wants.clear();
        Some(())
    }

    /// Whether all parts of a conjunction have to be true, or of a disjunction false: each is looked at by itself.
    fn is_for_all(&self, term: ExprId, wanted: &Range) -> bool {
        match self.store.op(term) {
            Op::And => wanted.as_bool() == Some(true),
            Op::Or => wanted.as_bool() == Some(false),
            _ => false,
        }
    }

    fn range(&self, term: ExprId) -> Range {
        range_of(self.store, self.positions, &self.state, term)
    }

    fn want(&mut self, term: ExprId, range: Range) {
        if !self.store.is_literal(term) {
            self.wants.push((term, range));
        }
    }

    /// Hands the want that `term` is in `wanted` down to its arguments.
    fn hand_down(&mut self, term: ExprId, wanted: &Range) -> Option<()> {
        match wanted {
            Range::Exactly(_) | Range::Any => match wanted.as_bool() {
                Some(truth) => self.hand_down_truth(term, truth),
                None => Some(()),
            },
            Range::Int(interval) => self.hand_down_integer(term, interval),
            Range::Bits(bits) => self.hand_down_bits(term, bits),
        }
    }

    fn hand_down_truth(&mut self, term: ExprId, truth: bool) -> Option<()> {
        let (store, args) = (self.store, self.store.args(term));
        match (store.op(term), &args[..]) {
            (Op::Not, &[inner]) => self.want(inner, Range::truth(!truth)),
            (op @ (Op::And | Op::Or), parts) if (op == Op::And) == truth => {
                parts.iter().for_each(|part| self.want(*part, Range::truth(truth)));
            }
            (Op::And | Op::Or, parts) => return self.one_of(parts, truth),
            (Op::Le, &[left, right]) if truth => self.at_most(left, right, 0),
            (Op::Le, &[left, right]) => self.at_most(right, left, 1),
            (Op::Lt, &[left, right]) if truth => self.at_most(left, right, 1),
            (Op::Lt, &[left, right]) => self.at_most(right, left, 0),
            (Op::Eq, &[left, right]) if truth => {
                let (left_range, right_range) = (self.range(left), self.range(right));
                self.want(left, right_range);
                self.want(right, left_range);
            }
            (Op::Eq, &[left, right]) => {
                self.differ(left, right)?;
                self.differ(right, left)?;
            }
            (op, &[left, right]) => self.compare_bits(op, left, right, truth),
            _ => {}
        }
        Some(())
    }

    /// One of `parts` has to be `truth`: the state around the cases.
    fn one_of(&mut self, parts: &[ExprId], truth: bool) -> Option<()> {
        let open: Vec<ExprId> =
            parts.iter().copied().filter(|part| self.range(*part).as_bool() != Some(!truth)).collect();
        if let [only] = open[..] {
            self.want(only, Range::truth(truth));
            return Some(());
        }
        if open.len() > MAX_CASES || self.splits == 0 {
            return Some(());
        }
        let mut joined: Option<State> = None;
        for part in open {
            let mut case = Refinement {
                state: self.state.clone(),
                wants: vec![(part, Range::truth(truth))],
                splits: self.splits - 1,
                ..*self
            };
            if case.run().is_some() {
                joined = Some(joined.map_or(case.state.clone(), |joined| joined.join(&case.state)));
            }
        }
        self.state = joined?;
        Some(())
    }

    /// `left + distance` is at most `right`.
    fn at_most(&mut self, left: ExprId, right: ExprId, distance: i32) {
        let (Range::Int(left_range), Range::Int(right_range)) = (self.range(left), self.range(right)) else {
            return;
        };
        let high = right_range.high().map(|high| high - distance);
        let low = left_range.low().map(|low| low + distance);
        let bounds = [(left, Interval::new(None, high)), (right, Interval::new(low, None))];
        for (term, bound) in bounds {
            self.want(term, bound.map_or(Range::Any, Range::Int));
        }
    }

    /// `term` is not the value of `other`, if that is known.
    fn differ(&mut self, term: ExprId, other: ExprId) -> Option<()> {
        let Some(value) = self.range(other).single() else { return Some(()) };
        let range = match (self.range(term), &value) {
            (Range::Int(interval), Value::Int(number)) => Range::Int(interval.without(number)?),
            (Range::Bits(bits), Value::BitVec(excluded)) => {
                let unsigned = bits.unsigned().without(&excluded.unsigned().clone().into())?;
                let signed = bits.signed().without(&excluded.signed())?;
                Range::Bits(bits.meet_unsigned(&unsigned)?.meet_signed(&signed)?)
            }
            (_, Value::Bool(truth)) => Range::truth(!truth),
            (range, value) if range.single().as_ref() == Some(value) => return None,
            _ => return Some(()),
        };
        self.want(term, range);
        Some(())
    }

    fn compare_bits(&mut self, op: Op, left: ExprId, right: ExprId, truth: bool) {
        let strict = matches!(op, Op::BvUlt | Op::BvSlt);
        if !strict && !matches!(op, Op::BvUle | Op::BvSle) {
            return;
        }
        let is_signed = matches!(op, Op::BvSlt | Op::BvSle);
        let (less, more) = if truth { (left, right) } else { (right, left) };
        let distance = i32::from(strict == truth);
        let (Range::Bits(less_range), Range::Bits(more_range)) = (self.range(less), self.range(more)) else {
            return;
        };
        let view =
            |range: &BitsRange| if is_signed { range.signed().clone() } else { range.unsigned().clone() };
        let high = Interval::new(None, view(&more_range).high().map(|high| high - distance));
        let low = Interval::new(view(&less_range).low().map(|low| low + distance), None);
        for (term, range, bound) in [(less, less_range, high), (more, more_range, low)] {
            let Some(bound) = bound else { continue };
            let met = if is_signed { range.meet_signed(&bound) } else { range.meet_unsigned(&bound) };
            // An empty meeting is found when the term itself is looked at: it cannot be in any range.
            match met {
                Some(met) => self.want(term, Range::Bits(met)),
                None => self.wants.push((self.store.fals(), Range::truth(true))),
            }
        }
    }

    fn hand_down_integer(&mut self, term: ExprId, wanted: &Interval) -> Option<()> {
        let (store, args) = (self.store, self.store.args(term));
        match (store.op(term), &args[..]) {
            (Op::Neg, &[inner]) => self.want(inner, Range::Int(wanted.neg())),
            (Op::Sub, &[left, right]) => {
                let (Range::Int(left_range), Range::Int(right_range)) = (self.range(left), self.range(right))
                else {
                    return Some(());
                };
                self.want(left, Range::Int(wanted.add(&right_range)));
                self.want(right, Range::Int(left_range.sub(wanted)));
            }
            (Op::Add, summands) => self.hand_down_sum(summands, wanted),
            (Op::Mul, &[left, right]) => {
                if let Some(Value::Int(factor)) = store.value(right)
                    && factor != 0.into()
                {
                    self.want(left, Range::Int(wanted.divided_by(&factor)?));
                }
            }
            (Op::Mod, &[dividend, divisor]) => self.hand_down_modulo(dividend, divisor, wanted),
            (Op::Ite, &[condition, then, otherwise]) => {
                self.hand_down_choice(condition, then, otherwise, &Range::Int(wanted.clone()));
            }
            (Op::BvToInt, &[bits]) => {
                if let Range::Bits(range) = self.range(bits) {
                    self.want(bits, Range::Bits(range.meet_unsigned(wanted)?));
                }
            }
            _ => {}
        }
        Some(())
    }

    fn hand_down_sum(&mut self, summands: &[ExprId], wanted: &Interval) {
        let ranges: Vec<Interval> = summands
            .iter()
            .map(|summand| match self.range(*summand) {
                Range::Int(interval) => interval,
                _ => Interval::all(),
            })
            .collect();
        for (position, summand) in summands.iter().enumerate() {
            let others = ranges.iter().enumerate().filter(|(other, _)| *other != position);
            let rest = others.fold(wanted.clone(), |rest, (_, range)| rest.sub(range));
            self.want(*summand, Range::Int(rest));
        }
    }

    /// If the dividend does not leave its block, the remainder is a shift.
    fn hand_down_modulo(&mut self, dividend: ExprId, divisor: ExprId, wanted: &Interval) {
        let Some(Value::Int(size)) = self.store.value(divisor).filter(|size| *size > Value::int(0)) else {
            return;
        };
        if let Range::Int(range) = self.range(dividend)
            && let Some(block) = range.block(&size)
        {
            self.want(dividend, Range::Int(wanted.shift(&(block * size))));
        }
    }

    fn hand_down_choice(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, wanted: &Range) {
        let fits = |term: ExprId| self.range(term).meet(wanted).is_some();
        let chosen = match self.range(condition).as_bool() {
            Some(truth) => Some(truth),
            None if !fits(then) => Some(false),
            None if !fits(otherwise) => Some(true),
            None => None,
        };
        if let Some(truth) = chosen {
            self.want(condition, Range::truth(truth));
            self.want(if truth { then } else { otherwise }, wanted.clone());
        }
    }

    fn hand_down_bits(&mut self, term: ExprId, wanted: &BitsRange) -> Option<()> {
        let (store, args) = (self.store, self.store.args(term));
        let width = wanted.width();
        match (store.op(term), &args[..]) {
            (Op::BvAdd, &[left, right]) => {
                for (one, other) in [(left, right), (right, left)] {
                    if let Range::Bits(range) = self.range(other) {
                        self.want(one, Range::Bits(wanted.binary(Op::BvSub, &range, width)));
                    }
                }
            }
            (Op::BvSub, &[left, right]) => {
                let (Range::Bits(left_range), Range::Bits(right_range)) =
                    (self.range(left), self.range(right))
                else {
                    return Some(());
                };
                self.want(left, Range::Bits(wanted.binary(Op::BvAdd, &right_range, width)));
                self.want(right, Range::Bits(left_range.binary(Op::BvSub, wanted, width)));
            }
            (op @ (Op::BvNeg | Op::BvNot), &[inner]) => {
                self.want(inner, Range::Bits(wanted.unary(op, width)))
            }
            (Op::ZeroExtend | Op::SignExtend, &[inner]) => {
                let Sort::BitVec(inner_width) = store.sort(inner) else { return Some(()) };
                let all = BitsRange::all(inner_width.get());
                let met = match store.op(term) {
                    Op::ZeroExtend => all.meet_unsigned(wanted.unsigned()),
                    _ => all.meet_signed(wanted.signed()),
                };
                self.want(inner, Range::Bits(met?));
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                self.hand_down_choice(condition, then, otherwise, &Range::Bits(wanted.clone()));
            }
            _ => {}
        }
        Some(())
    }
}
