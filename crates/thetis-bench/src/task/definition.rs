//! Task definitions of BenchExec, format 1.0 and 2.0: a model of one or more files, and a list of properties with expected verdicts.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{BenchTask, Expected, Integers, Question};
use crate::BenchError;

#[derive(Deserialize)]
struct Definition {
    /// What makes a YAML file a task definition.
    #[serde(rename = "format_version")]
    _format_version: String,
    input_files: Files,
    #[serde(default)]
    properties: Vec<Property>,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Files {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
struct Property {
    property_file: String,
    expected_verdict: Option<bool>,
}

#[derive(Deserialize, Default)]
struct Options {
    language: Option<String>,
    data_model: Option<String>,
}

/// Whether `text` is a task definition at all; folders of tasks have other YAML files as well.
pub(super) fn is_definition(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("format_version:"))
}

/// The tasks of `text`, the definition at `path`; they are named relative to `root`.
pub(super) fn parse(
    root: &Path,
    path: &Path,
    text: &str,
    read: impl Fn(&Path) -> Result<String, BenchError>,
) -> Result<Vec<BenchTask>, BenchError> {
    let definition: Definition =
        serde_saphyr::from_str(text).map_err(|error| BenchError::tasks(path, error))?;
    let inputs = inputs(&definition.input_files).map_err(|message| BenchError::tasks(path, message))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut further: Vec<PathBuf> = inputs.iter().map(|input| folder.join(input)).collect();
    let file = further.remove(0);
    let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
    let set = folder.file_name().map_or_else(|| "tasks".to_owned(), |name| name.display().to_string());
    let extension = file.extension().map(|extension| extension.display().to_string()).unwrap_or_default();
    let family = definition.options.language.as_deref().map_or(extension, str::to_lowercase);
    let mut tasks = Vec::new();
    for property in &definition.properties {
        let property_file = folder.join(&property.property_file);
        let question = question(&property_file, &read(&property_file)?, &definition.options);
        let expected = match property.expected_verdict {
            Some(true) => Expected::Safe,
            Some(false) => Expected::Unsafe,
            None => Expected::Unstated,
        };
        let (name, set, family) = (name.clone(), set.clone(), family.clone());
        let (file, further) = (file.clone(), further.clone());
        tasks.push(BenchTask { name, file, further, family, set, question, expected });
    }
    Ok(tasks)
}

/// The files of the model, at least one.
fn inputs(files: &Files) -> Result<&[String], String> {
    let inputs = match files {
        Files::One(file) => std::slice::from_ref(file),
        Files::Several(files) => files.as_slice(),
    };
    if inputs.is_empty() {
        return Err("there is no input file".to_owned());
    }
    match inputs.iter().find(|input| input.contains(['*', '?', '['])) {
        Some(input) => Err(format!("the input file `{input}` is a pattern, expected a name")),
        None => Ok(inputs),
    }
}

/// A property of the competition (`CHECK( … )`) is passed as its file; any other file contains the text of the
/// property.
fn question(property_file: &Path, text: &str, options: &Options) -> Question {
    let is_competition = text.lines().any(|line| line.trim_start().starts_with("CHECK"));
    let stem = property_file.file_stem().map(|stem| stem.display().to_string()).unwrap_or_default();
    let property = if is_competition { property_file.display().to_string() } else { text.trim().to_owned() };
    let words: Vec<&str> = std::iter::once(stem.as_str()).chain(options.data_model.as_deref()).collect();
    Question {
        words: words.join(" "),
        property: Some(property),
        property_file: Some(property_file.to_path_buf()),
        data_model: options.data_model.clone(),
        integers: Integers::Machine,
        arithmetic: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(text: &str, property: &str) -> Result<Vec<BenchTask>, BenchError> {
        parse(Path::new("t"), Path::new("t/loops/sum.yml"), text, |_| Ok(property.to_owned()))
    }

    #[test]
    fn each_property_is_a_task() {
        let text = "format_version: '2.0'\ninput_files: 'sum.i'\nproperties:
  - property_file: ../unreach-call.prp\n    expected_verdict: true
  - property_file: ../no-overflow.prp\noptions:\n  language: C\n  data_model: ILP32\n";
        let tasks = tasks(text, "CHECK( init(main()), LTL(G ! overflow) )").unwrap();
        assert_eq!(tasks.len(), 2);
        assert_eq!((tasks[0].name.as_str(), tasks[0].set.as_str()), ("loops/sum.i", "loops"));
        assert_eq!((tasks[0].family.as_str(), tasks[0].expected), ("c", Expected::Safe));
        assert_eq!(tasks[0].question.property.as_deref(), Some("t/loops/../unreach-call.prp"));
        assert_eq!(tasks[0].question.words, "unreach-call ILP32");
        assert_eq!(tasks[1].expected, Expected::Unstated);
    }

    #[test]
    fn a_property_in_words_is_asked_in_words() {
        let text = "format_version: '1.0'\ninput_files: ['a.cfa']\nproperties:\n  - property_file: e.prp\n";
        let tasks = tasks(text, "error-location\n").unwrap();
        assert_eq!(tasks[0].question.property.as_deref(), Some("error-location"));
        assert_eq!((tasks[0].family.as_str(), tasks[0].question.words.as_str()), ("cfa", "e"));
    }

    #[test]
    fn several_inputs_are_one_model() {
        let text =
            "format_version: '2.0'\ninput_files: ['a.c', 'b.c']\nproperties:\n  - property_file: e.prp\n";
        let tasks = tasks(text, "assertion\n").unwrap();
        assert_eq!(tasks[0].file, Path::new("t/loops/a.c"));
        assert_eq!(tasks[0].further, [Path::new("t/loops/b.c")]);
    }

    #[test]
    fn no_inputs_and_patterns_are_rejected() {
        for inputs in ["[]", "'*.c'", "['a.c', 'b?.c']"] {
            let text = format!("format_version: '2.0'\ninput_files: {inputs}\n");
            assert!(tasks(&text, "").unwrap_err().to_string().starts_with("t/loops/sum.yml: "), "{inputs}");
        }
        assert!(!is_definition("name: CI\non: push\n"));
    }
}
