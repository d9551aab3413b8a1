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
