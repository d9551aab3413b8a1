//! The parser of expressions.
//!
//! Operators between operands are parsed by precedence climbing with the levels of the grammar. The language is
//! stricter than most: comparisons and bitwise operators do not chain, and `not`, `if` and quantifiers stand only
//! where their level is allowed (`1 + not x` needs parentheses). Such cases get their own messages.
//!
//! Quantifiers, functions and, in automata, primes are parsed and rejected here, since their bodies could not be checked.

use thetis_base::{Diagnostic, Span};
use thetis_expr::RoundingMode;

use super::ast::{
    ArrayLiteral, BinaryOp, ChainOp, ExprIndex, ExprKind, Extension, FloatLiteral, FloatUnary, Signedness,
    TypeKind, UnaryOp,
};
use super::code;
use super::operator::{Assoc, Infix, InfixOp, infix, level};
use super::parser::{Parsed, Parser};
use super::token::{Dialect, Tok};

impl<I> Parser<'_, '_, '_, I> {
    pub(crate) fn expr(&mut self) -> Parsed<ExprIndex> {
        self.nested(|parser| parser.climb(level::EXPR))
    }

    /// An expression of operators that bind at least as strongly as `min`.
    fn climb(&mut self, min: u8) -> Parsed<ExprIndex> {
        let mut left = self.operand(min)?;
        while let Some(infix) = infix(self.token.tok).filter(|infix| infix.level >= min) {
            left = match (infix.assoc, infix.op) {
                (_, InfixOp::Chain(op)) => self.chain(op, infix.level, left)?,
                (Assoc::Left, InfixOp::Binary(op)) => self.binary(op, infix.level, left)?,
                (Assoc::Right, InfixOp::Binary(op)) => self.right_chain(op, infix.level, left)?,
                (Assoc::None, InfixOp::Binary(op)) => {
                    let whole = self.binary(op, infix.level, left)?;
                    self.reject_chain(op, infix)?;
                    whole
                }
            };
        }
        Ok(left)
    }

    fn binary(&mut self, op: BinaryOp, level: u8, left: ExprIndex) -> Parsed<ExprIndex> {
        self.advance();
        let op = match op {
            BinaryOp::Float(op) => BinaryOp::Float(op.rounding(self.rounding())),
            _ => op,
        };
        let right = self.climb(level + 1)?;
        let span = self.span_of(left).to(self.span_of(right));
        Ok(self.push(ExprKind::Binary(op, left, right), span))
    }

    /// `a op b op c` as one node with many operands.
    fn chain(&mut self, op: ChainOp, level: u8, left: ExprIndex) -> Parsed<ExprIndex> {
        let tok = self.token.tok;
        let mark = self.pending.len();
        self.pending.push(left);
        let mut span = self.span_of(left);
        while self.accept(tok) {
            let operand = self.climb(level + 1)?;
            span = span.to(self.span_of(operand));
            self.pending.push(operand);
        }
        let operands = self.operands_since(mark);
        Ok(self.push(ExprKind::Chain(op, operands), span))
    }

    /// `a op (b op c)`, collected first and then joined from the right.
    fn right_chain(&mut self, op: BinaryOp, level: u8, left: ExprIndex) -> Parsed<ExprIndex> {
        let tok = self.token.tok;
        let mark = self.pending.len();
        self.pending.push(left);
        while self.accept(tok) {
            let operand = self.climb(level + 1)?;
            self.pending.push(operand);
        }
        let operands: Vec<ExprIndex> = self.pending.drain(mark..).collect();
        let join = |parser: &mut Self, right, left| {
            let span = parser.span_of(left).to(parser.span_of(right));
            parser.push(ExprKind::Binary(op, left, right), span)
        };
        let joined = operands.into_iter().rev().reduce(|right, left| join(self, right, left));
        Ok(joined.unwrap_or(left))
    }

    fn reject_chain(&mut self, op: BinaryOp, left: Infix) -> Parsed<()> {
        let chains = infix(self.token.tok).is_some_and(|next| next.level == left.level);
        if !chains {
            return Ok(());
        }
        let message = format!("`{}` does not chain with {}", op.text(), self.token.tok.describe());
        let diagnostic = Diagnostic::error(self.span(), code::SYNTAX, message).help("use parentheses");
        Err(self.sink.report(diagnostic))
    }

    /// What stands between infix operators of level `min` or more.
    fn operand(&mut self, min: u8) -> Parsed<ExprIndex> {
        match self.token.tok {
            Tok::If => {
                self.allow(min == level::EXPR)?;
                self.ite()
            }
            Tok::Forall | Tok::Exists => {
                self.allow(min <= level::QUANT)?;
                self.quantifier()
            }
            Tok::Not => {
                self.allow(min <= level::NOT)?;
                let start = self.token.start;
                self.advance();
                let operand = self.climb(level::NOT + 1)?;
                Ok(self.push(ExprKind::Unary(UnaryOp::Not, operand), self.span_from(start)))
            }
            Tok::LeftParen if self.at_function_literal() => self.function_literal(),
            _ => self.extended(),
        }
    }

    /// Refuses the current prefix operator if it stands where the grammar wants a stronger one.
    fn allow(&mut self, is_allowed: bool) -> Parsed<()> {
        if is_allowed {
            return Ok(());
        }
        let message = format!("{} binds more weakly than the operator before it", self.token.tok.describe());
        let diagnostic = Diagnostic::error(self.span(), code::SYNTAX, message);
        Err(self.sink.report(diagnostic.help("put the operand into parentheses")))
    }

    /// `"if" expr "then" expr "else" ite`, with `else if` as a loop.
    fn ite(&mut self) -> Parsed<ExprIndex> {
        let mark = self.pending.len();
        let mut starts = Vec::new();
        while self.token.tok == Tok::If {
            starts.push(self.token.start);
            self.advance();
            let condition = self.expr()?;
            self.expect(Tok::Then)?;
            let then = self.expr()?;
            self.expect(Tok::Else)?;
            self.pending.extend([condition, then]);
        }
        let mut whole = self.climb(level::IFF)?;
        for start in starts.into_iter().rev() {
            if let (Some(then), Some(condition)) = (self.pending.pop(), self.pending.pop()) {
                whole = self.push(ExprKind::Ite(condition, then, whole), self.span_from(start));
            }
        }
        self.pending.truncate(mark);
        Ok(whole)
    }

    fn quantifier(&mut self) -> Parsed<ExprIndex> {
        let (start, first) = (self.token.start, self.ast.exprs.len());
        self.advance();
        self.decl_list()?;
        self.nested(|parser| parser.climb(level::QUANT))?;
        Ok(self.unsupported(first, self.span_from(start), "quantifiers are not supported"))
    }

    /// Whether `()` or `(name :` follows, which only start function literals.
    fn at_function_literal(&self) -> bool {
        match self.peek(1) {
            Tok::RightParen => true,
            Tok::Ident => self.peek(2) == Tok::Colon,
            _ => false,
        }
    }

    fn function_literal(&mut self) -> Parsed<ExprIndex> {
        let (start, first) = (self.token.start, self.ast.exprs.len());
        self.decl_list()?;
        self.expect(Tok::Arrow)?;
        self.expr()?;
        Ok(self.unsupported(first, self.span_from(start), "function literals are not supported"))
    }

    /// Reports an unsupported expression and forgets the nodes since `first`.
    fn unsupported(&mut self, first: usize, span: Span, message: &str) -> ExprIndex {
        self.sink.error(span, code::UNSUPPORTED, message);
        self.ast.exprs.truncate(first);
        self.push(ExprKind::Poison, span)
    }

    /// `unary [("bv_zero_extend" | "bv_sign_extend") "bv" "[" width "]"]`
    fn extended(&mut self) -> Parsed<ExprIndex> {
        let start = self.token.start;
        let operand = self.unary()?;
        let Some(extension) = extension(self.token.tok) else { return Ok(operand) };
        self.advance();
        let ty = self.bv_type()?;
        if let Some(second) = extension_chain(extension, self.token.tok) {
            let diagnostic = Diagnostic::error(self.span(), code::SYNTAX, second).help("use parentheses");
            return Err(self.sink.report(diagnostic));
        }
        Ok(self.push(ExprKind::Extend(extension, operand, ty), self.span_from(start)))
    }

    /// Prefix operators and what they apply to.
    fn unary(&mut self) -> Parsed<ExprIndex> {
        let mut prefixes = Vec::new();
        while !self.at_signed_float() {
            let start = self.token.start;
            let Some(op) = self.unary_op()? else { break };
            prefixes.push((start, op));
        }
        while self.token.tok == Tok::BvNot {
            prefixes.push((self.token.start, UnaryOp::BvNot));
            self.advance();
        }
        let mut operand = self.access()?;
        for (start, op) in prefixes.into_iter().rev() {
            operand = self.push(ExprKind::Unary(op, operand), self.span_from(start));
        }
        Ok(operand)
    }

    fn at_signed_float(&self) -> bool {
        let is_sign = matches!(self.token.tok, Tok::Plus | Tok::Minus);
        is_sign && self.peek(1) == Tok::Bits && self.peek(2) == Tok::Dot
    }

    fn unary_op(&mut self) -> Parsed<Option<UnaryOp>> {
        let simple = match self.token.tok {
            Tok::Plus => UnaryOp::Plus,
            Tok::Minus => UnaryOp::Minus,
            Tok::BvPos => UnaryOp::BvPos,
            Tok::BvNeg => UnaryOp::BvNeg,
            tok => return Ok(self.float_unary(tok)?.map(UnaryOp::Float)),
        };
        self.advance();
        Ok(Some(simple))
    }

    fn float_unary(&mut self, tok: Tok) -> Parsed<Option<FloatUnary>> {
        let op: fn(RoundingMode) -> FloatUnary = match tok {
            Tok::FpAbs => |_| FloatUnary::Abs,
            Tok::FpIsNan => |_| FloatUnary::IsNan,
            Tok::FpRoundToInt => FloatUnary::RoundToInt,
            Tok::FpSqrt => FloatUnary::Sqrt,
            Tok::FpNeg => |_| FloatUnary::Neg,
            Tok::FpPos => |_| FloatUnary::Pos,
            Tok::FpToFp | Tok::FpToBv | Tok::FpFromBv => return self.conversion(tok).map(Some),
            _ => return Ok(None),
        };
        self.advance();
        let has_rounding = !matches!(tok, Tok::FpAbs | Tok::FpIsNan);
        let rounding = if has_rounding { self.rounding() } else { RoundingMode::NearestEven };
        Ok(Some(op(rounding)))
    }

    fn conversion(&mut self, tok: Tok) -> Parsed<FloatUnary> {
        let start = self.token.start;
        self.advance();
        match tok {
            Tok::FpToFp => {
                let ty = self.fp_widths(start)?;
                Ok(FloatUnary::ToFp(ty, self.rounding()))
            }
            Tok::FpFromBv => {
                let ty = self.fp_widths(start)?;
                self.expect(Tok::LeftBracket)?;
                let signedness = self.signedness()?;
                self.expect(Tok::RightBracket)?;
                Ok(FloatUnary::FromBv(ty, signedness, self.rounding()))
            }
            _ => {
                self.expect(Tok::LeftBracket)?;
                let width = self.expect_span(Tok::Nat)?;
                let ty = self.push_type(TypeKind::Bv(width), width);
                self.expect(Tok::Prime)?;
                let signedness = self.signedness()?;
                self.expect(Tok::RightBracket)?;
                Ok(FloatUnary::ToBv(ty, signedness, self.rounding()))
            }
        }
    }

    fn signedness(&mut self) -> Parsed<Signedness> {
        let signedness = match self.text_of(self.span()) {
            "u" => Signedness::Unsigned,
            "s" => Signedness::Signed,
            _ => return Err(self.expected("`u` or `s`")),
        };
        self.advance();
        Ok(signedness)
    }

    /// An optional rounding mode in brackets.
    fn rounding(&mut self) -> RoundingMode {
        let name = self.peek_token(1);
        if self.token.tok != Tok::LeftBracket || name.tok != Tok::Ident || self.peek(2) != Tok::RightBracket {
            return RoundingMode::NearestEven;
        }
        let name = self.text_of(Span { start: name.start, end: name.end, ..self.span() });
        let Some(rounding) = RoundingMode::ALL.into_iter().find(|mode| mode.name() == name) else {
            return RoundingMode::NearestEven;
        };
        (0..3).for_each(|_| self.advance());
        rounding
    }

    /// A primary expression with reads, writes, extractions, calls and primes after it.
    fn access(&mut self) -> Parsed<ExprIndex> {
        let (start, first, mark) = (self.token.start, self.ast.exprs.len(), self.pending.len());
        let mut whole = self.primary()?;
        loop {
            whole = match self.token.tok {
                Tok::LeftBracket if self.at_extraction() => {
                    let operand = self.written(whole, start, mark);
                    self.extract(operand, start)?
                }
                Tok::LeftBracket => self.read_or_write(whole, start, mark)?,
                Tok::LeftParen => {
                    self.pending.truncate(mark);
                    self.call(start, first)?
                }
                Tok::Prime if self.dialect == Dialect::Sts => {
                    let operand = self.written(whole, start, mark);
                    self.advance();
                    self.push(ExprKind::Unary(UnaryOp::Prime, operand), self.span_from(start))
                }
                Tok::Prime => {
                    let message = "primed expressions are not supported";
                    self.sink.error(self.span(), code::UNSUPPORTED, message);
                    self.advance();
                    whole
                }
                _ => return Ok(self.written(whole, start, mark)),
            };
        }
    }

    fn at_extraction(&self) -> bool {
        self.peek(1) == Tok::Nat && self.peek(2) == Tok::Colon
    }

    /// `"[" index "]"`, or `"[" index "<-" element "]"`, which waits among the pending operands for further writes.
    fn read_or_write(&mut self, whole: ExprIndex, start: u32, mark: usize) -> Parsed<ExprIndex> {
        self.advance();
        let index = self.expr()?;
        if self.accept(Tok::LeftArrow) {
            let element = self.expr()?;
            self.expect(Tok::RightBracket)?;
            self.pending.extend([index, element]);
            return Ok(whole);
        }
        let array = self.written(whole, start, mark);
        self.expect(Tok::RightBracket)?;
        Ok(self.push(ExprKind::Read(array, index), self.span_from(start)))
    }

    /// The array with the writes that wait since `mark`. Many writes are one node, so that checking them can be quick.
    fn written(&mut self, array: ExprIndex, start: u32, mark: usize) -> ExprIndex {
        if self.pending.len() == mark {
            return array;
        }
        let entries = self.operands_since(mark);
        self.push(ExprKind::Write(array, entries), self.span_from(start))
    }

    /// `"[" until ":" from "]"`
    fn extract(&mut self, whole: ExprIndex, start: u32) -> Parsed<ExprIndex> {
        self.advance();
        let until = self.expect_span(Tok::Nat)?;
        self.expect(Tok::Colon)?;
        let from = self.expect_span(Tok::Nat)?;
        self.expect(Tok::RightBracket)?;
        Ok(self.push(ExprKind::Extract(whole, until, from), self.span_from(start)))
    }

    fn call(&mut self, start: u32, first: usize) -> Parsed<ExprIndex> {
        self.advance();
        if self.token.tok != Tok::RightParen {
            self.expr()?;
            while self.accept(Tok::Comma) {
                self.expr()?;
            }
        }
        self.expect(Tok::RightParen)?;
        Ok(self.unsupported(first, self.span_from(start), "function applications are not supported"))
    }

    fn primary(&mut self) -> Parsed<ExprIndex> {
        let start = self.token.start;
        let kind = match self.token.tok {
            Tok::True => ExprKind::Bool(true),
            Tok::False => ExprKind::Bool(false),
            Tok::Ident => ExprKind::Var,
            Tok::Nat if self.peek(1) == Tok::Percent => return self.rational(),
            Tok::Nat => ExprKind::Nat,
            Tok::Bits if self.peek(1) == Tok::Dot => return self.float(),
            Tok::Plus | Tok::Minus if self.at_signed_float() => return self.float(),
            Tok::Bits => ExprKind::Bits,
            Tok::LeftBracket => return self.array_literal(),
            Tok::LeftParen => {
                self.advance();
                let inner = self.expr()?;
                self.expect(Tok::RightParen)?;
                return Ok(inner);
            }
            _ => return Err(self.expected("an expression")),
        };
        self.advance();
        Ok(self.push(kind, self.span_from(start)))
    }

    fn rational(&mut self) -> Parsed<ExprIndex> {
        let numerator = self.expect_span(Tok::Nat)?;
        self.expect(Tok::Percent)?;
        let denominator = self.expect_span(Tok::Nat)?;
        Ok(self.push(ExprKind::Rat(numerator, denominator), numerator.to(denominator)))
    }

    fn float(&mut self) -> Parsed<ExprIndex> {
        let start = self.token.start;
        let is_negative = self.accept(Tok::Minus);
        if !is_negative {
            self.accept(Tok::Plus);
        }
        let exponent = self.expect_span(Tok::Bits)?;
        self.expect(Tok::Dot)?;
        let significand = self.expect_span(Tok::Bits)?;
        let literal = FloatLiteral { is_negative, exponent, significand };
        Ok(self.push(ExprKind::Float(literal), self.span_from(start)))
    }

    /// `"[" {index "<-" element ","} ["<" type ">"] "default" "<-" element "]"`
    fn array_literal(&mut self) -> Parsed<ExprIndex> {
        let (start, mark) = (self.token.start, self.pending.len());
        self.advance();
        while !matches!(self.token.tok, Tok::Lt | Tok::Default) {
            let index = self.expr()?;
            self.expect(Tok::LeftArrow)?;
            let element = self.expr()?;
            self.pending.extend([index, element]);
            if self.token.tok != Tok::Comma {
                return Err(self.expected("`,` and further elements up to `default`"));
            }
            self.advance();
        }
        let index = if self.accept(Tok::Lt) {
            let ty = self.ty()?;
            self.expect(Tok::Gt)?;
            Some(ty)
        } else {
            None
        };
        self.expect(Tok::Default)?;
        self.expect(Tok::LeftArrow)?;
        let default = self.expr()?;
        self.expect(Tok::RightBracket)?;
        let entries = self.operands_since(mark);
        let literal = ArrayLiteral { entries, index, default };
        Ok(self.push(ExprKind::Array(literal), self.span_from(start)))
    }
}

fn extension(tok: Tok) -> Option<Extension> {
    match tok {
        Tok::ZeroExtend => Some(Extension::Zero),
        Tok::SignExtend => Some(Extension::Sign),
        _ => None,
    }
}

fn extension_chain(first: Extension, next: Tok) -> Option<String> {
    let second = extension(next)?;
    Some(format!("`{}` does not chain with `{}`", first.text(), second.text()))
}
