//! Markings as integers of a solver, and predicates as formulas over them.

use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::petri::{Arc, Net, PlaceId, Predicate, Relation, TransitionId};

/// A net with an integer variable for each place.
pub(super) struct Formulas<'n> {
    pub(super) store: Store,
    pub(super) net: &'n Net,
    tokens: Vec<VarId>,
}

impl<'n> Formulas<'n> {
    pub(super) fn new(net: &'n Net) -> Formulas<'n> {
        let store = Store::new();
        let declare = |place: PlaceId| store.declare(&format!("tokens{}", place.index()), Sort::Int);
        let tokens = net.place_ids().map(declare).collect();
        Formulas { store, net, tokens }
    }

    /// The variable of a place.
    pub(super) fn var(&self, place: PlaceId) -> VarId {
        self.tokens[place.index()]
    }

    /// The tokens of a place.
    pub(super) fn tokens(&self, place: PlaceId) -> ExprId {
        self.store.var_expr(self.var(place))
    }

    /// That no place holds fewer than zero tokens.
    pub(super) fn natural(&self) -> ExprId {
        let zero = self.store.int(0);
        self.store.and_all(self.net.place_ids().map(|place| self.store.le(zero, self.tokens(place))))
    }

    /// That the marking is the initial one.
    pub(super) fn initial(&self) -> ExprId {
        let places = self.net.places().iter_enumerated();
        let equations = places
            .map(|(id, place)| self.store.eq(self.tokens(id), self.store.int(place.initial)))
            .collect::<Vec<_>>();
        self.store.and_all(equations)
    }

    /// That a transition is enabled.
    pub(super) fn enabled(&self, transition: TransitionId) -> ExprId {
        let store = &self.store;
        let enough = |arc: &Arc| store.le(store.int(arc.weight), self.tokens(arc.place));
        let fewer = |arc: &Arc| store.lt(self.tokens(arc.place), store.int(arc.weight));
        let inputs = self.net.inputs(transition).iter().map(enough);
        store.and_all(inputs.chain(self.net.inhibitors(transition).iter().map(fewer)).collect::<Vec<_>>())
    }

    /// That a predicate holds.
    pub(super) fn predicate(&self, predicate: &Predicate) -> ExprId {
        let store = &self.store;
        let each = |parts: &[Predicate]| parts.iter().map(|part| self.predicate(part)).collect::<Vec<_>>();
        match predicate {
            Predicate::Constant(value) => store.boolean(*value),
            Predicate::Compare(comparison) => {
                let terms = comparison.sum.terms().iter();
                let sum = terms.fold(store.int(0), |sum, (place, factor)| {
                    store.add(sum, store.mul(store.int(*factor), self.tokens(*place)))
                });
                let bound = store.int(comparison.bound);
                match comparison.relation {
                    Relation::Less => store.lt(sum, bound),
                    Relation::AtMost => store.le(sum, bound),
                    Relation::Equal => store.eq(sum, bound),
                    Relation::NotEqual => store.ne(sum, bound),
                    Relation::AtLeast => store.ge(sum, bound),
                    Relation::Greater => store.gt(sum, bound),
                }
            }
            Predicate::Fireable(list) => store.or_all(list.iter().map(|id| self.enabled(*id))),
            Predicate::Deadlock => {
                store.and_all(self.net.transition_ids().map(|id| store.not(self.enabled(id))))
            }
            Predicate::Not(inner) => store.not(self.predicate(inner)),
            Predicate::And(parts) => store.and_all(each(parts)),
            Predicate::Or(parts) => store.or_all(each(parts)),
        }
    }
}

/// Whether all places and transitions of the predicate belong to the net.
pub(super) fn is_about(net: &Net, predicate: &Predicate) -> bool {
    let has = |transition: &TransitionId| transition.index() < net.transitions().len();
    match predicate {
        Predicate::Constant(_) | Predicate::Deadlock => true,
        Predicate::Compare(comparison) => {
            comparison.sum.terms().iter().all(|(place, _)| place.index() < net.places().len())
        }
        Predicate::Fireable(list) => list.iter().all(has),
        Predicate::Not(inner) => is_about(net, inner),
        Predicate::And(parts) | Predicate::Or(parts) => parts.iter().all(|part| is_about(net, part)),
    }
}
