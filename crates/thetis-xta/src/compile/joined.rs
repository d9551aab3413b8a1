//! Expressions that are made of many parts: quantifiers and comparisons of arrays, written out.
//!
//! Whoever walks over an expression recurses, so it must not be as deep as it has parts. Conjunctions and disjunctions are balanced, which keeps the
//! order in which their parts are evaluated, and where evaluation ends. Sums are not: that could change which of them leave 32 bits.

use thetis_base::{Reported, Span};
use thetis_model::xta::{BinaryOp, DataExpr};

use super::Compiler;

/// How many parts of a sum may depend on the state.
const MAX_SUMMANDS: u32 = 1_000;

/// Parts that are joined by one operator.
pub(super) struct Joined {
    op: BinaryOp,
    parts: Vec<DataExpr>,
    is_decided: bool,
}

impl Joined {
    /// No parts of a conjunction, disjunction or sum.
    pub(super) fn new(op: BinaryOp) -> Joined {
        Joined { op, parts: Vec::new(), is_decided: false }
    }

    /// Whether further parts do not matter.
    pub(super) fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Adds a part, unless it is known to be true in a conjunction or false in a disjunction.
    pub(super) fn push(&mut self, part: DataExpr) {
        match (self.op, part.as_const()) {
            _ if self.is_decided => return,
            (BinaryOp::And, Some(number)) if number != 0 => return,
            (BinaryOp::Or, Some(0)) => return,
            (BinaryOp::And | BinaryOp::Or, Some(_)) => self.is_decided = true,
            _ => {}
        }
        self.parts.push(part);
    }

    fn neutral(&self) -> DataExpr {
        DataExpr::Const(i32::from(self.op == BinaryOp::And))
    }
}

impl Compiler<'_> {
    /// The expression with these parts.
    pub(super) fn join(&mut self, mut joined: Joined, span: Span) -> Result<DataExpr, Reported> {
        if joined.op == BinaryOp::Add {
            return self.sum(joined, span);
        }
        while joined.parts.len() > 1 {
            let mut parts = std::mem::take(&mut joined.parts).into_iter();
            while let Some(left) = parts.next() {
                joined.parts.push(match parts.next() {
                    Some(right) => self.fold(joined.op, left, right, span)?,
                    None => left,
                });
            }
        }
        Ok(joined.parts.pop().unwrap_or_else(|| joined.neutral()))
    }

    fn sum(&mut self, joined: Joined, span: Span) -> Result<DataExpr, Reported> {
        let (mut sum, mut depth) = (joined.neutral(), 0);
        for part in joined.parts {
            sum = match (sum.as_const(), part.as_const()) {
                (Some(0), _) => part,
                (_, Some(0)) => sum,
                _ => self.fold(BinaryOp::Add, sum, part, span)?,
            };
            depth += u32::from(sum.as_const().is_none());
            if depth > MAX_SUMMANDS {
                let message = format!("sums of more than {MAX_SUMMANDS} parts are not supported");
                return self.unsupported(span, message);
            }
        }
        Ok(sum)
    }
}
