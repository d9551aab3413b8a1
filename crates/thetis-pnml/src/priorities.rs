//! Priorities of transitions, compiled away.
//!
//! With priorities, a transition may fire only if it is enabled and no transition of a higher priority is enabled. There
//! are finitely many reasons why a transition is not enabled: an input place has too few tokens, or an inhibiting place
//! has too many. Arcs can express both conditions. So a transition becomes one copy for each choice of reasons, one
//! reason for every transition of a higher priority; a copy has an inhibitor arc for "too few" and takes and returns
//! tokens for "too many". A marking enables a copy exactly if it enables the transition under priorities, and the effect
//! is the same: reachable markings and deadlocks are those of the net with priorities.

use thetis_model::petri::{Net, NetBuilder, PlaceId, Transition, TransitionId};

/// The greatest number of copies of one transition.
const MAX_COPIES: usize = 256;

/// A transition would have too many copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooManyCopies(pub(crate) TransitionId);

/// Why a transition is not enabled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Obstacle {
    /// The place holds fewer tokens than this.
    TooFew(PlaceId, u64),
    /// The place holds this many tokens or more.
    TooMany(PlaceId, u64),
}

/// The net without priorities that behaves as `net` does with `priorities`; larger priorities come first.
///
/// A transition with one copy keeps its name; several copies are named after their reasons.
pub(crate) fn compile(net: &Net, priorities: &[u64]) -> Result<Net, TooManyCopies> {
    let mut builder = NetBuilder::new(net.name());
    for place in net.places() {
        builder.add_place(place.clone());
    }
    for transition in net.transition_ids() {
        let copies = copies(net, transition, priorities)?;
        let naming = if copies.len() == 1 { Naming::Original } else { Naming::Reasons };
        copies.iter().for_each(|reasons| add_copy(&mut builder, net, transition, reasons, naming));
    }
    Ok(builder.build().expect("copies of valid transitions should be valid"))
}

/// How a copy is named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Original,
    Reasons,
}

/// The choices of reasons under which `transition` may fire.
fn copies(
    net: &Net,
    transition: TransitionId,
    priorities: &[u64],
) -> Result<Vec<Vec<Obstacle>>, TooManyCopies> {
    let own = priorities[transition.index()];
    let above = net.transition_ids().filter(|other| priorities[other.index()] > own);
    let mut choices: Vec<Vec<Obstacle>> = vec![Vec::new()];
    for other in above {
        let obstacles = obstacles(net, other);
        let mut longer: Vec<Vec<Obstacle>> = Vec::new();
        for choice in &choices {
            for obstacle in &obstacles {
                let mut choice = choice.clone();
                choice.push(*obstacle);
                choice.sort_unstable();
                choice.dedup();
                if is_possible(net, transition, &choice) && !longer.contains(&choice) {
                    longer.push(choice);
                }
            }
            if longer.len() > MAX_COPIES {
                return Err(TooManyCopies(transition));
            }
        }
        choices = longer;
    }
    Ok(choices)
}

fn obstacles(net: &Net, transition: TransitionId) -> Vec<Obstacle> {
    let lacking = net.inputs(transition).iter().map(|arc| Obstacle::TooFew(arc.place, arc.weight));
    let inhibiting = net.inhibitors(transition).iter().map(|arc| Obstacle::TooMany(arc.place, arc.weight));
    lacking.chain(inhibiting).collect()
}

/// Whether a marking can enable `transition` and have all these obstacles.
fn is_possible(net: &Net, transition: TransitionId, choice: &[Obstacle]) -> bool {
    let mut least: Vec<(PlaceId, u64)> =
        net.inputs(transition).iter().map(|arc| (arc.place, arc.weight)).collect();
    let mut below: Vec<(PlaceId, u64)> =
        net.inhibitors(transition).iter().map(|arc| (arc.place, arc.weight)).collect();
    for obstacle in choice {
        match obstacle {
            Obstacle::TooFew(place, weight) => below.push((*place, *weight)),
            Obstacle::TooMany(place, weight) => least.push((*place, *weight)),
        }
    }
    least.iter().all(|(place, tokens)| below.iter().all(|(other, limit)| other != place || tokens < limit))
}

fn add_copy(
    builder: &mut NetBuilder,
    net: &Net,
    transition: TransitionId,
    reasons: &[Obstacle],
    naming: Naming,
) {
    let info = &net.transitions()[transition];
    let name = match naming {
        Naming::Original => info.name.clone(),
        Naming::Reasons => format!("{} [{}]", info.name, description(net, reasons)),
    };
    let copy = builder.add_transition(Transition { name, label: info.label.clone(), span: info.span });
    net.inputs(transition).iter().for_each(|arc| builder.input(copy, arc.place, arc.weight));
    net.outputs(transition).iter().for_each(|arc| builder.output(copy, arc.place, arc.weight));
    net.inhibitors(transition).iter().for_each(|arc| builder.inhibitor(copy, arc.place, arc.weight));
    for reason in reasons {
        if let Obstacle::TooFew(place, weight) = reason {
            builder.inhibitor(copy, *place, *weight);
        }
    }
    for (place, weight) in required(reasons) {
        let consumed =
            net.inputs(transition).iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight);
        if weight > consumed {
            builder.input(copy, place, weight - consumed);
            builder.output(copy, place, weight - consumed);
        }
    }
}

/// For each place the most tokens that a reason asks for.
fn required(reasons: &[Obstacle]) -> Vec<(PlaceId, u64)> {
    let mut required: Vec<(PlaceId, u64)> = Vec::new();
    for reason in reasons {
        let Obstacle::TooMany(place, weight) = reason else { continue };
        match required.iter_mut().find(|(known, _)| known == place) {
            Some((_, most)) => *most = (*most).max(*weight),
            None => required.push((*place, *weight)),
        }
    }
    required
}

fn description(net: &Net, reasons: &[Obstacle]) -> String {
    let texts: Vec<String> = reasons
        .iter()
        .map(|reason| match reason {
            Obstacle::TooFew(place, weight) => format!("{} < {weight}", net.places()[*place].name),
            Obstacle::TooMany(place, weight) => format!("{} >= {weight}", net.places()[*place].name),
        })
        .collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use thetis_model::petri::Marking;

    use super::*;
    use crate::families::small_net;

    /// All markings that can be reached; `may_fire` says which transitions may.
    fn reachable(net: &Net, may_fire: impl Fn(&Net, &Marking, TransitionId) -> bool) -> BTreeSet<Vec<u64>> {
        let tokens = |marking: &Marking| net.place_ids().map(|place| marking[place]).collect::<Vec<u64>>();
        let mut open = vec![net.initial_marking()];
        let mut known = BTreeSet::from([tokens(&open[0])]);
        while let Some(marking) = open.pop() {
            for transition in net.transition_ids().filter(|t| may_fire(net, &marking, *t)) {
                let mut next = marking.clone();
                next.fire(net, transition).expect("an enabled transition should fire");
                if known.insert(tokens(&next)) {
                    assert!(known.len() < 5_000, "the net should be bounded");
                    open.push(next);
                }
            }
        }
        known
    }

    fn is_enabled(net: &Net, marking: &Marking, transition: TransitionId) -> bool {
        let lacks = net.inputs(transition).iter().any(|arc| marking[arc.place] < arc.weight);
        let inhibited = net.inhibitors(transition).iter().any(|arc| marking[arc.place] >= arc.weight);
        !lacks && !inhibited
    }

    /// Whether the compiled net reaches what the rule of priorities reaches.
    fn check(net: &Net, priorities: &[u64]) {
        let compiled = compile(net, priorities).expect("there should be few copies");
        let by_rule = reachable(net, |net, marking, t| {
            let above = net.transition_ids().filter(|u| priorities[u.index()] > priorities[t.index()]);
            is_enabled(net, marking, t) && above.into_iter().all(|u| !is_enabled(net, marking, u))
        });
        assert_eq!(reachable(&compiled, is_enabled), by_rule, "{priorities:?}");
    }

    #[test]
    fn compiled_nets_reach_what_the_rule_reaches() {
        let nets = [
            small_net(&[2, 1, 0, 0], &["p0 p1 -> p2", "p0 -> p3", "p2 -> p0 p1"]),
            small_net(&[3, 2, 0], &["2p0 !2p1 -> p2", "p1 -> p2", "p0 -> p1", "p2 !p1 -> p0"]),
            small_net(&[2, 2, 0], &["p0 p1 -> 2p2", "2p0 -> p1", "p1 !2p2 -> p2", "2p2 -> p0"]),
            small_net(&[1, 0, 1], &["!2p1 -> p1", "p0 -> p2", "p2 -> p0"]),
        ];
        for net in &nets {
            let count = net.transitions().len() as u32;
            for choice in 0..3u64.pow(count) {
                let priorities: Vec<u64> = (0..count).map(|at| choice / 3u64.pow(at) % 3).collect();
                check(net, &priorities);
            }
        }
    }

    #[test]
    fn copies_are_named_after_their_reasons() {
        let net = small_net(&[1, 1, 1], &["p0 p1 -> p2", "p2 -> p0"]);
        let compiled = compile(&net, &[101, 100]).unwrap();
        let names: Vec<&str> = compiled.transitions().iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["t0", "t1 [p0 < 1]", "t1 [p1 < 1]"]);
    }

    #[test]
    fn too_many_copies() {
        let above: Vec<String> = (0..9).map(|at| format!("p{} p{} -> p0", 2 * at + 1, 2 * at + 2)).collect();
        let all: Vec<&str> = above.iter().map(String::as_str).chain(["p0 -> p1"]).collect();
        let net = small_net(&[1; 19], &all);
        let mut priorities = vec![2; 9];
        priorities.push(1);
        assert_eq!(compile(&net, &priorities).err(), Some(TooManyCopies(TransitionId::from(9usize))));
    }
}
