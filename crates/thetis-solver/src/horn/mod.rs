//! Systems of Horn clauses over states, and the ability to solve them.

mod script;

use std::collections::BTreeSet;
use std::rc::Rc;

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store, VarId};

use crate::{Chain, Step};

pub use script::HornScript;

/// Clauses about relations over state variables. Relations have numbers from 0 on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HornSystem {
    /// How many relations there are.
    pub num_relations: usize,
    /// The clauses.
    pub clauses: Vec<HornClause>,
}

/// If a state is in the relation `body` (any state, if there is no `body`) and `step` can be taken from it, then the state
/// after the step is in the relation `head`; without a `head`, there must be no such state.
///
/// With `neighbours` the clause is not linear: each of them is one more state that has to be in a relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HornClause {
    /// The relation before the step.
    pub body: Option<usize>,
    /// Other states that are in relations.
    pub neighbours: Vec<Neighbour>,
    /// The step.
    pub step: Rc<Step>,
    /// The relation after the step.
    pub head: Option<usize>,
}

/// A state that differs from the one before a step only in some variables. A neighbour in another relation shares nothing
/// with that state except the terms of its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbour {
    /// The relation that it is in; `None` means the relation of the state before the step.
    pub relation: Option<usize>,
    /// Which neighbour it is: variables with terms over the state before the step and the inputs of the step.
    pub place: Vec<(VarId, ExprId)>,
    /// The inputs of the step that are the values of other variables there.
    pub values: Vec<(VarId, VarId)>,
}

/// What is known about a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornAnswer {
    /// A formula for each relation that satisfies all clauses. The caller verifies it.
    Solved(Vec<ExprId>),
    /// There is none.
    Contradictory,
    /// It was not found out; the reason.
    Unknown(String),
}

/// Solves systems of Horn clauses.
pub trait HornSolver {
    /// Solves `system` within the time of `run`.
    fn solve(&mut self, store: &Store, system: &HornSystem, run: &Run) -> Result<HornAnswer, Stop>;
}

impl HornSystem {
    /// The system whose solutions are the interpolants of `chain`: one relation for each point.
    pub fn of_chain(store: &Store, chain: &Chain) -> HornSystem {
        let assume = |formula| Rc::new(Step { conjuncts: vec![formula], ..Step::default() });
        let end = chain.steps.len();
        let mut clauses =
            vec![HornClause { body: None, neighbours: Vec::new(), step: assume(chain.start), head: Some(0) }];
        clauses.extend(chain.steps.iter().enumerate().map(|(point, step)| HornClause {
            body: Some(point),
            neighbours: Vec::new(),
            step: step.clone(),
            head: Some(point + 1),
        }));
        clauses.push(HornClause {
            body: Some(end),
            neighbours: Vec::new(),
            step: assume(store.not(chain.end)),
            head: None,
        });
        HornSystem { num_relations: end + 1, clauses }
    }

    /// For each relation the variables that can matter: those that a step after it reads, to decide whether it can be
    /// taken or to compute a value that matters then.
    pub fn needed_vars(&self, store: &Store) -> Vec<Vec<VarId>> {
        let mut needed: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); self.num_relations];
        // The clauses that mention a relation as head, or as that of another state.
        let mut mentioning: Vec<Vec<&HornClause>> = vec![Vec::new(); self.num_relations];
        for clause in &self.clauses {
            let others = clause.neighbours.iter().filter_map(|neighbour| neighbour.relation);
            clause.head.into_iter().chain(others).for_each(|relation| mentioning[relation].push(clause));
        }
        let mut pending: Vec<&HornClause> = self.clauses.iter().collect();
        while let Some(clause) = pending.pop() {
            for (relation, vars) in needed_before(store, clause, &needed) {
                let size = needed[relation].len();
                needed[relation].extend(vars);
                if needed[relation].len() > size {
                    pending.extend(&mentioning[relation]);
                }
            }
        }
        needed.into_iter().map(|vars| vars.into_iter().collect()).collect()
    }
}

/// The variables that matter in the states before the step of `clause`, by their relations, if those of `needed`
/// matter elsewhere.
fn needed_before(
    store: &Store,
    clause: &HornClause,
    needed: &[BTreeSet<VarId>],
) -> Vec<(usize, BTreeSet<VarId>)> {
    let step = &*clause.step;
    let nothing = BTreeSet::new();
    let needed_after = clause.head.map_or(&nothing, |head| &needed[head]);
    let computed = step.next.iter().filter(|(var, _)| needed_after.contains(var)).map(|(_, term)| *term);
    let read = store.vars_of(computed.chain(step.conjuncts.iter().copied()));
    let mut vars: BTreeSet<VarId> = read.into_iter().collect();
    let mut others: Vec<(usize, BTreeSet<VarId>)> = Vec::new();
    // What one neighbour is can depend on a value of another.
    loop {
        let size = vars.len();
        for neighbour in &clause.neighbours {
            let known = neighbour.relation.map_or(&nothing, |relation| &needed[relation]);
            let there = neighbour.needed(&vars, known);
            let places = neighbour.place.iter().filter(|(var, _)| there.contains(var));
            vars.extend(store.vars_of(places.map(|(_, term)| *term)));
            match neighbour.relation {
                Some(relation) => others.push((relation, there)),
                None => vars.extend(there),
            }
        }
        if vars.len() == size {
            break;
        }
    }
    vars.retain(|var| !step.inputs.contains(var));
    let is_kept = |var: &&VarId| step.next.iter().all(|(changed, _)| changed != *var);
    vars.extend(needed_after.iter().filter(is_kept));
    others.extend(clause.body.map(|body| (body, vars)));
    others
}

impl Neighbour {
    /// Its variables that matter: those that are `known` to matter, those whose values are among `read` and, if there
    /// are any of the latter, also those that identify the neighbour.
    fn needed(&self, read: &BTreeSet<VarId>, known: &BTreeSet<VarId>) -> BTreeSet<VarId> {
        let is_read = |(_, value): &&(VarId, VarId)| read.contains(value);
        let mut needed: BTreeSet<VarId> = self.values.iter().filter(is_read).map(|(var, _)| *var).collect();
        if !needed.is_empty() {
            needed.extend(self.place.iter().map(|(var, _)| *var));
        }
        needed.extend(known);
        needed
    }

    /// The term of `var` there, if it differs from the one in the state before the step.
    pub fn term(&self, store: &Store, var: VarId) -> Option<ExprId> {
        let place = self.place.iter().find(|(at, _)| *at == var).map(|(_, term)| *term);
        let value = || self.values.iter().find(|(of, _)| *of == var).map(|(_, value)| store.var_expr(*value));
        place.or_else(value)
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;

    use super::*;

    #[test]
    fn what_no_step_reads_is_not_needed() {
        let store = Store::new();
        let [x, y, z, input] = ["x", "y", "z", "input"].map(|name| store.declare(name, Sort::Int));
        let [tx, ty, ti] = [x, y, input].map(|var| store.var_expr(var));
        let step = |conjuncts, next| Rc::new(Step { conjuncts, next, inputs: vec![input] });
        let copy = step(vec![], vec![(x, store.add(ty, ti)), (z, tx)]);
        let test = step(vec![store.lt(tx, ti)], vec![]);
        let clauses = vec![
            HornClause { body: None, neighbours: Vec::new(), step: Rc::default(), head: Some(0) },
            HornClause { body: Some(0), neighbours: Vec::new(), step: copy, head: Some(1) },
            HornClause { body: Some(1), neighbours: Vec::new(), step: test, head: None },
        ];
        let system = HornSystem { num_relations: 2, clauses };
        assert_eq!(system.needed_vars(&store), [vec![y], vec![x]]);
    }

    #[test]
    fn needs_go_around_loops() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.declare(name, Sort::Int));
        let [tx, ty] = [x, y].map(|var| store.var_expr(var));
        let around = Step { next: vec![(x, ty)], ..Step::default() };
        let end = Step { conjuncts: vec![store.lt(tx, store.int(0))], ..Step::default() };
        let clauses = vec![
            HornClause { body: Some(0), neighbours: Vec::new(), step: Rc::new(around), head: Some(0) },
            HornClause { body: Some(0), neighbours: Vec::new(), step: Rc::new(end), head: None },
        ];
        let system = HornSystem { num_relations: 1, clauses };
        assert_eq!(system.needed_vars(&store), [vec![x, y]]);
    }

    #[test]
    fn of_neighbours_only_what_is_read_is_needed() {
        let store = Store::new();
        let [k, a, b, i, va, vb] =
            ["k", "a", "b", "i", "va", "vb"].map(|name| store.declare(name, Sort::Int));
        let term = |var| store.var_expr(var);
        let neighbour =
            Neighbour { relation: None, place: vec![(k, term(i))], values: vec![(a, va), (b, vb)] };
        let step = |conjunct| Rc::new(Step { conjuncts: vec![conjunct], next: vec![], inputs: vec![va, vb] });
        let needed = |conjunct| {
            let clause = HornClause {
                body: Some(0),
                neighbours: vec![neighbour.clone()],
                step: step(conjunct),
                head: None,
            };
            HornSystem { num_relations: 1, clauses: vec![clause] }.needed_vars(&store).remove(0)
        };
        assert_eq!(needed(store.lt(term(va), store.int(0))), [k, a, i]);
        assert_eq!(needed(store.lt(term(i), store.int(0))), [i]);
    }

    #[test]
    fn of_other_relations_it_is_needed_where_they_are() {
        let store = Store::new();
        let [x, old, y, result] = ["x", "old", "y", "result"].map(|name| store.declare(name, Sort::Int));
        let term = |var| store.var_expr(var);
        // If 0 has `x`, and 1 has `old = x` and `y`, then `y` must not be 0.
        let neighbour =
            Neighbour { relation: Some(1), place: vec![(old, term(x))], values: vec![(y, result)] };
        let is_zero = store.eq(term(result), store.int(0));
        let step = Rc::new(Step { conjuncts: vec![is_zero], next: vec![], inputs: vec![result] });
        let clause = HornClause { body: Some(0), neighbours: vec![neighbour], step, head: None };
        let system = HornSystem { num_relations: 2, clauses: vec![clause] };
        assert_eq!(system.needed_vars(&store), [vec![x], vec![old, y]]);
        let text = HornScript::new(&store, &system).text(&store, &system);
        assert!(text.contains("(relation!0 x) (relation!1 x result) (= result 0)"), "{text}");
    }
}
