//! Reports about contracts: as text, JSON and SARIF, and in the format of solc-verify; pages are in `page`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use thetis_base::{Span, counted, printable};
use thetis_model::{Assumption, Weight};
use thetis_solidity::CheckKind;

use super::ContractReport;
use super::verify::{FunctionReport, Status, Violation};

impl Status {
    /// The word of solc-verify.
    fn word(&self) -> &'static str {
        match self {
            Status::Ok => "OK",
            Status::Error => "ERROR",
            Status::Inconclusive => "INCONCLUSIVE",
            Status::Timeout => "TIMEOUT",
            Status::Skipped(_) => "SKIPPED",
        }
    }

    /// Our word.
    fn verdict(&self) -> &'static str {
        match self {
            Status::Ok => "safe",
            Status::Error => "unsafe",
            _ => "unknown",
        }
    }
}

impl ContractReport<'_> {
    pub(super) fn place(&self, span: Span) -> String {
        let place = self.sources.start(span);
        let file = self.sources.file(span.file).printable_name();
        format!("{file}:{}:{}", place.line, place.column)
    }

    /// One line for each function and each check that may fail, then the verdict on all.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for function in &self.functions {
            text += &format!(
                "{}: {}{}\n",
                printable(&function.name),
                function.status.verdict(),
                self.reason(function)
            );
            for violation in &function.violations {
                text += &format!(
                    "  {}: {}\n",
                    self.place(violation.check.span),
                    printable(&violation.check.kind.to_string())
                );
            }
        }
        text + &self.assumptions() + &self.line() + "\n"
    }

    /// The unchecked assumptions of the verdicts, each once, without those that the verdict line names.
    pub(super) fn assumptions(&self) -> String {
        let mut known: Vec<&str> = Vec::new();
        let mut text = String::new();
        let all = self.functions.iter().flat_map(|function| &function.assumptions);
        for assumption in all.filter(|assumption| assumption.weight == Weight::Listed) {
            if !known.contains(&assumption.text.as_str()) {
                known.push(&assumption.text);
                text +=
                    &format!("assumed: {}: {}\n", self.place(assumption.span), printable(&assumption.text));
            }
        }
        text
    }

    pub(super) fn reason(&self, function: &FunctionReport) -> String {
        match &function.status {
            Status::Skipped(skipped) => {
                format!(" (skipped: {}: {})", self.place(skipped.span), printable(&skipped.reason))
            }
            Status::Timeout => " (out of time)".to_owned(),
            Status::Inconclusive => {
                let reasons = function.undecided.first().map_or("", |(_, reason)| reason.as_str());
                format!(" (undecided: {})", printable(reasons))
            }
            Status::Ok | Status::Error => String::new(),
        }
    }

    pub(super) fn line(&self) -> String {
        let all = counted(self.functions.len(), "function");
        let verdict = match (self.num_violations(), self.is_partial()) {
            (0, false) => format!("safe{} all checks of {all} hold", under(&self.named())),
            (0, true) => {
                let open =
                    self.functions.iter().filter(|function| !matches!(function.status, Status::Ok)).count();
                format!("unknown: {open} of {all} without a verdict")
            }
            (count, _) => format!("unsafe{} {} may fail", under(&self.named()), counted(count, "check")),
        };
        format!(
            "{verdict} (annotations, arithmetic {}, {:.2} s)",
            self.options.arithmetic.name(),
            self.elapsed.as_secs_f64()
        )
    }

    /// The assumptions that change what contracts mean.
    fn named(&self) -> BTreeSet<String> {
        named(self.functions.iter().flat_map(|function| &function.assumptions))
    }

    /// The values of a run to each check that may fail, and further notes.
    pub(super) fn explanation(&self) -> String {
        let mut text = String::new();
        for function in &self.functions {
            for violation in &function.violations {
                text += &self.example(violation);
            }
            for (span, note) in &function.notes {
                text += &format!("warning: {}: {}\n", self.place(*span), printable(note));
            }
            for (check, reason) in &function.undecided {
                text += &format!(
                    "note: {}: undecided: {} ({})\n",
                    self.place(check.span),
                    printable(&check.kind.to_string()),
                    printable(reason)
                );
            }
        }
        text
    }

    /// Where a run to a violation starts, and its statements that change something.
    pub(super) fn example(&self, violation: &Violation) -> String {
        let inputs = violation.inputs.iter().map(|(name, value)| format!("{name} = {}", shown(value)));
        let inputs = inputs.collect::<Vec<String>>().join(", ");
        let place = self.place(violation.check.span);
        let lines = violation.steps.iter().map(|step| {
            let values: Vec<String> =
                step.values.iter().map(|shown| format!("{} = {}", shown.name, shown.value)).collect();
            format!("  {}: {}\n", self.place(step.span), printable(&values.join(", ")))
        });
        format!("{place}: for example if {}\n{}", printable(&inputs), lines.collect::<String>())
    }

    /// The report of solc-verify.
    pub(super) fn solc_verify(&self) -> String {
        let mut text = String::new();
        let (skipped, verified): (Vec<_>, Vec<_>) =
            self.functions.iter().partition(|function| matches!(function.status, Status::Skipped(_)));
        for function in verified.iter().chain(&skipped) {
            text += &format!("{}: {}\n", printable(&function.name), function.status.word());
            for violation in &function.violations {
                text += &format!(
                    " - {}: {}\n",
                    self.place(violation.check.span),
                    printable(&violation.check.kind.to_string())
                );
            }
        }
        if !skipped.is_empty() {
            text += "Some functions were skipped. Use --show-warnings to see details.\n";
        }
        text += match (self.num_violations(), self.is_partial()) {
            (0, true)
                if skipped.len()
                    < self
                        .functions
                        .iter()
                        .filter(|function| !matches!(function.status, Status::Ok))
                        .count() =>
            {
                "Inconclusive results.\n"
            }
            (0, _) => "No errors found.\n",
            _ => "Errors were found by the verifier.\n",
        };
        text
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "file": self.file,
            "property": "annotations",
            "arithmetic": self.options.arithmetic.name(),
            "verdict": match (self.num_violations(), self.is_partial()) {
                (0, false) => "safe",
                (0, true) => "unknown",
                _ => "unsafe",
            },
            "under": self.named(),
            "seconds": self.elapsed.as_secs_f64(),
            "functions": self.functions.iter().map(|function| self.function_json(function)).collect::<Vec<_>>(),
        })
    }

    fn function_json(&self, function: &FunctionReport) -> Value {
        let mut value = json!({
            "name": function.name,
            "place": self.place(function.span),
            "status": function.status.word(),
            "verdict": function.status.verdict(),
            "checks": function.num_checks,
            "seconds": function.time.as_secs_f64(),
            "violations": function.violations.iter().map(|violation| self.violation_json(violation)).collect::<Vec<_>>(),
            "undecided": function.undecided.iter().map(|(check, reason)| json!({
                "place": self.place(check.span), "message": check.kind.to_string(), "reason": reason,
            })).collect::<Vec<_>>(),
            "warnings": function.notes.iter().map(|(span, note)| json!({
                "place": self.place(*span), "text": note,
            })).collect::<Vec<_>>(),
            "assumptions": function.assumptions.iter().map(|assumption| json!({
                "code": assumption.code, "place": self.place(assumption.span), "text": assumption.text,
            })).collect::<Vec<_>>(),
        });
        if let Status::Skipped(skipped) = &function.status {
            value["skipped"] = json!({ "place": self.place(skipped.span), "reason": skipped.reason });
        }
        value
    }

    fn violation_json(&self, violation: &Violation) -> Value {
        json!({
            "place": self.place(violation.check.span),
            "kind": kind_name(&violation.check.kind),
            "message": violation.check.kind.to_string(),
            "steps": violation.length,
            "run": violation.steps.iter().map(|step| json!({
                "place": self.place(step.span),
                "values": step.values.iter().map(|shown| json!({ "name": shown.name, "value": shown.value })).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "values": violation.inputs.iter().map(|(name, value)| (name.clone(), json!(shown(value)))).collect::<serde_json::Map<_, _>>(),
        })
    }

    pub(super) fn sarif(&self) -> Value {
        let results: Vec<Value> = self
            .functions
            .iter()
            .flat_map(|function| {
                function.violations.iter().map(|violation| self.sarif_result(function, violation))
            })
            .collect();
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{ "tool": { "driver": { "name": "thetis" } }, "results": results }],
        })
    }

    fn sarif_result(&self, function: &FunctionReport, violation: &Violation) -> Value {
        let place = self.sources.start(violation.check.span);
        json!({
            "ruleId": kind_name(&violation.check.kind),
            "level": "error",
            "message": { "text": format!("{}: {}", function.name, violation.check.kind) },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": self.sources.file(violation.check.span.file).name() },
                "region": { "startLine": place.line, "startColumn": place.column },
            }}],
        })
    }
}

/// The assumptions that change what contracts mean, each once.
pub(super) fn named<'a>(assumptions: impl IntoIterator<Item = &'a Assumption>) -> BTreeSet<String> {
    let all = assumptions.into_iter();
    all.filter(|assumption| assumption.weight != Weight::Listed).map(Assumption::words).collect()
}

/// What stands between a verdict and its explanation.
pub(super) fn under(named: &BTreeSet<String>) -> String {
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    if named.is_empty() { ":".to_owned() } else { format!(" under: {};", named.join(", ")) }
}

/// A value as users write it.
fn shown(value: &thetis_expr::Value) -> String {
    use thetis_expr::Value as V;
    match value {
        V::Bool(value) => value.to_string(),
        V::Int(number) => number.to_string(),
        V::BitVec(bits) => bits.unsigned().to_string(),
        other => other.to_string(),
    }
}

/// A stable name of what is checked.
fn kind_name(kind: &CheckKind) -> &'static str {
    match kind {
        CheckKind::Assertion => "assertion",
        CheckKind::Invariant(..) | CheckKind::Initializers(_) => "invariant",
        CheckKind::Precondition(_) => "precondition",
        CheckKind::Postcondition(_) => "postcondition",
        CheckKind::Specification(_) => "specification",
        CheckKind::Modifies(_) | CheckKind::ModifiesBalances => "modifies",
        CheckKind::Overflow(_) => "overflow",
        CheckKind::EnumRange => "enum-range",
        CheckKind::Index => "index",
        CheckKind::EventPrecondition(..)
        | CheckKind::EventPostcondition(..)
        | CheckKind::UntrackedChange(_) => "event",
        CheckKind::Start => "vacuity",
        CheckKind::Guess(_) => "guess",
    }
}
