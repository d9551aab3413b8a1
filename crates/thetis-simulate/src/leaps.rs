//! Many rounds of a loop at once.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_expr::VarId;
use thetis_model::cfa::{EDGES_OF_ROUNDS, EdgeId, Leap, RoundStep, last_round};

use crate::machine::{Program, Word};

/// Rounds are worth a leap only if they have so many edges together.
const MIN_EDGES: u64 = 2000;

/// Looks for loops in runs without choices.
pub(crate) struct Leaps<'p> {
    program: &'p Program<'p>,
    numbers: FxHashMap<VarId, usize>,
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
    pub(crate) fn new(program: &'p Program<'p>) -> Leaps<'p> {
        let vars = program.cfa().vars.iter().enumerate();
        Leaps { program, numbers: vars.map(|(number, var)| (*var, number)).collect() }
    }

    /// The rounds that follow on `edges`, the last ones of a run that is now in a state with `values`, as far as they can be foreseen.
    pub(crate) fn after(&self, edges: &[EdgeId], values: &[Word]) -> Option<Taken> {
        let round = last_round(&edges[edges.len().saturating_sub(EDGES_OF_ROUNDS)..])?;
        let (cfa, store) = (self.program.cfa(), self.program.store());
        let others = |edge: EdgeId| self.program.outgoing(cfa.edges[edge].source).iter().copied();
        let steps: Option<Vec<RoundStep<'_>>> =
            round.iter().map(|edge| RoundStep::of_all_runs(cfa, *edge, others(*edge))).collect();
        let value_of = |var: VarId| match &values[self.numbers[&var]] {
            Word::Open(_) | Word::Cells(_) => None,
            word => Some(word.value(store, store.var_sort(var))),
        };
        let leap = Leap::foresee(store, &steps?, &value_of)?;
        let is_lost = |var: VarId| !values[self.numbers[&var]].is_open();
        let times = leap.horizon;
        if times == u64::MAX || times.saturating_mul(round.len() as u64) < MIN_EDGES || leap.unknown().any(is_lost) {
            return None;
        }
        let ends = leap.values_after(store, times).into_iter();
        let ends = ends.map(|(var, value)| {
            (self.numbers[&var], value.map_or(Word::OPEN, |value| Word::of(&value)))
        });
        Some(Taken { round: round.into(), times, values: ends.collect() })
    }
}
