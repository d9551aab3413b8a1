//! `thetis convert`.

use std::fmt::Write;

use thetis_base::{Run, printable};
use thetis_bounded::bmc;
use thetis_expr::smtlib::{Dialect, print_declarations, print_term};
use thetis_model::cfa::{self, Cfa};
use thetis_model::petri::{self, Net};
use thetis_model::sts::{Sts, ToCfa};
use thetis_model::xta::{self, Network};
use thetis_model::{Pass, Task};
use thetis_report::{CertificateError, read_certificate};
use thetis_solver::HornScript;

use crate::args::{ConvertArgs, Target};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::input::standard::hold;
use crate::loaded::Supported;
use crate::session::start_run;
use crate::{ending, input, outputs, terminal};

pub(crate) fn run(mut args: ConvertArgs) -> Result<Exit, Failure> {
    outputs::check(&args.output)?;
    // Standard output is for the model.
    ending::report_with(|reason| {
        terminal::show(&format!("thetis: {}", ending::line(reason)));
        String::new()
    });
    let run = start_run((&args.budget).into());
    let _held = hold(&mut args.question, &run)?;
    let text = input::read_to_convert(&args.question, &run)?.convert(&args, &run)?;
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
            Target::Tchecker | Target::Xta | Target::UppaalTrace => {
                Err(Failure::usage("an automaton without clocks is not written for TChecker or UPPAAL"))
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
            Target::Cfa
            | Target::SmtLib
            | Target::Chc
            | Target::Tchecker
            | Target::Xta
            | Target::UppaalTrace => Err(Failure::usage("a Petri net is written as net, pnml or dot")),
        }
    }
}

impl Supported for Network {
    fn converted(task: Task<Network>, args: &ConvertArgs, _: &Run) -> Result<String, Failure> {
        match args.to {
            Target::Dot => Ok(xta::dot(&task.model)),
            Target::Tchecker => thetis_xta::tchecker::print(&task.model)
                .map_err(|what| Failure::input(format!("TChecker's format cannot express {what}"))),
            _ => Err(Failure::usage("timed automata are written as xta, tchecker, dot or uppaal-trace")),
        }
    }
}

/// The run of a certificate as UPPAAL's verifier prints runs.
pub(crate) fn uppaal_trace<M: Supported>(input: &Input<M>, args: &ConvertArgs) -> Result<String, Failure> {
    let Some(path) = &args.certificate else {
        return Err(Failure::usage("`--to uppaal-trace` needs `--certificate` with a run"));
    };
    let in_certificate =
        |error: &dyn std::fmt::Display| Failure::input(printable(&format!("{}: {error}", path.display())));
    let certificate = input::read_text(path)?;
    let verdict = read_certificate(&input.task, &input.sha256, &certificate)
        .map_err(|error: CertificateError| in_certificate(&error))?;
    let (Some(_), Some(writer)) = (input.language.written(), input.language.witnesses()) else {
        return Err(Failure::usage("only runs of timed automata are written as UPPAAL's verifier does"));
    };
    match writer.witness(&input.task, &verdict, &input.sources) {
        Ok(Some(witness)) => Ok(witness.text),
        Ok(None) => Err(in_certificate(&"the certificate has no run")),
        Err(reason) => Err(in_certificate(&reason)),
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
