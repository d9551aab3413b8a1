// Pointers that come from outside, from integers, and from bytes.

//== nondet-pointer-may-be-a-global: unsafe? reasoned
extern int *__VERIFIER_nondet_pointer(void);
int g = 1;
int main(void) { int *p = __VERIFIER_nondet_pointer(); check(p != &g); }
//== nondet-pointer-may-write-what-escaped: unsafe? reasoned
extern void *__VERIFIER_nondet_pointer(void); extern void publish(int *p);
int main(void) { int x = 1; publish(&x); int *p = __VERIFIER_nondet_pointer(); if (p) { *p = 2; check(x == 1); } }
//== result-may-be-what-was-given: unsafe? reasoned
extern int *choose(int *a, int *b);
int main(void) { int x = 1, y = 2; int *p = choose(&x, &y); check(p != &x); }
//== writing-through-a-result: unsafe? reasoned
extern int *choose(int *a, int *b);
int main(void) { int x = 1, y = 2; int *p = choose(&x, &y); *p = 7; check(y == 2 || y == 7); check(y == 2); }
//== result-may-be-null: unsafe? reasoned
extern int *find(int key);
int main(void) { check(find(3) != 0); }
//== result-may-be-not-null: unsafe? reasoned
extern int *find(int key);
int main(void) { check(find(3) == 0); }
//== two-results-may-be-equal: unsafe? reasoned
extern int *find(int key);
int main(void) { int *a = find(1), *b = find(2); if (a && b) { *a = 1; *b = 2; check(*a == 1); } }
//== two-results-may-differ: unsafe? reasoned
extern int *find(int key);
int main(void) { int *a = find(1), *b = find(2); check(a == b); }
//== result-cannot-be-a-local-that-did-not-escape: safe? reasoned
extern int *find(int key);
int main(void) { int x = 1; int *p = find(3); if (p) *p = 2; check(x == 1); }
//== result-may-be-a-member: unsafe? reasoned
struct s { int a, b; }; extern int *part(struct s *s);
int main(void) { struct s v = { 1, 2 }; int *p = part(&v); *p = 9; check(v.b == 2); }
//== extern-pointer-variable-may-alias: unsafe? reasoned
extern int *shared; int g = 1;
int main(void) { if (shared) { *shared = 2; check(g == 1); } }
//== same-extern-pointer-reads-back: safe? reasoned
extern int *shared;
int main(void) { if (shared) { *shared = 2; check(*shared == 2); } }
//== list-from-outside-may-be-cyclic: unsafe? reasoned
struct n { struct n *next; int v; }; extern struct n *list(void);
int main(void) { struct n *a = list(); if (a && a->next) { a->v = 1; a->next->v = 2; check(a->v == 1); } }
//== integer-round-trip: safe?
int main(void) { int x = 5; unsigned long n = (unsigned long)&x; int *p = (int *)n; *p = 6; check(x == 6); }
//== integer-round-trip-writes: unsafe?
int main(void) { int x = 5; unsigned long n = (unsigned long)&x; int *p = (int *)n; *p = 6; check(x == 5); }
//== integer-arithmetic-round-trip: unsafe?
int main(void) { int a[2] = { 1, 2 }; unsigned long n = (unsigned long)a; n += sizeof(int); *(int *)n = 7; check(a[1] == 2); }
//== tagged-pointer: safe?
int main(void) { int x = 5; unsigned long n = (unsigned long)&x | 1; int *p = (int *)(n & ~1ul); check(*p == 5 && (n & 1) == 1); }
//== tagged-pointer-writes: unsafe?
int main(void) { int x = 5; unsigned long n = (unsigned long)&x | 1; int *p = (int *)(n & ~1ul); *p = 9; check(x == 5); }
//== xor-linked: unsafe?
int main(void) { int x = 1, y = 2; unsigned long n = (unsigned long)&x ^ (unsigned long)&y; int *p = (int *)(n ^ (unsigned long)&x); *p = 8; check(y == 2); }
//== unknown-address-may-be-an-object: unsafe? reasoned
extern unsigned long address(void);
int g = 1;
int main(void) { int *p = (int *)address(); if (p == &g) reach_error(); }
//== unknown-address-may-write-a-global: unsafe? reasoned
extern unsigned long address(void);
int g = 1;
int main(void) { int *p = (int *)address(); *p = 3; check(g == 1); }
//== pointer-copied-by-bytes: unsafe?
int main(void) { int x = 1, *p = &x, *q = 0; for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i]; *q = 2; check(x == 1); }
//== pointer-copied-by-bytes-is-equal: safe?
int main(void) { int x = 1, *p = &x, *q = 0; for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i]; check(p == q); }
//== pointer-copied-by-memcpy: unsafe?
void *memcpy(void *, const void *, unsigned long);
int main(void) { int x = 1, *p = &x, *q = 0; memcpy(&q, &p, sizeof p); *q = 2; check(x == 1); }
//== pointer-through-a-char-buffer: unsafe?
void *memcpy(void *, const void *, unsigned long);
int main(void) { int x = 1, *p = &x, *q = 0; char b[sizeof p]; memcpy(b, &p, sizeof p); memcpy(&q, b, sizeof p); *q = 2; check(x == 1); }
//== pointer-through-a-union: unsafe?
int main(void) { int x = 1; union { int *p; unsigned long n; } u; u.p = &x; int *q = (int *)u.n; *q = 2; check(x == 1); }
//== pointer-through-a-union-of-pointers: unsafe?
int main(void) { int x = 1; union { int *p; void *v; } u; u.p = &x; int *q = u.v; *q = 2; check(x == 1); }
//== pointer-read-as-a-number: safe?
int main(void) { int x; union { int *p; unsigned long n; } u; u.p = &x; check(u.n == (unsigned long)&x); }
//== pointer-bytes-are-not-zero: unsafe?
int main(void) { int x, *p = &x; unsigned char *b = (unsigned char *)&p, all = 0; for (unsigned i = 0; i < sizeof p; i++) all |= b[i]; check(all == 0); }
//== null-bytes-are-zero: safe?
int main(void) { int *p = 0; unsigned char *b = (unsigned char *)&p, all = 0; for (unsigned i = 0; i < sizeof p; i++) all |= b[i]; check(all == 0); }
//== memset-zero-makes-null: safe?
void *memset(void *, int, unsigned long);
int main(void) { int x, *p = &x; memset(&p, 0, sizeof p); check(p == 0); }
//== zeroed-bytes-of-a-pointer: unsafe?
int main(void) { int x, *p = &x; for (unsigned i = 0; i < sizeof p; i++) ((char *)&p)[i] = 0; check(p != 0); }
//== function-pointer-through-an-integer: unsafe?
static int n; static void f(void) { n = 1; }
int main(void) { unsigned long a = (unsigned long)f; ((void (*)(void))a)(); check(n == 0); }
//== function-pointer-through-void: unsafe?
static int n; static void f(void) { n = 1; }
int main(void) { void *v = (void *)f; void (*g)(void) = (void (*)(void))v; g(); check(n == 0); }
//== function-pointer-from-outside: unsafe? reasoned
typedef void (*handler)(void); extern handler lookup(int); int n; void f(void) { n = 1; }
int main(void) { handler h = lookup(1); if (h) h(); check(n == 0); }
//== pointers-in-an-array-sorted-by-address: safe?
int main(void) { int a[3]; int *p = a + 2, *q = a; check(q < p && p - q == 2); }
//== difference-of-char-pointers: safe
int main(void) { struct { int a; long b; } s; check((char *)&s.b - (char *)&s == 8); }
//== container-of: unsafe?
struct inner { int v; }; struct outer { long tag; struct inner in; };
int main(void) { struct outer o = { 1, { 2 } }; struct inner *i = &o.in; struct outer *p = (struct outer *)((char *)i - __builtin_offsetof(struct outer, in)); p->tag = 9; check(o.tag == 1); }
//== container-of-reads: safe?
struct inner { int v; }; struct outer { long tag; struct inner in; };
int main(void) { struct outer o = { 7, { 2 } }; struct inner *i = &o.in; struct outer *p = (struct outer *)((char *)i - __builtin_offsetof(struct outer, in)); check(p->tag == 7); }
//== fixed-address-is-not-a-variable: unsafe? reasoned
int main(void) { volatile unsigned *reg = (volatile unsigned *)0x40021000; check(*reg == 0); }
//== environ-style-extern: unsafe? reasoned
extern char **environ;
int main(void) { check(environ == 0 || environ[0] == 0); }
//== pointer-compared-with-a-small-integer: safe?
int main(void) { int x; check(&x != (int *)-1 && &x != (int *)1); }
//== intptr-difference: safe?
int main(void) { int a[4]; check((long)&a[3] - (long)&a[0] == 12); }
//== pointer-in-a-long-array: unsafe?
int main(void) { int x = 1; long store[2] = { 0, (long)&x }; *(int *)store[1] = 5; check(x == 1); }
//== a-result-is-no-variable-that-is-handed-out-later: safe? reasoned
extern int *find(int key); extern void publish(int *p);
int main(void) { int *p = find(3); if (!p) return 0; int x; publish(&x); x = 1; *p = 2; check(x == 1 && p != &x); }
//== a-result-may-be-a-variable-that-was-handed-out: unsafe reasoned
extern int *find(int key); extern void publish(int *p);
int main(void) { int x; publish(&x); int *p = find(3); if (!p) return 0; x = 1; *p = 2; check(x == 1); }
//== a-result-may-be-a-variable-of-a-caller: unsafe reasoned
extern int *find(int key); extern void publish(int *p);
static int *look(void) { return find(3); }
int main(void) { int x; publish(&x); int *p = look(); if (!p) return 0; x = 1; *p = 2; check(x == 1); }
//== a-result-is-no-variable-of-a-function-that-is-called-later: safe? reasoned
extern int *find(int key); extern void publish(int *p);
static int *p;
static void use(void) { int x; publish(&x); x = 1; *p = 2; check(x == 1); }
int main(void) { p = find(3); if (p) use(); }
//== a-result-is-no-block-that-is-allocated-later: safe? reasoned
void *malloc(unsigned long); extern int *find(int key); extern void publish(int *p);
int main(void) { int *p = find(3), *q = malloc(sizeof *q); if (!q) return 0; publish(q); check(p != q); }
//== a-result-may-be-a-block-that-was-handed-out: unsafe reasoned
void *malloc(unsigned long); extern int *find(int key); extern void publish(int *p);
int main(void) { int *q = malloc(sizeof *q); if (!q) return 0; publish(q); check(find(3) != q); }
//== a-result-is-no-variable-that-is-only-compared: safe? reasoned
extern char *line(void);
int main(void) { static char none[4]; char own[4], *p = line(); check(p != own && p != none); }
