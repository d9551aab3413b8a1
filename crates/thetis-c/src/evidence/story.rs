//! A run as a story: what happens line by line, with the values that change.
//!
//! A run of the automaton has many more steps than a person wants to see: temporaries, conversions, bookkeeping. The
//! story has one step for each event that the source tells (a branch, an assignment, a call, an input), at the depth of the
//! calls that are active, and with the variables of the program that the step changed. What the source does not name is
//! left out.

use std::collections::BTreeMap;

use thetis_base::Span;
use thetis_expr::{ArrayValue, BitVec, Value, VarId};
use thetis_model::cfa::{CfaStep, CfaTrace, EdgeId, Interpreter, State, StmtKind};

use super::Translated;
use super::memory::explain;
use super::quote::{mentions, quote};
use super::value::{has_no_name, part_at, show};
use crate::hir::TypeId;
use crate::library::{self, modelled};
use crate::lower::{Event, FrameId, Owner, Scalar, VarOrigin, Variable, ViolationKind, split_pointer};

/// One event of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Its number among all events of the run.
    pub number: usize,
    /// After how many steps of the run it has happened.
    pub after: usize,
    /// Where it is written.
    pub span: Span,
    /// The number of calls that are active, without `main`.
    pub depth: u32,
    /// What happens.
    pub text: String,
    /// The variables that the event changed, as C writes them, with their new values.
    pub values: Vec<(String, String)>,
}

/// How many elements of an array, and cells of memory, one event shows.
const MAX_CELLS: usize = 8;

/// The story of a run; empty if `trace` is no run. Of so many events only those are told of which `is_told` wants the number: the text of
/// a million would take longer than to find the run. What changes meanwhile is told with the next one.
pub fn story(
    translated: Translated<'_>,
    trace: &CfaTrace,
    is_told: impl Fn(usize, usize) -> bool,
) -> Vec<Told> {
    let task = &translated.lowered.task;
    let stack = vec![FrameId::new(0)];
    let mut teller = Teller { translated, trace, stack, written: BTreeMap::new() };
    let has_event: Vec<bool> = task.model.edges.indices().map(|edge| teller.has_event(edge)).collect();
    let has_event = |step: &CfaStep| has_event[step.edge.index()];
    let count = trace.steps.iter().filter(|step| has_event(step)).count();
    let mut numbers = 0..count;
    let mut told = Vec::new();
    let end = Interpreter::new(task).follow(trace, |before, state| {
        if let Some(step) = before.checked_sub(1) {
            let number = if has_event(&trace.steps[step]) { numbers.next() } else { None };
            let number = number.filter(|number| is_told(*number, count));
            told.extend(teller.step(step, number, state));
        }
        if let Some(step) = trace.steps.get(before) {
            teller.note(step.edge, state);
        }
    });
    if end.is_ok() { told } else { Vec::new() }
}

struct Teller<'a> {
    translated: Translated<'a>,
    trace: &'a CfaTrace,
    /// The copies of functions that are active.
    stack: Vec<FrameId>,
    /// The variables that were written since the last event that was told, with their values before.
    written: BTreeMap<VarId, Option<Value>>,
}

impl Teller<'_> {
    /// Whether there is something to tell about an edge. What models of library functions do is of interest only if it violates the
    /// property.
    fn has_event(&self, edge: EdgeId) -> bool {
        let (origin, cfa) = (&self.translated.lowered.origin, &self.translated.lowered.task.model);
        let event = &origin.edges[edge];
        let [from, to] = [cfa.edges[edge].source, cfa.edges[edge].target].map(|at| origin.locations[at]);
        let is_inside = self.is_model(from) || (self.is_model(to) && !matches!(event, Event::Call(_)));
        if is_inside && *event != (Event::Check { is_violated: true }) {
            return false;
        }
        let is_event = match *event {
            Event::Silent | Event::Start | Event::Check { is_violated: false } | Event::Return(_) => false,
            Event::Assign => !self.is_initial(edge) && !self.is_literal(edge),
            // That it is violated will be told, that it holds goes without saying.
            Event::Branch { .. } => {
                let span = cfa.edges[edge].span;
                !origin.violations.iter().any(|violation| Some(violation.span) == span)
            }
            // The arguments of a function that is checked by itself have names of their own.
            Event::Input { ref function, .. } => !library::is_model(function),
            Event::Switch
            | Event::Call(_)
            | Event::Assume
            | Event::Check { is_violated: true }
            | Event::End => true,
        };
        is_event && self.translated.lowered.task.model.edges[edge].span.is_some()
    }

    /// Notes what the next step, along `edge`, will write.
    fn note(&mut self, edge: EdgeId, before: &State) {
        for stmt in self.translated.lowered.task.model.edges[edge].stmt.walk() {
            if let StmtKind::Assign(var, _) | StmtKind::Havoc(var) = &stmt.kind {
                self.written.entry(*var).or_insert_with(|| before.values.get(var).cloned());
            }
        }
    }

    /// Follows a step to the state after it; its event, if that has a number to be told under.
    fn step(&mut self, step: usize, number: Option<usize>, after: &State) -> Option<Told> {
        let edge = self.trace.steps[step].edge;
        let depth = self.stack.iter().skip(1).filter(|frame| !self.is_model(**frame)).count() as u32;
        match &self.translated.lowered.origin.edges[edge] {
            Event::Call(frame) => self.stack.push(*frame),
            Event::Return(_) => drop(self.stack.pop()),
            _ => {}
        }
        let number = number?;
        let span = self.translated.lowered.task.model.edges[edge].span?;
        let (mut text, is_assignment) = self.words(edge, span, after);
        for operation in self.undefined(after) {
            text += &format!(", where `{operation}` is undefined");
        }
        let values = self.changed(after, is_assignment);
        self.written.clear();
        Some(Told { number, after: step + 1, span, depth, text, values })
    }

    /// What the event of an edge is in words, and whether it may tell a value that is the same as before.
    fn words(&self, edge: EdgeId, span: Span, state: &State) -> (String, bool) {
        let origin = &self.translated.lowered.origin;
        let quoted = || quote(self.translated.sources, span);
        match &origin.edges[edge] {
            Event::Branch { taken } => (format!("`{}` is {taken}", quoted()), false),
            Event::Switch => {
                let words = quoted();
                let label = words.split_once(':').map_or(words.as_str(), |(label, _)| label);
                let is_label = label.starts_with("case") || label.starts_with("default");
                (
                    if is_label { format!("goes to `{label}`") } else { "goes past all cases".to_owned() },
                    false,
                )
            }
            Event::Call(frame) => (format!("calls `{}`", modelled(&origin.frames[*frame].name)), true),
            Event::Input { function, var, ty } => {
                let value = state.values.get(var).map(|value| self.show(*ty, value));
                (format!("`{function}` returns {}", value.unwrap_or_default()), false)
            }
            Event::Assume => (format!("`{}` is assumed", quoted()), false),
            Event::Check { .. } => (self.violation(state, &quoted()), false),
            Event::End => ("the program ends".to_owned(), false),
            Event::Assign if self.is_uninitialised(edge) => {
                (format!("`{}` is without an initial value", quoted()), true)
            }
            Event::Assign | Event::Silent | Event::Start | Event::Return(_) => {
                (format!("`{}`", quoted()), true)
            }
        }
    }

    fn violation(&self, state: &State, quoted: &str) -> String {
        let lowered = self.translated.lowered;
        match (lowered.violation_of(self.trace), explain(self.translated, self.trace, state)) {
            (Some(violation), Some(explanation)) => {
                let rule = match violation.kind {
                    ViolationKind::Memory(rule) => rule.name(),
                    _ => "the property",
                };
                format!("`{quoted}` violates {rule}: {explanation}")
            }
            (Some(violation), None) => {
                let values = self.values_in(quoted, state);
                let values =
                    if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
                match violation.kind {
                    ViolationKind::Assertion => format!("`{quoted}` fails{values}"),
                    ViolationKind::Overflow => format!("`{quoted}` overflows{values}"),
                    ViolationKind::Undefined => format!("`{quoted}` is undefined{values}"),
                    ViolationKind::DivisionByZero => format!("`{quoted}` divides by zero{values}"),
                    ViolationKind::Shift => {
                        format!("`{quoted}` shifts by a number that is out of range{values}")
                    }
                    ViolationKind::Call | ViolationKind::Label => format!("`{quoted}` is reached"),
                    ViolationKind::Memory(rule) => format!("`{quoted}` violates {}", rule.name()),
                }
            }
            (None, _) => format!("`{quoted}` violates the property"),
        }
    }

    /// The operations of the program without a value that were executed since the last event that was told.
    fn undefined(&self, now: &State) -> Vec<String> {
        let operations =
            self.written.keys().filter_map(|var| match self.translated.lowered.origin.vars.get(var) {
                Some(VarOrigin::Undefined(span)) if now.values.get(var) == Some(&Value::Bool(true)) => {
                    Some(*span)
                }
                _ => None,
            });
        operations.map(|span| quote(self.translated.sources, span)).collect()
    }

    /// Whether an edge leaves a variable that it declares without a value.
    fn is_uninitialised(&self, edge: EdgeId) -> bool {
        let lowered = self.translated.lowered;
        lowered.task.model.edges[edge].stmt.walk().any(|stmt| match &stmt.kind {
            StmtKind::Havoc(var) => {
                matches!(lowered.origin.vars.get(var), Some(VarOrigin::Scalar(_) | VarOrigin::Elements(_)))
            }
            _ => false,
        })
    }

    /// The values of the variables that a quoted text names.
    fn values_in(&self, quoted: &str, state: &State) -> Vec<String> {
        let vars = self.translated.lowered.origin.vars.iter();
        let shown = vars.filter_map(|(var, origin)| {
            let VarOrigin::Scalar(variable) = origin else { return None };
            let is_here = match variable.owner {
                Owner::Local(frame, _) => self.stack.last() == Some(&frame),
                Owner::Global(_) => true,
            };
            let value = state.values.get(var).filter(|_| is_here && mentions(quoted, &variable.text))?;
            Some(format!("{} = {}", variable.text, self.show(variable.ty, value)))
        });
        shown.collect()
    }

    /// Whether a function is the model of one of the library.
    fn is_model(&self, frame: FrameId) -> bool {
        library::is_model(&self.translated.lowered.origin.frames[frame].name)
    }

    /// Whether an edge gives variables with static storage their first values.
    fn is_initial(&self, edge: EdgeId) -> bool {
        let span = self.translated.lowered.task.model.edges[edge].span;
        let spans = self.translated.program.globals.iter().filter(|global| global.function.is_none());
        span.is_some_and(|span| {
            spans.into_iter().any(|global| global.span.file == span.file && global.span.start == span.start)
        })
    }

    /// Whether an edge fills a literal with its text.
    fn is_literal(&self, edge: EdgeId) -> bool {
        let span = self.translated.lowered.task.model.edges[edge].span;
        span.is_some_and(|span| self.translated.sources.text(span).starts_with('"'))
    }

    fn show(&self, ty: TypeId, value: &Value) -> String {
        show(self.translated, ty, value)
    }

    /// Whether a person knows a variable: it has a name, and its function is active and no model of the library.
    fn is_known(&self, variable: &Variable) -> bool {
        match variable.owner {
            Owner::Local(frame, _) => self.stack.contains(&frame) && !self.is_model(frame),
            Owner::Global(_) => !has_no_name(&variable.text),
        }
    }

    /// The variables of the program that were written and differ, or all that were written by an assignment.
    fn changed(&self, now: &State, is_assignment: bool) -> Vec<(String, String)> {
        let mut shown = Vec::new();
        for (var, old) in &self.written {
            let (Some(old), Some(new)) = (old, now.values.get(var)) else { continue };
            match self.translated.lowered.origin.vars.get(var) {
                Some(VarOrigin::Scalar(variable) | VarOrigin::Elements(variable))
                    if !self.is_known(variable) => {}
                Some(VarOrigin::Scalar(variable)) if is_assignment || old != new => {
                    shown.push((self.name(variable), self.show(variable.ty, new)));
                }
                Some(VarOrigin::Elements(variable)) => {
                    shown.extend(self.elements(variable, old, new));
                }
                Some(VarOrigin::Memory(_)) => shown.extend(self.cells(old, new)),
                Some(VarOrigin::Result(frame)) if is_assignment && !self.is_model(*frame) => {
                    let function = self.translated.lowered.origin.frames[*frame].function;
                    let ty = self.translated.program.functions[function].ty.result;
                    if Scalar::of(&self.translated.program.types, ty).is_some() {
                        shown.push(("result".to_owned(), self.show(ty, new)));
                    }
                }
                _ => {}
            }
        }
        shown
    }

    /// How a variable is called here: with the name of its function if that is another one.
    fn name(&self, variable: &Variable) -> String {
        match variable.owner {
            Owner::Local(frame, _) if self.stack.last() != Some(&frame) => {
                format!("{} of `{}`", variable.text, self.translated.lowered.origin.frames[frame].name)
            }
            Owner::Local(..) | Owner::Global(_) => variable.text.clone(),
        }
    }

    fn elements(&self, variable: &Variable, old: &Value, new: &Value) -> Vec<(String, String)> {
        let (Value::Array(old), Value::Array(new)) = (old, new) else { return Vec::new() };
        differences(old, new)
            .map(|(index, element)| {
                (format!("{}[{index}]", self.name(variable)), self.show(variable.ty, element))
            })
            .collect()
    }

    /// What was written to memory, as far as it belongs to an object with a name.
    fn cells(&self, old: &Value, new: &Value) -> Vec<(String, String)> {
        let (Value::Array(old), Value::Array(new)) = (old, new) else { return Vec::new() };
        let types = &self.translated.program.types;
        let mut shown: Vec<(String, String)> = Vec::new();
        for (address, element) in differences(old, new) {
            let Some((number, offset)) = split_pointer(address) else { continue };
            let Some(object) = self.translated.lowered.origin.objects.get(&number) else { continue };
            if has_no_name(&object.name) {
                continue;
            }
            let Some(ty) = object.ty else { continue };
            let Some((path, ty)) = part_at(types, ty, u64::from(offset), None) else { continue };
            let Some(size) = types.size_of(ty) else { continue };
            let value = match element {
                Value::BitVec(bits) if u64::from(bits.width()) < 8 * size => join_bytes(new, address, size),
                _ => Some(element.clone()),
            };
            shown.extend(value.map(|value| (format!("{}{path}", object.name), self.show(ty, &value))));
        }
        shown
    }
}

/// The elements that changed: some of them, if there are many.
fn differences<'v>(old: &'v ArrayValue, new: &'v ArrayValue) -> impl Iterator<Item = (&'v Value, &'v Value)> {
    old.changes(new).filter(|(index, element)| old.read(index) != *element).take(MAX_CELLS)
}

/// The value that begins at a byte of memory, lowest byte first.
fn join_bytes(memory: &ArrayValue, address: &Value, size: u64) -> Option<Value> {
    let Value::BitVec(first) = address else { return None };
    let mut joined = num_bigint::BigUint::default();
    for number in (0..size).rev() {
        let next = BitVec::new(first.width(), first.unsigned() + number);
        let Value::BitVec(byte) = memory.read(&Value::BitVec(next)) else { return None };
        joined = (joined << 8u32) + byte.unsigned();
    }
    Some(Value::BitVec(BitVec::new(u32::try_from(8 * size).ok()?, joined)))
}
