//! What engines tell while they work.

use std::sync::Arc;

/// Progress and partial facts. Engines never print; they emit events and the driver shows them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A part of the run begins.
    Stage(String),
    /// No violation within so many steps, in the unit of the engine.
    SafeUpTo(u32),
    /// A remark for users who asked for detail.
    Note(String),
}

/// Receiver of events. It is called on the thread of the engine and should return quickly.
pub type EventSink = Arc<dyn Fn(&Event) + Send + Sync>;
