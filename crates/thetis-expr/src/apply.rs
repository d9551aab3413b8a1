//! The meaning of operators on values: one total function, used for constant folding and for evaluation.

use std::cmp::Ordering;

use num_bigint::BigInt;
use thetis_base::tick;

use crate::big::{add_real, div_real, euclidean, mul, mul_real};
use crate::{ArrayValue, BitVec, Float, FloatClass, FloatSort, Op, Rational, Sort, Value};

/// The value of `op` of result sort `sort` on `args`; `index_sort` is that of the result if it is an array.
///
/// # Panics
/// If the arguments do not have the sorts of the operator; terms are well-sorted by construction.
pub(crate) fn apply(op: Op, sort: Sort, index_sort: Option<Sort>, args: &[&Value]) -> Value {
    use Op::*;
    tick();
    match op {
        Const(_) | Var(_) => panic!("a leaf should not be applied"),
        Not => Value::Bool(!bool(args[0])),
        And => Value::Bool(args.iter().all(|arg| bool(arg))),
        Or => Value::Bool(args.iter().any(|arg| bool(arg))),
        Xor => Value::Bool(bool(args[0]) != bool(args[1])),
        Ite => args[if bool(args[0]) { 1 } else { 2 }].clone(),
        Eq => Value::Bool(args[0] == args[1]),
        Neg | Add | Sub | Mul | Le | Lt => apply_number(op, args),
        IntDiv => Value::Int(euclidean(int(args[0]), int(args[1])).0),
        Mod => Value::Int(euclidean(int(args[0]), int(args[1])).1),
        RealDiv => Value::Real(div_real(real(args[0]), real(args[1]))),
        ToReal => Value::Real(Rational::from_integer(int(args[0]).clone())),
        ToInt => Value::Int(real(args[0]).floor().to_integer()),
        BvUlt => Value::Bool(bits(args[0]).unsigned() < bits(args[1]).unsigned()),
        BvUle => Value::Bool(bits(args[0]).unsigned() <= bits(args[1]).unsigned()),
        BvSlt => Value::Bool(bits(args[0]).compare_signed(bits(args[1])).is_lt()),
        BvSle => Value::Bool(bits(args[0]).compare_signed(bits(args[1])).is_le()),
        BvToInt => Value::Int(bits(args[0]).to_int()),
        IntToBv => Value::BitVec(BitVec::from_int(width(sort), int(args[0]))),
        Select => array(args[0]).read(args[1]).clone(),
        Store => Value::Array(array(args[0]).write(args[1].clone(), args[2].clone()).into()),
        ConstArray => {
            let index_sort = index_sort.expect("an array should have an index sort");
            Value::Array(ArrayValue::new(index_sort, args[0].clone()).into())
        }
        _ if op.is_float() => apply_float(op, sort, args),
        _ => Value::BitVec(apply_bits(op, sort, args)),
    }
}

fn apply_bits(op: Op, sort: Sort, args: &[&Value]) -> BitVec {
    use Op::*;
    let left = bits(args[0]);
    let right = || bits(args[1]);
    match op {
        BvNot => left.not(),
        BvNeg => left.neg(),
        BvAnd => left.and(right()),
        BvOr => left.or(right()),
        BvXor => left.xor(right()),
        BvAdd => left.add(right()),
        BvSub => left.sub(right()),
        BvMul => left.mul(right()),
        BvUdiv => left.udiv(right()),
        BvUrem => left.urem(right()),
        BvSdiv => left.sdiv(right()),
        BvSrem => left.srem(right()),
        BvSmod => left.smod(right()),
        BvShl => left.shl(right()),
        BvLshr => left.lshr(right()),
        BvAshr => left.ashr(right()),
        Concat => left.concat(right()),
        Extract(lowest) => left.extract(lowest, width(sort)),
        ZeroExtend => left.zero_extend(width(sort)),
        SignExtend => left.sign_extend(width(sort)),
        _ => panic!("{op:?} should not have a bit-vector result"),
    }
}

fn apply_float(op: Op, sort: Sort, args: &[&Value]) -> Value {
    use Op::*;
    let is = |class| Value::Bool(float(args[0]).class() == class);
    let ordered =
        |test: fn(Ordering) -> bool| Value::Bool(float(args[0]).compare(float(args[1])).is_some_and(test));
    match op {
        FpLe => ordered(Ordering::is_le),
        FpLt => ordered(Ordering::is_lt),
        FpEq => ordered(Ordering::is_eq),
        FpIsNan => is(FloatClass::Nan),
        FpIsInfinite => is(FloatClass::Infinite),
        FpIsZero => is(FloatClass::Zero),
        FpIsNormal => is(FloatClass::Normal),
        FpIsSubnormal => is(FloatClass::Subnormal),
        FpIsNegative => Value::Bool(float(args[0]).is_negative()),
        FpIsPositive => Value::Bool(!float(args[0]).is_negative() && !float(args[0]).is_nan()),
        FpToSigned(mode) => Value::BitVec(float(args[0]).to_signed(width(sort), mode)),
        FpToUnsigned(mode) => Value::BitVec(float(args[0]).to_unsigned(width(sort), mode)),
        FpToReal => Value::Real(float(args[0]).to_rational()),
        FpFromBits => Value::Float(Float::from_bits(format(sort), bits(args[0]))),
        FpFromFp(mode) => Value::Float(float(args[0]).to_format(format(sort), mode)),
        FpFromReal(mode) => Value::Float(Float::from_rational(format(sort), mode, real(args[0]))),
        FpFromSigned(mode) => Value::Float(Float::from_int(format(sort), mode, &bits(args[0]).signed())),
        FpFromUnsigned(mode) => Value::Float(Float::from_int(format(sort), mode, &bits(args[0]).to_int())),
        _ => Value::Float(compute(op, args)),
    }
}

/// Operators from floats of one format to that format.
fn compute(op: Op, args: &[&Value]) -> Float {
    use Op::*;
    let left = float(args[0]);
    let right = || float(args[1]);
    match op {
        FpAdd(mode) => left.add(right(), mode),
        FpSub(mode) => left.sub(right(), mode),
        FpMul(mode) => left.mul(right(), mode),
        FpDiv(mode) => left.div(right(), mode),
        FpFma(mode) => left.fma(right(), float(args[2]), mode),
        FpSqrt(mode) => left.sqrt(mode),
        FpRem => left.rem(right()),
        FpRoundToIntegral(mode) => left.round_to_integral(mode),
        FpMin => left.min(right()),
        FpMax => left.max(right()),
        FpAbs => left.abs(),
        FpNeg => left.neg(),
        _ => panic!("{op:?} should be an operator on floats"),
    }
}

fn apply_number(op: Op, args: &[&Value]) -> Value {
    match args[0] {
        Value::Int(_) => apply_int(op, args),
        _ => apply_real(op, args),
    }
}

fn apply_int(op: Op, args: &[&Value]) -> Value {
    match op {
        Op::Neg => Value::Int(-int(args[0])),
        Op::Add => Value::Int(args.iter().map(|arg| int(arg)).sum()),
        Op::Sub => Value::Int(int(args[0]) - int(args[1])),
        Op::Mul => {
            Value::Int(args[1..].iter().fold(int(args[0]).clone(), |product, arg| mul(&product, int(arg))))
        }
        Op::Le => Value::Bool(int(args[0]) <= int(args[1])),
        Op::Lt => Value::Bool(int(args[0]) < int(args[1])),
        _ => panic!("{op:?} should be an arithmetic operator"),
    }
}

fn apply_real(op: Op, args: &[&Value]) -> Value {
    match op {
        Op::Neg => Value::Real(-real(args[0])),
        Op::Add => {
            Value::Real(args[1..].iter().fold(real(args[0]).clone(), |sum, arg| add_real(&sum, real(arg))))
        }
        Op::Sub => Value::Real(add_real(real(args[0]), &-real(args[1]))),
        Op::Mul => Value::Real(
            args[1..].iter().fold(real(args[0]).clone(), |product, arg| mul_real(&product, real(arg))),
        ),
        Op::Le => Value::Bool(real(args[0]) <= real(args[1])),
        Op::Lt => Value::Bool(real(args[0]) < real(args[1])),
        _ => panic!("{op:?} should be an arithmetic operator"),
    }
}

fn bool(value: &Value) -> bool {
    value.as_bool().expect("the argument should be a truth value")
}

fn int(value: &Value) -> &BigInt {
    value.as_int().expect("the argument should be an integer")
}

fn real(value: &Value) -> &Rational {
    match value {
        Value::Real(value) => value,
        _ => panic!("the argument should be a rational"),
    }
}

fn bits(value: &Value) -> &BitVec {
    match value {
        Value::BitVec(value) => value,
        _ => panic!("the argument should be a bit-vector"),
    }
}

fn float(value: &Value) -> &Float {
    match value {
        Value::Float(value) => value,
        _ => panic!("the argument should be a float"),
    }
}

fn format(sort: Sort) -> FloatSort {
    sort.float_format().expect("the result should be a float")
}

fn array(value: &Value) -> &ArrayValue {
    match value {
        Value::Array(value) => value,
        _ => panic!("the argument should be an array"),
    }
}

fn width(sort: Sort) -> u32 {
    sort.width().expect("the result should be a bit-vector")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_euclidean_and_total() {
        for (dividend, divisor, quotient, remainder) in
            [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (5, 0, 0, 5), (-6, 3, -2, 0)]
        {
            let (dividend, divisor) = (Value::int(dividend), Value::int(divisor));
            let args = [&dividend, &divisor];
            assert_eq!(apply(Op::IntDiv, Sort::Int, None, &args), Value::int(quotient), "{args:?}");
            assert_eq!(apply(Op::Mod, Sort::Int, None, &args), Value::int(remainder), "{args:?}");
        }
    }
}
