//! Statements of functions.

use thetis_base::Reported;

use super::Parser;
use crate::ast::{Expr, ExprKind, Stmt};
use crate::lexer::TokenKind;

impl Parser<'_, '_> {
    /// Statements up to the closing brace, which is consumed.
    pub(super) fn statements(&mut self) -> Result<Vec<Stmt>, Reported> {
        let mut list = Vec::new();
        while !self.eat("}") {
            list.push(self.statement()?);
        }
        Ok(list)
    }

    fn statement(&mut self) -> Result<Stmt, Reported> {
        self.nested(Parser::statement_here)
    }

    fn statement_here(&mut self) -> Result<Stmt, Reported> {
        if self.eat("{") {
            return Ok(Stmt::Block(self.statements()?));
        }
        if self.eat(";") {
            return Ok(Stmt::Block(Vec::new()));
        }
        if self.is_declaration() {
            return Ok(Stmt::Declaration(self.declaration()?));
        }
        let start = self.peek().span;
        let TokenKind::Word(word) = &self.peek().kind else { return self.expression_statement() };
        match word.as_str() {
            "if" => self.choice(),
            "while" => {
                self.bump();
                let condition = self.in_parentheses()?;
                Ok(Stmt::While(condition, Box::new(self.statement()?)))
            }
            "do" => {
                self.bump();
                let body = self.statement()?;
                if !self.eat_word("while") {
                    return Err(self.expected("`while`"));
                }
                let condition = self.in_parentheses()?;
                self.expect(";")?;
                Ok(Stmt::DoWhile(Box::new(body), condition))
            }
            "for" => self.for_loop(),
            "return" => {
                self.bump();
                let value = if self.is_sign(";") { None } else { Some(self.expr()?) };
                self.expect(";")?;
                Ok(Stmt::Return(value, start))
            }
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Result<Stmt, Reported> {
        let expr = self.expr()?;
        self.expect(";")?;
        Ok(Stmt::Expr(expr))
    }

    fn in_parentheses(&mut self) -> Result<Expr, Reported> {
        self.expect("(")?;
        let expr = self.expr()?;
        self.expect(")")?;
        Ok(expr)
    }

    fn choice(&mut self) -> Result<Stmt, Reported> {
        self.bump();
        let condition = self.in_parentheses()?;
        let then = self.statement()?;
        let otherwise = if self.eat_word("else") { self.statement()? } else { Stmt::Block(Vec::new()) };
        Ok(Stmt::If(condition, Box::new(then), Box::new(otherwise)))
    }

    fn for_loop(&mut self) -> Result<Stmt, Reported> {
        self.bump();
        self.expect("(")?;
        if matches!(self.peek_after(1), TokenKind::Sign(":")) {
            let name = self.name()?;
            self.expect(":")?;
            let ty = self.type_expr()?;
            self.expect(")")?;
            return Ok(Stmt::Iterate(name, ty, Box::new(self.statement()?)));
        }
        let start = self.optional_expr(";")?;
        let condition = self.optional_expr(";")?;
        let step = self.optional_expr(")")?;
        Ok(Stmt::For(Box::new((start, condition, step)), Box::new(self.statement()?)))
    }

    /// An expression, or 1 if there is none, and the sign after it.
    fn optional_expr(&mut self, end: &str) -> Result<Expr, Reported> {
        let span = self.peek().span;
        let expr = if self.is_sign(end) { self.node(ExprKind::Number(1), span)? } else { self.expr()? };
        self.expect(end)?;
        Ok(expr)
    }
}
