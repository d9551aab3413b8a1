static const double values[] = {0.0,    -0.0,     1.0,      -1.0,      0.5,      -0.5,    1.5,     2.5,      -2.5,    3.0,
                                10.0,   -7.25,    0.1,      1e10,      -1e10,    1e15,    0x1p52,  0x1p53,   0x1p-30, 123456.789,
                                0x1p60, 0x1p-52,  1e300,    -1e300,    0x1p1023, 0x1p-1022, 0x1p-1074, 0x1.8p-1073, 3e-320, 0x1.fffffffffffffp1023,
                                5.0,    0x1.0000000000001p1022, 0x1.8p1022, INFINITY, -INFINITY, NAN};

static int same_error(void) {
  int is_same = errno == __thetis_errno;
  errno = __thetis_errno = 0;
  return is_same;
}
/* Loops take as many steps as the exponents differ. */
static int is_near(double x, double y) { return x == 0 || y == 0 || x - x != 0 || y - y != 0 || fabs(logb(x) - logb(y)) < 200; }

static void compare_one(double x) {
  int mine = 77, theirs = 77;
  CHECK(same(__thetis_frexp(x, &mine), frexp(x, &theirs)) && (mine == theirs || x - x != 0));
  CHECK(same(__thetis_frexpf(x, &mine), frexpf(x, &theirs)) && (mine == theirs || (float)x - (float)x != 0));
  double whole_mine, whole_theirs;
  CHECK(same(__thetis_modf(x, &whole_mine), modf(x, &whole_theirs)) && same(whole_mine, whole_theirs));
  CHECK(__thetis_ilogb(x) == ilogb(x) && same(__thetis_logb(x), logb(x)));
  errno = __thetis_errno = 0;
  static const int exponents[] = {0,    1,    -1,    10,    -52,   -53,   100,   1000,  -1000,  1023,       1024,
                                  -1022, -1023, -1074, -1075, 2000, -2000, 2098, -2098, -2200, 2147483647, -2147483647};
  for (unsigned i = 0; i < NUM(exponents); i++) {
    CHECK(same(__thetis_ldexp(x, exponents[i]), ldexp(x, exponents[i])) && same_error());
    CHECK(same(__thetis_scalbn(x, exponents[i]), scalbn(x, exponents[i])));
    CHECK(same(__thetis_scalbln(x, exponents[i]), scalbln(x, exponents[i])));
  }
  if (fabs(x) < 0x1p62) {
    CHECK(__thetis_lround(x) == lround(x) && __thetis_llround(x) == llround(x));
    CHECK(__thetis_lrint(x) == lrint(x) && __thetis_llrint(x) == llrint(x));
    CHECK(__thetis_lroundf(x) == lroundf(x) && __thetis_llrintf(x) == llrintf(x));
  }
  errno = __thetis_errno = 0;
}

static void compare_two(double x, double y) {
  if (y == y) {
    CHECK(same(__thetis_copysign(x, y), copysign(x, y)) && same(__thetis_copysignf(x, y), copysignf(x, y)));
    CHECK(same(__thetis_copysignl(x, y), copysignl(x, y)));
  }
  CHECK(same(__thetis_fdim(x, y), fdim(x, y)) && same(__thetis_fdimf(x, y), fdimf(x, y)));
  errno = __thetis_errno = 0;
  if (is_near(x, y)) {
    CHECK(same(__thetis_fmod(x, y), fmod(x, y)) && same_error());
    CHECK(same(__thetis_fmodf(x, y), fmodf(x, y)));
    CHECK(same(__thetis_fmodl(x, y), fmodl(x, y)));
    errno = __thetis_errno = 0;
    CHECK(same(__thetis_remainder(x, y), remainder(x, y)) && same_error());
    CHECK(same(__thetis_drem(x, y), drem(x, y)));
    CHECK(same(__thetis_remainderf(x, y), remainderf(x, y)));
  }
  num_approximations = 0;
  double power = __thetis_pow(x, y);
  if (num_approximations == 0) CHECK(same(power, pow(x, y)));
  errno = __thetis_errno = 0;
}

/* The values of functions that are approximated are allowed by the models. */
#define ALLOWED(model, value)                              \
  do {                                                     \
    is_blocked = 0;                                        \
    real_choice = (value);                                 \
    double result = (model);                               \
    CHECK(!is_blocked && same(result, (value)) && #model); \
  } while (0)

static void check_approximations(double x) {
  ALLOWED(__thetis_sin(x), sin(x));
  ALLOWED(__thetis_cos(x), cos(x));
  ALLOWED(__thetis_tan(x), tan(x));
  ALLOWED(__thetis_asin(x), asin(x));
  ALLOWED(__thetis_acos(x), acos(x));
  ALLOWED(__thetis_atan(x), atan(x));
  ALLOWED(__thetis_sinh(x), sinh(x));
  ALLOWED(__thetis_cosh(x), cosh(x));
  ALLOWED(__thetis_tanh(x), tanh(x));
  ALLOWED(__thetis_asinh(x), asinh(x));
  ALLOWED(__thetis_acosh(x), acosh(x));
  ALLOWED(__thetis_atanh(x), atanh(x));
  ALLOWED(__thetis_exp(x), exp(x));
  ALLOWED(__thetis_exp2(x), exp2(x));
  ALLOWED(__thetis_expm1(x), expm1(x));
  ALLOWED(__thetis_log(x), log(x));
  ALLOWED(__thetis_log2(x), log2(x));
  ALLOWED(__thetis_log10(x), log10(x));
  ALLOWED(__thetis_log1p(x), log1p(x));
  ALLOWED(__thetis_cbrt(x), cbrt(x));
  ALLOWED(__thetis_erf(x), erf(x));
  ALLOWED(__thetis_tgamma(x), tgamma(x));
  ALLOWED(__thetis_lgamma(x), lgamma(x));
  ALLOWED(__thetis_sinf(x), sinf(x));
  ALLOWED(__thetis_cosf(x), cosf(x));
  ALLOWED(__thetis_tanf(x), tanf(x));
  ALLOWED(__thetis_atanf(x), atanf(x));
  ALLOWED(__thetis_expf(x), expf(x));
  ALLOWED(__thetis_logf(x), logf(x));
  ALLOWED(__thetis_log10f(x), log10f(x));
  for (unsigned i = 0; i < NUM(values); i++) {
    double y = values[i];
    ALLOWED(__thetis_pow(x, y), pow(x, y));
    ALLOWED(__thetis_powf(x, y), powf(x, y));
    ALLOWED(__thetis_atan2(x, y), atan2(x, y));
    ALLOWED(__thetis_atan2f(x, y), atan2f(x, y));
    ALLOWED(__thetis_hypot(x, y), hypot(x, y));
    ALLOWED(__thetis_nextafter(x, y), nextafter(x, y));
    ALLOWED(__thetis_fma(x, y, 1), fma(x, y, 1));
  }
}

int main(void) {
  for (unsigned i = 0; i < NUM(values); i++) {
    compare_one(values[i]);
    check_approximations(values[i]);
    for (unsigned j = 0; j < NUM(values); j++) compare_two(values[i], values[j]);
  }
  for (int x = -12; x <= 12; x++)
    for (int y = 0; y <= 60; y++) compare_two(x, y);
  CHECK(same(__thetis_pow(10, 15), 1e15) && same(__thetis_pow(-2, 3), -8) && same(__thetis_pow(7, 0), 1));
  return finish();
}
