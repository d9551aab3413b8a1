//! The parser of types.

use thetis_base::Span;

use super::ast::{Type, TypeIndex, TypeKind};
use super::code;
use super::parser::{Parsed, Parser};
use super::token::Tok;

impl<I> Parser<'_, '_, '_, I> {
    pub(crate) fn ty(&mut self) -> Parsed<TypeIndex> {
        self.nested(Parser::ty_here)
    }

    pub(crate) fn poison_type(&mut self, span: Span) -> TypeIndex {
        self.push_type(TypeKind::Poison, span)
    }

    /// `"bv" "[" width "]"`
    pub(crate) fn bv_type(&mut self) -> Parsed<TypeIndex> {
        let start = self.token.start;
        self.expect(Tok::Bv)?;
        self.expect(Tok::LeftBracket)?;
        let width = self.expect_span(Tok::Nat)?;
        self.expect(Tok::RightBracket)?;
        Ok(self.push_type(TypeKind::Bv(width), self.span_from(start)))
    }

    /// `"[" exponent "," significand "]"`, the end of a floating-point type that starts at `start`.
    pub(crate) fn fp_widths(&mut self, start: u32) -> Parsed<TypeIndex> {
        self.expect(Tok::LeftBracket)?;
        let exponent = self.expect_span(Tok::Nat)?;
        self.expect(Tok::Comma)?;
        let significand = self.expect_span(Tok::Nat)?;
        self.expect(Tok::RightBracket)?;
        Ok(self.push_type(TypeKind::Fp(exponent, significand), self.span_from(start)))
    }

    pub(crate) fn push_type(&mut self, kind: TypeKind, span: Span) -> TypeIndex {
        self.ast.types.push(Type { kind, span });
        TypeIndex(self.ast.types.len() as u32 - 1)
    }

    fn ty_here(&mut self) -> Parsed<TypeIndex> {
        let start = self.token.start;
        match self.token.tok {
            Tok::Bool => Ok(self.simple(TypeKind::Bool)),
            Tok::Int => Ok(self.simple(TypeKind::Int)),
            Tok::Rat => Ok(self.simple(TypeKind::Rat)),
            Tok::Bv => self.bv_type(),
            Tok::Fp => {
                self.advance();
                self.fp_widths(start)
            }
            Tok::LeftBracket => self.array_type(start),
            Tok::LeftParen => self.function_type(start),
            _ => Err(self.expected("a type")),
        }
    }

    fn simple(&mut self, kind: TypeKind) -> TypeIndex {
        let span = self.span();
        self.advance();
        self.push_type(kind, span)
    }

    /// `"[" index "]" "->" element`
    fn array_type(&mut self, start: u32) -> Parsed<TypeIndex> {
        self.expect(Tok::LeftBracket)?;
        let index = self.ty()?;
        self.expect(Tok::RightBracket)?;
        self.expect(Tok::Arrow)?;
        let element = self.ty()?;
        Ok(self.push_type(TypeKind::Array(index, element), self.span_from(start)))
    }

    /// `"(" type {"," type} ")" "->" type`, which is not supported.
    fn function_type(&mut self, start: u32) -> Parsed<TypeIndex> {
        self.advance();
        self.ty()?;
        while self.accept(Tok::Comma) {
            self.ty()?;
        }
        self.expect(Tok::RightParen)?;
        self.expect(Tok::Arrow)?;
        self.ty()?;
        let span = self.span_from(start);
        self.sink.error(span, code::UNSUPPORTED, "function types are not supported");
        Ok(self.poison_type(span))
    }
}
