//! The outcome of `thetis check` as SARIF 2.1.0, the format of code scanning tools.
//!
//! One run with one rule, the property. Only a violation is a result, because code scanning shows every result as an alert: its message says
//! what fails and with which values, its code flow is the run. A missing answer is a warning about the invocation and, on request, a result of
//! kind `open` ([`Unknowns`]). Assumptions are notes of the invocation. Columns are counted in characters, which SARIF calls
//! `unicodeCodePoints`.

mod merge;

use serde_json::{Value, json};
use thetis_base::{SourceMap, Span};
use thetis_model::Verdict;

use crate::visual::{Rule, TraceStep, Visual, place};
use crate::{Report, fingerprint};

pub use merge::merge_sarif;

/// Whether questions without an answer are results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknowns {
    /// Only the invocation says that there is no answer.
    Omitted,
    /// They are results of kind `open`.
    Listed,
}

impl<M: Visual> Report<'_, M> {
    /// The report as a SARIF log. `exit_code` is what the program will exit with.
    pub fn sarif(&self, sources: &SourceMap, exit_code: u8, unknowns: Unknowns) -> Value {
        let rule = M::rule(self.task);
        let is_listed = match &self.certified.verdict {
            Verdict::Safe(_) => false,
            Verdict::Unsafe(_) => true,
            Verdict::Unknown(_) => unknowns == Unknowns::Listed,
        };
        let log = Log {
            id: &rule.id,
            sentence: &rule.sentence,
            file: self.file,
            sha256: Some(self.sha256),
            exit_code,
            notifications: self.notifications(sources),
        };
        log.with_results(is_listed.then(|| self.sarif_result(sources, &rule)).into_iter().collect())
    }

    /// The assumptions of the verdict, as notes about the run, and why there is no answer.
    fn notifications(&self, sources: &SourceMap) -> Vec<Value> {
        let notes = M::assumptions(self.task).iter().map(|assumption| {
            json!({
                "descriptor": { "id": assumption.code },
                "level": "note",
                "message": { "text": assumption.text },
                "locations": [{ "physicalLocation": self.physical(sources, Some(assumption.span)) }],
            })
        });
        let unanswered = match &self.certified.verdict {
            Verdict::Unknown(_) => Some(unanswered(&self.message())),
            _ => None,
        };
        notes.chain(unanswered).collect()
    }

    fn sarif_result(&self, sources: &SourceMap, rule: &Rule) -> Value {
        let id = &rule.id;
        let steps = self.steps();
        let (kind, level) = match &self.certified.verdict {
            Verdict::Safe(_) => ("pass", "none"),
            Verdict::Unsafe(_) => ("fail", "error"),
            Verdict::Unknown(_) => ("open", "none"),
        };
        let last = steps.iter().rev().find_map(|step| step.span);
        // Not the line: alerts should stay the same when code above them changes.
        let failing = last.map_or("", |span| sources.text(span));
        let mut result = json!({
            "ruleId": id,
            "ruleIndex": 0,
            "kind": kind,
            "level": level,
            "message": { "text": self.message() },
            "locations": [{ "physicalLocation": self.physical(sources, last) }],
            "partialFingerprints": {
                "thetis/v2": fingerprint(format!("{} {} {id} {failing}", self.file, self.task.property).as_bytes()),
            },
            "properties": {
                "checked": self.is_checked(),
                "engine": self.engine,
                "program": M::program(self.task),
            },
        });
        if !steps.is_empty() {
            let locations: Vec<Value> = steps.iter().map(|step| self.flow_location(sources, step)).collect();
            result["codeFlows"] = json!([{ "threadFlows": [{ "locations": locations }] }]);
        }
        result
    }

    fn flow_location(&self, sources: &SourceMap, step: &TraceStep) -> Value {
        let state: serde_json::Map<String, Value> =
            step.values.iter().map(|shown| (shown.name.clone(), json!({ "text": shown.value }))).collect();
        let changed: Vec<String> = step
            .values
            .iter()
            .filter(|shown| shown.changed)
            .map(|shown| format!("{} = {}", shown.name, shown.value))
            .collect();
        let text = if changed.is_empty() {
            step.title.clone()
        } else {
            format!("{}: {}", step.title, changed.join(", "))
        };
        json!({
            "location": {
                "message": { "text": text },
                "physicalLocation": self.physical(sources, step.span),
            },
            "state": state,
            "importance": if step.matters { "essential" } else { "unimportant" },
        })
    }

    /// A place in a file; the beginning of the model if there is none.
    fn physical(&self, sources: &SourceMap, span: Option<Span>) -> Value {
        let Some(span) = span else {
            return json!({ "artifactLocation": { "uri": uri(self.file) }, "region": { "startLine": 1 } });
        };
        let (file, line, column) = place(sources, span);
        let end = sources.file(span.file).position(span.end);
        json!({
            "artifactLocation": { "uri": uri(file) },
            "region": {
                "startLine": line,
                "startColumn": column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        })
    }
}

/// What a log says besides its results.
pub(crate) struct Log<'a> {
    /// The name of the only rule.
    pub(crate) id: &'a str,
    /// What the rule demands.
    pub(crate) sentence: &'a str,
    /// The file of the model.
    pub(crate) file: &'a str,
    /// Its fingerprint, if it was read.
    pub(crate) sha256: Option<&'a str>,
    /// What the program will exit with.
    pub(crate) exit_code: u8,
    /// What there is to say about the run.
    pub(crate) notifications: Vec<Value>,
}

impl Log<'_> {
    /// The whole log.
    pub(crate) fn with_results(&self, results: Vec<Value>) -> Value {
        let mut artifact = json!({ "location": { "uri": uri(self.file) } });
        if let Some(sha256) = self.sha256 {
            artifact["hashes"] = json!({ "sha-256": sha256 });
        }
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "Thetis",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": [{
                        "id": self.id,
                        "shortDescription": { "text": self.sentence },
                        "fullDescription": { "text": self.sentence },
                        "defaultConfiguration": { "level": "error" },
                    }],
                } },
                "columnKind": "unicodeCodePoints",
                "artifacts": [artifact],
                "invocations": [{
                    "executionSuccessful": true,
                    "exitCode": self.exit_code,
                    "toolExecutionNotifications": self.notifications,
                }],
                "results": results,
            }],
        })
    }
}

/// A warning about the run: there is no answer.
pub(crate) fn unanswered(message: &str) -> Value {
    json!({ "descriptor": { "id": "unknown" }, "level": "warning", "message": { "text": message } })
}

/// A path as a URI reference: absolute paths become `file:` URIs, and what is not allowed in a URI is encoded.
pub(crate) fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char)
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("src/a b.cfa"), "src/a%20b.cfa");
        assert_eq!(uri("/tmp/ä.cfa"), "file:///tmp/%C3%A4.cfa");
        assert_eq!(uri("--property"), "--property");
    }
}
