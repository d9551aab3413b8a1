//! Every crate obeys the lints of the workspace, or repeats them but for what the policy lets it set.

use super::findings::Findings;
use super::policy::Policy;
use super::tree::{Crate, Tree};

pub(super) fn check(tree: &Tree, policy: &Policy, findings: &mut Findings) {
    let workspace = tree.workspace().unwrap_or_default();
    let expected = workspace.get("workspace").and_then(|table| table.get("lints"));
    for krate in tree.crates() {
        let inherits = lint_table(&krate, "workspace").and_then(toml::Value::as_bool) == Some(true);
        if inherits {
            continue;
        }
        match policy.lints.get(&krate.name) {
            Some(own) => check_repeated(&krate, expected, own, findings),
            None => findings.error(&krate.manifest.path, 1, "missing `[lints] workspace = true`"),
        }
    }
}

fn check_repeated(
    krate: &Crate<'_>,
    expected: Option<&toml::Value>,
    own: &[String],
    findings: &mut Findings,
) {
    let groups = expected.and_then(toml::Value::as_table).into_iter().flatten();
    for (group, lints) in groups {
        for (lint, level) in lints.as_table().into_iter().flatten().filter(|(lint, _)| !own.contains(lint)) {
            let actual = lint_table(krate, group).and_then(|table| table.get(lint));
            if actual != Some(level) {
                let line = krate.line_of(&format!("lints.{group}"), lint);
                findings.error(
                    &krate.manifest.path,
                    line,
                    format!("lint `{lint}` has to be {level}, as in the workspace"),
                );
            }
        }
    }
}

fn lint_table<'k>(krate: &'k Crate<'_>, key: &str) -> Option<&'k toml::Value> {
    krate.table.get("lints")?.get(key)
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::findings::found;

    const POLICY: &str = "[lints]\nffi = [\"unsafe_code\"]";
    const WORKSPACE: &str =
        "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n[workspace.lints.clippy]\ntodo = \"deny\"\n";

    fn on(name: &str, lints: &str) -> Vec<String> {
        let manifest = format!("[package]\nname = \"{name}\"\n{lints}");
        found(check, POLICY, &[("Cargo.toml", WORKSPACE), ("crates/a/Cargo.toml", &manifest)])
    }

    #[test]
    fn inherited_lints_pass() {
        assert_eq!(on("plain", "[lints]\nworkspace = true"), [""; 0]);
        assert_eq!(on("ffi", "[lints]\nworkspace = true"), [""; 0]);
    }

    #[test]
    fn a_crate_without_the_lints_is_an_error() {
        let message = "crates/a/Cargo.toml:1: error: missing `[lints] workspace = true`";
        assert_eq!(on("plain", ""), [message]);
        assert_eq!(on("plain", "[lints.clippy]\ntodo = \"deny\""), [message]);
    }

    #[test]
    fn an_exception_covers_its_lint_only() {
        assert_eq!(
            on("ffi", "[lints.rust]\nunsafe_code = \"allow\"\n[lints.clippy]\ntodo = \"deny\""),
            [""; 0]
        );
        let message = "crates/a/Cargo.toml:4: error: lint `todo` has to be \"deny\", as in the workspace";
        assert_eq!(on("ffi", "[lints.clippy]\ntodo = \"warn\""), [message]);
    }
}
