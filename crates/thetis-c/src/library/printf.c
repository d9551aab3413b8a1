/* Parts of output with a format. Calls with constant formats are translated to sequences of them. Each puts characters at
   to[at], as far as they are below size - 1, and returns how many there are. */

static unsigned long __thetis_put_character(char *to, unsigned long at, unsigned long size, char c) {
  if (at + 1 < size) to[at] = c;
  return 1;
}

static unsigned long __thetis_put_repeated(char *to, unsigned long at, unsigned long size, char c, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    if (at + i + 1 < size) to[at + i] = c;
  return n;
}

/* Libraries print something for a null pointer. */
static void __thetis_see_printed(const char *text) {
  if (text == 0 && !__thetis_checks_memory()) __thetis_limit("a null pointer is printed as a text");
}

/* A text of at most max characters; what comes after them is not read. */
static unsigned long __thetis_put_text(char *to, unsigned long at, unsigned long size, const char *text, unsigned long max) {
  unsigned long n = 0;
  __thetis_see_printed(text);
  /* What is printed into itself is undefined; it could go on forever. */
  if (size > 0) __thetis_separate(to, at < size ? at + 1 : size, text, max > 0);
  for (; n < max && text[n] != 0; n++)
    if (at + n + 1 < size) to[at + n] = text[n];
  if (size > 0) __thetis_separate(to, at + n < size ? at + n + 1 : size, text, n);
  return n;
}

static unsigned long __thetis_put_padded_text(char *to, unsigned long at, unsigned long size, const char *text,
                                              unsigned long max, unsigned long width, int is_left) {
  unsigned long length = 0;
  __thetis_see_printed(text);
  while (length < max && text[length] != 0) length++;
  unsigned long padding = length < width ? width - length : 0, start = at;
  if (!is_left) at += __thetis_put_repeated(to, at, size, ' ', padding);
  at += __thetis_put_text(to, at, size, text, length);
  if (is_left) at += __thetis_put_repeated(to, at, size, ' ', padding);
  return at - start;
}

static unsigned long __thetis_num_digits(unsigned long long value, unsigned base) {
  unsigned long n = 1;
  while (value >= base) {
    value /= base;
    n++;
  }
  return n;
}

/* The digits of a number, the last one first. */
static void __thetis_put_digits(char *to, unsigned long at, unsigned long size, unsigned long long value, unsigned base,
                                char ten, unsigned long n) {
  while (n > 0) {
    n--;
    unsigned digit = value % base;
    value /= base;
    if (at + n + 1 < size) to[at + n] = digit < 10 ? '0' + digit : ten + (digit - 10);
  }
}

static unsigned long __thetis_put_unsigned(char *to, unsigned long at, unsigned long size, unsigned long long value,
                                           unsigned base, char ten) {
  unsigned long n = __thetis_num_digits(value, base);
  __thetis_put_digits(to, at, size, value, base, ten, n);
  return n;
}

static unsigned long __thetis_put_signed(char *to, unsigned long at, unsigned long size, long long value) {
  if (value >= 0) return __thetis_put_unsigned(to, at, size, value, 10, 'a');
  __thetis_put_character(to, at, size, '-');
  return 1 + __thetis_put_unsigned(to, at + 1, size, 0 - (unsigned long long)value, 10, 'a');
}

/* With all that a format can say: a prefix of up to two characters, the least number of digits, the least width, and where
   the padding is: '-' after, '0' zeros before the digits, ' ' before. */
static unsigned long __thetis_put_number(char *to, unsigned long at, unsigned long size, unsigned long long value,
                                         unsigned base, char ten, char first, char second, unsigned long precision,
                                         unsigned long width, char padding) {
  unsigned long digits = value == 0 && precision == 0 ? 0 : __thetis_num_digits(value, base);
  unsigned long zeros = digits < precision ? precision - digits : 0;
  unsigned long length = digits + zeros + (first != 0) + (second != 0), start = at;
  unsigned long rest = length < width ? width - length : 0;
  if (padding == ' ') at += __thetis_put_repeated(to, at, size, ' ', rest);
  if (first != 0) at += __thetis_put_character(to, at, size, first);
  if (second != 0) at += __thetis_put_character(to, at, size, second);
  at += __thetis_put_repeated(to, at, size, '0', padding == '0' ? zeros + rest : zeros);
  __thetis_put_digits(to, at, size, value, base, ten, digits);
  at += digits;
  if (padding == '-') at += __thetis_put_repeated(to, at, size, ' ', rest);
  return at - start;
}

/* With `#`, the first octal digit is zero. */
static unsigned long __thetis_octal_precision(unsigned long long value, unsigned long precision) {
  unsigned long least = value == 0 ? 1 : __thetis_num_digits(value, 8) + 1;
  return precision < least ? least : precision;
}

/* What is not modelled: some characters, at least one and as many as the width. The longest number has less than 5000 digits before the
   point, and as many after it as the precision says. */
static unsigned long __thetis_put_something(char *to, unsigned long at, unsigned long size, unsigned long least,
                                            long precision) {
  __thetis_approximate();
  unsigned long n = (least > 0 ? least : 1) + __thetis_ulong_up_to(5000 + (precision > 0 ? precision : 0));
  for (unsigned long i = 0; i < n; i++) {
    char c = __thetis_any_uchar();
    if (at + i + 1 < size) to[at + i] = c != 0 ? c : '0';
  }
  return n;
}

/* The end of a text, if there is room. */
static void __thetis_put_end(char *to, unsigned long at, unsigned long size) {
  if (size > 0) to[at < size ? at : size - 1] = 0;
}

/* Output with a list of arguments. Its format is read character by character, since it is seldom a constant. */
static unsigned long __thetis_put_list(char *to, unsigned long size, const char *format, __builtin_va_list list) {
  unsigned long n = 0;
  for (; *format != 0; format++) {
    if (*format != '%') {
      n += __thetis_put_character(to, n, size, *format);
      continue;
    }
    int is_left = 0, has_zeros = 0, is_alternative = 0;
    char sign = 0;
    for (format++;; format++) {
      if (*format == '-') is_left = 1;
      else if (*format == '0') has_zeros = 1;
      else if (*format == '#') is_alternative = 1;
      else if (*format == '+') sign = '+';
      else if (*format != ' ') break;
      else if (sign == 0) sign = ' ';
    }
    long width = 0, precision = -1;
    if (*format == '*') {
      width = __builtin_va_arg(list, int);
      if (width < 0) {
        is_left = 1;
        width = -width;
      }
      format++;
    }
    for (; *format >= '0' && *format <= '9'; format++) width = width * 10 + (*format - '0');
    if (*format == '.') {
      precision = 0;
      format++;
      if (*format == '*') {
        precision = __builtin_va_arg(list, int);
        format++;
      }
      for (; *format >= '0' && *format <= '9'; format++) precision = precision * 10 + (*format - '0');
    }
    int length = 0;
    for (;; format++) {
      if (*format == 'h') length--;
      else if (*format == 'l' || *format == 'z' || *format == 't') length++;
      else if (*format == 'j' || *format == 'q') length = 2;
      else if (*format == 'L') length = 3;
      else break;
    }
    char padding = is_left ? '-' : has_zeros && precision < 0 ? '0' : ' ';
    char letter = *format;
    switch (letter) {
    case '%':
      n += __thetis_put_character(to, n, size, '%');
      break;
    case 'c': {
      if (length != 0) __thetis_limit("wide characters are not supported");
      char character = __builtin_va_arg(list, int);
      unsigned long spaces = width > 1 ? width - 1 : 0;
      if (!is_left) n += __thetis_put_repeated(to, n, size, ' ', spaces);
      n += __thetis_put_character(to, n, size, character);
      if (is_left) n += __thetis_put_repeated(to, n, size, ' ', spaces);
      break;
    }
    case 's':
      if (length != 0) __thetis_limit("wide characters are not supported");
      n += __thetis_put_padded_text(to, n, size, __builtin_va_arg(list, char *),
                                    precision < 0 ? (unsigned long)-1 : precision, width, is_left);
      break;
    case 'd':
    case 'i': {
      long long value;
      if (length >= 2) value = __builtin_va_arg(list, long long);
      else if (length == 1) value = __builtin_va_arg(list, long);
      else value = __builtin_va_arg(list, int);
      if (length == -1) value = (short)value;
      if (length == -2) value = (signed char)value;
      n += __thetis_put_number(to, n, size, value < 0 ? 0 - (unsigned long long)value : value, 10, 'a', value < 0 ? '-' : sign,
                               0, precision < 0 ? 1 : precision, width, padding);
      break;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': {
      unsigned long long value;
      if (length >= 2) value = __builtin_va_arg(list, unsigned long long);
      else if (length == 1) value = __builtin_va_arg(list, unsigned long);
      else value = __builtin_va_arg(list, unsigned);
      if (length == -1) value = (unsigned short)value;
      if (length == -2) value = (unsigned char)value;
      unsigned base = letter == 'u' ? 10 : letter == 'o' ? 8 : 16;
      int has_prefix = is_alternative && base == 16 && value != 0;
      unsigned long digits = precision < 0 ? 1 : precision;
      if (is_alternative && base == 8) digits = __thetis_octal_precision(value, digits);
      n += __thetis_put_number(to, n, size, value, base, letter == 'X' ? 'A' : 'a', has_prefix ? '0' : 0,
                               has_prefix ? letter : 0, digits, width, padding);
      break;
    }
    case 'n':
      if (length >= 2) *__builtin_va_arg(list, long long *) = n;
      else if (length == 1) *__builtin_va_arg(list, long *) = n;
      else if (length == 0) *__builtin_va_arg(list, int *) = n;
      else if (length == -1) *__builtin_va_arg(list, short *) = n;
      else *__builtin_va_arg(list, signed char *) = n;
      break;
    case 'p':
      __builtin_va_arg(list, void *);
      n += __thetis_put_something(to, n, size, width, precision);
      break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      if (length == 3) __builtin_va_arg(list, long double);
      else __builtin_va_arg(list, double);
      n += __thetis_put_something(to, n, size, width, precision);
      break;
    default:
      __thetis_limit("a format is not supported");
      return n;
    }
  }
  return n;
}
int __thetis_vsnprintf(char *to, unsigned long size, const char *format, __builtin_va_list list) {
  unsigned long n = __thetis_put_list(to, size, format, list);
  __thetis_put_end(to, n, size);
  return n;
}
int __thetis_vsprintf(char *to, const char *format, __builtin_va_list list) {
  return __thetis_vsnprintf(to, (unsigned long)-1, format, list);
}
int __thetis_vasprintf(char **to, const char *format, __builtin_va_list list) {
  __builtin_va_list counted;
  __builtin_va_copy(counted, list);
  unsigned long n = __thetis_put_list(0, 0, format, counted);
  __builtin_va_end(counted);
  char *text = __builtin_malloc(n + 1);
  if (text == 0) return -1;
  __thetis_vsnprintf(text, n + 1, format, list);
  *to = text;
  return n;
}
int __thetis_asprintf(char **to, const char *format, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int n = __thetis_vasprintf(to, format, list);
  __builtin_va_end(list);
  return n;
}

/* What sscanf reads, piece by piece. */
static int __thetis_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static const char *__thetis_skip_space(const char *s) {
  while (__thetis_is_space(*s)) s++;
  return s;
}
static unsigned __thetis_digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
}
/* How many characters before the digits of a number are a sign and the prefix of its base, and which base it is; a base of 0 is to be found
   out. */
static unsigned long __thetis_sign_length(const char *s, unsigned long max) {
  return max > 0 && (*s == '+' || *s == '-') ? 1 : 0;
}
static int __thetis_has_prefix(const char *s, unsigned long max, unsigned base) {
  if (base == 0 && max > 1 && s[0] == '0' && (s[1] == 'b' || s[1] == 'B')) __thetis_limit("a binary number is read");
  if (max < 2 || (base != 0 && base != 16) || s[0] != '0' || (s[1] != 'x' && s[1] != 'X')) return 0;
  if (max < 3 || __thetis_digit_of(s[2]) >= 16) __thetis_limit("a number ends after the prefix of its base");
  return 1;
}
/* The length of the number that a text begins with, or 0. */
static unsigned long __thetis_number_length(const char *s, unsigned long max, unsigned base) {
  unsigned long n = __thetis_sign_length(s, max);
  if (__thetis_has_prefix(s + n, max - n, base)) {
    n += 2;
    base = 16;
  }
  if (base == 0) base = n < max && s[n] == '0' ? 8 : 10;
  unsigned long start = n;
  while (n < max && __thetis_digit_of(s[n]) < base) n++;
  return n == start ? 0 : n;
}
/* The value of a number of this length. */
static unsigned long long __thetis_number_value(const char *s, unsigned long length, unsigned base, unsigned long long most) {
  unsigned long i = __thetis_sign_length(s, length);
  if (__thetis_has_prefix(s + i, length - i, base)) {
    i += 2;
    base = 16;
  }
  if (base == 0) base = s[i] == '0' ? 8 : 10;
  unsigned long long value = 0;
  for (; i < length; i++) {
    unsigned digit = __thetis_digit_of(s[i]);
    if (value > (most - digit) / base) __thetis_limit("a number that is read does not fit its type");
    value = value * base + digit;
  }
  return *s == '-' ? 0 - value : value;
}

/* What scanf writes: a word without white space, or some characters. */
static unsigned long __thetis_scanned(unsigned long max) {
  unsigned long n = __thetis_any_ulong();
  return n > 0 && n <= max ? n : 1;
}
static void __thetis_scan_word(char *to, unsigned long max) {
  unsigned long n = __thetis_scanned(max);
  for (unsigned long i = 0; i < n; i++) {
    unsigned char c = __thetis_any_uchar();
    to[i] = c != ' ' && !(c >= '\t' && c <= '\r') ? c : 'x';
  }
  to[n] = 0;
}
static void __thetis_scan_line(char *to, unsigned long max) {
  unsigned long n = __thetis_scanned(max);
  for (unsigned long i = 0; i < n; i++) to[i] = __thetis_any_uchar();
  to[n] = 0;
}
/* Of several characters, some libraries read fewer at the end of a stream. */
static void __thetis_scan_characters(char *to, unsigned long n) {
  if (n > 1 && __thetis_any_int()) {
    __thetis_approximate();
    n = 1 + __thetis_ulong_up_to(n - 2);
  }
  for (unsigned long i = 0; i < n; i++) to[i] = __thetis_any_uchar();
}
