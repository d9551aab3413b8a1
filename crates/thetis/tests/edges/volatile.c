// Volatile objects that others can change read as fresh values; those that nobody else sees are plain variables.

//== extern-volatile-changes-between-reads: unsafe? reasoned
extern volatile int status;
int main(void) { int a = status, b = status; check(a == b); }
//== extern-volatile-may-stay: unsafe? reasoned
extern volatile int status;
int main(void) { int a = status, b = status; check(a != b); }
//== extern-volatile-changes-after-a-write: unsafe? reasoned
extern volatile int status;
int main(void) { status = 1; check(status == 1); }
//== extern-const-volatile: unsafe? reasoned
extern const volatile unsigned clock_ticks;
int main(void) { unsigned a = clock_ticks; check(clock_ticks == a); }
//== device-register-changes: unsafe? reasoned
struct uart { volatile unsigned status, data; };
int main(void) { struct uart *u = (struct uart *)0x4000; unsigned a = u->data, b = u->data; check(a == b); }
//== device-register-does-not-keep-a-write: unsafe? reasoned
int main(void) { volatile unsigned char *r = (volatile unsigned char *)0x3f8; *r = 5; check(*r == 5); }
//== volatile-member-of-an-extern-struct: unsafe? reasoned
struct s { volatile int flag; int plain; }; extern struct s shared;
int main(void) { int a = shared.flag; check(a == shared.flag); }
//== volatile-parameter-target: unsafe? reasoned
extern volatile int *map(void);
int main(void) { volatile int *p = map(); if (p) { int a = *p; check(a == *p); } }
//== volatile-local-is-a-variable: safe?
int main(void) { volatile int x = 3; x++; check(x == 4); }
//== volatile-local-is-not-anything: unsafe?
int main(void) { volatile int x = 3; check(x != 3); }
//== volatile-loop-counter: safe?
int main(void) { volatile int n = 0; for (volatile int i = 0; i < 3; i++) n += 2; check(n == 6); }
//== volatile-static-without-handlers: safe? reasoned
static volatile int flag;
int main(void) { flag = 1; check(flag == 1); }
//== volatile-sig-atomic-with-handler: unsafe? reasoned
#include <signal.h>
static volatile sig_atomic_t flag; static void on(int s) { flag = 1; }
int main(void) { signal(SIGINT, on); if (flag == 0) check(flag == 0); }
//== volatile-local-that-escapes: unsafe? reasoned
extern void share(volatile int *p);
int main(void) { volatile int x = 1; share(&x); check(x == 1); }
//== volatile-array-element: unsafe? reasoned
extern volatile int ring[4];
int main(void) { check(ring[1] == ring[1]); }
//== polling-ends: unsafe? reasoned
extern volatile int ready;
int main(void) { int n = 0; while (!ready && n < 5) n++; if (n == 3) reach_error(); }
//== cast-to-volatile-reads-the-same: safe?
int main(void) { int x = 1; check(*(volatile int *)&x == 1); }
//== volatile-struct-copy: safe?
struct s { int a, b; };
int main(void) { volatile struct s v = { 1, 2 }; struct s w = v; check(w.a == 1 && w.b == 2); }
//== pointer-is-volatile-not-its-target: safe?
int main(void) { int x = 1; int *volatile p = &x; *p = 2; check(x == 2); }
