//! Refinement: from a spurious counterexample to what has to be tracked at its points.
//!
//! | strategy | what is learned at |
//! |---|---|
//! | `seq-itp`, `multi-seq`, `newton-*` | formulas at every point |
//! | `fw-bin-itp` | a formula at the end of the longest feasible prefix |
//! | `bw-bin-itp` | a formula at the start of the longest feasible suffix |
//! | `bw-seq-itp` | the same, and formulas at every point if the counterexample comes back along the same edges |
//! | `min-prune`, `max-prune` | that of the two binary ones which is closer to the start, to the error |
//! | `unsat-core` | the variables of the core that live at each point |
//!
//! A path is decided by one query. If it is infeasible, the interpolators are asked in order; most of them see only the
//! conditions that contradict each other. The first one is passed over ([`Effort::More`]) when the loop makes no
//! progress, or when spurious counterexamples keep coming along the same edges: then the formulas of single paths do
//! not generalise, and another kind of formula may do so.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Run, Statistics, Stop};
use thetis_expr::{ExprId, Replacer, Store, Value, VarId, default_value};
use thetis_interpolate::{Conjunct, Feasibility, InOrder, Unrolled, needed, slice};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, CfaTrace, EdgeId};
use thetis_solver::{Chain, CoreSolver, SolverError, Step, Valuation};

use crate::bounds::{Bounds, BoundsAt};
use crate::config::Refinement;
use crate::program::Program;

/// Checks counterexamples, and learns from those that are spurious.
pub(crate) struct Refiner<'t> {
    pub(crate) task: &'t Task<Cfa>,
    pub(crate) program: Rc<Program>,
    pub(crate) strategy: Refinement,
    pub(crate) patience: u32,
    pub(crate) solver: Box<dyn CoreSolver>,
    pub(crate) interpolators: InOrder,
    /// How many spurious counterexamples went along exactly these edges, however often.
    pub(crate) along: FxHashMap<Vec<EdgeId>, u32>,
    /// Bounds for counterexamples in which values may wrap around, if these are wanted.
    pub(crate) bounds: Option<Bounds>,
}

/// What became of a counterexample.
pub(crate) enum Refined {
    /// It is a run.
    Feasible(CfaTrace),
    /// It is not; what was learned at each point, before its first edge to after its last, and bounds that are worth tracking besides.
    Spurious(Vec<Lesson>, Vec<BoundsAt>),
    /// It could not be decided or refined.
    Failed(String),
}

/// What is to be tracked at one point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Lesson {
    /// Whatever makes this formula expressible.
    Formula(ExprId),
    /// The values of these variables.
    Variables(BTreeSet<VarId>),
}

impl Lesson {
    /// Whether nothing is learned.
    pub(crate) fn is_empty(&self, store: &Store) -> bool {
        match self {
            Lesson::Formula(formula) => store.is_literal(*formula),
            Lesson::Variables(vars) => vars.is_empty(),
        }
    }
}

/// How hard to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// As configured.
    Usual,
    /// With the second interpolator first, because the usual way does not help.
    More,
}

impl Refiner<'_> {
    /// Checks whether the path of `edges`, along abstract states with the given formulas, is feasible, and
    /// refines it if it is spurious.
    pub(crate) fn refine(
        &mut self,
        edges: &[EdgeId],
        states: &[ExprId],
        effort: Effort,
        run: &Run,
    ) -> Result<Refined, Stop> {
        let store = &self.task.store;
        let chain = self.program.chain(store, edges);
        let unrolled = Unrolled::new(store, &chain);
        let trace = |valuation: &Valuation<'_>| trace(self.task, &self.program, edges, &unrolled, valuation);
        let core = match unrolled.decide(store, &mut *self.solver, trace, run)? {
            Feasibility::Feasible(trace) => return Ok(Refined::Feasible(trace)),
            Feasibility::Unknown(words) => return Ok(Refined::Failed(words)),
            Feasibility::Infeasible(core) => core,
        };
        let times = self.times_along(edges);
        let effort = if times > self.patience { Effort::More } else { effort };
        let lessons = match self.strategy {
            Refinement::UnsatCore => {
                let core = unrolled.minimal(store, core, &mut *self.solver, run)?;
                self.variables(&slice(store, &chain, &core), run)?
            }
            Refinement::FwBinItp => self.forward(&through(store, &chain, states), effort, run)?,
            Refinement::BwSeqItp if times == 1 => {
                self.backward(&through(store, &chain, states), effort, run)?
            }
            Refinement::BwBinItp => self.backward(&through(store, &chain, states), effort, run)?,
            Refinement::MinPrune | Refinement::MaxPrune => {
                let chain = through(store, &chain, states);
                let forward = self.forward(&chain, effort, run)?;
                let backward = self.backward(&chain, effort, run)?;
                self.pick(forward, backward)
            }
            Refinement::SeqItp
            | Refinement::BwSeqItp
            | Refinement::MultiSeq
            | Refinement::NewtonWp
            | Refinement::NewtonWpLv
            | Refinement::NewtonSp
            | Refinement::NewtonSpLv => self.formulas(&chain, &unrolled, core, effort, run)?.map(as_lessons),
        };
        Ok(match lessons {
            Some(lessons) => {
                let bounds = if times > 1 { self.bounds_along(edges, &lessons, run)? } else { Vec::new() };
                Refined::Spurious(lessons, bounds)
            }
            None => Refined::Failed("no interpolant was found for a spurious counterexample".into()),
        })
    }

    /// The first point at which something is learned.
    pub(crate) fn first(&self, lessons: &[Lesson]) -> Option<usize> {
        lessons.iter().position(|lesson| !lesson.is_empty(&self.task.store))
    }

    /// The first point at which something is learned that its state does not say already.
    pub(crate) fn first_new(&self, lessons: &[Lesson], states: &[ExprId]) -> Option<usize> {
        let store = &self.task.store;
        lessons.iter().zip(states).position(|(lesson, state)| match lesson {
            _ if lesson.is_empty(store) => false,
            Lesson::Formula(formula) => {
                let known: FxHashSet<ExprId> = store.conjuncts(*state).into_iter().collect();
                !store.conjuncts(*formula).iter().all(|conjunct| known.contains(conjunct))
            }
            Lesson::Variables(_) => true,
        })
    }

    pub(crate) fn statistics(&self) -> Statistics {
        self.interpolators.statistics()
    }

    /// Bounds of the variables that `lessons` are about.
    fn bounds_along(
        &mut self,
        edges: &[EdgeId],
        lessons: &[Lesson],
        run: &Run,
    ) -> Result<Vec<BoundsAt>, Stop> {
        let Some(bounds) = &mut self.bounds else { return Ok(Vec::new()) };
        let formulas = lessons.iter().filter_map(|lesson| match lesson {
            Lesson::Formula(formula) => Some(*formula),
            Lesson::Variables(_) => None,
        });
        let vars = self.task.store.vars_of(formulas);
        bounds.along(self.task, &self.program, edges, &vars, run)
    }

    /// How many counterexamples so far had the same edges, including this one. If they are very many, refinement may be diverging.
    fn times_along(&mut self, edges: &[EdgeId]) -> u32 {
        let mut footprint = edges.to_vec();
        footprint.sort();
        footprint.dedup();
        let times = self.along.entry(footprint).or_default();
        *times += 1;
        *times
    }

    /// Formulas for a chain that contradicts itself. `core` is any core of it.
    fn formulas(
        &mut self,
        chain: &Chain,
        unrolled: &Unrolled,
        core: Vec<Conjunct>,
        effort: Effort,
        run: &Run,
    ) -> Result<Option<Vec<ExprId>>, Stop> {
        let (store, solver) = (&self.task.store, &mut *self.solver);
        let reduce = || {
            let core = unrolled.minimal(store, core.clone(), solver, run)?;
            Ok(slice(store, chain, &core))
        };
        let first = match effort {
            Effort::Usual => 0,
            Effort::More => 1,
        };
        self.interpolators.interpolate_from(first, store, chain, reduce, run)
    }

    fn variables(&mut self, chain: &Chain, run: &Run) -> Result<Option<Vec<Lesson>>, Stop> {
        let needed = needed(&self.task.store, chain, &mut *self.solver, run)?;
        Ok(needed.map(|needed| needed.live.into_iter().map(Lesson::Variables).collect()))
    }

    /// The interpolant where the longest feasible prefix ends.
    fn forward(&mut self, chain: &Chain, effort: Effort, run: &Run) -> Result<Option<Vec<Lesson>>, Stop> {
        let store = &self.task.store;
        let unrolled = Unrolled::new(store, chain);
        let cut = unrolled.feasible_prefix(store, &mut *self.solver, run)?.min(chain.steps.len() - 1);
        let prefix = chain.part(0, cut + 1, chain.start, chain.end);
        Ok(self.cut(&prefix, cut, effort, run)?.map(|formula| self.binary(chain.steps.len(), cut, formula)))
    }

    /// The interpolant where the longest feasible suffix starts.
    fn backward(&mut self, chain: &Chain, effort: Effort, run: &Run) -> Result<Option<Vec<Lesson>>, Stop> {
        let store = &self.task.store;
        let num_steps = chain.steps.len();
        // All suffixes from `infeasible` on to the left are infeasible, those right of `end` are feasible.
        let (mut infeasible, mut end) = (0, num_steps - 1);
        while infeasible < end {
            let middle = (infeasible + end).div_ceil(2);
            let suffix = Unrolled::new(store, &chain.part(middle, num_steps, chain.start, chain.end));
            if suffix.may_be_feasible(store, &mut *self.solver, run)? {
                end = middle - 1;
            } else {
                infeasible = middle;
            }
        }
        let suffix = chain.part(infeasible, num_steps, chain.start, chain.end);
        let formula = self.cut(&suffix, 1, effort, run)?;
        Ok(formula.map(|formula| self.binary(num_steps, infeasible + 1, formula)))
    }

    /// An interpolant of an infeasible chain at one point.
    fn cut(
        &mut self,
        chain: &Chain,
        point: usize,
        effort: Effort,
        run: &Run,
    ) -> Result<Option<ExprId>, Stop> {
        let store = &self.task.store;
        let num_steps = chain.steps.len();
        let halves = [(0, point), (point, num_steps)].map(|(first, last)| {
            Rc::new(Unrolled::merge(store, &chain.part(first, last, chain.start, chain.end)))
        });
        let halves = Chain { start: chain.start, steps: halves.into(), end: chain.end, heads: Vec::new() };
        let unrolled = Unrolled::new(store, &halves);
        let Feasibility::Infeasible(core) = unrolled.decide(store, &mut *self.solver, |_| Ok(()), run)?
        else {
            return Ok(None);
        };
        Ok(self.formulas(&halves, &unrolled, core, effort, run)?.map(|formulas| formulas[1]))
    }

    /// `true` before `point`, `formula` there, `false` after it.
    fn binary(&self, num_edges: usize, point: usize, formula: ExprId) -> Vec<Lesson> {
        let store = &self.task.store;
        let at = |other: usize| match other.cmp(&point) {
            Ordering::Less => store.tru(),
            Ordering::Equal => formula,
            Ordering::Greater => store.fals(),
        };
        (0..=num_edges).map(|point| Lesson::Formula(at(point))).collect()
    }

    fn pick(&self, forward: Option<Vec<Lesson>>, backward: Option<Vec<Lesson>>) -> Option<Vec<Lesson>> {
        let (Some(first), Some(second)) = (&forward, &backward) else { return forward.or(backward) };
        let point = |lessons: &[Lesson]| self.first(lessons).unwrap_or(usize::MAX);
        let forward_is_first = point(first) <= point(second);
        let wants_first = self.strategy == Refinement::MinPrune;
        if forward_is_first == wants_first { forward } else { backward }
    }
}

/// The chain through abstract states: each holds before its step, the last one after all. A binary interpolant is about
/// one point only; the next one for the same path will be at another point, because the states are more precise by
/// then.
fn through(store: &Store, chain: &Chain, states: &[ExprId]) -> Chain {
    let with_state = |(step, state): (&Rc<Step>, &ExprId)| {
        let mut step = Step::clone(step);
        step.conjuncts.splice(0..0, store.conjuncts(*state));
        Rc::new(step)
    };
    let steps = chain.steps.iter().zip(states).map(with_state).collect();
    Chain { steps, end: store.not(states[states.len() - 1]), ..chain.clone() }
}

fn as_lessons(formulas: Vec<ExprId>) -> Vec<Lesson> {
    formulas.into_iter().map(Lesson::Formula).collect()
}

/// The run that a valuation of a path describes.
fn trace(
    task: &Task<Cfa>,
    program: &Program,
    edges: &[EdgeId],
    unrolled: &Unrolled,
    valuation: &Valuation<'_>,
) -> Result<CfaTrace, SolverError> {
    let store = &task.store;
    let initial = task.model.vars.iter().map(|var| match unrolled.initial(*var) {
        Some(term) => Ok((*var, valuation.evaluate(store, term)?)),
        None => Ok((*var, default_value(store, store.var_sort(*var)))),
    });
    let initial = initial.collect::<Result<BTreeMap<VarId, Value>, SolverError>>()?;
    let mut steps = Vec::new();
    for (number, edge) in edges.iter().enumerate() {
        let mut renamer = Replacer::new(|_: &Store, input| unrolled.input(number, input));
        let executed = &program.actions[*edge].executed;
        let (inputs, choices) =
            executed.concrete(|term| valuation.evaluate(store, renamer.apply(store, term)))?;
        steps.push(CfaStep { edge: *edge, inputs, choices });
    }
    Ok(CfaTrace::new(initial, steps))
}
