//! Literals of latches, and conjunctions of them.

/// A latch or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct LatchLit(u32);

impl LatchLit {
    pub(crate) fn new(latch: usize, value: bool) -> LatchLit {
        LatchLit((latch as u32) << 1 | u32::from(!value))
    }

    pub(crate) fn latch(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// The value of the latch where the literal holds.
    pub(crate) fn value(self) -> bool {
        self.0 & 1 == 0
    }
}

/// A conjunction of literals of different latches, in ascending order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Cube {
    lits: Vec<LatchLit>,
    /// One bit for each literal, so that most pairs of cubes are distinguished at once.
    signature: u64,
}

impl Cube {
    pub(crate) fn new(mut lits: Vec<LatchLit>) -> Cube {
        lits.sort_unstable();
        let signature =
            lits.iter().fold(0, |signature, lit| signature | 1 << (lit.0.wrapping_mul(0x9e37_79b1) >> 26));
        Cube { lits, signature }
    }

    pub(crate) fn lits(&self) -> &[LatchLit] {
        &self.lits
    }

    pub(crate) fn len(&self) -> usize {
        self.lits.len()
    }

    /// Whether every state of `other` is one of this cube.
    pub(crate) fn contains(&self, other: &Cube) -> bool {
        if self.lits.len() > other.lits.len() || self.signature & !other.signature != 0 {
            return false;
        }
        let mut rest = other.lits.iter();
        self.lits.iter().all(|lit| rest.any(|other| other == lit))
    }

    /// The cube without one of its literals.
    pub(crate) fn without(&self, lit: LatchLit) -> Cube {
        Cube::new(self.lits.iter().copied().filter(|other| *other != lit).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(lits: &[(usize, bool)]) -> Cube {
        Cube::new(lits.iter().map(|(latch, value)| LatchLit::new(*latch, *value)).collect())
    }

    #[test]
    fn fewer_literals_contain_more_states() {
        let small = cube(&[(3, true), (1, false)]);
        assert!(small.contains(&cube(&[(1, false), (2, true), (3, true)])));
        assert!(!small.contains(&cube(&[(1, true), (2, true), (3, true)])));
        assert!(!small.contains(&cube(&[(3, true)])));
        assert!(cube(&[]).contains(&small));
        assert_eq!(small.without(LatchLit::new(3, true)), cube(&[(1, false)]));
    }
}
