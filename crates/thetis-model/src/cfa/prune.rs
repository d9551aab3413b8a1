//! The pass `prune`: drops what no run to an error location can visit.
//!
//! Kept are the locations that can be reached from the initial one and from which an error location can be reached,
//! as far as the graph shows, and the edges between them except those that leave error locations. Statements are not
//! looked at. Limits count as error locations. Traces only need their edges renamed; in a proof the dropped locations that lead to no error location get `true`,
//! the unreachable ones `false`.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Store};

use super::{Cfa, CfaInvariants, CfaProof, CfaTrace, CfaUnwinding, EdgeId, Graph, LocId};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// The pass. See the [module](self).
#[derive(Clone, Copy, Default, Debug)]
pub struct Prune;

impl Pass<Cfa> for Prune {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "prune"
    }

    fn apply(&self, task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Cfa>, Stop> {
        run.checkpoint()?;
        let keep = Keep::new(&task.model);
        let (model, lift) = keep.apply(&task.model);
        Ok(Passed { task: Task { store: task.store, model, property: task.property }, lift: Box::new(lift) })
    }
}

/// What stays.
struct Keep {
    is_reachable: IndexVec<LocId, bool>,
    leads_to_error: IndexVec<LocId, bool>,
}

impl Keep {
    fn new(cfa: &Cfa) -> Keep {
        let graph = Graph::new(cfa);
        let mut is_reachable: IndexVec<LocId, bool> = cfa.locations.iter().map(|_| false).collect();
        for location in graph.topological_order() {
            is_reachable[*location] = true;
        }
        Keep { is_reachable, leads_to_error: graph.reaching(cfa, &cfa.forbidden()) }
    }

    /// The initial location stays in any case.
    fn keeps(&self, cfa: &Cfa, location: LocId) -> bool {
        location == cfa.initial || self.is_reachable[location] && self.leads_to_error[location]
    }

    fn apply(self, cfa: &Cfa) -> (Cfa, PruneLift) {
        let old_locations: IndexVec<LocId, LocId> =
            cfa.locations.indices().filter(|location| self.keeps(cfa, *location)).collect();
        let new_locations: BTreeMap<LocId, LocId> =
            old_locations.iter_enumerated().map(|(new, old)| (*old, new)).collect();
        let renamed = |location: &LocId| new_locations.get(location).copied();
        let mut edges = IndexVec::new();
        let mut old_edges = IndexVec::new();
        for (id, edge) in cfa.edges.iter_enumerated() {
            let (Some(source), Some(target)) = (renamed(&edge.source), renamed(&edge.target)) else {
                continue;
            };
            if self.leads_to_error[edge.target] && !cfa.is_forbidden(edge.source) {
                edges.push(super::Edge { source, target, ..edge.clone() });
                old_edges.push(id);
            }
        }
        let model = Cfa {
            name: cfa.name.clone(),
            vars: cfa.vars.clone(),
            locations: old_locations.iter().map(|old| cfa.locations[*old].clone()).collect(),
            edges,
            initial: new_locations[&cfa.initial],
            errors: cfa.errors.iter().filter_map(renamed).collect(),
            limits: cfa.renamed_limits(renamed),
            finals: cfa.finals.iter().filter_map(renamed).collect(),
            procedural: cfa.procedural.clone(),
        };
        let unreachable = self.is_reachable.iter_enumerated().filter(|(_, is_reachable)| !**is_reachable);
        let unreachable = unreachable.map(|(location, _)| location).collect();
        (model, PruneLift { old_locations, old_edges, unreachable })
    }
}

struct PruneLift {
    old_locations: IndexVec<LocId, LocId>,
    old_edges: IndexVec<EdgeId, EdgeId>,
    unreachable: Vec<LocId>,
}

impl Lift<Cfa, Cfa> for PruneLift {
    fn trace(&self, mut trace: CfaTrace) -> CfaTrace {
        for step in &mut trace.steps {
            step.edge = self.old_edges[step.edge];
        }
        trace
    }

    fn proof(&self, task: &Task<Cfa>, inner: &Store, proof: CfaProof) -> Evidence<CfaProof> {
        Evidence::Given(match proof {
            CfaProof::Invariants(invariants) => {
                CfaProof::Invariants(self.invariants(task, inner, &invariants))
            }
            CfaProof::Unwinding(unwinding) => CfaProof::Unwinding(self.unwinding(task, inner, unwinding)),
            // What is pruned is never looked at by whoever follows runs.
            exhaustion @ CfaProof::Exhaustion { .. } => exhaustion,
            CfaProof::Contracts(proof) => CfaProof::Contracts(proof.at_home(&task.store, inner)),
        })
    }
}

impl PruneLift {
    fn unwinding(&self, task: &Task<Cfa>, inner: &Store, unwinding: CfaUnwinding) -> CfaUnwinding {
        // Without lemmas, what cannot be reached does not matter.
        let lemmas = match unwinding.lemmas.is_empty() {
            true => CfaInvariants::default(),
            false => self.invariants(task, inner, &unwinding.lemmas),
        };
        CfaUnwinding { cuts: self.edges(&unwinding.cuts), lemmas, ..unwinding }
    }

    fn invariants(&self, task: &Task<Cfa>, inner: &Store, invariants: &CfaInvariants) -> CfaInvariants {
        let derived = invariants.derived.iter().map(|location| self.old_locations[*location]);
        CfaInvariants {
            cells: invariants.cells_in(&task.store, inner),
            formulas: self.formulas(task, inner, &invariants.formulas),
            derived: derived.collect(),
            blocked: self.edges(&invariants.blocked),
        }
    }

    fn edges(&self, edges: &BTreeSet<EdgeId>) -> BTreeSet<EdgeId> {
        edges.iter().map(|edge| self.old_edges[*edge]).collect()
    }

    /// The formulas at home, where nothing is left of what is dropped and unreachable.
    fn formulas(
        &self,
        task: &Task<Cfa>,
        inner: &Store,
        formulas: &BTreeMap<LocId, ExprId>,
    ) -> BTreeMap<LocId, ExprId> {
        let home = |formula| task.store.import(inner, formula);
        let kept = formulas.iter().map(|(at, formula)| (self.old_locations[*at], home(*formula)));
        let dropped = self.unreachable.iter().map(|location| (*location, task.store.fals()));
        kept.chain(dropped).collect()
    }
}
