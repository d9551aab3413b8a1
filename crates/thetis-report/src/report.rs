//! The outcome of `thetis check`, as a line of text or as JSON.

use std::time::Duration;

use serde_json::{Value, json};
use thetis_base::Statistics;
use thetis_engine::Certified;
use thetis_model::cfa::Cfa;
use thetis_model::{Evidence, Task, Verdict};

use crate::certificate_of;

/// What there is to report about one run.
pub struct Report<'a> {
    /// The task.
    pub task: &'a Task<Cfa>,
    /// The name of the model's file.
    pub file: &'a str,
    /// The fingerprint of its text.
    pub sha256: &'a str,
    /// The name of the engine.
    pub engine: &'a str,
    /// The verdict after its check.
    pub certified: &'a Certified<Cfa>,
    /// What the engine and the solver did.
    pub statistics: &'a Statistics,
    /// The wall time of the run.
    pub elapsed: Duration,
}

impl Report<'_> {
    /// The verdict line: `safe`, `unsafe` or `unknown (reason)`.
    pub fn line(&self) -> String {
        match &self.certified.verdict {
            Verdict::Unknown(reason) => format!("unknown ({reason})"),
            verdict if self.is_checked() => word(verdict).to_string(),
            verdict => format!("{} (unchecked: {})", word(verdict), self.missing().unwrap_or("no evidence")),
        }
    }

    /// The report as JSON; the fields are documented in the manual.
    pub fn json(&self) -> Value {
        let verdict = &self.certified.verdict;
        let reason = match verdict {
            Verdict::Unknown(reason) => json!({ "code": reason.code(), "text": reason.to_string() }),
            _ => Value::Null,
        };
        let certificate = match certificate_of(self.task, self.sha256, verdict) {
            Some(certificate) => serde_json::to_value(certificate).unwrap_or(Value::Null),
            None => Value::Null,
        };
        json!({
            "format": "thetis-report",
            "version": 1,
            "thetis": env!("CARGO_PKG_VERSION"),
            "file": self.file,
            "property": self.task.property.to_string(),
            "engine": self.engine,
            "verdict": word(verdict),
            "reason": reason,
            "checked": self.is_checked(),
            "check-seconds": self.certified.time.map(|time| time.as_secs_f64()),
            "wall-seconds": self.elapsed.as_secs_f64(),
            "certificate": certificate,
            "statistics": self.statistics,
        })
    }

    fn is_checked(&self) -> bool {
        matches!(
            self.certified.verdict,
            Verdict::Safe(Evidence::Given(_)) | Verdict::Unsafe(Evidence::Given(_))
        )
    }

    fn missing(&self) -> Option<&'static str> {
        match &self.certified.verdict {
            Verdict::Safe(Evidence::Missing(reason)) | Verdict::Unsafe(Evidence::Missing(reason)) => {
                Some(reason)
            }
            _ => None,
        }
    }
}

fn word(verdict: &Verdict<Cfa>) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    }
}
