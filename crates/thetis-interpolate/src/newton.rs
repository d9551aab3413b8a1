//! Newton: interpolants as weakest preconditions or strongest postconditions of a contradictory core.
//!
//! The chain comes with the conditions of a core only ([`crate::slice`]), so the formulas mention only what matters.
//! Assignments outside the core may give any value. Then
//!
//! * **`newton-wp`** goes backwards from the end: what must hold before a step so that, given its condition, the
//!   formula after it holds for all inputs. Assignments are substituted; only inputs and havocs are quantified.
//! * **`newton-sp`** goes forwards from the start: the formula before and the condition hold, and each changed variable
//!   equals its term, for some old values and inputs.
//!
//! With the *live vocabulary* (`-lv`), variables that do not occur on both sides of a point are quantified too: weakest
//! preconditions over all values of variables that nothing before constrains, strongest postconditions over some value
//! of variables that no later step reads. This makes the formulas smaller and, where the elimination succeeds, Craig
//! interpolants.
//!
//! Follows Dietsch, Heizmann, Musa, Nutz and Podelski (2017). We differ in that an assignment outside the core stays an
//! assignment for weakest preconditions if its variable cannot be eliminated: the result is still correct, only less
//! general.

use std::collections::BTreeSet;
use std::rc::Rc;

use thetis_base::{Run, Stop};
use thetis_expr::simplify::simplify;
use thetis_expr::{ExprId, Replacer, Sort, Store, VarId};
use thetis_solver::{Chain, CoreSolver, Eliminator, Interpolator, Step};

use crate::eliminate::occurring;
use crate::slice::{Needed, needed, with_havocs};

/// Where Newton starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// At the end, with weakest preconditions.
    Backward,
    /// At the start, with strongest postconditions.
    Forward,
}

/// Which variables formulas may mention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vocabulary {
    /// Of all.
    All,
    /// Those that occur in the core on both sides of the point.
    Live,
}

/// The interpolator. See the [module](self).
pub struct Newton {
    direction: Direction,
    vocabulary: Vocabulary,
    solver: Box<dyn CoreSolver>,
    eliminator: Rc<dyn Eliminator>,
}

impl Newton {
    /// Newton with a solver without assertions.
    pub fn new(
        direction: Direction,
        vocabulary: Vocabulary,
        solver: Box<dyn CoreSolver>,
        eliminator: Rc<dyn Eliminator>,
    ) -> Newton {
        Newton { direction, vocabulary, solver, eliminator }
    }

    fn backward(
        &self,
        store: &Store,
        chain: &Chain,
        needed: &Needed,
        run: &Run,
    ) -> Result<Option<Vec<ExprId>>, Stop> {
        let mut formulas = vec![chain.end];
        for (point, step) in chain.steps.iter().enumerate().rev() {
            run.checkpoint()?;
            let after = formulas[formulas.len() - 1];
            let is_forgotten = |var: VarId| {
                !needed.assignments.contains(&(point, var))
                    && matches!(store.var_sort(var), Sort::Bool | Sort::Int | Sort::Real)
            };
            let general = with_havocs(store, step, is_forgotten);
            let before = match self.before(store, &general, after, run)? {
                None if !Rc::ptr_eq(&general, step) => self.before(store, step, after, run)?,
                before => before,
            };
            let Some(before) = before else { return Ok(None) };
            let before = match self.vocabulary {
                Vocabulary::All => before,
                Vocabulary::Live => {
                    let dead = dead(store, before, &needed.live[point]);
                    self.for_all(store, &dead, before, run)?.unwrap_or(before)
                }
            };
            formulas.push(simplify(store, before));
        }
        formulas.reverse();
        Ok(Some(formulas))
    }

    /// The weakest precondition of `step`.
    fn before(&self, store: &Store, step: &Step, after: ExprId, run: &Run) -> Result<Option<ExprId>, Stop> {
        let after = step.before(store, after);
        self.for_all(store, &step.inputs, store.implies(step.condition(store), after), run)
    }

    fn forward(
        &self,
        store: &Store,
        chain: &Chain,
        needed: &Needed,
        run: &Run,
    ) -> Result<Option<Vec<ExprId>>, Stop> {
        let mut formulas = vec![chain.start];
        for (point, step) in chain.steps.iter().enumerate() {
            run.checkpoint()?;
            let step = with_havocs(store, step, |var| !needed.assignments.contains(&(point, var)));
            let Some(after) = self.post(store, &step, formulas[point], run)? else { return Ok(None) };
            let after = match self.vocabulary {
                Vocabulary::All => after,
                Vocabulary::Live => {
                    let dead = dead(store, after, &needed.live[point + 1]);
                    self.exists(store, &dead, after, run)?.unwrap_or(after)
                }
            };
            formulas.push(simplify(store, after));
        }
        let last = formulas.len() - 1;
        formulas[last] = chain.end;
        Ok(Some(formulas))
    }

    /// The strongest postcondition of `step` from `before`.
    fn post(&self, store: &Store, step: &Step, before: ExprId, run: &Run) -> Result<Option<ExprId>, Stop> {
        let olds: Vec<(VarId, VarId)> = step.next.iter().map(|(var, _)| (*var, old(store, *var))).collect();
        let mut renamer = Replacer::new(|store: &Store, var| {
            olds.iter().find(|(new, _)| *new == var).map(|(_, old)| store.var_expr(*old))
        });
        let mut parts = vec![renamer.apply(store, before)];
        parts.extend(step.conjuncts.iter().map(|conjunct| renamer.apply(store, *conjunct)));
        for (var, term) in &step.next {
            parts.push(store.eq(store.var_expr(*var), renamer.apply(store, *term)));
        }
        let quantified: Vec<VarId> =
            olds.iter().map(|(_, old)| *old).chain(step.inputs.iter().copied()).collect();
        self.exists(store, &quantified, store.and_all(parts), run)
    }

    fn exists(
        &self,
        store: &Store,
        vars: &[VarId],
        formula: ExprId,
        run: &Run,
    ) -> Result<Option<ExprId>, Stop> {
        let vars = occurring(store, vars, formula);
        if vars.is_empty() {
            return Ok(Some(formula));
        }
        Ok(self.eliminator.exists(store, &vars, formula, run)?)
    }

    fn for_all(
        &self,
        store: &Store,
        vars: &[VarId],
        formula: ExprId,
        run: &Run,
    ) -> Result<Option<ExprId>, Stop> {
        let counterexample = self.exists(store, vars, store.not(formula), run)?;
        Ok(counterexample.map(|formula| store.not(formula)))
    }
}

impl Interpolator for Newton {
    fn name(&self) -> &'static str {
        match (self.direction, self.vocabulary) {
            (Direction::Backward, Vocabulary::All) => "newton-wp",
            (Direction::Backward, Vocabulary::Live) => "newton-wp-lv",
            (Direction::Forward, Vocabulary::All) => "newton-sp",
            (Direction::Forward, Vocabulary::Live) => "newton-sp-lv",
        }
    }

    fn interpolate(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        let Some(needed) = needed(store, chain, &mut *self.solver, run)? else { return Ok(None) };
        match self.direction {
            Direction::Backward => self.backward(store, chain, &needed, run),
            Direction::Forward => self.forward(store, chain, &needed, run),
        }
    }
}

/// The variables of `formula` that are not live.
fn dead(store: &Store, formula: ExprId, live: &BTreeSet<VarId>) -> Vec<VarId> {
    store.vars_of([formula]).into_iter().filter(|var| !live.contains(var)).collect()
}

/// The variable that stands for the value of `var` before a step. No front end accepts the character in names.
fn old(store: &Store, var: VarId) -> VarId {
    store.declare(&format!("{}!old", store.var_name(var)), store.var_sort(var))
}
