//! Terms about arrays as terms about the elements that are read.
//!
//! A read of a written array is a choice: the element that was written if the index is that of the write, else what the
//! array had there before. So every read is reduced to reads of array variables, and of arrays that are inputs. The
//! element of an array variable in the cell that the relations are about is a variable. Every other cell that is read
//! is a *place*: it has variables for the elements of all arrays there. [`Reading::consistency`] says that equal
//! indices have equal elements.
//!
//! The results of comparisons of whole arrays are arbitrary.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use thetis_expr::{Args, ExprId, Op, Postorder, Sort, Store, Value, VarId};
use thetis_model::cfa::Inventor;
use thetis_solver::Neighbour;

use super::Cells;
use super::offsets::moved;

/// What one edge reads.
pub(super) struct Reading<'c> {
    store: &'c Store,
    cells: &'c Cells,
    inventor: &'c mut Inventor,
    /// Whether the first place of a cell is the cell itself.
    chooses_cells: bool,
    /// For each cell its index, if it has been chosen.
    chosen: Vec<Option<ExprId>>,
    /// Terms that are no arrays, without reads.
    plain: FxHashMap<ExprId, ExprId>,
    /// The elements of arrays at indices without reads.
    elements: FxHashMap<(ExprId, ExprId), ExprId>,
    places: Vec<Place>,
    inputs: Vec<InputRead>,
}

/// A value of the cell with this number, and for each of its arrays the variable that is the element there.
struct Place {
    cell: usize,
    index: ExprId,
    elements: Vec<VarId>,
}

/// The element of an array that is an input.
struct InputRead {
    array: VarId,
    index: ExprId,
    element: ExprId,
}

impl<'c> Reading<'c> {
    /// For an edge after which the cells still matter.
    pub(super) fn around_cells(
        store: &'c Store,
        cells: &'c Cells,
        inventor: &'c mut Inventor,
    ) -> Reading<'c> {
        Reading {
            store,
            cells,
            inventor,
            chooses_cells: false,
            chosen: vec![None; cells.cells.len()],
            plain: FxHashMap::default(),
            elements: FxHashMap::default(),
            places: Vec::new(),
            inputs: Vec::new(),
        }
    }

    /// For an edge after which nothing matters: a cell can be the first place that is read.
    pub(super) fn choosing_cells(
        store: &'c Store,
        cells: &'c Cells,
        inventor: &'c mut Inventor,
    ) -> Reading<'c> {
        Reading { chooses_cells: true, ..Reading::around_cells(store, cells, inventor) }
    }

    /// `root`, which is no array, without reads.
    pub(super) fn plain(&mut self, root: ExprId) -> ExprId {
        self.visit(root);
        self.plain[&root]
    }

    /// The element of `array` in the cell with this number, where `array` is the new value of the array at
    /// `position` in that cell.
    pub(super) fn in_cell(&mut self, array: ExprId, cell: usize, position: usize) -> ExprId {
        self.visit(array);
        self.read(array, self.cells.cells[cell].index_of(self.store, position))
    }

    /// Any value.
    pub(super) fn anything(&mut self, sort: Sort) -> ExprId {
        let name = format!("anything!{}", super::word_of(self.store, sort));
        self.inventor.version_of(self.store, self.store.declare(&name, sort))
    }

    /// The states before the edge in which the cells are the places.
    pub(super) fn neighbours(&self) -> Vec<Neighbour> {
        let neighbour = |place: &Place| {
            let cell = &self.cells.cells[place.cell];
            let values = cell.arrays.iter().zip(&place.elements);
            Neighbour {
                relation: None,
                place: vec![(cell.var, place.index)],
                values: values.map(|(array, element)| (array.element, *element)).collect(),
            }
        };
        self.places.iter().map(neighbour).collect()
    }

    /// Which indices the cells have, and that arrays have one element at one index; for the arrays `needed` and
    /// inputs.
    pub(super) fn consistency(&self, needed: &BTreeSet<VarId>) -> Vec<ExprId> {
        let store = self.store;
        let mut known = Vec::new();
        for (number, cell) in self.cells.cells.iter().enumerate() {
            let var = store.var_expr(cell.var);
            known.extend(self.chosen[number].map(|index| store.eq(var, index)));
            let places: Vec<&Place> = self.places.iter().filter(|place| place.cell == number).collect();
            for (position, array) in cell.arrays.iter().enumerate() {
                if !needed.contains(&array.array) {
                    continue;
                }
                let own = (self.chosen[number].unwrap_or(var), store.var_expr(array.element));
                let others =
                    places.iter().map(|place| (place.index, store.var_expr(place.elements[position])));
                known.extend(agreement(store, &std::iter::once(own).chain(others).collect::<Vec<_>>()));
            }
        }
        let arrays: BTreeSet<VarId> = self.inputs.iter().map(|read| read.array).collect();
        for array in arrays {
            let reads = self.inputs.iter().filter(|read| read.array == array);
            known.extend(agreement(store, &reads.map(|read| (read.index, read.element)).collect::<Vec<_>>()));
        }
        known
    }

    /// Finds the terms without reads for all parts of `root` that are no arrays.
    fn visit(&mut self, root: ExprId) {
        for expr in Postorder::new(self.store, [root]) {
            if !is_array(self.store, expr) && !self.plain.contains_key(&expr) {
                let plain = self.plain_of(expr);
                self.plain.insert(expr, plain);
            }
        }
    }

    fn plain_of(&mut self, expr: ExprId) -> ExprId {
        let args = self.store.args(expr);
        if self.store.op(expr) == Op::Select {
            return self.read(args[0], self.plain[&args[1]]);
        }
        if args.iter().any(|arg| is_array(self.store, *arg)) {
            return self.anything(self.store.sort(expr));
        }
        let new_args: Args = args.iter().map(|arg| self.plain[arg]).collect();
        if new_args == args { expr } else { self.store.rebuild(expr, &new_args) }
    }

    /// The element of `root`, whose parts have been visited, at `index`, which has no reads.
    fn read(&mut self, root: ExprId, index: ExprId) -> ExprId {
        let mut pending = vec![root];
        while let Some(&array) = pending.last() {
            let args = self.store.args(array);
            let is_open =
                |arg: &&ExprId| is_array(self.store, **arg) && !self.elements.contains_key(&(**arg, index));
            let num_pending = pending.len();
            if matches!(self.store.op(array), Op::Store | Op::Ite)
                && !self.elements.contains_key(&(array, index))
            {
                pending.extend(args.iter().filter(is_open));
            }
            if pending.len() == num_pending {
                pending.pop();
                let element = self.element(array, &args, index);
                self.elements.insert((array, index), element);
            }
        }
        self.elements[&(root, index)]
    }

    /// The element of `array`, where the elements of the arrays in it are known.
    fn element(&mut self, array: ExprId, args: &Args, index: ExprId) -> ExprId {
        let store = self.store;
        if let Some(known) = self.elements.get(&(array, index)) {
            return *known;
        }
        match store.op(array) {
            Op::Store => {
                let is_hit = store.eq(index, self.plain[&args[1]]);
                store.ite(is_hit, self.plain[&args[2]], self.elements[&(args[0], index)])
            }
            Op::Ite => {
                let [then, otherwise] = [args[1], args[2]].map(|branch| self.elements[&(branch, index)]);
                store.ite(self.plain[&args[0]], then, otherwise)
            }
            Op::ConstArray => self.plain[&args[0]],
            Op::Var(var) => self.element_of_var(var, index),
            _ => match store.value(array) {
                Some(Value::Array(value)) => {
                    let default = store.literal(value.default().clone());
                    value.entries().fold(default, |others, (at, element)| {
                        let is_hit = store.eq(index, store.literal(at.clone()));
                        store.ite(is_hit, store.literal(element.clone()), others)
                    })
                }
                _ => self.anything(element_sort(store, array)),
            },
        }
    }

    fn element_of_var(&mut self, array: VarId, index: ExprId) -> ExprId {
        let Some((cell, position)) = self.cells.of_array(array) else {
            return self.element_of_input(array, index);
        };
        let own = self.store.var_expr(self.cells.cells[cell].arrays[position].element);
        let index = moved(self.store, index, -&self.cells.cells[cell].arrays[position].offset);
        if self.chooses_cells {
            let chosen = *self.chosen[cell].get_or_insert(index);
            if chosen == index {
                return own;
            }
        } else if index == self.store.var_expr(self.cells.cells[cell].var) {
            return own;
        }
        let known = self.places.iter().position(|place| place.cell == cell && place.index == index);
        let place = known.unwrap_or_else(|| self.new_place(cell, index));
        self.store.var_expr(self.places[place].elements[position])
    }

    fn new_place(&mut self, cell: usize, index: ExprId) -> usize {
        let arrays = self.cells.cells[cell].arrays.iter();
        let elements = arrays.map(|array| self.inventor.version_var(self.store, array.element)).collect();
        self.places.push(Place { cell, index, elements });
        self.places.len() - 1
    }

    fn element_of_input(&mut self, array: VarId, index: ExprId) -> ExprId {
        let element = self.anything(element_sort(self.store, self.store.var_expr(array)));
        self.inputs.push(InputRead { array, index, element });
        element
    }
}

fn is_array(store: &Store, expr: ExprId) -> bool {
    matches!(store.sort(expr), Sort::Array(_))
}

fn element_sort(store: &Store, array: ExprId) -> Sort {
    let Sort::Array(sort) = store.sort(array) else { panic!("only arrays should be read") };
    store.array_parts(sort).1
}

/// That elements at equal indices are equal.
fn agreement(store: &Store, elements: &[(ExprId, ExprId)]) -> Vec<ExprId> {
    let mut known = Vec::new();
    for (number, (index, element)) in elements.iter().enumerate() {
        for (other_index, other) in &elements[..number] {
            known.push(store.implies(store.eq(*index, *other_index), store.eq(*element, *other)));
        }
    }
    known
}
