//! The unrolling of an automaton along its back edges, as formulas and as a graph of copies.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Run, Stop, define_index_type};
use thetis_expr::{ExprId, Store, Value};
use thetis_model::Task;
use thetis_model::cfa::{
    Cfa, CfaInvariants, CfaProof, CfaStep, CfaTrace, CfaUnwinding, EdgeId, Executed, Graph, Inventor, LocId,
    SymbolicState,
};
use thetis_solver::{SolverError, Valuation};

define_index_type! {
    /// A copy of a location.
    pub(crate) struct CopyId = u32;
}

/// One location in one round.
struct Copy {
    /// Implies that control is here.
    at: ExprId,
    state: SymbolicState,
    /// The edges by which it was entered; empty for the start.
    entries: Vec<Entry>,
}

/// One edge into a copy.
struct Entry {
    source: CopyId,
    edge: EdgeId,
    executed: Executed,
    /// Implies that the edge was taken.
    taken: ExprId,
    /// The state after the edge.
    state: SymbolicState,
}

/// Where the runs of an unrolling start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// At the initial location.
    Initially,
    /// Wherever a back edge leads to, with any values. The first round counts from there; that a run may come from one
    /// such location to another within it need not be followed, because the run could as well start at the latter.
    BehindBackEdges,
    /// Wherever a round can start: at the initial location and after back edges, with any values.
    EveryRound,
}

/// The copies made so far.
pub(crate) struct Unrolling<'t> {
    task: &'t Task<Cfa>,
    graph: Graph,
    /// The locations where runs start, until the first round is there.
    starts: BTreeSet<LocId>,
    /// The copies where runs start.
    start_copies: BTreeMap<LocId, CopyId>,
    /// What may be assumed at locations.
    lemmas: BTreeMap<LocId, ExprId>,
    inventor: Inventor,
    copies: IndexVec<CopyId, Copy>,
    /// The copies of the last round.
    current: IndexVec<LocId, Option<CopyId>>,
    /// The entries by back edges into the copies of the next round.
    back_entries: IndexVec<LocId, Vec<Entry>>,
    /// What holds of the copies of the last round.
    constraints: Vec<ExprId>,
}

impl<'t> Unrolling<'t> {
    /// Nothing yet; `graph` should be the graph towards errors.
    pub(crate) fn new(task: &'t Task<Cfa>, graph: Graph, start: Start) -> Unrolling<'t> {
        let initial = task.model.initial;
        let behind_back_edges = || graph.back_edges().map(|edge| task.model.edges[edge].target);
        let starts = match start {
            Start::Initially => BTreeSet::from([initial]),
            Start::BehindBackEdges => behind_back_edges().collect(),
            Start::EveryRound => behind_back_edges().chain([initial]).collect(),
        };
        Unrolling {
            task,
            graph,
            starts,
            start_copies: BTreeMap::new(),
            lemmas: BTreeMap::new(),
            inventor: Inventor::default(),
            copies: IndexVec::new(),
            current: task.model.locations.iter().map(|_| None).collect(),
            back_entries: task.model.locations.iter().map(|_| Vec::new()).collect(),
            constraints: Vec::new(),
        }
    }

    /// With formulas that hold at locations.
    pub(crate) fn with_lemmas(mut self, lemmas: BTreeMap<LocId, ExprId>) -> Unrolling<'t> {
        self.lemmas = lemmas;
        self
    }

    pub(crate) fn store(&self) -> &'t Store {
        &self.task.store
    }

    pub(crate) fn num_copies(&self) -> u64 {
        self.copies.len() as u64
    }

    /// Adds the copies for one more back edge (the first call: for none) and gives what has to be asserted of them.
    pub(crate) fn add_round(&mut self, run: &Run) -> Result<Vec<ExprId>, Stop> {
        self.current.iter_mut().for_each(|copy| *copy = None);
        let starts = std::mem::take(&mut self.starts);
        for location in self.graph.topological_order().to_vec() {
            run.checkpoint()?;
            let copy = if starts.contains(&location) {
                Some(self.start(starts.len()))
            } else {
                self.enter(location)
            };
            if let Some(copy) = copy {
                self.assume_lemma(location, &copy);
                let copy = self.copies.push(copy);
                self.current[location] = Some(copy);
                if starts.contains(&location) {
                    self.start_copies.insert(location, copy);
                }
            }
        }
        for edge in self.graph.back_edges().collect::<Vec<_>>() {
            let entry = self.follow(edge);
            self.back_entries[self.task.model.edges[edge].target].extend(entry);
        }
        Ok(std::mem::take(&mut self.constraints))
    }

    /// That control is at an error location in the last round.
    pub(crate) fn at_error(&self) -> ExprId {
        let at = |location: &LocId| self.current[*location].map(|copy| self.copies[copy].at);
        self.store().or_all(self.task.model.errors.iter().filter_map(at))
    }

    /// That a back edge out of the last round is taken.
    pub(crate) fn goes_on(&self) -> ExprId {
        self.store().or_all(self.back_entries.iter().flatten().map(|entry| entry.taken))
    }

    /// That a run starts at one of the locations of `formulas`, in a state that satisfies its formula.
    pub(crate) fn starts_in(&self, formulas: &BTreeMap<LocId, ExprId>) -> Vec<ExprId> {
        let store = self.store();
        let starts = self.start_copies.iter().map(|(location, copy)| {
            let Copy { at, state, .. } = &self.copies[*copy];
            let holds = formulas.get(location).map(|formula| state.substitute(store, *formula));
            store.implies(*at, holds.unwrap_or(store.fals()))
        });
        starts.collect()
    }

    /// For each back edge from the last round to `location`, that it is taken and `formula` holds after it.
    pub(crate) fn arrivals(&self, location: LocId, formula: ExprId) -> Vec<ExprId> {
        let store = self.store();
        let arrival = |entry: &Entry| store.and(entry.taken, entry.state.substitute(store, formula));
        self.back_entries[location].iter().map(arrival).collect()
    }

    /// The proof that no run goes on after round `bound` and none is at an error location.
    pub(crate) fn proof(&self, bound: u32) -> CfaProof {
        let lemmas = CfaInvariants { formulas: self.lemmas.clone(), ..CfaInvariants::default() };
        CfaProof::Unwinding(CfaUnwinding { lemmas, ..CfaUnwinding::new(&self.graph, bound) })
    }

    /// A copy with any values, one of this many where runs start.
    fn start(&mut self, num_starts: usize) -> Copy {
        let store = self.store();
        let inventor = &mut self.inventor;
        let state = SymbolicState::new(&self.task.model.vars, |var| inventor.version_of(store, var));
        let at = if num_starts == 1 { store.tru() } else { inventor.truth(store, "at") };
        Copy { at, state, entries: Vec::new() }
    }

    fn assume_lemma(&mut self, location: LocId, copy: &Copy) {
        if let Some(lemma) = self.lemmas.get(&location) {
            let store = self.store();
            self.constraints.push(store.implies(copy.at, copy.state.substitute(store, *lemma)));
        }
    }

    fn enter(&mut self, location: LocId) -> Option<Copy> {
        let mut entries = std::mem::take(&mut self.back_entries[location]);
        for edge in self.graph.incoming(location).to_vec() {
            if !self.graph.is_back(edge) {
                entries.extend(self.follow(edge));
            }
        }
        if entries.len() > 1 {
            return Some(self.meet(entries));
        }
        let mut entry = entries.pop()?;
        let at = self.name(entry.taken);
        entry.taken = at;
        Some(Copy { at, state: entry.state.clone(), entries: vec![entry] })
    }

    /// The entry by `edge` from the last round, unless it is surely blocked.
    fn follow(&mut self, edge: EdgeId) -> Option<Entry> {
        let store = self.store();
        let source = self.current[self.task.model.edges[edge].source]?;
        let mut state = self.copies[source].state.clone();
        let executed = state.execute(store, &self.task.model.edges[edge].stmt, &mut self.inventor);
        let taken = store.and(self.copies[source].at, executed.condition);
        (taken != store.fals()).then_some(Entry { source, edge, executed, taken, state })
    }

    /// Joins several entries: variables that differ get a new version.
    fn meet(&mut self, mut entries: Vec<Entry>) -> Copy {
        let store = self.store();
        for entry in &mut entries {
            let taken = self.inventor.truth(store, "taken");
            self.constraints.push(store.implies(taken, entry.taken));
            entry.taken = taken;
        }
        let mut state = entries[0].state.clone();
        for var in &self.task.model.vars {
            let first = state.get(*var);
            if entries.iter().all(|entry| entry.state.get(*var) == first) {
                continue;
            }
            let joined = self.inventor.version_of(store, *var);
            for entry in &entries {
                let equal = store.eq(joined, entry.state.get(*var));
                self.constraints.push(store.implies(entry.taken, equal));
            }
            state.set(*var, joined);
        }
        let any = store.or_all(entries.iter().map(|entry| entry.taken));
        let at = self.name(any);
        Copy { at, state, entries }
    }

    /// A truth value that implies `formula`; the formula itself if it is atomic.
    fn name(&mut self, formula: ExprId) -> ExprId {
        let store = self.store();
        if store.as_var(formula).is_some() || store.is_literal(formula) {
            return formula;
        }
        let name = self.inventor.truth(store, "at");
        self.constraints.push(store.implies(name, formula));
        name
    }

    /// The run that `valuation` describes, to an error location of the last round.
    pub(crate) fn trace(&self, valuation: &Valuation<'_>) -> Result<CfaTrace, SolverError> {
        let value = |term: ExprId| valuation.evaluate(self.store(), term);
        let (start, entries) = self.way_to(self.error_reached(valuation)?, valuation)?;
        let mut steps = Vec::new();
        for entry in entries {
            let (inputs, choices) = entry.executed.concrete(value)?;
            steps.push(CfaStep { edge: entry.edge, inputs, choices });
        }
        let start = &self.copies[start].state;
        let initial = self.task.model.vars.iter().map(|var| Ok((*var, value(start.get(*var))?)));
        Ok(CfaTrace::new(initial.collect::<Result<_, SolverError>>()?, steps))
    }

    /// The edges of the run that `valuation` describes, to an error location of the last round.
    pub(crate) fn edges_to_error(&self, valuation: &Valuation<'_>) -> Result<Vec<EdgeId>, SolverError> {
        let (_, entries) = self.way_to(self.error_reached(valuation)?, valuation)?;
        Ok(entries.iter().map(|entry| entry.edge).collect())
    }

    /// The edges of the run that `valuation` describes, to the arrival at `location` that has this number among
    /// [`Unrolling::arrivals`].
    pub(crate) fn edges_to_arrival(
        &self,
        location: LocId,
        number: usize,
        valuation: &Valuation<'_>,
    ) -> Result<Vec<EdgeId>, SolverError> {
        let last = &self.back_entries[location][number];
        let (_, entries) = self.way_to(last.source, valuation)?;
        Ok(entries.iter().map(|entry| entry.edge).chain([last.edge]).collect())
    }

    /// The copy of an error location in the last round where `valuation` has control.
    fn error_reached(&self, valuation: &Valuation<'_>) -> Result<CopyId, SolverError> {
        for copy in self.task.model.errors.iter().filter_map(|location| self.current[*location]) {
            if self.holds(self.copies[copy].at, valuation)? {
                return Ok(copy);
            }
        }
        panic!("a valuation should be at an error location")
    }

    /// Where the run that `valuation` describes starts, and by which entries it comes to `copy`.
    fn way_to(
        &self,
        mut copy: CopyId,
        valuation: &Valuation<'_>,
    ) -> Result<(CopyId, Vec<&Entry>), SolverError> {
        let mut entries = Vec::new();
        while !self.copies[copy].entries.is_empty() {
            let entry = self.entry_taken(copy, valuation)?;
            copy = entry.source;
            entries.push(entry);
        }
        entries.reverse();
        Ok((copy, entries))
    }

    fn entry_taken(&self, copy: CopyId, valuation: &Valuation<'_>) -> Result<&Entry, SolverError> {
        let entries = &self.copies[copy].entries;
        for entry in entries {
            if entries.len() == 1 || self.holds(entry.taken, valuation)? {
                return Ok(entry);
            }
        }
        panic!("control should have come by one of the edges")
    }

    fn holds(&self, formula: ExprId, valuation: &Valuation<'_>) -> Result<bool, SolverError> {
        Ok(valuation.evaluate(self.store(), formula)? == Value::Bool(true))
    }
}
