use std::path::{Path, PathBuf};

use thetis_bench::{
    GeneratedPart, Overview, ResultFile, markdown, prediction_table, regenerate, transfer_table,
};

use super::args::DocumentArgs;
use super::failure;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input;

pub(super) fn run(args: &DocumentArgs) -> Result<Exit, Failure> {
    let text = input::read_text(&args.document)?;
    let folder = args.document.parent().unwrap_or(Path::new(""));
    let renewed = regenerate(&args.document, &text, |part, names| {
        let paths = names.iter().map(|name| folder.join(name));
        let files = paths.map(|path: PathBuf| ResultFile::read(&path)).collect::<Result<Vec<_>, _>>()?;
        Ok(match part {
            GeneratedPart::Table => markdown(&Overview::new(&files)),
            GeneratedPart::Predictions => prediction_table(&files),
            GeneratedPart::Transfer => transfer_table(&files),
        })
    })
    .map_err(failure)?;
    std::fs::write(&args.document, renewed)
        .map_err(|error| Failure::internal(format!("{}: {error}", args.document.display())))?;
    Ok(Exit::Safe)
}
