//! Integers as words of edges.
//!
//! A word is a number in two's complement, the lowest bit first and the sign last. Operations make words as wide as
//! their results need, so nothing ever wraps: the words stand for integers, not for machine words.

use crate::netlist::{Edge, Graph};
use crate::vector::Vector;

/// A number of edges; never empty.
#[derive(Clone, Debug)]
pub(crate) struct Word(Vec<Edge>);

/// The greatest width of a word; wider results are not computed with bits.
const MAX_WIDTH: usize = 64;

impl Word {
    /// The word of a constant.
    pub(crate) fn constant(number: i64) -> Word {
        let width = 65 - (if number < 0 { !number } else { number }).leading_zeros() as usize;
        Word((0..width).map(|bit| Edge::FALSE.negated_if(number >> bit.min(63) & 1 == 1)).collect())
    }

    /// A number without a sign.
    pub(crate) fn unsigned(bits: &[Edge]) -> Word {
        Word(bits.iter().copied().chain([Edge::FALSE]).collect())
    }

    /// The bit at a position; beyond the width that is the sign.
    pub(crate) fn bit(&self, position: usize) -> Edge {
        self.0[position.min(self.0.len() - 1)]
    }

    fn sign(&self) -> Edge {
        self.bit(self.0.len())
    }

    pub(crate) fn add(&self, graph: &mut Graph, other: &Word) -> Option<Word> {
        self.sum(graph, other, Edge::FALSE)
    }

    pub(crate) fn sub(&self, graph: &mut Graph, other: &Word) -> Option<Word> {
        let complement = Word(other.0.iter().map(|bit| !*bit).collect());
        self.sum(graph, &complement, Edge::TRUE)
    }

    fn sum(&self, graph: &mut Graph, other: &Word, mut carry: Edge) -> Option<Word> {
        let width = self.0.len().max(other.0.len()) + 1;
        if width > MAX_WIDTH {
            return None;
        }
        let mut bits = Vec::with_capacity(width);
        for position in 0..width {
            let (sum, next) = graph.full_adder(self.bit(position), other.bit(position), carry);
            bits.push(sum);
            carry = next;
        }
        Some(Word(bits).trimmed())
    }

    /// Without bits that repeat the sign.
    fn trimmed(mut self) -> Word {
        while self.0.len() > 1 && self.0[self.0.len() - 2] == self.sign() {
            self.0.pop();
        }
        self
    }

    pub(crate) fn mul(&self, graph: &mut Graph, other: &Word) -> Option<Word> {
        let (wide, narrow) = if self.0.len() < other.0.len() { (other, self) } else { (self, other) };
        let mut product = Word::constant(0);
        for (at, bit) in narrow.0.iter().enumerate() {
            let bits = wide.0.iter().map(|own| graph.and(*own, *bit));
            let summand = Word(std::iter::repeat_n(Edge::FALSE, at).chain(bits).collect()).trimmed();
            // The highest bit is the sign, which counts negatively.
            let is_sign = at + 1 == narrow.0.len();
            product = if is_sign { product.sub(graph, &summand)? } else { product.add(graph, &summand)? };
        }
        Some(product)
    }

    /// The number, if it is a positive constant.
    pub(crate) fn positive(&self) -> Option<i64> {
        let is_constant = self.0.iter().all(|bit| matches!(*bit, Edge::FALSE | Edge::TRUE));
        let is_set = |at: usize| self.bit(at) == Edge::TRUE;
        let number = (0..MAX_WIDTH).fold(0_i64, |number, at| number | i64::from(is_set(at)) << at);
        (is_constant && number > 0).then_some(number)
    }

    /// Quotient and remainder by a positive constant; the remainder is never negative.
    pub(crate) fn divide(&self, graph: &mut Graph, by: i64) -> Option<(Word, Word)> {
        if by & (by - 1) == 0 {
            let shift = by.trailing_zeros() as usize;
            let quotient = (shift..self.0.len().max(shift + 1)).map(|at| self.bit(at)).collect();
            let remainder: Vec<Edge> = (0..shift).map(|at| self.bit(at)).collect();
            return Some((Word(quotient).trimmed(), Word::unsigned(&remainder).trimmed()));
        }
        // A multiple of the divisor makes the dividend positive, and is taken off the quotient again.
        let least = 1_i64.checked_shl(self.0.len() as u32 - 1).filter(|least| *least > 0)?;
        let offset = least / by + 1;
        let dividend = self.add(graph, &Word::constant(offset.checked_mul(by)?))?;
        let divisor = Word::constant(by);
        let width = dividend.0.len().max(divisor.0.len());
        let vector = |word: &Word| Vector::new((0..width).map(|at| word.bit(at)).collect());
        let (quotient, remainder) = vector(&dividend).divided(graph, &vector(&divisor));
        let quotient = Word::unsigned(quotient.bits()).sub(graph, &Word::constant(offset))?;
        Some((quotient, Word::unsigned(remainder.bits()).trimmed()))
    }

    pub(crate) fn ite(graph: &mut Graph, condition: Edge, then: &Word, otherwise: &Word) -> Word {
        let width = then.0.len().max(otherwise.0.len());
        Word((0..width).map(|at| graph.ite(condition, then.bit(at), otherwise.bit(at))).collect())
    }

    pub(crate) fn equals(&self, graph: &mut Graph, other: &Word) -> Edge {
        let width = self.0.len().max(other.0.len());
        let same = (0..width).map(|at| !graph.xor(self.bit(at), other.bit(at))).collect();
        graph.and_all(same)
    }

    /// Whether this number is less than the other.
    pub(crate) fn less(&self, graph: &mut Graph, other: &Word) -> Option<Edge> {
        Some(self.sub(graph, other)?.sign())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of a word all of whose edges are constants.
    fn number(word: &Word) -> i64 {
        (0..64).fold(0, |number, at| number | i64::from(word.bit(at) == Edge::TRUE) << at)
    }

    #[test]
    fn constants_are_calculated() {
        let mut graph = Graph::new();
        let numbers = [-130, -8, -7, -1, 0, 1, 2, 3, 7, 8, 127, 128, 1000];
        for one in numbers {
            let word = Word::constant(one);
            assert_eq!(number(&word), one);
            for two in numbers {
                let other = Word::constant(two);
                assert_eq!(number(&word.add(&mut graph, &other).unwrap()), one + two);
                assert_eq!(number(&word.sub(&mut graph, &other).unwrap()), one - two);
                assert_eq!(word.less(&mut graph, &other), Some(Edge::FALSE.negated_if(one < two)));
                assert_eq!(word.equals(&mut graph, &other), Edge::FALSE.negated_if(one == two));
                assert_eq!(number(&word.mul(&mut graph, &other).unwrap()), one * two);
                if two > 0 {
                    assert_eq!(other.positive(), Some(two));
                    let (quotient, remainder) = word.divide(&mut graph, two).unwrap();
                    assert_eq!(
                        (number(&quotient), number(&remainder)),
                        (one.div_euclid(two), one.rem_euclid(two))
                    );
                }
                assert_eq!(number(&Word::ite(&mut graph, Edge::TRUE, &word, &other)), one);
                assert_eq!(number(&Word::ite(&mut graph, Edge::FALSE, &word, &other)), two);
            }
        }
    }
}
