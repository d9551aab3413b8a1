//! Functions: their heads in the first round, their bodies in the second.

use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, Reported, Span};

use super::link::{Precedence, Strength};
use super::prototype::has_prototype;
use super::scope::{Linkage, Linked, Scope, Symbol};
use super::types::{Param, Params};
use super::{Checked, Checker};
use crate::code;
use crate::hir::{
    Expr, ExprKind, FunctionId, FunctionType, Initializer, LabelId, Local, LocalId, Stmt, StmtKind, Type,
    TypeId,
};
use crate::lower::{Part, has_effects};
use crate::syntax::ast::{self, Derived, Name, Parameters, Storage};

/// A function definition whose body has not been checked.
pub(super) struct PendingBody<'a> {
    function: FunctionId,
    /// How many items of the unit precede the definition.
    position: usize,
    params: Vec<Param>,
    /// The scope of the parameters, which has the tags that they declare.
    scope: Scope,
    /// The parameters whose types may have variable lengths.
    lengths: Vec<ParamLengths<'a>>,
    taken_labels: &'a [Name],
    items: &'a [ast::BlockItem],
}

/// A parameter whose type may have lengths that depend on other parameters.
struct ParamLengths<'a> {
    index: usize,
    /// The type of its specifiers.
    base: TypeId,
    declarator: &'a ast::Declarator,
}

/// What is known while the body of a function is checked.
pub(super) struct FunctionContext {
    pub(super) id: FunctionId,
    pub(super) result: TypeId,
    pub(super) locals: IndexVec<LocalId, Local>,
    pub(super) labels: IndexVec<LabelId, String>,
    pub(super) known_labels: FxHashMap<Name, KnownLabel>,
    /// The labels whose addresses are used.
    pub(super) taken_labels: Vec<Name>,
    /// The scrutinees of the open `switch` statements.
    pub(super) switches: Vec<super::stmt::Switch>,
    /// How many loops are open.
    pub(super) num_loops: usize,
    /// The cleanups of the enclosing scopes.
    pub(super) cleanups: Vec<Vec<(LocalId, FunctionId)>>,
    /// How many scopes with cleanups are around each loop.
    pub(super) loop_scopes: Vec<usize>,
    /// How many scopes with cleanups are around each loop and `switch`.
    pub(super) break_scopes: Vec<usize>,
    /// Assignments to length variables that have to happen before the statement at hand.
    pub(super) pending: Vec<Stmt>,
    /// The position of a nested function, if there is one.
    pub(super) nested_function: Option<Span>,
}

/// A label that is used or defined.
#[derive(Clone, Copy)]
pub(super) struct KnownLabel {
    pub(super) id: LabelId,
    pub(super) is_defined: bool,
    pub(super) span: Span,
}

impl Checker<'_, '_> {
    /// Declares a function that is defined, and keeps its body for the second round.
    pub(super) fn function_head<'a>(
        &mut self,
        definition: &'a ast::FunctionDefinition,
    ) -> Checked<PendingBody<'a>> {
        let declarator = &definition.declarator;
        let span = declarator.span;
        let (Some(name), Some(Derived::Function(parameters))) =
            (&declarator.name, declarator.derived.first())
        else {
            return Err(self.sink.error(span, code::DECLARATION, "a body without a function"));
        };
        let base = self.specified(&definition.specifiers)?;
        let result = self.derived(base.ty, &declarator.derived[1..], span)?;
        self.check_result(result, span)?;
        self.scopes.enter();
        self.num_open_prototypes += 1;
        let params = self.definition_params(parameters, &definition.parameter_declarations);
        self.num_open_prototypes -= 1;
        let scope = self.scopes.leave();
        let (params, lengths) = params?;
        let ty = self.function_type(result, &params);
        let function = self.declare_function(name, ty, &definition.specifiers, declarator)?;
        if matches!(parameters, Parameters::OldStyle(names) if !names.is_empty()) {
            self.old_style.insert(function);
        }
        if matches!(parameters, Parameters::Prototype { is_variadic: true, .. }) {
            self.variadic.functions.insert(function);
        }
        let strength = self.strength_of_function(name, definition);
        self.start_definition(function, &params.list, strength, span)?;
        let (taken_labels, items) = (&definition.taken_labels, &definition.body);
        let position = self.prototypes.position;
        Ok(PendingBody { function, position, params: params.list, scope, lengths, taken_labels, items })
    }

    /// Marks a function as defined, which can happen once.
    fn start_definition(
        &mut self,
        function: FunctionId,
        params: &[Param],
        strength: Strength,
        span: Span,
    ) -> Checked<()> {
        let name = self.functions[function].name.clone();
        match self.note_definition(Linked::Function(function), &name, strength, span)? {
            Precedence::Kept => {}
            Precedence::Replaced => self.functions[function].body = None,
            Precedence::Ignored => return Ok(()),
        }
        if self.functions[function].body.is_some() {
            let message = format!("`{}` is defined twice", self.functions[function].name);
            return Err(self.sink.error(span, code::DUPLICATE_NAME, message));
        }
        for param in params {
            if !self.is_complete(param.ty) {
                let message = format!("a parameter has the incomplete type `{}`", self.show(param.ty));
                return Err(self.sink.error(param.span, code::INCOMPLETE_TYPE, message));
            }
        }
        let function = &mut self.functions[function];
        function.body = Some(Vec::new());
        function.span = span;
        Ok(())
    }

    fn definition_params<'a>(
        &mut self,
        parameters: &'a Parameters,
        declarations: &'a [ast::Declaration],
    ) -> Checked<(Params, Vec<ParamLengths<'a>>)> {
        match parameters {
            Parameters::Prototype { params, .. } => {
                let mut lengths = Vec::new();
                let checked = self.params(parameters)?;
                for (index, param) in params.iter().enumerate() {
                    if has_lengths(&param.declarator) {
                        let base = self.specified_again(&param.specifiers)?;
                        let declarator = &param.declarator;
                        lengths.extend(base.map(|base| ParamLengths { index, base, declarator }));
                    }
                }
                Ok((checked, lengths))
            }
            Parameters::OldStyle(names) => self.old_style_params(names, declarations),
        }
    }

    /// The type of specifiers that were checked before; `None` if they define something, which must not happen twice.
    fn specified_again(&mut self, specifiers: &ast::Specifiers) -> Checked<Option<TypeId>> {
        let defines = match &specifiers.ty {
            ast::TypeSpecifier::Record(record) => record.members.is_some(),
            ast::TypeSpecifier::Enum(specifier) => specifier.enumerators.is_some(),
            _ => false,
        };
        if defines { Ok(None) } else { self.specified(specifiers).map(|base| Some(base.ty)) }
    }

    fn old_style_params<'a>(
        &mut self,
        names: &[ast::Spanned<Name>],
        declarations: &'a [ast::Declaration],
    ) -> Checked<(Params, Vec<ParamLengths<'a>>)> {
        let int = self.int();
        let mut list: Vec<Param> = names
            .iter()
            .map(|name| Param { name: Some(name.node.clone()), ty: int, span: name.span })
            .collect();
        let mut lengths = Vec::new();
        for declaration in declarations {
            let base = self.specified(&declaration.specifiers)?;
            for ast::InitDeclarator { declarator, .. } in &declaration.declarators {
                let declared = self.declared(base.ty, declarator)?;
                let index = list.iter().position(|param| param.name == declarator.name);
                let Some(index) = index else {
                    let message = "the declared name is not that of a parameter";
                    return Err(self.sink.error(declarator.span, code::DECLARATION, message));
                };
                list[index].ty = self.adjusted(declared);
                list[index].span = declarator.span;
                if has_lengths(declarator) {
                    lengths.push(ParamLengths { index, base: base.ty, declarator });
                }
            }
        }
        Ok((Params { list, is_variadic: names.is_empty() }, lengths))
    }

    /// Declares a function, which may have been declared before.
    pub(super) fn declare_function(
        &mut self,
        name: &Name,
        ty: FunctionType,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
    ) -> Checked<FunctionId> {
        let span = declarator.span;
        match self.scopes.find_here(name) {
            None | Some(Symbol::Function(_)) => {}
            Some(_) => {
                let message = format!("`{name}` is declared twice, as different things");
                return Err(self.sink.error(span, code::DUPLICATE_NAME, message));
            }
        }
        let link = self.link_name(name, specifiers, declarator)?;
        let linkage = Self::linkage(specifiers, declarator);
        let has_prototype = has_prototype(&ty, declarator);
        let function = match self.scopes.find_declared(&link, linkage) {
            Some(Linked::Function(function)) => {
                if self.scopes.find_declared(&link, Linkage::Internal).is_none() {
                    self.check_prototypes(function, &ty, name, span)?;
                }
                self.join_function(function, ty, name, span)?;
                if link == *name {
                    self.functions[function].name = name.to_string();
                }
                function
            }
            Some(Linked::Global(global)) => {
                let message = format!("`{name}` is a variable elsewhere");
                let diagnostic = thetis_base::Diagnostic::error(span, code::DUPLICATE_NAME, message);
                let previous = self.globals[global].span;
                return Err(self.sink.report(diagnostic.label(previous, "declared here")));
            }
            None => self.add_linked_function(name, link.clone(), ty, span, linkage),
        };
        self.scopes.link(link, Linked::Function(function), linkage);
        if has_prototype {
            self.note_prototype(function);
        }
        self.functions[function].is_noreturn |= specifiers.is_noreturn;
        self.functions[function].is_system |= self.is_in_system(span);
        let attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        self.function_attributes(function, attributes)?;
        self.scopes.declare(name.clone(), Symbol::Function(function));
        Ok(function)
    }

    /// Gives a function that was declared before the composite type of both declarations.
    fn join_function(
        &mut self,
        function: FunctionId,
        ty: FunctionType,
        name: &Name,
        span: Span,
    ) -> Checked<()> {
        let old = self.types.intern(Type::Function(self.functions[function].ty.clone()));
        let new = self.types.intern(Type::Function(ty));
        let joined = self.composite(old, new).and_then(|joined| self.function_of(joined).cloned());
        let Some(joined) = joined else {
            return Err(self.other_type(function, new, name, span));
        };
        self.functions[function].ty = joined;
        Ok(())
    }

    /// A declaration without parameters is compatible with one in another unit only if the promoted arguments are.
    fn check_prototypes(
        &mut self,
        function: FunctionId,
        ty: &FunctionType,
        name: &Name,
        span: Span,
    ) -> Checked<()> {
        let known = self.functions[function].ty.clone();
        if self.old_style.contains(&function) || self.fits_without_prototype(&known, ty) {
            return Ok(());
        }
        let new = self.types.intern(Type::Function(ty.clone()));
        Err(self.other_type(function, new, name, span))
    }

    /// Reports that a declaration gives a function a type that differs from earlier declarations.
    fn other_type(&mut self, function: FunctionId, new: TypeId, name: &Name, span: Span) -> Reported {
        let old = self.types.intern(Type::Function(self.functions[function].ty.clone()));
        let message = format!("`{name}` is `{}` here and `{}` elsewhere", self.show(new), self.show(old));
        let diagnostic = thetis_base::Diagnostic::error(span, code::DUPLICATE_NAME, message);
        self.sink.report(diagnostic.label(self.functions[function].span, "declared here"))
    }

    /// Checks a body; errors are in the sink.
    pub(super) fn body(&mut self, pending: PendingBody<'_>) {
        if !self.units.counts(Linked::Function(pending.function), self.units.current) {
            return;
        }
        let PendingBody { function: id, position, params, scope, lengths, taken_labels, items } = pending;
        self.prototypes.position = position;
        let result = self.functions[id].ty.result;
        self.function = Some(FunctionContext::new(id, result));
        self.context().taken_labels = taken_labels.to_vec();
        self.scopes.reenter(scope);
        let params = self.declare_params(&params);
        // Errors are in the sink, and the statements that have none are of no use then.
        let _ = self.param_lengths(&params, &lengths);
        let mut stmts = self.take_lengths();
        self.block_items(items, &mut stmts);
        if let Some(span) = self.context().nested_function {
            let kind = StmtKind::Unsupported("a function inside a function".to_owned());
            stmts.insert(0, Stmt { kind, span });
        }
        let span = self.functions[id].span;
        self.clean_up_since(0, span, &mut stmts);
        self.scopes.leave();
        self.check_labels();
        let context = self.function.take().expect("the function should be open until its end");
        let span = self.functions[id].span;
        let function = &mut self.functions[id];
        function.params = params;
        function.locals = context.locals;
        function.labels = context.labels;
        function.body = Some(match self.opaque_bodies.get(&id) {
            Some(reason) => {
                let kind = StmtKind::Unsupported((*reason).to_owned());
                vec![Stmt { kind, span }]
            }
            None => stmts,
        });
    }

    fn declare_params(&mut self, params: &[Param]) -> Vec<LocalId> {
        let mut ids = Vec::new();
        for param in params {
            let id = match &param.name {
                Some(name) => {
                    let local = self.add_local(name.to_string(), param.ty, param.span);
                    self.scopes.declare(name.clone(), Symbol::Local(local));
                    local
                }
                None => self.nameless_local("param", param.ty, param.span),
            };
            ids.push(id);
        }
        ids
    }

    /// The side effects of an unused length.
    fn evaluate_length(&mut self, length: &ast::ArrayLength) -> Checked<()> {
        if let ast::ArrayLength::Value(length) = length {
            let value = self.value(length)?;
            let span = value.span;
            self.context().pending.push(Stmt { kind: StmtKind::Expr(value), span });
        }
        Ok(())
    }

    /// Parameters such as `int a[n][m]` get the types that depend on other parameters.
    fn param_lengths(&mut self, ids: &[LocalId], lengths: &[ParamLengths<'_>]) -> Checked<()> {
        for ParamLengths { index, base, declarator } in lengths {
            // The outermost length is not part of the type, since the parameter is a pointer, but it is evaluated.
            let ty = match declarator.derived.split_first() {
                Some((Derived::Array(length), rest)) => {
                    self.evaluate_length(length)?;
                    let element = self.derived(*base, rest, declarator.span)?;
                    self.pointer_to(element)
                }
                _ => self.declared(*base, declarator)?,
            };
            self.context().locals[ids[*index]].ty = ty;
        }
        Ok(())
    }

    fn check_labels(&mut self) {
        let context = self.context();
        let mut undefined: Vec<(Span, Name)> = Vec::new();
        let labels =
            context.labels.iter().filter_map(|name| context.known_labels.get_key_value(name.as_str()));
        undefined.extend(
            labels.filter(|(_, label)| !label.is_defined).map(|(name, label)| (label.span, name.clone())),
        );
        for (span, name) in undefined {
            self.sink.error(span, code::JUMP, format!("there is no label `{name}`"));
        }
    }

    /// The function at hand.
    pub(super) fn context(&mut self) -> &mut FunctionContext {
        self.function.as_mut().expect("statements should be in functions")
    }

    pub(super) fn local_type(&mut self, local: LocalId) -> TypeId {
        self.context().locals[local].ty
    }

    pub(super) fn add_local(&mut self, name: String, ty: TypeId, span: Span) -> LocalId {
        self.context().locals.push(Local { name, ty, is_const: false, span })
    }

    /// A variable that the text does not name.
    pub(super) fn nameless_local(&mut self, what: &str, ty: TypeId, span: Span) -> LocalId {
        let name = self.nameless(what);
        self.add_local(name, ty, span)
    }

    /// A variable that keeps the length of an array from here on.
    pub(super) fn length_variable(&mut self, length: Expr) -> LocalId {
        let span = length.span;
        let ty = self.size_type();
        let local = self.nameless_local("length", ty, span);
        let length = self.convert(length, ty);
        let kind = StmtKind::Declare(local, Some(Initializer::Value(length)));
        self.context().pending.push(Stmt { kind, span });
        local
    }

    pub(super) fn take_pending(&mut self) -> Vec<Stmt> {
        self.function.as_mut().map_or_else(Vec::new, |function| std::mem::take(&mut function.pending))
    }

    /// Makes these the pending statements again.
    pub(super) fn put_back(&mut self, pending: Vec<Stmt>) {
        if let Some(function) = &mut self.function {
            function.pending = pending;
        }
    }

    /// The pending lengths of one declarator or of the parameters. Their order of evaluation is unspecified.
    pub(super) fn take_lengths(&mut self) -> Vec<Stmt> {
        let mut lengths = self.take_pending();
        refuse_two_effects(&mut lengths, 0);
        lengths
    }

    /// A limit before the statement at hand.
    pub(super) fn refuse_before(&mut self, reason: &str, span: Span) {
        if let Some(function) = &mut self.function {
            function.pending.push(Stmt { kind: StmtKind::Unsupported(reason.to_owned()), span });
        }
    }

    /// A limit if a pending length has effects.
    pub(super) fn refuse_effects_of_lengths(&mut self, reason: &str, span: Span) {
        let pending = self.function.as_ref().map_or(&[][..], |function| &function.pending);
        if pending.iter().any(length_has_effects) {
            self.refuse_before(reason, span);
        }
    }

    /// An expression whose types may have variable lengths: they are evaluated with it.
    pub(super) fn with_lengths(&mut self, build: impl FnOnce(&mut Self) -> Checked<Expr>) -> Checked<Expr> {
        let before = self.take_pending();
        let built = build(self);
        let mut lengths = self.take_pending();
        self.put_back(before);
        let expr = built?;
        if lengths.is_empty() {
            return Ok(expr);
        }
        refuse_two_effects(&mut lengths, usize::from(has_effects(Part::Expr(&expr))));
        let (ty, span) = (expr.ty, expr.span);
        Ok(Expr { kind: ExprKind::Block(lengths, Some(Box::new(expr))), ty, span })
    }
}

/// A limit if more than one of `lengths` and of `others` has effects, which may then come in any order.
fn refuse_two_effects(lengths: &mut Vec<Stmt>, others: usize) {
    let mut with_effects = lengths.iter().filter(|length| length_has_effects(length));
    let Some(span) = with_effects.next().map(|length| length.span) else { return };
    if with_effects.count() + others > 0 {
        let kind = StmtKind::Unsupported("lengths with effects, in any order".to_owned());
        lengths.push(Stmt { kind, span });
    }
}

fn length_has_effects(length: &Stmt) -> bool {
    match &length.kind {
        StmtKind::Expr(value) | StmtKind::Declare(_, Some(Initializer::Value(value))) => {
            has_effects(Part::Expr(value))
        }
        _ => false,
    }
}

impl FunctionContext {
    fn new(id: FunctionId, result: TypeId) -> FunctionContext {
        FunctionContext {
            id,
            result,
            locals: IndexVec::new(),
            labels: IndexVec::new(),
            known_labels: FxHashMap::default(),
            taken_labels: Vec::new(),
            switches: Vec::new(),
            num_loops: 0,
            cleanups: vec![Vec::new()],
            loop_scopes: Vec::new(),
            break_scopes: Vec::new(),
            pending: Vec::new(),
            nested_function: None,
        }
    }
}

/// Whether a declarator has arrays with a length.
fn has_lengths(declarator: &ast::Declarator) -> bool {
    declarator.derived.iter().any(|part| matches!(part, Derived::Array(ast::ArrayLength::Value(_))))
}

/// Storage classes that a function can have.
pub(super) fn fits_function(storage: Option<Storage>) -> bool {
    matches!(storage, None | Some(Storage::Extern | Storage::Static))
}
