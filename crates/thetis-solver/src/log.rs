//! The log of what a solver was asked and what it answered, as a script that any SMT-LIB solver replays.
//!
//! Answers and times stand in comments: `; answer: unsat`. Replaying the script gives the same answers in the same
//! order, except that limits are not part of it.

use std::io::Write;

use thetis_expr::{ExprId, Store};

use crate::{Script, SolverError};

/// A log of one solver.
pub struct QueryLog {
    script: Script,
    out: Box<dyn Write + Send>,
}

impl QueryLog {
    /// A log that is written to `out`, flushed after each answer so that a crash leaves the query that caused it.
    pub fn new(out: Box<dyn Write + Send>) -> Result<QueryLog, SolverError> {
        let mut log = QueryLog { script: Script::new(), out };
        log.script.line("(set-option :global-declarations true)\n(set-option :produce-models true)");
        log.script.line("(set-logic ALL)");
        log.write()?;
        Ok(log)
    }

    pub(crate) fn push(&mut self) -> Result<(), SolverError> {
        self.script.line("(push 1)");
        self.write()
    }

    pub(crate) fn pop(&mut self) -> Result<(), SolverError> {
        self.script.line("(pop 1)");
        self.write()
    }

    pub(crate) fn assert(&mut self, store: &Store, formula: ExprId) -> Result<(), SolverError> {
        self.script.declare(store, &[formula]);
        self.script.assert(store, formula);
        self.write()
    }

    /// Writes the query before it is asked.
    pub(crate) fn query(&mut self, store: &Store, assumptions: &[ExprId]) -> Result<(), SolverError> {
        self.script.declare(store, assumptions);
        self.script.query(store, assumptions);
        self.write()?;
        self.flush()
    }

    /// Writes the answer to the last query.
    pub(crate) fn answer(&mut self, answer: &str) -> Result<(), SolverError> {
        self.script.line(&format!("; answer: {}", answer.replace('\n', " ")));
        self.script.end_query();
        self.write()?;
        self.flush()
    }

    fn write(&mut self) -> Result<(), SolverError> {
        self.out.write_all(self.script.take().as_bytes()).map_err(failed)
    }

    fn flush(&mut self) -> Result<(), SolverError> {
        self.out.flush().map_err(failed)
    }
}

fn failed(error: std::io::Error) -> SolverError {
    SolverError::Died(format!("the query log cannot be written: {error}"))
}
