//! Symbolic transition systems: variables whose values change all at once, step by step.
//!
//! A **state** gives a value to every variable, a **step** is a state with a value for every input. A run is a sequence
//! of steps: its first state satisfies `init`, every step satisfies `constraint`, and in the state after each step, the
//! variables with a `next` function have its value and all variables together satisfy `trans`. The system is unsafe if
//! a run ends in a step that satisfies `bad`.
//!
//! The functions are redundant, since `trans` could say the same. They are kept apart because circuits and most
//! programs have nothing else, and because a function can be executed, sliced and assigned, while a relation can only
//! be passed to a solver. [`StsBuilder`] finds them in formulas such as `x' = t`.

mod builder;
mod cone;
mod evidence;
mod initial;
mod interpreter;
mod solve;
mod to_cfa;
mod validate;

use std::collections::BTreeMap;
use std::fmt;

use thetis_expr::{ExprId, VarId};

use crate::Model;

pub use builder::StsBuilder;
pub use cone::Cone;
pub use evidence::{Paths, StsProof, StsStep, StsTrace};
pub use interpreter::{Interpreter, StepError};
pub use to_cfa::ToCfa;
pub use validate::ValidationError;

/// A transition system. Built with [`StsBuilder`]; [`Sts::validate`] holds for every one that is built.
#[derive(Clone, Debug)]
pub struct Sts {
    /// The name of the system.
    pub name: String,
    /// The variables, in the order of declaration.
    pub vars: Vec<VarId>,
    /// The inputs: arbitrary in every step.
    pub inputs: Vec<VarId>,
    /// Where runs start; over variables.
    pub init: ExprId,
    /// The value of a variable in the next state; over variables and inputs.
    pub next: BTreeMap<VarId, ExprId>,
    /// What else relates a step and the next state; over variables, inputs and primed variables.
    pub trans: ExprId,
    /// What every step of a run satisfies; over variables and inputs.
    pub constraint: ExprId,
    /// What no step of a run should satisfy; over variables and inputs.
    pub bad: ExprId,
}

/// Questions about transition systems.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StsProperty {
    /// No bad step is reachable.
    Globally,
}

impl fmt::Display for StsProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StsProperty::Globally => write!(f, "G"),
        }
    }
}

impl Model for Sts {
    type Property = StsProperty;
    type Trace = StsTrace;
    type Proof = StsProof;
}
