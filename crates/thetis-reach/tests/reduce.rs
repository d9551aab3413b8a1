//! Structural reductions keep verdicts, and lifted traces replay on the original net.

use thetis_base::Run;
use thetis_engine::{Engine, Through};
use thetis_expr::Store;
use thetis_model::petri::{Net, NetBuilder, PetriProof, PetriProperty, Question, Reduce};
use thetis_model::{Evidence, Task, Verdict};
use thetis_reach::{Explicit, ExplicitConfig};
use thetis_testkit::petri::{NetShape, explore_net, philosophers, random_net, replay, ring};

/// Checks one pass on random nets; returns how often each rule was applied.
fn check(pass: Reduce, seeds: std::ops::Range<u64>, shape: NetShape) -> usize {
    let mut num_applied = 0;
    for seed in seeds {
        let task = random_net(seed, shape);
        let Some(truth) = explore_net(&task, 2_000) else { continue };
        let (passed, counts) = pass.reduce(&task, &Run::unlimited()).expect("nothing limits the run");
        num_applied += counts.iter().map(|(_, count)| count).sum::<usize>();
        let verdict = Explicit::new(ExplicitConfig::default()).check(&passed.task, &Run::unlimited());
        let context = format!("seed {seed}: {}, {counts:?}", task.property);
        match verdict.expect("reduced nets of bounded nets should be bounded") {
            Verdict::Unsafe(Evidence::Given(trace)) => {
                assert!(truth.least_length.is_some(), "{context}");
                let firings = passed.lift.trace(trace).firings;
                let end = replay(&task.model, &firings)
                    .unwrap_or_else(|| panic!("{context}: the trace does not fire"));
                assert!(task.property.target(&task.model).holds(&task.model, &end), "{context}");
            }
            Verdict::Safe(_) => assert!(truth.least_length.is_none(), "{context}"),
            other => panic!("{context}: {other:?}"),
        }
    }
    num_applied
}

#[test]
fn each_rule_keeps_the_verdict() {
    let dense = NetShape { max_places: 8, max_transitions: 8, ..NetShape::default() };
    let split =
        NetShape { max_places: 10, max_transitions: 7, max_number: 1, splits: true, ..NetShape::default() };
    for rule in Reduce::rules() {
        let num_dense = check(Reduce::only(rule), 0..700, dense);
        let num_split = check(Reduce::only(rule), 0..1_500, split);
        assert!(num_dense + num_split > 50, "{rule} was applied {num_dense} and {num_split} times");
    }
}

#[test]
fn all_rules_together_keep_the_verdict() {
    let dense = NetShape { max_places: 9, max_transitions: 9, ..NetShape::default() };
    assert!(check(Reduce::default(), 10_000..12_500, dense) > 2_000);
    let split = NetShape { splits: true, ..NetShape::default() };
    assert!(check(Reduce::default(), 20_000..22_500, split) > 2_000);
}

#[test]
fn exact_rules_keep_the_number_of_markings() {
    for seed in 0..1_500 {
        let task = random_net(seed, NetShape::default());
        let property = PetriProperty::new(&task.model, Question::StateSpace);
        let task = Task { property, ..task };
        let Some(truth) = explore_net(&task, 2_000) else { continue };
        let mut engine = Through::new(Reduce::default(), Explicit::new(ExplicitConfig::default()));
        match engine.check(&task, &Run::unlimited()).expect("the search should end") {
            Verdict::Safe(Evidence::Given(PetriProof::StateSpace { num_markings })) => {
                assert_eq!(num_markings, truth.num_markings as u64, "seed {seed}");
            }
            other => panic!("seed {seed}: {other:?}"),
        }
    }
}

#[test]
fn chains_shrink_to_almost_nothing() {
    let mut builder = NetBuilder::new("chain");
    let places: Vec<_> =
        (0..50).map(|index| builder.place(format!("p{index}"), u64::from(index == 0))).collect();
    for pair in places.windows(2) {
        let step = builder.transition(format!("t{}", pair[0].index()));
        builder.input(step, pair[0], 1);
        builder.output(step, pair[1], 1);
    }
    let net = builder.build().expect("the chain is well-formed");
    let last = thetis_model::petri::Predicate::place(places[49], thetis_model::petri::Relation::AtLeast, 1);
    let property = PetriProperty::new(&net, Question::Exists(last));
    let task = Task { store: Store::new(), model: net, property };
    let (passed, _) = Reduce::default().reduce(&task, &Run::unlimited()).expect("nothing limits the run");
    assert!(passed.task.model.places().len() <= 2, "{} places", passed.task.model.places().len());
    let mut engine = Explicit::new(ExplicitConfig::default());
    let Ok(Verdict::Unsafe(Evidence::Given(trace))) = engine.check(&passed.task, &Run::unlimited()) else {
        panic!("the end of the chain should be reachable")
    };
    assert_eq!(passed.lift.trace(trace).firings.len(), 49);
}

#[test]
fn deadlocks_survive() {
    let ask = |net: Net| {
        let property = PetriProperty::new(&net, Question::Deadlock);
        let task = Task { store: Store::new(), model: net, property };
        let mut engine = Through::new(Reduce::default(), Explicit::new(ExplicitConfig::default()));
        engine.check(&task, &Run::unlimited()).expect("the search should end")
    };
    assert!(matches!(ask(philosophers(6)), Verdict::Unsafe(Evidence::Given(_))));
    assert!(matches!(ask(ring(5, 2)), Verdict::Safe(_)));
}
