//! `thetis engines`.

use thetis_portfolio::{Config, default_portfolios, engines};

use crate::args::EnginesArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;

pub(crate) fn run(args: &EnginesArgs) -> Result<Exit, Failure> {
    terminal::answer(&if args.show.is_some() { portfolios() } else { list() })?;
    Ok(Exit::Safe)
}

fn list() -> String {
    let mut text = String::new();
    for engine in engines() {
        let (info, formalisms) = (engine.info, engine.formalisms.join(", "));
        text.push_str(&format!("{}: {}\n", info.name, info.summary));
        text.push_str(&format!("    for: {formalisms}\n    answers: {}\n", info.answers));
    }
    let defaults = Config::default().to_toml();
    text.push_str(&format!("\nOptions for --set and --config, with their defaults:\n\n{defaults}"));
    text
}

/// The default portfolios, one after the other.
fn portfolios() -> String {
    let texts = default_portfolios().map(|(formalism, text)| format!("# {formalism}\n{text}"));
    texts.join("\n")
}
