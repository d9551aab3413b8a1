//! `thetis bench submit` and `thetis bench merge`: campaigns on a cluster.
//!
//! A campaign is split into parts that share only the task list: each is a `thetis bench run --part K/N` with its own
//! result file, so a part that was killed resumes when it is submitted again. Slurm decides when and where parts run;
//! an array job has a task for each. When all have ended, a last job merges the results.

use std::path::Path;

use clap::{Args, Command, FromArgMatches};
use thetis_base::counted;
use thetis_bench::{Journal, ResultFile};

use super::args::{MergeArgs, RunArgs, SubmitArgs};
use super::failure;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::shown;
use crate::{outputs, terminal};

/// Writes the scripts of a campaign.
pub(super) fn submit(args: &SubmitArgs) -> Result<Exit, Failure> {
    let run = campaign(&args.arguments)?;
    if run.part.is_some() || args.arguments.iter().any(|word| word == "-o" || word.starts_with("--output")) {
        return Err(Failure::usage("`--part` and `--output` are decided here"));
    }
    let in_folder = |error: std::io::Error| Failure::usage(format!("{}: {error}", shown(&args.folder)));
    std::fs::create_dir_all(args.folder.join("parts")).map_err(in_folder)?;
    let folder = args.folder.canonicalize().map_err(in_folder)?;
    // A line break would end the comment in which Slurm looks for the name of the log.
    if folder.to_string_lossy().contains(char::is_control) {
        return Err(Failure::usage(format!("{}: control characters in its name", shown(&folder))));
    }
    let program = std::env::current_exe().map_err(Failure::internal)?;
    let here = std::env::current_dir().map_err(Failure::internal)?;
    let campaign = Campaign { args, folder: &folder, program: &program, here: &here, jobs: run.jobs };
    for (name, text) in
        [("part.sh", campaign.part()), ("merge.sh", campaign.merge()), ("submit.sh", campaign.submit())]
    {
        let path = folder.join(name);
        outputs::try_write(&path, &text).and_then(|()| make_executable(&path)).map_err(in_folder)?;
    }
    terminal::answer(&format!("{}\n", shown(&args.folder.join("submit.sh"))))?;
    Ok(Exit::Safe)
}

/// The campaign that arguments of `thetis bench run` describe.
fn campaign(arguments: &[String]) -> Result<RunArgs, Failure> {
    let command = RunArgs::augment_args(Command::new("thetis bench run").no_binary_name(true));
    let parsed =
        command.try_get_matches_from(arguments).and_then(|matches| RunArgs::from_arg_matches(&matches));
    parsed.map_err(|error| Failure::usage(error.to_string()))
}

fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

/// What the scripts depend on.
struct Campaign<'a> {
    args: &'a SubmitArgs,
    folder: &'a Path,
    program: &'a Path,
    here: &'a Path,
    jobs: u16,
}

impl Campaign<'_> {
    /// The header of a job: its Slurm options.
    fn head(&self, name: &str, others: &[String]) -> String {
        let log = self.folder.join("parts").join(format!("{name}-%A-%a.log"));
        let mut text =
            format!("#!/bin/sh\n#SBATCH --job-name=thetis-{name}\n#SBATCH --output={}\n", log.display());
        for option in others.iter().chain(&self.args.options) {
            text.push_str(&format!("#SBATCH {option}\n"));
        }
        text
    }

    /// The job of one part.
    fn part(&self) -> String {
        let number = self.args.parts;
        let options =
            [format!("--array=1-{number}"), "--nodes=1".to_owned(), format!("--cpus-per-task={}", self.jobs)];
        let words: Vec<String> = self.args.arguments.iter().map(|word| quoted(word)).collect();
        format!(
            "{}cd {} || exit 1\nexec {} bench run {} --part \"$SLURM_ARRAY_TASK_ID/{number}\" --output {}/parts/\"$SLURM_ARRAY_TASK_ID\".jsonl\n",
            self.head("part", &options),
            quoted_path(self.here),
            quoted_path(self.program),
            words.join(" "),
            quoted_path(self.folder),
        )
    }

    /// The job after all parts.
    fn merge(&self) -> String {
        format!(
            "{}cd {} || exit 1\nrm -f results.jsonl\nexec {} bench merge parts/*.jsonl --output results.jsonl\n",
            self.head("merge", &[]),
            quoted_path(self.folder),
            quoted_path(self.program),
        )
    }

    /// The script that submits the jobs to Slurm.
    fn submit(&self) -> String {
        let folder = quoted_path(self.folder);
        format!(
            "#!/bin/sh\nset -e\nparts=$(sbatch --parsable {folder}/part.sh)\n\
             sbatch --parsable --dependency=\"afterany:${{parts%%;*}}\" {folder}/merge.sh\n"
        )
    }
}

/// A word, quoted for the shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn quoted_path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// Writes one result file from those of all parts.
pub(super) fn merge(args: &MergeArgs) -> Result<Exit, Failure> {
    let parts = args.parts.iter().map(|path| ResultFile::read_runs(path)).collect::<Result<Vec<_>, _>>();
    let (header, rows) = thetis_bench::merge(&parts.map_err(failure)?).map_err(failure)?;
    if args.output.exists() {
        return Err(Failure::usage(format!("{} is there already", shown(&args.output))));
    }
    let mut journal = Journal::open(&args.output, &header).map_err(failure)?;
    for row in &rows {
        journal.append(row).map_err(failure)?;
    }
    terminal::show(&format!("thetis: {} has {}\n", shown(&args.output), counted(rows.len(), "row")));
    Ok(Exit::Safe)
}
