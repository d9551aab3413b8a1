//! Affine spaces that grow by points, and their equations.

use num_bigint::BigInt;
use num_traits::{One, Zero};
use thetis_expr::{ExprId, Store};

/// An affine space: the smallest one of its kind that contains the points so far.
pub(super) trait Space {
    /// Grows to contain a point.
    fn include(&mut self, point: &[BigInt]);

    /// The equations that exactly the points of the space satisfy.
    fn equations(&self) -> Vec<Equation>;
}

/// That a sum is a constant, or has it as remainder.
pub(super) struct Equation {
    /// The factor of each coordinate.
    pub(super) factors: Vec<BigInt>,
    /// The constant, which is not negative and less than the modulus if there is one.
    pub(super) constant: BigInt,
    /// The number of bits of the modulus, if the equation is modulo a power of two.
    pub(super) modulus: Option<u32>,
}

impl Equation {
    /// The equation over integers that `term` gives for the coordinates.
    pub(super) fn of_integers(&self, store: &Store, term: impl Fn(usize) -> ExprId) -> ExprId {
        let mut sum = store.int(0);
        for (number, factor) in self.factors.iter().enumerate().filter(|(_, factor)| !factor.is_zero()) {
            sum = store.add(sum, store.mul(store.int(factor.clone()), term(number)));
        }
        let sum = match self.modulus {
            Some(bits) => store.modulo(sum, store.int(BigInt::one() << bits)),
            None => sum,
        };
        store.eq(sum, store.int(self.constant.clone()))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use thetis_expr::Sort;
    use thetis_expr::infix::print;

    use super::*;

    impl Equation {
        /// Whether a point satisfies the equation.
        pub(crate) fn holds(&self, point: &[BigInt]) -> bool {
            let sum: BigInt = self.factors.iter().zip(point).map(|(factor, value)| factor * value).sum();
            let difference = sum - &self.constant;
            match self.modulus {
                Some(bits) => (difference % (BigInt::one() << bits)).is_zero(),
                None => difference.is_zero(),
            }
        }
    }

    /// The equations, as text, of the space of `points` that `start` begins with the first of them.
    pub(crate) fn equations_of(points: &[[i64; 3]], start: impl Fn(&[BigInt]) -> Box<dyn Space>) -> String {
        let store = Store::new();
        let vars = ["x", "y", "z"].map(|name| store.var(name, Sort::Int));
        let points: Vec<_> = points.iter().map(|point| point.map(BigInt::from)).collect();
        let mut space = start(&points[0]);
        points.iter().for_each(|point| space.include(point));
        let equations = space.equations();
        let formulas = equations.iter().map(|equation| equation.of_integers(&store, |number| vars[number]));
        print(&store, store.and_all(formulas))
    }
}
