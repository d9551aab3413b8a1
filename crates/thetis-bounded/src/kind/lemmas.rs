//! The greatest inductive subset of candidate formulas (Houdini: Flanagan and Leino 2001).
//!
//! Each location has candidates: formulas that may hold there. While some edge leads from a state that satisfies the candidates of
//! its source to one that violates candidates of its target, the violated ones are dropped; the solver's model of such an edge shows
//! which. The remaining candidates hold initially and are preserved by every edge. They include every subset of the candidates with
//! this property, so the result does not depend on the order in which edges are processed.
//!
//! A candidate that the solver cannot decide is dropped too, so that one hard formula does not spoil the others. Error
//! locations have no candidates; runs need not be followed beyond them.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Graph, Inventor, LocId, SymbolicState};
use thetis_solver::{Answer, CoreSolver, QueryLimit, SolverError, SolverFactory};

/// How much work one question is worth, in steps of the solver: about a second.
pub(super) const QUERY_STEPS: u64 = 3_000_000;

/// Candidates, on their way to lemmas.
pub(super) struct Lemmas<'t> {
    task: &'t Task<Cfa>,
    graph: Graph,
    solver: Box<dyn CoreSolver>,
    candidates: BTreeMap<LocId, Vec<ExprId>>,
    /// The edges still to be checked, by their sources in topological order.
    pending: BTreeSet<(usize, EdgeId)>,
    positions: IndexVec<LocId, usize>,
    num_queries: u64,
}

/// What a solver says about some formulas.
enum LemmaCheck {
    /// They all hold.
    Holds,
    /// These do not.
    Violated(Vec<usize>),
    /// It cannot decide.
    Undecided,
}

impl<'t> Lemmas<'t> {
    /// All of `candidates`, formulas over the variables of the model; nothing is known about them yet.
    pub(super) fn new(
        task: &'t Task<Cfa>,
        mut candidates: BTreeMap<LocId, Vec<ExprId>>,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<Lemmas<'t>, Stop> {
        let cfa = &task.model;
        candidates.retain(|location, formulas| !cfa.is_error(*location) && !formulas.is_empty());
        let graph = Graph::new(cfa);
        let mut positions: IndexVec<LocId, usize> = cfa.locations.iter().map(|_| usize::MAX).collect();
        for (position, location) in graph.topological_order().iter().enumerate() {
            positions[*location] = position;
        }
        let mut solver = solvers.start(run)?;
        solver.set_limit(QueryLimit { time: None, resources: Some(QUERY_STEPS) });
        let mut lemmas =
            Lemmas { task, graph, solver, candidates, pending: BTreeSet::new(), positions, num_queries: 0 };
        cfa.locations.indices().for_each(|location| lemmas.look_behind(location));
        Ok(lemmas)
    }

    pub(super) fn num_queries(&self) -> u64 {
        self.num_queries
    }

    /// Drops what does not hold, until all that is left does.
    pub(super) fn weaken(&mut self, run: &Run) -> Result<(), Stop> {
        let nothing = SymbolicState::new(&self.task.model.vars, |var| self.task.store.var_expr(var));
        self.weaken_at(self.task.model.initial, &[], &nothing, run)?;
        while let Some((_, edge)) = self.pending.pop_first() {
            run.checkpoint()?;
            self.weaken_behind(edge, run)?;
        }
        Ok(())
    }

    /// The lemma of each location that has one.
    pub(super) fn formulas(&self) -> BTreeMap<LocId, ExprId> {
        let store = &self.task.store;
        let lemma = |(at, kept): (&LocId, &Vec<ExprId>)| (*at, store.and_all(kept.iter().copied()));
        self.candidates.iter().map(lemma).filter(|(_, lemma)| *lemma != store.tru()).collect()
    }

    /// Schedules the edges that leave `location` for checking.
    fn look_behind(&mut self, location: LocId) {
        if self.task.model.is_error(location) {
            return;
        }
        let position = self.positions[location];
        self.pending.extend(self.graph.outgoing(location).iter().map(|edge| (position, *edge)));
    }

    fn weaken_behind(&mut self, id: EdgeId, run: &Run) -> Result<(), Stop> {
        let store = &self.task.store;
        let edge = &self.task.model.edges[id];
        if !self.candidates.contains_key(&edge.target) {
            return Ok(());
        }
        let mut state = SymbolicState::new(&self.task.model.vars, |var| store.var_expr(var));
        let executed = state.execute(store, &edge.stmt, &mut Inventor::default());
        if executed.condition == store.fals() {
            return Ok(());
        }
        let mut premises = self.candidates.get(&edge.source).cloned().unwrap_or_default();
        premises.push(executed.condition);
        self.weaken_at(edge.target, &premises, &state, run)
    }

    /// Drops the candidates of `location` that `premises` do not imply in `state`.
    fn weaken_at(
        &mut self,
        location: LocId,
        premises: &[ExprId],
        state: &SymbolicState,
        run: &Run,
    ) -> Result<(), Stop> {
        let Some(candidates) = self.candidates.remove(&location) else { return Ok(()) };
        let num_candidates = candidates.len();
        let store = &self.task.store;
        let mut kept: Vec<(ExprId, ExprId)> =
            candidates.into_iter().map(|formula| (formula, state.substitute(store, formula))).collect();
        loop {
            let open: Vec<ExprId> = kept.iter().map(|(_, claim)| *claim).collect();
            match self.ask(premises, &open)? {
                LemmaCheck::Holds => break,
                LemmaCheck::Violated(violated) => remove_all(&mut kept, &violated),
                LemmaCheck::Undecided => {
                    run.checkpoint()?;
                    self.keep_one_by_one(premises, &mut kept, run)?;
                    break;
                }
            }
        }
        let has_changed = kept.len() < num_candidates;
        self.candidates.insert(location, kept.into_iter().map(|(formula, _)| formula).collect());
        if has_changed {
            self.look_behind(location);
        }
        Ok(())
    }

    /// Keeps what surely follows from `premises`.
    fn keep_one_by_one(
        &mut self,
        premises: &[ExprId],
        kept: &mut Vec<(ExprId, ExprId)>,
        run: &Run,
    ) -> Result<(), Stop> {
        for (formula, claim) in std::mem::take(kept) {
            if matches!(self.ask(premises, &[claim])?, LemmaCheck::Holds) {
                kept.push((formula, claim));
            }
            run.checkpoint()?;
        }
        Ok(())
    }

    /// Whether `premises` imply all of `claims`.
    fn ask(&mut self, premises: &[ExprId], claims: &[ExprId]) -> Result<LemmaCheck, SolverError> {
        let store = &self.task.store;
        let known: FxHashSet<ExprId> = premises.iter().copied().collect();
        let open = claims.iter().copied().filter(|claim| !known.contains(claim));
        let violation = store.not(store.and_all(open));
        if violation == store.fals() {
            return Ok(LemmaCheck::Holds);
        }
        self.num_queries += 1;
        let question = store.and(store.and_all(premises.iter().copied()), violation);
        Ok(match self.solver.check(store, &[question])? {
            Answer::Unsat => LemmaCheck::Holds,
            Answer::Unknown(_) => LemmaCheck::Undecided,
            Answer::Sat(valuation) => {
                let mut violated = Vec::new();
                for (number, claim) in claims.iter().enumerate() {
                    if valuation.evaluate(store, *claim)? == Value::Bool(false) {
                        violated.push(number);
                    }
                }
                LemmaCheck::Violated(violated)
            }
        })
    }
}

/// Removes the elements with the given numbers, which are ascending.
fn remove_all<T>(elements: &mut Vec<T>, numbers: &[usize]) {
    let mut number = 0;
    elements.retain(|_| {
        number += 1;
        numbers.binary_search(&(number - 1)).is_err()
    });
}
