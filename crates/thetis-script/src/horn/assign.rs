//! Simultaneous assignments as a sequence of assignments.

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Replacer, Store, VarId};

/// A sequence of assignments with the effect of the simultaneous `assignments`. `spare(n)` returns the n-th variable in
/// which an old value can be kept.
pub(super) fn in_sequence(
    store: &Store,
    assignments: Vec<(VarId, ExprId)>,
    mut spare: impl FnMut(&Store, VarId, usize) -> VarId,
) -> Vec<(VarId, ExprId)> {
    let changes = |(var, value): &(VarId, ExprId)| store.as_var(*value) != Some(*var);
    let mut pending: Vec<(VarId, ExprId)> = assignments.into_iter().filter(changes).collect();
    let mut sequence = Vec::new();
    let mut num_kept = 0;
    while !pending.is_empty() {
        let mut reads: FxHashMap<VarId, usize> = FxHashMap::default();
        for (target, value) in &pending {
            for var in store.vars_of([*value]).into_iter().filter(|var| var != target) {
                *reads.entry(var).or_default() += 1;
            }
        }
        let (blocked, ready): (Vec<_>, Vec<_>) =
            pending.into_iter().partition(|(var, _)| reads.contains_key(var));
        pending = blocked;
        if ready.is_empty() {
            let kept = pending[0].0;
            let spare = spare(store, kept, num_kept);
            num_kept += 1;
            sequence.push((spare, store.var_expr(kept)));
            pending = keep(store, pending, kept, spare);
        }
        sequence.extend(ready);
    }
    sequence
}

/// The assignments, reading `spare` instead of `var`.
fn keep(store: &Store, pending: Vec<(VarId, ExprId)>, var: VarId, spare: VarId) -> Vec<(VarId, ExprId)> {
    let mut replacer = Replacer::new(|store: &Store, read| (read == var).then(|| store.var_expr(spare)));
    pending.into_iter().map(|(target, value)| (target, replacer.apply(store, value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use thetis_expr::{Sort, Value, evaluate};

    /// Runs the sequence on x = 1, y = 2, z = 3.
    fn effect(store: &Store, assignments: Vec<(VarId, ExprId)>) -> Vec<Value> {
        let vars = ["x", "y", "z"].map(|name| store.declare(name, Sort::Int));
        let mut state: FxHashMap<VarId, Value> = vars.iter().copied().zip((1..4).map(Value::int)).collect();
        let spare = |store: &Store, _, number| store.declare(&format!("spare{number}"), Sort::Int);
        for (var, value) in in_sequence(store, assignments, spare) {
            let value = evaluate(store, value, &|var: VarId| state.get(&var).cloned()).unwrap();
            state.insert(var, value);
        }
        vars.iter().map(|var| state[var].clone()).collect()
    }

    #[test]
    fn sequences_do_what_happens_at_once() {
        let store = Store::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| store.declare(name, Sort::Int));
        let [tx, ty, tz] = [x, y, z].map(|var| store.var_expr(var));
        let one = store.int(1);
        for (assignments, expected) in [
            (vec![(x, ty), (y, tx)], [2, 1, 3]),
            (vec![(x, ty), (y, tz), (z, tx)], [2, 3, 1]),
            (vec![(x, store.add(tx, one)), (y, tx)], [2, 1, 3]),
            (vec![(x, store.add(tx, ty)), (y, store.add(tx, ty)), (z, tz)], [3, 3, 3]),
            (vec![(y, store.add(tx, ty)), (x, store.add(ty, tz)), (z, store.add(tx, tz))], [5, 3, 4]),
        ] {
            assert_eq!(effect(&store, assignments), expected.map(Value::int));
        }
    }
}
