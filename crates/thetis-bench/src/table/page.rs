//! Results as one HTML page that needs nothing else: no network, no other file.

use std::fmt::Write;

use super::{bytes, escape, seconds};
use crate::plot::Plot;
use crate::{Overview, Row, RowOutcome, Summary};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page with all tables and `plots`.
pub fn page(overview: &Overview, plots: &[Plot]) -> String {
    let mut body = String::new();
    body.push_str("<h1>Thetis: results</h1>\n");
    circumstances(&mut body, overview);
    trouble(&mut body, overview);
    by_configuration(&mut body, overview);
    for plot in plots.iter().filter(|plot| !plot.is_small) {
        figure(&mut body, plot);
    }
    body.push_str("<div class=\"grid\">\n");
    for plot in plots.iter().filter(|plot| plot.is_small) {
        figure(&mut body, plot);
    }
    body.push_str("</div>\n");
    runs(&mut body, overview);
    options(&mut body, overview);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Thetis: results</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{body}<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn figure(body: &mut String, plot: &Plot) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        body,
        "<section><h2>{}</h2>\n<figure id=\"{}\">{}<figcaption>{}</figcaption></figure></section>",
        escape(&plot.title),
        escape(&plot.name),
        plot.svg,
        escape(&plot.caption)
    );
}

fn circumstances(body: &mut String, overview: &Overview) {
    body.push_str("<ul class=\"facts\">\n");
    for header in &overview.headers {
        let time = header
            .limits
            .wall_seconds
            .map_or_else(|| "no time limit".to_owned(), |limit| format!("{limit} s"));
        let memory = header.limits.memory_bytes.map_or_else(|| "no memory limit".to_owned(), bytes);
        let _ = writeln!(
            body,
            "<li>thetis {} <span title=\"SHA-256 of the program\">({})</span>, {}: {} tasks of <code>{}</code>, {time} and {memory} for each run, {} at a time. {}.</li>",
            escape(&header.thetis),
            escape(header.program_sha256.get(..8).unwrap_or(&header.program_sha256)),
            escape(&header.started),
            header.num_tasks,
            escape(&header.tasks),
            header.jobs,
            escape(&header.machine.describe())
        );
    }
    body.push_str("</ul>\n");
}

fn trouble(body: &mut String, overview: &Overview) {
    let mut items: Vec<String> = Vec::new();
    for row in overview.wrong() {
        items.push(format!(
            "<li>Wrong answer of <b>{}</b> on {} (<code>{}</code>), expected {}</li>",
            escape(&row.configuration),
            escape(&row.task),
            escape(&row.property),
            escape(&row.expected)
        ));
    }
    for line in overview.disagreements() {
        let task = escape(&line.task);
        items.push(format!(
            "<li>Configurations disagree on {task} (<code>{}</code>)</li>",
            escape(&line.property)
        ));
    }
    if !items.is_empty() {
        let _ = writeln!(body, "<ul class=\"trouble\">\n{}\n</ul>", items.join("\n"));
    }
}

fn by_configuration(body: &mut String, overview: &Overview) {
    body.push_str("<section><h2>Configurations</h2>\n<table class=\"sortable\"><thead><tr><th>configuration</th><th>tasks</th><th>solved</th>");
    for outcome in RowOutcome::ALL {
        let _ = write!(body, "<th>{}</th>", outcome.word());
    }
    body.push_str("<th>score</th><th>CPU time</th><th>wall time</th><th>memory</th></tr></thead>\n<tbody>\n");
    for (number, column) in overview.columns.iter().enumerate() {
        configuration(body, &column.label, &overview.summary(number, None));
    }
    body.push_str("</tbody><tfoot>\n");
    configuration(body, "virtual best", &overview.virtual_best(None));
    body.push_str(
        "</tfoot></table>\n<p class=\"note\">Solved: correct, or answered where no answer is stated. Score: 2 for a right \
         safe, 1 for a right unsafe, −16 for a wrong unsafe, −32 for a wrong safe. Times are sums over solved tasks, memory is \
         the greatest of one.</p></section>\n",
    );
}

fn configuration(body: &mut String, label: &str, summary: &Summary) {
    let _ = write!(body, "<tr><th scope=\"row\">{}</th>", escape(label));
    for count in [summary.num_tasks, summary.num_solved()] {
        let _ = write!(body, "<td>{count}</td>");
    }
    for outcome in RowOutcome::ALL {
        let count = summary.count(outcome);
        let class = if outcome == RowOutcome::Wrong && count > 0 { " class=\"wrong\"" } else { "" };
        let _ = write!(body, "<td{class}>{count}</td>");
    }
    let _ = writeln!(
        body,
        "<td>{}</td><td data-value=\"{}\">{}</td><td data-value=\"{}\">{}</td><td data-value=\"{}\">{}</td></tr>",
        summary.score,
        summary.cpu_seconds,
        seconds(summary.cpu_seconds),
        summary.wall_seconds,
        seconds(summary.wall_seconds),
        summary.peak_memory_bytes,
        bytes(summary.peak_memory_bytes)
    );
}

fn runs(body: &mut String, overview: &Overview) {
    body.push_str(
        "<section><h2>Tasks</h2>\n<p><input id=\"filter\" type=\"search\" placeholder=\"filter: words of task, set, outcome\" \
         aria-label=\"filter\"> <span id=\"count\"></span></p>\n<div class=\"wide\"><table class=\"sortable\" id=\"tasks\"><thead><tr><th>set</th><th>task</th><th>property</th><th>expected</th>",
    );
    for column in &overview.columns {
        let _ = write!(body, "<th>{}</th>", escape(&column.label));
    }
    body.push_str("</tr></thead>\n<tbody>\n");
    for line in &overview.lines {
        let _ = write!(
            body,
            "<tr><td>{}</td><td>{}</td><td class=\"property\">{}</td><td>{}</td>",
            escape(&line.set),
            escape(&line.task),
            escape(&line.property),
            escape(&line.expected)
        );
        for row in &line.rows {
            run(body, row.as_ref());
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</tbody></table></div></section>\n");
}

fn run(body: &mut String, row: Option<&Row>) {
    let Some(row) = row else {
        body.push_str("<td></td>");
        return;
    };
    let details = format!(
        "{} wall, {}{}",
        seconds(row.wall_seconds),
        bytes(row.peak_memory_bytes),
        row.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default()
    );
    let _ = write!(
        body,
        "<td class=\"{}\" data-value=\"{}\" title=\"{}\">{} <small>{}</small></td>",
        row.outcome.word(),
        row.cpu_seconds,
        escape(&details),
        row.outcome.word(),
        seconds(row.cpu_seconds)
    );
}

fn options(body: &mut String, overview: &Overview) {
    body.push_str("<section><h2>Options</h2>\n<table><thead><tr><th>configuration</th><th>options</th></tr></thead><tbody>\n");
    for header in &overview.headers {
        for one in &header.configurations {
            let list: Vec<String> =
                one.options().iter().map(|(key, value)| format!("{key} = {value}")).collect();
            let words = if list.is_empty() { "the defaults".to_owned() } else { list.join(", ") };
            let _ = writeln!(
                body,
                "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td></tr>",
                escape(&one.name),
                escape(&words)
            );
        }
    }
    body.push_str("</tbody></table></section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::plots;
    use crate::samples::result_file;

    #[test]
    fn a_page_is_complete_and_alone() {
        let overview = Overview::new(&[result_file()]);
        let page = page(&overview, &plots(&overview));
        for words in [
            "id=\"heat-map\"",
            "id=\"quantile\"",
            "Wrong answer of <b>expl_dfs</b>",
            "<td class=\"out-of-memory\"",
        ] {
            assert!(page.contains(words), "{words}");
        }
        for outside in ["src=\"http", "href=\"http", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
