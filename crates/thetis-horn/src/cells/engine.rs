//! The engine for invariants about all cells of arrays. It builds a system of clauses and answers if the system has a solution. A
//! solution is guessed first; then a solver is asked, first with large numbers replaced by parameters.

use std::rc::Rc;

use thetis_base::{Run, Share, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_expr::{ExprId, Store};
use thetis_model::cfa::{Cfa, CfaProof};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{HornAnswer, HornSolver, HornSystem, SolverFactory};

use super::{CellEncoding, encode_cells, guesses};
use crate::houdini;
use crate::parameters::Parametric;
use crate::solving::Solving;

/// The part of the time for large numbers as parameters.
const PARAMETERS_SHARE: u32 = 70;

/// The part of the time for guesses.
const GUESSES_SHARE: u32 = 30;

/// The engine. See the [module](super).
pub struct CellHorn {
    solving: Solving,
    solvers: Rc<dyn SolverFactory>,
    num_guessed: u64,
}

impl CellHorn {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "cells",
        summary: "infers invariants about all cells of arrays by solving Horn clauses without arrays",
        answers: "safe",
    };

    /// An engine that solves clauses with `solver` and checks guesses with solvers of the given kind.
    pub fn new(solver: Box<dyn HornSolver>, solvers: Rc<dyn SolverFactory>) -> CellHorn {
        CellHorn { solving: Solving::new(solver), solvers, num_guessed: 0 }
    }

    /// A solution among the guesses, if one is found within the time for guessing.
    fn guess(
        &mut self,
        task: &Task<Cfa>,
        encoding: &CellEncoding,
        run: &Run,
    ) -> Result<Option<Vec<ExprId>>, Stop> {
        let part = run.slice(Share::percent(GUESSES_SHARE));
        let Some(candidates) = guesses::of(task, encoding, &part)? else { return Ok(None) };
        self.num_guessed = candidates.iter().map(|guesses| guesses.len() as u64).sum();
        match houdini::solve(&task.store, encoding.system(), candidates, &*self.solvers, &part) {
            Err(Stop::OutOfTime) => run.checkpoint().map(|()| None),
            outcome => outcome,
        }
    }

    fn solve(&mut self, store: &Store, system: &HornSystem, run: &Run) -> Result<HornAnswer, Stop> {
        if let Some(parametric) = Parametric::new(store, system) {
            let slice = run.slice(Share::percent(PARAMETERS_SHARE));
            if let HornAnswer::Solved(solution) = self.solving.solve(store, &parametric.system, &slice)? {
                return Ok(HornAnswer::Solved(parametric.instance(store, solution)));
            }
        }
        self.solving.solve(store, system, run)
    }
}

impl Engine<Cfa> for CellHorn {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let unknown = |reason: &str| Ok(Verdict::Unknown(Reason::Incomplete(reason.into())));
        let encoding = match encode_cells(task) {
            Ok(encoding) => encoding,
            Err(reason) => return unknown(reason),
        };
        let answer = match self.guess(task, &encoding, run)? {
            Some(solution) => HornAnswer::Solved(solution),
            None => self.solve(&task.store, encoding.system(), run)?,
        };
        match answer {
            HornAnswer::Solved(solution) => {
                let invariants = encoding.invariants(&task.store, solution);
                Ok(Verdict::Safe(Evidence::Given(CfaProof::Invariants(invariants))))
            }
            HornAnswer::Contradictory => {
                unknown("no invariant about single cells of arrays excludes the errors")
            }
            HornAnswer::Unknown(reason) => {
                run.checkpoint()?;
                unknown(&reason)
            }
        }
    }

    fn statistics(&self) -> Statistics {
        self.solving.statistics("cells").count("guesses", self.num_guessed)
    }
}
