//! Timed automata on pages.

use thetis_base::counted;
use thetis_model::Task;
use thetis_model::xta::{
    Course, EdgeId, LocationId, Network, ProcessId, Replay, TimedState, Urgency, XtaProof, XtaQuestion,
    XtaTrace,
};

use super::{
    Drawing, DrawnEdge, DrawnNode, EdgeKind, Fact, Instant, Lane, NodeKind, Rule, Shown, Stay, Timeline,
    TraceStep, Visual,
};

impl Visual for Network {
    fn rule(task: &Task<Network>) -> Rule {
        let property = task.property.to_string();
        let (id, sentence, violation) = match task.property.question() {
            XtaQuestion::Exists(_) => {
                ("reach", "No reachable state satisfies the query", "A reachable state satisfies the query")
            }
            XtaQuestion::Always(_) => (
                "invariant",
                "Every reachable state satisfies the query",
                "A reachable state violates the query",
            ),
            XtaQuestion::PossiblyAlways(_) => {
                ("possibly-always", "No maximal run satisfies the query", "A maximal run satisfies the query")
            }
            XtaQuestion::Eventually(_) | XtaQuestion::LeadsTo(..) => {
                ("liveness", "Every maximal run satisfies the query", "A maximal run violates the query")
            }
            XtaQuestion::Extrema(_) => {
                ("extreme-values", "The values were computed", "The values were computed")
            }
            XtaQuestion::Explore | XtaQuestion::DiscreteStates => {
                ("state-space", "The reachable states were explored", "The reachable states were explored")
            }
        };
        let asked = |words: &str| format!("{words}: {property}.");
        Rule { id: id.to_owned(), sentence: asked(sentence), violation: asked(violation) }
    }

    fn steps(task: &Task<Network>, trace: &XtaTrace) -> Vec<TraceStep> {
        follow(&task.model, trace).unwrap_or_default()
    }

    fn timeline(task: &Task<Network>, trace: &XtaTrace) -> Option<Timeline> {
        timeline(&task.model, trace)
    }

    fn drawing(task: &Task<Network>) -> Drawing {
        let network = &task.model;
        let mut drawing = Drawing::default();
        for process in &network.processes {
            let first = drawing.nodes.len();
            for (id, location) in process.locations.iter_enumerated() {
                let kind = if id == process.initial { NodeKind::Initial } else { NodeKind::Plain };
                let mut node = DrawnNode::new(format!("{}.{}", process.name, location.name), kind, None);
                node.detail = match location.urgency {
                    Urgency::None => None,
                    Urgency::Urgent => Some("urgent".into()),
                    Urgency::Committed => Some("committed".into()),
                };
                drawing.nodes.push(node);
            }
            let edges = process.edges.iter().map(|edge| {
                let (source, target) = (first + edge.source.index(), first + edge.target.index());
                DrawnEdge::new(source, target, Vec::new(), EdgeKind::Arrow)
            });
            drawing.edges.extend(edges);
        }
        drawing
    }

    fn facts(_: &Task<Network>, _: &XtaProof) -> Vec<Fact> {
        Vec::new()
    }

    fn proof_words(proof: &XtaProof) -> String {
        let zones = proof.num_zones();
        let ranked: usize = proof.descent.iter().map(|ranked| ranked.ranks.len()).sum();
        let closed = format!(
            "No move and no delay leaves {} over {}",
            counted(zones, "zone"),
            counted(proof.groups.len(), "discrete state")
        );
        let descent = format!(
            "every move between {} within the condition leads to a lower rank",
            counted(ranked, "zone")
        );
        match (zones, ranked) {
            (0, _) => format!("From the start, {descent}, and no maximal run ends in one of them."),
            (_, 0) => format!("{closed}, and none of them is bad."),
            _ => format!("{closed}; {descent}, and no maximal run ends in one of them."),
        }
    }

    fn semantics(_: &Task<Network>) -> &'static [&'static str] {
        &[
            "Clocks are real numbers and advance alike.",
            "Leaving the range of a variable is a run-time error, not a blocked transition.",
        ]
    }
}

/// The states of a run; `None` if it is none.
fn follow(network: &Network, trace: &XtaTrace) -> Option<Vec<TraceStep>> {
    let unit = trace.ticks_per_unit;
    let mut replay = Replay::new(network, unit).ok()?;
    let mut steps = vec![shown(network, replay.state(), None, unit, "start".into())];
    for step in &trace.steps {
        let before = replay.state().clone();
        replay.delay(step.delay).ok()?;
        replay.fire(&step.participants).ok()?;
        let title = format!("{}{}", waited(step.delay, unit), moved(network, &step.participants));
        let mut next = shown(network, replay.state(), Some(&before), unit, title);
        next.span = step
            .participants
            .first()
            .and_then(|(process, edge)| network.processes[*process].edges[*edge].span);
        steps.push(next);
    }
    if trace.last_delay > 0 {
        let before = replay.state().clone();
        replay.delay(trace.last_delay).ok()?;
        let title = format!("{}end", waited(trace.last_delay, unit));
        steps.push(shown(network, replay.state(), Some(&before), unit, title));
    }
    for title in trace.forever.iter().flat_map(|forever| endless(network, &forever.course)) {
        steps.push(shown(network, replay.state(), Some(replay.state()), unit, title));
    }
    for (number, step) in steps.iter_mut().enumerate() {
        step.number = number;
    }
    Some(steps)
}

/// Where the processes are during a run; `None` if `trace` is not a run.
fn timeline(network: &Network, trace: &XtaTrace) -> Option<Timeline> {
    let unit = trace.ticks_per_unit;
    let mut replay = Replay::new(network, unit).ok()?;
    let name = |process: ProcessId, location: LocationId| {
        network.processes[process].locations[location].name.clone()
    };
    let start = replay.state().discrete.clone();
    let mut lanes: Vec<Lane> = network
        .locations(&start)
        .map(|(process, location)| Lane {
            name: network.processes[process].name.clone(),
            stays: vec![Stay { location: name(process, location), from: 0, to: 0, clocks: String::new() }],
        })
        .collect();
    let mut times = vec![0_u64];
    let delays = trace.steps.iter().map(|step| step.delay).chain([trace.last_delay]);
    for (index, delay) in delays.enumerate() {
        replay.delay(delay).ok()?;
        times.push(times[index].checked_add(delay)?);
        let clocks = clock_values(network, replay.state(), unit);
        for stay in lanes.iter_mut().filter_map(|lane| lane.stays.last_mut()) {
            (stay.to, stay.clocks) = (index + 1, clocks.clone());
        }
        let Some(step) = trace.steps.get(index) else { break };
        replay.fire(&step.participants).ok()?;
        for (process, edge) in &step.participants {
            let target = network.processes[*process].edges[*edge].target;
            let stay = Stay {
                location: name(*process, target),
                from: index + 1,
                to: index + 1,
                clocks: String::new(),
            };
            lanes[process.index()].stays.push(stay);
        }
    }
    let end = (*times.last()?).max(1) as f64;
    let instant = |time: &u64| Instant {
        label: fraction(i128::from(*time), i128::from(unit)),
        position: *time as f64 / end,
    };
    Some(Timeline { instants: times.iter().map(instant).collect(), lanes })
}

fn clock_values(network: &Network, state: &TimedState, unit: u64) -> String {
    let clocks = network.clocks.iter().zip(&state.clocks);
    let values =
        clocks.map(|(clock, ticks)| format!("{} = {}", clock.name, fraction(*ticks, i128::from(unit))));
    values.collect::<Vec<_>>().join(", ")
}

/// How an endless run continues after its last state.
fn endless(network: &Network, course: &Course) -> Vec<String> {
    match course {
        Course::Stay => vec!["then no further move, for ever".into()],
        Course::Repeat(cycle) => {
            let moves = cycle.iter().map(|step| moved(network, &step.participants));
            std::iter::once("then for ever, each after some delay:".into())
                .chain(moves.map(|step| format!("repeat {step}")))
                .collect()
        }
    }
}

fn waited(ticks: u64, unit: u64) -> String {
    if ticks == 0 {
        String::new()
    } else {
        format!("after {}: ", fraction(i128::from(ticks), i128::from(unit)))
    }
}

fn moved(network: &Network, participants: &[(ProcessId, EdgeId)]) -> String {
    let edge = |(process, edge): &(ProcessId, EdgeId)| {
        let process = &network.processes[*process];
        let edge = &process.edges[*edge];
        let name = |location: LocationId| &process.locations[location].name;
        format!("{}: {} -> {}", process.name, name(edge.source), name(edge.target))
    };
    let edges: Vec<String> = participants.iter().map(edge).collect();
    edges.join(", ")
}

fn shown(
    network: &Network,
    state: &TimedState,
    before: Option<&TimedState>,
    unit: u64,
    title: String,
) -> TraceStep {
    let mut first = 0;
    let mut nodes = Vec::new();
    for (process, location) in network.locations(&state.discrete) {
        nodes.push(first + location.index());
        first += network.processes[process].locations.len();
    }
    let old_cells = before.map(|before| network.cells(&before.discrete));
    let variables = network.variables.iter().zip(network.cells(&state.discrete)).enumerate();
    let variables = variables.map(|(index, (variable, value))| Shown {
        name: variable.name.clone(),
        value: value.to_string(),
        changed: old_cells.is_some_and(|old| old[index] != *value),
    });
    let clocks = network.clocks.iter().zip(&state.clocks).enumerate();
    let clocks = clocks.map(|(index, (clock, ticks))| Shown {
        name: clock.name.clone(),
        value: fraction(*ticks, i128::from(unit)),
        changed: before.is_some_and(|old| old.clocks[index] != *ticks),
    });
    let values = variables.chain(clocks).collect();
    TraceStep { number: 0, title, span: None, depth: 0, edge: None, nodes, values, matters: true }
}

/// A number of ticks as a fraction of time units, in lowest terms.
fn fraction(ticks: i128, unit: i128) -> String {
    let (mut divisor, mut rest) = (ticks, unit);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    let divisor = divisor.abs().max(1);
    match (ticks / divisor, unit / divisor) {
        (whole, 1) => whole.to_string(),
        (numerator, denominator) => format!("{numerator}/{denominator}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{fraction, timeline};
    use thetis_base::IndexVec;
    use thetis_model::xta::{
        Edge, EdgeId, Guard, Location, Network, Process, ProcessId, Sync, TimedStep, Urgency, XtaTrace,
    };

    #[test]
    fn a_time_line_has_the_stays_of_each_process() {
        let location =
            |name: &str| Location { name: name.into(), invariant: Guard::default(), urgency: Urgency::None };
        let edge = Edge {
            source: 0_usize.into(),
            target: 1_usize.into(),
            guard: Guard::default(),
            sync: Sync::Internal,
            update: Vec::new(),
            span: None,
        };
        let locations = IndexVec::from_iter([location("a"), location("b")]);
        let process = Process::new("P".into(), locations, 0_usize.into(), IndexVec::from_iter([edge]));
        let network = Network { processes: IndexVec::from_iter([process]), ..Network::default() };
        let participants = vec![(ProcessId::from(0_usize), EdgeId::from(0_usize))];
        let steps = vec![TimedStep { delay: 3, participants }];
        let mut trace = XtaTrace { ticks_per_unit: 2, steps, last_delay: 1, forever: None };
        let line = timeline(&network, &trace).unwrap();
        let times: Vec<&str> = line.instants.iter().map(|instant| instant.label.as_str()).collect();
        assert_eq!(times, ["0", "3/2", "2"]);
        let stays = line.lanes[0].stays.iter().map(|stay| (stay.location.as_str(), stay.from, stay.to));
        assert_eq!(stays.collect::<Vec<_>>(), [("a", 0, 1), ("b", 1, 2)]);
        trace.steps.push(trace.steps[0].clone());
        assert_eq!(timeline(&network, &trace), None, "the second move is impossible");
    }

    #[test]
    fn times_are_in_lowest_terms() {
        for (ticks, unit, text) in [(0, 4, "0"), (4, 4, "1"), (6, 4, "3/2"), (7, 1, "7"), (5, 15, "1/3")] {
            assert_eq!(fraction(ticks, unit), text);
        }
    }
}
