//! Diagnostics on the source, in the form that compilers have made familiar.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use thetis_base::{Diagnostic, Diagnostics, FileId, Severity, SourceFile, SourceMap, Span};

/// Whether to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// For files and pipes.
    Plain,
    /// For terminals.
    Colored,
}

/// Lines longer than this are not shown under a message, because they would be unreadable.
const MAX_LINE: usize = 400;

/// All messages, each starting with its place and followed by the line it is about.
pub fn render_diagnostics(diagnostics: &Diagnostics, sources: &SourceMap, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colored => Renderer::styled(),
    };
    let mut text = String::new();
    for diagnostic in diagnostics.iter() {
        text.push_str(&render(diagnostic, sources, &renderer));
        text.push('\n');
    }
    text
}

fn render(diagnostic: &Diagnostic, sources: &SourceMap, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let file = sources.file(diagnostic.span.file);
    let place = file.position(diagnostic.span.start);
    let title = format!(
        "{}:{}:{}: {} [{}]",
        file.printable_name(),
        place.line,
        place.column,
        diagnostic.message,
        diagnostic.code
    );
    let mut group: Group<'_> = Group::with_title(level.primary_title(title));
    let marks = marks(diagnostic);
    let mut files: Vec<FileId> = Vec::new();
    for mark in &marks {
        if !files.contains(&mark.span.file) {
            files.push(mark.span.file);
        }
    }
    for file in files {
        let here: Vec<&Mark<'_>> = marks.iter().filter(|mark| mark.span.file == file).collect();
        if let Some(snippet) = snippet(&here, sources.file(file)) {
            group = group.element(snippet);
        }
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// A place of a message.
struct Mark<'a> {
    kind: AnnotationKind,
    span: Span,
    label: Option<&'a str>,
}

/// The place that a message is about, and those that explain it.
fn marks(diagnostic: &Diagnostic) -> Vec<Mark<'_>> {
    let primary = Mark { kind: AnnotationKind::Primary, span: diagnostic.span, label: None };
    let labels = diagnostic.labels.iter().map(|label| Mark {
        kind: AnnotationKind::Context,
        span: label.span,
        label: Some(label.text.as_str()),
    });
    std::iter::once(primary).chain(labels).collect()
}

/// The lines of one file from the first to the last place, unless they are too long to show.
fn snippet<'a>(
    marks: &[&Mark<'a>],
    file: &'a SourceFile,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let first = file.position(marks.iter().map(|mark| mark.span.start).min()?).line;
    // What begins in a file and ends in one that it includes is shown up to its end.
    let end = marks.iter().map(|mark| mark.span.end).max()?.min(file.text().len() as u32);
    let last = file.position(end).line;
    let last = last.min(first + 200);
    if (first..=last).any(|line| file.line(line).len() > MAX_LINE) {
        return None;
    }
    let window = file.lines(first, last);
    let annotations = marks.iter().filter_map(|mark| {
        let annotation = mark.kind.span(relative(mark.span, &window)?);
        Some(match mark.label {
            Some(label) => annotation.label(label),
            None => annotation,
        })
    });
    let annotations: Vec<_> = annotations.collect();
    let snippet = Snippet::source(&file.text()[window.clone()])
        .path(file.printable_name())
        .line_start(first as usize)
        .annotations(annotations);
    Some(snippet)
}

/// A span as a range inside `window`; at least one byte where there is one, so that it can be seen.
fn relative(span: Span, window: &Range<usize>) -> Option<Range<usize>> {
    let start = (span.start as usize).checked_sub(window.start)?;
    let end = (span.end as usize).min(window.end).checked_sub(window.start)?;
    (start <= end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use thetis_base::{Code, Diagnostic};

    use super::*;

    fn sample() -> (SourceMap, Diagnostics) {
        let mut sources = SourceMap::new();
        let file = sources.add("m.cfa", "var x : int\nvar x : bool\n");
        let mut diagnostics = Diagnostics::new();
        let twice =
            Diagnostic::error(Span { file, start: 16, end: 17 }, Code("duplicate"), "`x` is declared twice");
        let first = Span { file, start: 4, end: 5 };
        diagnostics.report(twice.label(first, "first declared here").help("rename one of them"));
        diagnostics.warning(Span { file, start: 25, end: 25 }, Code("empty"), "nothing follows");
        (sources, diagnostics)
    }

    #[test]
    fn a_message_starts_with_its_place_and_shows_the_lines() {
        let (sources, diagnostics) = sample();
        let text = render_diagnostics(&diagnostics, &sources, Style::Plain);
        assert!(text.starts_with("error: m.cfa:2:5: `x` is declared twice [duplicate]\n"), "{text}");
        for part in
            ["var x : bool", "first declared here", "help: rename", "warning: m.cfa:3:1: nothing follows"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn ends_in_other_files_are_no_ends() {
        let mut sources = SourceMap::new();
        let header = sources.add("long.h", "int a;\n".repeat(100));
        let file = sources.add("p.c", "int a;\nint b;\n");
        let mut diagnostics = Diagnostics::new();
        let twice =
            Diagnostic::error(Span { file, start: 4, end: 5 }, Code("duplicate"), "`a` is declared twice");
        diagnostics.report(twice.label(Span { file: header, start: 501, end: 502 }, "first declared here"));
        diagnostics.error(Span { file, start: 11, end: 502 }, Code("syntax"), "it does not end");
        let text = render_diagnostics(&diagnostics, &sources, Style::Plain);
        assert!(text.contains("error: p.c:1:5: `a` is declared twice"), "{text}");
        assert!(text.contains("long.h:72:5"), "{text}");
        assert!(text.contains("error: p.c:2:5: it does not end"), "{text}");
    }

    #[test]
    fn places_may_be_in_other_files() {
        let mut sources = SourceMap::new();
        let [first, second] = ["extern long x;\n", "\nint x;\n"].map(|text| sources.add("a.c", text));
        let error = Diagnostic::error(Span { file: second, start: 5, end: 6 }, Code("duplicate"), "twice");
        let mut diagnostics = Diagnostics::new();
        diagnostics.report(error.label(Span { file: first, start: 12, end: 13 }, "declared here"));
        let text = render_diagnostics(&diagnostics, &sources, Style::Plain);
        for part in ["a.c:2:5: twice", "int x;", "extern long x;", "declared here", "a.c:1:13"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn colours_only_where_asked_for() {
        let (sources, diagnostics) = sample();
        assert!(!render_diagnostics(&diagnostics, &sources, Style::Plain).contains('\u{1b}'));
        assert!(render_diagnostics(&diagnostics, &sources, Style::Colored).contains('\u{1b}'));
    }

    #[test]
    fn a_line_of_a_megabyte_is_not_shown() {
        let mut sources = SourceMap::new();
        let file = sources.add("long.cfa", "x".repeat(1 << 20));
        let mut diagnostics = Diagnostics::new();
        diagnostics.error(Span { file, start: 9, end: 10 }, Code("syntax"), "unexpected `x`");
        let text = render_diagnostics(&diagnostics, &sources, Style::Plain);
        assert_eq!(text, "error: long.cfa:1:10: unexpected `x` [syntax]\n");
    }
}
