//! Decision trees that agree with points and implications.
//!
//! A node has some of the points of a space. If all its labelled points have the same label it is a leaf, and its other points
//! get that label, which spreads along implications; since labels are closed under implications, this never contradicts
//! anything. Otherwise the comparison of a feature with a constant that brings the greatest information gain makes
//! two nodes of it. The formula of the space is the disjunction over all positive leaves of the comparisons on the way there.
//!
//! The method is that of Garg, Neider, Madhusudan and Roth (*Learning invariants using decision trees and implication
//! counterexamples*, 2016). We differ in the features, and in not counting implications in the gain. Like them we need a bound on
//! constants, since otherwise hypotheses with ever new numbers follow each other: a node is cut at numbers that occur in the
//! formulas as long as one of them divides its labelled points, and only then between any two values.

mod features;
mod hull;

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store};

use crate::{Data, Hints, Label, Labels, Learner, PointId};
use features::{Feature, features};

/// The learner.
pub struct DecisionTree {
    hints: Hints,
}

impl DecisionTree {
    /// A learner that asks about what `hints` say.
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
            let mut tree = Tree { store, data, ids, features, labels };
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
    ids: Vec<PointId>,
    features: Vec<Feature>,
    labels: Labels,
}

struct Node {
    members: Vec<usize>,
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
        let members = (0..self.ids.len()).collect();
        let mut nodes = vec![Node { members, path: Vec::new(), otherwise: Label::Positive }];
        let mut disjuncts = Vec::new();
        while let Some(node) = nodes.pop() {
            run.checkpoint()?;
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
        let child = |members, test| {
            let mut path = node.path.clone();
            path.push(test);
            Node { members, path, otherwise }
        };
        [child(low, test), child(high, self.store.not(test))]
    }

    /// The cut with the greatest gain; `None` if the labelled members agree.
    fn best_cut(&self, node: &Node) -> Option<Cut> {
        let (positive, negative) = self.count(&node.members);
        if positive == 0 || negative == 0 {
            return None;
        }
        let known = self.best_of(node, |feature, low, high| {
            let constants = &self.features[feature].constants;
            constants
                .get(constants.partition_point(|number| *number < low))
                .copied()
                .filter(|number| *number < high)
        });
        known.or_else(|| self.best_of(node, |_, low, high| Some(low + (high - 1 - low) / 2)))
    }

    /// The cut with the greatest gain of those whose bound `bound` allows: a number from the second argument on, below the third.
    fn best_of(&self, node: &Node, bound: impl Fn(usize, i128, i128) -> Option<i128>) -> Option<Cut> {
        let mut best: Option<Cut> = None;
        for feature in 0..self.features.len() {
            let cut = self.cut_of(node, feature, |low, high| bound(feature, low, high));
            if let Some(cut) = cut.filter(|cut| best.as_ref().is_none_or(|best| cut.gain > best.gain + 1e-9))
            {
                best = Some(cut);
            }
        }
        best
    }

    /// The best cut of a feature that divides the labelled members.
    fn cut_of(&self, node: &Node, feature: usize, bound: impl Fn(i128, i128) -> Option<i128>) -> Option<Cut> {
        let values = &self.features[feature].values;
        let labelled = node.members.iter().filter_map(|member| Some((values[*member], self.label(*member)?)));
        let mut sorted: Vec<(i128, Label)> = labelled.collect();
        sorted.sort_unstable();
        let total = tally(&sorted);
        let mut best: Option<Cut> = None;
        let mut below = (0.0, 0.0);
        for pair in sorted.windows(2) {
            below = add(below, pair[0].1);
            let Some(bound) = bound(pair[0].0, pair[1].0).filter(|_| pair[0].0 < pair[1].0) else { continue };
            let above = (total.0 - below.0, total.1 - below.1);
            let rest = weight(below) * entropy(below) + weight(above) * entropy(above);
            let gain = entropy(total) - rest / weight(total);
            if best.as_ref().is_none_or(|best| gain > best.gain + 1e-9) {
                best = Some(Cut { feature, bound, gain });
            }
        }
        best
    }
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
