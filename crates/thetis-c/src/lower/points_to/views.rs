//! Objects that programs access with other types.
//!
//! C forbids programs to read an object with a type other than its own (C11 6.5 p7), except by `memcpy` and as
//! characters. Many do so anyway: they access a number as a structure of its halves, or a structure as an array of
//! numbers. So the memory of a class is bytes
//!
//! * if a pointer is converted visibly between types that clash;
//! * if an object with a type is accessed as a member of a structure that is not in it, or as a scalar that no pointer was made from;
//! * if a value is copied into a block and the block is also accessed with another type;
//! * if a pointer to a scalar in a structure moves, and the structure has scalars of other kinds that it may move to.
//!
//! Otherwise an allocated object has the types that it is accessed with.

use std::collections::BTreeSet;

use super::constraints::{Walk, Where};
use super::{Class, ClassId, PointsTo, pointed_type};
use crate::hir::{Expr, Place, PlaceKind, RecordId, Type, TypeId, Types};
use crate::lower::layout::{FieldKey, Kind, leaves, records_inside};
use crate::lower::overlay::{clash, element, has_padding, is_made_of, starts_with};
use crate::lower::regions::has_bytes;
use crate::lower::scalar::Scalar;

/// What pointers to the objects of a class are made from.
#[derive(Clone, Default, Debug)]
pub(super) struct Views {
    /// The types of the places whose addresses are taken.
    made: BTreeSet<TypeId>,
    /// The types of values that are copied here as bytes, through untyped pointers.
    copied: BTreeSet<TypeId>,
    /// Whether pointers to structures become pointers to bytes, which see padding.
    is_dissected: bool,
    /// The kinds of scalars in members whose addresses are taken.
    members: BTreeSet<Kind>,
    /// The kinds of scalars that pointers are moved between.
    moved: BTreeSet<Kind>,
    /// Whether addresses are computed as integers.
    is_computed: bool,
}

impl Views {
    pub(super) fn add(&mut self, other: Views) {
        self.made.extend(other.made);
        self.copied.extend(other.copied);
        self.is_dissected |= other.is_dissected;
        self.members.extend(other.members);
        self.moved.extend(other.moved);
        self.is_computed |= other.is_computed;
    }
}

impl<'h> Walk<'h> {
    /// The address of a place is taken.
    pub(super) fn note_address(&mut self, class: ClassId, place: &Place) {
        let kind = is_in_member(place).then(|| element_kind(&self.program.types, place.ty)).flatten();
        let class = self.result.find(class);
        let views = &mut self.result.classes[class].views;
        views.made.insert(place.ty);
        views.members.extend(kind);
    }

    /// A pointer of a type is moved, or an integer that may be an address is computed.
    pub(super) fn note_move(&mut self, class: ClassId, ty: TypeId) {
        let types = &self.program.types;
        let class = self.result.find(class);
        let views = &mut self.result.classes[class].views;
        match types.get(ty) {
            Type::Pointer(target) => views.moved.extend(element_kind(types, *target)),
            _ => views.is_computed = true,
        }
    }

    /// A pointer is converted.
    pub(super) fn note_cast(&mut self, class: ClassId, pointer: &Expr, ty: TypeId) {
        let types = &self.program.types;
        let (Type::Pointer(_), Type::Pointer(target)) = (types.get(pointer.ty), types.get(ty)) else {
            return;
        };
        let source = pointed_type(self.program, pointer);
        let has_record = [source, *target].iter().any(|ty| matches!(types.get(*ty), Type::Record(_)));
        let [is_source, is_target] = [source, *target].map(|ty| is_view(types, ty));
        if has_record && is_source && !is_target {
            let class = self.result.find(class);
            self.result.classes[class].views.is_dissected = true;
        } else if has_record && is_source && is_target && clash(types, source, *target) {
            self.result.note_bytes(class);
        }
    }

    /// Values are copied as bytes.
    pub(super) fn note_copy(&mut self, to: Where, from: Where, args: &'h [Expr], ty: TypeId) {
        for (at, pointer) in [to, from].iter().zip(args) {
            if !is_view(&self.program.types, pointed_type(self.program, pointer)) {
                let class = self.result.find(at.class);
                self.result.classes[class].views.copied.insert(ty);
            }
        }
        if has_padding(&self.program.types, ty) {
            self.result.padded_copies.push((to.class, from.class));
        }
    }
}

/// Whether a place is a member of a structure or an element of one.
fn is_in_member(place: &Place) -> bool {
    let mut place = place;
    while let PlaceKind::Index(array, _) = &place.kind {
        place = array;
    }
    matches!(place.kind, PlaceKind::Field(..))
}

/// The kind of the scalars that a scalar or an array of scalars is made of.
fn element_kind(types: &Types, ty: TypeId) -> Option<Kind> {
    Scalar::of(types, element(types, ty)).map(Kind::of)
}

/// Whether a pointer to a type determines the type of its target.
fn is_view(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Void | Type::Function(_) => false,
        Type::Int(kind) => kind.size(types.model()) > 1,
        _ => true,
    }
}

impl Class {
    /// Whether the padding of structures can be seen, if memory is bytes.
    pub(in crate::lower) fn shows_padding(&self) -> bool {
        self.views.is_dissected
    }

    /// Whether a pointer to a member may move to a member of another kind.
    fn has_straying_pointers(&self) -> bool {
        let views = &self.views;
        let is_moved = |kind: &&Kind| {
            let has_moves = views.is_computed || views.moved.contains(*kind);
            has_moves && self.accesses.contains_key(&(**kind, None))
        };
        let has_others =
            |kind: &Kind| self.accesses.keys().any(|(other, key)| other != kind && key.is_some());
        views.members.iter().filter(is_moved).any(has_others)
    }
}

impl PointsTo {
    /// Where objects are accessed with other types, their memory becomes bytes.
    pub(super) fn note_punning(&mut self, types: &Types) {
        let punned: Vec<ClassId> = self.roots().filter(|class| self.is_punned(*class, types)).collect();
        for class in punned {
            self.classes[class].has_union = true;
        }
    }

    fn is_punned(&self, class: ClassId, types: &Types) -> bool {
        let class = &self.classes[class];
        if class.has_straying_pointers() {
            return true;
        }
        let objects: Option<Vec<TypeId>> =
            class.objects.iter().map(|object| self.objects[*object].ty).collect();
        let mut accesses = class.accesses.keys();
        match objects {
            _ if class.is_outside || class.objects.is_empty() => false,
            Some(objects) => accesses.any(|(kind, key)| !explains(types, &objects, class, *kind, *key)),
            // What an allocated object is accessed as, it is.
            None => class.views.copied.iter().any(|ty| {
                let leaves = leaves(types, *ty);
                let is_leaf = |(kind, key): &(Kind, Option<FieldKey>)| {
                    leaves.iter().any(|leaf| Kind::of(leaf.scalar) == *kind && leaf.key == *key)
                };
                accesses.any(|access| !is_leaf(access))
            }),
        }
    }

    /// Joins the classes between which padding is copied that can be seen in one of them.
    pub(super) fn join_padded_copies(&mut self) -> bool {
        let is_seen = |class: ClassId| has_bytes(self.class(class), self.has_aliasing_types);
        let mut pairs = self.padded_copies.iter().map(|(to, from)| (self.root(*to), self.root(*from)));
        let Some((to, from)) = pairs.find(|(to, from)| to != from && (is_seen(*to) || is_seen(*from))) else {
            return false;
        };
        self.join(to, from);
        true
    }
}

/// Whether objects of some types are accessed with their own types.
fn explains(types: &Types, objects: &[TypeId], class: &Class, kind: Kind, key: Option<FieldKey>) -> bool {
    let is_part = |ty: &TypeId| {
        leaves(types, *ty).iter().any(|leaf| Kind::of(leaf.scalar) == kind && leaf.key.is_none())
    };
    match key {
        Some((record, _)) => objects.iter().any(|ty| has_record(types, *ty, record)),
        None if objects.iter().any(is_part) => true,
        None if class.is_moved => class.views.made.iter().any(|ty| is_made_of(types, *ty, kind)),
        None => class.views.made.iter().any(|ty| starts_with(types, *ty, kind)),
    }
}

fn has_record(types: &Types, ty: TypeId, record: RecordId) -> bool {
    match types.get(ty) {
        Type::Array(element, _) => has_record(types, *element, record),
        Type::Record(outer) => records_inside(types, *outer).contains(&record),
        _ => false,
    }
}
