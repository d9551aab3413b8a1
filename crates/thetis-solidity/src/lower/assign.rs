//! Assignments.

use solang_parser::pt;
use solang_parser::pt::CodeLocation;
use thetis_base::Span;
use thetis_expr::ExprId;
use thetis_expr::Rational;

use crate::fault::{Res, invalid, unsupported};
use crate::types::{Region, Ty};

use super::arith::NumOp;
use super::expr::Given;
use super::item::{Item, Place, Root, Sel, StoragePlace, Typed, Val};
use super::{Local, Lower};

impl Lower<'_, '_> {
    /// `target = value`: the value is evaluated first.
    pub(crate) fn assignment(
        &mut self,
        target: &pt::Expression,
        value: &pt::Expression,
        span: Span,
    ) -> Res<Item> {
        let item = self.expr(value)?;
        if let pt::Expression::List(_, parts) = target
            && parts.iter().flat_map(|(_, part)| part).any(|part| part.name.is_some())
        {
            let item = if parts.len() == 1 { Item::Tuple(vec![Some(item)]) } else { item };
            return self.declare_tuple(parts, item, span);
        }
        if let pt::Expression::List(_, parts) = target
            && parts.len() != 1
        {
            let targets: Vec<Option<&pt::Expression>> =
                parts.iter().map(|(_, part)| part.as_ref().map(|part| &part.ty)).collect();
            return self.assign_tuple(&targets, item, span);
        }
        let place = self.place(target)?;
        let ty = place_type(&place);
        // The result of the assignment is the value, not the place, whose indices may change.
        let typed = self.coerce_for(&place, item, &ty, span)?;
        let typed = match typed.val {
            Val::Term(term) => Typed { ty: typed.ty, val: Val::Term(self.settle(term)) },
            _ => typed,
        };
        self.assign_to(&place, typed.clone(), span)?;
        match place {
            Place::Storage(_) | Place::Pointer(..) => Ok(Item::Place(place)),
            _ => Ok(Item::Value(typed)),
        }
    }

    /// Converts an item for a place. A pointer needs a place of storage.
    pub(crate) fn coerce_for(&mut self, place: &Place, item: Item, ty: &Ty, span: Span) -> Res<Typed> {
        let typed = self.coerce(item, ty, span)?;
        if matches!(place, Place::Pointer(..)) && !matches!(typed.val, Val::Place(_)) {
            return invalid(span, "a storage pointer can only point to something in storage");
        }
        Ok(typed)
    }

    /// `(a, , b) = value`: values are read first, and assigned from right to left. What is in storage is copied when it is assigned.
    fn assign_tuple(&mut self, targets: &[Option<&pt::Expression>], value: Item, span: Span) -> Res<Item> {
        let Item::Tuple(values) = self.settled(value, span)? else {
            return invalid(span, "this should be a tuple");
        };
        if values.len() != targets.len() {
            return invalid(
                span,
                format!("{} values are assigned to {} places", values.len(), targets.len()),
            );
        }
        let mut places = Vec::new();
        for target in targets {
            places.push(target.map(|target| self.place(target)).transpose()?);
        }
        for (place, value) in places.iter().zip(values).rev() {
            if let (Some(place), Some(value)) = (place, value) {
                let ty = place_type(place);
                let typed = self.coerce_for(place, value, &ty, span)?;
                self.assign_to(place, typed, span)?;
            }
        }
        Ok(Item::Tuple(Vec::new()))
    }

    /// The same place, unaffected by later changes of its indices and of the pointer on the way.
    pub(crate) fn settled_place(&mut self, mut place: StoragePlace) -> StoragePlace {
        if let Root::Pointer(pointer, _) = &mut place.root {
            pointer.kind = self.settle(pointer.kind);
            for index in pointer.indices.values_mut() {
                *index = self.settle(*index);
            }
        }
        for step in &mut place.path {
            if let Sel::Index(index) = step {
                *index = self.settle(*index);
            }
        }
        place
    }

    /// The place that an expression names.
    pub(crate) fn place(&mut self, expr: &pt::Expression) -> Res<Place> {
        let span = self.span(&expr.loc());
        match self.expr(expr)? {
            Item::Place(place) => Ok(place),
            Item::Value(Typed { val: Val::Place(place), .. }) => Ok(Place::Storage(place)),
            Item::Number(_) | Item::Text(_) => invalid(span, "this cannot be assigned"),
            Item::Value(_) if matches!(expr, pt::Expression::Variable(_)) => {
                invalid(span, "constants cannot be assigned")
            }
            _ => unsupported(span, "assignments to this are not supported"),
        }
    }

    /// Stores a value of the right type.
    pub(crate) fn assign_to(&mut self, place: &Place, typed: Typed, span: Span) -> Res<()> {
        match (place, &typed.val) {
            (Place::Local(var, _), Val::Term(term)) => {
                self.graph.assign(*var, *term);
                Ok(())
            }
            (Place::Pointer(name, _), Val::Place(target)) => {
                let target = target.clone();
                self.assign_pointer(name, &target, span)
            }
            (Place::Storage(storage), _) => {
                if matches!(storage.ty, Ty::Mapping(..)) {
                    return invalid(span, "mappings cannot be assigned");
                }
                if let Root::Slot(slot, _) = storage.root
                    && self.decls.slots[slot].is_immutable
                    && !self.is_constructor
                {
                    return invalid(span, "only the constructor can assign this");
                }
                let leaves = self.leaves_of(&typed, span)?;
                match (storage.path.last(), leaves.as_slice()) {
                    (Some(Sel::Length), [length]) => self.resize(storage, *length, span),
                    _ => self.copy_to_place(storage, &leaves, span),
                }
            }
            (Place::Field { base, of, field, .. }, Val::Term(term)) => {
                let map = self.field_map(*of, *field);
                self.set_heap(map, *base, *term);
                Ok(())
            }
            (Place::Element { base, index, ty }, Val::Term(term)) => {
                let map = self.element_map(ty);
                let row = self.heap(map.clone(), *base);
                let row = self.store.store(row, *index, *term);
                self.set_heap(map, *base, row);
                Ok(())
            }
            _ => unsupported(span, "this assignment is not supported"),
        }
    }

    fn assign_pointer(&mut self, name: &str, target: &super::item::StoragePlace, span: Span) -> Res<()> {
        let Some(Local::Pointer { kind, indices, .. }) = self.find_local(name) else {
            return unsupported(span, "this storage pointer cannot be assigned");
        };
        let pointer = self.pointer_to(target, span)?;
        let values: Vec<_> = indices.iter().map(|(key, var)| (*var, pointer.indices[key])).collect();
        // Indices may mention the pointer itself: `p = p[0]`.
        let settled: Vec<(_, ExprId)> =
            values.into_iter().map(|(var, value)| (var, self.settle(value))).collect();
        let chosen = self.settle(pointer.kind);
        self.graph.assign(kind, chosen);
        for (var, value) in settled {
            self.graph.assign(var, value);
        }
        Ok(())
    }

    /// `target op= value`.
    pub(crate) fn update_expr(
        &mut self,
        op: NumOp,
        target: &pt::Expression,
        value: &pt::Expression,
        span: Span,
    ) -> Res<Item> {
        let right = self.expr(value)?;
        let right = self.settled(right, span)?;
        let place = self.place(target)?;
        self.update_to(op, &place, right, Given::New, span)
    }

    /// `target++` and the like.
    pub(crate) fn count(
        &mut self,
        op: NumOp,
        target: &pt::Expression,
        given: Given,
        span: Span,
    ) -> Res<Item> {
        let place = self.place(target)?;
        self.update_to(op, &place, Item::Number(Rational::from_integer(1.into())), given, span)
    }

    fn update_to(&mut self, op: NumOp, place: &Place, right: Item, given: Given, span: Span) -> Res<Item> {
        let ty = place_type(place);
        let old = self.settled(Item::Place(place.clone()), span)?;
        let new = self.operate(op, old.clone(), right, span)?;
        let new = self.settled(new, span)?;
        let typed = self.coerce(new.clone(), &ty, span)?;
        self.assign_to(place, typed, span)?;
        Ok(match given {
            Given::Old => old,
            Given::New => new,
        })
    }

    pub(crate) fn delete(&mut self, target: &pt::Expression, span: Span) -> Res<Item> {
        let place = self.place(target)?;
        let ty = place_type(&place);
        match &place {
            Place::Storage(storage) => {
                if matches!(ty, Ty::Mapping(..)) {
                    return invalid(span, "mappings cannot be deleted");
                }
                self.clear(storage, span)?;
            }
            Place::Pointer(..) => return invalid(span, "storage pointers cannot be deleted"),
            _ => {
                let term = self.new_default(&ty.in_region(Region::Memory), span)?;
                self.assign_to(&place, Typed { ty, val: Val::Term(term) }, span)?;
            }
        }
        Ok(Item::Tuple(Vec::new()))
    }
}

pub(crate) fn place_type(place: &Place) -> Ty {
    match place {
        Place::Local(_, ty) | Place::Pointer(_, ty) | Place::Field { ty, .. } | Place::Element { ty, .. } => {
            ty.clone()
        }
        Place::Storage(storage) => storage.ty.clone(),
    }
}
