//! Sets of small numbers.

/// A set of numbers below a bound that all sets have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn new(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0[number / 64] & (1 << (number % 64)) != 0
    }

    /// Adds all elements of another set; whether there are new ones.
    pub(super) fn add(&mut self, other: &Bits) -> bool {
        let mut is_larger = false;
        for (mine, others) in self.0.iter_mut().zip(&other.0) {
            is_larger |= *others & !*mine != 0;
            *mine |= others;
        }
        is_larger
    }

    pub(super) fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, others)| mine & others != 0)
    }
}
