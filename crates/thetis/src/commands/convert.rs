//! `thetis convert`.

use std::fmt::Write;

use thetis_base::{Budget, Run};
use thetis_bounded::bmc;
use thetis_expr::smtlib::{Dialect, print_declarations, print_term};
use thetis_model::Task;
use thetis_model::cfa::{self, Cfa};

use crate::args::{ConvertArgs, Target};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{input, terminal};

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let input = input::read(&args.file)?;
    let text = match args.to {
        Target::Cfa => thetis_text::cfa::print(&input.task).map_err(Failure::input)?,
        Target::Dot => cfa::dot(&input.task),
        Target::SmtLib => unrolling(&input.task, args.bound)?,
    };
    match &args.output {
        None => terminal::answer(&text)?,
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Failure::internal(format!("{}: {error}", path.display())))?,
    }
    Ok(Exit::Safe)
}

/// A script that is satisfiable iff a run with at most `bound` back edges reaches an error location.
fn unrolling(task: &Task<Cfa>, bound: u32) -> Result<String, Failure> {
    let run = Run::new(Budget::default());
    let formulas = bmc::unroll(task, bound, &run).map_err(Failure::internal)?;
    let mut script =
        format!("; satisfiable iff a violation takes at most {bound} back edges\n(set-logic ALL)\n");
    script.push_str(&print_declarations(&task.store, formulas.iter().copied()));
    for formula in formulas {
        // Writing to a string cannot fail.
        let _ = writeln!(script, "(assert {})", print_term(&task.store, formula, Dialect::Standard));
    }
    script.push_str("(check-sat)\n");
    Ok(script)
}
