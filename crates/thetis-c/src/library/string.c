/* string.h and strings.h as they are specified, one character at a time. */

unsigned long __thetis_strlen(const char *s) {
  unsigned long n = 0;
  while (s[n] != 0) n++;
  return n;
}

/* A text that goes out: it has to be there. */
static void __thetis_see_text(const char *s) {
  if (__thetis_checks_reads()) __thetis_strlen(s);
}

unsigned long __thetis_strnlen(const char *s, unsigned long max) {
  unsigned long n = 0;
  while (n < max && s[n] != 0) n++;
  return n;
}

int __thetis_strcmp(const char *a, const char *b) {
  unsigned long i = 0;
  while (a[i] != 0 && a[i] == b[i]) i++;
  return __thetis_unspecified_order((int)(unsigned char)a[i] - (int)(unsigned char)b[i]);
}

int __thetis_strncmp(const char *a, const char *b, unsigned long n) {
  unsigned long i = 0;
  while (i < n && a[i] != 0 && a[i] == b[i]) i++;
  if (i == n) return 0;
  return __thetis_unspecified_order((int)(unsigned char)a[i] - (int)(unsigned char)b[i]);
}

char *__thetis_strcpy(char *to, const char *from) {
  unsigned long i = 0;
  do to[i] = from[i]; while (from[i++] != 0);
  __thetis_separate(to, i, from, i);
  return to;
}

char *__thetis_stpcpy(char *to, const char *from) {
  unsigned long i = 0;
  while ((to[i] = from[i]) != 0) i++;
  __thetis_separate(to, i + 1, from, i + 1);
  return to + i;
}

char *__thetis_strncpy(char *to, const char *from, unsigned long n) {
  unsigned long i = 0;
  for (; i < n && from[i] != 0; i++) to[i] = from[i];
  __thetis_separate(to, n, from, i);
  for (; i < n; i++) to[i] = 0;
  return to;
}

char *__thetis_strcat(char *to, const char *from) {
  unsigned long n = 0, i = 0;
  while (to[n] != 0) n++;
  do to[n + i] = from[i]; while (from[i++] != 0);
  __thetis_separate(to, n + i, from, i);
  return to;
}

char *__thetis_strncat(char *to, const char *from, unsigned long max) {
  unsigned long n = 0, i = 0;
  while (to[n] != 0) n++;
  for (; i < max && from[i] != 0; i++) to[n + i] = from[i];
  __thetis_separate(to, n + i + 1, from, i);
  to[n + i] = 0;
  return to;
}

char *__thetis_strchr(const char *s, int c) {
  unsigned long i = 0;
  while (s[i] != (char)c) {
    if (s[i] == 0) return 0;
    i++;
  }
  return (char *)s + i;
}

char *__thetis_strrchr(const char *s, int c) {
  char *found = 0;
  unsigned long i = 0;
  do if (s[i] == (char)c) found = (char *)s + i; while (s[i++] != 0);
  return found;
}

char *__thetis_strstr(const char *text, const char *word) {
  for (unsigned long i = 0;; i++) {
    unsigned long j = 0;
    while (word[j] != 0 && text[i + j] == word[j]) j++;
    if (word[j] == 0) return (char *)text + i;
    if (text[i + j] == 0) return 0;
  }
}

int __thetis_memcmp(const void *a, const void *b, unsigned long n) {
  const unsigned char *p = a, *q = b;
  __thetis_require(a, n);
  __thetis_require(b, n);
  for (unsigned long i = 0; i < n; i++)
    if (p[i] != q[i]) return __thetis_unspecified_order((int)p[i] - (int)q[i]);
  return 0;
}

void *__thetis_memchr(const void *s, int c, unsigned long n) {
  const unsigned char *p = s;
  for (unsigned long i = 0; i < n; i++)
    if (p[i] == (unsigned char)c) return (void *)(p + i);
  return 0;
}

void *__thetis_memrchr(const void *s, int c, unsigned long n) {
  const unsigned char *p = s;
  while (n > 0)
    if (p[--n] == (unsigned char)c) return (void *)(p + n);
  return 0;
}

void *__thetis_rawmemchr(const void *s, int c) {
  const unsigned char *p = s;
  unsigned long i = 0;
  while (p[i] != (unsigned char)c) i++;
  return (void *)(p + i);
}

void *__thetis_memccpy(void *to, const void *from, int c, unsigned long n) {
  unsigned char *target = to;
  const unsigned char *source = from;
  for (unsigned long i = 0; i < n; i++) {
    target[i] = source[i];
    __thetis_separate(to, i + 1, from, i + 1);
    if (source[i] == (unsigned char)c) return target + i + 1;
  }
  return 0;
}

void *__thetis_memmem(const void *text, unsigned long size, const void *word, unsigned long length) {
  const unsigned char *p = text, *q = word;
  __thetis_require(text, size);
  __thetis_require(word, length);
  for (unsigned long i = 0; length <= size && i <= size - length; i++) {
    unsigned long j = 0;
    while (j < length && p[i + j] == q[j]) j++;
    if (j == length) return (void *)(p + i);
  }
  return 0;
}

char *__thetis_strchrnul(const char *s, int c) {
  unsigned long i = 0;
  while (s[i] != 0 && s[i] != (char)c) i++;
  return (char *)s + i;
}

char *__thetis_stpncpy(char *to, const char *from, unsigned long n) {
  unsigned long i = 0;
  for (; i < n && from[i] != 0; i++) to[i] = from[i];
  unsigned long end = i;
  __thetis_separate(to, n, from, i);
  for (; i < n; i++) to[i] = 0;
  return to + end;
}

unsigned long __thetis_strlcpy(char *to, const char *from, unsigned long size) {
  unsigned long n = 0;
  for (; from[n] != 0; n++)
    if (n + 1 < size) to[n] = from[n];
  __thetis_separate(to, n < size ? n + 1 : size, from, n + 1);
  if (size > 0) to[n < size ? n : size - 1] = 0;
  return n;
}

unsigned long __thetis_strlcat(char *to, const char *from, unsigned long size) {
  unsigned long n = 0;
  while (n < size && to[n] != 0) n++;
  return n + __thetis_strlcpy(to + n, from, size - n);
}

static int __thetis_is_one_of(char c, const char *set) {
  unsigned long i = 0;
  while (set[i] != 0 && set[i] != c) i++;
  return set[i] != 0;
}

unsigned long __thetis_strspn(const char *s, const char *set) {
  unsigned long n = 0;
  while (s[n] != 0 && __thetis_is_one_of(s[n], set)) n++;
  return n;
}

unsigned long __thetis_strcspn(const char *s, const char *set) {
  unsigned long n = 0;
  while (s[n] != 0 && !__thetis_is_one_of(s[n], set)) n++;
  return n;
}

char *__thetis_strpbrk(const char *s, const char *set) {
  unsigned long n = __thetis_strcspn(s, set);
  return s[n] == 0 ? 0 : (char *)s + n;
}

char *__thetis_strtok_r(char *s, const char *separators, char **rest) {
  if (s == 0) s = *rest;
  /* Some libraries return null if there is no text at all, others read what is not there. */
  if (s == 0 && !__thetis_checks_memory()) return 0;
  unsigned long start = __thetis_strspn(s, separators);
  if (s[start] == 0) {
    *rest = s + start;
    return 0;
  }
  unsigned long end = start + __thetis_strcspn(s + start, separators);
  *rest = s + end;
  if (s[end] != 0) {
    *rest = s + end + 1;
    s[end] = 0;
  }
  return s + start;
}
char *__thetis___strtok_r(char *s, const char *separators, char **rest) {
  return __thetis_strtok_r(s, separators, rest);
}

static char *__thetis_strtok_rest;
char *__thetis_strtok(char *s, const char *separators) {
  return __thetis_strtok_r(s, separators, &__thetis_strtok_rest);
}

char *__thetis_strsep(char **rest, const char *separators) {
  char *start = *rest;
  if (start == 0) return 0;
  unsigned long n = __thetis_strcspn(start, separators);
  *rest = 0;
  if (start[n] != 0) {
    *rest = start + n + 1;
    start[n] = 0;
  }
  return start;
}

char *__thetis_strdup(const char *s) {
  unsigned long n = __thetis_strlen(s) + 1;
  char *copy = __builtin_malloc(n);
  if (copy == 0) return 0;
  for (unsigned long i = 0; i < n; i++) copy[i] = s[i];
  return copy;
}
char *__thetis___strdup(const char *s) { return __thetis_strdup(s); }

char *__thetis_strndup(const char *s, unsigned long max) {
  unsigned long n = __thetis_strnlen(s, max);
  char *copy = __builtin_malloc(n + 1);
  if (copy == 0) return 0;
  for (unsigned long i = 0; i < n; i++) copy[i] = s[i];
  copy[n] = 0;
  return copy;
}
char *__thetis___strndup(const char *s, unsigned long max) { return __thetis_strndup(s, max); }

/* The "C" locale compares bytes. */
int __thetis_strcoll(const char *a, const char *b) {
  int order = __thetis_strcmp(a, b);
  if (!__thetis_has_locale) return order;
  __thetis_approximate();
  return __thetis_any_int();
}
unsigned long __thetis_strxfrm(char *to, const char *from, unsigned long size) {
  unsigned long n = 0;
  if (__thetis_has_locale) __thetis_limit("`strxfrm` in another locale than \"C\"");
  for (; from[n] != 0; n++)
    if (n < size) to[n] = from[n];
  if (n < size) to[n] = 0;
  return n;
}

static int __thetis_lower(char c) {
  return __thetis_case_of_locale(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : (unsigned char)c);
}

int __thetis_strcasecmp(const char *a, const char *b) {
  unsigned long i = 0;
  while (a[i] != 0 && __thetis_lower(a[i]) == __thetis_lower(b[i])) i++;
  return __thetis_unspecified_order(__thetis_lower(a[i]) - __thetis_lower(b[i]));
}

int __thetis_strncasecmp(const char *a, const char *b, unsigned long n) {
  unsigned long i = 0;
  while (i < n && a[i] != 0 && __thetis_lower(a[i]) == __thetis_lower(b[i])) i++;
  if (i == n) return 0;
  return __thetis_unspecified_order(__thetis_lower(a[i]) - __thetis_lower(b[i]));
}

char *__thetis_strcasestr(const char *text, const char *word) {
  for (unsigned long i = 0;; i++) {
    unsigned long j = 0;
    while (word[j] != 0 && __thetis_lower(text[i + j]) == __thetis_lower(word[j])) j++;
    if (word[j] == 0) return (char *)text + i;
    if (text[i + j] == 0) return 0;
  }
}

char *__thetis_index(const char *s, int c) { return __thetis_strchr(s, c); }
char *__thetis_rindex(const char *s, int c) { return __thetis_strrchr(s, c); }
int __thetis_bcmp(const void *a, const void *b, unsigned long n) { return __thetis_memcmp(a, b, n); }
void __thetis_bzero(void *s, unsigned long n) { __builtin_memset(s, 0, n); }
void __thetis_explicit_bzero(void *s, unsigned long n) { __builtin_memset(s, 0, n); }
void *__thetis_memset_explicit(void *s, int c, unsigned long n) { return __builtin_memset(s, c, n); }
void __thetis_bcopy(const void *from, void *to, unsigned long n) { __builtin_memmove(to, from, n); }

/* The texts of messages are not modelled. Some are made when they are asked for, in place of the one before. */
static char __thetis_made_message[256];
char *__thetis_strerror(int number) {
  __thetis_approximate();
  if (__thetis_any_int()) {
    __thetis_fill_text(__thetis_made_message, 256);
    return __thetis_made_message;
  }
  char *message = __thetis_outside_pointer();
  __thetis_assume(message != 0);
  return message;
}
char *__thetis_strsignal(int number) { return __thetis_strerror(number); }

/* With -D_FORTIFY_SOURCE: the program ends if more is written than the compiler knows to be there. */
static void __thetis_check_size(unsigned long needed, unsigned long size) {
  if (needed > size) __builtin_abort();
}
char *__thetis___strcpy_chk(char *to, const char *from, unsigned long size) {
  __thetis_check_size(__thetis_strlen(from) + 1, size);
  return __thetis_strcpy(to, from);
}
char *__thetis___stpcpy_chk(char *to, const char *from, unsigned long size) {
  __thetis_check_size(__thetis_strlen(from) + 1, size);
  return __thetis_stpcpy(to, from);
}
char *__thetis___strncpy_chk(char *to, const char *from, unsigned long n, unsigned long size) {
  __thetis_check_size(n, size);
  return __thetis_strncpy(to, from, n);
}
char *__thetis___strcat_chk(char *to, const char *from, unsigned long size) {
  __thetis_check_size(__thetis_strlen(to) + __thetis_strlen(from) + 1, size);
  return __thetis_strcat(to, from);
}
char *__thetis___strncat_chk(char *to, const char *from, unsigned long n, unsigned long size) {
  __thetis_check_size(__thetis_strlen(to) + __thetis_strnlen(from, n) + 1, size);
  return __thetis_strncat(to, from, n);
}
