//! The engine that suits the sorts of a transition system.

use thetis_base::{Run, Statistics, Stop};
use thetis_engine::Engine;
use thetis_model::sts::Sts;
use thetis_model::{Task, Verdict};
use thetis_sat::is_boolean;

/// One engine for systems in which everything is Boolean, and another for all else.
pub struct ByLogic {
    boolean: Box<dyn Engine<Sts>>,
    other: Box<dyn Engine<Sts>>,
    chosen: Chosen,
}

#[derive(Clone, Copy)]
enum Chosen {
    Boolean,
    Other,
}

impl ByLogic {
    /// The two engines.
    pub fn new(boolean: Box<dyn Engine<Sts>>, other: Box<dyn Engine<Sts>>) -> ByLogic {
        ByLogic { boolean, other, chosen: Chosen::Other }
    }
}

impl Engine<Sts> for ByLogic {
    fn check(&mut self, task: &Task<Sts>, run: &Run) -> Result<Verdict<Sts>, Stop> {
        let sts = &task.model;
        let parts = [sts.init, sts.trans, sts.constraint, sts.bad];
        let terms = parts.into_iter().chain(sts.next.values().copied());
        let vars = sts.vars.iter().map(|var| task.store.var_expr(*var));
        if is_boolean(&task.store, terms.chain(vars)) {
            self.chosen = Chosen::Boolean;
            return self.boolean.check(task, run);
        }
        self.chosen = Chosen::Other;
        self.other.check(task, run)
    }

    fn statistics(&self) -> Statistics {
        match self.chosen {
            Chosen::Boolean => self.boolean.statistics(),
            Chosen::Other => self.other.statistics(),
        }
    }
}
