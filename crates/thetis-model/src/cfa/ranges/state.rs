//! Abstract states: a range for each variable, shared as far as possible.
//!
//! There are as many states as locations and each has as many ranges as variables, but neighbours differ in few of
//! them. So ranges stand in chunks that states share, and whoever changes one copies its chunk only.

use std::collections::BTreeSet;
use std::rc::Rc;

use num_bigint::BigInt;

use super::range::Range;

const CHUNK: usize = 16;

/// Nothing is known of a variable without a range.
type Chunk = [Option<Rc<Range>>; CHUNK];

/// Ranges of variables, by their position in the automaton. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct State {
    chunks: Vec<Rc<Chunk>>,
}

impl State {
    /// Nothing is known of any of this many variables.
    pub(super) fn all(num_vars: usize) -> State {
        let unknown = Rc::new(Chunk::default());
        State { chunks: std::iter::repeat_n(unknown, num_vars.div_ceil(CHUNK)).collect() }
    }

    pub(super) fn get(&self, position: usize) -> Option<&Rc<Range>> {
        self.chunks[position / CHUNK][position % CHUNK].as_ref()
    }

    pub(super) fn set(&mut self, position: usize, range: Option<Range>) {
        if self.get(position).map(Rc::as_ref) != range.as_ref() {
            Rc::make_mut(&mut self.chunks[position / CHUNK])[position % CHUNK] = range.map(Rc::new);
        }
    }

    /// The variables of which something is known.
    pub(super) fn known(&self) -> impl Iterator<Item = (usize, &Range)> {
        let entries = self.chunks.iter().flat_map(|chunk| chunk.iter());
        entries.enumerate().filter_map(|(position, range)| Some((position, &**range.as_ref()?)))
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
        for (number, (left, right)) in self.chunks.iter().zip(&other.chunks).enumerate() {
            if Rc::ptr_eq(left, right) {
                continue;
            }
            let entry = |place: usize| match (&left[place], &right[place]) {
                (Some(left), Some(right)) if Rc::ptr_eq(left, right) || left == right => Some(left.clone()),
                (Some(left), Some(right)) => Some(Rc::new(combine(number * CHUNK + place, left, right))),
                _ => None,
            };
            let chunk: Chunk = std::array::from_fn(entry);
            if chunk != **left {
                result.chunks[number] = Rc::new(chunk);
            }
        }
        let differs = result.chunks.iter().zip(&self.chunks).any(|(new, old)| !Rc::ptr_eq(new, old));
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
        let mut left = State::all(40);
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
