//! What every automaton with procedures must satisfy.

use std::collections::BTreeSet;

use thetis_expr::Store;

use super::{ContractsError, Procedural};
use crate::cfa::LocId;

impl Procedural {
    /// Succeeds iff the automaton is well-formed, all that is mentioned exists, and calls are limits of the automaton.
    pub fn validate(&self, store: &Store) -> Result<(), ContractsError> {
        let wrong = |reason: String| Err(ContractsError::NotWellFormed(reason));
        if let Err(error) = self.cfa.validate(store) {
            return wrong(error.to_string());
        }
        let exists = |location: LocId| self.cfa.locations.get(location).is_some();
        let mut names = BTreeSet::new();
        for procedure in &self.procedures {
            if !exists(procedure.entry) || !exists(procedure.exit) || !names.insert(&procedure.name) {
                return wrong(format!(
                    "the procedure `{}` has no place or no name of its own",
                    procedure.name
                ));
            }
            let is_limit = self.cfa.limits.contains_key(&procedure.exit);
            if is_limit && !self.calls.contains_key(&procedure.exit) {
                return wrong(format!("the procedure `{}` ends at a limit", procedure.name));
            }
        }
        for (location, call) in &self.calls {
            let is_known = self.procedures.get(call.callee).is_some() && exists(call.target);
            if !is_known || !self.cfa.limits.contains_key(location) {
                return wrong(format!("the call at location {} leads nowhere", location.index()));
            }
        }
        match self.locals.iter().find(|local| !self.cfa.vars.contains(local)) {
            Some(local) => wrong(format!("the local variable `{}` is not declared", store.var_name(*local))),
            None => Ok(()),
        }
    }
}
