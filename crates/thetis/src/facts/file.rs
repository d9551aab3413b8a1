//! Files of facts: JSON, one entry per fact. A certificate can be read instead.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thetis_base::Fact;

use super::place::Place;

const FORMAT: &str = "thetis-facts";
const VERSION: u32 = 1;

/// The format as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FactsFile {
    /// Always `thetis-facts`.
    format: String,
    /// The version of the format.
    version: u32,
    /// SHA-256 of the model text that the facts are about.
    model_sha256: String,
    facts: Vec<KeptFact>,
}

/// A fact that was kept.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct KeptFact {
    pub(crate) kind: FactKind,
    /// SMT-LIB over the variables of the model.
    pub(crate) formula: String,
    /// The name of the location; a predicate without one applies everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) location: Option<String>,
    /// The same in the text of a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<Place>,
}

impl KeptFact {
    /// The fact at a location, which an invariant must have.
    pub(super) fn at(&self, location: Option<String>) -> Fact {
        let formula = self.formula.clone();
        match (self.kind, location) {
            (FactKind::Invariant, Some(location)) => Fact::Invariant { location, formula },
            (FactKind::Predicate | FactKind::Invariant, location) => Fact::Predicate { location, formula },
        }
    }
}

/// What a fact was in the run that found it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FactKind {
    /// A formula that always holds at its location.
    Invariant,
    /// A formula that distinguishes states.
    Predicate,
}

/// The text of a file.
pub(super) fn write(model_sha256: &str, facts: Vec<KeptFact>) -> String {
    let file = FactsFile {
        format: FORMAT.to_owned(),
        version: VERSION,
        model_sha256: model_sha256.to_owned(),
        facts,
    };
    let text = serde_json::to_string_pretty(&file).expect("facts should be representable as JSON");
    text + "\n"
}

/// The facts of a file, or why it has none.
pub(super) fn read(text: &str) -> Result<Vec<KeptFact>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("not a file of facts: {error}"))?;
    match value.get("format").and_then(Value::as_str) {
        Some("thetis-certificate") => Ok(of_certificate(&value)),
        Some(FORMAT) => {
            let file = FactsFile::deserialize(value).map_err(|error| error.to_string())?;
            match file.version {
                VERSION => Ok(file.facts),
                other => Err(format!("version {other} of the format is not known")),
            }
        }
        _ => Err("neither facts nor a certificate".to_owned()),
    }
}

fn of_certificate(certificate: &Value) -> Vec<KeptFact> {
    let kept = |(location, formula): (String, String)| KeptFact {
        kind: FactKind::Invariant,
        formula,
        location: Some(location),
        place: None,
    };
    invariants_of(certificate).into_iter().map(kept).collect()
}

/// The locations and formulas of the proof in a certificate about an automaton. What a proof derives or quantifies is left out.
pub(super) fn invariants_of(certificate: &Value) -> Vec<(String, String)> {
    let Some(proof) = certificate.pointer("/verdict/safe").and_then(Value::as_object) else {
        return Vec::new();
    };
    let parts = proof.iter().filter_map(|(kind, content)| match kind.as_str() {
        "invariants" => Some((content.as_object()?, None)),
        "block-invariants" => Some((content.get("formulas")?.as_object()?, Some(content))),
        "unwinding" | "loop-unwinding" | "k-inductive" => {
            Some((content.get("lemmas")?.as_object()?, Some(content)))
        }
        _ => None,
    });
    let mut found = Vec::new();
    for (formulas, content) in parts {
        if content.is_some_and(|content| content.get("cells").is_some()) {
            continue;
        }
        let derived = content.and_then(|content| content.get("derived")?.as_array());
        let is_derived =
            |location: &String| derived.is_some_and(|all| all.iter().any(|at| at.as_str() == Some(location)));
        for (location, formula) in formulas.iter().filter(|(location, _)| !is_derived(location)) {
            let Some(formula) = formula.as_str().filter(|formula| !["true", "false"].contains(formula))
            else {
                continue;
            };
            found.push((location.clone(), formula.to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_come_through() {
        let place = Place::example("main", "while (x)");
        let facts = vec![
            KeptFact {
                kind: FactKind::Invariant,
                formula: "(<= 0 x)".into(),
                location: Some("L1".into()),
                place: Some(place),
            },
            KeptFact { kind: FactKind::Predicate, formula: "b".into(), location: None, place: None },
        ];
        assert_eq!(read(&write("12ab", facts.clone())), Ok(facts));
    }

    #[test]
    fn other_files_are_rejected() {
        for (text, expected) in [
            ("", "not a file of facts"),
            ("[]", "neither facts nor a certificate"),
            (r#"{"format": "thetis-facts"}"#, "missing field"),
            (
                r#"{"format": "thetis-facts", "version": 9, "model-sha256": "", "facts": []}"#,
                "version 9 of the format is not known",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn proofs_of_certificates_are_facts() {
        let proofs = [
            json!({"invariants": {"A": "(<= 0 x)", "E": "false"}}),
            json!({"block-invariants": {"formulas": {"A": "(<= 0 x)", "B": "true", "C": "b"}, "derived": ["C"]}}),
            json!({"k-inductive": {"bound": 2, "lemmas": {"A": "(<= 0 x)"}}}),
        ];
        for proof in proofs {
            let certificate = json!({"format": "thetis-certificate", "verdict": {"safe": proof}});
            assert_eq!(invariants_of(&certificate), [("A".to_owned(), "(<= 0 x)".to_owned())]);
        }
        let quantified = json!({"formulas": {"A": "(<= 0 c)"}, "derived": [], "cells": {"c": "Int"}});
        for proof in [json!({"exhaustion": {"steps": 3}}), json!({"block-invariants": quantified})] {
            assert_eq!(invariants_of(&json!({"verdict": {"safe": proof}})), []);
        }
        assert_eq!(invariants_of(&json!({"verdict": {"unsafe": {}}})), []);
    }
}
