//! Booleans, equality and if-then-else.

use crate::store::{Args, FALSE, TRUE};
use crate::{ExprId, Op, Sort, Store};

impl Store {
    /// `true`.
    pub fn tru(&self) -> ExprId {
        TRUE
    }

    /// `false`.
    pub fn fals(&self) -> ExprId {
        FALSE
    }

    /// The literal of a truth value.
    pub fn boolean(&self, value: bool) -> ExprId {
        if value { TRUE } else { FALSE }
    }

    /// Negation.
    pub fn not(&self, formula: ExprId) -> ExprId {
        self.apply(Op::Not, &[formula])
    }

    /// Conjunction of two.
    pub fn and(&self, left: ExprId, right: ExprId) -> ExprId {
        self.apply(Op::And, &[left, right])
    }

    /// Disjunction of two.
    pub fn or(&self, left: ExprId, right: ExprId) -> ExprId {
        self.apply(Op::Or, &[left, right])
    }

    /// Conjunction of any number; `true` for none.
    pub fn and_all(&self, formulas: impl IntoIterator<Item = ExprId>) -> ExprId {
        self.many(Op::And, TRUE, formulas)
    }

    /// Disjunction of any number; `false` for none.
    pub fn or_all(&self, formulas: impl IntoIterator<Item = ExprId>) -> ExprId {
        self.many(Op::Or, FALSE, formulas)
    }

    /// Implication.
    pub fn implies(&self, premise: ExprId, conclusion: ExprId) -> ExprId {
        self.or(self.not(premise), conclusion)
    }

    /// Exclusive or.
    pub fn xor(&self, left: ExprId, right: ExprId) -> ExprId {
        self.apply(Op::Xor, &[left, right])
    }

    /// If-then-else of any sort.
    pub fn ite(&self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        self.apply(Op::Ite, &[condition, then, otherwise])
    }

    /// Equality of two terms of one sort; equivalence of two formulas.
    pub fn eq(&self, left: ExprId, right: ExprId) -> ExprId {
        self.apply(Op::Eq, &[left, right])
    }

    /// Disequality.
    pub fn ne(&self, left: ExprId, right: ExprId) -> ExprId {
        self.not(self.eq(left, right))
    }

    fn many(&self, op: Op, neutral: ExprId, formulas: impl IntoIterator<Item = ExprId>) -> ExprId {
        let args: Args = formulas.into_iter().collect();
        match args[..] {
            [] => neutral,
            [only] => only,
            _ => self.apply(op, &args),
        }
    }

    /// A conjunction or disjunction of ordered arguments. Neutral and repeated arguments are dropped; `false`
    /// (`true`), or a formula next to its negation, absorbs all others.
    pub(super) fn junction(&self, op: Op, mut args: Args) -> ExprId {
        let (neutral, absorbing) = if op == Op::And { (TRUE, FALSE) } else { (FALSE, TRUE) };
        args.dedup();
        if args.contains(&absorbing) {
            return absorbing;
        }
        args.retain(|arg| *arg != neutral);
        let is_negated =
            |arg: &ExprId| self.op(*arg) == Op::Not && args.binary_search(&self.arg(*arg, 0)).is_ok();
        if args.iter().any(is_negated) {
            return absorbing;
        }
        match args[..] {
            [] => neutral,
            [only] => only,
            _ => self.intern(op, Sort::Bool, &args),
        }
    }

    pub(super) fn boolean_identity(&self, op: Op, args: &Args) -> Option<ExprId> {
        match (op, &args[..]) {
            (Op::Not, &[inner]) if self.op(inner) == Op::Not => Some(self.arg(inner, 0)),
            (Op::Xor, &[left, right]) if left == right => Some(FALSE),
            (Op::Xor, &[left, FALSE]) => Some(left),
            (Op::Xor, &[left, TRUE]) => Some(self.not(left)),
            (Op::Eq, &[left, right]) if left == right => Some(TRUE),
            (Op::Eq, &[left, TRUE]) => Some(left),
            (Op::Eq, &[left, FALSE]) => Some(self.not(left)),
            (Op::Eq | Op::Xor, &[left, right]) if self.are_complements(left, right) => {
                Some(self.boolean(op == Op::Xor))
            }
            (Op::Ite, &[condition, then, otherwise]) => self.ite_identity(condition, then, otherwise),
            _ => None,
        }
    }

    fn are_complements(&self, left: ExprId, right: ExprId) -> bool {
        let negates = |outer, inner| self.op(outer) == Op::Not && self.arg(outer, 0) == inner;
        negates(left, right) || negates(right, left)
    }

    fn ite_identity(&self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Option<ExprId> {
        match (condition, then, otherwise) {
            (TRUE, _, _) => Some(then),
            (FALSE, _, _) => Some(otherwise),
            _ if then == otherwise => Some(then),
            (_, TRUE, _) => Some(self.or(condition, otherwise)),
            (_, FALSE, _) => Some(self.and(self.not(condition), otherwise)),
            (_, _, TRUE) => Some(self.or(self.not(condition), then)),
            (_, _, FALSE) => Some(self.and(condition, then)),
            _ if self.op(condition) == Op::Not => Some(self.ite(self.arg(condition, 0), otherwise, then)),
            _ => None,
        }
    }
}
