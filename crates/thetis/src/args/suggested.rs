//! Free-form arguments, with values that completions offer.

use std::ffi::OsStr;
use std::sync::OnceLock;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use thetis_portfolio::{OptionInfo, Values, closest, engines, options};

/// The properties of models other than C programs, and `all` for C programs.
const FURTHER_PROPERTIES: [&str; 6] =
    ["all", "error-location", "deadlock", "one-safe", "state-space", "explore"];

/// Offers values, computed only on request. Accepts every text unless configured otherwise.
#[derive(Clone, Copy)]
pub(super) enum Suggested {
    /// Properties with names.
    Properties,
    /// Options of configurations, with their values if there are only some.
    Settings,
    /// Engines. There are no others.
    Engines,
}

/// The settings, computed on first use.
static SETTINGS: OnceLock<Vec<String>> = OnceLock::new();

impl Suggested {
    fn values(self) -> Vec<&'static str> {
        match self {
            Suggested::Properties => {
                thetis_c::property::WORDS.into_iter().chain(FURTHER_PROPERTIES).collect()
            }
            Suggested::Engines => engines().iter().map(|listed| listed.info.name).collect(),
            Suggested::Settings => {
                let all = SETTINGS.get_or_init(|| options().iter().flat_map(settings).collect());
                all.iter().map(String::as_str).collect()
            }
        }
    }
}

fn settings(option: &OptionInfo) -> Vec<String> {
    let key = &option.key;
    match &option.values {
        Values::Choice(choices) => choices.iter().map(|(word, _)| format!("{key}={word}")).collect(),
        Values::Flag => vec![format!("{key}=true"), format!("{key}=false")],
        Values::List(_) | Values::Number | Values::Decimal | Values::Other => vec![format!("{key}=")],
    }
}

fn no_engine(name: &str) -> String {
    let names = Suggested::Engines.values();
    let meant = closest(name, names.iter().copied());
    let meant = meant.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    format!("there is no engine `{name}`{meant}\n  [possible values: {}]\n", names.join(", "))
}

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let text = StringValueParser::new().parse_ref(command, arg, value)?;
        match matches!(self, Suggested::Engines) && !self.values().contains(&text.as_str()) {
            true => Err(Error::raw(ErrorKind::InvalidValue, no_engine(&text)).with_cmd(command)),
            false => Ok(text),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values().into_iter().map(PossibleValue::new)))
    }
}
