//! The region graph of a random network, explored explicitly.
//!
//! A region fixes the whole part of every clock, up to one above the largest constant, and the order of the fractional parts.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::generator::{Channel, Comparison, MAX, RandomEdge, RandomNetwork, Urgency};

/// A state of the region graph.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The location of each process.
    pub locations: Vec<usize>,
    /// The value of the variable.
    pub value: i32,
    /// For each clock the whole part and the rank of the fraction; rank 0 is no fraction. Above `MAX` nothing more is known.
    pub clocks: Vec<(i32, usize)>,
}

/// A condition on states.
pub type Predicate<'p> = dyn Fn(&State) -> bool + 'p;

/// Whether the goal, or a deadlock, can be reached.
pub fn reaches(network: &RandomNetwork, is_deadlock: bool) -> bool {
    let is_bad = |state: &State| match is_deadlock {
        true => is_stuck(network, state),
        false => is_goal(network, state),
    };
    reachable(network).iter().any(is_bad)
}

/// All reachable states.
pub fn reachable(network: &RandomNetwork) -> BTreeSet<State> {
    let mut seen = BTreeSet::from([initial(network)]);
    let mut waiting: VecDeque<State> = seen.iter().cloned().collect();
    while let Some(state) = waiting.pop_front() {
        for next in moves(network, &state).into_iter().chain(delay(network, &state)) {
            if seen.insert(next.clone()) {
                waiting.push_back(next);
            }
        }
    }
    seen
}

fn initial(network: &RandomNetwork) -> State {
    State { locations: vec![0; network.processes.len()], value: 0, clocks: vec![(0, 0); network.num_clocks] }
}

/// Whether a maximal run has `along` in all states, from the start or from a reachable state with `start` on.
pub fn endless(network: &RandomNetwork, start: Option<&Predicate<'_>>, along: &Predicate<'_>) -> bool {
    let starts: Vec<State> = match start {
        None => vec![initial(network)],
        Some(start) => reachable(network).into_iter().filter(|state| start(state)).collect(),
    };
    let mut finished = BTreeMap::new();
    starts.iter().filter(|state| along(state)).any(|state| goes_on(network, state, along, &mut finished))
}

/// Whether an endless run starts in `state`. A state that is not finished is on the path.
fn goes_on(
    network: &RandomNetwork,
    state: &State,
    along: &Predicate<'_>,
    finished: &mut BTreeMap<State, bool>,
) -> bool {
    match finished.get(state) {
        Some(true) => return false,
        Some(false) => return true,
        None => {}
    }
    let (moves, later) = (moves(network, state), delay(network, state));
    let diverges = !is_frozen(network, state) && state.clocks.iter().all(|clock| clock.0 > MAX);
    if diverges || (later.is_none() && moves.is_empty()) {
        return true;
    }
    finished.insert(state.clone(), false);
    let mut next = moves.iter().chain(&later).filter(|next| along(next));
    if next.any(|next| goes_on(network, next, along, finished)) {
        return true;
    }
    finished.insert(state.clone(), true);
    false
}

fn is_goal(network: &RandomNetwork, state: &State) -> bool {
    (state.locations[0], state.locations[1]) == network.goal
        && network.goal_clock.iter().all(|comparison| holds(state, comparison))
}

fn is_stuck(network: &RandomNetwork, state: &State) -> bool {
    let mut state = state.clone();
    loop {
        if !moves(network, &state).is_empty() {
            return false;
        }
        match delay(network, &state) {
            Some(next) if next != state => state = next,
            _ => return true,
        }
    }
}

/// Whether the clocks of `state` satisfy `comparison`.
pub fn holds(state: &State, comparison: &Comparison) -> bool {
    let (whole, rank) = state.clocks[comparison.clock];
    // Twice the value, with a fraction counted as one half.
    let (value, constant) = (2 * whole + i32::from(rank > 0), 2 * comparison.constant);
    match comparison.sign {
        "<" => value < constant,
        "<=" => value <= constant,
        "==" => value == constant,
        ">=" => value >= constant,
        _ => value > constant,
    }
}

fn invariant_holds(network: &RandomNetwork, state: &State) -> bool {
    let locations = network.processes.iter().zip(&state.locations);
    let mut invariants = locations.filter_map(|(process, at)| process.locations[*at].invariant.as_ref());
    invariants.all(|comparison| holds(state, comparison))
}

fn is_at(network: &RandomNetwork, state: &State, urgency: Urgency) -> bool {
    let mut locations = network.processes.iter().zip(&state.locations);
    locations.any(|(process, at)| process.locations[*at].urgency == urgency)
}

fn is_frozen(network: &RandomNetwork, state: &State) -> bool {
    is_at(network, state, Urgency::Urgent)
        || is_at(network, state, Urgency::Committed)
        || can_hurry(network, state)
}

/// The next region, if time may pass.
fn delay(network: &RandomNetwork, state: &State) -> Option<State> {
    if is_frozen(network, state) {
        return None;
    }
    let mut next = state.clone();
    let is_open = |clock: &(i32, usize)| clock.0 <= MAX;
    let is_at_whole = state.clocks.iter().any(|clock| is_open(clock) && clock.1 == 0);
    let largest = state.clocks.iter().filter(|clock| is_open(clock)).map(|clock| clock.1).max()?;
    for clock in next.clocks.iter_mut().filter(|clock| clock.0 <= MAX) {
        if is_at_whole {
            clock.1 += 1;
        } else if clock.1 == largest {
            *clock = (clock.0 + 1, 0);
        }
        if *clock == (MAX, 1) && is_at_whole || clock.0 > MAX {
            *clock = (MAX + 1, 0);
        }
    }
    normalize(&mut next);
    invariant_holds(network, &next).then_some(next)
}

/// Ranks without gaps, and nothing known above the largest constant.
fn normalize(state: &mut State) {
    for clock in &mut state.clocks {
        if clock.0 > MAX || (clock.0 == MAX && clock.1 > 0) {
            *clock = (MAX + 1, 0);
        }
    }
    let ranks: BTreeSet<usize> =
        state.clocks.iter().filter(|clock| clock.0 <= MAX && clock.1 > 0).map(|clock| clock.1).collect();
    let ranks: Vec<usize> = ranks.into_iter().collect();
    for clock in state.clocks.iter_mut().filter(|clock| clock.1 > 0) {
        clock.1 = ranks.iter().position(|rank| *rank == clock.1).map_or(0, |index| index + 1);
    }
}

fn enabled<'n>(network: &'n RandomNetwork, state: &State, process: usize) -> Vec<&'n RandomEdge> {
    let edges = network.processes[process].edges.iter();
    edges
        .filter(|edge| {
            edge.source == state.locations[process]
                && edge.value.is_none_or(|value| value == state.value)
                && edge.guard.iter().all(|comparison| holds(state, comparison))
        })
        .collect()
}

/// Whether a synchronisation on the urgent channel is possible.
fn can_hurry(network: &RandomNetwork, state: &State) -> bool {
    let offers = |process: usize, sends: bool| {
        enabled(network, state, process).iter().any(|edge| edge.sync == Some((Channel::Urgent, sends)))
    };
    let all = 0..network.processes.len();
    all.clone().any(|sender| {
        offers(sender, true) && all.clone().any(|other| other != sender && offers(other, false))
    })
}

fn moves(network: &RandomNetwork, state: &State) -> Vec<State> {
    let mut list = Vec::new();
    for sender in 0..network.processes.len() {
        for edge in enabled(network, state, sender) {
            match edge.sync {
                None => list.push(vec![(sender, edge)]),
                Some((Channel::Broadcast, true)) => list.extend(broadcasts(network, state, sender, edge)),
                Some((channel, true)) => {
                    for other in (0..network.processes.len()).filter(|other| *other != sender) {
                        let receives = |edge: &&RandomEdge| edge.sync == Some((channel, false));
                        let partners = enabled(network, state, other).into_iter().filter(receives);
                        list.extend(partners.map(|partner| vec![(sender, edge), (other, partner)]));
                    }
                }
                Some((_, false)) => {}
            }
        }
    }
    if is_at(network, state, Urgency::Committed) {
        list.retain(|step| {
            step.iter().any(|(process, edge)| {
                network.processes[*process].locations[edge.source].urgency == Urgency::Committed
            })
        });
    }
    let taken = list.iter().filter_map(|step| {
        let channel = step[0].1.sync.map(|(channel, _)| channel);
        let rank = network.rank(channel, step.iter().map(|(process, _)| *process));
        Some((rank, take(network, state, step)?))
    });
    let taken: Vec<((u32, u32), State)> = taken.collect();
    let highest = taken.iter().map(|(rank, _)| *rank).max();
    taken.into_iter().filter(|(rank, _)| Some(*rank) == highest).map(|(_, next)| next).collect()
}

fn broadcasts<'n>(
    network: &'n RandomNetwork,
    state: &State,
    sender: usize,
    edge: &'n RandomEdge,
) -> Vec<Vec<(usize, &'n RandomEdge)>> {
    let mut list = vec![vec![(sender, edge)]];
    for other in (0..network.processes.len()).filter(|other| *other != sender) {
        let receives = |edge: &&RandomEdge| edge.sync == Some((Channel::Broadcast, false));
        let partners: Vec<&RandomEdge> =
            enabled(network, state, other).into_iter().filter(receives).collect();
        if partners.is_empty() {
            continue;
        }
        let with = |step: &Vec<(usize, &'n RandomEdge)>| -> Vec<Vec<(usize, &'n RandomEdge)>> {
            let longer = |partner: &&'n RandomEdge| step.iter().copied().chain([(other, *partner)]).collect();
            partners.iter().map(longer).collect()
        };
        list = list.iter().flat_map(with).collect();
    }
    list
}

fn take(network: &RandomNetwork, state: &State, step: &[(usize, &RandomEdge)]) -> Option<State> {
    let mut next = state.clone();
    for (process, edge) in step {
        edge.sets.iter().for_each(|(clock, value)| next.clocks[*clock] = (*value, 0));
        next.value = edge.assign.unwrap_or(next.value);
        next.locations[*process] = edge.target;
    }
    normalize(&mut next);
    invariant_holds(network, &next).then_some(next)
}
