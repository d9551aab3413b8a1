//! Implicants: from one model of a formula to a conjunction of literals that implies the formula.
//!
//! A model says which disjunct holds, which branch of an `if` is taken, whether a read of a written array reads what was
//! written, and how often a value wraps around. The literals that record these decisions, together with the atoms that they lead to, hold in the model, and
//! wherever they hold the formula holds. No literal contains an `if` or reads a written array, so each is a plain atom or its
//! negation; what follows the path of the model stays symbolic.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::FxHashMap;
use thetis_expr::simplify::Simplifier;
use thetis_expr::{EvalError, ExprId, Op, Postorder, Sort, Store, Value, VarId, evaluate_all};

/// Divisors from this value on are taken for the ranges of machine integers.
const LEAST_RANGE: u32 = 256;

/// The values of variables in a model.
pub type Point = FxHashMap<VarId, Value>;

/// Literals that hold at `point` and whose conjunction implies `formulas`, which hold there too; in the order of their ids.
/// Every variable of the formulas must have a value.
///
/// # Errors
/// If a variable has no value.
///
/// # Panics
/// If a formula does not hold at `point`.
pub fn implicant(store: &Store, formulas: &[ExprId], point: &Point) -> Result<Vec<ExprId>, EvalError> {
    let mut walk = Walk {
        store,
        values: values_of_parts(store, formulas, point)?,
        pending: Vec::new(),
        resolved: FxHashMap::default(),
        literals: BTreeSet::new(),
        simplifier: Simplifier::new(),
    };
    for formula in formulas {
        assert!(walk.holds(*formula), "an implicant should be asked for at a model of the formula");
        walk.pending.push((*formula, true));
    }
    walk.run();
    Ok(walk.literals.into_iter().collect())
}

/// The values of all parts of `formulas` on which decisions depend.
fn values_of_parts(
    store: &Store,
    formulas: &[ExprId],
    point: &Point,
) -> Result<FxHashMap<ExprId, Value>, EvalError> {
    let is_array = |part: &ExprId| matches!(store.sort(*part), Sort::Array(_));
    let parts: Vec<ExprId> =
        Postorder::new(store, formulas.iter().copied()).filter(|part| !is_array(part)).collect();
    let values = evaluate_all(store, &parts, &|var: VarId| point.get(&var).cloned())?;
    Ok(parts.into_iter().zip(values).collect())
}

struct Walk<'s> {
    store: &'s Store,
    values: FxHashMap<ExprId, Value>,
    /// Formulas that have to be true or false.
    pending: Vec<(ExprId, bool)>,
    /// Terms with the decisions of the model resolved.
    resolved: FxHashMap<ExprId, ExprId>,
    literals: BTreeSet<ExprId>,
    simplifier: Simplifier,
}

impl Walk<'_> {
    fn holds(&self, formula: ExprId) -> bool {
        self.values[&formula] == Value::Bool(true)
    }

    fn run(&mut self) {
        let mut seen: BTreeSet<(ExprId, bool)> = BTreeSet::new();
        while let Some((formula, wanted)) = self.pending.pop() {
            if seen.insert((formula, wanted)) {
                self.visit(formula, wanted);
            }
        }
    }

    fn visit(&mut self, formula: ExprId, wanted: bool) {
        let store = self.store;
        let args = store.args(formula);
        match store.op(formula) {
            Op::Not => self.pending.push((args[0], !wanted)),
            Op::And | Op::Or if (store.op(formula) == Op::And) == wanted => {
                self.pending.extend(args.iter().map(|arg| (*arg, wanted)));
            }
            Op::And | Op::Or => {
                let decisive = args.iter().find(|arg| self.holds(**arg) == wanted);
                self.pending.push((*decisive.expect("one argument should decide"), wanted));
            }
            Op::Ite => {
                let is_taken = self.holds(args[0]);
                self.pending.push((args[0], is_taken));
                self.pending.push((if is_taken { args[1] } else { args[2] }, wanted));
            }
            Op::Xor => self.as_they_are(&args),
            Op::Eq if store.sort(args[0]) == Sort::Bool => self.as_they_are(&args),
            Op::Const(_) => {}
            _ => self.atom(formula, wanted),
        }
    }

    /// Each of `formulas` must have its truth value in the model.
    fn as_they_are(&mut self, formulas: &[ExprId]) {
        for formula in formulas {
            self.pending.push((*formula, self.holds(*formula)));
        }
    }

    /// Adds an atom or its negation, and what its form depends on.
    fn atom(&mut self, atom: ExprId, wanted: bool) {
        let atom = self.resolve(atom);
        self.add(if wanted { atom } else { self.store.not(atom) });
    }

    /// `root` without decisions that the model has made.
    fn resolve(&mut self, root: ExprId) -> ExprId {
        let store = self.store;
        for part in Postorder::new(store, [root]) {
            if self.resolved.contains_key(&part) {
                continue;
            }
            let args = store.args(part);
            let simpler = match store.op(part) {
                Op::Ite if store.sort(part) != Sort::Bool => {
                    let is_taken = self.holds(args[0]);
                    self.pending.push((args[0], is_taken));
                    self.resolved[if is_taken { &args[1] } else { &args[2] }]
                }
                Op::Select => self.resolve_read(args[0], args[1]),
                Op::Mod | Op::IntDiv => self.resolve_division(part, args[0], args[1]),
                _ if args.is_empty() => part,
                _ => {
                    let args: Vec<ExprId> = args.iter().map(|arg| self.resolved[arg]).collect();
                    store.rebuild(part, &args)
                }
            };
            self.resolved.insert(part, simpler);
        }
        self.resolved[&root]
    }

    /// The read of `array`, which may be an `if` or written to, at `index`.
    fn resolve_read(&mut self, mut array: ExprId, index: ExprId) -> ExprId {
        let store = self.store;
        loop {
            let args = store.args(array);
            match store.op(array) {
                Op::Ite => {
                    let is_taken = self.holds(args[0]);
                    self.pending.push((args[0], is_taken));
                    array = if is_taken { args[1] } else { args[2] };
                }
                Op::Store => {
                    let is_same = self.values[&args[1]] == self.values[&index];
                    self.decide_indices(args[1], index, is_same);
                    if is_same {
                        return self.resolved[&args[2]];
                    }
                    array = args[0];
                }
                _ => return store.select(self.resolved[&array], self.resolved[&index]),
            }
        }
    }

    /// A division or remainder by a large number: the model says which multiple of it is subtracted. That is how
    /// machine arithmetic wraps around, usually not at all. Division by small numbers is unchanged: parity is not a
    /// range.
    fn resolve_division(&mut self, term: ExprId, dividend: ExprId, divisor: ExprId) -> ExprId {
        let store = self.store;
        let (inner, by) = (self.resolved[&dividend], self.resolved[&divisor]);
        let (Value::Int(value), Some(Value::Int(number))) = (&self.values[&dividend], store.value(by)) else {
            return store.rebuild(term, &[inner, by]);
        };
        if number < BigInt::from(LEAST_RANGE) {
            return store.rebuild(term, &[inner, by]);
        }
        let quotient = value.div_floor(&number);
        let first = &quotient * &number;
        let last = &first + &number - 1;
        let bounds = [store.le(store.int(first.clone()), inner), store.le(inner, store.int(last))];
        bounds.into_iter().for_each(|bound| self.add(bound));
        match store.op(term) {
            Op::Mod => store.sub(inner, store.int(first)),
            _ => store.int(quotient),
        }
    }

    /// Adds a literal.
    fn add(&mut self, literal: ExprId) {
        let literal = self.simplifier.simplify(self.store, literal);
        self.literals.extend(self.store.conjuncts(literal));
    }

    /// Records whether two indices are the same.
    fn decide_indices(&mut self, one: ExprId, other: ExprId, is_same: bool) {
        let equation = self.store.eq(self.resolved[&one], self.resolved[&other]);
        self.add(if is_same { equation } else { self.store.not(equation) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(store: &Store, formula: ExprId, point: &[(VarId, Value)], expected: &[ExprId]) {
        let point: Point = point.iter().cloned().collect();
        let mut expected = expected.to_vec();
        expected.sort();
        assert_eq!(implicant(store, &[formula], &point).unwrap(), expected);
    }

    #[test]
    fn the_model_decides() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.declare(name, Sort::Int));
        let [tx, ty] = [x, y].map(|var| store.var_expr(var));
        let (zero, five) = (store.int(0), store.int(5));
        let at = |a: i32, b: i32| [(x, Value::int(a)), (y, Value::int(b))];
        let either = store.or(store.le(tx, zero), store.le(five, ty));
        check(&store, either, &at(0, 0), &[store.le(tx, zero)]);
        check(&store, either, &at(1, 7), &[store.le(five, ty)]);
        let larger = store.ite(store.le(tx, ty), ty, tx);
        let bounded = store.le(larger, five);
        check(&store, bounded, &at(1, 2), &[store.le(tx, ty), store.le(ty, five)]);
        let equivalent = store.eq(store.le(tx, zero), store.le(ty, zero));
        check(&store, equivalent, &at(0, -1), &[store.le(tx, zero), store.le(ty, zero)]);
    }

    #[test]
    fn wraps_are_decided() {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        let (tx, range) = (store.var_expr(x), store.int(256));
        let sum = store.modulo(store.add(tx, store.int(1)), range);
        let large = store.le(store.int(7), sum);
        let at = |value: i32| [(x, Value::int(value))];
        let bounds = |low: i32, high: i32| [store.le(store.int(low), tx), store.le(tx, store.int(high))];
        let [low, high] = bounds(-1, 254);
        check(&store, large, &at(9), &[low, high, store.le(store.int(6), tx)]);
        let [low, high] = bounds(255, 510);
        check(&store, large, &at(300), &[low, high, store.le(store.int(262), tx)]);
        let parity = store.eq(store.modulo(tx, store.int(2)), store.int(0));
        check(&store, parity, &at(4), &[parity]);
    }

    #[test]
    fn reads_of_written_arrays_are_resolved() {
        let store = Store::new();
        let sort = store.array_sort(Sort::Int, Sort::Int);
        let a = store.declare("a", sort);
        let [i, j] = ["i", "j"].map(|name| store.declare(name, Sort::Int));
        let [ta, ti, tj] = [a, i, j].map(|var| store.var_expr(var));
        let written = store.store(ta, ti, store.int(7));
        let read = store.eq(store.select(written, tj), store.int(7));
        let array =
            |value: i32| Value::Array(thetis_expr::ArrayValue::new(Sort::Int, Value::int(value)).into());
        let same = [(a, array(0)), (i, Value::int(3)), (j, Value::int(3))];
        check(&store, read, &same, &[store.eq(ti, tj)]);
        let other = [(a, array(7)), (i, Value::int(3)), (j, Value::int(4))];
        let plain = store.eq(store.select(ta, tj), store.int(7));
        check(&store, read, &other, &[store.ne(ti, tj), plain]);
    }
}
