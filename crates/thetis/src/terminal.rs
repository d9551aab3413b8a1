//! The standard streams: the only place that prints.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the command line owns the standard streams")]

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Write, stderr, stdout};
use std::sync::{Mutex, OnceLock, PoisonError, TryLockError};
use std::time::Duration;

use thetis_base::printable;
use thetis_report::Style;

use crate::args::ColorArg;
use crate::exit::Exit;
use crate::failure::Failure;

/// The answer on standard output, once it was printed. The holder of the lock may print it; there is only one answer.
static ANSWERED: Mutex<Option<Exit>> = Mutex::new(None);

/// The user's settings for standard error.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Manner {
    pub(crate) volume: Volume,
    pub(crate) color: ColorArg,
}

/// How much is printed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Volume {
    /// Everything that was asked for.
    #[default]
    Usual,
    /// Only why there is no verdict.
    Quiet,
}

/// Set once, by the command line.
static MANNER: OnceLock<Manner> = OnceLock::new();

/// Sets the output settings, once.
pub(crate) fn speak(manner: Manner) {
    // There is one command line.
    let _ = MANNER.set(manner);
}

/// Whether nothing but the answer is printed.
pub(crate) fn is_quiet() -> bool {
    manner().volume == Volume::Quiet
}

fn manner() -> Manner {
    MANNER.get().copied().unwrap_or_default()
}

/// Colours only on a terminal, and not if the user forbids them; or as the command line says.
pub(crate) fn style() -> Style {
    let is_forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_colored = match manner().color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => stderr().is_terminal() && !is_forbidden,
    };
    if is_colored { Style::Colored } else { Style::Plain }
}

/// Writes to standard error, unless the user wants it quiet. A closed stream is ignored.
pub(crate) fn show(text: &str) {
    if !is_quiet() {
        complain(text);
    }
}

/// Writes to standard error why the program cannot do what it should.
pub(crate) fn complain(text: &str) {
    let _ = stderr().write_all(harmless(text, style()).as_bytes());
}

/// Writes a result to standard output.
pub(crate) fn answer(text: &str) -> Result<(), Failure> {
    answer_with(|out| out.write_all(text.as_bytes()))
}

/// Writes a result to standard output piece by piece.
pub(crate) fn answer_with(contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(stdout().lock());
    contents(&mut out)
        .and_then(|()| out.flush())
        .map_err(|error| Failure::internal(format!("cannot write to standard output: {error}")))
}

/// Prints the answer of this command, which will end with `exit`.
pub(crate) fn conclude(text: &str, exit: Exit) -> Result<Exit, Failure> {
    conclude_with(exit, |out| out.write_all(text.as_bytes()))
}

/// The same with an answer that is written piece by piece. If an answer was printed before, that one counts.
pub(crate) fn conclude_with(
    exit: Exit,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Exit, Failure> {
    let mut answered = ANSWERED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(given) = *answered {
        return Ok(given);
    }
    answer_with(contents)?;
    *answered = Some(exit);
    Ok(exit)
}

/// Prints the answer from another thread, unless one was printed, and returns the exit code. No answer can be printed
/// afterwards. Waits only `patience` for an answer that is being written: the reader may have stopped reading.
pub(crate) fn conclude_for_good(report: impl FnOnce() -> (String, Exit), patience: Duration) -> Exit {
    const PERIOD: Duration = Duration::from_millis(5);
    let mut waited = Duration::ZERO;
    let answered = loop {
        match ANSWERED.try_lock() {
            Ok(answered) => break answered,
            Err(TryLockError::Poisoned(error)) => break error.into_inner(),
            Err(TryLockError::WouldBlock) if waited >= patience => return Exit::Internal,
            Err(TryLockError::WouldBlock) => {}
        }
        std::thread::sleep(PERIOD);
        waited += PERIOD;
    };
    let exit = match *answered {
        Some(given) => given,
        None => {
            let (text, exit) = report();
            answer(&text).map_or_else(|failure| failure.exit, |()| exit)
        }
    };
    std::mem::forget(answered);
    exit
}

/// `text` without terminal escape sequences, other than colours if there are any, and without characters that change the direction of
/// text: names inside it are untrusted.
fn harmless(text: &str, style: Style) -> Cow<'_, str> {
    let is_layout = |letter: char| matches!(letter, '\n' | '\t');
    if text.split(is_layout).all(|piece| matches!(printable(piece), Cow::Borrowed(_))) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let colour = if style == Style::Colored { colour(rest) } else { None };
        let (piece, later) = rest.split_at(colour.unwrap_or(letter.len_utf8()));
        let is_kept = colour.is_some() || is_layout(letter);
        clean.push_str(&if is_kept { Cow::Borrowed(piece) } else { printable(piece) });
        rest = later;
    }
    Cow::Owned(clean)
}

/// The length of the colour sequence that `text` starts with.
fn colour(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|letter: char| !letter.is_ascii_digit() && letter != ';')?;
    parameters[end..].starts_with('m').then_some(2 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_reach_the_terminal() {
        for (text, expected) in [
            ("plain ä\n\ttext", "plain ä\n\ttext"),
            ("\u{1b}[1;31mred\u{1b}[0m", "\u{1b}[1;31mred\u{1b}[0m"),
            ("\u{1b}[2Jgone", "\\u{1b}[2Jgone"),
            ("a\rb\u{7}", "a\\rb\\u{7}"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{1b}[31", "\\u{1b}[31"),
            ("a\u{202e}b", "a\\u{202e}b"),
        ] {
            assert_eq!(harmless(text, Style::Colored), expected);
        }
        assert_eq!(harmless("\u{1b}[31mred\n", Style::Plain), "\\u{1b}[31mred\n");
    }
}
