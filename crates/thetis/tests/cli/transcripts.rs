//! Every `console` block of the documents is executed and compared.
//!
//! Commands run one after the other in a folder with the examples; what they print on standard error and then on standard output has to
//! be what the document shows. Durations do not count, and a line `…` stands for any lines. Blocks that are not meant to be executed
//! are `sh` blocks.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{folder, root};

/// A command with the output that a document shows.
struct Transcript {
    place: String,
    command: String,
    output: Vec<String>,
}

/// The documents with transcripts.
fn documents() -> Vec<PathBuf> {
    let mut all = vec![root().join("README.md"), root().join("examples/README.md")];
    for folder in ["docs/manual", "docs/engines"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        all.extend(entries.map(|entry| entry.unwrap().path()));
    }
    all.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    all.sort();
    all
}

/// The blocks of a document, each a list of commands.
fn blocks(path: &Path) -> Vec<Vec<Transcript>> {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let mut blocks: Vec<Vec<Transcript>> = Vec::new();
    let mut is_inside = false;
    for (number, line) in text.lines().enumerate() {
        match line {
            "```console" => {
                is_inside = true;
                blocks.push(Vec::new());
            }
            line if line.starts_with("```") => is_inside = false,
            line if is_inside => {
                let block = blocks.last_mut().unwrap();
                match (line.strip_prefix("$ "), block.last_mut()) {
                    (Some(command), _) => block.push(Transcript {
                        place: format!("{name}:{}", number + 1),
                        command: command.to_owned(),
                        output: Vec::new(),
                    }),
                    (None, Some(last)) => last.output.push(line.to_owned()),
                    (None, None) => panic!("{name}:{}: output without a command", number + 1),
                }
            }
            line => {
                let is_command = ["$ thetis ", "$ target/"].iter().any(|start| line.starts_with(start));
                assert!(!is_command, "{name}:{}: a transcript outside of a `console` block", number + 1);
            }
        }
    }
    blocks
}

/// A line without what differs from run to run.
fn without_durations(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for at in 0..words.len() {
        let is_number = words[at].trim_end_matches(',').parse::<f64>().is_ok() && words[at].contains('.');
        let has_unit = words.get(at + 1).is_some_and(|unit| unit.trim_end_matches(['.', ',', ')']) == "s");
        let is_field = at > 0 && words[at - 1].ends_with("seconds\":");
        if is_number && (has_unit || is_field) {
            words[at] = "N".to_owned();
        }
    }
    words.join(" ")
}

/// Whether the lines are those that are shown.
fn agree(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=printed.len()).any(|at| agree(rest, &printed[at..]))
        }
        Some((first, rest)) => printed.split_first().is_some_and(|(line, others)| {
            without_durations(first) == without_durations(line) && agree(rest, others)
        }),
    }
}

#[test]
fn documents_show_what_commands_print() {
    let thetis = env!("CARGO_BIN_EXE_thetis");
    let mut wrong = String::new();
    let mut num_commands = 0;
    for document in documents() {
        for block in blocks(&document) {
            let folder = folder();
            for shared in ["examples", "configs"] {
                std::os::unix::fs::symlink(root().join(shared), folder.path().join(shared)).unwrap();
            }
            for Transcript { place, command, output } in block {
                let words: Vec<&str> = command.split(' ').collect();
                let arguments = match words.split_first() {
                    Some((&"thetis" | &"target/release/thetis", arguments)) => arguments,
                    _ => panic!("{place}: `{command}` cannot be executed here; use a `sh` block"),
                };
                let ended = Command::new(thetis).args(arguments).current_dir(folder.path()).output().unwrap();
                let text = [ended.stderr, ended.stdout].concat();
                let printed: Vec<String> =
                    String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
                num_commands += 1;
                if !agree(&output, &printed) {
                    wrong.push_str(&format!("{place}: {command}\n{}\n\n", printed.join("\n")));
                }
            }
        }
    }
    assert!(num_commands >= 10, "only {num_commands} commands were found");
    assert!(wrong.is_empty(), "commands that print something else than the documents show:\n\n{wrong}");
}
