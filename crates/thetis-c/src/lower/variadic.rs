//! Variable arguments: which argument a position in a list is.
//!
//! Positions number the variable arguments of all copies of functions. A list is only used while the call whose
//! arguments it lists is pending (C11 7.16.1.4), so the arguments that `va_arg` may return are those of the current
//! copy and of its callers. Any other position, and an argument of another type, are limits.

use thetis_base::Span;
use thetis_expr::ExprId;

use super::lowering::Lowering;
use super::origin::{Event, FrameId};
use super::points_to::ObjectKey;
use super::scalar::{Integer, Scalar, address_width};
use super::spot::Spot;
use crate::hir::{CompareOp, Expr, IntKind, LocalId, Type, TypeId};

/// More variable arguments than any call has.
const STRIDE: usize = 1 << 10;

/// A variable argument of a call that may be pending.
pub(super) struct Extra {
    pub(super) frame: FrameId,
    pub(super) param: LocalId,
    pub(super) ty: TypeId,
    number: usize,
}

impl<'h> Lowering<'h> {
    /// The position of the first variable argument.
    pub(super) fn first_argument(&mut self, call: &Expr) -> ExprId {
        self.position(self.out.frame, 0, call.span)
    }

    fn position(&mut self, frame: FrameId, number: usize, span: Span) -> ExprId {
        if number >= STRIDE {
            self.out.limit(span, "a call has very many arguments");
        }
        let position = (frame.index() + 1) * STRIDE + number;
        self.arith.integer(position_integer(self), &position.into())
    }

    /// A variable argument of scalar type.
    pub(super) fn argument_value(&mut self, call: &'h Expr, args: &'h [Expr]) -> ExprId {
        let spot = self.argument_record(call, args);
        match self.scalar(call.ty) {
            Some(scalar) => self.read(spot, scalar, None, call.span),
            None => self.store().tru(),
        }
    }

    /// A variable argument of any type.
    pub(super) fn argument_record(&mut self, call: &'h Expr, args: &'h [Expr]) -> Spot {
        let [position] = args else { return Spot::Nowhere };
        let position = self.value(position);
        let position = self.freeze(position, call.span);
        let Some(result) = self.temporary_spot(call.ty) else {
            self.out.limit(call.span, "a union is a variable argument");
            return Spot::Nowhere;
        };
        let join = self.out.location(call.span);
        for extra in self.calls.extra_arguments(self.program, self.out.frame) {
            let known = self.position(extra.frame, extra.number, call.span);
            let is_it =
                self.arith.compare(CompareOp::Eq, Scalar::Int(position_integer(self)), position, known);
            let (hit, miss) = (self.out.location(call.span), self.out.location(call.span));
            self.select(is_it, hit, miss, call.span);
            self.out.graph.continue_at(hit);
            self.take_argument(&extra, result, call);
            self.out.go(join);
            self.out.graph.continue_at(miss);
        }
        self.out.limit(call.span, "there is no such variable argument");
        self.out.graph.continue_at(join);
        result
    }

    /// Output with a list of arguments writes what a pointer to a number points to, if its format has a `%n`.
    pub(super) fn limit_written_counts(&mut self, name: &str, span: Span) {
        let types = &self.program.types;
        let is_number = |ty: &TypeId| match types.get(*ty) {
            Type::Pointer(target) => {
                matches!(types.get(*target), Type::Int(kind) if !matches!(kind, IntKind::Char | IntKind::PlainUnsignedChar | IntKind::UnsignedChar))
            }
            _ => false,
        };
        let extra = self.calls.extra_arguments(self.program, self.out.frame);
        if extra.iter().any(|extra| is_number(&extra.ty)) {
            self.out.limit(span, format!("`{name}` may write how many characters there are"));
        }
    }

    fn take_argument(&mut self, extra: &Extra, result: Spot, call: &'h Expr) {
        if !are_compatible(self, extra.ty, call.ty) {
            return self.out.limit(call.span, "a variable argument has another type");
        }
        let source = self.spot_of(ObjectKey::Local(extra.frame, extra.param), extra.ty);
        match (self.scalar(extra.ty), self.scalar(call.ty)) {
            (Some(from), Some(to)) => {
                let term = self.read(source, from, None, call.span);
                let term = self.arith.convert(from, to, term).term;
                self.write(result, to, term, call.span, Event::Silent);
            }
            _ => self.copy(result, source, call.ty, call.span, &Event::Silent),
        }
    }
}

fn position_integer(lowering: &Lowering<'_>) -> Integer {
    Integer::unsigned(address_width(lowering.program.types.model()))
}

/// Whether an argument of one type may be read as another: types may differ in signedness and in pointer targets.
fn are_compatible(lowering: &Lowering<'_>, argument: TypeId, asked: TypeId) -> bool {
    match (lowering.scalar(argument), lowering.scalar(asked)) {
        (Some(Scalar::Int(argument)), Some(Scalar::Int(asked))) => argument.width == asked.width,
        (Some(argument), Some(asked)) => argument == asked,
        (None, None) => {
            let types = &lowering.program.types;
            matches!((types.get(argument), types.get(asked)), (Type::Record(left), Type::Record(right)) if left == right)
        }
        _ => false,
    }
}

impl super::calls::CallTree {
    /// The variable arguments of the calls that are pending in a copy of a function.
    pub(super) fn extra_arguments(&self, program: &crate::hir::Program, frame: FrameId) -> Vec<Extra> {
        let mut found = Vec::new();
        let mut at = Some(frame);
        while let Some(frame) = at {
            let function = &program.functions[self.frames[frame].function];
            let first = function.params.len() - function.num_extra;
            let extra = function.params[first..].iter().enumerate();
            found.extend(extra.map(|(number, param)| {
                let ty = function.locals[*param].ty;
                Extra { frame, param: *param, ty, number }
            }));
            at = self.frames[frame].caller.map(|(caller, _)| caller);
        }
        found
    }
}
