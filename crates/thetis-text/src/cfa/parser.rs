//! The parser of declarations and statements, and its recovery from errors.
//!
//! Recursive descent over the grammar of the language; expressions are in `parse_expr`, types in `parse_type`. After
//! an error it goes on at the next thing that looks like a statement or a declaration, so that one file can give many
//! independent errors. If a declaration was lost on the way, `lost_declarations` tells the caller that complaints
//! about unknown names would be noise.
//!
//! Nesting is counted: every bracket level runs on a stack that grows on demand, up to [`MAX_DEPTH`] levels, so that
//! no input can overflow the stack. Everything else that repeats (chains of operators, `else if`, prefixes) is a loop.

use thetis_base::{Diagnostic, FileId, Reported, Span};

use super::ast::{Ast, Decl, Edge, Expr, ExprIndex, ExprKind, Loc, LocKind, Name, Process, Range, Root};
use super::ast::{Stmt, StmtKind};
use super::code;
use super::lexer::{Lexer, Token};
use super::sink::Sink;
use super::token::Tok;

/// How deeply brackets may be nested.
pub(super) const MAX_DEPTH: usize = 10_000;

/// What failed was reported; the caller recovers.
pub(super) type Parsed<T> = Result<T, Reported>;

/// What the parser found out.
pub(super) struct ParsedFile<'s> {
    pub(super) ast: Ast<'s>,
    /// Whether an error may have hidden declarations.
    pub(super) lost_declarations: bool,
}

pub(super) struct Parser<'s, 'k, 'd> {
    text: &'s str,
    file: FileId,
    lexer: Lexer<'s>,
    pub(super) token: Token,
    previous_end: u32,
    pub(super) ast: Ast<'s>,
    /// Operands of chains and array literals that are not finished yet, as a stack.
    pub(super) pending: Vec<ExprIndex>,
    pub(super) sink: &'k mut Sink<'d>,
    depth: usize,
    lost_declarations: bool,
    /// Set by an error, with the place of the current token, until the parser has recovered: what is wrong at the same
    /// place, or follows from characters that were passed over, is not worth another message.
    muted: Option<(Muted, Reported)>,
}

#[derive(Clone, Copy)]
enum Muted {
    At(u32),
    Everywhere,
}

impl<'s, 'k, 'd> Parser<'s, 'k, 'd> {
    pub(super) fn new(text: &'s str, file: FileId, sink: &'k mut Sink<'d>) -> Parser<'s, 'k, 'd> {
        let mut parser = Parser {
            text,
            file,
            lexer: Lexer::new(text),
            token: Token { tok: Tok::End, start: 0, end: 0 },
            previous_end: 0,
            ast: Ast::default(),
            pending: Vec::new(),
            sink,
            depth: 0,
            lost_declarations: false,
            muted: None,
        };
        parser.advance();
        parser
    }

    /// `{ "var" decl | process }`
    pub(super) fn parse(mut self) -> ParsedFile<'s> {
        while self.token.tok != Tok::End {
            self.unmute();
            match self.token.tok {
                Tok::Var => {
                    if let Ok(decl) = self.var_decl() {
                        self.ast.globals.push(decl);
                    }
                }
                Tok::Main | Tok::Process => self.process(),
                _ => {
                    self.expected("`var`, `process` or `main process`");
                    self.advance();
                    self.recover(|parser| matches!(parser.token.tok, Tok::Var | Tok::Main | Tok::Process));
                    self.lost_declarations = true;
                }
            }
        }
        ParsedFile { ast: self.ast, lost_declarations: self.lost_declarations }
    }

    /// `["main"] "process" name ["(" [decl {"," decl}] ")"] "{" items "}"`
    fn process(&mut self) {
        let is_main = self.accept(Tok::Main);
        let head = self.process_head();
        let Ok((name, params)) = head else {
            self.lost_declarations = true;
            self.recover(|parser| matches!(parser.token.tok, Tok::Var | Tok::Main | Tok::Process));
            return;
        };
        let mut process =
            Process { is_main, name, params, vars: Vec::new(), locs: Vec::new(), edges: Vec::new() };
        self.items(&mut process);
        self.ast.processes.push(process);
    }

    fn process_head(&mut self) -> Parsed<(Name<'s>, Vec<Decl<'s>>)> {
        self.expect(Tok::Process)?;
        let name = self.name("a process name")?;
        let params = if self.token.tok == Tok::LeftParen { self.decl_list()? } else { Vec::new() };
        self.expect(Tok::LeftBrace)?;
        Ok((name, params))
    }

    /// `"(" [decl {"," decl}] ")"`
    pub(super) fn decl_list(&mut self) -> Parsed<Vec<Decl<'s>>> {
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

    fn decl(&mut self) -> Parsed<Decl<'s>> {
        let name = self.name("a variable name")?;
        self.expect(Tok::Colon)?;
        let ty = self.ty()?;
        Ok(Decl { name, ty })
    }

    /// `"var" decl`; a name whose type is broken is still declared, to avoid errors about its uses.
    fn var_decl(&mut self) -> Parsed<Decl<'s>> {
        self.advance();
        let name = match self.name("a variable name") {
            Ok(name) => name,
            Err(reported) => {
                self.lost_declarations = true;
                self.recover_item();
                return Err(reported);
            }
        };
        let ty = match self.expect(Tok::Colon).and_then(|()| self.ty()) {
            Ok(ty) => ty,
            Err(_) => {
                self.recover_item();
                self.poison_type(name.span)
            }
        };
        Ok(Decl { name, ty })
    }

    /// The items of a process and its closing brace.
    fn items(&mut self, process: &mut Process<'s>) {
        loop {
            self.unmute();
            match self.token.tok {
                Tok::RightBrace => return self.advance(),
                Tok::Var => process.vars.extend(self.var_decl()),
                Tok::Init | Tok::Final | Tok::Error | Tok::Loc => process.locs.extend(self.loc()),
                Tok::Ident => process.edges.extend(self.edge()),
                Tok::End | Tok::Main | Tok::Process => {
                    self.expected("`}` at the end of the process");
                    return;
                }
                _ => {
                    self.expected("`var`, a location, an edge or `}`");
                    self.lost_declarations = true;
                    self.recover_item();
                }
            }
        }
    }

    /// `["init" | "final" | "error"] "loc" name`
    fn loc(&mut self) -> Parsed<Loc<'s>> {
        let kind = match self.token.tok {
            Tok::Init => LocKind::Init,
            Tok::Final => LocKind::Final,
            Tok::Error => LocKind::Error,
            _ => LocKind::Plain,
        };
        if kind != LocKind::Plain {
            self.advance();
        }
        let name = self.expect(Tok::Loc).and_then(|()| self.name("a location name"));
        if name.is_err() {
            self.lost_declarations = true;
            self.recover_item();
        }
        Ok(Loc { kind, name: name? })
    }

    /// `name "->" name ["{" {stmt} "}"]`
    fn edge(&mut self) -> Parsed<Edge<'s>> {
        let ends = self.edge_ends();
        if ends.is_err() {
            self.recover(|parser| parser.token.tok == Tok::LeftBrace || parser.at_item());
        }
        let first = self.ast.stmts.len() as u32;
        if self.accept(Tok::LeftBrace) {
            self.stmts();
        }
        let stmts = Range { start: first, end: self.ast.stmts.len() as u32 };
        let (source, target) = ends?;
        Ok(Edge { source, target, stmts, span: self.span_from(source.span.start) })
    }

    fn edge_ends(&mut self) -> Parsed<(Name<'s>, Name<'s>)> {
        let source = self.name("a location name")?;
        self.expect(Tok::Arrow)?;
        let target = self.name("a location name")?;
        Ok((source, target))
    }

    /// `{stmt} "}"`
    fn stmts(&mut self) {
        loop {
            match self.token.tok {
                Tok::RightBrace => return self.advance(),
                Tok::Havoc | Tok::Assume | Tok::Return | Tok::Ident if !self.at_item() => self.stmt(),
                _ => {
                    self.expected("a statement or `}`");
                    if !self.at_item() {
                        self.advance();
                        self.recover(Parser::at_stmt_or_item);
                    }
                    if self.token.tok != Tok::RightBrace && self.at_item() {
                        return;
                    }
                }
            }
        }
    }

    fn stmt(&mut self) {
        self.unmute();
        let start = self.token.start;
        match self.stmt_kind() {
            Ok(Some(kind)) => {
                let span = self.span_from(start);
                self.ast.stmts.push(Stmt { kind, span });
            }
            Ok(None) => {}
            Err(_) => {
                if self.token.start == start {
                    self.advance();
                }
                self.recover(Parser::at_stmt_or_item);
            }
        }
        if let Some((Muted::Everywhere, _)) = self.muted {
            // The statement ended at characters outside the language, which were to join it with what follows.
            self.recover(Parser::at_stmt_or_item);
        }
    }

    fn stmt_kind(&mut self) -> Parsed<Option<StmtKind<'s>>> {
        match self.token.tok {
            Tok::Havoc => {
                self.advance();
                Ok(Some(StmtKind::Havoc(self.name("a variable name")?)))
            }
            Tok::Assume => {
                self.advance();
                Ok(Some(StmtKind::Assume(self.root()?)))
            }
            Tok::Return => self.return_stmt().map(|()| None),
            _ => {
                let name = self.name("a variable name")?;
                self.expect(Tok::Becomes)?;
                Ok(Some(StmtKind::Assign(name, self.root()?)))
            }
        }
    }

    fn return_stmt(&mut self) -> Parsed<()> {
        self.sink.error(self.span(), code::UNSUPPORTED, "`return` is not supported");
        self.advance();
        self.root()?;
        Ok(())
    }

    /// A whole expression of a statement.
    fn root(&mut self) -> Parsed<Root> {
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

    /// Whether a declaration, a location, an edge or the end of the process can start here.
    fn at_item(&self) -> bool {
        match self.token.tok {
            Tok::Var | Tok::Init | Tok::Final | Tok::Error | Tok::Loc => true,
            Tok::RightBrace | Tok::Main | Tok::Process | Tok::End => true,
            Tok::Ident => self.peek(1) == Tok::Arrow,
            _ => false,
        }
    }

    fn at_stmt_or_item(&self) -> bool {
        match self.token.tok {
            Tok::Havoc | Tok::Assume | Tok::Return => true,
            Tok::Ident if self.peek(1) == Tok::Becomes => true,
            _ => self.at_item(),
        }
    }

    /// Skips tokens up to the next item, and with them the statements of what was to be an edge.
    fn recover_item(&mut self) {
        let mut in_braces = false;
        while self.token.tok != Tok::End {
            match self.token.tok {
                Tok::LeftBrace => in_braces = true,
                Tok::RightBrace if in_braces => in_braces = false,
                _ if self.at_item() => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips tokens until `is_start` holds, at the latest to the end.
    fn recover(&mut self, is_start: impl Fn(&Self) -> bool) {
        while self.token.tok != Tok::End && !is_start(self) {
            self.advance();
        }
    }
}

/// Tokens and places.
impl<'s> Parser<'s, '_, '_> {
    /// Goes to the next token; characters outside the language are reported and passed over.
    pub(super) fn advance(&mut self) {
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
    fn unmute(&mut self) {
        if let Some((Muted::Everywhere, _)) = self.muted {
            self.muted = None;
        }
    }

    /// The kind of the token that comes `ahead` tokens after the current one.
    pub(super) fn peek(&self, ahead: usize) -> Tok {
        self.peek_token(ahead).tok
    }

    pub(super) fn peek_token(&self, ahead: usize) -> Token {
        let mut lexer = self.lexer;
        let mut token = self.token;
        for _ in 0..ahead {
            token = lexer.next();
        }
        token
    }

    pub(super) fn accept(&mut self, tok: Tok) -> bool {
        let is_there = self.token.tok == tok;
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(super) fn expect(&mut self, tok: Tok) -> Parsed<()> {
        if self.accept(tok) { Ok(()) } else { Err(self.expected(tok.describe())) }
    }

    /// The current token, which should be of kind `tok`.
    pub(super) fn expect_span(&mut self, tok: Tok) -> Parsed<Span> {
        let span = self.span();
        self.expect(tok)?;
        Ok(span)
    }

    /// Reports that something else stands here than expected.
    pub(super) fn expected(&mut self, what: &str) -> Reported {
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

    pub(super) fn name(&mut self, what: &str) -> Parsed<Name<'s>> {
        if self.token.tok != Tok::Ident {
            return Err(self.expected(what));
        }
        let span = self.span();
        self.advance();
        Ok(Name { text: self.text_of(span), span })
    }

    pub(super) fn text_of(&self, span: Span) -> &'s str {
        &self.text[span.start as usize..span.end as usize]
    }

    pub(super) fn span(&self) -> Span {
        Span { file: self.file, start: self.token.start, end: self.token.end }
    }

    /// From `start` to the end of the token before the current one.
    pub(super) fn span_from(&self, start: u32) -> Span {
        Span { file: self.file, start, end: self.previous_end.max(start) }
    }

    /// Runs `parse` one bracket level deeper.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let message = format!("nested too deeply: more than {MAX_DEPTH} levels");
            return Err(self.sink.error(self.span(), code::TOO_DEEP, message));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(64 << 10, 1 << 20, || parse(self));
        self.depth -= 1;
        result
    }

    pub(super) fn push(&mut self, kind: ExprKind, span: Span) -> ExprIndex {
        self.ast.exprs.push(Expr { kind, span });
        ExprIndex(self.ast.exprs.len() as u32 - 1)
    }

    pub(super) fn span_of(&self, expr: ExprIndex) -> Span {
        self.ast.exprs[expr.0 as usize].span
    }

    /// Moves what was pushed to `pending` since it had `mark` elements to the list of operands.
    pub(super) fn operands_since(&mut self, mark: usize) -> Range {
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
