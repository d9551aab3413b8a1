//! The program as users see it: arguments, streams, files and exit codes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod asked;
mod bad_input;
mod bench;
mod c;
mod check;
mod checks;
mod comfort;
mod commands;
mod confirm;
mod everyday;
mod evidence;
mod explained;
mod facts;
mod hostile;
mod integration;
mod limits;
mod memory;
mod opinions;
mod projects;
mod protect;
mod question;
mod schema;
mod scripts;
mod solidity;
mod solidity_contract;
mod solidity_evm;
mod solidity_figures;
mod solidity_functions;
mod systems;
mod tasks;
mod threads;
mod times;
mod tools;
mod transcripts;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The outcome of a run of the program.
struct Outcome {
    code: i32,
    out: String,
    err: String,
}

impl Outcome {
    /// The verdict line without what a proof is about.
    fn word(&self) -> &str {
        self.out.trim_end().split(':').next().unwrap_or_default()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn outcome(output: &Output) -> Outcome {
    Outcome {
        code: output.status.code().expect("the program should not be killed"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_thetis"));
    program.current_dir(root());
    program
}

fn thetis(args: &[&str]) -> Outcome {
    outcome(&program().args(args).output().expect("the program should start"))
}

/// A folder for one test, removed afterwards.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder should be had")
}

fn write(folder: &tempfile::TempDir, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a temporary file should be writable");
    path.display().to_string()
}

const UNSAFE: &str = "main process p {
    var x : int
    init loc a
    loc b
    error loc bad
    a -> b { x := 1 }
    b -> bad { assume x = 1 }
}
";
const SAFE: &str = "main process p { var x : int init loc a error loc bad a -> bad { x := 1 assume x = 2 } }";
const ENDLESS: &str = "main process p { var x : int var y : int init loc a loc b error loc bad a -> b { x := 0 y := 0 } b -> b { havoc x assume x > y havoc y assume y = x } b -> bad { assume x /= y } }";
