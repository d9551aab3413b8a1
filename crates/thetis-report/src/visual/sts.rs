//! Transition systems on pages.

use thetis_base::counted;
use thetis_expr::infix::print_limited;
use thetis_expr::{ExprId, Value, VarId};
use thetis_model::Task;
use thetis_model::sts::{Sts, StsProof, StsTrace};

use super::{
    Drawing, DrawnEdge, DrawnNode, EdgeKind, Fact, NodeKind, Rule, Shown, Timeline, TraceStep, Visual,
};

/// How many nodes of a term are shown.
const MAX_NODES: usize = 2_000;

/// The nodes of the drawing.
const STEP: usize = 0;
const BAD: usize = 1;

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
        let mut before: Option<Vec<Value>> = None;
        let mut steps = Vec::new();
        for (number, step) in trace.steps.iter().enumerate() {
            let values: Vec<Value> = step.state.iter().chain(&step.inputs).cloned().collect();
            steps.push(TraceStep {
                matters: true,
                number,
                depth: 0,
                title: if number == 0 { "initial step".to_owned() } else { format!("step {number}") },
                span: None,
                edge: (number > 0).then_some(0),
                nodes: if number == last { vec![STEP, BAD] } else { vec![STEP] },
                values: shown(task, before.as_deref(), &values),
            });
            before = Some(values);
        }
        steps
    }

    fn timeline(_: &Task<Sts>, _: &StsTrace) -> Option<Timeline> {
        None
    }

    fn drawing(task: &Task<Sts>) -> Drawing {
        let node = |label: String, kind| DrawnNode::new(label, kind, None);
        let sizes = [counted(task.model.vars.len(), "variable"), counted(task.model.inputs.len(), "input")]
            .join(", ");
        let edge =
            |target, label: &str| DrawnEdge::new(STEP, target, vec![label.to_owned()], EdgeKind::Arrow);
        Drawing {
            nodes: vec![node(sizes, NodeKind::Initial), node("bad".to_owned(), NodeKind::Error)],
            edges: vec![edge(STEP, "step"), edge(BAD, "bad step")],
            places: None,
        }
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
