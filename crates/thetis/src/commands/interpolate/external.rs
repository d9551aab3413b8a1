//! An external learner: points go out and hypotheses come in through files.
//!
//! For each hypothesis the program is started again with the names of two files: `points.csv` with the points as
//! `--data` writes them, and `hypothesis.smt2`, to which it must write a formula over the columns, as an SMT-LIB term.
//! It is not trusted: a hypothesis is evaluated on all points and then proved or refuted by the teacher like any other.

use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use thetis_base::{Run, Stop, charge_cpu_time, printable};
use thetis_expr::smtlib::{Declared, parse_term};
use thetis_expr::{ExprId, Sort, Store};
use thetis_ice::{Data, Learner};
use wait4::Wait4;

use super::answer::csv;
use crate::commands::launch::{LaunchLimits, launching};
use crate::failure::Failure;

/// The longest formula that is read.
const MAX_BYTES: u64 = 16 << 20;

/// The learner. See the [module](self).
pub(super) struct ExternalLearner {
    program: PathBuf,
    folder: TempDir,
}

impl ExternalLearner {
    /// A learner that is `program`.
    pub(super) fn new(program: &Path) -> Result<ExternalLearner, Failure> {
        let folder = tempfile::tempdir().map_err(Failure::internal)?;
        Ok(ExternalLearner { program: program.to_owned(), folder })
    }

    fn ask(&self, points: &Path, hypothesis: &Path, run: &Run) -> Result<(), Stop> {
        let line = vec![self.program.clone().into(), points.into(), hypothesis.into()];
        let line = launching(line, LaunchLimits { file_size: Some(MAX_BYTES), ..LaunchLimits::default() });
        let line = line.map_err(Stop::failed)?;
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]).process_group(0).stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.spawn().map_err(|error| self.failed(&error))?;
        let group = Pid::from_child(&child);
        let registration = run.on_cancel(move || {
            // It is fine if the group has already ended.
            let _ = kill_process_group(group, Signal::KILL);
        });
        let ended = child.wait4().map_err(Stop::failed)?;
        drop(registration);
        charge_cpu_time(ended.rusage.utime + ended.rusage.stime);
        run.checkpoint()?;
        if ended.status.success() { Ok(()) } else { Err(self.failed(&ended.status)) }
    }

    fn failed(&self, words: &dyn std::fmt::Display) -> Stop {
        let program = self.program.display().to_string();
        Stop::failed(format!("the learner `{}` has failed: {words}", printable(&program)))
    }
}

impl Learner for ExternalLearner {
    fn name(&self) -> &'static str {
        "external"
    }

    fn learn(&mut self, store: &Store, data: &Data, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        let [points, hypothesis] =
            ["points.csv", "hypothesis.smt2"].map(|name| self.folder.path().join(name));
        std::fs::write(&points, csv(store, data)).map_err(Stop::failed)?;
        // An old hypothesis must not be taken for a new one.
        let _ = std::fs::remove_file(&hypothesis);
        self.ask(&points, &hypothesis, run)?;
        let mut text = String::new();
        let file = File::open(&hypothesis).map_err(|error| self.failed(&error))?;
        file.take(MAX_BYTES).read_to_string(&mut text).map_err(|error| self.failed(&error))?;
        let formula = parse_term(store, text.trim(), &Declared).map_err(|error| self.failed(&error))?;
        let is_over_points = store.vars_of([formula]).iter().all(|var| data.vars(0).contains(var));
        if store.sort(formula) != Sort::Bool || !is_over_points {
            return Err(self.failed(&"its hypothesis is not a formula over the columns of the points"));
        }
        Ok(Some(vec![formula]))
    }
}
