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
