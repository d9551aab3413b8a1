/* stdlib.h: numbers, sorting, random numbers, the environment. malloc and its relatives are built in. */

int __thetis_abs(int x) { return x < 0 ? -x : x; }
long __thetis_labs(long x) { return x < 0 ? -x : x; }
long long __thetis_llabs(long long x) { return x < 0 ? -x : x; }
long long __thetis_imaxabs(long long x) { return x < 0 ? -x : x; }

struct __thetis_div_t { int quot, rem; };
struct __thetis_div_t __thetis_div(int a, int b) {
  struct __thetis_div_t result = {a / b, a % b};
  return result;
}
struct __thetis_ldiv_t { long quot, rem; };
struct __thetis_ldiv_t __thetis_ldiv(long a, long b) {
  struct __thetis_ldiv_t result = {a / b, a % b};
  return result;
}
struct __thetis_lldiv_t { long long quot, rem; };
struct __thetis_lldiv_t __thetis_lldiv(long long a, long long b) {
  struct __thetis_lldiv_t result = {a / b, a % b};
  return result;
}

/* An integer in a text: where it starts and ends, its sign, and its absolute value as far as it fits. */
struct __thetis_number {
  unsigned long end;
  unsigned long long value;
  int is_negative, overflows;
};

static int __thetis_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

/* end is 0 if there is no number. */
static struct __thetis_number __thetis_parse(const char *s, int base) {
  struct __thetis_number number = {0, 0, 0, 0};
  unsigned long i = 0;
  while (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r')) i++;
  if (s[i] == '-' || s[i] == '+') number.is_negative = s[i++] == '-';
  if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X') &&
      __thetis_digit(s[i + 2]) < 16) {
    i += 2;
    base = 16;
  } else if (base == 0) {
    base = s[i] == '0' ? 8 : 10;
  }
  int digit = __thetis_digit(s[i]);
  while (digit < base) {
    if (number.value > (0xffffffffffffffffULL - digit) / base) number.overflows = 1;
    number.value = number.value * base + digit;
    number.end = ++i;
    digit = __thetis_digit(s[i]);
  }
  return number;
}

/* Where there is no number, libraries may say so in the error number. */
static struct __thetis_number __thetis_number_in(const char *s, char **end, int base) {
  struct __thetis_number number = __thetis_parse(s, base);
  if (end != 0) *end = (char *)s + number.end;
  if (number.end == 0 && __thetis_sees_errno() && __thetis_unspecified_int()) __thetis_errno = 22;
  return number;
}

static int __thetis_is_base(int base) {
  if (base >= 0 && base != 1 && base <= 36) return 1;
  __thetis_errno = 22;
  return 0;
}

/* The absolute value may be one more for negative numbers. */
static long long __thetis_signed(struct __thetis_number number, unsigned long long greatest) {
  unsigned long long bound = number.is_negative ? greatest + 1 : greatest;
  if (number.overflows || number.value > bound) {
    __thetis_errno = 34;
    number.value = bound;
  }
  return number.is_negative ? 0 - number.value : number.value;
}

static unsigned long long __thetis_unsigned(struct __thetis_number number, unsigned long long greatest) {
  if (number.overflows || number.value > greatest) {
    __thetis_errno = 34;
    return greatest;
  }
  return number.is_negative ? 0 - number.value : number.value;
}

long __thetis_strtol(const char *s, char **end, int base) {
  if (!__thetis_is_base(base)) return 0;
  struct __thetis_number number = __thetis_number_in(s, end, base);
  return __thetis_signed(number, (unsigned long)-1 >> 1);
}
long long __thetis_strtoll(const char *s, char **end, int base) {
  if (!__thetis_is_base(base)) return 0;
  struct __thetis_number number = __thetis_number_in(s, end, base);
  return __thetis_signed(number, (unsigned long long)-1 >> 1);
}
unsigned long __thetis_strtoul(const char *s, char **end, int base) {
  if (!__thetis_is_base(base)) return 0;
  struct __thetis_number number = __thetis_number_in(s, end, base);
  return __thetis_unsigned(number, (unsigned long)-1);
}
unsigned long long __thetis_strtoull(const char *s, char **end, int base) {
  if (!__thetis_is_base(base)) return 0;
  struct __thetis_number number = __thetis_number_in(s, end, base);
  return __thetis_unsigned(number, (unsigned long long)-1);
}
long long __thetis_strtoimax(const char *s, char **end, int base) { return __thetis_strtoll(s, end, base); }
unsigned long long __thetis_strtoumax(const char *s, char **end, int base) { return __thetis_strtoull(s, end, base); }

/* The functions of C23 know binary numbers. */
static void __thetis_see_binary(const char *s, int base) {
  if (base != 0 && base != 2) return;
  while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
  if (*s == '-' || *s == '+') s++;
  if (s[0] == '0' && (s[1] == 'b' || s[1] == 'B')) __thetis_limit("a binary number is read");
}
long __thetis___isoc23_strtol(const char *s, char **end, int base) {
  __thetis_see_binary(s, base);
  return __thetis_strtol(s, end, base);
}
long long __thetis___isoc23_strtoll(const char *s, char **end, int base) {
  __thetis_see_binary(s, base);
  return __thetis_strtoll(s, end, base);
}
unsigned long __thetis___isoc23_strtoul(const char *s, char **end, int base) {
  __thetis_see_binary(s, base);
  return __thetis_strtoul(s, end, base);
}
unsigned long long __thetis___isoc23_strtoull(const char *s, char **end, int base) {
  __thetis_see_binary(s, base);
  return __thetis_strtoull(s, end, base);
}
long long __thetis___isoc23_strtoimax(const char *s, char **end, int base) { return __thetis___isoc23_strtoll(s, end, base); }
unsigned long long __thetis___isoc23_strtoumax(const char *s, char **end, int base) { return __thetis___isoc23_strtoull(s, end, base); }

/* atoi is strtol with base 10; this is the same with less to calculate. */
static long __thetis_decimal(const char *s) {
  unsigned long i = 0, value = 0, bound = (unsigned long)-1 >> 1;
  int is_negative = 0, overflows = 0;
  while (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r')) i++;
  if (s[i] == '-' || s[i] == '+') is_negative = s[i++] == '-';
  if (is_negative) bound++;
  while (s[i] >= '0' && s[i] <= '9') {
    unsigned long digit = s[i++] - '0';
    if (value > (bound - digit) / 10) overflows = 1;
    value = value * 10 + digit;
  }
  if (overflows) {
    __thetis_errno = 34;
    value = bound;
  }
  return is_negative ? 0 - value : value;
}
int __thetis_atoi(const char *s) { return __thetis_decimal(s); }
long __thetis_atol(const char *s) { return __thetis_decimal(s); }
long long __thetis_atoll(const char *s) { return __thetis_strtoll(s, 0, 10); }

/* How much of the text is a floating-point number is not modelled, nor its value. */
double __thetis_strtod(const char *s, char **end) {
  __thetis_approximate();
  unsigned long n = 0;
  while (s[n] != 0) n++;
  if (end != 0) *end = (char *)s + __thetis_unspecified_index(n + 1);
  if (__thetis_any_int()) __thetis_errno = 34;
  return __thetis_any_double();
}
float __thetis_strtof(const char *s, char **end) { return __thetis_strtod(s, end); }
long double __thetis_strtold(const char *s, char **end) {
  __thetis_strtod(s, end);
  return __thetis_any_longdouble();
}
double __thetis_atof(const char *s) { return __thetis_strtod(s, 0); }

/* Insertion sort. Elements that compare equal may come in any order. Other methods compare other elements, so any two of them may be compared
   first; what is wrong with a comparison that this method does not need is not reported. */
void __thetis_qsort(void *base, unsigned long n, unsigned long size, int (*compare)(const void *, const void *)) {
  char *elements = base;
  if (n > 1) __thetis_open_calls(compare(base, base));
  if (n > 1 && __thetis_any_int()) {
    __thetis_approximate();
    compare(elements + __thetis_unspecified_index(n) * size, elements + __thetis_unspecified_index(n) * size);
  }
  void *other = __builtin_alloca(size);
  for (unsigned long i = 1; i < n; i++) {
    for (unsigned long j = i; j > 0; j--) {
      void *left = elements + (j - 1) * size, *right = elements + j * size;
      int order = compare(left, right);
      if (order < 0 || (order == 0 && __thetis_unspecified_int())) break;
      __builtin_memcpy(other, left, size);
      __builtin_memcpy(left, right, size);
      __builtin_memcpy(right, other, size);
    }
  }
}

void __thetis_qsort_r(void *base, unsigned long n, unsigned long size,
                      int (*compare)(const void *, const void *, void *), void *more) {
  char *elements = base;
  if (n > 1) __thetis_open_calls(compare(base, base, more));
  if (n > 1 && __thetis_any_int()) {
    __thetis_approximate();
    compare(elements + __thetis_unspecified_index(n) * size, elements + __thetis_unspecified_index(n) * size, more);
  }
  void *other = __builtin_alloca(size);
  for (unsigned long i = 1; i < n; i++) {
    for (unsigned long j = i; j > 0; j--) {
      void *left = elements + (j - 1) * size, *right = elements + j * size;
      int order = compare(left, right, more);
      if (order < 0 || (order == 0 && __thetis_unspecified_int())) break;
      __builtin_memcpy(other, left, size);
      __builtin_memcpy(left, right, size);
      __builtin_memcpy(right, other, size);
    }
  }
}

/* Which of several equal elements is found is unspecified. */
void *__thetis_bsearch(const void *key, const void *base, unsigned long n, unsigned long size,
                       int (*compare)(const void *, const void *)) {
  const char *elements = base;
  if (n > 0) __thetis_open_calls(compare(key, base));
  if (n > 0 && __thetis_any_int()) {
    __thetis_approximate();
    compare(key, elements + __thetis_unspecified_index(n) * size);
  }
  unsigned long low = 0, high = n;
  while (low < high) {
    unsigned long middle = low + (high - low) / 2;
    int order = compare(key, elements + middle * size);
    if (order == 0) {
      unsigned long other = __thetis_unspecified_index(n);
      return (void *)(elements + (compare(key, elements + other * size) == 0 ? other : middle) * size);
    }
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return 0;
}

void *__thetis_lfind(const void *key, const void *base, unsigned long *n, unsigned long size,
                     int (*compare)(const void *, const void *)) {
  const char *elements = base;
  for (unsigned long i = 0; i < *n; i++)
    if (compare(key, elements + i * size) == 0) return (void *)(elements + i * size);
  return 0;
}

/* Random numbers. */
/* The numbers after a seed are the same each time, which is not modelled; before the first seed, they are those after 1. */
static int __thetis_has_seed;
static int __thetis_has_number;
static void __thetis_seed(unsigned seed) {
  if (__thetis_has_seed || (__thetis_has_number && seed == 1)) __thetis_approximate();
  __thetis_has_seed = 1;
}
int __thetis_rand(void) {
  __thetis_has_number = 1;
  return __thetis_int_between(0, 2147483647);
}
void __thetis_srand(unsigned seed) { __thetis_seed(seed); }
/* The seed determines the number and the next seed. Only the last step is kept: a program that goes on with another seed than the last one
   starts again, perhaps with one that it had before. */
static int __thetis_has_step;
static unsigned __thetis_seed_before;
static unsigned __thetis_seed_after;
static int __thetis_number_of_seed;
int __thetis_rand_r(unsigned *seed) {
  if (!__thetis_has_step || *seed != __thetis_seed_before) {
    if (__thetis_has_step && *seed != __thetis_seed_after) __thetis_approximate();
    __thetis_has_step = 1;
    __thetis_seed_before = *seed;
    __thetis_seed_after = __thetis_any_uint();
    __thetis_number_of_seed = __thetis_int_between(0, 2147483647);
  }
  *seed = __thetis_seed_after;
  return __thetis_number_of_seed;
}
long __thetis_random(void) { return __thetis_rand(); }
void __thetis_srandom(unsigned seed) { __thetis_seed(seed); }
long __thetis_lrand48(void) { return __thetis_int_between(0, 2147483647); }
long __thetis_mrand48(void) { return __thetis_any_int(); }
void __thetis_srand48(long seed) { __thetis_seed(0); }
double __thetis_drand48(void) {
  double result = __thetis_any_double();
  return result >= 0.0 && result < 1.0 ? result : 0.0;
}
unsigned __thetis_arc4random(void) { return __thetis_any_uint(); }
unsigned __thetis_arc4random_uniform(unsigned bound) {
  unsigned result = __thetis_any_uint();
  return result < bound ? result : 0;
}

/* The environment. Variables that the program sets are not kept, nor is what the program has seen of them before. */
static int __thetis_has_looked;
char *__thetis_getenv(const char *name) {
  __thetis_see_text(name);
  if (__thetis_has_looked) __thetis_approximate();
  __thetis_has_looked = 1;
  if (!__thetis_checks_memory()) return __thetis_outside_pointer();
  if (__thetis_any_int()) return 0;
  unsigned long n = __thetis_any_ulong();
  char *value = __thetis_lasting_block(n < 2147483647 ? n + 1 : 1);
  value[n < 2147483647 ? n : 0] = 0;
  return value;
}
char *__thetis_secure_getenv(const char *name) { return __thetis_getenv(name); }
static void __thetis_change_environment(void) {
  if (__thetis_sees_variable("environ") || __thetis_sees_variable("__environ") || __thetis_sees_variable("_environ"))
    __thetis_limit("the environment changes, which the program looks at");
}
int __thetis_setenv(const char *name, const char *value, int replaces) {
  __thetis_see_text(name);
  __thetis_see_text(value);
  __thetis_change_environment();
  __thetis_approximate();
  return __thetis_success_or_failure();
}
int __thetis_unsetenv(const char *name) {
  __thetis_see_text(name);
  __thetis_change_environment();
  __thetis_approximate();
  return __thetis_success_or_failure();
}
int __thetis_system(const char *command) {
  if (command == 0) return __thetis_unspecified_int();
  __thetis_see_text(command);
  int status = __thetis_any_int();
  return status == -1 ? __thetis_failure() : status;
}

/* More ways to allocate. */
void *__thetis_aligned_alloc(unsigned long alignment, unsigned long size) {
  int is_power = alignment != 0 && (alignment & (alignment - 1)) == 0;
  /* Some libraries round the alignment up. */
  if (!is_power && __thetis_unspecified_int()) {
    __thetis_errno = 22;
    return 0;
  }
  return __builtin_malloc(size);
}
void *__thetis_memalign(unsigned long alignment, unsigned long size) { return __builtin_malloc(size); }
int __thetis_posix_memalign(void **block, unsigned long alignment, unsigned long size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return 22;
  if (__thetis_any_int()) return 12;
  void *fresh = __builtin_malloc(size);
  if (fresh == 0) return 12;
  *block = fresh;
  return 0;
}
void *__thetis_reallocarray(void *block, unsigned long n, unsigned long size) {
  if (size != 0 && n > (unsigned long)-1 / size) {
    __thetis_errno = 12;
    return 0;
  }
  return __builtin_realloc(block, n * size);
}
