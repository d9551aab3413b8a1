//! A run as a list of events on source lines, with the values that change.
//!
//! A run of the automaton has many more steps than a person wants to see: temporaries, conversions, bookkeeping. The
//! story has one step for each event of the source (a branch, an assignment, a call, an input), with its call depth and
//! the program variables that it changed. Variables without a source name are left out. A violation inside the model of
//! a library function is reported at its call. Irrelevant events are marked ([`relevance`](super::relevance)).

mod given;
mod paths;
mod scope;
mod values;

use std::collections::BTreeMap;

use thetis_base::Span;
use thetis_expr::{Value, VarId};
use thetis_model::cfa::{CfaStep, CfaTrace, EdgeId, Interpreter, State, StmtKind};

use super::Translated;
use super::arguments::makes_arguments;
use super::memory::explain;
use super::quote::{is_call_of_macro, is_name, quote, quote_declaration};
use super::relevance::{Cell, effects, relevant_steps};
use super::value::show;
use crate::entry::target_name;
use crate::hir::TypeId;
use crate::library::{self, modelled};
use crate::lower::{Event, FrameId, MemoryRule, VarOrigin, ViolationKind, split_pointer};

pub(super) use values::join_bytes;

use paths::{Memory, Scene, is_number, paths};

/// One event of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoryStep {
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
    /// Whether it is relevant to the violation.
    pub matters: bool,
}

/// The story of a run; empty if `trace` is no run. Reports only the events that `is_shown` selects by their numbers, given how many there are: the
/// text of a million would take longer than finding the run.
pub fn story(
    translated: Translated<'_>,
    trace: &CfaTrace,
    is_shown: impl Fn(usize, usize) -> bool,
) -> Vec<StoryStep> {
    let task = &translated.lowered.task;
    let start = given::start(translated, trace);
    // The start of the program comes before all events.
    let is_shown = |number: usize, count: usize| match &start {
        Some(_) => is_shown(number + 1, count + 1),
        None => is_shown(number, count),
    };
    let mut writer = StoryWriter {
        translated,
        trace,
        stacks: vec![vec![FrameId::new(0)]],
        turn: 0,
        written: Vec::new(),
        before: BTreeMap::new(),
        memory: Memory::new(),
        library_call: None,
        library_matters: false,
        steps: Vec::new(),
    };
    let matters = relevant_steps(task, trace);
    let matters = |step: usize| matters.as_ref().is_none_or(|matters| matters[step]);
    let has_event: Vec<bool> = task.model.edges.indices().map(|edge| writer.has_event(edge)).collect();
    let has_event = |step: &CfaStep| has_event[step.edge.index()];
    let count = trace.steps.iter().filter(|step| has_event(step)).count();
    let mut next = 0;
    let end = Interpreter::new(task).follow(trace, |number, state| {
        if let Some(step) = number.checked_sub(1) {
            let is_event = has_event(&trace.steps[step]);
            let event = Some(next).filter(|next| is_event && is_shown(*next, count));
            writer.step(step, event, matters(step), state);
            next += usize::from(is_event);
        }
        if let Some(step) = trace.steps.get(number)
            && is_shown(next.min(count), count)
        {
            writer.note(step, state);
        }
    });
    let mut steps = writer.steps;
    mark_calls(&mut steps);
    if translated.program.entry.is_some() {
        steps.iter_mut().for_each(name_targets);
    }
    let steps = match start {
        Some(start) => start.followed_by(steps),
        None => steps,
    };
    if end.is_ok() { steps } else { Vec::new() }
}

/// Names the targets of a checked function's pointer arguments as C does.
fn name_targets(step: &mut StoryStep) {
    for (name, value) in &mut step.values {
        *name = target_name(name);
        *value = target_name(value);
    }
}

/// Calls matter if an event inside them does.
fn mark_calls(steps: &mut [StoryStep]) {
    let mut deepest: Option<u32> = None;
    for event in steps.iter_mut().rev() {
        if deepest.is_some_and(|depth| depth > event.depth) {
            event.matters = true;
        }
        if event.matters {
            deepest = Some(event.depth);
        }
    }
}

struct StoryWriter<'a> {
    translated: Translated<'a>,
    trace: &'a CfaTrace,
    /// The copies of functions that are active, for each thread.
    stacks: Vec<Vec<FrameId>>,
    /// The thread that took the last step.
    turn: usize,
    /// What was written since the last event, in its order.
    written: Vec<Cell>,
    /// The values that these variables had before.
    before: BTreeMap<VarId, Value>,
    memory: Memory,
    /// The event that called the function of the library that is active, if it is shown: what the library writes is shown there.
    library_call: Option<usize>,
    /// Whether a step since that call is relevant to the violation.
    library_matters: bool,
    steps: Vec<StoryStep>,
}

impl StoryWriter<'_> {
    /// Whether an edge has an event to report. Events in models of library functions are reported only if they violate
    /// the property.
    fn has_event(&self, edge: EdgeId) -> bool {
        let (origin, cfa) = (&self.translated.lowered.origin, &self.translated.lowered.task.model);
        let event = &origin.edges[edge];
        if cfa.edges[edge].span.is_some_and(|span| makes_arguments(self.translated, span)) {
            return false;
        }
        let [from, to] = origin.frames_at(edge, cfa);
        let leads_inside = self.is_model(to) && !matches!(event, Event::Call(_));
        // The first step of a thread starts in the model of `pthread_create`.
        let is_inside = match origin.turns {
            Some(_) => self.is_model(to) && (leads_inside || self.is_model(from)),
            None => self.is_model(from) || leads_inside,
        };
        if is_inside && *event != (Event::Check { is_violated: true }) {
            return false;
        }
        let is_event = match *event {
            Event::Silent | Event::Start | Event::Check { is_violated: false } | Event::Return(_) => false,
            Event::Assign => !self.is_initial(edge) && !self.is_literal(edge),
            // A violated property is reported; a property that holds is not.
            Event::Branch { .. } => {
                let Some(span) = cfa.edges[edge].span else { return false };
                let is_in =
                    |whole: Span| whole.file == span.file && (whole.start..whole.end).contains(&span.start);
                !origin.violations.iter().any(|violation| {
                    violation.span == span
                        || violation.kind == ViolationKind::Assertion && is_in(violation.span)
                })
            }
            // The arguments of a function that is checked by itself have names of their own.
            Event::Input { ref function, .. } => !library::is_model(function),
            // Calls made by models are not reported.
            Event::Call(frame) => {
                let caller = origin.frames[frame].caller;
                !caller.is_some_and(|(caller, _)| self.is_model(caller))
            }
            Event::Switch | Event::Assume | Event::Check { is_violated: true } | Event::End => true,
        };
        is_event && self.translated.lowered.task.model.edges[edge].span.is_some()
    }

    /// Notes what the next step will write.
    fn note(&mut self, step: &CfaStep, before: &State) {
        for cell in
            effects(&self.translated.lowered.task, step, before).into_iter().flat_map(|effect| effect.writes)
        {
            if let Some(value) = before.values.get(&cell.var) {
                self.before.entry(cell.var).or_insert_with(|| value.clone());
            }
            if let (Some(VarOrigin::Memory(_)), Some(place)) = (
                self.translated.lowered.origin.vars.get(&cell.var),
                cell.index.as_ref().and_then(split_pointer),
            ) {
                self.memory.insert(place, cell.var);
            }
            self.written.retain(|other| *other != cell);
            self.written.push(cell);
        }
    }

    /// Follows a step to the state after it, and reports its event if that has a number to be shown under.
    fn step(&mut self, step: usize, number: Option<usize>, matters: bool, after: &State) {
        let edge = self.trace.steps[step].edge;
        let event = &self.translated.lowered.origin.edges[edge];
        self.turn = self.translated.lowered.origin.turns.as_ref().map_or(0, |turns| turns.edges[edge].thread);
        self.stacks.resize(self.stacks.len().max(self.turn + 1), Vec::new());
        let depth = self.stack().iter().skip(1).filter(|frame| !self.is_model(**frame)).count() as u32;
        match event {
            Event::Call(frame) => self.stacks[self.turn].push(*frame),
            Event::Return(_) => drop(self.stacks[self.turn].pop()),
            _ => {}
        }
        self.library_matters |= matters;
        self.leave_library(*event == (Event::Check { is_violated: true }), after);
        let described = number.and_then(|number| self.described(step, number, depth, after));
        if let Some(described) = described {
            let enters = matches!(event, Event::Call(frame) if self.is_model(*frame));
            self.library_call = enters.then_some(self.steps.len());
            self.library_matters = false;
            self.steps.push(StoryStep { matters, ..described });
        }
        let is_argument = self.translated.lowered.task.model.edges[edge]
            .span
            .is_some_and(|span| makes_arguments(self.translated, span));
        if self.has_event(edge) || *event == Event::Start || self.is_initial(edge) || is_argument {
            self.forget();
        }
    }

    /// Shows what a function of the library has written at its call, when it returns or violates the property.
    fn leave_library(&mut self, is_violated: bool, after: &State) {
        let is_inside = self.is_in_library();
        if let Some(call) = self.library_call.filter(|_| !is_inside || is_violated) {
            // What it writes is shown even if it was there before: it may be the input that matters.
            let mut values = self.changed(after, self.steps[call].span, true);
            self.steps[call].matters |= self.library_matters && !values.is_empty();
            if values.is_empty() {
                values.extend(self.library_result(after));
            }
            self.steps[call].values.extend(values);
            self.library_call = None;
            self.forget();
        }
    }

    /// Everything written so far has been shown.
    fn forget(&mut self) {
        self.written.clear();
        self.before.clear();
    }

    fn described(&self, step: usize, number: usize, depth: u32, after: &State) -> Option<StoryStep> {
        let edge = self.trace.steps[step].edge;
        let span = self.place(self.translated.lowered.task.model.edges[edge].span?);
        let (words, is_assignment) = self.words(edge, span, after);
        let mut text = self.who() + &words;
        for operation in self.undefined(after) {
            text += &format!(", where `{operation}` is undefined");
        }
        let values = self.changed(after, span, is_assignment);
        Some(StoryStep { number, after: step + 1, span, depth, text, values, matters: true })
    }

    /// The copies of functions that are active in the thread at hand.
    fn stack(&self) -> &[FrameId] {
        &self.stacks[self.turn]
    }

    /// Which thread does something, if there are several.
    fn who(&self) -> String {
        match &self.translated.lowered.origin.turns {
            Some(turns) if turns.threads.len() > 1 => {
                format!("thread {} ({}): ", self.turn, turns.threads[self.turn])
            }
            _ => String::new(),
        }
    }

    /// The position to report: the call, if it is inside the model of a library function.
    fn place(&self, span: Span) -> Span {
        let frames = &self.translated.lowered.origin.frames;
        let mut inside = self.stack().last().copied();
        let mut place = span;
        while let Some(frame) = inside.filter(|frame| self.is_model(*frame)) {
            let Some((caller, call)) = frames[frame].caller else { break };
            (inside, place) = (Some(caller), call);
        }
        place
    }

    /// The description of an edge's event, and whether it may show an unchanged value.
    fn words(&self, edge: EdgeId, span: Span, state: &State) -> (String, bool) {
        let origin = &self.translated.lowered.origin;
        let quoted = || quote(self.translated.sources, span);
        match &origin.edges[edge] {
            Event::Branch { taken } => {
                let quoted = quoted();
                // The condition is somewhere in what the macro stands for, and may be the opposite of its argument.
                let what =
                    if is_call_of_macro(self.translated.sources, span) { "a condition in " } else { "" };
                (format!("{what}`{quoted}` is {taken}"), false)
            }
            Event::Switch => {
                let words = quoted();
                let label = words.split_once(':').map_or(words.as_str(), |(label, _)| label);
                let is_label = label.starts_with("case") || label.starts_with("default");
                (
                    if is_label { format!("goes to `{label}`") } else { "goes past all cases".to_owned() },
                    false,
                )
            }
            Event::Call(frame) => {
                let name = modelled(&origin.frames[*frame].name);
                // Models that are made for one call have no name of their own.
                let quoted = quoted();
                let written = quoted.split('(').next().unwrap_or_default();
                let name = if library::is_made(name) { written } else { name };
                (format!("calls `{name}`"), true)
            }
            Event::Input { function, var, ty } => {
                let value = state.values.get(var).map(|value| self.show(*ty, value));
                (format!("`{function}` returns {}", value.unwrap_or_default()), false)
            }
            Event::Assume => (format!("`{}` is assumed", quoted()), false),
            Event::Check { .. } => (self.violation(state, &quoted(), span), false),
            Event::End => ("the program ends".to_owned(), false),
            Event::Assign if self.is_uninitialised(edge) || self.is_bare_declaration(span) => {
                let declaration = quote_declaration(self.translated.sources, span);
                (format!("`{declaration}` is without an initial value"), true)
            }
            Event::Assign | Event::Silent | Event::Start | Event::Return(_) => {
                let quoted = quoted();
                // Only the arguments of a function that is checked on its own are assigned like this.
                let what = if is_name(&quoted) { "the argument " } else { "" };
                (format!("{what}`{quoted}`"), true)
            }
        }
    }

    fn violation(&self, state: &State, quoted: &str, at: Span) -> String {
        let lowered = self.translated.lowered;
        match (lowered.violation_of(self.trace), explain(self.translated, self.trace, state)) {
            (Some(violation), Some(explanation)) => {
                // For an array inside a structure, its length is more helpful than the size of the whole.
                let is_inside = quoted.contains('.') || quoted.contains("->");
                let inner = if is_inside { self.stray(quoted, state, at) } else { None };
                let explanation = inner.unwrap_or(explanation);
                let rule = match violation.kind {
                    ViolationKind::Memory(rule) => self.asked_with(rule),
                    _ => "the property".to_owned(),
                };
                format!("`{quoted}` violates {rule}: {explanation}")
            }
            (Some(violation), None) => {
                let values = self.values_in(quoted, violation.kind, state, at);
                let values =
                    if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
                match violation.kind {
                    ViolationKind::Assertion => format!("`{quoted}` fails{values}"),
                    ViolationKind::Overflow => format!("`{quoted}` overflows{values}"),
                    ViolationKind::Conversion => format!("`{quoted}` does not fit{values}"),
                    ViolationKind::Uninitialised if self.is_in_library() => {
                        format!("`{quoted}` reads something that has no value yet")
                    }
                    ViolationKind::Uninitialised => {
                        format!("`{quoted}` is read before it has a value")
                    }
                    ViolationKind::Undefined => format!("`{quoted}` is undefined{values}"),
                    ViolationKind::DivisionByZero => format!("`{quoted}` divides by zero{values}"),
                    ViolationKind::Shift => {
                        format!("`{quoted}` shifts by a number that is out of range{values}")
                    }
                    ViolationKind::Call | ViolationKind::Label => format!("`{quoted}` is reached"),
                    ViolationKind::Memory(rule) => {
                        let stray = self.stray(quoted, state, at).map(|words| format!(": {words}"));
                        format!("`{quoted}` violates {}{}", self.asked_with(rule), stray.unwrap_or(values))
                    }
                }
            }
            (None, _) => format!("`{quoted}` violates the property"),
        }
    }

    /// The property that was asked, and the rule about memory that is violated if the property has several.
    fn asked_with(&self, rule: MemoryRule) -> String {
        let (asked, rule) = (self.translated.lowered.task.property.to_string(), rule.name());
        // Rules that have no common name are listed in the name of the property.
        match asked.split(", ").any(|part| part == rule) {
            true => rule.to_owned(),
            false => format!("{asked} ({rule})"),
        }
    }

    /// The undefined operations that were executed since the last event shown.
    fn undefined(&self, now: &State) -> Vec<String> {
        let operations =
            self.written.iter().filter_map(|cell| match self.translated.lowered.origin.vars.get(&cell.var) {
                Some(VarOrigin::Undefined(span)) if now.values.get(&cell.var) == Some(&Value::Bool(true)) => {
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

    /// Whether a place is a declaration of a local variable that ends with its name, so without an initial value.
    fn is_bare_declaration(&self, span: Span) -> bool {
        let Translated { program, lowered, .. } = self.translated;
        let Some(frame) = self.stack().last() else { return false };
        let mut locals = program.functions[lowered.origin.frames[*frame].function].locals.iter();
        locals.any(|local| {
            let declarator = local.span;
            declarator.file == span.file && declarator.end == span.end && declarator.start > span.start
        })
    }

    /// The values of the variables in a quoted text. Pointers do not help to explain wrong numbers.
    fn values_in(&self, quoted: &str, kind: ViolationKind, state: &State, at: Span) -> Vec<String> {
        let Some(scene) = self.scene(state, at) else { return Vec::new() };
        let is_shown = |ty| kind == ViolationKind::Assertion || is_number(&self.translated.program.types, ty);
        let values = paths(quoted).into_iter().filter_map(|path| {
            let (ty, value) = scene.value(path).filter(|(ty, _)| is_shown(*ty))?;
            Some(format!("{path} = {}", self.show(ty, &value)))
        });
        values.collect()
    }

    /// What names mean at a place of the function that is active.
    fn scene<'s>(&'s self, state: &'s State, at: Span) -> Option<Scene<'s>> {
        let frame = self.stack().last().copied()?;
        Some(Scene { translated: self.translated, state, memory: &self.memory, frame, at })
    }

    /// Which index of a quoted text is outside of its array.
    fn stray(&self, quoted: &str, state: &State, at: Span) -> Option<String> {
        let scene = self.scene(state, at)?;
        paths(quoted).into_iter().find_map(|path| scene.stray(path))
    }

    /// Whether a function of the library is active.
    fn is_in_library(&self) -> bool {
        self.stack().last().is_some_and(|frame| self.is_model(*frame))
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
}
