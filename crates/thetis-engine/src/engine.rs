//! What all engines have in common.

use thetis_base::{Run, Statistics, Stop};
use thetis_model::{Model, Task, Verdict};

/// An algorithm that decides tasks of one formalism.
///
/// Callers may rely on: the answer comes with its evidence, or with the reason why there is none; the engine looks at
/// `run` often enough to stop within a fraction of a second; given the same task and configuration it takes the same
/// steps. Implementers must not print, read files or look at the clock.
pub trait Engine<M: Model> {
    /// Decides `task` within `run`.
    fn check(&mut self, task: &Task<M>, run: &Run) -> Result<Verdict<M>, Stop>;

    /// What the last `check` did. Readable after it whatever it returned, so that a cancelled run still reports.
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
