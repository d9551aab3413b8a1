//! The time line of a run as a drawing: a row for each process, time from left to right.
//!
//! Moves at the same time would hide each other, so every instant is a little to the right of the one before.

use std::fmt::Write;

use super::escape;
use crate::visual::{Lane, Timeline};

/// Longer runs are not drawn.
const MAX_INSTANTS: usize = 400;

const NAMES: f64 = 140.0;
const STEP: f64 = 26.0;
const SPAN: f64 = 600.0;
const ROW: usize = 30;

/// Draws `timeline`, or says that it is too long.
pub(super) fn draw(body: &mut String, timeline: &Timeline) {
    body.push_str("<h2>Time line</h2>\n");
    let count = timeline.instants.len();
    if count > MAX_INSTANTS {
        let _ = writeln!(body, "<p>The run has {count} instants; it is too long to be drawn.</p>");
        return;
    }
    let x = |at: usize| NAMES + STEP * at as f64 + SPAN * timeline.instants[at].position;
    let (width, height) = (x(count - 1) + 60.0, ROW * (timeline.lanes.len() + 1));
    let _ = writeln!(
        body,
        "<div id=\"timeline\" style=\"overflow-x: auto\"><svg width=\"{width:.0}\" height=\"{height}\" role=\"img\" aria-label=\"time line\">"
    );
    for (row, lane) in timeline.lanes.iter().enumerate() {
        draw_lane(body, lane, row * ROW, &x);
    }
    for (at, instant) in timeline.instants.iter().enumerate() {
        let _ = writeln!(
            body,
            "<line x1=\"{0:.1}\" y1=\"0\" x2=\"{0:.1}\" y2=\"{1}\" stroke=\"#bbb\"/><text x=\"{0:.1}\" y=\"{2}\" font-size=\"10\" text-anchor=\"middle\">{3}</text>",
            x(at),
            height - ROW,
            height - 12,
            escape(&instant.label)
        );
    }
    body.push_str("</svg></div>\n");
}

fn draw_lane(body: &mut String, lane: &Lane, top: usize, x: &dyn Fn(usize) -> f64) {
    let _ = writeln!(body, "<text x=\"4\" y=\"{}\" font-size=\"12\">{}</text>", top + 19, escape(&lane.name));
    for (number, stay) in lane.stays.iter().enumerate() {
        let fill = if number % 2 == 0 { "#dbe8f6" } else { "#f3e6cf" };
        let _ = writeln!(
            body,
            "<g><title>{}</title><rect x=\"{:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"{fill}\"/>\
             <text x=\"{:.1}\" y=\"{}\" font-size=\"11\">{}</text></g>",
            escape(&format!("{}: {}", stay.location, stay.clocks)),
            x(stay.from),
            top + 4,
            (x(stay.to) - x(stay.from)).max(1.0),
            ROW - 8,
            x(stay.from) + 3.0,
            top + 19,
            escape(&stay.location)
        );
    }
}
