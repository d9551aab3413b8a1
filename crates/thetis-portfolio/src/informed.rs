//! IC3 that uses what others have found out.
//!
//! Invariants that are inductive together need not be learned again: the search relies on them, and they become part of its proof.
//! Predicates are tried as lemmas. Invariants that are not inductive here, because they are about another form or another version of
//! the program, are left out: the few that hold are found again more quickly than they could be sorted out.

use std::rc::Rc;

use thetis_base::{Fact, Run, Share, Statistics, Stop};
use thetis_bounded::inductive_part;
use thetis_engine::Engine;
use thetis_ic3::CfaIc3;
use thetis_model::cfa::Cfa;
use thetis_model::{Task, Verdict};
use thetis_solver::SolverFactory;

/// The engine. See the [module](self).
pub struct Informed {
    ic3: CfaIc3,
    invariants: Vec<Fact>,
    solvers: Rc<dyn SolverFactory>,
}

/// The share of the time for finding out which facts can be relied on.
const SORTING_SHARE: u32 = 30;

impl Informed {
    /// `ic3`, which may use `facts`.
    pub fn new(ic3: CfaIc3, facts: Vec<Fact>, solvers: Rc<dyn SolverFactory>) -> Informed {
        let is_invariant = |fact: &Fact| matches!(fact, Fact::Invariant { .. });
        let (invariants, others) = facts.into_iter().partition(is_invariant);
        Informed { ic3: ic3.with_facts(others), invariants, solvers }
    }
}

impl Engine<Cfa> for Informed {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        if !self.invariants.is_empty() {
            let part = run.slice(Share::percent(SORTING_SHARE));
            match inductive_part(task, &self.invariants, &*self.solvers, &part) {
                Ok(invariants) => self.ic3.rely_on(invariants),
                // A search that is cut short has found nothing.
                Err(Stop::OutOfTime) => run.checkpoint()?,
                Err(stop) => return Err(stop),
            }
        }
        self.ic3.check(task, run)
    }

    fn statistics(&self) -> Statistics {
        self.ic3.statistics()
    }
}
