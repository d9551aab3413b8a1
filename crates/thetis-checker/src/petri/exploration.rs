//! Exploring markings once more.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use thetis_base::Run;
use thetis_model::Task;
use thetis_model::petri::{Marking, Net, Predicate, TransitionId};

use super::{fire, initial_tokens, rejected, stubborn};
use crate::CheckError;

/// How many markings are expanded between two looks at the run.
const MARKINGS_PER_CHECKPOINT: usize = 256;

/// All markings are explored; there must be as many as claimed, and none with the target.
pub(super) fn check_all(task: &Task<Net>, num_markings: u64, run: &Run) -> Result<(), CheckError> {
    let target = task.property.target(&task.model);
    let transitions: Vec<TransitionId> = task.model.transition_ids().collect();
    let all = |_: &Marking| transitions.clone();
    let found = explore(task, &target, all, num_markings, run)?;
    if found == num_markings {
        return Ok(());
    }
    Err(rejected(format!("there are {found} reachable markings, not {num_markings}")))
}

/// Markings are explored along stubborn sets; none must have the target.
pub(super) fn check_reduced(task: &Task<Net>, run: &Run) -> Result<(), CheckError> {
    let target = task.property.target(&task.model);
    let chosen = |marking: &Marking| stubborn::transitions(&task.model, &target, marking);
    explore(task, &target, chosen, u64::MAX, run).map(|_| ())
}

/// The number of markings that are reached if only the transitions that `choose` selects are fired.
fn explore(
    task: &Task<Net>,
    target: &Predicate,
    choose: impl Fn(&Marking) -> Vec<TransitionId>,
    limit: u64,
    run: &Run,
) -> Result<u64, CheckError> {
    let net = &task.model;
    let mut seen: IndexSet<Box<[u8]>, FxBuildHasher> = IndexSet::default();
    seen.insert(pack(&initial_tokens(net)));
    let mut next = 0;
    while let Some(packed) = seen.get_index(next) {
        if next % MARKINGS_PER_CHECKPOINT == 0 {
            run.checkpoint()?;
        }
        next += 1;
        let marking = Marking::new(unpack(packed));
        if target.holds(net, &marking) {
            return Err(rejected("a reachable marking satisfies the target".into()));
        }
        for transition in choose(&marking) {
            if let Some(successor) = fire(net, marking.tokens(), transition)? {
                seen.insert(pack(&successor));
            }
        }
        if seen.len() as u64 > limit {
            return Err(rejected(format!("there are more reachable markings than {limit}")));
        }
    }
    Ok(seen.len() as u64)
}

/// Seven bits a byte, so that small counts take one byte.
fn pack(tokens: &[u64]) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(tokens.len());
    for count in tokens {
        let mut rest = *count;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    bytes.into()
}

fn unpack(bytes: &[u8]) -> Vec<u64> {
    let mut tokens = Vec::with_capacity(bytes.len());
    let (mut count, mut shift) = (0, 0);
    for byte in bytes {
        count |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            tokens.push(count);
            (count, shift) = (0, 0);
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_is_exact() {
        let tokens = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX, 0];
        assert_eq!(unpack(&pack(&tokens)), tokens);
    }
}
