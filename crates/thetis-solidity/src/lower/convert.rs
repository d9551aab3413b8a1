//! Reading places, implicit and explicit conversions.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use thetis_base::Span;
use thetis_expr::ExprId;
use thetis_expr::Rational;

use crate::check::CheckKind;
use crate::fault::{Res, invalid, unsupported};
use crate::types::{Region, Ty};
use crate::version::Version;

use super::Lower;
use super::arith::{includes, limits, shape};
use super::item::{Item, Place, Root, StoragePlace, Typed, Val};

impl Lower<'_, '_> {
    /// The value of an item, in the type that it has by itself.
    pub(crate) fn typed(&mut self, item: Item, span: Span) -> Res<Typed> {
        match item {
            Item::Value(typed) => Ok(typed),
            Item::Place(place) => self.load(&place, span),
            Item::Number(number) => {
                let ty = mobile(&number, span)?;
                let term = self.number(&ty, number.to_integer());
                Ok(Typed { ty, val: Val::Term(term) })
            }
            Item::Text(bytes) => {
                let term = self.text(&bytes)?;
                Ok(Typed { ty: Ty::String(Region::Memory), val: Val::Term(term) })
            }
            Item::Tuple(mut parts) if parts.len() == 1 => match parts.pop().flatten() {
                Some(part) => self.typed(part, span),
                None => invalid(span, "a value is missing here"),
            },
            Item::Callee(_) => unsupported(span, "functions as values are not supported"),
            _ => invalid(span, "this is not a value"),
        }
    }

    /// The value of an item as a term.
    pub(crate) fn term(&mut self, item: Item, span: Span) -> Res<(Ty, ExprId)> {
        let typed = self.typed(item, span)?;
        match typed.val {
            Val::Term(term) => Ok((typed.ty, term)),
            _ => invalid(span, "this is not a value of a simple type"),
        }
    }

    /// Reads a place. Reference types in storage, except texts, are not copied.
    pub(crate) fn load(&mut self, place: &Place, span: Span) -> Res<Typed> {
        let (ty, term) = match place {
            Place::Local(var, ty) => {
                return Ok(Typed { ty: ty.clone(), val: Val::Term(self.store.var_expr(*var)) });
            }
            Place::Pointer(name, ty) => {
                let place = self.pointer_place(name, ty, span)?;
                if !ty.is_text() {
                    return Ok(Typed { ty: ty.clone(), val: Val::Place(place) });
                }
                (ty.clone(), self.read_place(&place, span)?[0])
            }
            Place::Storage(storage) if storage.ty.is_value() || storage.ty.is_text() => {
                let leaves = self.read_place(storage, span)?;
                self.sum_fact(storage, leaves[0]);
                (storage.ty.clone(), leaves[0])
            }
            Place::Storage(storage) => {
                return Ok(Typed { ty: storage.ty.clone(), val: Val::Place(storage.clone()) });
            }
            Place::Field { base, of, field, ty } => {
                let map = self.field_map(*of, *field);
                (ty.clone(), self.heap(map, *base))
            }
            Place::Element { base, index, ty } => {
                let map = self.element_map(ty);
                let row = self.heap(map, *base);
                (ty.clone(), self.store.select(row, *index))
            }
        };
        self.value_fact(&ty, term);
        if let Place::Storage(StoragePlace { path, .. }) = place
            && matches!(path.last(), Some(super::item::Sel::Length))
        {
            self.length_fact(term);
        }
        Ok(Typed { ty, val: Val::Term(term) })
    }

    /// A sum of unsigned numbers is at least each of them.
    fn sum_fact(&mut self, place: &StoragePlace, element: ExprId) {
        let Root::Slot(slot, this) = place.root else { return };
        let is_unsigned = matches!(place.ty, Ty::Int { signed: false, .. });
        let indices = place.path.iter().filter(|sel| matches!(sel, super::item::Sel::Index(_))).count();
        if !self.program.uses_sums || !self.program.arithmetic.wraps() || !is_unsigned || indices != 1 {
            return;
        }
        let Some(leaf) = self.leaf_at(slot, &place.path) else { return };
        let sort = self.per_contract(self.sum_sort());
        let sums = self.global(&super::global::Global::Sum(slot, leaf), sort);
        let fact = self.store.le(element, self.of_contract(sums, this));
        self.fact(fact);
    }

    /// The leaves of a value for storage.
    pub(crate) fn leaves_of(&mut self, typed: &Typed, span: Span) -> Res<Vec<ExprId>> {
        match &typed.val {
            Val::Leaves(leaves) => Ok(leaves.clone()),
            Val::Place(place) => self.read_place(place, span),
            Val::Term(term) if Self::is_reference(&typed.ty) => {
                self.copy_to_storage(&typed.ty.in_region(Region::Storage), *term, span)
            }
            Val::Term(term) => Ok(vec![*term]),
        }
    }

    fn mismatch<T>(&self, from: &Ty, to: &Ty, span: Span) -> Res<T> {
        invalid(span, format!("`{}` cannot be converted to `{}`", self.decls.show(from), self.decls.show(to)))
    }

    /// Converts an item to a type as an assignment does.
    pub(crate) fn coerce(&mut self, item: Item, to: &Ty, span: Span) -> Res<Typed> {
        if let Ty::Opaque(kind) = to {
            return unsupported(span, kind.reason());
        }
        match item {
            Item::Number(number) => self.number_as(&number, to, span),
            Item::Text(bytes) => self.text_as(&bytes, to, span),
            Item::Place(Place::Storage(place)) if is_stored_text(to) && place.ty.same_shape(to) => {
                Ok(Typed { ty: to.clone(), val: Val::Place(place) })
            }
            Item::Place(Place::Pointer(name, ty)) if is_stored_text(to) && ty.same_shape(to) => {
                let place = self.pointer_place(&name, &ty, span)?;
                Ok(Typed { ty: to.clone(), val: Val::Place(place) })
            }
            other => {
                let typed = self.typed(other, span)?;
                self.coerce_typed(typed, to, span)
            }
        }
    }

    /// Converts an item to a type and gives the term.
    pub(crate) fn coerce_term(&mut self, item: Item, to: &Ty, span: Span) -> Res<ExprId> {
        match self.coerce(item, to, span)?.val {
            Val::Term(term) => Ok(term),
            _ => invalid(span, "this is not a value of a simple type"),
        }
    }

    fn coerce_typed(&mut self, typed: Typed, to: &Ty, span: Span) -> Res<Typed> {
        if let Some(region) = to.region() {
            return self.coerce_reference(typed, to, region, span);
        }
        let from = typed.ty.clone();
        let Val::Term(term) = typed.val else { return self.mismatch(&from, to, span) };
        let fits = match (&from, to) {
            (from, to) if from == to => true,
            (Ty::Int { .. }, Ty::Int { .. }) => self.widens(&from, to),
            (Ty::FixedBytes(small), Ty::FixedBytes(large)) => small <= large,
            (Ty::Address { payable: true }, Ty::Address { .. }) => true,
            (Ty::Address { .. }, Ty::Address { .. }) => self.annotation.is_some(),
            (Ty::Contract(from), Ty::Contract(to)) => self.decls.contracts[*from].linear.contains(to),
            (Ty::Contract(_), Ty::Address { .. }) => {
                self.decls.version < Version(5, 0) || self.annotation.is_some()
            }
            _ => false,
        };
        if !fits {
            return self.mismatch(&from, to, span);
        }
        let term = self.convert_number(&from, to, term);
        Ok(Typed { ty: to.clone(), val: Val::Term(term) })
    }

    /// Numbers keep their value; bytes stay on the left.
    fn convert_number(&mut self, from: &Ty, to: &Ty, term: ExprId) -> ExprId {
        match (from, to) {
            (Ty::FixedBytes(old), Ty::FixedBytes(new)) if old != new => self.resize_bytes(*old, *new, term),
            (Ty::Int { .. }, Ty::Int { .. }) => self.arith().convert(from, to, term),
            _ => term,
        }
    }

    fn resize_bytes(&mut self, old: u8, new: u8, term: ExprId) -> ExprId {
        let distance = 8 * u32::from(old.abs_diff(new));
        let factor = BigInt::from(1) << distance;
        let store = &self.store;
        match (store.sort(term).width(), new > old) {
            (Some(width), true) => {
                let wide = store.zero_extend(term, width + distance);
                store.bv_shl(wide, store.bits(width + distance, distance))
            }
            (Some(width), false) => store.extract(term, distance, width - distance),
            (None, true) => store.mul(term, store.int(factor)),
            (None, false) => store.int_div(term, store.int(factor)),
        }
    }

    fn coerce_reference(&mut self, typed: Typed, to: &Ty, region: Region, span: Span) -> Res<Typed> {
        if !typed.ty.same_shape(to) {
            return self.coerce_array(typed, to, span);
        }
        if to.is_text() {
            let leaves = self.leaves_of(&typed, span)?;
            return Ok(Typed { ty: to.clone(), val: Val::Term(leaves[0]) });
        }
        let from = typed.ty.region().unwrap_or(region);
        let val = match (from, region) {
            (Region::Storage, Region::Storage) => typed.val,
            (_, Region::Storage) => Val::Leaves(self.leaves_of(&typed, span)?),
            (Region::Memory, _) | (Region::Calldata, Region::Calldata) => typed.val,
            (_, _) => {
                let leaves = self.leaves_of(&typed, span)?;
                Val::Term(self.copy_to_memory(&to.in_region(Region::Storage), &leaves, span)?)
            }
        };
        Ok(Typed { ty: to.clone(), val })
    }

    /// An array in memory as one in storage with larger elements, or without a fixed length.
    fn coerce_array(&mut self, typed: Typed, to: &Ty, span: Span) -> Res<Typed> {
        let (Ty::Array(small, Some(length), _), Ty::Array(large, wanted, Region::Storage)) = (&typed.ty, to)
        else {
            return self.mismatch(&typed.ty, to, span);
        };
        let fits = small == large || (small.is_integer() && large.is_integer() && includes(large, small));
        let Val::Term(reference) = typed.val else { return self.mismatch(&typed.ty, to, span) };
        if !fits || wanted.is_some_and(|wanted| wanted != *length) {
            return self.mismatch(&typed.ty, to, span);
        }
        if self.sort(small) != self.sort(large) {
            return unsupported(span, "converting the elements of an array is not supported");
        }
        let map = self.element_map(small);
        let elements = self.heap(map, reference);
        let count = wanted.is_none().then(|| self.number(&Ty::UINT, *length));
        Ok(Typed { ty: to.clone(), val: Val::Leaves(count.into_iter().chain([elements]).collect()) })
    }

    fn number_as(&mut self, number: &Rational, to: &Ty, span: Span) -> Res<Typed> {
        let whole = number.to_integer();
        if !number.is_integer() {
            return invalid(span, format!("{number} is not a whole number"));
        }
        let (low, high) = limits(to);
        let fits = match to {
            Ty::Int { .. } | Ty::FixedBytes(_) => low <= whole && whole <= high,
            Ty::Address { .. } => !whole.is_negative() && whole < BigInt::from(1) << 160,
            Ty::Contract(_) => self.decls.version < Version(5, 0),
            _ => false,
        };
        if !fits {
            return invalid(span, format!("{whole} cannot be converted to `{}`", self.decls.show(to)));
        }
        Ok(Typed { ty: to.clone(), val: Val::Term(self.number(to, whole)) })
    }

    fn text_as(&mut self, bytes: &[u8], to: &Ty, span: Span) -> Res<Typed> {
        let term = match to {
            Ty::String(_) | Ty::Bytes(_) => self.text(bytes)?,
            Ty::FixedBytes(size) if bytes.len() <= usize::from(*size) => {
                let number = BigInt::from_bytes_be(num_bigint::Sign::Plus, bytes);
                self.number(to, number << (8 * (usize::from(*size) - bytes.len())))
            }
            _ => return invalid(span, format!("a text cannot be converted to `{}`", self.decls.show(to))),
        };
        Ok(Typed { ty: to.clone(), val: Val::Term(term) })
    }

    /// Converts as `T(value)` does.
    pub(crate) fn cast(&mut self, item: Item, to: &Ty, span: Span) -> Res<Typed> {
        let item = match (item, to) {
            (Item::Number(number), Ty::Enum(_)) => Item::Value(self.number_as(&number, &Ty::INT, span)?),
            (Item::Number(number), Ty::Int { .. })
                if !fits(&number, to) && self.decls.version >= Version(8, 0) =>
            {
                return invalid(span, format!("{number} cannot be converted to `{}`", self.decls.show(to)));
            }
            (Item::Number(number), Ty::Int { .. }) if !number.is_integer() || !fits(&number, to) => {
                Item::Value(self.number_as(
                    &number,
                    if number.is_negative() { &Ty::INT } else { &Ty::UINT },
                    span,
                )?)
            }
            (Item::Number(number), Ty::Contract(_)) => {
                Item::Value(self.number_as(&number, &Ty::ADDRESS, span)?)
            }
            (item @ (Item::Number(_) | Item::Text(_)), _) => return self.coerce(item, to, span),
            (item, _) => item,
        };
        let typed = self.typed(item, span)?;
        if typed.ty.is_text() && to.is_text() {
            let leaves = self.leaves_of(&typed, span)?;
            // `bytes(s)` of a text in storage stays in storage.
            return Ok(Typed {
                ty: to.in_region(typed.ty.region().unwrap_or(Region::Memory)),
                val: Val::Term(leaves[0]),
            });
        }
        if to.region().is_some() {
            return self.coerce_typed(typed, to, span);
        }
        let from = typed.ty.clone();
        let Val::Term(term) = typed.val else { return self.mismatch(&from, to, span) };
        let term = self.cast_term(&from, to, term, span)?;
        Ok(Typed { ty: to.clone(), val: Val::Term(term) })
    }

    fn cast_term(&mut self, from: &Ty, to: &Ty, term: ExprId, span: Span) -> Res<ExprId> {
        let word = Ty::Int { signed: false, bits: 160 };
        Ok(match (from, to) {
            (from, to) if from == to => term,
            (Ty::Address { .. } | Ty::Contract(_), Ty::Address { .. } | Ty::Contract(_)) => term,
            (Ty::Int { signed: old, bits: narrow }, Ty::Int { signed: new, bits: wide })
                if old != new && narrow != wide && self.decls.version >= Version(8, 0) =>
            {
                return self.mismatch(from, to, span);
            }
            (Ty::Int { .. }, Ty::Int { .. }) => self.arith().convert(from, to, term),
            (Ty::Int { .. }, Ty::Enum(id)) => {
                let number = self.arith().to_integer(from, term);
                let last = self.store.int(self.decls.enums[*id].values.len());
                let fine =
                    self.store.and(self.store.le(self.store.int(0), number), self.store.lt(number, last));
                if self.annotation.is_none() {
                    self.check(fine, CheckKind::EnumRange, span);
                }
                number
            }
            (Ty::Enum(_), Ty::Int { .. }) => self.integer_as(to, term),
            (Ty::Int { .. }, Ty::Address { .. } | Ty::Contract(_)) => {
                let small = self.arith().convert(from, &word, term);
                self.arith().to_integer(&word, small)
            }
            (Ty::Address { .. } | Ty::Contract(_), Ty::Int { .. }) => {
                let number = self.integer_as(&word, term);
                self.arith().convert(&word, to, number)
            }
            (Ty::FixedBytes(_), Ty::Address { .. }) if shape(from).width == 160 => {
                self.arith().to_integer(from, term)
            }
            (Ty::Address { .. }, Ty::FixedBytes(20)) => self.integer_as(to, term),
            (Ty::FixedBytes(old), Ty::FixedBytes(new)) => self.resize_bytes(*old, *new, term),
            (Ty::FixedBytes(size), Ty::Int { .. }) => {
                let number = Ty::Int { signed: false, bits: 8 * u16::from(*size) };
                self.arith().convert(&number, to, term)
            }
            (Ty::Int { .. }, Ty::FixedBytes(size)) => {
                let number = Ty::Int { signed: false, bits: 8 * u16::from(*size) };
                self.arith().convert(from, &number, term)
            }
            (from, Ty::FixedBytes(_)) if from.is_text() => {
                return unsupported(span, "conversions from `bytes` are not supported");
            }
            _ => return self.mismatch(from, to, span),
        })
    }

    /// A mathematical integer as a number of a type.
    fn integer_as(&self, to: &Ty, term: ExprId) -> ExprId {
        match self.sort(to).width() {
            Some(width) => self.store.int_to_bv(term, width),
            None if self.program.arithmetic.wraps() => self.arith().wrap(to, term),
            None => term,
        }
    }

    /// The place that a pointer points to now.
    pub(crate) fn pointer_place(&mut self, name: &str, ty: &Ty, span: Span) -> Res<StoragePlace> {
        match self.find_local(name) {
            Some(super::Local::Pointer { kind, indices, .. }) => {
                let pointer = super::item::Pointer {
                    ty: ty.clone(),
                    kind: self.store.var_expr(kind),
                    indices: indices.iter().map(|(key, var)| (*key, self.store.var_expr(*var))).collect(),
                };
                let this = self.frame().this;
                self.require_alive(&pointer, this, span)?;
                Ok(StoragePlace { root: Root::Pointer(pointer, this), path: Vec::new(), ty: ty.clone() })
            }
            Some(super::Local::Elsewhere(ty)) => {
                Ok(StoragePlace { root: Root::Elsewhere(ty.clone()), path: Vec::new(), ty })
            }
            _ => invalid(span, format!("`{name}` is not a storage pointer")),
        }
    }
}

/// A text in storage, to which pointers can point.
fn is_stored_text(ty: &Ty) -> bool {
    ty.is_text() && ty.region() == Some(Region::Storage)
}

fn fits(number: &Rational, ty: &Ty) -> bool {
    let (low, high) = limits(ty);
    let number = number.to_integer();
    low <= number && number <= high
}

/// The smallest type that has a literal number.
pub(crate) fn mobile(number: &Rational, span: Span) -> Res<Ty> {
    if !number.is_integer() {
        return invalid(span, format!("{number} is not a whole number"));
    }
    let whole = number.to_integer();
    let signed = whole.is_negative();
    let candidates = (1..=32u16).map(|bytes| Ty::Int { signed, bits: 8 * bytes });
    match candidates.into_iter().find(|ty| fits(number, ty)) {
        Some(ty) => Ok(ty),
        None => invalid(span, format!("{whole} does not fit any type")),
    }
}

/// The rational zero test that operators need.
pub(crate) fn is_zero(number: &Rational) -> bool {
    number.is_zero()
}
