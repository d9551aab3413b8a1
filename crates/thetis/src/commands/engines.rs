//! `thetis engines`.

use thetis_portfolio::{Config, engines};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;

pub(crate) fn run() -> Result<Exit, Failure> {
    let mut text = String::new();
    for engine in engines() {
        text.push_str(&format!("{}\n    {}\n    answers: {}\n", engine.name, engine.summary, engine.answers));
    }
    let defaults = Config::default().to_toml();
    text.push_str(&format!("\nOptions for --set and --config, with their defaults:\n\n{defaults}"));
    terminal::answer(&text)?;
    Ok(Exit::Safe)
}
