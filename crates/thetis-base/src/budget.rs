//! What a run may consume.

use std::time::Duration;

/// Limits of a run; `None` means no limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// Elapsed time.
    pub wall: Option<Duration>,
    /// CPU time of the process.
    pub cpu: Option<Duration>,
    /// Resident memory of the process, in bytes.
    pub memory: Option<u64>,
}

/// A part of a budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    percent: u32,
}

impl Share {
    /// This percentage of what is left.
    ///
    /// # Panics
    /// If it is more than 100.
    pub fn percent(percent: u32) -> Share {
        assert!(percent <= 100, "a share should be at most the whole");
        Share { percent }
    }

    pub(crate) fn of(self, whole: Duration) -> Duration {
        whole.mul_f64(f64::from(self.percent) / 100.0)
    }
}
