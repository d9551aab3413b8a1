//! Objects that must not be written: string literals, and variables with static storage that are declared `const`.

use thetis_base::Span;
use thetis_expr::ExprId;

use super::reach::{Reach, Root};
use super::{Length, MemoryRule, ViolationKind};
use crate::hir::{BitField, TypeId};
use crate::lower::lowering::Lowering;
use crate::lower::points_to::{ClassId, ObjectKey};
use crate::lower::spot::Spot;

impl Lowering<'_> {
    /// Continues only if a scalar (or a bit-field of it) can be written.
    pub(in crate::lower) fn check_written(
        &mut self,
        spot: Spot,
        ty: TypeId,
        bits: Option<BitField>,
        span: Span,
    ) {
        self.check_scalar(spot, ty, bits, span);
        self.check_writable(spot.reach(), span);
    }

    /// Continues only if the object at a place may be changed.
    pub(in crate::lower) fn check_writable(&mut self, reach: Option<Reach>, span: Span) {
        let Some(reach) = reach else { return };
        let is_constant = match reach.root {
            Root::Variable { key: Some(key), .. } if self.is_constant(key) => self.store().tru(),
            Root::Variable { .. } => return,
            Root::Pointer { class, pointer } => self.points_to_constant(class, pointer),
        };
        let span = self.span_in_program(span);
        self.out.forbid(is_constant, span, ViolationKind::Memory(MemoryRule::Deref));
    }

    /// Continues only if some bytes may be changed.
    pub(in crate::lower) fn check_writable_bytes(
        &mut self,
        class: Option<ClassId>,
        pointer: ExprId,
        count: ExprId,
        span: Span,
    ) {
        if !self.checks_accesses() {
            return;
        }
        let is_constant = self.points_to_constant(class, pointer);
        let is_written = self.when_accessed(Length::Term(count), is_constant);
        let span = self.span_in_program(span);
        self.out.forbid(is_written, span, ViolationKind::Memory(MemoryRule::Deref));
    }

    /// Whether nothing may change an object.
    pub(in crate::lower) fn is_constant(&self, key: ObjectKey) -> bool {
        matches!(key, ObjectKey::Global(global) if self.program.globals[global].is_const)
    }

    fn points_to_constant(&mut self, class: Option<ClassId>, pointer: ExprId) -> ExprId {
        let store = self.store();
        let Some(class) = class else { return store.fals() };
        let (base, _) = self.arith.object_and_distance(pointer);
        let objects = self.points.class(class).objects.iter().map(|object| &self.points.objects[*object]);
        let constants: Vec<_> = objects
            .filter(|object| self.is_constant(object.key))
            .filter_map(|object| Some((object.key, object.ty?)))
            .collect();
        let is_one = constants.into_iter().map(|(key, ty)| {
            let address = self.variable_address(key, ty);
            store.eq(base, address)
        });
        let is_one: Vec<ExprId> = is_one.collect();
        store.or_all(is_one)
    }
}
