//! `thetis engines`.

use thetis_portfolio::{Values, default_portfolios, engines, options};

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
    text.push_str("\nOptions for --set and --config, with their defaults:\n\n");
    for option in options() {
        text.push_str(&format!("{} = {}\n    {}\n", option.key, option.default, option.meaning));
        let choices = match &option.values {
            Values::Choice(choices) | Values::List(choices) => choices.as_slice(),
            Values::Flag | Values::Number | Values::Decimal | Values::Other => &[],
        };
        for (word, meaning) in choices {
            text.push_str(&format!("    {word}: {meaning}\n"));
        }
    }
    text
}

/// The default portfolios, one after the other.
fn portfolios() -> String {
    let texts = default_portfolios().map(|(formalism, text)| format!("# {formalism}\n{text}"));
    texts.join("\n")
}
