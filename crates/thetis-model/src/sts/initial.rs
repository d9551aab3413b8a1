//! Initial values of single variables.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Op, Store, Value, VarId};

use super::Sts;

impl Sts {
    /// The variables that the initial condition fixes to one value, as far as is easily seen.
    pub fn initial_values(&self, store: &Store) -> FxHashMap<VarId, Value> {
        let single = InitialValues::new(store, self).single.into_iter();
        single.map(|(var, (_, value))| (var, value)).collect()
    }
}

/// The conjuncts of the initial condition that only give a value to a single variable, each to a different one.
pub(super) struct InitialValues {
    pub(super) single: BTreeMap<VarId, (ExprId, Value)>,
    /// The other conjuncts.
    pub(super) rest: Vec<ExprId>,
}

impl InitialValues {
    pub(super) fn new(store: &Store, sts: &Sts) -> InitialValues {
        let mut single: BTreeMap<VarId, (ExprId, Value)> = BTreeMap::new();
        let mut rest = Vec::new();
        for conjunct in store.conjuncts(sts.init) {
            match single_value(store, conjunct) {
                Some((var, value)) if !single.contains_key(&var) => {
                    single.insert(var, (conjunct, value));
                }
                _ => rest.push(conjunct),
            }
        }
        InitialValues { single, rest }
    }
}

/// `x`, `not x` and `x = literal` as a variable and its value.
fn single_value(store: &Store, conjunct: ExprId) -> Option<(VarId, Value)> {
    let args = store.args(conjunct);
    match (store.op(conjunct), &args[..]) {
        (Op::Var(var), _) => Some((var, Value::Bool(true))),
        (Op::Not, &[inner]) => store.as_var(inner).map(|var| (var, Value::Bool(false))),
        (Op::Eq, &[left, right]) => match (store.as_var(left), store.as_var(right)) {
            (Some(var), None) => store.value(right).map(|value| (var, value)),
            (None, Some(var)) => store.value(left).map(|value| (var, value)),
            _ => None,
        },
        _ => None,
    }
}
