//! Where the objects of a program live: in variables or in memory, and at which addresses.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_expr::{ExprId, Sort, VarId};

use super::Known;
use super::address_bytes::AddressBytes;
use super::origin::{FrameId, Object, Owner, VarOrigin};
use super::points_to::{ClassId, Contents, ObjectKey};
use super::regions::Region;
use super::storage::{Home, Making, Storage, StorageId, Storages};
use crate::hir::{FunctionId, TypeId};

/// The variables of the automaton and the objects that they stand for.
pub(super) struct Objects<'h> {
    known: Known<'h>,
    pub(super) storages: Storages,
    pub(super) homes: FxHashMap<ObjectKey, Home>,
    /// The addresses of variables that are not in memory.
    pub(super) addresses: FxHashMap<ObjectKey, ExprId>,
    /// The variables that hold the addresses of variables with a new address at each declaration.
    pub(super) moving: FxHashMap<ObjectKey, VarId>,
    pub(super) regions: BTreeMap<ClassId, Region>,
    /// How many object numbers are in use; zero is the null pointer.
    pub(super) num_objects: u64,
    function_addresses: BTreeMap<FunctionId, ExprId>,
    /// The address of the next block, if there are blocks.
    pub(super) heap: Option<VarId>,
    /// Arrays that may hold numbers outside the range of their type where nothing was written.
    pub(super) unranged: FxHashSet<VarId>,
    pub(super) address_bytes: AddressBytes,
    /// The variables that every activation of a procedure has for itself.
    pub(super) locals: BTreeSet<VarId>,
}

impl<'h> Objects<'h> {
    /// No objects yet; names of variables will begin with `prefix`.
    pub(super) fn new(known: Known<'h>, prefix: &'static str) -> Objects<'h> {
        Objects {
            known,
            storages: Storages::new(prefix),
            homes: FxHashMap::default(),
            addresses: FxHashMap::default(),
            moving: FxHashMap::default(),
            regions: BTreeMap::new(),
            num_objects: 0,
            function_addresses: BTreeMap::new(),
            heap: None,
            unranged: FxHashSet::default(),
            address_bytes: AddressBytes::default(),
            locals: BTreeSet::new(),
        }
    }

    /// A new variable of a copy of a function, for no variable of the program.
    pub(super) fn auxiliary(&mut self, frame: FrameId, name: &str, sort: Sort, origin: VarOrigin) -> VarId {
        let name = format!("{}.{name}", self.known.calls.frames[frame].path);
        let var = self.storages.declare(self.known.arith.store, &name, sort, origin);
        if self.known.calls.is_private(frame) {
            self.locals.insert(var);
        }
        var
    }

    /// Variables of a copy of a function for an intermediate value of any type that can be split.
    pub(super) fn temporary(&mut self, frame: FrameId, ty: TypeId) -> Option<StorageId> {
        let Known { program, unions, arith, calls, .. } = self.known;
        if !unions.is_splittable(&program.types, ty) {
            return None;
        }
        let otherwise = &VarOrigin::Temporary;
        let making =
            Making { types: &program.types, unions, arith, owner: None, otherwise, is_indexed: false };
        let prefix = format!("{}.", calls.frames[frame].path);
        let first = self.storages.parts.len();
        let storage = self.storages.make(making, ty, &prefix, "tmp");
        self.note_locals(frame, first);
        Some(storage)
    }

    /// The number of a new object, as the address of its first byte.
    pub(super) fn new_object(&mut self) -> ExprId {
        self.num_objects += 1;
        self.known.arith.object_address(self.num_objects)
    }

    /// The address of a function.
    pub(super) fn function_address(&mut self, function: FunctionId) -> ExprId {
        if let Some(address) = self.function_addresses.get(&function) {
            return *address;
        }
        let address = self.new_object();
        self.function_addresses.insert(function, address);
        address
    }

    /// Where an object lives.
    pub(super) fn home(&mut self, key: ObjectKey, ty: TypeId) -> Home {
        if let Some(home) = self.homes.get(&key) {
            return *home;
        }
        let Known { program, points, unions, singles, .. } = self.known;
        let home = match points.object(key).filter(|object| {
            let info = &points.objects[*object];
            let is_single = singles.object(points.class_of(*object)) == Some(*object);
            !is_single && (info.escapes || !unions.is_splittable(&program.types, ty))
        }) {
            Some(object) => Home::Memory { class: points.class_of(object), address: self.new_object() },
            None => Home::Variables(self.variables(key, ty)),
        };
        self.homes.insert(key, home);
        home
    }

    fn variables(&mut self, key: ObjectKey, ty: TypeId) -> StorageId {
        let Known { program, points, unions, arith, calls, .. } = self.known;
        let object = points.object(key).map(|object| &points.objects[object]);
        let Names { owner, otherwise, prefix, name } = self.names(key);
        let is_indexed = object.is_some_and(|object| object.is_indexed);
        let making =
            Making { types: &program.types, unions, arith, owner, otherwise: &otherwise, is_indexed };
        let first = self.storages.parts.len();
        let storage = self.storages.make(making, ty, &prefix, &name);
        match key {
            ObjectKey::Result(frame) if calls.is_procedure(frame) => {}
            ObjectKey::Local(frame, _) | ObjectKey::Result(frame) => self.note_locals(frame, first),
            ObjectKey::Global(_) | ObjectKey::Heap(..) => {}
        }
        let is_named = matches!(key, ObjectKey::Global(global) if points.named().contains(&global));
        if is_named || object.is_some_and(|object| object.contents == Contents::Arbitrary) {
            self.note_unranged(first);
        }
        storage
    }

    fn names(&self, key: ObjectKey) -> Names {
        let Known { program, calls, .. } = self.known;
        let prefix_of = |frame: FrameId| format!("{}.", calls.frames[frame].path);
        let (owner, otherwise, prefix) = match key {
            ObjectKey::Global(global) => {
                let function = program.globals[global].function;
                let prefix = function.map(|function| format!("{}.", program.functions[function].name));
                (Some(Owner::Global(global)), VarOrigin::Temporary, prefix.unwrap_or_default())
            }
            ObjectKey::Local(frame, local) => {
                (Some(Owner::Local(frame, local)), VarOrigin::Temporary, prefix_of(frame))
            }
            ObjectKey::Result(frame) => (None, VarOrigin::Result(frame), prefix_of(frame)),
            ObjectKey::Heap(..) => unreachable!("allocated objects should be in memory"),
        };
        let name = self.name_of(key).unwrap_or_else(|| "result".to_owned());
        Names { owner, otherwise, prefix, name }
    }

    /// Arrays made since there were `first` parts start with anything.
    fn note_unranged(&mut self, first: usize) {
        for part in self.storages.parts.iter().skip(first) {
            if let Storage::Scalar { var, is_array: true, .. } = part {
                self.unranged.insert(*var);
            }
        }
    }

    /// The variables of a copy that were made since there were `first` parts belong to an activation of its procedure.
    fn note_locals(&mut self, frame: FrameId, first: usize) {
        if !self.known.calls.is_private(frame) {
            return;
        }
        let made = self.storages.parts.iter().skip(first);
        let vars = made.filter_map(|part| match part {
            Storage::Scalar { var, .. } => Some(*var),
            _ => None,
        });
        self.locals.extend(vars);
    }

    /// Whether no variable of an activation turned out to be in memory.
    pub(super) fn has_private_locals(&self) -> bool {
        let is_private = |key: &ObjectKey| match key {
            ObjectKey::Local(frame, _) | ObjectKey::Result(frame) => self.known.calls.is_private(*frame),
            ObjectKey::Global(_) | ObjectKey::Heap(..) => false,
        };
        let in_memory = self.homes.iter().filter(|(_, home)| matches!(home, Home::Memory { .. }));
        let keys = in_memory.map(|(key, _)| key).chain(self.addresses.keys());
        let is_bookkeeping = |var: &VarId| self.storages.origins.get(var) == Some(&VarOrigin::Heap);
        !keys.into_iter().any(is_private) && !self.locals.iter().any(is_bookkeeping)
    }

    /// The objects whose addresses are constants, with the names they have in the program.
    pub(super) fn named_objects(&self) -> BTreeMap<u64, Object> {
        let Known { program, arith, calls, .. } = self.known;
        let in_memory = self.homes.iter().filter_map(|(key, home)| match home {
            Home::Memory { address, .. } => Some((*key, *address)),
            Home::Variables(_) => None,
        });
        let elsewhere = self.addresses.iter().map(|(key, address)| (*key, *address));
        let objects = in_memory.chain(elsewhere).filter_map(|(key, address)| {
            let (ty, owner) = match key {
                ObjectKey::Global(global) => (program.globals[global].ty, Owner::Global(global)),
                ObjectKey::Local(frame, local) => {
                    let function = &program.functions[calls.frames[frame].function];
                    (function.locals[local].ty, Owner::Local(frame, local))
                }
                ObjectKey::Result(_) | ObjectKey::Heap(..) => return None,
            };
            let object = Object { name: self.name_of(key)?, ty: Some(ty), owner: Some(owner) };
            Some((arith.object_number(address)?, object))
        });
        let functions = self.function_addresses.iter().filter_map(|(function, address)| {
            let name = program.functions[*function].name.clone();
            Some((arith.object_number(*address)?, Object { name, ty: None, owner: None }))
        });
        objects.chain(functions).collect()
    }

    /// The name that a variable has in the program.
    pub(super) fn name_of(&self, key: ObjectKey) -> Option<String> {
        let Known { program, calls, .. } = self.known;
        match key {
            ObjectKey::Global(global) => Some(program.globals[global].name.clone()),
            ObjectKey::Local(frame, local) => {
                let function = &program.functions[calls.frames[frame].function];
                Some(function.locals[local].name.clone())
            }
            ObjectKey::Result(_) | ObjectKey::Heap(..) => None,
        }
    }
}

/// The names and origins of the variables of an object.
struct Names {
    owner: Option<Owner>,
    otherwise: VarOrigin,
    prefix: String,
    name: String,
}
