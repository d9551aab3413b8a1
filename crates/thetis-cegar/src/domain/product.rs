//! The product of explicit values and predicates.
//!
//! A state knows the values of some variables and a conjunction of predicates. The two help each other: values are
//! enumerated under what the predicates say, and predicates are decided under the values before and after the edge. A
//! successor of one part for which the other has none is dropped.

use thetis_base::{Run, Statistics, Stop};
use thetis_expr::{ExprId, Store};

use super::cubes::{Cubes, CubesState};
use super::explicit::{Explicit, TrackedValues, Values};
use super::predicates::Predicates;
use crate::analysis::Domain;
use crate::program::Action;

/// The domain. See the [module](self).
pub struct Product<'s> {
    store: &'s Store,
    values: Explicit<'s>,
    predicates: Cubes<'s>,
}

/// What both parts know.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ProductState {
    /// The known values.
    pub values: Values,
    /// The predicates.
    pub predicates: CubesState,
}

/// What both parts track.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ProductPrecision {
    /// What is tracked by value.
    pub values: TrackedValues,
    /// The predicates.
    pub predicates: Predicates,
}

impl<'s> Product<'s> {
    /// The product of two domains over the same store.
    pub fn new(store: &'s Store, values: Explicit<'s>, predicates: Cubes<'s>) -> Product<'s> {
        Product { store, values, predicates }
    }

    /// What the values after an edge say about the state before it.
    fn after(&self, action: &Action, values: &Values) -> ExprId {
        let store = self.store;
        let equal =
            values.iter().map(|(var, value)| store.eq(action.next.get(*var), store.literal(value.clone())));
        store.and_all(equal)
    }
}

impl Domain<Action> for Product<'_> {
    type State = ProductState;
    type Precision = ProductPrecision;

    fn top(&self) -> ProductState {
        ProductState { values: self.values.top(), predicates: self.predicates.top() }
    }

    fn successors(
        &mut self,
        from: &ProductState,
        action: &Action,
        precision: &ProductPrecision,
        run: &Run,
    ) -> Result<Vec<ProductState>, Stop> {
        let known = self.predicates.formula(&from.predicates);
        let before = self.values.formula(&from.values);
        let mut successors = Vec::new();
        for values in self.values.successors_under(&from.values, known, action, &precision.values, run)? {
            let context = self.store.and(before, self.after(action, &values));
            let all = self.predicates.successors_under(
                &from.predicates,
                context,
                action,
                &precision.predicates,
                run,
            )?;
            successors.extend(
                all.into_iter().map(|predicates| ProductState { values: values.clone(), predicates }),
            );
        }
        Ok(successors)
    }

    fn covers(&mut self, general: &ProductState, special: &ProductState) -> Result<bool, Stop> {
        Ok(self.values.covers(&general.values, &special.values)?
            && self.predicates.covers(&general.predicates, &special.predicates)?)
    }

    fn formula(&self, state: &ProductState) -> ExprId {
        self.store.and(self.values.formula(&state.values), self.predicates.formula(&state.predicates))
    }

    fn num_queries(&self) -> u64 {
        self.values.num_queries() + self.predicates.num_queries()
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("product").part(self.values.statistics()).part(self.predicates.statistics())
    }
}
