//! Memory safety: which accesses, frees and lost blocks are violations.
//!
//! Only if a rule about memory is asked does the automaton know how large objects are and how long they live. Then
//! every access is preceded by a branch to an error location, taken when the bytes do not lie in a live object
//! ([`reach`] says which bytes those are). What is certain from the text needs no branch: variables by their names,
//! members, constant indices inside of arrays.
//!
//! Which objects a pointer may point to is known from the points-to analysis, so there are two ways to say that an access
//! is in bounds:
//!
//! * The objects of a class are *listed* if they are few, with constant sizes and addresses. An access is in bounds if it lies in
//!   one of them. A variable whose lifetime may end while a pointer to it is left has a truth value that says whether it lives
//!   ([`lifetimes`]).
//! * Otherwise the class is *tracked*: an array maps the address of each object to its *extent*, one more than the number of
//!   its bytes while it lives, and zero for everything else ([`heap`]).
//!
//! A pointer that the program never set may have any value, also that of an object in another class; that it is no valid pointer
//! is right whatever its value is.
//!
//! Lost blocks are found with *one watched block*: at each allocation the run may choose to watch the new block, unless
//! it watches one. What holds of the watched block in all runs holds of all blocks, and no set of blocks is needed ([`leaks`]).

mod constants;
mod heap;
mod leaks;
mod lifetimes;
mod reach;
mod registers;

use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use thetis_base::Span;
use thetis_expr::{ExprId, VarId};
use thetis_model::cfa::LocId;

use super::assumption::AssumptionKind;
use super::layout::{leaf_paths, leaves};
use super::lowering::Lowering;
use super::options::{Externals, MemoryRule, Property};
use super::origin::{Access, Event, FrameId, ViolationKind};
use super::points_to::{ClassId, ObjectId, ObjectKey};
use super::scalar::{Integer, Scalar};
use super::spot::Spot;
use super::stmt::MAX_SCRAMBLED;
use super::storage::Home;
use super::walk::{Direct, direct};
use crate::hir::{
    ArrayLength, BitField, CompareOp, Expr, ExprKind, FunctionId, Place, PlaceKind, Type, TypeId,
};
use crate::library::is_model;
pub(super) use heap::Storage;
pub(super) use leaks::End;
use lifetimes::Lifetimes;
pub(super) use reach::{Length, Reach};
use reach::{MAX_BYTES, Offset, Root, Size};
pub(crate) use registers::describe_registers;
pub use registers::{Registers, parse_registers};

/// Classes with more objects than this are tracked.
const MAX_LISTED: usize = 8;

/// What a translation knows about memory safety.
#[derive(Default)]
pub(super) struct Safety {
    /// From addresses of objects to their extents.
    extents: Option<VarId>,
    /// From addresses to one if they are those of blocks that can be freed, to zero otherwise.
    allocated: Option<VarId>,
    watched: leaks::Watched,
    /// Whether variables live that may be pointed to afterwards.
    lives: FxHashMap<ObjectKey, VarId>,
    /// What is false before the program starts.
    initially_false: Vec<VarId>,
    /// What is null before the program starts.
    initially_null: Vec<VarId>,
    bounds: FxHashMap<ClassId, Rc<Bounds>>,
    lifetimes: FxHashMap<FunctionId, Rc<Lifetimes>>,
    /// The objects in which pointers to the objects of a class are kept.
    holders: Option<Rc<FxHashMap<ClassId, Vec<ObjectId>>>>,
    /// The last check, and where control is after it.
    checked: Option<(LocId, ExprId)>,
}

/// How it is known what a pointer to the objects of a class may point to.
enum Bounds {
    Listed(Vec<Listed>),
    Tracked,
}

/// An object with a constant address.
struct Listed {
    key: ObjectKey,
    ty: TypeId,
    size: u64,
}

impl<'h> Lowering<'h> {
    /// Whether anything about memory is asked.
    pub(super) fn checks_memory(&self) -> bool {
        matches!(self.options.property, Property::Memory(_))
    }

    /// Whether accesses have to be valid.
    pub(super) fn checks_accesses(&self) -> bool {
        self.options.property.asks(MemoryRule::Deref)
    }

    /// Goes on only if a scalar (or a bit-field of it) can be accessed.
    pub(super) fn check_scalar(&mut self, spot: Spot, ty: TypeId, bits: Option<BitField>, span: Span) {
        let size = match bits {
            Some(bits) => u64::from((bits.offset + bits.width).div_ceil(8)),
            None => self.program.types.size_of(ty).unwrap_or(0),
        };
        self.check_access(spot.reach(), Length::Constant(size), span);
    }

    /// Goes on only if all of an object can be accessed.
    pub(super) fn check_object(&mut self, spot: Spot, ty: TypeId, span: Span) {
        self.check_scalar(spot, ty, None, span);
        self.check_hidden(spot, ty, span);
    }

    /// Goes on only if some bytes can be accessed.
    pub(super) fn check_access(&mut self, reach: Option<Reach>, length: Length, span: Span) {
        let Some(reach) = reach.filter(|_| !matches!(length, Length::Constant(0))) else { return };
        if let Root::Variable { size: Size::Unknown, .. } = reach.root {
            return self.out.limit(span, "an object is accessed whose size is not known");
        }
        if let Root::Pointer { .. } = reach.root {
            self.note_registers(span);
        }
        let invalid = self.invalid(reach, length);
        let invalid = self.when_accessed(length, invalid);
        let known = self.out.graph.settled().zip(self.safety.checked);
        if known.is_some_and(|(here, (location, checked))| here == location && invalid == checked) {
            return;
        }
        if matches!(reach.root, Root::Pointer { .. }) {
            self.out.asked.add(self.span_in_program(span), ViolationKind::Memory(MemoryRule::Deref));
        }
        let access = self.access(reach, length);
        self.forbid_access(invalid, span, MemoryRule::Deref, Some(access));
        let strays = self.when_accessed(length, reach.strays);
        match self.options.property.asks(MemoryRule::Bounds) {
            true => self.forbid_access(strays, span, MemoryRule::Bounds, None),
            false => {
                self.limit_if(strays, span, "an index leaves an array into other members of the same object");
            }
        }
        self.safety.checked = self.out.graph.settled().map(|location| (location, invalid));
    }

    /// A condition that only matters if there are bytes.
    fn when_accessed(&self, length: Length, condition: ExprId) -> ExprId {
        match length {
            Length::Constant(_) => condition,
            Length::Term(length) => {
                let store = self.store();
                store.and(store.ne(length, self.arith.pointer(0)), condition)
            }
        }
    }

    /// A violation of a rule if a condition holds.
    fn forbid_access(&mut self, condition: ExprId, span: Span, rule: MemoryRule, access: Option<Access>) {
        if condition == self.store().fals() {
            return;
        }
        let span = self.span_in_program(span);
        match condition == self.store().tru() {
            true => self.out.violate(span, ViolationKind::Memory(rule)),
            false => self.out.forbid(condition, span, ViolationKind::Memory(rule)),
        }
        if let Some(violation) = self.out.violations.last_mut() {
            violation.access = access;
        }
    }

    /// Ends the run at a limit if a condition holds.
    pub(super) fn limit_if(&mut self, condition: ExprId, span: Span, reason: &str) {
        let store = self.store();
        let condition = self.if_evaluated(condition);
        if condition == store.fals() {
            return;
        }
        let source = self.out.here();
        let (stop, next) = (self.out.location(span), self.out.location(span));
        if self.out.graph.is_live() {
            self.out.limits.push((stop, span, reason.to_owned()));
        }
        self.out.graph.guard(source, stop, condition, span, Event::Silent);
        self.out.graph.guard(source, next, store.not(condition), span, Event::Silent);
        self.out.graph.continue_at(next);
    }

    /// Where the program itself is when something happens: at the call, if it happens in a model of a library function.
    pub(super) fn span_in_program(&self, span: Span) -> Span {
        let mut found = (self.out.frame, span);
        while is_model(&self.calls.frames[found.0].name)
            && let Some(caller) = self.calls.frames[found.0].caller
        {
            found = caller;
        }
        found.1
    }

    /// What evidence needs to know about an access.
    fn access(&self, reach: Reach, length: Length) -> Access {
        let (variable, pointer, extent) = match reach.root {
            Root::Pointer { pointer, .. } => (None, Some(pointer), None),
            Root::Variable { key, size } => {
                let extent = match size {
                    Size::Constant(size) => Some(self.bytes_literal(i128::from(size))),
                    Size::Term(size) => Some(size),
                    Size::Unknown => None,
                };
                (key.and_then(|key| self.objects.name_of(key)), None, extent)
            }
        };
        let offset = self.offset_bytes(reach.offset).0;
        Access { variable, pointer, extent, offset, length: self.length_term(length) }
    }

    fn invalid(&mut self, reach: Reach, length: Length) -> ExprId {
        let store = self.store();
        match reach.root {
            Root::Variable { size, .. } => {
                store.or(self.too_long(length), self.leaves_variable(reach, size, length))
            }
            Root::Pointer { class, pointer } => {
                let (bytes, is_wild) = self.offset_bytes(reach.offset);
                let valid = match class.map(|class| self.bounds(class)).as_deref() {
                    None => store.fals(),
                    Some(Bounds::Tracked) => self.is_in_tracked(pointer, bytes, length),
                    Some(Bounds::Listed(objects)) => {
                        let valid: Vec<ExprId> = objects
                            .iter()
                            .map(|object| self.is_in_listed(object, pointer, (reach.offset, bytes), length))
                            .collect();
                        store.or_all(valid)
                    }
                };
                let are_registers = self.are_registers(self.arith.advance(pointer, bytes), length);
                let valid = store.or(valid, are_registers);
                store.or_all([reach.is_wild, is_wild, self.too_long(length), store.not(valid)])
            }
        }
    }

    /// No object has this many bytes. Numbers of bytes that are too large to be signed are negative here.
    fn too_long(&self, length: Length) -> ExprId {
        match length {
            Length::Constant(length) if length < MAX_BYTES => self.store().fals(),
            Length::Constant(_) => self.store().tru(),
            Length::Term(length) => {
                self.outside((reach::signed_bytes(), length), &BigInt::from(0), &BigInt::from(MAX_BYTES - 1))
            }
        }
    }

    fn is_in_listed(
        &mut self,
        object: &Listed,
        pointer: ExprId,
        (offset, bytes): (Offset, ExprId),
        length: Length,
    ) -> ExprId {
        let store = self.store();
        let address = self.variable_address(object.key, object.ty);
        let unsigned = Integer::unsigned(64);
        let start = self.arith.as_literal(unsigned, address).expect("a listed object has a constant address");
        let lives = match self.safety.lives.get(&object.key) {
            Some(var) => store.var_expr(*var),
            None => match self.may_dangle(object.key) {
                true => store.var_expr(self.life(object.key)),
                false => store.tru(),
            },
        };
        let is_within = |low: &BigInt, high: &BigInt| store.not(self.outside((unsigned, pointer), low, high));
        let is_inside = match (offset, length) {
            (Offset::Constant(constant), Length::Constant(length)) => {
                let low: BigInt = &start - constant;
                let high: BigInt = &start + object.size - length - constant;
                match low == high {
                    true => store.eq(pointer, self.arith.integer(unsigned, &low)),
                    false => is_within(&low, &high),
                }
            }
            _ => {
                let near = is_within(&(&start - MAX_BYTES), &(&start + MAX_BYTES - 1));
                let first = self.arith.advance(pointer, bytes);
                let end = self.arith.advance(first, self.length_term(length));
                let limit = self.arith.advance_by(address, object.size);
                store.and_all([
                    near,
                    self.arith.compare(CompareOp::Le, Scalar::Pointer, address, first),
                    self.arith.compare(CompareOp::Le, Scalar::Pointer, end, limit),
                ])
            }
        };
        store.and(lives, is_inside)
    }

    fn is_in_tracked(&mut self, pointer: ExprId, bytes: ExprId, length: Length) -> ExprId {
        let store = self.store();
        let (base, offset) = self.arith.object_and_distance(pointer);
        let extents = self.extents();
        let extent = store.select(store.var_expr(extents), base);
        let first = self.arith.advance(offset, bytes);
        let end = self.arith.advance(first, self.length_term(length));
        let signed = Scalar::Int(reach::signed_bytes());
        let zero = self.bytes_literal(0);
        store.and(
            self.arith.compare(CompareOp::Le, signed, zero, first),
            self.arith.compare(CompareOp::Lt, signed, end, extent),
        )
    }

    /// How accesses to the objects of a class are checked.
    fn bounds(&mut self, class: ClassId) -> Rc<Bounds> {
        if let Some(known) = self.safety.bounds.get(&class) {
            return Rc::clone(known);
        }
        let objects = self.points.class(class).objects.clone();
        let listed: Option<Vec<Listed>> = match objects.len() > MAX_LISTED {
            true => None,
            false => objects.into_iter().map(|object| self.listed(object)).collect(),
        };
        let bounds = Rc::new(listed.map_or(Bounds::Tracked, Bounds::Listed));
        self.safety.bounds.insert(class, Rc::clone(&bounds));
        bounds
    }

    fn listed(&mut self, object: ObjectId) -> Option<Listed> {
        let info = &self.points.objects[object];
        let (key, ty) = (info.key, info.ty?);
        let size = self.program.types.size_of(ty).filter(|size| *size < MAX_BYTES)?;
        (!self.moves(key, ty)).then_some(Listed { key, ty, size })
    }

    /// Whether a variable gets a new address whenever it is declared.
    fn moves(&mut self, key: ObjectKey, ty: TypeId) -> bool {
        let is_large = leaf_paths(&self.program.types, ty, MAX_SCRAMBLED).is_none();
        self.may_live_again(key) && (is_large || self.may_dangle(key))
    }

    /// Gives a variable that is declared a new address if it has to be another object than before.
    pub(super) fn renew(&mut self, key: ObjectKey, ty: TypeId, span: Span) {
        if !self.is_renewed(key, ty) {
            return;
        }
        if let Some(block) = self.objects.moving.get(&key) {
            return self.allocate_to(*block, span);
        }
        let block = self.new_address();
        self.allocate_to(block, span);
        self.objects.moving.insert(key, block);
        let address = self.store().var_expr(block);
        self.note_moving(address);
        match self.objects.home(key, ty) {
            Home::Memory { class, .. } => {
                self.objects.homes.insert(key, Home::Memory { class, address });
            }
            Home::Variables(_) => {
                self.objects.addresses.insert(key, address);
            }
        }
    }

    /// Whether reading an expression needs a check.
    pub(super) fn needs_check(&self, expr: &Expr) -> bool {
        if !self.checks_memory() {
            return false;
        }
        match &expr.kind {
            ExprKind::Load(place) => self.is_argument(place) || self.is_checked(place),
            ExprKind::Offset { index, .. } => !matches!(index.kind, ExprKind::Int(_)),
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
                self.checks_accesses() && self.is_checked(place)
            }
            ExprKind::Convert(inner) => {
                let is_pointer = |ty| matches!(self.program.types.get(ty), Type::Pointer(_));
                is_pointer(expr.ty) != is_pointer(inner.ty)
            }
            _ => false,
        }
    }

    fn is_checked(&self, place: &Place) -> bool {
        let element = |array: &Place, index: Option<&Expr>| {
            let length = match self.program.types.get(array.ty) {
                Type::Array(_, ArrayLength::Constant(length)) => Some(*length),
                _ => None,
            };
            let is_inside = match index.map(|index| &index.kind) {
                None => true,
                Some(ExprKind::Int(number)) => {
                    length.is_some_and(|length| u64::try_from(number).is_ok_and(|number| number < length))
                }
                Some(_) => false,
            };
            !is_inside || self.is_checked(array)
        };
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Literal(..) => false,
            PlaceKind::Temporary(_) => false,
            PlaceKind::Field(base, _) => self.is_checked(base),
            PlaceKind::Index(base, index) => element(base, Some(index)),
            PlaceKind::Deref(pointer) => match direct(pointer) {
                Some(Direct::Place(inner)) => self.is_checked(inner),
                Some(Direct::Element { array, index }) => element(array, index),
                None => true,
            },
        }
    }

    /// Whether a place is a parameter of `main` that points to something which the program has not made.
    fn is_argument(&self, place: &Place) -> bool {
        let main = FrameId::new(0);
        let params = &self.program.functions[self.calls.frames[main].function].params;
        let is_pointer = self.scalar(place.ty) == Some(Scalar::Pointer);
        matches!(place.kind, PlaceKind::Local(local) if is_pointer && self.out.frame == main && params.contains(&local))
    }

    /// What reading a place means for checks other than its bounds.
    pub(super) fn check_origin(&mut self, place: &Place, spot: Spot, span: Span) {
        if !self.checks_memory() {
            return;
        }
        if self.is_argument(place) {
            self.out.limit(span, "the arguments of the program are not modelled");
        }
        self.check_hidden(spot, place.ty, span);
    }

    /// Pointers in memory that is also seen as bytes are not known.
    fn check_hidden(&mut self, spot: Spot, ty: TypeId, span: Span) {
        if let Spot::Memory { class, .. } = spot
            && self.checks_memory()
            && self.has_pointers(ty)
            && self.region(class).hides_pointers
        {
            self.out.limit(span, "a pointer is read from memory that is also used as bytes");
        }
    }

    fn has_pointers(&self, ty: TypeId) -> bool {
        leaves(&self.program.types, ty).iter().any(|leaf| leaf.scalar == Scalar::Pointer)
    }

    /// A function without a body that may write what it was given may also free it or write past its end.
    pub(super) fn check_unknown_effect(&mut self, call: &Expr, name: &str, args: &[Expr]) {
        if !self.checks_memory() || !args.iter().any(|arg| self.has_pointers(arg.ty)) {
            return;
        }
        if self.options.externals != Externals::Careful {
            let reason = format!("`{name}`, which is not defined, may free or overrun what it is given");
            return self.out.limit(call.span, reason);
        }
        // The pointers that it writes would be arbitrary numbers, and all accesses through them invalid.
        let accessed = self.points.outside().map(|class| self.region(class).accessed()).unwrap_or_default();
        if accessed.iter().any(|(scalar, _)| *scalar == Scalar::Pointer) {
            let reason = format!("`{name}`, which is not defined, may write pointers");
            self.out.limit(call.span, reason);
        }
    }

    /// A pointer from outside the program may be null or point to memory whose size and lifetime are not known.
    pub(super) fn check_outside_pointer(&mut self, name: &str, span: Span) {
        if self.checks_memory() && name == "__thetis_outside_pointer" {
            self.out
                .limit(span, "a pointer comes from outside the program, and what it points to is not known");
        }
    }

    /// What a function without a body may do to memory is not known.
    pub(super) fn check_unknown(&mut self, call: &Expr, name: &str, args: &[Expr]) {
        if !self.checks_memory() {
            return;
        }
        if self.has_pointers(call.ty) {
            self.out.limit(call.span, format!("`{name}`, which is not defined, returns a pointer"));
        }
        self.trust_with_pointers(call, args);
    }

    /// A function without a body that gets pointers may follow them.
    pub(super) fn trust_with_pointers(&mut self, call: &Expr, args: &[Expr]) {
        if self.checks_memory() && args.iter().any(|arg| self.has_pointers(arg.ty)) {
            self.out.assume_silently(
                AssumptionKind::ExternalAccesses,
                "functions that are not defined access memory only as they may",
                call.span,
            );
        }
    }

    /// A pointer that is made from an integer may point anywhere, unless it is the address of a register or so small that it is none.
    pub(super) fn check_conversion(&mut self, from: Scalar, to: Scalar, term: ExprId, span: Span) {
        if !self.checks_memory() {
            return;
        }
        match (from, to) {
            (Scalar::Int(_) | Scalar::Bool, Scalar::Pointer) => {
                let pointer = self.arith.convert(from, to, term).term;
                if self.arith.object_number(pointer) != Some(0) {
                    let is_register = self.are_registers(pointer, Length::Constant(1));
                    self.limit_if(self.store().not(is_register), span, "a pointer is made from an integer");
                }
            }
            (Scalar::Pointer, Scalar::Int(_)) if self.options.property.asks(MemoryRule::Track) => {
                self.out.limit(
                    span,
                    "an integer is made from a pointer, so a block may be pointed to by integers",
                );
            }
            _ => {}
        }
    }

    /// Goes on only if a pointer that is kept moves by less than the size of the largest objects.
    pub(super) fn check_move(&mut self, (integer, index): (Integer, ExprId), size: ExprId, span: Span) {
        if !self.checks_accesses() {
            return;
        }
        self.out.assume_silently(
            AssumptionKind::PointerDistance,
            "pointers stay within 2 GB of their objects",
            span,
        );
        let size = self.arith.as_literal(Integer::unsigned(64), size);
        let Some(size) = size.filter(|size| *size > BigInt::from(0)) else {
            return self.out.limit(span, "a pointer to objects of variable size moves");
        };
        let most = BigInt::from(MAX_BYTES) / size;
        let is_far = self.outside((integer, index), &-most.clone(), &most);
        self.limit_if(is_far, span, "a pointer moves by 2 GB or more");
    }
}
