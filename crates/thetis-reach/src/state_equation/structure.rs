//! Traps and siphons: sets of places that stay marked, or stay empty.
//!
//! The state equation forgets the order of firings, and with it that some places cannot all be emptied (Esparza and
//! Melzer 2000). A *trap* is a set of places such that every transition that takes from it also gives to it; with a
//! token at the start, one always remains. A *siphon* is a set such that every transition that gives to it also takes
//! from it; without a token at the start, it stays empty. Inhibitor arcs only forbid firings, so both facts hold with them.

use thetis_model::petri::{Arc, Marking, Net, PlaceId};

/// A trap that has a token at the start and none in `marking`, if there is one; it is made small, because a
/// smaller trap is a stronger constraint.
pub(super) fn violated_trap(net: &Net, marking: &Marking) -> Option<Vec<PlaceId>> {
    let empty: Vec<bool> = net.place_ids().map(|place| marking[place] == 0).collect();
    let mut trap = greatest_trap(net, empty).filter(|trap| is_marked(net, trap))?;
    for place in 0..trap.len() {
        if trap[place] && count(&trap) <= MAX_SHRUNK {
            let mut smaller = trap.clone();
            smaller[place] = false;
            if let Some(smaller) = greatest_trap(net, smaller).filter(|trap| is_marked(net, trap)) {
                trap = smaller;
            }
        }
    }
    Some(members(net, &trap))
}

/// The greatest siphon without a token at the start, if it has a place.
pub(super) fn empty_siphon(net: &Net) -> Option<Vec<PlaceId>> {
    let mut inside: Vec<bool> = net.places().iter().map(|place| place.initial == 0).collect();
    let mut pending: Vec<PlaceId> = net.place_ids().collect();
    while let Some(place) = pending.pop() {
        let is_fed = |t| !net.inputs(t).iter().any(|arc: &Arc| inside[arc.place.index()]);
        if inside[place.index()] && net.producers(place).iter().any(|link| is_fed(link.transition)) {
            inside[place.index()] = false;
            let after = net.consumers(place).iter().flat_map(|link| net.outputs(link.transition));
            pending.extend(after.map(|arc| arc.place));
        }
    }
    Some(members(net, &inside)).filter(|siphon| !siphon.is_empty())
}

/// Traps with more places than this are not made smaller, which takes quadratic time.
const MAX_SHRUNK: usize = 200;

/// The greatest trap within `inside`.
fn greatest_trap(net: &Net, mut inside: Vec<bool>) -> Option<Vec<bool>> {
    let mut pending: Vec<PlaceId> = net.place_ids().collect();
    while let Some(place) = pending.pop() {
        let is_drained = |t| !net.outputs(t).iter().any(|arc: &Arc| inside[arc.place.index()]);
        if inside[place.index()] && net.consumers(place).iter().any(|link| is_drained(link.transition)) {
            inside[place.index()] = false;
            let before = net.producers(place).iter().flat_map(|link| net.inputs(link.transition));
            pending.extend(before.map(|arc| arc.place));
        }
    }
    inside.contains(&true).then_some(inside)
}

fn is_marked(net: &Net, places: &[bool]) -> bool {
    net.places().iter().zip(places).any(|(place, inside)| *inside && place.initial > 0)
}

fn count(places: &[bool]) -> usize {
    places.iter().filter(|inside| **inside).count()
}

fn members(net: &Net, places: &[bool]) -> Vec<PlaceId> {
    net.place_ids().filter(|place| places[place.index()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use thetis_model::petri::NetBuilder;

    #[test]
    fn a_cycle_is_a_trap_and_an_unmarked_cycle_a_siphon() {
        let mut builder = NetBuilder::new("two cycles");
        let places =
            [("a", 1), ("b", 0), ("c", 0), ("d", 0)].map(|(name, tokens)| builder.place(name, tokens));
        for (from, to) in [(0, 1), (1, 0), (2, 3), (3, 2)] {
            let t = builder.transition(format!("t{from}"));
            builder.input(t, places[from], 1);
            builder.output(t, places[to], 1);
        }
        let net = builder.build().unwrap();
        let nothing = Marking::new(vec![0; 4]);
        assert_eq!(violated_trap(&net, &nothing), Some(vec![places[0], places[1]]));
        assert_eq!(violated_trap(&net, &Marking::new(vec![0, 1, 0, 0])), None);
        assert_eq!(empty_siphon(&net), Some(vec![places[2], places[3]]));
    }
}
