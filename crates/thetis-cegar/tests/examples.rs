//! The worked examples of documents 000 and 001, and what Theta is known to get wrong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its part of what they share")]

mod common;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::{DOMAINS, answer, model, solvers, tools, within, word};
use thetis_base::{AbstractGraph, AbstractKind, AbstractState, Event, Run, Stop};
use thetis_cegar::{
    Cegar, CegarConfig, DomainKind, InterpolatorKind, MaxEnum, Refinement, SearchOrder, Tracked, TrackedAt,
};
use thetis_engine::Engine;
use thetis_expr::{ExprId, Store};
use thetis_model::cfa::Cfa;
use thetis_model::{Reason, Task, Verdict};
use thetis_solver::Answer;
use thetis_testkit::cfa::parse;

fn quick(task: &Task<Cfa>, config: &CegarConfig) -> Verdict<Cfa> {
    answer(task, config, Duration::from_secs(5))
}

fn with_domain(domain: DomainKind) -> CegarConfig {
    CegarConfig { domain, ..CegarConfig::default() }
}

fn int(task: &Task<Cfa>, name: &str) -> ExprId {
    task.store.var_expr(task.store.find_var(name).unwrap())
}

fn tracking(predicates: impl IntoIterator<Item = ExprId>) -> TrackedAt {
    let everywhere = Tracked { predicates: predicates.into_iter().collect(), ..Tracked::default() };
    TrackedAt { everywhere, ..TrackedAt::default() }
}

fn are_equal(store: &Store, left: ExprId, right: ExprId) -> bool {
    let mut solver = solvers().start(&Run::unlimited()).unwrap();
    matches!(solver.check(store, &[store.xor(left, right)]).unwrap(), Answer::Unsat)
        || store.xor(left, right) == store.fals()
}

#[test]
fn the_flag_of_figure_one_is_proved_in_every_domain() {
    let task = model("flip.safe");
    for domain in DOMAINS {
        assert_eq!(word(&quick(&task, &with_domain(domain))), "safe", "{domain:?}");
    }
}

#[test]
fn figure_three_tracks_only_the_flag() {
    let task = model("flip.safe");
    let x = task.store.find_var("x").unwrap();
    for refinement in [Refinement::SeqItp, Refinement::UnsatCore] {
        let mut engine = Cegar::new(CegarConfig { refinement, ..with_domain(DomainKind::Expl) }, tools());
        let verdict = engine.check(&task, &Run::unlimited()).unwrap();
        assert_eq!(word(&verdict), "safe");
        let facts = engine.facts(&task, &Run::unlimited()).unwrap();
        assert_eq!(facts.tracked.everywhere.variables, BTreeSet::from([x]), "{refinement:?}");
    }
}

#[test]
fn figure_three_needs_the_right_predicate() {
    let task = model("flip.safe");
    let iterations = |predicate| {
        let mut engine = Cegar::new(with_domain(DomainKind::PredCart), tools());
        engine.start_from(tracking([predicate]));
        assert_eq!(word(&engine.check(&task, &Run::unlimited()).unwrap()), "safe");
        engine.iterations().len()
    };
    let (store, [x, i]) = (&task.store, ["x", "i"].map(|name| int(&task, name)));
    assert_eq!(iterations(store.le(x, store.int(1))), 1);
    assert!(iterations(store.lt(i, store.int(100))) > 1);
}

#[test]
fn figure_four_needs_four_values_or_a_predicate() {
    let task = model("four.safe");
    let with = |max_enum| CegarConfig { max_enum, ..with_domain(DomainKind::Expl) };
    for max_enum in [MaxEnum::OneWithoutSolver, MaxEnum::AtMost(1), MaxEnum::AtMost(3)] {
        assert_eq!(word(&quick(&task, &with(max_enum))), "unknown", "{max_enum:?}");
    }
    for max_enum in [MaxEnum::AtMost(4), MaxEnum::AtMost(9), MaxEnum::Unlimited] {
        assert_eq!(word(&quick(&task, &with(max_enum))), "safe", "{max_enum:?}");
    }
    let right = model("nonzero.safe");
    assert_eq!(word(&quick(&right, &with(MaxEnum::AtMost(10)))), "unknown");
    for domain in [DomainKind::PredCart, DomainKind::ExplPred] {
        assert_eq!(word(&quick(&task, &with_domain(domain))), "safe");
        assert_eq!(word(&quick(&right, &with_domain(domain))), "safe");
    }
}

#[test]
fn nested_loops_have_the_invariants_of_document_000() {
    let task = model("nested.safe");
    let (store, [a, b]) = (&task.store, ["a", "b"].map(|name| int(&task, name)));
    let at_least = |var| store.le(store.int(2), var);
    let mut engine = Cegar::new(with_domain(DomainKind::PredCart), tools());
    engine.start_from(tracking([at_least(a), at_least(b)]));
    // A run that was stopped before its first round has tracked nothing but what it started from.
    let stopped = engine.check(&task, &within(Duration::ZERO));
    assert!(matches!(stopped, Err(Stop::OutOfTime)));
    let facts = engine.facts(&task, &Run::unlimited()).unwrap();
    let invariants = facts.invariants.unwrap();
    let at = |name: &str| invariants[&task.model.location(name).unwrap()];
    assert!(are_equal(store, at("l1"), store.or(store.not(at_least(a)), at_least(b))));
    assert!(are_equal(store, at("l2"), store.not(at_least(a))));
    assert!(are_equal(store, at("l3"), store.and(at_least(a), at_least(b))));
    assert!(!invariants.contains_key(&task.model.location("bad").unwrap()), "the error is reached");
    assert_eq!(engine.facts(&task, &within(Duration::ZERO)).unwrap().invariants, None, "no time, no facts");
}

#[test]
fn nested_loops_are_proved_with_few_predicates() {
    let task = model("nested.safe");
    let mut engine = Cegar::new(with_domain(DomainKind::PredCart), tools());
    assert_eq!(word(&engine.check(&task, &Run::unlimited()).unwrap()), "safe");
    let tracked = engine.facts(&task, &Run::unlimited()).unwrap().tracked.len();
    assert!((2..=12).contains(&tracked), "the document needs about six predicates, we {tracked}");
}

/// Figure 3.5 of Imeri 2025: four nested loops of six rounds each, which predicates hardly master.
#[test]
fn deeply_nested_loops_are_proved_by_values() {
    let task = parse(
        "main process nested {
        var a : int var b : int var c : int var d : int
        init loc start loc la loc lb loc lc loc ld loc exit error loc bad
        start -> la { a := 0 }
        la -> lb { assume a < 6 b := 0 } lb -> lc { assume b < 6 c := 0 } lc -> ld { assume c < 6 d := 0 }
        ld -> ld { assume d < 6 d := d + 1 }
        ld -> lc { assume d >= 6 c := c + 1 } lc -> lb { assume c >= 6 b := b + 1 }
        lb -> la { assume b >= 6 a := a + 1 } la -> exit { assume a >= 6 }
        exit -> bad { assume not (a = 6 and b = 6 and c = 6 and d = 6) }
    }",
    );
    assert_eq!(word(&quick(&task, &with_domain(DomainKind::Expl))), "safe");
}

#[test]
fn without_progress_the_answer_is_unknown_and_says_why() {
    let config = CegarConfig { max_enum: MaxEnum::AtMost(1), ..with_domain(DomainKind::Expl) };
    let Verdict::Unknown(Reason::Incomplete(words)) = quick(&model("nonzero.safe"), &config) else {
        panic!("one value should not be enough");
    };
    assert!(words.starts_with("no progress"), "{words}");
}

/// When counterexamples keep coming along the same edges, the next interpolator is asked.
#[test]
fn diverging_refinement_is_passed_on() {
    let task = parse(
        "main process diverging {
        var x : int var y : int
        init loc start loc head loc down error loc bad
        start -> head { x := 0 y := 0 }
        head -> head { x := x + 1 y := y + 1 }
        head -> down
        down -> down { assume x > 0 x := x - 1 y := y - 1 }
        down -> bad { assume x = 0 and y /= 0 }
    }",
    );
    let interpolators = vec![InterpolatorKind::NewtonWp, InterpolatorKind::Farkas];
    let base = CegarConfig { interpolators, patience: 2, ..with_domain(DomainKind::PredCart) };
    let mut engine = Cegar::new(base, tools());
    // Whether it ends or not, both were asked.
    let _ = engine.check(&task, &within(Duration::from_millis(1500)));
    let statistics = engine.statistics();
    let part = statistics.parts.iter().find(|part| part.name == "interpolators").unwrap();
    let names: Vec<&str> = part.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["newton-wp", "farkas"]);
}

#[test]
fn iterations_are_told_and_counted() {
    let task = model("nested.safe");
    let events = Arc::new(Mutex::new(Vec::new()));
    let sink = events.clone();
    let run = Run::unlimited().with_events(Arc::new(move |event| sink.lock().unwrap().push(event.clone())));
    let config = CegarConfig { draw_arg: true, ..with_domain(DomainKind::PredCart) };
    let mut engine = Cegar::new(config, tools());
    engine.check(&task, &run).unwrap();
    let events = events.lock().unwrap();
    let reported = events.iter().filter_map(|event| match event {
        Event::Iteration(iteration) => Some(*iteration),
        _ => None,
    });
    assert_eq!(reported.collect::<Vec<_>>(), engine.iterations());
    assert!(engine.iterations().windows(2).all(|pair| pair[0].tracked < pair[1].tracked));
    let Some(Event::Drawing(graph)) = events.last() else { panic!("the graph should be reported last") };
    let is_covered = |state: &AbstractState| matches!(state.kind, AbstractKind::Covered(_));
    assert!(graph.states.iter().any(is_covered) && !graph.states.iter().any(|state| state.is_on_path));
    assert!(graph.states.iter().all(|state| state.kind != AbstractKind::Waiting), "the graph is complete");
}

#[test]
fn a_drawing_shows_the_run_to_the_error() {
    let task = model("parallel.unsafe");
    let drawing = Arc::new(Mutex::new(AbstractGraph::default()));
    let sink = drawing.clone();
    let run = Run::unlimited().with_events(Arc::new(move |event| {
        if let Event::Drawing(graph) = event {
            sink.lock().unwrap().clone_from(graph);
        }
    }));
    let config =
        CegarConfig { draw_arg: true, search: SearchOrder::Bfs, ..with_domain(DomainKind::PredCart) };
    Cegar::new(config, tools()).check(&task, &run).unwrap();
    let graph = drawing.lock().unwrap();
    let path: Vec<&AbstractState> = graph.states.iter().filter(|state| state.is_on_path).collect();
    assert!(path.len() < graph.states.len(), "one of the two edges leads to the error: {graph:?}");
    let [first, .., last] = &path[..] else { panic!("the path has some states: {graph:?}") };
    assert!(first.step.is_none() && last.kind == AbstractKind::Target, "{graph:?}");
    let labels: Vec<&str> =
        path.iter().flat_map(|state| &state.step).map(|step| step.label.as_str()).collect();
    assert!(labels.contains(&"x := 2") && labels.contains(&"[x = 2]"), "{labels:?}");
}

// What Theta gets wrong, and we must not (spec/theta-reference.md, sections 2 and 9).

#[test]
fn newton_runs_in_the_direction_of_its_name() {
    for (refinement, name) in [
        (Refinement::NewtonWp, "newton-wp"),
        (Refinement::NewtonSp, "newton-sp"),
        (Refinement::NewtonWpLv, "newton-wp-lv"),
        (Refinement::NewtonSpLv, "newton-sp-lv"),
    ] {
        let config = CegarConfig { refinement, ..with_domain(DomainKind::PredCart) };
        let mut engine = Cegar::new(config, tools());
        engine.check(&model("flip.safe"), &Run::unlimited()).unwrap();
        let statistics = engine.statistics();
        let part = statistics.parts.iter().find(|part| part.name == "interpolators").unwrap();
        let names: Vec<&str> = part.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, [name]);
    }
    // From x := 3 to [x < 2], the strongest postcondition is x = 3 and the weakest precondition x >= 2.
    let task = parse(
        "main process p { var x : int init loc a loc b error loc bad
         a -> b { x := 3 } b -> bad { assume x < 2 } }",
    );
    let learned = |refinement| {
        let config = CegarConfig { refinement, ..with_domain(DomainKind::PredCart) };
        let mut engine = Cegar::new(config, tools());
        engine.check(&task, &Run::unlimited()).unwrap();
        engine.facts(&task, &Run::unlimited()).unwrap().tracked.everywhere.predicates
    };
    let (store, x) = (&task.store, int(&task, "x"));
    assert_eq!(learned(Refinement::NewtonSp), BTreeSet::from([store.eq(x, store.int(3))]));
    let weakest = learned(Refinement::NewtonWp);
    let is_weakest = |formula: &ExprId| {
        are_equal(store, *formula, store.lt(x, store.int(2)))
            || are_equal(store, *formula, store.le(store.int(2), x))
    };
    assert!(weakest.len() == 1 && weakest.iter().all(is_weakest));
}

#[test]
fn newton_and_unsat_cores_work_on_arrays() {
    for refinement in [Refinement::NewtonWp, Refinement::NewtonWpLv] {
        let config = CegarConfig { refinement, ..with_domain(DomainKind::PredCart) };
        let verdict = quick(&model("array.safe"), &config);
        assert_eq!(word(&verdict), "safe", "{refinement:?} {verdict:?}");
        assert_eq!(word(&quick(&model("array.unsafe"), &config)), "unsafe", "{refinement:?}");
    }
    let config = CegarConfig { refinement: Refinement::UnsatCore, ..with_domain(DomainKind::Expl) };
    assert_eq!(word(&quick(&model("array.unsafe"), &config)), "unsafe");
}

#[test]
fn parallel_edges_all_count_and_variables_start_arbitrary() {
    for domain in DOMAINS {
        for name in ["parallel.unsafe", "arbitrary.unsafe", "through.unsafe"] {
            assert_eq!(word(&quick(&model(name), &with_domain(domain))), "unsafe", "{name} {domain:?}");
        }
    }
}
