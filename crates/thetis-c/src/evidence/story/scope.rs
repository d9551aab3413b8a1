//! Which local variables have names at a place of a function.

use thetis_base::Span;

use crate::hir::{Function, LocalId, Stmt, StmtKind};

/// The variables in scope at a place, inner ones last. Statements are distinguished by where they begin: those that
/// come from macros seem to end early.
pub(super) fn locals_at(function: &Function, at: Span) -> Vec<LocalId> {
    let mut locals = function.params.clone();
    within(function.body.as_deref().unwrap_or_default(), at, &mut locals);
    locals
}

/// Adds the variables of a sequence of statements up to the one with the place.
fn within(stmts: &[Stmt], at: Span, locals: &mut Vec<LocalId>) {
    let begins_before = |stmt: &Stmt| stmt.span.file == at.file && stmt.span.start <= at.start;
    let Some(last) = stmts.iter().rposition(begins_before) else { return };
    for stmt in &stmts[..=last] {
        if let StmtKind::Declare(local, _) = &stmt.kind {
            locals.push(*local);
        }
    }
    inside(&stmts[last], at, locals);
}

fn inside(stmt: &Stmt, at: Span, locals: &mut Vec<LocalId>) {
    match &stmt.kind {
        StmtKind::Block(stmts) => within(stmts, at, locals),
        StmtKind::If { then, otherwise, .. } => {
            let branches = [Some(then), otherwise.as_ref()].into_iter().flatten();
            let mut reached = branches.filter(|branch| branch.span.start <= at.start);
            if let Some(branch) = reached.next_back() {
                within(std::slice::from_ref(branch), at, locals);
            }
        }
        StmtKind::DoWhile { condition, .. } if condition.span.start <= at.start => {}
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default(body)
        | StmtKind::Label(_, body) => within(std::slice::from_ref(body), at, locals),
        StmtKind::For { init, body, .. } => {
            within(init, at, locals);
            within(std::slice::from_ref(body), at, locals);
        }
        _ => {}
    }
}
