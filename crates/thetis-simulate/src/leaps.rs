//! Many rounds of a loop at once.
//!
//! Rounds are not taken at once if they lead to a point where a machine word wraps around. A loop is hardly meant to count
//! that far, and if its counter is signed, the behaviour is undefined in C: such a run counts as evidence only if it is found
//! step by step.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_expr::{VarId, default_value};
use thetis_model::cfa::{CfaStep, EDGES_OF_ROUNDS, EdgeId, Leap, RoundStep, StmtKind, last_round};

use crate::machine::{Program, Word};

/// Rounds are worth a leap only if they have at least this many edges in total.
const MIN_EDGES: u64 = 2000;

/// Looks for loops in runs without choices.
pub(crate) struct Leaps<'p> {
    program: &'p Program<'p>,
    numbers: FxHashMap<VarId, usize>,
    inputs: RoundInputs,
}

/// What is read in rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RoundInputs {
    /// Anything.
    Open,
    /// Zero.
    Zero,
}

/// Rounds that were taken at once.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) round: Rc<[EdgeId]>,
    pub(crate) times: u64,
    /// The variables that have changed, with what they are now.
    pub(crate) values: Vec<(usize, Word)>,
}

impl<'p> Leaps<'p> {
    pub(crate) fn new(program: &'p Program<'p>, inputs: RoundInputs) -> Leaps<'p> {
        let vars = program.cfa().vars.iter().enumerate();
        Leaps { program, numbers: vars.map(|(number, var)| (*var, number)).collect(), inputs }
    }

    /// The rounds that follow `edges`, the last edges of a run that is now in a state with `values`, as far as they can be predicted.
    pub(crate) fn after(&self, edges: &[EdgeId], values: &[Word]) -> Option<Taken> {
        let round = last_round(&edges[edges.len().saturating_sub(EDGES_OF_ROUNDS)..])?;
        let (cfa, store) = (self.program.cfa(), self.program.store());
        let others = |edge: EdgeId| self.program.outgoing(cfa.edges[edge].source).iter().copied();
        let zeros: Vec<CfaStep> = round.iter().map(|edge| self.with_zeros(*edge)).collect();
        let step = |(edge, zeros): (&EdgeId, _)| match self.inputs {
            RoundInputs::Open => RoundStep::of_all_runs(cfa, *edge, others(*edge)),
            RoundInputs::Zero => Some(RoundStep::of_run(&cfa.edges[*edge].stmt, zeros)),
        };
        let steps: Option<Vec<RoundStep<'_>>> = round.iter().zip(&zeros).map(step).collect();
        let value_of = |var: VarId| match &values[self.numbers[&var]] {
            Word::Open(_) | Word::Cells(_) => None,
            word => Some(word.value(store, store.var_sort(var))),
        };
        let leap = Leap::foresee(store, &steps?, &value_of)?;
        let is_lost = |var: VarId| !values[self.numbers[&var]].is_open();
        let times = leap.horizon;
        if times == u64::MAX
            || leap.ends_by_wrapping
            || times.saturating_mul(round.len() as u64) < MIN_EDGES
            || leap.unknown().any(is_lost)
        {
            return None;
        }
        let ends = leap.values_after(store, times).into_iter();
        let ends =
            ends.map(|(var, value)| (self.numbers[&var], value.map_or(Word::OPEN, |value| Word::of(&value))));
        Some(Taken { round: round.into(), times, values: ends.collect() })
    }

    /// A step over an edge with zero for its inputs; none of its choices is made.
    fn with_zeros(&self, edge: EdgeId) -> CfaStep {
        let store = self.program.store();
        let stmts = self.program.cfa().edges[edge].stmt.walk();
        let inputs = stmts.filter_map(|stmt| match stmt.kind {
            StmtKind::Havoc(var) => Some(default_value(store, store.var_sort(var))),
            _ => None,
        });
        CfaStep { edge, inputs: inputs.collect(), choices: Vec::new() }
    }
}
