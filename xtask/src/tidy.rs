//! The tidy check: rules of the repository that no compiler knows.
//!
//! Each rule is one file with a function from the [`Tree`] of the repository to [`Findings`]. Rules look
//! at text with simple means (comments and literals blanked, brackets counted), so that a rule stays short
//! enough to be read; where such means misjudge, a comment says so with a reason:
//! `// tidy: allow(RULE) the reason`, on the line of the finding or on the line above it.

mod docs;
mod file_length;
mod findings;
mod function_length;
mod ignored_tests;
mod layers;
mod lints;
mod paths;
mod places;
mod policy;
mod powers;
mod references;
mod source;
mod todos;
mod tree;

use std::path::Path;

use findings::Findings;
use policy::Policy;
use tree::Tree;

/// A rule: its name, as printed and as used in `allow` comments, and its check.
type Rule = (&'static str, fn(&Tree, &Policy, &mut Findings));

const RULES: &[Rule] = &[
    ("layers", layers::check),
    ("lints", lints::check),
    ("file-length", file_length::check),
    ("function-length", function_length::check),
    ("docs", docs::check),
    ("todos", todos::check),
    ("ignored-tests", ignored_tests::check),
    ("places", places::check),
    ("powers", powers::check),
    ("references", references::check),
];

/// Checks the repository, prints what was found, and fails if there is an error among it.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let policy = Policy::read(root)?;
    let tree = Tree::read(root)?;
    let findings = check(&tree, &policy);
    for finding in findings.iter() {
        println!("{finding}");
    }
    let (errors, warnings) = (findings.num_errors(), findings.num_warnings());
    println!("tidy: {} files, {errors} errors, {warnings} warnings", tree.files.len());
    if errors == 0 { Ok(()) } else { Err("tidy: the errors above have to go".to_owned()) }
}

fn check(tree: &Tree, policy: &Policy) -> Findings {
    let mut all = Findings::default();
    for (name, rule) in RULES {
        let mut findings = Findings::of_rule(name);
        rule(tree, policy, &mut findings);
        all.extend(findings);
    }
    all.apply_allowances(tree, RULES.iter().map(|(name, _)| *name));
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use super::policy::Policy;
    use super::tree::Tree;

    /// The findings of all rules on a few files, as printed; a rule's own tests use its function alone.
    fn check(files: &[(&str, &str)]) -> Vec<String> {
        let tree = Tree::of_files(files);
        super::check(&tree, &Policy::default()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_allowance_with_a_reason_silences_its_rule_only() {
        let text = "//! Docs.\n// tidy: allow(todos) kept as a sample\n// TODO later\n";
        assert_eq!(check(&[("docs/a.rs", text)]), [""; 0]);
        let wrong_rule = text.replace("todos", "docs");
        assert_eq!(
            check(&[("docs/a.rs", &wrong_rule)]).len(),
            2,
            "one finding stays and one allowance is idle"
        );
    }

    #[test]
    fn allowances_without_reason_or_rule_are_errors() {
        let found = check(&[("a.rs", "//! Docs.\n// tidy: allow(todos)\n// TODO later\n")]);
        assert_eq!(found[0], "a.rs:2: error[allow]: `allow(todos)` needs a reason after it");
        let found = check(&[("a.rs", "//! Docs.\n// tidy: allow(spelling) because\n")]);
        assert_eq!(found, ["a.rs:2: error[allow]: there is no rule `spelling`"]);
    }
}
