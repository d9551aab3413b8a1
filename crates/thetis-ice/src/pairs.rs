//! Interpolants of two formulas: the teacher and the loop.
//!
//! An interpolant of `A` and `B` follows from `A`, contradicts `B` and contains only shared variables. Models of `A`,
//! projected to these variables, are positive points and models of `B` negative ones. The teacher finds the first
//! points by excluding the projections of the models it has, then checks each hypothesis `H` by searching for models of
//! `A ∧ ¬H` and of `B ∧ H`. If there are none, `H` is an interpolant.
//!
//! A point that is positive and negative belongs to a model of `A ∧ B` if all shared variables are coordinates.
//! Variables of unsupported sorts are left out; then such a point only means that learning fails.
//!
//! A query that takes longer than `ice.query-time` ends learning, unless the caller has no other interpolator: then the query is repeated with
//! twice the time if its result is needed, that is for the first point of a formula and for the check of a hypothesis.
//!
//! Random points (`ice.random`) are chosen around the points that are known already. A point that satisfies neither
//! formula is not an example.

use std::rc::Rc;

use thetis_base::{Run, Statistics, Stop, Stopwatch};
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_solver::SolverFactory;

use crate::data::is_learnable;
use crate::models::{End, Examples, terms_of};
use crate::{
    Checks, Contradiction, Data, Hints, IceConfig, Label, Learner, Point, is_consistent, learner_of,
};

/// Learns interpolants.
pub struct Pairs {
    config: IceConfig,
    solvers: Rc<dyn SolverFactory>,
    /// The learner, if not that of the configuration.
    learner: Option<Box<dyn Learner>>,
    patience: Patience,
    stats: IceStats,
}

/// What happens if a query takes too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Patience {
    /// Learning ends.
    Short,
    /// The question is repeated with more time.
    Long,
}

/// For how many coordinates extreme points are asked for.
const MAX_EXTREME: usize = 64;

/// The result of learning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PairAnswer {
    /// An interpolant, proved by the solver of the teacher.
    Interpolant(ExprId),
    /// The formulas have a model in common.
    Satisfiable,
    /// Learning failed; why.
    Unknown(String),
}

/// The result of learning, with its data.
pub struct Lesson {
    /// The result.
    pub answer: PairAnswer,
    /// The points.
    pub data: Data,
    /// The hypotheses, in order; a proved one is the last.
    pub hypotheses: Vec<ExprId>,
}

/// What learning did.
#[derive(Clone, Copy, Default, Debug)]
pub struct IceStats {
    /// How many hypotheses there were.
    pub iterations: u64,
    /// How many points there are at the end.
    pub points: u64,
    /// How long the teacher took.
    pub teaching: Stopwatch,
    /// How long the learner took.
    pub learning: Stopwatch,
}

impl IceStats {
    /// The figures for reports.
    pub fn statistics(&self) -> Statistics {
        Statistics::new("ice")
            .count("iterations", self.iterations)
            .count("points", self.points)
            .time("teaching", self.teaching.total())
            .time("learning", self.learning.total())
    }
}

impl Pairs {
    /// A learner with solvers for its teacher.
    pub fn new(config: IceConfig, solvers: Rc<dyn SolverFactory>) -> Pairs {
        Pairs { config, solvers, learner: None, patience: Patience::Short, stats: IceStats::default() }
    }

    /// The same with hypotheses of `learner` instead of the one that the configuration names.
    #[must_use]
    pub fn learning_with(self, learner: Box<dyn Learner>) -> Pairs {
        Pairs { learner: Some(learner), ..self }
    }

    /// The same for callers that have nobody else to ask: learning goes on until the run ends, however long a query takes.
    #[must_use]
    pub fn patient(self) -> Pairs {
        Pairs { patience: Patience::Long, ..self }
    }

    /// What the last call did.
    pub fn stats(&self) -> IceStats {
        self.stats
    }

    /// An interpolant of `a` and `b`.
    pub fn interpolate(
        &mut self,
        store: &Store,
        a: ExprId,
        b: ExprId,
        run: &Run,
    ) -> Result<PairAnswer, Stop> {
        self.lesson(store, a, b, run).map(|lesson| lesson.answer)
    }

    /// An interpolant, and what it was learned from.
    pub fn lesson(&mut self, store: &Store, a: ExprId, b: ExprId, run: &Run) -> Result<Lesson, Stop> {
        self.stats = IceStats::default();
        let of_b = store.vars_of([b]);
        let mut shared = store.vars_of([a]);
        shared.retain(|var| of_b.contains(var));
        let (coordinates, others): (Vec<VarId>, Vec<VarId>) =
            shared.into_iter().partition(|var| is_learnable(store.var_sort(*var)));
        let data = Data::new(store, vec![coordinates]);
        let hints = Hints::of(store, &data, &[a, b]);
        let mut teaching = Teaching {
            store,
            terms: terms_of(store, data.vars(0)),
            data,
            hypotheses: Vec::new(),
            sides: [self.side(store, a, run)?, self.side(store, b, run)?],
            config: &self.config,
            stats: &mut self.stats,
            patience: self.patience,
            is_projected: !others.is_empty(),
        };
        let answer = match &mut self.learner {
            Some(learner) => teaching.run(&mut **learner, run)?,
            None => teaching.run(&mut *learner_of(&self.config, hints), run)?,
        };
        let Teaching { data, hypotheses, .. } = teaching;
        Ok(Lesson { answer, data, hypotheses })
    }

    fn side(&self, store: &Store, formula: ExprId, run: &Run) -> Result<Examples, Stop> {
        let mut solver = self.solvers.start(run)?;
        solver.assert(store, formula)?;
        Ok(Examples::new(solver, self.config.query_time))
    }
}

struct Teaching<'a> {
    store: &'a Store,
    data: Data,
    hypotheses: Vec<ExprId>,
    terms: Vec<ExprId>,
    /// The models of `A` and `B`.
    sides: [Examples; 2],
    config: &'a IceConfig,
    stats: &'a mut IceStats,
    patience: Patience,
    /// Whether there are shared variables that are not coordinates.
    is_projected: bool,
}

/// The outcome of a search for points.
enum Taught {
    /// There were points, or there are no others.
    Points(usize),
    /// A query took too long, and there were no points; the reason as a text.
    OutOfTime(String),
    /// The answer is known.
    Answer(PairAnswer),
}

const LABELS: [Label; 2] = [Label::Positive, Label::Negative];

impl Teaching<'_> {
    fn run(&mut self, learner: &mut dyn Learner, run: &Run) -> Result<PairAnswer, Stop> {
        if let Some(answer) = self.start(run)? {
            return Ok(answer);
        }
        while self.stats.iterations < u64::from(self.config.max_iterations) {
            run.checkpoint()?;
            self.stats.iterations += 1;
            self.stats.points = self.data.points().len() as u64;
            if self.data.points().len() > self.config.max_points as usize {
                return Ok(PairAnswer::Unknown("there are too many points".into()));
            }
            let (store, data) = (self.store, &self.data);
            let learned = self.stats.learning.time(|| learner.learn(store, data, run))?;
            let Some(hypothesis) = learned.filter(|formulas| is_consistent(store, data, formulas)) else {
                return Ok(PairAnswer::Unknown("the learner has no hypothesis".into()));
            };
            self.hypotheses.push(hypothesis[0]);
            if let Some(answer) = self.validate(hypothesis[0], run)? {
                return Ok(answer);
            }
        }
        Ok(PairAnswer::Unknown("there were too many hypotheses".into()))
    }

    /// The first points, or an answer that needs none.
    fn start(&mut self, run: &Run) -> Result<Option<PairAnswer>, Stop> {
        let wanted = (self.config.initial / 2).max(1) as usize;
        for (side, label) in LABELS.into_iter().enumerate() {
            let any = self.store.tru();
            match self.insist(side, any, wanted, run)? {
                Ok(0) => {
                    return Ok(Some(PairAnswer::Interpolant(self.store.boolean(label == Label::Negative))));
                }
                Ok(_) => {}
                Err(answer) => return Ok(Some(answer)),
            }
            if self.config.extreme
                && let Some(answer) = self.extremes(side, run)?
            {
                return Ok(Some(answer));
            }
        }
        self.random_points(run)
    }

    /// Random points around those that are known.
    fn random_points(&mut self, run: &Run) -> Result<Option<PairAnswer>, Stop> {
        let mut random = fastrand::Rng::with_seed(self.config.seed);
        let ranges: Vec<(i64, i64)> = (0..self.terms.len()).map(|position| self.range(position)).collect();
        for _ in 0..self.config.random {
            let values = ranges.iter().map(|(least, greatest)| random.i64(*least..=*greatest));
            let is_here = is_at(self.store, &self.terms, &values.collect::<Vec<_>>());
            for side in 0..LABELS.len() {
                if let Taught::Answer(answer @ PairAnswer::Satisfiable) = self.teach(side, is_here, 1, run)? {
                    return Ok(Some(answer));
                }
            }
        }
        Ok(None)
    }

    /// The range of a coordinate for random points: that of the known points, doubled.
    fn range(&self, position: usize) -> (i64, i64) {
        if self.store.sort(self.terms[position]) == Sort::Bool {
            return (0, 1);
        }
        let values = self.data.points().iter().map(|point| point.values[position]);
        let (least, greatest) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
        let margin = greatest.saturating_sub(least) / 2 + 1;
        (least.saturating_sub(margin), greatest.saturating_add(margin))
    }

    /// For each of the first coordinates a point beyond all that are known, in both directions.
    fn extremes(&mut self, side: usize, run: &Run) -> Result<Option<PairAnswer>, Stop> {
        for (position, term) in self.terms.clone().into_iter().enumerate().take(MAX_EXTREME) {
            if self.store.sort(term) != Sort::Int {
                continue;
            }
            let values = self.data.points().iter().map(|point| point.values[position]);
            let (least, greatest) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
            let beyond =
                [self.store.lt(self.store.int(greatest), term), self.store.lt(term, self.store.int(least))];
            for formula in beyond {
                if let Taught::Answer(answer @ PairAnswer::Satisfiable) = self.teach(side, formula, 1, run)? {
                    return Ok(Some(answer));
                }
            }
        }
        Ok(None)
    }

    /// The answer if `hypothesis` is right, or if learning must fail; otherwise there are new points.
    fn validate(&mut self, hypothesis: ExprId, run: &Run) -> Result<Option<PairAnswer>, Stop> {
        let wanted = self.config.per_check.max(1) as usize;
        let mut is_right = true;
        for (side, violation) in [self.store.not(hypothesis), hypothesis].into_iter().enumerate() {
            match self.insist(side, violation, wanted, run)? {
                Ok(0) => {}
                Ok(_) => is_right = false,
                Err(answer) => return Ok(Some(answer)),
            }
            if !is_right && self.config.checks == Checks::First {
                return Ok(None);
            }
        }
        Ok(is_right.then_some(PairAnswer::Interpolant(hypothesis)))
    }

    /// Adds points of a side that satisfy `formula`: how many, where none means that there are none, or the answer.
    fn insist(
        &mut self,
        side: usize,
        formula: ExprId,
        wanted: usize,
        run: &Run,
    ) -> Result<Result<usize, PairAnswer>, Stop> {
        loop {
            match self.teach(side, formula, wanted, run)? {
                Taught::OutOfTime(_) if self.patience == Patience::Long => self.sides[side].double_time(),
                Taught::OutOfTime(reason) => return Ok(Err(PairAnswer::Unknown(reason))),
                Taught::Answer(answer) => return Ok(Err(answer)),
                Taught::Points(number) => return Ok(Ok(number)),
            }
        }
    }

    /// Adds points of a side that satisfy `formula`.
    fn teach(&mut self, side: usize, formula: ExprId, wanted: usize, run: &Run) -> Result<Taught, Stop> {
        let (store, terms, examples) = (self.store, &self.terms, &mut self.sides[side]);
        let found = self.stats.teaching.time(|| examples.find(store, formula, terms, wanted, run))?;
        for values in &found.points {
            let point = Point { space: 0, values: values.clone() };
            if self.data.add(point, LABELS[side]) == Err(Contradiction) {
                return Ok(Taught::Answer(match self.is_projected {
                    true => PairAnswer::Unknown("a variable that cannot be learned about matters".into()),
                    false => PairAnswer::Satisfiable,
                }));
            }
        }
        Ok(match found.doubt() {
            Some(reason) if found.end == End::OutOfTime => Taught::OutOfTime(reason),
            Some(reason) => Taught::Answer(PairAnswer::Unknown(reason)),
            None => Taught::Points(found.points.len()),
        })
    }
}

/// The formula that `terms` have the values of a point.
fn is_at(store: &Store, terms: &[ExprId], values: &[i64]) -> ExprId {
    store.and_all(terms.iter().zip(values).map(|(term, value)| match store.sort(*term) {
        Sort::Bool if *value == 0 => store.not(*term),
        Sort::Bool => *term,
        _ => store.eq(*term, store.int(*value)),
    }))
}
