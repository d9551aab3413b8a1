/* Output with lists of arguments. */
static char expected[256], found[256];
static void compare(const char *what, unsigned long size, const char *format, ...) {
  va_list list;
  memset(expected, '?', sizeof expected);
  memset(found, '?', sizeof found);
  va_start(list, format);
  int n = vsnprintf(expected, size, format, list);
  va_end(list);
  va_start(list, format);
  int m = __thetis_vsnprintf(found, size, format, list);
  va_end(list);
  check(n == m && memcmp(expected, found, sizeof found) == 0, what, __LINE__);
}

#define EACH_SIZE(...)            \
  compare(#__VA_ARGS__, 0, __VA_ARGS__);   \
  compare(#__VA_ARGS__, 1, __VA_ARGS__);   \
  compare(#__VA_ARGS__, 4, __VA_ARGS__);   \
  compare(#__VA_ARGS__, 200, __VA_ARGS__)

#define EACH_FLAG(width_and_type, value)     \
  EACH_SIZE("<%" width_and_type ">", value);   \
  EACH_SIZE("<%-" width_and_type ">", value);  \
  EACH_SIZE("<%0" width_and_type ">", value);  \
  EACH_SIZE("<%+" width_and_type ">", value);  \
  EACH_SIZE("<% " width_and_type ">", value);  \
  EACH_SIZE("<%#" width_and_type ">", value);  \
  EACH_SIZE("<%-+" width_and_type ">", value); \
  EACH_SIZE("<%#0" width_and_type ">", value)

#define EACH_WIDTH(type, value) \
  EACH_FLAG(type, value);       \
  EACH_FLAG("3" type, value);   \
  EACH_FLAG("12" type, value);  \
  EACH_FLAG(".0" type, value);  \
  EACH_FLAG(".5" type, value);  \
  EACH_FLAG("9.4" type, value)

#define EACH_LETTER(length, value)  \
  EACH_WIDTH(length "d", value);    \
  EACH_WIDTH(length "i", value);    \
  EACH_WIDTH(length "u", value);    \
  EACH_WIDTH(length "x", value);    \
  EACH_WIDTH(length "X", value);    \
  EACH_WIDTH(length "o", value)

static void numbers(long long value) {
  EACH_LETTER("", (int)value);
  EACH_LETTER("h", (int)value);
  EACH_LETTER("hh", (int)value);
  EACH_LETTER("l", (long)value);
  EACH_LETTER("ll", value);
  EACH_LETTER("z", (size_t)value);
  EACH_LETTER("t", (ptrdiff_t)value);
  EACH_LETTER("j", (intmax_t)value);
}

int main(void) {
  numbers(0);
  numbers(1);
  numbers(-1);
  numbers(8);
  numbers(127);
  numbers(-128);
  numbers(65535);
  numbers(2147483647);
  numbers(-2147483647 - 1);
  numbers(0x123456789abcdef);
  numbers(-9223372036854775807 - 1);
  EACH_WIDTH("s", "");
  EACH_WIDTH("s", "text");
  EACH_WIDTH("s", "a longer text");
  EACH_WIDTH("c", 'x');
  EACH_SIZE("%*d|%-*d|%.*d|%*.*d|%*s|%.*s", 5, 1, 5, 2, 3, 3, -7, -1, 4, -6, "five", 2, "six");
  EACH_SIZE("100%% of %s%c", "it", '.');
  int a = 0, b = 0;
  short c = 0;
  signed char d = 0;
  long e = 0;
  compare("counts", 200, "ab%ncd%hn%hhn%ln", &a, &c, &d, &e);
  CHECK(a == 2 && c == 4 && d == 4 && e == 4);
  return finish();
}
