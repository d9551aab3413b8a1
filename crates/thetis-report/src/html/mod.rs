//! One run as an HTML page that needs nothing else: no network, no other file.
//!
//! The page has the verdict, the model with the run or the invariants at their lines, a drawing, and all figures. A small script
//! updates the page when one steps through a run, from data in the page; without scripts, all information is still there, but the
//! page is static.

mod excerpt;
mod frames;
mod graph;
mod highlight;
mod layout;
mod overview;
mod placed;
mod source;
mod table;
mod timeline;

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Value, json};
use thetis_base::{AbstractGraph, FileId, FrameTable, SourceMap, counted};
use thetis_model::{Evidence, Verdict};

use crate::visual::{Drawing, Fact, NodeKind, TraceStep, Visual, arg_drawing, place};
use crate::{Report, render_statistics, verdict_line};

pub use excerpt::Excerpt;
pub use overview::{CheckRow, overview};
use placed::places;
use source::{line_prefix, source};
use table::table;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What engines have drawn besides the model.
#[derive(Clone, Default, Debug)]
pub struct Abstractions {
    /// An abstract reachability graph.
    pub graph: Option<AbstractGraph>,
    /// The frames of IC3.
    pub frames: Option<FrameTable>,
}

impl<M: Visual> Report<'_, M> {
    /// The report as a page. `configuration` is the configuration in TOML, `abstractions` what the engine ended with.
    pub fn html(
        &self,
        sources: &SourceMap,
        files: &[FileId],
        configuration: &str,
        abstractions: &Abstractions,
    ) -> String {
        let verdict = &self.certified.verdict;
        let steps = self.steps();
        let facts = match (verdict, &self.facts) {
            (Verdict::Safe(_), Some(facts)) => facts.clone(),
            (Verdict::Safe(Evidence::Given(proof)), None) => M::facts(self.task, proof),
            _ => Vec::new(),
        };
        let drawing = self.drawing(&steps, sources);
        let mut body = String::new();
        self.header(&mut body, files.len());
        body.push_str("<main>\n");
        if !steps.is_empty() {
            run(&mut body, &steps, sources);
        }
        body.push_str("<div id=\"views\">\n");
        let values = table(&steps);
        let timeline = self.timeline();
        let Abstractions { graph: arg, frames } = abstractions;
        let frames = frames.as_ref().and_then(frames::table);
        let extra = [
            ("graph", "Graph", !drawing.nodes.is_empty()),
            ("timeline", "Time line", timeline.is_some()),
            ("values", "Values", values.is_some()),
            ("arg", "Abstraction", arg.is_some()),
            ("frames", "Frames", frames.is_some()),
        ];
        tabs(&mut body, &extra);
        source(&mut body, sources, files, &facts, &steps);
        if !drawing.nodes.is_empty() {
            graph(&mut body, &drawing, &MODEL);
        }
        body.extend(timeline);
        body.extend(values);
        if let Some(arg) = arg {
            graph(&mut body, &arg_drawing(arg), &ABSTRACTION);
        }
        body.extend(frames);
        self.details(&mut body, configuration, &facts, sources);
        body.push_str("</div>\n</main>\n");
        let data = data(&steps, sources, files);
        // A closing tag inside a string would end the script.
        let data = data.to_string().replace('<', "\\u003c");
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}: {}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\
             <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            escape(self.file),
            escape(&self.line()),
        )
    }

    /// The model as a graph, in the words of its language if that has some. Variables have room for the values of the run.
    fn drawing(&self, steps: &[TraceStep], sources: &SourceMap) -> Drawing {
        let mut drawing = M::drawing(self.task);
        drawing.places = places(&drawing, sources);
        for (edge, label) in drawing.edges.iter_mut().zip(self.labels.iter().flatten()) {
            edge.label = if label.is_empty() { Vec::new() } else { vec![label.clone()] };
        }
        for node in &mut drawing.nodes {
            if matches!(node.kind, NodeKind::Variable | NodeKind::Input) {
                let values =
                    steps.iter().flat_map(|step| &step.values).filter(|shown| shown.name == node.label);
                node.detail =
                    values.map(|shown| shown.value.clone()).max_by_key(|value| value.chars().count());
            }
        }
        drawing
    }

    /// Where processes are over time, as a view of the page.
    fn timeline(&self) -> Option<String> {
        let Verdict::Unsafe(Evidence::Given(trace)) = &self.certified.verdict else { return None };
        let timeline = M::timeline(self.task, trace)?;
        let mut view = String::from("<section id=\"view-timeline\" class=\"view\">\n");
        timeline::draw(&mut view, &timeline);
        view.push_str("</section>\n");
        Some(view)
    }

    fn header(&self, body: &mut String, num_files: usize) {
        let rule = M::rule(self.task);
        let verdict = &self.certified.verdict;
        let (class, sentence) = match verdict {
            Verdict::Safe(_) => {
                let scope = self.scope.iter().map(|scope| format!(" Checked: {scope}."));
                ("safe", coded(&format!("{}{}", rule.sentence, scope.collect::<String>())))
            }
            Verdict::Unsafe(_) => ("unsafe", coded(&self.message())),
            Verdict::Unknown(_) => ("unknown", "The property is undecided.".to_owned()),
        };
        let certificate = match (verdict, self.certified.time) {
            (Verdict::Safe(Evidence::Given(_)), Some(time)) => {
                format!("The proof was checked in {:.3} s.", time.as_secs_f64())
            }
            (Verdict::Unsafe(Evidence::Given(_)), Some(time)) => {
                format!("The run was replayed in {:.3} s.", time.as_secs_f64())
            }
            (Verdict::Unknown(_), Some(_)) => "There was evidence, but it was not accepted.".to_owned(),
            _ => "There is no checked evidence.".to_owned(),
        };
        let _ = writeln!(
            body,
            "<header class=\"{class}\"><h1 id=\"verdict\">{}</h1>\n<p>{sentence}</p>\n<p id=\"certificate\">{certificate}</p>\n\
             <p class=\"small\"><code>{}</code>{}, property <code>{}</code>, engine <code>{}</code>, {:.3} s, Thetis {}</p></header>",
            escape(&verdict_line(self.task, verdict)),
            escape(self.file),
            more_files(num_files),
            escape(&self.task.property.to_string()),
            escape(self.engine),
            self.elapsed.as_secs_f64(),
            env!("CARGO_PKG_VERSION"),
        );
    }

    /// The unchecked assumptions of the verdict.
    fn assumptions_as_html(&self, body: &mut String, sources: &SourceMap) {
        body.push_str("<h2>Assumptions</h2>\n");
        let assumptions = M::assumptions(self.task);
        if assumptions.is_empty() {
            body.push_str("<p>None.</p>\n");
            return;
        }
        body.push_str("<ul id=\"assumptions\">\n");
        for assumption in assumptions {
            let (file, line, _) = place(sources, assumption.span);
            let _ = writeln!(
                body,
                "<li><code>{}</code> {} <small>{}, line {line}</small></li>",
                escape(assumption.code),
                coded(&assumption.text),
                escape(file),
            );
        }
        body.push_str("</ul>\n");
    }

    fn details(&self, body: &mut String, configuration: &str, facts: &[Fact], sources: &SourceMap) {
        body.push_str("<section id=\"view-details\" class=\"view\">\n");
        if let Verdict::Safe(Evidence::Given(proof)) = &self.certified.verdict {
            let _ = writeln!(body, "<h2>Proof</h2>\n<p>{}</p>", escape(&M::proof_words(proof)));
        }
        if !facts.is_empty() {
            body.push_str("<table><thead><tr><th>at</th><th>invariant</th></tr></thead><tbody>\n");
            for Fact { subject, formula, .. } in facts {
                let _ = writeln!(
                    body,
                    "<tr><td>{}</td><td><code>{}</code></td></tr>",
                    escape(subject),
                    escape(formula)
                );
            }
            body.push_str("</tbody></table>\n");
        }
        self.assumptions_as_html(body, sources);
        body.push_str("<h2>Meaning of the model</h2>\n<ul id=\"semantics\">\n");
        for sentence in M::semantics(self.task) {
            let _ = writeln!(body, "<li>{}</li>", coded(sentence));
        }
        let _ = writeln!(
            body,
            "</ul>\n<p>What Thetis does not support is rejected, or is a limit: if a run can reach it, the verdict is unknown.</p>\n\
             <h2>Statistics</h2>\n<pre id=\"statistics\">{}</pre>\n<h2>Configuration</h2>\n<pre id=\"configuration\">{}</pre>\n\
             <h2>Model</h2>\n<p class=\"small\">SHA-256 <code>{}</code></p>\n</section>",
            escape(&render_statistics(self.statistics)),
            escape(configuration),
            escape(self.sha256),
        );
    }
}

/// The steps of the run, and the values after the one that is chosen.
fn run(body: &mut String, steps: &[TraceStep], sources: &SourceMap) {
    body.push_str(
        "<aside id=\"run\">\n<div class=\"bar\"><button id=\"first\" title=\"first step (Home)\">|◀</button>\
         <button id=\"previous\" title=\"previous step (←)\">◀</button><span id=\"position\"></span>\
         <button id=\"next\" title=\"next step (→)\">▶</button><button id=\"last\" title=\"last step (End)\">▶|</button></div>\n\
         <input id=\"search\" type=\"search\" placeholder=\"search steps, values and source\" aria-label=\"search\"> <span id=\"found\"></span>\n\
",
    );
    let num_asides = steps.iter().filter(|step| !step.matters).count();
    if num_asides > 0 {
        let _ = writeln!(
            body,
            "<label class=\"small\"><input id=\"all-steps\" type=\"checkbox\"> also {} that matter less</label>",
            counted(num_asides, "step")
        );
    }
    let spans = steps.iter().filter_map(|step| step.span);
    let has_several_files = spans.map(|span| span.file).collect::<BTreeSet<FileId>>().len() > 1;
    body.push_str("<ol id=\"steps\" start=\"0\">\n");
    for (number, step) in steps.iter().enumerate() {
        let place = step
            .span
            .map(|span| match (place(sources, span), has_several_files) {
                ((file, line, _), true) => format!(" <small>{}:{line}</small>", escape(last_part(file))),
                ((_, line, _), false) => format!(" <small>line {line}</small>"),
            })
            .unwrap_or_default();
        let changed: Vec<String> = step
            .values
            .iter()
            .filter(|shown| shown.changed || number == 0)
            .map(|shown| format!("{} = {}", shown.name, shown.value))
            .collect();
        let _ = writeln!(
            body,
            "<li value=\"{number}\" data-step=\"{number}\"{} style=\"margin-left: {}em\"><button>{}{place}<span class=\"change\">{}</span></button></li>",
            if step.matters { "" } else { " class=\"aside\"" },
            step.depth,
            coded(&step.title),
            escape(&changed.join(", "))
        );
    }
    body.push_str("</ol>\n<table id=\"values\"><thead><tr><th>name</th><th>value</th></tr></thead><tbody></tbody></table>\n</aside>\n");
}

/// That the first of several files is not alone.
fn more_files(num_files: usize) -> String {
    if num_files > 1 { format!(" and {}", counted(num_files - 1, "other file")) } else { String::new() }
}

/// The name of a file without its folders.
fn last_part(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// The tabs: those that every page has, and those of `extra` that this one has.
fn tabs(body: &mut String, extra: &[(&str, &str, bool)]) {
    body.push_str("<nav role=\"tablist\">");
    let extra = extra.iter().filter(|(_, _, is_there)| *is_there).map(|(name, words, _)| (*name, *words));
    for (name, words) in [("source", "Source")].into_iter().chain(extra).chain([("details", "Details")]) {
        let _ = write!(body, "<button role=\"tab\" id=\"tab-{name}\" data-view=\"{name}\">{words}</button>");
    }
    body.push_str("</nav>\n");
}

/// A graph of the page.
struct View {
    names: graph::Names,
    /// What its nodes are, and those edges that need an explanation.
    legend: &'static str,
    /// How to get a graph that is too large for the page.
    instead: &'static str,
}

const MODEL: View = View {
    names: graph::Names { id: "graph", prefix: "", words: "graph of the model" },
    legend: "",
    instead: "thetis convert FILE --to dot",
};

const ABSTRACTION: View = View {
    names: graph::Names { id: "arg", prefix: "a", words: "abstract reachability graph" },
    legend: "Boxes: abstract states; dashed: covered by another; dotted: not expanded; red: the path to the error. ",
    instead: "thetis check FILE --engine cegar --arg graph.dot",
};

fn graph(body: &mut String, drawing: &Drawing, view: &View) {
    let View { names: graph::Names { id, .. }, legend, instead } = view;
    let _ = writeln!(body, "<section id=\"view-{id}\" class=\"view drawing\">");
    let (nodes, edges) = (drawing.nodes.len(), drawing.edges.len());
    if nodes > graph::MAX_NODES {
        let _ = writeln!(
            body,
            "<p id=\"no-{id}\">The graph has {nodes} nodes and {edges} edges; more than {} nodes are not drawn. \
             <code>{instead}</code> writes it for Graphviz.</p>\n</section>",
            graph::MAX_NODES
        );
        return;
    }
    let _ = writeln!(
        body,
        "<div class=\"bar\" data-zooms=\"{id}\"><button class=\"zoom-in\" title=\"larger (+)\">+</button>\
         <button class=\"zoom-out\" title=\"smaller (−)\">−</button>\
         <button class=\"zoom-fit\" title=\"all of it (0)\">fit</button> \
         <small>{nodes} nodes, {edges} edges. {legend}Wheel: zoom, drag: move</small></div>"
    );
    body.push_str(&graph::svg(drawing, view.names));
    body.push_str("</section>\n");
}

/// What the script needs: for each step its line, its part of the drawing and its values.
fn data(steps: &[TraceStep], sources: &SourceMap, files: &[FileId]) -> Value {
    let steps: Vec<Value> = steps
        .iter()
        .map(|step| {
            let file = step.span.and_then(|span| files.iter().position(|file| *file == span.file));
            let span = step.span.filter(|_| file.is_some());
            let lines = span.map(|span| {
                let last = sources.file(span.file).position(span.end.saturating_sub(1).max(span.start)).line;
                [place(sources, span).1, last]
            });
            let prefix = file.map(line_prefix);
            json!({ "lines": lines, "prefix": prefix, "edge": step.edge, "nodes": step.nodes,
                "values": step.values, "matters": step.matters })
        })
        .collect();
    json!({ "steps": steps })
}

/// A sentence with pieces of source between backquotes.
fn coded(text: &str) -> String {
    let mut pieces = text.split('`').enumerate().peekable();
    let mut html = String::new();
    while let Some((number, piece)) = pieces.next() {
        // A last piece whose backquote is not closed is not source.
        let is_code = number % 2 == 1 && pieces.peek().is_some();
        html.push_str(&if is_code { format!("<code>{}</code>", escape(piece)) } else { escape(piece) });
    }
    html
}

/// Text inside HTML, also in attributes.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
