//! Abstract states: a range for each variable of which something is known, shared as far as possible.

use std::collections::BTreeSet;
use std::rc::Rc;

use num_bigint::BigInt;

use super::range::Range;
use crate::cfa::shared_map::{Memo, SharedMap};

/// Ranges of variables, by their position in the automaton. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct State {
    known: SharedMap<Range>,
}

impl State {
    /// Nothing is known of any of these many variables.
    pub(super) fn unknown(num_vars: usize) -> State {
        State { known: SharedMap::new(num_vars) }
    }

    pub(super) fn get(&self, position: usize) -> Option<&Rc<Range>> {
        self.known.get(position)
    }

    pub(super) fn set(&mut self, position: usize, range: Option<Range>) {
        self.known.set(position, range);
    }

    /// The variables of which something is known.
    pub(super) fn known(&self) -> impl Iterator<Item = (usize, &Range)> {
        self.known.iter()
    }

    /// The least state around both.
    pub(super) fn join(&self, other: &State) -> State {
        Joins::default().join(self, other)
    }

    /// Whether nothing was added when this state was joined with others, or widened.
    pub(super) fn is_same(&self, joined: &State) -> bool {
        self.known.is_same(&joined.known)
    }
}

/// Joins of states that are similar.
#[derive(Default)]
pub(super) struct Joins {
    memo: Memo<Range>,
}

impl Joins {
    /// The least state around both. Where one knows nothing, nor does the result.
    pub(super) fn join(&mut self, left: &State, right: &State) -> State {
        State { known: left.known.combine(&right.known, &mut self.memo, |_, left, right| left.join(right)) }
    }
}

/// Widenings of states, with the same thresholds each time.
pub(super) struct Widenings {
    /// Each variable has its thresholds; missing ones are none.
    thresholds: Vec<BTreeSet<BigInt>>,
    memo: Memo<Range>,
}

impl Widenings {
    pub(super) fn new(thresholds: Vec<BTreeSet<BigInt>>) -> Widenings {
        Widenings { thresholds, memo: Memo::default() }
    }

    /// A state around `new`, which contains `old`, that cannot grow for ever.
    pub(super) fn widen(&mut self, old: &State, new: &State) -> State {
        let none = BTreeSet::new();
        let widen = |position: usize, left: &Range, right: &Range| {
            left.widen(right, self.thresholds.get(position).unwrap_or(&none))
        };
        State { known: old.known.combine(&new.known, &mut self.memo, widen) }
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
        let mut left = State::unknown(40);
        left.set(3, number(1));
        left.set(39, number(5));
        let mut right = left.clone();
        right.set(3, None);
        let joined = left.join(&right);
        assert!(!left.is_same(&joined) && joined.get(3).is_none() && joined.get(39).is_some());
        assert!(right.is_same(&right.join(&left)), "nothing is added to what knows less");
        assert_eq!(left.known().map(|(position, _)| position).collect::<Vec<_>>(), [3, 39]);
    }
}
