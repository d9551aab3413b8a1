//! A trace for people: each step on the source, and the values that it changes.

use std::fmt::Write;

use thetis_base::{SourceMap, Span};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, Interpreter, State};

/// The steps of `trace`, which must be a run of `task`. Auxiliary variables, whose names contain `!`, are not shown.
pub(crate) fn render_trace(task: &Task<Cfa>, trace: &CfaTrace, sources: &SourceMap) -> String {
    let Ok(states) = Interpreter::new(task).run(trace) else { return String::new() };
    let name = |state: &State| task.model.locations[state.location].name.as_str();
    let mut text = format!("  start at {}{}\n", name(&states[0]), values(task, None, &states[0]));
    for (number, (step, pair)) in trace.steps.iter().zip(states.windows(2)).enumerate() {
        let place = task.model.edges[step.edge].span.map(|span| place(sources, span)).unwrap_or_default();
        let (from, to) = (name(&pair[0]), name(&pair[1]));
        let changed = values(task, Some(&pair[0]), &pair[1]);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}. {place}{from} -> {to}{changed}", number + 1);
    }
    text
}

fn place(sources: &SourceMap, span: Span) -> String {
    format!("{}:{}: ", sources.file(span.file).name(), sources.start(span).line)
}

/// The values of `state` that differ from those of `before`.
fn values(task: &Task<Cfa>, before: Option<&State>, state: &State) -> String {
    let mut text = String::new();
    for var in &task.model.vars {
        let value = &state.values[var];
        let name = task.store.var_name(*var);
        if name.contains('!') || before.is_some_and(|before| before.values[var] == *value) {
            continue;
        }
        text.push_str(if text.is_empty() { ": " } else { ", " });
        // Writing to a string cannot fail.
        let _ = write!(text, "{name} = {value}");
    }
    text
}
