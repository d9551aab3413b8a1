//! Abstract reachability graphs as engines report them: plain text that others can draw.

use serde::{Deserialize, Serialize};

/// The abstract states that an engine has built and how it came to them, parents before children.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct AbstractGraph {
    /// The states.
    pub states: Vec<AbstractState>,
}

/// An abstract state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AbstractState {
    /// The name of its location.
    pub location: String,
    /// What is known there.
    pub known: String,
    /// Its status.
    pub kind: AbstractKind,
    /// How it was reached; missing for the first ones.
    pub step: Option<AbstractStep>,
    /// Whether it is on the path to the error.
    pub is_on_path: bool,
}

/// The status of an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AbstractKind {
    /// Its successors are in the graph.
    Expanded,
    /// It is covered by the state with this number.
    Covered(usize),
    /// It is still waiting.
    Waiting,
    /// It is at an error.
    Target,
}

/// A step between abstract states.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AbstractStep {
    /// The number of the state before.
    pub from: usize,
    /// What happens in the step, one statement per line.
    pub label: String,
}
