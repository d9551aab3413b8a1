//! What developers of C programs use every day: standard input, machines, values that are missing, tests, and clusters.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Outcome, folder, outcome, program, root, thetis, write};

/// Runs the program with a text on its standard input.
fn with_input(args: &[&str], text: &str) -> Outcome {
    let mut child = program()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has complained already reads nothing.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    outcome(&child.wait_with_output().unwrap())
}

const WRONG: &str = "extern void assert(int);\nint main(void) { int x = 1; assert(x == 2); return 0; }\n";

#[test]
fn models_are_read_from_standard_input() {
    let outcome = with_input(&["check", "-", "--language", "c"], WRONG);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    assert!(outcome.err.contains("<stdin>:2:29: `assert(x == 2)` fails: x = 1"), "{}", outcome.err);
    let outcome = with_input(&["check", "-", "--language", "c", "--property", "all"], WRONG);
    assert!(outcome.out.contains("assertions: fails at <stdin>:2:29"), "{}{}", outcome.out, outcome.err);
    let outcome =
        with_input(&["check", "-", "--language", "c", "--format", "json"], "int main(void) { return }");
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert!(outcome.err.contains("--> <stdin>:1:"), "{}", outcome.err);
    let outcome = with_input(&["convert", "-", "--language", "net", "--to", "pnml"], "net n\nplace p = 1\n");
    assert!(outcome.code == 0 && outcome.out.contains("<pnml"), "{}{}", outcome.out, outcome.err);
    for (args, message) in [
        (&["check", "-"][..], "standard input needs `--language`"),
        (&["check", "a.c", "--language", "c"][..], "`--language` is for standard input"),
        (&["check", "-", "-", "--language", "c"][..], "only once"),
    ] {
        let outcome = with_input(args, WRONG);
        assert_eq!(outcome.code, 1, "{}", outcome.err);
        assert!(outcome.err.contains(message), "{}", outcome.err);
    }
}

#[test]
fn machines_decide_about_types() {
    let folder = folder();
    let text = "#include <limits.h>\n#include <stdint.h>\nextern void assert(int);\nint f(char c) { return c < 0; }
int main(void) { assert(f((char)200) == (CHAR_MIN < 0)); assert(sizeof(intptr_t) == sizeof(char *)); assert(f((char)200)); return 0; }\n";
    let program = write(&folder, "p.c", text);
    for (machine, code) in [("x86_64", 0), ("i386", 0), ("arm", 10), ("aarch64", 10), ("riscv64", 10)] {
        let outcome = thetis(&["check", &program, "--machine", machine]);
        assert_eq!(outcome.code, code, "{machine}: {}", outcome.err);
        if code == 10 {
            assert!(outcome.err.contains("`assert(f((char)200))` fails"), "{machine}: {}", outcome.err);
        }
    }
    assert_eq!(thetis(&["check", &program, "--target", "arm"]).code, 10);
    let outcome = thetis(&["check", &program, "--target", "p >= 1"]);
    assert!(outcome.code == 1 && outcome.err.contains("is a machine: x86_64, i386, arm"), "{}", outcome.err);
    let certificate = folder.path().join("c.json").display().to_string();
    let safe = write(
        &folder,
        "s.c",
        "extern void assert(int); int main(void) { char c = (char)200; assert(c == 200); return 0; }",
    );
    let outcome = thetis(&["check", &safe, "--machine", "aarch64", "--certificate", &certificate]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert_eq!(thetis(&["certify", &safe, &certificate]).code, 0);
    for other in ["riscv64", "x86_64"] {
        let outcome = thetis(&["certify", &safe, &certificate, "--machine", other]);
        assert!(
            outcome.code == 2 && outcome.err.contains("data model"),
            "{other}: {}{}",
            outcome.out,
            outcome.err
        );
    }
}

/// The second and third loop start after any number of rounds of those before.
#[test]
fn loops_over_text_are_unrolled_one_by_one() {
    let folder = folder();
    let text = "#include <stdio.h>\n#include <string.h>\nextern void assert(int);
int parse(const char *s) { int v = 0; while (*s) { if (*s < '0' || *s > '9') return -1; v = v * 10 + (*s - '0'); s++; } return v; }
int main(void) { char b[8]; if (!fgets(b, sizeof b, stdin)) return 1; b[strcspn(b, \"\\n\")] = 0; assert(parse(b) < 100000); return 0; }\n";
    let program = write(&folder, "p.c", text);
    let outcome =
        thetis(&["check", &program, "--engine", "bmc", "--set", "bmc.count=loops", "--time", "60s"]);
    assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
    assert!(outcome.err.contains("standard input = \""), "{}", outcome.err);
}

/// Several checks are several processes, which share what the first one has preprocessed.
#[test]
fn all_checks_know_the_machine() {
    let folder = folder();
    let text = "#include <stdint.h>\nint main(void) { uint32_t x = 1; return x == 1 ? 0 : 1; }\n";
    let program = write(&folder, "p.c", text);
    for machine in ["i386", "arm"] {
        let outcome = thetis(&["check", &program, "--machine", machine, "--property", "all"]);
        assert_eq!(outcome.code, 0, "{machine}: {}{}", outcome.out, outcome.err);
    }
}

#[test]
fn registers_may_be_accessed() {
    let folder = folder();
    let text = "typedef struct { volatile unsigned control, status, data; } uart;
#define UART ((uart *)0x40011000u)
extern void assert(int);
int main(void) { while (!(UART->status & 0x80u)) { } unsigned a = UART->data; UART->data = a; return 0; }\n";
    let program = write(&folder, "p.c", text);
    let check = |machine: &str, registers: &str| {
        let mut args = vec!["check", &program, "--property", "valid-memory", "--machine", machine];
        args.extend(["--registers", registers].iter().filter(|_| !registers.is_empty()));
        thetis(&args)
    };
    for machine in ["x86_64", "arm"] {
        let outcome = check(machine, "0x40011000-0x400113ff");
        assert_eq!(outcome.code, 0, "{machine}: {}", outcome.err);
        assert!(outcome.err.contains("[registers]"), "{}", outcome.err);
        // Two of the four bytes are not registers.
        assert_ne!(check(machine, "0x40011000-0x40011005").code, 0, "{machine}");
    }
    let outcome = check("x86_64", "");
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    assert!(
        outcome.err.contains("the pointer is the number 0x40011000, and no object is there"),
        "{}",
        outcome.err
    );
    let outcome = check("arm", "");
    assert_eq!(outcome.code, 5, "{}", outcome.err);
    assert!(outcome.err.contains("--registers 0x40000000-0x5fffffff"), "{}", outcome.err);
    let outcome = check("arm", "0x5-0x4");
    assert!(
        outcome.code == 1 && outcome.err.contains("`0x5-0x4` is not a range of addresses"),
        "{}",
        outcome.err
    );
}

#[test]
fn missing_values_are_part_of_all_checks() {
    let folder = folder();
    let text = "extern int input(void);\nint pick(int k) { int x; if (k > 3) x = 1; return x; }\nint main(void) { return pick(input()); }\n";
    let program = write(&folder, "p.c", text);
    let outcome = thetis(&["check", &program, "--property", "all"]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    assert!(outcome.out.contains("valid-init: fails at "), "{}", outcome.out);
    assert!(outcome.err.contains("`x` is read before it has a value"), "{}", outcome.err);
    let outcome = thetis(&[
        "check",
        &program,
        "--property",
        "no-unsigned-overflow",
        "--property",
        "no-lossy-conversion",
    ]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
}

#[test]
fn proofs_about_missing_values_name_what_they_take_for_granted() {
    let text = "void *malloc(unsigned long);\nint main(void) { int *p = malloc(8); return p[1]; }\n";
    let outcome = with_input(&["check", "-", "--language", "c", "--property", "valid-init"], text);
    let line = "safe under: allocated values; no read to check; not checked: assertions, overflow, division by zero, shifts, memory safety\n";
    assert_eq!(outcome.out, line, "{}", outcome.err);
}

fn has_gcc() -> bool {
    Command::new("gcc").arg("--version").output().is_ok()
}

/// Compiles a program together with a file, and runs it.
fn compiled(program: &str, other: &Path, binary: &Path) -> Option<i32> {
    let status = Command::new("gcc").args(["-w", "-o"]).arg(binary).arg(program).arg(other).status().unwrap();
    assert!(status.success());
    Command::new(binary).stdin(Stdio::null()).stderr(Stdio::null()).status().unwrap().code()
}

const READING: &str = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\nint main(void) {
  int a, b; char name[8];
  if (scanf(\"%d,%d %s\", &a, &b, name) != 3) return 1;
  if (getchar() != '\\n') return 2;
  assert(a + 3 != b || name[0] != 'q' || strlen(name) != 2);
  return 0;\n}\n";

#[test]
fn a_harness_feeds_the_c_library() {
    if !has_gcc() {
        println!("skipped: no C compiler");
        return;
    }
    let folder = folder();
    let program = write(&folder, "p.c", READING);
    let harness = folder.path().join("harness.c");
    let outcome = thetis(&["check", &program, "--harness", &harness.display().to_string(), "--confirm"]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    assert!(outcome.err.contains("The violation is confirmed by execution."), "{}", outcome.err);
    let text = std::fs::read_to_string(&harness).unwrap();
    assert!(!text.contains("scanf(") && !text.contains("getchar(") && !text.contains("strlen("), "{text}");
    assert_eq!(compiled(&program, &harness, &folder.path().join("a.out")), Some(10));
}

#[test]
fn tests_reach_every_branch() {
    if !has_gcc() {
        println!("skipped: no C compiler");
        return;
    }
    let folder = folder();
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {
  int x = __VERIFIER_nondet_int();\n  if (x > 1000 && x % 7 == 3) return 1;
  switch (x) { case 5: return 2; case 6: return 3; }\n  if (x * 2 == 7) return 4;\n  return 5;\n}\n";
    let program = write(&folder, "p.c", text);
    let tests = folder.path().join("tests");
    let outcome = thetis(&["check", &program, "--tests", &tests.display().to_string()]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(outcome.err.contains(" for 6 of 7 goals, 1 cannot be reached\n"), "{}", outcome.err);
    let list = std::fs::read_to_string(tests.join("tests.txt")).unwrap();
    assert!(list.contains("p.c:5:3: `switch (x)` goes to 6\n"), "{list}");
    let mut codes = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(&tests).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "c") {
            codes.extend(compiled(&program, &path, &folder.path().join("a.out")));
        }
    }
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), [1, 2, 3, 5]);
    let xml = folder.path().join("xml");
    let outcome =
        thetis(&["check", &program, "--tests", &xml.display().to_string(), "--tests-format", "testcomp"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let case = std::fs::read_to_string(xml.join("testcase-1.xml")).unwrap();
    assert!(case.contains("<testcase>\n  <input>"), "{case}");
    let metadata = std::fs::read_to_string(xml.join("metadata.xml")).unwrap();
    assert!(metadata.contains("<architecture>64bit</architecture>"), "{metadata}");
    let outcome = thetis(&["check", "examples/absolute.cfa", "--tests", &xml.display().to_string()]);
    assert!(outcome.code == 1 && outcome.err.contains("`--tests` is for C programs"), "{}", outcome.err);
}

/// How the arguments of `main` come about is no branch of the program.
#[test]
fn goals_of_tests_are_written_in_the_program() {
    let folder = folder();
    let text = "int main(int argc, char **argv) {\n  if (argc == 2 && argv[1][0] == 'x') return 1;\n  return 0;\n}\n";
    let program = write(&folder, "p.c", text);
    let tests = folder.path().join("tests");
    let outcome = thetis(&["check", &program, "--tests", &tests.display().to_string()]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(
        outcome.err.contains("2 tests in ") && outcome.err.contains(" for 2 of 2 goals\n"),
        "{}",
        outcome.err
    );
}

/// Tests that take too long to find leave the verdict as it is, and those that were found are written.
#[test]
fn tests_end_with_the_time_and_leave_one_verdict() {
    let folder = folder();
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {
  unsigned x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
  if (x > 1 && y > 1 && x < 65536 && y < 65536 && x * y == 4294049777u) return 1;
  while (x * x * x + y * y * y + 7 * x * y != z * z * z + 11) { x += y; y ^= z; z += x * y; if (x * y * z == 77777) return 3; }\n  return 2;\n}\n";
    let program = write(&folder, "p.c", text);
    let tests = folder.path().join("tests").display().to_string();
    let outcome = thetis(&["check", &program, "--tests", &tests, "--time", "4s"]);
    assert_eq!(outcome.out.lines().count(), 1, "there is one verdict: {}{}", outcome.out, outcome.err);
    assert!(outcome.err.contains(" goals"), "{}", outcome.err);
    assert!(Path::new(&tests).join("tests.txt").exists(), "{}", outcome.err);
    let outcome = thetis(&["check", &program, "--tests", &tests, "--property", "all"]);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert!(outcome.err.contains("`--tests` is for one property"), "{}", outcome.err);
}

#[test]
fn parts_of_a_campaign_become_one_result_file() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let common = ["bench", "run", "tests/tasks/petri", "--time", "20s", "--output"];
    for (part, file) in [("1/2", "1.jsonl"), ("2/2", "2.jsonl")] {
        let outcome = thetis(&[&common[..], &[&path(file), "--part", part]].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.err);
    }
    let whole = path("whole.jsonl");
    assert_eq!(thetis(&[&common[..], &[&whole]].concat()).code, 0);
    let merged = path("merged.jsonl");
    let outcome = thetis(&["bench", "merge", &path("1.jsonl"), &path("2.jsonl"), "--output", &merged]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let outcome = thetis(&["bench", "compare", &whole, &merged]);
    assert!(outcome.out.contains(": 0 wrong, 0 lost, "), "{}", outcome.out);
    let lines = |file: &str| std::fs::read_to_string(file).unwrap().lines().count();
    assert_eq!(lines(&merged), lines(&whole));
    let outcome = thetis(&["bench", "merge", &path("1.jsonl"), "--output", &path("x.jsonl")]);
    assert!(outcome.code == 2 && outcome.err.contains("part 2 of 2 is missing"), "{}", outcome.err);
}

/// A cluster of this machine alone, with the daemons of Slurm.
#[test]
fn slurm_runs_campaigns() {
    let folder = folder();
    let campaign = folder.path().join("campaign").display().to_string();
    let tasks = root().join("tests/tasks/petri").canonicalize().unwrap().display().to_string();
    let outcome = thetis(&["bench", "submit", &campaign, "--parts", "2", "--", &tasks, "--time", "20s"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let script = std::fs::read_to_string(format!("{campaign}/part.sh")).unwrap();
    assert!(script.contains("#SBATCH --array=1-2\n"), "{script}");
    let outcome = thetis(&["bench", "submit", &campaign, "--", "tests/tasks", "--part", "1/2"]);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    let wait = format!(
        "{campaign}/submit.sh && for n in $(seq 1 1800); do test -z \"$(squeue -h)\" && break; sleep 0.1; done"
    );
    let cluster = root().join("contrib/slurm/local-cluster.sh");
    let output =
        Command::new(cluster).arg(folder.path().join("cluster")).args(["sh", "-c", &wait]).output().unwrap();
    if output.status.code() == Some(3) {
        println!("skipped: {}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let results = std::fs::read_to_string(format!("{campaign}/results.jsonl"))
        .unwrap_or_else(|error| panic!("{error}: {said}"));
    let num_tasks = std::fs::read_dir(root().join("tests/tasks/petri")).unwrap();
    let is_task = |path: &Path| path.extension().is_some_and(|extension| extension == "yml");
    let num_tasks = num_tasks.filter(|entry| is_task(&entry.as_ref().unwrap().path())).count();
    assert_eq!(results.lines().count(), num_tasks + 1, "{said}");
}

/// Options as compilers spell them, and those after `--`.
#[test]
fn options_are_spelled_as_for_compilers() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for name in ["inc", "sys"] {
        std::fs::create_dir(path(name)).unwrap();
    }
    write(&folder, "inc/own.h", "enum { OWN = 4 };\n");
    write(&folder, "sys/other.h", "enum { OTHER = 3 };\n");
    let before = write(&folder, "before.h", "extern void assert(int);\n");
    let text = "#include <own.h>\n#include <other.h>\nint main(void) {
    assert(sizeof(long) == OWN && OTHER == MORE);
    assert(__STDC_VERSION__ == 199901L && FURTHER == 5);\n    return 0;\n}\n";
    let program = write(&folder, "p.c", text);
    let (inc, sys) = (path("inc"), path("sys"));
    let own = [
        "check", &program, "-I", &inc, "-isystem", &sys, "-include", &before, "-std=c99", "-m32", "-D",
        "MORE=3",
    ];
    let outcome = thetis(&[&own[..], &["--", "-DFURTHER=5", "-Wall", "-O2"]].concat());
    assert_eq!((outcome.code, outcome.word()), (0, "safe"), "{}", outcome.err);
    let outcome = thetis(&[&own[..], &["--property", "all", "--", "-D", "FURTHER=6"]].concat());
    assert!(outcome.out.contains("assertions: fails at "), "{}{}", outcome.out, outcome.err);
    let outcome = thetis(&[&own[..], &["--", "-funsigned-char"]].concat());
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert!(outcome.err.contains("changes what programs mean"), "{}", outcome.err);
}

#[test]
fn programs_start_where_they_are_asked_to() {
    let folder = folder();
    let text = "extern void assert(int); static int ticks = 3;
void firmware(void) { assert(ticks == 3); }\nvoid handler(int cause) { assert(cause); }\n";
    let program = write(&folder, "p.c", text);
    let outcome = thetis(&["check", &program, "--entry", "firmware"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(outcome.err.contains("the program starts with `firmware` instead of `main`"), "{}", outcome.err);
    let outcome = thetis(&["check", &program, "--function", "firmware"]);
    assert_eq!(outcome.code, 10, "an earlier call may have changed the variable: {}", outcome.err);
    for (options, message) in [
        (["--entry", "handler"], "which has parameters; `--function` calls it with arbitrary arguments"),
        (["--entry", "firmwear"], "did you mean `firmware`?"),
        (["--function", "handlr"], "did you mean `handler`?"),
    ] {
        let outcome = thetis(&[&["check", &program], &options[..]].concat());
        assert_eq!(outcome.code, 2, "{}", outcome.err);
        assert!(outcome.err.contains(message), "{}", outcome.err);
    }
    let whole = write(&folder, "w.c", "int main(void) { return 0; }");
    assert_eq!(thetis(&["check", &whole, "--entry", "main"]).code, 0);
}

/// A compiler copies the bytes of a literal, in whatever encoding they are.
#[test]
fn literals_have_the_bytes_of_the_file() {
    let folder = folder();
    let start = b"extern void assert(int);\nint main(void) { const char *s = \"caf";
    let end = b"\"; assert((unsigned char)s[3] == 0xe9 && s[4] == 0); return 0; } /* \xff */\n";
    for directive in [&b""[..], b"#define X 1\n"] {
        let program = write(&folder, "p.c", [directive, start, b"\xe9", end].concat());
        let outcome = thetis(&["check", &program]);
        assert_eq!((outcome.code, outcome.word()), (0, "safe"), "{}", outcome.err);
    }
    let program = write(&folder, "p.c", [&start[..], "\u{fffd}".as_bytes(), end].concat());
    assert_eq!(thetis(&["check", &program]).code, 10, "a character has its own bytes");
}

#[test]
fn functions_without_a_body_share_a_warning() {
    let folder = folder();
    let text = "extern int a(void), b(void), c(void);\nint main(void) { return a() + b() +\n c(); }\n";
    let program = write(&folder, "p.c", text);
    let outcome = thetis(&["check", &program]);
    assert_eq!(outcome.err.matches("is not defined").count(), 1, "{}", outcome.err);
    let others = format!("the same holds for `b`, `c` ({program}:3:2) [externals]");
    assert!(outcome.err.contains(&others), "{}", outcome.err);
    let report = thetis(&["check", &program, "--format", "json"]).out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["assumptions"].as_array().map(Vec::len), Some(3), "the report has them all");
}
