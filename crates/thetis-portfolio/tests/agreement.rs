//! All engines on random models of every formalism, with exhaustive search as the judge.
//!
//! By default only a few models are tried. `cargo xtask fuzz-engines --minutes N` tries new ones for a while: it sets
//! `THETIS_FUZZ_SECONDS` and, to repeat a run, `THETIS_FUZZ_SEED`. What an engine answers is checked as always; a *finding* is a verdict that the
//! search refutes, evidence that the checker rejects, or a panic. Automata are made small before they are shown.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "a campaign reports how far it got")]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use thetis_base::{Budget, Diagnostics, Run, SourceMap, Stop};
use thetis_checker::{Checkable, certify};
use thetis_model::cfa::Cfa;
use thetis_model::petri::Net;
use thetis_model::sts::Sts;
use thetis_model::xta::Network;
use thetis_model::{Reason, Task, Verdict};
use thetis_portfolio::{Config, EngineName, Formalism, Parts, engines};
use thetis_testkit::cfa::{Shape, explore, random_cfa, shrink};
use thetis_testkit::petri::{NetShape, explore_net, random_net};
use thetis_testkit::sts::{StsShape, explore_sts, random_sts};
use thetis_testkit::xta::{RandomNetwork, reaches};

/// How long an engine may think about one model.
const ENGINE_TIME: Duration = Duration::from_secs(2);

/// The same in campaigns: most answers come within milliseconds, and more models find more than longer thought does.
const SHORT_ENGINE_TIME: Duration = Duration::from_millis(150);

/// How many markings the judge of nets visits.
const MAX_MARKINGS: usize = 500;

/// What came of the models so far.
#[derive(Default)]
struct Tally {
    models: u64,
    answers: u64,
    undecided: u64,
    findings: Vec<String>,
}

/// The engines for models that are called `plural`.
fn engines_for(plural: &str) -> Vec<&'static str> {
    let all = engines().into_iter();
    let names = all.filter(|listed| listed.formalisms.contains(&plural)).map(|listed| listed.info.name);
    names.filter(|name| *name != EngineName::PORTFOLIO.as_str()).collect()
}

/// What is wrong with the answer of an engine; nothing if it is right, and `Ok(false)` if there is none.
fn judge<M: Formalism + Checkable>(
    name: &str,
    task: &Task<M>,
    is_safe: bool,
    parts: &Parts,
) -> Result<bool, String> {
    let config = Config { engine: EngineName::new(name).unwrap(), ..Config::default() };
    let is_campaign = number("THETIS_FUZZ_SECONDS").is_some();
    let time = if is_campaign { SHORT_ENGINE_TIME } else { ENGINE_TIME };
    let run = Run::new(Budget { wall: Some(time), ..Budget::default() });
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let mut engine = thetis_portfolio::engine::<M>(&config, parts, None).unwrap();
        let verdict = engine.check(task, &run)?;
        certify(task, verdict, &*parts.solvers, &Run::unlimited())
    }));
    match answer {
        Err(_) => Err("it panicked".into()),
        Ok(Err(Stop::Failed(error))) => Err(format!("it failed: {error}")),
        Ok(Err(_)) => Ok(false),
        Ok(Ok(certified)) => match certified.verdict {
            Verdict::Safe(_) if !is_safe => Err("it says safe".into()),
            Verdict::Unsafe(_) if is_safe => Err("it says unsafe".into()),
            Verdict::Unknown(Reason::CertificateRejected(words)) => Err(format!("wrong evidence: {words}")),
            Verdict::Unknown(_) => Ok(false),
            Verdict::Safe(_) | Verdict::Unsafe(_) => Ok(true),
        },
    }
}

/// Asks all engines about one model.
fn ask<M: Formalism + Checkable>(
    tally: &mut Tally,
    task: &Task<M>,
    is_safe: bool,
    show: impl Fn(&str, &dyn Fn(&Task<M>) -> bool) -> String,
    parts: &Parts,
) {
    tally.models += 1;
    for name in engines_for(M::PLURAL) {
        match judge(name, task, is_safe, parts) {
            Ok(true) => tally.answers += 1,
            Ok(false) => tally.undecided += 1,
            Err(words) => {
                let fails = |smaller: &Task<M>| judge(name, smaller, is_safe, parts).is_err();
                tally.findings.push(format!("{name}, {}: {words}\n{}", M::PLURAL, show(name, &fails)));
            }
        }
    }
}

/// One model of each formalism.
fn ask_about(seed: u64, tally: &mut Tally, parts: &Parts) {
    let by_seed = |_: &str, _: &dyn Fn(&Task<Net>) -> bool| format!("random_net({seed})");
    let net = random_net(seed, NetShape::default());
    if let Some(truth) = explore_net(&net, MAX_MARKINGS) {
        ask::<Net>(tally, &net, truth.least_length.is_none(), by_seed, parts);
    }
    for shape in [
        StsShape { max_bools: 3, max_ints: 0, max_inputs: 2 },
        StsShape { max_bools: 2, max_ints: 2, max_inputs: 1 },
    ] {
        let task = random_sts(seed, shape);
        let show = |_: &str, _: &dyn Fn(&Task<Sts>) -> bool| format!("random_sts({seed}, {shape:?})");
        ask::<Sts>(tally, &task, explore_sts(&task).is_none(), show, parts);
    }
    let cfa = random_cfa(seed, Shape::default());
    let is_safe = explore(&cfa).least_bound.is_none();
    let show = |_: &str, fails: &dyn Fn(&Task<Cfa>) -> bool| {
        // A smaller automaton may lack what kept its numbers small; then nobody waits for its exploration.
        let truth = |task: &Task<Cfa>| {
            let run = Run::new(Budget { wall: Some(ENGINE_TIME), ..Budget::default() });
            run.enclose(|| explore(task).least_bound.is_none()).ok()
        };
        let small = shrink(&cfa, |task| truth(task) == Some(is_safe) && fails(task));
        format!(
            "random_cfa({seed})\n{}",
            thetis_text::cfa::print(&small).unwrap_or_else(|error| format!("{error:?}"))
        )
    };
    ask::<Cfa>(tally, &cfa, is_safe, show, parts);
    ask_about_network(seed, tally, parts);
}

/// A network of timed automata, with its region graph as the judge.
fn ask_about_network(seed: u64, tally: &mut Tally, parts: &Parts) {
    let network = if seed.is_multiple_of(3) {
        RandomNetwork::with_equal_processes(seed)
    } else {
        RandomNetwork::new(seed)
    };
    let (query, is_deadlock) = network.query(seed);
    let task = timed(&network.text(), &query);
    let show = |_: &str, _: &dyn Fn(&Task<Network>) -> bool| format!("{}\n{query}", network.text());
    ask::<Network>(tally, &task, !reaches(&network, is_deadlock), show, parts);
}

/// The task of asking `query` about the network `text`.
fn timed(text: &str, query: &str) -> Task<Network> {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let (file, question) = (sources.add("model.xta", text), sources.add("query", query));
    let model = thetis_xta::parse(&sources, file, &mut diags).unwrap();
    let property = thetis_xta::query::parse(&sources, question, &model, &mut diags).unwrap();
    thetis_xta::task(model.network, property)
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn engines_agree_with_exhaustive_search() {
    let time = number("THETIS_FUZZ_SECONDS").map(Duration::from_secs);
    let first = number("THETIS_FUZZ_SEED").unwrap_or(7_000_000);
    let (parts, start, mut tally) = (common::parts(), Instant::now(), Tally::default());
    for seed in first.. {
        let is_over = match time {
            Some(time) => start.elapsed() >= time,
            None => seed == first + 2,
        };
        if is_over {
            println!("seeds {first} to {}", seed - 1);
            break;
        }
        ask_about(seed, &mut tally, &parts);
    }
    let Tally { models, answers, undecided, findings } = tally;
    println!(
        "{models} models, {answers} right answers, {undecided} without an answer, {} findings",
        findings.len()
    );
    assert!(findings.is_empty(), "{}", findings.join("\n\n"));
    assert!(answers > undecided, "{answers} of {}", answers + undecided);
}
