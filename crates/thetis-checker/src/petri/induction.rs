//! k-inductions: the lemma, the base and the step.
//!
//! Between two markings exactly one transition fires: an integer says which.

use thetis_base::Run;
use thetis_expr::{ExprId, Sort, VarId};
use thetis_model::Task;
use thetis_model::petri::{Net, PlaceId, Predicate, TransitionId};
use thetis_model::sts::Paths;
use thetis_solver::SolverFactory;

use super::formulas::Formulas;
use super::invariant::check_inductive;
use super::rejected;
use crate::{CheckError, is_unsatisfiable};

/// The claim: `k` consecutive markings that do not satisfy the target are never followed by one that does, if
/// the lemma holds in all of them.
pub(super) struct Claim<'p> {
    pub(super) k: u32,
    pub(super) lemma: &'p Predicate,
    pub(super) paths: Paths,
}

pub(super) fn check(
    task: &Task<Net>,
    claim: Claim<'_>,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<(), CheckError> {
    let Claim { k, lemma, paths } = claim;
    check_inductive(task, lemma, solvers, run)?;
    let formulas = Formulas::new(&task.model);
    let fired = formulas.store.declare("fired", Sort::Int);
    let target = formulas.predicate(&task.property.target(&task.model));
    let induction = Induction { relation: relation(&formulas, fired), target, formulas };
    induction.check_base(k, solvers, run)?;
    induction.check_step(k, lemma, paths, solvers, run)
}

struct Induction<'n> {
    formulas: Formulas<'n>,
    target: ExprId,
    /// Over the tokens before a firing and the primed ones after it.
    relation: ExprId,
}

/// That the transition `fired` is enabled and changes the tokens as it should.
fn relation(formulas: &Formulas<'_>, fired: VarId) -> ExprId {
    let (store, net) = (&formulas.store, formulas.net);
    let fired = store.var_expr(fired);
    let is_fired = |transition: TransitionId| store.eq(fired, store.int(transition.index()));
    let enabled = |transition| store.implies(is_fired(transition), formulas.enabled(transition));
    let next = |place: PlaceId| {
        let tokens = formulas.tokens(place);
        let after = net.changers(place).iter().fold(tokens, |otherwise, changer| {
            let changed = store.add(tokens, store.int(changer.delta));
            store.ite(is_fired(changer.transition), changed, otherwise)
        });
        store.eq(store.primed(tokens), after)
    };
    let exists =
        store.and(store.le(store.int(0), fired), store.lt(fired, store.int(net.transitions().len())));
    let parts = net.transition_ids().map(enabled).chain(net.place_ids().map(next)).chain([exists]);
    store.and_all(parts.collect::<Vec<_>>())
}

impl Induction<'_> {
    /// None of the first `k` markings of a run satisfies the target.
    fn check_base(&self, k: u32, solvers: &dyn SolverFactory, run: &Run) -> Result<(), CheckError> {
        let store = &self.formulas.store;
        let mut solver = solvers.start(run)?;
        solver.assert(store, store.at_step(self.formulas.initial(), 0))?;
        for step in 0..k {
            if !is_unsatisfiable(&mut *solver, store, store.at_step(self.target, step), run)? {
                return Err(rejected(format!("marking {step} of a run satisfies the target")));
            }
            solver.assert(store, store.at_step(self.relation, step))?;
        }
        Ok(())
    }

    /// A marking that follows `k` markings which do not satisfy the target does not satisfy it either, if the lemma
    /// holds in all of them.
    fn check_step(
        &self,
        k: u32,
        lemma: &Predicate,
        paths: Paths,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<(), CheckError> {
        let store = &self.formulas.store;
        let (natural, lemma) = (self.formulas.natural(), self.formulas.predicate(lemma));
        let mut solver = solvers.start(run)?;
        for step in 0..=k {
            run.checkpoint()?;
            solver.assert(store, store.at_step(natural, step))?;
            solver.assert(store, store.at_step(lemma, step))?;
            if paths == Paths::Simple {
                for earlier in 0..step {
                    solver.assert(store, self.differ(earlier, step))?;
                }
            }
            if step < k {
                solver.assert(store, store.not(store.at_step(self.target, step)))?;
                solver.assert(store, store.at_step(self.relation, step))?;
            }
        }
        if is_unsatisfiable(&mut *solver, store, store.at_step(self.target, k), run)? {
            return Ok(());
        }
        Err(rejected("markings that do not satisfy the target lead to one that does".into()))
    }

    fn differ(&self, one: u32, other: u32) -> ExprId {
        let store = &self.formulas.store;
        let differs = |place| {
            let tokens = self.formulas.tokens(place);
            store.ne(store.at_step(tokens, one), store.at_step(tokens, other))
        };
        store.or_all(self.formulas.net.place_ids().map(differs))
    }
}
