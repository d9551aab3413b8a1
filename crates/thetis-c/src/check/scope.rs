//! What names mean: a stack of scopes, with separate names for tags, and the names that scopes and files share by linkage.
//!
//! Each translation unit has its own scope and its own names with linkage: those that are `static` in it, and those
//! that it shares with all other units.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::hir::{FunctionId, GlobalId, LocalId, RecordId, TypeId};
use crate::syntax::ast::{Derived, Name};

/// What an ordinary name means.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Typedef(Aligned),
    Local(LocalId),
    Global(GlobalId),
    Function(FunctionId),
    Enumerator(BigInt, TypeId),
    /// A parameter in a prototype: it has a type and no value.
    PrototypeParameter(TypeId),
}

/// A type with the alignment that attributes gave to its name, or to what is being declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Aligned {
    pub(super) ty: TypeId,
    /// The alignment that a type name stands for, which may be less than that of the type.
    pub(super) align: Option<u64>,
    /// The least alignment that a declaration asks for.
    pub(super) min_align: Option<u64>,
    /// Whether it is an enumeration.
    pub(super) is_enum: bool,
    /// Whether it is the name of a `const` type.
    pub(super) is_const: bool,
}

impl Aligned {
    /// A type with its own alignment.
    pub(super) fn plain(ty: TypeId) -> Aligned {
        Aligned { ty, align: None, min_align: None, is_enum: false, is_const: false }
    }

    /// The type `ty` that a declarator makes of this one. Pointers have their own alignment, arrays that of their elements.
    pub(super) fn derived(self, ty: TypeId, derived: &[Derived]) -> Aligned {
        let keeps = derived.iter().all(|part| matches!(part, Derived::Array(_)));
        let is_enum = self.is_enum && derived.is_empty();
        Aligned {
            ty,
            align: self.align.filter(|_| keeps),
            min_align: self.min_align,
            is_enum,
            is_const: false,
        }
    }

    /// The same with a least alignment.
    pub(super) fn at_least(self, align: Option<u64>) -> Aligned {
        Aligned { min_align: self.min_align.max(align), ..self }
    }

    /// The meaning of a type name with this declaration.
    pub(super) fn named(self) -> Aligned {
        Aligned { align: self.min_align.or(self.align), min_align: None, ..self }
    }
}

/// What a tag means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(TypeId),
}

/// What has linkage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Linked {
    Global(GlobalId),
    Function(FunctionId),
}

/// One scope.
#[derive(Default, Debug)]
pub(super) struct Scope {
    names: FxHashMap<Name, Symbol>,
    tags: FxHashMap<Name, Tag>,
}

/// Who can name something that has linkage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Linkage {
    /// The translation unit that declares it.
    Internal,
    /// All units.
    External,
}

/// The names of a translation unit.
#[derive(Default, Debug)]
pub(super) struct UnitNames {
    file: Scope,
    linked: FxHashMap<Name, Linked>,
}

/// The open scopes; the first one is that of the file.
pub(super) struct Scopes {
    open: Vec<Scope>,
    /// What has linkage and is declared in the unit at hand.
    linked: FxHashMap<Name, Linked>,
    /// What all units can name.
    external: FxHashMap<Name, Linked>,
}

impl Scopes {
    pub(super) fn new() -> Scopes {
        let (linked, external) = (FxHashMap::default(), FxHashMap::default());
        Scopes { open: vec![Scope::default()], linked, external }
    }

    /// Switches to another translation unit, with the names that it has so far; returns those of the previous unit.
    pub(super) fn change_unit(&mut self, names: UnitNames) -> UnitNames {
        let file = std::mem::replace(&mut self.open[0], names.file);
        UnitNames { file, linked: std::mem::replace(&mut self.linked, names.linked) }
    }

    pub(super) fn enter(&mut self) {
        self.open.push(Scope::default());
    }

    /// Opens a scope that was closed before.
    pub(super) fn reenter(&mut self, scope: Scope) {
        self.open.push(scope);
    }

    pub(super) fn leave(&mut self) -> Scope {
        assert!(self.open.len() > 1, "the scope of the file should stay open");
        self.open.pop().unwrap_or_default()
    }

    pub(super) fn is_file_scope(&self) -> bool {
        self.open.len() == 1
    }

    pub(super) fn find(&self, name: &str) -> Option<&Symbol> {
        self.open.iter().rev().find_map(|scope| scope.names.get(name))
    }

    /// What a name means if the innermost scope declares it.
    pub(super) fn find_here(&self, name: &str) -> Option<&Symbol> {
        self.innermost().names.get(name)
    }

    pub(super) fn declare(&mut self, name: Name, symbol: Symbol) {
        self.innermost_mut().names.insert(name, symbol);
    }

    pub(super) fn declare_at_file_scope(&mut self, name: Name, symbol: Symbol) {
        self.open[0].names.insert(name, symbol);
    }

    pub(super) fn find_tag(&self, tag: &str) -> Option<Tag> {
        self.open.iter().rev().find_map(|scope| scope.tags.get(tag)).copied()
    }

    pub(super) fn find_tag_here(&self, tag: &str) -> Option<Tag> {
        self.innermost().tags.get(tag).copied()
    }

    pub(super) fn declare_tag(&mut self, name: Name, tag: Tag) {
        self.innermost_mut().tags.insert(name, tag);
    }

    /// What a name means that the unit at hand declares or could declare `extern`.
    pub(super) fn find_linked(&self, name: &str) -> Option<Linked> {
        self.linked.get(name).or_else(|| self.external.get(name)).copied()
    }

    /// What a declaration with this linkage declares, if there was one before.
    pub(super) fn find_declared(&self, name: &str, linkage: Linkage) -> Option<Linked> {
        match linkage {
            Linkage::Internal => self.linked.get(name).copied(),
            Linkage::External => self.find_linked(name),
        }
    }

    /// Notes that the unit at hand declares something. What it declared `static` before stays so.
    pub(super) fn link(&mut self, name: Name, linked: Linked, linkage: Linkage) {
        if self.linked.contains_key(&name) {
            return;
        }
        self.linked.insert(name.clone(), linked);
        if linkage == Linkage::External {
            self.external.insert(name, linked);
        }
    }

    fn innermost(&self) -> &Scope {
        self.open.last().expect("the scope of the file should stay open")
    }

    fn innermost_mut(&mut self) -> &mut Scope {
        self.open.last_mut().expect("the scope of the file should stay open")
    }
}
