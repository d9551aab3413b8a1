//! `thetis generate`: shell completions and manual pages.

use std::path::Path;

use clap::CommandFactory;

use crate::args::{Cli, GenerateArgs, Generated};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;

pub(crate) fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    match &args.what {
        Generated::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "thetis", &mut script);
            terminal::answer(&String::from_utf8_lossy(&script))?;
        }
        Generated::Man { folder } => write_manual(folder)?,
    }
    Ok(Exit::Safe)
}

fn write_manual(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .map_err(|error| Failure::internal(format!("{}: {error}", folder.display())))
}
