//! The outcome of `thetis check` as SARIF 2.1.0, the format of code scanning tools.
//!
//! One run with one rule, the property. A violation is a result of kind `fail` whose code flow is the run; a property that holds is
//! one of kind `pass`, no answer one of kind `open`. Assumptions are notes of the invocation. Columns are counted in characters, which SARIF calls
//! `unicodeCodePoints`.

use serde_json::{Value, json};
use thetis_base::{SourceMap, Span};
use thetis_model::Verdict;

use crate::visual::{Rule, TraceStep, Visual, place};
use crate::{Report, fingerprint};

impl<M: Visual> Report<'_, M> {
    /// The report as a SARIF log. `exit_code` is what the program will exit with.
    pub fn sarif(&self, sources: &SourceMap, exit_code: u8) -> Value {
        let rule = M::rule(self.task);
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "Thetis",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": [{
                        "id": rule.id,
                        "shortDescription": { "text": rule.sentence },
                        "fullDescription": { "text": rule.sentence },
                        "defaultConfiguration": { "level": "error" },
                    }],
                } },
                "columnKind": "unicodeCodePoints",
                "artifacts": [{
                    "location": { "uri": uri(self.file) },
                    "hashes": { "sha-256": self.sha256 },
                }],
                "invocations": [{
                    "executionSuccessful": true,
                    "exitCode": exit_code,
                    "toolExecutionNotifications": self.notifications(sources),
                }],
                "results": [self.sarif_result(sources, &rule)],
            }],
        })
    }

    /// The assumptions of the verdict, as notes about the run.
    fn notifications(&self, sources: &SourceMap) -> Vec<Value> {
        let notes = M::assumptions(self.task).iter().map(|assumption| {
            json!({
                "descriptor": { "id": assumption.code },
                "level": "note",
                "message": { "text": assumption.text },
                "locations": [{ "physicalLocation": self.physical(sources, Some(assumption.span)) }],
            })
        });
        notes.collect()
    }

    fn sarif_result(&self, sources: &SourceMap, rule: &Rule) -> Value {
        let Rule { id, sentence, violation } = rule;
        let steps = self.steps();
        let (kind, level, text) = match &self.certified.verdict {
            Verdict::Safe(_) => ("pass", "none", sentence.clone()),
            Verdict::Unsafe(_) => ("fail", "error", violation.clone()),
            Verdict::Unknown(reason) => ("open", "none", format!("No answer: {reason}.")),
        };
        let last = steps.iter().rev().find_map(|step| step.span);
        let mut result = json!({
            "ruleId": id,
            "ruleIndex": 0,
            "kind": kind,
            "level": level,
            "message": { "text": text },
            "locations": [{ "physicalLocation": self.physical(sources, last) }],
            "partialFingerprints": {
                "thetis/v1": fingerprint(format!("{} {} {id}", self.file, self.task.property).as_bytes()),
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
