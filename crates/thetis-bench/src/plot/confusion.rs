//! The confusion matrix of timeout predictions, with the measures that are usual for it.

use super::svg::{Anchor, GREY, Style, Svg, fitted};
use super::{Plot, file_part};
use crate::overview::Confusion;

const LEFT: f64 = 130.0;
const TOP: f64 = 60.0;
const CELL: [f64; 2] = [120.0, 70.0];

pub(super) fn plot(confusion: &Confusion) -> Plot {
    Plot {
        name: format!("prediction-{}", file_part(&confusion.predictor)),
        title: format!("Timeouts predicted by {}", confusion.predictor),
        caption: format!(
            "A prediction of {} counts as right if {} was out of time on the task. Tasks on which the latter failed otherwise \
             are left out.",
            confusion.predictor, confusion.baseline
        ),
        svg: draw(confusion),
        is_small: true,
    }
}

fn draw(confusion: &Confusion) -> String {
    let mut svg = Svg::new(LEFT + 2.0 * CELL[0] + 220.0, TOP + 2.0 * CELL[1] + 30.0);
    let cells = [
        [(confusion.true_positives, true), (confusion.false_positives, false)],
        [(confusion.false_negatives, false), (confusion.true_negatives, true)],
    ];
    let head = Style::new(12.0, Anchor::Middle).filled(GREY);
    svg.text([LEFT + CELL[0], 20.0], &fitted(&confusion.baseline, 12.0, 2.0 * CELL[0]), head);
    for (column, words) in ["out of time", "in time"].iter().enumerate() {
        svg.text(
            [LEFT + (column as f64 + 0.5) * CELL[0], TOP - 12.0],
            words,
            Style::new(12.0, Anchor::Middle),
        );
    }
    for (row, words) in ["predicted", "not predicted"].iter().enumerate() {
        let y = TOP + (row as f64 + 0.5) * CELL[1] + 4.0;
        svg.text([LEFT - 10.0, y], words, Style::new(12.0, Anchor::End));
        for (column, (count, is_right)) in cells[row].iter().enumerate() {
            let corner = [LEFT + column as f64 * CELL[0], TOP + row as f64 * CELL[1]];
            let fill = if *is_right { "#cfe8d5" } else { "#f3d3c4" };
            svg.rect([corner[0] + 1.0, corner[1] + 1.0, CELL[0] - 2.0, CELL[1] - 2.0], fill);
            let at = [corner[0] + CELL[0] / 2.0, corner[1] + CELL[1] / 2.0 + 7.0];
            svg.text(at, &count.to_string(), Style::new(20.0, Anchor::Middle));
        }
    }
    for (number, (name, value)) in confusion.measures().into_iter().enumerate() {
        let y = TOP + 18.0 + number as f64 * 26.0;
        let x = LEFT + 2.0 * CELL[0] + 30.0;
        svg.text([x, y], name, Style::new(12.0, Anchor::Start).filled(GREY));
        let value = value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
        svg.text([x + 150.0, y], &value, Style::new(12.0, Anchor::End));
    }
    svg.finish()
}
