//! The solvers whose answers the checker accepts, and what its acceptance of a proof rests on.
//!
//! An engine may use any solver, since its proofs are checked. The checker itself has to trust some solver. A [`JudgeFactory`]
//! asks
//!
//! 1. a *prover*, whose `unsat` requires no trust in a solver, because its proof was checked or consists only of our own arithmetic; it rejects
//!    formulas that it does not support,
//! 2. else the *first* solver, and, if it says `unsat` and there is one, a *second* solver with another code base, which works in
//!    parallel if it can.
//!
//! A check of a proof asks many questions, and waiting for the slower solver after each of them would make the check as slow as both solvers together. So in a
//! [`Deferral`](crate::Deferral) the opinion of the second solver may be *put off*: the judge answers as soon as the first solver has, and the check is over when all
//! opinions have come in. Until an opinion comes in, its obligation counts as one that rests on the first solver alone. If both solvers are demanded, nothing is put off.
//!
//! If the second solver finds a model where the first found none, one of them is wrong: the answer is [`SolverError::Disagreement`],
//! and the question is handed out as a script. If the second solver gives up, does not support the formula or fails, the obligation
//! [rests on the first alone](Grounds::single), or, if [both are demanded](Demand::NoSingleWord), is not decided. If the first solver
//! finds a model, the second is not asked: the proof is rejected in any case.
//!
//! [`Grounds`] counts what the answers rested on.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Run, Stopwatch};
use thetis_expr::{ExprId, Store};

use crate::{
    Answer, BareAnswer, CoreAnswer, CoreSolver, Pending, QueryLimit, Reason, Script, Solver, SolverError,
    SolverFactory,
};

/// The second solver may always take this long, and longer if the first did: the next constant says how many
/// times as long.
const PATIENCE: Duration = Duration::from_secs(2);
const PATIENCE_FACTOR: u32 = 4;

/// After how many failures the second solver is not asked any more.
const MAX_FAILURES: u32 = 3;

/// How many opinions may be put off at a time.
const MAX_PUT_OFF: usize = 64;

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
    /// How often the second solver has failed.
    num_failures: Cell<u32>,
    may_defer: Cell<bool>,
    put_off: RefCell<VecDeque<PutOff>>,
}

/// An obligation that the first solver has decided, and that the second one still works on.
struct PutOff {
    question: Box<dyn Pending>,
    patience: Option<Duration>,
    names: Names,
}

/// The first and the second solver.
#[derive(Clone)]
struct Names {
    first: String,
    second: String,
}

impl JudgeFactory {
    /// Judges that ask `prover`, then `first`. Scripts of disagreements go to `keep`.
    pub fn new(
        prover: Rc<dyn SolverFactory>,
        first: Rc<dyn SolverFactory>,
        keep: KeepScript,
    ) -> JudgeFactory {
        let shared = Rc::new(Shared {
            grounds: RefCell::default(),
            keep,
            num_failures: Cell::default(),
            may_defer: Cell::default(),
            put_off: RefCell::default(),
        });
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

    /// What the answers of all judges so far rest on. Opinions that are still put off do not count.
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

    fn prepare(&self, run: &Run) -> Result<(), SolverError> {
        self.second.as_ref().map_or(Ok(()), |second| second.prepare(run))
    }

    fn set_deferring(&self, may_defer: bool) {
        self.shared.may_defer.set(may_defer);
        self.shared.put_off.borrow_mut().clear();
    }

    fn settle(&self) -> Result<(), SolverError> {
        while self.shared.settle_earliest()? {}
        Ok(())
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
        let is_alone = if second.is_none() {
            "there is no second solver"
        } else {
            "the second solver has failed too often"
        };
        let mut second = second.as_mut().filter(|_| shared.num_failures.get() < MAX_FAILURES);
        let ahead = second.as_mut().and_then(|second| second.ask_ahead(store, asserted, assumptions));
        let (mut watch, name) = (Stopwatch::default(), first.factory.clone());
        let answer = watch.time(|| first.check(store, asserted, *limit, assumptions))?;
        if !matches!(answer, Answer::Unsat) {
            return Ok(answer);
        }
        let Some(second) = second else {
            return shared.conclude_alone(name.name(), is_alone, *demand);
        };
        let names = Names { first: name.name().to_owned(), second: second.factory.name().to_owned() };
        let question = Question { store, asserted, assumptions };
        let patience = limit.time.or(match demand {
            Demand::OneSolver => Some(PATIENCE.max(watch.total() * PATIENCE_FACTOR)),
            Demand::NoSingleWord => None,
        });
        match ahead {
            Some(question) if shared.may_defer.get() && *demand == Demand::OneSolver => {
                shared.put_off(PutOff { question, patience, names })
            }
            Some(mut ahead) => {
                let opinion = ahead.wait(patience);
                shared.conclude(opinion, &names, *demand, || ahead.script())
            }
            None => {
                let limit = QueryLimit { time: patience, ..*limit };
                let opinion = second.opinion(store, asserted, limit, assumptions);
                shared.conclude(opinion, &names, *demand, || question.script())
            }
        }
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

impl Shared {
    /// Believes the first solver for now, and lets the second one go on.
    fn put_off(&self, put_off: PutOff) -> Result<Answer<'static>, SolverError> {
        {
            let mut grounds = self.grounds.borrow_mut();
            grounds.single += 1;
            grounds.believe(&put_off.names.first);
        }
        self.put_off.borrow_mut().push_back(put_off);
        if self.put_off.borrow().len() > MAX_PUT_OFF {
            self.settle_earliest()?;
        }
        Ok(Answer::Unsat)
    }

    /// Waits for what was put off first; false if there was nothing.
    fn settle_earliest(&self) -> Result<bool, SolverError> {
        let earliest = self.put_off.borrow_mut().pop_front();
        let Some(PutOff { mut question, patience, names }) = earliest else { return Ok(false) };
        let opinion = match self.num_failures.get() {
            MAX_FAILURES.. => Ok(BareAnswer::Unknown(Reason::Incomplete("it has failed too often".into()))),
            _ => question.wait(patience),
        };
        self.grounds.borrow_mut().single -= 1;
        self.conclude(opinion, &names, Demand::OneSolver, || question.script())?;
        Ok(true)
    }

    /// What an `unsat` of the first solver is worth after the second one was asked.
    fn conclude(
        &self,
        opinion: Result<BareAnswer, SolverError>,
        names: &Names,
        demand: Demand,
        script: impl FnOnce() -> String,
    ) -> Result<Answer<'static>, SolverError> {
        let Names { first, second } = names;
        let reason = match opinion {
            Ok(BareAnswer::Unsat) => {
                let mut grounds = self.grounds.borrow_mut();
                grounds.agreed += 1;
                grounds.believe(first);
                grounds.believe(second);
                return Ok(Answer::Unsat);
            }
            Ok(BareAnswer::Sat) => {
                let script = format!("; {first} finds no model, {second} finds one.\n{}", script());
                let place = (self.keep)(&script);
                return Err(SolverError::Disagreement(format!("{first} and {second} ({place})")));
            }
            Ok(BareAnswer::Unknown(reason)) => reason.to_string(),
            Err(error @ (SolverError::Missing(_) | SolverError::Wrong(_))) => return Err(error),
            Err(error) => {
                self.num_failures.set(self.num_failures.get() + 1);
                error.to_string()
            }
        };
        self.conclude_alone(first, &format!("{second}: {reason}"), demand)
    }

    /// What an `unsat` of the first solver is worth if nobody confirms it, for this reason.
    fn conclude_alone(
        &self,
        first: &str,
        reason: &str,
        demand: Demand,
    ) -> Result<Answer<'static>, SolverError> {
        if demand == Demand::NoSingleWord {
            return Ok(Answer::Unknown(Reason::Incomplete(format!("only {first} is sure; {reason}"))));
        }
        let mut grounds = self.grounds.borrow_mut();
        grounds.single += 1;
        grounds.believe(first);
        Ok(Answer::Unsat)
    }
}

/// A question.
struct Question<'q> {
    store: &'q Store,
    asserted: &'q Asserted,
    assumptions: &'q [ExprId],
}

impl Question<'_> {
    /// The question for any SMT-LIB solver.
    fn script(&self) -> String {
        let mut script = Script::new();
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
}

impl Member {
    fn new(factory: Rc<dyn SolverFactory>, run: &Run) -> Member {
        Member { factory, run: run.clone(), solver: None }
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

    /// The answer without a model. After an error, the next question goes to a new solver.
    fn opinion(
        &mut self,
        store: &Store,
        asserted: &Asserted,
        limit: QueryLimit,
        assumptions: &[ExprId],
    ) -> Result<BareAnswer, SolverError> {
        let answer = self.check(store, asserted, limit, assumptions).map(|answer| match answer {
            Answer::Sat(_) => BareAnswer::Sat,
            Answer::Unsat => BareAnswer::Unsat,
            Answer::Unknown(reason) => BareAnswer::Unknown(reason),
        });
        answer.inspect_err(|_| self.solver = None)
    }

    /// Lets the solver work while another one is asked. After an error it has to be asked again, by [`opinion`](Member::opinion).
    fn ask_ahead(
        &mut self,
        store: &Store,
        asserted: &Asserted,
        assumptions: &[ExprId],
    ) -> Option<Box<dyn Pending>> {
        let ahead = self.start(store, asserted).and_then(|solver| solver.ask_ahead(store, assumptions));
        ahead.unwrap_or_else(|_| {
            self.solver = None;
            None
        })
    }

    fn start(&mut self, store: &Store, asserted: &Asserted) -> Result<&mut dyn CoreSolver, SolverError> {
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => none.insert(started(&*self.factory, &self.run, store, asserted)?),
        };
        Ok(&mut **solver)
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
mod tests;
