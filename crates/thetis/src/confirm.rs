//! `thetis check --confirm`: does the compiled program do what a violation says?
//!
//! The checker replays a run on the automaton. This module checks, for one run, that the automaton agrees with the C
//! program: the program is compiled together with its harness ([`thetis_c::evidence::harness`]), which supplies the
//! inputs of the run and ends the program with a special status where the property is violated, and the result is
//! executed. The compiler and the machine are an oracle that shares nothing with the translation.
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
use thetis_c::hir::Machine;
use thetis_model::{Evidence, Model, Verdict};
use thetis_report::Confirmation;

use crate::input::Input;
use crate::input::project::Unit;
use sandbox::{Ended, Environment, Limits, confined};

/// The compiler. Every system with a C compiler has it under this name.
const COMPILER: &str = "cc";

/// What the compiler may use.
const BUILDING: Limits =
    Limits { time: Duration::from_secs(60), memory: Some(4 << 30), file_size: 512 << 20 };

/// What the program may use.
const RUNNING: Limits = Limits { time: Duration::from_secs(10), memory: Some(2 << 30), file_size: 16 << 20 };

/// Confirms the violation of a verdict in the remaining time; `None` for other verdicts.
pub(crate) fn confirm<M: Model>(input: &Input<M>, verdict: &Verdict<M>, run: &Run) -> Option<Confirmation> {
    let (Some(harnesses), Verdict::Unsafe(Evidence::Given(trace))) = (input.language.harnesses(), verdict)
    else {
        return None;
    };
    let harness =
        harnesses.harness(trace, &input.sources).map_err(|reason| format!("there is no harness: {reason}"));
    let outcome = harness.and_then(|harness| {
        let ended = execute(input.language.units(), &harness, run);
        ended.map_err(|error| error.to_string()).and_then(|outcome| outcome)
    });
    Some(match outcome {
        Ok(()) => Confirmation::Confirmed,
        Err(reason) => Confirmation::Unconfirmed(reason),
    })
}

/// Whether the program reaches its violation with its harness, or why not.
fn execute(units: &[Unit], harness: &Harness, run: &Run) -> io::Result<Result<(), String>> {
    if !matches!(harness.machine, Machine::X86_64 | Machine::I386) {
        return Ok(Err(format!("programs for {} cannot be executed here", harness.machine.name())));
    }
    let folder = tempfile::tempdir()?;
    let [source, binary] = ["harness.c", "violation"].map(|name| folder.path().join(name));
    std::fs::write(&source, &harness.text)?;
    let mut objects: Vec<(OsString, Vec<OsString>)> = vec![(source.into(), Vec::new())];
    for (number, unit) in units.iter().enumerate() {
        // Under a name that we choose: compilers take some file names for options.
        let copy = folder.path().join(format!("program{number}.c"));
        std::fs::copy(&unit.path, &copy)?;
        let mut beside = std::path::absolute(&unit.path)?;
        beside.pop();
        let options = unit.options.iter().cloned().chain(["-iquote".into(), beside.into()]);
        objects.push((copy.into(), options.collect()));
    }
    let mut linking: Vec<OsString> = building(harness);
    for (text, options) in objects {
        let mut object = text.clone();
        object.push(".o");
        let mut command = building(harness);
        command.extend(options);
        command.extend(["-c".into(), "-x".into(), "c".into(), text, "-o".into(), object.clone()]);
        if let Err(reason) = build(command, folder.path(), run)? {
            return Ok(Err(reason));
        }
        linking.push(object);
    }
    linking.extend(["-lm".into(), "-o".into(), binary.clone().into()]);
    if let Err(reason) = build(linking, folder.path(), run)? {
        return Ok(Err(reason));
    }
    let limits = match harness.options.iter().any(|option| option.starts_with("-fsanitize=address")) {
        // The sanitizer reserves terabytes of addresses.
        true => Limits { memory: None, ..RUNNING },
        false => RUNNING,
    };
    let ended = confined(vec![binary.into()], folder.path(), &limits, Environment::Empty, run)?;
    Ok(verdict_of(&ended))
}

/// The compiler with the options that all files need.
fn building(harness: &Harness) -> Vec<OsString> {
    let usual = ["-w", "-std=gnu11", "-O0", "-fcommon", "-fno-strict-aliasing"].map(Into::into);
    std::iter::once(COMPILER.into()).chain(usual).chain(harness.options.iter().map(Into::into)).collect()
}

/// Runs the compiler; returns its messages if it fails.
fn build(command: Vec<OsString>, folder: &Path, run: &Run) -> io::Result<Result<(), String>> {
    let built = confined(command, folder, &BUILDING, Environment::Inherited, run)?;
    Ok(match built.code() {
        Some(0) => Ok(()),
        _ => Err(format!("`{COMPILER}` does not build the program: {}", built.first_message())),
    })
}

fn verdict_of(ended: &Ended) -> Result<(), String> {
    if ended.code() == Some(i32::from(REACHED)) && ended.messages.contains(MARKER) {
        return Ok(());
    }
    let message = ended.last_message();
    let remark = if message.is_empty() { String::new() } else { format!(": {message}") };
    Err(format!("the compiled program {}{remark}", ended.description()))
}
