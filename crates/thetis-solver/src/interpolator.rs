//! Chains of steps, and the ability to say why a chain is contradictory.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Replacer, Store, VarId};

/// A guarded simultaneous assignment: if all `conjuncts` hold, each variable of `next` gets the value of its term, and
/// all other variables keep theirs. Conjuncts and terms are over state variables and the inputs of the step.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Step {
    /// What has to hold before.
    pub conjuncts: Vec<ExprId>,
    /// The variables that may change, with their terms; each variable once.
    pub next: Vec<(VarId, ExprId)>,
    /// Variables that mean something in this step only.
    pub inputs: Vec<VarId>,
}

/// A start, steps, and an end that should hold after them. A chain is *contradictory* if no run that starts in `start`
/// and takes all steps violates `end`; for an infeasible path these are `true` and `false`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// What holds before the first step.
    pub start: ExprId,
    /// The steps.
    pub steps: Vec<Rc<Step>>,
    /// What should hold after the last step.
    pub end: ExprId,
    /// Points, in ascending order, where a loop starts a new round: good places to cut a long chain.
    pub heads: Vec<usize>,
}

/// Explains contradictory chains.
pub trait Interpolator {
    /// The name, as in configurations and statistics.
    fn name(&self) -> &'static str;

    /// For a contradictory chain a formula over state variables for each point, from before its first step to after
    /// its last: `start` implies the first, each implies the next through the step between them, and the last implies
    /// `end`. `None` if none is found. The caller verifies what it gets.
    fn interpolate(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop>;
}

impl<I: Interpolator + ?Sized> Interpolator for Box<I> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn interpolate(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        (**self).interpolate(store, chain, run)
    }
}

impl Step {
    /// The condition of the step.
    pub fn condition(&self, store: &Store) -> ExprId {
        store.and_all(self.conjuncts.iter().copied())
    }

    /// What has to hold before the step for `formula` to hold after it, not counting the condition of the
    /// step.
    pub fn before(&self, store: &Store, formula: ExprId) -> ExprId {
        let next: FxHashMap<VarId, ExprId> = self.next.iter().copied().collect();
        Replacer::new(|_: &Store, var| next.get(&var).copied()).apply(store, formula)
    }
}

impl Chain {
    /// The chain of steps that should be infeasible.
    pub fn infeasible(store: &Store, steps: Vec<Rc<Step>>) -> Chain {
        Chain { start: store.tru(), steps, end: store.fals(), heads: Vec::new() }
    }

    /// The steps from point `first` to point `last`, with another start and end.
    #[must_use]
    pub fn part(&self, first: usize, last: usize, start: ExprId, end: ExprId) -> Chain {
        let within = |head: &&usize| (first..=last).contains(*head);
        Chain {
            start,
            steps: self.steps[first..last].to_vec(),
            end,
            heads: self.heads.iter().filter(within).map(|head| head - first).collect(),
        }
    }

    /// The state variables that occur, in the order of their ids.
    pub fn vars(&self, store: &Store) -> Vec<VarId> {
        let mut vars = store.vars_of([self.start, self.end]);
        for step in &self.steps {
            let terms = step.next.iter().map(|(_, term)| *term).chain(step.conjuncts.iter().copied());
            vars.extend(store.vars_of(terms).into_iter().filter(|var| !step.inputs.contains(var)));
            vars.extend(step.next.iter().map(|(var, _)| *var));
        }
        vars.sort();
        vars.dedup();
        vars
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;

    use super::*;

    #[test]
    fn a_step_goes_back_and_a_chain_knows_its_variables() {
        let store = Store::new();
        let [x, y, input] = ["x", "y", "input"].map(|name| store.declare(name, Sort::Int));
        let [tx, ty, ti] = [x, y, input].map(|var| store.var_expr(var));
        let step = Step { conjuncts: vec![store.lt(tx, ti)], next: vec![(x, ty)], inputs: vec![input] };
        let zero = store.int(0);
        assert_eq!(step.before(&store, store.eq(tx, zero)), store.eq(ty, zero));
        let step = Rc::new(step);
        let mut chain = Chain::infeasible(&store, (0..3).map(|_| step.clone()).collect());
        chain.heads = vec![1, 2];
        assert_eq!(chain.vars(&store), [x, y]);
        let part = chain.part(2, 3, store.tru(), store.fals());
        assert_eq!((part.steps.len(), part.heads), (1, vec![0]));
    }
}
