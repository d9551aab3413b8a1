//! The formats of the processor, rounded to nearest even, against the processor.

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "only the random numbers are used here")]
mod common;

use common::Random;
use thetis_expr::{BitVec, Float, FloatSort, Op, RoundingMode, Sort, Store, Value};

const RNE: RoundingMode = RoundingMode::NearestEven;

fn single(number: f32) -> Value {
    let format = FloatSort::new(8, 24).expect("single precision should be supported");
    Value::Float(Float::from_bits(format, &BitVec::new(32, number.to_bits())))
}

fn double(number: f64) -> Value {
    let format = FloatSort::new(11, 53).expect("double precision should be supported");
    Value::Float(Float::from_bits(format, &BitVec::new(64, number.to_bits())))
}

fn check(op: Op, sort: Option<Sort>, args: &[Value], expected: Value) {
    let store = Store::new();
    let terms: Vec<_> = args.iter().map(|arg| store.literal(arg.clone())).collect();
    let result = store.app(op, sort, &terms).expect("the operator should be well-sorted");
    assert_eq!(store.value(result), Some(expected), "{op:?} on {args:?}");
}

/// Special numbers, any bits, and numbers close to others.
fn number(random: &mut Random) -> f64 {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        1e-310,
        f64::EPSILON,
        4503599627370497.5,
        3.4028235677973366e38,
        1e-45,
        1.17549435e-38,
        16777217.0,
    ];
    match random.below(4) {
        0 => random.pick(&special),
        1 => f64::from_bits(random.next()),
        2 => random.below(2000) as f64 / 8.0 - 100.0,
        _ => f64::from_bits((random.next() >> 12) | ((1023 - 30 + random.next() % 60) << 52)),
    }
}

#[test]
fn arithmetic_agrees_with_the_processor() {
    let mut random = Random(1);
    for _ in 0..4000 {
        let (x, y, z) = (number(&mut random), number(&mut random), number(&mut random));
        check(Op::FpAdd(RNE), None, &[double(x), double(y)], double(x + y));
        check(Op::FpSub(RNE), None, &[double(x), double(y)], double(x - y));
        check(Op::FpMul(RNE), None, &[double(x), double(y)], double(x * y));
        check(Op::FpDiv(RNE), None, &[double(x), double(y)], double(x / y));
        check(Op::FpFma(RNE), None, &[double(x), double(y), double(z)], double(x.mul_add(y, z)));
        check(Op::FpSqrt(RNE), None, &[double(x)], double(x.sqrt()));
        check(Op::FpLt, None, &[double(x), double(y)], Value::Bool(x < y));
        check(Op::FpLe, None, &[double(x), double(y)], Value::Bool(x <= y));
        check(Op::FpEq, None, &[double(x), double(y)], Value::Bool(x == y));
        let (x, y) = (x as f32, y as f32);
        check(Op::FpAdd(RNE), None, &[single(x), single(y)], single(x + y));
        check(Op::FpMul(RNE), None, &[single(x), single(y)], single(x * y));
        check(Op::FpDiv(RNE), None, &[single(x), single(y)], single(x / y));
        check(Op::FpSqrt(RNE), None, &[single(x)], single(x.sqrt()));
    }
}

#[test]
fn rounding_agrees_with_the_processor() {
    let mut random = Random(2);
    for _ in 0..4000 {
        let x = number(&mut random);
        for (mode, expected) in [
            (RoundingMode::NearestEven, x.round_ties_even()),
            (RoundingMode::NearestAway, x.round()),
            (RoundingMode::TowardPositive, x.ceil()),
            (RoundingMode::TowardNegative, x.floor()),
            (RoundingMode::TowardZero, x.trunc()),
        ] {
            check(Op::FpRoundToIntegral(mode), None, &[double(x)], double(expected));
        }
    }
}

#[test]
fn conversions_agree_with_the_processor() {
    let mut random = Random(3);
    for _ in 0..4000 {
        let (x, bits) = (number(&mut random), random.next() >> random.below(64));
        let word = Value::BitVec(BitVec::new(64, bits));
        let (single_sort, double_sort) = (Some(Sort::float(8, 24)), Some(Sort::float(11, 53)));
        check(Op::FpFromFp(RNE), single_sort, &[double(x)], single(x as f32));
        check(Op::FpFromFp(RNE), double_sort, &[single(x as f32)], double(f64::from(x as f32)));
        check(Op::FpFromSigned(RNE), single_sort, std::slice::from_ref(&word), single(bits as i64 as f32));
        check(Op::FpFromUnsigned(RNE), double_sort, std::slice::from_ref(&word), double(bits as f64));
        check(Op::FpFromBits, double_sort, &[word], double(f64::from_bits(bits)));
        if x.trunc() >= -2147483648.0 && x.trunc() <= 2147483647.0 {
            let expected = Value::BitVec(BitVec::new(32, x as i32 as u32));
            check(Op::FpToSigned(RoundingMode::TowardZero), Some(Sort::bitvec(32)), &[double(x)], expected);
        }
    }
}
