//! Nothing recurses over the depth of a term: a million levels are treated on a small stack.

use thetis_expr::simplify::simplify;
use thetis_expr::smtlib::{Declared, Dialect, parse_term, print_term};
use thetis_expr::{ExprId, Sort, Store, Substitution, Value, VarId, evaluate, infix};

const DEPTH: usize = 1_000_000;

/// Runs `test` on a stack of 2 MiB, the default of test threads, whatever the environment says.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(test).expect("a thread should start");
    thread.join().expect("the test should pass");
}

/// `y - (y - (… - x))`.
fn deep(store: &Store) -> ExprId {
    let y = store.var("y", Sort::Int);
    (0..DEPTH).fold(store.var("x", Sort::Int), |inner, _| store.sub(y, inner))
}

#[test]
fn a_deep_term_is_printed_and_parsed_as_smtlib() {
    on_a_small_stack(|| {
        let store = Store::new();
        let term = deep(&store);
        let text = print_term(&store, term, Dialect::Standard);
        assert_eq!(parse_term(&store, &text, &Declared), Ok(term));
    });
}

#[test]
fn a_deep_shared_term_is_printed_and_parsed_as_smtlib() {
    on_a_small_stack(|| {
        let store = Store::new();
        let x = store.var("x", Sort::bitvec(32));
        let term = (0..DEPTH / 4).fold(x, |inner, _| store.bv_mul(inner, inner));
        let text = print_term(&store, term, Dialect::Standard);
        assert_eq!(parse_term(&store, &text, &Declared), Ok(term));
    });
}

#[test]
fn a_deep_term_is_substituted_and_evaluated() {
    on_a_small_stack(|| {
        let store = Store::new();
        let term = deep(&store);
        let mut five = Substitution::new();
        five.insert(&store, store.declare("x", Sort::Int), store.int(5));
        let replaced = five.apply(&store, term);
        let ones = |_: VarId| Some(Value::int(1));
        assert_eq!(evaluate(&store, replaced, &ones), Ok(Value::int(5)));
    });
}

#[test]
fn deep_nonsense_is_rejected() {
    on_a_small_stack(|| {
        let store = Store::new();
        for text in ["(".repeat(DEPTH), format!("{}{}", "(not ".repeat(DEPTH), ")".repeat(DEPTH))] {
            assert!(parse_term(&store, &text, &Declared).is_err());
        }
    });
}

#[test]
fn a_deep_term_is_printed_as_infix_text() {
    on_a_small_stack(|| {
        let store = Store::new();
        let term = deep(&store);
        assert_eq!(infix::print(&store, term).matches('y').count(), DEPTH);
        assert_eq!(infix::print_limited(&store, term, 6), "y - (y - (y - …))");
    });
}

#[test]
fn deep_terms_are_simplified() {
    on_a_small_stack(|| {
        let store = Store::new();
        let x = store.var("x", Sort::Int);
        let sum = (0..DEPTH).fold(x, |inner, _| store.add(store.neg(inner), store.int(1)));
        assert_eq!(simplify(&store, sum), x, "DEPTH is even, so all negations and ones cancel");
        let formulas = (0..DEPTH).map(|number| store.var(&format!("p{number}"), Sort::Bool));
        let all = formulas.fold(store.tru(), |inner, formula| store.and(inner, formula));
        assert_eq!(store.conjuncts(simplify(&store, all)).len(), DEPTH);
    });
}
