// memmove, memset, memcpy and their relatives: overlaps, odd sizes, parts of objects.
// The prototypes stand in each program, so that no preprocessor is needed.

//== memmove-up: safe
void *memmove(void *, const void *, unsigned long);
int main(void) { int a[3] = { 1, 2, 3 }; memmove(a + 1, a, 2 * sizeof *a); check(a[0] == 1 && a[1] == 1 && a[2] == 2); }
//== memmove-up-is-not-a-forward-copy: unsafe
void *memmove(void *, const void *, unsigned long);
int main(void) { int a[3] = { 1, 2, 3 }; memmove(a + 1, a, 2 * sizeof *a); check(a[2] == 1); }
//== memmove-down: safe
void *memmove(void *, const void *, unsigned long);
int main(void) { int a[3] = { 1, 2, 3 }; memmove(a, a + 1, 2 * sizeof *a); check(a[0] == 2 && a[1] == 3 && a[2] == 3); }
//== memmove-of-chars: safe
void *memmove(void *, const void *, unsigned long);
int main(void) { char s[8] = "abcdef"; memmove(s + 2, s, 4); check(s[2] == 'a' && s[5] == 'd' && s[6] == 0); }
//== memmove-in-a-struct: safe?
void *memmove(void *, const void *, unsigned long);
int main(void) { struct { int a[4]; } s = { { 1, 2, 3, 4 } }; memmove(s.a + 1, s.a, 12); check(s.a[3] == 3 && s.a[1] == 1); }
//== memmove-variable-length: safe?
void *memmove(void *, const void *, unsigned long);
int main(void) { int a[4] = { 1, 2, 3, 4 }; unsigned n = 3; memmove(a + 1, a, n * sizeof *a); check(a[3] == 3 && a[2] == 2); }
//== memmove-of-structs: safe?
void *memmove(void *, const void *, unsigned long); struct p { short x; long y; };
int main(void) { struct p a[3] = { { 1, 10 }, { 2, 20 }, { 3, 30 } }; memmove(a + 1, a, 2 * sizeof *a); check(a[1].x == 1 && a[2].y == 20); }
//== memmove-by-bytes-across-elements: safe?
void *memmove(void *, const void *, unsigned long);
int main(void) { int a[2] = { 0x04030201, 0x08070605 }; memmove((char *)a + 1, a, 4); check(a[0] == 0x03020101 && a[1] == 0x08070604); }
//== bcopy-has-swapped-arguments: safe?
void bcopy(const void *, void *, unsigned long);
int main(void) { int a = 1, b = 2; bcopy(&a, &b, sizeof a); check(b == 1); }
//== memset-part-of-an-array: safe
void *memset(void *, int, unsigned long);
int main(void) { int a[4] = { -1, -1, -1, -1 }; memset(a, 0, 6); check(a[0] == 0 && a[1] == (int)0xffff0000 && a[2] == -1); }
//== memset-part-of-an-array-leaves-the-rest: unsafe
void *memset(void *, int, unsigned long);
int main(void) { int a[4] = { -1, -1, -1, -1 }; memset(a, 0, 6); check(a[1] == 0); }
//== memset-part-of-an-array-writes-the-half: unsafe
void *memset(void *, int, unsigned long);
int main(void) { int a[4] = { -1, -1, -1, -1 }; memset(a, 0, 6); check(a[1] == -1); }
//== memset-two-bytes-of-a-struct: safe?
void *memset(void *, int, unsigned long); struct s { int a, b; };
int main(void) { struct s s = { -1, -1 }; memset(&s, 0, 2); check(s.a == (int)0xffff0000 && s.b == -1); }
//== memset-two-bytes-of-a-struct-writes: unsafe?
void *memset(void *, int, unsigned long); struct s { int a, b; };
int main(void) { struct s s = { -1, -1 }; memset(&s, 0, 2); check(s.a == -1); }
//== memset-first-member: safe?
void *memset(void *, int, unsigned long); struct s { int a, b; };
int main(void) { struct s s = { 7, 8 }; memset(&s, 0, sizeof(int)); check(s.a == 0 && s.b == 8); }
//== memset-with-a-pattern: safe
void *memset(void *, int, unsigned long);
int main(void) { int a[2]; memset(a, 0x11, sizeof a); check(a[0] == 0x11111111 && a[1] == 0x11111111); }
//== memset-uses-the-low-byte: safe?
void *memset(void *, int, unsigned long);
int main(void) { unsigned a; memset(&a, 0x1234, sizeof a); check(a == 0x34343434u); }
//== memset-minus-one: safe?
void *memset(void *, int, unsigned long);
int main(void) { long a = 0; memset(&a, -1, sizeof a); check(a == -1); }
//== memset-of-a-double: safe?
void *memset(void *, int, unsigned long);
int main(void) { double d = 1.5; memset(&d, 0, sizeof d); check(d == 0.0); }
//== memset-from-the-middle: safe?
void *memset(void *, int, unsigned long);
int main(void) { int a[3] = { 1, 2, 3 }; memset(a + 1, 0, 2 * sizeof *a); check(a[0] == 1 && a[1] == 0 && a[2] == 0); }
//== memset-one-byte-in-the-middle: safe?
void *memset(void *, int, unsigned long);
int main(void) { int a = 0x11223344; memset((char *)&a + 1, 0, 1); check(a == 0x11220044); }
//== memset-nothing: safe?
void *memset(void *, int, unsigned long);
int main(void) { int a = 5; memset(&a, 0, 0); check(a == 5); }
//== memset-returns-its-argument: safe
void *memset(void *, int, unsigned long);
int main(void) { int a; check(memset(&a, 0, 4) == (void *)&a); }
//== memcpy-half-an-int: safe?
void *memcpy(void *, const void *, unsigned long);
int main(void) { int a = -1, b = 0; memcpy(&a, &b, 2); check(a == (int)0xffff0000); }
//== memcpy-half-an-int-writes: unsafe?
void *memcpy(void *, const void *, unsigned long);
int main(void) { int a = -1, b = 0; memcpy(&a, &b, 2); check(a == -1); }
//== memcpy-one-and-a-half-elements: safe?
void *memcpy(void *, const void *, unsigned long);
int main(void) { int a[2] = { -1, -1 }, b[2] = { 0, 0 }; memcpy(a, b, 6); check(a[0] == 0 && a[1] == (int)0xffff0000); }
//== memcpy-one-and-a-half-elements-wrong: unsafe?
void *memcpy(void *, const void *, unsigned long);
int main(void) { int a[2] = { -1, -1 }, b[2] = { 0, 0 }; memcpy(a, b, 6); check(a[1] == -1); }
//== mempcpy-one-and-a-half-elements: unsafe?
void *mempcpy(void *, const void *, unsigned long);
int main(void) { int a[2] = { -1, -1 }, b[2] = { 0, 0 }; mempcpy(a, b, 6); check(a[1] == -1); }
//== memcpy-int-to-float: safe?
void *memcpy(void *, const void *, unsigned long);
int main(void) { float f = 1.0f; unsigned u; memcpy(&u, &f, sizeof u); check(u == 0x3f800000u); }
//== memcpy-part-of-a-struct: safe?
void *memcpy(void *, const void *, unsigned long); struct s { int a, b, c; };
int main(void) { struct s x = { 1, 2, 3 }, y = { 7, 8, 9 }; memcpy(&x, &y, 2 * sizeof(int)); check(x.a == 7 && x.b == 8 && x.c == 3); }
//== memcpy-part-of-a-struct-wrong: unsafe?
void *memcpy(void *, const void *, unsigned long); struct s { int a, b, c; };
int main(void) { struct s x = { 1, 2, 3 }, y = { 7, 8, 9 }; memcpy(&x, &y, 2 * sizeof(int)); check(x.b == 2); }
//== memcpy-tail-of-a-struct: safe?
void *memcpy(void *, const void *, unsigned long); struct s { int a, b, c; };
int main(void) { struct s x = { 1, 2, 3 }, y = { 7, 8, 9 }; memcpy(&x.b, &y.b, 2 * sizeof(int)); check(x.a == 1 && x.b == 8 && x.c == 9); }
//== memcpy-struct-to-bytes: safe?
void *memcpy(void *, const void *, unsigned long); struct s { short a; char b; };
int main(void) { struct s x = { 0x0102, 3 }; unsigned char b[sizeof x]; memcpy(b, &x, sizeof x); check(b[0] == 2 && b[1] == 1 && b[2] == 3); }
//== memcpy-between-different-structs: safe?
void *memcpy(void *, const void *, unsigned long); struct s { int a, b; }; struct t { int v[2]; };
int main(void) { struct s x = { 1, 2 }; struct t y; memcpy(&y, &x, sizeof y); check(y.v[1] == 2); }
//== memcpy-of-shorts-into-an-int: safe?
void *memcpy(void *, const void *, unsigned long);
int main(void) { short s[2] = { 1, 2 }; int i; memcpy(&i, s, sizeof i); check(i == 0x00020001); }
//== memcpy-of-a-string-literal: safe
void *memcpy(void *, const void *, unsigned long);
int main(void) { char b[4]; memcpy(b, "xyz", 4); check(b[1] == 'y' && b[3] == 0); }
//== memcpy-of-a-bit-field-struct: safe?
void *memcpy(void *, const void *, unsigned long); struct s { unsigned a : 3, b : 5; };
int main(void) { struct s x = { 5, 17 }; unsigned char c; memcpy(&c, &x, 1); check(c == (17 << 3 | 5)); }
//== memcpy-with-variable-size: safe? reasoned
void *memcpy(void *, const void *, unsigned long); extern unsigned char input(void);
int main(void) { char a[4] = "abc", b[4] = "xyz"; unsigned n = input() % 4; memcpy(a, b, n); check(a[3] == 0 && (n == 0 || a[0] == 'x') && (n > 0 || a[0] == 'a')); }
//== memcmp-of-padding-free-structs: safe?
int memcmp(const void *, const void *, unsigned long); struct s { int a, b; };
int main(void) { struct s x = { 1, 2 }, y = { 1, 2 }; check(memcmp(&x, &y, sizeof x) == 0); }
//== memcmp-of-ints-is-by-bytes: safe?
int memcmp(const void *, const void *, unsigned long);
int main(void) { int a = 256, b = 1; check(memcmp(&a, &b, 4) < 0); }
//== strncpy-pads-with-zeros: safe
char *strncpy(char *, const char *, unsigned long);
int main(void) { char b[6] = "------"; strncpy(b, "ab", 5); check(b[2] == 0 && b[4] == 0 && b[5] == '-'); }
//== strncpy-does-not-terminate: safe
char *strncpy(char *, const char *, unsigned long);
int main(void) { char b[4] = "----"; strncpy(b, "abcdef", 3); check(b[2] == 'c' && b[3] == '-'); }
//== builtin-memcpy: safe?
int main(void) { int a = 1, b = 2; __builtin_memcpy(&a, &b, sizeof a); check(a == 2); }
//== builtin-memset: safe?
int main(void) { int a[2] = { 1, 2 }; __builtin_memset(a, 0, sizeof a); check(a[0] == 0 && a[1] == 0); }
//== builtin-memmove: unsafe?
int main(void) { int a[3] = { 1, 2, 3 }; __builtin_memmove(a + 1, a, 8); check(a[2] == 1); }
//== struct-assignment-of-overlapping-union-members: safe?
struct s { int a, b; }; union u { struct s s; int v[2]; };
int main(void) { union u x; x.v[0] = 4; x.v[1] = 5; struct s y = x.s; check(y.a == 4 && y.b == 5); }
//== struct-self-assignment: safe
struct s { int a[3]; };
int main(void) { struct s x = { { 1, 2, 3 } }; x = x; check(x.a[2] == 3); }
//== alloca-block-is-filled: safe?
void *memset(void *, int, unsigned long);
int main(void) { char *p = __builtin_alloca(5); memset(p, 'q', 5); check(p[4] == 'q'); }
//== memset-of-a-vla: safe?
void *memset(void *, int, unsigned long);
int main(void) { int n = 3; int a[n]; memset(a, 0, sizeof a); check(a[2] == 0 && sizeof a == 12); }
//== memcpy-of-a-pointer-array: safe?
void *memcpy(void *, const void *, unsigned long);
int main(void) { int x = 1, y = 2; int *a[2] = { &x, &y }, *b[2]; memcpy(b, a, sizeof a); *b[1] = 9; check(y == 9 && b[0] == &x); }
