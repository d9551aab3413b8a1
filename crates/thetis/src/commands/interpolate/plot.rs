//! A picture of points in two dimensions, and of what an interpolant contains.

use std::fmt::Write;

use thetis_expr::{ExprId, Sort, Store, Value, VarId, evaluate};
use thetis_ice::{Data, Label, Point};

/// The picture is a square of this many cells, each of this many units.
const CELLS: i64 = 64;
const UNIT: i64 = 10;

/// The picture, if there are two shared variables.
pub(super) fn svg(store: &Store, data: &Data, formula: Option<ExprId>) -> Option<String> {
    let &[horizontal, vertical] = data.vars(0) else { return None };
    let frame = Frame::around(data.points());
    let side = CELLS * UNIT;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#f7f7f7\"/>\n",
        side + 3 * UNIT
    );
    if let Some(formula) = formula {
        text += &region(store, [horizontal, vertical], formula, &frame);
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
    let _ = writeln!(
        text,
        "<text x=\"{UNIT}\" y=\"{}\">{} from {} to {} (to the right), {} from {} to {} (upwards); green: A, red: B</text>\n</svg>",
        side + 2 * UNIT,
        names[0],
        frame.low[0],
        frame.low[0] + CELLS * frame.step[0] - 1,
        names[1],
        frame.low[1],
        frame.low[1] + CELLS * frame.step[1] - 1,
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
            (least.saturating_sub(step), step)
        };
        let ((left, width), (bottom, height)) = (axis(0), axis(1));
        Frame { low: [left, bottom], step: [width, height] }
    }

    /// The middle of the cell of a point, in units of the picture.
    fn place(&self, values: &[i64]) -> (i64, i64) {
        let cell = |axis: usize| ((values[axis] - self.low[axis]) / self.step[axis]).clamp(0, CELLS - 1);
        (cell(0) * UNIT + UNIT / 2, (CELLS - 1 - cell(1)) * UNIT + UNIT / 2)
    }
}

/// The cells that `formula` contains, merged along each line.
fn region(store: &Store, vars: [VarId; 2], formula: ExprId, frame: &Frame) -> String {
    let mut text = String::new();
    for row in 0..CELLS {
        let contains = |column: i64| {
            let at = [frame.low[0] + column * frame.step[0], frame.low[1] + row * frame.step[1]];
            let lookup = |var: VarId| {
                let axis = vars.iter().position(|known| *known == var)?;
                Some(match store.var_sort(var) {
                    Sort::Bool => Value::Bool(at[axis] != 0),
                    _ => Value::int(at[axis]),
                })
            };
            evaluate(store, formula, &lookup).ok().and_then(|value| value.as_bool()) == Some(true)
        };
        let mut column = 0;
        while column < CELLS {
            let length = (column..CELLS).take_while(|column| contains(*column)).count() as i64;
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

fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
