//! Solver processes: Z3 and Bitwuzla keep the laws, and what a process can do wrong is reported.
#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thetis_base::{Budget, Run, Stop};
use thetis_expr::{ExprId, Sort, Store};
use thetis_smtlib::{HornProcess, SmtlibConfig, SmtlibFactory};
use thetis_solver::{
    Answer, CoreSolver, HornAnswer, HornSolver, HornSystem, QueryLimit, Reason, SolverError, SolverFactory,
};
use thetis_testkit::{TermSorts, laws};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The solver, or none with a note if a file of it is missing.
#[allow(clippy::print_stdout, reason = "a skipped test says so")]
fn installed(name: &str, command: &[&str], needs: &[&str]) -> Option<SmtlibFactory> {
    let missing = needs.iter().find(|file| !root().join(file).exists());
    if let Some(missing) = missing {
        println!("skipped: {name} is not installed ({missing} is missing), run ./setup.sh --all");
        return None;
    }
    let in_root = |part: &&str| match root().join(part) {
        file if file.is_file() => file.to_string_lossy().into_owned(),
        _ => (*part).to_owned(),
    };
    let mut config = SmtlibConfig::new(name, command.iter().map(in_root));
    if name == "bitwuzla" {
        config.logic = "QF_ABV".into();
    }
    Some(SmtlibFactory::new(config))
}

fn z3() -> Option<SmtlibFactory> {
    installed("z3", &["third_party/z3/bin/z3", "-in"], &["third_party/z3/bin/z3"])
}

fn bitwuzla() -> Option<SmtlibFactory> {
    let script = "contrib/bitwuzla-stdio.py";
    installed("bitwuzla", &["python3", script], &[script, "third_party/bitwuzla"])
}

fn cvc5() -> Option<SmtlibFactory> {
    let script = "contrib/cvc5-stdio.py";
    installed("cvc5", &["python3", script], &[script, "third_party/cvc5"])
}

/// A solver that is a shell script.
fn shell(script: &str) -> Result<Box<dyn CoreSolver>, SolverError> {
    SmtlibFactory::new(SmtlibConfig::new("shell", ["sh", "-c", script])).start(&Run::unlimited())
}

fn ask(script: &str) -> Result<&'static str, SolverError> {
    let store = Store::new();
    let mut solver = shell(script)?;
    solver.assert(&store, store.var("b", Sort::Bool))?;
    match solver.check(&store, &[])? {
        Answer::Sat(_) => Ok("sat"),
        Answer::Unsat => Ok("unsat"),
        Answer::Unknown(_) => Ok("unknown"),
    }
}

#[test]
fn z3_keeps_the_laws() {
    if let Some(factory) = z3() {
        laws::solver(&factory, TermSorts::All);
    }
}

#[test]
fn bitwuzla_keeps_the_laws() {
    if let Some(factory) = bitwuzla() {
        laws::solver(&factory, TermSorts::Bits);
    }
}

#[test]
fn cvc5_keeps_the_laws() {
    if let Some(factory) = cvc5() {
        laws::solver(&factory, TermSorts::Bits);
    }
}

#[test]
fn the_evaluator_agrees_with_z3() {
    if let Some(factory) = z3() {
        assert_eq!(laws::evaluator(&factory, TermSorts::All, 7, 500), 0);
    }
}

#[test]
fn the_evaluator_agrees_with_bitwuzla() {
    if let Some(factory) = bitwuzla() {
        // Bitwuzla gives up on most equations with constant arrays.
        let num_undecided = laws::evaluator(&factory, TermSorts::Bits, 8, 500);
        assert!(num_undecided < 200, "{num_undecided} of 500 terms");
    }
}

#[test]
fn the_end_of_a_process_is_reported_with_its_last_words() {
    let died = |words: &str| Err(SolverError::Died(words.into()));
    assert_eq!(ask("echo 'a\n bad end ' >&2; exit 3"), died("bad end"));
    assert_eq!(ask("exit 3"), died("the process ended with exit status: 3"));
    assert_eq!(
        ask("echo '(error \"line 1\")'; cat"),
        Err(SolverError::Protocol("(error \"line 1\")".into()))
    );
    assert_eq!(ask("echo maybe; cat"), Err(SolverError::Protocol("maybe".into())));
    assert_eq!(ask("echo unsupported; echo success; echo unsat; cat"), Ok("unsat"));
}

#[test]
fn a_missing_program_is_reported() {
    let factory = SmtlibFactory::new(SmtlibConfig::new("none", ["/no/such/solver"]));
    assert!(matches!(factory.start(&Run::unlimited()), Err(SolverError::Missing(_))));
}

#[test]
fn a_process_that_hangs_is_killed_in_time() {
    let store = Store::new();
    let formula: ExprId = store.var("b", Sort::Bool);
    let run = Run::unlimited();
    // It ignores signals and has a child that holds its pipes.
    let script = "trap '' TERM INT; sleep 1000 & cat >/dev/null; sleep 1000";
    let factory = SmtlibFactory::new(SmtlibConfig::new("hang", ["sh", "-c", script]));
    let mut solver = factory.start(&run).unwrap();
    solver.set_limit(QueryLimit { time: Some(Duration::from_millis(50)), resources: None });
    let started = Instant::now();
    let Answer::Unknown(reason) = solver.check(&store, &[formula]).unwrap() else { panic!() };
    assert_eq!(reason, Reason::Interrupted);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    run.cancel().request();
    assert!(matches!(solver.check(&store, &[formula]), Ok(Answer::Unknown(Reason::Interrupted))));
}

#[test]
fn a_process_for_clauses_uses_the_cpu_time_of_its_run() {
    let command = ["sh", "-c", "while :; do :; done"].map(str::to_owned).to_vec();
    let run = Run::new(Budget { cpu: Some(Duration::from_secs(1)), ..Budget::default() });
    let system = HornSystem { num_relations: 0, clauses: Vec::new() };
    let answer = HornProcess::new(command, String::new()).solve(&Store::new(), &system, &run);
    assert!(matches!(answer, Ok(HornAnswer::Unknown(_))), "{answer:?}");
    assert!(matches!(run.checkpoint(), Err(Stop::OutOfTime)), "the time of the process counts");
}
