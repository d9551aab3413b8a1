//== static-names: fits
static int counter = 1;
static int next(void) { return ++counter; }
int from_b(void);
int main(void) { check(next() == 2 && from_b() == 11 && next() == 3 && from_b() == 12); }
//-- file
static int counter = 10;
static int next(void) { return ++counter; }
int from_b(void) { return next(); }
//== static-and-external: fits
int value = 5;
int hidden(void);
int main(void) { check(value == 5 && hidden() == 7); }
//-- file
static int value = 7;
int hidden(void) { return value; }
//== static-locals: fits
int count_a(void) { static int n; return ++n; }
int count_b(void);
int main(void) { check(count_a() == 1 && count_b() == 101 && count_a() == 2 && count_b() == 102); }
//-- file
int count_b(void) { static int n = 100; return ++n; }
//== shared-variable: fits
extern int shared;
void change(void);
int main(void) { check(shared == 3); shared = 4; change(); check(shared == 8); }
//-- file
int shared = 3;
void change(void) { shared *= 2; }
//== extern-with-initialiser: fits
extern int level;
int main(void) { check(level == 9); }
//-- file
extern int level = 9;
//== tentative-repeated: fits
int total;
int total;
void add(int);
int main(void) { add(2); add(3); check(total == 5); }
//-- file
extern int total;
void add(int x) { total += x; }
//== tentative-twice: error
int total;
int main(void) { return total; }
//-- file
int total;
//== defined-twice: error
int f(void) { return 1; }
int main(void) { return f(); }
//-- file
int f(void) { return 2; }
//== initialised-twice: error
int x = 1;
int main(void) { return x; }
//-- file
int x = 1;
//== conflicting-variables: error
extern long x;
int main(void) { return (int)x; }
//-- file
int x = 1;
//== conflicting-functions: error
void f(int);
int main(void) { f(1); }
//-- file
int f(int x) { return x; }
//== conflicting-parameters: error
int f(int, int);
int main(void) { return f(1, 2); }
//-- file
int f(int x) { return x; }
//== function-and-variable: error
extern int f;
int main(void) { return f; }
//-- file
int f(void) { return 1; }
//== same-tag-same-members: fits
struct pair { int left, right; };
void swap(struct pair *);
struct pair make(int, int);
int main(void) {
  struct pair p = make(1, 2);
  swap(&p);
  check(p.left == 2 && p.right == 1);
}
//-- file
struct pair { int left, right; };
void swap(struct pair *p) { int old = p->left; p->left = p->right; p->right = old; }
struct pair make(int left, int right) { struct pair p = {left, right}; return p; }
//== same-tag-other-members: fits
struct item { int size; };
int length(void);
int main(void) { struct item i = {4}; check(i.size + length() == 4 + (int)sizeof(long) + 2); }
//-- file
struct item { long other; char c[2]; };
int length(void) { struct item i = {1, {2, 3}}; return (int)sizeof i.other + i.c[0]; }
//== same-tag-shared-object: error
struct item { int size; };
extern struct item it;
int main(void) { return it.size; }
//-- file
struct item { char size; };
struct item it;
//== struct-and-union: fits
struct s { int a; };
int g(void);
int main(void) { struct s x = {1}; check(x.a == g()); }
//-- file
union s { int a; char b; };
int g(void) { union s x; x.a = 1; return x.a; }
//== opaque-structure: fits
struct stack;
struct stack *create(void);
void push(struct stack *, int);
int pop(struct stack *);
int main(void) { struct stack *s = create(); push(s, 7); push(s, 8); check(pop(s) == 8 && pop(s) == 7); }
//-- file
struct stack { int items[4]; int n; };
static struct stack only;
struct stack *create(void) { only.n = 0; return &only; }
void push(struct stack *s, int x) { s->items[s->n++] = x; }
int pop(struct stack *s) { return s->items[--s->n]; }
//== recursive-structures: fits
struct node { int value; struct node *next; };
int sum(struct node *);
int main(void) {
  struct node b = {2, 0}, a = {1, &b};
  check(sum(&a) == 3);
}
//-- file
struct node { int value; struct node *next; };
int sum(struct node *n) { int s = 0; for (; n; n = n->next) s += n->value; return s; }
//== depends-on-other-structure: error
struct inner { int x; };
struct outer { struct inner *in; };
int read(struct outer *);
int main(void) { struct inner i = {1}; struct outer o = {&i}; return read(&o); }
//-- file
struct inner { char x; };
struct outer { struct inner *in; };
int read(struct outer *o) { return o->in->x; }
//== typedef-without-tag: fits
typedef struct { int x, y; } point;
typedef struct { int x, y; } size;
int area(size *);
int main(void) { size s = {2, 3}; point p = {1, 1}; check(area(&s) + p.x == 7); }
//-- file
typedef struct { int x, y; } size;
int area(size *s) { return s->x * s->y; }
//== other-typedefs: fits
typedef unsigned word;
word twice(word);
int main(void) { word w = 4000000000u; check(twice(w) == 3705032704u); }
//-- file
typedef short word;
unsigned twice(unsigned x) { word w = 2; return x * (unsigned)w; }
//== enum-constants: fits
enum color { RED, GREEN };
int other(void);
int main(void) { check(GREEN == 1 && other() == 7); }
//-- file
enum color { GREEN = 7, RED };
int other(void) { return GREEN; }
//== enum-and-int: fits
enum state { OFF, ON };
extern enum state now;
void switch_on(enum state *);
int main(void) { check(now == OFF); switch_on(&now); check(now == ON); }
//-- file
enum state { OFF, ON };
enum state now;
void switch_on(enum state *s) { *s = ON; }
//== inline-in-header: fits
inline int half(int x) { return x / 2; }
extern inline int half(int x);
int other(int);
int main(void) { check(half(8) == 4 && other(6) == 3); }
//-- file
inline int half(int x) { return x / 2; }
int other(int x) { return half(x); }
//== inline-addresses: fits
inline int half(int x) { return x / 2; }
extern inline int half(int x);
int (*other(void))(int);
int main(void) { check(other() == half); }
//-- file
inline int half(int x) { return x / 2; }
int (*other(void))(int) { return half; }
//== inline-differs: error
inline int half(int x) { return x / 2; }
int other(int);
int main(void) { return half(8) + other(6); }
//-- file
inline int half(int x) { return x >> 1; }
int other(int x) { return half(x); }
//== static-inline: fits
static inline int twice(int x) { return 2 * x; }
int (*other(void))(int);
int main(void) { check(other() != twice && other()(3) == twice(3)); }
//-- file
static inline int twice(int x) { return 2 * x; }
int (*other(void))(int) { return twice; }
//== weak-gives-way: fits
__attribute__((weak)) int limit(void) { return 1; }
int ask(void);
int main(void) { check(limit() == 2 && ask() == 2); }
//-- file
int limit(void) { return 2; }
int ask(void) { return limit(); }
//== weak-after-strong: fits
int limit(void) { return 2; }
int ask(void);
int main(void) { check(limit() == 2 && ask() == 2); }
//-- file
__attribute__((weak)) int limit(void) { return 1; }
int ask(void) { return limit(); }
//== weak-variable: fits
__attribute__((weak)) int size = 1;
int main(void) { check(size == 5); }
//-- file
int size = 5;
//== weak-reference-defined: fits
__attribute__((weak)) int maybe(void);
int main(void) { check(maybe && maybe() == 3); }
//-- file
int maybe(void) { return 3; }
//== weak-reference-hidden: limit
__attribute__((weak)) int maybe(void);
int other(void);
int main(void) { check(other() == 3); return maybe ? 1 : 0; }
//-- file
static int maybe(void) { return 3; }
int other(void) { return maybe(); }
//== array-length: fits
extern int table[];
int main(void) { check(table[2] == 30); table[0] = 1; }
//-- file
int table[3] = {10, 20, 30};
//== tentative-array: error
extern int a[10];
int main(void) { return a[0]; }
//-- file
int a[];
//== initialised-array: error
extern int a[10];
int main(void) { return a[0]; }
//-- file
int a[] = {1, 2};
//== array-lengths-differ: error
extern int a[4];
int main(void) { return a[0]; }
//-- file
int a[3];
//== const-table: fits
extern const int table[];
extern const char *const names[2];
int main(void) { check(table[1] == 4 && names[1][0] == 'b'); }
//-- file
const int table[2] = {2, 4};
const char *const names[2] = {"a", "b"};
//== const-differs: error
extern const int x;
int main(void) { return x; }
//-- file
int x = 1;
//== no-prototype: fits
int f();
int main(void) { check(f(3) == 4); }
//-- file
int f(int x) { return x + 1; }
//== no-prototype-promotion: error
int f();
int main(void) { return f(3); }
//-- file
int f(char x) { return x + 1; }
//== undeclared: fits
int main(void) { check(f(3) == 4); }
//-- file
int f(int x) { return x + 1; }
//== undeclared-result: error
int main(void) { return f(3) == 4; }
//-- file
long f(int x) { return x + 1; }
//== block-scope-extern: fits
int main(void) { extern int x; int f(void); check(x == 6 && f() == 6); }
//-- file
int x = 6;
int f(void) { return x; }
//== shadowed-extern: fits
static int x = 1;
int other(void);
int main(void) { int r; { extern int x; r = x; } check(r == 1 && other() == 2); }
//-- file
int x = 2;
int other(void) { return x; }
//== function-pointers: fits
struct job { int n; };
typedef int action(struct job *);
extern action *const actions[2];
int main(void) { struct job j = {1}; check(actions[0](&j) == 2 && actions[1](&j) == 20); }
//-- file
struct job { int n; };
static int first(struct job *j) { return ++j->n; }
static int second(struct job *j) { return j->n * 10; }
int (*const actions[2])(struct job *) = {first, second};
//== alias-of-static: fits
int visible(void);
int main(void) { check(visible() == 5); }
//-- file
static int hidden(void) { return 5; }
int visible(void) __attribute__((alias("hidden")));
//== library-and-own: fits
unsigned long strlen(const char *);
int own(void);
int main(void) { check(strlen("abc") == 3 && own() == 42); }
//-- file
static int strlen(void) { return 42; }
int own(void) { return strlen(); }
//== own-library-function: fits
int abs(int);
int main(void) { check(abs(-3) == 33); }
//-- file
int abs(int x) { return x < 0 ? 33 : x; }
//== constructors: fits
int order;
int main(void) { check(order == 12); }
//-- file
extern int order;
__attribute__((constructor(102))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
//== three-files: fits
int a(void);
int main(void) { check(a() == 6); }
//-- file
int b(void);
int a(void) { return b() * 2; }
//-- file
int b(void) { return 3; }
//== wrong-value: violation
extern int x;
int main(void) { check(x == 1); }
//-- file
int x = 2;
//== missing: fits
int nowhere(void);
int main(void) { if (0) nowhere(); }
//-- file
int other;
