//! SMT-LIB text: what is printed, what is read, what is rejected.

use thetis_expr::smtlib::{Declared, Dialect, parse_sort, parse_term, parse_value, print_declarations};
use thetis_expr::smtlib::{print_sort, print_term, print_value};
use thetis_expr::{Sort, Store, Version};

fn store() -> Store {
    let store = Store::new();
    for (name, sort) in [("p", Sort::Bool), ("q", Sort::Bool), ("x", Sort::Int), ("y", Sort::Int)] {
        store.declare(name, sort);
    }
    store.declare("r", Sort::Real);
    store.declare("s", Sort::Real);
    store.declare("b", Sort::bitvec(8));
    store.declare("c", Sort::bitvec(8));
    store.declare("a", store.array_sort(Sort::Int, Sort::Int));
    store.declare("f", Sort::float(3, 4));
    store.declare("g", Sort::float(3, 4));
    store
}

/// Parses `input` and compares what is printed for Thetis, and that this reads back as the same term.
fn check(input: &str, expected: &str) {
    let store = store();
    let term = match parse_term(&store, input, &Declared) {
        Ok(term) => term,
        Err(error) => return assert_eq!(error.to_string(), expected, "for {input}"),
    };
    let printed = print_term(&store, term, Dialect::Thetis);
    assert_eq!(printed, expected, "for {input}");
    assert_eq!(parse_term(&store, &printed, &Declared), Ok(term), "reading back {printed}");
    let standard = print_term(&store, term, Dialect::Standard);
    assert!(parse_term(&store, &standard, &Declared).is_ok(), "reading {standard}");
}

#[test]
fn core_is_read() {
    check("true", "true");
    check("(and p q)", "(and p q)");
    check("(and p)", "p");
    check("(=> p q p)", "(or (or p (not q)) (not p))");
    check("(=> p q)", "(or q (not p))");
    check("(xor p q)", "(xor p q)");
    check("(= p q true)", "(and q (= p q))");
    check("(distinct x y 3)", "(and (not (= x y)) (not (= x 3)) (not (= y 3)))");
    check("(ite p x y)", "(ite p x y)");
    check("(let ((x y) (y x)) (- x y))", "(- y x)");
    check("(let ((z (+ x y))) (let ((z (* z z))) z))", "(let ((?1 (+ x y))) (* ?1 ?1))");
    check("(and (! (<= x y) :named le) le)", "(<= x y)");
    check("(= |x| |y|)", "(= x y)");
}

#[test]
fn numbers_are_read() {
    check("(+ x 1 2)", "(+ x 3)");
    check("(- x)", "(- x)");
    check("(- 5)", "(- 5)");
    check("(- x y 3)", "(+ (- x y) (- 3))");
    check("(* 2 x)", "(* x 2)");
    check("(< x y 3)", "(and (< x y) (< y 3))");
    check("(>= x y)", "(<= y x)");
    check("(div x y)", "(div x y)");
    check("(mod x 0)", "(mod x 0)");
    check("(abs (- 3))", "3");
    check("(/ 1 3)", "(/ 1.0 3.0)");
    check("(+ r 1)", "(+ r 1.0)");
    check("(- 2.50)", "(- (/ 5.0 2.0))");
    check("(= r (to_real x))", "(= r (to_real x))");
    check("(< r x)", "(< r (to_real x))");
    check("(is_int r)", "(= r (to_real (to_int r)))");
    check("((_ divisible 3) x)", "(= (mod x 3) 0)");
}

#[test]
fn bits_are_read() {
    check("(bvadd b c #x01)", "(bvadd (bvadd b c) #x01)");
    check("(bvuge b c)", "(bvule c b)");
    check("(bvnand b c)", "(bvnot (bvand b c))");
    check("(bvcomp b c)", "(ite (= b c) #b1 #b0)");
    check("(_ bv300 8)", "#x2c");
    check("((_ extract 6 2) b)", "((_ extract 6 2) b)");
    check("((_ zero_extend 4) b)", "((_ zero_extend 4) b)");
    check("((_ sign_extend 0) b)", "b");
    check("((_ rotate_left 3) b)", "(concat ((_ extract 4 0) b) ((_ extract 7 5) b))");
    check("((_ rotate_right 3) b)", "(concat ((_ extract 2 0) b) ((_ extract 7 3) b))");
    check("((_ rotate_right 8) b)", "b");
    check("((_ repeat 3) #b10)", "#b101010");
    check("(ubv_to_int #xff)", "255");
    check("(sbv_to_int #xff)", "(- 1)");
    check("((_ int_to_bv 8) (- 1))", "#xff");
    check("(bvredor #x10)", "#b1");
    check("(bvredand #xff)", "#b1");
}

#[test]
fn arrays_are_read() {
    check("(select (store a x 1) y)", "(select (store a x 1) y)");
    check("((as const (Array Int Int)) x)", "((as const (Array Int Int)) x)");
    check("(store ((as const (Array Int Int)) 0) 2 1)", "(store ((as const (Array Int Int)) 0) 2 1)");
}

#[test]
fn floats_are_read() {
    check("(fp.add RNE f g)", "(fp.add RNE f g)");
    check("(fp.fma roundTowardZero f g f)", "(fp.fma RTZ f g f)");
    check("(fp.gt f g)", "(fp.lt g f)");
    check("(fp.eq f g f)", "(fp.eq f g)");
    check("(= f (_ +oo 3 4))", "(= f (fp #b0 #b111 #b000))");
    check("(fp.isNaN (_ NaN 3 4))", "true");
    check("(fp #b0 #b011 #b100)", "(fp #b0 #b011 #b100)");
    check("(fp #b1 ((_ extract 2 0) b) #b000)", {
        "((_ to_fp 3 4) (concat (concat #b1 ((_ extract 2 0) b)) #b000))"
    });
    check("((_ to_fp 3 4) RNE 1.5)", "(fp #b0 #b011 #b100)");
    check("((_ to_fp 3 4) RNE 2)", "(fp #b0 #b100 #b000)");
    check("((_ to_fp 4 6) RTP f)", "((_ to_fp 4 6) RTP f)");
    check("((_ to_fp 3 4) RNE b)", "((_ to_fp 3 4) RNE b)");
    check("((_ to_fp_unsigned 3 4) RNE b)", "((_ to_fp_unsigned 3 4) RNE b)");
    check("((_ fp.to_sbv 8) RTZ f)", "((_ fp.to_sbv 8) RTZ f)");
    check("(+ r (fp.to_real f))", "(+ r (fp.to_real f))");
    check("(fp.add f g)", "at byte 0: unknown function `fp.add`");
    check("(and RNE p)", "at byte 0: unknown function `and`");
    check("(fp.add RNE f b)", {
        "at byte 0: argument 2 of FpAdd(NearestEven) should be of the format of the first"
    });
    check("(_ NaN 1 4)", {
        "at byte 7: a float should have 2 to 20 bits of exponent and 2 to 65535 of significand"
    });
}

#[test]
fn errors_have_positions() {
    check("(and p x)", "at byte 0: argument 2 of And should be Boolean");
    check("(and p (+ p 1))", "at byte 7: argument 1 of Add should be a number");
    check("(h x)", "at byte 0: unknown function `h`");
    check("(+ x z)", "at byte 5: unknown symbol `z`");
    check("", "at byte 0: expected an expression");
    check("x y", "at byte 2: expected the end of the text");
    check("()", "at byte 0: expected a term");
    check("(let ((z)) z)", "at byte 6: expected a variable and a term");
    check("(let x)", "at byte 0: `let` takes a list of bindings and a term");
    check("((_ extract 8 0) b)", "at byte 0: there are no bits 8 to 0");
    check("(forall ((z Int)) p)", "at byte 1: `forall` is not supported");
    check("(_ bv1 0)", "at byte 7: a bit-vector should have between 1 and 1048576 bits");
    check("(_ bv+1 8)", "at byte 0: unknown constant");
    check("((_ repeat 0) b)", "at byte 0: a bit-vector should have between 1 and 1048576 bits");
    check("((1) x)", "at byte 1: expected a function symbol");
    check("((as const Int) x)", "at byte 0: ConstArray cannot have the requested result sort");
    check("(- )", "at byte 0: Sub takes two arguments but got 0");
    check(":named", "at byte 0: expected a term");
}

#[test]
fn growing_constants_are_rejected_before_memory_is() {
    let mut text = "(* n n)".to_owned();
    for _ in 0..40 {
        text = format!("(let ((n (* n n))) {text})");
    }
    let text = format!("(let ((n 10)) {text})");
    let error = parse_term(&store(), &text, &Declared).unwrap_err();
    assert_eq!(error.message, "the number is too large");
}

#[test]
fn partial_operators_are_guarded_for_solvers() {
    let store = store();
    for (input, expected) in [
        ("(div x y)", "(ite (= y 0) 0 (div x y))"),
        ("(mod x y)", "(ite (= y 0) x (mod x y))"),
        ("(/ r s)", "(ite (= s 0.0) 0.0 (/ r s))"),
        ("(div x 3)", "(div x 3)"),
        ("(mod x 0)", "(ite (= 0 0) x (mod x 0))"),
        ("(div x (+ x y))", "(let ((?1 (+ x y))) (ite (= ?1 0) 0 (div x ?1)))"),
        ("(mod (- x) y)", "(let ((?1 (- x))) (ite (= y 0) ?1 (mod ?1 y)))"),
    ] {
        let term = parse_term(&store, input, &Declared).unwrap();
        assert_eq!(print_term(&store, term, Dialect::Standard), expected);
    }
}

#[test]
fn versions_and_strange_names_read_back() {
    let store = store();
    for name in ["x", "x'", "x⟨3⟩", "a|b", "a\\b", "and", "?1", "main::f::x", ""] {
        let var = store.declare(name, Sort::Int);
        for version in [Version::Current, Version::Next, Version::Step(7)] {
            let expr = store.var_expr(store.at_version(var, version));
            let term = store.add(expr, store.mul(expr, expr));
            let text = print_term(&store, term, Dialect::Thetis);
            assert_eq!(parse_term(&store, &text, &Declared), Ok(term), "{text}");
        }
    }
}

#[test]
fn sorts_and_declarations() {
    let store = store();
    for text in [
        "Bool",
        "Int",
        "Real",
        "(_ BitVec 8)",
        "(_ FloatingPoint 8 24)",
        "(Array (_ BitVec 2) (Array Int Real))",
    ] {
        let sort = parse_sort(&store, text).unwrap();
        assert_eq!(print_sort(&store, sort), text);
    }
    for text in ["Float", "(_ BitVec 0)", "(Array Int)", "(Array (Array Int Int) Int)", "(_ BitVec x)"] {
        assert!(parse_sort(&store, text).is_err(), "{text}");
    }
    let nested = format!("{}Int{}", "(Array Int ".repeat(100_000), ")".repeat(100_000));
    assert!(parse_sort(&store, &nested).is_err());
    let term = parse_term(&store, "(= (select a |x⟨2⟩|) 1)", &Declared).unwrap();
    let expected = "(declare-const a (Array Int Int))\n(declare-const |x⟨2⟩| Int)\n";
    assert_eq!(print_declarations(&store, [term]), expected);
}

#[test]
fn values_of_solvers_are_read() {
    let store = store();
    for (text, sort, expected) in [
        ("(- 5)", "Int", "(- 5)"),
        ("7", "Real", "7.0"),
        ("(- (/ 1 2))", "Real", "(- (/ 1.0 2.0))"),
        ("(/ (- 1) 2)", "Real", "(- (/ 1.0 2.0))"),
        ("#b101", "(_ BitVec 3)", "#b101"),
        ("(_ bv10 4)", "(_ BitVec 4)", "#xa"),
        ("(let ((a!1 ((as const (Array Int Bool)) true))) (store a!1 1 false))", "(Array Int Bool)", {
            "(store ((as const (Array Int Bool)) true) 1 false)"
        }),
    ] {
        let value = parse_value(&store, text, parse_sort(&store, sort).unwrap()).unwrap();
        assert_eq!(print_value(&store, &value), expected);
    }
    assert!(parse_value(&store, "5", Sort::Bool).is_err());
    assert!(parse_value(&store, "x", Sort::Int).is_err());
    assert!(parse_value(&store, "(root-obj (+ (^ x 2) (- 2)) 1)", Sort::Real).is_err());
}

#[test]
fn shared_terms_do_not_blow_up() {
    let store = store();
    let mut term = store.var("x", Sort::Int);
    for _ in 0..100 {
        term = store.add(term, term);
    }
    let text = print_term(&store, term, Dialect::Standard);
    assert!(text.len() < 5_000, "{} bytes", text.len());
    assert_eq!(parse_term(&store, &text, &Declared), Ok(term));
}

#[test]
fn damaged_texts_never_panic() {
    let store = store();
    let text = "(let ((z (+ x 1))) (and (! (= |y'| (div z 2)) :named n) (bvult #b01 ((_ extract 7 6) b)) n))";
    assert!(parse_term(&store, text, &Declared).is_ok());
    for start in 0..text.len() {
        let _ = parse_term(&store, &text[start..], &Declared);
        let _ = parse_term(&store, &text[..start], &Declared);
        for replacement in ["(", ")", "|", "\"", "#", "9", "_", " ", "⟨", "let"] {
            let damaged = format!("{}{replacement}{}", &text[..start], &text[start + 1..]);
            let _ = parse_term(&store, &damaged, &Declared);
        }
    }
}
