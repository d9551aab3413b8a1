// Functions without a body may call what they are given, and start what no sequential program does.

//== qsort-calls-the-comparison: unsafe?
#include <stdlib.h>
static int calls; static int compare(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
int main(void) { int a[3] = { 3, 1, 2 }; qsort(a, 3, sizeof *a, compare); check(calls == 0); }
//== qsort-sorts: safe?
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int a[3] = { 3, 1, 2 }; qsort(a, 3, sizeof *a, compare); check(a[0] == 1 && a[1] == 2 && a[2] == 3); }
//== qsort-changes-the-array: unsafe?
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int a[2] = { 3, 1 }; qsort(a, 2, sizeof *a, compare); check(a[0] == 3); }
//== qsort-of-structs: safe?
#include <stdlib.h>
struct p { int key; char tag; }; static int compare(const void *a, const void *b) { return ((struct p *)a)->key - ((struct p *)b)->key; }
int main(void) { struct p a[2] = { { 9, 'x' }, { 4, 'y' } }; qsort(a, 2, sizeof *a, compare); check(a[0].tag == 'y' && a[1].key == 9); }
//== bsearch-calls-the-comparison: unsafe?
#include <stdlib.h>
static int calls; static int compare(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
int main(void) { int a[3] = { 1, 2, 3 }, k = 2; bsearch(&k, a, 3, sizeof *a, compare); check(calls == 0); }
//== bsearch-finds: safe?
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int a[3] = { 1, 2, 3 }, k = 2; int *r = bsearch(&k, a, 3, sizeof *a, compare); check(r == a + 1); }
//== bsearch-does-not-find: safe?
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int a[3] = { 1, 2, 3 }, k = 5; int *r = bsearch(&k, a, 3, sizeof *a, compare); check(r == 0); }
//== atexit-runs-at-the-end: unsafe?
#include <stdlib.h>
static void last(void) { reach_error(); }
int main(void) { atexit(last); return 0; }
//== atexit-runs-at-exit: unsafe?
#include <stdlib.h>
static int n; static void last(void) { check(n == 0); }
int main(void) { atexit(last); n = 1; exit(0); }
//== atexit-runs-in-reverse: safe?
#include <stdlib.h>
static int n; static void one(void) { check(n == 1); } static void two(void) { check(n == 0); n = 1; }
int main(void) { atexit(one); atexit(two); return 0; }
//== atexit-does-not-run-at-underscore-exit: safe?
#include <stdlib.h>
static void last(void) { reach_error(); }
int main(void) { atexit(last); _Exit(0); }
//== atexit-does-not-run-before: safe?
#include <stdlib.h>
static int n; static void last(void) { n = 1; }
int main(void) { atexit(last); check(n == 0); return 0; }
//== signal-handler-may-run: unsafe? reasoned
#include <signal.h>
static volatile sig_atomic_t seen; static void handler(int s) { seen = 1; }
int main(void) { signal(SIGINT, handler); check(!seen); }
//== signal-handler-runs-at-raise: unsafe?
#include <signal.h>
static volatile sig_atomic_t seen; static void handler(int s) { seen = s; }
int main(void) { signal(SIGUSR1, handler); raise(SIGUSR1); check(!seen); }
//== sigaction-handler-may-run: unsafe? reasoned
#include <signal.h>
static void handler(int s) { reach_error(); }
int main(void) { struct sigaction a = { 0 }; a.sa_handler = handler; sigaction(SIGTERM, &a, 0); for (int i = 0; i < 3; i++) ; return 0; }
//== own-extern-calls-its-argument: unsafe? reasoned
extern void each(void (*f)(int));
static int n; static void add(int v) { n += v; }
int main(void) { each(add); check(n == 0); }
//== own-extern-calls-with-any-argument: unsafe? reasoned
extern void each(void (*f)(int));
static void look(int v) { check(v != 12345); }
int main(void) { each(look); }
//== own-extern-may-not-call: unsafe? reasoned
extern void each(void (*f)(int));
static int n; static void add(int v) { n = 1; }
int main(void) { each(add); check(n == 1); }
//== own-extern-calls-what-is-in-a-struct: unsafe? reasoned
struct ops { void (*go)(void); }; extern void run(struct ops *o);
static void go(void) { reach_error(); }
int main(void) { struct ops o = { go }; run(&o); }
//== own-extern-calls-what-was-registered: unsafe? reasoned
extern void subscribe(void (*f)(void)); extern void loop(void);
static int open; static void f(void) { check(!open); }
int main(void) { subscribe(f); open = 1; loop(); }
//== own-extern-calls-a-non-static-function: unsafe? reasoned
// Another translation unit may call any function with external linkage.
extern void step(void);
int n; void bump(void) { n++; }
int main(void) { step(); check(n == 0); }
//== static-function-that-does-not-escape-is-not-called: safe? reasoned
extern void step(void);
static int n; static void bump(void) { n++; }
int main(void) { step(); check(n == 0); if (n) bump(); }
//== callback-with-its-pointer: unsafe? reasoned
extern void each(void (*f)(void *), void *data);
static void zero(void *p) { *(int *)p = 0; }
int main(void) { int x = 1; each(zero, &x); check(x == 1); }
//== lfind-calls: unsafe?
#include <search.h>
static int calls; static int same(const void *a, const void *b) { calls++; return *(int *)a != *(int *)b; }
int main(void) { int a[2] = { 1, 2 }, k = 2; size_t n = 2; lfind(&k, a, &n, sizeof *a, same); check(calls == 0); }
//== thread-of-c11: unsafe? reasoned
#include <threads.h>
static int n; static int body(void *p) { n = 1; return 0; }
int main(void) { thrd_t t; thrd_create(&t, body, 0); thrd_join(t, 0); check(n == 0); }
//== thread-of-posix: unsafe? reasoned
#include <pthread.h>
static int n; static void *body(void *p) { n = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); check(n == 0); }
//== clone-starts-a-thread: unsafe? reasoned
extern int clone(int (*f)(void *), void *stack, int flags, void *arg, ...);
static int n; static int body(void *p) { n = 1; return 0; } static char stack[4096];
int main(void) { clone(body, stack + 4096, 0x100, 0); check(n == 0); }
//== fork-returns-twice: unsafe? reasoned
#include <unistd.h>
int main(void) { int p = fork(); check(p != 0); }
//== setjmp-returns-again: unsafe?
#include <setjmp.h>
static jmp_buf b;
int main(void) { volatile int n = 0; if (setjmp(b) == 0) { n = 1; longjmp(b, 1); } check(n == 0); }
//== setjmp-value: safe?
#include <setjmp.h>
static jmp_buf b;
int main(void) { int v = setjmp(b); if (v == 0) longjmp(b, 7); check(v == 7); }
//== longjmp-zero-becomes-one: safe?
#include <setjmp.h>
static jmp_buf b;
int main(void) { int v = setjmp(b); if (v == 0) longjmp(b, 0); check(v == 1); }
//== longjmp-out-of-a-call: unsafe?
#include <setjmp.h>
static jmp_buf b; static void deep(int n) { if (n == 0) longjmp(b, 3); deep(n - 1); }
int main(void) { switch (setjmp(b)) { case 0: deep(2); return 0; case 3: reach_error(); } return 0; }
//== tsearch-calls: unsafe?
#include <search.h>
static int calls; static int order(const void *a, const void *b) { calls++; return *(int *)a - *(int *)b; }
int main(void) { int a = 1, b = 2; void *root = 0; tsearch(&a, &root, order); tsearch(&b, &root, order); check(calls == 0); }
//== destructor-below-the-call-of-exit: both
#include <stdlib.h>
static int done;
int main(void) { done = 1; exit(0); }
__attribute__((destructor)) static void last(void) { finally(done == 1); }
//== exit-through-a-pointer-runs-destructors: both?
#include <stdlib.h>
static int done;
__attribute__((destructor)) static void last(void) { finally(done == 1); }
int main(int argc, char **argv) { void (*f)(int) = exit; done = 1; f(0); done = 2; }
//== exit-of-the-program-with-destructors: both reasoned
static int done;
__attribute__((destructor)) static void last(void) { finally(done == 3); }
int exit(int, int);
int main(void) { done = 1; done += exit(2, 3); }
int exit(int a, int b) { return a; }
//== underscore-exit-runs-no-destructors: safe
#include <unistd.h>
__attribute__((destructor)) static void last(void) { check(0); }
int main(void) { _exit(0); }
//== quick-exit-runs-no-destructors: safe
#include <stdlib.h>
__attribute__((destructor)) static void last(void) { check(0); }
int main(void) { quick_exit(0); }
//== abort-runs-no-destructors: safe reasoned
#include <stdlib.h>
__attribute__((destructor)) static void last(void) { check(0); }
int main(void) { abort(); }
//== exit-in-a-constructor: both
#include <stdlib.h>
static int done;
__attribute__((constructor)) static void first(void) { done = 1; exit(0); }
__attribute__((destructor)) static void last(void) { finally(done == 1); }
int main(void) { done = 2; }
//== own-free-with-a-result: unsafe reasoned
int free(int *p);
int main(void) { int x = 0; free(&x); check(x == 0); }
//== own-free-with-a-result-keeps-memory: safe? valid-memsafety reasoned
int free(int *p);
int main(void) { int x = 0; return free(&x) * 0 + x * 0; }
//== own-exit-with-a-result: unsafe reasoned
int exit(int);
int main(void) { if (exit(3) == 7) check(0); }
//== own-assume-with-a-result: unsafe reasoned
int assume(int c);
int main(void) { int x = 0; int ok = assume(x > 0); check(0); }
//== own-malloc-from-elsewhere: unsafe reasoned
extern char *malloc(char *, int);
int main(void) { char c = 1; malloc(&c, 3); check(c == 1); }
//== own-memcpy-with-void-result: safe?
void memcpy(void *, const void *, unsigned long);
int main(void) { int a = 1, b = 2; memcpy(&a, &b, 4); check(a == 2); }
//== own-memset-int-result: unsafe reasoned
int memset(void *, int, unsigned long);
int main(void) { int a = 1; memset(&a, 0, 4); check(a == 0); }
//== own-calloc-one-argument: unsafe reasoned
int *calloc(int);
int main(void) { int *p = calloc(3); if (p) check(p[0] == 0); }
//== own-void-puts: unsafe? reasoned
void puts(int *);
int main(void) { int x = 1; puts(&x); check(x == 1); }
//== own-printf-nonvariadic: unsafe reasoned
void printf(int *x);
int main(void) { int x = 1; printf(&x); check(x == 1); }
//== own-rand-pointer-argument: unsafe reasoned
int rand(int *x);
int main(void) { int x = 1; rand(&x); check(x == 1); }
//== own-round-of-ints: unsafe reasoned
int round(int x);
int main(void) { check(round(3) == 3); }
//== own-getchar-result-range: unsafe reasoned
long getchar(int);
int main(void) { check(getchar(1) < 1000); }
//== function-in-a-table-that-is-not-used: unsafe reasoned
extern void f(void); static int n; static void set(void) { n = 1; } void (*hook)(void) = set; int main(void) { f(); check(n == 0); }
//== function-in-a-constant-table: unsafe reasoned
extern void f(void); static int n; static void set(void) { n = 1; } struct ops { void (*set)(void); }; const struct ops ops = { set }; int main(void) { f(); check(n == 0); }
//== function-in-a-static-table: safe reasoned
extern void f(void); static int n; static void set(void) { n = 1; } struct ops { void (*set)(void); }; static const struct ops ops = { set };
int main(void) { f(); check(n == 0); if (n) ops.set(); }
//== context-returns-twice: unsafe?
#include <ucontext.h>
int main(void) { ucontext_t c; volatile int n = 0; getcontext(&c); n++; if (n == 2) reach_error(); setcontext(&c); return 0; }
//== context-calls-its-function: unsafe?
#include <ucontext.h>
static void f(void) { reach_error(); } static char st[65536];
int main(void) { ucontext_t c, m; getcontext(&c); c.uc_stack.ss_sp = st; c.uc_stack.ss_size = sizeof st; c.uc_link = &m; makecontext(&c, f, 0); swapcontext(&m, &c); return 0; }
//== raise-of-a-signal-that-ends: safe reasoned
#include <signal.h>
int main(void) { int x = 1; if (x) raise(SIGKILL); reach_error(); }
//== raise-of-nothing: both
#include <signal.h>
int main(void) { finally(raise(0) == 0); }
//== atexit-by-its-other-name: unsafe? reasoned
int __cxa_atexit(void (*)(void *), void *, void *); static void f(void *p) { reach_error(); }
int main(void) { return __cxa_atexit(f, 0, 0); }
//== ftw-calls: unsafe?
#include <ftw.h>
static int n;
static int f(const char *path, const struct stat *s, int type) { n++; return 1; }
int main(void) { ftw("/", f, 4); check(n == 0); }
//== dl-iterate-phdr-calls: unsafe?
#define _GNU_SOURCE
#include <link.h>
static int n;
static int f(struct dl_phdr_info *info, size_t size, void *data) { n++; return 0; }
int main(void) { dl_iterate_phdr(f, 0); check(n == 0); }
//== stream-for-a-function-without-a-body: unsafe? reasoned
#include <stdio.h>
extern void skip(FILE *); int main(void) { FILE *f = fopen("/etc/passwd", "r"); if (!f) return 0; skip(f); check(!feof(f)); }
//== stream-for-a-library-function-without-a-model: unsafe?
#include <pwd.h>
#include <stdio.h>
int main(void) { FILE *f = fopen("/etc/passwd", "r"); if (!f) return 0; while (fgetpwent(f)) { } check(!feof(f)); }
//== violation-after-a-stream-was-handed-out: unsafe reasoned
#include <stdio.h>
extern int report(FILE *); int main(void) { check(report(stderr) != 7); }
