//! The files: a YAML list of entries, each with its metadata.
//!
//! Written exactly as the format says. Reading is lenient where tools differ: unknown keys are ignored, values may be
//! strings, numbers or truth values.

use serde::{Deserialize, Deserializer, Serialize};

use super::WitnessError;

/// An entry of a witness.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// What the entry is: [`VIOLATION`] or [`CORRECTNESS`].
    pub entry_type: String,
    /// Its metadata.
    pub metadata: Metadata,
    /// Segments or invariants.
    pub content: Vec<Item>,
}

/// The type of entries that violate a property.
pub const VIOLATION: &str = "violation_sequence";

/// The type of entries with invariants.
pub const CORRECTNESS: &str = "invariant_set";

/// The metadata of an entry.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Metadata {
    /// `2.0` and later.
    #[serde(deserialize_with = "scalar")]
    pub format_version: String,
    /// A name that no other entry has.
    #[serde(deserialize_with = "scalar")]
    pub uuid: String,
    /// ISO 8601 with zone.
    #[serde(deserialize_with = "scalar")]
    pub creation_time: String,
    /// The tool.
    pub producer: Producer,
    /// The question.
    pub task: TaskData,
}

/// A tool.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Producer {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(deserialize_with = "scalar")]
    pub version: String,
}

/// What was asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TaskData {
    /// The files, as they were given to the tool.
    pub input_files: Vec<String>,
    /// Their SHA-256 sums in hexadecimal.
    pub input_file_hashes: std::collections::BTreeMap<String, String>,
    /// The property, as in `.prp` files.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    /// `C`
    pub language: String,
}

/// A part of the content: exactly one of the supported keys.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Item {
    /// A part of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment: Option<Vec<SegmentItem>>,
    /// An invariant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant: Option<Invariant>,
}

/// A part of a segment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SegmentItem {
    /// The waypoint.
    pub waypoint: Waypoint,
}

/// Something that a run passes or must not pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Waypoint {
    /// What happens: `assumption`, `branching`, `function_enter`, `function_return`, `target`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `follow` or `avoid`.
    pub action: String,
    /// Where.
    pub location: Location,
    /// How.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Constraint>,
}

/// What holds at a waypoint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Constraint {
    /// An expression, or a branch.
    #[serde(deserialize_with = "scalar")]
    pub value: String,
    /// The language of the expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

/// An invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Invariant {
    /// `loop_invariant` or `location_invariant`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where it holds.
    pub location: Location,
    /// An expression.
    #[serde(default, deserialize_with = "scalar")]
    pub value: String,
    /// The language of the expression.
    #[serde(default)]
    pub format: String,
}

/// A place of the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Location {
    /// The file.
    pub file_name: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; if missing, the leftmost place of the line that fits is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The function, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// The text of a witness.
pub fn write(entries: &[Entry]) -> Result<String, WitnessError> {
    serde_saphyr::to_string(&entries).map_err(|error| WitnessError::Unwritable(error.to_string()))
}

/// The entries of a witness. What is not a witness, or has no entry of a known type, is an error.
pub fn read(text: &str) -> Result<Vec<Entry>, WitnessError> {
    let values: Vec<serde_json::Value> =
        serde_saphyr::from_str(text).map_err(|error| WitnessError::Syntax(error.to_string()))?;
    let mut entries = Vec::new();
    for value in values {
        let kind = value.get("entry_type").and_then(|kind| kind.as_str()).unwrap_or_default().to_owned();
        if kind != VIOLATION && kind != CORRECTNESS {
            return Err(WitnessError::Unsupported(format!("entries of type `{kind}` are not supported")));
        }
        entries.push(serde_json::from_value(value).map_err(|error| WitnessError::Syntax(error.to_string()))?);
    }
    match entries.is_empty() {
        true => Err(WitnessError::Empty),
        false => Ok(entries),
    }
}

/// A string, or what YAML takes for a number or truth value because quotes are missing.
fn scalar<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => Ok(text),
        value @ (serde_json::Value::Bool(_) | serde_json::Value::Number(_)) => Ok(value.to_string()),
        _ => Err(serde::de::Error::custom("expected a string, a number or a truth value")),
    }
}
