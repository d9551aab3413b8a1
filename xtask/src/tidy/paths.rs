//! The paths that code names, with its imports spelled out.
//!
//! `use std::{fs, process::Command as Run}; fs::read(..)` names `std::fs`, `std::process::Command` and
//! `std::fs::read`. Local names are taken per file, which is good enough to find forbidden uses.

use std::ops::Range;

use super::source::{is_word_char, words};

/// A path like `std::fs::read`, with the offset where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedPath {
    pub(super) offset: usize,
    pub(super) path: String,
}

/// All paths in the code, those of imports first.
pub(super) fn named_paths(code: &str) -> Vec<NamedPath> {
    let statements: Vec<Range<usize>> =
        words(code, "use").filter_map(|offset| use_tree(code, offset)).collect();
    let mut imports = Vec::new();
    for tree in &statements {
        expand(code, tree.start, tree.end, "", &mut imports);
    }
    let is_import = |path: &NamedPath| statements.iter().any(|tree| tree.contains(&path.offset));
    let inline = inline_paths(code, &imports).into_iter().filter(|path| !is_import(path));
    imports.iter().map(|import| import.named.clone()).chain(inline).collect()
}

/// The range between `use` and its semicolon; none for the `use<..>` of a bound.
fn use_tree(code: &str, offset: usize) -> Option<Range<usize>> {
    let start = offset + "use".len();
    let end = start + code[start..].find(';')?;
    (!code[start..].trim_start().starts_with('<')).then_some(start..end)
}

struct Import {
    named: NamedPath,
    /// The name by which the file knows it.
    local: String,
}

/// Expands the use tree in `start..end` below `prefix`.
fn expand(code: &str, start: usize, end: usize, prefix: &str, imports: &mut Vec<Import>) {
    for (from, to) in split_at_commas(code, start, end) {
        let tree = &code[from..to];
        if let Some(open) = tree.find('{') {
            let close = tree.rfind('}').unwrap_or(tree.len());
            expand(code, from + open + 1, from + close, &join(prefix, tree[..open].trim()), imports);
            continue;
        }
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path = join(prefix, path.trim());
        let path = path.strip_suffix("::self").unwrap_or(&path);
        let last = path.rsplit("::").next().unwrap_or(path);
        let local = if alias.trim().is_empty() { last } else { alias.trim() };
        let offset = from + (tree.len() - tree.trim_start().len());
        imports.push(Import { named: NamedPath { offset, path: path.to_owned() }, local: local.to_owned() });
    }
}

fn join(prefix: &str, path: &str) -> String {
    let path = path.trim_start_matches("::").trim_end_matches("::").replace(' ', "");
    if prefix.is_empty() { path } else { format!("{prefix}::{path}") }
}

/// Splits a list at the commas that are not inside braces; empty pieces are dropped.
fn split_at_commas(code: &str, start: usize, end: usize) -> Vec<(usize, usize)> {
    let (mut pieces, mut depth, mut from) = (Vec::new(), 0, start);
    for (index, byte) in code.bytes().enumerate().take(end).skip(start) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                pieces.push((from, index));
                from = index + 1;
            }
            _ => {}
        }
    }
    pieces.push((from, end));
    pieces.retain(|&(from, to)| !code[from..to].trim().is_empty());
    pieces
}

/// Paths outside imports, with a first segment that was imported replaced by what it stands for.
fn inline_paths(code: &str, imports: &[Import]) -> Vec<NamedPath> {
    let mut paths = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(is_word_char) {
        let offset = code.len() - rest.len() + start;
        let path = path_at(&rest[start..]);
        rest = &rest[start + path.len()..];
        let (first, tail) = path.split_once("::").unwrap_or((path, ""));
        let import = imports.iter().find(|import| import.local == first);
        match (import, tail) {
            (Some(import), tail) if !tail.is_empty() => {
                paths.push(NamedPath { offset, path: format!("{}::{tail}", import.named.path) });
            }
            (None, tail) if !tail.is_empty() => paths.push(NamedPath { offset, path: path.to_owned() }),
            _ if rest.starts_with('!') => paths.push(NamedPath { offset, path: format!("{path}!") }),
            _ => {}
        }
    }
    paths
}

/// The longest path at the start of the code.
fn path_at(code: &str) -> &str {
    let mut length = 0;
    loop {
        length += code[length..].find(|character| !is_word_char(character)).unwrap_or(code.len() - length);
        match code[length..].strip_prefix("::") {
            Some(tail) if tail.starts_with(is_word_char) => length += 2,
            _ => return &code[..length],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::named_paths;

    fn check(code: &str, expected: &[&str]) {
        let paths: Vec<String> = named_paths(code).into_iter().map(|named| named.path).collect();
        for path in expected {
            assert!(paths.iter().any(|found| found == path), "{code}: {path} is not in {paths:?}");
        }
    }

    #[test]
    fn imports_are_spelled_out() {
        check("use std::fs;", &["std::fs"]);
        check(
            "use std::{fs, process::{self, Command}};",
            &["std::fs", "std::process", "std::process::Command"],
        );
        check("use std::time::{\n    Duration,\n    Instant as Clock,\n};", &["std::time::Instant"]);
    }

    #[test]
    fn inline_paths_are_resolved() {
        check("let x = std::fs::read(y);", &["std::fs::read"]);
        check("use std::process; fn f() { process::exit(1) }", &["std::process::exit"]);
        check("use std::{time as t}; fn f() { t::Instant::now() }", &["std::time::Instant::now"]);
        check("fn f() { println!() }", &["println!"]);
    }
}
