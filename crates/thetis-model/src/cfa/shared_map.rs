//! Maps from variables to values that share what they have in common.
//!
//! An analysis of a large automaton keeps a map for each location, and neighbours differ in few variables. So a map is a tree of
//! which other maps may have parts too: a copy costs nothing, and a change copies one path. That alone is not enough.
//! When the state at the head of a loop changes, it differs from the one before in most variables, and so do the states of all
//! locations of the loop; combining old and new ones variable by variable would take time and memory in proportion to the number
//! of locations times that of variables. But what is combined at one location was mostly combined at its neighbour, too: the
//! same parts of the same trees. So results are remembered for pairs of parts ([`Memo`]), as packages for decision diagrams do it, and both time and memory
//! follow the differences between neighbours.
//!
//! Invariants: all maps of an analysis have the same height, so a part has the same place in every map. No part is empty.

use std::rc::Rc;

use rustc_hash::FxHashMap;

const BITS: u32 = 4;
const FANOUT: usize = 1 << BITS;
/// How many results are remembered. Few are needed at a time: those of the parts near the root.
const MAX_MEMO: usize = 1 << 14;

/// A map from the positions of variables in an automaton. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct SharedMap<T> {
    root: Subtree<T>,
    /// The number of levels below the root.
    height: u32,
}

/// A part of the tree; `None` if there is nothing in it.
type Subtree<T> = Option<Rc<Node<T>>>;

type Children<C> = [Option<Rc<C>>; FANOUT];

#[derive(Debug)]
enum Node<T> {
    Inner(Children<Node<T>>),
    Leaf(Children<T>),
}

impl<T> Clone for Node<T> {
    fn clone(&self) -> Node<T> {
        match self {
            Node::Inner(parts) => Node::Inner(parts.clone()),
            Node::Leaf(values) => Node::Leaf(values.clone()),
        }
    }
}

/// What pairs of parts were combined to. Only for one way to combine values.
pub(super) struct Memo<T> {
    /// The keys are the addresses of the parts, which the values keep alive.
    results: FxHashMap<(*const Node<T>, *const Node<T>), Remembered<T>>,
}

struct Remembered<T> {
    _parts: [Rc<Node<T>>; 2],
    result: Subtree<T>,
}

impl<T> Default for Memo<T> {
    fn default() -> Memo<T> {
        Memo { results: FxHashMap::default() }
    }
}

impl<T: Eq> SharedMap<T> {
    /// The empty map, for this many variables.
    pub(super) fn new(num_vars: usize) -> SharedMap<T> {
        let mut height = 0;
        while num_vars.saturating_sub(1) >> (BITS * (height + 1)) > 0 {
            height += 1;
        }
        SharedMap { root: None, height }
    }

    pub(super) fn get(&self, position: usize) -> Option<&Rc<T>> {
        let (mut node, mut level) = (self.root.as_deref()?, self.height);
        loop {
            match node {
                Node::Inner(parts) => node = parts[digit(position, level)].as_deref()?,
                Node::Leaf(values) => return values[digit(position, 0)].as_ref(),
            }
            level -= 1;
        }
    }

    pub(super) fn set(&mut self, position: usize, value: Option<T>) {
        if self.get(position).map(Rc::as_ref) != value.as_ref() {
            set(&mut self.root, self.height, position, value.map(Rc::new));
        }
    }

    /// The entries, in the order of positions.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let mut pending: Vec<(usize, &Node<T>)> = self.root.iter().map(|root| (0, &**root)).collect();
        std::iter::from_fn(move || {
            loop {
                let (prefix, node) = pending.pop()?;
                match node {
                    Node::Inner(parts) => {
                        let parts = parts.iter().enumerate().rev();
                        let full = parts.filter_map(|(number, part)| Some((number, part.as_deref()?)));
                        pending.extend(full.map(|(number, part)| (prefix * FANOUT + number, part)));
                    }
                    Node::Leaf(values) => return Some((prefix, values)),
                }
            }
        })
        .flat_map(|(prefix, values)| {
            let values = values.iter().enumerate();
            values.filter_map(move |(number, value)| Some((prefix * FANOUT + number, &**value.as_ref()?)))
        })
    }

    /// Combines the values of both maps where they differ; where one has none, nor does the result.
    pub(super) fn combine(
        &self,
        other: &SharedMap<T>,
        memo: &mut Memo<T>,
        combine: impl Fn(usize, &T, &T) -> T,
    ) -> SharedMap<T> {
        let mut combining = Combining { memo, combine };
        SharedMap { root: combining.parts(0, self.root.as_ref(), other.root.as_ref()), ..*self }
    }

    /// Whether both are parts of the same tree. The result of combining a map with another is the same as the map if it has the
    /// same entries.
    pub(super) fn is_same(&self, other: &SharedMap<T>) -> bool {
        is_same(self.root.as_ref(), other.root.as_ref())
    }
}

fn digit(position: usize, level: u32) -> usize {
    position >> (BITS * level) & (FANOUT - 1)
}

fn is_same<T>(left: Option<&Rc<T>>, right: Option<&Rc<T>>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => Rc::ptr_eq(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// Recurses over the height, which is a few levels.
fn set<T>(part: &mut Subtree<T>, level: u32, position: usize, value: Option<Rc<T>>) {
    let node = part.get_or_insert_with(|| {
        Rc::new(match level {
            0 => Node::Leaf(Default::default()),
            _ => Node::Inner(Default::default()),
        })
    });
    let is_empty = match Rc::make_mut(node) {
        Node::Inner(parts) => {
            set(&mut parts[digit(position, level)], level - 1, position, value);
            parts.iter().all(Option::is_none)
        }
        Node::Leaf(values) => {
            values[digit(position, 0)] = value;
            values.iter().all(Option::is_none)
        }
    };
    if is_empty {
        *part = None;
    }
}

struct Combining<'m, T, C> {
    memo: &'m mut Memo<T>,
    combine: C,
}

impl<T: Eq, C: Fn(usize, &T, &T) -> T> Combining<'_, T, C> {
    /// Combines parts whose positions start with `prefix`.
    fn parts(
        &mut self,
        prefix: usize,
        left: Option<&Rc<Node<T>>>,
        right: Option<&Rc<Node<T>>>,
    ) -> Subtree<T> {
        let (left, right) = (left?, right?);
        if Rc::ptr_eq(left, right) {
            return Some(left.clone());
        }
        let key = (Rc::as_ptr(left), Rc::as_ptr(right));
        if let Some(known) = self.memo.results.get(&key) {
            return known.result.clone();
        }
        let result = self.nodes(prefix, left, right);
        if self.memo.results.len() >= MAX_MEMO {
            self.memo.results.clear();
        }
        let remembered = Remembered { _parts: [left.clone(), right.clone()], result: result.clone() };
        self.memo.results.insert(key, remembered);
        result
    }

    fn nodes(&mut self, prefix: usize, left: &Rc<Node<T>>, right: &Rc<Node<T>>) -> Subtree<T> {
        let place = |number: usize| prefix * FANOUT + number;
        match (&**left, &**right) {
            (Node::Inner(lefts), Node::Inner(rights)) => {
                let parts = std::array::from_fn(|number| {
                    self.parts(place(number), lefts[number].as_ref(), rights[number].as_ref())
                });
                shared(parts, [(left, lefts), (right, rights)], Node::Inner)
            }
            (Node::Leaf(lefts), Node::Leaf(rights)) => {
                let values = std::array::from_fn(|number| {
                    self.values(place(number), lefts[number].as_ref(), rights[number].as_ref())
                });
                shared(values, [(left, lefts), (right, rights)], Node::Leaf)
            }
            _ => unreachable!("parts at the same place should have the same height"),
        }
    }

    fn values(&self, position: usize, left: Option<&Rc<T>>, right: Option<&Rc<T>>) -> Option<Rc<T>> {
        let (left, right) = (left?, right?);
        if left == right {
            return Some(left.clone());
        }
        let result = (self.combine)(position, left, right);
        Some(match &result {
            result if *result == **left => left.clone(),
            result if *result == **right => right.clone(),
            _ => Rc::new(result),
        })
    }
}

/// The node with these children: one of `old` if it has the same ones, the first if both do.
fn shared<T, C>(
    children: Children<C>,
    old: [(&Rc<Node<T>>, &Children<C>); 2],
    node: impl Fn(Children<C>) -> Node<T>,
) -> Subtree<T> {
    let has_same = |others: &Children<C>| {
        children.iter().zip(others).all(|(child, other)| is_same(child.as_ref(), other.as_ref()))
    };
    if let Some((old, _)) = old.iter().find(|(_, others)| has_same(others)) {
        return Some((*old).clone());
    }
    children.iter().any(Option::is_some).then(|| Rc::new(node(children)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn map(num_vars: usize, entries: &BTreeMap<usize, u32>) -> SharedMap<u32> {
        let mut map = SharedMap::new(num_vars);
        entries.iter().for_each(|(position, value)| map.set(*position, Some(*value)));
        map
    }

    #[test]
    fn combining_is_that_of_entries() {
        for num_vars in [1, 16, 17, 256, 300, 5000] {
            let sample = |step: usize, value: u32| -> BTreeMap<usize, u32> {
                (0..num_vars).filter(|number| number % step == 0).map(|number| (number, value)).collect()
            };
            let samples = [sample(1, 3), sample(2, 5), sample(17, 1), sample(num_vars, 9), BTreeMap::new()];
            let mut memo = Memo::default();
            for left in &samples {
                for right in &samples {
                    let (one, other) = (map(num_vars, left), map(num_vars, right));
                    let combined = one.combine(&other, &mut memo, |_, left, right| *left.max(right));
                    let expected: BTreeMap<usize, u32> = left
                        .iter()
                        .filter_map(|(position, value)| Some((*position, *value.max(right.get(position)?))))
                        .collect();
                    assert!(combined.iter().eq(expected.iter().map(|(position, value)| (*position, value))));
                    assert_eq!(combined.is_same(&one), expected == *left, "{left:?} {right:?}");
                }
            }
        }
    }

    #[test]
    fn copies_stay_as_they_are() {
        let original = map(1000, &BTreeMap::from([(5, 1), (600, 2)]));
        let mut copy = original.clone();
        copy.set(7, Some(3));
        copy.set(600, None);
        assert_eq!(original.iter().collect::<Vec<_>>(), [(5, &1), (600, &2)]);
        assert_eq!(copy.iter().collect::<Vec<_>>(), [(5, &1), (7, &3)]);
        copy.set(5, None);
        copy.set(7, None);
        assert!(copy.is_same(&SharedMap::new(1000)), "nothing is left of an empty tree");
    }

    /// Two chains of maps, each map with one change, as along a path: few pairs of values are combined anew.
    #[test]
    fn what_neighbours_share_is_combined_once() {
        const LENGTH: usize = 2000;
        let everywhere = |value: u32| map(LENGTH, &(0..LENGTH).map(|position| (position, value)).collect());
        let (mut old, mut new) = (everywhere(0), everywhere(1));
        let (mut memo, num_combined) = (Memo::default(), std::cell::Cell::new(0));
        for position in 0..LENGTH {
            old.set(position, Some(2));
            new.set(position, Some(3));
            let combined = old.combine(&new, &mut memo, |_, left, right| {
                num_combined.set(num_combined.get() + 1);
                *left.max(right)
            });
            assert!(combined.is_same(&combined.combine(&new, &mut memo, |_, left, right| *left.max(right))));
        }
        assert!(num_combined.get() < 20 * LENGTH, "{} combinations", num_combined.get());
    }
}
