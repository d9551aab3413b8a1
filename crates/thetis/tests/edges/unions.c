// Unions and compound literals: initialisers, parts, types in other types.

//== literal-of-a-float-union: safe
union u { float f; unsigned u; };
int main(void) { check(((union u){ 1.0f }).u == 0x3f800000u); }
//== literal-of-a-float-union-wrong: unsafe
union u { float f; unsigned u; };
int main(void) { check(((union u){ 1.0f }).u == 1); }
//== literal-of-a-named-member: safe
union u { float f; unsigned u; };
int main(void) { check(((union u){ .u = 0x40000000u }).f == 2.0f); }
//== literal-inside-a-structure: safe
union u { float f; unsigned u; }; struct s { int k; union u v; };
int main(void) { check(((struct s){ 3, { 1.0f } }).v.u == 0x3f800000u); }
//== literal-inside-a-structure-named: safe?
union u { float f; unsigned u; }; struct s { int k; union u v; };
int main(void) { struct s x = { .v.u = 7, .k = 1 }; check(x.v.u == 7 && x.k == 1); }
//== assignment-of-a-literal: safe
typedef struct { union { struct { int a, b; } p; int v[2]; } u; int k; } T;
int main(void) { T t; t = (T){ { { 1, 2 } }, 3 }; check(t.u.v[0] == 1 && t.u.v[1] == 2 && t.k == 3); }
//== assignment-of-a-literal-with-other-members-first: safe
typedef union { struct { int a; short b; } p; long whole; char c; } T;
int main(void) { T t; t = (T){ { 5, 6 } }; check(t.p.a == 5 && t.p.b == 6 && t.c == 5); }
//== initialiser-does-not-write-zero-over-the-first: unsafe
typedef union { struct { int a, b; } p; long whole; } T;
int main(void) { T t; t = (T){ { 5, 6 } }; check(t.p.a == 0); }
//== struct-then-array-union: safe
union u { struct { unsigned char r, g; } c; unsigned short s; };
int main(void) { union u x = { { 1, 2 } }; check(x.s == 0x0201); }
//== write-long-read-int: safe
union u { long l; int i[2]; };
int main(void) { union u x; x.l = 0x100000002; check(x.i[0] == 2 && x.i[1] == 1); }
//== write-int-keeps-the-upper-half: safe
union u { long l; int i[2]; };
int main(void) { union u x; x.l = -1; x.i[0] = 0; check(x.l == (long)0xffffffff00000000); }
//== write-char-read-short: safe
union u { short s; unsigned char c[2]; };
int main(void) { union u x; x.c[0] = 0x34; x.c[1] = 0x12; check(x.s == 0x1234); }
//== double-as-bits: safe?
union u { double d; unsigned long n; };
int main(void) { union u x = { 2.0 }; check(x.n == 0x4000000000000000ul); }
//== double-as-bits-wrong: unsafe?
union u { double d; unsigned long n; };
int main(void) { union u x = { 2.0 }; check(x.n != 0x4000000000000000ul); }
//== negative-zero-bits: safe?
union u { float f; int n; };
int main(void) { union u x; x.f = -0.0f; check(x.n < 0 && x.f == 0); }
//== bits-to-nan: safe?
union u { float f; unsigned n; };
int main(void) { union u x; x.n = 0x7fc00000u; check(x.f != x.f); }
//== union-of-structs-with-a-common-start: safe
union u { struct { int tag; int a; } x; struct { int tag; char b; } y; };
int main(void) { union u v; v.x.tag = 4; v.x.a = 5; check(v.y.tag == 4); }
//== union-by-value-to-a-function: safe
union u { int i; char c[4]; }; static int first(union u v) { return v.c[0]; }
int main(void) { union u v = { 0x01020304 }; check(first(v) == 4); }
//== union-returned: safe
union u { int i; char c[4]; }; static union u make(int i) { union u v; v.i = i; return v; }
int main(void) { check(make(0x0a0b0c0d).c[3] == 0x0a); }
//== union-in-an-array: safe?
union u { int i; char c[4]; };
int main(void) { union u v[3] = { { 1 }, { 0x100 }, { 3 } }; int k = 1; check(v[k].c[1] == 1 && v[2].i == 3); }
//== union-through-a-pointer: safe?
union u { int i; unsigned short s[2]; };
int main(void) { union u v = { -1 }; union u *p = &v; p->s[0] = 0; check(v.i == (int)0xffff0000); }
//== pointer-to-a-member-of-a-union: unsafe?
union u { int i; unsigned short s[2]; };
int main(void) { union u v = { 0 }; unsigned short *p = v.s; p[1] = 1; check(v.i == 0); }
//== anonymous-union: safe
struct s { int k; union { int a; char b; }; };
int main(void) { struct s v; v.a = 0x41; check(v.b == 'A'); }
//== anonymous-struct-in-a-union: safe
union u { struct { short lo, hi; }; int all; };
int main(void) { union u v; v.all = 0x00050004; check(v.lo == 4 && v.hi == 5); }
//== union-with-a-bit-field: safe?
union u { unsigned all; struct { unsigned a : 4, b : 4; } f; };
int main(void) { union u v = { 0xA5 }; check(v.f.a == 5 && v.f.b == 10); }
//== union-with-a-bit-field-written: unsafe?
union u { unsigned all; struct { unsigned a : 4, b : 4; } f; };
int main(void) { union u v = { 0 }; v.f.b = 1; check(v.all == 0); }
//== size-is-that-of-the-largest: safe
union u { char c[5]; int i; };
int main(void) { check(sizeof(union u) == 8); }
//== empty-braces-zero-everything: safe
union u { char c; long l; };
int main(void) { union u v = {}; check(v.l == 0); }
//== static-union-in-a-struct: safe
static struct { int k; union { float f; unsigned u; } v; } x = { 1, { 1.0f } };
int main(void) { check(x.v.u == 0x3f800000u && x.k == 1); }
//== later-designator-wins: safe?
union u { int i; float f; };
int main(void) { union u v = { .f = 1.0f, .i = 3 }; check(v.i == 3); }
//== later-designator-wins-in-a-struct: safe
struct s { int a, b; };
int main(void) { struct s v = { .a = 1, .b = 2, .a = 3 }; check(v.a == 3 && v.b == 2); }
//== compound-literal-is-an-object: safe
int main(void) { int *p = (int[]){ 1, 2, 3 }; p[1] = 5; check(p[1] == 5 && p[2] == 3); }
//== compound-literal-is-new-in-each-iteration: safe
int main(void) { for (int i = 0; i < 2; i++) { int *p = (int[]){ 4 }; check(*p == 4); *p = 9; } }
//== compound-literal-address-in-a-struct: safe
struct s { int *p; };
int main(void) { struct s v = { &(int){ 6 } }; *v.p += 1; check(*v.p == 7); }
//== compound-literal-as-an-argument: safe
struct s { int a, b; }; static int sum(struct s *p) { return p->a + p->b; }
int main(void) { check(sum(&(struct s){ .b = 2, .a = 3 }) == 5); }
//== static-compound-literal: safe
static int *p = (int[]){ 1, 2 };
int main(void) { p[0]++; check(p[0] == 2 && p[1] == 2); }
//== string-in-a-union: safe
union u { char s[4]; unsigned n; };
int main(void) { union u v = { "abc" }; check(v.n == 0x00636261); }
//== array-range-designator: safe
int main(void) { int a[6] = { [1 ... 3] = 7, 8 }; check(a[0] == 0 && a[3] == 7 && a[4] == 8 && a[5] == 0); }
//== flexible-array-member-initialised: safe?
static struct { int n; int v[]; } x = { 2, { 5, 6 } };
int main(void) { check(x.v[1] == 6 && sizeof x == 4); }
//== nested-designators: safe
struct s { struct { int x[3]; } in; int y; };
int main(void) { struct s v = { .in.x[1] = 4, .y = 5 }; check(v.in.x[0] == 0 && v.in.x[1] == 4 && v.y == 5); }
//== cast-to-a-union: safe?
union u { int i; double d; };
int main(void) { union u v = (union u)2.5; check(v.d == 2.5); }
//== union-of-float-and-pointer-returned: both
union u { float f; signed char *p; }; static union u g = { 13.875f };
static union u get(void) { return g; }
int main(void) { get(); unsigned char *b = (unsigned char *)&g.f; finally(b[3] == 0x41 && b[2] == 0x5e); }
//== union-of-float-and-pointer-both-used: both
union u { float f; char *p; }; 
int main(void) { char c = 'x'; union u a, b; a.p = &c; b = a; char r = *b.p; a.f = 1.5f; b = a; finally(r == 'x' && b.f == 1.5f); }
//== union-of-double-and-pointer-by-value: both?
struct v { int k; union { double d; char *s; int n; } u; };
static struct v num(double d) { struct v r; r.k = 0; r.u.d = d; return r; }
static struct v str(char *s) { struct v r; r.k = 1; r.u.s = s; return r; }
static int val(struct v x) { return x.k ? x.u.s[0] : (int)x.u.d; }
int main(void) { struct v a[3]; a[0] = num(2.5); a[1] = str("abc"); a[2] = a[0]; finally(val(a[0]) == 2 && val(a[1]) == 'a' && val(a[2]) == 2); }
//== union-of-double-and-pointer-on-the-heap: both
#include <stdlib.h>
struct v { int k; union { double d; char *s; } u; };
int main(void) { struct v *a = malloc(2 * sizeof *a); if (!a) return 0; a[0].k = 0; a[0].u.d = 1.25; a[1].k = 1; a[1].u.s = "hi"; struct v t = a[0]; a[0] = a[1]; a[1] = t; finally(a[0].u.s[1] == 'i' && a[1].u.d == 1.25); free(a); }
//== union-of-pointer-and-integer-tagged: both
#include <stdint.h>
union u { uintptr_t n; int *p; };
int main(void) { int x = 5; union u v; v.p = &x; v.n |= 1; int t = v.n & 1; v.n &= ~(uintptr_t)1; finally(t == 1 && *v.p == 5); }
//== union-of-function-pointer-and-float: both
typedef int (*fn)(int); static int twice(int x) { return 2 * x; }
union u { fn f; float x; };
int main(void) { union u a = { twice }, b; b = a; int r = b.f(4); b.x = 2.0f; finally(r == 8 && b.x == 2.0f); }
//== union-assigned-through-conditional: both
union u { float f; char *p; };
static int pick;
int main(void) { union u a, b, c; a.f = 1.0f; b.f = 2.0f; pick = 1; c = pick ? a : b; finally(c.f == 1.0f); }
//== union-in-array-of-structs-copied: both
struct s { union { float f; char *p; } u[2]; int n; };
int main(void) { struct s a = { .n = 3 }, b; a.u[0].f = 0.5f; a.u[1].p = "q"; b = a; finally(b.u[0].f == 0.5f && *b.u[1].p == 'q' && b.n == 3); }
//== union-argument-with-unused-pointer: both
union u { float f; void *p; };
static float get(union u x) { return x.f; }
int main(void) { union u a = { 3.0f }; char *raw = (char *)&a; raw[0] = 0; finally(get(a) == 3.0f); }
//== union-of-bool-and-pointer: both
union u { _Bool b; void *p; int i; };
static union u flip(union u x) { x.b = !x.b; return x; }
int main(void) { union u a = { 1 }; unsigned char *raw = (unsigned char *)&a; a = flip(a); finally(raw[0] == 0); }
//== union-compound-literal-from-bytes: both
union u { float f; void *p; };
static union u g;
int main(void) { ((unsigned char *)&g)[3] = 0x40; union u t[2] = { g, { 1.0f } }; finally(t[0].f == 2.0f && t[1].f == 1.0f); }
//== long-double-union: both?
union u { long double d; void *p; };
static union u g = { 1.5L };
static union u get(void) { return g; }
int main(void) { union u a = get(); finally(a.d == 1.5L); }
//== union-without-used-members-returned: both
union u { float f; signed char *p; }; static union u g;
static union u get(void) { return g; }
int main(void) { unsigned char *b = (unsigned char *)&g; b[3] = 5; get(); finally(b[3] == 5); }
//== union-without-used-members-copied: both
union u { float f; signed char *p; }; static union u g;
int main(void) { unsigned char *b = (unsigned char *)&g; b[3] = 5; union u v = g; g = v; finally(b[3] == 5); }
//== union-without-used-members-twice: both?
union u { float f; signed char *p; }; static union u g;
static union u get(void) { return g; } static union u id(union u x) { return x; }
int main(void) { unsigned char *b = (unsigned char *)&g; b[3] = 5; b[6] = 7; g = id(get()); finally(b[3] == 5 && b[6] == 7); }
//== union-with-a-small-used-member-keeps-the-other-bytes: both
union u { float f; signed char *p; }; static union u g = { 1.0f };
static union u id(union u x) { return x; }
int main(void) { unsigned char *b = (unsigned char *)&g; b[6] = 7; g = id(g); finally(g.f == 1.0f && b[6] == 7); }
//== struct-padding-bytes-of-a-union: both?
union u { short s; int i[2]; }; static union u g;
static union u id(union u x) { return x; }
int main(void) { unsigned char *b = (unsigned char *)&g; b[6] = 7; g = id(g); finally(g.s == 0 && b[6] == 7); }
//== union-in-struct-by-value-through-bytes: both
#include <string.h>
struct m { unsigned char tag; union { short s; int i; unsigned char raw[4]; } u; };
static struct m conv(struct m x) { x.tag++; return x; }
int main(void) { struct m a; memset(&a, 0, sizeof a); a.u.raw[3] = 1; a = conv(a); finally(a.u.i == 0x1000000 && a.tag == 1); }
