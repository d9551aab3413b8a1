//! What a front end takes for granted.

use thetis_base::Span;

/// Something that a verdict depends on and that nobody has checked.
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
    /// It restricts the runs that a proof covers, so that `safe` is not said without it. A violation is one all the same.
    NamedInProofs,
    /// It changes what programs mean, so that a verdict is not given without it.
    Named,
}

impl Assumption {
    /// Its kind as words.
    pub fn words(&self) -> String {
        self.code.replace('-', " ")
    }
}
