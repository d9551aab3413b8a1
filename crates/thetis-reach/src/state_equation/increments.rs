//! Increment constraints from a partial solution (algorithms 1.4 and 1.8).
//!
//! Some transitions of a partial solution could not fire. Step 1 builds the dependency graph of these transitions and
//! the places that disable them; step 2 estimates for each source component how many tokens it misses (has too many
//! of, where inhibitor arcs disable); step 3 asks transitions outside the remainder to provide (or remove) them.
//!
//! # Where we differ
//! * The tokens that a place already holds count against its need (the printed step 2 forgets them; the worked
//!   examples do not), and a surplus of one group is handed to the next.
//! * Inhibitor arcs have weights. The estimate for a single place is the least number whose removal enables one
//!   transition, so that it does not exceed the need.
//! * A place that a transition of the remainder could help, were it not for an inhibitor, is left alone. The printed
//!   algorithms ask other transitions for its tokens and give up if there are none.
//! * Only transitions that are disabled take part, also in nets without inhibitor arcs (footnote 11).
//!
//! The estimate may still exceed the true need, so an infeasible program here proves nothing about the net.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use thetis_model::petri::{Net, PlaceId, TransitionId};

use super::constraints::{Increment, Wanted, token_constraint};
use super::dependency::{Dependencies, Source};
use super::partial::Partial;

/// The constraints for one partial solution.
#[derive(Default)]
pub(super) struct Increments {
    pub(super) constraints: Vec<Increment>,
    /// Whether some component misses tokens that no transition can bring: the partial solution cannot be extended.
    pub(super) is_hopeless: bool,
}

impl Increments {
    /// Algorithm 1.4.
    pub(super) fn for_inputs(net: &Net, partial: &Partial) -> Increments {
        let lacking = |t: TransitionId| -> Vec<PlaceId> {
            let inputs = net.inputs(t).iter();
            inputs.filter(|arc| arc.weight > partial.marking[arc.place]).map(|arc| arc.place).collect()
        };
        let helps = |t: TransitionId, place: PlaceId| delta(net, t, place) > 0;
        let blocked = disabled(net, partial, &lacking);
        let graph = Dependencies::new(blocked.clone(), lacking, helps);
        let mut increments = Increments::default();
        for source in graph.sources() {
            let need = missing_tokens(net, partial, &source);
            increments.ask(net, partial, &source.places, &blocked, Wanted::More(need));
        }
        increments
    }

    /// Algorithm 1.8.
    pub(super) fn for_inhibitors(net: &Net, partial: &Partial) -> Increments {
        let inhibiting = |t: TransitionId| -> Vec<PlaceId> {
            let inhibitors = net.inhibitors(t).iter();
            inhibitors.filter(|arc| partial.marking[arc.place] >= arc.weight).map(|arc| arc.place).collect()
        };
        let helps = |t: TransitionId, place: PlaceId| delta(net, t, place) < 0;
        let blocked = disabled(net, partial, &inhibiting);
        let graph = Dependencies::new(blocked.clone(), inhibiting, helps);
        let mut increments = Increments::default();
        for source in graph.sources() {
            let excess = superfluous_tokens(net, partial, &source);
            increments.ask(net, partial, &source.places, &blocked, Wanted::Fewer(excess));
        }
        increments
    }

    /// Both kinds together.
    pub(super) fn join(mut self, other: Increments) -> Increments {
        self.constraints.extend(other.constraints);
        self.is_hopeless |= other.is_hopeless;
        self
    }

    /// Asks transitions outside the remainder. If none can help, but a transition of the remainder that is not itself
    /// `blocked` can (it waits for something else, such as an inhibitor), no constraint is added.
    fn ask(
        &mut self,
        net: &Net,
        partial: &Partial,
        places: &[PlaceId],
        blocked: &[TransitionId],
        wanted: Wanted,
    ) {
        if wanted.number() <= 0 {
            return;
        }
        let is_left = |t: TransitionId| partial.remainder[t.index()] > 0;
        let constrain = |may_help: &dyn Fn(TransitionId) -> bool| {
            token_constraint(net, places, wanted, &partial.fired, may_help)
        };
        match constrain(&|t| !is_left(t)) {
            Some(constraint) => self.constraints.push(constraint),
            None => self.is_hopeless |= constrain(&|t| is_left(t) && !blocked.contains(&t)).is_none(),
        }
    }
}

/// `T_0`: the transitions of the remainder that some place disables.
fn disabled(
    net: &Net,
    partial: &Partial,
    blockers: &impl Fn(TransitionId) -> Vec<PlaceId>,
) -> Vec<TransitionId> {
    net.transition_ids().filter(|t| partial.remainder[t.index()] > 0 && !blockers(*t).is_empty()).collect()
}

/// Step 2 of algorithm 1.4.
fn missing_tokens(net: &Net, partial: &Partial, source: &Source) -> i64 {
    if source.transitions.is_empty() {
        return source
            .places
            .first()
            .map_or(0, |place| need_of_groups(net, partial, *place, &source.outside));
    }
    let missing = |t: &TransitionId| -> i64 {
        let inputs = net.inputs(*t).iter().filter(|arc| source.places.contains(&arc.place));
        inputs.map(|arc| arc.weight.saturating_sub(partial.marking[arc.place]) as i64).sum()
    };
    source.transitions.iter().map(missing).min().unwrap_or(0)
}

/// How many tokens `place` needs so that all of `transitions` can fire: those that give back most of them first.
fn need_of_groups(net: &Net, partial: &Partial, place: PlaceId, transitions: &[TransitionId]) -> i64 {
    let mut groups: BTreeMap<Reverse<i64>, i64> = BTreeMap::new();
    for t in transitions {
        let (taken, given) = (weight(net.inputs(*t), place), weight(net.outputs(*t), place));
        let use_up = groups.entry(Reverse(given)).or_insert(0);
        let count = partial.remainder[t.index()].min(i64::MAX as u64) as i64;
        *use_up = use_up.saturating_add(count.saturating_mul(taken - given));
    }
    let mut need = 0i64;
    let mut debt = -(partial.marking[place].min(i64::MAX as u64) as i64);
    for (Reverse(given), use_up) in groups {
        debt = debt.saturating_add(given).saturating_add(use_up);
        if debt > 0 {
            need = need.saturating_add(debt);
            debt = 0;
        }
        debt = debt.saturating_sub(given);
    }
    need
}

/// Step 2 of algorithm 1.8.
fn superfluous_tokens(net: &Net, partial: &Partial, source: &Source) -> i64 {
    let excess = |t: &TransitionId| -> i64 {
        let inhibitors = net.inhibitors(*t).iter().filter(|arc| source.places.contains(&arc.place));
        inhibitors.map(|arc| (partial.marking[arc.place] + 1).saturating_sub(arc.weight) as i64).sum()
    };
    let transitions = if source.transitions.is_empty() { &source.outside } else { &source.transitions };
    transitions.iter().map(excess).filter(|excess| *excess > 0).min().unwrap_or(0)
}

fn delta(net: &Net, transition: TransitionId, place: PlaceId) -> i64 {
    net.effect(transition).iter().find(|change| change.place == place).map_or(0, |change| change.delta)
}

fn weight(arcs: &[thetis_model::petri::Arc], place: PlaceId) -> i64 {
    arcs.iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight as i64)
}
