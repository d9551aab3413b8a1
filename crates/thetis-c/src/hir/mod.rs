//! A C program after checking: names are resolved, every expression has its type, every conversion is explicit.
//!
//! What the checker guarantees and everything after it relies on:
//!
//! * Operands of arithmetic, bit and comparison operators have equal types after the usual arithmetic conversions
//!   (shifts: each operand is promoted for itself); conversions are [`ExprKind::Convert`].
//! * Arrays and functions used as values have become pointers ([`ExprKind::Decay`], [`ExprKind::FunctionAddress`]).
//! * Conditions are scalars of any type; they are true if not equal to zero.
//! * `sizeof`, `_Alignof`, `offsetof`, enumerators and other integer constants are [`ExprKind::Int`], except the size of
//!   a variable-length array.
//! * Local `static` variables, string literals and compound literals at file scope are [`Global`]s.
//! * Side effects stay in expressions. Where C leaves the order open, operands are listed in the order of the text, and
//!   that is the order of evaluation that follows.
//! * Legal C that is not supported becomes [`ExprKind::Unsupported`] or [`StmtKind::Unsupported`] with the reason: a
//!   run that reaches it has no verdict. Code that is not legal C is a diagnostic, and there is no program.

mod machine;
mod types;

use num_bigint::BigInt;
use thetis_base::{IndexVec, Span, define_index_type};

use crate::arguments::MainArguments;
use crate::entry::EntryPoint;
pub use machine::Machine;
pub(crate) use machine::{LongDouble, VaList};
pub(crate) use types::ARGUMENT_LIST;
pub use types::{
    ArrayLength, BitField, DataModel, Field, FloatKind, FunctionType, IntKind, Record, RecordId, RecordKind,
    Type, TypeId, Types,
};

define_index_type! {
    /// A variable with static storage.
    pub struct GlobalId = u32;
}

define_index_type! {
    /// A function, defined or only declared.
    pub struct FunctionId = u32;
}

define_index_type! {
    /// A parameter or local variable of a function.
    pub struct LocalId = u32;
}

define_index_type! {
    /// A label of a function.
    pub struct LabelId = u32;
}

/// A program: one or more translation units.
#[derive(Clone, Debug)]
pub struct Program {
    /// The types, with sizes of the data model.
    pub types: Types,
    /// The variables with static storage.
    pub globals: IndexVec<GlobalId, Global>,
    /// The functions.
    pub functions: IndexVec<FunctionId, Function>,
    /// The function that runs constructors, `main` and destructors, if there are any besides `main`.
    pub start: Option<FunctionId>,
    /// Whether some types may be used to access objects of any other type (`may_alias`).
    pub has_aliasing_types: bool,
    /// Whether functions run before or after `main` whose order C leaves open.
    pub has_open_startup: bool,
    /// Whether some types are atomic.
    pub has_atomic_types: bool,
    /// The function under check, if `start` calls it instead of `main`.
    pub entry: Option<EntryPoint>,
    /// The variables of `main` that hold the arguments of the program, if `main` makes them itself.
    pub arguments: Option<MainArguments>,
}

/// A variable with static storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name as written; string literals and other nameless objects get a name with a `#`.
    pub name: String,
    /// The function it is local to.
    pub function: Option<FunctionId>,
    /// Its type, complete.
    pub ty: TypeId,
    /// What it starts with; `None` is zero if `is_defined`.
    pub initializer: Option<Initializer>,
    /// Whether it has a definition (also a tentative one). An `extern` without one starts arbitrary.
    pub is_defined: bool,
    /// Whether it starts arbitrary all the same, since it is in memory that keeps its contents between runs.
    pub is_retained: bool,
    /// Whether other translation units can name it.
    pub has_external_linkage: bool,
    /// Whether nothing may change it: it is declared `const`, or a string literal.
    pub is_const: bool,
    /// Whether it is declared `_Thread_local` or `__thread`.
    pub is_thread_local: bool,
    /// The declarator.
    pub span: Span,
}

impl Global {
    /// Whether it starts with its initial value, or zero.
    pub fn starts_known(&self) -> bool {
        self.is_defined && !self.is_retained
    }
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: FunctionType,
    /// The parameters, which are the first variables of `locals`; those of a mere declaration need no names.
    pub params: Vec<LocalId>,
    /// How many of the parameters, at their end, are the variable arguments of one call. The calls of a function with a body and
    /// variable arguments are calls of copies of it, one for each list of types.
    pub num_extra: usize,
    /// Parameters and local variables of all scopes.
    pub locals: IndexVec<LocalId, Local>,
    /// The names of the labels.
    pub labels: IndexVec<LabelId, String>,
    /// What it does, if it is defined.
    pub body: Option<Vec<Stmt>>,
    /// Whether it is declared `noreturn`.
    pub is_noreturn: bool,
    /// Whether it is declared `pure` or `const`: it changes nothing.
    pub is_pure: bool,
    /// Whether it is declared never to return a null pointer.
    pub returns_nonnull: bool,
    /// Whether a header of the system declares it.
    pub is_system: bool,
    /// The declarator.
    pub span: Span,
}

impl Function {
    /// A function without a body and without attributes.
    pub fn declared(name: String, ty: FunctionType, span: Span) -> Self {
        Self {
            name,
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
            span,
        }
    }
}

/// A parameter or local variable with automatic storage.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name as written; not unique in a function. Compiler-made ones have a `#`.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Whether it is declared `const`, so that nothing may change it after its declaration.
    pub is_const: bool,
    /// The declarator.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression for its effects.
    Expr(Expr),
    /// The declaration of a local variable. It becomes arbitrary here unless it is initialised, every time control
    /// passes. For a variable-length array, the lengths in its type have been assigned to their variables before.
    Declare(LocalId, Option<Initializer>),
    /// A block.
    Block(Vec<Stmt>),
    /// `if`.
    If {
        /// The condition.
        condition: Expr,
        /// The first branch.
        then: Box<Stmt>,
        /// The branch after `else`.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while`.
    While {
        /// The condition.
        condition: Expr,
        /// The body.
        body: Box<Stmt>,
    },
    /// `do … while`.
    DoWhile {
        /// The body.
        body: Box<Stmt>,
        /// The condition.
        condition: Expr,
    },
    /// `for`.
    For {
        /// Declarations or an expression.
        init: Vec<Stmt>,
        /// The condition; missing is true.
        condition: Option<Expr>,
        /// What happens after each round and `continue`.
        step: Option<Expr>,
        /// The body.
        body: Box<Stmt>,
    },
    /// `switch`; the body has the cases at any depth.
    Switch {
        /// The scrutinee, promoted.
        value: Expr,
        /// The body.
        body: Box<Stmt>,
    },
    /// `case low ... high:` of the innermost `switch`, in the type of its scrutinee; usually `low = high`.
    Case {
        /// The least value.
        low: BigInt,
        /// The greatest value.
        high: BigInt,
        /// What follows.
        body: Box<Stmt>,
    },
    /// `default:`.
    Default(Box<Stmt>),
    /// A label.
    Label(LabelId, Box<Stmt>),
    /// `goto`.
    Goto(LabelId),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`, the value converted to the type of the function.
    Return(Option<Expr>),
    /// `//@ assert …` of the ACSL language and the like: a violation of the property `acsl-assert` if false.
    AcslAssert(Expr),
    /// A claim of a witness, by its number: it is noted and does nothing.
    Claim(u32, Expr),
    /// Something that is not understood, with the reason: an `asm` statement, a computed `goto`.
    Unsupported(String),
}

/// An expression that has a value (of type `void`: none).
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: TypeId,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer constant, in the range of its type; also null pointers of pointer type.
    Int(BigInt),
    /// A floating constant as its bits in the format of its type.
    Float(u128),
    /// The value of an object. Of any complete type: reading a structure reads all of it.
    Load(Box<Place>),
    /// The address of an object.
    AddressOf(Box<Place>),
    /// The address of the first element of an array.
    Decay(Box<Place>),
    /// The address of a function.
    FunctionAddress(FunctionId),
    /// An operator with one operand of the type of the result.
    Unary(UnaryOp, Box<Expr>),
    /// `!`: an `int`. The operand is any scalar.
    Not(Box<Expr>),
    /// An operator with two operands of equal types, which is also the type of the result. The right operand of a shift has its own type.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A comparison of operands of equal types, also pointers: an `int`.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// `pointer + index`, in elements; the index is an integer of any type, `is_negated` for `pointer - index`.
    Offset {
        /// The pointer.
        pointer: Box<Expr>,
        /// How many elements.
        index: Box<Expr>,
        /// Whether the index is subtracted.
        is_negated: bool,
    },
    /// `left - right` of pointers, in elements.
    Difference(Box<Expr>, Box<Expr>),
    /// A conversion of a scalar to the type of the expression, or to `void`.
    Convert(Box<Expr>),
    /// `&&`: an `int`. The right operand is evaluated only if the left one is true.
    And(Box<Expr>, Box<Expr>),
    /// `||`: an `int`. The right operand is evaluated only if the left one is false.
    Or(Box<Expr>, Box<Expr>),
    /// `condition ? then : otherwise`, both converted to the type of the result.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `left, right`.
    Comma(Box<Expr>, Box<Expr>),
    /// An assignment; the value has the type of the place. The value of the expression is what was stored.
    Assign(Box<Place>, Box<Expr>),
    /// `place op= value`, the place evaluated once: the old value converted to `computation`, the operator applied, the
    /// result converted back. `value` has the type `computation`, except for shifts, where it is promoted for itself.
    Update {
        /// What changes.
        place: Box<Place>,
        /// The operator.
        op: BinaryOp,
        /// The right operand.
        value: Box<Expr>,
        /// The type of the calculation.
        computation: TypeId,
    },
    /// `pointer += index`, `-=`, in elements.
    Advance {
        /// The pointer that changes.
        place: Box<Place>,
        /// How many elements.
        index: Box<Expr>,
        /// Whether it moves backwards.
        is_negated: bool,
    },
    /// `++` and `--` of an integer, a float or a pointer.
    Step {
        /// What changes.
        place: Box<Place>,
        /// `++` or `--`.
        is_increment: bool,
        /// Whether the value of the expression is the old one.
        is_postfix: bool,
    },
    /// A call; arguments are converted to the types of the parameters, or promoted where there are none.
    Call(Callee, Vec<Expr>),
    /// A statement expression of GNU C; the value is that of the last expression, which is not in the list.
    Block(Vec<Stmt>, Option<Box<Expr>>),
    /// Something that is not understood, with the reason.
    Unsupported(String),
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by its name.
    Function(FunctionId),
    /// Where a pointer points to.
    Pointer(Box<Expr>),
}

/// An expression that stands for an object.
#[derive(Clone, Debug)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// The type of the object.
    pub ty: TypeId,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of places.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// A local variable.
    Local(LocalId),
    /// A variable with static storage.
    Global(GlobalId),
    /// Where a pointer points to.
    Deref(Box<Expr>),
    /// A member of a structure or union, by its number in the [`Record`].
    Field(Box<Place>, usize),
    /// An element of an array object; what is indexed through a pointer is a `Deref` of an `Offset`.
    Index(Box<Place>, Box<Expr>),
    /// A compound literal: the variable is initialised whenever it is evaluated.
    Literal(LocalId, Box<Initializer>),
    /// The value of a call or another expression of structure type, of which a member is read.
    Temporary(Box<Expr>),
}

/// What an object starts with.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// A value for the whole object, converted to its type.
    Value(Expr),
    /// Values for parts of an array or a structure, in order; all other parts are zero.
    Parts(Vec<Part>),
}

/// The initial value of a scalar (or of a structure given as one value) inside an object.
#[derive(Clone, Debug)]
pub struct Part {
    /// The way from the object to the part.
    pub path: Vec<Step>,
    /// Its value, converted to its type.
    pub value: Expr,
}

/// A step into an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    /// A member by its number.
    Field(usize),
    /// An element by its number.
    Index(u64),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~`
    BitNot,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}
