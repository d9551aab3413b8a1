//! Bit-vectors as edges: the operators of SMT-LIB, gate by gate.

use thetis_expr::Op;

use crate::netlist::{Edge, Graph};

/// A bit-vector of a positive width, the lowest bit first.
#[derive(Clone, Debug)]
pub(crate) struct Vector(Vec<Edge>);

impl Vector {
    pub(crate) fn new(bits: Vec<Edge>) -> Vector {
        Vector(bits)
    }

    pub(crate) fn bits(&self) -> &[Edge] {
        &self.0
    }

    fn sign(&self) -> Edge {
        self.0[self.0.len() - 1]
    }

    fn zero(width: usize) -> Vector {
        Vector(vec![Edge::FALSE; width])
    }

    fn complement(&self) -> Vector {
        Vector(self.0.iter().map(|bit| !*bit).collect())
    }

    pub(crate) fn ite(graph: &mut Graph, condition: Edge, then: &Vector, otherwise: &Vector) -> Vector {
        let pairs = then.0.iter().zip(&otherwise.0);
        Vector(pairs.map(|(then, otherwise)| graph.ite(condition, *then, *otherwise)).collect())
    }

    /// The result of an operator that gives a bit-vector of `width` bits; `None` if the operator is not one of bit-vectors.
    pub(crate) fn operation(
        &self,
        graph: &mut Graph,
        op: Op,
        rest: &[&Vector],
        width: usize,
    ) -> Option<Vector> {
        Some(match (op, rest) {
            (Op::BvNot, []) => self.complement(),
            (Op::BvNeg, []) => self.negated(graph),
            (Op::Extract(lowest), []) => Vector(self.0[lowest as usize..lowest as usize + width].to_vec()),
            (Op::ZeroExtend, []) => self.extended(width, Edge::FALSE),
            (Op::SignExtend, []) => self.extended(width, self.sign()),
            (Op::Concat, rest) => {
                // The most significant part comes first.
                Vector(rest.iter().rev().flat_map(|part| part.0.iter()).chain(&self.0).copied().collect())
            }
            (Op::BvAnd, rest) => self.fold(graph, rest, Graph::and),
            (Op::BvOr, rest) => self.fold(graph, rest, Graph::or),
            (Op::BvXor, rest) => self.fold(graph, rest, Graph::xor),
            (Op::BvAdd, rest) => {
                rest.iter().fold(self.clone(), |sum, other| sum.sum(graph, other, Edge::FALSE))
            }
            (Op::BvMul, rest) => {
                rest.iter().fold(self.clone(), |product, other| product.product(graph, other))
            }
            (Op::BvSub, [other]) => self.difference(graph, other),
            (Op::BvShl, [by]) => self.shifted_left(graph, by),
            (Op::BvLshr, [by]) => self.shifted_right(graph, by, Edge::FALSE),
            (Op::BvAshr, [by]) => self.shifted_right(graph, by, self.sign()),
            (Op::BvUdiv, [by]) => self.divided(graph, by).0,
            (Op::BvUrem, [by]) => self.divided(graph, by).1,
            (Op::BvSdiv, [by]) => self.signed_quotient(graph, by),
            (Op::BvSrem, [by]) => self.signed_remainder(graph, by),
            _ => return None,
        })
    }

    /// The result of an operator that compares; `None` if the operator is not one of bit-vectors.
    pub(crate) fn comparison(&self, graph: &mut Graph, op: Op, other: &Vector) -> Option<Edge> {
        Some(match op {
            Op::Eq => {
                let pairs = self.0.iter().zip(&other.0);
                let same = pairs.map(|(one, two)| !graph.xor(*one, *two)).collect();
                graph.and_all(same)
            }
            Op::BvUlt => self.is_below(graph, other),
            Op::BvUle => !other.is_below(graph, self),
            Op::BvSlt => self.with_flipped_sign().is_below(graph, &other.with_flipped_sign()),
            Op::BvSle => !other.with_flipped_sign().is_below(graph, &self.with_flipped_sign()),
            _ => return None,
        })
    }

    fn fold(&self, graph: &mut Graph, rest: &[&Vector], gate: fn(&mut Graph, Edge, Edge) -> Edge) -> Vector {
        rest.iter().fold(self.clone(), |result, other| {
            Vector(result.0.iter().zip(&other.0).map(|(one, two)| gate(graph, *one, *two)).collect())
        })
    }

    fn extended(&self, width: usize, by: Edge) -> Vector {
        let mut bits = self.0.clone();
        bits.resize(width, by);
        Vector(bits)
    }

    /// Signed numbers are in the order of unsigned ones once the sign counts the other way.
    fn with_flipped_sign(&self) -> Vector {
        let mut bits = self.0.clone();
        let last = bits.len() - 1;
        bits[last] = !bits[last];
        Vector(bits)
    }

    fn sum(&self, graph: &mut Graph, other: &Vector, mut carry: Edge) -> Vector {
        let mut bits = Vec::with_capacity(self.0.len());
        for (one, two) in self.0.iter().zip(&other.0) {
            let (sum, next) = graph.full_adder(*one, *two, carry);
            bits.push(sum);
            carry = next;
        }
        Vector(bits)
    }

    fn difference(&self, graph: &mut Graph, other: &Vector) -> Vector {
        self.sum(graph, &other.complement(), Edge::TRUE)
    }

    fn negated(&self, graph: &mut Graph) -> Vector {
        Vector::zero(self.0.len()).difference(graph, self)
    }

    /// Whether this unsigned number is less than the other: whether their difference borrows.
    fn is_below(&self, graph: &mut Graph, other: &Vector) -> Edge {
        let mut carry = Edge::TRUE;
        for (one, two) in self.0.iter().zip(&other.0) {
            (_, carry) = graph.full_adder(*one, !*two, carry);
        }
        !carry
    }

    fn product(&self, graph: &mut Graph, other: &Vector) -> Vector {
        let width = self.0.len();
        let mut product = Vector::zero(width);
        for (at, bit) in other.0.iter().enumerate() {
            let mut summand = vec![Edge::FALSE; at];
            summand.extend(self.0[..width - at].iter().map(|own| graph.and(*own, *bit)));
            product = product.sum(graph, &Vector(summand), Edge::FALSE);
        }
        product
    }

    fn shifted_left(&self, graph: &mut Graph, by: &Vector) -> Vector {
        let reversed = Vector(self.0.iter().rev().copied().collect());
        let Vector(mut bits) = reversed.shifted_right(graph, by, Edge::FALSE);
        bits.reverse();
        Vector(bits)
    }

    /// A shift to the right by any number; what comes in from the left is `fill`.
    fn shifted_right(&self, graph: &mut Graph, by: &Vector, fill: Edge) -> Vector {
        let width = self.0.len();
        let mut result = self.clone();
        for (at, bit) in by.0.iter().enumerate() {
            let distance = 1_usize.checked_shl(at as u32).filter(|distance| *distance < width);
            let shifted =
                |own: usize| distance.and_then(|by| result.0.get(own + by)).copied().unwrap_or(fill);
            let bits = (0..width).map(|own| graph.ite(*bit, shifted(own), result.0[own])).collect();
            result = Vector(bits);
        }
        result
    }

    /// Quotient and remainder of unsigned numbers, by long division. For divisor zero they are all ones and the dividend: each
    /// partial remainder is then at least the divisor, and nothing is taken off.
    pub(crate) fn divided(&self, graph: &mut Graph, by: &Vector) -> (Vector, Vector) {
        let width = self.0.len();
        let by = by.extended(width + 1, Edge::FALSE);
        let mut rest = Vector::zero(width + 1);
        let mut quotient = vec![Edge::FALSE; width];
        for at in (0..width).rev() {
            rest.0.pop();
            rest.0.insert(0, self.0[at]);
            quotient[at] = !rest.is_below(graph, &by);
            let less = rest.difference(graph, &by);
            rest = Vector::ite(graph, quotient[at], &less, &rest);
        }
        rest.0.pop();
        (Vector(quotient), rest)
    }

    fn signed_quotient(&self, graph: &mut Graph, by: &Vector) -> Vector {
        let (own, other) = (self.magnitude(graph), by.magnitude(graph));
        let quotient = own.divided(graph, &other).0;
        let negated = quotient.negated(graph);
        let signs_differ = graph.xor(self.sign(), by.sign());
        Vector::ite(graph, signs_differ, &negated, &quotient)
    }

    fn signed_remainder(&self, graph: &mut Graph, by: &Vector) -> Vector {
        let (own, other) = (self.magnitude(graph), by.magnitude(graph));
        let remainder = own.divided(graph, &other).1;
        let negated = remainder.negated(graph);
        Vector::ite(graph, self.sign(), &negated, &remainder)
    }

    fn magnitude(&self, graph: &mut Graph) -> Vector {
        let negated = self.negated(graph);
        Vector::ite(graph, self.sign(), &negated, self)
    }
}
