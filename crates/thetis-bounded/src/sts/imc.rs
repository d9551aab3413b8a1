//! Interpolation-based model checking of transition systems; the method is described in [`crate::imc`].
//!
//! The system becomes an automaton with one loop head, so there is one formula that collects states. A proof that
//! all runs of the automaton end would prove nothing about the system, so the engine does not look for one.

use thetis_base::{Run, Statistics, Stop};
use thetis_engine::{Engine, Through};
use thetis_model::cfa::Cfa;
use thetis_model::sts::{Sts, ToCfa};
use thetis_model::{Task, Verdict};

use crate::imc::{EndOfRuns, Imc};

impl Engine<Sts> for Imc {
    fn check(&mut self, task: &Task<Sts>, run: &Run) -> Result<Verdict<Sts>, Stop> {
        Through::new(ToCfa, OnAutomaton(self)).check(task, run)
    }

    fn statistics(&self) -> Statistics {
        Engine::<Cfa>::statistics(self)
    }
}

/// The engine as it is used on the automaton of a system.
struct OnAutomaton<'a>(&'a mut Imc);

impl Engine<Cfa> for OnAutomaton<'_> {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        self.0.decide(task, EndOfRuns::Ignored, run)
    }

    fn statistics(&self) -> Statistics {
        Engine::<Cfa>::statistics(self.0)
    }
}
