//! The sort rules of operators.

use thiserror::Error;

use crate::store::Head;
use crate::{ExprId, Op, Sort, Store};

/// Why an operator cannot be applied to some arguments.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SortError {
    /// Too few or too many arguments.
    #[error("{op:?} takes {expected} but got {found}")]
    NumArgs {
        /// The operator.
        op: Op,
        /// How many it takes, in words.
        expected: &'static str,
        /// How many there are.
        found: usize,
    },
    /// An argument has the wrong sort.
    #[error("argument {} of {op:?} should be {expected}", position + 1)]
    Argument {
        /// The operator.
        op: Op,
        /// Which argument, counted from zero.
        position: usize,
        /// What it should be, in words.
        expected: &'static str,
    },
    /// The result would not fit: an extraction beyond the width, an extension that shrinks, a missing result sort.
    #[error("{op:?} cannot have the requested result sort")]
    Result {
        /// The operator.
        op: Op,
    },
}

impl Store {
    /// The sort of `op` on `args`. `target` is the result sort of operators whose arguments do not determine it:
    /// `Extract`, `ZeroExtend`, `SignExtend`, `IntToBv`, `ConstArray`, and the conversions of floats except the
    /// one to rationals; others ignore it.
    pub fn result_sort(&self, op: Op, target: Option<Sort>, args: &[ExprId]) -> Result<Sort, SortError> {
        self.sort_on(op, target, &self.heads(args))
    }

    /// [`Store::result_sort`] on the heads of the arguments.
    pub(crate) fn sort_on(&self, op: Op, target: Option<Sort>, args: &[Head]) -> Result<Sort, SortError> {
        use Op::*;
        let check = Check { store: self, op, args };
        match op {
            Const(_) | Var(_) => Err(SortError::Result { op }),
            Not => check.all(1, Sort::Bool),
            And | Or => check.many(Sort::Bool),
            Xor => check.all(2, Sort::Bool),
            Ite => check.ite(),
            Eq => check.same(2).map(|_| Sort::Bool),
            Neg => check.number(1, 1),
            Add | Mul => check.number(2, usize::MAX),
            Sub => check.number(2, 2),
            IntDiv | Mod => check.all(2, Sort::Int),
            RealDiv => check.all(2, Sort::Real),
            Le | Lt => check.number(2, 2).map(|_| Sort::Bool),
            ToReal => check.all(1, Sort::Int).map(|_| Sort::Real),
            ToInt => check.all(1, Sort::Real).map(|_| Sort::Int),
            BvNot | BvNeg => check.bits(1),
            BvAnd | BvOr | BvXor | BvAdd | BvSub | BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod
            | BvShl | BvLshr | BvAshr => check.bits(2),
            BvUlt | BvUle | BvSlt | BvSle => check.bits(2).map(|_| Sort::Bool),
            Concat => check.concat(),
            Extract(lowest) => check.extract(lowest, target),
            ZeroExtend | SignExtend => check.extend(target),
            BvToInt => check.bits(1).map(|_| Sort::Int),
            IntToBv => check.all(1, Sort::Int).and_then(|_| check.target_bits(target)),
            FpAdd(_) | FpSub(_) | FpMul(_) | FpDiv(_) | FpRem | FpMin | FpMax => check.float(2),
            FpFma(_) => check.float(3),
            FpSqrt(_) | FpRoundToIntegral(_) | FpAbs | FpNeg => check.float(1),
            FpLe | FpLt | FpEq => check.float(2).map(|_| Sort::Bool),
            FpIsNan | FpIsInfinite | FpIsZero | FpIsNormal | FpIsSubnormal | FpIsNegative | FpIsPositive => {
                check.float(1).map(|_| Sort::Bool)
            }
            FpFromBits => check.float_bits(target),
            FpFromFp(_) => check.float(1).and_then(|_| check.target_float(target)),
            FpFromReal(_) => check.all(1, Sort::Real).and_then(|_| check.target_float(target)),
            FpFromSigned(_) | FpFromUnsigned(_) => check.bits(1).and_then(|_| check.target_float(target)),
            FpToSigned(_) | FpToUnsigned(_) => check.float(1).and_then(|_| check.target_bits(target)),
            FpToReal => check.float(1).map(|_| Sort::Real),
            Select => check.select(),
            Store => check.store(),
            ConstArray => check.const_array(target),
        }
    }
}

struct Check<'a> {
    store: &'a Store,
    op: Op,
    args: &'a [Head],
}

type Checked = Result<Sort, SortError>;

impl Check<'_> {
    fn sort(&self, position: usize) -> Sort {
        self.args[position].sort
    }

    fn count(&self, least: usize, most: usize) -> Result<(), SortError> {
        let found = self.args.len();
        if (least..=most).contains(&found) {
            return Ok(());
        }
        let expected = match (least, most) {
            (1, 1) => "one argument",
            (2, 2) => "two arguments",
            (3, 3) => "three arguments",
            _ => "two or more arguments",
        };
        Err(SortError::NumArgs { op: self.op, expected, found })
    }

    fn wrong(&self, position: usize, expected: &'static str) -> SortError {
        SortError::Argument { op: self.op, position, expected }
    }

    fn each(&self, sort: Sort, expected: &'static str) -> Checked {
        match self.args.iter().position(|arg| arg.sort != sort) {
            Some(position) => Err(self.wrong(position, expected)),
            None => Ok(sort),
        }
    }

    fn all(&self, count: usize, sort: Sort) -> Checked {
        self.count(count, count)?;
        let expected = match sort {
            Sort::Bool => "Boolean",
            Sort::Int => "an integer",
            _ => "a rational",
        };
        self.each(sort, expected)
    }

    fn many(&self, sort: Sort) -> Checked {
        self.count(2, usize::MAX)?;
        self.each(sort, "Boolean")
    }

    fn same(&self, count: usize) -> Checked {
        self.count(count, count)?;
        self.each(self.sort(0), "of the sort of the first")
    }

    fn number(&self, least: usize, most: usize) -> Checked {
        self.count(least, most)?;
        if !self.sort(0).is_numeric() {
            return Err(self.wrong(0, "a number"));
        }
        self.each(self.sort(0), "of the sort of the first")
    }

    fn bits(&self, count: usize) -> Checked {
        self.count(count, count)?;
        if self.sort(0).width().is_none() {
            return Err(self.wrong(0, "a bit-vector"));
        }
        self.each(self.sort(0), "of the width of the first")
    }

    fn float(&self, count: usize) -> Checked {
        self.count(count, count)?;
        if self.sort(0).float_format().is_none() {
            return Err(self.wrong(0, "a float"));
        }
        self.each(self.sort(0), "of the format of the first")
    }

    fn target_float(&self, target: Option<Sort>) -> Checked {
        target.filter(|sort| sort.float_format().is_some()).ok_or(SortError::Result { op: self.op })
    }

    fn float_bits(&self, target: Option<Sort>) -> Checked {
        let width = self.bits(1)?.width();
        let target = self.target_float(target)?;
        match target.float_format() {
            Some(format) if Some(format.width()) == width => Ok(target),
            _ => Err(SortError::Result { op: self.op }),
        }
    }

    fn ite(&self) -> Checked {
        self.count(3, 3)?;
        if self.sort(0) != Sort::Bool {
            return Err(self.wrong(0, "Boolean"));
        }
        if self.sort(1) != self.sort(2) {
            return Err(self.wrong(2, "of the sort of the second"));
        }
        Ok(self.sort(1))
    }

    fn concat(&self) -> Checked {
        self.count(2, 2)?;
        let high = self.sort(0).width().ok_or_else(|| self.wrong(0, "a bit-vector"))?;
        let low = self.sort(1).width().ok_or_else(|| self.wrong(1, "a bit-vector"))?;
        let width = high.checked_add(low).ok_or(SortError::Result { op: self.op })?;
        Ok(Sort::bitvec(width))
    }

    fn target_bits(&self, target: Option<Sort>) -> Checked {
        target.filter(|sort| sort.width().is_some()).ok_or(SortError::Result { op: self.op })
    }

    fn extract(&self, lowest: u32, target: Option<Sort>) -> Checked {
        let available = self.bits(1)?.width().unwrap_or(0);
        let target = self.target_bits(target)?;
        let end = target.width().and_then(|width| width.checked_add(lowest));
        if end.is_some_and(|end| end <= available) {
            Ok(target)
        } else {
            Err(SortError::Result { op: self.op })
        }
    }

    fn extend(&self, target: Option<Sort>) -> Checked {
        let available = self.bits(1)?.width();
        let target = self.target_bits(target)?;
        if target.width() >= available { Ok(target) } else { Err(SortError::Result { op: self.op }) }
    }

    fn array(&self) -> Result<(Sort, Sort), SortError> {
        match self.sort(0) {
            Sort::Array(array) => Ok(self.store.array_parts(array)),
            _ => Err(self.wrong(0, "an array")),
        }
    }

    fn select(&self) -> Checked {
        self.count(2, 2)?;
        let (index, element) = self.array()?;
        if self.sort(1) == index { Ok(element) } else { Err(self.wrong(1, "of the index sort")) }
    }

    fn store(&self) -> Checked {
        self.count(3, 3)?;
        let (index, element) = self.array()?;
        if self.sort(1) != index {
            return Err(self.wrong(1, "of the index sort"));
        }
        if self.sort(2) != element {
            return Err(self.wrong(2, "of the element sort"));
        }
        Ok(self.sort(0))
    }

    fn const_array(&self, target: Option<Sort>) -> Checked {
        self.count(1, 1)?;
        match target {
            Some(Sort::Array(array)) if self.store.array_parts(array).1 == self.sort(0) => {
                Ok(Sort::Array(array))
            }
            _ => Err(SortError::Result { op: self.op }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ill_sorted_applications_are_rejected() {
        let store = Store::new();
        let (p, i, r) = (store.var("p", Sort::Bool), store.var("i", Sort::Int), store.var("r", Sort::Real));
        let (b, w) = (store.var("b", Sort::bitvec(8)), store.var("w", Sort::bitvec(16)));
        let a = store.var("a", store.array_sort(Sort::Int, Sort::Bool));
        let wrong: &[(Op, Option<Sort>, &[ExprId])] = &[
            (Op::Not, None, &[i]),
            (Op::Not, None, &[p, p]),
            (Op::And, None, &[p]),
            (Op::And, None, &[p, i]),
            (Op::Ite, None, &[i, p, p]),
            (Op::Ite, None, &[p, i, r]),
            (Op::Eq, None, &[i, r]),
            (Op::Add, None, &[i, r]),
            (Op::Add, None, &[p, p]),
            (Op::Mod, None, &[r, r]),
            (Op::RealDiv, None, &[i, i]),
            (Op::BvAdd, None, &[b, w]),
            (Op::BvAdd, None, &[i, i]),
            (Op::Extract(4), Some(Sort::bitvec(5)), &[b]),
            (Op::Extract(0), None, &[b]),
            (Op::ZeroExtend, Some(Sort::bitvec(8)), &[w]),
            (Op::IntToBv, Some(Sort::Int), &[i]),
            (Op::Select, None, &[a, b]),
            (Op::Select, None, &[b, i]),
            (Op::Store, None, &[a, i, i]),
            (Op::ConstArray, Some(store.sort(a)), &[i]),
        ];
        for (op, target, args) in wrong {
            assert!(store.app(*op, *target, args).is_err(), "{op:?} on {args:?}");
        }
        assert_eq!(store.sort(store.concat(b, w)), Sort::bitvec(24));
        assert_eq!(store.sort(store.select(a, i)), Sort::Bool);
    }
}
