//! The pass `limits`: an automaton whose limits are error locations, for engines that know only these.
//!
//! Runs and locations stay the same. What excludes the error locations of the new automaton excludes error locations and
//! limits of the old one, so proofs are kept as they are. A run may end at a limit; then it is no violation, and it is for
//! the caller to see that.

use std::collections::BTreeMap;

use thetis_base::{Run, Stop};
use thetis_expr::Store;

use super::{Cfa, CfaInvariants, CfaProof, CfaTrace, CfaUnwinding, LocId};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// The pass. See the [module](self).
#[derive(Clone, Copy, Default, Debug)]
pub struct LimitsAsErrors;

impl Pass<Cfa> for LimitsAsErrors {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "limits"
    }

    fn apply(&self, mut task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Cfa>, Stop> {
        run.checkpoint()?;
        task.model.errors = task.model.forbidden();
        task.model.limits.clear();
        Ok(Passed { task, lift: Box::new(SameLocations) })
    }
}

impl Cfa {
    /// The limits under their new names, as far as they have one.
    pub(super) fn renamed_limits(
        &self,
        renamed: impl Fn(&LocId) -> Option<LocId>,
    ) -> BTreeMap<LocId, String> {
        let limits = self.limits.iter().filter_map(|(limit, reason)| Some((renamed(limit)?, reason.clone())));
        limits.collect()
    }

    /// Why `trace` violates nothing, if it ends at a limit.
    pub fn limit_of(&self, trace: &CfaTrace) -> Option<&str> {
        let end = trace.steps.last().map_or(self.initial, |step| self.edges[step.edge].target);
        self.limits.get(&end).map(String::as_str)
    }
}

/// Brings the terms of a proof home.
struct SameLocations;

impl Lift<Cfa, Cfa> for SameLocations {
    fn trace(&self, trace: CfaTrace) -> CfaTrace {
        trace
    }

    fn proof(&self, task: &Task<Cfa>, inner: &Store, proof: CfaProof) -> Evidence<CfaProof> {
        Evidence::Given(match proof {
            CfaProof::Invariants(invariants) => CfaProof::Invariants(at_home(invariants, &task.store, inner)),
            CfaProof::Unwinding(unwinding) => CfaProof::Unwinding(CfaUnwinding {
                lemmas: at_home(unwinding.lemmas, &task.store, inner),
                ..unwinding
            }),
            exhaustion @ CfaProof::Exhaustion { .. } => exhaustion,
            CfaProof::Contracts(proof) => CfaProof::Contracts(proof.at_home(&task.store, inner)),
        })
    }
}

fn at_home(invariants: CfaInvariants, store: &Store, inner: &Store) -> CfaInvariants {
    let cells = invariants.cells_in(store, inner);
    let formulas = invariants.formulas.into_iter();
    let formulas = formulas.map(|(location, formula)| (location, store.import(inner, formula))).collect();
    CfaInvariants { formulas, cells, ..invariants }
}
