//! Arrays in storage that grow and shrink.
//!
//! Storage beyond the length of an array is zero: whatever makes an array shorter clears what it removes. Mappings are an exception,
//! because their keys are not known. A storage pointer to an element that was removed is *dangling*. It can still be written to, and
//! then the element is not zero when the array grows again. This is not modelled: using such a pointer is a limit.

use thetis_base::Span;
use thetis_expr::ExprId;

use crate::fault::{Res, invalid, unsupported};
use crate::types::Ty;
use crate::version::Version;

use super::arith::{CmpOp, NumOp};
use super::graph::Limit;
use super::item::{Item, Place, Pointer, Root, Sel, StoragePlace, Val};
use super::storage::{Shape, ShapeSel};
use super::{Callees, Lower};

/// By how many elements an assignment to `length` may shorten an array, unless it makes it empty.
const MAX_SHRINKING: u32 = 4;

impl Lower<'_, '_> {
    pub(crate) fn push(&mut self, place: Place, ty: &Ty, args: Vec<Item>, span: Span) -> Res<Item> {
        let (Place::Storage(array), Ty::Array(element, ..)) = (place, ty) else {
            return unsupported(span, "this is only supported for arrays in storage");
        };
        let at = length_of(&array);
        let length = self.length_term(&at, span)?;
        let old = self.settle(length);
        let target = element_of(array, old, element);
        self.assume_clear(&target, span)?;
        let has_argument = !args.is_empty();
        match args.into_iter().next() {
            Some(arg) => {
                let typed = self.coerce(arg, element, span)?;
                let leaves = self.leaves_of(&typed, span)?;
                self.copy_to_place(&target, &leaves, span)?;
            }
            None => self.clear(&target, span)?,
        }
        let new = self.count_on(NumOp::Add, old, 1);
        self.write_place(&at, &[new], span)?;
        self.offer(&Ty::UINT, old);
        Ok(match (has_argument, self.decls.version < Version(6, 0)) {
            (_, true) => self.value(Ty::UINT, new),
            (true, false) => Item::Tuple(Vec::new()),
            (false, false) => Item::Place(Place::Storage(target)),
        })
    }

    pub(crate) fn pop(&mut self, place: Place, ty: &Ty, span: Span) -> Res<Item> {
        let (Place::Storage(array), Ty::Array(element, ..)) = (place, ty) else {
            return unsupported(span, "this is only supported for arrays in storage");
        };
        let at = length_of(&array);
        let length = self.length_term(&at, span)?;
        // An empty array ends the transaction.
        let zero = self.number(&Ty::UINT, 0);
        self.graph.assume(self.store.ne(length, zero));
        let last = self.count_on(NumOp::Sub, length, 1);
        let last = self.settle(last);
        self.clear(&element_of(array, last, element), span)?;
        self.write_place(&at, &[last], span)?;
        self.offer(&Ty::UINT, last);
        Ok(Item::Tuple(Vec::new()))
    }

    /// `array.length = new`, which versions before 0.6 have: elements that are removed are cleared.
    pub(crate) fn resize(&mut self, at: &StoragePlace, new: ExprId, span: Span) -> Res<()> {
        if self.decls.version >= Version(6, 0) {
            return invalid(span, "the length of an array cannot be assigned");
        }
        let mut array = at.clone();
        array.path.pop();
        array.ty = self.type_of(&array);
        let Ty::Array(element, ..) = array.ty.clone() else { return invalid(span, "this has no length") };
        let zero = self.number(&Ty::UINT, 0);
        if new == zero {
            return self.clear(&array, span);
        }
        let new = self.settle(new);
        // An array grows step by step, but `length--` of an empty array makes it huge at once.
        let huge = self.number(&Ty::UINT, num_bigint::BigInt::from(1) << 65);
        let is_count = self.store.and(
            self.arith().compare(CmpOp::Le, &Ty::UINT, zero, new),
            self.arith().compare(CmpOp::Le, &Ty::UINT, new, huge),
        );
        let reason = "an assignment to `length` that may be huge is not supported".to_owned();
        self.graph.limit(&self.store, is_count, Limit { span, reason });
        self.length_fact(new);
        let old = self.length_term(at, span)?;
        let old = self.settle(old);
        for distance in 1..=MAX_SHRINKING {
            let end = self.count_on(NumOp::Add, new, distance);
            let is_removed = self.arith().compare(CmpOp::Le, &Ty::UINT, end, old);
            let index = self.count_on(NumOp::Sub, old, distance);
            let target = element_of(array.clone(), index, &element);
            self.when(is_removed, |lower| lower.clear(&target, span))?;
        }
        let least = self.count_on(NumOp::Add, new, MAX_SHRINKING);
        let few = self.arith().compare(CmpOp::Le, &Ty::UINT, old, least);
        let reason = "an assignment to `length` that removes many elements is not supported";
        self.graph.limit(&self.store, few, Limit { span, reason: reason.to_owned() });
        let grows = self.arith().compare(CmpOp::Lt, &Ty::UINT, old, new);
        let last = self.count_on(NumOp::Sub, new, 1);
        let added = [old, last].map(|index| element_of(array.clone(), index, &element));
        self.when(grows, |lower| added.iter().try_for_each(|target| lower.assume_clear(target, span)))?;
        self.write_place(at, &[new], span)
    }

    fn length_term(&mut self, at: &StoragePlace, span: Span) -> Res<ExprId> {
        match self.load(&Place::Storage(at.clone()), span)?.val {
            Val::Term(length) => Ok(length),
            _ => invalid(span, "this has no length"),
        }
    }

    /// Lengths are so small that adding to them does not overflow.
    fn count_on(&self, op: NumOp, length: ExprId, number: u32) -> ExprId {
        let (store, number) = (&self.store, self.number(&Ty::UINT, number));
        match (store.sort(length).width(), op) {
            (None, NumOp::Sub) => store.sub(length, number),
            (None, _) => store.add(length, number),
            (Some(_), NumOp::Sub) => store.bv_sub(length, number),
            (Some(_), _) => store.bv_add(length, number),
        }
    }

    /// Assumes that an element beyond the length is zero. Functions start in arbitrary states, so this has to be
    /// stated.
    fn assume_clear(&mut self, target: &StoragePlace, span: Span) -> Res<()> {
        if target.ty.is_integer() && self.whole.is_none() {
            let leaves = self.read_place(target, span)?;
            let zero = self.default_term(&target.ty);
            let fact = self.store.eq(leaves[0], zero);
            self.fact(fact);
        }
        Ok(())
    }

    /// The type of something in storage, from its root on.
    fn type_of(&self, place: &StoragePlace) -> Ty {
        let start = match &place.root {
            Root::Slot(slot, _) => self.decls.slots[*slot].ty.clone(),
            Root::Pointer(pointer, _) => pointer.ty.clone(),
            Root::Elsewhere(ty) => ty.clone(),
        };
        place.path.iter().fold(start, |ty, sel| self.step(&ty, *sel).1)
    }

    /// The use of a dangling pointer is a limit.
    pub(crate) fn require_alive(&mut self, pointer: &Pointer, this: ExprId, span: Span) -> Res<()> {
        // In the model of solc-verify, what is beyond the length of an array is there like everything else.
        let is_convention = self.program.callees == Callees::SolcVerify;
        if !self.program.shrinks_arrays || self.annotation.is_some() || is_convention {
            return Ok(());
        }
        let alive = self.is_alive(pointer, this, span)?;
        let reason = "a storage pointer may point to an element that was removed, which is not supported";
        self.graph.limit(&self.store, alive, Limit { span, reason: reason.to_owned() });
        Ok(())
    }

    /// That a pointer does not dangle.
    pub(crate) fn is_alive(&mut self, pointer: &Pointer, this: ExprId, span: Span) -> Res<ExprId> {
        let mut conditions = Vec::new();
        for (number, shape) in self.shapes(&pointer.ty, span)?.into_iter().enumerate() {
            let inside = self.indices_inside(pointer, &shape, this, span)?;
            let here = self.store.eq(pointer.kind, self.store.int(number));
            conditions.push(self.store.implies(here, self.store.and_all(inside)));
        }
        Ok(self.store.and_all(conditions))
    }

    fn indices_inside(
        &mut self,
        pointer: &Pointer,
        shape: &Shape,
        this: ExprId,
        span: Span,
    ) -> Res<Vec<ExprId>> {
        let mut place = StoragePlace {
            root: Root::Slot(shape.slot, this),
            path: Vec::new(),
            ty: self.decls.slots[shape.slot].ty.clone(),
        };
        let (mut inside, mut position) = (Vec::new(), 0);
        for sel in &shape.path {
            let sel = match sel {
                ShapeSel::Field(field) => Sel::Field(*field),
                ShapeSel::Index(sort) => {
                    position += 1;
                    let index = pointer.indices[&(position - 1, *sort)];
                    if matches!(place.ty, Ty::Array(_, None, _)) {
                        let length = self.length_term(&length_of(&place), span)?;
                        inside.push(self.arith().compare(CmpOp::Lt, &Ty::UINT, index, length));
                    }
                    Sel::Index(index)
                }
            };
            place.ty = self.step(&place.ty, sel).1;
            place.path.push(sel);
        }
        Ok(inside)
    }
}

/// The length of an array.
fn length_of(array: &StoragePlace) -> StoragePlace {
    let mut at = array.clone();
    at.path.push(Sel::Length);
    at.ty = Ty::UINT;
    at
}

/// An element of an array.
fn element_of(mut array: StoragePlace, index: ExprId, element: &Ty) -> StoragePlace {
    array.path.push(Sel::Index(index));
    array.ty = element.clone();
    array
}
