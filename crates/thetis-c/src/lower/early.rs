//! Pointers from outside cannot point to objects that nobody outside knows yet.
//!
//! The points-to analysis does not know when an object becomes known outside, so a pointer from outside may point to every object that ever
//! does. A run in which one points to an object that does not exist yet, whose address has not been taken yet, or that is only compared with such
//! pointers, is none of the program: a violation in it does not count. That is an approximation, so proofs do not rest on what is found here.

use thetis_base::Span;
use thetis_expr::ExprId;

use super::lowering::Lowering;
use super::options::Externals;
use super::origin::FrameId;
use super::points_to::ObjectKey;
use super::scalar::Scalar;
use super::walk::{Part, walk_body};
use crate::hir::{CompareOp, ExprKind, LocalId, Place, PlaceKind};

/// If there are more objects than this, every run with the pointer is marked.
const MAX_OBJECTS: usize = 64;

/// How far before an object a pointer still belongs to it.
const HALF_OBJECT: u64 = 1 << 31;

/// How many blocks may be allocated later.
const LATER_BLOCKS: u64 = 1 << 20;

impl Lowering<'_> {
    /// Marks runs in which a pointer that has just come from outside points to an object that is not known there yet.
    pub(super) fn approximate_early(&mut self, pointer: ExprId, span: Span) {
        if self.calls.has_threads || self.options.externals == Externals::Svcomp {
            return;
        }
        let mut conditions = Vec::new();
        let objects: Vec<(ObjectKey, bool)> = self.points.outside_objects().collect();
        let may_be_early = |(key, is_only_compared): &&(ObjectKey, bool)| {
            *is_only_compared || matches!(key, ObjectKey::Local(..))
        };
        if objects.iter().filter(may_be_early).count() > MAX_OBJECTS {
            self.approximate_if(self.store().tru(), "a pointer from outside", span);
            return;
        }
        for (key, is_only_compared) in &objects {
            let ty = match *key {
                ObjectKey::Global(global) if *is_only_compared => self.program.globals[global].ty,
                ObjectKey::Local(frame, local)
                    if *is_only_compared || self.is_unknown_at(frame, local, span) =>
                {
                    self.program.functions[self.calls.frames[frame].function].locals[local].ty
                }
                _ => continue,
            };
            let address = self.variable_address(*key, ty);
            let end = self.arith.advance_by(address, 1 << 32);
            conditions.push(self.is_from_to(pointer, address, end));
        }
        if objects.iter().any(|(key, _)| matches!(key, ObjectKey::Heap(..))) {
            let heap = self.next_block();
            let next = self.store().var_expr(heap);
            let end = self.arith.advance_by(next, LATER_BLOCKS << 32);
            conditions.push(self.is_from_to(pointer, next, end));
        }
        let is_early = self.store().or_all(conditions);
        self.approximate_if(is_early, "a pointer from outside", span);
    }

    /// Whether a pointer is nearer to the objects in a range than to others. It may be before the first one, with a member that is in it.
    fn is_from_to(&self, pointer: ExprId, first: ExprId, end: ExprId) -> ExprId {
        let moved = self.arith.advance_by(pointer, HALF_OBJECT);
        let is_below = |bound| self.arith.compare(CompareOp::Lt, Scalar::Pointer, moved, bound);
        self.store().and(self.store().not(is_below(first)), is_below(end))
    }

    /// Whether nobody outside can know a variable at a place of the copy at hand: its function is not running, or takes its address only after that.
    fn is_unknown_at(&self, frame: FrameId, local: LocalId, span: Span) -> bool {
        let (mut current, mut place) = (self.out.frame, span);
        while current != frame {
            let Some((caller, call)) = self.calls.frames[current].caller else { return true };
            (current, place) = (caller, call);
        }
        let body = self.program.functions[self.calls.frames[frame].function].body.as_deref();
        let takes_address = |part: Part<'_>| match part {
            Part::Expr(expr) => match &expr.kind {
                ExprKind::AddressOf(whole) | ExprKind::Decay(whole) => {
                    is_part_of(whole, local).then_some(expr.span)
                }
                _ => None,
            },
            _ => None,
        };
        let mut taken = body.into_iter().flat_map(walk_body).filter_map(takes_address).peekable();
        taken.peek().is_some() && taken.all(|taken| taken.file == place.file && taken.start >= place.end)
    }
}

fn is_part_of(mut place: &Place, local: LocalId) -> bool {
    loop {
        match &place.kind {
            PlaceKind::Local(found) => return *found == local,
            PlaceKind::Field(whole, _) | PlaceKind::Index(whole, _) => place = whole,
            _ => return false,
        }
    }
}
