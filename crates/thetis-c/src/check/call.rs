//! Calls, with the declarations that old programs leave out.

use thetis_base::Span;

use super::expr::Operand;
use super::literal::unsupported;
use super::scope::{Linkage, Linked, Symbol};
use super::{Checked, Checker};
use crate::code;
use crate::hir::{Callee, Expr, ExprKind, Function, FunctionId, FunctionType, PlaceKind};
use crate::syntax::ast::{self, Name};

impl Checker<'_, '_> {
    pub(super) fn call(
        &mut self,
        callee: &ast::Expr,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Checked<Operand> {
        if let ast::ExprKind::Name(name) = &callee.kind
            && self.scopes.find(name).is_none()
        {
            return self.call_of_undeclared(name, callee.span, arguments, span);
        }
        let (callee, ty) = match self.operand(callee)? {
            Operand::Function(function, _) => {
                if let Some(reason) = self.unknown_callee(function) {
                    let result = self.functions[function].ty.result;
                    return Ok(Operand::Value(unsupported(reason, result, span)));
                }
                (Callee::Function(function), Some(self.functions[function].ty.clone()))
            }
            Operand::Place(place) if self.function_of(place.ty).is_some() => {
                let ty = self.function_of(place.ty).cloned();
                match place.kind {
                    PlaceKind::Deref(pointer) => (Callee::Pointer(pointer), ty),
                    _ => return self.type_error(span, "only functions can be called"),
                }
            }
            other => {
                let value = self.value_of(other)?;
                let target = self.pointee(value.ty);
                let ty = target.and_then(|target| self.function_of(target)).cloned();
                (Callee::Pointer(Box::new(value)), ty)
            }
        };
        match ty {
            Some(ty) => self.call_of(callee, ty, arguments, span),
            None => self.type_error(span, "only functions can be called"),
        }
    }

    fn call_of_undeclared(
        &mut self,
        name: &Name,
        name_span: Span,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Checked<Operand> {
        if let Some(operand) = self.builtin_call(name, arguments, span)? {
            return Ok(operand);
        }
        let function = self.implicit_function(name, name_span);
        if self.library_type(name).is_some() {
            // Compilers know these functions.
            self.note_prototype(function);
        }
        let ty = self.functions[function].ty.clone();
        self.call_of(Callee::Function(function), ty, arguments, span)
    }

    fn call_of(
        &mut self,
        callee: Callee,
        ty: FunctionType,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Checked<Operand> {
        let is_old_style = matches!(&callee, Callee::Function(function) if self.old_style.contains(function));
        let num_params = ty.params.len();
        let fits = arguments.len() == num_params || (arguments.len() > num_params && ty.is_variadic);
        if !fits && !is_old_style {
            let message = format!("the call has {} instead of {num_params} arguments", arguments.len());
            return self.type_error(span, message);
        }
        if !self.is_void(ty.result) && !self.is_complete(ty.result) {
            let message = format!("the call returns the incomplete type `{}`", self.show(ty.result));
            return Err(self.sink.error(span, code::INCOMPLETE_TYPE, message));
        }
        let (params, is_known) = match callee {
            Callee::Function(function) => self.expected_params(function),
            Callee::Pointer(_) => (ty.params.clone(), true),
        };
        let mut values = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.value(argument)?;
            values.push(match params.get(index) {
                Some(param) if is_known => self.assign_convert(value, *param, "argument")?,
                Some(param) => self.unconverted(value, *param, is_old_style)?,
                None if self.is_void(value.ty) => {
                    return self.type_error(argument.span, "an argument without value");
                }
                None => self.promote_argument(value),
            });
        }
        for param in ty.params.iter().skip(values.len()) {
            values.push(unsupported("an argument that the call leaves out", *param, span));
        }
        let callee = match callee {
            Callee::Function(function) => {
                let extra = values.iter().skip(num_params).map(|value| value.ty).collect();
                Callee::Function(self.with_extra_params(function, extra))
            }
            pointer @ Callee::Pointer(_) => pointer,
        };
        let call = Expr { kind: ExprKind::Call(callee, values), ty: ty.result, span };
        Ok(Operand::Value(self.after_destructors(call)))
    }

    /// Why a call of a function cannot be followed.
    fn unknown_callee(&self, function: FunctionId) -> Option<String> {
        let name = &self.functions[function].name;
        if self.symbols.returns_twice.contains(&function) {
            return Some(format!("`{name}` may return twice"));
        }
        if self.is_open(Linked::Function(function)) {
            return Some(format!("`{name}` is weak, so another translation unit may define it"));
        }
        let registers = matches!(name.as_str(), "atexit" | "on_exit");
        (registers && !self.symbols.destructors.is_empty())
            .then(|| format!("`{name}` in a program with destructors"))
    }

    /// The function that a call of an undeclared name calls.
    fn implicit_function(&mut self, name: &Name, span: Span) -> FunctionId {
        if let Some(Linked::Function(function)) = self.scopes.find_linked(name) {
            self.check_undeclared(function, name, span);
            self.scopes.declare_at_file_scope(name.clone(), Symbol::Function(function));
            return function;
        }
        let known = self.library_type(name);
        let message = format!("`{name}` is called without a declaration");
        self.sink.warning(span, code::IMPLICIT, message);
        let result = self.int();
        let ty = known.unwrap_or(FunctionType { result, params: Vec::new(), is_variadic: true });
        let function = self.add_function(name, ty, span);
        self.scopes.declare_at_file_scope(name.clone(), Symbol::Function(function));
        function
    }

    /// A function that only another unit declares must have the type that a call without a declaration assumes.
    fn check_undeclared(&mut self, function: FunctionId, name: &Name, span: Span) {
        if self.scopes.find_declared(name, Linkage::Internal).is_some() {
            return;
        }
        let ty = self.functions[function].ty.clone();
        if !self.fits_undeclared(name, &ty) {
            let message = format!("`{name}` is called without a declaration, and of another type elsewhere");
            let diagnostic = thetis_base::Diagnostic::error(span, code::DUPLICATE_NAME, message);
            self.sink.report(diagnostic.label(self.functions[function].span, "declared here"));
        }
    }

    /// A function that is declared.
    pub(super) fn add_function(&mut self, name: &Name, ty: FunctionType, span: Span) -> FunctionId {
        self.add_linked_function(name, name.clone(), ty, span, Linkage::External)
    }

    /// A function that is declared, with the name that the assembler knows it by. It is called by that name, unless only the
    /// library uses such names.
    pub(super) fn add_linked_function(
        &mut self,
        name: &Name,
        link: Name,
        ty: FunctionType,
        span: Span,
        linkage: Linkage,
    ) -> FunctionId {
        let called = if link.starts_with("__") { name } else { &link };
        let function = self.functions.push(Function::declared(called.to_string(), ty, span));
        self.scopes.link(link, Linked::Function(function), linkage);
        function
    }
}
