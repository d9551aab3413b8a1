//! A trace for people: each step on the source, and the values that it changes.

use std::fmt::Write;

use serde_json::{Value as Json, json};
use thetis_base::{SourceMap, Span, counted, printable};
use thetis_expr::{Value, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, Interpreter, State};
use thetis_model::sts::{Sts, StsTrace};
use thetis_model::xta::{Network, XtaTrace};

use crate::story::{StoryLine, render_lines};
use crate::visual::{self, Shown, TraceStep, Visual, is_shown};

/// How many steps are shown at the start and at the end of a long story.
const SHOWN_STEPS: usize = 100;

/// The steps of `trace`, which must be a run of `task`. Auxiliary variables, whose names contain `!`, are not shown.
pub(crate) fn render_trace(task: &Task<Cfa>, trace: &CfaTrace, sources: &SourceMap) -> String {
    let name = |state: &State| task.model.locations[state.location].name.as_str();
    let mut text = String::new();
    let shown = follow_told(task, trace, |number, before, after| {
        let Some(before) = before else {
            push_line(&mut text, &format!("  start at {}{}", name(after), values(task, None, after)));
            return;
        };
        if number > 1 && !is_shown(number - 2, trace.steps.len()) {
            text.push_str("  ...\n");
        }
        let span = task.model.edges[trace.steps[number - 1].edge].span;
        let place = span.map(|span| place(sources, span)).unwrap_or_default();
        let changed = values(task, Some(before), after);
        push_line(&mut text, &format!("  {number}. {place}{} -> {}{changed}", name(before), name(after)));
    });
    if shown { text } else { String::new() }
}

/// Follows a run and passes on the initial state, then the state after each reported step, with its number and the state before.
/// Returns whether it is a run.
pub(crate) fn follow_told(
    task: &Task<Cfa>,
    trace: &CfaTrace,
    mut show: impl FnMut(usize, Option<&State>, &State),
) -> bool {
    let count = trace.steps.len();
    let mut before: Option<State> = None;
    let end = Interpreter::new(task).follow(trace, |number, state| {
        if number == 0 || is_shown(number - 1, count) {
            show(number, before.as_ref(), state);
        }
        before = (number < count && is_shown(number, count)).then(|| state.clone());
    });
    end.is_ok()
}

/// The steps of a timed run, with the variables that each of them changes; clocks are left out, since they always change.
pub(crate) fn render_timed_run(task: &Task<Network>, trace: &XtaTrace, sources: &SourceMap) -> String {
    let mut text = match trace.forever {
        None => format!("A run of {} leads there:\n", counted(trace.steps.len(), "move")),
        Some(_) => format!("A run that never ends, after {}:\n", counted(trace.steps.len(), "move")),
    };
    let steps = Network::steps(task, trace);
    let count = steps.len();
    for (number, step) in steps.into_iter().enumerate() {
        if number == SHOWN_STEPS && count > 2 * SHOWN_STEPS {
            text.push_str("  ...\n");
        }
        if number < SHOWN_STEPS || number + SHOWN_STEPS >= count {
            let place = step.span.map(|span| place(sources, span)).unwrap_or_default();
            let variables = step.values.iter().take(task.model.variables.len()).filter(|shown| shown.changed);
            let changed: Vec<String> =
                variables.map(|shown| format!("{} = {}", shown.name, shown.value)).collect();
            let changed =
                if changed.is_empty() { String::new() } else { format!("; {}", changed.join(", ")) };
            push_line(&mut text, &format!("  {number}. {place}{}{changed}", step.title));
        }
    }
    text
}

fn place(sources: &SourceMap, span: Span) -> String {
    format!("{}:{}: ", sources.file(span.file).name(), sources.start(span).line)
}

/// Appends one line. Names in it are untrusted, so line breaks and other control characters are escaped.
fn push_line(text: &mut String, line: &str) {
    text.push_str(&printable(line));
    text.push('\n');
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

/// The steps of a run of a transition system: the variables that change, and the inputs. Boolean inputs, and
/// Boolean variables of the first state, are not shown if they are false.
pub(crate) fn render_steps(task: &Task<Sts>, trace: &StsTrace) -> String {
    let sts = &task.model;
    let mut text = format!("A run of {} ends in a bad one:\n", counted(trace.steps.len(), "step"));
    let is_false = |value: &Value| *value == Value::Bool(false);
    for (number, step) in trace.steps.iter().enumerate() {
        let before = number.checked_sub(1).map(|before| &trace.steps[before].state);
        let state = sts.vars.iter().zip(&step.state).enumerate();
        let changed = state.filter(|(at, (_, value))| match before {
            None => !is_false(value),
            Some(before) => before[*at] != **value,
        });
        let shown = pairs(task, changed.map(|(_, pair)| pair));
        let inputs = pairs(task, sts.inputs.iter().zip(&step.inputs).filter(|(_, value)| !is_false(value)));
        let inputs = if inputs.is_empty() { inputs } else { format!("[{inputs}]") };
        let shown = match (shown.is_empty(), inputs.is_empty()) {
            (true, true) if number == 0 => "everything is false".to_owned(),
            (true, true) => "nothing changes".to_owned(),
            (false, false) => format!("{shown} {inputs}"),
            _ => shown + &inputs,
        };
        push_line(&mut text, &format!("  {}. {shown}", number + 1));
    }
    text
}

fn pairs<'v>(task: &Task<Sts>, values: impl Iterator<Item = (&'v VarId, &'v Value)>) -> String {
    let names = values.map(|(var, value)| (task.store.var_name(*var), value));
    let visible = names.filter(|(name, _)| !name.contains('!'));
    visible.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// Which steps of a violation are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Those that have to do with it.
    Relevant,
    /// All of them.
    Full,
}

/// The steps of a violation in terms of the source language, indented by the depth of calls. The middle of a long violation is
/// left out.
pub fn render_story(story: &[TraceStep], sources: &SourceMap, detail: Detail) -> String {
    let is_shown = |step: &&TraceStep| step.matters || detail == Detail::Full;
    let shown: Vec<&TraceStep> = story.iter().filter(is_shown).collect();
    let mut text = match story.len() - shown.len() {
        0 if story.is_empty() => {
            "The property is violated by a run whose calls are too deep to be shown step by step.\n"
                .to_owned()
        }
        0 => "The property is violated by this run:\n".to_owned(),
        1 => "The property is violated by this run, without 1 step that does not matter (--full shows it):\n"
            .to_owned(),
        omitted => format!(
            "The property is violated by this run, without {omitted} steps that do not matter (--full shows them):\n"
        ),
    };
    let lines: Vec<StoryLine> = lines(story, &shown, sources);
    text.push_str(&render_lines(&lines, detail));
    text
}

/// Some steps of a story as lines.
fn lines(story: &[TraceStep], shown: &[&TraceStep], sources: &SourceMap) -> Vec<StoryLine> {
    // The middle of a very long story is not known.
    let gap = story.windows(2).find(|pair| pair[0].number + 1 < pair[1].number).map(|pair| pair[1].number);
    let mut before = 0;
    let lines = shown.iter().map(|step| {
        let is_after_gap = gap.is_some_and(|gap| (before..step.number).contains(&gap.saturating_sub(1)));
        before = step.number;
        StoryLine {
            number: step.number,
            is_after_gap,
            place: step.span.map(|span| {
                let (file, line, column) = visual::place(sources, span);
                format!("{file}:{line}:{column}")
            }),
            depth: step.depth,
            title: step.title.clone(),
            values: changed(step).map(|shown| format!("{} = {}", shown.name, shown.value)).collect(),
        }
    });
    lines.collect()
}

/// A step for programs.
pub(crate) fn step_json(step: &TraceStep, sources: &SourceMap) -> Json {
    let place = step.span.map(|span| visual::place(sources, span));
    json!({
        "file": place.map(|(file, ..)| file),
        "line": place.map(|(_, line, _)| line),
        "column": place.map(|(_, _, column)| column),
        "depth": step.depth,
        "text": step.title,
        "matters": step.matters,
        "values": changed(step)
            .map(|shown| (shown.name.clone(), json!(shown.value)))
            .collect::<serde_json::Map<_, _>>(),
    })
}

fn changed(step: &TraceStep) -> impl Iterator<Item = &Shown> {
    step.values.iter().filter(|shown| shown.changed)
}
