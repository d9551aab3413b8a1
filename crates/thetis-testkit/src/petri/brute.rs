//! The explicit checker of nets: all markings, no cleverness.

use std::collections::{BTreeMap, VecDeque};

use thetis_model::Task;
use thetis_model::petri::{Marking, Net, Predicate, Relation, TransitionId};

/// What the explicit checker found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetTruth {
    /// The length of a shortest firing sequence to the target, if there is one.
    pub least_length: Option<usize>,
    /// How many markings are reachable, beyond the target too.
    pub num_markings: usize,
}

/// Explores all reachable markings; `None` if there are more than `limit`.
pub fn explore_net(task: &Task<Net>, limit: usize) -> Option<NetTruth> {
    let net = &task.model;
    let target = task.property.target(net);
    let mut seen: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
    let start: Vec<u64> = net.places().iter().map(|place| place.initial).collect();
    let mut queue = VecDeque::from([start.clone()]);
    seen.insert(start, 0);
    let mut least_length = None;
    while let Some(marking) = queue.pop_front() {
        let length = seen[&marking];
        if least_length.is_none() && holds(net, &target, &marking) {
            least_length = Some(length);
        }
        for transition in net.transition_ids() {
            let Some(next) = successor(net, &marking, transition) else { continue };
            if !seen.contains_key(&next) {
                seen.insert(next.clone(), length + 1);
                queue.push_back(next);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(NetTruth { least_length, num_markings: seen.len() })
}

fn successor(net: &Net, marking: &[u64], transition: TransitionId) -> Option<Vec<u64>> {
    let enough = net.inputs(transition).iter().all(|arc| marking[arc.place.index()] >= arc.weight);
    let free = net.inhibitors(transition).iter().all(|arc| marking[arc.place.index()] < arc.weight);
    let mut next = (enough && free).then(|| marking.to_vec())?;
    net.inputs(transition).iter().for_each(|arc| next[arc.place.index()] -= arc.weight);
    net.outputs(transition).iter().for_each(|arc| next[arc.place.index()] += arc.weight);
    Some(next)
}

/// The meaning of predicates once more, without the code of the model.
fn holds(net: &Net, predicate: &Predicate, marking: &[u64]) -> bool {
    let enabled = |transition: TransitionId| successor(net, marking, transition).is_some();
    match predicate {
        Predicate::Constant(value) => *value,
        Predicate::Compare(comparison) => {
            let terms = comparison.sum.terms().iter();
            let value: i128 = terms.map(|(p, c)| i128::from(*c) * i128::from(marking[p.index()])).sum();
            let bound = i128::from(comparison.bound);
            match comparison.relation {
                Relation::Less => value < bound,
                Relation::AtMost => value <= bound,
                Relation::Equal => value == bound,
                Relation::NotEqual => value != bound,
                Relation::AtLeast => value >= bound,
                Relation::Greater => value > bound,
            }
        }
        Predicate::Fireable(list) => list.iter().any(|transition| enabled(*transition)),
        Predicate::Deadlock => !net.transition_ids().any(enabled),
        Predicate::Not(inner) => !holds(net, inner, marking),
        Predicate::And(parts) => parts.iter().all(|part| holds(net, part, marking)),
        Predicate::Or(parts) => parts.iter().any(|part| holds(net, part, marking)),
    }
}

/// Follows `firings` from the initial marking; `None` if one of them is not enabled.
pub fn replay(net: &Net, firings: &[TransitionId]) -> Option<Marking> {
    let start: Vec<u64> = net.places().iter().map(|place| place.initial).collect();
    let end = firings.iter().try_fold(start, |marking, transition| successor(net, &marking, *transition))?;
    Some(Marking::new(end))
}
