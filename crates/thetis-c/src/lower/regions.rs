//! Memory as arrays.
//!
//! Each class of objects has its own memory. In a class that is only accessed by members, each member has an array from
//! addresses to its values (Burstall's idea); in a collapsed class, each kind of scalar has one. That is sound because
//! C allows memory to be read only with the type it was written with (C11 6.5 p7): different kinds of scalars cannot
//! overlap. Where C allows them to overlap, the memory of integers is an array of bytes:
//!
//! * members of unions, if they are of different kinds;
//! * accesses as characters to what is also accessed as something else;
//! * objects that programs access with other types (`points_to/views.rs`).
//!
//! Scalars of different kinds that are accessed through plain pointers become bytes too, although C does not allow
//! programs to mix them up; many do. `float` and `double` are four and eight bytes there, and pointers the bytes of the address
//! that they have as integers. `long double` is never bytes: accessing one in such memory is a limit.

use std::collections::{BTreeMap, BTreeSet};

use thetis_expr::VarId;

use super::layout::{FieldKey, Kind};
use super::overlay::has_padding;
use super::points_to::{Class, ClassId, Contents, Object, PointsTo, Signs};
use super::scalar::{Integer, Scalar};
use crate::hir::{TypeId, Types};

/// What one array of memory holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Group {
    /// The bytes of integers.
    Bytes,
    /// Scalars of one kind, of one member if the class has not collapsed.
    Scalars(Kind, Option<FieldKey>),
}

/// What the memory of a class is.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Whether integers are bytes.
    pub(super) has_bytes: bool,
    /// Whether everything starts zero.
    pub(super) starts_zero: bool,
    is_collapsed: bool,
    accesses: BTreeMap<(Kind, Option<FieldKey>), Signs>,
    /// Whether pointers and other scalars may share bytes.
    pub(super) hides_pointers: bool,
    /// The arrays that have been needed.
    pub(super) arrays: BTreeMap<Group, VarId>,
}

/// One array of memory, with what it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    pub(super) group: Group,
    /// What an element is.
    pub(super) element: Scalar,
}

impl Region {
    pub(super) fn of(types: &Types, points: &PointsTo, class: ClassId) -> Region {
        let info = points.class(class);
        let has_bytes = has_bytes(info, points.has_aliasing_types);
        // Padding is never assigned.
        let has_padding = |ty: Option<TypeId>| ty.is_some_and(|ty| has_padding(types, ty));
        let is_given = |object: &Object| match object.contents {
            Contents::Zero => true,
            Contents::Given => !(has_bytes && info.shows_padding() && has_padding(object.ty)),
            Contents::Arbitrary => false,
        };
        let mut objects = info.objects.iter().map(|object| &points.objects[*object]);
        Region {
            has_bytes,
            starts_zero: !info.is_outside && !info.objects.is_empty() && objects.all(is_given),
            is_collapsed: info.is_collapsed,
            hides_pointers: hides_pointers(info),
            accesses: info.accesses.clone(),
            arrays: BTreeMap::new(),
        }
    }

    /// The scalars that are accessed here, one for each array.
    pub(super) fn accessed(&self) -> Vec<(Scalar, Option<FieldKey>)> {
        self.accesses.keys().map(|(kind, key)| (kind.scalar(), *key)).collect()
    }

    /// The array that a scalar is in, if anything accesses such scalars.
    pub(super) fn cells(&self, scalar: Scalar, key: Option<FieldKey>) -> Option<Cells> {
        let kind = Kind::of(scalar);
        if self.has_bytes && (kind.has_bytes() || kind == Kind::Pointer) {
            let element = Scalar::Int(Integer::unsigned(8));
            return Some(Cells { group: Group::Bytes, element });
        }
        let key = if self.is_collapsed { None } else { key };
        let mut signs = Signs::default();
        let mut is_accessed = false;
        for ((known, member), found) in &self.accesses {
            if *known == kind && (self.is_collapsed || *member == key) {
                is_accessed = true;
                signs.signed |= found.signed;
                signs.unsigned |= found.unsigned;
            }
        }
        let element = match scalar {
            Scalar::Int(integer) => {
                let width = 8 * integer.width.div_ceil(8);
                Scalar::Int(Integer { width, is_signed: !signs.unsigned })
            }
            other => other,
        };
        is_accessed.then_some(Cells { group: Group::Scalars(kind, key), element })
    }
}

/// Whether scalars of different kinds may share bytes; they may if they are accessed through types that alias all others.
pub(super) fn has_bytes(class: &Class, has_aliasing_types: bool) -> bool {
    let kinds: BTreeSet<Kind> =
        class.accesses.keys().map(|(kind, _)| *kind).filter(|kind| kind.has_bytes()).collect();
    let is_raw = |kind: &&Kind| class.accesses.contains_key(&(**kind, None));
    let has_raw_characters = class.accesses.contains_key(&(Kind::Int(1), None));
    let num_raw = kinds.iter().filter(is_raw).count();
    let is_shared = has_raw_characters || class.has_union || has_aliasing_types;
    hides_pointers(class) || num_raw > 1 || (kinds.len() > 1 && is_shared)
}

/// Whether pointers and other scalars may share bytes.
pub(super) fn hides_pointers(class: &Class) -> bool {
    let mut kinds = class.accesses.keys().map(|(kind, _)| *kind);
    let is_raw = |kind: Kind| class.accesses.contains_key(&(kind, None));
    // Outside memory has all types. Programs are not expected to read its pointers as integers.
    let has_raw_addresses =
        !class.is_outside && is_raw(Kind::Pointer) && (is_raw(Kind::Int(4)) || is_raw(Kind::Int(8)));
    let is_mixed = is_raw(Kind::Int(1)) || class.has_union || has_raw_addresses;
    let has_pointers = class.accesses.keys().any(|(kind, _)| *kind == Kind::Pointer);
    has_pointers && is_mixed && kinds.any(Kind::has_bytes)
}
