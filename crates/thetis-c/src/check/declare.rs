//! Declarations of variables, functions and types.

use thetis_base::{Reported, Span};

use super::function::fits_function;
use super::link::Precedence;
use super::scope::{Aligned, Linkage, Linked, Symbol};
use super::{Checked, Checker};
use crate::code;
use crate::hir::{
    ArrayLength, Expr, ExprKind, Global, GlobalId, Initializer, Place, PlaceKind, Stmt, StmtKind, Type,
    TypeId,
};
use crate::syntax::ast::{self, Name, Storage, TypeSpecifier};

impl Checker<'_, '_> {
    pub(super) fn file_scope_declaration(&mut self, declaration: &ast::Declaration) -> Checked<()> {
        let specifiers = &declaration.specifiers;
        if specifiers.storage.is_some_and(|storage| matches!(storage, Storage::Auto | Storage::Register)) {
            return Err(self.sink.error(
                specifiers.span,
                code::DECLARATION,
                "this storage class is for variables of functions",
            ));
        }
        let base = self.base_type(declaration)?;
        let mut stmts = Vec::new();
        for declarator in &declaration.declarators {
            self.declarator(specifiers, base, declarator, &mut stmts)?;
        }
        Ok(())
    }

    /// A declaration in a block: its effects are added to `stmts`.
    pub(super) fn block_declaration(
        &mut self,
        declaration: &ast::Declaration,
        stmts: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let base = self.base_type(declaration)?;
        stmts.append(&mut self.take_pending());
        for (number, declarator) in declaration.declarators.iter().enumerate() {
            let first = stmts.len();
            self.declarator(&declaration.specifiers, base, declarator, stmts)?;
            if number == 0 && stmts.len() > first {
                start_with(stmts, declaration.specifiers.span);
            }
        }
        Ok(())
    }

    /// The type of the specifiers; none for `__auto_type`. Only attributes and a semicolon declare nothing.
    fn base_type(&mut self, declaration: &ast::Declaration) -> Checked<Option<Aligned>> {
        let specifiers = &declaration.specifiers;
        match &specifiers.ty {
            TypeSpecifier::Auto => Ok(None),
            TypeSpecifier::Missing if declaration.declarators.is_empty() => Ok(None),
            // `struct s;` declares a tag of its own in an inner scope.
            TypeSpecifier::Record(record)
                if declaration.declarators.is_empty() && record.members.is_none() =>
            {
                self.forward_declaration(record)?;
                Ok(None)
            }
            _ => self.specified(specifiers).map(Some),
        }
    }

    fn forward_declaration(&mut self, specifier: &ast::RecordSpecifier) -> Checked<()> {
        if let Some(tag) = specifier.tag.as_ref().filter(|tag| self.scopes.find_tag_here(tag).is_none()) {
            self.new_tag(tag, specifier.is_union);
        }
        self.record_type(specifier).map(|_| ())
    }

    fn declarator(
        &mut self,
        specifiers: &ast::Specifiers,
        base: Option<Aligned>,
        written: &ast::InitDeclarator,
        stmts: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let ast::InitDeclarator { declarator, initializer } = written;
        let span = declarator.span;
        let Some(name) = &declarator.name else {
            return Err(self.sink.error(span, code::DECLARATION, "a declaration without a name"));
        };
        let (base, auto_value) = match base {
            Some(base) => (base, None),
            None => {
                let value = self.auto_value(initializer.as_ref(), specifiers.span)?;
                (Aligned::plain(value.ty), Some(value))
            }
        };
        let ty = self.declared(base.ty, declarator)?;
        stmts.append(&mut self.take_lengths());
        if specifiers.storage == Some(Storage::Typedef) {
            let align = self.alignment_of_attributes(&declarator.attributes)?;
            let named = base.derived(ty, &declarator.derived).at_least(align).named();
            let is_const = self.is_const(specifiers, declarator);
            return self.declare_type(name, Aligned { is_const, ..named }, span);
        }
        if let Some(function) = self.function_of(ty).cloned() {
            if initializer.is_some() || !fits_function(specifiers.storage) {
                return Err(self.sink.error(span, code::DECLARATION, format!("`{name}` is a function")));
            }
            return self.declare_function(name, function, specifiers, declarator).map(|_| ());
        }
        if self.is_void(ty) {
            return Err(self.sink.error(span, code::DECLARATION, format!("`{name}` has the type `void`")));
        }
        let has_linkage = self.scopes.is_file_scope() || specifiers.storage == Some(Storage::Extern);
        if has_linkage {
            return self.linked_variable(name, ty, specifiers, declarator, initializer.as_ref());
        }
        self.check_unlinked(specifiers, declarator)?;
        if specifiers.storage == Some(Storage::Static) || specifiers.is_thread_local {
            return self.static_variable(name, ty, specifiers, declarator, initializer.as_ref());
        }
        match auto_value {
            Some(value) => self.auto_variable(name, value, span, stmts)?,
            None => {
                let is_const = self.is_const(specifiers, declarator);
                self.local_variable(name, (ty, is_const), initializer.as_ref(), span, stmts)?;
            }
        }
        self.note_cleanup(name, specifiers, declarator)
    }

    fn auto_value(&mut self, initializer: Option<&ast::Initializer>, span: Span) -> Checked<Expr> {
        match initializer {
            Some(ast::Initializer::Value(value)) => self.value(value),
            _ => {
                let message = "`__auto_type` needs a variable with an initialiser";
                Err(self.sink.error(span, code::DECLARATION, message))
            }
        }
    }

    /// Whether a variable is `const`, or an array of `const` elements. Before a pointer, `const` refers to its target.
    fn is_const(&self, specifiers: &ast::Specifiers, declarator: &ast::Declarator) -> bool {
        match declarator.derived.iter().find(|part| !matches!(part, ast::Derived::Array(_))) {
            Some(ast::Derived::Pointer(qualifiers)) => qualifiers.is_const,
            Some(_) => false,
            None => specifiers.is_const || self.is_named_const(&specifiers.ty),
        }
    }

    /// Whether a type is a name that stands for a `const` type.
    fn is_named_const(&self, ty: &ast::TypeSpecifier) -> bool {
        let ast::TypeSpecifier::Typedef(name) = ty else { return false };
        matches!(self.scopes.find(name), Some(Symbol::Typedef(named)) if named.is_const)
    }

    fn declare_type(&mut self, name: &Name, new: Aligned, span: Span) -> Checked<()> {
        match self.scopes.find_here(name) {
            None => {}
            Some(Symbol::Typedef(old)) => {
                let old = *old;
                if self.composite(old.ty, new.ty).is_none() {
                    let message = format!(
                        "`{name}` is `{}` here and `{}` elsewhere",
                        self.show(new.ty),
                        self.show(old.ty)
                    );
                    return Err(self.sink.error(span, code::DUPLICATE_NAME, message));
                }
            }
            Some(_) => return self.declared_twice(name, span),
        }
        self.scopes.declare(name.clone(), Symbol::Typedef(new));
        Ok(())
    }

    fn declared_twice<T>(&mut self, name: &Name, span: Span) -> Checked<T> {
        let message = format!("`{name}` is declared twice, as different things");
        Err(self.sink.error(span, code::DUPLICATE_NAME, message))
    }

    /// A variable at file scope, or `extern` in a block.
    fn linked_variable(
        &mut self,
        name: &Name,
        ty: TypeId,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
        initializer: Option<&ast::Initializer>,
    ) -> Checked<()> {
        let span = declarator.span;
        if self.scopes.find_here(name).is_some_and(|symbol| !matches!(symbol, Symbol::Global(_))) {
            return self.declared_twice(name, span);
        }
        if self.has_variable_size(ty) {
            return Err(self.sink.error(
                span,
                code::DECLARATION,
                "a variable with linkage has a variable length",
            ));
        }
        let global = self.declared_global(name, ty, specifiers, declarator)?;
        self.note_own_type(global, ty);
        let attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        self.variable_attributes(global, attributes)?;
        self.scopes.declare(name.clone(), Symbol::Global(global));
        self.globals[global].is_thread_local |= specifiers.is_thread_local;
        let is_tentative = specifiers.storage != Some(Storage::Extern);
        if !is_tentative && initializer.is_none() {
            return Ok(());
        }
        self.globals[global].is_defined = true;
        match self.note_definition(Linked::Global(global), name, self.strength_of_variable(name), span)? {
            Precedence::Kept => {}
            Precedence::Replaced => self.globals[global].initializer = None,
            Precedence::Ignored => return Ok(()),
        }
        match initializer {
            Some(initializer) => self.define_global(global, initializer, span),
            None => {
                let is_retained = self.is_in_retained_section(specifiers, declarator)?;
                self.globals[global].is_retained |= is_retained;
                Ok(())
            }
        }
    }

    /// The variable of a declaration with linkage: one that was declared before, here or in another unit, or a new one.
    fn declared_global(
        &mut self,
        name: &Name,
        ty: TypeId,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
    ) -> Checked<GlobalId> {
        let span = declarator.span;
        let link = self.variable_link_name(name, specifiers, declarator)?;
        let linkage = Self::linkage(specifiers, declarator);
        let is_const = self.is_const(specifiers, declarator);
        let is_new_here = self.scopes.find_declared(&link, Linkage::Internal).is_none();
        match self.scopes.find_declared(&link, linkage) {
            Some(Linked::Global(global)) => {
                self.join_global(global, ty, name, span)?;
                if is_new_here && self.globals[global].is_const != is_const {
                    return Err(self.const_elsewhere(global, name, span));
                }
                self.scopes.link(link, Linked::Global(global), linkage);
                Ok(global)
            }
            Some(Linked::Function(function)) => {
                let message = format!("`{name}` is a function elsewhere");
                let diagnostic = thetis_base::Diagnostic::error(span, code::DUPLICATE_NAME, message);
                let previous = self.functions[function].span;
                Err(self.sink.report(diagnostic.label(previous, "declared here")))
            }
            None => {
                let global = self.add_global(name, ty, span);
                self.scopes.link(link, Linked::Global(global), linkage);
                self.globals[global].has_external_linkage = linkage == Linkage::External;
                self.globals[global].is_const = is_const;
                Ok(global)
            }
        }
    }

    /// All units must agree whether a variable is `const`.
    fn const_elsewhere(&mut self, global: GlobalId, name: &Name, span: Span) -> Reported {
        let message = format!("`{name}` is `const` in one file and not in another");
        let diagnostic = thetis_base::Diagnostic::error(span, code::DUPLICATE_NAME, message);
        self.sink.report(diagnostic.label(self.globals[global].span, "declared here"))
    }

    fn add_global(&mut self, name: &Name, ty: TypeId, span: Span) -> GlobalId {
        self.globals.push(Global {
            name: name.to_string(),
            function: None,
            ty,
            initializer: None,
            is_defined: false,
            is_retained: false,
            has_external_linkage: true,
            is_const: false,
            is_thread_local: false,
            span,
        })
    }

    fn join_global(&mut self, global: GlobalId, ty: TypeId, name: &Name, span: Span) -> Checked<()> {
        let old = self.globals[global].ty;
        let Some(joined) = self.composite(old, ty) else {
            let message = format!("`{name}` is `{}` here and `{}` elsewhere", self.show(ty), self.show(old));
            let previous = self.globals[global].span;
            let diagnostic = thetis_base::Diagnostic::error(span, code::DUPLICATE_NAME, message);
            return Err(self.sink.report(diagnostic.label(previous, "declared here")));
        };
        self.globals[global].ty = joined;
        Ok(())
    }

    fn define_global(&mut self, global: GlobalId, initializer: &ast::Initializer, span: Span) -> Checked<()> {
        if self.globals[global].initializer.is_some() {
            let message = format!("`{}` is initialised twice", self.globals[global].name);
            return Err(self.sink.error(span, code::DUPLICATE_NAME, message));
        }
        let ty = self.units.own_type(global).unwrap_or(self.globals[global].ty);
        let (initializer, ty) = self.initializer(ty, initializer, span)?;
        self.check_static_initializer(&initializer)?;
        let name = Name::from(self.globals[global].name.as_str());
        self.join_global(global, ty, &name, span)?;
        self.note_own_type(global, ty);
        self.globals[global].initializer = Some(initializer);
        Ok(())
    }

    /// A `static` variable of a function.
    fn static_variable(
        &mut self,
        name: &Name,
        ty: TypeId,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
        initializer: Option<&ast::Initializer>,
    ) -> Checked<()> {
        let span = declarator.span;
        self.check_new_in_block(name, span)?;
        if self.has_variable_size(ty) {
            return Err(self.sink.error(span, code::DECLARATION, "a static variable has a variable length"));
        }
        let is_retained = initializer.is_none() && self.is_in_retained_section(specifiers, declarator)?;
        let function = self.function.as_ref().map(|function| function.id);
        let global = self.globals.push(Global {
            name: name.to_string(),
            function,
            ty,
            initializer: None,
            is_defined: true,
            is_retained,
            has_external_linkage: false,
            is_const: self.is_const(specifiers, declarator),
            is_thread_local: specifiers.is_thread_local,
            span,
        });
        self.scopes.declare(name.clone(), Symbol::Global(global));
        match initializer {
            Some(initializer) => self.define_global(global, initializer, span),
            None => self.check_complete(ty, name, span),
        }
    }

    fn check_new_in_block(&mut self, name: &Name, span: Span) -> Checked<()> {
        if self.scopes.find_here(name).is_some() {
            let message = format!("`{name}` is declared twice in the same scope");
            return Err(self.sink.error(span, code::DUPLICATE_NAME, message));
        }
        Ok(())
    }

    fn check_complete(&mut self, ty: TypeId, name: &Name, span: Span) -> Checked<()> {
        if self.is_complete(ty) {
            return Ok(());
        }
        let message = format!("`{name}` has the incomplete type `{}`", self.show(ty));
        Err(self.sink.error(span, code::INCOMPLETE_TYPE, message))
    }

    /// A variable of a function.
    fn local_variable(
        &mut self,
        name: &Name,
        (ty, is_const): (TypeId, bool),
        initializer: Option<&ast::Initializer>,
        span: Span,
        stmts: &mut Vec<Stmt>,
    ) -> Checked<()> {
        self.check_new_in_block(name, span)?;
        let local = self.add_local(name.to_string(), ty, span);
        self.context().locals[local].is_const = is_const;
        // The name is known in its own initialiser.
        self.scopes.declare(name.clone(), Symbol::Local(local));
        let value = match initializer {
            Some(_) if self.has_variable_size(ty) => {
                return Err(self.sink.error(
                    span,
                    code::INITIALIZER,
                    "an array of variable length is initialised",
                ));
            }
            Some(initializer) => {
                let (value, ty) = self.initializer(ty, initializer, span)?;
                self.context().locals[local].ty = ty;
                Some(value)
            }
            None => None,
        };
        let ty = self.local_type(local);
        self.check_complete(ty, name, span)?;
        stmts.append(&mut self.take_pending());
        let span = initializer.map_or(span, |initializer| span.to(initializer.span()));
        stmts.push(Stmt { kind: StmtKind::Declare(local, value), span });
        Ok(())
    }

    /// A variable whose type is that of its value.
    fn auto_variable(&mut self, name: &Name, value: Expr, span: Span, stmts: &mut Vec<Stmt>) -> Checked<()> {
        self.check_new_in_block(name, span)?;
        let local = self.add_local(name.to_string(), value.ty, span);
        self.scopes.declare(name.clone(), Symbol::Local(local));
        stmts.append(&mut self.take_pending());
        let span = span.to(value.span);
        stmts.push(Stmt { kind: StmtKind::Declare(local, Some(Initializer::Value(value))), span });
        Ok(())
    }

    /// Tentative definitions become definitions at the end of their unit. `int a[];` that nobody completes there has one element.
    pub(super) fn complete_definitions(&mut self) {
        for index in 0..self.globals.len() {
            let global = GlobalId::from_usize(index);
            let is_here = self.units.counts(Linked::Global(global), self.units.current);
            if !self.globals[global].is_defined || !is_here {
                continue;
            }
            let Global { name, ty, span, .. } = &self.globals[global];
            let (name, ty, span) = (Name::from(name.as_str()), *ty, *span);
            let own = self.units.own_type(global).unwrap_or(ty);
            if let Type::Array(element, ArrayLength::Unknown) = *self.types.get(own) {
                let own = self.types.intern(Type::Array(element, ArrayLength::Constant(1)));
                let here = self.units.place_of_definition(global).unwrap_or(span);
                // An error is in the sink.
                let _ = self.join_global(global, own, &name, here);
            }
            let ty = self.globals[global].ty;
            // An error is in the sink.
            let _ = self.check_complete(ty, &name, span);
        }
    }

    /// Static storage is initialised before the program runs, so with constants.
    fn check_static_initializer(&mut self, initializer: &Initializer) -> Checked<()> {
        let first = match initializer {
            Initializer::Value(value) => find_dynamic(value),
            Initializer::Parts(parts) => parts.iter().find_map(|part| find_dynamic(&part.value)),
        };
        match first {
            Some(span) => {
                let message = "the initial value of a static variable is not constant";
                Err(self.sink.error(span, code::INITIALIZER, message))
            }
            None => Ok(()),
        }
    }
}

/// The position of a part of an expression that depends on the run. Reading a static variable does not count: compilers
/// know the values of constant ones.
fn find_dynamic(expr: &Expr) -> Option<Span> {
    stacker::maybe_grow(super::RED_ZONE, super::MORE_STACK, || match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) | ExprKind::Unsupported(_) => {
            None
        }
        ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
            find_dynamic_place(place)
        }
        ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
            find_dynamic(operand)
        }
        ExprKind::Binary(_, left, right)
        | ExprKind::Compare(_, left, right)
        | ExprKind::Offset { pointer: left, index: right, .. }
        | ExprKind::Difference(left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Comma(left, right) => find_dynamic(left).or_else(|| find_dynamic(right)),
        ExprKind::Conditional(condition, then, otherwise) => {
            find_dynamic(condition).or_else(|| find_dynamic(then)).or_else(|| find_dynamic(otherwise))
        }
        _ => Some(expr.span),
    })
}

fn find_dynamic_place(place: &Place) -> Option<Span> {
    match &place.kind {
        PlaceKind::Global(_) => None,
        PlaceKind::Deref(pointer) => find_dynamic(pointer),
        PlaceKind::Field(object, _) => find_dynamic_place(object),
        PlaceKind::Index(array, index) => find_dynamic_place(array).or_else(|| find_dynamic(index)),
        PlaceKind::Local(_) | PlaceKind::Literal(..) | PlaceKind::Temporary(_) => Some(place.span),
    }
}

/// Makes the last statement, a declaration, start at its specifiers.
fn start_with(stmts: &mut [Stmt], specifiers: Span) {
    if let Some(Stmt { kind: StmtKind::Declare(..), span }) = stmts.last_mut()
        && span.file == specifiers.file
        && specifiers.start <= span.start
    {
        span.start = specifiers.start;
    }
}
