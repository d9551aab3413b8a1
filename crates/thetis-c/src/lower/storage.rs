//! Where objects live: in variables of their own, or in memory.
//!
//! An object whose address is not used is a tree of variables, one for each scalar. An array in it is either a list of
//! such trees (short arrays that are only indexed by constants), or its scalars are variables of array sort, indexed by
//! the number of the element; for arrays of arrays that number counts the innermost elements.
//!
//! All other objects are in memory. A class that consists of a single object, whose scalars are determined by how they
//! are accessed, is an exception: every pointer into the class points to that object, so it keeps its variables.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, define_index_type};
use thetis_expr::{ExprId, Store, VarId};

use super::arith::Arith;
use super::layout::{FieldKey, Kind, UnionUse, fields, leaf_paths};
use super::origin::{Owner, VarOrigin, Variable};
use super::points_to::{ClassId, ObjectId, ObjectKey, PointsTo};
use super::scalar::Scalar;
use crate::hir::{ArrayLength, RecordKind, Step, Type, TypeId, Types};

/// Arrays with more scalars than this are not split into variables.
const MAX_LIST: u64 = 32;

define_index_type! {
    /// A part of an object in variables.
    pub(super) struct StorageId = u32;
}

/// A part of an object in variables.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// A variable.
    Scalar { var: VarId, scalar: Scalar, is_array: bool },
    /// The members of a structure; of a union, members that are never used with another.
    Record(Vec<StorageId>),
    /// All members of a union that are used are this scalar.
    Shared(StorageId),
    /// The elements of a short array.
    List(Vec<StorageId>),
    /// An array whose scalars are variables of array sort.
    Array(StorageId),
    /// No scalar: an empty structure, a function.
    Nothing,
}

/// Where an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    /// In variables.
    Variables(StorageId),
    /// In memory, at an address.
    Memory { class: ClassId, address: ExprId },
}

/// All parts of objects in variables, and the names in use.
pub(super) struct Storages {
    pub(super) parts: IndexVec<StorageId, Storage>,
    pub(super) origins: BTreeMap<VarId, VarOrigin>,
    names: FxHashMap<String, u32>,
    /// What all names begin with, so that those of two translations of a program differ.
    prefix: &'static str,
}

/// What is known when parts are made.
#[derive(Clone, Copy)]
pub(super) struct Making<'a> {
    pub(super) types: &'a Types,
    pub(super) unions: &'a UnionUse,
    pub(super) arith: Arith<'a>,
    /// Whose parts they are; none for results of functions and intermediate values.
    pub(super) owner: Option<Owner>,
    pub(super) otherwise: &'a VarOrigin,
    pub(super) is_indexed: bool,
}

impl Storages {
    pub(super) fn new(prefix: &'static str) -> Storages {
        let (parts, origins, names) = (IndexVec::new(), BTreeMap::new(), FxHashMap::default());
        Storages { parts, origins, names, prefix }
    }

    /// A name that nothing has yet.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_string()).or_default();
        *count += 1;
        let prefix = self.prefix;
        match *count {
            1 => format!("{prefix}{name}"),
            number => format!("{prefix}{name}!{number}"),
        }
    }

    /// A new variable.
    pub(super) fn declare(
        &mut self,
        store: &Store,
        name: &str,
        sort: thetis_expr::Sort,
        origin: VarOrigin,
    ) -> VarId {
        let name = self.unique(name);
        let var = store.declare(&name, sort);
        self.origins.insert(var, origin);
        var
    }

    /// The variables for an object called `name` (`prefix` in front of it says whose it is).
    pub(super) fn make(&mut self, making: Making<'_>, ty: TypeId, prefix: &str, name: &str) -> StorageId {
        self.part(making, ty, prefix, name, false)
    }

    fn part(
        &mut self,
        making: Making<'_>,
        ty: TypeId,
        prefix: &str,
        name: &str,
        is_array: bool,
    ) -> StorageId {
        let types = making.types;
        let storage = match types.get(ty) {
            Type::Array(element, length) => {
                let short = match length {
                    ArrayLength::Constant(length) if !is_array && !making.is_indexed => Some(*length),
                    _ => None,
                };
                let num_scalars = leaf_paths(types, ty, MAX_LIST as usize).map(|paths| paths.len() as u64);
                match (short, num_scalars) {
                    (Some(length), Some(_)) => Storage::List(
                        (0..length)
                            .map(|number| {
                                self.part(making, *element, prefix, &format!("{name}[{number}]"), false)
                            })
                            .collect(),
                    ),
                    _ => Storage::Array(self.part(making, *element, prefix, name, true)),
                }
            }
            Type::Record(record) => {
                let is_union = types.record(*record).kind == RecordKind::Union;
                match making.unions.as_scalar(types, *record).filter(|_| is_union) {
                    Some(member) => Storage::Shared(self.part(making, member, prefix, name, is_array)),
                    None => Storage::Record(self.members(making, *record, prefix, name, is_array)),
                }
            }
            _ => self.scalar(making, ty, prefix, name, is_array),
        };
        self.parts.push(storage)
    }

    fn members(
        &mut self,
        making: Making<'_>,
        record: crate::hir::RecordId,
        prefix: &str,
        name: &str,
        is_array: bool,
    ) -> Vec<StorageId> {
        let members = fields(making.types, record).iter();
        members
            .map(|field| {
                let name = match &field.name {
                    Some(field) => format!("{name}.{field}"),
                    None => name.to_string(),
                };
                self.part(making, field.ty, prefix, &name, is_array)
            })
            .collect()
    }

    fn scalar(
        &mut self,
        making: Making<'_>,
        ty: TypeId,
        prefix: &str,
        name: &str,
        is_array: bool,
    ) -> Storage {
        let Some(scalar) = Scalar::of(making.types, ty) else { return Storage::Nothing };
        let arith = making.arith;
        let sort = match is_array {
            true => arith.store.array_sort(arith.index_sort(), arith.sort(scalar)),
            false => arith.sort(scalar),
        };
        let variable = |owner| Variable { owner, text: name.to_string(), ty };
        let origin = match (making.owner, is_array) {
            (Some(owner), false) => VarOrigin::Scalar(variable(owner)),
            (Some(owner), true) => VarOrigin::Elements(variable(owner)),
            (None, _) => making.otherwise.clone(),
        };
        let var = self.declare(arith.store, &format!("{prefix}{name}"), sort, origin);
        Storage::Scalar { var, scalar, is_array }
    }
}

/// The classes that are one object in variables, each with the way from a member to its scalar.
pub(super) struct Singles {
    objects: FxHashMap<ClassId, ObjectId>,
    paths: FxHashMap<(ClassId, Option<FieldKey>), Vec<Step>>,
}

impl Singles {
    pub(super) fn of(types: &Types, unions: &UnionUse, points: &PointsTo) -> Singles {
        let mut singles = Singles { objects: FxHashMap::default(), paths: FxHashMap::default() };
        for class in points.roots() {
            singles.consider(types, unions, points, class);
        }
        singles
    }

    /// The object that a class is.
    pub(super) fn object(&self, class: ClassId) -> Option<ObjectId> {
        self.objects.get(&class).copied()
    }

    /// The path to the scalar that is accessed as a member of something in the class.
    pub(super) fn path(&self, class: ClassId, key: Option<FieldKey>) -> Option<&[Step]> {
        self.paths.get(&(class, key)).map(Vec::as_slice)
    }

    fn consider(
        &mut self,
        types: &Types,
        unions: &UnionUse,
        points: &PointsTo,
        class: ClassId,
    ) -> Option<()> {
        if points.class(class).is_outside {
            return None;
        }
        let [object] = points.class(class).objects[..] else { return None };
        let (ty, key) = (points.objects[object].ty?, points.objects[object].key);
        if matches!(key, ObjectKey::Heap(..)) || !unions.is_splittable(types, ty) {
            return None;
        }
        let paths = scalar_paths(types, ty)?;
        let accesses = points.class(class).accesses.keys();
        let mut used = Vec::new();
        for (kind, key) in accesses {
            let mut fitting = paths.iter().filter(|path| path.key == *key && path.kind == *kind);
            let (path, None) = (fitting.next()?, fitting.next()) else { return None };
            used.push((*key, path.steps.clone()));
        }
        self.objects.insert(class, object);
        self.paths.extend(used.into_iter().map(|(key, steps)| ((class, key), steps)));
        Some(())
    }
}

struct ScalarPath {
    steps: Vec<Step>,
    kind: Kind,
    key: Option<FieldKey>,
}

/// The scalars of a type without arrays and unions, with the way to each.
fn scalar_paths(types: &Types, ty: TypeId) -> Option<Vec<ScalarPath>> {
    let mut found = Vec::new();
    for path in leaf_paths(types, ty, 256)? {
        let (mut at, mut key) = (ty, None);
        for step in &path.steps {
            match (types.get(at), step) {
                (Type::Record(record), Step::Field(number))
                    if types.record(*record).kind == RecordKind::Struct && path.bits.is_none() =>
                {
                    key = Some((*record, *number));
                }
                _ => return None,
            }
            at = super::layout::step_type(types, at, *step);
        }
        found.push(ScalarPath { steps: path.steps, kind: Kind::of(Scalar::of(types, path.ty)?), key });
    }
    Some(found)
}
