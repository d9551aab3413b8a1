//== position-after-rewind: safe? reasoned
#include <stdio.h>
int main(void) {
  FILE *f = fopen("file", "r");
  if (f == 0 || fseek(f, 0, SEEK_END) != 0) return 0;
  ftell(f);
  rewind(f);
  check(ftell(f) <= 0);
}
//== position-twice: safe? reasoned
#include <stdio.h>
int main(void) {
  FILE *f = fopen("file", "r");
  if (f == 0 || fseek(f, 0, SEEK_END) != 0) return 0;
  long n = ftell(f), m = ftell(f);
  if (n >= 0 && m >= 0) check(n == m);
}
//== position-after-the-end: safe? reasoned
#include <stdio.h>
int main(void) {
  FILE *f = fopen("file", "r");
  if (f == 0 || fseek(f, 5, SEEK_END) != 0) return 0;
  long n = ftell(f);
  check(n == -1 || n >= 5);
}
//== size-of-a-file: unsafe reasoned
#include <stdio.h>
int main(void) {
  FILE *f = fopen("file", "r");
  if (f == 0 || fseek(f, 0, SEEK_END) != 0) return 0;
  check(ftell(f) != 7);
}
//== nothing-comes-after-the-end: safe? reasoned
#include <stdio.h>
int main(void) { if (getchar() == EOF && feof(stdin)) check(getchar() == EOF); }
//== nothing-comes-after-the-end-of-a-file: safe? reasoned
#include <stdio.h>
int main(void) {
  FILE *f = fopen("file", "r");
  if (f != 0 && fgetc(f) == EOF && feof(f)) check(fgetc(f) == EOF);
}
//== characters-may-come-after-the-end-was-cleared: unsafe? reasoned
#include <stdio.h>
int main(void) { if (getchar() == EOF) { clearerr(stdin); check(getchar() == EOF); } }
//== a-character-always-fits: safe reasoned
#include <stdio.h>
int main(void) { char c; check(scanf("%c", &c) != 0); }
//== a-word-always-fits: safe reasoned
#include <stdio.h>
int main(void) { char word[9]; check(scanf(" %8s", word) != 0); }
//== a-number-need-not-fit: unsafe reasoned
#include <stdio.h>
int main(void) { int n; check(scanf("%d", &n) != 0); }
//== a-character-is-not-the-end: safe reasoned
#include <stdio.h>
int main(void) { char c; if (scanf("%c", &c) == 1) check(!feof(stdin)); }
//== flush-after-close: unsafe valid-memory reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("file", "r"); if (f != 0) { fclose(f); fflush(f); } }
//== flush-of-everything: safe valid-memory reasoned
#include <stdio.h>
int main(void) { fflush(0); fflush(stdout); }
//== line-after-close: unsafe valid-memory reasoned
#include <stdio.h>
int main(void) { char b[1]; FILE *f = fopen("file", "r"); if (f != 0) { fclose(f); fgets(b, 1, f); } }
//== format-from-outside-into-no-stream: unsafe valid-memory reasoned
#include <stdio.h>
int main(int n, char **words) { FILE *f = fopen("file", "w"); if (n > 1) fprintf(f, words[1], n); }
//== pipe-as-standard-input: safe? reasoned
#include <stdio.h>
#include <unistd.h>
int main(void) {
  int ends[2];
  if (pipe(ends) != 0 || write(ends[1], "a", 1) != 1 || dup2(ends[0], 0) < 0) return 0;
  check(getchar() == 'a');
}
//== file-written-by-stream-read-by-number: safe? reasoned
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  FILE *f = fopen("file", "w");
  char c;
  if (f == 0 || fputs("a", f) < 0 || fclose(f) != 0) return 0;
  int file = open("file", O_RDONLY);
  if (file >= 0 && read(file, &c, 1) == 1) check(c == 'a');
}
//== file-written-by-number-read-by-stream: safe? reasoned
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, "a", 1) != 1 || close(file) != 0) return 0;
  FILE *f = fopen("file", "r");
  if (f == 0) return 0;
  int c = fgetc(f);
  check(c == 'a' || c == EOF);
}
//== file-written-read-as-standard-input: safe? reasoned
#include <stdio.h>
int main(void) {
  FILE *f = fopen("file", "w");
  if (f == 0 || fputs("a", f) < 0 || fclose(f) != 0 || freopen("file", "r", stdin) == 0) return 0;
  int c = getchar();
  check(c == 'a' || c == EOF);
}
//== standard-input-beside-a-written-file: unsafe reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("file", "w"); if (f != 0) check(getchar() != 'a'); }
//== size-of-a-written-file: safe? reasoned
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  struct stat status;
  int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, "abc", 3) != 3) return 0;
  if (fstat(file, &status) == 0) check(status.st_size == 3);
}
//== end-of-a-written-file: safe? reasoned
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, "abc", 3) != 3) return 0;
  long end = lseek(file, 0, SEEK_END);
  check(end == 3 || end == -1);
}
//== name-of-another-locale: unsafe? reasoned
#include <locale.h>
#include <string.h>
int main(void) {
  setlocale(LC_ALL, "C");
  char *name = setlocale(LC_ALL, "C.UTF-8");
  check(name == 0 || strcmp(name, "C") == 0);
}
//== name-of-the-locale-that-was-asked-for: safe? reasoned
#include <locale.h>
#include <string.h>
int main(void) {
  char *name = setlocale(LC_ALL, "C.UTF-8");
  check(name == 0 || strcmp(name, "C.UTF-8") == 0);
}
//== locale-at-the-start: both
#include <locale.h>
#include <string.h>
int main(void) { finally(strcmp(setlocale(LC_ALL, 0), "C") == 0); return 0; }
//== locale-of-the-environment: unsafe reasoned
#include <locale.h>
int main(void) { char *name = setlocale(LC_ALL, ""); if (name != 0) check(name[0] != 'd'); }
//== signal-returns-the-last-setting: both
#include <signal.h>
int main(void) { signal(SIGINT, SIG_IGN); finally(signal(SIGINT, SIG_DFL) == SIG_IGN); return 0; }
//== sigkill-cannot-be-ignored: both
#include <signal.h>
int main(void) { finally(signal(SIGKILL, SIG_IGN) == SIG_ERR); return 0; }
//== signals-may-be-ignored-from-the-start: unsafe? reasoned
#include <signal.h>
int main(void) { raise(SIGHUP); check(0); }
//== a-signal-that-is-ignored: both
#include <signal.h>
int main(void) { signal(SIGTERM, SIG_IGN); finally(raise(SIGTERM) == 0); return 0; }
//== a-signal-that-ends-the-program: safe reasoned
#include <signal.h>
int main(void) { signal(SIGTERM, SIG_DFL); raise(SIGTERM); check(0); }
//== group-of-a-process: both
#include <unistd.h>
int main(void) { finally(getpgrp() == getpgrp() && getpgrp() == getpgid(0)); return 0; }
//== size-of-pages: both
#include <unistd.h>
int main(void) { long size = sysconf(_SC_PAGESIZE); finally(size == getpagesize() && (size & (size - 1)) == 0); return 0; }
//== number-of-processors: safe? no-division-by-zero reasoned
#include <unistd.h>
int main(void) { return 100 / sysconf(_SC_NPROCESSORS_ONLN); }
//== rest-of-an-alarm: both
#include <unistd.h>
int main(void) { alarm(5); finally(alarm(0) <= 5); return 0; }
//== a-child-that-is-waited-for: safe reasoned
#include <sys/wait.h>
int main(void) { int status, child = waitpid(55, &status, 0); check(child == 55 || child == -1); }
//== characters-of-a-new-name: safe
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char name[] = "/tmp/XXXXXX";
  if (mkstemp(name) >= 0) { check(name[10] != ':' && name[4] == '/'); unlink(name); }
  return 0;
}
//== name-without-a-template: safe valid-memory
#include <stdlib.h>
int main(void) { char name[] = "ab"; return mkstemp(name) != -1; }
//== alignment-that-is-possible: safe
#include <errno.h>
#include <stdlib.h>
int main(void) { void *p; int error = posix_memalign(&p, 64, 10); check(error == 0 || error == ENOMEM); if (!error) free(p); return 0; }
//== alignment-that-is-impossible: both
#include <errno.h>
#include <stdlib.h>
int main(void) { void *p; finally(posix_memalign(&p, 3, 10) == EINVAL); return 0; }
//== equal-seeds-give-equal-numbers: both
#include <stdlib.h>
int main(void) { unsigned s = 3, t = 3; int a = rand_r(&s), b = rand_r(&t); finally(a == b && s == t); return 0; }
//== the-next-number-is-another: unsafe
#include <stdlib.h>
int main(void) { unsigned s = 3; int a = rand_r(&s); check(a == rand_r(&s)); return 0; }
//== strtok-writes-no-end: safe valid-memory
#include <string.h>
int main(void) { return *strtok("abc", ",") != 'a'; }
//== strtok-writes-separators: unsafe valid-memory reasoned
#include <string.h>
int main(void) { return *strtok("a,bc", ",") != 'a'; }
//== strsep-writes-no-end: safe valid-memory
#define _DEFAULT_SOURCE
#include <string.h>
int main(void) { char *s = "abc"; return *strsep(&s, ",") != 'a'; }
//== strftime-reads-what-its-format-says: safe? valid-init
#include <time.h>
int main(void) { struct tm t; t.tm_year = 100; char b[9]; return strftime(b, sizeof b, "%Y", &t) != 4; }
//== precision-makes-numbers-long: unsafe?
#include <stdio.h>
int main(void) { check(snprintf(0, 0, "%.6000f", 1.0) <= 5600); return 0; }
//== negative-characters-have-no-case: unsafe
#include <ctype.h>
int main(void) { volatile int c = -5; check(tolower(c) == c); return 0; }
//== texts-without-numbers-may-set-errno: unsafe reasoned
#include <errno.h>
#include <stdlib.h>
int main(void) { errno = 0; strtol("abc", 0, 10); check(errno == 0); }
//== a-file-that-is-copied: unsafe reasoned
#include <stdio.h>
int main(void) {
  FILE *from = fopen("from", "r"), *to = fopen("to", "w");
  if (from != 0 && to != 0) check(fgetc(from) != 'a');
}
//== a-process-that-kills-itself: safe reasoned
#include <signal.h>
#include <unistd.h>
int main(void) { kill(getpid(), 0); if (kill(getpid(), SIGKILL) >= -1) check(0); return 0; }
//== a-process-that-ends-itself: safe reasoned
#include <signal.h>
#include <unistd.h>
int main(void) { signal(SIGTERM, SIG_DFL); kill(getpid(), SIGTERM); check(0); return 0; }
//== a-signal-to-another-process: unsafe reasoned
#include <signal.h>
#include <unistd.h>
int main(void) { if (getpid() != 1234) { kill(1234, SIGTERM); check(0); } return 0; }
//== a-signal-that-is-blocked: unsafe?
#include <signal.h>
int main(void) {
  sigset_t set;
  signal(SIGTERM, SIG_DFL);
  sigemptyset(&set); sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, 0);
  raise(SIGTERM);
  check(0);
}
//== a-wait-is-not-interrupted: safe?
#include <time.h>
#include <unistd.h>
int main(void) { struct timespec t = { 0, 5 }; check(sleep(0) == 0 && usleep(1) == 0 && nanosleep(&t, 0) == 0); return 0; }
//== a-wait-that-is-impossible: both
#include <time.h>
int main(void) { struct timespec t = { 0, -5 }; finally(nanosleep(&t, 0) == -1); return 0; }
//== no-alarm-at-the-start: safe?
#include <unistd.h>
int main(void) { check(alarm(10) == 0); return 0; }
//== difference-of-large-times: both
#include <time.h>
int main(void) { volatile time_t a = 9007199254740993L, b = 9007199254740992L; finally(difftime(a, b) == 1.0); return 0; }
//== difference-of-times: both
#include <time.h>
int main(void) { volatile time_t a = 5, b = 7; finally(difftime(a, b) == -2.0); return 0; }
//== resolution-of-a-clock: safe?
#include <time.h>
int main(void) { struct timespec a, b; if (clock_getres(0, &a) || clock_getres(0, &b)) return 0; check(a.tv_nsec == b.tv_nsec); return 0; }
//== a-date-without-text: unsafe?
#include <time.h>
int main(void) { struct tm t = { 0 }; t.tm_year = 2147483647; t.tm_mday = 1; check(asctime(&t) != 0); return 0; }
//== a-time-without-text: unsafe?
#include <time.h>
int main(void) { time_t t = 9223372036854775807L; check(ctime(&t) != 0); return 0; }
//== a-date-is-overwritten-by-a-text: unsafe?
#include <time.h>
int main(void) { time_t t = 0, u = 1000000000; struct tm *p = gmtime(&t); int year = p->tm_year; ctime(&u); check(p->tm_year == year); return 0; }
//== a-locale-of-the-thread: unsafe? reasoned
#include <ctype.h>
#include <locale.h>
int main(void) { uselocale(newlocale(LC_ALL_MASK, "de_DE.ISO-8859-1", 0)); setlocale(LC_ALL, "C"); check(!(isalpha)(0xe4)); return 0; }
//== a-category-that-is-none: both
#include <locale.h>
int main(void) { finally(setlocale(99, "C") == 0); return 0; }
//== options-start-at-the-first-argument: both
#include <unistd.h>
int main(int argc, char **argv) { finally(optind == 1 && opterr == 1); return 0; }
//== files-with-negative-numbers: both
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  char c; struct stat s;
  finally(close(-1) == -1 && read(-1, &c, 1) == -1 && write(-1, "a", 1) == -1 && lseek(-1, 0, SEEK_SET) == -1 && fstat(-1, &s) == -1);
  return 0;
}
//== a-file-that-is-closed: safe? reasoned
#include <fcntl.h>
#include <unistd.h>
int main(void) { int f = open("/dev/null", O_RDONLY); if (f < 0 || close(f) != 0) return 0; check(close(f) == -1); return 0; }
//== a-folder-of-one-byte: both
#include <unistd.h>
int main(void) { char b[2]; finally(getcwd(b, 1) == 0); return 0; }
//== a-folder-is-a-path: safe? reasoned
#include <unistd.h>
int main(void) { char b[64]; if (getcwd(b, 64)) check(b[0] == '/'); return 0; }
//== a-setting-that-is-none: both
#include <unistd.h>
int main(void) { finally(sysconf(-5) == -1); return 0; }
//== no-children: safe? reasoned
#include <sys/wait.h>
int main(void) { int s; check(wait(&s) == -1 && waitpid(-1, &s, WNOHANG) == -1); return 0; }
//== an-empty-format-reads-nothing: safe? reasoned
#include <stdio.h>
int main(void) { int x; if (scanf("%d", &x) == 1) { scanf(""); check(getchar() != '5'); } return 0; }
//== an-empty-format-always-fits: safe? reasoned
#include <stdio.h>
int main(void) { check(scanf("") == 0); return 0; }
//== white-space-always-fits: safe? reasoned
#include <stdio.h>
int main(void) { check(scanf(" ") == 0); return 0; }
//== some-characters-at-the-end: unsafe? reasoned
#include <stdio.h>
int main(void) { char b[4]; if (scanf("%3c", b) == 1) check(!feof(stdin)); return 0; }
//== nothing-is-skipped-after-the-end: safe? reasoned
#include <stdio.h>
int main(void) { if (getchar() == EOF && feof(stdin)) check(scanf("%*c") == EOF); return 0; }
//== nothing-fits-after-the-end: safe? reasoned
#include <stdio.h>
int main(void) { if (getchar() == EOF && feof(stdin)) check(scanf("a") == EOF); return 0; }
//== a-number-goes-on-after-the-end-was-cleared: unsafe? reasoned
#include <stdio.h>
int main(void) { int x; if (scanf("%d", &x) == 1) { clearerr(stdin); check(getchar() != '5'); } return 0; }
//== the-end-is-seen-by-vscanf: unsafe? reasoned
#include <stdio.h>
#include <stdarg.h>
static int my(const char *f, ...) { va_list l; va_start(l, f); int r = vscanf(f, l); va_end(l); return r; }
int main(void) { int x; my("%d", &x); check(!feof(stdin)); return 0; }
//== a-character-is-read-by-vscanf: unsafe? reasoned
#include <stdio.h>
#include <stdarg.h>
static int my(const char *f, ...) { va_list l; va_start(l, f); int r = vscanf(f, l); va_end(l); return r; }
int main(void) { int x; char c; if (scanf("%d", &x) == 1) { my("%c", &c); check(getchar() != '5'); } return 0; }
//== the-end-is-seen-by-getwchar: unsafe? reasoned
#include <stdio.h>
#include <wchar.h>
int main(void) { getwchar(); check(!feof(stdin)); return 0; }
//== the-end-is-seen-by-fread_unlocked: unsafe? reasoned
#define _GNU_SOURCE
#include <stdio.h>
int main(void) { char c; fread_unlocked(&c, 1, 1, stdin); check(!feof(stdin)); return 0; }
//== the-end-is-seen-by-getw: unsafe? reasoned
#define _GNU_SOURCE
#include <stdio.h>
int main(void) { getw(stdin); check(!feof(stdin)); return 0; }
//== two-streams-stay-at-their-ends: safe? reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r"), *g = fopen("b", "r"); if (!f || !g) return 0;
 if (fgetc(f) == EOF && fgetc(g) == EOF) check(fgetc(f) == EOF); return 0; }
//== the-end-in-place-of-a-character-to-skip: unsafe? reasoned
#include <stdio.h>
int main(void) { int x; if (scanf("%d%*c", &x) == 1) check(!feof(stdin)); return 0; }
//== a-number-to-skip-is-not-reached: unsafe? reasoned
#include <stdio.h>
int main(void) { if (scanf("a%*d") == 0) check(getchar() != '5'); return 0; }
//== a-word-to-skip-is-not-reached: unsafe? reasoned
#include <stdio.h>
int main(void) { if (scanf("x%*s") == 0) check(getchar() != 'y'); return 0; }
//== the-end-after-a-sign-to-skip: unsafe? reasoned
#include <stdio.h>
int main(void) { if (scanf("%*d%*c") == 0) check(!feof(stdin)); return 0; }
//== the-end-stays-when-seeking-fails: unsafe? reasoned
#include <stdio.h>
int main(void) { while (getchar() != EOF) {} if (feof(stdin) && fseek(stdin, 0, SEEK_SET) == -1) check(!feof(stdin)); return 0; }
//== no-stream-for-a-negative-number: safe?
#include <stdio.h>
int main(void) { check(fdopen(-1, "r") == 0); return 0; }
//== a-stream-has-the-number-that-it-was-made-for: safe? reasoned
#include <stdio.h>
#include <fcntl.h>
int main(void) { int f = open("/dev/null", O_RDONLY); if (f < 0) return 0; FILE *g = fdopen(f, "r"); if (g) check(fileno(g) == f); return 0; }
//== streams-and-files-have-different-numbers: safe? reasoned
#include <stdio.h>
#include <fcntl.h>
int main(void) { int f = open("/dev/null", O_RDONLY); FILE *g = fopen("/dev/null", "r"); if (g && f >= 0) check(fileno(g) != f); return 0; }
//== files-and-streams-have-different-numbers: safe? reasoned
#include <stdio.h>
#include <fcntl.h>
int main(void) { FILE *g = fopen("a", "r"); if (!g) return 0; int n = fileno(g); int f = open("a", O_RDONLY); if (f >= 0) check(n != f); return 0; }
//== standard-input-is-closed: safe?
#include <stdio.h>
#include <unistd.h>
int main(void) { close(0); check(getchar() == EOF); return 0; }
//== the-file-of-standard-input-is-closed: safe?
#include <stdio.h>
#include <unistd.h>
int main(void) { close(0); check(fgetc(stdin) == EOF); return 0; }
//== a-device-that-is-only-read: safe?
#include <fcntl.h>
#include <unistd.h>
int main(void) { int f = open("/dev/null", O_RDONLY); check(write(f, "a", 1) == -1); return 0; }
//== a-file-that-is-only-read: safe?
#include <fcntl.h>
#include <unistd.h>
int main(void) { int f = open("a", O_RDONLY); check(write(f, "a", 1) == -1); return 0; }
//== a-pipe-has-no-start: safe?
#include <unistd.h>
int main(void) { int p[2]; if (pipe(p) == 0) check(lseek(p[0], 0, SEEK_SET) == -1); return 0; }
//== a-pipe-has-no-end: safe?
#include <unistd.h>
int main(void) { int p[2]; if (pipe(p) == 0) check(lseek(p[0], 0, SEEK_END) == -1); return 0; }
//== an-empty-device: safe? reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("/dev/null", "r"); if (f) check(fgetc(f) == EOF); return 0; }
//== no-stream-without-a-name: safe?
#include <stdio.h>
int main(void) { check(fopen("", "r") == 0); return 0; }
//== no-file-without-a-name: safe?
#include <fcntl.h>
int main(void) { check(open("", O_RDONLY) == -1); return 0; }
//== no-path-without-a-name: safe?
#include <unistd.h>
#include <sys/stat.h>
int main(void) { struct stat s; check(unlink("") == -1 && access("", F_OK) == -1 && mkdir("", 0700) == -1 && stat("", &s) == -1); return 0; }
//== a-link-into-no-room: safe?
#include <unistd.h>
int main(void) { char b[1]; check(readlink("x", b, 0) == -1); return 0; }
//== a-link-is-a-text: safe? reasoned
#include <unistd.h>
int main(void) { char b[2]; if (readlink("x", b, 2) == 2) check(b[0] != 0); return 0; }
//== a-link-that-the-program-made: safe? reasoned
#include <unistd.h>
int main(void) { char b[2]; if (symlink("y", "x") == 0 && readlink("x", b, 2) == 1) check(b[0] == 'y'); return 0; }
//== what-a-file-was-opened-for: safe? reasoned
#include <fcntl.h>
int main(void) { int f = open("/dev/null", O_RDONLY); if (f < 0) return 0; check((fcntl(f, F_GETFL) & O_ACCMODE) == O_RDONLY); return 0; }
//== flags-that-were-set: safe? reasoned
#include <fcntl.h>
int main(void) { if (fcntl(0, F_SETFD, FD_CLOEXEC) == 0) check(fcntl(0, F_GETFD) == FD_CLOEXEC); return 0; }
//== the-number-of-standard-input-is-taken: safe? reasoned
#include <fcntl.h>
#include <unistd.h>
int main(void) { char c; if (read(0, &c, 1) == 1) check(open("a", O_RDONLY) != 0); return 0; }
//== a-number-that-was-chosen-is-taken: safe? reasoned
#include <fcntl.h>
#include <unistd.h>
int main(void) { if (dup2(0, 5) == 5) check(open("a", O_RDONLY) != 5); return 0; }
//== a-buffer-of-an-impossible-kind: safe?
#include <stdio.h>
int main(void) { check(setvbuf(stdout, 0, 99, 0) != 0); return 0; }
//== streams-may-do-without-a-buffer: safe?
#include <stdio.h>
int main(void) { check(setvbuf(stdout, 0, _IONBF, 0) == 0); return 0; }
//== blocks-are-written: safe?
#include <stdio.h>
int main(void) { check(fwrite("x", 1, 1, stdout) == 1); return 0; }
//== there-is-a-time: safe?
#include <time.h>
int main(void) { check(time(0) != -1); return 0; }
//== there-is-a-time-of-the-process: safe?
#include <time.h>
int main(void) { check(clock() != -1); return 0; }
//== there-is-a-clock: safe?
#include <time.h>
int main(void) { struct timespec t; check(clock_gettime(CLOCK_REALTIME, &t) == 0); return 0; }
//== a-clock-that-is-none: safe?
#include <time.h>
int main(void) { struct timespec t; check(clock_gettime(9999, &t) == -1); return 0; }
//== there-is-a-time-of-day: safe?
#include <sys/time.h>
int main(void) { struct timeval t; check(gettimeofday(&t, 0) == 0); return 0; }
//== far-time-zones: unsafe? reasoned
#define _DEFAULT_SOURCE
#include <time.h>
int main(void) { time_t t = 0; struct tm *p = localtime(&t); if (p) check(p->tm_gmtoff >= -86400); return 0; }
//== dates-that-are-no-times-set-errno: unsafe?
#include <time.h>
#include <errno.h>
int main(void) { struct tm t = { 0 }; t.tm_year = 2147483647; t.tm_mon = 2147483647; errno = 0; if (mktime(&t) == -1) check(errno == 0); return 0; }
//== dates-without-room-set-errno: unsafe? reasoned
#include <time.h>
#include <errno.h>
int main(void) { struct tm t = { 0 }; char b[2]; errno = 0; if (strftime(b, 2, "%Y", &t) == 0) check(errno == 0); return 0; }
//== missing-locales-set-errno: unsafe?
#include <locale.h>
#include <errno.h>
int main(void) { errno = 0; if (!setlocale(LC_ALL, "xx")) check(errno == 0); return 0; }
//== commands-that-fail-set-errno: unsafe? reasoned
#include <stdlib.h>
#include <errno.h>
int main(void) { errno = 0; if (system("ls") == -1) check(errno == 0); return 0; }
//== commands-that-are-lost-set-errno: unsafe? reasoned
#include <stdio.h>
#include <errno.h>
int main(void) { FILE *f = popen("ls", "r"); if (!f) return 0; errno = 0; if (pclose(f) == -1) check(errno == 0); return 0; }
//== input-that-fails-sets-errno: unsafe? reasoned
#include <stdio.h>
#include <errno.h>
int main(void) { errno = 0; if (getchar() == EOF) check(errno == 0); return 0; }
//== lines-that-fail-set-errno: unsafe? reasoned
#include <stdio.h>
#include <errno.h>
int main(void) { char b[4]; errno = 0; if (fgets(b, 4, stdin) == 0) check(errno == 0); return 0; }
//== numbers-that-are-too-large-set-errno: unsafe? reasoned
#include <stdio.h>
#include <errno.h>
int main(void) { int x; errno = 0; if (scanf("%d", &x) == 1) check(errno == 0); return 0; }
//== numbers-that-fail-set-errno: unsafe? reasoned
#include <stdio.h>
#include <errno.h>
int main(void) { int x; errno = 0; if (scanf("%d", &x) == -1) check(errno == 0); return 0; }
//== blocks-that-fail-set-errno: unsafe? reasoned
#include <stdio.h>
#include <errno.h>
int main(void) { char x; errno = 0; if (fread(&x, 1, 1, stdin) == 0) check(errno == 0); return 0; }
//== long-lines-that-fail-set-errno: unsafe? reasoned
#include <stdio.h>
#include <errno.h>
int main(void) { char *x = 0; size_t n = 0; errno = 0; if (getline(&x, &n, stdin) == -1) check(errno == 0); return 0; }
//== clocks-that-fail-set-errno: unsafe? reasoned
#include <time.h>
#include <errno.h>
int main(void) { errno = 0; if (clock() == -1) check(errno == 0); return 0; }
//== an-int-is-printed-as-a-long: unsafe?
#include <stdio.h>
int main(void) { char b[40]; volatile int x = -1; sprintf(b, "%ld", x); check(b[0] == '-'); return 0; }
//== an-int-in-a-list-is-printed-as-a-long: unsafe?
#include <stdio.h>
#include <stdarg.h>
static void f(char *b, const char *s, ...) { va_list l; va_start(l, s); vsprintf(b, s, l); va_end(l); }
int main(void) { char b[40]; volatile int x = -1; f(b, "%ld", x); check(b[0] == '-'); return 0; }
//== remainder-of-large-numbers: both
#include <math.h>
int main(void) { volatile double x = 1.7976931348623157e308, y = 0x1.0000000000001p1022; finally(remainder(x, y) < 0); return 0; }
//== binary-numbers-of-c23: safe? reasoned
long __isoc23_strtol(const char *, char **, int);
int main(void) { check(__isoc23_strtol("0b11", 0, 0) == 3); return 0; }
//== a-limit-of-paths-is-no-limit-of-the-system: unsafe?
#include <unistd.h>
int main(void) { check(sysconf(_SC_OPEN_MAX) == pathconf("/", _PC_PATH_MAX)); return 0; }
//== paths-have-different-limits: unsafe? reasoned
#include <unistd.h>
int main(void) { check(pathconf("/", _PC_LINK_MAX) == pathconf("/proc", _PC_LINK_MAX)); return 0; }
//== a-file-behind-a-link: safe? reasoned
#include <sys/stat.h>
int main(void) { struct stat s; if (stat("a", &s) == 0) check(!S_ISLNK(s.st_mode)); return 0; }
//== an-open-file-stays: safe?
#include <sys/stat.h>
int main(void) { struct stat s, t; if (fstat(0, &s) == 0 && fstat(0, &t) == 0) check(s.st_ino == t.st_ino); return 0; }
//== a-wait-without-an-end: safe? reasoned
#include <poll.h>
int main(void) { struct pollfd p = { 0, POLLIN, 0 }; check(poll(&p, 1, -1) != 0); return 0; }
//== a-signal-that-is-none: safe?
#define _GNU_SOURCE
#include <signal.h>
int main(void) { check(kill(1234, 99) == -1); return 0; }
//== a-signal-is-ignored-otherwise: unsafe? reasoned
#define _GNU_SOURCE
#include <signal.h>
int main(void) { signal(SIGTERM, SIG_DFL); sigignore(SIGTERM); raise(SIGTERM); check(0); return 0; }
//== a-signal-is-blocked-otherwise: unsafe? reasoned
#define _DEFAULT_SOURCE
#include <signal.h>
int main(void) { signal(SIGTERM, SIG_DFL); sigblock(1 << (SIGTERM - 1)); raise(SIGTERM); check(0); return 0; }
//== a-group-of-its-own: unsafe? reasoned
#define _GNU_SOURCE
#include <unistd.h>
int main(void) { int a = getpgrp(); setpgrp(); check(getpgrp() == a); return 0; }
//== a-user-that-is-set-otherwise: unsafe? reasoned
#define _GNU_SOURCE
#include <unistd.h>
int main(void) { int a = geteuid(); setresuid(5, 5, 5); check(geteuid() == a); return 0; }
//== an-alarm-that-is-set-otherwise: unsafe?
#include <unistd.h>
#include <sys/time.h>
int main(void) { struct itimerval v = { { 0, 0 }, { 100, 0 } }; alarm(5); setitimer(ITIMER_REAL, &v, 0); check(alarm(0) <= 5); return 0; }
//== a-terminal-is-opened-as-another: unsafe? reasoned
#include <stdio.h>
#include <unistd.h>
int main(void) { int a = isatty(0); freopen("/dev/null", "r", stdin); check(isatty(0) == a); return 0; }
//== a-terminal-is-closed-as-a-stream: unsafe? reasoned
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) { int a = isatty(0); fclose(stdin); open("/dev/null", O_RDONLY); check(isatty(0) == a); return 0; }
//== a-terminal-becomes-another: unsafe? reasoned
#define _GNU_SOURCE
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) { int a = isatty(0); dup3(open("/dev/null", O_RDONLY), 0, 0); check(isatty(0) == a); return 0; }
//== free-memory-changes: unsafe? reasoned
#include <unistd.h>
int main(void) { check(sysconf(_SC_AVPHYS_PAGES) == sysconf(_SC_AVPHYS_PAGES)); return 0; }
//== limits-of-a-process-change: unsafe? reasoned
#include <unistd.h>
#include <sys/resource.h>
int main(void) { struct rlimit r = { 10, 10 }; long a = sysconf(_SC_OPEN_MAX); setrlimit(RLIMIT_NOFILE, &r); check(sysconf(_SC_OPEN_MAX) == a); return 0; }
//== a-setting-that-is-unknown: safe?
#include <unistd.h>
int main(void) { check(sysconf(99999) == -1); return 0; }
//== messages-are-overwritten: unsafe?
#include <string.h>
int main(void) { char *p = strerror(9999); char c = p[14]; strerror(8888); check(p[14] == c); return 0; }
//== a-pipe-that-nobody-reads: safe?
#include <unistd.h>
#include <signal.h>
int main(void) { int p[2]; signal(SIGPIPE, SIG_IGN); if (pipe(p)) return 0; close(p[0]); check(write(p[1], "a", 1) == -1); return 0; }
//== an-alignment-that-is-no-power: unsafe? reasoned
#include <stdlib.h>
int main(void) { check(aligned_alloc(3, 8) != 0); return 0; }
//== a-stream-whose-file-is-closed: safe? reasoned
#include <stdio.h>
#include <unistd.h>
int main(void) { FILE *f = fopen("a", "r"); if (!f) return 0; if (close(fileno(f)) == 0) check(fgetc(f) == EOF); return 0; }
//== two-files-that-are-closed: safe? reasoned
#include <fcntl.h>
#include <unistd.h>
int main(void) { int a = open("a", O_RDONLY), b = open("b", O_RDONLY); char c; if (a < 0 || b < 0) return 0; if (close(a) || close(b)) return 0; check(read(a, &c, 1) == -1); return 0; }
//== no-position-before-the-start: safe?
#include <unistd.h>
int main(void) { char c; check(pread(0, &c, 1, -1) == -1); return 0; }
//== output-into-a-closed-file: safe?
#include <stdio.h>
#include <unistd.h>
int main(void) { setvbuf(stdout, 0, _IONBF, 0); close(1); check(putchar('a') == EOF && puts("x") < 0 && printf("y") < 0); return 0; }
//== nothing-is-searched-in-a-pipe: safe? reasoned
#include <stdio.h>
int main(void) { FILE *f = popen("ls", "r"); if (f) check(fseek(f, 0, SEEK_SET) != 0); return 0; }
//== a-text-is-printed-behind-itself: safe?
#include <stdio.h>
#include <string.h>
int main(void) { char b[20] = "ab"; snprintf(b, sizeof b, "%s%s", b, "c"); check(strcmp(b, "abc") != 0); return 0; }
//== a-text-is-printed-into-itself: safe?
#include <stdio.h>
#include <string.h>
int main(void) { char b[20] = "ab"; sprintf(b, "x%s", b); check(strcmp(b, "xab") != 0); return 0; }
//== bytes-up-to-one-are-copied-onto-themselves: safe?
#include <string.h>
int main(void) { char b[40] = "abcdefghijklmnopqrstuvwxyz"; memccpy(b + 1, b, 'z', 20); check(b[5] != 'a'); return 0; }
//== the-time-zone-changes: unsafe? reasoned
#include <stdlib.h>
#include <time.h>
int main(void) { long before = timezone; setenv("TZ", "X5", 1); tzset(); check(timezone == before); return 0; }
//== the-time-zone-is-set-by-a-date: unsafe? reasoned
#include <stdlib.h>
#include <time.h>
int main(void) { time_t t = 0; long before = timezone; localtime(&t); check(timezone == before); return 0; }
//== the-environment-moves: unsafe?
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>
int main(void) { char **before = environ; setenv("ABCD", "1", 1); check(environ == before); return 0; }
//== anything-may-follow-a-character-to-skip: unsafe reasoned
#include <stdio.h>
int main(void) { int x; if (scanf("%d%*c", &x) == 1) check(getchar() != '7'); return 0; }
