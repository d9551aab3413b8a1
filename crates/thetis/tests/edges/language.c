// Corners of the language, by what they are about: bit-fields, variable lengths, compound literals, `switch` and `goto`, pointers to
// functions, structures as values, strings and numbers, conversions, storage and scopes.

//== bits-union-overlap: both
union u { struct { unsigned a:4, b:4, c:8; } f; unsigned char raw[4]; unsigned w; };
int main(void) { union u u = { .w = 0 }; u.f.a = 0xA; u.f.b = 0x5; u.f.c = 0xC3; finally(u.raw[0] == 0x5A && u.raw[1] == 0xC3 && u.w == 0xC35A); }
//== fam-copy-excludes: both
#include <stdlib.h>
struct m { int n; int d[]; };
int main(void) { struct m *p = malloc(sizeof *p + 8), *q = malloc(sizeof *q + 8); if (!p || !q) return 0; p->n = 1; p->d[0] = 10; q->d[0] = 20; *q = *p; finally(q->n == 1 && q->d[0] == 20); }
//== vla-sizeof-side-effect: both
int main(void) { int n = 3; int a[n++]; int m = sizeof(int[n++]); finally(sizeof a == 12 && m == 16 && n == 5); }
//== vla-sizeof-no-eval: both
int main(void) { int n = 3, a[5]; int s = sizeof a[n++]; int t = sizeof(n++); finally(s == 4 && t == 4 && n == 3); }
//== vla-2d: both
static int get(int r, int c, int m[r][c], int i, int j) { return m[i][j]; }
int main(void) { int r = 3, c = 4, m[r][c]; for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) m[i][j] = i * 10 + j; c = 9; finally(get(3, 4, m, 2, 3) == 23 && sizeof m == 48 && sizeof m[0] == 16 && (char *)(m + 1) - (char *)m == 16); }
//== vla-typedef: both
int main(void) { int n = 2; typedef int T[n]; n = 7; T x; x[1] = 4; finally(sizeof x == 8 && sizeof(T) == 8 && x[1] == 4); }
//== vla-goto-back: both
int main(void) { int n = 1, t = 0; again: { char a[n]; a[0] = n; t += sizeof a; if (n++ < 3) goto again; } finally(t == 6); }
//== literal-goto-same-object: both
int main(void) { int *p = 0, *q = 0, n = 0; again:; p = &(int){ n }; if (n++ == 0) { q = p; goto again; } finally(p == q && *p == 1); }
//== literal-static-array: both
static int *p = (int[]){ 1, 2, 3 }; static struct { int *q; } s = { (int[2]){ 5 } };
int main(void) { p[1] += s.q[0]; finally(p[1] == 7 && s.q[1] == 0); }
//== switch-range-negative: both
static int f(int x) { switch (x) { case -5 ... -1: return 1; case 0: return 2; case 1 ... 9: return 3; default: return 4; } }
int main(void) { finally(f(-5) == 1 && f(-6) == 4 && f(0) == 2 && f(9) == 3 && f(10) == 4); }
//== switch-unsigned-case-conversion: both
int main(void) { unsigned u = ~0u; int r = 0; switch (u) { case -1: r = 1; break; case 5: r = 2; } unsigned char c = 255; int t = 0; switch (c) { case -1: t = 1; break; case 255: t = 2; } finally(r == 1 && t == 2); }
//== switch-long-truncates-nothing: both
int main(void) { long x = 0x100000001L; int r = 0; switch (x) { case 1: r = 1; break; default: r = 2; } finally(r == 2); }
//== switch-declaration-in: both
int main(void) { int r = 0; switch (2) { int x; case 1: x = 5; case 2: x = 7; r = x; } finally(r == 7); }
//== switch-nested-case-in-if: both
static int f(int n) { int r = 0; switch (n) { case 0: if (0) { case 1: r += 1; } else { case 2: r += 2; } r += 4; } return r; }
int main(void) { finally(f(0) == 6 && f(1) == 5 && f(2) == 6 && f(3) == 0); }
//== goto-into-block-uninit: both
int main(void) { int r = 0; goto in; { int x = 5; r = 100; in: x = 3; r += x; } finally(r == 3); }
//== function-pointer-returning-fp: both
static int one(void) { return 1; } static int two(void) { return 2; } static int (*pick(int k))(void) { return k ? two : one; }
int main(void) { int (*(*pp)(int))(void) = pick; int (*t[2])(void) = { pick(0), pp(1) }; finally(t[0]() == 1 && t[1]() == 2 && pick(1)() == 2 && t[0] != t[1] && pick(0) == one); }
//== function-pointer-in-nested-array: both
static int f0(int x) { return x; } static int f1(int x) { return x + 1; } static int f2(int x) { return x * 2; }
struct d { struct { int (*f[3])(int); } in[2]; };
int main(void) { struct d d = { { { { f0, f1, f2 } }, { { [1] = f2 } } } }; int (*(*row)[3])(int) = &d.in[0].f; int s = 0; for (int i = 0; i < 3; i++) s = s * 10 + (*row)[i](4); finally(s == 458 && !d.in[1].f[0] && d.in[1].f[1](3) == 6); }
//== struct-return-pointer-elem: both
struct s { int a[4]; }; static struct s mk(int k) { struct s s; for (int i = 0; i < 4; i++) s.a[i] = k + i; return s; }
int main(void) { int sum = 0; for (int i = 0; i < 4; i++) sum += mk(i).a[i]; const int *p = mk(5).a; (void)p; finally(sum == 12); }
//== struct-cond-comma: both
struct s { int a, b; };
int main(void) { struct s x = { 1, 2 }, y = { 3, 4 }; int k = 1; finally((k ? x : y).a == 1 && (k, y).b == 4 && (k = 0, k ? x : y).a == 3); }
//== struct-empty: both
struct e {}; struct s { int a; struct e e; int b; };
int main(void) { struct e x, y; y = x; struct s s = { 1, {}, 2 }; finally(sizeof(struct e) == 0 && sizeof s == 8 && s.b == 2); }
//== strtol-edges: both
#include <stdlib.h>
#include <errno.h>
#include <limits.h>
int main(void) { char *e; const char *s = " -0x1fz"; errno = 0; long a = strtol(s, &e, 0); check(a == -31 && *e == 'z'); long b = strtol("99999999999999999999", 0, 10); check(b == LONG_MAX && errno == ERANGE); const char *t = "zz"; long c = strtol(t, &e, 10); check(c == 0 && e == t); const char *x = "0x"; long d = strtol(x, &e, 16); finally(d == 0 && e == x + 1 && strtol("z", 0, 36) == 35 && strtol("077", 0, 0) == 63); }
//== snprintf-truncate: both
#include <stdio.h>
#include <string.h>
int main(void) { char b[4] = "xxx"; int n = snprintf(b, 4, "%d", 123456); int m = snprintf(0, 0, "%s!", "hello"); char c[2] = "q"; int k = snprintf(c, 1, "abc"); finally(n == 6 && !strcmp(b, "123") && m == 6 && k == 3 && c[0] == 0); }
//== snprintf-star: both
#include <stdio.h>
#include <string.h>
int main(void) { char b[32]; sprintf(b, "%*d|%-*d|%.*s|%.3d|%.0d|", 4, 7, 3, 8, 2, "xyz", 5, 0); finally(!strcmp(b, "   7|8  |xy|005||")); }
//== cond-promotes-char: both
int main(void) { signed char c = -1; unsigned char u = 255; int t = 1; finally((t ? c : u) == -1 && (t ? u : c) == 255 && sizeof(t ? c : c) == 4 && (t ? c : 0u) == 4294967295u && (t ? (short)-1 : 1L) == -1L); }
//== compound-narrow: both
int main(void) { unsigned char c = 200; c += 100; signed char s = 100; s += 100; unsigned short h = 1; h -= 2; char d = 10; d *= 30; c >>= 1; unsigned char e = 0x81; e <<= 1; e = ~e; finally(c == 22 && s == -56 && h == 65535 && d == 44 && e == 0xfd); }
//== compound-float-int: both
int main(void) { int i = 7; i *= 0.5; int j = 10; j += 0.9; char c = 100; c *= 1.27; unsigned u = 3; u -= 0.5; float f = 1; f /= 3; int k = 16777217; k += 0.0f; finally(i == 3 && j == 10 && c == 127 && u == 2 && f == 1.0f / 3 && k == 16777216); }
//== post-inc-narrow: both
int main(void) { unsigned char c = 255; int a = c++; signed char d = 127; int e = ++d; _Bool b = 1; b++; _Bool f = 0; f--; _Bool g = 1; g--; finally(a == 255 && c == 0 && e == -128 && b == 1 && f == 1 && g == 0); }
//== bool-bit-field-and-union: both
#include <stdbool.h>
struct s { bool a:1; bool b:1; };
int main(void) { struct s s = { 2, 0 }; s.b = 4; s.a = s.a + s.b - 2; unsigned char c = *(unsigned char *)&s; finally((c & 3) == 2 && s.a == 0 && s.b == 1); }
//== long-double-literal: both
int main(void) { long double l = 0.1L; double d = 0.1; finally(l != d && (double)l == d && sizeof l == 16 && (float)l == 0.1f && 1.0L + 1e-19L != 1.0L && 1.0 + 1e-19 == 1.0); }
//== float-int-extremes: both
int main(void) { float f = 2147483520.0f; int i = f; double d = -2147483648.9; int j = d; unsigned u = 4294967295.9; unsigned char c = 255.9f; long l = 9007199254740993.0; finally(i == 2147483520 && j == -2147483647 - 1 && u == 4294967295u && c == 255 && l == 9007199254740992); }
//== denormals: both
int main(void) { float f = 1.17549435e-38f; float g = f / 2; double d = 4.9406564584124654e-324; finally(g > 0 && g + g == f && d > 0 && d / 2 == 0 && -d / 2 == 0 && 1 / (-d / 2) < 0); }
//== int128-edges: both
int main(void) { __int128 a = (__int128)1 << 100; unsigned __int128 b = (unsigned __int128)-1; long h = (long)(a >> 64); finally(h == 1L << 36 && (b >> 127) == 1 && (unsigned long)b == ~0ul && -a < 0 && (a * 3) / a == 3 && (double)a == 1267650600228229401496703205376.0 && sizeof a == 16); }
//== static-local-recursion: both
static int f(int n) { static int depth, max; int here = ++depth; if (here > max) max = here; int r = n ? f(n - 1) + 1 : max; depth--; return r; }
int main(void) { int a = f(3), b = f(1); finally(a == 4 + 3 && b == 4 + 1); }
//== extern-in-block: both
int g = 5; static int f(void) { int g = 9; { extern int g; return g; } }
int main(void) { finally(f() == 5); }
//== shadow-own-initialiser: both
int main(void) { int x = 3; int s; { int x = sizeof x; s = x; } enum { x2 = 5 }; { enum { x2 = x2 + 1 }; s = s * 10 + x2; } finally(s == 46); }
//== pun-double-words: both
union u { double d; unsigned w[2]; struct { unsigned lo; unsigned hi; } s; };
int main(void) { union u u = { 1.0 }; u.w[1] ^= 0x80000000u; check(u.d == -1.0); u.s.lo = 1; finally(u.s.hi == 0xbff00000u && u.d < -1.0 && u.w[0] == 1); }
//== comma-lvalue-array-decay: both
int main(void) { int a[3] = { 1, 2, 3 }; int *p = (0, a); finally(p[2] == 3 && sizeof((0, a)) == 8 && sizeof(a) == 12 && *(1 ? a : 0) == 1); }
//== cond-null-pointer: both
int main(void) { int x = 4, *p = &x; void *v = p; int *q = 1 ? p : (void *)0; finally(*q == 4 && (0 ? p : 0) == 0 && *(int *)(1 ? v : p) == 4 && sizeof(1 ? (char *)0 : (void *)0) == 8); }
//== string-index: both
int main(void) { int s = 0; for (int i = 0; "abc"[i]; i++) s += i["abc"]; char a[] = "x" "\0" "y", b[4] = "abcd"; finally(s == 'a' + 'b' + 'c' && sizeof a == 4 && a[2] == 'y' && b[3] == 'd' && sizeof "" == 1); }
//== varargs-struct-double-mix: both
#include <stdarg.h>
struct p { short a; long b; }; static long f(const char *t, ...) { va_list ap, aq; long r = 0; va_start(ap, t); va_copy(aq, ap); for (; *t; t++) switch (*t) { case 'i': r += va_arg(ap, int); break; case 'd': r += (long)va_arg(ap, double); break; case 's': r += va_arg(ap, struct p).b; break; case 'p': r += *va_arg(ap, int *); break; } r = r * 100 + va_arg(aq, int); va_end(aq); va_end(ap); return r; }
int main(void) { int z = 7; struct p p = { 1, 20 }; finally(f("idsp", 1, 2.9f, p, &z) == 3001); }
//== compared-result-of-a-pointer-to-a-function: both
typedef void (*h)(void); static int n; static void a(void) { n += 1; } static void b(void) { n += 2; }
static h first(void) { n = 10; return a; } static h second(void) { n = 20; return b; }
static int chosen; int main(void) { h (*sel)(void) = chosen ? second : first; int r = 0; if (sel() == a) r = 1; finally(r == 1 && n == 10); }
//== label-before-the-value: both
int main(void) { int k = 0, r = ({ int n = 0; if (k) goto done; n = 4; done: n + 1; }); finally(r == 5); }
//== own-initial-value: unsafe valid-init reasoned
int main(void) { int x = x + 1; return 0; }
//== own-initial-value-behind-a-call: unsafe valid-init reasoned
static int id(int a) { return a; } int main(void) { int x = id(x); return 0; }
//== own-address-in-the-initial-value: safe valid-init reasoned
struct l { struct l *n, *p; }; int main(void) { struct l h = { &h, &h }; return h.n == h.p; }
//== own-initial-value-in-a-loop: unsafe? reasoned
int main(void) { int k = 0; for (int i = 0; i < 2; i++) { int x = i ? x : 5; k = x; } check(k == 5); }
//== own-address-in-a-loop: both
struct l { struct l *n, *p; }; int main(void) { int k = 0; for (int i = 0; i < 2; i++) { struct l h = { &h, &h }; k += h.n == &h && h.p == &h; } finally(k == 2); }
//== sizeof-evaluates-an-operand-of-variable-size: safe?
int main(void) { int n = 3; int v[4][n]; int s = sizeof v[n++ - 3]; check(n == 4 && s == 12); }
//== sizeof-evaluates-an-operand-of-variable-size-fails: unsafe?
int main(void) { int n = 3; int v[4][n]; int s = sizeof v[n++ - 3]; check(n == 3 && s == 12); }
//== sizeof-evaluates-a-cast-to-variable-size: safe?
int main(void) { int n = 3, m[9] = { 5 }; check(sizeof *(int (*)[n++])m == 12); check(n == 4); }
//== sizeof-leaves-out-elements-of-variable-arrays: safe
int main(void) { int n = 3; int v[4][n]; int s = sizeof v[n++][0]; check(n == 3 && s == 4); }
//== sizeof-of-a-variable-array: safe
int main(void) { int n = 3; int v[4][n]; n = 7; check(sizeof v == 48 && sizeof v[1] == 12); }
//== typeof-evaluates-an-operand-of-variable-size: safe?
int main(void) { int n = 3; int v[4][n]; typeof(v[n++ - 3]) a; check(n == 4 && sizeof a == 12); }
//== typeof-evaluates-an-operand-of-variable-size-fails: unsafe?
int main(void) { int n = 3; int v[4][n]; typeof(v[n++ - 3]) a; check(n == 3 && sizeof a == 12); }
//== alignof-evaluates-nothing: safe
int main(void) { int n = 3; int a = _Alignof(int[n++]); check(n == 3 && a == 4); }
//== alignof-evaluates-nothing-fails: unsafe
int main(void) { int n = 3; int a = _Alignof(int[n++]); check(n == 4 && a == 4); }
//== jump-over-a-nested-function: unsafe?
int main(void) { goto after; void f(void) { reach_error(); } after: f(); return 0; }
//== switch-over-a-nested-function: unsafe?
int main(void) { volatile int k = 1; switch (k) { int f(void) { return 7; } case 1: check(f() != 7); } return 0; }
//== tag-in-the-condition-of-if: safe
struct s { int a; };
int main(void) { if (sizeof(struct s { short z; }) == 2) check(sizeof(struct s) == 2); check(sizeof(struct s) == 4); return 0; }
//== tag-in-the-condition-of-if-fails: unsafe
struct s { int a; };
int main(void) { if (sizeof(struct s { short z; }) == 2) check(sizeof(struct s) == 2); check(sizeof(struct s) == 2); return 0; }
//== constant-in-the-condition-of-while: safe
enum { B = 2 };
int main(void) { while (sizeof(enum { B = 7 }) == 0) {} check(B == 2); do check(B == 2); while (sizeof(enum { B = 9 }) == 0); check(B == 2); return 0; }
//== constant-in-the-condition-of-switch: safe
enum { B = 2 };
int main(void) { switch (sizeof(enum { B = 7 })) { case 4: check(B == 7); } check(B == 2); return 0; }
//== large-array-whose-declaration-is-jumped-over: both
int main(void) { char *p = 0; int k = 0; for (int i = 0; i < 2; i++) { switch (k) { char x[5000]; case 0: x[7] = i; p = x; if (p == 0) k = 9; } } finally(k == 0); }
//== large-arrays-whose-declarations-are-jumped-over: both
int main(void) { char *p = 0, *q = 0; int r = 0, n = 0; goto in; { char x[5000], y[5000]; r = 100; in: n++; x[8] = n; y[8] = n + 5; p = x; q = y; r += p != q; r += p[8] == n; if (n < 3) goto in; } finally(r == 6); }
