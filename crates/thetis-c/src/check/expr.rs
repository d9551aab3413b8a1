//! Expressions: names, members, elements, casts. Operators, calls and sizes have files of their own.

use num_bigint::BigInt;
use num_traits::Zero;
use thetis_base::{Span, tick};

use super::literal::{Text, unsupported};
use super::scope::{Linked, Symbol};
use super::{Checked, Checker};
use crate::code;
use crate::hir::{
    ArrayLength, Expr, ExprKind, FunctionId, Global, GlobalId, Initializer, Part, Place, PlaceKind, RecordId,
    Step, Type, TypeId,
};
use crate::lower::{self, has_effects};
use crate::syntax::ast;

/// An expression before it is used as a value.
pub(super) enum Operand {
    /// An object.
    Place(Place),
    /// A value.
    Value(Expr),
    /// A function, by its name.
    Function(FunctionId, Span),
}

impl Operand {
    /// Whether evaluating it may write anything or call a function.
    pub(super) fn has_effects(&self) -> bool {
        match self {
            Operand::Place(place) => has_effects(lower::Part::Place(place)),
            Operand::Value(value) => has_effects(lower::Part::Expr(value)),
            Operand::Function(..) => false,
        }
    }
}

impl Checker<'_, '_> {
    /// An expression that is used as a value: objects are read, arrays and functions become pointers.
    pub(super) fn value(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let operand = self.operand(expr)?;
        self.value_of(operand)
    }

    pub(super) fn value_of(&mut self, operand: Operand) -> Checked<Expr> {
        let place = match operand {
            Operand::Value(value) => return Ok(value),
            Operand::Function(function, span) => return Ok(self.function_address(function, span)),
            Operand::Place(place) => place,
        };
        let span = place.span;
        match (self.types.get(place.ty).clone(), place.kind) {
            (Type::Array(element, _), kind) => {
                let ty = self.pointer_to(element);
                let place = Place { kind, ty: place.ty, span };
                Ok(Expr { kind: ExprKind::Decay(Box::new(place)), ty, span })
            }
            // What a pointer to a function points to is that pointer again.
            (Type::Function(_), PlaceKind::Deref(pointer)) => Ok(*pointer),
            (Type::Void, PlaceKind::Deref(pointer)) => Ok(self.convert(*pointer, place.ty)),
            (_, PlaceKind::Temporary(value)) => Ok(*value),
            (_, kind) if self.is_complete(place.ty) => {
                let ty = self.types.plain(place.ty);
                let place = Place { kind, ty: place.ty, span };
                Ok(Expr { kind: ExprKind::Load(Box::new(place)), ty, span })
            }
            _ => {
                let message = format!("a value of the incomplete type `{}`", self.show(place.ty));
                Err(self.sink.error(span, code::INCOMPLETE_TYPE, message))
            }
        }
    }

    fn function_address(&mut self, function: FunctionId, span: Span) -> Expr {
        let is_missing = self.is_open(Linked::Function(function));
        let target = self.aliased(function);
        if is_missing || (target.is_none() && self.is_alias(function)) {
            let void = self.void();
            let ty = self.pointer_to(void);
            return unsupported("the address of a function that may be another one or none", ty, span);
        }
        let function = target.unwrap_or(function);
        let function_type = self.functions[function].ty.clone();
        let target = self.types.intern(Type::Function(function_type));
        let ty = self.pointer_to(target);
        Expr { kind: ExprKind::FunctionAddress(function), ty, span }
    }

    /// The type of an operand, before arrays and functions become pointers.
    pub(super) fn operand_type(&mut self, operand: &Operand) -> TypeId {
        match operand {
            Operand::Place(place) => place.ty,
            Operand::Value(value) => value.ty,
            Operand::Function(function, _) => {
                let ty = self.functions[*function].ty.clone();
                self.types.intern(Type::Function(ty))
            }
        }
    }

    /// A value used as a condition.
    pub(super) fn condition(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let value = self.value(expr)?;
        self.check_condition(value)
    }

    pub(super) fn check_condition(&mut self, value: Expr) -> Checked<Expr> {
        if self.is_scalar(value.ty) {
            return Ok(value);
        }
        if let Some(reason) = self.opaque_reason(value.ty) {
            let reason = format!("the truth of {reason}");
            let ty = self.int();
            return Ok(unsupported(reason, ty, value.span));
        }
        let message = format!("a value of type `{}` is neither true nor false", self.show(value.ty));
        self.type_error(value.span, message)
    }

    /// An integer that belongs to no text of its own.
    pub(super) fn int_expr(&mut self, value: impl Into<BigInt>, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(value.into()), ty, span }
    }

    /// An expression, not yet used.
    pub(super) fn operand(&mut self, expr: &ast::Expr) -> Checked<Operand> {
        tick();
        self.deeper(|checker| checker.operand_here(expr))
    }

    fn operand_here(&mut self, expr: &ast::Expr) -> Checked<Operand> {
        use ast::ExprKind as Syntax;
        let span = expr.span;
        let value = match &expr.kind {
            Syntax::Name(name) => return self.name(name, span),
            Syntax::Text(pieces) => {
                let text = self.text(pieces)?;
                return Ok(Operand::Place(self.text_object(text, span)));
            }
            Syntax::Index(left, right) => return self.index(left, right, span),
            Syntax::Member { object, field, is_arrow } => {
                return self.member_access(object, field, *is_arrow, span);
            }
            Syntax::CompoundLiteral(name, list) => return self.compound_literal(name, list, span),
            Syntax::Unary(ast::UnaryOp::Deref, operand) => return self.dereference(operand, span),
            Syntax::Generic(control, associations) => return self.generic(control, associations, span),
            Syntax::Call(callee, arguments) => return self.call(callee, arguments, span),
            Syntax::Number(text) => self.number(text, span)?,
            Syntax::Char(text) => self.character(text, span)?,
            Syntax::Unary(op, operand) => self.unary(*op, operand, span)?,
            Syntax::Step { operand, is_increment, is_postfix } => {
                self.step(operand, *is_increment, *is_postfix, span)?
            }
            Syntax::Binary(op, left, right) => self.binary(*op, left, right, span)?,
            Syntax::Assign(op, left, right) => self.assignment(*op, left, right, span)?,
            Syntax::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then.as_deref(), otherwise, span)?
            }
            Syntax::Comma(left, right) => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                let ty = right.ty;
                Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), ty, span }
            }
            Syntax::Cast(name, operand) => self.cast(name, operand, span)?,
            Syntax::SizeOfExpr(operand) => self.size_of_operand(operand, span)?,
            Syntax::SizeOfType(name) => self.size_of_type(name, span)?,
            Syntax::AlignOfExpr(kind, operand) => {
                let ty = self.type_of_operand(operand)?;
                self.align_of(*kind, ty, span)?
            }
            Syntax::AlignOfType(kind, name) => {
                // Its lengths are not evaluated.
                let before = self.take_pending();
                let aligned = self.aligned_type_name(name);
                self.take_pending();
                self.put_back(before);
                let aligned = aligned?;
                match aligned.min_align.or(aligned.align) {
                    Some(align) => {
                        let ty = self.size_type();
                        self.int_expr(align, ty, span)
                    }
                    None => self.align_of(*kind, aligned.ty, span)?,
                }
            }
            Syntax::OffsetOf(name, steps) => self.offset_of(name, steps, span)?,
            Syntax::VaArg(list, name) => self.variable_argument(list, name, span)?,
            Syntax::TypesCompatible(left, right) => self.types_compatible(left, right, span)?,
            Syntax::Block(items) => self.statement_expression(items, span)?,
            Syntax::LabelAddress(name) => self.label_address(name, span)?,
        };
        Ok(Operand::Value(value))
    }

    /// `__builtin_types_compatible_p`. Qualifiers and names of enumerations are known only where they are written
    /// directly.
    fn types_compatible(&mut self, left: &ast::TypeName, right: &ast::TypeName, span: Span) -> Checked<Expr> {
        let is_constant = [left, right].map(|name| name.specifiers.is_const);
        let (left, right) = (self.aligned_type_name(left)?, self.aligned_type_name(right)?);
        let int = self.int();
        let composite = self.composite(left.ty, right.ty);
        if composite.is_some() && left.is_enum && right.is_enum {
            return Ok(unsupported("whether enumerations are the same", int, span));
        }
        let differs = is_constant[0] != is_constant[1] && self.has_pointers(left.ty);
        Ok(self.int_expr(u8::from(composite.is_some() && !differs), int, span))
    }

    /// Whether a type has pointers or functions in it, outside of structures.
    fn has_pointers(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Pointer(_) | Type::Function(_) => true,
            Type::Array(element, _) => self.has_pointers(*element),
            _ => false,
        }
    }

    fn name(&mut self, name: &ast::Name, span: Span) -> Checked<Operand> {
        let place = |kind, ty| Ok(Operand::Place(Place { kind, ty, span }));
        match self.scopes.find(name) {
            Some(Symbol::Local(local)) => {
                let local = *local;
                let ty = self.local_type(local);
                place(PlaceKind::Local(local), ty)
            }
            Some(Symbol::Global(global)) if self.is_open(Linked::Global(*global)) => {
                let ty = self.globals[*global].ty;
                Ok(Operand::Value(unsupported(
                    "a weak variable, which another translation unit may define",
                    ty,
                    span,
                )))
            }
            Some(Symbol::Global(global)) if self.is_bound_of_section(*global) => {
                let ty = self.globals[*global].ty;
                Ok(Operand::Value(unsupported("what is in a section is not followed", ty, span)))
            }
            Some(Symbol::Global(global)) => place(PlaceKind::Global(*global), self.globals[*global].ty),
            Some(Symbol::Function(function)) => Ok(Operand::Function(*function, span)),
            Some(Symbol::Enumerator(value, ty)) => {
                Ok(Operand::Value(Expr { kind: ExprKind::Int(value.clone()), ty: *ty, span }))
            }
            Some(Symbol::PrototypeParameter(ty)) => {
                Ok(Operand::Value(unsupported("a parameter of a declaration", *ty, span)))
            }
            Some(Symbol::Typedef(_)) => {
                Err(self.sink.error(span, code::TYPE_MISMATCH, format!("`{name}` is a type, not a value")))
            }
            None if matches!(&**name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                self.function_name(span)
            }
            None => match self.implicit_builtin(name, span) {
                Some(function) => Ok(Operand::Function(function, span)),
                None => Err(self.sink.error(span, code::UNKNOWN_NAME, format!("`{name}` is not declared"))),
            },
        }
    }

    /// `__func__`: an array with the name of the function.
    fn function_name(&mut self, span: Span) -> Checked<Operand> {
        let Some(function) = &self.function else {
            return Err(self.sink.error(span, code::UNKNOWN_NAME, "`__func__` outside of a function"));
        };
        let name = self.functions[function.id].name.clone();
        let units = name.bytes().map(BigInt::from).collect();
        Ok(Operand::Place(self.text_object(Text { kind: self.types.machine().char_kind(), units }, span)))
    }

    /// The object that a string literal stands for.
    pub(super) fn text_object(&mut self, text: Text, span: Span) -> Place {
        let element = self.int_type(text.kind);
        let length = text.units.len() as u64 + 1;
        let ty = self.types.intern(Type::Array(element, ArrayLength::Constant(length)));
        let parts = self.text_parts(&text, &[], length, span);
        let name = self.nameless("string");
        let global = self.add_nameless_global(name, ty, Initializer::Parts(parts), span);
        self.globals[global].is_const = true;
        Place { kind: PlaceKind::Global(global), ty, span }
    }

    /// The elements of a string in an array of this length at the end of a path.
    pub(super) fn text_parts(&mut self, text: &Text, path: &[Step], length: u64, span: Span) -> Vec<Part> {
        let ty = self.int_type(text.kind);
        let units = text.units.iter().cloned().chain([BigInt::zero()]);
        let parts = units.zip(0..length).map(|(unit, index)| {
            let mut path = path.to_vec();
            path.push(Step::Index(index));
            Part { path, value: Expr { kind: ExprKind::Int(unit), ty, span } }
        });
        parts.collect()
    }

    pub(super) fn add_nameless_global(
        &mut self,
        name: String,
        ty: TypeId,
        initializer: Initializer,
        span: Span,
    ) -> GlobalId {
        let function = self.function.as_ref().map(|function| function.id);
        let initializer = Some(initializer);
        self.globals.push(Global {
            name,
            function,
            ty,
            initializer,
            is_defined: true,
            is_retained: false,
            has_external_linkage: false,
            is_const: false,
            is_thread_local: false,
            span,
        })
    }

    fn dereference(&mut self, operand: &ast::Expr, span: Span) -> Checked<Operand> {
        let value = self.value(operand)?;
        if let Some(target) = self.pointee(value.ty) {
            return Ok(Operand::Place(Place { kind: PlaceKind::Deref(Box::new(value)), ty: target, span }));
        }
        let message = format!("a value of type `{}` points to nothing", self.show(value.ty));
        self.type_error(span, message)
    }

    fn index(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Checked<Operand> {
        let left = self.operand(left)?;
        let right = self.operand(right)?;
        let left_type = self.operand_type(&left);
        let is_left_array = matches!(self.types.get(left_type), Type::Array(..) | Type::Pointer(_));
        if let Some(reason) = self.opaque_reason(left_type) {
            let reason = format!("an element of {reason}");
            let int = self.int();
            return Ok(Operand::Value(unsupported(reason, int, span)));
        }
        let (array, index) = if is_left_array { (left, right) } else { (right, left) };
        let index = self.value_of(index)?;
        if !self.is_integer(index.ty) {
            return self.type_error(index.span, format!("an index of type `{}`", self.show(index.ty)));
        }
        if let Operand::Place(place) = array {
            if let Type::Array(element, _) = *self.types.get(place.ty) {
                let kind = PlaceKind::Index(Box::new(place), Box::new(index));
                return Ok(Operand::Place(Place { kind, ty: element, span }));
            }
            return self.index_pointer(Operand::Place(place), index, span);
        }
        self.index_pointer(array, index, span)
    }

    fn index_pointer(&mut self, pointer: Operand, index: Expr, span: Span) -> Checked<Operand> {
        let pointer = self.value_of(pointer)?;
        if let Some(reason) = self.opaque_reason(pointer.ty) {
            let reason = format!("an element of {reason}");
            let int = self.int();
            return Ok(Operand::Value(unsupported(reason, int, span)));
        }
        let Some(target) = self.pointee(pointer.ty) else {
            let message = format!("a value of type `{}` has no elements", self.show(pointer.ty));
            return self.type_error(span, message);
        };
        let place = self.element(pointer, index, target, span)?;
        Ok(Operand::Place(place))
    }

    /// `pointer[index]`
    fn element(&mut self, pointer: Expr, index: Expr, target: TypeId, span: Span) -> Checked<Place> {
        self.check_steps(target, span)?;
        let ty = pointer.ty;
        let kind = ExprKind::Offset { pointer: Box::new(pointer), index: Box::new(index), is_negated: false };
        let address = Expr { kind, ty, span };
        Ok(Place { kind: PlaceKind::Deref(Box::new(address)), ty: target, span })
    }

    fn member_access(
        &mut self,
        object: &ast::Expr,
        field: &ast::Name,
        is_arrow: bool,
        span: Span,
    ) -> Checked<Operand> {
        let place = if is_arrow {
            let Operand::Place(place) = self.dereference(object, object.span)? else {
                return self.type_error(span, "`->` needs a pointer to a structure");
            };
            place
        } else {
            match self.operand(object)? {
                Operand::Place(place) => place,
                other => {
                    let value = self.value_of(other)?;
                    let ty = value.ty;
                    Place { kind: PlaceKind::Temporary(Box::new(value)), ty, span: object.span }
                }
            }
        };
        let Some(record) = self.record_of(place.ty) else {
            let message = format!("a value of type `{}` has no member `{field}`", self.show(place.ty));
            return self.type_error(span, message);
        };
        if let Some(reason) = self.opaque_reason(place.ty) {
            let reason = format!("a member of {reason}");
            let ty = self.find_field(record, field).map(|path| self.field_type(record, &path));
            let ty = ty.unwrap_or_else(|| self.int());
            return Ok(Operand::Value(unsupported(reason, ty, span)));
        }
        if self.types.record(record).fields.is_none() {
            let message = format!("`{}` is incomplete and has no member `{field}`", self.show(place.ty));
            return Err(self.sink.error(span, code::INCOMPLETE_TYPE, message));
        }
        let Some(path) = self.find_field(record, field) else {
            let message = format!("`{}` has no member `{field}`", self.show(place.ty));
            return Err(self.sink.error(span, code::UNKNOWN_NAME, message));
        };
        Ok(Operand::Place(path.into_iter().fold(place, |place, index| self.field_of(place, index, span))))
    }

    /// The type of a member by the way to it.
    fn field_type(&self, record: RecordId, path: &[usize]) -> TypeId {
        let start = self.types.record(record).fields.as_ref().map(|fields| fields[path[0]].ty);
        let start = start.expect("members should be found in complete records");
        match (path, self.record_of(start)) {
            ([_, rest @ ..], Some(inner)) if !rest.is_empty() => self.field_type(inner, rest),
            _ => start,
        }
    }

    /// A member by its number.
    pub(super) fn field_of(&mut self, object: Place, index: usize, span: Span) -> Place {
        let record = self.record_of(object.ty).expect("only records should have members");
        let fields =
            self.types.record(record).fields.as_ref().expect("members should be found in complete records");
        let mut ty = fields[index].ty;
        if self.types.is_volatile(object.ty) {
            ty = self.types.volatile_of(ty);
        }
        Place { kind: PlaceKind::Field(Box::new(object), index), ty, span }
    }

    fn compound_literal(
        &mut self,
        name: &ast::TypeName,
        list: &ast::InitializerList,
        span: Span,
    ) -> Checked<Operand> {
        let declared = self.type_name(name)?;
        let (initializer, ty) = self.initializer_list(declared, list)?;
        let place = |kind| Ok(Operand::Place(Place { kind, ty, span }));
        if self.function.is_some() {
            let local = self.nameless_local("literal", ty, span);
            return place(PlaceKind::Literal(local, Box::new(initializer)));
        }
        let name = self.nameless("literal");
        let global = self.add_nameless_global(name, ty, initializer, span);
        place(PlaceKind::Global(global))
    }

    fn cast(&mut self, name: &ast::TypeName, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        self.with_lengths(|checker| {
            let ty = checker.type_name(name)?;
            let value = checker.value(operand)?;
            checker.cast_to(ty, value, span)
        })
    }

    fn cast_to(&mut self, ty: TypeId, mut value: Expr, span: Span) -> Checked<Expr> {
        let ty = self.types.plain(ty);
        value.span = span;
        if self.is_void(ty) || (self.is_scalar(ty) && self.is_scalar(value.ty)) {
            let is_strange = |checker: &Self, left, right| {
                checker.pointee(left).is_some() && checker.float_kind(right).is_some()
            };
            if !is_strange(self, ty, value.ty) && !is_strange(self, value.ty, ty) {
                // A cast to its own type makes a bit-field an ordinary value.
                if ty == value.ty && self.bit_field(&value).is_some() {
                    return Ok(Expr { kind: ExprKind::Convert(Box::new(value)), ty, span });
                }
                return Ok(self.convert(value, ty));
            }
        }
        if ty == value.ty {
            return Ok(value);
        }
        if let Some(reason) = self.opaque_reason(ty).or(self.opaque_reason(value.ty)) {
            let reason = format!("a conversion of {reason}");
            return Ok(unsupported(reason, ty, span));
        }
        // GNU C casts the value of a member to its union.
        if let Some(number) = self.union_member(ty, value.ty) {
            return Ok(self.union_of(value, ty, number));
        }
        let message = format!("`{}` cannot be converted to `{}`", self.show(value.ty), self.show(ty));
        self.type_error(span, message)
    }

    /// The member of a union that has a type.
    fn union_member(&self, ty: TypeId, member: TypeId) -> Option<usize> {
        let record = self.types.record(self.record_of(ty)?);
        let mut fields = record.fields.iter().flatten();
        let number = fields.position(|field| self.types.plain(field.ty) == member);
        number.filter(|_| record.kind == crate::hir::RecordKind::Union)
    }

    fn generic(
        &mut self,
        control: &ast::Expr,
        associations: &[ast::Association],
        span: Span,
    ) -> Checked<Operand> {
        let control = self.value(control)?.ty;
        let mut matching = Vec::new();
        for association in associations {
            if let Some(name) = &association.ty {
                let ty = self.type_name(name)?;
                if self.composite(ty, control).is_some() {
                    matching.push(association);
                }
            }
        }
        let default = associations.iter().find(|association| association.ty.is_none());
        let is_constant = |association: &ast::Association| {
            association.ty.as_ref().is_some_and(|name| name.specifiers.is_const)
        };
        match (matching.as_slice(), default) {
            ([chosen], Some(_)) if self.has_pointers(control) && is_constant(chosen) => {
                let chosen = self.value(&chosen.value)?;
                let reason = "`_Generic` whose qualifiers decide";
                Ok(Operand::Value(unsupported(reason, chosen.ty, span)))
            }
            ([chosen], _) => self.operand(&chosen.value),
            ([], Some(default)) => self.operand(&default.value),
            ([first, ..], _) => {
                let first = self.value(&first.value)?;
                let reason = "`_Generic` whose types differ in qualifiers only";
                Ok(Operand::Value(unsupported(reason, first.ty, span)))
            }
            ([], None) => {
                let message = format!("`_Generic` has nothing for the type `{}`", self.show(control));
                self.type_error(span, message)
            }
        }
    }
}
