//! The parser of `.sts` files, and its recovery from errors.
//!
//! The words of the language are names to the lexer; where one of them can stand, the parser looks for it. After an error
//! it goes on at the next such word.

use thetis_base::Span;

use super::ast::{Body, Clause, ClauseKind, Declaration, Declared, File, Property, System, SystemRef};
use crate::syntax::ast::{Ast, Decl, Name};
use crate::syntax::code;
use crate::syntax::parser::{Parsed, Parser};
use crate::syntax::token::Tok;

/// The words that cannot be names of variables.
pub(super) const RESERVED: [&str; 9] =
    ["specification", "const", "system", "property", "models", "invariant", "initial", "transition", "G"];

impl<'s> Parser<'s, '_, '_, File<'s>> {
    /// `"specification" name "{" { declaration | system | property } "}"`
    pub(super) fn specification(mut self) -> (Ast, File<'s>) {
        if self.specification_head().is_err() {
            self.items.lost_declarations = true;
            self.recover(|parser| parser.at_shared_item() || parser.token.tok == Tok::RightBrace);
        }
        self.specification_items();
        (self.ast, self.items)
    }

    fn specification_head(&mut self) -> Parsed<()> {
        self.word("specification")?;
        self.name("the name of the specification")?;
        self.reject_parameters()?;
        self.expect(Tok::LeftBrace)
    }

    fn specification_items(&mut self) {
        loop {
            self.unmute();
            let parsed = match self.token.tok {
                Tok::RightBrace => {
                    self.advance();
                    if self.token.tok != Tok::End {
                        self.expected("the end of the file");
                    }
                    return;
                }
                Tok::End => {
                    self.expected("`}` at the end of the specification");
                    return;
                }
                _ if self.at_declaration() => {
                    self.declaration().map(|declaration| self.items.shared.push(declaration))
                }
                _ if self.at_word("system") => self.system().map(|system| self.items.systems.push(system)),
                _ if self.at_word("property") => {
                    self.property().map(|property| self.items.properties.push(property))
                }
                _ => {
                    let reported = self.expected("`const`, `var`, `system`, `property` or `}`");
                    self.advance();
                    Err(reported)
                }
            };
            if parsed.is_err() {
                self.items.lost_declarations = true;
                self.recover(Parser::at_shared_item);
            }
        }
    }

    /// `"system" name ":=" system`
    fn system(&mut self) -> Parsed<System<'s>> {
        self.advance();
        let name = self.name("the name of the system")?;
        self.reject_parameters()?;
        self.expect(Tok::Becomes)?;
        match self.system_ref()? {
            SystemRef::Inline(body) => Ok(System { name, body }),
            SystemRef::Named(other) => {
                let message = "a system that is another one is not supported";
                Err(self.sink.error(other.span, code::UNSUPPORTED, message))
            }
        }
    }

    /// `"property" name ":" system "models" "G" "(" formula ")"`
    fn property(&mut self) -> Parsed<Property<'s>> {
        self.advance();
        let name = self.name("the name of the property")?;
        self.expect(Tok::Colon)?;
        let system = self.system_ref()?;
        self.word("models")?;
        self.word("G")?;
        self.expect(Tok::LeftParen)?;
        let formula = self.root()?;
        self.expect(Tok::RightParen)?;
        Ok(Property { name, system, formula })
    }

    /// `"{" {clause} "}" | name`
    fn system_ref(&mut self) -> Parsed<SystemRef<'s>> {
        if self.accept(Tok::LeftBrace) {
            return self.body().map(SystemRef::Inline);
        }
        let name = self.name("`{` or the name of a system")?;
        self.reject_parameters()?;
        Ok(SystemRef::Named(name))
    }

    fn body(&mut self) -> Parsed<Body<'s>> {
        let mut body = Body::default();
        loop {
            self.unmute();
            let parsed = match self.token.tok {
                Tok::RightBrace => {
                    self.advance();
                    return Ok(body);
                }
                Tok::End => return Err(self.expected("`}` at the end of the system")),
                _ if self.at_declaration() => {
                    self.declaration().map(|declaration| body.declarations.push(declaration))
                }
                _ => match self.clause_kind() {
                    Some(kind) => self.clause(kind).map(|clause| body.clauses.push(clause)),
                    None => Err(self.expected("`const`, `var`, `invariant`, `initial`, `transition` or `}`")),
                },
            };
            if parsed.is_err() {
                self.items.lost_declarations = true;
                if !self.at_item() && self.token.tok != Tok::RightBrace {
                    self.advance();
                }
                self.recover(|parser| parser.at_item() || parser.token.tok == Tok::RightBrace);
                if self.at_word("system") || self.at_word("property") {
                    return Ok(body);
                }
            }
        }
    }

    fn clause(&mut self, kind: ClauseKind) -> Parsed<Clause> {
        self.advance();
        let formula = self.root()?;
        Ok(Clause { kind, formula })
    }

    /// `("const" | "var") name ":" type [":=" expr]`
    fn declaration(&mut self) -> Parsed<Declaration<'s>> {
        let kind = if self.token.tok == Tok::Var { Declared::Var } else { Declared::Const };
        self.advance();
        let decl = self.decl()?;
        self.reject_reserved(&decl);
        let value = if self.accept(Tok::Becomes) { Some(self.root()?) } else { None };
        Ok(Declaration { kind, decl, value })
    }

    fn reject_reserved(&mut self, decl: &Decl<'s>) {
        if RESERVED.contains(&decl.name.text) {
            let message = format!("`{}` is a word of the language and cannot be declared", decl.name.text);
            self.sink.error(decl.name.span, code::SYNTAX, message);
        }
    }

    fn reject_parameters(&mut self) -> Parsed<()> {
        if self.token.tok != Tok::LeftParen {
            return Ok(());
        }
        let span: Span = self.span();
        Err(self.sink.error(span, code::UNSUPPORTED, "parameters are not supported"))
    }

    fn clause_kind(&self) -> Option<ClauseKind> {
        [ClauseKind::Invariant, ClauseKind::Initial, ClauseKind::Transition]
            .into_iter()
            .find(|kind| self.at_word(kind.text()))
    }

    fn at_declaration(&self) -> bool {
        self.token.tok == Tok::Var || self.at_word("const")
    }

    /// Whether a declaration, a clause, a system or a property can start here.
    fn at_item(&self) -> bool {
        self.at_shared_item() || self.clause_kind().is_some()
    }

    /// Whether a declaration, a system or a property can start here.
    fn at_shared_item(&self) -> bool {
        self.at_declaration() || self.at_word("system") || self.at_word("property")
    }

    fn at_word(&self, word: &str) -> bool {
        self.token.tok == Tok::Ident && self.text_of(self.span()) == word
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if !self.at_word(word) {
            return Err(self.expected(&format!("`{word}`")));
        }
        self.advance();
        Ok(())
    }
}

/// The place and text of a name, for messages.
pub(super) fn quoted(name: Name<'_>) -> String {
    format!("`{}`", name.text)
}
