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
use thetis_zones::Zones;

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
