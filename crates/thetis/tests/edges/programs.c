// Programs as students and people at microcontrollers write them, without inputs. Where the recursion is deeper than it is followed, or the
// order of equal elements is open, `unknown` is an answer.

//== uart-fsm: both
#include <stdint.h>
typedef enum { IDLE, LEN, DATA, CRC } st; typedef struct { st s; uint8_t len, i, buf[16], sum; int frames, errors; } parser;
static void feed(parser *p, uint8_t b) { switch (p->s) { case IDLE: if (b == 0x7e) { p->s = LEN; p->sum = 0; } break; case LEN: if (b == 0 || b > 16) { p->errors++; p->s = IDLE; } else { p->len = b; p->i = 0; p->s = DATA; } break; case DATA: p->buf[p->i++] = b; p->sum += b; if (p->i == p->len) p->s = CRC; break; case CRC: if (b == (uint8_t)~p->sum) p->frames++; else p->errors++; p->s = IDLE; } }
int main(void) { parser p = {0}; const uint8_t in[] = {0,0x7e,3,1,2,3,(uint8_t)~6,0x7e,17,0x7e,2,250,10,(uint8_t)~4,0x7e,1,1,0}; for (unsigned i = 0; i < sizeof in; i++) feed(&p, in[i]); finally(p.frames == 2 && p.errors == 2); }
//== fixed-point: both
#include <stdint.h>
typedef int32_t q16; static q16 mul(q16 a, q16 b) { return (q16)(((int64_t)a * b) >> 16); } static q16 dv(q16 a, q16 b) { return (q16)(((int64_t)a << 16) / b); }
int main(void) { q16 x = mul(3 << 16, -(5 << 15)); finally(x == -(15 << 15) && dv(1 << 16, 3 << 16) == 21845 && mul(-1, 1) == -1); }
//== signed-shift-and-mod: both
int main(void) { int a = -7; finally(a / 2 == -3 && a % 2 == -1 && a >> 1 == -4 && (unsigned)a >> 28 == 15 && (a & 3) == 1); }
//== char-sign: both
int main(void) { char c = (char)200; unsigned char u = 200; signed char s = (signed char)200; finally(c == s && c < 0 && u == 200 && (c & 0xff) == u && c != u); }
//== integer-promotions: both
int main(void) { unsigned char a = 255, b = 1; unsigned short s = 65535; finally(a + b == 256 && (unsigned char)(a + b) == 0 && ~a == -256 && s * 1 == 65535 && -1 < (int)sizeof(int) && !(-1 < sizeof(int))); }
//== switch-fallthrough-duff: both
static int copy(char *to, const char *from, int count) { int n = (count + 3) / 4, k = 0; switch (count % 4) { case 0: do { *to++ = *from++; k++; case 3: *to++ = *from++; k++; case 2: *to++ = *from++; k++; case 1: *to++ = *from++; k++; } while (--n > 0); } return k; }
int main(void) { char b[8] = {0}; int k = copy(b, "abcdefg", 7); finally(k == 7 && b[6] == 'g' && b[7] == 0); }
//== pointer-to-pointer: both
static void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
int main(void) { int x = 1, y = 2, *p = &x, *q = &y; swap(&p, &q); *p = 10; finally(x == 1 && y == 10 && *q == 1 && p - &y == 0); }
//== two-dimensional-pointer: both
static int trace(int n, int (*m)[4]) { int t = 0; for (int i = 0; i < n; i++) t += m[i][i]; return t; }
int main(void) { int m[4][4]; for (int i = 0; i < 16; i++) ((int *)m)[i] = i; int *row = m[2]; finally(trace(4, m) == 30 && row[3] == 11 && *(*(m + 1) + 2) == 6 && &m[3][3] - &m[0][0] == 15); }
//== struct-copy-and-return: both
struct v { double x; int n; char s[5]; }; static struct v make(int n) { struct v v = { n * 0.5, n, "abc" }; v.s[1] += n; return v; } static struct v change(struct v v) { v.n++; v.s[0] = 'z'; return v; }
int main(void) { struct v a = make(2), b = change(a), c; c = b; b.n = 100; finally(a.n == 2 && c.n == 3 && a.s[0] == 'a' && c.s[0] == 'z' && c.s[1] == 'd' && c.x == 1.0 && make(4).s[1] == 'f'); }
//== linked-queue-in-pool: both
#define N 5
struct node { int v; short next; }; static struct node pool[N]; static short head = -1, tail = -1, fre;
static void init(void) { for (int i = 0; i < N; i++) pool[i].next = i + 1 < N ? i + 1 : -1; fre = 0; }
static int put(int v) { short n = fre; if (n < 0) return 0; fre = pool[n].next; pool[n].v = v; pool[n].next = -1; if (tail >= 0) pool[tail].next = n; else head = n; tail = n; return 1; }
static int get(int *v) { short n = head; if (n < 0) return 0; *v = pool[n].v; head = pool[n].next; if (head < 0) tail = -1; pool[n].next = fre; fre = n; return 1; }
int main(void) { int v, s = 0; init(); for (int i = 0; i < 7; i++) s += put(i); check(s == 5); for (int i = 0; i < 3; i++) { check(get(&v)); check(v == i); } check(put(9)); s = 0; while (get(&v)) s = s * 10 + v; finally(s == 349); }
//== bit-set-macros: both
#include <stdint.h>
#define BIT(n) (1u << (n))
#define SET(r, n) ((r) |= BIT(n))
#define CLR(r, n) ((r) &= ~BIT(n))
#define MASK(hi, lo) (((~0u) >> (31 - (hi))) & ~((1u << (lo)) - 1))
int main(void) { uint32_t r = 0; SET(r, 31); SET(r, 4); CLR(r, 31); r |= MASK(11, 8); uint8_t p = 0x80; p <<= 1; finally(r == 0xf10 && p == 0 && MASK(31, 0) == 0xffffffffu); }
//== string-library: both
#include <string.h>
int main(void) { char b[24] = "foo"; strncat(b, "barbaz", 3); const char *p = strchr(b, 'b'), *q = strrchr(b, 'o'), *r = strstr(b, "oba"); finally(strlen(b) == 6 && p - b == 3 && q - b == 2 && r && r - b == 2 && !strcmp(b, "foobar") && strncmp(b, "fooX", 3) == 0 && strcspn(b, "b") == 3 && strspn(b, "of") == 3 && memcmp(b, "foobas", 6) < 0); }
//== strncpy-pads: both
#include <string.h>
int main(void) { char b[8]; memset(b, 'x', 8); strncpy(b, "ab", 5); finally(b[1] == 'b' && b[2] == 0 && b[4] == 0 && b[5] == 'x'); }
//== unsigned-wrap-time: both
#include <stdint.h>
static int elapsed(uint32_t now, uint32_t then, uint32_t limit) { return (uint32_t)(now - then) >= limit; }
int main(void) { uint8_t a = 5, b = 250; finally(elapsed(10, 0xfffffff0u, 26) && !elapsed(9, 0xfffffff0u, 26) && (uint8_t)(a - b) == 11 && a - b == -245); }
//== comma-and-ternary: both
int main(void) { int i = 0, j = (i++, i++, i + 10); int k = i == 2 ? j == 12 ? 5 : 6 : 7; for (int a = 0, b = 10; a < b; a++, b--) i += a * b; finally(j == 12 && k == 5 && i == 2 + 0 + 9 + 16 + 21 + 24); }
//== short-circuit: both
static int n; static int f(int v) { n++; return v; }
int main(void) { int a = f(0) && f(1), b = f(1) || f(0), c = f(0) || f(0) || f(1) && f(1); finally(!a && b && c && n == 6); }
//== static-locals: both
static int next(void) { static int n = 5; return n++; } static int other(void) { static int n; return ++n; }
int main(void) { next(); other(); other(); finally(next() == 6 && other() == 3); }
//== global-initialisers: both
int a[5] = { [3] = 7, 8 }; struct { int x, y[2]; const char *s; } g = { .y = { 1, 2 }, .s = "hi" }; int *p = &a[3]; int (*fp)(int); static int inc(int x) { return x + 1; } int (*const tab[2])(int) = { inc, 0 };
int main(void) { finally(a[2] == 0 && a[4] == 8 && g.x == 0 && g.y[1] == 2 && g.s[1] == 'i' && p[1] == 8 && !fp && tab[0](1) == 2 && !tab[1]); }
//== enum-and-flags: both
enum perm { R = 4, W = 2, X = 1, ALL = R | W | X }; enum { A = -1, B, C = B + 5, D };
int main(void) { enum perm p = R | X; p &= ~X; p ^= W; finally(p == (R | W) && ALL == 7 && B == 0 && D == 6 && sizeof(enum perm) == 4); }
//== union-float-bits: both
#include <stdint.h>
#include <string.h>
int main(void) { union { float f; uint32_t u; } x; x.f = -1.5f; uint32_t v; float g = 0.15625f; memcpy(&v, &g, 4); finally(x.u == 0xbfc00000u && v == 0x3e200000u); }
//== endian-serialise: both
#include <stdint.h>
static void put32(uint8_t *p, uint32_t v) { p[0] = v >> 24; p[1] = v >> 16; p[2] = v >> 8; p[3] = v; } static uint32_t get32(const uint8_t *p) { return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; }
int main(void) { uint8_t b[6] = {0}; put32(b + 1, 0xdeadbeefu); uint16_t h; __builtin_memcpy(&h, b + 1, 2); finally(get32(b + 1) == 0xdeadbeefu && b[1] == 0xde && h == 0xadde); }
//== packed-header: both
#include <stdint.h>
#include <string.h>
struct __attribute__((packed)) hdr { uint8_t type; uint32_t len; uint16_t id; };
int main(void) { uint8_t raw[7] = { 1, 0x10, 0, 0, 0, 0x34, 0x12 }; struct hdr h; memcpy(&h, raw, sizeof h); finally(sizeof h == 7 && h.type == 1 && h.len == 16 && h.id == 0x1234); }
//== bitfield-layout: both
struct s { unsigned a : 3; int b : 5; unsigned : 0; unsigned c : 9; };
int main(void) { struct s s = { 9, 17, 600 }; s.b -= 2; finally(s.a == 1 && s.b == 15 && s.c == 88 && sizeof s == 8); }
//== bitfield-signed: both
struct s { int b : 5; signed c : 1; };
int main(void) { struct s s; s.b = 16; s.c = 1; int t = s.b++; finally(t == -16 && s.b == -15 && s.c == -1); }
//== vla-sum: both
static int f(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i; int s = 0; for (unsigned i = 0; i < sizeof a / sizeof a[0]; i++) s += a[i]; return s; }
int main(void) { finally(f(10) == 45 && f(1) == 0); }
//== realloc-grows: both
#include <stdlib.h>
int main(void) { int cap = 2, n = 0, *a = malloc(cap * sizeof *a); if (!a) return 0; for (int i = 0; i < 10; i++) { if (n == cap) { int *b = realloc(a, (cap *= 2) * sizeof *a); if (!b) return 0; a = b; } a[n++] = i * i; } finally(a[9] == 81 && a[0] == 0 && a[3] == 9 && cap == 16); }
//== calloc-zero: both
#include <stdlib.h>
int main(void) { struct p { int a; char *b; } *p = calloc(3, sizeof *p); if (!p) return 0; p[1].a = 3; finally(p[0].a == 0 && p[2].b == 0 && p[1].a == 3); }
//== doubly-linked: both
#include <stdlib.h>
struct d { int v; struct d *p, *n; };
static void ins(struct d *h, int v) { struct d *x = malloc(sizeof *x); if (!x) exit(0); x->v = v; x->n = h; x->p = h->p; h->p->n = x; h->p = x; }
static void del(struct d *x) { x->p->n = x->n; x->n->p = x->p; free(x); }
int main(void) { struct d h = { 0, &h, &h }; for (int i = 1; i <= 5; i++) ins(&h, i); del(h.n->n); int s = 0; for (struct d *x = h.p; x != &h; x = x->p) s = s * 10 + x->v; finally(s == 5431); }
//== callbacks-with-context: both
typedef int (*visit)(void *ctx, int v); static int each(const int *a, int n, visit f, void *ctx) { for (int i = 0; i < n; i++) if (f(ctx, a[i])) return i; return -1; }
struct acc { int sum, limit; }; static int add(void *c, int v) { struct acc *a = c; a->sum += v; return a->sum > a->limit; }
int main(void) { int a[] = { 5, 6, 7, 8 }; struct acc x = { 0, 15 }; int i = each(a, 4, add, &x); finally(i == 2 && x.sum == 18); }
//== float-rounding: both
int main(void) { float f = 0.1f; double d = 0.1; int n = (int)(2.5 + 0.5), m = (int)-2.7; float big = 16777216.0f; finally((double)f != d && f + 0.2f == 0.3f + 0.00000003f - 0.00000003f == (f + 0.2f == 0.3f) && n == 3 && m == -2 && big + 1.0f == big); }
//== double-compare: both
int main(void) { double x = 0.0; for (int i = 0; i < 10; i++) x += 0.1; finally(x != 1.0 && x > 0.999999 && x < 1.0); }
//== long-long: both
int main(void) { long long a = 1LL << 40; unsigned long long b = 0xffffffffffffffffULL; int t = (int)a; finally(a / 3 == 366503875925LL && b + 1 == 0 && t == 0 && (b >> 63) == 1 && (long long)b == -1); }
//== gray-code: both
int main(void) { for (unsigned i = 0; i < 64; i++) { unsigned g = i ^ i >> 1, n = g; for (int k = 1; k < 8; k <<= 1) n ^= n >> k; check(n == i); } unsigned g7 = 7 ^ 7 >> 1; finally(g7 == 4); }
//== hanoi: both
static int moves; static void hanoi(int n, int a, int b, int c) { if (!n) return; hanoi(n - 1, a, c, b); moves++; hanoi(n - 1, c, b, a); }
int main(void) { hanoi(4, 0, 1, 2); finally(moves == 15); }
//== factorial: both
static unsigned long fact(unsigned n) { return n ? n * fact(n - 1) : 1; }
int main(void) { finally(fact(10) == 3628800); }
//== mutual-recursion: both
static int odd(unsigned n); static int even(unsigned n) { return n ? odd(n - 1) : 1; } static int odd(unsigned n) { return n ? even(n - 1) : 0; }
int main(void) { finally(even(10) && !odd(10)); }
//== goto-state: both
int main(void) { const char *s = "ab12c"; int letters = 0, digits = 0; letter: if (*s >= 'a') { letters++; s++; goto letter; } if (!*s) goto done; digit: if (*s && *s < 'a') { digits++; s++; goto digit; } if (*s) goto letter; done: finally(letters == 3 && digits == 2); }
//== matrix-determinant: both
static int det(int n, int m[3][3]) { if (n == 1) return m[0][0]; int d = 0; for (int c = 0; c < n; c++) { int k[3][3]; for (int i = 1; i < n; i++) for (int j = 0, x = 0; j < n; j++) if (j != c) k[i - 1][x++] = m[i][j]; d += (c % 2 ? -1 : 1) * m[0][c] * det(n - 1, k); } return d; }
int main(void) { int m[3][3] = { { 2, 0, 1 }, { 1, 3, 2 }, { 1, 1, 4 } }; finally(det(3, m) == 18); }
//== caesar: both
#include <ctype.h>
#include <string.h>
int main(void) { char s[] = "Hello, Zed!"; for (char *p = s; *p; p++) if (isalpha((unsigned char)*p)) { char b = isupper((unsigned char)*p) ? 'A' : 'a'; *p = (*p - b + 13) % 26 + b; } finally(!strcmp(s, "Uryyb, Mrq!") && toupper('q') == 'Q'); }
//== strtol: both
#include <stdlib.h>
int main(void) { char *e; long v = strtol("  -42abc", &e, 10), h = strtol("0x1F", 0, 0); finally(v == -42 && *e == 'a' && h == 31 && atoi("77") == 77); }
//== sprintf-hex: both
#include <stdio.h>
#include <string.h>
int main(void) { char b[40]; int n = sprintf(b, "%04x|%5d|%-4s|%c|%u", 0xbe, -42, "ab", 'z', 7u); finally(n == 19 && !strcmp(b, "00be|  -42|ab  |z|7")) ; }
//== sizeof-things: both
struct s { char c; int i; short h; }; int main(void) { char a[10]; char *p = a; int x = 1; int s = sizeof(x++); finally(sizeof a == 10 && sizeof p == 8 && sizeof(struct s) == 12 && x == 1 && s == 4 && sizeof "abc" == 4 && sizeof(a + 0) == 8 && sizeof 'a' == 4); }
//== volatile-flag: both
static volatile int flag; static int count; static void isr(void) { flag = 1; count++; }
int main(void) { for (int i = 0; i < 3; i++) { isr(); while (!flag) ; flag = 0; } finally(count == 3 && !flag); }
//== compound-literals: both
struct p { int x, y; }; static int dot(struct p a, const struct p *b) { return a.x * b->x + a.y * b->y; }
int main(void) { int *a = (int[]){ 1, 2, 3 }; a[1] = 7; finally(dot((struct p){ 1, 2 }, &(struct p){ .y = 3, .x = 4 }) == 10 && a[1] + a[2] == 10); }
//== offsetof-container: both
#include <stddef.h>
struct link { struct link *next; }; struct item { int v; struct link l; }; 
#define container(p) ((struct item *)((char *)(p) - offsetof(struct item, l)))
int main(void) { struct item a = { 1, { 0 } }, b = { 2, { &a.l } }; int s = 0; for (struct link *l = &b.l; l; l = l->next) s = s * 10 + container(l)->v; finally(s == 21 && offsetof(struct item, l) == 8); }
//== flexible-array: both
#include <stdlib.h>
struct msg { int n; short d[]; };
int main(void) { struct msg *m = malloc(sizeof *m + 4 * sizeof m->d[0]); if (!m) return 0; m->n = 4; for (int i = 0; i < m->n; i++) m->d[i] = i * 1000; finally(sizeof *m == 4 && m->d[3] == 3000 && m->d[0] == 0); }
//== anonymous-members: both
struct t { int kind; union { int i; double d; struct { short lo, hi; }; }; };
int main(void) { struct t t = { .kind = 1, .i = 0x00020001 }; finally(t.lo == 1 && t.hi == 2 && sizeof t == 16); }
//== statement-expression: both
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
int main(void) { int i = 1, m = MAX(i++, 0); finally(m == 1 && i == 2 && MAX(3, 4.5) == 4.5); }
//== generic-and-static-assert: both
#define NAME(x) _Generic((x), int: 1, double: 2, char *: 3, default: 4)
_Static_assert(sizeof(int) == 4, "int"); int main(void) { char s[2]; finally(NAME(1) == 1 && NAME(1.0) == 2 && NAME(s) == 3 && NAME(1L) == 4); }
//== pid-controller: both
typedef struct { int kp, ki, kd, sum, last; } pid; static int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
static int step(pid *c, int e) { c->sum = clamp(c->sum + e, -1000, 1000); int u = (c->kp * e + c->ki * c->sum + c->kd * (e - c->last)) / 16; c->last = e; return clamp(u, -255, 255); }
int main(void) { pid c = { 40, 3, 10, 0, 0 }; int x = 0, u = 0; for (int i = 0; i < 200; i++) { u = step(&c, 100 - x); check(u >= -255 && u <= 255); x += u / 8; } finally(x > 90 && x < 110); }
//== scheduler: both
#include <stdint.h>
typedef void (*task)(void); static int a, b; static void ta(void) { a++; } static void tb(void) { b += 2; }
static struct { task f; uint16_t period, left; } tab[] = { { ta, 3, 3 }, { tb, 5, 5 } };
int main(void) { for (int t = 0; t < 30; t++) for (unsigned i = 0; i < sizeof tab / sizeof *tab; i++) if (--tab[i].left == 0) { tab[i].left = tab[i].period; tab[i].f(); } finally(a == 10 && b == 12); }
//== utf8-decode: both
static int decode(const unsigned char *s, unsigned *cp) { if (s[0] < 0x80) { *cp = s[0]; return 1; } if ((s[0] & 0xe0) == 0xc0) { *cp = (s[0] & 0x1f) << 6 | (s[1] & 0x3f); return 2; } if ((s[0] & 0xf0) == 0xe0) { *cp = (s[0] & 15) << 12 | (s[1] & 63) << 6 | (s[2] & 63); return 3; } return 0; }
int main(void) { const unsigned char *s = (const unsigned char *)"a\xc3\xa9\xe2\x82\xac"; unsigned c, last = 0; int n = 0, k; while (*s && (k = decode(s, &c))) { s += k; n++; last = c; } finally(n == 3 && last == 0x20ac); }
//== setjmp-like-errors: both
static const char *err; static int need(int ok, const char *m) { if (!ok && !err) err = m; return ok; }
static int run(int a, int b) { if (!need(b != 0, "zero") || !need(a >= 0, "negative")) return -1; return a / b; }
int main(void) { int r = run(7, 2); check(!err); run(1, 0); run(-1, 1); finally(r == 3 && err[0] == 'z'); }
//== multi-dim-string-table: both
#include <string.h>
static const char *const days[] = { "mon", "tue", "wed" }; static char names[2][4] = { "ab", "cde" };
int main(void) { int k = -1; for (int i = 0; i < 3; i++) if (!strcmp(days[i], "wed")) k = i; finally(k == 2 && names[0][2] == 0 && names[1][2] == 'e' && strlen(names[1]) == 3); }
//== histogram-and-sort-structs: both?
#include <stdlib.h>
struct w { char c; int n; }; static int cmp(const void *a, const void *b) { const struct w *x = a, *y = b; return y->n - x->n; }
int main(void) { struct w h[26]; for (int i = 0; i < 26; i++) { h[i].c = 'a' + i; h[i].n = 0; } for (const char *s = "mississippi"; *s; s++) h[*s - 'a'].n += *s == 's' ? 2 : 1; qsort(h, 26, sizeof *h, cmp); finally(h[0].c == 's' && h[0].n == 8 && h[1].c == 'i'); }
//== abs-and-div: both
#include <stdlib.h>
int main(void) { div_t d = div(-17, 5); finally(abs(-5) == 5 && d.quot == -3 && d.rem == -2 && labs(-7L) == 7); }
//== int-min-wrap: both
#include <limits.h>
int main(void) { int x = INT_MAX; unsigned u = UINT_MAX; long l = INT_MIN; finally((int)(x + 1u) == INT_MIN && u + 1 == 0 && -l == 2147483648L && CHAR_BIT == 8 && (unsigned)INT_MIN == 0x80000000u); }
//== factorial-of-twenty: both
static unsigned long fact(unsigned n) { return n ? n * fact(n - 1) : 1; }
int main(void) { finally(fact(20) == 2432902008176640000ul); }
//== fibonacci-of-twelve: both
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { finally(fib(12) == 144); }
//== list-of-fifty: both?
#include <stdlib.h>
struct l { int v; struct l *n; }; static int sum(struct l *l) { return l ? l->v + sum(l->n) : 0; }
int main(void) { struct l *h = 0; for (int i = 0; i < 50; i++) { struct l *x = malloc(sizeof *x); if (!x) return 0; x->v = i; x->n = h; h = x; } finally(sum(h) == 1225); }
//== ackermann: both?
static int ack(int m, int n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
int main(void) { finally(ack(2, 3) == 9); }
//== merge-sort: both?
static void sort(int *a, int *t, int n) { if (n < 2) return; int m = n / 2; sort(a, t, m); sort(a + m, t, n - m); int i = 0, j = m, k = 0; while (i < m || j < n) t[k++] = j >= n || (i < m && a[i] <= a[j]) ? a[i++] : a[j++]; for (i = 0; i < n; i++) a[i] = t[i]; }
int main(void) { int a[16], t[16]; for (int i = 0; i < 16; i++) a[i] = (i * 7) % 16; sort(a, t, 16); for (int i = 0; i < 16; i++) check(a[i] == i); finally(a[3] == 3); }
//== six-queens: both?
static int col[6]; static int place(int r) { if (r == 6) return 1; int n = 0; for (int c = 0; c < 6; c++) { int ok = 1; for (int i = 0; i < r; i++) if (col[i] == c || col[i] - c == i - r || col[i] - c == r - i) ok = 0; if (ok) { col[r] = c; n += place(r + 1); } } return n; }
int main(void) { finally(place(0) == 4); }
//== flood-fill: both?
static char g[5][6] = { "..#..", ".##..", "..#.#", "#.#..", "....." }; static int fill(int y, int x) { if (y < 0 || x < 0 || y > 4 || x > 4 || g[y][x] != '.') return 0; g[y][x] = '+'; return 1 + fill(y - 1, x) + fill(y + 1, x) + fill(y, x - 1) + fill(y, x + 1); }
int main(void) { finally(fill(0, 0) == 18); }
//== permutations: both?
static int n; static void perm(int *a, int k) { if (k == 4) { n++; return; } for (int i = k; i < 4; i++) { int t = a[k]; a[k] = a[i]; a[i] = t; perm(a, k + 1); t = a[k]; a[k] = a[i]; a[i] = t; } }
int main(void) { int a[] = { 1, 2, 3, 4 }; perm(a, 0); finally(n == 24 && a[0] == 1); }
