//! Variable arguments.
//!
//! A call of a variadic function with a body becomes a call of a copy of the function that has a parameter for each
//! variable argument; calls with arguments of the same types share it. Library models are copied in the same way.
//!
//! A list of arguments (`va_list`) is a structure with one number, the *position* of the next argument among those of
//! all pending calls. As in gcc, it is a structure on ILP32 and an array of one structure on LP64, so lists are passed
//! and copied like any other object. `va_start` reads the first position of the current function
//! (`__builtin_va_first`), `va_arg` the argument at a position (`__builtin_va_value`); the translation knows the
//! pending calls.

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::Span;

use super::literal::unsupported;
use super::scope::Linked;
use super::{Checked, Checker};
use crate::hir::{
    ARGUMENT_LIST, ArrayLength, Callee, Expr, ExprKind, Field, FunctionId, FunctionType, Local, Place,
    PlaceKind, Record, RecordId, RecordKind, Type, TypeId, VaList,
};
use crate::library::model_name;
use crate::syntax::ast::{self, Name};

/// The functions with variable arguments, and their copies.
#[derive(Default)]
pub(super) struct Variadic {
    /// The functions that are defined so.
    pub(super) functions: FxHashSet<FunctionId>,
    /// The copies, by the types of the arguments.
    known: FxHashMap<(FunctionId, Vec<TypeId>), FunctionId>,
    /// The copies in the order in which they were needed.
    copies: Vec<(FunctionId, FunctionId, Vec<TypeId>)>,
    list: Option<RecordId>,
}

impl Checker<'_, '_> {
    /// The type of lists of variable arguments.
    pub(super) fn va_list_type(&mut self) -> TypeId {
        let record = self.va_list_record();
        let ty = self.types.intern(Type::Record(record));
        match self.types.machine().va_list().is_array {
            false => ty,
            true => self.types.intern(Type::Array(ty, ArrayLength::Constant(1))),
        }
    }

    fn va_list_record(&mut self) -> RecordId {
        if let Some(record) = self.variadic.list {
            return record;
        }
        let VaList { size, align, .. } = self.types.machine().va_list();
        let ty = self.size_type();
        let position = Field { name: Some("#position".to_owned()), ty, offset: 0, bits: None };
        let tag = ARGUMENT_LIST.to_owned();
        let record = Record { kind: RecordKind::Struct, tag, fields: Some(vec![position]), size, align };
        let record = self.types.add_record(record);
        self.variadic.list = Some(record);
        record
    }

    /// The position in a list.
    fn position(&mut self, list: &ast::Expr) -> Checked<Place> {
        let span = list.span;
        let record = self.va_list_record();
        let ty = self.types.intern(Type::Record(record));
        let operand = self.operand(list)?;
        let found = self.operand_type(&operand);
        let object = match (operand, self.record_of(found)) {
            (super::expr::Operand::Place(place), Some(found)) if found == record => place,
            (operand, _) => {
                let pointer = self.value_of(operand)?;
                if self.pointee(pointer.ty).and_then(|target| self.record_of(target)) != Some(record) {
                    return self.type_error(span, "expected a list of variable arguments");
                }
                Place { kind: PlaceKind::Deref(Box::new(pointer)), ty, span }
            }
        };
        let ty = self.size_type();
        Ok(Place { kind: PlaceKind::Field(Box::new(object), 0), ty, span })
    }

    /// `va_start`
    pub(super) fn start_arguments(&mut self, list: &ast::Expr, span: Span) -> Checked<Expr> {
        let place = self.position(list)?;
        let function = self.function.as_ref().map(|function| function.id);
        if !function.is_some_and(|function| self.variadic.functions.contains(&function)) {
            return self.type_error(span, "`va_start` in a function without variable arguments");
        }
        let ty = place.ty;
        let first = self.va_function("__builtin_va_first", Vec::new(), span);
        let first = Expr { kind: ExprKind::Call(Callee::Function(first), Vec::new()), ty, span };
        Ok(self.set_position(place, first, span))
    }

    /// `va_copy`
    pub(super) fn copy_arguments(&mut self, to: &ast::Expr, from: &ast::Expr, span: Span) -> Checked<Expr> {
        let (to, from) = (self.position(to)?, self.position(from)?);
        let ty = from.ty;
        let value = Expr { kind: ExprKind::Load(Box::new(from)), ty, span };
        Ok(self.set_position(to, value, span))
    }

    /// `va_end`: nothing happens.
    pub(super) fn end_arguments(&mut self, list: &ast::Expr, span: Span) -> Checked<Expr> {
        self.position(list)?;
        let (int, void) = (self.int(), self.void());
        let nothing = self.int_expr(0, int, span);
        Ok(self.convert(nothing, void))
    }

    fn set_position(&mut self, place: Place, value: Expr, span: Span) -> Expr {
        let ty = place.ty;
        let kind = ExprKind::Assign(Box::new(place), Box::new(value));
        let void = self.void();
        self.convert(Expr { kind, ty, span }, void)
    }

    /// `va_arg`
    pub(super) fn variable_argument(
        &mut self,
        list: &ast::Expr,
        name: &ast::TypeName,
        span: Span,
    ) -> Checked<Expr> {
        let place = self.position(list)?;
        let named = self.type_name(name)?;
        let ty = self.types.plain(named);
        let promoted = match self.float_kind(ty) {
            Some(crate::hir::FloatKind::Float) => None,
            _ => self.promoted_type(ty, None),
        };
        if promoted != Some(ty) || !self.is_complete(ty) || matches!(self.types.get(ty), Type::Array(..)) {
            return Ok(unsupported("a variable argument of a type that no argument has", ty, span));
        }
        let position_type = place.ty;
        let kind = ExprKind::Step { place: Box::new(place), is_increment: true, is_postfix: true };
        let position = Expr { kind, ty: position_type, span };
        let function = self.va_function("__builtin_va_value", vec![position_type], span);
        Ok(Expr { kind: ExprKind::Call(Callee::Function(function), vec![position]), ty, span })
    }

    fn va_function(&mut self, name: &str, params: Vec<TypeId>, span: Span) -> FunctionId {
        match self.scopes.find_linked(name) {
            Some(Linked::Function(function)) => function,
            _ => {
                let name: Name = name.into();
                let result = self.size_type();
                self.add_function(&name, FunctionType { result, params, is_variadic: false }, span)
            }
        }
    }

    /// The function that a call with extra arguments of these types calls.
    pub(super) fn with_extra_params(&mut self, function: FunctionId, types: Vec<TypeId>) -> FunctionId {
        if types.is_empty() {
            return function;
        }
        let named = self.aliased(function).unwrap_or(function);
        let model = || match self.scopes.find_linked(&model_name(&self.functions[named].name)) {
            Some(Linked::Function(model)) => Some(model),
            _ => None,
        };
        let base = if self.functions[named].body.is_some() { Some(named) } else { model() };
        let Some(base) = base.filter(|base| self.variadic.functions.contains(base)) else { return function };
        if let Some(copy) = self.variadic.known.get(&(base, types.clone())) {
            return *copy;
        }
        let mut copy = self.functions[base].clone();
        copy.num_extra = types.len();
        copy.body = Some(Vec::new());
        let copy = self.functions.push(copy);
        self.variadic.known.insert((base, types.clone()), copy);
        self.variadic.copies.push((copy, base, types));
        copy
    }

    /// Gives the copies of functions with variable arguments their bodies and parameters.
    pub(super) fn copy_variadic(&mut self) {
        for (copy, base, types) in std::mem::take(&mut self.variadic.copies) {
            let mut function = self.functions[base].clone();
            function.num_extra = types.len();
            for (number, ty) in types.into_iter().enumerate() {
                let name = format!("#argument{}", number + 1);
                let span = function.span;
                function.params.push(function.locals.push(Local { name, ty, is_const: false, span }));
                function.ty.params.push(ty);
            }
            self.functions[copy] = function;
        }
    }
}
