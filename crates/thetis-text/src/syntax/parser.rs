//! What the parsers of all languages share: tokens, places, messages and the depth of nesting.
//!
//! Recursive descent over the grammar; expressions are in `parse_expr`, types in `parse_type`. What a file consists of
//! beside them is the matter of each language, which adds methods for its own kind of `items`.
//!
//! Nesting is counted: every bracket level runs on a stack that grows on demand, up to [`MAX_DEPTH`] levels, so that
//! no input can overflow the stack. Everything else that repeats (chains of operators, `else if`, prefixes) is a loop.

use thetis_base::{Diagnostic, FileId, Reported, Sink, Span};

use super::ast::{Ast, Decl, Expr, ExprIndex, ExprKind, Name, Range, Root};
use super::code;
use super::lexer::{Lexer, Token};
use super::token::{Dialect, Tok};

/// How deeply brackets may be nested.
pub(crate) const MAX_DEPTH: usize = 10_000;

/// What failed was reported; the caller recovers.
pub(crate) type Parsed<T> = Result<T, Reported>;

/// A parser of files that consist of `I` beside their expressions.
pub(crate) struct Parser<'s, 'k, 'd, I> {
    text: &'s str,
    file: FileId,
    lexer: Lexer<'s>,
    pub(crate) token: Token,
    previous_end: u32,
    pub(crate) dialect: Dialect,
    pub(crate) ast: Ast,
    pub(crate) items: I,
    /// Operands of chains and array literals that are not finished yet, as a stack.
    pub(crate) pending: Vec<ExprIndex>,
    pub(crate) sink: &'k mut Sink<'d>,
    depth: usize,
    /// Set by an error, with the place of the current token, until the parser has recovered: what is wrong at the same
    /// place, or follows from characters that were passed over, is not worth another message.
    muted: Option<(Muted, Reported)>,
}

#[derive(Clone, Copy)]
enum Muted {
    At(u32),
    Everywhere,
}

impl<'s, 'k, 'd, I: Default> Parser<'s, 'k, 'd, I> {
    pub(crate) fn new(
        dialect: Dialect,
        text: &'s str,
        file: FileId,
        sink: &'k mut Sink<'d>,
    ) -> Parser<'s, 'k, 'd, I> {
        let mut parser = Parser {
            text,
            file,
            lexer: Lexer::new(text, dialect),
            token: Token { tok: Tok::End, start: 0, end: 0 },
            previous_end: 0,
            dialect,
            ast: Ast::default(),
            items: I::default(),
            pending: Vec::new(),
            sink,
            depth: 0,
            muted: None,
        };
        parser.advance();
        parser
    }
}

/// Parts of every language.
impl<'s, I> Parser<'s, '_, '_, I> {
    /// `"(" [decl {"," decl}] ")"`
    pub(crate) fn decl_list(&mut self) -> Parsed<Vec<Decl<'s>>> {
        self.expect(Tok::LeftParen)?;
        let mut decls = Vec::new();
        if self.token.tok != Tok::RightParen {
            decls.push(self.decl()?);
            while self.accept(Tok::Comma) {
                decls.push(self.decl()?);
            }
        }
        self.expect(Tok::RightParen)?;
        Ok(decls)
    }

    pub(crate) fn decl(&mut self) -> Parsed<Decl<'s>> {
        let name = self.name("a variable name")?;
        self.expect(Tok::Colon)?;
        let ty = self.ty()?;
        Ok(Decl { name, ty })
    }

    /// A whole expression of a statement.
    pub(crate) fn root(&mut self) -> Parsed<Root> {
        self.pending.clear();
        let first = ExprIndex(self.ast.exprs.len() as u32);
        let root = self.expr()?;
        if self.token.tok == Tok::LeftArrow {
            let message = "expected a statement or `}`, found `<-`";
            let help = "for a comparison with a negative number, write a blank between `<` and `-`";
            return Err(self.sink.report(Diagnostic::error(self.span(), code::SYNTAX, message).help(help)));
        }
        Ok(Root { first, root })
    }

    /// Skips tokens until `is_start` holds, at the latest to the end.
    pub(crate) fn recover(&mut self, is_start: impl Fn(&Self) -> bool) {
        while self.token.tok != Tok::End && !is_start(self) {
            self.advance();
        }
    }
}

/// Tokens and places.
impl<'s, I> Parser<'s, '_, '_, I> {
    /// Goes to the next token; characters outside the language are reported and passed over.
    pub(crate) fn advance(&mut self) {
        self.previous_end = self.token.end;
        loop {
            if self.sink.is_full() {
                self.lexer.stop();
            }
            self.token = self.lexer.next();
            match self.token.tok {
                Tok::Unknown => self.report_unknown(),
                Tok::OpenComment => {
                    let span = Span { end: self.token.start + 2, ..self.span() };
                    self.sink.error(span, code::SYNTAX, "this comment does not end: `*/` is missing");
                }
                _ => return,
            }
        }
    }

    fn report_unknown(&mut self) {
        let span = self.span();
        let text = &self.text[span.start as usize..span.end as usize];
        let first = text.chars().next().unwrap_or_default();
        let message = match text.chars().nth(1) {
            None => format!("unexpected character `{}`", first.escape_debug()),
            Some(_) => format!("unexpected characters, the first is `{}`", first.escape_debug()),
        };
        let mut diagnostic = Diagnostic::error(span, code::SYNTAX, message);
        diagnostic.help = habit(first).map(str::to_owned);
        let reported = self.sink.report(diagnostic);
        self.muted = Some((Muted::Everywhere, reported));
    }

    /// From here on errors are worth a message again, except at the place of the last one.
    pub(crate) fn unmute(&mut self) {
        if let Some((Muted::Everywhere, _)) = self.muted {
            self.muted = None;
        }
    }

    /// Whether an error outside the language makes all messages up to the next statement noise.
    pub(crate) fn is_muted(&self) -> bool {
        matches!(self.muted, Some((Muted::Everywhere, _)))
    }

    /// The kind of the token that comes `ahead` tokens after the current one.
    pub(crate) fn peek(&self, ahead: usize) -> Tok {
        self.peek_token(ahead).tok
    }

    pub(crate) fn peek_token(&self, ahead: usize) -> Token {
        let mut lexer = self.lexer;
        let mut token = self.token;
        for _ in 0..ahead {
            token = lexer.next();
        }
        token
    }

    pub(crate) fn accept(&mut self, tok: Tok) -> bool {
        let is_there = self.token.tok == tok;
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(crate) fn expect(&mut self, tok: Tok) -> Parsed<()> {
        if self.accept(tok) { Ok(()) } else { Err(self.expected(tok.describe())) }
    }

    /// The current token, which should be of kind `tok`.
    pub(crate) fn expect_span(&mut self, tok: Tok) -> Parsed<Span> {
        let span = self.span();
        self.expect(tok)?;
        Ok(span)
    }

    /// Reports that something else stands here than expected.
    pub(crate) fn expected(&mut self, what: &str) -> Reported {
        match self.muted {
            Some((Muted::Everywhere, reported)) => return reported,
            Some((Muted::At(place), reported)) if place == self.token.start => return reported,
            _ => {}
        }
        let found = match self.token.tok {
            Tok::End => "the end of the file".to_owned(),
            tok if tok.is_keyword() => format!("the keyword {}", tok.describe()),
            _ => format!("`{}`", shorten(self.text_of(self.span()))),
        };
        let message = format!("expected {what}, found {found}");
        let mut diagnostic = Diagnostic::error(self.span(), code::SYNTAX, message);
        if self.token.tok == Tok::Eq && self.token.start == self.previous_end {
            diagnostic = diagnostic.help("equality is written `=`, disequality `/=`");
        }
        let reported = self.sink.report(diagnostic);
        self.muted = Some((Muted::At(self.token.start), reported));
        reported
    }

    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name<'s>> {
        if self.token.tok != Tok::Ident {
            return Err(self.expected(what));
        }
        let span = self.span();
        self.advance();
        Ok(Name { text: self.text_of(span), span })
    }

    pub(crate) fn text_of(&self, span: Span) -> &'s str {
        &self.text[span.start as usize..span.end as usize]
    }

    pub(crate) fn span(&self) -> Span {
        Span { file: self.file, start: self.token.start, end: self.token.end }
    }

    /// From `start` to the end of the token before the current one.
    pub(crate) fn span_from(&self, start: u32) -> Span {
        Span { file: self.file, start, end: self.previous_end.max(start) }
    }

    /// Runs `parse` one bracket level deeper.
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let message = format!("nested too deeply: more than {MAX_DEPTH} levels");
            return Err(self.sink.error(self.span(), code::TOO_DEEP, message));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(64 << 10, 1 << 20, || parse(self));
        self.depth -= 1;
        result
    }

    pub(crate) fn push(&mut self, kind: ExprKind, span: Span) -> ExprIndex {
        self.ast.exprs.push(Expr { kind, span });
        ExprIndex(self.ast.exprs.len() as u32 - 1)
    }

    pub(crate) fn span_of(&self, expr: ExprIndex) -> Span {
        self.ast.exprs[expr.0 as usize].span
    }

    /// Moves what was pushed to `pending` since it had `mark` elements to the list of operands.
    pub(crate) fn operands_since(&mut self, mark: usize) -> Range {
        let start = self.ast.operands.len() as u32;
        self.ast.operands.extend(self.pending.drain(mark..));
        Range { start, end: self.ast.operands.len() as u32 }
    }
}

/// What to write instead of a character that other languages use.
fn habit(first: char) -> Option<&'static str> {
    Some(match first {
        '&' => "conjunction is written `and`",
        '|' => "disjunction is written `or`",
        '!' => "negation is written `not`, disequality `/=`",
        ';' => "statements and declarations need no separator",
        _ => return None,
    })
}

/// A token as messages quote it.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
