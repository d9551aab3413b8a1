//! Small programs and what they are after checking: every conversion and every name resolved.

use expect_test::{Expect, expect};
use thetis_c::hir::DataModel;

use crate::show;

fn shows(text: &str, expected: Expect) {
    let program = show::check(text, DataModel::Lp64).unwrap_or_else(|messages| panic!("{messages}\n{text}"));
    expected.assert_eq(&show::show(&program));
}

/// The body of a function with some variables of all kinds.
fn body(stmts: &str, expected: Expect) {
    let text = format!(
        "struct s {{ int a; struct s *next; unsigned b : 3; char name[4]; }};
         int f(char c, short h, int i, unsigned u, long l, float x, double d, int *p, struct s *q) {{ {stmts} }}"
    );
    let program = show::check(&text, DataModel::Lp64).unwrap_or_else(|messages| panic!("{messages}\n{text}"));
    let shown = show::show(&program);
    let line = shown.lines().find(|line| line.starts_with("f(")).unwrap();
    let start = line.find(" { ").unwrap_or(0);
    expected.assert_eq(&line[start + 1..]);
}

#[test]
fn arithmetic_conversions_are_written_out() {
    body("c + h;", expect!["{ (<int>c! + <int>h!); }"]);
    body("i + u; i < u; -c;", expect!["{ (<uint>i! + u!); (<uint>i! < u!); -<int>c!; }"]);
    body(
        "l * u; l / i; x - d; x * i;",
        expect!["{ (l! * <long>u!); (l! / <long>i!); (<double>x! - d!); (x! * <float>i!); }"],
    );
    body("c << l; l >> c;", expect!["{ (<int>c! << l!); (l! >> <int>c!); }"]);
    body("i && d || !p;", expect!["{ ((i! && d!) || !p!); }"]);
    body("c ? h : l;", expect!["{ (c! ? <long><int>h! : l!); }"]);
    body(
        "c = i; x = i; u = c; i = d;",
        expect!["{ c = <char>i!; x = <float>i!; u = <uint>c!; i = <int>d!; }"],
    );
    body(
        "c += i; h <<= l; i *= d; u -= c;",
        expect!["{ c +=<int> i!; h <<=<int> l!; i *=<double> d!; u -=<uint> <uint><int>c!; }"],
    );
    body("c++; --d; p++;", expect!["{ c++; --d; p++; }"]);
    body(
        "(char)300; (unsigned char)i; (_Bool)p; (void)i; (long)p; (int *)l;",
        expect!["{ 44:char; <uchar>i!; <bool>p!; <void>i!; <long>p!; <int*>l!; }"],
    );
    body("return c;", expect!["{ return <int>c!; }"]);
}

#[test]
fn pointers_and_objects() {
    body(
        "*p = p[i]; i[p]; *(p + 1); p - 1; 1 + p; p - p; &p[3]; &*p;",
        expect![
            "{ (*p!) = (*(p! @+ i!))!; (*(p! @+ i!))!; (*(p! @+ 1))!; (p! @- 1); (p! @+ 1); (p! @@ p!); (p! @+ 3); p!; }"
        ],
    );
    body(
        "q->a = (*q).next->a; q->b; q->b + 1; q->name; q->name[1]; &q->name; &q->a;",
        expect![
            "{ (*q!).0 = (*(*q!).1!).0!; (*q!).2!; (<int>(*q!).2! + 1); (*q!).3[]; (*q!).3[1]!; (*q!).3&; (*q!).0&; }"
        ],
    );
    body(
        "int a[2][3]; a[1][2]; *a; **a; a + 1; &a; sizeof a[0];",
        expect!["{ a: int[3][2]; a[1][2]!; (*a[])[]; (*(*a[])[])!; (a[] @+ 1); a&; 12:ulong; }"],
    );
    body(
        "p == 0; 0 != p; p == q->next; !q; p ? p : 0; (void *)p == p; p == 5;",
        expect![
            "{ (p! == 0:int*); (0:int* != p!); (p! == <int*>(*q!).1!); !q!; (p! ? p! : 0:int*); (<int*><void*>p! == p!); (p! == <int*>5); }"
        ],
    );
    body("p += i; p -= 2;", expect!["{ p @+= i!; p @-= 2; }"]);
    body(
        "struct s t = *q; t.next = &t; *q = t; (t = *q).a; (i ? t : *q).name[0];",
        expect!["{ t: s = (*q!)!; t.1 = t&; (*q!) = t!; (t = (*q!)!).0!; ((i! ? t! : (*q!)!)).3[0]!; }"],
    );
    body("\"ab\"[0]; char *m = \"x\";", expect!["{ #string1[0]!; m: char* = #string2[]; }"]);
}

#[test]
fn calls() {
    shows(
        "int g(char, ...); int h(); void v(void); int (*fp)(long) = 0;
         int main() { g(300, 'a', 1.0f, (short)2); h(1, 2.0f); v(); fp(1); (*fp)(2); (**fp)(3); (&g)(1); return g; }",
        expect![[r#"
            fp: int(long)* = 0:int(long)*
            g();
            h();
            v();
            main() { g(44:char, 97, <double>0x3f800000:float, 2); h(1, <double>0x40000000:float); v(); (*fp!)(1:long); (*fp!)(2:long); (*fp!)(3:long); (*&g)(1:char); return <int>&g; }
        "#]],
    );
    shows(
        "int main() { int *p = malloc(10); undeclared(1, p); exit(2u); abort(); }
         char undeclared(char c, int *q) { return c; }",
        expect![[r#"
            main() { p: int* = <int*>malloc(10:ulong); undeclared(1:char, p!); exit(2); abort(); }
            undeclared(c: char, q: int*) { return c!; }
            malloc();
            exit();
            abort();
        "#]],
    );
    shows(
        "int f(a, b) char a; int *b; { return a + *b; } int g() { return f(1); }",
        expect![[r#"
        f(a: char, b: int*) { return (<int>a! + (*b!)!); }
        g() { return f(1:char, ?(an argument that the call leaves out)); }
    "#]],
    );
    shows(
        "main(argc, argv) char **argv; { return argc; } static x; f(void) { return x; }",
        expect![[r#"
        x: int
        main(argc: int, argv: char**) { return argc!; }
        f() { return x!; }
    "#]],
    );
}

/// The competition says what its input functions return, declared or not.
#[test]
fn input_functions_have_their_types() {
    shows(
        "int main() { return __VERIFIER_nondet_bool() + __VERIFIER_nondet_ulong() + __VERIFIER_nondet_other(); }",
        expect![[r#"
            main() { return <int>((<ulong><int>__VERIFIER_nondet_bool() + __VERIFIER_nondet_ulong()) + <ulong>__VERIFIER_nondet_other()); }
            __VERIFIER_nondet_bool();
            __VERIFIER_nondet_ulong();
            __VERIFIER_nondet_other();
        "#]],
    );
}

#[test]
fn statements() {
    body(
        "while (i) { if (c) continue; else break; }",
        expect!["{ while (i!) { if (c!) continue; else break; } }"],
    );
    body(
        "for (int j = 0, k = 1; j < 3; j++, k--) ; for (;;) i++;",
        expect!["{ for ({ j: int = 0; k: int = 1; } (j! < 3); (j++, k--)) { } for ({ } ; ) i++; }"],
    );
    body("do i--; while (i > 0);", expect!["{ do i--; while ((i! > 0)); }"]);
    body(
        "switch (c) { case 1: case 'a' ... 'z': i = 1; break; default: ; case -1: i = 2; }",
        expect!["{ switch (<int>c!) { case 1: case 97...122: i = 1; break; default: { } case -1: i = 2; } }"],
    );
    body("switch (u) case -1: i = 1;", expect!["{ switch (u!) case 4294967295: i = 1; }"]);
    body(
        "goto end; { int i; i = 1; } end: ; int z; again: goto again;",
        expect!["{ goto end; { i: int; i = 1; } end: { } z: int; again: goto again; }"],
    );
    body(
        "//@ assert i > 0;\n while (1) /*@ assert here: u == 1; */ i++;",
        expect!["{ @assert (i! > 0); while (1) { @assert (u! == 1:uint); i++; } }"],
    );
    body(
        "/*@ assert \\false; */ ; /*@ assert \\true && i; */ ; /*@ assert \\forall int k; k > 0; */ ; /*@ loop invariant i; */ ;",
        expect!["{ @assert 0; { } @assert (1 && i!); { } ?(an assertion in logic, not in C); { } { } }"],
    );
    body(
        "__asm__ volatile (\"nop\" : \"=r\"(i) : \"r\"(u)); void *t = &&l; goto *t; l: ;",
        expect![
            "{ ?(an assembly statement); t: void* = 16:void*; switch (<ulong>t!) { case 16: goto l; default: ?(a jump to an address that is not that of a label); } l: { } }"
        ],
    );
}

#[test]
fn gnu_expressions() {
    body(
        "i = ({ int k = i; k++; k; }); ({ ; });",
        expect!["{ i = ({ k: int = i!; k++; } k!); ({ { } } ); }"],
    );
    body("p ?: (int *)0;", expect!["{ ({ #value1: int* = p!; } (#value1! ? #value1! : 0:int*)); }"]);
    body(
        "(struct s){ .b = 1 }.b; &(int){ 3 }; (int[]){ 1, 2 }[i];",
        expect![
            "{ (#literal1: s){.2=1:uint}.2!; (#literal2: int)3&; (#literal3: int[2]){[0]=1, [1]=2}[i!]!; }"
        ],
    );
    body(
        "__builtin_expect(i, 1); __builtin_memcpy(p, q, 4); __builtin_popcount(i); __builtin_clz(i); __builtin_unreachable();",
        expect![
            "{ <long>i!; memcpy(<void*>p!, <void*>q!, 4:ulong); __builtin_popcount(<uint>i!); __builtin_clz(<uint>i!); ?(`__builtin_unreachable`); }"
        ],
    );
    body(
        "__builtin_isnan(x); __builtin_isnan(d); __builtin_isgreater(x, d); __builtin_nanf(\"\");",
        expect!["{ __isnanf(x!); __isnan(d!); (<double>x! > d!); 0x7fc00000:float; }"],
    );
    body("_Generic(p, int *: 1, char *: 2); __func__;", expect!["{ 1; #string1[]; }"]);
    body(
        "__auto_type k = c + 1; typeof(k) m = 2; k = m;",
        expect!["{ k: int = (<int>c! + 1); m: int = 2; k = m!; }"],
    );
    body("int n(int z) { return z; } n(1);", expect!["{ ?(a function inside a function); n(1); }"]);
    body(
        "_Complex double z; z = z + 1; __float128 y = 1; z;",
        expect![
            "{ z: #a complex number of 16 bytes; z = ?(an operation on a complex number); y: #a number of 128 bits of 16 bytes = ?(a conversion of a number of 128 bits); z!; }"
        ],
    );
}

#[test]
fn variable_lengths() {
    body(
        "int a[i]; a[0] = sizeof a; int b[i + 1][3]; sizeof b; sizeof(char[u]); (char(*)[i])p;",
        expect![
            "{ #length1: ulong = <ulong>i!; a: int[9]; a[0] = <int>(#length1! * 4:ulong); #length2: ulong = <ulong>(i! + 1); b: int[3][11]; (#length2! * 12:ulong); ({ #length3: ulong = <ulong>u!; } (#length3! * 1:ulong)); ({ #length4: ulong = <ulong>i!; } <char[14]*>p!); }"
        ],
    );
    shows(
        "int f(int n, int a[n][n + 1]) { return a[1][2]; } int g(int n, int a[n][n]);",
        expect![[r#"
            f(n: int, a: int[2]*) { n!; #length1: ulong = <ulong>(n! + 1); return (*(a! @+ 1))[2]!; }
            g();
        "#]],
    );
}

#[test]
fn initializers() {
    shows(
        "struct p { int x, y; }; struct q { struct p p; char n[3]; union { int i; char c; }; };
         struct q a = { { 1, 2 }, \"ab\", { 3 } }, b = { 1, 2, 'x', 'y', 'z', 4 }, c = { .n = { [1] = 1 }, .c = 5 };
         int m[2][3] = { 1, 2, 3, 4 }, d[] = { [2] = 1, 2, [0] = 5 }, r[6] = { [1 ... 3] = 7, 8 };
         char s[] = \"hi\", t[2] = \"hi\", *u = \"hi\", *v[] = { \"a\", \"b\" };
         struct p ps[] = { [1].y = 1, 2, 3 }; int *ip = &m[1][2], z = 3.9; double e = 1; struct p *lit = &(struct p){ 1 };
         int f(void); int (*fp)(void) = f;",
        expect![[r#"
            a: q = {.0.0=1, .0.1=2, .1[0]=97:char, .1[1]=98:char, .1[2]=0:char, .2.0=3}
            b: q = {.0.0=1, .0.1=2, .1[0]=120:char, .1[1]=121:char, .1[2]=122:char, .2.0=4}
            c: q = {.1[1]=1:char, .2.1=5:char}
            m: int[3][2] = {[0][0]=1, [0][1]=2, [0][2]=3, [1][0]=4}
            d: int[4] = {[2]=1, [3]=2, [0]=5}
            r: int[6] = {[1]=7, [2]=7, [3]=7, [4]=8}
            s: char[3] = {[0]=104:char, [1]=105:char, [2]=0:char}
            t: char[2] = {[0]=104:char, [1]=105:char}
            u: char* = #string2[]
            #string2: char[3] = {[0]=104:char, [1]=105:char, [2]=0:char}
            v: char*[2] = {[0]=#string3[], [1]=#string4[]}
            #string3: char[2] = {[0]=97:char, [1]=0:char}
            #string4: char[2] = {[0]=98:char, [1]=0:char}
            ps: p[3] = {[1].1=1, [2].0=2, [2].1=3}
            ip: int* = m[1][2]&
            z: int = <int>0x400f333333333333:double
            e: double = <double>1
            lit: p* = #literal5&
            #literal5: p = {.0=1}
            fp: int()* = &f
            f();
        "#]],
    );
    body(
        "struct s s = { i }, t = { 1, &s, 2, \"x\" }, *v = &(struct s){ 0 }; int k = { 1 }; struct s e = {};",
        expect![
            "{ s: s = {.0=i!}; t: s = {.0=1, .1=s&, .2=2:uint, .3[0]=120:char, .3[1]=0:char}; v: s* = (#literal1: s){.0=0}&; k: int = 1; e: s = {}; }"
        ],
    );
}

#[test]
fn linkage() {
    shows(
        "extern int a[]; int a[3]; int b; int b; extern int c; static int d = 1; int e[];
         int f(void) { extern int b; static int s = 2; extern int g(int); { static int s; s = 1; } return g(s) + b; }
         _Thread_local int t; static __thread int w; void never(void) __attribute__((noreturn));",
        expect![[r#"
            a: int[3]
            b: int
            extern c: int
            d: int = 1
            e: int[1]
            t: int
            w: int
            s: int = 2
            s: int
            f() { { s = 1; } return (g(s!) + b!); }
            never();
            g();
        "#]],
    );
}
