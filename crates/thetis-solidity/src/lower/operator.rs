//! Operators.

use num_traits::{Pow, ToPrimitive, Zero};
use solang_parser::pt;
use solang_parser::pt::{CodeLocation, UserDefinedOperator as Operator};
use thetis_base::{Span, heed};
use thetis_expr::ExprId;
use thetis_expr::Rational;

use crate::fault::{Res, invalid, unsupported};
use crate::types::Ty;
use crate::version::Version;

use super::arith::{CmpOp, NumOp, includes};
use super::convert::{is_zero, mobile};
use super::expr::has_effects;
use super::item::Item;
use super::{Callees, Lower};

impl Lower<'_, '_> {
    /// The items of two operands. The language leaves open which one is evaluated first, and compilers differ, so where the order
    /// matters, the function is skipped or, with [`Callees::SolcVerify`], evaluation from left to right becomes an assumption of
    /// the verdict.
    pub(crate) fn operands(&mut self, left: &pt::Expression, right: &pt::Expression) -> Res<(Item, Item)> {
        if self.annotation.is_none() && self.order_matters(left, right) {
            let span = self.span(&right.loc());
            if self.program.callees == Callees::Sound {
                return unsupported(span, "the order in which these operands are evaluated is not specified");
            }
            let text = "operands are evaluated from left to right".to_owned();
            self.note_assumption("evaluation-order", text, span);
        }
        let mut first = self.expr(left)?;
        if has_effects(right) {
            first = self.settled(first, self.span(&left.loc()))?;
        }
        Ok((first, self.expr(right)?))
    }

    /// Both items in a type that has the values of both.
    pub(crate) fn common(&mut self, left: Item, right: Item, span: Span) -> Res<(Ty, ExprId, ExprId)> {
        let ty = match (&left, &right) {
            (Item::Number(a), Item::Number(b)) => self.wider(&mobile(a, span)?, &mobile(b, span)?),
            (Item::Number(number), _) => {
                let other = self.typed(right.clone(), span)?.ty;
                self.literal_type(number, other, span)?
            }
            (_, Item::Number(number)) => {
                let other = self.typed(left.clone(), span)?.ty;
                self.literal_type(number, other, span)?
            }
            (Item::Text(_), _) => self.typed(right.clone(), span)?.ty,
            (_, Item::Text(_)) => self.typed(left.clone(), span)?.ty,
            _ => {
                let (first, second) =
                    (self.typed(left.clone(), span)?.ty, self.typed(right.clone(), span)?.ty);
                self.wider(&first, &second)
            }
        };
        let left = self.coerce_term(left, &ty, span)?;
        let right = self.coerce_term(right, &ty, span)?;
        Ok((ty, left, right))
    }

    fn literal_type(&self, number: &Rational, other: Ty, span: Span) -> Res<Ty> {
        match other {
            Ty::Int { .. } => Ok(self.wider(&other, &mobile(number, span)?)),
            other => Ok(other),
        }
    }

    fn wider(&self, left: &Ty, right: &Ty) -> Ty {
        match (left, right) {
            (Ty::Int { signed: true, .. }, Ty::Int { signed: false, .. }) => left.clone(),
            (Ty::Int { signed: false, .. }, Ty::Int { signed: true, .. }) => right.clone(),
            (Ty::Int { .. }, Ty::Int { .. }) if includes(right, left) => right.clone(),
            (Ty::FixedBytes(small), Ty::FixedBytes(large)) if small < large => right.clone(),
            (Ty::Address { payable: true } | Ty::Contract(_), Ty::Address { .. }) => right.clone(),
            _ => left.clone(),
        }
    }

    /// `left == right` or `left != right`.
    pub(crate) fn equality(
        &mut self,
        operator: Operator,
        left: &pt::Expression,
        right: &pt::Expression,
        span: Span,
    ) -> Res<Item> {
        let (left, right) = self.operands(left, right)?;
        if let Some(result) = self.user_operator(operator, &[&left, &right], span)? {
            return Ok(result);
        }
        let equal = self.are_equal(left, right, span)?;
        Ok(self.boolean(if operator == Operator::Equal { equal } else { self.store.not(equal) }))
    }

    fn are_equal(&mut self, left: Item, right: Item, span: Span) -> Res<ExprId> {
        if let (Item::Number(left), Item::Number(right)) = (&left, &right) {
            return Ok(self.store.boolean(left == right));
        }
        let (ty, left, right) = self.common(left, right, span)?;
        if !ty.is_value() {
            return invalid(span, "values of reference types cannot be compared with `==`");
        }
        Ok(self.store.eq(left, right))
    }

    pub(crate) fn comparison(
        &mut self,
        op: CmpOp,
        left: &pt::Expression,
        right: &pt::Expression,
        span: Span,
    ) -> Res<Item> {
        let (left, right) = self.operands(left, right)?;
        if let (Item::Number(left), Item::Number(right)) = (&left, &right) {
            let holds = match op {
                CmpOp::Lt => left < right,
                CmpOp::Le => left <= right,
                CmpOp::Gt => left > right,
                CmpOp::Ge => left >= right,
            };
            return Ok(self.boolean(self.store.boolean(holds)));
        }
        let user = match op {
            CmpOp::Lt => Operator::Less,
            CmpOp::Le => Operator::LessEqual,
            CmpOp::Gt => Operator::More,
            CmpOp::Ge => Operator::MoreEqual,
        };
        if let Some(result) = self.user_operator(user, &[&left, &right], span)? {
            return Ok(result);
        }
        let (ty, left, right) = self.common(left, right, span)?;
        if matches!(ty, Ty::Bool) || !ty.is_value() {
            return invalid(
                span,
                format!("values of type `{}` cannot be compared with `<`", self.decls.show(&ty)),
            );
        }
        Ok(self.boolean(self.arith().compare(op, &ty, left, right)))
    }

    pub(crate) fn arithmetic(
        &mut self,
        op: NumOp,
        left: &pt::Expression,
        right: &pt::Expression,
        span: Span,
    ) -> Res<Item> {
        let (left, right) = self.operands(left, right)?;
        if let (Item::Number(left), Item::Number(right)) = (&left, &right) {
            return folded(op, left, right, span);
        }
        if let Some(user) = user_defined(op)
            && let Some(result) = self.user_operator(user, &[&left, &right], span)?
        {
            return Ok(result);
        }
        self.operate(op, left, right, span)
    }

    /// An operation on two items.
    pub(crate) fn operate(&mut self, op: NumOp, left: Item, right: Item, span: Span) -> Res<Item> {
        let (ty, left, right) = match op {
            NumOp::Pow | NumOp::Shl | NumOp::Shr => self.lopsided(left, right, span)?,
            _ => self.common(left, right, span)?,
        };
        let is_bitwise = matches!(op, NumOp::And | NumOp::Or | NumOp::Xor | NumOp::Shl | NumOp::Shr);
        let is_number = ty.is_integer() || (matches!(ty, Ty::FixedBytes(_)) && is_bitwise);
        if !is_number {
            return invalid(span, format!("values of type `{}` are not numbers", self.decls.show(&ty)));
        }
        if matches!(op, NumOp::Div | NumOp::Rem) && self.annotation.is_none() {
            // Division by zero ends the transaction.
            let zero = self.number(&ty, 0);
            self.graph.assume(self.store.ne(right, zero));
        }
        if op == NumOp::Shr && ty.is_signed() && self.decls.version < Version(5, 0) {
            return unsupported(
                span,
                "shifts of numbers with a sign to the right are not supported in this version",
            );
        }
        let powers = || match op == NumOp::Pow && self.stops_at_overflow() {
            true => self.arith().powers(&ty, left, right),
            false => None,
        };
        let Some(outcome) = self.arith().binary(op, &ty, left, right).or_else(powers) else {
            return unsupported(
                span,
                format!(
                    "this operation is not supported in the arithmetic `{}`",
                    self.program.arithmetic.name()
                ),
            );
        };
        self.note_exactness(outcome.exact.filter(|_| !is_bitwise));
        let value = match outcome.plain {
            Some(plain) if self.stops_at_overflow() && !is_bitwise => plain,
            _ => outcome.value,
        };
        Ok(self.value(ty, value))
    }

    /// Operands of an operator whose result has the type of the left one.
    fn lopsided(&mut self, left: Item, right: Item, span: Span) -> Res<(Ty, ExprId, ExprId)> {
        let ty = match &left {
            Item::Number(number) if *number < Rational::zero() => Ty::INT,
            Item::Number(_) => Ty::UINT,
            other => self.typed(other.clone(), span)?.ty,
        };
        let is_literal = matches!(left, Item::Number(_));
        let left = self.coerce_term(left, &ty, span)?;
        let (from, right) = self.term(right, span)?;
        if !from.is_integer() {
            return invalid(span, "this should be a number");
        }
        // Before version 0.7 the type of the right operand counts if the left one is a literal.
        if is_literal && self.decls.version < Version(7, 0) && from != Ty::UINT {
            return unsupported(span, "a literal with such an operand is not supported in this version");
        }
        Ok((ty, left, right))
    }

    pub(crate) fn negation(&mut self, inner: &pt::Expression, span: Span) -> Res<Item> {
        let item = self.expr(inner)?;
        if let Item::Number(number) = item {
            return Ok(Item::Number(-number));
        }
        if let Some(result) = self.user_operator(Operator::Subtract, &[&item], span)? {
            return Ok(result);
        }
        let (ty, term) = self.term(item, span)?;
        if !ty.is_integer() || (!ty.is_signed() && self.decls.version.checks_arithmetic()) {
            return invalid(span, format!("values of type `{}` cannot be negated", self.decls.show(&ty)));
        }
        let outcome = self.arith().negate(&ty, term);
        self.note_exactness(outcome.exact);
        let value = outcome.plain.filter(|_| self.stops_at_overflow()).unwrap_or(outcome.value);
        Ok(self.value(ty, value))
    }

    pub(crate) fn complement(&mut self, inner: &pt::Expression, span: Span) -> Res<Item> {
        let item = self.expr(inner)?;
        if let Item::Number(number) = item {
            let ones = -(number.to_integer() + num_bigint::BigInt::from(1));
            return Ok(Item::Number(Rational::from_integer(ones)));
        }
        if let Some(result) = self.user_operator(Operator::BitwiseNot, &[&item], span)? {
            return Ok(result);
        }
        let (ty, term) = self.term(item, span)?;
        match self.arith().complement(&ty, term) {
            Some(term) if ty.is_integer() || matches!(ty, Ty::FixedBytes(_)) => Ok(self.value(ty, term)),
            _ => invalid(span, "only bits can be inverted"),
        }
    }
}

/// The operator that users can define for an operation.
fn user_defined(op: NumOp) -> Option<Operator> {
    Some(match op {
        NumOp::Add => Operator::Add,
        NumOp::Sub => Operator::Subtract,
        NumOp::Mul => Operator::Multiply,
        NumOp::Div => Operator::Divide,
        NumOp::Rem => Operator::Modulo,
        NumOp::And => Operator::BitwiseAnd,
        NumOp::Or => Operator::BitwiseOr,
        NumOp::Xor => Operator::BitwiseXor,
        NumOp::Pow | NumOp::Shl | NumOp::Shr => return None,
    })
}

/// Literals with more bits are rejected. The compiler of Solidity rejects them from 4096 on.
const MAX_BITS: u64 = 1 << 16;

/// How many bits a literal has.
fn num_bits(number: &Rational) -> u64 {
    number.numer().bits().max(number.denom().bits())
}

/// An operation on two literals, which is exact.
fn folded(op: NumOp, left: &Rational, right: &Rational, span: Span) -> Res<Item> {
    const MAX_EXPONENT: u32 = 4096;
    let too_large = || invalid(span, "this number is too large");
    heed();
    if matches!(op, NumOp::Div | NumOp::Rem) && is_zero(right) {
        return invalid(span, "division by zero");
    }
    let small = right
        .is_integer()
        .then(|| right.to_integer().to_u32())
        .flatten()
        .filter(|count| *count <= MAX_EXPONENT);
    let exponent = small.filter(|_| op == NumOp::Pow).map_or(1, u64::from);
    if num_bits(left).saturating_mul(exponent).saturating_add(num_bits(right)) > MAX_BITS {
        return too_large();
    }
    let two = || Rational::from_integer(2.into());
    let whole = || (left.to_integer(), right.to_integer());
    let result = match op {
        NumOp::Add => left + right,
        NumOp::Sub => left - right,
        NumOp::Mul => left * right,
        NumOp::Div => left / right,
        NumOp::Rem => left % right,
        NumOp::Pow | NumOp::Shl | NumOp::Shr => match (small, op) {
            (None, _) => return too_large(),
            (Some(count), NumOp::Pow) => left.clone().pow(count as i32),
            (Some(count), NumOp::Shl) => left * two().pow(count as i32),
            (Some(count), _) => Rational::from_integer((left / two().pow(count as i32)).floor().to_integer()),
        },
        NumOp::And => Rational::from_integer(whole().0 & whole().1),
        NumOp::Or => Rational::from_integer(whole().0 | whole().1),
        NumOp::Xor => Rational::from_integer(whole().0 ^ whole().1),
    };
    Ok(Item::Number(result))
}
