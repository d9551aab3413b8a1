//! What makes the program pleasant: quiet runs, colours, completions, hints, and the files for continuous integration.

use std::process::Command;

use crate::{ENDLESS, SAFE, UNSAFE, folder, program, root, thetis, write};

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
    assert!(!thetis(&["check", "examples/absolute.cfa"]).err.contains("hint:"));
}

/// The step of the action and the hook for single files, with the program of this build.
#[test]
fn scripts_for_continuous_integration_tell_verdicts_apart() {
    let folder = folder();
    let thetis = env!("CARGO_BIN_EXE_thetis");
    let wrong = write(&folder, "wrong.c", "int main(void) { int a[2]; a[2] = 1; return 0; }");
    let right = write(&folder, "right.c", "int main(void) { return 0; }");
    let sarif = folder.path().join("log.sarif");
    for (file, code) in [(&wrong, 10), (&right, 0)] {
        let step = Command::new(root().join("contrib/ci/github.sh"))
            .arg(thetis)
            .envs([("THETIS_FILES", file.as_str()), ("THETIS_PROJECT", ""), ("THETIS_PROPERTY", "all")])
            .envs([("THETIS_ARGUMENTS", ""), ("THETIS_TIME", "60s"), ("THETIS_FAIL_ON_UNKNOWN", "false")])
            .env("THETIS_SARIF", &sarif)
            .env("GITHUB_OUTPUT", folder.path().join("output"))
            .output()
            .unwrap();
        assert_eq!(step.status.code(), Some(code), "{}", String::from_utf8_lossy(&step.stderr));
        let log: serde_json::Value = serde_json::from_slice(&std::fs::read(&sarif).unwrap()).unwrap();
        assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(usize::from(code == 10)));
    }
    let output = std::fs::read_to_string(folder.path().join("output")).unwrap();
    assert_eq!(output, "exit-code=10\nexit-code=0\n");
    let hook = |file: &str| {
        let mut hook = Command::new(root().join("contrib/ci/each.sh"));
        let hook = hook.arg(file).env("THETIS", thetis).env("THETIS_OPTIONS", "--property valid-deref");
        hook.output().unwrap().status.code()
    };
    assert_eq!((hook(&wrong), hook(&right)), (Some(1), Some(0)));
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
