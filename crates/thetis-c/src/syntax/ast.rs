//! The syntax tree: what is written, without knowing what names mean, except which of them are types.

use std::rc::Rc;

use thetis_base::Span;

/// An identifier.
pub(crate) type Name = Rc<str>;

/// A piece of syntax with its place.
#[derive(Clone, Debug)]
pub(crate) struct Spanned<T> {
    pub(crate) node: T,
    pub(crate) span: Span,
}

/// A translation unit.
#[derive(Debug, Default)]
pub(crate) struct Unit {
    pub(crate) items: Vec<Item>,
    /// Whether `_Atomic` occurs in it.
    pub(crate) has_atomic_types: bool,
    /// The parts of its text that come from headers of the system.
    pub(crate) system: Vec<Span>,
}

/// A declaration at file scope.
#[derive(Debug)]
pub(crate) enum Item {
    Declaration(Declaration),
    Function(FunctionDefinition),
    StaticAssert(StaticAssert),
}

/// `int f(int x) { … }`, also with declarations of the parameters before the body.
#[derive(Debug)]
pub(crate) struct FunctionDefinition {
    pub(crate) specifiers: Specifiers,
    pub(crate) declarator: Declarator,
    pub(crate) parameter_declarations: Vec<Declaration>,
    /// The labels whose addresses are used in it.
    pub(crate) taken_labels: Vec<Name>,
    pub(crate) body: Vec<BlockItem>,
    /// A fingerprint of its words. Functions of different files with the same words are the same.
    pub(crate) fingerprint: u64,
}

/// `_Static_assert(condition, "message")`
#[derive(Debug)]
pub(crate) struct StaticAssert {
    pub(crate) condition: Expr,
    pub(crate) message: Vec<Spanned<Box<str>>>,
    pub(crate) span: Span,
}

/// Specifiers and what they declare.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) specifiers: Specifiers,
    pub(crate) declarators: Vec<InitDeclarator>,
}

/// A declarator with its initialiser.
#[derive(Debug)]
pub(crate) struct InitDeclarator {
    pub(crate) declarator: Declarator,
    pub(crate) initializer: Option<Initializer>,
}

/// What stands before declarators.
#[derive(Debug)]
pub(crate) struct Specifiers {
    pub(crate) storage: Option<Storage>,
    pub(crate) is_thread_local: bool,
    pub(crate) is_noreturn: bool,
    pub(crate) is_inline: bool,
    pub(crate) is_const: bool,
    pub(crate) is_volatile: bool,
    pub(crate) ty: TypeSpecifier,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) alignments: Vec<Alignment>,
    pub(crate) span: Span,
}

/// Storage classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// The type that specifiers name.
#[derive(Debug)]
pub(crate) enum TypeSpecifier {
    /// Nothing is written: `int`.
    Missing,
    /// Words such as `unsigned`, `long`, in the order of the text.
    Words(Vec<Word>),
    /// The name of a type.
    Typedef(Name),
    Record(Box<RecordSpecifier>),
    Enum(Box<EnumSpecifier>),
    TypeOfExpr(Box<Expr>),
    TypeOfType(Box<TypeName>),
    /// `__auto_type`
    Auto,
    /// `__builtin_va_list`
    VaList,
}

/// The words that arithmetic types and `void` are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    Void,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Bool,
    Int128,
    Complex,
    /// `_Float128`, `_Decimal64` and the like.
    OtherFloat(&'static str),
}

/// `struct tag { … }`, `union tag`
#[derive(Debug)]
pub(crate) struct RecordSpecifier {
    pub(crate) is_union: bool,
    pub(crate) tag: Option<Name>,
    pub(crate) members: Option<Vec<Member>>,
    pub(crate) attributes: Vec<Attribute>,
    /// The largest alignment of members that `#pragma pack` allows.
    pub(crate) pack: Option<u64>,
    pub(crate) span: Span,
}

/// Something between the braces of a structure.
#[derive(Debug)]
pub(crate) enum Member {
    Fields { specifiers: Specifiers, declarators: Vec<FieldDeclarator>, span: Span },
    StaticAssert(StaticAssert),
}

/// A member; nameless bit-fields have no declarator.
#[derive(Debug)]
pub(crate) struct FieldDeclarator {
    pub(crate) declarator: Option<Declarator>,
    pub(crate) width: Option<Expr>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) span: Span,
}

/// `enum tag { A, B = 3 }`
#[derive(Debug)]
pub(crate) struct EnumSpecifier {
    pub(crate) tag: Option<Name>,
    pub(crate) enumerators: Option<Vec<Enumerator>>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) span: Span,
}

/// A name of an enumeration.
#[derive(Debug)]
pub(crate) struct Enumerator {
    pub(crate) name: Name,
    pub(crate) value: Option<Expr>,
    pub(crate) span: Span,
}

/// `__attribute__((name(arguments)))`, the underscores around the name left out. Only attributes that change the meaning of a
/// program are kept.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Name,
    pub(crate) arguments: Vec<Expr>,
    pub(crate) span: Span,
}

/// `_Alignas(…)`
#[derive(Debug)]
pub(crate) enum Alignment {
    Type(TypeName),
    Value(Expr),
}

/// A name with what is around it.
#[derive(Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Option<Name>,
    /// From the name outwards: `*f(int)` is a function that returns a pointer.
    pub(crate) derived: Vec<Derived>,
    pub(crate) attributes: Vec<Attribute>,
    /// The name that the assembler knows it by, if another one is given.
    pub(crate) assembler_name: Option<Vec<Spanned<Box<str>>>>,
    /// The name, or where it would be.
    pub(crate) span: Span,
}

/// A part of a declarator.
#[derive(Debug)]
pub(crate) enum Derived {
    Pointer(Qualifiers),
    Array(ArrayLength),
    Function(Parameters),
}

/// The qualifiers of a pointer that matter.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Qualifiers {
    pub(crate) is_const: bool,
    pub(crate) is_volatile: bool,
}

/// What stands between the brackets of an array.
#[derive(Debug)]
pub(crate) enum ArrayLength {
    Missing,
    /// `[*]`
    Star,
    Value(Box<Expr>),
}

/// What stands between the parentheses of a function declarator.
#[derive(Debug)]
pub(crate) enum Parameters {
    Prototype {
        params: Vec<Parameter>,
        is_variadic: bool,
    },
    /// Names without types, or nothing.
    OldStyle(Vec<Spanned<Name>>),
}

/// A parameter of a prototype.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) specifiers: Specifiers,
    pub(crate) declarator: Declarator,
}

/// A type as in casts.
#[derive(Debug)]
pub(crate) struct TypeName {
    pub(crate) specifiers: Specifiers,
    pub(crate) declarator: Declarator,
}

/// What follows `=` in a declaration.
#[derive(Debug)]
pub(crate) enum Initializer {
    Value(Box<Expr>),
    List(InitializerList),
}

impl Initializer {
    pub(crate) fn span(&self) -> Span {
        match self {
            Initializer::Value(value) => value.span,
            Initializer::List(list) => list.span,
        }
    }
}

/// `{ … }`
#[derive(Debug)]
pub(crate) struct InitializerList {
    pub(crate) items: Vec<InitializerItem>,
    pub(crate) span: Span,
}

/// `.field[3] = value`
#[derive(Debug)]
pub(crate) struct InitializerItem {
    pub(crate) designators: Vec<Designator>,
    pub(crate) value: Initializer,
    pub(crate) span: Span,
}

/// A step to what an item initialises.
#[derive(Debug)]
pub(crate) enum Designator {
    Field(Name, Span),
    Index(Expr),
    Range(Expr, Expr),
}

/// An expression.
#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

/// The kinds of expressions.
#[derive(Debug)]
pub(crate) enum ExprKind {
    Name(Name),
    Number(Box<str>),
    Char(Box<str>),
    /// Adjacent string literals.
    Text(Vec<Spanned<Box<str>>>),
    Unary(UnaryOp, Box<Expr>),
    /// `++` and `--`.
    Step {
        operand: Box<Expr>,
        is_increment: bool,
        is_postfix: bool,
    },
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `=`, or an operator and `=`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// The middle operand may be missing in GNU C.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>),
    Member {
        object: Box<Expr>,
        field: Name,
        is_arrow: bool,
    },
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLiteral(Box<TypeName>, InitializerList),
    SizeOfExpr(Box<Expr>),
    SizeOfType(Box<TypeName>),
    AlignOfExpr(AlignmentKind, Box<Expr>),
    AlignOfType(AlignmentKind, Box<TypeName>),
    OffsetOf(Box<TypeName>, Vec<OffsetStep>),
    VaArg(Box<Expr>, Box<TypeName>),
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    Generic(Box<Expr>, Vec<Association>),
    Block(Vec<BlockItem>),
    /// `&&label`
    LabelAddress(Name),
}

/// Which alignment is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AlignmentKind {
    /// `_Alignof`: what holds everywhere, also inside structures.
    Least,
    /// `__alignof__`: what compilers like for variables.
    Preferred,
}

/// A step in `offsetof`.
#[derive(Debug)]
pub(crate) enum OffsetStep {
    Field(Name, Span),
    Index(Box<Expr>),
}

/// `type: value` or `default: value` of `_Generic`.
#[derive(Debug)]
pub(crate) struct Association {
    pub(crate) ty: Option<TypeName>,
    pub(crate) value: Expr,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    Deref,
    Address,
    /// `__real__`, `__imag__`
    ComplexPart,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

/// Something in a block.
#[derive(Debug)]
pub(crate) enum BlockItem {
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    Stmt(Stmt),
    /// A function inside a function; its body is not kept.
    NestedFunction(Declaration, Span),
}

/// A statement.
#[derive(Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

/// The kinds of statements.
#[derive(Debug)]
pub(crate) enum StmtKind {
    Empty,
    Expr(Expr),
    Block(Vec<BlockItem>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For {
        init: Vec<BlockItem>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch(Expr, Box<Stmt>),
    Case {
        low: Expr,
        high: Option<Expr>,
        body: Box<Stmt>,
    },
    Default(Box<Stmt>),
    Label(Name, Box<Stmt>),
    Goto(Spanned<Name>),
    ComputedGoto(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    Asm,
    AcslAssert(Expr),
    /// A claim of a witness, by its number.
    Claim(u32, Expr),
    AcslUnknown,
}
