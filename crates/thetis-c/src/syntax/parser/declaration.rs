//! Declarations, specifiers and initialisers.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::super::ast::{
    Alignment, Declaration, Declarator, Derived, Designator, FunctionDefinition, InitDeclarator, Initializer,
    InitializerItem, InitializerList, Item, Parameters, Specifiers, StaticAssert, Storage, TypeName,
    TypeSpecifier, Word,
};
use super::super::token::{Token, TokenKind};
use super::declarator::QUALIFIERS;
use super::{NameKind, Parsed, Parser};
use crate::code;

/// Words that are specifiers without a type, besides the qualifiers.
const OTHER_SPECIFIERS: [&str; 21] = [
    "typedef",
    "extern",
    "static",
    "auto",
    "register",
    "_Thread_local",
    "__thread",
    "inline",
    "__inline",
    "__inline__",
    "_Noreturn",
    "_Alignas",
    "__attribute__",
    "__attribute",
    "__auto_type",
    "__builtin_va_list",
    "typeof",
    "__typeof",
    "__typeof__",
    "struct",
    "union",
];

impl<'t> Parser<'_, 't, '_> {
    /// A function definition or declaration at file scope.
    pub(super) fn external_declaration(&mut self) -> Parsed<Item> {
        let start = self.at;
        self.check_type_is_known()?;
        let specifiers = self.specifiers()?;
        if self.accept(";") {
            return Ok(Item::Declaration(Declaration { specifiers, declarators: Vec::new() }));
        }
        let declarator = self.named_declarator()?;
        let is_function = matches!(declarator.derived.first(), Some(Derived::Function(_)));
        let has_body = self.peek().is("{") || (is_function && self.starts_declaration());
        if is_function && has_body && specifiers.storage != Some(Storage::Typedef) {
            let mut definition = self.function_definition(specifiers, declarator)?;
            definition.fingerprint = self.fingerprint_since(start);
            return Ok(Item::Function(definition));
        }
        self.declaration_after(specifiers, declarator).map(Item::Declaration)
    }

    /// A fingerprint of the words from `start` to here.
    fn fingerprint_since(&self, start: usize) -> u64 {
        let mut hasher = FxHasher::default();
        for token in &self.tokens[start..self.at] {
            token.text.hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Two names in a row mean that the first should have been a type.
    fn check_type_is_known(&mut self) -> Parsed<()> {
        let (first, second) = (self.peek(), self.peek_second());
        let is_typed = !self.is_identifier(first) || self.starts_specifiers(first);
        let follows = self.is_identifier(second) || second.is("*");
        if is_typed || !follows {
            return Ok(());
        }
        let message = format!("unknown type name `{}`", first.text);
        Err(self.sink.error(first.span, code::UNKNOWN_NAME, message))
    }

    fn function_definition(
        &mut self,
        specifiers: Specifiers,
        declarator: Declarator,
    ) -> Parsed<FunctionDefinition> {
        if let Some(name) = &declarator.name {
            self.declare(name, NameKind::Other);
        }
        self.scoped(|parser| {
            parser.declare_parameters(&declarator.derived);
            let mut parameter_declarations = Vec::new();
            while !parser.peek().is("{") {
                parameter_declarations.push(parser.declaration()?);
            }
            parser.taken_labels.clear();
            let body = parser.block()?;
            let taken_labels = std::mem::take(&mut parser.taken_labels);
            Ok(FunctionDefinition {
                specifiers,
                declarator,
                parameter_declarations,
                taken_labels,
                body,
                fingerprint: 0,
            })
        })
    }

    pub(super) fn declare_parameters(&mut self, derived: &[Derived]) {
        match derived.first() {
            Some(Derived::Function(Parameters::Prototype { params, .. })) => {
                for name in params.iter().filter_map(|param| param.declarator.name.as_ref()) {
                    self.declare(name, NameKind::Other);
                }
            }
            Some(Derived::Function(Parameters::OldStyle(names))) => {
                for name in names {
                    self.declare(&name.node, NameKind::Other);
                }
            }
            _ => {}
        }
    }

    /// A declaration in a block, or of parameters in the old style.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let specifiers = self.specifiers()?;
        if self.accept(";") {
            return Ok(Declaration { specifiers, declarators: Vec::new() });
        }
        let declarator = self.named_declarator()?;
        self.declaration_after(specifiers, declarator)
    }

    /// The rest of a declaration after its first declarator.
    pub(super) fn declaration_after(
        &mut self,
        specifiers: Specifiers,
        first: Declarator,
    ) -> Parsed<Declaration> {
        let is_typedef = specifiers.storage == Some(Storage::Typedef);
        let kind = if is_typedef { NameKind::Type } else { NameKind::Other };
        let mut declarators = Vec::new();
        let mut declarator = first;
        loop {
            if let Some(name) = &declarator.name {
                self.declare(name, kind);
            }
            let initializer = if self.accept("=") { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator, initializer });
            if !self.accept(",") {
                break;
            }
            let mut attributes = self.attributes()?;
            declarator = self.named_declarator()?;
            declarator.attributes.append(&mut attributes);
        }
        self.expect(";")?;
        Ok(Declaration { specifiers, declarators })
    }

    /// Whether a declaration starts here.
    pub(super) fn starts_declaration(&self) -> bool {
        let extensions = (0..).take_while(|distance| self.peek_far(*distance).is("__extension__")).count();
        self.starts_specifiers(self.peek_far(extensions))
    }

    /// Whether a type name starts here, as in casts.
    pub(super) fn starts_specifiers(&self, token: Token<'t>) -> bool {
        token.kind == TokenKind::Name
            && (word(token.text).is_some()
                || QUALIFIERS.contains(&token.text)
                || OTHER_SPECIFIERS.contains(&token.text)
                || token.text == "enum"
                || self.is_type_name(token))
    }

    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let start = self.peek().span;
        let mut specifiers = Specifiers {
            storage: None,
            is_thread_local: false,
            is_noreturn: false,
            is_inline: false,
            is_const: false,
            is_volatile: false,
            ty: TypeSpecifier::Missing,
            attributes: Vec::new(),
            alignments: Vec::new(),
            span: start,
        };
        while self.specifier(&mut specifiers)? {}
        specifiers.span = self.span_from(start);
        Ok(specifiers)
    }

    /// One more specifier; `false` if there is none.
    fn specifier(&mut self, specifiers: &mut Specifiers) -> Parsed<bool> {
        let token = self.peek();
        if token.kind != TokenKind::Name {
            return Ok(false);
        }
        if let Some(storage) = storage(token.text) {
            self.next();
            if specifiers.storage.is_some_and(|other| other != storage) {
                let message = format!("`{}` follows another storage class", token.text);
                return Err(self.sink.error(token.span, code::DECLARATION, message));
            }
            specifiers.storage = Some(storage);
            return Ok(true);
        }
        if let Some(word) = word(token.text) {
            self.next();
            self.add_word(specifiers, word, token)?;
            return Ok(true);
        }
        match token.text {
            "__extension__" | "restrict" | "__restrict" | "__restrict__" => {
                self.next();
            }
            "inline" | "__inline" | "__inline__" => {
                self.next();
                specifiers.is_inline = true;
            }
            "const" | "__const" | "__const__" => {
                self.next();
                specifiers.is_const = true;
            }
            "volatile" | "__volatile" | "__volatile__" => {
                self.next();
                specifiers.is_volatile = true;
            }
            "_Noreturn" => {
                self.next();
                specifiers.is_noreturn = true;
            }
            "_Thread_local" | "__thread" => {
                self.next();
                specifiers.is_thread_local = true;
            }
            "__attribute__" | "__attribute" => specifiers.attributes.extend(self.attributes()?),
            "_Alignas" => specifiers.alignments.push(self.alignment()?),
            "_Atomic" if !self.peek_second().is("(") => {
                self.next();
            }
            _ => return self.type_specifier(specifiers, token),
        }
        Ok(true)
    }

    fn type_specifier(&mut self, specifiers: &mut Specifiers, token: Token<'t>) -> Parsed<bool> {
        let is_free = matches!(specifiers.ty, TypeSpecifier::Missing);
        let ty = match token.text {
            "struct" | "union" => self.record_specifier()?,
            "enum" => self.enum_specifier()?,
            "typeof" | "__typeof" | "__typeof__" => self.type_of()?,
            "_Atomic" => {
                self.next();
                self.expect("(")?;
                let name = self.type_name()?;
                self.expect(")")?;
                TypeSpecifier::TypeOfType(Box::new(name))
            }
            "__auto_type" => {
                self.next();
                TypeSpecifier::Auto
            }
            "__builtin_va_list" => {
                self.next();
                TypeSpecifier::VaList
            }
            _ if is_free && self.is_type_name(token) => {
                self.next();
                TypeSpecifier::Typedef(self.intern(token.text))
            }
            _ => return Ok(false),
        };
        if !is_free {
            return Err(self.sink.error(token.span, code::DECLARATION, "a second type in a declaration"));
        }
        specifiers.ty = ty;
        Ok(true)
    }

    fn add_word(&mut self, specifiers: &mut Specifiers, word: Word, token: Token<'t>) -> Parsed<()> {
        match &mut specifiers.ty {
            TypeSpecifier::Missing => specifiers.ty = TypeSpecifier::Words(vec![word]),
            TypeSpecifier::Words(words) => words.push(word),
            _ => {
                let message = format!("`{}` follows another type", token.text);
                return Err(self.sink.error(token.span, code::DECLARATION, message));
            }
        }
        Ok(())
    }

    fn type_of(&mut self) -> Parsed<TypeSpecifier> {
        self.next();
        self.expect("(")?;
        let ty = if self.starts_declaration() {
            TypeSpecifier::TypeOfType(Box::new(self.type_name()?))
        } else {
            TypeSpecifier::TypeOfExpr(Box::new(self.expression()?))
        };
        self.expect(")")?;
        Ok(ty)
    }

    fn alignment(&mut self) -> Parsed<Alignment> {
        self.next();
        self.expect("(")?;
        let alignment = if self.starts_declaration() {
            Alignment::Type(self.type_name()?)
        } else {
            Alignment::Value(self.conditional()?)
        };
        self.expect(")")?;
        Ok(alignment)
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        self.nested(|parser| {
            let specifiers = parser.specifiers()?;
            let declarator = parser.abstract_declarator()?;
            Ok(TypeName { specifiers, declarator })
        })
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let start = self.next().span;
        self.expect("(")?;
        let condition = self.conditional()?;
        let message = if self.accept(",") { self.text_pieces() } else { Vec::new() };
        self.expect(")")?;
        let span = self.span_from(start);
        self.expect(";")?;
        Ok(StaticAssert { condition, message, span })
    }

    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.peek().is("{") {
            return self.initializer_list().map(Initializer::List);
        }
        Ok(Initializer::Value(Box::new(self.assignment()?)))
    }

    pub(super) fn initializer_list(&mut self) -> Parsed<InitializerList> {
        self.nested(|parser| {
            let start = parser.expect("{")?.span;
            let mut items = Vec::new();
            while !parser.peek().is("}") {
                items.push(parser.initializer_item()?);
                if !parser.accept(",") {
                    break;
                }
            }
            parser.expect("}")?;
            Ok(InitializerList { items, span: parser.span_from(start) })
        })
    }

    fn initializer_item(&mut self) -> Parsed<InitializerItem> {
        let start = self.peek().span;
        let designators = self.designators()?;
        let value = self.initializer()?;
        Ok(InitializerItem { designators, value, span: self.span_from(start) })
    }

    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        if self.is_identifier(self.peek()) && self.peek_second().is(":") {
            let name = self.identifier()?;
            self.next();
            return Ok(vec![Designator::Field(name.node, name.span)]);
        }
        let mut designators = Vec::new();
        loop {
            if self.accept(".") {
                let name = self.identifier()?;
                designators.push(Designator::Field(name.node, name.span));
            } else if self.accept("[") {
                let first = self.conditional()?;
                let designator = if self.accept("...") {
                    Designator::Range(first, self.conditional()?)
                } else {
                    Designator::Index(first)
                };
                self.expect("]")?;
                designators.push(designator);
            } else {
                break;
            }
        }
        // In old GNU C the sign could be left out after an index.
        let may_lack_sign = matches!(designators.last(), Some(Designator::Index(_) | Designator::Range(..)));
        if !designators.is_empty() && !self.accept("=") && !may_lack_sign {
            return Err(self.unexpected("`=`"));
        }
        Ok(designators)
    }
}

fn storage(text: &str) -> Option<Storage> {
    Some(match text {
        "typedef" => Storage::Typedef,
        "extern" => Storage::Extern,
        "static" => Storage::Static,
        "auto" => Storage::Auto,
        "register" => Storage::Register,
        _ => return None,
    })
}

/// The words that types are made of.
fn word(text: &str) -> Option<Word> {
    const OTHER_FLOATS: [&str; 12] = [
        "_Float16",
        "_Float32",
        "_Float64",
        "_Float128",
        "_Float32x",
        "_Float64x",
        "_Decimal32",
        "_Decimal64",
        "_Decimal128",
        "__float128",
        "__float80",
        "__ibm128",
    ];
    Some(match text {
        "void" => Word::Void,
        "char" => Word::Char,
        "short" => Word::Short,
        "int" => Word::Int,
        "long" => Word::Long,
        "float" => Word::Float,
        "double" => Word::Double,
        "signed" | "__signed" | "__signed__" => Word::Signed,
        "unsigned" => Word::Unsigned,
        "_Bool" => Word::Bool,
        "__int128" => Word::Int128,
        "_Complex" | "__complex" | "__complex__" => Word::Complex,
        _ => return OTHER_FLOATS.iter().find(|name| **name == text).map(|name| Word::OtherFloat(name)),
    })
}
