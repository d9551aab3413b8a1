//! The quantile plot: a line for each configuration, whose n-th point is the CPU time of its n-th quickest solved task. A line
//! that goes further to the right solves more, a lower one is quicker.

use super::Plot;
use super::axis::{LogAxis, steps};
use super::svg::{Anchor, BLACK, GREY, LIGHT, Style, Svg, fitted, text_width};
use crate::{Overview, Row};

const PLOT: [f64; 4] = [70.0, 20.0, 640.0, 420.0];
const SIZE: f64 = 12.0;
/// Quicker runs count as this: their times are noise.
const LEAST: f64 = 0.01;

/// Colours that people with any kind of sight can tell apart (Okabe and Ito), then the same again with dashes.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222"];
const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];

pub(super) fn plot(overview: &Overview) -> Plot {
    Plot {
        name: "quantile".to_owned(),
        title: "Solved tasks over CPU time".to_owned(),
        caption: "The n-th point of a line is the CPU time of the n-th quickest task that the configuration solves: further \
                  right is more, lower is quicker. Times below 0.01 s count as 0.01 s."
            .to_owned(),
        svg: draw(overview),
        is_small: false,
    }
}

struct Curve {
    label: String,
    times: Vec<f64>,
}

fn curves(overview: &Overview) -> Vec<Curve> {
    let sorted = |rows: Vec<&Row>| {
        let mut times: Vec<f64> =
            rows.iter().filter(|row| row.outcome.is_solved()).map(|row| row.cpu_seconds.max(LEAST)).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let column =
        |number: usize| overview.lines.iter().filter_map(|line| line.rows[number].as_ref()).collect();
    let mut curves: Vec<Curve> = overview
        .columns
        .iter()
        .enumerate()
        .map(|(number, one)| Curve { label: one.label.clone(), times: sorted(column(number)) })
        .collect();
    // The legend has the order in which the lines end.
    curves.sort_by_key(|curve| std::cmp::Reverse(curve.times.len()));
    curves
}

fn draw(overview: &Overview) -> String {
    let curves = curves(overview);
    let [left, top, width, height] = PLOT;
    let legend = curves.iter().map(|curve| text_width(&curve.label, SIZE)).fold(60.0, f64::max).min(260.0);
    let legend_height = curves.len() as f64 * 20.0 + 30.0;
    let total_height = (top + height + 60.0).max(top + legend_height);
    let mut svg = Svg::new(left + width + 30.0 + 36.0 + legend + 60.0, total_height);
    let y_axis = LogAxis::around(
        curves.iter().flat_map(|curve| curve.times.iter().copied()),
        LEAST,
        [top + height, top],
    );
    let (step, count) = steps(overview.lines.len());
    let x_of = |number: usize| left + number as f64 / (step * count) as f64 * width;
    for (value, words) in y_axis.ticks() {
        let y = y_axis.place(value);
        svg.line([left, y, left + width, y], LIGHT, "");
        svg.text([left - 8.0, y + 4.0], &words, Style::new(SIZE, Anchor::End));
    }
    for number in (0..=count).map(|number| number * step) {
        svg.line([x_of(number), top, x_of(number), top + height], LIGHT, "");
        svg.text([x_of(number), top + height + 18.0], &number.to_string(), Style::new(SIZE, Anchor::Middle));
    }
    let middle = left + width / 2.0;
    svg.text([middle, top + height + 42.0], "solved tasks", Style::new(SIZE, Anchor::Middle).filled(GREY));
    svg.text(
        [16.0, top + height / 2.0],
        "CPU time",
        Style::new(SIZE, Anchor::Middle).filled(GREY).rotated(-90.0),
    );
    for (number, curve) in curves.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let dash = DASHES[number / COLOURS.len() % DASHES.len()];
        let points: Vec<[f64; 2]> = curve
            .times
            .iter()
            .enumerate()
            .map(|(rank, time)| [x_of(rank + 1), y_axis.place(*time)])
            .collect();
        svg.polyline(&points, colour, dash);
        let y = top + 12.0 + number as f64 * 20.0;
        let x = left + width + 30.0;
        svg.polyline(&[[x, y - 4.0], [x + 28.0, y - 4.0]], colour, dash);
        let words = format!("{} ({})", fitted(&curve.label, SIZE, 260.0), curve.times.len());
        svg.text([x + 36.0, y], &words, Style::new(SIZE, Anchor::Start).filled(BLACK));
    }
    svg.finish()
}
