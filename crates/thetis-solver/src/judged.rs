//! The solvers whose answers the checker accepts, and what its acceptance of a proof rests on.
//!
//! An engine may use any solver, since its proofs are checked. The checker itself has to trust some solver. A [`JudgeFactory`]
//! asks
//!
//! 1. a *prover*, whose `unsat` requires no trust in a solver, because its proof was checked or consists only of our own arithmetic; it rejects
//!    formulas that it does not support,
//! 2. else the *first* solver, and, if it says `unsat` and there is one, a *second* solver with another code base, which may work in
//!    parallel.
//!
//! If the second solver finds a model where the first found none, one of them is wrong: the answer is [`SolverError::Disagreement`],
//! and the question is handed out as a script. If the second solver gives up, does not support the formula or fails, the obligation
//! [rests on the first alone](Grounds::single), or, if [both are demanded](Demand::NoSingleWord), is not decided. If the first solver
//! finds a model, the second is not asked: the proof is rejected in any case.
//!
//! [`Grounds`] counts what the answers rested on.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Run, Stopwatch};
use thetis_expr::{ExprId, Store};

use crate::{Answer, CoreAnswer, CoreSolver, QueryLimit, Reason, Script, Solver, SolverError, SolverFactory};

/// The second solver may always take this long, and longer if the first did: the next constant says how many
/// times as long.
const PATIENCE: Duration = Duration::from_secs(2);
const PATIENCE_FACTOR: u32 = 4;

/// After how many failures a judge stops asking the second solver.
const MAX_FAILURES: u32 = 3;

/// What the `unsat` answers of a judge rest on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Grounds {
    /// How many were proved, and the proof checked.
    pub proved: u64,
    /// How many the first and the second solver agree on.
    pub agreed: u64,
    /// How many rest on the first solver alone.
    pub single: u64,
    /// The names of the solvers that were believed, the first one first.
    pub solvers: Vec<String>,
}

impl Grounds {
    /// How many obligations there were.
    pub fn total(&self) -> u64 {
        self.proved + self.agreed + self.single
    }
}

/// How much is needed to believe an `unsat`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Demand {
    /// The word of one solver is enough.
    #[default]
    OneSolver,
    /// It has to be proved, or two solvers have to agree.
    NoSingleWord,
}

/// Keeps the script of a question on which solvers disagree, and says where.
pub type KeepScript = Box<dyn Fn(&str) -> String>;

/// Starts judges: see the [module](self).
pub struct JudgeFactory {
    prover: Rc<dyn SolverFactory>,
    first: Rc<dyn SolverFactory>,
    second: Option<Rc<dyn SolverFactory>>,
    demand: Demand,
    shared: Rc<Shared>,
}

/// What all judges of a factory share.
struct Shared {
    grounds: RefCell<Grounds>,
    keep: KeepScript,
}

impl JudgeFactory {
    /// Judges that ask `prover`, then `first`. Scripts of disagreements go to `keep`.
    pub fn new(
        prover: Rc<dyn SolverFactory>,
        first: Rc<dyn SolverFactory>,
        keep: KeepScript,
    ) -> JudgeFactory {
        let shared = Rc::new(Shared { grounds: RefCell::default(), keep });
        JudgeFactory { prover, first, second: None, demand: Demand::default(), shared }
    }

    /// With a second solver.
    #[must_use]
    pub fn with_second(mut self, second: Rc<dyn SolverFactory>) -> JudgeFactory {
        self.second = Some(second);
        self
    }

    /// With this demand.
    #[must_use]
    pub fn demanding(mut self, demand: Demand) -> JudgeFactory {
        self.demand = demand;
        self
    }

    /// Whether there is a second solver.
    pub fn has_second(&self) -> bool {
        self.second.is_some()
    }

    /// What the answers of all judges so far rest on.
    pub fn grounds(&self) -> Grounds {
        self.shared.grounds.borrow().clone()
    }
}

impl SolverFactory for JudgeFactory {
    fn name(&self) -> &str {
        self.first.name()
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        let member = |factory: &Rc<dyn SolverFactory>| Member::new(factory.clone(), run);
        Ok(Box::new(Judge {
            prover: Some(member(&self.prover)),
            first: member(&self.first),
            second: self.second.as_ref().map(member),
            asserted: Asserted::default(),
            demand: self.demand,
            limit: QueryLimit::default(),
            shared: self.shared.clone(),
        }))
    }
}

struct Judge {
    /// None if something was asserted that the prover does not support.
    prover: Option<Member>,
    first: Member,
    second: Option<Member>,
    asserted: Asserted,
    demand: Demand,
    limit: QueryLimit,
    shared: Rc<Shared>,
}

impl Judge {
    /// All solvers that were asked already.
    fn members(&mut self) -> impl Iterator<Item = &mut Member> {
        self.prover.iter_mut().chain([&mut self.first]).chain(&mut self.second)
    }

    /// Starts the prover. If it does not support an assertion, it will not be asked.
    fn start_prover(&mut self, store: &Store) -> Result<(), SolverError> {
        let Some(prover) = &mut self.prover else { return Ok(()) };
        if let Err(error) = prover.start(store, &self.asserted) {
            tolerate(error)?;
            self.prover = None;
        }
        Ok(())
    }
}

impl Solver for Judge {
    fn push(&mut self) -> Result<(), SolverError> {
        self.asserted.scopes.push(Vec::new());
        self.members().try_for_each(Member::push)
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.asserted.scopes.pop();
        self.members().try_for_each(Member::pop)
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        self.asserted.innermost().push(formula);
        if let Some(prover) = &mut self.prover
            && let Err(error) = prover.assert(store, formula)
        {
            tolerate(error)?;
            self.prover = None;
        }
        self.first.assert(store, formula)?;
        if let Some(second) = &mut self.second {
            second.assert(store, formula)?;
        }
        Ok(())
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        self.start_prover(store)?;
        let Judge { prover, first, second, asserted, demand, limit, shared } = self;
        if let Some(prover) = prover {
            match prover.check(store, asserted, *limit, assumptions) {
                Ok(Answer::Unsat) => {
                    shared.grounds.borrow_mut().proved += 1;
                    return Ok(Answer::Unsat);
                }
                Ok(answer) => return Ok(answer),
                Err(error) => tolerate(error)?,
            }
        }
        if let Some(second) = second {
            second.announce(store, asserted, assumptions);
        }
        let (mut watch, name) = (Stopwatch::default(), first.factory.clone());
        let answer = watch.time(|| first.check(store, asserted, *limit, assumptions))?;
        if !matches!(answer, Answer::Unsat) {
            return Ok(answer);
        }
        let question = Question { store, asserted, assumptions, limit: *limit };
        let opinion = question.confirmed_by(second.as_mut(), watch.total(), *demand)?;
        question.conclude(opinion, *demand, name.name(), shared)
    }

    fn set_limit(&mut self, limit: QueryLimit) {
        self.limit = limit;
    }
}

impl CoreSolver for Judge {
    /// All assumptions are the core: nobody has confirmed a smaller one.
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        Ok(match self.check(store, assumptions)? {
            Answer::Sat(valuation) => CoreAnswer::Sat(valuation),
            Answer::Unsat => CoreAnswer::Unsat(assumptions.to_vec()),
            Answer::Unknown(reason) => CoreAnswer::Unknown(reason),
        })
    }
}

/// What the second solver says to an `unsat` of the first.
enum Opinion {
    Agrees(String),
    Disagrees(String),
    /// Nothing, for this reason.
    None(String),
}

/// A question to which the first solver has answered `unsat`.
struct Question<'q> {
    store: &'q Store,
    asserted: &'q Asserted,
    assumptions: &'q [ExprId],
    limit: QueryLimit,
}

impl Question<'_> {
    /// Asks the second solver, which may take some time longer than the first one took.
    fn confirmed_by(
        &self,
        second: Option<&mut Member>,
        time_of_first: Duration,
        demand: Demand,
    ) -> Result<Opinion, SolverError> {
        let Some(second) = second else { return Ok(Opinion::None("there is no second solver".into())) };
        let name = second.factory.name().to_owned();
        if second.num_failures >= MAX_FAILURES {
            return Ok(Opinion::None(format!("{name} has failed too often")));
        }
        let time = match demand {
            Demand::OneSolver => Some(PATIENCE.max(time_of_first * PATIENCE_FACTOR)),
            Demand::NoSingleWord => None,
        };
        let limit = QueryLimit { time: self.limit.time.or(time), ..self.limit };
        let error = match second.check(self.store, self.asserted, limit, self.assumptions) {
            Ok(Answer::Unsat) => return Ok(Opinion::Agrees(name)),
            Ok(Answer::Sat(_)) => return Ok(Opinion::Disagrees(name)),
            Ok(Answer::Unknown(reason)) => return Ok(Opinion::None(format!("{name}: {reason}"))),
            Err(error @ (SolverError::Missing(_) | SolverError::Wrong(_))) => return Err(error),
            Err(error) => error,
        };
        // A process that has ended or is in a bad state is restarted for the next query.
        second.forget();
        Ok(Opinion::None(format!("{name}: {error}")))
    }

    fn conclude(
        &self,
        opinion: Opinion,
        demand: Demand,
        first: &str,
        shared: &Shared,
    ) -> Result<Answer<'static>, SolverError> {
        let mut grounds = shared.grounds.borrow_mut();
        match opinion {
            Opinion::Disagrees(second) => {
                let place = (shared.keep)(&self.script(first, &second));
                return Err(SolverError::Disagreement(format!("{first} and {second} ({place})")));
            }
            Opinion::None(reason) if demand == Demand::NoSingleWord => {
                return Ok(Answer::Unknown(Reason::Incomplete(format!("only {first} is sure; {reason}"))));
            }
            Opinion::None(_) => {
                grounds.single += 1;
                grounds.believe(first);
            }
            Opinion::Agrees(second) => {
                grounds.agreed += 1;
                grounds.believe(first);
                grounds.believe(&second);
            }
        }
        Ok(Answer::Unsat)
    }

    /// The question for any SMT-LIB solver.
    fn script(&self, first: &str, second: &str) -> String {
        let mut script = Script::new();
        script.line(&format!("; {first} finds no model, {second} finds one."));
        script.line("(set-option :global-declarations true)\n(set-logic ALL)");
        for formula in self.asserted.scopes.iter().flatten().chain(self.assumptions) {
            script.declare(self.store, &[*formula]);
            script.assert(self.store, *formula);
        }
        script.line("(check-sat)");
        script.take()
    }
}

impl Grounds {
    fn believe(&mut self, solver: &str) {
        if !self.solvers.iter().any(|name| name == solver) {
            self.solvers.push(solver.to_owned());
        }
    }
}

/// An unsupported formula is not a failure of the solver.
fn tolerate(error: SolverError) -> Result<(), SolverError> {
    match error {
        SolverError::Unsupported(_) => Ok(()),
        error => Err(error),
    }
}

/// The assertions in force, by scope.
struct Asserted {
    scopes: Vec<Vec<ExprId>>,
}

impl Default for Asserted {
    fn default() -> Asserted {
        Asserted { scopes: vec![Vec::new()] }
    }
}

impl Asserted {
    fn innermost(&mut self) -> &mut Vec<ExprId> {
        self.scopes.last_mut().expect("the outermost scope should be open")
    }
}

/// A solver that is started with its first question.
struct Member {
    factory: Rc<dyn SolverFactory>,
    run: Run,
    solver: Option<Box<dyn CoreSolver>>,
    /// How many of its solvers have failed.
    num_failures: u32,
}

impl Member {
    fn new(factory: Rc<dyn SolverFactory>, run: &Run) -> Member {
        Member { factory, run: run.clone(), solver: None, num_failures: 0 }
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.solver.as_mut().map_or(Ok(()), Solver::push)
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.solver.as_mut().map_or(Ok(()), Solver::pop)
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        self.solver.as_mut().map_or(Ok(()), |solver| solver.assert(store, formula))
    }

    fn check(
        &mut self,
        store: &Store,
        asserted: &Asserted,
        limit: QueryLimit,
        assumptions: &[ExprId],
    ) -> Result<Answer<'_>, SolverError> {
        let solver = self.start(store, asserted)?;
        solver.set_limit(limit);
        solver.check(store, assumptions)
    }

    /// Lets the solver work while another one is asked. Errors are ignored here, because they occur again when
    /// the solver is asked.
    fn announce(&mut self, store: &Store, asserted: &Asserted, assumptions: &[ExprId]) {
        if self.num_failures < MAX_FAILURES
            && let Ok(solver) = self.start(store, asserted)
            && solver.announce(store, assumptions).is_err()
        {
            self.forget();
        }
    }

    fn start(&mut self, store: &Store, asserted: &Asserted) -> Result<&mut dyn CoreSolver, SolverError> {
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => none.insert(started(&*self.factory, &self.run, store, asserted)?),
        };
        Ok(&mut **solver)
    }

    /// Lets the next question go to a new solver, because this one has failed.
    fn forget(&mut self) {
        self.solver = None;
        self.num_failures += 1;
    }
}

/// A solver that has been given all assertions.
fn started(
    factory: &dyn SolverFactory,
    run: &Run,
    store: &Store,
    asserted: &Asserted,
) -> Result<Box<dyn CoreSolver>, SolverError> {
    let mut solver = factory.start(run)?;
    for (depth, scope) in asserted.scopes.iter().enumerate() {
        if depth > 0 {
            solver.push()?;
        }
        for formula in scope {
            solver.assert(store, *formula)?;
        }
    }
    Ok(solver)
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Sort, Value, VarId};

    use super::*;
    use crate::{Valuation, ValuationSource};

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
}
