// What library functions return, and what they never return.

//== rand-is-not-negative: safe? reasoned
#include <stdlib.h>
int main(void) { check(rand() >= 0); }
//== rand-varies: unsafe? reasoned
#include <stdlib.h>
int main(void) { check(rand() == rand()); }
//== rand-is-at-most-rand-max: safe? reasoned
#include <stdlib.h>
int main(void) { int r = rand() % 10; check(r >= 0 && r < 10); }
//== random-is-not-negative: safe? reasoned
#include <stdlib.h>
int main(void) { long r = random(); check(r >= 0 && r <= 2147483647); }
//== getchar-is-a-byte-or-eof: safe? reasoned
#include <stdio.h>
int main(void) { int c = getchar(); check(c >= -1 && c <= 255); }
//== getchar-may-be-eof: unsafe? reasoned
#include <stdio.h>
int main(void) { check(getchar() != EOF); }
//== fgetc-is-a-byte-or-eof: safe? reasoned
#include <stdio.h>
int main(void) { int c = fgetc(stdin); check(c >= -1 && c <= 255); }
//== putchar-returns-its-argument-or-eof: safe? reasoned
#include <stdio.h>
int main(void) { int c = putchar('a'); check(c == 'a' || c == EOF); }
//== isdigit-of-digits: safe?
#include <ctype.h>
int main(void) { check(isdigit('7') && !isdigit('a')); }
//== isdigit-every-character: safe? reasoned
#include <ctype.h>
extern unsigned char input(void);
int main(void) { int c = input(); if (isdigit(c)) check(c >= '0' && c <= '9'); else check(c < '0' || c > '9'); }
//== isalpha-in-the-c-locale: safe?
#include <ctype.h>
int main(void) { check(isalpha('q') && isalpha('Q') && !isalpha('_')); }
//== isspace-of-controls: safe?
#include <ctype.h>
int main(void) { check(isspace(' ') && isspace('\t') && isspace('\v') && !isspace('x')); }
//== toupper-of-letters: safe?
#include <ctype.h>
int main(void) { check(toupper('a') == 'A' && toupper('1') == '1'); }
//== tolower-changes: unsafe?
#include <ctype.h>
int main(void) { check(tolower('A') == 'A'); }
//== isxdigit-and-isupper: safe?
#include <ctype.h>
int main(void) { check(isxdigit('f') && !isxdigit('g') && isupper('Z') && !isupper('z')); }
//== isalnum-ispunct-exclude-each-other: safe? reasoned
#include <ctype.h>
extern unsigned char input(void);
int main(void) { int c = input(); check(!(isalnum(c) && ispunct(c))); }
//== errno-starts-zero: safe?
#include <errno.h>
int main(void) { check(errno == 0); }
//== errno-keeps-its-value: safe?
#include <errno.h>
int main(void) { errno = 5; check(errno == 5); }
//== errno-after-output: safe?
#include <errno.h>
#include <stdio.h>
int main(void) { errno = 0; printf("x"); check(errno == 0); }
//== errno-may-be-set-by-output: unsafe? reasoned
#include <errno.h>
#include <stdio.h>
int main(void) { errno = 0; printf("x"); check(errno == 0); }
//== errno-may-be-set-by-output-of-a-list: unsafe? reasoned
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
static void say(const char *f, ...) { va_list l; va_start(l, f); vprintf(f, l); va_end(l); } int main(void) { errno = 0; say("%d", 1); check(errno == 0); }
//== errno-may-be-set-by-output-of-blocks: unsafe? reasoned
#include <errno.h>
#include <stdio.h>
int main(void) { errno = 0; fwrite("x", 1, 1, stdout); check(errno == 0); }
//== errno-is-what-was-assigned-after-output: both
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) { printf("%d", 1); puts("x"); errno = 0; long n = strtol("12", 0, 10); finally(errno == 0 && n == 12); }
//== errno-is-set-by-strtol: unsafe?
#include <errno.h>
#include <stdlib.h>
int main(void) { errno = 0; strtol("99999999999999999999", 0, 10); check(errno == 0); }
//== errno-is-not-zeroed-by-a-function: safe?
#include <errno.h>
#include <stdlib.h>
int main(void) { errno = 7; int n = abs(-3); check(errno == 7 && n == 3); }
//== strtol-hexadecimal: safe?
#include <stdlib.h>
int main(void) { check(strtol("0x1f", 0, 16) == 31); }
//== strtol-negative-with-spaces: safe?
#include <stdlib.h>
int main(void) { check(strtol("  -42", 0, 10) == -42); }
//== strtoul-octal-by-base-zero: safe?
#include <stdlib.h>
int main(void) { check(strtoul("017", 0, 0) == 15); }
//== atoi-number: safe?
#include <stdlib.h>
int main(void) { check(atoi("123abc") == 123); }
//== atoi-is-not-constant: unsafe?
#include <stdlib.h>
int main(void) { check(atoi("123") != 123); }
//== strdup-copies: safe?
#include <string.h>
int main(void) { char *d = strdup("abc"); if (d) check(d[0] == 'a' && d[2] == 'c' && d[3] == 0); }
//== strdup-is-a-new-block: safe?
#include <string.h>
int main(void) { char a[4] = "abc"; char *d = strdup(a); if (d) { d[0] = 'x'; check(a[0] == 'a' && d != a); } }
//== strndup-cuts: safe?
#include <string.h>
int main(void) { char *d = strndup("abcdef", 2); if (d) check(d[1] == 'b' && d[2] == 0); }
//== div-of-negative: safe?
#include <stdlib.h>
int main(void) { div_t d = div(-7, 2); check(d.quot == -3 && d.rem == -1); }
//== ldiv-is-exact: unsafe?
#include <stdlib.h>
int main(void) { ldiv_t d = ldiv(17, 5); check(d.rem != 2); }
//== pow-of-integers: safe?
double pow(double, double);
int main(void) { check(pow(2.0, 3.0) == 8.0); }
//== fmod-sign: safe?
double fmod(double, double);
int main(void) { check(fmod(5.5, 2.0) == 1.5 && fmod(-5.5, 2.0) == -1.5); }
//== lround-half-away: safe?
long lround(double);
int main(void) { check(lround(2.5) == 3 && lround(-2.5) == -3); }
//== copysign-of-zero: safe?
double copysign(double, double);
int main(void) { check(copysign(3.0, -0.0) == -3.0); }
//== fabs-and-floor: safe?
double fabs(double); double floor(double); double ceil(double); double trunc(double);
int main(void) { check(fabs(-1.5) == 1.5 && floor(-1.5) == -2 && ceil(1.2) == 2 && trunc(-1.7) == -1); }
//== sqrt-is-exact: safe?
double sqrt(double);
int main(void) { check(sqrt(9.0) == 3.0); }
//== rint-half-even: safe?
double rint(double); double round(double);
int main(void) { check(rint(2.5) == 2.0 && round(2.5) == 3.0); }
//== fmin-with-nan: safe?
double fmin(double, double);
int main(void) { check(fmin(__builtin_nan(""), 1.0) == 1.0); }
//== ldexp-scales: safe?
double ldexp(double, int);
int main(void) { check(ldexp(1.5, 3) == 12.0); }
//== sin-is-between-minus-one-and-one: safe? reasoned
double sin(double); extern double input(void);
int main(void) { double x = input(); if (x > -100 && x < 100) { double s = sin(x); check(s >= -1 && s <= 1); } }
//== nan-is-not-equal-to-itself: safe?
int main(void) { double n = __builtin_nan(""); check(n != n && !(n < 1) && !(n >= 1)); }
//== isnan-and-isinf: safe?
#include <math.h>
int main(void) { check(isnan(NAN) && isinf(-INFINITY) && !isfinite(INFINITY) && signbit(-0.0)); }
//== fpclassify-values: safe?
#include <math.h>
int main(void) { check(fpclassify(0.0) == FP_ZERO && fpclassify(1.0) == FP_NORMAL); }
//== argv-ends-with-null: safe? reasoned
int main(int argc, char **argv) { check(argv[argc] == 0); }
//== argc-is-not-negative: safe reasoned
int main(int argc, char **argv) { check(argc >= 0); }
//== argc-may-be-zero: unsafe? reasoned
// C11 5.1.2.2.1 allows it.
int main(int argc, char **argv) { check(argc >= 1); }
//== argv-strings-are-not-null: safe? reasoned
int main(int argc, char **argv) { for (int i = 0; i < argc && i < 3; i++) check(argv[i] != 0); }
//== argv-content-is-anything: unsafe? reasoned
int main(int argc, char **argv) { if (argc > 1) check(argv[1][0] != 'x'); }
//== getenv-may-be-null: unsafe? reasoned
#include <stdlib.h>
int main(void) { check(getenv("HOME") != 0); }
//== getenv-may-be-something: unsafe? reasoned
#include <stdlib.h>
int main(void) { char *h = getenv("HOME"); if (h) check(h[0] != '/'); }
//== fopen-may-fail: unsafe? reasoned
#include <stdio.h>
int main(void) { check(fopen("f", "r") != 0); }
//== fopen-may-succeed: unsafe? reasoned
#include <stdio.h>
int main(void) { check(fopen("f", "r") == 0); }
//== strcmp-sign: safe
#include <string.h>
int main(void) { check(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strcmp("a", "a") == 0); }
//== strncmp-stops: safe
#include <string.h>
int main(void) { check(strncmp("abc", "abd", 2) == 0); }
//== strcmp-compares-unsigned: safe
#include <string.h>
int main(void) { check(strcmp("\xff", "a") > 0); }
//== strchr-finds-the-end: safe
#include <string.h>
int main(void) { char *s = "abc"; check(strchr(s, 0) == s + 3 && strchr(s, 'x') == 0 && strrchr(s, 'c') == s + 2); }
//== strstr-finds: safe?
#include <string.h>
int main(void) { char *s = "hello"; check(strstr(s, "ll") == s + 2 && strstr(s, "lo!") == 0); }
//== strspn-strcspn-strpbrk: safe?
#include <string.h>
int main(void) { char *s = "aab,c"; check(strspn(s, "ab") == 3 && strcspn(s, ",") == 3 && strpbrk(s, ",;") == s + 3); }
//== strcasecmp-ignores-case: safe?
#include <strings.h>
int main(void) { check(strcasecmp("AbC", "aBc") == 0); }
//== memcmp-unsigned-bytes: safe
#include <string.h>
int main(void) { char a[2] = { 1, (char)200 }, b[2] = { 1, 100 }; check(memcmp(a, b, 2) > 0); }
//== memchr-finds: safe
#include <string.h>
int main(void) { char a[4] = "abc"; check(memchr(a, 'c', 3) == a + 2 && memchr(a, 'c', 2) == 0); }
//== strnlen-is-bounded: safe?
#include <string.h>
int main(void) { check(strnlen("abcdef", 3) == 3 && strnlen("ab", 3) == 2); }
//== abs-and-labs: safe?
int abs(int); long labs(long);
int main(void) { check(abs(-5) == 5 && labs(-5L) == 5); }
//== ffs-of-bits: safe?
int ffs(int);
int main(void) { check(ffs(0) == 0 && ffs(8) == 4); }
//== calloc-is-zero: safe?
void *calloc(unsigned long, unsigned long);
int main(void) { int *p = calloc(3, sizeof(int)); if (p) check(p[2] == 0); }
//== malloc-is-not-zero: unsafe? reasoned
void *malloc(unsigned long);
int main(void) { int *p = malloc(sizeof(int)); if (p) check(*p == 0); }
//== realloc-keeps-the-content: safe?
void *malloc(unsigned long); void *realloc(void *, unsigned long);
int main(void) { int *p = malloc(4); if (!p) return 0; *p = 9; p = realloc(p, 8); if (p) check(*p == 9); }
//== aligned-alloc-is-aligned: safe?
void *aligned_alloc(unsigned long, unsigned long);
int main(void) { char *p = aligned_alloc(64, 64); check((unsigned long)p % 64 == 0); }
//== system-returns-anything: unsafe? reasoned
int system(const char *);
int main(void) { check(system("true") == 0); }
//== exit-does-not-return: safe
void exit(int);
int main(void) { exit(0); reach_error(); }
//== isatty-is-zero-or-one: safe? reasoned
#include <unistd.h>
int main(void) { int t = isatty(0); check(t == 0 || t == 1); }
//== strerror-is-not-null: safe? reasoned
#include <string.h>
int main(void) { check(strerror(2) != 0); }
//== clock-varies: unsafe? reasoned
#include <time.h>
int main(void) { clock_t a = clock(), b = clock(); check(a == b); }
//== getpid-is-positive: safe? reasoned
#include <unistd.h>
int main(void) { check(getpid() > 0); }
//== own-function-with-the-name-of-another: unsafe reasoned
int toupper(int first, int second);
int main(void) { check(toupper('a', 1) != 'Z'); }
//== own-function-with-a-pointer-instead: unsafe reasoned
int isdigit(const char *text);
int main(void) { check(isdigit("7") != 5); }
//== own-function-with-another-result: unsafe reasoned
double abs(int number);
int main(void) { check(abs(3) == 3.0); }
//== declared-with-other-integers: safe
int toupper(long letter);
int main(void) { check(toupper('a') == 'A'); }
//== own-exit-returns: unsafe reasoned
extern int exit(char *s, int k);
int main(void) { exit("x", 2); check(0); }
//== own-memcpy-of-numbers: unsafe reasoned
extern int memcpy(int a, int b, int c);
int main(void) { int k = memcpy(1, 2, 3); check(k == 1); }
//== own-calloc-of-one-argument: unsafe reasoned
extern int *calloc(int n);
int main(void) { int *p = calloc(1); if (p) check(*p == 0); }
//== own-sqrt-of-integers: unsafe reasoned
extern int sqrt(int x);
int main(void) { int k = sqrt(16); check(k == 4); }
//== own-trap-returns: unsafe reasoned
void trap(void);
int main(void) { trap(); check(0); }
//== own-unreachable-returns: unsafe reasoned
void unreachable(void);
int main(void) { unreachable(); check(0); }
//== own-expect-returns-anything: unsafe reasoned
long expect(long value, long usual);
int main(void) { check(expect(1, 1) == 1); }
//== own-inf-is-a-number: unsafe reasoned
double inf(void);
int main(void) { check(inf() > 1e308); }
//== old-style-free-is-free: safe reasoned
void *malloc(); void free();
int main(void) { int x = 1, *p = malloc(sizeof *p); if (p) *p = 2; free(p); check(x == 1); }
//== defined-malloc: both
#include <stddef.h>
static char pool[64]; static size_t used; static void *malloc(size_t n) { void *p = pool + used; used += n; return p; }
int main(void) { int *a = malloc(4), *b = malloc(4); *a = 1; *b = 2; finally((char *)b - (char *)a == 4 && used == 8); }
//== defined-memcpy: both
static void memcpy(char *d, const char *s, int n) { for (int i = 0; i < n; i++) d[i] = s[n - 1 - i]; }
int main(void) { char a[3]; memcpy(a, "abc", 3); finally(a[0] == 'c'); }
//== defined-exit: both
static int n; static void exit(int c) { n = c; }
int main(void) { exit(3); finally(n == 3); }
//== defined-free: both
static int n; static void free(void *p) { n++; }
int main(void) { int x; free(&x); free(&x); finally(n == 2); }
//== defined-assume: both
static int n; static void assume(int c) { n += c; }
int main(void) { assume(0); assume(4); finally(n == 4); }
//== defined-round: both
static int round(int x) { return (x + 5) / 10 * 10; }
int main(void) { finally(round(17) == 20); }
//== wide-strings-without-a-model: both?
#include <wchar.h>
int main(void) { wchar_t b[8]; wcscpy(b, L"ab"); finally(wcslen(b) == 2 && wcschr(b, L'b') == b + 1); }
//== division-without-a-model: both?
#include <inttypes.h>
int main(void) { finally(imaxdiv(7, 2).rem == 1); }
//== locale-without-a-model: both?
#include <locale.h>
int main(void) { finally(setlocale(LC_ALL, "C") != 0 && localeconv()->decimal_point[0] == '.'); }
//== options-without-a-model: both?
#include <unistd.h>
int main(void) { char a[] = "p", b[] = "-x", c[] = "5"; char *v[] = { a, b, c, 0 }; int o = getopt(3, v, "x:"); finally(o == 'x' && optarg[0] == '5'); }
//== time-without-a-model: both?
#define _XOPEN_SOURCE 700
#include <time.h>
int main(void) { struct tm t = { 0 }; char *p = strptime("12:34", "%H:%M", &t); finally(p && t.tm_hour == 12 && t.tm_min == 34); }
//== the-same-seed-gives-the-same-number: both?
#include <stdlib.h>
int main(void) { srand(1); int a = rand(); srand(1); int b = rand(); finally(a == b); }
//== a-number-after-one-seed-is-anything: unsafe? reasoned
#include <stdlib.h>
int main(void) { srand(7); check(rand() % 2 == 0); }
//== process-number-stays: both
#include <unistd.h>
int main(void) { finally(getpid() == getpid()); }
//== what-is-written-is-read: both?
#include <stdio.h>
int main(void) { FILE *f = tmpfile(); if (!f) return 0; fputc('q', f); rewind(f); int c = fgetc(f); fclose(f); finally(c == 'q'); }
//== what-is-read-twice: both?
#include <stdio.h>
int main(void) { FILE *f = fopen("/etc/passwd", "r"); if (!f) return 0; int a = fgetc(f); rewind(f); int b = fgetc(f); fclose(f); finally(a == b); }
//== a-file-that-was-written-is-read: both?
#include <stdio.h>
int main(void) { FILE *f = fopen("x.tmp", "w"); if (!f) return 0; fprintf(f, "%d\n", 42); fclose(f); f = fopen("x.tmp", "r"); if (!f) return 0; int n = 0, k = fscanf(f, "%d", &n); fclose(f); finally(k == 1 && n == 42); }
//== position-after-output: both?
#include <stdio.h>
int main(void) { FILE *f = tmpfile(); if (!f) return 0; fputs("abc", f); finally(ftell(f) == 3); }
//== size-of-a-file-is-anything: unsafe? reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 0; fseek(f, 0, SEEK_END); long n = ftell(f); rewind(f); check(n < 100); }
//== pipe-gives-what-went-in: both?
#include <unistd.h>
int main(void) { int p[2]; if (pipe(p)) return 0; char c = 'x', d = 0; if (write(p[1], &c, 1) != 1) return 0; int n = read(p[0], &d, 1); finally(n == 1 && d == 'x'); }
//== read-again-what-the-standard-output-was-sent-to: safe?
#include <stdio.h>
#include <string.h>
int main(void) { if (!freopen("redirected.txt", "w", stdout)) return 1; puts("ab"); fclose(stdout); FILE *f = fopen("redirected.txt", "r"); if (!f) return 1; char b[8] = ""; if (fscanf(f, "%7s", b) != 1) return 1; fclose(f); remove("redirected.txt"); check(strcmp(b, "ab") == 0); }
//== opened-files-have-numbers: safe
#include <fcntl.h>
int main(void) { int f = open("x", O_CREAT | O_WRONLY, 0600); check(f >= -1); int g = fcntl(f, F_GETFL); check(g >= -1); }
//== a-file-may-not-be-there: unsafe
#include <fcntl.h>
int main(void) { int f = open("/nonexistent/x", O_RDONLY); check(f >= 0); }
//== open-says-why-it-fails: safe
#include <fcntl.h>
#include <errno.h>
int main(void) { int f = open("/nonexistent", O_RDONLY); if (f < 0) check(errno != 0); }
//== stat-succeeds-or-fails: safe
#include <sys/stat.h>
int main(void) { struct stat s; s.st_size = -5; int r = stat("/nonexistent", &s); check(r == 0 || r == -1); check(r == 0 || s.st_size == -5); if (r == 0) check(s.st_size >= 0); }
//== stat-finds-folders: unsafe
#include <sys/stat.h>
int main(void) { struct stat s; if (stat("/", &s) == 0) check(!S_ISDIR(s.st_mode)); }
//== sockets-have-numbers: safe
#include <sys/socket.h>
int main(void) { int s = socket(AF_UNIX, SOCK_STREAM, 0), on = 1; check(s >= -1); setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on); check(on == 1); }
//== poll-counts: safe
#include <poll.h>
int main(void) { struct pollfd p[2] = { { 0, POLLIN, 0 }, { -1, POLLIN, 7 } }; int r = poll(p, 2, 0); check(r >= -1 && r <= 1 && p[0].fd == 0 && p[0].events == POLLIN); if (r == 0) check(p[0].revents == 0 && p[1].revents == 0); }
//== poll-finds-something: unsafe reasoned
#include <poll.h>
int main(void) { struct pollfd p = { 0, POLLIN, 0 }; check(poll(&p, 1, 0) != 1); }
//== mkstemp-makes-a-name: both
#include <stdlib.h>
int main(void) { char b[] = "/tmp/abXXXXXX"; int f = mkstemp(b); finally(b[0] == '/' && b[6] == 'b' && b[13] == 0 && f >= -1); }
//== results-of-the-system-without-a-model: safe?
#include <sys/eventfd.h>
int main(void) { check(eventfd(0, 0) >= -1); }
//== bits-of-select: safe?
#include <sys/select.h>
int main(void) { fd_set s; FD_ZERO(&s); FD_SET(0, &s); struct timeval t = { 0, 0 }; select(1, &s, 0, 0, &t); check(!FD_ISSET(5, &s)); }
//== pause-waits: safe? reasoned
#include <unistd.h>
int main(void) { pause(); check(0); }
//== pause-after-a-handler-was-installed-elsewhere: unsafe? reasoned
#include <unistd.h>
extern void setup(void);
int main(void) { setup(); pause(); check(0); }
//== own-pause-returns: unsafe reasoned
extern void pause(void);
int main(void) { pause(); check(0); }
//== own-pause-with-a-result-returns: unsafe reasoned
extern int pause(void);
int main(void) { pause(); check(0); }
