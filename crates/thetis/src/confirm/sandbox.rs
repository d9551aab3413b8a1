//! Runs an untrusted program.
//!
//! The program gets a process group of its own, an empty folder to work in, no input, and limits on CPU time, memory and the
//! size of files; it writes no core dump, and dies with this process ([`launching`]). No shell is involved. When its time is
//! over, and also when it ends, its whole group is killed.
//!
//! This contains accidents. It is no protection against malicious programs: files that the user may change, and the
//! network, are within reach.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use std::{io, thread};

use rustix::process::{Pid, Signal, kill_process_group};
use thetis_base::Run;

use crate::commands::launch::{LaunchLimits, launching};

/// What a program may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// CPU time, and half of the wall time.
    pub(super) time: Duration,
    /// Bytes of address space.
    pub(super) memory: Option<u64>,
    /// Bytes of each file that it writes.
    pub(super) file_size: u64,
}

/// The variables that a program finds in its environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Environment {
    Inherited,
    Empty,
}

/// How a program ended.
pub(super) struct Ended {
    /// None if it was killed because its time was over.
    status: Option<ExitStatus>,
    /// What it wrote to standard error.
    pub(super) messages: String,
}

impl Ended {
    /// The exit code, if it ended by itself.
    pub(super) fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }

    pub(super) fn first_message(&self) -> &str {
        self.messages.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message").trim()
    }

    /// The last line of standard error; empty if there is none.
    pub(super) fn last_message(&self) -> &str {
        self.messages.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().trim()
    }

    /// What happened, as the predicate of a sentence.
    pub(super) fn description(&self) -> String {
        let Some(status) = self.status else { return "does not end in time".to_owned() };
        match (status.code(), status.signal()) {
            (Some(code), _) => format!("ends with status {code}"),
            (None, Some(signal)) => format!("is ended by signal {signal}"),
            (None, None) => "ends".to_owned(),
        }
    }
}

/// Runs a command in an empty folder that is made inside of `folder`, for at most half of the time that `run` has left.
pub(super) fn confined(
    command: Vec<OsString>,
    folder: &Path,
    limits: &Limits,
    environment: Environment,
    run: &Run,
) -> io::Result<Ended> {
    let (work, messages) = (tempfile::tempdir_in(folder)?, folder.join("messages"));
    let most = LaunchLimits {
        cpu: Some(limits.time),
        address_space: limits.memory,
        file_size: Some(limits.file_size),
    };
    let line = launching(command, most)?;
    let mut process = Command::new(&line[0]);
    process.args(&line[1..]).current_dir(work.path()).process_group(0);
    if environment == Environment::Empty {
        process.env_clear();
    }
    process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&messages)?);
    let wall = run.time_left().map_or(2 * limits.time, |left| (left / 2).min(2 * limits.time));
    let status = wait(process.spawn()?, &run.at_most(wall))?;
    Ok(Ended { status, messages: String::from_utf8_lossy(&std::fs::read(&messages)?).into_owned() })
}

/// Waits until a process ends or its time is over, then kills its whole group.
fn wait(mut child: Child, run: &Run) -> io::Result<Option<ExitStatus>> {
    let group = Pid::from_child(&child);
    let mut status = child.try_wait()?;
    while status.is_none() && run.checkpoint().is_ok() {
        thread::sleep(Duration::from_millis(5));
        status = child.try_wait()?;
    }
    // The group may have ended already.
    let _ = kill_process_group(group, Signal::KILL);
    if status.is_none() {
        child.wait()?;
    }
    Ok(status)
}
