//! What is known at the points of a chain.
//!
//! Points that a loop connects, by the same step from loop head to loop head, are a *row*. A clause that holds up to a
//! point of a row holds at all points of the row before it; it is kept at the last one only. So the clauses known at a
//! point are those kept there for this point alone, and those kept there or later in the row for all points up to
//! there.

use thetis_base::Stop;
use thetis_expr::{ExprId, Store};
use thetis_solver::Chain;

use super::literals::{Cube, clause, is_subset};
use super::questions::{Questions, StepNumber};

/// How far back a clause holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// At one point.
    Here,
    /// At all points of the row up to one.
    UpTo,
}

pub(super) struct Frame {
    /// The first point of the row.
    pub(super) first: usize,
    /// The step that leads here; none leads to the start.
    step: Option<StepNumber>,
    here: CubeGroup,
    up_to: CubeGroup,
}

/// Cubes that are excluded together.
struct CubeGroup {
    switch: ExprId,
    cubes: Vec<Cube>,
}

/// A frame for each point of a chain but the last.
#[derive(Default)]
pub(super) struct Frames {
    start: Option<(ExprId, ExprId)>,
    frames: Vec<Frame>,
}

impl Frames {
    /// Frames for `chain`; those of a common beginning with the chain before are kept.
    pub(super) fn fit(
        &mut self,
        store: &Store,
        chain: &Chain,
        questions: &mut Questions,
    ) -> Result<(), Stop> {
        if self.start.is_none_or(|(start, _)| start != chain.start) {
            self.frames.clear();
            let switch = questions.switch(store);
            questions.tell(store, switch, chain.start)?;
            self.start = Some((chain.start, switch));
        }
        let steps = chain.steps.iter().map(|step| questions.number(store, step));
        let steps: Vec<StepNumber> = steps.collect::<Result<_, Stop>>()?;
        let wanted: Vec<(Option<StepNumber>, usize)> = rows(chain, &steps);
        let same = self
            .frames
            .iter()
            .zip(&wanted)
            .take_while(|(frame, wanted)| (frame.step, frame.first) == **wanted);
        self.shorten(store, same.count(), questions)?;
        for (step, first) in wanted.into_iter().skip(self.frames.len()) {
            let [here, up_to] =
                [(); 2].map(|()| CubeGroup { switch: questions.switch(store), cubes: Vec::new() });
            self.frames.push(Frame { first, step, here, up_to });
        }
        Ok(())
    }

    /// Keeps the first frames. Clauses known later in the row of the last of them hold there too.
    fn shorten(&mut self, store: &Store, kept: usize, questions: &mut Questions) -> Result<(), Stop> {
        for frame in self.frames.split_off(kept) {
            if kept > 0 && frame.first < kept {
                for cube in frame.up_to.cubes {
                    self.exclude(store, kept - 1, cube, Extent::UpTo, questions)?;
                }
            }
        }
        Ok(())
    }

    /// The frame of a point.
    pub(super) fn at(&self, point: usize) -> &Frame {
        &self.frames[point]
    }

    /// The last point of the row of `point`.
    pub(super) fn last(&self, point: usize) -> usize {
        let first = self.frames[point].first;
        let of_row = self.frames[point..].iter().take_while(|frame| frame.first == first);
        point + of_row.count() - 1
    }

    /// The assumptions for everything known at `point`; for [`Extent::UpTo`] without clauses that do not hold at
    /// earlier points of the row.
    pub(super) fn known(&self, point: usize, extent: Extent) -> Vec<ExprId> {
        let row = &self.frames[point..=self.last(point)];
        let mut switches: Vec<ExprId> = row.iter().map(|frame| frame.up_to.switch).collect();
        if extent == Extent::Here || point == self.frames[point].first {
            switches.push(self.frames[point].here.switch);
        }
        if point == 0 {
            switches.extend(self.start.map(|(_, switch)| switch));
        }
        switches
    }

    /// Whether something is known at `point` that does not hold at earlier points of the row.
    pub(super) fn is_special(&self, point: usize) -> bool {
        point != self.frames[point].first && !self.frames[point].here.cubes.is_empty()
    }

    /// The formula of what is known at a point after the start.
    pub(super) fn formula(&self, store: &Store, point: usize) -> ExprId {
        let row = &self.frames[point..=self.last(point)];
        let cubes = row.iter().flat_map(|frame| &frame.up_to.cubes).chain(&self.frames[point].here.cubes);
        store.and_all(cubes.map(|cube| clause(store, cube)))
    }

    /// Notes that a cube is excluded at `point`, and how far before it.
    pub(super) fn exclude(
        &mut self,
        store: &Store,
        point: usize,
        cube: Cube,
        extent: Extent,
        questions: &mut Questions,
    ) -> Result<(), Stop> {
        let first = self.frames[point].first;
        let part = match extent {
            Extent::Here => &mut self.frames[point].here,
            Extent::UpTo => {
                for frame in &mut self.frames[first..point] {
                    frame.up_to.cubes.retain(|old| !is_subset(&cube, old));
                }
                &mut self.frames[point].up_to
            }
        };
        part.cubes.retain(|old| !is_subset(&cube, old));
        questions.tell(store, part.switch, clause(store, &cube))?;
        part.cubes.push(cube);
        Ok(())
    }
}

impl Frame {
    /// The step that leads here.
    pub(super) fn step(&self) -> Option<StepNumber> {
        self.step
    }
}

/// For each point but the last the step that leads there and the first point of its row.
fn rows(chain: &Chain, steps: &[StepNumber]) -> Vec<(Option<StepNumber>, usize)> {
    let is_head = |point: usize| chain.heads.binary_search(&point).is_ok();
    let mut rows: Vec<(Option<StepNumber>, usize)> = vec![(None, 0)];
    for point in 1..steps.len() {
        let first = rows[point - 1].1;
        let is_same_step = first == point - 1 || steps[point - 1] == steps[point - 2];
        let goes_on = is_same_step && is_head(point - 1) && is_head(point);
        rows.push((Some(steps[point - 1]), if goes_on { first } else { point }));
    }
    rows
}
