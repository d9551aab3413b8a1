// Objects that programs look at as something else: numbers as structures, structures as other structures, with their padding.

//== copy-a-number-to-a-structure: both
#include <string.h>
struct s { unsigned lo, hi; }; int main(void) { unsigned long n = 0x100000002UL; struct s s; memcpy(&s, &n, sizeof s); unsigned hi = s.hi; s.hi = 7; memcpy(&n, &s, sizeof n);
  finally(s.lo == 2 && hi == 1 && n == 0x700000002UL); }
//== copy-a-structure-to-a-longer-number: both
#include <string.h>
struct s { char c[5]; }; int main(void) { unsigned long q = 0; struct s s = { { 1, 2, 3, 4, 5 } }; memcpy(&q, &s, 5); finally(q == 0x0504030201UL); }
//== copy-bit-fields-to-a-longer-number: both
#include <string.h>
struct s { int a : 16; int b : 16; }; int main(void) { unsigned long q = 0; struct s s = { 1, 2 }; memcpy(&q, &s, 4); finally(q == 0x20001); }
//== copy-a-float-to-bit-fields: both
#include <string.h>
struct f { unsigned m : 23, e : 8, s : 1; }; int main(void) { float f = -6.25f; struct f b; memcpy(&b, &f, 4); b.s = 0; memcpy(&f, &b, 4); finally(b.e == 129 && b.m == 0x480000 && f == 6.25f); }
//== copy-between-structures-of-the-same-kinds: both
#include <string.h>
struct a { int a, p; long b; }; struct b { long b; int a, c; };
int main(void) { struct a x = { 1, 2, 3 }; struct b y; memcpy(&y, &x, sizeof x); finally(y.b == 0x200000001L && y.a == 3); }
//== copy-between-blocks-of-the-same-kinds: both
#include <stdlib.h>
#include <string.h>
struct a { int a, p; long b; }; struct b { long b; int a, c; };
int main(void) { struct a *x = malloc(sizeof *x); x->a = 1; x->p = 2; x->b = 3; struct b *y = malloc(sizeof *y); memcpy(y, x, sizeof *y); finally(y->b == 0x200000001L && y->a == 3); }
//== copy-to-a-block-of-an-unknown-type: both
#include <stdlib.h>
#include <string.h>
struct a { int a, p; long b; }; struct b { long b; int a, c; }; static void put(void *to, const struct a *from) { memcpy(to, from, sizeof *from); }
int main(void) { struct a *x = malloc(sizeof *x); x->a = 1; x->p = 2; x->b = 3; struct b *y = malloc(sizeof *y); put(y, x); finally(y->b == 0x200000001L && y->a == 3); }
//== copy-an-array-of-structures-to-numbers: both
#include <string.h>
struct s { short a, b; }; int main(void) { struct s s[2] = { { 1, 2 }, { 3, 4 } }; int t[2]; memcpy(t, s, sizeof t); finally(t[0] == 0x20001 && t[1] == 0x40003); }
//== copy-a-structure-of-floats-to-an-array: both
#include <string.h>
struct v { float x, y, z; }; int main(void) { struct v v = { 1, 2, 3 }; float a[3]; memcpy(a, &v, sizeof a); a[1] = 9; memcpy(&v, a, sizeof v); finally(a[2] == 3 && v.y == 9 && v.z == 3); }
//== copy-padding: both
#include <string.h>
struct s { int a; char b; long c; }; int main(void) { struct s s, t; memset(&s, 0, sizeof s); s.a = 1; s.b = 2; memcpy(&t, &s, sizeof t); finally(memcmp(&t, &s, sizeof t) == 0); }
//== copy-padding-of-blocks: both
#include <stdlib.h>
#include <string.h>
struct s { int a; char b; }; int main(void) { struct s *s = calloc(1, sizeof *s), *t = malloc(sizeof *t); s->a = 1; memcpy(t, s, sizeof *t); finally(memcmp(t, s, sizeof *t) == 0); }
//== copy-padding-of-bit-fields: both
#include <string.h>
struct s { int a : 5, b : 6; }; int main(void) { struct s w; int x = -1; memcpy(&w, &x, 4); int a = w.a; w.b = 0; memcpy(&x, &w, 4); finally(a == -1 && x == ~0x7e0); }
//== copy-padding-to-members: both
#include <string.h>
struct s { int a; char b; }; struct t { int a; char b, c; };
int main(void) { struct s s; struct t t = { 1, 2, 3 }, u = { 4, 5, 6 }; memcpy(&s, &t, sizeof s); memcpy(&u, &s, sizeof u); finally(u.a == 1 && u.c == 3); }
//== a-number-as-a-structure: both
struct s { short a, b; }; int main(void) { int x = 0x20001; struct s *p = (struct s *)&x; short b = p->b; p->b = 5; finally(p->a == 1 && b == 2 && x == 0x50001); }
//== a-number-as-bit-fields: both
#include <stdint.h>
struct h { uint8_t low : 4, high : 4, tos; uint16_t length; }; int main(void) { uint32_t w = 0x281045; struct h *h = (struct h *)&w; finally(h->low == 5 && h->high == 4 && h->tos == 0x10 && h->length == 0x28); }
//== a-structure-as-another: both
struct a { int a, p; long b; }; struct b { long b; int a, c; }; int main(void) { struct a x = { 1, 2, 3 }; struct b *y = (struct b *)&x; long b = y->b; y->a = 9; finally(b == 0x200000001L && x.b == 9); }
//== a-block-as-another-structure: both
#include <stdlib.h>
struct a { int a, p; long b; }; struct b { long b; int a, c; };
int main(void) { struct a *x = malloc(sizeof *x); x->a = 1; x->p = 2; x->b = 3; struct b *y = (struct b *)x; long b = y->b; y->a = 9; finally(b == 0x200000001L && x->b == 9); }
//== a-structure-as-numbers: both
struct t { short a, b; int c; }; int main(void) { struct t t = { 1, 2, 3 }; int *p = (int *)&t; int first = p[0]; p[0] = 0x50004; finally(first == 0x20001 && p[1] == 3 && t.b == 5); }
//== a-structure-as-numbers-without-a-cast: both
struct t { short a, b; int c; }; static int get(void *p, int i) { int *q = p; return q[i]; } int main(void) { struct t t = { 1, 2, 3 }; finally(get(&t, 0) == 0x20001 && get(&t, 1) == 3); }
//== a-structure-as-another-without-a-cast: both
struct t { int a; short b, c; }; struct s { short a, b; int c; }; static int get(void *p) { struct s *q = p; return q->b; } int main(void) { struct t t = { 0x30004, 2, 3 }; finally(get(&t) == 3); }
//== assign-a-structure-to-a-number: both
struct s { short a, b; }; int main(void) { int x = 5; struct s s = { 1, 2 }; *(struct s *)&x = s; int y = 0x70006; s = *(struct s *)&y; finally(x == 0x20001 && s.b == 7); }
//== a-global-number-as-a-structure: both
struct s { short a, b; }; int x; int main(void) { x = 0x20001; struct s *p = (struct s *)&x; finally(p->a == 1); }
//== members-by-plain-pointers: both
struct t { short a, b; int c; }; static void add(int *p) { *p += 1; } int main(void) { struct t t = { 1, 2, 3 }; add(&t.c); finally(t.c == 4 && t.a == 1); }
//== structures-that-start-alike: both
struct base { int tag; }; struct i { int tag; int v; }; struct f { int tag; float v; };
static int value(struct base *p) { return p->tag == 0 ? ((struct i *)p)->v : (int)((struct f *)p)->v; }
int main(void) { struct i i = { 0, 5 }; struct f f = { 1, 7.5f }; finally(value((struct base *)&i) == 5 && value((struct base *)&f) == 7); }
//== assign-padding: safe?
#include <string.h>
struct s { int a; char b; long c; }; int main(void) { struct s s, t; memset(&s, 0, sizeof s); memset(&t, 255, sizeof t); s.a = 1; t = s; check(memcmp(&s, &t, sizeof s) == 0); }
//== assigned-padding-is-not-kept: unsafe? reasoned
#include <string.h>
struct s { int a; char b; long c; }; int main(void) { struct s s, t; memset(&s, 0, sizeof s); memset(&t, 255, sizeof t); s.a = 1; t = s; check(((unsigned char *)&t)[5] == 255); }
//== assigned-members: safe
#include <string.h>
struct s { int a; char b; long c; }; int main(void) { struct s s, t; memset(&s, 0, sizeof s); memset(&t, 255, sizeof t); s.a = 1; t = s; check(memcmp(&s, &t, 5) == 0 && t.c == 0); }
//== assign-without-padding: both
#include <string.h>
struct s { int a, b; }; int main(void) { struct s s = { 1, 2 }, t; t = s; finally(memcmp(&s, &t, sizeof s) == 0); }
//== move-from-a-member-to-members-of-another-kind: both
struct s { int x; short a, b; } v = { 1, 2, 3 }; int main(void) { int *p = &v.x; p[1] = 0x50004; finally(v.a == 4 && v.b == 5 && v.x == 1); }
//== move-in-a-block-to-members-of-another-kind: both
#include <stdlib.h>
struct s { int x; short a, b; }; int main(void) { struct s *v = malloc(sizeof *v); v->x = 1; v->a = 2; v->b = 3; int *p = &v->x; p++; finally(*p == 0x30002); }
//== move-backwards-to-a-member-of-another-kind: both
struct s { int x; short a, b; }; int main(void) { struct s v = { 0x70006, 2, 3 }; short *p = &v.a; --p; *p = 1; finally(v.x == 0x10006 && p[-1] == 6); }
//== move-in-a-function-to-a-member-of-another-kind: both
struct s { unsigned n[2]; float f; }; static void fill(unsigned *p, int n) { for (int i = 0; i < n; i++) p[i] = 0x3f800000; }
int main(void) { struct s v = { { 0, 0 }, 5 }; fill(v.n, 3); finally(v.f == 1 && v.n[1] == 0x3f800000); }
//== move-inside-an-array-between-members-of-another-kind: both
struct s { short before; int n[3]; short after; }; int main(void) { struct s v = { 1, { 2, 3, 4 }, 5 }; int sum = 0; for (int *p = v.n; p < v.n + 3; p++) sum += *p; finally(sum == 9 && v.before == 1 && v.after == 5); }
//== move-from-a-member-of-a-member: both
struct t { int x; }; struct s { struct t t; long l; }; int main(void) { struct s v = { { 1 }, 0x500000004 }; int *p = &v.t.x; finally(p[2] == 4 && p[3] == 5); }
//== move-from-structure-to-structure: both
struct s { int x; short a, b; }; int main(void) { struct s v[2] = { { 1, 2, 3 }, { 4, 5, 6 } }; int *p = &v[0].x; finally(p[2] == 4 && p[3] == 0x60005); }
//== move-from-a-pointer-to-a-number: both
struct s { char *p[2]; long n; }; int main(void) { static char c; struct s v = { { 0, &c }, 7 }; char **p = v.p; p[2] = 0; finally(v.n == 0 && v.p[1] == &c); }
//== move-what-a-function-without-a-body-knows: unsafe? reasoned
extern void out(int *); struct s { int x; short a, b; } v; int main(void) { out(&v.x); v.a = 2; int *p = &v.x; p[1] = 0; check(v.a == 2); }
