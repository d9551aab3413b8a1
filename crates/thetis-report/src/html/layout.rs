//! Layered layout of graphs, after Sugiyama, Tagawa and Toda (1981).
//!
//! # Method
//! 1. **Cycles.** A depth-first search from the first node finds back edges; they are laid out as if they pointed the
//!    other way.
//! 2. **Layers.** A node's layer is the length of the longest path to it.
//! 3. **Labels and long edges.** An edge with a label is cut in two by a node that has the size of the label, so a label can
//!    never lie on a node or another label; layers are therefore twice as many. An edge over several layers gets a bend in each.
//! 4. **Order.** Each layer is sorted by the mean position of its neighbours, sweeping down and up; the order with the fewest
//!    crossings wins.
//! 5. **Places.** Each layer is moved as close to its neighbours as its order and the least distances allow. With the distances
//!    subtracted this is isotonic regression, which pooling adjacent violators solves exactly.
//!
//! Loops at a node are drawn at its right side, and widen it. Everything is deterministic.

/// A box to be placed; the label of its loops is part of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
}

/// An edge between boxes, with the size of its label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) label: Option<Size>,
}

/// Where everything is.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The centres of the boxes.
    pub(super) centres: Vec<[f64; 2]>,
    /// The points of each edge from its source to its target, without the ends; empty for loops.
    pub(super) bends: Vec<Vec<[f64; 2]>>,
    /// The centre of each label, if the edge has one and is no loop.
    pub(super) labels: Vec<Option<[f64; 2]>>,
    pub(super) width: f64,
    pub(super) height: f64,
}

const GAP_X: f64 = 24.0;
const GAP_Y: f64 = 26.0;
const SWEEPS: usize = 12;

/// Places `boxes` and `links`.
pub(super) fn layout(boxes: &[Size], links: &[Link]) -> Layout {
    let graph = Graph::new(boxes, links);
    let mut layers = graph.layers();
    graph.order(&mut layers);
    let xs = graph.places(&layers);
    graph.finish(boxes.len(), links, &layers, &xs)
}

/// The graph in which every edge leads from one layer to the next.
struct Graph {
    sizes: Vec<Size>,
    layer_of: Vec<usize>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// For each link the nodes between its ends, from upper to lower, and whether it was turned round.
    chains: Vec<(Vec<usize>, bool)>,
    label_nodes: Vec<Option<usize>>,
}

impl Graph {
    fn new(boxes: &[Size], links: &[Link]) -> Graph {
        let turned = back_edges(boxes.len(), links);
        let ranks = ranks(boxes.len(), links, &turned);
        let mut graph = Graph {
            sizes: boxes.to_vec(),
            // Every second layer is for labels.
            layer_of: ranks.iter().map(|rank| rank * 2).collect(),
            above: vec![Vec::new(); boxes.len()],
            below: vec![Vec::new(); boxes.len()],
            chains: Vec::new(),
            label_nodes: Vec::new(),
        };
        for (link, is_turned) in links.iter().zip(turned) {
            let (upper, lower) =
                if is_turned { (link.target, link.source) } else { (link.source, link.target) };
            graph.add_chain(upper, lower, is_turned, link.label);
        }
        graph
    }

    fn add_chain(&mut self, upper: usize, lower: usize, is_turned: bool, label: Option<Size>) {
        let mut chain = Vec::new();
        let mut label_node = None;
        if upper != lower {
            let (first, last) = (self.layer_of[upper], self.layer_of[lower]);
            // Layers of labels are odd.
            let label_layer = usize::midpoint(first, last) | 1;
            let mut previous = upper;
            for layer in first + 1..last {
                let is_label = layer == label_layer && label.is_some();
                let size = label.filter(|_| is_label).unwrap_or(Size { width: 4.0, height: 0.0 });
                let node = self.add_node(size, layer);
                self.connect(previous, node);
                if is_label {
                    label_node = Some(node);
                }
                chain.push(node);
                previous = node;
            }
            self.connect(previous, lower);
        }
        self.chains.push((chain, is_turned));
        self.label_nodes.push(label_node);
    }

    fn add_node(&mut self, size: Size, layer: usize) -> usize {
        self.sizes.push(size);
        self.layer_of.push(layer);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.sizes.len() - 1
    }

    fn connect(&mut self, upper: usize, lower: usize) {
        self.below[upper].push(lower);
        self.above[lower].push(upper);
    }

    /// The nodes of each layer, in the order in which a search meets them.
    fn layers(&self) -> Vec<Vec<usize>> {
        let count = self.layer_of.iter().max().map_or(0, |last| last + 1);
        let mut layers = vec![Vec::new(); count];
        let mut seen = vec![false; self.sizes.len()];
        for root in 0..self.sizes.len() {
            let mut stack = vec![root];
            while let Some(node) = stack.pop() {
                if std::mem::replace(&mut seen[node], true) {
                    continue;
                }
                layers[self.layer_of[node]].push(node);
                stack.extend(self.below[node].iter().rev().filter(|next| !seen[**next]));
            }
        }
        layers
    }

    /// Sorts layers by the mean position of their neighbours, and keeps the best order met.
    fn order(&self, layers: &mut Vec<Vec<usize>>) {
        let mut best = layers.clone();
        let mut best_crossings = self.crossings(layers);
        for sweep in 0..SWEEPS {
            let is_down = sweep % 2 == 0;
            let mut position = vec![0.0; self.sizes.len()];
            let count = layers.len();
            for step in 0..count {
                let layer = if is_down { step } else { count - 1 - step };
                let neighbours = if is_down { &self.above } else { &self.below };
                let mut keyed: Vec<(f64, usize)> = layers[layer]
                    .iter()
                    .enumerate()
                    .map(|(rank, node)| (mean(&neighbours[*node], &position).unwrap_or(rank as f64), *node))
                    .collect();
                // Stable, so that equals keep their order.
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                layers[layer] = keyed.into_iter().map(|(_, node)| node).collect();
                for (rank, node) in layers[layer].iter().enumerate() {
                    position[*node] = rank as f64;
                }
            }
            let crossings = self.crossings(layers);
            if crossings < best_crossings {
                best.clone_from(layers);
                best_crossings = crossings;
            }
        }
        *layers = best;
    }

    /// How many pairs of edges between neighbouring layers cross.
    fn crossings(&self, layers: &[Vec<usize>]) -> usize {
        let mut rank = vec![0; self.sizes.len()];
        for layer in layers {
            for (number, node) in layer.iter().enumerate() {
                rank[*node] = number;
            }
        }
        let mut crossings = 0;
        for layer in layers {
            // The ends of all edges downwards, sorted by their starts: every inversion is a crossing.
            let mut ends: Vec<usize> = Vec::new();
            for node in layer {
                let mut below: Vec<usize> = self.below[*node].iter().map(|next| rank[*next]).collect();
                below.sort_unstable();
                for end in below {
                    crossings += ends.len() - ends.partition_point(|other| *other <= end);
                    ends.insert(ends.partition_point(|other| *other <= end), end);
                }
            }
        }
        crossings
    }

    /// Moves layers towards their neighbours, keeping order and distances.
    fn places(&self, layers: &[Vec<usize>]) -> Vec<f64> {
        let mut xs = vec![0.0; self.sizes.len()];
        for layer in layers {
            for (node, offset) in layer.iter().zip(self.offsets(layer)) {
                xs[*node] = offset;
            }
        }
        for sweep in 0..SWEEPS {
            let is_down = sweep % 2 == 0;
            let count = layers.len();
            for step in 0..count {
                let layer = &layers[if is_down { step } else { count - 1 - step }];
                let neighbours = if is_down { &self.above } else { &self.below };
                let offsets = self.offsets(layer);
                let wanted: Vec<f64> = layer
                    .iter()
                    .zip(&offsets)
                    .map(|(node, offset)| mean(&neighbours[*node], &xs).unwrap_or(xs[*node]) - offset)
                    .collect();
                for ((node, place), offset) in layer.iter().zip(isotonic(&wanted)).zip(offsets) {
                    xs[*node] = place + offset;
                }
            }
        }
        let left =
            xs.iter().zip(&self.sizes).map(|(x, size)| x - size.width / 2.0).fold(f64::INFINITY, f64::min);
        xs.iter().map(|x| x - left.min(f64::MAX) + GAP_X).collect()
    }

    /// The centres of a layer's nodes when they stand as close as they may.
    fn offsets(&self, layer: &[usize]) -> Vec<f64> {
        let mut x = 0.0;
        let mut offsets = Vec::new();
        for (number, node) in layer.iter().enumerate() {
            let half = self.sizes[*node].width / 2.0;
            x += if number == 0 { 0.0 } else { half + GAP_X };
            offsets.push(x);
            x += half;
        }
        offsets
    }

    fn finish(&self, num_boxes: usize, links: &[Link], layers: &[Vec<usize>], xs: &[f64]) -> Layout {
        let mut ys = vec![0.0; layers.len()];
        let mut y = GAP_Y;
        for (layer, nodes) in layers.iter().enumerate() {
            let height = nodes.iter().map(|node| self.sizes[*node].height).fold(0.0, f64::max);
            ys[layer] = y + height / 2.0;
            y += height + GAP_Y;
        }
        let at = |node: usize| [xs[node], ys[self.layer_of[node]]];
        let bends = links.iter().zip(&self.chains).map(|(_, (chain, is_turned))| {
            let mut points: Vec<[f64; 2]> = chain.iter().map(|node| at(*node)).collect();
            if *is_turned {
                points.reverse();
            }
            points
        });
        let right = xs.iter().zip(&self.sizes).map(|(x, size)| x + size.width / 2.0).fold(0.0, f64::max);
        Layout {
            centres: (0..num_boxes).map(at).collect(),
            bends: bends.collect(),
            labels: self.label_nodes.iter().map(|node| node.map(at)).collect(),
            width: right + GAP_X,
            height: y,
        }
    }
}

fn mean(nodes: &[usize], values: &[f64]) -> Option<f64> {
    let sum: f64 = nodes.iter().map(|node| values[*node]).sum();
    (!nodes.is_empty()).then(|| sum / nodes.len() as f64)
}

/// The sequence closest to `wanted` (least squares) that never decreases.
fn isotonic(wanted: &[f64]) -> Vec<f64> {
    // Blocks of equal values: sum and count.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for value in wanted {
        blocks.push((*value, 1));
        while let [.., (sum, count), (last_sum, last_count)] = blocks[..]
            && sum / count as f64 > last_sum / last_count as f64
        {
            blocks.truncate(blocks.len() - 2);
            blocks.push((sum + last_sum, count + last_count));
        }
    }
    blocks.into_iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / count as f64, count)).collect()
}

/// Which links lead back to where a depth-first search came from.
fn back_edges(num_boxes: usize, links: &[Link]) -> Vec<bool> {
    let mut outgoing = vec![Vec::new(); num_boxes];
    for (number, link) in links.iter().enumerate() {
        outgoing[link.source].push(number);
    }
    let mut turned = vec![false; links.len()];
    // 0 for new, 1 for open, 2 for done.
    let mut state = vec![0u8; num_boxes];
    for root in 0..num_boxes {
        if state[root] != 0 {
            continue;
        }
        let mut stack = vec![(root, 0)];
        state[root] = 1;
        while let Some((node, next)) = stack.last_mut() {
            let Some(number) = outgoing[*node].get(*next) else {
                state[*node] = 2;
                stack.pop();
                continue;
            };
            *next += 1;
            let target = links[*number].target;
            match state[target] {
                0 => {
                    state[target] = 1;
                    stack.push((target, 0));
                }
                1 => turned[*number] = links[*number].source != target,
                _ => {}
            }
        }
    }
    turned
}

/// The length of the longest path to each box, back edges turned round and loops left out.
fn ranks(num_boxes: usize, links: &[Link], turned: &[bool]) -> Vec<usize> {
    let ends = |number: usize| {
        let Link { source, target, .. } = links[number];
        if turned[number] { (target, source) } else { (source, target) }
    };
    let mut below = vec![Vec::new(); num_boxes];
    let mut num_open = vec![0usize; num_boxes];
    for (upper, lower) in (0..links.len()).map(ends).filter(|(upper, lower)| upper != lower) {
        below[upper].push(lower);
        num_open[lower] += 1;
    }
    let mut ranks = vec![0; num_boxes];
    let mut ready: Vec<usize> = (0..num_boxes).filter(|node| num_open[*node] == 0).collect();
    while let Some(node) = ready.pop() {
        for next in &below[node] {
            ranks[*next] = ranks[*next].max(ranks[node] + 1);
            num_open[*next] -= 1;
            if num_open[*next] == 0 {
                ready.push(*next);
            }
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Size = Size { width: 60.0, height: 30.0 };

    fn links(pairs: &[(usize, usize)]) -> Vec<Link> {
        let label = Some(Size { width: 80.0, height: 20.0 });
        pairs.iter().map(|(source, target)| Link { source: *source, target: *target, label }).collect()
    }

    /// All boxes and labels as rectangles.
    fn rectangles(layout: &Layout) -> Vec<[f64; 4]> {
        let around = |[x, y]: [f64; 2], width: f64, height: f64| {
            [x - width / 2.0, y - height / 2.0, x + width / 2.0, y + height / 2.0]
        };
        let boxes = layout.centres.iter().map(|centre| around(*centre, 60.0, 30.0));
        boxes.chain(layout.labels.iter().flatten().map(|centre| around(*centre, 80.0, 20.0))).collect()
    }

    fn assert_nothing_overlaps(layout: &Layout) {
        let all = rectangles(layout);
        for (number, a) in all.iter().enumerate() {
            assert!(
                a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= layout.width && a[3] <= layout.height,
                "{a:?} is outside"
            );
            for b in &all[..number] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{a:?} and {b:?} overlap");
            }
        }
    }

    #[test]
    fn random_graphs_are_drawn_without_overlaps() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) as usize) % below
        };
        for _ in 0..60 {
            let count = 1 + random(12);
            let pairs: Vec<(usize, usize)> =
                (0..random(25)).map(|_| (random(count), random(count))).collect();
            let layout = layout(&vec![BOX; count], &links(&pairs));
            assert_nothing_overlaps(&layout);
            for ((source, target), label) in pairs.iter().zip(&layout.labels) {
                assert_eq!(
                    source == target,
                    label.is_none(),
                    "every edge but a loop has a place for its label"
                );
            }
        }
    }

    #[test]
    fn edges_lead_downwards_but_for_back_edges() {
        let layout = layout(&[BOX; 4], &links(&[(0, 1), (1, 2), (2, 1), (2, 3), (0, 3)]));
        let y = |number: usize| layout.centres[number][1];
        assert!(y(0) < y(1) && y(1) < y(2) && y(2) < y(3));
        let back = &layout.bends[2];
        assert!(back.len() == 1 && back[0][1] > y(1) && back[0][1] < y(2), "{back:?}");
        assert_eq!(layout.bends[4].len(), 5, "a long edge has a bend in every layer it passes");
    }

    #[test]
    fn a_tree_has_no_crossings() {
        let pairs = [(0, 2), (0, 1), (1, 5), (2, 4), (1, 6), (2, 3)];
        let boxes = [BOX; 7];
        let graph = Graph::new(&boxes, &links(&pairs));
        let mut layers = graph.layers();
        graph.order(&mut layers);
        assert_eq!(graph.crossings(&layers), 0);
    }

    #[test]
    fn pooling_gives_the_closest_sequence() {
        assert_eq!(isotonic(&[1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert_eq!(isotonic(&[3.0, 1.0, 2.0]), [2.0, 2.0, 2.0]);
        assert_eq!(isotonic(&[1.0, 4.0, 2.0, 9.0]), [1.0, 3.0, 3.0, 9.0]);
    }
}
