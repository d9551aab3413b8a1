//! Floating constants: the formats of C and their bits. The arithmetic is that of terms, which is exact.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use thetis_expr::{BitVec, ExprId, Float, FloatSort, Rational, RoundingMode, Sort, Store, Value};

use crate::hir::{BinaryOp, CompareOp, FloatKind};

/// The rounding mode of constants, and of run-time operations unless a program sets another one.
const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// The number of bits after the explicit leading bit of the x87 format.
const X87_FRACTION: u32 = 63;

/// The format of a type.
pub(super) fn sort_of(kind: FloatKind) -> FloatSort {
    let (exponent, significand) = match kind {
        FloatKind::Float => (8, 24),
        FloatKind::Double => (11, 53),
        FloatKind::LongDouble => (15, 64),
    };
    FloatSort::new(exponent, significand).expect("the formats of C should be formats")
}

/// The bits of a value in memory. The format of `long double` has an explicit leading bit, all others do without.
pub(super) fn bits_of(kind: FloatKind, value: &Float) -> u128 {
    let bits = value.to_bits().unsigned().to_u128().expect("the formats of C should have at most 80 bits");
    if kind != FloatKind::LongDouble {
        return bits;
    }
    let fraction = bits & ((1 << X87_FRACTION) - 1);
    let sign_and_exponent = bits >> X87_FRACTION;
    let leading = u128::from(sign_and_exponent & 0x7fff != 0);
    (sign_and_exponent << (X87_FRACTION + 1)) | (leading << X87_FRACTION) | fraction
}

/// The value that bits stand for, the reverse of [`bits_of`].
pub(super) fn value_of(kind: FloatKind, bits: u128) -> Float {
    let sort = sort_of(kind);
    let bits = match kind {
        FloatKind::LongDouble => {
            let fraction = bits & ((1 << X87_FRACTION) - 1);
            ((bits >> (X87_FRACTION + 1)) << X87_FRACTION) | fraction
        }
        _ => bits,
    };
    Float::from_bits(sort, &BitVec::new(sort.width(), BigUint::from(bits)))
}

/// The nearest value.
pub(super) fn from_rational(kind: FloatKind, number: Rational) -> Float {
    folded(|store| store.fp_from_real(NEAREST, store.real(number), Sort::Float(sort_of(kind))))
}

/// The value in another format.
pub(super) fn to_kind(kind: FloatKind, value: &Float) -> Float {
    folded(|store| store.fp_from_fp(NEAREST, store.float(value.clone()), Sort::Float(sort_of(kind))))
}

/// The exact number, if it is one.
pub(super) fn to_rational(value: &Float) -> Option<Rational> {
    let store = Store::new();
    let term = store.float(value.clone());
    let is_number = [store.fp_is_nan(term), store.fp_is_infinite(term)]
        .iter()
        .all(|special| store.value(*special) == Some(Value::Bool(false)));
    match store.value(store.fp_to_real(term)) {
        Some(Value::Real(number)) if is_number => Some(number),
        _ => None,
    }
}

/// The number with the other sign.
pub(super) fn negated(value: &Float) -> Float {
    folded(|store| store.fp_neg(store.float(value.clone())))
}

/// The result of an operation, rounded to the format of the operands; `None` if floats have no such operation.
pub(super) fn calculated(op: BinaryOp, left: &Float, right: &Float) -> Option<Float> {
    let store = Store::new();
    let (left, right) = (store.float(left.clone()), store.float(right.clone()));
    let term = match op {
        BinaryOp::Add => store.fp_add(NEAREST, left, right),
        BinaryOp::Sub => store.fp_sub(NEAREST, left, right),
        BinaryOp::Mul => store.fp_mul(NEAREST, left, right),
        BinaryOp::Div => store.fp_div(NEAREST, left, right),
        _ => return None,
    };
    as_float(&store, term)
}

/// The truth of a comparison.
pub(super) fn compared(op: CompareOp, left: &Float, right: &Float) -> bool {
    let store = Store::new();
    let (left, right) = (store.float(left.clone()), store.float(right.clone()));
    let (term, positive) = match op {
        CompareOp::Eq => (store.fp_eq(left, right), true),
        CompareOp::Ne => (store.fp_eq(left, right), false),
        CompareOp::Lt => (store.fp_lt(left, right), true),
        CompareOp::Le => (store.fp_le(left, right), true),
        CompareOp::Gt => (store.fp_lt(right, left), true),
        CompareOp::Ge => (store.fp_le(right, left), true),
    };
    store.value(term) == Some(Value::Bool(positive))
}

fn folded(build: impl FnOnce(&Store) -> ExprId) -> Float {
    let store = Store::new();
    let term = build(&store);
    as_float(&store, term).expect("a term over floating constants should be one")
}

fn as_float(store: &Store, term: ExprId) -> Option<Float> {
    match store.value(term) {
        Some(Value::Float(value)) => Some(value),
        _ => None,
    }
}
