//! The pass `slice`: drops values that cannot influence whether an error location is reached.
//!
//! # Method
//! Assignments and havocs of variables that are not [live](super::liveness) afterwards do nothing for the question, so
//! they are removed; variables that then occur nowhere are dropped. A variable that stops being live on an edge gets
//! a fixed value there, the *rest value* of its sort, so that states that differ only in what does not matter become one.
//! Assumptions all stay: whether a run is blocked is the question itself. The pass is best after `prune`, which drops
//! the assumptions that lead nowhere.
//!
//! # The way back
//! Let the rest state of a state have the rest values in all variables that are not live where it is. A step of the
//! original automaton from one state to another is a step of the sliced one between their rest states. So if a formula
//! holds at a location of the sliced automaton, then the formula *of the rest state* holds in the original one: every
//! variable that is not live there is replaced by its rest value. In a trace, removed havocs get the rest value as input
//! and dropped variables as initial value; both are never read.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ArrayValue, BitVec, ExprId, Float, Rational, Sort, Store, Substitution, Value, VarId};

use super::evidence::OTHER_RUNS;
use super::inputs::StepReader;
use super::liveness::Liveness;
use super::var_set::VarSet;
use super::{
    Cfa, CfaInvariants, CfaProof, CfaStep, CfaTrace, CfaUnwinding, Edge, EdgeId, LocId, Stmt, StmtKind,
};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// The pass. See the [module](self).
#[derive(Clone, Copy, Default, Debug)]
pub struct Slice;

impl Pass<Cfa> for Slice {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "slice"
    }

    fn apply(&self, task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Cfa>, Stop> {
        let (model, lift) = Slicing::new(&task, run)?.apply();
        Ok(Passed { task: Task { store: task.store, model, property: task.property }, lift: Box::new(lift) })
    }
}

/// The value that variables of `sort` get when they do not matter.
fn rest_value(store: &Store, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::int(0),
        Sort::Real => Value::Real(Rational::from_integer(BigInt::ZERO)),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(width.get(), 0u8)),
        Sort::Float(format) => Value::Float(Float::from_bits(format, &BitVec::new(format.width(), 0u8))),
        Sort::Array(array) => {
            let (index, element) = store.array_parts(array);
            Value::Array(ArrayValue::new(index, rest_value(store, element)).into())
        }
    }
}

struct Slicing<'t> {
    task: &'t Task<Cfa>,
    liveness: Liveness<'t>,
}

impl<'t> Slicing<'t> {
    fn new(task: &'t Task<Cfa>, run: &Run) -> Result<Slicing<'t>, Stop> {
        Ok(Slicing { task, liveness: Liveness::new(&task.store, &task.model, run)? })
    }

    fn apply(mut self) -> (Cfa, SliceLift) {
        let cfa = &self.task.model;
        let mut edges: IndexVec<EdgeId, Edge> = IndexVec::new();
        let mut refills = BTreeMap::new();
        for (id, edge) in cfa.edges.iter_enumerated() {
            let (stmt, refill) = self.slice(edge);
            refills.extend(refill.map(|refill| (id, refill)));
            edges.push(Edge { stmt, ..edge.clone() });
        }
        let used = used_vars(&self.task.store, &edges);
        let (vars, dropped) = cfa.vars.iter().partition(|var| used.contains(*var));
        let model = Cfa { vars, edges, ..cfa.clone() };
        let lift = self.lift(dropped, refills);
        (model, lift)
    }

    /// The statement of an edge without what is not live after it, and how to find its inputs again if some are gone.
    fn slice(&mut self, edge: &Edge) -> (Stmt, Option<Refill>) {
        let after = self.liveness.at(edge.target).clone();
        let mut assigned = Vec::new();
        let (stmt, refill, _) = self.slice_stmt(&edge.stmt, after.clone(), &mut assigned);
        let mut stmts = vec![stmt];
        // Nothing is asked of the values at error locations and limits.
        if !self.task.model.is_forbidden(edge.target) {
            stmts.extend(self.ending(self.liveness.at(edge.source), &assigned, &after));
        }
        let stmt = if stmts.len() == 1 { stmts.remove(0) } else { Stmt::seq(stmts) };
        (stmt, refill.inserts().then_some(refill))
    }

    /// Gives rest values to the variables that are live `before` an edge or assigned on it, and not live `after` it.
    fn ending(&self, before: &VarSet, assigned: &[VarId], after: &VarSet) -> Vec<Stmt> {
        let store = &self.task.store;
        let mut ending = before.clone();
        assigned.iter().for_each(|var| ending.insert(self.liveness.position(*var)));
        let rest = |var: VarId| Stmt::assign(var, store.literal(rest_value(store, store.var_sort(var))));
        ending.without(after).map(|position| rest(self.task.model.vars[position])).collect()
    }

    /// Also gives the variables that are live before the statement, and notes in `assigned` to which variables it still
    /// gives a value.
    fn slice_stmt(
        &mut self,
        stmt: &Stmt,
        after: VarSet,
        assigned: &mut Vec<VarId>,
    ) -> (Stmt, Refill, VarSet) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Assume(_) => (stmt.clone(), Refill::None, self.liveness.before(stmt, after)),
            StmtKind::Assign(var, _) | StmtKind::Havoc(var) => {
                let is_havoc = matches!(stmt.kind, StmtKind::Havoc(_));
                if after.contains(self.liveness.position(*var)) {
                    assigned.push(*var);
                    let refill = if is_havoc { Refill::Keep } else { Refill::None };
                    return (stmt.clone(), refill, self.liveness.before(stmt, after));
                }
                let value = || rest_value(&self.task.store, self.task.store.var_sort(*var));
                let refill = if is_havoc { Refill::Insert(value()) } else { Refill::None };
                (Stmt { span, ..Stmt::skip() }, refill, after)
            }
            StmtKind::Seq(stmts) => {
                let (mut sliced, mut refills, mut live) = (Vec::new(), Vec::new(), after);
                for stmt in stmts.iter().rev() {
                    let (stmt, refill, before) = self.slice_stmt(stmt, live, assigned);
                    live = before;
                    sliced.extend((stmt != Stmt { span: stmt.span, ..Stmt::skip() }).then_some(stmt));
                    refills.push(refill);
                }
                sliced.reverse();
                refills.reverse();
                (Stmt { kind: StmtKind::Seq(sliced), span }, Refill::Seq(refills), live)
            }
            StmtKind::Choice(stmts) => {
                let (mut sliced, mut refills) = (Vec::new(), Vec::new());
                let live = self.liveness.before(stmt, after.clone());
                for stmt in stmts {
                    let (stmt, refill, _) = self.slice_stmt(stmt, after.clone(), assigned);
                    sliced.push(stmt);
                    refills.push(refill);
                }
                (Stmt { kind: StmtKind::Choice(sliced), span }, Refill::Choice(refills), live)
            }
        }
    }

    fn lift(&self, dropped: Vec<VarId>, refills: BTreeMap<EdgeId, Refill>) -> SliceLift {
        let (store, cfa) = (&self.task.store, &self.task.model);
        let value = |var: VarId| rest_value(store, store.var_sort(var));
        SliceLift {
            dropped: dropped.into_iter().map(|var| (var, value(var))).collect(),
            positions: cfa.vars.iter().map(|var| (*var, self.liveness.position(*var))).collect(),
            live: cfa.locations.indices().map(|location| self.liveness.at(location).clone()).collect(),
            refills,
        }
    }
}

/// The variables of all statements.
fn used_vars(store: &Store, edges: &IndexVec<EdgeId, Edge>) -> FxHashSet<VarId> {
    let mut terms = Vec::new();
    let mut used = FxHashSet::default();
    for stmt in edges.iter().flat_map(|edge| edge.stmt.walk()) {
        match &stmt.kind {
            StmtKind::Assign(var, expr) => {
                used.insert(*var);
                terms.push(*expr);
            }
            StmtKind::Assume(formula) => terms.push(*formula),
            StmtKind::Havoc(var) => {
                used.insert(*var);
            }
            StmtKind::Seq(_) | StmtKind::Choice(_) => {}
        }
    }
    used.extend(store.vars_of(terms));
    used
}

/// Where the inputs of a statement come from.
enum Refill {
    /// It has none.
    None,
    /// The next input of the step.
    Keep,
    /// This value, because the havoc is gone.
    Insert(Value),
    Seq(Vec<Refill>),
    Choice(Vec<Refill>),
}

impl Refill {
    /// Whether the havoc of some input is gone.
    fn inserts(&self) -> bool {
        match self {
            Refill::None | Refill::Keep => false,
            Refill::Insert(_) => true,
            Refill::Seq(parts) | Refill::Choice(parts) => parts.iter().any(Refill::inserts),
        }
    }

    fn apply(&self, step: CfaStep) -> CfaStep {
        let mut filled = CfaStep { edge: step.edge, inputs: Vec::new(), choices: Vec::new() };
        let mut reader = StepReader::new(step);
        let mut pending = vec![self];
        while let Some(refill) = pending.pop() {
            match refill {
                Refill::None => {}
                Refill::Keep => filled.inputs.extend(reader.input()),
                Refill::Insert(value) => filled.inputs.push(value.clone()),
                Refill::Seq(parts) => pending.extend(parts.iter().rev()),
                Refill::Choice(branches) => {
                    let branch = reader.choice();
                    filled.choices.extend(branch);
                    pending.extend(branch.and_then(|branch| branches.get(branch)));
                }
            }
        }
        filled
    }
}

struct SliceLift {
    /// The variables that are gone, with a value to start with.
    dropped: Vec<(VarId, Value)>,
    /// The live variables of each location, by position.
    positions: FxHashMap<VarId, usize>,
    live: IndexVec<LocId, VarSet>,
    refills: BTreeMap<EdgeId, Refill>,
}

impl Lift<Cfa, Cfa> for SliceLift {
    fn trace(&self, mut trace: CfaTrace) -> CfaTrace {
        trace.initial.extend(self.dropped.iter().cloned());
        trace.replace_steps(|step| match self.refills.get(&step.edge) {
            Some(refill) => [refill.apply(step)],
            None => [step],
        })
    }

    fn proof(&self, task: &Task<Cfa>, inner: &Store, proof: CfaProof) -> Evidence<CfaProof> {
        let lift = |invariants: CfaInvariants| CfaInvariants {
            cells: invariants.cells_in(&task.store, inner),
            formulas: self.formulas(task, inner, invariants.formulas),
            ..invariants
        };
        Evidence::Given(match proof {
            CfaProof::Invariants(invariants) => CfaProof::Invariants(lift(invariants)),
            CfaProof::Unwinding(unwinding) => {
                CfaProof::Unwinding(CfaUnwinding { lemmas: lift(unwinding.lemmas), ..unwinding })
            }
            CfaProof::Exhaustion { .. } => return Evidence::Missing(OTHER_RUNS),
            CfaProof::Contracts(proof) => CfaProof::Contracts(proof.at_home(&task.store, inner)),
        })
    }
}

impl SliceLift {
    /// The formulas of the rest states.
    fn formulas(
        &self,
        task: &Task<Cfa>,
        inner: &Store,
        formulas: BTreeMap<LocId, ExprId>,
    ) -> BTreeMap<LocId, ExprId> {
        let store = &task.store;
        let at_rest = |(location, formula): (LocId, ExprId)| {
            let formula = store.import(inner, formula);
            let mut rest = Substitution::new();
            for var in store.vars_of([formula]) {
                if self.positions.get(&var).is_some_and(|place| !self.live[location].contains(*place)) {
                    rest.insert(store, var, store.literal(rest_value(store, store.var_sort(var))));
                }
            }
            (location, rest.apply(store, formula))
        };
        formulas.into_iter().map(at_rest).collect()
    }
}
