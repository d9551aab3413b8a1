//! Integers as words of edges.
//!
//! A word is a number in two's complement, the lowest bit first and the sign last. Operations make words as wide as
//! their results need, so nothing ever wraps: the words stand for integers, not for machine words.

use crate::netlist::{Edge, Graph};

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
            let (one, two) = (self.bit(position), other.bit(position));
            let half = graph.xor(one, two);
            bits.push(graph.xor(half, carry));
            let (both, passed) = (graph.and(one, two), graph.and(half, carry));
            carry = graph.or(both, passed);
        }
        Some(Word(bits))
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
                assert_eq!(number(&Word::ite(&mut graph, Edge::TRUE, &word, &other)), one);
                assert_eq!(number(&Word::ite(&mut graph, Edge::FALSE, &word, &other)), two);
            }
        }
    }
}
