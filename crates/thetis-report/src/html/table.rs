//! The values of a run as a table: a row for each name, a column for each step. Truth values are drawn as a waveform.

use std::fmt::Write;

use super::escape;
use crate::visual::TraceStep;

/// Larger tables are not shown.
const MAX_STEPS: usize = 500;
const MAX_NAMES: usize = 400;

/// The table as a view of the page; none if there is nothing to show in it or too much.
pub(super) fn table(steps: &[TraceStep]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for shown in steps.iter().flat_map(|step| &step.values) {
        if !names.contains(&shown.name.as_str()) {
            names.push(&shown.name);
        }
        if names.len() > MAX_NAMES {
            return None;
        }
    }
    if names.is_empty() || steps.len() > MAX_STEPS {
        return None;
    }
    let mut text =
        String::from("<section id=\"view-values\" class=\"view\">\n<table id=\"wave\"><thead><tr><th></th>");
    for number in 0..steps.len() {
        // Writing to a string cannot fail.
        let _ = write!(text, "<th data-column=\"{number}\">{number}</th>");
    }
    text.push_str("</tr></thead><tbody>\n");
    for name in names {
        let _ = write!(text, "<tr><th>{}</th>", escape(name));
        for (number, step) in steps.iter().enumerate() {
            let shown = step.values.iter().find(|shown| shown.name == name);
            let (value, changed) = shown.map_or(("", false), |shown| (shown.value.as_str(), shown.changed));
            let class = match (value, changed) {
                ("true", true) => "high edge",
                ("true", false) => "high",
                ("false", true) => "low edge",
                ("false", false) => "low",
                (_, true) => "changed",
                (_, false) => "",
            };
            let value = if class.starts_with("high") || class.starts_with("low") { "" } else { value };
            let _ = write!(text, "<td data-column=\"{number}\" class=\"{class}\">{}</td>", escape(value));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table>\n</section>\n");
    Some(text)
}
