//! Portfolios whose workers misbehave in every way: the run ends in time with an honest answer, and nothing is lost.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use thetis_base::{Budget, Cancel, Event, Fact, Run, Stop};
use thetis_engine::Engine;
use thetis_expr::Store;
use thetis_model::cfa::{Cfa, CfaBuilder, CfaProof, CfaProperty, CfaUnwinding};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_portfolio::portfolio::{Crew, Portfolio, Scope};
use thetis_portfolio::{Config, Parts};

use common::parts;

fn task() -> Task<Cfa> {
    let store = Store::new();
    let mut builder = CfaBuilder::new("nothing");
    let start = builder.location("start", None);
    builder.initial(start);
    let model = builder.build(&store).unwrap();
    Task { store, model, property: CfaProperty::ErrorLocation }
}

/// A crew whose workers run the scripts one after the other. The certificate `"safe"` claims safety.
fn crew(scripts: &[&str]) -> Crew<Cfa> {
    let left: Mutex<Vec<String>> = Mutex::new(scripts.iter().rev().map(ToString::to_string).collect());
    Crew {
        command: Box::new(move || {
            let script = left.lock().unwrap().pop().expect("there should be a script for every worker");
            let mut command = Command::new("sh");
            command.arg("-c").arg(script);
            command
        }),
        read: Box::new(|_, certificate| match certificate {
            r#""safe""# => Ok(Verdict::Safe(Evidence::Given(CfaProof::Unwinding(CfaUnwinding::default())))),
            _ => Err("no such certificate".into()),
        }),
        bit_vectors: None,
    }
}

/// The portfolio of a configuration whose workers run scripts, any number of them side by side.
fn portfolio(text: &str, scripts: &[&str]) -> Portfolio<Cfa> {
    let parts = Parts { jobs: 8, ..parts() };
    Portfolio::new(Config::from_toml(text).unwrap(), &parts, Scope::Whole(Some(crew(scripts))))
}

fn within(seconds: u64) -> Run {
    let wall = Some(Duration::from_secs(seconds));
    Run::new(Budget { wall, ..Budget::default() })
}

const SAFE: &str = r#"echo '{"certificate":"safe"}'"#;

/// The answer of a portfolio of one stage for each script, one after the other.
fn ask(scripts: &[&str], run: &Run) -> Result<Verdict<Cfa>, Stop> {
    let text = "[[stage]]\nengine = 'kind'\nshare = 50\nhands-on = true\n".repeat(scripts.len());
    portfolio(&text, scripts).check(&task(), run)
}

fn reason(verdict: Verdict<Cfa>) -> String {
    match verdict {
        Verdict::Unknown(reason) => reason.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_worker_that_fails_hands_over_to_the_next() {
    for script in
        ["kill -9 $$", "exit 3", "echo garbage; sleep 100", r#"echo '{"certificate":"wrong"}'"#, "exit 0"]
    {
        let verdict = ask(&[script, SAFE], &within(20)).unwrap();
        assert!(matches!(verdict, Verdict::Safe(Evidence::Given(_))), "{script}: {verdict:?}");
    }
}

#[test]
fn the_last_failure_is_told() {
    let reported = |script: &str| reason(ask(&[script], &within(20)).unwrap());
    assert!(reported("kill -9 $$").contains("signal: 9"), "{}", reported("kill -9 $$"));
    assert!(reported("echo garbage").contains("invalid message"));
    assert!(reported(r#"echo '{"unknown":"no progress"}'"#).contains("no progress"));
    assert_eq!(reported(r#"echo '{"exhausted":"memory"}'"#), Reason::OutOfMemory.to_string());
}

#[test]
fn a_worker_that_hangs_is_killed_when_its_share_is_over() {
    let start = Instant::now();
    let verdict = ask(&["trap '' TERM INT; sleep 1000 & wait", SAFE], &within(6)).unwrap();
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    assert!(start.elapsed() < Duration::from_secs(6));
}

#[test]
fn memory_is_limited_by_the_kernel() {
    let budget = Budget { memory: Some(64 << 20), wall: Some(Duration::from_secs(60)), cpu: None };
    let verdict = ask(&["exec tail /dev/zero"], &Run::new(budget)).unwrap();
    let reported = reason(verdict);
    assert!(reported.contains("ended without an answer"), "{reported}");
}

#[test]
fn workers_know_how_much_cpu_time_they_have() {
    let cpu = |seconds| Run::new(Budget { cpu: Some(Duration::from_secs(seconds)), ..Budget::default() });
    let asks = format!("if grep -Eq '\"cpu-time\":(4|3)[0-9]{{5}}[,}}]'; then {SAFE}; fi");
    let verdict = ask(&[&asks], &cpu(1000)).unwrap();
    assert!(matches!(verdict, Verdict::Safe(_)), "half of it less a tenth: {verdict:?}");
    let asks = format!("if grep -q '\"cpu-time\":null'; then {SAFE}; fi");
    assert!(matches!(ask(&[&asks], &within(60)).unwrap(), Verdict::Safe(_)));
}

#[test]
fn what_workers_use_is_used_up() {
    let counts = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done";
    let run = Run::new(Budget { cpu: Some(Duration::from_millis(50)), ..Budget::default() });
    assert!(matches!(ask(&[counts, SAFE], &run), Err(Stop::OutOfTime)));
}

#[test]
fn facts_of_a_killed_worker_reach_the_next() {
    let reports =
        r#"echo '{"event":{"fact":{"invariant":{"location":"start","formula":"(= x 1)"}}}}'; kill -9 $$"#;
    let asks = format!("if grep -q '(= x 1)'; then {SAFE}; fi");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let sink = heard.clone();
    let run = within(20).with_events(Arc::new(move |event: &Event| sink.lock().unwrap().push(event.clone())));
    let verdict = ask(&[reports, &asks], &run).unwrap();
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    let fact = Fact::Invariant { location: "start".into(), formula: "(= x 1)".into() };
    assert!(heard.lock().unwrap().contains(&Event::Fact(fact)));
}

#[test]
fn facts_stay_where_they_are_not_handed_on() {
    let text = "[[stage]]\nengine = 'bmc'\n[[stage]]\nengine = 'bmc'\n";
    let reports =
        r#"echo '{"event":{"fact":{"invariant":{"location":"start","formula":"(= x 1)"}}}}'; exit 1"#;
    let asks = format!("if grep -q '(= x 1)'; then exit 1; fi; {SAFE}");
    let verdict = portfolio(text, &[reports, &asks]).check(&task(), &within(20)).unwrap();
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}

#[test]
fn the_first_answer_of_a_group_ends_the_others() {
    let text = "[[stage]]\nengine = 'bmc'\n[[stage]]\nengine = 'cegar'\nbeside = true\n";
    let start = Instant::now();
    let mut portfolio = portfolio(text, &["sleep 1000", SAFE]);
    let verdict = portfolio.check(&task(), &within(100)).unwrap();
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn stages_can_end_a_portfolio() {
    let text = "[[stage]]\nengine = 'bmc'\nafter = { unknown = 'stop' }\n[[stage]]\nengine = 'bmc'\n";
    let scripts = [r#"echo '{"unknown":"enough"}'"#, SAFE];
    let verdict = portfolio(text, &scripts).check(&task(), &within(20)).unwrap();
    assert!(reason(verdict).contains("enough"));
}

#[test]
fn cancellation_ends_all() {
    let cancel = Cancel::new();
    let run = Run::with_cancel(Budget::default(), cancel.clone());
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        cancel.request();
    });
    let start = Instant::now();
    assert!(matches!(ask(&["sleep 1000"], &run), Err(Stop::Cancelled)));
    assert!(start.elapsed() < Duration::from_secs(10));
    thread.join().unwrap();
}
