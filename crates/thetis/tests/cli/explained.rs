//! Violations and invariants in terms that users understand who know only their program.

use crate::{folder, thetis, write};

fn has_compiler() -> bool {
    std::process::Command::new("cc").arg("--version").output().is_ok()
}

/// Each program with options, and the expected parts of standard error.
#[test]
fn violations_are_explained_in_the_words_of_the_program() {
    if !has_compiler() {
        println!("skipped: no C compiler");
        return;
    }
    let folder = folder();
    for (number, (text, options, words)) in CASES.iter().enumerate() {
        let name = format!("p{number}.c");
        let outcome = thetis(&[&["check", &write(&folder, &name, text)], *options].concat());
        assert_eq!(outcome.code, 10, "{text}: {}", outcome.err);
        for words in *words {
            assert!(outcome.err.contains(words), "{words}: {}", outcome.err);
        }
        for internal in ["__thetis", "<library>", "block 0", "#"] {
            assert!(!outcome.err.contains(internal), "{internal}: {}", outcome.err);
        }
    }
}

type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

const CASES: [Case; 20] = [
    // What a function of the library writes is shown at its call; the bracket of a declaration is not lost.
    (
        "#include <string.h>\nint main(int argc, char **argv) {\n  char b[4]; const char *s = \"x\"; if (argc > 1) s = argv[1];\n  strcpy(b, \"abc\");\n  strcat(b, \"de\"); return s == b;\n}\n",
        &["--property", "valid-memory", "--full"],
        &[
            "3:3: `char b[4]` is without an initial value: b[0] = ",
            "4:3: calls `strcpy`: b[0] = 97 'a', b[1] = 98 'b', b[2] = 99 'c', b[3] = 0\n",
            "5:3: calls `strcat`: b[3] = 100 'd'\n",
            "5:3: `strcat(b, \"de\")` violates valid-memory (valid-deref): element 4 is after the end of `b`, which has 4 elements\n",
        ],
    ),
    // The first byte that is outside, not the first that is written.
    (
        "#include <string.h>\nchar b[4];\nint main(void) { memset(b, 0, 5); return 0; }\n",
        &["--property", "valid-memory"],
        &["violates valid-memory (valid-deref): byte 4 is after the end of `b`, which has 4 bytes\n"],
    ),
    // A list or a string is an initial value, also if it has fewer parts than the object.
    (
        "extern void assert(int);\nstruct p { int x, y; };\nint main(void) {\n  int a[3] = { 1, 2 };\n  struct p p = { .y = 5 };\n  char s[4] = \"ab\";\n  __auto_type t = 6;\n  assert(a[1] + p.y + s[1] + t == 0);\n}\n",
        &["--full"],
        &[
            "4:3: `int a[3] = { 1, 2 }`: ",
            "5:3: `struct p p = { .y = 5 }`: ",
            "6:3: `char s[4] = \"ab\"`: ",
            "7:3: `__auto_type t = 6`: t = 6\n",
        ],
    ),
    // An index that leaves its array inside of a structure.
    (
        "struct m { unsigned char n, data[8], crc; };\nstatic struct m rx;\nint input(void);\nint main(void) { int i = input(); if (i != 9) return 0; rx.data[i] = 1; return 0; }\n",
        &["--property", "valid-bounds"],
        &[
            "`rx.data[i]` violates valid-bounds (valid-deref): index 9 is outside of `rx.data`, which has 8 elements\n",
        ],
    ),
    (
        "struct m { int n, data[4], crc; };\nint f(struct m *p, int i) { return p->data[i]; }\nint main(void) { struct m m = {0}; return f(&m, 4); }\n",
        &["--property", "valid-memory"],
        &[
            "`p->data[i]` violates valid-memory (valid-bounds): index 4 is outside of `p->data`, which has 4 elements\n",
        ],
    ),
    // A structure has bytes, not elements.
    (
        "struct m { int n, data[4]; };\nint get(struct m *p) { return p->data[(p->n + 2) % 4 - 7]; }\nint main(void) { struct m m = { 1 }; return get(&m); }\n",
        &["--property", "valid-deref"],
        &[
            "`p->data[(p->n + 2) % 4 - 7]` violates valid-deref: byte -12 is before the start of `m`, which has 20 bytes\n",
        ],
    ),
    // The index that is used, not what it is counted up to.
    (
        "struct m { unsigned n; unsigned char data[4]; unsigned char crc; };\nstatic struct m rx;\nint input(void);\nint put(struct m *p, int b) { if (p->n > 4) return 1; p->data[p->n++] = b; return 0; }\nint main(void) { rx.n = input() & 7; return put(&rx, 1); }\n",
        &["--property", "valid-bounds"],
        &["`p->data[p->n++]` violates valid-bounds: index 4 is outside of `p->data`, which has 4 elements\n"],
    ),
    // Inputs are as plain as the run allows, and numbers that library functions return are shown.
    (
        "#include <assert.h>\n#include <string.h>\nint main(int argc, char **argv) {\n  if (argc < 2) return 0;\n  assert(strlen(argv[1]) < 2);\n}\n",
        &[],
        &[
            "`main` starts: argc = 2, argv[1] = \"",
            "5:3: calls `strlen`: result = 2\n",
            "5:3: `assert(strlen(argv[1]) < 2)` fails",
        ],
    ),
    (
        "#include <assert.h>\nint input(void);\nint main(void) {\n  if (input()) assert(input() < 3000);\n}\n",
        &[],
        &["4:7: `input` returns 1\n", "`input` returns 3000\n"],
    ),
    // Conditions in macros need not be what their arguments say, and strings that macros make have texts.
    (
        "extern int input(void);\nvoid reach_error(void) {}\nstatic void fail(const char *what, const char *file) { if (what != file) reach_error(); }\n#define CHECK(x) do { if (!(x)) fail(#x, __FILE__); } while (0)\nint main(void) {\n  int n = input();\n  CHECK(n < 7);\n  return 0;\n}\n",
        &[],
        &["7:3: a condition in `CHECK(n < 7)` is true\n", "7:3: calls `fail`: what = \"n < 7\", file = \""],
    ),
    // Names mean the innermost variables, also if the function had others before.
    (
        "#include <assert.h>\nstatic int k = 5;\nint main(void) {\n  int a[2];\n  for (int i = 0; i < 2; i++) a[i] = 7 - i;\n  { int k = 9; a[0] += k; }\n  for (int i = 0; i < 1; i++) assert(a[i] <= k);\n}\n",
        &[],
        &["7:31: `assert(a[i] <= k)` fails: a[i] = 16, i = 0, k = 5\n"],
    ),
    (
        "#include <assert.h>\nint main(void) {\n  int n = 1;\n  do { int n = 3; assert(n == 3); } while (0);\n  if (n) { int n = 4; assert(n == 4); } else { int n = 6; assert(n); }\n  assert(n == 2);\n}\n",
        &[],
        &["6:3: `assert(n == 2)` fails: n = 1\n"],
    ),
    // Inputs first: arguments and what is read.
    (
        "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\nint main(int count, char **words) {\n  int n;\n  if (count == 2 && strcmp(words[1], \"-x\") == 0 && scanf(\"%d\", &n) == 1)\n    assert(n != 42);\n}\n",
        &[],
        &[
            "4:5: `main` starts: count = 2, words[1] = \"-x\", standard input = \"42",
            "calls `scanf`: n = 42\n",
            "7:5: `assert(n != 42)` fails: n = 42\n",
        ],
    ),
    // Streams have no addresses that mean anything.
    (
        "#include <assert.h>\n#include <stdio.h>\nint main(void) {\n  FILE *f = fopen(\"a\", \"r\");\n  if (!f) return 1;\n  assert(fgetc(f) != 'h');\n  return 0;\n}\n",
        &[],
        &["3:5: `main` starts: the file = \"h", "`FILE *f = fopen(\"a\", \"r\")`: f = a stream\n"],
    ),
    // What a library function reads is shown even if it was there before, and blocks are counted from the first one.
    (
        "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  int a = 0, *p = malloc(sizeof *p);\n  if (scanf(\"%d\", p) != 1) return 1;\n  if (scanf(\"%d\", &a) != 1) return 1;\n  return 5 / *p / a;\n}\n",
        &["--property", "no-division-by-zero", "--full"],
        &["`p = malloc(sizeof *p)`: p = block 1\n", "6:7: calls `scanf`: a = 0\n", "divides by zero"],
    ),
    // Text that is too long for its buffer is shown although the call does not end.
    (
        "#include <stdio.h>\nint main(void) {\n  char word[3];\n  if (scanf(\"%s\", word) == 1) puts(word);\n  return 0;\n}\n",
        &["--property", "valid-memory"],
        &[
            "2:5: `main` starts: standard input = \"",
            "4:7: `scanf(\"%s\", word)` violates valid-memory (valid-deref): element 3 is after the end of `word`, which has 3 elements\n",
        ],
    ),
    // What a library function reads has no name.
    (
        "#include <string.h>\nint main(void) {\n  char word[3];\n  return (int) strlen(word);\n}\n",
        &["--property", "valid-init"],
        &["4:10: `(int) strlen(word)` reads something that has no value yet\n"],
    ),
    // Rounds of a loop that take the same course are folded.
    (
        "#include <assert.h>\nint main(void) {\n  int sum = 0;\n  for (int i = 0; i < 20; i++) sum += 3;\n  assert(sum != 60);\n}\n",
        &[],
        &[
            "`i < 20` is true\n  ",
            "4:32: `sum += 3`: sum = 3\n",
            "  ... 18 more rounds like this (--full shows them) ...\n",
            "4:32: `sum += 3`: sum = 60\n",
        ],
    ),
    (
        "#include <assert.h>\nint main(void) {\n  int sum = 0;\n  for (int i = 0; i < 20; i++) sum += 3;\n  assert(sum != 60);\n}\n",
        &["--full"],
        &["`sum += 3`: sum = 30\n", "`sum += 3`: sum = 33\n"],
    ),
    // The arguments of a function by itself.
    (
        "int twice(int x) { return x * 2; }\n",
        &["--function", "twice", "--property", "no-overflow"],
        &["1:15: the argument `x`: x = ", "`x * 2` overflows: x = "],
    ),
];

/// Rules about memory have common names; the one that was asked is what users look for.
#[test]
fn a_violation_names_the_property_that_was_asked() {
    let folder = folder();
    let program = write(&folder, "p.c", "int main(void) { int a[2], i = 5; a[i] = 3; return 0; }\n");
    let page = folder.path().join("p.html").display().to_string();
    for property in ["valid-deref", "valid-bounds", "valid-memory", "valid-memsafety"] {
        let rule = if property == "valid-deref" { "" } else { " (valid-deref)" };
        let sentence = format!(" violates {property}{rule}: element 5 is after the end of ");
        for format in ["text", "json", "sarif", "junit"] {
            let asked = ["--property", property, "--format", format, "--report", &page];
            let outcome = thetis(&[&["check", &program], &asked[..]].concat());
            assert_eq!(outcome.code, 10, "{}", outcome.err);
            let page = std::fs::read_to_string(&page).unwrap();
            for text in [&outcome.out, &page] {
                assert!(text.contains(&sentence), "{sentence} as {format}: {text}");
            }
        }
        let all = thetis(&["check", &program, "--property", property, "--property", "no-overflow"]);
        assert!(all.out.contains(&sentence), "{sentence}: {}", all.out);
    }
}

/// What is written through pointers is in the report and on the page, too.
#[test]
fn writes_through_pointers_are_shown_everywhere() {
    let folder = folder();
    let text = "extern void assert(int);\nstruct list { int n, items[4]; };
static void put(struct list *p, int item) { p->items[p->n] = item; p->n = p->n + 1; }
int main(void) {
  struct list list;
  struct list *p = &list;
  p->n = 2;
  put(p, 7);
  assert(p->n != 3 || p->items[2] != 7);
}
";
    let program = write(&folder, "p.c", text);
    let page = folder.path().join("p.html").display().to_string();
    let outcome = thetis(&["check", &program, "--format", "json", "--report", &page]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    let report: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    let page = std::fs::read_to_string(&page).unwrap();
    for (line, name, value) in [(7, "list.n", "2"), (3, "list.items[2]", "7"), (3, "list.n", "3")] {
        let mut steps = report["steps"].as_array().unwrap().iter();
        let is_here = |step: &serde_json::Value| step["line"] == line && step["values"][name] == value;
        assert!(steps.any(is_here), "{name} = {value}: {}{}", outcome.out, outcome.err);
        assert!(page.contains(&format!("{name} = {value}")), "{name} = {value}");
    }
    for wrong in ["Integers and rationals are unbounded", "not support are refused", "step 1. step"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
}

const COUNTER: &str = "extern void assert(int);\nextern int input(void);
struct counter { int step, count; };
static struct counter counter;
static void up(struct counter *c) { if (c->count < 4) c->count = c->count + 1; }
static void down(struct counter *c) { if (c->count > 0) c->count = c->count - 1; }
int main(void) {
  for (;;) {
    if (input()) up(&counter);
    else down(&counter);
    assert(counter.count >= 0 && counter.count <= 4);
  }
}
";

/// Invariants about structures that are reached by pointers are C expressions, in witnesses and on pages.
#[test]
fn invariants_name_parts_of_structures() {
    let folder = folder();
    let program = write(&folder, "p.c", COUNTER);
    let [witness, page] = ["w.yml", "p.html"].map(|name| folder.path().join(name).display().to_string());
    let outcome = thetis(&["check", &program, "--witness", &witness, "--report", &page]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    let text = std::fs::read_to_string(&witness).unwrap();
    assert!(text.contains("loop_invariant") && text.contains("counter.count"), "{text}");
    assert_eq!(thetis(&["certify", &program, &witness]).out, "confirmed (safe)\n");
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(
        page.contains("loop invariant: ") && !page.contains("L1: "),
        "invariants are those of the witness"
    );
}
