//! Small programs with known results, in both encodings.

use num_bigint::BigInt;
use thetis_c::lower::Arithmetic;

use super::run::{Outcome, Setup, run, translate};

/// Runs a program in both encodings.
fn outcomes(text: &str, inputs: &[i128]) -> [Outcome; 2] {
    [Arithmetic::Mod, Arithmetic::Bv].map(|arithmetic| {
        let lowered = translate(text, &Setup { arithmetic, ..Setup::default() }).unwrap();
        run(&lowered, inputs)
    })
}

pub(crate) fn returns(text: &str, expected: i64) {
    let exit = Outcome::Exit(Some(BigInt::from(expected)));
    assert_eq!(outcomes(text, &[]), [exit.clone(), exit], "{text}");
}

/// `int main() { body }`.
pub(crate) fn main_returns(body: &str, expected: i64) {
    returns(&format!("int main(void) {{ {body} }}"), expected);
}

#[test]
fn arithmetic_is_that_of_machines() {
    main_returns("int x = 2147483647; unsigned u = x; u = u + u + 3; return u;", 1);
    main_returns("return -7 / 2;", -3);
    main_returns("int x = -7; return x % 3;", -1);
    main_returns("int x = -7, y = -3; return x / y * 10 + x % y;", 19);
    main_returns("unsigned char c = 300; return c;", 44);
    main_returns("signed char c = 200; return c;", -56);
    main_returns("unsigned u = 0; u--; return u > 1000;", 1);
    main_returns("int x = -8; return x >> 1;", -4);
    main_returns("unsigned x = 0xf0; return (x >> 4) | (x << 4);", 0xf0f);
    main_returns("int x = 12; return x & 10;", 8);
    main_returns("int x = -1; return x & ~3;", -4);
    main_returns("int x = 12, y = 10; return (x & y) + (x | y) + (x ^ y);", 28);
    main_returns("int x = 5; return ~x;", -6);
    main_returns("long x = 1; x <<= 40; return x >> 38;", 4);
    main_returns("unsigned x = 0, n = 40; return x << n;", 0);
    main_returns("_Bool b = 7; b = b + b; return b;", 1);
    main_returns("return (short)65537 + (int)3.99;", 4);
}

#[test]
fn postfix_and_prefix_operators_have_the_right_value() {
    main_returns("int x = 5; int y = x--; return 10 * y + x;", 54);
    main_returns("int x = 5; int y = --x; return 10 * y + x;", 44);
    main_returns("int a[3] = {1, 2, 3}; int i = 0; a[i++] += 10; return 100 * i + a[0];", 111);
    main_returns("int a[2] = {0, 0}; int *p = a; *p++ = 4; *p = 5; return 10 * a[0] + a[1];", 45);
}

#[test]
fn short_circuit_evaluation_keeps_effects_back() {
    returns(
        "int n; int f(int v) { n++; return v; }
         int main(void) { int r = f(0) && f(1); r += 2 * (f(1) || f(0)); return 10 * r + n; }",
        22,
    );
    main_returns("int x = 0; int y = 1 ? x++ : --x; return 10 * y + x;", 1);
    main_returns("int x = 3; int y = (x = 4, x + 1); return y;", 5);
}

#[test]
fn statements_go_where_c_says() {
    main_returns(
        "int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; s += i; } return s;",
        12,
    );
    main_returns("int s = 0, i = 3; do { s += i; } while (--i); return s;", 6);
    main_returns(
        "int s = 0; switch (2) { case 1: s = 1; case 2: s += 2; case 3: s += 3; break; default: s = 9; } return s;",
        5,
    );
    main_returns("switch (7) { case 1 ... 5: return 1; default: return 3; case 6 ... 8: return 2; }", 2);
    main_returns("int i = 0; again: i++; if (i < 5) goto again; return i;", 5);
    main_returns("int i = 0; goto in; while (i < 3) { i = i + 10; in: i++; } return i;", 12);
    returns("int main(void) { }", 0);
}

#[test]
fn structures_are_copied() {
    returns(
        "struct s { int a; struct { int b; char c; } in; int v[2]; };
         struct s f(struct s x) { x.a = 9; x.in.b++; return x; }
         int main(void) {
           struct s p = { 1, { 2, 3 }, { 4, 5 } }, q;
           q = p; q.a = 7; q.v[1] = 8;
           struct s r = f(q);
           return p.a * 10000 + p.v[1] * 1000 + q.a * 100 + r.a * 10 + r.in.b;
         }",
        15793,
    );
    returns(
        "struct s { int a, b; };
         int main(void) { struct s x = {1, 2}, y = {3, 4}; struct s *p = &x, *q = &y; *p = *q; q->a = 5; return p->a * 10 + x.b; }",
        34,
    );
    main_returns("struct { unsigned a : 3; int b : 2; } s; s.a = 9; s.b = 3; return s.a * 10 + s.b;", 9);
}

#[test]
fn pointers_see_what_variables_hold() {
    returns(
        "void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
         int main(void) { int x = 1, y = 2; swap(&x, &y); return 10 * x + y; }",
        21,
    );
    returns("int g; void set(int *p) { *p = 7; } int main(void) { set(&g); return g; }", 7);
    main_returns(
        "int a[5]; for (int i = 0; i < 5; i++) a[i] = i * i; int *p = a + 2; return p[2] + *(p - 1);",
        17,
    );
    main_returns("int a[5]; int *p = &a[4], *q = &a[1]; return p - q;", 3);
    main_returns(
        "int m[2][3]; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) m[i][j] = 10 * i + j; return m[1][2];",
        12,
    );
    returns(
        "struct { long a; int v[2]; } g = { 1, { 2, 3 } }; int main(void) { int *p = &g.v[1]; return *p; }",
        3,
    );
    main_returns("int x = 3; int *p = &x; int **q = &p; **q = 4; return x;", 4);
    main_returns("char *s = \"abc\"; return s[1];", 98);
    main_returns("int n = 4; int a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[3] + sizeof(a);", 19);
}

#[test]
fn structures_can_be_seen_as_others() {
    returns(
        "struct base { int kind; }; struct derived { int kind; int extra; };
         int main(void) { struct derived d = { 1, 2 }; struct base *b = (struct base *)&d; b->kind = 7; return d.kind * 10 + d.extra; }",
        72,
    );
    returns(
        "struct base { int kind; }; struct derived { struct base head; int extra; };
         void set(struct base *b) { b->kind = 3; }
         int main(void) { struct derived d = { { 1 }, 2 }, *p = &d; set(&p->head); return ((struct derived *)&d.head)->extra * 10 + d.head.kind; }",
        23,
    );
}

#[test]
fn the_heap_grows() {
    returns(
        "void *malloc(unsigned long);
         struct node { int value; struct node *next; };
         int main(void) {
           struct node *head = 0;
           for (int i = 0; i < 4; i++) {
             struct node *n = malloc(sizeof(struct node));
             n->value = i; n->next = head; head = n;
           }
           int sum = 0, weight = 1;
           for (struct node *n = head; n; n = n->next) { sum += weight * n->value; weight *= 10; }
           return sum;
         }",
        123,
    );
    returns(
        "void *calloc(unsigned long, unsigned long); int main(void) { int *p = calloc(3, sizeof(int)); return p[2]; }",
        0,
    );
}

#[test]
fn bytes_are_shared_where_c_lets_them() {
    main_returns(
        "union { unsigned u; unsigned char b[4]; } x; x.u = 0x01020304; return x.b[0] * 10 + x.b[3];",
        41,
    );
    main_returns(
        "int x = 0x01020304; unsigned char *p = (unsigned char *)&x; p[1] = 0; return x;",
        0x0102_0004,
    );
    main_returns("unsigned i = 0x40000000; float *p = (float *)&i; return *p;", 2);
    main_returns("union { float f; unsigned u; } x; x.f = 1.0f; return x.u >> 23;", 127);
}

#[test]
fn function_pointers_call_what_they_point_to() {
    returns(
        "int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }
         int main(void) { int (*f)(int, int) = add; int x = f(5, 3); f = &sub; return 10 * x + (*f)(5, 3); }",
        82,
    );
    returns(
        "struct ops { int (*get)(void); }; int one(void) { return 1; } int two(void) { return 2; }
         struct ops table[2] = { { one }, { two } };
         int main(void) { int s = 0; for (int i = 0; i < 2; i++) s = 10 * s + table[i].get(); return s; }",
        12,
    );
}

#[test]
fn recursion_is_followed_up_to_a_bound() {
    let factorial = |n: u32| {
        format!(
            "int f(int n) {{ if (n <= 1) return 1; return n * f(n - 1); }} int main(void) {{ return f({n}); }}"
        )
    };
    returns(&factorial(5), 120);
    assert!(matches!(&outcomes(&factorial(40), &[])[..], [Outcome::Limit(_), Outcome::Limit(_)]));
}

#[test]
fn inputs_are_arbitrary_values_of_their_type() {
    let text = "int __VERIFIER_nondet_int(void); void reach_error(void);
         int main(void) { int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int(); if (x == 3 && y == x + 1) reach_error(); return y; }";
    assert_eq!(outcomes(text, &[3, 4]), [Outcome::Violation, Outcome::Violation]);
    let exit = Outcome::Exit(Some(BigInt::from(5)));
    assert_eq!(outcomes(text, &[3, 5]), [exit.clone(), exit]);
    let outside = translate(text, &Setup { arithmetic: Arithmetic::Mod, ..Setup::default() }).unwrap();
    assert_eq!(run(&outside, &[1 << 40]), Outcome::Blocked);
}

#[test]
fn floating_point_is_exact() {
    main_returns("double x = 0.1 + 0.2; return x == 0.3;", 0);
    main_returns("float f = 16777216.0f; f = f + 1.0f; return f == 16777216.0f;", 1);
    main_returns("double d = 7.9; int i = d; return i;", 7);
    main_returns("int i = 7; double d = i / 2 + i / 2.0; return d * 10;", 65);
    main_returns("long double x = 1.5L; x = x * 2; return x;", 3);
}
