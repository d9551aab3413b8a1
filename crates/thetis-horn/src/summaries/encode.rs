//! Automata with procedures as Horn clauses.
//!
//! Every location has a relation, and every procedure two: the states in which it is called, which will be its precondition,
//! and its *summary*, the pairs of states at its entry and at its exit, which will be its postcondition. A state at a location is a state
//! of the activation there, together with the values that shared variables had when it was entered. Then
//!
//! * an edge takes the states of its source to its target, as without procedures;
//! * a state at a call is a state in which the callee is called;
//! * a state at a call, together with a pair of states of the summary that begins with it, gives a state at the target of
//!   the call: this clause has two premises;
//! * a state in which a procedure is called is a state at its entry, with the values that it has as those at the entry;
//! * a state at the exit of a procedure is a pair of states of its summary.
//!
//! So a solution consists of the formulas of a [proof by contracts](thetis_model::cfa::ContractProof). Bjørner, Gurfinkel,
//! McMillan and Rybalchenko, *Horn Clause Solvers for Program Verification* (2015), describe such encodings. Ours differs in
//! the variables of a summary: it contains only those values at the entry that the procedure may read. The clauses
//! themselves determine which these are, once they are written down without values at the entry.
//!
//! Preconditions may also be [guessed](super::ranges). Then there are no relations for them: a procedure starts in any state
//! that satisfies the guess, and no call may be outside of it. Guesses about exits are used and shown in the same way.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashSet;
use thetis_base::IndexVec;
use thetis_expr::{ExprId, Substitution, VarId};
use thetis_model::Task;
use thetis_model::cfa::{
    Cfa, CfaInvariants, Contract, ContractProof, ContractsError, Graph, Inventor, LocId, Procedural,
    ProcedureCall, ProcedureId, Snapshots,
};
use thetis_solver::{HornClause, HornSystem, Neighbour, Step};

use super::ranges::Guess;
use crate::encode::Effect;
use crate::merge::Merged;

/// What is guessed about each procedure.
pub(super) type Guesses = IndexVec<ProcedureId, Guess>;

/// Clauses about an automaton with procedures.
pub(super) struct Encoding {
    /// The clauses, with fewer relations than there are locations.
    pub(super) merged: Merged,
    relations: Relations,
    /// The shared variables whose values at the entry of each procedure matter.
    pub(super) read: IndexVec<ProcedureId, BTreeSet<VarId>>,
    /// The locations that no activation can be at, as far as the graph says.
    pub(super) unreachable: Vec<LocId>,
    guesses: Option<Guesses>,
}

/// The relations of locations; those of procedures follow.
struct Relations {
    locations: Vec<LocId>,
    numbers: BTreeMap<LocId, usize>,
    num_procedures: usize,
}

impl Relations {
    fn summary(&self, procedure: ProcedureId) -> usize {
        self.locations.len() + procedure.index()
    }

    /// The relation of a precondition that is not guessed.
    fn precondition(&self, procedure: ProcedureId) -> usize {
        self.locations.len() + self.num_procedures + procedure.index()
    }
}

impl Encoding {
    /// The clauses about `procedural`, whose edges are those of `task`, perhaps with guesses.
    pub(super) fn new(
        task: &Task<Cfa>,
        procedural: &Procedural,
        guesses: Option<Guesses>,
    ) -> Result<Encoding, ContractsError> {
        let graph = Graph::new(&procedural.cfa);
        let reachable = reachable(procedural);
        let relations = relations(procedural, &graph, &reachable);
        let no_values = procedural.procedures.iter().map(|_| BTreeSet::new()).collect();
        let mut encoder = Encoder {
            task,
            procedural,
            relations: &relations,
            graph: &graph,
            modified: procedural.modified(),
            snapshots: procedural.snapshots(&task.store)?,
            read: no_values,
            guesses: None,
            inventor: Inventor::default(),
        };
        let needed = encoder.system().needed_vars(&task.store);
        let read = |id| needed[relations.precondition(id)].iter().copied().collect();
        encoder.read = procedural.procedures.indices().map(read).collect();
        encoder.guesses = guesses;
        let system = encoder.system();
        let protected = (relations.locations.len()..system.num_relations).collect();
        let merged = Merged::new(&task.store, system, &protected);
        let is_unreachable = |location: &LocId| !reachable.contains(location);
        let unreachable = procedural.cfa.locations.indices().filter(is_unreachable).collect();
        let (read, guesses) = (encoder.read, encoder.guesses);
        Ok(Encoding { merged, relations, read, unreachable, guesses })
    }

    /// The proof that a solution of the merged clauses gives; its terms are in the store of `task`.
    pub(super) fn proof(&self, task: &Task<Cfa>, solution: &[ExprId]) -> ContractProof {
        let formulas: BTreeMap<usize, ExprId> =
            self.merged.kept.iter().copied().zip(solution.iter().copied()).collect();
        let store = &task.store;
        let contract = |procedure: ProcedureId| {
            let summary = formulas[&self.relations.summary(procedure)];
            match &self.guesses {
                None => Contract {
                    precondition: formulas[&self.relations.precondition(procedure)],
                    postcondition: summary,
                },
                Some(guesses) => Contract {
                    precondition: store.and_all(guesses[procedure].at_entry.iter().copied()),
                    postcondition: store.and_all(guesses[procedure].at_exit.iter().copied().chain([summary])),
                },
            }
        };
        let contracts = (0..self.relations.num_procedures).map(|number| contract(ProcedureId::new(number)));
        let mut invariants = CfaInvariants::default();
        for (number, location) in self.relations.locations.iter().enumerate() {
            match formulas.get(&number) {
                Some(formula) => drop(invariants.formulas.insert(*location, *formula)),
                None => drop(invariants.derived.insert(*location)),
            }
        }
        invariants.formulas.extend(self.unreachable.iter().map(|location| (*location, task.store.fals())));
        ContractProof { contracts: contracts.collect(), invariants }
    }
}

/// The locations that an activation can be at, as far as the graph says.
fn reachable(procedural: &Procedural) -> BTreeSet<LocId> {
    let entries = procedural.procedures.iter().map(|procedure| procedure.entry);
    let starts = entries.chain([procedural.cfa.initial]);
    starts.flat_map(|start| procedural.locations_from(start)).collect()
}

/// Relations for the locations from which something can go wrong, or a procedure can be called or left.
fn relations(procedural: &Procedural, graph: &Graph, reachable: &BTreeSet<LocId>) -> Relations {
    let cfa = &procedural.cfa;
    let mut goals = cfa.forbidden();
    goals.extend(procedural.procedures.iter().map(|procedure| procedure.exit));
    let leads_on = graph.reaching(cfa, &goals);
    let is_inner = |location: &LocId| {
        let is_call = procedural.calls.contains_key(location);
        leads_on[*location] && (is_call || !cfa.is_forbidden(*location))
    };
    let locations: Vec<LocId> = reachable.iter().copied().filter(is_inner).collect();
    let numbers = locations.iter().enumerate().map(|(number, location)| (*location, number)).collect();
    Relations { locations, numbers, num_procedures: procedural.procedures.len() }
}

struct Encoder<'a> {
    task: &'a Task<Cfa>,
    procedural: &'a Procedural,
    relations: &'a Relations,
    graph: &'a Graph,
    modified: IndexVec<ProcedureId, BTreeSet<VarId>>,
    snapshots: Snapshots,
    /// The shared variables whose values at the entry matter.
    read: IndexVec<ProcedureId, BTreeSet<VarId>>,
    guesses: Option<Guesses>,
    inventor: Inventor,
}

impl Encoder<'_> {
    fn system(&mut self) -> HornSystem {
        let mut clauses = Vec::new();
        clauses.extend(self.clause(None, Step::default(), self.procedural.cfa.initial));
        for (location, relation) in &self.relations.numbers {
            self.edges(*location, *relation, &mut clauses);
            if let Some(call) = self.procedural.calls.get(location) {
                clauses.push(self.call(*relation, call.callee));
                clauses.extend(self.back_from(*relation, *call));
            }
        }
        for (id, procedure) in self.procedural.procedures.iter_enumerated() {
            let enter = self.enter(id);
            let is_known = self.guesses.is_some();
            let body = (!is_known).then(|| self.relations.precondition(id));
            clauses.extend(self.clause(body, enter, procedure.entry));
            if let Some(exit) = self.relations.numbers.get(&procedure.exit) {
                clauses.push(linear(Some(*exit), Step::default(), Some(self.relations.summary(id))));
                clauses.extend(self.guesses.as_ref().map(|guesses| {
                    let breach = self.breach(&guesses[id].at_exit);
                    linear(Some(*exit), breach, None)
                }));
            }
        }
        let num_procedures = self.relations.num_procedures;
        let num_kinds = if self.guesses.is_some() { 1 } else { 2 };
        HornSystem { num_relations: self.relations.locations.len() + num_kinds * num_procedures, clauses }
    }

    /// What is said about the states at a call: they satisfy the precondition.
    fn call(&self, relation: usize, callee: ProcedureId) -> HornClause {
        match &self.guesses {
            None => linear(Some(relation), Step::default(), Some(self.relations.precondition(callee))),
            Some(guesses) => linear(Some(relation), self.breach(&guesses[callee].at_entry), None),
        }
    }

    /// A step that can be taken if not all of `guessed` holds.
    fn breach(&self, guessed: &[ExprId]) -> Step {
        let store = &self.task.store;
        let conjuncts = vec![store.not(store.and_all(guessed.iter().copied()))];
        Step { conjuncts, ..Step::default() }
    }

    fn edges(&mut self, location: LocId, relation: usize, clauses: &mut Vec<HornClause>) {
        let vars: FxHashSet<VarId> = self.task.model.vars.iter().copied().collect();
        for edge in self.graph.outgoing(location) {
            let store = &self.task.store;
            let Effect { condition, next } = Effect::of(self.task, *edge, &mut self.inventor);
            let mut inputs = store.vars_of(next.iter().map(|(_, term)| *term).chain([condition]));
            inputs.retain(|var| !vars.contains(var));
            let step = Step { conjuncts: store.conjuncts(condition), next, inputs };
            clauses.extend(self.clause(Some(relation), step, self.task.model.edges[*edge].target));
        }
    }

    /// A step to a location, if that matters.
    fn clause(&self, body: Option<usize>, step: Step, target: LocId) -> Option<HornClause> {
        match self.relations.numbers.get(&target) {
            Some(head) => Some(linear(body, step, Some(*head))),
            None if self.procedural.cfa.is_forbidden(target) => Some(linear(body, step, None)),
            None => None,
        }
    }

    /// From a call to its target, by the summary of the callee.
    fn back_from(&mut self, relation: usize, call: ProcedureCall) -> Option<HornClause> {
        let store = &self.task.store;
        let callee = call.callee;
        let (mut values, mut next) = (Vec::new(), Vec::new());
        for var in &self.modified[callee] {
            let value = self.inventor.version_var(store, *var);
            values.push((*var, value));
            next.push((*var, store.var_expr(value)));
        }
        let place = self.read[callee].iter().map(|var| (self.at_entry(callee, *var), store.var_expr(*var)));
        let place = place.collect();
        let inputs = values.iter().map(|(_, value)| *value).collect();
        let mut after = Substitution::new();
        next.iter().for_each(|(var, value)| after.insert(store, *var, *value));
        let guessed = self.guesses.iter().flat_map(|guesses| &guesses[callee].at_exit);
        let conjuncts = guessed.map(|fact| after.apply(store, *fact)).collect();
        let step = Step { conjuncts, next, inputs };
        let summary = Neighbour { relation: Some(self.relations.summary(callee)), place, values };
        let clause = self.clause(Some(relation), step, call.target)?;
        Some(HornClause { neighbours: vec![summary], ..clause })
    }

    /// The variable that has the value at the entry: one that is never changed has it itself.
    fn at_entry(&self, procedure: ProcedureId, var: VarId) -> VarId {
        match self.modified[procedure].contains(&var) {
            true => self.snapshots.entry[&var],
            false => var,
        }
    }

    /// The start of an activation: its local variables are arbitrary.
    fn enter(&mut self, procedure: ProcedureId) -> Step {
        let store = &self.task.store;
        let is_copied = |var: &&VarId| self.modified[procedure].contains(var);
        let copied = self.read[procedure].iter().filter(is_copied);
        let mut next: Vec<(VarId, ExprId)> =
            copied.map(|var| (self.snapshots.entry[var], store.var_expr(*var))).collect();
        let mut inputs = Vec::new();
        for local in &self.procedural.locals {
            let value = self.inventor.version_var(store, *local);
            inputs.push(value);
            next.push((*local, store.var_expr(value)));
        }
        let guessed = self.guesses.iter().flat_map(|guesses| guesses[procedure].at_entry.iter().copied());
        Step { conjuncts: guessed.collect(), next, inputs }
    }
}

fn linear(body: Option<usize>, step: Step, head: Option<usize>) -> HornClause {
    HornClause { body, neighbours: Vec::new(), step: Rc::new(step), head }
}
