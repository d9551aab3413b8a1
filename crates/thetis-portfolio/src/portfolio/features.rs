//! What a model looks like, as far as the choice of an engine depends on it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thetis_expr::{Op, Postorder, Sort, Store};
use thetis_ic3::Ic3;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, Graph, StmtKind, Unfold};
use thetis_model::petri::{Net, Question};
use thetis_model::sts::Sts;
use thetis_sat::is_boolean;

use crate::Formalism;

/// A feature of a task. Formalisms do not have the features that make no sense for them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// An automaton has loops.
    Loops,
    /// A variable of an automaton has bit-vectors.
    BitVectors,
    /// A variable of an automaton is an array.
    Arrays,
    /// A variable of an automaton has floating-point numbers.
    Floats,
    /// An automaton multiplies variables with each other, or divides by them.
    Nonlinear,
    /// A variable of an automaton is the state of a state machine, so that unfolding it is worth while.
    StateMachine,
    /// An automaton stands for a program that calls itself, and has another form with procedures.
    Procedures,
    /// An automaton stands for all sequences of transactions of a contract.
    Contract,
    /// Everything in a transition system is Boolean.
    Booleans,
    /// IC3 on bits can decide a transition system.
    SmallValues,
    /// The question about a net is for a marking, not for all of them.
    Target,
}

/// Which tasks a stage is for. What is not mentioned does not matter.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct When {
    /// At most this many edges of an automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_edges: Option<usize>,
    /// At least this many edges of an automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_edges: Option<usize>,
    /// At least this many stages may run side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_jobs: Option<usize>,
    /// Whether there are facts to begin with: of an earlier run, or of stages around.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<bool>,
    /// Features that the task has or has not.
    #[serde(flatten)]
    pub features: BTreeMap<Feature, bool>,
}

/// What the choice of stages depends on besides the task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Circumstances {
    /// How many stages may run side by side.
    pub jobs: usize,
    /// Whether there are facts to begin with.
    pub has_facts: bool,
}

impl Circumstances {
    /// A run with this many jobs and without facts.
    #[cfg(test)]
    pub(super) fn of_jobs(jobs: usize) -> Circumstances {
        Circumstances { jobs, has_facts: false }
    }
}

impl When {
    /// Whether `task` is meant, in a run under these circumstances.
    pub fn fits<M: Formalism>(&self, task: &Task<M>, circumstances: Circumstances) -> bool {
        self.max_edges.is_none_or(|max| M::num_edges(task) <= max)
            && self.min_edges.is_none_or(|min| M::num_edges(task) >= min)
            && self.min_jobs.is_none_or(|min| circumstances.jobs >= min)
            && self.facts.is_none_or(|wanted| circumstances.has_facts == wanted)
            && self.features.iter().all(|(feature, wanted)| M::has(task, *feature) == *wanted)
    }
}

/// Whether an automaton has a feature.
pub(crate) fn cfa_has(task: &Task<Cfa>, feature: Feature) -> bool {
    let has_sort = |is_wanted: fn(Sort) -> bool| {
        task.model.vars.iter().any(|var| mentions(&task.store, task.store.var_sort(*var), is_wanted))
    };
    match feature {
        Feature::Loops => Graph::new(&task.model).has_loops(),
        Feature::BitVectors => has_sort(|sort| matches!(sort, Sort::BitVec(_))),
        Feature::Arrays => has_sort(|sort| matches!(sort, Sort::Array(_))),
        Feature::Floats => has_sort(|sort| matches!(sort, Sort::Float(_))),
        Feature::Nonlinear => is_nonlinear(task),
        Feature::StateMachine => Unfold::is_useful(task),
        Feature::Procedures => task.model.procedural.is_some(),
        Feature::Contract => {
            task.property.program().is_some_and(|question| question.settings.contains_key("contract"))
        }
        Feature::Booleans | Feature::SmallValues | Feature::Target => false,
    }
}

/// Whether a transition system has a feature.
pub(crate) fn sts_has(task: &Task<Sts>, feature: Feature) -> bool {
    let (sts, store) = (&task.model, &task.store);
    let is_of_booleans = || {
        let parts = [sts.init, sts.trans, sts.constraint, sts.bad];
        let terms = parts.into_iter().chain(sts.next.values().copied());
        is_boolean(store, terms.chain(sts.vars.iter().map(|var| store.var_expr(*var))))
    };
    match feature {
        Feature::Booleans => is_of_booleans(),
        Feature::SmallValues => is_of_booleans() || Ic3::suits(task),
        _ => false,
    }
}

/// Whether a net has a feature.
pub(crate) fn net_has(task: &Task<Net>, feature: Feature) -> bool {
    let asks_for_a_marking = match task.property.question() {
        Question::Exists(_) | Question::Always(_) | Question::Deadlock | Question::OneSafe => true,
        Question::StateSpace | Question::Explore => false,
    };
    feature == Feature::Target && asks_for_a_marking
}

/// Whether `sort`, or what its arrays are made of, is wanted.
fn mentions(store: &Store, sort: Sort, is_wanted: fn(Sort) -> bool) -> bool {
    let mut pending = vec![sort];
    while let Some(sort) = pending.pop() {
        if is_wanted(sort) {
            return true;
        }
        if let Sort::Array(array) = sort {
            let (index, element) = store.array_parts(array);
            pending.extend([index, element]);
        }
    }
    false
}

fn is_nonlinear(task: &Task<Cfa>) -> bool {
    let store = &task.store;
    let mut terms = Vec::new();
    let mut pending: Vec<_> = task.model.edges.iter().map(|edge| &edge.stmt).collect();
    while let Some(stmt) = pending.pop() {
        match &stmt.kind {
            StmtKind::Assign(_, term) | StmtKind::Assume(term) => terms.push(*term),
            StmtKind::Havoc(_) => {}
            StmtKind::Seq(parts) | StmtKind::Choice(parts) => pending.extend(parts),
        }
    }
    Postorder::new(store, terms).any(|term| {
        let is_variable = |at: usize| !store.is_literal(store.arg(term, at));
        match store.op(term) {
            Op::Mul | Op::BvMul => (0..store.num_args(term)).filter(|at| is_variable(*at)).count() > 1,
            Op::IntDiv | Op::Mod | Op::RealDiv => is_variable(1),
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => is_variable(1),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;
    use thetis_model::cfa::{CfaBuilder, CfaProperty, Stmt};

    use super::*;

    #[test]
    fn features_are_seen() {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        let a = store.declare("a", store.array_sort(Sort::Int, Sort::bitvec(8)));
        let mut builder = CfaBuilder::new("features");
        builder.var(x);
        builder.var(a);
        let start = builder.location("start", None);
        builder.initial(start);
        let square = store.mul(store.var_expr(x), store.var_expr(x));
        builder.edge(start, start, Stmt::assign(x, square), None);
        let model = builder.build(&store).unwrap();
        let task = Task { store, model, property: CfaProperty::ErrorLocation };
        for (when, expected) in [
            ("loops = true", true),
            ("bit-vectors = true\narrays = true", true),
            ("floats = true", false),
            ("nonlinear = false", false),
            ("max-edges = 1\nmin-edges = 1", true),
            ("min-edges = 2", false),
            ("min-jobs = 2", false),
            ("min-jobs = 1\ntarget = false", true),
        ] {
            let when_read: When = toml::from_str(when).unwrap();
            assert_eq!(when_read.fits(&task, Circumstances::of_jobs(1)), expected, "{when}");
        }
        assert!(toml::from_str::<When>("loop = true").is_err());
    }
}
