//! Which engines there are. A new engine is one variant here.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use thetis_bounded::Bmc;
use thetis_engine::{Engine, Through};
use thetis_model::cfa::{Cfa, Prune};
use thetis_solver::SolverFactory;

use crate::Config;

/// The name of an engine on the command line and in configurations.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineKind {
    /// Bounded model checking.
    #[default]
    Bmc,
}

/// What users are told about an engine.
#[derive(Clone, Copy, Debug)]
pub struct EngineInfo {
    /// The engine.
    pub kind: EngineKind,
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// What it can answer.
    pub answers: &'static str,
}

/// All engines.
pub fn engines() -> &'static [EngineInfo] {
    &[EngineInfo {
        kind: EngineKind::Bmc,
        name: "bmc",
        summary: "bounded model checking: unrolls loops round by round",
        answers: "unsafe; safe if every loop towards an error ends after boundedly many rounds",
    }]
}

/// The engine that `config` asks for.
pub fn create(config: &Config, solvers: Rc<dyn SolverFactory>) -> Box<dyn Engine<Cfa>> {
    match config.engine {
        EngineKind::Bmc => Box::new(Through::new(Prune, Bmc::new(config.bmc.clone(), solvers))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_catalog_are_those_of_configurations() {
        for info in engines() {
            let text = format!("engine = \"{}\"", info.name);
            assert_eq!(Config::from_toml(&text).map(|config| config.engine).ok(), Some(info.kind));
        }
    }
}
