//! Values that are known before the model runs.
//!
//! Operators are folded to numbers. Functions are executed if neither they nor their arguments use variables of the model.

use thetis_model::xta::{
    Argument, Base, Copied, DataExpr, DataStmt, FunctionId, Machine, Network, Place, RuntimeError,
};

/// The value of an expression, or why it has none; `None` if that depends on the state.
pub(super) fn known_value(network: &Network, expr: &DataExpr) -> Option<Result<i32, RuntimeError>> {
    match expr {
        DataExpr::Const(number) => Some(Ok(*number)),
        _ => Closed { network, seen: Vec::new() }.expr(expr).then(|| Machine::new(network).value(expr)),
    }
}

/// Finds out whether something depends on the state.
struct Closed<'n> {
    network: &'n Network,
    seen: Vec<FunctionId>,
}

impl Closed<'_> {
    fn expr(&mut self, expr: &DataExpr) -> bool {
        match expr {
            DataExpr::Const(_) => true,
            DataExpr::Read(place) => self.place(place),
            DataExpr::Unary(_, operand) => self.expr(operand),
            DataExpr::Binary(_, operands) => self.expr(&operands.0) && self.expr(&operands.1),
            DataExpr::If(parts) => self.expr(&parts.0) && self.expr(&parts.1) && self.expr(&parts.2),
            DataExpr::Assign(assign) => self.place(&assign.place) && self.expr(&assign.value),
            DataExpr::Call(function, arguments) => {
                let is_known = arguments.iter().all(|argument| match argument {
                    Argument::Value(value, _) => self.expr(value),
                    Argument::Cells(place, _) | Argument::Reference(place) => self.place(place),
                });
                is_known && self.function(*function)
            }
            DataExpr::At(..) => false,
        }
    }

    fn function(&mut self, function: FunctionId) -> bool {
        if self.seen.contains(&function) {
            return true;
        }
        self.seen.push(function);
        let network = self.network;
        self.statement(&network.functions[function].body)
    }

    fn statement(&mut self, statement: &DataStmt) -> bool {
        match statement {
            DataStmt::Expr(expr) => self.expr(expr),
            DataStmt::Copy(to, Copied::Place(from, _)) => self.place(to) && self.place(from),
            DataStmt::Copy(to, Copied::Values(_)) => self.place(to),
            DataStmt::SetClock(..) => false,
            DataStmt::Block(statements) => statements.iter().all(|one| self.statement(one)),
            DataStmt::If(condition, then, otherwise) => {
                self.expr(condition) && self.statement(then) && self.statement(otherwise)
            }
            DataStmt::While(condition, body) | DataStmt::DoWhile(body, condition) => {
                self.expr(condition) && self.statement(body)
            }
            DataStmt::Return(value) => value.as_ref().is_none_or(|value| self.expr(value)),
        }
    }

    fn place(&mut self, place: &Place) -> bool {
        !matches!(place.base, Base::Variable(_)) && place.indices.iter().all(|index| self.expr(&index.at))
    }
}
