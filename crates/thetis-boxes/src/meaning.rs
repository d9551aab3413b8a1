//! What is known about a term, given ranges for its arguments.

use num_bigint::BigInt;
use num_traits::One;
use smallvec::SmallVec;
use thetis_expr::{BitVec, ExprId, Float, FloatSign, Op, Sort, Store, Value, apply};

use crate::floats::{FloatRange, half_line};

/// What is known of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Range {
    /// It is this one.
    Known(Value),
    /// It is one of these, which are not exactly one.
    Floats(FloatRange),
    /// Nothing; the value is no float.
    Any,
}

impl Range {
    /// Any value of the sort.
    pub fn all(sort: Sort) -> Range {
        sort.float_format().map_or(Range::Any, |format| Range::Floats(FloatRange::all(format)))
    }

    /// One of these values.
    pub fn of(floats: FloatRange) -> Range {
        match floats.single() {
            Some(value) => Range::Known(Value::Float(value)),
            None => Range::Floats(floats),
        }
    }

    fn of_truth(truth: Option<bool>) -> Range {
        truth.map_or(Range::Any, |truth| Range::Known(Value::Bool(truth)))
    }

    /// The truth value, if it is known.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Range::Known(value) => value.as_bool(),
            _ => None,
        }
    }

    /// The range of a float.
    pub fn floats(&self) -> Option<FloatRange> {
        match self {
            Range::Known(Value::Float(value)) => Some(FloatRange::of(value)),
            Range::Floats(floats) => Some(floats.clone()),
            _ => None,
        }
    }

    /// One or the other.
    fn or(&self, other: &Range) -> Range {
        match (self.floats(), other.floats()) {
            _ if self == other => self.clone(),
            (Some(left), Some(right)) => Range::of(left.or(&right)),
            _ => Range::Any,
        }
    }
}

/// What is known of `term`, which is no variable, if `arguments` are known of its arguments. Whatever values of these ranges the arguments have, the
/// value of the term is in the result.
pub fn meaning(store: &Store, term: ExprId, arguments: &[&Range]) -> Range {
    let known: Option<SmallVec<[&Value; 4]>> = arguments
        .iter()
        .map(|argument| match argument {
            Range::Known(value) => Some(value),
            _ => None,
        })
        .collect();
    if let Some(values) = known {
        return Range::Known(apply(store, term, &values));
    }
    match store.op(term) {
        Op::Not => Range::of_truth(arguments[0].truth().map(|truth| !truth)),
        Op::And => junction(arguments, false),
        Op::Or => junction(arguments, true),
        Op::Ite => match arguments[0].truth() {
            Some(truth) => arguments[if truth { 1 } else { 2 }].clone(),
            None => arguments[1].or(arguments[2]),
        },
        Op::Eq => match (arguments[0].floats(), arguments[1].floats()) {
            (Some(left), Some(right)) => Range::of_truth(left.same(&right)),
            _ => Range::Any,
        },
        op if op.is_float() => {
            of_floats(store, term, arguments).unwrap_or_else(|| Range::all(store.sort(term)))
        }
        _ => Range::all(store.sort(term)),
    }
}

/// A conjunction, decided by `false`, or a disjunction, decided by `true`.
fn junction(arguments: &[&Range], decisive: bool) -> Range {
    let mut truths = arguments.iter().map(|argument| argument.truth());
    let is_decided = truths.any(|truth| truth == Some(decisive));
    Range::of_truth(is_decided.then_some(decisive))
}

/// What is known of the result of an operator on floats; `None` if nothing is.
fn of_floats(store: &Store, term: ExprId, arguments: &[&Range]) -> Option<Range> {
    let op = store.op(term);
    let unary = |value: &Float| float(apply(store, term, &[&Value::Float(value.clone())]));
    let binary = |left: &Float, right: &Float| {
        float(apply(store, term, &[&Value::Float(left.clone()), &Value::Float(right.clone())]))
    };
    if let Some(numbers) = converted(store, term) {
        return Some(Range::of(numbers));
    }
    let first = arguments[0].floats()?;
    let floats = match op {
        Op::FpLt | Op::FpLe | Op::FpEq if same_number(store, store.arg(term, 0), store.arg(term, 1)) => {
            let is_number = !first.has_nan();
            return Some(Range::of_truth(match op {
                Op::FpLt => Some(false),
                _ => is_number.then_some(true),
            }));
        }
        Op::FpNeg => first.negated(unary),
        Op::FpAbs => first.absolute(negative),
        Op::FpSqrt(_) => first.roots(unary),
        Op::FpRoundToIntegral(_) | Op::FpFromFp(_) => {
            first.increasing(store.sort(term).float_format()?, unary)
        }
        Op::FpMul(_) if store.arg(term, 0) == store.arg(term, 1) => {
            first.absolute(negative).increasing(first.format(), |value| binary(value, value))
        }
        Op::FpAdd(_) => first.sums(&arguments[1].floats()?, binary),
        Op::FpSub(_) => {
            let subtract = |left: &Float, right: &Float| binary(left, &negative(right));
            first.sums(&arguments[1].floats()?.negated(negative), subtract)
        }
        Op::FpMul(_) => first.products(&arguments[1].floats()?, binary),
        Op::FpDiv(_) => first.quotients(&arguments[1].floats()?, binary),
        Op::FpMin | Op::FpMax => first.choices(&arguments[1].floats()?, binary),
        _ => return tested(op, &first, arguments.get(1).and_then(|second| second.floats())),
    };
    Some(Range::of(floats))
}

/// Whether two terms are always the same number, or both NaN, because what distinguishes them adds a zero,
/// multiplies or divides by one, or negates twice. The zeros count as the same.
fn same_number(store: &Store, left: ExprId, right: ExprId) -> bool {
    without_units(store, left) == without_units(store, right)
}

/// A term that is the same number as `term`, except for the sign of a zero.
fn without_units(store: &Store, mut term: ExprId) -> ExprId {
    let is_zero = |term: ExprId| matches!(store.value(term), Some(Value::Float(value)) if FloatRange::of(&value).has_zero());
    let is_one =
        |term: ExprId| matches!(store.value(term), Some(Value::Float(value)) if value == one(&value));
    loop {
        let args = store.args(term);
        term = match (store.op(term), &args[..]) {
            (Op::FpAdd(_) | Op::FpSub(_), [rest, zero]) if is_zero(*zero) => *rest,
            (Op::FpAdd(_), [zero, rest]) if is_zero(*zero) => *rest,
            (Op::FpMul(_) | Op::FpDiv(_), [rest, one]) if is_one(*one) => *rest,
            (Op::FpMul(_), [one, rest]) if is_one(*one) => *rest,
            (Op::FpNeg, [negated]) if store.op(*negated) == Op::FpNeg => store.arg(*negated, 0),
            _ => return term,
        };
    }
}

/// The outcome of a test of one or two floats.
fn tested(op: Op, first: &FloatRange, second: Option<FloatRange>) -> Option<Range> {
    let format = first.format();
    let truth = match op {
        Op::FpLt => first.less(&second?),
        Op::FpLe => first.at_most(&second?),
        Op::FpEq => first.equal(&second?),
        Op::FpIsNan => first.is_within(&FloatRange::of(&Float::nan(format))),
        Op::FpIsZero => first.is_within(&FloatRange::between(
            Float::zero(format, FloatSign::Negative),
            Float::zero(format, FloatSign::Positive),
        )),
        Op::FpIsNegative => first.is_within(&half_line(format, FloatSign::Negative)),
        Op::FpIsPositive => first.is_within(&half_line(format, FloatSign::Positive)),
        Op::FpIsInfinite => first.is_within(&FloatRange::finite(format)).map(|is_finite| !is_finite),
        _ => return None,
    };
    Some(Range::of_truth(truth))
}

/// The possible results of a conversion if only the sort of its argument is known.
fn converted(store: &Store, term: ExprId) -> Option<FloatRange> {
    let width = || store.sort(store.arg(term, 0)).width();
    let result = |value: Value| float(apply(store, term, &[&value]));
    let bits = |number: &BigInt, width: u32| result(Value::BitVec(BitVec::from_int(width, number)));
    let numbers = match store.op(term) {
        Op::FpFromSigned(_) => {
            let half = BigInt::one() << (width()? - 1);
            (bits(&-half.clone(), width()?), bits(&(half - BigInt::one()), width()?))
        }
        Op::FpFromUnsigned(_) => {
            let greatest = (BigInt::one() << width()?) - BigInt::one();
            (result(Value::BitVec(BitVec::new(width()?, 0u32))), bits(&greatest, width()?))
        }
        Op::FpFromReal(_) => return Some(FloatRange::numbers(store.sort(term).float_format()?)),
        _ => return None,
    };
    Some(FloatRange::between(numbers.0, numbers.1))
}

fn float(value: Value) -> Float {
    match value {
        Value::Float(float) => float,
        _ => panic!("an operation on floats should give a float"),
    }
}

/// One, in the format of `value`: its exponent is the bias, and its fraction is zero.
fn one(value: &Float) -> Float {
    let format = value.sort();
    let bias = (BigInt::one() << (format.exponent_bits() - 1)) - BigInt::one();
    Float::with_ordinal(format, &(bias << (format.significand_bits() - 1)))
}

/// The value with the other sign; NaN stays.
fn negative(value: &Float) -> Float {
    value
        .ordinal()
        .map_or_else(|| value.clone(), |place| Float::with_ordinal(value.sort(), &(-place - BigInt::one())))
}
