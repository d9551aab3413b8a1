//! The pass `unfold`: values of control variables become part of the location.
//!
//! # Problem
//! Protocols, drivers, schedulers and controllers keep what they do next in variables: `state = 8464`, and a loop around a
//! `switch`. To an engine that works location by location all of that is one loop head with one invariant, a
//! disjunction with a case for each state that it has to find piece by piece.
//!
//! # Method
//! A location becomes one location for each combination of values that the chosen variables can have there: the automaton
//! is explored from its initial location with what is known of these variables, constants are propagated along each
//! edge, and edges that they block are left out. What is known of a variable is forgotten where it is not live. What is left
//! of a state machine in the statements is now in the graph, as if it had been written with `goto`.
//!
//! Which variables are chosen is decided by trying: the [candidates] come in the order of how often they
//! decide where control goes, and each is taken if the automaton stays small with it.
//!
//! # The way back
//! Edges do the same as before whenever what is known holds, so steps of runs only need the names of their edges. The
//! invariant of an original location is a disjunction: one of its copies' values, and the formula of that copy.

mod candidates;
mod product;

use std::collections::BTreeMap;

use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Store, VarId};

use self::product::{Explorer, Known, Product};
use super::evidence::OTHER_RUNS;
use super::{Cfa, CfaInvariants, CfaProof, CfaTrace, Edge, EdgeId, LocId, Location};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// The pass. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Unfold {
    /// The greatest number of locations of the new automaton.
    pub max_locations: usize,
}

/// Why some proofs cannot be lifted.
const NOT_BY_LOCATION: &str = "only a formula for each copy of a location is one for the location";

impl Pass<Cfa> for Unfold {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "unfold"
    }

    fn apply(&self, task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Cfa>, Stop> {
        let product = self.choose(&task, run)?;
        let (model, lift) = unfolded(&task, product);
        Ok(Passed { task: Task { store: task.store, model, property: task.property }, lift: Box::new(lift) })
    }
}

impl Unfold {
    /// Whether there are variables that look as if they said where control goes.
    pub fn is_useful(task: &Task<Cfa>) -> bool {
        !candidates::candidates(&task.store, &task.model).is_empty()
    }

    /// The product with as many control variables as fit.
    fn choose(&self, task: &Task<Cfa>, run: &Run) -> Result<Product, Stop> {
        let explorer = Explorer::new(task, run)?;
        let mut best = explorer.product(&[], usize::MAX, run)?.expect("what has no limit should fit");
        let mut chosen = Vec::new();
        for var in candidates::candidates(&task.store, &task.model) {
            chosen.push(var);
            match explorer.product(&chosen, self.max_locations, run)? {
                Some(product) => best = product,
                None => {
                    chosen.pop();
                }
            }
        }
        Ok(best)
    }
}

/// The automaton of `product`.
fn unfolded(task: &Task<Cfa>, product: Product) -> (Cfa, UnfoldLift) {
    let cfa = &task.model;
    let copies = product.nodes.iter().map(|node| Copied {
        original: node.location,
        condition: condition(&task.store, &product.vars, &node.known),
    });
    let copies: IndexVec<LocId, Copied> = copies.collect();
    let mut model = Cfa {
        name: cfa.name.clone(),
        vars: cfa.vars.clone(),
        locations: names(cfa, &copies),
        edges: IndexVec::new(),
        initial: LocId::new(0),
        errors: copies_of(&copies, &cfa.errors),
        limits: limits_of(cfa, &copies),
        finals: copies_of(&copies, &cfa.finals),
        procedural: cfa.procedural.clone(),
    };
    let mut old_edges = IndexVec::new();
    for step in product.steps {
        let [source, target] = [step.source, step.target].map(LocId::new);
        model.edges.push(Edge { source, target, stmt: step.stmt, span: cfa.edges[step.edge].span });
        old_edges.push(step.edge);
    }
    (model, UnfoldLift { copies, old_edges })
}

/// That the variables have the values that are known.
fn condition(store: &Store, vars: &[VarId], known: &Known) -> ExprId {
    let equations = vars.iter().zip(known).filter_map(|(var, value)| Some((var, (*value)?)));
    store.and_all(equations.map(|(var, value)| store.eq(store.var_expr(*var), value)))
}

/// A location without further copies keeps its name: what is found out about it holds for the original.
fn names(cfa: &Cfa, copies: &IndexVec<LocId, Copied>) -> IndexVec<LocId, Location> {
    let mut num_copies: BTreeMap<LocId, usize> = BTreeMap::new();
    for copy in copies {
        *num_copies.entry(copy.original).or_default() += 1;
    }
    let named = copies.iter_enumerated().map(|(id, copy)| {
        let Location { name, span } = &cfa.locations[copy.original];
        let is_only = num_copies[&copy.original] == 1;
        Location { name: if is_only { name.clone() } else { format!("{name}#{}", id.index()) }, span: *span }
    });
    named.collect()
}

fn copies_of(copies: &IndexVec<LocId, Copied>, locations: &[LocId]) -> Vec<LocId> {
    let copies = copies.iter_enumerated().filter(|(_, copy)| locations.contains(&copy.original));
    copies.map(|(id, _)| id).collect()
}

fn limits_of(cfa: &Cfa, copies: &IndexVec<LocId, Copied>) -> BTreeMap<LocId, String> {
    let limits =
        copies.iter_enumerated().filter_map(|(id, copy)| Some((id, cfa.limits.get(&copy.original)?)));
    limits.map(|(id, reason)| (id, reason.clone())).collect()
}

/// A location of the new automaton.
struct Copied {
    original: LocId,
    /// What is known there.
    condition: ExprId,
}

struct UnfoldLift {
    copies: IndexVec<LocId, Copied>,
    old_edges: IndexVec<EdgeId, EdgeId>,
}

impl Lift<Cfa, Cfa> for UnfoldLift {
    fn trace(&self, mut trace: CfaTrace) -> CfaTrace {
        for step in &mut trace.steps {
            step.edge = self.old_edges[step.edge];
        }
        trace
    }

    fn proof(&self, task: &Task<Cfa>, inner: &Store, proof: CfaProof) -> Evidence<CfaProof> {
        match proof {
            CfaProof::Invariants(invariants) if invariants.derived.is_empty() => {
                Evidence::Given(CfaProof::Invariants(self.invariants(task, inner, &invariants)))
            }
            CfaProof::Invariants(_) | CfaProof::Unwinding(_) => Evidence::Missing(NOT_BY_LOCATION),
            CfaProof::Exhaustion { .. } => Evidence::Missing(OTHER_RUNS),
            CfaProof::Contracts(proof) => {
                Evidence::Given(CfaProof::Contracts(proof.at_home(&task.store, inner)))
            }
        }
    }
}

impl UnfoldLift {
    /// Which edges are blocked can be seen from the formulas.
    fn invariants(&self, task: &Task<Cfa>, inner: &Store, invariants: &CfaInvariants) -> CfaInvariants {
        let store = &task.store;
        let original = task.model.locations.indices().filter(|location| !task.model.is_forbidden(*location));
        let mut cases: BTreeMap<LocId, Vec<ExprId>> =
            original.map(|location| (location, Vec::new())).collect();
        for (id, copy) in self.copies.iter_enumerated() {
            let condition = store.import(inner, copy.condition);
            let case = match invariants.formulas.get(&id) {
                Some(formula) => store.and(condition, store.import(inner, *formula)),
                None => condition,
            };
            cases.entry(copy.original).and_modify(|cases| cases.push(case));
        }
        let formulas = cases.into_iter().map(|(location, cases)| (location, store.or_all(cases))).collect();
        CfaInvariants { formulas, cells: invariants.cells_in(store, inner), ..CfaInvariants::default() }
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;

    use super::super::{CfaBuilder, CfaProperty, CfaStep, Stmt};
    use super::*;

    /// A loop that goes through the states 1, 2 and 3, where it waits; `x` is not looked at in state 3. State 4 is the error.
    fn machine() -> Task<Cfa> {
        let store = Store::new();
        let [state, x] = ["state", "x"].map(|name| store.declare(name, Sort::Int));
        let is_at = |number: i32| Stmt::assume(store.eq(store.var_expr(state), store.int(number)));
        let go_to = |number: i32| Stmt::assign(state, store.int(number));
        let mut builder = CfaBuilder::new("machine");
        builder.var(state);
        builder.var(x);
        let [start, head, bad] = ["start", "head", "bad"].map(|name| builder.location(name, None));
        builder.initial(start);
        builder.error(bad);
        builder.edge(start, head, go_to(1), None);
        let positive = Stmt::assume(store.lt(store.int(0), store.var_expr(x)));
        builder.edge(head, head, Stmt::seq(vec![is_at(1), positive, go_to(2)]), None);
        builder.edge(head, head, Stmt::seq(vec![is_at(2), Stmt::choice(vec![go_to(3), go_to(1)])]), None);
        builder.edge(head, head, Stmt::seq(vec![is_at(2), go_to(3)]), None);
        builder.edge(head, head, is_at(3), None);
        builder.edge(head, bad, is_at(4), None);
        let model = builder.build(&store).unwrap();
        Task { store, model, property: CfaProperty::ErrorLocation }
    }

    fn unfolded(task: &Task<Cfa>, max_locations: usize) -> Passed<Cfa, Cfa> {
        let passed = Unfold { max_locations }.apply(task.clone(), &Run::unlimited()).unwrap();
        passed.task.model.validate(&passed.task.store).unwrap();
        passed
    }

    #[test]
    fn states_become_locations() {
        let task = machine();
        assert!(Unfold::is_useful(&task));
        let model = unfolded(&task, 100).task.model;
        let names: Vec<&str> = model.locations.iter().map(|location| location.name.as_str()).collect();
        // Behind the choice, the state is not known: any of the guards may hold there, also that of the error.
        assert_eq!(names, ["start", "head#1", "head#2", "head#3", "head#4", "bad"]);
        assert_eq!(model.errors, [LocId::new(5)]);
    }

    #[test]
    fn what_does_not_fit_is_left_alone() {
        let task = machine();
        let model = unfolded(&task, 3).task.model;
        assert_eq!((model.locations.len(), model.edges.len()), (3, 6));
    }

    #[test]
    fn runs_and_proofs_come_home() {
        let task = machine();
        let passed = unfolded(&task, 100);
        let edges = &passed.task.model.edges;
        let step = |edge| CfaStep { edge, inputs: Vec::new(), choices: Vec::new() };
        let into_bad = edges.position(|edge| edge.target == LocId::new(5)).unwrap();
        let trace = CfaTrace::new(BTreeMap::new(), vec![step(EdgeId::new(0)), step(into_bad)]);
        let home: Vec<usize> = passed.lift.trace(trace).steps.iter().map(|step| step.edge.index()).collect();
        assert_eq!(home, [0, 5]);

        let store = &passed.task.store;
        let formula = store.lt(store.int(0), store.var("x", Sort::Int));
        let proof =
            CfaProof::invariants(BTreeMap::from([(LocId::new(2), formula), (LocId::new(3), formula)]));
        let Evidence::Given(CfaProof::Invariants(lifted)) = passed.lift.proof(&task, store, proof) else {
            panic!("formulas for copies are formulas for locations");
        };
        let store = &task.store;
        let positive = store.import(&passed.task.store, formula);
        let is_at = |number: i32| store.eq(store.var("state", Sort::Int), store.int(number));
        let expected = store.or_all([is_at(1), store.and(is_at(2), positive), positive, is_at(3)]);
        assert_eq!(lifted.formulas[&LocId::new(1)], expected);
    }
}
