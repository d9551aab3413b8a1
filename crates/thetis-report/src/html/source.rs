//! The texts of the model on a page; what a proof says about a location is shown below its line.

use std::fmt::Write;

use thetis_base::{FileId, SourceMap};

use super::escape;
use super::highlight::Highlighter;
use crate::visual::{Fact, TraceStep, place};

/// Longer files are shown only up to here.
const MAX_LINES: u32 = 20_000;

/// What the names of the lines of a file start with in the page.
pub(super) fn line_prefix(file: usize) -> String {
    if file == 0 { "L".to_owned() } else { format!("F{file}L") }
}

/// The files. If there are several, those that a run or an invariant is about are open.
pub(super) fn source(
    body: &mut String,
    sources: &SourceMap,
    files: &[FileId],
    facts: &[Fact],
    steps: &[TraceStep],
) {
    body.push_str("<section id=\"view-source\" class=\"view\">\n");
    for (number, file) in files.iter().enumerate() {
        let mut spans = facts.iter().map(|fact| fact.span).chain(steps.iter().map(|step| step.span));
        let is_open = spans.any(|span| span.is_some_and(|span| span.file == *file));
        if files.len() > 1 {
            let open = if is_open { " open" } else { "" };
            let name = escape(&sources.file(*file).printable_name());
            let _ = writeln!(body, "<details{open}><summary>{name}</summary>");
        }
        source_of_file(body, sources, *file, &line_prefix(number), facts);
        if files.len() > 1 {
            body.push_str("</details>\n");
        }
    }
    body.push_str("</section>\n");
}

fn source_of_file(body: &mut String, sources: &SourceMap, model: FileId, prefix: &str, facts: &[Fact]) {
    body.push_str("<div class=\"code\">\n");
    let file = sources.file(model);
    let mut highlighter = Highlighter::of(file.name());
    for (number, line) in (1..=MAX_LINES).zip(file.text().lines()) {
        let _ = writeln!(
            body,
            "<div class=\"line\" id=\"{prefix}{number}\"><span>{number}</span><code>{}</code></div>",
            highlighter.line(line)
        );
        let here = facts.iter().filter(|fact| {
            fact.span.is_some_and(|span| span.file == model && place(sources, span).1 == number)
        });
        for Fact { subject, formula, .. } in here {
            let _ = writeln!(
                body,
                "<div class=\"fact\"><span></span><code>{}: {}</code></div>",
                escape(subject),
                escape(formula)
            );
        }
    }
    if file.text().lines().count() > MAX_LINES as usize {
        body.push_str("<p>The model is longer; the rest is not shown.</p>\n");
    }
    body.push_str("</div>\n");
}
