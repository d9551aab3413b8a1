//! The function that calls the one to be checked, with arbitrary arguments.
//!
//! Every object that a pointer may lead to becomes a variable of this function, whose initial value is a call of an input function for each of its
//! scalars. The names of these variables say what they are to the reader of a violation.

use num_bigint::BigInt;
use thetis_base::{IndexVec, Span};

use super::{Inside, MAX_LEVELS, Pointers};
use crate::hir::{
    ArrayLength, Callee, Expr, ExprKind, Field, FloatKind, Function, FunctionId, FunctionType, Global,
    Initializer, IntKind, Local, LocalId, Part, Place, PlaceKind, Program, Record, RecordKind, Step, Stmt,
    StmtKind, Type, TypeId,
};
use crate::library::is_model;

/// An argument has at most this many scalars.
const MAX_PARTS: usize = 4096;

/// How many objects there are behind all arguments, at most.
const MAX_OBJECTS: usize = 24;

/// Makes the call.
pub(super) struct Caller<'p> {
    program: &'p mut Program,
    pointers: Pointers,
    /// Whether an argument is a pointer that [`Pointers`] decides about.
    has_pointers: bool,
    inside: Inside,
    /// Whether there are pointers inside objects that [`Inside`] decides about.
    is_nested: bool,
    /// How many objects they point to.
    num_nested: usize,
    /// The objects that pointers may share: their types and where they are.
    objects: Vec<(TypeId, PlaceKind)>,
    locals: IndexVec<LocalId, Local>,
    stmts: Vec<Stmt>,
    span: Span,
}

/// The body of the function that makes the call.
pub(super) struct Call {
    pub(super) locals: IndexVec<LocalId, Local>,
    pub(super) stmts: Vec<Stmt>,
    /// Whether an argument is a pointer that [`Pointers`] decides about.
    pub(super) has_pointers: bool,
    /// Whether there are pointers inside objects that [`Inside`] decides about.
    pub(super) is_nested: bool,
}

impl<'p> Caller<'p> {
    pub(super) fn new(
        program: &'p mut Program,
        pointers: Pointers,
        inside: Inside,
        span: Span,
    ) -> Caller<'p> {
        Caller {
            program,
            pointers,
            has_pointers: false,
            inside,
            is_nested: false,
            num_nested: 0,
            objects: Vec::new(),
            locals: IndexVec::new(),
            stmts: Vec::new(),
            span,
        }
    }

    /// Calls `function` once.
    pub(super) fn call(mut self, function: FunctionId) -> Result<Call, String> {
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
        let Caller { locals, stmts, has_pointers, is_nested, .. } = self;
        Ok(Call { locals, stmts, has_pointers, is_nested })
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
        let own = self.address_known_outside(own, ty, target);
        let span = self.span;
        let address = |kind: PlaceKind| Expr {
            kind: ExprKind::AddressOf(Box::new(Place { kind, ty: target, span })),
            ty,
            span,
        };
        let mut value = own;
        for other in others {
            let int = self.program.types.intern(Type::Int(IntKind::Int));
            let choice = Box::new(self.scalar(int));
            let kind = ExprKind::Conditional(choice, Box::new(address(other)), Box::new(value));
            value = Expr { kind, ty, span };
        }
        Ok(value)
    }

    /// The address of an object to which pointers from outside may point, too.
    fn address_known_outside(&mut self, object: LocalId, ty: TypeId, target: TypeId) -> Expr {
        let span = self.span;
        let void = self.program.types.intern(Type::Void);
        let pointer = self.program.types.intern(Type::Pointer(void));
        let place = Place { kind: PlaceKind::Local(object), ty: target, span };
        let address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span };
        let arguments = vec![self.converted(address, pointer)];
        let known = self.library_call("__thetis_shared_pointer", arguments, pointer);
        self.converted(known, ty)
    }

    /// A pointer inside an object of a level.
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
        self.library_call(name, Vec::new(), result)
    }

    /// The call of a function that models are written with.
    fn library_call(&mut self, name: &str, arguments: Vec<Expr>, result: TypeId) -> Expr {
        let known = self.program.functions.position(|function| function.name == name);
        let function = known.unwrap_or_else(|| {
            let params = arguments.iter().map(|argument| argument.ty).collect();
            let ty = FunctionType { result, params, is_variadic: false };
            self.program.functions.push(Function::declared(name.to_owned(), ty, self.span))
        });
        Expr { kind: ExprKind::Call(Callee::Function(function), arguments), ty: result, span: self.span }
    }
}
