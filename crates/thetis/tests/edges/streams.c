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
//== qsort-of-texts: safe
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
