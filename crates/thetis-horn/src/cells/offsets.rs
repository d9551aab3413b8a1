//! The offset of each array's element within a cell.
//!
//! Memory that has an array for each field of a structure is read and written at `p` and at `p + 4`. If an array is always accessed
//! with the same offset, the cell is `p`, the structure, and the array's element in the cell is at that offset.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use thetis_expr::{ExprId, Op, Postorder, Sort, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, StmtKind};

/// The number that is added in all indices of an array, for those arrays where it is always the same and not zero.
pub(super) fn of(task: &Task<Cfa>) -> BTreeMap<VarId, BigInt> {
    let store = &task.store;
    let stmts = task.model.edges.iter().flat_map(|edge| edge.stmt.walk());
    let terms = stmts.filter_map(|stmt| match &stmt.kind {
        StmtKind::Assign(_, term) | StmtKind::Assume(term) => Some(*term),
        StmtKind::Havoc(_) | StmtKind::Seq(_) | StmtKind::Choice(_) => None,
    });
    let mut offsets: BTreeMap<VarId, Option<BigInt>> = BTreeMap::new();
    for term in Postorder::new(store, terms) {
        if !matches!(store.op(term), Op::Select | Op::Store) || store.sort(store.arg(term, 1)) != Sort::Int {
            continue;
        }
        let index = store.arg(term, 1);
        if store.is_literal(index) {
            continue;
        }
        let offset = offset(store, index);
        for array in arrays_in(store, store.arg(term, 0)) {
            let known = offsets.entry(array).or_insert_with(|| Some(offset.clone()));
            if known.as_ref() != Some(&offset) {
                *known = None;
            }
        }
    }
    let offsets = offsets.into_iter().filter_map(|(array, offset)| Some((array, offset?)));
    offsets.filter(|(_, offset)| *offset != BigInt::ZERO).collect()
}

/// The array variables that an array is made of.
fn arrays_in(store: &Store, array: ExprId) -> Vec<VarId> {
    let vars = store.vars_of([array]);
    vars.into_iter().filter(|var| store.var_sort(*var) == store.sort(array)).collect()
}

/// The number that is added last in an index.
fn offset(store: &Store, index: ExprId) -> BigInt {
    let args = store.args(index);
    let last = args.last().filter(|_| store.op(index) == Op::Add);
    last.and_then(|last| store.value(*last)?.as_int().cloned()).unwrap_or_default()
}

/// An index, so much further.
pub(super) fn moved(store: &Store, index: ExprId, distance: BigInt) -> ExprId {
    if distance == BigInt::ZERO {
        return index;
    }
    if offset(store, index) == BigInt::ZERO {
        return store.add(index, store.int(distance));
    }
    let args = store.args(index);
    let (last, rest) = args.split_last().map_or((index, &args[..]), |(last, rest)| (*last, rest));
    let rest = rest.iter().copied().reduce(|sum, arg| store.add(sum, arg)).unwrap_or(last);
    let total = store.value(last).and_then(|value| Some(value.as_int()? + distance)).unwrap_or_default();
    store.add(rest, store.int(total))
}
