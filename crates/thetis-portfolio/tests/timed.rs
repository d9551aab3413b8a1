//! The engines for automata on timed automata, as users get them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::time::Duration;

use thetis_base::{Budget, Diagnostics, Run, SourceMap};
use thetis_checker::certify;
use thetis_model::xta::Network;
use thetis_model::{Reason, Task, Verdict};
use thetis_portfolio::{Config, EngineName, Parts};

use common::parts;

/// Two processes that take a token in turns, and a range that one of them can leave.
const MODEL: &str = "
    clock z; int[0,2] n; chan hand;
    process Giver() {
        clock x;
        state busy { x <= 3 }, done;
        init busy;
        trans busy -> done { guard x >= 2; sync hand!; },
              done -> busy { guard x > 4; assign x = 0; };
    }
    process Taker() {
        clock y;
        state idle, work { y < 2 }, over;
        init idle;
        trans idle -> work { sync hand?; assign y = 0; },
              work -> idle { guard y >= 1; },
              idle -> over { guard z >= 9; assign n = n + 1; },
              over -> over { guard z < 9; assign n = n + 5; };
    }
    system Giver, Taker;";

fn task(query: &str) -> Task<Network> {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let (file, question) = (sources.add("model.xta", MODEL), sources.add("query", query));
    let model = thetis_xta::parse(&sources, file, &mut diags).unwrap();
    let property = thetis_xta::query::parse(&sources, question, &model, &mut diags).unwrap();
    thetis_xta::task(model.network, property)
}

/// The answer after the checker has looked at it; `None` if there is none.
fn answer(engine: &str, query: &str, parts: &Parts) -> Option<bool> {
    let config = Config { engine: EngineName::new(engine).unwrap(), ..Config::default() };
    let run = Run::new(Budget { wall: Some(Duration::from_secs(5)), ..Budget::default() });
    let task = task(query);
    let verdict = thetis_portfolio::engine(&config, parts, None).unwrap().check(&task, &run).ok()?;
    match certify(&task, verdict, &*parts.solvers, &Run::unlimited()).unwrap().verdict {
        Verdict::Safe(_) => Some(true),
        Verdict::Unsafe(_) => Some(false),
        Verdict::Unknown(Reason::CertificateRejected(words)) => panic!("{engine}, {query}: {words}"),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn engines_for_automata_decide_timed_automata() {
    let parts = parts();
    for (query, is_safe, engines) in [
        ("E<> Taker.work and Giver.done and Giver.x < 2", true, &["cegar"][..]),
        ("A[] Giver.busy imply Giver.x <= 3", true, &["cegar"]),
        ("E<> Taker.over and z < 9", true, &["cegar"]),
        ("E<> Taker.over and Giver.x > 3", false, &["bmc", "cegar"]),
        ("A[] not (Taker.idle and Giver.done)", false, &["bmc", "cegar", "horn"]),
    ] {
        for engine in engines {
            assert_eq!(answer(engine, query, &parts), Some(is_safe), "{engine}: {query}");
        }
    }
    for query in ["A[] not deadlock", "A<> Taker.over"] {
        assert_eq!(answer("cegar", query, &parts), None, "{query} is not translated");
    }
}
