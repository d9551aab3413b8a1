//! Which threads have to be considered in a state: a partial-order reduction.
//!
//! Most steps of a thread do not depend on what other threads do, so the order in which they are taken does not matter. In each
//! state the product follows the steps of a set `P` of threads only, a *stubborn set* (Valmari 1990), such that
//!
//! 1. what the next steps of threads in `P` depend on is not changed by anything that the other threads may ever do without `P`, and
//!    does not change it either ([`Flow`] says what that is);
//! 2. some thread in `P` has a step that is possible, whatever the values of variables are;
//! 3. no step of a thread in `P` ends the program, since that would keep other threads from their steps; and
//! 4. no thread in `P` is at the head of a loop.
//!
//! Otherwise `P` is all threads. Every error location, and every limit, that a run reaches is still reached. Take a run from a state, with as few steps
//! as possible, and look at `P`. If a thread in `P` takes a step in the run, then its first one is possible at once by (1),
//! and leads to a state from which the rest of the run, in the same order, reaches the same location: the rest is shorter. If
//! none does, then the step of (2) can be put before the run, since it does not depend on it and does not end the program by
//! (3). The rest is as long as before. That cannot go on forever: there are finitely many states of control, so steps would
//! close a cycle in which some thread leaves the head of a loop. By (4) all threads are considered there, among them the one with the
//! first step of the run.
//!
//! A violation may be preferred to steps of other threads if any violation settles the verdict. An atomic section is one step here: inside of
//! one, only its thread moves.

use super::flow::{Access, Flow};
use super::product::{Pc, Product, State};
use super::{Sync, ThreadId};

/// A thread and its next steps in a state.
struct Candidate {
    thread: ThreadId,
    access: Access,
    is_possible: bool,
    may_lead: bool,
}

impl Product<'_> {
    /// The threads whose steps are followed from a state.
    pub(super) fn considered(&self, state: &State) -> Vec<ThreadId> {
        if let Some((holder, _)) = state.atomic {
            return vec![holder];
        }
        let candidates: Vec<Candidate> = self.candidates(state);
        let all: Vec<ThreadId> = candidates.iter().map(|candidate| candidate.thread).collect();
        let reduced = (0..candidates.len()).filter_map(|seed| self.closure(state, &candidates, seed));
        let best = reduced.min_by_key(Vec::len);
        best.filter(|best| best.len() < all.len()).unwrap_or(all)
    }

    fn candidates(&self, state: &State) -> Vec<Candidate> {
        let threads = self.facts.threads.indices();
        threads.filter_map(|thread| self.candidate(state, thread)).collect()
    }

    fn candidate(&self, state: &State, thread: ThreadId) -> Option<Candidate> {
        let Pc::At(node) = state.pcs[thread] else { return None };
        if self.facts.steps.outgoing[node].is_empty() {
            return None;
        }
        let next = &self.flow.next[node];
        let (mut access, mut is_possible, mut ends) = (next.access.clone(), next.is_possible, next.ends);
        match next.sync.map(|sync| &self.facts.syncs[sync]) {
            Some(Sync::Lock { mutex, .. }) => match self.value(state, *mutex) {
                None => ends = true,
                Some(mutex) => match state.holder(mutex) {
                    None => {}
                    Some(holder) if holder == thread => ends = true,
                    Some(_) => is_possible = false,
                },
            },
            Some(Sync::Unlock { mutex, .. }) => {
                let holder = self.value(state, *mutex).and_then(|mutex| state.holder(mutex));
                ends |= holder != Some(thread);
            }
            Some(Sync::TryLock { mutex, .. }) => ends |= self.value(state, *mutex).is_none(),
            Some(Sync::Await { handle, .. }) => match self.thread_of(state, *handle) {
                Some(other) => {
                    access = self.flow.access_of_waiting(other);
                    is_possible = state.pcs[other] == Pc::Ended;
                    ends |= state.pcs[other] == Pc::Idle || other == thread;
                }
                None => ends = true,
            },
            Some(Sync::Detach { handle, .. }) => ends |= self.thread_of(state, *handle).is_none(),
            Some(Sync::Fork { starts, .. }) => {
                ends |= !starts.iter().any(|start| state.pcs[start.thread] == Pc::Idle);
            }
            Some(Sync::EnterAtomic | Sync::LeaveAtomic) | None => {}
        }
        let may_lead = !ends && !self.flow.is_head[node];
        Some(Candidate { thread, access, is_possible, may_lead })
    }

    /// The smallest set with a thread that fulfils the first condition, if it fulfils the others as well.
    fn closure(&self, state: &State, candidates: &[Candidate], seed: usize) -> Option<Vec<ThreadId>> {
        let mut chosen = vec![false; candidates.len()];
        let mut pending = vec![seed];
        chosen[seed] = true;
        let mut has_key = false;
        while let Some(number) = pending.pop() {
            let candidate = &candidates[number];
            if !candidate.may_lead {
                return None;
            }
            has_key |= candidate.is_possible;
            for (other, is_chosen) in chosen.iter_mut().enumerate() {
                if !*is_chosen && self.disturbs(state, candidates[other].thread, &candidate.access) {
                    *is_chosen = true;
                    pending.push(other);
                }
            }
        }
        let threads = candidates.iter().zip(&chosen).filter(|(_, is_chosen)| **is_chosen);
        has_key.then(|| threads.map(|(candidate, _)| candidate.thread).collect())
    }

    /// Whether something that a thread may do ever and an access depend on each other.
    fn disturbs(&self, state: &State, thread: ThreadId, access: &Access) -> bool {
        let Pc::At(node) = state.pcs[thread] else { return false };
        conflicts(&self.flow, access, node)
    }
}

fn conflicts(flow: &Flow, access: &Access, node: super::steps::Node) -> bool {
    let future = &flow.future[node];
    access.writes.meets(&future.reads)
        || access.writes.meets(&future.writes)
        || access.reads.meets(&future.writes)
}
