//! Ranges against all values of tiny formats, and answers against all assignments.

use thetis_base::Run;
use thetis_boxes::floats::FloatRange;
use thetis_boxes::{BoxesFactory, Range, meaning};
use thetis_expr::{
    ExprId, Float, FloatSign, FloatSort, Op, RoundingMode, Sort, Store, Value, VarId, apply, evaluate,
};
use thetis_solver::{Answer, SolverError, SolverFactory};

/// All values of a format, NaN last.
fn values(format: FloatSort) -> Vec<Float> {
    let greatest =
        Float::infinity(format, FloatSign::Positive).ordinal().expect("infinity should be a number");
    let mut values = Vec::new();
    let mut place =
        Float::infinity(format, FloatSign::Negative).ordinal().expect("infinity should be a number");
    while place <= greatest {
        values.push(Float::with_ordinal(format, &place));
        place += 1;
    }
    values.push(Float::nan(format));
    values
}

/// How many random cases; `THETIS_BOXES` asks for more.
fn num_cases(usual: usize) -> usize {
    std::env::var("THETIS_BOXES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn places_of_numbers_are_in_their_order() {
    let format = FloatSort::new(3, 3).unwrap();
    let values = values(format);
    assert_eq!(values.len(), 2 * (7 * 4 + 1) + 1);
    let store = Store::new();
    for pair in values[..values.len() - 1].windows(2) {
        let less = store.fp_lt(store.float(pair[0].clone()), store.float(pair[1].clone()));
        let zeros = [Float::zero(format, FloatSign::Negative), Float::zero(format, FloatSign::Positive)];
        assert_eq!(store.value(less), Some(Value::Bool(*pair != zeros)));
    }
}

/// A random range of values, sometimes of one, sometimes with NaN.
fn random_range(rng: &mut fastrand::Rng, values: &[Float]) -> FloatRange {
    let numbers = &values[..values.len() - 1];
    let (mut low, mut high) = (rng.usize(..numbers.len()), rng.usize(..numbers.len()));
    if low > high {
        std::mem::swap(&mut low, &mut high);
    }
    if rng.u8(..5) == 0 {
        high = low;
    }
    let nan = FloatRange::of(&values[values.len() - 1]);
    match rng.u8(..20) {
        0 => nan,
        1..5 => FloatRange::between(numbers[low].clone(), numbers[high].clone()).or(&nan),
        _ => FloatRange::between(numbers[low].clone(), numbers[high].clone()),
    }
}

/// Terms with one operator each, on `x` and `y` of `sort`, in all rounding modes.
fn operations(store: &Store, sort: Sort) -> Vec<ExprId> {
    let [x, y] = ["x", "y"].map(|name| store.var(name, sort));
    let other = Sort::float(2, 2);
    let mut terms = vec![
        store.fp_min(x, y),
        store.fp_max(x, y),
        store.fp_rem(x, y),
        store.fp_abs(x),
        store.fp_neg(x),
        store.fp_le(x, y),
        store.fp_lt(x, y),
        store.fp_eq(x, y),
        store.eq(x, y),
        store.fp_is_nan(x),
        store.fp_is_infinite(x),
        store.fp_is_zero(x),
        store.fp_is_normal(x),
        store.fp_is_subnormal(x),
        store.fp_is_negative(x),
        store.fp_is_positive(x),
        store.fp_to_real(x),
    ];
    for mode in RoundingMode::ALL {
        terms.extend([
            store.fp_add(mode, x, y),
            store.fp_sub(mode, x, y),
            store.fp_mul(mode, x, y),
            store.fp_mul(mode, x, x),
            store.fp_div(mode, x, y),
            store.fp_sqrt(mode, x),
            store.fp_round_to_integral(mode, x),
            store.fp_from_fp(mode, x, other),
            store.fp_to_signed(mode, x, Sort::bitvec(3)),
        ]);
    }
    terms
}

/// Whether a range has a value.
fn has(range: &Range, value: &Value) -> bool {
    match (range, value) {
        (Range::Known(known), value) => known == value,
        (Range::Floats(floats), Value::Float(value)) => floats.contains(value),
        (Range::Floats(_), _) => false,
        (Range::Any, _) => true,
    }
}

#[test]
fn results_are_in_the_ranges_of_results() {
    let mut rng = fastrand::Rng::with_seed(7);
    for format in [FloatSort::new(2, 3).unwrap(), FloatSort::new(3, 2).unwrap()] {
        let store = Store::new();
        let values = values(format);
        let typed: Vec<Value> = values.iter().cloned().map(Value::Float).collect();
        for term in operations(&store, Sort::Float(format)) {
            let results: Vec<Vec<Value>> =
                typed.iter().map(|x| typed.iter().map(|y| of_two(&store, term, x, y)).collect()).collect();
            for _ in 0..num_cases(60) {
                let [left, right] = [(); 2].map(|()| random_range(&mut rng, &values));
                let [first, second] = [&left, &right].map(|floats| Range::of(floats.clone()));
                let arguments = [&first, &second];
                let num_arguments = store.num_args(term);
                let arguments = if is_square(&store, term) { [&first, &first] } else { arguments };
                let range = meaning(&store, term, &arguments[..num_arguments]);
                for (number, x) in values.iter().enumerate().filter(|(_, x)| left.contains(x)) {
                    for (other, y) in values.iter().enumerate().filter(|(_, y)| right.contains(y)) {
                        let result = &results[number][other];
                        assert!(has(&range, result), "{:?} of {x} and {y}: {range:?}", store.op(term));
                    }
                }
            }
        }
    }
}

fn is_square(store: &Store, term: ExprId) -> bool {
    store.num_args(term) == 2 && store.arg(term, 0) == store.arg(term, 1)
}

fn of_two(store: &Store, term: ExprId, x: &Value, y: &Value) -> Value {
    match store.num_args(term) {
        1 => apply(store, term, &[x]),
        _ if is_square(store, term) => apply(store, term, &[x, x]),
        _ => apply(store, term, &[x, y]),
    }
}

#[test]
fn conversions_of_unknown_numbers_have_their_range() {
    let store = Store::new();
    let sort = Sort::float(3, 3);
    let bits = store.var("bits", Sort::bitvec(4));
    for mode in RoundingMode::ALL {
        for term in [store.fp_from_signed(mode, bits, sort), store.fp_from_unsigned(mode, bits, sort)] {
            let range = meaning(&store, term, &[&Range::Any]);
            for number in 0..16u32 {
                let value = apply(&store, term, &[&Value::BitVec(thetis_expr::BitVec::new(4, number))]);
                assert!(has(&range, &value), "{number}");
            }
            assert_ne!(range, Range::all(sort));
        }
    }
}

#[test]
fn the_halves_of_a_range_are_the_range() {
    let format = FloatSort::new(3, 3).unwrap();
    let values = values(format);
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..200 {
        let range = random_range(&mut rng, &values);
        let Some((first, second)) = range.split() else {
            assert!(range.single().is_some());
            continue;
        };
        assert!(!first.is_empty() && !second.is_empty());
        assert!(range.contains(&range.middle().unwrap()));
        for value in &values {
            assert_eq!(range.contains(value), first.contains(value) || second.contains(value));
            assert!(!(first.contains(value) && second.contains(value)));
        }
    }
}

/// A random term over floats.
fn random_float(store: &Store, rng: &mut fastrand::Rng, leaves: &[ExprId], depth: u32) -> ExprId {
    if depth == 0 || rng.u8(..4) == 0 {
        return *rng.choice(leaves).expect("there should be a choice");
    }
    let mode = *rng.choice(&RoundingMode::ALL).expect("there should be a choice");
    let left = random_float(store, rng, leaves, depth - 1);
    let right = random_float(store, rng, leaves, depth - 1);
    match rng.u8(..8) {
        0 => store.fp_sub(mode, left, right),
        1 => store.fp_mul(mode, left, right),
        2 => store.fp_div(mode, left, right),
        3 => store.fp_neg(left),
        4 => store.fp_abs(left),
        5 => store.ite(store.fp_lt(left, right), right, left),
        _ => store.fp_add(mode, left, right),
    }
}

/// A random formula.
fn random_formula(
    store: &Store,
    rng: &mut fastrand::Rng,
    floats: &[ExprId],
    truths: &[ExprId],
    depth: u32,
) -> ExprId {
    if depth == 0 {
        let [left, right] = [(); 2].map(|()| random_float(store, rng, floats, 2));
        return match rng.u8(..8) {
            0 => store.fp_eq(left, right),
            1 => store.eq(left, right),
            2 => store.fp_le(left, right),
            3 => *rng.choice(truths).expect("there should be a choice"),
            4 => store.fp_is_nan(left),
            5 => store.fp_is_infinite(left),
            _ => store.fp_lt(left, right),
        };
    }
    let parts = [(); 2].map(|()| random_formula(store, rng, floats, truths, depth - 1));
    match rng.u8(..6) {
        0 | 1 => store.or(parts[0], parts[1]),
        2 => store.not(parts[0]),
        3 => store.implies(parts[0], parts[1]),
        _ => store.and(parts[0], parts[1]),
    }
}

#[test]
fn answers_agree_with_all_assignments() {
    let mut rng = fastrand::Rng::with_seed(11);
    let [mut num_sat, mut num_unsat, mut num_open] = [0; 3];
    let format = FloatSort::new(2, 3).unwrap();
    let values = values(format);
    for case in 0..num_cases(150) {
        let store = Store::new();
        let vars = ["x", "y"].map(|name| store.declare(name, Sort::Float(format)));
        let truth = store.declare("b", Sort::Bool);
        let literal = store.float(rng.choice(&values).unwrap().clone());
        let one = store.fp_from_unsigned(
            RoundingMode::NearestEven,
            store.literal(Value::BitVec(thetis_expr::BitVec::new(2, 1u32))),
            Sort::Float(format),
        );
        let zero = store.float(Float::zero(
            format,
            *rng.choice(&[FloatSign::Positive, FloatSign::Negative]).expect("there are two"),
        ));
        let floats = [store.var_expr(vars[0]), store.var_expr(vars[1]), literal, one, zero];
        let formulas: Vec<ExprId> = (0..rng.usize(2..6))
            .map(|_| random_formula(&store, &mut rng, &floats, &[store.var_expr(truth)], 1))
            .collect();
        let holds = |x: &Float, y: &Float, b: bool| {
            let lookup = |var: VarId| {
                Some(match () {
                    () if var == vars[0] => Value::Float(x.clone()),
                    () if var == vars[1] => Value::Float(y.clone()),
                    () => Value::Bool(b),
                })
            };
            formulas.iter().all(|formula| evaluate(&store, *formula, &lookup) == Ok(Value::Bool(true)))
        };
        let mut solver = BoxesFactory.start(&Run::unlimited()).unwrap();
        for formula in &formulas[1..] {
            solver.assert(&store, *formula).unwrap();
        }
        match solver.check(&store, &formulas[..1]) {
            Ok(Answer::Sat(valuation)) => {
                num_sat += 1;
                let whole = store.and_all(formulas.iter().copied());
                assert_eq!(valuation.evaluate(&store, whole), Ok(Value::Bool(true)), "case {case}");
            }
            Ok(Answer::Unsat) => {
                num_unsat += 1;
                for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (x, y))) {
                    assert!(!holds(x, y, false) && !holds(x, y, true), "case {case}: {x} {y}");
                }
            }
            Ok(Answer::Unknown(reason)) => panic!("{reason}"),
            Err(SolverError::Unsupported(_)) => num_open += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(num_sat > 20 && num_unsat > 20 && num_open < 60, "{num_sat} {num_unsat} {num_open}");
}

#[test]
fn units_change_no_number() {
    let store = Store::new();
    let format = FloatSort::new(2, 3).unwrap();
    let sort = Sort::Float(format);
    let x = store.var("x", sort);
    let literal = |bits: u32| store.literal(Value::BitVec(thetis_expr::BitVec::new(2, bits)));
    let mut num_decided = 0;
    for mode in RoundingMode::ALL {
        let one = store.fp_from_unsigned(mode, literal(1), sort);
        for zero in
            [FloatSign::Negative, FloatSign::Positive].map(|sign| store.float(Float::zero(format, sign)))
        {
            for term in [
                store.fp_add(mode, x, zero),
                store.fp_add(mode, zero, x),
                store.fp_sub(mode, x, zero),
                store.fp_sub(mode, zero, x),
                store.fp_mul(mode, one, x),
                store.fp_div(mode, x, one),
                store.fp_div(mode, one, x),
                store.fp_mul(mode, store.fp_add(mode, x, zero), one),
                store.fp_neg(store.fp_neg(x)),
                store.fp_neg(x),
            ] {
                for test in [store.fp_eq(term, x), store.fp_le(x, term), store.fp_lt(x, term)] {
                    let numbers = Range::of(FloatRange::numbers(format));
                    let range = meaning(&store, test, &[&numbers, &numbers]);
                    num_decided += u32::from(range.truth().is_some());
                    for value in &values(format)[..values(format).len() - 1] {
                        let lookup = |_: VarId| Some(Value::Float(value.clone()));
                        assert!(has(&range, &evaluate(&store, test, &lookup).unwrap()), "{value}");
                    }
                }
            }
        }
    }
    assert_eq!(num_decided, 5 * 2 * 7 * 3);
}

#[test]
fn scopes_are_forgotten() {
    let store = Store::new();
    let sort = Sort::float(8, 24);
    let x = store.var("x", sort);
    let square = store.fp_mul(RoundingMode::NearestEven, x, x);
    let zero = store.float(Float::zero(FloatSort::new(8, 24).unwrap(), FloatSign::Positive));
    let mut solver = BoxesFactory.start(&Run::unlimited()).unwrap();
    solver.push().unwrap();
    solver.assert(&store, store.fp_lt(square, zero)).unwrap();
    assert!(matches!(solver.check(&store, &[]), Ok(Answer::Unsat)), "no square is negative");
    solver.pop().unwrap();
    assert!(matches!(solver.check(&store, &[store.fp_lt(zero, square)]), Ok(Answer::Sat(_))));
    assert_eq!(store.op(square), Op::FpMul(RoundingMode::NearestEven));
}
