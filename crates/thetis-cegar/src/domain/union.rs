//! Which variables belong together because formulas share them.

use rustc_hash::FxHashMap;
use thetis_expr::VarId;

/// Disjoint sets of variables.
#[derive(Default)]
pub(super) struct Union {
    numbers: FxHashMap<VarId, usize>,
    parents: Vec<usize>,
}

impl Union {
    /// The number of the set of a variable; a new variable is a set of its own.
    pub(super) fn find(&mut self, var: VarId) -> usize {
        let next = self.parents.len();
        let mut at = *self.numbers.entry(var).or_insert(next);
        if at == next {
            self.parents.push(next);
        }
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    /// Joins the sets of all `vars`. Returns the number of their set, if there are any.
    pub(super) fn join(&mut self, vars: &[VarId]) -> Option<usize> {
        let (first, rest) = vars.split_first()?;
        let mut root = self.find(*first);
        for var in rest {
            let other = self.find(*var);
            self.parents[other] = root;
            root = self.find(*first);
        }
        Some(root)
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Sort, Store};

    use super::*;

    #[test]
    fn sets_grow_together() {
        let store = Store::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| store.declare(name, Sort::Bool));
        let mut union = Union::default();
        assert_eq!(union.join(&[]), None);
        union.join(&[a, b]);
        union.join(&[c]);
        assert!(union.find(a) == union.find(b) && union.find(a) != union.find(c));
        union.join(&[b, c]);
        assert!(union.find(a) == union.find(c) && union.find(a) != union.find(d));
    }
}
