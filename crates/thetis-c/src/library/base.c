/* What the models are made of: functions that the translation knows, and the error number. */

void __thetis_assume(int condition);
void __thetis_approximate(void);
void __thetis_limit(const char *reason);
void *__thetis_outside_pointer(void);
int __thetis_any_int(void);
unsigned __thetis_any_uint(void);
long __thetis_any_long(void);
unsigned long __thetis_any_ulong(void);
unsigned char __thetis_any_uchar(void);
float __thetis_any_float(void);
double __thetis_any_double(void);
long double __thetis_any_longdouble(void);

/* Choices that the standard leaves to the implementation, so that every outcome is one that a program must expect. */
static int __thetis_unspecified_int(void) { return __thetis_any_int(); }
static unsigned long __thetis_unspecified_index(unsigned long size) {
  unsigned long index = __thetis_any_ulong();
  __thetis_assume(index < size);
  return index;
}
/* Zero or something else: functions such as isdigit do not say which number means yes. */
static int __thetis_unspecified_truth(int truth) {
  if (!truth) return 0;
  int result = __thetis_any_int();
  __thetis_assume(result != 0);
  return result;
}
/* Only the sign of the result of a comparison is specified. */
static int __thetis_unspecified_order(int difference) {
  if (difference == 0) return 0;
  int result = __thetis_any_int();
  __thetis_assume(difference < 0 ? result < 0 : result > 0);
  return result;
}

/* A number between two others, from outside. */
static int __thetis_int_between(int least, int greatest) {
  int result = __thetis_any_int();
  __thetis_assume(result >= least && result <= greatest);
  return result;
}
static long __thetis_long_from(long least) {
  long result = __thetis_any_long();
  __thetis_assume(result >= least);
  return result;
}

static int __thetis_errno;
int *__thetis___errno_location(void) { return &__thetis_errno; }
int *__thetis___error(void) { return &__thetis_errno; }

/* Fails for a reason that the environment decides. */
static int __thetis_failure(void) {
  __thetis_errno = __thetis_int_between(1, 133);
  return -1;
}
/* 0, or -1 with an error number. */
static int __thetis_success_or_failure(void) { return __thetis_any_int() ? 0 : __thetis_failure(); }
