//! The floating-point solver. Callers must not rely on any of its results.

use std::time::Duration;

use microlp::{
    ComparisonOp, Error, OptimizationDirection, ResumeOptions, SolutionStatus, SolveOptions, SolveOutcome,
    TerminationReason, Variable,
};
use thetis_base::{Run, Stop};

use crate::{Problem, Relation};

/// How long a search runs between two checks of the run.
const SLICE: Duration = Duration::from_millis(50);

/// What the floating-point solver says.
#[derive(Debug)]
pub(crate) enum Opinion {
    /// This point is a solution.
    Point(Vec<f64>),
    /// There is no solution.
    Infeasible,
    /// It gave up.
    None,
}

/// The limit of nodes for a search over real numbers, which does not branch.
pub(crate) const NO_NODES: u64 = 1;

/// Whether variables are natural or real numbers that are not negative.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    Natural,
    Real,
}

/// Looks for a point of `problem` with a small sum.
pub(crate) fn solve(problem: &Problem, numbers: Numbers, max_nodes: u64, run: &Run) -> Result<Opinion, Stop> {
    let mut model = microlp::Problem::new(OptimizationDirection::Minimize);
    let vars: Vec<Variable> = (0..problem.num_vars())
        .map(|_| match numbers {
            Numbers::Natural => model.add_integer_var(1.0, (0, i32::MAX)),
            Numbers::Real => model.add_var(1.0, (0.0, f64::INFINITY)),
        })
        .collect();
    for row in problem.rows() {
        let terms: Vec<(Variable, f64)> =
            row.terms().iter().map(|(var, c)| (vars[*var as usize], *c as f64)).collect();
        model.add_constraint(terms, comparison(row.relation()), row.bound() as f64);
    }
    solve_model(&model, &vars, max_nodes, run)
}

/// Solves a model in slices, so that the run is checked in between.
pub(crate) fn solve_model(
    model: &microlp::Problem,
    vars: &[Variable],
    max_nodes: u64,
    run: &Run,
) -> Result<Opinion, Stop> {
    run.checkpoint()?;
    let mut options = SolveOptions::default();
    options.time_limit = Some(SLICE);
    options.node_limit = Some(max_nodes);
    let mut outcome = model.solve_with(options);
    loop {
        let pending = match outcome {
            Err(Error::Infeasible) => return Ok(Opinion::Infeasible),
            Err(_) => return Ok(Opinion::None),
            Ok(pending) => pending,
        };
        let nodes = pending.stats().nodes_solved;
        let may_go_on = pending.termination_reason() == TerminationReason::TimeLimit && nodes < max_nodes;
        if !may_go_on {
            return Ok(point_of(&pending, vars));
        }
        run.checkpoint()?;
        let mut options = ResumeOptions::default();
        options.time_limit = Some(SLICE);
        options.node_limit = Some(max_nodes - nodes);
        outcome = pending.resume_with(options);
    }
}

pub(crate) fn comparison(relation: Relation) -> ComparisonOp {
    match relation {
        Relation::AtLeast => ComparisonOp::Ge,
        Relation::Equal => ComparisonOp::Eq,
        Relation::AtMost => ComparisonOp::Le,
    }
}

fn point_of(outcome: &SolveOutcome, vars: &[Variable]) -> Opinion {
    match outcome.solution() {
        Some(solution) if matches!(solution.status(), SolutionStatus::Optimal | SolutionStatus::Feasible) => {
            Opinion::Point(vars.iter().map(|var| solution.var_value(*var)).collect())
        }
        _ => Opinion::None,
    }
}
