//! Models and the functions of the system, compiled into one program that compares them on tables of arguments.

use std::process::Command;

use thetis_c::model_texts;

/// Compiles and runs the comparison of one header.
fn compare(name: &str, driver: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (source, binary) = (folder.path().join(format!("{name}.c")), folder.path().join(name));
    let mut text = include_str!("prelude.c").to_string();
    text.extend(model_texts().map(|(_, text)| text));
    text += driver;
    std::fs::write(&source, text).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-O0", "-fno-builtin", "-o"]).arg(&binary).arg(&source).arg("-lm");
    let Ok(output) = compiler.output() else {
        return println!("skipped: there is no C compiler");
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&binary).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn characters_are_classified_as_by_the_system() {
    compare("ctype", include_str!("ctype.c"));
}

#[test]
fn bits_are_counted_as_by_the_compiler() {
    compare("bits", include_str!("bits.c"));
}

#[test]
fn lists_of_arguments_are_printed_as_by_the_system() {
    compare("printf", include_str!("printf.c"));
}

#[test]
fn strings_are_treated_as_by_the_system() {
    compare("string", include_str!("string.c"));
}

#[test]
fn numbers_are_read_and_elements_sorted_as_by_the_system() {
    compare("stdlib", include_str!("stdlib.c"));
}

#[test]
fn floating_point_functions_calculate_as_those_of_the_system() {
    compare("math", include_str!("math.c"));
}
