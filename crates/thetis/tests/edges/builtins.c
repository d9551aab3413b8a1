// Built-in functions of the compiler, atomics, and predefined macros.

//== add-overflow: safe?
int main(void) { int r, x = 2147483647; _Bool o = __builtin_add_overflow(x, 1, &r); check(o && r == -2147483647 - 1); }
//== add-overflow-fits: safe?
int main(void) { int r; check(!__builtin_add_overflow(1, 2, &r) && r == 3); }
//== add-overflow-writes: unsafe?
int main(void) { int r = 0; __builtin_add_overflow(1, 2, &r); check(r == 0); }
//== mul-overflow-into-a-narrow-type: safe?
int main(void) { signed char r; check(__builtin_mul_overflow(100, 2, &r) && r == -56); }
//== sub-overflow-unsigned: safe?
int main(void) { unsigned r, a = 1, b = 2; check(__builtin_sub_overflow(a, b, &r) && r == 4294967295u); }
//== sadd-overflow: safe?
int main(void) { int r; check(__builtin_sadd_overflow(2147483647, 1, &r)); }
//== umull-overflow: safe?
int main(void) { unsigned long r; check(__builtin_umull_overflow(1ul << 63, 2, &r) && r == 0); }
//== clz-ctz: safe?
int main(void) { unsigned x = 0x00f0; check(__builtin_clz(x) == 24 && __builtin_ctz(x) == 4); }
//== clzl-ctzll: safe?
int main(void) { unsigned long x = 1; check(__builtin_clzl(x) == 63 && __builtin_ctzll(x << 40) == 40); }
//== popcount-parity: safe?
int main(void) { unsigned x = 0xff01; check(__builtin_popcount(x) == 9 && __builtin_parity(x) == 1); }
//== ffs-builtin: safe?
int main(void) { check(__builtin_ffs(0) == 0 && __builtin_ffs(12) == 3); }
//== bswap: safe?
int main(void) { check(__builtin_bswap32(0x01020304) == 0x04030201 && __builtin_bswap16(0x0102) == 0x0201); }
//== bswap-wrong: unsafe?
int main(void) { unsigned x = 0x01020304; check(__builtin_bswap32(x) == x); }
//== bswap-64: safe?
int main(void) { check(__builtin_bswap64(0x0102030405060708ul) == 0x0807060504030201ul); }
//== clrsb: safe?
int main(void) { check(__builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31 && __builtin_clrsb(1) == 30); }
//== expect-is-its-argument: safe
int main(void) { int x = 3; check(__builtin_expect(x, 0) == 3); }
//== constant-p-of-a-literal: safe?
int main(void) { check(__builtin_constant_p(5) == 1); }
//== constant-p-of-a-variable: safe?
int main(void) { check(__builtin_constant_p("a") || 1); int x = 2; x++; check(__builtin_constant_p(x) == 0 || __builtin_constant_p(x) == 1); }
//== constant-p-evaluates-nothing: safe?
int main(void) { int n = 0; __builtin_constant_p(n++); check(n == 0); }
//== constant-p-chooses: safe?
int main(void) { int x = 5; int y = __builtin_constant_p(x) ? x + 0 : x; check(y == 5); }
//== choose-expr: safe
int main(void) { check(__builtin_choose_expr(sizeof(int) == 4, 1, (void)0) == 1); }
//== types-compatible: safe
int main(void) { check(__builtin_types_compatible_p(int, const int) && !__builtin_types_compatible_p(int, long)); }
//== types-compatible-of-arrays-and-enums: safe?
enum e { A }; 
int main(void) { check(__builtin_types_compatible_p(int[], int[5]) && !__builtin_types_compatible_p(enum e, int)); }
//== types-compatible-of-functions: safe?
int main(void) { check(__builtin_types_compatible_p(int (*)(int), int (*)(const int)) && !__builtin_types_compatible_p(char *, const char *)); }
//== object-size-of-an-array: safe?
int main(void) { char b[10]; check(__builtin_object_size(b, 0) == 10 || __builtin_object_size(b, 0) == (unsigned long)-1); }
//== unreachable-is-not-reached: safe
int main(void) { int x = 1; switch (x) { case 1: return 0; default: __builtin_unreachable(); } }
//== trap-ends-the-run: safe? reasoned
int main(void) { int x = 1; if (x) __builtin_trap(); reach_error(); }
//== builtin-abort-ends-the-run: safe? reasoned
int main(void) { int x = 1; if (x) __builtin_abort(); reach_error(); }
//== sync-fetch-and-add: safe?
int main(void) { int x = 1; check(__sync_fetch_and_add(&x, 2) == 1 && x == 3); }
//== sync-fetch-and-add-wrong: unsafe?
int main(void) { int x = 1; __sync_fetch_and_add(&x, 2); check(x == 1); }
//== sync-compare-and-swap: safe?
int main(void) { int x = 1; check(__sync_bool_compare_and_swap(&x, 1, 5) && x == 5 && !__sync_bool_compare_and_swap(&x, 1, 7) && x == 5); }
//== sync-val-compare-and-swap: unsafe?
int main(void) { long x = 1; long o = __sync_val_compare_and_swap(&x, 1, 9); check(o == 1 && x == 1); }
//== sync-lock-test-and-set: safe?
int main(void) { int l = 0; check(__sync_lock_test_and_set(&l, 1) == 0 && l == 1); __sync_lock_release(&l); check(l == 0); }
//== sync-and-or-xor: safe?
int main(void) { unsigned x = 12; check(__sync_or_and_fetch(&x, 3) == 15 && __sync_fetch_and_and(&x, 6) == 15 && __sync_xor_and_fetch(&x, 1) == 7); }
//== atomic-load-store: safe?
int main(void) { int x = 1; __atomic_store_n(&x, 4, __ATOMIC_SEQ_CST); check(__atomic_load_n(&x, __ATOMIC_RELAXED) == 4); }
//== atomic-add-fetch: unsafe?
int main(void) { int x = 1; __atomic_add_fetch(&x, 4, __ATOMIC_SEQ_CST); check(x == 1); }
//== atomic-compare-exchange: safe?
int main(void) { int x = 1, e = 2; check(!__atomic_compare_exchange_n(&x, &e, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && e == 1 && x == 1); }
//== atomic-exchange: safe?
int main(void) { int x = 1; check(__atomic_exchange_n(&x, 2, __ATOMIC_ACQ_REL) == 1 && x == 2); }
//== atomic-test-and-set: safe?
int main(void) { char b = 0; check(!__atomic_test_and_set(&b, __ATOMIC_SEQ_CST) && __atomic_test_and_set(&b, __ATOMIC_SEQ_CST)); }
//== atomic-type: safe?
#include <stdatomic.h>
int main(void) { _Atomic int x = 1; x += 2; atomic_fetch_add(&x, 3); check(atomic_load(&x) == 6); }
//== predefined-sizes: safe?
int main(void) { check(__SIZEOF_INT__ == sizeof(int) && __CHAR_BIT__ == 8 && __INT_MAX__ == 2147483647); }
//== predefined-types: safe?
__SIZE_TYPE__ n = -1; __PTRDIFF_TYPE__ d = -1;
int main(void) { check(sizeof n == 8 && n > 0 && d < 0); }
//== predefined-endianness: safe?
int main(void) { int x = 1; check((__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) == *(char *)&x); }
//== function-name: safe?
int main(void) { check(__func__[0] == 'm' && sizeof __func__ == 5 && __FUNCTION__[3] == 'n'); }
//== line-and-counter: safe?
int main(void) { int l = __LINE__; check(l > 0 && __LINE__ == l); }
//== stdc-version: safe?
int main(void) { check(__STDC__ == 1 && __STDC_VERSION__ >= 199901L); }
//== builtin-isnan: safe?
int main(void) { double n = __builtin_nan(""); check(__builtin_isnan(n) && !__builtin_isnan(1.0) && __builtin_isinf_sign(-__builtin_inf()) == -1); }
//== builtin-fabs-copysign: safe?
int main(void) { check(__builtin_fabs(-2.0) == 2.0 && __builtin_copysign(1.0, -0.0) == -1.0); }
//== builtin-isless-with-nan: safe?
int main(void) { double n = __builtin_nan(""); check(!__builtin_isless(n, 1.0) && __builtin_isunordered(n, 1.0) && __builtin_isgreater(2.0, 1.0)); }
//== builtin-strlen-strcmp: safe?
int main(void) { check(__builtin_strlen("abc") == 3 && __builtin_strcmp("a", "b") < 0); }
//== builtin-printf-returns: safe?
int main(void) { check(__builtin_printf("ab\n") == 3); }
//== builtin-alloca-blocks-differ: safe?
int main(void) { int *a = __builtin_alloca(4), *b = __builtin_alloca(4); *a = 1; *b = 2; check(*a == 1 && a != b); }
//== int128-arithmetic: safe?
int main(void) { unsigned __int128 x = 1; x <<= 100; check((unsigned long)(x >> 64) == 1ul << 36); }
//== complex-numbers: safe?
int main(void) { double _Complex z = 1.0 + 2.0i; z *= z; check(__real__ z == -3.0 && __imag__ z == 4.0); }
//== statement-expression-value: safe
int main(void) { int x = ({ int y = 3; y + 1; }); check(x == 4); }
//== elvis-evaluates-once: safe
static int n; static int next(void) { return ++n; }
int main(void) { int r = next() ?: 5; check(r == 1 && n == 1); }
//== case-range: safe
int main(void) { int c = 'k', r = 0; switch (c) { case 'a' ... 'j': r = 1; break; case 'k' ... 'z': r = 2; } check(r == 2); }
//== typeof-keeps-the-type: safe
int main(void) { unsigned char c = 255; __typeof__(c) d = c + 1; check(d == 0); }
//== inline-assembly-is-a-limit: unsafe? reasoned
int main(void) { int x = 1; __asm__("movl $2, %0" : "=r"(x)); check(x == 1); }
//== inline-assembly-with-memory: unsafe? reasoned
int main(void) { int x = 1; int *p = &x; __asm__ volatile("movl $2, (%0)" : : "r"(p) : "memory"); check(x == 1); }
//== file-scope-assembly: unsafe? reasoned
__asm__(".globl helper\nhelper: movl $7, %eax\nret"); extern int helper(void);
int main(void) { check(helper() == 0); }
//== return-address-is-anything: unsafe? reasoned
int main(void) { check(__builtin_return_address(0) == 0); }
//== declared-with-a-smaller-parameter: unsafe?
long labs(int);
int main(void) { volatile int n = -3; check(labs(n) == 3); }
//== declared-with-a-smaller-parameter-for-a-positive-number: both
int strncmp(const char *, const char *, int);
int main(void) { volatile int n = 2; finally(strncmp("abc", "abd", n) == 0); }
//== declared-with-a-parameter-of-less-precision: unsafe?
double sqrt(float);
int main(void) { volatile float x = 4; check(sqrt(x) == 2); }
//== declared-with-a-result-of-less-precision: unsafe?
float fabs(double);
int main(void) { volatile double x = -4; check(fabs(x) == 4); }
//== declared-as-they-are: both
double sqrt(double); float sqrtf(float); long double sqrtl(long double); double fmod(double, double);
int main(void) { volatile float x = 4; finally(sqrt(x) == 2 && sqrtf(x) == 2 && sqrtl(x) == 2 && fmod(x, 3) == 1); }
//== parameters-of-the-compilers-functions: both
int main(void) { volatile int n = -1; finally(__builtin_popcountll(n) == 64 && __builtin_bswap16(0x10100) == 1); }
//== functions-of-the-compiler-convert: both
static int last(int n) {
  char *block = (char *)__builtin_alloca(n);
  block[n - 1] = 1;
  return block[n - 1];
}
int main(void) { finally(last(8) == 1); }
