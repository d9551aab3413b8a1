//! Simultaneous substitution of variables by terms.

use rustc_hash::FxHashMap;

use crate::{ExprId, Replacer, Store, VarId};

/// A finite map from variables to terms of the same sort, applied simultaneously.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    map: FxHashMap<VarId, ExprId>,
}

impl Substitution {
    /// The identity.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Maps `var` to `expr`, replacing what it was mapped to.
    ///
    /// # Panics
    /// If their sorts differ.
    pub fn insert(&mut self, store: &Store, var: VarId, expr: ExprId) {
        assert_eq!(store.var_sort(var), store.sort(expr), "a substitution should keep sorts");
        self.map.insert(var, expr);
    }

    /// Forgets what `var` is mapped to.
    pub fn remove(&mut self, var: VarId) {
        self.map.remove(&var);
    }

    /// What `var` is mapped to, if it is.
    pub fn get(&self, var: VarId) -> Option<ExprId> {
        self.map.get(&var).copied()
    }

    /// Whether nothing is mapped.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The term with all mapped variables replaced.
    pub fn apply(&self, store: &Store, expr: ExprId) -> ExprId {
        if self.is_empty() {
            return expr;
        }
        Replacer::new(|_: &Store, var| self.get(var)).apply(store, expr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn substitution_is_simultaneous() {
        let store = Store::new();
        let (x, y) = (store.declare("x", Sort::Int), store.declare("y", Sort::Int));
        let (ex, ey) = (store.var_expr(x), store.var_expr(y));
        let mut swap = Substitution::new();
        swap.insert(&store, x, ey);
        swap.insert(&store, y, ex);
        assert_eq!(swap.apply(&store, store.sub(ex, ey)), store.sub(ey, ex));
    }
}
