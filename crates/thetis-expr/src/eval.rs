//! The evaluator: the value of a term under an assignment of its variables.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thiserror::Error;

use crate::{ExprId, Op, Postorder, Store, Value, VarId};

/// Something that gives values to variables.
pub trait Assignment {
    /// The value of `var`, if it has one.
    fn value_of(&self, var: VarId) -> Option<Value>;
}

impl<F: Fn(VarId) -> Option<Value>> Assignment for F {
    fn value_of(&self, var: VarId) -> Option<Value> {
        self(var)
    }
}

/// Why a term has no value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EvalError {
    /// A variable of the term has no value.
    #[error("variable `{0}` has no value")]
    Unassigned(String),
}

/// A term with at most this many nodes, counted as a tree, is evaluated without caching the values of its
/// subterms.
const SMALL_TREE: usize = 64;

/// The value of `expr`. All variables of the term must have a value of their sort.
pub fn evaluate(store: &Store, expr: ExprId, assignment: &impl Assignment) -> Result<Value, EvalError> {
    let mut fuel = SMALL_TREE;
    if let Some(value) = evaluate_tree(store, expr, assignment, &mut fuel)? {
        return Ok(value);
    }
    let mut values = evaluate_all(store, &[expr], assignment)?;
    Ok(values.pop().expect("one term should have one value"))
}

/// The value of `expr` if its arguments have the values `args`, which must have the right sorts.
pub fn apply(store: &Store, expr: ExprId, args: &[&Value]) -> Value {
    let sort = store.sort(expr);
    crate::apply::apply(store.op(expr), sort, store.index_sort(sort), args)
}

/// The value of `expr` if it has at most `fuel` nodes as a tree. This is the case for most terms in a step of a run, and for these
/// a table would cost more than the evaluation.
fn evaluate_tree(
    store: &Store,
    expr: ExprId,
    assignment: &impl Assignment,
    fuel: &mut usize,
) -> Result<Option<Value>, EvalError> {
    let Some(rest) = fuel.checked_sub(1) else { return Ok(None) };
    *fuel = rest;
    match store.op(expr) {
        Op::Const(_) | Op::Var(_) => leaf(store, expr, assignment).map(Some),
        _ => {
            let mut values: SmallVec<[Value; 4]> = SmallVec::new();
            for arg in store.args(expr).iter() {
                match evaluate_tree(store, *arg, assignment, fuel)? {
                    Some(value) => values.push(value),
                    None => return Ok(None),
                }
            }
            let args: SmallVec<[&Value; 4]> = values.iter().collect();
            Ok(Some(apply(store, expr, &args)))
        }
    }
}

/// The value of a constant or a variable.
fn leaf(store: &Store, expr: ExprId, assignment: &impl Assignment) -> Result<Value, EvalError> {
    match store.op(expr) {
        Op::Var(var) => assignment.value_of(var).ok_or_else(|| EvalError::Unassigned(store.var_name(var))),
        _ => Ok(store.value(expr).expect("a constant should have a value")),
    }
}

/// The values of `exprs`; what they share is evaluated once. All variables must have a value of their sort.
pub fn evaluate_all(
    store: &Store,
    exprs: &[ExprId],
    assignment: &impl Assignment,
) -> Result<Vec<Value>, EvalError> {
    let mut values: FxHashMap<ExprId, Value> = FxHashMap::default();
    for part in Postorder::new(store, exprs.iter().copied()) {
        let value = match store.op(part) {
            Op::Const(_) | Op::Var(_) => leaf(store, part, assignment)?,
            _ => {
                let args = store.args(part);
                let args: SmallVec<[&Value; 4]> = args.iter().map(|arg| &values[arg]).collect();
                apply(store, part, &args)
            }
        };
        values.insert(part, value);
    }
    Ok(exprs.iter().map(|expr| values[expr].clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn terms_evaluate_under_an_assignment() {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        let square = store.mul(store.var_expr(x), store.var_expr(x));
        let seven = |_: VarId| Some(Value::int(7));
        assert_eq!(evaluate(&store, square, &seven), Ok(Value::int(49)));
        let none = |_: VarId| None;
        assert_eq!(evaluate(&store, square, &none), Err(EvalError::Unassigned("x".into())));
    }

    #[test]
    fn a_small_tree_has_the_value_of_a_large_one() {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        let (mut sum, mut expected) = (store.var_expr(x), 3);
        for number in 0..2 * SMALL_TREE as i64 {
            sum = store.sub(store.int(number), sum);
            expected = number - expected;
            let three = |_: VarId| Some(Value::int(3));
            assert_eq!(evaluate(&store, sum, &three), Ok(Value::int(expected)));
            assert_eq!(evaluate_all(&store, &[sum], &three), Ok(vec![Value::int(expected)]));
        }
    }

    #[test]
    fn a_million_levels_are_built_substituted_and_evaluated() {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        let y = store.declare("y", Sort::Int);
        let (one, mut deep) = (store.var_expr(y), store.var_expr(x));
        for _ in 0..1_000_000 {
            deep = store.sub(one, deep);
        }
        let mut rename = crate::Substitution::new();
        rename.insert(&store, x, store.int(5));
        let renamed = rename.apply(&store, deep);
        assert_ne!(renamed, deep);
        let ones = |_: VarId| Some(Value::int(1));
        assert_eq!(evaluate(&store, renamed, &ones), Ok(Value::int(5)));
    }
}
