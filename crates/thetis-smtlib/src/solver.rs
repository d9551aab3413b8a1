//! The solver over a process: the commands in force, queries, values and cores.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::Run;
use thetis_expr::smtlib::sexpr::{Sexpr, Sexprs};
use thetis_expr::smtlib::{print_name, value_of};
use thetis_expr::{ExprId, Store, Value, VarId, default_value};
use thetis_solver::{
    Answer, CoreAnswer, CoreSolver, Query, QueryLimit, Reason, Script, Solver, SolverError, SolverFactory,
    Valuation, ValuationSource,
};

use crate::SmtlibConfig;
use crate::process::{NoAnswer, Process};

/// Starts solvers of one configuration.
#[derive(Clone)]
pub struct SmtlibFactory {
    config: SmtlibConfig,
    idle: IdleProcesses,
}

/// Processes of solvers that are gone, for solvers to come.
type IdleProcesses = Rc<RefCell<Vec<Process>>>;

impl SmtlibFactory {
    /// A factory of the configured solver.
    pub fn new(config: SmtlibConfig) -> SmtlibFactory {
        SmtlibFactory { config, idle: IdleProcesses::default() }
    }
}

impl SolverFactory for SmtlibFactory {
    fn name(&self) -> &str {
        &self.config.name
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(SmtlibSolver::new(self.config.clone(), self.idle.clone(), run)?))
    }
}

/// A solver in a process of its own.
pub struct SmtlibSolver {
    config: SmtlibConfig,
    run: Run,
    limit: QueryLimit,
    script: Script,
    /// All declarations so far; they outlive scopes.
    declarations: String,
    /// The assertions in force by scope, as commands.
    scopes: Vec<String>,
    /// Commands that were not sent to the process yet.
    unsent: String,
    process: Option<Process>,
    /// The question that was sent and is not answered yet.
    announced: Option<Announced>,
    /// Where the process goes when the solver is dropped, if it can serve another.
    idle: IdleProcesses,
}

impl SmtlibSolver {
    /// A solver without assertions, whose queries end when `run` must stop.
    fn new(config: SmtlibConfig, idle: IdleProcesses, run: &Run) -> Result<SmtlibSolver, SolverError> {
        let reused = idle.borrow_mut().pop();
        let reset = if reused.is_some() { "(reset)\n" } else { "" };
        let process = reused.map_or_else(|| Process::start(&config.command), Ok)?;
        Ok(SmtlibSolver {
            unsent: reset.to_owned() + &config.prologue(),
            config,
            run: run.clone(),
            limit: QueryLimit::default(),
            script: Script::new(),
            declarations: String::new(),
            scopes: vec![String::new()],
            process: Some(process),
            announced: None,
            idle,
        })
    }

    /// Starts a process if there is none, which gets all commands in force.
    fn process(&mut self) -> Result<&mut Process, SolverError> {
        match &mut self.process {
            Some(process) => Ok(process),
            missing => Ok(missing.insert(Process::start(&self.config.command)?)),
        }
    }

    /// The commands in force, for a new process. It replaces what was not sent yet.
    fn replay(&mut self) {
        self.script.drop_query();
        self.script.take();
        self.unsent = self.config.prologue() + &self.declarations + &self.scopes.join("(push 1)\n");
    }

    fn declare(&mut self, store: &Store, roots: &[ExprId]) {
        self.script.end_query();
        self.unsent += &self.script.take();
        self.script.declare(store, roots);
        let declarations = self.script.take();
        self.declarations += &declarations;
        self.unsent += &declarations;
    }

    fn end_query(&mut self) {
        self.script.end_query();
        self.unsent += &self.script.take();
    }

    /// Sends what was not sent yet and reads an answer that is not an acknowledgement.
    fn ask(&mut self, commands: &str, run: &Run) -> Result<Result<String, Reason>, SolverError> {
        let mut commands = std::mem::take(&mut self.unsent) + commands;
        loop {
            match self.process()?.ask(&commands, run) {
                Ok(answer) if ["unsupported", "success"].contains(&answer.as_str()) => commands.clear(),
                Ok(answer) if answer.starts_with("(error") => {
                    self.forget_process();
                    return Err(SolverError::Protocol(answer));
                }
                Ok(answer) => return Ok(Ok(answer)),
                Err(no_answer) => {
                    self.forget_process();
                    return match no_answer {
                        NoAnswer::Killed => Ok(Err(Reason::Interrupted)),
                        NoAnswer::Failed(error) => Err(error),
                    };
                }
            }
        }
    }

    fn forget_process(&mut self) {
        self.process = None;
        self.announced = None;
        self.replay();
    }

    fn query(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<(Query, Asked), SolverError> {
        let run = self.limit.time.map_or_else(|| self.run.clone(), |time| self.run.at_most(time));
        if run.checkpoint().is_err() {
            return Ok((Query { literals: Vec::new() }, Asked::Unknown(Reason::Interrupted)));
        }
        let (query, commands) = match self.announced.take() {
            Some(announced) if announced.assumptions == assumptions && self.unsent.is_empty() => {
                (announced.query, String::new())
            }
            earlier => {
                if earlier.is_some() {
                    // Nobody wants the answer any more, but it comes first.
                    let _ = self.ask("", &run)?;
                }
                self.prepared(store, assumptions)
            }
        };
        let asked = match self.ask(&commands, &run)? {
            Err(reason) => Asked::Unknown(reason),
            Ok(answer) => match answer.as_str() {
                "sat" => Asked::Sat,
                "unsat" => Asked::Unsat,
                "unknown" => Asked::Unknown(self.reason()?),
                _ => return Err(SolverError::Protocol(answer)),
            },
        };
        Ok((query, asked))
    }

    /// A question as commands.
    fn prepared(&mut self, store: &Store, assumptions: &[ExprId]) -> (Query, String) {
        self.declare(store, assumptions);
        let query = self.script.query(store, assumptions);
        (query, self.script.take())
    }

    /// Why the solver answered `unknown`.
    fn reason(&mut self) -> Result<Reason, SolverError> {
        let run = self.run.clone();
        Ok(match self.ask("(get-info :reason-unknown)\n", &run)? {
            Err(reason) => reason,
            Ok(answer) => Reason::Incomplete(answer),
        })
    }

    fn core(&mut self, assumptions: &[ExprId], query: &Query) -> Result<Vec<ExprId>, SolverError> {
        if !self.config.unsat_assumptions || assumptions.is_empty() {
            return Ok(assumptions.to_vec());
        }
        let run = self.run.clone();
        let answer = match self.ask("(get-unsat-assumptions)\n", &run)? {
            Ok(answer) => answer,
            // Nothing was learned about the core; all assumptions are one.
            Err(_) => return Ok(assumptions.to_vec()),
        };
        let read = Sexprs::read(&answer).map_err(|error| SolverError::Protocol(error.to_string()))?;
        let list = read.only().map_err(|error| SolverError::Protocol(error.to_string()))?;
        let core: FxHashSet<String> = list.children().map(canonical).collect();
        let mut seen = FxHashSet::default();
        let literals = query.literals.iter().map(|literal| canonical_text(literal));
        let needed = assumptions.iter().zip(literals).filter(|(_, literal)| core.contains(literal));
        Ok(needed.map(|(assumption, _)| *assumption).filter(|formula| seen.insert(*formula)).collect())
    }

    fn valuation(&mut self) -> Valuation<'_> {
        Valuation::new(Values { solver: RefCell::new(self), known: RefCell::new(None) })
    }

    /// The values of all declared variables in the last model.
    fn values(&mut self, store: &Store) -> Result<FxHashMap<VarId, Result<Value, SolverError>>, SolverError> {
        let vars = self.script.vars().to_vec();
        if vars.is_empty() {
            return Ok(FxHashMap::default());
        }
        let names: Vec<String> = vars.iter().map(|var| print_name(store, *var)).collect();
        let run = self.run.clone();
        let answer = self
            .ask(&format!("(get-value ({}))\n", names.join(" ")), &run)?
            .map_err(|reason| SolverError::Died(reason.to_string()))?;
        let protocol = |error: thetis_expr::smtlib::ParseError| SolverError::Protocol(error.to_string());
        let read = Sexprs::read(&answer).map_err(protocol)?;
        let pairs: Vec<Sexpr<'_>> = read.only().map_err(protocol)?.children().collect();
        if pairs.len() != vars.len() {
            return Err(SolverError::Protocol("not as many values as variables".into()));
        }
        let value = |var: VarId, pair: Sexpr<'_>| {
            let value = pair.children().nth(1).ok_or_else(|| pair.error("expected a name and a value"));
            value.and_then(|value| value_of(store, value, store.var_sort(var))).map_err(|error| {
                // Values that are well-formed but not ours, such as algebraic numbers, are no fault of the solver.
                SolverError::Unsupported(format!("the value `{}` ({})", pair.text(), error.message))
            })
        };
        Ok(vars.iter().zip(pairs).map(|(var, pair)| (*var, value(*var, pair))).collect())
    }
}

impl Drop for SmtlibSolver {
    /// A process that still owes an answer serves nobody else.
    fn drop(&mut self) {
        if self.config.reusable && self.announced.is_none() {
            self.idle.borrow_mut().extend(self.process.take());
        }
    }
}

/// The text of a literal without the choices of white space and bars.
fn canonical(literal: Sexpr<'_>) -> String {
    match literal.symbol() {
        Some(symbol) => symbol.to_owned(),
        None => format!("({})", literal.children().map(canonical).collect::<Vec<_>>().join(" ")),
    }
}

fn canonical_text(literal: &str) -> String {
    let read = Sexprs::read(literal).ok();
    read.as_ref().and_then(|read| read.only().ok()).map_or_else(|| literal.to_owned(), canonical)
}

/// A question that was sent ahead.
struct Announced {
    assumptions: Vec<ExprId>,
    query: Query,
}

enum Asked {
    Sat,
    Unsat,
    Unknown(Reason),
}

/// Values of a model, fetched all at once when the first is asked for.
struct Values<'s> {
    solver: RefCell<&'s mut SmtlibSolver>,
    known: RefCell<Option<FxHashMap<VarId, Result<Value, SolverError>>>>,
}

impl ValuationSource for Values<'_> {
    fn value(&self, store: &Store, var: VarId) -> Result<Value, SolverError> {
        let mut solver = self.solver.borrow_mut();
        let mut known = self.known.borrow_mut();
        if known.is_none() {
            *known = Some(solver.values(store)?);
        }
        match known.as_ref().and_then(|known| known.get(&var)) {
            Some(value) => value.clone(),
            None => Ok(default_value(store, store.var_sort(var))),
        }
    }
}

impl Solver for SmtlibSolver {
    fn push(&mut self) -> Result<(), SolverError> {
        self.end_query();
        self.scopes.push(String::new());
        self.unsent += "(push 1)\n";
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        assert!(self.scopes.len() > 1, "a scope should be open");
        self.end_query();
        self.scopes.pop();
        self.unsent += "(pop 1)\n";
        Ok(())
    }

    fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        self.declare(store, &[formula]);
        self.script.assert(store, formula);
        let command = self.script.take();
        self.unsent += &command;
        self.scopes.last_mut().expect("the outermost scope should be open").push_str(&command);
        Ok(())
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        Ok(match self.query(store, assumptions)?.1 {
            Asked::Sat => Answer::Sat(self.valuation()),
            Asked::Unsat => Answer::Unsat,
            Asked::Unknown(reason) => Answer::Unknown(reason),
        })
    }

    fn set_limit(&mut self, limit: QueryLimit) {
        self.limit = limit;
    }

    fn announce(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<(), SolverError> {
        if self.announced.is_some() || self.run.checkpoint().is_err() {
            return Ok(());
        }
        let (query, commands) = self.prepared(store, assumptions);
        let (commands, run) = (std::mem::take(&mut self.unsent) + &commands, self.run.clone());
        match self.process()?.tell(&commands, &run) {
            Ok(()) => self.announced = Some(Announced { assumptions: assumptions.to_vec(), query }),
            Err(NoAnswer::Killed) => self.forget_process(),
            Err(NoAnswer::Failed(error)) => {
                self.forget_process();
                return Err(error);
            }
        }
        Ok(())
    }
}

impl CoreSolver for SmtlibSolver {
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        let (query, asked) = self.query(store, assumptions)?;
        Ok(match asked {
            Asked::Sat => CoreAnswer::Sat(self.valuation()),
            Asked::Unsat => CoreAnswer::Unsat(self.core(assumptions, &query)?),
            Asked::Unknown(reason) => CoreAnswer::Unknown(reason),
        })
    }
}
