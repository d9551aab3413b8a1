//! The figures of Hajdu and Micskei (2019) about refinement: where counterexamples are cut and the graph is pruned, and how many
//! rounds that takes. Figures 6, 7 and 8 there are 2.6 and 2.7 of Hajdu (2020); figure 5 is tested with the waiting list.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its part of what they share")]

mod common;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use thetis_base::{Budget, Cancel, Event, Run, Stop};
use thetis_cegar::{
    Cegar, CegarConfig, CegarTools, DomainKind, Granularity, MaxEnum, PredSplit, Refinement, SearchOrder,
};
use thetis_engine::Engine;
use thetis_model::cfa::Cfa;
use thetis_model::{Task, Verdict};
use thetis_solver::Interpolator;
use thetis_testkit::cfa::parse;
use thetis_z3::Z3Horn;

use common::{answer, model, tools, within, word};

/// Predicates at single locations, so that one can see where something was learned.
fn local(refinement: Refinement) -> CegarConfig {
    CegarConfig {
        domain: DomainKind::PredCart,
        refinement,
        precision: Granularity::Local,
        search: SearchOrder::Bfs,
        ..CegarConfig::default()
    }
}

/// The locations at which the first refinement learns something.
fn first_cut(task: &Task<Cfa>, refinement: Refinement) -> Vec<String> {
    let cancel = Cancel::new();
    let run = Run::with_cancel(Budget::default(), cancel.clone()).with_events(Arc::new(move |event| {
        if matches!(event, Event::Iteration(_)) {
            cancel.request();
        }
    }));
    let mut engine = Cegar::new(local(refinement), tools());
    assert!(matches!(engine.check(task, &run), Err(Stop::Cancelled)), "one round is not enough");
    let tracked = engine.facts(task, &Run::unlimited()).unwrap().tracked;
    let places = tracked.at.iter().filter(|(_, here)| !here.predicates.is_empty());
    places.map(|(location, _)| task.model.locations[*location].name.clone()).collect()
}

/// The rounds of a proof with one precision for all locations. States are split, as in the figures.
fn rounds(task: &Task<Cfa>, refinement: Refinement) -> usize {
    let config =
        CegarConfig { domain: DomainKind::PredSplit, precision: Granularity::Global, ..local(refinement) };
    let mut engine = Cegar::new(config, tools());
    assert_eq!(word(&engine.check(task, &Run::unlimited()).unwrap()), "safe", "{refinement:?}");
    engine.iterations().len()
}

/// Figure 6a, and 8a: a variable is assigned first and contradicts a guard at the end.
fn late_guard() -> Task<Cfa> {
    parse(
        "main process p { var x : int var y : int
         init loc s1 loc s2 loc s3 loc s4 error loc s5
         s1 -> s2 { x := 0 } s2 -> s3 { y := 1 } s3 -> s4 { y := 2 } s4 -> s5 { assume x > 5 } }",
    )
}

/// Figure 8b: the prefix breaks early and the suffix late.
fn two_contradictions() -> Task<Cfa> {
    parse(
        "main process p { var x : int var y : int
         init loc s1 loc s2 loc s3 loc s4 error loc s5
         s1 -> s2 { x := 0 } s2 -> s3 { assume x > 5 } s3 -> s4 { y := 0 } s4 -> s5 { assume y > 5 } }",
    )
}

#[test]
fn figure_6_forward_goes_back_state_by_state_and_backward_at_once() {
    let task = late_guard();
    assert_eq!(first_cut(&task, Refinement::FwBinItp), ["s4"]);
    assert_eq!(first_cut(&task, Refinement::BwBinItp), ["s2"]);
    assert_eq!(first_cut(&task, Refinement::BwSeqItp), ["s2"]);
    assert_eq!(first_cut(&task, Refinement::SeqItp), ["s2", "s3", "s4"]);
    // Forward: one round for s4, s3 and s2 each, and the last one that proves. Backward: one refinement.
    assert_eq!(rounds(&task, Refinement::FwBinItp), 4);
    assert_eq!(rounds(&task, Refinement::BwBinItp), 2);
    assert_eq!(rounds(&task, Refinement::BwSeqItp), 2);
}

#[test]
fn figure_8_prune_indices() {
    let (a, b) = (late_guard(), two_contradictions());
    for (refinement, in_a, in_b) in [
        (Refinement::FwBinItp, "s4", "s2"),
        (Refinement::BwBinItp, "s2", "s4"),
        (Refinement::MinPrune, "s2", "s2"),
        (Refinement::MaxPrune, "s4", "s4"),
    ] {
        assert_eq!(
            (first_cut(&a, refinement), first_cut(&b, refinement)),
            (vec![in_a.into()], vec![in_b.into()])
        );
    }
}

/// Figure 7: of four counterexamples, two are refined earlier on the paths of the others.
fn four_counterexamples() -> Task<Cfa> {
    parse(
        "main process p { var x : int var y : int var z : int var w : int
         init loc start loc a loc b loc c loc d error loc bad
         start -> a { x := 0 } start -> c { z := 0 }
         a -> b { y := 0 } a -> bad { assume x > 5 } b -> bad { assume y > 5 }
         c -> d { w := 0 } c -> bad { assume z > 5 } d -> bad { assume w > 5 } }",
    )
}

/// How many predicates are tracked in each round.
fn tracked(task: &Task<Cfa>, config: CegarConfig) -> Vec<u64> {
    let mut engine = Cegar::new(config, tools());
    assert_eq!(word(&engine.check(task, &Run::unlimited()).unwrap()), "safe");
    engine.iterations().iter().map(|iteration| iteration.tracked).collect()
}

#[test]
fn figure_7_only_the_earliest_refinements_of_a_graph_count() {
    let task = four_counterexamples();
    // All four are found; two are learned from, then the other two, then nothing is left.
    assert_eq!(tracked(&task, local(Refinement::MultiSeq)), [0, 2, 4]);
    assert_eq!(tracked(&task, local(Refinement::SeqItp)), [0, 1, 2, 3, 4]);
    // Collecting is possible with any refinement, and can stop early.
    let collecting = |refinement, counterexamples| CegarConfig { counterexamples, ..local(refinement) };
    assert_eq!(tracked(&task, collecting(Refinement::BwBinItp, 0)), [0, 2, 4]);
    assert_eq!(tracked(&task, collecting(Refinement::MultiSeq, 2)), [0, 2, 4], "the two at depth two");
    assert_eq!(tracked(&task, collecting(Refinement::BwBinItp, 3)).first(), Some(&0));
    for counterexamples in 0..5 {
        for refinement in [Refinement::MultiSeq, Refinement::BwSeqItp, Refinement::MinPrune] {
            assert_eq!(tracked(&task, collecting(refinement, counterexamples)).last(), Some(&4));
        }
    }
}

#[test]
fn figure_4_limits_of_enumeration_grow_where_they_help() {
    let auto = |precision| CegarConfig {
        domain: DomainKind::Expl,
        max_enum: MaxEnum::Auto,
        precision,
        ..CegarConfig::default()
    };
    for precision in [Granularity::Global, Granularity::Local] {
        let config = auto(precision);
        let time = Duration::from_secs(20);
        assert_eq!(word(&answer(&model("four.safe"), &config, time)), "safe", "four values are enough");
        assert_eq!(word(&answer(&model("flip.safe"), &config, time)), "safe");
        // No number of values is enough, and the search says so instead of enumerating for ever.
        assert_eq!(word(&answer(&model("nonzero.safe"), &config, time)), "unknown");
    }
}

#[test]
fn clauses_are_tracked_one_by_one() {
    // The interpolant is about two variables at once; each clause of it is a predicate of its own.
    let task = parse(
        "main process p { var x : int var y : int var b : bool
         init loc s1 loc s2 loc s3 error loc s4
         s1 -> s2 { assume b x := 1 y := 1 } s1 -> s2 { assume not b x := 2 y := 2 }
         s2 -> s3 { assume x = y } s2 -> s4 { assume x /= y } s3 -> s4 { assume x > 2 or (b and y > 1) } }",
    );
    for pred_split in [PredSplit::Whole, PredSplit::Conjuncts, PredSplit::Clauses, PredSplit::Atoms] {
        for domain in [DomainKind::PredCart, DomainKind::PredBool] {
            let config = CegarConfig { pred_split, domain, ..CegarConfig::default() };
            let verdict = answer(&task, &config, Duration::from_secs(20));
            assert_ne!(word(&verdict), "unsafe", "{pred_split:?} {domain:?}");
            if pred_split == PredSplit::Clauses {
                assert_eq!(word(&verdict), "safe", "{domain:?}");
            }
        }
    }
}

/// Figure A.2.1 of Imeri (2025) with the integers of a machine. That the sum does not wrap around follows from the bounds of the input, which no
/// interpolant of a single path mentions.
#[test]
fn bounds_make_up_for_values_that_may_wrap_around() {
    let task = parse(
        "main process sum { var n : int var sn : int var i : int
         init loc start loc head loc exit error loc bad
         start -> head { havoc n assume 0 <= n and n <= 255 sn := 0 i := 1 }
         head -> head { assume i <= n sn := (sn + 2 + 2147483648) mod 4294967296 - 2147483648 i := i + 1 }
         head -> exit { assume i > n }
         exit -> bad { assume not (sn = n * 2 or sn = 0) } }",
    );
    let config = |bounds| CegarConfig { bounds, precision: Granularity::Global, ..local(Refinement::SeqItp) };
    let mut engine = Cegar::new(config(true), patient_tools());
    assert_eq!(word(&engine.check(&task, &within(Duration::from_secs(120))).unwrap()), "safe");
    // Interpolants alone follow the loop round by round.
    let most = engine.iterations().len();
    assert!(
        matches!(stopped(&task, config(false), most), Err(Stop::Cancelled)),
        "there should be no answer yet"
    );
}

/// What the engine says within this many rounds.
fn stopped(task: &Task<Cfa>, config: CegarConfig, most: usize) -> Result<Verdict<Cfa>, Stop> {
    let cancel = Cancel::new();
    let (stop, seen) = (cancel.clone(), AtomicUsize::new(0));
    let run = Run::with_cancel(Budget::default(), cancel).with_events(Arc::new(move |event| {
        if matches!(event, Event::Iteration(_)) && seen.fetch_add(1, Ordering::SeqCst) + 1 == most {
            stop.request();
        }
    }));
    Cegar::new(config, patient_tools()).check(task, &run)
}

/// With Horn clauses that may take their time, so that a busy machine does not decide.
fn patient_tools() -> CegarTools {
    let horn = || -> Box<dyn Interpolator> { Box::new(Z3Horn::new(Duration::from_secs(30))) };
    CegarTools { horn: Rc::new(horn), ..tools() }
}
