//! The tables of options in the documents are made from the declarations of the options.
//!
//! `UPDATE_EXPECT=1 cargo test -p thetis-portfolio --test documents` writes them again.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use thetis_portfolio::{OptionInfo, Values, options};

/// What stands before a table, with the first word of its options, and after it.
const BEGIN: &str = "<!-- options: ";
const END: &str = "<!-- end of options -->";

fn documents() -> Vec<PathBuf> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut all = Vec::new();
    for folder in ["manual", "engines"] {
        let entries = std::fs::read_dir(docs.join(folder)).unwrap();
        all.extend(entries.map(|entry| entry.unwrap().path()));
    }
    all.sort();
    all
}

fn table(group: &str) -> String {
    let mut text = "| option | values | default | meaning |\n| --- | --- | --- | --- |\n".to_owned();
    let prefix = format!("{group}.");
    let mut num_rows = 0;
    for option in options() {
        if option.key == group || option.key.starts_with(&prefix) {
            text.push_str(&row(&option));
            num_rows += 1;
        }
    }
    assert!(num_rows > 0, "there are no options `{group}`");
    text
}

fn row(option: &OptionInfo) -> String {
    let words = |choices: &[(String, String)]| {
        let words: Vec<String> = choices.iter().map(|(word, _)| format!("`{word}`")).collect();
        words.join(" ")
    };
    let (values, choices) = match &option.values {
        Values::Flag => ("`true` `false`".to_owned(), None),
        Values::Number | Values::Decimal => ("a number".to_owned(), None),
        Values::Choice(choices) => (words(choices), Some(choices)),
        Values::List(choices) => (format!("a list of {}", words(choices)), Some(choices)),
        Values::Other => (String::new(), None),
    };
    let explained = choices.into_iter().flatten().filter(|(_, meaning)| !meaning.is_empty());
    let explained: Vec<String> =
        explained.map(|(word, meaning)| format!("`{word}`: {}", meaning.trim_end_matches('.'))).collect();
    let explained = if explained.is_empty() { String::new() } else { format!(" {}.", explained.join("; ")) };
    format!("| `{}` | {values} | `{}` | {}{explained} |\n", option.key, option.default, option.meaning)
}

/// The document with its tables made again.
fn renewed(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (group, old) = after.split_once(" -->\n").unwrap();
        let (_, after) = old.split_once(END).unwrap();
        result.push_str(&format!("{before}{BEGIN}{group} -->\n{}{END}", table(group)));
        rest = after;
    }
    result + rest
}

#[test]
fn tables_of_options_are_those_of_the_declarations() {
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut num_tables = 0;
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        num_tables += text.matches(BEGIN).count();
        let expected = renewed(&text);
        if is_update && expected != text {
            std::fs::write(&path, expected).unwrap();
        } else {
            assert_eq!(expected, text, "{} is stale; UPDATE_EXPECT=1 renews it", path.display());
        }
    }
    assert!(num_tables >= 8, "only {num_tables} tables were found");
}

/// No configuration of the repository has entries without an effect.
#[test]
fn configurations_are_accepted() {
    let mut folders = vec![std::path::PathBuf::from("../../configs")];
    let mut num_files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                let read = thetis_portfolio::Config::from_toml(&text);
                assert!(read.is_ok(), "{}: {read:?}", path.display());
                num_files += 1;
            }
        }
    }
    assert!(num_files > 80, "{num_files}");
}
