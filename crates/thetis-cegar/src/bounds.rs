//! Bounds of variables, for counterexamples in which values may wrap around.
//!
//! Machine integers are numbers with remainders: `x + 2` is `(x + 2) mod 2^32`. What relates `x` to other variables is kept by a
//! step only if nothing wraps there, and that follows from bounds. Interpolants of one path have no reason to mention bounds that hold
//! everywhere: the path has a fixed number of rounds, and constants explain it. So predicates are found round by round, without end. The
//! interval analysis knows such bounds without a solver. They are tracked, at the loop heads of a counterexample that keeps coming back along
//! edges that wrap, for the variables that its interpolants are about. This is ours; the document has mathematical integers.

use std::collections::BTreeSet;

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Op, Postorder, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::ranges::RangeMap;
use thetis_model::cfa::{Cfa, EdgeId, LocId};

use crate::program::{Action, Program};

/// Finds bounds that are worth tracking.
#[derive(Default)]
pub(crate) struct Bounds {
    ranges: Option<RangeMap>,
    given: BTreeSet<(LocId, ExprId)>,
}

/// Bounds to track at the point of a counterexample.
pub(crate) struct BoundsAt {
    /// The number of the point; 0 is before the first edge.
    pub(crate) point: usize,
    pub(crate) location: LocId,
    pub(crate) formulas: Vec<ExprId>,
}

impl Bounds {
    /// Bounds of `vars` at the loop heads of the path of `edges` that were not given before, if a value may wrap around on the path.
    pub(crate) fn along(
        &mut self,
        task: &Task<Cfa>,
        program: &Program,
        edges: &[EdgeId],
        vars: &[VarId],
        run: &Run,
    ) -> Result<Vec<BoundsAt>, Stop> {
        if !edges.iter().any(|edge| wraps(&task.store, &program.actions[*edge])) {
            return Ok(Vec::new());
        }
        let ranges = match &mut self.ranges {
            Some(ranges) => ranges,
            none => none.insert(RangeMap::new(task, run)?),
        };
        let mut all = Vec::new();
        for (point, edge) in edges.iter().enumerate() {
            let location = program.actions[*edge].source;
            if !program.is_head[location] {
                continue;
            }
            let facts = ranges.facts_about(&task.store, location, |var| vars.contains(&var));
            let bounds = facts.into_iter().flat_map(|fact| task.store.conjuncts(fact));
            let formulas: Vec<ExprId> =
                bounds.filter(|bound| self.given.insert((location, *bound))).collect();
            if !formulas.is_empty() {
                all.push(BoundsAt { point, location, formulas });
            }
        }
        Ok(all)
    }
}

/// Whether a value may wrap around on an edge: it is a remainder modulo a power of two.
fn wraps(store: &Store, action: &Action) -> bool {
    let step = &action.step;
    let terms = step.conjuncts.iter().copied().chain(step.next.iter().map(|(_, term)| *term));
    let is_power = |number: ExprId| {
        let number = store.value(number).and_then(|value| value.as_int().cloned());
        number.is_some_and(|number| number.bits() > 1 && number.trailing_zeros() == Some(number.bits() - 1))
    };
    Postorder::new(store, terms).any(|term| store.op(term) == Op::Mod && is_power(store.arg(term, 1)))
}
