//! The pass `scalars`: memory that is used cell by cell becomes variables, and evidence comes home.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::collections::BTreeMap;

use thetis_base::Run;
use thetis_bounded::{Bmc, BmcConfig, Kind, KindConfig};
use thetis_engine::{Engine, Through};
use thetis_expr::{ExprId, Sort, Store, Substitution, VarId};
use thetis_model::cfa::{Cfa, Ranges, Scalars, Slice, Stmt, StmtKind};
use thetis_model::{Chain, Pass, Reason, Task, Verdict};
use thetis_testkit::cfa::{Shape, explore, parse, random_cfa};

use common::{certified, solvers};

const MAX_BOUND: u32 = 4;

fn passes() -> Chain<Cfa> {
    Chain::new(vec![Box::new(Ranges), Box::new(Scalars), Box::new(Slice)])
}

fn engines() -> [Box<dyn Engine<Cfa>>; 2] {
    let bmc = Bmc::new(BmcConfig { max_bound: MAX_BOUND, ..BmcConfig::default() }, solvers());
    let kind = Kind::new(KindConfig { max_k: MAX_BOUND, ..KindConfig::default() }, solvers());
    [Box::new(Through::new(passes(), bmc)), Box::new(Through::new(passes(), kind))]
}

/// How many arrays the pass leaves.
fn arrays_left(task: &Task<Cfa>) -> usize {
    let replaced = passes().apply(task.clone(), &Run::unlimited()).unwrap().task;
    let is_array = |var: &&VarId| matches!(replaced.store.var_sort(**var), Sort::Array(_));
    replaced.model.vars.iter().filter(is_array).count()
}

fn has_arrays(task: &Task<Cfa>) -> bool {
    task.model.vars.iter().any(|var| matches!(task.store.var_sort(*var), Sort::Array(_)))
}

/// The variables of an automaton as cells of memory, reached by a pointer that is itself in memory.
struct Packing<'t> {
    store: &'t Store,
    pointers: VarId,
    /// For each variable the array, the index, and a variable for its inputs.
    cells: BTreeMap<VarId, (VarId, ExprId, VarId)>,
    reads: Substitution,
}

impl<'t> Packing<'t> {
    fn new(task: &'t Task<Cfa>) -> Packing<'t> {
        let store = &task.store;
        let pointers = store.declare("pointers", store.array_sort(Sort::Int, Sort::Int));
        let base = store.select(store.var_expr(pointers), store.int(7));
        let (mut cells, mut reads) = (BTreeMap::new(), Substitution::new());
        for (number, var) in task.model.vars.iter().enumerate() {
            let sort = store.var_sort(*var);
            let memory = store.declare(&format!("memory of {sort:?}"), store.array_sort(Sort::Int, sort));
            let input = store.declare(&format!("input of {sort:?}"), sort);
            let index = store.add(base, store.int(i64::try_from(number).unwrap()));
            reads.insert(store, *var, store.select(store.var_expr(memory), index));
            cells.insert(*var, (memory, index, input));
        }
        Packing { store, pointers, cells, reads }
    }

    fn task(&self, task: &Task<Cfa>) -> Task<Cfa> {
        let mut cfa = task.model.clone();
        for edge in cfa.edges.iter_mut() {
            let mut stmts = if edge.source == cfa.initial { self.start() } else { Vec::new() };
            stmts.push(self.stmt(&edge.stmt));
            edge.stmt = Stmt::seq(stmts);
        }
        let memories = self.cells.values().flat_map(|(memory, _, input)| [*memory, *input]);
        cfa.vars = memories.chain([self.pointers]).collect();
        cfa.vars.sort_unstable();
        cfa.vars.dedup();
        Task { store: task.store.clone(), model: cfa, property: task.property.clone() }
    }

    fn start(&self) -> Vec<Stmt> {
        let store = self.store;
        let address = store.store(store.var_expr(self.pointers), store.int(7), store.int(100));
        let memories = self.cells.values().map(|(memory, ..)| Stmt::havoc(*memory));
        memories.chain([Stmt::assign(self.pointers, address)]).collect()
    }

    fn stmt(&self, stmt: &Stmt) -> Stmt {
        let store = self.store;
        let write = |var: &VarId, element: ExprId| {
            let (memory, index, _) = self.cells[var];
            Stmt::assign(memory, store.store(store.var_expr(memory), index, element))
        };
        match &stmt.kind {
            StmtKind::Assign(var, expr) => write(var, self.reads.apply(store, *expr)),
            StmtKind::Assume(formula) => Stmt::assume(self.reads.apply(store, *formula)),
            StmtKind::Havoc(var) => {
                let (.., input) = self.cells[var];
                Stmt::seq(vec![Stmt::havoc(input), write(var, store.var_expr(input))])
            }
            StmtKind::Seq(stmts) => Stmt::seq(stmts.iter().map(|stmt| self.stmt(stmt)).collect()),
            StmtKind::Choice(stmts) => Stmt::choice(stmts.iter().map(|stmt| self.stmt(stmt)).collect()),
        }
    }
}

#[test]
fn memory_of_random_automata_becomes_variables() {
    let (mut num_proofs, mut num_runs) = (0, 0);
    for seed in 2000..2080 {
        let task = random_cfa(seed, Shape { max_depth: 1, ..Shape::default() });
        // Arrays as elements stay.
        if has_arrays(&task) {
            continue;
        }
        let is_unsafe = explore(&task).least_bound.is_some();
        let packed = Packing::new(&task).task(&task);
        assert_eq!(arrays_left(&packed), 0, "seed {seed}");
        for mut engine in engines() {
            match certified(&mut *engine, &packed) {
                Verdict::Safe(_) => {
                    assert!(!is_unsafe, "seed {seed}");
                    num_proofs += 1;
                }
                Verdict::Unsafe(_) => {
                    assert!(is_unsafe, "seed {seed}");
                    num_runs += 1;
                }
                Verdict::Unknown(Reason::Bound(_)) => {}
                Verdict::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
            }
        }
    }
    assert!(num_proofs > 30 && num_runs > 30, "{num_proofs} proofs and {num_runs} runs by two engines");
}

/// A loop around assignments and an assumption that leads to the error location.
fn around(body: &str, wrong: &str) -> Task<Cfa> {
    parse(&format!(
        "main process p {{
            var a : [int] -> int
            var b : [int] -> int
            var i : int
            init loc start
            loc head
            error loc wrong
            start -> head {{ a := a[3 <- 1] b := b[3 <- 1] i := 3 }}
            head -> head {{ {body} }}
            head -> wrong {{ assume {wrong} }}
        }}"
    ))
}

#[test]
fn arrays_with_other_uses_stay() {
    assert_eq!(arrays_left(&around("a := a[3 <- b[3]]", "a[3] = 0")), 0);
    // An address that ranges know.
    assert_eq!(arrays_left(&around("a := a[i + 1 <- 5]", "a[i] = 0")), 0);
    // Arrays as a whole, and addresses that are not known.
    assert_eq!(arrays_left(&around("a := b", "a[3] = 0")), 2);
    assert_eq!(arrays_left(&around("i := a[3]", "a = b")), 2);
    assert_eq!(arrays_left(&around("havoc i", "a[i] = b[3]")), 1);
    // One cell is needed for another one that is written at the same time.
    assert_eq!(arrays_left(&around("a := a[3 <- a[4]][4 <- a[3]]", "a[3] = 0")), 1);
    assert_eq!(arrays_left(&around("a := a[3 <- b[4]][4 <- b[3]]", "a[3] = 0")), 0);
}

#[test]
fn values_of_cells_are_those_of_the_array() {
    let safe = |body: &str, wrong: &str| {
        let task = around(body, wrong);
        engines().map(|mut engine| match certified(&mut *engine, &task) {
            Verdict::Safe(_) => Some(true),
            Verdict::Unsafe(_) => Some(false),
            Verdict::Unknown(_) => None,
        })
    };
    // Bounded model checking alone knows no end of the loop.
    assert_eq!(safe("a := a[3 <- b[3]] b := b[3 <- a[3]]", "a[3] /= 1")[1], Some(true));
    assert_eq!(safe("a := a[3 <- 1][4 <- 2][3 <- 1]", "a[3] = 2")[1], Some(true));
    assert_eq!(safe("havoc a", "a[3] = 2 and a[4] = 7"), [Some(false); 2]);
    assert_eq!(safe("havoc a a := a[3 <- 1]", "a[3] = 1 and a[4] = 7 and b[9] = 8"), [Some(false); 2]);
    assert_eq!(safe("a := a[3 <- 1][3 <- 2]", "a[3] = 2"), [Some(false); 2]);
}
