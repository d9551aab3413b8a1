//! One run of a program, alone in its process group and under limits.
//!
//! # Method
//! The program is started as the leader of a new process group, with its output in anonymous files. Its limits are enforced
//! twice. The kernel enforces `RLIMIT_CPU` and `RLIMIT_DATA` on every single process, a little above the limits of the run, as
//! a last resort: a process can be stuck where it does not check the clock. Every [`SAMPLE_INTERVAL`], the wall time, CPU time
//! and resident memory of the whole process tree are sampled. If a limit is exceeded, the whole tree is killed.
//!
//! A run ends when its first process ends; processes that it leaves behind are killed too. The CPU time is
//! what `wait4` reports for the process and those it has waited for.
//!
//! The peak of the memory is the greatest of three figures: the sampled sum over the tree; the peak that the kernel had recorded
//! for the first process when it was last sampled; and what `wait4` reports for the largest process. The last one counts only if
//! it is more than the peak of this process: a new process starts as a copy of its parent, and the kernel attributes the memory
//! of the copy to the program that is then executed. Hence the first samples are taken soon after the start.
//!
//! # Why process ids are never confused
//! A process keeps its id until its parent has waited for it. The first process is our child: we learn of its end through
//! a file descriptor (`pidfd`), kill what is left, and only then wait. Descendants are children of live or stopped
//! processes: the first process is stopped before the tree is listed and killed.

mod tree;

use std::io::{self, Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, getpid, pidfd_open, prlimit};
use rustix::time::Timespec;
use serde::{Deserialize, Serialize};
use thetis_base::ProcessTree;
use wait4::Wait4;

/// How often the limits are checked.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(50);

/// The time of the first sample. The time between two samples doubles up to the interval above.
const FIRST_SAMPLE: Duration = Duration::from_millis(2);

/// How much longer than its time a run may take to report that it has no answer.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// How much memory beyond the limit a single process may reserve: reserved memory need not be in use.
const RESERVE: u64 = 1 << 30;

/// How much a run may write to one file.
const MAX_FILE: u64 = 1 << 30;

/// How much of the error output is kept.
const MAX_ERRORS: u64 = 64 << 10;

/// What one run may use.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Limits {
    /// Wall time in seconds.
    pub wall_seconds: Option<f64>,
    /// CPU time in seconds, summed over all processes of the run.
    pub cpu_seconds: Option<f64>,
    /// Resident memory in bytes, summed over all processes of the run.
    pub memory_bytes: Option<u64>,
}

impl Limits {
    /// With more time.
    fn relaxed(&self, grace: Duration) -> Limits {
        let relax = |limit: Option<f64>| limit.map(|limit| limit + grace.as_secs_f64());
        Limits { wall_seconds: relax(self.wall_seconds), cpu_seconds: relax(self.cpu_seconds), ..*self }
    }
}

/// How a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum End {
    /// By itself, with a code.
    Exit(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// It was killed because it used too much of something.
    Killed(Excess),
}

/// What a run has used too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Excess {
    Wall,
    Cpu,
    Memory,
}

/// What a run was like.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) end: End,
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
    pub(crate) peak_memory: u64,
    pub(crate) output: String,
    /// The beginning of the error output.
    pub(crate) errors: String,
}

/// Runs `command` to its end, or kills it `grace` after its time. If `cancel` is set meanwhile, the run is killed and there is
/// no result.
pub(crate) fn execute(
    command: &mut Command,
    limits: &Limits,
    grace: Duration,
    cancel: &AtomicBool,
) -> io::Result<Option<Finished>> {
    let mut output = tempfile::tempfile()?;
    let mut errors = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(errors.try_clone()?).process_group(0);
    let start = Instant::now();
    let own_peak = peak_of(getpid());
    let child = command.spawn()?;
    let limits = limits.relaxed(grace);
    let (ending, sampled_peak) = supervise(&child, start, &limits, cancel);
    // Whatever happened, no process of the run may survive.
    tree::kill(Pid::from_child(&child));
    let used = child.wait4()?;
    let wall = start.elapsed();
    let end = match ending? {
        Ending::Cancelled => return Ok(None),
        Ending::Excess(excess) => End::Killed(excess),
        Ending::Itself => match (used.status.code(), used.status.signal()) {
            (Some(code), _) => End::Exit(code),
            (None, signal) => End::Signal(signal.unwrap_or_default()),
        },
    };
    Ok(Some(Finished {
        end,
        wall,
        cpu: used.rusage.utime + used.rusage.stime,
        peak_memory: match used.rusage.maxrss {
            inherited if inherited <= own_peak && sampled_peak > 0 => sampled_peak,
            // A run that ended before its first sample has at most the memory that it inherited.
            own => sampled_peak.max(own),
        },
        output: text_of(&mut output, u64::MAX)?,
        errors: text_of(&mut errors, MAX_ERRORS)?,
    }))
}

enum Ending {
    Itself,
    Excess(Excess),
    Cancelled,
}

/// Waits until the run ends or has to end, and returns its peak memory.
fn supervise(
    child: &Child,
    start: Instant,
    limits: &Limits,
    cancel: &AtomicBool,
) -> (io::Result<Ending>, u64) {
    let mut peak = 0;
    let ending = (|| {
        let pid = Pid::from_child(child);
        restrict(pid, limits)?;
        let handle = pidfd_open(pid, PidfdFlags::empty())?;
        let mut interval = FIRST_SAMPLE;
        loop {
            let timeout = Timespec::try_from(interval).expect("a short time should be representable");
            interval = SAMPLE_INTERVAL.min(2 * interval);
            let mut events = [PollFd::new(&handle, PollFlags::IN)];
            match poll(&mut events, Some(&timeout)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(Ending::Itself),
                Err(error) => return Err(error.into()),
            }
            if cancel.load(Ordering::Relaxed) {
                return Ok(Ending::Cancelled);
            }
            let tree = ProcessTree::of(pid);
            peak = peak.max(tree.memory).max(peak_of(pid));
            if let Some(excess) = excess(limits, start.elapsed(), &tree) {
                return Ok(Ending::Excess(excess));
            }
        }
    })();
    (ending, peak)
}

/// The greatest resident memory that the program of a process has had so far, in bytes; zero if the kernel does not say.
fn peak_of(pid: Pid) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid.as_raw_pid())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// The first limit that is exceeded.
fn excess(limits: &Limits, wall: Duration, tree: &ProcessTree) -> Option<Excess> {
    let is_over = |used: Duration, limit: Option<f64>| limit.is_some_and(|limit| used.as_secs_f64() > limit);
    if is_over(wall, limits.wall_seconds) {
        Some(Excess::Wall)
    } else if is_over(tree.cpu, limits.cpu_seconds) {
        Some(Excess::Cpu)
    } else if limits.memory_bytes.is_some_and(|limit| tree.memory > limit) {
        Some(Excess::Memory)
    } else {
        None
    }
}

/// Asks the kernel to limit the process and all that it will start. Each limit is well above that of the run, because it
/// ends a process without a message.
fn restrict(pid: Pid, limits: &Limits) -> io::Result<()> {
    let set = |resource, value: u64| match prlimit(
        Some(pid),
        resource,
        Rlimit { current: Some(value), maximum: Some(value) },
    ) {
        // The process may have ended already.
        Ok(_) | Err(rustix::io::Errno::SRCH) => Ok(()),
        Err(error) => Err(io::Error::from(error)),
    };
    if let Some(seconds) = limits.cpu_seconds {
        set(Resource::Cpu, seconds.ceil() as u64 + 2)?;
    }
    if let Some(bytes) = limits.memory_bytes {
        set(Resource::Data, bytes.saturating_add(RESERVE))?;
    }
    set(Resource::Core, 0)?;
    set(Resource::Fsize, MAX_FILE)
}

fn text_of(file: &mut std::fs::File, limit: u64) -> io::Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNLIMITED: Limits = Limits { wall_seconds: None, cpu_seconds: None, memory_bytes: None };

    fn shell(script: &str, limits: &Limits) -> Finished {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        execute(&mut command, limits, Duration::ZERO, &AtomicBool::new(false)).unwrap().unwrap()
    }

    #[test]
    fn output_and_code_are_kept() {
        let finished = shell("echo out; echo err >&2; exit 7", &UNLIMITED);
        assert_eq!((finished.end, finished.output.as_str()), (End::Exit(7), "out\n"));
        assert_eq!(finished.errors, "err\n");
        assert_eq!(shell("kill -SEGV $$", &UNLIMITED).end, End::Signal(11));
    }

    #[test]
    fn more_output_than_a_pipe_holds_is_kept() {
        assert_eq!(shell("yes | head -c 300000", &UNLIMITED).output.len(), 300_000);
    }

    #[test]
    fn time_ends_a_run_with_all_its_children() {
        let limits = Limits { wall_seconds: Some(0.2), ..UNLIMITED };
        // The grandchild is in a group of its own, as solver processes are.
        let finished = shell("setsid sleep 76543 & sleep 76543", &limits);
        assert_eq!(finished.end, End::Killed(Excess::Wall));
        assert!(finished.wall < Duration::from_secs(5), "{finished:?}");
        assert!(is_soon_gone("76543"), "the children should be killed");
    }

    #[test]
    fn what_a_run_leaves_behind_is_killed() {
        let finished = shell("sleep 76542 & exit 0", &UNLIMITED);
        assert_eq!(finished.end, End::Exit(0));
        assert!(is_soon_gone("76542"), "the child should be killed");
    }

    #[test]
    fn memory_ends_a_run() {
        let limits = Limits { memory_bytes: Some(30 << 20), wall_seconds: Some(20.0), ..UNLIMITED };
        let finished =
            shell("x=$(yes 0123456789012345678901234567890123456789 | head -c 80000000); sleep 9", &limits);
        assert_eq!(finished.end, End::Killed(Excess::Memory));
        assert!(finished.peak_memory > 30 << 20, "{finished:?}");
    }

    #[test]
    fn the_memory_of_who_starts_a_run_is_not_counted() {
        let ballast = vec![1u8; 200 << 20];
        let finished = shell("sleep 0.1", &UNLIMITED);
        assert!(ballast.iter().all(|byte| *byte == 1));
        assert!((100 << 10..100 << 20).contains(&finished.peak_memory), "{finished:?}");
    }

    #[test]
    fn processor_time_of_children_counts() {
        let limits = Limits { cpu_seconds: Some(0.2), wall_seconds: Some(30.0), ..UNLIMITED };
        let finished = shell("sh -c 'while :; do :; done'", &limits);
        assert_eq!(finished.end, End::Killed(Excess::Cpu));
    }

    #[test]
    fn a_cancelled_run_has_no_result() {
        let mut command = Command::new("sleep");
        command.arg("76541");
        assert!(execute(&mut command, &UNLIMITED, Duration::ZERO, &AtomicBool::new(true)).unwrap().is_none());
        assert!(is_soon_gone("76541"), "the run should be killed");
    }

    /// A signal takes a moment to end a process.
    fn is_soon_gone(argument: &str) -> bool {
        (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            !is_running(argument)
        })
    }

    /// Whether a process with this argument is alive.
    fn is_running(argument: &str) -> bool {
        let processes = std::fs::read_dir("/proc").unwrap();
        processes.filter_map(Result::ok).any(|process| {
            let arguments = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            arguments.split(|byte| *byte == 0).any(|word| word == argument.as_bytes())
        })
    }
}
