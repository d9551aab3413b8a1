//! Corners of the language, each as a small program with what gcc makes of it.

use thetis_c::hir::DataModel;
use thetis_c::lower::Arithmetic;

use super::run::{Outcome, Setup, run, run_choosing, run_counting, translate};

/// What is expected of a program.
#[derive(Clone, Copy)]
enum Expected {
    /// `main` returns this.
    Returns(i64),
    /// The run ends at a limit.
    Limit,
    /// The checker does not accept it.
    Rejected,
}

use Expected::{Limit, Rejected, Returns};

fn check_model(cases: &[(&str, Expected)], data_model: DataModel) {
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        for arithmetic in [Arithmetic::Mod, Arithmetic::Bv] {
            let found = translate(text, &Setup { arithmetic, data_model, ..Setup::default() })
                .map(|lowered| run(&lowered, &[]));
            let is_right = match (expected, &found) {
                (Returns(value), Ok(outcome)) => *outcome == Outcome::Exit(Some((*value).into())),
                (Limit, Ok(outcome)) => matches!(outcome, Outcome::Limit(_)),
                (Rejected, found) => found.is_err(),
                (Returns(_) | Limit, Err(_)) => false,
            };
            if !is_right {
                wrong.push(format!("{found:?} in {text} ({arithmetic:?})"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(cases: &[(&str, Expected)]) {
    check_model(cases, DataModel::Lp64);
}

#[test]
fn attributes_are_known_or_rejected() {
    check(&[
        ("int x __attribute__((frobnicate)); int main(void) { return x; }", Rejected),
        ("__attribute__((interrupt)) void isr(void *p) {} int main(void) { return 0; }", Rejected),
        ("int g(void); int f(void) __attribute__((ifunc(\"g\"))); int main(void) { return f(); }", Rejected),
        (
            "__attribute__((noinline, cold, section(\".x\"))) int f(void) { return 3; } int main(void) { return f(); }",
            Returns(3),
        ),
        (
            "__attribute__((optimize(\"O3\"))) int f(void) { return 3; } int main(void) { return f(); }",
            Returns(3),
        ),
        (
            "__attribute__((optimize(\"fast-math\"))) int f(void) { return 3; } int main(void) { return f(); }",
            Rejected,
        ),
        ("asm(\"nop\"); int main(void) { return 0; }", Rejected),
        ("__attribute__((naked)) int f(void) { return 3; } int main(void) { return f(); }", Limit),
        ("enum { A __attribute__((unused)), B }; int main(void) { return B; }", Returns(1)),
        (
            "int main(void) { switch (1) { case 1: __attribute__((fallthrough)); case 2: return 4; } return 0; }",
            Returns(4),
        ),
    ]);
}

#[test]
fn pragmas_are_known_or_rejected() {
    check(&[
        ("#pragma frobnicate\nint main(void) { return 0; }", Rejected),
        ("#pragma weak f\nint main(void) { return 0; }", Rejected),
        ("#pragma scalar_storage_order big-endian\nint main(void) { return 0; }", Rejected),
        ("#pragma GCC diagnostic ignored \"-Wall\"\nint main(void) { return 0; }", Returns(0)),
        (
            "#pragma pack(1)\nstruct s { char c; int i; };\nint main(void) { return sizeof(struct s); }",
            Returns(5),
        ),
        (
            "#pragma pack(push, 2)\nstruct s { char c; int i; };\n#pragma pack(pop)\nstruct t { char c; int i; };\nint main(void) { return 10 * sizeof(struct s) + sizeof(struct t); }",
            Returns(68),
        ),
        (
            "#pragma pack(push)\n#pragma pack(1)\nstruct s { char c; long i; };\n#pragma pack()\nstruct t { char c; long i; };\nint main(void) { return 10 * sizeof(struct s) + sizeof(struct t); }",
            Returns(106),
        ),
    ]);
}

#[test]
fn alignment_is_that_of_type_names() {
    check(&[
        (
            "typedef int a16 __attribute__((aligned(16))); struct s { char c; a16 x; }; int main(void) { return sizeof(struct s) + _Alignof(a16); }",
            Returns(48),
        ),
        (
            "typedef int a1 __attribute__((aligned(1))); struct s { char c; a1 x; }; int main(void) { return sizeof(struct s); }",
            Returns(5),
        ),
        (
            "typedef int a16 __attribute__((aligned(16))); struct s { char c; a16 *x; }; int main(void) { return sizeof(struct s); }",
            Returns(16),
        ),
        (
            "struct s { char c; int x __attribute__((aligned(16))); }; int main(void) { return sizeof(struct s); }",
            Returns(32),
        ),
        (
            "struct __attribute__((packed)) s { unsigned a : 5, b : 31; }; int main(void) { struct s x = {3, 0x7fffffff}; struct s *p = &x; p->b = 5; p->a = 31; return p->b * 100 + p->a + sizeof x; }",
            Returns(536),
        ),
        (
            "struct __attribute__((packed)) s { unsigned a : 5, b : 31; }; struct s g[2]; int main(void) { unsigned char *c = (unsigned char *)g; g[1].b = 1; return c[5] * 10 + sizeof g; }",
            Returns(330),
        ),
    ]);
}

#[test]
fn constructors_run_around_main() {
    check(&[
        (
            "int x; __attribute__((constructor)) void f(void) { x = 7; } int main(void) { return x; }",
            Returns(7),
        ),
        (
            "int x; __attribute__((constructor(200))) void f(void) { x = 10 * x + 2; } __attribute__((constructor(150))) void g(void) { x = 10 * x + 1; } __attribute__((constructor)) void h(void) { x = 10 * x + 3; } int main(void) { return x; }",
            Returns(123),
        ),
        (
            "void reach_error(void); int x; __attribute__((destructor)) void f(void) { if (x == 2) asm(\"hlt\"); } int main(void) { x = 2; return x; }",
            Limit,
        ),
        (
            "void exit(int); int x; __attribute__((destructor)) void f(void) { if (x == 2) asm(\"hlt\"); } void g(void) { x = 2; exit(1); } int main(void) { g(); return x; }",
            Limit,
        ),
        (
            "void abort(void); int x; __attribute__((destructor)) void f(void) { if (x == 2) asm(\"hlt\"); } int main(void) { x = 1; return 4; }",
            Returns(4),
        ),
    ]);
}

#[test]
fn cleanups_run_when_scopes_end() {
    let prelude = "int n; void f(int *p) { n = 10 * n + *p; } ";
    let with = |body: &str| format!("{prelude}{body}");
    let cases = [
        (
            with(
                "int main(void) { { int a __attribute__((cleanup(f))) = 1; int b __attribute__((cleanup(f))) = 2; } return n; }",
            ),
            21,
        ),
        (
            with(
                "int g(void) { int a __attribute__((cleanup(f))) = 3; return a + n; } int main(void) { int r = g(); return 10 * r + n; }",
            ),
            33,
        ),
        (
            with(
                "int main(void) { for (int i = 0; i < 3; i++) { int a __attribute__((cleanup(f))) = i + 1; if (i == 0) continue; if (i == 1) break; } return n; }",
            ),
            12,
        ),
        (
            with(
                "int main(void) { int r = ({ int a __attribute__((cleanup(f))) = 4; n + a; }); return 10 * r + n; }",
            ),
            44,
        ),
        (
            with(
                "void g(void) { int a __attribute__((cleanup(f))) = 5; if (n == 0) return; n = 9; } int main(void) { g(); return n; }",
            ),
            5,
        ),
    ];
    for (text, value) in &cases {
        check(&[(text, Returns(*value))]);
    }
    check(&[(
        "void f(int *p) {} int main(void) { { int a __attribute__((cleanup(f))) = 1; goto end; } end: return 0; }",
        Limit,
    )]);
}

#[test]
fn symbols_have_the_names_of_the_linker() {
    check(&[
        (
            "int f(void) { return 4; } int g(void) __attribute__((alias(\"f\"))); int main(void) { return g(); }",
            Returns(4),
        ),
        (
            "int f(void) { return 4; } int g(void) __attribute__((alias(\"f\"))); int main(void) { int (*p)(void) = g; return (p == f) * 10 + p(); }",
            Returns(14),
        ),
        (
            "extern int f(void) asm(\"g\"); int g(void) { return 6; } int main(void) { return f(); }",
            Returns(6),
        ),
        ("extern int a asm(\"b\"); int b; int main(void) { a = 5; return b; }", Returns(5)),
        ("extern int f(void) __attribute__((weak)); int main(void) { if (f) return f(); return 1; }", Limit),
        (
            "__attribute__((weak)) int f(void) { return 2; } int main(void) { if (f) return f(); return 1; }",
            Limit,
        ),
        ("extern int x __attribute__((weak)); int main(void) { if (&x) return x; return 1; }", Limit),
        (
            "int t(void) { return 8; } static int f(void) __attribute__((weakref(\"t\"))); int main(void) { return f(); }",
            Returns(8),
        ),
    ]);
}

#[test]
fn types_of_attributes() {
    check(&[
        (
            "typedef int q __attribute__((mode(QI))); typedef unsigned d __attribute__((mode(DI))); int main(void) { return sizeof(q) * 10 + sizeof(d); }",
            Returns(18),
        ),
        (
            "typedef union { int *i; const char *c; } u __attribute__((transparent_union)); int f(u x) { return *x.i; } int main(void) { int v = 5; return f(&v); }",
            Returns(5),
        ),
        ("union u { int i; float f; }; int main(void) { union u x = (union u)7; return x.i; }", Returns(7)),
        (
            "struct s { short a, b; } s = {1, 2}; typedef int __attribute__((may_alias)) alias; int main(void) { return *(alias *)&s; }",
            Returns(0x20001),
        ),
        (
            "struct __attribute__((scalar_storage_order(\"big-endian\"))) s { int x; }; int main(void) { struct s y = {1}; return y.x; }",
            Limit,
        ),
        (
            "struct __attribute__((scalar_storage_order(\"little-endian\"))) s { int x; }; int main(void) { struct s y = {1}; return y.x; }",
            Returns(1),
        ),
        (
            "typedef int v4 __attribute__((vector_size(16))); int main(void) { v4 x = {1, 2, 3, 4}; return x[0]; }",
            Limit,
        ),
    ]);
}

#[test]
fn unions_are_initialised_by_their_members() {
    check(&[
        (
            "union u { float f; unsigned u; }; int main(void) { return ((union u){1.0f}).u == 0x3f800000; }",
            Returns(1),
        ),
        (
            "struct s { int a; union { float f; unsigned u; } x; }; int main(void) { return ((struct s){3, {1.0f}}).x.u == 0x3f800000; }",
            Returns(1),
        ),
        (
            "typedef union { struct { int a, b; } s; int v[2]; } T; int main(void) { T t; t = (T){ { 3, 4 } }; T *p = &t; return p->s.a * 10 + p->s.b; }",
            Returns(34),
        ),
        (
            "typedef union { struct { int a, b; } s; double d; } T; int f(T *p) { return p->s.a * 10 + p->s.b; } int main(void) { T t; t = (T){ { 3, 4 } }; return f(&t); }",
            Returns(34),
        ),
        ("union u { char c; int i; }; union u g = { 1 }; int main(void) { return g.i; }", Returns(1)),
        (
            "union u { unsigned w; struct { unsigned a : 4, b : 4; } f; }; int main(void) { union u x = { 0x35 }; return x.f.a * 10 + x.f.b; }",
            Returns(53),
        ),
    ]);
}

#[test]
fn bit_fields_are_promoted_by_their_width() {
    let prelude = "struct { unsigned a : 3; } s = { 1 }; int main(void) { ";
    for body in [
        "return (0, s.a) - 5 < 0; }",
        "return ({ s.a; }) - 5 < 0; }",
        "return (s.a ?: s.a) - 5 < 0; }",
        "return (1 ? s.a : s.a) - 5 < 0; }",
        "return (s.a = 2) - 5 < 0; }",
        "return s.a++ - 5 < 0; }",
    ] {
        check(&[(&format!("{prelude}{body}"), Returns(1))]);
    }
}

#[test]
fn static_variables_start_with_values_of_others() {
    check(&[
        ("static const int k = 5; static int x = k; int main(void) { return x; }", Returns(5)),
        (
            "int g(void); static const int b = 2; static const int a = b + 1; int main(void) { static int y = a; return y * 10 + a; }",
            Returns(33),
        ),
        ("int v = 7; unsigned long n = (unsigned long)&v; int main(void) { return *(int *)n; }", Returns(7)),
    ]);
}

#[test]
fn constants_are_what_gcc_takes_for_them() {
    check(&[
        ("int main(void) { return __builtin_constant_p(5); }", Returns(1)),
        ("int main(void) { return __builtin_constant_p(\"abc\"); }", Returns(1)),
        ("int main(void) { int x = 1; return __builtin_constant_p(x); }", Returns(0)),
        ("int main(void) { int x = 1; return __builtin_constant_p(x * 0); }", Limit),
    ]);
}

#[test]
fn addresses_wrap_around_and_are_not_cut() {
    let wraps = "int main(void) { int a[4] = {1, 2, 3, 4}; int *p = &a[3]; return *(p + (unsigned)-2); }";
    check_model(&[(wraps, Returns(2))], DataModel::Ilp32);
    let wide = "int main(void) { int a[4] = {1, 2, 3, 4}; int *p = &a[3]; return *(p + (unsigned long)-2); }";
    check(&[
        (wide, Returns(2)),
        (
            "int a, b; int main(void) { return (unsigned)(unsigned long)&a == (unsigned)(unsigned long)&b; }",
            Limit,
        ),
        ("int a, b; int main(void) { return (unsigned long)&a == (unsigned long)&b; }", Returns(0)),
    ]);
    check_model(
        &[("int a, b; int main(void) { return (unsigned)&a == (unsigned)&b; }", Returns(0))],
        DataModel::Ilp32,
    );
}

#[test]
fn variable_arguments_are_those_of_the_call() {
    let prelude = "typedef __builtin_va_list va_list; ";
    let sum = "int sum(int n, ...) { va_list ap; int s = 0; __builtin_va_start(ap, n); for (int i = 0; i < n; i++) s = 10 * s + __builtin_va_arg(ap, int); __builtin_va_end(ap); return s; } ";
    let cases = [
        (format!("{prelude}{sum}int main(void) {{ return sum(3, 1, 2, 3); }}"), Returns(123)),
        (format!("{prelude}{sum}int main(void) {{ return sum(2, 1, 2) + sum(1, 5); }}"), Returns(17)),
        (format!("{prelude}{sum}int main(void) {{ return sum(3, 1, 2); }}"), Limit),
        (format!("{prelude}{sum}int main(void) {{ return sum(1, 2.0); }}"), Limit),
        (
            format!(
                "{prelude}int vsum(int n, va_list ap) {{ int s = 0; while (n--) s = 10 * s + __builtin_va_arg(ap, int); return s; }} int sum(int n, ...) {{ va_list ap; __builtin_va_start(ap, n); int s = vsum(n, ap); __builtin_va_end(ap); return s; }} int main(void) {{ return sum(2, 4, 5); }}"
            ),
            Returns(45),
        ),
        (
            format!(
                "{prelude}int f(int n, ...) {{ va_list ap, aq; __builtin_va_start(ap, n); int a = __builtin_va_arg(ap, int); __builtin_va_copy(aq, ap); int b = __builtin_va_arg(ap, int); int c = __builtin_va_arg(aq, int); return 100 * a + 10 * b + c; }} int main(void) {{ return f(0, 1, 2); }}"
            ),
            Returns(122),
        ),
        (
            format!(
                "{prelude}struct p {{ int x, y; }}; int f(int n, ...) {{ va_list ap; __builtin_va_start(ap, n); struct p q = __builtin_va_arg(ap, struct p); char *s = __builtin_va_arg(ap, char *); return q.x + q.y + s[1]; }} int main(void) {{ struct p q = {{ 1, 2 }}; return f(0, q, \"ab\"); }}"
            ),
            Returns(101),
        ),
        (
            format!(
                "{prelude}int f(int n, ...) {{ va_list ap; __builtin_va_start(ap, n); int *p = __builtin_va_arg(ap, int *); *p = 8; double d = __builtin_va_arg(ap, double); return d * 2; }} int main(void) {{ int x; float h = 1.5f; int r = f(0, &x, h); return 10 * x + r; }}"
            ),
            Returns(83),
        ),
        (
            format!(
                "{prelude}int f(int n, ...) {{ va_list ap; if (n == 0) return 0; __builtin_va_start(ap, n); int a = __builtin_va_arg(ap, int); return a + f(n - 1, a + 1); }} int main(void) {{ return f(3, 1); }}"
            ),
            Returns(6),
        ),
    ];
    for (text, expected) in &cases {
        for data_model in [DataModel::Lp64, DataModel::Ilp32] {
            check_model(&[(text, *expected)], data_model);
        }
    }
}

#[test]
fn comments_may_be_spliced_in_files_of_other_systems() {
    check(&[
        ("int main(void) { int x = 1; // comment \\\r\n x = 2;\r\n return x; }", Returns(1)),
        ("int main(void) { int x = 1; // comment \\\n x = 2;\n return x; }", Returns(1)),
    ]);
}

/// What is found for both choices of an order, by one input that decides.
fn results(text: &str) -> Vec<Outcome> {
    let lowered = translate(text, &Setup::default()).unwrap();
    [false, true].into_iter().map(|reversed| run_choosing(&lowered, reversed)).collect()
}

#[test]
fn both_orders_of_evaluation_are_explored() {
    let exit = |value: i64| Outcome::Exit(Some(value.into()));
    let prelude = "int x = 1; int f(void) { x = 2; return 1; } int g(void) { x = 3; return 2; } int h(int a, int b) { return 10 * a + b; } ";
    for (body, results_of_orders) in [
        ("int main(void) { int y = x + f(); return 10 * x + y; }", [22, 23]),
        ("int main(void) { f() + g(); return x; }", [3, 2]),
        ("int main(void) { x += f(); return x; }", [3, 2]),
        ("int main(void) { return h(x, f()); }", [11, 21]),
        ("int a[4]; int main(void) { a[x] = f(); return a[1]; }", [1, 0]),
    ] {
        let found = results(&format!("{prelude}{body}"));
        assert_eq!(found, results_of_orders.map(exit), "{body}");
    }
}

#[test]
fn undefined_orders_are_limits_and_harmless_ones_are_not() {
    check(&[
        ("int main(void) { int i = 1; i = i++ + ++i; return i; }", Limit),
        ("int main(void) { int a[3] = {0}, i = 1; a[i] = i++; return a[1]; }", Limit),
        (
            "int n; int f(void) { return ++n; } int main(void) { int a[2] = { f(), f() }; return a[0]; }",
            Limit,
        ),
        (
            "int f(int a) { return a; } int main(void) { int x = 1; return f(x) + f(x + 1) * f(2); }",
            Returns(5),
        ),
        ("int main(void) { int i = 1; i = i++; return i; }", Limit),
        ("int main(void) { int i = 1; i = (i++, i); return i; }", Returns(2)),
        (
            "struct s { int n, max; }; int f(struct s *p) { return p->n++ < p->max; } int main(void) { struct s x = {1, 2}; return f(&x); }",
            Returns(1),
        ),
        (
            "int main(void) { int a[3] = {1, 2, 3}, b[3], *p = a, *q = b; *q++ = *p++; *q = *p; return 10 * b[0] + b[1]; }",
            Returns(12),
        ),
        (
            "int next(int *s) { return ++*s; } int main(void) { int s = 1; int x = next(&s); x = next(&s) + x; return x; }",
            Returns(5),
        ),
        (
            "struct n { int v; struct n *l, *r; }; int sum(struct n *t) { return t ? t->v + sum(t->l) + sum(t->r) : 0; } int main(void) { struct n a = {1, 0, 0}, b = {2, 0, 0}, c = {3, &a, &b}; return sum(&c); }",
            Returns(6),
        ),
    ]);
}

#[test]
fn what_the_outside_world_changes_is_read_anew() {
    let exit = |value: i64| Outcome::Exit(Some(value.into()));
    let program = |declaration: &str, read: &str| {
        format!("{declaration} int main(void) {{ int a = {read}; int b = {read}; return 10 * a + b; }}")
    };
    for (declaration, read) in [
        ("extern volatile int x;", "x"),
        ("", "*(volatile int *)0x4000"),
        ("struct dev { volatile int status; };", "((struct dev *)0x4000)->status"),
        ("volatile int *const port = (volatile int *)0x4000;", "*port"),
    ] {
        let lowered = translate(&program(declaration, read), &Setup::default()).unwrap();
        // Where the variable starts with 1, the first read gives 2.
        assert!([exit(12), exit(23)].contains(&run_counting(&lowered)), "{declaration} {read}");
    }
    check(&[
        ("volatile int x = 3; int main(void) { int a = x; x = 4; return 10 * a + x; }", Returns(34)),
        ("int main(void) { volatile int x = 3; int y = x; x++; return 10 * y + x; }", Returns(34)),
    ]);
}

#[test]
fn computed_jumps_choose_between_labels() {
    check(&[
        (
            "int main(void) { static void *t[] = { &&a, &&b }; int i = 0, s = 0; again: goto *t[i]; a: s += 1; i = 1; goto again; b: return s + 5; }",
            Returns(6),
        ),
        ("int main(void) { void *p = &&end; goto *p; return 1; end: return 2; }", Returns(2)),
        ("int main(void) { void *p = 0; goto *p; end: return 2; void *q = &&end; }", Limit),
    ]);
}

#[test]
fn compilers_know_more_functions() {
    check(&[
        (
            "int main(void) { int r; int o = __builtin_add_overflow(2147483647, 1, &r); return o * 10 + (r < 0); }",
            Returns(11),
        ),
        (
            "int main(void) { int r; int o = __builtin_add_overflow(2, 3, &r); return o * 10 + r; }",
            Returns(5),
        ),
        (
            "int main(void) { unsigned r; int o = __builtin_sub_overflow(2, 3, &r); return o * 10 + (r == 4294967295u); }",
            Returns(11),
        ),
        (
            "int main(void) { unsigned long a = 1ul << 63, r; int o = __builtin_mul_overflow(a, 2ul, &r); return o * 10 + (r == 0); }",
            Returns(11),
        ),
        (
            "int main(void) { long r; int o = __builtin_smull_overflow(-4611686018427387904l, 2, &r); return o * 10 + (r < 0); }",
            Returns(1),
        ),
        ("int main(void) { return __builtin_mul_overflow_p(100, 3, (signed char)0); }", Returns(1)),
        (
            "int main(void) { char c; int *p; float f; struct { int x; } s; return __builtin_classify_type(c) + 10 * __builtin_classify_type(p) + 100 * __builtin_classify_type(f) + 1000 * __builtin_classify_type(s); }",
            Returns(12851),
        ),
        (
            "typedef enum { A } a; typedef enum { B } b; int main(void) { return __builtin_types_compatible_p(a, b); }",
            Limit,
        ),
        (
            "int main(void) { return __builtin_types_compatible_p(char *, const char *) * 10 + __builtin_types_compatible_p(int, const int); }",
            Returns(1),
        ),
        (
            "int x; extern int y __attribute__((alias(\"x\"))); int main(void) { y = 3; return x; }",
            Returns(3),
        ),
        ("_Complex int z; int main(void) { return sizeof z; }", Returns(8)),
    ]);
}
