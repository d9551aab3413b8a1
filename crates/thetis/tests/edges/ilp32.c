// The data model with 32 bits.

//== index-wraps: safe? ILP32
int main(void) { int a[4] = { 1, 2, 3, 4 }; int *p = a + 3; check(*(p + (unsigned)-2) == 2); }
//== index-wraps-and-writes: unsafe? ILP32
int main(void) { int a[4] = { 1, 2, 3, 4 }; int *p = a + 3; *(p + (unsigned)-2) = 9; check(a[1] == 2); }
//== subscript-wraps: safe? ILP32
int main(void) { char a[4] = "abc"; char *p = a + 2; unsigned i = -1u; check(p[i] == 'b'); }
//== size-wraps: safe ILP32
int main(void) { unsigned n = 0x40000001u; check(n * sizeof(int) == 4); }
//== sizes: safe ILP32
int main(void) { check(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8 && sizeof(long double) == 12); }
//== alignment-of-long-long: safe ILP32
struct s { char c; long long l; };
int main(void) { check(sizeof(struct s) == 12 && __builtin_offsetof(struct s, l) == 4); }
//== alignment-of-double: safe ILP32
struct s { char c; double d; };
int main(void) { check(sizeof(struct s) == 12 && _Alignof(double) == 8 || _Alignof(double) == 4); }
//== pointer-to-unsigned-and-back: safe? ILP32
int main(void) { int x = 1; unsigned n = (unsigned)&x; *(int *)n = 2; check(x == 2); }
//== pointer-to-unsigned-and-back-writes: unsafe? ILP32
int main(void) { int x = 1; unsigned n = (unsigned)&x; *(int *)n = 2; check(x == 1); }
//== pointer-truncated-to-short: unsafe? ILP32 reasoned
static char a[70000], b[70000];
int main(void) { unsigned short x = (unsigned)&a[0], y = (unsigned)&a[65536]; check(x != y); }
//== pointers-as-unsigned-differ: safe? ILP32
int main(void) { int x, y; check((unsigned)&x != (unsigned)&y); }
//== addresses-in-an-array-are-consecutive: safe? ILP32
int main(void) { int a[3]; check((unsigned)&a[2] - (unsigned)&a[0] == 8); }
//== long-overflow-wraps: safe ILP32
int main(void) { unsigned long x = 0xffffffffUL; x++; check(x == 0); }
//== int-constant-types: safe ILP32
int main(void) { check(sizeof 2147483648 == 8 && sizeof 0x80000000 == 4 && 0x80000000 > 0); }
//== size-t-difference: safe ILP32
int main(void) { check(sizeof(int) - 5 > 0 && sizeof(sizeof 1) == 4); }
//== ptrdiff-is-int: safe ILP32
int main(void) { int a[3]; check(sizeof(&a[1] - &a[0]) == 4); }
//== long-bit-field: safe ILP32
struct s { long a : 32; };
int main(void) { struct s v = { -1 }; check(v.a == -1 && sizeof v == 4); }
//== shift-of-long: safe ILP32
int main(void) { long x = 1; check((x << 31) < 0); }
//== large-static-array: safe? ILP32
static char a[0x7ffffff0u];
int main(void) { a[0x7fffffefu] = 1; check(a[0x7fffffefu] == 1 && a[0] == 0); }
//== large-array-end-pointer: safe? ILP32
static char a[0x7ffffff0u];
int main(void) { char *e = a + 0x7ffffff0u; check(e > a && e - a == 0x7ffffff0); }
//== implicit-long-arithmetic: safe ILP32
int main(void) { long a = 2147483647; unsigned b = 1; check(a + b == 2147483648u); }
//== pointer-truncated-in-lp64: unsafe? reasoned
// The low 32 bits of two addresses may be equal.
extern int *p, *q;
int main(void) { check(p == q || (unsigned)(unsigned long)p != (unsigned)(unsigned long)q); }
//== pointer-truncated-to-a-byte-in-lp64: unsafe?
static char a[257];
int main(void) { check((unsigned char)(unsigned long)&a[0] != (unsigned char)(unsigned long)&a[256]); }
//== pointer-truncated-compared-in-one-array: safe?
static int a[4];
int main(void) { check((unsigned)(unsigned long)&a[1] - (unsigned)(unsigned long)&a[0] == 4); }
//== index-of-negative-int-in-lp64: safe
int main(void) { int a[4] = { 1, 2, 3, 4 }, *p = a + 3; int i = -2; check(p[i] == 2); }
//== unsigned-index-does-not-wrap-in-lp64: safe
int main(void) { int a[4] = { 1, 2, 3, 4 }; unsigned i = 3; check(a[i - 1] == 3); }
