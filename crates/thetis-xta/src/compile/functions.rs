//! Functions and the statements of updates.

use std::rc::Rc;

use thetis_base::{Reported, Span};
use thetis_model::xta::{Base, DataExpr, DataStmt, Function, FunctionId, Place};

use super::Compiler;
use super::expressions::converted;
use super::reach::{Facts, MAX_NESTING};
use crate::ast::{Expr, ExprKind, FunctionDecl, Parameter, Stmt};
use crate::code;
use crate::types::{Formal, MAX_CELLS, Operand, Signature, Symbol, Type};

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
        let facts = Facts::of(&body, frame, &self.names.functions);
        self.check_facts(&facts, decl.name.span)?;
        let function = Function {
            name: format!("{}{}", self.prefix, decl.name.text),
            frame,
            body,
            range: result.range().unwrap_or((0, 0)),
        };
        let id = FunctionId::from(self.network.functions.len());
        self.network.functions.push(function);
        self.names.functions.push(facts);
        self.declare(&decl.name, Symbol::Function(id, Rc::new(Signature { parameters })))
    }

    /// Whether a function needs no more than evaluation has.
    fn check_facts(&mut self, facts: &Facts, span: Span) -> Result<(), Reported> {
        if facts.depth > MAX_NESTING {
            let message = "this function and those that it calls nest too deeply";
            return Err(self.error(span, code::TOO_DEEP, message));
        }
        if facts.cells > u64::from(MAX_CELLS) {
            return self.too_large(span);
        }
        Ok(())
    }

    fn formal(&mut self, parameter: &Parameter) -> Result<Formal, Reported> {
        let ty = self.full_type(&parameter.ty, &parameter.dimensions)?;
        let is_data = ty.innermost().range().is_some() || matches!(ty.innermost(), Type::Struct(..));
        if !is_data {
            let message =
                format!("{} as a parameter of a function is not supported", ty.innermost().describe());
            return self.unsupported(parameter.name.span, message);
        }
        // A constant reference cannot be distinguished from a copy.
        let by_reference = parameter.by_reference && !parameter.ty.is_const;
        let cells = if by_reference { 1 } else { ty.cells() };
        let base = match (by_reference, self.allocate_local(cells, parameter.name.span)?) {
            (true, Base::Local(cell)) => Base::Reference(cell, 0),
            (_, base) => base,
        };
        let place = Place { base, indices: Vec::new() };
        let operand = Operand::Data { place, ty: ty.clone(), is_const: parameter.ty.is_const };
        self.declare(&parameter.name, Symbol::Operand(operand))?;
        Ok(Formal { ty, by_reference })
    }

    pub(super) fn allocate_local(&mut self, cells: u32, span: Span) -> Result<Base, Reported> {
        let frame = self.frame.as_mut().expect("local variables should be those of a function");
        let base = Base::Local(frame.cells);
        // Neither number exceeds the limit.
        frame.cells += cells;
        if frame.cells > MAX_CELLS {
            return self.too_large(span);
        }
        Ok(base)
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
                operand if *op == "=" && matches!(operand.ty(), Type::Array(..) | Type::Struct(..)) => {
                    return self.copy(operand, right);
                }
                _ => {}
            }
        }
        Ok(DataStmt::Expr(self.value(expr)?))
    }

    /// Conditions must not change anything.
    pub(super) fn check_pure(&mut self, expr: &DataExpr, span: Span) -> Result<(), Reported> {
        if Facts::of_expr(expr, &self.names.functions).is_pure {
            return Ok(());
        }
        Err(self.error(span, code::TYPE_MISMATCH, "a condition must not change variables"))
    }
}
