//! Interpolation-based model checking against explicit exploration, and on models with known answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use thetis_base::{Budget, Event, Run};
use thetis_bounded::{Imc, ImcConfig};
use thetis_engine::{Engine, Through, certify};
use thetis_interpolate::{InterpolatorKind, Tools};
use thetis_model::cfa::{BlockEncoding, Blocks, Cfa, CfaProof, CfaUnwinding, LongRuns, Prune, Ranges, Slice};
use thetis_model::sts::{Sts, StsProof, ToCfa};
use thetis_model::{Chain, Evidence, Reason, SamePass, Task, Verdict};
use thetis_sat::SatFactory;
use thetis_solver::{CheckedFactory, Interpolator, SolverFactory};
use thetis_testkit::cfa::{Shape, explore, random_cfa, shrink};
use thetis_testkit::sts::{StsShape, explore_sts, random_sts};
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

use common::{certified, parse, solvers};

const MAX_K: u32 = 8;

fn imc_with(interpolators: Vec<InterpolatorKind>, solvers: Rc<dyn SolverFactory>, max_k: u32) -> Imc {
    let horn = || -> Box<dyn Interpolator> { Box::new(Z3Horn::new(Duration::from_millis(500))) };
    let tools = Tools { solvers, eliminator: Rc::new(Z3Eliminator), horn: Rc::new(horn) };
    Imc::new(ImcConfig { max_k, interpolators, ..ImcConfig::default() }, tools)
}

fn imc(max_k: u32) -> Imc {
    imc_with(vec![InterpolatorKind::Auto], solvers(), max_k)
}

fn all_passes() -> Chain<Cfa> {
    let passes: Vec<SamePass<Cfa>> = vec![
        Box::new(Prune),
        Box::new(Ranges),
        Box::new(Prune),
        Box::new(Slice),
        Box::new(Blocks { encoding: BlockEncoding::Full, max_size: 100 }),
    ];
    Chain::new(passes)
}

/// How the answers about an automaton were found.
#[derive(Default)]
struct Tally {
    invariants: usize,
    inductive: usize,
    ended: usize,
    unsafe_: usize,
    unknown: usize,
}

impl Tally {
    /// Counts the verdict; whether it is right.
    fn count(&mut self, verdict: &Verdict<Cfa>, is_safe: bool) -> bool {
        match verdict {
            Verdict::Safe(Evidence::Given(CfaProof::Invariants(_))) => self.invariants += 1,
            Verdict::Safe(Evidence::Given(CfaProof::Unwinding(unwinding))) => match unwinding.long_runs {
                LongRuns::None => self.ended += 1,
                LongRuns::Inductive => self.inductive += 1,
            },
            Verdict::Unsafe(Evidence::Given(_)) => self.unsafe_ += 1,
            Verdict::Unknown(Reason::Bound(MAX_K)) => self.unknown += 1,
            _ => return false,
        }
        match verdict {
            Verdict::Safe(_) => is_safe,
            Verdict::Unsafe(_) => !is_safe,
            Verdict::Unknown(_) => true,
        }
    }
}

/// What is wrong with the answers for `task`, if anything.
fn disagreement(task: &Task<Cfa>, tally: &mut Tally) -> Result<(), String> {
    let is_safe = explore(task).least_bound.is_none();
    let sequential =
        imc_with(vec![InterpolatorKind::NewtonSpLv, InterpolatorKind::NewtonWp], solvers(), MAX_K);
    let verdicts = [
        certified(&mut imc(MAX_K), task),
        certified(&mut Through::new(Prune, sequential), task),
        certified(&mut Through::new(all_passes(), imc(MAX_K)), task),
    ];
    for verdict in verdicts {
        if !tally.count(&verdict, is_safe) {
            return Err(format!("answered {verdict:?}, safe: {is_safe}"));
        }
    }
    Ok(())
}

fn check_seeds(seeds: std::ops::Range<u64>, shape: Shape) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let task = random_cfa(seed, shape);
        if let Err(problem) = disagreement(&task, &mut tally) {
            let small = shrink(&task, |task| disagreement(task, &mut Tally::default()).is_err());
            let text = thetis_text::cfa::print(&small);
            panic!("seed {seed}: {problem}\nsmallest model that fails:\n{text:?}");
        }
    }
    tally
}

#[test]
fn random_automata_agree_with_exploration() {
    let tally = check_seeds(0..100, Shape::default());
    eprintln!("{} {} {} {} {}", tally.invariants, tally.inductive, tally.ended, tally.unsafe_, tally.unknown);
}

#[test]
fn random_automata_with_many_locations_agree_with_exploration() {
    let shape = Shape { max_vars: 3, max_locations: 9, max_degree: 2, max_depth: 1 };
    let tally = check_seeds(400..480, shape);
    eprintln!("{} {} {} {} {}", tally.invariants, tally.inductive, tally.ended, tally.unsafe_, tally.unknown);
}
