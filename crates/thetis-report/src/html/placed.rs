//! Graphs whose nodes have positions of their own, such as nets in PNML, which somebody has arranged in an editor.
//!
//! The drawing keeps these positions. Editors draw nodes as small symbols with names beside them, while a page draws the names
//! inside, so all positions are scaled by one factor until no two boxes overlap. Edges are straight.

use thetis_base::{SourceMap, Span};

use super::layout::{Layout, Link, Size};
use crate::visual::{Drawing, NodeKind};

/// The room between two boxes, and around all of them.
const GAP: f64 = 14.0;

/// Graphs that would have to grow more than this are drawn in another way.
const MAX_FACTOR: f64 = 12.0;

/// Nets with more nodes are no pictures.
const MAX_NODES: usize = 400;

/// How far apart two edges between the same nodes are.
const ASIDE: f64 = 5.0;

/// The places that the text of a net gives to all of its nodes.
pub(super) fn places(drawing: &Drawing, sources: &SourceMap) -> Option<Vec<[f64; 2]>> {
    if drawing.nodes.is_empty() || drawing.nodes.len() > MAX_NODES {
        return None;
    }
    let place = |kind: NodeKind, span: Option<Span>| match kind {
        NodeKind::Place => position(sources, span?, "</place>"),
        NodeKind::Transition => position(sources, span?, "</transition>"),
        _ => None,
    };
    drawing.nodes.iter().map(|node| place(node.kind, node.span)).collect()
}

/// The position of an element of PNML that starts at a place of the text: `<position x="10" y="20"/>`.
fn position(sources: &SourceMap, span: Span, end: &str) -> Option<[f64; 2]> {
    let text = sources.file(span.file).text().get(span.start as usize..)?;
    let element = &text[..text.find(end)?];
    let tag = &element[element.find("<position")?..];
    let tag = &tag[..tag.find('>')?];
    let number = |name: &str| -> Option<f64> {
        let value = &tag[tag.find(name)? + name.len()..];
        let value = value.trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|letter| ['"', '\''].contains(letter))?;
        value[1..].split(quote).next()?.trim().parse().ok().filter(|number: &f64| number.is_finite())
    };
    Some([number(" x")?, number(" y")?])
}

/// A layout with the boxes where they are, moved apart; none if some are at the same place.
pub(super) fn placed(boxes: &[Size], links: &[Link], places: &[[f64; 2]]) -> Option<Layout> {
    let factor = factor(boxes, places)?;
    let left = |axis: usize, size: fn(&Size) -> f64| {
        let starts = boxes.iter().zip(places).map(|(one, place)| place[axis] * factor - size(one) / 2.0);
        starts.fold(f64::INFINITY, f64::min) - GAP
    };
    let (left, top) = (left(0, |one| one.width), left(1, |one| one.height));
    let centres: Vec<[f64; 2]> = places.iter().map(|[x, y]| [x * factor - left, y * factor - top]).collect();
    let right = |axis: usize, size: fn(&Size) -> f64| {
        let ends = boxes.iter().zip(&centres).map(|(one, centre)| centre[axis] + size(one) / 2.0);
        ends.fold(0.0, f64::max) + GAP
    };
    let (width, height) = (right(0, |one| one.width), right(1, |one| one.height));
    let middle = |link: &Link| {
        let ([x0, y0], [x1, y1]) = (centres[link.source], centres[link.target]);
        [f64::midpoint(x0, x1), f64::midpoint(y0, y1)]
    };
    let labels =
        links.iter().map(|link| link.label.filter(|_| link.source != link.target).map(|_| middle(link)));
    Some(Layout { labels: labels.collect(), bends: vec![Vec::new(); links.len()], centres, width, height })
}

/// The least factor that keeps all boxes apart.
fn factor(boxes: &[Size], places: &[[f64; 2]]) -> Option<f64> {
    let mut factor: f64 = 0.2;
    for (one, (first, [x0, y0])) in boxes.iter().zip(places).enumerate() {
        for (second, [x1, y1]) in boxes.iter().zip(places).skip(one + 1) {
            let beside = f64::midpoint(first.width, second.width) + GAP;
            let above = f64::midpoint(first.height, second.height) + GAP;
            factor = factor.max((beside / (x1 - x0).abs()).min(above / (y1 - y0).abs()));
        }
    }
    (factor <= MAX_FACTOR).then_some(factor)
}

/// Where straight edges leave and arrive: at the borders of their boxes, beside an edge in the other direction.
pub(super) fn straight_ports(
    links: &[Link],
    boxes: &[Size],
    centres: &[[f64; 2]],
    is_round: impl Fn(usize) -> bool,
) -> Vec<[[f64; 2]; 2]> {
    let has_opposite =
        |link: &Link| links.iter().any(|other| other.source == link.target && other.target == link.source);
    let port = |link: &Link| {
        let ([x0, y0], [x1, y1]) = (centres[link.source], centres[link.target]);
        let length = (x1 - x0).hypot(y1 - y0).max(1.0);
        let aside = if has_opposite(link) { ASIDE } else { 0.0 };
        let (dx, dy) = (-(y1 - y0) / length * aside, (x1 - x0) / length * aside);
        let [from, to] = [[x0 + dx, y0 + dy], [x1 + dx, y1 + dy]];
        let end = |node: usize, from, to| match border(from, to, boxes[node]) {
            at if is_round(node) => round_border(from, at, centres[node], boxes[node]),
            at => at,
        };
        [end(link.source, from, to), end(link.target, to, from)]
    };
    links.iter().map(port).collect()
}

/// Where the way from the middle of a box to another point leaves the box.
fn border([x0, y0]: [f64; 2], [x1, y1]: [f64; 2], size: Size) -> [f64; 2] {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let share = (size.width / 2.0 / dx.abs()).min(size.height / 2.0 / dy.abs()).min(1.0);
    [x0 + dx * share, y0 + dy * share]
}

/// Where the way from a point inside of a box to one on its border leaves the box if its sides are half circles.
fn round_border(from: [f64; 2], to: [f64; 2], [x, y]: [f64; 2], size: Size) -> [f64; 2] {
    let radius = size.width.min(size.height) / 2.0;
    let at = |share: f64| [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    let is_inside = |[px, py]: [f64; 2]| {
        let beside = ((px - x).abs() - (size.width / 2.0 - radius)).max(0.0);
        beside.hypot(py - y) <= radius
    };
    let (mut inside, mut outside) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = f64::midpoint(inside, outside);
        *if is_inside(at(middle)) { &mut inside } else { &mut outside } = middle;
    }
    at(outside)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Size = Size { width: 40.0, height: 30.0 };

    #[test]
    fn positions_are_those_of_the_element_itself() {
        let mut sources = SourceMap::new();
        let text = "<place id=\"p\"><name><graphics><offset x=\"1\" y=\"2\"/></graphics></name>\
                    <graphics><position y='-7.5' x = \"10\"/></graphics></place><place id=\"q\"></place>";
        let file = sources.add("n.pnml", text);
        let at = |start: usize| {
            position(&sources, Span { file, start: start as u32, end: start as u32 }, "</place>")
        };
        assert_eq!(at(0), Some([10.0, -7.5]));
        assert_eq!(at(text.find("<place id=\"q\"").unwrap()), None);
    }

    #[test]
    fn boxes_are_moved_apart_and_keep_their_directions() {
        let places = [[0.0, 0.0], [10.0, 0.0], [0.0, 20.0]];
        let links = [Link { source: 0, target: 1, label: None }, Link { source: 1, target: 0, label: None }];
        let layout = placed(&[BOX; 3], &links, &places).unwrap();
        let [a, b, c] = [0, 1, 2].map(|node| layout.centres[node]);
        assert!(b[0] - a[0] >= 54.0 && a[1] == b[1] && c[0] == a[0] && c[1] - a[1] >= 44.0, "{layout:?}");
        let ports = straight_ports(&links, &[BOX; 3], &layout.centres, |_| false);
        assert!(ports[0][0][0] == a[0] + 20.0 && ports[0][0][1] != ports[1][1][1], "{ports:?}");
        assert!(placed(&[BOX; 2], &[], &[[1.0, 1.0], [1.0, 1.0]]).is_none());
    }

    #[test]
    fn edges_touch_round_boxes() {
        let links = [Link { source: 0, target: 1, label: None }];
        let centres = [[0.0, 0.0], [100.0, 100.0]];
        let [from, _] = straight_ports(&links, &[BOX; 2], &centres, |_| true)[0];
        // The right half circle has its middle at 5, 0.
        assert!(((from[0] - 5.0).hypot(from[1]) - 15.0).abs() < 1e-3 && from[0] == from[1], "{from:?}");
    }
}
