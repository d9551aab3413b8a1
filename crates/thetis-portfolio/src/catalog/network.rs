//! Engines for timed automata.

use thetis_bounded::Bmc;
use thetis_cegar::Cegar;
use thetis_engine::{EngineInfo, Through};
use thetis_horn::Horn;
use thetis_ic3::Ic3;
use thetis_model::Task;
use thetis_model::cfa::Cfa;
use thetis_model::xta::{Network, ToCfa};
use thetis_zones::Zones;

use super::{Built, Entry, Formalism, Maker};
use crate::passes::{Encoding, PassesConfig};
use crate::portfolio::{Feature, GroupPass};
use crate::{Config, ConfigError};

/// An engine that is asked about the automaton of the network. Its edges are not merged: a location that is gone has no zones.
const fn symbolic(info: EngineInfo) -> Entry<Network> {
    Entry::new(info, |maker| {
        let passes = PassesConfig { encoding: Encoding::Sbe, ..maker.config.passes };
        let config = Config { passes, ..maker.config.clone() };
        let maker = Maker { config: &config, parts: maker.parts };
        Ok(Box::new(Through::new(ToCfa, Cfa::enclosed(maker.inner()?))))
    })
}

impl Formalism for Network {
    const PLURAL: &'static str = "timed automata";
    const DEFAULT: &'static str = include_str!("../../../../configs/default/timed-automata.toml");

    const ENGINES: &'static [Entry<Network>] = &[
        Entry::new(Zones::INFO, |maker| Ok(Box::new(Zones::new(maker.config.zones)))).reading(&[&["zones"]]),
        symbolic(Bmc::INFO),
        symbolic(Ic3::INFO),
        symbolic(Cegar::INFO),
        symbolic(Horn::INFO),
    ];

    fn has(_: &Task<Network>, _: Feature) -> bool {
        false
    }

    fn num_edges(task: &Task<Network>) -> usize {
        task.model.processes.iter().map(|process| process.edges.len()).sum()
    }

    fn after_pass(pass: GroupPass, _: Maker<'_>) -> Built<Network> {
        Err(ConfigError::Pass { pass, formalism: Network::PLURAL })
    }
}
