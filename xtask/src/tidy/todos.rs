//! Work that is left stands in an issue; a note in the code names it.

use super::findings::Findings;
use super::policy::Policy;
use super::source::words;
use super::tree::{File, Tree};

const NOTES: [&str; 3] = ["TODO", "FIXME", "XXX"];

/// Files other than Rust in which notes are looked for; in prose the words may be talked about.
const OTHER_CODE: [&str; 6] = [".sh", ".py", ".toml", ".yml", "Makefile", ".ci/run"];

pub(super) fn check(tree: &Tree, _policy: &Policy, findings: &mut Findings) {
    for file in &tree.files {
        for (index, line) in searched_text(file).lines().enumerate() {
            for note in NOTES {
                if words(line, note).next().is_some() && !names_issue(line) {
                    findings.error(
                        &file.path,
                        index + 1,
                        format!("{note} without an issue (`{note} #12: ...`)"),
                    );
                }
            }
        }
    }
}

fn searched_text(file: &File) -> &str {
    if file.is_rust() {
        &file.source.comments
    } else if OTHER_CODE.iter().any(|end| file.path.ends_with(end)) {
        &file.text
    } else {
        ""
    }
}

fn names_issue(line: &str) -> bool {
    line.split('#').skip(1).any(|rest| rest.starts_with(|character: char| character.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::findings::found;

    #[test]
    fn notes_without_issue_are_found() {
        let text = "// TODO: faster\n// TODO #12: faster\nlet x = \"TODO\";\n/* FIXME #a */\n";
        assert_eq!(
            found(check, "", &[("crates/a/src/lib.rs", text)]),
            [
                "crates/a/src/lib.rs:1: error: TODO without an issue (`TODO #12: ...`)",
                "crates/a/src/lib.rs:4: error: FIXME without an issue (`FIXME #12: ...`)",
            ]
        );
    }

    #[test]
    fn scripts_are_searched_and_prose_is_not() {
        let message = "a.sh:1: error: FIXME without an issue (`FIXME #12: ...`)";
        assert_eq!(found(check, "", &[("a.sh", "# FIXME\n"), ("a.md", "No TODO here.\n")]), [message]);
    }
}
