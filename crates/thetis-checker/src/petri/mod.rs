//! Evidence about Petri nets.
//!
//! * A **trace** is accepted iff its transitions can fire one after the other from the initial marking and the last
//!   marking satisfies the target.
//! * A **state-equation** proof is accepted iff each of its cases ends in linear arithmetic that comes out
//!   contradictory, calculated here with exact integers. Numbers beyond 128 bits are not accepted.
//! * A **state space** is accepted iff exploring all markings ends, finds as many as claimed, and the target in none of them.
//! * A **reduced state space** is accepted iff exploring the markings along stubborn sets that are chosen here ends
//!   without finding the target.
//! * An **invariant** is accepted iff the initial marking satisfies it, every firing preserves it, and no marking satisfies
//!   it and the target.
//! * A **k-induction** is accepted iff its lemma holds at the start and every firing preserves it, none of the first `k`
//!   markings of a run satisfies the target, and `k` consecutive markings that do not satisfy it are followed only by
//!   markings that do not satisfy it.
//!
//! Of these, only a state space answers the question `state-space`.
//!
//! A solver takes part only in the last two. For them markings are integers, one firing happens at a time, and predicates
//! become formulas here, while engines let several transitions fire at once and calculate with bits.

mod exploration;
mod formulas;
mod induction;
mod invariant;
mod refutation;
mod stubborn;

use thetis_base::Run;
use thetis_model::Task;
use thetis_model::petri::{Marking, Net, PetriProof, PetriTrace, Question, Round, TransitionId};
use thetis_solver::SolverFactory;

use crate::{CheckError, Checkable};

impl Checkable for Net {
    fn check_trace(task: &Task<Net>, trace: &PetriTrace) -> Result<(), CheckError> {
        let net = &task.model;
        let mut tokens = initial_tokens(net);
        let mut number: u128 = 0;
        for round in &trace.rounds {
            if round.transition.index() >= net.transitions().len() {
                return Err(rejected(format!("firing {number} is of a transition that does not exist")));
            }
            tokens = fire_round(net, &tokens, *round)?.ok_or_else(|| {
                let name = &net.transitions()[round.transition].name;
                let from = if round.count == 1 { String::new() } else { format!(", {} times", round.count) };
                rejected(format!("firing {number}: transition `{name}` is not enabled{from}"))
            })?;
            number += u128::from(round.count);
        }
        if task.property.target(net).holds(net, &Marking::new(tokens)) {
            return Ok(());
        }
        Err(rejected("the last marking does not satisfy the target".into()))
    }

    fn check_proof(
        task: &Task<Net>,
        proof: &PetriProof,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<(), CheckError> {
        // Only counting answers the question how many markings there are.
        let is_count = matches!(proof, PetriProof::StateSpace { .. });
        if *task.property.question() == Question::StateSpace && !is_count {
            return Err(rejected("the proof does not say how many markings there are".into()));
        }
        match proof {
            PetriProof::StateEquation(proof) => refutation::check(task, proof, run),
            PetriProof::StateSpace { num_markings } => exploration::check_all(task, *num_markings, run),
            PetriProof::ReducedStateSpace => exploration::check_reduced(task, run),
            PetriProof::Invariant(predicate) => invariant::check(task, predicate, solvers, run),
            PetriProof::KInductive { k, lemma, paths } => {
                let claim = induction::Claim { k: *k, lemma, paths: *paths };
                induction::check(task, claim, solvers, run)
            }
        }
    }
}

/// The tokens after a round of firings; `None` if one of them is not enabled.
///
/// Each place gains or loses the same number with every firing. What a transition needs and what inhibits it are bounds on places, so if
/// it is enabled for the first and for the last firing, it is also enabled for those in between.
fn fire_round(net: &Net, tokens: &[u64], round: Round) -> Result<Option<Vec<u64>>, CheckError> {
    let Round { transition, count } = round;
    let Some(before_last) = count.checked_sub(1) else { return Ok(Some(tokens.to_vec())) };
    if !is_enabled(net, tokens, transition) {
        return Ok(None);
    }
    let mut change = vec![0i128; tokens.len()];
    net.inputs(transition).iter().for_each(|arc| change[arc.place.index()] -= i128::from(arc.weight));
    net.outputs(transition).iter().for_each(|arc| change[arc.place.index()] += i128::from(arc.weight));
    let mut last = Vec::with_capacity(tokens.len());
    for (count, change) in tokens.iter().zip(change) {
        let total =
            change.checked_mul(i128::from(before_last)).and_then(|sum| sum.checked_add(i128::from(*count)));
        match total.map(u64::try_from) {
            Some(Ok(count)) => last.push(count),
            _ if change < 0 => return Ok(None),
            _ => return Err(too_many()),
        }
    }
    fire(net, &last, transition)
}

fn too_many() -> CheckError {
    CheckError::Undecided("a place holds more tokens than 64 bits can count".into())
}

fn rejected(words: String) -> CheckError {
    CheckError::Rejected(words)
}

fn initial_tokens(net: &Net) -> Vec<u64> {
    net.places().iter().map(|place| place.initial).collect()
}

fn is_enabled(net: &Net, tokens: &[u64], transition: TransitionId) -> bool {
    net.inputs(transition).iter().all(|arc| tokens[arc.place.index()] >= arc.weight)
        && net.inhibitors(transition).iter().all(|arc| tokens[arc.place.index()] < arc.weight)
}

/// The tokens after the firing; `None` if the transition is not enabled.
fn fire(net: &Net, tokens: &[u64], transition: TransitionId) -> Result<Option<Vec<u64>>, CheckError> {
    if !is_enabled(net, tokens, transition) {
        return Ok(None);
    }
    let mut next = tokens.to_vec();
    for arc in net.inputs(transition) {
        next[arc.place.index()] -= arc.weight;
    }
    for arc in net.outputs(transition) {
        let count = &mut next[arc.place.index()];
        *count = count.checked_add(arc.weight).ok_or_else(too_many)?;
    }
    Ok(Some(next))
}
