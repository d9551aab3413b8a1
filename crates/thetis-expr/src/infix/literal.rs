//! Literals and sorts. Both nest only as deep as arrays of arrays, so this recurses.

use num_traits::Signed;

use super::level::Level;
use crate::{Sort, Store, Value};

/// The text of a value, as the `.cfa` language writes it.
pub fn print_value(store: &Store, value: &Value) -> String {
    match value {
        Value::Real(number) => format!("{}%{}", number.numer(), number.denom()),
        Value::Array(array) => {
            let default = print_value(store, array.default());
            let mut entries = String::new();
            for (index, element) in array.entries() {
                entries += &format!("{} <- {}, ", print_value(store, index), print_value(store, element));
            }
            if entries.is_empty() {
                entries = format!("<{}> ", print_sort(store, array.index_sort()));
            }
            format!("[{entries}default <- {default}]")
        }
        other => other.to_string(),
    }
}

/// The text of a sort: `int`, `bv[8]`, `[int] -> rat`.
pub fn print_sort(store: &Store, sort: Sort) -> String {
    match sort {
        Sort::Bool => "bool".into(),
        Sort::Int => "int".into(),
        Sort::Real => "rat".into(),
        Sort::BitVec(width) => format!("bv[{width}]"),
        Sort::Array(array) => {
            let (index, element) = store.array_parts(array);
            format!("[{}] -> {}", print_sort(store, index), print_sort(store, element))
        }
    }
}

/// How tightly the text of a value binds: that of a negative number starts with a sign.
pub(super) fn level_of(value: &Value) -> Level {
    let negative = match value {
        Value::Int(number) => number.is_negative(),
        Value::Real(number) => number.is_negative(),
        _ => false,
    };
    if negative { Level::Sign } else { Level::Primary }
}
