//! Which engines there are. A new engine is one variant here.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use thetis_absint::Intervals;
use thetis_base::Share;
use thetis_bounded::{Bmc, BmcConfig, Kind, KindConfig};
use thetis_cegar::{Cegar, CegarTools};
use thetis_engine::{Engine, Through};
use thetis_ic3::Ic3;
use thetis_model::cfa::{Cfa, Prune};
use thetis_model::petri::Net;
use thetis_model::sts::{Cone, Sts, ToCfa};
use thetis_reach::{Explicit, StateEquation};
use thetis_sat::SatFactory;
use thetis_solver::{Eliminator, Interpolator, SolverFactory};

use crate::portfolio::UseOfFacts;
use crate::sequential::Sequential;
use crate::{ByLogic, Config, ConfigError, Cooperating, Cooperation, Guarded};

/// The name of an engine on the command line and in configurations.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineKind {
    /// Whatever suits the formalism.
    #[default]
    Auto,
    /// Bounded model checking of automata and transition systems.
    Bmc,
    /// k-induction on automata and transition systems.
    Kind,
    /// IC3 on transition systems over bits.
    Ic3,
    /// Abstraction refinement on automata and transition systems.
    Cegar,
    /// Proofs by the ranges of the variables of automata.
    Intervals,
    /// The state equation of Petri nets.
    StateEquation,
    /// Explicit search of Petri nets.
    Explicit,
    /// Stages of engines.
    Portfolio,
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
            summary: "automata: `bmc`, `kind`, `cegar`; systems: `kind`, `ic3`, `bmc`, `cegar`; nets: `state-equation`, `explicit`",
            answers: "what the chosen engines answer",
        },
        EngineInfo {
            kind: EngineKind::Bmc,
            name: "bmc",
            summary: "automata, systems: bounded model checking, unrolls loops round by round",
            answers: "unsafe; automata: safe if every loop towards an error ends after boundedly many rounds",
        },
        EngineInfo {
            kind: EngineKind::Kind,
            name: "kind",
            summary: "automata, systems: k-induction, shows that rounds or steps after good ones are good",
            answers: "unsafe; safe if the property follows from boundedly many rounds or steps before, with lemmas",
        },
        EngineInfo {
            kind: EngineKind::Ic3,
            name: "ic3",
            summary: "systems of Booleans and small integers: learns clauses that exclude what leads to a bad step",
            answers: "safe and unsafe",
        },
        EngineInfo {
            kind: EngineKind::Cegar,
            name: "cegar",
            summary: "automata, systems: abstracts, and refines by what makes a counterexample spurious",
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
        EngineInfo {
            kind: EngineKind::Portfolio,
            name: "portfolio",
            summary: "automata: the stages of the configuration, in processes of their own",
            answers: "what its stages answer",
        },
    ]
}

/// What engines are made with.
#[derive(Clone)]
pub struct Parts {
    /// The solvers.
    pub solvers: Rc<dyn SolverFactory>,
    /// Quantifier elimination.
    pub eliminator: Rc<dyn Eliminator>,
    /// Makes an interpolator that solves Horn clauses.
    pub horn: Rc<dyn Fn() -> Box<dyn Interpolator>>,
    /// What engines for automata have to do with others.
    pub cooperation: Cooperation,
}

impl Parts {
    fn cegar_tools(&self) -> CegarTools {
        CegarTools {
            solvers: self.solvers.clone(),
            eliminator: self.eliminator.clone(),
            horn: self.horn.clone(),
        }
    }
}

/// How many rounds and which part of the time bounded model checking has before the others.
const FIRST_ROUNDS: u32 = 8;
const FIRST_SHARE: u32 = 30;
/// Up to which `k` and in which part of the rest k-induction is tried. If it finds a proof, it does so early: its
/// lemmas, not a long history, are what proves most loops.
const FIRST_K: u32 = 5;
const KIND_SHARE: u32 = 20;
/// The part of the time that abstraction refinement has before bounded model checking goes on alone.
const CEGAR_SHARE: u32 = 80;

/// The engine for automata that `config` asks for.
pub fn for_cfa(config: &Config, parts: &Parts) -> Result<Box<dyn Engine<Cfa>>, ConfigError> {
    if let Some(conflict) = config.cegar.conflict() {
        return Err(ConfigError::Conflict(conflict));
    }
    let bmc = |max_bound| Box::new(Bmc::new(BmcConfig { max_bound }, parts.solvers.clone()));
    let cegar = || {
        let cegar = Cegar::new(config.cegar.clone(), parts.cegar_tools());
        Box::new(Cooperating::new(cegar, parts.cooperation.clone()))
    };
    let kind = |max_k| {
        let kind = Kind::new(KindConfig { max_k, ..config.kind.clone() }, parts.solvers.clone());
        Box::new(match parts.cooperation.use_of_facts {
            UseOfFacts::Lemmas => kind.with_facts(parts.cooperation.facts.clone()),
            UseOfFacts::Ignore | UseOfFacts::Assumptions | UseOfFacts::Predicates => kind,
        })
    };
    let engine: Box<dyn Engine<Cfa>> = match config.engine {
        EngineKind::Auto => {
            let stages: Vec<(Share, Box<dyn Engine<Cfa>>)> = vec![
                (Share::percent(FIRST_SHARE), bmc(config.bmc.max_bound.min(FIRST_ROUNDS))),
                (Share::percent(KIND_SHARE), kind(config.kind.max_k.min(FIRST_K))),
                (Share::percent(CEGAR_SHARE), cegar()),
                (Share::percent(100), bmc(config.bmc.max_bound)),
            ];
            Box::new(Sequential::new(stages))
        }
        EngineKind::Bmc => bmc(config.bmc.max_bound),
        EngineKind::Kind => kind(config.kind.max_k),
        EngineKind::Cegar => cegar(),
        EngineKind::Intervals => return Ok(Box::new(Through::new(Prune, Intervals::new()))),
        EngineKind::Ic3 | EngineKind::StateEquation | EngineKind::Explicit | EngineKind::Portfolio => {
            return Err(ConfigError::Engine { engine: config.engine, formalism: "automata" });
        }
    };
    let engine: Box<dyn Engine<Cfa>> = match parts.cooperation.use_of_facts {
        UseOfFacts::Assumptions => {
            Box::new(Guarded::new(engine, parts.cooperation.facts.clone(), parts.solvers.clone()))
        }
        UseOfFacts::Ignore | UseOfFacts::Lemmas | UseOfFacts::Predicates => engine,
    };
    Ok(Box::new(Through::new(config.passes.chain(), engine)))
}

/// A transition system is first tried with k-induction up to a small `k`: shallow violations and properties that are
/// almost inductive are found at once, if at all; through an SMT solver each step costs more. Then IC3 has most of the
/// time; it gives up at once if it does not suit.
const BOOLEAN_FIRST_K: u32 = 16;
const OTHER_FIRST_K: u32 = 4;
const STS_FIRST_SHARE: u32 = 20;
const STS_IC3_SHARE: u32 = 65;
/// The part of the rest for bounded model checking, which finds deep violations of wide circuits.
const STS_BMC_SHARE: u32 = 60;

/// The engine for transition systems that `config` asks for.
pub fn for_sts(config: &Config, parts: &Parts) -> Result<Box<dyn Engine<Sts>>, ConfigError> {
    if let Some(conflict) = config.cegar.conflict() {
        return Err(ConfigError::Conflict(conflict));
    }
    let sat: Rc<dyn SolverFactory> = Rc::new(SatFactory);
    let bmc = |solvers: &Rc<dyn SolverFactory>| -> Box<dyn Engine<Sts>> {
        Box::new(Bmc::new(config.bmc.clone(), solvers.clone()))
    };
    let kind_up_to = |max_k: u32, solvers: &Rc<dyn SolverFactory>| -> Box<dyn Engine<Sts>> {
        let config = KindConfig { max_k: config.kind.max_k.min(max_k), ..config.kind.clone() };
        Box::new(Kind::new(config, solvers.clone()))
    };
    let kind = |solvers| kind_up_to(u32::MAX, solvers);
    let cegar = || {
        let cegar = Cegar::new(config.cegar.clone(), parts.cegar_tools());
        Box::new(Through::new(ToCfa, cegar))
    };
    let ic3 = || Box::new(Ic3::new(config.ic3.clone()));
    let engine: Box<dyn Engine<Sts>> = match config.engine {
        EngineKind::Auto => {
            let boolean: Vec<(Share, Box<dyn Engine<Sts>>)> = vec![
                (Share::percent(STS_FIRST_SHARE), kind_up_to(BOOLEAN_FIRST_K, &sat)),
                (Share::percent(STS_IC3_SHARE), ic3()),
                (Share::percent(STS_BMC_SHARE), bmc(&sat)),
                (Share::percent(100), kind(&sat)),
            ];
            let other: Vec<(Share, Box<dyn Engine<Sts>>)> = vec![
                (Share::percent(STS_FIRST_SHARE), kind_up_to(OTHER_FIRST_K, &parts.solvers)),
                (Share::percent(STS_IC3_SHARE), ic3()),
                (Share::percent(STS_BMC_SHARE), bmc(&parts.solvers)),
                (Share::percent(100), cegar()),
            ];
            Box::new(ByLogic::new(Box::new(Sequential::new(boolean)), Box::new(Sequential::new(other))))
        }
        EngineKind::Bmc => Box::new(ByLogic::new(bmc(&sat), bmc(&parts.solvers))),
        EngineKind::Kind => Box::new(ByLogic::new(kind(&sat), kind(&parts.solvers))),
        EngineKind::Ic3 => ic3(),
        EngineKind::Cegar => cegar(),
        EngineKind::Intervals | EngineKind::StateEquation | EngineKind::Explicit | EngineKind::Portfolio => {
            return Err(ConfigError::Engine { engine: config.engine, formalism: "transition systems" });
        }
    };
    Ok(Box::new(Through::new(Cone, engine)))
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
        EngineKind::Bmc
        | EngineKind::Kind
        | EngineKind::Ic3
        | EngineKind::Cegar
        | EngineKind::Intervals
        | EngineKind::Portfolio => {
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
