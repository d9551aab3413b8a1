//! Engines for transition systems. Systems of Booleans are decided with a SAT solver, all others with an SMT solver.

use std::rc::Rc;

use thetis_bounded::{Bmc, Imc, Kind};
use thetis_cegar::Cegar;
use thetis_engine::{Engine, Through};
use thetis_ic3::{CfaIc3, Ic3, ToBits};
use thetis_interpolate::Tools;
use thetis_model::Task;
use thetis_model::sts::{Cone, Sts, ToCfa};
use thetis_sat::SatFactory;
use thetis_solver::SolverFactory;

use super::{Built, Entry, Formalism, Maker};
use crate::by_task::{is_of_booleans, is_of_small_values};
use crate::portfolio::{Feature, GroupPass, sts_has};
use crate::{ByTask, ConfigError};

/// The option about the cone of influence.
const CONE: &[&str] = &["passes.cone"];

impl Formalism for Sts {
    const PLURAL: &'static str = "transition systems";
    const DEFAULT: &'static str = include_str!("../../../../configs/default/systems.toml");

    const ENGINES: &'static [Entry<Sts>] = &[
        Entry::new(Bmc::INFO, |maker| {
            maker.in_cone(
                maker.with_solvers(|tools| Box::new(Bmc::new(maker.config.bmc.clone(), tools.solvers))),
            )
        })
        .reading(&[&["bmc"], CONE]),
        Entry::new(Kind::INFO, |maker| {
            maker.in_cone(
                maker.with_solvers(|tools| Box::new(Kind::new(maker.config.kind.clone(), tools.solvers))),
            )
        })
        .reading(&[&["kind"], CONE]),
        Entry::new(Imc::INFO, |maker| {
            maker.in_cone(maker.with_solvers(|tools| Box::new(Imc::new(maker.config.imc.clone(), tools))))
        })
        .reading(&[&["imc", "ice"], CONE]),
        Entry::new(Ic3::INFO, |maker| {
            let words = CfaIc3::new(maker.config.ic3.clone(), maker.parts.solvers.clone());
            let words = Box::new(Through::new(ToCfa, words));
            let bits = Box::new(Ic3::new(maker.config.ic3.clone()));
            maker.in_cone(Box::new(ByTask::new(is_of_small_values, bits, words)))
        })
        .reading(&[&["ic3"], CONE]),
        Entry::new(Cegar::INFO, |maker| {
            let engine = maker.with_solvers(|tools| {
                Box::new(Through::new(ToCfa, Cegar::new(maker.config.cegar.clone(), tools)))
            });
            maker.in_cone(Box::new(Through::new(ToBits, engine)))
        })
        .reading(&[&["cegar", "ice"], CONE]),
    ];

    fn has(task: &Task<Sts>, feature: Feature) -> bool {
        sts_has(task, feature)
    }

    fn num_edges(task: &Task<Sts>) -> usize {
        task.model.next.len()
    }

    fn after_pass(pass: GroupPass, maker: Maker<'_>) -> Built<Sts> {
        match pass {
            GroupPass::Cone => {
                let mut config = maker.config.clone();
                config.passes.cone = false;
                maker.in_cone(Maker { config: &config, ..maker }.inner()?)
            }
            GroupPass::Simplify
            | GroupPass::Merge
            | GroupPass::WithoutWraps
            | GroupPass::System
            | GroupPass::BitVectors => Err(ConfigError::Pass { pass, formalism: Sts::PLURAL }),
        }
    }
}

impl Maker<'_> {
    /// The engine with a SAT solver for systems of Booleans, and with the solvers of the run for others.
    fn with_solvers(self, engine: impl Fn(Tools) -> Box<dyn Engine<Sts>>) -> Box<dyn Engine<Sts>> {
        let sat: Rc<dyn SolverFactory> = Rc::new(SatFactory);
        let tools = self.tools();
        let boolean = engine(Tools { solvers: sat, ..self.tools() });
        Box::new(ByTask::new(is_of_booleans, boolean, engine(tools)))
    }

    /// The engine for the part of a system that the property depends on.
    fn in_cone(self, engine: Box<dyn Engine<Sts>>) -> Built<Sts> {
        Ok(if self.config.passes.cone { Box::new(Through::new(Cone, engine)) } else { engine })
    }
}
