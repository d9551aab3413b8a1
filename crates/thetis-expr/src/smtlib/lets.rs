//! Which sub-terms a printer binds by `let`.

use rustc_hash::FxHashMap;

use crate::{ExprId, Postorder, Store};

/// The compound sub-terms that a text would contain more than once, each with the number of its `let` variable.
pub(super) struct Shared {
    /// In an order in which each uses only earlier ones.
    pub order: Vec<ExprId>,
    numbers: FxHashMap<ExprId, u32>,
}

impl Shared {
    /// `repeats` says how many extra times the text of a term contains its argument at a position.
    pub(super) fn of(store: &Store, root: ExprId, repeats: impl Fn(ExprId, usize) -> u32) -> Shared {
        let mut uses: FxHashMap<ExprId, u32> = FxHashMap::default();
        let mut compound = Vec::new();
        for part in Postorder::new(store, [root]) {
            let args = store.args(part);
            for (position, arg) in args.iter().enumerate() {
                let count = uses.entry(*arg).or_default();
                *count = count.saturating_add(1 + repeats(part, position));
            }
            if !args.is_empty() {
                compound.push(part);
            }
        }
        let order: Vec<_> = compound.into_iter().filter(|part| uses.get(part) > Some(&1)).collect();
        let numbers = order.iter().enumerate().map(|(index, part)| (*part, index as u32 + 1)).collect();
        Shared { order, numbers }
    }

    pub(super) fn number(&self, expr: ExprId) -> Option<u32> {
        self.numbers.get(&expr).copied()
    }
}
