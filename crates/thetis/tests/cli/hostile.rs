//! Input from somebody who wants to do harm: it is data, never commands, and it shows nothing but itself.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{Outcome, SAFE, folder, outcome, program, thetis, write};

const INCLUDES: &str = "#include <limits.h>\nint main(void) { return CHAR_BIT - 8; }\n";

fn thetis_in(folder: &Path, args: &[&str]) -> Outcome {
    outcome(&program().current_dir(folder).args(args).output().unwrap())
}

fn has_compiler() -> bool {
    Command::new("cc").arg("--version").output().is_ok()
}

#[test]
fn the_name_of_a_program_is_no_option_of_the_compiler() {
    if !has_compiler() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    for (name, argument) in [("@x.c", "@x.c"), ("-x.c", "./-x.c"), ("a b\".c", "a b\".c")] {
        let folder = folder();
        write(&folder, name, INCLUDES);
        write(&folder, "x.c", "-o stolen /dev/null");
        let outcome = thetis_in(folder.path(), &["check", argument]);
        assert_eq!((outcome.word(), outcome.code), ("safe", 0), "{name}: {}", outcome.err);
        assert!(!folder.path().join("stolen").exists());
        write(&folder, "t.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )");
        let task =
            format!("format_version: '2.0'\ninput_files: '{name}'\nproperties:\n  - property_file: t.prp\n");
        write(&folder, "t.yml", task);
        let outcome = thetis_in(folder.path(), &["check", "t.yml"]);
        assert_eq!((outcome.out.as_str(), outcome.code), ("safe\n", 0), "{name}: {}", outcome.err);
        assert!(!folder.path().join("stolen").exists());
    }
}

#[test]
fn only_regular_files_are_read() {
    let folder = folder();
    let pipe = folder.path().join("pipe.cfa").display().to_string();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let zero = folder.path().join("zero.c");
    std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
    let inside = folder.path().join("folder.net");
    std::fs::create_dir(&inside).unwrap();
    let good = write(&folder, "m.cfa", SAFE);
    for args in [
        vec!["check", &pipe],
        vec!["check", zero.to_str().unwrap()],
        vec!["check", inside.to_str().unwrap()],
        vec!["certify", &good, &pipe],
        vec!["convert", &pipe, "--to", "dot"],
    ] {
        let outcome = thetis(&args);
        assert_eq!((outcome.out.as_str(), outcome.code), ("", 2), "{args:?}: {}", outcome.err);
        assert!(outcome.err.contains("expected a"), "{args:?}: {}", outcome.err);
    }
    let outcome = thetis(&["check", &good, "--config", &pipe]);
    assert_eq!(outcome.code, 2, "{}", outcome.err);
}

const SECRET: &str = "the_password_is hunter2;\n#error hunter2\n";

#[test]
fn a_program_shows_no_files_that_are_not_its_own() {
    if !has_compiler() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let (elsewhere, folder) = (folder(), folder());
    let secret = write(&elsewhere, "secret.txt", SECRET);
    std::os::unix::fs::symlink(&secret, folder.path().join("link.h")).unwrap();
    let up = format!("../{}/secret.txt", elsewhere.path().file_name().unwrap().to_str().unwrap());
    for text in [
        format!("#include \"{secret}\"\nint main(void) {{ return 0; }}\n"),
        format!("#include \"{up}\"\nint main(void) {{ return 0; }}\n"),
        "#include \"link.h\"\nint main(void) { return 0; }\n".to_owned(),
        format!("#define X\n#line 1 \"{secret}\"\nint main(void) {{ return ; ]]\n"),
        format!("#define X\n# 1 \"{secret}\" 1 3\nint main(void) {{ return ; ]]\n"),
        format!("# 1 \"{secret}\"\nint main(void) {{ return ; ]]\n"),
        format!("#pragma GCC system_header\n#include \"{secret}\"\nint main(void) {{ return 0; }}\n"),
    ] {
        let file = write(&folder, "p.c", &text);
        let outcome = thetis(&["check", &file]);
        assert_eq!((outcome.out.as_str(), outcome.code), ("", 2), "{text}: {}", outcome.err);
        assert!(!outcome.err.contains("hunter2"), "{text}: {}", outcome.err);
        assert!(!outcome.err.contains("the_password"), "{text}: {}", outcome.err);
    }
}

#[test]
fn headers_below_the_program_are_its_own() {
    if !has_compiler() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let folder = folder();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("sub/part.h"), "int part(void) { return 1 }\n").unwrap();
    let file = write(&folder, "p.c", "#include \"sub/part.h\"\nint main(void) { return part(); }\n");
    let outcome = thetis(&["check", &file]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("sub/part.h:1:27"), "{}", outcome.err);
    assert!(outcome.err.contains("int part(void) { return 1 }"), "{}", outcome.err);
}

#[test]
fn bombs_for_the_preprocessor_end_within_the_limits() {
    if !has_compiler() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let folder = folder();
    write(&folder, "bomb.h", "#include \"bomb.h\"\n#include \"bomb.h\"\n");
    let mut macros = String::from("#define M0 x x\n");
    for number in 1..60 {
        macros += &format!("#define M{number} M{0} M{0}\n", number - 1);
    }
    for (name, text) in [
        ("includes.c", "#include \"bomb.h\"\nint main(void) { return 0; }\n".to_owned()),
        ("macros.c", format!("{macros}int main(void) {{ return M59; }}\n")),
        ("zero.c", "#include \"/dev/zero\"\nint main(void) { return 0; }\n".to_owned()),
    ] {
        let file = write(&folder, name, text);
        let start = Instant::now();
        let outcome = thetis(&["check", &file, "--time", "3s", "--memory", "1G"]);
        assert!(start.elapsed() < Duration::from_secs(10), "{name}: {:?}", start.elapsed());
        let is_refused = (outcome.out.as_str(), outcome.code) == ("", 2);
        let is_unknown = outcome.out.starts_with("unknown (out of") && outcome.code == 5;
        assert!(is_refused || is_unknown, "{name}: {} {}{}", outcome.code, outcome.out, outcome.err);
    }
}

#[test]
fn a_task_definition_names_no_files_to_be_shown() {
    let (elsewhere, folder) = (folder(), folder());
    let secret = write(&elsewhere, "secret.txt", "hunter2");
    std::os::unix::fs::symlink(&secret, folder.path().join("link.prp")).unwrap();
    write(&folder, "m.cfa", SAFE);
    for property in [secret.as_str(), "link.prp", "/dev/zero"] {
        let text = format!(
            "format_version: '2.0'\ninput_files: 'm.cfa'\nproperties:\n  - property_file: {property}\n"
        );
        let task = write(&folder, "t.yml", text);
        let outcome = thetis(&["check", &task]);
        assert_eq!((outcome.out.as_str(), outcome.code), ("", 2), "{property}: {}", outcome.err);
        assert!(!outcome.err.contains("hunter2"), "{property}: {}", outcome.err);
    }
    let text = "format_version: '2.0'\ninput_files: 't.yml'\nproperties:\n  - property_file: t.prp\n";
    write(&folder, "t.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    let outcome = thetis(&["check", &write(&folder, "t.yml", text)]);
    assert_eq!(outcome.code, 2, "a definition that names itself: {}", outcome.err);
}

#[test]
fn names_cannot_forge_lines_or_move_the_cursor() {
    let folder = folder();
    let name = "a\nsafe\u{1b}[2J.cfa";
    for text in ["nonsense", "main process p { init loc a }", SAFE] {
        let file = write(&folder, name, text);
        for format in ["text", "json", "sarif"] {
            let outcome = thetis(&["check", &file, "--format", format]);
            assert!(!(outcome.out + &outcome.err).contains('\u{1b}'), "{}", outcome.err);
            assert!(!outcome.err.lines().any(|line| line.starts_with("safe")), "{}", outcome.err);
        }
    }
    let missing = folder.path().join("no\nsafe\u{1b}[2J.cfa").display().to_string();
    let outcome = thetis(&["check", &missing]);
    assert_eq!(outcome.err.lines().count(), 1, "{}", outcome.err);
    assert!(!outcome.err.contains('\u{1b}'));
}

#[test]
fn a_harness_keeps_the_name_of_the_program_in_its_comment() {
    let folder = folder();
    let text = "void reach_error(void) { } int main(void) { reach_error(); return 0; }";
    std::fs::create_dir(folder.path().join("x*")).unwrap();
    for name in ["x*/int evil; _*.c", "a$(touch stolen).c", "a;b\n.c"] {
        let file = write(&folder, name, text);
        let harness = folder.path().join("h.c").display().to_string();
        let outcome = thetis(&["check", &file, "--harness", &harness]);
        assert_eq!(outcome.code, 10, "{}", outcome.err);
        let head = std::fs::read_to_string(&harness).unwrap();
        let comment = &head[..head.find("*/").unwrap()];
        let command = comment.lines().find(|line| line.contains("gcc -w")).unwrap();
        assert!(command.contains("THIS_FILE"), "{head}");
        assert!(!command.contains("$(") || command.contains('\''), "{command}");
    }
}
