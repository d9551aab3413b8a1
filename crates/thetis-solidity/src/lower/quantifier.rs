//! Quantified conditions.
//!
//! Terms have no quantifiers. A condition with quantifiers in front is therefore replaced by one without: an
//! existential variable becomes a fresh constant (Skolem), and a universal one is instantiated with the terms of the
//! function that have the right kind: indices that occur in accesses, and the constants just mentioned. A condition
//! is only ever *assumed* (a check assumes its negation on the way to an error location), and instances of an
//! assumption are weaker than the assumption. So a proof with instances is a proof; a violation found with them may
//! not be one.
//!
//! To refer to the value of a term at another moment of the run, a variable is introduced whose initial value is arbitrary and
//! which is assumed to equal the term when control gets there. Control reaches each location at most once, so no run is lost.

use thetis_expr::{ExprId, Store, Substitution, VarId};

use super::{FxIndexMap, FxIndexSet};

/// How many terms of a kind are used.
const MAX_TERMS: usize = 24;
/// How many instances of a condition are used.
const MAX_INSTANCES: usize = 1500;

/// What a quantified variable ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum QuantifiedKind {
    Number,
    Address,
    Other,
}

/// A condition with quantifiers in front.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Condition {
    Ground(ExprId),
    /// For all values of the variables, or for some: `facts`, which are always true, and the condition.
    Quantified {
        universal: bool,
        vars: Vec<(VarId, QuantifiedKind)>,
        facts: Vec<ExprId>,
        body: Box<Condition>,
    },
}

impl From<ExprId> for Condition {
    fn from(formula: ExprId) -> Condition {
        Condition::Ground(formula)
    }
}

impl Condition {
    pub(crate) fn is_true(&self, store: &Store) -> bool {
        matches!(self, Condition::Ground(formula) if *formula == store.tru())
    }

    pub(crate) fn negated(&self, store: &Store) -> Condition {
        match self {
            Condition::Ground(formula) => Condition::Ground(store.not(*formula)),
            Condition::Quantified { universal, vars, facts, body } => Condition::Quantified {
                universal: !universal,
                vars: vars.clone(),
                facts: facts.clone(),
                body: Box::new(body.negated(store)),
            },
        }
    }

    /// The condition with a premise.
    pub(crate) fn under(&self, store: &Store, premise: ExprId) -> Condition {
        match self {
            Condition::Ground(formula) => Condition::Ground(store.implies(premise, *formula)),
            Condition::Quantified { universal, vars, facts, body } => Condition::Quantified {
                universal: *universal,
                vars: vars.clone(),
                facts: facts.clone(),
                body: Box::new(body.under(store, premise)),
            },
        }
    }
}

/// The terms to instantiate with.
#[derive(Default)]
pub(crate) struct Instances {
    terms: FxIndexSet<(QuantifiedKind, ExprId)>,
    skolems: FxIndexMap<Condition, Vec<VarId>>,
}

impl Instances {
    /// Offers a term.
    pub(crate) fn offer(&mut self, kind: QuantifiedKind, term: ExprId) {
        if self.of_kind(kind).count() < MAX_TERMS {
            self.terms.insert((kind, term));
        }
    }

    /// Whether more terms of the kind are welcome.
    pub(crate) fn wants(&self, kind: QuantifiedKind) -> bool {
        self.of_kind(kind).count() < MAX_TERMS
    }

    fn of_kind(&self, kind: QuantifiedKind) -> impl Iterator<Item = ExprId> {
        self.terms.iter().filter(move |(other, _)| *other == kind).map(|(_, term)| *term)
    }

    /// The conditions without quantifiers. New constants are added to `vars`.
    pub(crate) fn expand(
        &mut self,
        store: &Store,
        conditions: &[&Condition],
        vars: &mut FxIndexSet<VarId>,
    ) -> Vec<ExprId> {
        // Constants of one round are terms of the next.
        for _ in 0..2 {
            for condition in conditions {
                self.ground(store, condition, vars);
            }
        }
        conditions.iter().map(|condition| self.ground(store, condition, vars)).collect()
    }

    fn ground(&mut self, store: &Store, condition: &Condition, vars: &mut FxIndexSet<VarId>) -> ExprId {
        match condition {
            Condition::Ground(formula) => *formula,
            Condition::Quantified { universal: true, vars: bound, .. } => {
                let tuples = self.tuples(store, bound);
                let instances = tuples.iter().map(|tuple| self.instance(store, condition, tuple, vars));
                store.and_all(instances.collect::<Vec<_>>())
            }
            Condition::Quantified { universal: false, vars: bound, .. } => {
                let names = self.skolem(store, condition, bound, vars);
                let terms: Vec<ExprId> = names.iter().map(|name| store.var_expr(*name)).collect();
                self.instance(store, condition, &terms, vars)
            }
        }
    }

    fn instance(
        &mut self,
        store: &Store,
        condition: &Condition,
        terms: &[ExprId],
        vars: &mut FxIndexSet<VarId>,
    ) -> ExprId {
        let Condition::Quantified { vars: bound, facts, body, .. } = condition else { return store.tru() };
        let mut substitution = Substitution::new();
        for ((var, _), term) in bound.iter().zip(terms) {
            substitution.insert(store, *var, *term);
        }
        let facts: Vec<ExprId> = facts.iter().map(|fact| substitution.apply(store, *fact)).collect();
        let body = self.ground(store, &substituted(store, body, &substitution), vars);
        store.and(store.and_all(facts), body)
    }

    fn skolem(
        &mut self,
        store: &Store,
        condition: &Condition,
        bound: &[(VarId, QuantifiedKind)],
        vars: &mut FxIndexSet<VarId>,
    ) -> Vec<VarId> {
        let key = condition.clone();
        if let Some(names) = self.skolems.get(&key) {
            return names.clone();
        }
        let mut names = Vec::new();
        for (var, kind) in bound {
            let name = store.declare_fresh(&format!("{}!", store.var_name(*var)), store.var_sort(*var));
            vars.insert(name);
            self.offer(*kind, store.var_expr(name));
            names.push(name);
        }
        self.skolems.insert(key, names.clone());
        names
    }

    fn tuples(&self, store: &Store, bound: &[(VarId, QuantifiedKind)]) -> Vec<Vec<ExprId>> {
        let mut tuples = vec![Vec::new()];
        for (var, kind) in bound {
            let sort = store.var_sort(*var);
            let terms: Vec<ExprId> = self.of_kind(*kind).filter(|term| store.sort(*term) == sort).collect();
            let longer = tuples.iter().flat_map(|tuple: &Vec<ExprId>| {
                terms.iter().map(move |term| tuple.iter().copied().chain([*term]).collect())
            });
            tuples = longer.take(MAX_INSTANCES).collect();
        }
        tuples
    }
}

fn substituted(store: &Store, condition: &Condition, substitution: &Substitution) -> Condition {
    match condition {
        Condition::Ground(formula) => Condition::Ground(substitution.apply(store, *formula)),
        Condition::Quantified { universal, vars, facts, body } => Condition::Quantified {
            universal: *universal,
            vars: vars.clone(),
            facts: facts.iter().map(|fact| substitution.apply(store, *fact)).collect(),
            body: Box::new(substituted(store, body, substitution)),
        },
    }
}
