//! Generalisation: from an unreachable cube to a larger one.
//!
//! The unsatisfiable cores of the queries about all incoming edges come first. Then literals are dropped one by one,
//! those that are rare in excluded cubes first, as long as no edge leads into the larger cube. If one does, its source
//! state is a *counterexample to generalisation* (Hassan, Bradley, Somenzi, *Better generalization in IC3*, 2013): if
//! it is unreachable itself, it is excluded too, and the attempt is repeated. An equation that cannot be dropped may
//! still be too strong: it is tried as an inequality in either direction. Finally, a cube that differs from earlier
//! ones only in its constants is replaced by what they have in common (`family`) or by a consequence (`combine`), and what
//! separates bounds with different coefficients is excluded (`drift`). Every attempt is decided by the same queries.

use thetis_expr::{ExprId, Op, Sort, Store};
use thetis_model::cfa::LocId;

use super::cube::Cube;
use super::questions::End;
use super::search::{Entry, LocalFrameSearch};

/// After this many consecutive literals that could not be dropped, the others are kept.
const MAX_FAILURES: u32 = 12;

impl LocalFrameSearch<'_> {
    /// A superset of `cube`, which no edge leads into from the frames before `level`, with the same property. It
    /// contains `whole`, whose literals include those of `cube`.
    pub(super) fn generalize(
        &mut self,
        level: usize,
        location: LocId,
        cube: Cube,
        whole: &Cube,
    ) -> Result<Cube, End> {
        let cube = self.generalize_to(level, location, cube, self.config.ctg_depth)?;
        if !self.config.widen {
            return Ok(cube);
        }
        self.exclude_drifts(level, location, whole)?;
        self.widen(level, location, cube, whole)
    }

    fn generalize_to(
        &mut self,
        level: usize,
        location: LocId,
        mut cube: Cube,
        depth: u32,
    ) -> Result<Cube, End> {
        let mut num_failures = 0;
        for literal in self.by_activity(&cube) {
            if !cube.literals().contains(&literal) {
                continue;
            }
            if num_failures == MAX_FAILURES {
                break;
            }
            if let Some(larger) = self.try_larger(level, location, cube.without(literal), depth)? {
                self.questions.stats.dropped_literals += (cube.len() - larger.len()) as u64;
                cube = larger;
                num_failures = 0;
            } else {
                num_failures += 1;
                cube = self.weaken(level, location, cube, literal)?;
            }
        }
        Ok(cube)
    }

    /// Replaces an equation in `cube` by an inequality, if that is possible.
    fn weaken(&mut self, level: usize, location: LocId, cube: Cube, literal: ExprId) -> Result<Cube, End> {
        for weaker in weaker(&self.task.store, literal) {
            let larger = cube.with_replaced(literal, weaker);
            if let Some(larger) = self.try_larger(level, location, larger, 0)? {
                self.questions.stats.weakened_literals += 1;
                return Ok(larger);
            }
        }
        Ok(cube)
    }

    fn by_activity(&self, cube: &Cube) -> Vec<ExprId> {
        let mut literals = cube.literals().to_vec();
        literals.sort_by_key(|literal| (self.activity.get(literal).copied().unwrap_or(0), *literal));
        literals
    }

    /// `cube` or a part of its literals, if it can be excluded.
    pub(super) fn try_larger(
        &mut self,
        level: usize,
        location: LocId,
        cube: Cube,
        depth: u32,
    ) -> Result<Option<Cube>, End> {
        let mut num_ctgs = 0;
        loop {
            let (edge, point) = match self.entry(level, location, &cube)? {
                Entry::Unreached(core) => return Ok(Some(core)),
                Entry::Undecided => return Ok(None),
                Entry::Reached(edge, point) => (edge, point),
            };
            let source = self.source(edge);
            let is_hopeless = depth == 0 || level == 1 || num_ctgs == self.config.max_ctgs;
            if is_hopeless || source == self.task.model.initial {
                return Ok(None);
            }
            let before = self.predecessor(edge, &cube, &point)?;
            let Entry::Unreached(core) = self.entry(level - 1, source, &before)? else { return Ok(None) };
            num_ctgs += 1;
            self.questions.stats.ctgs += 1;
            let core = self.generalize_to(level - 1, source, core, depth - 1)?;
            self.exclude(level - 1, source, core)?;
        }
    }
}

/// Literals that follow from an equation and are not equations.
fn weaker(store: &Store, literal: ExprId) -> Vec<ExprId> {
    if store.op(literal) != Op::Eq {
        return Vec::new();
    }
    let (left, right) = (store.arg(literal, 0), store.arg(literal, 1));
    match store.sort(left) {
        Sort::Int | Sort::Real => vec![store.le(left, right), store.le(right, left)],
        Sort::BitVec(width) if width.get() > 1 => vec![
            store.bv_ule(left, right),
            store.bv_ule(right, left),
            store.bv_sle(left, right),
            store.bv_sle(right, left),
        ],
        _ => Vec::new(),
    }
}
