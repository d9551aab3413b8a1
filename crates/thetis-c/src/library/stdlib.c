/* Functions of stdlib.h and ctype.h that only calculate. */

int __thetis_abs(int x) { return x < 0 ? -x : x; }
long __thetis_labs(long x) { return x < 0 ? -x : x; }
long long __thetis_llabs(long long x) { return x < 0 ? -x : x; }

int __thetis_isdigit(int c) { return c >= '0' && c <= '9'; }
int __thetis_isupper(int c) { return c >= 'A' && c <= 'Z'; }
int __thetis_islower(int c) { return c >= 'a' && c <= 'z'; }
int __thetis_isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int __thetis_isalnum(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int __thetis_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int __thetis_isxdigit(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }
int __thetis_isprint(int c) { return c >= ' ' && c <= '~'; }
int __thetis_iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
int __thetis_ispunct(int c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}
int __thetis_tolower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
int __thetis_toupper(int c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }

int __thetis_atoi(const char *s) {
  unsigned long i = 0;
  int negative = 0, value = 0;
  while (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r')) i++;
  if (s[i] == '-' || s[i] == '+') negative = s[i++] == '-';
  while (s[i] >= '0' && s[i] <= '9') value = 10 * value - (s[i++] - '0');
  return negative ? value : -value;
}
