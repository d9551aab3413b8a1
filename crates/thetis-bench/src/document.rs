//! Hand-written documents with generated tables.
//!
//! A generated part stands between two lines that Markdown does not show:
//!
//! ```text
//! <!-- bench table results/cfa.jsonl results/petri.jsonl -->
//! …
//! <!-- end -->
//! ```
//!
//! The word after `bench` says what the part contains ([`GeneratedPart`]): `table`, `predictions` or `transfer`. Everything between the two lines is
//! replaced; everything else is kept unchanged.

use std::path::Path;

use crate::BenchError;

const BEGIN: &str = "<!-- bench ";
const END: &str = "<!-- end -->";

/// What a generated part shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GeneratedPart {
    /// The tables of results.
    Table,
    /// How well timeouts are predicted.
    Predictions,
    /// What is solved only because stages pass on facts.
    Transfer,
}

impl GeneratedPart {
    fn from_word(word: &str) -> Option<GeneratedPart> {
        match word {
            "table" => Some(GeneratedPart::Table),
            "predictions" => Some(GeneratedPart::Predictions),
            "transfer" => Some(GeneratedPart::Transfer),
            _ => None,
        }
    }
}

/// The text of the document at `path` with every generated part renewed; `make` makes a part from the names of its files.
pub fn regenerate(
    path: &Path,
    text: &str,
    make: impl Fn(GeneratedPart, &[&str]) -> Result<String, BenchError>,
) -> Result<String, BenchError> {
    let wrong = |number: usize, words: &str| BenchError::results(path, format!("line {number}: {words}"));
    let mut renewed = String::new();
    let mut open = None;
    let mut num_parts = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let content = line.trim();
        if let Some(words) = content.strip_prefix(BEGIN) {
            let words =
                words.strip_suffix("-->").ok_or_else(|| wrong(number, "expected `-->` at the end"))?;
            let mut words = words.split_whitespace();
            let part = words.next().and_then(GeneratedPart::from_word);
            let part = part.ok_or_else(|| wrong(number, "expected `table`, `predictions` or `transfer`"))?;
            let files: Vec<&str> = words.collect();
            if open.is_some() || files.is_empty() {
                return Err(wrong(number, "expected names of files, outside of another generated part"));
            }
            renewed.push_str(line);
            renewed.push('\n');
            renewed.push_str(make(part, &files)?.trim());
            renewed.push_str("\n\n");
            open = Some(number);
            num_parts += 1;
        } else if content == END {
            open.take().ok_or_else(|| wrong(number, "no generated part ends here"))?;
            renewed.push_str(line);
        } else if open.is_none() {
            renewed.push_str(line);
        }
    }
    match open {
        Some(number) => Err(wrong(number, "the generated part has no end")),
        None if num_parts == 0 => Err(BenchError::results(path, "the document has no generated part")),
        None => Ok(renewed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renew(text: &str) -> Result<String, String> {
        regenerate(Path::new("d.md"), text, |part, files| {
            let part = if part == GeneratedPart::Table { "table" } else { "study" };
            Ok(format!("{part} of {}\n", files.join(" and ")))
        })
        .map_err(|error| error.to_string())
    }

    #[test]
    fn only_generated_parts_change() {
        let text = "# Hand\n<!-- bench table a.jsonl b.jsonl -->\nold\n<!-- end -->\n\nmore by hand";
        let once = renew(text).unwrap();
        let expected = "# Hand\n<!-- bench table a.jsonl b.jsonl -->\n\ntable of a.jsonl and b.jsonl\n\n<!-- end -->\n\nmore by hand";
        assert_eq!(once, expected);
        assert_eq!(renew(&once).unwrap(), once, "a second time nothing changes");
    }

    #[test]
    fn parts_are_told_apart() {
        let text = "<!-- bench predictions a -->\n<!-- end -->\n<!-- bench transfer b -->\n<!-- end -->\n";
        let renewed = renew(text).unwrap();
        assert!(renewed.contains("study of a") && renewed.contains("study of b"), "{renewed}");
    }

    #[test]
    fn broken_marks_are_rejected() {
        for text in [
            "by hand",
            "<!-- bench table a -->\n",
            "<!-- end -->\n",
            "<!-- bench table a\n<!-- end -->\n",
            "<!-- bench table -->\n<!-- end -->\n",
            "<!-- bench chart a -->\n<!-- end -->\n",
            "<!-- bench table a -->\n<!-- bench table b -->\n<!-- end -->\n",
        ] {
            assert!(renew(text).is_err(), "{text}");
        }
    }
}
