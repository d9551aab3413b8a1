//! Floats of the in-process Z3 against our evaluator.
#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use thetis_base::Run;
use thetis_expr::{
    BitVec, ExprId, Float, FloatSign, FloatSort, Op, Rational, RoundingMode, Sort, Store, Substitution, Value,
};
use thetis_solver::{Answer, CoreSolver, SolverError, SolverFactory};
use thetis_z3::Z3Factory;

fn start() -> Box<dyn CoreSolver> {
    Z3Factory::default().start(&Run::unlimited()).unwrap()
}

/// Every third value of a sort, from a start that differs from use to use.
fn values(sort: Sort, start: u32) -> Vec<Value> {
    let bits = |width: u32| {
        (0..1u32 << width).skip(start as usize).step_by(3).map(move |bits| BitVec::new(width, bits))
    };
    match sort {
        Sort::Float(format) => {
            let special = [
                Float::nan(format),
                Float::infinity(format, FloatSign::Negative),
                Float::zero(format, FloatSign::Negative),
            ];
            let others = bits(format.width()).map(|bits| Float::from_bits(format, &bits));
            special.into_iter().chain(others).map(Value::Float).collect()
        }
        Sort::BitVec(width) => bits(width.get()).map(Value::BitVec).collect(),
        _ => (-9..9).map(|number: i64| Value::Real(Rational::new(number.into(), 4.into()))).collect(),
    }
}

/// The solver agrees that `op` has the results of the evaluator, on a sample of arguments. The values are given to
/// variables by a disjunction, so that the solver reasons about the operator instead of folding it.
fn check(op: Op, sorts: &[Sort], target: Option<Sort>) {
    let store = Store::new();
    let vars: Vec<_> = ["u", "v", "w"].iter().zip(sorts).map(|(name, sort)| store.var(name, *sort)).collect();
    let term = store.app(op, target, &vars).unwrap();
    let samples: Vec<_> = sorts.iter().enumerate().map(|(index, sort)| values(*sort, index as u32)).collect();
    let longest = samples.iter().map(Vec::len).max().unwrap_or(0);
    let case = |round: usize| -> ExprId {
        let mut literals = Substitution::new();
        let mut given = Vec::new();
        for (position, var) in vars.iter().enumerate() {
            let sample = &samples[position];
            let literal = store.literal(sample[round * (position + 1) % sample.len()].clone());
            literals.insert(&store, store.as_var(*var).unwrap(), literal);
            given.push(store.eq(*var, literal));
        }
        given.push(store.ne(term, literals.apply(&store, term)));
        store.and_all(given)
    };
    let wrong = store.or_all((0..longest).map(case));
    let mut solver = start();
    match solver.check(&store, &[wrong]).unwrap() {
        Answer::Unsat => {}
        Answer::Sat(valuation) => {
            let values: Vec<_> = vars.iter().map(|var| valuation.evaluate(&store, *var).unwrap()).collect();
            panic!("{op:?} on {values:?}");
        }
        Answer::Unknown(reason) => panic!("{op:?}: {reason}"),
    };
}

#[test]
fn operators_mean_what_the_evaluator_computes() {
    let format = Sort::float(3, 4);
    for mode in [RoundingMode::NearestEven, RoundingMode::TowardNegative] {
        for op in [Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv] {
            check(op(mode), &[format, format], None);
        }
        check(Op::FpFma(mode), &[format, format, format], None);
        check(Op::FpSqrt(mode), &[format], None);
    }
    for mode in RoundingMode::ALL {
        check(Op::FpRoundToIntegral(mode), &[format], None);
        check(Op::FpFromFp(mode), &[format], Some(Sort::float(2, 3)));
        check(Op::FpFromSigned(mode), &[Sort::bitvec(5)], Some(format));
        check(Op::FpFromUnsigned(mode), &[Sort::bitvec(5)], Some(format));
        check(Op::FpFromReal(mode), &[Sort::Real], Some(format));
        for width in [1, 3, 9] {
            check(Op::FpToSigned(mode), &[format], Some(Sort::bitvec(width)));
            check(Op::FpToUnsigned(mode), &[format], Some(Sort::bitvec(width)));
        }
    }
    for op in [Op::FpRem, Op::FpMin, Op::FpMax, Op::FpLe, Op::FpLt, Op::FpEq, Op::Eq] {
        check(op, &[format, format], None);
    }
    let tests = [Op::FpIsNan, Op::FpIsInfinite, Op::FpIsZero, Op::FpIsNormal, Op::FpIsSubnormal];
    for op in
        tests.into_iter().chain([Op::FpIsNegative, Op::FpIsPositive, Op::FpAbs, Op::FpNeg, Op::FpToReal])
    {
        check(op, &[format], None);
    }
    check(Op::FpFromBits, &[Sort::bitvec(7)], Some(format));
}

#[test]
fn models_give_floats() {
    let store = Store::new();
    let sort = Sort::float(8, 24);
    let x = store.var("x", sort);
    let format = FloatSort::new(8, 24).unwrap();
    let one_and_half =
        store.fp_from_real(RoundingMode::NearestEven, store.real(Rational::new(3.into(), 2.into())), sort);
    for expected in [
        Float::nan(format),
        Float::infinity(format, FloatSign::Negative),
        Float::zero(format, FloatSign::Negative),
    ] {
        let mut solver = start();
        let formula = store.eq(x, store.float(expected.clone()));
        let Answer::Sat(valuation) = solver.check(&store, &[formula]).unwrap() else { panic!("{expected}") };
        assert_eq!(valuation.value(&store, store.as_var(x).unwrap()), Ok(Value::Float(expected)));
    }
    let mut solver = start();
    let sum = store.fp_add(RoundingMode::NearestEven, x, x);
    let formula = store.fp_eq(sum, store.fp_add(RoundingMode::NearestEven, one_and_half, one_and_half));
    let Answer::Sat(valuation) = solver.check(&store, &[formula]).unwrap() else { panic!("x = 1.5") };
    assert_eq!(valuation.evaluate(&store, x).ok(), store.value(one_and_half));
}

#[test]
fn what_z3_folds_wrongly_is_rejected() {
    let store = Store::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::float(2, 3)));
    let formula = store.fp_is_nan(store.fp_fma(RoundingMode::NearestEven, x, y, z));
    assert!(matches!(start().check(&store, &[formula]), Err(SolverError::Unsupported(_))));
}
