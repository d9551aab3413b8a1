// Attributes, labels and pragmas that change what a program means.

//== constructor-runs-before-main: unsafe?
static int n; __attribute__((constructor)) static void start(void) { n = 1; }
int main(void) { check(n == 0); }
//== constructor-ran: safe?
static int n; __attribute__((constructor)) static void start(void) { n = 1; }
int main(void) { check(n == 1); }
//== constructor-with-underscores: unsafe?
static int n; static void __attribute__((__constructor__)) start(void) { n = 1; }
int main(void) { check(n == 0); }
//== constructors-in-order-of-priority: safe?
static int n; __attribute__((constructor(300))) static void b(void) { n = n * 2; } __attribute__((constructor(200))) static void a(void) { n = 5; }
int main(void) { check(n == 10); }
//== constructor-on-a-declaration: unsafe?
static int n; static void start(void) __attribute__((constructor)); static void start(void) { n = 1; }
int main(void) { check(n == 0); }
//== destructor-runs-after-main: unsafe?
static int n; __attribute__((destructor)) static void end(void) { check(n == 0); }
int main(void) { n = 1; return 0; }
//== destructor-runs-at-exit: unsafe?
void exit(int); __attribute__((destructor)) static void end(void) { reach_error(); }
int main(void) { exit(0); }
//== cleanup-runs-at-the-end-of-the-block: unsafe?
static int n; static void done(int *p) { n = *p; }
int main(void) { { int x __attribute__((cleanup(done))) = 4; } check(n == 0); }
//== cleanup-ran: safe?
static int n; static void done(int *p) { n = *p; }
int main(void) { { int x __attribute__((cleanup(done))) = 4; x++; } check(n == 5); }
//== cleanup-in-reverse-order: safe?
static int n; static void done(int *p) { n = n * 10 + *p; }
int main(void) { { int x __attribute__((cleanup(done))) = 1; int y __attribute__((cleanup(done))) = 2; } check(n == 21); }
//== cleanup-at-return-and-break: safe?
static int n; static void done(int *p) { n += *p; }
static int f(int k) { for (;;) { int x __attribute__((cleanup(done))) = k; if (k > 1) return k; break; } return 0; }
int main(void) { f(1); f(2); check(n == 3); }
//== alias-is-the-same-function: unsafe?
static int n; void real(void) { n = 1; } void other(void) __attribute__((alias("real")));
int main(void) { other(); check(n == 0); }
//== alias-of-a-variable: unsafe?
int real = 1; extern int other __attribute__((alias("real")));
int main(void) { other = 2; check(real == 1); }
//== alias-of-a-variable-reads: safe?
int real = 1; extern int other __attribute__((alias("real")));
int main(void) { real = 2; check(other == 2 && &other == &real); }
//== weak-without-definition-is-null: safe?
extern void maybe(void) __attribute__((weak));
int main(void) { check(maybe == 0); }
//== weak-definition-may-be-replaced: unsafe? reasoned
// Another translation unit may define the function.
__attribute__((weak)) int setting(void) { return 0; }
int main(void) { check(setting() == 0); }
//== weakref-is-null: safe?
static void maybe(void) __attribute__((weakref("not_there")));
int main(void) { check(maybe == 0); }
//== asm-label-names-the-same-object: unsafe?
int real asm("shared_name") = 1; extern int other asm("shared_name");
int main(void) { other = 2; check(real == 1); }
//== asm-label-of-a-function: unsafe?
static int n; void real(void) asm("shared_function"); void real(void) { n = 1; } void other(void) asm("shared_function");
int main(void) { other(); check(n == 0); }
//== asm-label-of-a-library-function: unsafe? reasoned
extern int now(void) asm("rand");
int main(void) { check(now() == 0); }
//== register-variable: safe? reasoned
// The stack pointer is never zero, but a translation need not know that.
register unsigned long sp asm("rsp");
int main(void) { check(sp != 0); }
//== scalar-storage-order-big: unsafe?
struct __attribute__((scalar_storage_order("big-endian"))) b { unsigned v; };
int main(void) { struct b x; x.v = 1; check(*(unsigned char *)&x == 1); }
//== scalar-storage-order-first-byte: safe?
struct __attribute__((scalar_storage_order("big-endian"))) b { unsigned v; };
int main(void) { struct b x; x.v = 1; check(*(unsigned char *)&x == 0 && x.v == 1); }
//== mode-of-an-integer: safe?
typedef int byte_int __attribute__((mode(QI))); typedef unsigned wide __attribute__((mode(DI)));
int main(void) { byte_int b = 127; b++; check(b == -128 && sizeof(byte_int) == 1 && sizeof(wide) == 8); }
//== mode-of-a-short: unsafe?
typedef unsigned half __attribute__((mode(HI)));
int main(void) { half h = 65535; h++; check(h != 0); }
//== mode-on-a-variable: unsafe?
int main(void) { int x __attribute__((mode(QI))) = 300; check(x == 300); }
//== vector-addition: safe?
typedef int v4 __attribute__((vector_size(16)));
int main(void) { v4 a = { 1, 2, 3, 4 }, b = { 10, 20, 30, 40 }; v4 c = a + b; check(c[2] == 33 && sizeof(v4) == 16); }
//== vector-addition-changes: unsafe?
typedef int v4 __attribute__((vector_size(16)));
int main(void) { v4 a = { 1, 2, 3, 4 }; a = a + a; check(a[0] == 1); }
//== vector-comparison-is-all-ones: safe?
typedef int v4 __attribute__((vector_size(16)));
int main(void) { v4 a = { 1, 5, 1, 5 }, b = { 3, 3, 3, 3 }; v4 c = a < b; check(c[0] == -1 && c[1] == 0); }
//== transparent-union: safe?
typedef union { int *i; unsigned *u; } arg __attribute__((transparent_union));
static int get(arg a) { return *a.i; }
int main(void) { unsigned x = 7; check(get(&x) == 7); }
//== pragma-pack-one: safe?
#pragma pack(1)
struct p { char c; int i; };
#pragma pack()
struct q { char c; int i; };
int main(void) { check(sizeof(struct p) == 5 && sizeof(struct q) == 8); }
//== pragma-pack-changes-offsets: unsafe?
#pragma pack(push, 1)
struct p { char c; int i; };
#pragma pack(pop)
int main(void) { check(__builtin_offsetof(struct p, i) == 4); }
//== pragma-pack-two: safe?
#pragma pack(2)
struct p { char c; int i; long l; };
int main(void) { check(sizeof(struct p) == 14 && __builtin_offsetof(struct p, l) == 6); }
//== pragma-pack-pushed: safe?
#pragma pack(push, 4)
struct p { char c; long l; };
#pragma pack(push)
#pragma pack(1)
struct q { char c; long l; };
#pragma pack(pop)
struct r { char c; long l; };
#pragma pack(pop)
int main(void) { check(sizeof(struct p) == 12 && sizeof(struct q) == 9 && sizeof(struct r) == 12); }
//== pragma-operator: safe?
_Pragma("pack(1)") struct p { char c; int i; };
int main(void) { check(sizeof(struct p) == 5); }
//== packed-attribute: safe
struct __attribute__((packed)) p { char c; int i; };
int main(void) { check(sizeof(struct p) == 5); }
//== packed-member: safe
struct p { char c; int i __attribute__((packed)); long l; };
int main(void) { check(__builtin_offsetof(struct p, i) == 1 && __builtin_offsetof(struct p, l) == 8); }
//== packed-enum: safe?
enum __attribute__((packed)) e { A, B };
int main(void) { check(sizeof(enum e) == 1); }
//== may-alias-reads-other-types: safe?
typedef unsigned __attribute__((may_alias)) any;
int main(void) { float f = 1.0f; any *p = (any *)&f; check(*p == 0x3f800000u); }
//== may-alias-writes-other-types: unsafe?
typedef int __attribute__((may_alias)) any;
int main(void) { float f = 1.0f; *(any *)&f = 0; check(f == 1.0f); }
//== may-alias-of-short: unsafe?
typedef short __attribute__((may_alias)) half;
int main(void) { int a = 0x12345678; ((half *)&a)[1] = 0; check(a == 0x12345678); }
//== aligned-typedef-in-a-struct: safe?
typedef int aint __attribute__((aligned(8)));
struct s { char c; aint i; };
int main(void) { check(sizeof(struct s) == 16 && __builtin_offsetof(struct s, i) == 8); }
//== aligned-typedef-reduces: safe?
typedef int uint1 __attribute__((aligned(1)));
struct s { char c; uint1 i; };
int main(void) { check(sizeof(struct s) == 5); }
//== aligned-typedef-offset: unsafe?
typedef int aint __attribute__((aligned(16)));
struct s { char c; aint i; };
int main(void) { check(__builtin_offsetof(struct s, i) == 4); }
//== aligned-struct-has-a-larger-size: safe
struct __attribute__((aligned(16))) s { int i; };
int main(void) { check(sizeof(struct s) == 16 && _Alignof(struct s) == 16); }
//== alignas-member: safe
struct s { char c; _Alignas(16) int i; };
int main(void) { check(sizeof(struct s) == 32); }
//== noreturn-function-never-returns: safe reasoned
__attribute__((noreturn)) static void stop(void) { for (;;) ; }
int main(void) { stop(); reach_error(); }
//== pure-function-still-reads: safe
static int g; __attribute__((pure)) static int get(void) { return g; }
int main(void) { int a = get(); g = 1; check(get() == a + 1); }
//== const-attribute-on-a-function-with-body: safe
__attribute__((const)) static int twice(int x) { return 2 * x; }
int main(void) { check(twice(4) == 8); }
//== section-variable-is-a-variable: safe?
static int x __attribute__((section(".mydata"))) = 3;
int main(void) { x++; check(x == 4); }
//== thread-local-is-a-variable: safe?
static __thread int x = 3;
int main(void) { x++; check(x == 4); }
//== nonnull-does-not-assume: unsafe?
__attribute__((nonnull)) static int is_null(int *p) { return p == 0; }
static int *null(void) { return 0; }
int main(void) { check(!is_null(null())); }
//== ifunc-chooses: unsafe?
static int n; static void impl(void) { n = 1; } static void (*resolve(void))(void) { return impl; }
void f(void) __attribute__((ifunc("resolve")));
int main(void) { f(); check(n == 0); }
//== vector-attribute-size-in-a-struct: safe?
typedef char v8 __attribute__((vector_size(8)));
struct s { char c; v8 v; };
int main(void) { check(sizeof(struct s) == 16); }
//== nested-function-sees-its-frame: safe?
int main(void) { int x = 1; void add(int v) { x += v; } add(3); check(x == 4); }
//== nested-function-changes-its-frame: unsafe?
int main(void) { int x = 1; void add(int v) { x += v; } add(3); check(x == 1); }
//== redefine-extname-pragma: unsafe? reasoned
#pragma redefine_extname get rand
extern int get(void);
int main(void) { check(get() == 0); }
//== gcc-optimize-pragma-is-harmless: safe
#pragma GCC optimize("O3")
int main(void) { int x = 1; check(x + 1 == 2); }
//== gcc-diagnostic-pragma-is-harmless: safe
#pragma GCC diagnostic ignored "-Wall"
int main(void) { int x = 2; check(x * 2 == 4); }
//== designated-init-attribute-and-unused: safe
struct s { int a; } __attribute__((designated_init));
int main(void) { __attribute__((unused)) struct s v = { .a = 3 }; check(v.a == 3); }
//== may-alias-in-the-structure: safe?
typedef struct __attribute__((__may_alias__)) { short x; } view; static view *p;
int main(void) { int a = 10; p = (view *)&a; view s = { 1 }; *p = s; check(a != 10); }
//== section-of-functions-that-run-first: unsafe?
static int n; static void begin(void) { n = 4; }
__attribute__((section(".init_array"), used)) static void (*entry)(void) = begin;
int main(void) { check(n == 0); return 0; }
//== section-that-keeps-its-contents: unsafe reasoned
static int boots __attribute__((section(".noinit")));
int main(void) { check(boots == 0); return 0; }
//== section-that-keeps-its-contents-in-a-function: unsafe reasoned
int main(void) { static unsigned boots __attribute__((section(".noinit"))); boots++; check(boots == 1); return 0; }
//== section-with-an-initial-value: both
static int magic __attribute__((section(".backup"))) = 4;
int main(void) { finally(magic == 4); return 0; }
//== section-for-data: both
static int magic __attribute__((section("mine")));
int main(void) { finally(magic == 0); return 0; }
//== section-between-its-bounds: unsafe?
static int n; static void hook(void) { n = 1; }
static void (*entry)(void) __attribute__((section("hooks"), used)) = hook;
extern void (*__start_hooks[])(void), (*__stop_hooks[])(void);
int main(void) { for (void (**p)(void) = __start_hooks; p < __stop_hooks; p++) (*p)(); check(n == 0); return 0; }
//== fast-numbers: unsafe?
__attribute__((optimize("Ofast"))) static int is_nan(double x) { return x != x; }
int main(void) { volatile double zero = 0; check(is_nan(zero / zero)); return 0; }
//== fast-numbers-by-a-pragma: unsafe?
#pragma GCC optimize ("Ofast")
static int is_nan(double x) { return x != x; }
int main(void) { volatile double zero = 0; check(is_nan(zero / zero)); return 0; }
//== optimised-numbers: both
__attribute__((optimize("O3"))) static int next(int x) { return x + 1; }
int main(void) { finally(next(1) == 2); return 0; }
//== options-in-one-word: unsafe?
__attribute__((optimize("O2,fast-math"))) static int is_nan(double x) { return x != x; }
int main(void) { volatile double zero = 0; check(is_nan(zero / zero)); return 0; }
//== options-beside-a-level: safe?
#pragma GCC optimize ("O2", "short-enums")
enum e { A }; int main(void) { check(sizeof(enum e) == 1); return 0; }
