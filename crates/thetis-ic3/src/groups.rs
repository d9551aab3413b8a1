//! Groups of bits that stand for a variable, and what cubes of bits say about variables.
//!
//! A truth value is one bit, a bit-vector its bits, and an integer in a range the distance from the least value of the range.
//! Clauses over the bits of an integer become comparisons: of all values of a small range, one interval after the other; of a
//! large one, the highest bits as an interval and the others as remainders.

use thetis_expr::{BitVec, ExprId, Sort, Store, Value, VarId};
use thetis_model::sts::StsStep;

use crate::cube::{Cube, LatchLit};
use crate::range::Range;

/// Ranges up to this size are listed as intervals.
const MAX_LISTED: i64 = 1024;

/// Which latches and inputs of a netlist stand for which variables and inputs of a system.
pub(crate) struct Groups {
    /// The latches of each variable, in the order of the system.
    pub(crate) latches: Vec<Group>,
    /// The inputs of each input, in the order of the system; the netlist may have more.
    pub(crate) inputs: Vec<Group>,
}

/// Consecutive bits that stand for a variable.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) var: VarId,
    pub(crate) first: usize,
    pub(crate) kind: BitGroupKind,
}

#[derive(Clone, Copy)]
pub(crate) enum BitGroupKind {
    Bool,
    Int(Range),
    Vector(u32),
}

impl Group {
    pub(crate) fn width(self) -> usize {
        match self.kind {
            BitGroupKind::Bool => 1,
            BitGroupKind::Int(range) => range.num_bits(),
            BitGroupKind::Vector(width) => width as usize,
        }
    }

    /// The value of the variable if these are all bits of the system.
    fn value(self, bits: &[bool]) -> Value {
        let bits = &bits[self.first..self.first + self.width()];
        match self.kind {
            BitGroupKind::Bool => Value::Bool(bits[0]),
            BitGroupKind::Int(range) => Value::int(range.low + number(bits)),
            BitGroupKind::Vector(width) => {
                let digits: Vec<u8> = bits.iter().map(|bit| u8::from(*bit)).collect();
                let number = num_bigint::BigUint::from_radix_le(&digits, 2).unwrap_or_default();
                Value::BitVec(BitVec::new(width, number))
            }
        }
    }

    /// The bits of a value of the variable; `None` if it is outside of its range.
    pub(crate) fn bits_of(self, value: &Value) -> Option<Vec<bool>> {
        match (self.kind, value) {
            (BitGroupKind::Bool, Value::Bool(value)) => Some(vec![*value]),
            (BitGroupKind::Int(range), Value::Int(value)) => {
                let value = i64::try_from(value).ok()?;
                let distance = (range.low..=range.high).contains(&value).then(|| value - range.low)?;
                Some((0..self.width()).map(|bit| distance >> bit & 1 == 1).collect())
            }
            (BitGroupKind::Vector(width), Value::BitVec(value)) => {
                Some((0..width).map(|bit| value.unsigned().bit(u64::from(bit))).collect())
            }
            _ => None,
        }
    }

    /// The formula that no value of the variable matches the literals, which are of this group.
    fn excluded(self, store: &Store, lits: &[LatchLit]) -> ExprId {
        let term = store.var_expr(self.var);
        match self.kind {
            BitGroupKind::Bool if lits[0].value() => store.not(term),
            BitGroupKind::Bool => term,
            BitGroupKind::Int(range) if range.high - range.low < MAX_LISTED => {
                let fits = |distance: i64| {
                    lits.iter().all(|lit| (distance >> (lit.latch() - self.first) & 1 == 1) == lit.value())
                };
                let outside =
                    intervals(range, fits).into_iter().map(|interval| outside(store, term, interval));
                store.and_all(outside)
            }
            BitGroupKind::Int(range) => self.excluded_from_wide(store, range, lits),
            BitGroupKind::Vector(_) => store.or_all(lits.iter().map(|lit| {
                let bit = store.extract(term, (lit.latch() - self.first) as u32, 1);
                store.eq(bit, store.literal(Value::BitVec(BitVec::new(1, u32::from(!lit.value())))))
            })),
        }
    }

    /// The same for an integer with many values.
    fn excluded_from_wide(self, store: &Store, range: Range, lits: &[LatchLit]) -> ExprId {
        let term = store.var_expr(self.var);
        let mut rest = lits;
        let (mut free, mut base) = (self.width(), 0_i64);
        while let Some((last, before)) = rest.split_last() {
            if last.latch() - self.first + 1 != free {
                break;
            }
            free -= 1;
            base |= i64::from(last.value()) << free;
            rest = before;
        }
        let interval = (range.low + base, range.low + base + (1 << free) - 1);
        let distance = store.sub(term, store.int(range.low));
        let other_bit = |lit: &LatchLit| {
            let half = 1_i64 << (lit.latch() - self.first);
            let is_low = store.lt(store.modulo(distance, store.int(2 * half)), store.int(half));
            if lit.value() { is_low } else { store.not(is_low) }
        };
        let by_interval = (free < self.width()).then(|| outside(store, term, interval));
        store.or_all(by_interval.into_iter().chain(rest.iter().map(other_bit)))
    }
}

impl Groups {
    /// The step of the system with these values of latches and inputs.
    pub(crate) fn step(&self, latches: &[bool], inputs: &[bool]) -> StsStep {
        StsStep {
            state: self.latches.iter().map(|group| group.value(latches)).collect(),
            inputs: self.inputs.iter().map(|group| group.value(inputs)).collect(),
        }
    }

    /// The formula that excludes the states of a cube.
    pub(crate) fn clause(&self, store: &Store, cube: &Cube) -> ExprId {
        let mut by_group: Vec<(usize, Vec<LatchLit>)> = Vec::new();
        for lit in cube.lits() {
            let group = self.latches.partition_point(|group| group.first <= lit.latch()) - 1;
            match by_group.last_mut() {
                Some((last, lits)) if *last == group => lits.push(*lit),
                _ => by_group.push((group, vec![*lit])),
            }
        }
        store.or_all(by_group.into_iter().map(|(group, lits)| self.latches[group].excluded(store, &lits)))
    }

    /// A variable for each latch: a Boolean variable itself, new ones for others.
    pub(crate) fn bits(&self, store: &Store) -> Vec<VarId> {
        let bits = |group: &Group| match group.kind {
            BitGroupKind::Bool => vec![group.var],
            BitGroupKind::Int(_) | BitGroupKind::Vector(_) => {
                (0..group.width()).map(|_| store.declare_fresh("bit", Sort::Bool)).collect()
            }
        };
        self.latches.iter().flat_map(bits).collect()
    }

    /// For each latch the formula over the variables that says that it is set.
    pub(crate) fn meanings(&self, store: &Store) -> Vec<ExprId> {
        let meanings = |group: &Group| {
            let is_set = |bit: usize| group.excluded(store, &[LatchLit::new(group.first + bit, false)]);
            (0..group.width()).map(is_set).collect::<Vec<_>>()
        };
        self.latches.iter().flat_map(meanings).collect()
    }

    /// That all integers are in their ranges.
    pub(crate) fn in_range(&self, store: &Store) -> ExprId {
        store.and_all(self.latches.iter().filter_map(|group| match group.kind {
            BitGroupKind::Bool | BitGroupKind::Vector(_) => None,
            BitGroupKind::Int(range) => {
                let term = store.var_expr(group.var);
                Some(store.and(store.le(store.int(range.low), term), store.le(term, store.int(range.high))))
            }
        }))
    }
}

fn outside(store: &Store, term: ExprId, (first, last): (i64, i64)) -> ExprId {
    store.or(store.lt(term, store.int(first)), store.lt(store.int(last), term))
}

/// The values of a range whose distance from its least value fits, as intervals.
fn intervals(range: Range, fits: impl Fn(i64) -> bool) -> Vec<(i64, i64)> {
    let mut intervals: Vec<(i64, i64)> = Vec::new();
    for distance in (0..=range.high - range.low).filter(|distance| fits(*distance)) {
        let value = range.low + distance;
        match intervals.last_mut() {
            Some((_, last)) if *last == value - 1 => *last = value,
            _ => intervals.push((value, value)),
        }
    }
    intervals
}

/// The number with these bits, the lowest first.
fn number(bits: &[bool]) -> i64 {
    bits.iter().enumerate().fold(0, |number, (at, bit)| number | i64::from(*bit) << at)
}
