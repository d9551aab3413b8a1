//! Assembly statements. Only those without instructions are supported: programs use them as compiler barriers. Outputs
//! then keep their values or, if an input has the same location, get the value of that input.

use crate::syntax::ast::{BlockItem, Expr, ExprKind, Stmt, StmtKind};
use crate::syntax::token::TokenKind;

use super::{Parsed, Parser};

const QUALIFIERS: [&str; 6] = ["volatile", "__volatile", "__volatile__", "inline", "__inline", "__inline__"];

/// An operand: its constraint without quotes, its name, its value or place.
struct Operand<'t> {
    constraint: &'t str,
    name: Option<&'t str>,
    expr: Expr,
}

impl<'t> Parser<'_, 't, '_> {
    /// An assembly statement.
    pub(super) fn asm(&mut self) -> Parsed<StmtKind> {
        self.next();
        while self.accept_any(&QUALIFIERS) {}
        let jumps = self.accept("goto");
        while self.accept_any(&QUALIFIERS) {}
        self.expect("(")?;
        if jumps || !self.peek_is_text("\"\"") || self.tokens[self.at + 1].kind == TokenKind::Text {
            self.skip_asm()?;
            return Ok(StmtKind::Asm);
        }
        self.next();
        let outputs = self.operands()?;
        let inputs = self.operands()?;
        self.skip_asm()?;
        Ok(barrier(outputs, inputs).map_or(StmtKind::Asm, StmtKind::Block))
    }

    fn peek_is_text(&self, text: &str) -> bool {
        self.peek().kind == TokenKind::Text && self.peek().text == text
    }

    /// Skips to the end of the statement.
    fn skip_asm(&mut self) -> Parsed<()> {
        let mut open = 1;
        while open > 0 {
            let token = self.next();
            if token.kind == TokenKind::End {
                return Err(self.unexpected("`)`"));
            }
            open += usize::from(token.is("("));
            open -= usize::from(token.is(")"));
        }
        self.expect(";")?;
        Ok(())
    }

    /// The operands after the next colon, if there is one.
    fn operands(&mut self) -> Parsed<Vec<Operand<'t>>> {
        let mut operands = Vec::new();
        if !self.accept(":") || self.peek_is_any(&[":", ")"]) {
            return Ok(operands);
        }
        loop {
            let name = if self.accept("[") {
                let name = self.next().text;
                self.expect("]")?;
                Some(name)
            } else {
                None
            };
            let constraint = self.next().text.trim_matches('"');
            self.expect("(")?;
            let expr = self.expression()?;
            self.expect(")")?;
            operands.push(Operand { constraint, name, expr });
            if !self.accept(",") {
                return Ok(operands);
            }
        }
    }
}

/// What happens if nothing is executed: operands are evaluated, and an output that has the place of an input gets its
/// value. It is a limit if an output may have any value, or if two are written, which may depend on each other.
fn barrier(outputs: Vec<Operand<'_>>, inputs: Vec<Operand<'_>>) -> Option<Vec<BlockItem>> {
    let mut exprs = Vec::new();
    let mut inputs: Vec<Option<Operand<'_>>> = inputs.into_iter().map(Some).collect();
    let mut num_written = 0;
    for (number, output) in outputs.into_iter().enumerate() {
        if output.constraint.starts_with('+') {
            exprs.push(output.expr);
            continue;
        }
        let is_same = |input: &Operand<'_>| {
            let place = input.constraint.trim_start_matches('%');
            place == number.to_string()
                || output.name.is_some_and(|name| {
                    place.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) == Some(name)
                })
        };
        let input = inputs.iter_mut().find(|input| input.as_ref().is_some_and(is_same))?.take()?;
        num_written += 1;
        let span = output.expr.span;
        let kind = ExprKind::Assign(None, Box::new(output.expr), Box::new(input.expr));
        exprs.push(Expr { kind, span });
    }
    exprs.extend(inputs.into_iter().flatten().map(|input| input.expr));
    let stmt = |expr: Expr| BlockItem::Stmt(Stmt { span: expr.span, kind: StmtKind::Expr(expr) });
    (num_written < 2).then(|| exprs.into_iter().map(stmt).collect())
}
