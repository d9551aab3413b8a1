//! Invariants about all cells of arrays, as solutions of Horn clauses without arrays.
//!
//! # Problem
//! "All elements of `a` up to `i` are 42" needs a quantifier. Solvers of Horn clauses that may invent quantifiers are
//! fragile, and even without quantifiers clauses with arrays are hard for them.
//!
//! # Method
//! A *cell* is an arbitrary index `k`, the same one for all arrays with indices of its sort. The relation of a location is not
//! over the arrays but over `k` and the elements `a_k` of all arrays there: `R(x, k, a_k, b_k)` is meant to hold for all `k`
//! whenever a run is at the location with `x`, `a` and `b`. So `R` is an invariant with a quantifier in front and no arrays
//! inside, and the clauses for it have neither.
//!
//! An edge is executed symbolically. The new element in cell `k` is a term over the old one and the elements that are
//! read elsewhere (see [`reading`]). The relation of the source also constrains an element that is read at an index `t`:
//! `R(x, t, a_t, b_t)` is one more premise, a [neighbour](thetis_solver::Neighbour) of the state before the edge. Edges
//! into an error location have only such premises.
//!
//! An array whose indices are all of the form `t + 4`, such as the second fields of structures, has `a[k + 4]` as its element in the cell ([`offsets`]), so
//! that all fields of a structure are in one cell.
//!
//! Before a solver of clauses is asked, a solution is [guessed](guesses).
//!
//! A solution becomes an invariant when `a_k` is replaced by `a[k]`. It is checked like any other invariant: the clauses
//! serve to find it, not to justify it.
//!
//! # Limits
//! The relations cannot express how elements at different indices are related (as in sorted arrays). So if the clauses have no
//! solution, an error need not be reachable. Arrays of arrays are not supported.
//!
//! Follows Monniaux and Gonnord, *Cell morphing: from array programs to array-free Horn clauses* (2016). There, reads and
//! writes have clauses of their own; here an edge, however long, has one clause, with a premise for each index read.

mod engine;
mod guesses;
mod offsets;
mod reading;

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use thetis_expr::smtlib::print_sort;
use thetis_expr::{ExprId, Sort, Store, Substitution, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, EdgeId, Inventor, LocId};
use thetis_solver::{HornSystem, Step};

use crate::encode::{EdgeClause, Effect, Encoding, encode};
use reading::Reading;

pub use engine::CellHorn;

/// Clauses about the locations of an automaton and the cells of its arrays.
pub struct CellEncoding {
    encoding: Encoding,
    cells: Cells,
}

/// The cells: one for each sort of indices.
struct Cells {
    cells: Vec<Cell>,
}

/// An arbitrary index.
struct Cell {
    var: VarId,
    index: Sort,
    arrays: Vec<ArrayInCell>,
}

/// An array variable, and the variable that is its element in the cell.
struct ArrayInCell {
    array: VarId,
    element: VarId,
    /// What is added to the cell to get the index.
    offset: BigInt,
}

impl Cell {
    /// The index at which the array at `position` has its element in the cell.
    fn index_of(&self, store: &Store, position: usize) -> ExprId {
        offsets::moved(store, store.var_expr(self.var), self.arrays[position].offset.clone())
    }
}

/// The clauses whose solutions show that `task` is safe, or why there are none.
pub fn encode_cells(task: &Task<Cfa>) -> Result<CellEncoding, &'static str> {
    let store = &task.store;
    let cells = Cells::new(task)?;
    // What matters of the arrays is what matters of their cells.
    let with_arrays = encode(task);
    let needed_vars = with_arrays.system.needed_vars(store).into_iter();
    let needed_vars = needed_vars.map(|vars| vars.into_iter().collect::<BTreeSet<VarId>>());
    let needed: BTreeMap<LocId, BTreeSet<VarId>> =
        with_arrays.locations.iter().copied().zip(needed_vars).collect();
    let mut state: FxHashSet<VarId> = task.model.vars.iter().copied().collect();
    state.extend(cells.vars());
    let mut edges = Edges { task, cells: &cells, needed: &needed, state, inventor: Inventor::default() };
    let encoding = Encoding::new(&task.model, |edge| edges.clause(edge));
    Ok(CellEncoding { encoding, cells })
}

impl CellEncoding {
    /// The location of each relation.
    fn locations(&self) -> &[LocId] {
        &self.encoding.locations
    }

    /// The clauses.
    pub fn system(&self) -> &HornSystem {
        &self.encoding.system
    }

    /// The invariants that a solution says.
    pub fn invariants(&self, store: &Store, solution: Vec<ExprId>) -> CfaInvariants {
        let mut elements = Substitution::new();
        for cell in &self.cells.cells {
            for (position, ArrayInCell { array, element, .. }) in cell.arrays.iter().enumerate() {
                let read = store.select(store.var_expr(*array), cell.index_of(store, position));
                elements.insert(store, *element, read);
            }
        }
        let formulas = self.encoding.invariants(solution).into_iter();
        let whole = |formula| self.cells.at_all_offsets(store, elements.apply(store, formula));
        CfaInvariants {
            formulas: formulas.map(|(at, formula)| (at, whole(formula))).collect(),
            cells: self.cells.cells.iter().map(|cell| cell.var).collect(),
            ..CfaInvariants::default()
        }
    }
}

impl Cells {
    fn new(task: &Task<Cfa>) -> Result<Cells, &'static str> {
        let store = &task.store;
        let mut cells = Cells { cells: Vec::new() };
        let mut offsets = offsets::of(task);
        for array in &task.model.vars {
            let Sort::Array(sort) = store.var_sort(*array) else { continue };
            let (index, element) = store.array_parts(sort);
            if let (Sort::Array(_), _) | (_, Sort::Array(_)) = (index, element) {
                return Err("there are arrays of arrays");
            }
            // Front ends accept no such names.
            let element = store.declare(&format!("{}.cell!", store.var_name(*array)), element);
            let offset = offsets.remove(array).unwrap_or_default();
            cells.at(store, index).arrays.push(ArrayInCell { array: *array, element, offset });
        }
        if cells.cells.is_empty() { Err("there are no arrays") } else { Ok(cells) }
    }

    /// The cell for this sort of indices.
    fn at(&mut self, store: &Store, index: Sort) -> &mut Cell {
        let known = self.cells.iter().position(|cell| cell.index == index);
        let position = known.unwrap_or_else(|| {
            let var = store.declare(&format!("cell!{}", word_of(store, index)), index);
            self.cells.push(Cell { var, index, arrays: Vec::new() });
            self.cells.len() - 1
        });
        &mut self.cells[position]
    }

    /// The cell of an array, and the place of the array in it.
    fn of_array(&self, array: VarId) -> Option<(usize, usize)> {
        self.cells.iter().enumerate().find_map(|(number, cell)| {
            Some((number, cell.arrays.iter().position(|known| known.array == array)?))
        })
    }

    /// `formula`, instantiated once for each offset of arrays, so that the indices of their accesses are cells, as the checker needs.
    fn at_all_offsets(&self, store: &Store, formula: ExprId) -> ExprId {
        self.cells.iter().fold(formula, |formula, cell| {
            let offsets: BTreeSet<&BigInt> = cell.arrays.iter().map(|array| &array.offset).collect();
            store.and_all(offsets.into_iter().map(|offset| {
                let mut there = Substitution::new();
                there.insert(store, cell.var, offsets::moved(store, store.var_expr(cell.var), -offset));
                there.apply(store, formula)
            }))
        })
    }

    fn vars(&self) -> impl Iterator<Item = VarId> {
        let vars =
            |cell: &Cell| cell.arrays.iter().map(|array| array.element).chain([cell.var]).collect::<Vec<_>>();
        self.cells.iter().flat_map(vars).collect::<Vec<_>>().into_iter()
    }
}

/// A sort in one word.
fn word_of(store: &Store, sort: Sort) -> String {
    print_sort(store, sort).chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Makes the clauses of edges.
struct Edges<'t> {
    task: &'t Task<Cfa>,
    cells: &'t Cells,
    /// The variables of the model that matter at each location with a relation.
    needed: &'t BTreeMap<LocId, BTreeSet<VarId>>,
    /// The variables of relations.
    state: FxHashSet<VarId>,
    inventor: Inventor,
}

impl Edges<'_> {
    fn clause(&mut self, id: EdgeId) -> EdgeClause {
        let (store, edge) = (&self.task.store, &self.task.model.edges[id]);
        let effect = Effect::of(self.task, id, &mut self.inventor);
        let (mut reading, next) = match self.needed.get(&edge.target) {
            Some(needed) => {
                let mut reading = Reading::around_cells(store, self.cells, &mut self.inventor);
                let next = next(store, self.cells, &effect, needed, &mut reading);
                (reading, next)
            }
            None => (Reading::choosing_cells(store, self.cells, &mut self.inventor), Vec::new()),
        };
        let mut conjuncts = store.conjuncts(reading.plain(effect.condition));
        conjuncts.extend(reading.consistency(&self.needed[&edge.source]));
        let neighbours = reading.neighbours();
        let places = neighbours.iter().flat_map(|neighbour| neighbour.place.iter());
        let terms = next.iter().chain(places).map(|(_, term)| *term).chain(conjuncts.iter().copied());
        let mut inputs = store.vars_of(terms);
        inputs
            .extend(neighbours.iter().flat_map(|neighbour| neighbour.values.iter().map(|(_, value)| *value)));
        inputs.retain(|var| !self.state.contains(var));
        EdgeClause { step: Step { conjuncts, next, inputs }, neighbours }
    }
}

/// What an edge does to the variables and to the cells. Effects on variables that are not needed are ignored.
fn next(
    store: &Store,
    cells: &Cells,
    effect: &Effect,
    needed: &BTreeSet<VarId>,
    reading: &mut Reading<'_>,
) -> Vec<(VarId, ExprId)> {
    let mut next = Vec::new();
    for (var, term) in &effect.next {
        let (var, term) = match cells.of_array(*var) {
            Some((cell, position)) => {
                let element = cells.cells[cell].arrays[position].element;
                (element, needed.contains(var).then(|| reading.in_cell(*term, cell, position)))
            }
            None => (*var, needed.contains(var).then(|| reading.plain(*term))),
        };
        next.push((var, term.unwrap_or_else(|| reading.anything(store.var_sort(var)))));
    }
    next
}
