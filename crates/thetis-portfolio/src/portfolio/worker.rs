//! A worker process: how it is started, limited, listened to and killed.
//!
//! Every worker is in a process group of its own, so that what it starts dies with it. The kernel limits its memory and CPU
//! time on top of what it watches itself. Whatever it does, the portfolio sees a [`Report`]: a message, or its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::Sender;
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};
use thetis_base::{Stop, charge_cpu_time};
use wait4::{ResUse, Wait4};

use super::message::{Message, Request};

/// News from a worker.
#[derive(Debug)]
pub(super) enum Report {
    /// It says something.
    Said(Message),
    /// Its output is not a valid message.
    Garbled(String),
    /// It says no more.
    Silent,
}

/// A running worker. Dropping it kills it.
pub(super) struct Worker {
    pid: Option<Pid>,
    /// The process, until it was waited for.
    child: Option<Child>,
    /// How it ended and what it has used, if it was waited for.
    ended: Option<ResUse>,
}

/// A line that is longer than this is not a message and would only exhaust memory.
const MAX_LINE: u64 = 1 << 30;

/// What the kernel allows beyond the limit that the worker watches itself: mapped memory is more than used memory.
const MEMORY_SLACK: u64 = 1 << 30;

/// Seconds of CPU time that the kernel allows beyond the time of the stage, for each core.
const CPU_SLACK: u64 = 5;

impl Worker {
    /// Starts `command` on `request`. What it says goes to `reports`, marked with `number`.
    pub(super) fn start(
        mut command: Command,
        request: &Request,
        number: usize,
        reports: Sender<(usize, Report)>,
    ) -> Result<Worker, Stop> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|error| Stop::failed(format!("a worker cannot be started: {error}")))?;
        let piped = "a pipe that was asked for should be there";
        let output = child.stdout.take().expect(piped);
        let mut input = child.stdin.take().expect(piped);
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let worker = Worker { pid, child: Some(child), ended: None };
        worker.limit(request);
        std::thread::spawn(move || listen(output, number, &reports));
        let text = serde_json::to_string(request).expect("a request should be representable as JSON");
        // A worker that does not read its input will be silent; that is noticed elsewhere.
        let _ = input.write_all(text.as_bytes());
        Ok(worker)
    }

    fn limit(&self, request: &Request) {
        let set = |resource, most: u64| {
            // A limit that cannot be set is not fatal: the worker watches itself, and it will be killed in time.
            let _ = prlimit(self.pid, resource, Rlimit { current: Some(most), maximum: Some(most) });
        };
        if let Some(memory) = request.memory {
            set(Resource::As, memory.saturating_add(MEMORY_SLACK));
        }
        let seconds = |milliseconds| Duration::from_millis(milliseconds).as_secs() + CPU_SLACK;
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
        let most = request.time.map(|time| seconds(time) * cores).into_iter();
        if let Some(most) = most.chain(request.cpu_time.map(seconds)).min() {
            set(Resource::Cpu, most);
        }
    }

    /// Kills the worker and all it has started, and says how it ended and what it has used.
    pub(super) fn end(&mut self) -> Option<ResUse> {
        if let Some(mut child) = self.child.take() {
            self.ended = match child.try_wait4() {
                Ok(Some(ended)) => Some(ended),
                _ => {
                    if let Some(group) = self.pid {
                        // The group is gone if the worker has just ended.
                        let _ = kill_process_group(group, Signal::KILL);
                    }
                    child.wait4().ok()
                }
            };
            if let Some(used) = &self.ended {
                charge_cpu_time(used.rusage.utime + used.rusage.stime);
            }
        }
        self.ended
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

fn listen(output: ChildStdout, number: usize, reports: &Sender<(usize, Report)>) {
    let mut reader = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                let report = match Message::read(text.trim_end()) {
                    Ok(message) => Report::Said(message),
                    Err(error) => Report::Garbled(error.to_string()),
                };
                if reports.send((number, report)).is_err() {
                    return;
                }
            }
        }
    }
    // If the portfolio has its answer, nobody receives this report.
    let _ = reports.send((number, Report::Silent));
}
