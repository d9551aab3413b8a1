//! Stages that are asked about the same program with its numbers as bit-vectors.
//!
//! A front end can express the numbers of a program as integers, which are wrapped where they may leave their range, or as bit-vectors. Both are
//! exact. Integers suit loops that go on for long, whose invariants are linear. Bit-vectors suit loops with few rounds over bytes: a solver turns
//! them into a propositional formula, where it would have to split cases over sums and remainders.
//!
//! The second translation is made only when such a stage begins. It is another model, with evidence of its own, so an answer about it ends the
//! portfolio as it is: no pass leads back, and [`BitVectors::has_answered`] tells what the evidence is about.

use std::cell::Cell;
use std::rc::Rc;

use thetis_base::{Run, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::{Evidence, Model, Reason, Task, Verdict};

/// The task with its numbers as bit-vectors, made on demand. Clones share whether it was answered.
pub struct BitVectors<M: Model> {
    make: Rc<dyn Fn() -> Option<Rc<Task<M>>>>,
    has_answered: Rc<Cell<bool>>,
}

impl<M: Model> BitVectors<M> {
    /// With what makes the task. The evidence has terms of its store, so whoever checks the evidence needs the same task and not an earlier copy.
    pub fn new(make: impl Fn() -> Option<Rc<Task<M>>> + 'static) -> BitVectors<M> {
        BitVectors { make: Rc::new(make), has_answered: Rc::default() }
    }

    /// Whether the evidence of the portfolio is about this task.
    pub fn has_answered(&self) -> bool {
        self.has_answered.get()
    }
}

impl<M: Model> Clone for BitVectors<M> {
    fn clone(&self) -> BitVectors<M> {
        BitVectors { make: self.make.clone(), has_answered: self.has_answered.clone() }
    }
}

/// Asks an engine about the task with bit-vectors. See the [module](self).
pub(super) struct InBitVectors<M: Model> {
    pub(super) bit_vectors: Option<BitVectors<M>>,
    pub(super) engine: Box<dyn Engine<M>>,
}

impl<M: Model> Engine<M> for InBitVectors<M> {
    fn check(&mut self, _task: &Task<M>, run: &Run) -> Result<Verdict<M>, Stop> {
        let unknown = |reason: &str| Ok(Verdict::Unknown(Reason::Incomplete(reason.to_owned())));
        let Some(bit_vectors) = &self.bit_vectors else { return unknown("there is no other translation") };
        let Some(task) = (bit_vectors.make)() else {
            return unknown("there is no translation to bit-vectors");
        };
        let verdict = self.engine.check(&task, run)?;
        if let Verdict::Safe(Evidence::Given(_)) | Verdict::Unsafe(Evidence::Given(_)) = &verdict {
            bit_vectors.has_answered.set(true);
        }
        Ok(verdict)
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("bit-vectors").part(self.engine.statistics())
    }
}
