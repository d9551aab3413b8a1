//! What all engines have in common.

use thetis_base::{Run, Statistics, Stop};
use thetis_model::{Model, Task, Verdict};

/// An algorithm that decides tasks of one formalism.
///
/// Callers may rely on the following: the answer comes with its evidence, or with the reason why there is none; the
/// engine checks `run` often enough to stop within a fraction of a second; given the same task and configuration, it
/// takes the same steps. Implementers must not print, read files or read the clock.
pub trait Engine<M: Model> {
    /// Decides `task` within `run`.
    fn check(&mut self, task: &Task<M>, run: &Run) -> Result<Verdict<M>, Stop>;

    /// What the last `check` did, whatever it returned, so that a cancelled run still has statistics.
    fn statistics(&self) -> Statistics;
}

impl<M: Model, E: Engine<M> + ?Sized> Engine<M> for Box<E> {
    fn check(&mut self, task: &Task<M>, run: &Run) -> Result<Verdict<M>, Stop> {
        (**self).check(task, run)
    }

    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }
}

impl<M: Model, E: Engine<M> + ?Sized> Engine<M> for &mut E {
    fn check(&mut self, task: &Task<M>, run: &Run) -> Result<Verdict<M>, Stop> {
        (**self).check(task, run)
    }

    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }
}
