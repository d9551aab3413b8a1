//! Statements.

use solang_parser::pt;
use solang_parser::pt::CodeLocation;
use thetis_base::Span;

use crate::check::OverflowAt;
use crate::collect::region_of;
use crate::fault::{Res, invalid, unsupported};
use crate::throw::THROW;
use crate::types::{Region, Ty};
use crate::version::Version;

use super::assign::place_type;
use super::item::Item;
use super::{Local, Lower};

impl Lower<'_, '_> {
    pub(crate) fn stmt(&mut self, stmt: &pt::Statement) -> Res<()> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.stmt_here(stmt))
    }

    fn stmt_here(&mut self, stmt: &pt::Statement) -> Res<()> {
        let span = self.span(&stmt.loc());
        // Each statement has edges of its own, so that runs can be followed.
        self.graph.here();
        self.graph.at(span);
        match stmt {
            pt::Statement::Block { unchecked, statements, .. } => self.block(statements, *unchecked),
            pt::Statement::If(_, condition, yes, no) => self.branch(condition, yes, no.as_deref(), span),
            pt::Statement::While(loc, condition, body) => self.while_loop(loc, condition, body, None, span),
            pt::Statement::DoWhile(loc, body, condition) => self.do_while(loc, body, condition, span),
            pt::Statement::For(loc, init, condition, step, body) => self.for_loop(
                loc,
                init.as_deref(),
                condition.as_deref(),
                step.as_deref(),
                body.as_deref(),
                span,
            ),
            pt::Statement::Expression(_, pt::Expression::Variable(name))
                if name.name == "_" && self.find_local("_").is_none() =>
            {
                self.placeholder(span)
            }
            pt::Statement::Expression(_, pt::Expression::Variable(name))
                if name.name == THROW && self.decls.version < Version(5, 0) =>
            {
                self.revert();
                Ok(())
            }
            pt::Statement::Expression(_, expr) => {
                self.expr(expr)?;
                Ok(())
            }
            pt::Statement::VariableDefinition(_, declaration, value) => {
                self.variable(declaration, value.as_ref(), span)
            }
            pt::Statement::Continue(_) => self.leave_loop(span, |(_, next)| next),
            pt::Statement::Break(_) => self.leave_loop(span, |(end, _)| end),
            pt::Statement::Return(_, value) => self.return_stmt(value.as_ref(), span),
            pt::Statement::Revert(_, _, args) => {
                self.arguments(args)?;
                self.revert();
                Ok(())
            }
            pt::Statement::RevertNamedArgs(..) => {
                self.revert();
                Ok(())
            }
            pt::Statement::Emit(_, expr) => {
                self.expr(expr)?;
                Ok(())
            }
            pt::Statement::Assembly { .. } => unsupported(span, "inline assembly is not supported"),
            pt::Statement::Try(_, call, done, clauses) => self.try_stmt(call, done.as_ref(), clauses, span),
            pt::Statement::Args(..) | pt::Statement::Error(_) => {
                invalid(span, "this statement is not understood")
            }
        }
    }

    fn block(&mut self, statements: &[pt::Statement], unchecked: bool) -> Res<()> {
        let outer = self.frame().unchecked;
        self.frame_mut().unchecked |= unchecked;
        self.frame_mut().scopes.push(std::collections::BTreeMap::new());
        let mut result = Ok(());
        for statement in statements {
            result = self.stmt(statement);
            if result.is_err() {
                break;
            }
        }
        self.frame_mut().scopes.pop();
        self.frame_mut().unchecked = outer;
        result
    }

    fn branch(
        &mut self,
        condition: &pt::Expression,
        yes: &pt::Statement,
        no: Option<&pt::Statement>,
        span: Span,
    ) -> Res<()> {
        let condition = self.condition(condition)?;
        let condition = self.settle(condition);
        self.check_overflow(OverflowAt::Block, span);
        let Some(start) = self.graph.here() else { return Ok(()) };
        let join = self.graph.node();
        self.graph.assume(condition);
        self.stmt(yes)?;
        self.check_overflow(OverflowAt::Block, span);
        self.graph.jump(join);
        self.graph.resume(Some(start));
        self.graph.assume(self.store.not(condition));
        if let Some(no) = no {
            self.stmt(no)?;
            self.check_overflow(OverflowAt::Block, span);
        }
        self.graph.jump(join);
        self.graph.resume(Some(join));
        Ok(())
    }

    fn leave_loop(
        &mut self,
        span: Span,
        target: impl FnOnce((super::graph::Node, super::graph::Node)) -> super::graph::Node,
    ) -> Res<()> {
        let Some(nodes) = self.frame().loops.last().copied() else {
            return invalid(span, "this is not inside a loop");
        };
        self.graph.jump(target(nodes));
        self.unreachable();
        Ok(())
    }

    /// What follows is unreachable but still translated.
    fn unreachable(&mut self) {
        let node = self.graph.node();
        self.graph.resume(Some(node));
    }

    fn return_stmt(&mut self, value: Option<&pt::Expression>, span: Span) -> Res<()> {
        if let Some(value) = value {
            let item = self.expr(value)?;
            let returns = self.frame().returns.clone();
            let parts = match (item, returns.len()) {
                (item, 1) => vec![item],
                (Item::Tuple(parts), count) if parts.len() == count => {
                    let settled = self.settled(Item::Tuple(parts), span)?;
                    let Item::Tuple(parts) = settled else {
                        return invalid(span, "these results do not fit");
                    };
                    parts.into_iter().flatten().collect()
                }
                _ => return invalid(span, "the number of results is wrong"),
            };
            for (local, part) in returns.into_iter().zip(parts) {
                self.set_local(&local, part, span)?;
            }
        }
        let exit = self.frame().exit;
        self.graph.jump(exit);
        self.unreachable();
        Ok(())
    }

    /// Assigns to a local variable.
    pub(crate) fn set_local(&mut self, local: &Local, item: Item, span: Span) -> Res<()> {
        match local {
            Local::Var { ty, var, .. } => {
                let term = self.coerce_term(item, ty, span)?;
                self.graph.assign(*var, term);
                Ok(())
            }
            Local::Pointer { ty, kind, indices } => {
                let typed = self.coerce(item, ty, span)?;
                let target = match typed.val {
                    super::item::Val::Place(target) => target,
                    _ if ty.is_text() => return unsupported(span, "this pointer to a text is not supported"),
                    _ => return invalid(span, "a storage pointer can only point to something in storage"),
                };
                let pointer = self.pointer_to(&target, span)?;
                let chosen = self.settle(pointer.kind);
                let values: Vec<_> = indices.iter().map(|(key, var)| (*var, pointer.indices[key])).collect();
                let values: Vec<_> =
                    values.into_iter().map(|(var, value)| (var, self.settle(value))).collect();
                self.graph.assign(*kind, chosen);
                for (var, value) in values {
                    self.graph.assign(var, value);
                }
                Ok(())
            }
            Local::Elsewhere(_) | Local::Bound(..) => unsupported(span, "this cannot be assigned"),
        }
    }

    fn variable(
        &mut self,
        declaration: &pt::VariableDeclaration,
        value: Option<&pt::Expression>,
        span: Span,
    ) -> Res<()> {
        let name = declaration.name.as_ref().map_or("", |name| name.name.as_str());
        let item = value.map(|value| self.expr(value)).transpose()?;
        let is_var = self.decls.version < Version(5, 0)
            && matches!(&declaration.ty, pt::Expression::Variable(name) if name.name == "var");
        let ty = match (&item, is_var) {
            (Some(item), true) => self.typed(item.clone(), span)?.ty,
            _ => self.declared_type(&declaration.ty, declaration.storage.as_ref())?,
        };
        let local = self.local(name, &ty, span)?;
        match item {
            Some(item) => self.set_local(&local, item, span)?,
            None => {
                self.require_initial_value(&local, span)?;
                if let Local::Var { var, .. } = local {
                    let term = self.new_default(&ty, span)?;
                    self.graph.assign(var, term);
                }
            }
        }
        self.declare_new(name, local, span)
    }

    /// Before version 0.5 a variable belongs to its function, not to its block: it gets its default value only once. A storage
    /// pointer without a target points to the first variable in storage.
    fn require_initial_value(&self, local: &Local, span: Span) -> Res<()> {
        if self.decls.version >= Version(5, 0) {
            return Ok(());
        }
        let frame = self.frame();
        let mut loops = frame.layers.iter().map(|layer| &layer.loops).chain([&frame.loops]);
        if matches!(local, Local::Pointer { .. }) || loops.any(|loops| !loops.is_empty()) {
            return unsupported(span, "a variable needs an initial value here in this version");
        }
        Ok(())
    }

    /// The type of a local variable. Old versions keep reference types in storage by default.
    pub(crate) fn declared_type(
        &self,
        ty: &pt::Expression,
        storage: Option<&pt::StorageLocation>,
    ) -> Res<Ty> {
        let default = if self.decls.version < Version(5, 0) { Region::Storage } else { Region::Memory };
        let found = self.decls.ty(self.frame().contract, ty, storage.map_or(default, region_of))?;
        if found.region().is_some() && storage.is_none() && self.decls.version >= Version(5, 0) {
            return invalid(self.span(&ty.loc()), "this variable needs `memory`, `storage` or `calldata`");
        }
        Ok(found)
    }

    /// Declares a variable, unless this block has one with the same name.
    fn declare_new(&mut self, name: &str, local: Local, span: Span) -> Res<()> {
        let is_known = self.frame().scopes.last().is_some_and(|scope| scope.contains_key(name));
        if is_known && self.decls.version >= Version(5, 0) {
            return invalid(span, format!("there are two variables `{name}`"));
        }
        if self.decls.version < Version(5, 0) && self.decls.find_slot(self.frame().contract, name).is_some() {
            return unsupported(span, "in this version a variable that hides another one is not supported");
        }
        self.declare(name, local);
        Ok(())
    }

    /// `(T a, , U b) = value`.
    pub(crate) fn declare_tuple(&mut self, parts: &pt::ParameterList, value: Item, span: Span) -> Res<Item> {
        let Item::Tuple(values) = self.settled(value, span)? else {
            return invalid(span, "this should be a tuple");
        };
        if values.len() != parts.len() {
            return invalid(
                span,
                format!("{} values are assigned to {} variables", values.len(), parts.len()),
            );
        }
        for ((_, part), value) in parts.iter().zip(values) {
            let (Some(part), Some(value)) = (part, value) else { continue };
            let Some(name) = &part.name else {
                let place = self.place(&part.ty)?;
                let typed = self.coerce_for(&place, value, &place_type(&place), span)?;
                self.assign_to(&place, typed, span)?;
                continue;
            };
            let ty = self.declared_type(&part.ty, part.storage.as_ref())?;
            let local = self.local(&name.name, &ty, span)?;
            self.set_local(&local, value, span)?;
            self.declare_new(&name.name, local, span)?;
        }
        Ok(Item::Tuple(Vec::new()))
    }
}
