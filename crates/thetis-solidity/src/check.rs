//! What can go wrong in a function.

use std::fmt;

use thetis_base::Span;

/// A check of a function: a location of its automaton that should not be reachable, except for
/// [`CheckKind::Start`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// What is checked.
    pub kind: CheckKind,
    /// The place that a message points to.
    pub span: Span,
}

/// When a condition should hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// When a function is called.
    Entry,
    /// At the end of the function.
    End,
    /// When no function of the contract is active.
    Between,
    /// Before code that nobody knows is called.
    ExternalCall,
    /// When a loop is reached.
    LoopEntry,
    /// After the first iteration of a loop whose condition comes last.
    FirstIteration,
    /// After an arbitrary iteration.
    Iteration,
}

/// What a check is about. Formulas are the texts of annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckKind {
    /// An `assert`.
    Assertion,
    /// An invariant of a contract or loop.
    Invariant(String, Moment),
    /// State variables with initial values do not satisfy the invariant of a contract without a constructor.
    Initializers(String),
    /// A precondition of a function that is called.
    Precondition(String),
    /// A postcondition.
    Postcondition(String),
    /// A case of a specification.
    Specification(String),
    /// A state variable that the function may not modify.
    Modifies(String),
    /// Balances that the function may not modify.
    ModifiesBalances,
    /// An arithmetic operation whose result does not fit its type.
    Overflow(OverflowAt),
    /// A number that is not a member of its enumeration.
    EnumRange,
    /// An index into `bytesN`.
    Index,
    /// The precondition of an event.
    EventPrecondition(String, String),
    /// The postcondition of an event.
    EventPostcondition(String, String),
    /// Data that events track were changed, and the function continues without emitting one of these events.
    UntrackedChange(String),
    /// The start of a function, which should be reachable: otherwise its invariants and preconditions contradict each other.
    Start,
    /// A property of a loop that was guessed: if it does not hold, it is not used.
    Guess(usize),
}

/// Where an overflow is noticed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OverflowAt {
    /// At the end of the function.
    End,
    /// Before a call.
    Call,
    /// At the end of a block.
    Block,
    /// In the formula of an annotation, which does not hold in numbers of the width of its types.
    Annotation(&'static str, String, Moment),
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Moment::Entry => "when entering function",
            Moment::End => "at end of function",
            Moment::Between => "between transactions",
            Moment::ExternalCall => "before external call",
            Moment::LoopEntry => "on loop entry",
            Moment::FirstIteration => "after first iteration",
            Moment::Iteration => "after iteration",
        })
    }
}

/// The message of solc-verify for a check that may fail.
impl fmt::Display for CheckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckKind::Assertion => write!(f, "Assertion might not hold."),
            CheckKind::Invariant(text, Moment::Iteration) => {
                write!(f, "Invariant '{text}' might not be maintained by the loop")
            }
            CheckKind::Invariant(text, at @ (Moment::LoopEntry | Moment::FirstIteration)) => {
                write!(f, "Invariant '{text}' might not hold {at}")
            }
            CheckKind::Invariant(text, at) => write!(f, "Invariant '{text}' might not hold {at}."),
            CheckKind::Initializers(text) => {
                write!(f, "State variable initializers might violate invariant '{text}'.")
            }
            CheckKind::Precondition(text) => {
                write!(f, "Precondition '{text}' might not hold when entering function.")
            }
            CheckKind::Postcondition(text) => {
                write!(f, "Postcondition '{text}' might not hold at end of function.")
            }
            CheckKind::Specification(text) => {
                write!(f, "Specification case '{text}' might not hold at end of function.")
            }
            CheckKind::Modifies(name) => write!(f, "Function might modify '{name}' illegally"),
            CheckKind::ModifiesBalances => write!(f, "Function might modify balances illegally"),
            CheckKind::Overflow(OverflowAt::End) => write!(f, "Function can terminate with overflow"),
            CheckKind::Overflow(OverflowAt::Call) => {
                write!(f, "An overflow can occur before calling function")
            }
            CheckKind::Overflow(OverflowAt::Block) => write!(f, "An overflow can occur"),
            CheckKind::Overflow(OverflowAt::Annotation(what, text, at)) => {
                write!(f, "Overflow in computation of {what} '{text}' {at}.")
            }
            CheckKind::EnumRange => write!(f, "Conversion to enum might be out of range"),
            CheckKind::Index => write!(f, "Index may be out of bounds"),
            CheckKind::EventPrecondition(text, event) => {
                write!(f, "Event precondition '{text}' might not hold before emit of {event}.")
            }
            CheckKind::EventPostcondition(text, event) => {
                write!(f, "Event postcondition '{text}' might not hold at emit of {event}.")
            }
            CheckKind::UntrackedChange(_) => write!(f, "Function can end without triggering event"),
            CheckKind::Start => write!(f, "Invariants and preconditions might be contradictory"),
            CheckKind::Guess(number) => write!(f, "Guessed loop property {number} might not hold"),
        }
    }
}
