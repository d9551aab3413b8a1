//! Step-by-step construction of an automaton.

use std::collections::BTreeMap;

use thetis_base::{IndexVec, Span};
use thetis_expr::{Store, VarId};

use super::{Cfa, Edge, EdgeId, LocId, Location, Stmt, ValidationError};

/// Collects the parts of a [`Cfa`].
#[derive(Clone, Debug)]
pub struct CfaBuilder {
    name: String,
    vars: Vec<VarId>,
    locations: IndexVec<LocId, Location>,
    edges: IndexVec<EdgeId, Edge>,
    initial: Option<LocId>,
    errors: Vec<LocId>,
    limits: BTreeMap<LocId, String>,
    finals: Vec<LocId>,
}

impl CfaBuilder {
    /// Nothing but a name.
    pub fn new(name: impl Into<String>) -> CfaBuilder {
        CfaBuilder {
            name: name.into(),
            vars: Vec::new(),
            locations: IndexVec::new(),
            edges: IndexVec::new(),
            initial: None,
            errors: Vec::new(),
            limits: BTreeMap::new(),
            finals: Vec::new(),
        }
    }

    /// Adds a variable.
    pub fn var(&mut self, var: VarId) {
        self.vars.push(var);
    }

    /// Adds a location.
    pub fn location(&mut self, name: impl Into<String>, span: Option<Span>) -> LocId {
        self.locations.push(Location { name: name.into(), span })
    }

    /// Adds an edge.
    pub fn edge(&mut self, source: LocId, target: LocId, stmt: Stmt, span: Option<Span>) -> EdgeId {
        self.edges.push(Edge { source, target, stmt, span })
    }

    /// Says where runs start.
    pub fn initial(&mut self, location: LocId) {
        self.initial = Some(location);
    }

    /// Says where they must not arrive.
    pub fn error(&mut self, location: LocId) {
        self.errors.push(location);
    }

    /// Says where the automaton stops to describe what it stands for, and why.
    pub fn limit(&mut self, location: LocId, reason: impl Into<String>) {
        self.limits.insert(location, reason.into());
    }

    /// Says where they end normally.
    pub fn final_location(&mut self, location: LocId) {
        self.finals.push(location);
    }

    /// The automaton, if it is well-formed over `store`.
    pub fn build(mut self, store: &Store) -> Result<Cfa, ValidationError> {
        let initial = self.initial.ok_or(ValidationError::NoInitialLocation)?;
        self.errors.sort_unstable();
        self.errors.dedup();
        let cfa = Cfa {
            name: self.name,
            vars: self.vars,
            locations: self.locations,
            edges: self.edges,
            initial,
            errors: self.errors,
            limits: self.limits,
            finals: self.finals,
            procedural: None,
        };
        cfa.validate(store)?;
        Ok(cfa)
    }
}
