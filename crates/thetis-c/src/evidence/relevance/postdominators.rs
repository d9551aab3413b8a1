//! Where the paths from a location join again: its immediate post-dominator.
//!
//! The algorithm is that of Cooper, Harvey and Kennedy (2001) on the reversed graph. Paths that lead only to error
//! locations and limits do not count: a check that holds decides nothing. An endless loop has no path to the end of the
//! program, so its head counts as an end.

use thetis_base::IndexVec;
use thetis_model::cfa::{Cfa, Graph, LocId};

/// The immediate post-dominator of each location; none if that is the end.
pub(super) fn post_dominators(
    cfa: &Cfa,
    graph: &Graph,
    doomed: &IndexVec<LocId, bool>,
) -> IndexVec<LocId, Option<LocId>> {
    let reversed = Reversed::new(cfa, graph, doomed);
    let order = reversed.postorder();
    let end = order.len();
    // Numbers in the order, in which the end is the last.
    let mut number = vec![usize::MAX; cfa.locations.len()];
    for (at, location) in order.iter().enumerate() {
        number[location.index()] = at;
    }
    let mut dominator: Vec<Option<usize>> = vec![None; end + 1];
    dominator[end] = Some(end);
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        for at in (0..end).rev() {
            let location = order[at];
            let after = reversed.after[location.index()].iter().map(|next| number[next.index()]);
            let after = after.filter(|next| *next != usize::MAX);
            let ends = reversed.is_end[location.index()].then_some(end);
            let known = after.chain(ends).filter(|next| dominator[*next].is_some());
            let meet = known.reduce(|one, other| intersect(&dominator, one, other));
            if meet.is_some() && dominator[at] != meet {
                dominator[at] = meet;
                is_stable = false;
            }
        }
    }
    let join = |location: LocId| {
        let at = *number.get(location.index()).filter(|at| **at != usize::MAX)?;
        dominator[at].filter(|join| *join != end).map(|join| order[join])
    };
    cfa.locations.indices().map(join).collect()
}

/// The nearest common post-dominator of two numbers.
fn intersect(dominator: &[Option<usize>], mut one: usize, mut other: usize) -> usize {
    while one != other {
        let smaller = if one < other { &mut one } else { &mut other };
        *smaller = dominator[*smaller].expect("a post-dominator should be known before it is used");
    }
    one
}

struct Reversed {
    /// The locations after each one.
    after: Vec<Vec<LocId>>,
    /// Those before it.
    before: Vec<Vec<LocId>>,
    /// Whether a way ends there.
    is_end: Vec<bool>,
}

impl Reversed {
    fn new(cfa: &Cfa, graph: &Graph, doomed: &IndexVec<LocId, bool>) -> Reversed {
        let count = cfa.locations.len();
        let (mut after, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for edge in cfa.edges.iter().filter(|edge| !doomed[edge.target]) {
            after[edge.source.index()].push(edge.target);
            before[edge.target.index()].push(edge.source);
        }
        let is_end =
            cfa.locations.indices().map(|location| after[location.index()].is_empty() && !doomed[location]);
        let is_end = is_end.collect();
        let mut reversed = Reversed { after, before, is_end };
        let mut reached = vec![false; count];
        for location in cfa.locations.indices().filter(|location| reversed.is_end[location.index()]) {
            reversed.reach(location, &mut reached);
        }
        // Outer loops first.
        let mut heads: Vec<LocId> = graph.back_edges().map(|edge| cfa.edges[edge].target).collect();
        let mut place = vec![usize::MAX; count];
        for (at, location) in graph.topological_order().iter().enumerate() {
            place[location.index()] = at;
        }
        heads.sort_by_key(|head| place[head.index()]);
        for head in heads {
            if !reached[head.index()] {
                reversed.is_end[head.index()] = true;
                reversed.reach(head, &mut reached);
            }
        }
        reversed
    }

    /// Marks what leads to a location.
    fn reach(&self, location: LocId, reached: &mut [bool]) {
        let mut open = vec![location];
        while let Some(location) = open.pop() {
            if !std::mem::replace(&mut reached[location.index()], true) {
                open.extend(&self.before[location.index()]);
            }
        }
    }

    /// The locations from which an end is reached, each after those that are found from it on the way back from the ends.
    fn postorder(&self) -> Vec<LocId> {
        let mut seen = vec![false; self.after.len()];
        let mut order = Vec::new();
        let ends: Vec<usize> = (0..self.after.len()).filter(|at| self.is_end[*at]).collect();
        for end in ends {
            if std::mem::replace(&mut seen[end], true) {
                continue;
            }
            let mut stack = vec![(LocId::new(end), 0)];
            while let Some((location, next)) = stack.last_mut() {
                match self.before[location.index()].get(*next) {
                    Some(&earlier) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[earlier.index()], true) {
                            stack.push((earlier, 0));
                        }
                    }
                    None => {
                        order.push(*location);
                        stack.pop();
                    }
                }
            }
        }
        order
    }
}
