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
//!   markings of a run satisfies the target, and `k` markings in a row that do not are followed by one that does not.
//!
//! Of these only a state space answers the question `state-space`.
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
use thetis_model::petri::{Marking, Net, PetriProof, PetriTrace, Question, TransitionId};
use thetis_solver::SolverFactory;

use crate::{CheckError, Checkable};

impl Checkable for Net {
    fn check_trace(task: &Task<Net>, trace: &PetriTrace) -> Result<(), CheckError> {
        let net = &task.model;
        let mut tokens = initial_tokens(net);
        for (index, transition) in trace.firings.iter().enumerate() {
            if transition.index() >= net.transitions().len() {
                return Err(rejected(format!("firing {index} is of a transition that does not exist")));
            }
            tokens = fire(net, &tokens, *transition)?.ok_or_else(|| {
                let name = &net.transitions()[*transition].name;
                rejected(format!("firing {index}: transition `{name}` is not enabled"))
            })?;
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
        // How many markings there are is answered by counting them only.
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
                induction::check(task, *k, lemma, *paths, solvers, run)
            }
        }
    }
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
        *count = count.checked_add(arc.weight).ok_or_else(|| {
            CheckError::Undecided("a place holds more tokens than 64 bits can count".into())
        })?;
    }
    Ok(Some(next))
}
