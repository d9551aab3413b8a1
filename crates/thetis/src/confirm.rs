//! `thetis check --confirm`: does the compiled program do what a violation says?
//!
//! The checker replays a run on the automaton. That the automaton says what the C text says is checked here, on one run: the
//! program is compiled together with its harness ([`thetis_c::evidence::harness`]), which delivers the inputs of the run and ends the
//! program with a status of its own where the property is violated, and the result is executed. The compiler and the machine
//! are a judge that shares nothing with the translation.
//!
//! Compiler and program run with limits, in a process group of their own and in an empty folder ([`sandbox`]). A run that does not reach
//! the violation changes no verdict, since the cause may be a choice that the compiler makes, such as the value of an uninitialised
//! variable; the report says what happened instead.

mod sandbox;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::Duration;

use thetis_base::Run;
use thetis_c::evidence::harness::{Harness, MARKER, REACHED};
use thetis_model::{Evidence, Model, Verdict};
use thetis_report::Confirmation;

use crate::args::PreprocessorArgs;
use crate::input::Input;
use sandbox::{Ended, Environment, Limits, confined};

/// The compiler. Every system with a C compiler has it under this name.
const COMPILER: &str = "cc";

/// What the compiler may use.
const BUILDING: Limits =
    Limits { time: Duration::from_secs(60), memory: Some(4 << 30), file_size: 512 << 20 };

/// What the program may use.
const RUNNING: Limits = Limits { time: Duration::from_secs(10), memory: Some(2 << 30), file_size: 16 << 20 };

/// Confirms the violation of a verdict, within the time that is left; nothing if the verdict is another one.
pub(crate) fn confirm<M: Model>(
    input: &Input<M>,
    verdict: &Verdict<M>,
    preprocessor: &PreprocessorArgs,
    run: &Run,
) -> Option<Confirmation> {
    let (Some(harnesses), Verdict::Unsafe(Evidence::Given(trace))) = (input.language.harnesses(), verdict)
    else {
        return None;
    };
    let harness =
        harnesses.harness(trace, &input.sources).map_err(|reason| format!("there is no harness: {reason}"));
    let outcome = harness.and_then(|harness| {
        let ended = execute(Path::new(&input.name), &harness, preprocessor, run);
        ended.map_err(|error| error.to_string()).and_then(|outcome| outcome)
    });
    Some(match outcome {
        Ok(()) => Confirmation::Confirmed,
        Err(reason) => Confirmation::Unconfirmed(reason),
    })
}

/// Whether the program reaches its violation in the surroundings of a harness, or why not.
fn execute(
    program: &Path,
    harness: &Harness,
    preprocessor: &PreprocessorArgs,
    run: &Run,
) -> io::Result<Result<(), String>> {
    let folder = tempfile::tempdir()?;
    let [copy, source, binary] = ["program.c", "harness.c", "violation"].map(|name| folder.path().join(name));
    std::fs::write(&source, &harness.text)?;
    // Under a name of ours: compilers take some names of files for options.
    std::fs::copy(program, &copy)?;
    let mut beside = std::path::absolute(program)?;
    beside.pop();
    let mut command: Vec<OsString> = vec![COMPILER.into()];
    command.extend(["-w", "-std=gnu11", "-O0", "-fcommon", "-fno-strict-aliasing"].map(Into::into));
    command.extend(harness.options.iter().map(Into::into));
    command.extend(preprocessor.options()?);
    command.extend(["-iquote".into(), beside.into(), "-x".into(), "c".into(), copy.into(), source.into()]);
    command.extend(["-lm".into(), "-o".into(), binary.clone().into()]);
    let built = confined(command, folder.path(), &BUILDING, Environment::Inherited, run)?;
    if built.code() != Some(0) {
        return Ok(Err(format!("`{COMPILER}` does not build the program: {}", built.first_message())));
    }
    let limits = match harness.options.iter().any(|option| option.starts_with("-fsanitize=address")) {
        // The sanitizer reserves terabytes of addresses.
        true => Limits { memory: None, ..RUNNING },
        false => RUNNING,
    };
    let ended = confined(vec![binary.into()], folder.path(), &limits, Environment::Empty, run)?;
    Ok(verdict_of(&ended))
}

fn verdict_of(ended: &Ended) -> Result<(), String> {
    if ended.code() == Some(i32::from(REACHED)) && ended.messages.contains(MARKER) {
        return Ok(());
    }
    let message = ended.last_message();
    let remark = if message.is_empty() { String::new() } else { format!(": {message}") };
    Err(format!("the compiled program {}{remark}", ended.description()))
}
