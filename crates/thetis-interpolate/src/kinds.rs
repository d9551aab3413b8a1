//! The interpolators by their names, for engines that let the user choose.

use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_base::{Run, Stop};
use thetis_ice::{IceChains, IceConfig};
use thetis_solver::{Eliminator, Interpolator, SolverFactory};

use crate::{AtHeads, Clauses, Direction, Farkas, InOrder, Newton, Sees, Shortcuts, Vocabulary};

/// The interpolators for infeasible paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InterpolatorKind {
    /// Those that suit the engine and the variables of the task.
    Auto,
    /// Weakest preconditions of the core.
    NewtonWp,
    /// The same over live variables.
    NewtonWpLv,
    /// Strongest postconditions of the core.
    NewtonSp,
    /// The same over live variables.
    NewtonSpLv,
    /// Horn clauses, cut at loop heads.
    Horn,
    /// Linear certificates.
    Farkas,
    /// Clauses over bits, by cores.
    Clauses,
    /// Learning from points.
    Ice,
}

/// What interpolators work with.
#[derive(Clone)]
pub struct Tools {
    /// The solvers.
    pub solvers: Rc<dyn SolverFactory>,
    /// Quantifier elimination, for `newton-*`.
    pub eliminator: Rc<dyn Eliminator>,
    /// Makes the interpolator `horn`.
    pub horn: Rc<dyn Fn() -> Box<dyn Interpolator>>,
    /// The options of `ice`.
    pub ice: IceConfig,
}

impl Tools {
    /// The interpolators of the given kinds, tried in this order.
    ///
    /// # Panics If one of them is [`InterpolatorKind::Auto`]: the engine must choose what suits a task.
    pub fn in_order(&self, kinds: &[InterpolatorKind], run: &Run) -> Result<InOrder, Stop> {
        let mut all: Vec<(Box<dyn Interpolator>, Sees)> = Vec::new();
        for kind in kinds {
            let sees = match kind {
                InterpolatorKind::Clauses => Sees::Whole,
                _ => Sees::Core,
            };
            all.push((self.interpolator(*kind, run)?, sees));
        }
        Ok(InOrder::new(all, self.solvers.start(run)?))
    }

    fn interpolator(&self, kind: InterpolatorKind, run: &Run) -> Result<Box<dyn Interpolator>, Stop> {
        Ok(match kind {
            InterpolatorKind::Auto => panic!("`auto` should have been replaced by what suits the task"),
            InterpolatorKind::NewtonWp => Box::new(self.newton(Direction::Backward, Vocabulary::All, run)?),
            InterpolatorKind::NewtonWpLv => {
                Box::new(self.newton(Direction::Backward, Vocabulary::Live, run)?)
            }
            InterpolatorKind::NewtonSp => Box::new(self.newton(Direction::Forward, Vocabulary::All, run)?),
            InterpolatorKind::NewtonSpLv => {
                Box::new(self.newton(Direction::Forward, Vocabulary::Live, run)?)
            }
            InterpolatorKind::Horn => {
                let filler = self.newton(Direction::Backward, Vocabulary::All, run)?;
                Box::new(AtHeads::new((self.horn)(), self.solvers.start(run)?, filler))
            }
            InterpolatorKind::Farkas => Box::new(Farkas::default()),
            InterpolatorKind::Clauses => Box::new(Clauses::new(self.solvers.start(run)?)),
            InterpolatorKind::Ice => Box::new(IceChains::new(self.ice.clone(), self.solvers.clone())),
        })
    }

    fn newton(&self, direction: Direction, vocabulary: Vocabulary, run: &Run) -> Result<Newton, Stop> {
        let eliminator = Rc::new(Shortcuts::new(self.eliminator.clone()));
        Ok(Newton::new(direction, vocabulary, self.solvers.start(run)?, eliminator))
    }
}
