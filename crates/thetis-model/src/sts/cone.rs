//! The cone of influence: drops variables and inputs that no bad step depends on.
//!
//! Everything that can block a run is kept: `bad`, `constraint`, the relation `trans`, and what the initial condition says
//! beyond the value of a single variable. From there the functions are followed. A variable that is not reached this way
//! is either computed by a function or arbitrary, and the initial condition demands at most one value for it. So every run
//! of the reduced system can be completed by computing the dropped variables, which is what the lift does.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store, Value, VarId, default_value};

use super::initial::InitialValues;
use super::{Interpreter, Paths, Sts, StsProof, StsStep, StsTrace};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// The pass. See the [module](self).
pub struct Cone;

impl Pass<Sts> for Cone {
    type Target = Sts;

    fn name(&self) -> &'static str {
        "cone"
    }

    fn apply(&self, task: Task<Sts>, run: &Run) -> Result<Passed<Sts, Sts>, Stop> {
        run.checkpoint()?;
        let init = InitialValues::new(&task.store, &task.model);
        let kept = kept_vars(&task, &init);
        let is_kept = |var: &VarId| kept.contains(var);
        let (store, sts) = (&task.store, &task.model);
        let dropped_init: FxHashSet<ExprId> =
            init.single.iter().filter(|(var, _)| !is_kept(var)).map(|(_, (conjunct, _))| *conjunct).collect();
        let conjuncts = store.conjuncts(sts.init).into_iter();
        let model = Sts {
            name: sts.name.clone(),
            vars: sts.vars.iter().copied().filter(is_kept).collect(),
            inputs: sts.inputs.iter().copied().filter(is_kept).collect(),
            init: store.and_all(conjuncts.filter(|conjunct| !dropped_init.contains(conjunct))),
            next: sts.next.iter().filter(|(var, _)| is_kept(var)).map(|(var, term)| (*var, *term)).collect(),
            trans: sts.trans,
            constraint: sts.constraint,
            bad: sts.bad,
        };
        let reduced = Task { store: task.store.clone(), model: model.clone(), property: task.property };
        let initial = init.single.into_iter().map(|(var, (_, value))| (var, value)).collect();
        let lift = ConeLift { vars: model.vars, inputs: model.inputs, initial, original: task };
        Ok(Passed { task: reduced, lift: Box::new(lift) })
    }
}

/// The variables and inputs on which the rest of the system depends.
fn kept_vars(task: &Task<Sts>, init: &InitialValues) -> FxHashSet<VarId> {
    let (store, sts) = (&task.store, &task.model);
    let mut kept = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut pending = vec![sts.bad, sts.constraint, sts.trans];
    pending.extend(&init.rest);
    while let Some(expr) = pending.pop() {
        if !seen.insert(expr) {
            continue;
        }
        pending.extend(store.args(expr));
        if let Some(var) = store.as_var(expr) {
            let base = store.symbol(var).base;
            if kept.insert(base) {
                pending.extend(sts.next.get(&base));
            }
        }
    }
    kept
}

struct ConeLift {
    vars: Vec<VarId>,
    inputs: Vec<VarId>,
    initial: BTreeMap<VarId, Value>,
    original: Task<Sts>,
}

impl ConeLift {
    /// The values of `all` where those of `kept` are given and `missing` gives the others.
    fn complete(
        all: &[VarId],
        kept: &[VarId],
        values: Vec<Value>,
        mut missing: impl FnMut(usize, VarId) -> Value,
    ) -> Vec<Value> {
        let mut given: BTreeMap<VarId, Value> = kept.iter().copied().zip(values).collect();
        let positions = all.iter().enumerate();
        positions.map(|(at, var)| given.remove(var).unwrap_or_else(|| missing(at, *var))).collect()
    }
}

impl Lift<Sts, Sts> for ConeLift {
    fn trace(&self, trace: StsTrace) -> StsTrace {
        let (store, sts) = (&self.original.store, &self.original.model);
        let any = |var: VarId| default_value(store, store.var_sort(var));
        let interpreter = Interpreter::new(&self.original);
        let mut steps: Vec<StsStep> = Vec::with_capacity(trace.steps.len());
        for step in trace.steps {
            let mut computed = match steps.last() {
                None => sts.vars.iter().map(|var| self.initial.get(var).cloned()).collect(),
                Some(before) => {
                    interpreter.next_values(before).unwrap_or_else(|_| vec![None; sts.vars.len()])
                }
            };
            let missing = |at: usize, var| computed[at].take().unwrap_or_else(|| any(var));
            let state = ConeLift::complete(&sts.vars, &self.vars, step.state, missing);
            let inputs = ConeLift::complete(&sts.inputs, &self.inputs, step.inputs, |_, var| any(var));
            steps.push(StsStep { state, inputs });
        }
        StsTrace { steps }
    }

    fn proof(&self, task: &Task<Sts>, inner: &Store, proof: StsProof) -> Evidence<StsProof> {
        let home = |formula| task.store.import(inner, formula);
        match proof {
            StsProof::Invariant(formula) => Evidence::Given(StsProof::Invariant(home(formula))),
            StsProof::KInductive { k, lemma, paths: Paths::All } => {
                Evidence::Given(StsProof::KInductive { k, lemma: home(lemma), paths: Paths::All })
            }
            // A state may repeat in the cone while variables outside of it change.
            StsProof::KInductive { paths: Paths::Simple, .. } if self.vars.len() < task.model.vars.len() => {
                Evidence::Missing(
                    "an induction over simple paths of the cone says nothing of the whole system",
                )
            }
            StsProof::KInductive { k, lemma, paths } => {
                Evidence::Given(StsProof::KInductive { k, lemma: home(lemma), paths })
            }
        }
    }
}
