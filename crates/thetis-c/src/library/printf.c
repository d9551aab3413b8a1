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

/* A text of at most max characters; what comes after them is not read. */
static unsigned long __thetis_put_text(char *to, unsigned long at, unsigned long size, const char *text, unsigned long max) {
  unsigned long n = 0;
  for (; n < max && text[n] != 0; n++)
    if (at + n + 1 < size) to[at + n] = text[n];
  return n;
}

static unsigned long __thetis_put_padded_text(char *to, unsigned long at, unsigned long size, const char *text,
                                              unsigned long max, unsigned long width, int is_left) {
  unsigned long length = 0;
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

/* What is not modelled: some characters, at least one and as many as the width. */
static unsigned long __thetis_put_something(char *to, unsigned long at, unsigned long size, unsigned long least) {
  __thetis_approximate();
  unsigned long n = (least > 0 ? least : 1) + __thetis_ulong_up_to(5000);
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
static void __thetis_scan_characters(char *to, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) to[i] = __thetis_any_uchar();
}
