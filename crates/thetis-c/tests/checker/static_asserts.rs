//! Programs made of static assertions: types of expressions, values of constants, layouts. Each assertion holds for the
//! checker and for gcc, which is run as well if it is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use thetis_base::{Diagnostics, SourceMap};
use thetis_c::hir::Machine;
use thetis_c::{LineMarkers, SourceOptions};

/// The machines that differ in sizes only.
const BOTH: [Machine; 2] = [Machine::I386, Machine::X86_64];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checker/static").join(name)
}

fn errors(text: &str, machine: Machine) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text);
    let mut diagnostics = Diagnostics::new();
    let options = SourceOptions { machine, line_markers: LineMarkers::Ignore };
    let program = thetis_c::check(&sources, file, &options, &mut diagnostics);
    assert_eq!(program.is_err(), diagnostics.num_errors() > 0);
    let errors = diagnostics.iter().filter(|message| message.severity == thetis_base::Severity::Error);
    errors.map(|error| format!("{}: {}", sources.start(error.span).line, error.message)).collect()
}

fn hold(name: &str, machines: &[Machine]) {
    let text = std::fs::read_to_string(path(name)).unwrap();
    for machine in machines {
        assert_eq!(errors(&text, *machine), Vec::<String>::new(), "{name} for {machine:?}");
        gcc_agrees(&path(name), *machine);
    }
}

/// Runs gcc, if it is installed for the machine.
fn gcc_agrees(file: &Path, machine: Machine) {
    let (compiler, options): (&str, &[&str]) = match machine {
        Machine::I386 => ("gcc", &["-m32"]),
        Machine::X86_64 => ("gcc", &["-m64"]),
        Machine::Arm => ("arm-linux-gnueabihf-gcc", &["-marm"]),
        Machine::ArmNoneEabi => ("arm-none-eabi-gcc", &["-mcpu=cortex-m4"]),
        Machine::Aarch64 => ("aarch64-linux-gnu-gcc", &["-mlittle-endian"]),
        Machine::Riscv32 => ("riscv64-unknown-elf-gcc", &["-march=rv32imac", "-mabi=ilp32"]),
        Machine::Riscv64 => ("riscv64-linux-gnu-gcc", &["-mlittle-endian"]),
    };
    let gcc = || {
        let mut command = Command::new(compiler);
        command.args(options).args(["-std=gnu11", "-w", "-fsyntax-only", "-x", "c"]);
        command
    };
    let works = gcc().arg("/dev/null").output().is_ok_and(|output| output.status.success());
    if !works {
        println!("skipped: no {compiler} {options:?}");
        return;
    }
    let output = gcc().arg(file).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{compiler} {options:?} disagrees:\n{messages}");
}

#[test]
fn types_of_expressions() {
    hold("types.c", &BOTH);
}

#[test]
fn values_of_constants() {
    hold("values.c", &BOTH);
}

#[test]
fn data_models() {
    hold("lp64.c", &[Machine::X86_64]);
    hold("ilp32.c", &[Machine::I386]);
}

#[test]
fn other_machines() {
    hold("arm.c", &[Machine::Arm]);
    hold("arm-none-eabi.c", &[Machine::ArmNoneEabi]);
    hold("riscv32.c", &[Machine::Riscv32]);
    hold("aarch64.c", &[Machine::Aarch64]);
    hold("riscv64.c", &[Machine::Riscv64]);
}

/// The tests above could not fail if assertions were not evaluated.
#[test]
fn false_assertions_are_errors() {
    let text = "_Static_assert(sizeof(long) == 8, \"no\");\nint f(void) { _Static_assert(1 > 2, \"never\"); return 0; }\n";
    assert_eq!(
        errors(text, Machine::I386),
        ["1: static assertion failed: \"no\"", "2: static assertion failed: \"never\""]
    );
    assert_eq!(errors(text, Machine::X86_64), ["2: static assertion failed: \"never\""]);
}
