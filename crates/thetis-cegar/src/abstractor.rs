//! The abstractor: completes the abstract reachability graph for a precision (Algorithm 1 of Hajdu and Micskei 2019).

use thetis_base::{Run, Stop};

use crate::analysis::Analysis;
use crate::arg::{Arg, NodeId, Status};
use crate::waitlist::{SearchOrder, Waitlist};

/// When to stop looking for targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopAt {
    /// After this many.
    After(u32),
    /// When the graph is complete.
    All,
}

/// The graph of an analysis.
pub type ArgOf<N> = Arg<<N as Analysis>::State, <N as Analysis>::Action>;

/// Explores until `stop_at` targets are found or the graph is complete. Returns the targets. However it ends,
/// nodes that were not processed are still waiting.
pub fn explore<N: Analysis>(
    analysis: &mut N,
    arg: &mut ArgOf<N>,
    precision: &N::Precision,
    search: SearchOrder,
    stop_at: StopAt,
    run: &Run,
) -> Result<Vec<NodeId>, Stop> {
    if arg.is_empty() {
        for state in analysis.initial(precision, run)? {
            add(analysis, arg, state, None);
        }
    }
    let mut waitlist = Waitlist::new(search);
    for id in arg.take_waiting() {
        enqueue(analysis, arg, &mut waitlist, id);
    }
    let targets = work(analysis, arg, precision, stop_at, &mut waitlist, run);
    while let Some(id) = waitlist.pop() {
        if arg.node(id).status() == Status::Waiting {
            arg.wait(id);
        }
    }
    targets
}

fn work<N: Analysis>(
    analysis: &mut N,
    arg: &mut ArgOf<N>,
    precision: &N::Precision,
    stop_at: StopAt,
    waitlist: &mut Waitlist,
    run: &Run,
) -> Result<Vec<NodeId>, Stop> {
    let mut targets = Vec::new();
    while let Some(id) = waitlist.pop() {
        if arg.node(id).status() != Status::Waiting {
            continue;
        }
        if let Err(stop) = run.checkpoint() {
            arg.wait(id);
            return Err(stop);
        }
        if analysis.is_target(&arg.node(id).state) {
            arg.target(id);
            targets.push(id);
            if matches!(stop_at, StopAt::After(most) if targets.len() >= most as usize) {
                break;
            }
        } else if let Some(by) = find_coverer(analysis, arg, id)? {
            arg.cover(id, by);
        } else {
            for child in expand(analysis, arg, id, precision, run)? {
                enqueue(analysis, arg, waitlist, child);
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

/// A node that already has some of its children was expanded before and pruned: covering it would orphan
/// them.
fn find_coverer<N: Analysis>(analysis: &mut N, arg: &ArgOf<N>, id: NodeId) -> Result<Option<NodeId>, Stop> {
    if !arg.node(id).children.is_empty() {
        return Ok(None);
    }
    if let Some(same) = arg.same_state(id) {
        return Ok(Some(same));
    }
    for other in arg.coverers(id) {
        if analysis.covers(&arg.node(other).state, &arg.node(id).state)? {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// Follows all pending actions. If the run stops meanwhile, the node keeps waiting with the remaining ones.
fn expand<N: Analysis>(
    analysis: &mut N,
    arg: &mut ArgOf<N>,
    id: NodeId,
    precision: &N::Precision,
    run: &Run,
) -> Result<Vec<NodeId>, Stop> {
    let mut children = Vec::new();
    let state = arg.node(id).state.clone();
    while let Some(&action) = arg.node(id).pending.last() {
        let successors = match analysis.successors(&state, action, precision, run) {
            Ok(successors) => successors,
            Err(stop) => {
                arg.wait(id);
                return Err(stop);
            }
        };
        for successor in successors {
            children.push(add(analysis, arg, successor, Some((id, action))));
        }
        arg.node_mut(id).pending.pop();
    }
    arg.expanded(id);
    Ok(children)
}
