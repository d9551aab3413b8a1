//! What violates which property.

use thetis_c::hir::DataModel;
use thetis_c::lower::{Arithmetic, Event, Property};

use thetis_c::entry::{Entry, EntryState, Inside, Pointers};

use super::run::{Outcome, Setup, run, run_counting, translate, translate_from};

fn violates(property: &Property, text: &str, inputs: &[i128]) -> bool {
    let outcomes = [Arithmetic::Mod, Arithmetic::Bv].map(|arithmetic| {
        let setup = Setup { arithmetic, property: property.clone(), ..Setup::default() };
        run(&translate(text, &setup).unwrap(), inputs) == Outcome::Violation
    });
    assert_eq!(outcomes[0], outcomes[1], "both encodings should agree on {text}");
    outcomes[0]
}

#[test]
fn a_call_is_a_violation_whatever_the_body_does() {
    let call = Property::UnreachCall("reach_error".to_string());
    let text = "void abort(void); void reach_error(void) { abort(); } int main(void) { reach_error(); }";
    assert!(violates(&call, text, &[]));
    let old = Property::UnreachCall("__VERIFIER_error".to_string());
    assert!(!violates(&old, text, &[]));
    let pointed = "void reach_error(void) {} int main(void) { void (*f)(void) = reach_error; f(); }";
    assert!(violates(&call, pointed, &[]));
}

#[test]
fn labels_and_assertions() {
    let label = Property::Label("ERROR".to_string());
    assert!(violates(
        &label,
        "int main(void) { int x = 1; if (x) goto ERROR; return 0; ERROR: return 1; }",
        &[]
    ));
    assert!(!violates(
        &label,
        "int main(void) { int x = 0; if (x) goto ERROR; return 0; ERROR: return 1; }",
        &[]
    ));
    assert!(violates(&Property::Assertion, "int main(void) { int x = 1; assert(x == 2); }", &[]));
    assert!(!violates(&Property::Assertion, "int main(void) { int x = 2; assert(x == 2); }", &[]));
    let fail = "void __assert_fail(const char *, const char *, unsigned, const char *);
         int main(void) { int x = 1; if (x != 2) __assert_fail(\"\", \"\", 1, \"\"); }";
    assert!(violates(&Property::Assertion, fail, &[]));
    assert!(!violates(&Property::UnreachCall("reach_error".to_string()), fail, &[]));
}

#[test]
fn signed_operations_overflow() {
    let overflows = |expr: &str, x: i128| {
        let text = format!(
            "int __VERIFIER_nondet_int(void); int main(void) {{ int x = __VERIFIER_nondet_int(); long l; unsigned u; char c; l = {expr}; return 0; }}"
        );
        violates(&Property::NoOverflow, &text, &[x])
    };
    let (least, most) = (i128::from(i32::MIN), i128::from(i32::MAX));
    assert!(overflows("x + 1", most) && !overflows("x + 1", most - 1));
    assert!(overflows("x - 1", least) && !overflows("x - 1", least + 1));
    assert!(overflows("-x", least) && !overflows("-x", most));
    assert!(overflows("x * x", 46341) && !overflows("x * x", 46340));
    assert!(overflows("x / -1", least) && !overflows("x / -1", most));
    assert!(overflows("x % -1", least) && !overflows("x % -1", 7));
    assert!(overflows("x << 2", 1 << 29) && !overflows("x << 2", 1 << 28));
    assert!(overflows("x++", most) && overflows("(x += 2)", most - 1));
    assert!(!overflows("(u = x, u + u)", most), "unsigned numbers wrap");
    assert!(!overflows("(c = x, c++)", 127), "the conversion back to `char` is no overflow");
    assert!(!overflows("(long)x + 1", most));
    assert!(!overflows("x && x + 1", 0), "what is not evaluated does not overflow");
}

#[test]
fn divisors_and_shifts_are_checked() {
    let violated = |property: &Property, expr: &str, x: i128| {
        let text = format!(
            "int __VERIFIER_nondet_int(void); int main(void) {{ int x = __VERIFIER_nondet_int(); unsigned u = 8; long l = 9; double d = 1; \
             int r = {expr}; return 0; }}"
        );
        violates(property, &text, &[x])
    };
    let division = |expr: &str, x: i128| violated(&Property::NoDivisionByZero, expr, x);
    for expr in
        ["1 / x", "1 % x", "u / x", "l % x", "(l /= x)", "(u %= x)", "(x == 0) && 7 / x", "x ? 1 : 7 / x"]
    {
        assert!(division(expr, 0), "{expr}");
        assert!(!division(expr, 3), "{expr}");
    }
    for expr in ["x != 0 && 7 / x", "x ? 7 / x : 0", "(d / x) > 1", "7 / (x + 1)"] {
        assert!(!division(expr, 0), "{expr}");
    }
    let shift = |expr: &str, x: i128| violated(&Property::ValidShift, expr, x);
    for (expr, x, expected) in [
        ("1 << x", 31, false),
        ("1 << x", 32, true),
        ("0 << x", 32, true),
        ("1 >> x", -1, true),
        ("u >> x", 32, true),
        ("l << x", 63, false),
        ("l << x", 64, true),
        ("(l >>= x)", 64, true),
        ("(u <<= x)", 33, true),
        ("x < 32 && x >= 0 && 1 << x", 40, false),
        ("1 << (x & 31)", 255, false),
    ] {
        assert_eq!(shift(expr, x), expected, "{expr} with {x}");
    }
}

/// A function alone starts with any arguments and any values of the variables that can change.
#[test]
fn functions_start_anywhere() {
    let outcome = |function: &str, pointers: Pointers, inputs: &[i128]| {
        let setup = Setup { property: Property::Assertion, ..Setup::default() };
        let entry = Entry {
            function: function.to_owned(),
            pointers,
            state: EntryState::Arbitrary,
            inside: Inside::Anything,
        };
        run(&translate_from(FUNCTIONS, &setup, Some(&entry)).unwrap(), inputs)
    };
    for (function, pointers, inputs, is_violated) in [
        ("scalar", Pointers::Fresh, &[3, 4][..], false),
        ("scalar", Pointers::Fresh, &[3, 5], true),
        ("object", Pointers::Fresh, &[1, 2, 0], false),
        ("object", Pointers::Fresh, &[1, 7, 0], true),
        ("element", Pointers::Array(3), &[1, 2, 9], true),
        ("element", Pointers::Array(3), &[9, 2, 1], false),
        ("missing", Pointers::Null, &[], true),
        ("missing", Pointers::Fresh, &[0], false),
        ("constant", Pointers::Fresh, &[], false),
    ] {
        let found = outcome(function, pointers, inputs) == Outcome::Violation;
        assert_eq!(found, is_violated, "{function} with {pointers:?} and {inputs:?}");
    }
    let setup = Setup { property: Property::Assertion, ..Setup::default() };
    let entry = Entry {
        function: "counted".to_owned(),
        pointers: Pointers::Fresh,
        state: EntryState::Arbitrary,
        inside: Inside::Anything,
    };
    let lowered = translate_from(FUNCTIONS, &setup, Some(&entry)).unwrap();
    assert_eq!(run_counting(&lowered), Outcome::Violation, "the variable need not have its initial value");
    for (function, message) in [("none", "no function"), ("joined", "union")] {
        let entry = Entry {
            function: function.to_owned(),
            pointers: Pointers::Fresh,
            state: EntryState::Arbitrary,
            inside: Inside::Anything,
        };
        let error = translate_from(FUNCTIONS, &setup, Some(&entry)).err().unwrap();
        assert!(error.contains(message), "{error}");
    }
}

const FUNCTIONS: &str = "struct pair { int left; short right; struct pair *other; };
    union both { int i; float f; int *p; };
    static int counter = 0;
    static const int limit = 5;
    void scalar(int a, unsigned char b) { assert(a + b == 7); }
    void object(struct pair *p) { assert(p->right == 2); }
    void element(int *items) { assert(items[2] == 1); }
    void missing(int *p) { assert(p != 0); }
    void counted(void) { assert(counter == 0); }
    void constant(void) { assert(limit == 5); }
    void joined(union both *b) { assert(b->i == 1); }";

#[test]
fn inputs_and_calls_are_told() {
    let text = "unsigned __VERIFIER_nondet_uint(void); int f(int a) { return a; }
         int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x) return f(1); return 0; }";
    let lowered = translate(text, &Setup::default()).unwrap();
    let has = |test: &dyn Fn(&Event) -> bool| lowered.origin.edges.iter().any(test);
    assert!(has(
        &|event| matches!(event, Event::Input { function, .. } if function == "__VERIFIER_nondet_uint")
    ));
    assert!(has(&|event| matches!(event, Event::Branch { taken: true })));
    assert!(has(&|event| matches!(event, Event::Call(_))) && has(&|event| matches!(event, Event::Return(_))));
    assert_eq!(lowered.origin.frames.len(), 2);
    assert_eq!(lowered.origin.frames.iter().last().unwrap().path, "main.f");
}

#[test]
fn what_is_not_modelled_is_a_limit() {
    let text = "int main(int c, char **v) { if (c == 77) { asm(\"nop\"); } return 0; }";
    let lowered = translate(text, &Setup::default()).unwrap();
    assert_eq!(lowered.origin.limits.len(), 1);
    assert!(lowered.task.model.errors.is_empty());
    assert_eq!(lowered.task.model.forbidden().len(), 1);
}

#[test]
fn the_low_bits_of_addresses_are_not_known() {
    let text = "int main(void) { char c; if ((long)&c % 4 == 0) return 0; return 1; }";
    let lowered = translate(text, &Setup::default()).unwrap();
    assert_eq!(run(&lowered, &[]), Outcome::Limit("the bits of an address matter".to_string()));
    let aligned = text.replace("char c", "int c");
    let lowered = translate(&aligned, &Setup::default()).unwrap();
    assert_eq!(run(&lowered, &[]), Outcome::Exit(Some(0.into())));
}

#[test]
fn truth_values_are_zero_or_one_whatever_their_type() {
    let text = "int __VERIFIER_nondet_bool(void); int main(void) { return __VERIFIER_nondet_bool(); }";
    for arithmetic in [Arithmetic::Mod, Arithmetic::Bv] {
        let lowered = translate(text, &Setup { arithmetic, ..Setup::default() }).unwrap();
        assert_eq!(run(&lowered, &[1]), Outcome::Exit(Some(1.into())));
        assert_eq!(run(&lowered, &[2]), Outcome::Blocked);
    }
}

#[test]
fn programs_that_cannot_be_translated_are_refused() {
    let refused = |text: &str| translate(text, &Setup::default()).err().unwrap();
    assert_eq!(
        refused("int f(void) { return 0; }"),
        "the program has no function `main`; `--function NAME` checks one function by itself, and `--function '*'` each"
    );
}

#[test]
fn auto_uses_bits_only_where_they_are_needed() {
    let chosen = |body: &str| {
        let text = format!("int main(void) {{ int x = 1, y = 2; unsigned u = 3; {body} return x; }}");
        translate(&text, &Setup::default()).unwrap().arithmetic
    };
    for body in
        ["x = x + y;", "x = x & 15;", "x = x << 3;", "x = x | 8;", "x = (x == 1) | (y == 2);", "u = ~u >> 2;"]
    {
        assert_eq!(chosen(body), Arithmetic::Mod, "{body}");
    }
    for body in ["x = x & y;", "x = x << y;", "x ^= y;", "x = x & 0x55;", "double d = x;"] {
        assert_eq!(chosen(body), Arithmetic::Bv, "{body}");
    }
}

#[test]
fn the_data_model_decides_about_long() {
    let text = "int main(void) { unsigned long x = 4294967295u; x = x + 1; return x == 0; }";
    for (data_model, expected) in [(DataModel::Ilp32, 1), (DataModel::Lp64, 0)] {
        let lowered = translate(text, &Setup { data_model, ..Setup::default() }).unwrap();
        assert_eq!(run(&lowered, &[]), Outcome::Exit(Some(expected.into())));
    }
}

#[test]
fn pointers_become_integers_and_back() {
    for data_model in [DataModel::Ilp32, DataModel::Lp64] {
        for arithmetic in [Arithmetic::Mod, Arithmetic::Bv] {
            let text = "int a[3] = {1, 2, 3}; int g;
                 int main(void) {
                   unsigned long n = (unsigned long)&a[1];
                   int *p = (int *)(n + sizeof(int));
                   if ((unsigned long)p == (unsigned long)((void *)0)) return 9;
                   return *p + 10 * (n == (unsigned long)&g);
                 }";
            let lowered = translate(text, &Setup { data_model, arithmetic, ..Setup::default() }).unwrap();
            assert_eq!(run(&lowered, &[]), Outcome::Exit(Some(3.into())), "{data_model:?} {arithmetic:?}");
            assert!(!lowered.origin.assumptions.is_empty());
        }
    }
}

/// The x87 computes with more digits than `double` has, but not with more than `long double`.
#[test]
fn rounding_is_assumed_where_registers_have_more_digits() {
    let assumes = |ty: &str, data_model: DataModel| {
        let text = format!("int main(void) {{ volatile {ty} x = 1; return x + x == 2; }}");
        let lowered = translate(&text, &Setup { data_model, ..Setup::default() }).unwrap();
        lowered.origin.assumptions.iter().any(|assumption| assumption.text.contains("-mfpmath=sse"))
    };
    assert!(assumes("float", DataModel::Ilp32) && assumes("double", DataModel::Ilp32));
    assert!(!assumes("long double", DataModel::Ilp32) && !assumes("int", DataModel::Ilp32));
    assert!(!assumes("double", DataModel::Lp64));
}
