//! The statements on edges.

use thetis_base::Span;
use thetis_expr::{ExprId, VarId};

/// A statement with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it comes from.
    pub span: Option<Span>,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// Gives a variable the value of a term over current values.
    Assign(VarId, ExprId),
    /// Blocks unless the formula holds.
    Assume(ExprId),
    /// Gives a variable an arbitrary value of its sort: an input of the run.
    Havoc(VarId),
    /// One after the other; an empty sequence does nothing.
    Seq(Vec<Stmt>),
    /// Any one of them; an empty choice blocks.
    Choice(Vec<Stmt>),
}

impl Stmt {
    /// A statement without a place in a source.
    pub fn new(kind: StmtKind) -> Stmt {
        Stmt { kind, span: None }
    }

    /// A statement at a place.
    pub fn at(kind: StmtKind, span: Span) -> Stmt {
        Stmt { kind, span: Some(span) }
    }

    /// The statement that does nothing.
    pub fn skip() -> Stmt {
        Stmt::new(StmtKind::Seq(Vec::new()))
    }

    /// An assignment.
    pub fn assign(var: VarId, expr: ExprId) -> Stmt {
        Stmt::new(StmtKind::Assign(var, expr))
    }

    /// An assumption.
    pub fn assume(formula: ExprId) -> Stmt {
        Stmt::new(StmtKind::Assume(formula))
    }

    /// An arbitrary assignment.
    pub fn havoc(var: VarId) -> Stmt {
        Stmt::new(StmtKind::Havoc(var))
    }

    /// A sequence.
    pub fn seq(stmts: Vec<Stmt>) -> Stmt {
        Stmt::new(StmtKind::Seq(stmts))
    }

    /// A choice.
    pub fn choice(stmts: Vec<Stmt>) -> Stmt {
        Stmt::new(StmtKind::Choice(stmts))
    }

    /// What it assumes before it does anything else, if that is one formula.
    pub fn condition(&self) -> Option<ExprId> {
        match &self.kind {
            StmtKind::Assume(formula) => Some(*formula),
            StmtKind::Seq(stmts) => stmts.first().and_then(Stmt::condition),
            _ => None,
        }
    }

    /// This statement and all inside it, outer ones first.
    pub fn walk(&self) -> impl Iterator<Item = &Stmt> {
        let mut stack = vec![self];
        std::iter::from_fn(move || {
            let stmt = stack.pop()?;
            if let StmtKind::Seq(parts) | StmtKind::Choice(parts) = &stmt.kind {
                stack.extend(parts.iter().rev());
            }
            Some(stmt)
        })
    }
}
