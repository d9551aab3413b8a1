//! The pipeline from a problem to an exact answer.
//!
//! 1. Rows that are false by divisibility.
//! 2. The floating-point solver with branch and bound. A point is rounded and checked exactly.
//! 3. Whatever else it said: an attempt to refute the problem exactly ([`refute`](crate::refute)), by multipliers of
//!    Farkas and few splits. On the way a solution may turn up, which is checked exactly.
//! 4. An arbiter for linear integer arithmetic, if there is one. Only its answers come without a certificate.
//!
//! The sum of a solution is minimal as far as the floating-point solver can tell. Soundness must not depend on it.

use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Run, Statistics, Stop};
use thetis_solver::SolverFactory;

use crate::arbiter::{self, Ruling};
use crate::float::{Numbers, Opinion, solve};
use crate::refute::{Refuted, Refuter, round};
use crate::{Certificate, IlpConfig, Problem};

/// The exact answer to a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IlpAnswer {
    /// A solution, exactly checked, usually one with the smallest sum.
    Feasible(Vec<u64>),
    /// There is none; every certificate except a solver's bare answer was verified.
    Infeasible(Certificate),
    /// Nothing is known; why.
    Unknown(String),
}

/// Solves problems, one after the other. See the [module](self).
#[derive(Clone)]
pub struct IlpSolver {
    config: IlpConfig,
    arbiter: Option<Rc<dyn SolverFactory>>,
    stats: IlpStats,
}

/// What the solver did so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct IlpStats {
    /// Problems asked.
    pub problems: u64,
    /// Problems with a solution.
    pub feasible: u64,
    /// Problems refuted with a certificate.
    pub refuted: u64,
    /// Cases that needed the exact simplex.
    pub exact_simplex: u64,
    /// Floating-point answers that were wrong or could not be confirmed.
    pub disbelieved: u64,
    /// Problems given to the arbiter.
    pub arbiter: u64,
    /// Problems left open.
    pub unknown: u64,
}

impl IlpStats {
    /// The counters as a part of a report.
    pub fn report(&self) -> Statistics {
        Statistics::new("ilp")
            .count("problems", self.problems)
            .count("feasible", self.feasible)
            .count("refuted", self.refuted)
            .count("exact-simplex", self.exact_simplex)
            .count("disbelieved", self.disbelieved)
            .count("arbiter", self.arbiter)
            .count("unknown", self.unknown)
    }
}

impl IlpSolver {
    /// A solver; without an arbiter more problems stay open.
    pub fn new(config: IlpConfig, arbiter: Option<Rc<dyn SolverFactory>>) -> IlpSolver {
        IlpSolver { config, arbiter, stats: IlpStats::default() }
    }

    /// What the solver did so far.
    pub fn stats(&self) -> IlpStats {
        self.stats
    }

    /// A solution of `problem` with a small sum, or why there is none.
    pub fn minimise(&mut self, problem: &Problem, run: &Run) -> Result<IlpAnswer, Stop> {
        self.stats.problems += 1;
        let outcome = self.decide(problem, run)?;
        match &outcome {
            IlpAnswer::Feasible(_) => self.stats.feasible += 1,
            IlpAnswer::Infeasible(_) => self.stats.refuted += 1,
            IlpAnswer::Unknown(_) => self.stats.unknown += 1,
        }
        Ok(outcome)
    }

    fn decide(&mut self, problem: &Problem, run: &Run) -> Result<IlpAnswer, Stop> {
        if let Some(row) = problem.rows().position(|row| row.is_refuted_by_divisibility()) {
            return Ok(IlpAnswer::Infeasible(Certificate::Gcd { row }));
        }
        match solve(problem, Numbers::Natural, self.config.max_nodes, run)? {
            Opinion::Point(values) => match round(&values).filter(|point| problem.is_satisfied(point)) {
                Some(point) => return Ok(IlpAnswer::Feasible(point)),
                None => self.stats.disbelieved += 1,
            },
            Opinion::Infeasible | Opinion::None => {}
        }
        let mut refuter = Refuter::new(&self.config);
        let refuted = refuter.refute(problem, run)?;
        self.stats.exact_simplex += refuter.exact_leaves;
        match refuted {
            Refuted::Yes(certificate) => Ok(IlpAnswer::Infeasible(certificate)),
            Refuted::No(point) => Ok(IlpAnswer::Feasible(point)),
            Refuted::Open => self.ask_arbiter(problem, run),
        }
    }

    fn ask_arbiter(&mut self, problem: &Problem, run: &Run) -> Result<IlpAnswer, Stop> {
        let Some(solvers) = &self.arbiter else {
            return Ok(IlpAnswer::Unknown("an integer program could not be decided exactly".to_owned()));
        };
        self.stats.arbiter += 1;
        let limit = Duration::from_millis(self.config.arbiter_milliseconds);
        Ok(match arbiter::ask(problem, &**solvers, limit, run)? {
            Ruling::Feasible(point) => IlpAnswer::Feasible(point),
            Ruling::Infeasible => {
                IlpAnswer::Infeasible(Certificate::Solver { name: solvers.name().to_owned() })
            }
            Ruling::None(words) => IlpAnswer::Unknown(format!("an integer program stays open: {words}")),
        })
    }
}
