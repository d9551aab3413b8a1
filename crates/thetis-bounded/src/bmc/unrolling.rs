//! The unrolling of an automaton along its back edges, as formulas and as a graph of copies.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, CfaProof, CfaTrace, CfaUnwinding, EdgeId, Graph, LocId};
use thetis_solver::{SolverError, Valuation};

use super::copies::{Copies, Copy, CopyId, Entry};

/// Where the runs of an unrolling start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    /// At the initial location.
    Initially,
    /// At the targets of back edges, with any values. The first round starts there. A path from one such location to
    /// another within the round need not be followed, because the run could just as well start at the second location.
    AfterBackEdges,
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
    copies: Copies<'t>,
    /// The copies of the last round.
    current: IndexVec<LocId, Option<CopyId>>,
    /// The entries by back edges into the copies of the next round.
    back_entries: IndexVec<LocId, Vec<Entry>>,
}

impl<'t> Unrolling<'t> {
    /// Nothing yet; `graph` should be the graph towards errors.
    pub(crate) fn new(task: &'t Task<Cfa>, graph: Graph, start: Start) -> Unrolling<'t> {
        let initial = task.model.initial;
        let after_back_edges = || graph.back_edges().map(|edge| task.model.edges[edge].target);
        let starts = match start {
            Start::Initially => BTreeSet::from([initial]),
            Start::AfterBackEdges => after_back_edges().collect(),
            Start::EveryRound => after_back_edges().chain([initial]).collect(),
        };
        Unrolling {
            task,
            graph,
            starts,
            start_copies: BTreeMap::new(),
            lemmas: BTreeMap::new(),
            copies: Copies::new(task),
            current: task.model.locations.iter().map(|_| None).collect(),
            back_entries: task.model.locations.iter().map(|_| Vec::new()).collect(),
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
                Some(self.copies.start(starts.len()))
            } else {
                self.enter(location)
            };
            if let Some(copy) = copy {
                if let Some(lemma) = self.lemmas.get(&location) {
                    self.copies.assume(copy, *lemma);
                }
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
        Ok(self.copies.take_constraints())
    }

    /// That control is at an error location in the last round.
    pub(crate) fn at_error(&self) -> ExprId {
        let at = |location: &LocId| self.current[*location].map(|copy| self.copies.get(copy).at);
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
            let Copy { at, state, .. } = self.copies.get(*copy);
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

    fn enter(&mut self, location: LocId) -> Option<CopyId> {
        let mut entries = std::mem::take(&mut self.back_entries[location]);
        for edge in self.graph.incoming(location).to_vec() {
            if !self.graph.is_back(edge) {
                entries.extend(self.follow(edge));
            }
        }
        self.copies.enter(entries)
    }

    /// The entry by `edge` from the last round, unless it is surely blocked.
    fn follow(&mut self, edge: EdgeId) -> Option<Entry> {
        let source = self.current[self.task.model.edges[edge].source]?;
        self.copies.follow(source, edge)
    }

    /// Where the run starts that `valuation` describes, to an error location of the last round.
    pub(crate) fn start_of(&self, valuation: &Valuation<'_>) -> Result<Option<LocId>, SolverError> {
        let edges = self.edges_to_error(valuation)?;
        Ok(edges.first().map(|edge| self.task.model.edges[*edge].source))
    }

    /// The run that `valuation` describes, to an error location of the last round.
    pub(crate) fn trace(&self, valuation: &Valuation<'_>) -> Result<CfaTrace, SolverError> {
        self.copies.trace(self.error_reached(valuation)?, valuation)
    }

    /// The edges of the run that `valuation` describes, to an error location of the last round.
    pub(crate) fn edges_to_error(&self, valuation: &Valuation<'_>) -> Result<Vec<EdgeId>, SolverError> {
        self.copies.edges_to(self.error_reached(valuation)?, valuation)
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
        let mut edges = self.copies.edges_to(last.source, valuation)?;
        edges.push(last.edge);
        Ok(edges)
    }

    /// The copy of an error location in the last round where `valuation` has control.
    fn error_reached(&self, valuation: &Valuation<'_>) -> Result<CopyId, SolverError> {
        let errors = self.task.model.errors.iter().filter_map(|location| self.current[*location]);
        self.copies.reached(errors, valuation)
    }
}
