//! The solvers that decide whether a proof is accepted.
//!
//! Boolean formulas go to a SAT solver whose proofs Thetis checks itself. Formulas with floats go to branch and bound
//! with exact ranges, which engines use too, so it does not count for strict checks. Others are decided by the built-in
//! Z3, whatever solver the engines use, so that a solver attached by `--solver` is never trusted alone; it gives the
//! second opinion. `--second-opinion` names another solver for that, and `--strict` requires its agreement.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use thetis_report::fingerprint;
use thetis_sat::ProvedSatFactory;
use thetis_smtlib::{SmtlibConfig, SmtlibFactory};
use thetis_solver::{Demand, FallbackFactory, Grounds, JudgeFactory, SolverFactory};
use thetis_z3::Z3Factory;

use crate::args::{JudgeArgs, SolverArgs};
use crate::commands::launch::{LaunchLimits, launching};
use crate::failure::Failure;
use crate::input::{read_text, shown};
use crate::outputs;

/// Where `setup.sh` installs solvers, relative to the folder of the program: `target/PROFILE`, `target/TRIPLE/PROFILE`,
/// `bin`.
const FOLDERS: [&str; 3] = ["../../third_party", "../../../third_party", "../lib/thetis"];

/// The judges of a command whose engines use `boxes` and `solvers`.
pub(crate) fn judges(
    boxes: Rc<dyn SolverFactory>,
    solvers: Rc<dyn SolverFactory>,
    engine: &SolverArgs,
    args: &JudgeArgs,
) -> Result<JudgeFactory, Failure> {
    let folder = engine.smt_log.clone().unwrap_or_default();
    let keep = Box::new(move |script: &str| keep_script(&folder, script));
    let prover: Rc<dyn SolverFactory> = match args.strict {
        true => Rc::new(ProvedSatFactory),
        false => Rc::new(FallbackFactory::new(Rc::new(ProvedSatFactory), boxes)),
    };
    let judges = match &engine.solver {
        None => JudgeFactory::new(prover, solvers, keep),
        Some(_) => JudgeFactory::new(prover, Rc::new(Z3Factory::default()), keep).with_second(solvers),
    };
    let judges = match &args.second_opinion {
        None => judges,
        Some(name) => judges.with_second(Rc::new(SmtlibFactory::new(named(name)?.answers_only()))),
    };
    Ok(judges.demanding(if args.strict { Demand::NoSingleWord } else { Demand::OneSolver }))
}

/// What a check rests on, as a sentence.
pub(crate) fn sentence(grounds: &Grounds) -> String {
    let Grounds { proved, agreed, single, .. } = grounds;
    let mut parts = Vec::new();
    let mut part = |count: u64, words: String| {
        if count > 0 {
            parts.push(format!("{count} {words}"));
        }
    };
    part(*proved, "by proofs that were checked".into());
    part(*agreed, format!("by {}", grounds.solvers.join(" and ")));
    part(*single, format!("by {} alone", grounds.solvers.first().map_or("one solver", String::as_str)));
    match grounds.total() {
        0 => "No solver was needed.".into(),
        total => format!("Obligations: {total}, decided {}.", parts.join(", ")),
    }
}

/// The configuration of the solver in a file, in a process that ends when this one does.
pub(crate) fn configured(path: &Path) -> Result<SmtlibConfig, Failure> {
    let text = read_text(path)?;
    let config: SmtlibConfig =
        toml::from_str(&text).map_err(|error| Failure::usage(format!("{}: {error}", shown(path))))?;
    ending_with_this(config)
}

/// The solver of a configuration file, or one that `setup.sh` has fetched.
fn named(name: &Path) -> Result<SmtlibConfig, Failure> {
    let Some(known) = name.to_str().filter(|name| ["cvc5", "bitwuzla"].contains(name)) else {
        return configured(name);
    };
    let program = std::env::current_exe().map_err(Failure::internal)?;
    let places =
        FOLDERS.iter().filter_map(|folder| Some(program.parent()?.join(folder).join(known).join(known)));
    let Some(place) = places.into_iter().find(|place| place.is_file()) else {
        return Err(Failure::usage(format!("{known} is not there; `./setup.sh --all` fetches it")));
    };
    // The checker starts several solvers one after the other; starting processes would take longer than the queries.
    let config = SmtlibConfig { reusable: true, ..SmtlibConfig::new(known, [place.to_string_lossy()]) };
    match known {
        // Its driver is part of Thetis and dies with its parent; `launch` would double the start-up time.
        "cvc5" => Ok(config),
        _ => ending_with_this(config),
    }
}

fn ending_with_this(mut config: SmtlibConfig) -> Result<SmtlibConfig, Failure> {
    let command = config.command.iter().map(Into::into).collect();
    let line = launching(command, LaunchLimits::default()).map_err(Failure::internal)?;
    config.command = line.into_iter().map(|word| word.to_string_lossy().into_owned()).collect();
    Ok(config)
}

/// Writes the query on which solvers disagree, and reports where, or why it could not.
fn keep_script(folder: &Path, script: &str) -> String {
    let path: PathBuf = folder.join(format!("disagreement-{}.smt2", &fingerprint(script.as_bytes())[..12]));
    match outputs::try_write(&path, script) {
        Ok(()) => format!("the question is in {}", shown(&path)),
        Err(error) => format!("the question could not be written to {}: {error}", shown(&path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_what_was_believed() {
        let grounds = |proved, agreed, single, solvers: &[&str]| Grounds {
            proved,
            agreed,
            single,
            solvers: solvers.iter().map(|name| (*name).to_owned()).collect(),
        };
        for (grounds, expected) in [
            (grounds(0, 0, 0, &[]), "No solver was needed."),
            (grounds(3, 0, 0, &[]), "Obligations: 3, decided 3 by proofs that were checked."),
            (grounds(0, 4, 0, &["z3", "cvc5"]), "Obligations: 4, decided 4 by z3 and cvc5."),
            (grounds(0, 4, 1, &["z3", "cvc5"]), "Obligations: 5, decided 4 by z3 and cvc5, 1 by z3 alone."),
        ] {
            assert_eq!(sentence(&grounds), expected);
        }
    }
}
