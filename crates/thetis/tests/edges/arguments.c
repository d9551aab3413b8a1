//== strings-differ: safe reasoned
int main(int argc, char **argv) { if (argc == 2) check(argv[0] != argv[1]); }
//== strings-do-not-overlap: safe reasoned
int main(int argc, char **argv) { if (argc == 2 && argv[1][0] == 'a') { argv[0][0] = 'b'; check(argv[1][0] == 'a'); } }
//== strings-keep-what-is-written: safe reasoned
int main(int argc, char **argv) { if (argc > 1) { argv[1][0] = 'z'; check(argv[1][0] == 'z'); } }
//== strings-are-no-variables: safe reasoned
char g[4]; char *p;
int main(int argc, char **argv) { p = g; g[0] = 5; if (argc == 2) { argv[1][0] = 'x'; check(p[0] == 5); check(argv[1] != p); } }
//== strings-keep-their-place: safe reasoned
int main(int argc, char **argv) {
  if (argc == 3) { char *a = argv[1], *b = argv[2]; argv[1] = b; argv[2] = a; check(argv[1] == b && argv[2] == a && argv[0] != a); }
}
//== strings-in-32-bits: safe ILP32 reasoned
int main(int argc, char **argv) { if (argc == 2) check(argv[0] != argv[1] && argv[2] == 0); }
//== strings-with-a-constructor: safe reasoned
static int n;
__attribute__((constructor)) static void begin(void) { n = 1; }
int main(int argc, char **argv) { if (argc == 2) check(argv[0] != argv[1] && n == 1); }
//== constant-strings: safe reasoned
int main(const int argc, char *const argv[]) { if (argc > 1) check(argv[1] != argv[0]); }
//== strings-of-unsigned-characters: safe reasoned
int main(int argc, unsigned char **argv) { if (argc > 1) { argv[1][0] = 200; check(argv[1][0] == 200 && argv[1] != argv[0]); } }
//== strings-that-another-part-does-not-know: safe reasoned
void other(void);
int main(int argc, char **argv) { if (argc == 2) { argv[1][0] = 'a'; other(); check(argv[1][0] == 'a'); } }
//== strings-that-another-part-knows: unsafe reasoned
void other(char **);
int main(int argc, char **argv) { if (argc == 2) { argv[1][0] = 'a'; other(argv); check(argv[1][0] == 'a'); } }
//== the-name-of-the-program-is-the-first-string: unsafe? reasoned
extern char *program_invocation_name;
int main(int argc, char **argv) { if (argc == 1) { argv[0][0] = 'x'; program_invocation_name[0] = 'y'; check(argv[0][0] == 'x'); } }
//== an-option-is-found: unsafe reasoned
#include <string.h>
int main(int argc, char **argv) { int verbose = 0; if (argc == 2 && strcmp(argv[1], "-v") == 0) verbose = 1; check(!verbose); }
//== options-exclude-each-other: safe reasoned
#include <string.h>
int main(int argc, char **argv) {
  int a = 0, b = 0;
  if (argc == 2) { a = strcmp(argv[1], "-v") == 0; b = strcmp(argv[1], "-q") == 0; }
  check(!(a && b));
}
//== options-in-a-function: unsafe reasoned
static int parse(int n, char **v) {
  int flags = 0;
  for (int i = 1; i < n; i++) {
    if (v[i][0] != '-') break;
    switch (v[i][1]) { case 'a': flags |= 1; break; case 'b': flags |= 2; break; default: return -1; }
  }
  return flags;
}
int main(int argc, char **argv) { if (argc > 3) return 0; check(parse(argc, argv) != 3); }
//== strings-in-a-variable: unsafe reasoned
char **saved; int n;
static int f(void) { return n > 1 && saved[1][0] == 'q'; }
int main(int argc, char **argv) { saved = argv; n = argc; check(!f()); }
//== main-calls-itself: unsafe? reasoned
int main(int argc, char **argv) { if (argc > 2) return main(argc - 1, argv + 1); if (argc == 2) check(argv[1][0] != 'z'); return 0; }
//== main-calls-itself-with-strings-that-differ: safe? reasoned
int main(int argc, char **argv) { if (argc > 2) return main(argc - 1, argv + 1); if (argc == 2) check(argv[1] != argv[0]); return 0; }
//== main-calls-itself-with-short-strings: unsafe? valid-memsafety reasoned
int main(int argc, char **argv) { if (argc > 1) return main(1, argv); return argv[2] != 0; }
//== the-environment-is-elsewhere: safe? reasoned
int main(int argc, char **argv, char **envp) { check(envp != argv); }
//== the-environment-keeps-the-strings: safe? reasoned
extern char **environ;
int main(int argc, char **argv) { if (argc > 1) { char c = argv[1][0]; if (environ && environ[0]) environ[0][0] = 1; check(argv[1][0] == c); } }
//== the-environment-is-something: unsafe? reasoned
int main(int argc, char **argv, char **envp) { if (envp[0]) check(envp[0][0] != 'A'); }
//== an-unused-environment: unsafe reasoned
int main(int argc, char **argv, char **envp) { if (argc == 2) check(argv[1][0] != 'x'); }
//== getopt-changes-the-order: unsafe? reasoned
#include <unistd.h>
int main(int argc, char **argv) { if (argc == 3) { char *a = argv[1]; getopt(argc, argv, "v"); check(argv[1] == a); } }
//== the-argument-of-an-option-is-a-string: unsafe? reasoned
#include <unistd.h>
int main(int argc, char **argv) {
  if (argc != 3) return 0;
  argv[2][0] = 'a';
  if (getopt(argc, argv, "o:") == 'o') { optarg[0] = 'b'; check(argv[2][0] == 'a'); }
}
//== characters-are-values: safe? valid-init reasoned
int main(int argc, char **argv) { return argc > 0 ? argv[0][0] : 0; }
