//! Transition systems on pages.

use std::collections::{BTreeMap, BTreeSet};

use thetis_expr::infix::print_limited;
use thetis_expr::{ExprId, Value, VarId};
use thetis_model::Task;
use thetis_model::sts::{Sts, StsProof, StsTrace};

use super::{
    Drawing, DrawnEdge, DrawnNode, EdgeKind, Fact, NodeKind, Rule, Shown, Timeline, TraceStep, Visual,
};

/// How many nodes of a term are shown.
const MAX_NODES: usize = 2_000;

/// How many variables and inputs are drawn: more are no picture.
const MAX_DRAWN: usize = 150;

impl Visual for Sts {
    fn rule(_: &Task<Sts>) -> Rule {
        Rule {
            id: "globally".to_owned(),
            sentence: "No step of a run is bad.".to_owned(),
            violation: "A run ends in a bad step.".to_owned(),
        }
    }

    fn steps(task: &Task<Sts>, trace: &StsTrace) -> Vec<TraceStep> {
        let last = trace.steps.len().saturating_sub(1);
        let drawn = drawn(task);
        let mut before: Option<Vec<Value>> = None;
        let mut steps = Vec::new();
        for (number, step) in trace.steps.iter().enumerate() {
            let values: Vec<Value> = step.state.iter().chain(&step.inputs).cloned().collect();
            let values_shown = shown(task, before.as_deref(), &values);
            let changed = drawn.iter().enumerate().filter(|(_, var)| {
                let name = task.store.var_name(**var);
                values_shown.iter().any(|shown| shown.changed && shown.name == name)
            });
            let bad = (number == last && !drawn.is_empty()).then_some(drawn.len());
            let nodes = changed.map(|(node, _)| node).chain(bad).collect();
            steps.push(TraceStep {
                matters: true,
                number,
                depth: 0,
                title: if number == 0 { "initial step".to_owned() } else { format!("step {number}") },
                span: None,
                edge: None,
                nodes,
                values: values_shown,
            });
            before = Some(values);
        }
        steps
    }

    fn timeline(_: &Task<Sts>, _: &StsTrace) -> Option<Timeline> {
        None
    }

    /// What the next value of each variable and the property depend on. Nothing if that would be too much to see.
    fn drawing(task: &Task<Sts>) -> Drawing {
        let (system, drawn) = (&task.model, drawn(task));
        if drawn.is_empty() {
            return Drawing::default();
        }
        let inputs: BTreeSet<VarId> = system.inputs.iter().copied().collect();
        let node = |var: &VarId| {
            let kind = if inputs.contains(var) { NodeKind::Input } else { NodeKind::Variable };
            DrawnNode::new(task.store.var_name(*var), kind, None)
        };
        let bad = DrawnNode::new("bad", NodeKind::Error, None);
        let nodes: Vec<DrawnNode> = drawn.iter().map(node).chain([bad]).collect();
        let numbers: BTreeMap<VarId, usize> =
            drawn.iter().enumerate().map(|(node, var)| (*var, node)).collect();
        let mut edges = Vec::new();
        let mut depends = |target: usize, formulas: Vec<ExprId>| {
            let sources =
                task.store.vars_of(formulas).into_iter().filter_map(|var| numbers.get(&var).copied());
            // That a variable depends on its own value before is the rule.
            let sources: BTreeSet<usize> = sources.filter(|source| *source != target).collect();
            edges.extend(
                sources.into_iter().map(|source| DrawnEdge::new(source, target, Vec::new(), EdgeKind::Arrow)),
            );
        };
        let relations = task.store.conjuncts(system.trans);
        for var in &system.vars {
            let Some(target) = numbers.get(var) else { continue };
            let mentions = |formula: &ExprId| task.store.vars_of([*formula]).contains(var);
            depends(
                *target,
                match system.next.get(var) {
                    Some(function) => vec![*function],
                    None => relations.iter().copied().filter(mentions).collect(),
                },
            );
        }
        depends(drawn.len(), vec![system.bad]);
        Drawing { nodes, edges, places: None }
    }

    fn facts(task: &Task<Sts>, proof: &StsProof) -> Vec<Fact> {
        let formula = match proof {
            StsProof::Invariant(formula) => *formula,
            StsProof::KInductive { lemma, .. } => *lemma,
        };
        let text = |conjunct: ExprId| print_limited(&task.store, conjunct, MAX_NODES);
        let fact = |conjunct| Fact { subject: "every step".to_owned(), formula: text(conjunct), span: None };
        task.store.conjuncts(formula).into_iter().map(fact).collect()
    }

    fn proof_words(proof: &StsProof) -> String {
        match proof {
            StsProof::Invariant(_) => "An inductive invariant excludes bad steps.".to_owned(),
            StsProof::KInductive { k, .. } => {
                format!("That no step is bad follows from the {k} steps before it.")
            }
        }
    }

    fn semantics(_: &Task<Sts>) -> &'static [&'static str] {
        &["Variables start with any values that the initial condition allows."]
    }
}

/// The variables and inputs that are drawn, in the order of their nodes; none if there are too many. Auxiliary variables are left out.
fn drawn(task: &Task<Sts>) -> Vec<VarId> {
    let vars = task.model.vars.iter().chain(&task.model.inputs).copied();
    let named: Vec<VarId> = vars.filter(|var| !task.store.var_name(*var).contains('!')).collect();
    if named.len() > MAX_DRAWN { Vec::new() } else { named }
}

/// The variables and inputs with their values. Auxiliary variables, whose names contain `!`, are not shown.
fn shown(task: &Task<Sts>, before: Option<&[Value]>, values: &[Value]) -> Vec<Shown> {
    let vars: Vec<VarId> = task.model.vars.iter().chain(&task.model.inputs).copied().collect();
    let all = vars.iter().zip(values).enumerate().map(|(at, (var, value))| Shown {
        name: task.store.var_name(*var),
        value: value.to_string(),
        changed: before.is_some_and(|before| before[at] != *value),
    });
    all.filter(|shown| !shown.name.contains('!')).collect()
}
