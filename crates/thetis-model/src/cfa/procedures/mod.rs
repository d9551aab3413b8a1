//! Automata with procedures, for programs that call themselves.
//!
//! An automaton has no stack, so a front end copies a function to each of its calls. Where a function calls itself that has
//! no end: the copies stop at a bound, and beyond it the automaton no longer models the program. A [`Procedural`] automaton
//! has each such function once, as a *procedure*.
//!
//! Its states are stacks of activations. An activation is at a location and has values of its own for the *local*
//! variables; the other variables are *shared*. The edges are those of [`Procedural::cfa`], taken by the topmost
//! activation. A call is a location without outgoing edges. From there a new activation starts at the entry of the callee, with
//! **arbitrary** values of its local variables; when it is at the exit of the callee, it may end, and the activation below
//! goes on at the target of the call with the local variables as it left them. So arguments and results are passed in shared
//! variables. The property is that no activation of any run arrives at an error location or at a limit.
//!
//! Proofs are [contracts](Contracts): what holds of the shared variables when a procedure is called, and how their values
//! at the exit are related to those at the entry. With contracts, every procedure can be looked at by itself: see
//! [`Procedural::with_contracts`].

mod contracts;
mod copies;
mod deep;
mod validate;

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, define_index_type};
use thetis_expr::{Store, VarId};

use super::{Cfa, Graph, LocId, StmtKind};

pub use contracts::{Contract, ContractProof, ContractsError, Snapshots};
pub use copies::{CopiedEdge, Copies};
pub use deep::{DeepEnd, DeepRun, ExploredRun};

define_index_type! {
    /// A procedure of a [`Procedural`] automaton.
    pub struct ProcedureId = u32;
}

/// An automaton with procedures. See the [module](self).
#[derive(Clone, Debug)]
pub struct Procedural {
    /// The edges of all procedures and of what runs first. Calls are limits here, for those who know no procedures.
    pub cfa: Cfa,
    /// The procedures.
    pub procedures: IndexVec<ProcedureId, Procedure>,
    /// The calls, by their locations.
    pub calls: BTreeMap<LocId, ProcedureCall>,
    /// The variables of which every activation has its own.
    pub locals: BTreeSet<VarId>,
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// Its name, unique in the automaton.
    pub name: String,
    /// Where an activation starts.
    pub entry: LocId,
    /// Where it ends.
    pub exit: LocId,
}

/// A call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcedureCall {
    /// What is called.
    pub callee: ProcedureId,
    /// Where the caller goes on.
    pub target: LocId,
}

impl Procedural {
    /// The shared variables that an activation of each procedure may change, itself or by what it calls.
    pub fn modified(&self) -> IndexVec<ProcedureId, BTreeSet<VarId>> {
        let bodies: IndexVec<ProcedureId, Body> =
            self.procedures.iter().map(|procedure| self.body(procedure.entry)).collect();
        let mut modified: IndexVec<ProcedureId, BTreeSet<VarId>> =
            bodies.iter().map(|body| body.writes.clone()).collect();
        loop {
            let mut is_stable = true;
            for (procedure, body) in bodies.iter_enumerated() {
                let called: Vec<VarId> =
                    body.callees.iter().flat_map(|callee| modified[*callee].iter().copied()).collect();
                let known = modified[procedure].len();
                modified[procedure].extend(called);
                is_stable &= modified[procedure].len() == known;
            }
            if is_stable {
                return modified;
            }
        }
    }

    /// The locations that an activation which starts at `entry` can be at.
    pub fn locations_from(&self, entry: LocId) -> BTreeSet<LocId> {
        let graph = Graph::new(&self.cfa);
        let mut found = BTreeSet::from([entry]);
        let mut pending = vec![entry];
        while let Some(location) = pending.pop() {
            let edges = graph.outgoing(location).iter().map(|edge| self.cfa.edges[*edge].target);
            let returns = self.calls.get(&location).map(|call| call.target);
            pending.extend(edges.chain(returns).filter(|target| found.insert(*target)));
        }
        found
    }

    /// What an activation does that starts at `entry`.
    fn body(&self, entry: LocId) -> Body {
        let locations = self.locations_from(entry);
        let mut body = Body::default();
        body.callees.extend(locations.iter().filter_map(|at| self.calls.get(at)).map(|call| call.callee));
        let edges = self.cfa.edges.iter().filter(|edge| locations.contains(&edge.source));
        for stmt in edges.flat_map(|edge| edge.stmt.walk()) {
            match stmt.kind {
                StmtKind::Assign(var, _) | StmtKind::Havoc(var) if !self.locals.contains(&var) => {
                    body.writes.insert(var);
                }
                StmtKind::Assign(..)
                | StmtKind::Havoc(_)
                | StmtKind::Assume(_)
                | StmtKind::Seq(_)
                | StmtKind::Choice(_) => {}
            }
        }
        body
    }

    /// The variables that hold the values which shared variables had at an entry, or before a call; they are declared in
    /// `store` under names that depend on nothing else.
    pub fn snapshots(&self, store: &Store) -> Result<Snapshots, ContractsError> {
        Snapshots::new(self, store)
    }
}

/// What one procedure does without its callees.
#[derive(Default)]
struct Body {
    writes: BTreeSet<VarId>,
    callees: BTreeSet<ProcedureId>,
}
