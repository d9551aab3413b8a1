//! Programs that call library functions, run with models of them.

use num_bigint::BigInt;
use thetis_c::hir::DataModel;
use thetis_c::lower::{MemoryRule, Property};

use super::run::{Outcome, Setup, run, translate};

/// The result of `int main(void) { body }` with the declarations before it; inputs are what models get from outside.
fn outcome(declarations: &str, body: &str, inputs: &[i128], setup: &Setup) -> Outcome {
    let text = format!("typedef unsigned long size_t; {declarations} int main(void) {{ {body} }}");
    run(&translate(&text, setup).unwrap_or_else(|message| panic!("{message}: {text}")), inputs)
}

/// In both data models.
fn returns(declarations: &str, body: &str, inputs: &[i128], expected: i64) {
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let setup = Setup { data_model, ..Setup::default() };
        let exit = Outcome::Exit(Some(BigInt::from(expected)));
        assert_eq!(outcome(declarations, body, inputs, &setup), exit, "{declarations} {body} ({inputs:?})");
    }
}

fn limit(declarations: &str, body: &str, expected: &str) {
    match outcome(declarations, body, &[], &Setup::default()) {
        Outcome::Limit(reason) => assert!(reason.contains(expected), "{reason}"),
        other => panic!("{body}: {other:?}"),
    }
}

#[test]
fn strings_are_searched_and_cut() {
    let strtok = "char *strtok(char *, const char *);";
    returns(
        strtok,
        "char s[] = \"ab,c\"; char *a = strtok(s, \",\"), *b = strtok(0, \",\"); return (b - a) * 100 + *b + (strtok(0, \",\") == 0);",
        &[],
        400,
    );
    returns(
        "char *strsep(char **, const char *);",
        "char s[] = \"a;b\", *r = s; char *a = strsep(&r, \";\"); return a == s && s[1] == 0 && r == s + 2;",
        &[],
        1,
    );
    returns(
        "size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);",
        "return 10 * strspn(\"aab\", \"a\") + strcspn(\"aab\", \"b\");",
        &[],
        22,
    );
    returns("char *strdup(const char *);", "char *s = strdup(\"xyz\"); return s[2] + s[3];", &[], 122);
    returns(
        "int strcmp(const char *, const char *);",
        "return strcmp(\"a\", \"b\") + 10 * strcmp(\"b\", \"a\");",
        &[-5, 7],
        65,
    );
    returns("int strcasecmp(const char *, const char *);", "return strcasecmp(\"aB\", \"Ab\");", &[], 0);
    returns(
        "void swab(const void *, void *, long);",
        "char a[] = \"abcd\", b[5] = {0}; swab(a, b, 4); return b[0] * 1000 + b[3];",
        &[],
        98099,
    );
}

#[test]
fn numbers_are_read() {
    let strtol = "long strtol(const char *, char **, int); int *__errno_location(void);";
    returns(
        strtol,
        "char s[] = \" -0x1fz\", *e; long v = strtol(s, &e, 0); return -v * 100 + (e - s);",
        &[],
        3106,
    );
    returns(strtol, "return strtol(\"99999999999999999999\", 0, 10) > 0 ? *__errno_location() : 0;", &[], 34);
    returns("int atoi(const char *);", "return atoi(\"  -12x\");", &[], -12);
    returns(
        "typedef struct { int quot, rem; } div_t; div_t div(int, int);",
        "div_t d = div(-7, 2); return 10 * d.quot + d.rem;",
        &[],
        -31,
    );
    returns(
        "typedef struct { long quot, rem; } ldiv_t; ldiv_t ldiv(long, long);",
        "return ldiv(17, 5).rem;",
        &[],
        2,
    );
    returns(
        "double fmod(double, double); double ldexp(double, int);",
        "return fmod(-5.5, 2.0) * 10 + ldexp(1.5, 3);",
        &[],
        -3,
    );
    returns(
        "double frexp(double, int *);",
        "int e; double m = frexp(12.0, &e); return e * 100 + m * 100;",
        &[],
        475,
    );
}

#[test]
fn comparisons_of_the_program_are_called() {
    let declarations = "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
        void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
        int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }";
    returns(
        declarations,
        "int a[4] = {3, 1, 4, 2}; qsort(a, 4, sizeof *a, compare); return a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3];",
        &[],
        1234,
    );
    returns(
        declarations,
        "int a[3] = {1, 5, 9}, k = 9; int *p = bsearch(&k, a, 3, sizeof *a, compare); return p - a;",
        &[],
        2,
    );
    returns(
        declarations,
        "int a[3] = {1, 5, 9}, k = 4; return bsearch(&k, a, 3, sizeof *a, compare) == 0;",
        &[],
        1,
    );
}

#[test]
fn what_the_environment_decides_is_in_its_range() {
    returns("int rand(void);", "return rand();", &[77], 77);
    returns("int rand(void);", "return rand();", &[-77], 0);
    returns("int getchar(void);", "return getchar();", &[255], 255);
    returns("int getchar(void);", "return getchar();", &[256], -1);
    returns("int isdigit(int);", "return isdigit('7') != 0 && isdigit('x') == 0;", &[], 1);
    returns(
        "long read(int, void *, size_t);",
        "char b[4] = {0}; long n = read(0, b, 3); return 1000 * n + b[0] + b[1] + b[3];",
        &[1, 2, 65, 1],
        2066,
    );
    returns(
        "char *fgets(char *, int, void *);",
        "char b[4]; return fgets(b, 4, 0) == b ? b[0] * 10 + b[1] : -1;",
        &[65, 10],
        660,
    );
    returns("char *fgets(char *, int, void *);", "char b[4]; return fgets(b, 4, 0) == 0;", &[-1], 1);
    returns("long time(long *);", "long t, u = time(&t); return t == u;", &[1, 1234], 1);
}

#[test]
fn formats_are_followed() {
    let sprintf = "int sprintf(char *, const char *, ...);";
    returns(
        sprintf,
        "char b[20]; int n = sprintf(b, \"%d:%s\", -42, \"ab\"); return n * 1000 + b[2] * 10 + b[5] - 'a' + b[6];",
        &[],
        6501,
    );
    returns(
        sprintf,
        "char b[20]; return sprintf(b, \"%5u|%-3x|%c\", 42u, 255, 'q') * 1000 + b[3] + b[4] + b[10];",
        &[],
        11215,
    );
    returns(sprintf, "char b[20]; sprintf(b, \"%08.3f\", 1.0); return 3;", &[], 3);
    returns(
        "int snprintf(char *, size_t, const char *, ...);",
        "char b[4] = \"###\"; int n = snprintf(b, 3, \"%s\", \"wxyz\"); return n * 1000 + b[1] * 2 + b[2];",
        &[],
        4240,
    );
    returns("int printf(const char *, ...);", "int n; printf(\"ab%s%n\", \"cd\", &n); return n;", &[], 4);
    returns("int printf(const char *, ...);", "return printf(\"%i %li\\n\", 100, 7L);", &[1], 6);
    returns("int printf(const char *, ...);", "return printf(\"abc\");", &[0, 5], -1);
    returns(
        "int scanf(const char *, ...);",
        "int a = 1, b = 2; int n = scanf(\"%d %d\", &a, &b); return n * 100 + a * 10 + b;",
        &[1, 7],
        172,
    );
    returns(
        "int scanf(const char *, ...);",
        "char s[8]; scanf(\"%7s\", s); return s[0] + s[1] * 1000;",
        &[1, 1, 66],
        66,
    );
    limit(sprintf, "char b[9], f[] = \"%d\"; return sprintf(b, f, 1);", "not a constant");
}

#[test]
fn what_is_not_modelled_is_a_limit() {
    limit("int fork(void);", "return fork();", "another process");
    limit("int atexit(void (*)(void)); void f(void) {}", "return atexit(f);", "at the end");
    limit("void (*signal(int, void (*)(int)))(int); void f(int n) {}", "signal(2, f); return 0;", "handler");
}

#[test]
fn functions_access_the_memory_that_they_are_given() {
    let setup = Setup { property: Property::Memory([MemoryRule::Deref].into()), ..Setup::default() };
    let check = |declarations: &str, body: &str, inputs: &[i128], expected: Outcome| {
        assert_eq!(outcome(declarations, body, inputs, &setup), expected, "{body}");
    };
    let fine = || Outcome::Exit(Some(BigInt::from(0)));
    let sprintf = "int sprintf(char *, const char *, ...);";
    check(sprintf, "char b[3]; sprintf(b, \"%d\", 12); return 0;", &[], fine());
    check(sprintf, "char b[3]; sprintf(b, \"%d\", 123); return 0;", &[], Outcome::Violation);
    check("long read(int, void *, size_t);", "char b[2]; read(0, b, 3); return 0;", &[1, 2], fine());
    check(
        "long read(int, void *, size_t);",
        "char b[2]; read(0, b, 3); return 0;",
        &[1, 3],
        Outcome::Violation,
    );
    check("int puts(const char *);", "char b[2] = {1, 1}; puts(b); return 0;", &[], Outcome::Violation);
    check("int printf(const char *, ...);", "printf(\"%.2s\", (char[2]){1, 1}); return 0;", &[], fine());
    check(
        "int printf(const char *, ...);",
        "printf(\"%.3s\", (char[2]){1, 1}); return 0;",
        &[],
        Outcome::Violation,
    );
    check(
        "char *strcpy(char *, const char *);",
        "char b[3]; strcpy(b, \"abc\"); return 0;",
        &[],
        Outcome::Violation,
    );
}

#[test]
fn atomic_functions_are_reads_and_writes() {
    returns("", "int x = 5; int old = __sync_fetch_and_add(&x, 3); return old * 10 + x;", &[], 58);
    returns("", "unsigned char x = 250; return __sync_add_and_fetch(&x, 10) * 10 + x;", &[], 44);
    returns("", "long x = 12; return __atomic_fetch_nand(&x, 10, 5) * 100 + x;", &[], 1191);
    returns(
        "",
        "int x = 1; int ok = __sync_bool_compare_and_swap(&x, 1, 7); return ok * 100 + x + 10 * __sync_val_compare_and_swap(&x, 1, 9);",
        &[],
        177,
    );
    returns(
        "",
        "int x = 3, e = 4; int ok = __atomic_compare_exchange_n(&x, &e, 9, 0, 5, 5); return ok * 100 + x * 10 + e;",
        &[],
        33,
    );
    returns(
        "",
        "int a = 1, b = 2, *p = &a; int *q = __sync_lock_test_and_set(&p, &b); return *p * 10 + *q;",
        &[],
        21,
    );
    returns(
        "",
        "char f = 0; int a = __atomic_test_and_set(&f, 0), b = __atomic_test_and_set(&f, 0); __atomic_clear(&f, 0); return a * 100 + b * 10 + f;",
        &[],
        10,
    );
    returns(
        "",
        "int x = 4, y; __atomic_load(&x, &y, 5); __atomic_store_n(&x, 6, 5); __sync_synchronize(); return x * 10 + y;",
        &[],
        64,
    );
    returns(
        "",
        "return __builtin_clz(1u) * 10000 + __builtin_ctz(8u) * 100 + __builtin_bswap16(0x100) + __builtin_popcount(255u);",
        &[],
        310_309,
    );
}
