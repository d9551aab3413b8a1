// Conversions, promotions and floating-point arithmetic.

//== usual-arithmetic-conversions: safe
int main(void) { check(-1 > 0u && -1 < 0l && (unsigned char)255 + 1 == 256); }
//== int-plus-unsigned-is-unsigned: safe
int main(void) { int a = -5; unsigned b = 3; check(a + b > 100); }
//== long-plus-unsigned-is-long: safe
int main(void) { long a = -5; unsigned b = 3; check(a + b == -2); }
//== conditional-has-the-common-type: safe
int main(void) { int c = 1; check((c ? -1 : 0u) > 0); }
//== comparison-in-float: safe
int main(void) { int i = 16777217; float f = 16777216.0f; check((float)i == f && i == f); }
//== double-keeps-an-int: safe
int main(void) { int i = 16777217; double d = i; check(d != 16777216.0 && (int)d == i); }
//== long-to-double-rounds: safe?
int main(void) { long l = 9007199254740993; double d = l; check((long)d == 9007199254740992); }
//== unsigned-to-float: safe?
int main(void) { unsigned u = 4294967295u; float f = u; check(f == 4294967296.0f); }
//== float-sum-is-not-associative: safe?
int main(void) { float a = 1e8f, b = -1e8f, c = 1.0f; check((a + b) + c == 1.0f && a + (b + c) == 0.0f); }
//== tenth-times-three: safe?
int main(void) { double a = 0.1, b = 0.2; check(a + b != 0.3); }
//== division-by-zero-of-floats: safe?
int main(void) { double z = 0.0; check(1.0 / z > 1e308 && -1.0 / z < -1e308); }
//== minus-zero: safe?
int main(void) { double z = 0.0; check(-z == z && 1.0 / -z < 0); }
//== long-double-is-wider: safe?
int main(void) { long double a = 1.0L, e = 0x1p-60L; check(a + e != a && 1.0 + 0x1p-60 == 1.0); }
//== float-to-unsigned-char: safe
int main(void) { float f = 65.9f; unsigned char c = f; check(c == 65); }
//== float-condition: safe
int main(void) { double d = 0.5; check(d ? 1 : 0); if (!d) reach_error(); }
//== float-to-bool: safe
int main(void) { _Bool b = 0.25; check(b == 1); }
//== pointer-to-bool: safe
int main(void) { int x; _Bool b = &x; check(b); int *p = 0; _Bool c = p; check(!c); }
//== bool-arithmetic: safe
int main(void) { _Bool b = 1; b++; check(b == 1); b = b - 1; check(b == 0); b--; check(b == 1); }
//== char-comparison: safe
int main(void) { char c = '\x80'; unsigned char u = c; check(c != u && c < 0 && u == 128); }
//== short-subtraction: safe
int main(void) { unsigned short a = 1, b = 2; check(a - b == -1); }
//== truncation-of-assignment: safe
int main(void) { unsigned char c; int r = (c = 300); check(r == 44); }
//== compound-assignment-in-the-wider-type: safe
int main(void) { unsigned char c = 200; c += 100; check(c == 44); c = 200; c = c * 2 / 2; check(c == 200); }
//== compound-assignment-with-a-float: safe?
int main(void) { int x = 3; x *= 1.5; check(x == 4); }
//== division-truncates: safe
int main(void) { int a = -7, b = 2; check(a / b == -3 && a % b == -1 && 7 % -2 == 1); }
//== unsigned-division: safe
int main(void) { unsigned a = -7; check(a / 2 == 2147483644u); }
//== shift-result-has-the-left-type: safe
int main(void) { unsigned char c = 1; long n = 4; check(sizeof(c << n) == 4 && c << n == 16); }
//== negative-modulo-unsigned: safe
int main(void) { int a = -1; unsigned m = 3; check(a % m == 0); }
//== enum-is-unsigned-if-it-can: safe?
enum e { A, B };
int main(void) { enum e v = A; check(v - 1 > 0 || (int)v - 1 < 0); check((enum e)-1 > 0); }
//== int128-multiplication: safe?
int main(void) { unsigned long a = ~0ul; unsigned __int128 p = (unsigned __int128)a * a; check((unsigned long)(p >> 64) == a - 1 && (unsigned long)p == 1); }
//== int128-division: safe?
int main(void) { __int128 x = -100; x /= 7; check(x == -14); }
//== float-equality-after-store: safe?
int main(void) { double d = 0.1; float f = d; check(f != d && (double)f == f); }
//== int-to-pointer-zero: safe
int main(void) { int *p = (int *)0; check(!p && p == 0); }
//== float-loop: safe?
int main(void) { float s = 0; for (int i = 0; i < 4; i++) s += 0.25f; check(s == 1.0f); }
//== nan-comparisons-in-conditions: safe?
int main(void) { double n = 0.0 / 0.0; int r = n < 1 || n >= 1 || n == n; check(r == 0); }
//== comparison-chain: safe
int main(void) { int a = 3, b = 2, c = 1; check((a > b > c) == 0); }
//== assignment-of-a-comparison: safe
int main(void) { int a = 5 > 3; long b = (3 == 3) << 3; check(a == 1 && b == 8); }
//== logical-not-is-int: safe
int main(void) { long x = 1l << 40; check(!x == 0 && !!x == 1 && sizeof !x == 4); }
//== bitwise-not-of-a-short: safe
int main(void) { unsigned short s = 0; check(~s == -1 && (unsigned short)~s == 65535); }
//== switch-on-a-long: safe
int main(void) { long x = 1l << 32; switch (x) { case 0: reach_error(); case 1l << 32: return 0; } reach_error(); }
//== switch-promotes: safe
int main(void) { unsigned char c = 255; switch (c) { case -1: reach_error(); case 255: return 0; } reach_error(); }
//== duff-like-switch: safe
int main(void) { int n = 0, k = 3; switch (k % 4) { do { case 0: n++; case 3: n++; case 2: n++; case 1: n++; } while ((k -= 4) > 0); } check(n == 3); }
//== unsigned-loop-down: safe
int main(void) { unsigned n = 0; for (unsigned i = 3; i-- > 0;) n += i; check(n == 3); }
//== comma-in-for: safe
int main(void) { int i, j; for (i = 0, j = 9; i < j; i++, j--) ; check(i == 5 && j == 4); }
//== goto-into-a-loop: safe
int main(void) { int i = 2, n = 0; goto in; for (i = 0; i < 4; i++) { in: n++; } check(n == 2); }
//== least-number-by-minus-one-wraps: safe reasoned
// The convention for what is undefined; processors differ.
int main(void) { int x = -2147483647 - 1, y = -1; check(x / y == x && x % y == 0); }
//== violation-after-an-undefined-conversion: safe? reasoned
// The number does not fit, so nothing is known about it, and a violation that depends on it is none.
int main(void) { double d = 3e9; int i = (int)d; check(i == 5); }
//== truth-of-a-narrowing-cast: both
int main(void) { int x = 256, r = 1; if ((unsigned char)x) r = 2; while ((char)x) { r = 3; break; } finally(r == 1 && !(char)x); }
//== distance-backwards: both
int main(void) { int s = 2, a[8], *p = a + (1 << s), *q = a + 1; finally(q - p == -3); }
//== pointer-steps-back: both
int main(void) { int a[3] = { 1, 2, 3 }, *p = a + 2, s = 0; while (p != a) { s = s * 10 + *p; p--; } finally(s == 32 && *p == 1); }
