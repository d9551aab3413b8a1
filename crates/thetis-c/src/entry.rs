//! A function of a program by itself: it is called once, with arbitrary arguments, in an arbitrary state of the variables.
//!
//! The program gets a function that makes the arguments and calls the one that is asked about; it takes the place of `main`. Numbers
//! are arbitrary. What pointers are is a choice of the user ([`Pointers`]), since a function alone does not say how many elements a
//! pointer points to. Variables with static storage that can change are arbitrary, those of the C library too: an earlier call may have
//! changed them. (They become variables that the program declares and does not define.) What was decided is part of the assumptions of every verdict, and a proof
//! that covers only some of the pointers that a caller could pass says so in its verdict line.

use num_bigint::BigInt;
use thetis_base::{IndexVec, SourceMap, Span};

use crate::hir::{
    ArrayLength, Callee, Expr, ExprKind, Field, FloatKind, Function, FunctionId, FunctionType, Global,
    Initializer, IntKind, Local, LocalId, Part, Place, PlaceKind, Program, Record, RecordKind, Step, Stmt,
    StmtKind, Type, TypeId,
};
use crate::library::is_model;
use crate::lower::AssumptionKind;

/// The variable of the models that says whether the program has set a locale.
const LOCALE: &str = "__thetis_has_locale";

/// An argument has at most this many scalars.
const MAX_PARTS: usize = 4096;

/// What the pointers are that a function gets.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Pointers {
    /// Null pointers.
    Null,
    /// Each points to an object of its own, with arbitrary contents.
    #[default]
    Fresh,
    /// Each points to an object with arbitrary contents: its own, that of another argument of the same type, or a global variable of
    /// that type.
    Aliasing,
    /// Each points to the first of this many objects.
    Array(u64),
    /// Nothing is known about them: they may be null, dangling, or point into any object that the outside knows.
    Any,
}

impl Pointers {
    /// What a proof takes for granted about the callers of the function.
    fn assumption(self) -> Option<EntryAssumption> {
        let (kind, text) = match self {
            Pointers::Null => (AssumptionKind::NullPointers, "its pointers are null".to_owned()),
            Pointers::Fresh => (
                AssumptionKind::SeparatePointers,
                "each of its pointers points to a single object, not to an array, and nothing else points to it"
                    .to_owned(),
            ),
            Pointers::Aliasing => (
                AssumptionKind::WholeObjects,
                "each of its pointers points to one whole object, which pointers to the same type may share"
                    .to_owned(),
            ),
            Pointers::Array(length) => (
                AssumptionKind::SeparatePointers,
                format!("each of its pointers points to {length} objects that nothing else points to"),
            ),
            Pointers::Any => return None,
        };
        Some(EntryAssumption { kind, text })
    }
}

/// Something that a verdict about a function takes for granted.
#[derive(Clone, Debug)]
pub struct EntryAssumption {
    /// What kind it is.
    pub kind: AssumptionKind,
    /// What is taken for granted.
    pub text: String,
}

/// The name of what a pointer of a function by itself points to, or of a part of it, as C writes it: the object behind `a` is called
/// `(*a)`, and `(a[])` if there are several. Other names stay as they are.
pub(crate) fn target_name(name: &str) -> String {
    let named = |text: &str| -> Option<String> {
        let (inner, path) = text.strip_prefix('(')?.rsplit_once(')')?;
        match inner.strip_prefix('*') {
            Some(pointer) if path.is_empty() => Some(format!("*{pointer}")),
            Some(pointer) => path.strip_prefix('.').map(|field| format!("{pointer}->{field}")),
            None => inner.strip_suffix("[]").map(|array| match path.is_empty() {
                true => array.to_owned(),
                false => format!("{array}{path}"),
            }),
        }
    };
    match name.strip_prefix('&') {
        Some(object) => match named(object) {
            Some(object) => format!("pointer to {object}"),
            None => name.to_owned(),
        },
        None => named(name).unwrap_or_else(|| name.to_owned()),
    }
}

/// The function that a program starts with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name; if several files define such a function, with its file before a colon.
    pub function: String,
    /// What its pointers are.
    pub pointers: Pointers,
    /// What the variables of the program are.
    pub state: EntryState,
    /// What pointers are inside of the objects that it gets.
    pub inside: Inside,
}

/// What pointers are inside of the objects that a function gets.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Inside {
    /// Nothing is known about them.
    #[default]
    Anything,
    /// Null, or pointers to further objects with arbitrary contents, for [`MAX_LEVELS`] levels; nothing is known about those inside the last.
    Objects,
}

/// How many levels of objects there are behind an argument, at most.
const MAX_LEVELS: usize = 3;

/// How many objects there are behind all arguments, at most.
const MAX_OBJECTS: usize = 24;

/// The state in which a program starts with a function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EntryState {
    /// Any: an earlier call may have changed the variables.
    #[default]
    Arbitrary,
    /// That of a program which has just been started: the function takes the place of `main`.
    Initial,
}

impl Entry {
    /// What every verdict takes for granted.
    fn assumption(&self) -> EntryAssumption {
        let function = &self.function;
        let text = match self.state {
            EntryState::Arbitrary => {
                format!(
                    "the program is one call of `{function}` with arbitrary arguments and global variables, in the \"C\" locale; no other thread runs beside it, and no handlers are installed"
                )
            }
            EntryState::Initial => format!("the program starts with `{function}` instead of `main`"),
        };
        EntryAssumption { kind: AssumptionKind::Entry, text }
    }
}

/// The names of all functions with a body, in the order of the text. Those that several files define come with their file, as in
/// `lib/a.c:init`.
pub fn functions(program: &Program, sources: &SourceMap) -> Vec<String> {
    let own: Vec<&Function> = program
        .functions
        .iter()
        .filter(|function| is_entry(function) && !is_model(&function.name) && !function.name.contains('#'))
        .collect();
    let mut names: Vec<String> = Vec::new();
    for function in &own {
        let is_other =
            |other: &&Function| other.name == function.name && other.span.file != function.span.file;
        let name = match own.iter().any(is_other) {
            true => qualified(function, sources),
            false => function.name.clone(),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether a program can start with a function.
fn is_entry(function: &Function) -> bool {
    function.body.is_some() && function.num_extra == 0
}

/// The name of a function with its file.
fn qualified(function: &Function, sources: &SourceMap) -> String {
    format!("{}:{}", sources.file(function.span.file).name(), function.name)
}

/// The function that is called `asked`, perhaps with its file or the end of its path. A function in a header is one for each file that
/// includes it; the first counts.
fn find(program: &Program, asked: &str, sources: &SourceMap) -> Result<FunctionId, String> {
    let (file, name) = asked.rsplit_once(':').map_or((None, asked), |(file, name)| (Some(file), name));
    let is_in = |path: &str| {
        file.is_none_or(|file| {
            path == file || path.strip_suffix(file).is_some_and(|rest| rest.ends_with('/'))
        })
    };
    let named: Vec<(FunctionId, &Function)> = program
        .functions
        .iter_enumerated()
        .filter(|(_, function)| {
            function.name == name && is_entry(function) && is_in(sources.file(function.span.file).name())
        })
        .collect();
    let Some((first, function)) = named.first() else {
        return Err(format!("the program defines no function `{asked}`"));
    };
    if named.iter().all(|(_, other)| other.span.file == function.span.file) {
        return Ok(*first);
    }
    let mut choices: Vec<String> =
        named.iter().map(|(_, function)| format!("`{}`", qualified(function, sources))).collect();
    choices.dedup();
    Err(format!("several files define a function `{name}`; choose one of {}", choices.join(", ")))
}

/// Lets a program start with a function. An error is in words.
pub fn enter(program: &mut Program, entry: &Entry, sources: &SourceMap) -> Result<(), String> {
    let function = find(program, &entry.function, sources)?;
    let span = program.functions[function].span;
    if entry.state == EntryState::Initial {
        return start(program, entry, function);
    }
    let mut caller = Caller {
        program,
        pointers: entry.pointers,
        inside: entry.inside,
        is_nested: false,
        num_nested: 0,
        has_pointers: false,
        objects: Vec::new(),
        locals: IndexVec::new(),
        stmts: Vec::new(),
        span,
    };
    caller.call(function)?;
    let Caller { locals, stmts, has_pointers, is_nested, .. } = caller;
    let result = program.types.intern(Type::Void);
    let ty = FunctionType { result, params: Vec::new(), is_variadic: false };
    let start = Function {
        name: program.functions[function].name.clone(),
        ty,
        params: Vec::new(),
        num_extra: 0,
        locals,
        labels: IndexVec::new(),
        body: Some(stmts),
        is_noreturn: false,
        is_pure: false,
        returns_nonnull: false,
        is_system: false,
        span,
    };
    program.start = Some(program.functions.push(start));
    program.has_open_startup = false;
    let about_pointers = has_pointers.then(|| entry.pointers.assumption()).flatten();
    let about_inside = is_nested.then(|| EntryAssumption {
        kind: AssumptionKind::SeparatePointers,
        text: format!(
            "pointers inside of these objects are null or point to one object that nothing else points to, {MAX_LEVELS} levels deep; nothing is known of deeper ones"
        ),
    });
    let assumptions = [entry.assumption()].into_iter().chain(about_pointers).chain(about_inside).collect();
    program.entry = Some(EntryPoint { assumptions, span, is_called: true });
    for global in &mut program.globals {
        let is_changing = !global.is_const && global.name != LOCALE;
        if is_changing {
            global.is_defined = false;
            global.initializer = None;
        }
    }
    Ok(())
}

/// Lets a function take the place of `main`. The function `main` does so already.
fn start(program: &mut Program, entry: &Entry, function: FunctionId) -> Result<(), String> {
    if program.functions[function].name == "main" {
        return Ok(());
    }
    let Function { params, span, .. } = &program.functions[function];
    if !params.is_empty() {
        return Err(format!(
            "a program cannot start with `{}`, which has parameters; `--function` calls it with arbitrary arguments",
            entry.function
        ));
    }
    let span = *span;
    program.start = Some(function);
    program.entry = Some(EntryPoint { assumptions: vec![entry.assumption()], span, is_called: false });
    Ok(())
}

/// A function that a program starts with instead of `main`.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    /// What is taken for granted about the call.
    pub assumptions: Vec<EntryAssumption>,
    /// Where the function is defined.
    pub span: Span,
    /// Whether a function that was made for the purpose makes its arguments and calls it.
    pub is_called: bool,
}

/// Makes the call.
struct Caller<'p> {
    program: &'p mut Program,
    pointers: Pointers,
    /// Whether an argument is a pointer that [`Pointers`] decides about.
    has_pointers: bool,
    inside: Inside,
    /// Whether there are pointers inside of objects that [`Inside`] decides about.
    is_nested: bool,
    /// How many objects they point to.
    num_nested: usize,
    /// The objects that pointers may share: their types and where they are.
    objects: Vec<(TypeId, PlaceKind)>,
    locals: IndexVec<LocalId, Local>,
    stmts: Vec<Stmt>,
    span: Span,
}

impl Caller<'_> {
    fn call(&mut self, function: FunctionId) -> Result<(), String> {
        let Function { params, locals, ty, span, .. } = self.program.functions[function].clone();
        let mut args = Vec::new();
        for (param, ty) in params.iter().zip(&ty.params) {
            self.span = locals[*param].span;
            args.push(self.argument(&locals[*param].name, *ty)?);
        }
        self.span = span;
        let call =
            Expr { kind: ExprKind::Call(Callee::Function(function), args), ty: ty.result, span: self.span };
        self.stmts.push(Stmt { kind: StmtKind::Expr(call), span: self.span });
        self.stmts.push(Stmt { kind: StmtKind::Return(None), span: self.span });
        Ok(())
    }

    /// A variable for an argument, and its value.
    fn argument(&mut self, name: &str, ty: TypeId) -> Result<Expr, String> {
        let ty = self.program.types.plain(ty);
        let value = match *self.program.types.get(ty) {
            Type::Pointer(target) => Initializer::Value(self.pointer(name, ty, target)?),
            Type::Record(_) => Initializer::Parts(self.parts(&format!("{name}."), ty, 1)?),
            _ => Initializer::Value(self.scalar(ty)),
        };
        let local = self.local(name.to_owned(), ty, value);
        Ok(self.load(local, ty))
    }

    fn local(&mut self, name: String, ty: TypeId, value: Initializer) -> LocalId {
        let local = self.locals.push(Local { name, ty, is_const: false, span: self.span });
        self.stmts.push(Stmt { kind: StmtKind::Declare(local, Some(value)), span: self.span });
        local
    }

    fn load(&self, local: LocalId, ty: TypeId) -> Expr {
        let place = Place { kind: PlaceKind::Local(local), ty, span: self.span };
        Expr { kind: ExprKind::Load(Box::new(place)), ty, span: self.span }
    }

    /// The value of a pointer that is an argument.
    fn pointer(&mut self, name: &str, ty: TypeId, target: TypeId) -> Result<Expr, String> {
        let is_object = !matches!(self.program.types.get(target), Type::Void | Type::Function(_))
            && self.program.types.size_of(target).is_some_and(|size| size > 0);
        let span = self.span;
        let place = |local: LocalId, ty: TypeId| Box::new(Place { kind: PlaceKind::Local(local), ty, span });
        // Nobody knows what it points to.
        if self.pointers == Pointers::Any || (self.pointers != Pointers::Null && !is_object) {
            return Ok(self.outside(ty));
        }
        self.has_pointers = true;
        let kind = match self.pointers {
            Pointers::Array(length) => {
                let array = self.program.types.intern(Type::Array(target, ArrayLength::Constant(length)));
                let objects = Initializer::Parts(self.parts(name, array, 1)?);
                ExprKind::Decay(place(self.local(format!("({name}[])"), array, objects), array))
            }
            Pointers::Fresh => ExprKind::AddressOf(place(self.object(name, target, 1)?, target)),
            Pointers::Aliasing => return self.shared(name, ty, target),
            Pointers::Null | Pointers::Any => ExprKind::Int(BigInt::ZERO),
        };
        Ok(Expr { kind, ty, span })
    }

    /// An object for a pointer, with arbitrary contents.
    fn object(&mut self, name: &str, target: TypeId, level: usize) -> Result<LocalId, String> {
        let plain = self.program.types.plain(target);
        let contents = match *self.program.types.get(plain) {
            Type::Record(_) => Initializer::Parts(self.parts(&format!("{name}->"), target, level)?),
            Type::Array(..) => Initializer::Parts(self.parts(&format!("(*{name})"), target, level)?),
            Type::Pointer(_) => Initializer::Value(self.inner_pointer(&format!("*{name}"), plain, level)?),
            _ => Initializer::Value(self.scalar(target)),
        };
        Ok(self.local(format!("(*{name})"), target, contents))
    }

    /// A pointer to an object of its own or to one of the others of its type, arbitrarily chosen.
    fn shared(&mut self, name: &str, ty: TypeId, target: TypeId) -> Result<Expr, String> {
        let own = self.object(name, target, 1)?;
        let plain = self.program.types.plain(target);
        let is_candidate = |global: &Global| !global.is_const && !is_model(&global.name);
        let globals = self.program.globals.iter_enumerated().filter(|(_, global)| is_candidate(global));
        let globals = globals.map(|(id, global)| (global.ty, PlaceKind::Global(id)));
        let others: Vec<PlaceKind> = (self.objects.iter().cloned())
            .chain(globals)
            .filter(|(ty, _)| self.program.types.plain(*ty) == plain)
            .map(|(_, kind)| kind)
            .collect();
        self.objects.push((target, PlaceKind::Local(own)));
        let span = self.span;
        let address = |kind: PlaceKind| Expr {
            kind: ExprKind::AddressOf(Box::new(Place { kind, ty: target, span })),
            ty,
            span,
        };
        let mut value = address(PlaceKind::Local(own));
        for other in others {
            let int = self.program.types.intern(Type::Int(IntKind::Int));
            let choice = Box::new(self.scalar(int));
            let kind = ExprKind::Conditional(choice, Box::new(address(other)), Box::new(value));
            value = Expr { kind, ty, span };
        }
        Ok(value)
    }

    /// A pointer inside of an object of a level.
    fn inner_pointer(&mut self, name: &str, ty: TypeId, level: usize) -> Result<Expr, String> {
        let Type::Pointer(target) = *self.program.types.get(ty) else { return Ok(self.scalar(ty)) };
        let is_object = !matches!(self.program.types.get(target), Type::Void | Type::Function(_))
            && self.program.types.size_of(target).is_some_and(|size| size > 0);
        // Deeper objects exist, so what leads to them is not null: nothing is known about it.
        let is_too_deep = level >= MAX_LEVELS || self.num_nested >= MAX_OBJECTS;
        if self.inside == Inside::Anything || !is_object || is_too_deep {
            return Ok(self.scalar(ty));
        }
        self.is_nested = true;
        let span = self.span;
        let null = Expr { kind: ExprKind::Int(BigInt::ZERO), ty, span };
        self.num_nested += 1;
        let object = self.object(name, target, level + 1)?;
        let place = Place { kind: PlaceKind::Local(object), ty: target, span };
        let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span };
        let int = self.program.types.intern(Type::Int(IntKind::Int));
        let choice = Box::new(self.scalar(int));
        Ok(Expr { kind: ExprKind::Conditional(choice, Box::new(address), Box::new(null)), ty, span })
    }

    /// Arbitrary values for all scalars of an object of a level, whose parts have names that begin with `name`.
    fn parts(&mut self, name: &str, ty: TypeId, level: usize) -> Result<Vec<Part>, String> {
        let mut parts = Vec::new();
        let whole = ty;
        let mut pending = vec![(Vec::new(), ty)];
        while let Some((path, ty)) = pending.pop() {
            if parts.len() + pending.len() > MAX_PARTS {
                return Err(format!("an argument of more than {MAX_PARTS} numbers is too large"));
            }
            let inner = |step: Step| path.iter().copied().chain([step]).collect::<Vec<Step>>();
            match self.program.types.get(ty).clone() {
                Type::Array(element, ArrayLength::Constant(length)) => {
                    pending.extend(
                        (0..length.min(MAX_PARTS as u64 + 1))
                            .rev()
                            .map(|index| (inner(Step::Index(index)), element)),
                    );
                }
                Type::Record(record) => {
                    let record = self.program.types.record(record).clone();
                    let is_union = record.kind == RecordKind::Union;
                    let whole = is_union.then(|| self.whole_member(ty, &record)).transpose()?;
                    let fields = record.fields.into_iter().flatten().enumerate();
                    let fields = fields.filter(|(number, _)| whole.is_none_or(|whole| whole == *number));
                    let fields: Vec<_> =
                        fields.map(|(number, field)| (inner(Step::Field(number)), field.ty)).collect();
                    pending.extend(fields.into_iter().rev());
                }
                // A flexible member has no elements.
                Type::Array(..) => {}
                _ => {
                    let plain = self.program.types.plain(ty);
                    let is_pointer = matches!(self.program.types.get(plain), Type::Pointer(_));
                    let value = match is_pointer {
                        true => {
                            let name = self.part_name(name, whole, &path);
                            self.inner_pointer(&name, plain, level)?
                        }
                        false => self.scalar(ty),
                    };
                    parts.push(Part { path, value });
                }
            }
        }
        Ok(parts)
    }

    /// The member of a union whose values are those of all its bytes: integers without padding, as long as the union.
    fn whole_member(&self, ty: TypeId, union: &Record) -> Result<usize, String> {
        let size = self.program.types.size_of(ty);
        let fields = union.fields.iter().flatten();
        let is_plain = fields.clone().all(|field| !self.has_pointers(field.ty));
        let is_whole = |field: &Field| field.bits.is_none() && self.integer_bytes(field.ty) == size;
        let whole = fields.enumerate().find(|(_, field)| is_plain && is_whole(field));
        let reason = "an argument with a union is only supported if a member of integers is as long as the union, and no member has pointers";
        whole.map(|(number, _)| number).ok_or_else(|| reason.to_owned())
    }

    fn has_pointers(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        match types.get(types.plain(ty)) {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.has_pointers(*element),
            Type::Record(record) => {
                types.record(*record).fields.iter().flatten().any(|field| self.has_pointers(field.ty))
            }
            _ => false,
        }
    }

    /// The size of a type all of whose bytes are those of integers.
    fn integer_bytes(&self, ty: TypeId) -> Option<u64> {
        let types = &self.program.types;
        match types.get(types.plain(ty)) {
            Type::Int(IntKind::Bool) => None,
            Type::Int(_) => types.size_of(ty),
            Type::Array(element, ArrayLength::Constant(length)) => {
                self.integer_bytes(*element)?.checked_mul(*length)
            }
            _ => None,
        }
    }

    /// How C calls a part of an object.
    fn part_name(&self, name: &str, mut ty: TypeId, path: &[Step]) -> String {
        let mut text = name.to_owned();
        for step in path {
            match (step, self.program.types.get(ty)) {
                (Step::Index(index), Type::Array(element, _)) => {
                    text += &format!("[{index}]");
                    ty = *element;
                }
                (Step::Field(number), Type::Record(record)) => {
                    let record = self.program.types.record(*record);
                    let Some(field) = record.fields.iter().flatten().nth(*number) else { break };
                    // Members of anonymous members are called as if they were those of the whole.
                    if let Some(name) = &field.name {
                        let dot = if text.ends_with('.') || text.ends_with("->") { "" } else { "." };
                        text += &format!("{dot}{name}");
                    }
                    ty = field.ty;
                }
                _ => break,
            }
        }
        text
    }

    /// An arbitrary number, or a pointer of which nothing is known.
    fn scalar(&mut self, ty: TypeId) -> Expr {
        let ty = self.program.types.plain(ty);
        let (name, kind) = match *self.program.types.get(ty) {
            Type::Int(IntKind::Int128 | IntKind::UnsignedInt128) => {
                let kind = ExprKind::Unsupported("an argument of 128 bits".to_owned());
                return Expr { kind, ty, span: self.span };
            }
            Type::Int(IntKind::LongLong | IntKind::UnsignedLongLong) => {
                ("longlong", Type::Int(IntKind::LongLong))
            }
            Type::Int(IntKind::Long | IntKind::UnsignedLong) => ("long", Type::Int(IntKind::Long)),
            Type::Float(FloatKind::Float) => ("float", Type::Float(FloatKind::Float)),
            Type::Float(FloatKind::Double) => ("double", Type::Float(FloatKind::Double)),
            Type::Float(FloatKind::LongDouble) => ("longdouble", Type::Float(FloatKind::LongDouble)),
            Type::Pointer(_) => return self.outside(ty),
            _ => ("int", Type::Int(IntKind::Int)),
        };
        let result = self.program.types.intern(kind);
        let value = self.input(&format!("__thetis_any_{name}"), result);
        self.converted(value, ty)
    }

    /// A pointer from outside the program.
    fn outside(&mut self, ty: TypeId) -> Expr {
        let void = self.program.types.intern(Type::Void);
        let result = self.program.types.intern(Type::Pointer(void));
        let value = self.input("__thetis_outside_pointer", result);
        self.converted(value, ty)
    }

    fn converted(&self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty {
            return value;
        }
        Expr { kind: ExprKind::Convert(Box::new(value)), ty, span: self.span }
    }

    /// The call of a function that delivers values.
    fn input(&mut self, name: &str, result: TypeId) -> Expr {
        let known = self.program.functions.position(|function| function.name == name);
        let function = known.unwrap_or_else(|| {
            let ty = FunctionType { result, params: Vec::new(), is_variadic: false };
            self.program.functions.push(Function {
                name: name.to_owned(),
                ty,
                params: Vec::new(),
                num_extra: 0,
                locals: IndexVec::new(),
                labels: IndexVec::new(),
                body: None,
                is_noreturn: false,
                is_pure: false,
                returns_nonnull: false,
                is_system: false,
                span: self.span,
            })
        });
        Expr { kind: ExprKind::Call(Callee::Function(function), Vec::new()), ty: result, span: self.span }
    }
}
