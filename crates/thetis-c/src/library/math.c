/* math.h. What IEEE 754 defines (floor, sqrt, fmin, isnan, ...) is built in. Other functions are exact where steps that do
   not round lead to the result, and approximations with the range of the function otherwise. */

double __thetis_copysign(double x, double y) {
  double size = __builtin_fabs(x);
  return __builtin_signbit(y) ? -size : size;
}
float __thetis_copysignf(float x, float y) {
  float size = __builtin_fabsf(x);
  return __builtin_signbit(y) ? -size : size;
}
long double __thetis_copysignl(long double x, long double y) {
  long double size = __builtin_fabsl(x);
  return __builtin_signbit(y) ? -size : size;
}

/* The square root is built in, but for the error number. */
double __thetis_root(double);
float __thetis_rootf(float);
long double __thetis_rootl(long double);
double __thetis_sqrt(double x) {
  if (__thetis_sees_errno() && x < 0) __thetis_errno = 33;
  return __thetis_root(x);
}
float __thetis_sqrtf(float x) {
  if (__thetis_sees_errno() && x < 0) __thetis_errno = 33;
  return __thetis_rootf(x);
}
long double __thetis_sqrtl(long double x) {
  if (__thetis_sees_errno() && x < 0) __thetis_errno = 33;
  return __thetis_rootl(x);
}

double __thetis_fdim(double x, double y) {
  double result = x <= y ? 0.0 : x - y;
  if (__thetis_sees_errno() && __builtin_isinf(result) && x - x == 0 && y - y == 0) __thetis_errno = 34;
  return result;
}
float __thetis_fdimf(float x, float y) {
  float result = x <= y ? 0.0f : x - y;
  if (__thetis_sees_errno() && __builtin_isinf(result) && x - x == 0 && y - y == 0) __thetis_errno = 34;
  return result;
}

/* Long division: the greatest y * 2^k that is not more is subtracted, which never rounds. */
static long double __thetis_remaining(long double x, long double y) {
  while (x >= y) {
    long double part = y;
    while (part <= x - part) part += part;
    x -= part;
  }
  return x;
}
long double __thetis_fmodl(long double x, long double y) {
  if (x != x || y != y || y == 0 || __builtin_isinf(x)) {
    if (x == x && y == y) __thetis_errno = 33;
    return __builtin_nanl("");
  }
  if (__builtin_isinf(y)) return x;
  long double rest = __thetis_remaining(__builtin_fabsl(x), __builtin_fabsl(y));
  return __builtin_signbit(x) ? -rest : rest;
}
double __thetis_fmod(double x, double y) {
  if (x != x || y != y || y == 0 || __builtin_isinf(x)) {
    if (x == x && y == y) __thetis_errno = 33;
    return __builtin_nan("");
  }
  if (__builtin_isinf(y)) return x;
  double rest = __builtin_fabs(x), size = __builtin_fabs(y);
  while (rest >= size) {
    double part = size;
    while (part <= rest - part) part += part;
    rest -= part;
  }
  return __builtin_signbit(x) ? -rest : rest;
}
float __thetis_fmodf(float x, float y) { return __thetis_fmod(x, y); }

/* The rest of least size; a tie goes to the even quotient. */
double __thetis_remainder(double x, double y) {
  if (x != x || y != y || y == 0 || __builtin_isinf(x)) {
    if (x == x && y == y) __thetis_errno = 33;
    return __builtin_nan("");
  }
  if (__builtin_isinf(y)) return x;
  double size = __builtin_fabs(y), rest = __builtin_fabs(x);
  if (size < 0x1p1023) rest = __thetis_fmod(rest, size + size);
  if (rest > size - rest) {
    rest -= size;
    if (rest >= 0 && rest >= size - rest) rest -= size;
  }
  return __builtin_signbit(x) ? -rest : rest;
}
float __thetis_remainderf(float x, float y) { return __thetis_remainder(x, y); }
double __thetis_drem(double x, double y) { return __thetis_remainder(x, y); }

/* A number is m * 2^e with 0.5 <= |m| < 1. */
double __thetis_frexp(double x, int *exponent) {
  int e = 0;
  if (x != 0 && x - x == 0) {
    for (; x >= 1 || x <= -1; e++) x *= 0.5;
    for (; x < 0.5 && x > -0.5; e--) x *= 2;
  }
  *exponent = e;
  return x;
}
float __thetis_frexpf(float x, int *exponent) { return __thetis_frexp(x, exponent); }
long double __thetis_frexpl(long double x, int *exponent) {
  int e = 0;
  if (x != 0 && x - x == 0) {
    for (; x >= 1 || x <= -1; e++) x *= 0.5L;
    for (; x < 0.5L && x > -0.5L; e--) x *= 2;
  }
  *exponent = e;
  return x;
}
int __thetis_ilogb(double x) {
  int e;
  if (x - x != 0 || x == 0) __thetis_errno = 33;
  if (x == 0) return -2147483647 - 1;
  if (x != x) return -2147483647 - 1;
  if (x - x != 0) return 2147483647;
  __thetis_frexp(x, &e);
  return e - 1;
}
double __thetis_logb(double x) {
  if (x == 0) return -__builtin_inf();
  if (x != x) return x;
  if (x - x != 0) return __builtin_inf();
  int e;
  __thetis_frexp(x, &e);
  return e - 1;
}

/* A power of two that is a normal number. */
static double __thetis_power_of_two(int n) {
  double result = 1;
  for (; n > 0; n--) result *= 2;
  for (; n < 0; n++) result *= 0.5;
  return result;
}
/* In steps of which only the last one may round. */
static double __thetis_scale(double x, int n) {
  for (int i = 0; i < 2 && n > 1023; i++) {
    x *= 0x1p1023;
    n -= 1023;
  }
  for (int i = 0; i < 2 && n < -1022; i++) {
    x *= 0x1p-969;
    n += 969;
  }
  return x * __thetis_power_of_two(n > 1023 ? 1023 : n < -1022 ? -1022 : n);
}
double __thetis_ldexp(double x, int n) {
  if (x == 0 || x - x != 0) return x;
  double result = __thetis_scale(x, n);
  if (result == 0 || result - result != 0) __thetis_errno = 34;
  return result;
}
double __thetis_scalbn(double x, int n) { return __thetis_ldexp(x, n); }
double __thetis_scalbln(double x, long n) {
  return __thetis_ldexp(x, n > 5000 ? 5000 : n < -5000 ? -5000 : n);
}

double __thetis_modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  if (x != x) return x;
  double rest = x - x != 0 ? 0 : x - *whole;
  return __builtin_signbit(x) ? -__builtin_fabs(rest) : rest;
}
float __thetis_modff(float x, float *whole) {
  *whole = __builtin_truncf(x);
  if (x != x) return x;
  float rest = x - x != 0 ? 0 : x - *whole;
  return __builtin_signbit(x) ? -__builtin_fabsf(rest) : rest;
}

long __thetis_lround(double x) { return __builtin_round(x); }
long __thetis_lroundf(float x) { return __builtin_roundf(x); }
long long __thetis_llround(double x) { return __builtin_round(x); }
long long __thetis_llroundf(float x) { return __builtin_roundf(x); }
long __thetis_lrint(double x) { return __builtin_rint(x); }
long __thetis_lrintf(float x) { return __builtin_rintf(x); }
long long __thetis_llrint(double x) { return __builtin_rint(x); }
long long __thetis_llrintf(float x) { return __builtin_rintf(x); }

/* Any number, for a function that is not modelled; NaN only gives NaN. */
static double __thetis_some_double(double x) {
  __thetis_approximate();
  double result = __thetis_any_double();
  if (__thetis_any_int()) __thetis_errno = __thetis_any_int() ? 33 : 34;
  __thetis_assume(x == x || result != result);
  return result;
}
static double __thetis_double_between(double x, double least, double greatest) {
  double result = __thetis_some_double(x);
  __thetis_assume(result != result || (result >= least && result <= greatest));
  return result;
}
static double __thetis_double_from(double x, double least) {
  return __thetis_double_between(x, least, __builtin_inf());
}

/* Powers with integers whose results are integers below 2^53 are exact. */
double __thetis_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (y == 1) return x;
  if (x == __builtin_trunc(x) && y == __builtin_trunc(y) && y > 0 && y <= 53) {
    double power = x;
    int n = 1;
    for (; n < y && power > -0x1p53 && power < 0x1p53; n++) power *= x;
    if (n == y && power > -0x1p53 && power < 0x1p53) return power;
  }
  double result = __thetis_any_double();
  __thetis_approximate();
  if (__thetis_any_int()) __thetis_errno = __thetis_any_int() ? 33 : 34;
  __thetis_assume((x == x && y == y) || result != result);
  return result;
}
float __thetis_powf(float x, float y) {
  if (y == 0 || x == 1) return 1;
  if (y == 1) return x;
  return __thetis_some_double(x == x && y == y ? 0 : x + y);
}
double __thetis_sin(double x) { return __thetis_double_between(x, -1, 1); }
double __thetis_cos(double x) { return __thetis_double_between(x, -1, 1); }
double __thetis_tan(double x) { return __thetis_some_double(x); }
double __thetis_asin(double x) { return __thetis_double_between(x, -1.5707963267948968, 1.5707963267948968); }
double __thetis_acos(double x) { return __thetis_double_between(x, 0, 3.1415926535897936); }
double __thetis_atan(double x) { return __thetis_double_between(x, -1.5707963267948968, 1.5707963267948968); }
double __thetis_atan2(double y, double x) {
  return __thetis_double_between(x + y == x + y ? 0 : y, -3.1415926535897936, 3.1415926535897936);
}
double __thetis_sinh(double x) { return __thetis_some_double(x); }
double __thetis_cosh(double x) { return __thetis_double_from(x, 1); }
double __thetis_tanh(double x) { return __thetis_double_between(x, -1, 1); }
double __thetis_asinh(double x) { return __thetis_some_double(x); }
double __thetis_acosh(double x) { return __thetis_double_from(x, 0); }
double __thetis_atanh(double x) { return __thetis_some_double(x); }
double __thetis_exp(double x) { return x == 0 ? 1 : __thetis_double_from(x, 0); }
double __thetis_exp2(double x) { return x == 0 ? 1 : __thetis_double_from(x, 0); }
double __thetis_expm1(double x) { return __thetis_double_from(x, -1); }
double __thetis_log(double x) { return x == 1 ? 0 : __thetis_some_double(x); }
double __thetis_log2(double x) { return x == 1 ? 0 : __thetis_some_double(x); }
double __thetis_log10(double x) { return x == 1 ? 0 : __thetis_some_double(x); }
double __thetis_log1p(double x) { return __thetis_some_double(x); }
double __thetis_cbrt(double x) { return __thetis_some_double(x); }
double __thetis_hypot(double x, double y) { return __thetis_double_from(0, 0); }
double __thetis_fma(double x, double y, double z) { return __thetis_some_double(x == x && y == y && z == z ? 0 : x + y + z); }
double __thetis_erf(double x) { return __thetis_double_between(x, -1, 1); }
double __thetis_tgamma(double x) { return __thetis_some_double(x); }
double __thetis_lgamma(double x) { return __thetis_some_double(x); }
double __thetis_nextafter(double x, double y) { return __thetis_some_double(x + y == x + y ? 0 : x); }
float __thetis_sinf(float x) { return __thetis_double_between(x, -1, 1); }
float __thetis_cosf(float x) { return __thetis_double_between(x, -1, 1); }
float __thetis_tanf(float x) { return __thetis_some_double(x); }
float __thetis_atanf(float x) { return __thetis_double_between(x, -1.5707964f, 1.5707964f); }
float __thetis_atan2f(float y, float x) {
  return __thetis_double_between(x + y == x + y ? 0 : y, -3.1415928f, 3.1415928f);
}
float __thetis_expf(float x) { return x == 0 ? 1 : __thetis_double_from(x, 0); }
float __thetis_logf(float x) { return x == 1 ? 0 : __thetis_some_double(x); }
float __thetis_log10f(float x) { return x == 1 ? 0 : __thetis_some_double(x); }
