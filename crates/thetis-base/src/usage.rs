//! What the process has consumed so far.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use nix::time::ClockId;
use nix::unistd::Pid;

/// The CPU time in nanoseconds of the processes that this one has started and seen end.
static OF_CHILDREN: AtomicU64 = AtomicU64::new(0);

/// The clocks of children that are counted while they run.
static RUNNING: Mutex<Vec<(Pid, ClockId)>> = Mutex::new(Vec::new());

/// The CPU time of this process, all threads together, of children that have ended, and of those that are
/// [counted](CountedChild) while they run.
///
/// It is read as a resource usage and not from a clock: the clock of a process whose CPU time is limited by the kernel stands still
/// between two ticks of the system, 4 ms on many machines.
pub fn cpu_time() -> Duration {
    let used = getrusage(UsageWho::RUSAGE_SELF).expect("a process should be able to read what it has used");
    duration(used.user_time())
        + duration(used.system_time())
        + Duration::from_nanos(OF_CHILDREN.load(Ordering::Relaxed))
        + running()
            .iter()
            .map(|(_, clock)| clock.now().map_or(Duration::ZERO, Duration::from))
            .sum::<Duration>()
}

fn running() -> MutexGuard<'static, Vec<(Pid, ClockId)>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child whose CPU time counts while it runs, so that a limit of CPU time ends the wait for its answer. Without it the time
/// counts when the child has ended. Whoever waits for the child drops this and then [charges](charge_cpu_time) what it used.
#[derive(Debug)]
pub struct CountedChild(Pid);

impl CountedChild {
    /// The child with the number `id`; `None` where the system has no clock for it.
    pub fn new(id: u32) -> Option<CountedChild> {
        let pid = Pid::from_raw(i32::try_from(id).ok()?);
        let clock = ClockId::pid_cpu_clock_id(pid).ok()?;
        running().push((pid, clock));
        Some(CountedChild(pid))
    }
}

impl Drop for CountedChild {
    fn drop(&mut self) {
        running().retain(|(pid, _)| *pid != self.0);
    }
}

fn duration(time: TimeVal) -> Duration {
    let microseconds = u64::try_from(time.tv_usec()).unwrap_or(0);
    Duration::from_secs(time.tv_sec().unsigned_abs()) + Duration::from_micros(microseconds)
}

/// Adds the time of a process that has ended to the [CPU time](cpu_time) of this one. Whoever waits for a process calls
/// it.
pub fn charge_cpu_time(of_child: Duration) {
    OF_CHILDREN.fetch_add(u64::try_from(of_child.as_nanos()).unwrap_or(0), Ordering::Relaxed);
}

/// The resident memory of this process in bytes; `None` where the system does not report it.
pub fn memory_in_use() -> Option<u64> {
    // tidy: allow(powers) the kernel reports the memory of a process through this file only
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_grows_with_use() {
        let before = cpu_time();
        let block = vec![1u8; 64 << 20];
        assert!(memory_in_use().is_none_or(|bytes| bytes > 64 << 20));
        assert!(block.iter().map(|byte| u64::from(*byte)).sum::<u64>() == 64 << 20);
        assert!(cpu_time() > before);
    }

    #[test]
    fn the_time_goes_on_between_ticks_of_the_system() {
        // More than a run of any test takes, so that the kernel counts and does nothing.
        let limit = rustix::process::getrlimit(rustix::process::Resource::Cpu);
        let hours = rustix::process::Rlimit { current: Some(limit.maximum.unwrap_or(1 << 20)), ..limit };
        rustix::process::setrlimit(rustix::process::Resource::Cpu, hours).unwrap();
        let mut times = vec![cpu_time()];
        while times.len() < 20 {
            let now = cpu_time();
            if now > times[times.len() - 1] {
                times.push(now);
            }
        }
        let mut steps: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        steps.sort();
        assert!(steps[9] < Duration::from_micros(300), "{steps:?}");
    }

    #[test]
    fn children_count_while_they_run() {
        let mut busy = std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let before = cpu_time();
        let counted = CountedChild::new(busy.id()).unwrap();
        let start = std::time::Instant::now();
        while cpu_time() < before + Duration::from_millis(100) && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let with_child = cpu_time();
        drop(counted);
        let without_child = cpu_time();
        busy.kill().unwrap();
        busy.wait().unwrap();
        assert!(with_child >= before + Duration::from_millis(100));
        assert!(without_child < with_child);
    }

    #[test]
    fn children_count() {
        let (before, second) = (cpu_time(), Duration::from_secs(1));
        charge_cpu_time(second);
        assert!(cpu_time() >= before + second);
    }
}
