//! The explicit engine against brute force, with every option; its evidence is checked.

use thetis_base::{Budget, Run, Stop};
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_expr::Store;
use thetis_model::petri::{Net, NetBuilder, PetriProof, PetriProperty, Question, Relation};
use thetis_model::petri::{PlaceId, Predicate};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_reach::explicit::{Explicit, ExplicitConfig, Reduction, SearchOrder, VisitedSet};
use thetis_solver::{CoreSolver, SolverError, SolverFactory};
use thetis_testkit::petri::{NetShape, bits, explore_net, philosophers, random_net, replay, ring};

/// Evidence of nets is checked without solvers.
struct NoSolver;

impl SolverFactory for NoSolver {
    fn name(&self) -> &str {
        "none"
    }

    fn start(&self, _run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        panic!("the checker of nets should not start a solver")
    }
}

fn ask(net: Net, question: Question) -> Task<Net> {
    let property = PetriProperty::new(&net, question);
    Task { store: Store::new(), model: net, property }
}

fn configs() -> Vec<ExplicitConfig> {
    let mut all = Vec::new();
    for search in [SearchOrder::Bfs, SearchOrder::Dfs] {
        for reduction in [Reduction::None, Reduction::Stubborn] {
            for visited in [VisitedSet::Full, VisitedSet::Compact] {
                all.push(ExplicitConfig { search, reduction, visited });
            }
        }
    }
    all
}

#[test]
fn it_agrees_with_brute_force() {
    let (mut num_safe, mut num_unsafe) = (0, 0);
    for seed in 0..4_000 {
        let task = random_net(seed, NetShape::default());
        let Some(truth) = explore_net(&task, 3_000) else { continue };
        let is_reachable = truth.least_length.is_some();
        *(if is_reachable { &mut num_unsafe } else { &mut num_safe }) += 1;
        for config in configs() {
            let mut engine = Explicit::new(config);
            let verdict = engine.check(&task, &Run::unlimited()).expect("the search should end");
            let context = format!("seed {seed}, {config:?}, {}", task.property);
            if let Verdict::Unsafe(Evidence::Given(trace)) = &verdict {
                assert!(is_reachable, "{context}");
                let end =
                    replay(&task.model, &trace.firings().collect::<Vec<_>>()).expect("traces should fire");
                assert!(task.property.target(&task.model).holds(&task.model, &end), "{context}");
                if config.search == SearchOrder::Bfs
                    && config.reduction == Reduction::None
                    && config.visited == VisitedSet::Full
                {
                    assert_eq!(Some(trace.firings().count()), truth.least_length, "{context}");
                }
            }
            match (&verdict, config.visited) {
                (Verdict::Unsafe(_), _) => {}
                (Verdict::Safe(_), VisitedSet::Full) => assert!(!is_reachable, "{context}"),
                (Verdict::Unknown(Reason::Incomplete(_)), VisitedSet::Compact) => {
                    assert!(!is_reachable, "{context}")
                }
                (other, _) => panic!("{context}: {other:?}"),
            }
            if let Verdict::Safe(Evidence::Given(PetriProof::StateSpace { num_markings })) = &verdict {
                assert_eq!(*num_markings, truth.num_markings as u64, "{context}");
            }
            let certified = certify(&task, verdict, &NoSolver, &Run::unlimited())
                .expect("an unlimited check should end")
                .verdict;
            let is_unknown = matches!(certified, Verdict::Unknown(_));
            assert_eq!(
                is_unknown,
                !is_reachable && config.visited == VisitedSet::Compact,
                "{context}: {certified:?}"
            );
        }
    }
    assert!(
        num_safe > 700 && num_unsafe > 700 && num_safe + num_unsafe > 2_000,
        "{num_safe} safe, {num_unsafe} unsafe"
    );
}

#[test]
fn families_have_the_known_numbers_of_markings() {
    let count = |net: Net| {
        let mut engine = Explicit::new(ExplicitConfig::default());
        let verdict =
            engine.check(&ask(net, Question::StateSpace), &Run::unlimited()).expect("the search should end");
        match verdict {
            Verdict::Safe(Evidence::Given(PetriProof::StateSpace { num_markings })) => num_markings,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(count(bits(10)), 1 << 10);
    assert_eq!(count(ring(5, 4)), 70);
    assert_eq!(count(ring(3, 100)), 5151);
    assert_eq!(count(philosophers(4)), 34);
}

#[test]
fn stubborn_sets_save_markings() {
    let markings = |reduction, question: Question| {
        let mut engine = Explicit::new(ExplicitConfig { reduction, ..ExplicitConfig::default() });
        engine.check(&ask(bits(12), question), &Run::unlimited()).expect("the search should end");
        engine.stats().markings
    };
    let last_bit = || Question::Exists(Predicate::place(PlaceId::from(23usize), Relation::AtLeast, 2));
    assert_eq!(markings(Reduction::None, last_bit()), 1 << 12);
    assert_eq!(markings(Reduction::Stubborn, last_bit()), 2);
    assert!(markings(Reduction::Stubborn, Question::Deadlock) <= 2);
}

#[test]
fn small_markings_take_little_memory() {
    let mut engine = Explicit::new(ExplicitConfig::default());
    engine.check(&ask(ring(20, 6), Question::StateSpace), &Run::unlimited()).expect("the search should end");
    let stats = engine.stats();
    assert_eq!(stats.markings, 177_100);
    assert!(stats.bytes <= 32 * stats.markings, "{} bytes for {} markings", stats.bytes, stats.markings);
    assert_eq!((stats.max_tokens_in_place, stats.max_tokens), (6, 6));
}

#[test]
fn counts_beyond_64_bits_are_unknown() {
    let mut builder = NetBuilder::new("n");
    let p = builder.place("p", 1);
    let t = builder.transition("t");
    builder.output(t, p, Net::MAX_NUMBER);
    let task = ask(builder.build().expect("the net is well-formed"), Question::StateSpace);
    for config in configs() {
        let verdict = Explicit::new(config).check(&task, &Run::unlimited()).expect("the search should end");
        assert!(matches!(verdict, Verdict::Unknown(Reason::Incomplete(_))), "{config:?}: {verdict:?}");
    }
}

#[test]
fn unbounded_nets_end_with_the_budget() {
    let mut builder = NetBuilder::new("n");
    let p = builder.place("p", 0);
    let t = builder.transition("t");
    builder.output(t, p, 1);
    let task = ask(builder.build().expect("the net is well-formed"), Question::StateSpace);
    let run = Run::new(Budget { wall: Some(std::time::Duration::from_millis(50)), ..Budget::default() });
    let mut engine = Explicit::new(ExplicitConfig::default());
    assert!(matches!(engine.check(&task, &run), Err(Stop::OutOfTime)));
    assert!(engine.stats().markings > 100);
}

#[test]
fn nets_without_places_or_transitions_are_answered() {
    let check = |builder: NetBuilder, is_dead: bool| {
        let task = ask(builder.build().expect("the net is well-formed"), Question::Deadlock);
        let verdict = Explicit::default().check(&task, &Run::unlimited()).expect("the search should end");
        assert_eq!(matches!(verdict, Verdict::Unsafe(_)), is_dead, "{verdict:?}");
        let certified = certify(&task, verdict, &NoSolver, &Run::unlimited())
            .expect("an unlimited check should end")
            .verdict;
        assert!(!matches!(certified, Verdict::Unknown(_)), "{certified:?}");
    };
    check(NetBuilder::new("nothing"), true);
    let mut idle = NetBuilder::new("idle");
    idle.transition("t");
    check(idle, false);
}
