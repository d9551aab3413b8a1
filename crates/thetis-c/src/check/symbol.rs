//! Attributes and labels about linker symbols: other names, aliases, weak symbols, functions that run before and after
//! `main`, variables with cleanups.
//!
//! Two declarations with the same assembler name declare the same thing, whatever it is called in C. The alias of a
//! function gets a copy of its body and has its address; the alias of a variable is that variable. A weak symbol that
//! the program does not define may or may not exist, so its uses are not modelled.

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::Span;

use super::scope::{Linked, Symbol};
use super::{Checked, Checker};
use crate::code;
use crate::hir::{FunctionId, GlobalId, LocalId};
use crate::syntax::ast::{self, Attribute, Name, Storage};

/// The priority of constructors and destructors that have none: they run last, or first.
const NO_PRIORITY: u64 = 65_535;

/// What is known about symbols.
#[derive(Default)]
pub(super) struct Symbols {
    /// Facts about names, from the texts of the units.
    units: Vec<UnitSymbols>,
    weak: FxHashSet<Linked>,
    /// The functions that declarations refer to weakly.
    weak_references: FxHashSet<FunctionId>,
    /// The functions that are other names of functions, with those functions once they are declared.
    aliases: FxHashMap<FunctionId, Alias>,
    /// Functions that return more than once for one call.
    pub(super) returns_twice: FxHashSet<FunctionId>,
    /// The names for the assembler that earlier declarations gave.
    pub(super) assembler_names: FxHashMap<Name, Name>,
    /// What runs before `main`, with priorities.
    pub(super) constructors: Vec<(u64, FunctionId)>,
    /// What runs after `main`, with priorities.
    pub(super) destructors: Vec<(u64, FunctionId)>,
}

/// Another name of a function.
#[derive(Clone)]
struct Alias {
    target: Name,
    span: Span,
    /// The unit that declares it, whose functions the target is one of.
    unit: usize,
    function: Option<FunctionId>,
}

/// Facts about names, from the text of a unit.
#[derive(Default)]
struct UnitSymbols {
    /// The names that it defines.
    defined: FxHashSet<Name>,
    /// Those that no other unit can name.
    hidden: FxHashSet<Name>,
    weak: FxHashSet<Name>,
    /// The functions of which it has a declaration that is not inline, or is `extern`.
    external: FxHashSet<Name>,
}

impl UnitSymbols {
    fn of(unit: &ast::Unit) -> UnitSymbols {
        let mut symbols = UnitSymbols::default();
        for item in &unit.items {
            match item {
                ast::Item::Function(definition) => {
                    symbols.note(&definition.specifiers, &definition.declarator, Meaning::Definition);
                }
                ast::Item::Declaration(declaration) => {
                    for written in &declaration.declarators {
                        let is_extern = declaration.specifiers.storage == Some(Storage::Extern);
                        let is_function =
                            matches!(written.declarator.derived.first(), Some(ast::Derived::Function(_)));
                        let meaning = match written.initializer.is_some() || (!is_extern && !is_function) {
                            true => Meaning::Definition,
                            false => Meaning::Declaration,
                        };
                        symbols.note(&declaration.specifiers, &written.declarator, meaning);
                    }
                }
                ast::Item::StaticAssert(_) => {}
            }
        }
        symbols
    }

    fn note(&mut self, specifiers: &ast::Specifiers, declarator: &ast::Declarator, meaning: Meaning) {
        let Some(name) = &declarator.name else { return };
        let mut attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        if attributes.any(|attribute| &*attribute.name == "weak") {
            self.weak.insert(name.clone());
        }
        if specifiers.storage == Some(Storage::Static) {
            self.hidden.insert(name.clone());
        }
        if !specifiers.is_inline || specifiers.storage == Some(Storage::Extern) {
            self.external.insert(name.clone());
        }
        if meaning == Meaning::Definition {
            self.defined.insert(name.clone());
        }
    }

    /// Whether it defines a name that other units can use.
    fn offers(&self, name: &str) -> bool {
        self.defined.contains(name) && !self.hidden.contains(name)
    }
}

/// Whether a declaration defines what it declares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Definition,
    Declaration,
}

impl Symbols {
    /// Facts from the definitions of a program.
    pub(super) fn of(units: &[&ast::Unit]) -> Symbols {
        Symbols { units: units.iter().map(|unit| UnitSymbols::of(unit)).collect(), ..Symbols::default() }
    }

    /// Whether a unit has a declaration of a function that makes an inline definition of it an ordinary one.
    pub(super) fn is_external_inline(&self, name: &Name, unit: usize) -> bool {
        self.units[unit].external.contains(name)
    }

    /// Whether a unit declares a name weak.
    pub(super) fn is_weak_in(&self, name: &Name, unit: usize) -> bool {
        self.units[unit].weak.contains(name)
    }

    /// Whether a unit or one of the others defines what it calls `name`.
    fn is_defined(&self, name: &str, unit: usize) -> bool {
        self.units[unit].defined.contains(name) || self.units.iter().any(|unit| unit.offers(name))
    }

    /// Whether some unit has a strong definition of a name.
    fn is_strong(&self, name: &str) -> bool {
        self.units.iter().any(|unit| unit.offers(name) && !unit.weak.contains(name))
    }
}

impl Checker<'_, '_> {
    /// The name that the linker knows a function or variable by.
    pub(super) fn link_name(
        &mut self,
        name: &Name,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
    ) -> Checked<Name> {
        if let Some(pieces) = &declarator.assembler_name {
            let link: Name = self.plain_text(pieces)?.as_str().into();
            self.symbols.assembler_names.insert(name.clone(), link.clone());
            return Ok(link);
        }
        let mut attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        match attributes.find(|attribute| &*attribute.name == "weakref" && !attribute.arguments.is_empty()) {
            Some(attribute) => Ok(self.attribute_text(attribute)?.as_str().into()),
            None => Ok(self.symbols.assembler_names.get(name).unwrap_or(name).clone()),
        }
    }

    /// The name that the linker knows a variable by: that of the variable which it is an alias of.
    pub(super) fn variable_link_name(
        &mut self,
        name: &Name,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
    ) -> Checked<Name> {
        let mut attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        match attributes.find(|attribute| &*attribute.name == "alias") {
            Some(attribute) => Ok(self.attribute_text(attribute)?.as_str().into()),
            None => self.link_name(name, specifiers, declarator),
        }
    }

    /// Gives the attributes of a function their meaning.
    pub(super) fn function_attributes<'a>(
        &mut self,
        function: FunctionId,
        attributes: impl Iterator<Item = &'a Attribute>,
    ) -> Checked<()> {
        for attribute in attributes {
            match &*attribute.name {
                "noreturn" => self.functions[function].is_noreturn = true,
                "pure" | "const" => self.functions[function].is_pure = true,
                "returns_nonnull" => self.functions[function].returns_nonnull = true,
                "naked" => drop(self.opaque_bodies.insert(function, "a function without frame code")),
                "returns_twice" => drop(self.symbols.returns_twice.insert(function)),
                "weak" => drop(self.symbols.weak.insert(Linked::Function(function))),
                "weakref" => drop(self.symbols.weak_references.insert(function)),
                "alias" => {
                    let target = self.attribute_text(attribute)?.as_str().into();
                    let alias =
                        Alias { target, span: attribute.span, unit: self.units.current, function: None };
                    self.symbols.aliases.insert(function, alias);
                }
                "constructor" => {
                    let priority = self.priority(attribute)?;
                    note_once(&mut self.symbols.constructors, priority, function);
                }
                "destructor" => {
                    let priority = self.priority(attribute)?;
                    note_once(&mut self.symbols.destructors, priority, function);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn priority(&mut self, attribute: &Attribute) -> Checked<u64> {
        match attribute.arguments.first() {
            None => Ok(NO_PRIORITY),
            Some(argument) => {
                let number = self.integer_constant(argument)?;
                u64::try_from(number).ok().filter(|number| *number <= NO_PRIORITY).ok_or_else(|| {
                    self.sink.error(attribute.span, code::DECLARATION, "this priority is not possible")
                })
            }
        }
    }

    /// Gives the attributes of a variable with linkage their meaning.
    pub(super) fn variable_attributes<'a>(
        &mut self,
        global: GlobalId,
        attributes: impl Iterator<Item = &'a Attribute>,
    ) -> Checked<()> {
        for attribute in attributes {
            match &*attribute.name {
                "weak" => drop(self.symbols.weak.insert(Linked::Global(global))),
                "weakref" => {
                    let message = "another name for a variable is not supported";
                    return Err(self.sink.error(attribute.span, code::UNSUPPORTED, message));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether a variable is in memory that programs do not clear when they start, by the name of its section.
    pub(super) fn is_in_retained_section(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
    ) -> Checked<bool> {
        const WORDS: [&str; 9] =
            ["noinit", "no_init", "no-init", "uninit", "persist", "retain", "nvram", "backup", "battery"];
        let mut attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        let Some(attribute) = attributes.find(|attribute| &*attribute.name == "section") else {
            return Ok(false);
        };
        let section = self.attribute_text(attribute)?.to_lowercase();
        Ok(WORDS.iter().any(|word| section.contains(word)))
    }

    /// A variable without linkage has no other names.
    pub(super) fn check_unlinked(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
    ) -> Checked<()> {
        if declarator.assembler_name.is_some() && specifiers.storage != Some(Storage::Register) {
            let message = "another name for a variable without linkage is not supported";
            return Err(self.sink.error(declarator.span, code::UNSUPPORTED, message));
        }
        Ok(())
    }

    /// Whether another translation unit may decide what a symbol is: it is weak, or referred to weakly and not defined. One that
    /// the program does not define may also be missing.
    pub(super) fn is_open(&self, linked: Linked) -> bool {
        let is_missing = |function: FunctionId| {
            !self.symbols.is_defined(&self.functions[function].name, self.units.current)
        };
        let is_referred = match linked {
            Linked::Function(function) => {
                self.symbols.weak_references.contains(&function) && is_missing(function)
            }
            Linked::Global(_) => false,
        };
        let name = match linked {
            Linked::Function(function) => &self.functions[function].name,
            Linked::Global(global) => &self.globals[global].name,
        };
        is_referred || (self.symbols.weak.contains(&linked) && !self.symbols.is_strong(name))
    }

    /// Whether a variable is where a section starts or stops, which linkers define.
    pub(super) fn is_bound_of_section(&self, global: GlobalId) -> bool {
        let name = &self.globals[global].name;
        let is_bound = name.starts_with("__start_") || name.starts_with("__stop_");
        is_bound && !self.symbols.is_defined(name, self.units.current)
    }

    /// The function whose address a function has: the one that it is an alias of.
    pub(super) fn aliased(&self, function: FunctionId) -> Option<FunctionId> {
        self.symbols.aliases.get(&function)?.function
    }

    /// Finds the functions that the aliases of the unit at hand stand for, after all its declarations.
    pub(super) fn resolve_aliases(&mut self) {
        for alias in self.symbols.aliases.values_mut().filter(|alias| alias.unit == self.units.current) {
            alias.function = match self.scopes.find_linked(&alias.target) {
                Some(Linked::Function(target)) => Some(target),
                _ => None,
            };
        }
    }

    /// Whether a function is an alias.
    pub(super) fn is_alias(&self, function: FunctionId) -> bool {
        self.symbols.aliases.contains_key(&function)
    }

    /// Gives aliases the bodies of their functions.
    pub(super) fn copy_aliases(&mut self) {
        let functions: Vec<FunctionId> = self.functions.indices().filter(|id| self.is_alias(*id)).collect();
        for function in functions {
            let target = self.aliased(function).filter(|target| self.functions[*target].body.is_some());
            let Some(target) = target else {
                let span = self.symbols.aliases[&function].span;
                self.sink.error(span, code::UNKNOWN_NAME, "the alias is that of a function without a body");
                continue;
            };
            let target = self.functions[target].clone();
            let alias = &mut self.functions[function];
            alias.params = target.params;
            alias.locals = target.locals;
            alias.labels = target.labels;
            alias.body = target.body;
            alias.ty = target.ty;
        }
    }

    /// Registers the cleanup of a local variable.
    pub(super) fn note_cleanup(
        &mut self,
        name: &Name,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
    ) -> Checked<()> {
        let mut attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        let Some(attribute) = attributes.find(|attribute| &*attribute.name == "cleanup") else {
            return Ok(());
        };
        let function = match attribute.arguments.first().map(|argument| &argument.kind) {
            Some(ast::ExprKind::Name(function)) => self.scopes.find(function).cloned(),
            _ => None,
        };
        match (function, self.scopes.find(name).cloned()) {
            (Some(Symbol::Function(function)), Some(Symbol::Local(local))) => {
                self.add_cleanup(local, function);
                Ok(())
            }
            _ => Err(self.sink.error(attribute.span, code::DECLARATION, "`cleanup` needs a function")),
        }
    }

    fn add_cleanup(&mut self, local: LocalId, function: FunctionId) {
        let context = self.context();
        match context.cleanups.last_mut() {
            Some(cleanups) => cleanups.push((local, function)),
            None => context.cleanups.push(vec![(local, function)]),
        }
    }
}

fn note_once(list: &mut Vec<(u64, FunctionId)>, priority: u64, function: FunctionId) {
    if !list.iter().any(|(_, known)| *known == function) {
        list.push((priority, function));
    }
}
