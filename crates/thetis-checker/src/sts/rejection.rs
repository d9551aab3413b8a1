//! Why evidence is not accepted.

use std::fmt;

use thetis_model::sts::StepError;

/// What is wrong with evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// This step of the trace, counted from zero, is not a step of the system.
    Step(usize, StepError),
    /// The last step of the trace is not bad, or there is none.
    NotBad,
    /// The invariant or lemma is not a Boolean term over variables of the model.
    NotAFormula,
    /// The invariant or lemma excludes an initial state.
    Initiation,
    /// A step leads out of the invariant or lemma.
    Consecution,
    /// A bad step satisfies the invariant.
    Safety,
    /// A run has a bad step after this many others.
    Base(u32),
    /// Consecutive steps that are not bad can be followed by a bad one.
    Induction,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Step(number, error) => write!(f, "step {} of the trace: {error}", number + 1),
            Rejection::NotBad => write!(f, "the trace does not end in a bad step"),
            Rejection::NotAFormula => write!(f, "the proof is not a formula over the variables"),
            Rejection::Initiation => write!(f, "the formula excludes an initial state"),
            Rejection::Consecution => write!(f, "a step leads from the formula to a state without it"),
            Rejection::Safety => write!(f, "a bad step satisfies the invariant"),
            Rejection::Base(steps) => write!(f, "a run has a bad step after {steps} others"),
            Rejection::Induction => write!(f, "steps that are not bad are followed by a bad one"),
        }
    }
}
