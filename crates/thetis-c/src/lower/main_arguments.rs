//! The arguments of `main`.
//!
//! `argc` is any number that is not negative. `argv` points to memory outside the program with `argc` pointers to strings and a
//! null pointer after them. A few of the strings are known to be there; if there are more, what is read from `argv` is an
//! approximation. If accesses are checked, `main` makes its arguments itself (`arguments.rs`).

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::ExprId;
use thetis_model::cfa::StmtKind;

use super::assumption::AssumptionKind;
use super::lowering::Lowering;
use super::memory::Slot;
use super::origin::{Event, FrameId};
use super::points_to::ObjectKey;
use super::scalar::{Integer, Scalar, address_width};
use crate::hir::CompareOp;

/// How many arguments are known to be strings.
const MAX_KNOWN: u64 = 4;

impl Lowering<'_> {
    /// Starts `main` with arbitrary arguments.
    pub(super) fn enter_main(&mut self, frame: FrameId) {
        let function = &self.program.functions[self.calls.frames[frame].function];
        if self.program.has_open_startup {
            let text = "constructors and destructors of equal priority run in the order of the text";
            self.out.assume_silently(AssumptionKind::StartupOrder, text, function.span);
        }
        if let Some(entry) = &self.program.entry {
            for assumption in &entry.assumptions {
                self.out.assume_silently(assumption.kind, assumption.text.clone(), entry.span);
            }
        }
        if self.program.arguments.is_some() {
            let text = "the first argument of the program is its name: `argc` is at least 1";
            self.out.assume_silently(AssumptionKind::ProgramName, text, function.span);
        }
        let mut count = None;
        for (position, param) in function.params.iter().enumerate() {
            let (ty, span) = (function.locals[*param].ty, function.locals[*param].span);
            let Some(scalar) = self.scalar(ty) else { continue };
            let value = match (position, scalar) {
                (0, Scalar::Int(integer)) => {
                    let value = self.argument_count(integer, span);
                    count = Some((integer, value));
                    value
                }
                (1, Scalar::Pointer) => self.argument_vector(count, span),
                _ => self.arbitrary(scalar, span),
            };
            let key = ObjectKey::Local(frame, *param);
            let spot = self.spot_of(key, ty);
            self.write(spot, scalar, value, span, Event::Start);
            self.begin_lifetime(key, span);
        }
        self.out.flush();
        self.body(frame);
    }

    /// Whether a place is where `main` makes its arguments itself.
    pub(super) fn makes_arguments(&self, span: Span) -> bool {
        let main = FrameId::new(0);
        let locals = &self.program.functions[self.calls.frames[main].function].locals;
        self.program.arguments.is_some_and(|arguments| {
            [arguments.count, arguments.vector].iter().any(|local| locals[*local].span == span)
        })
    }

    fn argument_count(&mut self, integer: Integer, span: Span) -> ExprId {
        let scalar = Scalar::Int(integer);
        let value = self.arbitrary(scalar, span);
        let is_count = self.arith.compare(CompareOp::Le, scalar, self.arith.zero(scalar), value);
        self.out.emit(StmtKind::Assume(is_count), span, Event::Silent);
        value
    }

    fn argument_vector(&mut self, count: Option<(Integer, ExprId)>, span: Span) -> ExprId {
        let vector = self.objects.new_object();
        let outside =
            self.points.outside().filter(|class| self.cells(*class, Scalar::Pointer, None, span).is_some());
        let (Some((integer, count)), Some(class)) = (count, outside) else { return vector };
        let store = self.store();
        let null = self.arith.pointer(0);
        let size = u64::from(address_width(self.program.types.model()) / 8);
        let bytes = self.arith.scale(self.arith.bytes(integer, count), self.arith.pointer(size));
        let last = self.load(Slot::of_pointer(class, self.arith.advance(vector, bytes)), span);
        self.out.emit(StmtKind::Assume(store.eq(last, null)), span, Event::Silent);
        for number in 0..MAX_KNOWN {
            let address = self.arith.advance_by(vector, number * size);
            let string = self.load(Slot::of_pointer(class, address), span);
            let is_missing = self.has_at_most(integer, count, number);
            let is_there = store.not(store.eq(string, null));
            self.out.emit(StmtKind::Assume(store.or(is_missing, is_there)), span, Event::Silent);
        }
        let has_more = store.not(self.has_at_most(integer, count, MAX_KNOWN));
        self.approximate_if(has_more, "the arguments of `main`", span);
        vector
    }

    fn has_at_most(&self, integer: Integer, count: ExprId, number: u64) -> ExprId {
        let number = self.arith.integer(integer, &BigInt::from(number));
        self.arith.compare(CompareOp::Le, Scalar::Int(integer), count, number)
    }
}
