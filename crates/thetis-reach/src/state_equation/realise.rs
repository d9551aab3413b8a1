//! The tree of partial solutions of a solution vector (algorithm 1.1).
//!
//! A depth-first search fires transitions, each at most as often as the vector says, until nothing is enabled. A leaf
//! where everything has fired realises the vector; a leaf whose marking satisfies the target counts too, even if some
//! firings are left. Every other leaf is a partial solution.
//!
//! # Where we differ
//! * Only one stubborn set is tried from each marking (see [`stubborn`](super::stubborn)). A transition that is in conflict with no other fires
//!   repeatedly, as one step, so that even vectors with a hundred thousand firings have small trees.
//! * The marking is a function of the firing counts, so different orders of the same firings lead to the same node;
//!   only the first is followed. This can lose intermediate markings, but neither final markings nor remainders.
//!   Equal nodes are recognised by a 64-bit hash: a collision can lose a branch of the search, but never cause a
//!   wrong answer.

use rustc_hash::FxHashSet;
use thetis_base::{Run, Stop};
use thetis_model::petri::{Marking, Net};

use super::StateEquationConfig;
use super::constraints::Vector;
use super::partial::{Firings, Partial};
use super::stubborn::{Choice, Stubborn};
use super::subnet::Subnet;

/// The outcome of a solution vector.
pub(super) enum Realised {
    /// A firing sequence to the target.
    Full(Firings),
    /// The leaves of the tree.
    Partials {
        leaves: Vec<Partial>,
        /// Whether a limit cut the tree.
        is_cut: bool,
    },
}

/// The tree search.
pub(super) struct Realiser<'a> {
    net: &'a Net,
    config: &'a StateEquationConfig,
    vector: &'a Vector,
    subnet: Subnet,
    stubborn: Stubborn,
    path: Vec<Frame>,
    visited: FxHashSet<u64>,
    leaves: Vec<Partial>,
    /// How many steps were taken.
    steps: u64,
}

/// A node on the path: how it was reached, and what is still to try from it.
struct Frame {
    entry: Option<(usize, u64)>,
    options: Vec<usize>,
    next: usize,
}

impl<'a> Realiser<'a> {
    /// Searches the tree of `vector`. `is_goal` decides whether firing counts lead to the target.
    pub(super) fn realise(
        net: &'a Net,
        config: &'a StateEquationConfig,
        vector: &'a Vector,
        is_goal: &dyn Fn(&Vector) -> bool,
        run: &Run,
    ) -> Result<(Realised, u64), Stop> {
        let Some(subnet) = Subnet::new(net, vector) else {
            return Ok((Realised::Partials { leaves: Vec::new(), is_cut: true }, 0));
        };
        let stubborn = Stubborn::new(subnet.transitions.len());
        let (path, visited, leaves) = (Vec::new(), FxHashSet::default(), Vec::new());
        let mut realiser =
            Realiser { net, config, vector, subnet, stubborn, path, visited, leaves, steps: 0 };
        let realised = realiser.search(is_goal, run)?;
        Ok((realised, realiser.steps))
    }

    fn search(&mut self, is_goal: &dyn Fn(&Vector) -> bool, run: &Run) -> Result<Realised, Stop> {
        if let Some(full) = self.enter(None, is_goal) {
            return Ok(Realised::Full(full));
        }
        while !self.path.is_empty() {
            if self.steps.is_multiple_of(256) {
                run.checkpoint()?;
            }
            let is_full = self.leaves.len() >= self.config.max_partial_solutions as usize;
            if is_full || self.steps >= self.config.max_steps {
                return Ok(Realised::Partials { leaves: std::mem::take(&mut self.leaves), is_cut: true });
            }
            if let Some(full) = self.step(is_goal) {
                return Ok(Realised::Full(full));
            }
        }
        Ok(Realised::Partials { leaves: std::mem::take(&mut self.leaves), is_cut: false })
    }

    /// Tries the next option of the last node, or leaves it.
    fn step(&mut self, is_goal: &dyn Fn(&Vector) -> bool) -> Option<Firings> {
        let frame = self.path.last_mut()?;
        let Some(transition) = frame.options.get(frame.next).copied() else {
            if let Some((transition, count)) = self.path.pop().and_then(|frame| frame.entry) {
                self.subnet.undo(transition, count);
            }
            return None;
        };
        frame.next += 1;
        self.steps += 1;
        self.subnet.fire(transition, 1);
        if self.is_met_again() {
            self.subnet.undo(transition, 1);
            return None;
        }
        self.enter(Some((transition, 1)), is_goal)
    }

    /// Goes on from the current marking to the next one with a choice. A firing sequence is an answer.
    fn enter(&mut self, entry: Option<(usize, u64)>, is_goal: &dyn Fn(&Vector) -> bool) -> Option<Firings> {
        self.path.push(Frame { entry, options: Vec::new(), next: 0 });
        loop {
            let options = match self.choose() {
                Choice::Leaf => return self.leaf(is_goal),
                Choice::Row(transition) => {
                    let count = self.subnet.longest_row(transition);
                    self.steps += 1;
                    self.subnet.fire(transition, count);
                    self.path.push(Frame { entry: Some((transition, count)), options: Vec::new(), next: 0 });
                    if self.is_met_again() {
                        return None;
                    }
                    continue;
                }
                Choice::Several(options) => options,
            };
            self.path.last_mut()?.options = options;
            return None;
        }
    }

    /// Whether the same firings have led here before, in another order.
    fn is_met_again(&mut self) -> bool {
        self.config.merge_orders && !self.visited.insert(self.hash())
    }

    fn choose(&mut self) -> Choice {
        if self.config.stubborn_sets {
            return self.stubborn.choose(&self.subnet);
        }
        let enabled: Vec<usize> =
            (0..self.subnet.transitions.len()).filter(|t| self.subnet.is_enabled(*t)).collect();
        if enabled.is_empty() { Choice::Leaf } else { Choice::Several(enabled) }
    }

    fn leaf(&mut self, is_goal: &dyn Fn(&Vector) -> bool) -> Option<Firings> {
        let mut remainder = vec![0; self.vector.len()];
        for (local, left) in self.subnet.transitions.iter().zip(&self.subnet.left) {
            remainder[local.id.index()] = *left;
        }
        let fired: Vector = self.vector.iter().zip(&remainder).map(|(all, left)| all - left).collect();
        if is_goal(&fired) {
            return Some(self.firings());
        }
        let (firings, marking) = (self.firings(), marking_after(self.net, &fired));
        self.leaves.push(Partial { firings, fired, remainder, marking, chain: Vec::new() });
        None
    }

    fn firings(&self) -> Firings {
        let mut firings: Firings = Vec::new();
        for (transition, count) in self.path.iter().filter_map(|frame| frame.entry) {
            let id = self.subnet.transitions[transition].id;
            match firings.last_mut() {
                Some((last, total)) if *last == id => *total += count,
                _ => firings.push((id, count)),
            }
        }
        firings
    }

    fn hash(&self) -> u64 {
        let mix = |(number, left): (usize, &u64)| {
            let mut word = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ left.wrapping_mul(0xd6e8_feb8_6659_fd93);
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word ^ (word >> 27)
        };
        self.subnet.left.iter().enumerate().map(mix).fold(0, u64::wrapping_add)
    }
}

/// The marking after firing so often. The counts should be those of a firing sequence.
pub(super) fn marking_after(net: &Net, fired: &Vector) -> Marking {
    let mut marking = net.initial_marking();
    for t in net.transition_ids().filter(|t| fired[t.index()] > 0) {
        for change in net.effect(t) {
            let moved = change.delta.unsigned_abs().wrapping_mul(fired[t.index()]);
            let tokens = marking[change.place];
            let tokens =
                if change.delta > 0 { tokens.wrapping_add(moved) } else { tokens.wrapping_sub(moved) };
            marking.set(change.place, tokens);
        }
    }
    marking
}
