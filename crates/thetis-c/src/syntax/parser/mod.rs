//! The parser: recursive descent over tokens.
//!
//! It never backtracks: the next two tokens and the table of type names decide everything. The work is linear in the
//! length of the text. Nesting is limited to [`MAX_NESTING`] levels, below which everything that walks over the tree
//! may recurse; long chains (`a + b + …`, `else if`) count, since they nest in the tree.
//!
//! The first error of each declaration at file scope is reported; then the parser skips to the next declaration.

mod assembly;
mod attribute;
mod declaration;
mod declarator;
mod expression;
mod record;
mod statement;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Reported, Sink, Span, tick};

use super::ast::{Item, Name, Spanned, Unit};
use super::pragma::Packs;
use super::token::{Token, TokenKind};
use crate::code;

/// How deep the tree may be.
const MAX_NESTING: usize = 4_000;

/// The stack that one level may need, and what is added when it runs short.
const RED_ZONE: usize = 128 * 1024;
const MORE_STACK: usize = 4 * 1024 * 1024;

/// Names that cannot be declared.
const KEYWORDS: [&str; 75] = [
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "__alignof",
    "__alignof__",
    "asm",
    "__asm",
    "__asm__",
    "__attribute",
    "__attribute__",
    "__auto_type",
    "__complex",
    "__complex__",
    "__const",
    "__const__",
    "__extension__",
    "__imag__",
    "__inline",
    "__inline__",
    "__int128",
    "__label__",
    "__real__",
    "__restrict",
    "__restrict__",
    "__signed",
    "__signed__",
    "__thread",
    "typeof",
    "__typeof",
    "__typeof__",
    "__volatile",
    "__volatile__",
    "__builtin_offsetof",
    "__builtin_va_arg",
    "__builtin_va_list",
];

/// Types that have a name without being declared.
const PREDECLARED_TYPES: [&str; 2] = ["__int128_t", "__uint128_t"];

type Parsed<T> = Result<T, Reported>;

/// Parses all tokens. Errors are in the sink.
pub(super) fn parse(tokens: Vec<Token<'_>>, sink: &mut Sink<'_>) -> Unit {
    let packs = Packs::take(tokens);
    Parser::new(&packs, sink).unit()
}

/// What a name is in a scope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameKind {
    Type,
    Other,
}

struct Parser<'p, 't, 'd> {
    tokens: &'p [Token<'t>],
    packs: &'p Packs<'t>,
    at: usize,
    depth: usize,
    /// What the names of each open scope are.
    scopes: Vec<FxHashMap<Name, NameKind>>,
    names: FxHashMap<&'t str, Name>,
    keywords: FxHashSet<&'static str>,
    /// The labels of the function at hand whose addresses are used.
    taken_labels: Vec<Name>,
    sink: &'p mut Sink<'d>,
}

impl<'p, 't, 'd> Parser<'p, 't, 'd> {
    fn new(packs: &'p Packs<'t>, sink: &'p mut Sink<'d>) -> Self {
        let predeclared =
            PREDECLARED_TYPES.into_iter().map(|name| (Name::from(name), NameKind::Type)).collect();
        Parser {
            tokens: &packs.tokens,
            packs,
            at: 0,
            depth: 0,
            scopes: vec![predeclared],
            names: FxHashMap::default(),
            keywords: KEYWORDS.into_iter().collect(),
            taken_labels: Vec::new(),
            sink,
        }
    }

    fn unit(mut self) -> Unit {
        let has_atomic_types = self.tokens.iter().any(|token| token.text == "_Atomic");
        let mut unit = Unit { items: Vec::new(), has_atomic_types, system: Vec::new() };
        while self.peek().kind != TokenKind::End && !self.sink.is_full() {
            let start = self.at;
            match self.item() {
                Ok(item) => unit.items.extend(item),
                Err(Reported { .. }) => self.recover(start),
            }
        }
        unit
    }

    /// One declaration at file scope; nothing for a lone semicolon.
    fn item(&mut self) -> Parsed<Option<Item>> {
        match self.peek().kind {
            TokenKind::AcslAssert | TokenKind::AcslUnknown | TokenKind::Claim(_) => {
                let span = self.next().span;
                return Err(self.sink.error(span, code::SYNTAX, "an assertion outside of a function"));
            }
            _ if self.accept(";") => return Ok(None),
            _ => {}
        }
        if self.peek_is_any(&["asm", "__asm", "__asm__"]) {
            let span = self.peek().span;
            self.asm()?;
            return Err(self.sink.error(span, code::UNSUPPORTED, "assembly at file scope is not supported"));
        }
        if self.peek().is("_Static_assert") {
            return Ok(Some(Item::StaticAssert(self.static_assert()?)));
        }
        self.external_declaration().map(Some)
    }

    /// Skips to what looks like the next declaration at file scope, at least one token after `start`.
    fn recover(&mut self, start: usize) {
        self.depth = 0;
        self.scopes.truncate(1);
        self.at = start;
        let mut open = 0_usize;
        while self.peek().kind != TokenKind::End {
            let token = self.next();
            if token.is("{") {
                open += 1;
            } else if token.is("}") {
                open = open.saturating_sub(1);
            }
            if open == 0 && (token.is(";") || token.is("}")) {
                self.accept(";");
                return;
            }
        }
    }

    /// What `#pragma pack` says about structures that end here.
    fn pack_here(&self) -> Option<u64> {
        self.packs.at(self.at)
    }

    fn peek(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    /// The token after the next.
    fn peek_second(&self) -> Token<'t> {
        self.peek_far(1)
    }

    fn peek_far(&self, distance: usize) -> Token<'t> {
        self.tokens[(self.at + distance).min(self.tokens.len() - 1)]
    }

    fn peek_is_any(&self, texts: &[&str]) -> bool {
        let token = self.peek();
        texts.iter().any(|text| token.is(text))
    }

    fn next(&mut self) -> Token<'t> {
        tick();
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn accept(&mut self, text: &str) -> bool {
        let is_next = self.peek().is(text);
        if is_next {
            self.next();
        }
        is_next
    }

    fn accept_any(&mut self, texts: &[&str]) -> bool {
        let is_next = self.peek_is_any(texts);
        if is_next {
            self.next();
        }
        is_next
    }

    fn expect(&mut self, text: &str) -> Parsed<Token<'t>> {
        if self.peek().is(text) { Ok(self.next()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    /// Reports that the next token is not what should be here.
    fn unexpected(&mut self, expected: &str) -> Reported {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::AcslAssert | TokenKind::AcslUnknown => "an ACSL assertion".to_owned(),
            TokenKind::Claim(_) => "a claim of a witness".to_owned(),
            _ => format!("`{}`", shortened(token.text)),
        };
        self.sink.error(token.span, code::SYNTAX, format!("expected {expected}, found {found}"))
    }

    /// From the start of a piece of syntax to the last token that was read.
    fn span_from(&self, start: Span) -> Span {
        let last = self.tokens[self.at.saturating_sub(1)].span;
        if last.file == start.file && last.end >= start.start { start.to(last) } else { start }
    }

    fn intern(&mut self, text: &'t str) -> Name {
        self.names.entry(text).or_insert_with(|| Rc::from(text)).clone()
    }

    fn is_identifier(&self, token: Token<'t>) -> bool {
        token.kind == TokenKind::Name && !self.keywords.contains(token.text)
    }

    fn identifier(&mut self) -> Parsed<Spanned<Name>> {
        let token = self.peek();
        if !self.is_identifier(token) {
            return Err(self.unexpected("a name"));
        }
        self.next();
        Ok(Spanned { node: self.intern(token.text), span: token.span })
    }

    fn is_type_name(&self, token: Token<'t>) -> bool {
        let kind = self.scopes.iter().rev().find_map(|scope| scope.get(token.text));
        token.kind == TokenKind::Name && kind == Some(&NameKind::Type)
    }

    fn declare(&mut self, name: &Name, kind: NameKind) {
        let scope = self.scopes.last_mut().expect("the scope of the file should always be open");
        scope.insert(name.clone(), kind);
    }

    /// Parses something in a scope of its own.
    fn scoped<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scopes.push(FxHashMap::default());
        let parsed = parse(self);
        self.scopes.pop();
        parsed
    }

    /// Parses something one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.check_depth(1)?;
        self.depth += 1;
        let parsed = stacker::maybe_grow(RED_ZONE, MORE_STACK, || parse(self));
        self.depth = self.depth.saturating_sub(1);
        parsed
    }

    /// Rejects a tree that is `more` levels deeper than the current position, if that is too deep.
    fn check_depth(&mut self, more: usize) -> Parsed<()> {
        if self.depth + more <= MAX_NESTING {
            return Ok(());
        }
        let message = format!("the program is nested more than {MAX_NESTING} levels deep here");
        Err(self.sink.error(self.peek().span, code::TOO_DEEP, message))
    }
}

/// A token for a message: strings can be long.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
