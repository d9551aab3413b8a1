//! What is asked of an automaton, and of the program that it may stand for.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::Assumption;

/// What can be asked of an automaton: whether no error location is reachable. If that is how something was asked of a program,
/// a verdict is about the program, so the question says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CfaProperty {
    /// No error location is reachable.
    ErrorLocation,
    /// No error location of the automaton of a program is reachable.
    Program(Arc<ProgramQuestion>),
}

/// What was asked of a program, and how it became an automaton. Evidence about one question is none about another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramQuestion {
    /// The name of the property, such as `unreach-call`.
    pub name: String,
    /// The property in full, as a property file says it.
    pub specification: String,
    /// A sentence that is true if the property holds.
    pub sentence: String,
    /// A sentence that is true if it is violated.
    pub violation: String,
    /// The sizes of types, such as `LP64`.
    pub data_model: String,
    /// The settings that the automaton depends on, by their names in configurations.
    pub settings: BTreeMap<&'static str, String>,
    /// What was taken for granted.
    pub assumptions: Vec<Assumption>,
}

impl CfaProperty {
    /// What was asked of a program, if the automaton stands for one.
    pub fn program(&self) -> Option<&ProgramQuestion> {
        match self {
            CfaProperty::ErrorLocation => None,
            CfaProperty::Program(question) => Some(question),
        }
    }
}

impl fmt::Display for CfaProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CfaProperty::ErrorLocation => write!(f, "error-location"),
            CfaProperty::Program(question) => f.write_str(&question.name),
        }
    }
}
