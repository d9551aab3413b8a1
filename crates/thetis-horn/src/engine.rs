//! The engines `horn` and `ice`: one system of clauses, one answer.
//!
//! A solution of the clauses gives the invariants of a proof. If there is none, an error is reachable, and the engine for
//! traces, which then needs no bound, has to find a run to it: solvers of clauses do not report one in a form that we can
//! use.

use thetis_base::{Event, Run, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_model::cfa::{Cfa, CfaProof};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{HornAnswer, HornSolver};

use crate::encode;
use crate::solving::Solving;

/// The engine. See the [module](self).
pub struct Horn {
    info: EngineInfo,
    solving: Solving,
    traces: Box<dyn Engine<Cfa>>,
    is_contradictory: bool,
}

impl Horn {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "horn",
        summary: "infers invariants by solving Horn clauses",
        answers: "safe and unsafe",
    };

    /// The description of this engine with a solver that learns.
    pub const ICE: EngineInfo = EngineInfo {
        name: "ice",
        summary: "learns invariants from points that runs reach or must not reach",
        answers: "safe and unsafe",
    };

    /// The engine `horn`: clauses are solved by `solver`, and errors that are known to be reachable found by `traces`.
    pub fn new(solver: Box<dyn HornSolver>, traces: Box<dyn Engine<Cfa>>) -> Horn {
        Horn { info: Horn::INFO, solving: Solving::new(solver), traces, is_contradictory: false }
    }

    /// The engine `ice`: the same with a solver that learns.
    pub fn learning(learner: Box<dyn HornSolver>, traces: Box<dyn Engine<Cfa>>) -> Horn {
        Horn { info: Horn::ICE, ..Horn::new(learner, traces) }
    }
}

impl Engine<Cfa> for Horn {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let encoding = encode(task);
        match self.solving.solve(&task.store, &encoding.system, run)? {
            HornAnswer::Solved(solution) => {
                let proof = CfaProof::invariants(encoding.invariants(solution));
                Ok(Verdict::Safe(Evidence::Given(proof)))
            }
            HornAnswer::Contradictory => {
                self.is_contradictory = true;
                run.emit(Event::Note("the clauses have no solution: looking for a violation".into()));
                self.traces.check(task, run)
            }
            HornAnswer::Unknown(reason) => {
                run.checkpoint()?;
                Ok(Verdict::Unknown(Reason::Incomplete(reason)))
            }
        }
    }

    fn statistics(&self) -> Statistics {
        let own = self.solving.statistics(self.info.name);
        if self.is_contradictory { own.part(self.traces.statistics()) } else { own }
    }
}
