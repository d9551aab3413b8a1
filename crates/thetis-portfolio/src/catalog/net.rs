//! Engines for Petri nets.

use thetis_bounded::{Bmc, Imc, Kind};
use thetis_cegar::Cegar;
use thetis_engine::{EngineInfo, Through};
use thetis_ic3::Ic3;
use thetis_model::Task;
use thetis_model::petri::Net;
use thetis_reach::{Explicit, StateEquation, ToSts};

use super::{Built, Entry, Formalism, Maker};
use crate::ConfigError;
use crate::portfolio::{Feature, GroupPass, net_has};

/// An engine that is asked about the transition system of the net.
const fn symbolic(info: EngineInfo) -> Entry<Net> {
    Entry::new(info, |maker| Ok(Box::new(Through::new(ToSts, maker.inner()?))))
}

impl Formalism for Net {
    const PLURAL: &'static str = "Petri nets";
    const DEFAULT: &'static str = include_str!("../../../../configs/default/nets.toml");

    const ENGINES: &'static [Entry<Net>] = &[
        Entry::new(StateEquation::INFO, |maker| {
            let solvers = Some(maker.parts.solvers.clone());
            Ok(Box::new(StateEquation::new(maker.config.state_equation.clone(), solvers)))
        })
        .reading(&[&["state-equation"]]),
        Entry::new(Explicit::INFO, |maker| Ok(Box::new(Explicit::new(maker.config.explicit))))
            .reading(&[&["explicit"]]),
        symbolic(Bmc::INFO),
        symbolic(Kind::INFO),
        symbolic(Imc::INFO),
        symbolic(Ic3::INFO),
        symbolic(Cegar::INFO),
    ];

    fn has(task: &Task<Net>, feature: Feature) -> bool {
        net_has(task, feature)
    }

    fn num_edges(task: &Task<Net>) -> usize {
        task.model.transitions().len()
    }

    fn after_pass(pass: GroupPass, maker: Maker<'_>) -> Built<Net> {
        match pass {
            GroupPass::System => Ok(Box::new(Through::new(ToSts, maker.inner()?))),
            GroupPass::Simplify
            | GroupPass::Merge
            | GroupPass::WithoutWraps
            | GroupPass::Cone
            | GroupPass::BitVectors => Err(ConfigError::Pass { pass, formalism: Net::PLURAL }),
        }
    }
}
