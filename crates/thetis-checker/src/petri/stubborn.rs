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
//! Then firing only the enabled transitions of `S` keeps the target reachable. To see this, take a shortest sequence to the
//! target and its first transition `t` of `S`, which exists by 1. No transition before `t` is in `S`, so by 2 `t` was enabled
//! from the start, and by 3 the others can still fire after it. The final marking is the same, and one step fewer remains
//! after `t`. These are the stubborn sets of Valmari with the goals of Kristensen, Schmidt and Valmari (2006).

use thetis_model::petri::{Comparison, Marking, Net, PlaceId, Predicate, Relation, TransitionId};

use super::is_enabled;

/// How many ways to choose are tried.
const MAX_TRIES: usize = 6;

/// The enabled transitions of a set that suffices in `marking`, where `target` does not hold. Where there is a choice,
/// the first attempt takes the first alternative, the second attempt the second one, and so on; the smallest result is
/// used.
pub(super) fn transitions(net: &Net, target: &Predicate, marking: &Marking) -> Vec<TransitionId> {
    let mut best: Option<Vec<TransitionId>> = None;
    for turn in 0..MAX_TRIES {
        let mut set =
            Set { net, marking, turn, has_choice: false, is_member: Vec::new(), members: Vec::new() };
        let enabled = set.build(target);
        if best.as_ref().is_none_or(|best| enabled.len() < best.len()) {
            best = Some(enabled);
        }
        if !set.has_choice || best.as_ref().is_some_and(|best| best.len() <= 1) {
            break;
        }
    }
    best.unwrap_or_default()
}

fn increasing(net: &Net, place: PlaceId) -> impl Iterator<Item = TransitionId> {
    net.changers(place).iter().filter(|changer| changer.delta > 0).map(|changer| changer.transition)
}

fn decreasing(net: &Net, place: PlaceId) -> impl Iterator<Item = TransitionId> {
    net.changers(place).iter().filter(|changer| changer.delta < 0).map(|changer| changer.transition)
}

/// A set under construction.
struct Set<'c> {
    net: &'c Net,
    marking: &'c Marking,
    turn: usize,
    has_choice: bool,
    is_member: Vec<bool>,
    members: Vec<TransitionId>,
}

impl Set<'_> {
    fn build(&mut self, target: &Predicate) -> Vec<TransitionId> {
        self.is_member = vec![false; self.net.transitions().len()];
        self.towards(target, true);
        let mut next = 0;
        while let Some(transition) = self.members.get(next).copied() {
            next += 1;
            if self.is_enabled(transition) {
                self.add_disabled_by(transition);
            } else {
                self.add_enabling(transition);
            }
        }
        self.members.retain(|transition| is_enabled(self.net, self.marking.tokens(), *transition));
        std::mem::take(&mut self.members)
    }

    fn is_enabled(&self, transition: TransitionId) -> bool {
        is_enabled(self.net, self.marking.tokens(), transition)
    }

    fn add(&mut self, transition: TransitionId) {
        if !std::mem::replace(&mut self.is_member[transition.index()], true) {
            self.members.push(transition);
        }
    }

    /// One of the choices, by the turn.
    fn choose<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        self.has_choice |= choices.len() > 1;
        choices.get(self.turn % choices.len().max(1)).copied()
    }

    /// All transitions that can remove one reason why `transition` is disabled: the reason with the fewest.
    fn add_enabling(&mut self, transition: TransitionId) {
        let net = self.net;
        let few = net.inputs(transition).iter().filter(|arc| self.marking[arc.place] < arc.weight);
        let many = net.inhibitors(transition).iter().filter(|arc| self.marking[arc.place] >= arc.weight);
        let few = few.map(|arc| increasing(net, arc.place).collect::<Vec<_>>());
        let reasons = few.chain(many.map(|arc| decreasing(net, arc.place).collect()));
        let fewest = reasons.min_by_key(Vec::len).unwrap_or_default();
        fewest.into_iter().for_each(|other| self.add(other));
    }

    /// All transitions that a firing of `transition` can disable.
    fn add_disabled_by(&mut self, transition: TransitionId) {
        let net = self.net;
        for change in net.effect(transition) {
            let links =
                if change.delta < 0 { net.consumers(change.place) } else { net.inhibited(change.place) };
            links.iter().for_each(|link| self.add(link.transition));
        }
    }

    /// All transitions that can disable the enabled `transition`.
    fn add_disabling(&mut self, transition: TransitionId) {
        let net = self.net;
        for arc in net.inputs(transition) {
            decreasing(net, arc.place).for_each(|other| self.add(other));
        }
        for arc in net.inhibitors(transition) {
            increasing(net, arc.place).for_each(|other| self.add(other));
        }
    }

    /// Adds transitions of which one fires on every path to `predicate`, or to its negation if not `positive`; it does not hold
    /// now.
    fn towards(&mut self, predicate: &Predicate, positive: bool) {
        match predicate {
            Predicate::Constant(_) => {}
            Predicate::Compare(comparison) => self.compare(comparison, positive),
            Predicate::Fireable(list) if positive => list.iter().for_each(|one| self.add_enabling(*one)),
            Predicate::Fireable(list) => self.disable(list.iter().copied()),
            Predicate::Deadlock if positive => self.disable(self.net.transition_ids()),
            Predicate::Deadlock => self.net.transition_ids().for_each(|one| self.add_enabling(one)),
            Predicate::Not(inner) => self.towards(inner, !positive),
            Predicate::And(parts) if positive => self.one_part(parts, true),
            Predicate::Or(parts) if !positive => self.one_part(parts, false),
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().for_each(|part| self.towards(part, positive));
            }
        }
    }

    /// All parts must become true, so it is enough to consider one that is false.
    fn one_part(&mut self, parts: &[Predicate], positive: bool) {
        let open = parts.iter().filter(|part| part.holds(self.net, self.marking) != positive);
        let open: Vec<&Predicate> = open.take(MAX_TRIES).collect();
        if let Some(part) = self.choose(&open) {
            self.towards(part, positive);
        }
    }

    /// All of them must become disabled, so it is enough to consider one that is enabled.
    fn disable(&mut self, list: impl Iterator<Item = TransitionId>) {
        let enabled: Vec<TransitionId> = list.filter(|one| self.is_enabled(*one)).take(MAX_TRIES).collect();
        if let Some(transition) = self.choose(&enabled) {
            self.add_disabling(transition);
        }
    }

    fn compare(&mut self, comparison: &Comparison, positive: bool) {
        let net = self.net;
        let relation = if positive { comparison.relation } else { comparison.relation.negated() };
        let value = comparison.sum.compare(self.marking, comparison.bound);
        let (up, down) = match relation {
            Relation::AtLeast | Relation::Greater => (true, false),
            Relation::Less | Relation::AtMost => (false, true),
            Relation::Equal => (value.is_lt(), value.is_gt()),
            Relation::NotEqual => (true, true),
        };
        for (place, factor) in comparison.sum.terms() {
            for changer in net.changers(*place) {
                let grows = (*factor > 0) == (changer.delta > 0);
                if up && grows || down && !grows {
                    self.add(changer.transition);
                }
            }
        }
    }
}
