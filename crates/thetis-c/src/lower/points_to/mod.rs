//! Which objects a pointer may point to.
//!
//! The analysis is Steensgaard's (Points-to Analysis in Almost Linear Time, 1996): every assignment merges the classes
//! that both sides may point to, so a class of objects points to one class of objects. It differs from the paper in two
//! ways. Every copy of a function in the call tree has its own variables, so the analysis is context-sensitive; and
//! each member of a structure has its own target class as long as the objects of a class are only accessed by members,
//! and as members of one structure. An access through a pointer to a scalar into an object that is also accessed by
//! members, or as another structure, *collapses* the class: all its members then point to one class.
//!
//! One class, *outside*, stands for everything that code outside the program can reach: targets of pointers from
//! outside, fixed addresses, and all objects that have escaped. Pointers in it lead back into it.
//!
//! The same walk notes how the objects of each class are accessed, from which `regions` decides what their memory is.

mod builtins;
mod constraints;
pub(super) mod moved;
mod outside;
mod values;
mod views;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{IndexVec, define_index_type, tick};

pub(super) use self::outside::ERRNO;
use self::views::Views;
use super::calls::CallTree;
use super::layout::{FieldKey, Kind, has_straddling, leaves, records_inside};
use super::options::Externals;
use super::origin::FrameId;
use super::scalar::{Integer, Scalar};
use super::walk::Site;
use crate::hir::{Expr, ExprKind, FunctionId, GlobalId, LocalId, Program, RecordId, Type, TypeId, Types};

define_index_type! {
    /// An object of the program: a variable, or what an allocation at one place makes.
    pub(super) struct ObjectId = u32;
}

define_index_type! {
    /// A class of objects that pointers do not distinguish.
    pub(super) struct ClassId = u32;
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ObjectKey {
    Global(GlobalId),
    Local(FrameId, LocalId),
    /// The result of a function, until the caller has copied it.
    Result(FrameId),
    /// What an allocation makes.
    Heap(FrameId, Site),
}

/// An object.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) key: ObjectKey,
    /// Its type; allocated objects have none.
    pub(super) ty: Option<TypeId>,
    pub(super) class: ClassId,
    /// Whether its address is used other than to access it on the spot.
    pub(super) escapes: bool,
    /// Whether it is indexed by something else than a constant.
    pub(super) is_indexed: bool,
    /// What it starts with.
    pub(super) contents: Contents,
}

/// What an object starts with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Contents {
    /// Zeros, before what its initial value says.
    Zero,
    /// It is always assigned before it is read.
    Given,
    /// Anything.
    Arbitrary,
}

/// What carries pointers, apart from pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carriers {
    /// Nothing.
    Nothing,
    /// Integers that are as large as an address.
    Addresses,
    /// All integers: pointers are taken apart into bytes.
    Bytes,
}

/// Accesses of one kind and member.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Signs {
    pub(super) signed: bool,
    pub(super) unsigned: bool,
}

/// A class of objects.
#[derive(Clone, Debug)]
pub(super) struct Class {
    parent: ClassId,
    /// What scalars that are not members point to; in a collapsed class, what all scalars point to.
    raw: Option<ClassId>,
    /// What members point to.
    members: BTreeMap<FieldKey, ClassId>,
    pub(super) objects: Vec<ObjectId>,
    pub(super) functions: BTreeSet<FunctionId>,
    pub(super) accesses: BTreeMap<(Kind, Option<FieldKey>), Signs>,
    /// Whether members of unions are accessed here.
    pub(super) has_union: bool,
    pub(super) is_collapsed: bool,
    /// Whether code outside the program may know these objects, and objects of its own are among them.
    pub(super) is_outside: bool,
    /// Whether pointers to these objects are computed, and not only made.
    pub(super) is_moved: bool,
    /// What pointers to these objects are made from.
    views: Views,
}

/// The result of the analysis.
pub(super) struct PointsTo {
    pub(super) objects: IndexVec<ObjectId, Object>,
    keys: FxHashMap<ObjectKey, ObjectId>,
    classes: IndexVec<ClassId, Class>,
    /// The class that a value points to, where it is dereferenced, compared, computed with or handed to a builtin.
    targets: FxHashMap<(FrameId, Site), ClassId>,
    /// The class that the pointer of a call points to.
    called: FxHashMap<(FrameId, Site), ClassId>,
    /// The class of what is outside, if anything is.
    outside: Option<ClassId>,
    /// The global variables that code outside the program knows by name.
    named: Vec<GlobalId>,
    /// The objects that are known outside for another reason than that they are compared with pointers from there.
    handed_out: BTreeSet<ObjectId>,
    /// Whether objects may be accessed as any type.
    pub(super) has_aliasing_types: bool,
    /// Classes between which values with padding are copied as bytes.
    padded_copies: Vec<(ClassId, ClassId)>,
    /// Whether outside code knows objects only because any integer may carry a part of a pointer.
    pub(super) is_outside_guessed: bool,
}

impl PointsTo {
    /// Analyses the program of a call tree. Where pointers are also seen as bytes, every integer may carry a part of one.
    pub(super) fn new(program: &Program, calls: &CallTree, externals: Externals) -> PointsTo {
        let carriers = constraints::carriers(program, calls);
        let result = PointsTo::with_carriers(program, calls, externals, carriers);
        let hides_pointers = |class: ClassId| super::regions::hides_pointers(result.class(class));
        if carriers == Carriers::Bytes || !result.roots().any(hides_pointers) {
            return result;
        }
        let guessed = PointsTo::with_carriers(program, calls, externals, Carriers::Bytes);
        let known: FxHashSet<ObjectKey> = result.keys_outside().collect();
        let is_outside_guessed = guessed.keys_outside().any(|key| !known.contains(&key));
        PointsTo { is_outside_guessed, ..guessed }
    }

    /// The objects that code outside the program may know.
    fn keys_outside(&self) -> impl Iterator<Item = ObjectKey> {
        let objects = self.outside().map(|class| &self.class(class).objects);
        objects.into_iter().flatten().map(|object| self.objects[*object].key)
    }

    fn with_carriers(
        program: &Program,
        calls: &CallTree,
        externals: Externals,
        carriers: Carriers,
    ) -> PointsTo {
        let empty = PointsTo {
            objects: IndexVec::new(),
            keys: FxHashMap::default(),
            classes: IndexVec::new(),
            targets: FxHashMap::default(),
            called: FxHashMap::default(),
            outside: None,
            named: Vec::new(),
            handed_out: BTreeSet::new(),
            has_aliasing_types: program.has_aliasing_types,
            padded_copies: Vec::new(),
            is_outside_guessed: false,
        };
        let mut result = constraints::collect(program, calls, externals, carriers, empty);
        result.note_initial_values(program);
        result.note_punning(&program.types);
        result.collapse_mixed(&program.types);
        while result.join_padded_copies() {
            result.note_punning(&program.types);
            result.collapse_mixed(&program.types);
        }
        result
    }

    /// The object that something is, if it occurs.
    pub(super) fn object(&self, key: ObjectKey) -> Option<ObjectId> {
        self.keys.get(&key).copied()
    }

    /// The class of an object.
    pub(super) fn class_of(&self, object: ObjectId) -> ClassId {
        self.root(self.objects[object].class)
    }

    /// The class that is pointed to at a place.
    pub(super) fn target(&self, frame: FrameId, site: Site) -> Option<ClassId> {
        self.targets.get(&(frame, site)).map(|class| self.root(*class))
    }

    /// The class of functions that a call through a pointer may enter.
    pub(super) fn called(&self, frame: FrameId, site: Site) -> Option<ClassId> {
        self.called.get(&(frame, site)).map(|class| self.root(*class))
    }

    /// A class by its representative.
    pub(super) fn class(&self, class: ClassId) -> &Class {
        &self.classes[self.root(class)]
    }

    /// The classes that pointers in the objects of a class point to.
    pub(super) fn pointees(&self, class: ClassId) -> BTreeSet<ClassId> {
        if self.class(class).is_outside {
            return BTreeSet::from([self.root(class)]);
        }
        let class = self.class(class);
        class.raw.iter().chain(class.members.values()).map(|target| self.root(*target)).collect()
    }

    /// The representatives.
    pub(super) fn roots(&self) -> impl Iterator<Item = ClassId> {
        self.classes.indices().filter(|class| self.classes[*class].parent == *class)
    }

    fn root(&self, mut class: ClassId) -> ClassId {
        while self.classes[class].parent != class {
            class = self.classes[class].parent;
        }
        class
    }

    fn find(&mut self, class: ClassId) -> ClassId {
        let root = self.root(class);
        let mut at = class;
        while self.classes[at].parent != root {
            at = std::mem::replace(&mut self.classes[at].parent, root);
        }
        root
    }

    fn fresh(&mut self) -> ClassId {
        let parent = ClassId::new(self.classes.len());
        self.classes.push(Class {
            parent,
            raw: None,
            members: BTreeMap::new(),
            objects: Vec::new(),
            functions: BTreeSet::new(),
            accesses: BTreeMap::new(),
            has_union: false,
            is_collapsed: false,
            is_outside: false,
            is_moved: false,
            views: Views::default(),
        })
    }

    fn pointee(&mut self, class: ClassId, key: Option<FieldKey>) -> ClassId {
        let class = self.find(class);
        if self.classes[class].is_outside {
            return class;
        }
        let key = if self.classes[class].is_collapsed { None } else { key };
        let known = match key {
            None => self.classes[class].raw,
            Some(key) => self.classes[class].members.get(&key).copied(),
        };
        if let Some(known) = known {
            return self.find(known);
        }
        let fresh = self.fresh();
        match key {
            None => self.classes[class].raw = Some(fresh),
            Some(key) => drop(self.classes[class].members.insert(key, fresh)),
        }
        fresh
    }

    fn join(&mut self, left: ClassId, right: ClassId) {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            tick();
            let (left, right) = (self.find(left), self.find(right));
            if left == right {
                continue;
            }
            let empty = self.classes[right].emptied(left);
            let gone = std::mem::replace(&mut self.classes[right], empty);
            let kept = &mut self.classes[left];
            kept.objects.extend(gone.objects);
            kept.functions.extend(gone.functions);
            kept.has_union |= gone.has_union;
            kept.is_collapsed |= gone.is_collapsed;
            kept.is_outside |= gone.is_outside;
            kept.is_moved |= gone.is_moved;
            kept.views.add(gone.views);
            for (access, signs) in gone.accesses {
                kept.accesses.entry(access).or_default().add(signs);
            }
            match (kept.raw, gone.raw) {
                (Some(kept), Some(gone)) => pending.push((kept, gone)),
                (None, gone) => kept.raw = gone,
                (Some(_), None) => {}
            }
            for (key, target) in gone.members {
                match kept.members.get(&key) {
                    Some(known) => pending.push((*known, target)),
                    None => drop(kept.members.insert(key, target)),
                }
            }
            if kept.is_outside {
                pending.extend(kept.take_pointees().into_iter().map(|target| (left, target)));
            } else if kept.is_collapsed {
                pending.extend(kept.collapse());
            }
        }
    }

    /// Initial values count as accesses with the types of the objects. Where nothing else is accessed, they cannot be
    /// observed.
    fn note_initial_values(&mut self, program: &Program) {
        for object in self.objects.indices() {
            let class = self.class_of(object);
            let Some(ty) = self.objects[object].ty.filter(|_| !self.classes[class].accesses.is_empty())
            else {
                continue;
            };
            for leaf in leaves(&program.types, ty) {
                self.note_access(class, leaf.scalar, leaf.key);
            }
            if has_straddling(&program.types, ty) {
                self.note_bytes(class);
            }
        }
    }

    /// The memory of a class has to be bytes.
    fn note_bytes(&mut self, class: ClassId) {
        let class = self.find(class);
        self.classes[class].has_union = true;
        self.note_access(class, Scalar::Int(Integer::unsigned(8)), None);
    }

    /// Collapses the classes whose objects are accessed in different ways, until there are no more.
    fn collapse_mixed(&mut self, types: &Types) {
        loop {
            let mixed: Vec<ClassId> =
                self.roots().filter(|class| self.classes[*class].is_mixed(types)).collect();
            if mixed.is_empty() {
                return;
            }
            for class in mixed {
                let class = self.find(class);
                self.classes[class].is_collapsed = true;
                for (left, right) in self.classes[class].collapse() {
                    self.join(left, right);
                }
            }
        }
    }
}

impl Signs {
    fn add(&mut self, other: Signs) {
        self.signed |= other.signed;
        self.unsigned |= other.unsigned;
    }
}

impl Class {
    fn emptied(&self, parent: ClassId) -> Class {
        Class {
            parent,
            raw: None,
            members: BTreeMap::new(),
            objects: Vec::new(),
            functions: BTreeSet::new(),
            accesses: BTreeMap::new(),
            has_union: self.has_union,
            is_collapsed: self.is_collapsed,
            is_outside: self.is_outside,
            is_moved: self.is_moved,
            views: Views::default(),
        }
    }

    /// Takes the classes that pointers here lead to.
    fn take_pointees(&mut self) -> Vec<ClassId> {
        self.raw.take().into_iter().chain(std::mem::take(&mut self.members).into_values()).collect()
    }

    /// The pairs of classes to merge when all members point to the same class.
    fn collapse(&mut self) -> Vec<(ClassId, ClassId)> {
        let mut targets = std::mem::take(&mut self.members).into_values();
        let Some(first) = self.raw.or_else(|| targets.next()) else { return Vec::new() };
        self.raw = Some(first);
        targets.map(|target| (first, target)).collect()
    }

    /// Whether objects are accessed by members and otherwise, or by members of structures of which none has all the
    /// others inside: they may be views of the same memory.
    fn is_mixed(&self, types: &Types) -> bool {
        if self.is_collapsed {
            return false;
        }
        let has_raw = self.raw.is_some() || self.accesses.keys().any(|(_, key)| key.is_none());
        let accessed = self.accesses.keys().filter_map(|(_, key)| *key);
        let records: BTreeSet<RecordId> =
            self.members.keys().copied().chain(accessed).map(|(record, _)| record).collect();
        let is_outermost = |outer: &RecordId| {
            let inside = records_inside(types, *outer);
            records.iter().all(|record| inside.contains(record))
        };
        let is_one_structure = records.len() <= 1 || records.iter().any(is_outermost);
        self.has_union || (has_raw && !records.is_empty()) || !is_one_structure
    }
}

impl PointsTo {
    fn note_access(&mut self, class: ClassId, scalar: Scalar, key: Option<FieldKey>) {
        let signs = self.classes[class].accesses.entry((Kind::of(scalar), key)).or_default();
        match scalar {
            Scalar::Int(integer) if integer.is_signed => signs.signed = true,
            _ => signs.unsigned = true,
        }
    }
}

/// The type that a pointer had before it became `void *`.
pub(super) fn pointed_type(program: &Program, pointer: &Expr) -> TypeId {
    let mut pointer = pointer;
    while let ExprKind::Convert(inner) = &pointer.kind
        && let Type::Pointer(_) = program.types.get(inner.ty)
    {
        pointer = inner;
    }
    match program.types.get(pointer.ty) {
        Type::Pointer(target) => *target,
        _ => pointer.ty,
    }
}

/// Whether an index is a constant.
pub(super) fn is_integer_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) => true,
        ExprKind::Convert(inner) => is_integer_constant(inner),
        _ => false,
    }
}
