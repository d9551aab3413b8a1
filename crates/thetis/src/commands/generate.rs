//! `thetis generate`: shell completions and manual pages.

use std::io;
use std::path::Path;

use clap::{Command, CommandFactory};

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
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    std::fs::create_dir_all(folder)
        .and_then(|()| write_pages(&program, folder))
        .map_err(|error| Failure::internal(format!("{}: {error}", folder.display())))
}

/// The page of a command and those of its subcommands.
fn write_pages(command: &Command, folder: &Path) -> io::Result<()> {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        write_pages(inner, folder)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    std::fs::write(folder.join(page.get_filename()), with_sections(&String::from_utf8_lossy(&text)))
}

/// The page with sections of their own for examples, line by line, and for exit codes, which are together in one that is called `EXTRA`.
fn with_sections(page: &str) -> String {
    let page = page.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n.nf\n");
    let Some((before, examples)) = page.split_once(".SH EXAMPLES\n.nf\n") else { return page };
    let (examples, after) = examples.split_at(examples.find("\n.SH ").unwrap_or(examples.trim_end().len()));
    let examples = match examples.split_once("\n\nExit codes: ") {
        Some((examples, codes)) => format!("{examples}\n.fi\n.SH \"EXIT STATUS\"\n{codes}"),
        None => format!("{examples}\n.fi"),
    };
    format!("{before}.SH EXAMPLES\n.nf\n{examples}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_and_exit_codes_have_sections() {
        for (page, expected) in [
            (
                ".SH EXTRA\nExamples:\n  a\n  b\n\nExit codes: 0 safe\n.SH VERSION\n1\n",
                ".SH EXAMPLES\n.nf\n  a\n  b\n.fi\n.SH \"EXIT STATUS\"\n0 safe\n.SH VERSION\n1\n",
            ),
            (".SH EXTRA\nExamples:\n  a\n", ".SH EXAMPLES\n.nf\n  a\n.fi\n"),
            (".SH OPTIONS\nx\n", ".SH OPTIONS\nx\n"),
        ] {
            assert_eq!(with_sections(page), expected);
        }
    }
}
