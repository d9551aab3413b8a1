//! The same programs, run by a compiler with a sanitizer.

use std::fmt::Write;
use std::process::Command;

use super::cases::{CASES, Case, NAMES, PRELUDE};

/// All programs in one file, each chosen by a number; inputs come from a list.
fn joined(cases: &[&Case]) -> String {
    let mut text =
        PRELUDE.replace("int input(void);", "int atoi(const char *);\n#define alloca __builtin_alloca\n");
    text = text.replace("void *alloca(size_t);", "");
    text += "static const int *inputs; int input(void) { return *inputs++; }\n";
    for (number, case) in cases.iter().enumerate() {
        for name in NAMES {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "#undef {name}\n#define {name} {name}_{number}");
        }
        let inputs: Vec<String> = case.inputs.iter().map(|input| format!("{input}, ")).collect();
        let _ =
            writeln!(text, "static const int inputs_{number}[] = {{ {}0 }};\n{}", inputs.concat(), case.text);
    }
    text += "#undef main\nint main(int argc, char **argv) { switch (atoi(argv[1])) {\n";
    for number in 0..cases.len() {
        let _ = writeln!(text, "case {number}: inputs = inputs_{number}; return main_{number}();");
    }
    text + "} return 99; }\n"
}

#[test]
fn a_sanitizer_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let (source, binary) = (folder.path().join("cases.c"), folder.path().join("cases"));
    let cases: Vec<&Case> = CASES.iter().filter(|case| case.is_seen).collect();
    assert!(cases.len() >= 20);
    std::fs::write(&source, joined(&cases)).unwrap();
    let mut compiler = Command::new("gcc");
    compiler.args(["-w", "-O0", "-fsanitize=address", "-o"]).arg(&binary).arg(&source);
    let Ok(output) = compiler.output() else {
        println!("skipped: there is no gcc");
        return;
    };
    let message = String::from_utf8_lossy(&output.stderr);
    if message.contains("asan") {
        println!("skipped: gcc has no address sanitizer here");
        return;
    }
    assert!(output.status.success(), "{message}");
    let mut wrong = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let options = "detect_leaks=0:detect_stack_use_after_return=1:exitcode=77";
        let output =
            Command::new(&binary).arg(number.to_string()).env("ASAN_OPTIONS", options).output().unwrap();
        let is_error = output.status.code() == Some(77);
        let is_expected = case.expected[..2].contains('!');
        let is_limit = case.expected[..2].contains('?');
        if is_error != is_expected || (is_limit && is_error) {
            wrong.push(case.text);
        }
    }
    assert!(wrong.is_empty(), "the sanitizer does not agree on\n{}", wrong.join("\n"));
}
