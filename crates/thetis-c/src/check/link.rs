//! Links several translation units into one program: which of several definitions of a name counts, and which
//! structures are the same.
//!
//! All units are checked by one checker, so a name with external linkage means the same thing in all of them, and its
//! declarations must be compatible as if they were in one file. Every unit has its own scope. Of several definitions of
//! a function or variable one may be strong; weak definitions, and inline definitions, which C does not count as
//! definitions (C11 6.7.4), give way to it. C leaves open which of several inline definitions is called, so their
//! tokens must be equal.
//!
//! Structures of different units are compatible if their tags and members are (C11 6.2.7). So a unit starts with the
//! assumption that a tag at file scope means the same structure as in earlier units. If the members differ, the tag
//! gets its own structure in that unit, and everything is checked again, since other types may depend on it. Structures
//! without a tag are the same as one of another unit with the same members, preferably the one at the same place of the
//! same header.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Diagnostic, Span};

use super::scope::{Linkage, Linked};
use super::{Checked, Checker};
use crate::code;
use crate::hir::{FunctionType, GlobalId, Record, RecordId, RecordKind, Type, TypeId};
use crate::syntax::ast::{self, Name, Storage};

/// How much a definition counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Strength {
    /// An inline definition, with the fingerprint of its tokens.
    Inline(u64),
    /// A weak definition.
    Weak,
    /// An ordinary definition.
    Strong,
}

/// A definition.
#[derive(Clone, Copy, Debug)]
struct Definition {
    unit: usize,
    strength: Strength,
    span: Span,
    /// The fingerprint of an inline definition of the same name, if there was one.
    inline: Option<u64>,
}

/// The effect of a new definition on the one that counted so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Precedence {
    /// It is the first one, or another one of the same unit.
    Kept,
    /// It replaces the one that counted.
    Replaced,
    /// It does not count.
    Ignored,
}

/// For each tag of a unit, which of several structures with that tag it means; zero by default.
pub(super) type TagClasses = FxHashMap<(usize, Name), usize>;

/// What is known about the units of a program.
#[derive(Default)]
pub(super) struct Units {
    /// The unit at hand.
    pub(super) current: usize,
    pub(super) count: usize,
    definitions: FxHashMap<Linked, Definition>,
    classes: TagClasses,
    /// The tags that turned out to mean another structure than assumed.
    apart: BTreeSet<(usize, Name)>,
    /// The structures by tag and class.
    tagged: FxHashMap<(Name, usize), RecordId>,
    /// The unit that has defined a structure last.
    defined_in: FxHashMap<RecordId, usize>,
    /// Structures without a tag at file scope, with their places.
    nameless: Vec<(Span, RecordId)>,
    /// Those of them that the unit at hand has.
    met: FxHashSet<RecordId>,
    /// The types that the declarations of the unit at hand give to variables with linkage.
    own_types: FxHashMap<GlobalId, TypeId>,
}

impl Units {
    pub(super) fn new(count: usize, classes: TagClasses) -> Units {
        Units { count, classes, ..Units::default() }
    }

    /// Switches to a unit.
    pub(super) fn enter(&mut self, unit: usize) {
        self.current = unit;
        self.met.clear();
        self.own_types.clear();
    }

    /// The type that the current unit gives to a variable, which may be less complete than in other units.
    pub(super) fn own_type(&self, global: GlobalId) -> Option<TypeId> {
        self.own_types.get(&global).copied()
    }

    /// Where the definition of a variable that counts is.
    pub(super) fn place_of_definition(&self, global: GlobalId) -> Option<Span> {
        self.definitions.get(&Linked::Global(global)).map(|definition| definition.span)
    }

    /// The refined classes of tags, if the assumption was wrong.
    pub(super) fn refined(&self) -> Option<TagClasses> {
        if self.apart.is_empty() {
            return None;
        }
        let mut classes = self.classes.clone();
        for key in &self.apart {
            *classes.entry(key.clone()).or_default() += 1;
        }
        Some(classes)
    }

    /// Whether the definition of a function or variable that counts is in a unit.
    pub(super) fn counts(&self, linked: Linked, unit: usize) -> bool {
        self.definitions.get(&linked).is_none_or(|definition| definition.unit == unit)
    }

    fn class_of(&self, tag: &Name) -> usize {
        self.classes.get(&(self.current, tag.clone())).copied().unwrap_or(0)
    }
}

impl Checker<'_, '_> {
    /// Records a definition of `name` in the current unit, and returns which definition counts.
    pub(super) fn note_definition(
        &mut self,
        linked: Linked,
        name: &str,
        strength: Strength,
        span: Span,
    ) -> Checked<Precedence> {
        let unit = self.units.current;
        let inline = match strength {
            Strength::Inline(words) => Some(words),
            Strength::Weak | Strength::Strong => None,
        };
        let new = Definition { unit, strength, span, inline };
        let Some(old) = self.units.definitions.get(&linked).copied() else {
            self.units.definitions.insert(linked, new);
            return Ok(Precedence::Kept);
        };
        if old.unit == unit {
            return Ok(Precedence::Kept);
        }
        let words = [old.inline, new.inline];
        if let [Some(old_words), Some(new_words)] = words
            && old_words != new_words
        {
            return Err(self.two_definitions(format!("`{name}` has two inline definitions"), span, old.span));
        }
        let inline = old.inline.or(new.inline);
        match (old.strength, strength) {
            (Strength::Strong, Strength::Strong) => {
                Err(self.two_definitions(format!("`{name}` is defined in two files"), span, old.span))
            }
            (Strength::Inline(_), Strength::Weak | Strength::Strong) | (Strength::Weak, Strength::Strong) => {
                self.units.definitions.insert(linked, Definition { inline, ..new });
                Ok(Precedence::Replaced)
            }
            _ => {
                self.units.definitions.insert(linked, Definition { inline, ..old });
                Ok(Precedence::Ignored)
            }
        }
    }

    fn two_definitions(&mut self, message: String, span: Span, other: Span) -> thetis_base::Reported {
        let diagnostic = Diagnostic::error(span, code::DUPLICATE_NAME, message);
        self.sink.report(diagnostic.label(other, "defined here"))
    }

    /// How much the definition of a function counts.
    pub(super) fn strength_of_function(&self, name: &Name, definition: &ast::FunctionDefinition) -> Strength {
        let specifiers = &definition.specifiers;
        let mut attributes = specifiers.attributes.iter().chain(&definition.declarator.attributes);
        let is_gnu = attributes.any(|attribute| &*attribute.name == "gnu_inline");
        let is_inline = match specifiers.storage {
            Some(Storage::Static) => false,
            Some(Storage::Extern) if is_gnu => true,
            _ => {
                specifiers.is_inline && !is_gnu && !self.symbols.is_external_inline(name, self.units.current)
            }
        };
        match is_inline {
            true => Strength::Inline(definition.fingerprint),
            false => self.strength_of_variable(name),
        }
    }

    /// How much the definition of a variable, or of a function that is not inline, counts.
    pub(super) fn strength_of_variable(&self, name: &Name) -> Strength {
        match self.symbols.is_weak_in(name, self.units.current) {
            true => Strength::Weak,
            false => Strength::Strong,
        }
    }

    /// Notes the type that a declaration of the unit at hand gives to a variable.
    pub(super) fn note_own_type(&mut self, global: GlobalId, ty: TypeId) {
        let known = self.units.own_type(global);
        let own = known.and_then(|known| self.composite(known, ty)).unwrap_or(ty);
        self.units.own_types.insert(global, own);
    }

    /// A function that one unit declares without parameters takes promoted arguments, so other units must not declare
    /// different ones.
    pub(super) fn fits_without_prototype(&mut self, left: &FunctionType, right: &FunctionType) -> bool {
        let is_open = |ty: &FunctionType| ty.params.is_empty() && ty.is_variadic;
        let params = match (is_open(left), is_open(right)) {
            (true, false) => right.params.clone(),
            (false, true) => left.params.clone(),
            _ => return true,
        };
        params.into_iter().all(|param| {
            let float = self.float_kind(param) == Some(crate::hir::FloatKind::Float);
            !float && self.promoted_type(param, None) == Some(param)
        })
    }

    /// The record of a tag that is new in the innermost scope. At file scope it may be that of another unit.
    pub(super) fn record_of_tag(&mut self, kind: RecordKind, tag: &Name) -> RecordId {
        if !self.scopes.is_file_scope() || self.units.count < 2 {
            return self.add_record(kind, tag.to_string());
        }
        let key = (tag.clone(), self.units.class_of(tag));
        match self.units.tagged.get(&key).copied() {
            Some(record) if self.types.record(record).kind == kind => record,
            Some(_) => {
                self.units.apart.insert((self.units.current, tag.clone()));
                self.add_record(kind, tag.to_string())
            }
            None => {
                let record = self.add_record(kind, tag.to_string());
                self.units.tagged.insert(key, record);
                record
            }
        }
    }

    /// Notes that the unit at hand defines a record; false if it did so before.
    pub(super) fn is_first_definition(&mut self, record: RecordId) -> bool {
        self.units.defined_in.insert(record, self.units.current) != Some(self.units.current)
    }

    /// Gives a record its members, and returns the record to use, which may be an equal one of another unit.
    pub(super) fn complete_record(
        &mut self,
        record: RecordId,
        new: Record,
        tag: Option<&Name>,
        span: Span,
    ) -> RecordId {
        match (tag, self.types.record(record).fields.is_some()) {
            (Some(tag), true) => {
                if !is_same(self.types.record(record), &new) {
                    self.units.apart.insert((self.units.current, tag.clone()));
                }
                record
            }
            (None, _) if self.scopes.is_file_scope() && self.units.count > 1 => {
                let known = self.same_nameless(&new, span).unwrap_or(record);
                if known == record {
                    *self.types.record_mut(record) = new;
                    self.units.nameless.push((span, record));
                }
                self.units.met.insert(known);
                known
            }
            _ => {
                *self.types.record_mut(record) = new;
                record
            }
        }
    }

    /// Whether two structures without a tag have the same members, so that they are compatible if they are of different units.
    pub(super) fn are_same_nameless(&self, left: RecordId, right: RecordId) -> bool {
        let [left, right] = [left, right].map(|record| self.types.record(record));
        let is_nameless = left.tag.starts_with('#') && right.tag.starts_with('#');
        self.units.count > 1 && is_nameless && is_same(left, right)
    }

    fn same_nameless(&self, new: &Record, span: Span) -> Option<RecordId> {
        let fits =
            |record: &RecordId| !self.units.met.contains(record) && is_same(self.types.record(*record), new);
        let at = |record: &&(Span, RecordId)| record.0 == span && fits(&record.1);
        let all = &self.units.nameless;
        all.iter().find(at).or_else(|| all.iter().find(|(_, record)| fits(record))).map(|(_, record)| *record)
    }

    /// The linkage of a declaration of something with linkage.
    pub(super) fn linkage(specifiers: &ast::Specifiers, declarator: &ast::Declarator) -> Linkage {
        let mut attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        // A weak reference is declared `static` and means what another unit defines.
        let is_reference = attributes.any(|attribute| &*attribute.name == "weakref");
        match specifiers.storage {
            Some(Storage::Static) if !is_reference => Linkage::Internal,
            _ => Linkage::External,
        }
    }

    /// Whether a type is the one that a call of `name` without a declaration assumes: that of a library function, or
    /// any parameters and an `int` result.
    pub(super) fn fits_undeclared(&mut self, name: &str, ty: &FunctionType) -> bool {
        let (library, result) = (self.library_type(name), self.int());
        let is_of_library = library.is_some();
        let assumed = library.unwrap_or(FunctionType { result, params: Vec::new(), is_variadic: true });
        let [known, new] = [ty.clone(), assumed.clone()].map(|ty| self.types.intern(Type::Function(ty)));
        self.composite(known, new).is_some() && (is_of_library || self.fits_without_prototype(ty, &assumed))
    }
}

/// Whether two records have the same members at the same places.
fn is_same(left: &Record, right: &Record) -> bool {
    let (Some(left_fields), Some(right_fields)) = (&left.fields, &right.fields) else { return false };
    let same_fields = left_fields.len() == right_fields.len()
        && left_fields.iter().zip(right_fields).all(|(left, right)| {
            (&left.name, left.ty, left.offset, left.bits) == (&right.name, right.ty, right.offset, right.bits)
        });
    same_fields && (left.kind, left.size, left.align) == (right.kind, right.size, right.align)
}
