//! The abstractor: completes the abstract reachability graph for a precision (Algorithm 1 of document 001).

use thetis_base::{Run, Stop};

use crate::analysis::Analysis;
use crate::arg::{Arg, NodeId, Status};
use crate::waitlist::{Search, Waitlist};

/// When to stop looking for targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopAt {
    /// At the first.
    First,
    /// When the graph is complete.
    All,
}

/// The graph of an analysis.
pub type ArgOf<N> = Arg<<N as Analysis>::State, <N as Analysis>::Action>;

/// Explores until a target is found (or all are, as `stop_at` says) or the graph is complete; returns the targets.
pub fn explore<N: Analysis>(
    analysis: &mut N,
    arg: &mut ArgOf<N>,
    precision: &N::Precision,
    search: Search,
    stop_at: StopAt,
    run: &Run,
) -> Result<Vec<NodeId>, Stop> {
    let mut targets = Vec::new();
    let mut waitlist = Waitlist::new(search);
    if arg.is_empty() {
        for state in analysis.initial(precision, run)? {
            add(analysis, arg, state, None);
        }
    }
    let waiting: Vec<NodeId> =
        arg.iter().filter(|(_, node)| node.status == Status::Waiting).map(|(id, _)| id).collect();
    for id in waiting {
        enqueue(analysis, arg, &mut waitlist, id);
    }
    while let Some(id) = waitlist.pop() {
        run.checkpoint()?;
        if arg.node(id).status != Status::Waiting {
            continue;
        }
        if analysis.is_target(&arg.node(id).state) {
            arg.node_mut(id).status = Status::Target;
            targets.push(id);
            if stop_at == StopAt::First {
                return Ok(targets);
            }
        } else if let Some(by) = find_coverer(analysis, arg, id)? {
            arg.node_mut(id).status = Status::Covered(by);
        } else {
            for child in expand(analysis, arg, id, precision, run)? {
                enqueue(analysis, arg, &mut waitlist, child);
            }
        }
    }
    Ok(targets)
}

fn add<N: Analysis>(
    analysis: &N,
    arg: &mut ArgOf<N>,
    state: N::State,
    parent: Option<(NodeId, N::Action)>,
) -> NodeId {
    let key = analysis.key(&state);
    let mut pending = analysis.actions(&state);
    pending.reverse();
    arg.add(state, key, parent, pending)
}

fn enqueue<N: Analysis>(analysis: &N, arg: &ArgOf<N>, waitlist: &mut Waitlist, id: NodeId) {
    let node = arg.node(id);
    waitlist.push(id, analysis.distance(&node.state), node.depth);
}

/// A node whose children are partly there was expanded before and pruned: covering it would orphan them.
fn find_coverer<N: Analysis>(analysis: &mut N, arg: &ArgOf<N>, id: NodeId) -> Result<Option<NodeId>, Stop> {
    if !arg.node(id).children.is_empty() {
        return Ok(None);
    }
    for other in arg.coverers(id) {
        if analysis.covers(&arg.node(other).state, &arg.node(id).state)? {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

fn expand<N: Analysis>(
    analysis: &mut N,
    arg: &mut ArgOf<N>,
    id: NodeId,
    precision: &N::Precision,
    run: &Run,
) -> Result<Vec<NodeId>, Stop> {
    let mut children = Vec::new();
    while let Some(&action) = arg.node(id).pending.last() {
        let state = arg.node(id).state.clone();
        for successor in analysis.successors(&state, action, precision, run)? {
            children.push(add(analysis, arg, successor, Some((id, action))));
        }
        arg.node_mut(id).pending.pop();
    }
    arg.node_mut(id).status = Status::Expanded;
    Ok(children)
}
