//! Several checks of a program as one page: a table with filters, and the run of each violation.

use std::fmt::Write;

use thetis_base::SourceMap;

use super::excerpt::{Excerpt, excerpt};
use super::{STYLE, coded, escape};

const SCRIPT: &str = include_str!("overview.js");

/// One check.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckRow {
    /// What was checked.
    pub name: String,
    /// `holds`, `fails`, `unknown` or `not checked`.
    pub outcome: &'static str,
    /// What fails, why there is no answer, or what was proved.
    pub message: String,
    /// Where it fails.
    pub place: String,
    /// The run of a violation, one step a line.
    pub run: String,
    /// The source that it is about.
    pub source: Vec<Excerpt>,
    /// How long it took, if that is known of each check.
    pub seconds: Option<f64>,
}

/// The page about all checks of `file`. `verdict` is the line about all of them, `sources` has what excerpts are taken from.
pub fn overview(
    file: &str,
    verdict: &str,
    checks: &[CheckRow],
    assumptions: &str,
    sources: &SourceMap,
) -> String {
    let class = verdict.split(':').next().unwrap_or_default();
    let is_timed = checks.iter().any(|check| check.seconds.is_some());
    let mut rows = String::new();
    for check in checks {
        row(&mut rows, check, is_timed, sources);
    }
    let filters: String = ["holds", "fails", "unknown", "not checked"]
        .into_iter()
        .filter_map(|outcome| {
            let count = checks.iter().filter(|check| check.outcome == outcome).count();
            (count > 0).then(|| format!("<label><input type=\"checkbox\" checked data-filter=\"{outcome}\"> {outcome} ({count})</label> "))
        })
        .collect();
    let seconds = if is_timed { "<th class=\"number\">seconds</th>" } else { "" };
    let assumptions = match assumptions.is_empty() {
        true => String::new(),
        false => {
            let lines = assumptions.lines().map(|line| line.strip_prefix("assumption: ").unwrap_or(line));
            let items: String = lines.map(|line| format!("<li>{}</li>\n", coded(line))).collect();
            format!("<h2>Assumptions</h2>\n<ul>\n{items}</ul>\n")
        }
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}: {1}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{STYLE}</style>\n</head>\n<body class=\"overview\">\n\
         <header class=\"{class}\"><h1 id=\"verdict\">{1}</h1>\n<p class=\"small\"><code>{0}</code>, Thetis {2}</p></header>\n\
         <main class=\"checks\"><div class=\"bar\">{filters}<input id=\"search\" type=\"search\" placeholder=\"search checks\" aria-label=\"search\"></div>\n\
         <table id=\"checks\"><thead><tr><th>check</th><th>outcome</th><th>what</th>{seconds}</tr></thead>\n\
         <tbody>\n{rows}</tbody></table>\n{assumptions}</main>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escape(file),
        escape(verdict),
        env!("CARGO_PKG_VERSION"),
    )
}

fn row(rows: &mut String, check: &CheckRow, is_timed: bool, sources: &SourceMap) {
    let CheckRow { name, outcome, message, place, run, source, seconds } = check;
    let seconds = seconds.map(|seconds| format!("{seconds:.2}")).unwrap_or_default();
    let seconds = if is_timed { format!("<td class=\"number\">{seconds}</td>") } else { String::new() };
    let place = if place.is_empty() { String::new() } else { format!("<small>{}</small> ", escape(place)) };
    let summary = format!("{place}{}", coded(message));
    let what = match run.is_empty() && source.is_empty() {
        true => summary,
        false => {
            // The source of what fails is what people want to see first; a run alone can be long.
            let open = if *outcome == "fails" && !source.is_empty() { " open" } else { "" };
            let mut details = format!("<details{open}><summary>{summary}</summary>\n");
            source.iter().for_each(|part| excerpt(&mut details, sources, part));
            if !run.is_empty() {
                let steps: String = run.lines().map(step).collect();
                details.push_str(&format!("<ol>\n{steps}</ol>"));
            }
            details + "</details>"
        }
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        rows,
        "<tr data-outcome=\"{outcome}\"><td>{}</td><td class=\"{outcome}\">{outcome}</td><td>{what}</td>{seconds}</tr>",
        escape(name)
    );
}

/// A line of a run: its depth, `place:line:column:` if it has one, and a sentence.
fn step(line: &str) -> String {
    let text = line.trim_start();
    let is_place = |place: &str| {
        let mut parts = place.rsplit(':');
        parts.by_ref().take(2).all(|part| part.parse::<u32>().is_ok()) && parts.next().is_some()
    };
    let (place, sentence) = match text.split_once(": ") {
        Some((place, sentence)) if is_place(place) => {
            (format!("<small>{}</small> ", escape(place)), sentence)
        }
        _ => (String::new(), text),
    };
    let depth = (line.len() - text.len()) / 2;
    format!("<li style=\"margin-left: {depth}em\">{place}{}</li>\n", coded(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_has_a_row() {
        let check = |name: &str, outcome, run: &str| CheckRow {
            name: name.to_owned(),
            outcome,
            message: "`a < b` fails".to_owned(),
            place: "a.c:1:2".to_owned(),
            run: run.to_owned(),
            source: Vec::new(),
            seconds: Some(0.5),
        };
        let checks = [
            check("assertions", "fails", "step <1>\n    a.c:3:4: `b` is true\n"),
            check("no-overflow", "holds", ""),
        ];
        let verdict = "unsafe: 1 of 2 checks fails, 1 holds";
        let page = overview("a.c", verdict, &checks, "assumption: `f` <x>\n", &SourceMap::new());
        for part in [
            "<header class=\"unsafe\">",
            "<tr data-outcome=\"fails\"><td>assertions</td>",
            "<summary><small>a.c:1:2</small> <code>a &lt; b</code> fails</summary>\n<ol>\n<li style=\"margin-left: 0em\">step &lt;1&gt;</li>",
            "<li style=\"margin-left: 2em\"><small>a.c:3:4</small> <code>b</code> is true</li>\n</ol>",
            "<th class=\"number\">seconds</th>",
            "<li><code>f</code> &lt;x&gt;</li>",
            "fails (1)",
            "holds (1)",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
