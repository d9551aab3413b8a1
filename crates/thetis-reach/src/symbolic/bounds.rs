//! How many tokens a place can hold, by weighted sums that no firing increases.
//!
//! Let `y` be natural numbers, one for each place, with `y·C(t) <= 0` for every transition `t`, where `C(t)` is what a firing
//! changes. Then `y·m <= y·m0` in every reachable marking `m`, and a place with `y(p) > 0` never holds more than
//! `y·m0 / y(p)` tokens. If all `y·C(t)` are zero, the sum is even constant: a place invariant.
//!
//! For each place that has no bound yet, an integer program looks for a `y` of small sum with `y(p) >= 1`. One solution
//! bounds all places in it, so there are fewer programs than places. A place without a solution, or for which none is
//! found within the limits, is treated as unbounded. Solutions are checked exactly by the integer solver; the proofs
//! that use them are checked once more by the checker.

use thetis_base::{IndexVec, Run, Share, Stop};
use thetis_ilp::{IlpAnswer, IlpConfig, IlpSolver, Problem, Relation as RowRelation, Row};
use thetis_model::petri::{Comparison, Net, PlaceId, Predicate, Relation, Sum, TransitionId};

/// The part of the time that the search for bounds may take.
const SHARE: u32 = 25;

/// What is known about token counts.
pub(super) struct Bounds {
    /// The greatest number of tokens of each place, where one is known.
    of: IndexVec<PlaceId, Option<u64>>,
    balances: Vec<Comparison>,
}

impl Bounds {
    /// The bounds that can be found in a part of the time.
    pub(super) fn find(net: &Net, run: &Run) -> Result<Bounds, Stop> {
        let mut bounds = Bounds { of: net.place_ids().map(|_| None).collect(), balances: Vec::new() };
        let slice = run.slice(Share::percent(SHARE));
        match bounds.search(net, &slice) {
            // Places without a known bound by now count as unbounded.
            Ok(()) | Err(Stop::OutOfTime) => run.checkpoint()?,
            Err(stop) => return Err(stop),
        }
        Ok(bounds)
    }

    /// The greatest number of tokens of `place`, if one is known.
    pub(super) fn of(&self, place: PlaceId) -> Option<u64> {
        self.of[place]
    }

    /// The weighted sums that are constant or never grow, compared with what they are at the start.
    pub(super) fn balances(&self) -> &[Comparison] {
        &self.balances
    }

    /// The same as predicates.
    pub(super) fn into_predicates(self) -> Vec<Predicate> {
        self.balances.into_iter().map(Predicate::Compare).collect()
    }

    fn search(&mut self, net: &Net, run: &Run) -> Result<(), Stop> {
        let mut problem = Problem::new(net.places().len());
        let mut rows: Vec<Row> = net.transition_ids().map(|transition| row(net, transition)).collect();
        rows.sort_by(|one, other| one.terms().cmp(other.terms()));
        rows.dedup();
        rows.into_iter().for_each(|row| problem.add(row));
        problem.share_rows();
        // A refutation is of no use here, so no effort is made for one.
        let config =
            IlpConfig { max_nodes: 100, max_leaves: 1, max_pivots: 0, max_table: 0, ..IlpConfig::default() };
        let mut solver = IlpSolver::new(config, None);
        for place in net.place_ids() {
            run.checkpoint()?;
            if self.of[place].is_some() {
                continue;
            }
            let asked = problem.with(Row::at_least(place.index() as u32, 1));
            if let IlpAnswer::Feasible(weights) = solver.minimise(&asked, run)? {
                self.learn(net, &weights);
            }
        }
        Ok(())
    }

    /// The bounds and the comparison of one solution; numbers beyond 64 bits are left alone.
    fn learn(&mut self, net: &Net, weights: &[u64]) {
        let Some((sum, total)) = weighted(net, weights) else { return };
        for (place, weight) in sum.terms() {
            let bound = total as u64 / *weight as u64;
            let known = &mut self.of[*place];
            *known = Some(known.map_or(bound, |old| old.min(bound)));
        }
        let change = |transition| -> i128 {
            let effect = net.effect(transition).iter();
            effect.map(|change| i128::from(change.delta) * i128::from(weights[change.place.index()])).sum()
        };
        let is_constant = net.transition_ids().all(|transition| change(transition) == 0);
        let relation = if is_constant { Relation::Equal } else { Relation::AtMost };
        self.balances.push(Comparison { sum, relation, bound: total });
    }
}

/// `y·C(transition) <= 0`.
fn row(net: &Net, transition: TransitionId) -> Row {
    let effect = net.effect(transition).iter();
    Row::new(effect.map(|change| (change.place.index() as u32, change.delta)), RowRelation::AtMost, 0)
}

/// The sum with these weights, and its value at the start.
fn weighted(net: &Net, weights: &[u64]) -> Option<(Sum, i64)> {
    let mut terms = Vec::new();
    let mut total = 0i64;
    for (place, weight) in net.place_ids().zip(weights).filter(|(_, weight)| **weight > 0) {
        let weight = i64::try_from(*weight).ok()?;
        let initial = i64::try_from(net.places()[place].initial).ok()?;
        total = total.checked_add(weight.checked_mul(initial)?)?;
        terms.push((place, weight));
    }
    Some((Sum::new(terms).ok()?, total))
}

#[cfg(test)]
mod tests {
    use thetis_model::petri::NetBuilder;
    use thetis_testkit::petri::{philosophers, ring};

    use super::*;

    fn bounds(net: &Net) -> Vec<Option<u64>> {
        let bounds = Bounds::find(net, &Run::unlimited()).expect("an unlimited run should end");
        net.place_ids().map(|place| bounds.of(place)).collect()
    }

    #[test]
    fn conserved_tokens_bound_places() {
        assert!(bounds(&ring(5, 3)).iter().all(|bound| *bound == Some(3)));
        assert!(bounds(&philosophers(3)).iter().all(|bound| *bound == Some(1)));
    }

    #[test]
    fn sums_that_fall_bound_too_and_growing_places_stay_free() {
        let mut builder = NetBuilder::new("n");
        let places =
            [("p", 1), ("q", 0), ("r", 7), ("s", 0)].map(|(name, tokens)| builder.place(name, tokens));
        let [p, q, r, s] = places;
        let t = builder.transition("t");
        for (place, taken, given) in [(p, 1, 1), (q, 0, 1), (r, 2, 0), (s, 0, 1)] {
            if taken > 0 {
                builder.input(t, place, taken);
            }
            if given > 0 {
                builder.output(t, place, given);
            }
        }
        let u = builder.transition("u");
        builder.output(u, s, 1);
        let net = builder.build().expect("the net should be right");
        // The sum `q + r` never grows; the tighter `2 * q + r` is not looked for. Nothing limits `u`.
        assert_eq!(bounds(&net), [Some(1), Some(7), Some(7), None]);
    }
}
