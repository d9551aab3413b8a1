//! Abstract reachability graphs: as drawings of pages, and in the language of Graphviz.

use std::fmt::Write as _;

use thetis_base::{AbstractGraph, AbstractKind, AbstractState};
use thetis_model::cfa::dot_quote;

use super::{Drawing, DrawnEdge, DrawnNode, EdgeKind, NodeKind};

/// The graph as a drawing: a node for each abstract state, an edge for each step, a dashed one from a covered state to the
/// one that covers it. The path to the error stands out.
pub(crate) fn drawing(graph: &AbstractGraph) -> Drawing {
    let node = |state: &AbstractState| {
        let kind = match state.kind {
            AbstractKind::Target => NodeKind::Error,
            AbstractKind::Covered(_) => NodeKind::Covered,
            AbstractKind::Waiting => NodeKind::Waiting,
            AbstractKind::Expanded if state.step.is_none() => NodeKind::Initial,
            AbstractKind::Expanded => NodeKind::Plain,
        };
        let detail = Some(state.known.clone());
        DrawnNode { label: state.location.clone(), detail, kind, is_marked: state.is_on_path, span: None }
    };
    let mut edges = Vec::new();
    for (number, state) in graph.states.iter().enumerate() {
        if let Some(step) = &state.step {
            let label = step.label.lines().map(str::to_owned).collect();
            let edge = DrawnEdge::new(step.from, number, label, EdgeKind::Arrow);
            edges.push(DrawnEdge { is_marked: state.is_on_path, ..edge });
        }
        if let AbstractKind::Covered(by) = state.kind {
            edges.push(DrawnEdge::new(number, by, Vec::new(), EdgeKind::Covers));
        }
    }
    Drawing { nodes: graph.states.iter().map(node).collect(), edges, places: None }
}

/// The graph in the language of Graphviz: a box for each state with its location and what is known there, an arrow for each step,
/// a dashed one from a covered state to the one that covers it. Targets are red octagons, states that still wait are dotted, and
/// the path to the error is bold and red.
pub fn arg_to_dot(graph: &AbstractGraph) -> String {
    let mut text = String::from("digraph arg {\n");
    text += "    node [shape=box, style=rounded, fontname=\"monospace\"];\n";
    text += "    edge [fontname=\"monospace\", fontsize=10];\n";
    for (number, state) in graph.states.iter().enumerate() {
        let label = dot_quote(&format!("{}\n{}", state.location, state.known));
        let style = match state.kind {
            AbstractKind::Target => ", shape=octagon, style=filled, fillcolor=\"#f4cccc\"",
            AbstractKind::Waiting => ", style=\"rounded,dotted\"",
            AbstractKind::Expanded | AbstractKind::Covered(_) => "",
        };
        let on_path = if state.is_on_path { ", color=\"#cc0000\", penwidth=2" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    n{number} [label={label}{style}{on_path}];");
        if let Some(step) = &state.step {
            let label = dot_quote(&step.label);
            let _ = writeln!(text, "    n{} -> n{number} [label={label}{on_path}];", step.from);
        }
        if let AbstractKind::Covered(by) = state.kind {
            let _ = writeln!(text, "    n{number} -> n{by} [style=dashed, constraint=false];");
        }
    }
    text + "}\n"
}

#[cfg(test)]
mod tests {
    use thetis_base::AbstractStep;

    use super::*;

    /// A start, a target after it, a state that is still waiting, and one that the start covers.
    fn graph() -> AbstractGraph {
        let state = |location: &str, kind, from: Option<usize>, is_on_path| AbstractState {
            location: location.to_owned(),
            known: "x < 1".to_owned(),
            kind,
            step: from.map(|from| AbstractStep { from, label: "x := 1\n[x = 1]".to_owned() }),
            is_on_path,
        };
        let states = vec![
            state("start", AbstractKind::Expanded, None, true),
            state("bad", AbstractKind::Target, Some(0), true),
            state("later", AbstractKind::Waiting, Some(0), false),
            state("start", AbstractKind::Covered(0), Some(0), false),
        ];
        AbstractGraph { states }
    }

    #[test]
    fn the_drawing_has_every_state_and_step() {
        let drawing = drawing(&graph());
        let kinds: Vec<NodeKind> = drawing.nodes.iter().map(|node| node.kind).collect();
        assert_eq!(kinds, [NodeKind::Initial, NodeKind::Error, NodeKind::Waiting, NodeKind::Covered]);
        let edges: Vec<_> =
            drawing.edges.iter().map(|edge| (edge.source, edge.target, edge.kind, edge.is_marked)).collect();
        let expected = [
            (0, 1, EdgeKind::Arrow, true),
            (0, 2, EdgeKind::Arrow, false),
            (0, 3, EdgeKind::Arrow, false),
            (3, 0, EdgeKind::Covers, false),
        ];
        assert_eq!(edges, expected);
        assert_eq!(drawing.edges[0].label, ["x := 1", "[x = 1]"]);
    }

    #[test]
    fn graphviz_gets_the_same() {
        let text = arg_to_dot(&graph());
        assert!(text.starts_with("digraph arg {") && text.ends_with("}\n"));
        assert!(text.contains("n1 [label=\"bad\\lx < 1\\l\", shape=octagon"), "{text}");
        assert!(text.contains("n0 -> n1 [label=\"x := 1\\l[x = 1]\\l\", color=\"#cc0000\""), "{text}");
        assert!(text.contains("n3 -> n0 [style=dashed") && text.contains("rounded,dotted"), "{text}");
    }
}
