//! Expressions, by precedence.

use thetis_base::Span;

use super::super::ast::{
    AlignmentKind, Association, BinaryOp, Expr, ExprKind, OffsetStep, Spanned, TypeName, UnaryOp,
};
use super::super::token::TokenKind;
use super::{Parsed, Parser};

/// The level of `||`; larger ones bind more tightly.
const LOWEST: u8 = 1;

impl Parser<'_, '_, '_> {
    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        let mut length = 0;
        while self.accept(",") {
            length += 1;
            self.check_depth(length)?;
            let right = self.assignment()?;
            left = joined(left, right, ExprKind::Comma);
        }
        Ok(left)
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let left = parser.conditional_here()?;
            let Some(op) = assignment_operator(parser.peek().text) else { return Ok(left) };
            if parser.peek().kind != TokenKind::Punctuation {
                return Ok(left);
            }
            parser.next();
            let right = parser.assignment()?;
            Ok(joined(left, right, |left, right| ExprKind::Assign(op, left, right)))
        })
    }

    /// An expression without commas and assignments, as constant expressions are.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        self.nested(Self::conditional_here)
    }

    fn conditional_here(&mut self) -> Parsed<Expr> {
        let condition = self.binary(LOWEST)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let then = if self.peek().is(":") { None } else { Some(Box::new(self.expression()?)) };
        self.expect(":")?;
        let otherwise = Box::new(self.conditional()?);
        let span = self.span_from(condition.span);
        Ok(Expr { kind: ExprKind::Conditional(Box::new(condition), then, otherwise), span })
    }

    /// Operators of at least this level, by precedence climbing.
    fn binary(&mut self, lowest: u8) -> Parsed<Expr> {
        let mut left = self.cast()?;
        let mut length = 0;
        while let Some((op, level)) = self.binary_operator().filter(|(_, level)| *level >= lowest) {
            length += 1;
            self.check_depth(length)?;
            self.next();
            let right = self.binary(level + 1)?;
            left = joined(left, right, |left, right| ExprKind::Binary(op, left, right));
        }
        Ok(left)
    }

    fn binary_operator(&self) -> Option<(BinaryOp, u8)> {
        let token = self.peek();
        if token.kind != TokenKind::Punctuation {
            return None;
        }
        Some(match token.text {
            "||" => (BinaryOp::Or, LOWEST),
            "&&" => (BinaryOp::And, 2),
            "|" => (BinaryOp::BitOr, 3),
            "^" => (BinaryOp::BitXor, 4),
            "&" => (BinaryOp::BitAnd, 5),
            "==" => (BinaryOp::Eq, 6),
            "!=" => (BinaryOp::Ne, 6),
            "<" => (BinaryOp::Lt, 7),
            ">" => (BinaryOp::Gt, 7),
            "<=" => (BinaryOp::Le, 7),
            ">=" => (BinaryOp::Ge, 7),
            "<<" => (BinaryOp::Shl, 8),
            ">>" => (BinaryOp::Shr, 8),
            "+" => (BinaryOp::Add, 9),
            "-" => (BinaryOp::Sub, 9),
            "*" => (BinaryOp::Mul, 10),
            "/" => (BinaryOp::Div, 10),
            "%" => (BinaryOp::Rem, 10),
            _ => return None,
        })
    }

    /// Whether a parenthesis with a type name is next.
    fn opens_type_name(&self) -> bool {
        let extensions = (1..).take_while(|distance| self.peek_far(*distance).is("__extension__")).count();
        self.peek().is("(") && self.starts_specifiers(self.peek_far(1 + extensions))
    }

    fn cast(&mut self) -> Parsed<Expr> {
        if !self.opens_type_name() {
            return self.unary();
        }
        self.nested(|parser| {
            let start = parser.next().span;
            let ty = parser.type_name()?;
            parser.expect(")")?;
            if parser.peek().is("{") {
                let list = parser.initializer_list()?;
                let kind = ExprKind::CompoundLiteral(Box::new(ty), list);
                let literal = Expr { kind, span: parser.span_from(start) };
                return parser.postfix_after(literal);
            }
            let operand = Box::new(parser.cast()?);
            Ok(Expr { kind: ExprKind::Cast(Box::new(ty), operand), span: parser.span_from(start) })
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let op = match token.text {
            "+" => UnaryOp::Plus,
            "-" => UnaryOp::Minus,
            "!" => UnaryOp::Not,
            "~" => UnaryOp::BitNot,
            "*" => UnaryOp::Deref,
            "&" => UnaryOp::Address,
            "__real__" | "__imag__" => UnaryOp::ComplexPart,
            "__extension__" => {
                self.next();
                return self.nested(Self::cast);
            }
            "++" | "--" => return self.nested(|parser| parser.prefix_step(token.span, token.text == "++")),
            "&&" => return self.label_address(token.span),
            "sizeof" => return self.nested(|parser| parser.size_of(token.span)),
            "_Alignof" => return self.nested(|parser| parser.align_of(token.span, AlignmentKind::Least)),
            "__alignof" | "__alignof__" => {
                return self.nested(|parser| parser.align_of(token.span, AlignmentKind::Preferred));
            }
            _ => return self.postfix(),
        };
        if !matches!(token.kind, TokenKind::Punctuation | TokenKind::Name) {
            return self.postfix();
        }
        self.nested(|parser| {
            parser.next();
            let operand = Box::new(parser.cast()?);
            Ok(Expr { kind: ExprKind::Unary(op, operand), span: parser.span_from(token.span) })
        })
    }

    fn prefix_step(&mut self, start: Span, is_increment: bool) -> Parsed<Expr> {
        self.next();
        let operand = Box::new(self.cast()?);
        let kind = ExprKind::Step { operand, is_increment, is_postfix: false };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn label_address(&mut self, start: Span) -> Parsed<Expr> {
        self.next();
        let label = self.identifier()?.node;
        if !self.taken_labels.contains(&label) {
            self.taken_labels.push(label.clone());
        }
        Ok(Expr { kind: ExprKind::LabelAddress(label), span: self.span_from(start) })
    }

    fn size_of(&mut self, start: Span) -> Parsed<Expr> {
        self.next();
        let kind = match self.type_or_operand()? {
            TypeOrOperand::Type(ty) => ExprKind::SizeOfType(ty),
            TypeOrOperand::Operand(operand) => ExprKind::SizeOfExpr(operand),
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn align_of(&mut self, start: Span, alignment: AlignmentKind) -> Parsed<Expr> {
        self.next();
        let kind = match self.type_or_operand()? {
            TypeOrOperand::Type(ty) => ExprKind::AlignOfType(alignment, ty),
            TypeOrOperand::Operand(operand) => ExprKind::AlignOfExpr(alignment, operand),
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    /// A type in parentheses or a unary expression, which may be a compound literal.
    fn type_or_operand(&mut self) -> Parsed<TypeOrOperand> {
        if !self.opens_type_name() {
            return Ok(TypeOrOperand::Operand(Box::new(self.unary()?)));
        }
        let start = self.next().span;
        let ty = Box::new(self.type_name()?);
        self.expect(")")?;
        if !self.peek().is("{") {
            return Ok(TypeOrOperand::Type(ty));
        }
        let list = self.initializer_list()?;
        let literal = Expr { kind: ExprKind::CompoundLiteral(ty, list), span: self.span_from(start) };
        Ok(TypeOrOperand::Operand(Box::new(self.postfix_after(literal)?)))
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let operand = self.primary()?;
        self.postfix_after(operand)
    }

    fn postfix_after(&mut self, mut operand: Expr) -> Parsed<Expr> {
        let mut length = 0;
        while self.peek().kind == TokenKind::Punctuation {
            let start = operand.span;
            let kind = match self.peek().text {
                "[" => {
                    self.next();
                    let index = Box::new(self.expression()?);
                    self.expect("]")?;
                    ExprKind::Index(Box::new(operand), index)
                }
                "(" => ExprKind::Call(Box::new(operand), self.arguments()?),
                mark @ ("." | "->") => {
                    self.next();
                    let field = self.identifier()?.node;
                    ExprKind::Member { object: Box::new(operand), field, is_arrow: mark == "->" }
                }
                mark @ ("++" | "--") => {
                    self.next();
                    ExprKind::Step {
                        operand: Box::new(operand),
                        is_increment: mark == "++",
                        is_postfix: true,
                    }
                }
                _ => break,
            };
            operand = Expr { kind, span: self.span_from(start) };
            length += 1;
            self.check_depth(length)?;
        }
        Ok(operand)
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.next();
        let mut arguments = Vec::new();
        while !self.peek().is(")") {
            arguments.push(self.assignment()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let kind = match token.kind {
            TokenKind::Number => {
                self.next();
                ExprKind::Number(token.text.into())
            }
            TokenKind::Char => {
                self.next();
                ExprKind::Char(token.text.into())
            }
            TokenKind::Text => ExprKind::Text(self.text_pieces()),
            TokenKind::Name => self.named()?,
            TokenKind::Punctuation if token.text == "(" => return self.parenthesized(),
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: self.span_from(token.span) })
    }

    fn parenthesized(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        if self.peek().is("{") {
            let items = self.scoped(Self::block)?;
            self.expect(")")?;
            return Ok(Expr { kind: ExprKind::Block(items), span: self.span_from(start) });
        }
        let mut inner = self.expression()?;
        self.expect(")")?;
        inner.span = self.span_from(start);
        Ok(inner)
    }

    /// Adjacent string literals.
    pub(super) fn text_pieces(&mut self) -> Vec<Spanned<Box<str>>> {
        let mut pieces = Vec::new();
        while self.peek().kind == TokenKind::Text {
            let token = self.next();
            pieces.push(Spanned { node: token.text.into(), span: token.span });
        }
        pieces
    }

    /// A name, or one of the words that look like functions and take types.
    fn named(&mut self) -> Parsed<ExprKind> {
        match self.peek().text {
            "_Generic" => self.generic(),
            "__builtin_offsetof" => self.offset_of(),
            "__builtin_va_arg" => {
                self.next();
                self.expect("(")?;
                let list = Box::new(self.assignment()?);
                self.expect(",")?;
                let ty = Box::new(self.type_name()?);
                self.expect(")")?;
                Ok(ExprKind::VaArg(list, ty))
            }
            "__builtin_types_compatible_p" => {
                self.next();
                self.expect("(")?;
                let left = Box::new(self.type_name()?);
                self.expect(",")?;
                let right = Box::new(self.type_name()?);
                self.expect(")")?;
                Ok(ExprKind::TypesCompatible(left, right))
            }
            _ if self.is_identifier(self.peek()) => Ok(ExprKind::Name(self.identifier()?.node)),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        self.next();
        self.expect("(")?;
        let control = Box::new(self.assignment()?);
        let mut associations = Vec::new();
        while self.accept(",") {
            let ty = if self.accept("default") { None } else { Some(self.type_name()?) };
            self.expect(":")?;
            let value = self.assignment()?;
            associations.push(Association { ty, value });
        }
        self.expect(")")?;
        Ok(ExprKind::Generic(control, associations))
    }

    fn offset_of(&mut self) -> Parsed<ExprKind> {
        self.next();
        self.expect("(")?;
        let ty = Box::new(self.type_name()?);
        self.expect(",")?;
        let first = self.identifier()?;
        let mut steps = vec![OffsetStep::Field(first.node, first.span)];
        loop {
            if self.accept(".") {
                let field = self.identifier()?;
                steps.push(OffsetStep::Field(field.node, field.span));
            } else if self.accept("[") {
                steps.push(OffsetStep::Index(Box::new(self.expression()?)));
                self.expect("]")?;
            } else {
                break;
            }
        }
        self.expect(")")?;
        Ok(ExprKind::OffsetOf(ty, steps))
    }
}

enum TypeOrOperand {
    Type(Box<TypeName>),
    Operand(Box<Expr>),
}

fn joined(left: Expr, right: Expr, join: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind) -> Expr {
    let is_after = left.span.file == right.span.file && left.span.start <= right.span.end;
    let span = if is_after { left.span.to(right.span) } else { left.span };
    Expr { kind: join(Box::new(left), Box::new(right)), span }
}

/// The operator of an assignment: `None` inside for a plain one.
#[allow(clippy::option_option, reason = "the outer one says whether it is an assignment")]
fn assignment_operator(text: &str) -> Option<Option<BinaryOp>> {
    Some(match text {
        "=" => None,
        "*=" => Some(BinaryOp::Mul),
        "/=" => Some(BinaryOp::Div),
        "%=" => Some(BinaryOp::Rem),
        "+=" => Some(BinaryOp::Add),
        "-=" => Some(BinaryOp::Sub),
        "<<=" => Some(BinaryOp::Shl),
        ">>=" => Some(BinaryOp::Shr),
        "&=" => Some(BinaryOp::BitAnd),
        "^=" => Some(BinaryOp::BitXor),
        "|=" => Some(BinaryOp::BitOr),
        _ => return None,
    })
}
