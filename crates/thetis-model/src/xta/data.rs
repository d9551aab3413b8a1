//! Expressions and statements over integers.
//!
//! Everything is an integer; truth is 1 and falsehood 0. Names are resolved to cells, so nothing here knows scopes or types.
//! Front ends limit how deeply expressions nest, so walks over them may recurse.

use thetis_base::define_index_type;

use super::constraint::ClockRef;
use super::{LocationId, ProcessId};

define_index_type! {
    /// A function of a network.
    pub struct FunctionId = u32;
}

/// An integer expression.
#[derive(Clone, PartialEq, Debug)]
pub enum DataExpr {
    /// A number.
    Const(i32),
    /// The value of a cell.
    Read(Box<Place>),
    /// One operand.
    Unary(UnaryOp, Box<DataExpr>),
    /// Two operands; `and` and `or` evaluate the second only if it matters.
    Binary(BinaryOp, Box<(DataExpr, DataExpr)>),
    /// `c ? a : b`.
    If(Box<(DataExpr, DataExpr, DataExpr)>),
    /// An assignment, which has a value too.
    Assign(Box<Assign>),
    /// The value that a function returns; 0 if it returns none.
    Call(FunctionId, Vec<Argument>),
    /// Whether a process is in a location.
    At(ProcessId, LocationId),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-a`.
    Minus,
    /// `!a`.
    Not,
    /// `~a`.
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Minimum,
    Maximum,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// A cell, or the first of several.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Where counting starts.
    pub base: Base,
    /// What is added to it.
    pub indices: Vec<Index>,
}

/// Where a place starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// At a cell of the state.
    Variable(u32),
    /// At a constant.
    Constant(u32),
    /// At a cell of the function's frame.
    Local(u32),
    /// At the place that a cell of the frame refers to, plus this many cells.
    Reference(u32, u32),
}

/// One index into an array.
#[derive(Clone, PartialEq, Debug)]
pub struct Index {
    /// The index.
    pub at: DataExpr,
    /// The least one.
    pub low: i32,
    /// How many there are.
    pub size: u32,
    /// How many cells an element has.
    pub stride: u32,
}

/// An assignment to a cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Assign {
    /// The cell.
    pub place: Place,
    /// How the new value comes about.
    pub update: Update,
    /// What is assigned, or the second operand.
    pub value: DataExpr,
    /// The range of the cell; leaving it is a run-time error.
    pub range: (i32, i32),
    /// The value of the assignment as an expression.
    pub yields: Yields,
}

/// How an assignment gets the new value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    /// It is the value.
    Set,
    /// By an operator from the old value and the value.
    Apply(BinaryOp),
}

/// The value of an assignment as an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Yields {
    /// The value before, as for `x++`.
    Old,
    /// The value afterwards.
    New,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A number, and the range of the parameter; leaving it is a run-time error.
    Value(DataExpr, (i32, i32)),
    /// The cells of an array or a structure, by value.
    Cells(Place, u32),
    /// A place, by reference.
    Reference(Place),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum DataStmt {
    /// An expression for its effect.
    Expr(DataExpr),
    /// Copies several cells.
    Copy(Place, Copied),
    /// Sets a clock to a number.
    SetClock(ClockRef, DataExpr),
    /// One statement after the other.
    Block(Vec<DataStmt>),
    /// A choice.
    If(DataExpr, Box<DataStmt>, Box<DataStmt>),
    /// A loop that may not run at all.
    While(DataExpr, Box<DataStmt>),
    /// A loop that runs at least once.
    DoWhile(Box<DataStmt>, DataExpr),
    /// Ends the function.
    Return(Option<DataExpr>),
}

/// Where copied cells come from.
#[derive(Clone, PartialEq, Debug)]
pub enum Copied {
    /// From a place, this many of them.
    Place(Place, u32),
    /// Known values.
    Values(Vec<i32>),
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// The name.
    pub name: String,
    /// How many cells the parameters and local variables need; parameters come first.
    pub frame: u32,
    /// What it does.
    pub body: DataStmt,
    /// The range of the result.
    pub range: (i32, i32),
}

impl Index {
    /// The offset of the element in cells; `None` if it is unknown or outside of the array.
    pub fn known_offset(&self) -> Option<usize> {
        let element = i64::from(self.at.as_const()?) - i64::from(self.low);
        (0..i64::from(self.size)).contains(&element).then(|| element as usize * self.stride as usize)
    }
}

impl BinaryOp {
    /// Whether the result is always 0 or 1.
    pub fn is_condition(self) -> bool {
        matches!(
            self,
            BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::And
                | BinaryOp::Or
        )
    }
}

impl DataExpr {
    /// The number, if the expression is one.
    pub fn as_const(&self) -> Option<i32> {
        match self {
            DataExpr::Const(number) => Some(*number),
            _ => None,
        }
    }
}
