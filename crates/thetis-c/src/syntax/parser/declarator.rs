//! Declarators: names with the pointers, arrays and functions around them.

use super::super::ast::{ArrayLength, Attribute, Declarator, Derived, Parameter, Parameters, Qualifiers};
use super::{NameKind, Parsed, Parser};
use thetis_base::Span;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Required,
    Optional,
    Absent,
}

pub(super) const QUALIFIERS: [&str; 10] = [
    "const",
    "__const",
    "__const__",
    "volatile",
    "__volatile",
    "__volatile__",
    "restrict",
    "__restrict",
    "__restrict__",
    "_Atomic",
];

impl Parser<'_, '_, '_> {
    /// A declarator that names something.
    pub(super) fn named_declarator(&mut self) -> Parsed<Declarator> {
        self.declarator(Naming::Required)
    }

    /// The declarator of a type name.
    pub(super) fn abstract_declarator(&mut self) -> Parsed<Declarator> {
        self.declarator(Naming::Absent)
    }

    /// A declarator with the assembly name and the attributes that may follow it.
    fn declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let mut declarator = self.bare_declarator(naming)?;
        if self.accept_any(&["asm", "__asm", "__asm__"]) {
            self.expect("(")?;
            declarator.assembler_name = Some(self.text_pieces());
            self.expect(")")?;
        }
        declarator.attributes.extend(self.attributes()?);
        Ok(declarator)
    }

    fn bare_declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        self.nested(|parser| {
            let mut attributes = parser.attributes()?;
            let mut pointers = Vec::new();
            while parser.accept("*") {
                pointers.push(Derived::Pointer(parser.pointer_qualifiers(&mut attributes)?));
            }
            let mut declarator = parser.direct_declarator(naming)?;
            parser.check_depth(pointers.len())?;
            declarator.derived.extend(pointers.into_iter().rev());
            declarator.attributes.append(&mut attributes);
            Ok(declarator)
        })
    }

    fn pointer_qualifiers(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<Qualifiers> {
        let mut qualifiers = Qualifiers::default();
        loop {
            qualifiers.is_const |= self.peek_is_any(&["const", "__const", "__const__"]);
            qualifiers.is_volatile |= self.peek_is_any(&["volatile", "__volatile", "__volatile__"]);
            if self.peek_is_any(&["__attribute__", "__attribute"]) {
                attributes.extend(self.attributes()?);
            } else if !self.accept_any(&QUALIFIERS) {
                return Ok(qualifiers);
            }
        }
    }

    fn direct_declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let span = self.peek().span;
        let mut declarator = if naming != Naming::Absent && self.is_identifier(self.peek()) {
            let name = self.identifier()?;
            Declarator { name: Some(name.node), ..nameless(span) }
        } else if self.peek().is("(") && (naming == Naming::Required || self.opens_declarator()) {
            self.next();
            let inner = self.bare_declarator(naming)?;
            self.expect(")")?;
            inner
        } else if naming == Naming::Required {
            return Err(self.unexpected("a name"));
        } else {
            nameless(span)
        };
        while self.peek_is_any(&["[", "("]) {
            let suffix = if self.peek().is("[") { self.array()? } else { self.function()? };
            declarator.derived.push(suffix);
            self.check_depth(declarator.derived.len())?;
        }
        Ok(declarator)
    }

    /// Whether a parenthesis opens a declarator and not the parameters of a nameless function.
    fn opens_declarator(&self) -> bool {
        let next = self.peek_second();
        let is_mark = ["*", "(", "[", "__attribute__", "__attribute"].iter().any(|mark| next.is(mark));
        is_mark || (self.is_identifier(next) && !self.starts_specifiers(next))
    }

    fn array(&mut self) -> Parsed<Derived> {
        self.next();
        while self.accept("static") || self.accept_any(&QUALIFIERS) {}
        let length = if self.peek().is("]") {
            ArrayLength::Missing
        } else if self.peek().is("*") && self.peek_second().is("]") {
            self.next();
            ArrayLength::Star
        } else {
            ArrayLength::Value(Box::new(self.assignment()?))
        };
        self.expect("]")?;
        Ok(Derived::Array(length))
    }

    fn function(&mut self) -> Parsed<Derived> {
        self.next();
        let parameters = self.scoped(Self::parameters)?;
        self.expect(")")?;
        Ok(Derived::Function(parameters))
    }

    fn parameters(&mut self) -> Parsed<Parameters> {
        if self.peek().is(")") {
            return Ok(Parameters::OldStyle(Vec::new()));
        }
        let first = self.peek();
        if self.is_identifier(first) && !self.starts_specifiers(first) {
            return self.old_style_parameters();
        }
        let mut params = Vec::new();
        let mut is_variadic = false;
        loop {
            if self.accept("...") {
                is_variadic = true;
                break;
            }
            params.push(self.parameter()?);
            if !self.accept(",") {
                break;
            }
        }
        Ok(Parameters::Prototype { params, is_variadic })
    }

    fn old_style_parameters(&mut self) -> Parsed<Parameters> {
        let mut names = Vec::new();
        loop {
            let name = self.identifier()?;
            if !self.peek_is_any(&[",", ")"]) {
                let message = format!("unknown type name `{}`", name.node);
                return Err(self.sink.error(name.span, crate::code::UNKNOWN_NAME, message));
            }
            names.push(name);
            if !self.accept(",") {
                return Ok(Parameters::OldStyle(names));
            }
        }
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        if !self.starts_declaration() {
            return Err(self.unexpected("a parameter"));
        }
        let specifiers = self.specifiers()?;
        let declarator = self.declarator(Naming::Optional)?;
        if let Some(name) = &declarator.name {
            self.declare(name, NameKind::Other);
        }
        Ok(Parameter { specifiers, declarator })
    }
}

/// A declarator of nothing.
fn nameless(span: Span) -> Declarator {
    Declarator { name: None, derived: Vec::new(), attributes: Vec::new(), assembler_name: None, span }
}
