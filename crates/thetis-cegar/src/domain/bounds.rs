//! Conjunctions in which every conjunct compares one variable with a number: decided without a solver.
//!
//! State machines lead to few other conditions: the state is this one or none of those, an input is in its range. Each variable
//! has a least and a greatest value and some excluded values in between, and variables do not depend on each other, so the
//! conjunction has a model if every variable has a value left.

use std::collections::{BTreeMap, BTreeSet};

use thetis_expr::{ExprId, Op, Sort, Store, Value, VarId};

/// What a conjunction says about its variables.
#[derive(Default, Debug)]
pub(super) struct Bounds {
    vars: BTreeMap<VarId, Allowed>,
}

/// The values of a variable. Truth values are 0 and 1.
#[derive(Debug)]
struct Allowed {
    low: i128,
    high: i128,
    excluded: BTreeSet<i128>,
}

/// Larger numbers are left to the solver; no bound is beyond these.
const LIMIT: i128 = 1 << 100;
const NO_LOW: i128 = -2 * LIMIT;
const NO_HIGH: i128 = 2 * LIMIT;

/// How many values there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NumValues {
    One(Value),
    Several,
}

impl Bounds {
    /// The bounds of a conjunction, if it consists of nothing else.
    pub(super) fn of(store: &Store, formulas: impl IntoIterator<Item = ExprId>) -> Option<Bounds> {
        let mut bounds = Bounds::default();
        for formula in formulas {
            for conjunct in store.conjuncts(formula) {
                bounds.add(store, conjunct)?;
            }
        }
        bounds.vars.values_mut().for_each(Allowed::tighten);
        Some(bounds)
    }

    fn add(&mut self, store: &Store, conjunct: ExprId) -> Option<()> {
        let (atom, holds) = match store.op(conjunct) {
            Op::Not => (store.arg(conjunct, 0), false),
            _ => (conjunct, true),
        };
        if conjunct == store.tru() {
            return Some(());
        }
        if let Some(var) = store.as_var(atom) {
            self.allowed(store, var)?.exclude(i128::from(!holds));
            return Some(());
        }
        let (Op::Eq | Op::Le | Op::Lt) = store.op(atom) else { return None };
        let (left, right) = (store.arg(atom, 0), store.arg(atom, 1));
        let (var, number, is_left) = match (store.as_var(left), store.as_var(right)) {
            (Some(var), None) => (var, number(store, right)?, true),
            (None, Some(var)) => (var, number(store, left)?, false),
            _ => return None,
        };
        let allowed = self.allowed(store, var)?;
        match (store.op(atom), holds) {
            (Op::Eq, true) => {
                allowed.at_least(number);
                allowed.at_most(number);
            }
            (Op::Eq, false) => allowed.exclude(number),
            // `x <= n`, and `not (n < x)`; strictly so `x < n` and `not (n <= x)`.
            (op, _) if holds == is_left => allowed.at_most(number - i128::from((op == Op::Lt) == holds)),
            (op, _) => allowed.at_least(number + i128::from((op == Op::Lt) == holds)),
        }
        Some(())
    }

    fn allowed(&mut self, store: &Store, var: VarId) -> Option<&mut Allowed> {
        let (low, high) = match store.var_sort(var) {
            Sort::Int => (NO_LOW, NO_HIGH),
            Sort::Bool => (0, 1),
            _ => return None,
        };
        Some(self.vars.entry(var).or_insert_with(|| Allowed { low, high, excluded: BTreeSet::new() }))
    }

    /// Whether there is a model.
    pub(super) fn is_possible(&self) -> bool {
        self.vars.values().all(|allowed| allowed.low <= allowed.high)
    }

    /// How many values a variable has in models. There should be one.
    pub(super) fn num_values(&self, store: &Store, var: VarId) -> NumValues {
        match self.vars.get(&var) {
            Some(allowed) if allowed.low == allowed.high => NumValues::One(value(store, var, allowed.low)),
            _ => NumValues::Several,
        }
    }

    /// The value of a variable in one of the models, always the same one; `None` if it may have any.
    pub(super) fn in_a_model(&self, store: &Store, var: VarId) -> Option<Value> {
        let allowed = self.vars.get(&var)?;
        let number = match (allowed.low, allowed.high) {
            (NO_LOW, NO_HIGH) => (0..).find(|number| !allowed.excluded.contains(number))?,
            (NO_LOW, high) => high,
            (low, _) => low,
        };
        Some(value(store, var, number))
    }
}

impl Allowed {
    fn at_least(&mut self, number: i128) {
        self.low = self.low.max(number);
    }

    fn at_most(&mut self, number: i128) {
        self.high = self.high.min(number);
    }

    fn exclude(&mut self, number: i128) {
        self.excluded.insert(number);
    }

    /// Moves the bounds to values that are allowed.
    fn tighten(&mut self) {
        while self.low <= self.high && self.excluded.contains(&self.low) {
            self.low += 1;
        }
        while self.low <= self.high && self.excluded.contains(&self.high) {
            self.high -= 1;
        }
    }
}

fn number(store: &Store, term: ExprId) -> Option<i128> {
    let Value::Int(number) = store.value(term)? else { return None };
    i128::try_from(number).ok().filter(|number| (-LIMIT..LIMIT).contains(number))
}

fn value(store: &Store, var: VarId, number: i128) -> Value {
    match store.var_sort(var) {
        Sort::Bool => Value::Bool(number == 1),
        _ => Value::int(number),
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::evaluate;

    use super::*;

    /// Numbers that look random (Marsaglia's xorshift).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 16) as usize % limit
        }
    }

    /// A random comparison with a small number, or a truth value.
    fn literal(store: &Store, numbers: &mut Numbers, vars: &[VarId]) -> ExprId {
        let var = vars[numbers.below(vars.len())];
        let term = store.var_expr(var);
        let number = store.int(numbers.below(5) as i64 - 2);
        let atom = match (store.var_sort(var), numbers.below(5)) {
            (Sort::Bool, _) => term,
            (_, 0) => store.eq(term, number),
            (_, 1) => store.le(term, number),
            (_, 2) => store.lt(term, number),
            (_, 3) => store.le(number, term),
            _ => store.lt(number, term),
        };
        if numbers.below(2) == 0 { atom } else { store.not(atom) }
    }

    #[test]
    fn bounds_agree_with_all_values() {
        let store = Store::new();
        let vars =
            [store.declare("x", Sort::Int), store.declare("y", Sort::Int), store.declare("b", Sort::Bool)];
        let mut numbers = Numbers(5);
        let (mut num_possible, mut num_single) = (0, 0);
        for _ in 0..3000 {
            let formulas: Vec<ExprId> = (0..6).map(|_| literal(&store, &mut numbers, &vars)).collect();
            let whole = store.and_all(formulas.iter().copied());
            if store.is_literal(whole) {
                continue;
            }
            let bounds = Bounds::of(&store, formulas).unwrap();
            let mut models = Vec::new();
            for (x, y, b) in (-4..=4).flat_map(|x| (-4..=4).flat_map(move |y| [(x, y, false), (x, y, true)]))
            {
                let values = [Value::int(x), Value::int(y), Value::Bool(b)];
                let of = |var| vars.iter().position(|other| *other == var).map(|at| values[at].clone());
                if evaluate(&store, whole, &of).unwrap() == Value::Bool(true) {
                    models.push(values.clone());
                }
            }
            assert_eq!(bounds.is_possible(), !models.is_empty());
            if models.is_empty() {
                continue;
            }
            num_possible += 1;
            let of = |var| bounds.in_a_model(&store, var).or(Some(Value::int(0)));
            assert_eq!(evaluate(&store, whole, &of), Ok(Value::Bool(true)));
            for (at, var) in vars.iter().enumerate() {
                let all: BTreeSet<&Value> = models.iter().map(|model| &model[at]).collect();
                let expected = match all.len() {
                    1 => NumValues::One(models[0][at].clone()),
                    _ => NumValues::Several,
                };
                num_single += usize::from(expected != NumValues::Several);
                assert_eq!(bounds.num_values(&store, *var), expected);
            }
        }
        assert!(
            num_possible > 300 && num_single > 300,
            "{num_possible} with models, {num_single} single values"
        );
    }

    #[test]
    fn other_formulas_are_left_to_the_solver() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Int));
        let one = store.int(1);
        let word = store.var("w", Sort::bitvec(8));
        for formula in [
            store.lt(x, y),
            store.or(store.eq(x, one), store.eq(y, one)),
            store.eq(store.add(x, y), one),
            store.eq(word, store.literal(thetis_expr::default_value(&store, Sort::bitvec(8)))),
        ] {
            assert!(Bounds::of(&store, [formula, store.lt(x, one)]).is_none());
        }
    }
}
