//! Reads of variables without a value, unsigned overflow, and conversions that lose a value.

use thetis_c::lower::{Arithmetic, Property};

use super::run::{Outcome, Setup, run, translate};

/// What happens to a program: `.` nothing, `!` the property is violated, `?` there is a limit.
fn outcome(property: &Property, text: &str, inputs: &[i128]) -> char {
    let outcomes = [Arithmetic::Mod, Arithmetic::Bv].map(|arithmetic| {
        let setup = Setup { arithmetic, property: property.clone(), ..Setup::default() };
        let lowered = translate(text, &setup).unwrap_or_else(|message| panic!("{message}\n{text}"));
        match run(&lowered, inputs) {
            Outcome::Exit(_) => '.',
            Outcome::Violation => '!',
            Outcome::Limit(_) => '?',
            other => panic!("{other:?}: {text}"),
        }
    });
    assert_eq!(outcomes[0], outcomes[1], "both encodings should agree on {text}");
    outcomes[0]
}

const PRELUDE: &str = "typedef unsigned long size_t; int input(void); void *malloc(size_t);
    void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t); size_t strlen(const char *);
    char *strcpy(char *, const char *); int sensor(int *); int scanf(const char *, ...);
    struct pair { int a; int b; }; struct bits { unsigned low : 3; unsigned high : 5; };
    union both { int i; unsigned char c[4]; };\n";

/// Programs with what `valid-init` says about them.
const CASES: &[(char, &str)] = &[
    // Scalars.
    ('!', "int main(void) { int x; return x; }"),
    ('.', "int main(void) { int x; x = 1; return x; }"),
    ('.', "int main(void) { int x = 1; return x; }"),
    ('!', "int main(void) { int x; x++; return 0; }"),
    ('!', "int main(void) { int x; x += 1; return 0; }"),
    ('.', "int main(void) { int x; (void)x; return 0; }"),
    ('.', "int main(void) { int x; return sizeof x - 4; }"),
    ('!', "int main(void) { int x, y = 1; if (input()) x = 1; return y && x; }"),
    ('.', "int main(void) { int x, y = 0; if (input()) x = 1; return y && x; }"),
    ('!', "int main(void) { int x; return input() ? 1 : x; }"),
    ('!', "int f(int x) { return x; } int main(void) { int y; return f(y); }"),
    ('!', "int main(void) { float x; return x > 1; }"),
    ('!', "int main(void) { int *p; return *p; }"),
    ('.', "int main(void) { static int x; return x; }"),
    ('.', "int x; int main(void) { return x; }"),
    // Again in each round of a loop, and in each call.
    (
        '!',
        "int main(void) { for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; if (i == 1) return x; } return 0; }",
    ),
    ('!', "int f(int n) { int x; if (n) x = 1; return x; } int main(void) { f(1); return f(0); }"),
    (
        '.',
        "int main(void) { int x; for (int i = 0; i < 2; i++) { if (i == 0) x = 1; if (i == 1) return x - 1; } return 0; }",
    ),
    // Arrays, by constants and by variables.
    ('!', "int main(void) { int a[3]; a[0] = 1; return a[1]; }"),
    ('.', "int main(void) { int a[3]; a[0] = 1; return a[0] - 1; }"),
    ('.', "int main(void) { int a[3] = {1}; return a[2]; }"),
    ('!', "int main(void) { int a[4]; for (int i = 0; i < 3; i++) a[i] = 0; return a[input() + 3]; }"),
    ('.', "int main(void) { int a[4]; for (int i = 0; i < 4; i++) a[i] = 0; return a[input() + 3]; }"),
    ('!', "int main(void) { int a[2][2]; a[0][0] = a[0][1] = a[1][0] = 0; int i = 1; return a[i][i]; }"),
    ('!', "int main(void) { int n = 3; int a[n]; a[0] = 0; return a[1]; }"),
    // Structures: copies are no reads.
    ('.', "int main(void) { struct pair p, q; p.a = 1; q = p; return q.a - 1; }"),
    ('!', "int main(void) { struct pair p, q; p.a = 1; q = p; return q.b; }"),
    ('!', "struct pair f(void) { struct pair p; p.a = 1; return p; } int main(void) { return f().b; }"),
    ('.', "struct pair f(void) { struct pair p; p.a = 0; return p; } int main(void) { return f().a; }"),
    ('!', "int f(struct pair p) { return p.b; } int main(void) { struct pair p; p.a = 1; return f(p); }"),
    ('!', "int main(void) { struct pair p; struct pair q = p; return q.a; }"),
    ('!', "int main(void) { struct pair p, q = {1, 2}; q = p; return q.a; }"),
    ('!', "struct pair g; int main(void) { struct pair p; p.a = 0; g = p; return g.b; }"),
    ('.', "struct pair g; int main(void) { struct pair p; p.a = 0; g = p; return g.a; }"),
    (
        '.',
        "struct pair g[3]; int main(void) { struct pair p; p.a = 0; int i = input(); g[i] = p; return g[i].a + g[2].b; }",
    ),
    (
        '!',
        "struct pair g[3]; int main(void) { struct pair p; p.a = 0; int i = input(); g[i] = p; return g[0].b; }",
    ),
    (
        '!',
        "struct pair g, h; void f(struct pair *to, struct pair *from) { *to = *from; } \
          int main(void) { struct pair p; p.a = 0; f(&g, &p); f(&h, &g); return h.b; }",
    ),
    (
        '.',
        "struct pair g, h; void f(struct pair *to, struct pair *from) { *to = *from; } \
          int main(void) { struct pair p; p.a = 0; f(&g, &p); f(&h, &g); return h.a + g.a; }",
    ),
    ('?', "int main(void) { struct pair p; p.a = 1; struct pair *h = malloc(8); *h = p; return h->a; }"),
    ('.', "struct pair g; int main(void) { struct pair p; p.a = 0; p.b = 1; g = p; return g.a; }"),
    ('!', "int main(void) { struct pair p, a[2] = {{1, 2}}; p.a = 1; a[1] = p; return a[1].b; }"),
    ('.', "int main(void) { struct bits b; b.low = 1; return b.low - 1; }"),
    ('!', "int main(void) { struct bits b; b.low = 1; return b.high; }"),
    // Through pointers, in memory.
    ('!', "int f(int *p) { return *p; } int main(void) { int x; return f(&x); }"),
    ('.', "void f(int *p) { *p = 0; } int main(void) { int x; f(&x); return x; }"),
    ('!', "int g; int f(int *p) { return *p; } int main(void) { int x; f(&g); return f(&x); }"),
    ('.', "int g; int f(int *p) { return *p; } int main(void) { int x = 0; f(&g); return f(&x); }"),
    (
        '!',
        "int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
          int g[4]; int main(void) { int a[4]; a[0] = a[1] = a[2] = 0; return f(g, 4) + f(a, 4); }",
    ),
    (
        '.',
        "int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
          int g[4]; int main(void) { int a[4]; a[0] = a[1] = a[2] = 0; return f(g, 4) + f(a, 3); }",
    ),
    (
        '!',
        "int f(struct pair *p) { return p->b; } struct pair g; int main(void) { struct pair p; p.a = 1; f(&g); return f(&p); }",
    ),
    ('!', "int main(void) { union both u; u.c[0] = u.c[1] = u.c[2] = 1; return u.i; }"),
    ('.', "int main(void) { union both u; u.i = 0; return u.c[3]; }"),
    (
        '?',
        "int f(struct bits *p) { return p->low; } struct bits g; int main(void) { struct bits b; f(&g); return f(&b); }",
    ),
    // Blocks of bytes.
    ('.', "int main(void) { int a[3]; memset(a, 0, sizeof a); return a[2]; }"),
    ('!', "int main(void) { int a[3]; memset(a, 0, 8); int *p = a; return p[2]; }"),
    ('!', "int main(void) { int a[3], b[3]; a[0] = a[1] = 1; memcpy(b, a, sizeof a); return b[2]; }"),
    ('.', "int main(void) { int a[3], b[3]; a[0] = a[1] = 0; memcpy(b, a, sizeof a); return b[1]; }"),
    ('!', "int main(void) { char s[8]; return strlen(s); }"),
    ('.', "int main(void) { char s[8]; strcpy(s, \"abc\"); return strlen(s) - 3; }"),
    // What others write.
    ('.', "int main(void) { int x; sensor(&x); return x; }"),
    ('.', "int main(void) { int *p = malloc(4); return *p; }"),
    // Jumps past declarations.
    ('!', "int main(void) { goto in; { int x = 1; in: return x; } }"),
    ('.', "int main(void) { goto in; { int x = 1; in: x = 0; return x; } }"),
    ('!', "int main(void) { switch (input()) { int x = 1; case 0: return x; } return 0; }"),
    (
        '!',
        "int main(void) { int n = 0; again: if (n == 1) goto in; { int x; x = 1; n = 1; goto again; in: return x; } }",
    ),
    ('.', "int main(void) { int n = 0, x; again: if (n == 1) return x - 1; x = 1; n = 1; goto again; }"),
];

#[test]
fn values_are_missing_where_nothing_was_written() {
    for (expected, text) in CASES {
        let found = outcome(&Property::ValidInit, &format!("{PRELUDE}{text}"), &[]);
        assert_eq!(found, *expected, "{text}");
    }
}

/// The value of `scanf` says how many variables it has written.
#[test]
fn input_that_is_missing_leaves_variables_as_they_are() {
    let text =
        format!("{PRELUDE}int main(void) {{ int x; int n = scanf(\"%d\", &x); return n == 1 ? x : 0; }}");
    assert_eq!(outcome(&Property::ValidInit, &text, &[]), '.');
    let text = format!("{PRELUDE}int main(void) {{ int x; scanf(\"%d\", &x); return x; }}");
    assert_eq!(outcome(&Property::ValidInit, &text, &[]), '!');
}

#[test]
fn unsigned_operations_wrap_around() {
    let check = |expected: char, expr: &str, x: i128| {
        let text = format!(
            "int input(void); int main(void) {{ unsigned x = input(), y = 3; unsigned char c = x; unsigned long l; l = {expr}; return 0; }}"
        );
        assert_eq!(outcome(&Property::NoUnsignedOverflow, &text, &[x]), expected, "{expr} with {x}");
    };
    for (expected, expr, x) in [
        ('!', "x + y", -1),
        ('.', "x + y", -4),
        ('!', "x - y", 2),
        ('.', "x - y", 3),
        ('!', "x * y", -(1 << 31)),
        ('.', "x * y", 1 << 30),
        ('!', "-x", 1),
        ('.', "-x", 0),
        ('!', "x++", -1),
        ('!', "--x", 0),
        ('!', "x += y", -1),
        ('.', "c++", 255),
        ('.', "x << 31", 3),
        ('.', "(unsigned long)x + y", -1),
        ('.', "(int)x + 1", 5),
        ('!', "y > 5 || x + y > 1", -1),
        ('.', "y > 2 || x + y > 1", -1),
    ] {
        check(expected, expr, x);
    }
}

#[test]
fn conversions_lose_values() {
    let check = |expected: char, statement: &str, x: i128| {
        let text = format!(
            "int input(void); int main(void) {{ int x = input(); unsigned u; unsigned char c = 0; signed char s = 0; long l = 0; double d; \
             struct {{ unsigned b : 3; }} f; {statement}; return 0; }}"
        );
        assert_eq!(outcome(&Property::NoLossyConversion, &text, &[x]), expected, "{statement} with {x}");
    };
    for (expected, statement, x) in [
        ('!', "u = x", -1),
        ('.', "u = x", 1),
        ('!', "c = x", 256),
        ('.', "c = x", 255),
        ('!', "c = x", -1),
        ('!', "s = x", 128),
        ('.', "s = x", -128),
        ('.', "l = x", -1),
        ('!', "x = l + ((long)x << 20)", 4096),
        ('!', "c += x", 256),
        ('!', "c -= x", 1),
        ('.', "c++", 0),
        ('!', "c--", 0),
        ('!', "f.b = x", 8),
        ('.', "f.b = x", 7),
        ('!', "u = (unsigned char)x", 256),
        ('.', "_Bool b = x", 256),
        ('!', "d = x; c = d * 2", 128),
        ('.', "d = x; c = d * 2", 127),
        ('.', "x = x && (unsigned char)x", 0),
        ('!', "x = x && (unsigned char)x", 256),
    ] {
        check(expected, statement, x);
    }
}

/// What is copied may be what says where to copy from.
#[test]
fn structures_are_copied_as_they_were() {
    let text = "struct s { int a; struct s *next; int b; }; extern void assert(int);
        int main(void) { struct s x, y, z; z.a = 5; z.next = 0; z.b = 6; y.a = 1; y.next = &z; y.b = 2; x.a = 3; x.next = &y; x.b = 4;
        struct s *p = &x; x = *x.next; assert(p->a == 1 && p->b == 2); x = *p->next; assert(p->a == 5 && p->b == 6); return 0; }";
    assert_eq!(outcome(&Property::Assertion, text, &[]), '.');
    let text = "struct s { int i; int v; }; extern void assert(int); struct s a[3] = {{1, 10}, {2, 20}, {0, 30}};
        int main(void) { struct s x = {2, 0}; x = a[x.i]; assert(x.i == 0 && x.v == 30); int i = 0; a[a[i].i] = a[a[1].i]; assert(a[1].v == 30); return 0; }";
    assert_eq!(outcome(&Property::Assertion, text, &[]), '.');
}
