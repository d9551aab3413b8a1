//! What solvers answer: any text is refused or is a value of the sort that was asked for, which survives printing; the same for terms.
#![no_main]

use libfuzzer_sys::fuzz_target;
use thetis_expr::smtlib::{Declared, Dialect, parse_sort, parse_term, parse_value, print_sort, print_term, print_value};
use thetis_expr::{Sort, Store};

fuzz_target!(|text: &str| {
    let store = Store::new();
    for (name, sort) in [("x", Sort::Int), ("y", Sort::Real), ("b", Sort::Bool)] {
        store.declare(name, sort);
    }
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if let Ok(sort) = parse_sort(&store, first) {
        assert_eq!(parse_sort(&store, &print_sort(&store, sort)), Ok(sort));
        if let Ok(value) = parse_value(&store, rest, sort) {
            assert_eq!(parse_value(&store, &print_value(&store, &value), sort), Ok(value));
        }
    }
    if let Ok(term) = parse_term(&store, text, &Declared) {
        let printed = print_term(&store, term, Dialect::Thetis);
        assert_eq!(parse_term(&store, &printed, &Declared), Ok(term), "{printed}");
    }
});
