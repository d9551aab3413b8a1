//! The truth value of a formula when only some variables have values.
//!
//! Most steps that an analysis of values tries are impossible because of one conjunct. That is decided here without building any term. Conjunctions and
//! disjunctions are visited only until they are decided, starting with the parts that were built last: in the condition of a path, these come from the
//! last branches. The conditions of all edges out of a location have much in common, so truth values are cached. The work and the recursion depth are
//! bounded; callers decide the remaining formulas by substitution.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{ExprId, Op, Store, Value, VarId, apply};

/// How many terms are visited at most for one formula.
const MAX_VISITS: u32 = 10_000;

/// How deeply terms are visited.
const MAX_DEPTH: u32 = 200;

/// The truths of formulas under the same values of some variables.
#[derive(Default)]
pub struct PartialTruth {
    /// `None` if it depends on variables without a value, or is too much work.
    truths: FxHashMap<ExprId, Option<bool>>,
}

impl PartialTruth {
    /// Whether a formula is true or false whatever the values of the other variables; `None` if that is not found out. `known` must give the
    /// same values in all calls until [`PartialTruth::clear`].
    pub fn of<'v>(
        &mut self,
        store: &Store,
        formula: ExprId,
        known: &impl Fn(VarId) -> Option<&'v Value>,
    ) -> Option<bool> {
        Visit { store, known, truths: &mut self.truths, visits: MAX_VISITS, depth: MAX_DEPTH }.truth(formula)
    }

    /// Forgets everything: the values are others.
    pub fn clear(&mut self) {
        self.truths.clear();
    }
}

struct Visit<'a, F> {
    store: &'a Store,
    known: &'a F,
    truths: &'a mut FxHashMap<ExprId, Option<bool>>,
    /// How many visits are left.
    visits: u32,
    /// How much deeper terms may be visited.
    depth: u32,
}

impl<'v, F: Fn(VarId) -> Option<&'v Value>> Visit<'_, F> {
    fn truth(&mut self, formula: ExprId) -> Option<bool> {
        if let Some(known) = self.truths.get(&formula) {
            return *known;
        }
        self.visits = self.visits.checked_sub(1)?;
        self.depth = self.depth.checked_sub(1)?;
        let truth = match self.store.op(formula) {
            Op::And => self.junction(formula, false),
            Op::Or => self.junction(formula, true),
            Op::Not => self.truth(self.store.arg(formula, 0)).map(|truth| !truth),
            _ => match self.value(formula) {
                Some(Value::Bool(truth)) => Some(truth),
                _ => None,
            },
        };
        self.depth += 1;
        self.truths.insert(formula, truth);
        truth
    }

    /// A conjunction or disjunction; an argument with the value `decisive` decides it.
    fn junction(&mut self, formula: ExprId, decisive: bool) -> Option<bool> {
        let mut is_open = false;
        for arg in self.store.args(formula).into_iter().rev() {
            match self.truth(arg) {
                Some(truth) if truth == decisive => return Some(decisive),
                Some(_) => {}
                None => is_open = true,
            }
        }
        (!is_open).then_some(!decisive)
    }

    fn value(&mut self, expr: ExprId) -> Option<Value> {
        match self.store.op(expr) {
            Op::Const(_) => return self.store.value(expr),
            Op::Var(var) => return (self.known)(var).cloned(),
            Op::And | Op::Or | Op::Not => return self.truth(expr).map(Value::Bool),
            _ => {}
        }
        self.visits = self.visits.checked_sub(1)?;
        self.depth = self.depth.checked_sub(1)?;
        let value = match self.store.op(expr) {
            Op::Ite => self.choice(expr),
            _ => self.application(expr),
        };
        self.depth += 1;
        value
    }

    fn choice(&mut self, expr: ExprId) -> Option<Value> {
        let [condition, then, otherwise] = [0, 1, 2].map(|index| self.store.arg(expr, index));
        match self.truth(condition) {
            Some(true) => self.value(then),
            Some(false) => self.value(otherwise),
            None => {
                let value = self.value(then)?;
                (self.value(otherwise)? == value).then_some(value)
            }
        }
    }

    fn application(&mut self, expr: ExprId) -> Option<Value> {
        let args: Option<SmallVec<[Value; 4]>> =
            self.store.args(expr).into_iter().map(|arg| self.value(arg)).collect();
        let args = args?;
        let args: SmallVec<[&Value; 4]> = args.iter().collect();
        Some(apply(self.store, expr, &args))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn one_argument_decides() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.declare(name, Sort::Int));
        let seven = Value::int(7);
        let known = |var| (var == x).then_some(&seven);
        let is = |var, number: i64| store.eq(store.var_expr(var), store.int(number));
        let cases = [
            (is(x, 7), Some(true)),
            (is(y, 7), None),
            (store.and(is(y, 1), is(x, 8)), Some(false)),
            (store.and(is(y, 1), is(x, 7)), None),
            (store.or(is(y, 1), is(x, 7)), Some(true)),
            (store.not(store.or(is(y, 1), is(x, 8))), None),
            (store.ite(is(x, 7), is(x, 8), is(y, 1)), Some(false)),
            (store.ite(is(y, 7), is(x, 8), is(x, 9)), Some(false)),
            (store.lt(store.add(store.var_expr(x), store.int(1)), store.int(9)), Some(true)),
            (store.lt(store.add(store.var_expr(x), store.var_expr(y)), store.int(9)), None),
        ];
        for (formula, expected) in cases {
            assert_eq!(PartialTruth::default().of(&store, formula, &known), expected, "{formula:?}");
        }
    }

    #[test]
    fn a_million_levels_are_not_decided() {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        let mut deep = store.var_expr(x);
        for _ in 0..1_000_000 {
            deep = store.sub(store.int(1), deep);
        }
        let one = Value::int(1);
        assert_eq!(PartialTruth::default().of(&store, store.eq(deep, store.int(1)), &|_| Some(&one)), None);
    }
}
