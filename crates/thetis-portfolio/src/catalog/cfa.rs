//! Engines for automata.

use thetis_absint::Intervals;
use thetis_base::{Fact, Share};
use thetis_bounded::{Bmc, Imc, Kind};
use thetis_cegar::Cegar;
use thetis_engine::{Engine, Limited, Through};
use thetis_horn::{CellHorn, Horn, Summaries};
use thetis_ic3::{CfaIc3, Ic3, Reports};
use thetis_ice::IceHorn;
use thetis_model::cfa::{Cfa, Prune, ToBoundedSts, ToSts};
use thetis_model::sts::Cone;
use thetis_model::{Chain, Task};
use thetis_simulate::{Exhaust, Simulate};

use super::{Built, Entry, Formalism, Maker, Parts};
use crate::by_task::has_arrays;
use crate::passes::{Control, Encoding, MERGING, PassesConfig, SIMPLIFYING};
use crate::portfolio::{Feature, GroupPass, UseOfFacts, cfa_has};
use crate::{ByTask, ConfigError, Cooperating, Cooperation, Guarded, Informed, Sequential, WithoutWrapping};

/// How engines use what others have found out.
const LEMMAS: &[UseOfFacts] = &[UseOfFacts::Lemmas, UseOfFacts::Assumptions];
const PREDICATES: &[UseOfFacts] = &[UseOfFacts::Predicates, UseOfFacts::Assumptions];
const ASSUMPTIONS: &[UseOfFacts] = &[UseOfFacts::Assumptions];

/// Options about where control is.
const CONTROL: &[&str] = &["passes.control"];
const UNFOLDING: &[&str] = &["passes.unfold"];

impl Formalism for Cfa {
    const PLURAL: &'static str = "automata";
    const DEFAULT: &'static str = include_str!("../../../../configs/default/automata.toml");

    const ENGINES: &'static [Entry<Cfa>] = &[
        Entry::new(Bmc::INFO, |maker| maker.bounded(maker.bmc())).using(LEMMAS).reading(&[
            &["bmc"],
            SIMPLIFYING,
            MERGING,
            CONTROL,
        ]),
        Entry::new(Kind::INFO, |maker| maker.bounded(maker.kind()))
            .using(LEMMAS)
            .reporting_facts()
            .reading(&[&["kind"], SIMPLIFYING, MERGING, CONTROL]),
        Entry::new(Imc::INFO, |maker| maker.bounded(maker.imc())).using(ASSUMPTIONS).reading(&[
            &["imc", "ice"],
            SIMPLIFYING,
            MERGING,
            CONTROL,
        ]),
        Entry::new(Ic3::INFO, |maker| match maker.config.passes.control {
            Control::Locations => maker.hoping(|maker| maker.merged(maker.ic3())),
            Control::Variable => maker.on_bits(),
        })
        .using(LEMMAS)
        .reporting_facts()
        .reading(&[&["ic3"], SIMPLIFYING, MERGING, CONTROL]),
        Entry::new(Cegar::INFO, |maker| maker.unfoldable(maker.passed(maker.unfolded(maker.cegar()))))
            .using(PREDICATES)
            .reporting_facts()
            .reading(&[&["cegar", "ice"], SIMPLIFYING, MERGING, UNFOLDING]),
        Entry::new(Horn::INFO, |maker| {
            let engine = maker.hoping(|maker| maker.merged(maker.unfolded(maker.horn_with_cells())));
            maker.unfoldable(engine?)
        })
        .using(ASSUMPTIONS)
        .reading(&[&["horn", "bmc"], SIMPLIFYING, MERGING, UNFOLDING]),
        Entry::new(Horn::ICE, |maker| {
            let engine = maker.hoping(|maker| maker.merged(maker.unfolded(maker.ice())));
            maker.unfoldable(engine?)
        })
        .using(ASSUMPTIONS)
        .reading(&[&["ice", "bmc"], SIMPLIFYING, MERGING, UNFOLDING]),
        Entry::new(CellHorn::INFO, |maker| maker.direct(maker.passed(maker.cells())))
            .using(ASSUMPTIONS)
            .reading(&[SIMPLIFYING, MERGING]),
        // It works on the automaton with procedures, which passes do not change.
        Entry::new(Summaries::INFO, |maker| maker.direct(Box::new(Summaries::new((maker.parts.clauses)())))),
        Entry::new(Intervals::INFO, |maker| maker.direct(Box::new(Through::new(Prune, Intervals::new())))),
        // Edges are counted, so no pass comes before it.
        Entry::new(Exhaust::INFO, |maker| maker.direct(Box::new(Exhaust::new(maker.config.exhaust))))
            .reading(&[&["exhaust"]]),
        Entry::new(Simulate::INFO, |maker| {
            let simulate = Simulate::new(maker.config.simulate.clone());
            let simplifying = Chain::new(maker.config.passes.simplifying());
            maker.direct(Box::new(Through::new(simplifying, simulate)))
        })
        .reading(&[&["simulate"], SIMPLIFYING]),
    ];

    fn has(task: &Task<Cfa>, feature: Feature) -> bool {
        cfa_has(task, feature)
    }

    fn num_edges(task: &Task<Cfa>) -> usize {
        task.model.edges.len()
    }

    fn after_pass(pass: GroupPass, maker: Maker<'_>) -> Built<Cfa> {
        let mut config = maker.config.clone();
        match pass {
            GroupPass::Simplify => {
                config.passes = PassesConfig { ranges: false, scalars: false, slice: false, ..config.passes };
                let engine = Maker { config: &config, ..maker }.inner()?;
                Ok(Box::new(Through::new(Chain::new(maker.config.passes.simplifying()), engine)))
            }
            GroupPass::Merge => {
                config.passes.encoding = Encoding::Sbe;
                let engine = Maker { config: &config, ..maker }.inner()?;
                Ok(match maker.config.passes.merging() {
                    Some(merging) => Box::new(Through::new(merging, engine)),
                    None => engine,
                })
            }
            GroupPass::WithoutWraps => {
                let parts = silent(maker.parts);
                let engine = Maker { parts: &parts, ..maker }.inner()?;
                Ok(Box::new(WithoutWrapping::new(engine, maker.parts.hope.clone())))
            }
            // The task is already another one.
            GroupPass::BitVectors => maker.inner(),
            GroupPass::Cone | GroupPass::System => Err(ConfigError::Pass { pass, formalism: Cfa::PLURAL }),
        }
    }

    fn enclosed(engine: Box<dyn Engine<Cfa>>) -> Box<dyn Engine<Cfa>> {
        Box::new(Limited::new(engine))
    }
}

/// Facts learned under the assumption that nothing wraps around need not hold in general, so they are not
/// passed on.
fn silent(parts: &Parts) -> Parts {
    let cooperation = Cooperation { reports_facts: false, ..parts.cooperation.clone() };
    Parts { cooperation, ..parts.clone() }
}

/// The share of the time for the attempt that assumes that arithmetic does not wrap around.
const HOPEFUL_SHARE: u32 = 50;

/// The part of the time for the cells of arrays where only clauses with arrays come afterwards.
const CELLS_BEFORE_HORN_SHARE: u32 = 50;

impl<'a> Maker<'a> {
    /// Bounded model checking that first spends time to find out which facts it can rely on.
    fn bmc(self) -> Box<dyn Engine<Cfa>> {
        let bmc = Bmc::new(self.config.bmc.clone(), self.parts.solvers.clone());
        Box::new(bmc.with_facts(self.facts_for_lemmas()))
    }

    fn kind(self) -> Box<dyn Engine<Cfa>> {
        let kind = Kind::new(self.config.kind.clone(), self.parts.solvers.clone());
        let kind = if self.parts.cooperation.reports_facts { kind.reporting_facts() } else { kind };
        Box::new(kind.with_facts(self.facts_for_lemmas()))
    }

    fn imc(self) -> Box<dyn Engine<Cfa>> {
        Box::new(Imc::new(self.config.imc.clone(), self.tools()))
    }

    fn ic3(self) -> Box<dyn Engine<Cfa>> {
        let reports = if self.parts.cooperation.reports_facts { Reports::Facts } else { Reports::Nothing };
        let ic3 = CfaIc3::new(self.config.ic3.clone(), self.parts.solvers.clone());
        let facts = self.facts_for_lemmas();
        Box::new(Informed::new(ic3.reporting(reports), facts, self.parts.solvers.clone()))
    }

    fn cegar(self) -> Box<dyn Engine<Cfa>> {
        let cegar = Cegar::new(self.config.cegar.clone(), self.tools());
        Box::new(Cooperating::new(cegar, self.parts.cooperation.clone()))
    }

    /// What others have found out, if it is to be used as lemmas.
    fn facts_for_lemmas(self) -> Vec<Fact> {
        match self.parts.cooperation.use_of_facts {
            UseOfFacts::Lemmas => self.parts.cooperation.facts.clone(),
            UseOfFacts::Ignore | UseOfFacts::Assumptions | UseOfFacts::Predicates | UseOfFacts::Best => {
                Vec::new()
            }
        }
    }

    fn cells(self) -> Box<dyn Engine<Cfa>> {
        Box::new(CellHorn::new((self.parts.clauses)(), self.parts.solvers.clone()))
    }

    fn horn(self) -> Box<dyn Engine<Cfa>> {
        let bmc = Bmc::new(self.config.bmc.clone(), self.parts.solvers.clone());
        Box::new(Horn::new((self.parts.clauses)(), Box::new(bmc)))
    }

    fn ice(self) -> Box<dyn Engine<Cfa>> {
        let bmc = Bmc::new(self.config.bmc.clone(), self.parts.solvers.clone());
        let learner = IceHorn::new(self.config.ice.clone(), self.parts.solvers.clone());
        Box::new(Horn::learning(Box::new(learner), Box::new(bmc)))
    }

    fn horn_with_cells(self) -> Box<dyn Engine<Cfa>> {
        if !self.config.horn.cells {
            return self.horn();
        }
        let stages =
            vec![(Share::percent(CELLS_BEFORE_HORN_SHARE), self.cells()), (Share::percent(100), self.horn())];
        Box::new(ByTask::new(has_arrays, Box::new(Sequential::new(stages)), self.horn()))
    }

    /// An engine that can also be asked about the transition system of the automaton.
    fn bounded(self, engine: Box<dyn Engine<Cfa>>) -> Built<Cfa> {
        self.reject_unfolding()?;
        match self.config.passes.control {
            Control::Locations => Ok(self.passed(engine)),
            Control::Variable => {
                self.reject_facts()?;
                let system = Through::new(ToSts, self.inner()?);
                Ok(Box::new(Through::new(self.config.passes.chain(), system)))
            }
        }
    }

    fn reject_facts(self) -> Result<(), ConfigError> {
        match self.parts.cooperation.use_of_facts {
            UseOfFacts::Ignore => Ok(()),
            UseOfFacts::Lemmas | UseOfFacts::Assumptions | UseOfFacts::Predicates | UseOfFacts::Best => {
                Err(ConfigError::Conflict(
                    "`passes.control = \"variable\"` cannot be combined with facts of other engines",
                ))
            }
        }
    }

    /// IC3 on the bits of the transition system of the automaton.
    fn on_bits(self) -> Built<Cfa> {
        self.reject_unfolding()?;
        self.reject_facts()?;
        let bits = Through::new(Cone, Ic3::for_machines(self.config.ic3.clone()));
        let system = Through::new(ToBoundedSts, bits);
        Ok(Box::new(Through::new(self.config.passes.chain(), system)))
    }

    /// An engine that needs the locations of the automaton as they are.
    fn direct(self, engine: Box<dyn Engine<Cfa>>) -> Built<Cfa> {
        self.reject_unfolding()?;
        self.unfoldable(engine)
    }

    /// An engine that needs the locations of the automaton.
    fn unfoldable(self, engine: Box<dyn Engine<Cfa>>) -> Built<Cfa> {
        match self.config.passes.control {
            Control::Locations => Ok(engine),
            Control::Variable => Err(ConfigError::Conflict(
                "`passes.control = \"variable\"` is for `bmc`, `kind`, `imc` and `ic3`",
            )),
        }
    }

    fn reject_unfolding(self) -> Result<(), ConfigError> {
        match self.config.passes.unfolding() {
            None => Ok(()),
            Some(_) => Err(ConfigError::Conflict("`passes.unfold` is for `horn` and `cegar`")),
        }
    }

    /// The engine, asked first as if arithmetic did not wrap around, then about the automaton as it is.
    fn hoping(self, engine: impl Fn(Maker<'_>) -> Box<dyn Engine<Cfa>>) -> Built<Cfa> {
        let parts = silent(self.parts);
        let hopeful: Box<dyn Engine<Cfa>> =
            Box::new(WithoutWrapping::new(engine(Maker { parts: &parts, ..self }), parts.hope.clone()));
        let stages = vec![(Share::percent(HOPEFUL_SHARE), hopeful), (Share::percent(100), engine(self))];
        let simplifying = Chain::new(self.config.passes.simplifying());
        self.unfoldable(Box::new(Through::new(simplifying, Sequential::new(stages))))
    }

    /// The engine for an automaton after all passes.
    fn passed(self, engine: Box<dyn Engine<Cfa>>) -> Box<dyn Engine<Cfa>> {
        Box::new(Through::new(self.config.passes.chain(), self.with_facts(engine)))
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

    /// The engine, with the facts of others as guards of the automaton if facts are to be used as
    /// assumptions.
    fn with_facts(self, engine: Box<dyn Engine<Cfa>>) -> Box<dyn Engine<Cfa>> {
        let cooperation = &self.parts.cooperation;
        match cooperation.use_of_facts {
            UseOfFacts::Assumptions => {
                Box::new(Guarded::new(engine, cooperation.facts.clone(), self.parts.solvers.clone()))
            }
            UseOfFacts::Ignore | UseOfFacts::Lemmas | UseOfFacts::Predicates | UseOfFacts::Best => engine,
        }
    }
}
