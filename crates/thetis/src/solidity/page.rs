//! The page about contracts: a row for each function, with its source and what fails in it.

use thetis_base::Span;
use thetis_report::{CheckRow, Excerpt, overview};

use super::ContractReport;
use super::verify::{FunctionReport, Status};

/// What declarations start with that have functions of their own, which nobody wrote.
const CONTAINERS: [&str; 4] = ["contract", "abstract", "library", "interface"];

impl ContractReport<'_> {
    /// A page with a row for each function.
    pub(super) fn page(&self) -> String {
        let rows: Vec<CheckRow> = self.functions.iter().map(|function| self.row(function)).collect();
        overview(&self.file, &self.line(), &rows, &self.assumptions(), self.sources)
    }

    fn row(&self, function: &FunctionReport) -> CheckRow {
        let (outcome, message) = match function.status {
            Status::Ok => ("holds", "All checks hold.".to_owned()),
            Status::Error => ("fails", failures(function.violations.len())),
            Status::Inconclusive | Status::Timeout => ("unknown", self.reason(function)),
            Status::Skipped(_) => ("not checked", self.reason(function)),
        };
        let message = message.trim().trim_matches(['(', ')']).to_owned();
        let run = function.violations.iter().map(|violation| self.example(violation)).collect();
        let (name, source) = (function.name.clone(), self.source(function));
        CheckRow { name, outcome, message, place: String::new(), run, source, seconds: None }
    }

    /// The function with the checks that may fail in it, and the lines of those that are elsewhere: in a modifier, or in a
    /// function that it calls.
    fn source(&self, function: &FunctionReport) -> Vec<Excerpt> {
        let mut parts = vec![self.excerpt(function.span)];
        for violation in &function.violations {
            let check = &violation.check;
            let line = self.sources.start(check.span).line;
            let is_here = |part: &Excerpt| part.file == check.span.file && part.lines.contains(&line);
            if !parts.iter().any(is_here) {
                parts.push(Excerpt { file: check.span.file, lines: line..=line, remarks: Vec::new() });
            }
            let part = parts.iter_mut().find(|part| is_here(part));
            part.into_iter().for_each(|part| part.remarks.push((line, check.kind.to_string())));
        }
        parts
    }

    /// A declaration with the comments above it, which have its annotations. Of a contract only the head.
    fn excerpt(&self, span: Span) -> Excerpt {
        let text = self.sources.file(span.file).text();
        let own = self.sources.text(span);
        let is_container = CONTAINERS.iter().any(|word| own.starts_with(word));
        let shown = if is_container { own.split('{').next().unwrap_or(own) } else { own };
        let before: Vec<&str> = text[..span.start as usize].lines().collect();
        let first = self.sources.start(span).line;
        let above = before.iter().take(first as usize - 1).rev().take_while(|line| is_comment(line)).count();
        let last = first + shown.trim_end().matches('\n').count() as u32;
        Excerpt { file: span.file, lines: first - above as u32..=last, remarks: Vec::new() }
    }
}

/// Whether a line is a comment or a part of one, as people write them above declarations.
fn is_comment(line: &str) -> bool {
    ["//", "/*", "*"].iter().any(|start| line.trim_start().starts_with(start))
}

fn failures(number: usize) -> String {
    if number == 1 { "A check may fail.".to_owned() } else { format!("{number} checks may fail.") }
}
