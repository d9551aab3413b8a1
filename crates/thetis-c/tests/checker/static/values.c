// Values of constant expressions, the same in both data models.
_Static_assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1, "division truncates");
_Static_assert(-1 >> 1 == -1 && -8 >> 1 == -4, "shifts to the right keep the sign");
_Static_assert(0xffffffffu >> 31 == 1, "unsigned shifts do not");
_Static_assert(4294967295u + 1u == 0, "unsigned numbers wrap around");
_Static_assert(-1 == 4294967295u, "compared as unsigned");
_Static_assert((unsigned char)300 == 44 && (signed char)200 == -56 && (char)255 == -1, "conversions to characters");
_Static_assert((short)0x18000 == -0x8000 && (unsigned short)-1 == 65535, "conversions to short");
_Static_assert((_Bool)2 == 1 && (_Bool)0.5 == 1 && (_Bool)0 == 0, "conversions to _Bool");
_Static_assert((int)3.99 == 3 && (int)-3.99 == -3, "conversions of floats truncate");
_Static_assert((unsigned)-1ll == 4294967295u, "conversions of wide integers");
_Static_assert(~0u == 4294967295u && ~0 == -1, "complement");
_Static_assert((5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6, "bits");
_Static_assert((-1 & 0xff) == 255 && (-2 ^ 1) == -1, "bits of negative numbers");
_Static_assert(1 || 1 / 0, "what is not evaluated may have no value");
_Static_assert(!(0 && 1 / 0), "also here");
_Static_assert((1 ? 2 : 1 / 0) == 2, "and here");
_Static_assert(1.0 / 3.0 * 3.0 == 1.0 && 0.1 + 0.2 != 0.3, "floating constants are doubles");
_Static_assert(0.1f != 0.1 && (float)0.1 == 0.1f, "or floats");
_Static_assert(0x1p-1 == 0.5 && 0x.8p0 == 0.5 && 0xA.8p1 == 21.0, "hexadecimal floats");
_Static_assert(1e3 == 1000.0 && 1.5e-1 == 0.15 && 5.e0 == 5., "exponents");
_Static_assert(1e-400 == 0.0 && 1e-400L != 0.0L && 4.9e-324 > 0.0, "the smallest numbers");
_Static_assert(16777217.0f == 16777216.0f, "rounded to even");
_Static_assert(__builtin_inff() > 1e38f && __builtin_huge_val() == __builtin_inf(), "infinity");
_Static_assert('a' == 97 && '\n' == 10 && '\0' == 0 && '\x41' == 65 && '\101' == 65, "characters");
_Static_assert('\377' == -1 && '\xff' == -1 && L'\xff' == 255, "characters are signed");
_Static_assert('ab' == 'a' * 256 + 'b', "two characters");
_Static_assert('\'' == 39 && '"' == 34 && '\\' == 92 && '\?' == 63 && '\e' == 27, "quotes");
_Static_assert(L'\u00e4' == 228 && U'\U0001F600' == 0x1f600 && L'ä' == 228, "characters of the world");
_Static_assert(sizeof("ä") == 3 && sizeof(u8"ä") == 3 && sizeof(u"ä") == 4 && sizeof(L"ä") == 8, "their encodings");
_Static_assert(sizeof("\1012") == 3 && sizeof("\x41") == 2 && sizeof("a\
b") == 3, "escapes");
_Static_assert(010 == 8 && 0x10 == 16 && 0b10 == 2 && 0 == 00, "bases");

struct s { char c; struct { short x; union { int u; char w[6]; }; } in[3]; int last : 7; };
_Static_assert(__builtin_offsetof(struct s, in[1].w[2]) == 22, "offsetof goes deep");
_Static_assert((unsigned long)&((struct s *)0)->in[2].u == 32, "and so does the old way");
_Static_assert(sizeof(((struct s *)0)->in) == 36, "no object is needed");
_Static_assert(sizeof(struct s) == 44, "with a bit-field at the end");
_Static_assert(sizeof(int[3][4]) == 48 && sizeof(char[2 + 3]) == 5, "sizes of arrays");
_Static_assert(sizeof(void) == 1 && sizeof(int(void)) == 1, "sizes of GNU C");
_Static_assert(sizeof(struct {}) == 0, "an empty structure");
struct flexible { int n; char data[]; };
_Static_assert(sizeof(struct flexible) == 4 && __builtin_offsetof(struct flexible, data) == 4, "a flexible member");
struct zero { int n; long long data[0]; };
_Static_assert(sizeof(struct zero) % 4 == 0 && sizeof(((struct zero *)0)->data) == 0, "an array of no elements");
struct __attribute__((packed)) packed { char c; int i; short s; };
_Static_assert(sizeof(struct packed) == 7 && _Alignof(struct packed) == 1, "packed");
struct packed_after { char c; int i; } __attribute__((__packed__));
_Static_assert(sizeof(struct packed_after) == 5, "packed, written behind");
struct packed_member { char c; int i __attribute__((packed)); short s; };
_Static_assert(__builtin_offsetof(struct packed_member, i) == 1 && sizeof(struct packed_member) == 8, "one packed member");
struct aligned { char c; char d __attribute__((aligned(8))); } __attribute__((aligned(32)));
_Static_assert(sizeof(struct aligned) == 32 && __builtin_offsetof(struct aligned, d) == 8, "aligned");
struct alignas { char c; _Alignas(16) char d; _Alignas(int) char e; };
_Static_assert(sizeof(struct alignas) == 32 && __builtin_offsetof(struct alignas, e) == 20, "alignas");
typedef int aligned_int __attribute__((aligned(16)));
struct with_aligned { char c; aligned_int i; };
_Static_assert(__builtin_offsetof(struct with_aligned, i) == 16, "an aligned type");
struct nameless { int a; union { int b; struct { char c, d; }; }; int : 0; int e; };
_Static_assert(__builtin_offsetof(struct nameless, d) == 5 && __builtin_offsetof(struct nameless, e) == 8, "nameless");

int deduced[] = { 1, 2, [7] = 3, 4 };
_Static_assert(sizeof(deduced) == 9 * sizeof(int), "the last element decides");
int deduced_rows[][3] = { { 1 }, 2, 3, 4, 5 };
_Static_assert(sizeof(deduced_rows) == 9 * sizeof(int), "braces left out");
char text[] = "hello", braced[] = { "hi" }, short_text[2] = "ab";
_Static_assert(sizeof(text) == 6 && sizeof(braced) == 3 && sizeof(short_text) == 2, "strings");
struct point { int x, y; } points[] = { 1, 2, { 3 }, [5].y = 1 }, *p = (struct point[]){ { 1, 2 }, { 3, 4 } };
_Static_assert(sizeof(points) == 6 * sizeof(struct point), "designators in designators");
_Static_assert(sizeof((int[]){ 1, 2, 3 }) == 12, "compound literals");
extern int completed[];
int completed[4];
_Static_assert(sizeof(completed) == 16, "an array that is completed later");
_Static_assert(__builtin_constant_p(3) && !__builtin_constant_p(completed[1]), "what is constant");
_Static_assert((1 ?: 2) == 1 && (0 ?: 2) == 2, "the middle operand left out");
typedef struct list { struct list *next; int value; } list;
_Static_assert(sizeof(list) == 2 * sizeof(void *) || sizeof(list) == 16, "a structure that points to itself");
int shadow(int list) { _Static_assert(sizeof(list) == 4, "a parameter hides a type"); return list; }
int scopes(void) {
    enum { A = 1 };
    { enum { A = 2 }; _Static_assert(A == 2, "an inner scope"); }
    _Static_assert(A == 1, "an outer scope");
    struct point { char tiny; };
    _Static_assert(sizeof(struct point) == 1, "an inner tag");
    static int local[] = { 1, 2 };
    return sizeof(local) / sizeof(local[0]);
}
