//! Drawings of abstract reachability graphs, in the language of Graphviz.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use thetis_expr::infix::print_limited;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, dot_label, dot_quote};

use crate::abstractor::ArgOf;
use crate::analysis::Domain;
use crate::arg::{NodeId, Status};
use crate::located::Located;
use crate::program::Action;

/// How many operators, literals and variables of a state are shown.
const MAX_NODES: usize = 30;

/// The graph: a box for each node with its location and what is known there, an arrow for each action, a dashed one from
/// a covered node to that which covers it. Targets are red octagons, nodes that still wait are dotted, and the path to
/// `highlighted` is bold and red.
pub(crate) fn dot<D: Domain<Action>>(
    task: &Task<Cfa>,
    analysis: &Located<'_, D>,
    arg: &ArgOf<Located<'_, D>>,
    highlighted: Option<NodeId>,
) -> String {
    let path: BTreeSet<NodeId> =
        highlighted.map(|target| arg.path(target)).unwrap_or_default().into_iter().collect();
    let mut text = String::from("digraph arg {\n");
    text += "    node [shape=box, style=rounded, fontname=\"monospace\"];\n";
    text += "    edge [fontname=\"monospace\", fontsize=10];\n";
    for (id, node) in arg.iter() {
        let location = &task.model.locations[node.state.location].name;
        let formula = analysis.domain().formula(&node.state.data);
        let label = format!("{location}\n{}", print_limited(&task.store, formula, MAX_NODES));
        let style = match node.status() {
            Status::Target => ", shape=octagon, style=filled, fillcolor=\"#f4cccc\"",
            Status::Waiting => ", style=\"rounded,dotted\"",
            _ => "",
        };
        let on_path = if path.contains(&id) { ", color=\"#cc0000\", penwidth=2" } else { "" };
        let _ = writeln!(text, "    n{} [label={}{style}{on_path}];", id.index(), dot_quote(&label));
        if let Some((parent, edge)) = node.parent {
            let on_path = if path.contains(&id) { ", color=\"#cc0000\", penwidth=2" } else { "" };
            let label = dot_quote(&dot_label(&task.store, &task.model.edges[edge].stmt));
            let _ = writeln!(text, "    n{} -> n{} [label={label}{on_path}];", parent.index(), id.index());
        }
        if let Status::Covered(by) = node.status() {
            let _ =
                writeln!(text, "    n{} -> n{} [style=dashed, constraint=false];", id.index(), by.index());
        }
    }
    text + "}\n"
}
