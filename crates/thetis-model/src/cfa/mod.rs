//! Control-flow automata: locations, and edges with statements over variables.
//!
//! A state is a location with a value for every variable. A run starts in the initial location with **arbitrary**
//! values and follows edges whose statements can be executed. The model is unsafe if a run reaches an error
//! location. Edges into, out of and between error locations are allowed; parallel edges count.
//!
//! An automaton that stands for something else, such as a program, may describe only a part of it. Where the description
//! stops there is a *limit*: a location at which runs end, with the reason. What would happen after it is not known, so a
//! run that ends there violates nothing, and a proof of safety has to show that no run arrives there.

mod blocks;
mod bounds;
mod builder;
mod dot;
mod evidence;
mod facts;
mod graph;
mod inputs;
mod interpreter;
mod leap;
mod limits;
mod liveness;
mod plain;
mod procedures;
mod prune;
mod question;
pub mod ranges;
mod scalars;
mod shared_map;
mod slice;
mod stmt;
mod symbolic;
mod to_sts;
mod unfold;
mod validate;
mod var_set;
mod weak_order;
mod wraps;

use std::collections::BTreeMap;
use std::sync::Arc;

use thetis_base::{IndexVec, Span, define_index_type};
use thetis_expr::VarId;

use crate::Model;

pub use blocks::{BlockEncoding, Blocks};
pub use builder::CfaBuilder;
pub use dot::{dot, dot_label, dot_quote};
pub use evidence::{CfaInvariants, CfaProof, CfaStep, CfaTrace, CfaUnwinding, LongRuns, Rounds};
pub use facts::{Inject, known_invariants, known_predicates, wanted_locations};
pub use graph::Graph;
pub use interpreter::{Interpreter, State, StepError};
pub use leap::{EDGES_OF_ROUNDS, Leap, RoundStep, last_round};
pub use limits::LimitsAsErrors;
pub use liveness::live_at_start;
pub use plain::with_plain_inputs;
pub use procedures::{
    Contract, ContractProof, ContractsError, CopiedEdge, Copies, DeepEnd, DeepRun, ExploredRun, Procedural,
    Procedure, ProcedureCall, ProcedureId, Snapshots,
};
pub use prune::Prune;
pub use question::{CfaProperty, ProgramQuestion};
pub use ranges::Ranges;
pub use scalars::Scalars;
pub use slice::Slice;
pub use stmt::{Stmt, StmtKind};
pub use symbolic::{Executed, Input, Inventor, SymbolicState};
pub use to_sts::{ToBoundedSts, ToSts};
pub use unfold::Unfold;
pub use validate::ValidationError;
pub use weak_order::WeakOrder;
pub use wraps::WithoutWraps;

define_index_type! {
    /// A location of a [`Cfa`].
    pub struct LocId = u32;
}

define_index_type! {
    /// An edge of a [`Cfa`].
    pub struct EdgeId = u32;
}

/// A control-flow automaton. Built with [`CfaBuilder`]; [`Cfa::validate`] holds for every one that is built.
#[derive(Clone, Debug)]
pub struct Cfa {
    /// The name of the process.
    pub name: String,
    /// The variables, in the order of declaration.
    pub vars: Vec<VarId>,
    /// The locations.
    pub locations: IndexVec<LocId, Location>,
    /// The edges.
    pub edges: IndexVec<EdgeId, Edge>,
    /// Where runs start.
    pub initial: LocId,
    /// Where they must not arrive; in ascending order.
    pub errors: Vec<LocId>,
    /// Where the automaton stops to describe what it stands for, and why, in words that name the place. Limits are no
    /// error locations, and no edge leaves them.
    pub limits: BTreeMap<LocId, String>,
    /// Where a program ends normally, if the model says so; without influence on the semantics.
    pub finals: Vec<LocId>,
    /// The same with procedures, if what the automaton stands for calls itself: if that is safe, no run of what the
    /// automaton stands for violates the property. Passes keep it as it is.
    pub procedural: Option<Arc<Procedural>>,
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its name, unique in the automaton.
    pub name: String,
    /// Where it comes from.
    pub span: Option<Span>,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: LocId,
    /// Where it leads.
    pub target: LocId,
    /// What happens on it.
    pub stmt: Stmt,
    /// Where it comes from.
    pub span: Option<Span>,
}

impl Model for Cfa {
    type Property = CfaProperty;
    type Trace = CfaTrace;
    type Proof = CfaProof;
}

impl Cfa {
    /// Whether `location` is an error location.
    pub fn is_error(&self, location: LocId) -> bool {
        self.errors.binary_search(&location).is_ok()
    }

    /// Whether a proof has to show that no run arrives at `location`: it is an error location or a limit.
    pub fn is_forbidden(&self, location: LocId) -> bool {
        self.is_error(location) || self.limits.contains_key(&location)
    }

    /// The error locations and the limits, in ascending order.
    pub fn forbidden(&self) -> Vec<LocId> {
        let mut forbidden: Vec<LocId> = self.errors.iter().chain(self.limits.keys()).copied().collect();
        forbidden.sort_unstable();
        forbidden
    }

    /// The location called `name`.
    pub fn location(&self, name: &str) -> Option<LocId> {
        self.locations.position(|location| location.name == name)
    }
}
