//== letters-of-another-locale: unsafe? reasoned
#include <ctype.h>
#include <locale.h>
int main(void) { setlocale(LC_ALL, ""); check(!isalpha(0xE9)); }
//== letters-of-another-locale-by-a-function: unsafe? reasoned
#include <ctype.h>
#include <locale.h>
int main(void) { setlocale(LC_ALL, ""); check(!(isalpha)(0xE9)); }
//== upper-case-in-another-locale: unsafe? reasoned
#include <ctype.h>
#include <locale.h>
int main(void) { setlocale(LC_ALL, ""); check((toupper)(0xE9) == 0xE9); }
//== order-in-another-locale: unsafe? reasoned
#include <string.h>
#include <locale.h>
int main(void) { setlocale(LC_ALL, ""); check(strcoll("a", "B") > 0); }
//== case-in-another-locale: unsafe? reasoned
#include <strings.h>
#include <locale.h>
int main(void) { setlocale(LC_ALL, ""); check(strcasecmp("\xE9", "\xC9") != 0); }
//== letters-of-the-plain-locale: safe
#include <ctype.h>
#include <locale.h>
int main(void) { setlocale(LC_ALL, "C"); check(!isalpha(0xE9) && isalpha('e') && toupper('e') == 'E'); }
//== a-locale-may-be-missing: unsafe? reasoned
#include <locale.h>
int main(void) { check(setlocale(LC_ALL, "xx") != 0); }
//== errors-of-a-stream-stay: safe? reasoned
#include <stdio.h>
int main(void) { getchar(); int a = !ferror(stdin), b = !ferror(stdin); check(a == b); }
//== a-new-stream-has-no-error: safe? reasoned
#include <stdio.h>
int main(void) { check(!feof(stdin) && !ferror(stdin)); }
//== the-end-of-a-stream-stays: safe? reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("x", "r"); if (f && fgetc(f) == EOF) { int a = !feof(f), b = !feof(f); check(a == b); } }
//== the-end-of-a-stream: unsafe reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("x", "r"); if (f && fgetc(f) == EOF) check(!feof(f)); }
//== standard-streams-differ: safe
#include <stdio.h>
int main(void) { check(stdin != stdout && stdin && stderr != stdout); }
//== open-streams-differ: safe? reasoned
#include <stdio.h>
int main(void) { FILE *a = fopen("a", "r"), *b = fopen("b", "r"); if (a && b) check(a != b); }
//== the-number-of-a-stream-stays: safe
#include <stdio.h>
int main(void) { check(fileno(stdin) == fileno(stdin) && fileno(stdout) >= 0); }
//== open-files-have-different-numbers: safe? reasoned
#include <fcntl.h>
int main(void) { int a = open("a", O_RDONLY), b = open("b", O_RDONLY); if (a >= 0 && b >= 0) check(a != b); }
//== files-have-any-numbers: unsafe reasoned
#include <fcntl.h>
int main(void) { int a = open("a", O_RDONLY), b = open("b", O_RDONLY); if (a >= 0 && b >= 0) check(a != 3); }
//== copies-of-files-have-other-numbers: safe?
#include <unistd.h>
int main(void) { check(dup(0) != 0); }
//== the-ends-of-a-pipe-differ: safe?
#include <unistd.h>
int main(void) { int p[2]; if (pipe(p) == 0) check(p[0] != p[1] && p[0] >= 0); }
//== a-position-that-was-set: unsafe? reasoned
#include <unistd.h>
/* Some devices stay at the start. */
int main(void) { long at = lseek(0, 5, SEEK_SET); check(at == 5 || at == -1); }
//== a-position-that-is-negative: unsafe?
#include <unistd.h>
/* Devices may ignore positions. */
int main(void) { check(lseek(0, -5, SEEK_SET) == -1); }
//== the-mask-that-was-set: safe
#include <sys/stat.h>
int main(void) { umask(027); check(umask(0) == 027); }
//== a-terminal-stays-one: safe
#include <unistd.h>
int main(void) { check(isatty(0) == isatty(0)); }
//== a-terminal-may-be-another: unsafe? reasoned
#include <unistd.h>
int main(void) { int a = isatty(0); close(0); check(a == isatty(0)); }
//== two-terminals: unsafe? reasoned
#include <unistd.h>
int main(void) { check(isatty(0) == isatty(1)); }
//== a-user-stays: safe
#include <unistd.h>
int main(void) { check(getuid() == getuid() && getegid() == getegid() && getpid() == getpid()); }
//== users-may-differ: unsafe? reasoned
#include <unistd.h>
int main(void) { check(getuid() == geteuid()); }
//== a-user-that-becomes-another: unsafe? reasoned
#include <unistd.h>
int main(void) { unsigned a = geteuid(); seteuid(7); check(a == geteuid()); }
//== settings-stay: safe
#include <unistd.h>
int main(void) { check(sysconf(_SC_PAGESIZE) == sysconf(_SC_PAGESIZE) && getpagesize() == getpagesize() && getpagesize() > 0); }
//== what-is-set-in-the-environment-stays: safe?
#include <stdlib.h>
int main(void) { char *a = getenv("HOME"), *b = getenv("HOME"); check((a == 0) == (b == 0)); }
//== a-clock-that-goes-forward: safe? reasoned
#include <time.h>
int main(void) {
  struct timespec a, b;
  if (clock_gettime(CLOCK_MONOTONIC, &a) == 0 && clock_gettime(CLOCK_MONOTONIC, &b) == 0)
    check(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
}
//== a-clock-that-goes-on: unsafe? reasoned
#include <time.h>
int main(void) { struct timespec a, b; if (clock_gettime(CLOCK_MONOTONIC, &a) == 0 && clock_gettime(CLOCK_MONOTONIC, &b) == 0) check(a.tv_sec == b.tv_sec); }
//== a-clock-that-is-set: unsafe? reasoned
#include <time.h>
int main(void) { struct timespec a, b; if (clock_gettime(CLOCK_REALTIME, &a) == 0 && clock_gettime(CLOCK_REALTIME, &b) == 0) check(b.tv_sec >= a.tv_sec); }
//== constant-variables-of-a-function-stay: safe reasoned
void other(const int *);
int main(void) { const int x = 3; other(&x); check(x == 3); }
//== constant-structures-of-a-function-stay: safe reasoned
struct s { int a; const char *b; };
void other(const struct s *);
int main(void) { const struct s v = { 3, "x" }; int y = 1; other(&v); check(v.a == 3 && y == 1); }
//== variables-behind-constant-pointers-change: unsafe reasoned
void other(int *const *);
int main(void) { int x = 3; int *const p = &x; other(&p); check(x == 3); }
//== pure-functions-change-nothing: safe reasoned
__attribute__((pure)) int other(int *);
int main(void) { int x = 1; other(&x); check(x == 1); }
//== pure-functions-return-anything: unsafe? reasoned
__attribute__((const)) int other(int);
int main(void) { check(other(1) != 5); }
//== functions-without-effects-repeat-themselves: safe? reasoned
__attribute__((const)) int other(int);
int main(void) { check(other(1) == other(1)); }
//== the-number-of-standard-input: safe
#include <stdio.h>
int main(void) { check(fileno(stdin) == 0 && fileno(stderr) == 2); }
//== the-number-of-standard-output-negated: unsafe
#include <stdio.h>
int main(void) { check(fileno(stdout) != 1); }
//== the-number-of-a-stream-opened-again: safe?
#include <stdio.h>
int main(void) { if (freopen("/dev/null", "r", stdin)) check(fileno(stdin) == 0); }
//== a-file-is-not-standard-input: safe
#include <stdio.h>
int main(void) { FILE *f = fopen("/dev/null", "r"); check(f != stdin && f != stderr); }
//== a-number-is-used-again: safe?
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  int a = open("/dev/null", O_RDONLY);
  close(a);
  int b = open("/dev/null", O_RDONLY);
  check(a < 0 || b < 0 || a == b);
}
//== a-character-after-white-space: safe reasoned
#include <stdio.h>
int main(void) { char c; if (scanf(" %c", &c) == 1) check(c != ' ' && c != '\n'); }
//== a-character-after-a-number: safe reasoned
#include <stdio.h>
int main(void) { char c; int n; if (scanf("%d%c", &n, &c) == 2) check(c < '0' || c > '9'); }
//== a-character-after-a-number-that-is-counted: safe reasoned
#include <stdio.h>
int main(void) { char c; int n, read; if (scanf("%d%n%c", &n, &read, &c) == 2) check(c < '0' || c > '9'); }
//== a-character-after-a-number-may-be-a-letter: unsafe reasoned
#include <stdio.h>
int main(void) { char c; int n; if (scanf("%d%c", &n, &c) == 2) check(c != 'x'); }
//== a-digit-after-a-number-and-white-space: unsafe reasoned
#include <stdio.h>
int main(void) { char c; int n; if (scanf("%d %c", &n, &c) == 2) check(c != '7'); }
//== a-character-after-a-word: safe reasoned
#include <stdio.h>
int main(void) { char c, word[8]; if (scanf("%s%c", word, &c) == 2) check(c != 'x'); }
//== a-result-that-is-never-null: safe reasoned
char *name(void) __attribute__((returns_nonnull));
int main(void) { check(name() != 0); }
//== a-result-that-may-be-null: unsafe reasoned
char *name(void);
int main(void) { check(name() != 0); }
//== variables-of-a-constant-type-stay: safe reasoned
typedef const int constant;
typedef constant same;
void other(const int *);
int main(void) { same x = 3; other(&x); check(x == 3); }
//== targets-of-a-constant-type-change: unsafe reasoned
typedef const int constant;
void other(int *);
int main(void) { int x = 3; constant *p = &x; other(&x); check(*p == 3); }
