//! Traversals without recursion.
//!
//! Terms are graphs with shared parts and can be millions of nodes deep, so every traversal keeps its own stack and
//! visits a shared term once.

use rustc_hash::FxHashMap;
use thetis_base::tick;

use crate::store::Args;
use crate::{ExprId, Op, Store, VarId};

/// Visits every distinct sub-term of the roots once, arguments before the terms that use them.
pub struct Postorder<'s> {
    store: &'s Store,
    stack: Vec<Visit>,
    seen: FxHashMap<ExprId, ()>,
}

enum Visit {
    Enter(ExprId),
    Leave(ExprId),
}

impl<'s> Postorder<'s> {
    /// The traversal of everything below `roots`.
    pub fn new(store: &'s Store, roots: impl IntoIterator<Item = ExprId>) -> Postorder<'s> {
        let mut stack: Vec<Visit> = roots.into_iter().map(Visit::Enter).collect();
        stack.reverse();
        Postorder { store, stack, seen: FxHashMap::default() }
    }
}

impl Iterator for Postorder<'_> {
    type Item = ExprId;

    fn next(&mut self) -> Option<ExprId> {
        tick();
        loop {
            match self.stack.pop()? {
                Visit::Leave(expr) => return Some(expr),
                Visit::Enter(expr) => {
                    if self.seen.insert(expr, ()).is_some() {
                        continue;
                    }
                    self.stack.push(Visit::Leave(expr));
                    self.stack.extend(self.store.args(expr).iter().rev().map(|arg| Visit::Enter(*arg)));
                }
            }
        }
    }
}

/// A simultaneous replacement of variables by terms that remembers what it has done, so that one replacer serves many
/// roots. Variables in the terms that are put in are not replaced.
pub struct Replacer<F> {
    replace: F,
    done: FxHashMap<ExprId, ExprId>,
}

impl<F: FnMut(&Store, VarId) -> Option<ExprId>> Replacer<F> {
    /// A replacer that asks `replace` for the term of each variable; `None` leaves the variable alone.
    pub fn new(replace: F) -> Replacer<F> {
        Replacer { replace, done: FxHashMap::default() }
    }

    /// `root` with its variables replaced.
    pub fn apply(&mut self, store: &Store, root: ExprId) -> ExprId {
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            tick();
            if self.done.contains_key(&expr) {
                stack.pop();
                continue;
            }
            let args = store.args(expr);
            let pending = stack.len();
            stack.extend(args.iter().rev().filter(|arg| !self.done.contains_key(arg)));
            if stack.len() > pending {
                continue;
            }
            stack.pop();
            let replaced = self.replaced(store, expr, &args);
            self.done.insert(expr, replaced);
        }
        self.done[&root]
    }

    fn replaced(&mut self, store: &Store, expr: ExprId, args: &Args) -> ExprId {
        if let Some(var) = store.as_var(expr) {
            return (self.replace)(store, var).unwrap_or(expr);
        }
        let new_args: Args = args.iter().map(|arg| self.done[arg]).collect();
        if new_args == *args { expr } else { store.rebuild(expr, &new_args) }
    }
}

impl Store {
    /// The variables of the roots, each once, in the order of first occurrence.
    pub fn vars_of(&self, roots: impl IntoIterator<Item = ExprId>) -> Vec<VarId> {
        Postorder::new(self, roots).filter_map(|expr| self.as_var(expr)).collect()
    }

    /// The number of distinct sub-terms of `root`.
    pub fn size(&self, root: ExprId) -> usize {
        Postorder::new(self, [root]).count()
    }

    /// The conjuncts of a formula, nested conjunctions taken apart.
    pub fn conjuncts(&self, formula: ExprId) -> Vec<ExprId> {
        self.parts(formula, Op::And, self.tru())
    }

    /// The disjuncts of a formula, nested disjunctions taken apart; none if it is `false`.
    pub fn disjuncts(&self, formula: ExprId) -> Vec<ExprId> {
        self.parts(formula, Op::Or, self.fals())
    }

    /// The parts that `connective` joins, except for its neutral element. What is shared inside is taken apart once.
    fn parts(&self, formula: ExprId, connective: Op, neutral: ExprId) -> Vec<ExprId> {
        let (mut parts, mut stack) = (Vec::new(), vec![formula]);
        let mut opened: FxHashMap<ExprId, ()> = FxHashMap::default();
        while let Some(part) = stack.pop() {
            if self.op(part) == connective {
                if part == formula || opened.insert(part, ()).is_none() {
                    stack.extend(self.args(part).iter().rev());
                }
            } else if part != neutral {
                parts.push(part);
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn postorder_visits_shared_terms_once() {
        let store = Store::new();
        let x = store.var("x", Sort::Int);
        let twice = store.add(x, x);
        let root = store.mul(twice, twice);
        let order: Vec<_> = Postorder::new(&store, [root]).collect();
        assert_eq!(order, [x, twice, root]);
    }

    #[test]
    fn replacing_shares_its_memory() {
        let store = Store::new();
        let (x, y) = (store.var("x", Sort::Int), store.var("y", Sort::Int));
        let mut calls = 0;
        let mut replacer = Replacer::new(|_: &Store, _| {
            calls += 1;
            Some(y)
        });
        let sum = store.add(x, store.int(1));
        let replaced = store.add(y, store.int(1));
        assert_eq!(replacer.apply(&store, sum), replaced);
        assert_eq!(replacer.apply(&store, store.mul(sum, sum)), store.mul(replaced, replaced));
        assert_eq!(calls, 1);
    }

    #[test]
    fn what_comes_in_is_not_replaced_again() {
        let store = Store::new();
        let p = store.var("p", Sort::Bool);
        let mut negate = Replacer::new(|store: &Store, var| Some(store.not(store.var_expr(var))));
        assert_eq!(negate.apply(&store, store.not(p)), p, "the negations cancel and leave a variable");
    }

    #[test]
    fn conjuncts_are_flat_and_in_order() {
        let store = Store::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| store.var(name, Sort::Bool));
        assert_eq!(store.conjuncts(store.and(store.and(a, b), c)).len(), 3);
        assert!(store.conjuncts(store.tru()).is_empty());
        assert_eq!(store.disjuncts(store.or(a, store.or(b, store.and(b, c)))).len(), 3);
        assert!(store.disjuncts(store.fals()).is_empty());
    }

    #[test]
    fn shared_conjunctions_are_taken_apart_once() {
        let store = Store::new();
        let mut formula = store.var("p", Sort::Bool);
        for level in 0..60 {
            let [left, right] = ["l", "r"].map(|side| store.var(&format!("{side}{level}"), Sort::Bool));
            formula = store.and(store.and(formula, left), store.and(formula, right));
        }
        assert!(store.conjuncts(formula).len() <= 1000);
    }
}
