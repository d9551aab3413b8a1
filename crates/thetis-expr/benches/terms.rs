//! Speed of the term layer: constructions, substitution, evaluation, text. `cargo bench -p thetis-expr`.

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use thetis_expr::simplify::Simplifier;
use thetis_expr::smtlib::{Declared, Dialect, parse_term, print_term};
use thetis_expr::{ExprId, Sort, Store, Substitution, Value, VarId, evaluate, infix};

const STEPS: u32 = 20_000;
/// Constructor calls per step of [`path`].
const CALLS_PER_STEP: u32 = 8;

#[allow(clippy::print_stdout, reason = "the size of a node is a result of the benchmark")]
fn main() {
    let store = Store::new();
    path(&store);
    let bytes = store.bytes_of_terms() as f64 / store.num_terms() as f64;
    println!("bytes per node: {bytes:.1} ({} nodes)", store.num_terms());
    divan::main();
}

/// Formulas as an unrolling makes them: per step `x + i <= y and (c = 0 or not b bvult d)`, and the conjunction with
/// what was before. Literals and variables are made outside, as engines do.
fn path(store: &Store) -> ExprId {
    let leaves = Leaves::new(store);
    path_over(store, &leaves)
}

struct Leaves {
    x: ExprId,
    y: ExprId,
    b: ExprId,
    steps: Vec<(ExprId, ExprId)>,
}

impl Leaves {
    fn new(store: &Store) -> Leaves {
        Leaves {
            x: store.var("x", Sort::Int),
            y: store.var("y", Sort::Int),
            b: store.var("b", Sort::bitvec(32)),
            steps: (0..STEPS).map(|step| (store.int(step), store.bits(32, step))).collect(),
        }
    }
}

fn path_over(store: &Store, leaves: &Leaves) -> ExprId {
    let Leaves { x, y, b, ref steps } = *leaves;
    let mut path = store.tru();
    for &(number, bits) in steps {
        let bound = store.le(store.add(x, number), y);
        let choice = store.or(store.eq(x, number), store.not(store.bv_ult(b, bits)));
        path = store.and(path, store.and(bound, choice));
    }
    path
}

#[divan::bench(sample_count = 30)]
fn construct_new(bencher: Bencher<'_, '_>) {
    let prepare = || {
        let store = Store::new();
        let leaves = Leaves::new(&store);
        (store, leaves)
    };
    bencher
        .counter(ItemsCount::new(STEPS * CALLS_PER_STEP))
        .with_inputs(prepare)
        .bench_refs(|(store, leaves)| black_box(path_over(store, leaves)));
}

#[divan::bench(sample_count = 30)]
fn construct_present(bencher: Bencher<'_, '_>) {
    let store = Store::new();
    let leaves = Leaves::new(&store);
    path_over(&store, &leaves);
    bencher.counter(ItemsCount::new(STEPS * CALLS_PER_STEP)).bench_local(|| path_over(&store, &leaves));
}

#[divan::bench(sample_count = 30)]
fn literals_present(bencher: Bencher<'_, '_>) {
    let store = Store::new();
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| {
        for number in 0..STEPS {
            black_box(store.int(number));
        }
    });
}

#[divan::bench(sample_count = 30)]
fn substitute(bencher: Bencher<'_, '_>) {
    let store = Store::new();
    let path = path(&store);
    let mut renaming = Substitution::new();
    renaming.insert(&store, store.declare("x", Sort::Int), store.var("z", Sort::Int));
    bencher.counter(ItemsCount::new(store.size(path))).bench_local(|| renaming.apply(&store, path));
}

#[divan::bench(sample_count = 30)]
fn evaluate_path(bencher: Bencher<'_, '_>) {
    let store = Store::new();
    let path = path(&store);
    let zero = |var: VarId| match store.var_sort(var) {
        Sort::Int => Some(Value::int(0)),
        _ => store.value(store.bits(32, 0u32)),
    };
    bencher.counter(ItemsCount::new(store.size(path))).bench_local(|| evaluate(&store, path, &zero));
}

#[divan::bench(sample_count = 30)]
fn simplify_path(bencher: Bencher<'_, '_>) {
    let store = Store::new();
    let path = path(&store);
    bencher
        .counter(ItemsCount::new(store.size(path)))
        .bench_local(|| Simplifier::new().simplify(&store, path));
}

#[divan::bench(sample_count = 30)]
fn print_smtlib(bencher: Bencher<'_, '_>) {
    let store = Store::new();
    let path = path(&store);
    let length = print_term(&store, path, Dialect::Standard).len();
    bencher.counter(BytesCount::new(length)).bench_local(|| print_term(&store, path, Dialect::Standard));
}

#[divan::bench(sample_count = 30)]
fn parse_smtlib(bencher: Bencher<'_, '_>) {
    let store = Store::new();
    let text = print_term(&store, path(&store), Dialect::Standard);
    bencher.counter(BytesCount::new(text.len())).bench_local(|| parse_term(&store, &text, &Declared));
}

#[divan::bench(sample_count = 30)]
fn print_infix(bencher: Bencher<'_, '_>) {
    let store = Store::new();
    let path = path(&store);
    let length = infix::print(&store, path).len();
    bencher.counter(BytesCount::new(length)).bench_local(|| infix::print(&store, path));
}
