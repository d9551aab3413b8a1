// Functions without a body may write what their arguments point to, and what they were given before.

//== own-extern-writes-its-argument: unsafe? reasoned
extern void fill(int *p);
int main(void) { int x = 0; fill(&x); check(x == 0); }
//== own-extern-may-leave-its-argument: unsafe? reasoned
extern void fill(int *p);
int main(void) { int x = 0; fill(&x); check(x != 0); }
//== own-extern-does-not-write-what-it-never-saw: safe? reasoned
extern void fill(int *p);
int main(void) { int x = 0, y = 7; fill(&x); check(y == 7); }
//== own-extern-cannot-write-through-a-value: safe reasoned
extern void use(int v);
int main(void) { int x = 3; use(x); check(x == 3); }
//== own-extern-writes-later-what-escaped: unsafe? reasoned
extern void keep(int *p); extern void later(void);
int main(void) { int x = 0; keep(&x); x = 5; later(); check(x == 5); }
//== own-extern-writes-a-member: unsafe? reasoned
struct s { int a, b; }; extern void fill(struct s *p);
int main(void) { struct s v = { 1, 2 }; fill(&v); check(v.b == 2); }
//== own-extern-writes-an-array: unsafe? reasoned
extern void fill(int *p, int n);
int main(void) { int a[4] = { 0 }; fill(a, 4); check(a[3] == 0); }
//== own-extern-follows-pointers: unsafe? reasoned
struct node { struct node *next; int v; }; extern void visit(struct node *n);
int main(void) { struct node b = { 0, 1 }, a = { &b, 0 }; visit(&a); check(b.v == 1); }
//== own-extern-writes-the-whole-object: unsafe? reasoned
struct s { int a, b; }; extern void fill(int *p);
int main(void) { struct s v = { 1, 2 }; fill(&v.a); check(v.a == 1); }
//== own-extern-through-pointer-to-pointer: unsafe? reasoned
extern void alloc_it(int **out);
int main(void) { int x = 1, *p = &x; alloc_it(&p); check(p == &x); }
//== own-extern-writes-a-global-by-name: unsafe? reasoned
// Another translation unit sees a global that is not static.
int state = 0; extern void step(void);
int main(void) { step(); check(state == 0); }
//== own-extern-cannot-write-a-static-that-did-not-escape: safe? reasoned
static int state = 4; extern void step(void);
int main(void) { step(); check(state == 4); }
//== own-extern-with-a-pointer-in-a-struct-value: unsafe? reasoned
struct box { int *p; }; extern void take(struct box b);
int main(void) { int x = 0; struct box b = { &x }; take(b); check(x == 0); }
//== own-extern-through-a-void-pointer: unsafe? reasoned
extern void fill(void *p);
int main(void) { long x = 1; fill(&x); check(x == 1); }
//== const-argument-of-a-non-const-object: unsafe? reasoned
// Casting const away is legal, as the object itself is not const.
extern void look(const int *p);
int main(void) { int x = 0; look(&x); check(x == 0); }
//== extern-variable-is-anything: unsafe reasoned
extern int setting;
int main(void) { check(setting == 0); }
//== extern-variable-keeps-its-value-without-calls: safe reasoned
extern int setting;
int main(void) { int a = setting; int b = setting; check(a == b); }
//== extern-variable-changes-in-a-call: unsafe? reasoned
extern int setting; extern void step(void);
int main(void) { int a = setting; step(); check(a == setting); }
//== extern-array-of-anything: unsafe? reasoned
extern int table[10];
int main(void) { check(table[3] < 100); }
//== fgets-writes: unsafe? reasoned
#include <stdio.h>
int main(void) { char b[8] = "abc"; if (fgets(b, 8, stdin)) check(b[0] == 'a'); }
//== fgets-writes-at-most-n: safe? reasoned
#include <stdio.h>
int main(void) { char b[8] = "abcdefg"; fgets(b, 4, stdin); check(b[5] == 'f'); }
//== fgets-terminates: safe? reasoned
#include <stdio.h>
int main(void) { char b[8] = "abcdefg"; if (fgets(b, 8, stdin)) check(b[7] == 0); }
//== fgets-returns-its-buffer-or-null: safe? reasoned
#include <stdio.h>
int main(void) { char b[8]; char *r = fgets(b, 8, stdin); check(r == b || r == 0); }
//== fread-writes: unsafe? reasoned
#include <stdio.h>
int main(void) { int x = 1; fread(&x, sizeof x, 1, stdin); check(x == 1); }
//== fread-returns-at-most-n: safe? reasoned
#include <stdio.h>
int main(void) { int x[3]; size_t n = fread(x, sizeof *x, 3, stdin); check(n <= 3); }
//== read-writes: unsafe? reasoned
#include <unistd.h>
int main(void) { char c = 'x'; read(0, &c, 1); check(c == 'x'); }
//== read-returns-at-most-n: safe? reasoned
#include <unistd.h>
int main(void) { char c[4]; ssize_t n = read(0, c, 4); check(n >= -1 && n <= 4); }
//== getline-writes-both: unsafe? reasoned
#include <stdio.h>
int main(void) { char *line = 0; size_t n = 0; getline(&line, &n, stdin); check(line == 0); }
//== sprintf-writes: unsafe?
#include <stdio.h>
int main(void) { char b[16] = "x"; sprintf(b, "%d", 42); check(b[0] == 'x'); }
//== sprintf-number: safe?
#include <stdio.h>
int main(void) { char b[16] = "x"; sprintf(b, "%d", 42); check(b[0] == '4' && b[1] == '2' && b[2] == 0); }
//== sprintf-returns-the-length: safe?
#include <stdio.h>
int main(void) { char b[16]; check(sprintf(b, "%s!", "abc") == 4); }
//== snprintf-cuts: safe?
#include <stdio.h>
int main(void) { char b[8] = "-------"; snprintf(b, 4, "%s", "abcdef"); check(b[2] == 'c' && b[3] == 0 && b[4] == '-'); }
//== snprintf-writes: unsafe?
#include <stdio.h>
int main(void) { char b[8] = "-------"; snprintf(b, 4, "%s", "abcdef"); check(b[0] == '-'); }
//== scanf-writes: unsafe? reasoned
#include <stdio.h>
int main(void) { int n = 0; scanf("%d", &n); check(n == 0); }
//== scanf-may-leave: unsafe? reasoned
#include <stdio.h>
int main(void) { int n = 0; scanf("%d", &n); check(n != 0); }
//== scanf-returns-its-count: safe? reasoned
#include <stdio.h>
int main(void) { int a, b; int n = scanf("%d %d", &a, &b); check(n <= 2 && n >= -1); }
//== sscanf-writes: unsafe?
#include <stdio.h>
int main(void) { int n = 0; sscanf("17", "%d", &n); check(n == 0); }
//== sscanf-reads-the-number: safe?
#include <stdio.h>
int main(void) { int n = 0; sscanf("17", "%d", &n); check(n == 17); }
//== strtok-cuts-its-argument: unsafe?
#include <string.h>
int main(void) { char b[8] = "a,b"; strtok(b, ","); check(b[1] == ','); }
//== strtok-returns-the-first-part: safe?
#include <string.h>
int main(void) { char b[8] = "a,b"; char *t = strtok(b, ","); check(t == b && b[1] == 0); }
//== time-writes: unsafe? reasoned
#include <time.h>
int main(void) { time_t t = 0; time(&t); check(t == 0); }
//== time-returns-what-it-writes: safe? reasoned
#include <time.h>
int main(void) { time_t t = 0; time_t u = time(&t); check(t == u); }
//== frexp-writes-the-exponent: unsafe?
double frexp(double, int *);
int main(void) { int e = 0; frexp(8.0, &e); check(e == 0); }
//== frexp-is-exact: safe?
double frexp(double, int *);
int main(void) { int e = 0; double m = frexp(8.0, &e); check(e == 4 && m == 0.5); }
//== modf-writes: unsafe?
double modf(double, double *);
int main(void) { double i = 0; modf(3.5, &i); check(i == 0); }
//== swab-swaps: unsafe?
#include <unistd.h>
int main(void) { char a[2] = "xy", b[2] = "--"; swab(a, b, 2); check(b[0] == '-'); }
//== swab-is-exact: safe?
#include <unistd.h>
int main(void) { char a[2] = "xy", b[2] = "--"; swab(a, b, 2); check(b[0] == 'y' && b[1] == 'x'); }
//== mempcpy-copies: unsafe?
void *mempcpy(void *, const void *, unsigned long);
int main(void) { int a = 1, b = 2; mempcpy(&a, &b, sizeof a); check(a == 1); }
//== mempcpy-returns-the-end: safe?
void *mempcpy(void *, const void *, unsigned long);
int main(void) { char a[4], b[4] = "abc"; char *e = mempcpy(a, b, 4); check(e == a + 4 && a[2] == 'c'); }
//== stpcpy-returns-the-end: safe?
char *stpcpy(char *, const char *);
int main(void) { char a[8]; char *e = stpcpy(a, "abc"); check(e == a + 3 && *e == 0 && a[0] == 'a'); }
//== memccpy-stops: safe?
void *memccpy(void *, const void *, int, unsigned long);
int main(void) { char a[8] = "-------"; memccpy(a, "ab.cd", '.', 5); check(a[2] == '.' && a[3] == '-'); }
//== printf-n-writes: unsafe?
#include <stdio.h>
int main(void) { int n = 0; printf("abc%n", &n); check(n == 0); }
//== printf-n-is-the-length: safe?
#include <stdio.h>
int main(void) { int n = 0; printf("abc%n", &n); check(n == 3); }
//== strtol-writes-the-end: unsafe?
#include <stdlib.h>
int main(void) { char *e = 0; strtol("12x", &e, 10); check(e == 0); }
//== strtol-number-and-end: safe?
#include <stdlib.h>
int main(void) { char *e = 0, *s = "12x"; long n = strtol(s, &e, 10); check(n == 12 && e == s + 2); }
//== gettimeofday-writes: unsafe? reasoned
#include <sys/time.h>
int main(void) { struct timeval t = { 0, 0 }; gettimeofday(&t, 0); check(t.tv_sec == 0); }
//== stat-writes: unsafe? reasoned
#include <sys/stat.h>
int main(void) { struct stat s; s.st_size = 0; if (!stat("/", &s)) check(s.st_size == 0); }
//== pipe-writes: unsafe? reasoned
#include <unistd.h>
int main(void) { int fds[2] = { -1, -1 }; pipe(fds); check(fds[0] == -1); }
//== getcwd-writes: unsafe? reasoned
#include <unistd.h>
int main(void) { char b[64] = "-"; if (getcwd(b, 64)) check(b[0] == '-'); }
//== strncat-appends: safe?
#include <string.h>
int main(void) { char b[8] = "ab"; strncat(b, "cdef", 2); check(strcmp(b, "abcd") == 0); }
//== memset-explicit-writes: unsafe?
#include <strings.h>
int main(void) { int a[2] = { 1, 2 }; bzero(a, sizeof a); check(a[1] == 2); }
//== wait-writes-the-status: unsafe? reasoned
#include <sys/wait.h>
int main(void) { int s = 0; wait(&s); check(s == 0); }
//== localtime-r-writes: unsafe? reasoned
#include <time.h>
int main(void) { struct tm t = { 0 }; time_t n = 0; time(&n); localtime_r(&n, &t); check(t.tm_year == 0); }
//== strftime-writes: unsafe? reasoned
#include <time.h>
int main(void) { char b[32] = "-"; struct tm t = { 0 }; strftime(b, 32, "%Y", &t); check(b[0] == '-'); }
//== own-send-writes-what-it-gets: unsafe reasoned
void send(int *value);
int main(void) { int x = 0; send(&x); check(x == 0); }
//== own-send-is-not-that-of-sockets: safe? valid-deref reasoned
void send(int *value);
int main(void) { int x = 0; send(&x); return x; }
//== own-free-with-two-arguments: unsafe reasoned
extern void free(int *p, int k);
int main(void) { int x = 1; free(&x, 2); check(x == 1); }
//== own-memset-of-one-argument: unsafe reasoned
extern void memset(int *p);
int main(void) { int x = 1; memset(&x); check(x == 1); }
//== own-assume-of-a-pointer: unsafe reasoned
extern int assume(int *p);
int main(void) { int x = 0; assume(&x); check(x == 0); }
//== own-floor-of-a-pointer: unsafe reasoned
extern int floor(int *x);
int main(void) { int k = 3; floor(&k); check(k == 3); }
//== own-kfree-of-two-pointers: unsafe reasoned
extern void kfree(int *p, int *q);
int main(void) { int x = 1; kfree(0, &x); check(x == 1); }
//== own-realloc-with-swapped-arguments: unsafe reasoned
extern void *realloc(unsigned long n, int *p);
int main(void) { int x = 1; realloc(4, &x); check(x == 1); }
//== own-scanf-without-a-format: unsafe? reasoned
extern void scanf(int *p);
int main(void) { int x = 1; scanf(&x); check(x == 1); }
//== own-unknown-of-a-pointer: unsafe reasoned
int unknown(int *value);
int main(void) { int x = 0; unknown(&x); check(x == 0); }
//== own-unknown-without-parameters: unsafe reasoned
int unknown();
int main(void) { int x = 0; unknown(&x); check(x == 0); }
//== own-puts-of-numbers: unsafe reasoned
void puts(int *values, int count);
int main(void) { int x = 0; puts(&x, 1); check(x == 0); }
//== kernel-allocation-keeps-its-content: safe reasoned
extern void *kmalloc(unsigned long size, unsigned flags);
int main(void) { int *p = kmalloc(4, 0); if (p) { *p = 3; check(*p == 3); } return 0; }
//== variable-behind-a-pointer-that-is-not-used: unsafe reasoned
extern void f(void); static int n; int *p = &n; int main(void) { f(); check(n == 0); }
//== variable-behind-a-constant: unsafe reasoned
extern void f(void); static int n; struct s { int *p; }; const struct s k = { &n }; int main(void) { f(); check(n == 0); }
//== variable-behind-two-pointers-that-are-not-used: unsafe reasoned
extern void f(void); static int n; static int *q = &n; int **p = &q; int main(void) { f(); check(n == 0); }
//== variable-behind-a-static-pointer: safe reasoned
extern void f(void); static int n; static int *p = &n; int main(void) { f(); check(*p == 0); }
//== variable-behind-a-pointer-in-a-program-without-outside: safe reasoned
static void f(void) {} static int n; int *p = &n; int main(void) { f(); check(n == 0); }
//== constant-pointer-stays: safe reasoned
extern void f(void); int n; int *const p = &n; int main(void) { f(); check(p == &n); }
//== pointer-to-constant-changes: unsafe reasoned
extern void f(void); int n; const int *p = &n; int main(void) { f(); check(p == &n); }
//== constant-elsewhere-stays: safe reasoned
extern const int v; extern void f(void); int main(void) { int a = v; f(); check(a == v); }
//== constant-elsewhere-is-anything: unsafe reasoned
extern const int v; int main(void) { check(v == 3); }
//== constant-elsewhere-stays-though-its-address-is-known: safe reasoned
struct s { int a, b; }; extern const struct s v; extern void f(const void *); int main(void) { int a = v.b; f(&v); check(a == v.b); }
//== errno-may-change: unsafe reasoned
#include <errno.h>
extern void f(void); int main(void) { errno = 0; f(); check(errno == 0); }
//== errno-stays: safe reasoned
#include <errno.h>
static void f(void) {} int main(void) { errno = 0; f(); check(errno == 0); }
//== stream-into-memory-allocates: both?
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) { char *b = 0; size_t n = 0; FILE *f = open_memstream(&b, &n); if (!f) return 0; fprintf(f, "hello"); fclose(f); int r = n == 5 && b[0] == 'h'; free(b); finally(r); }
//== stream-into-memory-writes-later: both?
#define _GNU_SOURCE
#include <stdio.h>
int main(void) { char b[8]; FILE *f = fmemopen(b, 8, "w"); if (!f) return 0; b[0] = 'q'; fputs("hi", f); fclose(f); finally(b[0] == 'h'); }
//== list-of-arguments-is-handed-out: unsafe? reasoned
#include <stdarg.h>
extern void mine(va_list ap); static void f(int n, ...) { va_list ap; va_start(ap, n); mine(ap); va_end(ap); }
int main(void) { int x = 1; f(0, &x); check(x == 1); }
//== list-of-arguments-in-a-structure: unsafe? reasoned
#include <stdarg.h>
struct c { int k; va_list ap; }; extern void mine(struct c *c); static void f(int n, ...) { struct c c; va_start(c.ap, n); mine(&c); va_end(c.ap); }
int main(void) { int x = 1; f(0, &x); check(x == 1); }
//== list-of-arguments-from-a-caller: unsafe? reasoned
#include <stdarg.h>
extern void mine(va_list ap); static void g(va_list ap) { mine(ap); } static void f(int n, ...) { va_list ap; va_start(ap, n); g(ap); va_end(ap); }
int main(void) { int x = 1; f(0, &x); check(x == 1); }
//== list-of-numbers-is-handed-out: safe reasoned
#include <stdarg.h>
extern void mine(va_list ap); static void f(int n, ...) { va_list ap; va_start(ap, n); mine(ap); va_end(ap); }
int main(void) { int x = 1; f(0, x); check(x == 1); }
//== sscanf-with-a-list: both?
#include <stdio.h>
#include <stdarg.h>
static int sc(const char *s, const char *f, ...) { va_list ap; va_start(ap, f); int r = vsscanf(s, f, ap); va_end(ap); return r; }
int main(void) { int n = 5, k = sc("42", "%d", &n); finally(n == 42 && k == 1); }
//== printf-with-a-list-writes-a-count: both?
#include <stdio.h>
#include <stdarg.h>
static int lg(const char *f, ...) { va_list ap; va_start(ap, f); int r = vfprintf(stderr, f, ap); va_end(ap); return r; }
int main(void) { int n = 5; lg("ab%n", &n); finally(n == 2); }
//== sscanf-numbers-and-characters: both
#include <stdio.h>
int main(void) { int a = 0, b = 0; char c = 0; int n = sscanf("12,-7x", "%d,%d%c", &a, &b, &c); finally(n == 3 && a == 12 && b == -7 && c == 'x'); }
//== sscanf-bases: both
#include <stdio.h>
int main(void) { unsigned a, b; int c, d; int n = sscanf("ff 17 0x1A 010", "%x %o %i %i", &a, &b, &c, &d); finally(n == 4 && a == 255 && b == 15 && c == 26 && d == 8); }
//== sscanf-widths: both
#include <stdio.h>
#include <string.h>
int main(void) { int a; char s[8]; int n = sscanf("123456abc", "%3d%2s", &a, s); finally(n == 2 && a == 123 && !strcmp(s, "45")); }
//== sscanf-fails: both
#include <stdio.h>
int main(void) { int a = 5, b = 6; int n = sscanf("x", "%d", &a), m = sscanf("", "%d", &b), k = sscanf("7 y", "%d %d", &a, &b), l = sscanf("-", "%d", &b); finally(n == 0 && m == -1 && k == 1 && l == 0 && a == 7 && b == 6); }
//== sscanf-skips: both
#include <stdio.h>
int main(void) { int b, k; int n = sscanf("1 2x", "%*d %d%n", &b, &k); finally(n == 1 && b == 2 && k == 3); }
//== sscanf-sets: both
#include <stdio.h>
#include <string.h>
int main(void) { char s[8], t[8]; int n = sscanf("abc=12;", "%7[a-z]=%7[^;]", s, t), m = sscanf("-x]", "%[]x-]", s); finally(n == 2 && m == 1 && !strcmp(s, "-x]") && !strcmp(t, "12")); }
//== sscanf-narrow-numbers: both
#include <stdio.h>
int main(void) { unsigned char c[2] = { 9, 9 }; short s = 5; sscanf("44 -3", "%hhu %hd", c, &s); finally(c[0] == 44 && c[1] == 9 && s == -3); }
//== sscanf-percent-and-literals: both
#include <stdio.h>
int main(void) { int a = 0, b = 0; int n = sscanf("50 %", "%d%%%n", &a, &b), m = sscanf("10:20", "%d-%d", &a, &b); finally(n == 1 && m == 1 && a == 10 && b == 4); }
//== the-system-keeps-variables: safe
#include <unistd.h>
#include <stdio.h>
#include <sys/resource.h>
int g = 4;
int main(void) { sync(); getpriority(0, 0); ttyname(0); setuid(getuid()); fprintf(stderr, "x"); check(g == 4); }
//== getopt-keeps-variables: safe
#include <unistd.h>
int g = 4;
int main(void) { char *v[] = { "p", 0 }; getopt(1, v, "x"); check(g == 4); }
//== getopt-uses-a-variable-of-the-program: unsafe?
#include <unistd.h>
int optind = 1;
int main(void) { char *v[] = { "p", "-x", 0 }; getopt(2, v, "x"); check(optind == 1); }
//== folders-keep-variables: safe
#include <dirent.h>
int g = 4;
int main(void) { DIR *d = opendir("/"); if (d) { readdir(d); closedir(d); } check(g == 4); }
//== what-is-sent-is-kept: safe
#include <sys/socket.h>
#include <netinet/in.h>
int main(void) { char b[3] = "ab"; sendto(5, b, 2, 0, 0, 0); struct sockaddr_in a = { .sin_family = AF_INET }; bind(5, (struct sockaddr *)&a, sizeof a); check(b[0] == 'a' && a.sin_family == AF_INET); }
//== what-is-written-from-parts-is-kept: safe?
#include <sys/uio.h>
int main(void) { char b[2] = "a"; struct iovec v = { b, 1 }; writev(1, &v, 1); check(b[0] == 'a'); }
//== log-keeps-variables: safe
#include <syslog.h>
int g = 4;
int main(void) { openlog("x", 0, 0); syslog(LOG_DEBUG, "%d", g); closelog(); check(g == 4); }
//== own-function-beside-the-system: unsafe reasoned
#include <stdio.h>
#include <unistd.h>
extern void tick(void);
int g;
int main(void) { tick(); sync(); fprintf(stderr, "x"); check(g == 0); }
//== own-sync-writes-by-name: unsafe reasoned
extern void sync(void);
int g;
int main(void) { sync(); check(g == 0); }
//== own-alarm-writes-by-name: unsafe reasoned
extern void alarm(unsigned);
int g;
int main(void) { alarm(1); check(g == 0); }
//== own-sleep-writes-by-name: unsafe reasoned
extern void sleep(unsigned);
int g;
int main(void) { sleep(1); check(g == 0); }
//== own-bind-writes-by-name: unsafe reasoned
struct a;
extern int bind(int, const struct a *, unsigned);
int g;
int main(void) { bind(1, 0, 0); check(g == 0); }
