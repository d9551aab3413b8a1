//! Candidate invariants about all cells, guessed from the text of the model.
//!
//! A guess says that certain cells hold certain elements, perhaps only if a condition about an input holds.
//! * Cells **up to** a number: those of an array that a loop has passed, up to its counter or up to the counter's bound.
//! * Cells **below a frontier**: memory is allocated from a variable that only grows, always by the same distance. The allocated
//!   addresses are the multiples of the distance below the frontier. One of them, which is being initialised, may be an
//!   exception.
//! * Elements are constants that occur with the array, elements of another array, or allocated addresses, perhaps zero.
//!
//! Guesses are cheap to check, and where they are right, no Horn solver is needed.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Op, Postorder, Sort, Store, Value, VarId};
use thetis_model::Task;
use thetis_model::cfa::ranges::RangeMap;
use thetis_model::cfa::{Cfa, Stmt, StmtKind};

use super::{Cell, CellEncoding};

/// The greatest number of numbers, constants, distances, conditions or exceptions that are tried.
const MAX_PARTS: usize = 4;
/// The greatest number of arrays.
const MAX_ARRAYS: usize = 10;
/// The greatest number of guesses for all relations together.
const MAX_GUESSES: usize = 4000;
/// A variable that grows by less is taken for a counter, not for a frontier.
const MIN_DISTANCE: u32 = 256;

/// The guesses for each relation of `encoding`; nothing if there are too many.
pub(super) fn of(
    task: &Task<Cfa>,
    encoding: &CellEncoding,
    run: &Run,
) -> Result<Option<Vec<Vec<ExprId>>>, Stop> {
    let text = Text::new(task);
    let mut guesses: Vec<ExprId> = text.about_variables(task);
    for cell in encoding.cells.cells.iter().filter(|cell| cell.index == Sort::Int) {
        guesses.extend(text.about_cell(cell));
    }
    if guesses.len() * encoding.locations().len() > MAX_GUESSES {
        return Ok(None);
    }
    let ranges = RangeMap::new(task, run)?;
    let for_location = |location| {
        let mut all = ranges.facts(&task.store, location);
        all.extend(&guesses);
        all
    };
    Ok(Some(encoding.locations().iter().map(|location| for_location(*location)).collect()))
}

/// What the text of an automaton suggests.
struct Text<'t> {
    store: &'t Store,
    /// The numbers and variables that indices are compared with, and the variables in indices.
    ends: Vec<ExprId>,
    /// The variables in indices.
    pointers: Vec<ExprId>,
    /// The constants that are stored in arrays or compared with elements.
    constants: Vec<(VarId, ExprId)>,
    frontiers: Vec<Frontier>,
    /// Equalities of inputs and constants, and their negations.
    conditions: Vec<ExprId>,
}

/// A variable that only grows, and by how much.
struct Frontier {
    variable: ExprId,
    distance: BigInt,
}

impl<'t> Text<'t> {
    fn new(task: &'t Task<Cfa>) -> Text<'t> {
        let store = &task.store;
        let stmts: Vec<&Stmt> = task.model.edges.iter().flat_map(|edge| edge.stmt.walk()).collect();
        let terms = stmts.iter().filter_map(|stmt| term_of(stmt));
        let terms: Vec<ExprId> = Postorder::new(store, terms).collect();
        let pointers = pointers(store, &terms);
        let mut ends = pointers.clone();
        ends.extend(compared(store, &terms, &pointers).into_iter().take(MAX_PARTS));
        Text {
            store,
            ends,
            constants: constants(store, &terms),
            frontiers: task.model.vars.iter().filter_map(|var| frontier(store, &stmts, *var)).collect(),
            conditions: conditions(store, &stmts, &terms),
            pointers,
        }
    }

    /// Guesses that variables are allocated addresses.
    fn about_variables(&self, task: &Task<Cfa>) -> Vec<ExprId> {
        let store = self.store;
        let mut guesses = Vec::new();
        for frontier in &self.frontiers {
            let vars = task.model.vars.iter().filter(|var| store.var_sort(**var) == Sort::Int);
            for var in vars.map(|var| store.var_expr(*var)) {
                if var == frontier.variable {
                    guesses.extend(store.conjuncts(frontier.is_aligned(store, var)));
                } else {
                    guesses.extend([frontier.is_out(store, var), frontier.is_out_or_zero(store, var)]);
                }
            }
        }
        guesses
    }

    fn about_cell(&self, cell: &Cell) -> Vec<ExprId> {
        let store = self.store;
        let facts = self.facts(cell);
        let mut guesses = Vec::new();
        for kind in self.kinds(cell) {
            for fact in &facts {
                let guess = store.implies(kind, *fact);
                guesses.push(guess);
                guesses.extend(self.conditions.iter().map(|condition| store.implies(*condition, guess)));
            }
        }
        guesses
    }

    /// The kinds of cells.
    fn kinds(&self, cell: &Cell) -> Vec<ExprId> {
        let store = self.store;
        let index = store.var_expr(cell.var);
        let is_natural = store.le(store.int(0), index);
        let mut kinds: Vec<ExprId> = Vec::new();
        if self.frontiers.is_empty() {
            kinds.extend(self.ends.iter().map(|end| store.and(is_natural, store.lt(index, *end))));
        }
        for frontier in &self.frontiers {
            let is_out = frontier.is_out(store, index);
            kinds.push(is_out);
            let others = self.pointers.iter().map(|pointer| store.not(store.eq(index, *pointer)));
            kinds.extend(others.map(|is_other| store.and(is_out, is_other)));
        }
        kinds
    }

    /// The kinds of elements.
    fn facts(&self, cell: &Cell) -> Vec<ExprId> {
        let store = self.store;
        let arrays = cell.arrays.iter().filter(|array| store.var_sort(array.element) == Sort::Int);
        let arrays: Vec<(VarId, ExprId)> =
            arrays.map(|array| (array.array, store.var_expr(array.element))).take(MAX_ARRAYS).collect();
        let mut constant: Vec<ExprId> = Vec::new();
        let mut facts = Vec::new();
        for (number, (array, element)) in arrays.iter().enumerate() {
            let known = self.constants.iter().filter(|(of, _)| of == array).take(MAX_PARTS);
            let values: Vec<ExprId> = known.map(|(_, literal)| store.eq(*element, *literal)).collect();
            facts.extend(pairs(store, &values));
            constant.extend(values);
            if self.frontiers.is_empty() {
                facts.extend(arrays[..number].iter().map(|(_, other)| store.eq(*element, *other)));
            }
        }
        for frontier in &self.frontiers {
            for (_, element) in &arrays {
                let own = [frontier.is_out(store, *element), frontier.is_out_or_zero(store, *element)];
                let either = constant.iter().flat_map(|value| own.map(|fact| store.or(*value, fact)));
                facts.extend(either.chain(own));
            }
        }
        facts.extend(constant);
        facts
    }
}

impl Frontier {
    /// Whether a term is a multiple of the distance, and not the first one.
    fn is_aligned(&self, store: &Store, term: ExprId) -> ExprId {
        let distance = store.int(self.distance.clone());
        let is_multiple = store.eq(store.modulo(term, distance), store.int(0));
        store.and(is_multiple, store.le(distance, term))
    }

    /// That an address has been allocated.
    fn is_out(&self, store: &Store, term: ExprId) -> ExprId {
        store.and(self.is_aligned(store, term), store.lt(term, self.variable))
    }

    fn is_out_or_zero(&self, store: &Store, term: ExprId) -> ExprId {
        store.or(self.is_out(store, term), store.eq(term, store.int(0)))
    }
}

fn term_of(stmt: &Stmt) -> Option<ExprId> {
    match &stmt.kind {
        StmtKind::Assign(_, term) | StmtKind::Assume(term) => Some(*term),
        StmtKind::Havoc(_) | StmtKind::Seq(_) | StmtKind::Choice(_) => None,
    }
}

/// The disjunctions of two of `formulas`.
fn pairs(store: &Store, formulas: &[ExprId]) -> Vec<ExprId> {
    let pairs = formulas.iter().enumerate();
    let pairs = pairs.flat_map(|(at, left)| formulas[at + 1..].iter().map(|right| store.or(*left, *right)));
    pairs.collect()
}

/// The variables in indices of arrays.
fn pointers(store: &Store, terms: &[ExprId]) -> Vec<ExprId> {
    let accesses = terms.iter().filter(|term| matches!(store.op(**term), Op::Select | Op::Store));
    let vars = store.vars_of(accesses.map(|term| store.arg(*term, 1)));
    let numbers = vars.into_iter().filter(|var| store.var_sort(*var) == Sort::Int).collect::<BTreeSet<_>>();
    numbers.into_iter().map(|var| store.var_expr(var)).take(MAX_PARTS).collect()
}

/// The numbers and variables that `pointers` are compared with.
fn compared(store: &Store, terms: &[ExprId], pointers: &[ExprId]) -> BTreeSet<ExprId> {
    let comparisons = terms.iter().filter(|term| matches!(store.op(**term), Op::Lt | Op::Le | Op::Eq));
    let sides = comparisons.map(|term| [store.arg(*term, 0), store.arg(*term, 1)]);
    let others = sides.flat_map(|[left, right]| [(left, right), (right, left)]);
    let others = others.filter(|(pointer, _)| pointers.contains(pointer)).map(|(_, other)| other);
    others.filter(|other| store.is_literal(*other) || store.as_var(*other).is_some()).collect()
}

/// The constants that are stored in an array or compared with its elements.
fn constants(store: &Store, terms: &[ExprId]) -> Vec<(VarId, ExprId)> {
    let mut constants = BTreeSet::new();
    for term in terms {
        let (array, values) = match store.op(*term) {
            Op::Store => (store.arg(*term, 0), vec![store.arg(*term, 2)]),
            Op::Eq => {
                let sides = [store.arg(*term, 0), store.arg(*term, 1)];
                let Some(read) = sides.iter().find(|side| store.op(**side) == Op::Select) else { continue };
                (store.arg(*read, 0), sides.to_vec())
            }
            _ => continue,
        };
        let literals = values.into_iter().filter(|value| store.is_literal(*value));
        let arrays = store.vars_of([array]);
        let arrays = arrays.into_iter().filter(|var| store.var_sort(*var) == store.sort(array));
        let arrays: Vec<VarId> = arrays.collect();
        constants.extend(literals.flat_map(|literal| arrays.iter().map(move |array| (*array, literal))));
    }
    constants.into_iter().collect()
}

/// `variable` as a frontier, if it is only ever set to a number or increased by one fixed distance.
fn frontier(store: &Store, stmts: &[&Stmt], variable: VarId) -> Option<Frontier> {
    let number = |term| store.value(term)?.as_int().cloned();
    let this = store.var_expr(variable);
    let mut distance: Option<BigInt> = None;
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Havoc(changed) if *changed == variable => return None,
            StmtKind::Assign(changed, term) if *changed == variable => {
                if number(*term).is_some() {
                    continue;
                }
                let args = store.args(*term);
                let grows = store.op(*term) == Op::Add && args.len() == 2 && args[0] == this;
                let step = number(*args.get(1)?).filter(|_| grows)?;
                if distance.get_or_insert_with(|| step.clone()) != &step {
                    return None;
                }
            }
            _ => {}
        }
    }
    let distance = distance.filter(|distance| *distance >= BigInt::from(MIN_DISTANCE))?;
    Some(Frontier { variable: this, distance })
}

/// Equalities of variables that get their value in one place, as an input, with constants; and their negations.
fn conditions(store: &Store, stmts: &[&Stmt], terms: &[ExprId]) -> Vec<ExprId> {
    let changes = |var: VarId, is_input: bool| {
        let changes = stmts.iter().filter(|stmt| match &stmt.kind {
            StmtKind::Havoc(changed) => is_input && *changed == var,
            StmtKind::Assign(changed, _) => !is_input && *changed == var,
            _ => false,
        });
        changes.count()
    };
    let is_input = |term: ExprId| {
        store.as_var(term).is_some_and(|var| changes(var, true) <= 1 && changes(var, false) == 0)
    };
    let equalities = terms.iter().copied().filter(|term| {
        store.op(*term) == Op::Eq
            && is_input(store.arg(*term, 0))
            && matches!(store.value(store.arg(*term, 1)), Some(Value::Int(_)))
    });
    let equalities: Vec<ExprId> = equalities.take(MAX_PARTS).collect();
    equalities.into_iter().flat_map(|equality| [equality, store.not(equality)]).collect()
}
