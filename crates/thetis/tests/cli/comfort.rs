//! What makes the program pleasant: quiet runs, colours, completions and hints.

use crate::{ENDLESS, SAFE, UNSAFE, folder, program, thetis, write};

#[test]
fn quiet_runs_only_say_what_prevents_an_answer() {
    let folder = folder();
    let model = write(&folder, "m.cfa", UNSAFE);
    let outcome = thetis(&["check", &model, "-q"]);
    assert_eq!((outcome.code, outcome.out.as_str(), outcome.err.as_str()), (10, "unsafe\n", ""));
    let outcome = thetis(&["-q", "check", &write(&folder, "bad.cfa", "main process")]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("error"), "{}", outcome.err);
    assert!(!thetis(&["check", "-q", "missing.cfa"]).err.is_empty());
}

#[test]
fn the_verdict_has_a_line_of_its_own_if_both_streams_are_one_file() {
    let folder = folder();
    let automaton = write(&folder, "m.cfa", SAFE);
    let program_text = "extern int in(void); int main(void) { int x = in() & 3; return x > 3 ? 1 / 0 : 0; }";
    let c_program = write(&folder, "m.c", program_text);
    for (file, verdict) in [(&automaton, "safe"), (&c_program, "safe: ")] {
        let path = folder.path().join("both.txt");
        let both = std::fs::File::create(&path).unwrap();
        let mut command = program();
        command.args(["check", file]).stdout(both.try_clone().unwrap()).stderr(both);
        assert_eq!(command.status().unwrap().code(), Some(0));
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.iter().any(|line| line.starts_with(verdict)), "{text}");
        assert!(lines.iter().any(|line| line.starts_with("The proof was checked in ")), "{text}");
        assert!(text.ends_with('\n'), "{text}");
    }
}

#[test]
fn colours_are_as_asked() {
    let folder = folder();
    let model = write(&folder, "bad.cfa", "main process");
    let colored = |options: &[&str]| thetis(&[&["check", &model], options].concat()).err.contains('\u{1b}');
    assert!(!colored(&[]), "there is no terminal");
    assert!(colored(&["--color", "always"]));
    assert!(!colored(&["--color", "never"]));
}

#[test]
fn completions_know_properties_engines_and_settings() {
    let script = thetis(&["generate", "completions", "bash"]).out;
    for word in
        ["no-division-by-zero", "valid-memsafety", "state-equation", "cegar.domain=expl", "bmc.max-bound="]
    {
        assert!(script.contains(word), "{word}");
    }
    // Whatever is offered, anything can be said.
    let outcome = thetis(&["check", "examples/warehouse.net", "--property", "EF door >= 7"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let outcome = thetis(&["check", "examples/absolute.cfa", "--set", "bmc.max-bound=3"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
}

#[test]
fn there_are_hints_beside_unknown() {
    let folder = folder();
    let model = write(&folder, "m.cfa", ENDLESS);
    let outcome = thetis(&["check", &model, "--engine", "bmc", "--set", "bmc.max-bound=2"]);
    assert_eq!(outcome.code, 5, "{}", outcome.err);
    assert!(outcome.err.contains("hint: look deeper with `--set bmc.max-bound=20`"), "{}", outcome.err);
    let program = "void transmit(int *); int main(void) { int x = 1; transmit(&x); return 0; }";
    let program = write(&folder, "p.c", program);
    let outcome = thetis(&["check", &program, "--property", "valid-deref", "--time", "20s"]);
    assert_eq!(outcome.code, 5, "{}", outcome.err);
    assert!(outcome.err.contains("hint: define the function"), "{}", outcome.err);
    // Several checks share their hints.
    let both = ["check", &program, "--property", "valid-deref", "--property", "valid-free", "--time", "20s"];
    let outcome = thetis(&both);
    assert_eq!(outcome.code, 5, "{}", outcome.err);
    assert_eq!(outcome.err.matches("hint: define the function").count(), 1, "{}", outcome.err);
    assert!(!thetis(&["check", "examples/absolute.cfa"]).err.contains("hint:"));
}

#[test]
fn mistyped_names_get_suggestions_and_files_plain_words() {
    let folder = folder();
    let program = write(&folder, "p.c", "int main(void) { return 0; }");
    let page = folder.path().join("no/page.html").display().to_string();
    for (args, code, message) in [
        (["check", &program, "--property", "no-overfow"], 2, "did you mean `no-overflow`?\n"),
        (["check", &program, "--engine", "bcm"], 1, "there is no engine `bcm`; did you mean `bmc`?\n"),
        (["check", &program, "--property", "al"], 2, "did you mean `all`?\n"),
        (["check", "examples/peterson.cfa", "--data-model", "ILP32"], 1, "are for C programs\n"),
        (["check", "examples/warehouse.net", "--machine", "arm"], 1, "are for C programs\n"),
        (["check", "examples/peterson.cfa", "--harness", "h.c"], 1, "`--harness` is for C programs\n"),
        (
            ["check", "examples/absolute.cfa", "--set", "bmc.max-bound=abc"],
            1,
            "`bmc.max-bound` is a whole number, not `abc`\n",
        ),
        (
            ["check", &program, "--property", "no-overfow"],
            2,
            "expected unreach-call, unreach-label, assertion, ",
        ),
        (["check", "none.c", "--engine", "bmc"], 2, "none.c: No such file or directory\n"),
        (
            ["check", &program, "--report", &page],
            1,
            "page.html cannot be written: No such file or directory\n",
        ),
    ] {
        let outcome = thetis(&args);
        assert_eq!(outcome.code, code, "{}", outcome.err);
        assert!(outcome.err.contains(message), "{}", outcome.err);
    }
}

#[test]
fn first_attempts_get_hints() {
    let folder = folder();
    let program = write(&folder, "p.c", "#include \"none.h\"\nint main(void) { return 0; }");
    let path = folder.path().display().to_string();
    let alone = thetis(&[&program]);
    assert_eq!(alone.code, 1, "{}", alone.err);
    let command = format!("thetis: `{program}` is no command; did you mean `thetis check {program}`?\n");
    assert_eq!(alone.err, command);
    for (file, message) in [
        (&path, "is a directory, expected a file\nhint: of a C project, name the files (`src/*.c`)"),
        (&program, "none.h: No such file or directory\nhint: name the folder of the header with `-I DIR`"),
    ] {
        let outcome = thetis(&["check", file]);
        assert_eq!(outcome.code, 2, "{}", outcome.err);
        let has_no_compiler = std::process::Command::new("cc").arg("--version").output().is_err();
        assert!(has_no_compiler || outcome.err.contains(message), "{}", outcome.err);
    }
}
