//! What a report needs to know about a formalism.

use std::fmt::Write;

use serde_json::json;
use thetis_base::{SourceMap, counted, printable};
use thetis_checker::Checkable;
use thetis_model::Task;
use thetis_model::cfa::Cfa;
use thetis_model::petri::{Net, PetriProof, PetriTrace, Round};
use thetis_model::sts::{Sts, StsTrace};
use thetis_model::xta::{Extreme, ExtremeValue, Measure, Network, XtaQuestion, XtaTrace};
use thetis_model::{Assumption, Evidence, Verdict};

use crate::certificate::Keepable;
use crate::trace::{render_steps, render_timed_run, render_trace};

/// A formalism whose verdicts can be reported.
pub trait Reportable: Checkable + Keepable {
    /// What the verdicts `Safe` and `Unsafe` are called for users.
    fn words(task: &Task<Self>) -> [&'static str; 2];

    /// What the front end took for granted.
    fn assumptions(task: &Task<Self>) -> &[Assumption];

    /// The steps of a run, for people.
    fn render_trace(task: &Task<Self>, trace: &Self::Trace, sources: &SourceMap) -> String;

    /// The number of reachable states, if the evidence of `verdict` states it.
    fn num_states(task: &Task<Self>, verdict: &Verdict<Self>) -> Option<u64>;

    /// The values that the evidence of `verdict` states.
    fn values(task: &Task<Self>, verdict: &Verdict<Self>) -> Vec<Stated>;
}

/// The value of an expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Stated {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: serde_json::Value,
}

impl Reportable for Cfa {
    fn words(_: &Task<Cfa>) -> [&'static str; 2] {
        ["safe", "unsafe"]
    }

    fn assumptions(task: &Task<Cfa>) -> &[Assumption] {
        task.property.program().map_or(&[], |question| &question.assumptions)
    }

    fn render_trace(task: &Task<Cfa>, trace: &Self::Trace, sources: &SourceMap) -> String {
        let steps = counted(trace.steps.len(), "step");
        let run = render_trace(task, trace, sources);
        format!("A run of {steps} reaches an error location:\n{run}")
    }

    fn num_states(_: &Task<Self>, _: &Verdict<Cfa>) -> Option<u64> {
        None
    }

    fn values(_: &Task<Self>, _: &Verdict<Cfa>) -> Vec<Stated> {
        Vec::new()
    }
}

impl Reportable for Sts {
    fn words(_: &Task<Sts>) -> [&'static str; 2] {
        ["safe", "unsafe"]
    }

    fn assumptions(_: &Task<Sts>) -> &[Assumption] {
        &[]
    }

    fn render_trace(task: &Task<Sts>, trace: &StsTrace, _: &SourceMap) -> String {
        render_steps(task, trace)
    }

    fn num_states(_: &Task<Self>, _: &Verdict<Sts>) -> Option<u64> {
        None
    }

    fn values(_: &Task<Self>, _: &Verdict<Sts>) -> Vec<Stated> {
        Vec::new()
    }
}

/// The rounds of a run; firing by firing if there are at most `most` firings.
pub(crate) fn shown_rounds(trace: &PetriTrace, most: usize) -> Vec<Round> {
    match trace.num_firings() <= most as u128 {
        true => trace.firings().map(|transition| Round { transition, count: 1 }).collect(),
        false => trace.rounds.iter().copied().filter(|round| round.count > 0).collect(),
    }
}

/// How many firings are shown at the start and at the end of a long sequence.
const SHOWN_FIRINGS: usize = 50;

impl Reportable for Net {
    fn words(task: &Task<Net>) -> [&'static str; 2] {
        [task.property.safe_word(), task.property.unsafe_word()]
    }

    fn assumptions(_: &Task<Net>) -> &[Assumption] {
        &[]
    }

    fn render_trace(task: &Task<Net>, trace: &PetriTrace, _: &SourceMap) -> String {
        let mut text = format!("A sequence of {} leads there:\n", counted(trace.num_firings(), "firing"));
        let rounds = shown_rounds(trace, 2 * SHOWN_FIRINGS);
        let mut first: u128 = 1;
        for (number, round) in rounds.iter().enumerate() {
            if number == SHOWN_FIRINGS && rounds.len() > 2 * SHOWN_FIRINGS {
                text.push_str("  ...\n");
            }
            let next = first + u128::from(round.count);
            if number < SHOWN_FIRINGS || number + SHOWN_FIRINGS >= rounds.len() {
                let name = printable(&task.model.transitions()[round.transition].name);
                // Writing to a string cannot fail.
                let _ = match round.count {
                    1 => writeln!(text, "  {first}. {name}"),
                    _ => writeln!(text, "  {first} to {}. {name}", next - 1),
                };
            }
            first = next;
        }
        text
    }

    fn num_states(_: &Task<Net>, verdict: &Verdict<Net>) -> Option<u64> {
        match verdict {
            Verdict::Safe(Evidence::Given(PetriProof::StateSpace { num_markings })) => Some(*num_markings),
            _ => None,
        }
    }

    fn values(_: &Task<Net>, _: &Verdict<Net>) -> Vec<Stated> {
        Vec::new()
    }
}

impl Reportable for Network {
    fn words(task: &Task<Network>) -> [&'static str; 2] {
        [task.property.safe_word(), task.property.unsafe_word()]
    }

    fn assumptions(_: &Task<Network>) -> &[Assumption] {
        &[]
    }

    fn render_trace(task: &Task<Network>, trace: &XtaTrace, sources: &SourceMap) -> String {
        render_timed_run(task, trace, sources)
    }

    /// If the discrete states were asked for, the checker has counted the groups of the proof.
    fn num_states(task: &Task<Network>, verdict: &Verdict<Network>) -> Option<u64> {
        match (task.property.question(), verdict) {
            (XtaQuestion::DiscreteStates, Verdict::Safe(Evidence::Given(proof))) => {
                Some(proof.groups.len() as u64)
            }
            _ => None,
        }
    }
    fn values(task: &Task<Network>, verdict: &Verdict<Network>) -> Vec<Stated> {
        match (task.property.question(), verdict) {
            (XtaQuestion::Extrema(question), Verdict::Safe(Evidence::Given(proof))) => {
                let claims = question.claims().zip(&proof.extrema);
                claims.map(|((measure, side), claim)| stated(measure, side, claim.value)).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn stated(measure: &Measure, side: Extreme, value: ExtremeValue) -> Stated {
    let (word, beyond) = match side {
        Extreme::Infimum => ("inf", '>'),
        Extreme::Supremum => ("sup", '<'),
    };
    let (number, is_attained, relation) = match value {
        ExtremeValue::Never => (None, false, "is over no state".into()),
        ExtremeValue::Unbounded => (None, false, "= infinity".into()),
        ExtremeValue::Attained(number) => (Some(number), true, format!("= {number}")),
        ExtremeValue::Approached(number) => (Some(number), false, format!("{beyond} {number}")),
    };
    Stated {
        text: format!("{word} {} {relation}", measure.text),
        json: json!({
            "expression": measure.text,
            "bound": word,
            "value": number,
            "attained": is_attained,
            "unbounded": value == ExtremeValue::Unbounded,
        }),
    }
}
