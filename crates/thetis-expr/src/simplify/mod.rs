//! The simplifier: bottom-up rewriting by a table of rules, beyond the identities of the constructors.
//!
//! A term is rewritten after its arguments. The first rule of its operator that fires replaces it, and the
//! replacement is simplified in turn, until no rule fires: simplification is idempotent. No rule makes a term much
//! larger, and none recurses over its depth. Results are remembered, so one [`Simplifier`] serves many terms of
//! one store cheaply.
//!
//! Every rule has a stable name, under which it is counted and under which `tests/rules.rs` lists instances of it;
//! the solver proves each of them from their text, so that neither the constructors nor the printer have to be
//! trusted.
//!
//! The rules lead towards: flat conjunctions, disjunctions and sums; no negated comparisons; sums compared with
//! their constant on one side; `<=` instead of `<` on integers; `=` instead of `xor`; extractions and extensions
//! directly on variables.

mod arrays;
mod bit_order;
mod bits;
mod choice;
mod comparison;
mod conversion;
mod equality;
mod junction;
mod linear;
mod number;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::store::Args;
use crate::{ExprId, Op, Store};

/// A rewriting rule.
pub struct Rule {
    name: &'static str,
    apply: fn(&Store, ExprId) -> Option<ExprId>,
}

impl Rule {
    /// The stable name, which is also the key of its count.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// All rules, in no particular order.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The simplification of `expr`.
pub fn simplify(store: &Store, expr: ExprId) -> ExprId {
    Simplifier::new().simplify(store, expr)
}

/// A simplifier that remembers what it did, for the terms of one store.
#[derive(Default)]
pub struct Simplifier {
    done: FxHashMap<ExprId, ExprId>,
    /// The replacements of terms whose simplification is not finished.
    replaced: FxHashMap<ExprId, ExprId>,
    fired: BTreeMap<&'static str, u64>,
}

impl Simplifier {
    /// A simplifier that has done nothing yet.
    pub fn new() -> Simplifier {
        Simplifier::default()
    }

    /// How often each rule fired that did.
    pub fn fired(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.fired.iter().map(|(name, count)| (*name, *count))
    }

    /// The simplification of `root`.
    pub fn simplify(&mut self, store: &Store, root: ExprId) -> ExprId {
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            match self.step(store, expr, &mut stack) {
                Some(result) => {
                    self.done.insert(expr, result);
                    self.replaced.remove(&expr);
                    stack.pop();
                }
                None => continue,
            }
        }
        self.done[&root]
    }

    /// The result for `expr`; none if other terms, now on the stack, have to come first.
    fn step(&mut self, store: &Store, expr: ExprId, stack: &mut Vec<ExprId>) -> Option<ExprId> {
        if let Some(result) = self.done.get(&expr) {
            return Some(*result);
        }
        if let Some(replacement) = self.replaced.get(&expr) {
            return Some(self.done.get(replacement).copied().unwrap_or(expr));
        }
        let args = store.args(expr);
        let pending = stack.len();
        stack.extend(args.iter().rev().filter(|arg| !self.done.contains_key(arg)));
        if stack.len() > pending {
            return None;
        }
        let new_args: Args = args.iter().map(|arg| self.done[arg]).collect();
        let next = if new_args == args { self.fire(store, expr) } else { store.rebuild(expr, &new_args) };
        self.follow(expr, next, stack)
    }

    /// The result for `expr` if that of `next`, by which it is replaced, is known.
    fn follow(&mut self, expr: ExprId, next: ExprId, stack: &mut Vec<ExprId>) -> Option<ExprId> {
        // A replacement that is under way would close a cycle. No rules are known to do that; if they did, the
        // term would stay as it is, since all terms of the cycle mean the same.
        if next == expr || self.replaced.contains_key(&next) {
            return Some(expr);
        }
        if let Some(result) = self.done.get(&next) {
            return Some(*result);
        }
        self.replaced.insert(expr, next);
        stack.push(next);
        None
    }

    /// The replacement of a term with simplified arguments by the first rule that fires; itself if none does.
    fn fire(&mut self, store: &Store, expr: ExprId) -> ExprId {
        for rule in family(store.op(expr)) {
            if let Some(next) = (rule.apply)(store, expr).filter(|next| *next != expr) {
                *self.fired.entry(rule.name).or_default() += 1;
                return next;
            }
        }
        expr
    }
}

const FAMILIES: [&[Rule]; 9] = [
    junction::RULES,
    choice::RULES,
    equality::RULES,
    comparison::RULES,
    bit_order::RULES,
    number::RULES,
    bits::RULES,
    arrays::RULES,
    conversion::RULES,
];

/// The rules for an operator, in the order in which they are tried.
fn family(op: Op) -> &'static [Rule] {
    use Op::*;
    match op {
        And | Or => junction::RULES,
        Ite => choice::RULES,
        Eq | Xor => equality::RULES,
        Not | Le | Lt => comparison::RULES,
        BvUlt | BvUle | BvSlt | BvSle => bit_order::RULES,
        Neg | Add | Sub | Mul | IntDiv | Mod | RealDiv => number::RULES,
        BvNot | BvNeg | BvAnd | BvOr | BvXor | BvAdd | BvSub | BvMul | BvShl | BvLshr | BvAshr => bits::RULES,
        Select | Store => arrays::RULES,
        Concat | Extract(_) | ZeroExtend | SignExtend | ToInt | IntToBv | BvToInt => conversion::RULES,
        // Nothing is known about floats, quotients of bit-vectors and what is left.
        _ => &[],
    }
}
