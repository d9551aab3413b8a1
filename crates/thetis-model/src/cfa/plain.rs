//! The same run with plainer inputs.
//!
//! A solver chooses inputs that satisfy a formula, such as −2147483648 where any number but zero would do. People have to read them, so each
//! input is replaced by the first of a few plain values, zero first, with which the run still takes the same edges. The interpreter decides;
//! nothing about the run is guessed. It is greedy: inputs are tried one by one, from the first to the last, and an earlier one is not tried again.

use std::sync::Arc;

use num_bigint::BigInt;
use thetis_base::tick;
use thetis_expr::{ArrayValue, BitVec, Value};

use super::{Cfa, CfaTrace, Interpreter, State};
use crate::Task;

/// How many steps are taken and initial values set in search of plainer inputs. Long runs and models with many variables
/// get fewer attempts.
const MAX_WORK: usize = 100_000;

/// Arrays with more entries than this are left alone.
const MAX_ENTRIES: usize = 64;

/// The run `trace` of the automaton with inputs that are easier to read; none if nothing can be changed.
pub fn with_plain_inputs(task: &Task<Cfa>, trace: &CfaTrace) -> Option<CfaTrace> {
    if trace.deep.is_some() || !trace.rounds.is_empty() || trace.steps.len() > MAX_WORK {
        return None;
    }
    let mut search = PlainSearch {
        interpreter: Interpreter::new(task),
        trace: trace.clone(),
        work_left: MAX_WORK,
        is_changed: false,
    };
    search.initial_values();
    search.inputs()?;
    // The whole run once more: what was tried piece by piece has to work from start to end.
    let is_better = search.is_changed && search.interpreter.end(&search.trace).is_ok();
    is_better.then_some(search.trace)
}

struct PlainSearch<'t> {
    interpreter: Interpreter<'t>,
    trace: CfaTrace,
    work_left: usize,
    is_changed: bool,
}

impl PlainSearch<'_> {
    fn initial_values(&mut self) {
        let vars: Vec<_> = self.trace.initial.keys().copied().collect();
        for var in vars {
            let value = self.trace.initial[&var].clone();
            let mut kept = value.clone();
            for plainer in attempts(&value) {
                if !self.spends(self.trace.initial.len()) {
                    return;
                }
                let next = plainer.applied(&kept);
                self.trace.initial.insert(var, next.clone());
                let start = self.interpreter.initial(&self.trace.initial);
                let works = start.is_ok_and(|start| self.works_from(0, &start));
                if works {
                    kept = next;
                    self.is_changed = true;
                    if plainer.is_whole() {
                        break;
                    }
                } else {
                    self.trace.initial.insert(var, kept.clone());
                }
            }
        }
    }

    /// Tries all inputs of the steps; none if `trace` is no run.
    fn inputs(&mut self) -> Option<()> {
        let mut state = self.interpreter.initial(&self.trace.initial).ok()?;
        for number in 0..self.trace.steps.len() {
            if self.work_left == 0 {
                break;
            }
            for input in 0..self.trace.steps[number].inputs.len() {
                let value = self.trace.steps[number].inputs[input].clone();
                for plainer in attempts(&value).into_iter().filter(Attempt::is_whole) {
                    self.trace.steps[number].inputs[input] = plainer.applied(&value);
                    if self.works_from(number, &state) {
                        self.is_changed = true;
                        break;
                    }
                    self.trace.steps[number].inputs[input] = value.clone();
                }
            }
            state = self.interpreter.step(&state, &self.trace.steps[number]).ok()?;
        }
        Some(())
    }

    /// Whether that much work may still be done.
    fn spends(&mut self, work: usize) -> bool {
        let left = self.work_left.checked_sub(work.max(1));
        self.work_left = left.unwrap_or(0);
        left.is_some()
    }

    /// Whether the steps from a number on can be taken in a state.
    fn works_from(&mut self, number: usize, state: &State) -> bool {
        if !self.spends(self.trace.steps.len() - number) {
            return false;
        }
        let steps = &self.trace.steps[number..];
        let mut state = state.clone();
        tick();
        steps.iter().all(|step| match self.interpreter.step(&state, step) {
            Ok(next) => {
                state = next;
                true
            }
            Err(_) => false,
        })
    }
}

/// Something that may be tried instead of a value.
enum Attempt {
    /// Another value.
    Whole(Value),
    /// Another element wherever an array has no entry.
    Default(Value),
    /// Another element of an array.
    Entry { index: Value, element: Value },
}

impl Attempt {
    fn is_whole(&self) -> bool {
        matches!(self, Attempt::Whole(_))
    }

    fn applied(&self, value: &Value) -> Value {
        match (self, value) {
            (Attempt::Whole(value), _) => value.clone(),
            (Attempt::Entry { index, element }, Value::Array(array)) => {
                Value::Array(Arc::new(array.write(index.clone(), element.clone())))
            }
            (Attempt::Default(element), Value::Array(array)) => {
                let entries = array.entries().map(|(index, element)| (index.clone(), element.clone()));
                let plain = ArrayValue::new(array.index_sort(), element.clone()).write_all(entries);
                Value::Array(Arc::new(plain))
            }
            (Attempt::Entry { .. } | Attempt::Default(_), other) => other.clone(),
        }
    }
}

/// What may be tried instead of a value, the plainest first; only what is plainer than the value itself.
fn attempts(value: &Value) -> Vec<Attempt> {
    match value {
        Value::Array(array) => entries(array),
        value => plainer(value).into_iter().map(Attempt::Whole).collect(),
    }
}

fn entries(array: &ArrayValue) -> Vec<Attempt> {
    let default = plainer(array.default()).into_iter().take(1).map(Attempt::Default);
    let entries: Vec<(&Value, &Value)> = array.entries().take(MAX_ENTRIES + 1).collect();
    if entries.len() > MAX_ENTRIES {
        return default.collect();
    }
    let attempts = entries.into_iter().flat_map(|(index, element)| {
        plainer(element).into_iter().take(2).map(|element| Attempt::Entry { index: index.clone(), element })
    });
    default.chain(attempts).collect()
}

/// Scalars that are plainer than a value: zero, a letter instead of a byte that is none, one, then ever larger powers of two.
fn plainer(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(true) => vec![Value::Bool(false)],
        Value::Int(number) => numbers(number, false).into_iter().map(Value::Int).collect(),
        Value::BitVec(bits) => {
            let numbers = numbers(&bits.signed(), bits.width() == 8);
            numbers.iter().map(|number| Value::BitVec(BitVec::from_int(bits.width(), number))).collect()
        }
        _ => Vec::new(),
    }
}

fn numbers(number: &BigInt, is_byte: bool) -> Vec<BigInt> {
    let size = number.magnitude();
    let letter = BigInt::from(b'a');
    let is_printable = (BigInt::from(b' ')..=BigInt::from(b'~')).contains(number);
    let mut plainer: Vec<BigInt> = Vec::new();
    let zero = BigInt::ZERO;
    if *number != zero {
        plainer.push(zero);
    }
    if is_byte {
        // Another letter is no plainer, and of small numbers only zero is.
        plainer.extend((!is_printable && *number != BigInt::ZERO).then_some(letter));
        return plainer;
    }
    let mut power = BigInt::from(1);
    while power.magnitude() < size && power.bits() <= 64 {
        plainer.push(power.clone());
        power *= 2;
    }
    if number.sign() == num_bigint::Sign::Minus && size.bits() > 1 {
        plainer.push(BigInt::from(-1));
    }
    plainer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(number: i64) -> Vec<BigInt> {
        numbers(&BigInt::from(number), false)
    }

    #[test]
    fn plainer_numbers_are_smaller() {
        assert!(plain(0).is_empty());
        assert_eq!(plain(1), [BigInt::ZERO]);
        assert_eq!(plain(5), [0, 1, 2, 4].map(BigInt::from));
        assert_eq!(plain(-3), [0, 1, 2, -1].map(BigInt::from));
        assert_eq!(numbers(&BigInt::from(7), true), [0, 97].map(BigInt::from));
        assert_eq!(numbers(&BigInt::from(b'x'), true), [BigInt::ZERO]);
        assert_eq!(plain(i64::MIN).len(), 65);
    }
}
