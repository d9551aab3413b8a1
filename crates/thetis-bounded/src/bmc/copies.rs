//! Copies of locations, of which unrollings of an automaton consist.
//!
//! Every copy has a term for each variable and a truth value that implies that control is there. Copies are entered by edges of
//! other copies; where several entries meet, what differs between them gets a new name, equal to the term of the entry that was taken.
//!
//! **Arrays cell by cell.** Arrays that meet are often the same array with a few cells written at known places. Then only the cells
//! that differ get new names, and a later read at a known place still gives one of these names or a constant instead of a term of the
//! theory of arrays.

use std::collections::BTreeMap;

use thetis_base::{IndexVec, define_index_type};
use thetis_expr::{ExprId, Op, Sort, Store, Value, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, CfaTrace, EdgeId, Executed, Inventor, SymbolicState};
use thetis_solver::{SolverError, Valuation};

define_index_type! {
    /// A copy of a location.
    pub(crate) struct CopyId = u32;
}

/// If more cells than this differ, they are not treated one by one.
const MAX_CELLS: usize = 2048;

/// A copy of a location.
pub(super) struct Copy {
    /// Implies that control is here.
    pub(super) at: ExprId,
    pub(super) state: SymbolicState,
    /// The edges by which it was entered; empty for the start.
    entries: Vec<Entry>,
}

/// One edge into a copy.
pub(super) struct Entry {
    pub(super) source: CopyId,
    pub(super) edge: EdgeId,
    executed: Executed,
    /// Implies that the edge was taken.
    pub(super) taken: ExprId,
    /// The state after the edge.
    pub(super) state: SymbolicState,
}

/// The copies made so far.
pub(super) struct Copies<'t> {
    task: &'t Task<Cfa>,
    inventor: Inventor,
    copies: IndexVec<CopyId, Copy>,
    /// Constraints on the copies that still have to be asserted.
    constraints: Vec<ExprId>,
}

impl<'t> Copies<'t> {
    pub(super) fn new(task: &'t Task<Cfa>) -> Copies<'t> {
        let (inventor, copies) = (Inventor::default(), IndexVec::new());
        Copies { task, inventor, copies, constraints: Vec::new() }
    }

    pub(super) fn store(&self) -> &'t Store {
        &self.task.store
    }

    pub(super) fn len(&self) -> usize {
        self.copies.len()
    }

    pub(super) fn get(&self, copy: CopyId) -> &Copy {
        &self.copies[copy]
    }

    pub(super) fn take_constraints(&mut self) -> Vec<ExprId> {
        std::mem::take(&mut self.constraints)
    }

    /// A copy with arbitrary values, one of this many in which runs may start.
    pub(super) fn start(&mut self, num_starts: usize) -> CopyId {
        let store = self.store();
        let inventor = &mut self.inventor;
        let state = SymbolicState::new(&self.task.model.vars, |var| inventor.version_of(store, var));
        let at = if num_starts == 1 { store.tru() } else { inventor.truth(store, "at") };
        self.copies.push(Copy { at, state, entries: Vec::new() })
    }

    /// Assumes that a formula holds wherever control is at a copy.
    pub(super) fn assume(&mut self, copy: CopyId, formula: ExprId) {
        let store = self.store();
        let Copy { at, state, .. } = &self.copies[copy];
        self.constraints.push(store.implies(*at, state.substitute(store, formula)));
    }

    /// The copy with these entries, if there are any.
    pub(super) fn enter(&mut self, mut entries: Vec<Entry>) -> Option<CopyId> {
        let copy = match entries.len() {
            0 => return None,
            1 => {
                let at = self.name(entries[0].taken);
                entries[0].taken = at;
                Copy { at, state: entries[0].state.clone(), entries }
            }
            _ => self.meet(entries),
        };
        Some(self.copies.push(copy))
    }

    /// The entry by `edge` from a copy of its source, unless it is surely blocked.
    pub(super) fn follow(&mut self, source: CopyId, edge: EdgeId) -> Option<Entry> {
        let store = self.store();
        let mut state = self.copies[source].state.clone();
        let executed = state.execute(store, &self.task.model.edges[edge].stmt, &mut self.inventor);
        let taken = store.and(self.copies[source].at, executed.condition);
        (taken != store.fals()).then_some(Entry { source, edge, executed, taken, state })
    }

    /// Joins several entries: what differs gets new names.
    fn meet(&mut self, mut entries: Vec<Entry>) -> Copy {
        let store = self.store();
        for entry in &mut entries {
            let taken = self.inventor.truth(store, "taken");
            self.constraints.push(store.implies(taken, entry.taken));
            entry.taken = taken;
        }
        let mut state = entries[0].state.clone();
        for var in &self.task.model.vars {
            let first = state.get(*var);
            if entries.iter().any(|entry| entry.state.get(*var) != first) {
                let joined = self.join(*var, &entries);
                state.set(*var, joined);
            }
        }
        let any = store.or_all(entries.iter().map(|entry| entry.taken));
        let at = self.name(any);
        Copy { at, state, entries }
    }

    /// A term for a variable that differs between entries.
    fn join(&mut self, var: VarId, entries: &[Entry]) -> ExprId {
        let store = self.store();
        if let Some((base, cells)) = common_cells(store, entries.iter().map(|entry| entry.state.get(var))) {
            return self.join_cells(var, entries, base, &cells);
        }
        let joined = self.inventor.version_of(store, var);
        self.equate(joined, entries, |entry| entry.state.get(var));
        joined
    }

    fn join_cells(
        &mut self,
        var: VarId,
        entries: &[Entry],
        base: ExprId,
        cells: &BTreeMap<ExprId, Vec<ExprId>>,
    ) -> ExprId {
        let store = self.store();
        let mut joined = base;
        for (index, values) in cells {
            let value = if values.iter().all(|value| *value == values[0]) {
                values[0]
            } else {
                let cell = self.inventor.cell_of(store, var, store.sort(values[0]));
                let mut values = values.iter();
                self.equate(cell, entries, |_| *values.next().expect("each entry should have a value"));
                cell
            };
            joined = store.store(joined, *index, value);
        }
        joined
    }

    /// That `joined` is the term of the entry that is taken.
    fn equate(&mut self, joined: ExprId, entries: &[Entry], mut term: impl FnMut(&Entry) -> ExprId) {
        let store = self.store();
        for entry in entries {
            let equal = store.eq(joined, term(entry));
            self.constraints.push(store.implies(entry.taken, equal));
        }
    }

    /// A truth value that implies `formula`; the formula itself if it is atomic.
    fn name(&mut self, formula: ExprId) -> ExprId {
        let store = self.store();
        if store.as_var(formula).is_some() || store.is_literal(formula) {
            return formula;
        }
        let name = self.inventor.truth(store, "at");
        self.constraints.push(store.implies(name, formula));
        name
    }

    /// The run that `valuation` describes, to a copy where it has control.
    pub(super) fn trace(&self, copy: CopyId, valuation: &Valuation<'_>) -> Result<CfaTrace, SolverError> {
        let value = |term: ExprId| valuation.evaluate(self.store(), term);
        let (start, entries) = self.way_to(copy, valuation)?;
        let mut steps = Vec::new();
        for entry in entries {
            let (inputs, choices) = entry.executed.concrete(value)?;
            steps.push(CfaStep { edge: entry.edge, inputs, choices });
        }
        let start = &self.copies[start].state;
        let initial = self.task.model.vars.iter().map(|var| Ok((*var, value(start.get(*var))?)));
        Ok(CfaTrace::new(initial.collect::<Result<_, SolverError>>()?, steps))
    }

    /// The edges of the run that `valuation` describes, to a copy where it has control.
    pub(super) fn edges_to(
        &self,
        copy: CopyId,
        valuation: &Valuation<'_>,
    ) -> Result<Vec<EdgeId>, SolverError> {
        let (_, entries) = self.way_to(copy, valuation)?;
        Ok(entries.iter().map(|entry| entry.edge).collect())
    }

    /// The first of some copies where `valuation` has control.
    pub(super) fn reached(
        &self,
        copies: impl IntoIterator<Item = CopyId>,
        valuation: &Valuation<'_>,
    ) -> Result<CopyId, SolverError> {
        for copy in copies {
            if self.holds(self.copies[copy].at, valuation)? {
                return Ok(copy);
            }
        }
        panic!("a valuation should be at one of the copies")
    }

    /// Where the run that `valuation` describes starts, and by which entries it reaches `copy`.
    fn way_to(
        &self,
        mut copy: CopyId,
        valuation: &Valuation<'_>,
    ) -> Result<(CopyId, Vec<&Entry>), SolverError> {
        let mut entries = Vec::new();
        while !self.copies[copy].entries.is_empty() {
            let entry = self.entry_taken(copy, valuation)?;
            copy = entry.source;
            entries.push(entry);
        }
        entries.reverse();
        Ok((copy, entries))
    }

    fn entry_taken(&self, copy: CopyId, valuation: &Valuation<'_>) -> Result<&Entry, SolverError> {
        let entries = &self.copies[copy].entries;
        for entry in entries {
            if entries.len() == 1 || self.holds(entry.taken, valuation)? {
                return Ok(entry);
            }
        }
        panic!("control should have come by one of the edges")
    }

    fn holds(&self, formula: ExprId, valuation: &Valuation<'_>) -> Result<bool, SolverError> {
        Ok(valuation.evaluate(self.store(), formula)? == Value::Bool(true))
    }
}

/// One array and, for each known place where one of `arrays` differs from it by a write, the values of all of them there.
fn common_cells(
    store: &Store,
    arrays: impl Iterator<Item = ExprId>,
) -> Option<(ExprId, BTreeMap<ExprId, Vec<ExprId>>)> {
    let written: Vec<(ExprId, BTreeMap<ExprId, ExprId>)> =
        arrays.map(|array| writes(store, array)).collect::<Option<_>>()?;
    let base = written.first()?.0;
    if written.iter().any(|(other, _)| *other != base) {
        return None;
    }
    let mut cells: BTreeMap<ExprId, Vec<ExprId>> = BTreeMap::new();
    for index in written.iter().flat_map(|(_, writes)| writes.keys()) {
        let value = |writes: &BTreeMap<ExprId, ExprId>| {
            writes.get(index).copied().unwrap_or_else(|| store.select(base, *index))
        };
        cells.entry(*index).or_insert_with(|| written.iter().map(|(_, writes)| value(writes)).collect());
    }
    Some((base, cells))
}

/// An array without its writes at known places, and these writes; `None` if the term is not an array or has
/// too many of them.
fn writes(store: &Store, mut array: ExprId) -> Option<(ExprId, BTreeMap<ExprId, ExprId>)> {
    let Sort::Array(_) = store.sort(array) else { return None };
    let mut writes = BTreeMap::new();
    while store.op(array) == Op::Store && store.is_literal(store.arg(array, 1)) {
        writes.entry(store.arg(array, 1)).or_insert_with(|| store.arg(array, 2));
        array = store.arg(array, 0);
        if writes.len() > MAX_CELLS {
            return None;
        }
    }
    Some((array, writes))
}
