//! Cells of arrays that keep what was written to them.
//!
//! A program that writes `a[m] = 3` and then searches for a 3 stops at `m` at the latest: `a[m] = 3` stays true, and an index that is
//! read is at most `m`. Neither is a comparison in the text. So for every write of an element to a cell, that the cell has the
//! element is a candidate, and so is every order between an index that is written and one that is read.
//!
//! These are candidates only: whether something else writes the cell, or changes what the index or the element is made of, is left to the solver.

use std::collections::BTreeSet;

use thetis_expr::{ExprId, Op, Postorder, Sort, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, StmtKind};

/// An index or element with more nodes is a computation of its own.
const MAX_SIZE: usize = 16;

/// A program with more writes works on whole arrays, not on single cells.
const MAX_WRITES: usize = 6;

/// The same for reads.
const MAX_READS: usize = 12;

/// What may be known of cells; nothing if there are too many.
pub(super) fn candidates(task: &Task<Cfa>) -> BTreeSet<ExprId> {
    let store = &task.store;
    let (mut kept, mut written, mut read) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for stmt in task.model.edges.iter().flat_map(|edge| edge.stmt.walk()) {
        let (array, term) = match &stmt.kind {
            StmtKind::Assign(var, term) => (Some(store.var_expr(*var)), *term),
            StmtKind::Assume(term) => (None, *term),
            _ => continue,
        };
        for part in Postorder::new(store, [term]) {
            match (store.op(part), array) {
                (Op::Select, _) => read.extend(small(store, store.arg(part, 1))),
                (Op::Store, Some(array)) if store.sort(part) == store.sort(array) => {
                    let (index, element) = (store.arg(part, 1), store.arg(part, 2));
                    if let (Some(index), Some(element)) = (small(store, index), small(store, element)) {
                        kept.insert(store.eq(store.select(array, index), element));
                        written.insert(index);
                    }
                }
                _ => {}
            }
        }
    }
    if kept.is_empty() || kept.len() > MAX_WRITES || read.len() > MAX_READS {
        return BTreeSet::new();
    }
    kept.extend(orders(store, &written, &read));
    kept
}

fn small(store: &Store, term: ExprId) -> Option<ExprId> {
    (store.size(term) <= MAX_SIZE).then_some(term)
}

/// That an index that is read is at most, or at least, one that is written.
fn orders(store: &Store, written: &BTreeSet<ExprId>, read: &BTreeSet<ExprId>) -> Vec<ExprId> {
    let mut orders = Vec::new();
    for left in written {
        for right in read.iter().filter(|right| *right != left && store.sort(**right) == store.sort(*left)) {
            match store.sort(*left) {
                Sort::Int => orders.extend([store.le(*left, *right), store.le(*right, *left)]),
                Sort::BitVec(_) => orders.extend([store.bv_ule(*left, *right), store.bv_ule(*right, *left)]),
                _ => {}
            }
        }
    }
    orders
}
