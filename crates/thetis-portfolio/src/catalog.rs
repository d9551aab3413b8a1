//! Which engines there are. A new engine is one variant here.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use thetis_absint::Intervals;
use thetis_base::Share;
use thetis_bounded::{Bmc, BmcConfig};
use thetis_cegar::Cegar;
use thetis_engine::{Engine, Through};
use thetis_model::cfa::{Cfa, Prune};
use thetis_model::petri::Net;
use thetis_reach::{Explicit, StateEquation};
use thetis_solver::{Eliminator, SolverFactory};

use crate::sequential::Sequential;
use crate::{Config, ConfigError};

/// The name of an engine on the command line and in configurations.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineKind {
    /// Whatever suits the formalism.
    #[default]
    Auto,
    /// Bounded model checking of automata.
    Bmc,
    /// Abstraction refinement on automata.
    Cegar,
    /// Proofs by the ranges of the variables of automata.
    Intervals,
    /// The state equation of Petri nets.
    StateEquation,
    /// Explicit search of Petri nets.
    Explicit,
}

impl EngineKind {
    /// The name.
    pub fn name(self) -> &'static str {
        engines().iter().find(|info| info.kind == self).map_or("unknown", |info| info.name)
    }
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
    &[
        EngineInfo {
            kind: EngineKind::Auto,
            name: "auto",
            summary: "automata: `bmc` for a few rounds, `cegar`, `bmc`; nets: `state-equation`, `explicit`",
            answers: "what the chosen engines answer",
        },
        EngineInfo {
            kind: EngineKind::Bmc,
            name: "bmc",
            summary: "automata: bounded model checking, unrolls loops round by round",
            answers: "unsafe; safe if every loop towards an error ends after boundedly many rounds",
        },
        EngineInfo {
            kind: EngineKind::Cegar,
            name: "cegar",
            summary: "automata: abstracts, and refines by what makes a counterexample spurious",
            answers: "safe and unsafe",
        },
        EngineInfo {
            kind: EngineKind::Intervals,
            name: "intervals",
            summary: "automata: bounds the values of variables, without a solver",
            answers: "safe if the bounds alone exclude an error",
        },
        EngineInfo {
            kind: EngineKind::StateEquation,
            name: "state-equation",
            summary: "Petri nets: solves the state equation and refines it by what cannot be fired",
            answers: "reachable; unreachable if the state equation with traps and siphons has no solution",
        },
        EngineInfo {
            kind: EngineKind::Explicit,
            name: "explicit",
            summary: "Petri nets: visits the reachable markings, along stubborn sets",
            answers: "everything about nets whose markings fit into memory",
        },
    ]
}

/// What engines are made with.
pub struct Parts {
    /// The solvers.
    pub solvers: Rc<dyn SolverFactory>,
    /// Quantifier elimination.
    pub eliminator: Rc<dyn Eliminator>,
}

/// How many rounds and which part of the time bounded model checking has before abstraction refinement.
const FIRST_ROUNDS: u32 = 8;
const FIRST_SHARE: u32 = 30;
/// The part of the time that abstraction refinement has before bounded model checking goes on alone.
const CEGAR_SHARE: u32 = 80;

/// The engine for automata that `config` asks for.
pub fn for_cfa(config: &Config, parts: &Parts) -> Result<Box<dyn Engine<Cfa>>, ConfigError> {
    if let Some(conflict) = config.cegar.conflict() {
        return Err(ConfigError::Conflict(conflict));
    }
    let bmc = |max_bound| Box::new(Bmc::new(BmcConfig { max_bound }, parts.solvers.clone()));
    let cegar =
        || Box::new(Cegar::new(config.cegar.clone(), parts.solvers.clone(), parts.eliminator.clone()));
    let passes = || config.passes.chain();
    match config.engine {
        EngineKind::Auto => {
            let stages: Vec<(Share, Box<dyn Engine<Cfa>>)> = vec![
                (Share::percent(FIRST_SHARE), bmc(config.bmc.max_bound.min(FIRST_ROUNDS))),
                (Share::percent(CEGAR_SHARE), cegar()),
                (Share::percent(100), bmc(config.bmc.max_bound)),
            ];
            Ok(Box::new(Through::new(passes(), Sequential::new(stages))))
        }
        EngineKind::Bmc => Ok(Box::new(Through::new(passes(), *bmc(config.bmc.max_bound)))),
        EngineKind::Cegar => Ok(Box::new(Through::new(passes(), *cegar()))),
        EngineKind::Intervals => Ok(Box::new(Through::new(Prune, Intervals::new()))),
        EngineKind::StateEquation | EngineKind::Explicit => {
            Err(ConfigError::Engine { engine: config.engine, formalism: "automata" })
        }
    }
}

/// The part of the time that the state equation has before the explicit search.
const STATE_EQUATION_SHARE: u32 = 40;

/// The engine for Petri nets that `config` asks for.
pub fn for_net(config: &Config, parts: &Parts) -> Result<Box<dyn Engine<Net>>, ConfigError> {
    let state_equation =
        || Box::new(StateEquation::new(config.state_equation.clone(), Some(parts.solvers.clone())));
    let explicit = || Box::new(Explicit::new(config.explicit));
    match config.engine {
        EngineKind::Auto => Ok(Box::new(Sequential::new(vec![
            (Share::percent(STATE_EQUATION_SHARE), state_equation()),
            (Share::percent(100), explicit()),
        ]))),
        EngineKind::StateEquation => Ok(state_equation()),
        EngineKind::Explicit => Ok(explicit()),
        EngineKind::Bmc | EngineKind::Cegar | EngineKind::Intervals => {
            Err(ConfigError::Engine { engine: config.engine, formalism: "Petri nets" })
        }
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
