//! `thetis solver`: Z3 as a process of its own, for what it should not do in ours.
//!
//! Not for people: SMT-LIB commands on standard input, answers on standard output. Commands are carried out when one comes
//! that has an answer, each on lines of its own.

use std::io::{BufRead, Write};

use rustix::process::{Signal, set_parent_process_death_signal};

use crate::exit::Exit;
use crate::failure::Failure;

const WITH_ANSWER: [&str; 2] = ["(check-sat)", "(get-model)"];

/// The arguments with which this program is a solver.
pub(crate) fn arguments() -> [String; 1] {
    ["solver".into()]
}

pub(crate) fn run() -> Result<Exit, Failure> {
    // Without this it would outlive a program that is killed; the kernel may not know it, then its limits remain.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let mut script = String::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(Failure::internal)?;
        script += &line;
        script.push('\n');
        if WITH_ANSWER.contains(&line.as_str()) {
            let answer = thetis_z3::evaluate_script(&script).map_err(Failure::internal)?;
            let mut output = std::io::stdout().lock();
            output.write_all(answer.as_bytes()).and_then(|()| output.flush()).map_err(Failure::internal)?;
            script.clear();
        }
    }
    Ok(Exit::Safe)
}
