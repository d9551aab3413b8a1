//! One run: its budget, its cancellation and its events.
//!
//! Loops call [`Run::checkpoint`], the only place where time, memory and cancellation are checked. Before a call
//! into a back end that may block, the caller registers how to unblock it with [`Run::on_cancel`]; a watchdog
//! thread, started by the first such registration, calls it when the run must stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::watchdog::Watchdog;
use crate::{Budget, Cancel, Event, EventSink, ProcessTree, Share, Stop, cpu_time, memory_in_use};

/// The context of a computation. Cloning gives another handle on the same run.
#[derive(Clone)]
pub struct Run {
    limits: Limits,
    sink: EventSink,
    watchdog: Arc<Watchdog>,
}

/// Keeps a registration of [`Run::on_cancel`] alive; dropping it removes the registration.
pub struct OnCancel {
    watchdog: Arc<Watchdog>,
    id: u64,
}

impl Run {
    /// A run within `budget`, starting now, that ignores events.
    pub fn new(budget: Budget) -> Run {
        Run::with_cancel(budget, Cancel::new())
    }

    /// A run within `budget`, starting now, that stops when `cancel` is requested.
    pub fn with_cancel(budget: Budget, cancel: Cancel) -> Run {
        Run { limits: Limits::new(budget, cancel), sink: Arc::new(|_| {}), watchdog: Watchdog::new() }
    }

    /// A run without limits, for tests and tools.
    pub fn unlimited() -> Run {
        Run::new(Budget::default())
    }

    /// The same run with its events going to `sink`.
    #[must_use]
    pub fn with_events(mut self, sink: EventSink) -> Run {
        self.sink = sink;
        self
    }

    /// Succeeds while the run may go on.
    pub fn checkpoint(&self) -> Result<(), Stop> {
        match self.limits.exceeded() {
            None => Ok(()),
            Some(exceeded) => Err(exceeded.into()),
        }
    }

    /// Which limit all processes of this run together exceed, as they were seen in `tree`. [`Run::checkpoint`] counts only this
    /// process and those that have ended, because looking at others takes time.
    pub fn exhausted_by(&self, tree: &ProcessTree) -> Option<Resource> {
        if self.limits.cpu_deadline.is_some_and(|end| tree.cpu >= end) {
            return Some(Resource::Time);
        }
        self.limits.memory.is_some_and(|limit| tree.memory > limit).then_some(Resource::Memory)
    }

    /// From now on the checkpoints of this run, its clones and parts fail, because a resource is used up.
    pub fn exhaust(&self, resource: Resource) {
        self.limits.exhausted.store(resource as u8, Ordering::Release);
    }

    /// A part of this run with its own share of the time that is left, and the same cancellation and events.
    ///
    /// Only the time that matters to the run is divided: if CPU time is limited, other processes must not be able to take
    /// time away from a part, so the part may continue until the wall time of the whole run is over.
    #[must_use]
    pub fn slice(&self, share: Share) -> Run {
        let mut part = self.clone();
        if let Some(end) = self.limits.cpu_deadline {
            let now = cpu_time();
            part.limits.cpu_deadline = Some(now + share.of(end.saturating_sub(now)));
        } else if let Some(left) = self.time_left() {
            part.limits.deadline = Some(Instant::now() + share.of(left));
        }
        part
    }

    /// A part of this run that ends at the latest after `time`.
    #[must_use]
    pub fn at_most(&self, time: Duration) -> Run {
        let mut part = self.clone();
        let end = Instant::now() + time;
        part.limits.deadline = Some(self.limits.deadline.map_or(end, |deadline| deadline.min(end)));
        part
    }

    /// A part of this run that ends at the latest when it has [spent](Run::spent) `time` more.
    #[must_use]
    pub fn spending_at_most(&self, time: Duration) -> Run {
        let Some(end) = self.limits.cpu_deadline else { return self.at_most(time) };
        let mut part = self.clone();
        part.limits.cpu_deadline = Some(end.min(cpu_time() + time));
        part
    }

    /// The time spent so far by the clock that matters to the run: CPU time if that is limited, because other processes cannot
    /// make it pass, and otherwise the wall time since the start.
    pub fn spent(&self) -> Duration {
        if self.limits.cpu_deadline.is_some() { cpu_time() } else { self.elapsed() }
    }

    /// How much more can be [spent](Run::spent), if that is limited.
    pub fn left_to_spend(&self) -> Option<Duration> {
        let (wall, cpu) = (self.time_left(), self.cpu_left());
        wall.into_iter().chain(cpu).min()
    }

    /// The CPU time left, if it is limited.
    pub fn cpu_left(&self) -> Option<Duration> {
        self.limits.cpu_deadline.map(|end| end.saturating_sub(cpu_time()))
    }

    /// The wall time left, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The memory limit in bytes, if there is one.
    pub fn memory_limit(&self) -> Option<u64> {
        self.limits.memory
    }

    /// The memory in bytes that processes started now may use together, if memory is limited. A tenth is kept, so that they
    /// reach their limit before all processes together reach that of the run.
    pub fn memory_for_children(&self) -> Option<u64> {
        let left = self.limits.memory?.saturating_sub(memory_in_use().unwrap_or(0));
        Some(left / 10 * 9)
    }

    /// The wall time since the start.
    pub fn elapsed(&self) -> Duration {
        self.limits.started.elapsed()
    }

    /// The cancellation flag of this run and all its slices.
    pub fn cancel(&self) -> &Cancel {
        &self.limits.cancel
    }

    /// Tells an event.
    pub fn emit(&self, event: Event) {
        (self.sink)(&event);
    }

    /// Calls `unblock` from another thread when this run must stop, and again every few milliseconds until the
    /// returned registration is dropped, because a request may arrive just before the blocking call starts.
    #[must_use]
    pub fn on_cancel(&self, unblock: impl Fn() + Send + Sync + 'static) -> OnCancel {
        let id = self.watchdog.register(self.limits.clone(), Box::new(unblock));
        OnCancel { watchdog: self.watchdog.clone(), id }
    }
}

impl Drop for OnCancel {
    fn drop(&mut self) {
        self.watchdog.remove(self.id);
    }
}

/// What a run can use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Wall or CPU time.
    Time = 1,
    /// Memory.
    Memory = 2,
}

/// The limits of a run as absolute points.
#[derive(Clone)]
pub(crate) struct Limits {
    started: Instant,
    deadline: Option<Instant>,
    cpu_deadline: Option<Duration>,
    memory: Option<u64>,
    cancel: Cancel,
    /// The [`Resource`] that was reported as used up by [`Run::exhaust`]; zero if none.
    exhausted: Arc<AtomicU8>,
    /// Milliseconds after the start when memory was last read: reading it costs microseconds.
    memory_read: Arc<AtomicU64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exceeded {
    Cancelled,
    Time,
    Memory,
}

impl From<Exceeded> for Stop {
    fn from(exceeded: Exceeded) -> Stop {
        match exceeded {
            Exceeded::Cancelled => Stop::Cancelled,
            Exceeded::Time => Stop::OutOfTime,
            Exceeded::Memory => Stop::OutOfMemory,
        }
    }
}

const MEMORY_READ_INTERVAL_MS: u64 = 20;

impl Limits {
    fn new(budget: Budget, cancel: Cancel) -> Limits {
        let started = Instant::now();
        Limits {
            started,
            deadline: budget.wall.and_then(|wall| started.checked_add(wall)),
            cpu_deadline: budget.cpu.map(|cpu| cpu_time() + cpu),
            memory: budget.memory,
            cancel,
            exhausted: Arc::default(),
            memory_read: Arc::default(),
        }
    }

    pub(crate) fn exceeded(&self) -> Option<Exceeded> {
        if self.cancel.is_requested() {
            return Some(Exceeded::Cancelled);
        }
        match self.exhausted.load(Ordering::Acquire) {
            0 => {}
            known if known == Resource::Memory as u8 => return Some(Exceeded::Memory),
            _ => return Some(Exceeded::Time),
        }
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.cpu_deadline.is_some_and(|end| cpu_time() >= end);
        if late {
            return Some(Exceeded::Time);
        }
        self.is_memory_exceeded().then_some(Exceeded::Memory)
    }

    fn is_memory_exceeded(&self) -> bool {
        let Some(limit) = self.memory else { return false };
        let now = self.started.elapsed().as_millis() as u64;
        let last = self.memory_read.load(Ordering::Relaxed);
        if now < last + MEMORY_READ_INTERVAL_MS {
            return false;
        }
        let exceeded = memory_in_use().is_some_and(|bytes| bytes > limit);
        if !exceeded {
            self.memory_read.store(now, Ordering::Relaxed);
        }
        exceeded
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn within(wall: Duration) -> Run {
        Run::new(Budget { wall: Some(wall), ..Budget::default() })
    }

    #[test]
    fn time_runs_out() {
        let run = within(Duration::from_millis(5));
        assert!(run.checkpoint().is_ok());
        std::thread::sleep(Duration::from_millis(6));
        assert!(matches!(run.checkpoint(), Err(Stop::OutOfTime)));
    }

    #[test]
    fn cpu_time_runs_out() {
        let run = Run::new(Budget { cpu: Some(Duration::ZERO), ..Budget::default() });
        assert!(matches!(run.checkpoint(), Err(Stop::OutOfTime)));
    }

    #[test]
    fn cpu_time_is_what_is_spent_if_it_is_limited() {
        let hour = Duration::from_secs(3600);
        let run = Run::new(Budget { cpu: Some(hour), wall: Some(10 * hour), ..Budget::default() });
        std::thread::sleep(Duration::from_millis(20));
        assert!(run.left_to_spend() <= Some(hour));
        assert!(run.spending_at_most(hour / 4).cpu_left() <= Some(hour / 4));
        assert_eq!(run.spending_at_most(2 * hour).limits.cpu_deadline, run.limits.cpu_deadline);
        let by_the_wall = within(hour);
        std::thread::sleep(Duration::from_millis(2));
        assert!(by_the_wall.spent() >= Duration::from_millis(2));
        assert!(by_the_wall.spending_at_most(hour / 4).left_to_spend() <= Some(hour / 4));
        assert_eq!(Run::unlimited().left_to_spend(), None);
    }

    #[test]
    fn memory_runs_out_and_stays_so() {
        let run = Run::new(Budget { memory: Some(1), ..Budget::default() });
        std::thread::sleep(Duration::from_millis(MEMORY_READ_INTERVAL_MS + 1));
        assert!(matches!(run.checkpoint(), Err(Stop::OutOfMemory)));
        assert!(matches!(run.checkpoint(), Err(Stop::OutOfMemory)));
    }

    #[test]
    fn all_processes_together_can_exhaust_a_run() {
        let run = Run::new(Budget { memory: Some(100), cpu: Some(Duration::from_secs(3600)), wall: None });
        let tree =
            |memory, seconds| ProcessTree { members: Vec::new(), memory, cpu: Duration::from_secs(seconds) };
        assert_eq!(run.exhausted_by(&tree(100, 10)), None);
        assert_eq!(run.exhausted_by(&tree(101, 10)), Some(Resource::Memory));
        assert_eq!(run.exhausted_by(&tree(100, 4000)), Some(Resource::Time));
        let part = run.slice(Share::percent(10));
        run.exhaust(Resource::Time);
        assert!(matches!(part.checkpoint(), Err(Stop::OutOfTime)));
    }

    #[test]
    fn a_slice_ends_before_the_whole_and_shares_cancellation() {
        let run = within(Duration::from_secs(100));
        let part = run.slice(Share::percent(10));
        assert!(part.time_left().unwrap() <= Duration::from_secs(10));
        assert!(run.at_most(Duration::from_secs(1000)).time_left().unwrap() <= Duration::from_secs(100));
        part.cancel().request();
        assert!(matches!(run.checkpoint(), Err(Stop::Cancelled)));
    }

    #[test]
    fn a_slice_of_cpu_time_has_all_the_wall_time() {
        let hour = Duration::from_secs(3600);
        let run = Run::new(Budget { cpu: Some(hour), wall: Some(hour), ..Budget::default() });
        let part = run.slice(Share::percent(10));
        assert!(part.cpu_left() <= Some(hour / 10));
        assert_eq!(part.limits.deadline, run.limits.deadline);
    }

    #[test]
    fn a_blocked_call_is_unblocked_in_time() {
        let run = within(Duration::from_millis(20));
        let (sender, receiver) = mpsc::channel();
        let _registration = run.on_cancel(move || sender.send(()).unwrap_or(()));
        assert!(receiver.recv_timeout(Duration::from_secs(10)).is_ok());
    }

    #[test]
    fn a_removed_registration_is_not_called() {
        let run = Run::unlimited();
        let (sender, receiver) = mpsc::channel();
        drop(run.on_cancel(move || sender.send(()).unwrap_or(())));
        run.cancel().request();
        assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err());
    }
}
