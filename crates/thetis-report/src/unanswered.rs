//! The report of a run that had to end before there was anything to report about: perhaps the model was not even read.

use std::time::Duration;

use serde_json::{Value, json};
use thetis_base::Statistics;
use thetis_model::Reason;

use crate::fingerprint;
use crate::sarif::{Log, Unknowns, unanswered, uri};

/// A run without an answer, with what is known about it.
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
            "program": null,
            "engine": self.engine,
            "verdict": "unknown",
            "answer": "unknown",
            "under": [],
            "message": self.message(),
            "violated": null,
            "scope": null,
            "confirmation": null,
            "reason": { "code": self.reason.code(), "text": self.reason.to_string() },
            "checked": false,
            "grounds": null,
            "check-seconds": null,
            "wall-seconds": self.elapsed.as_secs_f64(),
            "assumptions": [],
            "states": null,
            "values": [],
            "steps": null,
            "certificate": null,
            "complete": true,
            "statistics": Statistics::new(self.engine),
        })
    }

    /// The report as a SARIF log. `exit_code` is what the program will exit with.
    pub fn sarif(&self, exit_code: u8, unknowns: Unknowns) -> Value {
        let id = if self.property.is_empty() { "property" } else { self.property };
        let notifications = vec![unanswered(&self.message())];
        let sentence = "The property of the model holds.";
        let log = Log { id, sentence, file: self.file, sha256: None, exit_code, notifications };
        let result = json!({
            "ruleId": id,
            "ruleIndex": 0,
            "kind": "open",
            "level": "none",
            "message": { "text": self.message() },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri(self.file) },
                "region": { "startLine": 1 },
            } }],
            "partialFingerprints": {
                "thetis/v2": fingerprint(format!("{} {} {id} ", self.file, self.property).as_bytes()),
            },
            "properties": { "checked": false, "engine": self.engine },
        });
        log.with_results((unknowns == Unknowns::Listed).then_some(result).into_iter().collect())
    }

    /// Why there is no answer, in a sentence.
    fn message(&self) -> String {
        format!("No answer: {}.", self.reason)
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
        let run = &report.sarif(5, Unknowns::Listed)["runs"][0];
        assert_eq!(run["results"][0]["message"]["text"], "No answer: out of time.");
        let run = &report.sarif(5, Unknowns::Omitted)["runs"][0];
        assert_eq!(run["results"], json!([]));
        let notes = &run["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(notes[0]["message"]["text"], "No answer: out of time.");
    }
}
