//! What the tests share: parsing, and messages as text.

use std::path::PathBuf;

use thetis_base::{Diagnostics, Severity, SourceMap, Span};
use thetis_model::Task;
use thetis_model::cfa::Cfa;

/// A parsed text: the task if it is correct, and the messages one per line.
pub(crate) struct Outcome {
    pub(crate) task: Option<Task<Cfa>>,
    pub(crate) messages: String,
    pub(crate) spans: Vec<Span>,
}

/// Parses `text` under the name of a file.
pub(crate) fn parse(name: &str, text: &str) -> Outcome {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let mut diags = Diagnostics::new();
    let task = thetis_text::cfa::parse(&sources, file, &mut diags).ok();
    assert_eq!(task.is_none(), diags.num_errors() > 0, "a model should be refused iff there are errors");
    let messages = render(&sources, &diags);
    let spans = diags.iter().flat_map(|d| d.labels.iter().map(|l| l.span).chain([d.span])).collect();
    Outcome { task, messages, spans }
}

/// `file:line:column: error[code]: message`, with labels and help below.
fn render(sources: &SourceMap, diags: &Diagnostics) -> String {
    let place = |span: Span| {
        let start = sources.start(span);
        format!("{}:{}:{}", sources.file(span.file).name(), start.line, start.column)
    };
    let mut text = String::new();
    for diagnostic in diags.iter() {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let (code, message) = (diagnostic.code, &diagnostic.message);
        text += &format!("{}: {severity}[{code}]: {message}\n", place(diagnostic.span));
        for label in &diagnostic.labels {
            text += &format!("    {}: {}\n", place(label.span), label.text);
        }
        text.extend(diagnostic.help.iter().map(|help| format!("    help: {help}\n")));
    }
    text
}

/// The folder of this crate.
pub(crate) fn crate_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
