//! Automata with limits: proofs that leave them out, and runs that end there.

use thetis_checker::Checkable;
use thetis_expr::Value;
use thetis_model::Task;
use thetis_model::cfa::{
    Cfa, CfaInvariants, CfaProof, CfaStep, CfaTrace, CfaUnwinding, EdgeId, LocId, LongRuns,
};

use super::proofs::{at, formula};
use crate::{check, check_unwinding, is_rejected, parse};

/// An error location that cannot be reached, and a limit that is reached by the edge `enters`, if at all.
fn model(enters: &str) -> Task<Cfa> {
    parse(&format!(
        "main process limits {{
            var x : int
            init loc start
            loc head
            error loc bad
            limit loc asm \"line 3: asm\"
            start -> head {{ x := 0 }}
            head -> head {{ assume x < 5 x := x + 1 }}
            head -> bad {{ assume x > 5 }}
            head -> asm {{ {enters} }}
        }}"
    ))
}

/// A limit that cannot be reached, one that can, and one that every run reaches.
const ENTERS: [(&str, bool); 3] = [("assume x < 0", false), ("assume x = 3", true), ("", true)];

fn invariants(task: &Task<Cfa>, more: &[(&str, &str)]) -> CfaProof {
    let formulas = [("head", "(and (<= 0 x) (<= x 5))")].iter().chain(more);
    CfaProof::invariants(formulas.map(|(name, text)| (at(task, name), formula(task, text))).collect())
}

fn unwinding(cuts: &[usize], long_runs: LongRuns) -> CfaProof {
    let cuts = cuts.iter().map(|edge| EdgeId::new(*edge)).collect();
    CfaProof::Unwinding(CfaUnwinding { bound: 6, cuts, long_runs, ..CfaUnwinding::default() })
}

#[test]
fn proofs_exclude_limits() {
    for (enters, is_reached) in ENTERS {
        let task = model(enters);
        let derived = CfaInvariants { derived: [at(&task, "start")].into(), ..CfaInvariants::default() };
        for (name, proof) in [
            ("only the error location is thought of", invariants(&task, &[])),
            ("the limit is called fine", invariants(&task, &[("asm", "true")])),
            ("the limit is called unreachable", invariants(&task, &[("asm", "false")])),
            ("a complete unwinding", unwinding(&[1], LongRuns::None)),
        ] {
            let result = check(&task, &proof);
            assert_eq!(is_rejected(&result), is_reached, "{name}, {enters}: {result:?}");
        }
        assert!(is_rejected(&check(&task, &CfaProof::Invariants(derived))), "{enters}");
        assert!(is_rejected(&check_unwinding(&task, 3)), "{enters}");
    }
}

#[test]
fn limits_are_not_derived() {
    let task = model("assume x < 0");
    let CfaProof::Invariants(mut proof) = invariants(&task, &[]) else { panic!() };
    check(&task, &CfaProof::Invariants(proof.clone())).unwrap();
    proof.derived.insert(at(&task, "asm"));
    assert!(is_rejected(&check(&task, &CfaProof::Invariants(proof))));
}

#[test]
fn inductions_exclude_limits() {
    // From anywhere with `0 <= x` both are out of reach, so the lemma is all that an induction needs.
    for (enters, is_accepted) in [("assume x < 0", true), ("assume x = 3", false), ("", false)] {
        let task = model(enters);
        let lemma = CfaInvariants {
            formulas: [(at(&task, "head"), formula(&task, "(and (<= 0 x) (<= x 5))"))].into(),
            ..CfaInvariants::default()
        };
        let CfaProof::Unwinding(proof) = unwinding(&[1], LongRuns::Inductive) else { panic!() };
        let result = check(&task, &CfaProof::Unwinding(CfaUnwinding { bound: 1, lemmas: lemma, ..proof }));
        assert_eq!(result.is_ok(), is_accepted, "{enters}: {result:?}");
    }
}

#[test]
fn loops_that_lead_to_limits_are_cut() {
    let text = "main process p { init loc a loc b error loc bad limit loc asm \"line 3: asm\"
        a -> b  b -> b  b -> asm { assume false }  a -> bad { assume false } }";
    let task = parse(text);
    assert!(is_rejected(&check(&task, &unwinding(&[], LongRuns::None))));
    assert!(is_rejected(&check(&task, &unwinding(&[1], LongRuns::None))));
    check(&task, &unwinding(&[1], LongRuns::Inductive)).unwrap();
}

/// A run from the start over these edges.
fn trace(task: &Task<Cfa>, edges: &[usize]) -> CfaTrace {
    let step = |edge: &usize| CfaStep { edge: EdgeId::new(*edge), inputs: Vec::new(), choices: Vec::new() };
    let initial = task.model.vars.iter().map(|var| (*var, Value::int(0)));
    CfaTrace::new(initial.collect(), edges.iter().map(step).collect())
}

#[test]
fn runs_that_end_at_limits_violate_nothing() {
    let task = model("");
    let result = Cfa::check_trace(&task, &trace(&task, &[0, 3]));
    assert!(is_rejected(&result));
    assert!(format!("{result:?}").contains("line 3: asm"), "{result:?}");
    let mut as_error = task.clone();
    as_error.model.limits.clear();
    as_error.model.errors.push(at(&task, "asm"));
    Cfa::check_trace(&as_error, &trace(&task, &[0, 3])).unwrap();
}

#[test]
fn runs_do_not_pass_limits() {
    // Such an automaton is not built; the checker does not rely on that.
    let mut task =
        parse("main process p { var x : int init loc a loc asm error loc bad a -> asm asm -> bad }");
    Cfa::check_trace(&task, &trace(&task, &[0, 1])).unwrap();
    for limit in [LocId::new(0), LocId::new(1), LocId::new(2)] {
        task.model.limits = [(limit, "line 3: asm".to_owned())].into();
        assert!(is_rejected(&Cfa::check_trace(&task, &trace(&task, &[0, 1]))), "{limit:?}");
    }
}
