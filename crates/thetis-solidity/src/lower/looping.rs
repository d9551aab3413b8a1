//! Loops, cut at their invariants.
//!
//! At a loop, its invariants are checked, everything that the loop changes gets arbitrary values, and the invariants are assumed. From
//! there control either leaves the loop or goes through the body once, and the invariants are checked again. That is the rule of
//! Floyd and Hoare, so a loop without invariants means that nothing is known about what it changes.
//!
//! Users omit invariants that are obvious from the condition, such as that a counter does not exceed its bound. So for a
//! condition `a < b` it is *guessed* that `a <= b` holds whenever the condition is evaluated, and that `0 <= a`. Guesses are
//! checked as invariants are. One that fails is reported as [`CheckKind::Guess`], and the function is translated again
//! without it.

use solang_parser::pt;
use solang_parser::pt::CodeLocation;
use thetis_base::Span;
use thetis_expr::{ExprId, Sort};

use crate::annotation::{Annotation, Formula};
use crate::check::{Check, CheckKind, Moment, OverflowAt};
use crate::fault::Res;

use super::expr::has_effects;
use super::global::Global;
use super::{Local, Lower};

/// What is claimed about a loop.
struct Claims {
    invariants: Vec<Formula>,
    /// Guesses with their numbers.
    guesses: Vec<(usize, pt::Expression)>,
    span: Span,
}

impl Lower<'_, '_> {
    fn claims(&mut self, loc: &pt::Loc, condition: Option<&pt::Expression>, span: Span) -> Res<Claims> {
        let annotated = match self.decls.comments.get(crate::fault::span(loc).file.index()) {
            Some(comments) => comments.annotations(loc)?,
            None => Vec::new(),
        };
        let invariants = annotated.into_iter().filter_map(|annotated| match annotated.what {
            Annotation::Invariant(formula) => Some(formula),
            _ => None,
        });
        let mut guesses = Vec::new();
        if let Some(condition) = condition {
            guess(condition, &mut guesses);
        }
        let first = self.guesses;
        self.guesses += guesses.len();
        let numbered = guesses.into_iter().enumerate().map(|(at, guess)| (first + at, guess));
        let guesses = numbered.filter(|(number, _)| !self.rejected.contains(number)).collect();
        Ok(Claims { invariants: invariants.collect(), guesses, span })
    }

    fn check_claims(&mut self, claims: &Claims, moment: Moment) -> Res<()> {
        self.check_overflow(OverflowAt::Block, claims.span);
        self.check_no_changes(claims.span);
        for invariant in &claims.invariants {
            self.check_formula(
                invariant,
                "invariant",
                moment,
                CheckKind::Invariant(invariant.text.clone(), moment),
                claims.span,
            )?;
        }
        for (number, guess) in &claims.guesses {
            if let Some(holds) = self.guessed(guess, claims.span) {
                self.graph.check(
                    &self.store,
                    holds,
                    Check { kind: CheckKind::Guess(*number), span: claims.span },
                );
            }
        }
        Ok(())
    }

    fn assume_claims(&mut self, claims: &Claims) -> Res<()> {
        for invariant in &claims.invariants {
            self.assume_formula(invariant)?;
        }
        for (_, guess) in &claims.guesses {
            if let Some(holds) = self.guessed(guess, claims.span) {
                self.graph.assume(holds);
            }
        }
        Ok(())
    }

    /// A guess as a term; `None` if it makes no sense.
    fn guessed(&mut self, guess: &pt::Expression, span: Span) -> Option<ExprId> {
        let outer = self.annotation.replace(span);
        let holds = self.body_condition(guess);
        self.annotation = outer;
        holds.ok()
    }

    /// Everything that the loop changes gets arbitrary values.
    fn forget(&mut self, region: super::graph::Region) {
        let next = self.global_var(&Global::NextReference, Sort::Int);
        let before = self.settle(self.store.var_expr(next));
        self.graph.havoc_region(region);
        self.graph.assume(self.store.le(before, self.store.var_expr(next)));
        for local in self.frame().scopes.iter().flat_map(|scope| scope.values()).cloned().collect::<Vec<_>>()
        {
            if let Local::Var { ty, var, .. } = local {
                self.value_fact(&ty, self.store.var_expr(var));
            }
        }
        if self.program.arithmetic == super::Arithmetic::ModOverflow {
            let overflow = self.global_var(&Global::Overflow, Sort::Bool);
            self.graph.assume(self.store.not(self.store.var_expr(overflow)));
        }
        self.assume_no_changes();
    }

    pub(crate) fn while_loop(
        &mut self,
        loc: &pt::Loc,
        condition: &pt::Expression,
        body: &pt::Statement,
        step: Option<&pt::Expression>,
        span: Span,
    ) -> Res<()> {
        self.cut_loop(loc, Some(condition), Some(body), step, span)
    }

    pub(crate) fn for_loop(
        &mut self,
        loc: &pt::Loc,
        init: Option<&pt::Statement>,
        condition: Option<&pt::Expression>,
        step: Option<&pt::Expression>,
        body: Option<&pt::Statement>,
        span: Span,
    ) -> Res<()> {
        self.frame_mut().scopes.push(std::collections::BTreeMap::new());
        let result = init
            .map_or(Ok(()), |init| self.stmt(init))
            .and_then(|()| self.cut_loop(loc, condition, body, step, span));
        self.frame_mut().scopes.pop();
        result
    }

    fn cut_loop(
        &mut self,
        loc: &pt::Loc,
        condition: Option<&pt::Expression>,
        body: Option<&pt::Statement>,
        step: Option<&pt::Expression>,
        span: Span,
    ) -> Res<()> {
        if self.whole.is_some() {
            return self.real_loop(condition, body, step, span);
        }
        let claims = self.claims(loc, condition, span)?;
        self.check_claims(&claims, Moment::LoopEntry)?;
        let region = self.graph.open_region();
        self.forget(region);
        self.assume_claims(&claims)?;
        let (end, next) = (self.graph.node(), self.graph.node());
        let condition = match condition {
            Some(condition) => self.condition(condition)?,
            None => self.store.tru(),
        };
        self.leave_unless(condition, end);
        self.loop_body(body, end, next)?;
        if let Some(step) = step {
            self.expr(step)?;
        }
        let last = self.graph.here();
        self.graph.close_region(region, last);
        self.check_claims(&claims, Moment::Iteration)?;
        self.graph.stop();
        self.graph.resume(Some(end));
        Ok(())
    }

    /// A loop as a cycle.
    fn real_loop(
        &mut self,
        condition: Option<&pt::Expression>,
        body: Option<&pt::Statement>,
        step: Option<&pt::Expression>,
        span: Span,
    ) -> Res<()> {
        let (head, end, next) = (self.graph.node(), self.graph.node(), self.graph.node());
        self.graph.jump(head);
        self.graph.resume(Some(head));
        let condition = condition.map_or(Ok(self.store.tru()), |condition| self.condition(condition))?;
        self.leave_unless(condition, end);
        self.loop_body(body, end, next)?;
        if let Some(step) = step {
            self.expr(step)?;
        }
        self.check_overflow(OverflowAt::Block, span);
        self.graph.jump(head);
        self.graph.resume(Some(end));
        Ok(())
    }

    fn real_do_while(&mut self, body: &pt::Statement, condition: &pt::Expression, span: Span) -> Res<()> {
        let (head, end, next) = (self.graph.node(), self.graph.node(), self.graph.node());
        self.graph.jump(head);
        self.graph.resume(Some(head));
        self.loop_body(Some(body), end, next)?;
        let condition = self.condition(condition)?;
        self.leave_unless(condition, end);
        self.check_overflow(OverflowAt::Block, span);
        self.graph.jump(head);
        self.graph.resume(Some(end));
        Ok(())
    }

    /// Goes to `end` if a condition does not hold.
    fn leave_unless(&mut self, condition: ExprId, end: super::graph::Node) {
        let condition = self.settle(condition);
        if let Some(start) = self.graph.here() {
            self.graph.assume(self.store.not(condition));
            self.graph.jump(end);
            self.graph.resume(Some(start));
        }
        self.graph.assume(condition);
    }

    fn loop_body(
        &mut self,
        body: Option<&pt::Statement>,
        end: super::graph::Node,
        next: super::graph::Node,
    ) -> Res<()> {
        self.frame_mut().loops.push((end, next));
        let result = body.map_or(Ok(()), |body| self.stmt(body));
        self.frame_mut().loops.pop();
        result?;
        self.graph.jump(next);
        self.graph.resume(Some(next));
        Ok(())
    }

    pub(crate) fn do_while(
        &mut self,
        loc: &pt::Loc,
        body: &pt::Statement,
        condition: &pt::Expression,
        span: Span,
    ) -> Res<()> {
        if self.whole.is_some() {
            return self.real_do_while(body, condition, span);
        }
        let claims = self.claims(loc, Some(condition), span)?;
        for invariant in &claims.invariants {
            let kind = CheckKind::Invariant(invariant.text.clone(), Moment::LoopEntry);
            self.check_formula(invariant, "invariant", Moment::LoopEntry, kind, span)?;
        }
        let end = self.graph.node();
        self.iteration(&claims, body, condition, Moment::FirstIteration, end)?;
        let region = self.graph.open_region();
        self.forget(region);
        self.assume_claims(&claims)?;
        if !has_effects(condition) {
            let again = self.condition(condition)?;
            self.graph.assume(again);
        }
        self.iteration(&claims, body, condition, Moment::Iteration, end)?;
        let last = self.graph.here();
        self.graph.close_region(region, last);
        self.graph.stop();
        self.graph.resume(Some(end));
        Ok(())
    }

    /// One iteration of a loop whose condition comes last; control continues if the condition holds.
    fn iteration(
        &mut self,
        claims: &Claims,
        body: &pt::Statement,
        condition: &pt::Expression,
        moment: Moment,
        end: super::graph::Node,
    ) -> Res<()> {
        let next = self.graph.node();
        self.loop_body(Some(body), end, next)?;
        self.check_claims(claims, moment)?;
        let condition = self.condition(condition)?;
        self.leave_unless(condition, end);
        Ok(())
    }
}

/// What may hold whenever a condition is evaluated.
fn guess(condition: &pt::Expression, guesses: &mut Vec<pt::Expression>) {
    use pt::Expression as E;
    match condition {
        E::Parenthesis(_, inner) => guess(inner, guesses),
        E::And(_, left, right) => {
            guess(left, guesses);
            guess(right, guesses);
        }
        E::Less(loc, small, large) | E::More(loc, large, small) | E::NotEqual(loc, small, large)
            if !has_effects(small) && !has_effects(large) =>
        {
            guesses.push(E::LessEqual(*loc, small.clone(), large.clone()));
            let zero = E::NumberLiteral(small.loc(), "0".to_owned(), String::new(), None);
            guesses.push(E::LessEqual(*loc, Box::new(zero), small.clone()));
        }
        _ => {}
    }
}
