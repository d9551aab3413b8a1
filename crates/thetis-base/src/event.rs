//! What engines tell while they work.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Progress and partial facts. Engines never print; they emit events and the driver shows them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A part of the run begins.
    Stage(String),
    /// No violation within so many steps, in the unit of the engine.
    SafeUpTo(u32),
    /// Something that was found out and may help others.
    Fact(Fact),
    /// A remark for users who asked for detail.
    Note(String),
}

/// What an engine found out about a model although it has no answer, as text that other engines and other processes
/// can read: names and SMT-LIB terms of the model. Whoever uses a fact does so at his own risk; evidence that rests on one
/// is checked like any other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fact {
    /// Whenever a run is at the location, the formula holds.
    Invariant {
        /// The name of the location.
        location: String,
        /// The formula.
        formula: String,
    },
    /// The formula tells states apart that should be told apart.
    Predicate {
        /// The name of the location; missing: everywhere.
        location: Option<String>,
        /// The formula.
        formula: String,
    },
}

/// Receiver of events. It is called on the thread of the engine and should return quickly.
pub type EventSink = Arc<dyn Fn(&Event) + Send + Sync>;
