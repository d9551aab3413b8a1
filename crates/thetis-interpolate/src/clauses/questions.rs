//! Queries about single steps.
//!
//! All queries are over the variables before a step: a literal after it is replaced by the literal of the term that its
//! variable is assigned. So one incremental solver serves all steps and all points. Repeated assumptions, the
//! conditions of a step and the clauses of a point, are asserted once, guarded by a switch.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Replacer, Sort, Store, Value, VarId};
use thetis_solver::{CoreAnswer, CoreSolver, Step};

use super::literals::{Cube, clause, literals};

/// The number of a known step. Equal numbers are the same step.
pub(super) type StepNumber = usize;

/// Whether a step leads from some states to a cube.
pub(super) enum Reached {
    /// No; these literals of the cube suffice for that.
    No(Cube),
    /// From all states of this cube, for some inputs.
    From(Cube),
    /// The solver could not decide.
    Unknown,
}

pub(super) struct Questions {
    solver: Box<dyn CoreSolver>,
    steps: Vec<KnownStep>,
    numbers: FxHashMap<*const Step, StepNumber>,
    /// The variables of formulas.
    vars: FxHashMap<ExprId, Rc<[VarId]>>,
}

struct KnownStep {
    step: Rc<Step>,
    /// Switches the conditions on.
    switch: ExprId,
    next: FxHashMap<VarId, ExprId>,
    before: FxHashMap<ExprId, ExprId>,
}

impl Questions {
    pub(super) fn new(solver: Box<dyn CoreSolver>) -> Questions {
        Questions { solver, steps: Vec::new(), numbers: FxHashMap::default(), vars: FxHashMap::default() }
    }

    /// The number of a step. Known steps are kept, so a pointer stands for one step only.
    pub(super) fn number(&mut self, store: &Store, step: &Rc<Step>) -> Result<StepNumber, Stop> {
        if let Some(number) = self.numbers.get(&Rc::as_ptr(step)) {
            return Ok(*number);
        }
        let switch = self.switch(store);
        for conjunct in &step.conjuncts {
            self.tell(store, switch, *conjunct)?;
        }
        let next = step.next.iter().copied().collect();
        self.steps.push(KnownStep { step: step.clone(), switch, next, before: FxHashMap::default() });
        self.numbers.insert(Rc::as_ptr(step), self.steps.len() - 1);
        Ok(self.steps.len() - 1)
    }

    /// A new switch.
    pub(super) fn switch(&self, store: &Store) -> ExprId {
        store.var_expr(store.declare_fresh("on", Sort::Bool))
    }

    /// Asserts `formula` under the assumption `switch`.
    pub(super) fn tell(&mut self, store: &Store, switch: ExprId, formula: ExprId) -> Result<(), Stop> {
        Ok(self.solver.assert(store, store.implies(switch, formula))?)
    }

    /// Whether `cube` has a state in which `given` holds.
    pub(super) fn intersects(
        &mut self,
        store: &Store,
        given: &[ExprId],
        cube: &[ExprId],
    ) -> Result<Reached, Stop> {
        let assumptions: Vec<ExprId> = given.iter().chain(cube).copied().collect();
        Ok(match self.solver.check_core(store, &assumptions)? {
            CoreAnswer::Unsat(core) => Reached::No(among(cube, &core)),
            CoreAnswer::Sat(_) => Reached::From(cube.to_vec()),
            CoreAnswer::Unknown(_) => Reached::Unknown,
        })
    }

    /// As [`Questions::reaches`], from states outside of the cube.
    pub(super) fn reaches_from_outside(
        &mut self,
        store: &Store,
        given: &[ExprId],
        step: StepNumber,
        cube: &[ExprId],
        run: &Run,
    ) -> Result<Reached, Stop> {
        self.meanwhile(store, clause(store, cube), |questions| {
            questions.reaches(store, given, step, cube, run)
        })
    }

    /// Runs a query while `formula` is asserted, which costs a SAT solver less than assuming it.
    fn meanwhile<T>(
        &mut self,
        store: &Store,
        formula: ExprId,
        ask: impl FnOnce(&mut Questions) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.solver.push()?;
        self.solver.assert(store, formula)?;
        let answer = ask(self)?;
        self.solver.pop()?;
        Ok(answer)
    }

    /// Whether `step` leads from a state in which `given` holds to `cube`.
    pub(super) fn reaches(
        &mut self,
        store: &Store,
        given: &[ExprId],
        step: StepNumber,
        cube: &[ExprId],
        run: &Run,
    ) -> Result<Reached, Stop> {
        run.checkpoint()?;
        let known = &mut self.steps[step];
        let before: Vec<ExprId> = cube.iter().map(|literal| known.before(store, *literal)).collect();
        if let Some(at) = before.iter().position(|formula| *formula == store.fals()) {
            return Ok(Reached::No(vec![cube[at]]));
        }
        let wanted: Vec<ExprId> = before.iter().copied().filter(|formula| *formula != store.tru()).collect();
        let assumptions: Vec<ExprId> =
            given.iter().copied().chain([known.switch]).chain(wanted.clone()).collect();
        let wanted: Vec<ExprId> = wanted.into_iter().chain(known.step.conjuncts.iter().copied()).collect();
        let vars = self.vars_of(store, &wanted);
        let values: Vec<(VarId, Value)> = match self.solver.check_core(store, &assumptions)? {
            CoreAnswer::Unsat(core) => {
                let pairs = cube.iter().zip(&before);
                let needed = pairs.filter(|(_, before)| core.contains(before)).map(|(literal, _)| *literal);
                return Ok(Reached::No(needed.collect()));
            }
            CoreAnswer::Unknown(_) => return Ok(Reached::Unknown),
            CoreAnswer::Sat(valuation) => {
                let value = |var: &VarId| Ok((*var, valuation.value(store, *var)?));
                vars.iter().map(value).collect::<Result<_, Stop>>()?
            }
        };
        Ok(Reached::From(self.lift(store, step, &wanted, &values)?))
    }

    /// The states that share enough of the given values for all formulas of `wanted` to hold, with the given inputs.
    fn lift(
        &mut self,
        store: &Store,
        step: StepNumber,
        wanted: &[ExprId],
        values: &[(VarId, Value)],
    ) -> Result<Cube, Stop> {
        let (mut cube, mut assumptions) = (Cube::new(), Vec::new());
        for (var, value) in values {
            let literals = literals(store, *var, value);
            if !self.steps[step].step.inputs.contains(var) {
                cube.extend(&literals);
            }
            assumptions.extend(literals);
        }
        cube.sort_unstable();
        let one_fails = store.or_all(wanted.iter().map(|formula| store.not(*formula)));
        self.meanwhile(store, one_fails, |questions| {
            Ok(match questions.solver.check_core(store, &assumptions)? {
                CoreAnswer::Unsat(core) => among(&cube, &core),
                CoreAnswer::Sat(_) | CoreAnswer::Unknown(_) => cube,
            })
        })
    }

    fn vars_of(&mut self, store: &Store, formulas: &[ExprId]) -> Vec<VarId> {
        let mut all = Vec::new();
        for formula in formulas {
            let vars = self.vars.entry(*formula).or_insert_with(|| store.vars_of([*formula]).into());
            all.extend(vars.iter().copied());
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl KnownStep {
    /// What has to hold before the step for `literal` to hold after it.
    fn before(&mut self, store: &Store, literal: ExprId) -> ExprId {
        let next = &self.next;
        *self
            .before
            .entry(literal)
            .or_insert_with(|| Replacer::new(|_: &Store, var| next.get(&var).copied()).apply(store, literal))
    }
}

/// The literals of `cube` that are in `core`.
fn among(cube: &[ExprId], core: &[ExprId]) -> Cube {
    cube.iter().copied().filter(|literal| core.contains(literal)).collect()
}
