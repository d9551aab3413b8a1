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
use thetis_expr::{ExprId, Replacer, Sort, Store, Substitution, Value, VarId, default_value};

use super::{
    Cfa, CfaInvariants, CfaProof, CfaStep, CfaTrace, CfaUnwinding, EdgeId, Executed, Graph, Inventor, LocId,
    LongRuns, SymbolicState,
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
        let Task { store, model: cfa, .. } = task;
        let location = store.declare_fresh("location", Sort::Int);
        let chosen = store.declare_fresh("edge", Sort::Int);
        let (edges, inputs) = Edges::new(&store, &cfa).all();
        let mut builder = StsBuilder::new(cfa.name.clone());
        cfa.vars.iter().chain([&location]).for_each(|var| builder.var(*var));
        inputs.iter().chain([&chosen]).for_each(|input| builder.input(*input));
        let at = |place: LocId| store.eq(store.var_expr(location), number(&store, place.index()));
        builder.init(at(cfa.initial));
        cfa.forbidden().into_iter().for_each(|forbidden| builder.bad(at(forbidden)));
        let is_taken = |edge: EdgeId| store.eq(store.var_expr(chosen), number(&store, edge.index()));
        let possible = edges.iter().map(|(id, edge)| {
            store.and_all([is_taken(*id), at(cfa.edges[*id].source), edge.executed.condition])
        });
        builder.trans(&store, store.or_all(possible));
        for var in &cfa.vars {
            let behind = edges.iter().fold(store.var_expr(*var), |otherwise, (id, edge)| {
                store.ite(is_taken(*id), edge.behind.get(*var), otherwise)
            });
            builder.next(&store, *var, behind);
        }
        let target = edges.keys().fold(store.var_expr(location), |otherwise, id| {
            store.ite(is_taken(*id), number(&store, cfa.edges[*id].target.index()), otherwise)
        });
        builder.next(&store, location, target);
        let model = builder.build(&store).expect("the system of an automaton should be valid");
        let lift = ToStsLift { store: store.clone(), cfa, system: model.clone(), location, chosen, edges };
        let task = Task { store, model, property: StsProperty::Globally };
        Ok(Passed { task, lift: Box::new(lift) })
    }
}

fn number(store: &Store, index: usize) -> ExprId {
    store.int(i64::try_from(index).expect("an index should be small"))
}

/// An edge as a system sees it.
struct Edge {
    /// The terms of the variables after it.
    behind: SymbolicState,
    /// Its condition and inputs. Terms are over variables and the inputs of the system.
    executed: Executed,
    /// The input of the system that stands for what symbolic execution has invented.
    inputs: FxHashMap<VarId, VarId>,
}

/// Executes edges and gives them inputs to share.
struct Edges<'t> {
    store: &'t Store,
    cfa: &'t Cfa,
    vars: FxHashSet<VarId>,
    inventor: Inventor,
    /// The inputs so far.
    inputs: BTreeMap<Sort, Vec<VarId>>,
}

impl<'t> Edges<'t> {
    fn new(store: &'t Store, cfa: &'t Cfa) -> Edges<'t> {
        let vars = cfa.vars.iter().copied().collect();
        Edges { store, cfa, vars, inventor: Inventor::default(), inputs: BTreeMap::new() }
    }

    /// The edges towards errors, and the inputs of all of them.
    fn all(mut self) -> (BTreeMap<EdgeId, Edge>, Vec<VarId>) {
        let graph = Graph::towards_errors(self.cfa);
        let towards_errors = self.cfa.locations.indices().flat_map(|target| graph.incoming(target).to_vec());
        let edges = towards_errors.map(|id| (id, self.edge(id))).collect();
        (edges, self.inputs.into_values().flatten().collect())
    }

    fn edge(&mut self, id: EdgeId) -> Edge {
        let store = self.store;
        let mut behind = SymbolicState::new(&self.cfa.vars, |var| store.var_expr(var));
        let executed = behind.execute(store, &self.cfa.edges[id].stmt, &mut self.inventor);
        let mut invented = store.vars_of(behind.terms().iter().copied().chain([executed.condition]));
        invented.retain(|var| !self.vars.contains(var));
        let mut num_used: BTreeMap<Sort, usize> = BTreeMap::new();
        let mut inputs = FxHashMap::default();
        for var in invented {
            let used = num_used.entry(store.var_sort(var)).or_default();
            inputs.insert(var, self.input(store.var_sort(var), *used));
            *used += 1;
        }
        let mut renamer =
            Replacer::new(|store: &Store, var| inputs.get(&var).map(|input| store.var_expr(*input)));
        for var in &self.cfa.vars {
            behind.set(*var, renamer.apply(store, behind.get(*var)));
        }
        let condition = renamer.apply(store, executed.condition);
        Edge { behind, executed: Executed { condition, ..executed }, inputs }
    }

    /// The input of a sort with a number.
    fn input(&mut self, sort: Sort, number: usize) -> VarId {
        let inputs = self.inputs.entry(sort).or_default();
        if inputs.len() == number {
            inputs.push(self.store.declare_fresh("input", sort));
        }
        inputs[number]
    }
}

struct ToStsLift {
    store: Store,
    cfa: Cfa,
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
        let value = |input: VarId| {
            let position = self.system.inputs.iter().position(|other| *other == input)?;
            step.inputs.get(position).cloned()
        };
        let Value::Int(chosen) = value(self.chosen)? else { return None };
        let (id, edge) = self.edges.iter().find(|(id, _)| chosen == id.index().into())?;
        // What was invented and occurs in no term does not matter.
        let invented = |term: ExprId| {
            let input = self.store.as_var(term).and_then(|var| edge.inputs.get(&var));
            let default = || default_value(&self.store, self.store.sort(term));
            Ok::<Value, std::convert::Infallible>(
                input.and_then(|input| value(*input)).unwrap_or_else(default),
            )
        };
        let Ok((inputs, choices)) = edge.executed.concrete(invented);
        Some(CfaStep { edge: *id, inputs, choices })
    }

    /// What `formula` says about each location from which an edge leads towards an error location.
    fn invariants(&self, task: &Task<Cfa>, inner: &Store, formula: ExprId) -> CfaInvariants {
        let sources = self.edges.keys().map(|edge| self.cfa.edges[*edge].source);
        let at = |location: LocId| {
            let mut here = Substitution::new();
            here.insert(inner, self.location, number(inner, location.index()));
            (location, task.store.import(inner, here.apply(inner, formula)))
        };
        CfaInvariants { formulas: sources.map(at).collect(), ..CfaInvariants::default() }
    }
}
