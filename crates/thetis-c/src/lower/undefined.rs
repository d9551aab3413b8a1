//! Undefined operations: a division by zero, a shift by too much, a conversion of a float that fits into no integer.
//!
//! C calls the behaviour undefined; a run continues nevertheless, because the property is about something else. The
//! option [`Undefined`] determines the value: any, or the conventional one where verifiers agree. Where they do not,
//! machines trap or give one of many values, so a violation after such an operation may not be real: an approximation.
//! Otherwise the automaton records, in a variable that nothing depends on, that the operation was executed, so that a
//! violation can name it.
//!
//! Terms have no order of evaluation: `d != 0 && n / d > 1` divides whatever `d` is. So the translation keeps the
//! conditions ([`Lowering::guarded`]) under which the program would evaluate the current operand.

use thetis_base::Span;
use thetis_expr::{ExprId, Sort};
use thetis_model::cfa::StmtKind;

use super::arith::Partial;
use super::assumption::AssumptionKind;
use super::lowering::Lowering;
use super::options::Undefined;
use super::origin::{Event, VarOrigin, ViolationKind};
use super::scalar::Scalar;

impl Lowering<'_> {
    /// The value of an operation that may be undefined.
    pub(super) fn defined(&mut self, partial: Partial, scalar: Scalar, span: Span) -> ExprId {
        let store = self.store();
        if partial.is_defined == store.tru() {
            return partial.term;
        }
        let is_undefined = self.if_evaluated(store.not(partial.is_defined));
        let otherwise = match (self.options.undefined, partial.convention) {
            (Undefined::Error, _) => {
                self.out.forbid(is_undefined, span, ViolationKind::Undefined);
                return partial.term;
            }
            (Undefined::Convention, Some(value)) => {
                self.out.assume_silently(
                    AssumptionKind::UndefinedShifts,
                    "if this shift is by too much, it shifts out all bits: it gives 0, or -1 for a negative number to the right",
                    span,
                );
                value
            }
            (Undefined::Convention, None) => {
                self.approximate_if(is_undefined, "an undefined division or conversion", span);
                self.arbitrary(scalar, span)
            }
            (Undefined::Arbitrary, _) => self.arbitrary(scalar, span),
        };
        let flag = self.auxiliary("undefined", Sort::Bool, VarOrigin::Undefined(span));
        self.out.emit(StmtKind::Assign(flag, is_undefined), span, Event::Silent);
        store.ite(partial.is_defined, partial.term, otherwise)
    }

    /// A condition, and that the program evaluates the operand that is being translated.
    pub(super) fn if_evaluated(&self, condition: ExprId) -> ExprId {
        self.guards.iter().fold(condition, |condition, guard| self.store().and(*guard, condition))
    }

    /// Translates an operand that the program evaluates only if a condition holds.
    pub(super) fn guarded<T>(&mut self, condition: ExprId, operand: impl FnOnce(&mut Self) -> T) -> T {
        self.guards.push(condition);
        let translated = operand(self);
        self.guards.pop();
        translated
    }
}
