//! The course of a run under the document's predictor, as in its Figures 3.9 to 3.13: black what was measured, blue what was expected,
//! dashed blue the time at which the last iteration counts as exploded, red the time limit, and a cross where the run ended without the predictor.

use super::Plot;
use super::axis::{LogAxis, steps};
use super::svg::{Anchor, BLACK, GREY, LIGHT, Shape, Style, Svg};
use crate::ResultFile;
use crate::overview::{Course, courses};

const PLOT: [f64; 4] = [70.0, 50.0, 560.0, 340.0];
const SIZE: f64 = 12.0;
/// The least time that is drawn.
const LEAST: f64 = 0.001;
const BLUE: &str = "#0072b2";
const RED: &str = "#d55e00";
const GREEN: &str = "#009e73";

/// A drawing for each figure of the document that one of the recorded runs is like.
pub fn prediction_plots(files: &[ResultFile]) -> Vec<Plot> {
    courses(files).iter().map(plot).collect()
}

fn plot(course: &Course) -> Plot {
    Plot {
        name: format!("prediction-{}", course.figure),
        title: format!("As in Figure {}: {}", course.figure, course.story),
        caption: format!(
            "`{}` on `{}`, multiplier {}. Times on a stopwatch that starts with the first iteration.",
            course.configuration, course.task, course.multiplier
        ),
        svg: draw(course),
        is_small: false,
    }
}

/// Where things are.
struct Scales {
    axis: LogAxis,
    num_iterations: usize,
}

impl Scales {
    fn at(&self, iteration: usize, seconds: f64) -> [f64; 2] {
        let [left, _, width, _] = PLOT;
        [left + iteration as f64 / (self.num_iterations + 1) as f64 * width, self.axis.place(seconds)]
    }
}

fn draw(course: &Course) -> String {
    let [left, top, width, height] = PLOT;
    let last = course.last();
    let threshold = course.expected[last] * course.multiplier;
    let values = course.ends.iter().chain(&course.expected).copied().chain([course.limit, threshold]);
    let axis =
        LogAxis::around(values.map(|value| value.min(course.limit * 20.0)), LEAST, [top + height, top]);
    let scales = Scales { axis, num_iterations: last + 1 };
    let mut svg = Svg::new(left + width + 40.0, top + height + 60.0);
    svg.text(
        [left, 22.0],
        &format!("Figure {}: {}", course.figure, course.story),
        Style::new(13.0, Anchor::Start),
    );
    draw_grid(&mut svg, &scales);
    let y = axis.place(course.limit);
    svg.line([left, y, left + width, y], RED, "");
    svg.text([left + width, y - 6.0], "time limit", Style::new(SIZE, Anchor::End).filled(RED));
    let y = axis.place(threshold);
    svg.line([left, y, left + width, y], BLUE, "6 4");
    let words = format!("{} × expected", course.multiplier);
    svg.text([left + 6.0, y - 6.0], &words, Style::new(SIZE, Anchor::Start).filled(BLUE));
    draw_points(&mut svg, course, &scales);
    svg.finish()
}

fn draw_grid(svg: &mut Svg, scales: &Scales) {
    let [left, top, width, height] = PLOT;
    for (value, words) in scales.axis.ticks() {
        let y = scales.axis.place(value);
        svg.line([left, y, left + width, y], LIGHT, "");
        svg.text([left - 8.0, y + 4.0], &words, Style::new(SIZE, Anchor::End));
    }
    let (step, count) = steps(scales.num_iterations);
    for number in (1..=count).map(|number| number * step).filter(|number| *number <= scales.num_iterations) {
        let [x, _] = scales.at(number, 1.0);
        svg.text([x, top + height + 18.0], &number.to_string(), Style::new(SIZE, Anchor::Middle));
    }
    let middle = left + width / 2.0;
    svg.text([middle, top + height + 42.0], "iteration", Style::new(SIZE, Anchor::Middle).filled(GREY));
}

fn draw_points(svg: &mut Svg, course: &Course, scales: &Scales) {
    let last = course.last();
    let expected: Vec<[f64; 2]> = (0..=last).map(|at| scales.at(at + 1, course.expected[at])).collect();
    svg.polyline(&expected, BLUE, "3 3");
    for (at, place) in expected.iter().enumerate() {
        svg.marker(Shape::Circle, *place, BLUE, &format!("expected {:.3} s", course.expected[at]));
    }
    for at in 0..last {
        let title = format!("iteration {}: {:.3} s", at + 1, course.ends[at]);
        svg.marker(Shape::Circle, scales.at(at + 1, course.ends[at]), BLACK, &title);
    }
    let end = course.ends[last];
    let colour = if course.is_timeout { RED } else { GREEN };
    svg.marker(Shape::Cross, scales.at(last + 1, end), colour, &format!("without the predictor: {end:.3} s"));
    if let Some(stopped) = course.stopped {
        let words = format!("stopped after {stopped:.3} s");
        svg.marker(Shape::Circle, scales.at(last + 1, stopped), RED, &words);
        let [x, y] = scales.at(last + 1, stopped);
        svg.text([x - 10.0, y + 4.0], &words, Style::new(SIZE, Anchor::End).filled(RED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::to_png;
    use crate::samples::recorded_file;

    #[test]
    fn there_is_a_drawing_for_each_figure() {
        let plots = prediction_plots(&[recorded_file()]);
        let names: Vec<&str> = plots.iter().map(|plot| plot.name.as_str()).collect();
        let expected = ["3.9", "3.10", "3.11", "3.12", "3.13"].map(|figure| format!("prediction-{figure}"));
        assert_eq!(names, expected);
        for plot in &plots {
            let png = to_png(&plot.svg).unwrap_or_else(|error| panic!("{}: {error}", plot.name));
            assert!(png.len() > 5000, "{}", plot.name);
        }
        assert!(plots[1].svg.contains("stopped after"), "{}", plots[1].svg);
    }
}
