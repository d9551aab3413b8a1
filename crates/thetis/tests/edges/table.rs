//! The tables of programs.

use std::path::{Path, PathBuf};

/// What stands before every program, on one line so that places in a table are easy to find.
const PRELUDE: &str = "void abort(void); void reach_error(void) { abort(); } \
                       static void check(int holds) { if (!holds) reach_error(); }\n";
/// What stands before a program that is `both`: first as it is, then negated.
const FINALLY: [(&str, Verdict, &str); 2] = [
    ("", Verdict::Safe, "static void finally(int holds) { check(holds); }\n"),
    ("-negated", Verdict::Unsafe, "static void finally(int holds) { check(!holds); }\n"),
];

/// What can be said about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

impl Verdict {
    pub(crate) fn contradicts(self, other: Verdict) -> bool {
        self != Verdict::Unknown && other != Verdict::Unknown && self != other
    }
}

/// A program with its property and the right verdict.
pub(crate) struct Program {
    /// The name of the table and that of the program, `unions:literal`.
    pub(crate) name: String,
    pub(crate) expected: Verdict,
    pub(crate) may_be_unknown: bool,
    pub(crate) property: String,
    pub(crate) data_model: &'static str,
    /// Whether no compiled program can tell the verdict.
    pub(crate) is_reasoned: bool,
    text: String,
}

impl Program {
    /// The program with this header, or the two that it stands for.
    fn all(table: &str, header: &str, text: &str) -> Vec<Program> {
        let (name, words) = header.split_once(':').expect("a header should be `NAME: VERDICT …`");
        let Some(words) = words.trim_start().strip_prefix("both") else {
            return vec![Program::new(table, header, text)];
        };
        let versions = FINALLY.iter().map(|(suffix, verdict, prelude)| {
            let verdict = format!("{verdict:?}").to_lowercase();
            let header = format!("{name}{suffix}: {verdict}{words}");
            Program::new(table, &header, &format!("{prelude}{text}"))
        });
        versions.collect()
    }

    fn new(table: &str, header: &str, text: &str) -> Program {
        let (name, words) = header.split_once(':').expect("a header should be `NAME: VERDICT …`");
        let mut words: Vec<&str> = words.split_whitespace().collect();
        let verdict = words.remove(0);
        let mut take = |word: &str| {
            let position = words.iter().position(|other| *other == word);
            position.map(|position| words.remove(position)).is_some()
        };
        let data_model = if take("ILP32") { "ILP32" } else { "LP64" };
        let (is_reasoned, is_crlf) = (take("reasoned"), take("crlf"));
        let text = format!("{PRELUDE}{text}");
        Program {
            name: format!("{table}:{name}"),
            expected: match verdict.trim_end_matches('?') {
                "safe" => Verdict::Safe,
                "unsafe" => Verdict::Unsafe,
                other => panic!("{table}:{name}: `{other}` is no verdict"),
            },
            may_be_unknown: verdict.ends_with('?'),
            property: words.first().copied().unwrap_or("unreach-call").to_owned(),
            data_model,
            is_reasoned,
            text: if is_crlf { text.replace('\n', "\r\n") } else { text },
        }
    }

    pub(crate) fn needs_preprocessor(&self) -> bool {
        self.text.lines().any(|line| line.trim_start().starts_with('#'))
    }

    /// Writes the program to a file of a folder.
    pub(crate) fn write(&self, folder: &Path) -> PathBuf {
        let path = folder.join("program.c");
        std::fs::write(&path, &self.text).unwrap();
        path
    }
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/edges")
}

/// The programs of all tables.
pub(crate) fn programs() -> Vec<Program> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut tables: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    tables.sort();
    tables.iter().flat_map(|path| programs_of(path)).collect()
}

fn programs_of(path: &Path) -> Vec<Program> {
    let table = path.file_stem().unwrap().to_string_lossy();
    let text = std::fs::read_to_string(path).unwrap();
    let parts = text.split("\n//== ").skip(1);
    parts
        .flat_map(|part| {
            let (header, text) = part.split_once('\n').expect("a program should follow its header");
            Program::all(&table, header, &format!("{text}\n"))
        })
        .collect()
}
