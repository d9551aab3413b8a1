//! Inputs that matter: values at which the program behaves differently.
//!
//! A program compares its inputs, or copies of them, with constants. So variables that are assigned to or compared with each other
//! form classes, an array belongs to the class of its elements, and the constants that members of a class are compared with are
//! tried for all of them, together with their neighbours, a few small numbers and occasionally random values.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use thetis_expr::{
    BitVec, ExprId, Float, FloatSign, FloatSort, Op, Postorder, Sort, Store, Value, VarId, default_value,
};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, StmtKind};

use crate::machine::{Cells, Word};

/// Values to try for each variable.
pub(crate) struct Inputs {
    sorts: Vec<Sort>,
    elements: Vec<Option<Sort>>,
    /// For each variable the values worth trying, the most promising first. If several arrays have the same values, each begins with a
    /// different one, because a program that compares arrays shows more of its behaviour if they differ.
    candidates: Vec<Vec<Word>>,
}

/// Small numbers are often lengths and counts.
const SMALL: [i64; 8] = [0, 1, -1, 2, 3, 5, 10, 100];
/// The greatest number of arrays that are tried one after the other.
const MAX_ARRAYS: usize = 2;
/// The greatest number of constants taken from a program for one class.
const MAX_CONSTANTS: usize = 64;

impl Inputs {
    pub(crate) fn new(task: &Task<Cfa>) -> Inputs {
        let (store, cfa) = (&task.store, &task.model);
        let mut classes = Classes::new(&cfa.vars);
        for edge in &cfa.edges {
            for stmt in edge.stmt.walk() {
                match stmt.kind {
                    StmtKind::Assign(var, term) => classes.assign(store, var, term),
                    StmtKind::Assume(formula) => classes.compare(store, formula),
                    _ => {}
                }
            }
        }
        let sorts: Vec<Sort> = cfa.vars.iter().map(|var| store.var_sort(*var)).collect();
        let elements: Vec<Option<Sort>> = sorts.iter().map(|sort| element_sort(store, *sort)).collect();
        let constants = classes.constants(sorts.len());
        let mut arrays: FxHashMap<Vec<Word>, usize> = FxHashMap::default();
        let candidates =
            constants.iter().zip(sorts.iter().zip(&elements)).map(|(constants, (sort, element))| {
                let mut candidates = candidates(store, element.unwrap_or(*sort), constants);
                if element.is_some() {
                    let num_before = arrays.entry(candidates.clone()).or_default();
                    let turn = *num_before % candidates.len().max(1);
                    *num_before += 1;
                    candidates.rotate_left(turn);
                }
                candidates
            });
        let candidates = candidates.collect();
        Inputs { sorts, elements, candidates }
    }

    /// How many values of a variable are worth trying one after the other; only few for arrays, which are usually
    /// memory that is about to be written.
    pub(crate) fn num_candidates(&self, variable: usize) -> usize {
        let most = if self.elements[variable].is_some() { MAX_ARRAYS } else { usize::MAX };
        self.candidates[variable].len().min(most)
    }

    /// The candidate with this number for a variable.
    pub(crate) fn candidate(&self, variable: usize, number: usize) -> Word {
        self.shaped(variable, self.candidates[variable][number].clone())
    }

    /// Some value for a variable: usually a candidate.
    pub(crate) fn any(&self, store: &Store, variable: usize, random: &mut fastrand::Rng) -> Word {
        let candidates = &self.candidates[variable];
        if !candidates.is_empty() && random.u8(..4) > 0 {
            return self.candidate(variable, random.usize(..candidates.len()));
        }
        let sort = self.elements[variable].unwrap_or(self.sorts[variable]);
        self.shaped(variable, arbitrary(store, sort, random))
    }

    /// An array is the same everywhere.
    fn shaped(&self, variable: usize, word: Word) -> Word {
        if self.elements[variable].is_some() { Word::Cells(Cells::new(word)) } else { word }
    }
}

/// The sort of elements if `sort` is that of arrays.
fn element_sort(store: &Store, sort: Sort) -> Option<Sort> {
    match sort {
        Sort::Array(array) => Some(store.array_parts(array).1),
        _ => None,
    }
}

/// The constants, their neighbours, values between them, and small numbers; all of `sort`.
fn candidates(store: &Store, sort: Sort, constants: &[Value]) -> Vec<Word> {
    let mut values: Vec<Value> = Vec::new();
    match sort {
        Sort::Bool => values.extend([true, false].map(Value::Bool)),
        Sort::Int | Sort::BitVec(_) => {
            let numbers: Vec<BigInt> = constants.iter().filter_map(number).collect();
            let beside = numbers.iter().flat_map(|number| [number + 1, number - 1]);
            let small = SMALL.iter().map(|number| BigInt::from(*number));
            let all: Vec<BigInt> = numbers.iter().cloned().chain(small).chain(beside).collect();
            values.extend(all.iter().map(|number| match sort {
                Sort::BitVec(width) => Value::BitVec(BitVec::from_int(width.get(), number)),
                _ => Value::Int(number.clone()),
            }));
        }
        Sort::Float(format) => values.extend(floats(format, constants)),
        Sort::Real | Sort::Array(_) => values.push(default_value(store, sort)),
    }
    let mut words: Vec<Word> = Vec::new();
    for word in values.iter().map(Word::of) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

fn number(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(number) => Some(number.clone()),
        Value::BitVec(bits) => Some(bits.signed()),
        _ => None,
    }
}

/// The constants, zero and one, and points between any two neighbours of them. There is always one, also of formats that the machine
/// does not have.
fn floats(format: FloatSort, constants: &[Value]) -> Vec<Value> {
    let constants = constants.iter().filter_map(|value| match value {
        Value::Float(float) if float.sort() == format => Some(float.clone()),
        _ => None,
    });
    let mut known: Vec<Float> = constants.collect();
    let Some(native) = Native::of(format) else {
        known
            .extend([Float::zero(format, FloatSign::Positive), Float::infinity(format, FloatSign::Positive)]);
        return known.into_iter().map(Value::Float).collect();
    };
    known.extend([0.0, 1.0, -1.0].map(|number| native.float(format, number)));
    let mut numbers: Vec<f64> =
        known.iter().map(|float| native.number(float)).filter(|number| number.is_finite()).collect();
    numbers.sort_by(f64::total_cmp);
    let between = numbers.windows(2).flat_map(|pair| {
        let [low, high] = [pair[0], pair[1]];
        (1..=PARTS).map(move |part| low + (high - low) * f64::from(part) / f64::from(PARTS + 1))
    });
    known.extend(between.map(|number| native.float(format, number)));
    known.into_iter().map(Value::Float).collect()
}

/// How many points between two neighbours are tried.
const PARTS: u32 = 7;

/// The formats that the machine has.
#[derive(Clone, Copy)]
enum Native {
    Single,
    Double,
}

impl Native {
    fn of(format: FloatSort) -> Option<Native> {
        match (format.exponent_bits(), format.significand_bits()) {
            (8, 24) => Some(Native::Single),
            (11, 53) => Some(Native::Double),
            _ => None,
        }
    }

    fn number(self, float: &Float) -> f64 {
        let bits = float.to_bits().unsigned().to_u64().unwrap_or_default();
        match self {
            Native::Single => f64::from(f32::from_bits(bits as u32)),
            Native::Double => f64::from_bits(bits),
        }
    }

    fn float(self, format: FloatSort, number: f64) -> Float {
        let bits = match self {
            Native::Single => u64::from((number as f32).to_bits()),
            Native::Double => number.to_bits(),
        };
        Float::from_bits(format, &BitVec::new(format.width(), bits))
    }
}

/// Any value of a sort, of any magnitude.
fn arbitrary(store: &Store, sort: Sort, random: &mut fastrand::Rng) -> Word {
    let bits = random.u64(..) >> random.u32(..64);
    match sort {
        Sort::Bool => Word::bool(random.bool()),
        Sort::BitVec(width) => Word::of(&Value::BitVec(BitVec::new(width.get(), bits))),
        Sort::Float(format) => {
            Word::of(&Value::Float(Float::from_bits(format, &BitVec::new(format.width(), random.u64(..)))))
        }
        Sort::Int => {
            let magnitude = (bits >> 1).cast_signed();
            Word::Small(if random.bool() { magnitude } else { -magnitude })
        }
        Sort::Real | Sort::Array(_) => Word::of(&default_value(store, sort)),
    }
}

/// Variables that are assigned to or compared with each other, and the constants that they are compared with.
struct Classes {
    positions: FxHashMap<VarId, usize>,
    /// The parent of each variable in its class.
    parents: Vec<usize>,
    /// Variables with constants that something with them is compared with.
    compared: Vec<(usize, Value)>,
}

impl Classes {
    fn new(vars: &[VarId]) -> Classes {
        let positions = vars.iter().enumerate().map(|(position, var)| (*var, position)).collect();
        Classes { positions, parents: (0..vars.len()).collect(), compared: Vec::new() }
    }

    fn root(&mut self, mut position: usize) -> usize {
        while self.parents[position] != position {
            self.parents[position] = self.parents[self.parents[position]];
            position = self.parents[position];
        }
        position
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.root(left), self.root(right));
        self.parents[left.max(right)] = left.min(right);
    }

    fn assign(&mut self, store: &Store, var: VarId, term: ExprId) {
        for copied in self.copied(store, term) {
            self.join(self.positions[&var], copied);
        }
        self.compare(store, term);
    }

    /// The variables one of whose values `term` can have: it is one, an element of one, or a choice between such.
    fn copied(&self, store: &Store, term: ExprId) -> Vec<usize> {
        let mut found = Vec::new();
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            let args = store.args(term);
            match store.op(term) {
                Op::Var(var) => found.extend(self.positions.get(&var)),
                Op::Select
                | Op::ConstArray
                | Op::ZeroExtend
                | Op::SignExtend
                | Op::Extract(_)
                | Op::BvToInt
                | Op::IntToBv => {
                    pending.push(args[0]);
                }
                // A wrapped number is usually the number itself.
                Op::Mod => pending.push(args[0]),
                Op::Ite => pending.extend([args[1], args[2]]),
                Op::Store => pending.extend([args[0], args[2]]),
                _ => {}
            }
        }
        found
    }

    /// Looks at all comparisons in `term`.
    fn compare(&mut self, store: &Store, term: ExprId) {
        for part in Postorder::new(store, [term]) {
            let is_comparison = matches!(
                store.op(part),
                Op::Eq
                    | Op::Le
                    | Op::Lt
                    | Op::BvUlt
                    | Op::BvUle
                    | Op::BvSlt
                    | Op::BvSle
                    | Op::FpLe
                    | Op::FpLt
                    | Op::FpEq
            );
            if !is_comparison {
                continue;
            }
            let args = store.args(part);
            for (this, that) in [(args[0], args[1]), (args[1], args[0])] {
                if let Some(value) = store.value(that) {
                    let vars = store.vars_of([this]);
                    let known = vars.iter().filter_map(|var| self.positions.get(var));
                    self.compared.extend(known.map(|position| (*position, value.clone())));
                }
            }
            if let ([left], [right]) = (&*self.copied(store, args[0]), &*self.copied(store, args[1])) {
                self.join(*left, *right);
            }
        }
    }

    /// The constants of the class of each variable, the most frequent first.
    fn constants(mut self, num_vars: usize) -> Vec<Vec<Value>> {
        let mut counts: Vec<BTreeMap<Value, usize>> = vec![BTreeMap::new(); num_vars];
        for (position, value) in std::mem::take(&mut self.compared) {
            *counts[self.root(position)].entry(value).or_default() += 1;
        }
        let ordered = |counts: &BTreeMap<Value, usize>| {
            let mut values: Vec<(&Value, &usize)> = counts.iter().collect();
            values.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            values.into_iter().take(MAX_CONSTANTS).map(|(value, _)| value.clone()).collect::<Vec<Value>>()
        };
        let by_root: Vec<Vec<Value>> = counts.iter().map(ordered).collect();
        (0..num_vars).map(|position| by_root[self.root(position)].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use thetis_base::{Diagnostics, SourceMap};

    use super::*;

    #[test]
    fn arrays_with_the_same_candidates_differ_at_first() {
        let text = "main process p {
            var a : [int] -> int var b : [int] -> int var c : [int] -> int var d : [int] -> int
            init loc A error loc E
            A -> E { assume a[0] = 42 assume b[0] = a[1] assume c[0] = 17 and d[0] = d[1] }
        }";
        let mut sources = SourceMap::new();
        let file = sources.add("test.cfa", text);
        let task = thetis_text::cfa::parse(&sources, file, &mut Diagnostics::new())
            .unwrap_or_else(|_| panic!("the model should parse"));
        let inputs = Inputs::new(&task);
        let first = |variable| inputs.candidate(variable, 0);
        let all = |number| Word::Cells(Cells::new(Word::Small(number)));
        assert_eq!([0, 1, 2, 3].map(first), [42, 0, 17, 0].map(all));
    }

    #[test]
    fn floats_of_any_format_have_a_candidate() {
        for (exponent, significand) in [(8, 24), (11, 53), (15, 64), (15, 113), (3, 4)] {
            let format = FloatSort::new(exponent, significand).unwrap();
            assert!(!floats(format, &[]).is_empty(), "{exponent} {significand}");
        }
    }
}
