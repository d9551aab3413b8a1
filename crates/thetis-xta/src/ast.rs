//! Models as they are written.

use thetis_base::Span;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    /// How deeply operators nest in it. The parser limits it, so that walks may recurse.
    pub(crate) depth: u32,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Number(i32),
    Name(String),
    Index(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, Name),
    Call(Box<Expr>, Vec<Expr>),
    /// `-`, `+`, `!` or `~`.
    Unary(&'static str, Box<Expr>),
    /// The words `and`, `or` and `imply` have become `&&`, `||` and `imply`.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `=` (also `:=`), `+=` and so on.
    Assign(&'static str, Box<Expr>, Box<Expr>),
    /// `++` or `--`, before or after the operand.
    Step(&'static str, Position, Box<Expr>),
    /// `forall`, `exists` or `sum`.
    Quantified(&'static str, Name, Box<TypeExpr>, Box<Expr>),
    /// `x'`.
    Rate(Box<Expr>),
    /// `{ a, b }`.
    List(Vec<Expr>),
}

/// Where an operator stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Position {
    Before,
    After,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub(crate) struct TypeExpr {
    pub(crate) is_const: bool,
    pub(crate) is_urgent: bool,
    pub(crate) is_broadcast: bool,
    pub(crate) base: BaseType,
    pub(crate) span: Span,
}

/// A type without its prefixes.
#[derive(Clone, Debug)]
pub(crate) enum BaseType {
    Int(Option<Box<(Expr, Expr)>>),
    Bool,
    Clock,
    Channel,
    Void,
    Scalar(Box<Expr>),
    Struct(Vec<Declaration>),
    Named(String),
}

/// The size of an array: a number, or a type whose values are the indices.
#[derive(Clone, Debug)]
pub(crate) enum Dimension {
    Size(Expr),
    Type(TypeExpr),
}

/// Variables of one type.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) ty: TypeExpr,
    pub(crate) names: Vec<Declarator>,
}

/// One declared name.
#[derive(Clone, Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Name,
    pub(crate) dimensions: Vec<Dimension>,
    pub(crate) initial: Option<Expr>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) ty: TypeExpr,
    pub(crate) by_reference: bool,
    pub(crate) name: Name,
    pub(crate) dimensions: Vec<Dimension>,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionDecl {
    pub(crate) result: TypeExpr,
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Vec<Stmt>,
}

/// What may be declared in a model or a template.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Variables(Declaration),
    Typedef(Declaration),
    Function(FunctionDecl),
    /// `chan priority a, b < default < c;`.
    Priorities(PriorityLevels),
    /// What every move executes first.
    BeforeUpdate(Vec<Expr>),
    /// What every move executes last.
    AfterUpdate(Vec<Expr>),
}

/// Channels by their priorities, from the lowest on; `None` is `default`.
pub(crate) type PriorityLevels = Vec<Vec<Option<Expr>>>;

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Declaration(Declaration),
    Expr(Expr),
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Box<Stmt>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    /// `for (a; b; c) s`.
    For(Box<(Expr, Expr, Expr)>, Box<Stmt>),
    /// `for (i : T) s`.
    Iterate(Name, TypeExpr, Box<Stmt>),
    Return(Option<Expr>, Span),
}

/// A template.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) items: Vec<Item>,
    pub(crate) locations: Vec<LocationDecl>,
    pub(crate) committed: Vec<Name>,
    pub(crate) urgent: Vec<Name>,
    pub(crate) initial: Option<Name>,
    pub(crate) transitions: Vec<Transition>,
}

/// A location with the conjuncts of its invariant.
#[derive(Clone, Debug)]
pub(crate) struct LocationDecl {
    pub(crate) name: Name,
    pub(crate) invariant: Vec<Expr>,
}

/// A transition.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) source: Name,
    pub(crate) target: Name,
    pub(crate) select: Vec<(Name, TypeExpr)>,
    pub(crate) guard: Vec<Expr>,
    pub(crate) sync: Option<(Expr, Direction)>,
    pub(crate) assign: Vec<Expr>,
    pub(crate) span: Span,
}

/// The role in a synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Send,
    Receive,
    Join,
}

/// `Q(params) = P(args);`.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) template: Name,
    pub(crate) arguments: Vec<Expr>,
}

/// What stands at the top of a file, in order.
#[derive(Clone, Debug)]
pub(crate) enum TopLevel {
    Item(Item),
    Template(Template),
    Instance(Instance),
}

/// A file.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) items: Vec<TopLevel>,
    pub(crate) system: Vec<SystemEntry>,
    /// The channels of each process in the style of CSP.
    pub(crate) channels: Vec<(Name, Vec<Expr>)>,
    /// Progress measures. They are hints for UPPAAL about which states to forget, and have no meaning here.
    pub(crate) progress: Vec<Expr>,
}

/// A process or template of the `system` line.
#[derive(Clone, Debug)]
pub(crate) struct SystemEntry {
    pub(crate) name: Name,
    /// How many `<` stand before it: its priority.
    pub(crate) level: u32,
}

impl Template {
    /// A template without anything in it.
    pub(crate) fn new(name: Name, parameters: Vec<Parameter>) -> Template {
        Template {
            name,
            parameters,
            items: Vec::new(),
            locations: Vec::new(),
            committed: Vec::new(),
            urgent: Vec::new(),
            initial: None,
            transitions: Vec::new(),
        }
    }
}

impl Transition {
    /// A transition without labels.
    pub(crate) fn new(source: Name, target: Name, span: Span) -> Transition {
        Transition {
            source,
            target,
            select: Vec::new(),
            guard: Vec::new(),
            sync: None,
            assign: Vec::new(),
            span,
        }
    }
}

impl Stmt {
    /// Calls `look` with every expression of the statement, except for subexpressions.
    pub(crate) fn for_each_expr(&self, look: &mut impl FnMut(&Expr)) {
        match self {
            Stmt::Declaration(declaration) => {
                declaration.names.iter().filter_map(|name| name.initial.as_ref()).for_each(look);
            }
            Stmt::Expr(expr) => look(expr),
            Stmt::Block(statements) => statements.iter().for_each(|statement| statement.for_each_expr(look)),
            Stmt::If(condition, then, otherwise) => {
                look(condition);
                then.for_each_expr(look);
                otherwise.for_each_expr(look);
            }
            Stmt::While(condition, body) | Stmt::DoWhile(body, condition) => {
                look(condition);
                body.for_each_expr(look);
            }
            Stmt::For(parts, body) => {
                [&parts.0, &parts.1, &parts.2].into_iter().for_each(&mut *look);
                body.for_each_expr(look);
            }
            Stmt::Iterate(_, _, body) => body.for_each_expr(look),
            Stmt::Return(value, _) => value.iter().for_each(look),
        }
    }
}

impl ExprKind {
    /// How deeply operators nest in an expression of this kind.
    pub(crate) fn depth(&self) -> u32 {
        let deepest = |list: &[Expr]| list.iter().map(|expr| expr.depth).max().unwrap_or(0);
        let inner = match self {
            ExprKind::Number(_) | ExprKind::Name(_) => 0,
            ExprKind::Field(inner, _) | ExprKind::Unary(_, inner) | ExprKind::Rate(inner) => inner.depth,
            ExprKind::Step(_, _, inner) | ExprKind::Quantified(_, _, _, inner) => inner.depth,
            ExprKind::Index(left, right)
            | ExprKind::Binary(_, left, right)
            | ExprKind::Assign(_, left, right) => left.depth.max(right.depth),
            ExprKind::If(condition, then, otherwise) => condition.depth.max(then.depth).max(otherwise.depth),
            ExprKind::Call(function, arguments) => function.depth.max(deepest(arguments)),
            ExprKind::List(elements) => deepest(elements),
        };
        inner + 1
    }
}
