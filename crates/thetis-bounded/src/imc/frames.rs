//! The states that are reached, level by level, as formulas at loop heads.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{Event, Run, Statistics, Stop};
use thetis_expr::ExprId;
use thetis_expr::simplify::simplify;
use thetis_interpolate::{InterpolatorKind, Tools};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, CfaProof, CfaUnwinding, EdgeId, Graph, LocId, LongRuns};

use super::explain::{Explainer, Explanation};
use super::questions::{Runs, Way};
use crate::bmc::Start;

/// A formula for each location that is reached.
type Frame = BTreeMap<LocId, ExprId>;

/// How the search with one `k` ended.
pub(super) enum Attempt {
    /// Nothing new is reached, and no error location.
    Closed(CfaProof),
    /// Nothing is proved; why.
    Failed(String),
}

/// What is found at one place, or why nothing is.
type Found<T> = Result<T, String>;

/// The search for a set of states that contains all reachable ones.
pub(super) struct Frames<'t> {
    task: &'t Task<Cfa>,
    graph: Graph,
    heads: Vec<LocId>,
    /// One round from anywhere.
    round: Runs<'t>,
    /// The rounds after it.
    later: Runs<'t>,
    explainer: Explainer<'t>,
    num_levels: u64,
}

impl<'t> Frames<'t> {
    pub(super) fn new(
        task: &'t Task<Cfa>,
        kinds: &[InterpolatorKind],
        tools: &Tools,
        run: &Run,
    ) -> Result<Frames<'t>, Stop> {
        let graph = Graph::towards_errors(&task.model).cutting_heads(&task.model);
        let heads: BTreeSet<LocId> = graph.back_edges().map(|edge| task.model.edges[edge].target).collect();
        let heads: Vec<LocId> = heads.into_iter().collect();
        let mut round = Runs::new(task, graph.clone(), Start::EveryRound, &*tools.solvers, run)?;
        round.extend_to(0, run)?;
        let later = Runs::new(task, graph.clone(), Start::AfterBackEdges, &*tools.solvers, run)?;
        let explainer = Explainer::new(task, &heads, kinds, tools, run)?;
        Ok(Frames { task, graph, heads, round, later, explainer, num_levels: 0 })
    }

    pub(super) fn num_queries(&self) -> u64 {
        self.round.num_queries() + self.later.num_queries()
    }

    pub(super) fn num_levels(&self) -> u64 {
        self.num_levels
    }

    pub(super) fn num_paths(&self) -> u64 {
        self.explainer.num_paths()
    }

    pub(super) fn statistics(&self) -> Statistics {
        self.explainer.statistics()
    }

    pub(super) fn num_interpolators(&self) -> usize {
        self.explainer.num_interpolators()
    }

    /// Collects reachable states, excluding those that are `num_cuts` cut edges before an error location, with the
    /// formulas of the interpolator with number `first` where it finds any. Runs with at most one more cut edge must be
    /// known not to reach an error location.
    pub(super) fn attempt(
        &mut self,
        num_cuts: u32,
        first: usize,
        max_levels: u32,
        run: &Run,
    ) -> Result<Attempt, Stop> {
        self.later.extend_to(num_cuts, run)?;
        self.explainer.ask_first(first);
        let store = &self.task.store;
        let mut last: Frame = BTreeMap::from([(self.task.model.initial, store.tru())]);
        let mut reached = last.clone();
        for level in 1..=max_levels {
            self.num_levels += 1;
            let next = match self.next_level(&last, &reached, run)? {
                Ok(next) => next,
                Err(why) => return Ok(Attempt::Failed(why)),
            };
            if next.is_empty() {
                return Ok(Attempt::Closed(self.proof(&reached, num_cuts)));
            }
            for (head, formula) in &next {
                let all = reached.entry(*head).or_insert(store.fals());
                *all = store.or(*all, *formula);
            }
            let size: usize = next.values().map(|formula| store.size(*formula)).sum();
            run.emit(Event::Note(format!("imc: k = {}, level {level} with {size} terms", num_cuts + 1)));
            last = next;
        }
        Ok(Attempt::Failed(format!("still growing after {max_levels} levels")))
    }

    /// Formulas that contain whatever a round from `last` leads to and `reached` does not contain.
    fn next_level(&mut self, last: &Frame, reached: &Frame, run: &Run) -> Result<Found<Frame>, Stop> {
        let store = &self.task.store;
        let mut next = Frame::new();
        for head in self.heads.clone() {
            loop {
                run.checkpoint()?;
                let known = [reached, &next].map(|frame| frame.get(&head).copied().unwrap_or(store.fals()));
                let is_new = store.not(store.or_all(known));
                let path = match self.round.way_to_state(last, head, is_new, run)? {
                    Way::None => break,
                    Way::Unknown(words) => return Ok(Err(words)),
                    Way::Found(path) => path,
                };
                let start = last[&self.task.model.edges[path[0]].source];
                match self.generalize(start, &path, head, run)? {
                    Ok(formula) => {
                        let all = next.entry(head).or_insert(store.fals());
                        *all = store.or(*all, formula);
                    }
                    Err(why) => return Ok(Err(why)),
                }
            }
        }
        Ok(Ok(next))
    }

    /// A formula that contains whatever `path` leads to from `start`, and no state before an error location.
    fn generalize(
        &mut self,
        start: ExprId,
        path: &[EdgeId],
        head: LocId,
        run: &Run,
    ) -> Result<Found<ExprId>, Stop> {
        let store = &self.task.store;
        let mut formula = store.tru();
        loop {
            run.checkpoint()?;
            let rest = match self.later.way_to_error(head, formula, run)? {
                Way::None => return Ok(Ok(formula)),
                Way::Unknown(words) => return Ok(Err(words)),
                Way::Found(rest) => rest,
            };
            match self.explainer.between(start, path, &rest, run)? {
                Explanation::Formula(part) => formula = simplify(store, store.and(formula, part)),
                Explanation::Feasible => return Ok(Err("what is reached is too much".into())),
                Explanation::Unknown(words) => return Ok(Err(words)),
            }
        }
    }

    /// The proof that `reached` contains all that is reached, and nothing that is `num_cuts` cut edges before an error.
    fn proof(&self, reached: &Frame, num_cuts: u32) -> CfaProof {
        let invariants = self.invariants(reached);
        if num_cuts == 0 {
            return CfaProof::Invariants(invariants);
        }
        CfaProof::Unwinding(CfaUnwinding {
            bound: num_cuts,
            cuts: self.graph.back_edges().collect(),
            long_runs: LongRuns::Inductive,
            lemmas: invariants,
        })
    }

    /// `reached` at loop heads; what is between them is derived, and what no edges lead to has `false`.
    fn invariants(&self, reached: &Frame) -> CfaInvariants {
        let (store, cfa) = (&self.task.store, &self.task.model);
        let is_reached: BTreeSet<LocId> = Graph::new(cfa).topological_order().iter().copied().collect();
        let unreached = cfa.locations.indices().filter(|location| !is_reached.contains(location));
        let at_head = |head: &LocId| (*head, reached.get(head).copied().unwrap_or(store.fals()));
        let between = self.graph.topological_order().iter().copied();
        CfaInvariants {
            formulas: unreached
                .map(|location| (location, store.fals()))
                .chain(self.heads.iter().map(at_head))
                .collect(),
            derived: between
                .filter(|location| !self.heads.contains(location) && !cfa.is_error(*location))
                .collect(),
            ..CfaInvariants::default()
        }
    }
}
