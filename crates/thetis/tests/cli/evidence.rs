//! Evidence about C programs: stories, witnesses, harnesses.

use std::process::Command;

use crate::{folder, thetis, write};

/// Violated by the input 7 only; line and column numbers matter.
const VIOLATED: &str = "extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { }
int twice(int a) { return a + a; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 10)
    abort();
  int i = 0;
  while (i < n) {
    i++;
  }
  if (twice(i) == 14)
    reach_error();
  return 0;
}
";

const SAFE: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (x < 100) {
      x++;
      y = x;
    }
  }
  if (x > 100 || y != x)
    reach_error();
  return 0;
}
";

#[test]
fn a_violation_is_told_on_the_source() {
    let folder = folder();
    let program = write(&folder, "w.c", VIOLATED);
    let outcome = thetis(&["check", &program]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    let told: Vec<&str> = outcome.err.lines().map(str::trim_end).collect();
    for expected in [
        "  PROGRAM:6:11: `__VERIFIER_nondet_int` returns 7",
        "  PROGRAM:6:3: `int n = __VERIFIER_nondet_int()`: n = 7",
        "  PROGRAM:7:7: `n < 0 || n > 10` is false",
        "  PROGRAM:11:5: `i++`: i = 7",
        "  PROGRAM:13:7: calls `twice`: a = 7",
        "    PROGRAM:4:20: `return a + a`: result = 14",
        "  PROGRAM:14:5: `reach_error()` is reached",
    ] {
        let expected = expected.replace("PROGRAM", &program);
        assert!(told.contains(&expected.as_str()), "{expected} is missing:\n{}", outcome.err);
    }
    assert!(!outcome.err.contains("main.tmp"), "temporaries are not for people:\n{}", outcome.err);
}

#[test]
fn undefined_values_are_named() {
    let folder = folder();
    let body = |text: &str| {
        format!(
            "void reach_error(void); int __VERIFIER_nondet_int(void);\nint main(void) {{ int s = __VERIFIER_nondet_int(); {text} }}\n"
        )
    };
    let shift = "int a = 1 << s; if (a == 12345) reach_error();";
    let quotient = "if (7 / s == 9) reach_error();";
    for (text, setting, code, expected) in [
        (shift, "convention", 0, "it gives 0, or -1 for a negative number to the right [undefined-shifts]"),
        (shift, "arbitrary", 10, "`int a = 1 << s`, where `1 << s` is undefined: a = 12345"),
        (shift, "error", 10, "`1 << s` is undefined: s = "),
        ("if (s > 40 && 1 << s) reach_error();", "convention", 0, "undefined-shifts"),
        ("if (s > 40 && -8 >> s == -1) reach_error();", "convention", 10, "where `-8 >> s` is undefined"),
        ("if (s < 40 && s > 0 && 10 / s == 11) reach_error();", "error", 0, ""),
        ("if (s == 0 || 7 / s != 9) return 0; reach_error();", "error", 0, ""),
        (quotient, "convention", 5, ""),
        (quotient, "arbitrary", 10, "`7 / s == 9` is true, where `7 / s` is undefined"),
        ("int a = s * 1e300; if (a == 3) reach_error();", "arbitrary", 10, "`s * 1e300` is undefined: a = 3"),
        ("int u; if (u == 7) reach_error();", "convention", 10, "`int u` is without an initial value: u = 7"),
    ] {
        let program = write(&folder, "undefined.c", body(text));
        let outcome = thetis(&["check", &program, "--set", &format!("c.undefined={setting}")]);
        assert_eq!(outcome.code, code, "{text} with {setting}: {}", outcome.err);
        assert!(outcome.err.contains(expected), "{expected} is missing:\n{}", outcome.err);
    }
}

#[test]
fn the_steps_of_a_violation_are_in_the_json_report() {
    let folder = folder();
    let program = write(&folder, "w.c", VIOLATED);
    let outcome = thetis(&["check", &program, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    let steps = report["steps"].as_array().unwrap();
    assert_eq!(steps[0]["text"], "`__VERIFIER_nondet_int` returns 7");
    let inside = steps.iter().find(|step| step["line"] == 4).unwrap();
    assert_eq!((inside["depth"].as_u64(), inside["values"]["result"].as_str()), (Some(1), Some("14")));
    assert_eq!(steps.last().unwrap()["line"], 14);
}

#[test]
fn values_have_the_types_of_the_program() {
    let folder = folder();
    let text = "void reach_error(void); struct p { unsigned char low; int *to; } s; int a[3];
int main(void) {
  s.low = 255; s.low++;
  s.to = &a[2];
  *s.to = -5;
  char c = 'x';
  unsigned u = -1;
  if (a[2] == -5 && c && u) reach_error();
  return 0;
}
";
    let program = write(&folder, "values.c", text);
    let outcome = thetis(&["check", &program, "--full"]);
    assert_eq!(outcome.code, 10, "{}", outcome.err);
    for expected in ["s.low = 0", "s.to = &a[2]", "a[2] = -5", "c = 120 'x'", "u = 4294967295"] {
        assert!(outcome.err.contains(expected), "{expected} is missing:\n{}", outcome.err);
    }
}

#[test]
fn a_violation_witness_is_confirmed() {
    let folder = folder();
    let program = write(&folder, "w.c", VIOLATED);
    let witness = folder.path().join("w.yml").display().to_string();
    assert_eq!(thetis(&["check", &program, "--witness", &witness]).code, 10);
    let outcome = thetis(&["certify", &program, &witness]);
    assert_eq!((outcome.code, outcome.out.as_str()), (10, "confirmed (unsafe)\n"), "{}", outcome.err);
    let text = std::fs::read_to_string(&witness).unwrap();
    for (from, to, reason) in [
        ("\\result == 7", "\\result == 6", "no run along the waypoints"),
        ("line: 14", "line: 15", "no run along the waypoints"),
        ("call(reach_error())", "call(abort())", "another property"),
        ("/w.c", "/v.c", "names the file"),
    ] {
        assert!(text.contains(from), "{text}");
        let changed = write(&folder, "changed.yml", text.replace(from, to));
        let outcome = thetis(&["certify", &program, &changed, "--property", "unreach-call"]);
        let is_rejected = outcome.out.starts_with("rejected") && outcome.out.contains(reason);
        assert!(is_rejected && outcome.code == 5, "{from}: {}{}", outcome.out, outcome.err);
    }
    let other = write(&folder, "w.c", VIOLATED.replace("== 14", "==  14"));
    assert!(thetis(&["certify", &other, &witness]).out.contains("another program text"));
}

/// The metadata of a witness that another tool might have written.
fn entry(entry_type: &str, content: &str) -> String {
    format!(
        "- entry_type: {entry_type}\n  metadata:\n    format_version: 2.0\n    uuid: 6f1d2a34-0c1e-4c0a-9a53-0b7c1f2d9e11\n    \
         creation_time: 2026-11-15T18:00:00Z\n    producer: {{name: Other, version: 1}}\n    task:\n      input_files: [w.c]\n      \
         input_file_hashes: {{}}\n      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )\n      \
         data_model: ILP32\n      language: C\n  content:\n{content}"
    )
}

fn waypoint(kind: &str, action: &str, line: u32, column: u32, constraint: &str) -> String {
    let constraint = match constraint {
        "" => String::new(),
        value => format!("\n        constraint: {{value: '{value}'}}"),
    };
    format!(
        "    - waypoint:\n        type: {kind}\n        action: {action}\n        \
         location: {{file_name: w.c, line: {line}, column: {column}}}{constraint}\n"
    )
}

#[test]
fn violation_witnesses_of_other_tools_are_validated() {
    let folder = folder();
    let program = write(&folder, "w.c", VIOLATED);
    let target = waypoint("target", "follow", 14, 5, "");
    let cases = [
        ("confirmed", vec![target.clone()]),
        ("confirmed", vec![waypoint("assumption", "follow", 9, 3, "n == 7"), target.clone()]),
        ("confirmed", vec![waypoint("assumption", "follow", 11, 5, "i == 4 && n > i"), target.clone()]),
        ("confirmed", vec![waypoint("function_enter", "follow", 13, 14, ""), target.clone()]),
        ("confirmed", vec![waypoint("function_return", "follow", 13, 14, "\\result >= 14"), target.clone()]),
        ("confirmed", vec![waypoint("branching", "follow", 7, 3, "false"), target.clone()]),
        ("confirmed", vec![waypoint("assumption", "avoid", 9, 3, "n != 7") + &target]),
        ("rejected", vec![waypoint("assumption", "follow", 9, 3, "n == 8"), target.clone()]),
        ("rejected", vec![waypoint("branching", "avoid", 10, 3, "true") + &target]),
        ("rejected", vec![waypoint("function_return", "follow", 13, 14, "\\result > 14"), target.clone()]),
        ("rejected", vec![waypoint("assumption", "follow", 9, 4, "n == 7"), target.clone()]),
        ("unknown", vec![waypoint("ghost", "follow", 9, 3, "n == 7"), target.clone()]),
        ("unknown", vec![waypoint("assumption", "follow", 9, 3, "n == 7")]),
    ];
    for (expected, segments) in cases {
        let segments: Vec<String> = segments.iter().map(|items| format!("  - segment:\n{items}")).collect();
        let witness = write(&folder, "w.yml", entry("violation_sequence", &segments.concat()));
        let outcome = thetis(&["certify", &program, &witness, "--time", "60s"]);
        assert!(outcome.out.starts_with(expected), "{}{}\n{}", outcome.out, outcome.err, segments.concat());
    }
}

#[test]
fn a_correctness_witness_has_invariants_that_are_confirmed() {
    let folder = folder();
    let program = write(&folder, "s.c", SAFE);
    let witness = folder.path().join("s.yml").display().to_string();
    let outcome = thetis(&["check", &program, "--witness", &witness]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let text = std::fs::read_to_string(&witness).unwrap();
    assert!(text.contains("type: loop_invariant") && text.contains("line: 5"), "{text}");
    let outcome = thetis(&["certify", &program, &witness]);
    assert_eq!((outcome.code, outcome.out.as_str()), (0, "confirmed (safe)\n"), "{}", outcome.err);
}

/// Needs an invariant about all elements, which witnesses cannot say.
const FILLED: &str = "extern void reach_error(void);
int a[1000];
int main(void) {
  int i = 0;
  while (i < 1000) {
    a[i] = 42;
    i++;
  }
  for (i = 0; i < 1000; i++)
    if (a[i] != 42)
      reach_error();
  return 0;
}
";

#[test]
fn what_holds_for_all_cells_is_left_out_of_witnesses() {
    let folder = folder();
    let program = write(&folder, "f.c", FILLED);
    let witness = folder.path().join("f.yml").display().to_string();
    let outcome = thetis(&["check", &program, "--engine", "horn", "--time", "100s", "--witness", &witness]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    assert!(
        outcome.err.contains("cannot be said in C") && !outcome.err.contains(" 0 parts"),
        "{}",
        outcome.err
    );
    let text = std::fs::read_to_string(&witness).unwrap();
    assert!(!text.contains("cell"), "{text}");
}

#[test]
fn invariants_of_other_tools_are_validated() {
    let folder = folder();
    let program = write(&folder, "w.c", SAFE);
    let invariant = |kind: &str, line: u32, column: u32, value: &str| {
        format!(
            "  - invariant:\n      type: {kind}\n      location: {{file_name: w.c, line: {line}, column: {column}}}\n      \
             value: '{value}'\n      format: c_expression\n"
        )
    };
    for (expected, code, content) in [
        ("confirmed", 0, invariant("loop_invariant", 5, 3, "x == y && x <= 100")),
        ("confirmed", 0, invariant("loop_invariant", 5, 3, "1")),
        // Before the loop, not at its head.
        ("confirmed", 0, invariant("location_invariant", 5, 3, "x == 0")),
        ("confirmed", 0, invariant("location_invariant", 8, 7, "x == y + 1")),
        ("rejected", 5, invariant("loop_invariant", 5, 3, "x == 0")),
        ("rejected", 5, invariant("location_invariant", 8, 7, "x == y")),
        ("rejected", 5, invariant("loop_invariant", 6, 5, "x == y")),
        ("unknown", 5, invariant("loop_invariant", 5, 3, "1 / x > 0 || 1")),
        ("unknown", 5, invariant("loop_transition_invariant", 5, 3, "x == y")),
        // What is no C expression there is an error of the input.
        ("", 2, invariant("loop_invariant", 5, 3, "z == y")),
        ("", 2, invariant("loop_invariant", 5, 3, "x ==")),
    ] {
        let witness = write(&folder, "w.yml", entry("invariant_set", &content));
        let outcome = thetis(&["certify", &program, &witness, "--time", "60s"]);
        let is_expected = outcome.out.starts_with(expected) && outcome.code == code;
        assert!(is_expected, "{}{}\n{content}", outcome.out, outcome.err);
    }
}

#[test]
fn a_harness_reaches_the_violation() {
    let folder = folder();
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let long = "extern long long __VERIFIER_nondet_longlong(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void); extern void __VERIFIER_assume(int);
int main(void) {
  long long a = __VERIFIER_nondet_longlong();
  __VERIFIER_assume(__VERIFIER_nondet_uchar() == 200);
  if (a < -9223372036854775806LL && a % 2 == 0) __VERIFIER_error();
  return 0;
}
";
    let open =
        "void reach_error(void) { } int main(void) { int open; if (open < -5) reach_error(); return 0; }";
    // Only one value will do, and no option of the compiler is it.
    let one = "void reach_error(void) { } int main(void) { int open; if (open == 1234567) reach_error(); return 0; }";
    let overflow = "extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5) x = x + 2147483640; return 0; }";
    for (name, text, property) in [
        ("input.c", VIOLATED, "unreach-call"),
        ("long.c", long, "unreach-call"),
        ("open.c", open, "unreach-call"),
        ("one.c", one, "unreach-call"),
        ("overflow.c", overflow, "no-overflow"),
    ] {
        let program = write(&folder, name, text);
        let harness = folder.path().join("harness.c").display().to_string();
        let outcome = thetis(&["check", &program, "--property", property, "--harness", &harness]);
        assert_eq!(outcome.code, 10, "{name}: {}", outcome.err);
        let instructions = std::fs::read_to_string(&harness).unwrap();
        let line = instructions.lines().find(|line| line.contains("gcc -w")).unwrap();
        let command = line.trim_start_matches([' ', '*']).replace("THIS_FILE", &harness);
        let script = format!("cd {} && {command}", folder.path().display());
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(10), "{name}: {errors}");
        assert!(errors.contains("thetis: the violation is reached"), "{name}: {errors}");
    }
}
