//! What engines report while they work.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{AbstractGraph, FrameTable};

/// Progress and partial facts. Engines never print; they emit events and the driver shows them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A part of the run begins.
    Stage(String),
    /// No violation within this many steps, in the unit of the engine.
    SafeUpTo(u32),
    /// Something that was found out and may help others.
    Fact(Fact),
    /// A round of a loop that refines an abstraction has ended.
    Iteration(Iteration),
    /// The abstract reachability graph that the engine has built. Engines report it only on request.
    Drawing(AbstractGraph),
    /// The solution space that the state equation of a net was searched in, in the language of Graphviz. Engines report
    /// it only on request.
    SolutionSpace(String),
    /// The frames that IC3 ended with, if they are small enough to be looked at.
    Frames(FrameTable),
    /// A remark for users who asked for detail.
    Note(String),
}

/// What an engine found out about a model although it has no answer, as text that other engines and other processes can
/// read: names and SMT-LIB terms of the model. A fact may be wrong; evidence that rests on one is checked like any other.
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
    /// The formula distinguishes states that should be distinguished.
    Predicate {
        /// The name of the location; missing: everywhere.
        location: Option<String>,
        /// The formula.
        formula: String,
    },
    /// An engine got no further because it knows too little about the states at a location.
    Wanted {
        /// The name of the location.
        location: String,
    },
}

/// The figures of one round of abstraction and refinement.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// The number of the round, from 1.
    pub number: u64,
    /// How long it took, by [the clock that matters to the run](crate::Run::spent).
    pub time: Duration,
    /// The part of it after the abstraction, in which counterexamples were examined.
    pub refinement: Duration,
    /// The number of abstract states at its end.
    pub nodes: u64,
    /// The number of predicates and variables that were tracked in it.
    pub tracked: u64,
    /// The number of solver queries that the abstraction needed in it.
    pub queries: u64,
}

/// Receiver of events. It is called on the thread of the engine and should return quickly.
pub type EventSink = Arc<dyn Fn(&Event) + Send + Sync>;
