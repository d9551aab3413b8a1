//! Bounded model checking on transition systems.
//!
//! The path from the initial states is extended step by step in one incremental solver; each step is asked whether it can
//! be bad. Here the bound counts steps after the first. The answer is `Unsafe` with a shortest run, or `Unknown` at the
//! configured bound.

use thetis_base::{Event, Run, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::sts::Sts;
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::Answer;

use super::path::{Path, Start};
use crate::bmc::{Bmc, BmcStats};

impl Engine<Sts> for Bmc {
    fn check(&mut self, task: &Task<Sts>, run: &Run) -> Result<Verdict<Sts>, Stop> {
        self.stats = BmcStats::default();
        let store = &task.store;
        let mut solver = self.solvers.start(run)?;
        let (mut path, mut demands) = Path::new(task, Start::Initial);
        for bound in 0..=self.config.max_bound {
            run.checkpoint()?;
            demands.extend(path.conjuncts(task.model.constraint));
            for demand in demands.drain(..) {
                solver.assert(store, demand)?;
            }
            let bad = path.at_last(task.model.bad);
            self.stats.rounds += 1;
            if bad != store.fals() {
                self.stats.queries += 1;
                match solver.check(store, &[bad])? {
                    Answer::Sat(valuation) => {
                        return Ok(Verdict::Unsafe(Evidence::Given(path.trace(&valuation)?)));
                    }
                    Answer::Unsat => {}
                    Answer::Unknown(reason) => {
                        run.checkpoint()?;
                        return Ok(Verdict::Unknown(Reason::Solver(reason.to_string())));
                    }
                }
                solver.assert(store, store.not(bad))?;
            }
            run.emit(Event::SafeUpTo(bound));
            demands = path.extend();
        }
        Ok(Verdict::Unknown(Reason::Bound(self.config.max_bound)))
    }

    fn statistics(&self) -> Statistics {
        self.stats.report()
    }
}
