/* Functions of string.h as they are specified, one character at a time. */

unsigned long __thetis_strlen(const char *s) {
  unsigned long n = 0;
  while (s[n] != 0) n++;
  return n;
}

unsigned long __thetis_strnlen(const char *s, unsigned long max) {
  unsigned long n = 0;
  while (n < max && s[n] != 0) n++;
  return n;
}

int __thetis_strcmp(const char *a, const char *b) {
  unsigned long i = 0;
  while (a[i] != 0 && a[i] == b[i]) i++;
  return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}

int __thetis_strncmp(const char *a, const char *b, unsigned long n) {
  unsigned long i = 0;
  while (i < n && a[i] != 0 && a[i] == b[i]) i++;
  if (i == n) return 0;
  return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}

char *__thetis_strcpy(char *to, const char *from) {
  unsigned long i = 0;
  do to[i] = from[i]; while (from[i++] != 0);
  return to;
}

char *__thetis_stpcpy(char *to, const char *from) {
  unsigned long i = 0;
  while ((to[i] = from[i]) != 0) i++;
  return to + i;
}

char *__thetis_strncpy(char *to, const char *from, unsigned long n) {
  unsigned long i = 0;
  for (; i < n && from[i] != 0; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}

char *__thetis_strcat(char *to, const char *from) {
  unsigned long n = 0, i = 0;
  while (to[n] != 0) n++;
  do to[n + i] = from[i]; while (from[i++] != 0);
  return to;
}

char *__thetis_strncat(char *to, const char *from, unsigned long max) {
  unsigned long n = 0, i = 0;
  while (to[n] != 0) n++;
  for (; i < max && from[i] != 0; i++) to[n + i] = from[i];
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
  for (unsigned long i = 0; i < n; i++)
    if (p[i] != q[i]) return (int)p[i] - (int)q[i];
  return 0;
}

void *__thetis_memchr(const void *s, int c, unsigned long n) {
  const unsigned char *p = s;
  for (unsigned long i = 0; i < n; i++)
    if (p[i] == (unsigned char)c) return (void *)(p + i);
  return 0;
}
