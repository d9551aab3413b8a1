//! The flag by which a run is asked to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A shared request to stop. Setting it is safe in a signal handler.
#[derive(Clone, Default, Debug)]
pub struct Cancel {
    requested: Arc<AtomicBool>,
}

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Asks all runs that share this flag to stop.
    pub fn request(&self) {
        self.requested.store(true, Ordering::Release);
    }

    /// Whether a stop was requested.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Acquire)
    }

    /// The flag itself, for libraries that set an atomic on a signal.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.requested.clone()
    }
}
