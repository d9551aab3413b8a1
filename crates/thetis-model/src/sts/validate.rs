//! What every transition system must satisfy.

use std::collections::HashSet;
use std::fmt;

use thetis_expr::{ExprId, Sort, Store, VarId, Version};

use super::Sts;

/// Why a transition system is not well-formed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValidationError {
    /// A variable or input is declared twice, or is not a current version.
    BadVariable(String),
    /// A part of the system uses a variable that it may not use: the name of the part and that of the variable.
    Misused(&'static str, String),
    /// A part of the system has the wrong sort.
    WrongSort(&'static str),
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValidationError::BadVariable(name) => write!(f, "`{name}` is declared twice or is not plain"),
            ValidationError::Misused(part, name) => write!(f, "the {part} must not use `{name}`"),
            ValidationError::WrongSort(part) => write!(f, "the {part} has a wrong sort"),
        }
    }
}

impl std::error::Error for ValidationError {}

impl Sts {
    /// Succeeds iff variables are declared once and every part is well-sorted over the variables that it may use.
    pub fn validate(&self, store: &Store) -> Result<(), ValidationError> {
        let (vars, inputs) = self.declared(store)?;
        let is_state = |var: VarId| vars.contains(&var);
        let is_step = |var: VarId| vars.contains(&var) || inputs.contains(&var);
        let is_successor = |var: VarId| {
            let symbol = store.symbol(var);
            is_step(var) || (symbol.version == Version::Next && is_state(symbol.base))
        };
        formula(store, "initial condition", self.init, is_state)?;
        formula(store, "transition relation", self.trans, is_successor)?;
        formula(store, "constraint", self.constraint, is_step)?;
        formula(store, "bad condition", self.bad, is_step)?;
        for (var, term) in &self.next {
            if !is_state(*var) {
                return Err(ValidationError::Misused("set of functions", store.var_name(*var)));
            }
            if store.sort(*term) != store.var_sort(*var) {
                return Err(ValidationError::WrongSort("function of the next state"));
            }
        }
        uses_only(store, "function of the next state", self.next.values().copied(), is_step)
    }

    fn declared(&self, store: &Store) -> Result<(HashSet<VarId>, HashSet<VarId>), ValidationError> {
        let (mut vars, mut inputs) = (HashSet::new(), HashSet::new());
        for var in self.vars.iter().chain(&self.inputs) {
            let is_plain = store.symbol(*var).base == *var;
            let is_state = vars.len() < self.vars.len();
            let is_new = !vars.contains(var) && !inputs.contains(var);
            if !is_plain || !is_new {
                return Err(ValidationError::BadVariable(store.var_name(*var)));
            }
            if is_state {
                vars.insert(*var)
            } else {
                inputs.insert(*var)
            };
        }
        Ok((vars, inputs))
    }
}

fn formula(
    store: &Store,
    part: &'static str,
    formula: ExprId,
    is_allowed: impl Fn(VarId) -> bool,
) -> Result<(), ValidationError> {
    if store.sort(formula) != Sort::Bool {
        return Err(ValidationError::WrongSort(part));
    }
    uses_only(store, part, [formula], is_allowed)
}

fn uses_only(
    store: &Store,
    part: &'static str,
    terms: impl IntoIterator<Item = ExprId>,
    is_allowed: impl Fn(VarId) -> bool,
) -> Result<(), ValidationError> {
    match store.vars_of(terms).into_iter().find(|var| !is_allowed(*var)) {
        None => Ok(()),
        Some(var) => Err(ValidationError::Misused(part, store.var_name(var))),
    }
}
