//! From transition systems to automata, so that engines for automata serve both.
//!
//! The automaton has three locations:
//!
//! ```text
//! start -> step   { assume init }
//! step  -> step   { havoc inputs  assume constraint  assume trans  all variables := their next values }
//! step  -> bad    { havoc inputs  assume constraint  assume bad }
//! ```
//!
//! Statements happen one after the other while the variables of a system change all at once, so a variable that is still
//! read after its assignment is first saved in an auxiliary variable. Variables without a function get a value from another
//! auxiliary variable, which is arbitrary. Inputs and auxiliary variables have no meaning at `step`; edges into it give them
//! fixed values. So an invariant of `step` may mention them: with these values substituted, it is an invariant of the
//! system. An induction along the edge from `step` to itself is one along the steps of the system.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store, Substitution, Value, VarId, Version, default_value};

use super::{Paths, Sts, StsProof, StsStep, StsTrace};
use crate::cfa::{
    self, Cfa, CfaBuilder, CfaInvariants, CfaProof, CfaProperty, CfaTrace, CfaUnwinding, LocId, LongRuns,
    Stmt,
};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// The pass. See the [module](self).
pub struct ToCfa;

impl Pass<Sts> for ToCfa {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "sts-to-cfa"
    }

    fn apply(&self, task: Task<Sts>, run: &Run) -> Result<Passed<Sts, Cfa>, Stop> {
        run.checkpoint()?;
        let Task { store, model: sts, .. } = task;
        let translation = Translation::new(&store, &sts);
        let mut builder = CfaBuilder::new(sts.name.clone());
        let all_vars = sts.vars.iter().chain(&sts.inputs).chain(&translation.auxiliary);
        all_vars.for_each(|var| builder.var(*var));
        let [start, step, bad] = ["start", "step", "bad"].map(|name| builder.location(name, None));
        builder.initial(start);
        builder.error(bad);
        builder.edge(start, step, translation.entry(), None);
        builder.edge(step, step, translation.transition(), None);
        builder.edge(step, bad, translation.violation(), None);
        let fixed = translation.fixed.clone();
        let model = builder.build(&store).expect("the automaton of a system should be valid");
        let task = Task { store, model, property: CfaProperty::ErrorLocation };
        let lift = ToCfaLift { automaton: task.clone(), step, sts, fixed };
        Ok(Passed { task, lift: Box::new(lift) })
    }
}

/// The statements of the automaton.
struct Translation<'t> {
    store: &'t Store,
    sts: &'t Sts,
    /// What the next value of each variable is, over variables, inputs and auxiliary variables.
    next: BTreeMap<VarId, ExprId>,
    /// Which auxiliary variables are arbitrary.
    arbitrary: Vec<VarId>,
    /// Which auxiliary variable saves which variable.
    saved: BTreeMap<VarId, VarId>,
    /// All auxiliary variables.
    auxiliary: Vec<VarId>,
    /// The value at `step` of what has no meaning there.
    fixed: BTreeMap<VarId, Value>,
}

impl<'t> Translation<'t> {
    fn new(store: &'t Store, sts: &'t Sts) -> Translation<'t> {
        let mut next = sts.next.clone();
        let mut arbitrary = Vec::new();
        for var in &sts.vars {
            if !next.contains_key(var) {
                let new = store.declare_fresh("new", store.var_sort(*var));
                next.insert(*var, store.var_expr(new));
                arbitrary.push(new);
            }
        }
        let save = |var: &VarId| (*var, store.declare_fresh("old", store.var_sort(*var)));
        let saved: BTreeMap<VarId, VarId> = read_later(store, &sts.vars, &next).iter().map(save).collect();
        let auxiliary: Vec<VarId> = arbitrary.iter().chain(saved.values()).copied().collect();
        let meaningless = sts.inputs.iter().chain(&auxiliary);
        let fixed = meaningless.map(|var| (*var, default_value(store, store.var_sort(*var)))).collect();
        Translation { store, sts, next, arbitrary, saved, auxiliary, fixed }
    }

    fn entry(&self) -> Stmt {
        let mut stmts = vec![Stmt::assume(self.sts.init)];
        stmts.extend(self.forget());
        Stmt::seq(stmts)
    }

    fn transition(&self) -> Stmt {
        let mut stmts = self.step();
        stmts.extend(self.arbitrary.iter().map(|var| Stmt::havoc(*var)));
        stmts.push(Stmt::assume(self.relation()));
        let old = |var: &VarId| self.store.var_expr(*var);
        stmts.extend(self.saved.iter().map(|(var, copy)| Stmt::assign(*copy, old(var))));
        let mut renamed = Substitution::new();
        for var in &self.sts.vars {
            stmts.push(Stmt::assign(*var, renamed.apply(self.store, self.next[var])));
            if let Some(copy) = self.saved.get(var) {
                renamed.insert(self.store, *var, old(copy));
            }
        }
        stmts.extend(self.forget());
        Stmt::seq(stmts)
    }

    fn violation(&self) -> Stmt {
        let mut stmts = self.step();
        stmts.push(Stmt::assume(self.sts.bad));
        Stmt::seq(stmts)
    }

    /// The inputs of a step, under its constraint.
    fn step(&self) -> Vec<Stmt> {
        let inputs = self.sts.inputs.iter().map(|input| Stmt::havoc(*input));
        inputs.chain([Stmt::assume(self.sts.constraint)]).collect()
    }

    /// The relation with primed variables replaced by their next values.
    fn relation(&self) -> ExprId {
        let mut next = Substitution::new();
        for (var, term) in &self.next {
            next.insert(self.store, self.store.at_version(*var, Version::Next), *term);
        }
        next.apply(self.store, self.sts.trans)
    }

    fn forget(&self) -> impl Iterator<Item = Stmt> {
        self.fixed.iter().map(|(var, value)| Stmt::assign(*var, self.store.literal(value.clone())))
    }
}

/// The variables that a function of a later variable reads.
fn read_later(store: &Store, vars: &[VarId], next: &BTreeMap<VarId, ExprId>) -> Vec<VarId> {
    let mut read: FxHashSet<VarId> = FxHashSet::default();
    let mut read_later = Vec::new();
    for var in vars.iter().rev() {
        if read.contains(var) {
            read_later.push(*var);
        }
        read.extend(store.vars_of([next[var]]));
    }
    read_later
}

struct ToCfaLift {
    automaton: Task<Cfa>,
    step: LocId,
    sts: Sts,
    fixed: BTreeMap<VarId, Value>,
}

impl Lift<Cfa, Sts> for ToCfaLift {
    fn trace(&self, trace: CfaTrace) -> StsTrace {
        // A run that the interpreter cannot follow becomes one that the checker rejects.
        let Ok(states) = cfa::Interpreter::new(&self.automaton).run(&trace) else {
            return StsTrace { steps: Vec::new() };
        };
        let mut steps = Vec::new();
        for (state, edge) in states.iter().zip(&trace.steps) {
            if state.location == self.step {
                let values = self.sts.vars.iter().map(|var| state.values[var].clone()).collect();
                let inputs = edge.inputs.iter().take(self.sts.inputs.len()).cloned().collect();
                steps.push(StsStep { state: values, inputs });
            }
        }
        StsTrace { steps }
    }

    fn proof(&self, task: &Task<Sts>, inner: &Store, proof: CfaProof) -> Evidence<StsProof> {
        match proof {
            CfaProof::Invariants(invariants) => match self.invariant(task, inner, &invariants) {
                Ok(invariant) => Evidence::Given(StsProof::Invariant(invariant)),
                Err(reason) => Evidence::Missing(reason),
            },
            CfaProof::Unwinding(CfaUnwinding {
                long_runs: LongRuns::None | LongRuns::LoopByLoop, ..
            })
            | CfaProof::Exhaustion { .. }
            | CfaProof::Contracts(_) => {
                Evidence::Missing("that all runs of the automaton end is no proof about the system")
            }
            // A run of the automaton has one more step than it takes the edge from `step` to itself.
            CfaProof::Unwinding(CfaUnwinding { bound, long_runs: LongRuns::Inductive, lemmas, .. }) => {
                match self.invariant(task, inner, &lemmas) {
                    Ok(lemma) => Evidence::Given(StsProof::KInductive { k: bound, lemma, paths: Paths::All }),
                    Err(reason) => Evidence::Missing(reason),
                }
            }
        }
    }
}

impl ToCfaLift {
    /// What `invariants` say about the states of the system, or why they do not.
    fn invariant(
        &self,
        task: &Task<Sts>,
        inner: &Store,
        invariants: &CfaInvariants,
    ) -> Result<ExprId, &'static str> {
        if invariants.derived.contains(&self.step) {
            return Err("a location in a loop cannot be derived");
        }
        let invariant = invariants.formulas.get(&self.step).copied().unwrap_or(inner.tru());
        if inner.vars_of([invariant]).iter().any(|var| invariants.cells.contains(var)) {
            return Err("proofs about systems have no quantifiers");
        }
        let mut fixed = Substitution::new();
        for (var, value) in &self.fixed {
            fixed.insert(inner, *var, inner.literal(value.clone()));
        }
        Ok(task.store.import(inner, fixed.apply(inner, invariant)))
    }
}
