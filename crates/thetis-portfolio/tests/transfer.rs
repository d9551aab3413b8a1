//! The example programs of Imeri 2025, as models of our own: which engine solves them alone, and where what one engine
//! has found out decides for another.
//!
//! Nothing here is decided by time: k-induction ends at a `k`, and abstraction refinement after this many iterations.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use thetis_base::{Budget, Cancel, Event, Fact, Run, Statistic, Stop};
use thetis_bounded::{Kind, KindConfig};
use thetis_cegar::{Cegar, CegarConfig, CegarTools, DomainKind, FactFilter};
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_expr::ExprId;
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_model::cfa::{Cfa, CfaProof, CfaUnwinding, LocId, LongRuns, wanted_locations};
use thetis_model::{Evidence, Task, Verdict};
use thetis_portfolio::Guarded;
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_testkit::cfa::parse;
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

const MAX_K: u32 = 5;

/// Figure 3.3: two nested loops.
const TWO_NESTED: &str = "main process nested {
    var a : int var b : int
    init loc start loc la loc lb loc exit error loc bad
    start -> la { a := 0 b := 2 }
    la -> lb { assume a < 2 b := 0 } lb -> lb { assume b < 2 b := b + 1 } lb -> la { assume b >= 2 a := a + 1 }
    la -> exit { assume a >= 2 }
    exit -> bad { assume not (a = 2 and b = 2) }
}";

/// The same after a loop of another kind, about which k-induction need not know anything.
const COUNTED_BEFORE: &str = "main process sequence {
    var n : int var i : int var a : int var b : int
    init loc start loc count loc la loc lb loc exit error loc bad
    start -> count { havoc n i := 0 }
    count -> count { assume i < n i := i + 1 }
    count -> la { assume i >= n a := 0 b := 2 }
    la -> lb { assume a < 2 b := 0 } lb -> lb { assume b < 2 b := b + 1 } lb -> la { assume b >= 2 a := a + 1 }
    la -> exit { assume a >= 2 }
    exit -> bad { assume not (a = 2 and b = 2) }
}";

/// Figure 3.5: four nested loops of six rounds each.
const FOUR_NESTED: &str = "main process nested {
    var a : int var b : int var c : int var d : int
    init loc start loc la loc lb loc lc loc ld loc exit error loc bad
    start -> la { a := 0 b := 6 c := 6 d := 6 }
    la -> lb { assume a < 6 b := 0 } lb -> lc { assume b < 6 c := 0 } lc -> ld { assume c < 6 d := 0 }
    ld -> ld { assume d < 6 d := d + 1 }
    ld -> lc { assume d >= 6 c := c + 1 } lc -> lb { assume c >= 6 b := b + 1 }
    lb -> la { assume b >= 6 a := a + 1 } la -> exit { assume a >= 6 }
    exit -> bad { assume not (a = 6 and b = 6 and c = 6 and d = 6) }
}";

/// Figure A.2.1: a sum that is known only from how it started.
const SUM: &str = "main process sum {
    var n : int var sn : int var i : int
    init loc start loc head loc exit error loc bad
    start -> head { havoc n assume n >= 0 and n <= 255 sn := 0 i := 1 }
    head -> head { assume i <= n sn := sn + 2 i := i + 1 }
    head -> exit { assume i > n }
    exit -> bad { assume not (sn = n * 2 or sn = 0) }
}";

/// Figure A.3.1: this many locks that are taken and given back in every round.
fn locks(number: usize) -> String {
    let all = |text: fn(usize) -> String| (0..number).map(text).collect::<Vec<_>>().join(" ");
    let declared =
        all(|lock| format!("var p{lock} : int var lk{lock} : int loc taken{lock} loc given{lock}"));
    let chosen = all(|lock| format!("havoc p{lock}"));
    let reset = all(|lock| format!("lk{lock} := 0"));
    let taken = all(|lock| {
        let from = if lock == 0 { "reset".into() } else { format!("taken{}", lock - 1) };
        format!(
            "{from} -> taken{lock} {{ assume p{lock} /= 0 lk{lock} := 1 }} {from} -> taken{lock} {{ assume p{lock} = 0 }}"
        )
    });
    let last = number - 1;
    let given = all(|lock| {
        let from = if lock == 0 { "unlock".into() } else { format!("given{}", lock - 1) };
        format!(
            "{from} -> given{lock} {{ assume p{lock} = 0 }}
             {from} -> given{lock} {{ assume p{lock} /= 0 and lk{lock} = 1 lk{lock} := 0 }}
             {from} -> bad {{ assume p{lock} /= 0 and lk{lock} /= 1 }}"
        )
    });
    format!(
        "main process locks {{ {declared} init loc start loc head loc reset loc unlock error loc bad
         start -> head {{ {chosen} }} head -> reset {{ {reset} }} {taken} taken{last} -> unlock {{ }} {given}
         given{last} -> head {{ }} }}"
    )
}

/// Z3 with every answer checked.
fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

/// As in the document: without lemmas of its own.
fn plain() -> Kind {
    let config = KindConfig {
        max_k: MAX_K,
        ranges: false,
        guesses: false,
        equalities: false,
        ..KindConfig::default()
    };
    Kind::new(config, solvers())
}

fn with_lemmas() -> Kind {
    Kind::new(KindConfig { max_k: MAX_K, ..KindConfig::default() }, solvers())
}

fn predicates() -> Cegar {
    predicates_with(CegarConfig::default())
}

fn predicates_with(config: CegarConfig) -> Cegar {
    let tools = CegarTools {
        solvers: solvers(),
        eliminator: Rc::new(Z3Eliminator),
        horn: Rc::new(|| Box::new(Z3Horn::default())),
        ice: Default::default(),
    };
    Cegar::new(CegarConfig { domain: DomainKind::PredCart, ..config }, tools)
}

/// The answer after its evidence was accepted.
fn answer(engine: &mut dyn Engine<Cfa>, task: &Task<Cfa>) -> String {
    let run = Run::unlimited();
    let verdict = engine.check(task, &run).unwrap();
    match certify(task, verdict, &*solvers(), &run).unwrap().verdict {
        Verdict::Safe(Evidence::Given(CfaProof::Unwinding(CfaUnwinding {
            bound,
            long_runs: LongRuns::Inductive,
            ..
        }))) => format!("safe with k = {bound}"),
        Verdict::Safe(Evidence::Given(CfaProof::Unwinding(unwinding))) => {
            format!("safe within {}", unwinding.bound)
        }
        Verdict::Safe(Evidence::Given(CfaProof::Invariants(_))) => "safe".into(),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
        other => format!("{other:?}"),
    }
}

/// Predicate abstraction that was stopped after this many iterations, without an answer.
fn stopped(task: &Task<Cfa>, num_iterations: usize, facts: FactFilter) -> Cegar {
    let mut cegar = predicates_with(CegarConfig { facts, ..CegarConfig::default() });
    let cancel = Cancel::new();
    let (stop, seen) = (cancel.clone(), Arc::new(std::sync::atomic::AtomicUsize::new(0)));
    let run = Run::with_cancel(Budget::default(), cancel).with_events(Arc::new(move |event| {
        let is_iteration = matches!(event, Event::Iteration(_));
        if is_iteration && seen.fetch_add(1, std::sync::atomic::Ordering::SeqCst) + 1 == num_iterations {
            stop.request();
        }
    }));
    let outcome = cegar.check(task, &run);
    assert!(matches!(outcome, Err(Stop::Cancelled)), "it should have no answer yet: {outcome:?}");
    cegar
}

/// What predicate abstraction knows after this many iterations, without an answer.
fn partial_result(task: &Task<Cfa>, num_iterations: usize, filter: FactFilter) -> Vec<Fact> {
    let mut cegar = stopped(task, num_iterations, filter);
    let facts = cegar.facts(task, &Run::unlimited()).unwrap();
    texts(task, facts.invariants.expect("an unlimited graph should be completed"))
}

fn texts(task: &Task<Cfa>, invariants: BTreeMap<LocId, ExprId>) -> Vec<Fact> {
    let fact = |(location, formula): (LocId, ExprId)| Fact::Invariant {
        location: task.model.locations[location].name.clone(),
        formula: print_term(&task.store, formula, Dialect::Thetis),
    };
    invariants.into_iter().map(fact).collect()
}

const NO_PROOF: &str = "unknown: no violation up to bound 5";

#[test]
fn engines_alone() {
    let locks = locks(5);
    let table = [
        (TWO_NESTED, NO_PROOF, "safe with k = 0"),
        (FOUR_NESTED, NO_PROOF, "safe with k = 0"),
        (SUM, NO_PROOF, "safe with k = 0"),
        (locks.as_str(), "safe with k = 0", "safe with k = 0"),
    ];
    for (text, without_lemmas, with) in table {
        let task = parse(text);
        assert_eq!(answer(&mut plain(), &task), without_lemmas, "{text}");
        assert_eq!(answer(&mut with_lemmas(), &task), with, "{text}");
    }
    for text in [TWO_NESTED, SUM] {
        assert_eq!(answer(&mut predicates(), &parse(text)), "safe", "{text}");
    }
}

#[test]
fn what_predicate_abstraction_has_found_out_decides_for_k_induction() {
    for (text, num_iterations, filter, num_facts, k) in [
        (TWO_NESTED, 3, FactFilter::All, 4, 2),
        (TWO_NESTED, 3, FactFilter::LoopHeads, 2, 2),
        (FOUR_NESTED, 18, FactFilter::All, 6, 4),
        (FOUR_NESTED, 18, FactFilter::LoopHeads, 4, 4),
    ] {
        let task = parse(text);
        let facts = partial_result(&task, num_iterations, filter);
        assert_eq!(facts.len(), num_facts, "{filter:?}: {facts:?}");
        let as_lemmas = answer(&mut plain().with_facts(facts.clone()), &task);
        let as_guards = answer(&mut Guarded::new(Box::new(plain()), facts.clone(), solvers()), &task);
        assert_eq!(
            (as_lemmas, as_guards),
            (format!("safe with k = {k}"), format!("safe with k = {k}")),
            "{text}"
        );
    }
}

/// The locations where plain k-induction knows too little.
fn wanted(task: &Task<Cfa>) -> BTreeSet<LocId> {
    let facts: Arc<Mutex<Vec<Fact>>> = Arc::default();
    let kept = facts.clone();
    let run = Run::unlimited().with_events(Arc::new(move |event| {
        if let Event::Fact(fact) = event {
            kept.lock().unwrap().push(fact.clone());
        }
    }));
    plain().reporting_facts().check(task, &run).unwrap();
    let facts = facts.lock().unwrap();
    wanted_locations(task, &facts)
}

/// k-induction says where it knows too little, and the invariants of predicate abstraction at these locations are enough for it.
#[test]
fn invariants_are_passed_on_where_they_are_wanted() {
    for (text, num_iterations, num_all, num_wanted, k) in
        [(TWO_NESTED, 3, 4, 2, 2), (COUNTED_BEFORE, 3, 5, 2, 2), (FOUR_NESTED, 18, 6, 4, 4)]
    {
        let task = parse(text);
        let all = partial_result(&task, num_iterations, FactFilter::Wanted).len();
        let mut cegar = stopped(&task, num_iterations, FactFilter::Wanted);
        cegar.want(wanted(&task));
        let invariants = cegar.facts(&task, &Run::unlimited()).unwrap().invariants.unwrap();
        assert_eq!((all, invariants.len()), (num_all, num_wanted), "{text}");
        let facts = texts(&task, invariants);
        let guarded = answer(&mut Guarded::new(Box::new(plain()), facts, solvers()), &task);
        assert_eq!(guarded, format!("safe with k = {k}"), "{text}");
    }
}

/// The figure `name` of the last facts.
fn figure(cegar: &Cegar, name: &str) -> Statistic {
    let statistics = cegar.statistics();
    let facts = statistics.parts.iter().find(|part| part.name == "facts").unwrap();
    facts.entries.iter().find(|(entry, _)| entry == name).unwrap().1.clone()
}

/// Figure A.3.1 with 14 locks: the state space of the last precision explodes, so its graph is given up and an earlier one is completed.
#[test]
fn after_an_explosion_facts_are_those_of_an_earlier_precision() {
    let task = parse(&locks(14));
    let mut cegar = stopped(&task, 28, FactFilter::All);
    let facts = cegar.facts(&task, &Run::unlimited()).unwrap();
    assert!(facts.invariants.is_some(), "a graph of few predicates should be completed");
    let Statistic::Count(rolled_back) = figure(&cegar, "rolled-back") else { panic!("should be a count") };
    assert!(rolled_back > 0, "two to the power of 14 states should not be built");
    let (Statistic::Seconds(completion), Statistic::Seconds(allowed)) =
        (figure(&cegar, "completion"), figure(&cegar, "allowed"))
    else {
        panic!("should be times")
    };
    // The last query may take a little longer than it is allowed to.
    assert!(completion <= allowed + 1.0, "{completion} s instead of {allowed} s");
}
