//! From a run to a violation witness.
//!
//! The waypoints are what determines the run: the values that input functions return, and the branches that statements
//! take. The last one is the violation. Each has a segment of its own, since all must be passed in this order.

use thetis_base::{FileId, Span};
use thetis_expr::Value;
use thetis_model::cfa::{CfaStep, CfaTrace, Interpreter, State};

use super::format::{Constraint, Item, Location, SegmentItem, Waypoint};
use super::location;
use crate::evidence::Translated;
use crate::evidence::harness::integer_constant;
use crate::evidence::value::{float, number};
use crate::hir::{Program, Stmt, StmtKind, Type, TypeId};
use crate::lower::{Choice, Decision, Event, FrameId, Part, walk_body};

/// The keywords of statements that branch.
const CHOOSERS: [&str; 5] = ["if", "while", "for", "do", "switch"];

/// The segments of a run; only places in `files` can be named. `None` if `trace` is no run to a violation there.
pub fn segments(translated: Translated<'_>, trace: &CfaTrace, files: &[FileId]) -> Option<Vec<Item>> {
    let origin = &translated.lowered.origin;
    let mut stack = vec![FrameId::new(0)];
    let mut segments = Vec::new();
    let look = |number: usize, state: &State| {
        let (Some(last), Some(frame)) = (number.checked_sub(1), stack.last()) else { return };
        let step: &CfaStep = &trace.steps[last];
        let waypoint = waypoint(translated, step, state, &origin.frames[*frame].name);
        segments.extend(
            waypoint.filter(|(span, _)| files.contains(&span.file)).map(|(_, waypoint)| segment(waypoint)),
        );
        match &origin.edges[step.edge] {
            Event::Call(frame) => stack.push(*frame),
            Event::Return(_) => drop(stack.pop()),
            _ => {}
        }
    };
    let last = Interpreter::new(&translated.lowered.task).follow(trace, look).ok()?;
    let violation = origin.violations.iter().find(|violation| violation.location == last.location)?;
    let function = &origin.frames[*stack.last()?].name;
    let target = full_expression(translated.program, violation.span);
    if !files.contains(&target.file) {
        return None;
    }
    segments.push(segment(Waypoint {
        kind: "target".to_owned(),
        action: "follow".to_owned(),
        location: location(translated.sources, target, function),
        constraint: None,
    }));
    Some(segments)
}

fn segment(waypoint: Waypoint) -> Item {
    Item { segment: Some(vec![SegmentItem { waypoint }]), ..Item::default() }
}

fn waypoint(
    translated: Translated<'_>,
    step: &CfaStep,
    state: &State,
    function: &str,
) -> Option<(Span, Waypoint)> {
    let origin = &translated.lowered.origin;
    if let Event::Input { var, ty, .. } = &origin.edges[step.edge] {
        let span = translated.lowered.task.model.edges[step.edge].span?;
        let value = constant(translated, *ty, state.values.get(var)?)?;
        return Some((span, function_return(translated, span, value, function)));
    }
    let Decision { span, choice } = origin.decisions.get(&step.edge)?;
    let text = translated.sources.text(*span);
    let word: &str = text.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
    if !CHOOSERS.contains(&word) {
        return None;
    }
    let value = match choice {
        Choice::Condition(is_true) => is_true.to_string(),
        Choice::Case(low, high) if low == high => low.to_string(),
        // The format cannot express ranges of cases.
        Choice::Case(..) => return None,
        Choice::Default => "default".to_owned(),
    };
    let waypoint = Waypoint {
        kind: "branching".to_owned(),
        action: "follow".to_owned(),
        location: location(translated.sources, *span, function),
        constraint: Some(Constraint { value, format: None }),
    };
    Some((*span, waypoint))
}

/// The return of a call; its place is the closing parenthesis.
fn function_return(translated: Translated<'_>, call: Span, value: String, function: &str) -> Waypoint {
    let parenthesis = Span { start: call.end.saturating_sub(1).max(call.start), ..call };
    Waypoint {
        kind: "function_return".to_owned(),
        action: "follow".to_owned(),
        location: Location { ..location(translated.sources, parenthesis, function) },
        constraint: Some(Constraint {
            value: format!("\\result == {value}"),
            format: Some("acsl_expression".to_owned()),
        }),
    }
}

/// A value as a constant; pointers are not compared with numbers.
fn constant(translated: Translated<'_>, ty: TypeId, value: &Value) -> Option<String> {
    let types = &translated.program.types;
    match types.get(ty) {
        Type::Int(_) => number(types, ty, value).map(|number| integer_constant(&number)),
        Type::Float(kind) => float(*kind, value).filter(|text| !text.contains("__builtin")),
        _ => None,
    }
}

/// The smallest statement or full expression around a place.
pub(crate) fn full_expression(program: &Program, span: Span) -> Span {
    let mut best = span;
    for function in &program.functions {
        for part in walk_body(function.body.as_deref().unwrap_or_default()) {
            let Part::Stmt(stmt) = part else { continue };
            for candidate in full_expressions(stmt) {
                let holds =
                    candidate.file == span.file && candidate.start <= span.start && span.end <= candidate.end;
                let is_smaller = best == span || candidate.end - candidate.start < best.end - best.start;
                if holds && is_smaller {
                    best = candidate;
                }
            }
        }
    }
    best
}

fn full_expressions(stmt: &Stmt) -> Vec<Span> {
    match &stmt.kind {
        StmtKind::Expr(_) | StmtKind::Declare(..) | StmtKind::Return(_) | StmtKind::AcslAssert(_) => {
            vec![stmt.span]
        }
        StmtKind::If { condition, .. }
        | StmtKind::While { condition, .. }
        | StmtKind::DoWhile { condition, .. } => vec![condition.span],
        StmtKind::Switch { value, .. } => vec![value.span],
        StmtKind::For { condition, step, .. } => condition.iter().chain(step).map(|expr| expr.span).collect(),
        _ => Vec::new(),
    }
}
