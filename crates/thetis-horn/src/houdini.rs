//! Solutions of clauses that are conjunctions of guessed formulas (Houdini: Flanagan and Leino 2001).
//!
//! Each relation has candidates. While some clause leads from states that satisfy the candidates of its premises to one that violates
//! candidates of its head, the violated ones are dropped; a model of the clause shows which. The remaining candidates are the strongest
//! solution that can be built from the candidates, if they satisfy the clauses without a head. Candidates are only ever dropped, so
//! once such a clause is violated, there is no solution.

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store, Substitution, Value};
use thetis_solver::{Answer, CoreSolver, HornClause, HornSystem, QueryLimit, SolverError, SolverFactory};

/// How much work one question is worth, in steps of the solver: about half a second.
const QUERY_STEPS: u64 = 1_500_000;

/// A solution of `system` whose formulas are conjunctions of `candidates`, which are given for each relation.
pub(crate) fn solve(
    store: &Store,
    system: &HornSystem,
    candidates: Vec<Vec<ExprId>>,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<Option<Vec<ExprId>>, Stop> {
    let mut solver = solvers.start(run)?;
    solver.set_limit(QueryLimit { time: None, resources: Some(QUERY_STEPS) });
    let mut search = HoudiniSearch { store, solver, candidates };
    let (rules, goals): (Vec<&HornClause>, Vec<&HornClause>) =
        system.clauses.iter().partition(|clause| clause.head.is_some());
    let mut is_stable = false;
    while !is_stable {
        for goal in &goals {
            run.checkpoint()?;
            if !search.excludes(goal)? {
                return Ok(None);
            }
        }
        is_stable = true;
        for rule in &rules {
            is_stable &= search.keeps(rule, run)?;
        }
    }
    Ok(Some(search.candidates.iter().map(|kept| store.and_all(kept.iter().copied())).collect()))
}

struct HoudiniSearch<'s> {
    store: &'s Store,
    solver: Box<dyn CoreSolver>,
    candidates: Vec<Vec<ExprId>>,
}

impl HoudiniSearch<'_> {
    /// Whether the premises of a clause without head contradict each other.
    fn excludes(&mut self, clause: &HornClause) -> Result<bool, SolverError> {
        let premise = self.premise(clause);
        Ok(matches!(self.solver.check(self.store, &[premise])?, Answer::Unsat))
    }

    /// Whether all candidates of the head follow; those that do not are dropped. So are those that the solver cannot decide.
    fn keeps(&mut self, clause: &HornClause, run: &Run) -> Result<bool, Stop> {
        let Some(head) = clause.head else { return Ok(true) };
        let premise = self.premise(clause);
        let mut after = Substitution::new();
        for (var, term) in &clause.step.next {
            after.insert(self.store, *var, *term);
        }
        let mut open: Vec<(ExprId, ExprId)> = self.candidates[head]
            .iter()
            .map(|candidate| (*candidate, after.apply(self.store, *candidate)))
            .collect();
        let num_before = open.len();
        while !open.is_empty() {
            run.checkpoint()?;
            let is_violated = self.store.not(self.store.and_all(open.iter().map(|(_, claim)| *claim)));
            match self.solver.check(self.store, &[premise, is_violated])? {
                Answer::Unsat => break,
                Answer::Unknown(_) => drop(open.pop()),
                Answer::Sat(valuation) => {
                    let mut kept = Vec::new();
                    for (candidate, claim) in &open {
                        if valuation.evaluate(self.store, *claim)? == Value::Bool(true) {
                            kept.push((*candidate, *claim));
                        }
                    }
                    open = kept;
                }
            }
        }
        let has_kept_all = open.len() == num_before;
        self.candidates[head] = open.into_iter().map(|(candidate, _)| candidate).collect();
        Ok(has_kept_all)
    }

    /// What holds before and on the step of a clause.
    fn premise(&self, clause: &HornClause) -> ExprId {
        let store = self.store;
        let of = |relation: usize| self.candidates[relation].iter().copied();
        let mut premises = clause.step.conjuncts.clone();
        premises.extend(clause.body.into_iter().flat_map(of));
        for neighbour in &clause.neighbours {
            let mut there = Substitution::new();
            for (var, term) in &neighbour.place {
                there.insert(store, *var, *term);
            }
            for (var, value) in &neighbour.values {
                there.insert(store, *var, store.var_expr(*value));
            }
            let relation = neighbour.relation.or(clause.body);
            premises.extend(relation.into_iter().flat_map(of).map(|formula| there.apply(store, formula)));
        }
        store.and_all(premises)
    }
}
