//! An engine that may assume what others have found out.
//!
//! The facts become guards by the pass [`Inject`] (Imeri 2025, Algorithm 5). A proof under guards is a proof only together with
//! the facts, so these have to be inductive. The facts that are passed on need not be: large invariants are left out, and facts
//! about another form of the program may be useless for this one. So only the inductive part is assumed.

use std::rc::Rc;

use thetis_base::{Fact, Run, Statistics, Stop};
use thetis_bounded::inductive_part;
use thetis_engine::Engine;
use thetis_expr::ExprId;
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_model::cfa::{Cfa, Inject, LocId};
use thetis_model::{Evidence, Pass, Task, Verdict};
use thetis_solver::SolverFactory;

/// The engine. See the [module](self).
pub struct Guarded {
    engine: Box<dyn Engine<Cfa>>,
    facts: Vec<Fact>,
    solvers: Rc<dyn SolverFactory>,
    num_guards: u64,
}

impl Guarded {
    /// `engine`, which may assume `facts`.
    pub fn new(engine: Box<dyn Engine<Cfa>>, facts: Vec<Fact>, solvers: Rc<dyn SolverFactory>) -> Guarded {
        Guarded { engine, facts, solvers, num_guards: 0 }
    }

    fn guards(&self, task: &Task<Cfa>, run: &Run) -> Result<Inject, Stop> {
        let fact = |(location, formula): (LocId, ExprId)| Fact::Invariant {
            location: task.model.locations[location].name.clone(),
            formula: print_term(&task.store, formula, Dialect::Thetis),
        };
        let invariants = inductive_part(task, &self.facts, &*self.solvers, run)?;
        Ok(Inject { facts: invariants.into_iter().map(fact).collect() })
    }
}

impl Engine<Cfa> for Guarded {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let guards = self.guards(task, run)?;
        self.num_guards = guards.facts.len() as u64;
        let passed = guards.apply(task.clone(), run)?;
        Ok(match self.engine.check(&passed.task, run)? {
            Verdict::Safe(Evidence::Given(proof)) => {
                Verdict::Safe(passed.lift.proof(task, &passed.task.store, proof))
            }
            Verdict::Unsafe(Evidence::Given(trace)) => {
                Verdict::Unsafe(Evidence::Given(passed.lift.trace(trace)))
            }
            other => other,
        })
    }

    fn statistics(&self) -> Statistics {
        self.engine.statistics().part(Statistics::new("inject").count("guards", self.num_guards))
    }
}
