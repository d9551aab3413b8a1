//! Which variables names refer to at a statement.

use std::collections::BTreeMap;

use thetis_base::Span;

use crate::hir::{FunctionId, GlobalId, LocalId, Program, Stmt, StmtKind};
use crate::lower::PointKind;

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// A parameter or variable of the function.
    Local(LocalId),
    /// A variable with static storage.
    Global(GlobalId),
}

/// The variables that have names at a statement of a function: before it, or where the condition of a loop is evaluated.
/// Static variables of functions are left out; their scopes are not kept.
pub(super) fn names_at(
    program: &Program,
    function: FunctionId,
    stmt: Span,
    kind: PointKind,
) -> BTreeMap<String, Named> {
    let mut names: BTreeMap<String, Named> = BTreeMap::new();
    let files = program.globals.iter_enumerated().filter(|(_, global)| global.function.is_none());
    names.extend(files.map(|(id, global)| (global.name.clone(), Named::Global(id))));
    // A static variable of the function may hide what has its name, so that nothing has it.
    let hidden = program.globals.iter().filter(|global| global.function == Some(function));
    for global in hidden {
        names.remove(&global.name);
    }
    let info = &program.functions[function];
    let mut search = ScopeSearch { wanted: stmt, kind, locals: info.params.clone() };
    if search.stmts(info.body.as_deref().unwrap_or_default()) {
        names.extend(
            search.locals.iter().map(|local| (info.locals[*local].name.clone(), Named::Local(*local))),
        );
    }
    names.retain(|name, _| !name.contains('#'));
    names
}

struct ScopeSearch {
    wanted: Span,
    kind: PointKind,
    /// The variables in scope, inner ones last.
    locals: Vec<LocalId>,
}

impl ScopeSearch {
    /// Whether the statement is among these; the scope is then the one there.
    fn stmts(&mut self, stmts: &[Stmt]) -> bool {
        let outer = self.locals.len();
        for stmt in stmts {
            if self.stmt(stmt) {
                return true;
            }
            if let StmtKind::Declare(local, _) = &stmt.kind {
                self.locals.push(*local);
            }
        }
        self.locals.truncate(outer);
        false
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        let is_loop =
            matches!(stmt.kind, StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. });
        let is_here = stmt.span == self.wanted;
        if is_here && (self.kind == PointKind::Start || is_loop && !matches!(stmt.kind, StmtKind::For { .. }))
        {
            return true;
        }
        match &stmt.kind {
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::If { then, otherwise, .. } => {
                self.body(then) || otherwise.as_ref().is_some_and(|otherwise| self.body(otherwise))
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default(body)
            | StmtKind::Label(_, body) => self.body(body),
            StmtKind::For { init, body, .. } => {
                let outer = self.locals.len();
                for stmt in init {
                    if self.stmt(stmt) {
                        return true;
                    }
                    if let StmtKind::Declare(local, _) = &stmt.kind {
                        self.locals.push(*local);
                    }
                }
                if is_here || self.body(body) {
                    return true;
                }
                self.locals.truncate(outer);
                false
            }
            _ => false,
        }
    }

    fn body(&mut self, stmt: &Stmt) -> bool {
        self.stmts(std::slice::from_ref(stmt))
    }
}
