//! Linear equalities between integer variables: the strongest ones that are inductive.
//!
//! # Problem and method
//! Each location has a [`Hull`]: the smallest affine space that contains the states seen there so far, or nothing. As long as an
//! edge leads from a state in the hull of its source to one outside of the hull of its target, the hull of the target grows by that state,
//! and so by a dimension at least. In the end the equations of the hulls are preserved by all edges. A hull grows at most as often
//! as there are variables, so few queries are needed.
//!
//! The domain is that of Karr (1976); that a solver's models say how it grows is due to Reps, Sagiv and Yorsh (2004). So
//! statements of any kind are understood, as exactly as equations allow.
//!
//! What is known besides, such as the ranges of variables, may be assumed: it excludes states from which arithmetic wraps around. The
//! equations are then inductive together with it.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Rational, Sort, Store, Value, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Graph, Inventor, LocId, SymbolicState};
use thetis_solver::{Answer, CoreSolver, QueryLimit, SolverFactory};

use super::lemmas::QUERY_STEPS;

/// How many variables at all locations together are worth the queries.
const MAX_DIMENSIONS: usize = 1000;

/// The equations of each location, as formulas. `known` may be assumed.
pub(super) fn find(
    task: &Task<Cfa>,
    known: &BTreeMap<LocId, BTreeSet<ExprId>>,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<BTreeMap<LocId, Vec<ExprId>>, Stop> {
    let is_integer = |var: &VarId| task.store.var_sort(*var) == Sort::Int;
    let vars: Vec<VarId> = task.model.vars.iter().copied().filter(is_integer).collect();
    if vars.len() < 2 || vars.len() * task.model.locations.len() > MAX_DIMENSIONS {
        return Ok(BTreeMap::new());
    }
    let mut search = Search::new(task, vars, known, solvers, run)?;
    search.grow(run)?;
    Ok(search.equations())
}

struct Search<'t> {
    task: &'t Task<Cfa>,
    vars: Vec<VarId>,
    known: &'t BTreeMap<LocId, BTreeSet<ExprId>>,
    graph: Graph,
    positions: IndexVec<LocId, usize>,
    solver: Box<dyn CoreSolver>,
    hulls: IndexVec<LocId, Hull>,
    pending: BTreeSet<(usize, EdgeId)>,
}

impl<'t> Search<'t> {
    fn new(
        task: &'t Task<Cfa>,
        vars: Vec<VarId>,
        known: &'t BTreeMap<LocId, BTreeSet<ExprId>>,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<Search<'t>, Stop> {
        let graph = Graph::new(&task.model);
        let mut positions: IndexVec<LocId, usize> = task.model.locations.iter().map(|_| usize::MAX).collect();
        for (position, location) in graph.topological_order().iter().enumerate() {
            positions[*location] = position;
        }
        let mut solver = solvers.start(run)?;
        solver.set_limit(QueryLimit { time: None, resources: Some(QUERY_STEPS) });
        let hulls = task.model.locations.iter().map(|_| Hull::Empty).collect();
        let pending = BTreeSet::new();
        Ok(Search { task, vars, known, graph, positions, solver, hulls, pending })
    }

    fn grow(&mut self, run: &Run) -> Result<(), Stop> {
        self.hulls[self.task.model.initial] = Hull::Everything;
        self.look_behind(self.task.model.initial);
        while let Some((_, edge)) = self.pending.pop_first() {
            self.grow_behind(edge, run)?;
        }
        Ok(())
    }

    fn look_behind(&mut self, location: LocId) {
        if !self.task.model.is_error(location) {
            let position = self.positions[location];
            self.pending.extend(self.graph.outgoing(location).iter().map(|edge| (position, *edge)));
        }
    }

    /// Adds to the hull of the target of an edge what can be reached from that of its source.
    fn grow_behind(&mut self, id: EdgeId, run: &Run) -> Result<(), Stop> {
        let store = &self.task.store;
        let edge = &self.task.model.edges[id];
        let mut state = SymbolicState::new(&self.task.model.vars, |var| store.var_expr(var));
        let executed = state.execute(store, &edge.stmt, &mut Inventor::default());
        let known = self.known.get(&edge.source).into_iter().flatten().copied();
        let premise = store.and(executed.condition, store.and_all(known));
        let mut has_grown = false;
        while self.hulls[edge.target] != Hull::Everything {
            run.checkpoint()?;
            let source = self.hulls[edge.source].formula(store, |number| store.var_expr(self.vars[number]));
            let target = self.hulls[edge.target].formula(store, |number| state.get(self.vars[number]));
            let question = store.and_all([premise, source, store.not(target)]);
            match self.solver.check(store, &[question])? {
                Answer::Unsat => break,
                Answer::Unknown(_) => self.hulls[edge.target] = Hull::Everything,
                Answer::Sat(valuation) => {
                    let values = self.vars.iter().map(|var| valuation.evaluate(store, state.get(*var)));
                    let values = values.collect::<Result<Vec<Value>, _>>()?;
                    self.hulls[edge.target]
                        .include(values.iter().filter_map(Value::as_int).cloned().collect());
                }
            }
            has_grown = true;
        }
        if has_grown {
            self.look_behind(edge.target);
        }
        Ok(())
    }

    fn equations(&self) -> BTreeMap<LocId, Vec<ExprId>> {
        let store = &self.task.store;
        let formulas =
            |hull: &Hull| store.conjuncts(hull.formula(store, |number| store.var_expr(self.vars[number])));
        let hulls = self.hulls.iter_enumerated().map(|(location, hull)| (location, formulas(hull)));
        hulls.filter(|(_, formulas)| !formulas.is_empty()).collect()
    }
}

/// An affine space of integer points.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Hull {
    /// No point.
    Empty,
    /// The points that are `point` and any multiples of `directions` away from it. The directions are in reduced echelon
    /// form: each has a first coordinate, which is one, and where all others are zero.
    Space { point: Vec<Rational>, directions: Vec<Vec<Rational>> },
    /// All points.
    Everything,
}

impl Hull {
    /// Grows to contain a point.
    fn include(&mut self, values: Vec<BigInt>) {
        let values: Vec<Rational> = values.into_iter().map(Rational::from_integer).collect();
        match self {
            Hull::Everything => {}
            Hull::Empty => *self = Hull::Space { point: values, directions: Vec::new() },
            Hull::Space { point, directions } => {
                let mut direction: Vec<Rational> =
                    values.iter().zip(&*point).map(|(value, origin)| value - origin).collect();
                for other in &*directions {
                    let factor = direction[first(other)].clone();
                    subtract(&mut direction, other, &factor);
                }
                let Some(pivot) = direction.iter().position(|coordinate| !coordinate.is_zero()) else {
                    return;
                };
                let scale = direction[pivot].clone();
                direction.iter_mut().for_each(|coordinate| *coordinate /= &scale);
                for other in &mut *directions {
                    let factor = other[pivot].clone();
                    subtract(other, &direction, &factor);
                }
                directions.push(direction);
                if directions.len() == point.len() {
                    *self = Hull::Everything;
                }
            }
        }
    }

    /// That the values that `term` gives for the coordinates are a point of the space.
    fn formula(&self, store: &Store, term: impl Fn(usize) -> ExprId) -> ExprId {
        match self {
            Hull::Empty => store.fals(),
            Hull::Everything => store.tru(),
            Hull::Space { point, directions } => {
                let is_first: BTreeSet<usize> = directions.iter().map(|direction| first(direction)).collect();
                let others = (0..point.len()).filter(|number| !is_first.contains(number));
                store.and_all(others.map(|number| equation(store, point, directions, number, &term)))
            }
        }
    }
}

/// The equation of a space for coordinate `free`, which is first in no direction: the vector with one there, and the
/// negated coordinate `free` of each direction where that is first, is orthogonal to all directions.
fn equation(
    store: &Store,
    point: &[Rational],
    directions: &[Vec<Rational>],
    free: usize,
    term: &impl Fn(usize) -> ExprId,
) -> ExprId {
    let mut normal: Vec<Rational> = point.iter().map(|_| Rational::zero()).collect();
    normal[free] = Rational::one();
    for direction in directions {
        normal[first(direction)] = -direction[free].clone();
    }
    let scale = normal.iter().fold(BigInt::one(), |scale, coordinate| scale.lcm(coordinate.denom()));
    let mut constant = Rational::zero();
    let mut sum = store.int(0);
    for (number, coordinate) in normal.iter().enumerate().filter(|(_, coordinate)| !coordinate.is_zero()) {
        constant += coordinate * &point[number];
        let factor = (coordinate * &scale).to_integer();
        sum = store.add(sum, store.mul(store.int(factor), term(number)));
    }
    store.eq(sum, store.int((constant * scale).to_integer()))
}

/// The first coordinate of a direction.
fn first(direction: &[Rational]) -> usize {
    direction.iter().position(|coordinate| !coordinate.is_zero()).expect("a direction should not be zero")
}

fn subtract(vector: &mut [Rational], other: &[Rational], factor: &Rational) {
    if !factor.is_zero() {
        vector.iter_mut().zip(other).for_each(|(coordinate, other)| *coordinate -= factor * other);
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::infix::print;

    use super::*;

    fn equations_of(points: &[[i64; 3]]) -> String {
        let store = Store::new();
        let vars = ["x", "y", "z"].map(|name| store.var(name, Sort::Int));
        let mut hull = Hull::Empty;
        for point in points {
            hull.include(point.iter().map(|value| BigInt::from(*value)).collect());
        }
        print(&store, hull.formula(&store, |number| vars[number]))
    }

    #[test]
    fn hulls_are_the_smallest_spaces() {
        assert_eq!(equations_of(&[]), "false");
        assert_eq!(equations_of(&[[0, 3, 5]]), "x = 0 and y = 3 and z = 5");
        assert_eq!(equations_of(&[[0, 0, 1], [1, 2, 1], [5, 10, 1]]), "y + x * -2 = 0 and z = 1");
        assert_eq!(equations_of(&[[0, 0, 0], [2, 3, 0], [0, 0, 7]]), "x * -3 + y * 2 = 0");
        assert_eq!(equations_of(&[[0, 0, 0], [1, 0, 1], [0, 1, 1]]), "z + (x * -1 + y * -1) = 0");
        assert_eq!(equations_of(&[[0, 0, 0], [1, 0, 0], [0, 1, 0], [3, 3, 3]]), "true");
    }
}
