//! Abstract reachability graphs as text, for drawing.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{AbstractGraph, AbstractKind, AbstractState, AbstractStep};
use thetis_expr::infix::print_limited;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, dot_label};

use crate::abstractor::ArgOf;
use crate::analysis::Domain;
use crate::arg::{Node, NodeId, Status};
use crate::located::{At, Located};
use crate::program::Action;

/// How many operators, literals and variables of a state are shown.
const MAX_NODES: usize = 30;

/// The graph: each node with its location and what is known there. Those on the path to `highlighted` stand out.
pub(crate) fn graph<D: Domain<Action>>(
    task: &Task<Cfa>,
    analysis: &Located<'_, D>,
    arg: &ArgOf<Located<'_, D>>,
    highlighted: Option<NodeId>,
) -> AbstractGraph {
    let path: BTreeSet<NodeId> =
        highlighted.map(|target| arg.path(target)).unwrap_or_default().into_iter().collect();
    let numbers: BTreeMap<NodeId, usize> =
        arg.iter().enumerate().map(|(number, (id, _))| (id, number)).collect();
    let state = |(id, node): (NodeId, &Node<At<D::State>, EdgeId>)| {
        let formula = analysis.domain().formula(&node.state.data);
        AbstractState {
            location: task.model.locations[node.state.location].name.clone(),
            known: print_limited(&task.store, formula, MAX_NODES),
            kind: match node.status() {
                Status::Covered(by) => AbstractKind::Covered(numbers[&by]),
                Status::Target => AbstractKind::Target,
                Status::Waiting => AbstractKind::Waiting,
                Status::Expanded | Status::Removed => AbstractKind::Expanded,
            },
            step: node.parent.map(|(parent, edge)| AbstractStep {
                from: numbers[&parent],
                label: dot_label(&task.store, &task.model.edges[edge].stmt),
            }),
            is_on_path: path.contains(&id),
        }
    };
    AbstractGraph { states: arg.iter().map(state).collect() }
}
