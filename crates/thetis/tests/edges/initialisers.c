// Static initialisers: order, constants of other objects, addresses.

//== constant-of-another-object: safe
static const int k = 5; static int x = k;
int main(void) { check(x == 5); }
//== constant-of-another-object-wrong: unsafe
static const int k = 5; static int x = k;
int main(void) { check(x == 0); }
//== constant-of-a-later-use: safe
static const int k = 5; static int a[2] = { k, k + 1 };
int main(void) { check(a[1] == 6); }
//== chain-of-constants: safe
static const int a = 1; static const int b = a + 1; static const int c = b * 3; static int x = c;
int main(void) { check(x == 6); }
//== constant-in-a-local-static: safe
int main(void) { static const int k = 4; static int x = k; check(x == 4); }
//== constant-double: safe?
static const double d = 1.5; static double x = d;
int main(void) { check(x == 1.5); }
//== tentative-then-defined: safe
int x; int x = 3; int x;
int main(void) { check(x == 3); }
//== address-of-a-later-object: safe
extern int y; static int *p = &y; int y = 4;
int main(void) { check(*p == 4); }
//== address-plus-offset: safe
static int a[3] = { 1, 2, 3 }; static int *p = a + 2, *q = &a[1];
int main(void) { check(*p == 3 && *q == 2 && p - q == 1); }
//== address-of-a-member: safe
static struct { int a, b; } s = { 1, 2 }; static int *p = &s.b;
int main(void) { *p = 7; check(s.b == 7); }
//== difference-of-addresses: safe?
static int a[4]; static long d = &a[3] - &a[1];
int main(void) { check(d == 2); }
//== address-as-a-number: safe?
static int x; static unsigned long n = (unsigned long)&x;
int main(void) { check(n == (unsigned long)&x); }
//== address-as-a-number-writes: unsafe?
static int x = 1; static unsigned long n = (unsigned long)&x;
int main(void) { *(int *)n = 2; check(x == 1); }
//== cast-pointer-in-an-initialiser: unsafe?
static float f = 1.0f; static unsigned *p = (unsigned *)&f;
int main(void) { *p = 0; check(f == 1.0f); }
//== cast-pointer-in-an-initialiser-reads: safe?
static float f = 1.0f; static unsigned char *p = (unsigned char *)&f;
int main(void) { check(p[3] == 0x3f); }
//== cast-pointer-in-a-static-array: unsafe?
static int v = 0x01020304; static char *table[] = { 0, (char *)&v };
int main(void) { table[1][0] = 0; check(v == 0x01020304); }
//== function-table: safe
static int inc(int x) { return x + 1; } static int dec(int x) { return x - 1; } static int (*const ops[])(int) = { inc, dec };
int main(void) { check(ops[0](3) == 4 && ops[1](3) == 2); }
//== string-table: safe
static const char *const names[] = { "zero", "one" };
int main(void) { check(names[1][0] == 'o' && names[0][4] == 0); }
//== array-of-strings-by-value: safe
static char names[2][4] = { "ab", "xyz" };
int main(void) { check(names[0][2] == 0 && names[0][3] == 0 && names[1][2] == 'z'); }
//== size-from-the-initialiser: safe
static int a[] = { 1, 2, [5] = 3 };
int main(void) { check(sizeof a == 24 && a[4] == 0 && a[5] == 3); }
//== static-local-keeps-its-value: safe
static int next(void) { static int n = 10; return n++; }
int main(void) { next(); check(next() == 11); }
//== self-reference: safe
static struct node { struct node *next; int v; } n = { &n, 3 };
int main(void) { check(n.next->next->v == 3); }
//== local-initialiser-reads-itself-size: safe
int main(void) { int a[3] = { sizeof a, 2 }; check(a[0] == 12 && a[2] == 0); }
//== enum-constants-in-order: safe
enum { A = 3, B, C = A + B, D };
int main(void) { check(B == 4 && C == 7 && D == 8); }
//== float-constant-to-int: safe
static int x = (int)2.9; static unsigned y = -1; static char c = 300;
int main(void) { check(x == 2 && y == 4294967295u && c == 44); }
//== conditional-constant: safe
static int x = sizeof(long) == 8 ? 3 : 1 / 1;
int main(void) { check(x == 3); }
//== static-initialiser-with-logic: safe
static int x = (1 && 2) + (0 || 0) + !5 + ~0;
int main(void) { check(x == 0); }
//== struct-copy-from-a-constant-struct: safe?
struct p { int a, b; }; static const struct p k = { 1, 2 }; static struct p x = k;
int main(void) { check(x.b == 2); }
//== local-aggregate-from-variables: safe
int main(void) { int a = 1, b = 2; int v[3] = { b, a, a + b }; check(v[0] == 2 && v[2] == 3); }
//== uninitialised-static-is-zero: safe
static struct { int a; int *p; double d; } s;
int main(void) { check(s.a == 0 && s.p == 0 && s.d == 0); }
//== wide-string: safe?
#include <stddef.h>
static wchar_t w[] = L"ab";
int main(void) { check(sizeof w == 12 && w[1] == L'b' && w[2] == 0); }
//== utf-8-string: safe?
int main(void) { char s[] = u8"\u00e9"; check(sizeof s == 3 && (unsigned char)s[0] == 0xc3); }
//== string-too-long-for-its-array: safe
int main(void) { char s[3] = "abc"; check(s[2] == 'c' && sizeof s == 3); }
//== goto-over-an-initialiser: safe?
int main(void) { int n = 0; again: ; int x = 5; x++; if (n++ < 1) goto again; check(x == 6); }
//== switch-into-a-block: unsafe? reasoned
// The initialiser is jumped over, so the variable holds anything.
int main(void) { int k = 1; switch (k) { int x = 4; case 1: check(x == 4); } }
//== address-of-a-label-difference: safe?
int main(void) { static void *t[] = { &&a, &&b }; int n = 0; goto *t[1]; a: n = 1; b: check(n == 0); }
//== address-of-a-label-taken: unsafe?
int main(void) { static void *t[] = { &&a, &&b }; int n = 0; goto *t[0]; a: n = 1; b: check(n == 0); }
//== list-replaces-a-member: both
struct p { int x, y; }; struct q { struct p a; int z; };
int main(void) { struct q s = { .a.x = 3, .a = { .y = 4 }, 9 }; finally(s.a.x == 0 && s.a.y == 4 && s.z == 9); }
//== later-elements-win: both
int main(void) { int a[6] = { [1] = 5, 6, 7, [2] = 9, [0] = 1, 2 }; finally(a[0] == 1 && a[1] == 2 && a[2] == 9 && a[3] == 7 && a[4] == 0); }
//== member-of-a-list-is-replaced: both
struct p { int x, y; }; struct q { struct p a, b; };
int main(void) { struct q s = { .a = { 1, 2 }, .a.y = 5, .b.x = 7, 8 }; finally(s.a.x == 1 && s.a.y == 5 && s.b.x == 7 && s.b.y == 8); }
//== designators-of-rows: both
int main(void) { int a[][3] = { [2] = { 1 }, [0][1] = 5, 6, 7, [1][2] = 3 }; finally(sizeof a == 36 && a[0][1] == 5 && a[0][2] == 6 && a[1][0] == 7 && a[1][2] == 3 && a[2][0] == 1); }
//== braces-are-left-out: both
struct s { int a[2]; struct { char c; short d[2]; } n; int e; };
int main(void) { struct s v[2] = { 1, 2, 'x', 3, 4, 5, { 6 }, 7 }; (void)v; struct s w = { 1, 2, 3, 4, 5, 6 }; finally(v[0].n.d[1] == 4 && v[0].e == 5 && v[1].a[0] == 6 && v[1].a[1] == 0 && w.n.c == 3 && w.e == 6); }
//== list-replaces-an-element: both
struct p { int x, y; };
int main(void) { struct p a[2] = { [0] = { 1, 2 }, [0] = { .y = 3 } }; finally(a[0].x == 0 && a[0].y == 3); }
//== string-replaces-characters: both
int main(void) { struct { char s[6]; int k; } v = { .s[4] = 'q', .s = "ab", .k = 1 }; finally(v.s[4] == 0 && v.s[1] == 'b'); }
//== member-of-a-union-replaces-another: both
union u { int i; char c[4]; float f; };
int main(void) { struct { union u u; } s = { .u.i = -1, .u.c = { 1 } }; finally(s.u.c[0] == 1 && s.u.c[1] == 0 && s.u.i == 1); }
//== member-of-a-static-union-replaces-another: both
union u { int i; char c[4]; float f; };
static struct { union u u; } s = { .u.i = -1, .u.c[1] = 1 };
int main(void) { finally(s.u.c[0] == 0 && s.u.c[1] == 1 && s.u.i == 256); }
//== ranges-overlap: both
int main(void) { int a[10] = { [0 ... 9] = 7, [3 ... 5] = 1, [4] = 2, 3 }; int s = 0; for (int i = 0; i < 10; i++) s = s * 10 + a[i]; finally(a[3] == 1 && a[4] == 2 && a[5] == 3 && a[6] == 7); }
//== list-replaces-one-of-a-range: both
struct p { int x, y; };
static struct p a[4] = { [0 ... 3] = { 1, 2 }, [2] = { .y = 5 }, [1].x = 9 };
int main(void) { finally(a[2].x == 0 && a[2].y == 5 && a[1].x == 9 && a[1].y == 2 && a[3].x == 1); }
//== range-replaces-elements: both
struct p { int x, y; };
int main(void) { struct p a[4] = { [2] = { 1, 2 }, [0 ... 3] = { .y = 3 } }; finally(a[2].x == 0 && a[2].y == 3 && a[3].y == 3); }
//== range-without-braces-keeps-the-rest: both
struct p { int x, y; };
int main(void) { struct p a[4] = { [0 ... 3] = { 1, 2 }, [1 ... 2] = 5 }; finally(a[1].x == 5 && a[2].x == 5 && a[2].y == 2 && a[3].x == 1); }
//== value-of-a-range-has-effects: both?
static int n; static int f(void) { return ++n; }
int main(void) { int a[3] = { [0 ... 2] = f() }; finally(n == 1 && a[2] == 1 && a[0] == 1); }
//== value-of-a-range-is-an-input: both?
int rand(void);
int main(void) { int a[3] = { [0 ... 2] = rand() }; finally(a[0] == a[2]); }
//== replaced-value-has-effects: both?
static int n; static int f(void) { return ++n; }
int main(void) { int a[2] = { [0] = f(), [0] = 5 }; finally(n == 0 && a[0] == 5); }
//== member-after-the-whole: safe? reasoned
// Compilers differ in what becomes of the other member.
struct p { int x, y; };
int main(void) { struct p s = { 8, 9 }; struct { struct p p; int z; } t = { .p = s, .p.x = 1 }; check(t.p.x == 1 && t.p.y == 9); }
//== member-after-the-whole-otherwise: safe? reasoned
struct p { int x, y; };
int main(void) { struct p s = { 8, 9 }; struct { struct p p; int z; } t = { .p = s, .p.x = 1 }; check(t.p.x == 1 && t.p.y == 0); }
