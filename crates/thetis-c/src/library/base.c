/* What the models are made of: functions that the translation knows, and the error number. */

void __thetis_assume(int condition);
void __thetis_approximate(void);
void __thetis_limit(const char *reason);
void *__thetis_outside_pointer(void);
int __thetis_any_int(void);
unsigned __thetis_any_uint(void);
long __thetis_any_long(void);
unsigned long __thetis_any_ulong(void);
long long __thetis_any_longlong(void);
unsigned char __thetis_any_uchar(void);
float __thetis_any_float(void);
double __thetis_any_double(void);
long double __thetis_any_longdouble(void);

/* That so many bytes can be accessed; that what is written does not overlap with what is read; and that a call, which is not
   evaluated, may happen any number of times. */
void __thetis_require(const void *bytes, unsigned long n);
void __thetis_separate(const void *to, unsigned long written, const void *from, unsigned long read);
void __thetis_open_calls(int call);

/* A stream that the program opens, by its number, which is a constant; and whether a pointer is that one. */
void *__thetis_stream_at(int number);
int __thetis_is_stream(const void *stream, int number);

/* A block that lives as long as the program, and is none that the program may free. */
void *__thetis_lasting_block(unsigned long n);

/* Whether memory safety is asked. Only then does it matter that output functions read what they write out. */
int __thetis_checks_memory(void);

/* Whether it is asked what may be read: memory that is there, or has a value. */
int __thetis_checks_reads(void);

/* Whether the program looks at errno. */
int __thetis_sees_errno(void);

/* Whether the program looks at a variable of the library, by its name. */
int __thetis_sees_variable(const char *name);

/* Choices that the standard leaves to the implementation, so that every outcome is one that a program must expect. Values that
   are not possible become one that is, so that no run is lost. */
static int __thetis_unspecified_int(void) { return __thetis_any_int(); }
static unsigned long __thetis_unspecified_index(unsigned long size) {
  unsigned long index = __thetis_any_ulong();
  return index < size ? index : 0;
}
/* Zero or something else: functions such as isdigit do not say which number means yes. */
static int __thetis_unspecified_truth(int truth) {
  int result = __thetis_any_int();
  return !truth ? 0 : result != 0 ? result : 1;
}
/* Only the sign of the result of a comparison is specified. */
static int __thetis_unspecified_order(int difference) {
  int result = __thetis_any_int();
  if (difference < 0) return result < 0 ? result : -1;
  if (difference > 0) return result > 0 ? result : 1;
  return 0;
}

/* A number between two others, from outside. */
static int __thetis_int_between(int least, int greatest) {
  int result = __thetis_any_int();
  return result >= least && result <= greatest ? result : least;
}
static long __thetis_long_from(long least) {
  long result = __thetis_any_long();
  return result >= least ? result : least;
}
static unsigned long __thetis_ulong_up_to(unsigned long greatest) {
  unsigned long result = __thetis_any_ulong();
  return result <= greatest ? result : greatest;
}

/* A text of at most size - 1 characters, from outside. */
static void __thetis_fill_text(char *to, unsigned long size) {
  unsigned long n = __thetis_ulong_up_to(size - 1);
  for (unsigned long i = 0; i < n; i++) {
    to[i] = __thetis_any_uchar();
    if (to[i] == 0) to[i] = 'x';
  }
  to[n] = 0;
}

static int __thetis_errno;
int *__thetis___errno_location(void) { return &__thetis_errno; }
int *__thetis___error(void) { return &__thetis_errno; }

/* Fails for a reason that the environment decides. */
static int __thetis_failure(void) {
  __thetis_errno = __thetis_int_between(1, 133);
  return -1;
}
/* Output, input and clocks hardly ever fail, and few programs look: a violation after a failure is not reported. */
static int __thetis_rare_failure(void) {
  __thetis_approximate();
  return __thetis_failure();
}
/* What does not tell a failure from something else, but for the error number. */
static void __thetis_may_set_errno(void) {
  if (__thetis_sees_errno() && __thetis_any_int()) __thetis_rare_failure();
}
/* Output whose result is ignored: that it fails shows in errno only. */
static int __thetis_unseen_output(void) {
  __thetis_may_set_errno();
  return 0;
}
/* 0, or -1 with an error number. */
static int __thetis_success_or_failure(void) { return __thetis_any_int() ? 0 : __thetis_failure(); }
