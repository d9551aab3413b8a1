//! The parser of declarations and statements of a `.cfa` file, and its recovery from errors.
//!
//! After an error it goes on at the next thing that looks like a statement or a declaration, so that one file can give
//! many independent errors. If a declaration was lost on the way, `lost_declarations` shows the caller that complaints
//! about unknown names would be noise.

use super::ast::{Edge, File, Loc, LocKind, Process, Stmt, StmtKind};
use crate::syntax::ast::{Ast, Decl, Name, Range};
use crate::syntax::code;
use crate::syntax::parser::{Parsed, Parser};
use crate::syntax::token::Tok;

/// The word that begins the declaration of a limit.
const LIMIT: &str = "limit";

impl<'s> Parser<'s, '_, '_, File<'s>> {
    /// `{ "var" decl | process }`
    pub(super) fn parse(mut self) -> (Ast, File<'s>) {
        while self.token.tok != Tok::End {
            self.unmute();
            match self.token.tok {
                Tok::Var => {
                    if let Ok(decl) = self.var_decl() {
                        self.items.globals.push(decl);
                    }
                }
                Tok::Main | Tok::Process => self.process(),
                _ => {
                    self.expected("`var`, `process` or `main process`");
                    self.advance();
                    self.recover(|parser| matches!(parser.token.tok, Tok::Var | Tok::Main | Tok::Process));
                    self.items.lost_declarations = true;
                }
            }
        }
        (self.ast, self.items)
    }

    /// `["main"] "process" name ["(" [decl {"," decl}] ")"] "{" items "}"`
    fn process(&mut self) {
        let is_main = self.accept(Tok::Main);
        let head = self.process_head();
        let Ok((name, params)) = head else {
            self.items.lost_declarations = true;
            self.recover(|parser| matches!(parser.token.tok, Tok::Var | Tok::Main | Tok::Process));
            return;
        };
        let mut process =
            Process { is_main, name, params, vars: Vec::new(), locs: Vec::new(), edges: Vec::new() };
        self.items(&mut process);
        self.items.processes.push(process);
    }

    fn process_head(&mut self) -> Parsed<(Name<'s>, Vec<Decl<'s>>)> {
        self.expect(Tok::Process)?;
        let name = self.name("a process name")?;
        let params = if self.token.tok == Tok::LeftParen { self.decl_list()? } else { Vec::new() };
        self.expect(Tok::LeftBrace)?;
        Ok((name, params))
    }

    /// `"var" decl`; a name whose type is broken is still declared, to avoid errors about its uses.
    fn var_decl(&mut self) -> Parsed<Decl<'s>> {
        self.advance();
        let name = match self.name("a variable name") {
            Ok(name) => name,
            Err(reported) => {
                self.items.lost_declarations = true;
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
                Tok::Ident if self.at_limit() => process.locs.extend(self.limit()),
                Tok::Ident => process.edges.extend(self.edge()),
                Tok::End | Tok::Main | Tok::Process => {
                    self.expected("`}` at the end of the process");
                    return;
                }
                _ => {
                    self.expected("`var`, a location, an edge or `}`");
                    self.items.lost_declarations = true;
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
            self.items.lost_declarations = true;
            self.recover_item();
        }
        Ok(Loc { kind, name: name? })
    }

    /// Whether a limit is declared here. The word is no keyword, so that it can be a name.
    fn at_limit(&self) -> bool {
        self.token.tok == Tok::Ident && self.peek(1) == Tok::Loc && self.text_of(self.span()) == LIMIT
    }

    /// `"limit" "loc" name text`
    fn limit(&mut self) -> Parsed<Loc<'s>> {
        self.advance();
        let limit = self.expect(Tok::Loc).and_then(|()| self.name("a location name")).and_then(|name| {
            let reason = self.expect_span(Tok::Text)?;
            Ok(Loc { kind: LocKind::Limit(self.text_of(reason)), name })
        });
        if limit.is_err() {
            self.items.lost_declarations = true;
            self.recover_item();
        }
        limit
    }

    /// `name "->" name ["{" {stmt} "}"]`
    fn edge(&mut self) -> Parsed<Edge<'s>> {
        let ends = self.edge_ends();
        if ends.is_err() {
            self.recover(|parser| parser.token.tok == Tok::LeftBrace || parser.at_item());
        }
        let first = self.items.stmts.len() as u32;
        if self.accept(Tok::LeftBrace) {
            self.stmts();
        }
        let stmts = Range { start: first, end: self.items.stmts.len() as u32 };
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
                self.items.stmts.push(Stmt { kind, span });
            }
            Ok(None) => {}
            Err(_) => {
                if self.token.start == start {
                    self.advance();
                }
                self.recover(Parser::at_stmt_or_item);
            }
        }
        if self.is_muted() {
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

    /// Whether a declaration, a location, an edge or the end of the process can start here.
    fn at_item(&self) -> bool {
        match self.token.tok {
            Tok::Var | Tok::Init | Tok::Final | Tok::Error | Tok::Loc => true,
            Tok::RightBrace | Tok::Main | Tok::Process | Tok::End => true,
            Tok::Ident => self.peek(1) == Tok::Arrow || self.at_limit(),
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
}
