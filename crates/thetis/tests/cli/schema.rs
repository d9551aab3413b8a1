//! JSON reports against the schema that users get.
//!
//! The validator knows the keywords that the schema uses and fails at others, so nothing of the schema is skipped.

use serde_json::{Value, json};

use crate::{ENDLESS, SAFE, UNSAFE, folder, root, thetis, write};

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/schema/report.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// What is wrong with a value, by its path; nothing if it fits.
fn complaint(root: &Value, schema: &Value, value: &Value, path: &str) -> Option<String> {
    let keywords = schema.as_object().unwrap_or_else(|| panic!("{path}: a schema is an object"));
    keywords
        .iter()
        .find_map(|(keyword, wanted)| keyword_complaint(root, schema, value, path, (keyword, wanted)))
}

fn keyword_complaint(
    root: &Value,
    schema: &Value,
    value: &Value,
    path: &str,
    (keyword, wanted): (&str, &Value),
) -> Option<String> {
    let wrong = |words: String| Some(format!("{path}: {words}"));
    let list = || wanted.as_array().unwrap().iter();
    match keyword {
        "$schema" | "title" | "description" | "$defs" => None,
        "$ref" => {
            let target = wanted.as_str().unwrap().strip_prefix('#').unwrap();
            complaint(root, root.pointer(target).unwrap(), value, path)
        }
        "anyOf" => {
            let all: Option<Vec<String>> =
                list().map(|schema| complaint(root, schema, value, path)).collect();
            all.map(|complaints| complaints.join(" and "))
        }
        "const" => {
            if value == wanted {
                None
            } else {
                wrong(format!("{value} is not {wanted}"))
            }
        }
        "enum" => {
            if list().any(|one| one == value) {
                None
            } else {
                wrong(format!("{value} is not in {wanted}"))
            }
        }
        "type" => {
            let types: Vec<&str> = match wanted {
                Value::Array(types) => types.iter().map(|one| one.as_str().unwrap()).collect(),
                one => vec![one.as_str().unwrap()],
            };
            if types.iter().any(|one| has_type(value, one)) {
                None
            } else {
                wrong(format!("{value} is no {wanted}"))
            }
        }
        "minimum" => match value.as_f64() {
            Some(number) if number < wanted.as_f64().unwrap() => wrong(format!("{number} is too small")),
            _ => None,
        },
        "required" => {
            let missing = list().find(|key| value.is_object() && value.get(key.as_str().unwrap()).is_none());
            missing.and_then(|key| wrong(format!("{key} is missing")))
        }
        "properties" => wanted
            .as_object()
            .unwrap()
            .iter()
            .find_map(|(key, schema)| complaint(root, schema, value.get(key)?, &format!("{path}/{key}"))),
        "additionalProperties" => value.as_object()?.iter().find_map(|(key, inner)| {
            if schema.get("properties").is_some_and(|known| known.get(key).is_some()) {
                return None;
            }
            match wanted {
                Value::Bool(false) => wrong(format!("{key} is unknown")),
                schema => complaint(root, schema, inner, &format!("{path}/{key}")),
            }
        }),
        "items" => {
            let items = value.as_array()?.iter().enumerate();
            items.into_iter().find_map(|(at, item)| complaint(root, wanted, item, &format!("{path}/{at}")))
        }
        other => panic!("the keyword {other} of the schema is not known here"),
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("the type {other} is not known here"),
    }
}

/// Reports of all verdicts, formalisms and of a run that ended too early.
#[test]
fn reports_fit_the_schema() {
    let folder = folder();
    let program =
        "int input(void); int main(void) { int a[2]; int n = input(); a[n & 3] = n; return a[0] / n; }";
    let bounded: &[&str] = &["--engine", "bmc", "--set", "bmc.max-bound=2"];
    let schema = schema();
    for (name, text, options) in [
        ("safe.cfa", SAFE, &[][..]),
        ("unsafe.cfa", UNSAFE, &[]),
        ("unknown.cfa", ENDLESS, bounded),
        ("early.cfa", ENDLESS, &["--engine", "simulate", "--time", "1ms"]),
        ("n.net", "net n\nplace p = 2, q\ntransition t in p out q\ntarget EF q >= 2\n", &[]),
        ("p.c", program, &["--property", "valid-deref"]),
        ("p.c", program, &["--property", "all"]),
    ] {
        let file = write(&folder, name, text);
        let outcome = thetis(&[&["check", &file, "--format", "json"], options].concat());
        let report: Value = serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{}", outcome.err));
        assert_eq!(complaint(&schema, &schema, &report, ""), None, "{name} {options:?}");
    }
}

/// The validator itself, and that the schema leaves nothing open.
#[test]
fn what_does_not_fit_is_noticed() {
    let folder = folder();
    let file = write(&folder, "safe.cfa", SAFE);
    let report: Value = serde_json::from_str(&thetis(&["check", &file, "--format", "json"]).out).unwrap();
    let schema = schema();
    for (pointer, value) in [
        ("/verdict", json!("perhaps")),
        ("/version", json!(2)),
        ("/checked", json!(1)),
        ("/wall-seconds", json!(-1)),
        ("/assumptions", json!([{ "code": "x" }])),
        ("/steps", json!([{ "file": null, "line": 0, "column": 1, "depth": 0, "text": "", "values": {} }])),
        ("/statistics/name", json!(null)),
    ] {
        let mut changed = report.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        assert!(complaint(&schema, &schema, &changed, "").is_some(), "{pointer}");
    }
    let mut more = report.clone();
    more["more"] = json!(1);
    assert!(complaint(&schema, &schema, &more, "").is_some());
    let mut fewer = report;
    fewer.as_object_mut().unwrap().remove("engine");
    assert!(complaint(&schema, &schema, &fewer, "").is_some());
}
