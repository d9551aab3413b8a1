//! The code of an automaton.

use std::collections::BTreeSet;

use thetis_base::IndexVec;
use thetis_expr::{Sort, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, EdgeId, Graph, LocId, Stmt, StmtKind};

use super::code::{Compiler, Operation, Register};
use super::word::Word;

/// An edge that was taken, with everything that was chosen on it.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) edge: EdgeId,
    pub(crate) inputs: Vec<(Register, Word)>,
    pub(crate) choices: Vec<usize>,
}

/// An automaton ready to run.
pub(crate) struct Program<'t> {
    store: &'t Store,
    cfa: &'t Cfa,
    graph: Graph,
    code: IndexVec<EdgeId, Vec<Operation>>,
    locations: IndexVec<LocId, LocationKind>,
    constants: Vec<Word>,
    num_registers: usize,
}

/// What is known about the edges that leave a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LocationKind {
    /// At most one can be taken.
    Exclusive,
    /// Several might be.
    Open,
    /// On some there is something to choose.
    Inputs,
}

impl<'t> Program<'t> {
    pub(crate) fn new(task: &'t Task<Cfa>) -> Program<'t> {
        Program::with_limits(task, &BTreeSet::new())
    }

    /// A program whose code says where one of the variables `by_value` is limited to a small range.
    pub(crate) fn with_limits(task: &'t Task<Cfa>, by_value: &BTreeSet<VarId>) -> Program<'t> {
        let (store, cfa) = (&task.store, &task.model);
        let graph = Graph::towards_errors(cfa);
        let mut compiler = Compiler::new(store, cfa.vars.iter().copied(), by_value);
        let mut code: IndexVec<EdgeId, Vec<Operation>> =
            cfa.edges.iter().map(|edge| compiler.stmt(&edge.stmt)).collect();
        code.iter_mut().for_each(|code| compiler.finish(code));
        let kind = |location| {
            let stmts: Vec<&Stmt> =
                graph.outgoing(location).iter().map(|edge| &cfa.edges[*edge].stmt).collect();
            LocationKind::of(store, &stmts)
        };
        let locations = cfa.locations.indices().map(kind).collect();
        let num_registers = compiler.num_registers();
        Program { store, cfa, graph, code, locations, constants: compiler.constants, num_registers }
    }

    /// The registers before anything has happened.
    pub(crate) fn registers(&self) -> Vec<Word> {
        let mut registers = vec![Word::Small(0); self.num_registers];
        let first = self.num_variables();
        registers[first..first + self.constants.len()].clone_from_slice(&self.constants);
        registers
    }

    pub(crate) fn store(&self) -> &'t Store {
        self.store
    }

    pub(crate) fn initial(&self) -> LocId {
        self.cfa.initial
    }

    pub(crate) fn num_variables(&self) -> usize {
        self.cfa.vars.len()
    }

    /// The sorts of the variables.
    pub(crate) fn sorts(&self) -> impl Iterator<Item = Sort> {
        self.cfa.vars.iter().map(|var| self.store.var_sort(*var))
    }

    pub(crate) fn code(&self, edge: EdgeId) -> &[Operation] {
        &self.code[edge]
    }

    /// The automaton that runs.
    pub(crate) fn cfa(&self) -> &'t Cfa {
        self.cfa
    }

    /// The edges from `location` that can lead to an error location.
    pub(crate) fn outgoing(&self, location: LocId) -> &[EdgeId] {
        self.graph.outgoing(location)
    }

    pub(crate) fn target(&self, edge: EdgeId) -> LocId {
        self.cfa.edges[edge].target
    }

    pub(crate) fn is_error(&self, location: LocId) -> bool {
        self.cfa.is_error(location)
    }

    pub(super) fn has_inputs(&self, location: LocId) -> bool {
        self.locations[location] == LocationKind::Inputs
    }

    pub(super) fn is_exclusive(&self, location: LocId) -> bool {
        self.locations[location] == LocationKind::Exclusive
    }

    /// The variable that `edge` asks a value for before anything else is chosen on it.
    pub(crate) fn first_input(&self, edge: EdgeId) -> Option<usize> {
        let choice =
            self.code[edge].iter().find(|part| matches!(part, Operation::Havoc(_) | Operation::Choice(_)));
        match choice {
            Some(Operation::Havoc(variable)) => Some(*variable as usize),
            _ => None,
        }
    }

    /// Whether something has to be chosen on `edge`.
    pub(crate) fn is_input(&self, edge: EdgeId) -> bool {
        self.code[edge].iter().any(|part| matches!(part, Operation::Havoc(_) | Operation::Choice(_)))
    }

    /// The step of a run that `taken` is.
    pub(crate) fn step(&self, taken: &Move) -> CfaStep {
        let value = |(variable, word): &(Register, Word)| {
            word.value(self.store, self.store.var_sort(self.cfa.vars[*variable as usize]))
        };
        CfaStep {
            edge: taken.edge,
            inputs: taken.inputs.iter().map(value).collect(),
            choices: taken.choices.clone(),
        }
    }
}

impl LocationKind {
    fn of(store: &Store, stmts: &[&Stmt]) -> LocationKind {
        let is_input = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Havoc(_) | StmtKind::Choice(_));
        if stmts.iter().any(|stmt| stmt.walk().any(is_input)) {
            return LocationKind::Inputs;
        }
        match stmts {
            [] | [_] => LocationKind::Exclusive,
            [left, right] => match (left.condition(), right.condition()) {
                (Some(left), Some(right)) if store.not(left) == right => LocationKind::Exclusive,
                _ => LocationKind::Open,
            },
            _ => LocationKind::Open,
        }
    }
}
