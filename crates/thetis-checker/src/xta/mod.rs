//! Evidence about timed automata.
//!
//! * A **trace** is accepted iff its delays and moves are possible one after the other, with exact times, and the last state
//!   satisfies the target. A run that never ends must keep to its condition and may then stay where it is, or repeat a cycle
//!   through recurrent zones.
//! * A **proof** is a set of symbolic states. It is accepted iff it covers the initial state with all delays, covers the result of every move
//!   from it followed by all delays, and contains no state of the target. By induction over the number of moves it then contains all reachable
//!   states. A move that fails with a run-time error is not accepted. Zones may be compared up to bounds of the clocks ([`simulation`]), and
//!   discrete states may leave values of variables open. Or they may stand for all permutations of units; then it is verified that a permutation
//!   maps the network to itself, and no symbolic state may satisfy the target in any permutation. Reachable states are then permutations of
//!   covered ones, because runs are mapped to runs.
//! * A proof of **liveness** also has ranked symbolic states that cover the relevant part of all runs; every move leads to a lower
//!   rank, and no maximal run ends in one.
//! * **Extreme values** are accepted iff no covered state exceeds them and the zone after given moves has them as bounds.
//! * The question `state-space-discrete` is answered by counting again, and only without clocks.
//!
//! The model says which moves there are. Zones are computed here, with code that shares nothing with the engine, in
//! matrices over whatever clocks a step needs.

mod cover;
mod descent;
mod extrema;
mod forever;
mod ground;
mod simulation;
mod stated;
mod zone;

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use thetis_base::Run;
use thetis_model::Task;
use thetis_model::xta::{
    Discrete, EdgeId, Formula, Moves, Network, ProcessId, Replay, RuntimeError, XtaProof, XtaQuestion,
    XtaTrace,
};
use thetis_solver::SolverFactory;

use super::{CheckError, Checkable};

/// The most formulas that permutations of a target may produce.
const MAX_TARGETS: usize = 10_000;

impl Checkable for Network {
    fn check_trace(task: &Task<Network>, trace: &XtaTrace) -> Result<(), CheckError> {
        if let Some(endless) = task.property.endless() {
            return forever::check(&task.model, &endless, trace);
        }
        if trace.forever.is_some() {
            return Err(rejected("the query needs a run to a state, not an endless run".into()));
        }
        let mut replay = start(&task.model, trace)?;
        for (index, step) in trace.steps.iter().enumerate() {
            check_edges(&task.model, index, &step.participants)?;
            let result = replay.delay(step.delay).and_then(|()| replay.fire(&step.participants));
            result.map_err(|error| rejected(format!("step {index}: {error}")))?;
        }
        let result = replay.delay(trace.last_delay).and_then(|()| replay.satisfies(&task.property.target()));
        match result {
            Ok(true) => Ok(()),
            Ok(false) => Err(rejected("the last state does not satisfy the target".into())),
            Err(error) => Err(rejected(format!("at the end: {error}"))),
        }
    }

    fn check_proof(
        task: &Task<Network>,
        proof: &XtaProof,
        _solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<(), CheckError> {
        if matches!(task.property.question(), XtaQuestion::DiscreteStates) {
            check_count(&task.model, proof.groups.len(), run)?;
        }
        let is_plain = proof.simulation.is_empty() && proof.tracked.is_none() && proof.symmetries.is_empty();
        let may_abstract = matches!(
            task.property.question(),
            XtaQuestion::Exists(_) | XtaQuestion::Always(_) | XtaQuestion::Explore
        );
        if !is_plain && !may_abstract {
            return Err(rejected("the symbolic states leave open what the question asks for".into()));
        }
        match task.property.question() {
            XtaQuestion::Extrema(extrema) => extrema::check(task, extrema, proof, run),
            _ => match task.property.endless() {
                Some(endless) => descent::check(task, &endless, proof, run),
                None => cover::check(task, &permuted(task, proof)?, proof, run),
            },
        }
    }
}

/// What none of the symbolic states may satisfy: the target, in all permutations of units that the proof permutes. Accepts only units that
/// the network does not distinguish.
fn permuted(task: &Task<Network>, proof: &XtaProof) -> Result<Formula, CheckError> {
    let (network, symmetries, target) = (&task.model, &proof.symmetries, task.property.target());
    if symmetries.is_empty() {
        return Ok(target);
    }
    if !proof.simulation.is_empty() || proof.tracked.is_some() {
        return Err(rejected("units are permuted whose states are compared up to something else".into()));
    }
    let may_permute = symmetries.iter().all(|symmetry| network.has_symmetry(symmetry));
    if !may_permute || !Network::are_independent(symmetries) {
        return Err(rejected("a permutation of units changes the network".into()));
    }
    match network.orbit(symmetries, &target, MAX_TARGETS) {
        Some(orbit) => Ok(Formula::Or(orbit.into_iter().map(|(formula, _)| formula).collect())),
        None => Err(rejected("the target cannot be permuted".into())),
    }
}

fn start<'n>(network: &'n Network, trace: &XtaTrace) -> Result<Replay<'n>, CheckError> {
    let start = Replay::new(network, trace.ticks_per_unit);
    start.map_err(|error| rejected(format!("at the start: {error}")))
}

/// The edges of step `index` must exist.
fn check_edges(
    network: &Network,
    index: usize,
    participants: &[(ProcessId, EdgeId)],
) -> Result<(), CheckError> {
    let exists = |(process, edge): &(ProcessId, EdgeId)| {
        process.index() < network.processes.len() && edge.index() < network.processes[*process].edges.len()
    };
    if participants.iter().all(exists) {
        return Ok(());
    }
    Err(rejected(format!("step {index} takes an edge that does not exist")))
}

fn rejected(words: String) -> CheckError {
    CheckError::Rejected(words)
}

fn failed(error: &RuntimeError) -> CheckError {
    rejected(format!("a run-time error is reachable: {error}"))
}

/// Without clocks the discrete states are counted.
fn check_count(network: &Network, claimed: usize, run: &Run) -> Result<(), CheckError> {
    if !network.clocks.is_empty() {
        return Err(CheckError::Undecided(
            "discrete states are counted in models without clocks only".into(),
        ));
    }
    let mut moves = Moves::new(network);
    let mut seen: FxHashSet<Discrete> = FxHashSet::default();
    let mut waiting = VecDeque::from([network.initial()]);
    while let Some(state) = waiting.pop_front() {
        if moves.invariant(&state).map_err(|error| failed(&error))?.is_none() || !seen.insert(state.clone()) {
            continue;
        }
        if seen.len().is_multiple_of(256) {
            run.checkpoint()?;
        }
        let situation = moves.situation(&state).map_err(|error| failed(&error))?;
        for step in situation.moves {
            waiting.push_back(moves.fire(&state, &step.participants).map_err(|error| failed(&error))?.0);
        }
    }
    if seen.len() == claimed {
        return Ok(());
    }
    Err(rejected(format!("there are {} discrete states, not {claimed}", seen.len())))
}
