//! The loop: abstract, look for a counterexample, refine (Algorithms 2, 3 and 5 of Hajdu and Micskei 2019).
//!
//! Where we differ: a refinement that yields nothing new is tried once more with the other interpolators; if that does
//! not help either, the graph is rebuilt, because parts of it were built with less precision; and if the same
//! counterexample then comes back, the loop ends with `Unknown` instead of running for ever.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rustc_hash::FxHashSet;
use thetis_base::{Event, Iteration, Run, Statistics, Stop, Stopwatch};
use thetis_engine::prediction::{IterationPart, PREDICTED_TIMEOUT, Patience, Record};
use thetis_expr::ExprId;
use thetis_model::cfa::{Cfa, CfaProof, CfaTrace, EdgeId, LocId};
use thetis_model::{Evidence, Reason, Task, Verdict};

use crate::abstractor::{ArgOf, StopAt, explore};
use crate::analysis::Domain;
use crate::arg::{Arg, NodeId};
use crate::bounds::BoundsAt;
use crate::config::{CegarConfig, FactFilter, Prune, Refinement};
use crate::draw;
use crate::facts::{History, TrackedAt};
use crate::located::{Located, Precisions};
use crate::precision::Learn;
use crate::program::Action;
use crate::refine::{Effort, Lesson, Refined, Refiner};

/// One run of the loop.
pub(crate) struct Loop<'t, D: Domain<Action>, L> {
    pub(crate) task: &'t Task<Cfa>,
    pub(crate) config: &'t CegarConfig,
    pub(crate) analysis: Located<'t, D>,
    pub(crate) learn: L,
    pub(crate) precision: Precisions<D::Precision>,
    pub(crate) refiner: Refiner<'t>,
    pub(crate) arg: ArgOf<Located<'t, D>>,
    pub(crate) stats: LoopStats,
    /// What was tracked, round by round.
    pub(crate) history: History,
}

/// What the loop has counted.
#[derive(Clone, Default, Debug)]
pub(crate) struct LoopStats {
    pub(crate) iterations: Vec<Iteration>,
    /// The size of the graph after the last abstraction.
    nodes: u64,
    abstraction: Stopwatch,
    refinement: Stopwatch,
    /// Whether a timeout was predicted; `None` if prediction is off.
    is_timeout_predicted: Option<bool>,
    /// When the abstraction of this iteration ended, if it has.
    explored_at: Option<Duration>,
    /// What was spent before the first iteration and what was left then, if iterations are recorded.
    recorded_from: Option<(Duration, Duration)>,
}

/// How many iterations are shown one by one: the last ones.
const MAX_SHOWN: usize = 50;

impl LoopStats {
    pub(crate) fn report(&self) -> Statistics {
        let last = self.iterations.last();
        let statistics = Statistics::new("cegar")
            .count("iterations", self.iterations.len() as u64)
            .count("nodes", last.map_or(0, |iteration| iteration.nodes))
            .count("tracked", last.map_or(0, |iteration| iteration.tracked))
            .time("abstraction", self.abstraction.total())
            .time("refinement", self.refinement.total());
        let statistics = match self.is_timeout_predicted {
            None => statistics,
            Some(is_predicted) => statistics.count(PREDICTED_TIMEOUT, u64::from(is_predicted)),
        };
        if let Some((started, left)) = self.recorded_from {
            let record = Record { started, left, iterations: self.iterations.clone() };
            return statistics.part(record.to_statistics());
        }
        let shown = self.iterations.iter().skip(self.iterations.len().saturating_sub(MAX_SHOWN));
        statistics.part(shown.fold(Statistics::new("iterations"), |all, iteration| {
            let Iteration { number, time, nodes, tracked, queries, .. } = iteration;
            let seconds = time.as_secs_f64();
            let words = format!("{nodes} nodes, {tracked} tracked, {queries} queries, {seconds:.3} s");
            all.text(&number.to_string(), words)
        }))
    }
}

/// The time left; of a run without limits, more than any iteration will take.
fn left_to_spend(run: &Run) -> Duration {
    run.left_to_spend().unwrap_or(FOR_EVER)
}

/// A year.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// The time that the parts of a round have.
struct Parts {
    abstraction: Run,
    refinement: Run,
}

impl Parts {
    fn new(run: &Run, patience: Option<Patience>) -> Parts {
        let limited = patience.map_or_else(|| run.clone(), |patience| run.spending_at_most(patience.time));
        match patience.map(|patience| patience.part) {
            Some(IterationPart::Whole) => Parts { abstraction: limited.clone(), refinement: limited },
            Some(IterationPart::Abstraction) | None => {
                Parts { abstraction: limited, refinement: run.clone() }
            }
        }
    }
}

/// Where a round started.
struct Round {
    started: Duration,
    queries: u64,
    tracked: u64,
}

/// A spurious counterexample: its nodes and what was learned at them.
struct Spurious {
    nodes: Vec<NodeId>,
    lessons: Vec<Lesson>,
    bounds: Vec<BoundsAt>,
    /// The first point that says something.
    point: usize,
}

/// The outcome of all counterexamples of one iteration.
enum RefinedPaths {
    Run(NodeId, CfaTrace),
    Spurious(Vec<Spurious>),
    Failed(String),
}

impl<D: Domain<Action>, L: Learn<D::Precision>> Loop<'_, D, L> {
    pub(crate) fn run(&mut self, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let mut shown = None;
        let verdict = self.iterate(&mut shown, run);
        if self.config.draw_arg {
            run.emit(Event::Drawing(draw::graph(self.task, &self.analysis, &self.arg, shown)));
        }
        verdict
    }

    /// For each location a formula that holds whenever a run is there, from the complete graph of the precision. Targets
    /// are not expanded, so nothing is said about locations that can be reached from them.
    pub(crate) fn invariants(&mut self, run: &Run) -> Result<BTreeMap<LocId, ExprId>, Stop> {
        let targets = self.explore(StopAt::All, run)?;
        let mut invariants = self.analysis.invariants(&self.arg)?;
        let mut unexplored: Vec<LocId> =
            targets.iter().map(|target| self.arg.node(*target).state.location).collect();
        while let Some(location) = unexplored.pop() {
            if invariants.remove(&location).is_some() {
                let edges = self.refiner.program.graph.outgoing(location).iter();
                unexplored.extend(edges.map(|edge| self.task.model.edges[*edge].target));
            }
        }
        if self.config.facts == FactFilter::LoopHeads {
            invariants.retain(|location, _| self.refiner.program.is_head[*location]);
        }
        Ok(invariants)
    }

    /// What is tracked, in plain terms.
    pub(crate) fn tracked(&self) -> TrackedAt {
        match &self.precision {
            Precisions::Global(precision) => {
                TrackedAt { everywhere: self.learn.tracked(precision), at: BTreeMap::new() }
            }
            Precisions::Local(default, at) => TrackedAt {
                everywhere: self.learn.tracked(default),
                at: at.iter().map(|(location, here)| (*location, self.learn.tracked(here))).collect(),
            },
        }
    }

    fn iterate(&mut self, shown: &mut Option<NodeId>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let mut predictor = self.config.prediction.start(&self.config.rls, run.left_to_spend());
        self.stats.is_timeout_predicted = predictor.as_ref().map(|_| false);
        self.stats.recorded_from = self.config.record_iterations.then(|| (run.spent(), left_to_spend(run)));
        let mut stuck: FxHashSet<Vec<EdgeId>> = FxHashSet::default();
        loop {
            let tracked = self.tracked();
            let round = Round {
                started: run.spent(),
                queries: self.analysis.domain().num_queries(),
                tracked: tracked.len() as u64,
            };
            self.history.push(tracked);
            let patience =
                predictor.as_ref().and_then(|predictor| predictor.patience(run.spent(), left_to_spend(run)));
            let ended = self.round(shown, &mut stuck, &Parts::new(run, patience));
            let iteration = self.note(&round, run);
            match ended {
                Ok(None) => {}
                Ok(Some(verdict)) => return Ok(verdict),
                Err(Stop::OutOfTime) if patience.is_some() => {
                    run.checkpoint()?;
                    return Ok(self.give_up("the state space explodes"));
                }
                Err(stop) => return Err(stop),
            }
            if let Some(predictor) = &mut predictor {
                predictor.observe(&iteration);
                if predictor.is_hopeless(run.spent(), left_to_spend(run)) {
                    return Ok(self.give_up("the next iteration is expected to take too long"));
                }
            }
        }
    }

    /// Ends early, because of a prediction.
    fn give_up(&mut self, words: &str) -> Verdict<Cfa> {
        self.stats.is_timeout_predicted = Some(true);
        Verdict::Unknown(Reason::Incomplete(format!("given up early: {words}")))
    }

    /// One iteration: abstract, look for counterexamples, and learn from them. Returns the verdict if there is
    /// one.
    fn round(
        &mut self,
        shown: &mut Option<NodeId>,
        stuck: &mut FxHashSet<Vec<EdgeId>>,
        runs: &Parts,
    ) -> Result<Option<Verdict<Cfa>>, Stop> {
        let stop_at = match (self.config.refinement, self.config.counterexamples) {
            (_, 0) | (Refinement::MultiSeq, 1) => StopAt::All,
            (_, most) => StopAt::After(most),
        };
        let targets = self.explore(stop_at, &runs.abstraction)?;
        *shown = targets.first().copied();
        let Some(first) = *shown else {
            let invariants = CfaProof::invariants(self.analysis.invariants(&self.arg)?);
            return Ok(Some(Verdict::Safe(Evidence::Given(invariants))));
        };
        let path = self.edges_to(first);
        match self.refine(&targets, &runs.refinement)? {
            RefinedPaths::Run(target, trace) => {
                *shown = Some(target);
                return Ok(Some(Verdict::Unsafe(Evidence::Given(trace))));
            }
            RefinedPaths::Failed(words) => return Ok(Some(Verdict::Unknown(Reason::Incomplete(words)))),
            RefinedPaths::Spurious(all) if all.is_empty() => {
                if self.widen(first) {
                    stuck.clear();
                } else if !stuck.insert(path) {
                    let words = "no progress: a spurious counterexample comes back, whatever is tracked";
                    return Ok(Some(Verdict::Unknown(Reason::Incomplete(words.into()))));
                }
                self.arg.clear();
            }
            RefinedPaths::Spurious(all) => {
                stuck.clear();
                self.prune(&all);
            }
        }
        Ok(None)
    }

    fn explore(&mut self, stop_at: StopAt, run: &Run) -> Result<Vec<NodeId>, Stop> {
        let (analysis, arg, precision) = (&mut self.analysis, &mut self.arg, &self.precision);
        let search = self.config.search;
        let targets = self.stats.abstraction.time(|| explore(analysis, arg, precision, search, stop_at, run));
        self.stats.nodes = self.arg.len() as u64;
        self.stats.explored_at = targets.is_ok().then(|| run.spent());
        targets
    }

    /// The figures of a round that has ended.
    fn note(&mut self, round: &Round, run: &Run) -> Iteration {
        let iteration = Iteration {
            number: self.stats.iterations.len() as u64 + 1,
            time: run.spent().saturating_sub(round.started),
            refinement: self.stats.explored_at.map_or(Duration::ZERO, |at| run.spent().saturating_sub(at)),
            nodes: self.stats.nodes,
            tracked: round.tracked,
            queries: self.analysis.domain().num_queries() - round.queries,
        };
        self.stats.iterations.push(iteration);
        run.emit(Event::Iteration(iteration));
        iteration
    }

    fn edges_to(&self, target: NodeId) -> Vec<EdgeId> {
        let parents = self.arg.path(target).into_iter().filter_map(|node| self.arg.node(node).parent);
        parents.map(|(_, edge)| edge).collect()
    }

    /// Examines all counterexamples and refines the precision. The outcome contains the counterexamples from
    /// which something new was learned.
    fn refine(&mut self, targets: &[NodeId], run: &Run) -> Result<RefinedPaths, Stop> {
        let mut watch = self.stats.refinement;
        let outcome = watch.time(|| {
            let usual = self.look_at(targets, Effort::Usual, run)?;
            let RefinedPaths::Spurious(all) = usual else { return Ok(usual) };
            if self.learn_from(&all, Effort::Usual) {
                return Ok(RefinedPaths::Spurious(all));
            }
            let more = self.look_at(targets, Effort::More, run)?;
            let RefinedPaths::Spurious(all) = more else { return Ok(more) };
            let is_new = self.learn_from(&all, Effort::More);
            Ok(RefinedPaths::Spurious(if is_new { all } else { Vec::new() }))
        });
        self.stats.refinement = watch;
        outcome
    }

    fn look_at(&mut self, targets: &[NodeId], effort: Effort, run: &Run) -> Result<RefinedPaths, Stop> {
        let mut spurious = Vec::new();
        for target in targets {
            let (nodes, edges) = (self.arg.path(*target), self.edges_to(*target));
            let formula = |node: &NodeId| self.analysis.domain().formula(&self.arg.node(*node).state.data);
            let states: Vec<ExprId> = nodes.iter().map(formula).collect();
            match self.refiner.refine(&edges, &states, effort, run)? {
                Refined::Feasible(trace) => return Ok(RefinedPaths::Run(*target, trace)),
                Refined::Failed(words) => return Ok(RefinedPaths::Failed(words)),
                Refined::Spurious(lessons, bounds) => {
                    // If nothing is learned anywhere, an edge is impossible on its own; its target is
                    // rebuilt.
                    let point = self.refiner.first_new(&lessons, &states).unwrap_or(edges.len());
                    let point = bounds.iter().map(|bounds| bounds.point).fold(point, usize::min);
                    spurious.push(Spurious { nodes, lessons, bounds, point });
                }
            }
        }
        Ok(RefinedPaths::Spurious(spurious))
    }

    /// Tracks what was learned from each counterexample, unless another one already asks for something earlier
    /// on the same path. Returns whether anything is new.
    fn learn_from(&mut self, all: &[Spurious], effort: Effort) -> bool {
        let firsts: FxHashSet<NodeId> = all.iter().map(|spurious| spurious.nodes[spurious.point]).collect();
        let mut is_new = false;
        for spurious in all {
            if spurious.nodes[..spurious.point].iter().any(|node| firsts.contains(node)) {
                continue;
            }
            for (node, lesson) in spurious.nodes.iter().zip(&spurious.lessons) {
                if !lesson.is_empty(&self.task.store) {
                    let location: LocId = self.arg.node(*node).state.location;
                    is_new |= self.learn.learn(self.precision.at_mut(location), lesson, effort);
                }
            }
            for BoundsAt { location, formulas, .. } in &spurious.bounds {
                let precision = self.precision.at_mut(*location);
                is_new |=
                    formulas.iter().fold(false, |is_new, bound| self.learn.bound(precision, *bound) | is_new);
            }
        }
        is_new
    }

    /// Has more values enumerated along the path to `target`. Returns whether that is possible.
    fn widen(&mut self, target: NodeId) -> bool {
        let path = self.arg.path(target).into_iter();
        let locations: BTreeSet<LocId> = path.map(|node| self.arg.node(node).state.location).collect();
        match &mut self.precision {
            Precisions::Global(everywhere) => self.learn.widen(everywhere),
            local @ Precisions::Local(..) => {
                let (learn, mut is_wider) = (&mut self.learn, false);
                for location in locations {
                    is_wider |= learn.widen(local.at_mut(location));
                }
                is_wider
            }
        }
    }

    fn prune(&mut self, all: &[Spurious]) {
        for spurious in all {
            match self.config.prune {
                Prune::Lazy if !self.arg.is_empty() => self.arg.prune(spurious.nodes[spurious.point]),
                _ => self.arg = Arg::default(),
            }
        }
    }
}
