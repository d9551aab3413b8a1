// Everyday programs with small inputs: what holds for all inputs, and its negation. With `everyday.c` the benchmark of what somebody tries first:
// `contrib/edges.py --thetis target/release/thetis --only 'everyday.*' --time 20`.

//== absolute-value: both reasoned
extern int input(void);
int main(void) { int x = input(); if (x == -2147483647 - 1) return 0; int a = x < 0 ? -x : x; finally(a >= 0 && (a == x || a == -x)); }
//== maximum-of-three: both reasoned
extern int input(void);
int main(void) { int a = input(), b = input(), c = input(), m = a; if (b > m) m = b; if (c > m) m = c; finally(m >= a && m >= b && m >= c && (m == a || m == b || m == c)); }
//== clamp: both reasoned
extern int input(void);
static int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }
int main(void) { int x = clamp(input(), -40, 85); finally(x >= -40 && x <= 85); }
//== greatest-common-divisor: both reasoned
extern unsigned char input(void);
int main(void) { unsigned a = input() & 31, b = input() & 31, x = a, y = b; while (y) { unsigned t = x % y; x = y; y = t; } finally(x == 0 ? a == 0 && b == 0 : a % x == 0 && b % x == 0); }
//== integer-square-root: both reasoned
extern unsigned char input(void);
int main(void) { unsigned n = input(), r = 0; while ((r + 1) * (r + 1) <= n) r++; finally(r * r <= n && n < (r + 1) * (r + 1)); }
//== leap-years: both reasoned
extern unsigned short input(void);
int main(void) { unsigned y = input() % 400 + 1601; int leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; finally(!leap || y % 4 == 0); }
//== days-of-months: both reasoned
extern unsigned char input(void);
static const unsigned char days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
int main(void) { unsigned d = input() % 365 + input() % 1, m = 0; while (d >= days[m]) d -= days[m++]; finally(m < 12 && d < 31); }
//== bits-counted-twice: both reasoned
extern unsigned char input(void);
int main(void) { unsigned char x = input(); int n = 0, k = 0; for (unsigned y = x; y; y &= y - 1) n++; for (int i = 0; i < 8; i++) k += x >> i & 1; finally(n == k); }
//== parity-by-folding: both reasoned
extern unsigned char input(void);
int main(void) { unsigned char x = input(), y = x; y ^= y >> 4; y ^= y >> 2; y ^= y >> 1; int k = 0; for (int i = 0; i < 8; i++) k ^= x >> i & 1; finally((y & 1) == k); }
//== bytes-swapped-twice: both reasoned
extern unsigned input(void);
static unsigned swap(unsigned x) { return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24; }
int main(void) { unsigned x = input(); finally(swap(swap(x)) == x); }
//== gray-code: both reasoned
extern unsigned char input(void);
int main(void) { unsigned char x = input(), g = x ^ x >> 1, y = g; for (int i = 1; i < 8; i++) y ^= g >> i; finally(y == x); }
//== decimal-digits: both reasoned
#include <stdio.h>
#include <stdlib.h>
extern unsigned char input(void);
int main(void) { char b[8]; int x = input(); snprintf(b, sizeof b, "%d", x); finally(atoi(b) == x); }
//== hexadecimal-digits: both reasoned
extern unsigned char input(void);
static const char digits[] = "0123456789abcdef";
static int value(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }
int main(void) { unsigned char x = input(); char h[2] = { digits[x >> 4], digits[x & 15] }; finally(value(h[0]) * 16 + value(h[1]) == x); }
//== binary-coded-decimal: both reasoned
extern unsigned char input(void);
int main(void) { unsigned n = input() % 100, bcd = n / 10 << 4 | n % 10; finally((bcd >> 4) * 10 + (bcd & 15) == n); }
//== checksum-of-four-bytes: both reasoned
extern unsigned char input(void);
int main(void) { unsigned char p[5], s = 0; for (int i = 0; i < 4; i++) { p[i] = input(); s += p[i]; } p[4] = -s; s = 0; for (int i = 0; i < 5; i++) s += p[i]; finally(s == 0); }
//== crc-of-one-byte: both reasoned
extern unsigned char input(void);
static unsigned char crc8(const unsigned char *p, int n) { unsigned char c = 0; while (n--) { c ^= *p++; for (int k = 0; k < 8; k++) c = c & 0x80 ? c << 1 ^ 7 : c << 1; } return c; }
int main(void) { unsigned char p[2] = { input() }; p[1] = crc8(p, 1); finally(crc8(p, 2) == 0); }
//== sort-of-four: both reasoned
extern int input(void);
int main(void) { int a[4]; for (int i = 0; i < 4; i++) a[i] = input(); for (int i = 1; i < 4; i++) { int k = a[i], j = i - 1; while (j >= 0 && a[j] > k) { a[j + 1] = a[j]; j--; } a[j + 1] = k; } finally(a[0] <= a[1] && a[1] <= a[2] && a[2] <= a[3]); }
//== binary-search: both reasoned
extern int input(void);
static const int t[7] = { 1, 3, 4, 7, 9, 12, 20 };
int main(void) { int x = input(), lo = 0, hi = 7; while (lo < hi) { int m = (lo + hi) / 2; if (t[m] < x) lo = m + 1; else hi = m; } finally((lo == 7 || t[lo] >= x) && (lo == 0 || t[lo - 1] < x)); }
//== length-of-a-text: both reasoned
#include <string.h>
extern char input(void);
int main(void) { char s[9]; for (int i = 0; i < 8; i++) s[i] = input(); s[8] = 0; unsigned long n = strlen(s); finally(n <= 8 && s[n] == 0); }
//== text-copied: both reasoned
#include <string.h>
extern char input(void);
int main(void) { char s[6], t[6]; for (int i = 0; i < 5; i++) s[i] = input(); s[5] = 0; strcpy(t, s); finally(strcmp(s, t) == 0); }
//== text-reversed-twice: both reasoned
extern char input(void);
static void reverse(char *s, int n) { for (int i = 0; i < n / 2; i++) { char c = s[i]; s[i] = s[n - 1 - i]; s[n - 1 - i] = c; } }
int main(void) { char s[5], t[5]; for (int i = 0; i < 5; i++) s[i] = t[i] = input(); reverse(s, 5); reverse(s, 5); finally(s[0] == t[0] && s[2] == t[2] && s[4] == t[4]); }
//== upper-case: both reasoned
#include <ctype.h>
extern unsigned char input(void);
int main(void) { int c = input() & 127, u = toupper(c); finally(!islower(u) && (u == c || u == c - 32)); }
//== caesar-cipher: both reasoned
extern unsigned char input(void);
int main(void) { int k = input() % 26, c = 'a' + input() % 26, e = (c - 'a' + k) % 26 + 'a', d = (e - 'a' + 26 - k) % 26 + 'a'; finally(d == c); }
//== ring-buffer: both reasoned
extern unsigned char input(void);
static unsigned char q[8]; static unsigned head, tail;
int main(void) { head = tail = input() & 7; unsigned char a = input(), b = input(); q[head++ & 7] = a; q[head++ & 7] = b; unsigned char x = q[tail++ & 7], y = q[tail++ & 7]; finally(x == a && y == b && head == tail); }
//== stack: both reasoned
extern int input(void);
static int s[8], n;
static int push(int x) { if (n == 8) return 0; s[n++] = x; return 1; }
static int pop(void) { return s[--n]; }
int main(void) { int k = input(); if (k < 0 || k > 8) return 0; for (int i = 0; i < k; i++) push(i); int ok = 1; for (int i = k; i-- > 0;) if (pop() != i) ok = 0; finally(ok && n == 0); }
//== list-of-inputs: both reasoned
#include <stdlib.h>
extern int input(void);
struct node { int value; struct node *next; };
int main(void) { struct node *list = 0; int last = 0; for (int i = 0; i < 4; i++) { struct node *x = malloc(sizeof *x); if (!x) return 0; x->value = last = input(); x->next = list; list = x; } finally(list->value == last); }
//== state-machine: both reasoned
extern unsigned char input(void);
enum state { RED, GREEN, YELLOW };
int main(void) { enum state s = RED; for (int i = 0; i < 10; i++) { int go = input() & 1; switch (s) { case RED: if (go) s = GREEN; break; case GREEN: if (!go) s = YELLOW; break; case YELLOW: s = RED; break; } } finally(s == RED || s == GREEN || s == YELLOW); }
//== moving-average: both reasoned
extern unsigned char input(void);
int main(void) { unsigned w[4] = { 0 }, sum = 0; for (int i = 0; i < 12; i++) { unsigned x = input(); sum += x - w[i & 3]; w[i & 3] = x; } finally(sum <= 4 * 255 && sum == w[0] + w[1] + w[2] + w[3]); }
//== saturating-sum: both reasoned
extern signed char input(void);
static signed char add(signed char a, signed char b) { int s = a + b; return s > 127 ? 127 : s < -128 ? -128 : s; }
int main(void) { signed char a = input(), b = input(), s = add(a, b); finally(b < 0 || s >= a); }
//== matrix-transposed-twice: both reasoned
extern int input(void);
int main(void) { int a[3][3], b[3][3], c[3][3]; for (int i = 0; i < 9; i++) a[i / 3][i % 3] = input(); for (int i = 0; i < 9; i++) b[i % 3][i / 3] = a[i / 3][i % 3]; for (int i = 0; i < 9; i++) c[i % 3][i / 3] = b[i / 3][i % 3]; finally(c[0][1] == a[0][1] && c[2][0] == a[2][0] && c[1][1] == a[1][1]); }
