//! What `main` gets that it does not make itself.
//!
//! The program makes its usual arguments itself (`arguments.rs`). Others, the environment or arguments of unusual types, are memory
//! outside the program; a program that looks at them may see what no system would hand over, an approximation. `argc` is any number
//! that is not negative.

use thetis_base::Span;
use thetis_expr::ExprId;
use thetis_model::cfa::StmtKind;

use super::assumption::AssumptionKind;
use super::lowering::Lowering;
use super::origin::{Event, FrameId};
use super::points_to::ObjectKey;
use super::scalar::{Integer, Scalar};
use crate::arguments::is_local_used;
use crate::hir::CompareOp;

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
        if self.program.arguments.is_some() && self.checks_memory() {
            let text = "the first argument of the program is its name: `argc` is at least 1";
            self.out.assume_silently(AssumptionKind::ProgramName, text, function.span);
        }
        for param in &function.params {
            let (ty, span) = (function.locals[*param].ty, function.locals[*param].span);
            let Some(scalar) = self.scalar(ty) else { continue };
            let value = match scalar {
                Scalar::Int(integer) => self.argument_count(integer, span),
                _ => self.arbitrary(scalar, span),
            };
            if scalar == Scalar::Pointer && is_local_used(function, *param) {
                self.approximate_if(self.store().tru(), "the arguments of `main`", span);
            }
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
        let main = &self.program.functions[self.calls.frames[FrameId::new(0)].function];
        self.program.arguments.is_some_and(|arguments| arguments.are_made_at(main, span))
    }

    fn argument_count(&mut self, integer: Integer, span: Span) -> ExprId {
        let scalar = Scalar::Int(integer);
        let value = self.arbitrary(scalar, span);
        let is_count = self.arith.compare(CompareOp::Le, scalar, self.arith.zero(scalar), value);
        self.out.emit(StmtKind::Assume(is_count), span, Event::Silent);
        value
    }
}
