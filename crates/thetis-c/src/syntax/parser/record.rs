//! Structures, unions and enumerations.

use super::super::ast::{EnumSpecifier, Enumerator, FieldDeclarator, Member, RecordSpecifier, TypeSpecifier};
use super::{NameKind, Parsed, Parser};

impl Parser<'_, '_, '_> {
    pub(super) fn record_specifier(&mut self) -> Parsed<TypeSpecifier> {
        self.nested(|parser| {
            let keyword = parser.next();
            let mut attributes = parser.attributes()?;
            let tag =
                if parser.is_identifier(parser.peek()) { Some(parser.identifier()?.node) } else { None };
            let mut members = None;
            let mut pack = None;
            if parser.peek().is("{") {
                members = Some(parser.members()?);
                pack = parser.pack_here();
                attributes.extend(parser.attributes()?);
            } else if tag.is_none() {
                return Err(parser.unexpected("a tag or `{`"));
            }
            let span = parser.span_from(keyword.span);
            let is_union = keyword.text == "union";
            let record = RecordSpecifier { is_union, tag, members, attributes, pack, span };
            Ok(TypeSpecifier::Record(Box::new(record)))
        })
    }

    fn members(&mut self) -> Parsed<Vec<Member>> {
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.accept("}") {
            if self.accept(";") {
                continue;
            }
            if self.peek().is("_Static_assert") {
                members.push(Member::StaticAssert(self.static_assert()?));
            } else if self.starts_declaration() {
                members.push(self.fields()?);
            } else {
                return Err(self.unexpected("a member or `}`"));
            }
        }
        Ok(members)
    }

    fn fields(&mut self) -> Parsed<Member> {
        let start = self.peek().span;
        let specifiers = self.specifiers()?;
        let mut declarators = Vec::new();
        if !self.peek().is(";") {
            loop {
                declarators.push(self.field()?);
                if !self.accept(",") {
                    break;
                }
            }
        }
        let span = self.span_from(start);
        if !self.peek().is("}") {
            self.expect(";")?;
        }
        Ok(Member::Fields { specifiers, declarators, span })
    }

    fn field(&mut self) -> Parsed<FieldDeclarator> {
        let start = self.peek().span;
        let declarator = if self.peek().is(":") { None } else { Some(self.named_declarator()?) };
        let width = if self.accept(":") { Some(self.conditional()?) } else { None };
        let attributes = self.attributes()?;
        Ok(FieldDeclarator { declarator, width, attributes, span: self.span_from(start) })
    }

    pub(super) fn enum_specifier(&mut self) -> Parsed<TypeSpecifier> {
        let keyword = self.next();
        let mut attributes = self.attributes()?;
        let tag = if self.is_identifier(self.peek()) { Some(self.identifier()?.node) } else { None };
        let mut enumerators = None;
        if self.peek().is("{") {
            enumerators = Some(self.enumerators()?);
            attributes.extend(self.attributes()?);
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        let span = self.span_from(keyword.span);
        Ok(TypeSpecifier::Enum(Box::new(EnumSpecifier { tag, enumerators, attributes, span })))
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        self.expect("{")?;
        let mut enumerators = Vec::new();
        while !self.peek().is("}") {
            let name = self.identifier()?;
            self.harmless_attributes()?;
            let value = if self.accept("=") { Some(self.conditional()?) } else { None };
            self.declare(&name.node, NameKind::Other);
            enumerators.push(Enumerator { name: name.node, value, span: name.span });
            if !self.accept(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(enumerators)
    }
}
