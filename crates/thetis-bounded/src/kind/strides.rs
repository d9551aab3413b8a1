//! Variables that move in strides: `x` stays a multiple of what each round adds to it.
//!
//! A loop that adds 3 to `x` preserves the remainder of `x` modulo 3. Linear equations do not express it unless `x mod 3` occurs in the model,
//! and equations modulo powers of two know strides that are powers of two only. A stride may also be a variable, as in
//! `while (i < n * k) i += k`. A remainder modulo a variable is not linear, but if few values are possible, one implication for each is:
//! `k = 3 → i mod 3 = 0`.
//!
//! These are candidates only: whether something else changes the variable, or wraps around, is left to the solver.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use thetis_expr::{ExprId, Op, Postorder, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::ranges::{Range, RangeMap};
use thetis_model::cfa::{Cfa, LocId, StmtKind};

/// The greatest stride.
const MAX_STRIDE: u32 = 64;

/// The greatest value of a variable that is a stride. Each value is a case for the solver.
const MAX_VARIABLE_STRIDE: i64 = 16;

/// At most this many remainders are tried for each stride of a variable.
const MAX_STARTS: usize = 3;

/// What assignments say about one variable.
#[derive(Default)]
struct Movement {
    /// What is added to it: numbers up to [`MAX_STRIDE`] that are no powers of two, and variables.
    numbers: BTreeSet<i64>,
    variables: BTreeSet<VarId>,
    /// The numbers that it is set to.
    starts: BTreeSet<BigInt>,
}

/// How variables move.
pub(super) struct Strides {
    movements: BTreeMap<VarId, Movement>,
}

impl Strides {
    pub(super) fn new(task: &Task<Cfa>) -> Strides {
        let mut movements: BTreeMap<VarId, Movement> = BTreeMap::new();
        for stmt in task.model.edges.iter().flat_map(|edge| edge.stmt.walk()) {
            if let StmtKind::Assign(var, term) = &stmt.kind {
                movements.entry(*var).or_default().observe(&task.store, *var, *term);
            }
        }
        movements.retain(|_, movement| movement.has_strides());
        Strides { movements }
    }

    /// The candidates for a location.
    pub(super) fn candidates(&self, store: &Store, ranges: &RangeMap, location: LocId) -> Vec<ExprId> {
        let mut candidates = Vec::new();
        for (var, movement) in &self.movements {
            for stride in &movement.numbers {
                candidates.extend(movement.remainders(store, *var, *stride));
            }
            for variable in &movement.variables {
                for stride in small_values(store, ranges, location, *variable) {
                    let case = store.eq(store.var_expr(*variable), store.int(stride));
                    let remainders = movement.remainders(store, *var, stride);
                    candidates.extend(remainders.into_iter().map(|remainder| store.implies(case, remainder)));
                }
            }
        }
        candidates
    }
}

impl Movement {
    /// Notes what `var := term` says. Additions may be inside of a remainder, which wraps them around.
    fn observe(&mut self, store: &Store, var: VarId, term: ExprId) {
        if let Some(start) = store.value(term).and_then(|value| value.as_int().cloned()) {
            self.starts.insert(start);
        }
        let is_var = |term: &ExprId| store.as_var(*term) == Some(var);
        let sums = Postorder::new(store, [term]).filter(|term| matches!(store.op(*term), Op::Add | Op::Sub));
        for sum in sums.filter(|sum| store.args(*sum).iter().any(is_var)) {
            for added in store.args(sum).iter().filter(|added| !is_var(added)) {
                self.add_stride(store, *added);
            }
        }
    }

    fn add_stride(&mut self, store: &Store, added: ExprId) {
        self.variables.extend(store.as_var(added));
        let number = store.value(added).and_then(|value| u32::try_from(value.as_int()?.magnitude()).ok());
        let stride = number.filter(|number| *number <= MAX_STRIDE && number.count_ones() > 1);
        self.numbers.extend(stride.map(i64::from));
    }

    fn has_strides(&self) -> bool {
        !self.numbers.is_empty() || !self.variables.is_empty()
    }

    /// That `var` has the remainder of a number that it is set to.
    fn remainders(&self, store: &Store, var: VarId, stride: i64) -> Vec<ExprId> {
        let modulus = store.int(stride);
        let rest = store.modulo(store.var_expr(var), modulus);
        let starts = self.starts.iter().take(MAX_STARTS);
        starts.map(|start| store.eq(rest, store.modulo(store.int(start.clone()), modulus))).collect()
    }
}

/// The values from 2 on that a variable may have at a location; none if it may have great ones.
fn small_values(store: &Store, ranges: &RangeMap, location: LocId, variable: VarId) -> Vec<i64> {
    let Some(Range::Int(interval)) = ranges.range(store, location, variable) else { return Vec::new() };
    let bound = |bound: Option<&BigInt>| bound.and_then(|bound| i64::try_from(bound).ok());
    match (bound(interval.low()), bound(interval.high())) {
        (Some(low), Some(high)) if high <= MAX_VARIABLE_STRIDE => (low.max(2)..=high).collect(),
        _ => Vec::new(),
    }
}
