static const char *const texts[] = {"",     "a",      "b",    "ab",   "abc", "abd",       "aab",  "aabaab",
                                    "baab", "a,b,,c", ",,a,", ",",    " x ", "\xff\x01z", "\x80", "Hello, World",
                                    "hElLo", "WORLD",  "xyz",  "cab c"};
enum { SIZE = 64 };

/* Does the same with two equal buffers and compares them. */
static char mine[SIZE], theirs[SIZE];
static void refill(const char *text) {
  memset(mine, '#', SIZE);
  memset(theirs, '#', SIZE);
  strcpy(mine, text);
  strcpy(theirs, text);
}
#define CHECK_BUFFERS(model, function)                             \
  do {                                                             \
    refill(a);                                                     \
    char *to = mine;                                               \
    long expected, result = (long)(model) - (long)mine;            \
    to = theirs;                                                   \
    expected = (long)(function) - (long)theirs;                    \
    CHECK(result == expected && #model);                           \
    CHECK(memcmp(mine, theirs, SIZE) == 0 && #model);              \
  } while (0)

static void compare_one(const char *a) {
  CHECK(__thetis_strlen(a) == strlen(a));
  char *copy = __thetis_strdup(a);
  CHECK(strcmp(copy, a) == 0);
  free(copy);
  for (unsigned long n = 0; n < 15; n++) {
    CHECK(__thetis_strnlen(a, n) == strnlen(a, n));
    copy = __thetis_strndup(a, n);
    CHECK(strlen(copy) == strnlen(a, n) && strncmp(copy, a, n) == 0);
    free(copy);
  }
  for (int c = -3; c < 300; c++) {
    CHECK(__thetis_strchr(a, c) == strchr(a, c));
    CHECK(__thetis_strrchr(a, c) == strrchr(a, c));
    CHECK(__thetis_strchrnul(a, c) == strchrnul(a, c));
    CHECK(__thetis_index(a, c) == index(a, c) && __thetis_rindex(a, c) == rindex(a, c));
    for (unsigned long n = 0; n <= strlen(a) + 1; n++) {
      CHECK(__thetis_memchr(a, c, n) == memchr(a, c, n));
      CHECK(__thetis_memrchr(a, c, n) == memrchr(a, c, n));
    }
  }
  CHECK(__thetis_rawmemchr(a, 0) == rawmemchr(a, 0));
}

static void compare_two(const char *a, const char *b) {
  CHECK_SIGN(__thetis_strcmp(a, b), strcmp(a, b));
  CHECK_SIGN(__thetis_strcoll(a, b), strcoll(a, b));
  CHECK_SIGN(__thetis_strcasecmp(a, b), strcasecmp(a, b));
  for (unsigned long n = 0; n < 8; n++) {
    CHECK_SIGN(__thetis_strncmp(a, b, n), strncmp(a, b, n));
    CHECK_SIGN(__thetis_strncasecmp(a, b, n), strncasecmp(a, b, n));
    if (n <= strlen(a) && n <= strlen(b)) {
      CHECK_SIGN(__thetis_memcmp(a, b, n), memcmp(a, b, n));
      CHECK_SIGN(__thetis_bcmp(a, b, n), bcmp(a, b, n));
    }
    CHECK_BUFFERS(__thetis_strncpy(to, b, n), strncpy(to, b, n));
    CHECK_BUFFERS(__thetis_stpncpy(to, b, n), stpncpy(to, b, n));
    CHECK_BUFFERS(__thetis_strncat(to, b, n), strncat(to, b, n));
    CHECK_BUFFERS(to + __thetis_strxfrm(to, b, n), to + strxfrm(to, b, n));
    if (n <= strlen(b) + 1) CHECK_BUFFERS(({ char *p = __thetis_memccpy(to, b, 'a', n); p ? p : to; }), ({ char *p = memccpy(to, b, 'a', n); p ? p : to; }));
    CHECK_BUFFERS((__thetis_swab(b, to, n <= strlen(b) ? n : 0), to), (swab(b, to, n <= strlen(b) ? n : 0), to));
    CHECK_BUFFERS((__thetis_bzero(to, n), to), (bzero(to, n), to));
    CHECK_BUFFERS((__thetis_bcopy(b, to, n < strlen(b) ? n : strlen(b)), to), (bcopy(b, to, n < strlen(b) ? n : strlen(b)), to));
  }
  CHECK_BUFFERS(__thetis_strcpy(to, b), strcpy(to, b));
  CHECK_BUFFERS(__thetis_stpcpy(to, b), stpcpy(to, b));
  CHECK_BUFFERS(__thetis_strcat(to, b), strcat(to, b));
  CHECK_BUFFERS(__thetis___strcpy_chk(to, b, SIZE), strcpy(to, b));
  CHECK_BUFFERS(__thetis___strncat_chk(to, b, 3, SIZE), strncat(to, b, 3));
  CHECK(__thetis_strstr(a, b) == strstr(a, b));
  CHECK(__thetis_strcasestr(a, b) == strcasestr(a, b));
  CHECK(__thetis_memmem(a, strlen(a), b, strlen(b)) == memmem(a, strlen(a), b, strlen(b)));
  CHECK(__thetis_strspn(a, b) == strspn(a, b));
  CHECK(__thetis_strcspn(a, b) == strcspn(a, b));
  CHECK(__thetis_strpbrk(a, b) == strpbrk(a, b));
}

/* The words of a text, as the offsets at which they start. */
static void compare_words(const char *a, const char *separators) {
  refill(a);
  char *p = __thetis_strtok(mine, separators), *q = strtok(theirs, separators);
  for (int i = 0; i < 9; i++) {
    CHECK((p == 0 && q == 0) || p - mine == q - theirs);
    p = __thetis_strtok(0, separators);
    q = strtok(0, separators);
  }
  CHECK(memcmp(mine, theirs, SIZE) == 0);
  refill(a);
  char *rest_p = mine, *rest_q = theirs;
  for (int i = 0; i < 9; i++) {
    p = __thetis_strsep(&rest_p, separators);
    q = strsep(&rest_q, separators);
    CHECK((p == 0 && q == 0) || p - mine == q - theirs);
    CHECK((rest_p == 0 && rest_q == 0) || rest_p - mine == rest_q - theirs);
  }
  CHECK(memcmp(mine, theirs, SIZE) == 0);
}

/* There is no strlcpy in older systems; these are its rules. */
static void check_bounded_copies(void) {
  char to[8] = "#######";
  CHECK(__thetis_strlcpy(to, "abc", 3) == 3 && memcmp(to, "ab\0####", 8) == 0);
  CHECK(__thetis_strlcpy(to, "abc", 0) == 3 && memcmp(to, "ab\0####", 8) == 0);
  CHECK(__thetis_strlcpy(to, "a", 8) == 1 && memcmp(to, "a\0\0####", 8) == 0);
  CHECK(__thetis_strlcat(to, "xyz", 4) == 4 && strcmp(to, "axy") == 0);
  CHECK(__thetis_strlcat(to, "xyz", 2) == 5 && strcmp(to, "axy") == 0);
}

int main(void) {
  for (unsigned i = 0; i < NUM(texts); i++) {
    compare_one(texts[i]);
    for (unsigned j = 0; j < NUM(texts); j++) {
      compare_two(texts[i], texts[j]);
      compare_words(texts[i], texts[j]);
    }
  }
  check_bounded_copies();
  return finish();
}
