//! The syntax tree of a `.sts` file, beside its expressions.

use crate::syntax::ast::{Decl, Name, Root};

/// A file.
#[derive(Default)]
pub(super) struct File<'s> {
    /// Constants and variables of all systems.
    pub(super) shared: Vec<Declaration<'s>>,
    pub(super) systems: Vec<System<'s>>,
    pub(super) properties: Vec<Property<'s>>,
    /// Whether an error may have hidden declarations.
    pub(super) lost_declarations: bool,
}

/// `("const" | "var") name : type [":=" expr]`
#[derive(Clone, Copy)]
pub(super) struct Declaration<'s> {
    pub(super) kind: Declared,
    pub(super) decl: Decl<'s>,
    pub(super) value: Option<Root>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Declared {
    Const,
    Var,
}

pub(super) struct System<'s> {
    pub(super) name: Name<'s>,
    pub(super) body: Body<'s>,
}

/// What is between the braces of a system.
#[derive(Default)]
pub(super) struct Body<'s> {
    pub(super) declarations: Vec<Declaration<'s>>,
    pub(super) clauses: Vec<Clause>,
}

#[derive(Clone, Copy)]
pub(super) struct Clause {
    pub(super) kind: ClauseKind,
    pub(super) formula: Root,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ClauseKind {
    Invariant,
    Initial,
    Transition,
}

impl ClauseKind {
    pub(super) fn text(self) -> &'static str {
        match self {
            ClauseKind::Invariant => "invariant",
            ClauseKind::Initial => "initial",
            ClauseKind::Transition => "transition",
        }
    }
}

/// `"property" name ":" system "models" "G" "(" formula ")"`
pub(super) struct Property<'s> {
    pub(super) name: Name<'s>,
    pub(super) system: SystemRef<'s>,
    pub(super) formula: Root,
}

pub(super) enum SystemRef<'s> {
    Inline(Body<'s>),
    Named(Name<'s>),
}
