//! From a formula with predicates to clauses.
//!
//! The formula, in which a Boolean variable stands for each atom, is taken apart as a disjunction. An atom that occurs
//! negatively belongs to the body and one that occurs positively is the head; a disjunct without atoms is, negated, a part of
//! the constraint. A conjunction among the disjuncts gives one clause for each of its members.

use rustc_hash::FxHashSet;
use thetis_base::Span;
use thetis_expr::{ExprId, Op, Postorder, Store, VarId};

use super::{Atom, Clause};
use crate::names::Names;

/// The greatest number of clauses that one assertion may become.
const MAX_CLAUSES: usize = 10_000;

/// The clauses that `formula` stands for if all `vars` are universally quantified, or why it is not a Horn clause.
pub(crate) fn normalize(
    store: &Store,
    names: &Names,
    vars: &[VarId],
    formula: ExprId,
    span: Span,
) -> Result<Vec<Clause>, String> {
    let with_atoms = terms_with_atoms(store, names, formula);
    let mut clauses = Vec::new();
    let mut partials = vec![Partial::new(formula)];
    while let Some(mut partial) = partials.pop() {
        let Some(disjunct) = partial.pending.pop() else {
            clauses.extend(partial.finish(store, names, vars, span)?);
            continue;
        };
        if clauses.len() + partials.len() > MAX_CLAUSES {
            return Err("the assertion stands for too many clauses".into());
        }
        partials.extend(partial.split(store, names, &with_atoms, disjunct)?);
    }
    clauses.reverse();
    Ok(clauses)
}

/// The sub-terms in which an atom occurs.
fn terms_with_atoms(store: &Store, names: &Names, formula: ExprId) -> FxHashSet<ExprId> {
    let mut found = FxHashSet::default();
    for term in Postorder::new(store, [formula]) {
        let is_atom = store.as_var(term).is_some_and(|var| names.atom(var).is_some());
        if is_atom || store.args(term).iter().any(|arg| found.contains(arg)) {
            found.insert(term);
        }
    }
    found
}

/// A disjunct; a negative one stands for its negation.
#[derive(Clone, Copy)]
struct Disjunct {
    term: ExprId,
    positive: bool,
}

/// A clause with disjuncts that are not processed yet.
#[derive(Clone)]
struct Partial {
    pending: Vec<Disjunct>,
    body: Vec<Atom>,
    constraint: Vec<ExprId>,
    head: Option<Atom>,
}

impl Partial {
    fn new(formula: ExprId) -> Partial {
        let pending = vec![Disjunct { term: formula, positive: true }];
        Partial { pending, body: Vec::new(), constraint: Vec::new(), head: None }
    }

    /// The clauses that result from processing `disjunct`.
    fn split(
        mut self,
        store: &Store,
        names: &Names,
        with_atoms: &FxHashSet<ExprId>,
        disjunct: Disjunct,
    ) -> Result<Vec<Partial>, String> {
        let Disjunct { term, positive } = disjunct;
        if !with_atoms.contains(&term) {
            self.constraint.push(if positive { store.not(term) } else { term });
            return Ok(vec![self]);
        }
        if let Some(atom) = store.as_var(term).and_then(|var| names.atom(var)) {
            self.add_atom(atom, positive)?;
            return Ok(vec![self]);
        }
        let args = store.args(term);
        match (store.op(term), positive) {
            (Op::Not, _) => self.pending.push(Disjunct { term: args[0], positive: !positive }),
            (Op::Or, true) | (Op::And, false) => {
                self.pending.extend(args.iter().rev().map(|arg| Disjunct { term: *arg, positive }));
            }
            (Op::And, true) | (Op::Or, false) => {
                let parts = args.iter().map(|arg| vec![Disjunct { term: *arg, positive }]);
                return Ok(self.for_each(parts));
            }
            (Op::Ite, _) if store.sort(term) == thetis_expr::Sort::Bool => {
                let condition = |positive| Disjunct { term: args[0], positive };
                let branch = |index: usize| Disjunct { term: args[index], positive };
                let parts = [vec![condition(false), branch(1)], vec![condition(true), branch(2)]];
                return Ok(self.for_each(parts.into_iter()));
            }
            _ => return Err("a predicate occurs where a Horn clause cannot have one".into()),
        }
        Ok(vec![self])
    }

    fn for_each(self, parts: impl Iterator<Item = Vec<Disjunct>>) -> Vec<Partial> {
        let with = |part: Vec<Disjunct>| {
            let mut partial = self.clone();
            partial.pending.extend(part.into_iter().rev());
            partial
        };
        parts.map(with).collect()
    }

    fn add_atom(&mut self, atom: Atom, positive: bool) -> Result<(), String> {
        if !positive {
            if !self.body.contains(&atom) {
                self.body.push(atom);
            }
            return Ok(());
        }
        match &self.head {
            Some(head) if *head != atom => Err("the clause has more than one head".into()),
            _ => {
                self.head = Some(atom);
                Ok(())
            }
        }
    }

    /// The clause, unless it is trivially true.
    fn finish(
        self,
        store: &Store,
        names: &Names,
        vars: &[VarId],
        span: Span,
    ) -> Result<Option<Clause>, String> {
        let args = self.body.iter().chain(&self.head).flat_map(|atom| atom.args.iter().copied());
        let nested = store.vars_of(args).into_iter().any(|var| names.atom(var).is_some());
        if nested {
            return Err("a predicate occurs in an argument of a predicate".into());
        }
        let constraint = store.and_all(self.constraint);
        let is_trivial = constraint == store.fals();
        let terms = self.body.iter().chain(&self.head).flat_map(|atom| atom.args.iter().copied());
        let occurring = store.vars_of(terms.chain([constraint]));
        let vars = vars.iter().copied().filter(|var| occurring.contains(var)).collect();
        let clause = Clause { vars, body: self.body, constraint, head: self.head, span };
        Ok((!is_trivial).then_some(clause))
    }
}
