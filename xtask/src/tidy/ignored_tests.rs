//! No test is ignored: a known failure records today's answer, and fails when it starts to pass.

use super::findings::Findings;
use super::policy::Policy;
use super::source::{behind_closing, line_of, words};
use super::tree::Tree;

pub(super) fn check(tree: &Tree, _policy: &Policy, findings: &mut Findings) {
    for file in tree.rust_files() {
        for line in ignored_tests(&file.source.code) {
            findings.error(&file.path, line, "`#[ignore]` hides a test; record today's answer instead");
        }
        for (index, line) in file.source.comments.lines().enumerate() {
            if line.split_once("```").is_some_and(|(_, language)| language.contains("ignore")) {
                let message = "an ignored example is never compiled; make it run, or mark it `text`";
                findings.error(&file.path, index + 1, message);
            }
        }
    }
}

/// The lines of attributes that are, or conditionally become, `ignore`.
fn ignored_tests(code: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    for (start, _) in code.match_indices("#[") {
        let attribute = &code[start..behind_closing(code, start + 1)];
        let name = attribute[2..].trim_start();
        let is_relevant = name.starts_with("ignore") || name.starts_with("cfg_attr");
        if is_relevant && words(attribute, "ignore").next().is_some() {
            lines.push(line_of(code, start));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::findings::found;

    #[test]
    fn ignored_tests_and_examples_are_found() {
        let text = "#[test]\n#[ignore = \"slow\"]\nfn a() {}\n#[cfg_attr(unix, ignore)]\nfn b() {}\n/// ```ignore\n/// x\n/// ```\nfn ignore() {}\n";
        let lines: Vec<String> = found(check, "", &[("crates/a/tests/a.rs", text)])
            .iter()
            .map(|finding| finding.split(':').nth(1).unwrap().to_owned())
            .collect();
        assert_eq!(lines, ["2", "4", "6"]);
    }
}
