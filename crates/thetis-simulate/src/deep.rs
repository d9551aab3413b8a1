//! Runs of automata with procedures, whose calls may be deeper than copies go.
//!
//! A recursive program mostly has few inputs, and how deep it calls itself depends on them. Each run gets the same number for all of its
//! inputs: zero, then the numbers that occur in the program, and their neighbours.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use thetis_base::{Run, Stop};
use thetis_expr::{BitVec, Op, Postorder, Sort, Store, Value, default_value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, DeepEnd, Procedural, StmtKind};

/// What share of all edges and calls one run may have if there are several: one of so many.
const SHARES: u64 = 20;

/// A violation of the automaton with procedures, after at most `max_steps` edges and calls.
pub(crate) fn violation(task: &Task<Cfa>, max_steps: u64, run: &Run) -> Result<Option<CfaTrace>, Stop> {
    let Some(procedural) = &task.model.procedural else { return Ok(None) };
    let store = &task.store;
    let is_alone = !reads(procedural);
    let mut num_steps = 0;
    for number in numbers(store, procedural) {
        let input = |sort| input(store, sort, &number);
        let share = if is_alone { max_steps } else { max_steps / SHARES };
        let (end, deep) = procedural.explore(store, input, share, run)?;
        if end == DeepEnd::Error {
            return Ok(Some(CfaTrace::deep(deep)));
        }
        num_steps += deep.max_steps;
        if is_alone || num_steps >= max_steps {
            break;
        }
    }
    Ok(None)
}

/// Whether there are inputs.
fn reads(procedural: &Procedural) -> bool {
    let mut stmts = procedural.cfa.edges.iter().flat_map(|edge| edge.stmt.walk());
    stmts.any(|stmt| matches!(stmt.kind, StmtKind::Havoc(_)))
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
