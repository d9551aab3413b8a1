//! What a run gets from outside when it starts: the arguments of the program, and the text that it reads.

use thetis_base::Span;
use thetis_model::cfa::CfaTrace;

use super::StoryStep;
use crate::evidence::Translated;
use crate::evidence::arguments::{arguments, parameters};
use crate::evidence::stdin::{Text, text};
use crate::lower::FrameId;

/// Longer texts are cut.
const MAX_SHOWN: usize = 60;

/// The start of a program, before all other events.
pub(super) struct Start {
    span: Span,
    /// The names of the parameters of `main`.
    parameters: Vec<String>,
    /// The number of arguments and the arguments themselves.
    arguments: Vec<(String, String)>,
    /// What the program reads.
    text: Option<(String, String)>,
}

/// The start of the program in a run that gets arguments or reads text.
pub(super) fn start(translated: Translated<'_>, trace: &CfaTrace) -> Option<Start> {
    if translated.program.entry.is_some() || trace.steps.is_empty() {
        return None;
    }
    let function = translated.lowered.origin.frames[FrameId::new(0)].function;
    let main = &translated.program.functions[function];
    let parameters: Vec<String> =
        parameters(translated).iter().map(|param| main.locals[*param].name.clone()).collect();
    let arguments = match arguments(translated, trace) {
        Some(arguments) => named(&parameters, &arguments),
        None => Vec::new(),
    };
    let text = text(translated, trace).and_then(|text| match text {
        Text::Standard(text) => Some(("standard input", text)),
        Text::File { text, opened } if opened.contains(&true) => Some(("the file", text)),
        Text::File { .. } => None,
    });
    let text = text.map(|(name, text)| (name.to_owned(), quoted(&text)));
    let is_empty = arguments.is_empty() && text.is_none();
    (!is_empty).then_some(Start { span: main.span, parameters, arguments, text })
}

impl Start {
    /// The whole story. Arguments that no event uses are left out.
    pub(super) fn followed_by(self, mut steps: Vec<StoryStep>) -> Vec<StoryStep> {
        for event in &mut steps {
            event.number += 1;
        }
        let names = |event: &StoryStep, name: &str| event.text.contains(name);
        let has_arguments = steps
            .iter()
            .any(|event| event.matters && self.parameters.iter().any(|parameter| names(event, parameter)));
        let matters = has_arguments || self.text.is_some();
        let has_arguments = has_arguments || !matters;
        let values = self.arguments.into_iter().filter(|_| has_arguments).chain(self.text).collect();
        let start = StoryStep {
            number: 0,
            after: 1,
            span: self.span,
            depth: 0,
            text: "`main` starts".to_owned(),
            values,
            matters,
        };
        std::iter::once(start).chain(steps).collect()
    }
}

/// The arguments by the names that the program has for them, without the name of the program.
fn named(parameters: &[String], arguments: &[Vec<u8>]) -> Vec<(String, String)> {
    let count = parameters.first().map(|name| (name.clone(), arguments.len().to_string()));
    let vector = parameters.get(1);
    let strings = arguments.iter().enumerate().skip(1);
    let strings = strings.filter_map(|(number, text)| Some((format!("{}[{number}]", vector?), quoted(text))));
    count.into_iter().chain(strings).collect()
}

/// Bytes as a literal of C, cut if there are many.
fn quoted(text: &[u8]) -> String {
    let shown = &text[..text.len().min(MAX_SHOWN)];
    let rest = if shown.len() < text.len() { "…" } else { "" };
    format!("\"{}\"{rest}", shown.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_have_the_names_of_the_program() {
        let parameters = ["argc".to_owned(), "argv".to_owned()];
        let given = named(&parameters, &[b"".to_vec(), b"-x\n".to_vec()]);
        let expected = [("argc", "2"), ("argv[1]", "\"-x\\n\"")];
        assert_eq!(given, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(named(&[], &[b"".to_vec()]), []);
        assert_eq!(quoted(&[b'a'; 70]), format!("\"{}\"…", "a".repeat(60)));
    }
}
