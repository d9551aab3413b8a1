// Functions with a variable number of arguments, and with parameters that the caller does not know.

//== sum: safe?
#include <stdarg.h>
static int sum(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n--) s += va_arg(a, int); va_end(a); return s; }
int main(void) { check(sum(3, 1, 2, 3) == 6 && sum(0) == 0); }
//== sum-wrong: unsafe?
#include <stdarg.h>
static int sum(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n--) s += va_arg(a, int); va_end(a); return s; }
int main(void) { check(sum(3, 1, 2, 3) == 0); }
//== mixed-types: safe?
#include <stdarg.h>
static int f(int n, ...) { va_list a; va_start(a, n); double d = va_arg(a, double); char *s = va_arg(a, char *); long l = va_arg(a, long); va_end(a); return d == 1.5 && s[0] == 'x' && l == -1; }
int main(void) { check(f(0, 1.5, "x", -1L)); }
//== float-becomes-double: safe?
#include <stdarg.h>
static double f(int n, ...) { va_list a; va_start(a, n); double d = va_arg(a, double); va_end(a); return d; }
int main(void) { float x = 0.5f; check(f(0, x) == 0.5); }
//== char-becomes-int: safe?
#include <stdarg.h>
static int f(int n, ...) { va_list a; va_start(a, n); int d = va_arg(a, int); va_end(a); return d; }
int main(void) { char c = -3; unsigned char u = 200; check(f(0, c) == -3 && f(0, u) == 200); }
//== va-copy-keeps-the-position: safe?
#include <stdarg.h>
static int f(int n, ...) { va_list a, b; va_start(a, n); int x = va_arg(a, int); va_copy(b, a); int y = va_arg(a, int), z = va_arg(b, int); va_end(a); va_end(b); return x * 100 + y * 10 + z; }
int main(void) { check(f(0, 1, 2) == 122); }
//== va-list-passed-on: safe?
#include <stdarg.h>
static int inner(int n, va_list a) { int s = 0; while (n--) s = s * 10 + va_arg(a, int); return s; }
static int outer(int n, ...) { va_list a; va_start(a, n); int r = inner(n, a); va_end(a); return r; }
int main(void) { check(outer(3, 1, 2, 3) == 123); }
//== struct-argument: safe?
#include <stdarg.h>
struct p { int x, y; };
static int f(int n, ...) { va_list a; va_start(a, n); struct p v = va_arg(a, struct p); va_end(a); return v.x - v.y; }
int main(void) { struct p v = { 5, 3 }; check(f(0, v) == 2); }
//== called-through-a-pointer: safe?
#include <stdarg.h>
static int sum(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n--) s += va_arg(a, int); va_end(a); return s; }
int main(void) { int (*f)(int, ...) = sum; check(f(2, 20, 22) == 42); }
//== pointer-argument-writes: unsafe?
#include <stdarg.h>
static void set(int n, ...) { va_list a; va_start(a, n); while (n--) *va_arg(a, int *) = n; va_end(a); }
int main(void) { int x = 5, y = 5; set(2, &x, &y); check(y == 5); }
//== unused-arguments-have-effects: safe?
static int n; static int next(void) { return ++n; } static int first(int a, ...) { return a; }
int main(void) { check(first(7, next()) == 7 && n == 1); }
//== many-arguments: safe?
#include <stdarg.h>
static long f(int n, ...) { va_list a; va_start(a, n); long s = 0; for (int i = 0; i < n; i++) s += va_arg(a, long) * (i + 1); va_end(a); return s; }
int main(void) { check(f(10, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L) == 55); }
//== vsnprintf-is-called: unsafe?
#include <stdarg.h>
#include <stdio.h>
static void f(char *b, const char *t, ...) { va_list a; va_start(a, t); vsnprintf(b, 8, t, a); va_end(a); }
int main(void) { char b[8] = "-"; f(b, "%d", 7); check(b[0] == '-'); }
//== too-few-arguments-are-undefined: unsafe? reasoned
#include <stdarg.h>
static int f(int n, ...) { va_list a; va_start(a, n); int x = va_arg(a, int), y = va_arg(a, int); va_end(a); return y; }
int main(void) { check(f(0, 1) != 77); }
//== vsnprintf-in-a-wrapper: both
#include <stdio.h>
#include <stdarg.h>
#include <string.h>
static int fmt(char *b, size_t n, const char *f, ...) { va_list ap; va_start(ap, f); int r = vsnprintf(b, n, f, ap); va_end(ap); return r; }
int main(void) { char b[16]; int r = fmt(b, sizeof b, "%d:%s|%5.2x", 7, "x", 10); finally(r == 9 && !strcmp(b, "7:x|   0a")); }
//== vsnprintf-counts-first: both
#include <stdio.h>
#include <stdarg.h>
#include <string.h>
static int f(char *b, const char *m, ...) { va_list a, c; va_start(a, m); va_copy(c, a); int n = vsnprintf(0, 0, m, a); va_end(a); vsnprintf(b, n + 1, m, c); va_end(c); return n; }
int main(void) { char b[16]; int n = f(b, "%x/%02u", 255, 3); finally(n == 5 && !strcmp(b, "ff/03")); }
//== vsprintf-into-a-short-buffer: unsafe valid-memsafety
#include <stdio.h>
#include <stdarg.h>
static int f(char *b, const char *m, ...) { va_list ap; va_start(ap, m); int r = vsprintf(b, m, ap); va_end(ap); return r; }
int main(void) { char b[3]; return f(b, "%d", 12345); }
//== vsnprintf-keeps-to-its-buffer: safe valid-memsafety
#include <stdio.h>
#include <stdarg.h>
static int f(char *b, int n, const char *m, ...) { va_list ap; va_start(ap, m); int r = vsnprintf(b, n, m, ap); va_end(ap); return r; }
int main(void) { char b[3]; return f(b, 3, "%d", 12345); }
//== asprintf-allocates: both
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) { char *s = 0; int n = asprintf(&s, "%d", 42); if (n < 0) return 0; int r = n == 2 && s[0] == '4' && s[2] == 0; free(s); finally(r); }
//== log-whose-result-is-ignored: both
#include <stdio.h>
#include <stdarg.h>
static int errs; static void err(const char *f, ...) { va_list a; va_start(a, f); vfprintf(stderr, f, a); va_end(a); errs++; }
int main(void) { err("bad %s %d\n", "x", 4); err("worse\n"); finally(errs == 2); }
//== unknown-parameter-is-wider: unsafe?
int f();
int main(void) { int n = -1; check(f(n) == 0); }
int f(long n) { return n + 1 > 1; }
//== unknown-parameter-is-wider-for-a-constant: both
int f();
int main(void) { finally(f(1, 0) == 2); }
int f(long n, void *p) { return p == 0 ? n + 1 : 0; }
//== unknown-parameter-is-a-float: unsafe?
int f();
int main(void) { check(f(1) == 1); }
int f(double x) { return (int)x; }
//== unknown-parameter-in-the-old-style-is-wider: unsafe?
int f(n) long n; { return n + 1 > 1; }
int main(void) { int n = -1; check(f(n) == 0); }
//== unknown-parameters-in-the-old-style-are-promoted: both
int f(c, x) char c; float x; { return c + (int)(2 * x); }
int main(void) { finally(f(257, 1.5f) == 4); }
//== unknown-parameter-of-a-call-without-a-declaration: unsafe?
int main(void) { int n = -1; check(f(n) == 0); }
int f(long n) { return n + 1 > 1; }
//== unknown-parameter-before-the-prototype: unsafe?
int f();
int main(void) { int n = -1; check(f(n) == 0); }
int f(long n);
int f(long n) { return n + 1 > 1; }
//== unknown-parameter-with-a-prototype: both
int f(); int f(long n);
int main(void) { int n = -1; finally(f(n) == 0); }
int f(n) long n; { return n + 1 > 1; }
//== unknown-parameter-of-a-library-function: unsafe?
double sqrt();
int main(void) { volatile int n = 4; check(sqrt(n) == 2); }
//== unknown-parameter-of-the-same-size: both
int f();
int main(void) { int a = 3; finally(f(&a, 1u) == 4); }
int f(void *p, int n) { return *(int *)p + n; }
