//! Attributes that change types: `mode`, `vector_size`, `transparent_union`, `packed`, `aligned`, `may_alias`. Those
//! about symbols are in [`symbol`](super::symbol); the parser has the list of all attributes.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use thetis_base::Span;

use super::{Checked, Checker};
use crate::code;
use crate::hir::{DataModel, FloatKind, IntKind, LongDouble, Type, TypeId};
use crate::syntax::ast::{self, Attribute};

/// Whether there is an attribute of this name.
pub(super) fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| &*attribute.name == name)
}

impl Checker<'_, '_> {
    /// A type after applying its attributes.
    pub(super) fn apply_type_attributes(
        &mut self,
        mut ty: TypeId,
        attributes: &[Attribute],
        span: Span,
    ) -> Checked<TypeId> {
        for attribute in attributes {
            match &*attribute.name {
                "mode" => ty = self.with_mode(ty, attribute, span)?,
                "vector_size" => ty = self.vector(attribute, span)?,
                "transparent_union" => {
                    if let Some(record) = self.record_of(ty) {
                        self.transparent.insert(record);
                    }
                }
                "may_alias" => self.has_aliasing_types = true,
                "scalar_storage_order" => {
                    let message = "`scalar_storage_order` is supported on structures only";
                    return Err(self.sink.error(attribute.span, code::UNSUPPORTED, message));
                }
                _ => {}
            }
        }
        Ok(ty)
    }

    /// `mode(DI)` and the like: an integer or float of a certain size.
    fn with_mode(&mut self, ty: TypeId, attribute: &Attribute, span: Span) -> Checked<TypeId> {
        let name = match attribute.arguments.first().map(|argument| &argument.kind) {
            Some(ast::ExprKind::Name(name)) => name.trim_matches('_').to_owned(),
            _ => String::new(),
        };
        let pointer_size = self.model().pointer_size();
        let size = match name.as_str() {
            "QI" | "byte" => 1,
            "HI" => 2,
            "SI" | "SF" => 4,
            "DI" | "DF" => 8,
            "TI" | "XF" => 16,
            "word" | "pointer" | "unwind_word" => pointer_size,
            _ => 0,
        };
        let int = self.int_kind(ty);
        let new = match (int, self.float_kind(ty), name.as_str(), size) {
            (_, _, _, 0) => None,
            (
                Some(kind),
                _,
                "QI" | "HI" | "SI" | "DI" | "TI" | "byte" | "word" | "pointer" | "unwind_word",
                size,
            ) => int_of_size(size, kind.is_signed()).map(|kind| Type::Int(self.as_long(kind))),
            (_, Some(_), "SF", _) => Some(Type::Float(FloatKind::Float)),
            (_, Some(_), "DF", _) => Some(Type::Float(FloatKind::Double)),
            (_, Some(_), "XF", _) if self.types.machine().long_double() == LongDouble::Extended => {
                Some(Type::Float(FloatKind::LongDouble))
            }
            _ => None,
        };
        match new {
            Some(new) => Ok(self.types.intern(new)),
            None => {
                Err(self.sink.error(span, code::UNSUPPORTED, format!("the mode `{name}` is not supported")))
            }
        }
    }

    /// Of the types with 64 bits, gcc takes `long` if that is one.
    fn as_long(&self, kind: IntKind) -> IntKind {
        match (kind, self.model()) {
            (IntKind::LongLong, DataModel::Lp64) => IntKind::Long,
            (IntKind::UnsignedLongLong, DataModel::Lp64) => IntKind::UnsignedLong,
            (kind, _) => kind,
        }
    }

    /// The string that an attribute has as its argument.
    pub(super) fn attribute_text(&mut self, attribute: &Attribute) -> Checked<String> {
        match attribute.arguments.first().map(|argument| &argument.kind) {
            Some(ast::ExprKind::Text(pieces)) => self.plain_text(pieces),
            _ => {
                let message = format!("`{}` needs a string", attribute.name);
                Err(self.sink.error(attribute.span, code::DECLARATION, message))
            }
        }
    }

    /// The characters of a string literal.
    pub(super) fn plain_text(&mut self, pieces: &[ast::Spanned<Box<str>>]) -> Checked<String> {
        let text = self.text(pieces)?;
        Ok(text.units.iter().filter_map(ToPrimitive::to_u8).map(char::from).collect())
    }

    fn vector(&mut self, attribute: &Attribute, span: Span) -> Checked<TypeId> {
        let size = match attribute.arguments.first() {
            Some(size) => self.integer_constant(size)?.to_u64().filter(|size| size.is_power_of_two()),
            None => None,
        };
        match size {
            Some(size) => Ok(self.opaque_type("a vector", size, size)),
            None => {
                Err(self.sink.error(span, code::DECLARATION, "the size of a vector is not a power of two"))
            }
        }
    }

    /// The alignment that `aligned` attributes ask for.
    pub(super) fn alignment_of_attributes(&mut self, attributes: &[Attribute]) -> Checked<Option<u64>> {
        let mut align = None;
        for attribute in attributes.iter().filter(|attribute| &*attribute.name == "aligned") {
            let asked = match attribute.arguments.first() {
                Some(value) => {
                    let number = self.integer_constant(value)?;
                    self.alignment_of_number(&number, value.span)?
                }
                None => Some(self.types.machine().largest_alignment()),
            };
            align = align.max(asked);
        }
        Ok(align)
    }

    /// The alignment that `_Alignas` asks for.
    pub(super) fn alignment_specifiers(&mut self, alignments: &[ast::Alignment]) -> Checked<Option<u64>> {
        let mut align = None;
        for alignment in alignments {
            let asked = match alignment {
                ast::Alignment::Type(name) => {
                    let ty = self.type_name(name)?;
                    Some(self.types.align_of(ty))
                }
                ast::Alignment::Value(value) => {
                    let number = self.integer_constant(value)?;
                    self.alignment_of_number(&number, value.span)?
                }
            };
            align = align.max(asked);
        }
        Ok(align)
    }

    /// Zero has no effect.
    fn alignment_of_number(&mut self, number: &BigInt, span: Span) -> Checked<Option<u64>> {
        const LARGEST: u64 = 1 << 28;
        match number.to_u64() {
            Some(0) => Ok(None),
            Some(align) if align.is_power_of_two() && align <= LARGEST => Ok(Some(align)),
            _ => Err(self.sink.error(
                span,
                code::DECLARATION,
                format!("an alignment of {number} is not possible"),
            )),
        }
    }
}

/// The integer type of a size in bytes.
pub(super) fn int_of_size(size: u64, is_signed: bool) -> Option<IntKind> {
    Some(match (size, is_signed) {
        (1, true) => IntKind::SignedChar,
        (1, false) => IntKind::UnsignedChar,
        (2, true) => IntKind::Short,
        (2, false) => IntKind::UnsignedShort,
        (4, true) => IntKind::Int,
        (4, false) => IntKind::UnsignedInt,
        (8, true) => IntKind::LongLong,
        (8, false) => IntKind::UnsignedLongLong,
        (16, true) => IntKind::Int128,
        (16, false) => IntKind::UnsignedInt128,
        _ => return None,
    })
}
