//! A drawing as SVG.
//!
//! The layout places boxes; what is drawn into a box is a *card* with the name of the node, and to its right the loops with their
//! labels, one below the other. Edges that share a side of a card are spread along it, in the order of where they go.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::escape;
use super::layout::{Layout, Link, Size, layout};
use super::placed::{placed, straight_ports};
use crate::visual::{Drawing, DrawnEdge, DrawnNode, EdgeKind, NodeKind};

/// Larger graphs are not drawn, because they would be unreadable.
pub(super) const MAX_NODES: usize = 700;

/// The width of a character of the font, which is monospaced.
const CHAR: f64 = 7.3;
const LINE: f64 = 15.0;
/// Longer words are cut.
const MAX_CHARS: usize = 60;
/// The room that a loop takes at the right of its card.
const LOOP: f64 = 26.0;

/// What a graph is called on its page.
#[derive(Clone, Copy)]
pub(super) struct Names {
    /// Its id; also the start of the ids of its markers.
    pub(super) id: &'static str,
    /// The start of the ids of nodes and edges, before `n0`, `n1`, …, `e0`, `e1`, ….
    pub(super) prefix: &'static str,
    /// What it is, for those who cannot see it.
    pub(super) words: &'static str,
}

/// The graph.
pub(super) fn svg(drawing: &Drawing, names: Names) -> String {
    let canvas = Canvas::new(drawing, names);
    let mut body = String::new();
    for number in 0..drawing.edges.len() {
        canvas.draw_edge(&mut body, number);
    }
    for number in 0..drawing.nodes.len() {
        canvas.draw_node(&mut body, number);
    }
    let Layout { width, height, .. } = canvas.layout;
    let marker = "viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
                  markerUnits=\"userSpaceOnUse\" orient=\"auto\"";
    let Names { id, words, .. } = names;
    format!(
        "<svg id=\"{id}\" class=\"graph\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         data-width=\"{width:.0}\" data-height=\"{height:.0}\" role=\"img\" aria-label=\"{words}\">\n\
         <defs><marker id=\"{id}-arrow\" {marker}><path d=\"M0 0L10 5L0 10z\"/></marker>\
         <marker id=\"{id}-ring\" {marker}><circle cx=\"5\" cy=\"5\" r=\"4\" fill=\"#fff\" stroke=\"#555\"/></marker></defs>\n\
         {body}</svg>\n"
    )
}

struct Canvas<'a> {
    drawing: &'a Drawing,
    names: Names,
    layout: Layout,
    cards: Vec<Size>,
    /// The centres of the cards.
    centres: Vec<[f64; 2]>,
    /// The height of the middle of each loop, relative to that of its card.
    loops: BTreeMap<usize, f64>,
    /// Where each edge leaves and arrives; meaningless for loops.
    ports: Vec<[[f64; 2]; 2]>,
    is_straight: bool,
}

impl Canvas<'_> {
    fn new(drawing: &Drawing, names: Names) -> Canvas<'_> {
        let mut cards: Vec<Size> = drawing.nodes.iter().map(card).collect();
        let mut boxes = cards.clone();
        let mut loops = BTreeMap::new();
        for node in 0..cards.len() {
            place_loops(drawing, node, &mut cards[node], &mut boxes[node], &mut loops);
        }
        let links: Vec<Link> = drawing
            .edges
            .iter()
            .map(|edge| Link { source: edge.source, target: edge.target, label: label_size(edge) })
            .collect();
        let own = drawing.places.as_ref().and_then(|places| placed(&boxes, &links, places));
        let is_straight = own.is_some();
        let layout = own.unwrap_or_else(|| layout(&boxes, &links));
        // Loops are at the right, so the card itself is left of the middle of its box.
        let centres: Vec<[f64; 2]> = (0..cards.len())
            .map(|node| {
                let [x, y] = layout.centres[node];
                [x - (boxes[node].width - cards[node].width) / 2.0, y]
            })
            .collect();
        let ports = match is_straight {
            true => {
                let is_round = |node: &DrawnNode| node.kind == NodeKind::Place;
                straight_ports(&links, &cards, &centres, |node| is_round(&drawing.nodes[node]))
            }
            false => ports(drawing, &layout, &cards, &centres),
        };
        Canvas { drawing, names, layout, cards, centres, loops, ports, is_straight }
    }

    fn draw_node(&self, body: &mut String, number: usize) {
        let node = &self.drawing.nodes[number];
        let (Size { width, height }, [x, y]) = (self.cards[number], self.centres[number]);
        let (left, top) = (x - width / 2.0, y - height / 2.0);
        let (class, radius) = match node.kind {
            NodeKind::Plain => ("plain", 6.0),
            NodeKind::Initial => ("initial", 6.0),
            NodeKind::Error => ("error", 0.0),
            NodeKind::Limit => ("limit", 0.0),
            NodeKind::Final => ("final", 6.0),
            NodeKind::Place => ("place", height / 2.0),
            NodeKind::Transition => ("transition", 0.0),
            NodeKind::Variable => ("variable", 6.0),
            NodeKind::Input => ("input", height / 2.0),
            NodeKind::Covered => ("covered", 6.0),
            NodeKind::Waiting => ("waiting", 6.0),
        };
        let marked = if node.is_marked { " marked" } else { "" };
        let lines: Vec<&String> = std::iter::once(&node.label).chain(&node.detail).collect();
        let first = y - (lines.len() as f64 - 1.0) * LINE / 2.0 + 4.0;
        // Writing to a string cannot fail.
        let _ = write!(
            body,
            "<g class=\"node {class}{marked}\" id=\"{}n{number}\" data-name=\"{}\"><rect x=\"{left:.1}\" y=\"{top:.1}\" \
             width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{radius}\"/>",
            self.names.prefix,
            escape(&node.label)
        );
        let has_value = matches!(node.kind, NodeKind::Place | NodeKind::Variable | NodeKind::Input);
        for (number, line) in lines.iter().enumerate() {
            let y = first + number as f64 * LINE;
            let text = escape(&shortened(line));
            // The script changes tokens and values.
            let class = if has_value && number == 1 { " class=\"tokens\"" } else { "" };
            let _ =
                write!(body, "<text{class} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{text}</text>");
        }
        let title = lines.iter().map(|line| line.as_str()).collect::<Vec<_>>().join("\n");
        let _ = writeln!(body, "<title>{}</title></g>", escape(&title));
    }

    fn draw_edge(&self, body: &mut String, number: usize) {
        let edge = &self.drawing.edges[number];
        let (class, end) = match edge.kind {
            EdgeKind::Arrow => ("edge", "arrow"),
            EdgeKind::Inhibitor => ("edge", "ring"),
            EdgeKind::Covers => ("edge covers", "arrow"),
        };
        let marked = if edge.is_marked { " marked" } else { "" };
        let Names { id, prefix, .. } = self.names;
        let (path, label) = match self.loops.get(&number) {
            Some(offset) => {
                let [x, y] = self.centres[edge.source];
                let (right, y) = (x + self.cards[edge.source].width / 2.0, y + offset);
                (
                    format!("M{right:.1} {:.1}c20 -8 20 20 0 12", y - 6.0),
                    Some(([right + LOOP - 4.0, y], "start")),
                )
            }
            None => (self.path(number), self.layout.labels[number].map(|at| (at, "middle"))),
        };
        let _ = write!(
            body,
            "<g class=\"{class}{marked}\" id=\"{prefix}e{number}\"><path d=\"{path}\" marker-end=\"url(#{id}-{end})\"/>"
        );
        if let (Some([x, y]), Some(Size { width, height })) = (self.layout.labels[number], label_size(edge)) {
            // The edge passes behind its label.
            let (left, top) = (x - width / 2.0, y - height / 2.0);
            let _ = write!(
                body,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
            );
        }
        if let Some(([x, y], anchor)) = label {
            let first = y - (edge.label.len() as f64 - 1.0) * LINE / 2.0 + 4.0;
            for (line, text) in edge.label.iter().enumerate() {
                let y = first + line as f64 * LINE;
                let text = escape(&shortened(text));
                let _ =
                    write!(body, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
            }
        }
        body.push_str("</g>\n");
    }

    /// A smooth line from port to port through the bends.
    fn path(&self, number: usize) -> String {
        let [from, to] = self.ports[number];
        if self.is_straight {
            return format!("M{:.1} {:.1}L{:.1} {:.1}", from[0], from[1], to[0], to[1]);
        }
        let bends = self.layout.bends[number].iter().copied();
        let points: Vec<[f64; 2]> = std::iter::once(from).chain(bends).chain([to]).collect();
        let mut path = format!("M{:.1} {:.1}", from[0], from[1]);
        for pair in points.windows(2) {
            let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
            let middle = f64::midpoint(y0, y1);
            let _ = write!(path, "C{x0:.1} {middle:.1} {x1:.1} {middle:.1} {x1:.1} {y1:.1}");
        }
        path
    }
}

fn card(node: &DrawnNode) -> Size {
    let lines = std::iter::once(&node.label).chain(&node.detail);
    let chars = lines.map(|line| line.chars().count()).max().unwrap_or(0).clamp(2, MAX_CHARS);
    let height = if node.detail.is_some() { 30.0 + LINE } else { 30.0 };
    Size { width: chars as f64 * CHAR + 22.0, height }
}

/// Makes room for the loops of a node: its card becomes as high as their labels together, its box wide enough for them.
fn place_loops(
    drawing: &Drawing,
    node: usize,
    card: &mut Size,
    room: &mut Size,
    loops: &mut BTreeMap<usize, f64>,
) {
    let own = drawing.edges.iter().enumerate().filter(|(_, edge)| edge.source == node && edge.target == node);
    let mut y = 0.0;
    let mut widest = 0.0f64;
    let mut middles = Vec::new();
    for (number, edge) in own {
        let size = label_size(edge).unwrap_or(Size { width: 0.0, height: LINE });
        let height = size.height.max(LINE + 4.0);
        middles.push((number, y + height / 2.0));
        y += height;
        widest = widest.max(size.width);
    }
    if middles.is_empty() {
        return;
    }
    card.height = card.height.max(y);
    *room = Size { width: card.width + LOOP + widest, height: card.height };
    loops.extend(middles.into_iter().map(|(number, middle)| (number, middle - y / 2.0)));
}

/// An end of an edge at a side of a card: where the edge goes from there, which edge it is, and which of its
/// ends.
type End = (f64, usize, usize);

/// Spreads the ends of edges along the sides of cards.
fn ports(drawing: &Drawing, layout: &Layout, cards: &[Size], centres: &[[f64; 2]]) -> Vec<[[f64; 2]; 2]> {
    let mut sides: BTreeMap<(usize, bool), Vec<End>> = BTreeMap::new();
    for (number, edge) in drawing.edges.iter().enumerate().filter(|(_, edge)| edge.source != edge.target) {
        let (source, target) = (centres[edge.source], centres[edge.target]);
        let goes_down = source[1] < target[1];
        let bends = &layout.bends[number];
        let leaves_to = bends.first().unwrap_or(&target)[0];
        let comes_from = bends.last().unwrap_or(&source)[0];
        sides.entry((edge.source, goes_down)).or_default().push((leaves_to, number, 0));
        sides.entry((edge.target, !goes_down)).or_default().push((comes_from, number, 1));
    }
    let mut ports = vec![[[0.0; 2]; 2]; drawing.edges.len()];
    for ((node, is_bottom), mut ends) in sides {
        ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let ([x, y], Size { width, height }) = (centres[node], cards[node]);
        let step = width * 0.7 / ends.len() as f64;
        for (rank, (_, number, end)) in ends.iter().enumerate() {
            let offset = (rank as f64 - (ends.len() as f64 - 1.0) / 2.0) * step;
            ports[*number][*end] = [x + offset, y + if is_bottom { height / 2.0 } else { -height / 2.0 }];
        }
    }
    ports
}

fn label_size(edge: &DrawnEdge) -> Option<Size> {
    let chars = edge.label.iter().map(|line| line.chars().count().min(MAX_CHARS)).max()?;
    Some(Size { width: chars as f64 * CHAR + 8.0, height: edge.label.len() as f64 * LINE + 4.0 })
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    text.chars().take(MAX_CHARS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Names = Names { id: "graph", prefix: "", words: "a graph" };

    fn node(label: &str) -> DrawnNode {
        DrawnNode::new(label, NodeKind::Plain, None)
    }

    fn edge(source: usize, target: usize, label: &[&str]) -> DrawnEdge {
        let label = label.iter().map(|line| (*line).to_owned()).collect();
        DrawnEdge::new(source, target, label, EdgeKind::Arrow)
    }

    #[test]
    fn loops_stand_below_each_other() {
        let edges = vec![edge(0, 0, &["a", "b"]), edge(0, 0, &["c"]), edge(0, 0, &["d", "e", "f"])];
        let drawing = Drawing { nodes: vec![node("n")], edges, places: None };
        let canvas = Canvas::new(&drawing, NAMES);
        let halves: Vec<f64> =
            drawing.edges.iter().map(|edge| label_size(edge).unwrap().height / 2.0).collect();
        for pair in [[0, 1], [1, 2]] {
            let distance = canvas.loops[&pair[1]] - canvas.loops[&pair[0]];
            assert!(distance >= halves[pair[0]] + halves[pair[1]], "{:?}", canvas.loops);
        }
    }

    #[test]
    fn edges_at_one_side_have_places_of_their_own() {
        let edges = vec![edge(0, 1, &[]), edge(0, 1, &["x"]), edge(1, 0, &[])];
        let drawing = Drawing { nodes: vec![node("upper"), node("lower")], edges, places: None };
        let canvas = Canvas::new(&drawing, NAMES);
        let mut starts: Vec<f64> = vec![canvas.ports[0][0][0], canvas.ports[1][0][0], canvas.ports[2][1][0]];
        starts.sort_by(f64::total_cmp);
        assert!(starts.windows(2).all(|pair| pair[1] - pair[0] > 5.0), "{starts:?}");
    }

    #[test]
    fn names_are_escaped_and_cut() {
        let drawing = Drawing {
            nodes: vec![node("<&>"), node(&"x".repeat(99))],
            edges: vec![edge(0, 1, &["a < b"])],
            places: None,
        };
        let svg = svg(&drawing, NAMES);
        assert!(svg.contains(">&lt;&amp;&gt;</text>") && svg.contains(">a &lt; b</text>"), "{svg}");
        assert!(svg.contains(&format!(">{}…</text>", "x".repeat(59))), "{svg}");
    }
}
