//! Passes on automata: engines after them agree with explicit exploration, and their evidence is accepted on the
//! automaton as it was before.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Budget, Run};
use thetis_bounded::{Bmc, BmcConfig};
use thetis_cegar::{Cegar, CegarConfig, CegarTools};
use thetis_checker::certify;
use thetis_engine::{Engine, Through};
use thetis_model::cfa::{BlockEncoding, Blocks, Cfa, Prune, Ranges, Slice, Unfold};
use thetis_model::{Chain, Evidence, Pass, Reason, SamePass, Task, Verdict};
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_testkit::cfa::{Shape, explore, random_cfa, shrink};
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

/// Z3 with every answer checked.
fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

const MAX_BOUND: u32 = 4;

fn bmc() -> Bmc {
    Bmc::new(BmcConfig { max_bound: MAX_BOUND, ..BmcConfig::default() }, solvers())
}

fn cegar() -> Cegar {
    let tools = CegarTools {
        solvers: solvers(),
        eliminator: Rc::new(Z3Eliminator),
        horn: Rc::new(|| Box::new(Z3Horn::default())),
        ice: Default::default(),
    };
    Cegar::new(CegarConfig::default(), tools)
}

type Passes = fn() -> Vec<SamePass<Cfa>>;

/// Whether proofs of every form can be lifted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proofs {
    AllComeHome,
    SomeComeHome,
}

fn certified(mut engine: impl Engine<Cfa>, task: &Task<Cfa>) -> Verdict<Cfa> {
    let run = Run::new(Budget { wall: Some(Duration::from_secs(5)), ..Budget::default() });
    let verdict = engine.check(task, &run).unwrap_or_else(|stop| Verdict::Unknown(stop.into()));
    certify(task, verdict, &*solvers(), &Run::unlimited()).unwrap().verdict
}

/// What is wrong with the answers after `passes`, if anything; else how many there are.
fn disagreement(task: &Task<Cfa>, passes: Passes, proofs: Proofs) -> Result<usize, String> {
    let is_unsafe = explore(task).least_bound.is_some();
    let verdicts = [
        certified(Through::new(Chain::new(passes()), bmc()), task),
        certified(Through::new(Chain::new(passes()), cegar()), task),
    ];
    let mut num_answers = 0;
    for verdict in verdicts {
        num_answers += match &verdict {
            Verdict::Safe(Evidence::Given(_)) if !is_unsafe => 1,
            Verdict::Unsafe(Evidence::Given(_)) if is_unsafe => 1,
            Verdict::Unknown(Reason::NoCertificate(_)) if proofs == Proofs::SomeComeHome => 0,
            Verdict::Unknown(Reason::Bound(_) | Reason::OutOfTime | Reason::Incomplete(_)) => 0,
            _ => return Err(format!("answered {verdict:?}; unsafe: {is_unsafe}")),
        };
    }
    Ok(num_answers)
}

/// Random automata after `passes`; most answers should be known.
fn check(seeds: std::ops::Range<u64>, shape: Shape, passes: Passes) {
    let (num_answers, num_tasks) = count_answers(seeds, shape, passes, Proofs::AllComeHome);
    assert!(2 * num_answers > 3 * num_tasks, "{num_answers} answers for {num_tasks} tasks by two engines");
}

/// The number of answers to random tasks after `passes`, and that of the tasks.
fn count_answers(
    seeds: std::ops::Range<u64>,
    shape: Shape,
    passes: Passes,
    proofs: Proofs,
) -> (usize, usize) {
    let (mut num_answers, num_tasks) = (0, seeds.clone().count());
    for seed in seeds {
        let task = random_cfa(seed, shape);
        match disagreement(&task, passes, proofs) {
            Ok(answers) => num_answers += answers,
            Err(problem) => {
                let small = shrink(&task, |task| disagreement(task, passes, proofs).is_err());
                let text = thetis_text::cfa::print(&small);
                let changed = Chain::new(passes());
                let changed = changed.apply(small.clone(), &Run::unlimited()).unwrap();
                let changed = thetis_model::cfa::dot(&changed.task);
                panic!("seed {seed}: {problem}\nsmallest model that fails:\n{text:?}\n{changed}");
            }
        }
    }
    (num_answers, num_tasks)
}

/// Many locations, so that there is something to merge.
const SPARSE: Shape = Shape { max_vars: 3, max_locations: 9, max_degree: 2, max_depth: 1 };

#[test]
fn sequences_are_merged_rightly() {
    check(0..150, SPARSE, || vec![Box::new(Blocks { encoding: BlockEncoding::Seq, max_size: 1000 })]);
}

#[test]
fn blocks_are_merged_rightly() {
    check(150..300, SPARSE, || {
        vec![Box::new(Prune), Box::new(Blocks { encoding: BlockEncoding::Full, max_size: 1000 })]
    });
}

#[test]
fn blocks_are_merged_rightly_within_a_limit() {
    check(300..400, SPARSE, || {
        vec![
            Box::new(Blocks { encoding: BlockEncoding::Full, max_size: 8 }),
            Box::new(Prune),
            Box::new(Blocks { encoding: BlockEncoding::Full, max_size: 20 }),
        ]
    });
}

#[test]
fn slices_are_right() {
    check(400..500, Shape::default(), || vec![Box::new(Slice)]);
    check(550..600, SPARSE, || vec![Box::new(Prune), Box::new(Slice)]);
}

#[test]
fn ranges_are_used_rightly() {
    check(650..750, Shape::default(), || vec![Box::new(Ranges)]);
    check(800..850, SPARSE, || vec![Box::new(Ranges), Box::new(Prune)]);
}

#[test]
fn all_passes_together_are_right() {
    check(900..1030, SPARSE, || {
        vec![
            Box::new(Prune),
            Box::new(Ranges),
            Box::new(Prune),
            Box::new(Slice),
            Box::new(Blocks { encoding: BlockEncoding::Full, max_size: 100 }),
        ]
    });
}

const UNFOLD: Unfold = Unfold { max_locations: 40 };

/// Unwindings, the proofs of bounded model checking, cannot be lifted.
fn check_unfolded(seeds: std::ops::Range<u64>, shape: Shape, passes: Passes) {
    let (num_answers, num_tasks) = count_answers(seeds, shape, passes, Proofs::SomeComeHome);
    assert!(num_answers > num_tasks, "{num_answers} answers for {num_tasks} tasks by two engines");
}

#[test]
fn unfolding_is_right() {
    check_unfolded(1100..1250, SPARSE, || vec![Box::new(UNFOLD)]);
    check_unfolded(1250..1350, Shape { max_depth: 1, ..Shape::default() }, || {
        vec![Box::new(Blocks { encoding: BlockEncoding::Full, max_size: 100 }), Box::new(UNFOLD)]
    });
    let is_unfolded = |seed: &u64| {
        let task = random_cfa(*seed, SPARSE);
        let unfolded = UNFOLD.apply(task.clone(), &Run::unlimited()).unwrap().task.model;
        unfolded.vars.len() > 1 && unfolded.locations.iter().any(|location| location.name.contains('#'))
    };
    let num_unfolded = (1100..1250).filter(is_unfolded).count();
    assert!(num_unfolded > 15, "{num_unfolded} of 150 have control variables");
}
