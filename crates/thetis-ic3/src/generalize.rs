//! Generalisation: from a cube that no step reaches to a larger one.
//!
//! Literals are dropped one by one, those of rarely used latches first, as long as no step leads into the larger cube.
//! If one does, its source state is a *counterexample to generalisation* (Hassan, Bradley, Somenzi 2013): if it is
//! unreachable itself, it is generalised and excluded too, and the attempt is repeated. That is done for a few
//! counterexamples per attempt, to a small depth.

use thetis_base::Stop;

use crate::cube::{Cube, LatchLit};
use crate::search::FrameSearch;

impl FrameSearch<'_> {
    /// A cube around `cube`, which has no initial state and into which no step leads from the frame before `frame`.
    pub(crate) fn generalize(&mut self, cube: Cube, frame: usize) -> Result<Cube, Stop> {
        self.generalize_to(cube, frame, self.config.ctg_depth)
    }

    fn generalize_to(&mut self, mut cube: Cube, frame: usize, depth: u32) -> Result<Cube, Stop> {
        for lit in self.by_activity(&cube) {
            if cube.len() == 1 || !cube.lits().contains(&lit) {
                continue;
            }
            if let Some(larger) = self.try_larger(cube.without(lit), frame, depth)? {
                cube = larger;
            }
        }
        Ok(cube)
    }

    fn by_activity(&self, cube: &Cube) -> Vec<LatchLit> {
        let mut lits = cube.lits().to_vec();
        let key = |lit: &LatchLit| self.activity[lit.latch()];
        lits.sort_by(|one, other| key(one).total_cmp(&key(other)).then(one.cmp(other)));
        lits
    }

    /// `cube` or a part of it, if it can be excluded.
    fn try_larger(&mut self, cube: Cube, frame: usize, depth: u32) -> Result<Option<Cube>, Stop> {
        if self.has_initial_state(&cube)? {
            return Ok(None);
        }
        let mut counterexamples = 0;
        loop {
            if !self.can_reach(frame, &cube)? {
                return self.core(frame, &cube).map(Some);
            }
            if depth == 0 || frame == 1 || counterexamples == self.config.max_ctgs {
                return Ok(None);
            }
            let targets = self.targets(&cube);
            let (before, _) = self.lift(frame - 1, &targets);
            if self.has_initial_state(&before)? || self.can_reach(frame - 1, &before)? {
                return Ok(None);
            }
            counterexamples += 1;
            let small = self.core(frame - 1, &before)?;
            let small = self.generalize_to(small, frame - 1, depth - 1)?;
            self.exclude_as_far_as_possible(small, frame - 1)?;
            self.stats.ctgs += 1;
        }
    }
}
