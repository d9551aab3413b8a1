//! The scatter plot of two configurations: a point for each task, at the CPU times of the two, both logarithmic. A point above the
//! diagonal means that the configuration of the horizontal axis was quicker. Unsolved tasks are on the border.

use super::axis::LogAxis;
use super::svg::{Anchor, GREY, LIGHT, Shape, Style, Svg, fitted};
use super::{Plot, file_part};
use crate::table::seconds;
use crate::{Overview, Row};

const LEFT: f64 = 86.0;
const TOP: f64 = 20.0;
const SIDE: f64 = 420.0;
/// The room beyond the scale, for unsolved tasks.
const BORDER: f64 = 34.0;
const SIZE: f64 = 12.0;
const LEAST: f64 = 0.01;

const SAFE: &str = "#0072b2";
const UNSAFE: &str = "#d55e00";
const OTHER: &str = "#767676";

pub(super) fn plot(overview: &Overview, x: usize, y: usize) -> Plot {
    let [x_label, y_label] = [x, y].map(|column| overview.columns[column].label.as_str());
    Plot {
        name: format!("scatter-{}-{}", file_part(x_label), file_part(y_label)),
        title: format!("{x_label} against {y_label}"),
        caption: format!(
            "CPU time of each task. Above the diagonal {x_label} is quicker, below it {y_label}; dashed lines are a factor \
             of 10. Crosses are wrong answers. Tasks on the border beyond the scale are unsolved; those that neither solves are left out."
        ),
        svg: draw(overview, x, y),
        is_small: true,
    }
}

fn draw(overview: &Overview, x: usize, y: usize) -> String {
    let pairs: Vec<(&crate::Line, &Row, &Row)> = overview
        .lines
        .iter()
        .filter_map(|line| Some((line, line.rows[x].as_ref()?, line.rows[y].as_ref()?)))
        .filter(|(_, x, y)| x.answer.is_some() || y.answer.is_some())
        .collect();
    let times = || {
        pairs
            .iter()
            .flat_map(|(_, x, y)| [x, y])
            .filter(|row| row.answer.is_some())
            .map(|row| row.cpu_seconds)
    };
    let x_axis = LogAxis::around(times(), LEAST, [LEFT, LEFT + SIDE]);
    let y_axis = LogAxis { decades: x_axis.decades, places: [TOP + BORDER + SIDE, TOP + BORDER] };
    let mut svg = Svg::new(LEFT + SIDE + BORDER + 30.0, TOP + BORDER + SIDE + 92.0);
    draw_axes(&mut svg, &x_axis, &y_axis);
    let labels = [x, y].map(|column| fitted(&overview.columns[column].label, SIZE, SIDE));
    let bottom = TOP + BORDER + SIDE;
    let style = Style::new(SIZE, Anchor::Middle);
    svg.text([LEFT + SIDE / 2.0, bottom + 42.0], &labels[0], style);
    svg.text([16.0, TOP + BORDER + SIDE / 2.0], &labels[1], style.rotated(-90.0));
    for (line, x, y) in pairs {
        let at = [place(&x_axis, x, BORDER / 2.0), place(&y_axis, y, -BORDER / 2.0)];
        let is_wrong = [x, y].iter().any(|row| row.outcome == crate::RowOutcome::Wrong);
        let shape = if is_wrong { Shape::Cross } else { Shape::Circle };
        let title = format!("{} {}: {} and {}", line.task, line.property, words(x), words(y));
        svg.marker(shape, at, colour(&line.expected), &title);
    }
    draw_legend(&mut svg, bottom + 70.0);
    svg.finish()
}

fn draw_axes(svg: &mut Svg, x_axis: &LogAxis, y_axis: &LogAxis) {
    let bottom = TOP + BORDER + SIDE;
    let right = LEFT + SIDE;
    svg.rect([right, TOP, BORDER, BORDER + SIDE], "#f6f6f6");
    svg.rect([LEFT, TOP, SIDE, BORDER], "#f6f6f6");
    for (value, words) in x_axis.ticks() {
        let (x, y) = (x_axis.place(value), y_axis.place(value));
        svg.line([x, TOP, x, bottom], LIGHT, "");
        svg.line([LEFT, y, right + BORDER, y], LIGHT, "");
        svg.text([x, bottom + 18.0], &words, Style::new(SIZE - 1.0, Anchor::Middle));
        svg.text([LEFT - 8.0, y + 4.0], &words, Style::new(SIZE - 1.0, Anchor::End));
    }
    let style = Style::new(SIZE - 2.0, Anchor::Middle).filled(GREY);
    svg.text([LEFT + SIDE / 2.0, TOP - 6.0], "unsolved", style);
    svg.text([right + BORDER + 8.0, TOP + BORDER + SIDE / 2.0], "unsolved", style.rotated(90.0));
    svg.line([LEFT, bottom, right, TOP + BORDER], GREY, "");
    let decade = SIDE / f64::from(x_axis.decades[1] - x_axis.decades[0]);
    svg.line([LEFT + decade, bottom, right, TOP + BORDER + decade], GREY, "4 4");
    svg.line([LEFT, bottom - decade, right - decade, TOP + BORDER], GREY, "4 4");
}

fn draw_legend(svg: &mut Svg, y: f64) {
    for (number, (words, colour)) in
        [("safe", SAFE), ("unsafe", UNSAFE), ("other", OTHER)].into_iter().enumerate()
    {
        let x = LEFT + 60.0 + number as f64 * 100.0;
        svg.marker(Shape::Circle, [x, y - 4.0], colour, words);
        svg.text([x + 12.0, y], words, Style::new(SIZE - 1.0, Anchor::Start));
    }
}

/// The place of a run, `beyond` the end of the scale if it has no answer.
fn place(axis: &LogAxis, row: &Row, beyond: f64) -> f64 {
    if row.answer.is_some() { axis.place(row.cpu_seconds) } else { axis.places[1] + beyond }
}

fn words(row: &Row) -> String {
    format!("{} in {}", row.outcome.word(), seconds(row.cpu_seconds))
}

fn colour(expected: &str) -> &'static str {
    match expected {
        "safe" => SAFE,
        "unsafe" => UNSAFE,
        _ => OTHER,
    }
}
