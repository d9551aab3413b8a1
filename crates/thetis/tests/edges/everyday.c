// Everyday programs without inputs: what somebody tries first. Each has one run, so each is decided by running it. `finally` is the
// last check; a program that is `both` is asked as it stands and with that check negated.

//== sum: both
int main(void) { int s = 0; for (int i = 1; i <= 100; i++) s += i; finally(s == 5050); }
//== array-fill: both
int main(void) { int a[100]; for (int i = 0; i < 100; i++) a[i] = i * i; int s = 0; for (int i = 0; i < 100; i++) s += a[i]; finally(s == 328350); }
//== collatz: both
int main(void) { unsigned long n = 27; int steps = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; } finally(steps == 111); }
//== strcpy-strcat-strcmp: both
#include <string.h>
int main(void) { char b[32]; strcpy(b, "hello "); strcat(b, "world"); finally(strcmp(b, "hello world") == 0); }
//== crc32: both
static unsigned crc32(const unsigned char *p, int n) {
    unsigned c = 0xffffffffu;
    for (int i = 0; i < n; i++) { c ^= p[i]; for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1; }
    return ~c;
}
int main(void) { finally(crc32((const unsigned char *)"123456789", 9) == 0xcbf43926u); }
//== crc32-table: both
static unsigned table[256];
static void init(void) { for (unsigned i = 0; i < 256; i++) { unsigned c = i; for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1; table[i] = c; } }
int main(void) {
    init();
    const char *p = "123456789"; unsigned c = ~0u;
    while (*p) c = table[(c ^ (unsigned char)*p++) & 0xff] ^ (c >> 8);
    finally(~c == 0xcbf43926u);
}
//== base64: both
#include <string.h>
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static void encode(const char *in, int n, char *out) {
    int o = 0;
    for (int i = 0; i < n; i += 3) {
        unsigned v = (unsigned char)in[i] << 16 | (i + 1 < n ? (unsigned char)in[i + 1] << 8 : 0) | (i + 2 < n ? (unsigned char)in[i + 2] : 0);
        out[o++] = digits[v >> 18]; out[o++] = digits[v >> 12 & 63];
        out[o++] = i + 1 < n ? digits[v >> 6 & 63] : '='; out[o++] = i + 2 < n ? digits[v & 63] : '=';
    }
    out[o] = 0;
}
int main(void) { char out[16]; encode("hello", 5, out); finally(!strcmp(out, "aGVsbG8=")); }
//== binary-search-tree: both
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
static struct node *insert(struct node *t, int key) {
    if (!t) { t = malloc(sizeof *t); if (!t) exit(1); t->key = key; t->left = t->right = 0; return t; }
    if (key < t->key) t->left = insert(t->left, key); else t->right = insert(t->right, key);
    return t;
}
int main(void) { struct node *t = 0; t = insert(t, 5); t = insert(t, 2); t = insert(t, 8); finally(t->key == 5 && t->left->key == 2 && t->right->key == 8); }
//== tree-with-a-loop: both
#include <stdlib.h>
struct node { int key; struct node *child[2]; };
static void insert(struct node **at, int key) {
    while (*at) at = &(*at)->child[key > (*at)->key];
    *at = calloc(1, sizeof **at);
    if (!*at) abort();
    (*at)->key = key;
}
int main(void) {
    static const int keys[] = { 50, 30, 70, 20, 40, 60, 80, 10 }; struct node *root = 0; int depth = 0;
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) insert(&root, keys[i]);
    for (struct node *n = root; n; n = n->child[0]) depth++;
    finally(depth == 4 && root->child[1]->child[0]->key == 60);
}
//== insertion-sort: both
int main(void) {
    int a[] = { 4, 3, 2, 1 }, n = 4;
    for (int i = 1; i < n; i++) { int x = a[i], j = i - 1; while (j >= 0 && a[j] > x) { a[j + 1] = a[j]; j--; } a[j + 1] = x; }
    for (int i = 1; i < n; i++) check(a[i - 1] <= a[i]);
    finally(a[0] == 1 && a[3] == 4);
}
//== bubble-sort: both
static void sort(int *a, int n) { for (int i = 0; i < n; i++) for (int j = 0; j + 1 < n - i; j++) if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } }
int main(void) { int a[20]; for (int i = 0; i < 20; i++) a[i] = i * 7 % 20; sort(a, 20); for (int i = 0; i < 19; i++) check(a[i] <= a[i + 1]); finally(a[7] == 7); }
//== quick-sort: both
static void sort(int *a, int lo, int hi) {
    if (lo >= hi) return;
    int p = a[hi], i = lo;
    for (int j = lo; j < hi; j++) if (a[j] < p) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; }
    a[hi] = a[i]; a[i] = p;
    sort(a, lo, i - 1); sort(a, i + 1, hi);
}
int main(void) { int a[] = { 5, 2, 9, 1, 7, 3 }; sort(a, 0, 5); for (int i = 0; i < 5; i++) check(a[i] <= a[i + 1]); finally(a[2] == 3); }
//== binary-search: both
static int find(const int *a, int n, int x) { int lo = 0, hi = n - 1; while (lo <= hi) { int m = lo + (hi - lo) / 2; if (a[m] == x) return m; if (a[m] < x) lo = m + 1; else hi = m - 1; } return -1; }
int main(void) { static const int a[] = { 1, 3, 5, 7, 9, 11, 13 }; for (int i = 0; i < 7; i++) check(find(a, 7, a[i]) == i); finally(find(a, 7, 4) == -1); }
//== ring-buffer: both
#include <stdbool.h>
struct ring { unsigned char data[8]; unsigned head, tail; };
static bool put(struct ring *r, unsigned char c) { if (r->head - r->tail == 8) return false; r->data[r->head++ % 8] = c; return true; }
static bool get(struct ring *r, unsigned char *c) { if (r->head == r->tail) return false; *c = r->data[r->tail++ % 8]; return true; }
int main(void) {
    static struct ring r; unsigned char c; int sum = 0;
    for (int i = 0; i < 50; i++) { check(put(&r, i)); if (i % 2) { check(get(&r, &c)); sum += c; check(get(&r, &c)); sum += c; } }
    finally(!get(&r, &c) && sum == 1225);
}
//== ring-buffer-full: both
struct ring { int data[4]; int head, count; };
static int put(struct ring *r, int x) { if (r->count == 4) return -1; r->data[(r->head + r->count++) % 4] = x; return 0; }
int main(void) { struct ring r = { 0 }; for (int i = 0; i < 4; i++) check(put(&r, i) == 0); finally(put(&r, 9) == -1 && r.data[3] == 3); }
//== limb-addition: both
#include <stdint.h>
static uint64_t add(uint64_t *r, const uint64_t *a, const uint64_t *b, int n) {
    uint64_t carry = 0;
    for (int i = 0; i < n; i++) { uint64_t s = a[i] + carry; carry = s < carry; r[i] = s + b[i]; carry += r[i] < s; }
    return carry;
}
int main(void) { uint64_t a[4] = { ~0ull, ~0ull, ~0ull, 0 }, b[4] = { 1, 0, 0, 0 }, r[4]; uint64_t c = add(r, a, b, 4); finally(r[0] == 0 && r[1] == 0 && r[2] == 0 && r[3] == 1 && c == 0); }
//== matrix-product: both
int main(void) {
    int a[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }, b[3][3] = { { 9, 8, 7 }, { 6, 5, 4 }, { 3, 2, 1 } }, c[3][3] = { { 0 } };
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) c[i][j] += a[i][k] * b[k][j];
    finally(c[0][0] == 30 && c[2][2] == 90);
}
//== strlen: both
#include <string.h>
int main(void) { finally(strlen("hello") == 5); }
//== word-count: both
#include <ctype.h>
int main(void) { const char *s = "the quick  brown fox jumps"; int words = 0, in = 0; for (; *s; s++) { if (isspace((unsigned char)*s)) in = 0; else if (!in) { in = 1; words++; } } finally(words == 5); }
//== atoi-by-hand: both
static int parse(const char *s) { int sign = 1, n = 0; if (*s == '-') { sign = -1; s++; } while (*s >= '0' && *s <= '9') n = n * 10 + (*s++ - '0'); return sign * n; }
int main(void) { finally(parse("-12345") == -12345 && parse("0") == 0); }
//== itoa-by-hand: both
#include <string.h>
static void print(unsigned n, char *out) { char t[12]; int i = 0; do t[i++] = '0' + n % 10; while (n /= 10); while (i) *out++ = t[--i]; *out = 0; }
int main(void) { char b[12]; print(4096, b); finally(strcmp(b, "4096") == 0); }
//== snprintf-number: both
#include <stdio.h>
#include <string.h>
int main(void) { char b[32]; int n = snprintf(b, sizeof b, "%d-%s", 42, "ab"); finally(n == 5 && !strcmp(b, "42-ab")); }
//== sscanf-numbers: both?
#include <stdio.h>
int main(void) { int a = 0, b = 0; int n = sscanf("12 34", "%d %d", &a, &b); finally(n == 2 && a == 12 && b == 34); }
//== strtok: both
#include <string.h>
int main(void) { char s[] = "a,bc,def"; int n = 0, length = 0; for (char *t = strtok(s, ","); t; t = strtok(0, ",")) { n++; length += strlen(t); } finally(n == 3 && length == 6); }
//== qsort: both
#include <stdlib.h>
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
int main(void) { int a[] = { 3, 1, 2, 5, 4 }; qsort(a, 5, sizeof *a, compare); for (int i = 0; i < 5; i++) check(a[i] == i + 1); finally(a[4] == 5); }
//== bit-tricks: both
static int population(unsigned x) { int n = 0; while (x) { x &= x - 1; n++; } return n; }
static unsigned reverse(unsigned x) { unsigned r = 0; for (int i = 0; i < 32; i++) { r = r << 1 | (x & 1); x >>= 1; } return r; }
int main(void) { finally(population(0xdeadbeef) == 24 && reverse(1) == 0x80000000u && __builtin_popcount(0xff) == 8); }
//== union-of-bytes: both
#include <stdint.h>
union word { uint32_t value; uint8_t bytes[4]; };
int main(void) { union word w; w.value = 0x11223344; finally(w.bytes[0] == 0x44 && w.bytes[3] == 0x11); }
//== variadic-sum: both
#include <stdarg.h>
static int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n--) s += va_arg(ap, int); va_end(ap); return s; }
int main(void) { finally(sum(4, 1, 2, 3, 4) == 10); }
//== function-pointers: both
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; } static int mul(int a, int b) { return a * b; }
int main(void) { int (*op[])(int, int) = { add, sub, mul }; int r = 0; for (int i = 0; i < 3; i++) r += op[i](7, 3); finally(r == 35); }
//== linked-list-reverse: both
#include <stdlib.h>
struct item { int v; struct item *next; };
int main(void) {
    struct item *head = 0, *prev = 0;
    for (int i = 0; i < 10; i++) { struct item *n = malloc(sizeof *n); if (!n) return 1; n->v = i; n->next = head; head = n; }
    while (head) { struct item *next = head->next; head->next = prev; prev = head; head = next; }
    int i = 0; for (struct item *n = prev; n; n = n->next) check(n->v == i++);
    finally(i == 10);
}
//== traffic-light: both
enum state { RED, GREEN, YELLOW };
static enum state next(enum state s) { switch (s) { case RED: return GREEN; case GREEN: return YELLOW; default: return RED; } }
int main(void) { enum state s = RED; int greens = 0; for (int i = 0; i < 30; i++) { s = next(s); greens += s == GREEN; } finally(s == RED && greens == 10); }
//== expression-parser: both
static const char *at; static int sum(void);
static int atom(void) { if (*at == '(') { at++; int v = sum(); at++; return v; } int v = 0; while (*at >= '0' && *at <= '9') v = v * 10 + *at++ - '0'; return v; }
static int product(void) { int v = atom(); while (*at == '*' || *at == '/') { char op = *at++; int w = atom(); v = op == '*' ? v * w : v / w; } return v; }
static int sum(void) { int v = product(); while (*at == '+' || *at == '-') { char op = *at++; int w = product(); v = op == '+' ? v + w : v - w; } return v; }
int main(void) { at = "2+3*(4-1)"; finally(sum() == 11); }
//== stack-machine: both
enum { PUSH, ADD, MUL, DUP, HALT };
int main(void) {
    static const int code[] = { PUSH, 3, DUP, MUL, PUSH, 4, DUP, MUL, ADD, HALT }; int stack[8], sp = 0;
    for (int pc = 0; code[pc] != HALT;) switch (code[pc++]) {
        case PUSH: stack[sp++] = code[pc++]; break;
        case ADD: sp--; stack[sp - 1] += stack[sp]; break;
        case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
        case DUP: stack[sp] = stack[sp - 1]; sp++; break;
    }
    finally(sp == 1 && stack[0] == 25);
}
//== sieve: both
int main(void) { static char composite[1000]; int primes = 0; for (int i = 2; i < 1000; i++) { if (composite[i]) continue; primes++; for (int j = 2 * i; j < 1000; j += i) composite[j] = 1; } finally(primes == 168); }
//== fibonacci-recursive: both
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { finally(fib(7) == 13); }
//== greatest-common-divisor: both
static unsigned gcd(unsigned a, unsigned b) { while (b) { unsigned t = a % b; a = b; b = t; } return a; }
int main(void) { finally(gcd(1071, 462) == 21); }
//== pseudo-random-numbers: both
static unsigned seed = 1; static unsigned next(void) { seed = seed * 1103515245u + 12345u; return seed >> 16 & 0x7fff; }
int main(void) { unsigned x = 0; for (int i = 0; i < 1000; i++) x ^= next(); finally(x < 0x8000 && seed != 1); }
//== fletcher-checksum: both
#include <stdint.h>
static uint16_t fletcher(const uint8_t *p, int n) { uint16_t a = 0, b = 0; for (int i = 0; i < n; i++) { a = (a + p[i]) % 255; b = (b + a) % 255; } return b << 8 | a; }
int main(void) { finally(fletcher((const uint8_t *)"abcde", 5) == 0xc8f0); }
//== struct-of-bit-fields: both
struct flags { unsigned ready : 1, mode : 3, count : 12; };
int main(void) { struct flags f = { 0 }; f.mode = 5; for (int i = 0; i < 5000; i++) f.count++; f.ready = 1; finally(f.count == 5000 % 4096 && f.mode == 5 && f.ready); }
//== run-length: both
#include <string.h>
static int pack(const char *s, char *out) { int n = 0; while (*s) { int run = 1; while (s[run] == *s && run < 9) run++; out[n++] = *s; out[n++] = '0' + run; s += run; } out[n] = 0; return n; }
int main(void) { char out[20]; pack("aaabccccd", out); finally(strcmp(out, "a3b1c4d1") == 0); }
//== game-of-life: both
int main(void) {
    unsigned char g[8][8] = { { 0 } }, h[8][8]; g[1][2] = g[2][3] = g[3][1] = g[3][2] = g[3][3] = 1; int alive = 0;
    for (int t = 0; t < 4; t++) {
        for (int y = 0; y < 8; y++) for (int x = 0; x < 8; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) if (dy || dx) n += g[(y + dy) & 7][(x + dx) & 7];
            h[y][x] = n == 3 || (n == 2 && g[y][x]);
        }
        for (int y = 0; y < 8; y++) for (int x = 0; x < 8; x++) g[y][x] = h[y][x];
    }
    for (int y = 0; y < 8; y++) for (int x = 0; x < 8; x++) alive += g[y][x];
    finally(alive == 5 && g[4][4] && g[2][3]);
}
//== newton-root: both
int main(void) { double x = 2.0; for (int i = 0; i < 6; i++) x = (x + 2.0 / x) / 2.0; finally(x > 1.41421356 && x < 1.41421357); }
//== hash-table: both
#include <string.h>
struct entry { char key[8]; int value; int used; };
static struct entry table[16];
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 ^ (unsigned char)*s++; return h; }
static struct entry *slot(const char *key) { unsigned i = hash(key) % 16; while (table[i].used && strcmp(table[i].key, key)) i = (i + 1) % 16; return &table[i]; }
static void set(const char *key, int value) { struct entry *e = slot(key); strcpy(e->key, key); e->value = value; e->used = 1; }
int main(void) { set("one", 1); set("two", 2); set("three", 3); set("two", 22); finally(slot("two")->value == 22 && slot("one")->value == 1 && !slot("four")->used); }
//== queue-of-structs: both
#include <stdlib.h>
struct job { int id; int cost; };
int main(void) { struct job *q = malloc(8 * sizeof *q); if (!q) return 1; int n = 0, total = 0; for (int i = 0; i < 8; i++) q[n++] = (struct job){ i, i * 10 }; while (n) total += q[--n].cost; free(q); finally(total == 280); }
//== palindrome: both
#include <string.h>
static int is_palindrome(const char *s) { int i = 0, j = (int)strlen(s) - 1; while (i < j) if (s[i++] != s[j--]) return 0; return 1; }
int main(void) { check(is_palindrome("racecar")); finally(!is_palindrome("racing")); }
//== printf-and-result: both
#include <stdio.h>
int main(void) { int f = 1; for (int i = 1; i <= 10; i++) { f *= i; printf("%d! = %d\n", i, f); } finally(f == 3628800); }
//== goto-cleanup: both
#include <stdlib.h>
static int work(int fail) { int r = -1; char *p = malloc(16), *q = 0; if (!p) goto out; q = malloc(16); if (!q || fail) goto out; r = 0; out: free(p); free(q); return r; }
int main(void) { finally(work(0) == 0 && work(1) == -1); }
