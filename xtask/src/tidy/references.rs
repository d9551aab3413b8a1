//! Documents name files that exist, and the map of the code stays short.
//!
//! Two kinds of names are looked up in every Markdown file: targets of links, relative to the file, and words in backticks that
//! begin with a folder of the repository (`crates/…`). In the code map of ARCHITECTURE.md a section about a crate also
//! names files by the end of their paths (`run.rs`, `cfa/`); they must be files of that crate.

use super::findings::Findings;
use super::policy::Policy;
use super::tree::{File, Tree};

const MAP: &str = "ARCHITECTURE.md";
const MAP_LINES: usize = 300;

/// Folders whose mention is a path.
const FOLDERS: [&str; 7] = ["crates/", "xtask/", "contrib/", "configs/", "docs/", "examples/", "fuzz/"];

pub(super) fn check(tree: &Tree, _policy: &Policy, findings: &mut Findings) {
    for file in tree.files.iter().filter(|file| file.path.ends_with(".md")) {
        for (index, line) in prose(&file.text) {
            for target in link_targets(line).filter(|target| !exists(tree, &resolve(&file.path, target))) {
                findings.error(&file.path, index, format!("`{target}` does not exist"));
            }
            for path in quoted(line).filter(|path| FOLDERS.iter().any(|folder| path.starts_with(folder))) {
                if is_plain(path) && !exists(tree, path) {
                    findings.error(&file.path, index, format!("`{path}` does not exist"));
                }
            }
        }
        if file.path == MAP {
            check_map(tree, file, findings);
        }
    }
}

fn check_map(tree: &Tree, map: &File, findings: &mut Findings) {
    let num_lines = map.text.lines().count();
    if num_lines > MAP_LINES {
        findings.error(MAP, num_lines, format!("{num_lines} lines; newcomers get at most {MAP_LINES}"));
    }
    let mut section = None;
    for (index, line) in prose(&map.text) {
        if line.starts_with('#') {
            section = line.strip_prefix("### ").and_then(|title| quoted(title).next());
        }
        let Some(name) = section else { continue };
        let is_file = |word: &&str| is_plain(word) && (word.ends_with(".rs") || word.ends_with('/'));
        for word in quoted(line).filter(is_file) {
            if !tree.files.iter().any(|file| is_in_crate(&file.path, name, word)) && !exists(tree, word) {
                findings.error(MAP, index, format!("`{name}` has no `{word}`"));
            }
        }
    }
}

/// Whether a file of a crate is called `word`, or is in a folder called so.
fn is_in_crate(path: &str, name: &str, word: &str) -> bool {
    let inside = path.strip_prefix("crates/").and_then(|rest| rest.strip_prefix(name));
    inside.is_some_and(|inside| {
        let word = format!("/{word}");
        if word.ends_with('/') { inside.contains(&word) } else { inside.ends_with(&word) }
    })
}

/// The lines outside of fenced blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        (!is_fenced && !is_fence).then_some((index + 1, line))
    })
}

/// The files that links of a line lead to, without places inside them.
fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next());
    targets.filter(|target| !target.is_empty() && !target.contains(':'))
}

fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Whether a word is one path, without placeholders.
fn is_plain(word: &str) -> bool {
    word.chars().all(|character| character.is_ascii_alphanumeric() || "/._-+".contains(character))
        && !word.chars().any(|character| character.is_ascii_uppercase() && !word.ends_with(".md"))
}

/// A target relative to the folder of a file, as a path from the root.
fn resolve(from: &str, target: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            name => parts.push(name),
        }
    }
    parts.join("/")
}

fn exists(tree: &Tree, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    let is_below = |file: &File| file.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    tree.files.iter().any(|file| file.path == path || is_below(file))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::findings::found;

    const CODE: (&str, &str) = ("crates/a/src/cfa/run.rs", "");

    #[test]
    fn links_and_paths_lead_somewhere() {
        let on = |text: &str| found(check, "", &[CODE, ("docs/b.md", text), ("README.md", "")]);
        assert_eq!(on("[up](../README.md#top) and [web](https://e.org) and `crates/a/src`"), [""; 0]);
        assert_eq!(on("[gone](c.md)"), ["docs/b.md:1: error: `c.md` does not exist"]);
        assert_eq!(on("\n`crates/a/lib.rs`"), ["docs/b.md:2: error: `crates/a/lib.rs` does not exist"]);
        assert_eq!(on("`configs/*.toml`, `crates/NAME/x`\n```sh\n[a](b)\n```\n"), [""; 0]);
    }

    #[test]
    fn the_map_names_files_of_crates() {
        let on = |text: &str| found(check, "", &[CODE, ("ARCHITECTURE.md", text)]);
        assert_eq!(on("### `a`: code\n`run.rs`, `cfa/`, `cfa/run.rs`, `Run`"), [""; 0]);
        let message = "ARCHITECTURE.md:2: error: `a` has no `walk.rs`";
        assert_eq!(on("### `a`: code\n`walk.rs`"), [message]);
        let message = "ARCHITECTURE.md:301: error: 301 lines; newcomers get at most 300";
        assert_eq!(on(&"text\n".repeat(301)), [message]);
    }
}
