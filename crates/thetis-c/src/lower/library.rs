//! Calls of functions that are known without a body.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::{ExprId, VarId};
use thetis_model::cfa::StmtKind;

use super::assumption::AssumptionKind;
use super::builtin::{Builtin, is_exit};
use super::call::Arg;
use super::lowering::Lowering;
use super::options::Property;
use super::origin::{Event, VarOrigin, ViolationKind};
use super::points_to::moved::{Moved, copied};
use super::points_to::{ClassId, ERRNO, ObjectKey, pointed_type};
use super::safety::{End, Length, Storage};
use super::scalar::{Integer, Scalar};
use super::spot::Spot;
use super::walk::{Part, site_of, walk_body};
use crate::hir::{CompareOp, Expr, ExprKind, GlobalId, Initializer, Place, PlaceKind, Program};

/// Objects with numbers from here on are streams. Programs do not have as many objects, also where addresses have 32 bits, of which 16 are the
/// number.
const STREAMS: u64 = (1 << 29) + 0xfff0;

/// The streams that a program starts with, in the order of their numbers.
const STANDARD_STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// The number of the first of them; the program opens those before.
const FIRST_STANDARD: u64 = 4;

impl<'h> Lowering<'h> {
    /// The value of a call of a builtin, if it has one.
    pub(super) fn builtin(
        &mut self,
        call: &'h Expr,
        builtin: Builtin,
        name: &str,
        args: &'h [Expr],
    ) -> Option<ExprId> {
        let span = call.span;
        match builtin {
            Builtin::Input => {
                self.arguments(args);
                let scalar = self.scalar(call.ty)?;
                self.check_outside_pointer(name, span);
                let value = self.input(name, call.ty, scalar, span);
                if scalar == Scalar::Pointer {
                    self.approximate_early(value, span);
                }
                return Some(value);
            }
            Builtin::Harmless => {
                let is_ignored = self.ignored == Some(site_of(call));
                self.arguments(args);
                self.trust_with_pointers(call, args);
                let scalar = self.scalar(call.ty)?;
                if name.contains("vprintf") || name.contains("vfprintf") {
                    self.limit_written_counts(name, span);
                }
                if name.contains("printf") && (!is_ignored || self.calls.sees_errno()) {
                    // What it returns is the number of characters, which is not calculated here, and it may fail.
                    self.approximate_if(self.store().tru(), &format!("`{name}`"), span);
                    self.scramble_errno(span);
                }
                return Some(self.arbitrary(scalar, span));
            }
            Builtin::Assume => {
                let condition = self.condition(args.first()?);
                self.assume(condition, span);
            }
            Builtin::Assert => self.assertion(args.first()?, span),
            Builtin::AssertFail if self.options.property == Property::Assertion => {
                self.out.violate(span, ViolationKind::Assertion)
            }
            Builtin::AssertFail | Builtin::End => {
                self.arguments(args);
                let end = if is_exit(name) { End::Exit } else { End::Abort };
                self.finish_program(end, span);
            }
            Builtin::Malloc => return Some(self.malloc(call, args, Storage::Allocated)),
            Builtin::Lasting => return Some(self.malloc(call, args, Storage::Lasting)),
            Builtin::Alloca => return Some(self.malloc(call, args, Storage::Automatic)),
            Builtin::Calloc => return Some(self.calloc(call, name, args)),
            Builtin::Realloc => return self.realloc(call, args),
            Builtin::Free => self.free(args, span),
            Builtin::Copy => return self.copy_bytes(name, args, span),
            Builtin::Fill => return self.fill_bytes(args, span),
            Builtin::Scramble => self.scramble_target(args.first()?, span),
            Builtin::Scan => {
                args.get(1..)?.iter().for_each(|arg| self.scramble_target(arg, span));
                let scalar = self.scalar(call.ty)?;
                return Some(self.arbitrary(scalar, span));
            }
            Builtin::Identity | Builtin::Shared => {
                let value = self.value(args.first()?);
                args[1..].iter().for_each(|arg| self.effect(arg));
                return Some(value);
            }
            Builtin::VaFirst => return Some(self.first_argument(call)),
            Builtin::VaValue => return Some(self.argument_value(call, args)),
            Builtin::Math(function) => return self.math(function, call, args),
            Builtin::Approximate => self.approximate(span),
            Builtin::Limit => self.out.limit(span, limit_reason(self.program, args)),
            Builtin::ChecksMemory => {
                return Some(self.truth(self.checks_memory()));
            }
            Builtin::StreamAt => return self.stream(args.first()?),
            Builtin::IsStream => {
                let [pointer, number, ..] = args else { return None };
                let (pointer, stream) = (self.value(pointer), self.stream(number)?);
                return Some(
                    self.arith
                        .truth_value(Scalar::Int(Integer::signed(32)), self.store().eq(pointer, stream)),
                );
            }
            Builtin::ChecksReads => {
                return Some(self.truth(self.checks_memory() || self.checks_values()));
            }
            Builtin::Require => self.require_bytes(args, span)?,
            Builtin::Separate => self.separate_bytes(args, span)?,
            Builtin::OpenCalls => {
                if self.has_effects_when_called(args.first()?) {
                    let reason = "how often a function is called back is unspecified, and it has effects";
                    self.out.limit(self.span_in_program(span), reason);
                }
            }
            Builtin::SeesErrno => return Some(self.truth(self.calls.sees_errno())),
            Builtin::SeesVariable => {
                let name = string_literal(self.program, args.first()?)?;
                return Some(self.truth(mentions_variable(self.program, &name)));
            }
            Builtin::Thread(function) => return self.concurrent(function, call, args),
            Builtin::UnknownThread => self.out.limit(span, format!("`{name}` is not supported")),
            Builtin::Unsupported => self.out.limit(span, format!("`{name}` is not supported")),
        }
        None
    }

    /// A truth value as an `int`.
    fn truth(&self, is_true: bool) -> ExprId {
        self.arith.integer(Integer::signed(32), &BigInt::from(u8::from(is_true)))
    }

    /// The stream with a constant number.
    fn stream(&mut self, number: &'h Expr) -> Option<ExprId> {
        let number = self.value(number);
        let number = self.arith.as_literal(Integer::signed(32), number)?;
        Some(self.arith.object_address(STREAMS + u64::try_from(number).ok()?))
    }

    /// The stream of this name that the program starts with.
    pub(super) fn standard_stream(&self, name: &str) -> Option<ExprId> {
        let number = (FIRST_STANDARD..).zip(STANDARD_STREAMS).find(|(_, stream)| *stream == name)?.0;
        Some(self.arith.object_address(STREAMS + number))
    }

    /// Whether a place is the variable of a stream that the program starts with, which the models do not look at.
    pub(super) fn is_standard_stream(&self, place: &Place) -> bool {
        let PlaceKind::Global(global) = place.kind else { return false };
        let info = &self.program.globals[global];
        !info.is_defined && self.standard_stream(&info.name).is_some()
    }

    /// Makes `errno` arbitrary.
    fn scramble_errno(&mut self, span: Span) {
        let is_errno = |global: &&GlobalId| self.program.globals[**global].name == ERRNO;
        if let Some(global) = self.calls.globals.iter().find(is_errno) {
            let (key, ty) = (ObjectKey::Global(*global), self.program.globals[*global].ty);
            let spot = self.spot_of(key, ty);
            self.scramble(spot, ty, span);
        }
    }

    /// Makes what a pointer points to arbitrary.
    fn scramble_target(&mut self, pointer: &'h Expr, span: Span) {
        let address = self.value(pointer);
        let address = self.freeze(address, span);
        let ty = pointed_type(self.program, pointer);
        let reach = self.reach_behind(self.points.target(self.out.frame, site_of(pointer)), address);
        self.check_access(reach, Length::Constant(self.program.types.size_of(ty).unwrap_or(1)), span);
        match (self.points.target(self.out.frame, site_of(pointer)), self.program.types.size_of(ty)) {
            (Some(class), Some(size)) if size > 1 => {
                let spot = self.spot_at(class, address, self.arith.pointer(0));
                self.scramble(spot, ty, span);
            }
            (Some(_), _) => self.out.limit(span, "bytes of unknown number become arbitrary"),
            (None, _) => {}
        }
    }

    /// `assert(e)` without a definition. What a failing one means is known only if that is what is asked.
    fn assertion(&mut self, condition: &'h Expr, span: Span) {
        let (holds, fails) = (self.out.location(span), self.out.location(span));
        self.branch(condition, holds, fails);
        self.out.graph.continue_at(fails);
        match self.options.property {
            Property::Assertion => self.out.violate(span, ViolationKind::Assertion),
            _ => self.out.limit(span, "an assertion fails that has no definition"),
        }
        self.out.graph.continue_at(holds);
    }

    /// The address of a new block.
    pub(super) fn allocate(&mut self, span: Span) -> ExprId {
        let block = self.new_address();
        self.allocate_to(block, span);
        self.store().var_expr(block)
    }

    /// A variable for the address of a block; that of the next block is declared before it.
    pub(super) fn new_address(&mut self) -> VarId {
        let sort = self.arith.sort(Scalar::Pointer);
        self.next_block();
        self.auxiliary("block", sort, VarOrigin::Temporary)
    }

    /// Assigns the address of a new block.
    pub(super) fn allocate_to(&mut self, block: VarId, span: Span) {
        let store = self.store();
        let next = self.next_block();
        let after = self.arith.advance(store.var_expr(next), self.arith.object_address(1));
        self.out.emit(StmtKind::Assign(block, store.var_expr(next)), span, Event::Silent);
        self.out.emit(StmtKind::Assign(next, after), span, Event::Silent);
    }

    /// The address that the next block gets.
    pub(super) fn next_block(&mut self) -> VarId {
        let (store, sort) = (self.store(), self.arith.sort(Scalar::Pointer));
        let storages = &mut self.objects.storages;
        let declare = || storages.declare(store, "heap.next", sort, VarOrigin::Heap);
        *self.objects.heap.get_or_insert_with(declare)
    }

    /// `malloc` and `alloca`; further arguments do not matter.
    fn malloc(&mut self, call: &'h Expr, args: &'h [Expr], storage: Storage) -> ExprId {
        let span = call.span;
        let size = args.split_first().map(|(size, others)| {
            let mut size = self.byte_count(size);
            if self.checks_memory() {
                size = self.freeze(size, span);
            }
            others.iter().for_each(|arg| self.effect(arg));
            size
        });
        let is_argument = self.makes_arguments(span);
        if storage != Storage::Lasting && !is_argument {
            self.out.assume_silently(AssumptionKind::AllocationNeverFails, "allocation never fails", span);
        }
        if !is_argument {
            self.trust_block(span);
        }
        let is_excessive = size.map_or(self.store().fals(), |size| self.is_excessive(size));
        if storage == Storage::Automatic {
            if self.checks_memory() {
                self.limit_if(is_excessive, span, "an automatic block has more bytes than objects can have");
            }
            let block = self.block_of_size(call, size, storage);
            if !is_argument {
                self.note_automatic_block(self.class_of_block(call), block, span);
            }
            return block;
        }
        self.unless_excessive(is_excessive, span, |lowering| lowering.block_of_size(call, size, storage))
    }

    /// A new block.
    fn block_of_size(&mut self, call: &'h Expr, size: Option<ExprId>, storage: Storage) -> ExprId {
        if let Some(size) = size {
            self.bound_size(size, call.span);
        }
        let block = self.allocate(call.span);
        if let Some(size) = size {
            self.note_block(call, block, size, storage);
        }
        block
    }

    /// `free`.
    fn free(&mut self, args: &'h [Expr], span: Span) {
        let values = self.arguments(args);
        if let Some(Arg::Scalar(_, pointer)) = values.first() {
            let class = self.points.target(self.out.frame, site_of(&args[0]));
            self.end_block_at(class, *pointer, span);
            self.free_block(*pointer, span);
        }
    }

    /// `calloc(number, size)` and `kzalloc(size, flags)`.
    fn calloc(&mut self, call: &'h Expr, name: &str, args: &'h [Expr]) -> ExprId {
        let span = call.span;
        let mut sizes: Vec<ExprId> = args.iter().map(|arg| self.byte_count(arg)).collect();
        sizes.truncate(if name == "kzalloc" { 1 } else { 2 });
        self.out.assume_silently(AssumptionKind::AllocationNeverFails, "allocation never fails", span);
        let is_excessive = match sizes[..] {
            [number, size] => self.is_excessive_product(number, size),
            [size] => self.is_excessive(size),
            _ => self.store().fals(),
        };
        self.unless_excessive(is_excessive, span, |lowering| lowering.zeroed_block(call, sizes))
    }

    /// A new block of as many bytes as the product of some numbers.
    fn zeroed_block(&mut self, call: &'h Expr, sizes: Vec<ExprId>) -> ExprId {
        let span = call.span;
        for size in &sizes {
            self.bound_size(*size, span);
        }
        let total = sizes.into_iter().reduce(|left, right| self.arith.scale(left, right));
        let total = match total {
            Some(total) if self.checks_memory() => {
                let total = self.freeze(total, span);
                self.bound_size(total, span);
                Some(total)
            }
            total => total,
        };
        let block = self.allocate(span);
        if let Some(total) = total {
            self.note_block(call, block, total, Storage::Allocated);
        }
        if let (Some(class), Some(total)) = (self.class_of_block(call), total)
            && !self.region(class).starts_zero
        {
            self.zero_block(class, block, total, span);
        }
        block
    }

    /// The class of what an allocation makes.
    pub(super) fn class_of_block(&self, call: &'h Expr) -> Option<ClassId> {
        let object = self.points.object(ObjectKey::Heap(self.out.frame, site_of(call)))?;
        Some(self.points.class_of(object))
    }

    /// Blocks grow where they are, unless it matters that old pointers are no longer valid.
    fn realloc(&mut self, call: &'h Expr, args: &'h [Expr]) -> Option<ExprId> {
        let span = call.span;
        let old = self.value(args.first()?);
        let old = self.freeze(old, span);
        self.out.assume_silently(AssumptionKind::AllocationNeverFails, "allocation never fails", span);
        if self.checks_memory() {
            let size = self.byte_count(args.get(1)?);
            let size = self.freeze(size, span);
            let is_excessive = self.is_excessive(size);
            return Some(
                self.unless_excessive(is_excessive, span, |lowering| lowering.move_block(call, old, size)),
            );
        }
        let (store, null) = (self.store(), self.arith.pointer(0));
        match self.class_of_block(call) {
            Some(class) if self.is_compared(class) => {
                let size = self.byte_count(args.get(1)?);
                let size = store.ite(store.eq(old, null), null, size);
                let size = self.freeze(size, span);
                self.end_block_at(Some(class), old, span);
                let fresh = self.allocate(span);
                self.copy_block((class, fresh), (class, old), size, span);
                Some(fresh)
            }
            _ => {
                args[1..].iter().for_each(|arg| self.effect(arg));
                let fresh = self.allocate(span);
                Some(store.ite(store.eq(old, null), fresh, old))
            }
        }
    }

    /// An argument of type `size_t` as a number of bytes.
    pub(super) fn byte_count(&mut self, arg: &'h Expr) -> ExprId {
        let integer = self.scalar(arg.ty).and_then(Scalar::integer).unwrap_or(Integer::unsigned(64));
        let term = self.value(arg);
        self.arith.bytes(integer, term)
    }

    /// `memcpy`, `memmove` and `mempcpy`, which returns the end of what it has written.
    fn copy_bytes(&mut self, name: &str, args: &'h [Expr], span: Span) -> Option<ExprId> {
        let [to, from, count, ..] = args else { return None };
        let target = self.value(to);
        let target = self.freeze(target, span);
        let source = self.value(from);
        let source = self.freeze(source, span);
        let count = self.byte_count(count);
        let count = self.freeze(count, span);
        let result = if name.contains("mempcpy") { self.arith.advance(target, count) } else { target };
        let classes = [to, from].map(|pointer| self.points.target(self.out.frame, site_of(pointer)));
        self.check_bytes(classes[0], target, count, span);
        self.check_writable_bytes(classes[0], target, count, span);
        self.check_bytes(classes[1], source, count, span);
        if !name.contains("memmove") {
            let is_other = self.store().ne(target, source);
            self.limit_overlap(classes, [target, source], [count, count], is_other, span);
        }
        let [Some(to_class), Some(from_class)] = classes else { return Some(result) };
        match copied(self.program, args) {
            // In bytes, padding can be seen and is copied too.
            _ if to_class == from_class && self.region(to_class).has_bytes => {
                self.copy_block((to_class, target), (from_class, source), count, span);
            }
            Moved::Values(ty, size) if to_class != from_class || !name.contains("memmove") => {
                self.for_each_block(count, size, span, |lowering, offset| {
                    let to = lowering.spot_at(to_class, target, offset);
                    let from = lowering.spot_at(from_class, source, offset);
                    lowering.copy(to, from, ty, span, &Event::Assign);
                });
            }
            _ => self.copy_block((to_class, target), (from_class, source), count, span),
        }
        Some(result)
    }

    /// `__thetis_require(pointer, n)`: `n` bytes can be accessed.
    fn require_bytes(&mut self, args: &'h [Expr], span: Span) -> Option<()> {
        let [pointer, count, ..] = args else { return None };
        let address = self.value(pointer);
        let address = self.freeze(address, span);
        let count = self.byte_count(count);
        self.check_bytes(self.points.target(self.out.frame, site_of(pointer)), address, count, span);
        Some(())
    }

    /// `__thetis_separate(to, n, from, m)`: what is written and what is read do not overlap.
    fn separate_bytes(&mut self, args: &'h [Expr], span: Span) -> Option<()> {
        let [to, written, from, read, ..] = args else { return None };
        let classes = [to, from].map(|pointer| self.points.target(self.out.frame, site_of(pointer)));
        let starts = [self.value(to), self.value(from)];
        let counts = [self.byte_count(written), self.byte_count(read)];
        self.limit_overlap(classes, starts, counts, self.store().tru(), span);
        Some(())
    }

    /// A copy between objects that overlap is undefined, if a condition holds. Programs do call `memcpy` for one and the same object.
    fn limit_overlap(
        &mut self,
        classes: [Option<ClassId>; 2],
        starts: [ExprId; 2],
        counts: [ExprId; 2],
        condition: ExprId,
        span: Span,
    ) {
        if classes[0].is_none() || classes[0] != classes[1] {
            return;
        }
        let store = self.store();
        let ends = [0, 1].map(|number| self.arith.advance(starts[number], counts[number]));
        let is_before = |left, right| self.arith.compare(CompareOp::Lt, Scalar::Pointer, left, right);
        let overlap =
            store.and_all([condition, is_before(starts[0], ends[1]), is_before(starts[1], ends[0])]);
        let span = self.span_in_program(span);
        self.limit_if(overlap, span, "bytes are copied between objects that overlap, which is undefined");
    }

    fn spot_at(&mut self, class: ClassId, address: ExprId, offset: ExprId) -> Spot {
        match self.singles.object(class) {
            Some(_) => Spot::Single { class, key: None, reach: None },
            None => {
                Spot::Memory { class, address: self.arith.advance(address, offset), key: None, reach: None }
            }
        }
    }

    /// Goes on only if some bytes behind a pointer can be accessed.
    fn check_bytes(&mut self, class: Option<ClassId>, pointer: ExprId, count: ExprId, span: Span) {
        let reach = self.reach_behind(class, pointer);
        let length = match self.constant_bytes(count) {
            Some(count) => Length::Constant(count),
            None => Length::Term(count),
        };
        self.check_access(reach, length, span);
    }

    /// `memset`.
    fn fill_bytes(&mut self, args: &'h [Expr], span: Span) -> Option<ExprId> {
        let [to, byte, count, ..] = args else { return None };
        let target = self.value(to);
        let target = self.freeze(target, span);
        let byte_integer = self.scalar(byte.ty).and_then(Scalar::integer).unwrap_or(Integer::signed(32));
        let byte = self.value(byte);
        let byte = self.arith.resize(byte_integer, Integer::unsigned(8), byte);
        let count = self.byte_count(count);
        let class = self.points.target(self.out.frame, site_of(to));
        self.check_bytes(class, target, count, span);
        self.check_writable_bytes(class, target, count, span);
        let Some(class) = class else { return Some(target) };
        let is_zero = byte == self.arith.zero(Scalar::Int(Integer::unsigned(8)));
        if self.singles.object(class).is_some() {
            self.fill_single(class, byte, count, span);
        } else if is_zero {
            self.zero_block(class, target, count, span);
        } else {
            self.fill_block(class, target, byte, count, span);
        }
        Some(target)
    }

    /// `memset` of the only object of a class.
    fn fill_single(&mut self, class: ClassId, byte: ExprId, count: ExprId, span: Span) {
        let object = self.singles.object(class).map(|object| &self.points.objects[object]);
        let Some((key, ty)) = object.and_then(|object| Some((object.key, object.ty?))) else { return };
        let size = self.program.types.size_of(ty);
        match self.constant_bytes(count) {
            Some(0) => {}
            count if count == size => {
                let spot = self.spot_of(key, ty);
                self.fill_object(spot, ty, byte, span);
            }
            _ => self.out.limit(span, "a part of a variable is filled with bytes"),
        }
    }

    /// A constant number of bytes.
    pub(super) fn constant_bytes(&self, count: ExprId) -> Option<u64> {
        let number = self.arith.as_literal(Integer::unsigned(64), count)?;
        u64::try_from(number).ok()
    }

    /// Does something at every `step` bytes below `total`.
    pub(super) fn for_each_block(
        &mut self,
        total: ExprId,
        step: u64,
        span: Span,
        mut body: impl FnMut(&mut Self, ExprId),
    ) {
        const MAX_UNROLLED: u64 = 64;
        if let Some(total) = self.constant_bytes(total).filter(|total| total.div_ceil(step) <= MAX_UNROLLED) {
            for number in 0..total.div_ceil(step) {
                body(self, self.arith.pointer(number * step));
            }
            return;
        }
        let store = self.store();
        let total = self.freeze(total, span);
        let offset = self.auxiliary("offset", self.arith.sort(Scalar::Pointer), VarOrigin::Temporary);
        let at = store.var_expr(offset);
        self.out.emit(StmtKind::Assign(offset, self.arith.pointer(0)), span, Event::Silent);
        let (head, inside, after) =
            (self.out.location(span), self.out.location(span), self.out.location(span));
        self.out.go(head);
        self.out.graph.continue_at(head);
        let is_below = self.arith.compare(CompareOp::Lt, Scalar::Pointer, at, total);
        self.select(is_below, inside, after, span);
        self.out.graph.continue_at(inside);
        body(self, at);
        self.out.emit(StmtKind::Assign(offset, self.arith.advance_by(at, step)), span, Event::Silent);
        self.out.go(head);
        self.out.graph.continue_at(after);
    }
}

/// The text of a string literal.
pub(crate) fn string_literal(program: &Program, expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Convert(inner) => string_literal(program, inner),
        ExprKind::Decay(place) => {
            let PlaceKind::Global(global) = &place.kind else { return None };
            let Some(Initializer::Parts(parts)) = &program.globals[*global].initializer else { return None };
            let characters = parts.iter().filter_map(|part| match &part.value.kind {
                ExprKind::Int(number) => u8::try_from(number).ok().filter(|byte| *byte != 0),
                _ => None,
            });
            String::from_utf8(characters.collect()).ok()
        }
        _ => None,
    }
}

/// Whether a function of a program mentions a variable of the library by its name.
fn mentions_variable(program: &Program, name: &str) -> bool {
    let is_variable = |place: &Place| match place.kind {
        PlaceKind::Global(global) => program.globals[global].name == name,
        _ => false,
    };
    let bodies = program.functions.iter().filter_map(|function| function.body.as_deref());
    bodies.flat_map(walk_body).any(|part| matches!(part, Part::Place(place) if is_variable(place)))
}

/// What a model says when it ends a run.
fn limit_reason(program: &Program, args: &[Expr]) -> String {
    let literal = args.first().and_then(|arg| string_literal(program, arg));
    literal.unwrap_or_else(|| "a library function is not supported".to_owned())
}
