//! Horn clauses, solved by a process.
//!
//! Engines for Horn clauses are large and young: they take what memory there is, and some end their process where
//! others report an error. In a process of its own that is no worse than having no answer.

use thetis_base::{Run, Stop};
use thetis_expr::Store;
use thetis_solver::{HornAnswer, HornScript, HornSolver, HornSystem};

use crate::process::{NoAnswer, Process};

/// Starts a process for each system of clauses.
#[derive(Clone, Debug)]
pub struct HornProcess {
    command: Vec<String>,
    options: String,
}

impl HornProcess {
    /// The program and its arguments, and the commands that it gets first.
    pub fn new(command: Vec<String>, options: String) -> HornProcess {
        HornProcess { command, options }
    }
}

impl HornSolver for HornProcess {
    fn solve(&mut self, store: &Store, system: &HornSystem, run: &Run) -> Result<HornAnswer, Stop> {
        run.checkpoint()?;
        let script = HornScript::new(store, system);
        let mut process = match Process::start(&self.command) {
            Ok(process) => process,
            Err(error) => return Ok(HornAnswer::Unknown(error.to_string())),
        };
        if let Some(memory) = run.memory_for_children() {
            process.limit_memory(memory);
        }
        if let Some(time) = run.cpu_left() {
            process.limit_cpu_time(time);
        }
        let mut ask = |commands: &str| match process.ask(commands, run) {
            Ok(answer) => answer,
            Err(NoAnswer::Killed) => "out of time".into(),
            Err(NoAnswer::Failed(error)) => error.to_string(),
        };
        let answer = ask(&format!("{}{}", self.options, script.text(store, system)));
        Ok(match answer.as_str() {
            "sat" => {
                let solution = script.read(store, &ask("(get-model)\n"));
                solution.map_or_else(
                    || HornAnswer::Unknown("the solution of the clauses cannot be read".into()),
                    HornAnswer::Solved,
                )
            }
            "unsat" => HornAnswer::Contradictory,
            other => HornAnswer::Unknown(format!("the solver of Horn clauses says: {other}")),
        })
    }
}
