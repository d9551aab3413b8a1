//! Storage: state variables as arrays, one for each leaf of the type.
//!
//! A value in storage is a list of *leaves*: a structure has those of its fields, a mapping or array those of its elements, each as
//! an array over the keys, and an array of dynamic size a length before them. A state variable has a global for each leaf, an
//! array over the addresses of contracts. Values are copied by copying leaves; parts are read and written by `select` and `store`.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::{ExprId, Sort};

use crate::fault::{Res, unsupported};
use crate::types::{MAX_DEPTH, Region, SlotId, Ty};

use super::Lower;
use super::global::Global;
use super::item::{Pointer, Root, Sel, StoragePlace};
use super::permission::Access;

/// A place that a storage pointer can point to: a state variable and a path with open indices.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) slot: SlotId,
    pub(crate) path: Vec<ShapeSel>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ShapeSel {
    Index(Sort),
    Field(usize),
}

impl Lower<'_, '_> {
    /// The sorts of the leaves of a type in storage.
    pub(crate) fn leaves(&self, ty: &Ty, place: Span) -> Res<Vec<Sort>> {
        self.leaves_at_depth(ty, place, 0)
    }

    fn leaves_at_depth(&self, ty: &Ty, place: Span, depth: usize) -> Res<Vec<Sort>> {
        if depth > MAX_DEPTH {
            return unsupported(place, "recursive structures are not supported");
        }
        match ty {
            Ty::Struct(id, _) => {
                let mut leaves = Vec::new();
                for (_, field) in &self.decls.structs[*id].fields {
                    leaves.extend(self.leaves_at_depth(field, place, depth + 1)?);
                }
                Ok(leaves)
            }
            Ty::Mapping(key, value) => {
                let inner = self.leaves_at_depth(value, place, depth + 1)?;
                Ok(self.over(self.sort(key), inner))
            }
            Ty::Array(element, length, _) => {
                let inner = self.leaves_at_depth(element, place, depth + 1)?;
                let elements = self.over(self.sort(&Ty::UINT), inner);
                let length = length.is_none().then(|| self.sort(&Ty::UINT));
                Ok(length.into_iter().chain(elements).collect())
            }
            other => Ok(vec![self.sort(other)]),
        }
    }

    fn over(&self, index: Sort, inner: Vec<Sort>) -> Vec<Sort> {
        inner.into_iter().map(|sort| self.store.array_sort(index, sort)).collect()
    }

    /// How many leaves a type has.
    fn width(&self, ty: &Ty) -> usize {
        match ty {
            Ty::Struct(id, _) => {
                self.decls.structs[*id].fields.iter().map(|(_, field)| self.width(field)).sum()
            }
            Ty::Mapping(_, value) => self.width(value),
            Ty::Array(element, length, _) => self.width(element) + usize::from(length.is_none()),
            _ => 1,
        }
    }

    /// The default value of a type in storage.
    pub(crate) fn default_leaves(&self, ty: &Ty) -> Vec<ExprId> {
        match ty {
            Ty::Struct(id, _) => {
                let fields = self.decls.structs[*id].fields.iter();
                fields.flat_map(|(_, field)| self.default_leaves(field)).collect()
            }
            Ty::Mapping(key, value) => self.constant_arrays(self.sort(key), value),
            Ty::Array(element, length, _) => {
                let elements = self.constant_arrays(self.sort(&Ty::UINT), element);
                let length = length.is_none().then(|| self.number(&Ty::UINT, 0));
                length.into_iter().chain(elements).collect()
            }
            other => vec![self.default_term(other)],
        }
    }

    fn constant_arrays(&self, index: Sort, element: &Ty) -> Vec<ExprId> {
        self.default_leaves(element).into_iter().map(|leaf| self.store.const_array(index, leaf)).collect()
    }

    /// Resets something in storage to its default value. Contents of mappings stay, because their keys are
    /// not known.
    pub(crate) fn clear(&mut self, place: &StoragePlace, span: Span) -> Res<()> {
        let old = self.read_place(place, span)?;
        let leaves = self.cleared_leaves(&place.ty, &old);
        self.write_place(place, &leaves, span)
    }

    /// The default value of a type in storage, except that mappings are as they were.
    pub(crate) fn cleared_leaves(&self, ty: &Ty, old: &[ExprId]) -> Vec<ExprId> {
        let kept = self.leaves_in_mappings(ty);
        let defaults = self.default_leaves(ty);
        old.iter().zip(defaults).zip(kept).map(|((old, new), keep)| if keep { *old } else { new }).collect()
    }

    /// Copies a value to a place. Before version 0.7 structures with mappings can be assigned; their mappings are not copied.
    pub(crate) fn copy_to_place(&mut self, place: &StoragePlace, new: &[ExprId], span: Span) -> Res<()> {
        let kept = self.leaves_in_mappings(&place.ty);
        if !kept.contains(&true) {
            return self.write_place(place, new, span);
        }
        let old = self.read_place(place, span)?;
        let mixed: Vec<ExprId> =
            old.iter().zip(new).zip(kept).map(|((old, new), keep)| if keep { *old } else { *new }).collect();
        self.write_place(place, &mixed, span)
    }

    /// For each leaf of a type, whether it is a part of a mapping.
    fn leaves_in_mappings(&self, ty: &Ty) -> Vec<bool> {
        match ty {
            Ty::Struct(id, _) => {
                let fields = self.decls.structs[*id].fields.iter();
                fields.flat_map(|(_, field)| self.leaves_in_mappings(field)).collect()
            }
            Ty::Mapping(..) => vec![true; self.width(ty)],
            Ty::Array(element, length, _) => {
                let length = length.is_none().then_some(false);
                length.into_iter().chain(self.leaves_in_mappings(element)).collect()
            }
            _ => vec![false],
        }
    }

    /// The default value of a value type or text.
    pub(crate) fn default_term(&self, ty: &Ty) -> ExprId {
        match ty {
            Ty::Bool => self.store.fals(),
            Ty::User(id) => self.default_term(&self.decls.users[*id].base),
            other => self.number(other, 0),
        }
    }

    /// The part of `leaves`, which are a value of type `ty`, at the end of `path`.
    pub(crate) fn project(&self, ty: &Ty, leaves: &[ExprId], path: &[Sel]) -> Vec<ExprId> {
        let Some((first, rest)) = path.split_first() else { return leaves.to_vec() };
        let (part, inner) = self.step(ty, *first);
        let leaves: Vec<ExprId> = leaves[part].to_vec();
        let leaves = match first {
            Sel::Index(index) => leaves.into_iter().map(|leaf| self.store.select(leaf, *index)).collect(),
            _ => leaves,
        };
        self.project(&inner, &leaves, rest)
    }

    /// Which leaves a step goes to, and the type there.
    pub(crate) fn step(&self, ty: &Ty, sel: Sel) -> (std::ops::Range<usize>, Ty) {
        match (ty, sel) {
            (Ty::Struct(id, _), Sel::Field(number)) => {
                let fields = &self.decls.structs[*id].fields;
                let start: usize = fields[..number].iter().map(|(_, field)| self.width(field)).sum();
                (start..start + self.width(&fields[number].1), fields[number].1.clone())
            }
            (Ty::Array(..), Sel::Length) => (0..1, Ty::UINT),
            (Ty::Array(element, length, _), _) => {
                (usize::from(length.is_none())..self.width(ty), (**element).clone())
            }
            (Ty::Mapping(_, value), _) => (0..self.width(ty), (**value).clone()),
            _ => (0..1, ty.clone()),
        }
    }

    /// `leaves` with `new` at the end of `path`. Leaves that do not change stay the same terms.
    pub(crate) fn update(&self, ty: &Ty, leaves: &[ExprId], path: &[Sel], new: &[ExprId]) -> Vec<ExprId> {
        let Some((first, rest)) = path.split_first() else { return new.to_vec() };
        let (part, inner) = self.step(ty, *first);
        let mut updated = leaves.to_vec();
        match first {
            Sel::Index(index) => {
                let old: Vec<ExprId> =
                    leaves[part.clone()].iter().map(|leaf| self.store.select(*leaf, *index)).collect();
                let changed = self.update(&inner, &old, rest, new);
                for (at, (old, changed)) in part.zip(old.iter().zip(&changed)) {
                    if old != changed {
                        updated[at] = self.store.store(leaves[at], *index, *changed);
                    }
                }
            }
            _ => {
                let changed = self.update(&inner, &leaves[part.clone()], rest, new);
                updated[part].copy_from_slice(&changed);
            }
        }
        updated
    }

    /// The globals of a state variable.
    pub(crate) fn slot_globals(&mut self, slot: SlotId) -> Res<Vec<(Global, Sort)>> {
        let decl = &self.decls.slots[slot];
        let leaves = self.leaves(&decl.ty, decl.span)?;
        let over = leaves.into_iter().enumerate();
        Ok(over.map(|(at, sort)| (Global::State(slot, at), self.per_contract(sort))).collect())
    }

    /// The leaves of a state variable of the contract at `this`, in the state under consideration.
    pub(crate) fn slot_leaves(&mut self, slot: SlotId, this: ExprId) -> Res<Vec<ExprId>> {
        let globals = self.slot_globals(slot)?;
        Ok(globals
            .into_iter()
            .map(|(global, sort)| {
                let map = self.global(&global, sort);
                self.of_contract(map, this)
            })
            .collect())
    }

    /// The leaves of something in storage.
    pub(crate) fn read_place(&mut self, place: &StoragePlace, span: Span) -> Res<Vec<ExprId>> {
        match &place.root {
            Root::Slot(slot, this) => {
                let leaves = self.slot_leaves(*slot, *this)?;
                let ty = self.decls.slots[*slot].ty.clone();
                Ok(self.project(&ty, &leaves, &place.path))
            }
            Root::Elsewhere(ty) => {
                let leaves = self.elsewhere(ty, span)?;
                Ok(self.project(ty, &leaves, &place.path))
            }
            Root::Pointer(pointer, this) => {
                let mut result: Option<Vec<ExprId>> = None;
                for (number, shape) in self.shapes(&pointer.ty, span)?.into_iter().enumerate() {
                    let target = self.target(pointer, &shape, *this, &place.path, &place.ty);
                    let leaves = self.read_place(&target, span)?;
                    let here = self.store.eq(pointer.kind, self.store.int(number));
                    result = Some(match result {
                        None => leaves,
                        Some(others) => self.either(here, &leaves, &others),
                    });
                }
                match result {
                    Some(leaves) => Ok(leaves),
                    None => unsupported(span, "nothing in storage has the type of this pointer"),
                }
            }
        }
    }

    fn elsewhere(&mut self, ty: &Ty, span: Span) -> Res<Vec<ExprId>> {
        let sorts = self.leaves(ty, span)?;
        let globals =
            sorts.into_iter().enumerate().map(|(at, sort)| (Global::Elsewhere(ty.clone(), at), sort));
        Ok(globals.collect::<Vec<_>>().into_iter().map(|(global, sort)| self.global(&global, sort)).collect())
    }

    fn either(&self, condition: ExprId, yes: &[ExprId], no: &[ExprId]) -> Vec<ExprId> {
        yes.iter().zip(no).map(|(yes, no)| self.store.ite(condition, *yes, *no)).collect()
    }

    /// The place of `shape` with the indices of `pointer`, and `path` from there.
    fn target(&self, pointer: &Pointer, shape: &Shape, this: ExprId, path: &[Sel], ty: &Ty) -> StoragePlace {
        let mut position = 0;
        let mut whole = Vec::new();
        for sel in &shape.path {
            whole.push(match sel {
                ShapeSel::Field(field) => Sel::Field(*field),
                ShapeSel::Index(sort) => {
                    position += 1;
                    Sel::Index(pointer.indices[&(position - 1, *sort)])
                }
            });
        }
        whole.extend_from_slice(path);
        StoragePlace { root: Root::Slot(shape.slot, this), path: whole, ty: ty.clone() }
    }

    /// Writes to storage.
    pub(crate) fn write_place(&mut self, place: &StoragePlace, new: &[ExprId], span: Span) -> Res<()> {
        self.permit(Access::Write, span)?;
        self.write_under(place, new, span, None)
    }

    fn write_under(
        &mut self,
        place: &StoragePlace,
        new: &[ExprId],
        span: Span,
        condition: Option<ExprId>,
    ) -> Res<()> {
        match &place.root {
            Root::Slot(slot, this) => self.write_slot(*slot, *this, &place.path, new, condition),
            Root::Elsewhere(ty) => {
                let old = self.elsewhere(ty, span)?;
                let updated = self.update(ty, &old, &place.path, new);
                for (at, (old, new)) in old.iter().zip(&updated).enumerate() {
                    if old != new {
                        let sort = self.store.sort(*old);
                        let var = self.global_var(&Global::Elsewhere(ty.clone(), at), sort);
                        self.graph.assign(var, *new);
                    }
                }
                Ok(())
            }
            Root::Pointer(pointer, this) => {
                for (number, shape) in self.shapes(&pointer.ty, span)?.into_iter().enumerate() {
                    let target = self.target(pointer, &shape, *this, &place.path, &place.ty);
                    let here = self.store.eq(pointer.kind, self.store.int(number));
                    self.write_under(&target, new, span, Some(here))?;
                }
                Ok(())
            }
        }
    }

    fn write_slot(
        &mut self,
        slot: SlotId,
        this: ExprId,
        path: &[Sel],
        new: &[ExprId],
        condition: Option<ExprId>,
    ) -> Res<()> {
        let ty = self.decls.slots[slot].ty.clone();
        let old = self.slot_leaves(slot, this)?;
        let updated = self.update(&ty, &old, path, new);
        let changes: Vec<(ExprId, ExprId)> = old.iter().copied().zip(updated.iter().copied()).collect();
        self.update_sums(slot, this, path, &changes, condition);
        let globals = self.slot_globals(slot)?;
        let mut assignments = Vec::new();
        for ((global, sort), (old, new)) in globals.into_iter().zip(old.iter().zip(&updated)) {
            if old == new {
                continue;
            }
            let var = self.global_var(&global, sort);
            let map = self.store.var_expr(var);
            let written = self.with_contract(map, this, *new);
            assignments
                .push((var, condition.map_or(written, |condition| self.store.ite(condition, written, map))));
        }
        for (var, value) in assignments {
            self.graph.assign(var, value);
        }
        self.note_change(slot, condition);
        Ok(())
    }

    /// Updates the sums over the leaves of a state variable: the old value of a changed element is subtracted and
    /// the new one added.
    fn update_sums(
        &mut self,
        slot: SlotId,
        this: ExprId,
        path: &[Sel],
        changes: &[(ExprId, ExprId)],
        condition: Option<ExprId>,
    ) {
        if !self.program.uses_sums {
            return;
        }
        for (leaf, (old, new)) in changes.iter().enumerate() {
            let Some(element) = self.summand(slot, leaf) else { continue };
            if old == new {
                continue;
            }
            let global = Global::Sum(slot, leaf);
            let sort = self.per_contract(self.sum_sort());
            let var = self.global_var(&global, sort);
            let sums = self.store.var_expr(var);
            let sum = match path.iter().find_map(|sel| match sel {
                Sel::Index(index) => Some(*index),
                _ => None,
            }) {
                Some(index) => {
                    let before = self.as_summand(&element, self.store.select(*old, index));
                    let after = self.as_summand(&element, self.store.select(*new, index));
                    self.sum_change(self.of_contract(sums, this), before, after)
                }
                None => self.sum_of_whole(*new),
            };
            let written = self.with_contract(sums, this, sum);
            let written = condition.map_or(written, |condition| self.store.ite(condition, written, sums));
            self.graph.assign(var, written);
        }
    }

    /// The sum over a whole array: zero for the default value, otherwise not known.
    fn sum_of_whole(&mut self, array: ExprId) -> ExprId {
        let sort = self.sum_sort();
        if self.store.is_literal(array) {
            return self.zero_of(sort);
        }
        let var = self.graph.fresh(&self.store, "sum", sort);
        self.graph.havoc(var);
        self.store.var_expr(var)
    }

    pub(crate) fn zero_of(&self, sort: Sort) -> ExprId {
        match sort {
            Sort::Int => self.store.int(0),
            _ => self.number(&Ty::UINT, 0),
        }
    }

    /// The type of elements, if a leaf of a state variable is an array of numbers over one index.
    pub(crate) fn summand(&self, slot: SlotId, leaf: usize) -> Option<Ty> {
        self.summands(&self.decls.slots[slot].ty, 0).into_iter().nth(leaf).flatten()
    }

    /// The leaf at the end of a path to a number that is added up.
    pub(crate) fn leaf_at(&self, slot: SlotId, path: &[Sel]) -> Option<usize> {
        let mut ty = self.decls.slots[slot].ty.clone();
        let mut leaf = 0;
        for sel in path {
            let (part, inner) = self.step(&ty, *sel);
            leaf += part.start;
            ty = inner;
        }
        self.summand(slot, leaf).map(|_| leaf)
    }

    /// For each leaf of a type: the numbers that can be added up, if there is exactly one index on the way to them.
    fn summands(&self, ty: &Ty, indices: usize) -> Vec<Option<Ty>> {
        match ty {
            Ty::Struct(id, _) => self.decls.structs[*id]
                .fields
                .iter()
                .flat_map(|(_, field)| self.summands(field, indices))
                .collect(),
            Ty::Mapping(_, value) => self.summands(value, indices + 1),
            Ty::Array(element, length, _) => {
                let length = length.is_none().then_some(None);
                length.into_iter().chain(self.summands(element, indices + 1)).collect()
            }
            Ty::Int { .. } if indices == 1 => vec![Some(ty.clone())],
            _ => vec![None],
        }
    }

    fn sum_change(&self, sum: ExprId, before: ExprId, after: ExprId) -> ExprId {
        match self.sum_sort() {
            Sort::Int => self.store.add(self.store.sub(sum, before), after),
            _ => self.store.bv_add(self.store.bv_sub(sum, before), after),
        }
    }

    pub(crate) fn sum_sort(&self) -> Sort {
        self.sort(&Ty::UINT)
    }

    fn as_summand(&self, element: &Ty, term: ExprId) -> ExprId {
        let wide = if element.is_signed() { Ty::INT } else { Ty::UINT };
        self.arith().convert(element, &wide, term)
    }

    /// The places that a storage pointer of a type can point to.
    pub(crate) fn shapes(&self, ty: &Ty, span: Span) -> Res<Vec<Shape>> {
        let mut shapes = Vec::new();
        for slot in self.contract.map(|contract| self.decls.slots_of(contract)).unwrap_or_default() {
            let decl = &self.decls.slots[slot];
            if !decl.is_constant {
                self.shapes_in(slot, &decl.ty, ty, &mut Vec::new(), &mut shapes, span)?;
            }
        }
        Ok(shapes)
    }

    fn shapes_in(
        &self,
        slot: SlotId,
        here: &Ty,
        wanted: &Ty,
        path: &mut Vec<ShapeSel>,
        shapes: &mut Vec<Shape>,
        span: Span,
    ) -> Res<()> {
        if path.len() > MAX_DEPTH {
            return unsupported(span, "recursive structures are not supported");
        }
        if here.in_region(Region::Storage) == wanted.in_region(Region::Storage) {
            shapes.push(Shape { slot, path: path.clone() });
        }
        let inner: Vec<(ShapeSel, Ty)> = match here {
            Ty::Struct(id, _) => {
                let fields = self.decls.structs[*id].fields.iter().enumerate();
                fields.map(|(number, (_, field))| (ShapeSel::Field(number), field.clone())).collect()
            }
            Ty::Mapping(key, value) => vec![(ShapeSel::Index(self.sort(key)), (**value).clone())],
            Ty::Array(element, ..) => vec![(ShapeSel::Index(self.sort(&Ty::UINT)), (**element).clone())],
            _ => Vec::new(),
        };
        for (sel, ty) in inner {
            path.push(sel);
            self.shapes_in(slot, &ty, wanted, path, shapes, span)?;
            path.pop();
        }
        Ok(())
    }

    /// A pointer to a place.
    pub(crate) fn pointer_to(&mut self, place: &StoragePlace, span: Span) -> Res<Pointer> {
        match &place.root {
            Root::Slot(slot, _) => self.pointer_of_path(*slot, &place.path, &place.ty, span),
            Root::Elsewhere(_) => {
                unsupported(span, "pointers to parts of a library's storage parameter are not supported")
            }
            Root::Pointer(pointer, _) if place.path.is_empty() => Ok(pointer.clone()),
            Root::Pointer(pointer, this) => {
                let mut result: Option<Pointer> = None;
                for (number, shape) in self.shapes(&pointer.ty, span)?.into_iter().enumerate() {
                    let target = self.target(pointer, &shape, *this, &place.path, &place.ty);
                    let inner = self.pointer_to(&target, span)?;
                    let here = self.store.eq(pointer.kind, self.store.int(number));
                    result = Some(match result {
                        None => inner,
                        Some(others) => self.merge_pointers(here, &inner, &others),
                    });
                }
                match result {
                    Some(pointer) => Ok(pointer),
                    None => unsupported(span, "nothing in storage has the type of this pointer"),
                }
            }
        }
    }

    fn pointer_of_path(&mut self, slot: SlotId, path: &[Sel], ty: &Ty, span: Span) -> Res<Pointer> {
        let shapes = self.shapes(ty, span)?;
        let matches = |shape: &Shape| {
            shape.slot == slot
                && shape.path.len() == path.len()
                && shape.path.iter().zip(path).all(|(shape, sel)| match (shape, sel) {
                    (ShapeSel::Field(left), Sel::Field(right)) => left == right,
                    (ShapeSel::Index(_), Sel::Index(_)) => true,
                    _ => false,
                })
        };
        let Some(number) = shapes.iter().position(matches) else {
            return unsupported(span, "this storage pointer is not supported");
        };
        let mut indices = BTreeMap::new();
        let chosen = path.iter().filter_map(|sel| match sel {
            Sel::Index(index) => Some(*index),
            _ => None,
        });
        for (position, index) in chosen.enumerate() {
            indices.insert((position, self.store.sort(index)), index);
        }
        self.fill(&shapes, &mut indices);
        Ok(Pointer { ty: ty.clone(), kind: self.store.int(number), indices })
    }

    /// Gives a value to every index that some shape needs.
    fn fill(&self, shapes: &[Shape], indices: &mut BTreeMap<(usize, Sort), ExprId>) {
        for key in index_keys(shapes) {
            let default = match key.1 {
                Sort::Bool => self.store.fals(),
                Sort::BitVec(width) => self.store.bits(width.get(), 0u32),
                _ => self.store.int(BigInt::from(0)),
            };
            indices.entry(key).or_insert(default);
        }
    }

    pub(crate) fn merge_pointers(&self, condition: ExprId, yes: &Pointer, no: &Pointer) -> Pointer {
        let indices =
            yes.indices.iter().map(|(key, index)| (*key, self.store.ite(condition, *index, no.indices[key])));
        Pointer {
            ty: yes.ty.clone(),
            kind: self.store.ite(condition, yes.kind, no.kind),
            indices: indices.collect(),
        }
    }
}

/// The indices of all shapes: positions and sorts.
pub(crate) fn index_keys(shapes: &[Shape]) -> Vec<(usize, Sort)> {
    let mut keys = Vec::new();
    for shape in shapes {
        let sorts = shape.path.iter().filter_map(|sel| match sel {
            ShapeSel::Index(sort) => Some(*sort),
            ShapeSel::Field(_) => None,
        });
        for key in sorts.enumerate() {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    keys
}
