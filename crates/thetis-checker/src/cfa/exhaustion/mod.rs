//! Exhaustion: all runs are followed to their ends.
//!
//! At the start nothing is known about any variable or input. A value computed from known values is known; any other value is
//! [`Unknown`](datum::Datum::Unknown), except perhaps for its sign, and stands for all values with that sign. Where it is unknown whether
//! a condition holds, the run is followed as if it did, so every real run is among those that are followed. If all of them end without
//! arriving at an error location or a limit, there is no violation. A program without inputs has a single run; to verify it, it is enough
//! to execute it, however large its memory and however intricate its computation.
//!
//! A run is followed no further once the graph has no path to an error location or a limit. The edges that are taken are counted over all
//! runs; a proof states their number, so that the cost of checking it is known in advance. A run that returns to a state it has been in
//! before is not followed either, because everything reachable from that state is followed already. To detect this, a run remembers its
//! state whenever the number of its edges is a power of two.
//!
//! A proof may ask for more than that: where the statements of an edge limit one of the variables that it names to a small range, and the
//! value is unknown, one run for each value in the range is followed ([`SmallRange`]). So programs are verified that compute with an input byte or a remainder, whatever they do
//! with it. Each value counts like an edge.
//!
//! A run that has been in a loop for some rounds may take the next ones at once, as far as [`Leap`] can predict them: whatever the unknown
//! values are, these rounds are taken and no other edge is possible. They count as one round.

mod code;
mod datum;
mod statements;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use thetis_base::{IndexVec, Run};
use thetis_expr::{SmallRange, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EDGES_OF_ROUNDS, EdgeId, Leap, LocId, RoundStep, last_round};

use super::{Outcome, Rejection, order};
use code::{Code, Numbers};

pub(super) use datum::Datum;
pub(super) use statements::Statements;

/// After this many edges, the run is examined for a loop whose rounds can be predicted.
const STEPS_BETWEEN_LEAPS: u64 = 4096;

/// How many edges are taken between two looks at the clock.
const STEPS_BETWEEN_LOOKS: u64 = 256;

pub(super) fn check(task: &Task<Cfa>, max_steps: u64, by_value: &BTreeSet<VarId>, run: &Run) -> Outcome {
    let automaton = Automaton::new(task, by_value);
    let mut pending = vec![automaton.start()];
    let mut num_steps: u64 = 0;
    let mut next_look = 0;
    while let Some(partial) = pending.pop() {
        if num_steps >= next_look {
            run.checkpoint()?;
            next_look = num_steps + STEPS_BETWEEN_LOOKS;
        }
        if partial.limit.is_some() {
            num_steps += 1;
        }
        // A value that no condition allows counts as well.
        if num_steps > max_steps {
            return Ok(Some(Rejection::TooManySteps));
        }
        let Some(mut partial) = automaton.execute(partial, &mut pending) else { continue };
        if task.model.is_forbidden(partial.location) {
            return Ok(Some(Rejection::Reached(partial.location)));
        }
        if partial.is_back() {
            continue;
        }
        if partial.num_steps.is_multiple_of(STEPS_BETWEEN_LEAPS) {
            num_steps += automaton.leap(&mut partial);
        }
        num_steps += automaton.leave(partial, &mut pending);
    }
    Ok((num_steps > max_steps).then_some(Rejection::TooManySteps))
}

/// A run that is being followed.
#[derive(Clone)]
struct Partial<'c> {
    /// Where it is once `rest` is done.
    location: LocId,
    values: Vec<Datum>,
    /// What is left to do; the last comes first.
    rest: Vec<&'c [Code]>,
    /// A variable that has one of these values before anything else is done.
    limit: Option<(usize, SmallRange)>,
    /// How many edges it took.
    num_steps: u64,
    /// The last edges, if it is nearly time to look for rounds.
    last_edges: Vec<EdgeId>,
    /// A state that it had.
    past: Option<(LocId, Rc<Vec<Datum>>)>,
}

impl<'c> Partial<'c> {
    /// Whether the run has returned to an earlier state. It must have nothing left to do before it leaves its
    /// location.
    fn is_back(&mut self) -> bool {
        if let Some((location, values)) = &self.past
            && *location == self.location
            && are_same(values, &self.values)
        {
            return true;
        }
        if self.num_steps.is_power_of_two() {
            self.past = Some((self.location, Rc::new(self.values.clone())));
        }
        self.num_steps += 1;
        false
    }

    /// Goes to a location, perhaps along an edge, with something to do before anything else.
    fn go(&mut self, (target, edge, code): (LocId, Option<EdgeId>, &'c [Code])) {
        self.location = target;
        self.rest.push(code);
        let wait = STEPS_BETWEEN_LEAPS - self.num_steps % STEPS_BETWEEN_LEAPS;
        match edge {
            Some(edge) if wait as usize <= EDGES_OF_ROUNDS => self.last_edges.push(edge),
            _ => self.last_edges.clear(),
        }
    }
}

/// An automaton whose edges are prepared when a run first takes them.
struct Automaton<'t> {
    task: &'t Task<Cfa>,
    numbers: Numbers,
    outgoing: IndexVec<LocId, Vec<EdgeId>>,
    relevant: BTreeSet<LocId>,
    code: IndexVec<EdgeId, OnceCell<Vec<Code>>>,
    /// The variables all of whose values are tried where they are in a small range.
    by_value: &'t BTreeSet<VarId>,
}

impl<'t> Automaton<'t> {
    fn new(task: &'t Task<Cfa>, by_value: &'t BTreeSet<VarId>) -> Automaton<'t> {
        let cfa = &task.model;
        let outgoing = order::outgoing(cfa);
        let relevant = order::towards_forbidden(cfa, &outgoing);
        Automaton {
            task,
            numbers: cfa.vars.iter().enumerate().map(|(number, var)| (*var, number)).collect(),
            outgoing,
            relevant,
            code: cfa.edges.iter().map(|_| OnceCell::new()).collect(),
            by_value,
        }
    }

    fn start<'c>(&self) -> Partial<'c> {
        let values = vec![Datum::UNKNOWN; self.task.model.vars.len()];
        Partial {
            location: self.task.model.initial,
            values,
            rest: Vec::new(),
            limit: None,
            num_steps: 0,
            last_edges: Vec::new(),
            past: None,
        }
    }

    fn code(&self, edge: EdgeId) -> &[Code] {
        let stmt = &self.task.model.edges[edge].stmt;
        self.code[edge].get_or_init(|| Code::of(&self.task.store, &self.numbers, stmt, self.by_value))
    }

    /// Does what is left to do, up to a choice with several possible branches: these become pending.
    fn execute<'c>(&self, mut partial: Partial<'c>, pending: &mut Vec<Partial<'c>>) -> Option<Partial<'c>> {
        let store = &self.task.store;
        if let Some((variable, range)) = partial.limit.take() {
            partial = self.choose_first(partial, variable, range, pending);
        }
        while let Some(code) = partial.rest.pop() {
            let Some((first, rest)) = code.split_first() else { continue };
            if !rest.is_empty() {
                partial.rest.push(rest);
            }
            match first {
                Code::Assign(variable, term) => {
                    partial.values[*variable] = term.datum(store, &partial.values);
                }
                Code::Write(variable, cells) => code::write(store, &mut partial.values, *variable, cells),
                Code::Assume(condition) => match condition.holds(store, &partial.values) {
                    Some(false) => return None,
                    Some(true) => {}
                    None => condition.learn(&mut partial.values),
                },
                Code::Havoc(variable) => partial.values[*variable] = Datum::UNKNOWN,
                Code::Limit(variable, range) => {
                    if matches!(partial.values[*variable], Datum::Unknown(_)) {
                        partial = self.choose_first(partial, *variable, *range, pending);
                    }
                }
                Code::Choice(branches) => {
                    let location = partial.location;
                    let branches = branches.iter().map(|branch| (location, None, branch.as_slice()));
                    self.spread(partial, branches, pending);
                    return None;
                }
            }
        }
        Some(partial)
    }

    /// Continues with the first value of a range; the run with the others becomes pending.
    fn choose_first<'c>(
        &self,
        mut partial: Partial<'c>,
        variable: usize,
        range: SmallRange,
        pending: &mut Vec<Partial<'c>>,
    ) -> Partial<'c> {
        let sort = self.task.store.var_sort(self.task.model.vars[variable]);
        let (value, others) = range.split_first(sort);
        if let Some(others) = others {
            pending.push(Partial { limit: Some((variable, others)), ..partial.clone() });
        }
        partial.values[variable] = Datum::of(&value);
        partial
    }

    /// Continues along all edges that may be taken. Returns their number.
    fn leave<'c>(&'c self, partial: Partial<'c>, pending: &mut Vec<Partial<'c>>) -> u64 {
        let target = |edge: EdgeId| self.task.model.edges[edge].target;
        let edges: Vec<EdgeId> = self.relevant_edges(partial.location).collect();
        let edges = edges.into_iter().map(|edge| (target(edge), Some(edge), self.code(edge)));
        self.spread(partial, edges, pending)
    }

    /// The edges from a location that are followed.
    fn relevant_edges(&self, location: LocId) -> impl Iterator<Item = EdgeId> {
        let edges = self.outgoing[location].iter().copied();
        edges.filter(|edge| self.relevant.contains(&self.task.model.edges[*edge].target))
    }

    /// If the run is in a loop, takes all rounds that can be predicted at once. Returns the number of edges
    /// that they count for.
    fn leap(&self, partial: &mut Partial<'_>) -> u64 {
        let (store, cfa) = (&self.task.store, &self.task.model);
        let Some(round) = last_round(&partial.last_edges) else { return 0 };
        let others = |edge: EdgeId| self.relevant_edges(cfa.edges[edge].source);
        let steps = round.iter().map(|edge| RoundStep::of_all_runs(cfa, *edge, others(*edge)));
        let Some(steps) = steps.collect::<Option<Vec<RoundStep<'_>>>>() else { return 0 };
        let values = &partial.values;
        let value_of = |var: VarId| values[self.numbers[&var]].scalar().cloned();
        let Some(leap) = Leap::foresee(store, &steps, &value_of) else { return 0 };
        let is_lost = |var: VarId| !matches!(values[self.numbers[&var]], Datum::Unknown(_));
        if leap.horizon == u64::MAX || leap.unknown().any(is_lost) {
            return 0;
        }
        let len = round.len() as u64;
        for (var, value) in leap.values_after(store, leap.horizon) {
            partial.values[self.numbers[&var]] = value.map_or(Datum::UNKNOWN, |value| Datum::of(&value));
        }
        len
    }

    /// Makes one pending run for each of `ways` that is possible: it goes along an edge or stays at its location, and
    /// executes the given code before what is left to do. Returns the number of runs.
    fn spread<'c>(
        &self,
        mut partial: Partial<'c>,
        ways: impl Iterator<Item = (LocId, Option<EdgeId>, &'c [Code])>,
        pending: &mut Vec<Partial<'c>>,
    ) -> u64 {
        let entered = |code| self.entered(code, &partial.values);
        let open = ways.filter_map(|(target, edge, code)| Some((target, edge, entered(code)?)));
        let open: Vec<(LocId, Option<EdgeId>, &[Code])> = open.collect();
        let Some((last, others)) = open.split_last() else { return 0 };
        for way in others {
            let mut other = partial.clone();
            other.go(*way);
            pending.push(other);
        }
        partial.go(*last);
        pending.push(partial);
        open.len() as u64
    }

    /// What is left of `code` after conditions that hold; `None` if one does not.
    fn entered<'c>(&self, mut code: &'c [Code], values: &[Datum]) -> Option<&'c [Code]> {
        while let Some((Code::Assume(condition), rest)) = code.split_first() {
            match condition.holds(&self.task.store, values) {
                Some(true) => code = rest,
                Some(false) => return None,
                None => break,
            }
        }
        Some(code)
    }
}

/// Whether two states are the same. Numbers are compared first: a loop over an array changes a counter in each round.
fn are_same(left: &[Datum], right: &[Datum]) -> bool {
    let is_array = |datum: &Datum| matches!(datum, Datum::Array(_));
    let mut pairs = left.iter().zip(right);
    let numbers_differ = pairs.clone().any(|(left, right)| !is_array(left) && left != right);
    !numbers_differ && pairs.all(|(left, right)| left == right)
}
