use thetis_expr::{Sort, Value, VarId};

use super::*;
use crate::{Deferral, Valuation, ValuationSource};

/// A solver that always says the same.
#[derive(Clone, Copy, PartialEq)]
enum Says {
    Sat,
    Unsat,
    Unknown,
    Refuses,
    Fails,
}

struct Zero;

impl ValuationSource for Zero {
    fn value(&self, _: &Store, _: VarId) -> Result<Value, SolverError> {
        Ok(Value::Bool(false))
    }
}

impl Solver for Says {
    fn push(&mut self) -> Result<(), SolverError> {
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        Ok(())
    }

    fn assert(&mut self, _: &Store, _: ExprId) -> Result<(), SolverError> {
        match self {
            Says::Refuses => Err(SolverError::Unsupported("it".into())),
            _ => Ok(()),
        }
    }

    fn check(&mut self, _: &Store, _: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        Ok(match self {
            Says::Sat => Answer::Sat(Valuation::new(Zero)),
            Says::Unsat => Answer::Unsat,
            Says::Unknown => Answer::Unknown(Reason::Interrupted),
            Says::Refuses => return Err(SolverError::Unsupported("it".into())),
            Says::Fails => return Err(SolverError::Died("gone".into())),
        })
    }

    fn set_limit(&mut self, _: QueryLimit) {}
}

impl CoreSolver for Says {
    fn check_core(&mut self, _: &Store, _: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        Ok(CoreAnswer::Unknown(Reason::Interrupted))
    }
}

struct Named(&'static str, Says);

impl SolverFactory for Named {
    fn name(&self) -> &str {
        self.0
    }

    fn start(&self, _: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(self.1))
    }
}

fn factory(prover: Says, first: Says, second: Option<Says>) -> JudgeFactory {
    let keep: KeepScript = Box::new(|script| {
        assert!(script.contains("(assert p)") && script.ends_with("(check-sat)\n"), "{script}");
        "kept".into()
    });
    let judges = JudgeFactory::new(Rc::new(Named("prover", prover)), Rc::new(Named("one", first)), keep);
    match second {
        Some(second) => judges.with_second(Rc::new(Named("other", second))),
        None => judges,
    }
}

/// The answer in a word, and how many answers were proved, agreed on, and said by one solver.
fn ask(judges: &JudgeFactory) -> (String, [u64; 3]) {
    let store = Store::new();
    let mut judge = judges.start(&Run::unlimited()).unwrap();
    let p = store.var("p", Sort::Bool);
    let answer = judge.assert(&store, p).and_then(|()| {
        Ok(match judge.check(&store, &[p])? {
            Answer::Sat(_) => "sat".to_owned(),
            Answer::Unsat => "unsat".to_owned(),
            Answer::Unknown(reason) => reason.to_string(),
        })
    });
    let Grounds { proved, agreed, single, .. } = judges.grounds();
    (answer.unwrap_or_else(|error| error.to_string()), [proved, agreed, single])
}

#[test]
fn answers_rest_on_proofs_then_on_two_solvers_then_on_one() {
    use Says::{Fails, Refuses, Sat, Unknown, Unsat};
    for (prover, first, second, answer, grounds) in [
        (Unsat, Sat, Some(Sat), "unsat", [1, 0, 0]),
        (Sat, Unsat, Some(Unsat), "sat", [0, 0, 0]),
        (Refuses, Unsat, None, "unsat", [0, 0, 1]),
        (Refuses, Unsat, Some(Unsat), "unsat", [0, 1, 0]),
        (Refuses, Unsat, Some(Unknown), "unsat", [0, 0, 1]),
        (Refuses, Unsat, Some(Fails), "unsat", [0, 0, 1]),
        (Refuses, Unsat, Some(Sat), "two solvers disagree: one and other (kept)", [0, 0, 0]),
        (Refuses, Sat, Some(Unsat), "sat", [0, 0, 0]),
        (Refuses, Unknown, Some(Unsat), "the solver was interrupted", [0, 0, 0]),
        (Fails, Unsat, Some(Unsat), "the solver failed: gone", [0, 0, 0]),
    ] {
        assert_eq!(ask(&factory(prover, first, second)), (answer.to_owned(), grounds));
    }
}

#[test]
fn nobody_is_believed_alone_if_that_is_demanded() {
    use Says::{Fails, Refuses, Unsat};
    for (prover, second, is_unsat) in [
        (Unsat, None, true),
        (Refuses, Some(Unsat), true),
        (Refuses, None, false),
        (Refuses, Some(Fails), false),
    ] {
        let judges = factory(prover, Unsat, second).demanding(Demand::NoSingleWord);
        let (answer, [_, _, single]) = ask(&judges);
        assert_eq!((answer == "unsat", single), (is_unsat, 0), "{answer}");
    }
}

#[test]
fn solvers_that_were_believed_are_named() {
    let judges = factory(Says::Refuses, Says::Unsat, Some(Says::Unsat));
    (0..2).for_each(|_| drop(ask(&judges)));
    assert_eq!(judges.grounds().solvers, ["one", "other"]);
    assert_eq!(judges.grounds().total(), 2);
    let proved = factory(Says::Unsat, Says::Unsat, None);
    ask(&proved);
    assert!(proved.grounds().solvers.is_empty());
}

#[test]
fn a_second_solver_that_always_fails_is_not_asked_for_ever() {
    let store = Store::new();
    let judges = factory(Says::Refuses, Says::Unsat, Some(Says::Fails));
    let mut judge = judges.start(&Run::unlimited()).unwrap();
    for _ in 0..10 {
        assert!(matches!(judge.check(&store, &[store.tru()]), Ok(Answer::Unsat)));
    }
    assert_eq!(judges.grounds().single, 10);
}

/// A second solver that works ahead and always says the same.
struct Ahead(Says);

impl Pending for Ahead {
    fn wait(&mut self, _: Option<Duration>) -> Result<BareAnswer, SolverError> {
        Ok(match self.0 {
            Says::Sat => BareAnswer::Sat,
            Says::Unsat => BareAnswer::Unsat,
            Says::Fails => return Err(SolverError::Died("gone".into())),
            Says::Unknown | Says::Refuses => BareAnswer::Unknown(Reason::Interrupted),
        })
    }

    fn script(&self) -> String {
        "(assert p)\n(check-sat)\n".into()
    }
}

impl Solver for Ahead {
    fn push(&mut self) -> Result<(), SolverError> {
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        Ok(())
    }

    fn assert(&mut self, _: &Store, _: ExprId) -> Result<(), SolverError> {
        Ok(())
    }

    fn check(&mut self, _: &Store, _: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        Err(SolverError::Died("it should have been asked ahead".into()))
    }

    fn set_limit(&mut self, _: QueryLimit) {}

    fn ask_ahead(&mut self, _: &Store, _: &[ExprId]) -> Result<Option<Box<dyn Pending>>, SolverError> {
        Ok(Some(Box::new(Ahead(self.0))))
    }
}

impl CoreSolver for Ahead {
    fn check_core(&mut self, _: &Store, _: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        Ok(CoreAnswer::Unknown(Reason::Interrupted))
    }
}

impl SolverFactory for Ahead {
    fn name(&self) -> &str {
        "other"
    }

    fn start(&self, _: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(Ahead(self.0)))
    }
}

fn working_ahead(second: Says) -> JudgeFactory {
    factory(Says::Refuses, Says::Unsat, None).with_second(Rc::new(Ahead(second)))
}

const DISAGREEMENT: &str = "two solvers disagree: one and other (kept)";

#[test]
fn opinions_are_put_off_only_in_a_deferral_and_settled_at_its_end() {
    for (second, at_once, settled, grounds) in [
        (Says::Unsat, "unsat", "", [0, 3, 0]),
        (Says::Unknown, "unsat", "", [0, 0, 3]),
        (Says::Fails, "unsat", "", [0, 0, 3]),
        (Says::Sat, DISAGREEMENT, DISAGREEMENT, [0, 0, 2]),
    ] {
        assert_eq!(ask(&working_ahead(second)).0, at_once, "without a deferral");
        let judges = working_ahead(second);
        let deferral = Deferral::begin(&judges);
        for number in 1..=3 {
            assert_eq!(ask(&judges), ("unsat".to_owned(), [0, 0, number]));
        }
        let words = deferral.settle().map_or_else(|error| error.to_string(), |()| String::new());
        assert_eq!(words, settled);
        let Grounds { proved, agreed, single, .. } = judges.grounds();
        assert_eq!([proved, agreed, single], grounds);
        assert_eq!(ask(&judges).0, at_once, "after a deferral");
    }
}

#[test]
fn what_is_put_off_is_bounded_and_forgotten_without_a_settlement() {
    let judges = working_ahead(Says::Sat);
    let deferral = Deferral::begin(&judges);
    let answers: Vec<String> = (0..=MAX_PUT_OFF).map(|_| ask(&judges).0).collect();
    assert_eq!(answers.iter().position(|answer| answer == DISAGREEMENT), Some(MAX_PUT_OFF));
    drop(deferral);
    assert_eq!(Deferral::begin(&judges).settle(), Ok(()), "nothing is left of the first deferral");
}

#[test]
fn nothing_is_put_off_if_both_solvers_are_demanded() {
    let judges = working_ahead(Says::Unknown).demanding(Demand::NoSingleWord);
    let _deferral = Deferral::begin(&judges);
    let (answer, grounds) = ask(&judges);
    assert!(answer.contains("only one is sure"), "{answer}");
    assert_eq!(grounds, [0, 0, 0]);
}
