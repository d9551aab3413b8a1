//! Timed automata on pages.

use thetis_model::Task;
use thetis_model::xta::{
    EdgeId, LocationId, Network, ProcessId, Replay, TimedState, TimedStep, Urgency, XtaProof, XtaQuestion,
    XtaTrace,
};

use super::{Drawing, DrawnEdge, DrawnNode, EdgeKind, Fact, NodeKind, Rule, Shown, TraceStep, Visual};

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
        let (zones, states) = (proof.num_zones(), proof.groups.len());
        format!(
            "No move and no delay leaves {zones} zones over {states} discrete states, and none of them is bad."
        )
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
    let mut steps = vec![shown(network, replay.state(), None, unit, 0, "start".into())];
    for (index, step) in trace.steps.iter().enumerate() {
        let before = replay.state().clone();
        replay.delay(step.delay).ok()?;
        replay.fire(&step.participants).ok()?;
        let title = format!("{}{}", waited(step.delay, unit), moved(network, step));
        let mut next = shown(network, replay.state(), Some(&before), unit, index + 1, title);
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
        steps.push(shown(network, replay.state(), Some(&before), unit, trace.steps.len() + 1, title));
    }
    Some(steps)
}

fn waited(ticks: u64, unit: u64) -> String {
    if ticks == 0 {
        String::new()
    } else {
        format!("after {}: ", fraction(i128::from(ticks), i128::from(unit)))
    }
}

fn moved(network: &Network, step: &TimedStep) -> String {
    let edge = |(process, edge): &(ProcessId, EdgeId)| {
        let process = &network.processes[*process];
        let edge = &process.edges[*edge];
        let name = |location: LocationId| &process.locations[location].name;
        format!("{}: {} -> {}", process.name, name(edge.source), name(edge.target))
    };
    let edges: Vec<String> = step.participants.iter().map(edge).collect();
    edges.join(", ")
}

fn shown(
    network: &Network,
    state: &TimedState,
    before: Option<&TimedState>,
    unit: u64,
    number: usize,
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
    TraceStep { number, title, span: None, depth: 0, edge: None, nodes, values, matters: true }
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
    use super::fraction;

    #[test]
    fn times_are_in_lowest_terms() {
        for (ticks, unit, text) in [(0, 4, "0"), (4, 4, "1"), (6, 4, "3/2"), (7, 1, "7"), (5, 15, "1/3")] {
            assert_eq!(fraction(ticks, unit), text);
        }
    }
}
