//! Runs a program that nobody trusts.
//!
//! The program gets a process group of its own, an empty folder to work in, no input, and limits on CPU time, memory and the
//! size of files; it writes no core dump. It is started by this program again (`thetis confined`), which sets the limits for itself and then
//! becomes the other program: limits that are set from outside would come too late. No shell is involved. When the time is
//! over, and also when the program ends, its whole group is killed.
//!
//! This keeps accidents small. It is no protection against programs that want to do harm: files that the user may change,
//! and the network, are within reach.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{io, thread};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, kill_process_group, set_parent_process_death_signal, setrlimit,
};

use crate::args::ConfinedArgs;
use crate::exit::Exit;
use crate::failure::Failure;

/// What a program may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// Bytes of address space.
    pub(crate) memory: Option<u64>,
    /// Bytes of each file that it writes.
    pub(crate) file_size: u64,
}

/// The variables that a program finds in its environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Environment {
    Inherited,
    Empty,
}

/// How a program ended.
pub(crate) struct Ended {
    /// None if it was killed because its time was over.
    status: Option<ExitStatus>,
    /// What it wrote to standard error.
    pub(crate) messages: String,
}

impl Ended {
    /// The exit code, if it ended by itself.
    pub(crate) fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }

    pub(crate) fn first_message(&self) -> &str {
        self.messages.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message").trim()
    }

    /// The last line of standard error; empty if there is none.
    pub(crate) fn last_message(&self) -> &str {
        self.messages.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().trim()
    }

    /// What happened, as the predicate of a sentence.
    pub(crate) fn description(&self) -> String {
        let Some(status) = self.status else { return "does not end in time".to_owned() };
        match (status.code(), status.signal()) {
            (Some(code), _) => format!("ends with status {code}"),
            (None, Some(signal)) => format!("is ended by signal {signal}"),
            (None, None) => "ends".to_owned(),
        }
    }
}

/// Runs a command in an empty folder that is made inside of `folder`.
pub(crate) fn run(
    command: &[OsString],
    folder: &Path,
    limits: &Limits,
    environment: Environment,
) -> io::Result<Ended> {
    let work = tempfile::tempdir_in(folder)?;
    let messages = folder.join("messages");
    let mut confined = Command::new(std::env::current_exe()?);
    confined.arg("confined").args(arguments(limits)).arg("--").args(command);
    if environment == Environment::Empty {
        confined.env_clear();
    }
    confined.current_dir(work.path()).process_group(0);
    confined.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&messages)?);
    let status = wait(confined.spawn()?, limits.wall)?;
    Ok(Ended { status, messages: String::from_utf8_lossy(&std::fs::read(&messages)?).into_owned() })
}

/// The limits as arguments of `thetis confined`.
fn arguments(limits: &Limits) -> Vec<String> {
    let mut arguments =
        vec![format!("--cpu-seconds={}", limits.cpu.as_secs()), format!("--file-size={}", limits.file_size)];
    arguments.extend(limits.memory.map(|memory| format!("--memory={memory}")));
    arguments
}

/// Waits until a process ends or its time is over, and leaves nothing of its group.
fn wait(mut child: Child, wall: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if start.elapsed() > wall => break None,
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // Nobody may be left to kill.
        let _ = kill_process_group(group, Signal::KILL);
    }
    if status.is_none() {
        child.wait()?;
    }
    Ok(status)
}

/// `thetis confined`: sets limits for this process and becomes another program.
pub(crate) fn become_program(args: &ConfinedArgs) -> Result<Exit, Failure> {
    // Without this the program would outlive one that is killed; the kernel may not know it, then its limits remain.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let limits = [
        (Resource::Core, Some(0)),
        (Resource::Cpu, Some(args.cpu_seconds)),
        (Resource::Fsize, Some(args.file_size)),
        (Resource::As, args.memory),
    ];
    for (resource, limit) in limits {
        if limit.is_some() {
            setrlimit(resource, Rlimit { current: limit, maximum: limit }).map_err(Failure::internal)?;
        }
    }
    let (program, arguments) =
        args.command.split_first().ok_or_else(|| Failure::usage("no program is given"))?;
    let error = Command::new(program).args(arguments).exec();
    Err(Failure::internal(format!("{} cannot be started: {error}", program.display())))
}
