//! Writing SVG.

use std::fmt::Write;

use crate::table::escape;

/// The font of all texts.
pub(super) const FONT: &str = "DejaVu Sans";

pub(super) const BLACK: &str = "#222222";
pub(super) const GREY: &str = "#767676";
pub(super) const LIGHT: &str = "#dddddd";

/// Where a text is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) fill: &'static str,
    /// Degrees, clockwise.
    pub(super) rotation: f64,
}

impl Style {
    pub(super) fn new(size: f64, anchor: Anchor) -> Style {
        Style { size, anchor, fill: BLACK, rotation: 0.0 }
    }

    pub(super) fn filled(self, fill: &'static str) -> Style {
        Style { fill, ..self }
    }

    pub(super) fn rotated(self, rotation: f64) -> Style {
        Style { rotation, ..self }
    }
}

/// A drawing that is being written. Points have their origin at the top left.
#[derive(Debug)]
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, body: String::new() }
    }

    pub(super) fn rect(&mut self, [x, y, width, height]: [f64; 4], fill: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}"/>"#
        );
    }

    pub(super) fn line(&mut self, [x1, y1, x2, y2]: [f64; 4], stroke: &str, dash: &str) {
        let _ = writeln!(
            self.body,
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{stroke}"{}/>"#,
            dashed(dash)
        );
    }

    pub(super) fn polyline(&mut self, points: &[[f64; 2]], stroke: &str, dash: &str) {
        let list: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.body,
            r#"<polyline points="{}" fill="none" stroke="{stroke}" stroke-width="2" stroke-linejoin="round"{}/>"#,
            list.join(" "),
            dashed(dash)
        );
    }

    /// A shape around `at`, with a tooltip.
    pub(super) fn marker(&mut self, shape: Shape, [x, y]: [f64; 2], colour: &str, title: &str) {
        let shape = match shape {
            Shape::Circle => format!(
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{colour}" fill-opacity="0.55" stroke="{colour}">"#
            ),
            Shape::Cross => format!(
                r#"<path d="M{:.1} {:.1}l8 8m0 -8l-8 8" fill="none" stroke="{colour}" stroke-width="1.8">"#,
                x - 4.0,
                y - 4.0
            ),
        };
        let name = if shape.starts_with("<circle") { "circle" } else { "path" };
        let _ = writeln!(self.body, "{shape}<title>{}</title></{name}>", escape(title));
    }

    pub(super) fn text(&mut self, [x, y]: [f64; 2], text: &str, style: Style) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let rotation = if style.rotation == 0.0 {
            String::new()
        } else {
            format!(r#" transform="rotate({} {x:.1} {y:.1})""#, style.rotation)
        };
        let _ = writeln!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{}" text-anchor="{anchor}" fill="{}"{rotation}>{}</text>"#,
            style.size,
            style.fill,
            escape(text)
        );
    }

    pub(super) fn finish(self) -> String {
        let Svg { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" font-family=\"'{FONT}', Verdana, sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }
}

/// What marks a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Circle,
    Cross,
}

fn dashed(dash: &str) -> String {
    if dash.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dash}""#) }
}

/// How wide a text will be; rather over- than underestimated.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|char| match char {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | 'I' | ' ' => 0.34,
            'f' | 'r' | 't' | '(' | ')' | '-' | '/' | '[' | ']' => 0.42,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
            'A'..='Z' => 0.72,
            _ => 0.64,
        })
        .sum();
    ems * size
}

/// The text, cut with `…` where it is too wide.
pub(super) fn fitted(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut fitted = String::new();
    for char in text.chars() {
        if text_width(&fitted, size) + text_width("…m", size) > width {
            break;
        }
        fitted.push(char);
    }
    fitted + "…"
}
