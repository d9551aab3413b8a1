//! Expressions, from the loosest operators to the tightest: `or` and `imply`; `and`; `not`; assignments; `?:`; then the signs
//! as in C, with `<?` (minimum) and `>?` (maximum) between comparisons and shifts.

use thetis_base::{Reported, Span};

use super::Parser;
use crate::ast::{Expr, ExprKind, Position};
use crate::code;
use crate::lexer::TokenKind;

/// Binary signs from loose to tight.
const LEVELS: [&[&str]; 11] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<?", ">?"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const ASSIGNMENTS: [(&str, &str); 12] = [
    ("=", "="),
    (":=", "="),
    ("+=", "+"),
    ("-=", "-"),
    ("*=", "*"),
    ("/=", "/"),
    ("%=", "%"),
    ("|=", "|"),
    ("&=", "&"),
    ("^=", "^"),
    ("<<=", "<<"),
    (">>=", ">>"),
];

/// How deeply operators may nest; a sequence of equal operators nests to the left.
const MAX_OPERATORS: u32 = 400;

const QUANTIFIERS: [&str; 3] = ["forall", "exists", "sum"];

impl Parser<'_, '_> {
    pub(crate) fn expr(&mut self) -> Result<Expr, Reported> {
        self.nested(|parser| {
            let mut left = parser.conjunction()?;
            loop {
                let op = if parser.eat_word("or") {
                    "||"
                } else if parser.eat_word("imply") {
                    "imply"
                } else {
                    return Ok(left);
                };
                let right = parser.conjunction()?;
                left = parser.binary(op, left, right)?;
            }
        })
    }

    fn conjunction(&mut self) -> Result<Expr, Reported> {
        let mut left = self.negation()?;
        while self.eat_word("and") {
            let right = self.negation()?;
            left = self.binary("&&", left, right)?;
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Expr, Reported> {
        if !self.is_word("not") {
            return self.assignment();
        }
        let start = self.bump().span;
        let operand = self.nested(Parser::negation)?;
        let span = start.to(operand.span);
        self.node(ExprKind::Unary("!", Box::new(operand)), span)
    }

    fn assignment(&mut self) -> Result<Expr, Reported> {
        let left = self.conditional()?;
        for (sign, op) in ASSIGNMENTS {
            if self.eat(sign) {
                let right = self.nested(Parser::assignment)?;
                let span = left.span.to(right.span);
                return self.node(ExprKind::Assign(op, Box::new(left), Box::new(right)), span);
            }
        }
        Ok(left)
    }

    fn conditional(&mut self) -> Result<Expr, Reported> {
        let condition = self.level(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let then = self.expr()?;
        self.expect(":")?;
        let otherwise = self.nested(Parser::conditional)?;
        let span = condition.span.to(otherwise.span);
        self.node(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)), span)
    }

    fn level(&mut self, level: usize) -> Result<Expr, Reported> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let Some(sign) = signs.iter().find(|sign| self.is_sign(sign)) {
            self.bump();
            let right = self.level(level + 1)?;
            left = self.binary(sign, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Reported> {
        let start = self.peek().span;
        if self.is_word("not") {
            return self.nested(Parser::negation);
        }
        if let Some(word) = QUANTIFIERS.iter().find(|word| self.is_word(word)) {
            return self.quantified(word);
        }
        if let Some(op) = ["++", "--"].iter().find(|sign| self.is_sign(sign)) {
            self.bump();
            let operand = self.nested(Parser::unary)?;
            let span = start.to(operand.span);
            return self.node(ExprKind::Step(op, Position::Before, Box::new(operand)), span);
        }
        if let Some(op) = ["-", "+", "!", "~"].iter().find(|sign| self.is_sign(sign)) {
            self.bump();
            let operand = self.nested(Parser::unary)?;
            let span = start.to(operand.span);
            return self.node(ExprKind::Unary(op, Box::new(operand)), span);
        }
        self.postfix()
    }

    fn quantified(&mut self, word: &'static str) -> Result<Expr, Reported> {
        let start = self.bump().span;
        self.expect("(")?;
        let name = self.name()?;
        self.expect(":")?;
        let ty = self.type_expr()?;
        self.expect(")")?;
        let body = self.expr()?;
        let span = start.to(body.span);
        self.node(ExprKind::Quantified(word, name, Box::new(ty), Box::new(body)), span)
    }

    pub(crate) fn postfix(&mut self) -> Result<Expr, Reported> {
        let mut expr = self.primary()?;
        for _ in 0..super::MAX_DEPTH {
            let start = expr.span;
            let whole = |end: Span| start.to(end);
            let (kind, end) = if self.eat("[") {
                let index = self.expr()?;
                let end = self.expect("]")?;
                (ExprKind::Index(Box::new(expr), Box::new(index)), end)
            } else if self.eat("(") {
                let arguments = self.comma_list(")", Parser::expr)?;
                let end = arguments.last().map_or(start, |argument| argument.span);
                (ExprKind::Call(Box::new(expr), arguments), end)
            } else if self.eat(".") {
                let field = self.name()?;
                let end = field.span;
                (ExprKind::Field(Box::new(expr), field), end)
            } else if let Some(op) = ["++", "--"].iter().find(|sign| self.is_sign(sign)) {
                let end = self.bump().span;
                (ExprKind::Step(op, Position::After, Box::new(expr)), end)
            } else if self.is_sign("'") {
                let end = self.bump().span;
                (ExprKind::Rate(Box::new(expr)), end)
            } else {
                return Ok(expr);
            };
            expr = self.node(kind, whole(end))?;
        }
        self.nested(|parser| Err(parser.expected("fewer operators in a row")))
    }

    fn primary(&mut self) -> Result<Expr, Reported> {
        let token = self.peek();
        let kind = match &token.kind {
            TokenKind::Number(number) => ExprKind::Number(*number),
            TokenKind::Word(word) if word == "true" => ExprKind::Number(1),
            TokenKind::Word(word) if word == "false" => ExprKind::Number(0),
            TokenKind::Word(word) if word == "deadlock" => ExprKind::Name(word.clone()),
            TokenKind::Word(_) => {
                let name = self.name()?;
                return self.node(ExprKind::Name(name.text), name.span);
            }
            TokenKind::Sign("(") => {
                self.bump();
                let inner = self.expr()?;
                self.expect(")")?;
                return Ok(inner);
            }
            _ => return Err(self.expected("an expression")),
        };
        self.bump();
        self.node(kind, token.span)
    }

    /// An expression, or a list of initial values in braces.
    pub(super) fn initializer(&mut self) -> Result<Expr, Reported> {
        if !self.is_sign("{") {
            return self.expr();
        }
        let start = self.bump().span;
        let elements = self.nested(|parser| parser.comma_list("}", Parser::initializer))?;
        let span = elements.last().map_or(start, |last| start.to(last.span));
        self.node(ExprKind::List(elements), span)
    }

    fn binary(&mut self, op: &'static str, left: Expr, right: Expr) -> Result<Expr, Reported> {
        let span = left.span.to(right.span);
        self.node(ExprKind::Binary(op, Box::new(left), Box::new(right)), span)
    }

    /// An expression, unless its operators nest too deeply.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span) -> Result<Expr, Reported> {
        let depth = kind.depth();
        if depth > MAX_OPERATORS {
            let message = format!("more than {MAX_OPERATORS} operators in a row or inside of each other");
            return Err(self.diags.error(span, code::TOO_DEEP, message));
        }
        Ok(Expr { kind, span, depth })
    }
}
