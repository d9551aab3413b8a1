//! `try` and `catch`.
//!
//! The call either succeeds, with its results, or fails without an effect. It is unknown why unknown code fails, so after a failure any of the clauses
//! may run, with any data; where no clause fits, the failure ends the transaction. Arguments are evaluated before the call, and failures in them are not
//! caught.

use solang_parser::pt;
use thetis_base::Span;
use thetis_expr::Sort;

use crate::fault::{Res, invalid, unsupported};

use super::Lower;
use super::graph::Node;
use super::item::{Callee, Item};

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
        // Without `returns` the parser takes the block for options of the call.
        let (is_new, call) = match call {
            pt::Expression::New(_, object) => (true, &**object),
            call => (false, call),
        };
        let (call, success) = match (call, success) {
            (pt::Expression::FunctionCallBlock(_, call, body), None) => (&**call, Some((&[][..], &**body))),
            (call, Some((params, body))) => (call, Some((params.as_slice(), &**body))),
            (call, None) => (call, None),
        };
        let (callee, args) = match is_new {
            true => self.creation(call, span)?,
            false => self.tried(call, span)?,
        };
        let Some(args) = args else { return invalid(span, "only calls can be tried") };
        let args = self.arguments(args)?;
        let args: Vec<Item> = args.into_iter().map(|arg| self.settled(arg, span)).collect::<Res<_>>()?;
        let succeeds = self.anything(Sort::Bool);
        let Some(start) = self.graph.here() else { return Ok(()) };
        let join = self.graph.node();
        self.graph.assume(succeeds);
        let result = self.call(callee, args, span)?;
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

    /// What is called, and with which arguments.
    fn tried<'e>(
        &mut self,
        call: &'e pt::Expression,
        span: Span,
    ) -> Res<(Callee, Option<&'e [pt::Expression]>)> {
        if let pt::Expression::FunctionCall(_, callee, args) = call
            && let Item::Callee(callee @ (Callee::External { .. } | Callee::Getter { .. })) =
                self.expr(callee)?
        {
            return Ok((callee, Some(args)));
        }
        unsupported(span, "this call cannot be tried")
    }

    fn succeed(
        &mut self,
        params: &[(pt::Loc, Option<pt::Parameter>)],
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
