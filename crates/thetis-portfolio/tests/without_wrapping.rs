//! Arithmetic that wraps around, first without wraps.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Budget, Run, Share, Stop};
use thetis_bounded::{Bmc, BmcConfig, Kind, KindConfig};
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_expr::{Sort, Store};
use thetis_horn::Horn;
use thetis_model::cfa::{Cfa, CfaProof, Edge, Location, Stmt, StmtKind, WithoutWraps};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_portfolio::{Hope, Sequential, WithoutWrapping};
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_testkit::cfa::{Shape, explore, process, random_cfa};
use thetis_z3::{Z3Factory, Z3Horn};

fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

/// An engine that never knows, to see who answered.
struct Silent;

impl Engine<Cfa> for Silent {
    fn check(&mut self, _: &Task<Cfa>, _: &Run) -> Result<Verdict<Cfa>, thetis_base::Stop> {
        Ok(Verdict::Unknown(Reason::Incomplete("exact".into())))
    }

    fn statistics(&self) -> thetis_base::Statistics {
        thetis_base::Statistics::new("silent")
    }
}

fn bmc() -> Box<dyn Engine<Cfa>> {
    Box::new(Bmc::new(BmcConfig { max_bound: 8, ..BmcConfig::default() }, solvers()))
}

fn horn() -> Box<dyn Engine<Cfa>> {
    Box::new(Horn::new(Box::new(Z3Horn::new(Duration::from_secs(600))), bmc()))
}

fn kind(max_k: u32) -> Box<dyn Engine<Cfa>> {
    Box::new(Kind::new(KindConfig { max_k, ..KindConfig::default() }, solvers()))
}

fn certified(task: &Task<Cfa>, hopeful: Box<dyn Engine<Cfa>>, exact: Box<dyn Engine<Cfa>>) -> Verdict<Cfa> {
    certified_by(task, hopeful, exact, &Run::unlimited()).unwrap()
}

fn certified_by(
    task: &Task<Cfa>,
    hopeful: Box<dyn Engine<Cfa>>,
    exact: Box<dyn Engine<Cfa>>,
    run: &Run,
) -> Result<Verdict<Cfa>, Stop> {
    let hopeful = Box::new(WithoutWrapping::new(hopeful, Hope::default()));
    let stages: Vec<(Share, Box<dyn Engine<Cfa>>)> =
        vec![(Share::percent(50), hopeful), (Share::percent(100), exact)];
    let verdict = Sequential::new(stages).check(task, run)?;
    Ok(certify(task, verdict, &*solvers(), run)?.verdict)
}

/// Counts `x` up to `limit` as a byte that is signed or not; then `error` is wrong.
fn counting(limit: i32, is_signed: bool, error: &str) -> Task<Cfa> {
    let next = if is_signed { "((x + 1) + 128) mod 256 - 128" } else { "(x + 1) mod 256" };
    let body = format!(
        "var x : int init loc A loc L loc B loc M error loc E
         A -> L {{ x := 0 }}
         L -> B {{ assume x /= {limit} }}
         B -> L {{ x := {next} }}
         L -> M {{ assume x = {limit} }}
         M -> E {{ assume {error} }}
         L -> E {{ assume x < 0 }}"
    );
    process(&body)
}

#[test]
fn proofs_without_wraps_are_proofs_with_them() {
    for is_signed in [false, true] {
        let verdict = certified(&counting(5, is_signed, "x /= 5"), horn(), Box::new(Silent));
        assert!(matches!(verdict, Verdict::Safe(Evidence::Given(_))), "{verdict:?}");
    }
}

#[test]
fn inductions_without_history_are_invariants() {
    for is_signed in [false, true] {
        let verdict = certified(&counting(5, is_signed, "x /= 5"), kind(0), Box::new(Silent));
        assert!(matches!(verdict, Verdict::Safe(Evidence::Given(CfaProof::Invariants(_)))), "{verdict:?}");
        let verdict = certified(&counting(5, is_signed, "x = 5"), kind(0), Box::new(Silent));
        assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    }
}

#[test]
fn runs_without_wraps_are_runs_with_them() {
    for is_signed in [false, true] {
        let verdict = certified(&counting(5, is_signed, "x = 5"), bmc(), Box::new(Silent));
        assert!(matches!(verdict, Verdict::Unsafe(Evidence::Given(_))), "{verdict:?}");
    }
}

#[test]
fn where_values_leave_their_range_the_exact_engine_is_asked() {
    // A signed byte never becomes 200; the counter wraps to -128.
    let deep = || Box::new(Bmc::new(BmcConfig { max_bound: 150, ..BmcConfig::default() }, solvers()));
    let task = counting(200, true, "true");
    let verdict = certified(&task, deep(), Box::new(Silent));
    assert!(
        matches!(verdict, Verdict::Unknown(Reason::Incomplete(ref why)) if why == "exact"),
        "{verdict:?}"
    );
    let verdict = certified(&task, Box::new(Silent), deep());
    assert!(matches!(verdict, Verdict::Unsafe(Evidence::Given(_))), "{verdict:?}");
    // An unsigned one does.
    let verdict = certified(&counting(200, false, "x /= 200"), horn(), Box::new(Silent));
    assert!(matches!(verdict, Verdict::Safe(Evidence::Given(_))), "{verdict:?}");
}

#[test]
fn where_hope_is_lost_nobody_is_asked_again() {
    let (run, hope) = (Run::unlimited(), Hope::default());
    let ask = |task: &Task<Cfa>, engine| match WithoutWrapping::new(engine, hope.clone()).check(task, &run) {
        Ok(Verdict::Unknown(reason)) => reason.to_string(),
        other => format!("{other:?}"),
    };
    let mut wrapping = counting(200, true, "true");
    let last = wrapping.store.int(127);
    for edge in wrapping.model.edges.iter_mut() {
        if let StmtKind::Assign(_, term) = &mut edge.stmt.kind
            && wrapping.store.value(*term).is_some()
        {
            *term = last;
        }
    }
    let unasked = ask(&wrapping, Box::new(Silent));
    assert!(unasked.contains("exact"), "{unasked}");
    let lost = ask(&wrapping, bmc());
    assert!(lost.contains("a value leaves its range"), "{lost}");
    let known = ask(&wrapping, Box::new(Silent));
    assert!(known.contains("a value is known to leave its range"), "{known}");
}

#[test]
fn other_remainders_are_no_wraps() {
    let mut task = counting(5, false, "x /= 5");
    assert!(WithoutWraps::new(&task).is_some());
    let modulus = task.store.int(100);
    let x = task.store.var_expr(task.model.vars[0]);
    for edge in task.model.edges.iter_mut() {
        if let StmtKind::Assign(_, term) = &mut edge.stmt.kind {
            *term = task.store.modulo(x, modulus);
        }
    }
    assert!(WithoutWraps::new(&task).is_none());
}

/// A random automaton with one statement an edge, whose assignments to integers are scaled up and wrapped into a byte.
fn wrapping(seed: u64) -> Task<Cfa> {
    let mut task = random_cfa(seed, Shape::default());
    let edges = std::mem::take(&mut task.model.edges);
    for edge in edges {
        let stmts = match edge.stmt.kind {
            StmtKind::Seq(ref stmts) if !stmts.is_empty() => stmts.clone(),
            _ => vec![edge.stmt.clone()],
        };
        let mut source = edge.source;
        for (number, stmt) in stmts.iter().enumerate() {
            let target = if number + 1 == stmts.len() {
                edge.target
            } else {
                let name = format!("between{}", task.model.locations.len());
                task.model.locations.push(Location { name, span: None })
            };
            let stmt = wrapped(&task.store, stmt);
            task.model.edges.push(Edge { source, target, stmt, span: None });
            source = target;
        }
    }
    task
}

fn wrapped(store: &Store, stmt: &Stmt) -> Stmt {
    let [half, modulus, factor] = [128, 256, 50].map(|number| store.int(number));
    match stmt.kind {
        StmtKind::Assign(var, term) if store.var_sort(var) == Sort::Int => {
            let sum = store.add(store.mul(term, factor), half);
            Stmt::assign(var, store.sub(store.modulo(sum, modulus), half))
        }
        _ => stmt.clone(),
    }
}

#[test]
fn random_automata_that_wrap_are_answered_as_by_exploration() {
    let (mut num_wrapping, mut num_decided) = (0, 0);
    for seed in 0..40 {
        let task = wrapping(seed);
        num_wrapping += u32::from(WithoutWraps::new(&task).is_some());
        let is_safe = explore(&task).least_bound.is_none();
        for hopeful in [bmc(), kind(2)] {
            // Solvers may think about remainders for hours.
            let run = Run::new(Budget { wall: Some(Duration::from_secs(2)), ..Budget::default() });
            match certified_by(&task, hopeful, bmc(), &run) {
                Ok(Verdict::Safe(Evidence::Given(_))) if is_safe => num_decided += 1,
                Ok(Verdict::Unsafe(Evidence::Given(_))) if !is_safe => num_decided += 1,
                Ok(Verdict::Unknown(_)) | Err(Stop::OutOfTime) => {}
                other => panic!("seed {seed}: {other:?}, safe: {is_safe}"),
            }
        }
    }
    assert!(num_wrapping > 10 && num_decided > 30, "{num_wrapping}, {num_decided}");
}
