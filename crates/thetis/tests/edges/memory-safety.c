// Questions about memory. The address sanitizer is the judge; leaks are judged by the leak sanitizer.

//== local-of-a-loop-body-dies: unsafe? valid-memsafety reasoned
// The sanitizer does not notice: the new variable is at the place of the old one.
int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (p) return *p; p = &x; } return 0; }
//== local-of-a-block-dies: unsafe? valid-memsafety
int main(void) { int *p; { int x = 1; p = &x; } return *p; }
//== local-of-a-loop-body-used-inside: safe? valid-memsafety
int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x = i; int *p = &x; s += *p; } return s; }
//== local-of-a-function-dies: unsafe? valid-memsafety
static int *f(void) { int x = 1; int *p = &x; return p; }
int main(void) { int *p = f(); return *p; }
//== parameter-dies: unsafe? valid-memsafety
static int *f(int x) { int *p = &x; return p; }
int main(void) { int *p = f(4); return *p; }
//== for-variable-dies: unsafe? valid-memsafety
int main(void) { int *p = 0; for (int i = 0; i < 2; i++) p = &i; return *p; }
//== goto-back-makes-a-new-local: unsafe? valid-memsafety reasoned
// The sanitizer does not notice: the new variable is at the place of the old one.
int main(void) { int n = 0, *p = 0; again: { int x = n; if (p) return *p; p = &x; } n++; goto again; }
//== sprintf-into-a-short-buffer: unsafe? valid-memsafety
#include <stdio.h>
int main(void) { char b[4]; sprintf(b, "%d", 12345); return 0; }
//== sprintf-fits: safe? valid-memsafety
#include <stdio.h>
int main(void) { char b[6]; sprintf(b, "%d", 12345); return 0; }
//== read-into-a-short-buffer: unsafe? valid-memsafety reasoned
#include <unistd.h>
int main(void) { char b[4]; read(0, b, 5); return 0; }
//== fgets-into-a-short-buffer: unsafe? valid-memsafety reasoned
#include <stdio.h>
int main(void) { char b[4]; fgets(b, 8, stdin); return 0; }
//== scanf-string-without-a-width: unsafe? valid-memsafety reasoned
#include <stdio.h>
int main(void) { char b[4]; scanf("%s", b); return 0; }
//== printf-of-a-freed-string: unsafe? valid-memsafety
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) { char *s = malloc(4); if (!s) return 0; strcpy(s, "abc"); free(s); printf("%s", s); return 0; }
//== printf-of-a-string: safe? valid-memsafety
#include <stdio.h>
int main(void) { char s[4] = "abc"; printf("%s", s); return 0; }
//== printf-of-an-unterminated-string: unsafe? valid-memsafety
#include <stdio.h>
int main(void) { char s[3] = { 'a', 'b', 'c' }; printf("%s", s); return 0; }
//== puts-of-null: unsafe? valid-memsafety
#include <stdio.h>
int main(void) { char *s = 0; puts(s); return 0; }
//== write-to-a-string-literal: unsafe? valid-memsafety
int main(void) { char *s = "abc"; s[0] = 'x'; return 0; }
//== write-to-a-const-object: unsafe? valid-memsafety
static const int k = 1;
int main(void) { *(int *)&k = 2; return 0; }
//== read-a-string-literal: safe? valid-memsafety
int main(void) { char *s = "abc"; return s[3]; }
//== read-after-a-string-literal: unsafe? valid-memsafety
int main(void) { volatile int i = 4; char *s = "abc"; return s[i]; }
//== use-after-free: unsafe valid-memsafety
void *malloc(unsigned long); void free(void *);
int main(void) { int *p = malloc(4); if (!p) return 0; free(p); return *p; }
//== double-free: unsafe valid-memsafety
void *malloc(unsigned long); void free(void *);
int main(void) { int *p = malloc(4); free(p); if (p) free(p); return 0; }
//== free-null: safe valid-memsafety
void free(void *);
int main(void) { free(0); return 0; }
//== free-of-the-middle: unsafe valid-memsafety
void *malloc(unsigned long); void free(void *);
int main(void) { char *p = malloc(4); if (!p) return 0; free(p + 1); return 0; }
//== free-of-a-local: unsafe valid-memsafety
void free(void *);
int main(void) { int x; free(&x); return 0; }
//== off-by-one-write: unsafe valid-memsafety
int main(void) { int a[3]; for (int i = 0; i <= 3; i++) a[i] = i; return 0; }
//== off-by-one-is-avoided: safe valid-memsafety
int main(void) { int a[3]; for (int i = 0; i < 3; i++) a[i] = i; return 0; }
//== leak: unsafe valid-memsafety
void *malloc(unsigned long);
int main(void) { int *p = malloc(4); p = 0; return p != 0; }
//== no-leak: safe valid-memsafety
void *malloc(unsigned long); void free(void *);
int main(void) { int *p = malloc(4); free(p); return 0; }
//== memcpy-too-much: unsafe? valid-memsafety
void *memcpy(void *, const void *, unsigned long);
int main(void) { int a[2] = { 1, 2 }, b[1]; memcpy(b, a, sizeof a); return 0; }
//== memcpy-reads-too-much: unsafe? valid-memsafety
void *memcpy(void *, const void *, unsigned long);
int main(void) { int a[1] = { 1 }, b[2]; memcpy(b, a, sizeof b); return 0; }
//== memset-too-much: unsafe? valid-memsafety
void *memset(void *, int, unsigned long);
int main(void) { int a[2]; memset(a, 0, 9); return 0; }
//== strcpy-too-long: unsafe? valid-memsafety
char *strcpy(char *, const char *);
int main(void) { char b[3]; strcpy(b, "abc"); return 0; }
//== strcat-too-long: unsafe? valid-memsafety
char *strcat(char *, const char *);
int main(void) { char b[5] = "abc"; strcat(b, "de"); return 0; }
//== strncpy-within: safe? valid-memsafety
char *strncpy(char *, const char *, unsigned long);
int main(void) { char b[3]; strncpy(b, "abcdef", 3); return 0; }
//== strlen-of-an-unterminated-array: unsafe? valid-memsafety
unsigned long strlen(const char *);
int main(void) { char b[3] = { 'a', 'b', 'c' }; return strlen(b); }
//== strdup-leaks: unsafe? valid-memsafety
#include <string.h>
int main(void) { char *d = strdup("abc"); d = 0; return d != 0; }
//== strdup-freed: safe? valid-memsafety
#include <stdlib.h>
#include <string.h>
int main(void) { char *d = strdup("abc"); free(d); return 0; }
//== realloc-moves: unsafe? valid-memsafety reasoned
void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *);
int main(void) { int *p = malloc(4); if (!p) return 0; int *q = realloc(p, 400); if (q) { *p = 1; free(q); } else free(p); return 0; }
//== getline-block-must-be-freed: safe? valid-memsafety reasoned
#include <stdio.h>
#include <stdlib.h>
int main(void) { char *line = 0; size_t n = 0; getline(&line, &n, stdin); free(line); return 0; }
//== argv-is-readable: safe? valid-memsafety reasoned
int main(int argc, char **argv) { return argc > 1 ? argv[1][0] : 0; }
//== argv-behind-the-end: unsafe? valid-memsafety reasoned
int main(int argc, char **argv) { return argv[argc + 1] != 0; }
//== extern-may-free: unsafe? valid-memsafety reasoned
void *malloc(unsigned long); void free(void *); extern void consume(int *p);
int main(void) { int *p = malloc(4); if (!p) return 0; consume(p); *p = 1; free(p); return 0; }
//== outside-pointer-may-be-invalid: unsafe? valid-memsafety reasoned
extern int *find(int key);
int main(void) { return *find(3); }
//== null-member: unsafe valid-memsafety
struct s { int a, b; };
int main(void) { struct s *p = 0; return p->b; }
//== flexible-array-within: safe? valid-memsafety
void *malloc(unsigned long); void free(void *); struct s { int n; int v[]; };
int main(void) { struct s *p = malloc(sizeof *p + 2 * sizeof(int)); if (!p) return 0; p->v[1] = 3; free(p); return 0; }
//== flexible-array-beyond: unsafe? valid-memsafety
void *malloc(unsigned long); void free(void *); struct s { int n; int v[]; };
int main(void) { struct s *p = malloc(sizeof *p + 2 * sizeof(int)); if (!p) return 0; p->v[2] = 3; free(p); return 0; }
//== vla-within: safe? valid-memsafety
int main(void) { int n = 3; int a[n]; a[2] = 1; return a[2] - 1; }
//== vla-beyond: unsafe? valid-memsafety
int main(void) { int n = 3; int a[n]; a[n] = 1; return 0; }
//== alloca-dies-with-its-function: unsafe? valid-memsafety reasoned
static int *f(void) { int *p = __builtin_alloca(4); *p = 1; return p; }
int main(void) { return *f(); }
//== compound-literal-dies-with-its-block: unsafe? valid-memsafety
int main(void) { int *p; { p = (int[]){ 1, 2 }; } return *p; }
//== struct-copy-from-null: unsafe valid-memsafety
struct s { int a, b; };
int main(void) { struct s *p = 0, x = *p; return x.a; }
//== one-past-the-end-is-fine: safe valid-memsafety
int main(void) { int a[3] = { 1, 2, 3 }, s = 0; for (int *p = a, *e = a + 3; p != e; p++) s += *p; return s; }
//== negative-index: unsafe valid-memsafety
int main(void) { int a[3] = { 0 }; int i = -1; return a[i]; }
//== fopen-result-used-without-a-check: unsafe? valid-memsafety reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("x", "r"); int c = fgetc(f); return c; }
//== free-of-an-alloca-block: unsafe? valid-memsafety
void free(void *);
int main(void) { int *p = __builtin_alloca(4); free(p); return 0; }
//== zero-sized-malloc-may-not-be-read: unsafe? valid-memsafety reasoned
// The allocator of the sanitizer makes blocks of at least one byte.
void *malloc(unsigned long); void free(void *);
int main(void) { char *p = malloc(0); if (!p) return 0; char c = *p; free(p); return c; }
//== cleanup-frees: safe? valid-memsafety
void *malloc(unsigned long); void free(void *); static void drop(int **p) { free(*p); }
int main(void) { int *p __attribute__((cleanup(drop))) = malloc(4); return 0; }
//== block-left-at-the-end: unsafe valid-memcleanup reasoned
void *malloc(unsigned long); static int *keep;
int main(void) { keep = malloc(4); return 0; }
//== block-freed-by-atexit: safe? valid-memcleanup reasoned
#include <stdlib.h>
static int *keep; static void drop(void) { free(keep); }
int main(void) { keep = malloc(4); atexit(drop); return 0; }
//== block-freed-by-a-destructor: safe? valid-memcleanup reasoned
void *malloc(unsigned long); void free(void *); static int *keep; __attribute__((destructor)) static void drop(void) { free(keep); }
int main(void) { keep = malloc(4); return 0; }
//== getenv-of-a-variable-that-is-set: safe? valid-memsafety reasoned
#include <stdlib.h>
int main(void) { char *p = getenv("HOME"); return p ? p[0] : 0; }
//== label-before-a-variable-ends-it: unsafe valid-memsafety
int main(void) { int *p = 0; again: if (p) return *p; { int x = 1; p = &x; goto again; } }
//== label-before-an-array-ends-it: unsafe valid-memsafety
int main(void) { int *p = 0, k = 0; back: k++; if (k == 2) return *p; { int x[3] = { 1, 2, 3 }; p = x + 1; goto back; } }
//== label-before-a-variable-in-a-function: unsafe valid-memsafety
static int f(int n) { int s = 0, *p = 0; again: if (n-- <= 0) return *p; { int x = n; p = &x; s += *p; goto again; } }
int main(void) { return f(2) - 1; }
//== label-before-a-variable-that-is-not-used-after-it: safe valid-memsafety
static int f(int n) { int s = 0, *p = 0; again: if (n-- <= 0) return s; { int x = n; p = &x; s += *p; goto again; } }
int main(void) { return f(2) - 1; }
// Sanitizers do not know that an array of variable length has ended.
//== label-before-an-array-of-variable-length-ends-it: unsafe valid-memsafety reasoned
int main(void) { int *p = 0, n = 2; again: if (p) return *p; { int x[n]; x[0] = 1; p = x; goto again; } }
//== case-behind-a-declaration-is-an-object: safe valid-memsafety
int main(void) { int *p = 0, k = 0; for (int i = 0; i < 2; i++) { switch (k) { int x; case 0: x = i; p = &x; if (p == 0) k = 9; } } if (k == 9) return *(int *)0; return 0; }
//== null-behind-a-declaration-that-is-jumped-over: unsafe valid-memsafety
int main(void) { int *p = 0, *z = 0, k = 0; for (int i = 0; i < 2; i++) { switch (k) { int x; case 0: x = i; p = &x; z = i ? &x : 0; if (i == 0) *z = 1; } } return 0; }
//== array-whose-declaration-is-jumped-over: safe valid-memsafety
int main(void) { char *p = 0; int n = 0; goto in; { char x[5000]; in: n++; x[8] = n; p = x; if (n < 3) goto in; return p[8] - 3; } return 0; }
//== array-whose-declaration-is-jumped-over-ends: unsafe valid-memsafety
int main(void) { char *p = 0; int n = 0; goto in; { char x[5000]; in: n++; x[8] = n; p = x; if (n < 2) goto in; } return *p; }
