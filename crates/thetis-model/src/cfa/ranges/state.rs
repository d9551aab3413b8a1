//! Abstract states: a range for each variable of which something is known, shared as far as possible.
//!
//! There are as many states as locations, and neighbours differ in few variables. So a state is a persistent map: a copy
//! costs nothing, a change copies one path of its tree, and what two states share is skipped when they are joined. Memory and
//! time follow the differences, not the number of locations times that of variables.

use std::collections::BTreeSet;
use std::rc::Rc;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use num_bigint::BigInt;

use super::range::Range;

/// Ranges of variables, by their position in the automaton. Cheap to clone.
#[derive(Clone, Default, Debug)]
pub(super) struct State {
    known: OrdMap<usize, Rc<Range>>,
}

impl State {
    pub(super) fn get(&self, position: usize) -> Option<&Rc<Range>> {
        self.known.get(&position)
    }

    pub(super) fn set(&mut self, position: usize, range: Option<Range>) {
        if self.get(position).map(Rc::as_ref) == range.as_ref() {
            return;
        }
        match range {
            Some(range) => self.known.insert(position, Rc::new(range)),
            None => self.known.remove(&position),
        };
    }

    /// The variables of which something is known.
    pub(super) fn known(&self) -> impl Iterator<Item = (usize, &Range)> {
        self.known.iter().map(|(position, range)| (*position, &**range))
    }

    /// The least state around both, and whether it is more than this one.
    pub(super) fn join(&self, other: &State) -> (State, bool) {
        self.combine(other, |_, left, right| left.join(right))
    }

    /// A state around `new`, which contains this one, that cannot grow for ever. Each variable has its thresholds;
    /// missing ones are none.
    pub(super) fn widen(&self, new: &State, thresholds: &[BTreeSet<BigInt>]) -> State {
        let none = BTreeSet::new();
        let widen = |position: usize, left: &Range, right: &Range| {
            left.widen(right, thresholds.get(position).unwrap_or(&none))
        };
        self.combine(new, widen).0
    }

    /// Combines known ranges one by one; where one side knows nothing, nor does the result. Also says whether the result
    /// differs from this state.
    fn combine(&self, other: &State, combine: impl Fn(usize, &Range, &Range) -> Range) -> (State, bool) {
        let mut result = self.clone();
        let mut differs = false;
        for difference in self.known.diff(&other.known) {
            match difference {
                DiffItem::Add(..) => {}
                DiffItem::Remove(position, _) => {
                    result.known.remove(position);
                    differs = true;
                }
                DiffItem::Update { old: (position, left), new: (_, right) } => {
                    let range = combine(*position, left, right);
                    if range != **left {
                        result.known.insert(*position, Rc::new(range));
                        differs = true;
                    }
                }
            }
        }
        (result, differs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::ranges::interval::Interval;

    fn number(number: i32) -> Option<Range> {
        Some(Range::Int(Interval::exactly(number.into())))
    }

    #[test]
    fn joins_forget_what_one_side_does_not_know() {
        let mut left = State::default();
        left.set(3, number(1));
        left.set(39, number(5));
        let mut right = left.clone();
        right.set(3, None);
        let (joined, differs) = left.join(&right);
        assert!(differs && joined.get(3).is_none() && joined.get(39).is_some());
        assert!(!right.join(&left).1, "nothing is added to what knows less");
        assert_eq!(left.known().map(|(position, _)| position).collect::<Vec<_>>(), [3, 39]);
    }
}
