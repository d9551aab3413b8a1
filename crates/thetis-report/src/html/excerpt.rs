//! A few lines of a source text on a page, with remarks at some of them.

use std::fmt::Write;
use std::ops::RangeInclusive;

use thetis_base::{FileId, SourceMap};

use super::highlight::Highlighter;
use super::{coded, escape, last_part};

/// Lines of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The file.
    pub file: FileId,
    /// The lines, counted from 1.
    pub lines: RangeInclusive<u32>,
    /// What is wrong at which line.
    pub remarks: Vec<(u32, String)>,
}

/// Adds an excerpt to a page.
pub(super) fn excerpt(body: &mut String, sources: &SourceMap, excerpt: &Excerpt) {
    let Excerpt { file, lines, remarks } = excerpt;
    let file = sources.file(*file);
    let mut highlighter = Highlighter::of(file.name());
    // Writing to a string cannot fail.
    let _ = writeln!(
        body,
        "<div class=\"excerpt\"><p class=\"small\">{}</p>\n<div class=\"code\">",
        escape(last_part(&file.printable_name()))
    );
    for (number, line) in (1..).zip(file.text().lines()).filter(|(number, _)| lines.contains(number)) {
        let here = || remarks.iter().filter(|(line, _)| *line == number);
        let class = if here().next().is_some() { "line wrong" } else { "line" };
        let line = highlighter.line(line);
        let _ = writeln!(body, "<div class=\"{class}\"><span>{number}</span><code>{line}</code></div>");
        for (_, text) in here() {
            let _ = writeln!(body, "<div class=\"remark\"><span></span><p>{}</p></div>", coded(text));
        }
    }
    body.push_str("</div></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lines_of_an_excerpt_are_shown_and_the_wrong_ones_marked() {
        let mut sources = SourceMap::new();
        let file = sources.add("dir/a.sol", "one\n  two < 2;\nthree\nfour\n");
        let mut body = String::new();
        let remarks = vec![(2, "`two` may fail".to_owned())];
        excerpt(&mut body, &sources, &Excerpt { file, lines: 2..=3, remarks });
        assert_eq!(
            body,
            "<div class=\"excerpt\"><p class=\"small\">a.sol</p>\n<div class=\"code\">\n\
             <div class=\"line wrong\"><span>2</span><code>  two &lt; <i class=\"number\">2</i>;</code></div>\n\
             <div class=\"remark\"><span></span><p><code>two</code> may fail</p></div>\n\
             <div class=\"line\"><span>3</span><code>three</code></div>\n</div></div>\n"
        );
    }
}
