//! `thetis convert`.

use std::fmt::Write;

use thetis_base::{Budget, Run};
use thetis_bounded::bmc;
use thetis_expr::smtlib::{Dialect, print_declarations, print_term};
use thetis_model::cfa::{self, Cfa};
use thetis_model::petri::{self, Net};
use thetis_model::sts::{Sts, ToCfa};
use thetis_model::{Pass, Task};

use crate::args::{ConvertArgs, Target};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Asked, Loaded};
use crate::{input, terminal};

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let text = match input::read(&args.file, &Asked::Nothing)? {
        Loaded::Cfa(input) => convert_cfa(args, &input.task)?,
        Loaded::Sts(input) => convert_sts(args, input.task)?,
        Loaded::Circuit(loaded) => convert_sts(args, loaded.input.task)?,
        Loaded::Net(input) => convert_net(args, &input.task.model)?,
    };
    match &args.output {
        None => terminal::answer(&text)?,
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Failure::internal(format!("{}: {error}", path.display())))?,
    }
    Ok(Exit::Safe)
}

fn convert_cfa(args: &ConvertArgs, task: &Task<Cfa>) -> Result<String, Failure> {
    match args.to {
        Target::Cfa => thetis_text::cfa::print(task).map_err(Failure::input),
        Target::Dot => Ok(cfa::dot(task)),
        Target::SmtLib => unrolling(task, args.bound),
        Target::Net | Target::Pnml => Err(Failure::usage("an automaton cannot be written as a Petri net")),
    }
}

/// A transition system is written as the automaton that engines for automata see.
fn convert_sts(args: &ConvertArgs, task: Task<Sts>) -> Result<String, Failure> {
    let run = Run::new(Budget::default());
    let passed = ToCfa.apply(task, &run).map_err(Failure::internal)?;
    convert_cfa(args, &passed.task)
}

fn convert_net(args: &ConvertArgs, net: &Net) -> Result<String, Failure> {
    match args.to {
        Target::Net => Ok(thetis_pnml::net::print(net, &[])),
        Target::Pnml => Ok(thetis_pnml::pnml::print(net)),
        Target::Dot => Ok(petri::to_dot(net)),
        Target::Cfa | Target::SmtLib => Err(Failure::usage("a Petri net is written as net, pnml or dot")),
    }
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
