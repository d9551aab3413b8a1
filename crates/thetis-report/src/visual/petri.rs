//! Petri nets on pages.

use thetis_model::Task;
use thetis_model::petri::{Marking, Net, PetriProof, PetriTrace, Question};

use super::{Drawing, DrawnEdge, DrawnNode, Fact, NodeKind, Rule, Shown, TraceStep, Visual};

impl Visual for Net {
    fn rule(task: &Task<Net>) -> Rule {
        let property = task.property.to_string();
        let (id, sentence, violation) = match task.property.question() {
            Question::Exists(_) => (
                "reach",
                "No reachable marking satisfies the target.",
                "A reachable marking satisfies the target.",
            ),
            Question::Always(_) => (
                "invariant",
                "Every reachable marking satisfies the invariant.",
                "A reachable marking violates the invariant.",
            ),
            Question::Deadlock => (
                "deadlock",
                "Every reachable marking enables a transition.",
                "A reachable marking enables no transition.",
            ),
            Question::OneSafe => (
                "one-safe",
                "No reachable marking has two tokens in a place.",
                "A reachable marking has two tokens in a place.",
            ),
            Question::StateSpace | Question::Explore => (
                "state-space",
                "The reachable markings were explored.",
                "The reachable markings were explored.",
            ),
        };
        let asked = |words: &str| format!("{}: {property}.", words.trim_end_matches('.'));
        Rule { id, sentence: asked(sentence), violation: asked(violation) }
    }

    fn steps(task: &Task<Net>, trace: &PetriTrace) -> Vec<TraceStep> {
        let net = &task.model;
        let mut marking = net.initial_marking();
        let mut steps = vec![TraceStep {
            title: "initial marking".to_owned(),
            span: None,
            edge: None,
            nodes: marked(net, &marking),
            values: values(net, None, &marking),
        }];
        for transition in &trace.firings {
            let before = marking.clone();
            if marking.fire(net, *transition).is_err() {
                return Vec::new();
            }
            let mut nodes = marked(net, &marking);
            nodes.push(net.places().len() + transition.index());
            steps.push(TraceStep {
                title: format!("fire {}", net.transitions()[*transition].name),
                span: net.transitions()[*transition].span,
                edge: None,
                nodes,
                values: values(net, Some(&before), &marking),
            });
        }
        steps
    }

    fn drawing(task: &Task<Net>) -> Drawing {
        let net = &task.model;
        let places = net.places().iter().map(|place| DrawnNode {
            label: match place.initial {
                0 => place.name.clone(),
                tokens => format!("{} ({tokens})", place.name),
            },
            kind: NodeKind::Place,
            span: place.span,
        });
        let transitions = net.transitions().iter().map(|transition| DrawnNode {
            label: transition.name.clone(),
            kind: NodeKind::Transition,
            span: transition.span,
        });
        let nodes: Vec<DrawnNode> = places.chain(transitions).collect();
        let weight = |weight: u64| if weight > 1 { vec![weight.to_string()] } else { Vec::new() };
        let mut edges = Vec::new();
        for transition in net.transition_ids() {
            let node = net.places().len() + transition.index();
            let arcs = [(net.inputs(transition), false), (net.inhibitors(transition), true)];
            for (arcs, inhibits) in arcs {
                edges.extend(arcs.iter().map(|arc| DrawnEdge {
                    source: arc.place.index(),
                    target: node,
                    label: weight(arc.weight),
                    inhibits,
                }));
            }
            edges.extend(net.outputs(transition).iter().map(|arc| DrawnEdge {
                source: node,
                target: arc.place.index(),
                label: weight(arc.weight),
                inhibits: false,
            }));
        }
        Drawing { nodes, edges }
    }

    fn facts(_: &Task<Net>, _: &PetriProof) -> Vec<Fact> {
        Vec::new()
    }

    fn proof_words(proof: &PetriProof) -> String {
        match proof {
            PetriProof::StateEquation(_) => {
                "The state equation, with traps and siphons, contradicts the target in exact integers."
                    .to_owned()
            }
            PetriProof::StateSpace { num_markings } => {
                format!("All {num_markings} reachable markings were visited.")
            }
            PetriProof::ReducedStateSpace => {
                "The reachable markings were visited along stubborn sets.".to_owned()
            }
            PetriProof::Invariant(_) => {
                "A predicate holds at the start, every firing preserves it, and it contradicts the target."
                    .to_owned()
            }
            PetriProof::KInductive { k, .. } => {
                format!("By induction over {k} markings in a row, with place invariants as a lemma.")
            }
        }
    }

    fn assumptions() -> &'static [&'static str] {
        &["Token counts are unbounded natural numbers."]
    }
}

/// The places with tokens, as nodes of the drawing.
fn marked(net: &Net, marking: &Marking) -> Vec<usize> {
    net.place_ids().map(|place| place.index()).filter(|place| marking.tokens()[*place] > 0).collect()
}

/// The places that have tokens or just lost them.
fn values(net: &Net, before: Option<&Marking>, marking: &Marking) -> Vec<Shown> {
    net.places()
        .iter()
        .enumerate()
        .map(|(number, place)| Shown {
            name: place.name.clone(),
            value: marking.tokens()[number].to_string(),
            changed: before.is_some_and(|before| before.tokens()[number] != marking.tokens()[number]),
        })
        .filter(|shown| shown.value != "0" || shown.changed)
        .collect()
}
