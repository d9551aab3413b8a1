//! Malicious input: it is treated as data, never as commands, and discloses nothing but itself.

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
        assert_eq!((outcome.word(), outcome.code), ("safe", 0), "{name}: {}", outcome.err);
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
    // Nobody ever writes to it.
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe.h")).status().unwrap().success());
    let mut macros = String::from("#define M0 x x\n");
    for number in 1..60 {
        macros += &format!("#define M{number} M{0} M{0}\n", number - 1);
    }
    for (name, text) in [
        ("includes.c", "#include \"bomb.h\"\nint main(void) { return 0; }\n".to_owned()),
        ("macros.c", format!("{macros}int main(void) {{ return M59; }}\n")),
        ("zero.c", "#include \"/dev/zero\"\nint main(void) { return 0; }\n".to_owned()),
        ("pipe.c", "#include \"pipe.h\"\nint main(void) { return 0; }\n".to_owned()),
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

/// Models name their transitions, predicates and texts as they like.
#[test]
fn names_in_models_cannot_forge_lines_or_change_the_direction_of_text() {
    let net = "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>
        <place id='p'><initialMarking><text>1</text></initialMarking></place>
        <transition id='t&#10;safe&#x202e;'/><arc id='a' source='p' target='t&#10;safe&#x202e;'/></page></net></pnml>";
    let clauses = "(set-logic HORN) (declare-fun |p\nsafe: \u{202e}| (Int) Bool)
        (assert (forall ((x Int)) (=> (= x 0) (|p\nsafe: \u{202e}| x))))
        (assert (forall ((x Int)) (=> (and (|p\nsafe: \u{202e}| x) (= x 0)) false))) (check-sat)";
    let program = "extern void __assert_fail(const char *, const char *, unsigned, const char *);
        int main(void) { __assert_fail(\"\u{1b}[31m\u{202e}\", \"\", 1, \"\"); }";
    for (name, text, property) in
        [("n.pnml", net, Some("deadlock")), ("h.smt2", clauses, None), ("p.i", program, None)]
    {
        let folder = folder();
        let file = write(&folder, name, text);
        let property = property.into_iter().flat_map(|property| ["--property", property]);
        let args: Vec<&str> = ["check", &file, "-v"].into_iter().chain(property).collect();
        for colours in ["auto", "always"] {
            let outcome = thetis(&[&args[..], &["--color", colours]].concat());
            assert_eq!(outcome.code, 10, "{}", outcome.err);
            let text = outcome.out + &outcome.err;
            assert!(!text.lines().any(|line| line.starts_with("safe")), "{text}");
            assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
        }
    }
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

/// Their first comment says what they reach, and where: a line break after a backslash joins what stands around it.
#[test]
fn tests_keep_the_name_of_the_program_in_their_comment() {
    let folder = folder();
    let text = "int nondet(void); int main(void) { if (nondet()) return 1; return 0; }";
    for name in ["x*/int evil; _.c", "y*\\\n/int evil; _.c"] {
        std::fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        let file = write(&folder, name, text);
        let tests = folder.path().join("tests").display().to_string();
        let outcome = thetis(&["check", &file, "--tests", &tests]);
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        let test = std::fs::read_to_string(folder.path().join("tests/test-001.c")).unwrap();
        let code = test.replace("\\\n", "");
        let after = code.split_once("*/").unwrap().1;
        assert!(after.trim_start().starts_with("extern long write"), "{test}");
    }
}

#[test]
fn a_contract_shows_no_files_that_are_not_its_own() {
    let (elsewhere, folder) = (folder(), folder());
    let secret = write(&elsewhere, "secret.txt", SECRET);
    let foreign = write(&elsewhere, "foreign.sol", SECRET);
    write(&folder, "own.txt", SECRET);
    std::os::unix::fs::symlink(&secret, folder.path().join("link.sol")).unwrap();
    let up = format!("../{}/foreign.sol", elsewhere.path().file_name().unwrap().to_str().unwrap());
    for import in [secret.as_str(), &foreign, &up, "./link.sol", "own.txt", "/etc/passwd", "/dev/zero"] {
        let file = write(&folder, "c.sol", format!("import \"{import}\";\ncontract C {{ }}\n"));
        for property in ["annotations", "contract"] {
            let outcome = thetis(&["check", &file, "--property", property]);
            assert_eq!((outcome.out.as_str(), outcome.code), ("", 2), "{import}: {}", outcome.err);
            assert!(outcome.err.contains("is imported"), "{import}: {}", outcome.err);
            assert!(!outcome.err.contains("hunter2"), "{import}: {}", outcome.err);
        }
    }
    // What belongs to it may be imported, in a circle too.
    let text = "pragma solidity ^0.8.0;\nimport \"./c.sol\";\ncontract C { function f(uint x) public pure { assert(x == x); } }\n";
    let file = write(&folder, "c.sol", text);
    let outcome = thetis(&["check", &file]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
}

#[test]
fn entities_of_xml_are_not_expanded() {
    let (elsewhere, folder) = (folder(), folder());
    let secret = write(&elsewhere, "secret.txt", SECRET);
    let bomb: String = (1..30).map(|n| format!("<!ENTITY e{n} \"&e{0};&e{0};\">", n - 1)).collect();
    for entities in [format!("<!ENTITY e29 SYSTEM \"file://{secret}\">"), format!("<!ENTITY e0 \"x\">{bomb}")]
    {
        for (name, text) in [
            (
                "m.pnml",
                "<pnml><net id=\"n\" type=\"x\"><page id=\"p\"><name><text>&e29;</text></name></page></net></pnml>",
            ),
            ("m.xml", "<nta><declaration>&e29;</declaration><system>system P;</system></nta>"),
        ] {
            let text = format!("<?xml version=\"1.0\"?><!DOCTYPE t [{entities}]>{text}");
            let outcome = thetis(&["check", &write(&folder, name, text), "--time", "5s"]);
            assert_eq!((outcome.out.as_str(), outcome.code), ("", 2), "{name}: {}", outcome.err);
            assert!(!outcome.err.contains("hunter2"), "{}", outcome.err);
        }
    }
}

/// A text of each language that is nested so deep that reading it by recursion would overflow the stack.
fn nested() -> Vec<(&'static str, String)> {
    let deep = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(30_000), close.repeat(30_000))
    };
    let cfa = |formula: String| {
        format!("main process p {{ var x : int init loc a error loc bad a -> bad {{ assume {formula} }} }}")
    };
    let c = |text: String| format!("int x; int main(void) {{ {text}; return 0; }}");
    let horn = |formula: String| {
        format!(
            "(set-logic HORN)(declare-fun P (Int) Bool)(assert (forall ((x Int)) (=> {formula} (P x))))(check-sat)"
        )
    };
    vec![
        ("m.cfa", cfa(deep("(", "x = 1", ")"))),
        ("m.cfa", cfa(deep("not ", "x = 1", ""))),
        (
            "m.sts",
            format!(
                "specification S {{ system s := {{ var n : bool initial {} transition n' = n }} property p : s models G(n) }}",
                deep("not (", "n", ")")
            ),
        ),
        ("m.net", format!("place p = 1\ntransition t in p out p\ntarget {}", deep("(", "p = 1", ")"))),
        ("m.pnml", deep("<page id=\"p\">", "", "</page>")),
        ("m.xml", deep("<nta>", "", "</nta>")),
        (
            "m.xta",
            format!(
                "process P() {{ state a; init a; trans a -> a {{ guard {}; }}; }} system P;",
                deep("(", "1", ")")
            ),
        ),
        (
            "m.sol",
            format!(
                "contract C {{ function f(uint x) public pure {{ assert({}); }} }}",
                deep("(", "x > 0", ")")
            ),
        ),
        ("m.smt2", horn(deep("(not ", "(< x 0)", ")"))),
        ("m.smt2", deep("(", "", "")),
        ("m.c", c(format!("x = {}", deep("(", "1", ")")))),
        ("m.c", c(deep("{", "", "}"))),
        ("m.c", c(format!("{} y", deep("typeof(", "x", ")")))),
        ("m.c", c(format!("{} y", deep("_Atomic(", "int", ")")))),
        ("m.c", c(format!("x = {}", deep("sizeof ", "x", "")))),
        ("m.c", format!("int {} a; int main(void) {{ return 0; }}", "*".repeat(30_000))),
        ("m.yml", deep("[", "", "")),
        ("m.yml", deep("{a: ", "", "")),
    ]
}

#[test]
fn no_nesting_is_too_deep() {
    let folder = folder();
    for (name, text) in nested() {
        let start: String = text.chars().take(60).collect();
        let outcome = thetis(&["check", &write(&folder, name, text), "--time", "2s"]);
        assert!([0, 2, 5, 10].contains(&outcome.code), "{name} {start}: {} {}", outcome.code, outcome.err);
        assert!(!outcome.err.contains("panicked"), "{name} {start}: {}", outcome.err);
    }
    let model = write(&folder, "m.cfa", SAFE);
    for (name, option) in [("c.toml", "--config"), ("s.toml", "--solver")] {
        let file = write(&folder, name, format!("a = {}", "[".repeat(30_000)));
        let outcome = thetis(&["check", &model, option, &file]);
        assert_eq!(outcome.code, 1, "{}", outcome.err);
    }
    let certificate = write(&folder, "c.json", "{\"a\":".repeat(30_000));
    assert_eq!(thetis(&["certify", &model, &certificate]).code, 2);
}

#[test]
fn bytes_that_are_no_text_are_rejected_and_not_sent_to_the_terminal() {
    let folder = folder();
    for extension in
        ["cfa", "sts", "aag", "aig", "pnml", "net", "xta", "xml", "tck", "sol", "smt2", "c", "yml"]
    {
        for bytes in [&b"\0\0\0"[..], b"\xff\xfe\xfd", b"\x1b[2J \x9b2J", b"a \x1b]0;t\x07 \xe2\x80\xae b"] {
            let name = format!("m.{extension}");
            std::fs::write(folder.path().join(&name), bytes).unwrap();
            let outcome = thetis_in(folder.path(), &["check", &name]);
            assert_eq!((outcome.out.as_str(), outcome.code), ("", 2), "{name} {bytes:?}: {}", outcome.err);
            let is_harmful = |letter: char| letter.is_control() && letter != '\n' || letter == '\u{202e}';
            assert!(!outcome.err.contains(is_harmful), "{name} {bytes:?}: {:?}", outcome.err);
        }
    }
}

#[test]
fn large_numbers_of_literals_are_messages_or_take_their_time() {
    let folder = folder();
    let horn = "(set-logic HORN)(declare-fun P (Real) Bool)(assert (forall ((x Real)) (=> (= x V) (P x))))(check-sat)";
    let contract =
        "pragma solidity ^0.8.0; contract C { function f(uint x) public pure { assert(x != V); } }";
    let automaton = "main process p { var x : V init loc a error loc bad a -> bad { assume x = x } }";
    for (name, text) in [
        ("m.sol", contract.replace('V', "(2**4096)**4096 / (3**4000)**4000")),
        ("m.sol", contract.replace('V', "2**100000000")),
        ("m.sol", contract.replace('V', "1 << 2147483647")),
        ("m.sol", contract.replace('V', "1e1000000000")),
        ("m.sol", contract.replace('V', &"9".repeat(100_000))),
        ("m.smt2", horn.replace('V', &format!("0.{}", "3".repeat(400_000)))),
        ("m.smt2", horn.replace('V', &"7".repeat(400_000))),
        ("m.cfa", automaton.replace('V', "bv[4294967295]")),
        ("m.cfa", automaton.replace('V', "bv[99999999999999999999]")),
        ("m.aag", "aag 4294967295 4294967295 0 0 0\n".into()),
        ("m.net", "place p = 18446744073709551616\n".into()),
        ("m.xta", "int x[1000000][1000000]; process P() { state a; init a; } system P;".into()),
        ("m.c", "char a[9223372036854775807], b[9223372036854775807]; int main(void) { return 0; }".into()),
        ("m.c", "double d = 1e999999999, e = 0x1p-999999999; int main(void) { return 0; }".into()),
        ("m.c", "int a[] = { [0 ... 100000000] = 3 }; int main(void) { return a[7]; }".into()),
    ] {
        let outcome = thetis(&["check", &write(&folder, name, &text), "--time", "500ms", "--memory", "1G"]);
        let start: String = text.chars().take(80).collect();
        assert!([0, 2, 5, 10].contains(&outcome.code), "{name} {start}: {} {}", outcome.code, outcome.err);
        assert!(!outcome.err.contains("panicked"), "{name} {start}: {}", outcome.err);
    }
}

/// The scripts for Slurm have a comment with the name of the folder.
#[test]
fn job_scripts_have_no_lines_from_the_name_of_a_folder() {
    let folder = folder();
    let campaign = folder.path().join("a\ntouch stolen\n#").display().to_string();
    let outcome = thetis_in(folder.path(), &["bench", "submit", &campaign, "--", "tasks.csv"]);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert!(outcome.err.contains("control characters"), "{}", outcome.err);
    assert!(!Path::new(&campaign).join("submit.sh").exists());
}
