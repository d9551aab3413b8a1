//! `thetis launch`: executes another program that cannot outlive its parent or exceed its limits.
//!
//! An internal command. The process itself sets its limits, and arranges to die with its parent, before it executes the
//! program: the settings survive `exec`, so the program never runs without them. Child processes inherit the limits but
//! not the death with the parent; they end when nobody reads their output.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use rustix::process::{Pid, Resource, Rlimit, Signal, getppid, set_parent_process_death_signal, setrlimit};

use crate::exit::Exit;
use crate::failure::Failure;

/// Become another program that ends with this one's parent
#[derive(Args, Debug)]
pub(crate) struct LaunchArgs {
    /// The process that asks for it
    #[arg(long)]
    parent: i32,

    /// The most CPU time, in seconds
    #[arg(long)]
    cpu_seconds: Option<u64>,

    /// The most address space, in bytes
    #[arg(long)]
    address_space: Option<u64>,

    /// The size of the largest file that may be written, in bytes
    #[arg(long)]
    file_size: Option<u64>,

    /// The program and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

/// What a launched program may use.
#[derive(Clone, Copy, Default)]
pub(crate) struct LaunchLimits {
    pub(crate) cpu: Option<Duration>,
    pub(crate) address_space: Option<u64>,
    pub(crate) file_size: Option<u64>,
}

/// The command line that starts `command` so that it dies with this process. A program that cannot be found is returned
/// unchanged: starting it gives a better error message.
pub(crate) fn launching(command: Vec<OsString>, limits: LaunchLimits) -> io::Result<Vec<OsString>> {
    if command.first().and_then(|program| find(Path::new(program))).is_none() {
        return Ok(command);
    }
    let mut line: Vec<OsString> = vec![std::env::current_exe()?.into(), "launch".into()];
    let mut option = |name: &str, value: Option<u64>| {
        line.extend(value.map(|value| OsString::from(format!("--{name}={value}"))));
    };
    option("parent", Some(u64::from(std::process::id())));
    option("cpu-seconds", limits.cpu.map(|time| time.as_secs() + 1));
    option("address-space", limits.address_space);
    option("file-size", limits.file_size);
    line.push("--".into());
    line.extend(command);
    Ok(line)
}

pub(crate) fn run(args: &LaunchArgs) -> Result<Exit, Failure> {
    // The kernel may not support it; then the limits remain.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    if getppid() != Pid::from_raw(args.parent) {
        return Err(Failure::internal("the process that asked for it has ended"));
    }
    limit(Resource::Cpu, args.cpu_seconds).map_err(Failure::internal)?;
    limit(Resource::As, args.address_space).map_err(Failure::internal)?;
    limit(Resource::Fsize, args.file_size).map_err(Failure::internal)?;
    limit(Resource::Core, Some(0)).map_err(Failure::internal)?;
    let [program, arguments @ ..] = args.command.as_slice() else {
        return Err(Failure::usage("there is no program to start"));
    };
    let error = Command::new(program).args(arguments).exec();
    Err(Failure::internal(format!("`{}` cannot be started: {error}", program.display())))
}

fn limit(resource: Resource, most: Option<u64>) -> io::Result<()> {
    let Some(most) = most else { return Ok(()) };
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    Ok(())
}

/// The file of a program, by its path or in the folders where programs are looked for.
fn find(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 || program.is_absolute() {
        return program.is_file().then(|| program.to_path_buf());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_that_exist_are_launched() {
        let limits = LaunchLimits { cpu: Some(Duration::from_millis(1500)), ..LaunchLimits::default() };
        let line = launching(vec!["sh".into(), "-c".into(), "exit".into()], limits).unwrap();
        assert!(
            line.contains(&"--cpu-seconds=2".into())
                && line.ends_with(&["--".into(), "sh".into(), "-c".into(), "exit".into()])
        );
        let missing = vec![OsString::from("no-such-program-anywhere")];
        assert_eq!(launching(missing.clone(), limits).unwrap(), missing);
    }
}
