//! What pages and SARIF files show of a formalism: steps, a drawing, and facts at places.

mod abstract_graph;
mod cfa;
mod petri;
mod sts;
mod timeline;
mod xta;

use thetis_base::{SourceMap, Span};
use thetis_model::Task;

use crate::Reportable;

pub use abstract_graph::arg_to_dot;
pub(crate) use abstract_graph::drawing as arg_drawing;
pub use timeline::{Instant, Lane, Stay, Timeline};

/// A formalism whose runs and proofs can be shown.
pub trait Visual: Reportable {
    /// The property as a rule: a stable name, and a sentence that holds if the property does.
    fn rule(task: &Task<Self>) -> Rule;

    /// The states of a run with the steps that led to them, the initial state first. Empty if `trace` is no run of `task`.
    fn steps(task: &Task<Self>, trace: &Self::Trace) -> Vec<TraceStep>;

    /// Where processes are over time, if the formalism has both.
    fn timeline(task: &Task<Self>, trace: &Self::Trace) -> Option<Timeline>;

    /// The model as a graph.
    fn drawing(task: &Task<Self>) -> Drawing;

    /// What a proof says about places of the model.
    fn facts(task: &Task<Self>, proof: &Self::Proof) -> Vec<Fact>;

    /// What the proof is, in a sentence.
    fn proof_words(proof: &Self::Proof) -> String;

    /// What a model means, in sentences.
    fn semantics(task: &Task<Self>) -> &'static [&'static str];
}

/// A property as a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The stable name.
    pub id: String,
    /// What holds if the property does.
    pub sentence: String,
    /// What is said about a violation.
    pub violation: String,
}

/// How many steps at the start and at the end of a run are shown at most.
const SHOWN_STEPS: usize = 1000;

/// Whether the step with this number is shown, of `count` steps.
pub fn is_shown(number: usize, count: usize) -> bool {
    number < SHOWN_STEPS || number + SHOWN_STEPS >= count
}

/// A state of a run, and how it was reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// Its number in the run; of a long one, steps in the middle are left out.
    pub number: usize,
    /// What happened, or that the run starts.
    pub title: String,
    /// Where that is written.
    pub span: Option<Span>,
    /// The number of calls around it.
    pub depth: u32,
    /// The edge of the drawing, and the nodes where the run is then.
    pub edge: Option<usize>,
    /// The nodes of the drawing where the run is after the step.
    pub nodes: Vec<usize>,
    /// Names with their values after the step, and whether they differ from those before.
    pub values: Vec<Shown>,
    /// Whether it has to do with the violation, as far as that is known.
    pub matters: bool,
}

/// A value of a state.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Shown {
    /// The name.
    pub name: String,
    /// The value, as in the language of the model.
    pub value: String,
    /// Whether it was another one before.
    pub changed: bool,
}

/// Something that a proof says about a place of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// What it is about, such as the name of a location.
    pub subject: String,
    /// What holds there.
    pub formula: String,
    /// Where the subject is written.
    pub span: Option<Span>,
}

/// A graph to be drawn.
#[derive(Clone, Default, Debug)]
pub struct Drawing {
    /// The nodes.
    pub nodes: Vec<DrawnNode>,
    /// The edges.
    pub edges: Vec<DrawnEdge>,
    /// The places of the nodes, if the model gives them.
    pub places: Option<Vec<[f64; 2]>>,
}

/// A node of a drawing.
#[derive(Clone, Debug)]
pub struct DrawnNode {
    /// The words in it.
    pub label: String,
    /// A second line of words.
    pub detail: Option<String>,
    /// How it looks.
    pub kind: NodeKind,
    /// Whether it stands out.
    pub is_marked: bool,
    /// Where it comes from.
    pub span: Option<Span>,
}

/// How a node looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// An ordinary location.
    Plain,
    /// Where runs start.
    Initial,
    /// Where runs must not arrive.
    Error,
    /// Where the model stops to describe a program.
    Limit,
    /// Where a program ends.
    Final,
    /// A place of a net.
    Place,
    /// A transition of a net.
    Transition,
    /// A variable of a transition system.
    Variable,
    /// An input of a transition system.
    Input,
    /// An abstract state that another one covers.
    Covered,
    /// An abstract state that has not been expanded.
    Waiting,
}

/// How an edge looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    /// An arrow.
    Arrow,
    /// It ends in a circle, as an inhibitor arc does.
    Inhibitor,
    /// A dashed arrow from a covered state to the one that covers it.
    Covers,
}

/// An edge of a drawing.
#[derive(Clone, Debug)]
pub struct DrawnEdge {
    /// Where it starts.
    pub source: usize,
    /// Where it leads.
    pub target: usize,
    /// Lines of words on it.
    pub label: Vec<String>,
    /// How it looks.
    pub kind: EdgeKind,
    /// Whether it stands out.
    pub is_marked: bool,
}

impl DrawnNode {
    /// A node with one line of text that is not highlighted.
    pub(crate) fn new(label: impl Into<String>, kind: NodeKind, span: Option<Span>) -> DrawnNode {
        DrawnNode { label: label.into(), detail: None, kind, is_marked: false, span }
    }
}

impl DrawnEdge {
    /// An edge that does not stand out.
    pub(crate) fn new(source: usize, target: usize, label: Vec<String>, kind: EdgeKind) -> DrawnEdge {
        DrawnEdge { source, target, label, kind, is_marked: false }
    }
}

/// The line and column of a span, from one, and the name of its file.
pub(crate) fn place(sources: &SourceMap, span: Span) -> (&str, u32, u32) {
    let at = sources.start(span);
    (sources.file(span.file).name(), at.line, at.column)
}
