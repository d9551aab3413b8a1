//! Every rule of the simplifier and every identity of the constructors, proved by the solver.
//!
//! The left-hand sides are text, which goes to the solver as it stands; the right-hand sides are what parsing and
//! simplifying that text gives. So the proofs depend on our printer and on nothing else of ours. `tdiv`, `tmod` and
//! `tquo` are our total divisions, defined in the preamble for the solver.

mod identities;
mod table;
mod z3;

use std::collections::BTreeSet;

use thetis_expr::simplify::{Simplifier, rules};
use thetis_expr::smtlib::{Declared, Dialect, parse_sort, parse_term, print_term};
use thetis_expr::{ExprId, Store};

const VARIABLES: &[(&str, &str)] = &[
    ("p", "Bool"),
    ("q", "Bool"),
    ("o", "Bool"),
    ("x", "Int"),
    ("y", "Int"),
    ("z", "Int"),
    ("r", "Real"),
    ("s", "Real"),
    ("b", "(_ BitVec 8)"),
    ("c", "(_ BitVec 8)"),
    ("d", "(_ BitVec 8)"),
    ("n", "(_ BitVec 4)"),
    ("m", "(_ BitVec 4)"),
    ("a", "(Array Int Int)"),
    ("e", "(Array (_ BitVec 8) Bool)"),
];

const TOTAL_DIVISIONS: &str = "
(define-fun tdiv ((x Int) (y Int)) Int (ite (= y 0) 0 (div x y)))
(define-fun tmod ((x Int) (y Int)) Int (ite (= y 0) x (mod x y)))
(define-fun tquo ((x Real) (y Real)) Real (ite (= y 0.0) 0.0 (/ x y)))
";

fn store() -> Store {
    let store = Store::new();
    for (name, sort) in VARIABLES {
        store.declare(name, parse_sort(&store, sort).expect("the sorts of the table should be right"));
    }
    store
}

fn parse(store: &Store, text: &str) -> ExprId {
    let ours = text.replace("(tdiv ", "(div ").replace("(tmod ", "(mod ").replace("(tquo ", "(/ ");
    parse_term(store, &ours, &Declared).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Asks the solver whether `left` and the text of `right` are equal, for all pairs in one go.
fn prove(store: &Store, pairs: &[(&str, ExprId)]) {
    let mut script = String::new();
    for (name, sort) in VARIABLES {
        script += &format!("(declare-const {name} {sort})\n");
    }
    script += TOTAL_DIVISIONS;
    for (left, right) in pairs {
        let right = print_term(store, *right, Dialect::Standard);
        script += &format!("(push)\n(assert (distinct {left} {right}))\n(check-sat)\n(pop)\n");
    }
    let Some(answers) = z3::run(&script) else { return };
    assert_eq!(answers.len(), pairs.len(), "{answers:?}");
    for ((left, right), answer) in pairs.iter().zip(answers) {
        assert_eq!(answer, "unsat", "{left} and {}", print_term(store, *right, Dialect::Standard));
    }
}

#[test]
fn every_rule_is_proved() {
    let store = store();
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    let mut missing: BTreeSet<_> = rules().map(|rule| rule.name()).collect();
    for (name, lefts) in table::RULES {
        assert!(missing.remove(name), "`{name}` should be the name of a rule, listed once");
        for left in *lefts {
            let mut simplifier = Simplifier::new();
            let right = simplifier.simplify(&store, parse(&store, left));
            let fired: Vec<_> = simplifier.fired().map(|(name, _)| name).collect();
            if fired != [*name] {
                wrong.push(format!("{name} on {left} fires {fired:?}"));
            }
            assert_eq!(Simplifier::new().simplify(&store, right), right, "twice on {left}");
            pairs.push((*left, right));
        }
    }
    assert!(wrong.is_empty(), "instances that fire other rules: {wrong:#?}");
    assert!(missing.is_empty(), "rules without an instance: {missing:?}");
    prove(&store, &pairs);
}

#[test]
fn every_constructor_identity_is_proved() {
    let store = store();
    let mut pairs = Vec::new();
    for left in identities::IDENTITIES {
        let right = parse(&store, left);
        let text = print_term(&store, right, Dialect::Thetis);
        assert_ne!(text, *left, "an identity should change its instance");
        pairs.push((*left, right));
    }
    prove(&store, &pairs);
}
