//! The engine that suits the question about a net.

use thetis_base::{Run, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::petri::{Net, Question};
use thetis_model::{Task, Verdict};

/// One engine for questions with a target, and another that visits all markings for those without.
pub struct ByQuestion {
    target: Box<dyn Engine<Net>>,
    all_markings: Box<dyn Engine<Net>>,
    chosen: Chosen,
}

#[derive(Clone, Copy)]
enum Chosen {
    Target,
    AllMarkings,
}

impl ByQuestion {
    /// The two engines.
    pub fn new(target: Box<dyn Engine<Net>>, all_markings: Box<dyn Engine<Net>>) -> ByQuestion {
        ByQuestion { target, all_markings, chosen: Chosen::Target }
    }
}

impl Engine<Net> for ByQuestion {
    fn check(&mut self, task: &Task<Net>, run: &Run) -> Result<Verdict<Net>, Stop> {
        match task.property.question() {
            Question::Exists(_) | Question::Always(_) | Question::Deadlock | Question::OneSafe => {
                self.chosen = Chosen::Target;
                self.target.check(task, run)
            }
            Question::StateSpace | Question::Explore => {
                self.chosen = Chosen::AllMarkings;
                self.all_markings.check(task, run)
            }
        }
    }

    fn statistics(&self) -> Statistics {
        match self.chosen {
            Chosen::Target => self.target.statistics(),
            Chosen::AllMarkings => self.all_markings.statistics(),
        }
    }
}
