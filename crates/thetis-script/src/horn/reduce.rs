//! Fewer predicates: helpers are inlined where clauses use them.
//!
//! A clause with several atoms in its body often uses a predicate that only abbreviates something, such as the relation
//! that a function computes. Such a *helper* has few clauses and is not used by them, so each use can be replaced by
//! the bodies of its clauses (resolution), which leaves clauses with fewer atoms: often linear ones, for which there
//! are many more engines. A predicate is inlined here if it occurs together with another atom in a body, and the number
//! of clauses does not grow much.
//!
//! Nothing is solved here. The variables of all combined clauses stay variables of the new clause, with equations
//! between them, so an instance of the new clause determines the instances of the old ones: refutations are translated
//! back step by step ([`Reduced::refutation`]). A model is extended by the strongest relations of the helpers, those
//! that their own clauses define ([`Model::with_helpers`](super::Model::with_helpers)). Both are checked on the
//! original clauses.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Replacer, Store, Value, VarId};

use super::{Atom, Clause, Clauses, Derived, Refutation, RefutationError};

/// By how many clauses inlining a predicate may increase their number.
const MAX_GROWTH: usize = 4;

/// The greatest number of variables that a clause may get.
const MAX_VARS: usize = 200;

/// How deeply the derivations of helpers may be nested in that of a clause.
const MAX_NESTING: usize = 30;

/// Clauses without helpers.
pub struct Reduced {
    /// The clauses. The predicates are the same; helpers no longer have clauses.
    pub clauses: Clauses,
    /// What each clause was combined from.
    origins: Vec<Rc<Origin>>,
    /// The helpers in the order in which they were inlined, with the clauses that they had then.
    pub(super) helpers: Vec<(usize, Vec<Clause>)>,
}

/// An old clause whose premises are premises of the new clause, or derived by other old clauses.
struct Origin {
    clause: usize,
    /// The variables of the old clause and their names in the new one.
    names: Vec<(VarId, VarId)>,
    premises: Vec<Premise>,
    nesting: usize,
}

#[derive(Clone)]
enum Premise {
    /// The atom at this position of the body of the new clause.
    Body(usize),
    Derived(Rc<Origin>),
}

/// `clauses` without helpers.
pub fn reduce(clauses: &Clauses) -> Reduced {
    let parts = clauses
        .clauses
        .iter()
        .enumerate()
        .map(|(number, clause)| DerivedClause::new(number, clause))
        .collect();
    let mut reducer = Reducer { store: &clauses.store, parts };
    let mut helpers = Vec::new();
    loop {
        let num_helpers = helpers.len();
        for predicate in 0..clauses.predicates.len() {
            helpers.extend(reducer.write_out(predicate).map(|definition| (predicate, definition)));
        }
        if helpers.len() == num_helpers {
            break;
        }
    }
    let (new, origins) = reducer.parts.into_iter().map(|part| (part.clause, part.origin)).unzip();
    let clauses =
        Clauses { store: clauses.store.clone(), predicates: clauses.predicates.clone(), clauses: new };
    Reduced { clauses, origins, helpers }
}

/// A clause and where it comes from.
#[derive(Clone)]
struct DerivedClause {
    clause: Clause,
    origin: Rc<Origin>,
}

impl DerivedClause {
    fn new(number: usize, clause: &Clause) -> DerivedClause {
        let names = clause.vars.iter().map(|var| (*var, *var)).collect();
        let premises = (0..clause.body.len()).map(Premise::Body).collect();
        DerivedClause {
            clause: clause.clone(),
            origin: Rc::new(Origin { clause: number, names, premises, nesting: 0 }),
        }
    }

    fn uses(&self, predicate: usize) -> usize {
        self.clause.body.iter().filter(|atom| atom.predicate == predicate).count()
    }

    fn defines(&self, predicate: usize) -> bool {
        self.clause.head.as_ref().is_some_and(|head| head.predicate == predicate)
    }
}

struct Reducer<'c> {
    store: &'c Store,
    parts: Vec<DerivedClause>,
}

impl Reducer<'_> {
    /// Inlines `predicate` if it is a helper; returns the clauses that it had.
    fn write_out(&mut self, predicate: usize) -> Option<Vec<Clause>> {
        let (definition, others): (Vec<&DerivedClause>, Vec<&DerivedClause>) =
            self.parts.iter().partition(|part| part.defines(predicate));
        let is_recursive = definition.iter().any(|part| part.uses(predicate) > 0);
        let is_premise = |part: &&DerivedClause| part.uses(predicate) > 0 && part.clause.body.len() > 1;
        if is_recursive || definition.is_empty() || !others.iter().any(is_premise) {
            return None;
        }
        let num_new = |part: &&DerivedClause| definition.len().saturating_pow(part.uses(predicate) as u32);
        let num_written = others.iter().map(num_new).fold(0, usize::saturating_add);
        if num_written > self.parts.len() + MAX_GROWTH {
            return None;
        }
        let mut written = Vec::new();
        for part in others {
            written.extend(self.without(part.clone(), predicate, &definition)?);
        }
        let clauses = definition.into_iter().map(|part| part.clause.clone()).collect();
        self.parts = written;
        Some(clauses)
    }

    /// What `part` becomes when `predicate` is inlined; `None` if that is too large.
    fn without(
        &self,
        part: DerivedClause,
        predicate: usize,
        definition: &[&DerivedClause],
    ) -> Option<Vec<DerivedClause>> {
        let mut parts = vec![part];
        while let Some(position) = parts[0].clause.body.iter().position(|atom| atom.predicate == predicate) {
            let resolved = parts
                .iter()
                .flat_map(|part| definition.iter().map(|one| self.resolve(part, position, one)))
                .collect::<Option<Vec<DerivedClause>>>()?;
            parts = resolved;
        }
        Some(parts)
    }

    /// `part` with the atom at `position` of its body derived by `definition`. The premises of the latter come last.
    fn resolve(
        &self,
        part: &DerivedClause,
        position: usize,
        definition: &DerivedClause,
    ) -> Option<DerivedClause> {
        let store = self.store;
        let fresh = |var: &VarId| (*var, store.declare_fresh(&store.var_name(*var), store.var_sort(*var)));
        let names: FxHashMap<VarId, VarId> = definition.clause.vars.iter().map(fresh).collect();
        let mut replacer =
            Replacer::new(|store: &Store, var| names.get(&var).map(|name| store.var_expr(*name)));
        let mut renamed = |term: ExprId| replacer.apply(store, term);
        let mut clause = part.clause.clone();
        let atom = clause.body.remove(position);
        let head = definition.clause.head.as_ref()?;
        let equations = atom.args.iter().zip(&head.args).map(|(arg, term)| store.eq(*arg, renamed(*term)));
        let equations: Vec<ExprId> = equations.collect();
        clause.constraint = store
            .and_all([clause.constraint, renamed(definition.clause.constraint)].into_iter().chain(equations));
        let num_kept = clause.body.len();
        clause.body.extend(definition.clause.body.iter().map(|atom| Atom {
            predicate: atom.predicate,
            args: atom.args.iter().map(|term| renamed(*term)).collect(),
        }));
        clause.vars.extend(definition.clause.vars.iter().map(|var| names[var]));
        let inner =
            Rc::new(definition.origin.moved(&|at| Premise::Body(num_kept + at), &|name| {
                names.get(&name).copied().unwrap_or(name)
            }));
        let place = |at: usize| match at.cmp(&position) {
            std::cmp::Ordering::Less => Premise::Body(at),
            std::cmp::Ordering::Equal => Premise::Derived(inner.clone()),
            std::cmp::Ordering::Greater => Premise::Body(at - 1),
        };
        let origin = Rc::new(part.origin.moved(&place, &|name| name));
        let is_small = clause.vars.len() <= MAX_VARS && origin.nesting <= MAX_NESTING;
        is_small.then_some(DerivedClause { clause, origin })
    }
}

impl Origin {
    /// The same in another clause: `place` maps the atoms of its body, `name` its variables.
    fn moved(&self, place: &dyn Fn(usize) -> Premise, name: &dyn Fn(VarId) -> VarId) -> Origin {
        let premise = |premise: &Premise| match premise {
            Premise::Body(at) => place(*at),
            Premise::Derived(origin) => Premise::Derived(Rc::new(origin.moved(place, name))),
        };
        let premises: Vec<Premise> = self.premises.iter().map(premise).collect();
        let nesting = |premise: &Premise| match premise {
            Premise::Body(_) => 0,
            Premise::Derived(origin) => origin.nesting + 1,
        };
        let nesting = premises.iter().map(nesting).max().unwrap_or(0);
        let names = self.names.iter().map(|(old, new)| (*old, name(*new))).collect();
        Origin { clause: self.clause, names, premises, nesting }
    }
}

impl Reduced {
    /// Translates a refutation of the reduced clauses to the clauses before reduction, `original`. It must still be
    /// [checked](Refutation::check).
    pub fn refutation(
        &self,
        original: &Clauses,
        store: &Store,
        found: &Refutation,
    ) -> Result<Refutation, RefutationError> {
        let mut home = Homecoming { original, store, steps: Vec::new() };
        // Where each step of the reduced refutation is in that of the original clauses.
        let mut places: Vec<usize> = Vec::new();
        for step in &found.steps {
            let premises: Option<Vec<usize>> =
                step.premises.iter().map(|premise| places.get(*premise).copied()).collect();
            let premises = premises.ok_or(RefutationError::NoRun)?;
            let values = step.values.iter().cloned().collect();
            places.push(home.derive(&self.origins[step.clause], &values, &premises)?);
        }
        Ok(Refutation { steps: home.steps })
    }
}

/// A refutation of the original clauses under construction.
struct Homecoming<'a> {
    original: &'a Clauses,
    store: &'a Store,
    steps: Vec<Derived>,
}

impl Homecoming<'_> {
    /// Adds the steps of `origin` if the variables of the new clause have `values` and its premises are derived by the
    /// steps `premises`; returns the number of the last one. Nesting is limited, so recursion is harmless.
    fn derive(
        &mut self,
        origin: &Origin,
        values: &FxHashMap<VarId, Value>,
        premises: &[usize],
    ) -> Result<usize, RefutationError> {
        let mut used = Vec::new();
        for premise in &origin.premises {
            used.push(match premise {
                Premise::Body(at) => *premises.get(*at).ok_or(RefutationError::NoRun)?,
                Premise::Derived(inner) => self.derive(inner, values, premises)?,
            });
        }
        let value = |(old, new): &(VarId, VarId)| Some((*old, values.get(new)?.clone()));
        let own: Option<Vec<(VarId, Value)>> = origin.names.iter().map(value).collect();
        let own = own.ok_or(RefutationError::NoRun)?;
        self.steps.push(Derived::new(self.store, self.original, origin.clause, own, used)?);
        Ok(self.steps.len() - 1)
    }
}
