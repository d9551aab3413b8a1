//! Functions and the statements of updates.

use std::rc::Rc;

use thetis_base::{Reported, Span};
use thetis_model::xta::{Argument, Base, Copied, DataExpr, DataStmt, Function, FunctionId, Place};

use super::Compiler;
use super::expressions::converted;
use crate::ast::{Expr, ExprKind, FunctionDecl, Parameter, Stmt};
use crate::code;
use crate::types::{Formal, Operand, Signature, Symbol, Type};

/// The cells of the function that is compiled.
pub(super) struct Frame {
    cells: u32,
    result: Type,
}

impl Compiler<'_> {
    pub(super) fn function(&mut self, decl: &FunctionDecl) -> Result<(), Reported> {
        let result = self.resolve_type(&decl.result)?;
        if result != Type::Void && result.range().is_none() {
            let message = format!("a function that returns {} is not supported", result.describe());
            return self.unsupported(decl.name.span, message);
        }
        self.frame = Some(Frame { cells: 0, result: result.clone() });
        let compiled = self.scoped(|compiler| {
            let formals = decl.parameters.iter().map(|parameter| compiler.formal(parameter));
            let formals: Vec<Formal> = formals.collect::<Result<_, _>>()?;
            Ok((formals, compiler.block(&decl.body)?))
        });
        let frame = self.frame.take().map_or(0, |frame| frame.cells);
        let (parameters, body) = compiled?;
        let function = Function {
            name: format!("{}{}", self.prefix, decl.name.text),
            frame,
            body,
            range: result.range().unwrap_or((0, 0)),
        };
        let id = FunctionId::from(self.network.functions.len());
        self.network.functions.push(function);
        self.declare(&decl.name, Symbol::Function(id, Rc::new(Signature { parameters })))
    }

    fn formal(&mut self, parameter: &Parameter) -> Result<Formal, Reported> {
        let ty = self.full_type(&parameter.ty, &parameter.dimensions)?;
        let is_data = ty.innermost().range().is_some() || matches!(ty.innermost(), Type::Struct(_));
        if !is_data {
            let message =
                format!("{} as a parameter of a function is not supported", ty.innermost().describe());
            return self.unsupported(parameter.name.span, message);
        }
        // A constant reference cannot be distinguished from a copy.
        let by_reference = parameter.by_reference && !parameter.ty.is_const;
        let base =
            match (by_reference, self.allocate_local(if by_reference { 1 } else { ty.cells().unwrap_or(0) }))
            {
                (true, Base::Local(cell)) => Base::Reference(cell, 0),
                (_, base) => base,
            };
        let place = Place { base, indices: Vec::new() };
        let operand = Operand::Data { place, ty: ty.clone(), is_const: parameter.ty.is_const };
        self.declare(&parameter.name, Symbol::Operand(operand))?;
        Ok(Formal { ty, by_reference })
    }

    pub(super) fn allocate_local(&mut self, cells: u32) -> Base {
        let frame = self.frame.as_mut().expect("local variables should be those of a function");
        let base = Base::Local(frame.cells);
        frame.cells += cells;
        base
    }

    fn block(&mut self, statements: &[Stmt]) -> Result<DataStmt, Reported> {
        self.scoped(|compiler| {
            let list: Result<Vec<DataStmt>, Reported> =
                statements.iter().map(|statement| compiler.statement(statement)).collect();
            Ok(DataStmt::Block(list?))
        })
    }

    fn statement(&mut self, statement: &Stmt) -> Result<DataStmt, Reported> {
        match statement {
            Stmt::Declaration(declaration) => Ok(DataStmt::Block(self.local_variables(declaration)?)),
            Stmt::Expr(expr) => self.effect(expr),
            Stmt::Block(statements) => self.block(statements),
            Stmt::If(condition, then, otherwise) => {
                let condition = self.value(condition)?;
                let (then, otherwise) = (self.statement(then)?, self.statement(otherwise)?);
                Ok(DataStmt::If(condition, Box::new(then), Box::new(otherwise)))
            }
            Stmt::While(condition, body) => {
                Ok(DataStmt::While(self.value(condition)?, Box::new(self.statement(body)?)))
            }
            Stmt::DoWhile(body, condition) => {
                let body = self.statement(body)?;
                Ok(DataStmt::DoWhile(Box::new(body), self.value(condition)?))
            }
            Stmt::For(parts, body) => {
                let (start, condition) = (self.effect(&parts.0)?, self.value(&parts.1)?);
                let body = DataStmt::Block(vec![self.statement(body)?, self.effect(&parts.2)?]);
                Ok(DataStmt::Block(vec![start, DataStmt::While(condition, Box::new(body))]))
            }
            Stmt::Iterate(name, ty, body) => {
                let values = self.values_of(ty)?;
                let copies =
                    values.map(|value| self.with_binding(name, value, |compiler| compiler.statement(body)));
                Ok(DataStmt::Block(copies.collect::<Result<_, _>>()?))
            }
            Stmt::Return(value, span) => self.returned(value.as_ref(), *span),
        }
    }

    fn returned(&mut self, value: Option<&Expr>, span: Span) -> Result<DataStmt, Reported> {
        let is_void = self.frame.as_ref().is_none_or(|frame| frame.result == Type::Void);
        match value {
            Some(value) if !is_void => {
                let result = self.frame.as_ref().map_or(Type::Void, |frame| frame.result.clone());
                let value = self.value(value)?;
                Ok(DataStmt::Return(Some(converted(value, &result))))
            }
            None if is_void => Ok(DataStmt::Return(None)),
            _ => self.mismatch(span, "this does not return what the function declares"),
        }
    }

    /// Expressions that are evaluated for their effects, one after the other.
    pub(super) fn effects(&mut self, exprs: &[Expr]) -> Result<Vec<DataStmt>, Reported> {
        exprs.iter().map(|expr| self.effect(expr)).collect()
    }

    /// An expression that is evaluated for its effect.
    pub(super) fn effect(&mut self, expr: &Expr) -> Result<DataStmt, Reported> {
        if let ExprKind::Assign(op, left, right) = &expr.kind {
            match self.operand(left)? {
                Operand::Clock(clock, Type::Clock) => {
                    if *op != "=" {
                        return self.mismatch(expr.span, "a clock can only be set");
                    }
                    if self.mentions_clock(right)? {
                        return self.unsupported(right.span, "copying a clock is not supported");
                    }
                    return Ok(DataStmt::SetClock(clock, self.value(right)?));
                }
                operand if *op == "=" && matches!(operand.ty(), Type::Array(..) | Type::Struct(_)) => {
                    return self.copy(operand, right);
                }
                _ => {}
            }
        }
        Ok(DataStmt::Expr(self.value(expr)?))
    }

    /// Conditions must not change anything.
    pub(super) fn check_pure(&mut self, expr: &DataExpr, span: Span) -> Result<(), Reported> {
        if self.is_pure(expr) {
            return Ok(());
        }
        Err(self.error(span, code::TYPE_MISMATCH, "a condition must not change variables"))
    }

    fn is_pure(&self, expr: &DataExpr) -> bool {
        match expr {
            DataExpr::Const(_) | DataExpr::At(..) => true,
            DataExpr::Read(place) => self.is_pure_place(place),
            DataExpr::Unary(_, operand) => self.is_pure(operand),
            DataExpr::Binary(_, operands) => self.is_pure(&operands.0) && self.is_pure(&operands.1),
            DataExpr::If(parts) => [&parts.0, &parts.1, &parts.2].into_iter().all(|part| self.is_pure(part)),
            // Writing to the function's own cells changes nothing outside.
            DataExpr::Assign(assign) => {
                matches!(assign.place.base, Base::Local(_))
                    && self.is_pure_place(&assign.place)
                    && self.is_pure(&assign.value)
            }
            DataExpr::Call(function, arguments) => {
                self.is_pure_statement(&self.network.functions[*function].body)
                    && arguments.iter().all(|argument| match argument {
                        Argument::Value(value, _) => self.is_pure(value),
                        Argument::Cells(place, _) | Argument::Reference(place) => self.is_pure_place(place),
                    })
            }
        }
    }

    fn is_pure_place(&self, place: &Place) -> bool {
        place.indices.iter().all(|index| self.is_pure(&index.at))
    }

    fn is_pure_statement(&self, statement: &DataStmt) -> bool {
        match statement {
            DataStmt::Expr(expr) | DataStmt::Return(Some(expr)) => self.is_pure(expr),
            DataStmt::Copy(to, from) => {
                let source = match from {
                    Copied::Place(place, _) => self.is_pure_place(place),
                    Copied::Values(_) => true,
                };
                source && matches!(to.base, Base::Local(_)) && self.is_pure_place(to)
            }
            DataStmt::SetClock(..) => false,
            DataStmt::Block(statements) => {
                statements.iter().all(|statement| self.is_pure_statement(statement))
            }
            DataStmt::If(condition, then, otherwise) => {
                self.is_pure(condition) && self.is_pure_statement(then) && self.is_pure_statement(otherwise)
            }
            DataStmt::While(condition, body) | DataStmt::DoWhile(body, condition) => {
                self.is_pure(condition) && self.is_pure_statement(body)
            }
            DataStmt::Return(None) => true,
        }
    }
}
