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
    Answer, BareAnswer, CoreSolver, HornAnswer, HornSolver, HornSystem, QueryLimit, Reason, SolverError,
    SolverFactory,
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
    // The driver has executed its first statement when it waits for input.
    let waits = || std::fs::read_to_string(&status).is_ok_and(|text| text.contains("State:\tS"));
    assert!(becomes(true, &waits));
    shell.kill().unwrap();
    shell.wait().unwrap();
    assert!(becomes(false, &is_running));
    drop(input);
}

/// Questions that were asked ahead keep their answers, whatever is asserted and asked afterwards.
#[test]
fn questions_ahead_are_answered_in_any_order() {
    for factory in [z3(), cvc5(), bitwuzla()].into_iter().flatten() {
        let store = Store::new();
        let (x, b) = (store.var("x", Sort::bitvec(8)), store.var("b", Sort::Bool));
        let is = |number: u8| store.eq(x, store.bits(8, number));
        let run = Run::unlimited();
        factory.prepare(&run).unwrap();
        let mut solver = factory.start(&run).unwrap();
        let mut early = solver.ask_ahead(&store, &[is(1), is(2)]).unwrap().unwrap();
        let mut possible = solver.ask_ahead(&store, &[is(1), b]).unwrap().unwrap();
        solver.push().unwrap();
        solver.assert(&store, is(3)).unwrap();
        let mut scoped = solver.ask_ahead(&store, &[is(1)]).unwrap().unwrap();
        assert!(matches!(solver.check(&store, &[is(3)]), Ok(Answer::Sat(_))), "answers of others come first");
        solver.pop().unwrap();
        let dropped = solver.ask_ahead(&store, &[is(5)]).unwrap();
        let mut late = solver.ask_ahead(&store, &[]).unwrap().unwrap();
        drop((dropped, solver));
        assert_eq!(late.wait(None), Ok(BareAnswer::Sat), "{}", factory.name());
        assert_eq!(scoped.wait(None), Ok(BareAnswer::Unsat));
        assert_eq!(early.wait(None), Ok(BareAnswer::Unsat));
        assert_eq!(possible.wait(None), Ok(BareAnswer::Sat));
        let script = scoped.script();
        assert!(script.contains("(declare-const x") && script.ends_with("(check-sat)\n"), "{script}");
        // The process may serve another solver, which knows nothing of the first one.
        let mut other = factory.start(&run).unwrap();
        assert!(matches!(other.check(&store, &[is(1)]), Ok(Answer::Sat(_))));
    }
}

/// A process that fails at a question takes the later ones along. They are asked again.
#[test]
fn questions_behind_a_failure_are_asked_again() {
    let store = Store::new();
    let var = |name: &str| store.var(name, Sort::Bool);
    // It knows the question by the name of a variable. What follows a bad one is never answered.
    let answers = "while read line; do case $line in *bad*) bad=1;; *good*) bad=;; \
        *check-sat*) if [ $bad ]; then HOW; else echo unsat; fi;; esac; done";
    for (how, expected) in [
        ("exit 3", Err(SolverError::Died("the process ended with exit status: 3".into()))),
        ("sleep 1000", Ok(BareAnswer::Unknown(Reason::Interrupted))),
        ("echo '(error 1)'; exit", Err(SolverError::Protocol("(error 1)".into()))),
    ] {
        for reusable in [false, true] {
            let config = SmtlibConfig::new("shell", ["sh", "-c", &answers.replace("HOW", how)]);
            let factory = SmtlibFactory::new(SmtlibConfig { reusable, ..config });
            let mut solver = factory.start(&Run::unlimited()).unwrap();
            let mut ask = |name: &str| solver.ask_ahead(&store, &[var(name)]).unwrap().unwrap();
            let mut pending = [ask("good1"), ask("bad"), ask("good2"), ask("good3")];
            let time = Some(Duration::from_secs(3));
            let waited = pending.each_mut().map(|pending| pending.wait(time));
            let fine = Ok(BareAnswer::Unsat);
            assert_eq!(waited, [fine.clone(), expected.clone(), fine.clone(), fine], "{how}");
            solver.assert(&store, var("good4")).unwrap();
            assert!(matches!(solver.check(&store, &[]), Ok(Answer::Unsat)), "it has a new process");
        }
    }
}

/// A process that was prepared serves one solver after the other, even before it has answered anything.
#[test]
fn one_prepared_process_serves_all_solvers() {
    let store = Store::new();
    let (b, run) = (store.var("b", Sort::Bool), Run::unlimited());
    // The second question of a process is answered otherwise than the first, which it is asked to warm up.
    let script = "while read line; do case $line in *check-sat*) echo $answer; answer=unsat;; esac; done";
    let command = ["sh", "-c", &format!("answer=sat; {script}")];
    let factory = SmtlibFactory::new(SmtlibConfig { reusable: true, ..SmtlibConfig::new("shell", command) });
    factory.prepare(&run).unwrap();
    let ask = || factory.start(&run).unwrap().ask_ahead(&store, &[b]).unwrap().unwrap();
    let mut pending = [ask(), ask(), ask()];
    assert_eq!(pending.each_mut().map(|pending| pending.wait(None)), [const { Ok(BareAnswer::Unsat) }; 3]);
}

/// A busy process whose pipe is full holds up nobody for long.
#[test]
fn a_full_pipe_is_no_trap() {
    let store = Store::new();
    let run = Run::unlimited();
    let factory = SmtlibFactory::new(SmtlibConfig::new("busy", ["sleep", "1000"]));
    let mut solver = factory.start(&run).unwrap();
    let long = store.var(&"x".repeat(200_000), Sort::Bool);
    let started = Instant::now();
    let mut pending = solver.ask_ahead(&store, &[long]).unwrap().unwrap();
    let time = Some(Duration::from_millis(100));
    assert_eq!(pending.wait(time), Ok(BareAnswer::Unknown(Reason::Interrupted)));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
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
