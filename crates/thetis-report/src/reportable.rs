//! What a report needs to know of a formalism.

use std::fmt::Write;

use serde_json::Value;
use thetis_base::SourceMap;
use thetis_engine::checker::Checkable;
use thetis_model::cfa::Cfa;
use thetis_model::petri::{Net, PetriProof, PetriTrace};
use thetis_model::{Evidence, Task, Verdict};

use crate::trace::render_trace;
use crate::{Certificate, certificate_of};

/// A formalism whose verdicts can be reported.
pub trait Reportable: Checkable {
    /// How users call the verdicts `Safe` and `Unsafe`.
    fn words(task: &Task<Self>) -> [&'static str; 2];

    /// The steps of a run, for people.
    fn render_trace(task: &Task<Self>, trace: &Self::Trace, sources: &SourceMap) -> String;

    /// The evidence of `verdict` as JSON, if it has any that can be kept.
    fn certificate(task: &Task<Self>, model_sha256: &str, verdict: &Verdict<Self>) -> Option<Value>;

    /// The number of reachable states, if the evidence of `verdict` states it.
    fn num_states(verdict: &Verdict<Self>) -> Option<u64>;
}

impl Reportable for Cfa {
    fn words(_: &Task<Cfa>) -> [&'static str; 2] {
        ["safe", "unsafe"]
    }

    fn render_trace(task: &Task<Cfa>, trace: &Self::Trace, sources: &SourceMap) -> String {
        let steps = trace.steps.len();
        let run = render_trace(task, trace, sources);
        format!("A run of {steps} steps reaches an error location:\n{run}")
    }

    fn certificate(task: &Task<Cfa>, model_sha256: &str, verdict: &Verdict<Cfa>) -> Option<Value> {
        certificate_of(task, model_sha256, verdict).map(|certificate: Certificate| certificate.to_value())
    }

    fn num_states(_: &Verdict<Cfa>) -> Option<u64> {
        None
    }
}

/// How many firings are shown at the start and at the end of a long sequence.
const SHOWN_FIRINGS: usize = 50;

impl Reportable for Net {
    fn words(task: &Task<Net>) -> [&'static str; 2] {
        [task.property.safe_word(), task.property.unsafe_word()]
    }

    fn render_trace(task: &Task<Net>, trace: &PetriTrace, _: &SourceMap) -> String {
        let count = trace.firings.len();
        let mut text = format!("A sequence of {count} firings leads there:\n");
        for (number, transition) in trace.firings.iter().enumerate() {
            if number == SHOWN_FIRINGS && count > 2 * SHOWN_FIRINGS {
                text.push_str("  ...\n");
            }
            if number < SHOWN_FIRINGS || number + SHOWN_FIRINGS >= count {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  {}. {}", number + 1, task.model.transitions()[*transition].name);
            }
        }
        text
    }

    /// Evidence about nets is checked in the run; it has no form outside yet.
    fn certificate(_: &Task<Net>, _: &str, _: &Verdict<Net>) -> Option<Value> {
        None
    }

    fn num_states(verdict: &Verdict<Net>) -> Option<u64> {
        match verdict {
            Verdict::Safe(Evidence::Given(PetriProof::StateSpace { num_markings })) => Some(*num_markings),
            _ => None,
        }
    }
}
