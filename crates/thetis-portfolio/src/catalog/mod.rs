//! Which engines there are, by formalism and name.
//!
//! A formalism has a table of engines. A new engine is a row in the table of each formalism that it supports, and nothing else
//! has to know about it: a formalism does not support an engine iff the engine is absent from its table. `auto` is the
//! portfolio of the formalism, given as data in `configs/default`. Every formalism also has `portfolio`, which runs the stages
//! of a configuration.

mod cfa;
mod name;
mod net;
mod network;
mod sts;

use std::rc::Rc;

use thetis_engine::{Engine, EngineInfo};
use thetis_interpolate::Tools;
use thetis_model::cfa::Cfa;
use thetis_model::petri::Net;
use thetis_model::sts::Sts;
use thetis_model::xta::Network;
use thetis_model::{Model, Task};
use thetis_solver::{Eliminator, HornSolver, Interpolator, SolverFactory};

pub use name::EngineName;

use crate::portfolio::{Crew, Feature, GroupPass, Portfolio, Scope, Stage, UseOfFacts};
use crate::{Config, ConfigError, Cooperation, Hope};

/// A formalism that engines decide.
pub trait Formalism: Model + 'static {
    /// What its models are called, in messages.
    const PLURAL: &'static str;

    /// The text of the portfolio that is the engine `auto`.
    const DEFAULT: &'static str;

    /// The engines.
    const ENGINES: &'static [Entry<Self>];

    /// Whether a task has a feature, for the conditions of stages.
    fn has(task: &Task<Self>, feature: Feature) -> bool;

    /// The size of a task, for the conditions of stages.
    fn num_edges(task: &Task<Self>) -> usize;

    /// The stages of `maker` as one engine after a pass that they share.
    fn after_pass(pass: GroupPass, maker: Maker<'_>) -> Built<Self>;

    /// Wraps every engine that is asked about a task as the front end made it.
    fn enclosed(engine: Box<dyn Engine<Self>>) -> Box<dyn Engine<Self>> {
        engine
    }
}

/// An engine, or why it cannot be had.
pub type Built<M> = Result<Box<dyn Engine<M>>, ConfigError>;

/// An engine of a formalism.
pub struct Entry<M: Model> {
    /// How it is described to users.
    pub info: EngineInfo,
    /// How it can use facts, the best way first.
    pub uses: &'static [UseOfFacts],
    /// Whether it can report facts.
    reports: bool,
    /// The options that it reads, or the groups of options.
    options: &'static [&'static [&'static str]],
    build: fn(Maker<'_>) -> Built<M>,
}

impl<M: Model> Entry<M> {
    const fn new(info: EngineInfo, build: fn(Maker<'_>) -> Built<M>) -> Entry<M> {
        Entry { info, uses: &[], reports: false, options: &[], build }
    }

    const fn using(self, uses: &'static [UseOfFacts]) -> Entry<M> {
        Entry { uses, ..self }
    }

    const fn reporting_facts(self) -> Entry<M> {
        Entry { reports: true, ..self }
    }

    const fn reading(self, options: &'static [&'static [&'static str]]) -> Entry<M> {
        Entry { options, ..self }
    }

    /// The parts with what the engine does with facts, if that is left to it.
    fn resolved(&self, parts: &Parts) -> Parts {
        let mut parts = parts.clone();
        if let (UseOfFacts::Best, Some(own)) = (parts.cooperation.use_of_facts, self.uses.first()) {
            parts.cooperation.use_of_facts = *own;
        }
        parts
    }
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
    /// How many stages of a portfolio may run side by side.
    pub jobs: usize,
    /// What engines for automata know about values that leave their ranges, for one task.
    pub hope: Hope,
}

/// What an engine is built from.
#[derive(Clone, Copy)]
pub struct Maker<'a> {
    pub(crate) config: &'a Config,
    pub(crate) parts: &'a Parts,
}

impl Maker<'_> {
    /// What engines that interpolate work with.
    fn tools(self) -> Tools {
        let Parts { solvers, eliminator, horn, .. } = self.parts.clone();
        Tools { solvers, eliminator, horn, ice: self.config.ice.clone() }
    }

    /// The engine that the configuration asks for, for tasks that are parts of others: without workers and without wrappers.
    pub(crate) fn inner<M: Formalism>(self) -> Built<M> {
        build(self, Scope::Inner)
    }
}

/// The engine that `config` asks for. Stages of portfolios that are to have a process of their own get it from `crew`; without
/// one they run in this process.
pub fn engine<M: Formalism>(config: &Config, parts: &Parts, crew: Option<Crew<M>>) -> Built<M> {
    let maker = Maker { config, parts };
    match config.engine {
        // Its stages are enclosed one by one.
        EngineName::AUTO | EngineName::PORTFOLIO => build(maker, Scope::Whole(crew)),
        _ => Ok(M::enclosed(build(maker, Scope::Inner)?)),
    }
}

fn build<M: Formalism>(maker: Maker<'_>, scope: Scope<M>) -> Built<M> {
    let Maker { config, parts } = maker;
    config.check()?;
    match config.engine {
        EngineName::AUTO => {
            let config = config.with_stages(default_stages::<M>());
            Ok(Box::new(Portfolio::new(config, parts, scope)))
        }
        EngineName::PORTFOLIO => Ok(Box::new(Portfolio::new(config.clone(), parts, scope))),
        name => match M::ENGINES.iter().find(|entry| entry.info.name == name.as_str()) {
            Some(entry) => {
                let parts = entry.resolved(parts);
                (entry.build)(Maker { config, parts: &parts })
            }
            None => Err(ConfigError::Engine { engine: name, formalism: M::PLURAL }),
        },
    }
}

/// The stages of `auto`.
fn default_stages<M: Formalism>() -> Vec<Stage> {
    Config::from_toml(M::DEFAULT).expect("the default portfolio should be a configuration").stage
}

/// An engine with the formalisms that it is for, as `thetis engines` lists it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The engine.
    pub info: EngineInfo,
    /// The plural names of the formalisms.
    pub formalisms: Vec<&'static str>,
    /// How it can use facts, for some formalism.
    pub(crate) uses: Vec<UseOfFacts>,
    /// Whether it can report facts, for some formalism.
    pub(crate) reports: bool,
    /// The options that it reads, or the groups of options, for some formalism.
    pub(crate) options: Vec<&'static str>,
}

const AUTO: EngineInfo = EngineInfo {
    name: EngineName::AUTO.as_str(),
    summary: "the default portfolio of the formalism; `thetis engines --show auto` prints it",
    answers: "the verdicts of its stages",
};

const PORTFOLIO: EngineInfo = EngineInfo {
    name: EngineName::PORTFOLIO.as_str(),
    summary: "the stages of the configuration, in sequence or side by side",
    answers: "the verdicts of its stages",
};

/// The default portfolio of every formalism, by its plural name.
pub fn default_portfolios() -> [(&'static str, &'static str); 4] {
    [
        (Cfa::PLURAL, Cfa::DEFAULT),
        (Sts::PLURAL, Sts::DEFAULT),
        (Net::PLURAL, Net::DEFAULT),
        (Network::PLURAL, Network::DEFAULT),
    ]
}

/// All engines, in the order of the tables.
pub fn engines() -> Vec<Listed> {
    let all: Vec<&'static str> = default_portfolios().iter().map(|(plural, _)| *plural).collect();
    let stages = |info| Listed {
        info,
        formalisms: all.clone(),
        uses: Vec::new(),
        reports: false,
        options: Vec::new(),
    };
    let mut listed = vec![stages(AUTO), stages(PORTFOLIO)];
    list::<Cfa>(&mut listed);
    list::<Sts>(&mut listed);
    list::<Net>(&mut listed);
    list::<Network>(&mut listed);
    if let Some((auto, others)) = listed.split_first_mut() {
        // What is said of `auto` is said of its stages.
        others.iter().for_each(|other| auto.add(&other.uses, other.reports, &other.options));
    }
    listed
}

impl Listed {
    /// What the engine does with facts and options for one more formalism.
    fn add(&mut self, uses: &[UseOfFacts], reports: bool, options: &[&'static str]) {
        self.uses.extend(uses);
        self.reports |= reports;
        self.options.extend(options);
    }
}

fn list<M: Formalism>(listed: &mut Vec<Listed>) {
    for entry in M::ENGINES {
        let known = listed.iter().position(|known| known.info.name == entry.info.name);
        let place = known.unwrap_or(listed.len());
        if known.is_none() {
            let (uses, options) = (Vec::new(), Vec::new());
            listed.push(Listed { info: entry.info, formalisms: Vec::new(), uses, reports: false, options });
        }
        listed[place].formalisms.push(M::PLURAL);
        listed[place].add(entry.uses, entry.reports, &entry.options.concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_catalog_are_those_of_configurations() {
        for listed in engines() {
            let text = format!("engine = \"{}\"", listed.info.name);
            assert_eq!(Config::from_toml(&text).unwrap().engine.as_str(), listed.info.name);
        }
    }

    #[test]
    fn default_portfolios_are_configurations_that_survive_printing() {
        for (formalism, text) in default_portfolios() {
            let config = Config::from_toml(text).unwrap();
            assert!(!config.stage.is_empty(), "{formalism}");
            assert_eq!(Config::from_toml(&config.to_toml()).unwrap(), config, "{formalism}");
        }
    }
}
