//! Blocks of memory: how large they are, and which of them can be freed.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::{ExprId, Sort, VarId};
use thetis_model::cfa::StmtKind;

use super::reach::{Length, MAX_BYTES, signed_bytes};
use super::{Lowering, MemoryRule};
use crate::hir::{CompareOp, Expr};
use crate::lower::assumption::AssumptionKind;
use crate::lower::origin::{Access, Event, VarOrigin};
use crate::lower::scalar::Scalar;

/// How long a block lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Storage {
    /// Until it is freed.
    Allocated,
    /// Until the function returns.
    Automatic,
    /// Until the program ends.
    Lasting,
}

impl<'h> Lowering<'h> {
    /// The array of extents.
    pub(super) fn extents(&mut self) -> VarId {
        match self.safety.extents {
            Some(var) => var,
            None => {
                let var = self.address_map("memory.extent");
                *self.safety.extents.insert(var)
            }
        }
    }

    /// The array of extents, if there is one.
    pub(in crate::lower) fn extents_if_tracked(&self) -> Option<VarId> {
        self.safety.extents
    }

    fn allocated(&mut self) -> VarId {
        match self.safety.allocated {
            Some(var) => var,
            None => {
                let var = self.address_map("memory.allocated");
                *self.safety.allocated.insert(var)
            }
        }
    }

    pub(in crate::lower) fn address_map(&mut self, name: &str) -> VarId {
        let store = self.store();
        let pointer = self.arith.sort(Scalar::Pointer);
        self.objects.storages.declare(store, name, store.array_sort(pointer, pointer), VarOrigin::Heap)
    }

    /// Says how many bytes the object at an address has, or that there is none.
    pub(super) fn set_extent(&mut self, address: ExprId, size: Option<ExprId>, span: Span) {
        let extents = self.extents();
        let extent = match size {
            Some(size) => self.arith.advance_by(size, 1),
            None => self.arith.pointer(0),
        };
        self.set_at(extents, address, extent, span);
    }

    pub(in crate::lower) fn set_at(&mut self, map: VarId, address: ExprId, value: ExprId, span: Span) {
        let store = self.store();
        let changed = store.store(store.var_expr(map), address, value);
        self.out.emit(StmtKind::Assign(map, changed), span, Event::Silent);
    }

    /// Only sizes that objects can have are looked at.
    pub(in crate::lower) fn bound_size(&mut self, size: ExprId, span: Span) {
        if !self.checks_memory() {
            return;
        }
        let is_modelled = self.store().not(self.outside(
            (signed_bytes(), size),
            &BigInt::from(0),
            &BigInt::from(MAX_BYTES - 1),
        ));
        if is_modelled == self.store().tru() {
            return;
        }
        self.out.assume_silently(AssumptionKind::BlockSize, "no block has 2 GB or more", span);
        self.out.emit(StmtKind::Assume(is_modelled), span, Event::Silent);
    }

    /// Notes a new block, whose size has been bounded.
    pub(in crate::lower) fn note_block(
        &mut self,
        call: &'h Expr,
        block: ExprId,
        size: ExprId,
        storage: Storage,
    ) {
        if !self.checks_memory() {
            return;
        }
        self.set_extent(block, Some(size), call.span);
        match storage {
            Storage::Allocated => {}
            Storage::Automatic => return self.end_with_function(block, call.span),
            Storage::Lasting => return,
        }
        if self.follows_allocation() {
            let allocated = self.allocated();
            self.set_at(allocated, block, self.arith.pointer(1), call.span);
        }
        self.watch(self.class_of_block(call), block, call.span);
    }

    /// The block of an `alloca` that ends when the function returns.
    fn end_with_function(&mut self, block: ExprId, span: Span) {
        if self.scope.return_to.is_none() {
            return;
        }
        if self.may_repeat_in_function() {
            self.scope.has_many_blocks = Some(span);
            return;
        }
        let store = self.store();
        let sort = self.arith.sort(Scalar::Pointer);
        let held = self.auxiliary("alloca", sort, VarOrigin::Heap);
        self.safety.initially_null.push(held);
        self.out.emit(StmtKind::Assign(held, block), span, Event::Silent);
        self.scope.blocks.push(store.var_expr(held));
    }

    /// Notes the address of a variable that is a new object whenever it is declared: null before that.
    pub(in crate::lower) fn note_moving(&mut self, address: ExprId) {
        if self.checks_memory() {
            let vars = self.store().vars_of([address]);
            self.safety.initially_null.extend(vars);
        }
    }

    /// Ends the blocks of a function that has returned.
    pub(in crate::lower) fn end_blocks(&mut self, blocks: &[ExprId], has_many: Option<Span>, span: Span) {
        for block in blocks {
            self.set_extent(*block, None, span);
        }
        if let Some(span) = has_many.filter(|_| self.checks_accesses()) {
            self.out.limit(span, "a function returns that has allocated automatic blocks in a loop");
        }
    }

    /// Whether the model knows which blocks can be freed. The objects that a single function gets are variables in the model, but its caller may
    /// have allocated them.
    fn follows_allocation(&self) -> bool {
        let is_single = self.program.entry.as_ref().is_some_and(|entry| entry.is_called);
        is_single || self.options.property.asks(MemoryRule::Free)
    }

    /// `free`.
    pub(in crate::lower) fn free_block(&mut self, pointer: ExprId, span: Span) {
        if !self.checks_memory() {
            return;
        }
        let store = self.store();
        let pointer = self.freeze(pointer, span);
        if self.follows_allocation() {
            let allocated = self.allocated();
            let is_allocated = store.select(store.var_expr(allocated), pointer);
            let zero = self.arith.pointer(0);
            let invalid = store.and(store.ne(pointer, zero), store.eq(is_allocated, zero));
            let access = Access {
                variable: None,
                pointer: Some(pointer),
                extent: None,
                offset: zero,
                length: self.length_term(Length::Constant(0)),
            };
            match self.options.property.asks(MemoryRule::Free) {
                true => self.forbid_access(invalid, span, MemoryRule::Free, Some(access)),
                false => self.limit_if(invalid, span, "a function frees what its caller may have allocated"),
            }
            self.set_at(allocated, pointer, zero, span);
        }
        self.set_extent(pointer, None, span);
        self.forget(pointer, span);
    }

    /// `realloc`: a new block with the old contents. The old one is freed, so that old pointers are no longer valid.
    pub(in crate::lower) fn move_block(&mut self, call: &'h Expr, old: ExprId, size: ExprId) -> ExprId {
        let (store, span) = (self.store(), call.span);
        let null = self.arith.pointer(0);
        let nothing = store.and(store.eq(size, null), store.ne(old, null));
        self.limit_if(nothing, span, "a block is reallocated to have no bytes");
        let extents = self.extents();
        let extent = store.select(store.var_expr(extents), old);
        let old_size = self.arith.advance(extent, self.bytes_literal(-1));
        let old_size = store.ite(store.eq(extent, null), null, old_size);
        let is_less = self.arith.compare(CompareOp::Lt, Scalar::Int(signed_bytes()), old_size, size);
        let kept = self.freeze(store.ite(is_less, old_size, size), span);
        self.free_block(old, span);
        self.end_block_at(self.class_of_block(call), old, span);
        self.bound_size(size, span);
        let fresh = self.allocate(span);
        self.note_block(call, fresh, size, Storage::Allocated);
        if let Some(class) = self.class_of_block(call) {
            self.copy_block((class, fresh), (class, old), kept, span);
        }
        fresh
    }

    /// What memory safety needs before the program starts.
    pub(in crate::lower) fn start_safety(&mut self, span: Span) {
        let store = self.store();
        let null = self.arith.pointer(0);
        for map in [self.safety.extents, self.safety.allocated].into_iter().flatten() {
            let nowhere = store.const_array(self.arith.sort(Scalar::Pointer), null);
            self.out.emit(StmtKind::Assign(map, nowhere), span, Event::Start);
        }
        self.start_blocks(span);
        for var in self.safety.initially_null.clone() {
            self.out.emit(StmtKind::Assign(var, null), span, Event::Start);
        }
        for var in self.safety.initially_false.clone() {
            debug_assert_eq!(store.var_sort(var), Sort::Bool, "lifetimes should be truth values");
            self.out.emit(StmtKind::Assign(var, store.fals()), span, Event::Start);
        }
    }
}
