//! `thetis convert`.

use std::fmt::Write;

use thetis_base::Run;
use thetis_bounded::bmc;
use thetis_expr::smtlib::{Dialect, print_declarations, print_term};
use thetis_model::cfa::{self, Cfa};
use thetis_model::petri::{self, Net};
use thetis_model::sts::{Sts, ToCfa};
use thetis_model::xta::{self, Network};
use thetis_model::{Pass, Task};
use thetis_solver::HornScript;

use crate::args::{ConvertArgs, Target};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::loaded::Supported;
use crate::session::start_run;
use crate::{ending, input, outputs, terminal};

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    outputs::check(&args.output)?;
    // Standard output is for the model.
    ending::report_with(|reason| {
        terminal::show(&format!("thetis: {}", ending::line(reason)));
        String::new()
    });
    let run = start_run((&args.budget).into());
    let text = input::read_to_convert(&args.question, &run)?.convert(args, &run)?;
    match &args.output {
        None => terminal::conclude(&text, Exit::Safe),
        Some(path) => {
            outputs::try_write(path, &text)
                .map_err(|error| Failure::internal(format!("{}: {error}", input::shown(path))))?;
            Ok(Exit::Safe)
        }
    }
}

impl Supported for Cfa {
    fn converted(task: Task<Cfa>, args: &ConvertArgs, run: &Run) -> Result<String, Failure> {
        match args.to {
            Target::Cfa => thetis_text::cfa::print(&task).map_err(Failure::input),
            Target::Dot => Ok(cfa::dot(&task)),
            Target::SmtLib => unrolling(&task, args.bound, run),
            Target::Chc => clauses(&task),
            Target::Net | Target::Pnml => {
                Err(Failure::usage("an automaton cannot be written as a Petri net"))
            }
            Target::Tchecker => {
                Err(Failure::usage("an automaton without clocks is not written for TChecker"))
            }
        }
    }
}

impl Supported for Sts {
    /// A transition system is written as the automaton that engines for automata see.
    fn converted(task: Task<Sts>, args: &ConvertArgs, run: &Run) -> Result<String, Failure> {
        let passed = ToCfa.apply(task, run).map_err(Failure::stopped)?;
        Cfa::converted(passed.task, args, run)
    }
}

impl Supported for Net {
    fn converted(task: Task<Net>, args: &ConvertArgs, _: &Run) -> Result<String, Failure> {
        match args.to {
            Target::Net => Ok(thetis_pnml::net::print(&task.model, &[])),
            Target::Pnml => Ok(thetis_pnml::pnml::print(&task.model)),
            Target::Dot => Ok(petri::to_dot(&task.model)),
            Target::Cfa | Target::SmtLib | Target::Chc | Target::Tchecker => {
                Err(Failure::usage("a Petri net is written as net, pnml or dot"))
            }
        }
    }
}

impl Supported for Network {
    fn converted(task: Task<Network>, args: &ConvertArgs, _: &Run) -> Result<String, Failure> {
        match args.to {
            Target::Dot => Ok(xta::dot(&task.model)),
            Target::Tchecker => thetis_xta::tchecker::print(&task.model)
                .map_err(|what| Failure::input(format!("TChecker's format cannot express {what}"))),
            Target::Cfa | Target::SmtLib | Target::Chc | Target::Net | Target::Pnml => {
                Err(Failure::usage("timed automata are written as dot or tchecker"))
            }
        }
    }
}

/// Horn clauses that are satisfiable iff no error location is reachable.
fn clauses(task: &Task<Cfa>) -> Result<String, Failure> {
    if let Some(reason) = task.model.limits.values().next() {
        return Err(Failure::input(format!("Horn clauses cannot say what is not modelled: {reason}")));
    }
    let system = thetis_horn::encode(task).system;
    Ok(HornScript::new(&task.store, &system).text(&task.store, &system))
}

/// A script that is satisfiable iff a run with at most `bound` back edges reaches an error location.
fn unrolling(task: &Task<Cfa>, bound: u32, run: &Run) -> Result<String, Failure> {
    let formulas = bmc::unroll(task, bound, run).map_err(Failure::stopped)?;
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
