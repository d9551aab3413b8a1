//! What a statement takes from a step: its inputs and choices, in the order of execution.
//!
//! Passes that put statements together or take parts away have to distribute the inputs and choices of a step anew. All
//! they need to know of a statement is its skeleton of havocs and choices.

use thetis_expr::Value;

use super::{CfaStep, EdgeId, Stmt, StmtKind};

/// The havocs and choices of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Demand {
    /// So many inputs, no choice.
    Inputs(usize),
    /// One after the other.
    Seq(Vec<Demand>),
    /// A choice, and what its branches take.
    Choice(Vec<Demand>),
}

impl Demand {
    pub(super) fn of(stmt: &Stmt) -> Demand {
        match &stmt.kind {
            StmtKind::Assign(..) | StmtKind::Assume(_) => Demand::Inputs(0),
            StmtKind::Havoc(_) => Demand::Inputs(1),
            StmtKind::Seq(stmts) => Demand::seq(stmts.iter().map(Demand::of).collect()),
            StmtKind::Choice(stmts) => Demand::Choice(stmts.iter().map(Demand::of).collect()),
        }
    }

    /// A sequence without choices is a number of inputs.
    fn seq(parts: Vec<Demand>) -> Demand {
        let inputs = parts.iter().map(|part| match part {
            Demand::Inputs(number) => Some(number),
            _ => None,
        });
        match inputs.sum::<Option<usize>>() {
            Some(number) => Demand::Inputs(number),
            None => Demand::Seq(parts),
        }
    }
}

/// Reads the inputs and choices of a step from the first to the last. Where a step has too few, the rest gets none: then
/// the step did not fit its edge, and what is made of it will not fit either.
pub(super) struct StepReader {
    inputs: std::vec::IntoIter<Value>,
    choices: std::vec::IntoIter<usize>,
}

impl StepReader {
    pub(super) fn new(step: CfaStep) -> StepReader {
        StepReader { inputs: step.inputs.into_iter(), choices: step.choices.into_iter() }
    }

    /// The next branch.
    pub(super) fn choice(&mut self) -> Option<usize> {
        self.choices.next()
    }

    /// The next input.
    pub(super) fn input(&mut self) -> Option<Value> {
        self.inputs.next()
    }
    /// The step over `edge`, whose statement takes `demand`.
    pub(super) fn step(&mut self, edge: EdgeId, demand: &Demand) -> CfaStep {
        let mut step = CfaStep { edge, inputs: Vec::new(), choices: Vec::new() };
        let mut pending = vec![demand];
        while let Some(demand) = pending.pop() {
            match demand {
                Demand::Inputs(number) => step.inputs.extend(self.inputs.by_ref().take(*number)),
                Demand::Seq(parts) => pending.extend(parts.iter().rev()),
                Demand::Choice(branches) => {
                    let branch = self.choice();
                    step.choices.extend(branch);
                    pending.extend(branch.and_then(|branch| branches.get(branch)));
                }
            }
        }
        step
    }
}
