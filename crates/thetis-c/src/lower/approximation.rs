//! Approximations: behaviour that the program may not have.
//!
//! Some models of library functions allow more than the functions do. A proof of safety is still sound, but a run that
//! used such a model need not be a run of the program. So a variable of the automaton records whether an approximation
//! was used, and a violation after that is a limit.

use std::collections::BTreeSet;

use thetis_base::Span;
use thetis_expr::{ExprId, Sort, VarId};
use thetis_model::cfa::{LocId, StmtKind};

use super::graph::Graph;
use super::lowering::Lowering;
use super::origin::{Event, VarOrigin, Violation};
use crate::library::is_model;

/// The approximations of a program.
#[derive(Default)]
pub(super) struct Approximations {
    /// Whether one was used, if there are any.
    flag: Option<VarId>,
    /// What was approximated, as the program names it.
    names: BTreeSet<String>,
}

impl Lowering<'_> {
    /// From here on the run may not be a run of the program.
    pub(super) fn approximate(&mut self, span: Span) {
        let mut model = &self.calls.frames[self.out.frame];
        while let Some((caller, _)) =
            model.caller.filter(|(caller, _)| is_model(&self.calls.frames[*caller].name))
        {
            model = &self.calls.frames[caller];
        }
        let name = model.name.strip_prefix("__thetis_").unwrap_or(&model.name);
        let name = match name.starts_with("formatted_") {
            _ if self.makes_arguments(span) => "the arguments of `main`".to_owned(),
            true => "formatted input or output".to_owned(),
            false => format!("`{name}`"),
        };
        self.approximate_if(self.store().tru(), &name, span);
    }

    /// From here on the run may not be a run of the program if a condition holds; `name` is what is approximated.
    pub(super) fn approximate_if(&mut self, condition: ExprId, name: &str, span: Span) {
        let store = self.store();
        let condition = self.if_evaluated(condition);
        if !self.out.graph.is_live() || condition == store.fals() {
            return;
        }
        let flag = match self.approximations.flag {
            Some(flag) => flag,
            None => self.objects.storages.declare(store, "approximated", Sort::Bool, VarOrigin::Temporary),
        };
        self.approximations.flag = Some(flag);
        self.approximations.names.insert(name.to_owned());
        let is_approximated = store.or(store.var_expr(flag), condition);
        self.out.emit(StmtKind::Assign(flag, is_approximated), span, Event::Silent);
    }

    /// No approximation was used when the program starts.
    pub(super) fn start_approximations(&mut self, span: Span) {
        if let Some(flag) = self.approximations.flag {
            self.out.emit(StmtKind::Assign(flag, self.store().fals()), span, Event::Start);
        }
    }

    /// Makes violations after an approximation limits.
    pub(super) fn guard_violations(&mut self) {
        let Some(flag) = self.approximations.flag else { return };
        let names: Vec<&str> = self.approximations.names.iter().map(String::as_str).collect();
        let reason =
            format!("a violation was found, but only after an approximation of {}", names.join(", "));
        let is_approximated = self.store().var_expr(flag);
        let is_exact = self.store().not(is_approximated);
        for violation in &mut self.out.violations {
            let exact = split(&mut self.out.graph, violation, is_exact);
            let approximated = split(&mut self.out.graph, violation, is_approximated);
            violation.location = exact;
            self.out.limits.push((approximated, violation.span, reason.clone()));
        }
    }
}

/// A new location that is reached from that of a violation under a condition.
fn split(graph: &mut Graph, violation: &Violation, condition: ExprId) -> LocId {
    let frame = graph.frame_of(violation.location);
    let target = graph.location(frame, Some(violation.span));
    graph.guard(violation.location, target, condition, violation.span, Event::Silent);
    target
}
