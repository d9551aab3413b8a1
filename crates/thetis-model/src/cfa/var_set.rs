//! Sets of variables that share what they have in common.
//!
//! An analysis of a large automaton keeps a set for each location, and neighbours differ in few variables. So a set consists of
//! chunks that other sets may have too: a copy costs nothing, a change copies one chunk, and the union with
//! a set that contains more takes its chunks over. Memory and time follow the differences, not the number of locations
//! times that of variables.

use std::rc::Rc;

const WORDS: usize = 8;
const CHUNK: usize = 64 * WORDS;

type Chunk = [u64; WORDS];

/// A set of variables of an automaton, by their position in it. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct VarSet {
    chunks: Rc<Vec<Rc<Chunk>>>,
}

impl VarSet {
    /// The empty set, for this many variables.
    pub(super) fn none(num_vars: usize) -> VarSet {
        let empty = Rc::new([0; WORDS]);
        VarSet { chunks: Rc::new(vec![empty; num_vars.div_ceil(CHUNK)]) }
    }

    pub(super) fn contains(&self, position: usize) -> bool {
        self.chunks[position / CHUNK][position % CHUNK / 64] >> (position % 64) & 1 == 1
    }

    pub(super) fn insert(&mut self, position: usize) {
        if !self.contains(position) {
            *self.word(position) |= 1 << (position % 64);
        }
    }

    pub(super) fn remove(&mut self, position: usize) {
        if self.contains(position) {
            *self.word(position) &= !(1 << (position % 64));
        }
    }

    fn word(&mut self, position: usize) -> &mut u64 {
        let chunk = &mut Rc::make_mut(&mut self.chunks)[position / CHUNK];
        &mut Rc::make_mut(chunk)[position % CHUNK / 64]
    }

    /// Adds all of `other`; whether that changed anything.
    pub(super) fn add_all(&mut self, other: &VarSet) -> bool {
        let mut has_grown = false;
        for number in 0..self.chunks.len() {
            let (old, added) = (&self.chunks[number], &other.chunks[number]);
            if Rc::ptr_eq(old, added) {
                continue;
            }
            let union: Chunk = std::array::from_fn(|word| old[word] | added[word]);
            if union == **old {
                continue;
            }
            let union = if union == **added { added.clone() } else { Rc::new(union) };
            Rc::make_mut(&mut self.chunks)[number] = union;
            has_grown = true;
        }
        if has_grown && self.chunks == other.chunks {
            self.chunks = other.chunks.clone();
        }
        has_grown
    }

    /// The positions in this set that are not in `other`, ascending.
    pub(super) fn without<'s>(&'s self, other: &'s VarSet) -> impl Iterator<Item = usize> + 's {
        let different = self.pairs(other).filter(|(_, chunk, removed)| !Rc::ptr_eq(chunk, removed));
        positions(different.map(|(number, chunk, removed)| {
            (number, std::array::from_fn(|word| chunk[word] & !removed[word]))
        }))
    }

    /// The positions in both sets, ascending.
    pub(super) fn both<'s>(&'s self, other: &'s VarSet) -> impl Iterator<Item = usize> + 's {
        positions(
            self.pairs(other)
                .map(|(number, left, right)| (number, std::array::from_fn(|word| left[word] & right[word]))),
        )
    }

    /// The chunks of both sets with their numbers.
    fn pairs<'s>(&'s self, other: &'s VarSet) -> impl Iterator<Item = (usize, &'s Rc<Chunk>, &'s Rc<Chunk>)> {
        let pairs = self.chunks.iter().zip(other.chunks.iter()).enumerate();
        pairs.map(|(number, (left, right))| (number, left, right))
    }
}

/// The members of numbered chunks.
fn positions(chunks: impl Iterator<Item = (usize, Chunk)>) -> impl Iterator<Item = usize> {
    let words = chunks.flat_map(|(number, chunk)| {
        let word = move |(at, word)| (number * WORDS + at, word);
        chunk.into_iter().enumerate().map(word)
    });
    words.flat_map(|(number, word)| members(word).map(move |bit| number * 64 + bit))
}

/// The bits that are set, ascending.
fn members(word: u64) -> impl Iterator<Item = usize> {
    let next = |rest: &u64| Some(rest & (rest - 1)).filter(|rest| *rest != 0);
    let rests = std::iter::successors(Some(word).filter(|word| *word != 0), next);
    rests.map(|rest| rest.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn set(members: &BTreeSet<usize>) -> VarSet {
        let mut set = VarSet::none(1500);
        members.iter().for_each(|member| set.insert(*member));
        set
    }

    #[test]
    fn operations_are_those_of_sets() {
        let samples: Vec<BTreeSet<usize>> = [1, 3, 64, 511, 512, 700]
            .map(|step| (0..1500).filter(|number| number % step == 0).collect())
            .into_iter()
            .chain([BTreeSet::new(), BTreeSet::from([1499])])
            .collect();
        for one in &samples {
            for other in &samples {
                let union: BTreeSet<usize> = one.union(other).copied().collect();
                let mut sum = set(one);
                assert_eq!(sum.add_all(&set(other)), union.len() > one.len());
                assert_eq!(sum, set(&union));
                let left: Vec<usize> = set(one).without(&set(other)).collect();
                assert_eq!(left, one.difference(other).copied().collect::<Vec<_>>());
                let shared: Vec<usize> = set(one).both(&set(other)).collect();
                assert_eq!(shared, one.intersection(other).copied().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn copies_stay_as_they_are() {
        let original = set(&BTreeSet::from([5, 600]));
        let mut copy = original.clone();
        copy.insert(7);
        copy.remove(600);
        assert!(original.contains(600) && !original.contains(7));
        assert!(copy.contains(7) && copy.contains(5) && !copy.contains(600));
        assert!(!copy.add_all(&copy.clone()));
    }
}
