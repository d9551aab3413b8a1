//! Memory safety of C programs on the command line.

use std::process::Command;

use crate::{folder, thetis, write};

const PRELUDE: &str = "typedef unsigned long size_t;
void *malloc(size_t); void free(void *); char *strcpy(char *, const char *); int input(void);
";

/// Programs over all inputs, with the rule that they violate, if any.
const PROGRAMS: [(&str, &str); 12] = [
    ("", "int main(void) { int a[8], i = input(); if (i >= 0 && i < 8) a[i] = 1; return 0; }"),
    ("valid-deref", "int main(void) { int a[8], i = input(); if (i >= 0 && i <= 8) a[i] = 1; return 0; }"),
    (
        "",
        "void f(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; } int main(void) { int a[3]; f(a, 3); return 0; }",
    ),
    (
        "valid-deref",
        "void f(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; } int main(void) { int a[3]; f(a, input()); return 0; }",
    ),
    ("", "int main(void) { int x, *p = 0; if (input()) p = &x; if (p) *p = 1; return 0; }"),
    ("valid-deref", "int main(void) { int *p; *p = 1; return 0; }"),
    (
        "",
        "int main(void) { int n = input(); if (n < 1) return 0; char *p = malloc(n); p[n - 1] = 1; free(p); return 0; }",
    ),
    (
        "valid-deref",
        "int main(void) { int n = input(); if (n < 0) return 0; char *p = malloc(n); p[0] = 1; free(p); return 0; }",
    ),
    (
        "valid-free",
        "int main(void) { int *p = malloc(4); if (input()) free(p); if (!input()) free(p); else p = 0; return 0; }",
    ),
    ("", "int main(void) { while (input()) { int *p = malloc(4); *p = 1; free(p); } return 0; }"),
    ("valid-memtrack", "int main(void) { while (1) { int *p = malloc(4); *p = 1; if (input()) free(p); } }"),
    (
        "valid-memtrack",
        "int main(void) { int *p = malloc(4); if (input() > 5) p = malloc(8); free(p); return 0; }",
    ),
];

#[test]
fn engines_agree_about_memory_safety() {
    let folder = folder();
    for (number, (rule, text)) in PROGRAMS.iter().enumerate() {
        let file = write(&folder, &format!("p{number}.c"), format!("{PRELUDE}{text}"));
        for engine in ["bmc", "auto"] {
            // Loops without a bound have no bounded proof.
            if engine == "bmc" && rule.is_empty() && text.contains("while") {
                continue;
            }
            let outcome = thetis(&[
                "check",
                &file,
                "--property",
                "valid-memsafety",
                "--engine",
                engine,
                "--time",
                "60s",
            ]);
            match rule.is_empty() {
                true => assert_eq!(outcome.word(), "safe", "{engine} on {text}: {}", outcome.err),
                false => {
                    assert_eq!(outcome.word(), "unsafe", "{engine} on {text}: {}", outcome.err);
                    assert!(
                        outcome.err.contains(&format!("violates valid-memsafety ({rule})")),
                        "{}",
                        outcome.err
                    );
                }
            }
        }
    }
}

/// What is wrong, in words.
#[test]
fn violations_are_explained() {
    let folder = folder();
    for (number, (text, words)) in [
        ("int main(void) { int a[4], i = 4; a[i] = 1; return 0; }", "element 4 is after the end of `a`, which has 4"),
        ("int main(void) { int a[4], *p = a; p--; *p = 1; return 0; }", "element -1 is before the start of `a`, which has 4"),
        ("int main(void) { int *p = 0; return *p; }", "the pointer is null"),
        ("int main(void) { int *p;\n{ int x = 1; p = &x; }\nreturn *p; }", "`x` is no longer live"),
        ("int main(void) { int *p = malloc(12);\np[3] = 1; return 0; }", "element 3 is after the end of the block allocated in line 3, which has 3"),
        ("int main(void) { int *p = malloc(12);\nfree(p);\n*p = 1; return 0; }", "the block was freed in line 4"),
        ("int main(void) { int *p = malloc(12);\nfree(p);\nfree(p); return 0; }", "the block was already freed in line 4"),
        ("int main(void) { int *p = malloc(12); free(p + 1); return 0; }", "the pointer points 4 bytes after the start of the block"),
        ("int x; int main(void) { int *p = &x; free(p); return 0; }", "`x` was not allocated"),
        ("int main(void) {\nint *p = malloc(12); return 0; }", "the block allocated in line 4 is lost"),
        ("int main(void) { char a[3];\nstrcpy(a, \"abc\"); return 0; }", "p10.c:4:1: `strcpy(a, \"abc\")` violates valid-memsafety (valid-deref): element 3 is after the end of `a`, which has 3"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = write(&folder, &format!("p{number}.c"), format!("{PRELUDE}{text}"));
        let outcome = thetis(&["check", &file, "--property", "valid-memsafety", "--engine", "bmc"]);
        assert_eq!(outcome.code, 10, "{text}: {}", outcome.err);
        assert!(outcome.err.contains(words), "{text}: {}", outcome.err);
    }
}

#[test]
fn blocks_that_are_left_are_told() {
    let folder = folder();
    let text = format!(
        "{PRELUDE}static int *p; int main(void) {{ p = malloc(4); if (input()) free(p); return 0; }}"
    );
    let file = write(&folder, "left.c", &text);
    assert_eq!(thetis(&["check", &file, "--property", "valid-memsafety"]).code, 0);
    let outcome = thetis(&["check", &file, "--property", "valid-memcleanup"]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    assert!(
        outcome.err.contains("violates valid-memcleanup: the block allocated in line 3 is not freed"),
        "{}",
        outcome.err
    );
}

#[test]
fn witnesses_and_harnesses_show_accesses() {
    let folder = folder();
    let text = format!(
        "{PRELUDE}int main(void) {{ int i = input();\n  int a[4]; a[2] = 1;\n  if (i > 2 && i < 6) return a[i];\n  return 0; }}\n"
    );
    let file = write(&folder, "access.c", &text);
    let (witness, harness) =
        (folder.path().join("w.yml").display().to_string(), folder.path().join("h.c").display().to_string());
    let property = write(
        &folder,
        "valid-memsafety.prp",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n",
    );
    let outcome =
        thetis(&["check", &file, "--property", &property, "--witness", &witness, "--harness", &harness]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    let written = std::fs::read_to_string(&witness).unwrap();
    assert!(written.contains("line: 5"), "the target is the statement of the access: {written}");
    let outcome = thetis(&["certify", &file, &witness]);
    assert_eq!(outcome.out, "confirmed (unsafe)\n", "{}", outcome.err);
    let binary = folder.path().join("access");
    let mut compiler = Command::new("gcc");
    compiler.args(["-w", "-fsanitize=address", "-o"]).arg(&binary).arg(&file).arg(&harness);
    match compiler.output() {
        Ok(output) if output.status.success() => {
            let output = Command::new(&binary).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(10), "{said}");
            assert!(said.contains("the violation is reached"), "{said}");
        }
        _ => println!("skipped: there is no gcc with an address sanitizer"),
    }
}

/// The rules of the competition are about whole objects; developers want to know about arrays inside them.
#[test]
fn an_index_that_leaves_an_array_inside_a_structure_is_found() {
    let folder = folder();
    let text = |last: u32| {
        format!(
            "struct ring {{ int items[4]; int n; }};
void put(struct ring *r, int x) {{ r->items[r->n] = x; r->n = r->n + 1; }}
int main(void) {{ struct ring r = {{0}}; for (int i = 0; i < {last}; i++) put(&r, i); return 0; }}\n"
        )
    };
    let wrong = write(&folder, "wrong.c", text(5));
    for property in ["valid-bounds", "valid-memory"] {
        let outcome = thetis(&["check", &wrong, "--property", property]);
        assert_eq!(outcome.code, 10, "{property}: {}", outcome.err);
        let rule = if property == "valid-bounds" { "" } else { " (valid-bounds)" };
        let message = format!("wrong.c:2:35: `r->items[r->n]` violates {property}{rule}");
        assert!(outcome.err.contains(&message), "{property}: {}", outcome.err);
    }
    let outcome = thetis(&["check", &wrong, "--property", "valid-memsafety"]);
    assert_eq!(outcome.code, 5, "{}", outcome.err);
    let constant = write(
        &folder,
        "c.c",
        "struct s { int a[2], b; }; int main(void) { struct s s; s.a[2] = 1; return 0; }",
    );
    assert_eq!(thetis(&["check", &constant, "--property", "valid-bounds"]).code, 10);
    let right = write(&folder, "right.c", text(4));
    assert_eq!(thetis(&["check", &right, "--property", "valid-memory"]).code, 0);
}
