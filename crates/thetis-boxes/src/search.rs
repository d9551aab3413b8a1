//! Branch and bound: a box that may contain a model is split until it does or does not.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store, Value, VarId};

use crate::problem::{Problem, Ranges, State};

/// Larger formulas are left to others.
const MAX_SIZE: usize = 50_000;
/// How many terms are visited before the search gives up.
const MAX_WORK: u64 = 6_000_000;
/// After each of these numbers of boxes, the search gives up if more than the given part of the search space is still
/// open.
const TRIALS: [(u64, f64); 3] = [(64, 0.999), (512, 0.9), (4096, 0.5)];

/// What the search found out.
pub(crate) enum Decision {
    /// There is no model.
    Unsat,
    /// These values satisfy all formulas; variables that do not occur have none.
    Sat(FxHashMap<VarId, Value>),
    /// Nothing in reasonable time.
    Open,
}

/// Whether formulas have a common model.
pub(crate) fn decide(store: &Store, formulas: &[ExprId], run: &Run) -> Result<Decision, Stop> {
    let problem = Problem::new(store, formulas);
    if problem.size() > MAX_SIZE {
        return Ok(Decision::Open);
    }
    let mut search = BoxSearch { problem, pending: VecDeque::new(), num_boxes: 0, open: 1.0, work: 0 };
    search.pending.push_back((search.problem.anything(), 1.0));
    while let Some((ranges, part)) = search.pending.pop_front() {
        run.checkpoint()?;
        search.num_boxes += 1;
        match search.look(ranges, part) {
            Some(Decision::Unsat) => search.open -= part,
            Some(decision) => return Ok(decision),
            None if search.is_hopeless() => return Ok(Decision::Open),
            None => {}
        }
    }
    Ok(Decision::Unsat)
}

struct BoxSearch<'s> {
    problem: Problem<'s>,
    /// Boxes, each with its share of the whole search space, where every split halves the share. The oldest, and so the
    /// largest, comes first.
    pending: VecDeque<(Ranges, f64)>,
    num_boxes: u64,
    /// The part that is not known to have no model.
    open: f64,
    work: u64,
}

impl BoxSearch<'_> {
    /// The answer for a box; `None` if its halves have to be examined.
    fn look(&mut self, mut ranges: Ranges, part: f64) -> Option<Decision> {
        let BoxSearch { problem, work, .. } = self;
        if matches!(problem.narrow(&mut ranges, work), State::Contradiction) {
            return Some(Decision::Unsat);
        }
        if let Some(model) = problem.model_within(&ranges, work) {
            return Some(Decision::Sat(model));
        }
        // What is left open depends on values that are neither floats nor truth values.
        let Some(var) = problem.undecided(&ranges) else { return Some(Decision::Open) };
        let Some((first, second)) = problem.halves(&ranges, var) else { return Some(Decision::Open) };
        self.pending.extend([(first, part / 2.0), (second, part / 2.0)]);
        None
    }

    fn is_hopeless(&self) -> bool {
        let too_slow = TRIALS.iter().any(|(boxes, part)| self.num_boxes == *boxes && self.open > *part);
        too_slow || self.work > MAX_WORK
    }
}
