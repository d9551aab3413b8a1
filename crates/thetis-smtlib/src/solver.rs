//! The solver over a process: the commands in force, queries, values and cores.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::Run;
use thetis_expr::smtlib::sexpr::{Sexpr, Sexprs};
use thetis_expr::smtlib::{print_name, value_of};
use thetis_expr::{ExprId, Store, Value, VarId, default_value};
use thetis_solver::{
    Answer, BareAnswer, CoreAnswer, CoreSolver, Pending, Query, QueryLimit, Reason, Script, Solver,
    SolverError, SolverFactory, Valuation, ValuationSource,
};

use crate::SmtlibConfig;
use crate::ahead::{Ahead, Line, Pool, SharedLine};
use crate::process::NoAnswer;

/// Starts solvers of one configuration.
#[derive(Clone)]
pub struct SmtlibFactory {
    pool: Rc<Pool>,
}

impl SmtlibFactory {
    /// A factory of the configured solver.
    pub fn new(config: SmtlibConfig) -> SmtlibFactory {
        SmtlibFactory { pool: Rc::new(Pool::new(config)) }
    }
}

impl SolverFactory for SmtlibFactory {
    fn name(&self) -> &str {
        &self.pool.config.name
    }

    fn prepare(&self, run: &Run) -> Result<(), SolverError> {
        self.pool.prepare(run)
    }

    fn start(&self, run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        Ok(Box::new(SmtlibSolver::new(self.pool.clone(), run)?))
    }
}

/// A solver in a process of its own.
pub struct SmtlibSolver {
    /// Where the process comes from, and where it goes when the solver is dropped.
    pool: Rc<Pool>,
    run: Run,
    limit: QueryLimit,
    script: Script,
    /// All declarations so far; they outlive scopes.
    declarations: Vec<Rc<str>>,
    /// The assertions in force by scope, as commands.
    scopes: Vec<Vec<Rc<str>>>,
    /// Commands that were not sent to the process yet.
    unsent: String,
    line: SharedLine,
}

impl SmtlibSolver {
    /// A solver without assertions, whose queries end when `run` must stop.
    fn new(pool: Rc<Pool>, run: &Run) -> Result<SmtlibSolver, SolverError> {
        let line = pool.take()?;
        let unsent = line.borrow().introduction(&pool.config);
        Ok(SmtlibSolver {
            pool,
            run: run.clone(),
            limit: QueryLimit::default(),
            script: Script::new(),
            declarations: Vec::new(),
            scopes: vec![Vec::new()],
            unsent,
            line,
        })
    }

    /// Starts a new process if the last one has ended. It gets all commands in force, instead of what was not sent yet.
    fn revive(&mut self) -> Result<(), SolverError> {
        if !self.line.borrow().is_alive() {
            self.line = Line::start(&self.pool.config)?;
            self.script.drop_query();
            self.script.take();
            let scopes: Vec<String> = self.scopes.iter().map(|scope| scope.concat()).collect();
            self.unsent =
                self.pool.config.prologue() + &self.declarations.concat() + &scopes.join("(push 1)\n");
        }
        Ok(())
    }

    fn declare(&mut self, store: &Store, roots: &[ExprId]) {
        self.end_query();
        self.script.declare(store, roots);
        let declarations = self.script.take();
        if !declarations.is_empty() {
            self.unsent += &declarations;
            self.declarations.push(declarations.into());
        }
    }

    fn end_query(&mut self) {
        self.script.end_query();
        self.unsent += &self.script.take();
    }

    /// Sends what was not sent yet and reads an answer.
    fn ask(&mut self, commands: &str, run: &Run) -> Result<Result<String, Reason>, SolverError> {
        let commands = std::mem::take(&mut self.unsent) + commands;
        let answer = self.line.borrow_mut().ask(&commands, run);
        match answer {
            Ok(answer) => Ok(Ok(answer)),
            Err(NoAnswer::Killed) => Ok(Err(Reason::Interrupted)),
            Err(NoAnswer::Failed(error)) => Err(error),
        }
    }

    fn query(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<(Query, BareAnswer), SolverError> {
        let run = self.limit.time.map_or_else(|| self.run.clone(), |time| self.run.at_most(time));
        if run.checkpoint().is_err() {
            return Ok((Query { literals: Vec::new() }, BareAnswer::Unknown(Reason::Interrupted)));
        }
        self.revive()?;
        self.declare(store, assumptions);
        let query = self.script.query(store, assumptions);
        let commands = self.script.take();
        let asked = match self.ask(&commands, &run)? {
            Err(reason) => BareAnswer::Unknown(reason),
            Ok(answer) => match answer.as_str() {
                "sat" => BareAnswer::Sat,
                "unsat" => BareAnswer::Unsat,
                "unknown" => BareAnswer::Unknown(self.reason()?),
                _ => return Err(SolverError::Protocol(answer)),
            },
        };
        Ok((query, asked))
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
        if !self.pool.config.unsat_assumptions || assumptions.is_empty() {
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
    fn drop(&mut self) {
        self.pool.give_back(self.line.clone());
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
        self.scopes.push(Vec::new());
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
        self.scopes.last_mut().expect("the outermost scope should be open").push(command.into());
        Ok(())
    }

    fn check(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<Answer<'_>, SolverError> {
        Ok(match self.query(store, assumptions)?.1 {
            BareAnswer::Sat => Answer::Sat(self.valuation()),
            BareAnswer::Unsat => Answer::Unsat,
            BareAnswer::Unknown(reason) => Answer::Unknown(reason),
        })
    }

    fn set_limit(&mut self, limit: QueryLimit) {
        self.limit = limit;
    }

    fn ask_ahead(
        &mut self,
        store: &Store,
        assumptions: &[ExprId],
    ) -> Result<Option<Box<dyn Pending>>, SolverError> {
        self.revive()?;
        self.declare(store, assumptions);
        assumptions.iter().for_each(|formula| self.script.assert(store, *formula));
        let assumed = self.script.take();
        let text = format!("{}(push 1)\n{assumed}(check-sat)\n(pop 1)\n", std::mem::take(&mut self.unsent));
        let given = self.declarations.iter().chain(self.scopes.iter().flatten()).cloned();
        let commands = given.chain([assumed.into()]).collect();
        let question = Ahead::send(&self.line, &self.pool, &text, commands, &self.run)?;
        Ok(Some(Box::new(question)))
    }
}

impl CoreSolver for SmtlibSolver {
    fn check_core(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<CoreAnswer<'_>, SolverError> {
        let (query, asked) = self.query(store, assumptions)?;
        Ok(match asked {
            BareAnswer::Sat => CoreAnswer::Sat(self.valuation()),
            BareAnswer::Unsat => CoreAnswer::Unsat(self.core(assumptions, &query)?),
            BareAnswer::Unknown(reason) => CoreAnswer::Unknown(reason),
        })
    }
}
