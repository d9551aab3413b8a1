//! Questions about networks.

use std::fmt;

use super::extrema::Extrema;
use super::{ClockAtom, DataExpr, Difference, Machine, RuntimeError};

/// The most alternatives that a formula may have in one state.
const MAX_CASES: usize = 10_000;

/// A question about the reachable states, with the text that asked it.
#[derive(Clone, Debug)]
pub struct XtaProperty {
    text: String,
    question: XtaQuestion,
}

/// The kinds of questions.
#[derive(Clone, Debug)]
pub enum XtaQuestion {
    /// `E<> p`: can a state with `p` be reached?
    Exists(Formula),
    /// `A[] p`: do all reachable states have `p`?
    Always(Formula),
    /// `E[] p`: is there a maximal run whose states all have `p`?
    PossiblyAlways(Formula),
    /// `A<> p`: does every maximal run have a state with `p`?
    Eventually(Formula),
    /// `p --> q`: is every reachable state with `p` followed by one with `q` in every maximal run?
    LeadsTo(Formula, Formula),
    /// `sup`, `inf` or `bounds`: between which values are these expressions? The values are in the proof.
    Extrema(Extrema),
    /// `explore`: the network is explored, and nothing is asked.
    Explore,
    /// `state-space-discrete`: how many discrete states can be reached? The number is in the statistics.
    DiscreteStates,
}

/// A condition on states.
#[derive(Clone, Debug)]
pub enum Formula {
    /// On data and locations.
    Data(DataExpr),
    /// On clocks.
    Clock(ClockAtom),
    /// No move is possible, now or after a delay.
    Deadlock,
    /// Not.
    Not(Box<Formula>),
    /// All.
    And(Vec<Formula>),
    /// At least one.
    Or(Vec<Formula>),
}

/// One way for a formula to be true in a discrete state.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TargetCase {
    /// What must hold of the clocks.
    pub differences: Vec<Difference>,
    /// Whether the state must, or must not, be a deadlock.
    pub deadlock: Option<bool>,
}

/// The maximal runs that decide a question about liveness: the verdict `Unsafe` needs one of them.
///
/// A run is *maximal* if it takes infinitely many moves, or if it takes finitely many and afterwards waits for all delays that the
/// invariant allows, where these are either unbounded or lead to a deadlock. Infinitely many moves may happen in finite time.
#[derive(Clone, Debug)]
pub struct Endless {
    /// The run reaches a state that satisfies this, and its rest counts. `None`: the whole run counts.
    pub start: Option<Formula>,
    /// All states of the part that counts satisfy this, including those that a delay passes through.
    pub along: Formula,
}

impl XtaProperty {
    /// The question as the user wrote it.
    pub fn new(text: impl Into<String>, question: XtaQuestion) -> XtaProperty {
        XtaProperty { text: text.into(), question }
    }

    /// The question.
    pub fn question(&self) -> &XtaQuestion {
        &self.question
    }

    /// What a reachable state must satisfy for the verdict `Unsafe`.
    pub fn target(&self) -> Formula {
        match &self.question {
            XtaQuestion::Exists(formula) => formula.clone(),
            XtaQuestion::Always(formula) => Formula::Not(Box::new(formula.clone())),
            XtaQuestion::PossiblyAlways(_)
            | XtaQuestion::Eventually(_)
            | XtaQuestion::LeadsTo(..)
            | XtaQuestion::Extrema(_)
            | XtaQuestion::Explore
            | XtaQuestion::DiscreteStates => Formula::Or(Vec::new()),
        }
    }

    /// The runs that the verdict `Unsafe` needs, if the question is about liveness.
    pub fn endless(&self) -> Option<Endless> {
        let not = |formula: &Formula| Formula::Not(Box::new(formula.clone()));
        match &self.question {
            XtaQuestion::PossiblyAlways(formula) => Some(Endless { start: None, along: formula.clone() }),
            XtaQuestion::Eventually(formula) => Some(Endless { start: None, along: not(formula) }),
            XtaQuestion::LeadsTo(cause, effect) => {
                let start = Formula::And(vec![cause.clone(), not(effect)]);
                Some(Endless { start: Some(start), along: not(effect) })
            }
            _ => None,
        }
    }

    /// How users call the verdict `Safe`.
    pub fn safe_word(&self) -> &'static str {
        match &self.question {
            XtaQuestion::Exists(_) => "unreachable",
            XtaQuestion::Always(_) | XtaQuestion::Eventually(_) | XtaQuestion::LeadsTo(..) => "holds",
            XtaQuestion::PossiblyAlways(_) => "unsatisfied",
            XtaQuestion::Extrema(_) => "computed",
            XtaQuestion::Explore | XtaQuestion::DiscreteStates => "explored",
        }
    }

    /// How users call the verdict `Unsafe`.
    pub fn unsafe_word(&self) -> &'static str {
        match &self.question {
            XtaQuestion::Exists(_) => "reachable",
            XtaQuestion::PossiblyAlways(_) => "satisfied",
            _ => "violated",
        }
    }
}

impl fmt::Display for XtaProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Formula {
    /// The ways to satisfy the formula in the state of `machine`; none if it is false whatever the clocks are.
    pub fn cases(&self, machine: &mut Machine<'_>) -> Result<Vec<TargetCase>, RuntimeError> {
        self.signed_cases(machine, Sign::Positive)
    }

    fn signed_cases(&self, machine: &mut Machine<'_>, sign: Sign) -> Result<Vec<TargetCase>, RuntimeError> {
        let cases = match (self, sign) {
            (Formula::Data(condition), _) => {
                let is_true = machine.holds(condition)? == (sign == Sign::Positive);
                if is_true { vec![TargetCase::default()] } else { Vec::new() }
            }
            (Formula::Clock(atom), _) => clock_cases(atom, machine, sign)?,
            (Formula::Deadlock, _) => {
                vec![TargetCase { deadlock: Some(sign == Sign::Positive), ..TargetCase::default() }]
            }
            (Formula::Not(inner), _) => inner.signed_cases(machine, sign.flipped())?,
            (Formula::And(parts), Sign::Positive) | (Formula::Or(parts), Sign::Negative) => {
                product(parts, machine, sign)?
            }
            (Formula::Or(parts), Sign::Positive) | (Formula::And(parts), Sign::Negative) => {
                union(parts, machine, sign)?
            }
        };
        if cases.len() > MAX_CASES { Err(RuntimeError::TooLong) } else { Ok(cases) }
    }

    /// Whether the formula speaks of deadlocks.
    pub fn mentions_deadlock(&self) -> bool {
        match self {
            Formula::Deadlock => true,
            Formula::Data(_) | Formula::Clock(_) => false,
            Formula::Not(inner) => inner.mentions_deadlock(),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(Formula::mentions_deadlock),
        }
    }

    /// The conditions on clocks anywhere in the formula.
    pub fn atoms(&self) -> Vec<&ClockAtom> {
        match self {
            Formula::Clock(atom) => vec![atom],
            Formula::Data(_) | Formula::Deadlock => Vec::new(),
            Formula::Not(inner) => inner.atoms(),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().flat_map(Formula::atoms).collect(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Positive,
    Negative,
}

impl Sign {
    fn flipped(self) -> Sign {
        match self {
            Sign::Positive => Sign::Negative,
            Sign::Negative => Sign::Positive,
        }
    }
}

fn clock_cases(
    atom: &ClockAtom,
    machine: &mut Machine<'_>,
    sign: Sign,
) -> Result<Vec<TargetCase>, RuntimeError> {
    let mut differences = Vec::new();
    atom.differences(machine, &mut differences)?;
    Ok(match sign {
        Sign::Positive => vec![TargetCase { differences, deadlock: None }],
        Sign::Negative => {
            let violated = |one: Difference| TargetCase { differences: vec![one.negated()], deadlock: None };
            differences.into_iter().map(violated).collect()
        }
    })
}

/// The ways to satisfy all parts. Later parts are considered only if the earlier ones can be satisfied.
fn product(
    parts: &[Formula],
    machine: &mut Machine<'_>,
    sign: Sign,
) -> Result<Vec<TargetCase>, RuntimeError> {
    let mut list = vec![TargetCase::default()];
    for part in parts {
        if list.is_empty() {
            break;
        }
        let further = part.signed_cases(machine, sign)?;
        if list.len() * further.len() > MAX_CASES {
            return Err(RuntimeError::TooLong);
        }
        list = list.iter().flat_map(|left| further.iter().filter_map(|right| left.and(right))).collect();
    }
    Ok(list)
}

/// The ways to satisfy some part. Later parts are considered only if no earlier one is simply true.
fn union(parts: &[Formula], machine: &mut Machine<'_>, sign: Sign) -> Result<Vec<TargetCase>, RuntimeError> {
    let mut list = Vec::new();
    for part in parts {
        list.extend(part.signed_cases(machine, sign)?);
        if list.contains(&TargetCase::default()) {
            return Ok(vec![TargetCase::default()]);
        }
    }
    Ok(list)
}

impl TargetCase {
    fn and(&self, other: &TargetCase) -> Option<TargetCase> {
        let deadlock = match (self.deadlock, other.deadlock) {
            (Some(left), Some(right)) if left != right => return None,
            (left, right) => left.or(right),
        };
        let differences = self.differences.iter().chain(&other.differences).copied().collect();
        Some(TargetCase { differences, deadlock })
    }
}
