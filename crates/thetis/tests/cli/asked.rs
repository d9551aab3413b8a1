//! What verdict lines say was checked, and questions about single functions, arguments of `main` and functions without a body.

use std::process::Command;

use crate::{folder, thetis, write};

const ALL_KINDS: &str = "#include <assert.h>
#include <stdlib.h>
int input(void);
int main(void) {
  int n = input() & 7, a[8];
  a[n] = n / 2 << 1;
  int *p = malloc(sizeof *p);
  *p = a[n] + 1;
  assert(*p < 9);
  n = *p;
  free(p);
  return n;
}
";

/// For every property, the line of a proof counts what was checked and names what was not.
#[test]
fn verdict_lines_say_what_was_checked() {
    let folder = folder();
    let program = write(&folder, "p.c", ALL_KINDS);
    for (property, checked, not_checked) in [
        (
            "assertion",
            "safe: 1 assertion",
            "overflow, division by zero, shifts, memory safety, initial values",
        ),
        ("no-overflow", "safe: 3 signed operations", "assertions, division by zero"),
        ("no-division-by-zero", "safe: 1 division", "assertions, overflow, shifts"),
        ("valid-shift", "safe: 1 shift", "assertions, overflow, division by zero, memory safety"),
        ("valid-memory", "safe: 5 accesses, 1 free, lost blocks", "assertions, overflow, division by zero"),
        ("valid-free", "safe: 1 free", "assertions, overflow"),
    ] {
        let outcome = thetis(&["check", &program, "--property", property, "-q"]);
        let expected = format!("{checked}; not checked: {not_checked}");
        assert!(outcome.out.starts_with(&expected), "{property}: {}{}", outcome.out, outcome.err);
    }
    let outcome = thetis(&["check", &program, "--property", "all", "-q"]);
    assert!(
        outcome.out.contains("\nvalid-memory: holds (5 accesses, 1 free, lost blocks)\n"),
        "{}",
        outcome.out
    );
    let wrong = write(&folder, "w.c", ALL_KINDS.replace("< 9", "< 7"));
    let outcome = thetis(&["check", &wrong, "-q"]);
    assert_eq!(outcome.out, format!("unsafe: {wrong}:9:3: `assert(*p < 7)` fails: p = block 1\n"));
}

#[test]
fn programs_without_main_get_a_hint() {
    let folder = folder();
    let library = write(&folder, "l.c", "int twice(int x) { return 2 * x; }\n");
    let outcome = thetis(&["check", &library]);
    assert_eq!(outcome.code, 2, "{}", outcome.out);
    assert!(outcome.err.contains("`--function NAME` checks one function by itself"), "{}", outcome.err);
    let outcome = thetis(&["check", &library, "--function", "twice", "--property", "valid-memory"]);
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert!(outcome.err.contains("ask a function for `valid-bounds` and `valid-free`"), "{}", outcome.err);
}

const NESTED: &str = "struct box { int *d; }; struct node { int v; struct node *next; };
int second(struct box *b) { return *b->d; }
int careful(const struct box *b) { return b->d ? *b->d : 0; }
int word(char **words) { return words[0] ? words[0][0] : 0; }
int deep(struct node *l) {
    if (!l || !l->next || !l->next->next || !l->next->next->next) return 0;
    return l->next->next->next->next->v;
}
";

/// Pointers inside a function's arguments are null or point to further objects; nothing is known about deeper ones.
#[test]
fn functions_get_objects_inside_of_objects() {
    let folder = folder();
    let library = write(&folder, "l.c", NESTED);
    for (function, expected) in [
        ("careful", "safe under: separate pointers; "),
        ("word", "safe under: separate pointers; "),
        ("second", "unsafe: "),
        ("deep", "unknown ("),
    ] {
        let outcome = thetis(&["check", &library, "--function", function, "--property", "valid-bounds"]);
        assert!(outcome.out.starts_with(expected), "{function}: {}{}", outcome.out, outcome.err);
    }
}

const STATE: &str =
    "#include <assert.h>\n#include <errno.h>\n#include <stdio.h>\n#include <string.h>\n#include <ctype.h>
void error(void) { assert(errno == 0); }
void rest(void) { assert(strtok(0, \" \") == 0); }
void end(FILE *in) { assert(!feof(in)); }
void letter(void) { assert(!isalpha(0xE9)); }
void device(volatile unsigned *status) { unsigned a = *status; assert(a == *status); }
struct uart { volatile unsigned status; unsigned sent; };
void member(struct uart *u) { while (!(u->status & 1)) {} assert(u->status & 1); }
void plain(struct uart *u) { u->sent = 1; assert(u->sent == 1); }
union packet { unsigned char raw[4]; unsigned word; struct { unsigned short type, length; } head; };
void parse(union packet *p) { assert(p->head.length != 7); }
void same(union packet p) { assert(p.raw[0] == (p.word & 255)); }
union mixed { int *p; long n; };
void mixed(union mixed m) { assert(m.n == 0); }
";

/// Earlier calls have changed what the library keeps, and devices change at any time.
#[test]
fn functions_start_in_any_state() {
    let folder = folder();
    let library = write(&folder, "l.c", STATE);
    for (function, expected) in [
        ("error", "unsafe: "),
        ("rest", "un"),
        ("end", "un"),
        ("letter", "safe: "),
        ("device", "unsafe: "),
        ("member", "unsafe: "),
        ("plain", "safe under: separate pointers; "),
        ("parse", "unsafe: "),
        ("same", "safe: "),
    ] {
        let outcome = thetis(&["check", &library, "--function", function]);
        assert!(outcome.out.starts_with(expected), "{function}: {}{}", outcome.out, outcome.err);
    }
    let outcome = thetis(&["check", &library, "--function", "mixed"]);
    assert!(outcome.err.contains("an argument with a union is only supported if"), "{}", outcome.err);
}

/// Strings of arbitrary length, as many as `argc` says, and a null pointer.
#[test]
fn arguments_of_main_have_bounds() {
    let folder = folder();
    for (body, expected) in [
        ("return argc > 1 && argv[1][0] == '-' ? argv[1][1] : 0;", "safe: "),
        ("return argv[argc] == 0 ? argv[0][0] : *(char *)0;", "safe: "),
        ("char *s = argc > 2 ? argv[2] : \"\"; return s[0] ? s[1] : 0;", "safe: "),
        ("return argv[1][0];", "unsafe: "),
        ("return argc > 1 ? argv[1][1] : 0;", "unsafe: "),
        ("return argc > 1 ? argv[argc][0] : 0;", "unsafe: "),
        ("if (argc > 1 && argv[1][0] == 'x') free(argv[1]); return 0;", "unsafe: "),
        ("char b[4]; if (argc == 2) strcpy(b, argv[1]); return 0;", "unsafe: "),
        // What the fifth argument is, is not known.
        ("return argc > 5 ? argv[5][0] : 0;", "unknown "),
    ] {
        let text = format!(
            "#include <stdlib.h>\n#include <string.h>\nint main(int argc, char **argv) {{ {body} }}\n"
        );
        let program = write(&folder, "p.c", text);
        let outcome = thetis(&["check", &program, "--property", "valid-memsafety", "--time", "60s"]);
        assert!(outcome.out.starts_with(expected), "{body}: {}{}", outcome.out, outcome.err);
        assert!(!outcome.err.contains("__thetis"), "{}", outcome.err);
        if expected == "safe: " {
            assert!(outcome.err.contains("[program-name]"), "{}", outcome.err);
        }
    }
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: no C compiler");
        return;
    }
    let text = "#include <string.h>\nint main(int argc, char **argv) { char b[4]; if (argc == 3) strcpy(b, argv[2]); return 0; }\n";
    let program = write(&folder, "p.c", text);
    let outcome = thetis(&["check", &program, "--property", "valid-deref", "--confirm"]);
    assert!(outcome.err.contains("`main` starts: argc = 3, argv[1] = "), "{}", outcome.err);
    assert!(outcome.err.contains("The violation is confirmed by execution."), "{}", outcome.err);
}

/// External functions with pointer parameters are common in embedded programs.
#[test]
fn careful_functions_stay_inside_of_what_they_get() {
    let folder = folder();
    let text = "struct frame { unsigned char data[8]; int length; };
void bus_read(struct frame *f); int bus_write(const unsigned char *data, int length);
int main(void) {
  struct frame f = { { 0 }, 0 };
  bus_read(&f);
  if (f.length < 0 || f.length > LIMIT) return 1;
  int sum = 0;
  for (int i = 0; i < f.length; i++) sum += f.data[i];
  return bus_write(f.data, f.length) + (sum > 5);
}
";
    let right = write(&folder, "right.c", text.replace("LIMIT", "8"));
    let check = |file: &str, externals: &str| {
        thetis(&["check", file, "--property", "valid-bounds", "--externals", externals, "--time", "60s"])
    };
    let outcome = check(&right, "sound");
    assert_eq!(outcome.code, 5, "{}", outcome.out);
    assert!(outcome.err.contains("`--externals careful` that it frees nothing"), "{}", outcome.err);
    let outcome = check(&right, "careful");
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    assert!(outcome.err.contains("it frees nothing [externals]"), "{}", outcome.err);
    let wrong = write(&folder, "wrong.c", text.replace("LIMIT", "9"));
    assert_eq!(check(&wrong, "careful").code, 10);
    // It may put a pointer there.
    let text = "struct box { int *p; }; void fill(struct box *b); int main(void) { struct box b = { 0 }; fill(&b); return *b.p; }";
    let outcome = check(&write(&folder, "pointers.c", text), "careful");
    assert!(outcome.out.contains("`fill`, which is not defined, may write pointers"), "{}", outcome.out);
}

/// Where memory with pointers is accessed as bytes, any integer may be a part of a pointer. That is no reason for a violation.
#[test]
fn integers_hand_nothing_out() {
    let folder = folder();
    let text = "#include <stdlib.h>\n#include <string.h>\nextern unsigned char measure(int channel); extern void assert(int);
struct node { char name[4]; short history[4]; int head; struct node *next; };
int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 2; i++) {
    struct node *node = malloc(sizeof *node);
    strcpy(node->name, \"x\");
    node->head = 0;
    node->next = list;
    list = node;
  }
  for (struct node *node = list; node; node = node->next) {
    int value = measure(1);
    assert(node->head == 0);
    node->history[1] = value;
  }
}
";
    let check = |text: &str| thetis(&["check", &write(&folder, "p.c", text), "--engine", "simulate"]);
    let outcome = check(text);
    assert_eq!(outcome.code, 5, "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.contains("what functions without a body may write"), "{}", outcome.out);
    // A pointer hands something out.
    let text =
        text.replace("measure(int channel)", "measure(struct node *)").replace("measure(1)", "measure(node)");
    let outcome = check(&text);
    assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
}
