//! `thetis check --confirm`.

use crate::{UNSAFE, folder, thetis, write};

#[allow(clippy::print_stdout, reason = "a skipped test says so")]
fn has_compiler() -> bool {
    let is_there = std::process::Command::new("cc").arg("--version").output().is_ok();
    if !is_there {
        println!("skipped: no C compiler");
    }
    is_there
}

/// What is said about the execution of a program, which is unsafe.
fn confirmation(text: &str, options: &[&str]) -> String {
    let folder = folder();
    let program = write(&folder, "p.c", text);
    let outcome = thetis(&[&["check", &program, "--confirm"], options].concat());
    assert_eq!((outcome.code, outcome.word()), (10, "unsafe"), "{text}: {}", outcome.err);
    let line = outcome.err.lines().find_map(|line| line.strip_prefix("The violation is "));
    line.unwrap_or_else(|| panic!("nothing is said: {}", outcome.err)).to_owned()
}

#[test]
fn violations_are_confirmed_by_execution() {
    if !has_compiler() {
        return;
    }
    let inputs = "int input(void); void reach_error(void);
        int main(void) { int a = input(), b = input(); if (a == 17 && b == a * 3) reach_error(); return 0; }";
    let body = "void reach_error(void) {} static int f(int x) { return x * 2; }
        int main(void) { if (f(21) == 42) reach_error(); return 0; }";
    let overflow = "int input(void); int main(void) { int x = input(), y = x + 1; return y > 5; }";
    let header =
        "#include <assert.h>\nint main(void) { int a[2] = { 1, 2 }; assert(a[1] == 1); return 0; }\n";
    let arguments = "void reach_error(void); int main(int argc, char **argv) {
        if (argc == 3 && argv[1][0] == 'x' && argv[2][0] == 'z' && argv[2][1] == 'y') reach_error(); return 3; }";
    let number =
        "void reach_error(void); int main(int argc, char **argv) { if (argc == 5) reach_error(); return 3; }";
    let file = "#include <stdio.h>\nvoid reach_error(void); int main(void) {
        FILE *f = fopen(\"config.txt\", \"r\"); if (!f) return 1;
        int a = fgetc(f), b = fgetc(f); fclose(f); if (a == 'o' && b == 'k') reach_error(); return 0; }";
    let missing = "#include <stdio.h>\nvoid reach_error(void);
        int main(void) { if (!fopen(\"/dev/null\", \"r\")) reach_error(); return 0; }";
    for (text, options) in [
        (arguments, &[][..]),
        (number, &[]),
        (file, &[]),
        (missing, &[]),
        (inputs, &[]),
        (body, &[]),
        (overflow, &["--property", "no-overflow"]),
        (header, &["--property", "assertion"]),
    ] {
        assert_eq!(confirmation(text, options), "confirmed by execution.", "{text}");
    }
}

/// The verdict stays, and the report has the reason.
#[test]
fn what_is_not_confirmed_has_a_reason() {
    if !has_compiler() {
        return;
    }
    let clock = "extern long time(long *); void reach_error(void); int main(void) { if (time(0) == 5) reach_error(); return 3; }";
    let label =
        "int input(void); int main(void) { if (input() == 4) goto ERROR; return 0; ERROR: return 1; }";
    let unlinked = "extern int elsewhere; void reach_error(void); int main(void) { if (elsewhere) reach_error(); return 0; }";
    for (text, options, reason) in [
        (clock, &[][..], "the compiled program ends with status 3"),
        (label, &["--property", "unreach-label"], "there is no harness: arriving at a label"),
        (unlinked, &[], "`cc` does not build the program: "),
    ] {
        let found = confirmation(text, options);
        let expected = format!("not confirmed by execution: {reason}");
        assert!(found.starts_with(&expected), "{text}: {found}");
    }
}

#[test]
fn the_json_report_has_the_confirmation() {
    if !has_compiler() {
        return;
    }
    let folder = folder();
    let text = "void reach_error(void); int main(void) { reach_error(); return 0; }";
    let program = write(&folder, "p.c", text);
    let json = |options: &[&str]| {
        let outcome = thetis(&[&["check", &program, "--format", "json"], options].concat());
        let report: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
        report["confirmation"].clone()
    };
    assert_eq!(json(&["--confirm"]), "confirmed by execution");
    assert_eq!(json(&[]), serde_json::Value::Null);
}

#[test]
fn only_violations_of_c_programs_are_confirmed() {
    let folder = folder();
    let safe = write(&folder, "safe.c", "void reach_error(void); int main(void) { return 0; }");
    let outcome = thetis(&["check", &safe, "--confirm"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(!outcome.err.contains("execution"), "{}", outcome.err);
    let automaton = write(&folder, "p.cfa", UNSAFE);
    let outcome = thetis(&["check", &automaton, "--confirm"]);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert!(outcome.err.contains("`--confirm` is for C programs"), "{}", outcome.err);
}

/// A run that never ends in the compiled program is given up, and the verdict stays.
#[test]
fn execution_has_limits() {
    if !has_compiler() {
        return;
    }
    let endless = "extern long time(long *); void reach_error(void); int main(void) { if (time(0) == 7) reach_error(); for (;;) ; }";
    let found = confirmation(endless, &["--time", "8s"]);
    assert!(found.starts_with("not confirmed by execution: the compiled program does not end"), "{found}");
}

/// A run that was found with a stack has no steps, so nothing that needs them is written.
#[test]
fn runs_with_deep_calls_have_no_harness() {
    let folder = folder();
    let text = "extern int input(void); void reach_error(void);
        int id(int x) { if (x == 0) return 0; return id(x - 1) + 1; }
        int main(void) { int n = input(); if (id(n) == 300) reach_error(); return 0; }";
    let program = write(&folder, "p.c", text);
    let [harness, witness] = ["h.c", "w.yml"].map(|name| folder.path().join(name).display().to_string());
    let outcome = thetis(&["check", &program, "--harness", &harness, "--witness", &witness]);
    assert_eq!(outcome.code, 10, "{}{}", outcome.out, outcome.err);
    assert!(outcome.err.contains("calls are too deep to be shown step by step"), "{}", outcome.err);
    for reason in [
        "no harness was written: its calls are deeper than",
        "no witness was written: the calls of the run are deeper",
    ] {
        assert!(outcome.err.contains(reason), "{}", outcome.err);
    }
    assert!(!std::path::Path::new(&harness).exists(), "the harness would not reach the error");
}
