//! A crate says what it is, and a file of some size says what it does and how.

use super::findings::Findings;
use super::policy::Policy;
use super::tree::{File, Tree};

/// Shorter files speak for themselves.
const DOCS_FROM_LINES: usize = 50;

pub(super) fn check(tree: &Tree, _policy: &Policy, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| file.is_product_code() && !opens_with_docs(file)) {
        let num_lines = file.text.lines().count();
        if is_crate_root(file) {
            findings.error(&file.path, 1, "a crate opens with `//!` and what it is for");
        } else if num_lines >= DOCS_FROM_LINES {
            let message = format!("a file of {num_lines} lines opens with `//!` and what it does");
            findings.error(&file.path, 1, message);
        }
    }
}

fn is_crate_root(file: &File) -> bool {
    ["/src/lib.rs", "/src/main.rs"].iter().any(|end| file.path.ends_with(end))
        || file.path.contains("/src/bin/")
}

/// Whether the first line that is neither blank nor a plain comment is a `//!` comment with text.
fn opens_with_docs(file: &File) -> bool {
    let first = file.text.lines().map(str::trim).find(|line| {
        let is_plain_comment = line.starts_with("//") && !line.starts_with("//!");
        !line.is_empty() && !is_plain_comment
    });
    first.and_then(|line| line.strip_prefix("//!")).is_some_and(|docs| !docs.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::findings::found;

    #[test]
    fn crate_roots_need_docs() {
        let message = "crates/a/src/lib.rs:1: error: a crate opens with `//!` and what it is for";
        assert_eq!(found(check, "", &[("crates/a/src/lib.rs", "fn main() {}\n")]), [message]);
        assert_eq!(found(check, "", &[("crates/a/src/lib.rs", "//!\nfn main() {}\n")]), [message]);
        assert_eq!(found(check, "", &[("crates/a/src/lib.rs", "// Note.\n\n//! Docs.\n")]), [""; 0]);
    }

    #[test]
    fn longer_files_need_docs() {
        let on = |path, num_lines| found(check, "", &[(path, "use a;\n".repeat(num_lines).as_str())]);
        assert_eq!(on("crates/a/src/b.rs", 49), [""; 0]);
        let message = "crates/a/src/b.rs:1: error: a file of 50 lines opens with `//!` and what it does";
        assert_eq!(on("crates/a/src/b.rs", 50), [message]);
        assert_eq!(on("crates/a/tests/b.rs", 50), [""; 0]);
    }
}
