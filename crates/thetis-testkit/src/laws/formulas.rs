//! Small formulas whose satisfiability is known.

use thetis_expr::smtlib::{Declared, parse_term};
use thetis_expr::{ExprId, Sort, Store};

use crate::TermSorts;

/// Formulas over `x y : Int`, `p q : Real`, `b c : Bool`, `u v : BitVec 8`, `m : Array Int Int`, with their answers.
const GENERAL: &[(&str, bool)] = &[
    ("(and (< x y) (< y (+ x 2)))", true),
    ("(and (< x y) (< y (+ x 1)))", false),
    ("(= (* x x) 49)", true),
    ("(= (* 2 x) 7)", false),
    ("(and (= (div x 3) (- 2)) (= (mod x 3) 1))", true),
    ("(= (mod x 5) (- 1))", false),
    ("(not (= (div x 0) 0))", false),
    ("(not (= (mod x 0) x))", false),
    ("(and (= y 0) (not (= (div x y) 0)))", false),
    ("(= (* 2.0 p) 7.0)", true),
    ("(and (< p q) (< q p))", false),
    ("(not (= (/ p 0.0) 0.0))", false),
    ("(and (= p 2.5) (= (to_int p) x))", true),
    ("(and (= p (- 2.5)) (= (to_int p) (- 2)))", false),
    ("(and (= (to_real x) p) (= p 0.5))", false),
    ("(and (= (select m x) 1) (= (select m y) 2))", true),
    ("(and (= (select m x) 1) (= (select m y) 2) (= x y))", false),
    ("(not (= (select (store m x 5) x) 5))", false),
    ("(= (store m x 5) ((as const (Array Int Int)) 0))", false),
    ("(= m (store ((as const (Array Int Int)) 0) 3 4))", true),
    ("(and (= (ubv_to_int u) 300))", false),
    ("(and (= ((_ int_to_bv 8) x) #xff) (< x 0))", true),
];

const BITS: &[(&str, bool)] = &[
    ("b", true),
    ("(and b (not b))", false),
    ("(xor b c)", true),
    ("(= b (not b))", false),
    ("(and (= b c) (xor b c))", false),
    ("(= (ite b u v) (ite c v u))", true),
    ("(= (bvmul u u) #x31)", true),
    ("(= (bvmul u #x02) #x31)", false),
    ("(and (bvult u v) (bvslt v u))", true),
    ("(and (bvule u v) (bvult v u))", false),
    ("(and (bvsle u v) (bvsle v u) (not (= u v)))", false),
    ("(not (= (bvudiv u #x00) #xff))", false),
    ("(not (= (bvurem u #x00) u))", false),
    ("(and (= u #x80) (= v #xff) (not (= (bvsdiv u v) #x80)))", false),
    ("(not (= (bvshl u #x08) #x00))", false),
    ("(= (bvlshr u #x01) #xff)", false),
    ("(= (bvashr u #x01) #xff)", true),
    ("(not (= (bvadd u v) (bvsub u (bvneg v))))", false),
    ("(not (= (bvnot u) (bvsub (bvneg u) #x01)))", false),
    ("(not (= (bvxor u v) (bvand (bvor u v) (bvnot (bvand u v)))))", false),
    ("(not (= (concat ((_ extract 7 4) u) ((_ extract 3 0) u)) u))", false),
    ("(bvult ((_ zero_extend 8) u) ((_ sign_extend 8) u))", true),
    ("(bvult ((_ sign_extend 8) u) ((_ zero_extend 8) u))", false),
    ("(= (bvsrem u #x03) #xfe)", true),
    ("(= (bvsmod u #x03) #xfe)", false),
    ("(bvult (bvurem u #x07) #x07)", true),
    ("(and (= (select t u) v) (= u v) (= (select t v) #x01))", true),
    ("(and (not (= (select t u) (select t v))) (= u v))", false),
];

/// The formulas of the given sorts that have models, and those that have none.
pub(crate) fn known(store: &Store, sorts: TermSorts) -> (Vec<ExprId>, Vec<ExprId>) {
    declare(store);
    let tables = if sorts == TermSorts::All { vec![BITS, GENERAL] } else { vec![BITS] };
    let mut known = (Vec::new(), Vec::new());
    for (text, is_sat) in tables.concat() {
        let formula = parse_term(store, text, &Declared).unwrap_or_else(|error| panic!("{text}: {error}"));
        if is_sat { known.0.push(formula) } else { known.1.push(formula) }
    }
    known
}

fn declare(store: &Store) {
    let byte = Sort::bitvec(8);
    let sorts = [
        ("x", Sort::Int),
        ("y", Sort::Int),
        ("p", Sort::Real),
        ("q", Sort::Real),
        ("b", Sort::Bool),
        ("c", Sort::Bool),
        ("u", byte),
        ("v", byte),
        ("m", store.array_sort(Sort::Int, Sort::Int)),
        ("t", store.array_sort(byte, byte)),
    ];
    for (name, sort) in sorts {
        store.declare(name, sort);
    }
}
