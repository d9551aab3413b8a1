//! Proof obligations: cubes from which an error location can be reached, and the order in which they are processed.
//!
//! An obligation says that its cube has to be excluded at its location up to its level. It is *open* until that is
//! done. With reuse, closed obligations wait for the next iteration, when they are opened one level higher; so a closed
//! obligation is what Mertens 2016 marks as reused. Open obligations are taken in the order of level, location and
//! number of literals.
//!
//! An obligation keeps the edge and the obligation that it was derived from: a path from each state of its cube to an
//! error location. With the tree-shaped queue it also keeps the obligations derived from it, so that whole subtrees can
//! be dropped.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use thetis_model::cfa::{EdgeId, LocId};

use super::cube::Cube;
use super::frames::Frames;
use crate::config::Queue;

/// The number of an obligation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ObligationId(u32);

/// See the [module](self).
pub(super) struct Obligation {
    pub(super) level: usize,
    pub(super) location: LocId,
    pub(super) cube: Cube,
    /// The edge from all states of the cube into the next one, or to an error location.
    pub(super) edge: EdgeId,
    pub(super) next: Option<ObligationId>,
    /// When and by which cube it was last excluded.
    pub(super) excluded: Option<Exclusion>,
    /// The highest level at which the exclusion was asked for.
    wanted: usize,
}

/// The cube of an obligation was excluded up to `level` as a part of the cube `by`.
#[derive(Clone, Debug)]
pub(super) struct Exclusion {
    pub(super) level: usize,
    pub(super) by: Cube,
}

impl Obligation {
    /// A cube that the frame of `level` excludes and that contains this obligation, as far as literals show.
    pub(super) fn covering<'f>(&self, frames: &'f Frames, level: usize) -> Option<&'f Cube> {
        let contains = |cube: &Cube| {
            cube.contains(&self.cube)
                || self.excluded.as_ref().is_some_and(|excluded| cube.contains(&excluded.by))
        };
        frames.excluded(level, self.location).map(|(_, cube)| cube).find(|cube| contains(cube))
    }

    /// How it was excluded one level below its own, if it was; then it is an old obligation.
    pub(super) fn excluded_before(&self) -> Option<&Exclusion> {
        self.excluded.as_ref().filter(|excluded| excluded.level + 1 == self.level)
    }
}

/// The obligations of an iteration.
pub(super) struct Obligations {
    all: Vec<Option<Obligation>>,
    open: BTreeSet<(usize, LocId, usize, ObligationId)>,
    known: FxHashMap<(LocId, Cube), ObligationId>,
    /// What was derived from each, if that is kept.
    derived: Option<Vec<Vec<ObligationId>>>,
    num_live: usize,
    num_new: u64,
}

impl Obligations {
    pub(super) fn new(queue: Queue) -> Obligations {
        Obligations {
            all: Vec::new(),
            open: BTreeSet::new(),
            known: FxHashMap::default(),
            derived: (queue == Queue::Tree).then(Vec::new),
            num_live: 0,
            num_new: 0,
        }
    }

    /// How many there are, open and closed.
    pub(super) fn len(&self) -> usize {
        self.num_live
    }

    /// How many were added or raised to a new level since the last call.
    pub(super) fn take_num_new(&mut self) -> u64 {
        std::mem::take(&mut self.num_new)
    }

    pub(super) fn get(&self, id: ObligationId) -> &Obligation {
        self.all[id.0 as usize].as_ref().expect("an obligation in use should exist")
    }

    fn get_mut(&mut self, id: ObligationId) -> &mut Obligation {
        self.all[id.0 as usize].as_mut().expect("an obligation in use should exist")
    }

    /// All of them, in the order of their making.
    pub(super) fn ids(&self) -> Vec<ObligationId> {
        let all = self.all.iter().enumerate().filter(|(_, obligation)| obligation.is_some());
        all.map(|(number, _)| ObligationId(number as u32)).collect()
    }

    /// Adds an open obligation. If there is one for the same cube, it is opened at `level` instead.
    pub(super) fn add(
        &mut self,
        level: usize,
        location: LocId,
        cube: Cube,
        edge: EdgeId,
        next: Option<ObligationId>,
    ) -> ObligationId {
        self.num_new += 1;
        if let Some(id) = self.known.get(&(location, cube.clone())).copied() {
            self.open_at(id, level);
            return id;
        }
        let id = ObligationId(self.all.len() as u32);
        self.known.insert((location, cube.clone()), id);
        let obligation = Obligation { level, location, cube, edge, next, excluded: None, wanted: level };
        self.all.push(Some(obligation));
        self.num_live += 1;
        if let Some(derived) = &mut self.derived {
            derived.push(Vec::new());
            if let Some(next) = next {
                derived[next.0 as usize].push(id);
            }
        }
        self.open_at(id, level);
        id
    }

    fn key(&self, id: ObligationId) -> (usize, LocId, usize, ObligationId) {
        let obligation = self.get(id);
        (obligation.level, obligation.location, obligation.cube.len(), id)
    }

    /// Opens an obligation at `level`, where it has not been excluded before. The higher of two levels is not forgotten.
    fn open_at(&mut self, id: ObligationId, level: usize) {
        let key = self.key(id);
        self.open.remove(&key);
        let obligation = self.get_mut(id);
        obligation.wanted = obligation.wanted.max(level);
        obligation.level = level;
        let key = self.key(id);
        self.open.insert(key);
    }

    /// Takes the first open obligation.
    pub(super) fn pop(&mut self) -> Option<ObligationId> {
        self.open.pop_first().map(|(_, _, _, id)| id)
    }

    /// Puts back an obligation that could not be closed yet.
    pub(super) fn put_back(&mut self, id: ObligationId) {
        let key = self.key(id);
        self.open.insert(key);
    }

    /// Closes an obligation that was taken and is excluded now as a part of `by`, unless a higher level was asked for.
    pub(super) fn close(&mut self, id: ObligationId, by: Cube) {
        let obligation = self.get_mut(id);
        let (level, wanted) = (obligation.level, obligation.wanted);
        obligation.excluded = Some(Exclusion { level, by });
        if level < wanted {
            self.open_at(id, wanted);
        }
    }

    /// Opens all obligations one level higher, for the next iteration.
    pub(super) fn raise(&mut self) {
        self.open.clear();
        for id in self.ids() {
            let obligation = self.get_mut(id);
            obligation.level += 1;
            obligation.wanted = obligation.level;
            self.put_back(id);
        }
    }

    /// Removes an obligation from the open ones that is excluded at its level as it was one level lower.
    pub(super) fn skip(&mut self, id: ObligationId) {
        let key = self.key(id);
        self.open.remove(&key);
        let obligation = self.get_mut(id);
        let level = obligation.level;
        if let Some(excluded) = &mut obligation.excluded {
            excluded.level = level;
        }
    }

    /// Drops what was derived from the obligations at `location` that `cube`, excluded there up to `level`, contains,
    /// if it contains all of them at that level; returns how many were dropped.
    pub(super) fn prune(&mut self, level: usize, location: LocId, cube: &Cube) -> u64 {
        let at_place = |id: &ObligationId| {
            let obligation = self.get(*id);
            obligation.location == location && obligation.level == level
        };
        let targets: Vec<ObligationId> = self.ids().into_iter().filter(at_place).collect();
        if !targets.iter().all(|id| cube.contains(&self.get(*id).cube)) {
            return 0;
        }
        let Some(derived) = &mut self.derived else { return 0 };
        let mut pending: Vec<ObligationId> =
            targets.iter().flat_map(|id| std::mem::take(&mut derived[id.0 as usize])).collect();
        let mut num_dropped = 0;
        while let Some(id) = pending.pop() {
            pending.extend(std::mem::take(&mut derived[id.0 as usize]));
            if let Some(obligation) = self.all[id.0 as usize].take() {
                let key = (obligation.level, obligation.location, obligation.cube.len(), id);
                self.open.remove(&key);
                self.known.remove(&(obligation.location, obligation.cube));
                self.num_live -= 1;
                num_dropped += 1;
            }
        }
        num_dropped
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Sort, Store};
    use thetis_model::cfa::CfaBuilder;

    use super::*;

    fn cubes<const N: usize>() -> [Cube; N] {
        let store = Store::new();
        std::array::from_fn(|number| Cube::new([store.var(&format!("b{number}"), Sort::Bool)]))
    }

    fn at(number: usize) -> LocId {
        LocId::new(number)
    }

    #[test]
    fn low_levels_come_first_and_closed_ones_wait() {
        let [one, two, three] = cubes();
        let mut obligations = Obligations::new(Queue::Priority);
        let edge = EdgeId::new(0);
        let high = obligations.add(2, at(1), one.clone(), edge, None);
        let low = obligations.add(1, at(3), two.clone(), edge, Some(high));
        assert_eq!(obligations.pop(), Some(low));
        obligations.close(low, two);
        assert_eq!(obligations.pop(), Some(high));
        obligations.close(high, one);
        assert_eq!((obligations.pop(), obligations.len()), (None, 2));
        obligations.raise();
        let raised = obligations.pop().unwrap();
        assert_eq!((raised, obligations.get(raised).level), (low, 2));
        assert!(obligations.get(raised).excluded_before().is_some());
        assert_eq!(obligations.take_num_new(), 2);
        obligations.add(3, at(1), three, edge, None);
        assert_eq!(obligations.take_num_new(), 1);
    }

    #[test]
    fn a_cube_has_one_obligation_at_the_lowest_level_and_then_at_the_highest() {
        let [cube] = cubes();
        let mut obligations = Obligations::new(Queue::Priority);
        let id = obligations.add(5, at(1), cube.clone(), EdgeId::new(0), None);
        assert_eq!(obligations.add(3, at(1), cube.clone(), EdgeId::new(1), None), id);
        assert_eq!((obligations.pop(), obligations.get(id).level), (Some(id), 3));
        obligations.close(id, cube);
        assert_eq!((obligations.pop(), obligations.get(id).level), (Some(id), 5));
    }

    #[test]
    fn what_excluded_an_obligation_covers_it_as_long_as_it_is_excluded() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bool));
        let mut builder = CfaBuilder::new("covering");
        let [start, place] = ["start", "place"].map(|name| builder.location(name, None));
        builder.initial(start);
        let mut frames = Frames::new(&builder.build(&store).unwrap());
        frames.open(3);
        let mut obligations = Obligations::new(Queue::Priority);
        let id = obligations.add(2, place, Cube::new([x]), EdgeId::new(0), None);
        assert_eq!(obligations.pop(), Some(id));
        // It follows from the obligation, although it is not a part of it.
        let follows = Cube::new([store.or(x, y)]);
        frames.exclude(2, place, follows.clone());
        assert!(obligations.get(id).covering(&frames, 2).is_none());
        obligations.close(id, follows.clone());
        assert_eq!(obligations.get(id).covering(&frames, 2), Some(&follows));
        assert!(obligations.get(id).covering(&frames, 3).is_none());
        frames.exclude(3, place, follows.clone());
        assert_eq!(obligations.get(id).covering(&frames, 3), Some(&follows));
    }

    #[test]
    fn pruning_drops_a_subtree() {
        let [one, two, three, other] = cubes();
        let mut obligations = Obligations::new(Queue::Tree);
        let edge = EdgeId::new(0);
        let root = obligations.add(3, at(1), one.clone(), edge, None);
        let child = obligations.add(2, at(2), two, edge, Some(root));
        obligations.add(1, at(3), three, edge, Some(child));
        assert_eq!(obligations.prune(3, at(1), &other), 0, "the cube does not contain the root");
        assert_eq!(obligations.prune(3, at(1), &one), 2);
        assert_eq!((obligations.len(), obligations.pop(), obligations.pop()), (1, Some(root), None));
    }
}
