//! Options as compilers spell them: `-isystem DIR`, `-include FILE`, `-std=c99`, `-m32`, and everything after `--`.
//!
//! The command-line parser knows only one-letter options and options with two dashes, so compiler options are
//! translated before it sees them.

use std::ffi::{OsStr, OsString};

/// The commands that read C programs.
const COMMANDS: [&str; 4] = ["check", "certify", "convert", "worker"];

/// Options that compilers write with one dash.
const SPELLINGS: [(&str, &str); 4] =
    [("-isystem", "--isystem"), ("-include", "--include"), ("-m32", "--m32"), ("-m64", "--data-model=LP64")];

/// What comes before a word for the preprocessor.
pub(super) const FOR_PREPROCESSOR: &str = "--preprocessor=";

/// Translates a command line to the spelling of this program. Words after `--` are options for the preprocessor if the
/// first one is an option, and files otherwise.
pub(crate) fn respelled(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words = words.into_iter().peekable();
    let mut respelled: Vec<OsString> = words.next().into_iter().collect();
    let mut is_about_c = false;
    while let Some(word) = words.next() {
        is_about_c = is_about_c || (respelled.len() < 4 && COMMANDS.iter().any(|command| word == *command));
        match is_about_c {
            true if word == "--" && words.peek().is_some_and(is_option) => {
                respelled.extend(words.by_ref().map(for_preprocessor));
            }
            true => respelled.push(respell(word)),
            false => respelled.push(word),
        }
    }
    respelled
}

fn is_option(word: &OsString) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

fn for_preprocessor(word: OsString) -> OsString {
    let mut option = OsString::from(FOR_PREPROCESSOR);
    option.push(word);
    option
}

fn respell(word: OsString) -> OsString {
    if let Some((_, ours)) = SPELLINGS.iter().find(|(theirs, _)| word == *theirs) {
        return OsStr::new(ours).to_owned();
    }
    match word.to_str().and_then(|word| word.strip_prefix("-std=")) {
        Some(version) => format!("--std={version}").into(),
        None => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_spell_options_with_one_dash() {
        for (line, expected) in [
            ("thetis check a.c -isystem inc -std=c99 -m32", "thetis check a.c --isystem inc --std=c99 --m32"),
            ("thetis -q check a.c -- -I inc", "thetis -q check a.c --preprocessor=-I --preprocessor=inc"),
            ("thetis check a.c -m64 -Iinc", "thetis check a.c --data-model=LP64 -Iinc"),
            ("thetis check --time 5s -- a.c b.c", "thetis check --time 5s -- a.c b.c"),
            ("thetis bench submit d -- tasks -m32", "thetis bench submit d -- tasks -m32"),
        ] {
            let words = line.split(' ').map(OsString::from);
            let expected: Vec<OsString> = expected.split(' ').map(OsString::from).collect();
            assert_eq!(respelled(words), expected);
        }
    }
}
