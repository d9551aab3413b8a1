//! What is rejected or warned about, and where.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use thetis_base::{Diagnostics, SourceMap};
use thetis_c::hir::DataModel;
use thetis_c::{LineMarkers, SourceOptions};

use crate::show;

fn says(text: &str, expected: Expect) {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text);
    let mut diagnostics = Diagnostics::new();
    let _ = thetis_c::check(&sources, file, &SourceOptions::default(), &mut diagnostics);
    expected.assert_eq(&show::messages(&sources, &diagnostics));
}

#[test]
fn syntax() {
    says(
        "unsigned float x; long long long y; void int z; short double v;",
        expect![[r#"
        test.c:1:1: error[declaration]: these words do not make a type
        test.c:1:19: error[declaration]: these words do not make a type
        test.c:1:37: error[declaration]: these words do not make a type
        test.c:1:49: error[declaration]: these words do not make a type
    "#]],
    );
    says(
        "int f( {",
        expect![[r#"
        test.c:1:8: error[syntax]: expected a parameter, found `{`
    "#]],
    );
    says(
        "int x = ;\nint y = 3 4;\nint z;",
        expect![[r#"
        test.c:1:9: error[syntax]: expected an expression, found `;`
        test.c:2:11: error[syntax]: expected `;`, found `4`
    "#]],
    );
    says(
        "int f(void) { return 1;",
        expect![[r#"
        test.c:1:24: error[syntax]: expected `}`, found the end of the file
    "#]],
    );
    says(
        "foo x; int g(bar y);",
        expect![[r#"
        test.c:1:1: error[unknown-name]: unknown type name `foo`
        test.c:1:14: error[unknown-name]: unknown type name `bar`
    "#]],
    );
    says(
        "char *s = \"abc;\nint y;",
        expect![[r#"
        test.c:1:11: error[syntax]: the quote is not closed
        test.c:2:1: error[syntax]: expected an expression, found `int`
    "#]],
    );
}

#[test]
fn tokens_and_directives() {
    says(
        "int x; /* no end",
        expect![[r#"
        test.c:1:8: error[syntax]: the comment is not closed
    "#]],
    );
    says(
        "#include <stdio.h>\nint main() { return 0; }",
        expect![[r#"
        test.c:1:1: error[directive]: a directive is left over: the text has not been preprocessed
    "#]],
    );
    says(
        "#pragma pack(push, name, 1)\nstruct s { char c; int i; };",
        expect![[r#"
        test.c:1:1: error[unsupported]: `#pragma pack(push, name, 1)` is not supported
    "#]],
    );
    says(
        "int a = 1 @ 2; int ü = `3;",
        expect![[r#"
        test.c:1:11: error[syntax]: unexpected character `@`
        test.c:1:24: error[syntax]: unexpected character ```
        test.c:1:13: error[syntax]: expected `;`, found `2`
    "#]],
    );
    says(
        "int main() { else { } }",
        expect![[r#"
        test.c:1:14: error[syntax]: expected an expression, found `else`
    "#]],
    );
    says(
        "struct s int z; static extern int w; typedef int t; t long x;",
        expect![[r#"
            test.c:1:10: error[declaration]: `int` follows another type
            test.c:1:24: error[declaration]: `extern` follows another storage class
            test.c:1:55: error[declaration]: `long` follows another type
        "#]],
    );
}

#[test]
fn names() {
    says(
        "int main() { return x + y; }",
        expect![[r#"
        test.c:1:21: error[unknown-name]: `x` is not declared
    "#]],
    );
    says(
        "int x; float x; int f(int); int f(char); typedef int t; typedef char t; int t;",
        expect![[r#"
        test.c:1:14: error[duplicate-name]: `x` is `float` here and `int` elsewhere
        test.c:1:33: error[duplicate-name]: `f` is `int (char)` here and `int (int)` elsewhere
        test.c:1:70: error[duplicate-name]: `t` is `char` here and `int` elsewhere
        test.c:1:77: error[duplicate-name]: `t` is declared twice, as different things
    "#]],
    );
    says(
        "int f(void) { return 1; } int f(void) { return 2; } int x = 1; int x = 2;",
        expect![[r#"
        test.c:1:31: error[duplicate-name]: `f` is defined twice
        test.c:1:68: error[duplicate-name]: `x` is initialised twice
    "#]],
    );
    says(
        "int f(int a) { int a; { int a; } int b, b; return 0; }",
        expect![[r#"
            test.c:1:20: error[duplicate-name]: `a` is declared twice in the same scope
            test.c:1:41: error[duplicate-name]: `b` is declared twice in the same scope
        "#]],
    );
    says(
        "struct s { int a; int a; }; struct s { int b; }; union s x; enum { A, A };",
        expect![[r#"
        test.c:1:1: error[duplicate-name]: two members are named `a`
        test.c:1:50: error[duplicate-name]: the tag `s` is of another kind
        test.c:1:71: error[duplicate-name]: `A` is declared twice
    "#]],
    );
    says(
        "int f(void) { goto nowhere; l: ; l: ; return 0; }",
        expect![[r#"
        test.c:1:34: error[duplicate-name]: a second label `l`
        test.c:1:20: error[jump]: there is no label `nowhere`
    "#]],
    );
    says(
        "int f(void) { break; continue; case 1: ; default: ; return 0; }",
        expect![[r#"
        test.c:1:15: error[jump]: `break` outside of loops and `switch`
        test.c:1:22: error[jump]: `continue` outside of loops
        test.c:1:32: error[jump]: `case` outside of `switch`
        test.c:1:42: error[jump]: `default` outside of `switch`
    "#]],
    );
    says(
        "int f(int x) { switch (x) { case 1: case 2 ... 4: case 3: default: default: ; } return 0; }",
        expect![[r#"
            test.c:1:56: error[jump]: a second case for 3
        "#]],
    );
}

#[test]
fn types() {
    says(
        "struct a { int f(void); }; struct b { int b : 40; }; struct c { double d : 3; };",
        expect![[r#"
        test.c:1:16: error[incomplete-type]: a member has the incomplete type `int ()`
        test.c:1:47: error[declaration]: a bit-field of this type has at most 32 bits, not 40
        test.c:1:76: error[type-mismatch]: a bit-field of type `double`
    "#]],
    );
    says(
        "struct a { int z : 0; }; struct b { int f[]; int g; }; struct c { void v; };",
        expect![[r#"
        test.c:1:20: error[declaration]: a named bit-field of width zero
        test.c:1:26: error[declaration]: a flexible array is not the last member
        test.c:1:72: error[incomplete-type]: a member has the incomplete type `void`
    "#]],
    );
    says(
        "struct s { int a; } s; struct t *q; void *v; double d; int i, *p;
         int f(void) {
           s + 1; *i; i.a; s.b; q->a; f.a; i(); f(1); s = i; p = d; d = p; i = s; &1; 1 = 2; &i = p; -s;
           if (s) ; switch (d) { } p * 2; p + p; ~d; d % 2; s == s; (struct s)i; (int)s; i[i]; sizeof(struct t);
           *v; v = q; p = i; i = p; p < i; return s;
         }",
        expect![[r#"
            test.c:3:12: error[type-mismatch]: the operator does not apply to `struct s` and `int`
            test.c:3:19: error[type-mismatch]: a value of type `int` points to nothing
            test.c:3:23: error[type-mismatch]: a value of type `int` has no member `a`
            test.c:3:28: error[unknown-name]: `struct s` has no member `b`
            test.c:3:33: error[incomplete-type]: `struct t` is incomplete and has no member `a`
            test.c:3:39: error[type-mismatch]: a value of type `int (*)()` has no member `a`
            test.c:3:44: error[type-mismatch]: only functions can be called
            test.c:3:49: error[type-mismatch]: the call has 1 instead of 0 arguments
            test.c:3:59: error[type-mismatch]: assignment: expected `struct s`, found `int`
            test.c:3:66: error[type-mismatch]: assignment: expected `int *`, found `double`
            test.c:3:73: error[type-mismatch]: assignment: expected `double`, found `int *`
            test.c:3:80: error[type-mismatch]: assignment: expected `int`, found `struct s`
            test.c:3:83: error[type-mismatch]: a value has no address
            test.c:3:87: error[type-mismatch]: only objects can be assigned to
            test.c:3:94: error[type-mismatch]: only objects can be assigned to
            test.c:3:102: error[type-mismatch]: the operator does not apply to `struct s`
            test.c:4:16: error[type-mismatch]: a value of type `struct s` is neither true nor false
            test.c:4:29: error[type-mismatch]: `switch` on a value of type `double`
            test.c:4:36: error[type-mismatch]: the operator does not apply to `int *` and `int`
            test.c:4:43: error[type-mismatch]: the operator does not apply to `int *` and `int *`
            test.c:4:50: error[type-mismatch]: the operator does not apply to `double`
            test.c:4:54: error[type-mismatch]: the operator does not apply to `double` and `int`
            test.c:4:61: error[type-mismatch]: the operator does not apply to `struct s` and `struct s`
            test.c:4:69: error[type-mismatch]: `int` cannot be converted to `struct s`
            test.c:4:82: error[type-mismatch]: `struct s` cannot be converted to `int`
            test.c:4:90: error[type-mismatch]: a value of type `int` has no elements
            test.c:4:96: error[incomplete-type]: the incomplete type `struct t` has no size
            test.c:5:27: warning[type-mismatch]: assignment: an integer becomes a pointer without a cast
            test.c:5:34: warning[type-mismatch]: assignment: a pointer becomes an integer without a cast
            test.c:5:37: warning[type-mismatch]: a comparison of a pointer with an integer
            test.c:5:51: error[type-mismatch]: return value: expected `int`, found `struct s`
        "#]],
    );
}

#[test]
fn types_of_declarations() {
    says(
        "struct t x; int a[-1]; int n; int b[n]; void v; int f(void)[3]; int g(void)(void); void h[3];",
        expect![[r#"
            test.c:1:19: error[declaration]: an array cannot have -1 elements
            test.c:1:37: error[constant]: the length of an array at file scope is not constant
            test.c:1:46: error[declaration]: `v` has the type `void`
            test.c:1:53: error[declaration]: a function cannot return an array or a function
            test.c:1:69: error[declaration]: a function cannot return an array or a function
            test.c:1:89: error[declaration]: an array of functions or of `void`
            test.c:1:10: error[incomplete-type]: `x` has the incomplete type `struct t`
        "#]],
    );
    says(
        "struct s { struct s inner; };",
        expect![[r#"
        test.c:1:21: error[incomplete-type]: a member has the incomplete type `struct s`
    "#]],
    );
    says(
        "_Static_assert(0, \"not good\"); int x = 08; int y = 1e; int z = 99999999999999999999999999999999999999999;",
        expect![[r#"
            test.c:1:1: error[static-assert]: static assertion failed: "not good"
            test.c:1:40: error[constant]: `08` is not a number
            test.c:1:52: error[constant]: `1e` is not a number
            test.c:1:64: error[constant]: no type can hold the number `99999999999999999999999999999999999999999`
        "#]],
    );
    says(
        "int x[2] = { 1, 2, 3, [5] = 1 }; int y = { 1, 2 }; int z[] = 3; struct { int a; } s = { .b = 1 }; char c = \"\\q\";",
        expect![[r#"
            test.c:1:20: warning[initializer]: more values than parts
            test.c:1:24: error[initializer]: `int[2]` has no element 5
            test.c:1:42: warning[initializer]: more than one value for a scalar
            test.c:1:56: error[initializer]: an array needs a list of values
            test.c:1:90: error[unknown-name]: `struct without a tag` has no member `b`
            test.c:1:108: warning[type-mismatch]: initialisation: a pointer becomes an integer without a cast
        "#]],
    );
    says(
        "int f(void); int x = f(); int *p = &x, y = *&x, z = (int)&x + 1;",
        expect![[r#"
        test.c:1:22: error[initializer]: the initial value of a static variable is not constant
    "#]],
    );
}

#[test]
fn old_programs_are_warned_about() {
    says(
        "f(x) { return g(x); } int main() { int *p = 3; return p; } static y;",
        expect![[r#"
        test.c:1:1: warning[implicit]: the type is missing and taken to be `int`
        test.c:1:60: warning[implicit]: the type is missing and taken to be `int`
        test.c:1:15: warning[implicit]: `g` is called without a declaration
        test.c:1:45: warning[type-mismatch]: initialisation: an integer becomes a pointer without a cast
        test.c:1:55: warning[type-mismatch]: return value: a pointer becomes an integer without a cast
    "#]],
    );
}

/// Messages about preprocessed text point to the original.
#[test]
fn line_markers() {
    let original = "#define ZERO 0\n#define ADD(a, b) ((a) + (b))\nint main() {\n  int x = ZERO;\n  return ADD(x, y) + z;\n}\n";
    let preprocessed = "# 1 \"m.c\"\n# 1 \"<built-in>\"\n# 1 \"m.c\"\n\n\nint main() {\n  int x = 0;\n  return ((x) + (y)) + z;\n}\n\
                        # 1 \"header.h\" 1\nint w = v;\n";
    let mut sources = SourceMap::new();
    let main = sources.add("m.c", original);
    let file = sources.add("m.c, preprocessed", preprocessed);
    let line_markers = LineMarkers::Follow(BTreeMap::from([("m.c".to_owned(), main)]));
    let mut diagnostics = Diagnostics::new();
    let options = SourceOptions { machine: DataModel::Lp64.into(), line_markers };
    assert!(thetis_c::check(&sources, file, &options, &mut diagnostics).is_err());
    expect![[r#"
        m.c, preprocessed:11:9: error[unknown-name]: `v` is not declared
        m.c:5:10: error[unknown-name]: `y` is not declared
    "#]]
    .assert_eq(&show::messages(&sources, &diagnostics));
}
