//! An engine that is asked about an automaton as if its arithmetic did not wrap around.
//!
//! See [`WithoutWraps`] for why an answer without wraps is an answer with them, and when there is none. Once a run has been found on which a
//! value leaves its range, no engine has a proof without wraps, so those that share the [`Hope`] are not asked any more.

use std::cell::Cell;
use std::rc::Rc;

use thetis_base::{Run, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::cfa::{Cfa, WithoutWraps};
use thetis_model::{Evidence, Reason, Task, Verdict};

/// The hope that no value of one task leaves its range, until a run shows that one does. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Hope {
    is_lost: Rc<Cell<bool>>,
}

/// The engine. See the [module](self).
pub struct WithoutWrapping {
    engine: Box<dyn Engine<Cfa>>,
    hope: Hope,
    is_asked: bool,
}

impl WithoutWrapping {
    /// `engine`, for automata without wraps as long as there is hope.
    pub fn new(engine: Box<dyn Engine<Cfa>>, hope: Hope) -> WithoutWrapping {
        WithoutWrapping { engine, hope, is_asked: false }
    }
}

impl Engine<Cfa> for WithoutWrapping {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let unknown = |reason: &str| Verdict::Unknown(Reason::Incomplete(reason.to_owned()));
        if self.hope.is_lost.get() {
            return Ok(unknown("a value is known to leave its range"));
        }
        let Some(without) = WithoutWraps::new(task) else { return Ok(unknown("nothing can wrap around")) };
        self.is_asked = true;
        Ok(match self.engine.check(&without.task, run)? {
            Verdict::Safe(Evidence::Given(proof)) => Verdict::Safe(without.proof(task, proof)),
            Verdict::Unsafe(Evidence::Given(trace)) if without.overflows(&trace) => {
                self.hope.is_lost.set(true);
                unknown("a value leaves its range")
            }
            other => other,
        })
    }

    fn statistics(&self) -> Statistics {
        let statistics = Statistics::new("without wraps");
        if self.is_asked { statistics.part(self.engine.statistics()) } else { statistics }
    }
}
