//! Large numbers of clauses as parameters.
//!
//! A loop up to 100000 has an invariant that says `i <= 100000`, and the same loop up to any `n` has one that says `i <= n`. A solver that
//! generalises from examples finds the second sooner: for the first, it has to distinguish examples near both ends. So large integers that
//! are compared, added or assigned become variables that no step changes and of which only the order is known. A solution for all their
//! values is also a solution for the numbers; if there is none, nothing follows.

use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use thetis_expr::{Args, ExprId, Op, Postorder, Sort, Store, Substitution, VarId};
use thetis_solver::{HornClause, HornSystem, Neighbour, Step};

/// Integers up to this one, and down to its opposite, stay as they are.
const MAX_SMALL: i32 = 64;

/// A system with parameters, and the numbers that they are.
pub(crate) struct Parametric {
    /// The system.
    pub(crate) system: HornSystem,
    numbers: BTreeMap<BigInt, VarId>,
}

impl Parametric {
    /// `system` with parameters; `None` if it has no large numbers.
    pub(crate) fn new(store: &Store, system: &HornSystem) -> Option<Parametric> {
        let mut rewriting = Rewriting { store, numbers: BTreeMap::new(), done: FxHashMap::default() };
        let clauses: Vec<HornClause> = system.clauses.iter().map(|clause| rewriting.clause(clause)).collect();
        let numbers = rewriting.numbers;
        if numbers.is_empty() {
            return None;
        }
        let order = order(store, &numbers);
        let clauses = clauses.into_iter().map(|clause| with_order(store, clause, &order)).collect();
        Some(Parametric { system: HornSystem { clauses, ..system.clone() }, numbers })
    }

    /// `solution`, which is for all values of the parameters, instantiated with the numbers.
    pub(crate) fn instance(&self, store: &Store, solution: Vec<ExprId>) -> Vec<ExprId> {
        let mut numbers = Substitution::new();
        for (number, var) in &self.numbers {
            numbers.insert(store, *var, store.int(number.clone()));
        }
        solution.into_iter().map(|formula| numbers.apply(store, formula)).collect()
    }
}

/// Which parameters are greater than which others, and than zero. Stating more, namely that they are not small, makes Spacer
/// consider small values and diverge.
fn order(store: &Store, numbers: &BTreeMap<BigInt, VarId>) -> Vec<ExprId> {
    let zero = (BigInt::ZERO, store.int(0));
    let mut terms: Vec<(BigInt, ExprId)> =
        numbers.iter().map(|(number, var)| (number.clone(), store.var_expr(*var))).chain([zero]).collect();
    terms.sort();
    terms.windows(2).map(|pair| store.lt(pair[0].1, pair[1].1)).collect()
}

/// The clause, which may use `order` if it is about parameters at all.
fn with_order(store: &Store, mut clause: HornClause, order: &[ExprId]) -> HornClause {
    let params = store.vars_of(order.iter().copied());
    let places = clause.neighbours.iter().flat_map(|neighbour| neighbour.place.iter());
    let terms = clause.step.next.iter().chain(places).map(|(_, term)| *term);
    let vars = store.vars_of(terms.chain(clause.step.conjuncts.iter().copied()));
    if vars.iter().any(|var| params.contains(var)) {
        Rc::make_mut(&mut clause.step).conjuncts.extend(order);
    }
    clause
}

struct Rewriting<'s> {
    store: &'s Store,
    numbers: BTreeMap<BigInt, VarId>,
    /// Terms with parameters; numbers are replaced where they are used.
    done: FxHashMap<ExprId, ExprId>,
}

impl Rewriting<'_> {
    fn clause(&mut self, clause: &HornClause) -> HornClause {
        let Step { conjuncts, next, inputs } = &*clause.step;
        let step = Step {
            conjuncts: conjuncts.iter().map(|conjunct| self.term(*conjunct)).collect(),
            next: next.iter().map(|(var, term)| (*var, self.root(*term))).collect(),
            inputs: inputs.clone(),
        };
        let neighbour = |neighbour: &Neighbour| Neighbour {
            relation: neighbour.relation,
            place: neighbour.place.iter().map(|(var, term)| (*var, self.root(*term))).collect(),
            values: neighbour.values.clone(),
        };
        let neighbours = clause.neighbours.iter().map(neighbour).collect();
        HornClause { neighbours, step: Rc::new(step), ..clause.clone() }
    }

    /// A term whose value is assigned.
    fn root(&mut self, term: ExprId) -> ExprId {
        let term = self.term(term);
        self.parameter(term).unwrap_or(term)
    }

    fn term(&mut self, root: ExprId) -> ExprId {
        for expr in Postorder::new(self.store, [root]) {
            if self.done.contains_key(&expr) {
                continue;
            }
            let args = self.store.args(expr);
            // Products and quotients of variables would be harder than those of numbers.
            let takes_parameters =
                matches!(self.store.op(expr), Op::Le | Op::Lt | Op::Eq | Op::Ite | Op::Add);
            let mut new_args = Args::new();
            for arg in &args {
                let done = self.done[arg];
                let parameter = if takes_parameters { self.parameter(done) } else { None };
                new_args.push(parameter.unwrap_or(done));
            }
            let new = if new_args == args { expr } else { self.store.rebuild(expr, &new_args) };
            self.done.insert(expr, new);
        }
        self.done[&root]
    }

    /// The parameter that stands for a term, if that is a large integer.
    fn parameter(&mut self, term: ExprId) -> Option<ExprId> {
        let store = self.store;
        let number = store.value(term)?.as_int()?.clone();
        if *number.magnitude() <= (MAX_SMALL as u32).into() {
            return None;
        }
        let name = format!("number!{number}");
        let var = *self.numbers.entry(number).or_insert_with(|| store.declare(&name, Sort::Int));
        Some(store.var_expr(var))
    }
}
