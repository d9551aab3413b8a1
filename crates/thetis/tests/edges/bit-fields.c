// Bit-fields: layout, promotion, conversion.

//== packed-across-bytes: safe?
struct __attribute__((packed)) s { unsigned a : 5, b : 31; };
int main(void) { struct s v = { 17, 0x7fffffff }; v.b = 0x12345678; check(v.a == 17 && v.b == 0x12345678 && sizeof v == 5); }
//== packed-across-bytes-keeps-the-neighbour: unsafe?
struct __attribute__((packed)) s { unsigned a : 5, b : 31; };
int main(void) { struct s v = { 17, 0 }; v.b = 0x12345678; check(v.a != 17 || v.b == 0); }
//== packed-bytes: safe?
struct __attribute__((packed)) s { unsigned a : 4, b : 12, c : 8; };
int main(void) { struct s v = { 0xA, 0xBCD, 0xEF }; unsigned char *p = (unsigned char *)&v; check(p[0] == 0xDA && p[1] == 0xBC && p[2] == 0xEF && sizeof v == 3); }
//== promotion-of-a-small-field: safe
struct s { unsigned a : 3; };
int main(void) { struct s v = { 0 }; check(v.a - 5 < 0); }
//== promotion-behind-a-comma: safe
struct s { unsigned a : 3; };
int main(void) { struct s v = { 0 }; check((0, v.a) - 5 < 0); }
//== promotion-behind-a-comma-wrong: unsafe
struct s { unsigned a : 3; };
int main(void) { struct s v = { 0 }; check((0, v.a) - 5 > 0); }
//== promotion-behind-a-conditional: safe
struct s { unsigned a : 3, b : 4; };
int main(void) { struct s v = { 0, 1 }; int c = 1; check((c ? v.a : v.b) - 5 < 0); }
//== promotion-behind-elvis: safe
struct s { unsigned a : 3; };
int main(void) { struct s v = { 2 }; check((v.a ?: v.a) - 5 < 0); }
//== promotion-behind-a-statement-expression: safe
struct s { unsigned a : 3; };
int main(void) { struct s v = { 0 }; check(({ v.a; }) - 5 < 0); }
//== promotion-of-an-assignment: safe
struct s { unsigned a : 3; };
int main(void) { struct s v; check((v.a = 2) - 5 < 0); }
//== promotion-of-an-increment: safe
struct s { unsigned a : 3; };
int main(void) { struct s v = { 1 }; check(v.a++ - 5 < 0 && ++v.a - 5 < 0 && v.a == 3); }
//== full-width-field-stays-unsigned: safe
struct s { unsigned a : 32; };
int main(void) { struct s v = { 0 }; check(v.a - 5 > 0); }
//== negation-of-a-field: safe
struct s { unsigned a : 3; };
int main(void) { struct s v = { 1 }; check(-v.a < 0 && ~v.a < 0); }
//== shift-of-a-field: safe
struct s { unsigned a : 8; };
int main(void) { struct s v = { 255 }; check((v.a << 24) < 0); }
//== sizeof-of-a-promoted-field: safe
struct s { unsigned long a : 40; };
int main(void) { struct s v = { 1 }; check(sizeof(+v.a) == 8 && sizeof(v.a + 0) == 8); }
//== arithmetic-in-forty-bits: safe?
// gcc computes with the declared width of a field that is wider than int.
struct s { unsigned long a : 40; };
int main(void) { struct s v = { (1ul << 40) - 1 }; check(v.a + 1 == 0); }
//== arithmetic-of-a-long-field: safe?
struct s { long a : 33; };
int main(void) { struct s v = { -1 }; check(v.a == -1 && v.a < 0); }
//== signed-field-extends: safe
struct s { int a : 4; };
int main(void) { struct s v; v.a = 9; check(v.a == -7); }
//== assignment-value-is-truncated: safe
struct s { unsigned a : 3; };
int main(void) { struct s v; int r = v.a = 13; check(r == 5); }
//== plain-int-field-is-signed: safe
struct s { int a : 1; };
int main(void) { struct s v = { 1 }; check(v.a == -1); }
//== bool-field: safe
struct s { _Bool a : 1; };
int main(void) { struct s v; v.a = 4; check(v.a == 1); v.a--; check(v.a == 0); }
//== enum-field: safe
enum e { A, B, C }; struct s { enum e v : 2; };
int main(void) { struct s x = { C }; check(x.v == C); }
//== char-fields-share-a-byte: safe
struct s { unsigned char a : 4, b : 4; };
int main(void) { check(sizeof(struct s) == 1); }
//== zero-width-starts-a-new-unit: safe
struct s { unsigned char a : 4; unsigned char : 0; unsigned char b : 4; };
int main(void) { check(sizeof(struct s) == 2); }
//== unnamed-field-takes-room: safe?
struct s { unsigned a : 4, : 8, b : 4; };
int main(void) { struct s v = { 3, 5 }; unsigned short *p = (unsigned short *)&v; check(v.b == 5 && *p == 0x5003 || (*p & 0xf00f) == 0x5003); }
//== field-does-not-straddle-its-unit: safe
struct s { unsigned char a : 5, b : 5; };
int main(void) { check(sizeof(struct s) == 2); }
//== field-after-a-short: safe
struct s { short a; unsigned b : 16; };
int main(void) { check(sizeof(struct s) == 4); }
//== fields-of-different-types: safe
struct s { unsigned char a : 3; unsigned short b : 9; unsigned c : 20; };
int main(void) { struct s v = { 7, 300, 1000000 }; check(v.a == 7 && v.b == 300 && v.c == 1000000 && sizeof v == 4); }
//== neighbour-is-kept: safe
struct s { unsigned a : 7, b : 9, c : 16; };
int main(void) { struct s v = { 1, 2, 3 }; v.b = 511; check(v.a == 1 && v.c == 3 && v.b == 511); }
//== compound-assignment-of-a-field: safe
struct s { unsigned a : 3; };
int main(void) { struct s v = { 6 }; v.a += 3; check(v.a == 1); v.a <<= 3; check(v.a == 0); }
//== overflow-of-an-increment: safe
struct s { unsigned a : 2; };
int main(void) { struct s v = { 3 }; unsigned r = ++v.a; check(r == 0 && v.a == 0); }
//== postfix-gives-the-old-value: safe
struct s { int a : 3; };
int main(void) { struct s v = { 3 }; int r = v.a++; check(r == 3 && v.a == -4); }
//== field-in-a-nested-struct: safe
struct s { int k; struct { unsigned a : 3, b : 5; } in; };
int main(void) { struct s v = { 1, { 2, 3 } }, w = v; w.in.a = 7; check(v.in.a == 2 && w.in.b == 3); }
//== field-through-a-pointer: safe?
struct s { unsigned a : 3, b : 5; };
int main(void) { struct s v[2] = { { 1, 2 }, { 3, 4 } }; int i = 1; struct s *p = &v[i]; p->a = 0; check(v[1].a == 0 && v[1].b == 4 && v[0].a == 1); }
//== field-as-bytes: safe?
struct s { unsigned a : 3, b : 5; };
int main(void) { struct s v = { 0, 0 }; *(unsigned char *)&v = 0xff; check(v.a == 7 && v.b == 31); }
//== field-as-bytes-wrong: unsafe?
struct s { unsigned a : 3, b : 5; };
int main(void) { struct s v = { 0, 0 }; *(unsigned char *)&v = 0xff; check(v.b == 0); }
//== long-field: safe?
struct s { long a : 40; unsigned long b : 24; };
int main(void) { struct s v = { -5, 0xffffff }; check(v.a == -5 && v.b == 0xffffff && sizeof v == 8); }
//== comparison-of-signed-and-unsigned-fields: safe
struct s { unsigned a : 4; int b : 4; };
int main(void) { struct s v = { 1, -1 }; check(v.b < v.a); }
//== switch-on-a-field: safe
struct s { unsigned a : 2; };
int main(void) { struct s v = { 2 }; switch (v.a) { case 2: break; default: reach_error(); } }
//== field-passed-to-a-variadic-position: safe
struct s { unsigned a : 3; }; static long take(long x) { return x; }
int main(void) { struct s v = { 0 }; check(take(v.a - 1) == -1); }
//== typeof-behind-a-field: safe
struct s { unsigned a : 3; };
int main(void) { struct s v = { 1 }; __typeof__(v.a + 0) x = -1; check(x < 0); }
//== generic-behind-a-comma: safe?
struct s { unsigned a : 3; };
int main(void) { struct s v = { 1 }; check(_Generic(v.a + 0, int: 1, default: 0)); }
//== cast-to-its-own-type: safe
struct s { unsigned u : 7; };
int main(void) { struct s v = { 61 }; int i = -13; check(i % v.u == -13 % 61 && i % (unsigned)v.u == -13U % 61); }
//== value-of-an-assignment-through-a-pointer: both
struct s { unsigned a : 3; int b : 4; } g;
int main(void) { struct s t, *p = &g; int r = (t.a = 9), q = (g.b = 9), w = (p->a = 20), v = (p->b += 0); finally(r == 1 && q == -7 && w == 4 && v == -7); }
//== neighbours-of-different-threads: unsafe? reasoned
#include <pthread.h>
static struct { unsigned a : 4, b : 4; } s; static void *f(void *p) { s.a = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); s.b = 1; pthread_join(t, 0); check(s.a == 1 && s.b == 1); }
//== a-field-of-each-thread: safe reasoned
#include <pthread.h>
static void *f(void *p) { struct { unsigned a : 4, b : 4; } s = { 0 }; s.a = 1; s.b = 2; *(int *)p = s.a + s.b; return 0; }
int main(void) { pthread_t t; int r = 0; pthread_create(&t, 0, f, &r); pthread_join(t, 0); check(r == 3); }
//== printed-octal-with-a-prefix: both
#include <stdio.h>
#include <string.h>
struct s { unsigned a : 4; }; int main(void) { struct s v = { 8 }; char b[16]; sprintf(b, "%#o|%#o|%#.3o", v.a, 0, v.a); finally(!strcmp(b, "010|0|010")); }
