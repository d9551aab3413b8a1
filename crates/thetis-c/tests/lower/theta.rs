//! What Theta's front end gets wrong or rejects, feature by feature.

use super::programs::{main_returns, returns};

#[test]
fn enumerators_have_values() {
    returns(
        "enum color { RED, GREEN = 5, BLUE }; int main(void) { enum color c = BLUE; return c * 10 + GREEN; }",
        65,
    );
}

#[test]
fn sizes_of_structures_count_padding() {
    returns(
        "struct s { char c; long l; short h; }; int main(void) { return sizeof(struct s) + sizeof(int[3]); }",
        36,
    );
}

#[test]
fn limits_are_those_of_the_machine() {
    main_returns("int x = 2147483647; x++; return x < 0;", 1);
    main_returns("unsigned char c = 255; c++; return c;", 0);
}

#[test]
fn pointer_arithmetic_moves_by_elements() {
    main_returns("int a[4] = {1, 2, 3, 4}; int *p = a; p = p + 2; p -= 1; return *p * 10 + *(p + 2);", 24);
    main_returns("int a[2][2] = {{1, 2}, {3, 4}}; int (*row)[2] = a; row++; return (*row)[1];", 4);
    returns(
        "struct s { int a; struct s *next; };
         int main(void) { struct s x, y; x.next = &y; y.next = &x; y.a = 3; struct s *p = &x; return p->next->a + (p->next->next == p); }",
        4,
    );
}

#[test]
fn arrays_of_arrays_and_designators() {
    returns(
        "int m[3][2] = { [1] = { 5, 6 }, [2][1] = 7 };
         int main(void) { int l[2][2] = { { 1 }, { 2, 3 } }; return m[1][1] * 100 + m[2][1] * 10 + l[1][1] + m[0][0]; }",
        673,
    );
    returns(
        "struct p { int x, y; } g = { .y = 4 }; struct p f(void) { return (struct p){ 1, 2 }; }
         int main(void) { return g.y * 10 + f().y; }",
        42,
    );
}

#[test]
fn structures_of_arrays_of_structures() {
    returns(
        "struct in { int v[2]; char c; }; struct out { struct in a[2]; int z; };
         int main(void) {
           struct out o[2]; int i, j, k, s = 0;
           for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) for (k = 0; k < 2; k++) o[i].a[j].v[k] = 100 * i + 10 * j + k;
           for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) s += o[i].a[j].v[1 - j] * (i + 1);
           struct out copy = o[1]; o[1].a[1].v[0] = 0;
           return s * 1000 + copy.a[1].v[0];
         }",
        433_110,
    );
}

#[test]
fn strings_are_arrays_of_characters() {
    returns(
        "int length(const char *s) { int n = 0; while (*s++) n++; return n; }
         int main(void) { char t[] = \"ab\"; t[0]++; return length(\"hello\") * 1000 + t[0] + sizeof(t); }",
        5101,
    );
}

#[test]
fn calls_happen_only_if_they_are_reached() {
    returns(
        "int n; int hit(void) { n++; return 1; }
         int main(void) { int x = 0; if (x && hit()) n += 10; if (x || hit()) n += 100; x = x ? hit() : 2; return n * 10 + x; }",
        1012,
    );
}

#[test]
fn statement_expressions_have_values() {
    main_returns("int x = ({ int y = 3; y++; y * 2; }); return x;", 8);
}

#[test]
fn blocks_can_be_allocated_in_many_ways() {
    returns(
        "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); void free(void *);
         int main(void) {
           int *a = malloc(2 * sizeof(int)), *b = calloc(4, sizeof(int));
           a[0] = 1; a[1] = 2; b[3] = 4;
           a = realloc(a, 4 * sizeof(int)); a[3] = 5; free(b);
           int *c = __builtin_alloca(4); *c = 6;
           return a[0] * 1000 + a[1] * 100 + a[3] * 10 + *c;
         }",
        1256,
    );
}

#[test]
fn memory_is_copied_and_filled() {
    returns(
        "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);
         struct s { int a; char b; int *p; };
         int main(void) {
           int x = 7; struct s u = { 1, 2, &x }, v; memcpy(&v, &u, sizeof(v));
           int a[4] = {1, 2, 3, 4}, b[4]; memcpy(b, a, sizeof(a)); memset(a, 0, 2 * sizeof(int));
           char t[3]; memset(t, 'x', 3);
           return *v.p * 1000 + b[2] * 100 + (a[1] + a[2]) * 10 + (t[2] == 'x') + v.b;
         }",
        7333,
    );
    returns(
        "void *memset(void *, int, unsigned long); struct s { int a; short b; }; struct s g = { 1, 2 };
         int main(void) { struct s *p = &g; memset(p, 0, sizeof(*p)); return g.a + g.b; }",
        0,
    );
}

#[test]
fn duffs_device_runs() {
    returns(
        "int main(void) {
           int n = 7, count = 0, rounds = (n + 3) / 4;
           switch (n % 4) { case 0: do { count++; case 3: count++; case 2: count++; case 1: count++; } while (--rounds > 0); }
           return count;
         }",
        7,
    );
}

#[test]
fn library_functions_have_models() {
    let declarations = "typedef unsigned long size_t; size_t strlen(const char *); int strcmp(const char *, const char *);
         char *strcpy(char *, const char *); char *strcat(char *, const char *); char *strchr(const char *, int);
         int memcmp(const void *, const void *, size_t); int abs(int); int isdigit(int); int atoi(const char *);";
    let program = |body: &str| format!("{declarations} int main(void) {{ {body} }}");
    returns(&program("return strlen(\"hello\") * 10 + strlen(\"\");"), 50);
    returns(
        &program(
            "return (strcmp(\"ab\", \"ab\") == 0) + 2 * (strcmp(\"ab\", \"b\") < 0) + 4 * (strcmp(\"ab\", \"a\") > 0);",
        ),
        7,
    );
    returns(
        &program("char t[8]; strcpy(t, \"ab\"); strcat(t, \"cd\"); return strlen(t) * 1000 + t[3];"),
        4100,
    );
    returns(
        &program("const char *s = \"abc\"; return (strchr(s, 'c') - s) * 10 + (strchr(s, 'x') == 0);"),
        21,
    );
    returns(&program("int a[2] = {1, 2}, b[2] = {1, 3}; return memcmp(a, b, 8) < 0;"), 1);
    returns(&program("return abs(-5) * 1000 + isdigit('7') * 100 + atoi(\" -42\") + 42;"), 5100);
}

#[test]
fn functions_of_the_compiler_about_bits_have_models() {
    let returned =
        |expression: &str, value: i64| returns(&format!("int main(void) {{ return {expression}; }}"), value);
    returned("__builtin_popcount(0xf0f) * 100 + __builtin_popcount(-1)", 832);
    returned("__builtin_popcountll(-1) * 100 + __builtin_popcountll(1ULL << 63)", 6401);
    returned("__builtin_popcountl(0) * 10 + __builtin_parity(7) + __builtin_parityll(3)", 1);
    returned("__builtin_ffs(0) + __builtin_ffs(40) * 100 + __builtin_ffs(1 << 31)", 432);
    returned("__builtin_ffsll(1LL << 62) * 10 + __builtin_ffsl(-1)", 631);
    // A program function of the same name is a different function.
    returns(
        "int popcount(int x) { return 50; } int main(void) { return popcount(1) + __builtin_popcount(1); }",
        51,
    );
}
