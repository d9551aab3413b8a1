//! What the rules found, and the comments that excuse some of it.

use std::fmt;

use super::tree::Tree;

/// Whether a finding fails the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    Error,
    Warning,
}

/// One complaint about one line; lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    path: String,
    line: usize,
    severity: Severity,
    rule: &'static str,
    message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{}:{}: {severity}[{}]: {}", self.path, self.line, self.rule, self.message)
    }
}

/// A list of findings to which one rule adds.
#[derive(Debug, Default)]
pub(super) struct Findings {
    rule: &'static str,
    list: Vec<Finding>,
}

impl Findings {
    /// An empty list whose entries will carry the name of `rule`.
    pub(super) fn of_rule(rule: &'static str) -> Findings {
        Findings { rule, list: Vec::new() }
    }

    /// Adds an error.
    pub(super) fn error(&mut self, path: &str, line: usize, message: impl Into<String>) {
        self.push(path, line, Severity::Error, message.into());
    }

    /// Adds a warning, which does not fail the check.
    pub(super) fn warning(&mut self, path: &str, line: usize, message: impl Into<String>) {
        self.push(path, line, Severity::Warning, message.into());
    }

    fn push(&mut self, path: &str, line: usize, severity: Severity, message: String) {
        self.list.push(Finding { path: path.to_owned(), line, severity, rule: self.rule, message });
    }

    pub(super) fn extend(&mut self, other: Findings) {
        self.list.extend(other.list);
    }

    pub(super) fn sort(&mut self) {
        self.list.sort();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.list.iter()
    }

    pub(super) fn num_errors(&self) -> usize {
        self.list.iter().filter(|finding| finding.severity == Severity::Error).count()
    }

    pub(super) fn num_warnings(&self) -> usize {
        self.list.len() - self.num_errors()
    }

    /// Removes what an `allow` comment excuses; adds an error for each comment that is malformed or idle.
    pub(super) fn apply_allowances(&mut self, tree: &Tree, rules: impl Iterator<Item = &'static str>) {
        self.rule = "allow";
        let rules: Vec<&str> = rules.collect();
        for file in tree.rust_files() {
            for (index, comment) in file.source.comments.lines().enumerate() {
                let Some(allowance) = comment.trim_start().strip_prefix("// tidy: allow(") else { continue };
                let (rule, reason) = allowance.split_once(')').unwrap_or((allowance, ""));
                self.apply_allowance(&file.path, index + 1, rule, reason.trim(), &rules);
            }
        }
    }

    fn apply_allowance(&mut self, path: &str, line: usize, rule: &str, reason: &str, rules: &[&str]) {
        if !rules.contains(&rule) {
            return self.error(path, line, format!("there is no rule `{rule}`"));
        }
        if reason.is_empty() {
            return self.error(path, line, format!("`allow({rule})` needs a reason after it"));
        }
        let before = self.list.len();
        self.list.retain(|finding| {
            finding.rule != rule || finding.path != path || !(line..=line + 1).contains(&finding.line)
        });
        if self.list.len() == before {
            self.error(path, line, format!("`allow({rule})` excuses nothing here"));
        }
    }
}

/// Runs one rule on a few files, for its tests.
#[cfg(test)]
pub(super) fn found(
    rule: fn(&Tree, &super::policy::Policy, &mut Findings),
    policy: &str,
    files: &[(&str, &str)],
) -> Vec<String> {
    let mut findings = Findings::of_rule("rule");
    rule(&Tree::of_files(files), &super::policy::Policy::parse(policy).unwrap(), &mut findings);
    let strip = |finding: &Finding| finding.to_string().replace("[rule]", "");
    findings.iter().map(strip).collect()
}
