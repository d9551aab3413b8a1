// Choices that the standard leaves open: a verdict must hold for all of them.

//== arguments-with-effects-left-first: unsafe? reasoned
static int n; static int next(void) { return ++n; } static void pair(int a, int b) { check(a < b); }
int main(void) { pair(next(), next()); }
//== arguments-with-effects-right-first: unsafe? reasoned
static int n; static int next(void) { return ++n; } static void pair(int a, int b) { check(a > b); }
int main(void) { pair(next(), next()); }
//== arguments-without-conflict: safe
static int one(void) { return 1; } static int two(void) { return 2; } static void pair(int a, int b) { check(a == 1 && b == 2); }
int main(void) { pair(one(), two()); }
//== operands-with-effects-left-first: unsafe? reasoned
static int n; static int set(int v) { n = v; return v; }
int main(void) { int s = set(1) + set(2); check(n == 1 && s == 3); }
//== operands-with-effects-right-first: unsafe? reasoned
static int n; static int set(int v) { n = v; return v; }
int main(void) { int s = set(1) + set(2); check(n == 2 && s == 3); }
//== sum-does-not-depend-on-the-order: safe?
static int n; static int set(int v) { n = v; return v; }
int main(void) { int s = set(1) + set(2); check(s == 3 && (n == 1 || n == 2)); }
//== read-and-call-left: unsafe? reasoned
static int g = 1; static int bump(void) { g = 10; return 1; }
int main(void) { int s = g + bump(); check(s == 2); }
//== read-and-call-right: unsafe? reasoned
static int g = 1; static int bump(void) { g = 10; return 1; }
int main(void) { int s = g + bump(); check(s == 11); }
//== read-and-call-either: safe?
static int g = 1; static int bump(void) { g = 10; return 1; }
int main(void) { int s = g + bump(); check(s == 2 || s == 11); }
//== assignment-target-and-value: unsafe? reasoned
static int i; static int step(void) { return ++i; }
int main(void) { int a[3] = { 0 }; a[i] = step(); check(a[1] == 1); }
//== assignment-target-and-value-other: unsafe? reasoned
static int i; static int step(void) { return ++i; }
int main(void) { int a[3] = { 0 }; a[i] = step(); check(a[0] == 1); }
//== compound-assignment-with-a-call: unsafe? reasoned
static int g = 1; static int bump(void) { g = 10; return 1; }
int main(void) { g += bump(); check(g == 2); }
//== compound-assignment-with-a-call-other: unsafe? reasoned
static int g = 1; static int bump(void) { g = 10; return 1; }
int main(void) { g += bump(); check(g == 11); }
//== comma-has-an-order: safe
static int n; static int set(int v) { n = v; return v; }
int main(void) { int r = (set(1), set(2)); check(n == 2 && r == 2); }
//== and-has-an-order: safe
static int n; static int set(int v) { n = v; return v; }
int main(void) { set(1) && set(2); check(n == 2); n = 0; if (set(0) && set(5)) check(0); check(n == 0); }
//== conditional-has-an-order: safe
static int n; static int set(int v) { n = v; return v; }
int main(void) { int r = set(1) ? set(2) : set(3); check(r == 2 && n == 2); }
//== full-expressions-have-an-order: safe
static int n; static int next(void) { return ++n; }
int main(void) { int a = next(); int b = next(); check(a == 1 && b == 2); }
//== initializer-list-order: unsafe? reasoned
// C11 6.7.9 p23: the order of the expressions of an initialiser is indeterminate.
static int n; static int next(void) { return ++n; }
int main(void) { int a[2] = { next(), next() }; check(a[0] == 1); }
//== initializer-list-order-other: unsafe? reasoned
static int n; static int next(void) { return ++n; }
int main(void) { int a[2] = { next(), next() }; check(a[0] == 2); }
//== string-literals-may-be-one: unsafe? reasoned
int main(void) { const char *a = "abc", *b = "abc"; check(a != b); }
//== string-literals-may-differ: unsafe? reasoned
int main(void) { const char *a = "abc", *b = "abc"; check(a == b); }
//== string-literal-may-be-a-tail: unsafe? reasoned
int main(void) { const char *a = "xabc", *b = "abc"; check(a + 1 != b); }
//== different-string-literals-differ: safe?
int main(void) { const char *a = "abc", *b = "abd"; check(a != b); }
//== one-literal-is-itself: safe
int main(void) { const char *a = "abc", *b = a; check(a == b); }
//== uninitialised-variable: unsafe reasoned
int main(void) { int x; int *p = &x; check(x != 42); }
//== uninitialised-variable-is-not-zero: unsafe reasoned
int main(void) { int x; int *p = &x; check(x == 0); }
//== uninitialised-array-element: unsafe? reasoned
int main(void) { int a[3]; a[0] = 1; check(a[1] == 0); }
//== partly-initialised-array-is-zero: safe
int main(void) { int a[3] = { 1 }; check(a[2] == 0); }
//== union-bytes-beyond-the-initialiser: unsafe?
int main(void) { union { char c; int i; } u = { 1 }; check(u.i != 1); }
//== static-union-bytes-are-zero: safe?
static union { char c; int i; } u = { 1 };
int main(void) { check(u.i == 1); }
//== union-write-leaves-the-rest: safe?
int main(void) { union { char c; int i; } u; u.i = 0; u.c = 5; check(u.i == 5); }
//== padding-is-unspecified: unsafe? reasoned
void *memcpy(void *, const void *, unsigned long);
struct s { char c; int i; };
int main(void) { struct s a; unsigned char b[sizeof a]; a.c = 1; a.i = 2; memcpy(b, &a, sizeof a); check(b[1] == 0); }
//== float-to-int-out-of-range: unsafe? reasoned
extern double input(void);
int main(void) { double d = input(); int i = (int)d; check(i == 0 || d >= 1 || d <= -1 || d != d); if (d > 3e9) check(i != -2147483647 - 1); }
//== float-to-int-in-range: safe
int main(void) { double d = -2.9; check((int)d == -2); }
//== oversized-shift-unused: safe
int main(void) { int s = 40, x = s < 32 ? 1 << s : 0; check(x == 0); }
//== shift-of-a-byte-is-of-an-int: safe
int main(void) { unsigned char c = 200; check((c << 4) == 3200); }
//== right-shift-of-negative-is-arithmetic: safe
int main(void) { int x = -8; check(x >> 1 == -4); }
//== left-shift-into-the-sign: safe?
int main(void) { int x = 1; check((x << 31) < 0); }
//== evaluation-of-index-and-array: unsafe? reasoned
static int a[2] = { 5, 6 }, i; static int *arr(void) { i = 1; return a; }
int main(void) { int v = arr()[i]; check(v == 5); }
//== call-through-a-pointer-that-an-argument-changes: unsafe? reasoned
static int one(int x) { return 1; } static int two(int x) { return 2; } static int (*f)(int) = one; static int swap(void) { f = two; return 0; }
int main(void) { check(f(swap()) == 1); }
//== call-through-a-pointer-that-an-argument-changes-other: unsafe? reasoned
static int one(int x) { return 1; } static int two(int x) { return 2; } static int (*f)(int) = one; static int swap(void) { f = two; return 0; }
int main(void) { check(f(swap()) == 2); }
//== printf-argument-order: unsafe? reasoned
#include <stdio.h>
static int n; static int next(void) { return ++n; }
int main(void) { int a, b; printf("%d %d", a = next(), b = next()); check(a == 1); }
//== struct-returns-have-no-order: safe?
struct p { int x, y; }; static struct p make(int x, int y) { struct p r = { x, y }; return r; }
int main(void) { struct p a = make(1, 2); check(make(3, 4).x + a.y == 5); }
//== enum-compares-as-its-type: safe?
enum e { A, B }; 
int main(void) { enum e v = A; v--; check(v > B); }
//== char-is-signed: safe
int main(void) { char c = (char)200; check(c < 0); }
//== length-of-a-parameter-has-effects: safe
static int f(int n, int a[n++]) { return n; }
int main(void) { int e[4]; check(f(1, e) == 2); }
//== variable-of-a-loop-body-starts-anew: unsafe reasoned
int main(void) { int kept = 1; for (int i = 0; i < 2; i++) { int x; if (i) kept = x == 5; x = 5; } check(kept); }
//== lengths-of-one-array-left-first: unsafe? reasoned
static int k; static int h(int x) { k = k * 10 + x; return x; }
int main(void) { int a[h(2)][h(3)]; check(k == 23); return sizeof a == 0; }
//== lengths-of-one-array-right-first: unsafe? reasoned
static int k; static int h(int x) { k = k * 10 + x; return x; }
int main(void) { int a[h(2)][h(3)]; check(k == 32); return sizeof a == 0; }
//== lengths-of-two-arrays-have-an-order: safe
static int k; static int h(int x) { k = k * 10 + x; return x; }
int main(void) { int a[h(1)], b[h(2)]; check(k == 12); return sizeof a + sizeof b == 0; }
//== lengths-of-parameters-left-first: unsafe? reasoned
static int k; static int h(int x) { k = k * 10 + x; return x; } static void f(int a[h(2)], int b[2][h(3)]) {}
int main(void) { f(0, 0); check(k == 23); }
//== lengths-of-parameters-right-first: unsafe? reasoned
static int k; static int h(int x) { k = k * 10 + x; return x; } static void f(int a[h(2)], int b[2][h(3)]) {}
int main(void) { f(0, 0); check(k == 32); }
//== length-and-operand-of-a-cast: unsafe? reasoned
static int k; static int h(int x) { k = k * 10 + x; return x; }
int main(void) { int m[6] = { 0, 1, 2, 3, 4, 5 }; int v = (*(int (*)[h(2)])(m + h(3)))[0]; check(k == 32); return v; }
//== length-that-sizeof-does-not-need-evaluated: unsafe? reasoned
// C11 6.7.6.2 p5: whether such a length is evaluated is unspecified.
int main(void) { int n = 3; int s = sizeof(int (*)[n++]); check(n == 4); return s == 0; }
//== length-that-sizeof-does-not-need-left-out: unsafe? reasoned
int main(void) { int n = 3; int s = sizeof(int (*)[n++]); check(n == 3); return s == 0; }
