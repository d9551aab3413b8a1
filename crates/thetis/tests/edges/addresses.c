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
//== xor-list: both
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
