//! `try` and `catch`.
//!
//! The call either succeeds, with its results, or fails without an effect. Nobody knows why unknown code fails, so after a failure any of the clauses may
//! run, with any data; where no clause fits, the failure ends the transaction. Arguments are evaluated before the call: what fails in
//! them is not caught. Here they are translated together with the call, so they must not change anything.

use solang_parser::pt;
use thetis_base::Span;
use thetis_expr::Sort;

use crate::fault::{Res, invalid, unsupported};

use super::Lower;
use super::expr::has_effects;
use super::graph::Node;
use super::item::Item;

impl Lower<'_, '_> {
    /// `try call returns (…) { … } catch { … }`.
    pub(crate) fn try_stmt(
        &mut self,
        call: &pt::Expression,
        success: Option<&(pt::ParameterList, Box<pt::Statement>)>,
        clauses: &[pt::CatchClause],
        span: Span,
    ) -> Res<()> {
        if self.whole.is_some() {
            return unsupported(span, "try and catch are not supported here");
        }
        if !is_simple_call(call) {
            return unsupported(span, "this call cannot be tried");
        }
        let succeeds = self.anything(Sort::Bool);
        let Some(start) = self.graph.here() else { return Ok(()) };
        let join = self.graph.node();
        self.graph.assume(succeeds);
        let result = self.expr(call)?;
        match success {
            Some((params, body)) => self.with_scope(|lower| lower.succeed(params, result, body, span))?,
            None => return unsupported(span, "this `try` is not supported"),
        }
        self.graph.jump(join);
        self.graph.resume(Some(start));
        self.graph.assume(self.store.not(succeeds));
        self.fail(clauses, join)?;
        self.graph.resume(Some(join));
        Ok(())
    }

    fn succeed(
        &mut self,
        params: &pt::ParameterList,
        result: Item,
        body: &pt::Statement,
        span: Span,
    ) -> Res<()> {
        let values = match self.settled(result, span)? {
            Item::Tuple(values) => values,
            value => vec![Some(value)],
        };
        if !params.is_empty() && values.len() != params.len() {
            return invalid(span, "the number of results is wrong");
        }
        for ((_, param), value) in params.iter().zip(values) {
            let (Some(param), Some(value)) = (param, value) else { continue };
            let ty = self.declared_type(&param.ty, param.storage.as_ref())?;
            let name = param.name.as_ref().map_or("", |name| name.name.as_str());
            let local = self.local(name, &ty, span)?;
            self.set_local(&local, value, span)?;
            self.declare(name, local);
        }
        self.stmt(body)
    }

    /// One of the clauses runs.
    fn fail(&mut self, clauses: &[pt::CatchClause], join: Node) -> Res<()> {
        for clause in clauses {
            let Some(start) = self.graph.here() else { return Ok(()) };
            let (param, body) = match clause {
                pt::CatchClause::Simple(_, param, body) => (param.as_ref(), body),
                pt::CatchClause::Named(_, _, param, body) => (Some(param), body),
            };
            self.with_scope(|lower| lower.catch(param, body))?;
            self.graph.jump(join);
            self.graph.resume(Some(start));
        }
        self.graph.stop();
        Ok(())
    }

    fn catch(&mut self, param: Option<&pt::Parameter>, body: &pt::Statement) -> Res<()> {
        if let Some(param) = param {
            let ty = self.declared_type(&param.ty, param.storage.as_ref())?;
            let span = self.span(&param.loc);
            let name = param.name.as_ref().map_or("", |name| name.name.as_str());
            let local = self.local(name, &ty, span)?;
            let value = self.any_value(ty)?;
            self.set_local(&local, value, span)?;
            self.declare(name, local);
        }
        self.stmt(body)
    }
}

/// Whether an expression is a call of another contract without effects in its parts.
fn is_simple_call(call: &pt::Expression) -> bool {
    let pt::Expression::FunctionCall(_, callee, args) = call else { return false };
    let is_simple = match &**callee {
        pt::Expression::FunctionCallBlock(_, callee, options) => {
            let pt::Statement::Args(_, options) = &**options else { return false };
            !has_effects(callee) && options.iter().all(|option| !has_effects(&option.expr))
        }
        callee => !has_effects(callee),
    };
    is_simple && args.iter().all(|arg| !has_effects(arg))
}
