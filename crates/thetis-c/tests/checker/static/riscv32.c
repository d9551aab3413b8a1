// Sizes, alignments, signs and constants of riscv32.
_Static_assert((char)-1 > 0 && '\xff' == 255, "char is unsigned");
_Static_assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8, "sizes");
_Static_assert(_Alignof(long long) == 8 && _Alignof(double) == 8, "alignment");
_Static_assert(sizeof(long double) == 16 && _Alignof(long double) == 16, "long double");
_Static_assert(__builtin_types_compatible_p(typeof(sizeof 1), unsigned int), "size_t");
_Static_assert(__builtin_types_compatible_p(typeof(L'a'), int), "wide characters");
_Static_assert(__builtin_types_compatible_p(typeof(2147483648), long long), "constants");
_Static_assert(sizeof(__builtin_va_list) == 4, "variable arguments");
struct mixed { char c; double d; short s; long l; long long w; char t; };
_Static_assert(sizeof(struct mixed) == 40 && __builtin_offsetof(struct mixed, w) == 24, "padding");
struct bits { char c; int : 0; char d; };
_Static_assert(sizeof(struct bits) == 5 && _Alignof(struct bits) == 1, "nameless bit-fields do not align the structure");
struct { char c; } __attribute__((aligned)) widest;
_Static_assert(sizeof widest == 16, "the widest alignment");
enum small { ONE };
_Static_assert(sizeof(enum small) == 4, "enumerations are int");
