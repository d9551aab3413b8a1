//! Values of contracts as users write them.

use std::collections::BTreeSet;

use thetis_expr::Value;
use thetis_report::Shown;
use thetis_solidity::{Meaning, Variable};

/// How a variable differs from what it was.
pub(super) fn differences(variable: &Variable, old: Option<&Value>, new: &Value) -> Vec<Shown> {
    let shown = |name: String, value| Shown { name, value, changed: true };
    match (&variable.meaning, old, new) {
        (_, Some(old), new) if old == new => Vec::new(),
        (Meaning::Keys(key, element), Some(Value::Array(old)), Value::Array(new)) => {
            let keys: BTreeSet<&Value> = old.entries().chain(new.entries()).map(|(key, _)| key).collect();
            let changed = keys.into_iter().filter(|key| old.read(key) != new.read(key));
            changed
                .map(|at| {
                    let name = format!("{}[{}]", variable.name, written(at, key));
                    shown(name, written(new.read(at), element))
                })
                .collect()
        }
        (_, _, Value::Array(_)) => Vec::new(),
        (meaning, _, new) => vec![shown(variable.name.clone(), written(new, meaning))],
    }
}

/// A value as users write it.
pub(super) fn written(value: &Value, meaning: &Meaning) -> String {
    match (meaning, value) {
        (Meaning::Address, Value::Int(number)) => format!("0x{number:x}"),
        (Meaning::Member(names), Value::Int(number)) => usize::try_from(number)
            .ok()
            .and_then(|number| names.get(number).cloned())
            .unwrap_or_else(|| number.to_string()),
        (Meaning::Signed, Value::BitVec(bits)) => bits.signed().to_string(),
        (_, Value::BitVec(bits)) => bits.unsigned().to_string(),
        (_, value) => value.to_string(),
    }
}
