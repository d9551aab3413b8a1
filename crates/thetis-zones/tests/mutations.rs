//! Wrong evidence is rejected.

mod common;

use thetis_base::Run;
use thetis_checker::{CheckError, Checkable};
use thetis_engine::Engine;
use thetis_model::xta::{EdgeId, Network, ProcessId, XtaProof, XtaTrace, ZoneGroup};
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
