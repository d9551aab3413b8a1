//! A picture of points in two dimensions, of what the interpolant contains, and of where earlier hypotheses ended.

use std::fmt::Write;

use thetis_expr::{ExprId, Sort, Store, Value, VarId, evaluate};
use thetis_ice::{Label, Lesson, PairAnswer, Point};

/// The picture is a square of this many cells, each of this many units.
const CELLS: i64 = 64;
const UNIT: i64 = 10;
/// How many of the hypotheses before the interpolant are drawn.
const MAX_EARLIER: usize = 4;

/// The picture, if there are two shared variables.
pub(super) fn svg(store: &Store, lesson: &Lesson) -> Option<String> {
    let data = &lesson.data;
    let &[horizontal, vertical] = data.vars(0) else { return None };
    let frame = Frame::around(data.points());
    let region = |formula: ExprId| Region::of(store, [horizontal, vertical], formula, &frame);
    let side = CELLS * UNIT;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#f7f7f7\"/>\n",
        side + 5 * UNIT
    );
    let mut earlier = &lesson.hypotheses[..];
    if let PairAnswer::Interpolant(formula) = lesson.answer {
        text += &region(formula).filled();
        earlier = earlier.split_last().map_or(earlier, |(_, earlier)| earlier);
    }
    for formula in &earlier[earlier.len().saturating_sub(MAX_EARLIER)..] {
        text += &region(*formula).outlined();
    }
    for (number, point) in data.points().iter().enumerate() {
        let (x, y) = frame.place(&point.values);
        let color = match data.labels().get(number) {
            Some(Label::Positive) => "#1b7837",
            _ => "#b2182b",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{color}\"/>");
    }
    let names = [horizontal, vertical].map(|var| escaped(&store.var_name(var)));
    let axis = |axis: usize| format!("{} from {} to {}", names[axis], frame.low[axis], frame.greatest(axis));
    let _ = writeln!(
        text,
        "<text x=\"{UNIT}\" y=\"{}\">{} (to the right), {} (upwards)</text>\n\
         <text x=\"{UNIT}\" y=\"{}\">points: green of A, red of B; area: the interpolant; lines: earlier hypotheses</text>\n</svg>",
        side + 2 * UNIT,
        axis(0),
        axis(1),
        side + 4 * UNIT,
    );
    Some(text)
}

/// The part of the plane that is shown; a cell is a square of some integers, of which the first represents all.
struct Frame {
    low: [i64; 2],
    step: [i64; 2],
}

impl Frame {
    fn around(points: &[Point]) -> Frame {
        let axis = |axis: usize| {
            let values = points.iter().map(|point| point.values[axis]);
            let (least, greatest) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
            let step = (greatest.saturating_sub(least) / CELLS + 1).max(1);
            let margin = (CELLS.saturating_mul(step) - 1 - greatest.saturating_sub(least)).max(0) / 2;
            (least.saturating_sub(margin), step)
        };
        let ((left, width), (bottom, height)) = (axis(0), axis(1));
        Frame { low: [left, bottom], step: [width, height] }
    }

    /// The number that represents a cell.
    fn at(&self, axis: usize, cell: i64) -> i64 {
        self.low[axis].saturating_add(cell.saturating_mul(self.step[axis]))
    }

    /// The greatest number that is shown.
    fn greatest(&self, axis: usize) -> i64 {
        self.at(axis, CELLS).saturating_sub(1)
    }

    /// The middle of the cell of a point, in units of the picture.
    fn place(&self, values: &[i64]) -> (i64, i64) {
        let cell =
            |axis: usize| (values[axis].saturating_sub(self.low[axis]) / self.step[axis]).clamp(0, CELLS - 1);
        (cell(0) * UNIT + UNIT / 2, (CELLS - 1 - cell(1)) * UNIT + UNIT / 2)
    }
}

/// The cells that a formula contains, line by line from below.
struct Region(Vec<Vec<bool>>);

impl Region {
    fn of(store: &Store, vars: [VarId; 2], formula: ExprId, frame: &Frame) -> Region {
        let contains = |column: i64, row: i64| {
            let at = [frame.at(0, column), frame.at(1, row)];
            let lookup = |var: VarId| {
                let axis = vars.iter().position(|known| *known == var)?;
                Some(match store.var_sort(var) {
                    Sort::Bool => Value::Bool(at[axis] != 0),
                    _ => Value::int(at[axis]),
                })
            };
            evaluate(store, formula, &lookup).ok().and_then(|value| value.as_bool()) == Some(true)
        };
        let line = |row: i64| (0..CELLS).map(|column| contains(column, row)).collect();
        Region((0..CELLS).map(line).collect())
    }

    fn contains(&self, column: i64, row: i64) -> bool {
        self.0[row as usize][column as usize]
    }

    /// The cells, merged along each line.
    fn filled(&self) -> String {
        let mut text = String::new();
        for row in 0..CELLS {
            let mut column = 0;
            while column < CELLS {
                let length = (column..CELLS).take_while(|column| self.contains(*column, row)).count() as i64;
                if length > 0 {
                    let (x, y, width) = (column * UNIT, (CELLS - 1 - row) * UNIT, length * UNIT);
                    // Writing to a string cannot fail.
                    let _ = writeln!(
                        text,
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{UNIT}\" fill=\"#a6dba0\"/>"
                    );
                }
                column += length + 1;
            }
        }
        text
    }

    /// The sides that a cell of the region has in common with one outside of it.
    fn outlined(&self) -> String {
        let mut path = String::new();
        for row in 0..CELLS {
            for column in 0..CELLS {
                let (x, y) = (column * UNIT, (CELLS - 1 - row) * UNIT);
                // Writing to a string cannot fail.
                if column > 0 && self.contains(column - 1, row) != self.contains(column, row) {
                    let _ = write!(path, "M{x} {y}v{UNIT}");
                }
                if row > 0 && self.contains(column, row - 1) != self.contains(column, row) {
                    let _ = write!(path, "M{x} {}h{UNIT}", y + UNIT);
                }
            }
        }
        format!("<path d=\"{path}\" stroke=\"#5e3c99\" stroke-opacity=\"0.5\" fill=\"none\"/>\n")
    }
}

fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
