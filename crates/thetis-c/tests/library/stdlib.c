static const char *const numbers[] = {
    "",     "0",     "1",    "-1",   "+7",  "  42",      "\t\n-13x", "0x1f",  "0X",     "0xg",    "x",
    "077",  "08",    "- 1",  "+-1",  "zZ",  "123abc",    "7fffffff", "12 34", "  ",     "-",      "0x-1",
    "2147483647",    "2147483648",   "-2147483648",      "-2147483649",       "4294967295",       "4294967296",
    "9223372036854775807",           "9223372036854775808",                   "-9223372036854775808",
    "-9223372036854775809",          "18446744073709551615",                  "18446744073709551616",
    "-18446744073709551615",         "-18446744073709551616",                 "99999999999999999999999",
    "-99999999999999999999999",      "0x7fffffffffffffff",                    "0xffffffffffffffffff",
    "01777777777777777777777",       "02000000000000000000000",               "1010101", "\v\f\r5"};

#define PARSE(f)                                                                      \
  do {                                                                                \
    char *end_mine = (char *)s - 1, *end_theirs = (char *)s - 1;                      \
    errno = __thetis_errno = 0;                                                       \
    CHECK(__thetis_##f(s, &end_mine, base) == f(s, &end_theirs, base) && #f);         \
    CHECK(end_mine == end_theirs && #f);                                              \
    CHECK(__thetis_errno == errno && #f);                                             \
    CHECK(__thetis_##f(s, 0, base) == f(s, 0, base) && #f);                           \
  } while (0)

static void compare_numbers(const char *s) {
  for (int base = -1; base <= 37; base++) {
    PARSE(strtol);
    PARSE(strtoll);
    PARSE(strtoul);
    PARSE(strtoull);
    PARSE(strtoimax);
    PARSE(strtoumax);
  }
  errno = __thetis_errno = 0;
  CHECK(__thetis_atol(s) == atol(s) && __thetis_errno == errno);
  CHECK(__thetis_atoi(s) == atoi(s));
  CHECK(__thetis_atoll(s) == atoll(s));
}

static void compare_divisions(void) {
  static const long values[] = {0, 1, -1, 2, -2, 7, -7, 100, -100, 2147483647, -2147483647};
  for (unsigned i = 0; i < NUM(values); i++) {
    CHECK(__thetis_abs(values[i]) == abs(values[i]));
    CHECK(__thetis_labs(values[i]) == labs(values[i]));
    CHECK(__thetis_llabs(values[i]) == llabs(values[i]));
    CHECK(__thetis_imaxabs(values[i]) == imaxabs(values[i]));
    for (unsigned j = 1; j < NUM(values); j++) {
      int a = values[i], b = values[j];
      CHECK(__thetis_div(a, b).quot == div(a, b).quot && __thetis_div(a, b).rem == div(a, b).rem);
      CHECK(__thetis_ldiv(a, b).quot == ldiv(a, b).quot && __thetis_ldiv(a, b).rem == ldiv(a, b).rem);
      CHECK(__thetis_lldiv(a, b).quot == lldiv(a, b).quot && __thetis_lldiv(a, b).rem == lldiv(a, b).rem);
    }
  }
}

struct pair { int key; char name; };
static int by_key(const void *a, const void *b) {
  int left = ((const struct pair *)a)->key, right = ((const struct pair *)b)->key;
  return (left > right) - (left < right);
}
static int by_key_with(const void *a, const void *b, void *factor) { return *(int *)factor * by_key(a, b); }

/* Sorted, with the same elements as before. */
static void check_sorted(const struct pair *sorted, const struct pair *original, int n, int factor) {
  for (int i = 0; i + 1 < n; i++) CHECK(factor * by_key(&sorted[i], &sorted[i + 1]) <= 0);
  for (int i = 0; i < n; i++) {
    int before = 0, after = 0;
    for (int j = 0; j < n; j++) {
      before += original[j].key == original[i].key && original[j].name == original[i].name;
      after += sorted[j].key == original[i].key && sorted[j].name == original[i].name;
    }
    CHECK(before == after);
  }
}

static void compare_sorting(void) {
  unsigned state = 1;
  for (int n = 0; n < 12; n++)
    for (choice = 0; choice < 2; choice++)
      for (int factor = -1; factor <= 1; factor += 2) {
        struct pair original[12], sorted[12];
        for (int i = 0; i < n; i++) {
          state = state * 1103515245 + 12345;
          original[i] = (struct pair){state >> 16 & 7, 'a' + i};
        }
        memcpy(sorted, original, sizeof sorted);
        __thetis_qsort_r(sorted, n, sizeof *sorted, by_key_with, &factor);
        check_sorted(sorted, original, n, factor);
        memcpy(sorted, original, sizeof sorted);
        __thetis_qsort(sorted, n, sizeof *sorted, by_key);
        check_sorted(sorted, original, n, 1);
        for (int key = -1; key < 9; key++) {
          struct pair wanted = {key, 0};
          struct pair *mine = __thetis_bsearch(&wanted, sorted, n, sizeof *sorted, by_key);
          struct pair *theirs = bsearch(&wanted, sorted, n, sizeof *sorted, by_key);
          CHECK((mine == 0) == (theirs == 0) && (mine == 0 || mine->key == key));
          size_t size = n;
          unsigned long model_size = n;
          CHECK(__thetis_lfind(&wanted, sorted, &model_size, sizeof *sorted, by_key) ==
                lfind(&wanted, sorted, &size, sizeof *sorted, by_key));
        }
      }
  choice = 1;
}

int main(void) {
  for (unsigned i = 0; i < NUM(numbers); i++) compare_numbers(numbers[i]);
  compare_divisions();
  compare_sorting();
  return finish();
}
