//! The time line of a run as a drawing: a row for each process, time from left to right.
//!
//! Moves at the same time would hide each other, so every instant is a little to the right of the one before.

use std::fmt::Write;

use super::escape;
use crate::visual::{Lane, Timeline};

/// Longer runs are not drawn.
const MAX_INSTANTS: usize = 400;

const STEP: f64 = 40.0;
const SPAN: f64 = 500.0;
const ROW: usize = 30;

/// The width of a letter, more or less.
const LETTER: f64 = 7.0;

/// Draws `timeline`, or says that it is too long.
pub(super) fn draw(body: &mut String, timeline: &Timeline) {
    let count = timeline.instants.len();
    if count > MAX_INSTANTS {
        let _ = writeln!(body, "<p>The run has {count} instants; it is too long to be drawn.</p>");
        return;
    }
    let names = timeline.lanes.iter().map(|lane| lane.name.chars().count()).max().unwrap_or_default();
    let names = LETTER.mul_add(names as f64, 20.0);
    let x = |at: usize| names + STEP * at as f64 + SPAN * timeline.instants[at].position;
    let (width, height) = (x(count - 1) + 60.0, ROW * (timeline.lanes.len() + 1));
    let _ = writeln!(
        body,
        "<div id=\"timeline\" style=\"overflow-x: auto\"><svg width=\"{width:.0}\" height=\"{height}\" role=\"img\" aria-label=\"time line\">"
    );
    for (row, lane) in timeline.lanes.iter().enumerate() {
        draw_lane(body, lane, row * ROW, &x);
    }
    let mut last = None;
    for (at, instant) in timeline.instants.iter().enumerate() {
        // Moves at the same time have one label.
        let label = if last == Some(&instant.label) { "" } else { &instant.label };
        last = Some(&instant.label);
        let _ = writeln!(
            body,
            "<line x1=\"{0:.1}\" y1=\"0\" x2=\"{0:.1}\" y2=\"{1}\"/><text x=\"{0:.1}\" y=\"{2}\" font-size=\"10\" text-anchor=\"middle\">{3}</text>",
            x(at),
            height - ROW,
            height - 12,
            escape(label)
        );
    }
    body.push_str("</svg></div>\n");
}

fn draw_lane(body: &mut String, lane: &Lane, top: usize, x: &dyn Fn(usize) -> f64) {
    let _ = writeln!(body, "<text x=\"4\" y=\"{}\" font-size=\"12\">{}</text>", top + 19, escape(&lane.name));
    for (number, stay) in lane.stays.iter().enumerate() {
        let class = if number % 2 == 0 { "even" } else { "odd" };
        let width = (x(stay.to) - x(stay.from)).max(STEP);
        let _ = writeln!(
            body,
            "<g><title>{}</title><rect x=\"{:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" class=\"{class}\"/>\
             <text x=\"{:.1}\" y=\"{}\" font-size=\"11\">{}</text></g>",
            escape(&format!("{}: {}", stay.location, stay.clocks)),
            x(stay.from),
            top + 4,
            width,
            ROW - 8,
            x(stay.from) + 3.0,
            top + 19,
            escape(&fitted(&stay.location, width))
        );
    }
}

/// As much of a name as there is room for.
fn fitted(name: &str, width: f64) -> String {
    let room = (width / LETTER) as usize;
    match name.chars().count() <= room {
        true => name.to_owned(),
        false => name.chars().take(room.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_where_there_is_no_room() {
        for (name, width, expected) in
            [("idle", STEP, "idle"), ("critical", STEP, "crit…"), ("critical", 600.0, "critical")]
        {
            assert_eq!(fitted(name, width), expected);
        }
    }
}
