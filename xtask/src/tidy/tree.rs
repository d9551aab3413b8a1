//! The repository as the rules see it: its files, and the manifests of its crates.

use std::path::Path;
use std::process::Command;

use super::source::Source;

/// All files that git tracks or would track.
#[derive(Debug)]
pub(super) struct Tree {
    /// Text files, sorted by path.
    pub(super) files: Vec<File>,
}

/// One text file.
#[derive(Debug)]
pub(super) struct File {
    /// Relative to the root, with `/` between its parts.
    pub(super) path: String,
    pub(super) text: String,
    /// The text taken apart, if it is Rust, and otherwise empty.
    pub(super) source: Source,
    /// Whether the whole file is test code.
    pub(super) is_test: bool,
}

/// A crate of the workspace.
#[derive(Debug)]
pub(super) struct Crate<'t> {
    pub(super) name: String,
    /// The folder of its manifest, relative to the root.
    pub(super) dir: &'t str,
    pub(super) manifest: &'t File,
    pub(super) table: toml::Table,
}

impl Tree {
    /// Reads the files below `root` that are not ignored by git; files that are not text are left out.
    pub(super) fn read(root: &Path) -> Result<Tree, String> {
        let listing = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()
            .map_err(|error| format!("tidy needs git to list the files: {error}"))?;
        if !listing.status.success() {
            return Err(format!("git ls-files failed: {}", String::from_utf8_lossy(&listing.stderr).trim()));
        }
        let listing = String::from_utf8_lossy(&listing.stdout);
        let read = |path: &str| Some((path.to_owned(), std::fs::read_to_string(root.join(path)).ok()?));
        Ok(Tree::new(listing.split_terminator('\0').filter_map(read).collect()))
    }

    /// A tree made of the given files, for tests.
    #[cfg(test)]
    pub(super) fn of_files(files: &[(&str, &str)]) -> Tree {
        Tree::new(files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect())
    }

    fn new(mut files: Vec<(String, String)>) -> Tree {
        files.sort();
        files.dedup();
        let mut files: Vec<File> = files.into_iter().map(|(path, text)| File::new(path, text)).collect();
        let test_modules: Vec<String> = files.iter().flat_map(File::test_module_stems).collect();
        for file in &mut files {
            file.is_test |= test_modules.iter().any(|stem| file.belongs_to_module(stem));
        }
        Tree { files }
    }

    pub(super) fn rust_files(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.is_rust())
    }

    /// The crates of the workspace, by the manifests in `crates/*` and `xtask`.
    ///
    /// A manifest that does not parse is left to cargo to complain about.
    pub(super) fn crates(&self) -> impl Iterator<Item = Crate<'_>> {
        self.files.iter().filter_map(|manifest| {
            let dir = manifest.path.strip_suffix("/Cargo.toml")?;
            let is_member =
                dir == "xtask" || dir.strip_prefix("crates/").is_some_and(|rest| !rest.contains('/'));
            let table: toml::Table = if is_member { manifest.text.parse().ok()? } else { return None };
            let name = table.get("package")?.get("name")?.as_str()?.to_owned();
            Some(Crate { name, dir, manifest, table })
        })
    }

    /// The parsed manifest of the workspace, if there is one.
    pub(super) fn workspace(&self) -> Option<toml::Table> {
        self.files.iter().find(|file| file.path == "Cargo.toml")?.text.parse().ok()
    }
}

impl File {
    fn new(path: String, text: String) -> File {
        let is_rust = path.ends_with(".rs");
        let source = if is_rust { Source::new(&text) } else { Source::default() };
        let is_test = path.split('/').any(|part| matches!(part, "tests" | "benches" | "fuzz"))
            || path.ends_with("/tests.rs");
        File { path, text, source, is_test }
    }

    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether this is a source file of a crate in layers: no test, benchmark, example or build script.
    pub(super) fn is_product_code(&self) -> bool {
        self.is_rust() && !self.is_test && self.path.contains("/src/")
    }

    /// The name of the folder of the crate that this file is part of.
    pub(super) fn crate_name(&self) -> Option<&str> {
        let path = self.path.strip_prefix("crates/").unwrap_or(&self.path);
        path.split_once('/').map(|(name, _)| name)
    }

    /// The path, without extension, of each test module that this file declares but does not contain.
    fn test_module_stems(&self) -> Vec<String> {
        let stem = self.path.trim_end_matches(".rs");
        let (dir, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let home = if matches!(name, "lib" | "main" | "mod") { dir } else { stem };
        self.source.test_modules.iter().map(|module| format!("{home}/{module}")).collect()
    }

    fn belongs_to_module(&self, stem: &str) -> bool {
        self.path.strip_prefix(stem).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    }
}

impl Crate<'_> {
    /// The line of the manifest where `key` is set within the table `section`, or 1 if it is nowhere.
    pub(super) fn line_of(&self, section: &str, key: &str) -> usize {
        let mut current = "";
        for (index, line) in self.manifest.text.lines().enumerate() {
            let line = line.trim();
            if let Some(header) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
                current = header.0;
                if current.strip_prefix(section).and_then(|rest| rest.strip_prefix('.')) == Some(key) {
                    return index + 1;
                }
            } else if current == section
                && line.strip_prefix(key).is_some_and(|rest| rest.starts_with([' ', '.', '=']))
            {
                return index + 1;
            }
        }
        1
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn test_modules_in_files_of_their_own_are_test_code() {
        let tree = Tree::of_files(&[
            ("crates/a/src/lib.rs", "#[cfg(test)]\nmod laws;\nmod store;"),
            ("crates/a/src/laws.rs", ""),
            ("crates/a/src/laws/deep.rs", ""),
            ("crates/a/src/store.rs", "#[cfg(test)]\nmod samples;"),
            ("crates/a/src/store/samples.rs", ""),
            ("crates/a/tests/all.rs", ""),
        ]);
        let tests: Vec<&str> =
            tree.files.iter().filter(|file| file.is_test).map(|file| &*file.path).collect();
        let expected = [
            "crates/a/src/laws.rs",
            "crates/a/src/laws/deep.rs",
            "crates/a/src/store/samples.rs",
            "crates/a/tests/all.rs",
        ];
        assert_eq!(tests, expected);
    }

    #[test]
    fn keys_are_found_in_their_section() {
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nb = \"1\"\n[dev-dependencies]\nb.workspace = true\n[build-dependencies.c]\n";
        let tree = Tree::of_files(&[("crates/a/Cargo.toml", manifest)]);
        let krate = tree.crates().next().unwrap();
        assert_eq!(krate.line_of("dependencies", "b"), 4);
        assert_eq!(krate.line_of("dev-dependencies", "b"), 6);
        assert_eq!(krate.line_of("build-dependencies", "c"), 7);
        assert_eq!(krate.line_of("dependencies", "nowhere"), 1);
    }
}
