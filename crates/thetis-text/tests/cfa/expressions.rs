//! Every operator and the precedences between them, against the same terms in SMT-LIB.

use thetis_expr::smtlib::{Declared, parse_term};
use thetis_expr::{EvalError, ExprId, Store, Value, VarId, evaluate, infix};
use thetis_model::cfa::{Stmt, StmtKind};

use crate::common::parse;

const DECLS: &str = "var i : int var j : int var k : int var r : rat var q : rat var p : bool var o : bool
    var m : bool var b : bv[8] var c : bv[8] var n : bv[4] var w : bv[12] var a : [int] -> int
    var t : [bv[8]] -> bool var u : int var s : int var RNE : int var f : fp[3,5] var g : fp[3,5] var d : fp[5,11]";

/// The term of `expr`, which has the type of the variable `target`, and its store.
fn term(target: &str, expr: &str) -> (Store, Vec<Stmt>, ExprId) {
    let text = format!("main process p {{ {DECLS} init loc A error loc E A -> E {{ {target} := {expr} }} }}");
    let outcome = parse("a.cfa", &text);
    let task = outcome.task.unwrap_or_else(|| panic!("{expr}: {}", outcome.messages));
    let stmts: Vec<Stmt> = task.model.edges[0].stmt.walk().cloned().collect();
    let Some(StmtKind::Assign(_, term)) = stmts.last().map(|stmt| stmt.kind.clone()) else {
        panic!("{expr} should be assigned")
    };
    (task.store, stmts, term)
}

fn check(target: &str, expr: &str, smtlib: &str) {
    let (store, _, term) = term(target, expr);
    let expected =
        parse_term(&store, smtlib, &Declared).unwrap_or_else(|error| panic!("{smtlib}: {error:?}"));
    assert_eq!(term, expected, "`{expr}` is `{}`, not {smtlib}", infix::print(&store, term));
}

#[test]
fn booleans() {
    check("p", "true", "true");
    check("p", "p and o and m", "(and p o m)");
    check("p", "p or o and m", "(or p (and o m))");
    check("p", "(p or o) and m", "(and (or p o) m)");
    check("p", "p xor o and m", "(xor p (and o m))");
    check("p", "p or o xor m", "(or p (xor o m))");
    check("p", "p xor o xor m", "(xor p (xor o m))");
    check("p", "p imply o imply m", "(=> p (=> o m))");
    check("p", "p imply o or m", "(=> p (or o m))");
    check("p", "p iff o iff m", "(= p (= o m))");
    check("p", "p iff o imply m", "(= p (=> o m))");
    check("p", "not p and o", "(and (not p) o)");
    check("p", "not i = j", "(not (= i j))");
    check("p", "not (not (p))", "p");
    check("p", "p and not o or m", "(or (and p (not o)) m)");
    check("p", "if p then o else m", "(ite p o m)");
    check("p", "if p then o else if m then p else o and p", "(ite p o (ite m p (and o p)))");
    check("p", "if p iff o then o else m iff p", "(ite (= p o) o (= m p))");
}

#[test]
fn comparisons() {
    check("p", "i = j", "(= i j)");
    check("p", "i /= j", "(not (= i j))");
    check("p", "i < j = p", "(= (< i j) p)");
    check("p", "i < j", "(< i j)");
    check("p", "i <= j", "(<= i j)");
    check("p", "i > j", "(< j i)");
    check("p", "i >= j", "(<= j i)");
    check("p", "i + 1 < j * 2 and p", "(and (< (+ i 1) (* j 2)) p)");
    check("p", "a = a[i <- 3]", "(= a (store a i 3))");
    check("p", "b = c", "(= b c)");
}

#[test]
fn arithmetic() {
    check("i", "i + j + k", "(+ i j k)");
    check("i", "i - j - k", "(- (- i j) k)");
    check("i", "i - j + k", "(+ (- i j) k)");
    check("i", "i + j - k", "(- (+ i j) k)");
    check("i", "i + j * k", "(+ i (* j k))");
    check("i", "(i + j) * k", "(* (+ i j) k)");
    check("i", "-i * +j", "(* (- i) j)");
    check("i", "- - i", "i");
    check("i", "-3", "(- 3)");
    check("i", "i / 3 * j", "(* (div i 3) j)");
    check("i", "i * j / 3", "(div (* i j) 3)");
    check("i", "i mod 3 mod 2", "(mod (mod i 3) 2)");
    check("i", "i rem 3", "(mod i 3)");
    check("i", "i rem -3", "(- (mod i (- 3)))");
    check("i", "007", "7");
    check("r", "1%2", "(/ 1.0 2.0)");
    check("r", "-6%4", "(- (/ 3.0 2.0))");
    check("r", "r / q", "(ite (= q 0.0) div0!1 (/ r q))");
    check("r", "r / 2%1", "(/ r 2.0)");
}

#[test]
fn integers_become_rational_beside_rationals() {
    check("r", "r + i", "(+ r (to_real i))");
    check("r", "i * j + r", "(+ (to_real (* i j)) r)");
    check("r", "i - r", "(- (to_real i) r)");
    check("r", "r / 2", "(/ r 2.0)");
    check("p", "r < i", "(< r (to_real i))");
    check("p", "i = r", "(= (to_real i) r)");
    check("r", "if p then r else i", "(ite p r (to_real i))");
}

#[test]
fn bit_vectors() {
    for (op, smtlib) in [
        ("bvor", "bvor"),
        ("bvxor", "bvxor"),
        ("bvand", "bvand"),
        ("bvshl", "bvshl"),
        ("bvashr", "bvashr"),
        ("bvlshr", "bvlshr"),
        ("bvadd", "bvadd"),
        ("bvsub", "bvsub"),
        ("bvmul", "bvmul"),
        ("bvudiv", "bvudiv"),
        ("bvsdiv", "bvsdiv"),
        ("bvsmod", "bvsmod"),
        ("bvurem", "bvurem"),
        ("bvsrem", "bvsrem"),
        ("+", "bvadd"),
        ("-", "bvsub"),
        ("*", "bvmul"),
    ] {
        check("b", &format!("b {op} c"), &format!("({smtlib} b c)"));
    }
    for (op, smtlib) in [
        ("bvult", "(bvult b c)"),
        ("bvule", "(bvule b c)"),
        ("bvugt", "(bvult c b)"),
        ("bvuge", "(bvule c b)"),
        ("bvslt", "(bvslt b c)"),
        ("bvsle", "(bvsle b c)"),
        ("bvsgt", "(bvslt c b)"),
        ("bvsge", "(bvsle c b)"),
    ] {
        check("p", &format!("b {op} c"), smtlib);
    }
    check("b", "bvnot bvnot b", "b");
    check("b", "bvneg b", "(bvneg b)");
    check("b", "bvpos -b", "(bvneg b)");
    check("b", "- bvnot b", "(bvneg (bvnot b))");
    check("b", "b bvor c bvxor b bvand c", "(bvor b (bvxor c (bvand b c)))");
    check("b", "b bvand c bvshl b bvadd c", "(bvand b (bvshl c (bvadd b c)))");
    check("b", "b bvadd c bvmul b", "(bvadd b (bvmul c b))");
    check("b", "b bvsub c bvsub b", "(bvsub (bvsub b c) b)");
    check("b", "b + c + b", "(bvadd (bvadd b c) b)");
    check("w", "n ++ b", "(concat n b)");
    check("w", "n ++ n ++ n", "(concat (concat n n) n)");
    check("b", "b[8:4] ++ n", "(concat ((_ extract 7 4) b) n)");
    check("n", "(n ++ b)[6:2]", "((_ extract 5 2) (concat n b))");
    check("w", "b bv_zero_extend bv[12]", "((_ zero_extend 4) b)");
    check("w", "-b bv_sign_extend bv[12]", "((_ sign_extend 4) (bvneg b))");
    check("b", "b bv_zero_extend bv[8]", "b");
    check("b", "8'xfe", "#xfe");
    check("b", "8'd-2", "#xfe");
    check("n", "4'b0101", "#b0101");
    check("b", "b bvrol 8'd3", "(concat ((_ extract 4 0) b) ((_ extract 7 5) b))");
    check("b", "b bvror 8'd11", "(concat ((_ extract 2 0) b) ((_ extract 7 3) b))");
    check("b", "b bvrol 8'd8", "b");
}

#[test]
fn arrays() {
    check("i", "a[i + 1]", "(select a (+ i 1))");
    check("a", "a[i <- j][j <- i]", "(store (store a i j) j i)");
    check("i", "a[i <- 2][j]", "(select (store a i 2) j)");
    check("a", "[<int> default <- 3]", "((as const (Array Int Int)) 3)");
    check("a", "[0 <- 1, 5 <- 2, default <- 3]", "(store (store ((as const (Array Int Int)) 3) 0 1) 5 2)");
    check("a", "[i <- 1, 5 <- 2, default <- j]", "(store (store ((as const (Array Int Int)) j) i 1) 5 2)");
    check("a", "[0 <- 1, <int> default <- 3]", "(store ((as const (Array Int Int)) 3) 0 1)");
    check("p", "t[8'd3 <- true][b]", "(select (store t #x03 true) b)");
}

#[test]
fn floats() {
    for (op, smtlib) in [
        ("fpadd", "(fp.add RNE f g)"),
        ("fpadd[RTZ]", "(fp.add RTZ f g)"),
        ("+", "(fp.add RNE f g)"),
        ("fpsub[RTP]", "(fp.sub RTP f g)"),
        ("-", "(fp.sub RNE f g)"),
        ("fpmul[RTN]", "(fp.mul RTN f g)"),
        ("*", "(fp.mul RNE f g)"),
        ("fpdiv[RNA]", "(fp.div RNA f g)"),
        ("/", "(fp.div RNE f g)"),
        ("fprem", "(fp.rem f g)"),
        ("fpmax", "(fp.max f g)"),
        ("fpmin", "(fp.min f g)"),
    ] {
        check("f", &format!("f {op} g"), smtlib);
    }
    check("p", "f = g", "(fp.eq f g)");
    check("p", "f /= g", "(not (fp.eq f g))");
    check("p", "f < g", "(fp.lt f g)");
    check("p", "f <= g", "(fp.leq f g)");
    check("p", "f > g", "(fp.lt g f)");
    check("p", "f >= g", "(fp.leq g f)");
    check("f", "f + g + f", "(fp.add RNE (fp.add RNE f g) f)");
    check("f", "f fpmax g fpadd f fpmul[RTZ] g", "(fp.max f (fp.add RNE g (fp.mul RTZ f g)))");
    check("p", "fpisnan f", "(fp.isNaN f)");
    check("f", "fpabs -f", "(fp.abs (fp.neg f))");
    check("f", "fpneg fppos f", "(fp.neg f)");
    check("f", "fpsqrt[RTZ] fproundtoint f", "(fp.sqrt RTZ (fp.roundToIntegral RNE f))");
    check("d", "fptofp[5,11][RTZ] f", "((_ to_fp 5 11) RTZ f)");
    check("f", "fpfrombv[3,5][u][RTP] b", "((_ to_fp_unsigned 3 5) RTP b)");
    check("f", "fpfrombv[3,5][s] b", "((_ to_fp 3 5) RNE b)");
    check("f", "3'b011.4'b0001", "(fp #b0 #b011 #b0001)");
    check(
        "f",
        "-3'b011.4'b0001 fpadd +3'd0.4'd0",
        "(fp.add RNE (fp #b1 #b011 #b0001) (fp #b0 #b000 #b0000))",
    );
    check("f", "f - 3'b011.4'b0001", "(fp.sub RNE f (fp #b0 #b011 #b0001))");
}

#[test]
fn floats_that_do_not_fit_become_some_bits() {
    let bits = |number: u32| Value::BitVec(thetis_expr::BitVec::new(8, number));
    let float = |pattern: u32| {
        let format = thetis_expr::FloatSort::new(5, 11).expect("half precision should be supported");
        Value::Float(thetis_expr::Float::from_bits(format, &thetis_expr::BitVec::new(16, pattern)))
    };
    // 2.5, -1, -0.25, 255, 255.5, 256, 127.5, -128, -129, infinity, NaN
    for (pattern, unsigned, signed) in [
        (0x4100, 2, 2),
        (0xbc00, 42, 255),
        (0xb400, 0, 0),
        (0x5bf8, 255, 42),
        (0x5bfc, 42, 42),
        (0x5c00, 42, 42),
        (0x57f8, 128, 42),
        (0xd800, 42, 128),
        (0xd808, 42, 42),
        (0x7c00, 42, 42),
        (0x7e00, 42, 42),
    ] {
        let values = [("d", float(pattern)), ("fptobv!1", bits(42))];
        assert_eq!(value("b", "fptobv[8'u] d", &values), bits(unsigned), "{pattern:x} unsigned");
        assert_eq!(value("b", "fptobv[8's] d", &values), bits(signed), "{pattern:x} signed");
    }
    // Every finite number of the small format fits.
    check("b", "fptobv[8's][RTZ] 3'b110.4'b1111", "#x0f");
    let (_, stmts, _) = term("w", "(fptobv[8's][RTZ] f) ++ n");
    assert_eq!(stmts.iter().filter(|stmt| matches!(stmt.kind, StmtKind::Havoc(_))).count(), 1);
}

#[test]
fn names_that_are_keywords_in_theta_only() {
    check("i", "a[RNE] + u + s", "(+ (select a RNE) u s)");
}

#[test]
fn every_division_has_its_own_value_for_zero() {
    let (store, stmts, term) = term("i", "i / j + i / j + i mod 0 + i mod 2");
    let expected = "(+ (ite (= j 0) div0!1 (div i j)) (ite (= j 0) div0!2 (div i j)) div0!3 (mod i 2))";
    assert_eq!(term, parse_term(&store, expected, &Declared).expect("the text is correct"));
    let havocs = stmts.iter().filter(|stmt| matches!(stmt.kind, StmtKind::Havoc(_))).count();
    assert_eq!(havocs, 3, "before the assignment each gets an arbitrary value");
    assert!(matches!(stmts[1].kind, StmtKind::Havoc(_)) && stmts[1].span.is_some());
}

/// The value of `expr` with the given integers and bit-vectors.
fn value(target: &str, expr: &str, values: &[(&str, Value)]) -> Value {
    let (store, _, term) = term(target, expr);
    let assignment = |var: VarId| -> Option<Value> {
        let name = store.var_name(var);
        values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    };
    let result: Result<Value, EvalError> = evaluate(&store, term, &assignment);
    result.unwrap_or_else(|error| panic!("{expr}: {error:?}"))
}

#[test]
fn rotations_by_variable_amounts() {
    let bits = |number: u32| Value::BitVec(thetis_expr::BitVec::new(8, number));
    for amount in [0u32, 1, 3, 7, 8, 9, 15, 16, 200, 255] {
        let values = [("b", bits(0b1011_0010)), ("c", bits(amount))];
        let by = amount % 8;
        assert_eq!(
            value("b", "b bvrol c", &values),
            bits(u32::from(0b1011_0010u8.rotate_left(by))),
            "{amount}"
        );
        assert_eq!(
            value("b", "b bvror c", &values),
            bits(u32::from(0b1011_0010u8.rotate_right(by))),
            "{amount}"
        );
    }
}

#[test]
fn remainders_have_the_sign_of_the_divisor() {
    for (dividend, divisor, rem) in [(7, 3, 1), (-7, 3, 2), (7, -3, -1), (-7, -3, -2), (6, -3, 0), (5, 0, 42)]
    {
        let values = [("i", Value::int(dividend)), ("j", Value::int(divisor)), ("div0!1", Value::int(42))];
        assert_eq!(value("i", "i rem j", &values), Value::int(rem), "{dividend} rem {divisor}");
    }
}
