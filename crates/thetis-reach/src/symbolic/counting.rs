//! Comparisons of weighted sums of bits, as Boolean formulas.
//!
//! The formula decides the bits one after the other, as a decision diagram does: at each position, a number is still needed
//! to reach the bound, and equal numbers share a formula. It ends where the remaining bits cannot fail or cannot succeed.
//! Its size is the number of pairs of a position and a needed number that occur, which is small for sums with small
//! weights; a sum with more pairs than [`MAX_NODES`] has no formula.

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Store};

/// The greatest size.
const MAX_NODES: usize = 4_096;

/// `Σ weight · bit >= bound`, or `None` if that is too large.
pub(super) fn at_least(store: &Store, terms: &[(ExprId, i64)], bound: i128) -> Option<ExprId> {
    let mut counting = Counting { store, terms, ends: ends(terms), nodes: FxHashMap::default() };
    counting.build(bound)
}

struct Counting<'t> {
    store: &'t Store,
    terms: &'t [(ExprId, i64)],
    /// The least and the greatest value of the terms from each position on.
    ends: Vec<(i128, i128)>,
    nodes: FxHashMap<(usize, i128), ExprId>,
}

fn ends(terms: &[(ExprId, i64)]) -> Vec<(i128, i128)> {
    let mut ends = vec![(0, 0)];
    for (_, weight) in terms.iter().rev() {
        let (low, high) = *ends.last().expect("there is the end of the empty sum");
        let weight = i128::from(*weight);
        ends.push((low + weight.min(0), high + weight.max(0)));
    }
    ends.reverse();
    ends
}

impl Counting<'_> {
    /// Builds the formulas from the last position to the first, for the numbers that come up from the first to the last.
    fn build(&mut self, bound: i128) -> Option<ExprId> {
        let mut levels: Vec<Vec<i128>> = vec![vec![bound]];
        let mut size = 1;
        for (position, (_, weight)) in self.terms.iter().enumerate() {
            let open = levels[position].iter().filter(|needed| self.decided(position, **needed).is_none());
            let mut next: Vec<i128> =
                open.flat_map(|needed| [*needed, *needed - i128::from(*weight)]).collect();
            next.sort_unstable();
            next.dedup();
            size += next.len();
            if size > MAX_NODES {
                return None;
            }
            levels.push(next);
        }
        for (position, level) in levels.iter().enumerate().rev() {
            for needed in level {
                let node = self.node(position, *needed);
                self.nodes.insert((position, *needed), node);
            }
        }
        Some(self.nodes[&(0, bound)])
    }

    fn node(&self, position: usize, needed: i128) -> ExprId {
        if let Some(value) = self.decided(position, needed) {
            return self.store.boolean(value);
        }
        let (bit, weight) = self.terms[position];
        let set = self.nodes[&(position + 1, needed - i128::from(weight))];
        let unset = self.nodes[&(position + 1, needed)];
        self.store.ite(bit, set, unset)
    }

    /// Whether the terms from `position` on reach `needed`, if that does not depend on them.
    fn decided(&self, position: usize, needed: i128) -> Option<bool> {
        let (low, high) = self.ends[position];
        if low >= needed {
            return Some(true);
        }
        (high < needed).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Sort, Value, VarId, evaluate};

    use super::*;

    #[test]
    fn the_formula_counts() {
        let store = Store::new();
        let vars: Vec<_> = (0..5).map(|number| store.declare(&format!("b{number}"), Sort::Bool)).collect();
        let weights = [1, 3, -2, 1, 2];
        let terms: Vec<_> =
            vars.iter().zip(weights).map(|(var, weight)| (store.var_expr(*var), weight)).collect();
        for bound in -4..=9 {
            let formula = at_least(&store, &terms, bound).expect("the sum is small");
            for bits in 0..32u32 {
                let is_set = |number: usize| bits >> number & 1 == 1;
                let values = |var: VarId| {
                    vars.iter().position(|other| *other == var).map(|number| Value::Bool(is_set(number)))
                };
                let sum: i64 = (0..5).filter(|number| is_set(*number)).map(|number| weights[number]).sum();
                let value = evaluate(&store, formula, &values).expect("all bits have values");
                assert_eq!(value, Value::Bool(i128::from(sum) >= bound), "{bits:b} against {bound}");
            }
        }
    }

    #[test]
    fn a_sum_with_too_many_values_has_no_formula() {
        let store = Store::new();
        let var = |number: u32| store.var_expr(store.declare(&format!("b{number}"), Sort::Bool));
        let powers: Vec<_> = (0..40).rev().map(|number| (var(number), 1i64 << number)).collect();
        assert!(at_least(&store, &powers, 0x55_5555_5555).is_some());
        let odd: Vec<_> =
            (0..40).map(|number| (var(number), 1_000_003 + i64::from(number) * 7_919)).collect();
        assert_eq!(at_least(&store, &odd, 20_000_000), None);
    }
}
