//! The arguments of a program.
//!
//! `main(int argc, char **argv)` becomes a function without these parameters that makes them first, as C statements would:
//!
//! ```c
//! int argc = any; assume(argc >= 0);                              // 1 for properties about memory
//! char **argv = alloca((argc + 1) * sizeof *argv);
//! if (argc > 4) approximate();
//! if (argc > 0) { size_t length = any; argv[0] = alloca(length + 1); argv[0][length] = 0; }  // and so on for four of them
//! argv[argc] = NULL;
//! ```
//!
//! So every string is an object of its own, with a length of its own and arbitrary characters, also zeros before its end. Of more than four
//! arguments, what the others point to is not known, and violations in such runs do not count (`lower/approximation.rs`). If the program
//! calls `main` as well, a function that is made for the purpose makes the arguments and calls it. What is left (the environment, parameters
//! of unusual types) is memory outside the program (`lower/main_arguments.rs`).

use num_bigint::BigInt;
use thetis_base::{IndexVec, Span};

use crate::hir::{
    BinaryOp, Callee, CompareOp, DataModel, Expr, ExprKind, Function, FunctionId, FunctionType, Initializer,
    IntKind, Local, LocalId, Place, PlaceKind, Program, Stmt, StmtKind, Type, TypeId,
};
use crate::lower::walk::{Part, walk_body};

/// How many arguments are strings.
const MAX_STRINGS: u64 = 4;

/// Strings are shorter. The verdict lists that no block has 2 GB.
const MAX_LENGTH: u64 = (1 << 31) - 2;

/// The variables of `main` that were its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MainArguments {
    /// `argc`.
    pub count: LocalId,
    /// `argv`.
    pub vector: LocalId,
}

impl MainArguments {
    /// Whether they are made at a place of `main`.
    pub(crate) fn are_made_at(self, main: &Function, span: Span) -> bool {
        [self.count, self.vector].iter().any(|local| main.locals[*local].span == span)
    }
}

/// Lets `main` make its arguments, at least `least` of them, if it has the usual ones and looks at them.
pub fn give_arguments(program: &mut Program, least: u64) {
    let mut functions = program.functions.iter_enumerated();
    let main = functions.find(|(_, function)| function.name == "main" && function.body.is_some());
    let Some(main) = program.start.or(main.map(|(main, _)| main)) else { return };
    let function = &program.functions[main];
    let [count, vector, ..] = function.params[..] else { return };
    let types = &program.types;
    let [count_type, vector_type] = [count, vector].map(|param| types.plain(function.locals[param].ty));
    let is_int = *types.get(count_type) == Type::Int(IntKind::Int);
    let Type::Pointer(word) = *types.get(vector_type) else { return };
    let Type::Pointer(letter) = *types.get(types.plain(word)) else { return };
    let is_text = matches!(
        types.get(types.plain(letter)),
        Type::Int(IntKind::Char | IntKind::PlainUnsignedChar | IntKind::SignedChar | IntKind::UnsignedChar)
    );
    if !is_int || !is_text || !is_local_used(function, vector) {
        return;
    }
    let main = if is_used(program, main) { own_start(program, main) } else { main };
    let Function { locals, span, .. } = program.functions[main].clone();
    let mut prologue = Prologue { program, locals, stmts: Vec::new(), span, count, vector };
    prologue.write(least, [count_type, vector_type, word, letter]);
    let Prologue { locals, stmts, .. } = prologue;
    let function = &mut program.functions[main];
    function.locals = locals;
    function.params.drain(..2);
    function.ty.params.drain(..2);
    function.body = function.body.take().map(|body| stmts.into_iter().chain(body).collect());
    program.arguments = Some(MainArguments { count, vector });
}

/// Whether a function does anything with one of its variables.
pub(crate) fn is_local_used(function: &Function, local: LocalId) -> bool {
    let body = function.body.as_deref().unwrap_or_default();
    let is_local = |part: Part<'_>| matches!(part, Part::Place(place) if matches!(place.kind, PlaceKind::Local(found) if found == local));
    walk_body(body).any(is_local)
}

/// A function that the program starts with and that calls `main`. Its parameters have the same numbers as those of `main`.
fn own_start(program: &mut Program, main: FunctionId) -> FunctionId {
    let mut start = program.functions[main].clone();
    let span = start.span;
    start.locals.truncate(start.params.len());
    start.labels = IndexVec::new();
    let load = |param: &LocalId| {
        let ty = start.locals[*param].ty;
        let place = Place { kind: PlaceKind::Local(*param), ty, span };
        Expr { kind: ExprKind::Load(Box::new(place)), ty, span }
    };
    let args = start.params.iter().map(load).collect();
    let call = Expr { kind: ExprKind::Call(Callee::Function(main), args), ty: start.ty.result, span };
    let stmts = match *program.types.get(start.ty.result) {
        Type::Void => vec![StmtKind::Expr(call), StmtKind::Return(None)],
        _ => vec![StmtKind::Return(Some(call))],
    };
    start.body = Some(stmts.into_iter().map(|kind| Stmt { kind, span }).collect());
    let start = program.functions.push(start);
    program.start = Some(start);
    start
}

/// Whether anything calls a function or takes its address.
fn is_used(program: &Program, wanted: FunctionId) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_deref());
    let mut parts = bodies.flat_map(walk_body);
    let is_use = |part: Part<'_>| match part {
        Part::Expr(expr) => match &expr.kind {
            ExprKind::Call(Callee::Function(function), _) => *function == wanted,
            ExprKind::FunctionAddress(function) => *function == wanted,
            _ => false,
        },
        _ => false,
    };
    let initializers = program.globals.iter().filter_map(|global| global.initializer.as_ref());
    parts.any(is_use) || crate::lower::walk::walk_initializers(initializers).any(is_use)
}

/// What `main` does before its body.
struct Prologue<'p> {
    program: &'p mut Program,
    locals: IndexVec<LocalId, Local>,
    stmts: Vec<Stmt>,
    span: Span,
    count: LocalId,
    vector: LocalId,
}

impl Prologue<'_> {
    /// Makes the arguments, at least `least` of them, from the types of `argc`, `argv`, `*argv` and `**argv`.
    fn write(&mut self, least: u64, [int, vector_type, word, letter]: [TypeId; 4]) {
        self.span = self.locals[self.count].span;
        let any = self.call("__thetis_any_int", Vec::new(), int);
        self.declare(self.count, any);
        let is_count = self.compare(CompareOp::Ge, self.load(self.count), self.int(int, least));
        self.assume(is_count);

        self.span = self.locals[self.vector].span;
        let size = self.size_type();
        let count = self.convert(self.load(self.count), size);
        let number = self.binary(BinaryOp::Add, count, self.int(size, 1));
        let width = self.program.types.size_of(word).unwrap_or(8);
        let bytes = self.binary(BinaryOp::Mul, number, self.int(size, width));
        let block = self.block(bytes, vector_type);
        self.declare(self.vector, block);
        let has_more = self.compare(CompareOp::Gt, self.load(self.count), self.int(int, MAX_STRINGS));
        let void = self.program.types.intern(Type::Void);
        let approximate = self.call("__thetis_approximate", Vec::new(), void);
        let approximate = self.stmt(StmtKind::Expr(approximate));
        self.when(has_more, vec![approximate]);
        for number in 0..MAX_STRINGS {
            self.string(number, int, word, letter);
        }
        let last = self.element(self.vector, self.load(self.count), word);
        self.assign(last, self.int(self.program.types.plain(word), 0));
    }

    /// Makes an argument, if there are more than `number`.
    fn string(&mut self, number: u64, int: TypeId, word: TypeId, letter: TypeId) {
        let is_there = self.compare(CompareOp::Gt, self.load(self.count), self.int(int, number));
        let size = self.size_type();
        let outer = std::mem::take(&mut self.stmts);
        let long = self.program.types.intern(Type::Int(IntKind::Long));
        let any = self.call("__thetis_any_long", Vec::new(), long);
        let length = self.local(format!("__thetis_length{number}"), size);
        let any = self.convert(any, size);
        self.declare(length, any);
        // Otherwise one more would be zero.
        let is_short = self.compare(CompareOp::Lt, self.load(length), self.int(size, MAX_LENGTH));
        self.assume(is_short);
        let plain = self.program.types.plain(word);
        let text = self.local(format!("__thetis_text{number}"), plain);
        let bytes = self.binary(BinaryOp::Add, self.load(length), self.int(size, 1));
        let block = self.block(bytes, plain);
        self.declare(text, block);
        let end = self.element(text, self.load(length), letter);
        self.assign(end, self.int(self.program.types.plain(letter), 0));
        let place = self.element(self.vector, self.int(int, number), word);
        self.assign(place, self.load(text));
        let inner = std::mem::replace(&mut self.stmts, outer);
        self.when(is_there, inner);
    }

    /// A block of memory that nobody can free.
    fn block(&mut self, bytes: Expr, ty: TypeId) -> Expr {
        let void = self.program.types.intern(Type::Void);
        let pointer = self.program.types.intern(Type::Pointer(void));
        let block = self.call("__builtin_alloca", vec![bytes], pointer);
        self.convert(block, ty)
    }

    fn size_type(&mut self) -> TypeId {
        let kind = match self.program.types.model() {
            DataModel::Lp64 => IntKind::UnsignedLong,
            DataModel::Ilp32 => IntKind::UnsignedInt,
        };
        self.program.types.intern(Type::Int(kind))
    }

    fn local(&mut self, name: String, ty: TypeId) -> LocalId {
        self.locals.push(Local { name, ty, is_const: false, span: self.span })
    }

    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.span }
    }

    fn expr(&self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr { kind, ty, span: self.span }
    }

    fn int(&self, ty: TypeId, number: u64) -> Expr {
        self.expr(ExprKind::Int(BigInt::from(number)), ty)
    }

    fn load(&self, local: LocalId) -> Expr {
        let ty = self.program.types.plain(self.locals[local].ty);
        let place = Place { kind: PlaceKind::Local(local), ty, span: self.span };
        self.expr(ExprKind::Load(Box::new(place)), ty)
    }

    fn convert(&self, value: Expr, ty: TypeId) -> Expr {
        if value.ty == ty {
            return value;
        }
        self.expr(ExprKind::Convert(Box::new(value)), ty)
    }

    fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let ty = left.ty;
        self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty)
    }

    fn compare(&mut self, op: CompareOp, left: Expr, right: Expr) -> Expr {
        let int = self.program.types.intern(Type::Int(IntKind::Int));
        self.expr(ExprKind::Compare(op, Box::new(left), Box::new(right)), int)
    }

    /// `pointer[index]`.
    fn element(&self, pointer: LocalId, index: Expr, ty: TypeId) -> Place {
        let pointer = self.load(pointer);
        let pointer_type = pointer.ty;
        let kind = ExprKind::Offset { pointer: Box::new(pointer), index: Box::new(index), is_negated: false };
        let address = self.expr(kind, pointer_type);
        Place { kind: PlaceKind::Deref(Box::new(address)), ty, span: self.span }
    }

    fn declare(&mut self, local: LocalId, value: Expr) {
        let stmt = self.stmt(StmtKind::Declare(local, Some(Initializer::Value(value))));
        self.stmts.push(stmt);
    }

    fn assign(&mut self, place: Place, value: Expr) {
        let ty = value.ty;
        let assignment = self.expr(ExprKind::Assign(Box::new(place), Box::new(value)), ty);
        let stmt = self.stmt(StmtKind::Expr(assignment));
        self.stmts.push(stmt);
    }

    fn when(&mut self, condition: Expr, body: Vec<Stmt>) {
        let then = Box::new(self.stmt(StmtKind::Block(body)));
        let stmt = self.stmt(StmtKind::If { condition, then, otherwise: None });
        self.stmts.push(stmt);
    }

    fn assume(&mut self, condition: Expr) {
        let void = self.program.types.intern(Type::Void);
        let call = self.call("__thetis_assume", vec![condition], void);
        let stmt = self.stmt(StmtKind::Expr(call));
        self.stmts.push(stmt);
    }

    fn call(&mut self, name: &str, args: Vec<Expr>, result: TypeId) -> Expr {
        let known = self.program.functions.position(|function| function.name == name);
        let function = known.unwrap_or_else(|| {
            let params: Vec<TypeId> = args.iter().map(|arg| arg.ty).collect();
            let ty = FunctionType { result, params, is_variadic: false };
            self.program.functions.push(Function::declared(name.to_owned(), ty, self.span))
        });
        self.expr(ExprKind::Call(Callee::Function(function), args), result)
    }
}
