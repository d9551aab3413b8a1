//! The pass `scalars`: arrays that are only used cell by cell become variables.
//!
//! # Problem and method
//! Front ends keep what pointers can reach in arrays of memory, also where a program allocates a structure once and uses its
//! fields ever after. Once addresses are known, all reads and writes of such an array are at literal indices, and
//! the array is no more than some variables: a write changes one of them. This is scalar replacement of aggregates. Solvers need no theory of
//! arrays then, and the other passes see the values: a state that a program keeps on the heap can be unfolded like any other.
//!
//! An array is replaced if all its uses are reads `a[i]` and assignments `a := a[i <- t]...` or `a := [...]`, all at literal
//! indices, or havocs. Addresses may be kept in cells themselves, so after arrays were replaced the [ranges](super::ranges) are calculated
//! anew, and whatever indices have become literals then make the next round possible, until nothing changes.
//!
//! # The way back
//! In formulas a variable is the read of its cell again. In traces the values of the cells are entries of the array; what else
//! is in it is never read.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{
    Args, ArrayValue, ExprId, Op, Postorder, Sort, Store, Substitution, Value, VarId, default_value,
};

use super::evidence::OTHER_RUNS;
use super::inputs::StepReader;
use super::{
    Cfa, CfaInvariants, CfaProof, CfaStep, CfaTrace, CfaUnwinding, Edge, EdgeId, Prune, Ranges, Stmt,
    StmtKind,
};
use crate::{Chain, Evidence, Lift, Pass, Passed, Task};

/// The pass. See the [module](self).
#[derive(Clone, Copy, Default, Debug)]
pub struct Scalars;

/// An array with more cells stays one: its contents are rather a table than fields.
const MAX_CELLS: usize = 200;

impl Pass<Cfa> for Scalars {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "scalars"
    }

    fn apply(&self, task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Cfa>, Stop> {
        let uses = Uses::of(&task, run)?;
        if uses.indices.is_empty() {
            return Ok(Passed { task, lift: Box::new(ScalarsLift::default()) });
        }
        Chain::new(vec![Box::new(Round), Box::new(Ranges), Box::new(Prune), Box::new(Scalars)])
            .apply(task, run)
    }
}

/// Replaces what can be replaced at once.
struct Round;

impl Pass<Cfa> for Round {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "scalars"
    }

    fn apply(&self, task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Cfa>, Stop> {
        let replaced = Replaced::declare(&task.store, Uses::of(&task, run)?);
        let mut rewriting =
            Rewriting { store: &task.store, replaced: &replaced, terms: FxHashMap::default() };
        let mut edges: IndexVec<EdgeId, Edge> = IndexVec::new();
        let mut shapes = BTreeMap::new();
        for (id, edge) in task.model.edges.iter_enumerated() {
            run.checkpoint()?;
            edges.push(Edge { stmt: rewriting.stmt(&edge.stmt), ..edge.clone() });
            let is_concerned =
                |stmt: &Stmt| matches!(stmt.kind, StmtKind::Havoc(var) if replaced.cells.contains_key(&var));
            if edge.stmt.walk().any(is_concerned) {
                shapes.insert(id, edge.stmt.clone());
            }
        }
        let of_var = |var: &VarId| match replaced.cells.get(var) {
            Some(cells) => cells.values().copied().collect(),
            None => vec![*var],
        };
        let vars = task.model.vars.iter().flat_map(of_var).collect();
        let model = Cfa { vars, edges, ..task.model.clone() };
        let lift = ScalarsLift { arrays: replaced.arrays(&task.store), shapes };
        Ok(Passed { task: Task { store: task.store, model, property: task.property }, lift: Box::new(lift) })
    }
}

/// How arrays are used.
struct Uses<'t> {
    store: &'t Store,
    /// The indices of each array all of whose uses so far can be replaced, at most `MAX_CELLS`.
    indices: BTreeMap<VarId, BTreeSet<Value>>,
}

impl<'t> Uses<'t> {
    fn of(task: &'t Task<Cfa>, run: &Run) -> Result<Uses<'t>, Stop> {
        let (store, cfa) = (&task.store, &task.model);
        let is_candidate = |var: &VarId| match store.var_sort(*var) {
            Sort::Array(array) => !matches!(store.array_parts(array).1, Sort::Array(_)),
            _ => false,
        };
        let indices =
            cfa.vars.iter().copied().filter(is_candidate).map(|var| (var, BTreeSet::new())).collect();
        let mut uses = Uses { store, indices };
        for edge in &cfa.edges {
            run.checkpoint()?;
            if uses.indices.is_empty() {
                break;
            }
            edge.stmt.walk().for_each(|stmt| uses.stmt(stmt));
        }
        Ok(uses)
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assume(formula) => self.terms(&[*formula]),
            StmtKind::Assign(var, expr) if self.indices.contains_key(var) => self.write(*var, *expr),
            StmtKind::Assign(_, expr) => self.terms(&[*expr]),
            StmtKind::Havoc(_) | StmtKind::Seq(_) | StmtKind::Choice(_) => {}
        }
    }

    /// `array := expr`.
    fn write(&mut self, array: VarId, expr: ExprId) {
        let Some(Writes { base, cells }) = writes(self.store, array, expr) else {
            self.terms(&[expr]);
            self.indices.remove(&array);
            return;
        };
        let elements: Vec<ExprId> =
            base.into_iter().chain(cells.iter().map(|(_, element)| *element)).collect();
        // Cells are assigned one after the other, so none may be needed for another.
        if elements.len() > 1 && self.store.vars_of(elements.iter().copied()).contains(&array) {
            self.indices.remove(&array);
        }
        self.terms(&elements);
        self.cells(array, cells.into_iter().map(|(index, _)| index));
    }

    /// Notes that cells of an array are used. One with too many is given up at once, before more work is done for it.
    fn cells(&mut self, array: VarId, used: impl IntoIterator<Item = Value>) {
        let Some(indices) = self.indices.get_mut(&array) else { return };
        indices.extend(used);
        if indices.len() > MAX_CELLS {
            self.indices.remove(&array);
        }
    }

    /// Notes the reads in terms, and that arrays are used in other ways.
    fn terms(&mut self, roots: &[ExprId]) {
        let store = self.store;
        for root in roots {
            self.other_use(*root);
        }
        for term in Postorder::new(store, roots.iter().copied()) {
            let args = store.args(term);
            match read(store, term) {
                Some((array, index)) => self.cells(array, [index]),
                None => args.iter().for_each(|arg| self.other_use(*arg)),
            }
        }
    }

    fn other_use(&mut self, term: ExprId) {
        if let Some(var) = self.store.as_var(term) {
            self.indices.remove(&var);
        }
    }
}

/// The array and the index of a read at a literal index.
fn read(store: &Store, term: ExprId) -> Option<(VarId, Value)> {
    if store.op(term) != Op::Select {
        return None;
    }
    Some((store.as_var(store.arg(term, 0))?, store.value(store.arg(term, 1))?))
}

/// What an array becomes.
struct Writes {
    /// What all cells are first, if they change.
    base: Option<ExprId>,
    /// The cells that are written, the first one first.
    cells: Vec<(Value, ExprId)>,
}

/// Reads `expr` as writes to cells of `array`.
fn writes(store: &Store, array: VarId, expr: ExprId) -> Option<Writes> {
    let (mut cells, mut rest) = (Vec::new(), expr);
    while store.op(rest) == Op::Store {
        cells.push((store.value(store.arg(rest, 1))?, store.arg(rest, 2)));
        rest = store.arg(rest, 0);
    }
    cells.reverse();
    if store.as_var(rest) == Some(array) {
        return Some(Writes { base: None, cells });
    }
    if store.op(rest) == Op::ConstArray {
        return Some(Writes { base: Some(store.arg(rest, 0)), cells });
    }
    let Value::Array(value) = store.value(rest)? else { return None };
    let entries = value.entries().map(|(index, element)| (index.clone(), store.literal(element.clone())));
    let base = Some(store.literal(value.default().clone()));
    Some(Writes { base, cells: entries.chain(cells).collect() })
}

/// The variables of the cells of each array.
struct Replaced {
    cells: BTreeMap<VarId, BTreeMap<Value, VarId>>,
}

impl Replaced {
    fn declare(store: &Store, uses: Uses<'_>) -> Replaced {
        let cells = uses.indices.into_iter().map(|(array, indices)| {
            let Sort::Array(sort) = store.var_sort(array) else { unreachable!("candidates are arrays") };
            let (name, element) = (store.var_name(array), store.array_parts(sort).1);
            let declare = |index: Value| {
                let cell = store.declare_fresh(&format!("{name}_{}", suffix(&index)), element);
                (index, cell)
            };
            (array, indices.into_iter().map(declare).collect())
        });
        Replaced { cells: cells.collect() }
    }

    fn arrays(self, store: &Store) -> Vec<ReplacedArray> {
        let array = |(var, cells): (VarId, BTreeMap<Value, VarId>)| {
            let Value::Array(rest) = default_value(store, store.var_sort(var)) else {
                unreachable!("candidates are arrays")
            };
            ReplacedArray { var, rest: ArrayValue::clone(&rest), cells: cells.into_iter().collect() }
        };
        self.cells.into_iter().map(array).collect()
    }
}

/// An index as a part of a name.
fn suffix(index: &Value) -> String {
    match index {
        Value::Int(number) => number.to_string().replace('-', "m"),
        Value::BitVec(bits) => bits.unsigned().to_string(),
        _ => "cell".to_owned(),
    }
}

struct Rewriting<'t> {
    store: &'t Store,
    replaced: &'t Replaced,
    terms: FxHashMap<ExprId, ExprId>,
}

impl Rewriting<'_> {
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let kind = match &stmt.kind {
            StmtKind::Assume(formula) => StmtKind::Assume(self.term(*formula)),
            StmtKind::Assign(var, expr) => match self.replaced.cells.get(var) {
                Some(cells) => StmtKind::Seq(self.assignments(*var, cells, *expr)),
                None => StmtKind::Assign(*var, self.term(*expr)),
            },
            StmtKind::Havoc(var) => match self.replaced.cells.get(var) {
                Some(cells) => StmtKind::Seq(cells.values().map(|cell| Stmt::havoc(*cell)).collect()),
                None => StmtKind::Havoc(*var),
            },
            StmtKind::Seq(stmts) => StmtKind::Seq(stmts.iter().map(|stmt| self.stmt(stmt)).collect()),
            StmtKind::Choice(stmts) => StmtKind::Choice(stmts.iter().map(|stmt| self.stmt(stmt)).collect()),
        };
        Stmt { kind, span: stmt.span }
    }

    fn assignments(&mut self, array: VarId, cells: &BTreeMap<Value, VarId>, expr: ExprId) -> Vec<Stmt> {
        let Writes { base, cells: written } =
            writes(self.store, array, expr).expect("only arrays that are written to should be replaced");
        let mut stmts = Vec::new();
        if let Some(base) = base {
            let base = self.term(base);
            stmts.extend(cells.values().map(|cell| Stmt::assign(*cell, base)));
        }
        for (index, element) in written {
            stmts.push(Stmt::assign(cells[&index], self.term(element)));
        }
        stmts
    }

    fn term(&mut self, root: ExprId) -> ExprId {
        let store = self.store;
        if let Some(known) = self.terms.get(&root) {
            return *known;
        }
        for term in Postorder::new(store, [root]) {
            if self.terms.contains_key(&term) {
                continue;
            }
            let cell =
                read(store, term).and_then(|(array, index)| self.replaced.cells.get(&array)?.get(&index));
            let new = match cell {
                Some(cell) => store.var_expr(*cell),
                None => {
                    let args: Args = store.args(term).iter().map(|arg| self.terms[arg]).collect();
                    store.rebuild(term, &args)
                }
            };
            self.terms.insert(term, new);
        }
        self.terms[&root]
    }
}

/// An array with the variables that stand for its cells.
struct ReplacedArray {
    var: VarId,
    /// What is in cells that are never read.
    rest: ArrayValue,
    cells: Vec<(Value, VarId)>,
}

impl ReplacedArray {
    /// The array with these elements in its cells.
    fn value(&self, elements: impl IntoIterator<Item = Value>) -> Value {
        let indices = self.cells.iter().map(|(index, _)| index.clone());
        Value::Array(self.rest.clone().write_all(indices.zip(elements)).into())
    }
}

#[derive(Default)]
struct ScalarsLift {
    arrays: Vec<ReplacedArray>,
    /// The original statements of edges with havocs of arrays.
    shapes: BTreeMap<EdgeId, Stmt>,
}

impl Lift<Cfa, Cfa> for ScalarsLift {
    fn trace(&self, mut trace: CfaTrace) -> CfaTrace {
        for array in &self.arrays {
            let elements: Vec<Value> =
                array.cells.iter().filter_map(|(_, cell)| trace.initial.remove(cell)).collect();
            trace.initial.insert(array.var, array.value(elements));
        }
        trace.replace_steps(|step| match self.shapes.get(&step.edge) {
            Some(shape) => [self.step(step, shape)],
            None => [step],
        })
    }

    fn proof(&self, task: &Task<Cfa>, inner: &Store, proof: CfaProof) -> Evidence<CfaProof> {
        let lift = |invariants: CfaInvariants| CfaInvariants {
            cells: invariants.cells_in(&task.store, inner),
            formulas: self.formulas(&task.store, inner, invariants.formulas),
            ..invariants
        };
        Evidence::Given(match proof {
            CfaProof::Invariants(invariants) => CfaProof::Invariants(lift(invariants)),
            CfaProof::Unwinding(unwinding) => {
                CfaProof::Unwinding(CfaUnwinding { lemmas: lift(unwinding.lemmas), ..unwinding })
            }
            CfaProof::Exhaustion { .. } if self.arrays.is_empty() => proof,
            CfaProof::Exhaustion { .. } => return Evidence::Missing(OTHER_RUNS),
            CfaProof::Contracts(proof) => CfaProof::Contracts(proof.at_home(&task.store, inner)),
        })
    }
}

impl ScalarsLift {
    /// The step with the inputs of cells as one input of their array.
    fn step(&self, step: CfaStep, shape: &Stmt) -> CfaStep {
        let mut together = CfaStep { edge: step.edge, inputs: Vec::new(), choices: Vec::new() };
        let mut reader = StepReader::new(step);
        let mut pending = vec![shape];
        while let Some(stmt) = pending.pop() {
            match &stmt.kind {
                StmtKind::Assign(..) | StmtKind::Assume(_) => {}
                StmtKind::Havoc(var) => match self.arrays.iter().find(|array| array.var == *var) {
                    Some(array) => {
                        let elements: Vec<Value> =
                            array.cells.iter().filter_map(|_| reader.input()).collect();
                        together.inputs.push(array.value(elements));
                    }
                    None => together.inputs.extend(reader.input()),
                },
                StmtKind::Seq(stmts) => pending.extend(stmts.iter().rev()),
                StmtKind::Choice(stmts) => {
                    let branch = reader.choice();
                    together.choices.extend(branch);
                    pending.extend(branch.and_then(|branch| stmts.get(branch)));
                }
            }
        }
        together
    }

    /// The formulas with reads of cells in place of variables.
    fn formulas<K: Ord>(
        &self,
        store: &Store,
        inner: &Store,
        formulas: BTreeMap<K, ExprId>,
    ) -> BTreeMap<K, ExprId> {
        let mut reads = Substitution::new();
        for array in &self.arrays {
            for (index, cell) in &array.cells {
                let read = inner.select(inner.var_expr(array.var), inner.literal(index.clone()));
                reads.insert(inner, *cell, read);
            }
        }
        let home = |formula| store.import(inner, reads.apply(inner, formula));
        formulas.into_iter().map(|(at, formula)| (at, home(formula))).collect()
    }
}
