//! Queries about types.

use super::Checker;
use crate::hir::{ArrayLength, FloatKind, FunctionType, IntKind, Record, RecordId, RecordKind, Type, TypeId};

impl Checker<'_, '_> {
    pub(super) fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        if let Type::Int(kind) = self.types.get(ty) { Some(*kind) } else { None }
    }

    pub(super) fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        if let Type::Float(kind) = self.types.get(ty) { Some(*kind) } else { None }
    }

    pub(super) fn is_integer(&self, ty: TypeId) -> bool {
        self.int_kind(ty).is_some()
    }

    pub(super) fn is_arithmetic(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Int(_) | Type::Float(_))
    }

    pub(super) fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.pointee(ty).is_some()
    }

    pub(super) fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Void)
    }

    /// What a pointer points to.
    pub(super) fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        if let Type::Pointer(target) = self.types.get(ty) { Some(*target) } else { None }
    }

    pub(super) fn is_void_pointer(&self, ty: TypeId) -> bool {
        self.pointee(ty).is_some_and(|target| self.is_void(target))
    }

    pub(super) fn function_of(&self, ty: TypeId) -> Option<&FunctionType> {
        if let Type::Function(function) = self.types.get(ty) { Some(function) } else { None }
    }

    pub(super) fn record_of(&self, ty: TypeId) -> Option<RecordId> {
        if let Type::Record(record) = self.types.get(ty) { Some(*record) } else { None }
    }

    /// Why values of the type are not supported.
    pub(super) fn opaque_reason(&self, ty: TypeId) -> Option<&str> {
        self.opaque.get(&self.record_of(ty)?).map(String::as_str)
    }

    /// Whether objects of the type can exist. Arrays of variable length are complete.
    pub(super) fn is_complete(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Void | Type::Function(_) | Type::Array(_, ArrayLength::Unknown) => false,
            Type::Array(element, _) => self.is_complete(*element),
            Type::Record(record) => self.types.record(*record).fields.is_some(),
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => true,
        }
    }

    /// Whether the size of the type depends on a variable.
    pub(super) fn has_variable_size(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(_, ArrayLength::Variable(_)) => true,
            Type::Array(element, _) => self.has_variable_size(*element),
            _ => false,
        }
    }

    /// The composite of two types, `None` if they are not compatible.
    pub(super) fn composite(&mut self, left: TypeId, right: TypeId) -> Option<TypeId> {
        if left == right {
            return Some(left);
        }
        let (left, right) = (self.types.plain(left), self.types.plain(right));
        if left == right {
            return Some(left);
        }
        match (self.types.get(left).clone(), self.types.get(right).clone()) {
            (Type::Pointer(left), Type::Pointer(right)) => {
                let target = self.composite(left, right)?;
                Some(self.pointer_to(target))
            }
            (Type::Array(left, left_length), Type::Array(right, right_length)) => {
                let element = self.composite(left, right)?;
                let length = match (left_length, right_length) {
                    (ArrayLength::Unknown, length) | (length, ArrayLength::Unknown) => length,
                    (ArrayLength::Constant(left), ArrayLength::Constant(right)) if left != right => {
                        return None;
                    }
                    (length @ ArrayLength::Constant(_), _) | (_, length) => length,
                };
                Some(self.types.intern(Type::Array(element, length)))
            }
            (Type::Function(left), Type::Function(right)) => {
                let function = self.composite_function(left, right)?;
                Some(self.types.intern(Type::Function(function)))
            }
            (Type::Record(left_record), Type::Record(right_record)) => {
                self.are_same_nameless(left_record, right_record).then_some(left)
            }
            _ => None,
        }
    }

    fn composite_function(&mut self, left: FunctionType, right: FunctionType) -> Option<FunctionType> {
        let result = self.composite(left.result, right.result)?;
        let is_old_style = |function: &FunctionType| function.params.is_empty() && function.is_variadic;
        if is_old_style(&left) {
            return Some(FunctionType { result, ..right });
        }
        if is_old_style(&right) {
            return Some(FunctionType { result, ..left });
        }
        if left.params.len() != right.params.len() || left.is_variadic != right.is_variadic {
            return None;
        }
        let pairs = left.params.iter().zip(&right.params);
        let params = pairs.map(|(left, right)| self.composite(*left, *right)).collect::<Option<_>>()?;
        Some(FunctionType { result, params, is_variadic: left.is_variadic })
    }

    /// A type as people write it, more or less.
    pub(super) fn show(&self, ty: TypeId) -> String {
        match self.types.get(ty) {
            Type::Void => "void".to_owned(),
            Type::Int(kind) => kind.name().to_owned(),
            Type::Float(FloatKind::Float) => "float".to_owned(),
            Type::Float(FloatKind::Double) => "double".to_owned(),
            Type::Float(FloatKind::LongDouble) => "long double".to_owned(),
            Type::Pointer(target) => match self.types.get(*target) {
                Type::Function(function) => self.show_function(function, "(*)"),
                Type::Array(..) => format!("pointer to `{}`", self.show(*target)),
                Type::Pointer(_) => format!("{}*", self.show(*target)),
                _ => format!("{} *", self.show(*target)),
            },
            Type::Array(element, ArrayLength::Constant(length)) => {
                format!("{}[{length}]", self.show(*element))
            }
            Type::Array(element, ArrayLength::Variable(_)) => format!("{}[*]", self.show(*element)),
            Type::Array(element, ArrayLength::Unknown) => format!("{}[]", self.show(*element)),
            Type::Record(record) => show_record(self.types.record(*record)),
            Type::Function(function) => self.show_function(function, ""),
        }
    }

    fn show_function(&self, function: &FunctionType, middle: &str) -> String {
        let mut params: Vec<String> = function.params.iter().map(|param| self.show(*param)).collect();
        if function.is_variadic {
            params.push("...".to_owned());
        }
        format!("{} {middle}({})", self.show(function.result), params.join(", "))
    }
}

fn show_record(record: &Record) -> String {
    let keyword = match record.kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    };
    match record.tag.strip_prefix('#') {
        Some(_) => format!("{keyword} without a tag"),
        None => format!("{keyword} {}", record.tag),
    }
}
