//! Runs of automata with procedures, whose calls may be nested deeper than the copies of functions in the
//! plain automaton.
//!
//! A recursive program usually has few inputs, and they determine how deep its recursion is. Each run gets the same number for all of
//! its inputs: zero, then the numbers that occur in the program, and their neighbours. If all runs that are too long take the same path,
//! that path does not depend on the inputs and is followed much further.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use thetis_base::{Run, Stop};
use thetis_expr::{BitVec, Op, Postorder, Sort, Store, Value, default_value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, DeepEnd, DeepRun, Procedural, StmtKind};

/// If there are several runs, each may use one in this many of all edges and calls.
const SHARES: u64 = 20;

/// How many times as long a run may be if inputs do not matter.
const ALONE: u64 = 50;

/// A violation of the automaton with procedures, after at most `max_steps` edges and calls if inputs matter.
pub(crate) fn violation(task: &Task<Cfa>, max_steps: u64, run: &Run) -> Result<Option<CfaTrace>, Stop> {
    let Some(procedural) = &task.model.procedural else { return Ok(None) };
    let store = &task.store;
    let try_number = |number: &BigInt, max_steps| {
        procedural.explore(store, |sort| input(store, sort, number), max_steps, run)
    };
    let (mut num_steps, mut long_routes) = (0, Vec::new());
    let mut reads = true;
    for number in numbers(store, procedural) {
        let found = try_number(&number, max_steps / SHARES)?;
        match found.end {
            DeepEnd::Error => return Ok(Some(trace(store, found.run))),
            DeepEnd::TooLong => long_routes.push(found.route),
            // A number that an input cannot be says nothing.
            DeepEnd::Elsewhere | DeepEnd::WrongInput => {}
        }
        num_steps += found.run.max_steps;
        reads = !found.run.inputs.is_empty();
        if !reads || num_steps >= max_steps {
            break;
        }
    }
    if !is_alone(&long_routes, reads) {
        return Ok(None);
    }
    let found = try_number(&BigInt::ZERO, max_steps.saturating_mul(ALONE))?;
    Ok((found.end == DeepEnd::Error).then(|| trace(store, found.run)))
}

/// Whether all runs that are too long take the same path. A single run that reads inputs is no evidence for
/// that.
fn is_alone(long_routes: &[u64], reads: bool) -> bool {
    let is_same = long_routes.windows(2).all(|routes| routes[0] == routes[1]);
    is_same && long_routes.len() > usize::from(reads)
}

/// The run as a trace, without the zeros at the end of its inputs, which need not be given.
fn trace(store: &Store, mut run: DeepRun) -> CfaTrace {
    let is_zero = |value: &mut Value| *value == default_value(store, store.sort_of_value(value));
    while run.inputs.pop_if(is_zero).is_some() {}
    CfaTrace::deep(run)
}

/// A number as a value of a sort; zero where there are no such numbers.
fn input(store: &Store, sort: Sort, number: &BigInt) -> Value {
    match sort {
        Sort::Int => Value::Int(number.clone()),
        Sort::BitVec(width) => Value::BitVec(BitVec::from_int(width.get(), number)),
        other => default_value(store, other),
    }
}

/// The numbers that are worth trying, small ones first.
fn numbers(store: &Store, procedural: &Procedural) -> Vec<BigInt> {
    let stmts = procedural.cfa.edges.iter().flat_map(|edge| edge.stmt.walk());
    let terms = stmts.filter_map(|stmt| match stmt.kind {
        StmtKind::Assign(_, term) | StmtKind::Assume(term) => Some(term),
        _ => None,
    });
    let constants = Postorder::new(store, terms).filter(|term| matches!(store.op(*term), Op::Const(_)));
    let numbers = constants.filter_map(|term| match store.value(term)? {
        Value::Int(number) => Some(number),
        Value::BitVec(bits) => Some(bits.signed()),
        _ => None,
    });
    let near: BTreeSet<BigInt> =
        numbers.flat_map(|number| [number.clone() - 1, number.clone() + 1, number]).collect();
    let mut near: Vec<BigInt> = near.into_iter().chain([BigInt::ZERO]).collect();
    near.sort_by_key(|number| number.magnitude().clone());
    near.dedup();
    near
}
