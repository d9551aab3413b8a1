//! IC3 on the bits of automata: answers are right, and certified on the automaton.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its part of what they share")]

mod common;

use std::time::Duration;

use common::certified;
use thetis_base::{Diagnostics, SourceMap};
use thetis_engine::Through;
use thetis_ic3::{Ic3, Ic3Config};
use thetis_model::cfa::{BlockEncoding, Blocks, Cfa, ToBoundedSts};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_testkit::cfa::{Shape, explore, random_cfa};

fn on_bits() -> Through<ToBoundedSts, Ic3> {
    Through::new(ToBoundedSts, Ic3::for_machines(Ic3Config::default()))
}

/// The certified answer about the automaton, and about the same with merged edges.
fn answers(task: &Task<Cfa>) -> [Verdict<Cfa>; 2] {
    let merging = Blocks { encoding: BlockEncoding::Full, max_size: 1000 };
    let time = Duration::from_secs(20);
    [certified(&mut on_bits(), task, time), certified(&mut Through::new(merging, on_bits()), task, time)]
}

#[test]
fn random_automata_are_answered_as_exploration_says() {
    let (mut num_safe, mut num_unsafe) = (0, 0);
    for seed in 0..120 {
        let task = random_cfa(seed, Shape::default());
        let is_unsafe = explore(&task).least_bound.is_some();
        for verdict in answers(&task) {
            match verdict {
                Verdict::Safe(Evidence::Given(_)) if !is_unsafe => num_safe += 1,
                Verdict::Unsafe(Evidence::Given(_)) if is_unsafe => num_unsafe += 1,
                // Numbers without bounds are not calculated with bits.
                Verdict::Unknown(Reason::Incomplete(_)) => {}
                other => panic!("seed {seed}: answered {other:?}; unsafe: {is_unsafe}"),
            }
        }
    }
    assert!(num_safe > 40 && num_unsafe > 40, "{num_safe} safe and {num_unsafe} unsafe answers");
}

/// A counter in machine arithmetic, with a limit that an input sets and a flag that goes with it.
const COUNTER: &str = "main process counter {
    var x : int
    var limit : int
    var flag : bv[4]
    init loc start
    loc head
    error loc bad
    start -> head {
        havoc limit
        assume 0 <= limit and limit <= 200
        x := 0
        flag := 4'b0001
    }
    head -> head {
        assume x < limit
        x := ((x + 2) mod 256)
        flag := if flag = 4'b1000 then 4'b0001 else flag bvshl 4'b0001
    }
    head -> bad {
        assume CONDITION
    }
}";

fn answer(condition: &str) -> [Verdict<Cfa>; 2] {
    let text = COUNTER.replace("CONDITION", condition);
    let mut sources = SourceMap::new();
    let file = sources.add("counter.cfa", text);
    let mut diagnostics = Diagnostics::new();
    let task = thetis_text::cfa::parse(&sources, file, &mut diagnostics)
        .unwrap_or_else(|_| panic!("{diagnostics:?}"));
    answers(&task)
}

#[test]
fn numbers_of_machines_are_bits() {
    for condition in ["x mod 2 = 1", "flag = 4'b0000", "x > limit + 1", "x > 201"] {
        for verdict in answer(condition) {
            assert!(matches!(verdict, Verdict::Safe(Evidence::Given(_))), "{condition}: {verdict:?}");
        }
    }
    for condition in ["flag = 4'b1000", "x > limit", "x = 20 and limit = 19", "x / 3 = 5"] {
        for verdict in answer(condition) {
            assert!(matches!(verdict, Verdict::Unsafe(Evidence::Given(_))), "{condition}: {verdict:?}");
        }
    }
}
