//! `thetis worker`: one stage of a portfolio, in its own process.
//!
//! An internal command: the request is JSON on standard input, the messages are JSON on standard output, one per line.
//! Events are written when they happen, so a killed worker loses no facts.

use std::ffi::OsString;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Signal, set_parent_process_death_signal};
use thetis_base::{Budget, Stop};
use thetis_engine::Engine;
use thetis_model::{Evidence, Reason, Verdict};
use thetis_portfolio::portfolio::{Exhausted, Message, Request};
use thetis_portfolio::{Config, Cooperation};
use thetis_report::{Certificate, Reportable};

use crate::args::{CheckArgs, JudgeArgs, WorkerArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::session::{Session, start_run};
use crate::{ending, input, terminal};

/// The arguments with which a worker runs a part of `check`.
pub(crate) fn arguments(args: &CheckArgs) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["worker".into()];
    arguments.extend(args.question.arguments());
    let mut option = |name: &str, value: Option<OsString>| {
        arguments.extend(value.into_iter().flat_map(|value| [name.into(), value]));
    };
    option("--property", args.question.properties.first().map(Into::into));
    option("--function", args.question.function.clone().map(Into::into));
    option("--solver", args.solver.solver.clone().map(Into::into));
    option("--smt-log", args.solver.smt_log.clone().map(Into::into));
    arguments
}

pub(crate) fn run(args: &WorkerArgs) -> Result<Exit, Failure> {
    // Without this a worker would outlive a killed portfolio. If the kernel does not support it, the limits remain.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(Failure::internal)?;
    let request: Request = serde_json::from_str(&text).map_err(Failure::usage)?;
    let budget = Budget {
        wall: request.time.map(Duration::from_millis),
        cpu: request.cpu_time.map(Duration::from_millis),
        memory: request.memory,
    };
    let config = Config::from_toml(&request.config).map_err(Failure::usage)?;
    ending::report_with(|reason| {
        let message = match reason {
            Reason::OutOfTime => Message::Exhausted(Exhausted::Time),
            Reason::OutOfMemory => Message::Exhausted(Exhausted::Memory),
            other => Message::Unknown(other.to_string()),
        };
        format!("{}\n", message.line())
    });
    let session =
        Session::of(start_run(budget), &args.solver, &JudgeArgs::default())?.with_events(Arc::new(|event| {
            // If nobody listens any more, the worker will be killed.
            let _ = say(&Message::Event(event.clone()));
        }));
    let Request { facts, use_of_facts, reports_facts, .. } = request;
    let parts = session.parts(Cooperation { facts, use_of_facts, reports_facts });
    input::read(&args.question, &config, &session.run)?.work(&config, &parts, &session)
}

/// Runs the engine of a stage and sends its verdict.
pub(crate) fn answer<M: Reportable>(
    input: &Input<M>,
    mut engine: Box<dyn Engine<M>>,
    session: &Session,
) -> Result<Exit, Failure> {
    let outcome = session.run.enclose(|| engine.check(&input.task, &session.run)).flatten();
    say(&Message::Statistics(engine.statistics().part(session.statistics())))?;
    let message = match outcome {
        Ok(Verdict::Unknown(reason)) => Message::Unknown(reason.to_string()),
        Ok(Verdict::Safe(Evidence::Missing(words)) | Verdict::Unsafe(Evidence::Missing(words))) => {
            Message::Unknown(words.to_owned())
        }
        Ok(verdict) => match Certificate::new(&input.task, &input.sha256, &verdict) {
            Some(certificate) => {
                return terminal::conclude_with(Exit::Safe, |out| {
                    Message::write_certificate(&certificate, out)
                });
            }
            None => Message::Unknown("the evidence cannot be handed over".to_owned()),
        },
        Err(Stop::OutOfTime) => Message::Exhausted(Exhausted::Time),
        Err(Stop::OutOfMemory) => Message::Exhausted(Exhausted::Memory),
        Err(stop) => Message::Unknown(stop.to_string()),
    };
    terminal::conclude(&format!("{}\n", message.line()), Exit::Safe)
}

fn say(message: &Message) -> Result<(), Failure> {
    terminal::answer(&format!("{}\n", message.line()))
}
