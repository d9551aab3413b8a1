//! Statistics of the search.

use thetis_base::Statistics;

use super::questions::Purpose;

#[derive(Clone, Default, Debug)]
pub(super) struct CfaIc3Stats {
    pub(super) iterations: u64,
    pub(super) queries: u64,
    pub(super) generalisation_queries: u64,
    pub(super) moving_queries: u64,
    pub(super) termination_queries: u64,
    /// Questions about obligations and edges to error locations that had a model.
    pub(super) satisfiable: u64,
    pub(super) undecided: u64,
    /// Queries answered from the cache.
    pub(super) cached: u64,
    pub(super) obligations: u64,
    /// Obligations that were processed again in a later iteration.
    pub(super) reused: u64,
    /// Obligations that a frame already excluded when they were processed.
    pub(super) covered: u64,
    /// Obligations that were excluded at a higher level without a query.
    pub(super) skipped: u64,
    /// Edges into obligations that needed no query because their sources had not changed.
    pub(super) skipped_edges: u64,
    /// Obligations that were excluded at a higher level by the same cube.
    pub(super) excluded_again: u64,
    pub(super) cubes: u64,
    pub(super) dropped_literals: u64,
    pub(super) weakened_literals: u64,
    pub(super) ctgs: u64,
    /// Families of cubes that differ in constants only, and those that were replaced by one cube.
    pub(super) divergent: u64,
    pub(super) widened: u64,
    pub(super) drifts: u64,
    /// Inputs whose value in a model went into a cube.
    pub(super) fixed_inputs: u64,
    /// Learned cubes that only fix the values of variables.
    pub(super) point_cubes: u64,
    pub(super) propagations: u64,
    pub(super) propagated: u64,
    pub(super) pushes: u64,
    pub(super) pushed: u64,
    pub(super) pruned: u64,
    /// The number of edges on elementary cycles, if a criterion needs it.
    pub(super) cycle_sum: Option<u64>,
    pub(super) stable_iterations: u64,
    /// How often a criterion by cycles started a search for an inductive frame, and whether it found one.
    pub(super) criterion_checks: u64,
    pub(super) criterion_stops: u64,
    pub(super) lemmas: u64,
}

impl CfaIc3Stats {
    pub(super) fn count_query(&mut self, purpose: Purpose) {
        self.queries += 1;
        match purpose {
            Purpose::Blocking => {}
            Purpose::Generalisation => self.generalisation_queries += 1,
            Purpose::Moving => self.moving_queries += 1,
            Purpose::Termination => self.termination_queries += 1,
        }
    }

    pub(super) fn report(&self) -> Statistics {
        let generalisation = Statistics::new("generalisation")
            .count("dropped-literals", self.dropped_literals)
            .count("weakened-literals", self.weakened_literals)
            .count("counterexamples-to-generalisation", self.ctgs)
            .count("divergent", self.divergent)
            .count("widened", self.widened)
            .count("drifts", self.drifts)
            .count("fixed-inputs", self.fixed_inputs)
            .count("point-cubes", self.point_cubes);
        let savings = Statistics::new("savings")
            .count("reused", self.reused)
            .count("covered", self.covered)
            .count("skipped", self.skipped)
            .count("skipped-edges", self.skipped_edges)
            .count("excluded-again", self.excluded_again)
            .count("cached", self.cached)
            .count("pruned", self.pruned);
        let pushing = Statistics::new("pushing")
            .count("propagations", self.propagations)
            .count("propagated", self.propagated)
            .count("pushes", self.pushes)
            .count("pushed", self.pushed);
        let mut termination =
            Statistics::new("termination").count("stable-iterations", self.stable_iterations);
        if let Some(sum) = self.cycle_sum {
            termination = termination.count("cycle-sum", sum);
        }
        let termination =
            termination.count("checks", self.criterion_checks).count("stops", self.criterion_stops);
        Statistics::new("ic3")
            .count("iterations", self.iterations)
            .count("obligations", self.obligations)
            .count("cubes", self.cubes)
            .count("lemmas", self.lemmas)
            .count("queries", self.queries)
            .count("to-generalise", self.generalisation_queries)
            .count("to-move", self.moving_queries)
            .count("to-terminate", self.termination_queries)
            .count("satisfiable", self.satisfiable)
            .count("undecided", self.undecided)
            .part(generalisation)
            .part(savings)
            .part(pushing)
            .part(termination)
    }
}
