//! What a recorded solver counts, and that its log replays.
#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use thetis_base::{Run, Statistic};
use thetis_expr::Store;
use thetis_solver::{Answer, CoreAnswer, QueryLog, RecordedFactory, SolverFactory};
use thetis_testkit::{Random, TermSorts, Terms};
use thetis_z3::Z3Factory;

#[derive(Clone, Default)]
struct Text(Arc<Mutex<Vec<u8>>>);

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Pushes, pops, asserts and asks at random.
fn use_at_random(factory: &RecordedFactory, seed: u64) -> u64 {
    let store = Store::new();
    let terms = Terms::new(&store, TermSorts::All);
    let (mut random, mut num_scopes, mut num_queries) = (Random::new(seed), 0, 0);
    let mut solver = factory.start(&Run::unlimited()).unwrap();
    for _ in 0..150 {
        match random.below(6) {
            0 => {
                solver.push().unwrap();
                num_scopes += 1;
            }
            1 if num_scopes > 0 => {
                solver.pop().unwrap();
                num_scopes -= 1;
            }
            2 => solver.assert(&store, terms.formula(&mut random, 1)).unwrap(),
            3 => {
                let assumptions = [terms.formula(&mut random, 1), terms.formula(&mut random, 0)];
                drop::<CoreAnswer<'_>>(solver.check_core(&store, &assumptions).unwrap());
                num_queries += 1;
            }
            _ => {
                let assumption = terms.formula(&mut random, 1);
                drop::<Answer<'_>>(solver.check(&store, &[assumption]).unwrap());
                num_queries += 1;
            }
        }
    }
    num_queries
}

/// The lines that Z3 prints for a script; none if it is not installed.
#[allow(clippy::print_stdout, reason = "a skipped test says so")]
fn replay(script: &str) -> Option<Vec<String>> {
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../third_party/z3/bin/z3");
    if !z3.exists() {
        println!("skipped: {} is missing, run ./setup.sh", z3.display());
        return None;
    }
    let mut process =
        Command::new(z3).arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    let script = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()).unwrap());
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap();
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

#[test]
fn queries_are_counted_and_the_log_replays() {
    for seed in 0..5 {
        let text = Text::default();
        let sink = text.clone();
        let factory = RecordedFactory::new(Rc::new(Z3Factory::default()))
            .with_logs(Box::new(move |_| QueryLog::new(Box::new(sink.clone()))));
        let num_queries = use_at_random(&factory, seed);
        let statistics = factory.statistics();
        assert_eq!(statistics.name, "solver-z3");
        assert!(statistics.entries.contains(&("queries".into(), Statistic::Count(num_queries))));

        let script = String::from_utf8(text.0.lock().unwrap().clone()).unwrap();
        let recorded: Vec<&str> = script.lines().filter_map(|line| line.strip_prefix("; answer: ")).collect();
        assert_eq!(recorded.len() as u64, num_queries);
        if let Some(replayed) = replay(&script) {
            assert_eq!(replayed, recorded, "seed {seed}");
        }
    }
}
