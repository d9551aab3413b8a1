//! Explicit values: a state knows the values of some tracked variables.
//!
//! The post follows Algorithm 4 of document 001: known values are put into the condition and the terms of an edge. What
//! then is a literal needs no solver. Otherwise the solver enumerates the tracked values after the edge, up to a
//! limit; beyond the limit the values that are not literals become unknown.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{Run, Statistics, Stop};
use thetis_expr::{ExprId, Replacer, Store, Value, VarId};
use thetis_solver::{Answer, CoreSolver, SolverFactory};

use crate::analysis::Domain;
use crate::program::Action;

/// The known values.
pub type Values = BTreeMap<VarId, Value>;

/// The domain. See the [module](self).
pub struct Explicit<'s> {
    store: &'s Store,
    max_enum: u32,
    solver: Box<dyn CoreSolver>,
    queries: u64,
}

impl<'s> Explicit<'s> {
    /// The domain that enumerates at most `max_enum` successors; 0 means no limit.
    pub fn new(
        store: &'s Store,
        max_enum: u32,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<Explicit<'s>, Stop> {
        Ok(Explicit { store, max_enum, solver: solvers.start(run)?, queries: 0 })
    }

    /// The tracked values after the edge, as far as the solver can enumerate them; `None` beyond the limit.
    fn enumerate(
        &mut self,
        condition: ExprId,
        open: &[(VarId, ExprId)],
        run: &Run,
    ) -> Result<Option<Vec<Values>>, Stop> {
        self.solver.push()?;
        let found = self.models(condition, open, run);
        self.solver.pop()?;
        found
    }

    fn models(
        &mut self,
        condition: ExprId,
        open: &[(VarId, ExprId)],
        run: &Run,
    ) -> Result<Option<Vec<Values>>, Stop> {
        self.solver.assert(self.store, condition)?;
        let mut found = Vec::new();
        loop {
            run.checkpoint()?;
            self.queries += 1;
            let values: Values = match self.solver.check(self.store, &[])? {
                Answer::Unsat => return Ok(Some(found)),
                Answer::Unknown(_) => return Ok(None),
                Answer::Sat(valuation) => open
                    .iter()
                    .map(|(var, term)| Ok((*var, valuation.evaluate(self.store, *term)?)))
                    .collect::<Result<_, Stop>>()?,
            };
            if self.max_enum > 0 && found.len() as u32 == self.max_enum {
                return Ok(None);
            }
            let equal =
                open.iter().map(|(var, term)| self.store.eq(*term, self.store.literal(values[var].clone())));
            let same = self.store.and_all(equal);
            found.push(values);
            if open.is_empty() {
                return Ok(Some(found));
            }
            self.solver.assert(self.store, self.store.not(same))?;
        }
    }
}

impl Domain<Action> for Explicit<'_> {
    type State = Values;
    type Precision = BTreeSet<VarId>;

    fn top(&self) -> Values {
        Values::new()
    }

    fn successors(
        &mut self,
        from: &Values,
        action: &Action,
        precision: &BTreeSet<VarId>,
        run: &Run,
    ) -> Result<Vec<Values>, Stop> {
        let store = self.store;
        let mut known =
            Replacer::new(|store: &Store, var| from.get(&var).map(|value| store.literal(value.clone())));
        let condition = known.apply(store, action.condition);
        if condition == store.fals() {
            return Ok(Vec::new());
        }
        let (mut values, mut open) = (Values::new(), Vec::new());
        for var in precision {
            let term = known.apply(store, action.next.get(*var));
            match store.value(term) {
                Some(value) => drop(values.insert(*var, value)),
                None => open.push((*var, term)),
            }
        }
        if condition == store.tru() && open.is_empty() {
            return Ok(vec![values]);
        }
        let Some(found) = self.enumerate(condition, &open, run)? else { return Ok(vec![values]) };
        let merged = found.into_iter().map(|mut found| {
            found.extend(values.clone());
            found
        });
        Ok(merged.collect())
    }

    fn covers(&mut self, general: &Values, special: &Values) -> Result<bool, Stop> {
        Ok(general.iter().all(|(var, value)| special.get(var) == Some(value)))
    }

    fn formula(&self, state: &Values) -> ExprId {
        let store = self.store;
        let equal =
            |(var, value): (&VarId, &Value)| store.eq(store.var_expr(*var), store.literal(value.clone()));
        store.and_all(state.iter().map(equal))
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("explicit").count("queries", self.queries)
    }
}
