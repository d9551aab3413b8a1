//== order-of-objects: unsafe? reasoned
int a, b; int main(void) { int *p = &a, *q = &b; check(p < q); }
//== order-of-objects-the-other-way: unsafe? reasoned
int a, b; int main(void) { int *p = &a, *q = &b; check(p > q); }
//== order-in-one-array: both
int main(void) { int a[4], *p = a + 1, *q = a + 3; finally(p < q && q >= p && !(p > q) && a + 4 > q); }
//== order-of-members: both
struct s { int a, b; }; int main(void) { struct s x; int *p = &x.a, *q = &x.b; finally(p < q); }
//== order-in-a-heap-block: both
#include <stdlib.h>
int main(void) { int *a = malloc(16); if (!a) return 0; int n = 0; for (int *p = a; p < a + 4; p++) n++; free(a); finally(n == 4); }
//== order-of-numbers-of-objects: unsafe? reasoned
#include <stdint.h>
int main(void) { char c, d; uintptr_t a = (uintptr_t)&c, b = (uintptr_t)&d; check(a < b); }
//== pointer-is-above-null: both
#include <stdint.h>
int main(void) { int x; int *p = &x; uintptr_t n = (uintptr_t)p; finally(n > 0 && n >= 4096 && p > (int *)0); }
//== low-bits-of-a-char: unsafe? reasoned
#include <stdint.h>
int main(void) { char x, c; uintptr_t a = (uintptr_t)&c; check(a % 16 == 0); }
//== low-bits-of-an-int: both
#include <stdint.h>
int main(void) { int x; uintptr_t a = (uintptr_t)&x; finally(a % 4 == 0 && (a & 3) == 0 && ((uintptr_t)&x & 1) == 0); }
//== low-bits-of-an-int-too-many: unsafe? reasoned
#include <stdint.h>
int main(void) { int x; uintptr_t a = (uintptr_t)&x; check(a % 8 == 0); }
//== low-bits-of-a-block: both
#include <stdint.h>
#include <stdlib.h>
int main(void) { char *p = malloc(10); if (!p) return 0; int r = ((uintptr_t)p & 7) == 0 && ((uintptr_t)(p + 3) & 7) == 3; free(p); finally(r); }
//== tagged-pointers: both
#include <stdint.h>
struct n { int v; struct n *next; };
int main(void) { struct n x = { 7, 0 }; uintptr_t t = (uintptr_t)&x | 1; struct n *p = (struct n *)(t & ~(uintptr_t)1); finally((t & 1) && p->v == 7 && p == &x); }
//== tagged-by-assignment: both
#include <stdint.h>
int main(void) { int x = 7; uintptr_t t = (uintptr_t)&x; t |= 2; int tag = t & 3; t &= ~(uintptr_t)3; finally(tag == 2 && *(int *)t == 7); }
//== tagged-characters: unsafe? reasoned
#include <stdint.h>
int main(void) { char c = 7; uintptr_t t = (uintptr_t)&c; t |= 1; check(t != (uintptr_t)&c); }
//== hash-of-a-pointer: unsafe? reasoned
#include <stdint.h>
int main(void) { int x; uintptr_t a = (uintptr_t)&x; unsigned h = (unsigned)(a >> 4) % 8; check(h == 0); }
//== hash-of-a-pointer-in-a-table: safe? valid-memsafety
#include <stdint.h>
int main(void) { int x; int t[8] = {0}; uintptr_t a = (uintptr_t)&x; return t[(a >> 4) % 8]; }
//== narrowed-address: unsafe? reasoned
#include <stdint.h>
int main(void) { int x; uintptr_t a = (uintptr_t)&x; unsigned n = a; check(n == 0); }
//== xor-list: both?
#include <stdint.h>
struct n { int v; uintptr_t link; };
int main(void) { struct n a = { 1 }, b = { 2 }, c = { 3 }; a.link = (uintptr_t)&b; b.link = (uintptr_t)&a ^ (uintptr_t)&c; c.link = (uintptr_t)&b; struct n *p = 0, *q = &a; int s = 0; while (q) { s = s * 10 + q->v; struct n *k = (struct n *)(q->link ^ (uintptr_t)p); p = q; q = k; } finally(s == 123); }
//== own-memmove: both?
static void *mv(void *d, const void *s, unsigned long n) { char *x = d; const char *y = s; if (x < y) while (n--) *x++ = *y++; else while (n--) x[n] = y[n]; return d; }
int main(void) { char a[6] = "abcde", b[6] = "vwxyz"; mv(a + 1, a, 3); mv(b, a, 4); finally(a[1] == 'a' && a[3] == 'c' && b[3] == 'c' && b[4] == 'z'); }
//== error-pointers: both
#define IS_ERR(p) ((unsigned long)(p) >= (unsigned long)-4095)
static int x; static int *f(int c) { return c ? (int *)-12L : &x; }
int main(void) { finally(IS_ERR(f(1)) && !IS_ERR(f(0)) && (long)f(1) == -12); }
//== align-up-a-block: both
#include <stdint.h>
#include <stdlib.h>
int main(void) { char *p = malloc(64); if (!p) return 0; uintptr_t u = ((uintptr_t)p + 1 + 7) & ~(uintptr_t)7; char *q = (char *)u; int r = q - p; free(p); finally(r == 8); }
//== numbers-that-are-no-addresses: both
#include <stdint.h>
int main(void) { long n = 5, big = 1l << 40; int x; uintptr_t a = (uintptr_t)&x; a = a; finally(n * 7 % 3 == 2 && big / 1024 == 1l << 30 && a == (uintptr_t)&x); }
//== distance-by-numbers: both
#include <stdint.h>
int main(void) { int a[5]; uintptr_t d = (uintptr_t)&a[4] - (uintptr_t)&a[1]; finally(d == 12 && d / 4 == 3); }
//== arena: both?
#include <stdint.h>
#include <stddef.h>
static _Alignas(16) unsigned char pool[64]; static size_t used;
static void *take(size_t n) { used = (used + 7) & ~(size_t)7; void *p = pool + used; used += n; return p; }
int main(void) { char *c = take(3); long *l = take(8); *l = 5; *c = 1; finally((unsigned char *)l - pool == 8 && ((uintptr_t)l & 7) == 0); }
//== binary-compare-of-returned-pointers: both
static int g[3]; static int *at(int i) { return g + i; }
int main(void) { finally(at(0) < at(2) && at(1) == &g[1]); }
//== bits-of-a-known-object-in-a-variable: unsafe? reasoned
#include <stdint.h>
extern void out(int *); int x; int main(void) { out(&x); uintptr_t u = (uintptr_t)&x; uintptr_t v = u; unsigned h = (unsigned)(v >> 4) & 7u; check(h == 0); }
//== bits-of-a-number-from-outside-that-is-an-address: unsafe? reasoned
#include <stdint.h>
extern void out(int *); extern uintptr_t in(void); int x;
int main(void) { out(&x); uintptr_t v = in(); if (v == (uintptr_t)&x) { unsigned h = (unsigned)(v >> 4) & 7u; check(h == 0); } }
//== bits-of-a-number-that-became-a-pointer: unsafe? reasoned
#include <stdint.h>
extern uintptr_t in(void); int x; int main(void) { uintptr_t v = in(); int *p = (int *)v; if (p == &x) check(((v >> 4) & 7) == 0); }
//== bits-of-a-guessed-address: unsafe? reasoned
#include <stdint.h>
extern unsigned long __VERIFIER_nondet_ulong(void); int x;
int main(void) { uintptr_t u = (uintptr_t)&x, v = __VERIFIER_nondet_ulong(); if (v == u) check(((v >> 4) & 7) == 0); }
//== an-address-is-some-number: unsafe? reasoned
#include <stdint.h>
int x; int main(void) { uintptr_t u = (uintptr_t)&x; check(u != 0x7fff12345678ul); }
//== an-address-in-a-switch: unsafe? reasoned
#include <stdint.h>
int x; int main(void) { switch ((uintptr_t)&x) { case 0x7fff12345678ul: check(0); } }
//== order-of-objects-that-the-outside-knows: unsafe? reasoned
#include <stdint.h>
extern void out(int *); int x, y; int main(void) { out(&x); out(&y); uintptr_t u = (uintptr_t)&x, v = (uintptr_t)&y; check(u < v); }
//== distance-of-objects: unsafe? reasoned
#include <stdint.h>
int x, y; int main(void) { uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y; uintptr_t d = a > b ? a - b : b - a; check(d > 100); }
//== distance-that-is-guessed: unsafe? reasoned
#include <stdint.h>
extern unsigned long __VERIFIER_nondet_ulong(void); int x, y;
int main(void) { uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y, n = __VERIFIER_nondet_ulong(); if (a + n == b) check(n >= 4096); }
//== distance-from-null: unsafe? reasoned
int x; int main(void) { int *p = &x; long d = (char *)p - (char *)0; check(d % 4096 == 0); }
//== difference-by-bits: unsafe? reasoned
#include <stdint.h>
int x, y; int main(void) { uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y; check((a ^ b) > 100); }
//== negated-address: unsafe? reasoned
#include <stdint.h>
int x; int main(void) { uintptr_t v = (uintptr_t)&x, m = -v; check(((m >> 4) & 7) == 0); }
//== inverted-address: unsafe? reasoned
#include <stdint.h>
int x; int main(void) { uintptr_t v = (uintptr_t)&x, m = ~v; check(((m >> 4) & 7) == 7); }
//== address-as-a-float: unsafe? reasoned
#include <stdint.h>
int x; int main(void) { uintptr_t v = (uintptr_t)&x; check((float)v > 1e9f); }
//== end-of-one-object-is-another: unsafe? reasoned
int x, y; int main(void) { int *p = &x + 1, *q = &y; check(p != q); }
//== end-of-one-object-is-another-by-numbers: unsafe? reasoned
#include <stdint.h>
int x, y; int main(void) { uintptr_t p = (uintptr_t)(&x + 1), q = (uintptr_t)&y; check(p != q); }
//== middle-of-one-object-is-no-other: both
int x[3], y; int main(void) { int *p = x + 2, *q = &y; finally(p != q && p + 1 != x && p + 1 == x + 3); }
//== bytes-of-a-pointer: unsafe? reasoned
int x; int main(void) { int *p = &x; unsigned char *b = (unsigned char *)&p; check(b[0] == 0); }
//== low-half-of-a-pointer: unsafe? reasoned
int x; int main(void) { union { int *p; unsigned n; } u; u.p = &x; check(u.n % 16 == 0); }
//== bytes-of-a-copied-pointer: unsafe? reasoned
#include <string.h>
int x; int main(void) { int *p = &x; unsigned char b[8]; memcpy(b, &p, 8); check(b[1] == 0); }
//== bytes-of-a-pointer-one-by-one: unsafe? reasoned
int x; int main(void) { int *p = &x; char b[8], *f = (char *)&p, *t = b; for (int i = 0; i < 8; i++) *t++ = *f++; check(b[1] == 0); }
//== pointer-copied-by-bytes: both?
int x = 7; int main(void) { int *p = &x, *q; char *f = (char *)&p, *t = (char *)&q; for (int i = 0; i < 8; i++) *t++ = *f++; finally(*q == 7 && q == p); }
//== tagged-union-of-pointer-and-number: both
struct v { int tag; union { int i; char c; const char *s; } u; };
static int f(struct v *v) { return v->tag == 0 ? v->u.i : v->tag == 1 ? v->u.c : v->u.s[0]; }
int main(void) { struct v a = { .tag = 0, .u.i = 5 }, b, c; b.tag = 1; b.u.c = 'b'; c.tag = 2; c.u.s = "cd"; struct v d = c; c.tag = 0; c.u.i = 3; finally(f(&a) == 5 && f(&b) == 'b' && f(&c) == 3 && f(&d) == 'c'); }
//== elements-by-numbers: both
#include <stdint.h>
int a[10]; int main(void) { uintptr_t b = (uintptr_t)a; volatile unsigned n = 13; unsigned i = n % 10u; uintptr_t e = b + 4 * (uintptr_t)i; a[i] = 3; finally(*(int *)e == 3 && e - b <= 36); }
//== freed-address-is-used-again: unsafe? reasoned
#include <stdint.h>
#include <stdlib.h>
int main(void) { char *p = malloc(8); uintptr_t o = (uintptr_t)p; free(p); char *q = malloc(8); check((uintptr_t)q != o); }
//== freed-pointer-is-used-again: unsafe? reasoned
#include <stdlib.h>
int main(void) { char *p = malloc(8), *o = p; free(p); char *q = malloc(8); check(q != o); }
//== freed-node-is-used-again: unsafe? reasoned
#include <stdlib.h>
struct n { struct n *next; } *last; static struct n *make(void) { struct n *n = malloc(sizeof *n); n->next = 0; return n; }
static void drop(struct n *n) { last = n; free(n); }
int main(void) { struct n *a = make(); drop(a); struct n *b = make(); check(b != last); }
//== variables-of-functions-that-have-returned: unsafe? reasoned
#include <stdint.h>
static uintptr_t f(void) { int a = 1; return (uintptr_t)&a; } static uintptr_t g(void) { int b = 2; return (uintptr_t)&b; }
int main(void) { check(f() != g()); }
//== variable-of-a-function-that-has-returned-twice: unsafe? reasoned
#include <stdint.h>
static uintptr_t f(void) { int a = 1; return (uintptr_t)&a; }
int main(void) { uintptr_t a = f(), b = f(); check(a == b); }
//== variables-of-blocks-in-turn: unsafe? reasoned
#include <stdint.h>
int main(void) { uintptr_t u, v; { int a = 1; u = (uintptr_t)&a; } { int b = 2; v = (uintptr_t)&b; } check(u != v); }
//== reallocated-block-may-move: unsafe? reasoned
#include <stdlib.h>
int main(void) { char *p = malloc(8), *o = p; p[0] = 'a'; char *q = realloc(p, 1000000); check(q == o); }
//== reallocated-block-may-stay: unsafe? reasoned
#include <stdlib.h>
int main(void) { char *p = malloc(8), *o = p; p[0] = 'a'; char *q = realloc(p, 9); check(q != o); }
//== automatic-blocks-in-turn: unsafe? reasoned
#include <alloca.h>
#include <stdint.h>
static uintptr_t f(void) { char *a = alloca(16); a[0] = 1; return (uintptr_t)a; }
int main(void) { uintptr_t u = f(), v = f(); check(u != v); }
//== distance-of-pointers-to-different-objects: unsafe? reasoned
int main(void) { char a = 1, b = 2; char *p = &a, *q = &b; check(p - q > 100 || q - p > 100); }
//== blocks-that-live-differ: both
#include <stdlib.h>
int main(void) { char *p = malloc(8), *q = malloc(8), *r = p; int ok = p != q && r == p && r != q; free(p); free(q); finally(ok); }
//== list-with-removal-by-pointer: both
#include <stdlib.h>
struct n { struct n *next; int v; } *head;
static struct n *add(int v) { struct n *n = malloc(sizeof *n); n->v = v; n->next = head; return head = n; }
static void drop(struct n *d) { struct n **p = &head; while (*p != d) p = &(*p)->next; *p = d->next; free(d); }
int main(void) { add(1); struct n *b = add(2); add(3); drop(b); finally(head->v == 3 && head->next->v == 1 && !head->next->next); }
//== reallocated-array-walked-by-pointers: both
#include <stdlib.h>
int main(void) { int *a = malloc(2 * sizeof *a), s = 0; a[0] = 1; a[1] = 2; a = realloc(a, 4 * sizeof *a); a[2] = 3; a[3] = 4; for (int *p = a; p != a + 4; p++) s += *p; finally(s == 10); free(a); }
//== variables-that-live-differ: both
static int same(int *p, int *q) { return p == q; }
static int f(int *p) { int x = 0; return same(p, &x) + same(&x, &x); }
int main(void) { int a, b; finally(!same(&a, &b) && f(&a) == 1 && same(&b, &b)); }
//== sentinel-on-the-stack: both
struct n { struct n *next; int v; };
static int sum(struct n *l, const struct n *end) { int s = 0; for (; l != end; l = l->next) s += l->v; return s; }
static int f(int k) { struct n end = { 0, 0 }, a = { &end, k }, b = { &a, 1 }; return sum(&b, &end); }
int main(void) { finally(f(3) == 4 && f(4) == 5); }
//== distance-in-a-block: both
#include <stdlib.h>
#include <string.h>
int main(void) { char *s = malloc(16); strcpy(s, "key=value"); char *e = strchr(s, '='); finally(e - s == 3 && strlen(s) - (size_t)(e - s) == 6); free(s); }
//== freed-block-and-one-from-before: both
#include <stdlib.h>
int main(void) { char *p = malloc(8), *q = malloc(8), *o = p; free(p); int differ = q != o; free(q); finally(differ); }
//== freed-block-and-one-from-after: unsafe? reasoned
#include <stdlib.h>
int main(void) { char *p = malloc(8), *q = malloc(8), *o = p; free(p); free(q); p = malloc(8); q = malloc(8); check(q != o); }
//== freed-list-compared-with-its-first-node: both
#include <stdlib.h>
struct n { struct n *next; }; int main(void) { struct n *h = 0; for (int i = 0; i < 3; i++) { struct n *n = malloc(sizeof *n); n->next = h; h = n; }
  struct n *first = h; int d = 0; while (h) { struct n *t = h; h = h->next; if (h == first) d = 100; free(t); d++; } finally(d == 3); }
//== arrays-of-variable-length-in-turn: unsafe?
int main(void) { char *p[2]; for (int i = 0; i < 2; i++) { volatile int n = 8; char x[n]; x[0] = 1; p[i] = x; } check(p[0] != p[1]); }
//== large-arrays-in-turn: unsafe?
int main(void) { int *p[2]; for (int i = 0; i < 2; i++) { int x[64]; x[0] = 1; p[i] = x; } check(p[0] != p[1]); }
//== objects-without-bytes: unsafe? reasoned
struct e {}; int main(void) { struct e a, b; struct e *p = &a, *q = &b; check(p != q); }
//== a-cache-by-address: unsafe?
#include <stdlib.h>
static int *key; static int val; static int look(int *k) { if (k == key) return val; key = k; val = *k; return val; }
int main(void) { int *a = malloc(4); *a = 1; look(a); free(a); int *b = malloc(4); *b = 2; check(look(b) == 2); }
//== a-cache-by-address-of-what-stays: both
static int *key; static int val; static int look(int *k) { if (k == key) return val; key = k; val = *k; return val; }
int a = 1, b = 2; int main(void) { look(&a); int first = look(&b); finally(first == 2 && look(&a) == 1); }
//== walking-a-large-array: both
int main(void) { char b[100], *p; int n = 0; for (p = b; p != b + 100; p++) { *p = 1; n++; } finally(n == 100 && p - b == 100); }
//== returned-structures-in-turn: unsafe? reasoned
struct s { int a[2]; }; static struct s f(void) { struct s s = { { 1, 2 } }; return s; }
int main(void) { int *p = f().a; int *q = f().a; check(p != q); }
//== returned-structures: both
struct s { int a[2]; }; static struct s f(int n) { struct s s = { { n, 2 } }; return s; }
int main(void) { struct s a = f(3); finally(f(4).a[0] == 4 && f(5).a[1] == 2 && a.a[0] == 3); }
