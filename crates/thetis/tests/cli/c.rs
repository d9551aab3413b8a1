//! C programs on the command line.

use crate::{folder, thetis, write};

const SUM: &str = "extern int input(void);
void reach_error(void) {}
int main(void) {
  int n = input(), s = 0;
  if (n < 0 || n > 3) return 0;
  for (int i = 0; i < n; i++) s += i;
  if (s > LIMIT) reach_error();
  return 0;
}
";

#[test]
fn programs_are_checked() {
    let folder = folder();
    let safe = write(&folder, "safe.c", SUM.replace("LIMIT", "3"));
    let violated = write(&folder, "violated.i", SUM.replace("LIMIT", "2"));
    let outcome = thetis(&["check", &safe]);
    let line = "safe: 1 call of reach_error; not checked: assertions, overflow, division by zero, shifts, memory safety, initial values\n";
    assert_eq!((outcome.code, outcome.out.as_str()), (0, line), "{}", outcome.err);
    assert!(outcome.err.contains("input"), "what is assumed about `input` should be told: {}", outcome.err);
    let outcome = thetis(&["check", &violated]);
    assert_eq!((outcome.code, outcome.word()), (10, "unsafe"), "{}", outcome.err);
    assert!(outcome.err.contains("violated.i:7"), "{}", outcome.err);
}

/// IC3 treats the program as a circuit; proof and run are checked on the automaton.
#[test]
fn programs_are_checked_as_circuits() {
    let folder = folder();
    let set = ["--engine", "ic3", "--set", "passes.control=variable", "--set", "passes.encoding=lbe-full"];
    for (limit, expected) in [("3", (0, "safe")), ("2", (10, "unsafe"))] {
        let program = write(&folder, "sum.c", SUM.replace("LIMIT", limit));
        let outcome = thetis(&[&["check", &program], &set[..]].concat());
        assert_eq!((outcome.code, outcome.word()), expected, "{}", outcome.err);
    }
}

/// A text as preprocessors leave it, with markers; `strlen` has a model, `"abc"` three characters.
const LENGTH: &str = "# 1 \"length.c\"
# 7 \"/usr/include/string.h\" 3 4
extern unsigned long strlen(const char *text);
# 2 \"length.c\" 2
void reach_error(void) {}
int main(void) {
  if (strlen(\"abc\") != LENGTH) reach_error();
  return 0;
}
";

#[test]
fn library_functions_have_models_and_positions_stay() {
    let folder = folder();
    let right = write(&folder, "right.i", LENGTH.replace("LENGTH", "3"));
    let wrong = write(&folder, "wrong.i", LENGTH.replace("LENGTH", "4"));
    let outcome = thetis(&["check", &right]);
    assert_eq!((outcome.code, outcome.word()), (0, "safe"), "{}", outcome.err);
    assert!(!outcome.err.contains("strlen"), "nothing is assumed about `strlen`: {}", outcome.err);
    let outcome = thetis(&["check", &wrong]);
    assert_eq!((outcome.code, outcome.word()), (10, "unsafe"), "{}", outcome.err);
    assert!(outcome.err.contains("wrong.i:7") && outcome.err.contains("calls `strlen`"), "{}", outcome.err);
}

/// Of a long run the beginning and the end are shown, and what has changed in between.
#[test]
fn the_middle_of_a_long_run_is_left_out() {
    let text = "void reach_error(void);
int main(void) {
    int seen = 0;
    unsigned sum = 0;
    for (int i = 0; i < 3000; i++) {
        sum += 2;
        if (i == 1500) seen = 1;
    }
    if (seen && sum == 6000) reach_error();
}
";
    let folder = folder();
    let outcome = thetis(&["check", &write(&folder, "long.c", text), "--engine", "simulate"]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    let lines: Vec<&str> = outcome.err.lines().collect();
    let gap = lines.iter().position(|line| line.trim_start().starts_with("... ")).expect("it is long");
    assert!(lines[..gap].iter().any(|line| line.ends_with("sum = 2")), "{}", outcome.err);
    assert!(lines[gap..].iter().any(|line| line.ends_with("sum = 6000")), "{}", outcome.err);
    assert!(lines.len() < 250, "{}", lines.len());
}

#[test]
fn the_data_model_decides() {
    let folder = folder();
    let text = "void reach_error(void); int main(void) { if (sizeof(long) == 8) reach_error(); return 0; }";
    let program = write(&folder, "sizes.c", text);
    assert_eq!(thetis(&["check", &program]).code, 10);
    assert_eq!(thetis(&["check", &program, "--data-model", "LP64"]).code, 10);
    assert_eq!(thetis(&["check", &program, "--data-model", "ILP32"]).code, 0);
    assert_eq!(thetis(&["check", &program, "--data-model", "ILP64"]).code, 1);
}

#[test]
fn task_definitions_name_program_property_and_data_model() {
    let folder = folder();
    write(&folder, "p.c", "void bad(void); int main(void) { if (sizeof(long) == 4) bad(); return 0; }");
    write(&folder, "no-bad.prp", "CHECK( init(main()), LTL(G ! call(bad())) )\n");
    write(&folder, "overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    let definition = "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n  - property_file: no-bad.prp
    expected_verdict: false\n  - property_file: overflow.prp\noptions:\n  language: C\n  data_model: ILP32\n";
    let task = write(&folder, "task.yml", definition);
    assert_eq!(thetis(&["check", &task, "--property", "no-bad"]).code, 10);
    assert_eq!(thetis(&["check", &task, "--property", "no-bad", "--data-model", "LP64"]).code, 0);
    assert_eq!(thetis(&["check", &task, "--property", "overflow"]).code, 0);
    let undecided = thetis(&["check", &task]);
    assert_eq!(undecided.code, 1);
    assert!(undecided.err.contains("no-bad, overflow"), "{}", undecided.err);
}

/// Unsupported code makes a verdict unknown only if a run can reach it.
#[test]
fn limits_are_told() {
    let folder = folder();
    let text = |condition: &str| {
        format!(
            "void reach_error(void); int main(int argc, char **argv) {{
               if ({condition}) __asm__(\"nop\");
               if (argc == 7 && 0) reach_error(); return 0; }}"
        )
    };
    let reached = thetis(&["check", &write(&folder, "reached.c", text("argc == 3"))]);
    assert_eq!(reached.code, 5, "{}", reached.err);
    assert!(reached.out.contains("assembly"), "{}", reached.out);
    let avoided = thetis(&["check", &write(&folder, "avoided.c", text("argc == 3 && argc == 4"))]);
    assert_eq!((avoided.code, avoided.word()), (0, "safe"), "{}", avoided.err);
}

#[test]
fn what_cannot_be_read_is_refused_with_a_place() {
    let folder = folder();
    for (name, content, message) in [
        ("syntax.c", "int main( { return 0; }", "syntax.c:1:11"),
        ("binary.c", "int\0main", "is not a text"),
        ("no-main.c", "int f(void) { return 0; }", "no function `main`"),
        ("empty.c", "", "no function `main`"),
        (
            "missing-header.c",
            "#include \"does-not-exist.h\"\nint main(void) { return 0; }",
            "does-not-exist.h",
        ),
    ] {
        let outcome = thetis(&["check", &write(&folder, name, content)]);
        assert_eq!(outcome.code, 2, "{name}: {}", outcome.err);
        assert!(outcome.err.contains(message), "{name}: {}", outcome.err);
    }
    let program = write(&folder, "p.c", "int main(void) { return 0; }");
    let outcome = thetis(&["check", &program, "--property", "termination"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("property `termination` is not supported"), "{}", outcome.err);
}

/// Directives need a compiler, which a machine may lack.
#[test]
fn directives_are_preprocessed() {
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: no C compiler");
        return;
    }
    let folder = folder();
    write(
        &folder,
        "bad.h",
        "#define BAD(x) do { if (x) reach_error(); } while (0)\nvoid reach_error(void);\n",
    );
    let text = "#include \"bad.h\"\n#include <limits.h>\nint main(void) {\n  BAD(LONG_MAX == INT_MAX);\n  return 0;\n}\n";
    let program = write(&folder, "p.c", text);
    let outcome = thetis(&["check", &program]);
    assert_eq!((outcome.code, outcome.word()), (0, "safe"), "{}", outcome.err);
    let outcome = thetis(&["check", &program, "--data-model", "ILP32"]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    assert!(outcome.err.contains("p.c:4"), "the trace should be about the original: {}", outcome.err);
}

/// Folders for headers and macros are options, for this process, for workers and for the confirmation by execution.
#[test]
fn headers_and_macros_come_from_the_command_line() {
    let folder = folder();
    let headers = folder.path().join("inc");
    std::fs::create_dir(&headers).unwrap();
    std::fs::write(headers.join("level.h"), "#define LEVEL 3\n").unwrap();
    let text =
        "#include <assert.h>\n#include \"level.h\"\nint main(void) { assert(LEVEL == WANTED); return 0; }\n";
    let program = write(&folder, "main.c", text);
    let headers = headers.display().to_string();
    let check = |wanted: &str, more: &[&str]| {
        let arguments = ["check", &program, "-I", &headers, "-D", wanted];
        thetis(&[&arguments[..], more].concat())
    };
    for (wanted, expected) in [("WANTED=3", "safe"), ("WANTED=4", "unsafe")] {
        let outcome = check(wanted, &[]);
        assert_eq!(outcome.word(), expected, "{wanted}: {}", outcome.err);
        let portfolio = write(&folder, "p.toml", "engine = \"portfolio\"\n[[stage]]\nengine = \"bmc\"\n");
        let outcome = check(wanted, &["--config", &portfolio]);
        assert_eq!(outcome.word(), expected, "{wanted}: {}", outcome.err);
    }
    let outcome = check("WANTED=4", &["--confirm"]);
    assert!(outcome.err.contains("confirmed by execution"), "{}", outcome.err);
    let outcome = thetis(&["check", &program, "-D", "WANTED=3"]);
    assert_eq!(outcome.code, 2, "the header is not found: {}", outcome.err);
}

/// The results of functions are arbitrary until they return, which is no input that matters: there is one run.
#[test]
fn the_only_run_of_a_recursive_program_is_followed_far() {
    let folder = folder();
    let text = "void reach_error(void) {}
        int odd(int n);
        int even(int n) { if (n < 2) return n; return odd(n - 1) + odd(n - 2); }
        int odd(int n) { if (n < 2) return n; return even(n - 1) + even(n - 2); }
        int main(void) { if (even(15) == SUM) reach_error(); return 0; }";
    let violated = write(&folder, "violated.c", text.replace("SUM", "610"));
    let other = write(&folder, "other.c", text.replace("SUM", "611"));
    let run = ["--engine", "simulate", "--set", "simulate.deep-steps=20000"];
    let outcome = thetis(&[&["check", &violated][..], &run].concat());
    assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
    let outcome = thetis(&[&["check", &other][..], &run].concat());
    assert_eq!(outcome.code, 5, "{}{}", outcome.out, outcome.err);
}
