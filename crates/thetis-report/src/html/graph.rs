//! A drawing as SVG.

use std::fmt::Write;

use super::escape;
use super::layout::{Layout, Link, Size, layout};
use crate::visual::{Drawing, DrawnEdge, DrawnNode, NodeKind};

/// Larger graphs are not drawn: nobody could read them.
pub(super) const MAX_NODES: usize = 700;

/// The width of a character of the font, which is monospaced.
const CHAR: f64 = 7.3;
const LINE: f64 = 15.0;
/// Longer words are cut.
const MAX_CHARS: usize = 60;
/// The room that a loop takes at the right of its node.
const LOOP: f64 = 26.0;

/// The graph; nodes have the ids `n0`, `n1`, …, edges `e0`, `e1`, ….
pub(super) fn svg(drawing: &Drawing) -> String {
    let cards: Vec<Size> = drawing.nodes.iter().map(card).collect();
    let boxes: Vec<Size> = (0..cards.len()).map(|node| with_loops(drawing, node, cards[node])).collect();
    let links: Vec<Link> = drawing
        .edges
        .iter()
        .map(|edge| Link { source: edge.source, target: edge.target, label: label_size(edge) })
        .collect();
    let layout = layout(&boxes, &links);
    // Loops are at the right, so the card itself is left of the middle of its box.
    let centres: Vec<[f64; 2]> = (0..cards.len())
        .map(|node| {
            let [x, y] = layout.centres[node];
            [x - (boxes[node].width - cards[node].width) / 2.0, y]
        })
        .collect();
    let mut body = String::new();
    for (number, edge) in drawing.edges.iter().enumerate() {
        draw_edge(&mut body, number, edge, &cards, &centres, &layout);
    }
    for (number, node) in drawing.nodes.iter().enumerate() {
        draw_node(&mut body, number, node, cards[number], centres[number]);
    }
    let Layout { width, height, .. } = layout;
    format!(
        "<svg id=\"graph\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         data-width=\"{width:.0}\" data-height=\"{height:.0}\" role=\"img\" aria-label=\"graph of the model\">\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\"/></marker>\
         <marker id=\"ring\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\">\
         <circle cx=\"5\" cy=\"5\" r=\"4\" fill=\"#fff\" stroke=\"#555\"/></marker></defs>\n{body}</svg>\n"
    )
}

fn card(node: &DrawnNode) -> Size {
    let chars = node.label.chars().count().clamp(2, MAX_CHARS);
    Size { width: chars as f64 * CHAR + 22.0, height: 30.0 }
}

/// The size of a node with its loops and their labels.
fn with_loops(drawing: &Drawing, node: usize, card: Size) -> Size {
    let loops = drawing.edges.iter().filter(|edge| edge.source == node && edge.target == node);
    let labels: Vec<Size> =
        loops.map(|edge| label_size(edge).unwrap_or(Size { width: 0.0, height: 0.0 })).collect();
    if labels.is_empty() {
        return card;
    }
    let widest = labels.iter().map(|size| size.width).fold(0.0, f64::max);
    let height: f64 = labels.iter().map(|size| size.height.max(LINE)).sum();
    Size { width: card.width + LOOP + widest, height: card.height.max(height + 6.0) }
}

fn label_size(edge: &DrawnEdge) -> Option<Size> {
    let chars = edge.label.iter().map(|line| line.chars().count().min(MAX_CHARS)).max()?;
    Some(Size { width: chars as f64 * CHAR + 8.0, height: edge.label.len() as f64 * LINE + 4.0 })
}

fn draw_node(body: &mut String, number: usize, node: &DrawnNode, size: Size, [x, y]: [f64; 2]) {
    let (left, top) = (x - size.width / 2.0, y - size.height / 2.0);
    let Size { width, height } = size;
    let (class, radius) = match node.kind {
        NodeKind::Plain => ("plain", 6.0),
        NodeKind::Initial => ("initial", 6.0),
        NodeKind::Error => ("error", 0.0),
        NodeKind::Final => ("final", 6.0),
        NodeKind::Place => ("place", height / 2.0),
        NodeKind::Transition => ("transition", 0.0),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        body,
        "<g class=\"node {class}\" id=\"n{number}\"><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{radius}\"/>\
         <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text><title>{}</title></g>",
        y + 4.0,
        escape(&shortened(&node.label)),
        escape(&node.label)
    );
}

fn draw_edge(
    body: &mut String,
    number: usize,
    edge: &DrawnEdge,
    cards: &[Size],
    centres: &[[f64; 2]],
    layout: &Layout,
) {
    let end = if edge.inhibits { "ring" } else { "arrow" };
    let (path, label) = if edge.source == edge.target {
        loop_path(cards[edge.source], centres[edge.source])
    } else {
        let path = path(edge, cards, centres, &layout.bends[number]);
        (path, layout.labels[number].map(|at| (at, "middle")))
    };
    let _ =
        write!(body, "<g class=\"edge\" id=\"e{number}\"><path d=\"{path}\" marker-end=\"url(#{end})\"/>");
    if let Some(([x, y], anchor)) = label {
        let first = y - (edge.label.len() as f64 - 1.0) * LINE / 2.0 + 4.0;
        for (line, text) in edge.label.iter().enumerate() {
            let y = first + line as f64 * LINE;
            let _ = write!(
                body,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
                escape(&shortened(text))
            );
        }
    }
    body.push_str("</g>\n");
}

/// A loop at the right side of a node, and where its label starts.
fn loop_path(size: Size, [x, y]: [f64; 2]) -> (String, Option<([f64; 2], &'static str)>) {
    let right = x + size.width / 2.0;
    let path = format!("M{right:.1} {:.1}c20 -8 20 20 0 12", y - 6.0);
    (path, Some(([right + LOOP - 4.0, y], "start")))
}

/// A smooth line from node to node through the bends.
fn path(edge: &DrawnEdge, cards: &[Size], centres: &[[f64; 2]], bends: &[[f64; 2]]) -> String {
    let (from, to) = (centres[edge.source], centres[edge.target]);
    let goes_down = from[1] < to[1];
    let edge_of = |node: usize, is_bottom: bool| {
        let half = cards[node].height / 2.0;
        [centres[node][0], centres[node][1] + if is_bottom { half } else { -half }]
    };
    let mut points = vec![edge_of(edge.source, goes_down)];
    points.extend(bends);
    points.push(edge_of(edge.target, !goes_down));
    let mut path = format!("M{:.1} {:.1}", points[0][0], points[0][1]);
    for pair in points.windows(2) {
        let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
        let middle = f64::midpoint(y0, y1);
        let _ = write!(path, "C{x0:.1} {middle:.1} {x1:.1} {middle:.1} {x1:.1} {y1:.1}");
    }
    path
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    text.chars().take(MAX_CHARS - 1).chain(['…']).collect()
}
