//! The syntax tree of a `.cfa` file, beside its expressions.

use thetis_base::Span;

use crate::syntax::ast::{Decl, Name, Range, Root};

/// A file.
#[derive(Default)]
pub(super) struct File<'s> {
    /// All statements; those of one edge lie together.
    pub(super) stmts: Vec<Stmt<'s>>,
    pub(super) globals: Vec<Decl<'s>>,
    pub(super) processes: Vec<Process<'s>>,
    /// Whether an error may have hidden declarations.
    pub(super) lost_declarations: bool,
}

pub(super) struct Process<'s> {
    pub(super) is_main: bool,
    pub(super) name: Name<'s>,
    pub(super) params: Vec<Decl<'s>>,
    pub(super) vars: Vec<Decl<'s>>,
    pub(super) locs: Vec<Loc<'s>>,
    pub(super) edges: Vec<Edge<'s>>,
}

pub(super) struct Loc<'s> {
    pub(super) kind: LocKind<'s>,
    pub(super) name: Name<'s>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocKind<'s> {
    Plain,
    Init,
    Final,
    Error,
    /// With the reason, as it is written.
    Limit(&'s str),
}

pub(super) struct Edge<'s> {
    pub(super) source: Name<'s>,
    pub(super) target: Name<'s>,
    pub(super) stmts: Range,
    pub(super) span: Span,
}

pub(super) struct Stmt<'s> {
    pub(super) kind: StmtKind<'s>,
    pub(super) span: Span,
}

pub(super) enum StmtKind<'s> {
    Assign(Name<'s>, Root),
    Assume(Root),
    Havoc(Name<'s>),
}
