//! Specifiers, declarators and type names become types.

use num_traits::ToPrimitive;
use thetis_base::Span;

use super::convert::unsigned_of;
use super::scope::{Aligned, Symbol};
use super::{Checked, Checker};
use crate::code;
use crate::hir::{ArrayLength, FloatKind, FunctionType, IntKind, LongDouble, Type, TypeId};
use crate::syntax::ast::{self, Derived, Name, Parameters, TypeSpecifier, Word};

/// A parameter of a function declarator.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: Option<Name>,
    pub(super) ty: TypeId,
    pub(super) span: Span,
}

/// The parameters of a function declarator.
#[derive(Clone, Debug)]
pub(super) struct Params {
    pub(super) list: Vec<Param>,
    pub(super) is_variadic: bool,
}

impl Checker<'_, '_> {
    /// The type that specifiers name. `__auto_type` has none before its initialiser is known.
    pub(super) fn specified(&mut self, specifiers: &ast::Specifiers) -> Checked<Aligned> {
        let mut aligned = self.deeper(|checker| checker.specified_type(specifiers))?;
        aligned.ty = self.apply_type_attributes(aligned.ty, &specifiers.attributes, specifiers.span)?;
        let align = self.alignment_of_attributes(&specifiers.attributes)?;
        let alignas = self.alignment_specifiers(&specifiers.alignments)?;
        aligned.min_align = aligned.min_align.max(align).max(alignas);
        if specifiers.is_volatile {
            aligned.ty = self.types.volatile_of(aligned.ty);
        }
        Ok(aligned)
    }

    fn specified_type(&mut self, specifiers: &ast::Specifiers) -> Checked<Aligned> {
        let ty = match &specifiers.ty {
            TypeSpecifier::Missing => {
                self.sink.warning(
                    specifiers.span,
                    code::IMPLICIT,
                    "the type is missing and taken to be `int`",
                );
                self.int()
            }
            TypeSpecifier::Words(words) => self.type_of_words(words, specifiers.span)?,
            TypeSpecifier::Typedef(name) => return self.named_type(name, specifiers.span),
            TypeSpecifier::Record(record) => self.record_type(record)?,
            TypeSpecifier::Enum(specifier) => {
                let ty = self.enum_type(specifier)?;
                return Ok(Aligned { is_enum: true, ..Aligned::plain(ty) });
            }
            TypeSpecifier::TypeOfExpr(expr) => self.type_of_evaluated(expr)?,
            TypeSpecifier::TypeOfType(name) => return self.aligned_type_name(name),
            TypeSpecifier::Auto => {
                let message = "`__auto_type` needs a variable with an initialiser";
                return Err(self.sink.error(specifiers.span, code::DECLARATION, message));
            }
            TypeSpecifier::VaList => self.va_list_type(),
        };
        Ok(Aligned::plain(ty))
    }

    fn named_type(&mut self, name: &Name, span: Span) -> Checked<Aligned> {
        match self.scopes.find(name) {
            Some(Symbol::Typedef(aligned)) => Ok(*aligned),
            _ => Err(self.sink.error(span, code::UNKNOWN_NAME, format!("unknown type name `{name}`"))),
        }
    }

    fn type_of_words(&mut self, words: &[Word], span: Span) -> Checked<TypeId> {
        if let Some(position) = words.iter().position(|word| *word == Word::Complex) {
            let parts: Vec<Word> = [&words[..position], &words[position + 1..]].concat();
            let part = match parts.is_empty() {
                true => self.float_type(FloatKind::Double),
                false => self.type_of_words(&parts, span)?,
            };
            return Ok(self.complex_type(part));
        }
        let count = |word: Word| words.iter().filter(|other| **other == word).count();
        let (num_signed, num_unsigned) = (count(Word::Signed), count(Word::Unsigned));
        let is_unsigned = num_unsigned > 0;
        let is_small = |word: &Word| matches!(word, Word::Signed | Word::Unsigned | Word::Int | Word::Long);
        let base: Vec<Word> = words.iter().copied().filter(|word| !is_small(word)).collect();
        let sign = num_signed + num_unsigned;
        let ty = match (base.as_slice(), count(Word::Long), count(Word::Int), sign) {
            ([Word::OtherFloat(name)], 0, 0, 0) => return Ok(self.other_float(name)),
            ([], 0, 0 | 1, 0 | 1) => Type::Int(signed_or_unsigned(IntKind::Int, is_unsigned)),
            ([], 1, 0 | 1, 0 | 1) => Type::Int(signed_or_unsigned(IntKind::Long, is_unsigned)),
            ([], 2, 0 | 1, 0 | 1) => Type::Int(signed_or_unsigned(IntKind::LongLong, is_unsigned)),
            ([Word::Short], 0, 0 | 1, 0 | 1) => Type::Int(signed_or_unsigned(IntKind::Short, is_unsigned)),
            ([Word::Int128], 0, 0, 0 | 1) => Type::Int(signed_or_unsigned(IntKind::Int128, is_unsigned)),
            ([Word::Char], 0, 0, 0) => Type::Int(self.types.machine().char_kind()),
            ([Word::Char], 0, 0, 1) => Type::Int(signed_or_unsigned(IntKind::SignedChar, is_unsigned)),
            ([Word::Bool], 0, 0, 0) => Type::Int(IntKind::Bool),
            ([Word::Void], 0, 0, 0) => Type::Void,
            ([Word::Float], 0, 0, 0) => Type::Float(FloatKind::Float),
            ([Word::Double], 0, 0, 0) => Type::Float(FloatKind::Double),
            ([Word::Double], 1, 0, 0) => return Ok(self.long_double()),
            _ => return Err(self.sink.error(span, code::DECLARATION, "these words do not make a type")),
        };
        Ok(self.types.intern(ty))
    }

    /// Complex numbers are two numbers side by side.
    pub(super) fn complex_type(&mut self, part: TypeId) -> TypeId {
        let size = self.types.size_of(part).unwrap_or(0);
        let align = self.types.align_of(part);
        self.opaque_type("a complex number", 2 * size, align)
    }

    /// The type `long double`. On some machines it is just `double`.
    pub(super) fn long_double(&mut self) -> TypeId {
        match self.types.machine().long_double() {
            LongDouble::Extended => self.float_type(FloatKind::LongDouble),
            LongDouble::Double => self.float_type(FloatKind::Double),
            LongDouble::Quad => self.opaque_type("a number of 128 bits", 16, 16),
        }
    }

    fn other_float(&mut self, name: &str) -> TypeId {
        match name {
            "_Float32" => self.float_type(FloatKind::Float),
            "_Float64" | "_Float32x" => self.float_type(FloatKind::Double),
            "_Float64x" | "__float80" if self.types.machine().long_double() == LongDouble::Extended => {
                self.long_double()
            }
            "_Float16" => self.opaque_type("a number of type `_Float16`", 2, 2),
            "_Decimal32" => self.opaque_type("a decimal number", 4, 4),
            "_Decimal64" => self.opaque_type("a decimal number", 8, 8),
            _ => self.opaque_type("a number of 128 bits", 16, 16),
        }
    }

    /// The type of a type name.
    pub(super) fn type_name(&mut self, name: &ast::TypeName) -> Checked<TypeId> {
        self.aligned_type_name(name).map(|aligned| aligned.ty)
    }

    /// The type of a type name with its alignment.
    pub(super) fn aligned_type_name(&mut self, name: &ast::TypeName) -> Checked<Aligned> {
        let base = self.deeper(|checker| checker.specified(&name.specifiers))?;
        let ty = self.declared(base.ty, &name.declarator)?;
        let align = self.alignment_of_attributes(&name.declarator.attributes)?;
        Ok(base.derived(ty, &name.declarator.derived).at_least(align))
    }

    /// The type of a declarator whose specifiers name `base`, with the attributes that change types.
    pub(super) fn declared(&mut self, base: TypeId, declarator: &ast::Declarator) -> Checked<TypeId> {
        let ty = self.derived(base, &declarator.derived, declarator.span)?;
        self.apply_type_attributes(ty, &declarator.attributes, declarator.span)
    }

    /// The type built from `base` by pointers, arrays and functions.
    pub(super) fn derived(&mut self, base: TypeId, derived: &[Derived], span: Span) -> Checked<TypeId> {
        derived.iter().rev().try_fold(base, |ty, part| match part {
            Derived::Pointer(qualifiers) => {
                let pointer = self.pointer_to(ty);
                Ok(if qualifiers.is_volatile { self.types.volatile_of(pointer) } else { pointer })
            }
            Derived::Array(length) => self.array_of(ty, length, span),
            Derived::Function(parameters) => {
                self.check_result(ty, span)?;
                let params = self.prototype(parameters)?;
                let function = self.function_type(ty, &params);
                Ok(self.types.intern(Type::Function(function)))
            }
        })
    }

    /// Rejects functions that return arrays or functions.
    pub(super) fn check_result(&mut self, result: TypeId, span: Span) -> Checked<()> {
        if matches!(self.types.get(result), Type::Array(..) | Type::Function(_)) {
            return Err(self.sink.error(
                span,
                code::DECLARATION,
                "a function cannot return an array or a function",
            ));
        }
        Ok(())
    }

    fn array_of(&mut self, element: TypeId, length: &ast::ArrayLength, span: Span) -> Checked<TypeId> {
        if matches!(self.types.get(element), Type::Void | Type::Function(_)) {
            return Err(self.sink.error(span, code::DECLARATION, "an array of functions or of `void`"));
        }
        if !self.is_complete(element) && self.num_open_prototypes == 0 {
            let message =
                format!("the elements of the array have the incomplete type `{}`", self.show(element));
            return Err(self.sink.error(span, code::INCOMPLETE_TYPE, message));
        }
        let length = match length {
            ast::ArrayLength::Missing | ast::ArrayLength::Star => ArrayLength::Unknown,
            ast::ArrayLength::Value(length) => self.array_length(length)?,
        };
        let ty = self.types.intern(Type::Array(element, length));
        let is_too_large = self.types.size_of(ty).is_some_and(|size| size > self.largest_object());
        if is_too_large || (matches!(length, ArrayLength::Constant(_)) && self.has_overflowing_size(ty)) {
            return Err(self.sink.error(span, code::DECLARATION, "the array is too large"));
        }
        Ok(ty)
    }

    fn has_overflowing_size(&self, ty: TypeId) -> bool {
        let Type::Array(element, _) = self.types.get(ty) else { return false };
        self.types.size_of(*element).is_some() && self.types.size_of(ty).is_none()
    }

    /// An object can use at most half of the address space.
    pub(super) fn largest_object(&self) -> u64 {
        (1 << (8 * self.model().pointer_size() - 1)) - 1
    }

    fn array_length(&mut self, length: &ast::Expr) -> Checked<ArrayLength> {
        let value = self.value(length)?;
        if !self.is_integer(value.ty) {
            return self.type_error(length.span, "the length of an array is not an integer");
        }
        if let Some(number) = self.constant_int(&value) {
            return number.to_u64().map(ArrayLength::Constant).ok_or_else(|| {
                let message = format!("an array cannot have {number} elements");
                self.sink.error(length.span, code::DECLARATION, message)
            });
        }
        if self.num_open_prototypes > 0 {
            return Ok(ArrayLength::Unknown);
        }
        if self.function.is_none() {
            let message = "the length of an array at file scope is not constant";
            return Err(self.sink.error(length.span, code::CONSTANT, message));
        }
        Ok(ArrayLength::Variable(self.length_variable(value)))
    }

    /// The parameters of a function that is only declared.
    fn prototype(&mut self, parameters: &Parameters) -> Checked<Params> {
        self.scopes.enter();
        self.num_open_prototypes += 1;
        let params = self.params(parameters);
        self.num_open_prototypes -= 1;
        self.scopes.leave();
        params
    }

    /// The parameters with their types, declared in the innermost scope.
    pub(super) fn params(&mut self, parameters: &Parameters) -> Checked<Params> {
        let Parameters::Prototype { params, is_variadic } = parameters else {
            return Ok(Params { list: Vec::new(), is_variadic: true });
        };
        let mut list = Vec::new();
        for param in params {
            let base = self.specified(&param.specifiers)?;
            let declared = self.declared(base.ty, &param.declarator)?;
            let ty = self.adjusted(declared);
            let span = param.declarator.span;
            if let Some(name) = &param.declarator.name {
                self.scopes.declare(name.clone(), Symbol::PrototypeParameter(ty));
            }
            list.push(Param { name: param.declarator.name.clone(), ty, span });
        }
        let is_void = list.iter().any(|param| matches!(self.types.get(param.ty), Type::Void));
        if is_void && list.len() == 1 && list[0].name.is_none() {
            list.clear();
        } else if is_void {
            let span = list[0].span;
            return Err(self.sink.error(span, code::DECLARATION, "a parameter of type `void`"));
        }
        Ok(Params { list, is_variadic: *is_variadic })
    }

    /// Parameters of array and function type are pointers.
    pub(super) fn adjusted(&mut self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::Array(element, _) => self.types.intern(Type::Pointer(*element)),
            Type::Function(_) => self.pointer_to(ty),
            _ => ty,
        }
    }

    /// The type of a function; qualifiers of its values are not part of it.
    pub(super) fn function_type(&self, result: TypeId, params: &Params) -> FunctionType {
        FunctionType {
            result: self.types.plain(result),
            params: params.list.iter().map(|param| self.types.plain(param.ty)).collect(),
            is_variadic: params.is_variadic,
        }
    }

    /// The type of an operand that is not evaluated.
    pub(super) fn type_of_operand(&mut self, expr: &ast::Expr) -> Checked<TypeId> {
        let operand = self.operand(expr)?;
        Ok(self.operand_type(&operand))
    }

    /// The type of the operand of `typeof`, which is evaluated if its type depends on values.
    fn type_of_evaluated(&mut self, expr: &ast::Expr) -> Checked<TypeId> {
        let operand = self.operand(expr)?;
        let ty = self.operand_type(&operand);
        if self.depends_on_values(ty) && operand.has_effects() {
            self.refuse_before("effects in the operand of `typeof`", expr.span);
        }
        Ok(ty)
    }

    fn depends_on_values(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Pointer(target) => self.depends_on_values(*target),
            _ => self.has_variable_size(ty),
        }
    }
}

fn signed_or_unsigned(kind: IntKind, is_unsigned: bool) -> IntKind {
    if is_unsigned { unsigned_of(kind) } else { kind }
}
