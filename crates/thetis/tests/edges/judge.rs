//! What the compiled program does.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::table::{Program, Verdict};

/// The status with which sanitizers end a program.
const COMPLAINT: i32 = 77;

/// Why there is no verdict.
pub(crate) enum Silent {
    /// The compiler cannot build such programs here.
    Skipped,
    /// Something else went wrong.
    Because(String),
}

pub(crate) fn has_compiler() -> bool {
    Command::new("gcc").arg("--version").output().is_ok()
}

/// Whether the compiler and the libraries that a program needs are there.
pub(crate) fn can_build(program: &Program) -> bool {
    let has_size = program.data_model != "ILP32" || has_option("-m32");
    has_compiler() && has_size && (sanitizer(program).is_none() || has_option("-fsanitize=address,undefined"))
}

/// Compiles and runs a program that needs nothing from outside.
pub(crate) fn judge(program: &Program) -> Result<Verdict, Silent> {
    if !can_build(program) {
        return Err(Silent::Skipped);
    }
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("program");
    compile(program, folder.path(), &binary)?;
    let options = format!("exitcode={COMPLAINT}");
    let output = Command::new("timeout")
        .arg("20")
        .arg(&binary)
        .env("ASAN_OPTIONS", format!("detect_leaks=1:detect_stack_use_after_return=1:{options}"))
        .env("UBSAN_OPTIONS", options)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    match (sanitizer(program), output.status.code()) {
        (Some(_), Some(COMPLAINT)) => Ok(Verdict::Unsafe),
        (Some(_), _) if message.contains("runtime error") => Ok(Verdict::Unsafe),
        (None, None) if output.status.signal() == Some(ABORTED) => Ok(Verdict::Unsafe),
        (_, Some(code)) if code < TIMEOUT => Ok(Verdict::Safe),
        _ => Err(Silent::Because(format!("the compiled program ends with {}: {message}", output.status))),
    }
}

/// The signal of `abort`.
const ABORTED: i32 = 6;

/// The least status with which `timeout` reports troubles of its own.
const TIMEOUT: i32 = 124;

fn sanitizer(program: &Program) -> Option<&'static str> {
    match program.property.as_str() {
        "valid-memsafety" => Some("-fsanitize=address,undefined"),
        "no-overflow" => Some("-fsanitize=signed-integer-overflow"),
        _ => None,
    }
}

fn compile(program: &Program, folder: &Path, binary: &Path) -> Result<(), Silent> {
    let mut compiler = Command::new("gcc");
    compiler.args(["-std=gnu11", "-O0", "-w", "-o"]).arg(binary).arg(program.write(folder)).arg("-lm");
    match sanitizer(program) {
        Some(option) => compiler.args([option, "-fno-sanitize-recover=all"]),
        None => compiler.args(["-fwrapv", "-fno-strict-aliasing"]),
    };
    if program.data_model == "ILP32" {
        compiler.arg("-m32");
    }
    let output = compiler.output().unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(Silent::Because(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

/// Whether programs can be built with an option, which needs libraries that a machine may lack.
fn has_option(option: &'static str) -> bool {
    static KNOWN: [OnceLock<bool>; 2] = [OnceLock::new(), OnceLock::new()];
    let known = &KNOWN[usize::from(option == "-m32")];
    *known.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("empty.c");
        std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
        let output =
            Command::new("gcc").arg(option).arg(&source).arg("-o").arg(folder.path().join("empty")).output();
        output.is_ok_and(|output| output.status.success())
    })
}
