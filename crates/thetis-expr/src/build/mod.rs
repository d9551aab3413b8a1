//! Smart constructors: sort check, constant folding, and the identities that cost no search.
//!
//! Every constructor goes through [`Store::app`]. All identities applied here preserve the meaning of terms;
//! the solver proves them in `tests/rules`. Arguments of commutative operators are ordered by id, literals
//! last, so that `x = y` and `y = x` are one term.

mod arith;
mod arrays;
mod bits;
mod boolean;
mod floats;

use smallvec::SmallVec;

use crate::apply::apply;
use crate::store::{Args, Head};
use crate::{ExprId, Op, Sort, SortError, Store, Value};

impl Store {
    /// Applies `op` to `args`; `target` is the result sort where the arguments do not determine it (see
    /// [`Store::result_sort`]).
    pub fn app(&self, op: Op, target: Option<Sort>, args: &[ExprId]) -> Result<ExprId, SortError> {
        let heads = self.heads(args);
        let sort = self.sort_on(op, target, &heads)?;
        Ok(self.construct(op, sort, args, &heads))
    }

    /// The operator of `template` on other arguments of the same sorts.
    pub fn rebuild(&self, template: ExprId, args: &[ExprId]) -> ExprId {
        match self.op(template) {
            Op::Const(_) | Op::Var(_) => template,
            op => self.construct(op, self.sort(template), args, &self.heads(args)),
        }
    }

    /// Applies `op` for the typed constructors, whose callers guarantee the sorts.
    fn apply(&self, op: Op, args: &[ExprId]) -> ExprId {
        self.apply_to(op, None, args)
    }

    fn apply_to(&self, op: Op, target: Option<Sort>, args: &[ExprId]) -> ExprId {
        self.app(op, target, args).unwrap_or_else(|error| panic!("terms should be well-sorted: {error}"))
    }

    fn construct(&self, op: Op, sort: Sort, args: &[ExprId], heads: &[Head]) -> ExprId {
        if heads.iter().all(|head| head.is_literal()) {
            return self.fold(op, sort, args);
        }
        let ordered = if op.is_commutative() { order(args, heads) } else { Args::from_slice(args) };
        let simple = match op {
            Op::And | Op::Or => return self.junction(op, ordered),
            Op::Not | Op::Xor | Op::Ite | Op::Eq => self.boolean_identity(op, &ordered),
            Op::Neg | Op::Sub | Op::Le | Op::Lt | Op::IntDiv | Op::Mod | Op::RealDiv => {
                self.arith_identity(op, &ordered)
            }
            Op::Add | Op::Mul => return self.sum_or_product(op, sort, ordered),
            Op::Select | Op::Store => self.array_identity(op, &ordered),
            _ if op.is_float() => None,
            _ => self.bits_identity(op, sort, &ordered),
        };
        simple.unwrap_or_else(|| self.intern(op, sort, &ordered))
    }

    fn fold(&self, op: Op, sort: Sort, args: &[ExprId]) -> ExprId {
        let values: SmallVec<[Value; 4]> = args.iter().filter_map(|arg| self.value(*arg)).collect();
        let values: SmallVec<[&Value; 4]> = values.iter().collect();
        self.literal(apply(op, sort, self.index_sort(sort), &values))
    }

    pub(crate) fn index_sort(&self, sort: Sort) -> Option<Sort> {
        match sort {
            Sort::Array(array) => Some(self.array_parts(array).0),
            _ => None,
        }
    }
}

/// The arguments by id, literals last.
fn order(args: &[ExprId], heads: &[Head]) -> Args {
    if let (&[left, right], [left_head, right_head]) = (args, heads) {
        let ordered = (left_head.is_literal(), left) <= (right_head.is_literal(), right);
        return Args::from_slice(&if ordered { [left, right] } else { [right, left] });
    }
    let mut keyed: SmallVec<[(bool, ExprId); 4]> =
        heads.iter().zip(args).map(|(head, arg)| (head.is_literal(), *arg)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, arg)| arg).collect()
}
