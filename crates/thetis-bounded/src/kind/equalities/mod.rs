//! Linear equalities between variables: the strongest ones that are inductive.
//!
//! # Problem and method
//! Each location has a [`Hull`]: the smallest affine space that contains the states seen there so far, or nothing. While some edge leads
//! from a state in the hull of its source to one outside of the hull of its target, the hull of the target is extended by that state. In
//! the end the equations of the hulls are preserved by all edges. A hull grows at most as often as there are variables, or bits of them,
//! so few queries are needed.
//!
//! The domain is that of Karr (1976); the idea of extending it by models of a solver is due to Reps, Sagiv and Yorsh (2004).
//! It handles statements of any kind, as precisely as equations allow. Spaces are over the [rational numbers](rational) and
//! over the integers [modulo a power of two](modular), whose equations survive when arithmetic wraps around.
//!
//! Other known facts, such as the ranges of variables, may be assumed: they exclude states from which arithmetic wraps around. The
//! equations are then inductive together with these facts.

mod coordinates;
mod modular;
mod rational;
mod space;

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Store, Value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Graph, Inventor, LocId, SymbolicState};
use thetis_solver::{Answer, CoreSolver, QueryLimit, SolverFactory};

use super::lemmas::QUERY_STEPS;
use modular::ModularSpace;
use rational::RationalSpace;
use space::Space;

/// How many coordinates at all locations together are worth the queries.
const MAX_DIMENSIONS: usize = 1000;

/// Which equations are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Equations {
    /// Those of variables, over the rational numbers.
    Linear,
    /// Those of variables, modulo a power of two.
    Modular,
    /// Those of variables and [other terms](coordinates), over the rational numbers.
    OfTerms,
}

/// The modulus for integers, in bits. Integers that wrap around earlier have equations modulo fewer bits; the method finds
/// out how many.
const INTEGER_BITS: u32 = 64;

impl Equations {
    fn space(self, point: &[BigInt]) -> Box<dyn Space> {
        match self {
            Equations::Linear | Equations::OfTerms => Box::new(RationalSpace::new(point)),
            Equations::Modular => Box::new(ModularSpace::new(INTEGER_BITS, point)),
        }
    }

    /// The coordinates, if their equations can say something new.
    fn coordinates(self, task: &Task<Cfa>) -> Vec<ExprId> {
        match self {
            Equations::Linear => {
                // That a single variable has one value is known from its range.
                Some(coordinates::variables(task)).filter(|vars| vars.len() > 1).unwrap_or_default()
            }
            Equations::Modular => coordinates::variables(task),
            Equations::OfTerms => coordinates::terms(task),
        }
    }
}

/// The equations of each location, as formulas. `known` may be assumed.
pub(super) fn find(
    task: &Task<Cfa>,
    kind: Equations,
    known: &BTreeMap<LocId, BTreeSet<ExprId>>,
    solvers: &dyn SolverFactory,
    run: &Run,
) -> Result<BTreeMap<LocId, Vec<ExprId>>, Stop> {
    let coordinates = kind.coordinates(task);
    if coordinates.is_empty() || coordinates.len() * task.model.locations.len() > MAX_DIMENSIONS {
        return Ok(BTreeMap::new());
    }
    let mut search = EqualitySearch::new(task, kind, coordinates, known, solvers, run)?;
    search.grow(run)?;
    Ok(search.equations())
}

struct EqualitySearch<'t> {
    task: &'t Task<Cfa>,
    kind: Equations,
    coordinates: Vec<ExprId>,
    known: &'t BTreeMap<LocId, BTreeSet<ExprId>>,
    graph: Graph,
    positions: IndexVec<LocId, usize>,
    solver: Box<dyn CoreSolver>,
    hulls: IndexVec<LocId, Hull>,
    pending: BTreeSet<(usize, EdgeId)>,
}

impl<'t> EqualitySearch<'t> {
    fn new(
        task: &'t Task<Cfa>,
        kind: Equations,
        coordinates: Vec<ExprId>,
        known: &'t BTreeMap<LocId, BTreeSet<ExprId>>,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<EqualitySearch<'t>, Stop> {
        let graph = Graph::new(&task.model);
        let mut positions: IndexVec<LocId, usize> = task.model.locations.iter().map(|_| usize::MAX).collect();
        for (position, location) in graph.topological_order().iter().enumerate() {
            positions[*location] = position;
        }
        let mut solver = solvers.start(run)?;
        solver.set_limit(QueryLimit { time: None, resources: Some(QUERY_STEPS) });
        let hulls = task.model.locations.iter().map(|_| Hull::Nothing).collect();
        let pending = BTreeSet::new();
        Ok(EqualitySearch { task, kind, coordinates, known, graph, positions, solver, hulls, pending })
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
        let after: Vec<ExprId> = self.coordinates.iter().map(|term| state.substitute(store, *term)).collect();
        let mut has_grown = false;
        while !matches!(self.hulls[edge.target], Hull::Everything) {
            run.checkpoint()?;
            let source = self.hulls[edge.source].formula(store, |number| self.coordinates[number]);
            let target = self.hulls[edge.target].formula(store, |number| after[number]);
            let question = store.and_all([premise, source, store.not(target)]);
            match self.solver.check(store, &[question])? {
                Answer::Unsat => break,
                Answer::Unknown(_) => self.hulls[edge.target] = Hull::Everything,
                Answer::Sat(valuation) => {
                    let values = after.iter().map(|term| valuation.evaluate(store, *term));
                    let values = values.collect::<Result<Vec<Value>, _>>()?;
                    let point: Vec<BigInt> = values.iter().filter_map(Value::as_int).cloned().collect();
                    self.hulls[edge.target].include(&point, self.kind);
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
        let formulas = |hull: &Hull| store.conjuncts(hull.formula(store, |number| self.coordinates[number]));
        let hulls = self.hulls.iter_enumerated().map(|(location, hull)| (location, formulas(hull)));
        hulls.filter(|(_, formulas)| !formulas.is_empty()).collect()
    }
}

/// What is known of the states at a location.
enum Hull {
    /// There are none.
    Nothing,
    /// They are in a space that does not contain everything.
    Within(Box<dyn Space>),
    /// They can be any.
    Everything,
}

impl Hull {
    /// Grows to contain a point.
    fn include(&mut self, point: &[BigInt], kind: Equations) {
        match self {
            Hull::Nothing => *self = Hull::Within(kind.space(point)),
            Hull::Within(space) => {
                space.include(point);
                if space.equations().is_empty() {
                    *self = Hull::Everything;
                }
            }
            Hull::Everything => {}
        }
    }

    /// That the values that `term` gives for the coordinates are a point of the space.
    fn formula(&self, store: &Store, term: impl Fn(usize) -> ExprId) -> ExprId {
        match self {
            Hull::Nothing => store.fals(),
            Hull::Within(space) => {
                let equations = space.equations();
                store.and_all(equations.iter().map(|equation| equation.of_integers(store, &term)))
            }
            Hull::Everything => store.tru(),
        }
    }
}
