//! The engine: combines domain, refinement and search as configured.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use rustc_hash::FxHashMap;
use thetis_base::{Iteration, Run, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_expr::{ExprId, Sort, Store};
use thetis_interpolate::{InOrder, Tools};
use thetis_model::cfa::{Cfa, LocId};
use thetis_model::{Task, Verdict};

use crate::analysis::Domain;
use crate::arg::Arg;
use crate::bounds::Bounds;
use crate::cegar::{Loop, LoopStats};
use crate::config::{CegarConfig, DomainKind, FactFilter, Granularity, InitialPrecision, Logic};
use crate::domain::conjunctions::{Conjunctions, Formulas};
use crate::domain::cubes::{Combination, Cubes};
use crate::domain::explicit::{Explicit, TrackedValues};
use crate::domain::predicates::{PredicateTable, Predicates};
use crate::domain::product::{Product, ProductPrecision};
use crate::facts::{Facts, History, Tracked, TrackedAt};
use crate::located::{Located, Precisions};
use crate::precision::{Learn, LearnBoth, LearnFormulas, LearnPredicates, LearnVariables};
use crate::program::{Action, Program};
use crate::refine::{Effort, Lesson, Refiner};

/// Abstraction refinement on automata. See the [crate](crate).
pub struct Cegar {
    /// The options as they were given.
    configured: CegarConfig,
    /// The options of the last run, without `auto`.
    config: CegarConfig,
    tools: Tools,
    /// What is tracked from the start besides the initial precision.
    known: TrackedAt,
    /// The locations about which others want to know more.
    wanted: BTreeSet<LocId>,
    /// What the last run tracked, round by round.
    history: History,
    /// How long the last run took.
    search_time: Duration,
    iterations: Vec<Iteration>,
    stats: Statistics,
}

/// Completing graphs for facts may take this many times as long as the search for an answer.
const COMPLETION_FACTOR: u32 = 2;

/// Completing graphs may take at least this long.
const LEAST_COMPLETION: Duration = Duration::from_millis(500);

/// A formula for each location.
type Invariants = BTreeMap<LocId, ExprId>;

/// What is done with a loop.
#[derive(Clone, Copy)]
enum Job {
    /// Run it to a verdict.
    Decide,
    /// Complete the graph of what is known.
    Complete,
}

/// The outcome.
enum Done {
    Verdict(Verdict<Cfa>),
    Invariants(Invariants),
}

impl Cegar {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "cegar",
        summary: "abstraction refinement: refines an abstraction by the reasons why counterexamples are spurious",
        answers: "safe and unsafe",
    };

    /// An engine; the configuration must be free of [conflicts](CegarConfig::conflict).
    pub fn new(config: CegarConfig, tools: Tools) -> Cegar {
        Cegar {
            config: config.clone(),
            configured: config,
            tools,
            known: TrackedAt::default(),
            wanted: BTreeSet::new(),
            history: History::default(),
            search_time: Duration::ZERO,
            iterations: Vec::new(),
            stats: LoopStats::default().report(),
        }
    }

    /// Tracks `known` from the start of each following run, in addition to the initial precision of the
    /// configuration: what another run or another engine has found worth tracking.
    pub fn start_from(&mut self, known: TrackedAt) {
        self.known = known;
    }

    /// The locations about which others want to know more, for [`FactFilter::Wanted`].
    pub fn want(&mut self, locations: BTreeSet<LocId>) {
        self.wanted = locations;
    }

    /// The rounds of the last run, whatever it returned.
    pub fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// What the last run knows, whatever it returned. To obtain invariants, the graph of the last precision is completed. If the
    /// abstraction has exploded, its graph cannot be completed in reasonable time, so the time for that is limited relative to the time
    /// of the search, and [earlier precisions](History::newest_first) are tried afterwards. If `run` stops before that succeeds, there
    /// are no invariants.
    pub fn facts(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Facts, Stop> {
        let started = run.spent();
        let allowed = (self.search_time * COMPLETION_FACTOR).max(LEAST_COMPLETION);
        let (num_tried, found) = self.newest_complete(task, allowed, run);
        let statistics = Statistics::new("facts")
            .count("precisions-tried", num_tried)
            .count("rolled-back", if matches!(found, Ok(Some(_))) { num_tried - 1 } else { 0 })
            .time("completion", run.spent().saturating_sub(started))
            .time("allowed", allowed);
        self.stats.parts.push(statistics);
        Ok(Facts { tracked: self.history.last(), invariants: found? })
    }

    /// The invariants of the newest precision whose graph could be completed, and how many precisions were tried.
    fn newest_complete(
        &mut self,
        task: &Task<Cfa>,
        allowed: Duration,
        run: &Run,
    ) -> (u64, Result<Option<Invariants>, Stop>) {
        let (mut left, mut num_tried) = (allowed, 0);
        for precision in self.history.newest_first() {
            left /= 2;
            num_tried += 1;
            match self.complete(task, precision, &run.spending_at_most(left)) {
                Err(Stop::OutOfTime) => {}
                ended => return (num_tried, ended.map(Some)),
            }
        }
        (num_tried, Ok(None))
    }

    /// The invariants of the complete graph of a precision.
    fn complete(&mut self, task: &Task<Cfa>, tracked: TrackedAt, run: &Run) -> Result<Invariants, Stop> {
        let known = std::mem::replace(&mut self.known, tracked);
        let done = self.dispatch(task, Job::Complete, run);
        self.known = known;
        match done? {
            Done::Invariants(mut invariants) => {
                if self.config.facts == FactFilter::Wanted && !self.wanted.is_empty() {
                    invariants.retain(|location, _| self.wanted.contains(location));
                }
                Ok(invariants)
            }
            Done::Verdict(_) => panic!("completing a graph should give no verdict"),
        }
    }

    fn dispatch(&mut self, task: &Task<Cfa>, job: Job, run: &Run) -> Result<Done, Stop> {
        self.config = self.configured.resolved(logic(task));
        match self.config.domain {
            DomainKind::PredConj => self.with_conjunctions(task, job, run),
            DomainKind::Expl => self.with_values(task, job, run),
            DomainKind::PredCart => self.with_predicates(task, Combination::Cartesian, job, run),
            DomainKind::PredBool => self.with_predicates(task, Combination::Boolean, job, run),
            DomainKind::PredSplit => self.with_predicates(task, Combination::Split, job, run),
            DomainKind::Auto | DomainKind::ExplPred => self.with_both(task, job, run),
        }
    }

    fn with_predicates(
        &mut self,
        task: &Task<Cfa>,
        combination: Combination,
        job: Job,
        run: &Run,
    ) -> Result<Done, Stop> {
        let (domain, learn) = self.predicates(task, combination, run)?;
        self.run(task, domain, learn, Predicates::new(), job, run)
    }

    fn with_conjunctions(&mut self, task: &Task<Cfa>, job: Job, run: &Run) -> Result<Done, Stop> {
        let domain = Conjunctions::new(&task.store, &*self.tools.solvers, run)?;
        let learn = LearnFormulas { store: &task.store, split: self.config.pred_split };
        self.run(task, domain, learn, Formulas::new(), job, run)
    }

    fn with_values(&mut self, task: &Task<Cfa>, job: Job, run: &Run) -> Result<Done, Stop> {
        let domain = Explicit::new(&task.store, self.config.max_enum, &*self.tools.solvers, run)?;
        let learn = LearnVariables { store: &task.store, max_enum: self.config.max_enum };
        self.run(task, domain, learn, TrackedValues::default(), job, run)
    }

    fn with_both(&mut self, task: &Task<Cfa>, job: Job, run: &Run) -> Result<Done, Stop> {
        let values = Explicit::new(&task.store, self.config.max_enum, &*self.tools.solvers, run)?;
        let (cubes, predicates) = self.predicates(task, Combination::Cartesian, run)?;
        let domain = Product::new(&task.store, values, cubes);
        self.run(
            task,
            domain,
            LearnBoth { predicates, max_enum: self.config.max_enum },
            ProductPrecision::default(),
            job,
            run,
        )
    }

    fn predicates<'t>(
        &self,
        task: &'t Task<Cfa>,
        combination: Combination,
        run: &Run,
    ) -> Result<(Cubes<'t>, LearnPredicates<'t>), Stop> {
        let table = Rc::new(RefCell::new(PredicateTable::default()));
        let domain = Cubes::new(&task.store, combination, table.clone(), &*self.tools.solvers, run)?;
        Ok((domain, LearnPredicates { store: &task.store, table, split: self.config.pred_split }))
    }

    fn run<D: Domain<Action>>(
        &mut self,
        task: &Task<Cfa>,
        domain: D,
        mut learn: impl Learn<D::Precision>,
        nothing: D::Precision,
        job: Job,
        run: &Run,
    ) -> Result<Done, Stop> {
        let program = Rc::new(Program::new(task));
        let precision = self.initial(task, &program, &mut learn, nothing.clone());
        let config = self.config.clone();
        let refiner = Refiner {
            task,
            program: program.clone(),
            strategy: config.refinement,
            patience: config.patience,
            solver: self.tools.solvers.start(run)?,
            interpolators: self.interpolators(run)?,
            along: FxHashMap::default(),
            bounds: (config.bounds && config.domain != DomainKind::Expl).then(Bounds::default),
        };
        let mut cegar = Loop {
            task,
            config: &config,
            analysis: Located::new(task, program, domain, nothing),
            learn,
            precision,
            refiner,
            arg: Arg::default(),
            stats: LoopStats::default(),
            history: History::default(),
        };
        let done = match job {
            Job::Decide => cegar.run(run).map(Done::Verdict),
            Job::Complete => cegar.invariants(run).map(Done::Invariants),
        };
        if matches!(job, Job::Decide) {
            self.history = std::mem::take(&mut cegar.history);
            self.history.push(cegar.tracked());
            self.stats = cegar.stats.report().part(cegar.analysis.domain().statistics());
            self.stats.parts.push(cegar.refiner.statistics());
            self.iterations = std::mem::take(&mut cegar.stats.iterations);
        }
        done
    }

    /// The precision of the start: what the configuration asks for, and what is known.
    fn initial<P: Clone>(
        &self,
        task: &Task<Cfa>,
        program: &Program,
        learn: &mut impl Learn<P>,
        nothing: P,
    ) -> Precisions<P> {
        let mut everywhere = nothing;
        match self.config.initial_precision {
            InitialPrecision::Empty => {}
            InitialPrecision::AllVars => {
                let all = Lesson::Variables(task.model.vars.iter().copied().collect());
                learn.learn(&mut everywhere, &all, Effort::Usual);
            }
            InitialPrecision::AllAssumes => {
                for action in program.actions.iter().filter(|action| has_state_condition(&task.store, action))
                {
                    learn.learn(&mut everywhere, &Lesson::Formula(action.condition), Effort::More);
                }
            }
        }
        add(learn, &mut everywhere, &self.known.everywhere);
        let mut precisions = match self.config.precision {
            Granularity::Global => Precisions::Global(everywhere),
            Granularity::Local => Precisions::Local(everywhere, BTreeMap::new()),
        };
        for (location, tracked) in &self.known.at {
            add(learn, precisions.at_mut(*location), tracked);
        }
        precisions
    }

    fn interpolators(&self, run: &Run) -> Result<InOrder, Stop> {
        match self.config.refinement.own_interpolator() {
            Some(own) => self.tools.in_order(&[own], run),
            None => self.tools.in_order(&self.config.interpolators, run),
        }
    }
}

/// What the variables of a task are.
fn logic(task: &Task<Cfa>) -> Logic {
    let is_boolean = task.model.vars.iter().all(|var| task.store.var_sort(*var) == Sort::Bool);
    if is_boolean { Logic::Boolean } else { Logic::Other }
}

/// Whether the condition of an edge says something about states alone.
fn has_state_condition(store: &Store, action: &Action) -> bool {
    let inputs = &action.step.inputs;
    !store.is_literal(action.condition)
        && (inputs.is_empty() || store.vars_of([action.condition]).iter().all(|var| !inputs.contains(var)))
}

fn add<P>(learn: &mut impl Learn<P>, precision: &mut P, tracked: &Tracked) {
    learn.learn(precision, &Lesson::Variables(tracked.variables.clone()), Effort::Usual);
    for predicate in &tracked.predicates {
        learn.learn(precision, &Lesson::Formula(*predicate), Effort::More);
    }
}

impl Engine<Cfa> for Cegar {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let started = run.spent();
        let done = self.dispatch(task, Job::Decide, run);
        self.search_time = run.spent().saturating_sub(started);
        match done? {
            Done::Verdict(verdict) => Ok(verdict),
            Done::Invariants(_) => panic!("a decision should have a verdict"),
        }
    }

    fn statistics(&self) -> Statistics {
        self.stats.clone()
    }
}
