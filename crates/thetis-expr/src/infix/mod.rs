//! Terms as readable text: `x + 1 <= y and not done`.
//!
//! The syntax is that of the `.cfa` language, with as few parentheses as its grammar allows. Terms that the
//! grammar can express are parsed back to the same term. A parser has to mind three points:
//! * a run of one of `and`, `or`, `+`, `*` is one application: `a + b + c` is a sum of three, `(a + b) + c` is not;
//! * `x - 1` is the sum of `x` and -1, as the constructors make it;
//! * `-x` is also the negation of a bit-vector.
//!
//! On floats `=` is that of IEEE 754, as it is in `.cfa`.
//!
//! What the grammar lacks is written as a call: `bv2int(x)`, `int2bv(x, 8)`, `to_rat(x)`, `to_int(x)`, identity of
//! floats as `same(x, y)`, `fpfma(RNE, x, y, z)`, `fpisinfinite(x)`, `bv2fp(x, 8, 24)`. Names are written as they are, versions as `x'` and `x⟨3⟩`.
//!
//! The text is that of the *tree*: shared sub-terms are repeated. Messages use [`print_limited`], which elides
//! what does not fit.

mod budget;
mod floats;
mod level;
mod literal;
mod shape;

use crate::{ExprId, Op, Store};
use budget::TreeSizes;
use level::Level;
pub use literal::{print_sort, print_value};
use shape::{Piece, pieces};

/// The text of `expr`.
pub fn print(store: &Store, expr: ExprId) -> String {
    let mut out = String::new();
    let mut pending = vec![Piece::Term(expr, Level::Lowest)];
    while let Some(piece) = pending.pop() {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Owned(text) => out.push_str(&text),
            Piece::Term(expr, least) => extend(store, &mut out, &mut pending, expr, least),
        }
    }
    out
}

/// The text of `expr` with about `max_nodes` operators, literals and variables; the rest is `…`.
///
/// What is left out is taken from the largest parts: in a conjunction of small and large formulas the small ones
/// are complete.
pub fn print_limited(store: &Store, expr: ExprId, max_nodes: usize) -> String {
    let sizes = TreeSizes::of(store, expr);
    let mut out = String::new();
    let mut pending = vec![(Piece::Term(expr, Level::Lowest), max_nodes)];
    while let Some((piece, budget)) = pending.pop() {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Owned(text) => out.push_str(&text),
            Piece::Term(_, _) if budget == 0 => out.push('…'),
            Piece::Term(expr, least) => {
                let mut parts = Vec::new();
                extend(store, &mut out, &mut parts, expr, least);
                pending.extend(sizes.distribute(budget - 1, parts));
            }
        }
    }
    out
}

/// Writes a leaf, or schedules the pieces of a compound term, last first.
fn extend(store: &Store, out: &mut String, pending: &mut Vec<Piece>, expr: ExprId, least: Level) {
    if let Op::Var(var) = store.op(expr) {
        out.push_str(&store.var_name(var));
        return;
    }
    let (level, pieces) = pieces(store, expr);
    let wrapped = level < least;
    if wrapped {
        pending.push(Piece::Text(")"));
    }
    pending.extend(pieces.into_iter().rev());
    if wrapped {
        pending.push(Piece::Text("("));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::{Declared, parse_term};
    use crate::{Sort, Version};

    fn store() -> Store {
        let store = Store::new();
        for name in ["p", "q"] {
            store.declare(name, Sort::Bool);
        }
        for name in ["x", "y", "z"] {
            store.declare(name, Sort::Int);
        }
        store.declare("r", Sort::Real);
        for name in ["b", "c"] {
            store.declare(name, Sort::bitvec(8));
        }
        store.declare("a", store.array_sort(Sort::Int, Sort::Int));
        store.declare("f", Sort::float(3, 4));
        store.declare("g", Sort::float(3, 4));
        store
    }

    fn check(smtlib: &str, expected: &str) {
        let store = store();
        let term = parse_term(&store, smtlib, &Declared).unwrap();
        assert_eq!(print(&store, term), expected, "for {smtlib}");
    }

    #[test]
    fn parentheses_are_minimal() {
        check("(and (<= (+ x 1) y) (not p))", "x + 1 <= y and not p");
        check("(or (and p q) (not (= x y)))", "p and q or x /= y");
        check("(and p (or p q))", "p and (p or q)");
        check("(not (<= x y))", "not x <= y");
        check("(not (and p q))", "not (p and q)");
        check("(= p (< x y))", "p = x < y");
        check("(= p (= x y))", "p = (x = y)");
        check("(ite p (ite q x y) z)", "if p then if q then x else y else z");
        check("(+ x (ite p x y))", "x + (if p then x else y)");
        check("(- x (- y z))", "x - (y - z)");
        check("(- (- x y) z)", "x - y - z");
        check("(- (+ x y) z)", "x + y - z");
        check("(+ x y z)", "x + y + z");
        check("(+ (+ x y) z)", "(x + y) + z");
        check("(+ x y (- 3))", "x + y + -3");
        check("(+ x (- 3))", "x - 3");
        check("(* (+ x 1) y)", "(x + 1) * y");
        check("(div (* x y) z)", "x * y / z");
        check("(mod x (div y z))", "x mod (y / z)");
        check("(- (* x y))", "-(x * y)");
        check("(* x (- y))", "x * -y");
        check("(- 3)", "-3");
        check("(+ r 0.5)", "r + 1%2");
        check("(< (- 2.5) r)", "-5%2 < r");
    }

    #[test]
    fn bits_and_arrays_are_written_as_in_cfa() {
        check("(bvult (bvadd b c) #xff)", "b bvadd c bvult 8'd255");
        check("(bvor b (bvor c #x01))", "b bvor (c bvor 8'd1)");
        check("(bvand b (bvnot c))", "b bvand bvnot c");
        check("(bvnot (bvneg b))", "bvnot (-b)");
        check("((_ zero_extend 8) b)", "b bv_zero_extend bv[16]");
        check("((_ extract 6 2) (bvnot b))", "(bvnot b)[7:2]");
        check("(concat (concat b c) b)", "b ++ c ++ b");
        check("(concat b ((_ sign_extend 8) c))", "b ++ c bv_sign_extend bv[16]");
        check("(select (store a x (+ y 1)) 0)", "a[x <- y + 1][0]");
        check("((as const (Array Int Int)) 0)", "[<int> default <- 0]");
        check("((as const (Array Int Int)) x)", "[<int> default <- x]");
        check("(store ((as const (Array Int Int)) 0) 1 (- 2))", "[1 <- -2, default <- 0]");
        check("(ubv_to_int b)", "bv2int(b)");
        check("((_ int_to_bv 8) (+ x 1))", "int2bv(x + 1, 8)");
        check("(+ r (to_real x))", "r + to_rat(x)");
    }

    #[test]
    fn floats_are_written_as_in_cfa() {
        check("(fp.add RNE f (fp.mul RTZ f g))", "f fpadd[RNE] f fpmul[RTZ] g");
        check("(fp.leq (fp.neg f) ((_ to_fp 3 4) RNE 1.5))", "fpneg f <= +3'b011.3'b100");
        check("(not (fp.eq f g))", "f /= g");
        check("(not (= f g))", "not same(f, g)");
        check("(fp.sqrt RNE (fp.min f g))", "fpsqrt[RNE] (f fpmin g)");
        check("((_ to_fp 8 24) RNE f)", "fptofp[8,24][RNE] f");
        check("((_ fp.to_sbv 8) RTZ f)", "fptobv[8's][RTZ] f");
        check("((_ to_fp_unsigned 3 4) RNE b)", "fpfrombv[3,4][u][RNE] b");
        check("(fp.fma RNE f g f)", "fpfma(RNE, f, g, f)");
        check("(fp.isZero f)", "fpiszero(f)");
    }

    #[test]
    fn versions_are_shown() {
        let store = store();
        let x = store.declare("x", Sort::Int);
        let at = |version| store.var_expr(store.at_version(x, version));
        let step = store.sub(at(Version::Next), at(Version::Step(3)));
        assert_eq!(print(&store, step), "x' - x⟨3⟩");
    }

    #[test]
    fn sorts_are_shown() {
        let store = store();
        let inner = store.array_sort(Sort::Int, Sort::bitvec(8));
        assert_eq!(print_sort(&store, store.array_sort(Sort::Real, inner)), "[rat] -> [int] -> bv[8]");
    }

    #[test]
    fn what_does_not_fit_is_elided() {
        let store = store();
        let mut large = store.var("x", Sort::Int);
        for _ in 0..200 {
            large = store.mul(large, store.add(large, store.int(1)));
        }
        let p = store.var("p", Sort::Bool);
        let formula = store.and(store.eq(large, store.var("y", Sort::Int)), p);
        let text = print_limited(&store, formula, 12);
        assert_eq!(text, "p and ((… * …) * (… + …)) * (… * (… + …) + 1) = y");
        assert_eq!(print_limited(&store, p, 12), "p");
        assert_eq!(print_limited(&store, formula, 0), "…");
    }
}
