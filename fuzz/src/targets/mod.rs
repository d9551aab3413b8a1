//! What must hold for any input of a parser, a module each.

use std::borrow::Cow;

use thetis_base::{Diagnostics, SourceMap};

pub mod aiger;
pub mod c_parser;
pub mod certificates;
pub mod cfa_parser;
pub mod definitions;
pub mod net;
pub mod pnml;
pub mod properties;
pub mod script;
pub mod settings;
pub mod solidity;
pub mod sts;
pub mod tchecker;
pub mod uppaal;
pub mod values;
pub mod witnesses;
pub mod xta;

/// What came of an input, as words: messages, or that it was accepted. Inputs with new words are worth changing further.
pub type Effect = String;

/// A target: its name, its check, and the endings of files of the repository that are inputs of it.
pub struct Target {
    pub name: &'static str,
    pub check: fn(&[u8]) -> Effect,
    pub endings: &'static [&'static str],
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "aiger", check: aiger::check, endings: &[".aag"] },
    Target { name: "c_parser", check: c_parser::check, endings: &[".c", ".h"] },
    Target { name: "certificates", check: certificates::check, endings: &[] },
    Target { name: "cfa_parser", check: cfa_parser::check, endings: &[".cfa"] },
    Target { name: "definitions", check: definitions::check, endings: &[".yml"] },
    Target { name: "net", check: net::check, endings: &[".net"] },
    Target { name: "pnml", check: pnml::check, endings: &[] },
    Target { name: "properties", check: properties::check, endings: &[] },
    Target { name: "script", check: script::check, endings: &[".smt2"] },
    Target { name: "settings", check: settings::check, endings: &[".toml"] },
    Target { name: "solidity", check: solidity::check, endings: &[".sol"] },
    Target { name: "sts", check: sts::check, endings: &[".sts"] },
    Target { name: "tchecker", check: tchecker::check, endings: &[] },
    Target { name: "uppaal", check: uppaal::check, endings: &[] },
    Target { name: "values", check: values::check, endings: &[] },
    Target { name: "witnesses", check: witnesses::check, endings: &[] },
    Target { name: "xta", check: xta::check, endings: &[".xta"] },
];

/// The words of all messages; their places have to lie in the text.
fn effect(sources: &SourceMap, diags: &Diagnostics) -> Effect {
    let mut words = Effect::new();
    for message in diags.iter() {
        for span in message.labels.iter().map(|label| label.span).chain([message.span]) {
            let _ = (sources.start(span), sources.text(span));
        }
        words += &message.message;
    }
    words
}

fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
