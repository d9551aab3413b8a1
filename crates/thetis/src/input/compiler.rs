//! Runs the C compiler safely: it gets no file names, which its components could take for options; it shares the limits
//! of the run; its output is limited; and it ends with the run.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use thetis_base::{Run, charge_cpu_time, printable};
use wait4::Wait4;

use crate::commands::launch::{LaunchLimits, launching};
use crate::failure::Failure;

/// The compiler. Every system with a C compiler has it under this name.
pub(super) const COMPILER: &str = "cc";

/// The most text that the preprocessor may produce.
const MAX_OUTPUT: u64 = 256 << 20;

/// The most messages that are kept.
const MAX_MESSAGES: u64 = 1 << 20;

/// The most address space of each process of the compiler.
const MAX_MEMORY: u64 = 2 << 30;

/// The compiler's messages.
pub(super) struct Output {
    pub(super) is_success: bool,
    pub(super) text: String,
    pub(super) messages: String,
}

/// What the compiler reads.
pub(super) struct Program<'a> {
    pub(super) file: File,
    /// Its folder, relative to which includes are resolved.
    pub(super) folder: &'a Path,
}

/// Runs the compiler of this system with `arguments` and `program` on its standard input.
pub(super) fn compile(
    arguments: Vec<OsString>,
    program: Option<Program<'_>>,
    run: &Run,
) -> Result<Output, Failure> {
    compile_with(COMPILER, arguments, program, run)
}

/// Runs a compiler by its name.
pub(super) fn compile_with(
    compiler: &str,
    arguments: Vec<OsString>,
    program: Option<Program<'_>>,
    run: &Run,
) -> Result<Output, Failure> {
    run.checkpoint().map_err(Failure::stopped)?;
    reject_files_of_options(&arguments)?;
    let command = std::iter::once(compiler.into()).chain(arguments).collect();
    let mut child = start(command, program, run)?;
    let group = Pid::from_child(&child);
    let piped = "a pipe that was asked for should be there";
    let (text, messages) = (child.stdout.take().expect(piped), child.stderr.take().expect(piped));
    let messages = std::thread::spawn(move || read_at_most(messages, MAX_MESSAGES));
    let registration = run.on_cancel(move || kill(group));
    let text = read_at_most(text, MAX_OUTPUT);
    if text.len() as u64 > MAX_OUTPUT {
        kill(group);
    }
    let messages = messages.join().unwrap_or_default();
    // The process is waited for only after this, so its group id cannot have been reused.
    drop(registration);
    let ended = child.wait4().map_err(Failure::internal)?;
    charge_cpu_time(ended.rusage.utime + ended.rusage.stime);
    if text.len() as u64 > MAX_OUTPUT {
        return Err(Failure::input(format!(
            "the preprocessed program is larger than {} MiB",
            MAX_OUTPUT >> 20
        )));
    }
    run.checkpoint().map_err(Failure::stopped)?;
    let as_text = |bytes: Vec<u8>| thetis_c::encoding::decode(&bytes);
    Ok(Output { is_success: ended.status.success(), text: as_text(text), messages: as_text(messages) })
}

/// Compilers and their parts replace a word that starts with `@` by the words of the file that it names, which can be options that run programs. That also
/// happens to values of options: `-D` and `@file` are two words for the parts of the compiler, even if they were one.
pub(super) fn reject_files_of_options(arguments: &[OsString]) -> Result<(), Failure> {
    match arguments.iter().find(|word| word.as_encoded_bytes().starts_with(b"@")) {
        None => Ok(()),
        Some(word) => Err(Failure::input(format!(
            "the compiler would take `{}` for a file of options",
            printable(&word.to_string_lossy())
        ))),
    }
}

fn start(command: Vec<OsString>, program: Option<Program<'_>>, run: &Run) -> Result<Child, Failure> {
    let memory = run.memory_limit().map_or(MAX_MEMORY, |limit| limit.clamp(512 << 20, MAX_MEMORY));
    let limits = LaunchLimits {
        cpu: run.left_to_spend().map(|time| time + Duration::from_secs(1)),
        address_space: Some(memory),
        file_size: Some(MAX_OUTPUT),
    };
    let line = launching(command, limits).map_err(Failure::internal)?;
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]).env("LC_ALL", "C").process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(Program { file, folder }) = program {
        command.stdin(file).current_dir(folder);
    }
    command.spawn().map_err(|error| {
        Failure::input(format!(
            "the program has preprocessor directives, and `{COMPILER}` cannot be started ({error}); \
             give a preprocessed file (.i) instead"
        ))
    })
}

/// The output of a process, up to one byte more than `most`.
fn read_at_most(from: impl Read, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // If reading fails, the end of the output is missing, and the process has failed.
    let _ = from.take(most + 1).read_to_end(&mut bytes);
    bytes
}

fn kill(group: Pid) {
    // It is fine if the group has already ended.
    let _ = kill_process_group(group, Signal::KILL);
}
