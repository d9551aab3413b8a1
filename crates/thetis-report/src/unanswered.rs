//! The report of a run that had to end before there was anything to report about: perhaps the model was not even read.

use std::time::Duration;

use serde_json::{Value, json};
use thetis_base::Statistics;
use thetis_model::Reason;

use crate::fingerprint;
use crate::sarif::uri;

/// A run without an answer, as far as it is known.
pub struct Unanswered<'a> {
    /// The name of the model's file.
    pub file: &'a str,
    /// The property, as it was asked; empty if it is that of the model and the model was not read.
    pub property: &'a str,
    /// The name of the engine.
    pub engine: &'a str,
    /// Why there is no answer.
    pub reason: &'a Reason,
    /// The wall time of the run.
    pub elapsed: Duration,
}

impl Unanswered<'_> {
    /// The report as JSON, with all fields of any report.
    pub fn json(&self) -> Value {
        json!({
            "format": "thetis-report",
            "version": 1,
            "thetis": env!("CARGO_PKG_VERSION"),
            "file": self.file,
            "property": self.property,
            "engine": self.engine,
            "verdict": "unknown",
            "answer": "unknown",
            "violated": null,
            "confirmation": null,
            "reason": { "code": self.reason.code(), "text": self.reason.to_string() },
            "checked": false,
            "grounds": null,
            "check-seconds": null,
            "wall-seconds": self.elapsed.as_secs_f64(),
            "states": null,
            "values": [],
            "steps": null,
            "certificate": null,
            "statistics": Statistics::new(self.engine),
        })
    }

    /// The report as a SARIF log. `exit_code` is what the program will exit with.
    pub fn sarif(&self, exit_code: u8) -> Value {
        let id = "property";
        let sentence = "The property of the model holds.";
        let artifact = json!({ "uri": uri(self.file) });
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "Thetis",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": [{
                        "id": id,
                        "shortDescription": { "text": sentence },
                        "fullDescription": { "text": sentence },
                        "defaultConfiguration": { "level": "error" },
                    }],
                } },
                "columnKind": "unicodeCodePoints",
                "artifacts": [{ "location": artifact }],
                "invocations": [{ "executionSuccessful": true, "exitCode": exit_code }],
                "results": [{
                    "ruleId": id,
                    "ruleIndex": 0,
                    "kind": "open",
                    "level": "none",
                    "message": { "text": format!("No answer: {}.", self.reason) },
                    "locations": [{ "physicalLocation": {
                        "artifactLocation": artifact,
                        "region": { "startLine": 1 },
                    } }],
                    "partialFingerprints": {
                        "thetis/v1": fingerprint(format!("{} {} {id}", self.file, self.property).as_bytes()),
                    },
                    "properties": { "checked": false, "engine": self.engine },
                }],
            }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_why_there_is_no_answer() {
        let report = Unanswered {
            file: "a b.c",
            property: "unreach-call",
            engine: "auto",
            reason: &Reason::OutOfTime,
            elapsed: Duration::from_secs(2),
        };
        let json = report.json();
        assert_eq!((&json["verdict"], &json["reason"]["code"]), (&json!("unknown"), &json!("out-of-time")));
        assert_eq!(json["statistics"]["entries"], json!([]));
        let result = &report.sarif(5)["runs"][0]["results"][0];
        assert_eq!(result["message"]["text"], "No answer: out of time.");
    }
}
