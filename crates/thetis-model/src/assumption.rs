//! Assumptions that a front end makes.

use thetis_base::Span;

/// Something that a verdict depends on and that is not checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// A stable name of its kind, in words with dashes.
    pub code: &'static str,
    /// What is taken for granted.
    pub text: String,
    /// The first place that needs it.
    pub span: Span,
    /// How much it says about verdicts.
    pub weight: Weight,
}

/// How much an assumption says about verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// It is listed.
    Listed,
    /// It restricts the runs that a proof covers, so every `safe` verdict lists it. Violations do not depend on it.
    NamedInProofs,
    /// It changes the meaning of programs, so every verdict lists it.
    Named,
}

impl Assumption {
    /// Its kind as text.
    pub fn words(&self) -> String {
        self.code.replace('-', " ")
    }
}
