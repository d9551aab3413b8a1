/* Under this text and the models, the models are compared with the functions of the system. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

/* What models get from outside; a run in which an assumption fails does not count. */
static int choice = 1, is_blocked, num_approximations;
static double real_choice;
void __thetis_assume(int condition) { is_blocked |= !condition; }
void __thetis_approximate(void) { num_approximations++; }
void __thetis_limit(const char *reason) { is_blocked = 1; }
int __thetis_checks_memory(void) { return 1; }
int __thetis_checks_reads(void) { return 1; }
void __thetis_require(const void *bytes, unsigned long n) {}
void __thetis_separate(const void *to, unsigned long written, const void *from, unsigned long read) {
  const char *target = to, *source = from;
  is_blocked |= target < source + read && source < target + written;
}
void __thetis_open_calls(int call) {}
void *__thetis_stream_at(int number) { return 0; }
int __thetis_is_stream(const void *stream, int number) { return 0; }
void *__thetis_lasting_block(unsigned long n) { return 0; }
double __thetis_root(double x) { return sqrt(x); }
float __thetis_rootf(float x) { return sqrtf(x); }
long double __thetis_rootl(long double x) { return sqrtl(x); }
int __thetis_sees_errno(void) { return 0; }
int __thetis_sees_variable(const char *name) { return 0; }
void *__thetis_outside_pointer(void) { return 0; }
int __thetis_any_int(void) { return choice; }
unsigned __thetis_any_uint(void) { return choice; }
long __thetis_any_long(void) { return choice; }
unsigned long __thetis_any_ulong(void) { return choice; }
long long __thetis_any_longlong(void) { return choice; }
unsigned char __thetis_any_uchar(void) { return choice; }
float __thetis_any_float(void) { return choice; }
double __thetis_any_double(void) { return real_choice; }
long double __thetis_any_longdouble(void) { return choice; }

/* Threads are not run here. */
unsigned long __thetis_spawn(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h) { return 1; }
void *__thetis_await(unsigned long thread) { return 0; }
void __thetis_detach_thread(unsigned long thread) {}
void __thetis_end_thread(void *result) {}
unsigned long __thetis_own_thread(void) { return 1; }
void __thetis_lock(void *mutex) {}
void __thetis_unlock(void *mutex) {}
int __thetis_try_lock(void *mutex) { return 1; }
void __thetis_enter_atomic(void) {}
void __thetis_leave_atomic(void) {}

static int num_checks, num_failures;
static void check(int holds, const char *what, int line) {
  num_checks++;
  if (holds) return;
  num_failures++;
  printf("line %d: %s\n", line, what);
}
static int finish(void) {
  printf("%d checks, %d failures\n", num_checks, num_failures);
  return num_failures != 0 || num_checks == 0;
}
#define CHECK(condition) check((condition), #condition, __LINE__)

/* Equal numbers, with their signs, or both not numbers. */
static int same(double a, double b) { return a == b ? signbit(a) == signbit(b) : a != a && b != b; }
static int sign(long x) { return (x > 0) - (x < 0); }

/* Only the sign of the result counts; the models must allow it and no other one. */
#define CHECK_SIGN(model, function)                              \
  do {                                                           \
    int num_allowed = 0;                                         \
    for (choice = -1; choice <= 1; choice++) {                   \
      is_blocked = 0;                                            \
      int result = (model);                                      \
      if (is_blocked) continue;                                  \
      num_allowed++;                                             \
      CHECK(sign(result) == sign(function) && #model);           \
    }                                                            \
    choice = 1;                                                  \
    CHECK(num_allowed > 0 && #model);                            \
  } while (0)

#define NUM(array) (sizeof(array) / sizeof((array)[0]))


/* What stays the same while a process runs. */
const int __thetis_process = 1, __thetis_size_of_pages = 4096, __thetis_group = 1;
const unsigned __thetis_users[4] = {1, 2, 3, 4};
char __thetis_locale_of_environment[256];
