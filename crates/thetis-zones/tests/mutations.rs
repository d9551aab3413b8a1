//! Wrong evidence is rejected.

mod common;

use thetis_base::Run;
use thetis_checker::{CheckError, Checkable};
use thetis_engine::Engine;
use thetis_model::xta::{
    Course, EdgeId, ExtremeValue, Forever, Network, ProcessId, XtaProof, XtaTrace, ZoneGroup,
};
use thetis_model::{Evidence, Task, Verdict};
use thetis_z3::{Z3Config, Z3Factory};
use thetis_zones::{DataKind, ExtrapolationKind, Zones, ZonesConfig};

/// Two processes that enter one after the other, and a third that cannot follow in time.
const MODEL: &str = "
    int[0,2] id; clock z; urgent chan hurry;
    process P(const int[1,2] pid) {
        clock x;
        state idle, req { x <= 2 }, wait, cs;
        init idle;
        trans idle -> req { guard id == 0; assign x = 0; },
              req -> wait { assign x = 0, id = pid; },
              wait -> req { guard id == 0; assign x = 0; },
              wait -> cs { guard x > 2 && id == pid; },
              cs -> idle { assign id = 0; };
    }
    process Watch() {
        state calm { z <= 9 }, alarm, over;
        commit alarm;
        init calm;
        trans calm -> alarm { guard z >= 3; }, alarm -> over { assign z = 0; };
    }
    system P, Watch;";

fn proof_of(query: &str) -> (Task<Network>, XtaProof) {
    let task = common::task(MODEL, query);
    match Zones::default().check(&task, &Run::unlimited()) {
        Ok(Verdict::Safe(Evidence::Given(proof))) => (task, proof),
        _ => panic!("there should be a proof"),
    }
}

fn trace_of(query: &str) -> (Task<Network>, XtaTrace) {
    let task = common::task(MODEL, query);
    match Zones::default().check(&task, &Run::unlimited()) {
        Ok(Verdict::Unsafe(Evidence::Given(trace))) => (task, trace),
        _ => panic!("there should be a run"),
    }
}

fn check_proof(task: &Task<Network>, proof: &XtaProof) -> Result<(), CheckError> {
    Network::check_proof(task, proof, &Z3Factory::new(Z3Config::default()), &Run::unlimited())
}

/// The proof that another configuration gives.
fn proof_by(model: &str, query: &str, config: ZonesConfig) -> (Task<Network>, XtaProof) {
    let task = common::task(model, query);
    match Zones::new(config).check(&task, &Run::unlimited()) {
        Ok(Verdict::Safe(Evidence::Given(proof))) => (task, proof),
        _ => panic!("there should be a proof"),
    }
}

const SAFE: &str = "A[] not (P(1).cs and P(2).cs)";

#[test]
fn changed_proofs_are_rejected() {
    let (task, proof) = proof_of(SAFE);
    check_proof(&task, &proof).unwrap();
    let initial = task.model.initial();
    let start = proof.groups.iter().position(|group| group.state == initial).unwrap();
    let constrained = proof.groups.iter().position(|group| group.clocks.len() == 3).unwrap();
    type Change = Box<dyn Fn(&mut XtaProof)>;
    let changes: Vec<(&str, Change)> = vec![
        ("nothing is covered", Box::new(|proof| proof.groups.clear())),
        ("the start is missing", Box::new(move |proof| drop(proof.groups.remove(start)))),
        ("the start has no zones", Box::new(move |proof| proof.groups[start].zones.clear())),
        ("the start is only the origin", Box::new(move |proof| proof.groups[start].zones.fill(1))),
        ("the start is empty", Box::new(move |proof| proof.groups[start].zones.fill(-7))),
        ("a matrix is cut off", Box::new(move |proof| proof.groups[start].zones.truncate(1))),
        ("a state occurs twice", Box::new(move |proof| proof.groups.push(proof.groups[start].clone()))),
        ("clocks are out of order", Box::new(move |proof| proof.groups[constrained].clocks.reverse())),
        (
            "a clock does not exist",
            Box::new(move |proof| proof.groups[constrained].clocks[2] = 17_usize.into()),
        ),
        (
            "a clock occurs twice",
            Box::new(move |proof| {
                proof.groups[constrained].clocks[1] = proof.groups[constrained].clocks[0];
            }),
        ),
        ("a move leads out", Box::new(move |proof| drop(proof.groups.remove(constrained)))),
        ("zones are strict", Box::new(|proof| shift_all(proof, -1))),
        ("zones are smaller", Box::new(|proof| shift_all(proof, -2))),
        (
            "everything is allowed everywhere",
            Box::new(|proof| {
                proof.groups.iter_mut().for_each(|group| group.zones.fill(ZoneGroup::UNBOUNDED));
            }),
        ),
    ];
    for (name, change) in changes {
        let mut changed = proof.clone();
        change(&mut changed);
        assert!(matches!(check_proof(&task, &changed), Err(CheckError::Rejected(_))), "{name}");
    }
    for number in 0..proof.groups.len() {
        let mut changed = proof.clone();
        changed.groups.remove(number);
        assert!(check_proof(&task, &changed).is_err(), "every state is needed, also number {number}");
    }
}

/// Tightens every finite bound but those of the diagonal and of zero.
fn shift_all(proof: &mut XtaProof, by: i32) {
    for group in &mut proof.groups {
        let bounds = group.zones.iter_mut().filter(|bound| **bound != ZoneGroup::UNBOUNDED && **bound > 1);
        bounds.for_each(|bound| *bound += by);
    }
}

#[test]
fn proofs_of_other_questions_are_rejected() {
    let (_, proof) = proof_of(SAFE);
    for query in [
        "A[] not P(1).cs",
        "E<> P(2).wait",
        "A[] z <= 9 or Watch.over",
        "E<> P(1).x > 5",
        "A[] not Watch.alarm",
    ] {
        let task = common::task(MODEL, query);
        let result = check_proof(&task, &proof);
        assert!(matches!(result, Err(CheckError::Rejected(_))), "{query}: {result:?}");
    }
}

const REACHED: &str = "E<> P(1).cs and Watch.over and z > 1";

#[test]
fn changed_runs_are_rejected() {
    let (task, trace) = trace_of(REACHED);
    Network::check_trace(&task, &trace).unwrap();
    let edge = |process: usize, edge: usize| (ProcessId::from(process), EdgeId::from(edge));
    type Change = Box<dyn Fn(&mut XtaTrace)>;
    let changes: Vec<(&str, Change)> = vec![
        ("nothing happens", Box::new(|trace| trace.steps.clear())),
        ("the last move is missing", Box::new(|trace| drop(trace.steps.pop()))),
        ("the first move is missing", Box::new(|trace| drop(trace.steps.remove(0)))),
        ("the order is reversed", Box::new(|trace| trace.steps.reverse())),
        ("a unit has no ticks", Box::new(|trace| trace.ticks_per_unit = 0)),
        ("ticks are shorter", Box::new(|trace| trace.ticks_per_unit *= 10)),
        ("ticks are longer", Box::new(|trace| trace.ticks_per_unit = 1)),
        (
            "nobody waits",
            Box::new(|trace| {
                trace.steps.iter_mut().for_each(|step| step.delay = 0);
                trace.last_delay = 0;
            }),
        ),
        ("the first wait is too long", Box::new(|trace| trace.steps[0].delay += 10 * trace.ticks_per_unit)),
        ("an edge does not exist", Box::new(move |trace| trace.steps[0].participants = vec![edge(0, 99)])),
        ("a process does not exist", Box::new(move |trace| trace.steps[0].participants = vec![edge(9, 0)])),
        ("an edge starts elsewhere", Box::new(move |trace| trace.steps[0].participants = vec![edge(0, 4)])),
        ("nobody moves", Box::new(|trace| trace.steps[0].participants.clear())),
        (
            "two move at once",
            Box::new(move |trace| trace.steps[0].participants = vec![edge(0, 0), edge(1, 0)]),
        ),
        ("a move is repeated", Box::new(|trace| trace.steps.insert(0, trace.steps[0].clone()))),
        (
            "time passes in a committed location",
            Box::new(|trace| {
                let alarm = trace.steps.iter().position(|step| step.participants[0].0.index() == 2).unwrap();
                trace.steps[alarm + 1].delay += 1;
            }),
        ),
    ];
    for (name, change) in changes {
        let mut changed = trace.clone();
        change(&mut changed);
        assert!(matches!(Network::check_trace(&task, &changed), Err(CheckError::Rejected(_))), "{name}");
    }
}

type ProofChange = (&'static str, Box<dyn Fn(&mut XtaProof)>);
type RunChange = (&'static str, Box<dyn Fn(&mut XtaTrace)>);

fn reject_proofs(query: &str, changes: Vec<ProofChange>) {
    let (task, proof) = proof_of(query);
    check_proof(&task, &proof).expect("the proof should be right");
    for (name, change) in changes {
        let mut changed = proof.clone();
        change(&mut changed);
        assert!(matches!(check_proof(&task, &changed), Err(CheckError::Rejected(_))), "{query}: {name}");
    }
}

fn reject_runs(query: &str, changes: Vec<RunChange>) {
    let (task, trace) = trace_of(query);
    Network::check_trace(&task, &trace).expect("the run should be right");
    for (name, change) in changes {
        let mut changed = trace.clone();
        change(&mut changed);
        assert!(
            matches!(Network::check_trace(&task, &changed), Err(CheckError::Rejected(_))),
            "{query}: {name}"
        );
    }
}

/// The watch must move on: it may neither wait for ever nor stay in a cycle without leaving `calm`.
const WATCHED: &str = "P(1).wait and Watch.calm and z < 2 --> Watch.alarm or not P(1).wait or z >= 2";

#[test]
fn changed_ranks_are_rejected() {
    let changes: Vec<ProofChange> = vec![
        ("nothing has a rank", Box::new(|proof| proof.descent.clear())),
        ("a start has no rank", Box::new(|proof| drop(proof.descent.pop()))),
        (
            "all ranks are alike",
            Box::new(|proof| {
                proof.descent.iter_mut().for_each(|ranked| ranked.ranks.fill(7));
            }),
        ),
        (
            "ranks ascend",
            Box::new(|proof| {
                let ranks = proof.descent.iter_mut().flat_map(|ranked| &mut ranked.ranks);
                ranks.for_each(|rank| *rank = 1_000 - *rank);
            }),
        ),
        ("a rank is missing", Box::new(|proof| proof.descent[0].ranks.truncate(0))),
        ("a state has ranks twice", Box::new(|proof| proof.descent.push(proof.descent[0].clone()))),
        (
            "zones are smaller",
            Box::new(|proof| {
                for ranked in &mut proof.descent {
                    ranked.group.zones.fill(1);
                }
            }),
        ),
        ("a matrix is cut off", Box::new(|proof| proof.descent[0].group.zones.truncate(1))),
        ("reachable states are missing", Box::new(|proof| proof.groups.clear())),
    ];
    reject_proofs(WATCHED, changes);
    let (_, proof) = proof_of(WATCHED);
    for query in ["P(1).wait --> P(1).cs", "Watch.calm --> P(2).cs", "P(1).req --> P(1).cs", "A<> P(1).cs"] {
        let task = common::task(MODEL, query);
        assert!(matches!(check_proof(&task, &proof), Err(CheckError::Rejected(_))), "{query}");
    }
}

#[test]
fn changed_endless_runs_are_rejected() {
    let since = |moves: usize, wait: u64| -> Box<dyn Fn(&mut XtaTrace)> {
        Box::new(move |trace| {
            let course = trace.forever.as_ref().unwrap().course.clone();
            trace.forever = Some(Forever { since: (moves, wait), course });
        })
    };
    let cycle = |change: fn(&mut Vec<thetis_model::xta::RepeatedMove>)| -> Box<dyn Fn(&mut XtaTrace)> {
        Box::new(move |trace| match &mut trace.forever.as_mut().unwrap().course {
            Course::Repeat(cycle) => change(cycle),
            Course::Stay => panic!("there should be a cycle"),
        })
    };
    let changes: Vec<RunChange> = vec![
        ("the run ends", Box::new(|trace| trace.forever = None)),
        ("the part begins later", since(1, 0)),
        ("the part begins after a delay", since(0, 1)),
        ("no part counts", since(1_000, 0)),
        ("the run stays", Box::new(|trace| trace.forever.as_mut().unwrap().course = Course::Stay)),
        ("the cycle has no moves", cycle(Vec::clear)),
        ("a move is missing", cycle(|cycle| drop(cycle.pop()))),
        ("the cycle starts elsewhere", cycle(|cycle| cycle.rotate_left(1))),
        ("the first zone is empty", cycle(|cycle| cycle[0].from.zones.fill(-9))),
        ("a zone is a point", cycle(|cycle| cycle[1].from.zones.fill(1))),
        ("nobody moves", cycle(|cycle| cycle[0].participants.clear())),
        ("an edge does not exist", cycle(|cycle| cycle[0].participants[0].1 = 99_usize.into())),
    ];
    reject_runs("E[] P(2).idle and P(1).x <= 3", changes);
    let stays: Vec<RunChange> = vec![
        ("the condition is violated on the way", Box::new(|trace| trace.steps.clear())),
        (
            "a cycle without moves",
            Box::new(|trace| {
                trace.forever.as_mut().unwrap().course = Course::Repeat(Vec::new());
            }),
        ),
    ];
    reject_runs("Watch.over --> P(1).cs", stays);
}

#[test]
fn changed_values_are_rejected() {
    let value = |value: ExtremeValue| -> Box<dyn Fn(&mut XtaProof)> {
        Box::new(move |proof| proof.extrema[0].value = value)
    };
    let changes: Vec<ProofChange> = vec![
        ("a larger value", value(ExtremeValue::Attained(10))),
        ("a smaller value", value(ExtremeValue::Attained(8))),
        ("a value that is not attained", value(ExtremeValue::Approached(9))),
        ("a value beyond", value(ExtremeValue::Approached(10))),
        ("no value", value(ExtremeValue::Never)),
        ("no bound", value(ExtremeValue::Unbounded)),
        ("no claim", Box::new(|proof| proof.extrema.clear())),
        ("other moves", Box::new(|proof| proof.extrema[1].path.clear())),
        ("an edge does not exist", Box::new(|proof| proof.extrema[1].path[0][0].1 = 99_usize.into())),
        ("nothing is covered", Box::new(|proof| proof.groups.clear())),
    ];
    reject_proofs("sup{Watch.calm}: z, id, P(1).x", changes);
}

#[test]
fn changed_bounds_are_rejected() {
    let config = ZonesConfig { extrapolation: ExtrapolationKind::Alu, ..ZonesConfig::default() };
    let (task, proof) = proof_by(MODEL, SAFE, config);
    check_proof(&task, &proof).unwrap();
    let plain = XtaProof { simulation: Vec::new(), ..proof.clone() };
    assert!(check_proof(&task, &plain).is_err(), "the zones alone should be no proof");
    type Change = fn(&mut XtaProof);
    let changes: [(&str, Change); 6] = [
        ("a group has no bounds", |proof| drop(proof.simulation.pop())),
        ("a clock has no bounds", |proof| {
            let group = proof.simulation.iter_mut().find(|bounds| !bounds.is_empty());
            group.into_iter().for_each(|bounds| bounds.truncate(bounds.len() - 1));
        }),
        ("lower bounds are too small", |proof| {
            let bounds = proof.simulation.iter_mut().flatten();
            bounds.for_each(|bounds| bounds.lower = bounds.lower.map(|bound| bound - 1));
        }),
        ("upper bounds are too small", |proof| {
            let bounds = proof.simulation.iter_mut().flatten();
            bounds.for_each(|bounds| bounds.upper = bounds.upper.map(|bound| bound - 1));
        }),
        ("there are no lower bounds", |proof| {
            proof.simulation.iter_mut().flatten().for_each(|bounds| bounds.lower = None);
        }),
        ("there are no upper bounds", |proof| {
            proof.simulation.iter_mut().flatten().for_each(|bounds| bounds.upper = None);
        }),
    ];
    for (name, change) in changes {
        let mut changed = proof.clone();
        change(&mut changed);
        assert!(matches!(check_proof(&task, &changed), Err(CheckError::Rejected(_))), "{name}");
    }
    for number in 0..proof.groups.len() {
        let mut changed = proof.clone();
        changed.groups.remove(number);
        changed.simulation.remove(number);
        assert!(check_proof(&task, &changed).is_err(), "every state is needed, also number {number}");
    }
    // Simulation says nothing about deadlocks.
    let deadlock = common::task(MODEL, "A[] not deadlock or P(1).idle or Watch.over or Watch.calm");
    assert!(check_proof(&deadlock, &proof).is_err());
}

/// Of the variables only `id` matters for mutual exclusion, and `bad` for the other question.
const COUNTING: &str = "
    int[0,2] id; int[0,9] count; bool bad; int[0,3] other;
    process P(const int[1,2] pid) {
        clock x;
        state idle, req { x <= 2 }, wait, cs;
        init idle;
        trans idle -> req { guard id == 0; assign x = 0, count = (count + 1) % 10; },
              req -> wait { assign x = 0, id = pid, other = other < 3 ? other + 1 : 0; },
              wait -> cs { guard x > 2 && id == pid; },
              cs -> idle { guard other != 2 or id > 0; assign id = 0, bad = other > 3; };
    }
    system P;";

#[test]
fn changed_open_values_are_rejected() {
    let config = ZonesConfig { data: DataKind::Lazy, ..ZonesConfig::default() };
    let (task, proof) = proof_by(COUNTING, SAFE, config);
    check_proof(&task, &proof).unwrap();
    assert_eq!(proof.tracked, Some(vec![0]), "only `id` is needed");
    let (_, whole) = proof_by(COUNTING, SAFE, ZonesConfig::default());
    assert!(2 * proof.num_zones() < whole.num_zones(), "{} {}", proof.num_zones(), whole.num_zones());
    type Change = fn(&mut XtaProof);
    let changes: [(&str, Change); 4] = [
        ("everything is known", |proof| proof.tracked = None),
        ("nothing is tracked", |proof| proof.tracked = Some(Vec::new())),
        ("too much is tracked", |proof| proof.tracked = Some(vec![0, 1])),
        ("a state is missing", |proof| drop(proof.groups.remove(0))),
    ];
    for (name, change) in changes {
        let mut changed = proof.clone();
        change(&mut changed);
        assert!(matches!(check_proof(&task, &changed), Err(CheckError::Rejected(_))), "{name}");
    }
    let (task, proof) = proof_by(COUNTING, "A[] not bad", config);
    check_proof(&task, &proof).unwrap();
    let other = common::task(COUNTING, "A[] count < 5");
    assert!(check_proof(&other, &proof).is_err(), "the values of `count` are open");
    let count = common::task(COUNTING, "sup: count");
    assert!(check_proof(&count, &proof).is_err(), "extreme values need all values");
}

/// A value that is sent on, and not needed afterwards.
const SENDING: &str = "
    int[0,9] sent, got; chan c;
    process S() { clock x; state a { x <= 2 }, b; init a;
        trans a -> b { select v : int[0,9]; guard x >= 1; assign sent = v; },
              b -> a { sync c!; assign got = sent > 6 ? 9 : 5, x = 0; }; }
    process R() { state u; init u; trans u -> u { guard sent > 3; sync c?; }; }
    system S, R;";

#[test]
fn changed_live_variables_are_rejected() {
    let question = "A[] got == 0 or got > 3";
    let (task, proof) = proof_by(SENDING, question, ZonesConfig::default());
    check_proof(&task, &proof).unwrap();
    let all = ZonesConfig { data: DataKind::All, ..ZonesConfig::default() };
    let (_, whole) = proof_by(SENDING, question, all);
    assert!(proof.num_zones() < whole.num_zones(), "{} {}", proof.num_zones(), whole.num_zones());
    type Change = fn(&mut XtaProof);
    let changes: [(&str, Change); 6] = [
        ("everything is known", |proof| proof.live = None),
        ("nothing is always live", |proof| {
            proof.live.iter_mut().flat_map(|live| &mut live.views).for_each(|view| view.always.clear());
        }),
        ("no process reads anything", |proof| {
            proof.live.iter_mut().flat_map(|live| &mut live.views).for_each(|view| view.processes.clear());
        }),
        ("everything is live", |proof| proof.live.iter_mut().for_each(|live| live.views.clear())),
        ("values are left open in two ways", |proof| proof.tracked = Some(vec![0, 1])),
        ("a state is missing", |proof| drop(proof.groups.remove(0))),
    ];
    for (name, change) in changes {
        let mut changed = proof.clone();
        change(&mut changed);
        assert!(matches!(check_proof(&task, &changed), Err(CheckError::Rejected(_))), "{name}");
    }
    let other = common::task(SENDING, "A[] sent == 0 or S.b");
    assert!(check_proof(&other, &proof).is_err(), "`sent` is not known in `S.a`");
    let values = common::task(SENDING, "sup: got");
    assert!(check_proof(&values, &proof).is_err(), "extreme values need all values");
}
