//! A solver process: its pipes, its end, and how it is killed.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};
use thetis_base::{CountedChild, Run, charge_cpu_time};
use thetis_solver::SolverError;
use wait4::Wait4;

use crate::answers::Cutter;

/// A running process in a process group of its own.
pub(crate) struct Process {
    /// The process, until it was waited for.
    child: Option<Child>,
    /// Its CPU time while it runs.
    counted: Option<CountedChild>,
    group: Option<Pid>,
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Output that is not consumed yet.
    buffer: Vec<u8>,
    errors: Arc<Mutex<Vec<u8>>>,
    error_reader: Option<JoinHandle<()>>,
    /// How the process ended, once that is known; its number may then belong to another.
    status: Option<std::io::Result<ExitStatus>>,
}

/// Why there is no answer.
pub(crate) enum NoAnswer {
    /// The process was killed because the run must stop or the time limit is over.
    Killed,
    /// It failed by itself.
    Failed(SolverError),
}

impl Process {
    pub(crate) fn start(command: &[String]) -> Result<Process, SolverError> {
        let [program, arguments @ ..] = command else {
            return Err(SolverError::Missing("the configured solver has no command".into()));
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| {
                SolverError::Missing(format!("the solver `{program}` cannot be started: {error}"))
            })?;
        let piped = "a pipe that was asked for should be there";
        let (input, output) = (child.stdin.take(), child.stdout.take().expect(piped));
        let errors = Arc::new(Mutex::new(Vec::new()));
        let stderr = child.stderr.take().expect(piped);
        let sink = errors.clone();
        let error_reader = Some(std::thread::spawn(move || collect(stderr, &sink)));
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok(Process {
            counted: CountedChild::new(child.id()),
            child: Some(child),
            group,
            input,
            output,
            buffer: Vec::new(),
            errors,
            error_reader,
            status: None,
        })
    }

    /// Lets the process have no more than `bytes` of memory, where the kernel can see to that.
    pub(crate) fn limit_memory(&self, bytes: u64) {
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        let _ = prlimit(self.group, Resource::As, limit);
    }

    /// Lets the process use little more CPU time than `time`, where the kernel can see to that. The kernel counts ticks, which may be
    /// ahead of the time that was used, so its limit is at least a second later: the run has to notice first that its time is over.
    pub(crate) fn limit_cpu_time(&self, time: Duration) {
        let seconds = time.as_secs() + 2;
        let _ = prlimit(self.group, Resource::Cpu, Rlimit { current: Some(seconds), maximum: Some(seconds) });
    }

    /// Sends `commands` and reads one answer, which ends at the latest when `run` must stop.
    pub(crate) fn ask(&mut self, commands: &str, run: &Run) -> Result<String, NoAnswer> {
        self.until_stopped(run, |process| process.send(commands).and_then(|()| process.receive()))
    }

    /// Sends `commands`, which ends at the latest when `run` must stop.
    pub(crate) fn tell(&mut self, commands: &str, run: &Run) -> Result<(), NoAnswer> {
        self.until_stopped(run, |process| process.send(commands))
    }

    /// Does something that may take long; the process is killed if `run` must stop meanwhile.
    fn until_stopped<T>(
        &mut self,
        run: &Run,
        talk: impl FnOnce(&mut Process) -> Option<T>,
    ) -> Result<T, NoAnswer> {
        let killed = Arc::new(AtomicBool::new(false));
        let registration = {
            let (killed, group) = (killed.clone(), self.group);
            run.on_cancel(move || {
                killed.store(true, Ordering::Release);
                kill(group);
            })
        };
        let outcome = talk(self);
        // The process is not waited for before this, so the group cannot be another's by now.
        drop(registration);
        match outcome {
            Some(outcome) => Ok(outcome),
            None if killed.load(Ordering::Acquire) => Err(NoAnswer::Killed),
            None => Err(NoAnswer::Failed(SolverError::Died(self.last_words()))),
        }
    }

    fn send(&mut self, commands: &str) -> Option<()> {
        let input = self.input.as_mut()?;
        input.write_all(commands.as_bytes()).and_then(|()| input.flush()).ok()
    }

    /// The next answer; none at the end of the output.
    fn receive(&mut self) -> Option<String> {
        let mut cutter = Cutter::default();
        let mut chunk = [0; 8192];
        loop {
            if let Some(range) = cutter.advance(&self.buffer) {
                let answer = String::from_utf8_lossy(&self.buffer[range.clone()]).into_owned();
                self.buffer.drain(..range.end);
                return Some(answer);
            }
            match self.output.read(&mut chunk) {
                Ok(0) | Err(_) => return None,
                Ok(count) => self.buffer.extend_from_slice(&chunk[..count]),
            }
        }
    }

    /// How the process ended: the last line of its standard error, or its exit status.
    fn last_words(&mut self) -> String {
        self.end();
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&errors).into_owned();
        match (text.lines().rfind(|line| !line.trim().is_empty()), &self.status) {
            (Some(line), _) => line.trim().to_owned(),
            (None, Some(Ok(status))) => format!("the process ended with {status}"),
            (None, _) => "the process is lost".into(),
        }
    }

    /// Kills the group, unless that was done, and waits for its end.
    fn end(&mut self) {
        let Some(child) = self.child.take() else { return };
        kill(self.group);
        self.input = None;
        self.status = Some(child.wait4().map(|used| {
            self.counted = None;
            charge_cpu_time(used.rusage.utime + used.rusage.stime);
            used.status
        }));
        if let Some(reader) = self.error_reader.take() {
            // A panic of the reader only loses words.
            drop(reader.join());
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Kills the group if it is still there.
fn kill(group: Option<Pid>) {
    if let Some(group) = group {
        // A group that is gone already is what was wanted.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Keeps the end of what a process writes to its standard error.
fn collect(mut from: impl Read, into: &Mutex<Vec<u8>>) {
    const KEPT: usize = 1 << 16;
    let mut chunk = [0; 4096];
    while let Ok(count) = from.read(&mut chunk) {
        if count == 0 {
            return;
        }
        let mut kept = into.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..count]);
        if kept.len() > 2 * KEPT {
            let excess = kept.len() - KEPT;
            kept.drain(..excess);
        }
    }
}
