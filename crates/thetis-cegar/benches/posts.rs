//! How many solver queries an abstract post needs, with all measures that save queries and without each of them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool that prints a table")]

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use thetis_base::{Diagnostics, Run, SourceMap, Statistic};
use thetis_cegar::abstractor::{StopAt, explore};
use thetis_cegar::analysis::Domain;
use thetis_cegar::arg::Arg;
use thetis_cegar::domain::cubes::{Combination, Cubes};
use thetis_cegar::domain::oracle::Shortcuts;
use thetis_cegar::domain::predicates::{PredicateTable, Predicates};
use thetis_cegar::located::{Located, Precisions};
use thetis_cegar::program::Program;
use thetis_cegar::{Cegar, CegarConfig, CegarTools, DomainKind, Granularity, SearchOrder};
use thetis_engine::Engine;
use thetis_expr::ExprId;
use thetis_model::Task;
use thetis_model::cfa::Cfa;
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

/// A program with `locks` locks, each taken and released under its own condition.
fn locks(locks: usize) -> String {
    let each = |text: fn(usize) -> String| (0..locks).map(text).collect::<Vec<_>>().join(" ");
    let mut text = format!("main process locks {{ {}", each(|i| format!("var p{i} : int var k{i} : int")));
    text += &format!(
        " init loc start loc head {} error loc bad",
        each(|i| format!("loc c{i} loc d{i} loc u{i}"))
    );
    text += &format!(" start -> head {{ {} }}", each(|i| format!("k{i} := 0")));
    text += &format!(" head -> c0 {{ {} }}", each(|i| format!("havoc p{i} k{i} := 0")));
    for i in 0..locks {
        let next = if i + 1 < locks { format!("c{}", i + 1) } else { "d0".into() };
        text +=
            &format!(" c{i} -> {next} {{ assume p{i} /= 0 k{i} := 1 }} c{i} -> {next} {{ assume p{i} = 0 }}");
        let next = if i + 1 < locks { format!("d{}", i + 1) } else { "head".into() };
        text += &format!(" d{i} -> u{i} {{ assume p{i} /= 0 }} u{i} -> bad {{ assume k{i} /= 1 }}");
        text +=
            &format!(" u{i} -> {next} {{ assume k{i} = 1 k{i} := 0 }} d{i} -> {next} {{ assume p{i} = 0 }}");
    }
    text + " }"
}

fn parse(text: &str) -> Task<Cfa> {
    let mut sources = SourceMap::new();
    let file = sources.add("bench.cfa", text);
    thetis_text::cfa::parse(&sources, file, &mut Diagnostics::new()).unwrap()
}

fn tasks() -> Vec<(String, Task<Cfa>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models");
    let file = |name: &str| std::fs::read_to_string(format!("{folder}/{name}.cfa")).unwrap();
    let models = ["flip.safe", "nested.safe", "lock.safe", "states.safe", "diamonds.safe"];
    let mut tasks: Vec<(String, Task<Cfa>)> =
        models.iter().map(|name| ((*name).to_owned(), parse(&file(name)))).collect();
    tasks.extend([4, 7].map(|number| (format!("locks-{number}"), parse(&locks(number)))));
    tasks
}

/// The predicates that prove the task.
fn predicates(task: &Task<Cfa>) -> Vec<ExprId> {
    let config = CegarConfig {
        domain: DomainKind::PredCart,
        precision: Granularity::Global,
        ..CegarConfig::default()
    };
    let tools = CegarTools {
        solvers: Rc::new(Z3Factory::default()),
        eliminator: Rc::new(Z3Eliminator),
        horn: Rc::new(|| Box::new(Z3Horn::default())),
        ice: Default::default(),
    };
    let mut engine = Cegar::new(config, tools);
    engine.check(task, &Run::unlimited()).unwrap();
    let facts = engine.facts(task, &Run::unlimited()).unwrap();
    facts.tracked.everywhere.predicates.into_iter().collect()
}

/// Posts, queries and seconds of building the graph twice with fixed predicates: the second time stands for the rounds
/// of refinement that leave most of the graph as it is.
fn measure(task: &Task<Cfa>, formulas: &[ExprId], shortcuts: Shortcuts) -> (u64, u64, f64) {
    let run = Run::unlimited();
    let table = Rc::new(RefCell::new(PredicateTable::default()));
    let precision: Predicates =
        formulas.iter().filter_map(|formula| table.borrow_mut().add(&task.store, *formula)).collect();
    let cubes = Cubes::new(&task.store, Combination::Cartesian, table, &Z3Factory::default(), &run);
    let domain = cubes.unwrap().with_shortcuts(shortcuts);
    let mut analysis = Located::new(task, Rc::new(Program::new(task)), domain, Predicates::new());
    let precision = Precisions::Global(precision);
    let start = Instant::now();
    for _ in 0..2 {
        let mut arg = Arg::default();
        explore(&mut analysis, &mut arg, &precision, SearchOrder::Err, StopAt::All, &run).unwrap();
    }
    let seconds = start.elapsed().as_secs_f64();
    let posts = analysis.domain().statistics().entries.into_iter().find(|(name, _)| name == "posts");
    let Some((_, Statistic::Count(posts))) = posts else { panic!("posts should be counted") };
    (posts, analysis.domain().num_queries(), seconds)
}

fn main() {
    let all = Shortcuts::default();
    let without = [
        ("all", all),
        ("no folding", Shortcuts { folding: false, ..all }),
        ("no slicing", Shortcuts { slicing: false, ..all }),
        ("no models", Shortcuts { models: false, ..all }),
        ("no memory", Shortcuts { memory: false, ..all }),
        ("no switches", Shortcuts { switches: false, ..all }),
        ("none", Shortcuts { folding: false, slicing: false, models: false, memory: false, switches: false }),
    ];
    let names: Vec<&str> = without.iter().map(|(name, _)| *name).collect();
    println!("| task | predicates | posts | {} |", names.join(" | "));
    println!("| --- | --- | --- |{}", " --- |".repeat(without.len()));
    for (name, task) in tasks() {
        let formulas = predicates(&task);
        let mut num_posts = 0;
        let cells = without.map(|(_, shortcuts)| {
            let (posts, queries, seconds) = measure(&task, &formulas, shortcuts);
            num_posts = posts;
            format!("{queries} ({seconds:.2} s)")
        });
        println!("| `{name}` | {} | {num_posts} | {} |", formulas.len(), cells.join(" | "));
    }
}
