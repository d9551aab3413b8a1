//! The engine that suits the task.

use thetis_base::{Run, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::cfa::Cfa;
use thetis_model::sts::Sts;
use thetis_model::{Model, Task, Verdict};

use crate::portfolio::{Feature, cfa_has, sts_has};

/// One engine for tasks of a certain kind, and another for all others.
pub struct ByTask<M: Model> {
    is_of_kind: fn(&Task<M>) -> bool,
    suited: Box<dyn Engine<M>>,
    other: Box<dyn Engine<M>>,
    is_suited_asked: bool,
}

impl<M: Model> ByTask<M> {
    /// `suited` for the tasks that satisfy `is_of_kind`, and `other` for all others.
    pub fn new(
        is_of_kind: fn(&Task<M>) -> bool,
        suited: Box<dyn Engine<M>>,
        other: Box<dyn Engine<M>>,
    ) -> ByTask<M> {
        ByTask { is_of_kind, suited, other, is_suited_asked: false }
    }
}

impl<M: Model> Engine<M> for ByTask<M> {
    fn check(&mut self, task: &Task<M>, run: &Run) -> Result<Verdict<M>, Stop> {
        self.is_suited_asked = (self.is_of_kind)(task);
        let engine = if self.is_suited_asked { &mut self.suited } else { &mut self.other };
        engine.check(task, run)
    }

    fn statistics(&self) -> Statistics {
        if self.is_suited_asked { self.suited.statistics() } else { self.other.statistics() }
    }
}

/// Whether IC3 on bits can treat a transition system.
pub(crate) fn is_of_small_values(task: &Task<Sts>) -> bool {
    sts_has(task, Feature::SmallValues)
}

/// Whether everything in a transition system is Boolean.
pub(crate) fn is_of_booleans(task: &Task<Sts>) -> bool {
    sts_has(task, Feature::Booleans)
}

/// Whether a variable of an automaton is an array.
pub(crate) fn has_arrays(task: &Task<Cfa>) -> bool {
    cfa_has(task, Feature::Arrays)
}
