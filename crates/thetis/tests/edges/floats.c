//== nan-payload-through-float-assign: both?
#include <string.h>
int main(void) { unsigned u = 0x7fc00123, v; float f, g; memcpy(&f, &u, 4); g = f; memcpy(&v, &g, 4); finally(v == 0x7fc00123); }
//== nan-payload-in-struct-copy: both?
struct s { float f; }; 
int main(void) { struct s a, b; unsigned *p = (unsigned *)&a, *q = (unsigned *)&b; *p = 0x7fc00123; b = a; finally(*q == 0x7fc00123); }
//== sign-of-a-computed-nan: both?
#include <string.h>
int main(void) { volatile float z = 0; float f = z / z; unsigned u; memcpy(&u, &f, 4); finally(u >> 31); }
//== sign-of-the-nan-macro: both?
#include <string.h>
#include <math.h>
int main(void) { float f = NAN; unsigned u; memcpy(&u, &f, 4); finally(!(u >> 31)); }
//== sign-of-a-negated-nan: both?
#include <string.h>
#include <math.h>
int main(void) { float f = -NAN; unsigned u; memcpy(&u, &f, 4); finally(u >> 31); }
//== union-nan-constant: both?
#include <math.h>
union u { float f; unsigned i; };
int main(void) { union u v; v.f = -NAN; finally(v.i == 0xffc00000); }
//== union-nan-copied: both?
union u { float f; unsigned i; };
int main(void) { union u v, w; v.i = 0x7fc00123; w = v; finally(w.i == 0x7fc00123); }
//== union-nan-copied-by-pointer: both?
union u { float f; unsigned i; };
static void cp(union u *a, union u *b) { *a = *b; }
int main(void) { union u v, w; v.i = 0xffc00123; cp(&w, &v); finally(w.i == 0xffc00123); }
//== union-copied-from-bytes-to-variables: both?
#include <string.h>
union u { float f; unsigned i; };
int main(void) { union u v, w; unsigned char b[4] = {1, 2, 3, 4}; memcpy(&v, b, 4); w = v; finally(w.i == 0x04030201); }
//== union-with-unused-member-copied-from-bytes: both
union u { int i; float f; char *p; };
union u g;
int main(void) { char *b = (char *)&g; b[0] = 1; b[1] = 2; union u w = g; finally(w.i == 0x201); }
//== union-with-unused-member-copied-to-bytes: both
union u { int i; float f; };
union u g;
int main(void) { char *b = (char *)&g; union u w; w.i = 0x201; g = w; finally(b[0] == 1 && b[1] == 2); }
//== struct-with-union-passed-by-value: both
struct v { int kind; union { int i; double d; char *s; } u; };
static int get(struct v x) { return x.kind == 0 ? x.u.i : (int)x.u.d; }
int main(void) { struct v a = { 0, { .i = 5 } }, b = { 1, { .d = 2.5 } }; finally(get(a) + get(b) == 7); }
//== struct-of-union-copied-to-array-bytes: both
#include <string.h>
struct v { int kind; union { int i; float f; } u; };
int main(void) { struct v a = { 1, { .f = 1.5f } }; unsigned char raw[sizeof a]; memcpy(raw, &a, sizeof a); struct v b; memcpy(&b, raw, sizeof b); finally(b.kind == 1 && b.u.f == 1.5f); }
//== double-nan-payload: both?
#include <stdint.h>
union u { double d; uint64_t i; };
static union u box(uint32_t x) { union u r; r.i = 0x7ff8000000000000u | x; return r; }
int main(void) { union u a = box(42); finally(a.d != a.d && (uint32_t)a.i == 42); }
//== nan-boxing-by-value: both?
#include <stdint.h>
typedef union { double d; uint64_t i; struct { uint32_t lo, hi; } p; } val;
static val box(uint32_t x) { val r; r.p.hi = 0x7ff80000; r.p.lo = x; return r; }
static int isint(val v) { return v.d != v.d; }
int main(void) { val a[2] = { box(42), { .d = 1.0 } }; val t = a[0]; a[0] = a[1]; a[1] = t; finally(isint(a[1]) && !isint(a[0]) && a[1].p.lo == 42); }
//== signalling-nan-through-double: unsafe?
#include <string.h>
int main(void) { unsigned u = 0x7f800001, v; float f; memcpy(&f, &u, 4); double d = f; f = d; memcpy(&v, &f, 4); check(v == u); }
//== nan-ternary-bits: both?
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { unsigned u = 0x7fc00001; float f; memcpy(&f, &u, 4); float a[2] = { f, 1.0f }; unsigned v; memcpy(&v, a, 4); finally(v == u); }
//== copysign-of-nan: both?
#include <math.h>
int main(void) { double n = copysign(NAN, -1.0); finally(signbit(n) && isnan(n)); }
//== signbit-of-nan: both?
#include <math.h>
int main(void) { double n = NAN; finally(!signbit(n)); }
//== fabs-of-nan: both?
#include <math.h>
int main(void) { double n = fabs(-NAN); finally(!signbit(n)); }
//== fmin-of-zeros: both?
#include <math.h>
int main(void) { volatile double a = 0.0, b = -0.0; finally(!signbit(fmin(a, b))); }
//== fmin-of-zeros-turned-round: both?
#include <math.h>
int main(void) { volatile double a = 0.0, b = -0.0; finally(signbit(fmin(b, a))); }
//== fmaxf-of-zeros: both?
#include <math.h>
int main(void) { volatile float a = 0.0, b = -0.0; finally(signbit(fmaxf(b, a))); }
//== fmax-of-a-zero: both
#include <math.h>
int main(void) { volatile double a = 0.0, b = -1.0; finally(fmax(a, b) == 0 && fmin(b, a) == -1); }
//== signbit-is-not-zero: both
#include <math.h>
int main(void) { volatile double b = -1.0; volatile float f = -0.0f; finally(signbit(b) && signbit(f) && !signbit(1.0)); }
//== signbit-is-not-one: unsafe?
#include <math.h>
int main(void) { volatile double b = -1.0; volatile float f = -1; int s = signbit(b), t = signbit(f); check(s == 1 && t == 1); }
//== isnormal: both
#include <math.h>
int main(void) { finally(isnormal(1.0) && !isnormal(0.0) && !isnormal(1e-310) && isnormal(1e-30f)); }
//== rounding-mode-of-rint: both?
#include <fenv.h>
#include <math.h>
int main(void) { volatile double a = 1.5; if (fesetround(FE_DOWNWARD)) return 0; finally(rint(a) == 1.0); }
//== rounding-mode-of-lrint: both?
#include <fenv.h>
#include <math.h>
int main(void) { volatile double a = 2.5; if (fesetround(FE_UPWARD)) return 0; finally(lrint(a) == 3); }
//== rounding-to-nearest: both
#include <fenv.h>
int main(void) { finally(fegetround() == FE_TONEAREST && fesetround(FE_TONEAREST) == 0); }
//== raised-exception: both?
#include <fenv.h>
int main(void) { feclearexcept(FE_ALL_EXCEPT); volatile double z = 0; z = 1 / z; finally(fetestexcept(FE_DIVBYZERO) != 0); }
//== functions-without-a-model: both?
#include <math.h>
int main(void) { int q; finally(hypotf(3.f, 4.f) == 5.f && ldexpf(1.f, 3) == 8.f && remquo(7.0, 2.0, &q) == -1.0); }
