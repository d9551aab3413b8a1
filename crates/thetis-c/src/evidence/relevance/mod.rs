//! Which steps of a run matter for its violation.
//!
//! A run of a real program does much that is irrelevant to its violation. This module computes a *relevant slice* of
//! the run (Gyimóthy, Beszédes and Forgács 1999), computed backwards from the violation. A step matters if
//!
//! * it is the violation itself: a step after which the run can only violate the property,
//! * it writes something that a later relevant step reads: data dependence, cell by cell for arrays, with the indices
//!   of this run,
//! * it decides that a relevant step is executed: control dependence, by post-dominators ([`postdominators`]),
//! * it decides that something is *not* executed that could have written what a later relevant step reads: potential
//!   dependence.
//!
//! The slice leaves out one kind of dependence: a write to another cell of an array that, with another index, would
//! have hit a relevant cell. So the result is tested: the run is executed again with other values for all irrelevant
//! inputs, on whatever path these lead to, and must arrive at the same violation ([`replay`]). Inputs that fail the
//! test are relevant after all, and if even that does not help, there is no slice.
//!
//! The slice only affects messages. Evidence stays complete.

mod effects;
mod postdominators;
mod replay;

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::IndexVec;
use thetis_expr::{Value, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, EdgeId, Graph, Interpreter, LocId, State, StmtKind};

pub(super) use effects::{Cell, Effect, effects};
use postdominators::post_dominators;
use replay::Replay;

/// Longer runs are not sliced.
const MAX_STEPS: usize = 50_000;

/// How many steps may be executed to find inputs that matter after all.
const MAX_REPLAYED: usize = 1_000_000;

/// How many edges of a path that was not taken are examined; longer ones count as writing everything.
const MAX_REGION: usize = 5_000;

/// For each step of a run to an error location, whether it matters; `None` if that could not be determined.
pub(super) fn relevant_steps(task: &Task<Cfa>, trace: &CfaTrace) -> Option<Vec<bool>> {
    if trace.steps.len() > MAX_STEPS {
        return None;
    }
    let mut effects_of = Vec::with_capacity(trace.steps.len());
    let look = |number: usize, state: &State| {
        effects_of.extend(trace.steps.get(number).map(|step| effects(task, step, state)));
    };
    Interpreter::new(task).follow(trace, look).ok()?;
    let graph = Graph::new(&task.model);
    let mut matters = Slicer::new(task, &graph, trace).slice(&effects_of);
    let replay = Replay::new(task, &graph, trace);
    let mut open: BTreeSet<usize> =
        (0..trace.steps.len()).filter(|step| !matters[*step] && replay.can_change(*step)).collect();
    if replay.arrives_without(&open) {
        return Some(matters);
    }
    if open.len().saturating_mul(trace.steps.len()) > MAX_REPLAYED {
        return None;
    }
    open.retain(|step| {
        matters[*step] = !replay.arrives_without(&BTreeSet::from([*step]));
        !matters[*step]
    });
    replay.arrives_without(&open).then_some(matters)
}

/// The locations from where a run can only go to error locations and limits, and these themselves.
fn doomed(cfa: &Cfa, graph: &Graph) -> IndexVec<LocId, bool> {
    let mut doomed: IndexVec<LocId, bool> = cfa.locations.iter().map(|_| false).collect();
    let mut ways: IndexVec<LocId, usize> =
        cfa.locations.indices().map(|location| graph.outgoing(location).len()).collect();
    let mut open = cfa.forbidden();
    while let Some(location) = open.pop() {
        if std::mem::replace(&mut doomed[location], true) {
            continue;
        }
        for edge in graph.incoming(location) {
            let source = cfa.edges[*edge].source;
            ways[source] -= 1;
            if ways[source] == 0 {
                open.push(source);
            }
        }
    }
    doomed
}

/// What later steps read, as far as it was not written between.
#[derive(Default)]
struct Needed {
    vars: BTreeMap<VarId, NeededVar>,
}

#[derive(Default)]
struct NeededVar {
    whole: bool,
    cells: BTreeSet<Value>,
}

impl Needed {
    fn add(&mut self, cell: &Cell) {
        let needed = self.vars.entry(cell.var).or_default();
        match &cell.index {
            Some(index) => drop(needed.cells.insert(index.clone())),
            None => needed.whole = true,
        }
    }

    /// Whether something written here is needed. Earlier values are then no longer needed.
    fn take(&mut self, cell: &Cell) -> bool {
        match &cell.index {
            None => self.vars.remove(&cell.var).is_some(),
            Some(index) => {
                let Some(needed) = self.vars.get_mut(&cell.var) else { return false };
                let is_needed = needed.cells.remove(index) || needed.whole;
                if needed.cells.is_empty() && !needed.whole {
                    self.vars.remove(&cell.var);
                }
                is_needed
            }
        }
    }
}

struct Slicer<'a> {
    task: &'a Task<Cfa>,
    graph: &'a Graph,
    trace: &'a CfaTrace,
    /// The locations from where a run can only go to error locations and limits, and these themselves.
    doomed: IndexVec<LocId, bool>,
    joins: IndexVec<LocId, Option<LocId>>,
    /// The variables that are written on the paths from an edge to where paths join again; `None` if a path is too
    /// long.
    regions: BTreeMap<EdgeId, Option<BTreeSet<VarId>>>,
}

impl<'a> Slicer<'a> {
    fn new(task: &'a Task<Cfa>, graph: &'a Graph, trace: &'a CfaTrace) -> Slicer<'a> {
        let doomed = doomed(&task.model, graph);
        let joins = post_dominators(&task.model, graph, &doomed);
        Slicer { task, graph, trace, doomed, joins, regions: BTreeMap::new() }
    }

    fn slice(&mut self, effects: &[Vec<Effect>]) -> Vec<bool> {
        let parents = self.deciding_steps();
        let count = self.trace.steps.len();
        let target = |step: usize| self.task.model.edges[self.trace.steps[step].edge].target;
        let mut matters: Vec<bool> = (0..count).map(|step| self.doomed[target(step)]).collect();
        let mut needed = Needed::default();
        for step in (0..count).rev() {
            matters[step] = matters[step] || self.may_change(step, &needed);
            let decides = matters[step];
            for effect in effects[step].iter().rev() {
                // All of them: each write ends a need.
                let hits = effect.writes.iter().filter(|cell| needed.take(cell)).count();
                if hits > 0 || (decides && effect.writes.is_empty()) {
                    effect.reads.iter().for_each(|cell| needed.add(cell));
                }
                matters[step] |= hits > 0;
            }
            if let Some(parent) = parents[step].filter(|_| matters[step]) {
                matters[parent] = true;
            }
        }
        matters
    }

    /// For each step the last one before it that decided that it is executed.
    fn deciding_steps(&self) -> Vec<Option<usize>> {
        let mut open: Vec<(usize, Option<LocId>)> = Vec::new();
        let mut parents = Vec::with_capacity(self.trace.steps.len());
        for (number, step) in self.trace.steps.iter().enumerate() {
            let location = self.task.model.edges[step.edge].source;
            while open.last().is_some_and(|(_, join)| *join == Some(location)) {
                open.pop();
            }
            parents.push(open.last().map(|(decision, _)| *decision));
            if self.ways(location).nth(1).is_some() {
                let join = self.joins[location];
                // The decision before it is found through this one.
                if open.last().is_some_and(|(_, other)| *other == join) {
                    open.pop();
                }
                open.push((number, join));
            }
        }
        parents
    }

    /// The edges by which a run can go on.
    fn ways(&self, location: LocId) -> impl Iterator<Item = EdgeId> {
        let cfa = &self.task.model;
        let edges = self.graph.outgoing(location).iter().copied();
        edges.filter(|edge| !self.doomed[cfa.edges[*edge].target])
    }

    /// Whether a step decides against a branch that could write something needed.
    fn may_change(&mut self, step: usize, needed: &Needed) -> bool {
        let edge = self.trace.steps[step].edge;
        let source = self.task.model.edges[edge].source;
        // If the paths do not join again, everything that follows depends on the decision anyway.
        let Some(join) = self.joins[source] else { return false };
        let others: Vec<EdgeId> = self.ways(source).filter(|other| *other != edge).collect();
        others.into_iter().any(|other| match self.written_before(other, join) {
            Some(vars) => vars.iter().any(|var| needed.vars.contains_key(var)),
            None => true,
        })
    }

    fn written_before(&mut self, edge: EdgeId, join: LocId) -> Option<&BTreeSet<VarId>> {
        if !self.regions.contains_key(&edge) {
            let region = self.region(edge, join);
            self.regions.insert(edge, region);
        }
        self.regions[&edge].as_ref()
    }

    fn region(&self, edge: EdgeId, join: LocId) -> Option<BTreeSet<VarId>> {
        let cfa = &self.task.model;
        let (mut vars, mut seen, mut open) = (BTreeSet::new(), BTreeSet::from([edge]), vec![edge]);
        while let Some(edge) = open.pop() {
            for stmt in cfa.edges[edge].stmt.walk() {
                if let StmtKind::Assign(var, _) | StmtKind::Havoc(var) = &stmt.kind {
                    vars.insert(*var);
                }
            }
            let target = cfa.edges[edge].target;
            if target != join {
                open.extend(self.ways(target).filter(|next| seen.insert(*next)));
            }
            if seen.len() > MAX_REGION {
                return None;
            }
        }
        Some(vars)
    }
}
