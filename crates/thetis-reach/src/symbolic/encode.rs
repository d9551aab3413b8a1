//! The variables, constraints and functions of the transition system of a net. The idea is in the [module](super).

use std::collections::BTreeMap;

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::petri::{Arc, Comparison, Net, PlaceId, Predicate, Relation, Sum, TransitionId};
use thetis_model::sts::{Sts, StsBuilder};

use super::bounds::Bounds;
use super::counting;

/// Sums with more terms than this are avoided: engines that calculate with bits would make wide words of them.
const MAX_TERMS: usize = 16;
/// Factors up to this are written as repeated additions, which engines on bits know, others as products.
const MAX_REPEATED: u64 = 16;

/// The variable for the tokens of a place.
#[derive(Clone, Copy)]
enum Count {
    /// A Boolean: whether there is a token; there is never more than one.
    Bit(VarId),
    /// An integer.
    Number(VarId),
}

/// The variables of the system.
pub(super) struct Encoding<'t> {
    store: &'t Store,
    net: &'t Net,
    counts: IndexVec<PlaceId, Count>,
    /// Whether a step fires a transition.
    fires: IndexVec<TransitionId, VarId>,
}

impl<'t> Encoding<'t> {
    /// Declares the variables.
    pub(super) fn new(store: &'t Store, net: &'t Net, bounds: &Bounds) -> Encoding<'t> {
        let count = |place: PlaceId| {
            let name = format!("p{}", place.index());
            match bounds.of(place) {
                Some(0 | 1) => Count::Bit(store.declare(&name, Sort::Bool)),
                _ => Count::Number(store.declare(&name, Sort::Int)),
            }
        };
        let fires = |transition: TransitionId| store.declare(&format!("t{}", transition.index()), Sort::Bool);
        Encoding {
            store,
            net,
            counts: net.place_ids().map(count).collect(),
            fires: net.transition_ids().map(fires).collect(),
        }
    }

    /// Which place a variable counts.
    pub(super) fn place_of_var(&self) -> BTreeMap<VarId, PlaceId> {
        let var = |count: &Count| match count {
            Count::Bit(var) | Count::Number(var) => *var,
        };
        self.counts.iter_enumerated().map(|(place, count)| (var(count), place)).collect()
    }

    /// The system whose bad steps start in markings with `target`.
    pub(super) fn system(&self, target: &Predicate, bounds: &Bounds, run: &Run) -> Result<Sts, Stop> {
        let mut builder = StsBuilder::new(self.net.name());
        for place in self.net.place_ids() {
            run.checkpoint()?;
            self.add_place(&mut builder, place, bounds.of(place));
        }
        for transition in self.net.transition_ids() {
            builder.input(self.fires[transition]);
            self.add_enabling(&mut builder, transition);
        }
        for balance in bounds.balances().iter().filter(|balance| self.is_cheap(balance)) {
            builder.constraint(self.compare(balance));
        }
        builder.bad(self.predicate(target));
        Ok(builder.build(self.store).expect("the system of a net should be well-formed"))
    }

    fn add_place(&self, builder: &mut StsBuilder, place: PlaceId, bound: Option<u64>) {
        let store = self.store;
        let initial = self.net.places()[place].initial;
        match self.counts[place] {
            Count::Bit(var) => {
                builder.var(var);
                let term = store.var_expr(var);
                builder.init(if initial > 0 { term } else { store.not(term) });
                builder.next(store, var, self.next_bit(place, term));
            }
            Count::Number(var) => {
                builder.var(var);
                let term = store.var_expr(var);
                builder.init(store.eq(term, store.int(initial)));
                builder.constraint(store.le(store.int(0), term));
                if let Some(bound) = bound {
                    builder.constraint(store.le(term, store.int(bound)));
                }
                builder.next(store, var, self.next_number(place, term));
            }
        }
        builder.constraint(self.conflicts(place));
    }

    /// Whether so many firings change or need `place` that they are made to exclude each other.
    fn is_crowded(&self, place: PlaceId) -> bool {
        self.net.changers(place).len().max(self.net.consumers(place).len()) > MAX_TERMS
    }

    fn next_bit(&self, place: PlaceId, term: ExprId) -> ExprId {
        let store = self.store;
        let taken = store.or_all(self.net.consumers(place).iter().map(|link| self.fired(link.transition)));
        let given = store.or_all(self.net.producers(place).iter().map(|link| self.fired(link.transition)));
        store.or(store.and(term, store.not(taken)), given)
    }

    fn next_number(&self, place: PlaceId, term: ExprId) -> ExprId {
        let store = self.store;
        let changers = self.net.changers(place);
        if self.is_crowded(place) {
            return changers.iter().rev().fold(term, |otherwise, changer| {
                let changed = store.add(term, store.int(changer.delta));
                store.ite(self.fired(changer.transition), changed, otherwise)
            });
        }
        changers.iter().fold(term, |sum, changer| {
            let delta = store.ite(self.fired(changer.transition), store.int(changer.delta), store.int(0));
            store.add(sum, delta)
        })
    }

    /// That the firings of a step together take no more tokens from `place` than there are.
    fn conflicts(&self, place: PlaceId) -> ExprId {
        let store = self.store;
        let consumers = self.net.consumers(place);
        match self.counts[place] {
            Count::Number(var) if !self.is_crowded(place) => {
                if consumers.len() < 2 {
                    return store.tru();
                }
                let taken = consumers.iter().fold(store.int(0), |sum, link| {
                    let weight = store.ite(self.fired(link.transition), store.int(link.weight), store.int(0));
                    store.add(sum, weight)
                });
                store.le(taken, store.var_expr(var))
            }
            Count::Number(_) => {
                let changers = self.net.changers(place).iter().map(|changer| changer.transition);
                let mut all: Vec<TransitionId> =
                    changers.chain(consumers.iter().map(|link| link.transition)).collect();
                all.sort_unstable();
                all.dedup();
                self.at_most_one(all.into_iter().map(|transition| self.fired(transition)))
            }
            Count::Bit(_) => {
                // Those that put the token back need no order among each other.
                let effect = |transition: TransitionId| {
                    self.net.effect(transition).iter().any(|change| change.place == place)
                };
                let (takers, readers): (Vec<_>, Vec<_>) =
                    consumers.iter().map(|link| link.transition).partition(|transition| effect(*transition));
                let read = store.or_all(readers.into_iter().map(|transition| self.fired(transition)));
                self.at_most_one(takers.into_iter().map(|transition| self.fired(transition)).chain([read]))
            }
        }
    }

    /// By running disjunctions, in linear size.
    fn at_most_one(&self, formulas: impl Iterator<Item = ExprId>) -> ExprId {
        let store = self.store;
        let mut earlier = store.fals();
        let mut excluded = Vec::new();
        for formula in formulas {
            excluded.push(store.not(store.and(earlier, formula)));
            earlier = store.or(earlier, formula);
        }
        store.and_all(excluded)
    }

    /// That `transition` is enabled if it fires, and that no other firing of the step changes that by inhibition.
    fn add_enabling(&self, builder: &mut StsBuilder, transition: TransitionId) {
        let (store, net) = (self.store, self.net);
        let fired = self.fired(transition);
        builder.constraint(store.implies(fired, self.enabled(transition)));
        for arc in net.inhibitors(transition) {
            let others = net.changers(arc.place).iter().filter(|other| other.delta > 0);
            for other in others.filter(|other| other.transition != transition) {
                builder.constraint(store.not(store.and(fired, self.fired(other.transition))));
            }
        }
        // A place that never holds two tokens never gets two at once.
        let is_bit = |place: PlaceId| matches!(self.counts[place], Count::Bit(_));
        if net.outputs(transition).iter().any(|arc| arc.weight > 1 && is_bit(arc.place)) {
            builder.constraint(store.not(fired));
        }
    }

    fn fired(&self, transition: TransitionId) -> ExprId {
        self.store.var_expr(self.fires[transition])
    }

    fn enabled(&self, transition: TransitionId) -> ExprId {
        let enough = |arc: &Arc| self.at_least(arc.place, arc.weight);
        let inputs = self.net.inputs(transition).iter().map(enough);
        let inhibitors = self.net.inhibitors(transition).iter().map(|arc| self.store.not(enough(arc)));
        self.store.and_all(inputs.chain(inhibitors).collect::<Vec<_>>())
    }

    fn at_least(&self, place: PlaceId, tokens: u64) -> ExprId {
        let store = self.store;
        match (self.counts[place], tokens) {
            (_, 0) => store.tru(),
            (Count::Bit(var), 1) => store.var_expr(var),
            (Count::Bit(_), _) => store.fals(),
            (Count::Number(var), _) => store.le(store.int(tokens), store.var_expr(var)),
        }
    }

    fn predicate(&self, predicate: &Predicate) -> ExprId {
        let store = self.store;
        match predicate {
            Predicate::Constant(value) => store.boolean(*value),
            Predicate::Compare(comparison) => self.compare(comparison),
            Predicate::Fireable(list) => {
                store.or_all(list.iter().map(|transition| self.enabled(*transition)))
            }
            Predicate::Deadlock => {
                let enabled = self.net.transition_ids().map(|transition| self.enabled(transition));
                store.not(store.or_all(enabled))
            }
            Predicate::Not(inner) => store.not(self.predicate(inner)),
            Predicate::And(parts) => store.and_all(parts.iter().map(|part| self.predicate(part))),
            Predicate::Or(parts) => store.or_all(parts.iter().map(|part| self.predicate(part))),
        }
    }

    fn compare(&self, comparison: &Comparison) -> ExprId {
        let (store, sum, bound) = (self.store, &comparison.sum, i128::from(comparison.bound));
        match comparison.relation {
            Relation::AtLeast => self.sum_at_least(sum, bound),
            Relation::Greater => self.sum_at_least(sum, bound + 1),
            Relation::Less => store.not(self.sum_at_least(sum, bound)),
            Relation::AtMost => store.not(self.sum_at_least(sum, bound + 1)),
            Relation::Equal => {
                let is_more = self.sum_at_least(sum, bound + 1);
                store.and(self.sum_at_least(sum, bound), store.not(is_more))
            }
            Relation::NotEqual => {
                let is_more = self.sum_at_least(sum, bound + 1);
                store.or(store.not(self.sum_at_least(sum, bound)), is_more)
            }
        }
    }

    fn sum_at_least(&self, sum: &Sum, bound: i128) -> ExprId {
        let store = self.store;
        let bits: Option<Vec<(ExprId, i64)>> = sum.terms().iter().map(|term| self.bit(*term)).collect();
        if let Some(formula) = bits.and_then(|bits| counting::at_least(store, &bits, bound)) {
            return formula;
        }
        let total = sum.terms().iter().fold(store.int(0), |total, (place, factor)| {
            let part = match self.counts[*place] {
                Count::Bit(var) => store.ite(store.var_expr(var), store.int(*factor), store.int(0)),
                Count::Number(var) => self.product(store.var_expr(var), *factor),
            };
            store.add(total, part)
        });
        store.le(store.int(bound), total)
    }

    fn bit(&self, (place, factor): (PlaceId, i64)) -> Option<(ExprId, i64)> {
        match self.counts[place] {
            Count::Bit(var) => Some((self.store.var_expr(var), factor)),
            Count::Number(_) => None,
        }
    }

    fn product(&self, term: ExprId, factor: i64) -> ExprId {
        let store = self.store;
        if factor.unsigned_abs() > MAX_REPEATED {
            return store.mul(store.int(factor), term);
        }
        let size = (0..factor.unsigned_abs()).fold(store.int(0), |sum, _| store.add(sum, term));
        if factor < 0 { store.neg(size) } else { size }
    }

    /// Whether a comparison is worth a constraint: it is over bits alone, or short.
    fn is_cheap(&self, comparison: &Comparison) -> bool {
        let terms = comparison.sum.terms();
        let is_small = |(_, factor): &(PlaceId, i64)| factor.unsigned_abs() <= MAX_REPEATED;
        terms.iter().all(is_small)
            && (terms.len() <= MAX_TERMS || terms.iter().all(|term| self.bit(*term).is_some()))
    }
}
