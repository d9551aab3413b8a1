//! What the values of expressions point to.

use super::ClassId;
use super::constraints::{Walk, Where};
use super::outside::makes_pointer;
use crate::hir::{Expr, ExprKind, PlaceKind, TypeId};
use crate::lower::walk::site_of;

impl<'h> Walk<'h> {
    /// The class that the value points to.
    pub(super) fn value(&mut self, expr: &'h Expr) -> Option<ClassId> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.value_inside(expr))
    }

    fn value_inside(&mut self, expr: &'h Expr) -> Option<ClassId> {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Unsupported(_) => None,
            ExprKind::Load(place) => {
                let at = self.place(place);
                self.read(at, expr.ty)
            }
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                let at = self.place(place);
                if matches!(place.kind, PlaceKind::Index(..)) {
                    self.note_computed(at.class);
                }
                self.note_address(at.class, place);
                if let Some(object) = at.root {
                    self.result.objects[object].escapes = true;
                }
                Some(at.class)
            }
            ExprKind::FunctionAddress(function) => Some(self.function(*function)),
            ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => {
                if self.is_record(operand.ty) {
                    self.record(operand);
                    return None;
                }
                if makes_pointer(&self.program.types, operand.ty, expr.ty) {
                    return self.pointer_from_integer(operand);
                }
                let class = self.operand(operand).filter(|_| self.carries(expr.ty))?;
                self.note_cast(class, operand, expr.ty);
                Some(class)
            }
            ExprKind::Not(operand) => {
                self.value(operand);
                None
            }
            ExprKind::Binary(_, left, right) => {
                let classes = [self.operand(left), self.operand(right)];
                let class = self.join_both(classes).filter(|_| self.carries(expr.ty));
                self.note_moved(class, expr.ty)
            }
            ExprKind::Compare(_, left, right) => {
                if let [Some(left), Some(right)] = [left, right].map(|side| self.operand(side)) {
                    self.compared.push((left, right));
                }
                None
            }
            ExprKind::Difference(left, right) => {
                self.operand(left);
                self.operand(right);
                None
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.value(left);
                self.value(right);
                None
            }
            ExprKind::Offset { pointer, index, .. } => {
                self.value(index);
                let class = self.value(pointer);
                self.note_moved(class, pointer.ty)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.value(condition);
                self.either(then, otherwise)
            }
            ExprKind::Comma(left, right) => {
                self.value(left);
                self.value(right)
            }
            ExprKind::Assign(place, value) => self.assignment(place, value),
            ExprKind::Update { place, value, .. } | ExprKind::Advance { place, index: value, .. } => {
                let source = self.value(value);
                let at = self.place(place);
                let target = self.read(at, place.ty);
                if let Some(target) = target {
                    self.result.targets.insert((self.frame, site_of(value)), target);
                }
                self.join_both([target, source]);
                self.note_moved(target, place.ty)
            }
            ExprKind::Step { place, .. } => {
                let at = self.place(place);
                let class = self.read(at, place.ty);
                self.note_moved(class, place.ty)
            }
            ExprKind::Call(callee, args) => self.call_value(expr, callee, args),
            ExprKind::Block(stmts, value) => {
                stmts.iter().for_each(|stmt| self.stmt(stmt));
                value.as_ref().and_then(|value| self.value(value))
            }
        }
    }

    pub(super) fn read(&mut self, at: Where, ty: TypeId) -> Option<ClassId> {
        self.access(at, ty);
        self.carries(ty).then(|| self.result.pointee(at.class, at.key))
    }

    /// Values of a type that point to the class are moved.
    fn note_moved(&mut self, class: Option<ClassId>, ty: TypeId) -> Option<ClassId> {
        if let Some(class) = class {
            self.note_computed(class);
            self.note_move(class, ty);
        }
        class
    }

    /// Pointers to the class are computed, so they may get past the ends of its objects.
    fn note_computed(&mut self, class: ClassId) {
        let class = self.result.find(class);
        self.result.classes[class].is_moved = true;
    }

    /// The class that a value points to, which is recorded for the expression.
    pub(super) fn operand(&mut self, expr: &'h Expr) -> Option<ClassId> {
        let class = self.value(expr)?;
        self.result.targets.insert((self.frame, site_of(expr)), class);
        Some(class)
    }

    fn either(&mut self, left: &'h Expr, right: &'h Expr) -> Option<ClassId> {
        let classes = [self.value(left), self.value(right)];
        self.join_both(classes)
    }

    fn join_both(&mut self, classes: [Option<ClassId>; 2]) -> Option<ClassId> {
        if let [Some(left), Some(right)] = classes {
            self.result.join(left, right);
        }
        classes[0].or(classes[1])
    }
}
