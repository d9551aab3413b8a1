//! Automata as transition systems with a variable for the location: engines answer the same, and evidence comes home.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use thetis_bounded::{Bmc, BmcConfig, Kind, KindConfig};
use thetis_engine::Through;
use thetis_model::cfa::{Cfa, CfaProof, ToSts};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_testkit::cfa::{Shape, explore, parse, random_cfa, shrink};

use common::{certified, solvers};

const MAX_BOUND: u32 = 8;

/// What is wrong with the answers for `task`, if anything; else how many of them are proofs and runs.
fn disagreement(task: &Task<Cfa>) -> Result<(usize, usize), String> {
    let is_safe = explore(task).least_bound.is_none();
    let bmc = Bmc::new(BmcConfig { max_bound: MAX_BOUND, ..BmcConfig::default() }, solvers());
    let kind = Kind::new(KindConfig { max_k: MAX_BOUND, ..KindConfig::default() }, solvers());
    let (mut num_proofs, mut num_runs) = (0, 0);
    for verdict in
        [certified(&mut Through::new(ToSts, bmc), task), certified(&mut Through::new(ToSts, kind), task)]
    {
        let agrees = match &verdict {
            Verdict::Safe(Evidence::Given(CfaProof::Unwinding(_))) => {
                num_proofs += 1;
                is_safe
            }
            Verdict::Unsafe(Evidence::Given(_)) => {
                num_runs += 1;
                !is_safe
            }
            Verdict::Unknown(Reason::Bound(MAX_BOUND)) => true,
            _ => false,
        };
        if !agrees {
            return Err(format!("answered {verdict:?}, safe: {is_safe}"));
        }
    }
    Ok((num_proofs, num_runs))
}

#[test]
fn random_automata_agree_with_exploration() {
    let (mut num_proofs, mut num_runs) = (0, 0);
    for seed in 1000..1080 {
        let task = random_cfa(seed, Shape::default());
        match disagreement(&task) {
            Ok((proofs, runs)) => (num_proofs, num_runs) = (num_proofs + proofs, num_runs + runs),
            Err(problem) => {
                let small = shrink(&task, |task| disagreement(task).is_err());
                panic!(
                    "seed {seed}: {problem}\nsmallest model that fails:\n{:?}",
                    thetis_text::cfa::print(&small)
                );
            }
        }
    }
    assert!(num_proofs > 15, "only {num_proofs} proofs");
    assert!(num_runs > 30, "only {num_runs} runs");
}

#[test]
fn inputs_of_edges_come_home() {
    let task = parse(
        "main process p { var x : int var y : int var b : bool init loc start loc head error loc bad
         start -> head { havoc x havoc y havoc b assume x > y + 3 } head -> head { havoc y x := x - 1 }
         head -> bad { assume y = 5 and x = 5 and b } }",
    );
    let mut engine =
        Through::new(ToSts, Bmc::new(BmcConfig { max_bound: 5, ..BmcConfig::default() }, solvers()));
    let verdict = certified(&mut engine, &task);
    assert!(
        matches!(&verdict, Verdict::Unsafe(Evidence::Given(trace)) if trace.steps.len() == 3),
        "{verdict:?}"
    );
}
