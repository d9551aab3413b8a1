//! What solvers answer: any text is rejected or is a value of the sort that was asked for, which survives printing; the same for terms.

use thetis_expr::smtlib::{
    Declared, Dialect, parse_sort, parse_term, parse_value, print_sort, print_term, print_value,
};
use thetis_expr::{Sort, Store};

use super::{Effect, text_of};

pub fn check(bytes: &[u8]) -> Effect {
    let text = &*text_of(bytes);
    let store = Store::new();
    for (name, sort) in [("x", Sort::Int), ("y", Sort::Real), ("b", Sort::Bool)] {
        store.declare(name, sort);
    }
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if let Ok(sort) = parse_sort(&store, first) {
        assert_eq!(parse_sort(&store, &print_sort(&store, sort)), Ok(sort));
        match parse_value(&store, rest, sort) {
            Ok(value) => assert_eq!(parse_value(&store, &print_value(&store, &value), sort), Ok(value)),
            Err(error) => return error.message.clone(),
        }
        return "a value".into();
    }
    match parse_term(&store, text, &Declared) {
        Ok(term) => {
            let printed = print_term(&store, term, Dialect::Thetis);
            assert_eq!(parse_term(&store, &printed, &Declared), Ok(term), "{printed}");
            "a term".into()
        }
        Err(error) => error.message.clone(),
    }
}
