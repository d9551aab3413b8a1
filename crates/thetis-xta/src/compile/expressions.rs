//! Expressions over data.

use thetis_base::{Reported, Span};
use thetis_model::xta::{
    Argument, Assign, Base, BinaryOp, Copied, DataExpr, DataStmt, Index, Place, UnaryOp, Update, Yields,
};

use super::Compiler;
use super::joined::Joined;
use super::known::known_value;
use crate::ast::{Expr, ExprKind, Name, Position, TypeExpr};
use crate::code;
use crate::types::{Formal, Operand, Plus, Symbol, Type};

impl Compiler<'_> {
    /// A number that must be known.
    pub(super) fn constant(&mut self, expr: &Expr) -> Result<i32, Reported> {
        let value = self.value(expr)?;
        match known_value(&self.network, &self.names.functions, &value) {
            Some(Ok(number)) => Ok(number),
            Some(Err(error)) => Err(self.error(expr.span, code::NUMBER, error.to_string())),
            None => Err(self.error(
                expr.span,
                code::NOT_CONSTANT,
                "this value must be known before the model runs",
            )),
        }
    }

    /// A number or truth value.
    pub(crate) fn value(&mut self, expr: &Expr) -> Result<DataExpr, Reported> {
        match &expr.kind {
            ExprKind::Number(number) => Ok(DataExpr::Const(*number)),
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..) => {
                let operand = self.operand(expr)?;
                self.read(operand, expr.span)
            }
            ExprKind::Unary(op, operand) => self.unary(op, operand),
            ExprKind::Binary("imply", left, right) => {
                let left = self.value(left)?;
                let not_left = self.fold_unary(UnaryOp::Not, left, expr.span)?;
                self.binary_with("||", not_left, right, expr.span)
            }
            ExprKind::Binary(op @ ("==" | "!="), left, right) if is_operand(left) && is_operand(right) => {
                let operands = (self.operand(left)?, self.operand(right)?);
                self.equality(op, operands, (left.span, right.span), expr.span)
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.value(left)?;
                self.binary_with(op, left, right, expr.span)
            }
            ExprKind::If(condition, then, otherwise) => self.conditional(condition, then, otherwise),
            ExprKind::Assign(op, left, right) => self.assignment(op, left, right),
            ExprKind::Step(op, position, operand) => {
                let op = if *op == "++" { BinaryOp::Add } else { BinaryOp::Subtract };
                let yields = if *position == Position::Before { Yields::New } else { Yields::Old };
                let operand = self.operand(operand)?;
                self.assign_to(operand, Update::Apply(op), DataExpr::Const(1), yields, expr.span)
            }
            ExprKind::Call(function, arguments) => self.call(function, arguments, expr.span),
            ExprKind::Quantified(word, name, ty, body) => self.quantified(word, name, ty, body),
            ExprKind::Rate(_) => self.unsupported(expr.span, "rates of clocks are not supported"),
            ExprKind::List(_) => self.mismatch(expr.span, "a list cannot stand here"),
        }
    }

    /// What a name, an element or a field stands for.
    pub(crate) fn operand(&mut self, expr: &Expr) -> Result<Operand, Reported> {
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Symbol::Operand(operand)) => Ok(operand.clone()),
                Some(Symbol::Type(_)) => {
                    self.mismatch(expr.span, format!("the type `{name}` cannot stand here"))
                }
                Some(Symbol::Function(..)) => {
                    self.mismatch(expr.span, format!("the function `{name}` must be called"))
                }
                None => Err(self.error(expr.span, code::UNKNOWN_NAME, format!("`{name}` is not declared"))),
            },
            ExprKind::Index(array, index) => {
                let array = self.operand(array)?;
                if !matches!(array.ty(), Type::Array(..)) {
                    return self.mismatch(expr.span, format!("{} has no elements", array.ty().describe()));
                }
                let at = self.value(index)?;
                Ok(array.element(at))
            }
            ExprKind::Field(whole, field) => {
                if let Some(operand) = self.of_process(whole, field)? {
                    return Ok(operand);
                }
                let whole = self.operand(whole)?;
                match whole.field(&field.text) {
                    Some(operand) => Ok(operand),
                    None => Err(self.error(
                        field.span,
                        code::UNKNOWN_NAME,
                        format!("there is no field `{}`", field.text),
                    )),
                }
            }
            _ => self.mismatch(expr.span, "a variable must stand here"),
        }
    }

    /// A location or variable of a process, in queries.
    fn of_process(&mut self, whole: &Expr, field: &Name) -> Result<Option<Operand>, Reported> {
        let name = match &whole.kind {
            ExprKind::Name(name) if self.lookup(name).is_none() => name.clone(),
            ExprKind::Call(function, arguments) => {
                let ExprKind::Name(name) = &function.kind else { return Ok(None) };
                let values =
                    arguments.iter().map(|argument| self.constant(argument).map(|value| value.to_string()));
                let values: Vec<String> = values.collect::<Result<_, _>>()?;
                format!("{name}({})", values.join(","))
            }
            _ => return Ok(None),
        };
        let Some((process, scope)) = self.names.processes.get(&name) else {
            return Err(self.error(whole.span, code::UNKNOWN_NAME, format!("there is no process `{name}`")));
        };
        let mut locations = self.network.processes[*process].locations.iter_enumerated();
        if let Some((location, _)) = locations.find(|(_, location)| location.name == field.text) {
            return Ok(Some(Operand::Location(*process, location)));
        }
        match scope.get(&field.text) {
            Some(Symbol::Operand(operand)) => Ok(Some(operand.clone())),
            _ => {
                let message = format!("`{name}` has no location or variable `{}`", field.text);
                Err(self.error(field.span, code::UNKNOWN_NAME, message))
            }
        }
    }

    fn read(&mut self, operand: Operand, span: Span) -> Result<DataExpr, Reported> {
        match operand {
            Operand::Value(value, _) => Ok(value),
            Operand::Location(process, location) => Ok(DataExpr::At(process, location)),
            Operand::Data { place, ty, .. } if ty.range().is_some() => Ok(self.read_cell(place)),
            other => self.mismatch(span, format!("{} cannot stand for a number", other.ty().describe())),
        }
    }

    /// The value of a cell; cells of constants with known indices are known.
    fn read_cell(&mut self, place: Place) -> DataExpr {
        let offsets: Option<usize> = place.indices.iter().map(Index::known_offset).sum();
        match (place.base, offsets) {
            (Base::Constant(cell), Some(offset)) => {
                DataExpr::Const(self.network.constants[cell as usize + offset])
            }
            _ => DataExpr::Read(Box::new(place)),
        }
    }

    fn unary(&mut self, op: &str, operand: &Expr) -> Result<DataExpr, Reported> {
        let value = self.value(operand)?;
        match op {
            "-" => self.fold_unary(UnaryOp::Minus, value, operand.span),
            "!" => self.fold_unary(UnaryOp::Not, value, operand.span),
            "~" => self.fold_unary(UnaryOp::Complement, value, operand.span),
            _ => Ok(value),
        }
    }

    pub(super) fn fold_unary(
        &mut self,
        op: UnaryOp,
        operand: DataExpr,
        span: Span,
    ) -> Result<DataExpr, Reported> {
        match operand.as_const() {
            Some(number) => match op.apply(number) {
                Ok(number) => Ok(DataExpr::Const(number)),
                Err(error) => Err(self.error(span, code::NUMBER, error.to_string())),
            },
            None => Ok(DataExpr::Unary(op, Box::new(operand))),
        }
    }

    /// The right operand is compiled only if the left one does not decide the result.
    fn binary_with(
        &mut self,
        op: &str,
        left: DataExpr,
        right: &Expr,
        span: Span,
    ) -> Result<DataExpr, Reported> {
        match (op, left.as_const()) {
            ("&&", Some(0)) => Ok(DataExpr::Const(0)),
            ("||", Some(number)) if number != 0 => Ok(DataExpr::Const(1)),
            _ => {
                let right = self.value(right)?;
                self.binary(op, left, right, span)
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        op: &str,
        left: DataExpr,
        right: DataExpr,
        span: Span,
    ) -> Result<DataExpr, Reported> {
        let op = match op {
            ">" => return self.fold(BinaryOp::Less, right, left, span),
            ">=" => return self.fold(BinaryOp::LessEqual, right, left, span),
            op => operator(op),
        };
        match op {
            Some(op) => self.fold(op, left, right, span),
            None => self.unsupported(span, "this operator is not supported"),
        }
    }

    pub(super) fn fold(
        &mut self,
        op: BinaryOp,
        left: DataExpr,
        right: DataExpr,
        span: Span,
    ) -> Result<DataExpr, Reported> {
        match (op, left.as_const(), right.as_const()) {
            (BinaryOp::And, Some(0), _) => Ok(DataExpr::Const(0)),
            (BinaryOp::Or, Some(number), _) if number != 0 => Ok(DataExpr::Const(1)),
            (_, Some(left), Some(right)) => match op.apply(left, right) {
                Ok(number) => Ok(DataExpr::Const(number)),
                Err(error) => Err(self.error(span, code::NUMBER, error.to_string())),
            },
            _ => Ok(DataExpr::Binary(op, Box::new((left, right)))),
        }
    }

    /// `==` or `!=` of numbers, or of all cells of arrays and structures.
    fn equality(
        &mut self,
        op: &str,
        operands: (Operand, Operand),
        spans: (Span, Span),
        span: Span,
    ) -> Result<DataExpr, Reported> {
        let (Operand::Data { place: left, ty, .. }, Operand::Data { place: right, ty: other, .. }) =
            &operands
        else {
            return self.equal_numbers(op, operands, spans, span);
        };
        if ty.range().is_some() || other.range().is_some() {
            return self.equal_numbers(op, operands, spans, span);
        }
        if ty != other {
            return self.mismatch(span, "both sides of this comparison must have the same type");
        }
        let mut equalities = Joined::new(BinaryOp::And);
        for offset in 0..ty.cells() {
            self.count_expansion(span)?;
            let cell =
                |place: &Place| Place { base: place.base.plus(offset), indices: place.indices.clone() };
            let (left, right) = (self.read_cell(cell(left)), self.read_cell(cell(right)));
            equalities.push(self.fold(BinaryOp::Equal, left, right, span)?);
        }
        let all = self.join(equalities, span)?;
        if op == "==" { Ok(all) } else { self.fold_unary(UnaryOp::Not, all, span) }
    }

    fn equal_numbers(
        &mut self,
        op: &str,
        (left, right): (Operand, Operand),
        spans: (Span, Span),
        span: Span,
    ) -> Result<DataExpr, Reported> {
        let (left, right) = (self.read(left, spans.0)?, self.read(right, spans.1)?);
        self.binary(op, left, right, span)
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Result<DataExpr, Reported> {
        let condition = self.value(condition)?;
        match condition.as_const() {
            Some(0) => self.value(otherwise),
            Some(_) => self.value(then),
            None => {
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                Ok(DataExpr::If(Box::new((condition, then, otherwise))))
            }
        }
    }

    fn assignment(&mut self, op: &str, left: &Expr, right: &Expr) -> Result<DataExpr, Reported> {
        let operand = self.operand(left)?;
        let value = self.value(right)?;
        let update = if op == "=" { Some(Update::Set) } else { operator(op).map(Update::Apply) };
        match update {
            Some(update) => self.assign_to(operand, update, value, Yields::New, left.span),
            None => self.unsupported(left.span, "this assignment is not supported"),
        }
    }

    fn assign_to(
        &mut self,
        operand: Operand,
        update: Update,
        value: DataExpr,
        yields: Yields,
        span: Span,
    ) -> Result<DataExpr, Reported> {
        match operand {
            Operand::Data { place, ty, is_const: false } if ty.range().is_some() => {
                let range = ty.range().unwrap_or((0, 0));
                let value = if update == Update::Set { converted(value, &ty) } else { value };
                Ok(DataExpr::Assign(Box::new(Assign { place, update, value, range, yields })))
            }
            Operand::Data { is_const: true, .. } | Operand::Value(..) => {
                self.mismatch(span, "a constant cannot be changed")
            }
            other => self.mismatch(span, format!("{} cannot be assigned to here", other.ty().describe())),
        }
    }

    /// The first assignment to a variable, constant or not.
    pub(super) fn initialize(&mut self, operand: Operand, initial: &Expr) -> Result<DataStmt, Reported> {
        let operand = match operand {
            Operand::Data { place, ty, .. } => Operand::Data { place, ty, is_const: false },
            other => other,
        };
        if operand.ty().range().is_none() {
            return self.copy(operand, initial);
        }
        let value = self.value(initial)?;
        let assign = self.assign_to(operand, Update::Set, value, Yields::New, initial.span)?;
        Ok(DataStmt::Expr(assign))
    }

    /// The assignment of a whole array or structure.
    pub(super) fn copy(&mut self, to: Operand, from: &Expr) -> Result<DataStmt, Reported> {
        let from_operand = self.operand(from)?;
        match (to, from_operand) {
            (
                Operand::Data { place, ty, is_const: false },
                Operand::Data { place: source, ty: other, .. },
            ) if ty == other => Ok(DataStmt::Copy(place, Copied::Place(source, ty.cells()))),
            _ => self.mismatch(from.span, "both sides of this assignment must have the same type"),
        }
    }

    fn call(&mut self, function: &Expr, arguments: &[Expr], span: Span) -> Result<DataExpr, Reported> {
        let ExprKind::Name(name) = &function.kind else {
            return self.mismatch(function.span, "only functions can be called");
        };
        let Some(Symbol::Function(id, signature)) = self.lookup(name) else {
            return Err(self.error(
                function.span,
                code::UNKNOWN_NAME,
                format!("there is no function `{name}`"),
            ));
        };
        let (id, signature) = (*id, signature.clone());
        if signature.parameters.len() != arguments.len() {
            let message = format!("`{name}` takes {} arguments", signature.parameters.len());
            return self.mismatch(span, message);
        }
        let pairs = signature.parameters.iter().zip(arguments);
        let list: Result<Vec<Argument>, Reported> =
            pairs.map(|(formal, argument)| self.argument(formal, argument)).collect();
        Ok(DataExpr::Call(id, list?))
    }

    fn argument(&mut self, formal: &Formal, argument: &Expr) -> Result<Argument, Reported> {
        if !formal.by_reference && formal.ty.range().is_some() {
            let (value, range) = (self.value(argument)?, formal.ty.range().unwrap_or((0, 0)));
            return Ok(Argument::Value(converted(value, &formal.ty), range));
        }
        let Operand::Data { place, ty, is_const } = self.operand(argument)? else {
            return self.mismatch(argument.span, "a variable must stand here");
        };
        if ty != formal.ty {
            return self.mismatch(argument.span, "the argument has another type than the parameter");
        }
        match formal.by_reference {
            true if is_const => self.mismatch(argument.span, "a constant cannot be passed by reference"),
            true => Ok(Argument::Reference(place)),
            false => Ok(Argument::Cells(place, ty.cells())),
        }
    }

    fn quantified(
        &mut self,
        word: &str,
        name: &Name,
        ty: &TypeExpr,
        body: &Expr,
    ) -> Result<DataExpr, Reported> {
        let op = match word {
            "forall" => BinaryOp::And,
            "exists" => BinaryOp::Or,
            _ => BinaryOp::Add,
        };
        let mut joined = Joined::new(op);
        for value in self.values_of(ty)? {
            if joined.is_decided() {
                break;
            }
            joined.push(self.with_binding(name, value, |compiler| compiler.value(body))?);
        }
        self.join(joined, body.span)
    }

    /// All values of a type of numbers.
    pub(super) fn values_of(
        &mut self,
        written: &TypeExpr,
    ) -> Result<std::ops::RangeInclusive<i32>, Reported> {
        let ty = self.resolve_type(written)?;
        match ty.range() {
            Some((low, high)) => Ok(low..=high),
            None => self.mismatch(written.span, "only numbers can be enumerated"),
        }
    }

    /// The same for copies of edges and processes, which are all kept: too many are rejected before the first of them takes memory.
    pub(super) fn values_for_copies(
        &mut self,
        written: &TypeExpr,
    ) -> Result<std::ops::RangeInclusive<i32>, Reported> {
        let values = self.values_of(written)?;
        self.check_expansions(u64::from(values.end().abs_diff(*values.start())) + 1, written.span)?;
        Ok(values)
    }

    /// Runs `inner` with `name` standing for a number.
    pub(super) fn with_binding<T>(
        &mut self,
        name: &Name,
        value: i32,
        inner: impl FnOnce(&mut Self) -> Result<T, Reported>,
    ) -> Result<T, Reported> {
        self.count_expansion(name.span)?;
        let operand = Operand::Value(DataExpr::Const(value), Type::Int(value, value));
        self.scoped(|compiler| {
            compiler.declare(name, Symbol::Operand(operand))?;
            inner(compiler)
        })
    }
}

/// A number as a value of type `ty`: as a truth value, every number except 0 is true.
pub(super) fn converted(value: DataExpr, ty: &Type) -> DataExpr {
    let is_truth = match &value {
        DataExpr::Const(number) => return DataExpr::Const(ty.converted(*number)),
        DataExpr::Unary(op, _) => *op == UnaryOp::Not,
        DataExpr::Binary(op, _) => op.is_condition(),
        DataExpr::At(..) => true,
        _ => false,
    };
    if is_truth || *ty != Type::Bool {
        return value;
    }
    DataExpr::Binary(BinaryOp::NotEqual, Box::new((value, DataExpr::Const(0))))
}

fn operator(op: &str) -> Option<BinaryOp> {
    Some(match op {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        "/" => BinaryOp::Divide,
        "%" => BinaryOp::Modulo,
        "<?" => BinaryOp::Minimum,
        ">?" => BinaryOp::Maximum,
        "&" => BinaryOp::BitAnd,
        "|" => BinaryOp::BitOr,
        "^" => BinaryOp::BitXor,
        "<<" => BinaryOp::ShiftLeft,
        ">>" => BinaryOp::ShiftRight,
        "<" => BinaryOp::Less,
        "<=" => BinaryOp::LessEqual,
        "==" => BinaryOp::Equal,
        "!=" => BinaryOp::NotEqual,
        "&&" => BinaryOp::And,
        "||" => BinaryOp::Or,
        _ => return None,
    })
}

/// Whether an expression may stand for a variable.
fn is_operand(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..))
}
