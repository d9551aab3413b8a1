//! Many rounds of a loop at once.
//!
//! A round is a sequence of statements that is executed again and again, always with the same inputs and choices. How the values of variables depend on the
//! number `j` of the round is guessed: a number `x` is `x(0) + j * d` where `d` is what the first round adds to it, every other value is
//! always the same, and of what does not fit nothing is known. Then one round is executed on these *courses* instead of values
//! ([`course`]). Each operator finds the course of its result and for how many rounds that is right: up to which round a condition keeps
//! its truth, a remainder stays within one period of its divisor, a sum of machine numbers does not wrap. The smallest of these
//! numbers of rounds is the *horizon*.
//!
//! If every variable whose course was guessed has, at the end of the round, the course of the next round, `x(0) + (j + 1) * d`, then the
//! guesses are right up to the horizon, by induction on `j`: the values before round 0 are as guessed, and if those before round `j` are,
//! the execution on courses says what the round does, and so the values before round `j + 1` are. A guess that fails is given up,
//! and the round executed once more.
//!
//! This is acceleration of loops (Finkel and Leroux, 2002) for one run, so that no formula and no solver is needed: all is exact
//! arithmetic on two numbers for each variable. Where the arithmetic of a loop changes, the horizon is, and after it one starts again.

mod course;
mod courses;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use num_bigint::BigInt;
use thetis_expr::{ExprId, Store, Value, VarId};

use super::{Cfa, CfaStep, EdgeId, Stmt, StmtKind};
use course::Course;
use courses::Courses;

/// How many edges a round may have.
const MAX_ROUND: usize = 256;

/// How many of the last edges of a run [`last_round`] wants to see.
pub const EDGES_OF_ROUNDS: usize = 3 * MAX_ROUND;

/// The shortest round that a run took three times in the end.
pub fn last_round(edges: &[EdgeId]) -> Option<&[EdgeId]> {
    let count = edges.len();
    let is_round = |len: &usize| edges[count - 2 * len..] == edges[count - 3 * len..count - len];
    let len = (1..=MAX_ROUND.min(count / 3)).find(is_round)?;
    Some(&edges[count - len..])
}

/// One step of a round.
#[derive(Clone, Debug)]
pub struct RoundStep<'s> {
    /// What is executed.
    stmt: &'s Stmt,
    /// The inputs and choices, if they are known.
    chosen: Option<&'s CfaStep>,
    /// What must not hold before it.
    closed: Vec<ExprId>,
}

impl<'s> RoundStep<'s> {
    /// `stmt` with the inputs and choices of `step`, which must be a possible step in the first round.
    pub fn of_run(stmt: &'s Stmt, step: &'s CfaStep) -> RoundStep<'s> {
        RoundStep { stmt, chosen: Some(step), closed: Vec::new() }
    }

    /// `edge` with any inputs, if none of the edges `others`, which could be taken instead, can be taken. `None` if nobody knows
    /// when they can.
    pub fn of_all_runs(
        cfa: &'s Cfa,
        edge: EdgeId,
        others: impl IntoIterator<Item = EdgeId>,
    ) -> Option<RoundStep<'s>> {
        let others = others.into_iter().filter(|other| *other != edge);
        let closed: Option<Vec<ExprId>> = others.map(|other| cfa.edges[other].stmt.condition()).collect();
        Some(RoundStep { stmt: &cfa.edges[edge].stmt, chosen: None, closed: closed? })
    }
}

/// What some rounds of a loop do.
#[derive(Clone, Debug)]
pub struct Leap {
    /// How many rounds can be foreseen; at least one.
    pub horizon: u64,
    /// Whether a machine word wraps around in the round after those.
    pub ends_by_wrapping: bool,
    /// What the rounds assign, as it is at the end of round `j`.
    ends: BTreeMap<VarId, Course>,
}

impl Leap {
    /// What some rounds do that begin with the values of `value_of`; where it has none, nothing is known of a variable. `None` if
    /// already the first round cannot be executed, or nobody knows.
    pub fn foresee(
        store: &Store,
        round: &[RoundStep<'_>],
        value_of: &dyn Fn(VarId) -> Option<Value>,
    ) -> Option<Leap> {
        let none = BTreeMap::new();
        let first = execute(store, round, Courses::new(value_of, &none))?;
        let guess = |(var, end): (&VarId, &Course)| {
            let start = value_of(*var).map_or(Course::Unknown, |value| Course::of(&value));
            (*var, Course::through(&start, end))
        };
        let mut guesses: BTreeMap<VarId, Course> = first.assigned().iter().map(guess).collect();
        loop {
            let courses = execute(store, round, Courses::new(value_of, &guesses))?;
            let is_right = |(var, end): (&VarId, &Course)| {
                let guess = &guesses[var];
                *guess == Course::Unknown || guess.next() == *end
            };
            let (horizon, ends_by_wrapping) = (courses.horizon(), courses.ends_by_wrapping());
            let ends = courses.assigned().clone();
            let wrong: Vec<VarId> = ends.iter().filter(|end| !is_right(*end)).map(|(var, _)| *var).collect();
            if wrong.is_empty() {
                return Some(Leap { horizon, ends_by_wrapping, ends });
            }
            guesses.extend(wrong.into_iter().map(|var| (var, Course::Unknown)));
        }
    }

    /// The values of all variables that the rounds assign, after this many rounds, one at least; `None` for one that nobody knows.
    ///
    /// # Panics
    /// If that is beyond the horizon.
    pub fn values_after(&self, store: &Store, rounds: u64) -> BTreeMap<VarId, Option<Value>> {
        assert!((1..=self.horizon).contains(&rounds), "only rounds up to the horizon are foreseen");
        let last = BigInt::from(rounds - 1);
        self.ends.iter().map(|(var, end)| (*var, end.value(store.var_sort(*var), &last))).collect()
    }

    /// The variables that the rounds assign and of which nothing is known afterwards.
    pub fn unknown(&self) -> impl Iterator<Item = VarId> {
        self.ends.iter().filter(|(_, end)| **end == Course::Unknown).map(|(var, _)| *var)
    }
}

/// Executes a round; `None` if it is not known to go through.
fn execute<'c>(store: &Store, round: &[RoundStep<'_>], mut courses: Courses<'c>) -> Option<Courses<'c>> {
    for step in round {
        if step.closed.iter().any(|formula| courses.truth(store, *formula) != Some(false)) {
            return None;
        }
        let mut inputs = step.chosen.map(|chosen| chosen.inputs.iter());
        let mut choices = step.chosen.map_or(&[][..], |chosen| &chosen.choices).iter();
        let mut pending = vec![step.stmt];
        while let Some(stmt) = pending.pop() {
            match &stmt.kind {
                StmtKind::Assign(var, term) => courses.assign(store, *var, *term),
                StmtKind::Assume(formula) if courses.truth(store, *formula) == Some(true) => {}
                StmtKind::Assume(_) => return None,
                StmtKind::Havoc(var) => {
                    let input = match &mut inputs {
                        Some(inputs) => Course::of(inputs.next()?),
                        None => Course::Unknown,
                    };
                    courses.set(*var, input);
                }
                StmtKind::Seq(stmts) => pending.extend(stmts.iter().rev()),
                StmtKind::Choice(stmts) => pending.push(stmts.get(*choices.next()?)?),
            }
        }
    }
    Some(courses)
}
