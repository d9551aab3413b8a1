//! From syntax tree to checked program.
//!
//! Two rounds over all translation units. The first one goes over the declarations at file scope in order: types, variables with
//! their initialisers, and the heads of functions. The second one checks the bodies of functions, which therefore know every
//! declaration of their file, also later ones. For valid programs that makes no difference, since a name at file scope means the same
//! everywhere; old programs, which call functions before they declare them, get the true results. Whether a call knows the parameters is
//! remembered ([`prototype`]).
//!
//! The checker is as strict as gcc about invalid code, and as lenient about code that works anyway: integers and
//! pointers may be mixed (with a warning), and pointer targets need not agree. Qualifiers are not kept, because `const`
//! does not change the meaning of a program that compiles. Where it could, in `_Generic`, the expression is unsupported
//! if qualifiers would decide.
//!
//! | file | what |
//! | --- | --- |
//! | [`scope`] | what names mean |
//! | [`types`], [`record`], [`layout`] | specifiers and declarators, structures and enumerations, their layout |
//! | [`declare`], [`init`] | variables and functions, initialisers |
//! | [`literal`], [`constant`] | literals, constant expressions |
//! | [`expr`], [`operator`], [`convert`], [`call`], [`builtin`], [`atomic`] | expressions |
//! | [`stmt`] | statements |
//! | [`attribute`], [`symbol`], [`startup`] | attributes of types; names of the linker; what runs around `main` |
//! | [`prototype`], [`variadic`] | arguments of functions without a prototype, variable arguments |
//! | [`link`] | several translation units |

mod atomic;
mod attribute;
mod builtin;
mod call;
mod cleanup;
mod constant;
mod convert;
mod declare;
mod expr;
mod float;
mod function;
mod init;
mod layout;
mod link;
mod literal;
mod operator;
mod overflow;
mod prototype;
mod query;
mod record;
mod replace;
mod scope;
mod size;
mod startup;
mod stmt;
mod symbol;
mod types;
mod variadic;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Diagnostics, IndexVec, Reported, Sink, Span};

use crate::code;
use crate::hir::{
    DataModel, FloatKind, Function, FunctionId, Global, GlobalId, IntKind, Machine, Program, RecordId, Type,
    TypeId, Types,
};
use crate::syntax::ast;
use function::{FunctionContext, PendingBody};
use link::{TagClasses, Units};
use scope::{Aligned, Scopes, Symbol, UnitNames};

/// The stack that one level of the tree may need, and what is added when it runs short.
const RED_ZONE: usize = 256 * 1024;
const MORE_STACK: usize = 4 * 1024 * 1024;

type Checked<T> = Result<T, Reported>;

/// Checks the translation units of a program and links them. Errors are in the diagnostics.
pub(crate) fn check(
    units: &[&ast::Unit],
    machine: Machine,
    diagnostics: &mut Diagnostics,
) -> Checked<Program> {
    let mut classes = TagClasses::default();
    loop {
        let mut reported = diagnostics.clone();
        let mut sink = Sink::new(&mut reported);
        let mut checker = Checker::new(units, machine, classes, &mut sink);
        checker.check_units(units);
        match checker.units.refined() {
            Some(refined) => classes = refined,
            None => {
                let program = checker.program();
                *diagnostics = reported;
                return program;
            }
        }
    }
}

/// The state of the checker: everything declared so far.
struct Checker<'c, 'd> {
    types: Types,
    globals: IndexVec<GlobalId, Global>,
    functions: IndexVec<FunctionId, Function>,
    scopes: Scopes,
    /// Records that stand for types that are not supported, with what they are.
    opaque: FxHashMap<RecordId, String>,
    /// Their types by name.
    opaque_types: FxHashMap<String, TypeId>,
    /// Unions that take the value of any of their members as an argument.
    transparent: FxHashSet<RecordId>,
    /// Functions with old-style definitions: the arguments of calls need not match.
    old_style: FxHashSet<FunctionId>,
    prototypes: prototype::Prototypes,
    /// What attributes say about functions and variables.
    symbols: symbol::Symbols,
    /// How the translation units belong together.
    units: Units,
    /// The functions with variable arguments.
    variadic: variadic::Variadic,
    /// Functions whose bodies are not supported, with the reason.
    opaque_bodies: FxHashMap<FunctionId, &'static str>,
    /// Whether a type may alias all others.
    has_aliasing_types: bool,
    has_open_startup: bool,
    has_atomic_types: bool,
    /// The parts of the units' texts that come from headers of the system, in order.
    system: Vec<Span>,
    /// The function whose body is being checked.
    function: Option<FunctionContext>,
    /// How many parameter lists of mere declarations are open.
    num_open_prototypes: usize,
    num_nameless: usize,
    sink: &'c mut Sink<'d>,
}

impl<'c, 'd> Checker<'c, 'd> {
    fn new(units: &[&ast::Unit], machine: Machine, classes: TagClasses, sink: &'c mut Sink<'d>) -> Self {
        let mut system: Vec<Span> = units.iter().flat_map(|unit| unit.system.iter().copied()).collect();
        system.sort_unstable_by_key(|part| (part.file, part.start));
        system.dedup();
        Checker {
            types: Types::new(machine),
            globals: IndexVec::new(),
            functions: IndexVec::new(),
            scopes: Scopes::new(),
            opaque: FxHashMap::default(),
            opaque_types: FxHashMap::default(),
            transparent: FxHashSet::default(),
            old_style: FxHashSet::default(),
            prototypes: prototype::Prototypes::default(),
            symbols: symbol::Symbols::of(units),
            units: Units::new(units.len(), classes),
            variadic: variadic::Variadic::default(),
            opaque_bodies: FxHashMap::default(),
            has_aliasing_types: false,
            has_open_startup: false,
            has_atomic_types: units.iter().any(|unit| unit.has_atomic_types),
            system,
            function: None,
            num_open_prototypes: 0,
            num_nameless: 0,
            sink,
        }
    }

    /// Checks all units; errors are in the sink.
    fn check_units(&mut self, units: &[&ast::Unit]) {
        let mut pending = Vec::new();
        for (number, unit) in units.iter().enumerate() {
            self.enter_unit(number);
            let mut bodies = Vec::new();
            for (position, item) in unit.items.iter().enumerate() {
                self.prototypes.position = position;
                // An error is in the sink; the next declaration may have another one.
                let _ = self.item(item, &mut bodies);
            }
            self.complete_definitions();
            self.resolve_aliases();
            let names = self.scopes.change_unit(UnitNames::default());
            pending.push((bodies, names, std::mem::take(&mut self.symbols.assembler_names)));
        }
        for (number, (bodies, names, assembler_names)) in pending.into_iter().enumerate() {
            self.units.enter(number);
            self.scopes.change_unit(names);
            self.symbols.assembler_names = assembler_names;
            for body in bodies {
                if self.sink.is_full() {
                    return;
                }
                self.body(body);
            }
        }
    }

    /// Whether something is written in a header of the system.
    fn is_in_system(&self, span: Span) -> bool {
        let num_before =
            self.system.partition_point(|part| (part.file, part.start) <= (span.file, span.start));
        let last = num_before.checked_sub(1).map(|number| self.system[number]);
        last.is_some_and(|part| part.file == span.file && span.start < part.end)
    }

    /// Starts a unit, with the types that have a name without being declared.
    fn enter_unit(&mut self, number: usize) {
        self.units.enter(number);
        for (name, kind) in [("__int128_t", IntKind::Int128), ("__uint128_t", IntKind::UnsignedInt128)] {
            let ty = self.int_type(kind);
            self.scopes.declare(name.into(), Symbol::Typedef(Aligned::plain(ty)));
        }
    }

    /// The program after all its units were checked.
    fn program(mut self) -> Checked<Program> {
        self.copy_aliases();
        self.copy_variadic();
        let start = self.start_function();
        self.sink.check()?;
        Ok(Program {
            types: self.types,
            globals: self.globals,
            functions: self.functions,
            start,
            has_aliasing_types: self.has_aliasing_types,
            has_open_startup: self.has_open_startup,
            has_atomic_types: self.has_atomic_types,
            entry: None,
            arguments: None,
        })
    }

    fn item<'a>(&mut self, item: &'a ast::Item, bodies: &mut Vec<PendingBody<'a>>) -> Checked<()> {
        match item {
            ast::Item::Declaration(declaration) => self.file_scope_declaration(declaration),
            ast::Item::StaticAssert(assertion) => self.static_assert(assertion),
            ast::Item::Function(definition) => {
                bodies.push(self.function_head(definition)?);
                Ok(())
            }
        }
    }

    fn static_assert(&mut self, assertion: &ast::StaticAssert) -> Checked<()> {
        let condition = self.integer_constant(&assertion.condition)?;
        if condition.bits() > 0 {
            return Ok(());
        }
        let mut message = "static assertion failed".to_owned();
        if let Some(piece) = assertion.message.first() {
            message += &format!(": {}", piece.node);
        }
        Err(self.sink.error(assertion.span, code::STATIC_ASSERT, message))
    }

    fn model(&self) -> DataModel {
        self.types.model()
    }

    fn int_type(&mut self, kind: IntKind) -> TypeId {
        self.types.intern(Type::Int(kind))
    }

    fn int(&mut self) -> TypeId {
        self.int_type(IntKind::Int)
    }

    fn float_type(&mut self, kind: FloatKind) -> TypeId {
        self.types.intern(Type::Float(kind))
    }

    fn void(&mut self) -> TypeId {
        self.types.intern(Type::Void)
    }

    fn pointer_to(&mut self, target: TypeId) -> TypeId {
        self.types.intern(Type::Pointer(target))
    }

    /// The type of `sizeof`.
    fn size_type(&mut self) -> TypeId {
        self.int_type(match self.types.model() {
            DataModel::Ilp32 => IntKind::UnsignedInt,
            DataModel::Lp64 => IntKind::UnsignedLong,
        })
    }

    /// The type of differences of pointers.
    fn difference_type(&mut self) -> TypeId {
        self.int_type(match self.types.model() {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        })
    }

    /// A name for something that has none in the text.
    fn nameless(&mut self, what: &str) -> String {
        self.num_nameless += 1;
        format!("#{what}{}", self.num_nameless)
    }

    fn type_error<T>(&mut self, span: Span, message: impl Into<String>) -> Checked<T> {
        Err(self.sink.error(span, code::TYPE_MISMATCH, message))
    }

    /// Goes one level deeper with enough stack.
    fn deeper<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> T {
        stacker::maybe_grow(RED_ZONE, MORE_STACK, || step(self))
    }
}
