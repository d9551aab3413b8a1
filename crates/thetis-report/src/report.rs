//! The outcome of `thetis check`, as a line of text or as JSON.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use thetis_base::{Run, SourceMap, Statistics};
use thetis_checker::Certified;
use thetis_model::{Assumption, Evidence, Task, Verdict, Weight};
use thetis_solver::Grounds;

use crate::streamed::{Patience, Streamed};
use crate::trace::step_json;
use crate::visual::{Fact, place};
use crate::{Certificate, GroundsText, Reportable, TraceStep, Visual};

/// What there is to report about one run.
pub struct Report<'a, M: Reportable> {
    /// The task.
    pub task: &'a Task<M>,
    /// The name of the model's file.
    pub file: &'a str,
    /// The fingerprint of its text.
    pub sha256: &'a str,
    /// The name of the engine.
    pub engine: &'a str,
    /// The verdict after its check.
    pub certified: &'a Certified<M>,
    /// What the check rests on.
    pub grounds: Grounds,
    /// What the engine and the solver did.
    pub statistics: &'a Statistics,
    /// The wall time of the run.
    pub elapsed: Duration,
    /// The steps of a violation in terms of the source language, if that says more than the formalism.
    pub story: Option<Vec<TraceStep>>,
    /// Which part of the property a violation is about, if the property has several.
    pub violated: Option<String>,
    /// What a proof is about and what it is not, if the language can say it.
    pub scope: Option<String>,
    /// What a proof says about places of the source, in its language, if that is more than what the formalism says.
    pub facts: Option<Vec<Fact>>,
    /// What happens on each edge of the drawing in the source language, if that says more than the formalism.
    pub labels: Option<Vec<String>>,
    /// The invariants of a proof in the language of the model, if it can say them.
    pub invariants: Vec<String>,
    /// The result of executing a program that violates its property, if that was requested.
    pub confirmation: Option<Confirmation>,
}

/// How much a report has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Everything.
    Full,
    /// Everything except the steps of a violation and the certificate, which can be long.
    Summary,
}

/// Whether a compiled program does what a violation says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// It reaches the violation.
    Confirmed,
    /// It does not, or could not be executed, for this reason.
    Unconfirmed(String),
}

impl fmt::Display for Confirmation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Confirmation::Confirmed => f.write_str("confirmed by execution"),
            Confirmation::Unconfirmed(reason) => write!(f, "not confirmed by execution: {reason}"),
        }
    }
}

impl<M: Visual> Report<'_, M> {
    /// The outcome in a sentence: what holds, what fails and with which values, or why there is no answer.
    pub fn message(&self) -> String {
        let rule = M::rule(self.task);
        match &self.certified.verdict {
            Verdict::Safe(_) => rule.sentence,
            Verdict::Unsafe(_) => {
                let last = self.story.as_ref().and_then(|story| story.last());
                last.map_or(rule.violation, |step| step.title.clone())
            }
            Verdict::Unknown(reason) => format!("No answer: {reason}."),
        }
    }

    /// The verdict line with the place and the sentence of a violation, if the story of the language has them.
    pub fn line_with_violation(&self, sources: &SourceMap) -> String {
        let line = self.line();
        let last = self.story.as_ref().and_then(|story| story.last());
        match (&self.certified.verdict, last) {
            (Verdict::Unsafe(_), Some(TraceStep { title, span: Some(span), .. })) => {
                let separator = if line.contains(':') { ';' } else { ':' };
                let (file, number, column) = place(sources, *span);
                format!("{line}{separator} {file}:{number}:{column}: {title}")
            }
            _ => line,
        }
    }

    /// Writes the report as JSON; the fields are documented in the manual. Lists of steps are cut short when the
    /// `run` must stop.
    pub fn write_json(
        &self,
        sources: &SourceMap,
        extent: Extent,
        run: &Run,
        mut out: impl Write,
    ) -> io::Result<()> {
        let written = WrittenReport { report: self, sources, extent, run };
        serde_json::to_writer_pretty(&mut out, &written)?;
        out.write_all(b"\n")
    }

    /// The steps of a violation, if there is one.
    pub(crate) fn steps(&self) -> Vec<TraceStep> {
        match (&self.certified.verdict, &self.story) {
            (Verdict::Unsafe(Evidence::Given(_)), Some(story)) => story.clone(),
            (Verdict::Unsafe(Evidence::Given(trace)), None) => M::steps(self.task, trace),
            _ => Vec::new(),
        }
    }
}

/// A report that is being written.
struct WrittenReport<'a, M: Reportable> {
    report: &'a Report<'a, M>,
    sources: &'a SourceMap,
    extent: Extent,
    run: &'a Run,
}

impl<M: Visual> Serialize for WrittenReport<'_, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let WrittenReport { report, sources, .. } = *self;
        let verdict = &report.certified.verdict;
        let reason = match verdict {
            Verdict::Unknown(reason) => json!({ "code": reason.code(), "text": reason.to_string() }),
            _ => Value::Null,
        };
        let values: Vec<Value> =
            M::values(report.task, verdict).into_iter().map(|stated| stated.json).collect();
        let mut fields = serializer.serialize_struct("Report", 25)?;
        fields.serialize_field("format", "thetis-report")?;
        fields.serialize_field("version", &1)?;
        fields.serialize_field("thetis", env!("CARGO_PKG_VERSION"))?;
        fields.serialize_field("file", report.file)?;
        fields.serialize_field("property", &report.task.property.to_string())?;
        fields.serialize_field("program", &M::program(report.task))?;
        fields.serialize_field("engine", report.engine)?;
        fields.serialize_field("verdict", word(verdict))?;
        fields.serialize_field("answer", report.answer())?;
        fields.serialize_field("under", &named_assumptions(report.task, verdict))?;
        fields.serialize_field("message", &report.message())?;
        fields.serialize_field("violated", &report.violated)?;
        fields.serialize_field("scope", &report.scope)?;
        fields.serialize_field("confirmation", &report.confirmation.as_ref().map(ToString::to_string))?;
        fields.serialize_field("reason", &reason)?;
        fields.serialize_field("checked", &report.is_checked())?;
        fields
            .serialize_field("grounds", &report.is_checked().then(|| GroundsText::from(&report.grounds)))?;
        fields.serialize_field("check-seconds", &report.certified.time.map(|time| time.as_secs_f64()))?;
        fields.serialize_field("wall-seconds", &report.elapsed.as_secs_f64())?;
        fields.serialize_field("assumptions", &report.assumptions(sources))?;
        fields.serialize_field("states", &M::num_states(report.task, verdict))?;
        fields.serialize_field("values", &values)?;
        if !report.invariants.is_empty() {
            fields.serialize_field("invariants", &report.invariants)?;
        }
        let is_complete = self.write_evidence(&mut fields)?;
        fields.serialize_field("complete", &is_complete)?;
        fields.serialize_field("statistics", report.statistics)?;
        fields.end()
    }
}

impl<M: Visual> WrittenReport<'_, M> {
    /// Writes the steps and the certificate, and says whether they are all there.
    fn write_evidence<F: SerializeStruct>(&self, fields: &mut F) -> Result<bool, F::Error> {
        let WrittenReport { report, sources, extent, run } = *self;
        if extent == Extent::Summary {
            fields.serialize_field("steps", &Value::Null)?;
            fields.serialize_field("certificate", &Value::Null)?;
            return Ok(false);
        }
        let patience = Patience::of(run);
        let steps = report
            .story
            .as_ref()
            .map(|story| Streamed::new(&patience, || story.iter().map(|step| step_json(step, sources))));
        fields.serialize_field("steps", &steps)?;
        let certificate = Certificate::new(report.task, report.sha256, &report.certified.verdict)
            .map(|certificate| certificate.checked(&report.grounds).within(Patience::of(run)));
        fields.serialize_field("certificate", &certificate)?;
        Ok(patience.is_complete() && certificate.is_none_or(|certificate| certificate.is_complete()))
    }
}

impl<M: Reportable> Report<'_, M> {
    /// The verdict line: `safe`, `unsafe` (or the words of the property) or `unknown (reason)`. Assumptions that change the
    /// meaning of the model are listed after the verdict, as is the scope of a proof if the language can describe it.
    pub fn line(&self) -> String {
        let line = verdict_line(self.task, &self.certified.verdict);
        match (&self.certified.verdict, &self.scope) {
            (Verdict::Safe(_), Some(scope)) if line.contains(':') => format!("{line}; {scope}"),
            (Verdict::Safe(_), Some(scope)) => format!("{line}: {scope}"),
            _ => line,
        }
    }

    /// The verdict in the words of the property.
    fn answer(&self) -> &'static str {
        answer(self.task, &self.certified.verdict)
    }

    pub(crate) fn is_checked(&self) -> bool {
        matches!(
            self.certified.verdict,
            Verdict::Safe(Evidence::Given(_)) | Verdict::Unsafe(Evidence::Given(_))
        )
    }

    /// The assumptions with their places.
    fn assumptions(&self, sources: &SourceMap) -> Vec<Value> {
        let assumptions = M::assumptions(self.task).iter().map(|assumption| {
            let (file, line, column) = place(sources, assumption.span);
            json!({
                "code": assumption.code,
                "text": assumption.text,
                "file": file,
                "line": line,
                "column": column,
            })
        });
        assumptions.collect()
    }
}

/// The answer if the question was only how many states there are.
const EXPLORED: &str = "explored";

/// The line for a verdict; see [`Report::line`].
pub fn verdict_line<M: Reportable>(task: &Task<M>, verdict: &Verdict<M>) -> String {
    if let Verdict::Unknown(reason) = verdict {
        return format!("unknown ({reason})");
    }
    let mut values: Vec<String> = M::values(task, verdict).into_iter().map(|stated| stated.text).collect();
    if let Some(states) = M::num_states(task, verdict).filter(|_| answer(task, verdict) == EXPLORED) {
        values.push(format!("{states} reachable state{}", if states == 1 { "" } else { "s" }));
    }
    match named_assumptions(task, verdict).as_slice() {
        [] if !values.is_empty() => format!("{}: {}", answer(task, verdict), values.join(", ")),
        [] => answer(task, verdict).to_owned(),
        named => format!("{} under: {}", answer(task, verdict), named.join(", ")),
    }
}

/// The assumptions that have to be listed with a verdict.
fn named_assumptions<M: Reportable>(task: &Task<M>, verdict: &Verdict<M>) -> Vec<String> {
    let is_named = |assumption: &&Assumption| match (assumption.weight, verdict) {
        (Weight::Listed, _) | (_, Verdict::Unknown(_)) => false,
        (Weight::NamedInProofs, _) => matches!(verdict, Verdict::Safe(_)),
        (Weight::Named, _) => true,
    };
    let mut named: Vec<String> = Vec::new();
    for words in M::assumptions(task).iter().filter(is_named).map(Assumption::words) {
        if !named.contains(&words) {
            named.push(words);
        }
    }
    named
}

fn answer<M: Reportable>(task: &Task<M>, verdict: &Verdict<M>) -> &'static str {
    let [safe, violated] = M::words(task);
    match verdict {
        Verdict::Safe(_) => safe,
        Verdict::Unsafe(_) => violated,
        Verdict::Unknown(_) => "unknown",
    }
}

fn word<M: Reportable>(verdict: &Verdict<M>) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    }
}
