// Signed overflow. The undefined-behaviour sanitizer is the judge.

//== addition: unsafe no-overflow
int main(void) { int x = 2147483647; x = x + 1; return 0; }
//== unsigned-addition: safe no-overflow
int main(void) { unsigned x = 4294967295u; x = x + 1; return 0; }
//== short-increment-converts: safe no-overflow
int main(void) { short x = 32767; x++; return 0; }
//== char-multiplication-in-int: safe no-overflow
int main(void) { signed char a = 127, b = 127; int c = a * b; return 0; }
//== unsigned-short-multiplication: unsafe no-overflow
int main(void) { unsigned short a = 65535, b = 65535; unsigned c = a * b; return 0; }
//== negation: unsafe no-overflow
int main(void) { int x = -2147483647 - 1; x = -x; return 0; }
//== division: unsafe no-overflow reasoned
int main(void) { int x = -2147483647 - 1, y = -1; x = x / y; return 0; }
//== abs-of-the-minimum: unsafe? no-overflow reasoned
int abs(int);
int main(void) { int x = -2147483647 - 1; x = abs(x); return 0; }
//== long-addition: unsafe no-overflow
int main(void) { long x = 9223372036854775807; x += 1; return 0; }
//== long-addition-fits: safe no-overflow
int main(void) { long x = 2147483647; x += 1; return 0; }
//== bit-field-increment: safe? no-overflow
struct s { int a : 3; };
int main(void) { struct s v = { 3 }; v.a++; return 0; }
//== bit-field-promotes-to-int: unsafe? no-overflow
struct s { unsigned a : 31; };
int main(void) { struct s v = { 2147483647 }; int r = v.a + 1; return 0; }
//== bit-field-comma-promotes-to-int: unsafe? no-overflow
struct s { unsigned a : 31; };
int main(void) { struct s v = { 2147483647 }; int r = (0, v.a) + 1; return 0; }
//== conversion-is-no-overflow: safe no-overflow
int main(void) { long x = 4294967296; int y = (int)x; return 0; }
//== float-conversion-is-no-overflow: safe? no-overflow reasoned
int main(void) { double x = 1e10; float y = x; return y > 0 ? 0 : 1; }
//== compound-multiplication: unsafe no-overflow
int main(void) { int x = 65536; x *= x; return 0; }
//== decrement: unsafe no-overflow
int main(void) { int x = -2147483647 - 1; x--; return 0; }
//== index-arithmetic: safe no-overflow
int main(void) { int a[3] = { 0 }; int i = 2; return a[i - 2]; }
//== ternary-avoids: safe no-overflow reasoned
extern int input(void);
int main(void) { int x = input(); int y = x < 2147483647 ? x + 1 : x; return 0; }
//== guard-is-too-late: unsafe no-overflow reasoned
extern int input(void);
int main(void) { int x = input(); int y = x + 1; if (y < x) return 1; return 0; }
//== rand-times-four: unsafe? no-overflow reasoned
#include <stdlib.h>
int main(void) { int x = rand() * 4; return 0; }
//== rand-halved: safe? no-overflow reasoned
#include <stdlib.h>
int main(void) { int x = rand() / 2 + 1; return 0; }
//== getchar-minus-zero: safe? no-overflow reasoned
#include <stdio.h>
int main(void) { int x = getchar() - '0'; return 0; }
//== atoi-plus-one: unsafe? no-overflow reasoned
#include <stdlib.h>
int main(int argc, char **argv) { if (argc > 1) { int x = atoi(argv[1]); x = x + 1; } return 0; }
//== strlen-as-int: safe? no-overflow
#include <string.h>
int main(void) { int n = strlen("abc") + 1; return n - 4; }
//== enum-arithmetic: unsafe? no-overflow
enum e { A = -1, B = 2147483647 };
int main(void) { enum e v = B; int x = v + 1; return 0; }
//== builtin-add-overflow-is-defined: safe? no-overflow
int main(void) { int r; int x = 2147483647; if (__builtin_add_overflow(x, 1, &r)) return 0; return 1; }
//== shift-by-too-much-is-no-overflow-question: safe? no-overflow reasoned
int main(void) { unsigned x = 1; unsigned s = 5; x = x << s; return 0; }
//== constructor-overflows: unsafe? no-overflow
static int n = 2147483647; __attribute__((constructor)) static void start(void) { n++; }
int main(void) { return 0; }
//== atexit-overflows: unsafe? no-overflow
#include <stdlib.h>
static int n = 2147483647; static void last(void) { n++; }
int main(void) { atexit(last); return 0; }
//== int128-product-fits: safe? no-overflow
int main(void) { long a = 9223372036854775807; __int128 p = (__int128)a * a; return 0; }
//== callback-overflows: unsafe? no-overflow reasoned
extern void each(int (*f)(int));
static int twice(int x) { return x * 2; }
int main(void) { each(twice); return 0; }
//== product-that-is-small-again-in-33-bits: unsafe no-overflow
int main(void) { int s = 3, x = 12500 << s; return x * x != 0; }
