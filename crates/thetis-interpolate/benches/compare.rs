//! How many infeasible paths each interpolator explains, how long it takes, and how large its formulas are.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool that prints a table")]

#[path = "../tests/paths/mod.rs"]
mod paths;

use std::rc::Rc;
use std::time::{Duration, Instant};

use paths::{Numbers, Path, paths};
use thetis_base::Run;
use thetis_expr::{ExprId, Store};
use thetis_ice::{IceChains, IceConfig};
use thetis_interpolate::{
    AtHeads, Clauses, Direction, Farkas, Feasibility, Newton, Shortcuts, Unrolled, Vocabulary, slice, verify,
};
use thetis_solver::{Chain, CoreSolver, Interpolator, SolverFactory};
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

fn solver() -> Box<dyn CoreSolver> {
    Z3Factory::default().start(&Run::unlimited()).unwrap()
}

fn newton(direction: Direction, vocabulary: Vocabulary) -> Newton {
    let eliminator = Rc::new(Shortcuts::new(Rc::new(Z3Eliminator)));
    Newton::new(direction, vocabulary, solver(), eliminator)
}

fn interpolators() -> Vec<Box<dyn Interpolator>> {
    let filler = newton(Direction::Backward, Vocabulary::All);
    vec![
        Box::new(newton(Direction::Backward, Vocabulary::All)),
        Box::new(newton(Direction::Backward, Vocabulary::Live)),
        Box::new(newton(Direction::Forward, Vocabulary::All)),
        Box::new(newton(Direction::Forward, Vocabulary::Live)),
        Box::new(AtHeads::new(Z3Horn::new(Duration::from_secs(3)), solver(), filler)),
        Box::new(Farkas::default()),
        Box::new(Clauses::new(solver())),
        Box::new(IceChains::new(
            IceConfig { max_iterations: 100, ..IceConfig::default() },
            Rc::new(Z3Factory::default()),
        )),
    ]
}

fn minimal(store: &Store, chain: &Chain) -> Chain {
    let unrolled = Unrolled::new(store, chain);
    match unrolled.check(store, &mut *solver(), |_| Ok(()), &Run::unlimited()).unwrap() {
        Feasibility::Infeasible(core) => slice(store, chain, &core),
        _ => panic!("the path should be infeasible"),
    }
}

/// The figures of one interpolator on paths of one kind.
#[derive(Default)]
struct Row {
    asked: usize,
    solved: usize,
    rejected: usize,
    time: Duration,
    largest: usize,
    distinct: usize,
    unsolved: Vec<String>,
}

fn measure(store: &Store, interpolator: &mut dyn Interpolator, paths: &[&Path]) -> Row {
    let mut row = Row::default();
    for path in paths {
        let chain = minimal(store, &path.chain);
        row.asked += 1;
        let start = Instant::now();
        let found = interpolator.interpolate(store, &chain, &Run::unlimited()).unwrap();
        let time = start.elapsed();
        let Some(formulas) = found else {
            row.unsolved.push(path.name.clone());
            continue;
        };
        if verify(store, &chain, &formulas, &mut *solver(), &Run::unlimited()).unwrap() {
            row.solved += 1;
            row.time += time;
            row.largest =
                row.largest.max(formulas.iter().map(|formula| store.size(*formula)).max().unwrap_or(0));
            let mut distinct: Vec<ExprId> = formulas;
            distinct.sort();
            distinct.dedup();
            row.distinct += distinct.len();
        } else {
            row.rejected += 1;
        }
    }
    row
}

fn main() {
    let store = Store::new();
    let all = paths(&store, &[1, 4, 12]);
    println!(
        "| interpolator | numbers | solved | rejected | time of solved | largest formula | distinct formulas a path |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for mut interpolator in interpolators() {
        for (numbers, word) in [(Numbers::Integers, "integers"), (Numbers::Bits, "bit-vectors")] {
            let paths: Vec<&Path> = all.iter().filter(|path| path.numbers == numbers).collect();
            let row = measure(&store, &mut *interpolator, &paths);
            let distinct = row.distinct as f64 / row.solved.max(1) as f64;
            println!(
                "| `{}` | {word} | {} of {} | {} | {:.2} s | {} | {distinct:.1} | {} |",
                interpolator.name(),
                row.solved,
                row.asked,
                row.rejected,
                row.time.as_secs_f64(),
                row.largest,
                row.unsolved.join(" "),
            );
        }
    }
}
