//! From automata to transition systems: one more variable says where control is.
//!
//! A step takes one edge, which an input names:
//!
//! ```text
//! initially   location = initial
//! transition  edge = e and location = source of e and the condition of e, for one of the edges
//!             location' = target of the edge, other variables' = their terms after the edge
//! bad         location is an error location
//! ```
//!
//! What edges read besides the variables (values of havocs, branches of choices) are inputs; since only one edge is taken in a
//! step, edges share them. Edges that do not lead to an error location are left out, as are those out of one.
//!
//! The terms of all edges come together in one formula. Engines that know locations need no such formula, and are mostly
//! quicker; the pass is for engines that know only systems, and to compare.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Replacer, Sort, Store, Substitution, Value, VarId, default_value, evaluate};

use super::bounds::{Bound, Bounds};
use super::{
    Cfa, CfaInvariants, CfaProof, CfaStep, CfaTrace, CfaUnwinding, EdgeId, Executed, Graph, Input, Inventor,
    LocId, LongRuns, Stmt, SymbolicState,
};
use crate::sts::{Paths, Sts, StsBuilder, StsProof, StsProperty, StsStep, StsTrace};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// The pass. See the [module](self).
pub struct ToSts;

impl Pass<Cfa> for ToSts {
    type Target = Sts;

    fn name(&self) -> &'static str {
        "cfa-to-sts"
    }

    fn apply(&self, task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Sts>, Stop> {
        run.checkpoint()?;
        Ok(Translation::new(task, None).passed())
    }
}

/// The pass to systems whose integers are in finite ranges, as far as an interval analysis finds them: the constraint states
/// these ranges, also for inputs. For engines that calculate with bits.
pub struct ToBoundedSts;

impl Pass<Cfa> for ToBoundedSts {
    type Target = Sts;

    fn name(&self) -> &'static str {
        "cfa-to-bounded-sts"
    }

    fn apply(&self, task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Sts>, Stop> {
        run.checkpoint()?;
        let bounds = Bounds::new(&task, run)?;
        Ok(Translation::new(task, Some(bounds)).passed())
    }
}

/// An automaton on its way to a system.
struct Translation {
    store: Store,
    cfa: Cfa,
    bounds: Option<Bounds>,
    location: VarId,
    chosen: VarId,
    edges: BTreeMap<EdgeId, Edge>,
    inputs: BTreeMap<InputKind, Vec<VarId>>,
}

impl Translation {
    fn new(task: Task<Cfa>, bounds: Option<Bounds>) -> Translation {
        let Task { store, model: cfa, .. } = task;
        let location = store.declare_fresh("location", Sort::Int);
        let chosen = store.declare_fresh("edge", Sort::Int);
        let (edges, inputs) = Edges::new(&store, &cfa, bounds.as_ref()).all();
        Translation { store, cfa, bounds, location, chosen, edges, inputs }
    }

    fn passed(self) -> Passed<Cfa, Sts> {
        let model = self.system();
        let Translation { store, cfa, bounds, location, chosen, edges, .. } = self;
        let lift =
            ToStsLift { store: store.clone(), cfa, bounds, system: model.clone(), location, chosen, edges };
        let task = Task { store, model, property: StsProperty::Globally };
        Passed { task, lift: Box::new(lift) }
    }

    fn system(&self) -> Sts {
        let (store, cfa) = (&self.store, &self.cfa);
        let mut builder = StsBuilder::new(cfa.name.clone());
        cfa.vars.iter().chain([&self.location]).for_each(|var| builder.var(*var));
        self.inputs.values().flatten().chain([&self.chosen]).for_each(|input| builder.input(*input));
        builder.init(self.at(cfa.initial));
        cfa.forbidden().into_iter().for_each(|forbidden| builder.bad(self.at(forbidden)));
        let possible = self.edges.iter().map(|(id, edge)| {
            store.and_all([self.is_taken(*id), self.at(cfa.edges[*id].source), edge.executed.condition])
        });
        builder.trans(store, store.or_all(possible));
        for var in &cfa.vars {
            let after = self.edges.iter().fold(store.var_expr(*var), |otherwise, (id, edge)| {
                store.ite(self.is_taken(*id), self.after(*var, *id, edge), otherwise)
            });
            builder.next(store, *var, after);
        }
        let target = self.edges.keys().fold(store.var_expr(self.location), |otherwise, id| {
            store.ite(self.is_taken(*id), number(store, cfa.edges[*id].target.index()), otherwise)
        });
        builder.next(store, self.location, target);
        if let Some(bounds) = &self.bounds {
            self.state_ranges(bounds, &mut builder);
        }
        builder.build(store).expect("the system of an automaton should be valid")
    }

    fn at(&self, place: LocId) -> ExprId {
        self.store.eq(self.store.var_expr(self.location), number(&self.store, place.index()))
    }

    fn is_taken(&self, edge: EdgeId) -> ExprId {
        self.store.eq(self.store.var_expr(self.chosen), number(&self.store, edge.index()))
    }

    /// The term of `var` after an edge.
    fn after(&self, var: VarId, id: EdgeId, edge: &Edge) -> ExprId {
        let target = self.cfa.edges[id].target;
        let rest_value = self.bounds.as_ref().and_then(|bounds| bounds.rest_value(var, target));
        rest_value.map_or_else(|| edge.after.get(var), |value| self.store.int(value.clone()))
    }

    /// States the ranges of variables and inputs, and that initial values which do not matter are the rest values.
    fn state_ranges(&self, bounds: &Bounds, builder: &mut StsBuilder) {
        let store = &self.store;
        let mut within = |var: VarId, (low, high): &Bound| {
            let term = store.var_expr(var);
            builder.constraint(store.le(store.int(low.clone()), term));
            builder.constraint(store.le(term, store.int(high.clone())));
        };
        bounds.finite().for_each(|(var, bound)| within(var, bound));
        within(self.location, &(0.into(), self.cfa.locations.len().into()));
        within(self.chosen, &(0.into(), self.cfa.edges.len().into()));
        for ((_, bound), inputs) in &self.inputs {
            bound.iter().for_each(|bound| inputs.iter().for_each(|input| within(*input, bound)));
        }
        for var in &self.cfa.vars {
            if let Some(value) = bounds.rest_value(*var, self.cfa.initial) {
                builder.init(store.eq(store.var_expr(*var), store.int(value.clone())));
            }
        }
    }
}

fn number(store: &Store, index: usize) -> ExprId {
    store.int(i64::try_from(index).expect("an index should be small"))
}

/// An edge as a system sees it.
struct Edge {
    /// The terms of the variables after it.
    after: SymbolicState,
    /// Its condition and inputs. Terms are over variables and the inputs of the system.
    executed: Executed,
    /// The input of the system that stands for what symbolic execution has invented.
    inputs: FxHashMap<VarId, VarId>,
    /// The selectors of branches that have no input, with their conditions over variables and inputs of the system.
    selectors: FxHashMap<VarId, ExprId>,
}

/// Edges share inputs of the same sort and range.
type InputKind = (Sort, Option<Bound>);

/// Executes edges and gives them inputs to share.
struct Edges<'t> {
    store: &'t Store,
    cfa: &'t Cfa,
    bounds: Option<&'t Bounds>,
    vars: FxHashSet<VarId>,
    inventor: Inventor,
    /// The inputs so far.
    inputs: BTreeMap<InputKind, Vec<VarId>>,
}

impl<'t> Edges<'t> {
    fn new(store: &'t Store, cfa: &'t Cfa, bounds: Option<&'t Bounds>) -> Edges<'t> {
        let vars = cfa.vars.iter().copied().collect();
        Edges { store, cfa, bounds, vars, inventor: Inventor::default(), inputs: BTreeMap::new() }
    }

    /// The edges towards errors, and the inputs of all of them.
    fn all(mut self) -> (BTreeMap<EdgeId, Edge>, BTreeMap<InputKind, Vec<VarId>>) {
        let graph = Graph::towards_errors(self.cfa);
        let towards_errors = self.cfa.locations.indices().flat_map(|target| graph.incoming(target).to_vec());
        let edges = towards_errors.map(|id| (id, self.edge(id))).collect();
        (edges, self.inputs)
    }

    fn edge(&mut self, id: EdgeId) -> Edge {
        let store = self.store;
        let mut after = SymbolicState::new(&self.cfa.vars, |var| store.var_expr(var));
        let executed = after.execute(store, &self.cfa.edges[id].stmt, &mut self.inventor);
        let selectors = self.decided_selectors(&executed);
        let mut by_conditions = Replacer::new(|_: &Store, var| selectors.get(&var).copied());
        for var in &self.cfa.vars {
            after.set(*var, by_conditions.apply(store, after.get(*var)));
        }
        let condition = by_conditions.apply(store, executed.condition);
        let mut invented = store.vars_of(after.terms().iter().copied().chain([condition]));
        invented.retain(|var| !self.vars.contains(var));
        let inputs = self.inputs_for(invented, &self.bounds_of_inputs(&self.cfa.edges[id].stmt, &executed));
        let mut renamer =
            Replacer::new(|store: &Store, var| inputs.get(&var).map(|input| store.var_expr(*input)));
        for var in &self.cfa.vars {
            after.set(*var, renamer.apply(store, after.get(*var)));
        }
        let condition = renamer.apply(store, condition);
        let selectors = selectors.into_iter().map(|(var, term)| (var, renamer.apply(store, term))).collect();
        Edge { after, executed: Executed { condition, ..executed }, inputs, selectors }
    }

    /// The selectors that conditions can replace, with these conditions, in which such selectors are replaced too. Only for bounded
    /// systems: engines that calculate with bits want few inputs.
    fn decided_selectors(&self, executed: &Executed) -> FxHashMap<VarId, ExprId> {
        let mut selectors: FxHashMap<VarId, ExprId> = FxHashMap::default();
        if self.bounds.is_none() {
            return selectors;
        }
        // Conditions of later choices may depend on the selectors of earlier ones, never the other way round.
        for (selector, condition) in &executed.decided {
            let Some(selector) = self.store.as_var(*selector) else { continue };
            let condition =
                Replacer::new(|_: &Store, var| selectors.get(&var).copied()).apply(self.store, *condition);
            selectors.insert(selector, condition);
        }
        selectors
    }

    /// The inputs of the system that stand for what was invented.
    fn inputs_for(
        &mut self,
        invented: Vec<VarId>,
        bounds: &FxHashMap<VarId, Bound>,
    ) -> FxHashMap<VarId, VarId> {
        let mut num_used: BTreeMap<InputKind, usize> = BTreeMap::new();
        let mut inputs = FxHashMap::default();
        for var in invented {
            let kind = (self.store.var_sort(var), bounds.get(&var).cloned());
            let used = num_used.entry(kind.clone()).or_default();
            inputs.insert(var, self.input(kind, *used));
            *used += 1;
        }
        inputs
    }

    /// The finite ranges of what was invented for the havocs of a statement.
    fn bounds_of_inputs(&self, stmt: &Stmt, executed: &Executed) -> FxHashMap<VarId, Bound> {
        let Some(bounds) = self.bounds else { return FxHashMap::default() };
        let mut invented = Vec::new();
        collect_havocs(&executed.inputs, &mut invented);
        let known = invented.into_iter().zip(bounds.of_havocs(self.store, stmt));
        known.filter_map(|(term, bound)| Some((self.store.as_var(term)?, bound?))).collect()
    }

    /// The input of a kind with a number.
    fn input(&mut self, kind: InputKind, number: usize) -> VarId {
        let sort = kind.0;
        let inputs = self.inputs.entry(kind).or_default();
        if inputs.len() == number {
            inputs.push(self.store.declare_fresh("input", sort));
        }
        inputs[number]
    }
}

/// The terms that stand for the values of havocs, in the order of execution.
fn collect_havocs(inputs: &[Input], terms: &mut Vec<ExprId>) {
    for input in inputs {
        match input {
            Input::Havoc(term) => terms.push(*term),
            Input::Choice(branches) => branches.iter().for_each(|(_, inputs)| collect_havocs(inputs, terms)),
        }
    }
}

struct ToStsLift {
    store: Store,
    cfa: Cfa,
    bounds: Option<Bounds>,
    system: Sts,
    location: VarId,
    chosen: VarId,
    edges: BTreeMap<EdgeId, Edge>,
}

impl Lift<Sts, Cfa> for ToStsLift {
    fn trace(&self, trace: StsTrace) -> CfaTrace {
        let first = trace.steps.first().map(|step| step.state.as_slice()).unwrap_or_default();
        let initial = self.cfa.vars.iter().copied().zip(first.iter().cloned()).collect();
        // What follows the last state is no part of the run.
        let taken = trace.steps.split_last().map(|(_, taken)| taken).unwrap_or_default();
        // A step that names no edge becomes a run that ends too early, which the checker rejects.
        let steps = taken.iter().map_while(|step| self.step(step)).collect();
        CfaTrace::new(initial, steps)
    }

    fn proof(&self, task: &Task<Cfa>, inner: &Store, proof: StsProof) -> Evidence<CfaProof> {
        match proof {
            StsProof::Invariant(formula) => {
                Evidence::Given(CfaProof::Invariants(self.invariants(task, inner, formula)))
            }
            StsProof::KInductive { k, lemma, paths: Paths::All } => {
                Evidence::Given(CfaProof::Unwinding(CfaUnwinding {
                    bound: k,
                    cuts: self.edges.keys().copied().collect(),
                    long_runs: LongRuns::Inductive,
                    lemmas: self.invariants(task, inner, lemma),
                }))
            }
            StsProof::KInductive { paths: Paths::Simple, .. } => {
                Evidence::Missing("an induction over simple paths is no proof about an automaton")
            }
        }
    }
}

impl ToStsLift {
    /// The edge that a step of the system takes.
    fn step(&self, step: &StsStep) -> Option<CfaStep> {
        let value = |var: VarId| self.value(step, var);
        let Value::Int(chosen) = value(self.chosen)? else { return None };
        let (id, edge) = self.edges.iter().find(|(id, _)| chosen == id.index().into())?;
        // What was invented and occurs in no term does not matter.
        let invented = |term: ExprId| {
            let known = self.store.as_var(term).and_then(|var| match edge.selectors.get(&var) {
                Some(condition) => evaluate(&self.store, *condition, &value).ok(),
                None => value(*edge.inputs.get(&var)?),
            });
            let default = || default_value(&self.store, self.store.sort(term));
            Ok::<Value, std::convert::Infallible>(known.unwrap_or_else(default))
        };
        let Ok((inputs, choices)) = edge.executed.concrete(invented);
        Some(CfaStep { edge: *id, inputs, choices })
    }

    /// The value of a variable or input of the system in a step.
    fn value(&self, step: &StsStep, var: VarId) -> Option<Value> {
        let among = |vars: &[VarId], values: &[Value]| {
            let position = vars.iter().position(|other| *other == var)?;
            values.get(position).cloned()
        };
        among(&self.system.inputs, &step.inputs).or_else(|| among(&self.system.vars, &step.state))
    }

    /// What `formula` says about each location from which an edge leads towards an error location.
    fn invariants(&self, task: &Task<Cfa>, inner: &Store, formula: ExprId) -> CfaInvariants {
        let sources = self.edges.keys().map(|edge| self.cfa.edges[*edge].source);
        let formulas = sources.map(|location| (location, self.invariant(task, inner, formula, location)));
        CfaInvariants { formulas: formulas.collect(), ..CfaInvariants::default() }
    }

    /// What `formula` says about a location, with the ranges of variables if it depends on them.
    fn invariant(&self, task: &Task<Cfa>, inner: &Store, formula: ExprId, location: LocId) -> ExprId {
        let mut here = Substitution::new();
        here.insert(inner, self.location, number(inner, location.index()));
        let Some(bounds) = &self.bounds else { return task.store.import(inner, here.apply(inner, formula)) };
        for var in &self.cfa.vars {
            if let Some(value) = bounds.rest_value(*var, location) {
                here.insert(inner, *var, inner.int(value.clone()));
            }
        }
        let facts = bounds.facts(&task.store, location);
        task.store.and_all(facts.into_iter().chain([task.store.import(inner, here.apply(inner, formula))]))
    }
}
