//! What happens on the edges of the automaton, in C, for people who look at its graph.

use thetis_base::Span;
use thetis_model::cfa::EdgeId;

use super::Translated;
use super::quote::quote;
use crate::library::{is_model, modelled};
use crate::lower::{Event, ViolationKind};

/// A label for each edge, empty where nothing happens that the source says. What models of library functions do is left out.
pub fn labels(translated: Translated<'_>) -> Vec<String> {
    let edges = &translated.lowered.task.model.edges;
    edges.iter_enumerated().map(|(id, edge)| label(translated, id, edge.span).unwrap_or_default()).collect()
}

fn label(translated: Translated<'_>, edge: EdgeId, span: Option<Span>) -> Option<String> {
    let (origin, cfa) = (&translated.lowered.origin, &translated.lowered.task.model);
    let [from, _] = origin.frames_at(edge, cfa);
    if is_model(&origin.frames[from].name) {
        return None;
    }
    let quoted = || span.map(|span| quote(translated.sources, span));
    match &origin.edges[edge] {
        Event::Silent => None,
        Event::Start => Some("initial values".to_owned()),
        Event::Branch { taken: true } if is_check(translated, span?) => {
            quoted().map(|checked| format!("holds: {checked}"))
        }
        Event::Branch { taken: false } if is_check(translated, span?) => None,
        Event::Branch { taken: true } => quoted(),
        Event::Branch { taken: false } => quoted().map(|condition| format!("not: {condition}")),
        Event::Switch | Event::Assign => quoted(),
        Event::Call(frame) => Some(format!("call {}", modelled(&origin.frames[*frame].name))),
        Event::Return(frame) => Some(format!("return from {}", modelled(&origin.frames[*frame].name))),
        Event::Input { function, .. } if is_model(function) => None,
        Event::Input { function, .. } => Some(format!("{function} returns")),
        Event::Assume => quoted().map(|condition| format!("assume: {condition}")),
        Event::Check { is_violated: true } => quoted().map(|checked| format!("fails: {checked}")),
        Event::Check { is_violated: false } => quoted().map(|checked| format!("holds: {checked}")),
        Event::End => Some("the program ends".to_owned()),
    }
}

/// Whether a condition is a part of what the property is about: a violation comes next and says more.
fn is_check(translated: Translated<'_>, span: Span) -> bool {
    let is_in = |whole: Span| whole.file == span.file && (whole.start..whole.end).contains(&span.start);
    let violations = &translated.lowered.origin.violations;
    violations.iter().any(|violation| {
        violation.span == span || violation.kind == ViolationKind::Assertion && is_in(violation.span)
    })
}
