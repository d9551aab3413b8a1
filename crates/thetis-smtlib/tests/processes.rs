//! Solver processes: Z3 and Bitwuzla keep the laws, and what a process can do wrong is reported.
#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap as tests do")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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
    let mut config = SmtlibConfig { reusable: true, ..SmtlibConfig::new(name, command.iter().map(in_root)) };
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
    installed("cvc5", &["third_party/cvc5/cvc5"], &["third_party/cvc5/cvc5"])
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

/// A process that serves several solvers keeps nothing of the ones before: neither assertions nor declarations.
#[test]
fn a_process_that_is_used_again_remembers_nothing() {
    for factory in [z3(), cvc5(), bitwuzla()].into_iter().flatten() {
        for (name, sort) in [("x", Sort::Bool), ("x", Sort::bitvec(8)), ("y", Sort::bitvec(8))] {
            let store = Store::new();
            let x = store.var(name, sort);
            let mut solver = factory.start(&Run::unlimited()).unwrap();
            solver.push().unwrap();
            solver.assert(&store, store.eq(x, x)).unwrap();
            assert!(matches!(solver.check(&store, &[]).unwrap(), Answer::Sat(_)), "{}", factory.name());
            solver.assert(&store, store.boolean(false)).unwrap();
            assert!(matches!(solver.check(&store, &[]).unwrap(), Answer::Unsat), "{}", factory.name());
        }
    }
}

/// The driver of cvc5 sees to that itself; other solvers are started by `thetis launch`.
#[test]
fn cvc5_ends_with_its_parent() {
    if cvc5().is_none() {
        return;
    }
    let program = root().join("third_party/cvc5/cvc5");
    let script = format!("exec 3<&0; '{}' <&3 & echo $!; wait", program.display());
    let mut shell = Command::new("sh")
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The input stays open whatever happens to the shell.
    let input = shell.stdin.take();
    let mut line = String::new();
    BufReader::new(shell.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let status = Path::new("/proc").join(line.trim()).join("status");
    // A process that has ended stays in the table until somebody waits for it.
    let is_running = || std::fs::read_to_string(&status).is_ok_and(|text| !text.contains("State:\tZ"));
    let becomes = |wanted: bool, is: &dyn Fn() -> bool| {
        let start = Instant::now();
        while is() != wanted && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(10));
        }
        is() == wanted
    };
    let is_cvc5 = || std::fs::read_to_string(&status).is_ok_and(|text| text.starts_with("Name:\tcvc5"));
    assert!(becomes(true, &is_cvc5));
    // The driver has its first statement behind it when it waits for input.
    let waits = || std::fs::read_to_string(&status).is_ok_and(|text| text.contains("State:\tS"));
    assert!(becomes(true, &waits));
    shell.kill().unwrap();
    shell.wait().unwrap();
    assert!(becomes(false, &is_running));
    drop(input);
}

/// Announcing a question changes no answer, whatever is asked afterwards.
#[test]
fn announced_questions_are_answered_in_their_order() {
    for factory in [z3(), cvc5(), bitwuzla()].into_iter().flatten() {
        let store = Store::new();
        let (x, b) = (store.var("x", Sort::bitvec(8)), store.var("b", Sort::Bool));
        let is = |number: u8| store.eq(x, store.bits(8, number));
        let mut solver = factory.start(&Run::unlimited()).unwrap();
        let mut ask = |announced: Option<&[ExprId]>, asserted: Option<ExprId>, asked: &[ExprId]| {
            announced.map_or(Ok(()), |question| solver.announce(&store, question)).unwrap();
            asserted.map_or(Ok(()), |formula| solver.assert(&store, formula)).unwrap();
            match solver.check(&store, asked).unwrap() {
                Answer::Sat(_) => true,
                Answer::Unsat => false,
                Answer::Unknown(reason) => panic!("{}: {reason}", factory.name()),
            }
        };
        let contradiction = [is(1), is(2)];
        assert!(!ask(Some(&contradiction), None, &contradiction));
        assert!(ask(Some(&contradiction), None, &[is(1)]));
        assert!(ask(Some(&[b]), Some(is(3)), &[b]));
        assert!(!ask(Some(&[]), None, &[is(1)]));
        assert!(ask(Some(&[is(3)]), None, &[is(3)]));
        assert!(!ask(Some(&[]), Some(is(4)), &[]));
    }
}

/// The shell script answers `(reset)` too, which gives away that it is used again.
#[test]
fn processes_are_used_again_only_if_that_is_configured() {
    let once = "while read line; do case $line in *reset*) echo unsat;; *check-sat*) echo sat;; esac; done";
    for (reusable, second) in [(false, "sat"), (true, "unsat")] {
        let config = SmtlibConfig { reusable, ..SmtlibConfig::new("shell", ["sh", "-c", once]) };
        let factory = SmtlibFactory::new(config);
        let mut answers = Vec::new();
        for _ in 0..2 {
            let store = Store::new();
            let mut solver = factory.start(&Run::unlimited()).unwrap();
            let answer = match solver.check(&store, &[]).unwrap() {
                Answer::Sat(_) => "sat",
                Answer::Unsat => "unsat",
                Answer::Unknown(_) => "unknown",
            };
            answers.push(answer);
        }
        assert_eq!(answers, ["sat", second]);
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
