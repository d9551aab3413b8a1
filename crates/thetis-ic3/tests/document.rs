//! The worked examples of Mertens 2016, with its numbers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its part of what they share")]

mod common;

use common::{Observed, figure, observed};
use thetis_ic3::{Ic3Config, Push, Termination};
use thetis_model::Verdict;
use thetis_testkit::cfa::parse;

/// The program of Fig. 2.1 with large blocks: five locations and six edges.
const SAMPLE: &str = "
    main process sample {
        var x : int
        var y : int
        var z : int
        var i : int
        init loc l0
        loc l1
        loc l2
        loc l3
        error loc lE
        l0 -> l1 { havoc x  y := x  i := 0  havoc z }
        l1 -> lE { assume x /= y }
        l1 -> l2 { assume i <= z }
        l2 -> l3 { x := x + 1  y := y + 1  i := i + 1 }
        l3 -> l2 { assume i < z }
        l3 -> lE { assume z <= i and x /= y }
    }";

/// The configuration of the sample run: no push, no propagation, equal frames.
fn plain() -> Ic3Config {
    Ic3Config {
        reuse: false,
        skip: false,
        termination: Termination::Original,
        propagate: false,
        push: Push::Off,
        cache: false,
        ctg_depth: 0,
        widen: false,
        ..Ic3Config::default()
    }
}

fn frames(observed: &Observed, iteration: usize) -> &[String] {
    &observed.iterations[iteration - 1][1..]
}

/// Figs. 2.4 to 2.7. The thesis writes `x + 1 = y + 1` where simplification yields `x = y`, omits level 0 of locations
/// that are excluded at level 1, and prints `false` for `l3` at level 4 by mistake: `l3` can be reached in three steps.
#[test]
fn the_frames_of_the_sample_program() {
    let observed = observed(&parse(SAMPLE), &plain());
    assert!(matches!(observed.verdict, Verdict::Safe(_)));
    assert_eq!(observed.iterations.len(), 5, "the search should stop in iteration 5");
    assert_eq!(frames(&observed, 1), ["level | l1    | l3", "    1 | x = y | false"]);
    let head = "level | l1    | l2    | l3";
    assert_eq!(
        frames(&observed, 2),
        [
            head, //
            "    1 |       | false |",
            "    2 | x = y |       | false",
        ]
    );
    assert_eq!(
        frames(&observed, 3),
        [
            head, //
            "    1 |       | false |",
            "    2 |       | x = y | false",
            "    3 | x = y |       | x = y",
        ]
    );
    assert_eq!(
        frames(&observed, 5),
        [
            head, //
            "    1 |       | false |",
            "    2 |       |       | false",
            "    3 |       |       |",
            "    4 |       | x = y |",
            "    5 | x = y |       | x = y",
        ]
    );
}

/// Example 2: with reuse the frames are the same, the obligations are 2, 3, 3, ..., and from iteration 3 on no query is
/// satisfiable.
#[test]
fn reuse_on_the_sample_program() {
    let without = observed(&parse(SAMPLE), &plain());
    let with = observed(&parse(SAMPLE), &Ic3Config { reuse: true, ..plain() });
    for iteration in 1..=5 {
        assert_eq!(frames(&with, iteration), frames(&without, iteration));
    }
    let obligations = |observed: &Observed| -> Vec<String> {
        let head = |lines: &Vec<String>| lines[0].split(' ').nth(3).unwrap().to_owned();
        observed.iterations.iter().map(head).collect()
    };
    assert_eq!(obligations(&with), ["2", "3", "3", "3", "3"]);
    // The two counterexamples to induction, and the predecessor of one of them in iteration 2.
    assert_eq!(figure(&with.statistics, "satisfiable"), 3);
    assert!(figure(&with.statistics, "queries") < figure(&without.statistics, "queries"));
}

/// Each further option saves queries, and the frames lead to the same answer.
#[test]
fn options_save_queries_on_the_sample_program() {
    let reuse = Ic3Config { reuse: true, ..plain() };
    let skip = Ic3Config { skip: true, ..reuse.clone() };
    let cache = Ic3Config { cache: true, ..skip.clone() };
    let queries: Vec<u64> = [plain(), reuse, skip, cache]
        .iter()
        .map(|config| {
            let observed = observed(&parse(SAMPLE), config);
            assert!(matches!(observed.verdict, Verdict::Safe(_)));
            figure(&observed.statistics, "queries")
        })
        .collect();
    assert!(queries.is_sorted_by(|more, fewer| more >= fewer), "{queries:?}");
    assert!(queries[2] < queries[1], "{queries:?}");
}

#[test]
fn propagation_needs_fewer_iterations() {
    let observed = observed(&parse(SAMPLE), &Ic3Config::default());
    assert!(matches!(observed.verdict, Verdict::Safe(_)));
    assert!(figure(&observed.statistics, "iterations") < 5, "{:?}", observed.iterations);
}
