//! The steps of a violation as lines of text.
//!
//! Rounds of a loop that take the same course are shown once at the beginning and once at the end. Inner loops are folded before those
//! around them: patterns of few lines come first, and a folded loop counts as one line. The middle of what is still too long is left out.

use std::collections::HashMap;
use std::fmt::Write as _;

use thetis_base::printable;

use crate::trace::Detail;

/// How many lines are shown at the beginning and at the end.
const SHOWN_LINES: usize = 100;

/// So few lines are all shown.
const SHORT: usize = 30;

/// The longest round that is recognised, in lines.
const LONGEST_ROUND: usize = 60;

/// Rounds are folded if there are at least so many, and if so many lines are saved.
const FEWEST_ROUNDS: usize = 4;
const FEWEST_LINES: usize = 4;

/// A step of a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoryLine {
    /// Its number among all steps of the run.
    pub number: usize,
    /// Whether nothing is known about the steps right before it.
    pub is_after_gap: bool,
    /// Where it is written, if that is known.
    pub place: Option<String>,
    /// The number of calls around it.
    pub depth: u32,
    /// What happens.
    pub title: String,
    /// What changes, as `name = value`.
    pub values: Vec<String>,
}

impl StoryLine {
    /// What rounds of a loop that take the same course have in common: everything but values.
    fn course(&self) -> (Option<&str>, u32, &str) {
        let title = self.title.split_once(" returns ").map_or(self.title.as_str(), |(title, _)| title);
        (self.place.as_deref(), self.depth, title)
    }

    fn indent(&self) -> String {
        "  ".repeat(self.depth.min(50) as usize + 1)
    }
}

/// Lines of text, or rounds of a loop that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    Line(usize),
    /// Rounds from one line up to another.
    Rounds {
        count: usize,
        from: usize,
    },
}

/// A piece with a number that is the same for pieces that take the same course.
#[derive(Clone, Copy, Debug)]
struct Item {
    class: usize,
    piece: Piece,
}

impl Item {
    fn first_line(&self) -> usize {
        match self.piece {
            Piece::Line(line) | Piece::Rounds { from: line, .. } => line,
        }
    }
}

/// The steps as text, indented by the depth of calls.
pub fn render_lines(lines: &[StoryLine], detail: Detail) -> String {
    let is_folded = detail == Detail::Relevant && lines.len() > SHORT;
    let pieces: Vec<Piece> =
        if is_folded { fold(lines) } else { (0..lines.len()).map(Piece::Line).collect() };
    let count = pieces.len();
    let first_line = |piece: &Piece| match *piece {
        Piece::Line(line) | Piece::Rounds { from: line, .. } => line,
    };
    let mut text = String::new();
    // Writing to a string cannot fail.
    for (number, piece) in pieces.iter().enumerate() {
        if number == SHOWN_LINES && count > 2 * SHOWN_LINES {
            let [from, to] =
                [number, count - SHOWN_LINES].map(|place| lines[first_line(&pieces[place])].number);
            let _ = writeln!(text, "  ... {} steps ...", to - from);
        }
        if number >= SHOWN_LINES && number + SHOWN_LINES < count {
            continue;
        }
        match *piece {
            Piece::Line(line) => {
                let StoryLine { place, title, values, .. } = &lines[line];
                let place = place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
                let values =
                    if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
                let words = format!("{place}{title}{values}");
                let _ = writeln!(text, "{}{}", lines[line].indent(), printable(&words));
            }
            Piece::Rounds { count, from } => {
                let indent = lines[from].indent();
                let _ = writeln!(text, "{indent}... {count} more rounds like this (--full shows them) ...");
            }
        }
    }
    text
}

/// Folds rounds that take the same course.
fn fold(lines: &[StoryLine]) -> Vec<Piece> {
    let mut classes = HashMap::new();
    let mut num_classes = 0;
    let mut items: Vec<Item> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let new = num_classes;
        // A line whose predecessor is unknown continues no round.
        let class = if line.is_after_gap { new } else { *classes.entry(line.course()).or_insert(new) };
        num_classes += usize::from(class == new);
        items.push(Item { class, piece: Piece::Line(number) });
    }
    let mut rounds: HashMap<Vec<usize>, usize> = HashMap::new();
    loop {
        let before = items.len();
        for length in 1..=LONGEST_ROUND {
            items = fold_rounds(&items, length, &mut |round| {
                let new = num_classes + rounds.len();
                *rounds.entry(round).or_insert(new)
            });
        }
        if items.len() == before {
            return items.into_iter().map(|item| item.piece).collect();
        }
    }
}

/// Folds rounds of `length` items. `class_of` numbers what a round looks like.
fn fold_rounds(items: &[Item], length: usize, class_of: &mut dyn FnMut(Vec<usize>) -> usize) -> Vec<Item> {
    let mut folded = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let first = &items[at..items.len().min(at + length)];
        let is_alike = |round: &&[Item]| {
            round.len() == length && round.iter().zip(first).all(|(one, other)| one.class == other.class)
        };
        let count = items[at..].chunks(length).take_while(is_alike).count();
        let num_folded = count.saturating_sub(2);
        if count < FEWEST_ROUNDS || num_folded * length < FEWEST_LINES {
            folded.push(items[at]);
            at += 1;
            continue;
        }
        let second = items[at + length].first_line();
        let class = class_of(first.iter().map(|item| item.class).collect());
        folded.extend(first);
        folded.push(Item { class, piece: Piece::Rounds { count: num_folded, from: second } });
        folded.extend(&items[at + (count - 1) * length..at + count * length]);
        at += count * length;
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: usize, title: &str) -> StoryLine {
        StoryLine {
            number,
            is_after_gap: false,
            place: Some("a.c:1:1".to_owned()),
            depth: 0,
            title: title.to_owned(),
            values: vec![format!("i = {number}")],
        }
    }

    fn lines(titles: &str) -> Vec<StoryLine> {
        titles.split(' ').enumerate().map(|(number, title)| line(number, title)).collect()
    }

    /// The titles that are left, with the numbers of rounds that are not.
    fn folded(titles: &str) -> String {
        let lines = lines(titles);
        let pieces = fold(&lines);
        let show = |piece: &Piece| match *piece {
            Piece::Line(line) => lines[line].title.clone(),
            Piece::Rounds { count, .. } => format!("({count})"),
        };
        pieces.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rounds_that_take_the_same_course_are_folded() {
        for (titles, expected) in [
            ("a b c", "a b c"),
            ("a b a b a b c", "a b a b a b c"),
            ("s a b a b a b a b a c", "s a b (2) a b a c"),
            ("a a a a a a a", "a (5) a"),
            ("a a a a a", "a a a a a"),
            // A round that takes another course is shown.
            ("a b a b a b a b a c a b a b a b a b", "a b (2) a b a c a b (2) a b"),
            // Inner loops first, however many rounds they have.
            (
                "x a a a a a a y x a a a a a a a y x a a a a a a y x a a a a a a y",
                "x a (4) a y (2) x a (4) a y",
            ),
        ] {
            assert_eq!(folded(titles), expected, "{titles}");
        }
    }

    #[test]
    fn inputs_may_differ_from_round_to_round() {
        let mut lines: Vec<StoryLine> =
            (0..40).map(|number| line(number, &format!("`input` returns {number}"))).collect();
        let text = render_lines(&lines, Detail::Relevant);
        let expected = "  a.c:1:1: `input` returns 0: i = 0\n  ... 38 more rounds like this (--full shows them) ...\n  a.c:1:1: `input` returns 39: i = 39\n";
        assert_eq!(text, expected);
        assert_eq!(render_lines(&lines, Detail::Full).lines().count(), 40);
        assert_eq!(render_lines(&lines[..SHORT], Detail::Relevant).lines().count(), SHORT);
        // What happened before the gap is not known, so the rounds after it are counted by themselves.
        lines[20].is_after_gap = true;
        assert_eq!(render_lines(&lines, Detail::Relevant).lines().count(), 7);
    }

    #[test]
    fn the_middle_of_many_lines_is_left_out() {
        let lines: Vec<StoryLine> = (0..1000).map(|number| line(number, &format!("step{number}"))).collect();
        let text = render_lines(&lines, Detail::Full);
        assert_eq!(text.lines().count(), 201);
        assert_eq!(text.lines().nth(100), Some("  ... 800 steps ..."));
    }
}
