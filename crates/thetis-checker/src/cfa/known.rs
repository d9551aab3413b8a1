//! What is known of the values in each copy of an unrolled automaton.
//!
//! Loops usually count with constants. Backward reasoning does not see that: as far as it can tell, each copy of each loop may be
//! entered with any counter. So the copies are visited forwards first. At the start nothing is known. A value computed from known
//! values is [known](super::exhaustion), as when runs are followed one by one, but where paths meet, only the values on which all
//! of them agree stay known. A condition that is known to be false closes a path. Each copy thus gets
//!
//! * its outgoing edges that may be taken: no run takes any other edge out of the copy,
//! * the values that some variables have in all runs that arrive there,
//! * the number of paths into it.
//!
//! A copy that no path leads to gets nothing, since no run arrives there.

use std::collections::BTreeMap;

use thetis_base::{Run, Stop};
use thetis_expr::{Value, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaUnwinding, EdgeId, LocId};

use super::exhaustion::{Datum, Statements};

/// The greatest number of values that are visited, over all copies: more would cost more than they save.
const MAX_VALUES: usize = 10_000_000;

/// What is known of one copy of a location.
pub(super) struct KnownCopy {
    /// The edges that may be taken.
    pub(super) edges: Vec<EdgeId>,
    /// Variables with one value in all runs that arrive here.
    pub(super) values: Vec<(VarId, Value)>,
    /// How many paths lead here.
    pub(super) num_ways: usize,
}

/// The copies of a round that may be reached.
pub(super) type KnownRound = BTreeMap<LocId, KnownCopy>;

/// The rounds of the unrolling from the initial location, up to the last one that may be reached; `None` if they are too many to keep. `outgoing`
/// lists the edges to follow; `order` lists the locations, each after the targets of its edges that are not cut.
pub(super) fn rounds<'o>(
    task: &Task<Cfa>,
    proof: &CfaUnwinding,
    outgoing: impl Fn(LocId) -> &'o [EdgeId],
    order: &[LocId],
    run: &Run,
) -> Result<Option<Vec<KnownRound>>, Stop> {
    let mut walk = Walk::new(task, proof);
    let mut rounds = Vec::new();
    for _ in 0..=proof.bound {
        let mut round = KnownRound::new();
        for location in order.iter().rev() {
            run.checkpoint()?;
            if let Some(arrival) = walk.current.remove(location) {
                let is_last = task.model.is_forbidden(*location);
                let edges = if is_last { &[] } else { outgoing(*location) };
                round.insert(*location, walk.leave(arrival, edges));
            }
            if walk.num_values > MAX_VALUES {
                return Ok(None);
            }
        }
        rounds.push(round);
        walk.current = std::mem::take(&mut walk.next);
        if walk.current.is_empty() {
            break;
        }
    }
    Ok(Some(rounds))
}

/// Where runs are in the round that is being visited.
struct Walk<'t> {
    task: &'t Task<Cfa>,
    proof: &'t CfaUnwinding,
    statements: Statements<'t>,
    /// The copies of this round that are entered and not left yet.
    current: BTreeMap<LocId, Arrival>,
    /// The copies of the next round that are entered.
    next: BTreeMap<LocId, Arrival>,
    /// How many values were visited.
    num_values: usize,
}

impl<'t> Walk<'t> {
    fn new(task: &'t Task<Cfa>, proof: &'t CfaUnwinding) -> Walk<'t> {
        let statements = Statements::new(task);
        let start = Arrival { values: statements.nothing_known(), num_ways: 1 };
        let current = BTreeMap::from([(task.model.initial, start)]);
        Walk { task, proof, statements, current, next: BTreeMap::new(), num_values: 0 }
    }

    /// Follows `edges` out of a copy.
    fn leave(&mut self, arrival: Arrival, edges: &[EdgeId]) -> KnownCopy {
        let Arrival { values, num_ways } = arrival;
        let scalars = self.statements.scalars(&values);
        let mut taken = Vec::new();
        for edge in edges {
            self.num_values += values.len();
            let Some(after) = self.statements.after(*edge, &values) else { continue };
            taken.push(*edge);
            let round = if self.proof.cuts.contains(edge) { &mut self.next } else { &mut self.current };
            Arrival::add(round, self.task.model.edges[*edge].target, after);
        }
        KnownCopy { edges: taken, values: scalars, num_ways }
    }
}

/// The runs that arrive at a copy.
struct Arrival {
    values: Vec<Datum>,
    num_ways: usize,
}

impl Arrival {
    fn add(arrivals: &mut BTreeMap<LocId, Arrival>, location: LocId, values: Vec<Datum>) {
        match arrivals.get_mut(&location) {
            None => drop(arrivals.insert(location, Arrival { values, num_ways: 1 })),
            Some(arrival) => {
                arrival.num_ways += 1;
                for (known, other) in arrival.values.iter_mut().zip(&values) {
                    known.join(other);
                }
            }
        }
    }
}
