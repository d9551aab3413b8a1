//! Operations on whole blocks of memory: zeroing, filling and copying.

use thetis_base::Span;
use thetis_expr::{ExprId, VarId};
use thetis_model::cfa::StmtKind;

use super::layout::{Kind, LeafPath, leaf_paths};
use super::lowering::Lowering;
use super::origin::{Event, VarOrigin};
use super::points_to::ClassId;
use super::regions::Group;
use super::scalar::{Integer, Scalar};
use super::spot::Spot;
use crate::hir::{BinaryOp, TypeId};

/// An object in variables has fewer scalars than this.
const MAX_FILLED: usize = 4096;

/// One array of a class: what its elements are, and how many bytes they have.
struct ElementArray {
    var: VarId,
    element: Scalar,
    size: u64,
}

impl Lowering<'_> {
    /// Makes `count` bytes zero.
    pub(super) fn zero_block(&mut self, class: ClassId, address: ExprId, count: ExprId, span: Span) {
        let parts = self.parts_of(class, span);
        self.for_each_block(count, stride(&parts), span, |lowering, offset| {
            let at = lowering.arith.advance(address, offset);
            for part in &parts {
                let zero = lowering.arith.zero(part.element);
                lowering.put(part, at, zero, span);
                lowering.put_state(class, part, at, lowering.store().tru(), span);
                lowering.put_mark(class, part, at, lowering.store().fals(), span);
            }
        });
    }

    /// Marks `count` bytes as uninitialised.
    pub(super) fn forget_block(&mut self, class: ClassId, address: ExprId, count: ExprId, span: Span) {
        let parts = self.parts_of(class, span);
        self.for_each_block(count, stride(&parts), span, |lowering, offset| {
            let at = lowering.arith.advance(address, offset);
            for part in &parts {
                lowering.put_state(class, part, at, lowering.store().fals(), span);
            }
        });
    }

    /// Makes `count` bytes equal to one.
    pub(super) fn fill_block(
        &mut self,
        class: ClassId,
        address: ExprId,
        byte: ExprId,
        count: ExprId,
        span: Span,
    ) {
        let parts = self.parts_of(class, span);
        if parts.iter().any(|part| part.element.integer().is_none()) {
            return self.out.limit(span, "pointers or floating-point numbers are filled with bytes");
        }
        let values: Vec<ExprId> = parts.iter().map(|part| self.repeated(part.element, byte)).collect();
        self.for_each_block(count, stride(&parts), span, |lowering, offset| {
            let at = lowering.arith.advance(address, offset);
            for (part, value) in parts.iter().zip(&values) {
                lowering.put(part, at, *value, span);
                lowering.put_state(class, part, at, lowering.store().tru(), span);
                lowering.put_mark(class, part, at, lowering.store().fals(), span);
            }
        });
    }

    /// Makes all bytes of an object equal to one.
    pub(super) fn fill_object(&mut self, spot: Spot, ty: TypeId, byte: ExprId, span: Span) {
        if byte == self.arith.zero(Scalar::Int(Integer::unsigned(8))) {
            return self.zero(spot, ty, span);
        }
        for LeafPath { steps, ty: leaf, bits } in
            leaf_paths(&self.program.types, ty, MAX_FILLED).unwrap_or_default()
        {
            let Some(scalar) = self.scalar(leaf) else { continue };
            if bits.is_some() || scalar.integer().is_none() {
                return self
                    .out
                    .limit(span, "pointers, floating-point numbers or bit-fields are filled with bytes");
            }
            let value = self.repeated(scalar, byte);
            let part = self.part(spot, ty, &steps).0;
            self.write(part, scalar, value, span, Event::Assign);
        }
    }

    /// Copies `count` bytes of unknown type; source and target may overlap.
    pub(super) fn copy_block(
        &mut self,
        to: (ClassId, ExprId),
        from: (ClassId, ExprId),
        count: ExprId,
        span: Span,
    ) {
        if to.0 != from.0 || self.singles.object(to.0).is_some() {
            return self.out.limit(span, "bytes of a variable are copied");
        }
        let store = self.store();
        let parts = self.parts_of(to.0, span);
        let keep = |lowering: &mut Self, var: VarId| {
            let array = store.var_expr(var);
            let old = lowering.auxiliary("old", store.sort(array), VarOrigin::Temporary);
            lowering.out.emit(StmtKind::Assign(old, array), span, Event::Silent);
            store.var_expr(old)
        };
        let before: Vec<(ExprId, Option<ExprId>, Option<ExprId>)> = parts
            .iter()
            .map(|part| {
                let shadow = self.shadow_of_memory(to.0, part.var);
                let marks = self.address_bytes(to.0, part.var);
                (
                    keep(self, part.var),
                    shadow.map(|shadow| keep(self, shadow)),
                    marks.map(|marks| keep(self, marks)),
                )
            })
            .collect();
        self.for_each_block(count, stride(&parts), span, |lowering, offset| {
            let source = lowering.arith.advance(from.1, offset);
            let target = lowering.arith.advance(to.1, offset);
            for (part, (old, states, marks)) in parts.iter().zip(&before) {
                let value = store.select(*old, source);
                lowering.put(part, target, value, span);
                if let Some(states) = states {
                    let state = lowering.arith.is_true(Scalar::Bool, store.select(*states, source));
                    lowering.put_state(to.0, part, target, state, span);
                }
                if let Some(marks) = marks {
                    let mark = lowering.arith.is_true(Scalar::Bool, store.select(*marks, source));
                    lowering.put_mark(to.0, part, target, mark, span);
                }
            }
        });
    }

    fn put(&mut self, part: &ElementArray, address: ExprId, value: ExprId, span: Span) {
        let store = self.store();
        let array = store.store(store.var_expr(part.var), address, value);
        self.out.emit(StmtKind::Assign(part.var, array), span, Event::Assign);
    }

    /// Says whether an element has a value.
    fn put_state(&mut self, class: ClassId, part: &ElementArray, address: ExprId, state: ExprId, span: Span) {
        let Some(shadow) = self.shadow_of_memory(class, part.var) else { return };
        let store = self.store();
        let value = self.arith.truth_value(Scalar::Bool, state);
        let array = store.store(store.var_expr(shadow), address, value);
        self.out.emit(StmtKind::Assign(shadow, array), span, Event::Silent);
    }

    /// Says whether an element belongs to an address.
    fn put_mark(&mut self, class: ClassId, part: &ElementArray, address: ExprId, mark: ExprId, span: Span) {
        let Some(marks) = self.address_bytes(class, part.var) else { return };
        let store = self.store();
        let array = store.store(store.var_expr(marks), address, self.arith.truth_value(Scalar::Bool, mark));
        self.out.emit(StmtKind::Assign(marks, array), span, Event::Silent);
    }

    /// The number whose bytes are all the same.
    fn repeated(&mut self, element: Scalar, byte: ExprId) -> ExprId {
        let integer = element.integer().expect("the element should be an integer");
        if element == Scalar::Bool {
            return self.arith.convert(Scalar::Int(Integer::unsigned(8)), Scalar::Bool, byte).term;
        }
        let ones = (0..integer.width / 8).fold(num_bigint::BigInt::from(0), |sum, _| (sum << 8) + 1);
        let unsigned = Integer::unsigned(integer.width);
        let wide = self.arith.resize(Integer::unsigned(8), unsigned, byte);
        let factor = self.arith.integer(unsigned, &ones);
        let product = self.arith.binary(BinaryOp::Mul, Scalar::Int(unsigned), unsigned, wide, factor).term;
        self.arith.resize(unsigned, integer, product)
    }

    /// All arrays of a class.
    fn parts_of(&mut self, class: ClassId, span: Span) -> Vec<ElementArray> {
        let accesses: Vec<_> = self.points.class(class).accesses.keys().copied().collect();
        let mut parts: Vec<ElementArray> = Vec::new();
        for (kind, key) in accesses {
            let Some((var, cells)) = self.cells(class, kind.scalar(), key, span) else { continue };
            if parts.iter().any(|part| part.var == var) {
                continue;
            }
            let size = match (cells.group, kind) {
                (Group::Bytes, _) | (_, Kind::Bool) => 1,
                (_, Kind::Int(size)) => u64::from(size),
                (_, Kind::Float(kind)) => kind.size(self.program.types.model()),
                (_, Kind::Pointer) => self.program.types.model().pointer_size(),
            };
            parts.push(ElementArray { var, element: cells.element, size });
        }
        parts
    }
}

/// How far apart elements are at least.
fn stride(parts: &[ElementArray]) -> u64 {
    let greatest_common = |left: u64, right: u64| {
        let (mut left, mut right) = (left, right);
        while right > 0 {
            (left, right) = (right, left % right);
        }
        left
    };
    parts.iter().map(|part| part.size).fold(0, greatest_common).max(1)
}
