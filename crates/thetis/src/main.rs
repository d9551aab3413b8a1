//! The command line of Thetis: arguments, files, streams and exit codes.
//!
//! Standard output carries the verdict line, or the result in the requested format, and nothing else; everything else
//! goes to standard error.

mod advice;
mod args;
mod commands;
mod confirm;
mod ending;
mod exit;
mod facts;
mod failure;
mod input;
mod judges;
mod loaded;
mod outputs;
mod progress;
mod protect;
mod session;
mod signals;
mod silence;
mod solidity;
mod terminal;
mod translation;
mod units;
mod watchdog;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use thetis_base::{Stop, printable, stop_of};

use args::{Cli, Command, respelled};
use exit::Exit;
use failure::Failure;
use input::prepared;
use terminal::{Manner, Volume};

fn main() -> ExitCode {
    if let Err(error) = signals::listen() {
        return report(Failure::internal(error)).into();
    }
    let cli = match Cli::try_parse_from(respelled(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return explain(&error).into(),
    };
    let volume = if cli.quiet { Volume::Quiet } else { Volume::Usual };
    terminal::speak(Manner { volume, color: cli.color });
    // A panic is a bug in Thetis, unless it is the end of the run; its message is on standard error already, and no
    // verdict was printed.
    let outcome = std::panic::catch_unwind(|| run(cli.command));
    let outcome = outcome.unwrap_or_else(|payload| match stop_of(payload) {
        Ok(stop) => Err(Failure::stopped(stop)),
        Err(_) => Err(Failure::internal("internal error, please report it")),
    });
    match outcome {
        Ok(exit) => exit.into(),
        Err(failure) => report(failure).into(),
    }
}

/// Prints why the command failed.
fn report(failure: Failure) -> Exit {
    let failure = match failure.unknown {
        None => failure,
        Some(reason) => match ending::without_answer(&reason) {
            Ok(exit) => return exit,
            Err(failure) => failure,
        },
    };
    if !failure.message.is_empty() {
        terminal::complain(&format!("thetis: {}\n", failure.message));
    }
    failure.exit
}

fn run(command: Command) -> Result<Exit, Failure> {
    let has_run = matches!(
        command,
        Command::Check(_)
            | Command::Certify(_)
            | Command::Convert(_)
            | Command::Interpolate(_)
            | Command::Bench(_)
            | Command::Worker(_)
    );
    if !has_run && signals::stop_listening() {
        return Err(Failure::stopped(Stop::Cancelled));
    }
    match command {
        Command::Check(args) => commands::check::run(*args),
        Command::Certify(args) => commands::certify::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Interpolate(args) => commands::interpolate::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Engines(args) => commands::engines::run(&args),
        Command::Generate(args) => commands::generate::run(&args),
        Command::Worker(mut args) => {
            let _prepared = prepared::share(&mut args.question)?;
            commands::worker::run(&args)
        }
        Command::Solver => commands::solver::run(),
        Command::Launch(args) => commands::launch::run(&args),
    }
}

/// Help and version go to standard output, usage errors to standard error.
fn explain(error: &clap::Error) -> Exit {
    let is_wanted = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && Path::new(word).extension().is_some()
    {
        let word = printable(word);
        terminal::complain(&format!("thetis: `{word}` is no command; did you mean `thetis check {word}`?\n"));
        return Exit::Usage;
    }
    // A closed stream cannot be helped.
    let _ = error.print();
    if is_wanted { Exit::Safe } else { Exit::Usage }
}
