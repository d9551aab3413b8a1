//! A file holds one concept, and so is short.

use super::findings::Findings;
use super::policy::Policy;
use super::tree::Tree;

const WARN_ABOVE: usize = 600;
const FAIL_ABOVE: usize = 1000;

pub(super) fn check(tree: &Tree, _policy: &Policy, findings: &mut Findings) {
    for file in tree.rust_files() {
        let num_lines = file.text.lines().count();
        if num_lines > FAIL_ABOVE {
            findings.error(&file.path, 1, format!("{num_lines} lines, more than {FAIL_ABOVE}"));
        } else if num_lines > WARN_ABOVE {
            findings.warning(&file.path, 1, format!("{num_lines} lines, more than {WARN_ABOVE}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::findings::found;

    #[test]
    fn long_files_are_found() {
        let on = |num_lines| found(check, "", &[("crates/a/src/lib.rs", "//\n".repeat(num_lines).as_str())]);
        assert_eq!(on(600), [""; 0]);
        assert_eq!(on(601), ["crates/a/src/lib.rs:1: warning: 601 lines, more than 600"]);
        assert_eq!(on(1001), ["crates/a/src/lib.rs:1: error: 1001 lines, more than 1000"]);
    }
}
