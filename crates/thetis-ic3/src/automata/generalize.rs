//! Generalisation: from a cube that cannot be reached to a larger one.
//!
//! The unsatisfiable cores of the questions about all incoming edges come first. Then literals are left out one after the
//! other, those that are rare in excluded cubes first, as long as no edge leads into the larger cube. If one does, the
//! state where it starts is a *counterexample to generalisation* (Hassan, Bradley, Somenzi, *Better generalization in IC3*, 2013): if it
//! cannot be reached itself, it is excluded too, and the attempt is made again. An equation that cannot be left out may still be more than
//! is needed: it is tried as an inequality in either direction. Last, a cube that differs from earlier ones in its
//! constants only is replaced by what they have in common (`family`) or by what follows from it (`combine`), and what keeps bounds with other
//! coefficients apart is excluded (`drift`). Whatever is tried, the same questions decide.

use thetis_expr::{ExprId, Op, Sort, Store};
use thetis_model::cfa::LocId;

use super::cube::Cube;
use super::questions::End;
use super::search::{Entry, LocalFrameSearch};

/// After this many literals in a row that could not be left out, the others are kept.
const MAX_FAILURES: u32 = 12;

impl LocalFrameSearch<'_> {
    /// A cube around `cube`, which no edge leads into from the frames before `level`, with the same property. It contains
    /// `whole`, of which `cube` is a part.
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
