//! The state of a translation, and its basic operations.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::Span;
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::cfa::{LocId, StmtKind};

use super::approximation::Approximations;
use super::arith::Arith;
use super::calls::CallTree;
use super::emission::Emission;
use super::initialised::Shadows;
use super::layout::UnionUse;
use super::objects::Objects;
use super::options::{LowerOptions, Property};
use super::order::Effects;
use super::origin::{Event, FrameId, VarOrigin};
use super::points_to::PointsTo;
use super::procedures::Procedures;
use super::reuse::Reuse;
use super::safety::{End, Safety};
use super::scalar::{Integer, Scalar};
use super::spot::Spot;
use super::storage::Singles;
use super::threads::Threads;
use super::walk::Site;
use crate::hir::{LabelId, Program, TypeId};

/// A translation under way.
pub(super) struct Lowering<'h> {
    pub(super) program: &'h Program,
    pub(super) options: &'h LowerOptions,
    pub(super) arith: Arith<'h>,
    pub(super) calls: &'h CallTree,
    pub(super) points: &'h PointsTo,
    pub(super) unions: &'h UnionUse,
    pub(super) singles: &'h Singles,
    pub(super) out: Emission<'h>,
    pub(super) objects: Objects<'h>,
    pub(super) scope: Scope,
    pub(super) approximations: Approximations,
    pub(super) purity: FxHashMap<Site, bool>,
    /// The last call whose result is not used.
    pub(super) ignored: Option<Site>,
    /// The conditions under which the program evaluates the operand that is being translated.
    pub(super) guards: Vec<ExprId>,
    /// What copies of functions read and write.
    pub(super) summaries: FxHashMap<FrameId, Rc<Effects>>,
    /// How many choices of an evaluation order enclose this point.
    pub(super) num_open_orders: u32,
    pub(super) safety: Safety,
    pub(super) shadows: Shadows,
    pub(super) reuse: Reuse,
    pub(super) procedures: Procedures,
    pub(super) threads: Threads,
}

/// What is known inside a copy of a function.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) labels: BTreeMap<LabelId, LocId>,
    /// Where `return` leads.
    pub(super) return_to: Option<LocId>,
    pub(super) breaks: Vec<LocId>,
    pub(super) continues: Vec<LocId>,
    /// The targets of the cases of enclosing `switch` statements.
    pub(super) cases: FxHashMap<Site, LocId>,
    /// Whether control may jump backwards, by `goto`.
    pub(super) may_jump_back: bool,
    /// The blocks that end with the function.
    pub(super) blocks: Vec<ExprId>,
    /// Where blocks are allocated that end with the function and are not all known.
    pub(super) has_many_blocks: Option<Span>,
    /// How many statement expressions enclose this point.
    pub(super) num_expressions: u32,
}

impl<'h> Lowering<'h> {
    pub(super) fn store(&self) -> &'h Store {
        self.arith.store
    }

    /// The program ends here.
    pub(super) fn finish_program(&mut self, end: End, span: Span) {
        self.check_end(end, span);
        self.out.graph.tell(self.out.frame, span, Event::End);
        let end = self.out.end;
        self.out.go(end);
    }

    /// A new variable that is not a program variable.
    pub(super) fn auxiliary(&mut self, name: &str, sort: Sort, origin: VarOrigin) -> VarId {
        self.objects.auxiliary(self.out.frame, name, sort, origin)
    }

    /// The current value of a term, copied to a variable.
    pub(super) fn freeze(&mut self, term: ExprId, span: Span) -> ExprId {
        let store = self.store();
        if store.is_literal(term) {
            return term;
        }
        let var = self.auxiliary("tmp", store.sort(term), VarOrigin::Temporary);
        self.out.emit(StmtKind::Assign(var, term), span, Event::Silent);
        store.var_expr(var)
    }

    /// An arbitrary value of a scalar type.
    pub(super) fn arbitrary(&mut self, scalar: Scalar, span: Span) -> ExprId {
        let sort = self.arith.sort(scalar);
        let var = self.auxiliary("any", sort, VarOrigin::Input(scalar));
        self.havoc(var, scalar, span, Event::Silent);
        self.store().var_expr(var)
    }

    /// Gives a variable an arbitrary value of its type.
    pub(super) fn havoc(&mut self, var: VarId, scalar: Scalar, span: Span, event: Event) {
        self.out.emit(StmtKind::Havoc(var), span, event);
        if let Some(range) = self.arith.in_range(scalar, self.store().var_expr(var)) {
            self.out.emit(StmtKind::Assume(range), span, Event::Silent);
        }
    }

    /// The scalar that a type is.
    pub(super) fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        Scalar::of(&self.program.types, ty)
    }

    /// A place for an intermediate value of any type that can be split.
    pub(super) fn temporary_spot(&mut self, ty: TypeId) -> Option<Spot> {
        let storage = self.objects.temporary(self.out.frame, ty)?;
        Some(Spot::Part { storage, index: None, reach: self.reach_of(None, ty) })
    }

    /// Whether the property is about overflow of such integers.
    pub(super) fn checks_overflow(&self, integer: Integer) -> bool {
        match self.options.property {
            Property::NoOverflow => integer.is_signed,
            Property::NoUnsignedOverflow => !integer.is_signed,
            _ => false,
        }
    }
}
