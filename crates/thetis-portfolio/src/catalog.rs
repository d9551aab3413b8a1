//! Which engines there are. A new engine is one variant here.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use thetis_absint::Intervals;
use thetis_base::{Fact, Share};
use thetis_bounded::{Bmc, BmcConfig, Imc, Kind, KindConfig};
use thetis_cegar::Cegar;
use thetis_engine::{Engine, Limited, Through};
use thetis_horn::{CellHorn, Horn};
use thetis_ic3::{CfaIc3, Ic3, Reports, ToBits};
use thetis_interpolate::Tools;
use thetis_model::Chain;
use thetis_model::cfa::{self, Cfa, Prune, Unfold};
use thetis_model::petri::Net;
use thetis_model::sts::{Cone, Sts, ToCfa};
use thetis_reach::{Explicit, StateEquation, ToSts};
use thetis_sat::SatFactory;
use thetis_simulate::{Simulate, SimulateConfig};
use thetis_solver::{Eliminator, HornSolver, Interpolator, SolverFactory};

use crate::by_task::{has_arrays, has_target, is_of_booleans, is_of_small_values};
use crate::passes::Control;
use crate::portfolio::UseOfFacts;
use crate::sequential::Sequential;
use crate::{ByTask, Config, ConfigError, Cooperating, Cooperation, Guarded, Optimist};

/// The name of an engine on the command line and in configurations.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineKind {
    /// Whatever suits the formalism.
    #[default]
    Auto,
    /// Bounded model checking of automata, transition systems and nets.
    Bmc,
    /// k-induction on automata, transition systems and nets.
    Kind,
    /// Interpolation-based model checking of automata, transition systems and nets.
    Imc,
    /// IC3 on automata, transition systems and bounded nets.
    Ic3,
    /// Abstraction refinement on automata, transition systems and nets.
    Cegar,
    /// Invariants of automata as solutions of Horn clauses.
    Horn,
    /// Proofs by the ranges of the variables of automata.
    Intervals,
    /// Runs of automata on inputs that matter.
    Simulate,
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
            summary: "automata: `simulate`, `bmc`, `kind`, `horn`, `cegar`; systems: `kind`, `ic3`, `bmc`, `cegar`; nets: `state-equation`, `explicit`, those of systems",
            answers: "what the chosen engines answer",
        },
        EngineInfo {
            kind: EngineKind::Bmc,
            name: "bmc",
            summary: "automata, systems, nets: bounded model checking, unrolls loops round by round",
            answers: "unsafe; automata: safe if every loop towards an error ends after boundedly many rounds",
        },
        EngineInfo {
            kind: EngineKind::Kind,
            name: "kind",
            summary: "automata, systems, nets: k-induction, shows that rounds or steps after good ones are good",
            answers: "unsafe; safe if the property follows from boundedly many rounds or steps before, with lemmas",
        },
        EngineInfo {
            kind: EngineKind::Imc,
            name: "imc",
            summary: "automata, systems, nets: interpolation-based model checking, collects what rounds or steps lead to",
            answers: "safe and unsafe",
        },
        EngineInfo {
            kind: EngineKind::Ic3,
            name: "ic3",
            summary: "automata, systems of Booleans and small integers, bounded nets: learns clauses that exclude what leads to an error",
            answers: "safe and unsafe",
        },
        EngineInfo {
            kind: EngineKind::Cegar,
            name: "cegar",
            summary: "automata, systems, nets: abstracts, and refines by what makes a counterexample spurious",
            answers: "safe and unsafe",
        },
        EngineInfo {
            kind: EngineKind::Horn,
            name: "horn",
            summary: "automata: has Horn clauses solved whose solutions are invariants",
            answers: "safe and unsafe",
        },
        EngineInfo {
            kind: EngineKind::Intervals,
            name: "intervals",
            summary: "automata: bounds the values of variables, without a solver",
            answers: "safe if the bounds alone exclude an error",
        },
        EngineInfo {
            kind: EngineKind::Simulate,
            name: "simulate",
            summary: "automata: runs them on inputs that matter, without a solver",
            answers: "unsafe",
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
    /// Makes a solver of Horn clauses.
    pub clauses: Rc<dyn Fn() -> Box<dyn HornSolver>>,
    /// What engines for automata have to do with others.
    pub cooperation: Cooperation,
}

impl Parts {
    /// What engines that interpolate work with.
    fn tools(&self) -> Tools {
        Tools { solvers: self.solvers.clone(), eliminator: self.eliminator.clone(), horn: self.horn.clone() }
    }
}

// The shares of `auto` on automata are such that each stage has the time in which it gave nearly all of its answers on the public
// C programs (docs/results.md).

/// The part of the time for what is quick if it succeeds: bounded model checking for a few rounds, Horn clauses about the cells of
/// arrays, if there are any, each in a part of what is left of that, and k-induction.
const QUICK_SHARE: u32 = 50;
const FIRST_ROUNDS: u32 = 8;
const FIRST_SHARE: u32 = 35;
const CELLS_SHARE: u32 = 50;
/// Up to which `k` induction is tried. If it finds a proof, it does so early: its lemmas, not a long history, are what proves
/// most loops.
const FIRST_K: u32 = 5;
/// How many steps simulation has, in which part of the rest: so few at first that proofs hardly wait for them, then as
/// many as take some seconds. What it finds it mostly finds soon.
const FIRST_STEPS: u64 = 100_000;
const MORE_STEPS: u64 = 30_000_000;
const SIMULATE_SHARE: u32 = 15;
/// The part of the time for the cells of arrays where only clauses with arrays come afterwards.
const CELLS_BEFORE_HORN_SHARE: u32 = 50;
/// The part of the time for Horn clauses: what they are good at is solved soon.
const HORN_SHARE: u32 = 20;
/// The part of the time that abstraction refinement has before bounded model checking goes on alone.
const CEGAR_SHARE: u32 = 80;
/// Abstraction refinement is mostly better off with the states of state machines as locations, so it has them first.
const UNFOLD: Unfold = Unfold { max_locations: 500 };
const UNFOLDED_SHARE: u32 = 70;
/// The part of the time for the hope that arithmetic does not wrap around.
const HOPEFUL_SHARE: u32 = 50;

/// The engine for automata that `config` asks for. It respects their limits.
pub fn for_cfa(config: &Config, parts: &Parts) -> Result<Box<dyn Engine<Cfa>>, ConfigError> {
    Ok(Box::new(Limited::new(without_limits(config, parts)?)))
}

/// The same engine for automata that describe all of what they stand for.
fn without_limits(config: &Config, parts: &Parts) -> Result<Box<dyn Engine<Cfa>>, ConfigError> {
    refuse_conflicts(config)?;
    let made = ForCfa { config, parts };
    if config.passes.control == Control::Variable {
        return made.with_location_variable();
    }
    let can_unfold = matches!(config.engine, EngineKind::Auto | EngineKind::Horn | EngineKind::Cegar);
    if config.passes.unfolding().is_some() && !can_unfold {
        return Err(ConfigError::Conflict("`passes.unfold` is for `auto`, `horn` and `cegar`"));
    }
    let engine = match config.engine {
        EngineKind::Auto => return Ok(made.hoping(|made, is_hopeful| made.sequence(is_hopeful))),
        EngineKind::Horn => {
            return Ok(made.hoping(|made, _| made.merged(made.unfolded(made.horn_with_cells()))));
        }
        EngineKind::Bmc => made.bmc_with_lemmas(),
        EngineKind::Kind => made.kind(u32::MAX),
        EngineKind::Imc => made.imc(),
        EngineKind::Ic3 => return Ok(made.hoping(|made, _| made.merged(made.ic3()))),
        EngineKind::Cegar => made.unfolded(made.cegar()),
        EngineKind::Intervals => return Ok(Box::new(Through::new(Prune, Intervals::new()))),
        EngineKind::Simulate => {
            let simplifying = Chain::new(config.passes.simplifying());
            return Ok(Box::new(Through::new(simplifying, made.simulate(u64::MAX))));
        }
        EngineKind::StateEquation | EngineKind::Explicit | EngineKind::Portfolio => {
            return Err(ConfigError::Engine { engine: config.engine, formalism: "automata" });
        }
    };
    Ok(Box::new(Through::new(config.passes.chain(), made.with_facts(engine))))
}

fn refuse_conflicts(config: &Config) -> Result<(), ConfigError> {
    let conflict =
        config.cegar.conflict().or_else(|| config.imc.conflict()).or_else(|| config.ic3.conflict());
    match conflict {
        Some(conflict) => Err(ConfigError::Conflict(conflict)),
        None => Ok(()),
    }
}

/// Makes engines for automata.
#[derive(Clone, Copy)]
struct ForCfa<'a> {
    config: &'a Config,
    parts: &'a Parts,
}

impl ForCfa<'_> {
    fn bmc(self, max_bound: u32) -> Box<dyn Engine<Cfa>> {
        let max_bound = self.config.bmc.max_bound.min(max_bound);
        Box::new(Bmc::new(BmcConfig { max_bound }, self.parts.solvers.clone()))
    }

    /// Bounded model checking that takes the time to look what of the facts can be relied on.
    fn bmc_with_lemmas(self) -> Box<dyn Engine<Cfa>> {
        let bmc = Bmc::new(self.config.bmc.clone(), self.parts.solvers.clone());
        Box::new(bmc.with_facts(self.facts_for_lemmas()))
    }

    /// What others have found out, if it is to be used as lemmas.
    fn facts_for_lemmas(self) -> Vec<Fact> {
        match self.parts.cooperation.use_of_facts {
            UseOfFacts::Lemmas => self.parts.cooperation.facts.clone(),
            UseOfFacts::Ignore | UseOfFacts::Assumptions | UseOfFacts::Predicates => Vec::new(),
        }
    }

    fn cegar(self) -> Box<dyn Engine<Cfa>> {
        let cegar = Cegar::new(self.config.cegar.clone(), self.parts.tools());
        Box::new(Cooperating::new(cegar, self.parts.cooperation.clone()))
    }

    /// Abstraction refinement with states as locations, if there are any, and without.
    fn cegar_on_state_machines(self) -> Box<dyn Engine<Cfa>> {
        let unfold = self.config.passes.unfolding().unwrap_or(UNFOLD);
        let stages: Vec<(Share, Box<dyn Engine<Cfa>>)> = vec![
            (Share::percent(UNFOLDED_SHARE), Box::new(Through::new(unfold, self.cegar()))),
            (Share::percent(100), self.cegar()),
        ];
        Box::new(ByTask::new(Unfold::is_useful, Box::new(Sequential::new(stages)), self.cegar()))
    }

    fn horn(self) -> Box<dyn Engine<Cfa>> {
        Box::new(Horn::new((self.parts.clauses)(), self.bmc(u32::MAX)))
    }

    /// The engine for transition systems behind a pass that makes the location a variable.
    fn with_location_variable(self) -> Result<Box<dyn Engine<Cfa>>, ConfigError> {
        let is_suitable = matches!(self.config.engine, EngineKind::Bmc | EngineKind::Kind | EngineKind::Imc);
        if !is_suitable || self.parts.cooperation.use_of_facts != UseOfFacts::Ignore {
            return Err(ConfigError::Conflict(
                "`passes.control = \"variable\"` is for `bmc`, `kind` and `imc` without facts of others",
            ));
        }
        let system = for_sts(self.config, self.parts)?;
        Ok(Box::new(Through::new(self.config.passes.chain(), Through::new(cfa::ToSts, system))))
    }

    fn imc(self) -> Box<dyn Engine<Cfa>> {
        Box::new(Imc::new(self.config.imc.clone(), self.parts.tools()))
    }

    fn ic3(self) -> Box<dyn Engine<Cfa>> {
        let reports = if self.parts.cooperation.tells { Reports::Facts } else { Reports::Nothing };
        let ic3 = CfaIc3::new(self.config.ic3.clone(), self.parts.solvers.clone());
        Box::new(ic3.with_facts(self.facts_for_lemmas()).reporting(reports))
    }

    fn simulate(self, max_steps: u64) -> Box<dyn Engine<Cfa>> {
        let max_steps = self.config.simulate.max_steps.min(max_steps);
        Box::new(Simulate::new(SimulateConfig { max_steps, ..self.config.simulate.clone() }))
    }

    /// Invariants about all cells of arrays.
    fn cells(self) -> Box<dyn Engine<Cfa>> {
        Box::new(CellHorn::new((self.parts.clauses)()))
    }

    fn horn_with_cells(self) -> Box<dyn Engine<Cfa>> {
        let stages =
            vec![(Share::percent(CELLS_BEFORE_HORN_SHARE), self.cells()), (Share::percent(100), self.horn())];
        self.if_arrays(Box::new(Sequential::new(stages)), self.horn())
    }

    /// The first engine for tasks with arrays, unless their cells are not to be looked at.
    fn if_arrays(self, with: Box<dyn Engine<Cfa>>, without: Box<dyn Engine<Cfa>>) -> Box<dyn Engine<Cfa>> {
        if self.config.horn.cells { Box::new(ByTask::new(has_arrays, with, without)) } else { without }
    }

    fn kind(self, max_k: u32) -> Box<dyn Engine<Cfa>> {
        let config = KindConfig { max_k: self.config.kind.max_k.min(max_k), ..self.config.kind.clone() };
        Box::new(Kind::new(config, self.parts.solvers.clone()).with_facts(self.facts_for_lemmas()))
    }

    /// What is quick if it succeeds comes first. Simulation wants to choose one input after the other, all others want merged
    /// edges.
    fn sequence(self, is_hopeful: bool) -> Box<dyn Engine<Cfa>> {
        let quick = self.if_arrays(self.quick(is_hopeful, true), self.quick(is_hopeful, false));
        let mut stages = vec![
            (Share::percent(SIMULATE_SHARE), self.simulate(FIRST_STEPS)),
            (Share::percent(QUICK_SHARE), self.merged(quick)),
        ];
        if !is_hopeful {
            stages.push((Share::percent(SIMULATE_SHARE), self.simulate(MORE_STEPS)));
        }
        stages.push((Share::percent(100), self.merged(self.thorough())));
        Box::new(Sequential::new(stages))
    }

    /// Engines that mostly succeed soon. Proofs by k-induction are no use to a `hopeful` sequence: with wraps there are more ways
    /// to continue from states that cannot be reached.
    fn quick(self, is_hopeful: bool, has_arrays: bool) -> Box<dyn Engine<Cfa>> {
        let mut stages = vec![(Share::percent(FIRST_SHARE), self.bmc(FIRST_ROUNDS))];
        if has_arrays {
            stages.push((Share::percent(CELLS_SHARE), self.cells()));
        }
        if !is_hopeful {
            stages.push((Share::percent(100), self.kind(FIRST_K)));
        }
        Box::new(Sequential::new(stages))
    }

    /// Engines that can use all the time they get.
    fn thorough(self) -> Box<dyn Engine<Cfa>> {
        Box::new(Sequential::new(vec![
            (Share::percent(HORN_SHARE), self.horn()),
            (Share::percent(CEGAR_SHARE), self.cegar_on_state_machines()),
            (Share::percent(100), self.bmc_with_lemmas()),
        ]))
    }

    /// The engine, asked first as if arithmetic did not wrap around, then as it is. What it learns at first need not hold
    /// in general, so nobody is told.
    fn hoping(self, engine: impl Fn(ForCfa<'_>, bool) -> Box<dyn Engine<Cfa>>) -> Box<dyn Engine<Cfa>> {
        let silent = Cooperation { tells: false, ..self.parts.cooperation.clone() };
        let silent = Parts { cooperation: silent, ..self.parts.clone() };
        let hopeful = engine(ForCfa { parts: &silent, ..self }, true);
        let optimist = Optimist::new(hopeful, Share::percent(HOPEFUL_SHARE), engine(self, false));
        Box::new(Through::new(Chain::new(self.config.passes.simplifying()), optimist))
    }

    /// The engine for an automaton with merged edges.
    fn merged(self, engine: Box<dyn Engine<Cfa>>) -> Box<dyn Engine<Cfa>> {
        let engine = self.with_facts(engine);
        match self.config.passes.merging() {
            Some(merging) => Box::new(Through::new(merging, engine)),
            None => engine,
        }
    }

    /// The engine for an automaton with the values of control variables in its locations.
    fn unfolded(self, engine: Box<dyn Engine<Cfa>>) -> Box<dyn Engine<Cfa>> {
        match self.config.passes.unfolding() {
            Some(unfolding) => Box::new(Through::new(unfolding, engine)),
            None => engine,
        }
    }

    /// The engine behind guards that say what others know, if that is to be done with it.
    fn with_facts(self, engine: Box<dyn Engine<Cfa>>) -> Box<dyn Engine<Cfa>> {
        let cooperation = &self.parts.cooperation;
        match cooperation.use_of_facts {
            UseOfFacts::Assumptions => {
                Box::new(Guarded::new(engine, cooperation.facts.clone(), self.parts.solvers.clone()))
            }
            UseOfFacts::Ignore | UseOfFacts::Lemmas | UseOfFacts::Predicates => engine,
        }
    }
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
    refuse_conflicts(config)?;
    let sat: Rc<dyn SolverFactory> = Rc::new(SatFactory);
    let bmc = |solvers: &Rc<dyn SolverFactory>| -> Box<dyn Engine<Sts>> {
        Box::new(Bmc::new(config.bmc.clone(), solvers.clone()))
    };
    let kind_up_to = |max_k: u32, solvers: &Rc<dyn SolverFactory>| -> Box<dyn Engine<Sts>> {
        let config = KindConfig { max_k: config.kind.max_k.min(max_k), ..config.kind.clone() };
        Box::new(Kind::new(config, solvers.clone()))
    };
    let kind = |solvers| kind_up_to(u32::MAX, solvers);
    let tools = |solvers: &Rc<dyn SolverFactory>| Tools { solvers: solvers.clone(), ..parts.tools() };
    let cegar = |solvers: &Rc<dyn SolverFactory>| -> Box<dyn Engine<Sts>> {
        Box::new(Through::new(ToCfa, Cegar::new(config.cegar.clone(), tools(solvers))))
    };
    let imc = |solvers: &Rc<dyn SolverFactory>| -> Box<dyn Engine<Sts>> {
        Box::new(Imc::new(config.imc.clone(), tools(solvers)))
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
                (Share::percent(100), cegar(&parts.solvers)),
            ];
            Box::new(ByTask::new(
                is_of_booleans,
                Box::new(Sequential::new(boolean)),
                Box::new(Sequential::new(other)),
            ))
        }
        EngineKind::Bmc => Box::new(ByTask::new(is_of_booleans, bmc(&sat), bmc(&parts.solvers))),
        EngineKind::Kind => Box::new(ByTask::new(is_of_booleans, kind(&sat), kind(&parts.solvers))),
        EngineKind::Imc => Box::new(ByTask::new(is_of_booleans, imc(&sat), imc(&parts.solvers))),
        EngineKind::Ic3 => {
            let words = CfaIc3::new(config.ic3.clone(), parts.solvers.clone());
            Box::new(ByTask::new(is_of_small_values, ic3(), Box::new(Through::new(ToCfa, words))))
        }
        EngineKind::Cegar => {
            Box::new(Through::new(ToBits, ByTask::new(is_of_booleans, cegar(&sat), cegar(&parts.solvers))))
        }
        EngineKind::Horn
        | EngineKind::Intervals
        | EngineKind::Simulate
        | EngineKind::StateEquation
        | EngineKind::Explicit
        | EngineKind::Portfolio => {
            return Err(ConfigError::Engine { engine: config.engine, formalism: "transition systems" });
        }
    };
    Ok(Box::new(Through::new(Cone, engine)))
}

/// The part of the time that the state equation has. What it proves it mostly proves at once.
const STATE_EQUATION_SHARE: u32 = 20;
/// The part of the rest for a first explicit search, which is enough for most state spaces that fit into memory.
const FIRST_EXPLICIT_SHARE: u32 = 35;
/// The part of what is left then for the net as a transition system, before the explicit search has all of it.
const SYMBOLIC_SHARE: u32 = 75;
/// The parts of the transition system's time: an induction that place invariants make trivial, bounded model checking, which
/// is strong on nets because one step fires many transitions, and IC3.
const NET_FIRST_K: u32 = 1;
const NET_FIRST_SHARE: u32 = 15;
const NET_BMC_SHARE: u32 = 55;
const NET_IC3_SHARE: u32 = 75;

/// The engine for Petri nets that `config` asks for.
pub fn for_net(config: &Config, parts: &Parts) -> Result<Box<dyn Engine<Net>>, ConfigError> {
    let state_equation =
        || Box::new(StateEquation::new(config.state_equation.clone(), Some(parts.solvers.clone())));
    let explicit = || Box::new(Explicit::new(config.explicit));
    match config.engine {
        EngineKind::Auto => {
            let stages: Vec<(Share, Box<dyn Engine<Net>>)> = vec![
                (Share::percent(STATE_EQUATION_SHARE), state_equation()),
                (Share::percent(FIRST_EXPLICIT_SHARE), explicit()),
                (
                    Share::percent(SYMBOLIC_SHARE),
                    Box::new(Through::new(ToSts, system_of_net(config, parts)?)),
                ),
                (Share::percent(100), explicit()),
            ];
            Ok(Box::new(ByTask::new(has_target, Box::new(Sequential::new(stages)), explicit())))
        }
        EngineKind::StateEquation => Ok(state_equation()),
        EngineKind::Explicit => Ok(explicit()),
        EngineKind::Bmc | EngineKind::Kind | EngineKind::Imc | EngineKind::Ic3 | EngineKind::Cegar => {
            Ok(Box::new(Through::new(ToSts, for_sts(config, parts)?)))
        }
        EngineKind::Horn | EngineKind::Intervals | EngineKind::Simulate | EngineKind::Portfolio => {
            Err(ConfigError::Engine { engine: config.engine, formalism: "Petri nets" })
        }
    }
}

/// The engines for the transition system of a net, one after the other.
fn system_of_net(config: &Config, parts: &Parts) -> Result<Sequential<Sts>, ConfigError> {
    let engine = |engine| for_sts(&Config { engine, ..config.clone() }, parts);
    let first = KindConfig { max_k: config.kind.max_k.min(NET_FIRST_K), ..config.kind.clone() };
    let first = for_sts(&Config { engine: EngineKind::Kind, kind: first, ..config.clone() }, parts)?;
    Ok(Sequential::new(vec![
        (Share::percent(NET_FIRST_SHARE), first),
        (Share::percent(NET_BMC_SHARE), engine(EngineKind::Bmc)?),
        (Share::percent(NET_IC3_SHARE), engine(EngineKind::Ic3)?),
        (Share::percent(100), engine(EngineKind::Kind)?),
    ]))
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
