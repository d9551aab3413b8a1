//! The frames: for each location and level the cubes that are excluded there.
//!
//! `F(i, l)` contains all states that can be at `l` after at most `i` edges. It excludes the cubes of all `Δ(j, l)`
//! with `j ≥ i`: a cube is stored only at the last level where it is excluded (delta encoding). At level 0 a run is at
//! the initial location, and nothing is ever excluded there.

use std::collections::BTreeMap;

use thetis_base::{FrameRow, FrameTable, IndexVec};
use thetis_expr::{ExprId, infix};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, LocId};

use super::cube::Cube;

/// The size of clauses beyond which their text is cut.
const MAX_SHOWN_SIZE: usize = 60;

pub(super) struct Frames {
    initial: LocId,
    /// `Δ(i, l)`; the entries of level 0 are not used.
    delta: IndexVec<LocId, Vec<Vec<Cube>>>,
    /// How often `F(i, l)` has lost states.
    num_changes: IndexVec<LocId, Vec<u32>>,
    num_levels: usize,
}

impl Frames {
    /// The frame of level 0.
    pub(super) fn new(cfa: &Cfa) -> Frames {
        let delta = cfa.locations.iter().map(|_| vec![Vec::new()]).collect();
        let num_changes = cfa.locations.iter().map(|_| vec![0]).collect();
        Frames { initial: cfa.initial, delta, num_changes, num_levels: 1 }
    }

    /// The last level.
    pub(super) fn last(&self) -> usize {
        self.num_levels - 1
    }

    /// Adds levels until `level` is one of them.
    pub(super) fn open(&mut self, level: usize) {
        if level > self.last() {
            self.num_levels = level + 1;
            self.delta.iter_mut().for_each(|levels| levels.resize(level + 1, Vec::new()));
            self.num_changes.iter_mut().for_each(|levels| levels.resize(level + 1, 0));
        }
    }

    /// Whether no run can be at `location` within `level` edges: level 0 of a location that is not initial.
    pub(super) fn is_empty_start(&self, level: usize, location: LocId) -> bool {
        level == 0 && location != self.initial
    }

    /// `Δ(level, location)`.
    pub(super) fn delta(&self, level: usize, location: LocId) -> &[Cube] {
        &self.delta[location][level]
    }

    /// The cubes that `F(level, location)` excludes, with the last level where each is excluded.
    pub(super) fn excluded(&self, level: usize, location: LocId) -> impl Iterator<Item = (usize, &Cube)> {
        let levels = self.delta[location].iter().enumerate().skip(level.max(1));
        levels.flat_map(|(level, cubes)| cubes.iter().map(move |cube| (level, cube)))
    }

    /// Whether `F(level, location)` excludes `cube`, as far as its literals show.
    pub(super) fn excludes(&self, level: usize, location: LocId, cube: &Cube) -> bool {
        self.excluded(level, location).any(|(_, excluded)| excluded.contains(cube))
    }

    /// Excludes `cube` at `location` up to `level`, and removes cubes that it makes redundant.
    pub(super) fn exclude(&mut self, level: usize, location: LocId, cube: Cube) {
        let known = self.excluded(1, location).filter(|(_, excluded)| excluded.contains(&cube));
        let first_new = known.map(|(level, _)| level + 1).max().unwrap_or(1);
        for num_changes in self.num_changes[location][..=level].iter_mut().skip(first_new) {
            *num_changes += 1;
        }
        for cubes in &mut self.delta[location][1..=level] {
            cubes.retain(|other| !cube.contains(other));
        }
        self.delta[location][level].push(cube);
    }

    /// A number that grows whenever `F(level, location)` loses states.
    pub(super) fn num_changes(&self, level: usize, location: LocId) -> u32 {
        self.num_changes[location][level]
    }

    /// Whether `F(level, location)` is the same as the frame of the next level.
    pub(super) fn is_unchanged(&self, level: usize, location: LocId) -> bool {
        if location == self.initial {
            return true;
        }
        if level == 0 {
            return self.excluded(1, location).any(|(_, cube)| cube.is_everything());
        }
        self.delta[location][level].is_empty()
    }

    /// Whether all frames of `level` are those of the next one.
    pub(super) fn is_fixed(&self, level: usize) -> bool {
        self.delta.iter().all(|levels| levels[level].is_empty())
    }

    /// The formulas of `level`; locations that are not mentioned exclude nothing.
    pub(super) fn formulas(&self, task: &Task<Cfa>, level: usize) -> BTreeMap<LocId, ExprId> {
        let mut formulas = BTreeMap::new();
        for location in task.model.locations.indices() {
            let mut clauses =
                self.excluded(level, location).map(|(_, cube)| cube.clause(&task.store)).peekable();
            if clauses.peek().is_some() {
                formulas.insert(location, task.store.and_all(clauses));
            }
        }
        formulas
    }

    /// How many cubes there are.
    pub(super) fn len(&self) -> usize {
        self.delta.iter().flatten().map(Vec::len).sum()
    }

    /// The clauses of each `Δ`, in the layout of Mertens 2016.
    pub(super) fn table(&self, task: &Task<Cfa>) -> FrameTable {
        let text = |cube: &Cube| infix::print_limited(&task.store, cube.clause(&task.store), MAX_SHOWN_SIZE);
        let row = |location: LocId| FrameRow {
            location: task.model.locations[location].name.clone(),
            clauses: self.excluded(1, location).map(|(level, cube)| (level, text(cube))).collect(),
        };
        let rows = task.model.locations.indices().map(row).filter(|row| !row.clauses.is_empty());
        FrameTable { last: self.last(), rows: rows.collect() }
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Sort, Store};
    use thetis_model::cfa::CfaBuilder;

    use super::*;

    #[test]
    fn a_cube_stands_at_its_last_level_only() {
        let store = Store::new();
        let mut builder = CfaBuilder::new("frames");
        let [start, place] = ["start", "place"].map(|name| builder.location(name, None));
        builder.initial(start);
        let cfa = builder.build(&store).unwrap();
        let [a, b] = ["a", "b"].map(|name| store.var(name, Sort::Bool));
        let (large, small) = (Cube::new([a]), Cube::new([a, b]));
        let mut frames = Frames::new(&cfa);
        frames.open(3);
        frames.exclude(1, place, small.clone());
        assert!(frames.excludes(1, place, &small) && !frames.excludes(2, place, &small));
        assert!(!frames.is_unchanged(1, place));
        assert_eq!([1, 2].map(|level| frames.num_changes(level, place)), [1, 0]);
        frames.exclude(2, place, small.clone());
        assert_eq!(
            [1, 2].map(|level| frames.num_changes(level, place)),
            [1, 1],
            "level 1 excluded it already"
        );
        assert!(!frames.is_unchanged(2, place) && frames.is_unchanged(1, start));
        frames.exclude(2, place, large.clone());
        assert!(frames.is_fixed(1) && !frames.is_fixed(2));
        assert!(frames.excludes(2, place, &small) && !frames.excludes(3, place, &large));
        assert!(frames.is_empty_start(0, place) && !frames.is_empty_start(0, start));
        assert!(!frames.is_unchanged(0, place), "nothing can be there at level 0");
        frames.exclude(1, place, Cube::new([]));
        assert!(frames.is_unchanged(0, place));
    }
}
