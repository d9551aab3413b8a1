//! What a function needs and does, with all functions that it calls.
//!
//! Functions call only those before them, so everything is known about the callees of a function when it is compiled. Without this table, questions
//! about a function would visit a body once for each path of calls, of which there may be more than can be counted.

use thetis_base::IndexVec;
use thetis_model::xta::{Argument, Base, Copied, DataExpr, DataStmt, FunctionId, Place};

/// How deeply evaluation may nest in a function, through operators, statements and calls: walks over them recurse.
pub(super) const MAX_NESTING: u32 = 1_000;

/// What is known about a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Whether it changes only cells of its own.
    pub(super) is_pure: bool,
    /// Whether it depends only on its arguments.
    pub(super) is_closed: bool,
    /// How deeply its evaluation nests.
    pub(super) depth: u32,
    /// The cells of its frame and of the frames of callees that exist at the same time.
    pub(super) cells: u64,
}

/// What is known about all functions.
pub(crate) type Functions = IndexVec<FunctionId, Facts>;

impl Facts {
    /// What is known about a function with `frame` cells.
    pub(super) fn of(body: &DataStmt, frame: u32, functions: &Functions) -> Facts {
        let body = Look { functions }.statement(body);
        Facts { cells: body.cells + u64::from(frame), ..body }
    }

    /// What is known about an expression.
    pub(super) fn of_expr(expr: &DataExpr, functions: &Functions) -> Facts {
        Look { functions }.expr(expr)
    }

    fn and(self, other: Facts) -> Facts {
        Facts {
            is_pure: self.is_pure && other.is_pure,
            is_closed: self.is_closed && other.is_closed,
            depth: self.depth.max(other.depth),
            cells: self.cells.max(other.cells),
        }
    }

    /// One level further out.
    fn deeper(self) -> Facts {
        Facts { depth: self.depth + 1, ..self }
    }
}

/// Nothing is needed.
const NOTHING: Facts = Facts { is_pure: true, is_closed: true, depth: 0, cells: 0 };

struct Look<'f> {
    functions: &'f Functions,
}

impl Look<'_> {
    fn all<'a, T: 'a>(&self, parts: impl IntoIterator<Item = &'a T>, look: impl Fn(&T) -> Facts) -> Facts {
        parts.into_iter().map(look).fold(NOTHING, Facts::and)
    }

    fn exprs<'a>(&self, parts: impl IntoIterator<Item = &'a DataExpr>) -> Facts {
        self.all(parts, |part| self.expr(part))
    }

    fn expr(&self, expr: &DataExpr) -> Facts {
        let inner = match expr {
            DataExpr::Const(_) => NOTHING,
            DataExpr::At(..) => Facts { is_closed: false, ..NOTHING },
            DataExpr::Read(place) => self.place(place),
            DataExpr::Unary(_, operand) => self.expr(operand),
            DataExpr::Binary(_, operands) => self.exprs([&operands.0, &operands.1]),
            DataExpr::If(parts) => self.exprs([&parts.0, &parts.1, &parts.2]),
            DataExpr::Assign(assign) => self.written(&assign.place).and(self.expr(&assign.value)),
            DataExpr::Call(function, arguments) => {
                self.functions[*function].and(self.all(arguments, |argument| match argument {
                    Argument::Value(value, _) => self.expr(value),
                    Argument::Cells(place, _) | Argument::Reference(place) => self.place(place),
                }))
            }
        };
        inner.deeper()
    }

    fn statement(&self, statement: &DataStmt) -> Facts {
        let inner = match statement {
            DataStmt::Expr(expr) | DataStmt::Return(Some(expr)) => self.expr(expr),
            DataStmt::Return(None) => NOTHING,
            DataStmt::Copy(to, Copied::Place(from, _)) => self.written(to).and(self.place(from)),
            DataStmt::Copy(to, Copied::Values(_)) => self.written(to),
            DataStmt::SetClock(clock, value) => {
                let indices = self.exprs(clock.indices.iter().map(|index| &index.at));
                Facts { is_pure: false, is_closed: false, ..indices.and(self.expr(value)) }
            }
            DataStmt::Block(statements) => self.all(statements, |statement| self.statement(statement)),
            DataStmt::If(condition, then, otherwise) => {
                self.expr(condition).and(self.statement(then)).and(self.statement(otherwise))
            }
            DataStmt::While(condition, body) | DataStmt::DoWhile(body, condition) => {
                self.expr(condition).and(self.statement(body))
            }
        };
        inner.deeper()
    }

    /// A place that is read.
    fn place(&self, place: &Place) -> Facts {
        let indices = self.exprs(place.indices.iter().map(|index| &index.at));
        Facts { is_closed: indices.is_closed && !matches!(place.base, Base::Variable(_)), ..indices }
    }

    /// A place that is written. Writing to the function's own cells changes nothing outside.
    fn written(&self, place: &Place) -> Facts {
        let read = self.place(place);
        Facts { is_pure: read.is_pure && matches!(place.base, Base::Local(_)), ..read }
    }
}
