//! Moving terms between stores.

use rustc_hash::FxHashMap;

use crate::{Args, ExprId, Op, Postorder, Sort, Store, VarId};

impl Store {
    /// The term of this store that equals `expr` of `other`. Variables are identified by name and version and are
    /// declared here if needed.
    pub fn import(&self, other: &Store, expr: ExprId) -> ExprId {
        let mut imported: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for part in Postorder::new(other, [expr]) {
            let args: Args = other.args(part).iter().map(|arg| imported[arg]).collect();
            let here = match other.op(part) {
                Op::Const(_) => self.literal(other.value(part).expect("a constant should have a value")),
                Op::Var(var) => self.var_expr(self.import_var(other, var)),
                op => {
                    let target = Some(self.import_sort(other, other.sort(part)));
                    self.app(op, target, &args).expect("an imported term should stay well-sorted")
                }
            };
            imported.insert(part, here);
        }
        imported[&expr]
    }

    /// The variable of this store with the name and version of `var` of `other`.
    pub fn import_var(&self, other: &Store, var: VarId) -> VarId {
        let symbol = other.symbol(var);
        let base = self.declare(&symbol.name, self.import_sort(other, symbol.sort));
        self.at_version(base, symbol.version)
    }

    /// The sort of this store that equals `sort` of `other`.
    pub fn import_sort(&self, other: &Store, sort: Sort) -> Sort {
        let Sort::Array(array) = sort else { return sort };
        let (index, element) = other.array_parts(array);
        self.array_sort(self.import_sort(other, index), self.import_sort(other, element))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_move_between_unrelated_stores() {
        let (here, there) = (Store::new(), Store::new());
        here.array_sort(Sort::Bool, Sort::Bool);
        let build = |store: &Store| {
            let array = store.var("a", store.array_sort(Sort::Int, Sort::bitvec(8)));
            let next = store.primed(store.var("i", Sort::Int));
            let byte = store.select(store.store(array, store.int(3), store.bits(8, 7u8)), next);
            store.eq(store.zero_extend(byte, 16), store.extract(store.var("w", Sort::bitvec(32)), 4, 16))
        };
        let imported = here.import(&there, build(&there));
        assert_eq!(imported, build(&here));
    }
}
