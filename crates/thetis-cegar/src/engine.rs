//! The engine: puts domain, refinement and search together as the configuration says.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use thetis_base::{Run, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::cfa::Cfa;
use thetis_model::{Task, Verdict};
use thetis_solver::{Eliminator, SolverFactory};

use crate::analysis::Domain;
use crate::cegar::{Loop, LoopStats};
use crate::config::{CegarConfig, DomainKind, Granularity, InitialPrecision};
use crate::domain::cubes::{Combination, Cubes};
use crate::domain::explicit::Explicit;
use crate::domain::predicates::{PredicateTable, Predicates};
use crate::located::{Located, Precisions};
use crate::precision::{Learn, LearnPredicates, LearnVariables};
use crate::program::{Action, Program};

/// Abstraction refinement on automata. See the [crate](crate).
pub struct Cegar {
    config: CegarConfig,
    solvers: Rc<dyn SolverFactory>,
    eliminator: Rc<dyn Eliminator>,
    stats: Statistics,
}

impl Cegar {
    /// An engine; the configuration must be free of [conflicts](CegarConfig::conflict).
    pub fn new(config: CegarConfig, solvers: Rc<dyn SolverFactory>, eliminator: Rc<dyn Eliminator>) -> Cegar {
        let stats = LoopStats::default().report();
        Cegar { config, solvers, eliminator, stats }
    }

    fn run<D: Domain<Action>>(
        &mut self,
        task: &Task<Cfa>,
        domain: D,
        learn: impl Learn<D::Precision>,
        initial: D::Precision,
        run: &Run,
    ) -> Result<Verdict<Cfa>, Stop> {
        let program = Rc::new(Program::new(task));
        let precision = match self.config.precision {
            Granularity::Global => Precisions::Global(initial),
            Granularity::Local => Precisions::Local(initial, Default::default()),
        };
        let mut cegar = Loop {
            task,
            config: &self.config.clone(),
            program: program.clone(),
            analysis: Located::new(task, program, domain),
            learn,
            precision,
            solver: self.solvers.start(run)?,
            eliminator: self.eliminator.clone(),
            stats: LoopStats::default(),
        };
        let verdict = cegar.run(run);
        self.stats = cegar.stats.report().part(cegar.analysis.domain().statistics());
        verdict
    }

    fn with_predicates(
        &mut self,
        task: &Task<Cfa>,
        combination: Combination,
        run: &Run,
    ) -> Result<Verdict<Cfa>, Stop> {
        let table = Rc::new(RefCell::new(PredicateTable::default()));
        let domain = Cubes::new(&task.store, combination, table.clone(), &*self.solvers, run)?;
        let mut learn = LearnPredicates { store: &task.store, table, split: self.config.pred_split };
        let mut initial = Predicates::new();
        if self.config.initial_precision == InitialPrecision::AllAssumes {
            let program = Program::new(task);
            for action in program.actions.iter().filter(|action| action.inputs.is_empty()) {
                learn.learn(&mut initial, action.condition);
            }
        }
        self.run(task, domain, learn, initial, run)
    }

    fn with_values(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let domain = Explicit::new(&task.store, self.config.max_enum, &*self.solvers, run)?;
        let learn = LearnVariables { store: &task.store };
        let initial: BTreeSet<_> = match self.config.initial_precision {
            InitialPrecision::AllVars => task.model.vars.iter().copied().collect(),
            _ => BTreeSet::new(),
        };
        self.run(task, domain, learn, initial, run)
    }
}

impl Engine<Cfa> for Cegar {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        match self.config.domain {
            DomainKind::Expl => self.with_values(task, run),
            DomainKind::PredCart => self.with_predicates(task, Combination::Cartesian, run),
            DomainKind::PredBool => self.with_predicates(task, Combination::Boolean, run),
            DomainKind::PredSplit => self.with_predicates(task, Combination::Split, run),
        }
    }

    fn statistics(&self) -> Statistics {
        self.stats.clone()
    }
}
