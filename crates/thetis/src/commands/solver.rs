//! `thetis solver`: Z3 in a separate process, for work that might crash ours.
//!
//! An internal command: SMT-LIB commands on standard input, answers on standard output. Commands are executed as soon
//! as one arrives that has an answer; each answer is on its own lines.

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
    // Without this it would outlive a killed parent. If the kernel does not support it, the limits remain.
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
