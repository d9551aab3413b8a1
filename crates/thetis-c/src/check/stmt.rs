//! Statements.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use thetis_base::Span;

use super::convert::wrapped;
use super::function::KnownLabel;
use super::{Checked, Checker};
use crate::code;
use crate::hir::{Expr, ExprKind, LabelId, Stmt, StmtKind, TypeId};
use crate::syntax::ast::{self, BlockItem, Name};

/// A `switch` whose body is being checked.
pub(super) struct Switch {
    /// The type of the scrutinee.
    ty: TypeId,
    has_default: bool,
    /// The ranges of the cases so far: the greatest values by the least.
    cases: BTreeMap<BigInt, BigInt>,
}

impl Checker<'_, '_> {
    /// The items of a block, in the scope at hand. An error in one does not hide errors in others.
    pub(super) fn block_items(&mut self, items: &[BlockItem], stmts: &mut Vec<Stmt>) {
        for item in items {
            if self.sink.is_full() {
                return;
            }
            // The error is in the sink.
            let _ = self.block_item(item, stmts);
        }
    }

    fn block_item(&mut self, item: &BlockItem, stmts: &mut Vec<Stmt>) -> Checked<()> {
        match item {
            BlockItem::Declaration(declaration) => self.block_declaration(declaration, stmts),
            BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
            BlockItem::Stmt(stmt) => {
                let stmt = self.stmt(stmt)?;
                stmts.append(&mut self.take_pending());
                stmts.push(stmt);
                Ok(())
            }
            BlockItem::NestedFunction(declaration, span) => {
                // It can be called before control passes its definition, so the enclosing function is the limit.
                self.context().nested_function = Some(*span);
                self.block_declaration(declaration, stmts)
            }
        }
    }

    fn block(&mut self, items: &[BlockItem], span: Span) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        self.enter_block();
        self.block_items(items, &mut stmts);
        self.leave_block(span, &mut stmts);
        stmts
    }

    /// A statement that stands alone, after a condition or label.
    fn body_stmt(&mut self, stmt: &ast::Stmt) -> Checked<Box<Stmt>> {
        let before = self.take_pending();
        self.scopes.enter();
        let checked = self.stmt(stmt);
        self.scopes.leave();
        let mut lengths = self.take_pending();
        self.context().pending = before;
        let checked = checked?;
        if lengths.is_empty() {
            return Ok(Box::new(checked));
        }
        let span = checked.span;
        lengths.push(checked);
        Ok(Box::new(Stmt { kind: StmtKind::Block(lengths), span }))
    }

    /// A statement that is a block of its own: what its condition declares is known up to its end.
    fn scoped<T>(&mut self, check: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        self.scopes.enter();
        let checked = check(self);
        self.scopes.leave();
        checked
    }

    fn stmt(&mut self, stmt: &ast::Stmt) -> Checked<Stmt> {
        let kind = self.deeper(|checker| checker.stmt_kind(stmt))?;
        Ok(Stmt { kind, span: stmt.span })
    }

    fn stmt_kind(&mut self, stmt: &ast::Stmt) -> Checked<StmtKind> {
        use ast::StmtKind as Syntax;
        let span = stmt.span;
        Ok(match &stmt.kind {
            Syntax::Empty => StmtKind::Block(Vec::new()),
            Syntax::Expr(expr) => StmtKind::Expr(self.value(expr)?),
            Syntax::Block(items) => StmtKind::Block(self.block(items, span)),
            Syntax::If(condition, then, otherwise) => self.scoped(|checker| {
                let condition = checker.condition(condition)?;
                let then = checker.body_stmt(then)?;
                let otherwise =
                    otherwise.as_ref().map(|otherwise| checker.body_stmt(otherwise)).transpose()?;
                Ok(StmtKind::If { condition, then, otherwise })
            })?,
            Syntax::While(condition, body) => self.scoped(|checker| {
                let condition = checker.condition(condition)?;
                Ok(StmtKind::While { condition, body: checker.loop_body(body)? })
            })?,
            Syntax::DoWhile(body, condition) => self.scoped(|checker| {
                let body = checker.loop_body(body)?;
                Ok(StmtKind::DoWhile { body, condition: checker.condition(condition)? })
            })?,
            Syntax::Switch(value, body) => self.scoped(|checker| checker.switch(value, body))?,
            Syntax::For { init, condition, step, body } => {
                self.enter_block();
                let checked = self.for_stmt(init, condition.as_ref(), step.as_ref(), body);
                let mut cleanups = Vec::new();
                self.leave_block(span, &mut cleanups);
                match cleanups.is_empty() {
                    true => checked?,
                    false => {
                        cleanups.insert(0, Stmt { kind: checked?, span });
                        StmtKind::Block(cleanups)
                    }
                }
            }
            Syntax::Case { low, high, body } => self.case(low, high.as_ref(), body, span)?,
            Syntax::Default(body) => self.default(body, span)?,
            Syntax::Label(name, body) => {
                let label = self.define_label(name, span)?;
                StmtKind::Label(label, self.body_stmt(body)?)
            }
            Syntax::Goto(name) => {
                let label = self.label(&name.node, name.span).id;
                self.jump_from_cleanups().unwrap_or(StmtKind::Goto(label))
            }
            Syntax::ComputedGoto(target) => self.computed_goto(target, span)?,
            Syntax::Break => {
                let context = self.context();
                if context.num_loops == 0 && context.switches.is_empty() {
                    return Err(self.sink.error(span, code::JUMP, "`break` outside of loops and `switch`"));
                }
                let first = self.context().break_scopes.last().copied().unwrap_or(0);
                self.cleaned_up(first, StmtKind::Break, span)
            }
            Syntax::Continue => {
                if self.context().num_loops == 0 {
                    return Err(self.sink.error(span, code::JUMP, "`continue` outside of loops"));
                }
                let first = self.context().loop_scopes.last().copied().unwrap_or(0);
                self.cleaned_up(first, StmtKind::Continue, span)
            }
            Syntax::Return(value) => self.return_stmt(value.as_ref(), span)?,
            Syntax::Asm => StmtKind::Unsupported("an assembly statement".to_owned()),
            Syntax::AcslAssert(formula) => StmtKind::AcslAssert(self.condition(formula)?),
            Syntax::Claim(number, formula) => StmtKind::Claim(*number, self.condition(formula)?),
            Syntax::AcslUnknown => StmtKind::Unsupported("an assertion in logic, not in C".to_owned()),
        })
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Checked<Box<Stmt>> {
        let context = self.context();
        context.num_loops += 1;
        context.loop_scopes.push(context.cleanups.len());
        context.break_scopes.push(context.cleanups.len());
        let body = self.body_stmt(body);
        let context = self.context();
        context.num_loops -= 1;
        context.loop_scopes.pop();
        context.break_scopes.pop();
        body
    }

    fn for_stmt(
        &mut self,
        init: &[BlockItem],
        condition: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
    ) -> Checked<StmtKind> {
        let mut stmts = Vec::new();
        for item in init {
            self.block_item(item, &mut stmts)?;
        }
        let condition = condition.map(|condition| self.condition(condition)).transpose()?;
        let step = step.map(|step| self.value(step)).transpose()?;
        let body = self.loop_body(body)?;
        Ok(StmtKind::For { init: stmts, condition, step, body })
    }

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt) -> Checked<StmtKind> {
        let value = self.value(value)?;
        if !self.is_integer(value.ty) {
            return self
                .type_error(value.span, format!("`switch` on a value of type `{}`", self.show(value.ty)));
        }
        let value = self.promote(value);
        let switch = Switch { ty: value.ty, has_default: false, cases: BTreeMap::new() };
        let context = self.context();
        context.switches.push(switch);
        context.break_scopes.push(context.cleanups.len());
        let body = self.body_stmt(body);
        let context = self.context();
        context.switches.pop();
        context.break_scopes.pop();
        Ok(StmtKind::Switch { value, body: body? })
    }

    fn case(
        &mut self,
        low: &ast::Expr,
        high: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
    ) -> Checked<StmtKind> {
        let low_value = self.integer_constant(low)?;
        let high_value = high.map(|high| self.integer_constant(high)).transpose()?;
        let Some(ty) = self.context().switches.last().map(|switch| switch.ty) else {
            return Err(self.sink.error(span, code::JUMP, "`case` outside of `switch`"));
        };
        let kind = self.int_kind(ty).unwrap_or(crate::hir::IntKind::Int);
        let model = self.model();
        let low_value = wrapped(kind, low_value, model);
        let high_value = high_value.map_or_else(|| low_value.clone(), |high| wrapped(kind, high, model));
        let range = (low_value, high_value);
        let switch = self.context().switches.last_mut().expect("the switch should be open");
        let before = switch.cases.range(..=&range.1).next_back();
        if before.is_some_and(|(_, high)| *high >= range.0) {
            return Err(self.sink.error(low.span, code::JUMP, format!("a second case for {}", range.0)));
        }
        switch.cases.insert(range.0.clone(), range.1.clone());
        let body = self.body_stmt(body)?;
        Ok(StmtKind::Case { low: range.0, high: range.1, body })
    }

    fn default(&mut self, body: &ast::Stmt, span: Span) -> Checked<StmtKind> {
        let Some(switch) = self.context().switches.last_mut() else {
            return Err(self.sink.error(span, code::JUMP, "`default` outside of `switch`"));
        };
        if std::mem::replace(&mut switch.has_default, true) {
            return Err(self.sink.error(span, code::JUMP, "a second `default`"));
        }
        Ok(StmtKind::Default(self.body_stmt(body)?))
    }

    /// The label of a name, known or not yet.
    fn label(&mut self, name: &Name, span: Span) -> KnownLabel {
        let context = self.context();
        if let Some(label) = context.known_labels.get(name) {
            return *label;
        }
        let id = context.labels.push(name.to_string());
        let label = KnownLabel { id, is_defined: false, span };
        context.known_labels.insert(name.clone(), label);
        label
    }

    /// `&&label`: a distinct number for each label of a function, too small to be an address.
    pub(super) fn label_address(&mut self, name: &Name, span: Span) -> Checked<Expr> {
        if self.function.is_none() {
            return Err(self.sink.error(span, code::JUMP, "the address of a label outside of functions"));
        }
        self.label(name, span);
        let number = self.context().taken_labels.iter().position(|label| label == name).unwrap_or(0);
        let void = self.void();
        let ty = self.pointer_to(void);
        Ok(self.int_expr(address_of_label(number), ty, span))
    }

    /// `goto *target`: a choice between the labels whose addresses are used.
    fn computed_goto(&mut self, target: &ast::Expr, span: Span) -> Checked<StmtKind> {
        let target = self.value(target)?;
        let ty = self.size_type();
        let value = self.convert(target, ty);
        let mut cases = Vec::new();
        for (number, name) in self.context().taken_labels.clone().iter().enumerate() {
            let jump = StmtKind::Goto(self.label(name, span).id);
            let body = Box::new(Stmt { kind: jump, span });
            let low = BigInt::from(address_of_label(number));
            cases.push(Stmt { kind: StmtKind::Case { high: low.clone(), low, body }, span });
        }
        let lost = StmtKind::Unsupported("a jump to an address that is not that of a label".to_owned());
        let lost = Box::new(Stmt { kind: lost, span });
        cases.push(Stmt { kind: StmtKind::Default(lost), span });
        let body = Box::new(Stmt { kind: StmtKind::Block(cases), span });
        Ok(self.jump_from_cleanups().unwrap_or(StmtKind::Switch { value, body }))
    }

    fn define_label(&mut self, name: &Name, span: Span) -> Checked<LabelId> {
        let label = self.label(name, span);
        if label.is_defined {
            return Err(self.sink.error(span, code::DUPLICATE_NAME, format!("a second label `{name}`")));
        }
        self.context().known_labels.insert(name.clone(), KnownLabel { is_defined: true, ..label });
        Ok(label.id)
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span) -> Checked<StmtKind> {
        let result = self.context().result;
        let Some(value) = value else {
            if !self.is_void(result) {
                self.sink.warning(span, code::TYPE_MISMATCH, "a value is missing");
            }
            return Ok(self.cleaned_up(0, StmtKind::Return(None), span));
        };
        let value = self.value(value)?;
        if !self.is_void(result) {
            let value = self.assign_convert(value, result, "return value")?;
            return Ok(self.return_cleaned_up(value, span));
        }
        if !self.is_void(value.ty) {
            self.sink.warning(span, code::TYPE_MISMATCH, "a function without result returns a value");
        }
        // The value is evaluated for its effects.
        let value = self.convert(value, result);
        let effect = Stmt { kind: StmtKind::Expr(value), span };
        let end = Stmt { kind: self.cleaned_up(0, StmtKind::Return(None), span), span };
        Ok(StmtKind::Block(vec![effect, end]))
    }

    /// `({ … })`: its value is that of the last statement, if that is an expression.
    pub(super) fn statement_expression(&mut self, items: &[BlockItem], span: Span) -> Checked<Expr> {
        if self.function.is_none() {
            return Err(self.sink.error(
                span,
                code::DECLARATION,
                "a statement expression outside of functions",
            ));
        }
        let before = self.take_pending();
        self.enter_block();
        let checked = self.statement_expression_here(items, span);
        let mut cleanups = Vec::new();
        self.leave_block(span, &mut cleanups);
        self.context().pending = before;
        match cleanups.is_empty() {
            true => checked,
            false => Ok(self.value_before(checked?, cleanups)),
        }
    }

    fn statement_expression_here(&mut self, items: &[BlockItem], span: Span) -> Checked<Expr> {
        let mut stmts = Vec::new();
        let found = items.split_last().and_then(|(last, others)| Some((last_value(last)?, others)));
        let (labels, last, others) = match found {
            Some(((labels, last), others)) => (labels, Some(last), others),
            None => (Vec::new(), None, items),
        };
        for item in others {
            self.block_item(item, &mut stmts)?;
        }
        for (name, span) in labels {
            let nothing = Box::new(Stmt { kind: StmtKind::Block(Vec::new()), span });
            stmts.push(Stmt { kind: StmtKind::Label(self.define_label(name, span)?, nothing), span });
        }
        let value = last.map(|last| self.value(last)).transpose()?;
        stmts.append(&mut self.take_pending());
        let ty = match &value {
            Some(value) => value.ty,
            None => self.void(),
        };
        Ok(Expr { kind: ExprKind::Block(stmts, value.map(Box::new)), ty, span })
    }
}

/// The value that the last statement of a statement expression gives, and the labels before it.
fn last_value(item: &BlockItem) -> Option<(Vec<(&Name, Span)>, &ast::Expr)> {
    let BlockItem::Stmt(stmt) = item else { return None };
    let mut stmt = stmt;
    let mut labels = Vec::new();
    loop {
        match &stmt.kind {
            ast::StmtKind::Expr(value) => return Some((labels, value)),
            ast::StmtKind::Label(name, body) => {
                labels.push((name, stmt.span));
                stmt = body;
            }
            _ => return None,
        }
    }
}

fn address_of_label(number: usize) -> u64 {
    16 * (number as u64 + 1)
}
