//! Stubborn sets: which transitions must be tried from a marking.
//!
//! The tree of partial solutions is the state space of the net with one counter place for each transition, and its leaves
//! are the deadlocks of that net. A stubborn set that preserves deadlocks (Valmari; in the form of Schmidt 1999) therefore
//! keeps every pair of final marking and remainder, and drops only other orders of the same firings:
//!
//! * for an *enabled* member, all transitions that could disable it or be disabled by it are members;
//! * for a *disabled* member, one place that disables it is chosen, and all transitions that could change that are
//!   members.
//!
//! Transitions whose counter is empty never fire again and are left out. An abundant place, with enough tokens
//! for everything that may still fire, causes no conflicts.

use super::subnet::Subnet;

/// How many enabled transitions are tried as seeds of a set.
const MAX_SEEDS: usize = 16;

/// Computes stubborn sets; keeps its buffers.
pub(super) struct Stubborn {
    members: Vec<usize>,
    /// When each transition was last made a member.
    stamps: Vec<u64>,
    stamp: u64,
}

/// What to try.
pub(super) enum Choice {
    /// Nothing is enabled.
    Leaf,
    /// This transition alone, as often as it can fire: it is in conflict with no other.
    Row(usize),
    /// These.
    Several(Vec<usize>),
}

impl Stubborn {
    pub(super) fn new(num_transitions: usize) -> Stubborn {
        Stubborn { members: Vec::new(), stamps: vec![0; num_transitions], stamp: 0 }
    }

    /// The smallest set found, as its enabled transitions in ascending order.
    pub(super) fn choose(&mut self, subnet: &Subnet) -> Choice {
        let enabled: Vec<usize> = (0..self.stamps.len()).filter(|t| subnet.is_enabled(*t)).collect();
        let mut best: Option<Vec<usize>> = None;
        for seed in enabled.iter().take(MAX_SEEDS) {
            let limit = best.as_ref().map_or(usize::MAX, Vec::len);
            let Some(set) = self.close(subnet, *seed, limit) else { continue };
            if set.len() == 1 {
                let is_alone = self.members.len() == 1;
                return if is_alone { Choice::Row(*seed) } else { Choice::Several(set) };
            }
            best = Some(set);
        }
        best.map_or(Choice::Leaf, Choice::Several)
    }

    /// The enabled members of the set around `seed`, unless there are `limit` or more.
    fn close(&mut self, subnet: &Subnet, seed: usize, limit: usize) -> Option<Vec<usize>> {
        self.stamp += 1;
        self.members.clear();
        self.add(subnet, seed);
        let mut enabled = Vec::new();
        let mut next = 0;
        while next < self.members.len() {
            let transition = self.members[next];
            next += 1;
            if subnet.is_enabled(transition) {
                enabled.push(transition);
                if enabled.len() >= limit {
                    return None;
                }
                self.add_conflicts(subnet, transition);
            } else {
                self.add_enablers(subnet, transition);
            }
        }
        enabled.sort_unstable();
        Some(enabled)
    }

    fn add(&mut self, subnet: &Subnet, transition: usize) {
        if subnet.left[transition] > 0 && self.stamps[transition] != self.stamp {
            self.stamps[transition] = self.stamp;
            self.members.push(transition);
        }
    }

    fn add_conflicts(&mut self, subnet: &Subnet, transition: usize) {
        let local = &subnet.transitions[transition];
        for (place, _) in local.inputs.iter().filter(|(place, _)| !subnet.is_abundant(*place)) {
            self.add_all(subnet, &subnet.places[*place].decreasers);
        }
        for (place, delta) in &local.effect {
            if *delta < 0 && !subnet.is_abundant(*place) {
                self.add_all(subnet, &subnet.places[*place].consumers);
            }
            if *delta > 0 {
                self.add_all(subnet, &subnet.places[*place].inhibited);
            }
        }
        for (place, _) in &local.inhibitors {
            self.add_all(subnet, &subnet.places[*place].increasers);
        }
    }

    /// For the disabling place with the fewest transitions to add.
    fn add_enablers(&mut self, subnet: &Subnet, transition: usize) {
        let local = &subnet.transitions[transition];
        let lacking = local.inputs.iter().filter(|(place, weight)| subnet.tokens[*place] < *weight);
        let inhibiting = local.inhibitors.iter().filter(|(place, weight)| subnet.tokens[*place] >= *weight);
        let enablers = lacking
            .map(|(place, _)| &subnet.places[*place].increasers)
            .chain(inhibiting.map(|(place, _)| &subnet.places[*place].decreasers));
        let new = |list: &[usize]| {
            list.iter().filter(|t| subnet.left[**t] > 0 && self.stamps[**t] != self.stamp).count()
        };
        if let Some(list) = enablers.min_by_key(|list| new(list)) {
            self.add_all(subnet, list);
        }
    }

    fn add_all(&mut self, subnet: &Subnet, transitions: &[usize]) {
        for transition in transitions {
            self.add(subnet, *transition);
        }
    }
}
