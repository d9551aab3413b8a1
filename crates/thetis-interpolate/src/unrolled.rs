//! A chain as formulas over its first variables and its inputs, and the conditions that contradict each other.
//!
//! Symbolic execution along the steps gives every conjunct as a term over initial values and inputs; no variable is
//! invented for an assignment. The chain can be run iff their conjunction has a model. Otherwise the solver's core says
//! which conjuncts contradict each other; it is taken from the end of the chain, because conditions near the error are
//! more relevant to the property than earlier ones, and made minimal.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Replacer, Store, VarId, Version};
use thetis_solver::{Answer, Chain, CoreAnswer, CoreSolver, SolverError, Step, Valuation};

/// A chain, executed symbolically.
pub struct Unrolled {
    start: Vec<ExprId>,
    initial: FxHashMap<VarId, ExprId>,
    state: FxHashMap<VarId, ExprId>,
    steps: Vec<UnrolledStep>,
    not_end: ExprId,
    next_version: u32,
}

struct UnrolledStep {
    inputs: FxHashMap<VarId, ExprId>,
    conjuncts: Vec<ExprId>,
}

/// A conjunct of the condition of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Conjunct {
    /// The number of the step.
    pub step: usize,
    /// The number of the conjunct in the step.
    pub number: usize,
}

/// Whether a chain can be run to a violation of its end.
pub enum Feasibility<T> {
    /// Yes, with what was read from the valuation.
    Feasible(T),
    /// No, and these conjuncts suffice.
    Infeasible(Vec<Conjunct>),
    /// The solver could not decide.
    Unknown(String),
}

/// The result of a query about some conjuncts.
enum Asked<T> {
    Sat(T),
    Unsat(Vec<Conjunct>),
    Unknown(String),
}

impl Unrolled {
    /// The chain with versions of its variables as initial values.
    pub fn new(store: &Store, chain: &Chain) -> Unrolled {
        let mut unrolled = Unrolled::from_now(store, chain, |unrolled, var| unrolled.version(store, var));
        unrolled.not_end = store.not(unrolled.at_end(store, chain.end));
        unrolled
    }

    /// The chain as one step: initial values are the variables themselves.
    pub fn merge(store: &Store, chain: &Chain) -> Step {
        let unrolled = Unrolled::from_now(store, chain, |_, var| store.var_expr(var));
        let mut next: Vec<(VarId, ExprId)> = chain
            .steps
            .iter()
            .flat_map(|step| step.next.iter().map(|(var, _)| *var))
            .filter_map(|var| unrolled.state.get(&var).map(|term| (var, *term)))
            .filter(|(var, term)| store.as_var(*term) != Some(*var))
            .collect();
        next.sort();
        next.dedup();
        let conjuncts: Vec<ExprId> = unrolled.steps.iter().flat_map(|step| step.conjuncts.clone()).collect();
        let vars = chain.vars(store);
        let terms = conjuncts.iter().copied().chain(next.iter().map(|(_, term)| *term));
        let mut inputs = store.vars_of(terms);
        inputs.retain(|var| vars.binary_search(var).is_err());
        Step { conjuncts, next, inputs }
    }

    fn from_now(
        store: &Store,
        chain: &Chain,
        mut initial: impl FnMut(&mut Unrolled, VarId) -> ExprId,
    ) -> Unrolled {
        let mut unrolled = Unrolled {
            start: Vec::new(),
            initial: FxHashMap::default(),
            state: FxHashMap::default(),
            steps: Vec::new(),
            not_end: store.fals(),
            next_version: 0,
        };
        for var in chain.vars(store) {
            let term = initial(&mut unrolled, var);
            unrolled.initial.insert(var, term);
        }
        unrolled.state = unrolled.initial.clone();
        let start = unrolled.at_end(store, chain.start);
        unrolled.start = store.conjuncts(start);
        for step in &chain.steps {
            unrolled.take(store, step);
        }
        unrolled
    }

    fn version(&mut self, store: &Store, var: VarId) -> ExprId {
        self.next_version += 1;
        store.var_expr(store.at_version(var, Version::Step(self.next_version)))
    }

    fn take(&mut self, store: &Store, step: &Step) {
        let inputs: FxHashMap<VarId, ExprId> =
            step.inputs.iter().map(|input| (*input, self.version(store, *input))).collect();
        let state = &self.state;
        let mut renamer =
            Replacer::new(|_: &Store, var| inputs.get(&var).or_else(|| state.get(&var)).copied());
        let conjuncts = step.conjuncts.iter().map(|part| renamer.apply(store, *part)).collect();
        let next: Vec<(VarId, ExprId)> =
            step.next.iter().map(|(var, term)| (*var, renamer.apply(store, *term))).collect();
        self.state.extend(next);
        self.steps.push(UnrolledStep { inputs, conjuncts });
    }

    /// A formula after the last step.
    fn at_end(&self, store: &Store, formula: ExprId) -> ExprId {
        Replacer::new(|_: &Store, var| self.state.get(&var).copied()).apply(store, formula)
    }

    /// The initial value of a variable, if it occurs.
    pub fn initial(&self, var: VarId) -> Option<ExprId> {
        self.initial.get(&var).copied()
    }

    /// The term of an input of a step.
    pub fn input(&self, step: usize, input: VarId) -> Option<ExprId> {
        self.steps[step].inputs.get(&input).copied()
    }

    /// Decides as [`Unrolled::decide`] does; the core is [minimal](Unrolled::minimal).
    pub fn check<T>(
        &self,
        store: &Store,
        solver: &mut dyn CoreSolver,
        read: impl FnMut(&Valuation<'_>) -> Result<T, SolverError>,
        run: &Run,
    ) -> Result<Feasibility<T>, Stop> {
        Ok(match self.decide(store, solver, read, run)? {
            Feasibility::Infeasible(core) => Feasibility::Infeasible(self.minimal(store, core, solver, run)?),
            other => other,
        })
    }

    /// Decides by one query whether the chain can be run to a violation of its end; `read` extracts the result from the
    /// valuation.
    pub fn decide<T>(
        &self,
        store: &Store,
        solver: &mut dyn CoreSolver,
        read: impl FnMut(&Valuation<'_>) -> Result<T, SolverError>,
        run: &Run,
    ) -> Result<Feasibility<T>, Stop> {
        let all: Vec<Conjunct> = self.conjuncts().collect();
        Ok(match self.ask(store, &all, solver, read)? {
            Asked::Sat(value) => Feasibility::Feasible(value),
            Asked::Unsat(core) => Feasibility::Infeasible(core),
            Asked::Unknown(words) => {
                run.checkpoint()?;
                Feasibility::Unknown(words)
            }
        })
    }

    /// A minimal core as near to the end as possible; `core` is any core.
    pub fn minimal(
        &self,
        store: &Store,
        core: Vec<Conjunct>,
        solver: &mut dyn CoreSolver,
        run: &Run,
    ) -> Result<Vec<Conjunct>, Stop> {
        let all: Vec<Conjunct> = self.conjuncts().collect();
        let core = self.last_core(store, &all, core, solver, run)?;
        self.smaller_core(store, core, solver, run)
    }

    /// The greatest number of steps from the start that can be taken, by bisection; undecided counts as possible.
    pub fn feasible_prefix(
        &self,
        store: &Store,
        solver: &mut dyn CoreSolver,
        run: &Run,
    ) -> Result<usize, Stop> {
        let (mut feasible, mut end) = (0, self.steps.len());
        while feasible < end {
            let middle = (feasible + end).div_ceil(2);
            if self.may_take(middle, store, solver, run)? { feasible = middle } else { end = middle - 1 }
        }
        Ok(feasible)
    }

    /// Whether all steps can be taken, ignoring the end; undecided counts as possible.
    pub fn may_be_feasible(
        &self,
        store: &Store,
        solver: &mut dyn CoreSolver,
        run: &Run,
    ) -> Result<bool, Stop> {
        self.may_take(self.steps.len(), store, solver, run)
    }

    fn may_take(
        &self,
        num_steps: usize,
        store: &Store,
        solver: &mut dyn CoreSolver,
        run: &Run,
    ) -> Result<bool, Stop> {
        run.checkpoint()?;
        let conjuncts = self.steps[..num_steps].iter().flat_map(|step| step.conjuncts.iter().copied());
        let assumptions: Vec<ExprId> = self.start.iter().copied().chain(conjuncts).collect();
        Ok(!matches!(solver.check(store, &assumptions)?, Answer::Unsat))
    }

    /// The core of the shortest contradictory end of `all`, by bisection. `core` is one of `all`.
    fn last_core(
        &self,
        store: &Store,
        all: &[Conjunct],
        mut core: Vec<Conjunct>,
        solver: &mut dyn CoreSolver,
        run: &Run,
    ) -> Result<Vec<Conjunct>, Stop> {
        // Conjuncts before the last possible start of the core are never needed.
        let (mut start, mut end) = (0, all.len());
        while start < end {
            run.checkpoint()?;
            let middle = (start + end).div_ceil(2);
            match self.ask(store, &all[middle..], solver, |_| Ok(()))? {
                Asked::Unsat(smaller) => {
                    start = smaller.first().map_or(end, |first| position(all, *first)).max(middle);
                    core = smaller;
                }
                _ => end = middle - 1,
            }
        }
        Ok(core)
    }

    /// Drops conjuncts that are not needed, from the start.
    fn smaller_core(
        &self,
        store: &Store,
        mut core: Vec<Conjunct>,
        solver: &mut dyn CoreSolver,
        run: &Run,
    ) -> Result<Vec<Conjunct>, Stop> {
        let mut number = 0;
        while number < core.len() {
            run.checkpoint()?;
            let mut fewer = core.clone();
            let left_out = fewer.remove(number);
            match self.ask(store, &fewer, solver, |_| Ok(()))? {
                Asked::Unsat(smaller) => {
                    number = smaller.iter().filter(|conjunct| **conjunct < left_out).count();
                    core = smaller;
                }
                _ => number += 1,
            }
        }
        Ok(core)
    }

    /// Whether the start, the given conjuncts and the violation of the end have a model.
    fn ask<T>(
        &self,
        store: &Store,
        conjuncts: &[Conjunct],
        solver: &mut dyn CoreSolver,
        mut read: impl FnMut(&Valuation<'_>) -> Result<T, SolverError>,
    ) -> Result<Asked<T>, Stop> {
        let mut by_term: BTreeMap<ExprId, Option<Conjunct>> = BTreeMap::new();
        for term in self.start.iter().copied().chain(store.conjuncts(self.not_end)) {
            if term == store.fals() {
                return Ok(Asked::Unsat(Vec::new()));
            }
            by_term.insert(term, None);
        }
        for conjunct in conjuncts {
            let term = self.steps[conjunct.step].conjuncts[conjunct.number];
            if term == store.fals() {
                return Ok(Asked::Unsat(vec![*conjunct]));
            }
            by_term.entry(term).or_insert(Some(*conjunct));
        }
        by_term.remove(&store.tru());
        let assumptions: Vec<ExprId> = by_term.keys().copied().collect();
        Ok(match solver.check_core(store, &assumptions)? {
            CoreAnswer::Unsat(core) => {
                let mut core: Vec<Conjunct> = core.iter().filter_map(|term| by_term[term]).collect();
                core.sort();
                Asked::Unsat(core)
            }
            CoreAnswer::Sat(valuation) => Asked::Sat(read(&valuation)?),
            CoreAnswer::Unknown(reason) => Asked::Unknown(reason.to_string()),
        })
    }

    fn conjuncts(&self) -> impl Iterator<Item = Conjunct> {
        self.steps
            .iter()
            .enumerate()
            .flat_map(|(step, part)| (0..part.conjuncts.len()).map(move |number| Conjunct { step, number }))
    }
}

fn position(all: &[Conjunct], conjunct: Conjunct) -> usize {
    all.binary_search(&conjunct).unwrap_or_else(|position| position)
}
