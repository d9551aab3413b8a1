//! Facts that others have found out about an automaton, and the pass that makes guards of them.
//!
//! Facts come as text ([`Fact`]) from engines that looked at another form of the same program. A fact about a location or a
//! variable that this automaton does not have is of no use here and is left out.
//!
//! # The pass `inject` (Imeri 2025, Algorithm 5)
//! Each location with an invariant gets a guard: a location in front of it that takes over its incoming edges and leads to it
//! by `assume invariant`. An engine on the guarded automaton need not find the invariants by itself. If one of them is
//! wrong, runs are lost; but the lift adds the invariants to the proof, so a proof that rests on a wrong one is rejected
//! by the checker.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{Fact, Run, Stop};
use thetis_expr::smtlib::{Declared, parse_term};
use thetis_expr::{ExprId, Sort, Store};

use super::evidence::OTHER_RUNS;
use super::{Cfa, CfaInvariants, CfaProof, CfaTrace, CfaUnwinding, Edge, EdgeId, LocId, Location, Stmt};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// The invariants among `facts` that `task` can understand, joined for each location.
pub fn known_invariants(task: &Task<Cfa>, facts: &[Fact]) -> BTreeMap<LocId, ExprId> {
    let names = location_names(&task.model);
    let mut invariants: BTreeMap<LocId, ExprId> = BTreeMap::new();
    for fact in facts {
        let Fact::Invariant { location, formula } = fact else { continue };
        let (Some(location), Some(formula)) = (names.get(location.as_str()), read(task, formula)) else {
            continue;
        };
        let known = invariants.entry(*location).or_insert_with(|| task.store.tru());
        *known = task.store.and(*known, formula);
    }
    invariants
}

/// The predicates among `facts`, and the conjuncts of the invariants, that `task` can understand; those without a
/// location are for all.
pub fn known_predicates(task: &Task<Cfa>, facts: &[Fact]) -> Vec<(Option<LocId>, ExprId)> {
    let names = location_names(&task.model);
    let mut predicates = BTreeSet::new();
    for fact in facts {
        let (location, formula) = match fact {
            Fact::Invariant { location, formula } => (Some(location), formula),
            Fact::Predicate { location, formula } => (location.as_ref(), formula),
            Fact::Wanted { .. } => continue,
        };
        let place = match location.map(|name| names.get(name.as_str())) {
            None => None,
            Some(Some(location)) => Some(*location),
            Some(None) => continue,
        };
        let Some(formula) = read(task, formula) else { continue };
        predicates.extend(task.store.conjuncts(formula).into_iter().map(|conjunct| (place, conjunct)));
    }
    predicates.into_iter().collect()
}

/// The locations of `task` about which an engine wants to know more.
pub fn wanted_locations(task: &Task<Cfa>, facts: &[Fact]) -> BTreeSet<LocId> {
    let names = location_names(&task.model);
    let wanted = facts.iter().filter_map(|fact| match fact {
        Fact::Wanted { location } => names.get(location.as_str()).copied(),
        Fact::Invariant { .. } | Fact::Predicate { .. } => None,
    });
    wanted.collect()
}

fn location_names(cfa: &Cfa) -> BTreeMap<&str, LocId> {
    cfa.locations.iter_enumerated().map(|(id, location)| (location.name.as_str(), id)).collect()
}

/// The formula of a text, if it is one over the variables of the model.
fn read(task: &Task<Cfa>, text: &str) -> Option<ExprId> {
    let formula = parse_term(&task.store, text, &Declared).ok()?;
    let knows_all = task.store.vars_of([formula]).iter().all(|var| task.model.vars.contains(var));
    (task.store.sort(formula) == Sort::Bool && knows_all).then_some(formula)
}

/// The pass. See the [module](self).
#[derive(Clone, Default, Debug)]
pub struct Inject {
    /// What is to be injected.
    pub facts: Vec<Fact>,
}

impl Pass<Cfa> for Inject {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "inject"
    }

    fn apply(&self, task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Cfa>, Stop> {
        run.checkpoint()?;
        let mut invariants = known_invariants(&task, &self.facts);
        invariants.retain(|location, _| !task.model.is_forbidden(*location));
        let num_edges = task.model.edges.len();
        let model = guarded(&task.model, &invariants);
        let lift = InjectLift { invariants, num_edges };
        Ok(Passed { task: Task { model, ..task }, lift: Box::new(lift) })
    }
}

/// `cfa` with a guard before each location of `invariants`. Locations and edges of `cfa` keep their numbers.
fn guarded(cfa: &Cfa, invariants: &BTreeMap<LocId, ExprId>) -> Cfa {
    let mut guarded = cfa.clone();
    let mut guards: BTreeMap<LocId, LocId> = BTreeMap::new();
    for location in invariants.keys() {
        let Location { name, span } = &cfa.locations[*location];
        let guard = guarded.locations.push(Location { name: format!("{name}?"), span: *span });
        guards.insert(*location, guard);
    }
    let entry = |location: LocId| guards.get(&location).copied().unwrap_or(location);
    for edge in &mut guarded.edges {
        edge.target = entry(edge.target);
    }
    guarded.initial = entry(cfa.initial);
    for (location, invariant) in invariants {
        let stmt = Stmt::assume(*invariant);
        guarded.edges.push(Edge { source: guards[location], target: *location, stmt, span: None });
    }
    guarded
}

struct InjectLift {
    invariants: BTreeMap<LocId, ExprId>,
    num_edges: usize,
}

impl Lift<Cfa, Cfa> for InjectLift {
    fn trace(&self, trace: CfaTrace) -> CfaTrace {
        trace.replace_steps(|step| (step.edge.index() < self.num_edges).then_some(step))
    }

    fn proof(&self, task: &Task<Cfa>, inner: &Store, proof: CfaProof) -> Evidence<CfaProof> {
        let is_kept = |location: &LocId, guards: &BTreeMap<LocId, ExprId>| {
            location.index() < task.model.locations.len() && !guards.contains_key(location)
        };
        let is_edge = |edge: &EdgeId| edge.index() < self.num_edges;
        let lift = |invariants: CfaInvariants| {
            let guards = self.at_guards(task, &invariants.formulas);
            CfaInvariants {
                cells: invariants.cells_in(&task.store, inner),
                derived: invariants.derived.iter().copied().filter(|at| is_kept(at, &guards)).collect(),
                formulas: self.add_to(task, inner, invariants.formulas, guards),
                blocked: invariants.blocked.into_iter().filter(is_edge).collect(),
            }
        };
        match proof {
            CfaProof::Invariants(invariants) => Evidence::Given(CfaProof::Invariants(lift(invariants))),
            CfaProof::Unwinding(unwinding) if unwinding.cuts.iter().all(is_edge) => {
                Evidence::Given(CfaProof::Unwinding(CfaUnwinding {
                    lemmas: lift(unwinding.lemmas),
                    ..unwinding
                }))
            }
            CfaProof::Unwinding(_) => {
                Evidence::Missing("the unwinding counts edges that the original automaton does not have")
            }
            CfaProof::Exhaustion { .. } => Evidence::Missing(OTHER_RUNS),
            CfaProof::Contracts(proof) => {
                Evidence::Given(CfaProof::Contracts(proof.at_home(&task.store, inner)))
            }
        }
    }
}

impl InjectLift {
    /// The formulas of guards, by the locations after them. Whatever holds at a guard still holds after it, and together with the
    /// invariant implies what a proof says there; so a location with such a formula need not be derived.
    fn at_guards(&self, task: &Task<Cfa>, formulas: &BTreeMap<LocId, ExprId>) -> BTreeMap<LocId, ExprId> {
        let guards = (task.model.locations.len()..).map(LocId::new).zip(self.invariants.keys());
        guards.filter_map(|(guard, location)| Some((*location, *formulas.get(&guard)?))).collect()
    }

    /// The formulas at the original locations, those of their guards, and the invariants.
    fn add_to(
        &self,
        task: &Task<Cfa>,
        inner: &Store,
        formulas: BTreeMap<LocId, ExprId>,
        guards: BTreeMap<LocId, ExprId>,
    ) -> BTreeMap<LocId, ExprId> {
        let kept = formulas.into_iter().filter(|(at, _)| at.index() < task.model.locations.len());
        let mut kept: BTreeMap<LocId, ExprId> =
            kept.map(|(at, formula)| (at, task.store.import(inner, formula))).collect();
        // The pass has read the invariants into a copy of the original store.
        for (location, invariant) in self.invariants.iter().chain(&guards) {
            let invariant = task.store.import(inner, *invariant);
            let known = kept.entry(*location).or_insert_with(|| task.store.tru());
            *known = task.store.and(*known, invariant);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;

    use super::super::{CfaBuilder, CfaProperty};
    use super::*;

    fn task() -> Task<Cfa> {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        store.declare("elsewhere", Sort::Int);
        let mut builder = CfaBuilder::new("loop");
        builder.var(x);
        let [start, bad] = ["start", "bad"].map(|name| builder.location(name, None));
        builder.initial(start);
        builder.error(bad);
        builder.edge(start, start, Stmt::assign(x, store.add(store.var_expr(x), store.int(1))), None);
        builder.edge(start, bad, Stmt::assume(store.lt(store.var_expr(x), store.int(0))), None);
        let model = builder.build(&store).unwrap();
        Task { store, model, property: CfaProperty::ErrorLocation }
    }

    fn invariant(location: &str, formula: &str) -> Fact {
        Fact::Invariant { location: location.into(), formula: formula.into() }
    }

    #[test]
    fn facts_that_are_not_understood_are_left_out() {
        let task = task();
        let facts = [
            invariant("start", "(<= 0 x)"),
            invariant("start", "(<= x 9)"),
            invariant("nowhere", "(<= 0 x)"),
            invariant("start", "(<= 0 elsewhere)"),
            invariant("start", "(<= 0 unknown)"),
            invariant("start", "x"),
            invariant("start", "((("),
        ];
        let invariants = known_invariants(&task, &facts);
        let x = task.store.var("x", Sort::Int);
        let expected =
            task.store.and(task.store.le(task.store.int(0), x), task.store.le(x, task.store.int(9)));
        assert_eq!(invariants.into_iter().collect::<Vec<_>>(), [(LocId::new(0), expected)]);
        assert_eq!(known_predicates(&task, &facts).len(), 2);
    }

    /// A proof that has its formula at the guard, and what follows after it, is one of the original automaton.
    #[test]
    fn formulas_of_guards_come_home() {
        let task = task();
        let facts = vec![invariant("start", "(<= 0 x)")];
        let passed = Inject { facts }.apply(task.clone(), &Run::unlimited()).unwrap();
        let (start, guard) = (LocId::new(0), passed.task.model.location("start?").unwrap());
        let store = &passed.task.store;
        let below = store.le(store.var("x", Sort::Int), store.int(9));
        let invariants = CfaInvariants {
            formulas: BTreeMap::from([(guard, below)]),
            derived: BTreeSet::from([start]),
            ..CfaInvariants::default()
        };
        let lifted = passed.lift.proof(&task, store, CfaProof::Invariants(invariants));
        let Evidence::Given(CfaProof::Invariants(lifted)) = lifted else { panic!("{lifted:?}") };
        assert!(lifted.derived.is_empty());
        let x = task.store.var("x", Sort::Int);
        let expected = [task.store.le(task.store.int(0), x), task.store.le(x, task.store.int(9))];
        assert_eq!(task.store.conjuncts(lifted.formulas[&start]), expected);
    }

    #[test]
    fn guards_take_over_the_incoming_edges() {
        let task = task();
        let facts = vec![invariant("start", "(<= 0 x)"), invariant("bad", "false")];
        let passed = Inject { facts }.apply(task.clone(), &Run::unlimited()).unwrap();
        let model = &passed.task.model;
        model.validate(&passed.task.store).unwrap();
        assert_eq!(model.locations.len(), 3, "error locations have no guards");
        let guard = model.location("start?").unwrap();
        assert_eq!(model.initial, guard);
        assert_eq!(model.edges[EdgeId::new(0)].target, guard);
        assert_eq!(
            (model.edges[EdgeId::new(2)].source, model.edges[EdgeId::new(2)].target),
            (guard, LocId::new(0))
        );
        let step = |edge| super::super::CfaStep { edge: EdgeId::new(edge), inputs: vec![], choices: vec![] };
        let trace = CfaTrace::new(BTreeMap::new(), [2, 0, 2, 1].map(step).to_vec());
        let lifted: Vec<usize> =
            passed.lift.trace(trace).steps.iter().map(|step| step.edge.index()).collect();
        assert_eq!(lifted, [0, 1]);
    }
}
