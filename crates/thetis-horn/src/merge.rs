//! Fewer relations: clauses that follow each other become one.
//!
//! A relation that is the conclusion of few clauses and the premise of few others can be left out: each pair of a clause that
//! leads to it and one that starts from it becomes one clause, with one step after the other (resolution). A solution of the
//! remaining clauses determines the relations that were left out, because the clauses that start from such a relation say
//! what it has to imply, and there is no cycle among these relations. Spacer does the same internally, but does not report
//! the relations that it has left out in a usable form.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Replacer, Store, VarId};
use thetis_solver::{HornClause, HornSystem, Neighbour, Step};

/// A relation is left out only if that adds at most this many more clauses than it removes.
const MAX_GROWTH: usize = 2;

/// Clauses whose steps have more conjuncts and assignments than this are not made longer.
const MAX_STEP: usize = 200;

/// A system with fewer relations.
pub(crate) struct Merged {
    /// The system.
    pub(crate) system: HornSystem,
    /// What its relations are in the original system.
    pub(crate) kept: Vec<usize>,
}

impl Merged {
    /// `system` without relations that can be left out; those of `protected` stay. No two steps may share an input, and
    /// states of other relations must be given in full, as places and values.
    pub(crate) fn new(store: &Store, system: HornSystem, protected: &BTreeSet<usize>) -> Merged {
        let num_relations = system.num_relations;
        let mut merging = Merging { store, clauses: system.clauses };
        let is_candidate = |relation: &usize| !protected.contains(relation);
        let mut kept: Vec<usize> = (0..num_relations).collect();
        loop {
            let next = kept.iter().copied().filter(is_candidate).find(|at| merging.leave_out(*at));
            let Some(gone) = next else { break };
            kept.retain(|relation| *relation != gone);
        }
        let numbers: FxHashMap<usize, usize> =
            kept.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        let clauses = merging.clauses.into_iter().map(|clause| renumbered(clause, &numbers)).collect();
        Merged { system: HornSystem { num_relations: kept.len(), clauses }, kept }
    }
}

fn renumbered(clause: HornClause, numbers: &FxHashMap<usize, usize>) -> HornClause {
    let new = |relation: usize| numbers[&relation];
    let neighbours = clause.neighbours.into_iter();
    let neighbours =
        neighbours.map(|neighbour| Neighbour { relation: neighbour.relation.map(new), ..neighbour });
    HornClause {
        body: clause.body.map(new),
        neighbours: neighbours.collect(),
        step: clause.step,
        head: clause.head.map(new),
    }
}

struct Merging<'s> {
    store: &'s Store,
    clauses: Vec<HornClause>,
}

impl Merging<'_> {
    /// Leaves out a relation if that is worth while.
    fn leave_out(&mut self, relation: usize) -> bool {
        let leads_to = |clause: &&HornClause| clause.head == Some(relation);
        let starts_from = |clause: &&HornClause| clause.body == Some(relation);
        let incoming: Vec<&HornClause> = self.clauses.iter().filter(leads_to).collect();
        let outgoing: Vec<&HornClause> = self.clauses.iter().filter(starts_from).collect();
        let is_elsewhere = |clause: &HornClause| {
            clause.neighbours.iter().any(|neighbour| neighbour.relation == Some(relation))
                || (clause.body == Some(relation)
                    && clause.neighbours.iter().any(|neighbour| neighbour.relation.is_none()))
        };
        let is_cyclic = incoming.iter().any(starts_from);
        let is_long = |clause: &&HornClause| clause.step.conjuncts.len() + clause.step.next.len() > MAX_STEP;
        let is_large = incoming.len() * outgoing.len() > incoming.len() + outgoing.len() + MAX_GROWTH
            || (incoming.iter().any(is_long) && outgoing.len() > 1);
        // Without its clauses, a cycle through the relation would no longer be detected.
        let is_dead = incoming.is_empty() || outgoing.is_empty();
        if is_dead || is_cyclic || is_large || self.clauses.iter().any(is_elsewhere) {
            return false;
        }
        let pairs = incoming.iter().flat_map(|first| outgoing.iter().map(move |second| (first, second)));
        let merged = pairs.map(|(first, second)| self.one_after_the_other(first, second));
        let merged: Vec<HornClause> = merged.collect();
        self.clauses.retain(|clause| !leads_to(&clause) && !starts_from(&clause));
        self.clauses.extend(merged);
        true
    }

    fn one_after_the_other(&self, first: &HornClause, second: &HornClause) -> HornClause {
        let store = self.store;
        let next: FxHashMap<VarId, ExprId> = first.step.next.iter().copied().collect();
        let mut replacer = Replacer::new(|_: &Store, var| next.get(&var).copied());
        let mut after = |term: ExprId| replacer.apply(store, term);
        let mut conjuncts = first.step.conjuncts.clone();
        for conjunct in &second.step.conjuncts {
            conjuncts.extend(store.conjuncts(after(*conjunct)));
        }
        let mut changes: Vec<(VarId, ExprId)> =
            second.step.next.iter().map(|(var, term)| (*var, after(*term))).collect();
        let is_kept = |(var, _): &&(VarId, ExprId)| second.step.next.iter().all(|(other, _)| other != var);
        changes.extend(first.step.next.iter().filter(is_kept));
        let mut inputs = first.step.inputs.clone();
        inputs.extend(&second.step.inputs);
        let mut neighbours = first.neighbours.clone();
        neighbours.extend(second.neighbours.iter().map(|neighbour| Neighbour {
            relation: neighbour.relation,
            place: neighbour.place.iter().map(|(var, term)| (*var, after(*term))).collect(),
            values: neighbour.values.clone(),
        }));
        let step = Rc::new(Step { conjuncts, next: changes, inputs });
        HornClause { body: first.body, neighbours, step, head: second.head }
    }
}
