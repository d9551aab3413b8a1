// Sizes, alignments, signs and constants of riscv64.
_Static_assert((char)-1 > 0 && '\xff' == 255, "char is unsigned");
_Static_assert(sizeof(long) == 8 && sizeof(void *) == 8, "sizes");
_Static_assert(sizeof(long double) == 16 && _Alignof(long double) == 16, "long double");
_Static_assert(__builtin_types_compatible_p(typeof(L'a'), int), "wide characters");
_Static_assert(sizeof(__builtin_va_list) == 8, "variable arguments");
struct mixed { char c; double d; short s; long l; char t; };
_Static_assert(sizeof(struct mixed) == 40 && __builtin_offsetof(struct mixed, l) == 24, "padding");
struct bits { char c; int : 0; char d; };
_Static_assert(sizeof(struct bits) == 5 && _Alignof(struct bits) == 1, "nameless bit-fields do not align the structure");
struct few { char c; long : 3; };
_Static_assert(sizeof(struct few) == 2 && _Alignof(struct few) == 1, "nor do those with a width");
struct { char c; } __attribute__((aligned)) widest;
_Static_assert(sizeof widest == 16, "the widest alignment");
