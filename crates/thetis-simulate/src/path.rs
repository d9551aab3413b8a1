//! The path of a run.

use std::rc::Rc;

use thetis_expr::{Value, VarId, default_value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, CfaTrace, EdgeId, Rounds, Stmt, StmtKind};

/// The edges that a run took, and the branches of their choices. Runs share their common prefixes.
#[derive(Default)]
pub(crate) struct Path {
    before: Option<Rc<Path>>,
    edges: Vec<EdgeId>,
    branches: Vec<usize>,
    /// Which of the edges are rounds that were taken several times.
    rounds: Vec<Rounds>,
}

impl Path {
    pub(crate) fn take(&mut self, edge: EdgeId) {
        self.edges.push(edge);
    }

    /// The edges that were taken since the path was forked.
    pub(crate) fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    pub(crate) fn repeat(&mut self, round: &[EdgeId], times: u64) {
        self.rounds.push(Rounds { first: self.edges.len(), len: round.len(), times });
        self.edges.extend_from_slice(round);
    }

    pub(crate) fn choose(&mut self, branch: usize) {
        self.branches.push(branch);
    }

    /// Another path that is the same so far.
    pub(crate) fn fork(&mut self) -> Path {
        if !self.edges.is_empty() || !self.branches.is_empty() {
            let so_far = Rc::new(std::mem::take(self));
            self.before = Some(so_far);
        }
        let mut fork = Path::default();
        fork.before.clone_from(&self.before);
        fork
    }

    /// The run along this path, with zero for everything that is arbitrary.
    pub(crate) fn trace(&self, task: &Task<Cfa>) -> CfaTrace {
        let mut parts = vec![self];
        while let Some(before) = &parts[parts.len() - 1].before {
            parts.push(before);
        }
        let mut branches = parts.iter().rev().flat_map(|part| &part.branches).copied();
        let edges = parts.iter().rev().flat_map(|part| &part.edges);
        let mut rounds = Vec::new();
        let mut before = 0;
        for part in parts.iter().rev() {
            rounds.extend(part.rounds.iter().map(|own| Rounds { first: before + own.first, ..own.clone() }));
            before += part.edges.len();
        }
        CfaTrace {
            initial: task.model.vars.iter().map(|var| (*var, zero(task, *var))).collect(),
            steps: edges.map(|edge| step(task, *edge, &mut branches)).collect(),
            rounds,
            deep: None,
        }
    }
}

/// Paths are as long as runs, so parts that are no longer shared are dropped one by one, without recursion.
impl Drop for Path {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut path) = before.and_then(Rc::into_inner) {
            before = path.before.take();
        }
    }
}

fn zero(task: &Task<Cfa>, var: VarId) -> Value {
    default_value(&task.store, task.store.var_sort(var))
}

/// The step over `edge` with zero for its inputs and the next of `branches` for its choices.
fn step(task: &Task<Cfa>, edge: EdgeId, branches: &mut impl Iterator<Item = usize>) -> CfaStep {
    let mut step = CfaStep { edge, inputs: Vec::new(), choices: Vec::new() };
    let mut pending: Vec<&Stmt> = vec![&task.model.edges[edge].stmt];
    while let Some(stmt) = pending.pop() {
        match &stmt.kind {
            StmtKind::Havoc(var) => step.inputs.push(zero(task, *var)),
            StmtKind::Seq(stmts) => pending.extend(stmts.iter().rev()),
            StmtKind::Choice(stmts) => {
                let branch = branches.next().expect("a choice that was made should be known");
                step.choices.push(branch);
                pending.push(&stmts[branch]);
            }
            StmtKind::Assign(..) | StmtKind::Assume(_) => {}
        }
    }
    step
}
