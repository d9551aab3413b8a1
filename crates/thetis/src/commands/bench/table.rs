//! `thetis bench table`.

use std::path::Path;

use thetis_bench::{Overview, Plot, markdown, page, plots, runs_csv, summary_csv, to_png};

use super::args::{TableArgs, TableFormat};
use super::{failure, read};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{outputs, terminal};

pub(super) fn run(args: &TableArgs) -> Result<Exit, Failure> {
    let overview = Overview::new(&read(&args.results)?);
    match &args.output {
        Some(folder) => write_all(folder, &overview)?,
        None => terminal::answer(&match args.format {
            TableFormat::Markdown => markdown(&overview),
            TableFormat::Csv => summary_csv(&overview),
            TableFormat::RunsCsv => runs_csv(&overview),
            TableFormat::Html => page(&overview, &plots(&overview)),
        })?,
    }
    Ok(Exit::Safe)
}

fn write_all(folder: &Path, overview: &Overview) -> Result<(), Failure> {
    let plots = plots(overview);
    write(folder, "index.html", page(overview, &plots).as_bytes())?;
    write(folder, "results.md", markdown(overview).as_bytes())?;
    write(folder, "summary.csv", summary_csv(overview).as_bytes())?;
    write(folder, "runs.csv", runs_csv(overview).as_bytes())?;
    for Plot { name, svg, .. } in &plots {
        write(folder, &format!("{name}.svg"), svg.as_bytes())?;
        write(folder, &format!("{name}.png"), &to_png(svg).map_err(failure)?)?;
    }
    terminal::show(&format!("thetis: wrote {}\n", folder.join("index.html").display()));
    Ok(())
}

pub(super) fn write(folder: &Path, name: &str, content: &[u8]) -> Result<(), Failure> {
    let path = folder.join(name);
    std::fs::create_dir_all(folder)
        .and_then(|()| outputs::try_write(&path, content))
        .map_err(|error| Failure::internal(format!("{}: {error}", path.display())))
}
