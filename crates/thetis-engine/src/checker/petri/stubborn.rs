//! Which transitions suffice to find the target.
//!
//! In a marking without the target, let `S` be a set of transitions such that
//!
//! 1. every firing sequence to the target contains a transition of `S`;
//! 2. for each *disabled* transition of `S` there is one reason (an input place with too few tokens, or an inhibitor place with
//!    too many) such that all transitions that make it vanish are in `S`;
//! 3. for each *enabled* transition of `S`, all transitions that its firing can disable are in `S`: those that consume from a
//!    place that it decreases, or are inhibited by one that it increases.
//!
//! Then firing only the enabled transitions of `S` keeps the target reachable. For take a shortest sequence to the target and
//! its first transition `t` of `S`, which exists by 1. None before it is in `S`, so by 2 it was enabled from the start, and
//! by 3 the others can still fire after it; the end is the same, and one step less remains after `t`. These are the
//! stubborn sets of Valmari with the goals of Kristensen, Schmidt and Valmari (2006). This file takes the first choice
//! everywhere and does not look for small sets.

use std::collections::BTreeSet;

use thetis_model::petri::{Comparison, Net, PlaceId, Predicate, Relation, TransitionId};

use super::is_enabled;

/// The enabled transitions of a set that suffices in `tokens`, where `target` does not hold.
pub(super) fn transitions(net: &Net, target: &Predicate, tokens: &[u64]) -> Vec<TransitionId> {
    let mut goals = Goals { net, tokens, transitions: BTreeSet::new() };
    goals.towards(target, true);
    let mut set = goals.transitions;
    let mut pending: Vec<TransitionId> = set.iter().copied().collect();
    while let Some(transition) = pending.pop() {
        let needed = if is_enabled(net, tokens, transition) {
            disabled_by(net, transition)
        } else {
            enabling(net, tokens, transition)
        };
        pending.extend(needed.into_iter().filter(|other| set.insert(*other)));
    }
    set.into_iter().filter(|transition| is_enabled(net, tokens, *transition)).collect()
}

fn increasing(net: &Net, place: PlaceId) -> impl Iterator<Item = TransitionId> {
    net.changers(place).iter().filter(|changer| changer.delta > 0).map(|changer| changer.transition)
}

fn decreasing(net: &Net, place: PlaceId) -> impl Iterator<Item = TransitionId> {
    net.changers(place).iter().filter(|changer| changer.delta < 0).map(|changer| changer.transition)
}

/// All transitions that can remove the first reason why `transition` is disabled.
fn enabling(net: &Net, tokens: &[u64], transition: TransitionId) -> Vec<TransitionId> {
    if let Some(arc) = net.inputs(transition).iter().find(|arc| tokens[arc.place.index()] < arc.weight) {
        return increasing(net, arc.place).collect();
    }
    match net.inhibitors(transition).iter().find(|arc| tokens[arc.place.index()] >= arc.weight) {
        Some(arc) => decreasing(net, arc.place).collect(),
        None => Vec::new(),
    }
}

/// All transitions that a firing of `transition` can disable.
fn disabled_by(net: &Net, transition: TransitionId) -> Vec<TransitionId> {
    let mut found = Vec::new();
    for change in net.effect(transition) {
        let links = if change.delta < 0 { net.consumers(change.place) } else { net.inhibited(change.place) };
        found.extend(links.iter().map(|link| link.transition));
    }
    found
}

/// All transitions that can disable the enabled `transition`.
fn disabling(net: &Net, transition: TransitionId) -> Vec<TransitionId> {
    let takers = net.inputs(transition).iter().flat_map(|arc| decreasing(net, arc.place));
    let givers = net.inhibitors(transition).iter().flat_map(|arc| increasing(net, arc.place));
    takers.chain(givers).collect()
}

/// Collects transitions of which at least one fires on every way to a goal.
struct Goals<'c> {
    net: &'c Net,
    tokens: &'c [u64],
    transitions: BTreeSet<TransitionId>,
}

impl Goals<'_> {
    /// Adds the transitions for `predicate`, or its negation if not `positive`; it does not hold now.
    fn towards(&mut self, predicate: &Predicate, positive: bool) {
        match predicate {
            Predicate::Constant(_) => {}
            Predicate::Compare(comparison) => self.compare(comparison, positive),
            Predicate::Fireable(list) if positive => list.iter().for_each(|one| self.enable(*one)),
            Predicate::Fireable(list) => self.disable(list.iter().copied()),
            Predicate::Deadlock if positive => self.disable(self.net.transition_ids()),
            Predicate::Deadlock => self.net.transition_ids().for_each(|one| self.enable(one)),
            Predicate::Not(inner) => self.towards(inner, !positive),
            Predicate::And(parts) if positive => self.first_false(parts, true),
            Predicate::Or(parts) if !positive => self.first_false(parts, false),
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().for_each(|part| self.towards(part, positive));
            }
        }
    }

    /// All parts must come to hold, so it is enough to look at one that does not.
    fn first_false(&mut self, parts: &[Predicate], positive: bool) {
        let marking = thetis_model::petri::Marking::new(self.tokens.to_vec());
        if let Some(part) = parts.iter().find(|part| part.holds(self.net, &marking) != positive) {
            self.towards(part, positive);
        }
    }

    fn compare(&mut self, comparison: &Comparison, positive: bool) {
        let relation = if positive { comparison.relation } else { comparison.relation.negated() };
        let marking = thetis_model::petri::Marking::new(self.tokens.to_vec());
        let value = comparison.sum.compare(&marking, comparison.bound);
        let (up, down) = match relation {
            Relation::AtLeast | Relation::Greater => (true, false),
            Relation::Less | Relation::AtMost => (false, true),
            Relation::Equal => (value.is_lt(), value.is_gt()),
            Relation::NotEqual => (true, true),
        };
        for (place, factor) in comparison.sum.terms() {
            for changer in self.net.changers(*place) {
                let grows = (*factor > 0) == (changer.delta > 0);
                if up && grows || down && !grows {
                    self.transitions.insert(changer.transition);
                }
            }
        }
    }

    fn enable(&mut self, transition: TransitionId) {
        if !is_enabled(self.net, self.tokens, transition) {
            self.transitions.extend(enabling(self.net, self.tokens, transition));
        }
    }

    /// All of them must become disabled, so it is enough to look at one that is enabled.
    fn disable(&mut self, mut list: impl Iterator<Item = TransitionId>) {
        if let Some(enabled) = list.find(|transition| is_enabled(self.net, self.tokens, *transition)) {
            self.transitions.extend(disabling(self.net, enabled));
        }
    }
}
