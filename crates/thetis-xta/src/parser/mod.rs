//! From tokens to [`File`].
//!
//! A recursive-descent parser; the nesting of expressions, statements and types is limited, so that no text overflows the
//! stack.

mod declarations;
mod expressions;
mod statements;
mod templates;

use thetis_base::{Diagnostics, Reported, Span};

use crate::ast::{Expr, File, Name, SystemEntry, TopLevel};
use crate::code;
use crate::lexer::{Token, TokenKind, tokens};
use crate::text::Text;

/// How deeply things may nest.
const MAX_DEPTH: u32 = 100;

/// A level passes through every precedence of the grammar, which takes more than 20 KB of stack without optimisation.
const RED_ZONE: usize = 128 << 10;
const MORE_STACK: usize = 2 << 20;

/// The words that cannot be names.
const KEYWORDS: [&str; 39] = [
    "and",
    "assign",
    "bool",
    "broadcast",
    "chan",
    "clock",
    "commit",
    "const",
    "deadlock",
    "do",
    "else",
    "exists",
    "false",
    "for",
    "forall",
    "guard",
    "if",
    "imply",
    "init",
    "int",
    "meta",
    "not",
    "or",
    "process",
    "return",
    "scalar",
    "select",
    "state",
    "struct",
    "sum",
    "sync",
    "system",
    "trans",
    "true",
    "typedef",
    "urgent",
    "void",
    "while",
    "hybrid",
];

/// Reads a model.
pub(crate) fn parse(text: &Text, diags: &mut Diagnostics) -> Result<File, Reported> {
    read(text, diags, |parser| parser.file(Vec::new()))
}

/// Reads all of `text` by a part of the grammar.
pub(crate) fn read<T>(
    text: &Text,
    diags: &mut Diagnostics,
    part: impl FnOnce(&mut Parser<'_, '_>) -> Result<T, Reported>,
) -> Result<T, Reported> {
    let tokens = tokens(text, diags)?;
    read_tokens(&tokens, diags, part)
}

/// Reads all of `tokens` by a part of the grammar.
pub(crate) fn read_tokens<T>(
    tokens: &[Token],
    diags: &mut Diagnostics,
    part: impl FnOnce(&mut Parser<'_, '_>) -> Result<T, Reported>,
) -> Result<T, Reported> {
    let mut parser = Parser::new(tokens, diags);
    let result = part(&mut parser)?;
    match parser.peek().kind {
        TokenKind::End => Ok(result),
        _ => Err(parser.expected("the end")),
    }
}

pub(crate) struct Parser<'t, 'd> {
    tokens: &'t [Token],
    at: usize,
    depth: u32,
    diags: &'d mut Diagnostics,
}

impl<'t, 'd> Parser<'t, 'd> {
    fn new(tokens: &'t [Token], diags: &'d mut Diagnostics) -> Parser<'t, 'd> {
        Parser { tokens, at: 0, depth: 0, diags }
    }

    /// The declarations between `items` and the `system` line, that line, and what follows it.
    pub(crate) fn file(&mut self, mut items: Vec<TopLevel>) -> Result<File, Reported> {
        while !self.is_word("system") {
            items.push(self.top_level()?);
        }
        self.bump();
        let system = self.system_line()?;
        let mut channels = Vec::new();
        while self.eat_word("IO") {
            let process = self.name()?;
            self.expect("{")?;
            let list = self.comma_list("}", Parser::postfix)?;
            channels.push((process, list));
            self.eat(";");
        }
        let progress = if self.eat_word("progress") { self.progress()? } else { Vec::new() };
        Ok(File { items, system, channels, progress })
    }

    /// The rest of a query after `sup`: a condition in braces, if there is one, and expressions.
    pub(crate) fn extreme(&mut self) -> Result<(Option<Expr>, Vec<Expr>), Reported> {
        let mut condition = None;
        if self.eat("{") {
            condition = Some(self.expr()?);
            self.expect("}")?;
        }
        self.expect(":")?;
        let mut exprs = vec![self.expr()?];
        while self.eat(",") {
            exprs.push(self.expr()?);
        }
        Ok((condition, exprs))
    }

    /// A declaration, a template or an instance.
    pub(crate) fn top_level(&mut self) -> Result<TopLevel, Reported> {
        if self.is_word("process") {
            Ok(TopLevel::Template(self.template()?))
        } else if self.is_instance() {
            Ok(TopLevel::Instance(self.instance()?))
        } else {
            Ok(TopLevel::Item(self.item()?))
        }
    }

    fn system_line(&mut self) -> Result<Vec<SystemEntry>, Reported> {
        let mut level = 0;
        let mut system = vec![SystemEntry { name: self.name()?, level }];
        loop {
            if self.eat("<") {
                level += 1;
            } else if !self.eat(",") {
                break;
            }
            system.push(SystemEntry { name: self.name()?, level });
        }
        self.expect(";")?;
        Ok(system)
    }

    /// The rest of a `progress` declaration: measures, each optionally after a condition and a colon.
    fn progress(&mut self) -> Result<Vec<Expr>, Reported> {
        self.expect("{")?;
        let mut list = Vec::new();
        while !self.eat("}") {
            list.push(self.expr()?);
            if !self.eat(":") {
                self.expect(";")?;
            }
        }
        Ok(list)
    }

    fn peek(&self) -> &'t Token {
        &self.tokens[self.at]
    }

    fn peek_after(&self, distance: usize) -> &'t TokenKind {
        &self.tokens[(self.at + distance).min(self.tokens.len() - 1)].kind
    }

    fn bump(&mut self) -> &'t Token {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Sign(found) if found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.peek().kind, TokenKind::Word(found) if found == word)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<Span, Reported> {
        if self.is_sign(sign) {
            return Ok(self.bump().span);
        }
        Err(self.expected(&format!("`{sign}`")))
    }

    fn expected(&mut self, what: &str) -> Reported {
        let found = self.peek();
        let message = format!("expected {what}, found {}", found.kind.describe());
        self.diags.error(found.span, code::SYNTAX, message)
    }

    pub(crate) fn name(&mut self) -> Result<Name, Reported> {
        match &self.peek().kind {
            TokenKind::Word(word) if !KEYWORDS.contains(&word.as_str()) => {
                let span = self.bump().span;
                Ok(Name { text: word.clone(), span })
            }
            _ => Err(self.expected("a name")),
        }
    }

    /// Elements between commas up to `end`, which is consumed. There may be none.
    fn comma_list<T>(
        &mut self,
        end: &str,
        mut element: impl FnMut(&mut Self) -> Result<T, Reported>,
    ) -> Result<Vec<T>, Reported> {
        let mut list = Vec::new();
        if self.eat(end) {
            return Ok(list);
        }
        loop {
            list.push(element(self)?);
            if !self.eat(",") {
                self.expect(end)?;
                return Ok(list);
            }
        }
    }

    /// Elements between `sign`s up to the end of the text. There may be none.
    pub(crate) fn all_between<T>(
        &mut self,
        sign: &str,
        mut element: impl FnMut(&mut Self) -> Result<T, Reported>,
    ) -> Result<Vec<T>, Reported> {
        let mut list = Vec::new();
        while self.peek().kind != TokenKind::End {
            list.push(element(self)?);
            if !self.eat(sign) {
                break;
            }
        }
        Ok(list)
    }

    /// Elements up to the end of the text. There may be none.
    pub(crate) fn all<T>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<T, Reported>,
    ) -> Result<Vec<T>, Reported> {
        let mut list = Vec::new();
        while self.peek().kind != TokenKind::End {
            list.push(element(self)?);
        }
        Ok(list)
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Reported>) -> Result<T, Reported> {
        if self.depth == MAX_DEPTH {
            let message = format!("this nests more than {MAX_DEPTH} levels deep");
            return Err(self.diags.error(self.peek().span, code::TOO_DEEP, message));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(RED_ZONE, MORE_STACK, || inner(self));
        self.depth -= 1;
        result
    }
}
