//! `INT` and `TERM`: a command that has a run is asked to stop and reports that there is no answer, others end at once.
//!
//! The program listens from its first statement on, before it knows its command, so that a signal during the start is not lost:
//! it is noted, and the run is cancelled as soon as there is one. A signal that comes before, while the system still loads the
//! program, ends it as any program; nothing was started or written by then.

use std::io;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_default, register_conditional_shutdown};
use thetis_base::Cancel;

struct Signals {
    /// Requested by the first signal.
    cancel: Cancel,
    /// Whether there was a signal: a second one ends the program.
    is_second: Arc<AtomicBool>,
    /// Whether signals do what they usually do.
    is_usual: Arc<AtomicBool>,
}

static SIGNALS: OnceLock<Signals> = OnceLock::new();

/// Starts to listen.
pub(crate) fn listen() -> io::Result<()> {
    let signals = SIGNALS.get_or_init(|| Signals {
        cancel: Cancel::new(),
        is_second: Arc::default(),
        is_usual: Arc::default(),
    });
    for signal in [SIGINT, SIGTERM] {
        // What is registered first is in force while the rest is being registered: no signal may get lost.
        register(signal, signals.cancel.flag())?;
        register_conditional_default(signal, signals.is_usual.clone())?;
        register_conditional_shutdown(signal, 128 + signal, signals.is_second.clone())?;
        register(signal, signals.is_second.clone())?;
    }
    Ok(())
}

/// What signals request.
pub(crate) fn cancel() -> Cancel {
    SIGNALS.get().map_or_else(Cancel::new, |signals| signals.cancel.clone())
}

/// From now on signals do what they usually do. Whether one has come already.
pub(crate) fn stop_listening() -> bool {
    let Some(signals) = SIGNALS.get() else { return false };
    signals.is_usual.store(true, Ordering::Release);
    signals.cancel.is_requested()
}
