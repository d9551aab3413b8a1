// What library functions expect: streams that are open, text that has a value, comparisons without effects.

//== standard-streams-are-there: safe
#include <stdio.h>
int main(void) { check(stdin != 0 && stdout != 0 && stderr != 0 && stdin != stdout); return 0; }
//== fclose-of-null: unsafe valid-memsafety reasoned
#include <stdio.h>
int main(void) { fclose(0); return 0; }
//== fgetc-of-null: unsafe valid-memsafety reasoned
#include <stdio.h>
int main(void) { return fgetc(0); }
//== fprintf-to-null: unsafe valid-memsafety reasoned
#include <stdio.h>
int main(void) { FILE *f = 0; fprintf(f, "x"); return 0; }
//== fscanf-from-null: unsafe valid-memsafety reasoned
#include <stdio.h>
int main(void) { FILE *f = 0; int x; return fscanf(f, "%d", &x); }
//== fputs-to-null: unsafe valid-memsafety reasoned
#include <stdio.h>
int main(void) { FILE *f = 0; fputs("x", f); return 0; }
//== fflush-of-null: safe valid-memsafety
#include <stdio.h>
int main(void) { fflush(0); return 0; }
//== standard-streams-are-closed: safe valid-memsafety
#include <stdio.h>
int main(void) { fprintf(stderr, "x"); fclose(stdin); return 0; }
//== fopen-is-looked-at: safe valid-memsafety reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 1; int c = fgetc(f); fclose(f); return c; }
//== fopen-is-not-looked-at: unsafe valid-memsafety reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("x", "r"); int c = fgetc(f); fclose(f); return c; }
//== fopen-that-is-not-closed: safe valid-memsafety reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 1; return fgetc(f); }
//== fclose-twice: unsafe valid-memsafety reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 1; fclose(f); fclose(f); return 0; }
//== fgetc-after-fclose: unsafe valid-memsafety reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 1; fclose(f); return fgetc(f); }
//== fgetc-of-another-stream-after-fclose: safe valid-memsafety reasoned
#include <stdio.h>
int main(void) {
  FILE *f = fopen("x", "r"), *g = fopen("y", "r"); if (!f || !g) return 1;
  fclose(f); int c = fgetc(g); fclose(g); return c;
}
//== free-of-a-stream: unsafe valid-memsafety reasoned
#include <stdio.h>
#include <stdlib.h>
int main(void) { FILE *f = fopen("x", "r"); if (!f) return 1; free(f); return 0; }
//== fgets-from-a-file-into-a-short-buffer: unsafe valid-memsafety reasoned
#include <stdio.h>
int main(void) { char b[4]; FILE *f = fopen("x", "r"); if (!f) return 1; fgets(b, 5, f); fclose(f); return 0; }
//== getenv-may-be-null: unsafe valid-memsafety reasoned
#include <stdlib.h>
int main(void) { return getenv("HOME")[0]; }
//== getenv-is-looked-at: safe valid-memsafety reasoned
#include <stdlib.h>
int main(void) { char *s = getenv("HOME"); return s ? s[0] : 0; }
//== getenv-may-be-long: unsafe valid-memsafety reasoned
#include <stdlib.h>
#include <string.h>
int main(void) { char b[4], *s = getenv("HOME"); if (!s) return 0; strcpy(b, s); return b[0]; }
//== free-of-a-variable-of-the-environment: unsafe valid-memsafety reasoned
#include <stdlib.h>
int main(void) { char *s = getenv("HOME"); if (!s) return 0; free(s); return 0; }
//== getline-is-freed: safe? valid-memsafety reasoned
#include <stdio.h>
#include <stdlib.h>
int main(void) { char *s = 0; size_t n = 0; getline(&s, &n, stdin); free(s); return 0; }
//== getline-is-not-freed: unsafe? valid-memsafety reasoned
#include <stdio.h>
int main(void) { char *s = 0; size_t n = 0; getline(&s, &n, stdin); return 0; }
//== strtok-without-text: unsafe valid-memsafety reasoned
#include <string.h>
int main(void) { return strtok(0, " ") != 0; }
//== qsort-may-compare-often: unsafe? reasoned
// An insertion sort needs three comparisons here, a merge sort four.
#include <stdlib.h>
static int n;
static int compare(const void *a, const void *b) { n++; return *(int *)a - *(int *)b; }
int main(void) { int a[4] = { 1, 2, 3, 4 }; qsort(a, 4, sizeof *a, compare); check(n == 3); return 0; }
//== qsort-with-a-plain-comparison: safe
#include <stdlib.h>
static int compare(const void *a, const void *b) { int x = *(int *)a, y = *(int *)b; return (x > y) - (x < y); }
int main(void) { int a[3] = { 3, 1, 2 }; qsort(a, 3, sizeof *a, compare); check(a[0] == 1 && a[2] == 3); return 0; }
//== qsort-of-texts: safe?
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }
int main(void) { char *t[2] = { "b", "a" }; qsort(t, 2, sizeof *t, compare); check(t[0][0] == 'a'); return 0; }
//== bsearch-may-compare-often: unsafe? reasoned
#include <stdlib.h>
static int n;
static int compare(const void *a, const void *b) { n++; return *(int *)a - *(int *)b; }
int main(void) { int a[3] = { 1, 2, 3 }, k = 1; bsearch(&k, a, 3, sizeof *a, compare); check(n == 3); return 0; }
//== rand-before-a-seed-is-that-of-1: safe?
#include <stdlib.h>
int main(void) { int a = rand(); srand(1); check(a == rand()); return 0; }
//== sqrt-sets-errno: both
#include <errno.h>
#include <math.h>
int main(void) { volatile double x = -1; errno = 0; sqrt(x); finally(errno == EDOM); return 0; }
//== sqrt-leaves-errno: both
#include <errno.h>
#include <math.h>
int main(void) { volatile double x = 4; errno = 0; sqrt(x); finally(errno == 0); return 0; }
//== sqrt-of-a-square: both
#include <math.h>
int main(void) { volatile double x = 9; finally(sqrt(x) == 3 && sqrtf(4.0f) == 2); return 0; }
//== ilogb-sets-errno: both
#include <errno.h>
#include <math.h>
int main(void) { volatile double x = 0; errno = 0; ilogb(x); finally(errno == EDOM); return 0; }
//== printf-of-text-without-a-value: unsafe valid-init reasoned
#include <stdio.h>
int main(void) { char b[4]; printf("%s", b); return 0; }
//== puts-of-text-without-a-value: unsafe valid-init reasoned
#include <stdio.h>
int main(void) { char b[4]; puts(b); return 0; }
//== puts-of-text-with-a-value: safe valid-init reasoned
#include <stdio.h>
int main(void) { char b[4]; b[0] = 'a'; b[1] = 0; puts(b); return 0; }
//== mktime-reads-the-date: unsafe? valid-init reasoned
#include <time.h>
int main(void) { struct tm t; t.tm_sec = 1; return mktime(&t) > 0; }
//== asctime-reads-the-date: unsafe? valid-init reasoned
#include <time.h>
int main(void) { struct tm t; t.tm_sec = 1; return asctime(&t) != 0; }
//== a-number-does-not-end-before-what-is-pushed-back: unsafe? reasoned
#include <stdio.h>
int main(void) { int x; if (scanf("%d", &x) == 1 && ungetc('5', stdin) == '5') check(getchar() != '5'); return 0; }
//== a-number-ends-before-the-next-character-only: unsafe? reasoned
#include <stdio.h>
int main(void) { int x; if (scanf("%d", &x) == 1) { fgetc(stdin); check(getchar() != '5'); } return 0; }
//== a-number-ends-before-the-next-line: unsafe? reasoned
#include <stdio.h>
int main(void) { int x; char b[3]; if (scanf("%d", &x) == 1) { fgets(b, 3, stdin); check(getchar() != '5'); } return 0; }
//== a-number-ends-before-the-next-byte: unsafe? reasoned
#include <stdio.h>
int main(void) { int x; char c; if (scanf("%d", &x) == 1) { fread(&c, 1, 1, stdin); check(getchar() != '5'); } return 0; }
//== a-number-is-read-again: unsafe? reasoned
#include <stdio.h>
int main(void) { int x; if (scanf("%d", &x) == 1) { rewind(stdin); check(getchar() != '5'); } return 0; }
//== another-file-begins-with-a-digit: unsafe? reasoned
#include <stdio.h>
int main(void) { int x; if (scanf("%d", &x) == 1 && freopen("a", "r", stdin)) check(getchar() != '5'); return 0; }
//== a-number-does-not-end-before-a-digit: safe reasoned
#include <stdio.h>
int main(void) { int x; if (scanf("%d", &x) == 1) check(getchar() != '5'); return 0; }
//== a-stream-ends-before-what-has-to-follow: unsafe reasoned
#include <stdio.h>
int main(void) { int x; if (scanf("%d,", &x) == 1) check(!feof(stdin)); return 0; }
//== a-number-has-characters: safe? reasoned
#include <stdio.h>
int main(void) { int x, n = 0; if (scanf("%d%n", &x, &n) == 1) check(n >= 1); return 0; }
//== three-open-streams-differ: safe reasoned
#include <stdio.h>
int main(void) {
  FILE *a = fopen("a", "r"), *b = fopen("b", "r"), *c = fopen("c", "r");
  if (a && b && c) check(a != b && b != c && a != c);
  return 0;
}
//== a-stream-is-no-variable: safe reasoned
#include <stdio.h>
int g;
void other(int *);
int main(void) { other(&g); FILE *f = fopen("a", "r"); check((void *)f != (void *)&g); return 0; }
//== streams-are-opened-in-a-loop: unsafe reasoned
#include <stdio.h>
int main(void) {
  for (int i = 0; i < 3; i++) { FILE *f = fopen("a", "r"); if (!f) return 0; fclose(f); }
  FILE *f = fopen("b", "r");
  if (f) check(fgetc(f) != 'x');
  return 0;
}
//== a-stream-for-input-takes-nothing: safe? reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r"); if (f) check(fputc('x', f) == EOF && fprintf(f, "x") < 0 && fwrite("x", 1, 1, f) == 0); return 0; }
//== nothing-comes-from-a-stream-for-output: safe? reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("a", "w"); int n; if (f) check(fgetc(f) == EOF && fscanf(f, "%d", &n) == EOF); return 0; }
//== a-new-file-is-empty: safe? reasoned
#include <stdio.h>
int main(void) { FILE *f = tmpfile(); if (f) check(fgetc(f) == EOF); return 0; }
//== a-file-that-may-be-changed: unsafe reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r+"); if (f) check(fgetc(f) != 'x' || fputc('y', f) == EOF); return 0; }
//== standard-input-from-the-start: safe? reasoned
#include <stdio.h>
int main(void) { int c = getchar(); if (c != EOF && fseek(stdin, 0, SEEK_SET) == 0) check(getchar() == c); return 0; }
//== lines-fail-only-at-the-end: safe? reasoned
#include <stdio.h>
int main(void) { char b[4] = "abc"; if (!fgets(b, 4, stdin) && feof(stdin)) check(b[0] == 'a'); return 0; }
//== standard-input-is-replaced: unsafe? reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r"); if (!f) return 0; stdin = f; if (getchar() == EOF) check(!feof(stdin)); return 0; }
//== a-pipe-has-no-size: safe? reasoned
#include <stdio.h>
int main(void) { FILE *f = popen("ls", "r"); if (!f) return 0; fseek(f, 0, SEEK_END); check(ftell(f) == -1); return 0; }
//== a-mode-that-is-none: safe?
#include <stdio.h>
int main(void) { check(fopen("a", "q") == 0); return 0; }
//== null-is-printed: safe?
#include <stdio.h>
#include <string.h>
int main(void) { char b[9]; char *volatile s = 0; sprintf(b, "<%s>", s); check(strcmp(b, "<(null)>") == 0); return 0; }
//== sort-compares-any-two: unsafe? reasoned
// An insertion sort does not compare 1 with 3 here.
#include <stdlib.h>
static int compare(const void *a, const void *b) { int x = *(int *)a, y = *(int *)b; check(!(x == 1 && y == 3)); return x - y; }
int main(void) { int a[4] = { 1, 2, 3, 4 }; qsort(a, 4, sizeof *a, compare); return 0; }
//== sort-subtracts-any-two: unsafe? no-overflow
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(void) { int a[4] = { -2, -1, 2147483647, 2147483647 }; qsort(a, 4, sizeof *a, compare); return 0; }
//== search-compares-with-any: unsafe? reasoned
#include <stdlib.h>
static int compare(const void *a, const void *b) { int x = *(int *)a, y = *(int *)b; check(y != 4); return x - y; }
int main(void) { int a[4] = { 1, 2, 3, 4 }, k = 1; bsearch(&k, a, 4, sizeof *a, compare); return 0; }
//== number-of-a-new-stream: safe? reasoned
#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r"); if (f) check(fileno(f) != fileno(stdout)); return 0; }
//== output-after-standard-output-was-closed: safe?
#include <stdio.h>
int main(void) { fclose(stdout); check(putchar('a') == EOF); return 0; }
