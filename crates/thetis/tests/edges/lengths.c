// Numbers of bytes: lengths that are negative or too large, blocks that cannot exist, and copies between objects that overlap.

//== memset-of-a-negative-length: unsafe valid-memsafety reasoned
// The length of the run is an input.
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) { char a[4]; int n = __VERIFIER_nondet_int(); if (n > 4) return 0; memset(a, 0, n); return 0; }
//== memset-of-a-length-in-range: safe valid-memsafety reasoned
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) { char a[4]; int n = __VERIFIER_nondet_int(); if (n < 0 || n > 4) return 0; memset(a, 0, n); return 0; }
//== memcpy-of-a-negative-length: unsafe valid-memsafety reasoned
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) { char a[4], b[4] = { 0 }; int n = __VERIFIER_nondet_int(); if (n > 4) return 0; memcpy(a, b, n); return 0; }
//== memcpy-into-a-block-of-a-negative-length: unsafe valid-memsafety reasoned
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  char *a = malloc(4), b[4] = { 0 }; int n = __VERIFIER_nondet_int();
  if (n <= 4) memcpy(a, b, n);
  free(a); return 0;
}
//== memmove-of-a-negative-length: unsafe valid-memsafety reasoned
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) { char a[4] = { 0 }; int n = __VERIFIER_nondet_int(); if (n > 3) return 0; memmove(a, a + 1, n); return 0; }
//== memset-of-the-largest-length: unsafe valid-memsafety
#include <string.h>
int main(void) { char a[4]; memset(a, 0, -1); return 0; }
//== memset-of-a-length-below-zero: unsafe valid-memsafety
#include <string.h>
int main(void) { char a[8]; volatile unsigned long n = 0; memset(a, 0, n - 1); return 0; }
//== malloc-of-too-much-is-null: both
#include <stdlib.h>
int main(void) { char *p = malloc((size_t)-1); finally(p == 0); return 0; }
//== malloc-of-too-much-sets-errno: both
#include <errno.h>
#include <stdlib.h>
int main(void) { errno = 0; char *p = malloc((size_t)-1); finally(errno == ENOMEM); return 0; }
//== calloc-of-too-much-is-null: both
#include <stdlib.h>
int main(void) { char *p = calloc((size_t)-1, 8); finally(p == 0); return 0; }
//== calloc-of-a-product-that-wraps-is-null: both
#include <stdlib.h>
int main(void) { char *p = calloc(((size_t)1 << 62) + 1, 4); finally(p == 0); return 0; }
//== malloc-of-a-negative-number: unsafe valid-memsafety reasoned
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); if (n == 0 || n > 3) return 0; char *p = malloc(n); *p = 1; free(p); return 0; }
//== malloc-of-a-negative-number-is-looked-at: safe valid-memsafety reasoned
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(); if (n == 0 || n > 3) return 0;
  char *p = malloc(n); if (!p) return 0;
  *p = 1; free(p); return 0;
}
//== calloc-that-wraps-is-looked-at: safe valid-memsafety reasoned
// The sanitizer reports the call.
#include <stdlib.h>
int main(void) { int *p = calloc(((size_t)1 << 62) + 1, 4); if (!p) return 0; p[1] = 1; free(p); return 0; }
//== malloc-of-a-product-that-wraps: unsafe valid-memsafety
#include <stdlib.h>
int main(void) { int *p = malloc((((size_t)1 << 62) + 1) * 4); if (!p) return 0; p[1] = 1; free(p); return 0; }
//== realloc-of-a-negative-number-keeps-the-block: safe valid-memsafety reasoned
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(); if (n == 0) return 0;
  char *p = malloc(4); *p = 1;
  char *q = realloc(p, n); if (!q) { *p = 2; free(p); return 0; }
  *q = 1; free(q); return 0;
}
//== realloc-of-a-negative-number-loses-the-block: unsafe valid-memsafety reasoned
#include <stdlib.h>
int main(void) { volatile int n = -1; char *p = malloc(4); p = realloc(p, n); free(p); return 0; }
//== memcpy-of-overlapping-bytes: unsafe? valid-memsafety reasoned
#include <string.h>
int main(void) { char a[8] = "abcdefg"; memcpy(a + 1, a, 4); return a[0]; }
//== memcpy-of-overlapping-bytes-has-no-value: unsafe? reasoned
#include <string.h>
int main(void) { char a[8] = "abcdefg"; memcpy(a + 1, a, 4); check(a[2] == 'b'); return 0; }
//== memcpy-of-the-same-bytes: safe valid-memsafety
#include <string.h>
int main(void) { char a[8] = "abcdefg"; memcpy(a, a, 8); return a[0]; }
//== memcpy-of-bytes-side-by-side: safe valid-memsafety
#include <string.h>
int main(void) { char a[8] = "abcdefg"; memcpy(a + 4, a, 4); return a[0]; }
//== strcpy-of-overlapping-text: unsafe? valid-memsafety reasoned
#include <string.h>
int main(void) { char a[8] = "abc"; strcpy(a, a + 1); return a[0]; }
//== strcpy-of-text-further-away: safe valid-memsafety
#include <string.h>
int main(void) { char a[16] = "abc"; strcpy(a + 8, a); return a[8]; }
//== strncpy-of-overlapping-text: unsafe? valid-memsafety reasoned
#include <string.h>
int main(void) { char a[8] = "abc"; strncpy(a, a + 2, 4); return a[0]; }
//== strncat-of-overlapping-text: unsafe? valid-memsafety reasoned
#include <string.h>
int main(void) { char a[8] = "abc"; strncat(a, a, 3); return a[0]; }
//== memcmp-reads-all: unsafe valid-memsafety reasoned
#include <string.h>
int main(void) { char a[3] = { 1, 2, 3 }, b[8] = { 5 }; return memcmp(a, b, 8) != 0; }
//== memcmp-of-what-is-there: safe valid-memsafety
#include <string.h>
int main(void) { char a[3] = { 1, 2, 3 }, b[8] = { 5 }; return memcmp(a, b, 3) != 0; }
//== memmem-reads-all: unsafe? valid-memsafety reasoned
#define _GNU_SOURCE
#include <string.h>
int main(void) { char a[3] = { 1, 2, 3 }; return memmem(a, 4, a, 1) != 0; }
//== index-leaves-a-row: unsafe valid-bounds reasoned
int main(void) { int a[2][3] = { 0 }; volatile int i = 3; return a[0][i]; }
//== index-leaves-a-row-behind-a-pointer: unsafe valid-bounds reasoned
int main(void) { int a[2][3] = { 0 }, (*p)[3] = a; volatile int i = 3; return (*p)[i]; }
//== index-in-a-row: safe valid-bounds reasoned
int main(void) { int a[2][3] = { 0 }, s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) s += a[i][j]; return s; }
//== index-leaves-a-row-inside-of-the-object: safe valid-memsafety reasoned
int main(void) { int a[2][3] = { 0 }; volatile int i = 3; return a[0][i & 3]; }
