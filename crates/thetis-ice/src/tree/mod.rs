//! Decision trees that agree with points and implications.
//!
//! A node has some of the points of a space. If all its labelled points have the same label it is a leaf, and its other
//! points get that label, which spreads along implications; since labels are closed under implications, this never
//! contradicts anything. Otherwise the node is split by the comparison of a feature with a constant that has the
//! greatest information gain. The formula of the space is the disjunction, over all positive leaves, of the comparisons
//! on the path to the leaf.
//!
//! Implications between points without label count too: a cut is penalised by the implications that it is likely to
//! break: the share of them that leads from one side to the other, times the probability that a point of the first side
//! is positive and one of the other negative.
//!
//! The method is that of Garg, Neider, Madhusudan and Roth (*Learning invariants using decision trees and implication
//! counterexamples*, 2016). We differ in the features: each node has the equations of its own positive points, of which
//! there are more than for all points. Like them we need a bound on constants, since otherwise the learner would
//! propose ever new numbers: a node is cut at numbers that occur in the formulas as long as one of them separates its
//! labelled points, and only then between any two values.

mod features;
mod hull;

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store};

use crate::{Data, Hints, Label, Labels, Learner, PointId};
pub(crate) use features::Template;
use features::{Feature, constant_on, features};

/// How many features that belong to single nodes a tree may have.
const MAX_LOCAL: usize = 100;

/// How many constants between two values are tried.
const MAX_BOUNDS: usize = 8;

/// The learner.
pub struct DecisionTree {
    hints: Hints,
}

impl DecisionTree {
    /// A learner with features from `hints`.
    pub fn new(hints: Hints) -> DecisionTree {
        DecisionTree { hints }
    }
}

impl Learner for DecisionTree {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn learn(&mut self, store: &Store, data: &Data, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        let mut labels = data.labels().clone();
        let mut formulas = Vec::new();
        for space in 0..data.num_spaces() {
            let ids = data.of_space(space);
            let features = features(store, data, &self.hints, space, &ids);
            let mut tree = Tree { store, data, space, ids, num_local: 0, features, labels };
            formulas.push(tree.grow(run)?);
            labels = tree.labels;
        }
        Ok(Some(formulas))
    }
}

/// The tree of one space. Members of nodes are positions in `ids`.
struct Tree<'a> {
    store: &'a Store,
    data: &'a Data,
    space: usize,
    ids: Vec<PointId>,
    features: Vec<Feature>,
    /// How many of the features were found at single nodes.
    num_local: usize,
    labels: Labels,
}

struct Node {
    members: Vec<usize>,
    /// Implications between members.
    implications: Vec<(usize, usize)>,
    path: Vec<ExprId>,
    /// The label of a leaf whose points have none.
    otherwise: Label,
}

/// `feature <= bound` holds for some members of a node and not for others.
struct Cut {
    feature: usize,
    bound: i128,
    gain: f64,
}

impl Tree<'_> {
    fn grow(&mut self, run: &Run) -> Result<ExprId, Stop> {
        let mut nodes = vec![self.root()];
        let mut disjuncts = Vec::new();
        while let Some(node) = nodes.pop() {
            run.checkpoint()?;
            self.add_local_features(&node);
            match self.best_cut(&node) {
                Some(cut) => nodes.extend(self.divide(node, &cut)),
                None => {
                    if self.finish(&node) == Label::Positive {
                        disjuncts.push(self.store.and_all(node.path));
                    }
                }
            }
        }
        disjuncts.reverse();
        Ok(self.store.or_all(disjuncts))
    }

    fn root(&self) -> Node {
        let position = |id: PointId| self.ids.binary_search(&id).ok();
        let inside = self.data.implications().filter_map(|(from, to)| Some((position(from)?, position(to)?)));
        Node {
            members: (0..self.ids.len()).collect(),
            implications: inside.collect(),
            path: Vec::new(),
            otherwise: Label::Positive,
        }
    }

    /// Adds the equations of the positive members, if they must be distinguished from others.
    fn add_local_features(&mut self, node: &Node) {
        let (positive, negative) = self.count(&node.members);
        if positive == 0 || negative == 0 || node.path.is_empty() || self.num_local >= MAX_LOCAL {
            return;
        }
        let is_positive = |member: &&usize| self.label(**member) == Some(Label::Positive);
        let ids: Vec<PointId> =
            node.members.iter().filter(is_positive).map(|member| self.ids[*member]).collect();
        for term in constant_on(self.store, self.data, self.space, &ids) {
            if self.features.iter().all(|feature| feature.term != term)
                && let Some(feature) = Feature::new(self.store, self.data, &self.ids, term, &[], ids.first())
            {
                self.features.push(feature);
                self.num_local += 1;
            }
        }
    }

    fn label(&self, member: usize) -> Option<Label> {
        self.labels.get(self.ids[member])
    }

    /// How many members are positive and how many negative.
    fn count(&self, members: &[usize]) -> (usize, usize) {
        let labels = members.iter().filter_map(|member| self.label(*member));
        labels.fold((0, 0), |(positive, negative), label| match label {
            Label::Positive => (positive + 1, negative),
            Label::Negative => (positive, negative + 1),
        })
    }

    /// Makes a leaf of a node whose labelled members agree, and labels the others.
    fn finish(&mut self, node: &Node) -> Label {
        let label = match self.count(&node.members) {
            (0, 0) => node.otherwise,
            (0, _) => Label::Negative,
            _ => Label::Positive,
        };
        for member in &node.members {
            if self.label(*member).is_none() {
                self.labels
                    .set(self.data, self.ids[*member], label)
                    .expect("labels that are closed under implications should not contradict a new one");
            }
        }
        label
    }

    fn divide(&self, node: Node, cut: &Cut) -> [Node; 2] {
        let Feature { term, values, .. } = &self.features[cut.feature];
        let (low, high): (Vec<usize>, Vec<usize>) =
            node.members.iter().partition(|member| values[**member] <= cut.bound);
        let test = self.store.le(*term, self.store.int(cut.bound));
        let (positive, negative) = self.count(&node.members);
        let otherwise = if positive >= negative { Label::Positive } else { Label::Negative };
        let is_low = |member: usize| values[member] <= cut.bound;
        let child = |members, test, is_inside: &dyn Fn(usize) -> bool| {
            let mut path = node.path.clone();
            path.push(test);
            let inside = |(from, to): &&(usize, usize)| is_inside(*from) && is_inside(*to);
            let implications = node.implications.iter().filter(inside).copied().collect();
            Node { members, implications, path, otherwise }
        };
        [child(low, test, &is_low), child(high, self.store.not(test), &|member| !is_low(member))]
    }

    /// The cut with the greatest gain; `None` if the labelled members agree.
    fn best_cut(&self, node: &Node) -> Option<Cut> {
        let (positive, negative) = self.count(&node.members);
        if positive == 0 || negative == 0 {
            return None;
        }
        self.best_of(node, Bounds::Known).or_else(|| self.best_of(node, Bounds::Middle))
    }

    /// The cut with the greatest gain of those at such bounds.
    fn best_of(&self, node: &Node, bounds: Bounds) -> Option<Cut> {
        let is_open = |member: usize| self.label(member).is_none();
        let open: Vec<(usize, usize)> =
            node.implications.iter().filter(|(from, to)| is_open(*from) && is_open(*to)).copied().collect();
        let mut best: Option<Cut> = None;
        for feature in 0..self.features.len() {
            best = self.cut_of(node, &open, feature, bounds, best);
        }
        best
    }

    /// The best cut of a feature that divides the labelled members, unless `best` is as good. The implications `open` are between
    /// members without label.
    fn cut_of(
        &self,
        node: &Node,
        open: &[(usize, usize)],
        feature: usize,
        bounds: Bounds,
        mut best: Option<Cut>,
    ) -> Option<Cut> {
        let Feature { values, constants, .. } = &self.features[feature];
        let labelled = node.members.iter().filter_map(|member| Some((values[*member], self.label(*member)?)));
        let mut sorted: Vec<(i128, Label)> = labelled.collect();
        sorted.sort_unstable();
        let total = tally(&sorted);
        let crossings = Crossings::new(open.iter().map(|(from, to)| (values[*from], values[*to])));
        let mut below = (0.0, 0.0);
        for pair in sorted.windows(2) {
            below = add(below, pair[0].1);
            let above = (total.0 - below.0, total.1 - below.1);
            let rest = weight(below) * entropy(below) + weight(above) * entropy(above);
            let gain = entropy(total) - rest / weight(total);
            for bound in bounds.between(constants, pair[0].0, pair[1].0) {
                let gain = gain - crossings.penalty(bound, below, above);
                if best.as_ref().is_none_or(|best| gain > best.gain + 1e-9) {
                    best = Some(Cut { feature, bound, gain });
                }
            }
        }
        best
    }
}

/// Where features may be cut.
#[derive(Clone, Copy)]
enum Bounds {
    /// At constants that they are likely to be compared with.
    Known,
    /// In the middle between two values.
    Middle,
}

impl Bounds {
    /// The bounds from `low` on and below `high`.
    fn between(self, constants: &[i128], low: i128, high: i128) -> Vec<i128> {
        match self {
            Bounds::Known => {
                let first = constants.partition_point(|number| *number < low);
                constants[first..]
                    .iter()
                    .copied()
                    .take_while(|number| *number < high)
                    .take(MAX_BOUNDS)
                    .collect()
            }
            Bounds::Middle if low < high => vec![low + (high - 1 - low) / 2],
            Bounds::Middle => Vec::new(),
        }
    }
}

/// The values of a feature at both ends of some implications.
struct Crossings {
    num_implications: usize,
    /// Those that rise, and those that fall: all lower ends and all upper ends, in ascending order.
    rising: [Vec<i128>; 2],
    falling: [Vec<i128>; 2],
}

impl Crossings {
    fn new(implications: impl Iterator<Item = (i128, i128)>) -> Crossings {
        let mut crossings =
            Crossings { num_implications: 0, rising: Default::default(), falling: Default::default() };
        for (from, to) in implications {
            crossings.num_implications += 1;
            let [low, high] = if from < to { &mut crossings.rising } else { &mut crossings.falling };
            low.push(from.min(to));
            high.push(from.max(to));
        }
        let ends = crossings.rising.iter_mut().chain(&mut crossings.falling);
        ends.for_each(|ends| ends.sort_unstable());
        crossings
    }

    /// The part of the implications that a cut at `bound` is likely to break.
    fn penalty(&self, bound: i128, below: Tally, above: Tally) -> f64 {
        if self.num_implications == 0 {
            return 0.0;
        }
        let upward = num_across(&self.rising, bound) * share(below) * (1.0 - share(above));
        let downward = num_across(&self.falling, bound) * share(above) * (1.0 - share(below));
        (upward + downward) / self.num_implications as f64
    }
}

/// How many intervals have their lower end up to `bound` and their upper end above it.
fn num_across([low, high]: &[Vec<i128>; 2], bound: i128) -> f64 {
    let up_to = |ends: &[i128]| ends.partition_point(|end| *end <= bound);
    (up_to(low) - up_to(high)) as f64
}

/// The positive part.
fn share(tally: Tally) -> f64 {
    tally.0 / weight(tally)
}

/// Numbers of positive and negative points.
type Tally = (f64, f64);

fn add((positive, negative): Tally, label: Label) -> Tally {
    match label {
        Label::Positive => (positive + 1.0, negative),
        Label::Negative => (positive, negative + 1.0),
    }
}

fn tally(labelled: &[(i128, Label)]) -> Tally {
    labelled.iter().fold((0.0, 0.0), |sum, (_, label)| add(sum, *label))
}

fn weight((positive, negative): Tally) -> f64 {
    positive + negative
}

fn entropy(tally: Tally) -> f64 {
    let part = |count: f64| {
        let share = count / weight(tally);
        if count == 0.0 { 0.0 } else { -share * share.log2() }
    };
    part(tally.0) + part(tally.1)
}
