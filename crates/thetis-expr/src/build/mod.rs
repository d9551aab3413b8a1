//! Smart constructors: sort check, constant folding, and the identities that cost no search.
//!
//! Every constructor goes through [`Store::app`]. Whatever an identity here changes keeps its meaning; they are
//! proved by the solver in `tests/rules`. Arguments of commutative operators are ordered by id, literals
//! last, so that `x = y` and `y = x` are one term.

mod arith;
mod arrays;
mod bits;
mod boolean;

use smallvec::SmallVec;

use crate::apply::apply;
use crate::store::Args;
use crate::{ExprId, Op, Sort, SortError, Store, Value};

impl Store {
    /// Applies `op` to `args`; `target` is the result sort where the arguments do not determine it (see
    /// [`Store::result_sort`]).
    pub fn app(&self, op: Op, target: Option<Sort>, args: &[ExprId]) -> Result<ExprId, SortError> {
        let sort = self.result_sort(op, target, args)?;
        Ok(self.construct(op, sort, args))
    }

    /// The operator of `template` on other arguments of the same sorts.
    pub fn rebuild(&self, template: ExprId, args: &[ExprId]) -> ExprId {
        match self.op(template) {
            Op::Const(_) | Op::Var(_) => template,
            op => self.construct(op, self.sort(template), args),
        }
    }

    /// Applies `op` for the typed constructors, whose callers guarantee the sorts.
    fn apply(&self, op: Op, args: &[ExprId]) -> ExprId {
        self.apply_to(op, None, args)
    }

    fn apply_to(&self, op: Op, target: Option<Sort>, args: &[ExprId]) -> ExprId {
        self.app(op, target, args).unwrap_or_else(|error| panic!("terms should be well-sorted: {error}"))
    }

    fn construct(&self, op: Op, sort: Sort, args: &[ExprId]) -> ExprId {
        if let Some(folded) = self.fold(op, sort, args) {
            return folded;
        }
        let mut ordered: Args = args.into();
        if op.is_commutative() {
            ordered.sort_by_key(|arg| (self.is_literal(*arg), *arg));
        }
        let simple = match op {
            Op::And | Op::Or => return self.junction(op, ordered),
            Op::Not | Op::Xor | Op::Ite | Op::Eq => self.boolean_identity(op, &ordered),
            Op::Neg | Op::Sub | Op::Le | Op::Lt | Op::IntDiv | Op::Mod | Op::RealDiv => {
                self.arith_identity(op, &ordered)
            }
            Op::Add | Op::Mul => return self.sum_or_product(op, sort, ordered),
            Op::Select | Op::Store => self.array_identity(op, &ordered),
            _ => self.bits_identity(op, sort, &ordered),
        };
        simple.unwrap_or_else(|| self.intern(op, sort, &ordered))
    }

    fn fold(&self, op: Op, sort: Sort, args: &[ExprId]) -> Option<ExprId> {
        if !args.iter().all(|arg| self.is_literal(*arg)) {
            return None;
        }
        let values: SmallVec<[Value; 4]> = args.iter().filter_map(|arg| self.value(*arg)).collect();
        let values: SmallVec<[&Value; 4]> = values.iter().collect();
        Some(self.literal(apply(op, sort, self.index_sort(sort), &values)))
    }

    pub(crate) fn index_sort(&self, sort: Sort) -> Option<Sort> {
        match sort {
            Sort::Array(array) => Some(self.array_parts(array).0),
            _ => None,
        }
    }
}
