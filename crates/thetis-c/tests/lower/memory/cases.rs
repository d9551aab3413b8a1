//! Small programs that do or do not follow the rules about memory.
//!
//! Many of them fit into one file for a compiler: the only names they define are `main`, `f`, `g`, `h`, `node`, `pair`, `global`
//! and `other`. `input` gives numbers from outside.

/// What every program starts with.
pub(crate) const PRELUDE: &str = "typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
void *alloca(size_t); void abort(void); void exit(int);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);
size_t strlen(const char *); char *strcpy(char *, const char *); int strcmp(const char *, const char *);
int input(void);
";

/// The names that programs define.
pub(crate) const NAMES: [&str; 8] = ["main", "f", "g", "h", "node", "pair", "global", "other"];

/// A program with what happens to it.
pub(crate) struct Case {
    pub(crate) text: &'static str,
    pub(crate) inputs: &'static [i128],
    /// For `valid-deref`, `valid-free`, `valid-memtrack` and `valid-memcleanup`: `.` it holds, `!` it is violated, `?` there is a
    /// limit, `-` something else is undefined before.
    pub(crate) expected: &'static str,
    /// Whether a sanitizer sees it: everything in bounds, and most of what is not.
    pub(crate) is_seen: bool,
}

const fn case(expected: &'static str, text: &'static str) -> Case {
    Case { text, inputs: &[], expected, is_seen: true }
}

const fn given(expected: &'static str, inputs: &'static [i128], text: &'static str) -> Case {
    Case { text, inputs, expected, is_seen: true }
}

/// What sanitizers do not look at: members of the same object, memory between objects that has room for more.
const fn unseen(expected: &'static str, text: &'static str) -> Case {
    Case { text, inputs: &[], expected, is_seen: false }
}

/// All programs.
pub(crate) const CASES: &[Case] = &[
    // Variables and arrays by their names.
    case("....", "int main(void) { int a[3] = {1, 2, 3}; return a[2] - 3; }"),
    case("!...", "int main(void) { int a[3] = {1, 2, 3}; int i = 3; return a[i]; }"),
    case("!...", "int main(void) { int a[3] = {1, 2, 3}; int i = -1; return a[i]; }"),
    case("!...", "int main(void) { int a[3] = {1, 2, 3}; return a[3]; }"),
    case("!...", "int main(void) { int a[3] = {1, 2, 3}; a[-1] = 4; return 0; }"),
    case(
        "....",
        "int main(void) { int a[3], s = 0; for (int i = 0; i < 3; i++) a[i] = i; for (int i = 0; i < 3; i++) s += a[i]; return s - 3; }",
    ),
    case("!...", "int main(void) { int a[3]; for (int i = 0; i <= 3; i++) a[i] = i; return 0; }"),
    case(
        "....",
        "int main(void) { int a[2][3]; a[0][2] = 1; int i = 0, j = 5; a[i][j] = 2; return a[1][2] - 2; }",
    ),
    case("!...", "int main(void) { int a[2][3]; int i = 1, j = 3; a[i][j] = 2; return 0; }"),
    case("!...", "int global[4]; int main(void) { unsigned i = 4; global[i] = 1; return 0; }"),
    case(
        "....",
        "int main(void) { int n = 4, a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[3] - 3; }",
    ),
    case("!...", "int main(void) { int n = 4, a[n]; int i = 4; a[i] = 1; return 0; }"),
    unseen(
        "?...",
        "struct pair { int a[2]; int b[2]; }; int main(void) { struct pair p; int i = 3; p.a[i] = 1; return 0; }",
    ),
    unseen(
        "!...",
        "struct pair { int a[2]; int b[2]; }; int main(void) { struct pair p; int i = 4; p.a[i] = 1; return 0; }",
    ),
    given(
        "....",
        &[2],
        "int main(void) { int a[3] = {1, 2, 3}; int i = input(); if (i >= 0 && i < 3 && a[i] == 3) return 0; return 1; }",
    ),
    given(
        "....",
        &[7],
        "int main(void) { int a[3] = {1, 2, 3}; int i = input(); return i >= 0 && i < 3 && a[i] == 3; }",
    ),
    given(
        "!...",
        &[3],
        "int main(void) { int a[3] = {1, 2, 3}; int i = input(); return i >= 0 && i <= 3 && a[i] == 3; }",
    ),
    // Pointers to variables.
    case("....", "int main(void) { int x = 1; int *p = &x; *p = 0; return x; }"),
    case("!...", "int main(void) { int x = 1; int *p = &x; p = 0; return *p; }"),
    case(
        "!...",
        "struct node { int v; struct node *next; }; int main(void) { struct node n = {1, 0}; return n.next->v; }",
    ),
    case(
        "....",
        "int main(void) { int a[3] = {1, 2, 3}; int *p = a, *end = a + 3, s = 0; while (p != end) s += *p++; return s - 6; }",
    ),
    case(
        "!...",
        "int main(void) { int a[3] = {1, 2, 3}; int *p = a, *end = a + 3, s = 0; while (p <= end) s += *p++; return s - 6; }",
    ),
    case("!...", "int main(void) { int a[3] = {1, 2, 3}; int *p = a - 1; return *p; }"),
    case(
        "....",
        "int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; } int main(void) { int a[2] = {1, 2}, b[3] = {3, 4, 5}; return f(a, 2) + f(b, 3) - 15; }",
    ),
    case(
        "!...",
        "int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; } int main(void) { int a[2] = {1, 2}, b[3] = {3, 4, 5}; return f(a, 2) + f(b, 4); }",
    ),
    case(
        "....",
        "struct pair { int a; char c[3]; } global; int main(void) { struct pair *p = &global; p->c[2] = 1; return p->a; }",
    ),
    case("!...", "int main(void) { int x = 1; char *p = (char *)&x; return p[4]; }"),
    case("....", "int main(void) { int x = 0; char *p = (char *)&x; return p[3]; }"),
    case("!...", "int main(void) { char c = 1; int *p = (int *)&c; return *p; }"),
    case("....", "int main(void) { const char *s = \"abc\"; return s[3]; }"),
    unseen("!...", "int main(void) { const char *s = \"abc\"; return s[4]; }"),
    // Lifetimes.
    case("!...", "int *f(void) { int x = 1, *p = &x; return p; } int main(void) { return *f(); }"),
    case("....", "int *f(void) { static int x = 0; return &x; } int main(void) { return *f(); }"),
    case("!...", "int main(void) { int *p; { int x = 1; p = &x; } return *p; }"),
    case("....", "int main(void) { int *p, s = 0; { int x = 1; p = &x; s = *p; } return s - 1; }"),
    case(
        "!...",
        "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { if (i == 1) return *p; int x = i; p = &x; if (i == 0) continue; x++; } return 0; }",
    ),
    case(
        "....",
        "int *global; void f(int *p) { global = p; } int main(void) { int x = 0; f(&x); return *global; }",
    ),
    case(
        "!...",
        "int *global; void f(void) { int x = 0; global = &x; } int main(void) { f(); return *global; }",
    ),
    case(
        "....",
        "int main(void) { int *p; int n = 0; again: n++; { int x = n; p = &x; if (*p < 3) goto again; } return n - 3; }",
    ),
    case("!...", "int main(void) { int *p; int n = 0; { int x = n; p = &x; goto out; } out: return *p; }"),
    case(
        "....",
        "int main(void) { int n = 1; switch (n) { int x; case 1: x = 2; int *p = &x; return *p - 2; } return 1; }",
    ),
    case(
        "!...",
        "struct pair { int a, b; }; int main(void) { struct pair *p; { p = &(struct pair){1, 2}; } return p->a; }",
    ),
    unseen(
        "!...",
        "int *f(int n) { int *p = alloca(n * sizeof(int)); *p = 1; return p; } int main(void) { return *f(2); }",
    ),
    case(
        "....",
        "int f(int n) { int *p = alloca(n * sizeof(int)); p[n - 1] = n; return p[n - 1]; } int main(void) { return f(2) + f(3) - 5; }",
    ),
    case(
        "!...",
        "int f(int n) { int *p = alloca(n * sizeof(int)); p[n] = n; return 0; } int main(void) { return f(2); }",
    ),
    case(
        "?...",
        "int f(int n) { int *p = 0; for (int i = 0; i < n; i++) { p = alloca(4); *p = i; } return *p; } int main(void) { return f(2) - 1; }",
    ),
    case(
        "....",
        "int f(int n) { if (n > 1) return 0; int a[20]; int *p = a; p[n] = 1; return p[n] - 1; } int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += f(i); return s; }",
    ),
    case(
        "!...",
        "int f(int n) { int a[20]; int *p = a; p[n] = 1; return p[n] - 1; } int main(void) { int s = 0; for (int i = 18; i < 22; i++) s += f(i); return s; }",
    ),
    case(
        "!...",
        "int *global; void f(int n) { int a[20]; a[n] = 1; if (n == 1) global = a; } int main(void) { for (int i = 0; i < 3; i++) f(i); return *global; }",
    ),
    // Blocks.
    case(
        "....",
        "int main(void) { int *p = malloc(3 * sizeof(int)); p[2] = 1; int r = p[2] - 1; free(p); return r; }",
    ),
    case("!...", "int main(void) { int *p = malloc(3 * sizeof(int)); p[3] = 1; free(p); return 0; }"),
    case("!...", "int main(void) { char *p = malloc(3); *(p + 3) = 1; free(p); return 0; }"),
    case("!...", "int main(void) { int *p = malloc(2); *p = 1; free(p); return 0; }"),
    case("!...", "int main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }"),
    case("!...", "int main(void) { int *p = malloc(0); *p = 1; free(p); return 0; }"),
    case(
        "....",
        "int main(void) { int *p = calloc(3, sizeof(int)); int r = p[0] + p[2]; free(p); return r; }",
    ),
    case("!...", "int main(void) { int *p = calloc(3, sizeof(int)); int r = p[3]; free(p); return r; }"),
    case(
        "....",
        "int main(void) { int *p = malloc(4); *p = 1; p = realloc(p, 8); p[1] = *p; int r = p[1] - 1; free(p); return r; }",
    ),
    case(
        "!...",
        "int main(void) { int *p = malloc(4); *p = 1; int *q = realloc(p, 8); int r = *p; free(q); return r; }",
    ),
    case(
        "!...",
        "int main(void) { int *p = malloc(8); p = realloc(p, 4); int r = p[1]; free(p); return r; }",
    ),
    case(
        "!...",
        "struct node { int v; struct node *next; }; int main(void) { struct node *n = malloc(sizeof(struct node *)); n->next = 0; free(n); return 0; }",
    ),
    // The stack of a function that frees what its caller goes on to use.
    case(
        "!...",
        "void f(int *p) { free(p); } int main(void) { int *p = malloc(4); *p = 1; f(p); *p = 2; return 0; }",
    ),
    case(
        "!...",
        "int f(int *p) { free(p); return 1; } int main(void) { int *p = malloc(4); *p = f(p); return 0; }",
    ),
    // Freeing.
    case("....", "int main(void) { free(0); return 0; }"),
    case(".!..", "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }"),
    case(".!--", "int main(void) { int *p = malloc(8); free(p + 1); return 0; }"),
    case(".!..", "int main(void) { int x = 1; int *p = &x; free(p); return 0; }"),
    case(".!..", "int global[2]; int main(void) { free(global); return 0; }"),
    case(".!--", "int main(void) { int *p = malloc(4), *q = realloc(p, 8); free(p); free(q); return 0; }"),
    case(".!..", "int main(void) { int *p = alloca(4); free(p); return 0; }"),
    // Lost blocks.
    case("..!!", "int main(void) { int *p = malloc(4); *p = 1; return 0; }"),
    case("..!!", "int main(void) { malloc(4); return 0; }"),
    case("..!!", "int main(void) { int *p = malloc(4); p = 0; return p != 0; }"),
    case("...!", "int *global; int main(void) { global = malloc(4); return 0; }"),
    case("...!", "int *global; int main(void) { global = malloc(8); global++; return 0; }"),
    case("..!!", "int *global; int main(void) { global = malloc(4); global = malloc(4); return 0; }"),
    case("..!!", "void f(void) { int *p = malloc(4); *p = 1; } int main(void) { f(); return 0; }"),
    case("...!", "int main(void) { int *p = malloc(4); *p = 1; exit(0); }"),
    unseen("....", "int main(void) { int *p = malloc(4); *p = 1; abort(); }"),
    unseen("..!.", "int main(void) { int *p = malloc(4); p = 0; abort(); }"),
    case(
        "..?!",
        "struct node { struct node *next; }; struct node *global; int main(void) { global = malloc(8); global->next = malloc(8); global->next->next = 0; return 0; }",
    ),
    case(
        "....",
        "struct node { int v; struct node *next; }; int main(void) { struct node *l = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->v = i; n->next = l; l = n; } while (l) { struct node *n = l->next; free(l); l = n; } return 0; }",
    ),
    case(
        "!...",
        "struct node { int v; struct node *next; }; int main(void) { struct node *l = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->v = i; n->next = l; l = n; } while (l) { free(l); l = l->next; } return 0; }",
    ),
    case(
        "..!!",
        "struct node { int v; struct node *next; }; int main(void) { struct node *l = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->v = i; n->next = l; l = n; } free(l); return 0; }",
    ),
    case(
        "..!!",
        "struct pair { int *a, *b; } global; int main(void) { global.a = malloc(4); global.b = malloc(4); global.b = 0; return 0; }",
    ),
    // Functions of the library.
    case("....", "int main(void) { char a[4]; strcpy(a, \"abc\"); return strlen(a) - 3; }"),
    case("!...", "int main(void) { char a[3]; strcpy(a, \"abc\"); return a[0]; }"),
    case("!...", "int main(void) { char a[3] = {1, 2, 3}; return strlen(a); }"),
    case("....", "int main(void) { int a[2] = {1, 2}, b[2]; memcpy(b, a, sizeof a); return b[1] - 2; }"),
    case("!...", "int main(void) { int a[2] = {1, 2}, b[2]; memcpy(b, a, 3 * sizeof(int)); return b[0]; }"),
    case("!...", "int main(void) { int *p = malloc(8); memset(p, 0, 9); free(p); return 0; }"),
    given("....", &[0], "int main(void) { char *p = 0; int n = input(); memset(p, 0, n); return 0; }"),
    given("!...", &[1], "int main(void) { char *p = 0; int n = input(); memset(p, 0, n); return 0; }"),
    // What the model does not know.
    unseen(
        "????",
        "union pair { long n; int *p; }; int main(void) { int x = 1; union pair u; u.p = &x; u.n = 0; return *u.p; }",
    ),
    unseen(
        "????",
        "int main(void) { int x = 0; unsigned long n = (unsigned long)&x; int *p = (int *)n; return *p; }",
    ),
    unseen("????", "int *other(int); int main(void) { return *other(1); }"),
];
