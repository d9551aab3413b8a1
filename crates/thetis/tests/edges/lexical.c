// Below the grammar: line ends, splices, comments, trigraphs, numbers, and how files are preprocessed.

//== crlf-plain: safe crlf
int main(void) {
  int x = 1; // one
  x++;
  check(x == 2);
}
//== crlf-spliced-comment: safe? crlf
int main(void) {
  int x = 1; // the comment goes on \
  x = 5;
  check(x == 1);
}
//== crlf-spliced-comment-wrong: unsafe? crlf
int main(void) {
  int x = 1; // the comment goes on \
  x = 5;
  check(x == 5);
}
//== crlf-spliced-string: safe? crlf
int main(void) {
  char *s = "ab\
cd";
  check(s[2] == 'c' && s[4] == 0);
}
//== crlf-directive: safe? crlf
#define TWO \
  2
int main(void) {
  check(TWO == 2);
}
//== spliced-comment: safe
int main(void) {
  int x = 1; // the comment goes on \
  x = 5;
  check(x == 1);
}
//== splice-with-a-space-after: safe?
int main(void) {
  int x = 1; // gcc ignores the space after the backslash \ 
  x = 5;
  check(x == 1);
}
//== spliced-identifier: safe?
int main(void) { int abc = 4; check(ab\
c == 4); }
//== comment-in-a-string: safe
int main(void) { char *s = "/* no // comment */"; check(s[0] == '/' && s[3] == 'n'); }
//== division-and-comment: safe
int main(void) { int a = 8, b = 2; int *p = &b; check(a/ *p == 4); }
//== nested-comment-starts: safe
int main(void) { int x = 1; /* /* not nested */ x = 2; check(x == 2); }
//== adjacent-strings: safe
int main(void) { char s[] = "ab" "cd"; check(sizeof s == 5 && s[2] == 'c'); }
//== hex-escape-ends-with-the-literal: safe
int main(void) { char s[] = "\x41" "1"; check(s[0] == 'A' && s[1] == '1' && sizeof s == 3); }
//== octal-escape-of-three-digits: safe
int main(void) { char s[] = "\1012"; check(s[0] == 'A' && s[1] == '2'); }
//== string-with-a-zero-inside: safe
int main(void) { char s[] = "a\0b"; check(sizeof s == 4 && s[2] == 'b'); }
//== character-constant-is-int: safe
int main(void) { check(sizeof 'a' == 4 && '\xff' == -1 && '\377' < 0); }
//== multi-character-constant: safe?
int main(void) { check('ab' == 'a' * 256 + 'b'); }
//== integer-suffixes: safe
int main(void) { check(sizeof 1ull == 8 && 1u - 2 > 0 && -1 < 0l && 0777 == 511 && 0b101 == 5); }
//== hexadecimal-constant-is-unsigned: safe
int main(void) { check(0xffffffff > 0 && sizeof 0xffffffff == 4 && -1 > 0xfffffff0u); }
//== hexadecimal-float: safe
int main(void) { check(0x1.8p1 == 3.0 && 1e2 == 100.0 && .5f == 0.5); }
//== float-constant-rounding: safe
int main(void) { check(0.1f != 0.1 && (float)0.1 == 0.1f && 16777217.0f == 16777216.0f); }
//== maximal-munch: safe
int main(void) { int a = 1, b = 2; int c = a+++b; check(c == 3 && a == 2); }
//== digraphs: safe?
int main(void) <% int a<:2:> = <% 1, 2 %>; check(a<:1:> == 2); %>
//== dollar-in-names: safe?
int main(void) { int a$b = 3; check(a$b == 3); }
//== unicode-names: safe?
int main(void) { int \u00e9t = 3; check(\u00e9t == 3); }
//== typedef-name-as-member-and-label: safe
typedef int T; struct s { T T; };
int main(void) { struct s v = { 4 }; goto T; T: check(v.T == 4); }
//== typedef-shadowed-by-a-variable: safe
typedef int T;
int main(void) { T x = 2; { int T = 3; x = x * T; } check(x == 6); }
//== sizeof-of-a-cast-like-expression: safe
int main(void) { int x = 3; check(sizeof (x) + 1 == 5 && sizeof(int) * 2 == 8); }
//== cast-binds-tighter-than-division: safe
int main(void) { int a = 7, b = 2; check((double)a / b == 3.5); }
//== conditional-macro-of-an-unknown-name: safe?
#if UNKNOWN_NAME || !defined(__GNUC__)
#error not here
#endif
int main(void) { check(1); }
//== macro-arguments-and-pasting: safe?
#define JOIN(a, b) a##b
#define TEXT(a) #a
int main(void) { int xy = 5; check(JOIN(x, y) == 5 && TEXT(a b)[1] == ' '); }
//== variadic-macro: safe?
#define LAST(a, ...) (__VA_ARGS__)
int main(void) { check(LAST(1, 2) == 2); }
//== include-of-limits: safe?
#include <limits.h>
int main(void) { check(INT_MAX == 2147483647 && CHAR_MIN == -128 && LONG_MAX > INT_MAX); }
//== stdint-types: safe?
#include <stdint.h>
int main(void) { uint8_t a = 255; a++; int_least16_t b = INT16_MAX; check(a == 0 && b == 32767 && sizeof(uintptr_t) == 8); }
//== assert-of-the-header: unsafe? assertion
#include <assert.h>
int main(void) { int x = 1; assert(x == 2); }
//== assert-is-removed-by-ndebug: safe? assertion
#define NDEBUG
#include <assert.h>
int main(void) { int x = 1; assert(x++ == 2); check(x == 1); }
//== assert-holds: safe? assertion
#include <assert.h>
int main(void) { int x = 1; assert(x == 1); }
//== stdbool-and-offsetof: safe?
#include <stdbool.h>
#include <stddef.h>
struct s { char c; bool b; int i; };
int main(void) { bool b = 5; check(b == true && offsetof(struct s, i) == 4); }
//== form-feed-and-tab: safe
int main(void) { int	x = 1;  check(x == 1); }
//== old-style-definition: safe
int add(a, b) int a; short b; { return a + b; }
int main(void) { check(add(1, 2) == 3); }
//== old-style-narrow-parameter: safe?
int low(c) unsigned char c; { return c; }
int main(void) { check(low(0x141) == 0x41); }
//== old-style-float-parameter: safe?
int half(f) float f; { return f == 0.5f; }
int main(void) { check(half(0.5)); }
//== implicit-function-declaration: safe?
int main(void) { check(later(4) == 5); }
int later(int x) { return x + 1; }
//== digraphs: both
int main(void) <% int a<:2:> = { 1, 2 }; finally(a<:1:> == 2 && a[0] == 1); %>
//== name-of-the-file: safe
int main(void) { const char *name = __FILE__; check(name[0] != '<'); return 0; }
//== name-of-the-file-fails: unsafe
int main(void) { const char *name = __FILE__; check(name[0] == '<'); return 0; }
//== name-of-the-first-file: safe
int main(void) { const char *name = __BASE_FILE__; check(name[0] != '<' && name[0] != 0); return 0; }
