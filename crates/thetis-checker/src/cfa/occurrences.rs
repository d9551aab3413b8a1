//! Which variables of a model occur in which terms, so that substitution leaves out what it cannot change.
//!
//! Weakest preconditions replace one variable after the other in formulas that grow. Visiting the whole formula
//! each time would cost the square of its size. Here every term has a mask: one bit for each variable, variables with
//! equal indices modulo 64 sharing one. A term without the bit of a variable does not contain it.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_expr::{Args, ExprId, Store, VarId};

/// The masks of the terms seen so far.
pub(super) struct Occurrences {
    vars: FxHashSet<VarId>,
    masks: FxHashMap<ExprId, u64>,
}

impl Occurrences {
    /// Only `vars` are looked for, and only they can be replaced.
    pub(super) fn new(vars: &[VarId]) -> Occurrences {
        Occurrences { vars: vars.iter().copied().collect(), masks: FxHashMap::default() }
    }

    /// Those of `candidates` that occur in `root`.
    pub(super) fn among(&mut self, store: &Store, root: ExprId, candidates: &BTreeSet<VarId>) -> Vec<VarId> {
        let wanted = candidates.iter().fold(0, |mask, var| mask | bit(*var));
        let (mut found, mut seen) = (BTreeSet::new(), FxHashSet::default());
        let mut stack = vec![root];
        while let Some(expr) = stack.pop() {
            if self.mask(store, expr) & wanted == 0 || !seen.insert(expr) {
                continue;
            }
            found.extend(store.as_var(expr).filter(|var| candidates.contains(var)));
            stack.extend(store.args(expr));
        }
        found.into_iter().collect()
    }

    /// Which variables may occur in `root`, quickly.
    pub(super) fn filter(&mut self, store: &Store, root: ExprId) -> impl Fn(VarId) -> bool + use<> {
        let mask = self.mask(store, root);
        move |var| mask & bit(var) != 0
    }

    /// `root` with variables replaced by terms, all at once.
    pub(super) fn replace(&mut self, store: &Store, root: ExprId, by: &[(VarId, ExprId)]) -> ExprId {
        let wanted = by.iter().fold(0, |mask, (var, _)| mask | bit(*var));
        let mut done: FxHashMap<ExprId, ExprId> =
            by.iter().map(|(var, term)| (store.var_expr(*var), *term)).collect();
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if done.contains_key(&expr) {
                stack.pop();
                continue;
            }
            if self.mask(store, expr) & wanted == 0 {
                done.insert(expr, expr);
                continue;
            }
            let args = store.args(expr);
            let num_pending = stack.len();
            stack.extend(args.iter().filter(|arg| !done.contains_key(arg)));
            if stack.len() == num_pending {
                let new_args: Args = args.iter().map(|arg| done[arg]).collect();
                done.insert(expr, store.rebuild(expr, &new_args));
            }
        }
        done[&root]
    }

    fn mask(&mut self, store: &Store, root: ExprId) -> u64 {
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            let args = store.args(expr);
            let num_pending = stack.len();
            if !self.masks.contains_key(&expr) {
                stack.extend(args.iter().filter(|arg| !self.masks.contains_key(arg)));
            }
            if stack.len() == num_pending {
                stack.pop();
                let own = store.as_var(expr).filter(|var| self.vars.contains(var)).map_or(0, bit);
                let mask = args.iter().fold(own, |mask, arg| mask | self.masks[arg]);
                self.masks.insert(expr, mask);
            }
        }
        self.masks[&root]
    }
}

fn bit(var: VarId) -> u64 {
    1 << (var.index() % 64)
}
