//! A system as formulas over a step and the next one.

use thetis_expr::{ExprId, Store};
use thetis_model::Task;
use thetis_model::sts::Sts;

/// The parts of a system as formulas. `transition` is over current and primed variables.
pub(super) struct Relation<'t> {
    pub(super) store: &'t Store,
    pub(super) sts: &'t Sts,
    pub(super) transition: ExprId,
}

impl<'t> Relation<'t> {
    pub(super) fn new(task: &'t Task<Sts>) -> Relation<'t> {
        let (store, sts) = (&task.store, &task.model);
        let equations =
            sts.next.iter().map(|(var, term)| store.eq(store.primed(store.var_expr(*var)), *term));
        let transition = store.and_all(equations.chain([sts.trans]));
        Relation { store, sts, transition }
    }

    /// That the states of two steps differ.
    pub(super) fn differ(&self, one: u32, other: u32) -> ExprId {
        let differs = |var| {
            let term = self.store.var_expr(var);
            self.store.ne(self.store.at_step(term, one), self.store.at_step(term, other))
        };
        self.store.or_all(self.sts.vars.iter().copied().map(differs))
    }
}
