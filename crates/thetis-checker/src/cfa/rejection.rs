//! Why evidence is not accepted.

use thetis_expr::VarId;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, LocId, StepError};

/// What is wrong with evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// The trace does not end in an error location.
    EndsElsewhere,
    /// The trace arrives at this limit, and what the program does there is not known.
    Limit(LocId),
    /// This step of the trace, counted from zero, cannot be taken.
    Step(usize, StepError),
    /// The proof has a formula for a location that does not exist.
    UnknownLocation,
    /// The formula of this location is not a Boolean term over variables of the model.
    NotAFormula(LocId),
    /// The proof quantifies over this variable of the model.
    CellOfModel(VarId),
    /// The formula of the initial location excludes an initial state, or it is an error location or a limit.
    Initiation,
    /// This edge leads from a state that satisfies the formula of its source to one that does not satisfy that of its
    /// target.
    Consecution(EdgeId),
    /// The derived formulas of locations depend on each other; this location is one of them.
    DerivedCycle(LocId),
    /// This location is an error location or a limit and cannot be derived.
    DerivedError(LocId),
    /// The proof cuts or blocks an edge that does not exist.
    UnknownEdge,
    /// This edge is called blocked, but can be taken.
    NotBlocked(EdgeId),
    /// This location is on a cycle that leads to an error location or a limit and that the unwinding does not cut.
    UncutCycle(LocId),
    /// The unwinding reaches an error location or a limit, or takes more cut edges than it says.
    Unwinding,
    /// From this location, to which a cut edge leads, a run takes exactly as many cut edges as the bound says and
    /// reaches an error location or a limit, so k-induction shows nothing.
    InductionStep(LocId),
    /// As far as values are known, a run may arrive at this location, which is an error location or a limit.
    Reached(LocId),
    /// The runs are longer than the proof says.
    TooManySteps,
}

impl Rejection {
    /// One sentence for the report.
    pub fn describe(&self, task: &Task<Cfa>) -> String {
        let name = |location: LocId| task.model.locations[location].name.as_str();
        match self {
            Rejection::EndsElsewhere => "the trace does not end in an error location".into(),
            Rejection::Limit(location) => {
                let reason = task.model.limits.get(location).map_or("it is not described", String::as_str);
                format!("the trace ends at a limit of the model, which is no violation: {reason}")
            }
            Rejection::Step(number, error) => format!("step {} of the trace: {error}", number + 1),
            Rejection::UnknownLocation => "the proof names a location that does not exist".into(),
            Rejection::NotAFormula(location) => {
                format!("what the proof gives for `{}` is not a formula over the variables", name(*location))
            }
            Rejection::CellOfModel(var) => {
                format!("the proof quantifies over the variable `{}` of the model", task.store.var_name(*var))
            }
            Rejection::Initiation => {
                format!("the invariant of `{}` excludes an initial state", name(task.model.initial))
            }
            Rejection::Consecution(edge) => {
                let edge = &task.model.edges[*edge];
                format!("an edge `{} -> {}` breaks the invariant", name(edge.source), name(edge.target))
            }
            Rejection::DerivedCycle(location) => {
                format!("the derived invariant of `{}` depends on itself", name(*location))
            }
            Rejection::DerivedError(location) => {
                format!("the location `{}`, which has to be excluded, is called derived", name(*location))
            }
            Rejection::UnknownEdge => "the proof names an edge that does not exist".into(),
            Rejection::NotBlocked(edge) => {
                let edge = &task.model.edges[*edge];
                format!("an edge `{} -> {}` is not blocked", name(edge.source), name(edge.target))
            }
            Rejection::UncutCycle(location) => {
                format!("the unwinding does not cut a cycle through `{}`", name(*location))
            }
            Rejection::InductionStep(location) => {
                format!("the step of the induction does not hold from `{}`", name(*location))
            }
            Rejection::Reached(location) => {
                format!("a run may reach `{}`, as far as its values are known", name(*location))
            }
            Rejection::TooManySteps => "the runs take more steps than the proof says".into(),
            Rejection::Unwinding => {
                "the unwinding reaches an error location or a limit, or is not complete at its bound".into()
            }
        }
    }
}
