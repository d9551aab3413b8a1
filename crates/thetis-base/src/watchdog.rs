//! The thread that unblocks pending calls of runs that must stop.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crate::run::Limits;

/// How often limits are checked: well below the 200 ms within which a query has to end.
const PERIOD: Duration = Duration::from_millis(5);

/// Registrations, and the thread that looks after them once there is one.
pub(crate) struct Watchdog {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    is_running: bool,
    next_id: u64,
    registrations: Vec<Registration>,
}

struct Registration {
    id: u64,
    limits: Limits,
    unblock: Box<dyn Fn() + Send + Sync>,
}

impl Watchdog {
    pub(crate) fn new() -> Arc<Watchdog> {
        Arc::new(Watchdog { state: Mutex::default() })
    }

    pub(crate) fn register(self: &Arc<Self>, limits: Limits, unblock: Box<dyn Fn() + Send + Sync>) -> u64 {
        let mut state = self.lock();
        let id = state.next_id;
        state.next_id += 1;
        state.registrations.push(Registration { id, limits, unblock });
        if !state.is_running {
            state.is_running = true;
            let watchdog = Arc::downgrade(self);
            std::thread::spawn(move || watch(&watchdog));
        }
        id
    }

    /// After this returns, the callback is not running and will not run again.
    pub(crate) fn remove(&self, id: u64) {
        self.lock().registrations.retain(|registration| registration.id != id);
    }

    /// Callbacks run under this lock; one that panics leaves the list of registrations intact.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unblock_exceeded(&self) {
        for registration in &self.lock().registrations {
            if registration.limits.exceeded().is_some() {
                (registration.unblock)();
            }
        }
    }
}

/// Ends when the last handle on the run is gone.
fn watch(watchdog: &Weak<Watchdog>) {
    while let Some(watchdog) = watchdog.upgrade() {
        watchdog.unblock_exceeded();
        drop(watchdog);
        std::thread::sleep(PERIOD);
    }
}
