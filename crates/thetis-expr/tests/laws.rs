//! Laws on random terms of all sorts.

mod cfa;
mod common;

use common::{Pool, Random, value};
use proptest::prelude::*;
use thetis_expr::simplify::Simplifier;
use thetis_expr::smtlib::{Declared, Dialect, parse_term, parse_value, print_term, print_value};
use thetis_expr::{ExprId, Store, Substitution, Value, VarId, evaluate, infix};

fn valuation(pool: &Pool, random: &mut Random) -> Vec<(VarId, Value)> {
    pool.vars.iter().map(|var| (*var, value(&pool.store, pool.store.var_sort(*var), random))).collect()
}

fn eval(store: &Store, term: ExprId, values: &[(VarId, Value)]) -> Value {
    let lookup = |var: VarId| values.iter().find(|(known, _)| *known == var).map(|(_, value)| value.clone());
    evaluate(store, term, &lookup).expect("every variable should have a value")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn smtlib_text_reads_back_as_the_same_term(seed: u64) {
        let pool = Pool::new(&mut Random(seed), 300);
        for term in &pool.terms {
            let text = print_term(&pool.store, *term, Dialect::Thetis);
            prop_assert_eq!(parse_term(&pool.store, &text, &Declared), Ok(*term), "{}", text);
        }
    }

    #[test]
    fn guarded_text_means_the_same(seed: u64) {
        let mut random = Random(seed);
        let pool = Pool::new(&mut random, 200);
        let values = valuation(&pool, &mut random);
        for term in pool.terms.iter().rev().take(50) {
            let text = print_term(&pool.store, *term, Dialect::Standard);
            let read = parse_term(&pool.store, &text, &Declared).expect("printed text should be readable");
            prop_assert_eq!(eval(&pool.store, read, &values), eval(&pool.store, *term, &values), "{}", text);
        }
    }

    #[test]
    fn infix_text_reads_back_as_the_same_term(seed: u64) {
        let pool = Pool::new(&mut Random(seed), 150);
        for term in &pool.terms {
            let text = infix::print_limited(&pool.store, *term, 5_000);
            if !text.contains('…') {
                prop_assert_eq!(cfa::parse(&pool.store, &text), *term, "{}", text);
            }
        }
    }

    #[test]
    fn values_read_back(seed: u64) {
        let mut random = Random(seed);
        let pool = Pool::new(&mut random, 40);
        for (var, value) in valuation(&pool, &mut random) {
            let text = print_value(&pool.store, &value);
            prop_assert_eq!(parse_value(&pool.store, &text, pool.store.var_sort(var)), Ok(value));
        }
    }

    #[test]
    fn folding_agrees_with_the_evaluator(seed: u64) {
        let mut random = Random(seed);
        let pool = Pool::new(&mut random, 200);
        let values = valuation(&pool, &mut random);
        let mut literals = Substitution::new();
        for (var, value) in &values {
            literals.insert(&pool.store, *var, pool.store.literal(value.clone()));
        }
        for term in pool.terms.iter().rev().take(50) {
            let folded = pool.store.value(literals.apply(&pool.store, *term));
            prop_assert_eq!(folded, Some(eval(&pool.store, *term, &values)));
        }
    }

    #[test]
    fn simplification_keeps_meaning_and_is_idempotent(seed: u64) {
        let mut random = Random(seed);
        let pool = Pool::new(&mut random, 400);
        let mut simplifier = Simplifier::new();
        for term in &pool.terms {
            let simple = simplifier.simplify(&pool.store, *term);
            prop_assert_eq!(pool.store.sort(simple), pool.store.sort(*term));
            prop_assert_eq!(Simplifier::new().simplify(&pool.store, simple), simple);
            let text = || infix::print_limited(&pool.store, *term, 200);
            for _ in 0..5 {
                let values = valuation(&pool, &mut random);
                let (before, after) = (eval(&pool.store, *term, &values), eval(&pool.store, simple, &values));
                prop_assert_eq!(before, after, "{} under {:?}", text(), values);
            }
        }
    }
}
