//! Interpolation of long chains at loop heads only.
//!
//! Some interpolators take quadratic time in the number of steps or worse, and work best when a step is a whole
//! iteration of a loop. The chain is cut at the heads of loops, the steps between two cuts become one, and the points
//! in between are filled with weakest preconditions of the formula at the next cut.

use std::rc::Rc;

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store};
use thetis_solver::{Chain, CoreSolver, Interpolator};

use crate::{Feasibility, Newton, Unrolled, slice};

/// Chains of at most this many steps are not cut.
const MAX_UNCUT: usize = 6;

/// An interpolator that sees only loop heads.
pub struct AtHeads<I> {
    inner: I,
    solver: Box<dyn CoreSolver>,
    filler: Newton,
}

impl<I: Interpolator> AtHeads<I> {
    /// Cuts before `inner`; `solver` has no assertions, and `filler` says what holds between cuts.
    pub fn new(inner: I, solver: Box<dyn CoreSolver>, filler: Newton) -> AtHeads<I> {
        AtHeads { inner, solver, filler }
    }

    /// The formulas of the points between `first` and `last`, both excluded.
    fn fill(&mut self, store: &Store, part: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        if part.steps.len() <= 1 {
            return Ok(Some(Vec::new()));
        }
        let unrolled = Unrolled::new(store, part);
        let Feasibility::Infeasible(core) = unrolled.check(store, &mut *self.solver, |_| Ok(()), run)? else {
            return Ok(None);
        };
        let formulas = self.filler.interpolate(store, &slice(store, part, &core), run)?;
        Ok(formulas.map(|formulas| formulas[1..part.steps.len()].to_vec()))
    }
}

impl<I: Interpolator> Interpolator for AtHeads<I> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn interpolate(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        let num_steps = chain.steps.len();
        if num_steps <= MAX_UNCUT {
            return self.inner.interpolate(store, chain, run);
        }
        let mut cuts: Vec<usize> =
            chain.heads.iter().copied().filter(|head| (1..num_steps).contains(head)).collect();
        cuts.insert(0, 0);
        cuts.push(num_steps);
        let parts = cuts.windows(2).map(|cut| chain.part(cut[0], cut[1], chain.start, chain.end));
        let steps = parts.map(|part| Rc::new(Unrolled::merge(store, &part))).collect();
        let short = Chain { start: chain.start, steps, end: chain.end, heads: Vec::new() };
        let Some(at_cuts) = self.inner.interpolate(store, &short, run)? else { return Ok(None) };
        let mut formulas = vec![at_cuts[0]];
        for (number, cut) in cuts.windows(2).enumerate() {
            let part = chain.part(cut[0], cut[1], at_cuts[number], at_cuts[number + 1]);
            let Some(between) = self.fill(store, &part, run)? else { return Ok(None) };
            formulas.extend(between);
            formulas.push(at_cuts[number + 1]);
        }
        Ok(Some(formulas))
    }
}
