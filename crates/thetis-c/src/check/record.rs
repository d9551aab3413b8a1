//! Structures, unions and enumerations.

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use rustc_hash::FxHashSet;
use thetis_base::Span;

use super::attribute::{has, int_of_size};
use super::layout::{Member, lay_out};
use super::scope::{Aligned, Symbol, Tag};
use super::{Checked, Checker};
use crate::code;
use crate::hir::{ArrayLength, DataModel, IntKind, Record, RecordId, RecordKind, Type, TypeId};
use crate::syntax::ast;

/// How closely members follow one another.
#[derive(Clone, Copy)]
struct Packing {
    is_packed: bool,
    max_align: Option<u64>,
}

impl Packing {
    fn with(self, attributes: &[ast::Attribute]) -> Packing {
        Packing { is_packed: self.is_packed || has(attributes, "packed"), ..self }
    }
}

impl Checker<'_, '_> {
    /// The type that a `struct` or `union` specifier names, defines or declares.
    pub(super) fn record_type(&mut self, specifier: &ast::RecordSpecifier) -> Checked<TypeId> {
        let kind = if specifier.is_union { RecordKind::Union } else { RecordKind::Struct };
        let mut record = self.tagged_record(kind, specifier)?;
        if let Some(members) = &specifier.members {
            record = self.define_record(record, kind, specifier, members)?;
        }
        Ok(self.types.intern(Type::Record(record)))
    }

    /// The record of a tag. A definition is one of its own unless the innermost scope has declared the tag.
    fn tagged_record(&mut self, kind: RecordKind, specifier: &ast::RecordSpecifier) -> Checked<RecordId> {
        let Some(tag) = &specifier.tag else {
            let name = self.nameless("record");
            return Ok(self.add_record(kind, name));
        };
        let known = match specifier.members {
            Some(_) => self.scopes.find_tag_here(tag),
            None => self.scopes.find_tag(tag),
        };
        match known {
            Some(Tag::Record(record)) if self.types.record(record).kind == kind => Ok(record),
            Some(_) => {
                let message = format!("the tag `{tag}` is of another kind");
                Err(self.sink.error(specifier.span, code::DUPLICATE_NAME, message))
            }
            None => {
                let record = self.record_of_tag(kind, tag);
                self.scopes.declare_tag(tag.clone(), Tag::Record(record));
                Ok(record)
            }
        }
    }

    /// Declares a tag in the innermost scope, which hides the tags of outer ones.
    pub(super) fn new_tag(&mut self, tag: &ast::Name, is_union: bool) {
        let kind = if is_union { RecordKind::Union } else { RecordKind::Struct };
        let record = self.record_of_tag(kind, tag);
        self.scopes.declare_tag(tag.clone(), Tag::Record(record));
    }

    pub(super) fn add_record(&mut self, kind: RecordKind, tag: String) -> RecordId {
        self.types.add_record(Record { kind, tag, fields: None, size: 0, align: 1 })
    }

    fn define_record(
        &mut self,
        record: RecordId,
        kind: RecordKind,
        specifier: &ast::RecordSpecifier,
        declarations: &[ast::Member],
    ) -> Checked<RecordId> {
        if !self.is_first_definition(record) && self.types.record(record).fields.is_some() {
            let message = format!("`{}` is defined twice", self.types.record(record).tag);
            return Err(self.sink.error(specifier.span, code::DUPLICATE_NAME, message));
        }
        let packing = Packing { is_packed: has(&specifier.attributes, "packed"), max_align: specifier.pack };
        let mut members = Vec::new();
        for declaration in declarations {
            match declaration {
                ast::Member::StaticAssert(assertion) => self.static_assert(assertion)?,
                ast::Member::Fields { specifiers, declarators, span } => {
                    self.fields(specifiers, declarators, *span, packing, &mut members)?;
                }
            }
        }
        self.check_members(kind, &members, specifier.span)?;
        let min_align = self.alignment_of_attributes(&specifier.attributes)?;
        let layout = lay_out(kind, members, min_align);
        let Some(layout) = layout.filter(|layout| layout.size <= self.largest_object()) else {
            return Err(self.sink.error(specifier.span, code::DECLARATION, "the structure is too large"));
        };
        let (tag, fields) = (self.types.record(record).tag.clone(), Some(layout.fields));
        let defined = Record { kind, tag, fields, size: layout.size, align: layout.align };
        let record = self.complete_record(record, defined, specifier.tag.as_ref(), specifier.span);
        if has(&specifier.attributes, "transparent_union") {
            self.transparent.insert(record);
        }
        self.has_aliasing_types |= has(&specifier.attributes, "may_alias");
        self.check_storage_order(record, &specifier.attributes)?;
        Ok(record)
    }

    /// Members with the byte order of another machine are not supported.
    fn check_storage_order(&mut self, record: RecordId, attributes: &[ast::Attribute]) -> Checked<()> {
        let Some(attribute) = attributes.iter().find(|attribute| &*attribute.name == "scalar_storage_order")
        else {
            return Ok(());
        };
        if self.attribute_text(attribute)? != "little-endian" {
            self.opaque.insert(record, "a structure with another order of bytes".to_owned());
        }
        Ok(())
    }

    fn fields(
        &mut self,
        specifiers: &ast::Specifiers,
        declarators: &[ast::FieldDeclarator],
        span: Span,
        packing: Packing,
        members: &mut Vec<Member>,
    ) -> Checked<()> {
        let base = self.specified(specifiers)?;
        let packing = packing.with(&specifiers.attributes);
        if declarators.is_empty() {
            // A nameless structure gives its members to the outer one; everything else only declares a tag.
            if let ast::TypeSpecifier::Record(written) = &specifiers.ty
                && written.tag.is_none()
            {
                members.push(self.member(None, base, None, packing, span)?);
            }
        }
        for field in declarators {
            let (mut aligned, mut packing, mut name) = (base, packing.with(&field.attributes), None);
            if let Some(declarator) = &field.declarator {
                let ty = self.declared(base.ty, declarator)?;
                let align = self.alignment_of_attributes(&declarator.attributes)?;
                aligned = base.derived(ty, &declarator.derived).at_least(align);
                packing = packing.with(&declarator.attributes);
                name = declarator.name.as_ref().map(ToString::to_string);
            }
            let aligned = aligned.at_least(self.alignment_of_attributes(&field.attributes)?);
            let width = match &field.width {
                Some(width) if aligned.align.is_some() => {
                    let message = "a bit-field of a type with an alignment of its own is not supported";
                    return Err(self.sink.error(width.span, code::UNSUPPORTED, message));
                }
                Some(width) => Some(self.bit_width(aligned.ty, name.is_some(), width)?),
                None => None,
            };
            members.push(self.member(name, aligned, width, packing, field.span)?);
        }
        Ok(())
    }

    fn bit_width(&mut self, ty: TypeId, is_named: bool, width: &ast::Expr) -> Checked<u32> {
        let number = self.integer_constant(width)?;
        let Some(kind) = self.int_kind(ty) else {
            return self.type_error(width.span, format!("a bit-field of type `{}`", self.show(ty)));
        };
        let most = kind.width(self.model());
        match number.to_u32() {
            Some(0) if is_named => {
                Err(self.sink.error(width.span, code::DECLARATION, "a named bit-field of width zero"))
            }
            Some(number) if number <= most => Ok(number),
            _ => {
                let message = format!("a bit-field of this type has at most {most} bits, not {number}");
                Err(self.sink.error(width.span, code::DECLARATION, message))
            }
        }
    }

    fn member(
        &mut self,
        name: Option<String>,
        aligned: Aligned,
        width: Option<u32>,
        packing: Packing,
        span: Span,
    ) -> Checked<Member> {
        let ty = aligned.ty;
        let is_flexible = matches!(self.types.get(ty), Type::Array(element, ArrayLength::Unknown) if self.is_complete(*element));
        let size = match self.types.size_of(ty) {
            Some(size) if self.is_complete(ty) => size,
            _ if is_flexible => 0,
            _ if self.has_variable_size(ty) => {
                let message = "a member of a structure cannot have a variable length";
                return Err(self.sink.error(span, code::UNSUPPORTED, message));
            }
            _ => {
                let message = format!("a member has the incomplete type `{}`", self.show(ty));
                return Err(self.sink.error(span, code::INCOMPLETE_TYPE, message));
            }
        };
        let type_align = aligned.align.unwrap_or_else(|| self.types.align_of(ty));
        let Packing { is_packed, max_align } = packing;
        let aligns_record = name.is_some() || self.types.machine().aligns_nameless_bit_fields();
        let min_align = aligned.min_align;
        Ok(Member { name, ty, size, type_align, min_align, max_align, is_packed, width, aligns_record })
    }

    /// Names of members differ, and only the last one is flexible.
    fn check_members(&mut self, kind: RecordKind, members: &[Member], span: Span) -> Checked<()> {
        let mut names = FxHashSet::default();
        for name in members.iter().filter_map(|member| member.name.as_ref()) {
            if !names.insert(name) {
                return Err(self.sink.error(
                    span,
                    code::DUPLICATE_NAME,
                    format!("two members are named `{name}`"),
                ));
            }
        }
        let is_flexible =
            |member: &Member| matches!(self.types.get(member.ty), Type::Array(_, ArrayLength::Unknown));
        let before_last = members.split_last().map_or(members, |(_, before)| before);
        if kind == RecordKind::Struct && before_last.iter().any(is_flexible) {
            return Err(self.sink.error(span, code::DECLARATION, "a flexible array is not the last member"));
        }
        Ok(())
    }

    /// The numbers of the members to go through to a named one, with nameless members in between.
    pub(super) fn find_field(&self, record: RecordId, name: &str) -> Option<Vec<usize>> {
        let fields = self.types.record(record).fields.as_ref()?;
        if let Some(index) = fields.iter().position(|field| field.name.as_deref() == Some(name)) {
            return Some(vec![index]);
        }
        fields.iter().enumerate().filter(|(_, field)| field.name.is_none()).find_map(|(index, field)| {
            let mut path = self.find_field(self.record_of(field.ty)?, name)?;
            path.insert(0, index);
            Some(path)
        })
    }

    /// A type of known size whose values are not supported.
    pub(super) fn opaque_type(&mut self, what: &str, size: u64, align: u64) -> TypeId {
        let tag = format!("#{what} of {size} bytes");
        if let Some(ty) = self.opaque_types.get(&tag) {
            return *ty;
        }
        let record =
            Record { kind: RecordKind::Struct, tag: tag.clone(), fields: Some(Vec::new()), size, align };
        let record = self.types.add_record(record);
        self.opaque.insert(record, what.to_owned());
        let ty = self.types.intern(Type::Record(record));
        self.opaque_types.insert(tag, ty);
        ty
    }

    /// The type that an `enum` specifier names or defines: the integer type that represents it.
    pub(super) fn enum_type(&mut self, specifier: &ast::EnumSpecifier) -> Checked<TypeId> {
        let Some(enumerators) = &specifier.enumerators else {
            return self.tagged_enum(specifier);
        };
        let mut values = Vec::new();
        for enumerator in enumerators {
            let value = match &enumerator.value {
                Some(value) => self.integer_constant(value)?,
                None => values.last().map_or_else(BigInt::zero, |last| last + BigInt::one()),
            };
            // Within the list an enumerator can already be used, with a type that holds it.
            let ty = self.enumerator_type(&value, None);
            self.declare_enumerator(enumerator, value.clone(), ty)?;
            values.push(value);
        }
        if let Some(attribute) = specifier.attributes.iter().find(|attribute| &*attribute.name == "mode") {
            let message = "an enumeration with a mode is not supported";
            return Err(self.sink.error(attribute.span, code::UNSUPPORTED, message));
        }
        let is_short = self.types.machine().has_short_enumerations() || has(&specifier.attributes, "packed");
        let Some(kind) = self.enum_kind(&values, is_short) else {
            return Err(self.sink.error(
                specifier.span,
                code::CONSTANT,
                "no integer type holds all enumerators",
            ));
        };
        let ty = self.int_type(kind);
        for (enumerator, value) in enumerators.iter().zip(values) {
            let constant_type = self.enumerator_type(&value, Some(ty));
            self.scopes.declare(enumerator.name.clone(), Symbol::Enumerator(value, constant_type));
        }
        if let Some(tag) = &specifier.tag {
            self.scopes.declare_tag(tag.clone(), Tag::Enum(ty));
        }
        Ok(ty)
    }

    fn tagged_enum(&mut self, specifier: &ast::EnumSpecifier) -> Checked<TypeId> {
        let Some(tag) = &specifier.tag else { return Ok(self.int_type(IntKind::UnsignedInt)) };
        match self.scopes.find_tag(tag) {
            Some(Tag::Enum(ty)) => Ok(ty),
            Some(Tag::Record(_)) => {
                let message = format!("the tag `{tag}` is of another kind");
                Err(self.sink.error(specifier.span, code::DUPLICATE_NAME, message))
            }
            // An enumeration that is defined later, or never: GNU C lets it be used through pointers.
            None => Ok(self.int_type(IntKind::UnsignedInt)),
        }
    }

    fn declare_enumerator(&mut self, enumerator: &ast::Enumerator, value: BigInt, ty: TypeId) -> Checked<()> {
        if self.scopes.find_here(&enumerator.name).is_some() {
            let message = format!("`{}` is declared twice", enumerator.name);
            return Err(self.sink.error(enumerator.span, code::DUPLICATE_NAME, message));
        }
        self.scopes.declare(enumerator.name.clone(), Symbol::Enumerator(value, ty));
        Ok(())
    }

    /// `int` if that holds the value, otherwise the type of the enumeration.
    fn enumerator_type(&mut self, value: &BigInt, enumeration: Option<TypeId>) -> TypeId {
        if self.holds(IntKind::Int, value) {
            return self.int();
        }
        let wide = [IntKind::UnsignedInt, IntKind::LongLong, IntKind::UnsignedLongLong];
        let kind = wide.into_iter().find(|kind| self.holds(*kind, value)).unwrap_or(IntKind::Int128);
        enumeration.unwrap_or_else(|| self.int_type(kind))
    }

    /// The type of an enumeration with these values, as gcc chooses it.
    fn enum_kind(&self, values: &[BigInt], is_short: bool) -> Option<IntKind> {
        let is_signed = values.iter().any(|value| value.sign() == num_bigint::Sign::Minus);
        let sizes: &[u64] = if is_short { &[1, 2, 4, 8] } else { &[4, 8] };
        let kinds = sizes.iter().filter_map(|size| int_of_size(*size, is_signed));
        let kinds = kinds.map(|kind| match (kind, self.model()) {
            (IntKind::LongLong, DataModel::Lp64) => IntKind::Long,
            (IntKind::UnsignedLongLong, DataModel::Lp64) => IntKind::UnsignedLong,
            (kind, _) => kind,
        });
        kinds.into_iter().find(|kind| values.iter().all(|value| self.holds(*kind, value)))
    }
}
