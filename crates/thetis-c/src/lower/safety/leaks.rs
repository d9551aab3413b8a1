//! Blocks that are never freed.
//!
//! A run may watch one block. `valid-memcleanup` requires that there is no watched block when the program ends: it was
//! freed, or none was chosen.
//!
//! `valid-memtrack` says that every block is freed or can still be reached by pointers. A block that is eventually
//! freed was never lost, so only watched blocks that remain matter. Whether one is lost is checked where the program
//! ends, and at the loops of `main`, which endless runs pass again and again. It is not lost if a live variable points
//! into it: at the end of `main` only static variables are live. If pointers to blocks of its class are only ever kept
//! in variables, it is lost otherwise; if they may also be kept in other blocks or in large arrays, it is lost if no
//! variable points into any block; otherwise the model cannot tell, and that is a limit at the end.
//!
//! Endless runs that stay in loops of other functions, or lose blocks that other blocks point to, are not checked; this
//! is listed as an assumption.

use thetis_base::Span;
use thetis_expr::{ExprId, Sort, VarId};
use thetis_model::cfa::StmtKind;

use super::reach::MAX_BYTES;
use super::{Lowering, MemoryRule};
use crate::hir::{CompareOp, TypeId};
use crate::lower::assumption::AssumptionKind;
use crate::lower::layout::leaf_paths;
use crate::lower::origin::{Access, Event, FrameId, VarOrigin};
use crate::lower::points_to::{ClassId, ObjectId, ObjectKey};
use crate::lower::scalar::Scalar;

/// Variables with more scalars than this are not searched for pointers.
const MAX_SEARCHED: usize = 64;

/// The blocks that are watched: one to which only variables point, or one to which other blocks may point; and where blocks begin.
#[derive(Clone, Copy, Default)]
pub(super) struct Watched {
    by_variables: Option<VarId>,
    by_blocks: Option<VarId>,
    first_block: Option<VarId>,
}

/// How a program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum End {
    /// `main` returns.
    Return,
    /// `exit` is called.
    Exit,
    /// `abort` and the like.
    Abort,
}

impl<'h> Lowering<'h> {
    fn watches(&self) -> bool {
        self.options.property.asks(MemoryRule::Track) || self.options.property.asks(MemoryRule::Cleanup)
    }

    /// Lets the run choose to watch a new block.
    pub(super) fn watch(&mut self, class: Option<ClassId>, block: ExprId, span: Span) {
        if !self.watches() {
            return;
        }
        let store = self.store();
        let choice = self.auxiliary("watch", Sort::Bool, VarOrigin::Heap);
        self.out.emit(StmtKind::Havoc(choice), span, Event::Silent);
        let is_kept = class.is_some_and(|class| self.is_kept_in_blocks(class));
        let var = self.watched(is_kept);
        let (watched, null) = (store.var_expr(var), self.arith.pointer(0));
        let is_chosen = store.and(store.var_expr(choice), store.eq(watched, null));
        self.out.emit(StmtKind::Assign(var, store.ite(is_chosen, block, watched)), span, Event::Silent);
    }

    fn watched(&mut self, is_kept_in_blocks: bool) -> VarId {
        let known = match is_kept_in_blocks {
            true => self.safety.watched.by_blocks,
            false => self.safety.watched.by_variables,
        };
        if let Some(var) = known {
            return var;
        }
        let store = self.store();
        let name = if is_kept_in_blocks { "memory.watched-in-blocks" } else { "memory.watched" };
        let var =
            self.objects.storages.declare(store, name, self.arith.sort(Scalar::Pointer), VarOrigin::Heap);
        self.safety.initially_null.push(var);
        match is_kept_in_blocks {
            true => self.safety.watched.by_blocks = Some(var),
            false => self.safety.watched.by_variables = Some(var),
        }
        var
    }

    /// Whether pointers to the objects of a class may be where they are not searched for.
    fn is_kept_in_blocks(&mut self, class: ClassId) -> bool {
        let holders = self.holders();
        let is_block = |holder: &ObjectId| {
            let object = &self.points.objects[*holder];
            object.ty.is_none_or(|ty| leaf_paths(&self.program.types, ty, MAX_SEARCHED).is_none())
        };
        holders.get(&class).is_some_and(|holders| holders.iter().any(is_block))
    }

    /// A block is freed.
    pub(super) fn forget(&mut self, pointer: ExprId, span: Span) {
        let store = self.store();
        let Watched { by_variables, by_blocks, .. } = self.all_watched();
        for var in [by_variables, by_blocks].into_iter().flatten() {
            let watched = store.var_expr(var);
            let is_it = store.eq(watched, pointer);
            let left = store.ite(is_it, self.arith.pointer(0), watched);
            self.out.emit(StmtKind::Assign(var, left), span, Event::Silent);
        }
    }

    /// Both variables, since code that is translated later may watch blocks too.
    fn all_watched(&mut self) -> Watched {
        if self.watches() {
            self.watched(false);
            self.watched(true);
        }
        self.safety.watched
    }

    /// Checks the remaining blocks at the end of the program.
    pub(in crate::lower) fn check_end(&mut self, end: End, span: Span) {
        if !self.watches() {
            return;
        }
        let (store, null) = (self.store(), self.arith.pointer(0));
        let Watched { by_variables, by_blocks, .. } = self.all_watched();
        if self.options.property.asks(MemoryRule::Cleanup) && end != End::Abort {
            for var in [by_variables, by_blocks].into_iter().flatten() {
                let is_left = store.ne(store.var_expr(var), null);
                let access = self.left_block(var);
                self.forbid_access(is_left, span, MemoryRule::Cleanup, Some(access));
            }
        }
        if self.options.property.asks(MemoryRule::Track) {
            let roots = self.roots(end);
            if let Some(var) = by_variables {
                let (is_lost, access) = (self.is_lost(var, &roots, span), self.left_block(var));
                self.forbid_access(is_lost, span, MemoryRule::Track, Some(access));
            }
            if let Some(var) = by_blocks {
                let are_lost = self.are_all_lost(var, &roots, span);
                let access = self.left_block(var);
                self.forbid_access(are_lost, span, MemoryRule::Track, Some(access));
                let is_lost = self.is_lost(var, &roots, span);
                self.limit_if(
                    is_lost,
                    span,
                    "only other blocks may point to a block that remains at the end",
                );
            }
        }
    }

    /// Checks for lost blocks in an iteration of a loop.
    pub(in crate::lower) fn check_round(&mut self, span: Span) {
        if !self.options.property.asks(MemoryRule::Track) {
            return;
        }
        let place = self.span_in_program(span);
        self.out.assume_silently(
            AssumptionKind::EndlessRuns,
            "runs that never end lose no block in functions other than `main`, and none that other blocks point to",
            place,
        );
        if self.out.frame != FrameId::new(0) || self.scope.num_expressions > 0 {
            return;
        }
        if let Some(var) = self.all_watched().by_variables {
            let roots = self.roots(End::Exit);
            let (is_lost, access) = (self.is_lost(var, &roots, span), self.left_block(var));
            self.forbid_access(is_lost, span, MemoryRule::Track, Some(access));
        }
    }

    fn left_block(&self, watched: VarId) -> Access {
        let zero = self.arith.pointer(0);
        let pointer = Some(self.store().var_expr(watched));
        Access { variable: None, pointer, extent: None, offset: zero, length: zero }
    }

    /// That a block is watched and nothing points into it.
    fn is_lost(&mut self, watched: VarId, roots: &[(ObjectKey, TypeId)], span: Span) -> ExprId {
        let store = self.store();
        let block = store.var_expr(watched);
        let end = self.arith.advance_by(block, MAX_BYTES);
        let mut conditions = vec![store.ne(block, self.arith.pointer(0))];
        for (key, ty) in roots {
            for pointer in self.pointers_in(*key, *ty, span) {
                let is_before = self.arith.compare(CompareOp::Lt, Scalar::Pointer, pointer, block);
                let is_behind = self.arith.compare(CompareOp::Ge, Scalar::Pointer, pointer, end);
                conditions.push(store.or(is_before, is_behind));
            }
        }
        store.and_all(conditions)
    }

    /// That a block is watched and no variable points into any block at all.
    fn are_all_lost(&mut self, watched: VarId, roots: &[(ObjectKey, TypeId)], span: Span) -> ExprId {
        let store = self.store();
        let is_searched = |ty: TypeId| leaf_paths(&self.program.types, ty, MAX_SEARCHED).is_some();
        if roots.iter().any(|(_, ty)| !is_searched(*ty) && self.has_pointers(*ty)) {
            return store.fals();
        }
        let mut conditions = vec![store.ne(store.var_expr(watched), self.arith.pointer(0))];
        for (key, ty) in roots {
            for pointer in self.pointers_in(*key, *ty, span) {
                let first = store.var_expr(self.first_block());
                conditions.push(self.arith.compare(CompareOp::Lt, Scalar::Pointer, pointer, first));
            }
        }
        store.and_all(conditions)
    }

    /// The address of the first block, which is known when all variables are.
    fn first_block(&mut self) -> VarId {
        if let Some(known) = self.safety.watched.first_block {
            return known;
        }
        let store = self.store();
        let sort = self.arith.sort(Scalar::Pointer);
        let var = self.objects.storages.declare(store, "memory.first-block", sort, VarOrigin::Heap);
        *self.safety.watched.first_block.insert(var)
    }

    /// Says where blocks begin, before the program starts.
    pub(super) fn start_blocks(&mut self, span: Span) {
        if let Some(var) = self.safety.watched.first_block {
            let first = self.arith.object_address(self.objects.num_objects + 1);
            self.out.emit(StmtKind::Assign(var, first), span, Event::Start);
        }
    }

    /// The variables that are live at an end of the program.
    fn roots(&self, end: End) -> Vec<(ObjectKey, TypeId)> {
        let globals = self.calls.globals.iter();
        let mut roots: Vec<(ObjectKey, TypeId)> =
            globals.map(|global| (ObjectKey::Global(*global), self.program.globals[*global].ty)).collect();
        let mut frame = (end != End::Return).then_some(self.out.frame);
        while let Some(active) = frame {
            let locals = &self.program.functions[self.calls.frames[active].function].locals;
            let keys = locals.indices().map(|local| (ObjectKey::Local(active, local), locals[local].ty));
            roots.extend(keys.filter(|(key, _)| self.points.object(*key).is_some()));
            frame = self.calls.frames[active].caller.map(|(caller, _)| caller);
        }
        roots
    }

    /// The pointers in a variable.
    fn pointers_in(&mut self, key: ObjectKey, ty: TypeId, span: Span) -> Vec<ExprId> {
        let Some(paths) = leaf_paths(&self.program.types, ty, MAX_SEARCHED) else { return Vec::new() };
        let pointers = paths.into_iter().filter(|path| self.scalar(path.ty) == Some(Scalar::Pointer));
        pointers
            .collect::<Vec<_>>()
            .into_iter()
            .map(|path| {
                let spot = self.spot_of(key, ty);
                let part = self.part(spot, ty, &path.steps).0;
                self.read(part, Scalar::Pointer, None, span)
            })
            .collect()
    }

    /// The variables of a function that has returned point nowhere.
    pub(in crate::lower) fn clear_pointers(&mut self, frame: FrameId, span: Span) {
        if !self.options.property.asks(MemoryRule::Track) {
            return;
        }
        let locals = &self.program.functions[self.calls.frames[frame].function].locals;
        for local in locals.indices() {
            let (key, ty) = (ObjectKey::Local(frame, local), locals[local].ty);
            let Some(paths) = leaf_paths(&self.program.types, ty, MAX_SEARCHED) else { continue };
            if self.points.object(key).is_none() {
                continue;
            }
            for path in paths {
                if self.scalar(path.ty) != Some(Scalar::Pointer) {
                    continue;
                }
                let spot = self.spot_of(key, ty);
                let part = self.part(spot, ty, &path.steps).0;
                self.write(part, Scalar::Pointer, self.arith.pointer(0), span, Event::Silent);
            }
        }
    }
}
