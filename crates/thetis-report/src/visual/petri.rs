//! Petri nets on pages.

use thetis_model::Task;
use thetis_model::petri::{Marking, Net, PetriProof, PetriTrace, Predicate, Question};

use crate::reportable::shown_rounds;

use super::{
    Drawing, DrawnEdge, DrawnNode, EdgeKind, Fact, NodeKind, Rule, Shown, Timeline, TraceStep, Visual,
};

/// Up to how many firings each is a step of its own.
const MAX_STEPS: usize = 10_000;

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
        Rule { id: id.to_owned(), sentence: asked(sentence), violation: asked(violation) }
    }

    fn steps(task: &Task<Net>, trace: &PetriTrace) -> Vec<TraceStep> {
        let net = &task.model;
        let mut marking = net.initial_marking();
        let mut steps = vec![TraceStep {
            matters: true,
            number: 0,
            depth: 0,
            title: "initial marking".to_owned(),
            span: None,
            edge: None,
            nodes: marked(net, &marking),
            values: values(net, None, &marking),
        }];
        for (number, round) in shown_rounds(trace, MAX_STEPS).into_iter().enumerate() {
            let (before, transition) = (marking.clone(), round.transition);
            if marking.fire_round(net, round).is_err() {
                return Vec::new();
            }
            let mut nodes = marked(net, &marking);
            nodes.push(net.places().len() + transition.index());
            steps.push(TraceStep {
                matters: true,
                number: number + 1,
                depth: 0,
                title: match round.count {
                    1 => format!("fire {}", net.transitions()[transition].name),
                    count => format!("fire {} {count} times", net.transitions()[transition].name),
                },
                span: net.transitions()[transition].span,
                edge: None,
                nodes,
                values: values(net, Some(&before), &marking),
            });
        }
        steps
    }

    fn timeline(_: &Task<Net>, _: &PetriTrace) -> Option<Timeline> {
        None
    }

    fn drawing(task: &Task<Net>) -> Drawing {
        let net = &task.model;
        let places = net.places().iter().map(|place| {
            let node = DrawnNode::new(&place.name, NodeKind::Place, place.span);
            DrawnNode { detail: Some(place.initial.to_string()), ..node }
        });
        let transitions = net.transitions().iter();
        let transitions = transitions.map(|one| DrawnNode::new(&one.name, NodeKind::Transition, one.span));
        let nodes: Vec<DrawnNode> = places.chain(transitions).collect();
        let weight = |weight: u64| if weight > 1 { vec![weight.to_string()] } else { Vec::new() };
        let mut edges = Vec::new();
        for transition in net.transition_ids() {
            let node = net.places().len() + transition.index();
            let arcs = [
                (net.inputs(transition), EdgeKind::Arrow),
                (net.inhibitors(transition), EdgeKind::Inhibitor),
            ];
            for (arcs, kind) in arcs {
                let arcs = arcs.iter();
                edges.extend(
                    arcs.map(|arc| DrawnEdge::new(arc.place.index(), node, weight(arc.weight), kind)),
                );
            }
            let outputs = net
                .outputs(transition)
                .iter()
                .map(|arc| DrawnEdge::new(node, arc.place.index(), weight(arc.weight), EdgeKind::Arrow));
            edges.extend(outputs);
        }
        Drawing { nodes, edges, places: None }
    }

    fn facts(task: &Task<Net>, proof: &PetriProof) -> Vec<Fact> {
        let predicate = match proof {
            PetriProof::Invariant(predicate) | PetriProof::KInductive { lemma: predicate, .. } => predicate,
            PetriProof::StateEquation(_) | PetriProof::StateSpace { .. } | PetriProof::ReducedStateSpace => {
                return Vec::new();
            }
        };
        let parts = match predicate {
            Predicate::And(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let fact = |part: &Predicate| Fact {
            subject: "every marking".to_owned(),
            formula: part.display(&task.model),
            span: None,
        };
        parts.iter().map(fact).collect()
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

    fn semantics(_: &Task<Net>) -> &'static [&'static str] {
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
