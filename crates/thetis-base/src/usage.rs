//! What the process has consumed so far.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The CPU time in nanoseconds of the processes that this one has started and seen end.
static OF_CHILDREN: AtomicU64 = AtomicU64::new(0);

/// The CPU time of this process, all threads together, and of those that it has started and that have ended.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let own = Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0));
    own + Duration::from_nanos(OF_CHILDREN.load(Ordering::Relaxed))
}

/// Adds the time of a process that has ended to the [CPU time](cpu_time) of this one. Who waits for a process calls it.
pub fn charge_cpu_time(of_child: Duration) {
    OF_CHILDREN.fetch_add(u64::try_from(of_child.as_nanos()).unwrap_or(0), Ordering::Relaxed);
}

/// The resident memory of this process in bytes; `None` where the system does not tell.
pub fn memory_in_use() -> Option<u64> {
    // tidy: allow(powers) the kernel tells the memory of a process through this file only
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
    fn children_count() {
        let (before, second) = (cpu_time(), Duration::from_secs(1));
        charge_cpu_time(second);
        assert!(cpu_time() >= before + second);
    }
}
