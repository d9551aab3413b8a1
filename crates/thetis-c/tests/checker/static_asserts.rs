//! Programs made of static assertions: types of expressions, values of constants, layouts. Each assertion holds for gcc,
//! which is asked as well if it is there, and for us.

use std::path::{Path, PathBuf};
use std::process::Command;

use thetis_base::{Diagnostics, SourceMap};
use thetis_c::hir::DataModel;
use thetis_c::{LineMarkers, SourceOptions};

const BOTH: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checker/static").join(name)
}

fn errors(text: &str, data_model: DataModel) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text);
    let mut diagnostics = Diagnostics::new();
    let options = SourceOptions { data_model, line_markers: LineMarkers::Ignore };
    let program = thetis_c::check(&sources, file, &options, &mut diagnostics);
    assert_eq!(program.is_err(), diagnostics.num_errors() > 0);
    let errors = diagnostics.iter().filter(|message| message.severity == thetis_base::Severity::Error);
    errors.map(|error| format!("{}: {}", sources.start(error.span).line, error.message)).collect()
}

fn hold(name: &str, models: &[DataModel]) {
    let text = std::fs::read_to_string(path(name)).unwrap();
    for model in models {
        assert_eq!(errors(&text, *model), Vec::<String>::new(), "{name} for {model:?}");
        gcc_agrees(&path(name), *model);
    }
}

/// Asks gcc, unless it is not there or cannot do the data model.
fn gcc_agrees(file: &Path, model: DataModel) {
    let option = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let gcc = || {
        let mut command = Command::new("gcc");
        command.args([option, "-std=gnu11", "-w", "-fsyntax-only", "-x", "c"]);
        command
    };
    let works = gcc().arg("/dev/null").output().is_ok_and(|output| output.status.success());
    if !works {
        println!("skipped: no gcc {option}");
        return;
    }
    let output = gcc().arg(file).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "gcc {option} disagrees:\n{messages}");
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
    hold("lp64.c", &[DataModel::Lp64]);
    hold("ilp32.c", &[DataModel::Ilp32]);
}

/// The tests above could not fail if assertions were not evaluated.
#[test]
fn false_assertions_are_errors() {
    let text = "_Static_assert(sizeof(long) == 8, \"no\");\nint f(void) { _Static_assert(1 > 2, \"never\"); return 0; }\n";
    assert_eq!(
        errors(text, DataModel::Ilp32),
        ["1: static assertion failed: \"no\"", "2: static assertion failed: \"never\""]
    );
    assert_eq!(errors(text, DataModel::Lp64), ["2: static assertion failed: \"never\""]);
}
