//! Interpolants as sets of clauses, in the manner of property directed reachability.
//!
//! The formula at each point of the chain is a set of clauses that holds whenever a run is there; at first it is empty.
//! As long as the last step can violate the end, the states before it are a *cube* that must be excluded at its point.
//! The solver decides whether a step leads there from what is known at the previous point. If so, its source states
//! must be excluded first, one point closer to the start; since the chain is contradictory, that ends before the start.
//! If not, the core says which literals of the cube matter; as many as possible are dropped, and the negation is a
//! clause. No proofs of the solver are needed, only cores, and every literal is over a single variable.
//!
//! This is IC3 (Bradley 2011; Eén, Mishchenko and Brayton 2011) on a chain instead of a system. Where we differ:
//!
//! * Steps may differ. Where the same step leads from loop head to loop head, a clause is made to hold at all points of that
//!   *row* from its first one on, if the cube is not reached there; then clauses are inductive relative to others, and those
//!   of the last points are few. Elsewhere, or if that fails, a clause holds at its own point only.
//! * Frames are kept: the next chain mostly begins with the same steps, and everything known about these still holds.
//! * Clauses are not propagated when a row is complete. The abstraction that uses them does that.
//!
//! Literals are truth values, bits of bit-vectors, and bounds of integers. Chains over other sorts, and those that need
//! too many cubes, are left to other interpolators.

mod frames;
mod literals;
mod questions;

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Sort, Store};
use thetis_solver::{Chain, CoreSolver, Interpolator};

use frames::{Extent, Frames};
use literals::{Cube, has_literals, union};
use questions::{Questions, Reached};

/// How many cubes of one chain are processed before the interpolator gives up: numbers could be excluded one by one for
/// ever.
const MAX_CUBES: usize = 1_000_000;
const MAX_CUBES_OF_NUMBERS: usize = 200;

/// After how many consecutive necessary literals the others are kept without a query.
const MAX_NEEDED: usize = 12;

/// The interpolator. See the [module](self).
pub struct Clauses {
    questions: Questions,
    frames: Frames,
}

/// A cube that is reached.
enum Exclusion {
    /// It is excluded now.
    Done,
    /// A step leads there from this cube.
    First(Cube),
    /// The solver could not decide.
    Unknown,
}

impl Clauses {
    /// The interpolator with a solver without assertions.
    pub fn new(solver: Box<dyn CoreSolver>) -> Clauses {
        Clauses { questions: Questions::new(solver), frames: Frames::default() }
    }

    /// Excludes `cube` at `point`, after its predecessors. Returns whether that was possible.
    fn exclude_all(
        &mut self,
        store: &Store,
        point: usize,
        cube: Cube,
        budget: &mut usize,
        run: &Run,
    ) -> Result<bool, Stop> {
        let mut open = vec![cube];
        while let Some(cube) = open.last() {
            // The cubes lead to one another, so each is one point before the one below it.
            let Some(here) = (point + 1).checked_sub(open.len()).filter(|here| *here > 0) else {
                return Ok(false);
            };
            if *budget == 0 {
                return Ok(false);
            }
            *budget -= 1;
            match self.exclude(store, here, cube, run)? {
                Exclusion::Done => drop(open.pop()),
                Exclusion::First(before) => open.push(before),
                Exclusion::Unknown => {
                    run.checkpoint()?;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn exclude(
        &mut self,
        store: &Store,
        point: usize,
        cube: &[ExprId],
        run: &Run,
    ) -> Result<Exclusion, Stop> {
        let has_row = self.frames.at(point).first < point;
        if has_row && matches!(self.enters(store, point, cube, run)?, Reached::No(_)) {
            let exclusion = self.exclude_to(store, point, cube, Extent::UpTo, run)?;
            if matches!(exclusion, Exclusion::Done) || !self.frames.is_special(point - 1) {
                return Ok(exclusion);
            }
        }
        self.exclude_to(store, point, cube, Extent::Here, run)
    }

    fn exclude_to(
        &mut self,
        store: &Store,
        point: usize,
        cube: &[ExprId],
        extent: Extent,
        run: &Run,
    ) -> Result<Exclusion, Stop> {
        match self.reached(store, point, cube, extent, run)? {
            Reached::Unknown => Ok(Exclusion::Unknown),
            Reached::From(before) => Ok(Exclusion::First(before)),
            Reached::No(core) => {
                let core = self.fewer(store, point, core, extent, run)?;
                let last = self.pushed(store, point, &core, extent, run)?;
                self.frames.exclude(store, last, core, extent, &mut self.questions)?;
                Ok(Exclusion::Done)
            }
        }
    }

    /// Whether `cube` is reached at `point`. For [`Extent::UpTo`] it must not be reached at the first point of the row; then
    /// the core is enough for both.
    fn reached(
        &mut self,
        store: &Store,
        point: usize,
        cube: &[ExprId],
        extent: Extent,
        run: &Run,
    ) -> Result<Reached, Stop> {
        let reached = self.step_reaches(store, point, cube, extent, run)?;
        let Reached::No(core) = &reached else { return Ok(reached) };
        if extent == Extent::Here || core.len() == cube.len() {
            return Ok(reached);
        }
        // Literals that suffice here may not suffice at the first point of the row.
        if let Reached::No(_) = self.enters(store, point, core, run)? {
            return Ok(reached);
        }
        Ok(match self.enters(store, point, cube, run)? {
            Reached::No(more) => Reached::No(union(core, &more)),
            other => other,
        })
    }

    /// Whether the step to `point` leads to `cube`; for [`Extent::UpTo`] from other states of the row.
    fn step_reaches(
        &mut self,
        store: &Store,
        point: usize,
        cube: &[ExprId],
        extent: Extent,
        run: &Run,
    ) -> Result<Reached, Stop> {
        let known = self.frames.known(point - 1, extent);
        let step = self.frames.at(point).step().expect("a step should lead to a point after the start");
        match extent {
            Extent::Here => self.questions.reaches(store, &known, step, cube, run),
            Extent::UpTo => self.questions.reaches_from_outside(store, &known, step, cube, run),
        }
    }

    /// Whether `cube` is reached at the first point of the row of `point`.
    fn enters(&mut self, store: &Store, point: usize, cube: &[ExprId], run: &Run) -> Result<Reached, Stop> {
        let first = self.frames.at(point).first;
        match self.frames.at(first).step() {
            None => self.questions.intersects(store, &self.frames.known(first, Extent::Here), cube),
            Some(step) => {
                let known = self.frames.known(first - 1, Extent::Here);
                self.questions.reaches(store, &known, step, cube, run)
            }
        }
    }

    /// The cube without literals that are not needed.
    fn fewer(
        &mut self,
        store: &Store,
        point: usize,
        mut cube: Cube,
        extent: Extent,
        run: &Run,
    ) -> Result<Cube, Stop> {
        let (mut at, mut needed) = (0, 0);
        while at < cube.len() && needed < MAX_NEEDED {
            let mut fewer = cube.clone();
            let left_out = fewer.remove(at);
            let is_entered =
                extent == Extent::UpTo && !matches!(self.enters(store, point, &fewer, run)?, Reached::No(_));
            if !is_entered && let Reached::No(core) = self.reached(store, point, &fewer, extent, run)? {
                at = core.partition_point(|literal| *literal < left_out);
                cube = core;
                needed = 0;
            } else {
                at += 1;
                needed += 1;
            }
        }
        Ok(cube)
    }

    /// The last point of the row up to which the cube can be excluded, once it is at `point`.
    fn pushed(
        &mut self,
        store: &Store,
        point: usize,
        cube: &[ExprId],
        extent: Extent,
        run: &Run,
    ) -> Result<usize, Stop> {
        if extent == Extent::Here {
            return Ok(point);
        }
        for next in point + 1..=self.frames.last(point) {
            if !matches!(self.step_reaches(store, next, cube, extent, run)?, Reached::No(_)) {
                return Ok(next - 1);
            }
        }
        Ok(self.frames.last(point))
    }
}

impl Interpolator for Clauses {
    fn name(&self) -> &'static str {
        "clauses"
    }

    fn interpolate(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        let sorts: Vec<Sort> = chain.vars(store).iter().map(|var| store.var_sort(*var)).collect();
        let has_literals = sorts.iter().all(|sort| has_literals(*sort));
        let Some(last) = chain.steps.len().checked_sub(1).filter(|_| has_literals) else { return Ok(None) };
        self.frames.fit(store, chain, &mut self.questions)?;
        let last_step = self.questions.number(store, &chain.steps[last])?;
        let violation = store.conjuncts(store.not(chain.end));
        let is_boolean = sorts.iter().all(|sort| *sort == Sort::Bool);
        let mut budget = if is_boolean { MAX_CUBES } else { MAX_CUBES_OF_NUMBERS };
        loop {
            let known = self.frames.known(last, Extent::Here);
            match self.questions.reaches(store, &known, last_step, &violation, run)? {
                Reached::No(_) => break,
                Reached::Unknown => {
                    run.checkpoint()?;
                    return Ok(None);
                }
                Reached::From(_) if last == 0 => return Ok(None),
                Reached::From(cube) => {
                    if !self.exclude_all(store, last, cube, &mut budget, run)? {
                        return Ok(None);
                    }
                }
            }
        }
        let behind_start = (1..=last).map(|point| self.frames.formula(store, point));
        Ok(Some([chain.start].into_iter().chain(behind_start).chain([chain.end]).collect()))
    }
}
