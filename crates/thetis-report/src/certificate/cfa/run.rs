//! Runs as text. Consecutive rounds of a loop with the same inputs are written once, with the number of rounds: a run through loops
//! over large arrays has millions of steps, and writing its text would take longer than finding it.
//!
//! Repetitions are found from left to right. A loop begins with an edge that is taken again later; of the distances to its next few
//! occurrences, the one that saves the most steps is used. Comparing two rounds usually ends at their first difference, so the whole search
//! takes nearly linear time.

use std::collections::BTreeMap;
use std::iter;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use thetis_expr::smtlib::{parse_term, parse_value, print_value};
use thetis_expr::{Store, Value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, CfaTrace, DeepRun, LocId, Rounds};

use super::read_edge;
use crate::certificate::{CertificateError, error};
use crate::streamed::{Patience, Streamed};

/// A run.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The initial value of each variable.
    pub initial: BTreeMap<String, String>,
    /// The edges taken.
    pub steps: Vec<Steps>,
    /// A run of the automaton with procedures; then there are no edges.
    pub deep: Option<Deep>,
}

/// A run of an automaton with procedures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deep {
    /// The values of its havocs.
    pub inputs: Vec<String>,
    /// The most edges and calls that it has.
    pub steps: u64,
}

/// A part of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Steps {
    /// One edge.
    Once(Step),
    /// Several edges, several times.
    Repeated(Repeated),
}

/// Edges that are taken several times in succession, always with the same inputs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeated {
    /// How many times.
    pub times: u64,
    /// The edges.
    pub steps: Vec<Step>,
}

/// One edge of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The number of the edge in the model, from zero.
    pub edge: usize,
    /// The name of the location where it starts.
    pub source: String,
    /// The name of the location to which it leads.
    pub target: String,
    /// The values of its havocs.
    pub inputs: Vec<String>,
    /// The branches of its choices.
    pub choices: Vec<usize>,
}

/// Writes a [`Trace`], one stretch after the other.
pub(super) fn write<S: Serializer>(
    task: &Task<Cfa>,
    trace: &CfaTrace,
    patience: &Patience<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let value = |value: &Value| print_value(&task.store, value);
    let initial = trace.initial.iter();
    let initial: BTreeMap<String, String> =
        initial.map(|(var, initial)| (task.store.var_name(*var), value(initial))).collect();
    let steps = || parts(trace).flatten().map(|stretch| write_stretch(task, stretch));
    let deep = trace
        .deep
        .as_ref()
        .map(|run| Deep { inputs: run.inputs.iter().map(value).collect(), steps: run.max_steps });
    let mut fields = serializer.serialize_struct("Trace", 2 + usize::from(deep.is_some()))?;
    fields.serialize_field("initial", &initial)?;
    fields.serialize_field("steps", &Streamed::new(patience, steps))?;
    if let Some(deep) = &deep {
        fields.serialize_field("deep", deep)?;
    }
    fields.end()
}

fn write_stretch(task: &Task<Cfa>, stretch: Stretch<'_>) -> Steps {
    match stretch {
        Stretch { steps: [step], times: 1 } => Steps::Once(write_step(task, step)),
        Stretch { steps, times } => Steps::Repeated(Repeated {
            times,
            steps: steps.iter().map(|step| write_step(task, step)).collect(),
        }),
    }
}

fn write_step(task: &Task<Cfa>, step: &CfaStep) -> Step {
    let edge = &task.model.edges[step.edge];
    let name = |location: LocId| task.model.locations[location].name.clone();
    Step {
        edge: step.edge.index(),
        source: name(edge.source),
        target: name(edge.target),
        inputs: step.inputs.iter().map(|value| print_value(&task.store, value)).collect(),
        choices: step.choices.clone(),
    }
}

/// Some steps that are taken several times in succession.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stretch<'s> {
    steps: &'s [CfaStep],
    times: u64,
}

impl Stretch<'_> {
    /// How many steps need not be written.
    fn num_saved(self) -> u64 {
        self.steps.len() as u64 * (self.times - 1)
    }
}

/// If fewer steps would be saved, the repetition is written out.
const MIN_SAVED: u64 = 100;

/// The most steps of a round.
const MAX_ROUND: usize = 10_000;

/// How many returns to the first edge are tried as the end of a round: inner loops may return to it before.
const MAX_RETURNS: usize = 4;

/// A run in parts: the rounds that it has already, and what is found in the rest.
fn parts(trace: &CfaTrace) -> impl Iterator<Item = Box<dyn Iterator<Item = Stretch<'_>> + '_>> {
    let mut at = 0;
    let end = Rounds { first: trace.steps.len(), len: 0, times: 0 };
    let rounds = trace.rounds.iter().cloned().chain([end]);
    rounds.map(move |Rounds { first, len, times }| {
        let before = stretches(&trace.steps[at..first]);
        at = first + len;
        let rounds = Stretch { steps: &trace.steps[first..at], times };
        Box::new(before.chain((len > 0).then_some(rounds))) as Box<dyn Iterator<Item = Stretch<'_>>>
    })
}

/// A run in parts, the longest repetitions that begin at each place.
fn stretches(steps: &[CfaStep]) -> impl Iterator<Item = Stretch<'_>> {
    let returns = returns(steps);
    let mut at = 0;
    iter::from_fn(move || {
        let once = Stretch { steps: steps.get(at..=at)?, times: 1 };
        let rounds = iter::successors(returns[at], |again| returns[*again]).map(|again| again - at);
        let repeated = rounds.take(MAX_RETURNS).take_while(|round| *round <= MAX_ROUND).map(|round| {
            let first = &steps[at..at + round];
            let further = steps[at + round..].chunks_exact(round).take_while(|next| *next == first);
            Stretch { steps: first, times: 1 + further.count() as u64 }
        });
        let longest = repeated.max_by_key(|stretch| stretch.num_saved());
        let stretch = longest.filter(|stretch| stretch.num_saved() >= MIN_SAVED).unwrap_or(once);
        at += stretch.steps.len() * stretch.times as usize;
        Some(stretch)
    })
}

/// For each step where its edge is taken the next time.
fn returns(steps: &[CfaStep]) -> Vec<Option<usize>> {
    let mut later = BTreeMap::new();
    let mut returns: Vec<Option<usize>> =
        steps.iter().enumerate().rev().map(|(at, step)| later.insert(step.edge, at)).collect();
    returns.reverse();
    returns
}

/// From text.
pub(super) fn read(task: &Task<Cfa>, trace: &Trace) -> Result<CfaTrace, CertificateError> {
    let mut initial = BTreeMap::new();
    for (name, text) in &trace.initial {
        let Some(var) = task.store.find_var(name) else {
            return error(format!("the model has no variable `{name}`"));
        };
        let value = parse_value(&task.store, text, task.store.var_sort(var))
            .map_err(|error| CertificateError(format!("initial value of `{name}`: {error}")))?;
        initial.insert(var, value);
    }
    let mut read = CfaTrace::new(initial, Vec::new());
    if let Some(deep) = &trace.deep {
        let inputs = deep.inputs.iter().map(|text| read_input(&task.store, text));
        read.deep = Some(DeepRun { inputs: inputs.collect::<Result<_, _>>()?, max_steps: deep.steps });
    }
    for part in &trace.steps {
        match part {
            Steps::Once(step) => read.steps.push(read_step(task, step)?),
            Steps::Repeated(repeated) => repeat(task, repeated, &mut read)?,
        }
    }
    Ok(read)
}

/// The most steps that a run may have after its repetitions are expanded: a short text must not fill the memory.
const MAX_STEPS: usize = 1_000_000;

/// Writes rounds out if they are not too many, so that all of their states can be shown.
fn repeat(task: &Task<Cfa>, repeated: &Repeated, trace: &mut CfaTrace) -> Result<(), CertificateError> {
    let round: Vec<CfaStep> =
        repeated.steps.iter().map(|step| read_step(task, step)).collect::<Result<_, _>>()?;
    let times = usize::try_from(repeated.times).unwrap_or(usize::MAX);
    if round.len().saturating_mul(times).saturating_add(trace.steps.len()) > MAX_STEPS {
        let (first, len) = (trace.steps.len(), round.len());
        trace.rounds.push(Rounds { first, len, times: repeated.times });
        trace.steps.extend(round);
    } else {
        trace.steps.extend(iter::repeat_n(round, times).flatten());
    }
    Ok(())
}

fn read_step(task: &Task<Cfa>, step: &Step) -> Result<CfaStep, CertificateError> {
    let id = read_edge(task, step.edge)?;
    let edge = &task.model.edges[id];
    let name = |location: LocId| &task.model.locations[location].name;
    if *name(edge.source) != step.source || *name(edge.target) != step.target {
        return error(format!("the model has no edge {} like in the certificate", step.edge));
    }
    let inputs = step.inputs.iter().map(|text| read_input(&task.store, text)).collect::<Result<_, _>>()?;
    Ok(CfaStep { edge: id, inputs, choices: step.choices.clone() })
}

/// The text of a value determines its sort; the checker decides whether it is the right one.
fn read_input(store: &Store, text: &str) -> Result<Value, CertificateError> {
    let none = |_: &Store, _: &str| None;
    let term = parse_term(store, text, &none).map_err(|error| CertificateError(error.to_string()))?;
    store.value(term).ok_or_else(|| CertificateError(format!("`{text}` is not a value")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use thetis_model::cfa::EdgeId;

    fn run(edges: impl IntoIterator<Item = usize>) -> Vec<CfaStep> {
        let step = |edge| CfaStep { edge: EdgeId::new(edge), inputs: Vec::new(), choices: Vec::new() };
        edges.into_iter().map(step).collect()
    }

    /// The lengths of the rounds and how often they are taken.
    fn lengths(steps: &[CfaStep]) -> Vec<(usize, u64)> {
        let all: Vec<Stretch<'_>> = stretches(steps).collect();
        let rounds = all.iter().flat_map(|stretch| iter::repeat_n(stretch.steps, stretch.times as usize));
        assert_eq!(rounds.flatten().cloned().collect::<Vec<_>>(), steps, "nothing is lost");
        all.iter().map(|stretch| (stretch.steps.len(), stretch.times)).collect()
    }

    #[test]
    fn rounds_of_loops_are_written_once() {
        let loops = iter::once(0).chain(iter::repeat_n([1, 2, 3], 1000).flatten()).chain([4]);
        assert_eq!(lengths(&run(loops)), [(1, 1), (3, 1000), (1, 1)]);
    }

    #[test]
    fn rounds_with_inner_loops_are_written_once() {
        let round = iter::once(1).chain(iter::repeat_n([2, 3], 200).flatten()).chain([1, 5]);
        let round: Vec<usize> = round.collect();
        assert_eq!(lengths(&run(iter::repeat_n(round, 50).flatten())), [(403, 50)]);
    }

    #[test]
    fn rounds_with_other_inputs_are_others() {
        let mut steps = run(iter::repeat_n([1, 2], 400).flatten());
        steps[400].inputs.push(Value::int(1));
        assert_eq!(lengths(&steps), [(2, 200), (1, 1), (2, 199), (1, 1)]);
    }

    #[test]
    fn short_runs_stay_as_they_are() {
        assert!(lengths(&run([1, 2, 1, 2, 1, 2, 1, 2])).iter().all(|part| *part == (1, 1)));
        assert_eq!(lengths(&[]), []);
    }
}
