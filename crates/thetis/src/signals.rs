//! `INT` and `TERM`: a command that has a run is asked to stop and reports `unknown`; others end at once.
//!
//! The program listens from its first statement on, before it knows its command, so that a signal during the start is
//! not lost: it is noted, and the run is cancelled as soon as there is one. An earlier signal, while the system is
//! still loading the program, ends it like any program; nothing was started or written by then.

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
    /// Whether signals have their default effect.
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
        // The first handler is active while the others are being registered, so that no signal is lost.
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

/// Restores the default effect of signals. Returns whether one has arrived already.
pub(crate) fn stop_listening() -> bool {
    let Some(signals) = SIGNALS.get() else { return false };
    signals.is_usual.store(true, Ordering::Release);
    signals.cancel.is_requested()
}
