//! Predicate abstraction: Cartesian, Boolean and split.
//!
//! A state is a set of cubes, read as a disjunction. The Cartesian and the split domain have one cube in a state; the
//! Boolean domain any number. A predicate holds after an edge iff its formula, with the edge's terms substituted for
//! the variables, follows from the source state and the condition; the [oracle](super::oracle) decides that. Successors
//! are remembered for each state, edge and precision.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::{Run, Statistics, Stop};
use thetis_expr::{ExprId, Store};
use thetis_model::cfa::EdgeId;
use thetis_solver::SolverFactory;

use super::oracle::{Given, Oracle, Shortcuts};
use super::predicates::{Cube, PredId, PredicateTable, Predicates};
use crate::analysis::Domain;
use crate::program::Action;

/// Which combinations of predicates are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combination {
    /// The strongest conjunction.
    Cartesian,
    /// All cubes in one state.
    Boolean,
    /// Each cube in a state of its own.
    Split,
}

/// A disjunction of cubes; never empty.
pub type CubesState = Vec<Cube>;

/// The domain. See the [module](self).
pub struct Cubes<'s> {
    store: &'s Store,
    combination: Combination,
    table: Rc<RefCell<PredicateTable>>,
    oracle: Oracle<'s>,
    /// The formulas of predicates before edges.
    before: FxHashMap<(EdgeId, PredId), ExprId>,
    memory: FxHashMap<(EdgeId, ExprId, CubesState), (Predicates, Vec<CubesState>)>,
    /// The conjuncts of the last source state: edges of one state are followed one after the other.
    last: Option<(CubesState, Rc<[ExprId]>)>,
    num_posts: u64,
    num_remembered: u64,
}

impl<'s> Cubes<'s> {
    /// The domain over the predicates of `table`.
    pub fn new(
        store: &'s Store,
        combination: Combination,
        table: Rc<RefCell<PredicateTable>>,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<Cubes<'s>, Stop> {
        Ok(Cubes {
            store,
            combination,
            table,
            oracle: Oracle::new(store, solvers.start(run)?),
            before: FxHashMap::default(),
            memory: FxHashMap::default(),
            last: None,
            num_posts: 0,
            num_remembered: 0,
        })
    }

    /// The same domain with only some of the measures that save queries.
    #[must_use]
    pub fn with_shortcuts(mut self, shortcuts: Shortcuts) -> Cubes<'s> {
        self.oracle.shortcuts = shortcuts;
        self
    }

    /// As [`Domain::successors`], where `context` also holds before the edge.
    pub fn successors_under(
        &mut self,
        from: &CubesState,
        context: ExprId,
        action: &Action,
        precision: &Predicates,
        run: &Run,
    ) -> Result<Vec<CubesState>, Stop> {
        self.num_posts += 1;
        let key = (action.edge, context, from.clone());
        if let Some((old, known)) = self.memory.get(&key)
            && old == precision
        {
            self.num_remembered += 1;
            return Ok(known.clone());
        }
        let successors = self.post(from, context, action, precision, run)?;
        if self.oracle.shortcuts.memory {
            self.memory.insert(key, (precision.clone(), successors.clone()));
        }
        Ok(successors)
    }

    fn post(
        &mut self,
        from: &CubesState,
        context: ExprId,
        action: &Action,
        precision: &Predicates,
        run: &Run,
    ) -> Result<Vec<CubesState>, Stop> {
        let state = self.conjuncts(from);
        let mut conditions = self.store.conjuncts(context);
        conditions.extend(action.step.conjuncts.iter().copied());
        self.oracle.keep(&action.step.conjuncts);
        let given = Given { state: &state, conditions: &conditions };
        let questions = self.before(action, precision);
        match self.combination {
            Combination::Cartesian => {
                let decided = self.oracle.decide(&given, &questions, run)?;
                Ok(decided.map(|decided| vec![cube(precision, decided)]).into_iter().collect())
            }
            Combination::Boolean => {
                let cubes = self.all_cubes(&given, &questions, precision, run)?;
                Ok(if cubes.is_empty() { Vec::new() } else { vec![cubes] })
            }
            Combination::Split => {
                let cubes = self.all_cubes(&given, &questions, precision, run)?;
                Ok(cubes.into_iter().map(|cube| vec![cube]).collect())
            }
        }
    }

    fn conjuncts(&mut self, state: &CubesState) -> Rc<[ExprId]> {
        if let Some((last, conjuncts)) = &self.last
            && last == state
        {
            return conjuncts.clone();
        }
        let conjuncts: Rc<[ExprId]> = self.store.conjuncts(self.formula(state)).into();
        self.last = Some((state.clone(), conjuncts.clone()));
        conjuncts
    }

    /// The formulas of the predicates before the edge.
    fn before(&mut self, action: &Action, precision: &Predicates) -> Vec<ExprId> {
        let (store, table, before) = (self.store, self.table.borrow(), &mut self.before);
        let formula = |id: &PredId| {
            *before
                .entry((action.edge, *id))
                .or_insert_with(|| action.next.substitute(store, table.formula(*id)))
        };
        precision.iter().map(formula).collect()
    }

    fn all_cubes(
        &mut self,
        given: &Given<'_>,
        questions: &[ExprId],
        precision: &Predicates,
        run: &Run,
    ) -> Result<Vec<Cube>, Stop> {
        let Some(found) = self.oracle.combinations(given, questions, run)? else {
            return Ok(vec![Cube::new()]);
        };
        let mut cubes: Vec<Cube> =
            found.into_iter().map(|values| cube(precision, values.into_iter().map(Some))).collect();
        cubes.sort();
        Ok(cubes)
    }
}

/// The cube of the predicates that have a value.
fn cube(precision: &Predicates, values: impl IntoIterator<Item = Option<bool>>) -> Cube {
    let mut cube = Cube::new();
    for (predicate, value) in precision.iter().zip(values) {
        if let Some(value) = value {
            cube.insert(*predicate, value);
        }
    }
    cube
}

impl Domain<Action> for Cubes<'_> {
    type State = CubesState;
    type Precision = Predicates;

    fn top(&self) -> CubesState {
        vec![Cube::new()]
    }

    fn successors(
        &mut self,
        from: &CubesState,
        action: &Action,
        precision: &Predicates,
        run: &Run,
    ) -> Result<Vec<CubesState>, Stop> {
        self.successors_under(from, self.store.tru(), action, precision, run)
    }

    /// Each special cube has a general one with fewer literals: sufficient, and never wrong.
    fn covers(&mut self, general: &CubesState, special: &CubesState) -> Result<bool, Stop> {
        Ok(special.iter().all(|cube| general.iter().any(|other| other.covers(cube))))
    }

    fn formula(&self, state: &CubesState) -> ExprId {
        let table = self.table.borrow();
        self.store.or_all(state.iter().map(|cube| cube.formula(self.store, &table)))
    }

    fn num_queries(&self) -> u64 {
        self.oracle.num_queries
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("predicates")
            .count("predicates", self.table.borrow().len() as u64)
            .count("posts", self.num_posts)
            .count("remembered", self.num_remembered)
            .count("folded", self.oracle.num_folded)
            .count("remembered-answers", self.oracle.num_remembered)
            .count("queries", self.oracle.num_queries)
    }
}
