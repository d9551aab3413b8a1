//! Points, what is known about them, and what follows from that.
//!
//! A point gives an integer to each variable of its *space*; truth values are 0 and 1. One formula is learned for each
//! space: a single one for an interpolant, one for each relation of Horn clauses. An implication from one point to
//! another says that the formula must contain the second point if it contains the first, so labels spread along
//! implications: positive ones forward, negative ones backward.

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Sort, Store, Value, VarId, evaluate};

/// The number of a point.
pub type PointId = usize;

/// Values for the variables of a space.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point {
    /// The number of the space.
    pub space: usize,
    /// The values, in the order of the variables.
    pub values: Vec<i64>,
}

/// Whether a formula must contain a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Label {
    /// It must not.
    Negative,
    /// It must.
    Positive,
}

/// A point would have to be positive and negative: there is no such formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction;

/// All points of a learning task. Labels are always closed under implications.
#[derive(Clone, Debug)]
pub struct Data {
    spaces: Vec<Vec<VarId>>,
    /// Where the variables of each space are.
    positions: Vec<FxHashMap<VarId, usize>>,
    points: Vec<Point>,
    known: FxHashMap<Point, PointId>,
    successors: Vec<Vec<PointId>>,
    predecessors: Vec<Vec<PointId>>,
    labels: Labels,
}

/// A label for some of the points.
#[derive(Clone, Default, Debug)]
pub struct Labels {
    of_point: Vec<Option<Label>>,
}

impl Data {
    /// No points in the given spaces, whose variables are integers or truth values.
    ///
    /// # Panics
    /// If a variable has another sort.
    pub fn new(store: &Store, spaces: Vec<Vec<VarId>>) -> Data {
        let mut vars = spaces.iter().flatten();
        assert!(
            vars.all(|var| is_learnable(store.var_sort(*var))),
            "points should have integers and truth values"
        );
        let positions = |vars: &Vec<VarId>| vars.iter().enumerate().map(|(at, var)| (*var, at)).collect();
        Data {
            positions: spaces.iter().map(positions).collect(),
            spaces,
            points: Vec::new(),
            known: FxHashMap::default(),
            successors: Vec::new(),
            predecessors: Vec::new(),
            labels: Labels::default(),
        }
    }

    /// The number of spaces.
    pub fn num_spaces(&self) -> usize {
        self.spaces.len()
    }

    /// The variables of a space.
    pub fn vars(&self, space: usize) -> &[VarId] {
        &self.spaces[space]
    }

    /// All points; their positions are their numbers.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The numbers of the points in `space`.
    pub fn of_space(&self, space: usize) -> Vec<PointId> {
        (0..self.points.len()).filter(|id| self.points[*id].space == space).collect()
    }

    /// The labels that are known, with all that follows from them.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The number of points and labels, from which the caller can see whether the last additions were new.
    pub fn size(&self) -> usize {
        let edges: usize = self.successors.iter().map(Vec::len).sum();
        self.points.len() + edges + self.labels.of_point.iter().flatten().count()
    }

    /// Adds a point with a label.
    pub fn add(&mut self, point: Point, label: Label) -> Result<PointId, Contradiction> {
        let id = self.insert(point);
        let mut labels = std::mem::take(&mut self.labels);
        let result = labels.set(self, id, label);
        self.labels = labels;
        result.map(|()| id)
    }

    /// Adds an implication.
    pub fn add_implication(&mut self, from: Point, to: Point) -> Result<(), Contradiction> {
        let (from, to) = (self.insert(from), self.insert(to));
        if from != to && !self.successors[from].contains(&to) {
            self.successors[from].push(to);
            self.predecessors[to].push(from);
        }
        let mut labels = std::mem::take(&mut self.labels);
        let mut result = Ok(());
        if labels.get(from) == Some(Label::Positive) {
            result = labels.set(self, to, Label::Positive);
        }
        if result.is_ok() && labels.get(to) == Some(Label::Negative) {
            result = labels.set(self, from, Label::Negative);
        }
        self.labels = labels;
        result
    }

    fn insert(&mut self, point: Point) -> PointId {
        if let Some(id) = self.known.get(&point) {
            return *id;
        }
        let id = self.points.len();
        self.known.insert(point.clone(), id);
        self.points.push(point);
        self.successors.push(Vec::new());
        self.predecessors.push(Vec::new());
        self.labels.of_point.push(None);
        id
    }

    /// All implications.
    pub fn implications(&self) -> impl Iterator<Item = (PointId, PointId)> {
        self.successors.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |to| (from, *to)))
    }

    /// The value of `term`, which is over the variables of its space, at a point.
    pub fn evaluate(&self, store: &Store, id: PointId, term: ExprId) -> Option<Value> {
        let Point { space, values } = &self.points[id];
        self.evaluate_at(store, *space, values, term)
    }

    /// The value of `term` at `values` for the variables of `space`.
    pub(crate) fn evaluate_at(
        &self,
        store: &Store,
        space: usize,
        values: &[i64],
        term: ExprId,
    ) -> Option<Value> {
        let positions = &self.positions[space];
        let lookup = |var: VarId| Some(value_of(store.var_sort(var), values[*positions.get(&var)?]));
        evaluate(store, term, &lookup).ok()
    }
}

impl Labels {
    /// The label of a point.
    pub fn get(&self, id: PointId) -> Option<Label> {
        self.of_point[id]
    }

    /// Labels a point and all whose labels follow.
    pub fn set(&mut self, data: &Data, id: PointId, label: Label) -> Result<(), Contradiction> {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.of_point[id] {
                Some(known) if known == label => continue,
                Some(_) => return Err(Contradiction),
                None => self.of_point[id] = Some(label),
            }
            pending.extend(match label {
                Label::Positive => &data.successors[id],
                Label::Negative => &data.predecessors[id],
            });
        }
        Ok(())
    }
}

/// Whether values of this sort can be learned about.
pub(crate) fn is_learnable(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Bool)
}

/// The value that a coordinate stands for.
pub(crate) fn value_of(sort: Sort, coordinate: i64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(coordinate != 0),
        _ => Value::int(coordinate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(value: i64) -> Point {
        Point { space: 0, values: vec![value] }
    }

    #[test]
    fn labels_spread_along_implications() {
        let store = Store::new();
        let mut data = Data::new(&store, vec![vec![store.declare("x", Sort::Int)]]);
        for value in 0..5 {
            data.add_implication(point(value), point(value + 1)).unwrap();
        }
        let two = data.add(point(2), Label::Positive).unwrap();
        assert_eq!(two, 2);
        let labels: Vec<_> = (0..6).map(|id| data.labels().get(id)).collect();
        let positive = Some(Label::Positive);
        assert_eq!(labels, [None, None, positive, positive, positive, positive]);
        data.add(point(1), Label::Negative).unwrap();
        assert_eq!(data.labels().get(0), Some(Label::Negative));
        assert_eq!(data.add(point(4), Label::Negative), Err(Contradiction));
        assert_eq!(data.add_implication(point(3), point(0)), Err(Contradiction));
    }
}
