//! First as if arithmetic did not wrap around, then as it is.
//!
//! See [`WithoutWraps`] for why an answer without wraps is an answer with them, and when there is none.

use thetis_base::{Event, Run, Share, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::cfa::{Cfa, WithoutWraps};
use thetis_model::{Evidence, Task, Verdict};
use thetis_solver::SolverError;

/// An engine for automata without wraps, and one for those with wraps.
pub struct Optimist {
    hopeful: Box<dyn Engine<Cfa>>,
    share: Share,
    exact: Box<dyn Engine<Cfa>>,
    has_hoped: bool,
    is_exact_asked: bool,
}

impl Optimist {
    /// Asks `hopeful` for what has wraps without them, within `share` of the time, and `exact` for the rest.
    pub fn new(hopeful: Box<dyn Engine<Cfa>>, share: Share, exact: Box<dyn Engine<Cfa>>) -> Optimist {
        Optimist { hopeful, share, exact, has_hoped: false, is_exact_asked: false }
    }

    /// What follows for an automaton from the answer for it without wraps, if anything.
    fn hope(
        &mut self,
        task: &Task<Cfa>,
        without: &WithoutWraps,
        run: &Run,
    ) -> Result<Option<Verdict<Cfa>>, Stop> {
        self.has_hoped = true;
        let answer = match self.hopeful.check(&without.task, &run.slice(self.share)) {
            Ok(answer) => answer,
            Err(stop) if SolverError::is_missing(&stop) => return Err(stop),
            Err(stop) => {
                run.checkpoint()?;
                run.emit(Event::Note(format!("without wraps: {stop}")));
                return Ok(None);
            }
        };
        Ok(match answer {
            Verdict::Safe(Evidence::Given(proof)) => match without.proof(task, proof) {
                given @ Evidence::Given(_) => Some(Verdict::Safe(given)),
                Evidence::Missing(_) => None,
            },
            Verdict::Unsafe(Evidence::Given(trace)) if !without.overflows(&trace) => {
                Some(Verdict::Unsafe(Evidence::Given(trace)))
            }
            Verdict::Unsafe(_) => {
                run.emit(Event::Note("a value leaves its range".into()));
                None
            }
            Verdict::Safe(Evidence::Missing(_)) | Verdict::Unknown(_) => None,
        })
    }
}

impl Engine<Cfa> for Optimist {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        if let Some(without) = WithoutWraps::new(task)
            && let Some(verdict) = self.hope(task, &without, run)?
        {
            return Ok(verdict);
        }
        self.is_exact_asked = true;
        self.exact.check(task, run)
    }

    fn statistics(&self) -> Statistics {
        let parts = [
            (self.has_hoped, "without wraps", &self.hopeful),
            (self.is_exact_asked, "as it is", &self.exact),
        ];
        let asked = parts.iter().filter(|(is_asked, ..)| *is_asked);
        asked.fold(Statistics::new("auto"), |all, (_, name, engine)| {
            all.part(Statistics::new(*name).part(engine.statistics()))
        })
    }
}
